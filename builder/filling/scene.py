"""A sentence as the rules of agreement see it: its tokens, the compound among them, and what must change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ncimp.builder.filling.reader import Features, Reader
from ncimp.builder.records import MarkedSentence, Span


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule asks of one token: its new form, and the name of the rule."""

    index: int
    form: str
    rule: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A token that may or may not agree with the compound: the rules cannot decide, a person should look."""

    index: int
    rule: str


ADJECTIVE = "adjective or participle"
"""The rule under which adjectives beside the NC are recorded."""

Finding = Change | Doubt

PhraseKind = Literal["noun", "prepositional", "adjective", "verb"]
"""What a replacement is."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What comes in the place of the NC, where it may be no noun phrase."""

    text: str = ""
    kind: PhraseKind = "noun"


class Scene:
    """The tokens of a sentence, the NC among them, and the features it had and gets."""

    def __init__(self, sentence: MarkedSentence, old: Features, new: Features, reader: Reader, phrase: Phrase) -> None:
        self.sentence, self.old, self.new, self.reader, self.phrase = sentence, old, new, reader, phrase
        matches = list(re.finditer(reader.language.token, sentence.text))
        self.spans: list[Span] = [match.span() for match in matches]
        self.words = [match[0].lower() for match in matches]
        inside = [i for i, (start, end) in enumerate(self.spans) if start < sentence.span[1] and end > sentence.span[0]]
        self.first, self.last = inside[0], inside[-1]
        self.fixed = {i for i, span in enumerate(self.spans) if span in sentence.fixed}
        self.agreeing = {i for i, span in enumerate(self.spans) if span in sentence.agreeing}

    def word(self, index: int) -> str:
        """Return the token at *index* in lower case; the empty string outside the sentence and for fixed words."""
        return self.words[index] if 0 <= index < len(self.words) and index not in self.fixed else ""

    def text(self, index: int) -> str:
        """Return the token at *index* as it stands."""
        return self.sentence.text[slice(*self.spans[index])]

    def is_kind(self, index: int, *kinds: str) -> bool:
        """Tell whether the token at *index* is one of the pack's words of *kinds*."""
        return self.reader.is_kind(self.word(index), *kinds)

    def agrees(self, index: int, features: Features | None = None) -> bool:
        """Tell whether the token at *index* can be read as an adjective or participle with the old *features*."""
        if self.is_kind(index, "invariable", "quote", "comma", "stop"):
            return False
        return bool(self.word(index)) and self.reader.is_adjective(self.word(index), features or self.old)

    def skip(self, index: int, step: int, *kinds: str) -> int:
        """Return the first index from *index* on, in steps of *step*, whose word is not of *kinds*."""
        while self.is_kind(index, *kinds):
            index += step
        return index

    def is_verb(self, index: int) -> bool:
        """Tell whether the token at *index* is most likely a finite verb, in whatever number."""
        word = self.word(index)
        return bool(word) and (self.reader.is_finite(word, "sg") or self.reader.is_finite(word, "pl"))

    def adjective(self, index: int, rule: str) -> Iterable[Finding]:
        """Yield the change that makes the adjective at *index* agree, or a doubt when its form is not known."""
        form = self.reader.inflected(self.word(index), self.new)
        if form is None:
            yield Doubt(index, rule)
        elif form != self.word(index):
            yield Change(index, form, rule)

    def verb(self, index: int, rule: str) -> Iterable[Finding]:
        """Yield the change of number of the verb at *index*, or a doubt when its form is not known."""
        if self.new.number == self.old.number:
            return
        form = self.reader.verb(self.word(index), self.new.number)
        if form is None:
            yield Doubt(index, rule)
        elif form != self.word(index):
            yield Change(index, form, rule)
