"""In which genders is a noun used? Lexicons list too many; counts, lists of the pack and endings tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ncimp.builder.ports import Analyser
from ncimp.builder.records import Form, Gender, Language, Number

RARE = 0.2
"""A gender counted less often than this share of the noun's usual one is taken for a slip of the lexicon."""

SURE = 0.8
"""How sure an ending must be to be asked where a lexicon leaves the gender open and nobody has counted."""


class Nouns:
    """The nouns of a language."""

    def __init__(self, language: Language, analyser: Analyser) -> None:
        self._endings = language.endings
        self._common = frozenset(language.words.get("common gender", ()))
        self._common_endings = tuple(language.words.get("common gender ending", ()))
        self._analyser = analyser

    def usual(self, text: str, readings: Sequence[Form]) -> list[Form]:
        """Return the *readings* of the noun *text* in the genders that are in use."""
        counts: dict[Gender | None, int] = {}
        for form in readings:
            counts[form.gender] = max(counts.get(form.gender, 0), self._analyser.count(form))
        is_open = counts.pop(None, None) is not None
        if is_open and self._is_common(text):
            return [replace(form, gender=None) for form in readings]
        most = max(counts.values(), default=0)
        if most or (len(counts) == 1 and not is_open):
            return [form for form in readings if form.gender and counts[form.gender] >= RARE * most]
        guess = self.guess(text)
        if guess is None or "-" in text:  # the last part of a compound betrays nothing: o longa-metragem
            return list(readings)
        return [replace(form, gender=guess[0]) for form in readings]

    def guess(self, text: str) -> tuple[Gender, Number] | None:
        """Return the gender and number that the ending of a noun betrays, or None where it is not sure."""
        for ending, gender, number, sure in self._endings:
            if text.endswith(ending):
                return (gender, number) if sure >= SURE else None
        return None

    def _is_common(self, text: str) -> bool:
        """Tell whether a noun that a lexicon gives both genders is one for men and women by the pack, too."""
        return text in self._common or text.endswith(self._common_endings)
