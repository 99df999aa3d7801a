"""From vectors to figures: cosines by cell, measures by compound, means, correlations and distributions by class."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator import measures
from ncimp.evaluator.correlation import correlate, holm, mean_intervals
from ncimp.evaluator.measures import CONTEXT_KINDS, CONTEXTS, VARIANTS, FloatArray
from ncimp.evaluator.records import AttestedUse, ContextKind, Distribution, LevelName, LiteralUse, Result, Score
from ncimp.evaluator.release import Compound, Facts, Item, Release
from ncimp.evaluator.vectors import VectorSource
from ncimp.schemas import UsageError
from ncimp.schemas.files import keyed_hash

# the class of the pack as an ordinal score, in the direction of the human one
CLASS_SCORES = {"idiomatic": 0.0, "partly_compositional": 1.0, "compositional": 2.0}
# the quantiles of a distribution, by name; linear between values
QUANTILES = {"minimum": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "maximum": 1.0}
LITERAL_MEASURES = ("Sim_PSyn", "Sim_PWordsSyn_first", "A_Syn|WordsSyn_first")  # of use as an idiom against another
Row = TypeVar("Row", bound=Any)


@dataclass(frozen=True, slots=True)
class Level:
    """The cosines of one level, shape (N, 5, 14), and which items have a vector with a direction, same shape."""

    name: LevelName
    similarity: FloatArray
    present: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """The part of a release in one language: items and compounds in the order of their ids, and the grid of both."""

    code: str
    items: tuple[Item, ...]
    compounds: tuple[Compound, ...]
    grid: NDArray[np.intp]  # place in `items` of each cell of (N, 5, 14), -1 where the release lacks it


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one level in one language: its value by sentence, shape (N, 5), NaN where missing."""

    model: str
    lang: str
    level: Level
    measure: measures.Measure
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure over one kind of contexts: its value by compound, shape (N,), NaN where missing."""

    measured: Measured
    kind: ContextKind
    values: FloatArray

    @property
    def place(self) -> dict[str, Any]:
        """The columns that identify the figure."""
        one = self.measured
        model = {"model": one.model, "lang": one.lang, "context_kind": self.kind}
        return {**model, "level": one.level.name, "measure": one.measure.name}


def language_part(release: Release, code: str, split: str | None = None, limit: int | None = None) -> LanguageFigures:
    """Return the part of *release* in the language *code*, of one *split* and *limit* compounds where given."""
    eligible = [row for row in release.compounds if row.lang == code and split in (None, row.split)]
    if not eligible:
        fix = f"choose among {', '.join(sorted({row.split for row in release.compounds if row.lang == code}))}"
        raise UsageError(f"{code!r} has no compound in the split {split!r}", fix=fix)
    # in an order of hashes, a larger limit adds compounds and takes none away
    ids = set(sorted((row.id for row in eligible), key=keyed_hash)[:limit])
    items = tuple(item for item in release.items if item.compound_id in ids)
    compounds = tuple(row for row in eligible if row.id in ids)
    return LanguageFigures(code, items, compounds, item_grid(items, compounds))


def item_grid(items: Sequence[Item], compounds: Sequence[Compound]) -> NDArray[np.intp]:
    """Return the place in *items* of each cell of (N, 5, 14), -1 where the release lacks it."""
    order = {compound.id: place for place, compound in enumerate(compounds)}
    grid = np.full((len(compounds), len(CONTEXTS), len(VARIANTS)), -1, dtype=np.intp)
    for place, item in enumerate(items):
        grid[order[item.compound_id], CONTEXTS.index(item.context), VARIANTS.index(item.variant)] = place
    return grid


def level_of(
    name: LevelName,
    vectors: NDArray[Any],
    grid: NDArray[np.intp],
    change: Callable[[NDArray[Any]], NDArray[Any]] = lambda rows: rows,
) -> Level:
    """Return the cosines of *vectors*, one row an item, with the original of their context; *grid* is that of items.

    *change* is applied to a part of the rows at a time, before their cosines are taken.
    """
    directed = ~np.isnan(vectors).any(axis=1) & (vectors != 0).any(axis=1)
    similarity = np.full(grid.shape, np.nan)
    for context in range(grid.shape[1]):
        originals = change(cells_of(vectors, grid[:, context, 0]))
        for variant in range(grid.shape[2]):
            others = change(cells_of(vectors, grid[:, context, variant]))
            similarity[:, context, variant] = measures.cosine(originals, others)
    return Level(name, similarity, (grid >= 0) & directed[grid])


def cells_of(vectors: NDArray[Any], places: NDArray[np.intp]) -> NDArray[Any]:
    """Return the rows of *vectors* at *places*, NaN where a place is -1."""
    return np.where((places >= 0)[:, None], vectors[places], np.nan)


def measured_levels(model: str, lang: str, levels: Sequence[Level]) -> list[Measured]:
    """Return every measure of the *levels* of *model*."""
    return [
        Measured(model, lang, level, measure, measures.sentence_values(measure, level.similarity))
        for level in levels
        for measure in measures.MEASURES
    ]


def figures_of(measured: Sequence[Measured]) -> list[Figure]:
    """Return every measure over every kind of contexts."""
    return [Figure(one, kind, measures.compound_values(one.values, kind)) for kind in CONTEXT_KINDS for one in measured]


def scores(compounds: Collection[Facts]) -> tuple[Score, FloatArray]:
    """Return the human scores where any compound has one (NaN for the others), else the classes of the pack."""
    human = np.array([np.nan if compound.comp is None else compound.comp for compound in compounds])
    if not np.isnan(human).all():
        return "human", human
    return "pack_class", np.array([CLASS_SCORES[compound.compound_class] for compound in compounds])


def results_of(
    figures: Sequence[Figure], compounds: Sequence[Compound], *, release: str, resamples: int, permutations: int
) -> Iterator[Result]:
    """Yield mean and rho of each of *figures*, over the compounds that have both a value and a score."""
    score_name, score = scores(compounds)
    values = np.array([figure.values for figure in figures])
    correlations = correlate(values, score, resamples=resamples, permutations=permutations)
    for figure, rho in zip(figures, correlations, strict=True):
        level = figure.measured.level
        yield Result(
            release=release,
            **figure.place,
            **asdict(rho),
            mean=mean(figure.values[~np.isnan(score)]),
            p_holm=None,
            missing=measures.missing_count(figure.measured.measure, level.similarity, level.present, figure.kind),
            score=score_name,
        )


def mean(values: FloatArray) -> float | None:
    """Return the mean of the values that are not NaN, or None without any."""
    present = values[~np.isnan(values)]
    return float(present.mean()) if len(present) else None


def holm_corrected(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return *rows* of results with Holm's correction over those of one model in one language."""
    families = dict.fromkeys((row.model, row.lang) for row in rows)
    adjusted = {family: iter(holm([row.p for row in rows if (row.model, row.lang) == family])) for family in families}
    return tuple(replace(row, p_holm=next(adjusted[row.model, row.lang])) for row in rows)


