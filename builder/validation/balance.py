"""B5xx and C305: classes, splits and the list of compounds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ncimp.builder.records import CLASSES, Incident, ReleasedCompound
from ncimp.builder.validation.lookup import Lookup

SMALLEST_CLASS = 0.75
"""Least size of a class as a share of the largest; the published data have 88 to 103 (0.85)."""

BRIDGE = "bridge"
"""The split of compounds that share a lemma with two others; leakage and balance are not asked of it."""


def check_balance(compounds: Sequence[ReleasedCompound], lookup: Lookup) -> Iterator[Incident]:
    """Yield B501 to B504 and C305 for the *compounds* of one language."""
    lang = lookup.pack.language.code
    yield from _classes(compounds, lang)
    yield from _leaks(compounds)
    recorded = {lookup.pack.compound_id(row.compound): row.split for row in lookup.pack.splits}
    for compound in compounds:
        if recorded.get(compound.id) != compound.split:
            message = f"{compound.split!r} where splits.tsv has {recorded.get(compound.id)!r}; never move a compound"
            yield Incident("B503", compound.id, message)
    listed = {lookup.pack.compound_id(row.text) for row in lookup.pack.compounds}
    for place in sorted(listed ^ {compound.id for compound in compounds}):
        yield Incident("C305", place, "in the pack or in the release, not in both; build the release again")


def _classes(compounds: Sequence[ReleasedCompound], lang: str) -> Iterator[Incident]:
    sizes = Counter(compound.compound_class for compound in compounds)
    if min(sizes[name] for name in CLASSES) < SMALLEST_CLASS * max(sizes.values(), default=0):
        shown = ", ".join(f"{sizes[name]} {name}" for name in CLASSES)
        yield Incident("B501", lang, f"{shown}; add compounds of the smallest class")
    present = {(compound.split, compound.compound_class) for compound in compounds}
    for split in sorted({compound.split for compound in compounds} - {BRIDGE}):
        for name in CLASSES:
            if (split, name) not in present:
                yield Incident("B504", f"{lang}/{split}", f"no {name} compound; assign the splits again")


def _leaks(compounds: Sequence[ReleasedCompound]) -> Iterator[Incident]:
    splits: defaultdict[str, set[str]] = defaultdict(set)
    for compound in compounds:
        for lemma in (compound.modifier, compound.head):
            splits[lemma].add(compound.split)
    for compound in compounds:
        for lemma in (compound.modifier, compound.head):
            others = splits[lemma] - {BRIDGE}
            if compound.split != BRIDGE and len(others) > 1:
                yield Incident("B502", compound.id, f"{lemma!r} stands in {sorted(others)}; use the split bridge")
