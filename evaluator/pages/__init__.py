"""Pages of evaluations and comparisons: self-contained HTML, made from the files of a results folder alone.

`report` and `compare` put the pages together, `figures` prepares the charts and tables of a report; markup stands in
`templates/`, on top of the kit `ncimp.schemas.pages`. Here is what both pages share: words, views and heat maps.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from markupsafe import Markup

from ncimp.evaluator.results import View
from ncimp.schemas.pages.charts import Scale, bar
from ncimp.schemas.pages.kit import Cell, Content, join, macros, number, table
from ncimp.schemas.pages.palette import STEPS

RHO = Scale(-1.0, 1.0, 8.0, 192.0)  # scale of correlations, means and effects

CLASSES: Mapping[str, str] = {
    "idiomatic": "idiomatic",
    "partly_compositional": "partly compositional",
    "compositional": "compositional",
}
LEVELS: Mapping[str, str] = {"sentence": "Sentence", "nc": "Compound"}
KINDS: Mapping[str, str] = {"all": "All", "naturalistic": "Naturalistic", "neutral": "Neutral"}

LANGUAGES: Mapping[str, str] = {"en": "English", "pt": "Portuguese"}
"""Languages of the open edition; another one is shown by its code."""

CONTEXTS: Mapping[str, str] = {
    "nat1": "naturalistic 1",
    "nat2": "naturalistic 2",
    "nat3": "naturalistic 3",
    "neut_short": "neutral, short",
    "neut_long": "neutral, long",
}

OUTCOMES: Mapping[str, tuple[str, str]] = {"met": ("yes", "✓"), "undecided": ("open", "?"), "not met": ("no", "✕")}
"""Class of style and sign of each outcome of the scorecard, from good to bad."""

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

AXES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "lang": ("Language", LANGUAGES),
    "level": ("Level", LEVELS),
    "kind": ("Contexts", KINDS),
}
"""Fields in which views differ, with the legend and the words of their filter."""


def render(macro: str, *arguments: object) -> Markup:
    """Return the markup that the *macro* of the template makes of its *arguments*, which it escapes."""
    markup: Markup = getattr(macros("evaluation.jinja", "ncimp.evaluator.pages"), macro)(*arguments)
    return markup


def p_value(p: float | None) -> str:
    """Return a p value as a paper prints it.

    >>> p_value(0.00001), p_value(0.0437), p_value(None)
    ('< 0.001', '0.044', '–')
    """
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def counted(count: int, noun: str) -> str:
    """Return *count* with its *noun*.

    >>> counted(1, "compound"), counted(1200, "item")
    ('1 compound', '1,200 items')
    """
    return f"{count:,} {noun if count == 1 else noun + 's'}"


def breakable(name: str) -> Markup:
    """Return *name* with places where a line may break, after `_` and `|`."""
    pieces = name.replace("|", "|\0").replace("_", "_\0").split("\0")
    return Markup("<wbr>").join([*pieces, ""])


def measure_head(measure: str) -> Cell:
    """Return the first cell of a row about *measure*."""
    return Cell(measure, note=MEASURES.get(measure, ""))


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
    caption: str, names: Sequence[str], value: Callable[[int, int], float | None], *, corner: str = "Measure"
) -> Markup:
    """Return the correlation of each two of *names*, both ways round; the diagonal is empty."""

    def cell(row: int, column: int) -> Cell:
        rho = None if row == column else value(row, column)
        if rho is None:
            return Cell("" if row == column else "–")
        return Cell(number(rho), css=f"h{round(rho * STEPS) + STEPS}")

    rows: list[list[Content | Cell]] = [
        [name, *(cell(row, column) for column in range(len(names)))] for row, name in enumerate(names)
    ]
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
        if len(values := _values(views, axis)) > 1
    ]
    return render("filters", groups) if groups else Markup()


def filter_style(views: Sequence[View]) -> str:
    """Return the style rules that hide the views which the filters do not show."""
    return "".join(
        f'body:has(#{axis}-{value}:checked) .view[data-{axis}]:not([data-{axis}="{value}"]){{display:none}}'
        for axis in AXES
        if len(values := _values(views, axis)) > 1
        for value in values
    )


def _values(views: Iterable[View], axis: str) -> list[str]:
    return list(dict.fromkeys(getattr(view, axis) for view in views))
