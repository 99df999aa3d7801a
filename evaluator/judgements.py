"""What people said of the compounds of a release, sentence by sentence, where it holds their judgements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.files import Row

CONFIG = "annotations"
"""The folder of a release that holds judgements, one row each."""

TABLE = "released_annotation"
"""The schema of its rows."""


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """Means over the annotators of one sentence, each 0 to 5; None where nobody judged."""

    comp: float | None
    head: float | None
    modifier: float | None


def read_judgements(folder: Path, manifest: Row) -> dict[str, SentenceScore]:
    """Return the scores of each item that was judged; nothing where the release has no judgements."""
    paths = [entry["path"] for entry in manifest["files"]]
    tables = [folder / path for path in paths if path.startswith(f"{CONFIG}/") and path.endswith(".parquet")]
    return sentence_scores(row for path in tables for row in read_parquet(path, TABLE))


def sentence_scores(rows: Iterable[Row]) -> dict[str, SentenceScore]:
    """Return the means over the annotators of each item in *rows* of `released_annotation`: the inner mean of (1).

    As in the scores of the release, rows of excluded annotators do not count, and of an annotator's several answers
    about an item only the first (by day). Answers about all sentences of a compound at once name no item.
    """
    judged: dict[str, dict[str, Row]] = {}
    for row in sorted(rows, key=lambda row: (row["day"] or "", row["campaign"], row["id"])):
        if row["item_id"] is not None and row["excluded"] is None:
            judged.setdefault(row["item_id"], {}).setdefault(row["annotator"], row)
    return {
        item: SentenceScore(*(_mean([row[scale] for row in found.values()]) for scale in ("comp", "head", "modifier")))
        for item, found in sorted(judged.items())
    }


def _mean(values: Iterable[int | None]) -> float | None:
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None
