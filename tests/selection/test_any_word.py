"""Synonyms of components that stand in no pack: what may stand for a word, in which order and in which form."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.records import Form, Gender, LanguagePack, Number, Onset, SynonymCandidate
from ncimp.builder.selection.synonyms import Component, LenientSource, SynonymFinder, independent_pairs
from ncimp.builder.selection.words import are_kin
from tests.selection.world import (
    GREEK,
    FakeFrequencies,
    FakeLexicon,
    compound,
    make_pack,
    offers,
    override,
    synonym,
)

HEAD = Component("cordas vocais", "head", "cordas")
MODIFIER = Component("cordas vocais", "mod", "vocais")


@dataclass(frozen=True)
class Words:
    """A morphology of exactly these forms; asked without a gender, it takes the first that fits."""

    forms: Sequence[Form] = ()

    def inflect(
        self,
        lemma: str,
        pos: str,
        *,
        gender: Gender | None,
        number: Number,
        further: Collection[str] = (),  # noqa: ARG002
    ) -> str | None:
        fitting = (
            row.form
            for row in self.forms
            if (row.lemma, row.pos, row.number) == (lemma, pos, number)
            and (gender in (None, row.gender) or row.gender is None)
        )
        return next(fitting, None)

    def gender(self, noun: str) -> Gender | None:
        raise AssertionError(f"asked for the gender of {noun!r}")

    def readings(self, form: str) -> Sequence[Form]:
        return [row for row in self.forms if row.form == form]

    def onset(self, word: str) -> Onset:
        raise AssertionError(f"asked for the first sound of {word!r}")


def forms(lemma: str, pos: str, cells: Mapping[str, str]) -> list[Form]:
    """Return the forms of *lemma* by `m sg`, `f pl`, `pl` and so on."""
    found = []
    for features, form in cells.items():
        *gender, number = features.split()
        found.append(Form(form, lemma, pos, gender[0] if gender else None, number, None))  # type: ignore[arg-type]
    return found


def adjective(stem: str) -> list[Form]:
    cells = {"m sg": f"{stem}o", "f sg": f"{stem}a", "m pl": f"{stem}os", "f pl": f"{stem}as"}
    return forms(f"{stem}o", "adj", cells)


PORTUGUESE = Words(
    [
        *forms("corda", "noun", {"f sg": "corda", "f pl": "cordas"}),
        *forms("cabo", "noun", {"m sg": "cabo", "m pl": "cabos"}),
        *forms("vocal", "adj", {"sg": "vocal", "pl": "vocais"}),
        *forms("oral", "adj", {"sg": "oral", "pl": "orais"}),
        *adjective("sonor"),
        *adjective("pret"),
        *adjective("negr"),
        *forms("caixa", "noun", {"f sg": "caixa", "f pl": "caixas"}),
        *forms("ônibus", "noun", {"m sg": "ônibus", "m pl": "ônibus"}),
    ]
)


def finder(*lexicons: FakeLexicon, morphology: Words = PORTUGUESE, pack: LanguagePack | None = None) -> SynonymFinder:
    return SynonymFinder(lexicons, frequencies=FakeFrequencies(), morphology=morphology, pack=pack)


def lexicon(name: str = "net", **words: Sequence[str]) -> FakeLexicon:
    """Return a lexicon of `lemma_pos=[candidates]`."""
    found = {}
    for key, lemmas in words.items():
        lemma, pos = key.rsplit("_", 1)
        found[lemma, pos] = [
            SynonymCandidate(word, pos, f"{lemma}-set", "synonym", 1, place) for place, word in enumerate(lemmas, 1)
        ]
    return FakeLexicon(found, name=name)


def found(component: Component, *lexicons: FakeLexicon, limit: int = 30) -> list[str]:
    return [one.form for one in finder(*lexicons).of_word(component, limit)]


def test_candidate_comes_in_the_number_of_the_component() -> None:
    net = lexicon(corda_noun=["cabo"], vocal_adj=["oral"])
    assert found(HEAD, net) == ["cabos"]
    assert found(MODIFIER, net) == ["orais"]


def test_adjective_takes_the_gender_of_the_head_where_its_own_form_has_none() -> None:
    assert found(MODIFIER, lexicon(vocal_adj=["sonoro"])) == ["sonoras"]


def test_adjective_keeps_the_gender_that_its_form_has() -> None:
    net = lexicon(preto_adj=["negro"])
    assert found(Component("caixa-preta", "mod", "preta"), net) == ["negra"]
    assert found(Component("pau preto", "mod", "preto"), net) == ["negro"]


def test_adjective_of_unknown_gender_keeps_citation_form() -> None:
    assert found(Component("arranha-céus vocal", "mod", "vocal"), lexicon(vocal_adj=["sonoro"])) == ["sonoro"]


def test_invariable_noun_counts_as_singular() -> None:
    assert found(Component("ônibus vocal", "head", "ônibus"), lexicon(ônibus_noun=["cabo"])) == ["cabo"]


def test_unknown_form_stays_unchanged() -> None:
    assert found(HEAD, lexicon(corda_noun=["fio"])) == ["fio"]


def test_two_lemmas_with_one_form_are_one_candidate() -> None:
    words = Words([*PORTUGUESE.forms, *forms("cabos", "noun", {"m pl": "cabos"})])
    rows = finder(lexicon(corda_noun=["cabo", "cabos"]), morphology=words).of_word(HEAD)
    assert [(one.form, one.row.lemma) for one in rows] == [("cabos", "cabo")]


def test_heads_are_nouns_and_modifiers_adjectives_first() -> None:
    net = lexicon(red_noun=["alpha"], red_adj=["beta"], red_verb=["gamma"])
    plain = Words()
    rows = [finder(net, morphology=plain).of_word(Component("red red", role, "red")) for role in ("head", "mod")]
    assert [[one.form for one in row] for row in rows] == [["alpha", "beta", "gamma"], ["beta", "alpha", "gamma"]]


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("race", "the component itself"),
        ("Race", "itself with a capital"),
        ("races", "its inflection"),
        ("racer", "its derivation"),
        ("mice", "a form of it that only the morphology knows"),
        ("rat", "the other word of the compound"),
        ("horse race", "a phrase"),
        ("tug-of-war", "a hyphenated phrase"),
        ("Derby", "a name"),
        ("quick", "known as an adjective only"),
        ("contests", "the plural of a noun that is known"),
    ],
)
def test_candidate_is_left_out_because_it_is(word: str, why: str) -> None:
    words = Words(
        [
            Form("mice", "race", "noun", None, "pl", None),
            Form("quick", "quick", "adj", None, None, None),
            *forms("contest", "noun", {"sg": "contest", "pl": "contests"}),
        ]
    )
    rows = finder(lexicon(race_noun=["alpha", word, "beta"]), morphology=words).of_word(
        Component("rat race", "head", "race")
    )
    assert [one.form for one in rows] == ["alpha", "beta"], why


def test_name_stands_for_a_name() -> None:
    net = lexicon(China_noun=["Cathay", "porcelain"])
    assert found(Component("China clay", "mod", "China"), net) == ["Cathay", "porcelain"]
    assert found(Component("china clay", "mod", "china"), net) == ["porcelain"]


def test_word_is_looked_up_as_its_lemma_and_as_it_is_where_only_case_differs() -> None:
    words = Words([Form("China", "China", "noun", None, "sg", None), Form("china", "China", "noun", None, "sg", None)])
    rows = finder(lexicon(China_noun=["land"], china_noun=["pot"]), morphology=words).of_word(
        Component("china clay", "mod", "china")
    )
    assert {one.form for one in rows} == {"land", "pot"}


def test_missing_word_is_looked_up_in_other_spellings() -> None:
    source = LenientSource(lexicon(China_noun=["Cathay"], voo_noun=["viagem"], vôo_adj=["aéreo"]))
    assert [row.lemma for row in source.candidates("china", "noun")] == ["Cathay"]
    assert [row.lemma for row in source.candidates("vôo", "noun")] == ["viagem"]
    assert [row.lemma for row in source.candidates("vôo", "adj")] == ["aéreo"]
    assert source.candidates("zebra", "noun") == ()
    assert source.name == "net"


def test_limit_bounds_synonyms() -> None:
    assert found(HEAD, lexicon(corda_noun=GREEK), limit=3) == list(GREEK[:3])


RAT_PACK = make_pack(
    [compound("rat race", "rat", "race")],
    synonyms=[synonym("rat race", "daily grind", "daily", "grind")],
    overrides=[
        override("rat race", "head", 2, word="contest", relation="hypernym", reason="as in sport"),
        override("rat race", "head", 1, word="racecourse"),
        override("rat race", "modifier", 1, sense="rodents"),
    ],
)


def test_choices_of_pack_come_first() -> None:
    rows = finder(lexicon(race_noun=["alpha", "grind", "contest"]), morphology=Words(), pack=RAT_PACK).of_word(
        Component("rat race", "head", "race")
    )
    assert [(one.form, one.row.best.relation) for one in rows] == [
        ("racecourse", "synonym"),
        ("contest", "hypernym"),
        ("alpha", "synonym"),
    ]
    assert (rows[1].row.offers[0].source, rows[1].row.offers[0].note) == ("en pack 0.0.1", "as in sport")


def test_named_sense_comes_first() -> None:
    senses = [
        SynonymCandidate("alpha", "noun", "a", "synonym", 1, 1, "traitors"),
        SynonymCandidate("beta", "noun", "b", "synonym", 2, 1, "rodents"),
    ]
    net = FakeLexicon({("rat", "noun"): senses}, name="net")
    row = Component("rat race", "mod", "rat")
    assert [one.form for one in finder(net, morphology=Words(), pack=RAT_PACK).of_word(row)] == ["beta", "alpha"]
    assert [one.form for one in finder(net, morphology=Words()).of_word(row)] == ["alpha", "beta"]


def test_pairs_share_no_word_and_no_kin() -> None:
    net = FakeLexicon(
        {("rat", "noun"): offers([*GREEK[:5], "paint"]), ("race", "noun"): offers(["painter", "alpha", *GREEK[5:]])},
        name="net",
    )
    made = finder(net, morphology=Words())
    rows = [made.of_word(Component("rat race", role, word)) for role, word in (("mod", "rat"), ("head", "race"))]  # type: ignore[arg-type]
    modifiers, heads = ([one.row for one in row] for row in rows)
    pairs = [(one.lemma, other.lemma) for one, other in independent_pairs(modifiers, heads)]
    assert pairs == [
        ("alpha", "painter"),
        ("beta", "zeta"),
        ("gamma", "theta"),
        ("delta", "iota"),
        ("epsilon", "kappa"),
        ("paint", "lambda"),
    ]


WORDS = st.lists(st.text("abdeiors", min_size=2, max_size=8), max_size=12)


@given(WORDS, WORDS, WORDS)
def test_no_candidate_is_kin_of_the_component_or_a_word_of_the_compound(
    first: list[str], second: list[str], adjectives: list[str]
) -> None:
    one = lexicon("one", race_noun=first, race_adj=adjectives)
    two = lexicon("two", race_noun=second)
    rows = finder(one, two, morphology=Words()).of_word(Component("boat race", "head", "race"))
    forms_found = [row.form for row in rows]
    assert len(set(forms_found)) == len(forms_found)
    assert not [form for form in forms_found if are_kin(form, "race") or form in ("boat", "race")]
    again = finder(two, one, morphology=Words()).of_word(Component("boat race", "head", "race"))
    assert [row.form for row in again] == forms_found
