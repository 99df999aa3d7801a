"""C306 and C307: do the columns of a row agree with its id, its variant, its compound and the other contexts?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ncimp.builder.records import COMPONENTS, NEUTRAL, PROBES, Compound, Incident, Item, ReleasedCompound
from ncimp.builder.validation.lookup import Lookup

SAME_EVERYWHERE = ("replacement", "head", "modifier", "source", "modifier_delta", "head_delta")
"""Columns in which the items of one variant of one compound are alike."""


def check_consistency(
    items: Sequence[Item], compounds: Sequence[ReleasedCompound], lookup: Lookup
) -> Iterator[Incident]:
    """Yield C306 and C307 for the rows of one language."""
    released = {compound.id: compound for compound in compounds}
    packed = {lookup.pack.compound_id(compound.text): compound for compound in lookup.pack.compounds}
    for item in items:
        for what in _contradictions(item, released, packed):
            yield Incident("C306", item.id, f"{what}; build the release again")
        alone = item.variant in COMPONENTS and item.context in NEUTRAL  # a frame takes the number of what fills it
        if not alone and item.number != lookup.pack.numbers.get((item.compound, item.context), item.number):
            yield Incident("A108", item.id, f"{item.number!r} is not the number of its context; inflect the span")
    yield from _differences(items)


def _contradictions(
    item: Item, released: Mapping[str, ReleasedCompound], packed: Mapping[str, Compound]
) -> Iterator[str]:
    """Yield in words what of *item* cannot be."""
    compound = released.get(item.compound_id)
    expected = {
        "id": f"{item.compound_id}/{item.context}/{item.variant}",
        "lang": item.compound_id.split("/", 1)[0],
        "probe": PROBES[item.variant],
        "context_kind": "neutral" if item.context in NEUTRAL else "naturalistic",
    }
    if compound is None:
        yield f"no row of the table compounds is {item.compound_id!r}"
    else:
        expected |= {name: getattr(compound, name) for name in ("compound", "compound_class", "split")}
    if item.compound_id in packed:
        expected |= _of_pack(item, packed[item.compound_id])
    for column, value in expected.items():
        if getattr(item, column) != value:
            yield f"{column} is {getattr(item, column)!r} and should be {value!r}"


def _of_pack(item: Item, compound: Compound) -> dict[str, str]:
    """Return what the pack says of the columns of an item that holds the compound itself or a component."""
    texts = {"orig": compound.text, "head": compound.head, "mod": compound.modifier}
    return {"replacement": texts[item.variant]} if item.variant in texts else {}


def _differences(items: Sequence[Item]) -> Iterator[Incident]:
    variants: defaultdict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        variants[item.compound_id, item.variant].append(item)
    for group in variants.values():
        first = group[0]
        for item in group[1:]:
            differing = [name for name in SAME_EVERYWHERE if getattr(item, name) != getattr(first, name)]
            if differing:
                yield Incident("C307", item.id, f"{', '.join(differing)} differ from {first.id}; build it again")
