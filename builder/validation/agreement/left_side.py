"""The noun phrase of a span, left of it: determiners and adjectives that must agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ncimp.builder.validation.agreement.homographs import is_enclitic, may_be_adverb, may_be_preposition
from ncimp.builder.validation.agreement.passage import Finding, Passage

RANKS = {"possessive": 1, "article": 2, "contraction": 2, "demonstrative": 2, "relative": 2}
"""How far out in a noun phrase a determiner stands; other kinds (numerals, *outro*) stand beside adjectives."""

OUTERMOST = 2
"""The rank of words that begin a noun phrase; only quantifiers stand before them (*todas as*)."""

NOUN = 0.8
"""A word that is a noun more often than this is not taken for an adjective before its noun."""


@dataclass(slots=True)
class Left:
    """The part of a noun phrase left of the span."""

    begin: int
    """Index of its first word, or of the span."""
    members: list[int] = field(default_factory=list)
    """Indices of the words that agree, the nearest first."""
    partitive: list[int] = field(default_factory=list)
    """Indices of words that name some of several and agree in gender only (*uma das*)."""
    doubtful: list[int] = field(default_factory=list)
    """Indices of words that agree if a determiner stands left of them (*as últimas duas*), and else may not."""
    rank: int = 0
    """Rank of the outermost determiner; 0 where there is none."""
    governed: bool = False
    """Whether a preposition governs the phrase, so that it is no subject."""


def left_of(passage: Passage) -> Left:
    """Return the unbroken chain of words left of the span that belong to its noun phrase."""
    left = Left(passage.start)
    index = passage.start - 1
    while passage.word(index) is not None and _take(passage, left, index):
        index -= 1
    contracted = any(passage.has_kind(member, "contraction") for member in left.members)
    before = passage.skip(left.begin - 1, -1, "quote")
    left.governed = left.governed or contracted or passage.is_of(before, "preposition")
    return left


def check_left(passage: Passage, left: Left) -> Iterator[Finding]:
    """A102 and A104 for the words left of the span that agree with none of its readings."""
    for index in left.members:
        word = passage.words[index]
        if not (word.closed if word.kinds else word.adjective) & passage.cells:
            form = passage.in_place_of(index, "adj", passage.cells)
            if word.kinds or form is not None:  # an adjective that nobody can inflect may be invariable
                yield passage.finding("A102" if word.kinds else "A104", index, "before", form)
    genders = {gender for gender, _ in passage.cells}
    for index in left.partitive:
        own = passage.words[index].closed
        if not genders & {gender for gender, _ in own}:
            cells = frozenset((gender, number) for gender in genders for _, number in own)
            yield passage.finding("A102", index, "of", passage.in_place_of(index, "adj", cells))


def _take(passage: Passage, left: Left, index: int) -> bool:
    """Add the word at *index* to *left*, and tell whether to go on."""
    word = passage.words[index]
    if word.kinds and not is_enclitic(passage, index):
        return _take_determiner(passage, left, index)
    if left.rank or not (word.counting or _is_degree(passage, index) or _precedes_noun(passage, index)):
        return passage.is_of(index, "quote")
    if _precedes_noun(passage, index):
        (left.doubtful if word.participle or _is_quantified(passage, left) else left.members).append(index)
    left.begin = index
    return True


def _take_determiner(passage: Passage, left: Left, index: int) -> bool:
    """Add the determiner at *index* to *left*, and tell whether to go on."""
    word = passage.words[index]
    if may_be_preposition(passage, index):
        left.governed = True
        return False
    if left.rank == OUTERMOST:
        _take_quantifier(passage, left, index)
        return False
    if not may_be_adverb(passage, index):
        left.members.append(index)
    left.begin = index
    left.rank = max(left.rank, *(RANKS.get(kind, 0) for kind in word.kinds))
    if left.rank:
        left.members += left.doubtful
        left.doubtful = []
    return True


def _take_quantifier(passage: Passage, left: Left, index: int) -> None:
    """Add what may stand before the first determiner of a phrase: *todas as*, *uma das*; *muito pouco da* is none."""
    if passage.has_kind(left.members[-1] if left.members else left.begin, "contraction"):
        if passage.is_of(index, "partitive") and any(number == "pl" for _, number in passage.cells):
            left.partitive.append(index)
            left.begin = index
    elif passage.has_kind(index, "quantifier") and not may_be_adverb(passage, index):
        left.members.append(index)
        left.begin = index


def _precedes_noun(passage: Passage, index: int) -> bool:
    """Tell whether the word at *index* is an adjective before its noun, and not a predicate or a perfect tense."""
    word = passage.words[index]
    noun_too = word.may_be("adj") and word.is_mostly("noun") and word.share("noun") < NOUN
    if not (word.is_attribute or noun_too) or passage.is_of(index - 1, "copula"):
        return False
    before = (passage.word(index - 1), passage.word(index - 2))
    return not (word.participle and any(other is not None and other.may_be("verb") for other in before))


def _is_quantified(passage: Passage, left: Left) -> bool:
    """Tell whether a determiner is nearer to the noun, or in the span: an adjective left of it needs another."""
    return any(passage.words[member].kinds for member in (passage.start, *left.members))


def _is_degree(passage: Passage, index: int) -> bool:
    return passage.is_of(index, "degree") and bool(passage.words[index + 1].adjective)
