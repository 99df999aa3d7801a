"""Every figure of an evaluation by references alone, from vectors by item, held against what the evaluator wrote.

    PYTHONPATH=src:. python tests/evaluator/naive_document.py RELEASE VECTORS.npz RESULTS

prints, for each column, how many figures there are and the largest difference, where RESULTS is what
`ncimp evaluate --release RELEASE --vectors VECTORS.npz --out RESULTS` wrote. Minutes for 10,000 resamples.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ncimp.evaluator.release import Compound, Item, Release, read_release
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.files import read_json
from tests.evaluator.naive_evaluation import CLASSES, LEVELS, MEASURES
from tests.evaluator.naive_statistics import Row, correlations, distribution, partial
from tests.frozen import load_reference

measures = load_reference("measures_reference")

Key = tuple[str, ...]
Values = dict[Key, list[float]]
"""By kind of contexts, level and measure: a value for each compound of a language."""
Tables = dict[str, dict[Key, Row]]
"""Rows by what they are of, by the name of the table."""


def naive_tables(release: Release, vectors: Mapping[str, Any], resamples: int) -> Tables:
    """The tables of results.json and the values behind them; *vectors* by level, in the order of the items."""
    found: Tables = defaultdict(dict)
    for lang in release.languages:
        compounds = [compound for compound in release.compounds if compound.lang == lang]
        grid, overlap = _grids(release.items, vectors, lang)
        found["sentences"].update(_sentence_rows(grid))
        values = _compound_values(grid, compounds)
        for key, row in values.items():
            for compound, value in zip(compounds, row, strict=True):
                found["compounds"][(compound.id, *key)] = {"value": value}
        found["results"].update(_result_rows(lang, values, compounds, resamples))
        free = [place for place, compound in enumerate(compounds) if compound.overlap_free]
        fewer = {key: [row[place] for place in free] for key, row in values.items()}
        found["overlap_free"].update(_result_rows(lang, fewer, [compounds[place] for place in free], resamples))
        found["distributions"].update(_distribution_rows(lang, values, compounds, resamples))
        controls = _compound_values(overlap, compounds)
        found["partial"].update(_partial_rows(lang, values, controls, compounds, release.items))
    for table, lang in itertools.product(("results", "overlap_free", "partial"), release.languages):
        tested = [row for key, row in found[table].items() if key[0] == lang]
        for one, p in zip(tested, measures.holm([one["p"] for one in tested]), strict=True):
            one["p_holm"] = p
    return found


Grid = dict[tuple[str, str], dict[str, dict[str, Any]]]
"""By level and compound: context, variant, and a vector of two dimensions."""


def _grids(items: Sequence[Item], vectors: Mapping[str, Any], lang: str) -> tuple[Grid, Grid]:
    """The similarities to the original, and the shares of its words that stay."""
    cells = {(item.compound_id, item.context, item.variant): n for n, item in enumerate(items) if item.lang == lang}
    found: tuple[Grid, Grid] = ({}, {})
    for (compound, context, variant), place in cells.items():
        first = cells[compound, context, "orig"]
        for level in LEVELS:
            rows = vectors[level]
            similar = measures.sim(rows[first].tolist(), rows[place].tolist())
            for grid, value in zip(found, (similar, _overlap(items[first], items[place], level)), strict=True):
                flat = [value, math.sqrt(max(0.0, 1 - value * value))] if variant != "orig" else [1.0, 0.0]
                grid.setdefault((level, compound), {}).setdefault(context, {})[variant] = flat
    return found


def _overlap(one: Item, other: Item, level: str) -> float:
    bags = []
    for item in (one, other):
        tokens = item.tokens if level == "sentence" else item.tokens[slice(*item.token_span)]
        bags.append(Counter(token.lower() for token in tokens))
    return float((bags[0] & bags[1]).total() / bags[0].total())


def _sentence_rows(grid: Grid) -> Iterator[tuple[Key, Row]]:
    for (level, compound), contexts in grid.items():
        for context, sentence in contexts.items():
            for measure in MEASURES:
                yield (compound, context, level, measure), {"value": measures.sentence_value(sentence, measure)}


def _compound_values(grid: Grid, compounds: Sequence[Compound]) -> Values:
    return {
        (kind, level, measure): [measures.compound_value(grid[level, one.id], measure, kind) for one in compounds]
        for level in LEVELS
        for kind in measures.CONTEXTS
        for measure in MEASURES
    }


def _result_rows(lang: str, values: Values, compounds: Sequence[Compound], resamples: int) -> Iterator[tuple[Key, Row]]:
    rows = correlations(list(values.values()), [CLASSES[one.compound_class] for one in compounds], resamples)
    for (key, row), found in zip(values.items(), rows, strict=True):
        yield (lang, *key), {**found, "mean": math.fsum(row) / len(row), "missing": 0}


def _distribution_rows(
    lang: str, values: Values, compounds: Sequence[Compound], resamples: int
) -> Iterator[tuple[Key, Row]]:
    for name in ("all", *CLASSES):
        chosen = [place for place, one in enumerate(compounds) if name in ("all", one.compound_class)]
        for key, row in values.items():
            facts = distribution([row[place] for place in chosen], resamples)
            yield (lang, *key, name), {**facts, "missing": 0}


def _partial_rows(
    lang: str, values: Values, overlap: Values, compounds: Sequence[Compound], items: Iterable[Item]
) -> Iterator[tuple[Key, Row]]:
    lengths: dict[tuple[str, str], int] = {}
    for item in items:
        if item.variant == "orig":
            lengths[item.compound_id, item.context] = len(item.tokens)
    score = [CLASSES[one.compound_class] for one in compounds]
    frequency = [one.zipf for one in compounds]
    assert None not in frequency
    for key, row in values.items():
        contexts = measures.CONTEXTS[key[0]]
        length = [measures.mean([float(lengths[one.id, context]) for context in contexts]) for one in compounds]
        controls: dict[str, Any] = {"overlap": overlap[key], "length": length, "frequency": frequency}
        for given, control in controls.items():
            yield (lang, *key, given), {**partial(row, score, [control]), "missing": 0}
        yield (lang, *key, "all"), {**partial(row, score, list(controls.values())), "missing": 0}


WHERE = ("lang", "context_kind", "level", "measure")
KEYS = {
    "results": WHERE,
    "overlap_free": WHERE,
    "distributions": (*WHERE, "compound_class"),
    "partial": (*WHERE, "given"),
    "sentences": ("compound_id", "context", "level", "measure"),
    "compounds": ("compound_id", "context_kind", "level", "measure"),
}
"""What a row is of, by table."""


def written_tables(folder: Path) -> Tables:
    """The same tables as the evaluator wrote them to *folder*."""
    rows: dict[str, Any] = read_json(folder / "results.json")
    for table in ("sentences", "compounds"):
        rows[table] = read_parquet(folder / f"{table}.parquet")
    return {table: {tuple(row[name] for name in names): row for row in rows[table]} for table, names in KEYS.items()}


def differences(naive: Tables, written: Tables) -> dict[str, tuple[int, float]]:
    """By table and column: how many figures there are, all of them on both sides, and how far the farthest are."""
    found: dict[str, tuple[int, float]] = {}
    for table, expected in naive.items():
        assert set(expected) == set(written[table]), table
        for key, row in expected.items():
            for column, value in row.items():
                count, far = found.get(f"{table}.{column}", (0, 0.0))
                found[f"{table}.{column}"] = (count + 1, max(far, abs(value - written[table][key][column])))
    return found


def main(release: Path, vectors: Path, results: Path) -> None:
    """Print how far the figures in *results* are from the references."""
    read = read_release(release)
    with np.load(vectors) as given:
        places = {name: place for place, name in enumerate(given["ids"].tolist())}
        order = [places[item.id] for item in read.items]
        rows = {"sentence": given["sentence"][order], "nc": given["span"][order]}
    resamples = int(read_json(results / "results.json")["signature"]["options"]["resamples"])
    for column, (count, far) in differences(naive_tables(read, rows, resamples), written_tables(results)).items():
        print(f"{column:24} {count:7} {far:.1e}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
