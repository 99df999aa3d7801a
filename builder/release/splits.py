"""Splits by compound: no lemma in two splits, every class in every split, and no compound ever moves.

Compounds that share a component lemma are one group. Groups go, largest first and then by keyed hash,
to the split that lacks most of what they bring. What is recorded in the pack stays; a later compound
goes where its lemmas already are, and to `bridge` where they are in two splits.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ncimp.builder.records import Compound, Split, SplitAssignment
from ncimp.schemas.files import keyed_hash

SHARES: Mapping[Split, float] = {"train": 0.60, "test": 0.25, "validation": 0.15}
"""Share of each split in the compounds of a class; of splits that lack as much, the first is served."""


def assign_splits(
    compounds: Sequence[Compound], recorded: Iterable[SplitAssignment], *, seed: str
) -> list[SplitAssignment]:
    """Return the split of every compound, those *recorded* unchanged, in the order of *compounds*."""
    splits: dict[str, Split] = {row.compound: row.split for row in recorded}
    new = [compound for compound in compounds if compound.text not in splits]
    for group in _groups(new, seed):
        splits |= dict.fromkeys((member.text for member in group), _place(group, compounds, splits))
    return [SplitAssignment(compound.text, splits[compound.text]) for compound in compounds]


def _lemmas(compounds: Iterable[Compound]) -> set[str]:
    return {lemma for compound in compounds for lemma in (compound.modifier, compound.head)}


def _groups(compounds: Iterable[Compound], seed: str) -> list[list[Compound]]:
    """Return *compounds* grouped by shared lemmas, largest group first, equals in keyed-hash order."""
    groups: list[list[Compound]] = []
    for compound in compounds:
        touching = [group for group in groups if _lemmas(group) & _lemmas([compound])]
        groups = [group for group in groups if group not in touching]
        groups.append([*(member for group in touching for member in group), compound])
    return sorted(groups, key=lambda group: (-len(group), keyed_hash(seed, min(member.text for member in group))))


def _place(group: Sequence[Compound], compounds: Sequence[Compound], splits: Mapping[str, Split]) -> Split:
    """Return the split of *group*: where its lemmas already are, `bridge` for two, else where it is needed most."""
    placed = [compound for compound in compounds if compound.text in splits]
    homes = {splits[other.text] for other in placed if _lemmas([other]) & _lemmas(group)} - {"bridge"}
    if len(homes) > 1:
        return "bridge"
    return homes.pop() if homes else max(SHARES, key=lambda split: _need(split, group, compounds, splits))


def _need(split: Split, group: Sequence[Compound], compounds: Sequence[Compound], splits: Mapping[str, Split]) -> float:
    """Return how many compounds *split* still lacks of the classes that *group* brings, summed over its members."""
    totals = Counter(compound.compound_class for compound in compounds)
    counts = Counter(compound.compound_class for compound in compounds if splits.get(compound.text) == split)
    missing = (SHARES[split] * totals[member.compound_class] - counts[member.compound_class] for member in group)
    return round(sum(missing), 9)
