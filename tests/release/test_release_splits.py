"""Splits by compound: no leaks, nothing moves, balance, and independence of the order of the compounds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.records import CLASSES, Compound, CompoundClass, Split, SplitAssignment
from ncimp.builder.release.tables import SHARES, assign_splits

LEMMAS = [f"w{number:02}" for number in range(24)]
Splits = dict[str, Split]


def compound(modifier: str, head: str, kind: CompoundClass = "idiomatic") -> Compound:
    return Compound(
        f"{modifier} {head}", modifier, head, 1, "N_N", None, "sg", "count", kind, None, None, "note", "tests", "2026"
    )


def assigned(compounds: Sequence[Compound], recorded: Splits | None = None, seed: str = "ncimp") -> Splits:
    known = [SplitAssignment(text, split) for text, split in (recorded or {}).items()]
    return {row.compound: row.split for row in assign_splits(compounds, known, seed=seed)}


def homes(compounds: Sequence[Compound], splits: Splits) -> dict[str, set[Split]]:
    """The splits of each lemma, bridge aside."""
    found: defaultdict[str, set[Split]] = defaultdict(set)
    for row in compounds:
        if splits[row.text] != "bridge":
            for lemma in (row.modifier, row.head):
                found[lemma].add(splits[row.text])
    return found


@st.composite
def compound_lists(draw: st.DrawFn) -> list[Compound]:
    pairs = draw(st.lists(st.tuples(st.sampled_from(LEMMAS), st.sampled_from(LEMMAS)), max_size=30, unique=True))
    kinds = draw(st.lists(st.sampled_from(CLASSES), min_size=len(pairs), max_size=len(pairs)))
    return [compound(one, other, kind) for (one, other), kind in zip(pairs, kinds, strict=True) if one != other]


@given(compound_lists())
def test_no_lemma_stands_in_two_splits_of_a_first_assignment(compounds: list[Compound]) -> None:
    splits = assigned(compounds)
    assert all(len(found) == 1 for found in homes(compounds, splits).values())
    assert "bridge" not in splits.values()


@given(compound_lists(), st.integers(0, 30), st.integers(0, 30))
def test_what_is_recorded_never_moves_and_later_compounds_leak_only_into_the_bridge(
    compounds: list[Compound], first: int, second: int
) -> None:
    """A pack that grows in three steps."""
    splits: Splits = {}
    for end in sorted((first, second, len(compounds))):
        grown = assigned(compounds[:end], splits)
        assert {text: grown[text] for text in splits} == splits
        splits = grown
        assert all(len(found) == 1 for found in homes(compounds[:end], splits).values())


@given(compound_lists(), st.integers(0, 30))
def test_a_compound_goes_to_the_bridge_only_where_its_group_has_two_homes(
    compounds: list[Compound], first: int
) -> None:
    before = assigned(compounds[:first])
    after = assigned(compounds, before)
    new = [row for row in compounds[first:] if after[row.text] == "bridge"]
    touched = homes(compounds[:first], before)
    group = {lemma for row in compounds[first:] for lemma in (row.modifier, row.head)}
    assert not new or len(set().union(*(touched[lemma] for lemma in group if lemma in touched))) > 1


@given(compound_lists(), st.randoms(use_true_random=False))
def test_the_order_of_the_compounds_decides_nothing(compounds: list[Compound], random: Random) -> None:
    turned = compounds.copy()
    random.shuffle(turned)
    assert assigned(turned) == assigned(compounds)
    half = assigned(compounds[: len(compounds) // 2])
    assert assigned(turned, half) == assigned(compounds, half)


@given(compound_lists())
def test_the_rows_come_back_in_the_order_of_the_compounds(compounds: list[Compound]) -> None:
    rows = assign_splits(compounds, [], seed="ncimp")
    assert [row.compound for row in rows] == [row.text for row in compounds]


@settings(max_examples=25)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.text("abc", max_size=3))
def test_compounds_without_shared_lemmas_are_shared_out_evenly_in_every_class(
    idiomatic: int, partly: int, compositional: int, seed: str
) -> None:
    """Each class on its own: 60, 25 and 15 per cent, no split a whole compound above its share."""
    sizes = dict(zip(CLASSES, (idiomatic, partly, compositional), strict=True))
    rows = [compound(f"m{kind}{k}", f"h{kind}{k}", kind) for kind, size in sizes.items() for k in range(size)]
    splits = assigned(rows, seed=seed)
    held = Counter((row.compound_class, splits[row.text]) for row in rows)
    for kind, size in sizes.items():
        for split, share in SHARES.items():
            assert held[kind, split] < share * size + 1
            assert size < 7 or held[kind, split] > 0


def test_twenty_compounds_of_a_class_are_parted_twelve_five_three() -> None:
    rows = [compound(f"m{kind}{k}", f"h{kind}{k}", kind) for kind in CLASSES for k in range(20)]
    splits = assigned(rows)
    for kind in CLASSES:
        held = Counter(splits[row.text] for row in rows if row.compound_class == kind)
        assert held == {"train": 12, "test": 5, "validation": 3}


def test_a_group_that_shares_lemmas_stays_together() -> None:
    """A chain: no two neighbours share both words, and all five belong together."""
    chain = [compound(f"w{k}", f"w{k + 1}") for k in range(5)]
    others = [compound(f"x{k}", f"y{k}") for k in range(5)]
    splits = assigned([*chain[::2], *others, *chain[1::2]])
    assert len({splits[row.text] for row in chain}) == 1


def test_a_later_compound_goes_where_its_lemma_is() -> None:
    recorded: Splits = {"rat race": "validation", "ghost town": "test"}
    rows = [compound("rat", "race"), compound("ghost", "town"), compound("boat", "race"), compound("rat", "trap")]
    assert assigned(rows, recorded) == recorded | {"boat race": "validation", "rat trap": "validation"}


def test_a_later_compound_that_joins_two_splits_goes_to_the_bridge_with_its_group() -> None:
    recorded: Splits = {"rat race": "train", "ghost town": "test"}
    rows = [compound("rat", "race"), compound("ghost", "town"), compound("rat", "town"), compound("new", "town")]
    assert assigned(rows, recorded) == recorded | {"rat town": "bridge", "new town": "bridge"}


def test_the_bridge_is_no_home() -> None:
    """A compound that shares a lemma with the bridge alone is placed as if it shared none."""
    recorded: Splits = {"rat town": "bridge"}
    splits = assigned([compound("rat", "town"), compound("old", "town")], recorded)
    assert splits == {"rat town": "bridge", "old town": "train"}


def test_the_seed_decides_between_equal_compounds() -> None:
    rows = [compound(f"m{k}", f"h{k}") for k in range(20)]
    drawn = {tuple(sorted(assigned(rows, seed=seed).items())) for seed in "abcd"}
    assert len(drawn) == 4
    assert assigned(rows, seed="a") == assigned(rows, seed="a")


@pytest.mark.parametrize("kind", CLASSES)
def test_a_class_that_a_split_lacks_is_served_first(kind: CompoundClass) -> None:
    """Of three new compounds of one class beside many of another, each split is filled by its need of that class."""
    other = next(name for name in CLASSES if name != kind)
    old = [compound(f"m{k}", f"h{k}", other) for k in range(20)]
    before = assigned(old)
    new = [compound(f"n{k}", f"i{k}", kind) for k in range(20)]
    splits = assigned([*old, *new], before)
    assert Counter(splits[row.text] for row in new) == {"train": 12, "test": 5, "validation": 3}
