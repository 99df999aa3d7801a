"""The page of a comparison: leaderboard, differences with intervals, and correlogram model by model."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from ncimp.evaluator.comparison import AFFINITY, LEADING, SCALED
from ncimp.evaluator.pages import (
    MEASURES,
    RHO,
    breakable,
    by_view,
    filter_style,
    filters,
    heat_table,
    measure_head,
    outcome_segments,
    p_value,
    render,
)
from ncimp.evaluator.pages.report import compact_json
from ncimp.evaluator.records import Comparison, Difference, LeaderboardLine, Signature
from ncimp.evaluator.results import View, read_comparison, sorted_views
from ncimp.evaluator.scorecard import ALPHA, PUBLISHED
from ncimp.schemas.files import write_text
from ncimp.schemas.pages.charts import Scale, decoration, estimate, round_scale, scale_head
from ncimp.schemas.pages.kit import Cell, Content, Section, interval, join, number, page, table

PAGE = "compare.html"  # the name of the page, in the folder of the comparison

MEASURES_SHOWN = (LEADING, *(name for name in PUBLISHED if name != LEADING))
"""The measures that the page compares, the leading one first; the file has all."""


def write_comparison_page(folder: Path) -> Path:
    """Write the page of the comparison in *folder* beside it and return its path."""
    write_text(folder / PAGE, compare_page(read_comparison(folder)))
    return folder / PAGE


def compare_page(comparison: Comparison) -> str:
    """Return the page of *comparison* as HTML; the same comparison gives the same bytes."""
    views = sorted_views(View.of(row) for row in comparison.leaderboard)
    boards = by_view(views, lambda view: _leaderboard(comparison, view))
    sections = [
        Section("leaderboard", "Leaderboard", render("leaderboards", LEADING, boards)),
        Section("differences", "Differences", _differences_section(comparison, views)),
        Section("correlogram", "Correlogram", _correlogram_section(comparison, views)),
        Section("signatures", "Signatures", _signatures_table(comparison.signatures)),
    ]
    title = f"{len(comparison.signatures)} models on ncimp {comparison.release}"
    facts = (
        f"Release ncimp {comparison.release} ({comparison.logical_sha256[:12]}) · {comparison.resamples:,} resamples, "
        f"seed {comparison.seed} · code {comparison.code_version}"
    )
    head = render("head", "Which model represents idioms?", title, verdict(comparison), facts)
    return page(title, head, sections, tools=filters(views), style=filter_style(views))


def verdict(comparison: Comparison) -> str:
    """Return the model that comes first most often, over all contexts."""
    lines = [row for row in comparison.leaderboard if row.context_kind == "all"]
    settings = len({View.of(row) for row in lines})
    wins = Counter(row.model for row in lines if row.place == 1)
    if not wins:
        return "These models have nothing in common that is over all contexts."
    name, count = min(wins.items(), key=lambda pair: (-pair[1], pair[0]))
    met = sum(row.met for row in lines if row.model == name)
    total = sum(row.met + row.not_met + row.undecided for row in lines if row.model == name)
    where = "the only setting" if settings == 1 else f"{count} of {settings} settings (language and level)"
    return f"{name} comes first in {where}, and meets {met} of {total} published predictions in all."


def _leaderboard(comparison: Comparison, view: View) -> Markup:
    heads = ["Model", "Place", "Predictions", "Met", "Not met", "Undecided"]
    heads += [breakable(f"ρ of {LEADING}"), "95 % interval", breakable(AFFINITY), breakable(SCALED), "n", "Missing"]
    rows: list[list[Content | Cell]] = [
        [
            row.model,
            row.place,
            Cell(_outcome_bar(row), key=str(row.met)),
            *(row.met, row.not_met, row.undecided),
            number(row.rho),
            interval(row.low, row.high),
            number(row.affinity),
            number(row.scaled),
            row.n,
            f"{row.missing:,}",
        ]
        for row in comparison.leaderboard
        if View.of(row) == view
    ]
    return table("Leaderboard", heads, rows, sortable=True)


def _outcome_bar(row: LeaderboardLine) -> Markup:
    counts = {"met": row.met, "undecided": row.undecided, "not met": row.not_met}
    return decoration(200, 24, outcome_segments(counts, 0, 0, 200))


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference as the page shows it: *one* minus *other*."""

    one: str
    other: str
    row: Difference
    value: float | None
    low: float | None
    high: float | None

    @property
    def decided(self) -> bool:
        """True where one of both is higher by more than chance."""
        return self.value is not None and self.row.p_holm is not None and self.row.p_holm < ALPHA


