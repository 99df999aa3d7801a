"""Vectors that cannot be right are refused with one message, whatever they come from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.grid import LevelName
from ncimp.evaluator.release import Release
from ncimp.schemas.errors import EvaluationError


def checked_vectors(name: LevelName, vectors: NDArray[Any], items: int) -> NDArray[Any]:
    """Return *vectors* when they are one row of real numbers an item, or raise `EvaluationError`.

    A row of NaN is an item without a vector, which is counted; a row that is partly NaN or infinite is damage, and
    rows that are all the same say that the model does not look at its input.
    """
    if vectors.ndim != 2 or vectors.shape[0] != items or vectors.shape[1] == 0 or vectors.dtype.kind not in "fiu":
        what = f"the {name} vectors have shape {vectors.shape} and type {vectors.dtype}"
        raise EvaluationError(what, fix=f"give {items} rows of real numbers, one an item")
    nan = np.isnan(vectors)
    damaged = np.isinf(vectors).any(axis=1) | (nan.any(axis=1) & ~nan.all(axis=1))
    if damaged.any():
        what = f"row {int(damaged.argmax())} of the {name} vectors is infinite or partly NaN"
        raise EvaluationError(what, fix="give finite numbers, or NaN throughout for a missing vector")
    there = vectors[~nan.any(axis=1)]
    if len(there) > 1 and (there == there[0]).all():
        what = f"all {len(there)} {name} vectors are the same"
        raise EvaluationError(what, fix="check that the model reads its input")
    return vectors


def check_release(source: object, release: Release) -> None:
    """Raise `EvaluationError` when *source* says that it was made from another release than *release*.

    A source may have an attribute `made_from`: the version or the logical hash of a release, or None.
    """
    made_from = getattr(source, "made_from", None)
    if made_from not in (None, release.version, release.logical_sha256):
        what = f"the vectors were made from release {made_from!r}, not {release.version!r}"
        raise EvaluationError(what, fix="make them again from this release, or evaluate on that one")
