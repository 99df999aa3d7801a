"""Words that look like a determiner and may be something else: a preposition, an adverb, a pronoun."""

from __future__ import annotations

from ncimp.builder.validation.agreement.borders import opens_clause
from ncimp.builder.validation.agreement.passage import Passage

HYPHEN = "-"
"""A token of its own in corpora that split clitics off."""


def is_enclitic(passage: Passage, index: int) -> bool:
    """Tell whether an article is a pronoun here, bound to the verb before it: *peguei - o*."""
    before = passage.word(index - 1)
    return before is not None and before.text == HYPHEN


def may_be_adverb(passage: Passage, index: int) -> bool:
    """Tell whether a determiner may be an adverb here: *muito rigorosa*, *muito menos*, *mesmo as casas*."""
    word, following = passage.words[index], passage.words[index + 1]
    if not (passage.is_of(index, "adverb", "degree") or word.may_be("adv")):
        return False
    before = passage.word(index - 1)
    if before is not None and before.kinds:
        return False  # after a determiner it is none
    of_degree = following.is_mostly("adj") or passage.is_of(index + 1, "degree")
    return of_degree or bool(following.kinds) or passage.is_of(index, "adverb")


def may_be_preposition(passage: Passage, index: int) -> bool:
    """Tell whether a word that is an article or a preposition may be the latter here: *candidatar-se a deputado*.

    After a noun or an adjective it may, and after a verb that takes such a preposition or that has no object;
    not where a phrase begins, nor after another preposition or determiner.
    """
    if not passage.is_of(index, "preposition") or passage.words[index].closed & passage.cells:
        return False
    place = passage.skip(index - 1, -1, "quote", "adverb")
    before = passage.word(place)
    if before is None or before.kinds or passage.is_of(place, "preposition", "subordinator", "stop"):
        return False
    if passage.is_of(place, "coordinator", "comma"):
        return _stood_before(passage, place)
    if passage.is_of(place, "clitic") or passage.is_of(place - 1, "clitic"):
        return True
    if before.is_mostly("verb") or (not before.shares and (before.numbers or place == 0)):
        has_no_object = _begins_as(passage, place, "presentational") and not opens_clause(passage, place)
        return has_no_object or _begins_as(passage, place, "takes preposition")
    return True


def _begins_as(passage: Passage, index: int, name: str) -> bool:
    """Tell whether the word at *index* begins with one of the stems of the pack's class *name*."""
    return passage.words[index].text.startswith(tuple(passage.vocabulary.of_class(name)))


def _stood_before(passage: Passage, end: int) -> bool:
    """Tell whether a preposition stands left of *end*, alone or in a contraction, that a second phrase may repeat."""
    return any(passage.is_of(index, "preposition") or passage.has_kind(index, "contraction") for index in range(end))
