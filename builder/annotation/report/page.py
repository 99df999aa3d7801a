"""Write the report of a campaign as one HTML page: no file from elsewhere, for keyboard, screen reader and phone.

Colours never carry meaning alone: classes have their own signs, and an annotator who is left out has a hollow one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ncimp.builder.annotation.answers.annotators import QUESTIONS
from ncimp.builder.annotation.report.figures import Report
from ncimp.builder.annotation.scores import BOUNDS
from ncimp.builder.records import CLASSES
from ncimp.schemas.pages.charts import Scale, estimate, round_scale, scale_head, sign
from ncimp.schemas.pages.kit import Cell, Content, Section, environment, interval, join, number, page, table

QUESTION_NAMES = {"comp": "whole", "head": "head", "modifier": "modifier"}

RULE_NAMES = {
    "min_gold": "at least this share of the gold items as expected",
    "min_attention": "at least this share of the attention checks as expected",
    "min_checks": "checks of a kind that its rule needs",
    "min_seconds": "at least this many seconds per sentence (median)",
    "max_same": "at most this share of one and the same answer",
    "min_judged": "at least this share of the sentences judged",
    "min_agreement": "at least this agreement with the others (circular)",
}

CIRCULAR = (
    "They leave annotators out for disagreeing with the others: every figure of agreement among those who are kept is"
    " too good, by construction."
)
NOT_CIRCULAR = (
    "None of them looks at the scores that result: they use checks, time and the shape of an annotator's own answers."
)

STYLE = (
    "svg .hollow{fill:none;stroke:var(--no);stroke-width:2}svg .kept{fill:var(--link)}"
    ".panel>svg{min-width:34rem;max-width:60rem}.panel{overflow-x:auto;margin:.6rem 0}"
    "svg .mark{fill:var(--c,var(--link))}svg .whisker{stroke:var(--c,var(--soft))}"
)  # rules of this page beside those of the kit
WIDTH, LEFT, TOP, BOTTOM = 720.0, 56.0, 12.0, 44.0
ALPHA = Scale(-0.2, 1.0, 8.0, 192.0)

Row = Sequence[Content | Cell]


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign of a plot at *x*, with its interval."""

    x: float
    sign: Markup
    css: str = ""
    low: float | None = None
    high: float | None = None


def render(report: Report) -> str:
    """Return the page of *report*; every value in it is escaped."""
    title = f"Judgements of {', '.join(report.langs)}: {', '.join(report.campaigns)}"
    banner = Markup(
        '<p class="note" role="note"><strong>Simulated.</strong> A program gave these answers: they say'
        " nothing about any compound.</p>"
    )
    head = Markup('<p class="eyebrow">Report of a campaign</p><h1>{}</h1>{}').format(
        title, banner if report.simulated else ""
    )
    sections = [
        Section("answers", "What came back", _completion(report)),
        *([Section("rehearsal", "Rehearsal: scores and truth", _rehearsal(report))] if report.rehearsal else []),
        Section("rules", "Who is left out", _rules(report)),
        Section("agreement", "How far annotators agree", _reliability(report)),
        Section("correlations", "Intraclass correlations", _correlations(report)),
        Section("scores", "Scores", _scores(report)),
        Section("annotators", "Annotators", _annotators(report)),
        Section("power", "How many more judgements", _power(report)),
    ]
    return page(title, head, sections, style=STYLE)


def _completion(report: Report) -> Markup:
    counts = report.completion
    statuses = ", ".join(f"{count:,} {name}" for name, count in counts.statuses.items())
    checks = counts.judgements - counts.items
    rows: list[Row] = [
        ["services and modes", f"{', '.join(report.platforms)}; {', '.join(report.modes)}"],
        ["annotators", f"{counts.annotators:,}, of whom {len(report.excluded):,} are left out"],
        ["answers", f"{counts.judgements:,}: {counts.items:,} about items ({statuses}), {checks:,} checks"],
        ["compounds and sentences", f"{counts.compounds:,} and {counts.sentences:,}"],
        ["judgements per sentence", f"{counts.fewest} to {counts.most}, median {counts.median:g}"],
        ["given twice by one annotator", f"{counts.repeated:,} (only the first counts)"],
        ["set aside by the import", f"{counts.rejected:,} (rejected.jsonl has the reasons)"],
    ]
    return _facts("Completion", rows)


def _facts(caption: str, rows: Sequence[Row]) -> Markup:
    """Return a table of facts in words, without a head."""
    return table(caption, ("", ""), rows, left=(0, 1))


