"""The noun phrase of a span, right of it: adjectives and participles that must agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ncimp.builder.records import Gender
from ncimp.builder.validation.agreement.left_side import Left
from ncimp.builder.validation.agreement.passage import Finding, Passage
from ncimp.builder.validation.agreement.word import NOTHING, Cell, Cells

MIXED: Gender = "m"
"""The gender of nouns of several genders together, in the languages that packs are written for."""


@dataclass(frozen=True, slots=True)
class Right:
    """The part of a noun phrase right of the span."""

    end: int
    """Index of the first word after it."""
    beside: Sequence[int]
    """Indices of the adjectives directly right of it."""
    coordinated: Sequence[int]
    """Indices of the adjectives that are coordinated with one of these, or with one of the span's."""


def right_of(passage: Passage) -> Right:
    """Return the adjectives that stand right of the span and belong to it: beside it, coordinated, in a list."""
    beside: list[int] = []
    end = passage.skip(passage.end, 1, "quote")
    while _follows_noun(passage, place := passage.skip_adverbs(end, 1, "degree")):
        beside.append(place)
        end = place + 1
    ends_in_adjective = passage.end - passage.start > 1 and bool(passage.words[passage.end - 1].adjective)
    coordinated = _coordinated(passage, end) if beside or ends_in_adjective else []
    return Right(coordinated[-1] + 1 if coordinated else end, beside, coordinated)


def check_right(passage: Passage, left: Left, right: Right) -> Iterator[Finding]:
    """A104 for the adjectives right of the span that agree neither with it nor with a noun beside it."""
    wrong = [index for index in right.beside if not passage.words[index].adjective & _heads(passage, left, index)]
    wrong += [index for index in right.coordinated if not passage.words[index].adjective & passage.cells]
    several = len(wrong) + (passage.features.clash is not None) > 1
    if several and shares_out(passage, wrong):
        return
    for index in wrong:
        form = passage.in_place_of(index, "adj", passage.cells)
        if form is not None:  # one that nobody can inflect may be invariable
            yield passage.finding("A104", index, "after", form)


def check_inside(passage: Passage) -> Iterator[Finding]:
    """A103 for a word of the span that agrees with no head of it, but for one of several that share a plural out."""
    if passage.features.clash is None:
        return
    index = passage.start + passage.features.clash
    form = passage.in_place_of(index, "adj", passage.cells)
    goes_on = passage.is_of(passage.end, "coordinator", "comma")
    if form is not None and not (goes_on and shares_out(passage, [index])):
        yield passage.finding("A103", index, "in", form)


def shares_out(passage: Passage, indices: Sequence[int]) -> bool:
    """Tell whether singular adjectives share a plural out among them: *as literaturas inglesa e francesa*."""
    shared = {(gender, "sg") for gender, number in passage.cells if number == "pl"}
    return bool(shared) and all(passage.words[index].adjective & shared for index in indices)


def _heads(passage: Passage, left: Left, index: int) -> Cells:
    """Return the cells of all that the adjective at *index*, right of the span, may belong to.

    What stands after a determined phrase is said of it, unless it is a participle (*o risco de um ataque
    frontal*, *o risco de um ataque previsto*); a contraction binds closer (*o ministro da defesa francês*).
    """
    contracted = any(passage.has_kind(member, "contraction") for member in left.members)
    near = passage.cells | passage.features.inner | together(passage, left)
    determined = left.rank > 0 and not contracted and not passage.words[index].participle
    return near if determined else near | governing(passage, left)


def together(passage: Passage, left: Left) -> Cells:
    """Return the cells of more or less than the span: with what it is coordinated with, and as one of several.

    *Força e [disciplina interna] dadas por ele*, *uma das [provas fundamentais] dada por ele*.
    """
    found: set[Cell] = set()
    if passage.is_of(left.begin - 1, "coordinator"):
        found |= {(gender, "pl") for gender, _ in passage.cells} | {(MIXED, "pl")}
    if left.partitive:
        found |= {(gender, "sg") for gender, _ in passage.cells}
    return frozenset(found)


def governing(passage: Passage, left: Left) -> Cells:
    """Return the cells of the nouns that the span's phrase depends on: *excesso de [pontos cegos]*."""
    found: Cells = NOTHING
    index = left.begin - 1 if left.governed else -1
    while (word := passage.word(index)) is not None and not passage.is_of(index, "comma", "stop"):
        if word.numbers and word.is_mostly("verb"):
            break
        found |= word.any_noun if word.may_be("noun") else NOTHING
        index -= 1
    return found


def _follows_noun(passage: Passage, index: int) -> bool:
    """Tell whether the word at *index* is an adjective or participle after its noun."""
    word = passage.word(index)
    if word is None or word.capital or word.kinds or not word.adjective:
        return False
    if passage.is_of(index, "preposition", "copula") or word.may_be("adv") or (word.numbers and word.may_be("verb")):
        return False
    return word.is_attribute or _nothing_follows(passage, index)


def _nothing_follows(passage: Passage, index: int) -> bool:
    """Tell whether the phrase ends after *index*, so that a word which is a noun as a rule would stand there alone."""
    return passage.is_boundary(index + 1) or passage.is_of(index + 1, "comma")


def _coordinated(passage: Passage, index: int) -> list[int]:
    """Return the places of the adjectives of a list from *index* on: `, ADJ e ADJ` or `e ADJ`.

    A list that begins after a comma must go on with a coordinator; else it may be said of another noun.
    """
    found: list[int] = []
    end, closed = index, False
    while not closed and passage.is_of(end, "comma", "coordinator"):
        closed = passage.is_of(end, "coordinator")
        place = passage.skip(end + 1, 1, "degree")
        if not _stands_in_list(passage, place, certain=place > end + 1 or (closed and bool(found))):
            break
        found.append(place)
        end = place + 1
    goes_on = passage.is_of(index, "coordinator") or passage.is_of(end, "coordinator") or closed
    return found if goes_on else []


def _stands_in_list(passage: Passage, index: int, *, certain: bool) -> bool:
    """Tell whether the word at *index* is an adjective of a list, neither a noun nor before a noun of its own.

    It is *certain* not to be a noun after an adverb of degree, or at the end of a list of adjectives. A participle
    may be one of a verb further left (*tinha visto o filme e gravado*).
    """
    word, following = passage.word(index), passage.word(index + 1)
    if word is None or word.capital or word.kinds or not word.adjective or word.may_be("adv") or word.participle:
        return False
    if not certain and not word.is_attribute:
        return False
    if not certain and word.is_mostly("noun") and not _nothing_follows(passage, index):
        return False
    return following is None or not (following.is_mostly("noun") or following.is_mostly("adj"))
