"""Write and read the files of an evaluation.

    results.json         the figures, as `evaluation.schema.json` describes them
    items.parquet        one row an item and level
    sentences.parquet    one row a compound, context, level and measure
    compounds.parquet    one row a compound, kind of contexts, level and measure
    answers.parquet      one row an answer of the model to an item of a suite, where it was asked for one

No sentence is copied: `id` joins `items.parquet` with the `sentences` of the release.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ncimp.evaluator.answers import MEANS, Answers, columns_of
from ncimp.evaluator.controls import level_tokens
from ncimp.evaluator.correlation import plain_rho
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.figures import scores
from ncimp.evaluator.measures import CONTEXT_KINDS, CONTEXTS, VARIANTS, compound_values, context_indices
from ncimp.evaluator.records import Comparison, ContextKind, Document, LevelName, Metric, OfAnswers
from ncimp.evaluator.release import Compound, Facts
from ncimp.schemas import EvaluationError, NcimpError, Place, Row, UsageError, read_json, write_json
from ncimp.schemas.arrow import read_table, rows_of, write_columns
from ncimp.schemas.records import columns, from_row, to_row

RESULTS, ITEMS, SENTENCES, COMPOUNDS = "results.json", "items.parquet", "sentences.parquet", "compounds.parquet"
ANSWERS = "answers.parquet"
COMPARISON = "comparison.json"
KIND_OF: dict[str, str] = {name: kind for kind, names in CONTEXT_KINDS.items() for name in names if kind != "all"}
PROBE_OF: dict[str, str] = {"orig": "orig", "syn": "PSyn", "head": "PComp", "mod": "PComp"}
PROBE_OF |= {variant: "PWordsSyn" if variant.startswith("ws") else "PRand" for variant in VARIANTS[4:]}

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
    for name, table, rows in (
        (ITEMS, "evaluated_item", _item_rows(evaluation)),
        (SENTENCES, "evaluated_sentence", _sentence_rows(evaluation)),
        (COMPOUNDS, "evaluated_compound", _compound_rows(evaluation)),
    ):
        _write(folder / name, table, rows)
    if evaluation.answers:
        _write(folder / ANSWERS, "suite_answer", _answer_rows(evaluation.answers))
    write_json(folder / RESULTS, to_row(evaluation.document))


def _write(path: Path, table: str, rows: Iterable[Row]) -> None:
    cells: dict[str, list[Any]] = {column: [] for column in columns(table)}
    for row in rows:
        for column, cell in row.items():
            cells[column].append(cell)
    write_columns(path, cells, table)


def _answer_rows(answers: Iterable[Answers]) -> Iterator[Row]:
    """Yield every answer of the model to the items of a suite; those of shortcuts follow from the items."""
    for one in (one for one in answers if not one.place.baseline):
        place, rule = to_row(one.place), next((name for name in one.metrics if name in MEANS), None)
        for name, group, gold, predicted in zip(
            one.ids, one.groups, one.gold.tolist(), one.predicted.tolist(), strict=True
        ):
            values = {"gold": _defined(gold), "predicted": _defined(predicted), "metric": rule}
            yield {**place, "id": name, "compound_id": group, **values}


def read_answers(folder: Path, document: Document) -> list[Answers]:
    """Return the answers to the items of a suite in *folder*, whose figures are in *document*, task by task."""
    if not document.suites:
        return []
    rows: defaultdict[tuple[OfAnswers, str | None], list[Row]] = defaultdict(list)
    for row in read_rows(folder / ANSWERS, "suite_answer"):
        rows[OfAnswers(**{name: row[name] for name in OfAnswers.__dataclass_fields__}), row["metric"]].append(row)
    metrics: defaultdict[tuple[OfAnswers, str | None], list[Metric]] = defaultdict(list)
    seeds = {OfAnswers(**columns_of(result)): result.seeds for result in document.suites}
    for result in document.suites:
        rule = result.metric if result.metric in MEANS else None
        metrics[OfAnswers(**columns_of(result)), rule].append(result.metric)
    return [
        Answers(
            place,
            tuple(metrics[place, rule]),
            [row["id"] for row in part],
            [row["compound_id"] for row in part],
            gold=np.array([row["gold"] for row in part], dtype=np.float64),
            predicted=np.array([row["predicted"] for row in part], dtype=np.float64),
            seeds=seeds[place],
        )
        for (place, rule), part in rows.items()
    ]


def _item_rows(evaluation: Evaluation) -> Iterator[Row]:
    """Yield every item at every level."""
    for part in evaluation.parts:
        language = part.language
        of_baselines = [figure.measured for figure in part.baselines]
        overlaps = {one.level.name: one.level.similarity for one in of_baselines if one.model == "overlap"}
        for level in part.levels:
            similarity, present = level.similarity.tolist(), level.present.tolist()
            overlap = overlaps[level.name].tolist()
            for (number, place, variant), at in np.ndenumerate(language.grid):
                if at >= 0:
                    item = language.items[at]
                    yield {
                        "id": item.id,
                        **_facts(language.compounds[number]),
                        "context": item.context,
                        "context_kind": KIND_OF[item.context],
                        "probe": PROBE_OF[item.variant],
                        "variant": item.variant,
                        "level": level.name,
                        "similarity": _defined(similarity[number][place][variant]),
                        "has_vector": present[number][place][variant],
                        "overlap": _defined(overlap[number][place][variant]),
                        "tokens": len(level_tokens(item, level.name)),
                    }


def _sentence_rows(evaluation: Evaluation) -> Iterator[Row]:
    """Yield every measure of every compound in every context."""
    for part in evaluation.parts:
        for one in part.measured:
            for compound, values in zip(part.language.compounds, one.values.tolist(), strict=True):
                facts = {**_facts(compound), "level": one.level.name, "measure": one.measure.name}
                for context, value in zip(CONTEXTS, values, strict=True):
                    yield facts | {"context": context, "context_kind": KIND_OF[context], "value": _defined(value)}


def _compound_rows(evaluation: Evaluation) -> Iterator[Row]:
    """Yield every measure of every compound by kind of contexts."""
    for part in evaluation.parts:
        for one in part.measured:
            for kind in CONTEXT_KINDS:
                place: Row = {"context_kind": kind, "level": one.level.name, "measure": one.measure.name}
                sentences = (~np.isnan(one.values[:, context_indices(kind)])).sum(axis=1).tolist()
                means = compound_values(one.values, kind).tolist()
                for compound, value, count in zip(part.language.compounds, means, sentences, strict=True):
                    yield {**_facts(compound), **place, "value": _defined(value), "sentences": count}


def _facts(compound: Compound) -> Row:
    names = ("lang", "compound", "compound_class", "comp")
    return {"compound_id": compound.id} | {name: getattr(compound, name) for name in names}


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
    for row in read_rows(folder / COMPOUNDS, "evaluated_compound"):
        key, view = row["compound_id"], View(row["lang"], row["level"], row["context_kind"])
        facts[key] = Facts(key, row["lang"], row["compound"], row["compound_class"], row["comp"])
        by_compound = values.setdefault((view, row["measure"]), {})
        if row["value"] is not None:
            by_compound[key] = row["value"]
    similarities: dict[tuple[str, str, str], dict[str, float | None]] = defaultdict(dict)
    for row in read_rows(folder / ITEMS, "evaluated_item") if items else ():
        similarities[row["level"], row["compound_id"], row["context"]][row["variant"]] = row["similarity"]
    views = sorted_views(map(View.of, document.results))
    return Results(document, views, dict(sorted(facts.items())), values, similarities)


def read_comparison(folder: Path) -> Comparison:
    """Return the comparison in *folder*, or raise `EvaluationError` naming the file that is missing or damaged."""
    return _read_document(folder / COMPARISON, Comparison, "comparison")


def sorted_views(views: Iterable[View]) -> tuple[View, ...]:
    """Return the distinct *views*: compounds before sentences, all contexts before some; languages as they come."""
    distinct = list(dict.fromkeys(views))
    langs = list(dict.fromkeys(view.lang for view in distinct))
    levels, kinds = ("nc", "sentence"), ("all", "naturalistic", "neutral")
    return tuple(sorted(distinct, key=lambda v: (langs.index(v.lang), levels.index(v.level), kinds.index(v.kind))))


def _read_document(path: Path, record: type[Record], table: str) -> Record:
    with _explained(path):
        return from_row(record, read_json(path), table=table, place=Place(str(path)))


def read_rows(path: Path, table: str) -> Iterator[Row]:
    """Yield the rows of a file of results, or raise `EvaluationError` for one that is missing or damaged."""
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


KINDS = {"naturalistic": "Nat", "neutral": "Neut"}  # the paper's name of a kind of contexts
LEFT_OUT = "neut_long"  # the context that the paper reports nothing of


class ConfigurationFigure(NamedTuple):
    """One figure of one measure."""

    value: float | None
    sd: float | None  # of a mean: the standard deviation of the sample of compounds
    n: int  # compounds it is over
    why: str  # there is no value


@dataclass(frozen=True, slots=True)
class Configurations:
    """The values of an evaluation by configuration, such as `EN-Nat`."""

    document: Document
    facts: Mapping[str, Facts]  # by id of the compound
    values: Mapping[tuple[str, str, str], Mapping[str, float]]
    """By configuration, level and measure: the mean over the sentences of each compound, equations (3), (4), (5)."""
    overlapping: frozenset[tuple[str, str]]
    """Configuration and compound where compound and synonym share a word in some sentence (Appendix B)."""

    def figure(self, configuration: str, level: str, measure: str, kind: str) -> ConfigurationFigure:
        """Return a `mean`, a `rho` with Comp, a `rho without overlap`, or the `rho of z-scores` with the plain values.

        Rho is Spearman's over compounds; where a language has no human score, it is with the class of the pack.
        """
        if kind == "rho of z-scores":
            return self.standardised(configuration, level, measure)
        overlap = self.overlapping if kind == "rho without overlap" else ()
        by_compound = self.values.get((configuration, level, measure), {})
        values = {name: value for name, value in by_compound.items() if (configuration, name) not in overlap}
        if not values:
            return ConfigurationFigure(None, None, 0, f"no value in {configuration} at {level} level")
        if kind == "mean":
            sample = np.array(list(values.values()))
            sd = float(sample.std(ddof=1)) if len(sample) > 1 else None
            return ConfigurationFigure(float(sample.mean()), sd, len(sample), "")
        facts = [row for row in self.facts.values() if row.lang == configuration[:2].lower()]
        pairs = [(values.get(row.id, np.nan), score) for row, score in zip(facts, scores(facts)[1], strict=True)]
        pairs = [pair for pair in pairs if not np.isnan(pair).any()]
        rho = plain_rho(*np.array(pairs).reshape(-1, 2).T)
        why = "fewer than three compounds, or no variation" if rho is None else ""
        return ConfigurationFigure(rho, None, len(pairs), why)

    def standardised(self, configuration: str, level: str, measure: str) -> ConfigurationFigure:
        """Return Spearman's rho, over compounds, of *measure* and the same after z-scores (Appendix C)."""
        place = (configuration, level, measure, "z-score")
        for row in self.document.standardised:
            if (configuration_of(row.lang, row.context_kind), row.level, row.measure, row.method) == place:
                why = "no variation, or an evaluation by older code" if row.rho_between is None else ""
                return ConfigurationFigure(row.rho_between, None, row.n, why)
        return ConfigurationFigure(None, None, 0, "evaluate with --standardise z-score")


def read_configurations(folder: Path) -> Configurations:
    """Return the values in *folder*, which `ncimp evaluate --out` wrote, or raise `EvaluationError`."""
    results = read_results(folder)
    sentences: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in read_rows(folder / SENTENCES, "evaluated_sentence"):
        if row["context"] != LEFT_OUT and row["value"] is not None:
            place = configuration_of(row["lang"], row["context_kind"]), row["level"], row["measure"]
            sentences[place][row["compound_id"]].append(row["value"])
    overlapping = {
        (configuration_of(row["lang"], row["context_kind"]), row["compound_id"])
        for row in read_rows(folder / ITEMS, "evaluated_item")
        if row["variant"] == "syn" and row["level"] == "nc" and row["overlap"] and row["context"] != LEFT_OUT
    }
    values = {
        place: {name: fmean(numbers) for name, numbers in compounds.items()} for place, compounds in sentences.items()
    }
    return Configurations(results.document, results.facts, values, frozenset(overlapping))


def configuration_of(lang: str, kind: str) -> str:
    """Return the configuration of a language and a kind of contexts.

    >>> configuration_of("pt", "neutral")
    'PT-Neut'
    """
    return f"{lang.upper()}-{KINDS.get(kind, kind)}"
