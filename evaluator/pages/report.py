"""The page of one evaluation."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from ncimp.evaluator import pages, verdict
from ncimp.evaluator.measures import CONTEXT_KINDS, PROBES
from ncimp.evaluator.pages import figures
from ncimp.evaluator.records import AttestedUse, Document, LiteralUse, Signature, SuiteResult
from ncimp.evaluator.release import Item, Release
from ncimp.evaluator.results import Results, View, read_results
from ncimp.evaluator.scorecard import PUBLISHED
from ncimp.schemas import EvaluationError, Row, write_text
from ncimp.schemas.pages.charts import sign
from ncimp.schemas.pages.kit import Cell, Content, Section, interval, join, number, page, table
from ncimp.schemas.records import to_row

PAGE = "report.html"  # the name of the page, in the folder of results
# the measure that should be high for each class: it says whether the model takes the synonym for what it is
RANKED_BY = dict.fromkeys(pages.CLASSES, "A_Syn|Rand") | {"idiomatic": "A_Syn|WordsSyn_first"}
SHOWN = 3  # compounds at each end, by class
# the variants whose sentences are shown; the random ones follow with their mean
VARIANT_WORDS = {"orig": "original", "syn": "synonym", "head": "head", "mod": "modifier", "ws1": "by word"}
NO_RELEASE = "The sentences are in the release, which was not given when this page was made."
CLOSE = 20  # characters of a sentence that are shown on either side of a variant
REASONS: Mapping[str, str] = {  # why an item may have no vector, by kind of model
    "static": "An item has no vector when the word vectors know none of its words.",
    "precomputed": "An item has no vector when the file does not name it, or has a row of NaN for it.",
    "transformers": "An item has no vector when its sentence is so long that the model cuts off its span.",
    "sentence-transformers": "An item has no vector when its sentence is so long that the model cuts off its span.",
    "endpoint": "An item has no vector when the endpoint gave zeros for its sentence.",
    "callable": "An item has no vector when the function gave NaN for it.",
    "recorded": "An item has no answer when it is in a file of another model only.",
}
OTHER_REASON = "An item has no vector when the model cut its span off, or gave none for it."
EXPERIMENTS: Mapping[str, str] = {  # the experiments of NCTTI
    "phrase": "compound in its sentence against the phrase alone",
    "words": "compound in its sentence against the sum of its words",
    "nuance": "distances of human scores against cosines of sentences",
    "spread": "spread of human scores against spread of cosines",
}
Sentences = Mapping[tuple[str, str, str], Item]  # items of a release by compound, context and variant


def write_report(folder: Path, release: Release | None = None) -> Path:
    """Write the page of the results in *folder* beside them and return its path.

    Sentences are in the page when the *release* that was evaluated is given; another one is refused.
    """
    results = read_results(folder, items=True)
    signature = results.document.signature
    if release is not None and release.logical_sha256 != signature.logical_sha256:
        what = f"the results are of release {signature.release}, with another hash than the release given"
        raise EvaluationError(what, fix="give the release that was evaluated, or none")
    write_text(folder / PAGE, report_page(results, release))
    return folder / PAGE


def report_page(results: Results, release: Release | None = None) -> str:
    """Return the page of *results* as HTML; the same results give the same bytes."""
    document, signature = results.document, results.document.signature
    counts = [*Counter(facts.lang for facts in results.facts.values()).items()]
    sizes = ", ".join(f"{pages.counted(n, 'compound')} in {pages.LANGUAGES.get(lang, lang)}" for lang, n in counts)
    sizes = sizes or f"suite {signature.options.get('suite')}"
    facts = f"Release ncimp {signature.release} ({signature.logical_sha256[:12]}) · {sizes}"
    facts += " · a quick look at a part of it" * bool({"limit", "split"} & signature.options.keys())
    words = (verdict.headline(document), facts, verdict.findings(document), verdict.warnings(document))
    head = pages.render("head", "Does it represent idioms?", signature.model.name, *words)
    title = f"{signature.model.name} on ncimp {signature.release}"
    sections = list(_sections(results, release))
    return page(title, head, sections, tools=pages.filters(results.views), style=pages.filter_style(results.views))


def _sections(results: Results, release: Release | None) -> Iterator[Section]:
    document = results.document
    if document.suites:
        yield Section("suite", "Tasks", join(_suite_tables(document.suites)))
        if document.unparsed:
            yield Section("unparsed", "Unparsed", _unparsed_table(document))
        yield Section("missing", "Missing", _missing_section(results))
        yield Section("signature", "Signature", _signature_section(document.signature))
        return
    yield Section("scorecard", "Scorecard", figures.scorecard_section(results))
    yield Section("distributions", "Distributions", figures.distributions_section(results))
    yield Section("correlations", "Correlations", figures.correlations_section(results))
    yield Section("correlogram", "Correlogram", figures.correlogram_section(results))
    yield Section("compounds", "Best and worst", _compounds_section(results, release))
    all_compounds = pages.by_view(results.views, lambda view: _all_compounds(results, view))
    yield Section("all", "All compounds", pages.render("all_compounds", all_compounds))
    if document.standardised:
        yield Section("standardised", "Standardised", _standardised_table(document))
    if document.experiments:
        yield Section("experiments", "Experiments", _experiments_table(document))
    if document.literal:
        yield Section("literal", "Literal use", pages.render("literal", _literal_table(document)))
    if document.attested:
        yield Section("attested", "Found sentences", pages.render("attested", _attested_table(document)))
    yield Section("missing", "Missing", _missing_section(results))
    yield Section("signature", "Signature", _signature_section(document.signature))


class Ends(NamedTuple):
    """The ids of the compounds of a class with the highest and with the lowest values."""

    measure: str
    best: tuple[str, ...]
    worst: tuple[str, ...]


def extremes(results: Results, view: View, class_name: str) -> Ends:
    """Return the ends of a class; no compound is at both, and equal values are ordered by id."""
    measure = RANKED_BY[class_name]
    values = results.values.get((view, measure), {})
    ordered = sorted(
        (key for key in values if results.facts[key].compound_class == class_name), key=lambda key: (-values[key], key)
    )
    shown = min(SHOWN, len(ordered) // 2)
    return Ends(measure, tuple(ordered[:shown]), tuple(reversed(ordered[len(ordered) - shown :])))


def _compounds_section(results: Results, release: Release | None) -> Markup:
    sentences = {} if release is None else {(i.compound_id, i.context, i.variant): i for i in release.items}

    def content(view: View) -> Markup:
        parts = []
        for name, words in pages.CLASSES.items():
            ends = extremes(results, view, name)
            for title, keys, best in ((f"Best, {words}", ends.best, True), (f"Worst, {words}", ends.worst, False)):
                if keys:
                    cards = [_card(results, view, key, ends.measure, best=best, sentences=sentences) for key in keys]
                    parts.append(pages.render("ends", title, cards))
        return join(parts)

    note = "" if release else NO_RELEASE
    return pages.render("compounds", pages.by_view(results.views, content), note)


def _card(results: Results, view: View, key: str, measure: str, *, best: bool, sentences: Sentences) -> Row:
    facts = results.facts[key]
    css = facts.compound_class
    context = telling_context(results, view, key, measure, best=best)
    return {
        "lang": view.lang,
        "compound": facts.compound,
        "tag": pages.render("class_tag", css, pages.CLASSES[css], sign(css, 8, 8, 6)),
        "measure": measure,
        "value": results.values[view, measure][key],
        "context": pages.CONTEXTS[context] if context else "no sentence",
        "lines": list(_card_lines(results, view, key, context, sentences)) if context else [],
    }


def telling_context(results: Results, view: View, key: str, measure: str, *, best: bool) -> str | None:
    """Return the context of *view* with the highest value of *measure* (the lowest unless *best*).

    Neutral contexts are shown only in their own view: they show little of what a compound means.
    """
    ranked = []
    probe = PROBES["PWordsSyn_first" if measure == "A_Syn|WordsSyn_first" else "PRand"]
    contexts = CONTEXT_KINDS["neutral" if view.kind == "neutral" else "naturalistic"]
    for place, context in enumerate(contexts):
        similar = results.similarities.get((view.level, key, context), {})
        synonym = similar.get("syn")
        others = [value for variant in probe.variants if (value := similar.get(variant)) is not None]
        if synonym is not None and others:
            value = synonym - sum(others) / len(others)
            ranked.append((-value if best else value, place, context))
    return min(ranked)[2] if ranked else None


def _card_lines(results: Results, view: View, key: str, context: str, sentences: Sentences) -> Iterator[Row]:
    similar = results.similarities[view.level, key, context]
    for variant, name in VARIANT_WORDS.items():
        item = sentences.get((key, context, variant))
        text = _sentence(item, whole=variant == "orig") if item else "–"
        value = "" if variant == "orig" else number(similar.get(variant))
        yield {"name": name, "lang": view.lang if item else None, "text": text, "value": value}
    randoms = PROBES["PRand"].variants
    items = [item for variant in randoms if (item := sentences.get((key, context, variant)))]
    phrases = [phrase for item in items if (phrase := item.sentence[slice(*item.span)])]
    values = [cosine for variant in randoms if (cosine := similar.get(variant)) is not None]
    mean = number(sum(values) / len(values) if values else None)
    yield {"name": "random", "lang": view.lang if phrases else None, "text": ", ".join(phrases) or "–", "value": mean}


def _sentence(item: Item, *, whole: bool) -> Content:
    """Return the sentence with its phrase marked; unless *whole*, only the words close to the phrase."""
    if not item.sentence:
        return "no text"
    start, end = item.span
    before, phrase, after = item.sentence[:start], item.sentence[start:end], item.sentence[end:]
    if not whole:
        before, after = ellipsis(before[::-1])[::-1], ellipsis(after)
    return pages.render("marked", before, phrase, after)


def ellipsis(text: str) -> str:
    r"""Return as many whole words of the beginning of *text* as fit into `CLOSE` characters.

    >>> ellipsis(" is here"), ellipsis(" that nobody had thought of")
    (' is here', ' that nobody had\xa0…')
    """
    return text if len(text) <= CLOSE else text[:CLOSE].rsplit(" ", 1)[0] + "\u00a0…"


def _all_compounds(results: Results, view: View) -> Markup:
    columns = [results.values.get((view, name), {}) for name in PUBLISHED]
    compounds = {key: facts for key, facts in results.facts.items() if facts.lang == view.lang}
    scored = any(facts.comp is not None for facts in compounds.values())
    rows = []
    for key, facts in compounds.items():
        name, score = pages.render("in_language", facts.compound, view.lang), [number(facts.comp)] if scored else []
        values = [number(column.get(key)) for column in columns]
        rows.append([name, pages.CLASSES[facts.compound_class], *score, *values])
    heads = ["Compound", "Class", *(["Score"] if scored else []), *map(pages.breakable, PUBLISHED)]
    caption = f"All compounds, {pages.KINDS[view.kind].lower()} contexts"
    listed = table(caption, heads, rows, sortable=True, tall=True, left=(0, 1))
    return pages.render("searchable", f"{len(rows)} compounds", listed)


def _missing_section(results: Results) -> Markup:
    document = results.document
    undefined = sum(row.missing for row in document.results if row.context_kind == "all" and row.measure == "SimR_PSyn")
    total = sum(row.missing for row in document.missing)
    if not total:
        scaled = f" SimR_PSyn is undefined in {pages.counted(undefined, 'sentence')}." if undefined else ""
        return pages.render("missing", f"Every item had a vector.{scaled}", document.notes, "")
    reason = REASONS.get(document.signature.model.kind, OTHER_REASON)
    summary = (
        f"{pages.counted(total, 'vector')} missing. {reason} Each measure leaves out what it cannot compute; "
        "the tables count it."
    )
    heads = ["Language", "Level", "Sentence", "Variant", "Without a vector", "of"]
    rows = [
        [*_place(row.lang, row.level), pages.CONTEXTS[row.context], row.variant, f"{row.missing:,}", f"{row.items:,}"]
        for row in document.missing
    ]
    listed = table("Items without a vector", heads, rows, sortable=True, tall=True, left=range(4))
    return pages.render("missing", summary, document.notes, listed)


def _suite_tables(suites: Iterable[SuiteResult]) -> Iterator[Markup]:
    """Yield a table for each task, language and split: the model's figures and those of shortcuts."""
    groups: defaultdict[tuple[str, str, str], list[SuiteResult]] = defaultdict(list)
    for row in suites:
        groups[row.task, row.lang, row.split].append(row)
    heads = ["Answers of", "Trained on, or part", "Given", "Metric", "", "95 % interval", "n", "Compounds", "Missing"]
    heads += ["Refused", "Unparsed"]
    for (task, lang, split), group in groups.items():
        rows: list[list[Content | Cell]] = [
            [
                Cell(row.model, note="shortcut" if row.baseline else ""),
                *(row.setting, row.inputs, Cell(row.metric, note=row.outcome or "")),
                *(number(row.value, 3), interval(row.low, row.high, 3)),
                *(row.n, row.compounds, row.missing, row.refused, row.unparsed),
            ]
            for row in group
        ]
        caption = f"{task}, {pages.LANGUAGES.get(lang, lang)}, {split}"
        yield table(caption, heads, rows, sortable=True, tall=True, left=range(4))


