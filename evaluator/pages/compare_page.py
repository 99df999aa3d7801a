"""The page of a comparison: leaderboard, model by model correlogram, and differences with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncimp.evaluator.comparison import AFFINITY, LEADING, SCALED
from ncimp.evaluator.pages.account import signatures_section
from ncimp.evaluator.pages.drawing import Scale, estimate, round_scale, scale_head
from ncimp.evaluator.pages.heat import breakable, heat_table
from ncimp.evaluator.pages.layout import Section, by_view, cell, document, more, row_head, table
from ncimp.evaluator.pages.markup import Child, Html, el, join
from ncimp.evaluator.pages.predictions import outcome_bar
from ncimp.evaluator.pages.reading import View, read_comparison, sorted_views
from ncimp.evaluator.pages.words import MEASURES, interval, number, p_value
from ncimp.evaluator.records import Comparison, CorrelogramCell, Difference, LeaderboardLine
from ncimp.evaluator.scorecard import ALPHA, PUBLISHED
from ncimp.schemas.files import write_text

PAGE = "compare.html"
"""The name of the page, in the folder of the comparison."""

MEASURES_SHOWN = (LEADING, *(name for name in PUBLISHED if name != LEADING))
"""The measures that the page compares, the leading one first; the file has all."""

RHO = Scale(-1.0, 1.0, 8.0, 192.0)
"""Of correlations."""


def write_comparison_page(folder: Path) -> Path:
    """Write the page of the comparison in *folder* beside it and return its path."""
    write_text(folder / PAGE, compare_page(read_comparison(folder)))
    return folder / PAGE


def compare_page(comparison: Comparison) -> str:
    """Return the page of *comparison* as HTML; the same comparison gives the same bytes."""
    views = sorted_views(_view(row) for row in comparison.leaderboard)
    models = len(comparison.signatures)
    sections = [
        Section("leaderboard", "Leaderboard", _leaderboards(comparison, views)),
        Section("differences", "Differences", _differences(comparison, views)),
        Section("correlogram", "Correlogram", _correlograms(comparison, views)),
        Section("signatures", "Signatures", signatures_section(comparison.signatures)),
    ]
    title = f"{models} models on ncimp {comparison.release}"
    facts = (
        f"Release ncimp {comparison.release} ({comparison.logical_sha256[:12]}) · {comparison.resamples:,} resamples, "
        f"seed {comparison.seed} · code {comparison.code_version}"
    )
    head = join(
        [
            el("p", "Which model represents idioms?", class_="eyebrow"),
            el("h1", title),
            el("p", verdict(comparison), class_="lead"),
            el("p", facts, class_="soft small"),
        ]
    )
    return document(title, head, views, sections)


def _view(row: LeaderboardLine | Difference | CorrelogramCell) -> View:
    return View(row.lang, row.level, row.context_kind)


def verdict(comparison: Comparison) -> str:
    """Return who comes first how often, over all contexts."""
    lines = [row for row in comparison.leaderboard if row.context_kind == "all"]
    settings = len({_view(row) for row in lines})
    wins = Counter(row.model for row in lines if row.place == 1)
    if not wins:
        return "These models have nothing in common that is over all contexts."
    name, count = min(wins.items(), key=lambda pair: (-pair[1], pair[0]))
    met = [row.met for row in lines if row.model == name]
    total = sum(row.met + row.not_met + row.undecided for row in lines if row.model == name)
    where = "the only setting" if settings == 1 else f"{count} of {settings} settings (language and level)"
    return f"{name} comes first in {where}, and meets {sum(met)} of {total} published predictions in all."


def _leaderboards(comparison: Comparison, views: Sequence[View]) -> Html:
    words = (
        "First is who meets most of the published predictions; among equals, who misses fewest, then who has the "
        f"largest ρ of {LEADING}. A heading sorts by its column."
    )
    return join([el("p", words), by_view(views, lambda view: _leaderboard(comparison, view))])


def _leaderboard(comparison: Comparison, view: View) -> Html:
    heads: list[Child] = ["Model", "Place", "Predictions", "Met", "Not met", "Undecided"]
    heads += [breakable(f"ρ of {LEADING}"), "95 % interval", breakable(AFFINITY), breakable(SCALED), "n", "Missing"]
    rows = [
        [
            row_head(row.model),
            cell(row.place),
            cell(_bar(row), data_key=str(row.met)),
            *(cell(count) for count in (row.met, row.not_met, row.undecided)),
            cell(number(row.rho)),
            cell(interval(row.low, row.high)),
            cell(number(row.affinity)),
            cell(number(row.scaled)),
            cell(row.n),
            cell(f"{row.missing:,}"),
        ]
        for row in comparison.leaderboard
        if _view(row) == view
    ]
    return table("Leaderboard", heads, rows, sortable=True)


def _bar(row: LeaderboardLine) -> Html:
    return outcome_bar({"met": row.met, "undecided": row.undecided, "not met": row.not_met})


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference as the page shows it: *one* minus *other*."""

    one: str
    other: str
    row: Difference
    value: float | None
    low: float | None
    high: float | None