def distributions_of(
    figures: Sequence[Figure], compounds: Sequence[Compound], *, resamples: int
) -> Iterator[Distribution]:
    """Yield the distribution of each of *figures* over all compounds, and over those of each class."""
    classes = np.array([compound.compound_class for compound in compounds])
    name: Any
    for name in ("all", *CLASS_SCORES):
        mask = np.ones(len(classes), dtype=bool) if name == "all" else classes == name
        values = np.array([figure.values[mask] for figure in figures])
        intervals = mean_intervals(values, resamples=resamples)
        for figure, row, (low, high) in zip(figures, values, intervals, strict=True):
            present = row[~np.isnan(row)]
            cuts = np.quantile(present, list(QUANTILES.values())).tolist() if len(present) else [None] * len(QUANTILES)
            yield Distribution(
                **figure.place,
                compound_class=name,
                n=len(present),
                missing=len(row) - len(present),
                mean=mean(present),
                low=low,
                high=high,
                sd=float(present.std(ddof=1)) if len(present) > 1 else None,
                **dict(zip(QUANTILES, cuts, strict=True)),
            )


def uses(
    items: Sequence[Item],
    part: LanguageFigures,
    measured: Sequence[Measured],
    source: VectorSource,
    resamples: int,
    names: Collection[str],
) -> Iterator[dict[str, Any]]:
    """Yield the measures *names* in the naturalistic contexts of the grid and in *items* outside it, over *part*.

    Each is a place with the means over the same compounds `here` and `there`, their difference and its interval.
    """
    # the grid has no place for these contexts: they stand where the naturalistic ones would, in their order
    ids = {row.id for row in part.compounds}
    inside = [item for item in items if item.compound_id in ids]
    order = {name: CONTEXTS[place] for place, name in enumerate(sorted({item.context for item in inside}))}
    inside = [replace(item, context=order[item.context]) for item in inside]
    grid, compounds = item_grid(inside, part.compounds), len({item.compound_id for item in inside})
    for name in dict.fromkeys(one.level.name for one in measured if compounds):
        vectors = source.sentence(inside) if name == "sentence" else source.span(inside)
        if vectors is None:
            continue
        similarity = level_of(name, vectors, grid).similarity
        for one in measured:
            if one.level.name != name or one.measure.name not in names:
                continue
            there = measures.sentence_values(one.measure, similarity)
            values = np.array([measures.compound_values(side, "naturalistic") for side in (one.values, there)])
            used = values[:, ~np.isnan(values).any(axis=0)]
            difference = used[0] - used[1]
            (low, high), n = mean_intervals(difference[None], resamples=resamples)[0], len(difference)
            means = {"here": mean(used[0]), "there": mean(used[1]), "difference": mean(difference)}
            counts = {"low": low, "high": high, "n": n, "missing": compounds - n}
            yield {**Figure(one, "naturalistic", one.values).place, **means, **counts}


def literal_uses(
    literal: Sequence[Item], part: LanguageFigures, measured: Sequence[Measured], source: VectorSource, resamples: int
) -> Iterator[LiteralUse]:
    """Yield the measures of `LITERAL_MEASURES` in naturalistic and in *literal* contexts, over *part*."""
    for row in uses(literal, part, measured, source, resamples, LITERAL_MEASURES):
        yield LiteralUse(idiomatic=row.pop("here"), literal=row.pop("there"), **row)


def attested_uses(
    attested: Sequence[Item], part: LanguageFigures, measured: Sequence[Measured], source: VectorSource, resamples: int
) -> Iterator[AttestedUse]:
    """Yield every measure in naturalistic contexts that were written and in *attested* ones, over *part*."""
    names = {one.measure.name for one in measured}
    for row in uses(attested, part, measured, source, resamples, names):
        yield AttestedUse(authored=row.pop("here"), attested=row.pop("there"), **row)
