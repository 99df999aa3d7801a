"""The files of an evaluation: the figures, and the values behind them by item, sentence and compound."""

from __future__ import annotations

from pathlib import Path

from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.tables import compound_columns, item_columns, sentence_columns
from ncimp.schemas.arrow import write_columns
from ncimp.schemas.errors import Place, UsageError
from ncimp.schemas.files import Row, write_json
from ncimp.schemas.records import to_row

RESULTS, ITEMS, SENTENCES, COMPOUNDS = "results.json", "items.parquet", "sentences.parquet", "compounds.parquet"
"""The files, in the output folder."""


def check_folder(folder: Path) -> None:
    """Make *folder* if need be, or raise `UsageError`: better before the work than after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made a folder ({error.strerror})"
        raise UsageError(what, fix="give another --out", place=Place(str(folder))) from None


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Write the four files to *folder*, each atomically, the figures last."""
    write_columns(folder / ITEMS, item_columns(evaluation), "evaluated_item")
    write_columns(folder / SENTENCES, sentence_columns(evaluation), "evaluated_sentence")
    write_columns(folder / COMPOUNDS, compound_columns(evaluation), "evaluated_compound")
    write_json(folder / RESULTS, document(evaluation))


def document(evaluation: Evaluation) -> Row:
    """Return what `results.json` holds, as `evaluation.schema.json` describes it."""
    return to_row(evaluation.document)