def contrast(row: Difference, one: str) -> Contrast:
    """Return *row* as *one* minus the other model, whichever of both the file has first."""
    if row.first == one:
        return Contrast(one, row.second, row, row.difference, row.low, row.high)
    value, low, high = (None if x is None else -x for x in (row.difference, row.high, row.low))
    return Contrast(one, row.first, row, value, low, high)


def _differences_section(comparison: Comparison, views: Sequence[View]) -> Markup:
    leaders = {View.of(row): row.model for row in comparison.leaderboard if row.place == 1}
    shown = [row for row in comparison.differences if row.measure in MEASURES_SHOWN and View.of(row) in leaders]
    bounds = [x for row in shown if row.quantity == "mean" for x in (row.low, row.high) if x is not None]
    ends = [end for x in bounds for end in (x, -x)]
    means = round_scale([*ends, -0.1, 0.1], 8.0, 192.0)

    def content(view: View) -> Markup:
        leader = leaders[view]
        rows = [row for row in shown if View.of(row) == view]
        with_leader = [contrast(row, leader) for row in rows if leader in (row.first, row.second)]
        # the other pairs for the leading measure only: all of them would fill the page
        rest = [contrast(row, row.first) for row in rows if leader not in (row.first, row.second)]
        rest = [pair for pair in rest if pair.row.measure == LEADING]
        parts = [
            _difference_table(f"Difference in ρ with the score: {leader} minus another", with_leader, "rho", RHO),
            _difference_table(f"Difference in the mean: {leader} minus another", with_leader, "mean", means),
        ]
        if rest:
            others = _difference_table(f"Difference in ρ of {LEADING}", rest, "rho", RHO)
            parts.append(render("more", "Other pairs of models", others))
        return join(parts)

    return render("differences", by_view(views, content))


def _difference_table(caption: str, pairs: Sequence[Contrast], quantity: str, scale: Scale) -> Markup:
    same = len({pair.one for pair in pairs}) == 1
    heads = ["Measure", "Minus" if same else "Models", "Verdict", scale_head(scale)]
    heads += ["Difference", "95 % interval", "p", "Holm p", "n"]
    ordered = sorted(
        (pair for pair in pairs if pair.row.quantity == quantity),
        key=lambda pair: MEASURES_SHOWN.index(pair.row.measure),
    )
    rows: list[list[Content | Cell]] = [
        [
            measure_head(pair.row.measure),
            Cell(pair.other if same else f"{pair.one} − {pair.other}", css="text"),
            render("verdict", pair.value, pair.decided),
            Cell(estimate(scale, pair.value, pair.low, pair.high), css="plot"),
            number(pair.value),
            interval(pair.low, pair.high),
            p_value(pair.row.p),
            p_value(pair.row.p_holm),
            pair.row.n,
        ]
        for pair in ordered
    ]
    return table(caption, heads, rows, left=(0, 1, 2), tall=len(ordered) > 24)


def _correlogram_section(comparison: Comparison, views: Sequence[View]) -> Markup:
    cells: dict[tuple[View, str], dict[frozenset[str], float | None]] = {}
    for row in comparison.correlogram:
        cells.setdefault((View.of(row), row.measure), {})[frozenset((row.first, row.second))] = row.rho

    def content(view: View) -> Markup:
        models = [row.model for row in comparison.leaderboard if View.of(row) == view]
        maps = [_model_heat_table(name, models, cells.get((view, name), {})) for name in MEASURES_SHOWN]
        return join([maps[0], render("more", "Other measures", join(maps[1:]))])

    return render("model_correlogram", by_view(views, content))


def _model_heat_table(measure: str, models: Sequence[str], cells: Mapping[frozenset[str], float | None]) -> Markup:
    def value(one: int, other: int) -> float | None:
        return cells.get(frozenset((models[one], models[other])))

    return heat_table(f"{measure}: {MEASURES[measure]}", models, value, corner="Model")


def _signatures_table(signatures: Sequence[Signature]) -> Markup:
    """Return the table of signatures."""
    heads = ["Model", "Kind", "Hash", "Options of the model", "Options", "Seed", "Code"]
    rows = [
        [
            signature.model.name,
            signature.model.kind,
            render("code", signature.model.sha256[:12]) if signature.model.sha256 else "–",
            Cell(render("code", compact_json(signature.model.options)), css="text"),
            Cell(render("code", compact_json(signature.options)), css="text"),
            signature.seed,
            signature.code_version,
        ]
        for signature in signatures
    ]
    return table("What each evaluation depends on", heads, rows, left=range(5))
