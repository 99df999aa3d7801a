"""The filler on sentences made for one rule each: components, capitals, frames, and forms that are not known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.filling.fill import Filler
from ncimp.builder.records import Compound, FilledItem, Form, Gender, LanguagePack, Number, Replacement
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.schemas.errors import AgreementError, Place

Shops = dict[str, LanguageResources]
COURAGE = Compound(
    "Dutch courage", "Dutch", "courage", 1, "A_N", None, "sg", "mass", "idiomatic", None, None, "-", "-", "-"
)
JESUS = replace(COURAGE, text="baby Jesus", modifier="baby", head="Jesus", pattern="N_N")


def row(compound_id: str, variant: str, modifier: str | None, head: str | None, pattern: str | None) -> Replacement:
    text = " ".join(filter(None, (modifier, head)))
    return Replacement(compound_id, variant, text, modifier, head, pattern, None, "test")


def one_context(
    pack: LanguagePack, compound: Compound, sentence: str, *, context: str = "nat1", number: Number = "sg"
) -> LanguagePack:
    """Return *pack* with one compound in one context."""
    key = (compound.text, context)
    marked = {key: read_marked(sentence, Place("test"))}
    return replace(pack, compounds=(compound,), contexts=(), marked=marked, numbers={key: number})


def fill(pack: LanguagePack, replacement: Replacement, forms: tuple[Form, ...] = ()) -> FilledItem:
    """Return the only item of a pack with one context."""
    morphology = PackMorphology([*pack.forms, *forms], pack.language)
    (item,) = Filler(pack, morphology).fill([replacement])
    return item


def compound(shop: LanguageResources, text: str) -> Compound:
    return next(row for row in shop.pack.compounds if row.text == text)


@pytest.mark.parametrize(
    ("sentence", "variant", "expected"),
    [
        ("[Primeira-dama] não vota.", "head", "Dama não vota."),
        ("[Primeira-dama] não vota.", "mod", "Primeira não vota."),
        ("Uma [primeira-dama] não vota.", "head", "Uma dama não vota."),
        ("Duas [primeiras-damas] não votam.", "mod", "Duas primeiras não votam."),
        ("Duas [primeiras-damas] não votam.", "head", "Duas damas não votam."),
        ("A [Primeira-Dama] não vota.", "head", "A Dama não vota."),
        ("Ele saiu. [Primeiras-damas] ficam.", "head", "Ele saiu. Damas ficam."),
        ("“[Primeira-dama] sai”, leu.", "head", "“Dama sai”, leu."),
        ("1º: [primeira-dama].", "head", "1º: dama."),
    ],
)
def test_component_keeps_its_form_with_capital_of_its_place(
    sentence: str, variant: str, expected: str, mini_langs: Shops
) -> None:
    pack = one_context(mini_langs["pt"].pack, compound(mini_langs["pt"], "primeira-dama"), sentence)
    item = fill(pack, row("pt/primeira-dama", variant, None, None, None))
    assert item.sentence == expected
    assert item.carrier_edits == ()


def test_component_of_other_gender_leaves_article_and_marked_words(mini_langs: Shops) -> None:
    shop = mini_langs["pt"]
    pack = one_context(shop.pack, compound(shop, "casa de campo"), "A [casa de campo] velha foi {cercada}.")
    assert fill(pack, row("pt/casa-de-campo", "mod", "campo", None, None)).sentence == "A campo velha foi cercada."


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("head", "A beaver met an owl."), ("mod", "An eager met an owl."), ("orig", "An eager beaver met an owl.")],
)
def test_component_takes_article_of_its_sound(variant: str, expected: str, mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    pack = one_context(shop.pack, compound(shop, "eager beaver"), "An [eager beaver] met an owl.")
    assert fill(pack, row("en/eager-beaver", variant, None, None, None)).sentence == expected


def test_original_is_never_repaired(mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    pack = one_context(shop.pack, compound(shop, "eager beaver"), "He wrote a [eager beaver], sic.")
    item = fill(pack, row("en/eager-beaver", "orig", "eager", "beaver", "A_N"))
    assert (item.sentence, item.carrier_edits) == ("He wrote a eager beaver, sic.", ())


@pytest.mark.parametrize(
    ("of", "sentence", "variant", "expected"),
    [
        (COURAGE, "He needed [Dutch courage] then.", "mod", "He needed Dutch then."),
        (COURAGE, "He needed [Dutch courage] then.", "head", "He needed courage then."),
        (COURAGE, "He needed [Dutch courage] then.", "syn", "He needed keen worker then."),
        (COURAGE, "[Dutch courage] helps.", "syn", "Keen worker helps."),
        (JESUS, "He left. [Baby Jesus] slept.", "syn", "He left. Keen worker slept."),
        (JESUS, "They saw [baby Jesus] then.", "head", "They saw Jesus then."),
        (JESUS, "[Baby Jesus] slept.", "mod", "Baby slept."),
        (JESUS, "[Baby Jesus] slept.", "syn", "Keen worker slept."),
    ],
)
def test_proper_capital_stays_with_its_word(
    of: Compound, sentence: str, variant: str, expected: str, mini_langs: Shops
) -> None:
    shop = mini_langs["en"]
    forms = (Form("keen", "keen", "adj", None, None, None), Form("worker", "worker", "noun", None, "sg", None))
    made = row(shop.pack.compound_id(of.text), variant, "keen", "worker", "A_N")
    assert fill(one_context(shop.pack, of, sentence), made, forms).sentence == expected


@pytest.mark.parametrize(
    ("gender", "number", "frame", "expected"),
    [
        ("f", "sg", "{Este} é {um} [maçã podre].", "Esta é uma maçã podre."),
        ("m", "sg", "{Este} é {um} [maçã podre].", "Este é um maçã podre."),
        ("f", "pl", "{Estes} são {uns} [maçã podre].", "Estas são umas maçã podre."),
    ],
)
def test_neutral_frame_agrees_without_recorded_edit(
    gender: Gender, number: Number, frame: str, expected: str, mini_langs: Shops
) -> None:
    shop = mini_langs["pt"]
    own = replace(compound(shop, "maçã podre"), gender=gender, number=number)
    pack = one_context(shop.pack, own, frame, context="neut_short", number=number)
    item = fill(pack, row("pt/maçã-podre", "orig", "podre", "maçã", "N_A"))
    assert (item.sentence, item.carrier_edits, item.context_kind) == (expected, (), "neutral")
    assert item.sentence[slice(*item.span)] == "maçã podre"


def test_naturalistic_context_stays_as_written(mini_langs: Shops) -> None:
    """Only frames are made to agree: in a context the writer's word is final."""
    shop = mini_langs["pt"]
    pack = one_context(shop.pack, compound(shop, "maçã podre"), "{Este} é {um} [maçã podre].")
    assert fill(pack, row("pt/maçã-podre", "orig", "podre", "maçã", "N_A")).sentence == "Este é um maçã podre."