def contrast(row: Difference, one: str) -> Contrast:
    """Return *row* as *one* minus the other model, whichever of both the file has first."""
    if row.first == one:
        return Contrast(one, row.second, row, row.difference, row.low, row.high)
    value, low, high = (None if x is None else -x for x in (row.difference, row.high, row.low))
    return Contrast(one, row.first, row, value, low, high)


def _differences(comparison: Comparison, views: Sequence[View]) -> Html:
    leaders = {_view(row): row.model for row in comparison.leaderboard if row.place == 1}
    shown = [row for row in comparison.differences if row.measure in MEASURES_SHOWN and _view(row) in leaders]
    ends = [
        end for row in shown if row.quantity == "mean" for x in (row.low, row.high) if x is not None for end in (x, -x)
    ]
    scales = {"rho": RHO, "mean": round_scale([*ends, -0.1, 0.1], 8.0, 192.0)}
    words = (
        "The model in first place minus each other, over the same compounds, by paired bootstrap. It is higher or "
        "lower when p, by Holm's correction over the pairs of models for the same figure, is below 0.05. Whether "
        "higher is better depends on the measure."
    )

    def content(view: View) -> Html:
        rows = [row for row in shown if _view(row) == view]
        leader = leaders[view]
        own = [contrast(row, leader) for row in rows if leader in (row.first, row.second)]
        rest = [contrast(row, row.first) for row in rows if leader not in (row.first, row.second)]
        return join(
            [
                _difference_table(f"Difference in ρ with the score: {leader} minus another", own, "rho", scales["rho"]),
                _difference_table(f"Difference in the mean: {leader} minus another", own, "mean", scales["mean"]),
                _others(rest, scales["rho"]),
            ]
        )

    return join([el("p", words), by_view(views, content)])


def _others(rest: Sequence[Contrast], scale: Scale) -> Html | None:
    """Return the pairs without the leader, for the leading measure: all of them would fill the page."""
    leading = [one for one in rest if one.row.measure == LEADING]
    if not leading:
        return None
    return more("Other pairs of models", _difference_table(f"Difference in ρ of {LEADING}", leading, "rho", scale))


def _difference_table(caption: str, rows: Sequence[Contrast], quantity: str, scale: Scale) -> Html:
    same = len({one.one for one in rows}) == 1
    heads = [
        "Measure",
        "Minus" if same else "Models",
        "Verdict",
        scale_head(scale),
        "Difference",
        "95 % interval",
        "p",
        "Holm p",
        "n",
    ]
    ordered = sorted(
        (one for one in rows if one.row.quantity == quantity), key=lambda one: MEASURES_SHOWN.index(one.row.measure)
    )
    return table(
        caption,
        heads,
        [_difference_row(one, scale, same=same) for one in ordered],
        left=(0, 1, 2),
        tall=len(ordered) > 24,
    )


def _difference_row(one: Contrast, scale: Scale, *, same: bool) -> list[Html]:
    row = one.row
    return [
        row_head(row.measure, MEASURES.get(row.measure)),
        cell(one.other if same else f"{one.one} − {one.other}", class_="text"),
        cell(decided(one), class_="left"),
        cell(estimate(scale, one.value, one.low, one.high), class_="plot"),
        cell(number(one.value)),
        cell(interval(one.low, one.high)),
        cell(p_value(row.p)),
        cell(p_value(row.p_holm)),
        cell(row.n),
    ]


def decided(one: Contrast) -> Html:
    """Return which of both is higher: neither good nor bad by itself, so without a colour."""
    if one.value is None or one.row.p_holm is None or one.row.p_holm >= ALPHA:
        return el("span", "undecided", class_="soft")
    return el("b", "▲ higher" if one.value > 0 else "▼ lower")


def _correlograms(comparison: Comparison, views: Sequence[View]) -> Html:
    words = (
        "Spearman's correlation of a measure under two models, over the compounds that both have a value for: models "
        "that rank compounds alike make the same mistakes."
    )
    cells: dict[tuple[View, str], dict[frozenset[str], float | None]] = {}
    for row in comparison.correlogram:
        cells.setdefault((_view(row), row.measure), {})[frozenset((row.first, row.second))] = row.rho

    def content(view: View) -> Html | None:
        maps = [_correlogram(name, cells.get((view, name), {}), comparison, view) for name in MEASURES_SHOWN]
        return join([maps[0], more("Other measures", *maps[1:])])

    return join([el("p", words), by_view(views, content)])


def _correlogram(name: str, cells: Mapping[frozenset[str], float | None], comparison: Comparison, view: View) -> Html:
    models = [row.model for row in comparison.leaderboard if _view(row) == view]

    def value(one: int, other: int) -> float | None:
        return cells.get(frozenset((models[one], models[other])))

    return heat_table(f"{name}: {MEASURES[name]}", models, value, corner="Model")
