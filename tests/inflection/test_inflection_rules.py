"""The section `[inflection]` of a pack: what a made-up language does with it, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records import Form, Gender, Number
from ncimp.builder.sources.inflection import RuleMorphology, inflect_forms, lemminflect_forms, suffix_rules
from ncimp.builder.sources.packs.language import read_language
from ncimp.schemas.errors import NcimpError, SchemaError, SourceError
from tests.inflection.inflection_world import Rules, rules_of

MADE_UP = """
[inflection]
engines = ["suffix rules"]
default_gender = "n"
uninflected = []

[inflection.invariable]
noun = ["blik"]
adj = ["zu"]

[inflection.plural]
rules = [
  { suffix = "ka", to = ["ke"], pos = ["noun"] },
  { suffix = "o", to = ["u", "i"], when = "t$" },
  { suffix = "", to = ["m"] },
]
words = ["dok: deke"]

[inflection.singular]
rules = [
  { suffix = "ke", to = ["ka"] },
  { suffix = "u", to = ["o"] },
  { suffix = "i", to = ["o"] },
  { suffix = "m", to = [""] },
]
words = ["bom: bom"]

[inflection.feminine]
rules = [{ suffix = "", to = ["s"] }]
words = ["pal: pil"]

[inflection.masculine]
rules = [{ suffix = "s", to = [""] }]
words = []

[inflection.gender]
rules = [{ suffix = "ka", gender = "f" }, { suffix = "", gender = "m" }]
m = ["boka"]
f = []
c = ["tan"]

[inflection.parts]
rules = [{ suffix = "ly", parts = ["adv"] }]
noun = ["loka"]
adj = ["pal"]