def _unparsed_table(document: Document) -> Markup:
    heads = ["Task", "Setting", "Model", "Phrase", "", "Answer"]
    rows: list[list[Content | Cell]] = [
        [row.task, row.setting, row.model, row.phrase, row.status, row.answer] for row in document.unparsed
    ]
    return table("Answers that have none of the accepted shapes", heads, rows, sortable=True, tall=True, left=range(6))


def _standardised_table(document: Document) -> Markup:
    heads = ["Measure", "Method", "Language", "Level", "Contexts", "Mean before", "after", "ρ before", "after", "n"]
    rows: list[list[Content | Cell]] = []
    for row in document.standardised:
        figures = map(number, (row.mean_before, row.mean_after, row.rho_before, row.rho_after))
        place = (*_place(row.lang, row.level), pages.KINDS[row.context_kind])
        rows.append([pages.measure_head(row.measure), row.method, *place, *figures, row.n])
    caption = "Before and after standardisation"
    return table(caption, heads, rows, sortable=True, tall=True, left=range(5))


def _experiments_table(document: Document) -> Markup:
    heads = ["Experiment", "Unit", "Language", "Level", "ρ", "95 % interval", "p", "Holm p"]
    heads += ["n", "Compounds", "Missing"]
    rows = []
    for row in document.experiments:
        name = Cell(row.experiment, note=EXPERIMENTS.get(row.experiment, ""))
        figures = (number(row.rho), interval(row.low, row.high), pages.p_value(row.p), pages.p_value(row.p_holm))
        counts = (row.n, row.compounds, row.missing)
        rows.append([name, row.unit, *_place(row.lang, row.level), *figures, *counts])
    return table("Experiments of NCTTI", heads, rows, left=range(4))


