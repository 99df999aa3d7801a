"""Vectors by sentence and span, in memory or in a folder that survives an interruption.

    DIR/<first half of the hash of model and options>/cache.json    what made the vectors, and their widths
    DIR/<...>/<hash of the content>.npy                             uint8 (n, 32 + 4 w): key, vectors as float32

A key is the sha256 of sentence and span. A file is written aside and renamed, so it is whole or not there; one whose
content is not what its name says is left out, and its sentences are encoded again.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.models.passages import Span, Vectors
from ncimp.schemas.errors import EvaluationError, Place, SchemaError, SourceError
from ncimp.schemas.files import Row, atomic_path, read_json, write_json
from ncimp.schemas.hashing import value_hash

KEY = 32
"""Bytes of a sha256."""

FACTS = "cache.json"
"""The file that says what made the vectors."""

FORMAT = 1
"""Part of what names the folder: another layout, or another way to pool, is another cache."""


@dataclass(frozen=True, slots=True)
class Widths:
    """Dimensions of a sentence vector and of a span vector, 0 where the model has no spans."""

    sentence: int
    span: int


def key_of(sentence: str, span: Span) -> bytes:
    """Return the key of *span* in *sentence*."""
    return hashlib.sha256(f"{span[0]}:{span[1]}:{sentence}".encode()).digest()


class VectorStore:
    """Vectors by key. What is asked for must have been added; nothing is ever changed."""

    def __init__(self, facts: Row, folder: Path | None, tell: Callable[[str], None]) -> None:
        """Open the vectors that *facts* describe in *folder*, or keep them in memory; *tell* hears of trouble."""
        self.widths: Widths | None = None
        self._facts = {"format": FORMAT, **facts}
        self._folder = None if folder is None else folder / value_hash(self._facts)[:32]
        self._tell = tell
        self._segments: list[NDArray[np.uint8]] = []
        self._places: dict[bytes, tuple[int, int]] = {}
        if self._folder is not None:
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
        parts = [np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, KEY)]
        parts += [
            np.ascontiguousarray(part, dtype="<f4").view(np.uint8) for part in (sentence, span) if part is not None
        ]
        segment = np.hstack(parts)
        self._write(segment, widths)
        self.widths = widths
        self._enter(segment)

    def rows(self, keys: Sequence[bytes], *, spans: bool) -> Vectors:
        """Return the sentence vectors of *keys*, or the span vectors."""
        widths = self.widths or Widths(0, 0)
        first = KEY + (4 * widths.sentence if spans else 0)
        end = first + 4 * (widths.span if spans else widths.sentence)
        found = np.empty((len(keys), end - first), dtype=np.uint8)
        for row, key in enumerate(keys):
            segment, place = self._places[key]
            found[row] = self._segments[segment][place, first:end]
        return found.view("<f4").astype(np.float32, copy=False)

    def _enter(self, segment: NDArray[np.uint8]) -> None:
        number = len(self._segments)
        self._segments.append(segment)
        for place, key in enumerate(segment[:, :KEY]):
            self._places[key.tobytes()] = (number, place)

    def _open(self, folder: Path) -> None:
        if not (folder / FACTS).is_file():
            return
        self.widths = _read_widths(folder / FACTS)
        width = KEY + 4 * (self.widths.sentence + self.widths.span)
        for path in sorted(folder.glob("*.npy")):
            segment = _read_segment(path, width)
            if segment is None:
                self._tell(f"{path}: damaged, so its sentences are encoded again")
            else:
                self._enter(segment)

    def _write(self, segment: NDArray[np.uint8], widths: Widths) -> None:
        if self._folder is None:
            return
        try:
            if self.widths is None:
                facts = {**self._facts, "sentence_width": widths.sentence, "span_width": widths.span}
                write_json(self._folder / FACTS, facts)
            _write_segment(self._folder, segment)
        except OSError as error:
            # the vectors are not lost: they stay in memory, and those already in the folder stay there
            place = Place(str(self._folder))
            self._tell(f"{place}: cannot be written ({error.strerror or error}); going on without caching any more")
            self._folder = None


def _write_segment(folder: Path, segment: NDArray[np.uint8]) -> None:
    content = io.BytesIO()
    np.save(content, segment, allow_pickle=False)
    with atomic_path(folder / f"{_name(segment)}.npy") as aside:
        aside.write_bytes(content.getbuffer())


def _read_segment(path: Path, width: int) -> NDArray[np.uint8] | None:
    """Return what is in *path*, on disk until it is asked for, or None when it is not what its name promises."""
    try:
        segment: NDArray[np.uint8] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    shaped = segment.dtype == np.uint8 and segment.ndim == 2 and segment.shape[1] == width
    return segment if shaped and _name(segment) == path.stem else None


def _name(segment: NDArray[np.uint8]) -> str:
    return hashlib.sha256(np.ascontiguousarray(segment).data).hexdigest()[:32]


def _read_widths(path: Path) -> Widths:
    try:
        facts = read_json(path)
        return Widths(int(facts["sentence_width"]), int(facts["span_width"]))
    except (SchemaError, SourceError, KeyError, TypeError, ValueError):
        fix = "remove the folder; its sentences will be encoded again"
        raise EvaluationError("not the description of a cache of vectors", fix=fix, place=Place(str(path))) from None
