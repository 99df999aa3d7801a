"""An evaluation in a few sentences, for the head of its page and for the terminal, made from its figures."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from ncimp.evaluator.answers import MEMBERSHIP
from ncimp.evaluator.controls import IDEAL
from ncimp.evaluator.measures import CONTEXTS, VARIANTS
from ncimp.evaluator.pages import LANGUAGES, LEVELS
from ncimp.evaluator.records import Document, Outcome, ScorecardLine, SuiteResult
from ncimp.evaluator.scorecard import attainable
from ncimp.schemas.pages.kit import interval, number
from ncimp.schemas.suites import VMWE_TYPES, InBits

ANY_SETTING = "any"  # of a shortcut that is the same in every setting
MISSING_SHARE = 0.01  # from this share of items without a vector on, the reader is warned
FINDINGS: Mapping[Outcome, str] = {  # the outcomes of the main line: Affinity of idiomatic compounds above 0
    "met": "idioms lie nearer their synonym than their word-by-word paraphrase",
    "reversed": "idioms lie nearer their word-by-word paraphrase than their synonym",
    "undecided": "whether idioms lie nearer their synonym or their word-by-word paraphrase cannot be told",
}


def warnings(document: Document) -> Iterator[str]:
    """Yield a sentence for each language and level of which more than a small share of the items has no vector."""
    counts: Counter[tuple[str, str]] = Counter()
    totals = {(row.lang, row.level): row.items * len(CONTEXTS) * len(VARIANTS) for row in document.missing}
    for row in document.missing:
        counts[row.lang, row.level] += row.missing
    for (lang, level), total in totals.items():
        share = counts[lang, level] / max(total, 1)
        if share >= MISSING_SHARE:
            where = f"{LANGUAGES.get(lang, lang)}, {LEVELS[level].lower()} level"
            part = f"{counts[lang, level]:,} of {total:,} items ({100 * share:.0f} %)"
            yield f"Warning: {where}: {part} have no vector, and the figures are over the others."


def findings(document: Document) -> Iterator[str]:
    """Yield what the main line says in each language: of compounds, then of sentences if their outcome differs.

    Of a suite, the best figure of each task and setting beside the best shortcut.
    """
    for (lang, split, task, setting), model, shortcut in contests(document.suites):
        beside = "" if shortcut is None else f"; the best shortcut, {shortcut.model}, {number(shortcut.value, 3)}"
        origin = model.inputs or model.model
        best = f"{number(model.value, 3)} {interval(model.low, model.high, 3)} from {origin}{beside}"
        yield f"{LANGUAGES.get(lang, lang)}, {task}, {setting}, {split}: {best}."
    predicted = predictions(document.suites)
    for lang, task, name in dict.fromkeys((row.lang, row.task, row.model) for row in predicted):
        outcomes = Counter(row.outcome for row in predicted if (row.lang, row.task, row.model) == (lang, task, name))
        told = f"{outcomes['met']} of {outcomes.total()} predictions are met, {outcomes['reversed']} reversed"
        yield f"{LANGUAGES.get(lang, lang)}, {task}, {name}: {told}, {outcomes['undecided']} undecided."
    main = [row for row in document.scorecard if row.aspect == "sign" and row.published and row.context_kind == "all"]
    for lang in dict.fromkeys(row.lang for row in main):
        sentences: dict[Outcome, str] = {}
        for row in sorted((row for row in main if row.lang == lang), key=lambda row: row.level):  # `nc` comes first
            where = "in whole sentences, " if row.level == "sentence" else ""
            figures = f"A = {number(row.effect)} {interval(row.low, row.high)}, n = {row.n}"
            basis = "no idiom has both" if row.effect is None else figures
            sentences.setdefault(row.outcome, f"{where}{FINDINGS.get(row.outcome, row.outcome)} ({basis})")
        yield f"{LANGUAGES.get(lang, lang)}: {'; '.join(sentences.values())}."


def headline(document: Document) -> str:
    """Return the outcomes of the published predictions over all contexts, counted, in one sentence or two."""
    if document.suites:
        rows = [(model, shortcut) for _, model, shortcut in contests(document.suites) if shortcut]
        outcomes = [row.outcome for row in predictions(document.suites)]
        if outcomes and not rows:
            return f"{outcomes.count('met')} of {len(outcomes)} predictions about surprisal are met."
        above = sum((model.value or 0) > (shortcut.value or 0) for model, shortcut in rows)
        model = document.signature.model
        who = "The best model" if model.kind == "recorded" else model.name
        return f"{who} is above every shortcut in {above} of {len(rows)} tasks and settings."
    if not document.scorecard:
        return "These results have no scorecard."
    counts = _counts(document.scorecard)
    apart = sum(line.published and line.context_kind == "all" for line in document.scorecard) - counts.total()
    settings = len({(row.lang, row.level) for row in document.results if row.context_kind == "all"})
    backwards = f" ({counts['reversed']} of them reversed)" if counts["reversed"] else ""
    where = f" in {settings} settings" if settings > 1 else ""
    first = (
        f"{document.signature.model.name} meets {counts['met']} of the {counts.total()} published predictions that an "
        f"ideal model meets{where}: {counts['not met'] + counts['reversed']} are not met{backwards} and "
        f"{counts['undecided']} are undecided. {apart} that not even an ideal model meets are counted apart."
    )
    baselines = by_model(document.baseline_scorecard)
    shortcuts = {name: _counts(lines) for name, lines in baselines.items() if name != IDEAL}
    if not shortcuts:
        return first
    name, best = max(shortcuts.items(), key=lambda pair: (pair[1]["met"], -pair[1]["not met"]))
    return f"{first} The best shortcut, {name}, meets {best['met']}."


def predictions(rows: Iterable[SuiteResult]) -> list[SuiteResult]:
    """Return the *rows* in which a model is held against a prediction, over all compounds."""
    return [row for row in rows if row.outcome and not row.baseline and MEMBERSHIP not in row.inputs]


Contest = tuple[tuple[str, str, str, str], SuiteResult, SuiteResult | None]
"""Language, split, task and setting; the best figure of the model, and of a shortcut."""


def contests(rows: Iterable[SuiteResult]) -> Iterator[Contest]:
    """Yield the best figure of the model, and of a shortcut, in each task and setting."""
    groups: defaultdict[tuple[str, str, str, str], list[SuiteResult]] = defaultdict(list)
    for row in rows:
        # more bits are not better, and parts of the items are no contest of their own
        of_part = MEMBERSHIP in row.inputs or row.task.rpartition("_")[2] in VMWE_TYPES
        if row.metric not in get_args(InBits) and not of_part:
            groups[row.lang, row.split, row.task, row.setting].append(row)
    for key, group in groups.items():
        leading = group[0].metric  # the first is the one that a task is judged by
        others = groups.get((*key[:3], ANY_SETTING), [])
        rows_of = [row for row in (*group, *others) if row.metric == leading and row.value is not None]
        of_model, of_shortcuts = ([row for row in rows_of if row.baseline is side] for side in (False, True))
        if of_model:
            yield key, _best(of_model), _best(of_shortcuts) if of_shortcuts else None


def _best(rows: Sequence[SuiteResult]) -> SuiteResult:
    return max(rows, key=lambda row: row.value or 0)


def _counts(lines: Iterable[ScorecardLine]) -> Counter[Outcome]:
    return Counter(line.outcome for line in attainable(lines) if line.context_kind == "all")


def by_model(lines: Iterable[ScorecardLine]) -> dict[str, list[ScorecardLine]]:
    """Return *lines* by their model."""
    grouped = defaultdict(list)
    for line in lines:
        grouped[line.model].append(line)
    return grouped
