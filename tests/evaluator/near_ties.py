"""Why two evaluations of almost the same vectors differ in rho: pairs of compounds that change places.

    PYTHONPATH=src:. python tests/evaluator/near_ties.py RESULTS OTHER

prints, for the folders that two runs of `ncimp evaluate --out` wrote, how far values of compounds are apart, every pair
of compounds whose order differs, and what is left of the difference of rho when such pairs are made ties on both sides.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncimp.schemas.arrow import read_parquet
from tests.evaluator.naive_evaluation import CLASSES
from tests.frozen import load_reference

measures = load_reference("measures_reference")

Block = tuple[str, str, str, str]
"""Language, kind of contexts, level, measure."""
Found = dict[Block, dict[str, tuple[float, float]]]
"""By compound: its value and its score."""


@dataclass(frozen=True)
class Swap:
    """Two compounds in another order, and how far apart they are on either side."""

    first: str
    second: str
    gap: float
    other_gap: float


@dataclass(frozen=True)
class Explained:
    """A figure on both sides: rho, the pairs that change places, and rho on both sides with these pairs tied."""

    rho: float
    other: float
    swaps: Sequence[Swap]
    tied: float
    other_tied: float


def swaps(one: Mapping[str, float], other: Mapping[str, float]) -> Iterator[Swap]:
    """The pairs of names whose values are in another order in *other*."""
    ordered = sorted(one, key=lambda name: one[name])
    for place, first in enumerate(ordered):
        for second in ordered[place + 1 :]:
            if one[first] < one[second] and other[first] >= other[second]:
                yield Swap(first, second, one[second] - one[first], other[first] - other[second])


def tied(values: Mapping[str, float], pairs: Sequence[Swap]) -> list[float]:
    """The *values*, by name, where all names that hang together by *pairs* have the least of theirs."""
    found = dict(values)
    for _ in values:  # a chain of pairs is as long as that at most
        before = dict(found)
        for pair in pairs:
            found[pair.first] = found[pair.second] = min(found[pair.first], found[pair.second])
        if found == before:
            break
    return [found[name] for name in sorted(found)]


def explained(one: Mapping[str, float], other: Mapping[str, float], score: Mapping[str, float]) -> Explained:
    """How rho with *score* differs between two sets of values of the same names."""
    pairs = tuple(swaps(one, other))
    scores = [score[name] for name in sorted(score)]
    rhos = [measures.spearman([values[name] for name in sorted(values)], scores) for values in (one, other)]
    without = [measures.spearman(tied(values, pairs), scores) for values in (one, other)]
    return Explained(rhos[0], rhos[1], pairs, without[0], without[1])


def values_in(folder: Path) -> Found:
    """The values of compounds that an evaluation wrote to *folder*, to twelve digits."""
    found: Found = defaultdict(dict)
    for row in read_parquet(folder / "compounds.parquet"):
        block = (row["lang"], row["context_kind"], row["level"], row["measure"])
        score = CLASSES[row["compound_class"]] if row["comp"] is None else row["comp"]
        found[block][row["compound_id"]] = (round(row["value"], 12), score)
    return found


def main(folder: Path, other: Path) -> None:
    """Print the figures whose rho differs."""
    ours, theirs = values_in(folder), values_in(other)
    assert set(ours) == set(theirs)
    apart = [abs(ours[block][name][0] - theirs[block][name][0]) for block in ours for name in ours[block]]
    print(f"{len(apart)} values of compounds differ by at most {max(apart):.1e}")
    found = {}
    for block, rows in ours.items():
        sides = [{name: value for name, (value, _) in side.items()} for side in (rows, theirs[block])]
        found[block] = explained(sides[0], sides[1], {name: score for name, (_, score) in rows.items()})
    changed = {block: one for block, one in found.items() if one.swaps}
    print(f"{len(found)} figures; in {len(changed)} of them pairs of compounds change places")
    print(f"rho differs by at most {max(abs(one.rho - one.other) for one in found.values()):.2e},")
    without = [abs(one.rho - one.other) for one in found.values() if not one.swaps]
    print(f"without such a pair by {max(without):.1e}, with them tied by", end=" ")
    print(f"{max(abs(one.tied - one.other_tied) for one in found.values()):.1e}")
    for block, one in sorted(changed.items(), key=lambda entry: -abs(entry[1].rho - entry[1].other)):
        pairs = ", ".join(f"{pair.first} < {pair.second} ({pair.gap:.1e}; {pair.other_gap:.1e})" for pair in one.swaps)
        print(f"{' '.join(block):48} {one.rho:.6f} {one.other - one.rho:+.2e} {pairs}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
