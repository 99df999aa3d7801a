"""What an evaluation says of the vectors it used."""

from __future__ import annotations

from pathlib import Path

from ncimp.evaluator.records import Model
from ncimp.evaluator.vectors import vectors_hash


def file_model(path: Path) -> Model:
    """Return the description of the vectors in the file *path*."""
    kind = "precomputed" if path.suffix == ".npz" else "static"
    return Model(path.name, kind, vectors_hash(path), {})
