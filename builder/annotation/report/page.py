"""Write the report of a campaign as one self-contained HTML page, for keyboard, screen reader and phone.

Colours never carry meaning alone: classes have their own signs, and an annotator who is left out has a hollow one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from markupsafe import Markup

from ncimp.builder.annotation.answers.annotators import QUESTIONS
from ncimp.builder.annotation.report.figures import Report
from ncimp.builder.records import BOUNDS, CLASSES
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


def render(report: Report) -> str:
    """Return the page of *report*; every value in it is escaped."""
    title = f"Judgements of {', '.join(report.langs)}: {', '.join(report.campaigns)}"
    banner = Markup(
        '<p class="note" role="note"><strong>Simulated.</strong> A program gave these answers: they say'
        " nothing about any compound.</p>"
    )
    eyebrow = Markup('<p class="eyebrow">Report of a campaign</p><h1>{}</h1>{}')
    head = eyebrow.format(title, banner if report.simulated else "")
    sections = [
        *_completion(report),
        Section("rules", "Who is left out", _rules(report)),
        *_agreement(report),
        Section("scores", "Scores", _scores(report)),
        Section("annotators", "Annotators", _annotators(report)),
        Section("power", "How many more judgements", _power(report)),
    ]
    return page(title, head, sections, style=STYLE)


def _completion(report: Report) -> Iterator[Section]:
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
    yield Section("answers", "What came back", table("Completion", ("", ""), rows, left=(0, 1)))
    if (figures := report.rehearsal) is None:
        return
    covered = "whose truth is inside their interval"
    rows = [
        [f"sentences {covered}", f"{100 * figures.sentences_covered:.0f} % of {figures.sentences:,}"],
        [f"compounds {covered}", f"{100 * figures.compounds_covered:.0f} % of {figures.compounds:,}"],
        ["mean absolute error of a compound's score", number(figures.mean_error)],
    ]
    if figures.cheaters is not None:
        quality = f"precision {number(figures.precision)}, recall {number(figures.recall)}"
        rows.append(["cheaters", f"{figures.cheaters}: {quality}"])
    truth = table("Simulated truth", ("", ""), rows, left=(0, 1))
    yield Section("rehearsal", "Rehearsal: scores and truth", truth)


def _rules(report: Report) -> Markup:
    declared = Markup("declared with the first import")
    origin = declared if report.declared else Markup("<strong>not those {}</strong>").format(declared)
    why = Markup("<strong>{}</strong>").format(CIRCULAR) if report.rules.circular else NOT_CIRCULAR
    intro = Markup("<p>The rules were {} (sha256 {}). {}</p>").format(origin, report.rules_sha256[:12], why)
    rows: list[Row] = []
    for name, value in asdict(report.rules).items():
        count = sum(name in broken for broken in report.excluded.values())
        rule = "not used" if value is None else f"{value:g}"
        too_few = report.too_few_checks.get(name, "–")
        rows.append([RULE_NAMES[name], rule, "–" if name == "min_checks" else count, too_few])
    heads = ("rule", "value", "annotators left out", "annotators with too few checks for it")
    effect = Markup()
    if (change := report.effect) is not None:
        figures = f"{change.compounds:,}", f"{change.mean_change:.2f}", f"{change.largest_change:.2f}"
        effect = Markup(
            "<p>Leaving them out moves the scores of {} compounds by {} on average and by {} at most; "
            "Spearman's rho between the two is {}, and the class from scores changes for {:,}.</p>"
        ).format(*figures, number(change.rho), change.classes_changed)
    return join([intro, table("Rules of exclusion", heads, rows), effect])


def _agreement(report: Report) -> Iterator[Section]:
    rows: list[Row] = []
    names = {"all": "everybody", "kept": "those who are kept"}
    for one in report.reliability:
        alpha = one.alpha
        who = names.get(one.who, f"{one.who.replace('closest ', '')} with most in common")
        groups = f" (first of {one.groups:,} such groups)" if one.groups > 1 else ""
        words = (QUESTION_NAMES[one.question], who + groups, one.compounds.replace("_", " "), alpha.level)
        plot = Cell(estimate(ALPHA, alpha.alpha, alpha.low, alpha.high), css="plot")
        rows.append([*words, plot, alpha.annotators, alpha.units, number(alpha.alpha), interval(alpha.low, alpha.high)])
    heads = ("question", "annotators", "class", "level", scale_head(ALPHA), "n", "sentences", "alpha", "95 % interval")
    note = Markup(
        "<p>Krippendorff's alpha; the interval is over compounds. Published figures are of the two or three annotators"
        " who judged most sentences in common; they are beside those of everybody.</p>"
    )
    alphas = join([note, table("Krippendorff's alpha", heads, rows, left=range(4))])
    yield Section("agreement", "How far annotators agree", alphas)
    rows = []
    for row in report.correlations:
        icc = row.icc
        values = (
            *(icc.single_random_raters, icc.mean_random_raters, icc.single_absolute, icc.mean_absolute),
            *(icc.single_consistent, icc.mean_consistent),
        )
        rows.append([QUESTION_NAMES[row.question], row.who, row.units, f"{icc.raters:.1f}", *map(number, values)])
    forms = (f"ICC({form},{k})" for form in (1, 2, 3) for k in ("1", "k"))
    icc_heads = ("question", "annotators", "sentences", "k", *forms)
    correlations = table("Shrout and Fleiss (1979)", icc_heads, rows, left=(0, 1))
    yield Section("correlations", "Intraclass correlations", correlations)


def _scores(report: Report) -> Markup:
    rows: list[Row] = []
    for row in sorted(report.scores, key=lambda row: (row.comp is None, row.comp, row.compound_id)):
        classes = (report.classes.get(row.compound_id), row.class_from_scores)
        words = [row.compound_id, *((name or "–").replace("_", " ") for name in classes)]
        means = [number(getattr(row, question)) for question in QUESTIONS]
        rows.append([*words, *means, interval(row.comp_low, row.comp_high), number(row.comp_sd), row.comp_n, row.soft])
    questions = (QUESTION_NAMES[name] for name in QUESTIONS)
    measures = ("95 % interval", "sd", "n", "at 0 1 2 3 4 5")
    heads = ("compound", "class of the pack", "class from scores", *questions, *measures)
    caption = "Scores of compounds, without annotators who are left out"
    return join([_scores_plot(report), table(caption, heads, rows, left=range(3), tall=len(rows) > 24)])


def _scores_plot(report: Report) -> Markup:
    scored = [(row.comp, row.compound_id, row) for row in report.scores if row.comp is not None]
    x, y = Scale(0, len(scored) + 1, LEFT, WIDTH - 16), Scale(0, 5, 300 - BOTTOM, TOP)
    marks = []
    for place, (score, compound, row) in enumerate(sorted(scored, key=lambda one: one[:2]), start=1):
        css = report.classes.get(compound, "")
        title = f"{compound}: {score:.2f}" + (f", {css.replace('_', ' ')}" if css else "")
        mark = sign(css, x.at(place), y.at(score), 4, f"mark {css}".strip(), title)
        marks.append({"x": place, "sign": mark, "css": css, "low": row.comp_low, "high": row.comp_high})
    item = Markup('<li><svg viewBox="0 0 16 16" aria-hidden="true">{}</svg>{}</li>')
    signs = join(item.format(sign(name, 8, 8, 6, f"mark {name}"), name.replace("_", " ")) for name in CLASSES)
    legend = Markup('<ul class="key" aria-label="Signs: class of the pack">{}</ul>').format(signs)
    title = f"Scores of {len(scored)} compounds with their 95 % intervals"
    names = {"x_name": "compounds, lowest score first", "y_name": "score (0 idiomatic, 5 compositional)"}
    bounds = [bound for bound, _ in BOUNDS]
    ticks: dict[str, Any] = {"x_ticks": [], "y_ticks": range(6)}
    return _plot(title, x, y, marks, **names, **ticks, bounds=bounds, legend=legend if report.classes else "")


def _annotators_plot(report: Report) -> Markup:
    points = [
        (a.seconds, a.agreement, a) for a in report.annotators if a.seconds is not None and a.agreement is not None
    ]
    x, y = round_scale([0.0, *(seconds for seconds, _, _ in points)], LEFT, WIDTH - 16), Scale(-1, 1, 280 - BOTTOM, TOP)
    marks = []
    for seconds, agreement, annotator in points:
        rules = report.excluded.get(annotator.annotator, ())
        title = f"{annotator.annotator}: rho {agreement:.2f}, {seconds:.0f} s"
        title += f"; left out ({', '.join(rules)})" if rules else ""
        mark = sign("", x.at(seconds), y.at(agreement), 4, "hollow" if rules else "kept", title)
        marks.append({"x": seconds, "sign": mark, "css": "", "low": None, "high": None})
    hollow = sum(annotator.annotator in report.excluded for _, _, annotator in points)
    title = f"Time and agreement of {len(points)} annotators; {hollow} hollow marks are left out"
    names = {"x_name": "median seconds per sentence", "y_name": "agreement with the others"}
    ticks: dict[str, Any] = {"x_ticks": x.ticks(), "y_ticks": (-1, -0.5, 0, 0.5, 1)}
    return _plot(title, x, y, marks, **names, **ticks, bounds=(), legend="")


def _plot(title: str, x: Scale, y: Scale, marks: Sequence[dict[str, Any]], **values: Any) -> Markup:
    template = environment("ncimp.builder.annotation").get_template("plot.jinja")
    values |= {"width": int(WIDTH), "height": int(y.left + BOTTOM)}
    return Markup(template.render(title=title, x=x, y=y, marks=marks, **values))  # noqa: S704 (escaped)


def _annotators(report: Report) -> Markup:
    rows: list[Row] = []
    for row in report.annotators:
        rules = ", ".join(report.excluded.get(row.annotator, ())) or "–"
        checks = [f"{checks.passed} of {checks.n}" for checks in (row.gold, row.attention)]
        shape = map(number, (row.same, row.spread, row.agreement, row.bias))
        rows.append([row.annotator, rules, row.answers, row.judged, number(row.seconds, 0), *checks, *shape])
    words = ("annotator", "left out by", "answers", "judged", "seconds")
    heads = (*words, "gold", "attention", "same", "sd", "rho", "lean")
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
