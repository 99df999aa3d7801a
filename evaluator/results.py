"""Write and read the files of an evaluation.

    results.json         the figures, as `evaluation.schema.json` describes them
    items.parquet        one row an item and level
    sentences.parquet    one row a compound, context, level and measure
    compounds.parquet    one row a compound, kind of contexts, level and measure

No sentence is copied: `id` joins `items.parquet` with the `sentences` of the release.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np

from ncimp.evaluator.controls import level_tokens, lexical_overlap
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.figures import LanguageFigures, Level
from ncimp.evaluator.measures import CONTEXT_KINDS, CONTEXTS, VARIANTS, compound_values, context_indices
from ncimp.evaluator.records import Comparison, ContextKind, Document, LevelName
from ncimp.evaluator.release import Compound, Facts
from ncimp.schemas import EvaluationError, NcimpError, Place, Row, UsageError, read_json, write_json
from ncimp.schemas.arrow import read_table, rows_of, write_columns
from ncimp.schemas.records import columns, from_row, to_row

RESULTS, ITEMS, SENTENCES, COMPOUNDS = "results.json", "items.parquet", "sentences.parquet", "compounds.parquet"
COMPARISON = "comparison.json"

Record = TypeVar("Record")


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
    write_json(folder / RESULTS, to_row(evaluation.document))


Columns = dict[str, list[Any]]  # a table by the names of its columns


def item_columns(evaluation: Evaluation) -> Columns:
    """Return every item at every level, columns of `evaluated_item`."""
    table: Columns = {name: [] for name in columns("evaluated_item")}
    for part in evaluation.parts:
        for level, (number, compound) in itertools.product(part.levels, enumerate(part.language.compounds)):
            for row in _item_rows(part.language, level, number, _facts(compound)):
                for name, value in row.items():
                    table[name].append(value)
    return table


def _item_rows(part: LanguageFigures, level: Level, number: int, facts: Row) -> Iterator[Row]:
    similarity, present = level.similarity[number].tolist(), level.present[number].tolist()
    for place, context in enumerate(CONTEXTS):
        cells = [part.items[at] if at >= 0 else None for at in part.grid[number, place].tolist()]
        original = None if cells[0] is None else level_tokens(cells[0], level.name)
        for variant, item in enumerate(cells):
            if item is not None:
                tokens = level_tokens(item, level.name)
                yield {
                    "id": item.id,
                    **facts,
                    "context": context,
                    "context_kind": kind_of(context),
                    "probe": probe_of(VARIANTS[variant]),
                    "variant": VARIANTS[variant],
                    "level": level.name,
                    "similarity": _defined(similarity[place][variant]),
                    "has_vector": present[place][variant],
                    "overlap": None if original is None else lexical_overlap(original, tokens),
                    "tokens": len(tokens),
                }


def kind_of(context: str) -> str:
    """Return the kind of *context*: naturalistic or neutral."""
    return "naturalistic" if context in CONTEXT_KINDS["naturalistic"] else "neutral"


def probe_of(variant: str) -> str:
    """Return the probe of *variant*.

    >>> probe_of("ws3"), probe_of("mod")
    ('PWordsSyn', 'PComp')
    """
    probes = {"orig": "orig", "syn": "PSyn", "head": "PComp", "mod": "PComp"}
    return probes.get(variant, "PWordsSyn" if variant.startswith("ws") else "PRand")


def sentence_columns(evaluation: Evaluation) -> Columns:
    """Return every measure of every compound in every context, columns of `evaluated_sentence`."""
    kinds = [kind_of(context) for context in CONTEXTS]
    tables: list[Columns] = []
    for part in evaluation.parts:
        compounds = part.language.compounds
        facts = _repeated_facts(compounds, len(CONTEXTS))
        contexts: Columns = {"context": list(CONTEXTS) * len(compounds), "context_kind": kinds * len(compounds)}
        for one in part.measured:
            values = [_defined(value) for value in one.values.ravel().tolist()]
            measure: Row = {"level": one.level.name, "measure": one.measure.name}
            tables.append(facts | contexts | _repeated(measure, len(values)) | {"value": values})
    return _stacked(tables)


def compound_columns(evaluation: Evaluation) -> Columns:
    """Return every measure of every compound by kind of contexts, columns of `evaluated_compound`."""
    tables: list[Columns] = []
    for part in evaluation.parts:
        facts = _repeated_facts(part.language.compounds, 1)
        for one in part.measured:
            for kind in CONTEXT_KINDS:
                sentences = (~np.isnan(one.values[:, context_indices(kind)])).sum(axis=1).tolist()
                values = [_defined(value) for value in compound_values(one.values, kind).tolist()]
                place: Row = {"context_kind": kind, "level": one.level.name, "measure": one.measure.name}
                tables.append(facts | _repeated(place, len(values)) | {"value": values, "sentences": sentences})
    return _stacked(tables)


def _facts(compound: Compound) -> Row:
    names = ("compound", "compound_class", "comp")
    return {"lang": compound.lang, "compound_id": compound.id} | {name: getattr(compound, name) for name in names}


def _repeated_facts(compounds: Sequence[Compound], times: int) -> Columns:
    rows = [_facts(compound) for compound in compounds]
    return {name: [row[name] for row in rows for _ in range(times)] for name in rows[0]}


def _repeated(place: Row, times: int) -> Columns:
    return {name: [cell] * times for name, cell in place.items()}


def _stacked(tables: list[Columns]) -> Columns:
    return {name: [value for table in tables for value in table[name]] for name in tables[0]}


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


@dataclass(frozen=True, slots=True, order=True)
class View:
    """The language, level and kind of contexts that a figure is of."""

    lang: str
    level: LevelName
    kind: ContextKind

    @classmethod
    def of(cls, row: Any) -> "View":
        """Return the view of *row*, a record with these columns."""
        return cls(row.lang, row.level, row.context_kind)

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of a record in the view."""
        return {"lang": self.lang, "context_kind": self.kind, "level": self.level}


