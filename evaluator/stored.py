"""Read what an evaluation wrote: the figures, and the values of every compound behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ncimp.evaluator.figures import CLASS_SCORES
from ncimp.evaluator.grid import LevelName
from ncimp.evaluator.measures import ContextKind, FloatArray
from ncimp.evaluator.output import COMPOUNDS, RESULTS
from ncimp.evaluator.records import Document
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.errors import EvaluationError, NcimpError, Place
from ncimp.schemas.files import Row, read_json
from ncimp.schemas.records import from_row

AGAIN = "evaluate again with --out"
"""What to do about results that cannot be read."""

Block = tuple[str, ContextKind, LevelName, str]
"""Language, kind of contexts, level and measure."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An evaluation read back: its document, and by block the value of each compound, in the order of their ids."""

    name: str
    document: Document
    values: dict[Block, FloatArray]
    scores: dict[str, FloatArray]
    """By language what rho is with: human scores where any compound has one, else the expert class."""


def read_results(folder: Path) -> Stored:
    """Return the evaluation in *folder*, or raise `EvaluationError` naming the file that is missing or damaged."""
    place = Place(str(folder / RESULTS))
    if not (folder / RESULTS).is_file():
        raise EvaluationError("no results here", fix=f"give the folder that --out named, or {AGAIN}", place=place)
    try:
        document = from_row(Document, read_json(folder / RESULTS), table="evaluation", place=place)
        rows = read_parquet(folder / COMPOUNDS, "evaluated_compound")
    except NcimpError as error:
        # what the reader of a release says of a file is true of it here too, but not what to do about it
        raise EvaluationError(error.what, fix=AGAIN, place=error.place or place) from None
    values: dict[Block, list[Row]] = {}
    for row in rows:
        key = (row["lang"], row["context_kind"], row["level"], row["measure"])
        values.setdefault(key, []).append(row)
    ordered = {block: sorted(found, key=lambda row: str(row["compound_id"])) for block, found in values.items()}
    scores = {lang: _scores(ordered, lang) for lang in dict.fromkeys(block[0] for block in ordered)}
    arrays = {block: _array([row["value"] for row in found]) for block, found in ordered.items()}
    return Stored(document.signature.model.name, document, arrays, scores)


def _scores(ordered: dict[Block, list[Row]], lang: str) -> FloatArray:
    rows = next(found for block, found in ordered.items() if block[0] == lang)
    human = _array([row["comp"] for row in rows])
    return human if not np.isnan(human).all() else np.array([CLASS_SCORES[row["compound_class"]] for row in rows])


def _array(values: Sequence[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values])
