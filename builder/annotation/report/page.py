"""The report as one HTML page: no file, font or script from elsewhere, for keyboard, screen reader and phone."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from importlib.resources import files

from ncimp.builder.annotation.answers.ratings import QUESTIONS
from ncimp.builder.annotation.report.drawing import QUESTION_NAMES, draw_alphas, draw_annotators, draw_scores, legend
from ncimp.builder.annotation.report.figures import Report

NONE = "–"
RULE_NAMES = {
    "min_gold": "at least this share of the gold items as expected",
    "min_attention": "at least this share of the attention checks as expected",
    "min_checks": "checks of a kind below which its rule says nothing",
    "min_seconds": "at least this many seconds per sentence (median)",
    "max_same": "at most this share of one and the same answer",
    "min_judged": "at least this share of the sentences judged",
    "min_agreement": "at least this agreement with the others (circular)",
}


SIMULATED = "A program gave these answers: they say nothing of any compound."
CIRCULAR = (
    "They leave annotators out for disagreeing with the others: every figure of agreement among those who are kept is"
    " too good, by construction."
)
NOT_CIRCULAR = (
    "None of them looks at the scores that come out: they use checks, time and the shape of an annotator's own answers."
)


def render(report: Report) -> str:
    """Return the page of *report*; every value in it is escaped."""
    title = f"Judgements of {', '.join(report.langs)}: {', '.join(report.campaigns)}"
    style = (files("ncimp.builder.annotation") / "resources" / "report.css").read_text(encoding="utf-8")
    body = "\n".join(f"<section>{section}</section>" for section in _sections(report))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{_text(title)}</title>'
        f"<style>\n{style}</style></head>\n<body><main><h1>{_text(title)}</h1>\n{_banner(report)}{body}</main></body></html>\n"
    )


def _banner(report: Report) -> str:
    if not report.simulated:
        return ""
    return f'<p class="banner" role="note"><strong>Simulated.</strong> {SIMULATED}</p>'


def _sections(report: Report) -> Iterator[str]:
    yield _completion(report)
    if report.rehearsal is not None:
        yield _rehearsal(report)
    yield _rules(report)
    yield _reliability(report)
    yield _correlations(report)
    yield _scores(report)
    yield _annotators(report)
    yield _power(report)


def _completion(report: Report) -> str:
    done = report.completion
    statuses = ", ".join(f"{count:,} {name}" for name, count in done.statuses.items())
    rows = [
        ["services and modes", f"{', '.join(report.platforms)}; {', '.join(report.modes)}"],
        ["annotators", f"{done.annotators:,}, of whom {len(report.excluded):,} are left out"],
        [
            "answers",
            f"{done.judgements:,}: {done.items:,} about items ({statuses}), {done.judgements - done.items:,} checks",
        ],
        ["compounds and sentences", f"{done.compounds:,} and {done.sentences:,}"],
        ["judgements per sentence", f"{done.fewest} to {done.most}, median {done.median:g}"],
        ["given twice by one annotator", f"{done.repeated:,} (only the first counts)"],
        ["set aside by the import", f"{done.rejected:,} (rejected.jsonl says why)"],
    ]
    return "<h2>What came back</h2>" + _table("Completion", ["", ""], rows)


def _rehearsal(report: Report) -> str:
    found = report.rehearsal
    assert found is not None  # noqa: S101 (asked for only where there is one)
    rows = [
        [
            "sentences whose truth is inside their interval",
            f"{_percent(found.sentences_covered)} of {found.sentences:,}",
        ],
        [
            "compounds whose truth is inside their interval",
            f"{_percent(found.compounds_covered)} of {found.compounds:,}",
        ],
        ["mean absolute error of a compound's score", _number(found.mean_error)],
    ]
    if found.cheaters is not None:
        rows.append(
            ["cheaters", f"{found.cheaters}: precision {_number(found.precision)}, recall {_number(found.recall)}"]
        )
    return "<h2>Rehearsal: the scores and the truth</h2>" + _table("Simulated truth", ["", ""], rows)


def _rules(report: Report) -> str:
    said = (
        "declared with the first import"
        if report.declared
        else "<strong>not those declared with the first import</strong>"
    )
    circular = f" <strong>{CIRCULAR}</strong>" if report.rules.circular else f" {NOT_CIRCULAR}"
    rows = []
    for name, value in report.rules.as_row().items():
        out = sum(name in broken for broken in report.excluded.values())
        rows.append(
            [
                RULE_NAMES[name],
                "not used" if value is None else f"{value:g}",
                NONE if name == "min_checks" else f"{out}",
            ]
        )
    table = _table("Rules of exclusion", ["rule", "value", "annotators left out"], rows)
    effect = ""
    if report.effect is not None:
        found = report.effect
        effect = (
            f"<p>Leaving them out moves the scores of {found.compounds:,} compounds by {found.mean_change:.2f} on"
            f" average and by {found.largest_change:.2f} at most; Spearman's rho between the two is"
            f" {_number(found.rho)}, and the class from scores changes for {found.classes_changed:,}.</p>"
        )
    told = f"<p>The rules were {said} (sha256 {report.rules_sha256[:12]}).{circular}</p>"
    return f"<h2>Who is left out</h2>{told}{table}{effect}"


def _reliability(report: Report) -> str:
    rows = []
    for row in report.reliability:
        own = row.alpha
        groups = f" (first of {row.groups:,} such groups)" if row.groups > 1 else ""
        bounds = NONE if own.low is None else f"{own.low:.2f} to {own.high:.2f}"
        who = {"all": "everybody", "kept": "those who are kept"}.get(
            row.who, f"{row.who.replace('closest ', '')} with most in common"
        )
        names = [QUESTION_NAMES[row.question], who + groups, row.compounds.replace("_", " ")]
        rows.append([*names, own.level, f"{own.annotators}", f"{own.units}", _number(own.alpha), bounds])
    head = ["question", "annotators", "class", "level", "n", "sentences", "alpha", "95 % interval"]
    note = (
        "<p>Krippendorff's alpha; the interval is over compounds. Published figures are of the two or three annotators"
        " who judged most sentences in common; they are beside those of everybody.</p>"
    )
    figure = f'<figure tabindex="0">{draw_alphas(report.reliability)}</figure>'
    table = _table("Krippendorff's alpha", head, rows, words=4)
    return f"<h2>How far annotators agree</h2>{note}{figure}{table}"


def _correlations(report: Report) -> str:
    rows = []
    for row in report.correlations:
        own = row.icc
        one = [_number(own.single_random_raters), _number(own.mean_random_raters)]
        two = [own.single_absolute, own.mean_absolute, own.single_consistent, own.mean_consistent]
        rows.append(
            [QUESTION_NAMES[row.question], row.who, f"{row.units}", f"{own.raters:.1f}", *one, *map(_number, two)]
        )
    head = [
        "question",
        "annotators",
        "sentences",
        "k",
        "ICC(1,1)",
        "ICC(1,k)",
        "ICC(2,1)",
        "ICC(2,k)",
        "ICC(3,1)",
        "ICC(3,k)",
    ]
    return "<h2>Intraclass correlations</h2>" + _table("Shrout and Fleiss (1979)", head, rows, words=2)


def _scores(report: Report) -> str:
    rows = []
    for row in sorted(report.scores, key=lambda row: (row.comp is None, row.comp, row.compound_id)):
        bounds = NONE if row.comp_low is None else f"{row.comp_low:.2f} to {row.comp_high:.2f}"
        classes = [report.classes.get(row.compound_id), row.class_from_scores]
        names = [row.compound_id, *((name or NONE).replace("_", " ") for name in classes)]
        means = [_number(getattr(row, question)) for question in QUESTIONS]
        rows.append([*names, *means, bounds, _number(row.comp_sd), f"{row.comp_n}", row.soft])
    head = [
        "compound",
        "class by experts",
        "class from scores",
        "whole",
        "head",
        "modifier",
        "95 % interval",
        "sd",
        "n",
        "at 0 1 2 3 4 5",
    ]
    figure = f'<figure tabindex="0">{draw_scores(report.scores, report.classes)}{legend(report.classes)}</figure>'
    return (
        "<h2>Scores</h2>" + figure + _table("Scores of compounds, without those who are left out", head, rows, words=3)
    )


def _annotators(report: Report) -> str:
    rows = []
    for row in report.annotators:
        checks = [f"{one.passed} of {one.n}" for one in (row.gold, row.attention)]
        shape = [_number(row.same), _number(row.spread), _number(row.agreement), _number(row.bias)]
        out = ", ".join(report.excluded.get(row.annotator, ())) or NONE
        pace = NONE if row.seconds is None else f"{row.seconds:.0f}"
        rows.append([row.annotator, out, f"{row.answers}", f"{row.judged}", pace, *checks, *shape])
    head = [
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
    ]
    note = (
        "<p>Seconds: median per sentence. Same: share of the most frequent answer. Rho: with the mean of all others"
        " (leave-one-out). Lean: mean difference from it.</p>"
    )
    figure = f'<figure tabindex="0">{draw_annotators(report.annotators, report.excluded)}</figure>'
    return f"<h2>Annotators</h2>{note}{figure}" + _table("What each annotator did", head, rows, words=2)


def _power(report: Report) -> str:
    rows = [
        [
            f"{row.error:g}",
            f"{row.per_sentence}",
            f"{row.more_sentences:,}",
            f"{row.per_compound}",
            f"{row.more_compounds:,}",
        ]
        for row in report.power
    ]
    spread = "; ".join(f"{name.replace('_', ' ')} {_number(value)}" for name, value in report.within.items())
    note = f"<p>Judgements of the same sentence have a standard deviation of: {_text(spread)}.</p>"
    head = [
        "standard error wanted",
        "judgements per sentence, for sentences",
        "missing",
        "judgements per sentence, for compounds",
        "missing",
    ]
    return (
        "<h2>How many more judgements</h2>"
        + note
        + _table("Judgements for a given standard error", head, rows, words=0)
    )


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """Return a table that scrolls inside itself; its first *words* columns hold words, the others figures."""
    kinds = ["" if place < words or not any(head) else ' class="n"' for place in range(len(head))]
    top = "".join(f'<th scope="col"{kind}>{_text(name)}</th>' for name, kind in zip(head, kinds, strict=True))
    lines = []
    for row in rows:
        first, *rest = [_text(cell) for cell in row]
        cells = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(rest, kinds[1:], strict=True))
        lines.append(f'<tr><th scope="row"{kinds[0]}>{first}</th>{cells}</tr>')
    header = f"<thead><tr>{top}</tr></thead>" if any(head) else ""
    label = f'role="region" aria-label="{_text(caption)}" tabindex="0"'
    table = f"<table><caption>{_text(caption)}</caption>{header}<tbody>{''.join(lines)}</tbody></table>"
    return f'<div class="scroll" {label}>{table}</div>'


def _text(value: object) -> str:
    return html.escape(str(value))


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"