@dataclass(frozen=True, slots=True)
class Results:
    """The results of one evaluation."""

    document: Document
    views: tuple[View, ...]
    facts: Mapping[str, Facts]  # by id of the compound, in the order of the ids
    values: Mapping[tuple[View, str], Mapping[str, float]]
    """By view and measure: the value of each compound that has one."""
    similarities: Mapping[tuple[str, str, str], Mapping[str, float | None]] = field(default_factory=dict)
    """By level, id of the compound and context: the similarity of each variant, where items were read."""


def read_results(folder: Path, *, items: bool = False) -> Results:
    """Return the results in *folder*, or raise `EvaluationError` naming the file that is missing or damaged.

    Similarities of single *items*, which take longest to read, are left out unless asked for.
    """
    document = _read_document(folder / RESULTS, Document, "evaluation")
    facts: dict[str, Facts] = {}
    values: dict[tuple[View, str], dict[str, float]] = {}
    for row in _read_rows(folder / COMPOUNDS, "evaluated_compound"):
        key, view = row["compound_id"], View(row["lang"], row["level"], row["context_kind"])
        facts[key] = Facts(key, row["lang"], row["compound"], row["compound_class"], row["comp"])
        by_compound = values.setdefault((view, row["measure"]), {})
        if row["value"] is not None:
            by_compound[key] = row["value"]
    similarities: dict[tuple[str, str, str], dict[str, float | None]] = defaultdict(dict)
    for row in _read_rows(folder / ITEMS, "evaluated_item") if items else ():
        similarities[row["level"], row["compound_id"], row["context"]][row["variant"]] = row["similarity"]
    views = sorted_views(map(View.of, document.results))
    return Results(document, views, dict(sorted(facts.items())), values, similarities)


def read_comparison(folder: Path) -> Comparison:
    """Return the comparison in *folder*, or raise `EvaluationError` naming the file that is missing or damaged."""
    return _read_document(folder / COMPARISON, Comparison, "comparison")


def sorted_views(views: Iterable[View]) -> tuple[View, ...]:
    """Return the distinct *views*: languages as they come, then levels, then all contexts before some."""
    distinct = list(dict.fromkeys(views))
    langs = list(dict.fromkeys(view.lang for view in distinct))
    levels, kinds = get_args(LevelName), ("all", "naturalistic", "neutral")
    return tuple(sorted(distinct, key=lambda v: (langs.index(v.lang), levels.index(v.level), kinds.index(v.kind))))


def _read_document(path: Path, record: type[Record], table: str) -> Record:
    with _explained(path):
        return from_row(record, read_json(path), table=table, place=Place(str(path)))


def _read_rows(path: Path, table: str) -> Iterator[Row]:
    with _explained(path):
        yield from rows_of(read_table(path, table), path)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise `EvaluationError` with the next step for a file that is missing or damaged."""
    if not path.is_file():
        fix = "give the folder that `ncimp evaluate --out` or `ncimp compare --out` wrote"
        raise EvaluationError("no such file", fix=fix, place=Place(str(path)))
    try:
        yield
    except NcimpError as error:
        fix = "evaluate again with --out, with this version of the code"
        raise EvaluationError(error.what, fix=fix, place=error.place) from None
