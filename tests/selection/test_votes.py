"""Votes: orders worked out by hand, what must not matter, and words that are reached over others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.records import Relation, SynonymCandidate
from ncimp.builder.selection.votes import RELATIONS, Ranked, SynonymOffer, SynonymQuestion, explain, rank, reach
from tests.selection.world import GREEK, FakeFrequencies, FakeLexicon

QUESTION = SynonymQuestion({"noun": ("race",)})
ZIPF = FakeFrequencies({"beta": 1e-4, "gamma": 1e-6, "delta": 1e-5})
NEAR: tuple[Relation, ...] = ("synonym", "similar", "hypernym")
FAR: Relation = "sibling"


def offer(
    lemma: str, relation: Relation = "synonym", sense: int = 1, position: int = 1, *, start: str = "", pos: str = "noun"
) -> SynonymCandidate:
    return SynonymCandidate(lemma, pos, f"{lemma}-set", relation, sense, position, start)


def source(name: str, *candidates: SynonymCandidate, lemma: str = "race") -> FakeLexicon:
    return FakeLexicon({(lemma, "noun"): candidates}, name=name)


def everything(_: SynonymCandidate) -> bool:
    return True


def ranked(*sources: FakeLexicon, question: SynonymQuestion = QUESTION) -> list[Ranked]:
    return rank(question, sources, frequencies=ZIPF, keep=everything)


def lemmas(rows: Sequence[Ranked]) -> list[str]:
    return [row.lemma for row in rows]


def test_more_votes_come_before_a_better_sense_and_a_nearer_relation() -> None:
    one = source("one", offer("alpha"), offer("beta", "hypernym", sense=3), offer("gamma", "sibling"))
    two = source("two", offer("beta", "similar", sense=2), offer("gamma", "hypernym"), offer("delta", "hyponym"))
    rows = ranked(one, two)
    assert [(row.lemma, row.votes) for row in rows] == [("beta", 2.0), ("gamma", 1.5), ("alpha", 1.0), ("delta", 0.5)]
    assert [(row.best.relation, row.best.sense) for row in rows[:2]] == [("similar", 2), ("hypernym", 1)]


def test_example_of_the_reference_page() -> None:
    one = source("A", offer("boiler", sense=2), offer("pot", "hypernym"), offer("pan", "sibling"))
    two = source("B", *(offer(word, kind, 0, 0) for word, kind in (("boiler", NEAR[0]), ("pan", FAR), ("urn", FAR))))
    assert [(row.lemma, row.votes) for row in ranked(one, two)] == [
        ("boiler", 2.0),
        ("pot", 1.0),
        ("pan", 1.0),
        ("urn", 0.5),
    ]


def test_equal_votes_go_by_sense_then_relation_then_place_then_frequency_then_alphabet() -> None:
    found = [
        offer("zeta", "synonym", sense=1, position=1),
        offer("epsilon", "synonym", sense=1, position=2),
        offer("beta", "similar", sense=1),
        offer("delta", "similar", sense=1),
        offer("gamma", "similar", sense=1),
        offer("alpha", "similar", sense=1, position=2),
        offer("theta", "hypernym", sense=1),
        offer("iota", "synonym", sense=2),
        offer("kappa", "synonym", sense=2),
    ]
    wanted = [candidate.lemma for candidate in found]
    assert lemmas(ranked(source("one", *found))) == lemmas(ranked(source("one", *reversed(found)))) == wanted


def test_far_relation_comes_after_every_near_one_of_the_same_source() -> None:
    found = source("one", offer("alpha", "hyponym"), offer("beta", "sibling"), offer("gamma", "hypernym", sense=9))
    assert lemmas(ranked(found)) == ["gamma", "alpha", "beta"]


def test_where_no_source_ranks_frequency_decides() -> None:
    found = [offer(word, sense=0, position=0) for word in ("alpha", "gamma", "delta", "beta")]
    assert lemmas(ranked(source("one", *found))) == ["beta", "delta", "gamma", "alpha"]


def test_source_that_ranks_is_believed_before_one_that_does_not() -> None:
    one = source("one", offer("alpha", sense=2), offer("beta", sense=3))
    two = source("two", offer("beta", sense=0, position=0), offer("alpha", sense=0, position=0))
    rows = ranked(one, two)
    assert [(row.lemma, row.best.sense) for row in rows] == [("alpha", 2), ("beta", 3)]


def test_source_votes_once_by_its_best_offer() -> None:
    (row,) = ranked(
        source("one", offer("alpha", "sibling"), offer("alpha", "similar", sense=2), offer("alpha", sense=4))
    )
    assert (row.votes, row.best.relation, row.best.sense) == (1.0, "similar", 2)
    assert ranked(source("one", offer("alpha")), source("one", offer("alpha")))[0].votes == 1.0


def test_words_of_the_first_part_of_speech_come_before_all_others() -> None:
    one = FakeLexicon({("red", "adj"): [offer("alpha", pos="adj")], ("red", "noun"): [offer("beta")]}, name="one")
    two = FakeLexicon({("red", "noun"): [offer("beta"), offer("alpha")]}, name="two")
    rows = ranked(one, two, question=SynonymQuestion({"adj": ("red",), "noun": ("red",)}))
    assert [(row.lemma, row.best.pos, row.votes) for row in rows] == [("alpha", "adj", 1.0), ("beta", "noun", 2.0)]


def test_named_sense_comes_before_votes() -> None:
    one = source("one", offer("alpha", start="first"), offer("beta", sense=2, start="second"))
    two = source("two", offer("alpha"))
    assert lemmas(ranked(one, two, question=SynonymQuestion({"noun": ("race",)}, "second"))) == ["beta", "alpha"]
    assert lemmas(ranked(one, two, question=SynonymQuestion({"noun": ("race",)}, "third"))) == ["alpha", "beta"]


CANDIDATES = st.builds(
    offer, st.sampled_from(GREEK[:6]), st.sampled_from(RELATIONS[1:]), st.integers(0, 3), st.integers(0, 2)
)


@given(st.lists(st.lists(CANDIDATES, max_size=8), min_size=1, max_size=4))
def test_neither_the_order_of_sources_nor_that_of_their_answers_matters(
    offered: list[list[SynonymCandidate]],
) -> None:
    sources = [source(f"source {number}", *found) for number, found in enumerate(offered)]
    turned = [source(lexicon.name, *reversed(lexicon.candidates("race", "noun"))) for lexicon in reversed(sources)]
    rows, others = ranked(*sources), ranked(*turned)
    told = [(row.lemma, row.votes, [entry.source for entry in row.offers]) for row in rows]
    assert told == [(row.lemma, row.votes, [entry.source for entry in row.offers]) for row in others]
    assert len(set(lemmas(rows))) == len(rows) == len({word.lemma for found in offered for word in found})
    assert [row.votes for row in rows] == sorted((row.votes for row in rows), reverse=True)


@given(st.lists(CANDIDATES, max_size=8), st.lists(CANDIDATES, max_size=8))
def test_votes_are_those_of_a_plain_count(first: list[SynonymCandidate], second: list[SynonymCandidate]) -> None:
    for row in ranked(source("one", *first), source("two", *second)):
        offers = [[word.relation for word in found if word.lemma == row.lemma] for found in (first, second)]
        assert row.votes == sum(1.0 if set(kinds) & set(NEAR) else 0.5 for kinds in offers if kinds)


CHAIN = FakeLexicon(
    {
        ("race", "noun"): [offer("alpha"), offer("racer"), offer("far away", "sibling")],
        ("alpha", "noun"): [offer("race"), offer("beta"), offer("pit", "hyponym")],
        ("racer", "noun"): [offer("gamma"), offer("beta")],
        ("beta", "noun"): [offer("delta", "hypernym"), offer("alpha")],
        ("gamma", "noun"): [offer("epsilon")],
        ("delta", "noun"): [offer("zeta")],
        ("epsilon", "noun"): [offer("theta")],
        ("zeta", "noun"): [offer("iota")],
        ("theta", "noun"): [offer("kappa")],
    },
    name="chain",
)


def reached(enough: int) -> list[Ranked]:
    def keep(candidate: SynonymCandidate) -> bool:
        return candidate.lemma in GREEK

    return reach(QUESTION, [CHAIN], frequencies=FakeFrequencies(), keep=keep, enough=enough)


def test_near_words_fill_up_step_by_step() -> None:
    assert lemmas(reached(1)) == ["alpha"]
    assert lemmas(reached(2)) == lemmas(reached(3)) == ["alpha", "beta", "gamma"]
    assert lemmas(reached(4)) == ["alpha", "beta", "gamma", "delta", "epsilon"]
    assert lemmas(reached(99)) == ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta"]


def test_indirect_word_names_its_start_and_counts_as_far() -> None:
    row = reached(4)[3]
    assert (row.best.relation, row.best.start, row.best.sense, row.votes) == ("indirect", "beta", 3, 0.5)
    assert list(explain(row, "race")) == [
        "'delta' is next to 'beta', 3 steps from 'race' (delta-set) in chain",
        "0.5 votes, Zipf value unknown",
    ]


def test_no_candidates_reach_nothing() -> None:
    assert reach(QUESTION, [FakeLexicon()], frequencies=ZIPF, keep=everything, enough=5) == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            SynonymOffer("net", offer("beta", sense=2, position=3)),
            "'beta' is a synonym of 'race' (sense 2, place 3 of beta-set)",
        ),
        (
            SynonymOffer("net", offer("beta", "similar", 1, 0)),
            "'beta' is a near-synonym of 'race' (sense 1 of beta-set)",
        ),
        (SynonymOffer("net", offer("beta", "sibling", 0, 0)), "'beta' is a sibling of 'race' (beta-set)"),
        (SynonymOffer("net", offer("beta"), "as in sport"), "'beta' is chosen for 'race' as a synonym (as in sport)"),
    ],
)
def test_offer_is_explained_as_far_as_source_ranks(entry: SynonymOffer, said: str) -> None:
    assert next(explain(Ranked((entry,), 5.0), "race")) == f"{said} in net"


def test_explanation_names_every_source_the_votes_and_the_frequency() -> None:
    rows = ranked(source("two", offer("beta", "sibling")), source("one", offer("beta")))
    assert list(explain(rows[0], "race")) == [
        "'beta' is a synonym of 'race' (sense 1, place 1 of beta-set) in one",
        "'beta' is a sibling of 'race' (sense 1, place 1 of beta-set) in two",
        "1.5 votes, Zipf value 5.00",
    ]
