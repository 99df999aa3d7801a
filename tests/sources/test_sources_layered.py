"""Several lexicons as one: the order of trust, counts that re-weight, counterparts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.ports import Analyser
from ncimp.builder.records import Form, Gender, Number, Onset
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.readers import Entry
from tests.sources.lexicon_samples import FORMS, MORPHOBR, UNIMORPH, WORDS, conllu, layered

NOUN_F = ("caixa", "caixa", "NOUN", "Gender=Fem|Number=Sing")
NOUN_M = ("caixa", "caixa", "NOUN", "Gender=Masc|Number=Sing")
BARE = ("caixa", "caixa", "NOUN", "_")

Read = tuple[str, str, Gender | None, Number | None]


def share(morphology: LayeredMorphology, form: str, pos: str) -> float | None:
    tally = morphology.tally(form)
    total = sum(tally.values())
    return tally.get(pos, 0) / total if total else None


def short(readings: Sequence[Form]) -> list[Read]:
    return [(form.lemma, form.pos, form.gender, form.number) for form in readings]


@pytest.fixture
def lexicon(tmp_path: Path, mini_packs: Path) -> LayeredMorphology:
    return layered(tmp_path, mini_packs, MORPHOBR)


def test_it_is_an_analyser(lexicon: LayeredMorphology) -> None:
    analyser: Analyser = lexicon
    assert analyser.onset("casa") == ""  # Portuguese has no feature of the next sound


def test_a_lexicon_alone_gives_its_readings_in_any_case(lexicon: LayeredMorphology) -> None:
    for form in ("abertas", "Abertas", "ABERTAS"):
        assert short(lexicon.readings(form)) == [("aberto", "adj", "f", "pl")]
    assert lexicon.readings("barco") == ()


def test_counts_decide_between_the_genders_that_a_lexicon_leaves_open(tmp_path: Path, mini_packs: Path) -> None:
    counted = layered(tmp_path, mini_packs, MORPHOBR, conllu((NOUN_F, NOUN_M, NOUN_F)))
    assert short(counted.readings("caixa")) == [
        ("caixa", "noun", "f", "sg"),
        ("caixa", "noun", "m", "sg"),
        ("caixa", "noun", None, "sg"),
    ]
    assert counted.gender("caixa") == "f"


def test_the_gender_of_the_singular_helps_a_plural_that_was_never_counted(tmp_path: Path, mini_packs: Path) -> None:
    counted = layered(tmp_path, mini_packs, MORPHOBR, conllu((NOUN_F, NOUN_F, NOUN_M)))
    assert short(counted.readings("caixas"))[0] == ("caixa", "noun", "f", "pl")


def test_a_word_that_a_treebank_left_without_features_adds_no_reading(tmp_path: Path, mini_packs: Path) -> None:
    counted = layered(tmp_path, mini_packs, MORPHOBR, conllu((BARE, BARE, NOUN_F)))
    assert short(counted.readings("caixa"))[0] == ("caixa", "noun", "f", "sg")
    assert len(counted.readings("caixa")) == 2
    assert share(counted, "caixa", "noun") == 1.0


def test_the_reading_of_the_pack_comes_before_a_counted_one(tmp_path: Path, mini_packs: Path) -> None:
    stated = Form("caixa", "caixa", "noun", "m", "sg", None)
    counted = layered(tmp_path, mini_packs, MORPHOBR, conllu((NOUN_F, NOUN_F)), forms=(stated,))
    assert short(counted.readings("caixa"))[0] == ("caixa", "noun", "m", "sg")
    assert counted.gender("caixa") == "m"


def test_what_only_a_treebank_says_comes_after_what_a_lexicon_says(tmp_path: Path, mini_packs: Path) -> None:
    slips = conllu((("carta", "carta", "NOUN", "Gender=Masc|Number=Sing"),) * 3)
    counted = layered(tmp_path, mini_packs, MORPHOBR, slips)
    assert short(counted.readings("carta")) == [("carta", "noun", "f", "sg"), ("carta", "noun", "m", "sg")]


def test_the_usual_part_of_speech_comes_first(tmp_path: Path, mini_packs: Path) -> None:
    verb = ("tinha", "ter", "VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Imp|VerbForm=Fin")
    counted = layered(tmp_path, mini_packs, MORPHOBR, conllu((verb, verb)))
    assert [form.pos for form in counted.readings("tinha")] == ["verb", "noun"]
    assert [form.pos for form in layered(tmp_path, mini_packs, MORPHOBR).readings("tinha")] == ["noun", "verb"]


def test_shares_add_up_and_are_none_for_a_word_that_was_not_counted(tmp_path: Path, mini_packs: Path) -> None:
    adjective = ("caixa", "caixo", "ADJ", "Gender=Fem|Number=Sing")
    counted = layered(tmp_path, mini_packs, conllu((NOUN_F, NOUN_F, NOUN_F, adjective)))
    assert (share(counted, "caixa", "noun"), share(counted, "Caixa", "adj"), share(counted, "caixa", "verb")) == (
        0.75,
        0.25,
        0,
    )
    assert share(counted, "carta", "noun") is None


def test_a_name_says_nothing_of_the_word_in_lower_case(tmp_path: Path, mini_packs: Path) -> None:
    name = ("São", "São", "PROPN", "Gender=Masc|Number=Sing")
    verb = ("são", "ser", "AUX", "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin")
    counted = layered(tmp_path, mini_packs, conllu((name, name, name, verb)))
    assert share(counted, "são", "verb") == 1.0
    assert share(counted, "São", "verb") == 0.25
    assert short(counted.readings("são")) == [("ser", "verb", None, "pl")]


def test_a_name_is_no_reading_of_a_word_in_lower_case_that_a_lexicon_has(tmp_path: Path, mini_packs: Path) -> None:
    name = ("Caixa", "Caixa", "PROPN", "Gender=Masc|Number=Sing")
    counted = layered(tmp_path, mini_packs, MORPHOBR, conllu((name, name)))
    assert {reading.lemma for reading in counted.readings("caixa")} == {"caixa"}


def test_a_contraction_is_counted_as_it_was_written(tmp_path: Path, mini_packs: Path) -> None:
    contracted = (
        ("pelo", "_", "_", "_"),
        ("por", "por", "ADP", "_"),
        ("o", "o", "DET", "Definite=Def|Gender=Masc|Number=Sing|PronType=Art"),
        ("mar", "mar", "NOUN", "Gender=Masc|Number=Sing"),
    )
    noun = (("pelo", "pelo", "NOUN", "Gender=Masc|Number=Sing"),)
    counted = layered(tmp_path, mini_packs, conllu(contracted, contracted, contracted, noun))
    assert share(counted, "pelo", "noun") == 0.25
    assert share(counted, "o", "det") is None  # never written by itself
    assert short(counted.readings("o")) == [("o", "det", "m", "sg")]


CASES: tuple[tuple[str, str, Gender | None, Number, str | None], ...] = (
    ("abertas", "adj", "m", "sg", "aberto"),
    ("Aberta", "adj", "m", "pl", "abertos"),
    ("aberta", "adj", None, "pl", "abertas"),
    ("grandes", "adj", "m", "sg", "grande"),
    ("grande", "adj", "f", "sg", "grande"),
    ("tinha", "verb", None, "pl", "tinham"),
    ("tinham", "verb", "f", "sg", "tinha"),
    ("tenha", "verb", None, "pl", "tenham"),
    ("tem", "verb", None, "pl", "têm"),
    ("aceita", "adj", "m", "pl", "aceitos"),
    ("aceitada", "adj", "m", "pl", "aceitados"),
    ("gata", "noun", None, "pl", "gatas"),
    ("gata", "noun", "m", "pl", "gatos"),
    ("carta", "noun", "m", "pl", None),
    ("lápis", "noun", None, "pl", "lápis"),
    ("aberta", "verb", None, "pl", None),
    ("barco", "noun", None, "pl", None),
)


@pytest.mark.parametrize(("form", "pos", "gender", "number", "expected"), CASES)
def test_a_counterpart_keeps_everything_else(
    lexicon: LayeredMorphology, form: str, pos: str, gender: Gender | None, number: Number, expected: str | None
) -> None:
    assert lexicon.counterpart(form, pos, gender=gender, number=number) == expected


def test_forms_come_through_the_lemma(lexicon: LayeredMorphology) -> None:
    assert lexicon.inflect("gato", "noun", gender=None, number="pl") == "gatos"
    assert lexicon.inflect("gato", "noun", gender="f", number="pl") == "gatas"
    assert lexicon.inflect("aberto", "adj", gender="f", number="pl") == "abertas"
    assert lexicon.inflect("ter", "verb", gender=None, number="pl") == "têm"
    assert lexicon.inflect("barco", "noun", gender=None, number="pl") is None


def test_a_comparative_never_stands_for_the_word(tmp_path: Path, mini_packs: Path) -> None:
    english = layered(tmp_path, mini_packs, UNIMORPH)
    assert english.inflect("big", "adj", gender=None, number="sg") == "big"
    assert english.inflect("wolf", "noun", gender=None, number="pl") == "wolves"
    assert english.inflect("walk", "verb", gender=None, number="sg") == "walks"
    assert english.counterpart("bigger", "adj", gender=None, number="pl") == "bigger"


def test_lexicons_are_asked_in_the_order_given(tmp_path: Path, mini_packs: Path) -> None:
    one, other = "carta\tcarta+N+F+SG\ncartas\tcarta+N+F+PL\n", "carta\tcarta+N+M+SG\ncartões\tcarta+N+F+PL\n"
    assert layered(tmp_path, mini_packs, one, other).gender("carta") == "f"
    assert layered(tmp_path, mini_packs, other, one).gender("carta") == "m"
    assert layered(tmp_path, mini_packs, other, one).inflect("carta", "noun", gender="f", number="pl") == "cartões"


class Rules:
    """Rules that take every word for a feminine noun and make plurals in -s."""

    def inflect(
        self,
        lemma: str,
        pos: str,
        *,
        gender: Gender | None,
        number: Number,
        further: Collection[str] = (),  # noqa: ARG002
    ) -> str | None:
        return None if pos == "verb" else lemma + "s" * (number == "pl") + "!" * (gender == "m")

    def gender(self, _noun: str) -> Gender | None:
        return "f"

    def readings(self, form: str) -> Sequence[Form]:
        return (Form(form, form, "noun", "f", "sg", None),)

    def onset(self, _word: str) -> Onset:
        return "vowel"


def test_rules_come_last(tmp_path: Path, mini_packs: Path) -> None:
    base = layered(tmp_path, mini_packs, MORPHOBR)
    ruled = LayeredMorphology(base._pack, base._lexicons, rules=Rules())
    assert short(ruled.readings("gato")) == [("gato", "noun", "m", "sg")]
    assert short(ruled.readings("barco")) == [("barco", "noun", "f", "sg")]
    assert short(ruled.readings("tartaruga"))[0] == ("tartaruga", "noun", "f", "sg")
    assert (ruled.gender("gato"), ruled.gender("barco")) == ("m", "f")
    assert ruled.inflect("gato", "noun", gender=None, number="pl") == "gatos"
    assert ruled.inflect("barco", "noun", gender=None, number="pl") == "barcos"
    assert ruled.counterpart("carta", "noun", gender="m", number="pl") == "cartas!"
    assert ruled.counterpart("barco", "noun", gender=None, number="pl") == "barcos"


def test_a_word_of_the_pack_may_be_more_than_the_pack_says_where_one_asks_widely(
    tmp_path: Path, mini_packs: Path
) -> None:
    stated = Form("direito", "direito", "adj", "m", "sg", None)
    base = layered(tmp_path, mini_packs, MORPHOBR, forms=(stated,))
    ruled = LayeredMorphology(base._pack, base._lexicons, rules=Rules(), widely=True)
    assert short(ruled.readings("direito")) == [("direito", "adj", "m", "sg"), ("direito", "noun", "f", "sg")]
    assert short(ruled.readings("abertas")) == [("aberto", "adj", "f", "pl")]  # a lexicon knows all of them
    noun = Form("barco", "barco", "noun", "m", "sg", None)
    stated_noun = LayeredMorphology(layered(tmp_path, mini_packs, forms=(noun,))._pack, (), rules=Rules(), widely=True)
    assert short(stated_noun.readings("barco")) == [("barco", "noun", "m", "sg")]
    strict = LayeredMorphology(base._pack, base._lexicons, rules=Rules())
    assert short(strict.readings("direito")) == [("direito", "adj", "m", "sg")]


def test_a_participle_is_an_adjective_and_known_as_a_participle(tmp_path: Path, mini_packs: Path) -> None:
    counted = layered(tmp_path, mini_packs, MORPHOBR, FORMS, conllu(WORDS))
    assert share(counted, "aberta", "adj") == 1.0
    assert counted.is_participle("aberta")
    assert not counted.is_participle("grande")
    assert Entry("aberta", "abrir", "adj", "f", "sg", "VerbForm=Part", 1) in counted.analyses("aberta")


def test_a_lexicon_of_the_packs_shape_is_one_more_lexicon(tmp_path: Path, mini_packs: Path) -> None:
    assert layered(tmp_path, mini_packs, FORMS).counterpart("barcos", "noun", gender=None, number="sg") == "barco"


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_no_lexicon_at_all_is_the_pack(mini_langs: dict[str, LanguageResources], lang: str) -> None:
    pack = mini_langs[lang].morphology
    alone = LayeredMorphology(pack)
    forms = mini_langs[lang].pack.forms
    assert forms
    for form in forms:
        assert set(alone.readings(form.form)) == set(pack.readings(form.form))
        ours, theirs = (known.inflect(form.lemma, form.pos, gender=form.gender, number="pl") for known in (alone, pack))
        assert ours == theirs
