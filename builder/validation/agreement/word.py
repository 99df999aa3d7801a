"""One word and what it may be: its closed-class cells, and its readings as noun, adjective and verb.

A word may be several things at once; the checks ask what it *may* be, and complain only when nothing fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ncimp.builder.records import Gender, Number

Cell = tuple[Gender, Number]
Cells = frozenset[Cell]
"""Genders and numbers that a word may have here; none when it cannot be what is asked for."""

NOTHING: Cells = frozenset()

POSSIBLE = 0.1
"""A part of speech that a word has less often than this share of its counted uses is not considered."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word and what it may be."""

    text: str
    """In lower case."""
    kinds: frozenset[str]
    """Kinds of the paradigms it stands in: article, contraction, possessive ..."""
    closed: Cells
    """Its cells in those paradigms."""
    noun: Cells
    """As a noun, in the genders that are usual for it."""
    any_noun: Cells
    """As a noun, in every gender that any lexicon gives it."""
    adjective: Cells
    """As an adjective or participle."""
    participle: bool
    """Whether it is an adjective that is a form of a verb."""
    numbers: frozenset[Number]
    """As a finite verb."""
    shares: Mapping[str, float]
    """Share of each part of speech it may have, of 1; the same for all where nobody has counted."""
    classes: frozenset[str]
    """Classes of `pack.toml` that list it."""
    adverb: bool
    """Whether it is an adverb, by class, ending or use."""
    capital: bool

    def share(self, pos: str) -> float:
        """Return how likely the word is a *pos*, 0 to 1."""
        return self.shares.get(pos, 0.0)

    def may_be(self, pos: str) -> bool:
        """Tell whether *pos* is worth considering."""
        return self.share(pos) >= POSSIBLE

    def is_mostly(self, pos: str) -> bool:
        """Tell whether no other part of speech is likelier than *pos*."""
        return self.share(pos) > 0 and self.share(pos) >= max(self.shares.values())

    @property
    def attributive(self) -> float:
        """How likely the word is an adjective or a participle, 0 to 1; treebanks call the latter verbs as well."""
        return self.share("adj") + (self.share("verb") if self.participle and not self.numbers else 0.0)

    @property
    def is_attribute(self) -> bool:
        """Tell whether the word is an adjective or a participle as often as all else."""
        return self.attributive > 0 and self.attributive >= max(
            self.share("noun"), 1 - self.attributive - self.share("noun")
        )

    @property
    def counting(self) -> bool:
        """Tell whether the word is a numeral or a determiner that never varies (*três*, *cada*)."""
        return self.text.isdigit() or self.is_mostly("num") or self.is_mostly("det")

    @property
    def nominal(self) -> bool:
        """Tell whether the word is part of a noun phrase, and does not begin one with a preposition."""
        return bool(self.kinds - {"contraction"}) or any(map(self.is_mostly, ("noun", "adj", "num")))
