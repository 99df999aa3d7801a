"""What an evaluation says of the vectors it used."""

from __future__ import annotations

from ncimp.evaluator.records import Model
from ncimp.evaluator.vectors import Opened


def model_of(opened: Opened) -> Model:
    """Return what a result says of *opened* vectors."""
    return Model(opened.name, opened.kind, opened.sha256, opened.options)
