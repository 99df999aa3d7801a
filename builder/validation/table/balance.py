"""B5xx and C305: classes, letters, splits and the list of compounds."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import comb

from ncimp.builder.records import CLASSES, Incident, ReleasedCompound
from ncimp.builder.validation.lookup import Lookup

SMALLEST_CLASS = 0.75
"""Least size of a class as a share of the largest; the published data have 88 to 103 (0.85)."""

LETTER_EXCESS = 0.1
"""How far the share of one first letter may exceed its share among the words that compounds are made of.

A list that was written down in the order of a dictionary and cut short exceeds it by far more; in the
open edition the largest excess is 0.08 (*c* in Portuguese, with *casa*, *carta*, *cabeça* and their like).
"""

CHANCE = 0.001
"""Below this probability an excess is not taken for chance; it spares small packs, in which few compounds are many."""

BRIDGE = "bridge"
"""The split of compounds that share a lemma with two others; leakage and balance are not asked of it."""


def check_balance(compounds: Sequence[ReleasedCompound], lookup: Lookup) -> Iterator[Incident]:
    """Yield B501 to B505 and C305 for the *compounds* of one language."""
    lang = lookup.pack.language.code
    yield from _classes(compounds, lang)
    yield from _letters(compounds, lookup)
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


def _letters(compounds: Sequence[ReleasedCompound], lookup: Lookup) -> Iterator[Incident]:
    """B505: what is natural for a letter is its share among the nouns and adjectives of forms.tsv."""
    words = {form.lemma for form in lookup.pack.forms if form.pos in ("noun", "adj")}
    natural, begun = Counter(map(_initial, words)), Counter(_initial(row.compound) for row in compounds)
    for letter, count in sorted(begun.items()):
        share = natural[letter] / max(1, len(words))
        excess = count / len(compounds) - share
        if excess > LETTER_EXCESS and _at_least(count, len(compounds), share) < CHANCE:
            message = f"{count} of {len(compounds)} begin with {letter!r}, as do {share:.0%} of the words; add others"
            yield Incident("B505", lookup.pack.language.code, message)


def _initial(word: str) -> str:
    """Return the first letter of *word*, small and without accents."""
    return unicodedata.normalize("NFD", word[0])[0].lower()


def _at_least(count: int, trials: int, share: float) -> float:
    """Return the probability of *count* or more among *trials*, each with probability *share* (binomial)."""
    return sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(count, trials + 1))


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
