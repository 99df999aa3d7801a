"""Whether a word has one form, and whether a form that was put together is a word: what all inflection asks."""

from __future__ import annotations

from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import Inflection

REAL = 3e-3
"""A word derived from another counts as one when it is at least this many times as frequent.

Below this it is a slip: *lápi* beside *lápis*, *hipócrito* beside *hipócrita*. Between 0.0003 and 0.01 the rules of
Portuguese agree with the nouns and adjectives of MorphoBr to within 0.2 %.
"""


UNLISTED = 1e-8
"""Relative frequency below which word lists end: a word that is not listed may be as frequent as this."""


class WordCheck:
    """What the pack and the frequencies say of words."""

    def __init__(self, inflection: Inflection, frequencies: FrequencyTable | None) -> None:
        self._inflection = inflection
        self._frequencies = frequencies

    def is_invariable(self, word: str, pos: str) -> bool:
        """Tell whether *word* has one form as a *pos*."""
        return pos in self._inflection.uninflected or word in self._inflection.invariable.get(pos, frozenset())

    def is_real(self, word: str, derived_from: str) -> bool:
        """Tell whether *word* is a word, by its frequency beside that of the form it was derived from."""
        table = self._frequencies
        return table is None or max(table.frequency(word), UNLISTED) >= REAL * table.frequency(derived_from)
