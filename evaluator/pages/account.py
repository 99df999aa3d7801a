"""What a reader has to know to trust a page: what was missing and why, further tables, and the signature."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ncimp.evaluator.pages.layout import cell, more, row_head, table
from ncimp.evaluator.pages.markup import Html, el, join
from ncimp.evaluator.pages.words import CONTEXTS, KINDS, LEVELS, counted, interval, language, number, p_value
from ncimp.evaluator.records import Document, Signature
from ncimp.schemas.records import to_row

REASONS: Mapping[str, str] = {
    "static": "An item has no vector when the word vectors know none of its words.",
    "precomputed": "An item has no vector when the file does not name it, or has a row of NaN for it.",
    "transformers": "An item has no vector when its sentence is so long that the model cuts off its span.",
    "sentence-transformers": "An item has no vector when its sentence is so long that the model cuts off its span.",
    "endpoint": "An item has no vector when the endpoint gave zeros for its sentence.",
    "callable": "An item has no vector when the function gave NaN for it.",
}
"""Why an item may have no vector, by kind of model."""

OTHER_REASON = "An item has no vector when the model cut its span off, or gave none for it."

EXPERIMENTS: Mapping[str, str] = {
    "phrase": "compound in its sentence against the phrase alone",
    "words": "compound in its sentence against the sum of its words",
    "nuance": "distances of human scores against cosines of sentences",
    "spread": "spread of human scores against spread of cosines",
}
"""The experiments of NCTTI in words."""


def missing_section(document: Document) -> Html:
    """Return how many items have no vector, where, and why that can be."""
    undefined = sum(row.missing for row in document.results if row.context_kind == "all" and row.measure == "SimR_PSyn")
    counts = sum(row.missing for row in document.missing)
    notes = el("ul", *(el("li", note) for note in document.notes)) if document.notes else None
    if not counts:
        scaled = f" SimR_PSyn is undefined in {counted(undefined, 'sentence')}." if undefined else ""
        return join([el("p", f"Every item had a vector.{scaled}"), notes])
    reason = REASONS.get(document.signature.model.kind, OTHER_REASON)
    heads = ("Language", "Level", "Sentence", "Variant", "Without a vector", "of")
    rows = [
        [
            row_head(language(row.lang)),
            cell(LEVELS[row.level], class_="left"),
            cell(CONTEXTS[row.context], class_="left"),
            cell(row.variant, class_="left"),
            cell(f"{row.missing:,}"),
            cell(f"{row.items:,}"),
        ]
        for row in document.missing
    ]
    what = (
        f"{counted(counts, 'vector')} missing. {reason} Each measure leaves out what it cannot compute; the tables "
        "count it."
    )
    return join(
        [el("p", what), notes, table("Items without a vector", heads, rows, sortable=True, tall=True, left=range(4))]
    )


def standardised_table(document: Document) -> Html:
    """Return the figures before and after vectors were standardised."""
    heads = ("Measure", "Method", "Language", "Level", "Contexts", "Mean before", "after", "ρ before", "after", "n")
    rows = [
        [
            row_head(row.measure),
            cell(row.method, class_="left"),
            *_place(row.lang, row.level, row.context_kind),
            *(cell(number(value)) for value in (row.mean_before, row.mean_after, row.rho_before, row.rho_after)),
            cell(row.n),
        ]
        for row in document.standardised
    ]
    return table("Before and after standardisation", heads, rows, sortable=True, tall=True, left=range(5))


def experiments_table(document: Document) -> Html:
    """Return the figures of the experiments of NCTTI."""
    heads = (
        "Experiment",
        "Unit",
        "Language",
        "Level",
        "ρ",
        "95 % interval",
        "p",
        "Holm p",
        "n",
        "Compounds",
        "Missing",
    )
    rows = [
        [
            row_head(row.experiment, EXPERIMENTS.get(row.experiment)),
            cell(row.unit, class_="left"),
            *_place(row.lang, row.level),
            cell(number(row.rho)),
            cell(interval(row.low, row.high)),
            cell(p_value(row.p)),
            cell(p_value(row.p_holm)),
            *(cell(count) for count in (row.n, row.compounds, row.missing)),
        ]
        for row in document.experiments
    ]
    return table("Experiments of NCTTI", heads, rows, left=range(4))


def _place(lang: str, level: str, kind: str | None = None) -> list[Html]:
    words = [language(lang), LEVELS[level], *([KINDS[kind]] if kind else [])]
    return [cell(word, class_="left") for word in words]


def signature_section(signature: Signature) -> Html:
    """Return all that the figures depend on, in words and as JSON."""
    model = signature.model
    facts = {
        "Model": model.name,
        "Kind": model.kind,
        "Hash of the model": el("code", model.sha256) if model.sha256 else "–",
        "Options of the model": el("code", json.dumps(model.options, ensure_ascii=False, sort_keys=True)),
        "Release": signature.release,
        "Hash of the release": el("code", signature.logical_sha256),
        "Options": el("code", json.dumps(signature.options, ensure_ascii=False, sort_keys=True)),
        "Seed": str(signature.seed),
        "Code": f"ncimp {signature.code_version}",
    }
    listed = el(
        "dl", *(part for name, value in facts.items() for part in (el("dt", name), el("dd", value))), class_="facts"
    )
    text = json.dumps(to_row(signature), ensure_ascii=False, indent=2)
    return join([listed, more("The same as JSON", el("pre", el("code", text)))])


def signatures_section(signatures: Sequence[Signature]) -> Html:
    """Return what each of several evaluations depends on."""
    heads = ("Model", "Kind", "Hash", "Options of the model", "Options", "Seed", "Code")
    rows = [
        [
            row_head(one.model.name),
            cell(one.model.kind, class_="left"),
            cell(el("code", one.model.sha256[:12]) if one.model.sha256 else "–", class_="left"),
            cell(el("code", json.dumps(one.model.options, ensure_ascii=False, sort_keys=True)), class_="text"),
            cell(el("code", json.dumps(one.options, ensure_ascii=False, sort_keys=True)), class_="text"),
            cell(one.seed),
            cell(one.code_version),
        ]
        for one in signatures
    ]
    return table("What each evaluation depends on", heads, rows, left=range(5))
