"""Component synonyms: which candidates are usable, in which order, and how they are paired."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.records import WORDS_SYN, Replacement, SynonymCandidate
from ncimp.builder.selection.synonyms import (
    Resources,
    component_synonyms,
    usable_candidates,
)
from ncimp.builder.selection.votes import Ranked
from ncimp.schemas.errors import SelectionError
from tests.selection.world import (
    GREEK,
    RAT_RACE,
    FakeFrequencies,
    FakeLexicon,
    FakeMorphology,
    compound,
    exclusion,
    make_pack,
    offer,
    offers,
    rat_race,
    synonym,
)

RANKED = (
    offer("alpha", sense=1, relation="synonym", position=1),
    offer("beta", sense=1, relation="synonym", position=2),
    offer("gamma", sense=1, relation="similar", position=1),
    offer("delta", sense=1, relation="hypernym", position=1),
    offer("epsilon", sense=2, relation="synonym", position=1),
    offer("zeta", sense=2, relation="hypernym", position=9),
    offer("theta", sense=10, relation="synonym", position=1),
)
"""Best first: an order of senses, then of relations, then of positions, and each against the other two."""
MODIFIERS, HEADS = GREEK[:6], GREEK[6:]


def lemmas(found: list[Ranked]) -> list[str]:
    return [candidate.lemma for candidate in found]


def pairs(found: list[Replacement]) -> list[tuple[str | None, str | None]]:
    return [(row.modifier, row.head) for row in found]


def usable_heads(*words: SynonymCandidate | str) -> list[str]:
    return lemmas(usable_candidates(RAT_RACE, "head", rat_race([], words)))


@given(st.permutations(RANKED))
def test_candidates_come_by_sense_then_relation_then_position(shuffled: list[SynonymCandidate]) -> None:
    assert usable_heads(*shuffled) == [candidate.lemma for candidate in RANKED]


def test_word_offered_twice_stands_once_and_at_its_better_place() -> None:
    again = (offer("alpha", sense=2), offer("alpha", sense=1, position=1), offer("beta", sense=1, position=2))
    found = usable_candidates(RAT_RACE, "head", rat_race([], again))
    assert [(word.lemma, word.best.sense) for word in found] == [("alpha", 1), ("beta", 1)]


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("race", "the component itself"),
        ("races", "its inflection"),
        ("racer", "its derivation"),
        ("rat", "the other component"),
        ("daily", "the modifier of a true synonym"),
        ("grind", "the head of a true synonym"),
        ("treadmill", "a true synonym of one word"),
        ("horse trade", "a phrase"),
        ("tug-of-war", "a hyphenated phrase"),
        ("sheep", "its plural is not known"),
        ("trousers", "its singular is not known"),
    ],
)
def test_candidate_is_left_out_because_it_is(word: str, why: str) -> None:
    morphology = FakeMorphology(no_plural=frozenset({"sheep"}), no_singular=frozenset({"trousers"}))
    own = [synonym("rat race", "daily grind", "daily", "grind"), synonym("rat race", "treadmill", None, "treadmill", 2)]
    resources = rat_race([], ["alpha", word, "beta"], synonyms=own, morphology=morphology)
    assert lemmas(usable_candidates(RAT_RACE, "head", resources)) == ["alpha", "beta"], why


def test_words_of_another_compounds_synonym_stay_usable() -> None:
    resources = rat_race([], ["grind"], synonyms=[synonym("ghost town", "daily grind", "daily", "grind")])
    assert lemmas(usable_candidates(RAT_RACE, "head", resources)) == ["grind"]


def test_word_of_two_letters_is_a_word() -> None:
    assert usable_heads("ox", "alpha") == ["ox", "alpha"]


def test_lexicon_is_asked_in_the_part_of_speech_of_the_pattern() -> None:
    row = compound("hot race", "hot", "race", "A_N")
    lexicon = FakeLexicon({("hot", "adj"): offers(["alpha"]), ("hot", "noun"): offers(["beta"])})
    resources = Resources(make_pack([row]), lexicon, FakeMorphology(), FakeFrequencies())
    assert resources.part_of_speech(row, "modifier") == "adj"
    assert resources.part_of_speech(row, "head") == "noun"
    assert lemmas(usable_candidates(row, "modifier", resources)) == ["alpha"]


def test_hyphenated_compounds_are_replaced_by_open_ones() -> None:
    row = compound("primeira-dama", "primeiro", "dama", "A-N", gender="f")
    resources = Resources(make_pack([row], lang="pt"), FakeLexicon(), FakeMorphology(), FakeFrequencies())
    assert resources.replacement_pattern(row).id == "A_N"
    assert resources.part_of_speech(row, "modifier") == "adj"


def test_kth_pair_is_the_kth_modifier_with_the_kth_head() -> None:
    found = component_synonyms(RAT_RACE, rat_race(MODIFIERS, HEADS))
    assert pairs(found) == list(zip(MODIFIERS[:5], HEADS[:5], strict=True))
    assert [row.variant for row in found] == list(WORDS_SYN)
    assert [row.rank for row in found] == [1, 2, 3, 4, 5]
    assert found[0].text == "alpha theta"


def test_pair_says_where_its_words_come_from_and_why() -> None:
    modifiers = [offer("alpha", sense=2, relation="similar", position=3), *offers(MODIFIERS[1:])]
    resources = rat_race(modifiers, HEADS)
    row = component_synonyms(RAT_RACE, resources)[4]
    assert (row.modifier, row.modifier_synset, row.modifier_relation) == ("zeta", "synset-1-synonym", "synonym")
    found = next(row for row in component_synonyms(RAT_RACE, rat_race(modifiers[:5], HEADS)) if row.modifier == "alpha")
    assert (found.compound_id, found.source, found.pattern) == ("en/rat-race", "fake lexicon 1", "N_N")
    assert (found.modifier_synset, found.modifier_relation) == ("synset-2-similar", "similar")
    assert (found.head_synset, found.head_relation) == ("synset-1-synonym", "synonym")
    assert found.explanation == (
        "'alpha' is a near-synonym of 'rat' (sense 2, place 3 of synset-2-similar); "
        "'omicron' is a synonym of 'race' (sense 1, place 5 of synset-1-synonym)"
    )


def test_excluded_pair_is_skipped_and_its_words_are_used_elsewhere() -> None:
    resources = rat_race(MODIFIERS[:5], HEADS[:5], exclusions=[exclusion("alpha", "theta")])
    assert pairs(component_synonyms(RAT_RACE, resources))[:3] == [
        ("alpha", "iota"),
        ("beta", "theta"),
        ("gamma", "kappa"),
    ]


def test_exclusion_of_the_turned_pair_excludes_nothing() -> None:
    resources = rat_race(MODIFIERS, HEADS, exclusions=[exclusion("theta", "alpha")])
    assert pairs(component_synonyms(RAT_RACE, resources))[0] == ("alpha", "theta")


@pytest.mark.parametrize(("modifier", "head"), [("alpha", "*"), ("*", "theta")])
def test_star_in_an_exclusion_is_for_random_compounds_and_leaves_synonyms_alone(modifier: str, head: str) -> None:
    resources = rat_race(MODIFIERS, HEADS, exclusions=[exclusion(modifier, head)])
    assert pairs(component_synonyms(RAT_RACE, resources))[0] == ("alpha", "theta")


def test_kin_words_are_not_put_together() -> None:
    found = component_synonyms(RAT_RACE, rat_race(["paint", *MODIFIERS[:4]], ["painter", *HEADS[:4]]))
    assert pairs(found)[:2] == [("paint", "theta"), ("alpha", "painter")]


@pytest.mark.parametrize(("among_modifiers", "among_heads"), [(0, 1), (1, 0), (2, 0), (0, 3), (4, 4)])
def test_word_offered_for_both_components_is_used_once(among_modifiers: int, among_heads: int) -> None:
    """'paper slip' beside 'card paper' would be two halves of one grid (ten different words are promised)."""
    modifiers, heads = list(MODIFIERS), list(HEADS)
    modifiers.insert(among_modifiers, "shared")
    heads.insert(among_heads, "shared")
    found = component_synonyms(RAT_RACE, rat_race(modifiers, heads))
    words = [word for pair in pairs(found) for word in pair]
    assert len(set(words)) == 10, words


@given(st.permutations(GREEK), st.integers(5, 7), st.lists(st.tuples(*[st.integers(0, 11)] * 2), max_size=3))
def test_five_pairs_of_ten_different_words_none_excluded(
    words: list[str], cut: int, banned: list[tuple[int, int]]
) -> None:
    out = [exclusion(words[one], words[other]) for one, other in banned]
    resources = rat_race(words[:cut], words[cut:], exclusions=out)
    try:
        found = pairs(component_synonyms(RAT_RACE, resources))
    except SelectionError:
        assert out, "without exclusions five and five are always enough"
        return
    assert len({word for pair in found for word in pair}) == 10
    assert not {(row.modifier, row.head) for row in out} & set(found)
    places = [words.index(str(modifier)) for modifier, _ in found]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("modifiers", "heads", "message"),
    [
        (
            MODIFIERS,
            HEADS[:4],
            "'rat race' has 4 usable synonyms of its head 'race', not 5; "
            "add some to fake lexicon 1, with their forms in forms.tsv",
        ),
        (
            MODIFIERS[:1],
            HEADS,
            "'rat race' has 1 usable synonyms of its modifier 'rat', not 5; "
            "add some to fake lexicon 1, with their forms in forms.tsv",
        ),
    ],
)
def test_too_few_synonyms_name_compound_component_and_remedy(
    modifiers: tuple[str, ...], heads: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SelectionError) as caught:
        component_synonyms(RAT_RACE, rat_race(modifiers, heads))
    assert str(caught.value) == message
    assert caught.value.exit_code == 1


def test_too_few_pairs_name_compound_and_remedy() -> None:
    out = [exclusion("alpha", head) for head in HEADS[:5]]
    with pytest.raises(SelectionError) as caught:
        component_synonyms(RAT_RACE, rat_race(MODIFIERS[:5], HEADS[:5], exclusions=out))
    assert str(caught.value) == (
        "'rat race' has 4 independent pairs of synonyms, not 5; add synonyms to fake lexicon 1"
    )


def test_replacement_agrees_and_takes_the_gender_of_its_own_head() -> None:
    row = compound("pé-frio", "frio", "pé", "N-A", gender="m", index=0)
    heads = ("pata", *HEADS[:4])
    lexicon = FakeLexicon({("frio", "adj"): offers(["gelado", *MODIFIERS[:4]]), ("pé", "noun"): offers(heads)})
    morphology = FakeMorphology({"pata": "f", **dict.fromkeys(HEADS, "m")})
    frequencies = FakeFrequencies({"gelado": 1e-5})
    found = component_synonyms(row, Resources(make_pack([row], lang="pt"), lexicon, morphology, frequencies))
    assert (found[0].text, found[0].gender, found[0].pattern) == ("pata gelada", "f", "N_A")
    assert (found[1].text, found[1].gender) == ("theta alpha", "m")
    assert (found[0].modifier_zipf, found[0].head_zipf) == (4.0, None)
