"""What a span is by its own words: gender and number of its head, and whether its words agree with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ncimp.builder.validation.agreement.vocabulary import Vocabulary
from ncimp.builder.validation.agreement.word import NOTHING, POSSIBLE, Cells, Word

Placed = tuple[int, Word]
"""A word and the index of its token in the span."""


@dataclass(frozen=True, slots=True)
class Features:
    """What stands in a span."""

    cells: Cells
    """Genders and numbers that the phrase may have; none when its words do not tell."""
    inner: Cells = NOTHING
    """Those of the nouns after a preposition inside it: what stands right of the span may belong to them."""
    clash: int | None = None
    """Index in the span of a word that agrees with no head of it."""


def features_of(tokens: Sequence[str], vocabulary: Vocabulary) -> Features:
    """Return the features of the phrase *tokens*."""
    pieces = list(_pieces(tokens, vocabulary))
    cut = next((at for at, (_, word) in enumerate(pieces) if _links(word, vocabulary)), len(pieces))
    inner = frozenset(cell for _, word in pieces[cut:] for cell in word.any_noun)
    head = [(at, word) for at, word in pieces[:cut] if (word.noun or word.adjective) and not _is_particle(word)]
    if not head:
        return Features(NOTHING, inner)
    if len(head) == 1:
        word = head[0][1]
        as_noun = word.noun if _as_noun(word) else NOTHING
        return Features(as_noun | word.adjective if word.is_attribute else as_noun or word.adjective, inner)
    return _agreed(head, inner)


def _pieces(tokens: Sequence[str], vocabulary: Vocabulary) -> Iterator[Placed]:
    """Yield the words of a phrase with their places; a hyphenated one that no lexicon has counts as its parts."""
    for at, token in enumerate(tokens):
        word = vocabulary.word(token)
        if "-" in token.strip("-") and not (word.noun or word.adjective):
            yield from ((at, vocabulary.word(part)) for part in token.split("-") if part)
        else:
            yield at, word


def _links(word: Word, vocabulary: Vocabulary) -> bool:
    """Tell whether *word* begins a phrase that depends on the head: *tremores de terra*."""
    return word.text in vocabulary.of_class("preposition") or "contraction" in word.kinds


def _is_particle(word: Word) -> bool:
    """Tell whether *word* is an adverb, whatever else a lexicon calls it: *não prioritário*."""
    return bool(word.classes & {"adverb", "degree"})


def _as_noun(word: Word) -> bool:
    """Tell whether *word* may be a noun where only a noun or an adjective can stand (*era colonial*)."""
    return bool(word.noun) and word.share("noun") >= POSSIBLE * (word.share("noun") + word.share("adj"))


def _as_adjective(word: Word) -> bool:
    """Tell whether *word* may be an adjective where only a noun or an adjective can stand."""
    return bool(word.adjective) and word.share("adj") >= POSSIBLE * (word.share("noun") + word.share("adj"))


def _agreed(head: Sequence[Placed], inner: Cells) -> Features:
    """Return the cells in which the words agree, each taken for the head in turn; else those of the likeliest head.

    The usual genders of nouns come before those that only a lexicon lists, likely adjectives before rare ones.
    """
    nouns = [(at, word) for at, word in head if _as_noun(word)]
    for usual, likely in ((True, True), (False, True), (True, False)):
        found: Cells = NOTHING
        for _, noun in nouns:
            cells = noun.noun if usual else noun.any_noun
            for _, other in head:
                if other is not noun:
                    cells &= other.adjective if _as_adjective(other) or not likely else NOTHING
            found |= cells
        if found:
            return Features(found, inner)
    if not nouns:
        return Features(head[0][1].adjective, inner)
    _, noun = next(((at, word) for at, word in nouns if word.share("noun") >= word.share("adj")), nouns[0])
    rest = ((place, word) for place, word in head if word is not noun)
    clash = next((place for place, word in rest if not _as_noun(word) and not word.adjective & noun.any_noun), None)
    return Features(noun.noun, inner, clash)
