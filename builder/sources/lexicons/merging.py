"""How the readings that several lexicons give of one form go together: what says the same, less, or more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ncimp.builder.records import Form, Gender, Number
from ncimp.builder.sources.lexicons.counts import PROPER, may_agree
from ncimp.builder.sources.lexicons.entries import PARTICIPLE, Entry

PACK, LEXICON, TREEBANK = range(3)
"""Levels of trust, the first most."""

Known = tuple[int, Entry]
"""A reading and its level of trust."""

GENDERS: tuple[Gender, ...] = ("m", "f", "n", "c")

Genders = Callable[[str], Mapping[Gender | None, int]]
"""How often a noun lemma was counted with each gender."""


def to_entry(form: Form) -> Entry:
    """Return a form of a pack as an entry."""
    return Entry(form.form, form.lemma, form.pos, form.gender, form.number)


def merge(
    trusted: Iterable[Known], counted: Iterable[Entry], *, genders: Genders, guesses: Sequence[Entry] = ()
) -> list[Known]:
    """Return the readings of one form without repetitions and without what is only said less precisely.

    Where a lexicon leaves the gender of a noun open, those that were counted, else guessed, are named first.
    """
    guessed = {guess.gender: 1 for guess in guesses if guess.pos == "noun"}
    found = _distinct(one for known in trusted for one in _by_gender(known, genders, guessed))
    found += [(TREEBANK, row) for row in counted if not any(_covers(known, row) for _, known in found)]
    return [one for one in found if one[0] < TREEBANK or not any(_says_more(other, one[1]) for _, other in found)]


def _by_gender(known: Known, genders: Genders, guessed: Mapping[Gender | None, int]) -> list[Known]:
    """Return a reading, after one for each gender that is in use where a lexicon leaves the noun's gender open.

    A lexicon gives *carne* no gender, as it does to *artista*; only the latter is used with both.
    """
    level, entry = known
    if level != LEXICON or entry.pos != "noun" or entry.gender is not None:
        return [known]
    counted = genders(entry.lemma)
    used = counted if any(counted.get(gender) for gender in GENDERS) else guessed
    return [*((level, entry._replace(gender=gender)) for gender in GENDERS if used.get(gender)), known]


def _distinct(known: Iterable[Known]) -> list[Known]:
    """Return each reading once, at the level where it is trusted most."""
    first: dict[Entry, Known] = {}
    for level, entry in known:
        first.setdefault(entry._replace(times=0), (level, entry))
    return list(first.values())


def _covers(known: Entry, row: Entry) -> bool:
    """Tell whether a trusted reading says what the counted *row* says, or leaves it open."""
    return (
        known.pos == row.pos
        and known.gender in (None, row.gender)
        and known.number in (None, row.number)
        and (PARTICIPLE in known.feats) == (PARTICIPLE in row.feats)
        and (known.pos != "verb" or known.feats == row.feats)
    )


def _says_more(other: Entry, entry: Entry) -> bool:
    """Tell whether *other* says what *entry* says and more: a treebank often leaves features out."""
    participle = other.pos == "adj" and PARTICIPLE in other.feats and may_agree(entry)
    return (participle or other.pos == entry.pos) and statements(entry) < statements(other)


def statements(entry: Entry) -> set[tuple[str, str | None]]:
    """Return what a reading says of inflection."""
    named = {("gender", entry.gender), ("number", entry.number), *(("", feat) for feat in entry.feats.split("|"))}
    return {value for value in named if value[1] and value[1] != PROPER}


def says_something(known: Known) -> bool:
    """Tell whether a reading tells how a word inflects: a treebank's noun without features does not."""
    level, entry = known
    return level < TREEBANK or entry.pos not in ("noun", "adj", "verb") or bool(statements(entry))


def compatible(one: Entry, other: Entry) -> bool:
    """Tell whether two readings can be the same."""
    return (
        one.pos == other.pos
        and (one.gender is None or other.gender in (None, one.gender))
        and (one.number is None or other.number in (None, one.number))
    )


def fits(entry: Entry, gender: Gender | None, number: Number) -> bool:
    """Tell whether a form has these features; one that does not say serves every value."""
    return entry.number in (None, number) and (gender is None or entry.gender in (None, gender))


def unlikeness(one: str, other: str) -> tuple[int, int]:
    """Return by how many letters two words differ in length, and how many the shorter has after a common beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    common = next((place for place, (first, second) in pairs if first != second), shorter)
    return abs(len(one) - len(other)), shorter - common
