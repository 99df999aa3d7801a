"""The files of an evaluation: the figures, and the values behind them by compound and by sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from ncimp.evaluator.evaluate import Evaluation, Measured
from ncimp.evaluator.measures import CONTEXT_KINDS, CONTEXTS, compound_values
from ncimp.schemas.errors import Place, UsageError
from ncimp.schemas.files import Row, write_json, write_tsv
from ncimp.schemas.records import to_row

RESULTS, PER_COMPOUND, PER_SENTENCE = "results.json", "per_compound.tsv", "per_sentence.tsv"
"""The files, in the output folder."""

COMPOUND_COLUMNS = ("lang", "compound_id", "compound_class", "comp", "context_kind", "level", "measure", "value")
"""Columns of `per_compound.tsv`."""

SENTENCE_COLUMNS = ("lang", "compound_id", "context", "level", "measure", "value")
"""Columns of `per_sentence.tsv`."""


def check_folder(folder: Path) -> None:
    """Make *folder* if need be, or raise `UsageError`: better before the work than after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made a folder ({error.strerror})"
        raise UsageError(what, fix="give another --out", place=Place(str(folder))) from None


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Write the three files to *folder*, each atomically, the figures last; undefined values are null or `_`."""
    write_tsv(folder / PER_COMPOUND, compound_rows(evaluation), COMPOUND_COLUMNS)
    write_tsv(folder / PER_SENTENCE, sentence_rows(evaluation), SENTENCE_COLUMNS)
    write_json(folder / RESULTS, document(evaluation))


def document(evaluation: Evaluation) -> Row:
    """Return the signature and the figures, each figure a row of `result.schema.json`."""
    return {"signature": evaluation.signature, "results": [to_row(row) for row in evaluation.results]}


def compound_rows(evaluation: Evaluation) -> Iterator[Row]:
    """Yield every measure of every compound, by context kind."""
    for one in evaluation.measured:
        for kind in CONTEXT_KINDS:
            values = compound_values(one.values, kind).tolist()
            for compound, value in zip(evaluation.compounds[one.lang], values, strict=True):
                facts = {"compound_class": compound.compound_class, "comp": compound.comp, "context_kind": kind}
                yield _row(one, compound.id, value) | facts


def sentence_rows(evaluation: Evaluation) -> Iterator[Row]:
    """Yield every measure of every compound in every context."""
    for one in evaluation.measured:
        for compound, values in zip(evaluation.compounds[one.lang], one.values.tolist(), strict=True):
            for context, value in zip(CONTEXTS, values, strict=True):
                yield _row(one, compound.id, value) | {"context": context}


def _row(one: Measured, compound_id: str, value: float) -> Row:
    return {
        "lang": one.lang,
        "compound_id": compound_id,
        "level": one.level.name,
        "measure": one.measure.name,
        "value": None if math.isnan(value) else value,
    }
