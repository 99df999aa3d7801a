"""Vectors that a model has made already, by item id, in one `.npz`.

    ids         (n,)    item ids, such as "en/eager-beaver/nat1/ws3", as a string array
    sentence    (n, d)  vector of the whole sentence
    span        (n, d)  vector of the span; may be left out, and with it the NC level
    release     ()      version or logical hash of the release they were made from; may be left out

A row of NaN is an item without a vector; so is an item of the release that `ids` does not name.

    np.savez("model.npz", ids=np.array(ids), sentence=sentences, span=spans, release="0.1.0")
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError, Place

REQUIRED, OPTIONAL = ("ids", "sentence"), ("span", "release")
"""The arrays of the file."""

DAMAGE = (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, MemoryError)
"""What numpy raises on a damaged archive, or on pickled objects in it."""


class PrecomputedVectors:
    """Vectors by item id."""

    def __init__(
        self, ids: Sequence[str], sentence: NDArray[Any], span: NDArray[Any] | None, made_from: str | None = None
    ) -> None:
        self.made_from = made_from
        self._places = {name: place for place, name in enumerate(ids)}
        self._sentence = sentence
        self._span = span

    @classmethod
    def read(cls, path: Path, *, known: set[str]) -> PrecomputedVectors:
        """Return the vectors in *path*, or raise `EvaluationError`; *known* are the ids of the release's items."""
        place = Place(str(path))
        arrays = _read_arrays(path, place)
        ids = _checked_ids(arrays["ids"], known, place)
        for name in ("sentence", "span"):
            if name in arrays:
                _check_vectors(name, arrays[name], len(ids), place)
        made_from = _made_from(arrays["release"], place) if "release" in arrays else None
        return cls(ids, arrays["sentence"], arrays.get("span"), made_from)

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        """Return the sentence vectors, of shape (len(items), d); NaN where there is none."""
        return self._chosen(self._sentence, items)

    def span(self, items: Sequence[Item]) -> NDArray[Any] | None:
        """Return the span vectors, of shape (len(items), d), or None when the file has no spans."""
        return None if self._span is None else self._chosen(self._span, items)

    def _chosen(self, vectors: NDArray[Any], items: Sequence[Item]) -> NDArray[Any]:
        places = np.array([self._places.get(item.id, -1) for item in items], dtype=np.intp)
        return np.where((places >= 0)[:, None], vectors[places], np.nan)


def _read_arrays(path: Path, place: Place) -> dict[str, NDArray[Any]]:
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream), np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except DAMAGE as error:
        what = f"not a readable .npz ({error})"
        raise EvaluationError(what, fix="write it again with numpy.savez, without objects", place=place) from None
    missing = sorted(set(REQUIRED) - set(arrays))
    unknown = sorted(set(arrays) - {*REQUIRED, *OPTIONAL})
    if missing or unknown:
        what = f"missing arrays {missing}, unknown arrays {unknown}"
        raise EvaluationError(what, fix="it should hold ids, sentence and, for the NC level, span", place=place)
    return arrays


def _made_from(release: NDArray[Any], place: Place) -> str:
    if release.ndim != 0 or release.dtype.kind != "U":
        what = f"'release' has shape {release.shape} and type {release.dtype}"
        raise EvaluationError(what, fix="make it one string: the version or the logical hash", place=place)
    return str(release)


def _checked_ids(ids: NDArray[Any], known: set[str], place: Place) -> list[str]:
    if ids.ndim != 1 or ids.dtype.kind != "U":
        what = f"'ids' has shape {ids.shape} and type {ids.dtype}"
        raise EvaluationError(what, fix="make it a one-dimensional array of strings", place=place)
    names: list[str] = ids.tolist()
    if not names:
        raise EvaluationError("it holds no vectors", fix="give one row per item of the release", place=place)
    strangers = [name for name in names if name not in known]
    if strangers:
        what = f"{len(strangers)} of {len(names)} ids are not in the release, such as {strangers[0]!r}"
        raise EvaluationError(what, fix="make the vectors from the same release", place=place)
    if len(set(names)) != len(names):
        twice = next(name for name in sorted(names) if names.count(name) > 1)
        raise EvaluationError(f"the id {twice!r} is there twice", fix="keep one row per item", place=place)
    return names


def _check_vectors(name: str, vectors: NDArray[Any], rows: int, place: Place) -> None:
    if vectors.ndim != 2 or vectors.shape[0] != rows or vectors.shape[1] == 0 or vectors.dtype.kind not in "fiu":
        what = f"{name!r} has shape {vectors.shape} and type {vectors.dtype}"
        raise EvaluationError(what, fix=f"make it an array of {rows} rows of real numbers", place=place)
    nan = np.isnan(vectors)
    damaged = np.isinf(vectors).any(axis=1) | (nan.any(axis=1) & ~nan.all(axis=1))
    if damaged.any():
        what = f"row {int(damaged.argmax())} of {name!r} is infinite or partly NaN"
        raise EvaluationError(what, fix="give finite numbers, or NaN throughout for a missing vector", place=place)
