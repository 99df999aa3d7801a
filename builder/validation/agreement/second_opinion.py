"""Does everything around and inside a span agree with it? For any sentence, with no marks and no pack of its own.

It looks forms up and asks whether what stands there may stand there; it makes nothing and shares no rule with what
repairs sentences. A word is reported only when none of its readings can agree: where words do not tell
(*artista* may be a man or a woman), or the structure is not certain, it keeps silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ncimp.builder.ports import Analyser
from ncimp.builder.records import Gender, Language, Number
from ncimp.builder.validation.agreement.clause import check_clause
from ncimp.builder.validation.agreement.left_side import check_left, left_of
from ncimp.builder.validation.agreement.passage import Finding, Passage
from ncimp.builder.validation.agreement.right_side import check_inside, check_right, right_of
from ncimp.builder.validation.agreement.spans import features_of
from ncimp.builder.validation.agreement.vocabulary import Vocabulary
from ncimp.builder.validation.agreement.word import NOTHING


class SecondOpinion:
    """Checks sentences of one language."""

    def __init__(self, language: Language, analyser: Analyser) -> None:
        self._vocabulary = Vocabulary(language, analyser)
        self._analyser = analyser
        self._alternations = {row.consonant: ("consonant", row.vowel) for row in language.alternations}
        self._alternations |= {row.vowel: ("vowel", row.consonant) for row in language.alternations}

    def findings(
        self, tokens: Sequence[str], start: int, end: int, *, gender: Gender | None = None, number: Number | None = None
    ) -> list[Finding]:
        """Return what does not agree with the span [*start*, *end*) of *tokens*, in the order of the sentence.

        With *gender* or *number*, these are the span's, whatever its words say.
        """
        found = [*self._sandhi(tokens, start, end), *self._agreement(tokens, start, end, gender, number)]
        return sorted(found, key=lambda row: (row.index, row.code))

    def _sandhi(self, tokens: Sequence[str], start: int, end: int) -> Iterator[Finding]:
        """A101 for a word before the span, or in it, whose form does not suit the first sound of the next."""
        for index, (word, following) in enumerate(pairwise(tokens[:end])):
            known = self._alternations.get(word.lower()) if index >= start - 1 else None
            if known and self._analyser.onset(following) != known[0]:
                yield Finding("A101", index, f"{word!r} before {following!r}; write {known[1]!r}")

    def _agreement(
        self, tokens: Sequence[str], start: int, end: int, gender: Gender | None, number: Number | None
    ) -> Iterator[Finding]:
        vocabulary = self._vocabulary
        if not vocabulary.cells:
            return  # nothing agrees in this language
        features = features_of(tokens[start:end], vocabulary)
        given = vocabulary.expand(gender, number)
        cells = features.cells & given or (given if gender and number else NOTHING)
        if not cells:
            return
        words = [vocabulary.word(token) for token in tokens]
        passage = Passage(words, start, end, replace(features, cells=cells), vocabulary)
        left, right = left_of(passage), right_of(passage)
        yield from check_inside(passage)
        yield from check_left(passage, left)
        yield from check_right(passage, left, right)
        yield from check_clause(passage, left, right)
