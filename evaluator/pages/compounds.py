"""Compounds one by one: the best and the worst with their sentences, and a table of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ncimp.evaluator.measures import CONTEXT_KINDS, PROBES
from ncimp.evaluator.pages.drawing import sign
from ncimp.evaluator.pages.heat import breakable
from ncimp.evaluator.pages.layout import by_view, cell, more, row_head, table
from ncimp.evaluator.pages.markup import Child, Html, el, join
from ncimp.evaluator.pages.reading import Results, View
from ncimp.evaluator.pages.words import CLASSES, CONTEXTS, KINDS, number
from ncimp.evaluator.release import Item, Release
from ncimp.evaluator.scorecard import PUBLISHED

RANKED_BY: Mapping[str, str] = {
    "idiomatic": "A_Syn|WordsSyn_first",
    "partly_compositional": "A_Syn|Rand",
    "compositional": "A_Syn|Rand",
}
"""The measure that should be high for each class: it says whether the model takes the synonym for what it is."""

SHOWN = 3
"""Compounds at each end, by class."""

VARIANT_WORDS: Mapping[str, str] = {
    "orig": "original",
    "syn": "synonym",
    "head": "head",
    "mod": "modifier",
    "ws1": "by word",
}
"""The variants whose sentences are shown; the random ones follow with their mean."""

NO_RELEASE = "The sentences are in the release, which was not given when this page was made."
"""Said instead of sentences."""

CLOSE = 20
"""Characters of a sentence that are shown on either side of a variant."""

Sentences = Mapping[tuple[str, str, str], Item]
"""Items of a release by compound, context and variant."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The ids of the compounds of a class with the highest and with the lowest values."""

    measure: str
    best: tuple[str, ...]
    worst: tuple[str, ...]