def _rehearsal(report: Report) -> Markup:
    figures = report.rehearsal
    if figures is None:
        return Markup()
    rows: list[Row] = []
    for what, share, count in (
        ("sentences", figures.sentences_covered, figures.sentences),
        ("compounds", figures.compounds_covered, figures.compounds),
    ):
        rows.append([f"{what} whose truth is inside their interval", f"{100 * share:.0f} % of {count:,}"])
    rows.append(["mean absolute error of a compound's score", number(figures.mean_error)])
    if figures.cheaters is not None:
        quality = f"precision {number(figures.precision)}, recall {number(figures.recall)}"
        rows.append(["cheaters", f"{figures.cheaters}: {quality}"])
    return _facts("Simulated truth", rows)


def _rules(report: Report) -> Markup:
    declared = Markup("declared with the first import")
    other = Markup("<strong>not those declared with the first import</strong>")
    intro = Markup("<p>The rules were {} (sha256 {}). {}</p>").format(
        declared if report.declared else other,
        report.rules_sha256[:12],
        Markup("<strong>{}</strong>").format(CIRCULAR) if report.rules.circular else NOT_CIRCULAR,
    )
    rows: list[Row] = [
        [
            RULE_NAMES[name],
            "not used" if value is None else f"{value:g}",
            "–" if name == "min_checks" else sum(name in broken for broken in report.excluded.values()),
        ]
        for name, value in report.rules.as_row().items()
    ]
    effect = Markup()
    if (change := report.effect) is not None:
        effect = Markup(
            "<p>Leaving them out moves the scores of {:,} compounds by {:.2f} on average and by {:.2f} at most; "
            "Spearman's rho between the two is {}, and the class from scores changes for {:,}.</p>"
        ).format(
            change.compounds, change.mean_change, change.largest_change, number(change.rho), change.classes_changed
        )
    return join([intro, table("Rules of exclusion", ("rule", "value", "annotators left out"), rows), effect])


def _reliability(report: Report) -> Markup:
    rows: list[Row] = []
    names = {"all": "everybody", "kept": "those who are kept"}
    for row in report.reliability:
        alpha = row.alpha
        who = names.get(row.who, f"{row.who.replace('closest ', '')} with most in common")
        groups = f" (first of {row.groups:,} such groups)" if row.groups > 1 else ""
        words = (QUESTION_NAMES[row.question], who + groups, row.compounds.replace("_", " "), alpha.level)
        plot = Cell(estimate(ALPHA, alpha.alpha, alpha.low, alpha.high), css="plot")
        figures = (alpha.annotators, alpha.units, number(alpha.alpha), interval(alpha.low, alpha.high))
        rows.append([*words, plot, *figures])
    heads = ("question", "annotators", "class", "level", scale_head(ALPHA), "n", "sentences", "alpha", "95 % interval")
    note = Markup(
        "<p>Krippendorff's alpha; the interval is over compounds. Published figures are of the two or three annotators"
        " who judged most sentences in common; they are beside those of everybody.</p>"
    )
    return join([note, table("Krippendorff's alpha", heads, rows, left=range(4))])


def _correlations(report: Report) -> Markup:
    rows: list[Row] = []
    for row in report.correlations:
        icc = row.icc
        figures = (icc.single_random_raters, icc.mean_random_raters, icc.single_absolute, icc.mean_absolute)
        words = (QUESTION_NAMES[row.question], row.who, row.units, f"{icc.raters:.1f}")
        rows.append([*words, *map(number, (*figures, icc.single_consistent, icc.mean_consistent))])
    forms = [f"ICC({form},{raters})" for form in (1, 2, 3) for raters in ("1", "k")]
    heads = ("question", "annotators", "sentences", "k", *forms)
    return table("Shrout and Fleiss (1979)", heads, rows, left=(0, 1))


def _scores(report: Report) -> Markup:
    rows: list[Row] = []
    for row in sorted(report.scores, key=lambda row: (row.comp is None, row.comp, row.compound_id)):
        classes = (report.classes.get(row.compound_id), row.class_from_scores)
        words = [row.compound_id, *((name or "–").replace("_", " ") for name in classes)]
        means = [number(getattr(row, question)) for question in QUESTIONS]
        rows.append([*words, *means, interval(row.comp_low, row.comp_high), number(row.comp_sd), row.comp_n, row.soft])
    heads = ("compound", "class by experts", "class from scores", *(QUESTION_NAMES[name] for name in QUESTIONS))
    heads = (*heads, "95 % interval", "sd", "n", "at 0 1 2 3 4 5")
    caption = "Scores of compounds, without annotators who are left out"
    return join([_scores_plot(report), table(caption, heads, rows, left=range(3), tall=len(rows) > 24)])


