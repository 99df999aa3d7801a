"""Correlations with compositionality, with controls, and the correlogram of measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ncimp.evaluator.correlation import MIN_COMPOUNDS, TIE_DECIMALS
from ncimp.evaluator.figures import CLASS_SCORES
from ncimp.evaluator.pages.drawing import Scale, estimate, scale_head
from ncimp.evaluator.pages.heat import heat_table
from ncimp.evaluator.pages.layout import by_view, cell, row_head, table
from ncimp.evaluator.pages.markup import Child, Html, el, join
from ncimp.evaluator.pages.reading import Results, View
from ncimp.evaluator.pages.words import MEASURES, interval, number, p_value
from ncimp.evaluator.records import Result
from ncimp.evaluator.runtime import require
from ncimp.evaluator.scorecard import PUBLISHED

SCALE = Scale(-1.0, 1.0, 8.0, 192.0)
"""Of correlations."""

CONTROLS: Mapping[str, str] = {
    "overlap": "given overlap",
    "length": "given length",
    "frequency": "given frequency",
    "all": "given all three",
}
"""What is held constant, in words."""

SCORE = "score"
"""The line of the correlogram that is no measure: human score or ordinal class."""

CORRELOGRAM = (PUBLISHED[0], "Sim_PComp_head", "Sim_PComp_mod", *PUBLISHED[1:])
"""The measures of the correlogram: the published ones, and each component by itself."""


def correlations_section(results: Results) -> Html:
    """Return the table of correlations of every view."""
    partial: dict[tuple[View, str, str], float | None] = {
        (View(row.lang, row.level, row.context_kind), row.measure, row.given): row.rho
        for row in results.document.partial
    }
    free = {(View(row.lang, row.level, row.context_kind), row.measure): row for row in results.document.overlap_free}
    words = (
        "ρ is Spearman's, over compounds, with the human score or, where a language has none, with the expert class in "
        "order; the interval is by bootstrap, and Holm's p is corrected over all of them. The last columns hold "
        "constant what a shortcut could use, or leave only the compounds that share no word with their synonym."
    )

    def content(view: View) -> Html:
        rows = [row for row in results.document.results if View(row.lang, row.level, row.context_kind) == view]
        score = "human score" if rows and rows[0].score == "human" else "expert class (no human scores)"
        heads: list[Child] = [
            "Measure",
            "Mean",
            scale_head(SCALE),
            "ρ and 95 % interval",
            "p",
            "Holm p",
            "n",
            "Missing",
        ]
        heads += [*(CONTROLS.values() if partial else ()), *(["no overlap", "n"] if free else [])]
        cells = [
            [*_cells(row), *_controls(view, row.measure, partial), *_free(free.get((view, row.measure)), bool(free))]
            for row in rows
        ]
        return table(f"Correlation with the {score}", heads, cells)

    return join([el("p", words), by_view(results.views, content)])


def _cells(row: Result) -> list[Html]:
    return [
        row_head(row.measure, MEASURES.get(row.measure)),
        cell(number(row.mean)),
        cell(estimate(SCALE, row.rho, row.low, row.high), class_="plot"),
        cell(f"{number(row.rho)} {interval(row.low, row.high)}"),
        cell(p_value(row.p)),
        cell(p_value(row.p_holm)),
        cell(row.n),
        cell(f"{row.missing:,}"),
    ]


def _controls(view: View, measure: str, partial: Mapping[tuple[View, str, str], float | None]) -> list[Html]:
    return [cell(number(partial.get((view, measure, given)))) for given in CONTROLS] if partial else []


def _free(row: Result | None, shown: bool) -> list[Html]:
    if not shown:
        return []
    return [cell("–"), cell("–")] if row is None else [cell(number(row.rho)), cell(row.n)]


def correlogram_section(results: Results) -> Html:
    """Return how measures go together over compounds, for every view."""
    words = (
        "Spearman's correlation of each two measures over the compounds that have both. Measures that rank compounds "
        "alike say the same thing twice; the first row is the score. Blue is positive, orange negative."
    )
    return join([el("p", words), by_view(results.views, lambda view: _correlogram(results, view))])


def _correlogram(results: Results, view: View) -> Html:
    names = [SCORE, *(name for name in CORRELOGRAM if results.values.get((view, name)))]
    columns = [_score(results, view), *(results.values[view, name] for name in names[1:])]
    cells = {(a, b): spearman(columns[a], columns[b]) for a in range(len(names)) for b in range(a)}
    return heat_table("Correlogram of measures", names, lambda a, b: cells.get((max(a, b), min(a, b))))


def _score(results: Results, view: View) -> dict[str, float]:
    """Return the human scores of the compounds of a language where there are any, else their ordinal classes."""
    chosen = {key: facts for key, facts in results.facts.items() if key.startswith(f"{view.lang}/")}
    human = {key: facts.comp for key, facts in chosen.items() if facts.comp is not None}
    return human or {key: CLASS_SCORES[facts.compound_class] for key, facts in chosen.items()}


def spearman(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Return Spearman's rho over the keys that both have, None where it is undefined."""
    keys = [key for key in one if key in other]
    if len(keys) < MIN_COMPOUNDS:
        return None
    first, second = (_ranks([values[key] for key in keys]) for values in (one, other))
    product = float(np.sqrt((first * first).sum() * (second * second).sum()))
    return float((first * second).sum()) / product if product else None


def _ranks(values: Sequence[float]) -> np.ndarray:
    """Return centred ranks; values are compared to `TIE_DECIMALS`, as everywhere in an evaluation."""
    return np.asarray(require("scipy.stats").rankdata(np.round(values, TIE_DECIMALS)) - (len(values) + 1) / 2)