def extremes(results: Results, view: View, name: str) -> Ends:
    """Return the ends of the class *name*; no compound is at both, and equal values go by id."""
    measure = RANKED_BY[name]
    values = results.values.get((view, measure), {})
    ordered = sorted(
        (key for key in values if results.facts[key].compound_class == name), key=lambda key: (-values[key], key)
    )
    shown = min(SHOWN, len(ordered) // 2)
    return Ends(measure, tuple(ordered[:shown]), tuple(reversed(ordered[len(ordered) - shown :])))


def compounds_section(results: Results, release: Release | None) -> Html:
    """Return the best and worst compounds of every view, with sentences where the *release* is at hand."""
    sentences = {} if release is None else {(i.compound_id, i.context, i.variant): i for i in release.items}
    words = (
        "Idiomatic compounds are ranked by A_Syn|WordsSyn_first, the others by A_Syn|Rand: how much nearer to its "
        "original the true synonym is than synonyms of each word, or random words. Each compound is shown in the "
        "sentence that says most about its place (a naturalistic one where the view has any); the number beside a "
        "variant is its similarity to the original."
    )
    lacking = None if release else el("p", NO_RELEASE, class_="note")
    return join([el("p", words), lacking, by_view(results.views, lambda view: _view(results, view, sentences))])


def _view(results: Results, view: View, sentences: Sentences) -> Html:
    parts: list[Html] = []
    for name, words in CLASSES.items():
        ends = extremes(results, view, name)
        for title, keys, best in ((f"Best, {words}", ends.best, True), (f"Worst, {words}", ends.worst, False)):
            cards = [_card(results, view, key, ends.measure, best=best, sentences=sentences) for key in keys]
            if cards:
                parts.append(el("div", el("h4", title), el("div", *cards, class_="cards"), class_="ends"))
    return join(parts)


def _card(results: Results, view: View, key: str, measure: str, *, best: bool, sentences: Sentences) -> Html:
    facts = results.facts[key]
    context = telling_context(results, view, key, measure, best=best)
    value = results.values[view, measure][key]
    lines = list(_lines(results, view, key, context, sentences)) if context else []
    return el(
        "article",
        el("h5", facts.compound, lang=view.lang),
        el(
            "p",
            class_tag(facts.compound_class),
            f" · {measure} {number(value)} on average · shown: {CONTEXTS[context] if context else 'no sentence'}",
            class_="small",
        ),
        el("dl", *lines) if lines else None,
        class_="card",
    )


def telling_context(results: Results, view: View, key: str, measure: str, *, best: bool) -> str | None:
    """Return the context of *view* with the highest value of *measure* (the lowest unless *best*).

    Neutral frames are chosen where there is nothing else: they show little of what a compound means.
    """
    found = []
    contexts = CONTEXT_KINDS["neutral" if view.kind == "neutral" else "naturalistic"]
    for place, context in enumerate(contexts):
        similar = results.similarities.get((view.level, key, context), {})
        synonym = similar.get("syn")
        others = [value for v in PROBES[_other(measure)].variants if (value := similar.get(v)) is not None]
        if synonym is not None and others:
            value = synonym - sum(others) / len(others)
            found.append((-value if best else value, place, context))
    return min(found)[2] if found else None


def _other(measure: str) -> str:
    return "PWordsSyn_first" if measure == "A_Syn|WordsSyn_first" else "PRand"


def _lines(results: Results, view: View, key: str, context: str, sentences: Sentences) -> Iterator[Html]:
    similar = results.similarities[view.level, key, context]
    for variant, words in VARIANT_WORDS.items():
        item = sentences.get((key, context, variant))
        yield el("dt", words)
        shown = _sentence(item, whole=variant == "orig") if item else "–"
        yield el("dd", shown, lang=view.lang if item else None)
        yield el("dd", "" if variant == "orig" else number(similar.get(variant)), class_="num")
    random = [variant for variant in PROBES["PRand"].variants if similar.get(variant) is not None]
    phrases = [words for v in PROBES["PRand"].variants if (words := _phrase(sentences.get((key, context, v))))]
    values = [value for variant in random if (value := similar[variant]) is not None]
    yield el("dt", "random")
    yield el("dd", ", ".join(phrases) or "–", lang=view.lang if phrases else None)
    yield el("dd", number(sum(values) / len(values) if values else None), class_="num")


def _sentence(item: Item, *, whole: bool) -> Html:
    """Return the sentence with its phrase marked; unless *whole*, only what stands close to the phrase."""
    start, end = item.span
    text = item.sentence
    if not text:
        return el("span", "no text")
    before, after = text[:start], text[end:]
    if not whole:
        before, after = ellipsis(before[::-1])[::-1], ellipsis(after)
    return el("span", before, el("mark", text[start:end]), after)


def ellipsis(text: str) -> str:
    r"""Return as many whole words of the beginning of *text* as fit into `CLOSE` characters.

    >>> ellipsis(" is here"), ellipsis(" that nobody had thought of")
    (' is here', ' that nobody had\xa0…')
    """
    if len(text) <= CLOSE:
        return text
    return text[:CLOSE].rsplit(" ", 1)[0] + "\u00a0…"


def _phrase(item: Item | None) -> str:
    return item.sentence[slice(*item.span)] if item else ""


def class_tag(name: str) -> Html:
    """Return the class *name* with its sign and colour."""
    shape = el("svg", sign(name, 8, 8, 6), viewBox="0 0 16 16", aria_hidden="true")
    return el("span", shape, CLASSES[name], class_=f"tag {name}")


def all_compounds_section(results: Results) -> Html:
    """Return the published measures of every compound, as tables that can be sorted and searched."""
    return join(
        [el("p", "The values that everything above is over."), by_view(results.views, lambda view: _all(results, view))]
    )


def _all(results: Results, view: View) -> Html:
    columns: Sequence[Mapping[str, float]] = [results.values.get((view, name), {}) for name in PUBLISHED]
    keys = [key for key in results.facts if key.startswith(f"{view.lang}/")]
    scored = any(results.facts[key].comp is not None for key in keys)
    rows = [_all_row(results, view, key, columns, scored=scored) for key in keys]
    heads: list[Child] = ["Compound", "Class", *(["Score"] if scored else []), *map(breakable, PUBLISHED)]
    listed = table(
        f"All compounds, {KINDS[view.kind].lower()} contexts", heads, rows, sortable=True, tall=True, left=(0, 1)
    )
    find = el("div", class_="find", data_label="Find a compound or a class")
    return more(f"{len(keys)} compounds", el("div", find, listed))


def _all_row(
    results: Results, view: View, key: str, columns: Sequence[Mapping[str, float]], *, scored: bool
) -> list[Html]:
    facts = results.facts[key]
    return [
        row_head(el("span", facts.compound, lang=view.lang)),
        cell(CLASSES[facts.compound_class], class_="left"),
        *([cell(number(facts.comp))] if scored else []),
        *(cell(number(values.get(key))) for values in columns),
    ]
