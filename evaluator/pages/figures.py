"""The figures of a report: scorecard, distributions by class, correlations and correlogram."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from markupsafe import Markup

from ncimp.evaluator import pages
from ncimp.evaluator.correlation import plain_rho
from ncimp.evaluator.figures import QUANTILES, scores
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.records import Distribution, ScorecardLine
from ncimp.evaluator.results import Results, View
from ncimp.evaluator.scorecard import MARGIN, MIDDLE, PREDICTIONS, PUBLISHED, attainable
from ncimp.evaluator.verdict import by_model
from ncimp.schemas import Row
from ncimp.schemas.pages.charts import Scale, estimate, outline, picture, round_scale, scale_head, sign
from ncimp.schemas.pages.kit import Cell, Content, interval, join, macros, number, table

Lines = Sequence[ScorecardLine]

# the measures with a chart, by family; the tables below the charts have the other measures too
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "Similarity": ("Sim_PSyn", "Sim_PComp_max", "Sim_PWordsSyn_first", "Sim_PRand"),
    "Affinity": ("A_Syn|WordsSyn_first", "A_Syn|Rand"),
    "Scaled similarity": ("SimR_PSyn", "SimR_PComp_max", "SimR_PWordsSyn_first"),
}
# pixels: width of a chart, height of a class in it, margin above, ends of the scale
PANEL, ROW, TOP, LEFT, RIGHT = 240.0, 52.0, 6.0, 8.0, 228.0
NAMES_WIDTH = 150.0  # pixels for the names of bars
EXPECTED: Mapping[str, tuple[float, float]] = {  # values that a prediction expects of a class
    "high": (MIDDLE, 9.0),
    "low": (-9.0, MIDDLE),
    "near 0": (-MARGIN, MARGIN),
    "near 1": (1 - MARGIN, 9.0),
}
CONTROLS: Mapping[str, str] = {  # variables that a partial correlation holds constant
    "overlap": "given overlap",
    "length": "given length",
    "frequency": "given frequency",
    "all": "given all three",
}
# captions of the published predictions, by what the ideal model gets
REACH: Mapping[str, str] = {
    "met": "Predictions that can be met",
    "undecided": "Counted apart: with so few compounds they can fail, but not be met",
    "not met": "Counted apart: the ideal model does not meet them either",
}
SCORE = "score"  # the first row of the correlogram: human score or ordinal class
CORRELOGRAM = (PUBLISHED[0], "Sim_PComp_head", "Sim_PComp_mod", *PUBLISHED[1:])  # the published ones and each component


def scorecard_section(results: Results) -> Markup:
    """Return the counts of outcomes, and the predictions of every view beside the ideal model and the shortcuts."""
    lines, views = results.document.scorecard, results.views
    if not lines:
        return pages.render("text", "These results have no scorecard.", "")
    baselines = by_model(results.document.baseline_scorecard)

    def content(view: View) -> Markup:
        others = {name: _in_view(their, view) for name, their in baselines.items()}
        published, further = _in_view(lines, view, published=True), _in_view(lines, view, published=False)
        bars = {"this model": attainable(published)}
        bars |= {name: attainable(their) for name, their in others.items()}
        settings = {
            f"{pages.LANGUAGES.get(other.lang, other.lang)}, {pages.LEVELS[other.level].lower()}": attainable(
                _in_view(lines, other)
            )
            for other in views
            if other.kind == view.kind
        }
        charts = [
            _outcome_bars(bars, "This model, the ideal one and the shortcuts", pages.view_name(view)),
            _outcome_bars(settings, "This model in each setting", pages.KINDS[view.kind].lower() + " contexts"),
        ]
        parts = [pages.render("panels", join(charts), "bars")]
        for ideal, caption in REACH.items():
            if reached := [line for line in published if line.ideal == ideal]:
                predictions = _predictions(caption, reached, others)
                parts.append(predictions if ideal == "met" else pages.render("more", caption, predictions))
        if further:
            other_choices = _predictions("Other choices", further, others)
            parts.append(pages.render("more", "Other choices of the same measures", other_choices))
        return join(parts)

    return pages.render("scorecard", pages.by_view(views, content))


def _in_view(lines: Iterable[ScorecardLine], view: View, *, published: bool | None = None) -> list[ScorecardLine]:
    return [line for line in lines if View.of(line) == view and published in (None, line.published)]


def _outcome_bars(lines: Mapping[str, Lines], title: str, where: str) -> Markup:
    """Return one bar for each of *lines*: how many predictions have which outcome."""
    charts = macros("kit/charts.jinja")
    parts: list[Markup] = []
    words: list[str] = []
    for place, (name, rows) in enumerate(lines.items()):
        counts = Counter[str](row.outcome for row in rows)
        y = 30.0 * place + 4
        parts += [charts.text(0, y + 16, name, ""), *pages.outcome_segments(counts, NAMES_WIDTH, y, 340 - NAMES_WIDTH)]
        words.append(f"{name}: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in pages.OUTCOMES))
    label = f"{title}, {where}: predictions by outcome"
    drawing = picture(340, 30 * len(lines) + 4, label, parts, "; ".join(words))
    badges = [pages.render("badge", css, mark, outcome) for outcome, (css, mark) in pages.OUTCOMES.items()]
    return pages.render("outcome_bars", title, where, drawing, badges)


def _predictions(caption: str, lines: Lines, others: Mapping[str, Lines]) -> Markup:
    by_prediction = [{(line.measure, line.aspect): line for line in rows} for rows in others.values()]
    rows = []
    for line in lines:
        cells = _prediction_cells(line)
        for shortcuts in by_prediction:
            other = shortcuts.get((line.measure, line.aspect))
            badge = other and (*pages.OUTCOMES[other.outcome], other.outcome, number(other.effect))
            cells.append(pages.render("small_badge", *badge) if badge else "–")
        rows.append(cells)
    heads = ["Prediction", "Outcome", scale_head(pages.RHO), "Effect and 95 % interval", "n", *others]
    return table(caption, heads, rows, left=(0, 1), css="wide")


def _prediction_cells(line: ScorecardLine) -> list[Content | Cell]:
    css, mark = pages.OUTCOMES[line.outcome]
    expected = line.wanted.replace(", ".join(pages.CLASSES), "every class").replace("_", " ")
    aspect = {"sign": "mean", "correlation": "correlation with the score"}.get(line.aspect, line.aspect)
    quantity = "ρ" if line.aspect == "correlation" else "mean"
    if line.compound_class:
        quantity = f"mean, {pages.CLASSES[line.compound_class]}"
    return [
        Cell(pages.MEASURES.get(line.measure, ""), note=f"{line.measure} · {aspect}: {expected}"),
        pages.render("badge", css, mark, line.outcome),
        Cell(estimate(pages.RHO, line.effect, line.low, line.high, css), css="plot"),
        Cell(f"{number(line.effect)} {interval(line.low, line.high)}", note=quantity),
        line.n,
    ]


def distributions_section(results: Results) -> Markup:
    """Return for each measure one chart with a violin for each class, and the figures as a table."""
    by_measure: dict[tuple[View, str], list[Distribution]] = {}
    for row in results.document.distributions:
        if row.model == results.document.signature.model.name:
            by_measure.setdefault((View.of(row), row.measure), []).append(row)
    # one scale for all views, so that they can be compared; it leaves out the outer five per cent
    scales = {}
    for family, measures in FAMILIES.items():
        shown = [row for (_, measure), rows in by_measure.items() if measure in measures for row in rows]
        ends = [end for row in shown for end in (row.q05, row.q95) if end is not None]
        scales[family] = round_scale([*ends, 0.0, 1.0], LEFT, RIGHT)

    def content(view: View) -> Markup:
        parts = [
            pages.render("family", name, join(_panels(results, view, measures, scales[name])))
            for name, measures in FAMILIES.items()
        ]
        rows = [row for (where, _), rows in by_measure.items() if where == view for row in rows]
        return join([*parts, pages.render("more", "The same in numbers, for every measure", _distribution_table(rows))])

    classes = [(css, name, sign(css, 8, 8, 5, "mid")) for css, name in pages.CLASSES.items()]
    return pages.render("distributions", classes, pages.by_view(results.views, content))


def _panels(results: Results, view: View, measures: Sequence[str], scale: Scale) -> Iterator[Markup]:
    for measure in measures:
        values = results.values.get((view, measure))
        if values:
            by_class = {
                name: np.array([value for key, value in values.items() if results.facts[key].compound_class == name])
                for name in pages.CLASSES
            }
            rows = [_class_row(measure, name, by_class[name], at, scale) for at, name in enumerate(pages.CLASSES)]
            summary = "; ".join(f"{pages.CLASSES[name]}: {_summary(by_class[name])}" for name in pages.CLASSES)
            size = (PANEL, TOP, TOP + ROW * len(pages.CLASSES))
            yield pages.render("distribution_panel", measure, pages.MEASURES.get(measure), scale, *size, rows, summary)


def _summary(values: FloatArray) -> str:
    if not len(values):
        return "no value"
    low, median, high = (number(float(q)) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    return f"median {median}, middle half from {low} to {high}, {pages.counted(len(values), 'compound')}"


def _class_row(measure: str, name: str, values: FloatArray, place: int, scale: Scale) -> Row:
    """Return the row of one class for the template: pixels of its violin, quantiles and expected values."""
    top = TOP + ROW * place
    middle = top + 33
    expected = [
        tuple(scale.at(end) for end in EXPECTED[rule])
        for prediction in PREDICTIONS
        for rule, classes in prediction.levels
        if measure in prediction.measures and name in classes
    ]
    row: Row = {"css": name, "label": f"{pages.CLASSES[name]} (n = {len(values)})", "top": top, "height": ROW}
    row |= {"middle": middle, "expected": expected, "outline": []}
    if len(values):
        row["outline"] = outline(scale, values, middle, 15)
        quantiles = np.quantile(values, list(QUANTILES.values()))
        row |= {label: scale.at(float(q)) for label, q in zip(QUANTILES, quantiles, strict=True)}
        row["sign"] = sign(name, row["median"], middle, 5, "mid")
    return row


def _distribution_table(rows: Iterable[Distribution]) -> Markup:
    heads = ["Measure", "Class", "n", "Missing", "Mean", "95 % interval", "SD", "Min"]
    heads += ["5 %", "25 %", "Median", "75 %", "95 %", "Max"]
    cells: list[list[Content | Cell]] = []
    for row in rows:
        name, ends = pages.CLASSES.get(row.compound_class, "all"), interval(row.low, row.high)
        quantiles = (row.sd, row.minimum, row.q05, row.q25, row.median, row.q75, row.q95, row.maximum)
        values = (number(row.mean), ends, *map(number, quantiles))
        cells.append([pages.measure_head(row.measure), name, row.n, row.missing, *values])
    return table("Distributions by measure and class", heads, cells, tall=True, left=(0, 1))


def correlations_section(results: Results) -> Markup:
    """Return the table of correlations with the score of every view, with controls."""
    document = results.document
    partial = {(View.of(row), row.measure, row.given): row.rho for row in document.partial}
    free = {(View.of(row), row.measure): row for row in document.overlap_free}

    def controls(view: View, measure: str) -> Iterator[Content]:
        if partial:
            yield from (number(partial.get((view, measure, control))) for control in CONTROLS)  # type: ignore[arg-type]
        if free:
            row = free.get((view, measure))
            yield from ("–", "–") if row is None else (number(row.rho), row.n)

    heads: list[Content] = ["Measure", "Mean", scale_head(pages.RHO), "ρ and 95 % interval", "p", "Holm p", "n"]
    heads += ["Missing", *(CONTROLS.values() if partial else ()), *(["no overlap", "n"] if free else [])]

    def content(view: View) -> Markup:
        rows = [row for row in document.results if View.of(row) == view]
        score = "human score" if rows and rows[0].score == "human" else "class of the pack (no human scores)"
        cells: list[list[Content | Cell]] = []
        for row in rows:
            plot = Cell(estimate(pages.RHO, row.rho, row.low, row.high), css="plot")
            rho = f"{number(row.rho)} {interval(row.low, row.high)}"
            p_values = [pages.p_value(p) for p in (row.p, row.p_holm)]
            counts = [row.n, f"{row.missing:,}", *controls(view, row.measure)]
            cells.append([pages.measure_head(row.measure), number(row.mean), plot, rho, *p_values, *counts])
        return table(f"Correlation with the {score}", heads, cells)

    return pages.render("correlations", pages.by_view(results.views, content))


def correlogram_section(results: Results) -> Markup:
    """Return the correlations of the measures over compounds, for every view."""

    def content(view: View) -> Markup:
        names = [SCORE, *(name for name in CORRELOGRAM if results.values.get((view, name)))]
        compounds = {key: facts for key, facts in results.facts.items() if facts.lang == view.lang}
        scored = zip(compounds, scores(compounds.values())[1].tolist(), strict=True)
        columns: dict[str, Mapping[str, float]] = {}
        columns[SCORE] = {key: score for key, score in scored if not math.isnan(score)}
        columns |= {name: results.values[view, name] for name in names[1:]}
        pairs = itertools.combinations(names, 2)
        rhos = {frozenset(pair): spearman(columns[pair[1]], columns[pair[0]]) for pair in pairs}
        return pages.heat_table("Correlogram of measures", names, rhos)

    return pages.render("correlogram", pages.by_view(results.views, content))


def spearman(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Return Spearman's rho over the keys that both have, None where it is undefined."""
    keys = [key for key in one if key in other]
    return plain_rho(np.array([one[key] for key in keys]), np.array([other[key] for key in keys]))
