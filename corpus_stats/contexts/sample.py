"""Sentences of a corpus with one of many phrases: a fair sample of each, in one pass and bounded memory.

The sample of a phrase is the *k* sentences whose keyed hash is smallest. The hash is of the seed, the phrase and the
words of the sentence, so the sample depends neither on the order of files nor on how the corpus is cut, and two
sentences of the same words are one (the one whose place comes first). Samples of parts of a corpus can be merged.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import PurePath
from typing import NamedTuple

from ncimp.corpus_stats.words import CorpusSentence, Span, is_word, normal_form
from ncimp.schemas import keyed_hash


class Occurrence(NamedTuple):
    """An occurrence of a phrase: its id, its first token, and the token after its last."""

    phrase: str
    start: int
    end: int


class PhraseIndex:
    """Phrases by their first word, so that many are searched at once; a phrase may be spelled in several ways.

    A sentence without the first word of any phrase, as nearly all are, costs one look into a hash table per word.
    """

    def __init__(self, phrases: Mapping[str, Iterable[Sequence[str]]]) -> None:
        pairs = {(phrase, tuple(map(normal_form, words))) for phrase, forms in phrases.items() for words in forms}
        self.spellings = sorted(pairs)  # of each: the id of its phrase and its words, in counted form
        self._rests: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for phrase, (first, *rest) in self.spellings:
            self._rests.setdefault(first, []).append((phrase, tuple(rest)))

    def find(self, words: Sequence[str]) -> list[Occurrence]:
        """Return every occurrence in *words* (in their counted form), by place; the longest of a phrase at a place."""
        if self._rests.keys().isdisjoint(words):
            return []
        ends: dict[tuple[str, int], int] = {}
        for start, word in enumerate(words):
            for phrase, rest in self._rests.get(word, ()):
                end = start + 1 + len(rest)
                if tuple(words[start + 1 : end]) == rest:
                    ends[phrase, start] = end  # longer than the one before, which is a part of it and sorted before it
        return [Occurrence(phrase, start, end) for (phrase, start), end in ends.items()]


_MARKS = "\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a"
_OPENING, _CLOSING, _ENDS = f"([{{\u00a1\u00bf-\u2013\u2014 {_MARKS}", f")]}} {_MARKS}", (".", "!", "?", "\u2026")

QUOTES = frozenset(_MARKS) | {"``", "''"}  # tokens that are quotation marks
REASONS = ("repeated", "length", "incomplete", "quoted")  # names of the filters, in the order in which they are tried


@dataclass(frozen=True, slots=True)
class ContextFilter:
    """Conditions on a sentence that is a good context; every one can be switched off."""

    min_words: int = 6
    max_words: int = 40
    once: bool = True  # the phrase occurs exactly once in the sentence
    complete: bool = True
    """It begins with a capital letter or a digit and ends with `.`, `!`, `?` or `…`, but for quotes and brackets."""
    unquoted: bool = True  # no quotation mark stands directly before or after the phrase

    def reason(self, sentence: CorpusSentence, occurrence: Occurrence, times: int) -> str | None:
        """Return the name of the first filter that rejects *sentence*, or None; the phrase occurs *times* in it."""
        if self.once and times != 1:
            return "repeated"
        words = sum(token.surface is not None and is_word(token.surface) for token in sentence)
        if not self.min_words <= words <= self.max_words:
            return "length"
        if self.complete and not is_complete(sentence.text):
            return "incomplete"
        sides = reversed(sentence[: occurrence.start]), iter(sentence[occurrence.end :])
        beside = {next((token.surface for token in side if token.surface is not None), "") for side in sides}
        return "quoted" if self.unquoted and not QUOTES.isdisjoint(beside) else None


def is_complete(text: str) -> bool:
    """Return True if *text* looks like a whole sentence.

    >>> is_complete("“Nobody came.”"), is_complete("and then left."), is_complete("Read more")
    (True, False, False)
    """
    begin, end = text.lstrip(_OPENING), text.rstrip(_CLOSING)
    return (begin[:1].isupper() or begin[:1].isdecimal()) and end.endswith(_ENDS)


KEPT = "kept"  # counted beside the names of the filters: sentences that passed them, duplicates among them


@dataclass(frozen=True, slots=True, order=True)
class ContextPlace:
    """The place of a sentence; the fields are columns of `corpus_context.schema.json`."""

    file: str  # its name without folders, so that a table says nothing about the machine it was made on
    document: str  # id of the document as the corpus names it; empty where it names none
    position: int
    """Number of the sentence in its document (in the file, where the corpus names no documents), from 1."""


@dataclass(frozen=True, slots=True)
class SampledContext:
    """A sentence with a phrase."""

    phrase: str
    key: str  # keyed hash by which samples are drawn
    place: ContextPlace
    text: str
    span: Span | None  # characters of the phrase in `text`; None where the corpus does not tell its place
    matched: str  # the phrase as it is written there


@dataclass(slots=True)
class ContextSample:
    """At most *size* sentences of each phrase, and counts of all."""

    size: int
    seed: str = "0"
    sentences: int = 0  # sentences read
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """By phrase: how many of its sentences each filter rejected, and how many were kept."""
    _samples: dict[str, dict[str, SampledContext]] = field(default_factory=dict)

    def offer(self, occurrence: Occurrence, sentence: CorpusSentence, words: Sequence[str], file: str) -> None:
        """Put *sentence*, which has the *words*, into the sample of the phrase if its hash is small enough."""
        phrase = occurrence.phrase
        key = keyed_hash(self.seed, phrase, " ".join(filter(is_word, words)))
        sample = self._samples.setdefault(phrase, {})
        if key in sample or len(sample) < 2 * self.size or key <= max(sample):
            text, span, matched = _matched(sentence, occurrence)
            place = ContextPlace(PurePath(file).name, sentence.document or "", sentence.number)
            self.keep([SampledContext(phrase, key, place, text, span, matched)])

    def merge(self, other: "ContextSample") -> None:
        """Add the sample of another part of the corpus; size and seed have to be the same."""
        if (self.size, self.seed) != (other.size, other.seed):
            raise ValueError("samples of another size or seed")
        self.sentences += other.sentences
        for phrase, counts in other.counts.items():
            self.counts.setdefault(phrase, Counter()).update(counts)
        self.keep(other.kept())

    def kept(self) -> Iterator[SampledContext]:
        """Yield every sentence that is kept so far: of a phrase, perhaps more than its sample has in the end."""
        return (context for sample in self._samples.values() for context in sample.values())

    def keep(self, contexts: Iterable[SampledContext]) -> None:
        """Add the sentences that another sample of the same size and seed kept."""
        for context in contexts:
            sample = self._samples.setdefault(context.phrase, {})
            same = sample.get(context.key)
            if same is None or (context.place, context.text) < (same.place, same.text):
                sample[context.key] = context
            if len(sample) > 2 * self.size:  # twice the size, so that a sample is cut only now and then
                self._samples[context.phrase] = {key: sample[key] for key in nsmallest(self.size, sample)}

    def of(self, phrase: str) -> list[SampledContext]:
        """Return the sample of *phrase*, smallest hash first."""
        sample = self._samples.get(phrase, {})
        return [sample[key] for key in nsmallest(self.size, sample)]


def _matched(sentence: CorpusSentence, occurrence: Occurrence) -> tuple[str, Span | None, str]:
    """Return the text in form NFC, the characters of the phrase in it, and the phrase as it is written."""
    text = unicodedata.normalize("NFC", sentence.text)
    spans = [span for span in sentence.spans()[occurrence.start : occurrence.end] if span is not None]
    if spans:
        begin, end = spans[0][0], spans[-1][1]
        parts = sentence.text[:begin], sentence.text[begin:end]
        before, matched = (unicodedata.normalize("NFC", part) for part in parts)
        if text.startswith(matched, len(before)):
            return text, (len(before), len(before) + len(matched)), matched
    words = (token.surface or token.lemma or "" for token in sentence[occurrence.start : occurrence.end])
    return text, None, unicodedata.normalize("NFC", " ".join(words))
