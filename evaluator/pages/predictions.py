"""The scorecard: the headline, the counts beside those of the shortcut baselines, and every prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ncimp.evaluator.pages.drawing import Scale, estimate, picture, scale_head
from ncimp.evaluator.pages.layout import by_view, cell, more, row_head, table, view_name
from ncimp.evaluator.pages.markup import Html, el, join
from ncimp.evaluator.pages.reading import Results, View
from ncimp.evaluator.pages.words import CLASSES, MEASURES, OUTCOMES, interval, number
from ncimp.evaluator.records import ScorecardLine

SCALE = Scale(-1.0, 1.0, 8.0, 192.0)
"""Of effects: means and correlations alike."""

ORDER = ("met", "undecided", "not met")
"""Outcomes from good to bad, as segments of a bar."""

Lines = Sequence[ScorecardLine]


def headline_counts(lines: Iterable[ScorecardLine]) -> Counter[str]:
    """Return how many published predictions over all contexts have each outcome."""
    return Counter(line.outcome for line in lines if line.published and line.context_kind == "all")


def verdict(results: Results) -> str:
    """Return what the scorecard says, in one sentence or two."""
    document = results.document
    counts = headline_counts(document.scorecard)
    total = counts.total()
    if not total:
        return "These results have no scorecard."
    views = len({(view.lang, view.level) for view in results.views if view.kind == "all"})
    first = (
        f"{document.signature.model.name} meets {counts['met']} of {total} published predictions"
        f"{f' in {views} settings' if views > 1 else ''}: {counts['not met']} are not met and {counts['undecided']} are undecided."
    )
    shortcuts = {name: headline_counts(lines) for name, lines in _by_model(document.baseline_scorecard).items()}
    if not shortcuts:
        return first
    name, best = max(shortcuts.items(), key=lambda pair: (pair[1]["met"], -pair[1]["not met"]))
    return f"{first} The best shortcut, {name}, meets {best['met']}."


def _by_model(lines: Iterable[ScorecardLine]) -> dict[str, list[ScorecardLine]]:
    found: dict[str, list[ScorecardLine]] = {}
    for line in lines:
        found.setdefault(line.model, []).append(line)
    return found


def scorecard_section(results: Results) -> Html:
    """Return the counts, and the predictions of every view beside the shortcut baselines."""
    document = results.document
    if not document.scorecard:
        return el("p", "These results have no scorecard.")
    baselines = _by_model(document.baseline_scorecard)
    words = (
        "Each prediction says how a measure should lie in some classes (its level) or go with compositionality (its correlation). It is met or "
        "not met when its whole 95 % interval is on one side, and undecided otherwise. Shortcuts know nothing of meaning: a prediction that "
        "they meet too says little about a model."
    )
    return join([el("p", words), by_view(results.views, lambda view: _view(document.scorecard, baselines, view))])


def _in_view(lines: Iterable[ScorecardLine], view: View) -> list[ScorecardLine]:
    return [line for line in lines if View(line.lang, line.level, line.context_kind) == view]


def _view(lines: Lines, baselines: Mapping[str, Lines], view: View) -> Html:
    own = _in_view(lines, view)
    others = {name: {_cell_key(line): line for line in _in_view(their, view)} for name, their in baselines.items()}
    published = [line for line in own if line.published]
    further = [line for line in own if not line.published]
    bars = {"this model": published, **{name: [x for x in rows.values() if x.published] for name, rows in others.items()}}
    return join(
        [
            _bars(bars, view),
            _table("Published predictions", published, others),
            more("Other choices of the same measures", _table("Other choices", further, others)) if further else None,
        ]
    )


def _cell_key(line: ScorecardLine) -> tuple[str, str]:
    return line.measure, line.aspect


def _bars(lines: Mapping[str, Lines], view: View) -> Html:
    """Return one bar for the model and each baseline: how many predictions have which outcome."""
    drawn: list[Html] = []
    said: list[str] = []
    for place, (name, rows) in enumerate(lines.items()):
        counts = Counter(row.outcome for row in rows)
        drawn += _bar(name, counts, place)
        said.append(f"{name}: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in ORDER))
    title = f"Predictions by outcome, {view_name(view)}"
    figure = picture(340, 30 * len(lines) + 4, title, *drawn, text="; ".join(said))
    key = el("ul", *(el("li", badge(outcome)) for outcome in ORDER), class_="key")
    return el("div", el("figure", figure, key, class_="panel"), class_="panels bars")


def _bar(name: str, counts: Counter[str], place: int) -> list[Html]:
    y, x, width = 30.0 * place + 4, 96.0, 240.0 / max(counts.total(), 1)
    parts = [el("text", name, x=0.0, y=y + 16)]
    for outcome in ORDER:
        count = counts[outcome]
        if count:
            style, mark = OUTCOMES[outcome]
            parts.append(el("rect", class_=f"seg {style}", x=x + 1, y=y, width=count * width - 2, height=24.0, rx=3))
            letters = "on" if outcome == "met" else style
            text = f"{mark} {count}" if count * width > 28 else str(count)
            parts.append(el("text", text, class_=f"count {letters}", x=x + count * width / 2, y=y + 16, text_anchor="middle"))
            x += count * width
    return parts


def badge(outcome: str) -> Html:
    """Return *outcome* with its sign."""
    style, mark = OUTCOMES[outcome]
    return el("span", el("span", mark, aria_hidden="true"), outcome, class_=f"badge {style}")


def _table(caption: str, lines: Lines, others: Mapping[str, Mapping[tuple[str, str], ScorecardLine]]) -> Html:
    heads = ["Prediction", "Outcome", scale_head(SCALE), "Effect", "95 % interval", "n", *others]
    rows = [[*_own_cells(line), *(_other_cell(rows.get(_cell_key(line))) for rows in others.values())] for line in lines]
    return table(caption, heads, rows)


def _own_cells(line: ScorecardLine) -> list[Html]:
    style = OUTCOMES[line.outcome][0]
    wanted = line.wanted.replace("_", " ")
    told = f"level: {wanted}" if line.aspect == "level" else f"correlation: {wanted}"
    decided = f", {CLASSES[line.compound_class]}" if line.compound_class else ""
    name = "mean" if line.aspect == "level" else "ρ"
    return [
        el("th", line.measure, el("small", told), scope="row", title=MEASURES.get(line.measure)),
        cell(badge(line.outcome), class_="left"),
        cell(estimate(SCALE, line.effect, line.low, line.high, class_=style)),
        cell(join([number(line.effect), el("small", f" {name}{decided}", class_="soft")])),
        cell(interval(line.low, line.high)),
        cell(line.n),
    ]


def _other_cell(line: ScorecardLine | None) -> Html:
    if line is None:
        return cell("–")
    style, mark = OUTCOMES[line.outcome]
    signed = el("span", el("span", mark, aria_hidden="true"), el("span", line.outcome, class_="hidden"), number(line.effect), class_=f"badge {style}")
    return cell(signed)
