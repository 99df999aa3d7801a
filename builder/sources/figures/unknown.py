"""What stands behind a port for a language of which nothing is known: nothing, and no guess."""

from __future__ import annotations

from collections.abc import Sequence

from ncimp.builder.records import Form, Gender, Number, Onset


class NoFrequencies:
    """A table of no words (a `FrequencyTable`)."""

    name = "no frequencies"

    def frequency(self, word: str) -> float:  # noqa: ARG002 (the port's)
        """Return 0: no word is in the table."""
        return 0.0


class NoMorphology:
    """The forms of no words (a `Morphology`)."""

    def inflect(self, lemma: str, pos: str, *, gender: Gender | None, number: Number) -> None:
        """Return None: no form is known."""

    def gender(self, noun: str) -> None:
        """Return None: no gender is known."""

    def readings(self, form: str) -> Sequence[Form]:  # noqa: ARG002
        """Return no reading."""
        return ()

    def onset(self, word: str) -> Onset:  # noqa: ARG002
        """Return what most words begin with."""
        return "consonant"
