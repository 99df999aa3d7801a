"""Pages of evaluations and comparisons: self-contained HTML, made from the files of a results folder alone.

Here are the page of a comparison, and what both pages share: words, views and heat maps. `report` puts the page of an
evaluation together, `figures` prepares its charts and tables. Markup stands in `templates/`, on top of the kit
`ncimp.schemas.pages`.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from markupsafe import Markup

from ncimp.evaluator.comparison import AFFINITY, LEADING, SCALED
from ncimp.evaluator.figures import CLASS_SCORES
from ncimp.evaluator.records import Comparison, Difference, Signature, SuiteDifference
from ncimp.evaluator.results import View, read_comparison, sorted_views
from ncimp.evaluator.scorecard import ALPHA, PREDICTIONS, PUBLISHED
from ncimp.schemas import write_text
from ncimp.schemas.pages.charts import Scale, bar, decoration, estimate, round_scale, scale_head
from ncimp.schemas.pages.kit import STEPS, Cell, Content, Section, interval, join, macros, number, page, table

RHO = Scale(-1.0, 1.0, 8.0, 192.0)  # scale of correlations, means and effects
CLASSES: Mapping[str, str] = {name: name.replace("_", " ") for name in CLASS_SCORES}
LEVELS: Mapping[str, str] = {"sentence": "Sentence", "nc": "Compound"}
KINDS: Mapping[str, str] = {"all": "All", "naturalistic": "Naturalistic", "neutral": "Neutral"}
LANGUAGES: Mapping[str, str] = {
    "de": "German",
    "en": "English",
    "fr": "French",
    "gl": "Galician",
    "it": "Italian",
    "pt": "Portuguese",
}
"""Names of languages; another one is shown by its code."""
CONTEXTS: Mapping[str, str] = {
    "nat1": "naturalistic 1",
    "nat2": "naturalistic 2",
    "nat3": "naturalistic 3",
    "neut_short": "neutral, short",
    "neut_long": "neutral, long",
}
# class of style and sign of each outcome of the scorecard, from good to bad
OUTCOMES: Mapping[str, tuple[str, str]] = {
    "met": ("yes", "✓"),
    "undecided": ("open", "?"),
    "not met": ("no", "✕"),
    "reversed": ("no", "⇄"),
}
MEASURES: Mapping[str, str] = {
    "Sim_PSyn": "similarity to the true synonym",
    "Sim_PComp_head": "similarity to the head alone",
    "Sim_PComp_mod": "similarity to the modifier alone",
    "Sim_PComp_max": "similarity to the nearer component",
    "Sim_PComp_mean": "similarity to the components, mean",
    "Sim_PWordsSyn_first": "similarity to synonyms of each word",
    "Sim_PWordsSyn_mean": "similarity to synonyms of each word, mean of five",
    "Sim_PRand": "similarity to random words",
    "A_Syn|WordsSyn_first": "true synonym against synonyms of each word",
    "A_Syn|WordsSyn_mean": "true synonym against synonyms of each word, mean of five",
    "A_Syn|Rand": "true synonym against random words",
    "SimR_PSyn": "true synonym, scaled from random (0) to the same (1)",
    "SimR_PComp_head": "head alone, scaled",
    "SimR_PComp_mod": "modifier alone, scaled",
    "SimR_PComp_max": "nearer component, scaled",
    "SimR_PComp_mean": "components, scaled, mean",
    "SimR_PWordsSyn_first": "synonyms of each word, scaled",
    "SimR_PWordsSyn_mean": "synonyms of each word, scaled, mean of five",
}
# fields in which views differ, with the legend and the words of their filter
AXES = {"lang": ("Language", LANGUAGES), "level": ("Level", LEVELS), "kind": ("Contexts", KINDS)}
# the value that each rule of a prediction wants, which may lie beyond what there is
TARGETS = {"none": 0.0, "near 0": 0.0, "near 1": 1.0, "negative": -math.inf, "low": -math.inf}
TARGETS |= dict.fromkeys(("high", "positive", "positive, strong"), math.inf)
COMPARISON_PAGE = "compare.html"  # the name of the page, in the folder of the comparison
MEASURES_SHOWN = (LEADING, *(name for name in PUBLISHED if name != LEADING))  # on the page; the file has all


def render(macro: str, *arguments: object) -> Markup:
    """Return the markup that the *macro* of the template makes of its *arguments*, which it escapes."""
    markup: Markup = getattr(macros("evaluation.jinja", "ncimp.evaluator.pages"), macro)(*arguments)
    return markup


def p_value(p: float | None) -> str:
    """Return a p value as a paper prints it.

    >>> p_value(0.00001), p_value(0.0437), p_value(None)
    ('< 0.001', '0.044', '–')
    """
    return "–" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def counted(count: int, noun: str) -> str:
    """Return *count* with its *noun*.

    >>> counted(1, "compound"), counted(1200, "item")
    ('1 compound', '1,200 items')
    """
    return f"{count:,} {noun if count == 1 else noun + 's'}"


def breakable(name: str) -> Markup:
    """Return *name* with places where a line may break, after `_` and `|`."""
    return Markup("<wbr>").join([*re.split("(?<=[|_])", name), ""])


def measure_head(measure: str) -> Cell:
    """Return the first cell of a row about *measure*: its words, then its symbol."""
    return Cell(MEASURES.get(measure, ""), note=measure)


def outcome_segments(counts: Mapping[str, int], x: float, y: float, width: float) -> list[Markup]:
    """Return a bar that shows how many predictions have each outcome."""
    segments = []
    unit = width / max(sum(counts.values()), 1)
    for outcome, (css, mark) in OUTCOMES.items():
        count = counts.get(outcome, 0)
        if count:
            label = f"{mark} {count}" if count * unit > 28 else str(count)
            letters = f"count {'on' if outcome == 'met' else css}"
            segments.append(bar(x + 1, y, count * unit - 2, 24, f"seg {css}", label, letters))
            x += count * unit
    return segments


def heat_table(
    caption: str, names: Sequence[str], rhos: Mapping[frozenset[str], float | None], *, corner: str = "Measure"
) -> Markup:
    """Return the correlation *rhos* of each two of *names*, both ways round; the diagonal is empty."""

    def cell(row: str, column: str) -> Cell:
        rho = rhos.get(frozenset((row, column)))
        if rho is None:
            return Cell("" if row == column else "–")
        return Cell(number(rho), css=f"h{round(rho * STEPS) + STEPS}")

    rows: list[list[Content | Cell]] = [[name, *(cell(name, other) for other in names)] for name in names]
    return table(caption, [render("hidden", corner), *map(breakable, names)], rows, css="heat")


def by_view(views: Iterable[View], content: Callable[[View], Markup]) -> Markup:
    """Return the *content* of each of *views*; the filters show one at a time."""
    return join(render("view", view, view_name(view), content(view)) for view in views)


def view_name(view: View) -> str:
    """Return *view* in words."""
    contexts = "all contexts" if view.kind == "all" else f"{KINDS[view.kind].lower()} contexts"
    return f"{LANGUAGES.get(view.lang, view.lang)} · {LEVELS[view.level].lower()} level · {contexts}"


def filters(views: Sequence[View]) -> Markup:
    """Return a group of buttons for each axis on which *views* differ; a browser without `:has` shows all views."""
    groups = [
        (axis, legend, [(value, words.get(value, value)) for value in values])
        for axis, (legend, words) in AXES.items()
        if len(values := dict.fromkeys(getattr(view, axis) for view in views)) > 1
    ]
    return render("filters", groups) if groups else Markup()


def filter_style(views: Sequence[View]) -> str:
    """Return the style rules that hide the views which the filters do not show."""
    return "".join(
        f'body:has(#{axis}-{value}:checked) .view[data-{axis}]:not([data-{axis}="{value}"]){{display:none}}'
        for axis in AXES
        if len(values := dict.fromkeys(getattr(view, axis) for view in views)) > 1
        for value in values
    )


def compact_json(value: Mapping[str, object]) -> str:
    """Return *value* as JSON in one line, its keys sorted."""
    return json.dumps(dict(value), ensure_ascii=False, sort_keys=True)


def write_comparison_page(folder: Path) -> Path:
    """Write the page of the comparison in *folder* beside it and return its path."""
    write_text(folder / COMPARISON_PAGE, compare_page(read_comparison(folder)))
    return folder / COMPARISON_PAGE


def compare_page(comparison: Comparison) -> str:
    """Return the page of *comparison* as HTML; the same comparison gives the same bytes."""
    views = sorted_views(View.of(row) for row in comparison.leaderboard)
    boards = by_view(views, lambda view: _leaderboard(comparison, view))
    sections = (
        [Section("suite", "Tasks", _suite_section(comparison.suites))]
        if comparison.suites
        else [
            Section("leaderboard", "Leaderboard", render("leaderboards", LEADING, boards)),
            Section("differences", "Differences", _differences_section(comparison, views)),
            Section("correlogram", "Correlogram", _correlogram_section(comparison, views)),
        ]
    )
    sections.append(Section("signatures", "Signatures", _signatures_table(comparison.signatures)))
    title = f"{len(comparison.signatures)} models on ncimp {comparison.release}"
    facts = (
        f"Release ncimp {comparison.release} ({comparison.logical_sha256[:12]}) · {comparison.resamples:,} resamples, "
        f"seed {comparison.seed} · code {comparison.code_version}"
    )
    head = render("head", "Which model represents idioms?", title, comparison_verdict(comparison), facts)
    return page(title, head, sections, tools=filters(views), style=filter_style(views))


def comparison_verdict(comparison: Comparison) -> str:
    """Return the model that comes first most often, over all contexts."""
    lines = [row for row in comparison.leaderboard if row.context_kind == "all"]
    if comparison.suites:
        rows = comparison.suites
        apart = sum(row.p_holm is not None and row.p_holm < ALPHA for row in rows)
        return f"{apart} of {len(rows)} figures differ between models after Holm's correction."
    settings = len({View.of(row) for row in lines})
    wins = Counter(row.model for row in lines if row.place == 1)
    if not wins:
        return "These models have nothing in common that is over all contexts."
    name, count = min(wins.items(), key=lambda pair: (-pair[1], pair[0]))
    met = sum(row.met for row in lines if row.model == name)
    total = sum(row.met for row in lines if not row.place)
    where = "the only setting" if settings == 1 else f"{count} of {settings} settings (language and level)"
    sure = sum(row.model == name and row.place_high == 1 for row in lines)
    where += ", beyond chance" if sure == count else f", {sure} of them beyond chance" if sure else ", by chance maybe"
    return f"{name} comes first in {where}, and meets {met} of the {total} predictions that an ideal model meets."


def _leaderboard(comparison: Comparison, view: View) -> Markup:
    heads = ["Model", "Place", "Predictions", "Met", "Not met", "Undecided", "Apart"]
    heads += [breakable(f"ρ of {LEADING}"), "95 % interval", breakable(AFFINITY), breakable(SCALED), "n", "Missing"]
    rows: list[list[Content | Cell]] = []
    for row in comparison.leaderboard:
        if View.of(row) == view:
            counts = {"met": row.met, "undecided": row.undecided, "not met": row.not_met}
            drawing = decoration(200, 24, outcome_segments(counts, 0, 0, 200))
            figures = (number(row.rho), interval(row.low, row.high), number(row.affinity), number(row.scaled))
            cells = (row.met, row.not_met, row.undecided, row.apart, *figures, row.n, f"{row.missing:,}")
            span = "" if row.place_low == row.place_high else f"{row.place_low}–{row.place_high}"
            place = Cell(row.place or "–", note=span, key=str(row.place))
            rows.append([row.model, place, Cell(drawing, key=str(row.met)), *cells])
    return table("Leaderboard", heads, rows, sortable=True)


def _suite_section(differences: Iterable[SuiteDifference]) -> Markup:
    heads = ["Task", "Models", "Language", "Split", "Trained on, or part", "Given", "Metric", "First", "Second"]
    heads += ["Difference", "95 % interval", "p", "Holm p", "n"]
    rows: list[list[Content | Cell]] = []
    for row in differences:
        place = (LANGUAGES.get(row.lang, row.lang), row.split, row.setting, row.inputs, row.metric)
        values = [number(value, 3) for value in (row.first_value, row.second_value, row.difference)]
        decided = (interval(row.low, row.high, 3), p_value(row.p), p_value(row.p_holm), row.n)
        rows.append([row.task, f"{row.first} − {row.second}", *place, *values, *decided])
    return table("Differences on the same items", heads, rows, sortable=True, tall=True, left=range(7))


def contrast(row: Difference, one: str) -> Difference:
    """Return *row* as *one* minus the other model, whichever of both the file has first."""
    if row.first == one:
        return row
    value, low, high = (None if x is None else -x for x in (row.difference, row.high, row.low))
    turned = replace(
        row, first=row.second, second=row.first, first_value=row.second_value, second_value=row.first_value
    )
    return replace(turned, difference=value, low=low, high=high)


def wanted(row: Difference) -> str:
    """Return the rule of the prediction for the quantity of *row*; nothing where it differs by class."""
    prediction = next(prediction for prediction in PREDICTIONS if row.measure in prediction.measures)
    rule, classes = prediction.levels[0]
    return prediction.rho if row.quantity == "rho" else rule if len(classes) == len(CLASSES) else ""


def difference_verdict(row: Difference) -> str:
    """Return which of both models of *row* is higher, and whether that is nearer to what is wanted."""
    first, second = row.first_value, row.second_value
    if first is None or second is None or row.p_holm is None or row.p_holm >= ALPHA:
        return ""
    higher = "▲ higher" if first > second else "▼ lower"
    if not wanted(row):
        return higher
    target = TARGETS[wanted(row)]
    if (first < target) != (second < target):
        return f"{higher}, on the other side of it"
    return f"{higher}, {'nearer' if (first > second) == (first < target) else 'further'}"


def _differences_section(comparison: Comparison, views: Sequence[View]) -> Markup:
    leaders = {View.of(row): row.model for row in comparison.leaderboard if row.place == 1}
    shown = [row for row in comparison.differences if row.measure in MEASURES_SHOWN and View.of(row) in leaders]
    bounds = [x for row in shown if row.quantity == "mean" for x in (row.low, row.high) if x is not None]
    means = round_scale([*bounds, *(-x for x in bounds), -0.1, 0.1], 8.0, 192.0)

    def content(view: View) -> Markup:
        leader = leaders[view]
        rows = [row for row in shown if View.of(row) == view]
        with_leader = [contrast(row, leader) for row in rows if leader in (row.first, row.second)]
        # the other pairs for the leading measure only: all of them would fill the page
        rest = [row for row in rows if leader not in (row.first, row.second) and row.measure == LEADING]
        parts = [
            _difference_table(f"Difference in ρ with the score: {leader} minus another", with_leader, "rho", RHO),
            _difference_table(f"Difference in the mean: {leader} minus another", with_leader, "mean", means),
        ]
        if rest:
            others = _difference_table(f"Difference in ρ of {LEADING}", rest, "rho", RHO)
            parts.append(render("more", "Other pairs of models", others))
        return join(parts)

    return render("differences", by_view(views, content))


def _difference_table(caption: str, pairs: Sequence[Difference], quantity: str, scale: Scale) -> Markup:
    same = len({row.first for row in pairs}) == 1
    heads = ["Measure", "Minus" if same else "Models", "Wanted", "Verdict", scale_head(scale)]
    heads += ["Difference", "95 % interval", "p", "Holm p", "n"]
    rows: list[list[Content | Cell]] = []
    for row in sorted(pairs, key=lambda row: MEASURES_SHOWN.index(row.measure)):
        if row.quantity == quantity:
            models = Cell(row.second if same else f"{row.first} − {row.second}", css="text")
            plot = Cell(estimate(scale, row.difference, row.low, row.high), css="plot")
            figures = (number(row.difference), interval(row.low, row.high), p_value(row.p), p_value(row.p_holm))
            verdict = render("verdict", difference_verdict(row))
            rows.append([measure_head(row.measure), models, wanted(row) or "by class", verdict, plot, *figures, row.n])
    return table(caption, heads, rows, left=range(4), tall=len(rows) > 24)


def _correlogram_section(comparison: Comparison, views: Sequence[View]) -> Markup:
    cells: dict[tuple[View, str], dict[frozenset[str], float | None]] = {}
    for row in comparison.correlogram:
        cells.setdefault((View.of(row), row.measure), {})[frozenset((row.first, row.second))] = row.rho

    def content(view: View) -> Markup:
        models = [row.model for row in comparison.leaderboard if View.of(row) == view and row.place]
        maps = [
            heat_table(f"{name}: {MEASURES[name]}", models, cells.get((view, name), {}), corner="Model")
            for name in MEASURES_SHOWN
        ]
        return join([maps[0], render("more", "Other measures", join(maps[1:]))])

    return render("model_correlogram", by_view(views, content))


def _signatures_table(signatures: Sequence[Signature]) -> Markup:
    heads = ["Model", "Kind", "Hash", "Options of the model", "Options", "Seed", "Code"]
    rows: list[list[Content | Cell]] = []
    for signature in signatures:
        model = signature.model
        sha256 = render("code", model.sha256[:12]) if model.sha256 else "–"
        options = [Cell(render("code", compact_json(part)), css="text") for part in (model.options, signature.options)]
        rows.append([model.name, model.kind, sha256, *options, signature.seed, signature.code_version])
    return table("What each evaluation depends on", heads, rows, left=range(5))
