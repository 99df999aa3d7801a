"""A folder of results as a page needs it: the figures, the values by compound, and the similarities by item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ncimp.evaluator.pages.words import KINDS, LEVELS
from ncimp.evaluator.records import Comparison, Document
from ncimp.evaluator.results import COMPOUNDS, ITEMS, RESULTS
from ncimp.schemas.arrow import read_table, rows_of
from ncimp.schemas.errors import EvaluationError, NcimpError, Place
from ncimp.schemas.files import Row, read_json
from ncimp.schemas.records import from_row

COMPARISON = "comparison.json"
"""What `ncimp compare --out` writes."""

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, order=True)
class View:
    """What a reader looks at: one language, level and kind of contexts."""

    lang: str
    level: str
    kind: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a compound."""

    compound: str
    compound_class: str
    comp: float | None


@dataclass(frozen=True, slots=True)
class Results:
    """The results of one evaluation."""

    document: Document
    views: tuple[View, ...]
    facts: Mapping[str, Facts]
    """By id of the compound, in the order of the ids."""
    values: Mapping[tuple[View, str], Mapping[str, float]]
    """By view and measure: the value of each compound that has one."""
    similarities: Mapping[tuple[str, str, str], Mapping[str, float | None]]
    """By level, id of the compound and context: the similarity of each variant."""


def read_results(folder: Path) -> Results:
    """Return the results in *folder*, or raise an error naming the file that is missing or wrong."""
    document = _read_document(folder / RESULTS, Document, "evaluation")
    compounds = _read_table(folder / COMPOUNDS, "evaluated_compound")
    items = _read_table(folder / ITEMS, "evaluated_item")
    values: dict[tuple[View, str], dict[str, float]] = defaultdict(dict)
    facts: dict[str, Facts] = {}
    for row in compounds:
        facts[row["compound_id"]] = Facts(row["compound"], row["compound_class"], row["comp"])
        if row["value"] is not None:
            view = View(row["lang"], row["level"], row["context_kind"])
            values[view, row["measure"]][row["compound_id"]] = row["value"]
    similarities: dict[tuple[str, str, str], dict[str, float | None]] = defaultdict(dict)
    for row in items:
        similarities[row["level"], row["compound_id"], row["context"]][row["variant"]] = row["similarity"]
    views = sorted_views(View(row.lang, row.level, row.context_kind) for row in document.results)
    return Results(document, views, dict(sorted(facts.items())), values, similarities)


def read_comparison(folder: Path) -> Comparison:
    """Return the comparison in *folder*, or raise an error naming the file that is missing or wrong."""
    return _read_document(folder / COMPARISON, Comparison, "comparison")


def sorted_views(views: Iterable[View]) -> tuple[View, ...]:
    """Return the distinct *views*: languages as they come, then levels and kinds of contexts in their order."""
    seen = list(dict.fromkeys(views))
    langs = list(dict.fromkeys(view.lang for view in seen))
    places = list(LEVELS), list(KINDS)
    return tuple(sorted(seen, key=lambda v: (langs.index(v.lang), places[0].index(v.level), places[1].index(v.kind))))


def _read_document(path: Path, kind: type[Record], table: str) -> Record:
    _check_there(path)
    try:
        return from_row(kind, read_json(path), table=table, place=Place(str(path)))
    except NcimpError as error:
        fix = "evaluate again with --out, with this version of the code"
        raise EvaluationError(error.what, fix=fix, place=error.place) from None


def _read_table(path: Path, table: str) -> Iterator[Row]:
    _check_there(path)
    try:
        yield from rows_of(read_table(path, table), path)
    except NcimpError as error:
        fix = "evaluate again with --out, with this version of the code"
        raise EvaluationError(error.what, fix=fix, place=error.place) from None


def _check_there(path: Path) -> None:
    if not path.is_file():
        fix = "give the folder that `ncimp evaluate --out` or `ncimp compare --out` wrote"
        raise EvaluationError("no such file", fix=fix, place=Place(str(path)))
