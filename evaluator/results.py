"""The files of an evaluation: the figures, and the values behind them by item, sentence and compound.

The tables of an evaluation, column by column: every item, every sentence, every compound.

No sentence is copied into them: `id` joins `items.parquet` with the `sentences` of the release.

Read what an evaluation wrote: the figures, and the values of every compound behind them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ncimp.evaluator.controls import level_tokens, lexical_overlap
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.figures import CLASS_SCORES, Language, Level, Measured
from ncimp.evaluator.measures import CONTEXT_KINDS, CONTEXTS, VARIANTS, FloatArray, compound_values, context_indices
from ncimp.evaluator.records import ContextKind, Document, LevelName
from ncimp.evaluator.release import Compound
from ncimp.schemas.arrow import read_parquet, write_columns
from ncimp.schemas.errors import EvaluationError, NcimpError, Place, UsageError
from ncimp.schemas.files import Row, read_json, write_json
from ncimp.schemas.records import from_row, to_row
from ncimp.schemas.tables import columns

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


Columns = dict[str, list[Any]]
"""A table by the names of its columns."""

PROBE_OF = {"orig": "orig", "syn": "PSyn", "head": "PComp", "mod": "PComp"}
"""The probe of a variant; ws belongs to PWordsSyn and rand to PRand."""


def item_columns(evaluation: Evaluation) -> Columns:
    """Return every item at every level, columns of `evaluated_item`."""
    found: Columns = {name: [] for name in columns("evaluated_item")}
    for row in _item_rows(evaluation):
        for name, value in row.items():
            found[name].append(value)
    return found


def _item_rows(evaluation: Evaluation) -> Iterator[Row]:
    for part in evaluation.parts:
        for level in {one.level.name: one.level for one in part.measured}.values():
            for number, compound in enumerate(part.language.compounds):
                yield from _compound_items(part.language, level, number, compound)


def _compound_items(part: Language, level: Level, number: int, compound: Compound) -> Iterator[Row]:
    facts = _facts(compound)
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
                    "similarity": _value(similarity[place][variant]),
                    "has_vector": present[place][variant],
                    "overlap": None if original is None else lexical_overlap(original, tokens),
                    "tokens": len(tokens),
                }


def kind_of(context: str) -> str:
    """Return whether *context* is naturalistic or neutral."""
    return "naturalistic" if context in CONTEXT_KINDS["naturalistic"] else "neutral"


def probe_of(variant: str) -> str:
    """Return the probe of *variant*.

    >>> probe_of("ws3"), probe_of("mod")
    ('PWordsSyn', 'PComp')
    """
    return PROBE_OF.get(variant, "PWordsSyn" if variant.startswith("ws") else "PRand")


def sentence_columns(evaluation: Evaluation) -> Columns:
    """Return every measure of every compound in every context, columns of `evaluated_sentence`."""
    kinds = [kind_of(context) for context in CONTEXTS]
    found: list[Columns] = []
    for one, compounds in _with_compounds(evaluation):
        n, contexts = len(compounds), len(CONTEXTS)
        facts = _repeated(compounds, contexts)
        own: Columns = {
            "context": list(CONTEXTS) * n,
            "context_kind": kinds * n,
            "level": [one.level.name] * n * contexts,
        }
        values = [_value(value) for value in one.values.ravel().tolist()]
        found.append(facts | own | {"measure": [one.measure.name] * n * contexts, "value": values})
    return _stacked(found)


def compound_columns(evaluation: Evaluation) -> Columns:
    """Return every measure of every compound by kind of contexts, columns of `evaluated_compound`."""
    found: list[Columns] = []
    for one, compounds in _with_compounds(evaluation):
        for kind in CONTEXT_KINDS:
            n = len(compounds)
            there = (~np.isnan(one.values[:, context_indices(kind)])).sum(axis=1).tolist()
            values = [_value(value) for value in compound_values(one.values, kind).tolist()]
            own: Columns = {
                "context_kind": [kind] * n,
                "level": [one.level.name] * n,
                "measure": [one.measure.name] * n,
            }
            found.append(_repeated(compounds, 1) | own | {"value": values, "sentences": there})
    return _stacked(found)


def _with_compounds(evaluation: Evaluation) -> Iterator[tuple[Measured, tuple[Compound, ...]]]:
    for part in evaluation.parts:
        for one in part.measured:
            yield one, part.language.compounds


def _facts(compound: Compound) -> Row:
    return {
        "lang": compound.lang,
        "compound_id": compound.id,
        "compound": compound.compound,
        "compound_class": compound.compound_class,
        "comp": compound.comp,
    }


def _repeated(compounds: Sequence[Compound], times: int) -> Columns:
    rows = [_facts(compound) for compound in compounds]
    return {name: [row[name] for row in rows for _ in range(times)] for name in rows[0]}


def _stacked(parts: list[Columns]) -> Columns:
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def _value(value: float) -> float | None:
    return None if math.isnan(value) else value


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