def _literal_table(document: Document) -> Markup:
    means = [(row, (row.idiomatic, row.literal, row.difference)) for row in document.literal]
    return _uses_table("Idiomatic against literal use of the same compounds", ("Idiomatic", "Literal"), means)


def _attested_table(document: Document) -> Markup:
    means = [(row, (row.authored, row.attested, row.difference)) for row in document.attested]
    return _uses_table("Authored against found sentences of the same compounds", ("Authored", "Found"), means)


def _uses_table(
    caption: str,
    sides: tuple[str, str],
    means: Iterable[tuple[LiteralUse | AttestedUse, tuple[float | None, ...]]],
) -> Markup:
    """Return the table of two uses of the same compounds: a mean of each, and their difference."""
    heads = ["Measure", "Language", "Level", *sides, "Difference", "95 % interval", "n", "Missing"]
    rows: list[list[Content | Cell]] = []
    for row, values in means:
        place = (pages.measure_head(row.measure), *_place(row.lang, row.level))
        # one word apart, two whole sentences are nearly as near as they can be: two decimals would show no difference
        cells = [number(value, 3) for value in values]
        rows.append([*place, *cells, interval(row.low, row.high, 3), row.n, row.missing])
    return table(caption, heads, rows, left=range(3))


def _place(lang: str, level: str) -> tuple[str, str]:
    return pages.LANGUAGES.get(lang, lang), pages.LEVELS[level]


def _signature_section(signature: Signature) -> Markup:
    model = signature.model
    facts = [
        ("Model", model.name),
        ("Kind", model.kind),
        ("Hash of the model", pages.render("code", model.sha256) if model.sha256 else "–"),
        ("Options of the model", pages.render("code", pages.compact_json(model.options))),
        ("Release", signature.release),
        ("Hash of the release", pages.render("code", signature.logical_sha256)),
        ("Options", pages.render("code", pages.compact_json(signature.options))),
        ("Seed", signature.seed),
        ("Code", f"ncimp {signature.code_version}"),
    ]
    return pages.render("signature", facts, json.dumps(to_row(signature), ensure_ascii=False, indent=2))