def _scores_plot(report: Report) -> Markup:
    """Plot the score of every compound with its interval, lowest first."""
    scored = [(row.comp, row) for row in report.scores if row.comp is not None]
    scored.sort(key=lambda pair: (pair[0], pair[1].compound_id))
    x, y = Scale(0, len(scored) + 1, LEFT, WIDTH - 16), Scale(0, 5, 300 - BOTTOM, TOP)
    marks = []
    for place, (score, row) in enumerate(scored, start=1):
        name = report.classes.get(row.compound_id)
        title = f"{row.compound_id}: {score:.2f}" + (f", {name.replace('_', ' ')}" if name else "")
        mark = sign(name or "", x.at(place), y.at(score), 4, f"mark {name or ''}".strip(), title)
        marks.append(Mark(place, mark, name or "", row.comp_low, row.comp_high))
    return _plot(
        f"Scores of {len(scored)} compounds with their 95 % intervals",
        (x, y),
        ([], range(6)),
        ("compounds, lowest score first", "score (0 idiomatic, 5 compositional)"),
        marks,
        bounds=[bound for bound, _ in BOUNDS],
        classes=bool(report.classes),
    )


def _annotators_plot(report: Report) -> Markup:
    """Plot the seconds per sentence and the agreement with the others of every annotator."""
    points = [
        (a.seconds, a.agreement, a) for a in report.annotators if a.seconds is not None and a.agreement is not None
    ]
    x, y = round_scale([0.0, *(seconds for seconds, _, _ in points)], LEFT, WIDTH - 16), Scale(-1, 1, 280 - BOTTOM, TOP)
    marks = []
    for seconds, agreement, annotator in points:
        rules = report.excluded.get(annotator.annotator, ())
        title = f"{annotator.annotator}: rho {agreement:.2f}, {seconds:.0f} s"
        title += f"; left out ({', '.join(rules)})" if rules else ""
        css = "hollow" if rules else "kept"
        marks.append(Mark(seconds, sign("", x.at(seconds), y.at(agreement), 4, css, title)))
    hollow = sum(annotator.annotator in report.excluded for _, _, annotator in points)
    return _plot(
        f"Time and agreement of {len(points)} annotators; {hollow} hollow marks are left out",
        (x, y),
        (x.ticks(), (-1, -0.5, 0, 0.5, 1)),
        ("median seconds per sentence", "agreement with the others"),
        marks,
    )


def _plot(
    title: str,
    scales: tuple[Scale, Scale],
    ticks: tuple[Sequence[float], Sequence[float]],
    names: tuple[str, str],
    marks: Sequence[Mark],
    *,
    bounds: Sequence[float] = (),
    classes: bool = False,
) -> Markup:
    legend = [
        Markup('<li><svg viewBox="0 0 16 16" aria-hidden="true">{}</svg>{}</li>').format(
            sign(name, 8, 8, 6, f"mark {name}"), name.replace("_", " ")
        )
        for name in CLASSES
        if classes
    ]
    values: Mapping[str, object] = {
        "title": title,
        "width": int(WIDTH),
        "height": int(scales[1].left + BOTTOM),
        "x": scales[0],
        "y": scales[1],
        "x_ticks": ticks[0],
        "y_ticks": ticks[1],
        "x_name": names[0],
        "y_name": names[1],
        "bounds": bounds,
        "marks": marks,
        "legend": Markup('<ul class="key" aria-label="Signs: class by experts">{}</ul>').format(join(legend))
        if classes
        else "",
    }
    return Markup(environment("ncimp.builder.annotation").get_template("plot.jinja").render(**values))  # noqa: S704


def _annotators(report: Report) -> Markup:
    rows: list[Row] = []
    for row in report.annotators:
        rules = ", ".join(report.excluded.get(row.annotator, ())) or "–"
        checks = [f"{checks.passed} of {checks.n}" for checks in (row.gold, row.attention)]
        shape = map(number, (row.same, row.spread, row.agreement, row.bias))
        rows.append([row.annotator, rules, row.answers, row.judged, number(row.seconds, 0), *checks, *shape])
    heads = (
        "annotator",
        "left out by",
        "answers",
        "judged",
        "seconds",
        "gold",
        "attention",
        "same",
        "sd",
        "rho",
        "lean",
    )
    note = Markup(
        "<p>Seconds: median per sentence. Same: share of the most frequent answer. Rho: with the mean of all others"
        " (leave-one-out). Lean: mean difference from it.</p>"
    )
    measures = table("Measures of each annotator", heads, rows, left=(0, 1), sortable=True, tall=len(rows) > 24)
    return join([note, _annotators_plot(report), measures])


def _power(report: Report) -> Markup:
    rows: list[Row] = [
        [f"{row.error:g}", row.per_sentence, f"{row.more_sentences:,}", row.per_compound, f"{row.more_compounds:,}"]
        for row in report.power
    ]
    spread = "; ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in report.within.items())
    note = Markup("<p>Judgements of the same sentence have a standard deviation of: {}.</p>").format(spread)
    parts = ("judgements per sentence, for sentences", "missing", "judgements per sentence, for compounds", "missing")
    heads = ("standard error wanted", *parts)
    return join([note, table("Judgements for a given standard error", heads, rows)])
