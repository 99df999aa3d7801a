"""The clause of a span: verbs whose subject it is, and predicates that agree with it.

Only what is certain is looked at. A phrase is taken for the subject of a verb when nothing governs it and one of
these is the case: it begins a clause and the verb follows; the verb begins the clause and is a passive, or one
that its subject follows; a relative pronoun follows and then a verb that can have no other subject; it is what
an interrogative or a demonstrative is said to be (*quais são os pontos fortes*, *este é um ponto forte*).
"""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.validation.agreement.borders import is_clause_border, opens_clause
from ncimp.builder.validation.agreement.left_side import Left
from ncimp.builder.validation.agreement.passage import Finding, Passage
from ncimp.builder.validation.agreement.right_side import Right, governing, together
from ncimp.builder.validation.agreement.verb_phrase import (
    check_predicate,
    check_verb,
    check_verb_phrase,
    finite_verb,
    predicate_of,
)
from ncimp.builder.validation.agreement.word import Cells


def check_clause(passage: Passage, left: Left, right: Right) -> Iterator[Finding]:
    """A110 and A111 for verbs and predicates of which the span is the subject."""
    cells = passage.cells
    if passage.is_of(right.end, "coordinator") and finite_verb(passage, right.end + 1) is None:
        cells |= passage.vocabulary.expand(None, "pl")  # with the other noun, if that is what follows
    yield from _relative(passage, right, cells | together(passage, left) | governing(passage, left))
    if left.governed:
        return
    if _begins_clause(passage, left):
        yield from _following(passage, right)
    yield from _preceding(passage, left, right, cells)


def _relative(passage: Passage, right: Right, cells: Cells) -> Iterator[Finding]:
    """Check *os nós que têm de ser desatados*: a verb that predicates or has an object has no subject but *que*."""
    index = right.end
    while (word := passage.word(index)) is not None and word.capital:  # a name in apposition
        index += 1
    index = passage.skip(index, 1, "comma")
    verb = finite_verb(passage, index + 1) if passage.is_of(index, "relative") else None
    if verb is not None and (predicate_of(passage, verb) is not None or _has_object(passage, verb + 1)):
        yield from check_verb_phrase(passage, verb, cells)


def _has_object(passage: Passage, index: int) -> bool:
    word = passage.word(index)
    return word is not None and bool(word.kinds - {"contraction"})


def _begins_clause(passage: Passage, left: Left) -> bool:
    """Tell whether the phrase of the span is the first of its clause."""
    index = passage.skip_adverbs(left.begin - 1, -1, "quote")
    determined = left.rank > 0 or bool(passage.words[passage.start].kinds)
    listed = passage.is_of(index, "coordinator") and passage.is_of(index - 1, "comma")
    if passage.is_of(index, "comma") or listed:
        return determined
    word = passage.word(index)
    if word is not None and word.is_mostly("noun") and passage.is_of(index - 1, "wh", "relative"):
        return True  # em quais casos o centro pode
    return is_clause_border(passage, index) or (index == 0 and passage.is_of(index, "coordinator"))


def _following(passage: Passage, right: Right) -> Iterator[Finding]:
    """Check the verb after the phrase: *a roda gigante de Londres provou*."""
    complement = _past_complement(passage, right.end)
    verb = finite_verb(passage, complement)
    if verb is None:
        return
    cells, plural = passage.cells, passage.vocabulary.expand(None, "pl")
    of_several = any(word.noun and word.noun <= plural for word in passage.words[right.end : complement])
    are_several = passage.is_of(verb, "impersonal") and _is_plural(passage, verb + 1)
    if of_several or are_several:  # a maior parte dos casos são; a única alternativa eram as estatais
        cells |= plural
    yield from check_verb_phrase(passage, verb, cells)


def _past_complement(passage: Passage, index: int) -> int:
    """Return the index after prepositional phrases from *index* on."""
    while passage.is_of(index, "preposition") or passage.has_kind(index, "contraction"):
        index += 1
        while (word := passage.word(index)) is not None and (word.capital or word.nominal):
            index += 1
    return index


def _is_plural(passage: Passage, index: int) -> bool:
    """Tell whether a noun phrase in the plural begins at *index*."""
    word = passage.word(passage.skip_adverbs(index, 1))
    cells = (word.closed or word.noun) if word is not None else frozenset()
    return bool(cells) and all(number == "pl" for _, number in cells)


def _preceding(passage: Passage, left: Left, right: Right, cells: Cells) -> Iterator[Finding]:
    """Check a verb, and what it predicates, that stand before the phrase of the span."""
    index = passage.skip_adverbs(left.begin - 1, -1)
    word = passage.word(index)
    if word is None:
        return
    if word.is_attribute and not word.kinds:
        yield from _passive(passage, index, left, cells)
    elif passage.is_of(index, "impersonal"):
        yield from _identity(passage, index, cells)
    elif _is_presentational(passage, index) and finite_verb(passage, right.end) is None:
        yield from check_verb(passage, index, cells)


def _passive(passage: Passage, index: int, left: Left, cells: Cells) -> Iterator[Finding]:
    """Check *foi criado um círculo*, *onde for encontrado trabalho escravo*; *é necessário paciência* never varies."""
    verb = passage.skip_adverbs(index - 1, -1)
    if not passage.is_of(verb, "copula") or not passage.words[verb].numbers or not opens_clause(passage, verb):
        return
    if left.rank or not passage.is_of(index, "invariable predicate"):
        yield from check_verb(passage, verb, cells)
        yield from check_predicate(passage, index, cells)


def _identity(passage: Passage, verb: int, cells: Cells) -> Iterator[Finding]:
    """Check *quais são os pontos fortes*, *este é um ponto forte*, *não é um ponto forte*.

    Without a subject, *são um ponto forte* may be said of several; *é uns pontos fortes* can be said of nothing.
    """
    before = passage.skip_adverbs(verb - 1, -1)
    subject = passage.word(before)
    asking = passage.vocabulary.interrogatives.get(subject.text) if subject is not None else None
    pointing = subject.closed if before == 0 and passage.has_kind(0, "demonstrative") and subject is not None else None
    own = asking or pointing
    if own:
        yield from check_verb(passage, verb, cells)
        if not own & cells:
            form = passage.in_place_of(before, "adj", passage.cells)
            yield passage.finding("A111", before, "said to be", form)
    elif (opens_clause(passage, verb) or passage.is_of(before, "coordinator")) and "pl" not in passage.words[
        verb
    ].numbers:
        yield from check_verb(passage, verb, cells)


def _is_presentational(passage: Passage, index: int) -> bool:
    """Tell whether a verb that its subject follows begins a clause at *index* (*nasceu uma ideia*)."""
    word = passage.words[index]
    stems = tuple(passage.vocabulary.of_class("presentational"))
    return bool(word.numbers) and word.text.startswith(stems) and opens_clause(passage, index)
