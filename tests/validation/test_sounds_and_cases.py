"""Elision, contraction, case, declension and places of adjectives: planted errors are found, right sentences are not.

Two small worlds that no other test has: French, whose words depend on the next sound, and German, which has cases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from ncimp.builder.records import (
    PROBES,
    CarrierEdit,
    Compound,
    Context,
    Form,
    Gender,
    Item,
    LanguagePack,
    Number,
    TrueSynonym,
)
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.builder.validation.scope import LANGUAGE, PACK, Scope, Tables
from ncimp.schemas import Place, SourceError

HEAD = """
[pack]
format = 1
code = "CODE"
name = "A language"
bcp47 = "CODE"
edition = "own"
version = "0.0.1"
licence = "CC0-1.0"
author = "tests"
lexicon = "none"
token = '''\\w+'(?=\\w)|\\w+'|\\w+(?:-\\w+)*|[^\\w\\s]'''
[frames.neut_short]
sg = "X [NC]."
[frames.neut_long]
sg = "Y [NC]."
[content]
mean_words = 10
hedges = []
profanity = []
[content.names]
"""

FRENCH = """
[[patterns]]
id = "N"
parts = ["noun"]
head = 0
join = " "
replacement = "N"
modifier = "fixed"
[[patterns]]
id = "A_N"
parts = ["adj", "noun"]
head = 1
join = " "
replacement = "A_N"
modifier = "agrees"
[[patterns]]
id = "N_A"
parts = ["noun", "adj"]
head = 0
join = " "
replacement = "N_A"
modifier = "agrees"
[[patterns]]
id = "N_de_N"
parts = ["noun", "noun"]
head = 0
join = " <de>"
replacement = "N_de_N"
modifier = "fixed"
[[patterns]]
id = "N_au_N"
parts = ["noun", "noun"]
head = 0
join = " <à + le:next>"
replacement = "N_au_N"
modifier = "fixed"
[features.gender]
source = "head"
values = ["m", "f"]
[features.number]
source = "slot"
values = ["sg", "pl"]
[features.onset]
source = "next sound"
values = ["vowel", "consonant"]
default = "consonant"
transparent = ["«", "("]
patterns = [{ match = "[aeiouyhéèêâîôœ]", value = "vowel" }]
[agreement]
PARADIGMS
never = ["de les?", "à les?"]
[agreement.adjectives]
before = ["petit", "beau", "vieux"]
both = ["étrange"]
[agreement.words]
quote = ["«", "»", "'", '"']
clitic = ["le", "la"]
preposition = ["de", "à"]
"""

FRENCH_PARADIGMS = """
le: article; m sg consonant = le; f sg consonant = la; sg vowel = l'+; pl = les
un: article; m sg = un; f sg = une; m pl = des; f pl = des
de + le: contraction; m sg consonant = du; f sg consonant = de la; sg vowel = de l'+; pl = des
à + le: contraction; m sg consonant = au; f sg consonant = à la; sg vowel = à l'+; pl = aux
ce: demonstrative; m sg consonant = ce; m sg vowel = cet; f sg = cette; pl = ces
~on: possessive stems m t s; m sg = ~on; f sg consonant = ~a; f sg vowel = ~on; pl = ~es
beau: adj; m sg consonant = beau; m sg vowel = bel; f sg = belle; m pl = beaux; f pl = belles
vieux: adj; m sg consonant = vieux; m sg vowel = vieil; f sg = vieille; m pl = vieux; f pl = vieilles
de: sound; consonant = de; vowel = d'+
"""

FRENCH_WORDS = """
noun m train trains; noun m avion avions; noun m éclair éclairs; noun m conseiller conseillers; noun m choc chocs
noun f ombre ombres; noun f table tables; noun f femme femmes; noun f tête têtes
adj petit petite petits petites; adj rouge rouge rouges rouges; adj occulte occulte occultes occultes
adj beau belle beaux belles; adj vieux vieille vieux vieilles; adj étrange étrange étranges étranges
"""

GERMAN = """
[[patterns]]
id = "A_N"
parts = ["adj", "noun"]
head = 1
join = " "
replacement = "A_N"
modifier = "agrees"
[[patterns]]
id = "AN"
parts = ["adj", "noun"]
head = 1
join = ""
replacement = "AN"
modifier = "fixed"
[[patterns]]
id = "N"
parts = ["noun"]
head = 0
join = " "
replacement = "N"
modifier = "fixed"
[features.gender]
source = "head"
values = ["m", "f", "n"]
[features.number]
source = "slot"
values = ["sg", "pl"]
[features.case]
source = "slot"
values = ["nom", "acc", "dat", "gen"]
default = "nom"
[features.declension]
source = "determiner"
values = ["strong", "mixed", "weak"]
default = "strong"
[agreement]
PARADIGMS
[agreement.words]
preposition = ["mit", "während", "in"]
"""

GERMAN_PARADIGMS = """
der: article governs weak; m sg nom = der; m sg acc = den; m/n sg dat = dem; m/n sg gen = des; f sg nom/acc = die; f
    sg dat/gen = der; n sg nom/acc = das; pl nom/acc = die; pl dat = den; pl gen = der
