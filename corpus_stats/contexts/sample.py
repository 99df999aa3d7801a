"""Sentences of a corpus that hold one of many phrases: a fair sample of each, in one pass and bounded memory.

The sample of a phrase is the *k* sentences whose keyed hash is smallest. The hash is of the seed, the phrase and the
words of the sentence, so the sample depends neither on the order of files nor on how the corpus is cut, and two
sentences of the same words are one (the one whose place comes first). Samples of parts of a corpus can be merged.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from operator import attrgetter
from pathlib import PurePath

from ncimp.corpus_stats.contexts.filters import ContextFilter
from ncimp.corpus_stats.contexts.phrases import Occurrence, PhraseIndex, form_of
from ncimp.corpus_stats.sentences import CorpusSentence, Span
from ncimp.corpus_stats.words import Layer, is_word
from ncimp.schemas.hashing import keyed_hash

KEPT = "kept"
"""What is counted beside the names of the filters: sentences that passed them, duplicates among them."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a sentence stands; the fields are columns of `corpus_context.schema.json`."""

    file: str
    """File name without folders, so that a table says nothing about the machine it was made on."""
    document: str
    """Id of the document as the corpus names it; empty where it names none."""
    position: int
    """Number of the sentence in its document (in the file, where the corpus names no documents), from 1."""


@dataclass(frozen=True, slots=True)
class Found:
    """One sentence that holds a phrase."""

    phrase: str
    key: str
    """Keyed hash that decides whether it is in the sample."""
    place: Place
    text: str
    span: Span | None
    """Characters of the phrase in `text`; None where the corpus does not say where it stands."""
    matched: str
    """The phrase as it is written there."""


@dataclass(slots=True)
class ContextSample:
    """At most *size* sentences of each phrase, and what was counted on the way."""

    size: int
    seed: str = "0"
    sentences: int = 0
    """Sentences read."""
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """By phrase: how many of its sentences each filter took out, and how many were kept."""
    _samples: dict[str, dict[str, Found]] = field(default_factory=dict)

    def count(self, phrase: str, what: str) -> None:
        """Count one sentence of *phrase*."""
        self.counts.setdefault(phrase, Counter())[what] += 1

    def offer(self, phrase: str, found: Occurrence, sentence: CorpusSentence, words: Sequence[str], file: str) -> None:
        """Take *sentence* into the sample of *phrase* if its hash is small enough; *found* counts tokens."""
        key = keyed_hash(self.seed, phrase, " ".join(filter(is_word, words)))
        sample = self._samples.setdefault(phrase, {})
        if key in sample or len(sample) < 2 * self.size or key <= max(sample):
            text, span, matched = _matched(sentence, found)
            place = Place(PurePath(file).name, sentence.document or "", sentence.number)
            self._take(Found(phrase, key, place, text, span, matched))

    def merge(self, other: ContextSample) -> None:
        """Take in what *other* found in another part of the corpus; size and seed have to be the same."""
        if (self.size, self.seed) != (other.size, other.seed):
            raise ValueError("samples of another size or seed")
        self.sentences += other.sentences
        for phrase, counts in other.counts.items():
            self.counts.setdefault(phrase, Counter()).update(counts)
        self.keep(other.kept())

    def kept(self) -> Iterator[Found]:
        """Yield every sentence that is kept so far, which may be more of a phrase than its sample has in the end."""
        return (found for sample in self._samples.values() for found in sample.values())

    def keep(self, found: Iterable[Found]) -> None:
        """Take in what another sample of the same size and seed kept."""
        for one in found:
            self._take(one)

    def of(self, phrase: str) -> list[Found]:
        """Return the sample of *phrase*, smallest hash first."""
        sample = self._samples.get(phrase, {})
        return [sample[key] for key in nsmallest(self.size, sample)]

    def _take(self, found: Found) -> None:
        sample = self._samples.setdefault(found.phrase, {})
        same = sample.get(found.key)
        if same is None or (found.place, found.text) < (same.place, same.text):
            sample[found.key] = found
        if len(sample) > 2 * self.size:  # twice the size, so that a sample is cut only now and then
            keep = nsmallest(self.size, sample)
            self._samples[found.phrase] = {key: sample[key] for key in keep}


def collect(
    sentences: Iterable[CorpusSentence],
    index: PhraseIndex,
    sample: ContextSample,
    *,
    file: str,
    layer: Layer = "surface",
    conditions: ContextFilter = ContextFilter(),  # noqa: B008 - frozen
) -> None:
    """Put into *sample* the sentences of *file* that hold a phrase of *index* in *layer* and meet the *conditions*."""
    for sentence in sentences:
        sample.sentences += 1
        look_into(sentence, index, sample, file=file, layer=layer, conditions=conditions)


def look_into(
    sentence: CorpusSentence,
    index: PhraseIndex,
    sample: ContextSample,
    *,
    file: str,
    layer: Layer = "surface",
    conditions: ContextFilter = ContextFilter(),  # noqa: B008 - frozen
) -> None:
    """Put *sentence* into *sample* as `collect` does, without counting it as read."""
    unit_of = attrgetter(layer)
    words = [form_of(unit) for unit in map(unit_of, sentence) if unit is not None]
    found = index.find(words)
    if found:
        places = [place for place, token in enumerate(sentence) if unit_of(token) is not None]
        tokens = [Occurrence(one.phrase, places[one.start], places[one.end - 1] + 1) for one in found]
        for phrase, occurrences in _by_phrase(tokens):
            reason = conditions.reason(sentence, occurrences[0], len(occurrences))
            sample.count(phrase, reason or KEPT)
            if reason is None:
                sample.offer(phrase, occurrences[0], sentence, words, file)


def _by_phrase(found: Sequence[Occurrence]) -> Iterable[tuple[str, list[Occurrence]]]:
    phrases: dict[str, list[Occurrence]] = {}
    for occurrence in found:
        phrases.setdefault(occurrence.phrase, []).append(occurrence)
    return phrases.items()


def _matched(sentence: CorpusSentence, found: Occurrence) -> tuple[str, Span | None, str]:
    """Return the text in form NFC, the characters of the phrase in it, and the phrase as it is written."""
    text = unicodedata.normalize("NFC", sentence.text)
    spans = [span for span in sentence.spans()[found.start : found.end] if span is not None]
    if spans:
        begin, end = spans[0][0], spans[-1][1]
        before, matched = (
            unicodedata.normalize("NFC", part) for part in (sentence.text[:begin], sentence.text[begin:end])
        )
        if text.startswith(matched, len(before)):
            return text, (len(before), len(before) + len(matched)), matched
    words = (token.surface or token.lemma or "" for token in sentence[found.start : found.end])
    return text, None, unicodedata.normalize("NFC", " ".join(words))
