"""Vectors that a model makes, kept by sentence and span in memory or in a folder that survives an interruption.

    DIR/<first half of the hash of model and options>/cache.json    model, options, and widths of the vectors
    DIR/<...>/<hash of the content>.npy                             uint8 (n, 32 + 4 w): key, vectors as float32
    DIR/<...>/words/<hash of sentences>-<hash of content>.npy       float16 (words, layers, d) of some sentences

A key is the sha256 of sentence and span. A file is written aside and renamed, so it is whole or absent; one whose
content does not match its name is ignored, and its sentences are encoded again.
"""

import contextlib
import hashlib
import io
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.release import Item
from ncimp.evaluator.runtime import hand_back
from ncimp.schemas import EvaluationError, Place, Row, SchemaError, SourceError, files

Vectors = NDArray[np.float32]  # one vector a row
Layers = NDArray[np.float16]  # (words, layers, d)
Span = tuple[int, int]  # characters [start, end) of the NC or its replacement


class EncodedPassage(NamedTuple):
    """A sentence and the spans in it: several items may share a sentence."""

    sentence: str
    spans: tuple[Span, ...]


class Encoded(NamedTuple):
    """The vectors of some passages, a row for each span: of its sentence, and of the span where the model has any.

    *present* is false where a span was cut off: its vectors mean nothing, and neither does its sentence's,
    because originals and variants that lose the place where they differ are all alike.
    """

    sentence: Vectors
    span: Vectors | None
    present: NDArray[np.bool_]


class Encoder(Protocol):
    """A model that is loaded and ready."""

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        """Return the vectors of *passages*, in their order; they may not depend on which passages share a call."""


def passages_of(items: Iterable[Item]) -> list[EncodedPassage]:
    """Return the distinct sentences of *items* with their distinct spans, the longest first.

    Sentences of one length stand together, so that a batch has little padding, and the batch that needs most
    memory comes first.
    """
    spans: dict[str, set[Span]] = {}
    for item in items:
        spans.setdefault(item.sentence, set()).add(item.span)
    order = sorted(spans, key=lambda sentence: (-len(sentence), sentence))
    return [EncodedPassage(sentence, tuple(sorted(spans[sentence]))) for sentence in order]


KEY = 32  # bytes of a sha256
FACTS = "cache.json"  # the description of a folder of vectors
FORMAT = 1  # part of the name of the folder; bump it when the layout or the pooling changes


class Widths(NamedTuple):
    """Dimensions of a sentence vector and of a span vector, 0 where the model has no spans."""

    sentence: int
    span: int


def key_of(sentence: str, span: Span) -> bytes:
    """Return the key of *span* in *sentence*."""
    return hashlib.sha256(f"{span[0]}:{span[1]}:{sentence}".encode()).digest()