ein: article governs mixed; m/n sg nom = ein; f sg nom/acc = eine; m sg acc = einen; m/n sg dat = einem; f sg
    dat/gen = einer; m/n sg gen = eines; n sg acc = ein
im: contraction governs weak; m/n sg dat = im|in dem; f sg dat = in der; pl dat = in den
"""

ENDINGS = """
strong sg nom m er; strong sg acc m en; strong sg dat m/n em; strong sg gen m/n en; strong sg nom/acc f e
strong sg dat/gen f er; strong sg nom/acc n es; strong pl nom/acc m/f/n e; strong pl dat m/f/n en
strong pl gen m/f/n er
mixed sg nom m er; mixed sg acc m en; mixed sg dat/gen m/f/n en; mixed sg nom/acc f e; mixed sg nom/acc n es
mixed pl nom/acc/dat/gen m/f/n en; weak sg nom m/f/n e; weak sg acc m en; weak sg acc f/n e
weak sg dat/gen m/f/n en; weak pl nom/acc/dat/gen m/f/n en
"""

GERMAN_NOUNS = """
Krieg Krieg m sg nom/acc/dat; Krieges Krieg m sg gen; Kriege Krieg m pl nom/acc/gen; Kriegen Krieg m pl dat
Affäre Affäre f sg nom/acc/dat/gen; Affären Affäre f pl nom/acc/dat/gen
Spiel Spiel n sg nom/acc/dat; Spiels Spiel n sg gen; Spiele Spiel n pl nom/acc/gen; Spielen Spiel n pl dat
Markt Markt m sg nom/acc/dat; Marktes Markt m sg gen; Märkte Markt m pl nom/acc/gen; Märkten Markt m pl dat
"""


@dataclass(frozen=True)
class Phrase:
    """What stands in the place of a compound, or the compound."""

    text: str
    modifier: str | None
    head: str
    pattern: str
    gender: Gender
    number: Number = "sg"
    variant: str = "ws1"


@dataclass(frozen=True)
class World:
    """A pack and its compound."""

    pack: LanguagePack
    phrase: Phrase


def words(text: str) -> Iterable[list[str]]:
    return (entry.split() for line in text.strip().splitlines() for entry in line.split(";"))


def paradigms(text: str) -> str:
    """The lines of *text* as pack.toml has them: id, kind, what it governs or its stems, and its cells."""
    lines = []
    for line in text.strip().replace("\n    ", " ").splitlines():
        (begin, *rest), more = (entry.strip() for entry in line.split(";")), ""
        name, _, kind = begin.partition(": ")
        kind, _, governs = kind.partition(" governs ")
        kind, _, stems = kind.partition(" stems ")
        more += f', governs = {{ declension = "{governs}" }}' if governs else ""
        more += f", stems = {stems.split()}" if stems else ""
        cells = ", ".join(f'"{key}" = "{form}"' for key, form in (cell.split(" = ") for cell in rest))
        lines.append(f'{{ id = "{name}", kind = "{kind}"{more}, cells = {{ {cells} }} }},')
    return "paradigms = [\n" + "\n".join(lines) + "\n]\n"


def french_forms() -> list[Form]:
    forms = [Form(word, word, "verb", None, "sg", None) for word in ("parle", "voici", "arrive", "dire")]
    for pos, *rest in words(FRENCH_WORDS):
        if pos == "noun":
            gender, *both = rest
            forms += [
                Form(form, both[0], pos, gender, number, None)  # type: ignore[arg-type]
                for form, number in zip(both, ("sg", "pl"), strict=True)
            ]
            continue
        cells = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))
        forms += [Form(form, rest[0], pos, *cell, None) for form, cell in zip(rest, cells, strict=True)]  # type: ignore[arg-type]
    forms += [Form("bel", "beau", "adj", "m", "sg", None), Form("vieil", "vieux", "adj", "m", "sg", None)]
    forms += [Form("ici", "ici", "adv", None, None, None)]
    return [*forms, Form("haricot", "haricot", "noun", "m", "sg", "consonant")]


def german_forms() -> list[Form]:
    forms = [Form(word, word, "verb", None, "sg", None) for word in ("dauerte", "schlief", "sah", "spielt", "blüht")]
    forms += [Form(word, word, "other", None, None, None) for word in ("mit", "während", "wer")]
    forms += [
        Form(form, lemma, "noun", gender, number, None, case)  # type: ignore[arg-type]
        for form, lemma, gender, number, case in words(GERMAN_NOUNS)
    ]
    for lemma in ("kalt", "lang", "schwarz"):
        for declension, number, case, genders, ending in words(ENDINGS):
            further = f"{case} {declension}"
            forms += [
                Form(lemma + ending, lemma, "adj", gender, number, None, further)  # type: ignore[arg-type]
                for gender in genders.split("/")
            ]
    return forms


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> World:
    phrase = Phrase("petit train", "petit", "train", "A_N", "m")
    return made(tmp_path_factory.mktemp("packs"), "fr", FRENCH, FRENCH_PARADIGMS, french_forms(), phrase)


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> World:
    phrase = Phrase("kalter Krieg", "kalt", "Krieg", "A_N", "m")
    return made(tmp_path_factory.mktemp("packs"), "de", GERMAN, GERMAN_PARADIGMS, german_forms(), phrase)


def made(folder: Path, code: str, text: str, words: str, forms: list[Form], phrase: Phrase) -> World:
    path = folder / code / "pack.toml"
    path.parent.mkdir()
    toml = HEAD.replace("CODE", code) + text.replace("PARADIGMS", paradigms(words))
    path.write_text(toml, encoding="utf-8")
    empty = LanguagePack(read_language(path), (), (), (), tuple(forms), (), (), (), {}, {})
    return World(empty, phrase)


def compound_of(phrase: Phrase, parts: str | None = None) -> Compound:
    row = (phrase.text, str(phrase.modifier), phrase.head, 1, phrase.pattern, phrase.gender, "sg", "count")
    return Compound(*row, "compositional", None, None, "a note", "tests", "2026-01-01", parts)  # type: ignore[arg-type]


def item_of(world: World, phrase: Phrase, marked: str, edits: Iterable[tuple[str, str]] = ()) -> Item:
    """The item of *phrase* in the sentence *marked*, with a record of each of *edits* (before, after)."""
    read, language = read_marked(marked, Place("test")), world.pack.language
    matches = list(re.finditer(language.token, read.text))
    inside = [at for at, match in enumerate(matches) if match.start() < read.span[1] and match.end() > read.span[0]]
    names, records = Item.__dataclass_fields__, list[CarrierEdit]()
    for before, after in edits:  # from left to right
        place = read.text.index(after, records[-1].start + 1 if records else 0)
        records.append(CarrierEdit(place, before, after, "rule"))
    columns = dict.fromkeys(names) | {
        "id": f"{language.code}/x/nat1/{phrase.variant}",
        "lang": language.code,
        "compound_id": f"{language.code}/x",
        "compound": world.phrase.text,
        "context": "nat1",
        "probe": PROBES[phrase.variant],
        "variant": phrase.variant,
        "sentence": read.text,
        "span": read.span,
        "tokens": tuple(match[0] for match in matches),
        "token_span": (inside[0], inside[-1] + 1),
        "replacement": phrase.text,
        "pattern": phrase.pattern,
        "gender": phrase.gender,
        "number": phrase.number,
        "carrier_edits": tuple(records),
        "uncertain": (),
        "context_source": "authored",
        "head": phrase.head,
        "modifier": phrase.modifier,
    }
    return Item(**columns)  # type: ignore[arg-type]


def codes(
    world: World,
    original: str,
    phrase: Phrase | None,
    sentence: str = "",
    edits: Iterable[tuple[str, str]] = (),
    slot: str | None = None,
    parts: str | None = None,
) -> set[str]:
    """The codes of incidents of *phrase* in *sentence*, or without one those of the original."""
    first = replace(world.phrase, variant="orig", number=phrase.number if phrase else "sg")
    compound, language = compound_of(world.phrase, parts), world.pack.language
    row = Context(compound.text, "nat1", first.number, "news", original, "authored", "CC0-1.0", slot)
    pack = replace(
        world.pack,
        compounds=(compound,),
        contexts=(row,),
        marked={(compound.text, "nat1"): read_marked(original, Place("test"))},
        numbers={(compound.text, "nat1"): first.number},
    )
    items = [item_of(world, first, original)] + ([item_of(world, phrase, sentence, edits)] if phrase else [])
    found = list(LANGUAGE.incidents(Scope(pack, Tables(items, [], [])), ("A", "S")))
    asked = items[-1].id
    assert {incident.place for incident in found} <= {asked}, found
    assert language.agrees
    return {incident.code for incident in found}


AVION = Phrase("avion rouge", "rouge", "avion", "N_A", "m")
TABLE = Phrase("table rouge", "rouge", "table", "N_A", "f")
OMBRE = Phrase("ombre rouge", "rouge", "ombre", "N_A", "f")
TRAIN = Phrase("train rouge", "rouge", "train", "N_A", "m")
HARICOT = Phrase("haricot rouge", "rouge", "haricot", "N_A", "m")
BEL = Phrase("bel avion", "beau", "avion", "A_N", "m")
BEAU = Phrase("beau train", "beau", "train", "A_N", "m")
VIEIL = Phrase("vieil avion", "vieux", "avion", "A_N", "m")
CHOC = Phrase("choc d'éclair", "éclair", "choc", "N_de_N", "m")
TRAIN_À = Phrase("train à l'ombre", "ombre", "train", "N_au_N", "m")
TÊTE = Phrase("tête de haricot", "haricot", "tête", "N_de_N", "f")

DU, LE, MON, CE = (f"{begin} [petit train] ici." for begin in ("On parle du", "Voici le", "Mon", "Ce"))
QUOTED = "Voici le « [petit train] » ici."
OLD = "Voici le vieux [petit train] ici."
TWICE = "On parle {du} rouge et du [petit train] ici, {du} rouge."
SAID = "On parle de le dire au [petit train] ici."

RIGHT = [
    (DU, AVION, "On parle de l'[avion rouge] ici.", [("du ", "de l'")]),
    (DU, AVION, "On parle de l’[avion rouge] ici.", [("du ", "de l’")]),
    (DU, TABLE, "On parle de la [table rouge] ici.", [("du", "de la")]),
    (DU, HARICOT, "On parle du [haricot rouge] ici.", []),
    (DU, VIEIL, "On parle du [vieil avion] ici.", []),
    (DU, CHOC, "On parle du [choc d'éclair] ici.", []),
    (DU, TÊTE, "On parle de la [tête de haricot] ici.", [("du", "de la")]),
    (LE, BEL, "Voici le [bel avion] ici.", []),
    (LE, TRAIN_À, "Voici le [train à l'ombre] ici.", []),
    (LE, TRAIN_À, "Voici le [train aux ombres] ici.", []),
    (MON, OMBRE, "Mon [ombre rouge] ici.", []),
    (MON, TABLE, "Ma [table rouge] ici.", [("Mon", "Ma")]),
    (CE, AVION, "Cet [avion rouge] ici.", [("Ce", "Cet")]),
    (CE, TABLE, "Cette [table rouge] ici.", [("Ce", "Cette")]),
    (QUOTED, AVION, "Voici l'« [avion rouge] » ici.", [("le ", "l'")]),
    (OLD, AVION, "Voici le vieil [avion rouge] ici.", [("vieux", "vieil")]),
    (OLD, TABLE, "Voici la vieille [table rouge] ici.", [("le", "la"), ("vieux", "vieille")]),
    (TWICE, TABLE, "On parle de la rouge et de la [table rouge] ici, de la rouge.", [("du", "de la")] * 3),
    (SAID, TABLE, "On parle de le dire à la [table rouge] ici.", [("au", "à la")]),
    ("Beau et rouge, le [petit train] arrive.", TRAIN, "Beau et rouge, le [train rouge] arrive.", []),
    (LE, Phrase("étrange avion", "étrange", "avion", "A_N", "m"), "Voici l'[étrange avion] ici.", [("le ", "l'")]),
    (LE, Phrase("avion", None, "avion", "N", "m", variant="syn"), "Voici l'[avion] ici.", [("le ", "l'")]),
]

WRONG = [
    ("A101", DU, OMBRE, "On parle de la [ombre rouge] ici.", [("du", "de la")]),
    ("A101", DU, AVION, "On parle du [avion rouge] ici.", []),
    ("A101", LE, AVION, "Voici le [avion rouge] ici.", []),
    ("A101", LE, TRAIN, "Voici l'[train rouge] ici.", [("le ", "l'")]),
    ("A101", LE, HARICOT, "Voici l'[haricot rouge] ici.", [("le ", "l'")]),
    ("A101", LE, AVION, "Voici l' [avion rouge] ici.", [("le", "l'")]),
    ("A101", QUOTED, AVION, "Voici le « [avion rouge] » ici.", []),
    ("A101", MON, OMBRE, "Ma [ombre rouge] ici.", [("Mon", "Ma")]),
    ("A101", CE, TRAIN, "Cet [train rouge] ici.", [("Ce", "Cet")]),
    ("A101", CE, AVION, "Ce [avion rouge] ici.", []),
    ("A101", LE, BEAU, "Voici le [bel train] ici.", []),
    ("A101", LE, BEL, "Voici le [beau avion] ici.", []),
    ("A101", DU, CHOC, "On parle du [choc de éclair] ici.", []),
    ("A101", DU, TÊTE, "On parle de la [tête d'haricot] ici.", [("du", "de la")]),
    ("A102", MON, TABLE, "Mon [table rouge] ici.", []),
    ("A103", LE, VIEIL, "Voici le [vieux avion] ici.", []),
    ("A103", LE, TRAIN_À, "Voici le [train aux ombre] ici.", []),
    ("A104", OLD, AVION, "Voici le vieux [avion rouge] ici.", []),
    ("A105", TWICE, TABLE, "On parle de la rouge et de la [table rouge] ici, du rouge.", [("du", "de la")] * 2),
    ("A105", TWICE, TABLE, "On parle du rouge et de la [table rouge] ici, de la rouge.", [("du", "de la")] * 2),
    ("A114", LE, Phrase("train petit", "petit", "train", "N_A", "m"), "Voici le [train petit] ici.", []),
    ("A114", LE, Phrase("rouge train", "rouge", "train", "A_N", "m"), "Voici le [rouge train] ici.", []),
    ("A115", SAID, TRAIN, "On parle de le dire à le [train rouge] ici.", [("au", "à le")]),
    ("S201", LE, replace(BEL, text="beau avion"), "Voici le [bel avion] ici.", []),
    ("S201", LE, replace(CHOC, text="choc de éclair"), "Voici le [choc d'éclair] ici.", []),
    ("S204", DU, TABLE, "On parle de la [table rouge] ici.", []),
    ("S204", DU, TABLE, "On parle de la [table rouge] ici.", [("de", "de la")]),
    ("S204", LE, TRAIN, "Voici un [train rouge] ici.", [("le", "un")]),
    ("S204", DU, TRAIN, "On ne parle du [train rouge] ici.", []),
]
BESIDES = {"A115": {"S204"}}  # *à le* is no form of *au* either


@pytest.mark.parametrize(("original", "phrase", "sentence", "edits"), RIGHT, ids=[row[2] for row in RIGHT])
def test_a_right_french_sentence_has_no_incident(
    french: World, original: str, phrase: Phrase, sentence: str, edits: list[tuple[str, str]]
) -> None:
    assert codes(french, original, phrase, sentence, edits) == set()


@pytest.mark.parametrize(("code", "original", "phrase", "sentence", "edits"), WRONG, ids=[row[3] for row in WRONG])
def test_an_error_in_a_french_sentence_has_its_code(
    french: World, code: str, original: str, phrase: Phrase, sentence: str, edits: list[tuple[str, str]]
) -> None:
    found = codes(french, original, phrase, sentence, edits)
    assert code in found
    assert found <= {code} | BESIDES.get(code, set())


@pytest.mark.parametrize(
    ("code", "original"),
    [
        ("A101", "On parle de avion au [petit train] ici."),
        ("A101", "On parle du avion au [petit train] ici."),
        ("A115", "On parle de le [petit train] ici."),
    ],
)
def test_an_original_is_checked_at_every_place(french: World, code: str, original: str) -> None:
    assert codes(french, original, None) == {code}


KRIEG = Phrase("kalter Krieg", "kalt", "Krieg", "A_N", "m")
AFFÄRE = Phrase("lange Affäre", "lang", "Affäre", "A_N", "f")
SPIEL = Phrase("langes Spiel", "lang", "Spiel", "A_N", "n")
SPIELE = replace(SPIEL, number="pl")
NOM, GEN, DAT = (
    "Der [kalte Krieg] dauerte.",
    "Während des [kalten Krieges] schlief er.",
    "Er sah im [kalten Krieg] wer.",
)
EIN, BARE = "Ein [kalter Krieg] dauerte.", "Mit [kaltem Krieg] spielt er."
PLURAL = "Mit den [kalten Kriegen] spielt er."

RIGHT_CASES = [
    (NOM, None, AFFÄRE, "Die [lange Affäre] dauerte.", [("Der", "Die")]),
    (NOM, "nom", SPIEL, "Das [lange Spiel] dauerte.", [("Der", "Das")]),
    (EIN, "nom", SPIEL, "Ein [langes Spiel] dauerte.", []),
    (EIN, "nom", AFFÄRE, "Eine [lange Affäre] dauerte.", [("Ein", "Eine")]),
    (GEN, "gen", AFFÄRE, "Während der [langen Affäre] schlief er.", [("des", "der")]),
    (GEN, "gen", SPIEL, "Während des [langen Spiels] schlief er.", []),
    (DAT, "dat", AFFÄRE, "Er sah in der [langen Affäre] wer.", [("im", "in der")]),
    (BARE, "dat", AFFÄRE, "Mit [langer Affäre] spielt er.", []),
    (PLURAL, "dat", SPIELE, "Mit den [langen Spielen] spielt er.", []),
]

WRONG_CASES = [
    ("A113", NOM, "nom", KRIEG, "Der [kalter Krieg] dauerte.", []),
    ("A113", EIN, "nom", KRIEG, "Ein [kalte Krieg] dauerte.", []),
    ("A113", GEN, "gen", KRIEG, "Während des [kalten Krieg] schlief er.", []),
    ("A113", GEN, "gen", SPIEL, "Während des [langes Spiels] schlief er.", []),
    ("A113", BARE, "dat", SPIEL, "Mit [langen Spiel] spielt er.", []),
    ("A113", PLURAL, "dat", SPIELE, "Mit den [langen Spiele] spielt er.", []),
    ("A102", GEN, "gen", SPIEL, "Während dem [langen Spiels] schlief er.", [("des", "dem")]),
    ("A102", GEN, "gen", AFFÄRE, "Während des [langen Affäre] schlief er.", []),
    ("A102", DAT, "dat", AFFÄRE, "Er sah im [langen Affäre] wer.", []),
    ("A102", EIN, "nom", AFFÄRE, "Ein [lange Affäre] dauerte.", []),
]


@pytest.mark.parametrize(
    ("original", "slot", "phrase", "sentence", "edits"), RIGHT_CASES, ids=[row[3] for row in RIGHT_CASES]
)
def test_a_right_german_sentence_has_no_incident(
    german: World, original: str, slot: str | None, phrase: Phrase, sentence: str, edits: list[tuple[str, str]]
) -> None:
    assert codes(german, original, phrase, sentence, edits, slot) == set()


@pytest.mark.parametrize(
    ("code", "original", "slot", "phrase", "sentence", "edits"), WRONG_CASES, ids=[row[4] for row in WRONG_CASES]
)
def test_an_error_in_a_german_sentence_has_its_code(
    german: World, code: str, original: str, slot: str, phrase: Phrase, sentence: str, edits: list[tuple[str, str]]
) -> None:
    assert codes(german, original, phrase, sentence, edits, slot) == {code}


CLOSED = Phrase("Schwarzmarkt", "schwarz", "Markt", "AN", "m")
TRADE = "Der [Schwarzmarkt] blüht."


@pytest.mark.parametrize(
    ("expected", "phrase", "sentence"),
    [
        (set(), Phrase("Langkrieg", "lang", "Krieg", "AN", "m"), "Der [Langkrieg] blüht."),
        ({"S201"}, Phrase("Langkrieg", "lang", "Krieg", "AN", "m"), "Der [Kaltkrieg] blüht."),
        ({"A113"}, Phrase("Langkrieg", "lang", "Krieg", "AN", "m"), "Der [Langkrieges] blüht."),
        (set(), Phrase("Markt", None, "Markt", "N", "m", variant="head"), "Der [Markt] blüht."),
        (set(), Phrase("schwarz", None, "schwarz", "N", "m", variant="mod"), "Der [schwarz] blüht."),
        ({"S201"}, Phrase("Krieg", None, "Krieg", "N", "m", variant="head"), "Der [Krieg] blüht."),
    ],
)
def test_a_closed_compound_is_cut_where_the_pack_says_or_its_words_meet(
    german: World, expected: set[str], phrase: Phrase, sentence: str
) -> None:
    world = replace(german, phrase=CLOSED)
    assert codes(world, TRADE, phrase, sentence, slot="nom", parts="Schwarz|markt") == expected


@cache
def synonym(text: str, modifier: str, head: str, pattern: str) -> TrueSynonym:
    return TrueSynonym("petit train", 1, text, modifier, head, pattern, "m", True, "synonym", "count", "neutral")


@pytest.mark.parametrize(
    ("expected", "row"),
    [
        (set(), synonym("bel avion", "beau", "avion", "A_N")),
        (set(), synonym("choc d'éclair", "éclair", "choc", "N_de_N")),
        ({"K008"}, synonym("beau avion", "beau", "avion", "A_N")),
        ({"K008"}, synonym("choc de éclair", "éclair", "choc", "N_de_N")),
        ({"K008"}, synonym("choc d' éclair", "éclair", "choc", "N_de_N")),
        ({"K012"}, synonym("train vieux", "vieux", "train", "N_A")),
        ({"K012"}, synonym("rouge train", "rouge", "train", "A_N")),
    ],
)
def test_the_declared_text_of_a_synonym_is_what_its_words_make(
    french: World, expected: set[str], row: TrueSynonym
) -> None:
    pack = replace(french.pack, compounds=(compound_of(french.phrase),), synonyms=(row,))
    found = list(PACK.incidents(Scope(pack), ("K008", "K012")))
    assert {incident.code for incident in found} == expected
    assert all(incident.message.startswith("synonyms.tsv:2: ") for incident in found)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("On parle de l'[petit train] ici.", set()),
        ("On parle du « [petit train] » ici.", set()),
        ("On parle du «[petit train]» ici.", {"T806"}),
        ("On parle du '[petit train]' ici.", {"T806"}),
        ("On parle du (petit) [petit train] ici.", set()),
    ],
)
def test_a_mark_gives_a_compound_away_where_the_pack_calls_it_a_quotation_mark(
    french: World, sentence: str, expected: set[str]
) -> None:
    row = Context("petit train", "nat1", "sg", "news", sentence, "authored", "CC0-1.0")
    marked = {("petit train", "nat1"): read_marked(sentence, Place("test"))}
    pack = replace(french.pack, compounds=(compound_of(french.phrase),), contexts=(row,), marked=marked)
    assert {incident.code for incident in PACK.incidents(Scope(pack), ("T806",))} == expected


@pytest.mark.parametrize(
    ("old", "new"), [('never = ["de les?"', 'never = ["de (les?"'), ('both = ["étrange"]', 'both = ["petit"]')]
)
def test_an_expression_that_is_none_and_an_adjective_of_both_lists_are_refused(
    tmp_path: Path, old: str, new: str
) -> None:
    with pytest.raises(SourceError):
        made(tmp_path, "fr", FRENCH.replace(old, new), FRENCH_PARADIGMS, [], Phrase("a", "a", "a", "A_N", "m"))
