"""A finite verb and what it predicates: do they agree with a subject?"""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.validation.agreement.passage import Finding, Passage
from ncimp.builder.validation.agreement.word import Cells

CHAIN = 4
"""Words after a finite verb among which its copula is looked for: *têm de não ser*."""


def finite_verb(passage: Passage, index: int) -> int | None:
    """Return the place of a finite verb at *index* or after adverbs and clitics there, or None."""
    index = passage.skip_adverbs(index, 1, "clitic")
    word = passage.word(index)
    if word is None or not word.numbers or word.capital:
        return None
    return index if word.is_mostly("verb") or not word.shares else None


def predicate_of(passage: Passage, verb: int) -> int | None:
    """Return the place of the adjective or participle that a verb at *verb* predicates: *podem não ser utilizados*."""
    copula = None
    for index in range(verb, verb + CHAIN + 1):
        if passage.is_of(index, "copula"):
            copula = index
        elif not (index == verb or passage.is_adverb(index) or passage.is_of(index, "linker")):
            break
    if copula is None:
        return None
    index = passage.skip_adverbs(copula + 1, 1, "degree")
    word, following = passage.word(index), passage.word(index + 1)
    if word is None or not word.is_attribute or word.kinds:
        return None
    before_noun = following is not None and (following.is_mostly("noun") or following.is_mostly("adj"))
    return None if before_noun else index


def check_verb(passage: Passage, verb: int, cells: Cells) -> Iterator[Finding]:
    """A110 for the verb at *verb*, unless its number is that of one of *cells*."""
    numbers = passage.words[verb].numbers
    if numbers and not numbers & {number for _, number in cells}:
        yield passage.finding("A110", verb, "with the subject", passage.in_place_of(verb, "verb", passage.cells))


def check_predicate(passage: Passage, index: int, cells: Cells) -> Iterator[Finding]:
    """A111 for the adjective or participle at *index*, unless it agrees with one of *cells*."""
    if not passage.words[index].adjective & cells:
        form = passage.in_place_of(index, "adj", passage.cells)
        if form is not None:  # one that nobody can inflect may be invariable
            yield passage.finding("A111", index, "said of", form)


def check_verb_phrase(passage: Passage, verb: int, cells: Cells) -> Iterator[Finding]:
    """A110 and A111 for the verb at *verb*, its predicate, and another verb and predicate coordinated with them."""
    yield from check_verb(passage, verb, cells)
    predicate = predicate_of(passage, verb)
    if predicate is None:
        return
    yield from check_predicate(passage, predicate, cells)
    second = finite_verb(passage, predicate + 2) if passage.is_of(predicate + 1, "coordinator") else None
    if second is not None:
        yield from check_verb_phrase(passage, second, cells)