[inflection.phrases]
prepositions = ["fo"]
unchanging = ["ne"]
prenominal = ["pal"]
apposed = ["kor"]
hyphen_first = ["pro"]
agentive = []
"""


class Counted:
    """A frequency table of a few words."""

    name = "counted"

    def __init__(self, **words: float) -> None:
        self._words = words

    def frequency(self, word: str) -> float:
        return self._words.get(word, 0.0)


@pytest.fixture
def pack_toml(packs_copy: Path) -> Path:
    """The pack.toml of a language with the patterns of mini Portuguese and the inflection above."""
    path = packs_copy / "pt" / "pack.toml"
    path.write_text(path.read_text("utf-8") + MADE_UP, "utf-8")
    return path


@pytest.fixture
def made_up(pack_toml: Path) -> Rules:
    return rules_of(pack_toml)


@pytest.mark.parametrize(
    ("text", "plural"),
    [
        ("loka", "loke"),
        ("dok", "deke"),
        ("blik", "blik"),
        ("lato", "latu"),
        ("lano", "lanom"),
        ("pal loka", "palm loke"),  # a rule for nouns only, and one for both
        ("loka zu", "loke zu"),
        ("dok fo dok", "deke fo dok"),
        ("loka kor", "loke kor"),
        ("pro-loka", "pro-loke"),
        ("fo loka", "fo loka"),
        ("ne loka", "ne loke"),
        ("Dok", "Deke"),
    ],
)
def test_a_language_is_inflected_by_its_own_rules(made_up: Rules, text: str, plural: str) -> None:
    assert made_up.plural(text) == plural
    assert made_up.plural(plural) == plural
    assert made_up.singular(plural) == text


def test_a_form_that_looks_like_a_plural_and_is_listed_is_none(made_up: Rules) -> None:
    assert [reading.number for reading in made_up.morphology.readings("bom") if reading.pos == "noun"] == ["sg"]


def test_gender_and_parts_of_speech_come_from_lists_before_rules(made_up: Rules) -> None:
    genders = {noun: made_up.morphology.gender(noun) for noun in ("loka", "boka", "tan", "lato", "loka-tan")}
    assert genders == {"loka": "f", "boka": "m", "tan": "c", "lato": "m", "loka-tan": "f"}
    assert {reading.pos for reading in made_up.morphology.readings("loka")} == {"noun"}
    noun, adjective = Form("pils", "pils", "noun", "m", "sg", None), Form("pils", "pil", "adj", "f", "sg", None)
    assert made_up.morphology.readings("pils") == (noun, adjective)
    assert {reading.pos for reading in made_up.morphology.readings("lokaly")} == {"adv"}


@pytest.mark.parametrize(
    ("pos", "gender", "number", "form"),
    [
        ("adj", "m", "sg", "pal"),
        ("adj", "f", "sg", "pil"),
        ("adj", "f", "pl", "pilm"),
        ("adj", "n", "pl", "palm"),
        ("noun", None, "pl", "palm"),
    ],
)
def test_gender_comes_before_number(made_up: Rules, pos: str, gender: Gender | None, number: Number, form: str) -> None:
    assert made_up.morphology.inflect("pal", pos, gender=gender, number=number) == form


def test_frequencies_decide_what_rules_leave_open(pack_toml: Path) -> None:
    language = read_language(pack_toml)
    assert RuleMorphology(language).inflect("mato", "noun", gender=None, number="pl") == "matu"
    counted = RuleMorphology(language, Counted(mati=2e-6, matu=1e-6))
    assert counted.inflect("mato", "noun", gender=None, number="pl") == "mati"
    assert counted.inflect("lato", "noun", gender=None, number="pl") == "latu"


def test_a_singular_that_nobody_uses_is_no_singular(pack_toml: Path) -> None:
    language = read_language(pack_toml)
    for table, number in ((Counted(sum=1e-5, su=1e-9), "sg"), (Counted(sum=1e-5, su=1e-6), "pl"), (None, "pl")):
        readings = RuleMorphology(language, table).readings("sum")
        assert {reading.number for reading in readings} == {number}


def test_a_pack_without_rules_guesses_nothing(mini_packs: Path) -> None:
    plain = rules_of(mini_packs / "pt" / "pack.toml").morphology
    assert plain.readings("casas") == ()
    assert plain.inflect("casa", "noun", gender=None, number="pl") is None
    assert plain.gender("casa") is None


@pytest.mark.parametrize(
    ("old", "new", "error", "words"),
    [
        ('engines = ["suffix rules"]', 'engines = ["oracle"]', SchemaError, "'oracle' is not one of"),
        ('engines = ["suffix rules"]', "engines = []", SchemaError, "inflection"),
        ('when = "t$"', 'when = "t("', SourceError, "'t(' is not a regular expression"),
        ('words = ["dok: deke"]', 'words = ["dok"]', SchemaError, "'dok' does not match"),
        ('words = ["dok: deke"]', 'words = ["dok: deke", "dok: doke"]', SourceError, "two entries for 'dok'"),
        ('c = ["tan"]', 'c = ["boka"]', SourceError, "two entries for 'boka'"),
        ('gender = "f"', 'gender = "x"', SchemaError, "'x' is not one of"),
        ('to = ["ke"]', "to = []", SchemaError, "[]"),
    ],
)
def test_a_broken_section_is_told_with_its_place(
    pack_toml: Path, old: str, new: str, error: type[NcimpError], words: str
) -> None:
    text = pack_toml.read_text("utf-8")
    assert old in text
    pack_toml.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(error) as caught:
        read_language(pack_toml)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(pack_toml))


def test_engines_offer_forms_and_know_their_traps(pack_toml: Path) -> None:
    assert lemminflect_forms("plural", "analysis", "noun")[0] == "analyses"
    assert lemminflect_forms("singular", "lens", "noun") == ("lens",)
    assert lemminflect_forms("singular", "indices", "noun") == ("index",)
    assert lemminflect_forms("plural", "blork", "noun") == ()
    assert inflect_forms("plural", "blork", "noun") == ("blorks",)
    assert inflect_forms("plural", "mine", "noun") == ("mines",)
    assert inflect_forms("plural", "texas", "noun") == ("texases",)
    assert inflect_forms("singular", "blorks", "noun") == ("blork",)
    for single in ("abyss", "analysis", "cactus", "lens"):
        assert inflect_forms("singular", single, "noun") == ()
    for engine in (lemminflect_forms, inflect_forms):
        assert engine("plural", "old", "adj") == ()
        assert engine("feminine", "actor", "noun") == ()
    rules = suffix_rules(read_language(pack_toml).inflection, None)
    assert rules("plural", "lato", "noun") == ("latu", "lati")
    assert rules("plural", "loka", "adj") == ("lokam",)
    assert rules("plural", "ka", "noun") == ("kam",)  # a word is more than its ending
