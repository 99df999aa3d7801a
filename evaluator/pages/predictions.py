"""The scorecard: the headline, the counts beside those of the shortcut baselines, and every prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ncimp.evaluator.pages.drawing import Scale, decoration, estimate, picture, scale_head
from ncimp.evaluator.pages.layout import by_view, cell, more, table, view_name
from ncimp.evaluator.pages.markup import Child, Html, el, join
from ncimp.evaluator.pages.reading import Results, View
from ncimp.evaluator.pages.words import CLASSES, KINDS, LEVELS, MEASURES, OUTCOMES, interval, language, number
from ncimp.evaluator.records import ScorecardLine

SCALE = Scale(-1.0, 1.0, 8.0, 192.0)
"""Of effects: means and correlations alike."""

EVERY_CLASS = ", ".join(CLASSES)
"""How a prediction about all classes names them."""

NAMES = 150.0
"""Pixels for the names of bars."""

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
        f"{f' in {views} settings' if views > 1 else ''}: {counts['not met']} are not met and "
        f"{counts['undecided']} are undecided."
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
        "Each prediction says how a measure should lie in some classes (its level) or go with compositionality "
        "(its correlation). It is met or not met when its whole 95 % interval is on one side, and undecided otherwise. "
        "Shortcuts know nothing of meaning: a prediction that they meet too says little about a model."
    )
    return join(
        [el("p", words), by_view(results.views, lambda view: _view(document.scorecard, baselines, view, results.views))]
    )


def _in_view(lines: Iterable[ScorecardLine], view: View) -> list[ScorecardLine]:
    return [line for line in lines if View(line.lang, line.level, line.context_kind) == view]


def _view(lines: Lines, baselines: Mapping[str, Lines], view: View, views: Sequence[View]) -> Html:
    own = _in_view(lines, view)
    others = {name: {_cell_key(line): line for line in _in_view(their, view)} for name, their in baselines.items()}
    published = [line for line in own if line.published]
    further = [line for line in own if not line.published]
    shortcuts = {name: [line for line in rows.values() if line.published] for name, rows in others.items()}
    settings = {
        f"{language(other.lang)}, {LEVELS[other.level].lower()}": [x for x in _in_view(lines, other) if x.published]
        for other in views
        if other.kind == view.kind
    }
    return join(
        [
            el(
                "div",
                _bars({"this model": published, **shortcuts}, "This model and the shortcuts", view_name(view)),
                _bars(settings, "This model in each setting", KINDS[view.kind].lower() + " contexts"),
                class_="panels bars",
            ),
            _table("Published predictions", published, others),
            more("Other choices of the same measures", _table("Other choices", further, others)) if further else None,
        ]
    )


def _cell_key(line: ScorecardLine) -> tuple[str, str]:
    return line.measure, line.aspect


def _bars(lines: Mapping[str, Lines], title: str, where: str) -> Html:
    """Return one bar for each of *lines*: how many predictions have which outcome."""
    drawn: list[Html] = []
    said: list[str] = []
    for place, (name, rows) in enumerate(lines.items()):
        counts = Counter[str](row.outcome for row in rows)
        drawn += _bar(name, counts, place)
        said.append(f"{name}: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in ORDER))
    drawing = picture(
        340, 30 * len(lines) + 4, f"{title}, {where}: predictions by outcome", *drawn, text="; ".join(said)
    )
    key = el("ul", *(el("li", badge(outcome)) for outcome in ORDER), class_="key")
    return el("figure", el("figcaption", el("b", title), where), drawing, key, class_="panel")


def outcome_bar(counts: Mapping[str, int]) -> Html:
    """Return a bar for a cell of a table that has the same *counts* in words beside it."""
    return decoration(200, 24, *_segments(counts, 0.0, 0.0, 200.0))


def _bar(name: str, counts: Mapping[str, int], place: int) -> list[Html]:
    y = 30.0 * place + 4
    return [el("text", name, x=0.0, y=y + 16), *_segments(counts, NAMES, y, 340 - NAMES)]


def _segments(counts: Mapping[str, int], x: float, y: float, whole: float) -> list[Html]:
    parts: list[Html] = []
    width = whole / max(sum(counts.values()), 1)
    for outcome in ORDER:
        count = counts.get(outcome, 0)
        if count:
            style, mark = OUTCOMES[outcome]
            parts.append(el("rect", class_=f"seg {style}", x=x + 1, y=y, width=count * width - 2, height=24.0, rx=3))
            letters = "on" if outcome == "met" else style
            text = f"{mark} {count}" if count * width > 28 else str(count)
            parts.append(
                el("text", text, class_=f"count {letters}", x=x + count * width / 2, y=y + 16, text_anchor="middle")
            )
            x += count * width
    return parts


def badge(outcome: str) -> Html:
    """Return *outcome* with its sign."""
    style, mark = OUTCOMES[outcome]
    return el("span", el("span", mark, aria_hidden="true"), outcome, class_=f"badge {style}")


def _table(caption: str, lines: Lines, others: Mapping[str, Mapping[tuple[str, str], ScorecardLine]]) -> Html:
    heads: list[Child] = ["Prediction", "Outcome", scale_head(SCALE), "Effect and 95 % interval", "n", *others]
    rows = [
        [*_own_cells(line), *(_other_cell(rows.get(_cell_key(line))) for rows in others.values())] for line in lines
    ]
    return table(caption, heads, rows, left=(0, 1), class_="wide")


def _own_cells(line: ScorecardLine) -> list[Html]:
    style = OUTCOMES[line.outcome][0]
    wanted = line.wanted.replace(EVERY_CLASS, "every class").replace("_", " ")
    told = f"level: {wanted}" if line.aspect == "level" else f"correlation with the score: {wanted}"
    name = (
        f"mean, {CLASSES[line.compound_class]}"
        if line.compound_class
        else "ρ"
        if line.aspect == "correlation"
        else "mean"
    )
    return [
        el("th", line.measure, el("small", told), scope="row", title=MEASURES.get(line.measure)),
        cell(badge(line.outcome), class_="left"),
        cell(estimate(SCALE, line.effect, line.low, line.high, class_=style), class_="plot"),
        cell(join([f"{number(line.effect)} {interval(line.low, line.high)}", el("small", name)])),
        cell(line.n),
    ]


def _other_cell(line: ScorecardLine | None) -> Html:
    if line is None:
        return cell("–")
    style, mark = OUTCOMES[line.outcome]
    signed = el(
        "span",
        el("span", mark, aria_hidden="true"),
        el("span", line.outcome, class_="hidden"),
        number(line.effect),
        class_=f"badge {style}",
    )
    return cell(signed)
