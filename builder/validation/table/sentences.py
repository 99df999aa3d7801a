"""S2xx and U4xx: is an item a sentence, does it hold what it says, and is its carrier still its context's?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from ftfy.badness import is_bad

from ncimp.builder.records import COMPONENTS, Incident, Item, Pattern
from ncimp.builder.validation.agreement.agreement import parts_of, split_phrase
from ncimp.builder.validation.lookup import Lookup, span_text

FINAL = (".", "!", "?")
REPLACEMENT_CHARACTER = "\ufffd"


def check_sentence(item: Item, original: Item, lookup: Lookup) -> Iterator[Incident]:
    """Yield the incidents of shape of *item*; *original* is the `orig` item of its context."""
    for code, message in (
        *_text(item),
        *_shape(item),
        *_tokens(item, lookup),
        *_replacement(item, original, lookup),
        *_carrier(item, original, lookup),
    ):
        yield Incident(code, item.id, message)


def _text(item: Item) -> Iterator[tuple[str, str]]:
    hidden = any(unicodedata.category(mark).startswith("C") for mark in item.sentence)
    if hidden or REPLACEMENT_CHARACTER in item.sentence or is_bad(item.sentence):
        yield "U401", f"{item.sentence!r}; restore the text from its source"
    if not unicodedata.is_normalized("NFC", item.sentence):
        yield "U402", "normalise the text"


def _shape(item: Item) -> Iterator[tuple[str, str]]:
    text = item.sentence
    if not text[:1].isupper() and not text[:1].isdigit():
        yield "S203", f"it begins with {text[:1]!r}; begin with a capital letter"
    if not text.endswith(FINAL):
        yield "S203", f"it ends with {text[-1:]!r}; end with one of {' '.join(FINAL)}"
    if text != " ".join(text.split()) or any(f" {mark}" in text for mark in ".,;:!?"):
        yield "S203", "it has stray spaces; take them out"


def _tokens(item: Item, lookup: Lookup) -> Iterator[tuple[str, str]]:
    if lookup.tokens(item.sentence) != list(item.tokens):
        yield "S202", "the tokens are not those of the sentence; tokenise it again"
        return
    start, end = item.token_span
    inside = "".join(item.tokens[start:end])
    if not 0 <= start < end <= len(item.tokens) or inside != "".join(span_text(item).split()):
        yield "S202", f"the token span holds {inside!r} and the span {span_text(item)!r}"


def _replacement(item: Item, original: Item, lookup: Lookup) -> Iterator[tuple[str, str]]:
    """S201: the span must hold forms of the item's head and modifier, in the places of its pattern."""
    held = span_text(item)
    if item.variant not in COMPONENTS and not _is_citation(item, lookup):
        yield "S201", f"{item.replacement!r} is not a phrase of {item.modifier!r} and {item.head!r}"
    if item.variant in COMPONENTS:
        components = [part.lower() for part in parts_of(original, lookup) or ()]
        if held.lower() not in components:
            yield "S201", f"{held!r} is not a component of {span_text(original)!r}"
        return
    parts = parts_of(item, lookup)
    if parts is None:
        yield "S201", f"{held!r} is not a phrase of pattern {item.pattern!r}"
        return
    pattern = lookup.pack.language.patterns[str(item.pattern)]
    for part, lemma in zip(parts, _lemmas(item, pattern), strict=True):
        if part.lower() != lemma and all(form.lemma != lemma for form in lookup.readings(part)):
            yield "S201", f"{part!r} in {held!r} is no form of {lemma!r}"


def _is_citation(item: Item, lookup: Lookup) -> bool:
    """Tell whether the citation form of the replacement is made of the item's own lemmas."""
    pattern = lookup.pack.language.patterns.get(item.pattern or "")
    parts = None if pattern is None else split_phrase(item.replacement, pattern)
    if pattern is None or parts is None:
        return False
    return all(
        part == lemma or any(form.lemma == lemma for form in lookup.readings(part))
        for part, lemma in zip(parts, _lemmas(item, pattern), strict=True)
    )


def _lemmas(item: Item, pattern: Pattern) -> list[str | None]:
    """Return the lemmas of *item* in the order in which *pattern* puts them."""
    return [item.head if index == pattern.head else item.modifier for index in range(len(pattern.parts))]


def _undone(item: Item) -> tuple[str, str]:
    """Return the text left and right of the span with the recorded edits undone, character by character."""
    left, right = item.sentence[: item.span[0]], item.sentence[item.span[1] :]
    for edit in sorted(item.carrier_edits, key=lambda edit: -edit.start):
        start, side = edit.start, left
        if edit.start >= item.span[1]:
            start, side = edit.start - item.span[1], right
        side = side[:start] + edit.before + side[start + len(edit.after) :]
        left, right = (left, side) if edit.start >= item.span[1] else (side, right)
    return left, right


def _carrier(item: Item, original: Item, lookup: Lookup) -> Iterator[tuple[str, str]]:
    """S204: outside the span nothing may differ from the original but recorded forms of the same word."""
    recorded = {(edit.before, edit.after) for edit in item.carrier_edits if edit.after}
    deleted = [edit.before.strip() for edit in item.carrier_edits if not edit.after]
    seen = set()
    for word in deleted:
        if item.number != "pl" or word.lower() not in lookup.articles:
            yield "S204", f"{word!r} is gone; only an article before a plural may go"
    for before, after in zip(_outside(original, deleted), _outside(item), strict=True):
        if len(before) != len(after):
            yield "S204", f"the carrier has {len(after)} tokens where the original has {len(before)}"
            return
        for old, new in zip(before, after, strict=True):
            if old != new:
                seen.add((old, new))
                if not lookup.same_word(old, new) or (old, new) not in recorded:
                    yield "S204", f"{old!r} became {new!r}"
    if recorded - seen:
        yield "S204", f"recorded and not made: {sorted(recorded - seen)}"
    if _undone(item) != _undone(original):
        yield "S204", "its spaces or marks outside the span are not those of the original"
    yield from _of_pack(item, lookup)
    for edit in item.carrier_edits:
        if item.sentence[edit.start : edit.start + len(edit.after)] != edit.after:
            yield "S204", f"{edit.after!r} does not stand at {edit.start}"


def _of_pack(item: Item, lookup: Lookup) -> Iterator[tuple[str, str]]:
    """S204 for an original that is not the sentence of the pack; a frame may have been made to agree."""
    marked = lookup.pack.marked.get((item.compound, item.context))
    if item.variant != "orig" or marked is None or item.sentence == marked.text:
        return
    tokens, given = list(item.tokens), lookup.tokens(marked.text)
    alike = len(tokens) == len(given) and all(
        old == new or lookup.same_word(old, new) for old, new in zip(given, tokens, strict=True)
    )
    if item.context_source != "frame" or not alike:
        yield "S204", f"the pack has {marked.text!r}"


def _outside(item: Item, deleted: Sequence[str] = ()) -> tuple[Sequence[str], Sequence[str]]:
    """Return the tokens left and right of the span, without the *deleted* ones nearest to it on its left."""
    left = list(item.tokens[: item.token_span[0]])
    for word in deleted:
        if word in left:
            left.pop(len(left) - 1 - left[::-1].index(word))
    return left, item.tokens[item.token_span[1] :]