class VectorStore:
    """Vectors by key; vectors are added, never changed."""

    def __init__(self, facts: Row, folder: Path | None, warn: Callable[[str], None]) -> None:
        """Open the vectors that *facts* describe in *folder*, or keep them in memory; *warn* reports damage."""
        self.widths: Widths | None = None
        self._facts = {"format": FORMAT, **facts}
        self._folder = None if folder is None else folder / files.value_hash(self._facts)[:32]
        self._warn = warn
        self._segments: list[NDArray[np.uint8]] = []
        self._places: dict[bytes, tuple[int, int]] = {}
        if self._folder is not None and (self._folder / FACTS).is_file():
            self._open(self._folder)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: bytes) -> bool:
        return key in self._places

    def add(self, keys: Sequence[bytes], sentence: Vectors, span: Vectors | None) -> None:
        """Keep the vectors of *keys*, one row each, on disk if the store has a folder."""
        widths = Widths(sentence.shape[1], 0 if span is None else span.shape[1])
        if self.widths not in (None, widths):
            what = f"vectors of {widths.sentence} and {widths.span} dimensions after some of {self.widths}"
            raise EvaluationError(what, fix="one model gives one width: check it, or empty the folder of --cache")
        vectors = [np.ascontiguousarray(part, dtype="<f4") for part in (sentence, span) if part is not None]
        key_bytes = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, KEY)
        segment = np.hstack([key_bytes, *(part.view(np.uint8) for part in vectors)])
        self._write(segment, widths)
        self.widths = widths
        self._register(segment)

    def rows(self, keys: Sequence[bytes], *, spans: bool) -> Vectors:
        """Return the sentence vectors of *keys*, or the span vectors."""
        widths = self.widths or Widths(0, 0)
        first = KEY + (4 * widths.sentence if spans else 0)
        end = first + 4 * (widths.span if spans else widths.sentence)
        rows = np.empty((len(keys), end - first), dtype=np.uint8)
        for row, key in enumerate(keys):
            segment, place = self._places[key]
            rows[row] = self._segments[segment][place, first:end]
        return rows.view("<f4").astype(np.float32, copy=False)

    def _register(self, segment: NDArray[np.uint8]) -> None:
        number = len(self._segments)
        self._segments.append(segment)
        for place, key in enumerate(segment[:, :KEY]):
            self._places[key.tobytes()] = (number, place)

    def _open(self, folder: Path) -> None:
        try:
            facts = files.read_json(folder / FACTS)
            self.widths = Widths(int(facts["sentence_width"]), int(facts["span_width"]))
        except (SchemaError, SourceError, KeyError, TypeError, ValueError):
            fix, place = "remove the folder; its sentences will be encoded again", Place(str(folder / FACTS))
            raise EvaluationError("not a description of cached vectors", fix=fix, place=place) from None
        width = KEY + 4 * (self.widths.sentence + self.widths.span)
        for path in sorted(folder.glob("*.npy")):
            segment: NDArray[np.uint8] = np.empty((0, 0), dtype=np.uint8)
            with contextlib.suppress(OSError, ValueError, EOFError):
                segment = np.load(path, mmap_mode="r", allow_pickle=False)
            shaped = segment.dtype == np.uint8 and segment.ndim == 2 and segment.shape[1] == width
            if shaped and _name(segment) == path.stem:
                self._register(segment)
            else:
                self._warn(f"{path}: damaged, so its sentences are encoded again")

    def _write(self, segment: NDArray[np.uint8], widths: Widths) -> None:
        if self._folder is None:
            return
        try:
            if self.widths is None:
                facts = {**self._facts, "sentence_width": widths.sentence, "span_width": widths.span}
                files.write_json(self._folder / FACTS, facts)
        except OSError as error:
            self._give_up(error)
            return
        self._save(self._folder / f"{_name(segment)}.npy", segment)

    def _save(self, path: Path, vectors: NDArray[Any]) -> None:
        content = io.BytesIO()
        np.save(content, vectors, allow_pickle=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with files.atomic_path(path) as aside:
                aside.write_bytes(content.getbuffer())
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        # the vectors are not lost: they stay in memory, and those already in the folder stay there
        place = Place(str(self._folder))
        self._warn(f"{place}: cannot be written ({error.strerror or error}); continuing without caching")
        self._folder = None

    def kept(self, sentences: Sequence[Sequence[str]], make: Callable[[Sequence[Sequence[str]]], Layers]) -> Layers:
        """Return the vectors of the words of *sentences*: those in the folder, else what *make* makes, kept there."""
        key = files.value_hash(list(map(list, sentences)))[:32]
        for path in () if self._folder is None else sorted((self._folder / "words").glob(f"{key}-*.npy")):
            with contextlib.suppress(OSError, ValueError, EOFError):
                vectors: Layers = np.load(path, allow_pickle=False)
                if path.stem == f"{key}-{_name(vectors)}":
                    return vectors
            self._warn(f"{path}: damaged, so its sentences are encoded again")
        vectors = make(sentences)
        if self._folder is not None:
            self._save(self._folder / "words" / f"{key}-{_name(vectors)}.npy", vectors)
        return vectors


def _name(segment: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(segment).data).hexdigest()[:32]


WINDOW = 512  # sentences that are encoded and saved together; an interruption loses at most this many


class ModelVectors:
    """A model as a source of vectors: sentences that are not in the store are encoded when they are needed.

    The model is loaded when a sentence has to be encoded, so a second run over a full cache needs no model.
    """

    def __init__(
        self,
        load: Callable[[], Encoder],
        store: VectorStore,
        progress: Callable[[int, int], None] = lambda *_: None,
        load_layers: Callable[[], Encoder] | None = None,
    ) -> None:
        """Take vectors from *store*, missing ones from the model of *load*; report sentences done to *progress*.

        *load_layers* returns the same model with vectors of spans that have all its layers, one after the other, and
        its width of a layer as `width`.
        """
        self._load, self._load_layers = load, load_layers
        self._store = store
        self._progress = progress
        self._encoder: Encoder | None = None

    def sentence(self, items: Sequence[Item]) -> Vectors:
        """Return the sentence vectors, of shape (len(items), d); NaN where an item's span was cut off."""
        return self._store.rows(self._encoded_keys(items), spans=False)

    def span(self, items: Sequence[Item]) -> Vectors | None:
        """Return the span vectors, of shape (len(items), d), or None when the model has none."""
        rows = self._store.rows(self._encoded_keys(items), spans=True)
        return rows if rows.shape[1] else None

    def words(self, sentences: Sequence[Sequence[str]]) -> Layers:
        """Return the vectors of all words of *sentences*, one after the other, by layer; NaN where they are cut off."""
        if self._load_layers is None:
            fix = "give a model without --endpoint and --pooling own, or word vectors"
            raise EvaluationError("this model gives no vectors of words by layer", fix=fix)
        layered, parts = cache(self._load_layers), []
        for first in range(0, len(sentences), WINDOW):
            window = sentences[first : first + WINDOW]
            parts.append(self._store.kept(window, lambda passages: _layers(layered(), passages)))
            self._progress(first + len(window), len(sentences))
        return np.concatenate(parts)

    def _encoded_keys(self, items: Sequence[Item]) -> list[bytes]:
        """Return the keys of *items*, after encoding those that are not in the store."""
        passages = passages_of(items)
        # windows are cut before looking at the store, so that a resumed run makes the same batches
        for first in range(0, len(passages), WINDOW):
            missing = []
            for passage in passages[first : first + WINDOW]:
                spans = tuple(span for span in passage.spans if key_of(passage.sentence, span) not in self._store)
                if spans:
                    missing.append(EncodedPassage(passage.sentence, spans))
            if missing:
                self._encode(missing)
                hand_back()
                self._progress(min(first + WINDOW, len(passages)), len(passages))
        return [key_of(item.sentence, item.span) for item in items]

    def _encode(self, passages: list[EncodedPassage]) -> None:
        keys = [key_of(passage.sentence, span) for passage in passages for span in passage.spans]
        sentences = [passage.sentence for passage in passages for _ in passage.spans]
        encoded = self.encoder().encode(passages)
        span = None if encoded.span is None else _checked(encoded.span, encoded.present, sentences)
        self._store.add(keys, _checked(encoded.sentence, encoded.present, sentences), span)

    def encoder(self) -> Encoder:
        """Return the model, loaded where it is not."""
        if self._encoder is None:
            self._encoder = self._load()
        return self._encoder

    def unload(self) -> None:
        """Free the memory of the model, not its vectors; it is loaded again when another sentence has to be encoded."""
        self._encoder = None


def _layers(encoder: Any, sentences: Sequence[Sequence[str]]) -> Layers:
    passages = []
    for words in sentences:
        ends = np.cumsum([len(word) + 1 for word in words]).tolist()
        spans = tuple((end - 1 - len(word), end - 1) for word, end in zip(words, ends, strict=True))
        passages.append(EncodedPassage(" ".join(words), spans))
    spans_of_words = encoder.encode(passages).span
    return np.asarray(spans_of_words.reshape(len(spans_of_words), -1, encoder.width), dtype=np.float16)


def _checked(vectors: Vectors, present: NDArray[np.bool_], sentences: Sequence[str]) -> Vectors:
    """Return *vectors* with NaN where none is present, or raise `EvaluationError` for one that is not finite."""
    broken = ~np.isfinite(vectors).all(axis=1) & present
    if broken.any():
        what = f"the model gave a vector that is not finite for {sentences[int(broken.argmax())]!r}"
        raise EvaluationError(what, fix="try --dtype fp32; otherwise the model is damaged")
    return np.where(present[:, None], vectors, np.float32(np.nan))
