"""A sentence with a span, as validation sees it: its words looked up, and what the span is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ncimp.builder.validation.agreement.spans import Features
from ncimp.builder.validation.agreement.vocabulary import Vocabulary
from ncimp.builder.validation.agreement.word import Cells, Word


@dataclass(frozen=True, slots=True)
class Finding:
    """A word that does not agree."""

    code: str
    index: int
    """Index of its token."""
    message: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a sentence, and the place and the features of its span."""

    words: Sequence[Word]
    start: int
    end: int
    """Index of the first token after the span."""
    features: Features
    vocabulary: Vocabulary

    @property
    def cells(self) -> Cells:
        """Genders and numbers that the span may have."""
        return self.features.cells

    def word(self, index: int) -> Word | None:
        """Return the word at *index*, or None outside the sentence."""
        return self.words[index] if 0 <= index < len(self.words) else None

    def is_of(self, index: int, *classes: str) -> bool:
        """Tell whether the word at *index* is in one of the pack's *classes*; outside the sentence there is none."""
        word = self.word(index)
        return word is not None and not word.classes.isdisjoint(classes)

    def has_kind(self, index: int, kind: str) -> bool:
        """Tell whether the word at *index* stands in a paradigm of this *kind*."""
        word = self.word(index)
        return word is not None and kind in word.kinds

    def is_adverb(self, index: int) -> bool:
        """Tell whether the word at *index* is an adverb, by class, ending or use."""
        word = self.word(index)
        return word is not None and word.adverb

    def is_boundary(self, index: int) -> bool:
        """Tell whether *index* is outside the sentence or at a mark that ends a clause."""
        return self.word(index) is None or self.is_of(index, "stop")

    def skip(self, index: int, step: int, *classes: str) -> int:
        """Return the first index from *index* on, in steps of *step*, whose word is in none of *classes*."""
        while self.is_of(index, *classes):
            index += step
        return index

    def skip_adverbs(self, index: int, step: int, *classes: str) -> int:
        """Return what `skip` returns, with adverbs passed over, too."""
        while self.is_adverb(index) or self.is_of(index, *classes):
            index += step
        return index

    def in_place_of(self, index: int, pos: str, cells: Cells) -> str | None:
        """Return the form of the word at *index* that one of *cells* asks for, or None where nobody knows it."""
        return self.vocabulary.counterpart(self.words[index], pos, cells)

    def finding(self, code: str, index: int, relation: str, form: str | None) -> Finding:
        """Return a finding: the word at *index*, how it stands to the span, and the *form* that would agree."""
        phrase = " ".join(word.text for word in self.words[self.start : self.end])
        advice = f"write {form!r}" if form else "make it agree"
        return Finding(code, index, f"{self.words[index].text!r} {relation} {phrase!r}; {advice}")
