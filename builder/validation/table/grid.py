"""C3xx, P6xx, R7xx: is every cell of the grid filled once, are pairs their items, are randoms random?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ncimp.builder.config import Matching
from ncimp.builder.records import (
    CONTEXTS,
    LITERAL,
    LITERAL_VARIANTS,
    RANDOMS,
    VARIANTS,
    Incident,
    Item,
    Pair,
    ReleasedCompound,
)
from ncimp.builder.validation.lookup import Lookup, span_text

SHARED_COLUMNS = sorted(set(Item.__dataclass_fields__) & set(Pair.__dataclass_fields__))
"""Columns that a pair has from its second item."""

Cells = Mapping[tuple[str, str, str], Item]
"""Items by compound id, context and variant."""

MAX_DELTA = 0.5
"""Largest allowed |difference of log10 frequency| of what a random compound is matched in."""


def check_grid(items: Sequence[Item], compounds: Sequence[ReleasedCompound]) -> Iterator[Incident]:
    """Yield C301 to C304 and R702 for the whole table of *items*."""
    yield from _repeated_ids(items)
    cells = _by_cell(items)
    for compound in compounds:
        for context in CONTEXTS:
            yield from _check_cells(compound.id, context, VARIANTS, cells)
    yield from _repeated_sentences(items)
    yield from _repeated_randoms(items)


def _repeated_ids(items: Sequence[Item]) -> Iterator[Incident]:
    for place, count in Counter(item.id for item in items).items():
        if count > 1:
            yield Incident("C303", place, f"{count} rows have this id; keep one")


def _by_cell(items: Sequence[Item]) -> Cells:
    return {(item.compound_id, item.context, item.variant): item for item in items}


def _check_cells(compound_id: str, context: str, variants: Sequence[str], cells: Cells) -> Iterator[Incident]:
    """C301 and C302 for one context, which should hold *variants*."""
    seen: dict[str, str] = {}
    for variant in variants:
        place = f"{compound_id}/{context}/{variant}"
        item = cells.get((compound_id, context, variant))
        if item is None:
            yield Incident("C301", place, "no sentence; build the compound again")
            continue
        key = span_text(item).lower()
        if key in seen:
            yield Incident("C302", place, f"{key!r} is also variant {seen[key]!r}; choose another")
        seen.setdefault(key, variant)


def check_literal(literal: Sequence[Item], lookup: Lookup) -> Iterator[Incident]:
    """Yield C301 to C303 for the literal contexts of the pack, each of which has its three variants once."""
    yield from _repeated_ids(literal)
    cells = _by_cell(literal)
    for compound, context in lookup.pack.marked:
        if context == LITERAL:
            yield from _check_cells(lookup.pack.compound_id(compound), context, LITERAL_VARIANTS, cells)


def _repeated_sentences(items: Sequence[Item]) -> Iterator[Incident]:
    first: dict[str, Item] = {}
    for item in items:
        other = first.setdefault(item.sentence, item)
        frame = item.context_source == "frame" and other.context == item.context
        same_cell = (other.compound_id, other.context) == (item.compound_id, item.context)
        # two compounds may meet in a neutral frame by a shared component; written contexts may not meet
        if other is not item and not same_cell and not frame:
            yield Incident("C304", item.id, f"the sentence of {other.id} again; write another")


def _repeated_randoms(items: Sequence[Item]) -> Iterator[Incident]:
    users: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item in items:
        if item.variant in RANDOMS and item.context == CONTEXTS[0]:
            users[item.lang, item.replacement].append(item.id)
    for (_, text), places in users.items():
        for place in places[1:]:
            yield Incident("R702", place, f"{text!r} is also {places[0]}; draw another")


def check_pairs(pairs: Sequence[Pair], items: Sequence[Item]) -> Iterator[Incident]:
    """Yield P601 and P602: every item but the originals is the second sentence of exactly one pair."""
    by_id = {item.id: item for item in items}
    expected = {item.id for item in items if item.variant != "orig"}
    for place, count in Counter(pair.id for pair in pairs).items():
        if place not in expected or count > 1:
            yield Incident("P602", place, f"{count} pairs of an item that should have {int(place in expected)}")
    for place in sorted(expected - {pair.id for pair in pairs}):
        yield Incident("P602", place, "no pair; build the release again")
    for pair in pairs:
        item = by_id.get(pair.id)
        original = by_id.get(f"{item.compound_id}/{item.context}/orig") if item is not None else None
        if item is not None and original is not None and not _is_pair(pair, original, item):
            yield Incident("P601", pair.id, "its sentences, spans or columns are not those of its items")


def _is_pair(pair: Pair, original: Item, item: Item) -> bool:
    first = (pair.sentence1, pair.span1) == (original.sentence, original.span)
    second = (pair.sentence2, pair.span2) == (item.sentence, item.span)
    return first and second and all(getattr(pair, name) == getattr(item, name) for name in SHARED_COLUMNS)


def check_randoms(items: Sequence[Item], lookup: Lookup, match: Matching = "components") -> Iterator[Incident]:
    """Yield R701 and R703 for the random compounds of each compound, looked at once per compound.

    *match* is the rule of the release: matched by the mean alone, components may be as far off as they are.
    """
    drawn: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        if item.variant in RANDOMS and item.context == CONTEXTS[0]:
            drawn[item.compound].append(item)
    for compound, randoms in drawn.items():
        own = _content_words(compound, lookup)
        for item in randoms:
            shared = {str(item.modifier), str(item.head)} & own
            own |= {str(item.modifier), str(item.head)}
            if shared:
                yield Incident("R701", item.id, f"{sorted(shared)} stands in its compound, a synonym or another random")
            deltas = [item.mean_delta] if match == "mean" else [item.modifier_delta, item.head_delta]
            if any(delta is None or abs(delta) > MAX_DELTA for delta in deltas):
                yield Incident("R703", item.id, f"differences {deltas} are not within {MAX_DELTA}")


def _content_words(compound: str, lookup: Lookup) -> set[str]:
    rows = [row for row in lookup.pack.compounds if row.text == compound]
    synonyms = [row for row in lookup.pack.synonyms if row.compound == compound]
    words = {word for row in rows for word in (row.modifier, row.head)}
    return words | {word for row in synonyms for word in (row.modifier, row.head) if word is not None}
