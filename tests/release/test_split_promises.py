"""The promises of the splits (design, section 6), kept by the packs that are shipped and by any list of their size."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.records import CLASSES, Compound
from ncimp.builder.release.tables import SHARES
from ncimp.builder.sources.packs.packs import pack_names, packs_folder, read_pack
from ncimp.schemas.files import keyed_hash
from tests.release.test_release_splits import assigned, compound, homes

PACKS = packs_folder()
POINTS = 3
"""How far the share of a split in a class may be from what was promised, in points, unless half a compound is more."""


def worst_share(compounds: Sequence[Compound], splits: dict[str, str]) -> float:
    """The largest difference from a promised share, in points, over classes and splits."""
    totals = Counter(row.compound_class for row in compounds)
    held = Counter((row.compound_class, splits[row.text]) for row in compounds)
    return max(
        abs(100 * held[kind, split] / totals[kind] - 100 * share) for kind in totals for split, share in SHARES.items()
    )


@pytest.fixture(params=pack_names(PACKS))
def shipped(request: pytest.FixtureRequest) -> tuple[list[Compound], dict[str, str]]:
    """Compounds and recorded splits of a pack that comes with the project."""
    pack = read_pack(PACKS / request.param)
    return list(pack.compounds), {row.compound: row.split for row in pack.splits}


def test_no_lemma_of_a_shipped_pack_stands_in_two_splits(shipped: tuple[list[Compound], dict[str, str]]) -> None:
    compounds, splits = shipped
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in compounds:
        found[row.modifier.lower()].add(splits[row.text])
        found[row.head.lower()].add(splits[row.text])
    assert {lemma for lemma, held in found.items() if len(held - {"bridge"}) > 1} == set()
    assert len(found) > len(compounds)


def test_every_class_of_a_shipped_pack_is_parted_as_promised(shipped: tuple[list[Compound], dict[str, str]]) -> None:
    compounds, splits = shipped
    assert set(splits) == {row.text for row in compounds}
    smallest = min(Counter(row.compound_class for row in compounds).values())
    assert worst_share(compounds, splits) <= max(POINTS, 50 / smallest)


def test_the_recorded_splits_are_those_that_the_rule_gives_with_what_is_recorded(
    shipped: tuple[list[Compound], dict[str, str]],
) -> None:
    """The first half recorded, the second half forgotten: nothing of the first half moves, no lemma leaks."""
    compounds, splits = shipped
    half = {row.text: splits[row.text] for row in compounds[::2]}
    again = assigned(compounds, half)  # type: ignore[arg-type]
    assert {text: again[text] for text in half} == half
    assert all(len(found) == 1 for found in homes(compounds, again).values())


def edition(seed: int) -> list[Compound]:
    """60 to 100 compounds of each class, as in English and Portuguese; about every fourth shares its head."""
    rows: list[Compound] = []
    for kind in CLASSES:
        for number in range(60 + int(keyed_hash(kind, str(seed)), 16) % 41):
            place = int(keyed_hash("head", kind, str(seed), str(number)), 16)
            head = f"shared{place // 4 % 25}" if place % 4 == 0 else f"h{kind}{number}"
            rows.append(compound(f"m{kind}{number}", head, kind))
    return sorted(rows, key=lambda row: keyed_hash("order", str(seed), row.text))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
def test_lists_as_long_as_an_edition_are_parted_within_three_points(seed: int) -> None:
    compounds = edition(seed)
    splits = assigned(compounds)
    assert all(len(found) == 1 for found in homes(compounds, splits).values())
    assert worst_share(compounds, dict(splits)) <= POINTS


@pytest.mark.parametrize("percent", [30, 50, 70])
@pytest.mark.parametrize("seed", range(4))
def test_an_edition_that_grows_keeps_its_splits(seed: int, percent: int) -> None:
    """What is recorded may not move, so that balance gives way first, but by no more than two further points."""
    compounds = edition(seed)
    before = assigned(compounds[: len(compounds) * percent // 100])
    after = assigned(compounds, before)
    assert {text: after[text] for text in before} == before
    assert all(len(found) == 1 for found in homes(compounds, after).values())
    assert worst_share(compounds, dict(after)) <= POINTS + 2


def test_the_measure_sees_a_list_that_is_not_balanced() -> None:
    rows = [compound(f"m{k}", f"h{k}") for k in range(100)]
    splits = {row.text: "train" if number < 64 else "test" for number, row in enumerate(rows)}
    assert worst_share(rows, splits) == pytest.approx(15)
