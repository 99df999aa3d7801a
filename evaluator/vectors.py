"""Vectors of sentences and spans, from whatever file the user brings.

Two kinds of file are known: static word vectors (`.vec`, `.txt`, `.bin`, `.kv`: see `static_vectors`) and
precomputed vectors by item (`.npz`: see `precomputed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from ncimp.evaluator.precomputed import PrecomputedVectors
from ncimp.evaluator.release import Item
from ncimp.evaluator.static_vectors import StaticVectors
from ncimp.schemas.errors import EvaluationError, Place, UsageError
from ncimp.schemas.files import Row
from ncimp.schemas.hashing import file_hash, value_hash


class VectorSource(Protocol):
    """Where vectors come from. Rows are in the order of *items*; a row of NaN is an item without a vector."""

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        """Return one vector a sentence, of shape (len(items), d)."""
        ...

    def span(self, items: Sequence[Item]) -> NDArray[Any] | None:
        """Return one vector a span, of shape (len(items), d), or None where the source has no spans."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A source of vectors and what a result says of it: *sha256* is of its files, None where it has none."""

    source: VectorSource
    name: str
    kind: str
    sha256: str | None
    options: Row


def open_file(path: Path, items: Sequence[Item]) -> Opened:
    """Return the vectors in *path* for the *items* of a whole release, with what a result says of them."""
    source = open_vectors(path, items)
    kind = "precomputed" if isinstance(source, PrecomputedVectors) else "static"
    return Opened(source, path.name, kind, vectors_hash(path), {})


def open_vectors(path: Path, items: Sequence[Item]) -> VectorSource:
    """Return the vectors in *path* for the *items* of a whole release, by the ending of its name."""
    if path.suffix not in (".bin", ".kv", ".npz", ".txt", ".vec"):
        fix = "give word vectors (.vec, .txt, .bin, .kv) or precomputed ones (.npz)"
        raise UsageError(f"unknown kind of vectors {path.name!r}", fix=fix)
    if not path.is_file():
        raise EvaluationError("no such file", fix="check --vectors", place=Place(str(path)))
    if path.suffix == ".npz":
        return PrecomputedVectors.read(path, known={item.id for item in items})
    return StaticVectors.read(path)


def vectors_hash(path: Path) -> str:
    """Return the sha256 of *path*; for a `.kv` in several files, the hash over the names and hashes of all."""
    parts = [path, *sorted(other for other in path.parent.iterdir() if _is_companion(other, path))]
    if len(parts) == 1:
        return file_hash(path)
    return value_hash({part.name: file_hash(part) for part in parts})


def _is_companion(other: Path, path: Path) -> bool:
    """Return whether gensim wrote *other* beside *path* to hold one of its large arrays."""
    return path.suffix == ".kv" and other.name.startswith(f"{path.name}.") and other.suffix == ".npy"
