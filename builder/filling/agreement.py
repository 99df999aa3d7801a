"""Agreement of the words around a compound: what must change when another noun phrase takes its place.

Three kinds of words agree: the chain directly left of the NC (determiners, contractions, numerals,
adjectives); an adjective directly right of it; and whatever the sentence's markup names. A word
agrees only if it can be read with the NC's own features; what cannot be read so is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ncimp.builder.filling.edits import Edit, same_case
from ncimp.builder.ports import Morphology
from ncimp.builder.records import Form, Gender, Language, MarkedSentence, Number, Paradigm, Span
from ncimp.schemas.errors import AgreementError

WORD = re.compile(r"\w+(?:[-']\w+)*")
ATTRIBUTIVE = frozenset({"adj", "num", "det"})
"""Parts of speech that may stand in the chain left of an NC."""

BETWEEN = frozenset({"quantifier", "numeral"})
"""Kinds of determiners that may stand between an adjective and its noun (*as últimas duas semanas*)."""


@dataclass(frozen=True, slots=True)
class Features:
    """What agreement copies: gender (None where the language has none) and number."""

    gender: Gender | None
    number: Number


class Agreement:
    """The agreement rules of one language, as its pack describes them."""

    def __init__(self, language: Language, morphology: Morphology) -> None:
        self._language = language
        self._morphology = morphology
        self._paradigms: dict[str, list[Paradigm]] = {}
        for paradigm in language.paradigms:
            for cell in set(paradigm.cells.values()):
                self._paradigms.setdefault(cell, []).append(paradigm)

    def repair(self, sentence: MarkedSentence, old: Features, new: Features) -> list[Edit]:
        """Return the edits that make every agreeing word of *sentence* agree with *new* instead of *old*.

        Raises `AgreementError` when a word agrees and its other form is not known.
        """
        if not self._language.features:
            return []
        spans = dict.fromkeys([*self._left_chain(sentence, old), *self._right_adjective(sentence, old)])
        edits = [self._edit(sentence.text, span, old, new) for span in spans if span not in sentence.agreeing]
        edits += [self._edit(sentence.text, span, None, new) for span in sentence.agreeing]
        return [edit for edit in edits if edit.after != sentence.text[slice(*edit.span)]]

    def _left_chain(self, sentence: MarkedSentence, old: Features) -> Iterator[Span]:
        """Yield the agreeing words directly left of the NC, nearest first, passing over invariable ones.

        The noun phrase ends at its determiner: in *tinha causado outro [NC]* the participle is not the NC's.
        Two articles never meet: in *a uma [NC]* the first is a preposition.
        """
        words = [match.span() for match in WORD.finditer(sentence.text, 0, sentence.span[0])]
        edge, closed, article = sentence.span[0], False, False
        for start, end in reversed(words):
            word = sentence.text[start:end]
            paradigm = self._paradigm(word, old)
            is_article = paradigm is not None and paradigm.kind == "article"
            ends = (closed and paradigm is None) or (article and is_article)
            if sentence.text[end:edge] != " " or (start, end) in sentence.fixed or ends or not self._reads(word, old):
                return
            closed = closed or (paradigm is not None and paradigm.kind not in BETWEEN)
            if paradigm or self._varies(word):
                yield start, end
            edge, article = start, is_article

    def _right_adjective(self, sentence: MarkedSentence, old: Features) -> Iterator[Span]:
        match = WORD.search(sentence.text, sentence.span[1])
        if match is None or sentence.text[sentence.span[1] : match.start()] != " " or match.span() in sentence.fixed:
            return
        readings = self._morphology.readings(match[0])
        if (
            readings
            and all(form.pos == "adj" for form in readings)
            and _any_fits(readings, old)
            and self._varies(match[0])
        ):
            yield match.span()

    def _reads(self, word: str, features: Features) -> bool:
        readings = [form for form in self._morphology.readings(word) if form.pos in ATTRIBUTIVE]
        return self._paradigm(word, features) is not None or _any_fits(readings, features)

    def _paradigm(self, word: str, features: Features | None) -> Paradigm | None:
        """Return the paradigm *word* belongs to, in the cell of *features* when they are given."""
        for paradigm in self._paradigms.get(word.lower(), ()):
            if features is None or paradigm.cells.get(_cell(features)) == word.lower():
                return paradigm
        return None

    def _varies(self, word: str) -> bool:
        return any(form.pos == "adj" and form.number is not None for form in self._morphology.readings(word))

    def _edit(self, text: str, span: Span, old: Features | None, new: Features) -> Edit:
        word = text[slice(*span)]
        paradigm = self._paradigm(word, old)
        if paradigm is not None:
            form, rule = paradigm.cells.get(_cell(new)), paradigm.id
        else:
            form, rule = self._inflect_adjective(word, new), "adjective or participle"
        if form is None:
            what = f"{word!r} should agree with {new.gender or '-'} {new.number} and has no such form"
            raise AgreementError(what, fix="add it to forms.tsv or to the paradigms of pack.toml")
        return Edit(span, same_case(form, word), rule)

    def _inflect_adjective(self, word: str, features: Features) -> str | None:
        for form in self._morphology.readings(word):
            if form.pos == "adj":
                return self._morphology.inflect(form.lemma, "adj", gender=features.gender, number=features.number)
        return None


def _cell(features: Features) -> tuple[Gender, Number]:
    return features.gender or "m", features.number


def _any_fits(readings: Sequence[Form], features: Features) -> bool:
    return any(form.gender in (None, features.gender) and form.number in (None, features.number) for form in readings)
