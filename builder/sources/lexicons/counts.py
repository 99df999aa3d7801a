"""What treebanks count: how often a form is what, and which of its readings is the usual one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ncimp.builder.records import Gender
from ncimp.builder.sources.lexicons.entries import PARTICIPLE, Entry
from ncimp.builder.sources.lexicons.store import FormStore

CACHED = 1 << 16
"""Forms and lemmas kept in memory; the words of a large corpus that come back."""

PROPER = "Proper=Yes"
"""The feature of a name."""

Weight = tuple[int, int, int]
"""Three counts; the first that differs decides."""


class Counts:
    """The counts of several lexicons, added up."""

    def __init__(self, stores: Sequence[FormStore]) -> None:
        self._stores = [store for store in stores if store.counted]
        self.of_form = lru_cache(CACHED)(self._of_form)
        """Return the counted readings of a form; those of a name only where the form could be one."""
        self.genders = lru_cache(CACHED)(self._genders)
        """Return how often a noun lemma, in any of its forms, has each gender."""

    def inflected(self, lemma: str, pos: str) -> tuple[Entry, ...]:
        """Return the counted forms of *lemma* as a *pos*."""
        return _added(entry for store in self._stores for entry in store.inflected(lemma, pos))

    def total(self, form: str, pos: str) -> int:
        """Return how often *form* was counted as a *pos*."""
        return sum(row.times for row in self.of_form(form) if row.pos == pos)

    def tally(self, form: str, *, participle: bool) -> dict[str, int]:
        """Return how often *form* is each part of speech.

        With *participle*, a participle whose gender nobody has annotated is the adjective that it is elsewhere.
        """
        found: dict[str, int] = {}
        for row in self.of_form(form):
            known = "adj" if participle and may_agree(row) else row.pos
            found[known] = found.get(known, 0) + row.times
        return found

    def weight(self, reading: Entry) -> Weight:
        """Return how often the form has this gender and number, this lemma and tense, and the noun lemma this gender.

        The last helps where a form is rare: the plural of a noun that was seen in the singular only.
        """
        rows = [row for row in self.of_form(reading.form) if row.pos == reading.pos and _is_of(row, reading)]
        same = (row.times for row in rows if (row.lemma, row.feats) == (reading.lemma, reading.feats))
        gender = self.genders(reading.lemma).get(reading.gender, 0) if reading.pos == "noun" else 0
        return sum(row.times for row in rows), sum(same), gender

    def _of_form(self, form: str) -> tuple[Entry, ...]:
        rows = _added(entry for store in self._stores for entry in store.readings(form))
        common = tuple(row for row in rows if PROPER not in row.feats)
        return common if common and form == form.lower() else rows

    def _genders(self, lemma: str) -> dict[Gender | None, int]:
        found: dict[Gender | None, int] = {}
        for row in self.inflected(lemma, "noun"):
            if PROPER not in row.feats:  # the gender of a family's name is that of a person
                found[row.gender] = found.get(row.gender, 0) + row.times
        return found


def may_agree(row: Entry) -> bool:
    """Tell whether a counted form of a verb may be a participle whose gender was not annotated."""
    return row.pos == "verb" and row.feats in ("", PARTICIPLE)


def _is_of(row: Entry, reading: Entry) -> bool:
    """Tell whether a counted *row* is an occurrence of *reading*; what a reading does not say serves all."""
    return (
        reading.gender in (None, row.gender)
        and reading.number in (None, row.number)
        and (PROPER in row.feats) == (PROPER in reading.feats)
    )


def _added(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return *entries* with the counts of equal ones added up, in the order in which they first occur."""
    counts: dict[Entry, int] = {}
    for entry in entries:
        bare = entry._replace(times=0)
        counts[bare] = counts.get(bare, 0) + entry.times
    return tuple(entry._replace(times=times) for entry, times in counts.items())
