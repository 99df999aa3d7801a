"""The forms of a pack as an `Analyser`, for the second opinion on items: nothing else is known of their words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ncimp.builder.records import Form, Gender, Number, Onset
from ncimp.builder.validation.lookup import Lookup, fits


class PackForms:
    """Look-ups in `forms.tsv`; nobody has counted its forms."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._by_lemma: defaultdict[tuple[str, str], list[Form]] = defaultdict(list)
        for form in lookup.pack.forms:
            self._by_lemma[form.lemma, form.pos].append(form)

    def readings(self, form: str) -> Sequence[Form]:
        """Return every reading of *form* in the table, whatever its case."""
        return self._lookup.readings(form)

    def inflect(self, lemma: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the first form of *lemma* that fits, or None."""
        forms = self._by_lemma.get((lemma, pos), ())
        return next((form.form for form in forms if fits([(form.gender, form.number)], gender, number)), None)

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return a form of the same lemma with these features, or None."""
        lemmas = dict.fromkeys(reading.lemma for reading in self.readings(form) if reading.pos == pos)
        found = (self.inflect(lemma, pos, gender=gender, number=number) for lemma in lemmas)
        return next((known for known in found if known is not None), None)

    def gender(self, noun: str) -> Gender | None:
        """Return the gender of the noun lemma *noun*, or None."""
        return self._lookup.gender_of(noun)

    def onset(self, word: str) -> Onset:
        """Return what the first sound of *word* counts as, by the table, else by the patterns of the pack."""
        for form in self.readings(word):
            if form.onset is not None:
                return form.onset
        patterns, shapes = self._lookup.pack.language.onset_patterns, (word, word.lower())
        return next((onset for match, onset in patterns if any(re.match(match, one) for one in shapes)), "consonant")

    def knows(self, form: str) -> bool:
        """Tell whether the table lists *form*."""
        return bool(self._lookup.readings(form))

    def tally(self, form: str) -> Mapping[str, int]:  # noqa: ARG002 (a pack counts nothing)
        """Return nothing."""
        return {}

    def count(self, reading: Form) -> int:  # noqa: ARG002
        """Return 0."""
        return 0