def test_missing_contexts_are_skipped_in_grid_order(mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    key, texts = "rat race", {"nat3": "A [rat race].", "nat1": "The [rat race]."}
    marked = {(key, name): read_marked(text, Place("test")) for name, text in texts.items()}
    numbers: dict[tuple[str, str], Number] = {(key, name): "sg" for name in texts}
    pack = replace(shop.pack, marked=marked, numbers=numbers)
    made = Filler(pack, shop.morphology).fill([row("en/rat-race", "orig", "rat", "race", "N_N")])
    assert [item.id for item in made] == ["en/rat-race/nat1/orig", "en/rat-race/nat3/orig"]


def test_missing_plural_names_replacement(mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    pack = one_context(shop.pack, compound(shop, "rat race"), "All [rat races] end.", number="pl")
    forms = (Form("sheep", "sheep", "noun", None, "sg", None),)
    with pytest.raises(AgreementError) as caught:
        fill(pack, row("en/rat-race", "ws1", "mouse", "sheep", "N_N"), forms)
    assert str(caught.value) == ("en/rat-race ws1 'mouse sheep': no form pl; add the forms of its words to forms.tsv")


@pytest.mark.parametrize(
    ("sentence", "word", "features"),
    [("A [maçã podre] era {ela}.", "ela", "m sg"), ("A [maçã podre] foi {cortada}.", "cortada", "m sg")],
)
def test_marked_word_without_form_names_item(sentence: str, word: str, features: str, mini_langs: Shops) -> None:
    shop = mini_langs["pt"]
    pack = one_context(shop.pack, compound(shop, "maçã podre"), sentence)
    made = replace(row("pt/maçã-podre", "syn", "mau", "elemento", "A_N"), gender="m")
    forms = (Form("cortada", "cortado", "adj", "f", "sg", None),)
    with pytest.raises(AgreementError) as caught:
        fill(pack, made, forms)
    assert str(caught.value) == (
        f"pt/maçã-podre/nat1/syn: {word!r} should agree with {features} and has no such form; "
        "add it to forms.tsv or to the paradigms of pack.toml"
    )


def test_determiner_without_number_is_an_error(mini_langs: Shops) -> None:
    shop = mini_langs["pt"]
    pack = one_context(shop.pack, compound(shop, "maçã podre"), "Vi {ambas} [maçã podre].")
    made = replace(row("pt/maçã-podre", "syn", "mau", "elemento", "A_N"), gender="m")
    with pytest.raises(AgreementError, match="'ambas' should agree with m sg and has no such form"):
        fill(pack, made)


def test_span_without_two_components_names_separator(mini_langs: Shops) -> None:
    shop = mini_langs["pt"]
    pack = one_context(shop.pack, compound(shop, "gol de placa"), "Um [gol] de placa.")
    with pytest.raises(AgreementError) as caught:
        fill(pack, row("pt/gol-de-placa", "head", None, "gol", None))
    assert str(caught.value) == (
        "'gol' is not two components joined by ' de '; mend the pattern of 'gol de placa' or the marked span"
    )


def test_frame_item_has_licence_of_language(mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    pack = one_context(shop.pack, compound(shop, "rat race"), "The [rat race] ended.")
    pack = replace(pack, language=replace(pack.language, licence="CC0-1.0"))
    item = fill(pack, row("en/rat-race", "orig", "rat", "race", "N_N"))
    assert (item.context_source, item.licence) == ("frame", "CC0-1.0")
