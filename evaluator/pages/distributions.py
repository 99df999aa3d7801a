"""Distributions by probe and class: for each measure one panel, with a violin for each expert class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ncimp.evaluator.pages.drawing import Scale, axis, picture, round_scale, sign, violin
from ncimp.evaluator.pages.layout import by_view, cell, more, row_head, table
from ncimp.evaluator.pages.markup import Html, el, join
from ncimp.evaluator.pages.reading import Results, View
from ncimp.evaluator.pages.words import CLASSES, MEASURES, counted, interval, number
from ncimp.evaluator.records import Distribution
from ncimp.evaluator.scorecard import MARGIN, MIDDLE, PREDICTIONS

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "Similarity": ("Sim_PSyn", "Sim_PComp_max", "Sim_PWordsSyn_first", "Sim_PRand"),
    "Affinity": ("A_Syn|WordsSyn_first", "A_Syn|Rand"),
    "Scaled similarity": ("SimR_PSyn", "SimR_PComp_max", "SimR_PWordsSyn_first"),
}
"""What is drawn, by family; the tables below the figures have the other measures too."""

WIDTH, ROW, TOP, LEFT, RIGHT = 240.0, 52.0, 6.0, 8.0, 228.0
"""Pixels of a panel."""

WANTED: Mapping[str, tuple[float, float]] = {
    "high": (MIDDLE, 9.0),
    "low": (-9.0, MIDDLE),
    "near 0": (-MARGIN, MARGIN),
    "near 1": (1 - MARGIN, 9.0),
}
"""Where a prediction wants the values of a class."""

Rows = Mapping[str, Distribution]
"""The distributions of a measure by class."""


def distributions_section(results: Results) -> Html:
    """Return the panels and tables of every view."""
    found: dict[tuple[View, str], dict[str, Distribution]] = {}
    for row in results.document.distributions:
        if row.model == results.document.signature.model.name:
            view = View(row.lang, row.level, row.context_kind)
            found.setdefault((view, row.measure), {})[row.compound_class] = row
    scales = {family: _scale(found, measures) for family, measures in FAMILIES.items()}

    def content(view: View) -> Html:
        families = (_family(results, view, name, scales[name]) for name in FAMILIES)
        return join([*families, more("The same in numbers, for every measure", _numbers(view, found))])

    return join([_explanation(), by_view(results.views, content)])


def _scale(found: Mapping[tuple[View, str], Rows], measures: Sequence[str]) -> Scale:
    """Return one scale for all views, so that they can be compared; it leaves out the outer five per cent."""
    ends = [
        end
        for (_view, measure), rows in found.items()
        for row in rows.values()
        if measure in measures
        for end in (row.q05, row.q95)
        if end is not None
    ]
    return round_scale([*ends, 0.0, 1.0], LEFT, RIGHT)


def _explanation() -> Html:
    classes = [
        el(
            "li",
            el("svg", sign(name, 8, 8, 5, class_="mid"), viewBox="0 0 16 16", aria_hidden="true"),
            words,
            class_=name,
        )
        for name, words in CLASSES.items()
    ]
    wanted = el(
        "svg", el("rect", class_="want", x=0, y=2, width=16, height=12), viewBox="0 0 16 16", aria_hidden="true"
    )
    words = (
        "One value for each compound. The outline is the density, the bar the middle half, the thin line the middle "
        "90 %, the sign the median. The shaded part is where the published prediction wants the class. All views share "
        "one scale; what lies beyond it is put on its edge."
    )
    return join([el("p", words), el("ul", *classes, el("li", wanted, "wanted by the prediction"), class_="key")])


def _family(results: Results, view: View, family: str, scale: Scale) -> Html:
    panels = [panel for name in FAMILIES[family] if (panel := _panel(results, view, name, scale)) is not None]
    return join([el("h4", family), el("div", *panels, class_="panels")])


def _panel(results: Results, view: View, measure: str, scale: Scale) -> Html | None:
    values = results.values.get((view, measure))
    if not values:
        return None
    by_class = {
        name: np.array([value for key, value in values.items() if results.facts[key].compound_class == name])
        for name in CLASSES
    }
    bottom = TOP + ROW * len(CLASSES)
    rows = [part for place, name in enumerate(CLASSES) for part in _row(measure, name, by_class[name], place, scale)]
    text = "; ".join(f"{CLASSES[name]}: {_summary(by_class[name])}" for name in CLASSES)
    drawn = picture(WIDTH, bottom + 18, f"{measure} by class", *axis(scale, TOP, bottom), *rows, text=text)
    return el("figure", el("figcaption", el("b", measure), MEASURES.get(measure)), drawn, class_="panel")


def _summary(values: np.ndarray) -> str:
    if not len(values):
        return "no value"
    low, median, high = (number(float(q)) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    return f"median {median}, middle half from {low} to {high}, {counted(len(values), 'compound')}"


def _row(measure: str, name: str, values: np.ndarray, place: int, scale: Scale) -> Iterator[Html]:
    top = TOP + ROW * place
    yield from _wanted(measure, name, scale, top)
    middle = top + 33
    label = f"{CLASSES[name]} (n = {len(values)})"
    yield el("text", label, class_="soft", x=LEFT, y=top + 12)
    if len(values):
        yield el("g", *_marks(values, name, middle, scale), class_=name)


def _marks(values: np.ndarray, name: str, middle: float, scale: Scale) -> Iterator[Html]:
    q05, q25, median, q75, q95 = (scale.at(float(q)) for q in np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]))
    yield violin(scale, values, middle, 15)
    yield el("line", class_="whisker", x1=q05, x2=q95, y1=middle, y2=middle)
    yield el("rect", class_="box", x=q25, y=middle - 3, width=max(q75 - q25, 1.0), height=6)
    yield sign(name, median, middle, 5, class_="mid")


def _wanted(measure: str, name: str, scale: Scale, top: float) -> Iterator[Html]:
    for prediction in PREDICTIONS:
        for rule, classes in prediction.levels:
            if measure in prediction.measures and name in classes:
                low, high = (scale.at(end) for end in WANTED[rule])
                yield el("rect", class_="want", x=low, y=top + 17, width=high - low, height=ROW - 19)


def _numbers(view: View, found: Mapping[tuple[View, str], Rows]) -> Html:
    heads = (
        "Measure",
        "Class",
        "n",
        "Missing",
        "Mean",
        "95 % interval",
        "SD",
        "Min",
        "5 %",
        "25 %",
        "Median",
        "75 %",
        "95 %",
        "Max",
    )
    rows = [
        _number_row(measure, row)
        for (where, measure), by_class in found.items()
        if where == view
        for row in by_class.values()
    ]
    return table("Distributions by measure and class", heads, rows, tall=True, left=(0, 1))


def _number_row(measure: str, row: Distribution) -> list[Html]:
    quantiles = (row.sd, row.minimum, row.q05, row.q25, row.median, row.q75, row.q95, row.maximum)
    return [
        row_head(measure),
        cell(CLASSES.get(row.compound_class, "all"), class_="left"),
        cell(row.n),
        cell(row.missing),
        cell(number(row.mean)),
        cell(interval(row.low, row.high)),
        *(cell(number(value)) for value in quantiles),
    ]
