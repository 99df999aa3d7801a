"""Inflected forms out of a pack's `forms.tsv`, and first sounds out of its `pack.toml` (an `Analyser`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ncimp.builder.records import Form, Gender, Language, Number, Onset


class PackMorphology:
    """Look-ups in the forms of a pack; it knows nothing that the pack does not say."""

    def __init__(self, forms: Iterable[Form], language: Language) -> None:
        self._by_form: dict[str, list[Form]] = defaultdict(list)
        self._by_lemma: dict[tuple[str, str], list[Form]] = defaultdict(list)
        for form in forms:
            self._by_form[form.form.lower()].append(form)
            self._by_lemma[form.lemma, form.pos].append(form)
        self._onsets = [(re.compile(match), onset) for match, onset in language.onset_patterns]

    def inflect(self, lemma: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the first form of *lemma* that fits; a form without a feature fits every value of it."""
        for form in self._by_lemma.get((lemma, pos), ()):
            if form.number in (None, number) and (gender is None or form.gender in (None, gender)):
                return form.form
        return None

    def gender(self, noun: str) -> Gender | None:
        """Return the gender of the noun lemma *noun*, or None where it has none or is not known."""
        return next((form.gender for form in self._by_lemma.get((noun, "noun"), ())), None)

    def readings(self, form: str) -> Sequence[Form]:
        """Return every reading of *form* in the table, whatever its case."""
        return tuple(self._by_form.get(form.lower(), ()))

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of the same lemma with these features, or None when the table has none.

        Of a verb always None: a pack does not say in which tense a form stands.
        """
        if pos == "verb":
            return None
        lemmas = dict.fromkeys(reading.lemma for reading in self.readings(form) if reading.pos == pos)
        found = (self.inflect(lemma, pos, gender=gender, number=number) for lemma in lemmas)
        return next((known for known in found if known is not None), None)

    def knows(self, form: str) -> bool:
        """Tell whether the table lists *form*."""
        return form.lower() in self._by_form

    def tally(self, form: str) -> dict[str, int]:  # noqa: ARG002 (a pack counts nothing)
        """Return nothing: the forms of a pack are not counted."""
        return {}

    def count(self, reading: Form) -> int:  # noqa: ARG002
        """Return 0: the forms of a pack are not counted."""
        return 0

    def inflected(self, lemma: str, pos: str) -> Sequence[Form]:
        """Return every form of *lemma* as a *pos*, in the order of the table."""
        return tuple(self._by_lemma.get((lemma, pos), ()))

    def onset(self, word: str) -> Onset:
        """Return what the first sound of *word* counts as: the first pattern of the pack that matches decides.

        A pattern is tried on the word as it stands (acronyms) and in lower case.
        """
        shapes = (word, word.lower())
        return next((onset for pattern, onset in self._onsets if any(map(pattern.match, shapes))), "consonant")
