"""Random compounds in worlds made by hand or by hypothesis: against the frozen reference, and rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import RANDOMS, Compound, Replacement
from ncimp.builder.selection.replacements import random_compounds
from ncimp.builder.selection.synonyms import Resources
from ncimp.schemas.errors import SelectionError
from tests.frozen import load_reference
from tests.selection.world import GREEK, RAT_RACE, FakeMorphology, compound, exclusion, offers, random_world
from tests.selection.world import synonym as true_synonym

reference = load_reference("matcher_reference")
GHOST_TOWN = compound("ghost town", "ghost", "town")
HOT_DOG = compound("hot dog", "hot", "dog", "A_N")
TEN = dict.fromkeys(GREEK[:10], 4.0)
FINE = BuildOptions()


def pairs(rows: Sequence[Replacement], of: Compound = RAT_RACE) -> list[tuple[str, str]]:
    return [(str(row.modifier), str(row.head)) for row in rows if row.compound_id == f"en/{of.text.replace(' ', '-')}"]


def drawn(resources: Resources, options: BuildOptions = FINE, of: Compound = RAT_RACE) -> list[tuple[str, str]]:
    return pairs(random_compounds(resources, options), of)


def expected(resources: Resources, options: BuildOptions) -> dict[str, list[tuple[str, str]]]:
    """Return what the reference draws, compound by compound in the order of their hashes."""
    pack, frequency = resources.pack, resources.frequencies.frequency
    value = {word: reference.zipf(frequency(word)) for word in _all_words(resources)}
    taken = {(row.modifier, row.head) for row in pack.compounds}
    uses: Counter[str] = Counter()
    found = {}
    components = {word for row in pack.compounds for word in (row.modifier, row.head)}
    for row in sorted(
        pack.compounds,
        key=lambda row: (-max(value[row.modifier], value[row.head]), reference.order(options.seed, "en", row.text)),
    ):
        parts = {}
        for name, pos in (("modifier", "adj" if row.pattern == "A_N" else "noun"), ("head", "noun")):
            words = [(value[lemma], lemma) for lemma in resources.lexicon.words(pos) if lemma not in components]
            target = value[getattr(row, name)]
            parts[name] = reference.nearest(words, target, options.neighbours, [row.modifier, row.head], uses)
        target = (value[row.modifier], value[row.head])
        key = (options.seed, row.text)
        found[row.text] = reference.draw(
            key, parts["modifier"], parts["head"], target, taken, uses, limit=options.max_delta
        )
    return found


def _all_words(resources: Resources) -> list[str]:
    components = [word for row in resources.pack.compounds for word in (row.modifier, row.head)]
    return [*resources.lexicon.words("noun"), *resources.lexicon.words("adj"), *components]


zipfs = st.integers(0, 30).map(lambda step: 3.7 + step / 50)
nouns = st.dictionaries(st.text("abcdefé", min_size=3, max_size=7), zipfs, min_size=10, max_size=28)
adjectives = st.dictionaries(st.text("ghijklõ", min_size=3, max_size=7), zipfs, min_size=5, max_size=14)


@settings(max_examples=60, deadline=None)
@given(nouns, adjectives, st.text("xy", max_size=2), st.sampled_from([(24, 0.5), (8, 0.5), (24, 0.2)]))
def test_draws_equal_reference(
    nouns: dict[str, float], adjectives: dict[str, float], seed: str, limits: tuple[int, float]
) -> None:
    compounds = [RAT_RACE, HOT_DOG, GHOST_TOWN]
    resources = random_world(nouns, adjectives=adjectives, compounds=compounds)
    options = BuildOptions(seed=seed, neighbours=limits[0], max_delta=limits[1])
    wanted = expected(resources, options)
    if any(len(row) < 5 for row in wanted.values()):
        with pytest.raises(SelectionError, match=r"random compounds within"):
            random_compounds(resources, options)
        return
    rows = random_compounds(resources, options)
    assert {of.text: pairs(rows, of) for of in compounds} == wanted


@settings(max_examples=15, deadline=None)
@given(st.permutations([RAT_RACE, HOT_DOG, GHOST_TOWN, compound("spare part", "spare", "part")]))
def test_draws_do_not_depend_on_order_of_table(compounds: list[Compound]) -> None:
    adjectives = {word[::-1]: 4.0 for word in GREEK}
    rows = random_compounds(random_world(TEN, adjectives=adjectives, compounds=compounds), FINE)
    first = random_compounds(random_world(TEN, adjectives=adjectives, compounds=sorted(compounds, key=str)), FINE)
    assert {(row.compound_id, row.variant, row.text) for row in rows} == {
        (row.compound_id, row.variant, row.text) for row in first
    }


def test_same_seed_draws_the_same_and_another_seed_breaks_ties_otherwise() -> None:
    assert drawn(random_world(TEN)) == drawn(random_world(TEN))
    assert len({tuple(drawn(random_world(TEN), BuildOptions(seed=seed))) for seed in "abcd"}) == 4


def test_seed_does_not_touch_what_is_not_a_tie() -> None:
    modifiers = {word: 4.0 + index / 100 for index, word in enumerate(GREEK[:5])}
    heads = {word: 6.0 + index / 100 for index, word in enumerate(GREEK[5:10])}
    resources = random_world({**modifiers, **heads}, targets={"rat": 4.0, "race": 6.0})
    best = list(zip(GREEK[:5], GREEK[5:10], strict=True))
    assert drawn(resources, BuildOptions(seed="one")) == drawn(resources, BuildOptions(seed="two")) == best


def test_worse_component_counts_and_not_the_mean_alone() -> None:
    """(+0.4, -0.4) has nearly the mean of *rat race* and is a worse match than (+0.1, +0.1)."""
    far = {"alpha": 4.4, "beta": 3.6}
    near = dict.fromkeys(GREEK[2:12], 4.1)
    found = drawn(random_world({**far, **near}))
    assert not {word for pair in found for word in pair} & {"alpha", "beta"}


def test_of_equally_near_components_the_better_mean_wins() -> None:
    plus, minus = dict.fromkeys(GREEK[:5], 4.2), dict.fromkeys(GREEK[5:10], 3.8)
    found = drawn(random_world({**plus, **minus}))
    assert all({pair[0] in plus, pair[1] in plus} == {True, False} for pair in found)


def test_word_used_before_gives_way_to_a_fresh_one_that_is_nearly_as_near() -> None:
    used, fresh = dict.fromkeys(GREEK[:10], 4.0), {word[::-1]: 4.004 for word in GREEK[:10]}
    rows = random_compounds(random_world({**used, **fresh}, compounds=[RAT_RACE, GHOST_TOWN]), FINE)
    words = [{word for pair in pairs(rows, of) for word in pair} for of in (RAT_RACE, GHOST_TOWN)]
    assert sorted(words, key=min) == sorted([set(used), set(fresh)], key=min)


def test_pair_is_drawn_once_only_even_where_its_words_are_the_best_for_two_compounds() -> None:
    rows = random_compounds(
        random_world(TEN, compounds=[RAT_RACE, GHOST_TOWN, compound("fly ball", "fly", "ball")]), FINE
    )
    found = [(row.modifier, row.head) for row in rows]
    assert len(found) == len(set(found)) == 15


def test_five_draws_share_no_word_and_no_kin() -> None:
    kin = {f"{word}s": 4.0 for word in TEN}
    words = [word for pair in drawn(random_world({**TEN, **kin})) for word in pair]
    assert len({word.removesuffix("s") for word in words}) == 10


FIVE = {"alpha": 4.0, "beta": 4.0, "gamma": 4.0, "delta": 4.0, "epsilon": 4.0}
HEADS = {"zeta": 6.0, "theta": 6.0, "iota": 6.0, "kappa": 6.0, "lambda": 6.0}
UNEVEN = {"rat": 4.0, "race": 6.0}
"""A world with five modifiers and five heads: one word less, and the draw fails."""


@pytest.mark.parametrize("word", ["rat", "rats", "racetrack", "town", "townsfolk", "daily", "grinder", "racecar"])
def test_no_word_of_the_compound_or_its_synonyms_nor_its_kin_is_drawn(word: str) -> None:
    own = [true_synonym("rat race", "daily grind", "daily", "grind"), true_synonym("rat race", "town", None, "town", 2)]
    for part, value in ((FIVE, 4.0), (HEADS, 6.0)):
        few = {name: zipf for name, zipf in {**FIVE, **HEADS}.items() if name != next(iter(part))}
        resources = random_world({**few, word: value}, targets=UNEVEN, synonyms=own)
        with pytest.raises(SelectionError, match="'rat race' has 4 random compounds"):
            random_compounds(resources, FINE)


def test_synonyms_of_a_component_are_not_drawn() -> None:
    offered = {("race", "noun"): offers(["zeta"]), ("rat", "noun"): offers(["alpha"])}
    spare = {"sigma": 4.3, "omicron": 6.3}
    found = drawn(random_world({**FIVE, **HEADS, **spare}, targets=UNEVEN, offered=offered))
    words = {word for pair in found for word in pair}
    assert words == {*FIVE, *HEADS, *spare} - {"alpha", "zeta"}


def test_established_and_excluded_pairs_are_not_drawn() -> None:
    """Of the 25 pairs of five modifiers and five heads all but five are ruled out, in one way or the other."""
    modifiers, heads = list(FIVE), list(HEADS)
    ruled = [(modifiers[row], heads[(row + shift) % 5]) for row in range(5) for shift in range(1, 5)]
    known = [true_synonym("ghost town", " ".join(pair), *pair) for pair in ruled[::2]]
    out = [exclusion(*pair) for pair in ruled[1::2]]
    found = drawn(random_world({**FIVE, **HEADS}, targets=UNEVEN, exclusions=out, synonyms=known))
    assert set(found) == set(zip(modifiers, heads, strict=True))


@pytest.mark.parametrize("kind", ["compound", "synonym", "exclusion", "star"])
def test_best_pair_is_not_drawn_when_it_is_known_as(kind: str) -> None:
    words = {**{word: zipf + 0.1 for word, zipf in {**FIVE, **HEADS}.items()}, "sigma": 4.0, "omicron": 6.0}
    best = ("sigma", "omicron")
    assert drawn(random_world(words, targets=UNEVEN))[0] == best
    known = compound("sigma omicron", *best)
    resources = random_world(
        {**words, **{word[::-1]: 4.05 for word in GREEK}, **{word[::-1] + "x": 6.05 for word in GREEK}},
        targets={**UNEVEN, "sigma": 4.0, "omicron": 6.0},
        compounds=[RAT_RACE, known] if kind == "compound" else [RAT_RACE],
        synonyms=[true_synonym("ghost town", "sigma omicron", *best)] if kind == "synonym" else [],
        exclusions={"exclusion": [exclusion(*best)], "star": [exclusion("sigma", "*")]}.get(kind, []),
    )
    rows = random_compounds(resources, FINE)
    assert best not in [(row.modifier, row.head) for row in rows]
    if kind == "star":
        assert "sigma" not in [row.modifier for row in rows]


@pytest.mark.parametrize(("away", "found"), [(0.2, 5), (0.200001, 0), (-0.2, 5), (-0.200001, 0)])
def test_match_at_the_limit_is_kept_and_one_beyond_is_not(away: float, found: int) -> None:
    resources = random_world(dict.fromkeys(GREEK, 4.0 + away))
    options = BuildOptions(max_delta=0.2)
    if found:
        assert len(drawn(resources, options)) == found
    else:
        with pytest.raises(SelectionError):
            random_compounds(resources, options)


@pytest.mark.parametrize("part", ["rat", "race"])
def test_both_components_must_be_within_the_limit(part: str) -> None:
    """The other component is matched exactly; only one side is too far."""
    resources = random_world(TEN, targets={part: 4.8})
    with pytest.raises(SelectionError) as caught:
        random_compounds(resources, FINE)
    assert str(caught.value) == (
        "'rat race' has 0 random compounds within 0.75 Zipf, not 5; "
        "add words of its frequency to the lexicon, with their forms in forms.tsv (no heads of fitting_classes)"
    )


def test_only_the_nearest_words_are_considered() -> None:
    near = dict.fromkeys(GREEK[:10], 4.01)
    found = drawn(random_world({**near, "sigma": 4.3, "omicron": 4.3}), BuildOptions(neighbours=10))
    assert {word for pair in found for word in pair} == set(near)
    with pytest.raises(SelectionError, match="has 4 random compounds"):
        drawn(random_world(near), BuildOptions(neighbours=9))


@pytest.mark.parametrize("word", ["rat", "race"])
def test_component_without_a_frequency_is_named_with_the_table(word: str) -> None:
    resources = random_world(TEN)
    resources.frequencies.values.pop(word)  # type: ignore[attr-defined]
    with pytest.raises(SelectionError) as caught:
        random_compounds(resources, FINE)
    assert str(caught.value) == (
        f"{word!r} has no frequency in fake table 1; count a corpus that has it, or use a more frequent compound"
    )


def test_draw_records_its_zipf_values_distances_and_reason() -> None:
    resources = random_world({**{word: zipf + 0.1 for word, zipf in FIVE.items()}, **HEADS}, targets=UNEVEN)
    rows = random_compounds(resources, FINE)
    row = rows[0]
    assert [row.variant for row in rows] == list(RANDOMS)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5]
    assert (row.modifier_zipf, row.head_zipf) == (4.1, 6.0)
    assert (row.modifier_delta, row.head_delta) == (0.1, 0.0)
    assert row.mean_delta == 0.001112  # log10((10^4.1 + 10^6) / (10^4 + 10^6))
    assert (row.compound_id, row.source, row.pattern, row.gender) == ("en/rat-race", "fake table 1", "N_N", None)
    assert row.text == f"{row.modifier} {row.head}"
    assert row.explanation == (
        f"matched in log10 frequency: {row.modifier!r} +0.10 from 'rat', {row.head!r} +0.00 from 'race', "
        "mean frequency +0.00"
    )


def test_head_has_the_gender_of_the_compound_and_the_modifier_any() -> None:
    row = compound("pé-frio", "placa", "gol", "N_de_N", gender="m", index=0)
    genders: dict[str, str] = {**dict.fromkeys(FIVE, "f"), **dict.fromkeys(HEADS, "m"), "sigma": "f"}
    resources = random_world(
        {**FIVE, **HEADS, "sigma": 6.0},
        compounds=[row],
        targets={"placa": 4.0, "gol": 6.0},
        morphology=FakeMorphology(genders),  # type: ignore[arg-type]
        lang="pt",
    )
    rows = random_compounds(resources, FINE)
    assert {row.head for row in rows} == set(HEADS)
    assert {row.modifier for row in rows} == set(FIVE)
    assert {row.gender for row in rows} == {"m"}
    assert rows[0].text == f"{rows[0].head} de {rows[0].modifier}"


def test_pattern_may_list_the_only_modifiers_of_its_random_compounds() -> None:
    row = compound("primeira-dama", "primeiro", "dama", "A-N", gender="f")
    listed, others = ("alto", "belo", "novo", "puro", "velho"), {"primo": 4.0, "gasto": 4.0, "duro": 4.0}
    resources = random_world(
        HEADS,
        adjectives={**dict.fromkeys(listed, 4.2), **others},
        compounds=[row],
        targets={"primeiro": 4.0, "dama": 6.0},
        morphology=FakeMorphology(dict.fromkeys(HEADS, "f")),
        lang="pt",
    )
    rows = random_compounds(resources, BuildOptions(neighbours=5))
    assert {row.modifier for row in rows} == set(listed)
    assert {row.pattern for row in rows} == {"A_N"}
    assert {row.text.split()[0] for row in rows} == {"alta", "bela", "nova", "pura", "velha"}
