"""`pack.toml`: what comes out of it, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records import Paradigm, ParadigmCell, Pattern
from ncimp.builder.records.pack_file import SoundRule
from ncimp.builder.sources.packs.language import read_language
from ncimp.schemas.errors import NcimpError, SchemaError, SourceError
from tests.sources.sources_samples import change


def test_the_identity_patterns_and_frames_of_english(mini_packs: Path) -> None:
    english = read_language(mini_packs / "en" / "pack.toml")
    assert (english.code, english.name, english.bcp47, english.edition) == ("en", "English", "en-US", "open")
    assert (english.licence, english.lexicon) == ("CC-BY-4.0", "ncimp-en")
    assert list(english.patterns) == ["A_N", "N_N", "N"]
    assert english.patterns["A_N"] == Pattern("A_N", ("adj", "noun"), 1, " ", "A_N", "fixed")
    assert english.frames["neut_long"]["pl"] == "This is what [NC] are supposed to be."


def test_the_sandhi_of_english_in_the_order_of_the_file(mini_packs: Path) -> None:
    english = read_language(mini_packs / "en" / "pack.toml")
    vowel, consonant = ({"onset": frozenset({value})} for value in ("vowel", "consonant"))
    cells = (ParadigmCell(consonant, ("a",)), ParadigmCell(vowel, ("an",)))
    assert english.paradigms == (Paradigm("indefinite article before a sound", "article", cells),)
    assert english.sound == ("onset", english.features["onset"])
    assert english.features["onset"].patterns[0] == SoundRule("(?:heir|hono|honest|hour)", "vowel")
    assert english.features["onset"].patterns[-1] == SoundRule("[aeiou]", "vowel")
    assert (english.agrees, english.cells()) == (False, ())


def test_the_cells_of_a_portuguese_paradigm_are_by_gender_and_number(mini_packs: Path) -> None:
    portuguese = read_language(mini_packs / "pt" / "pack.toml")
    paradigms = {paradigm.id: paradigm for paradigm in portuguese.paradigms}
    forms = {
        name: {one: cell.forms for cell in paradigms[name].cells for one in portuguese.cells(cell)}
        for name in ("contraction a + definite article", "numeral dois")
    }
    assert forms["contraction a + definite article"] == {
        ("m", "sg"): ("ao",),
        ("f", "sg"): ("à",),
        ("m", "pl"): ("aos",),
        ("f", "pl"): ("às",),
    }
    assert forms["numeral dois"] == {("m", "pl"): ("dois",), ("f", "pl"): ("duas",)}
    assert paradigms["numeral dois"].kind == "numeral"
    assert portuguese.cells() == (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))
    assert portuguese.sound is None


def test_what_the_checks_of_content_know_is_read_as_it_stands(mini_packs: Path) -> None:
    content = read_language(mini_packs / "en" / "pack.toml").content
    assert content.mean_words == 22
    assert content.names == {"Aunt Rosa": "invented person", "Harlow Creek": "invented town", "New York": "city"}
    assert content.hedges[0] == "so-called"
    assert content.profanity == ("crap", "damn*")


def test_patterns_are_tuples_that_cannot_be_changed(mini_packs: Path) -> None:
    portuguese = read_language(mini_packs / "pt" / "pack.toml")
    assert {type(pattern.parts) for pattern in portuguese.patterns.values()} == {tuple}
    assert {type(pattern.random_modifiers) for pattern in portuguese.patterns.values()} == {tuple}


def refused(folder: Path, old: str, new: str) -> NcimpError:
    """Return what is said of the mini English pack.toml after *old* has become *new*."""
    path = folder / "en" / "pack.toml"
    change(path, old, new)
    with pytest.raises(NcimpError) as caught:
        read_language(path)
    return caught.value


FEATURES = "see the section on features in docs/how-to/new-language.md"
WORDS = r"""token = '''\w+(?:[-']\w+)*|[^\w\s]'''"""
ERRORS: dict[str, tuple[str, str, type[NcimpError], str]] = {
    "another folder": (
        'code = "en"',
        'code = "eng"',
        SourceError,
        "the folder is called 'en' and the language code is 'eng'; give both the same name",
    ),
    "not TOML": (
        'code = "en"',
        "code = en",
        SchemaError,
        "not TOML (Invalid value (at line 5, column 8)); mend the line it names",
    ),
    "a key missing": ('lexicon = "ncimp-en"\n', "", SchemaError, "'lexicon' is missing; pack: Identity."),
    "a key too many": (
        'lexicon = "ncimp-en"',
        'lexicon = "ncimp-en"\nscript = "Latn"',
        SchemaError,
        "unknown key 'pack/script'; use format, code, name, bcp47, edition, version, licence, author, lexicon, token, "
        "components",
    ),
    "another format": ("format = 1", "format = 2", SchemaError, "2 is not 1 in 'pack/format'; pack: Identity."),
    "a date for a version": (
        'version = "0.0.1"',
        "version = 2026-11-20",
        SchemaError,
        "datetime.date(2026, 11, 20) does not fit (Expected `str`, got `date`) in 'pack/version'; pack: Identity.",
    ),
    "an unknown part of speech": (
        'parts = ["adj", "noun"]',
        'parts = ["adverb", "noun"]',
        SchemaError,
        "'adverb' is not one of ['noun', 'adj', 'num', 'det', 'verb', 'adv', 'other'] in 'patterns/0/parts/0'; "
        "patterns: The shapes of NCs.",
    ),
    "a feature from an unknown source": (
        'source = "next sound"',
        'source = "next letter"',
        SchemaError,
        "'next letter' is not one of ['head', 'slot', 'determiner', 'next sound', 'next part'] "
        "in 'features/onset/source'; features: Features in which words agree, by name.",
    ),
    "a feature without values": (
        'values = ["vowel", "consonant"]\n',
        "",
        SchemaError,
        "'values' is missing in 'features/onset'; features: Features in which words agree, by name.",
    ),
    "an unknown onset": (
        "{ match = '[aeiou]', value = \"vowel\" }",
        "{ match = '[aeiou]', value = \"vocal\" }",
        SourceError,
        f"'vocal' is no value of the feature 'onset'; {FEATURES}",
    ),
    "a default that is no value of its feature": (
        'default = "consonant"',
        'default = "glide"',
        SourceError,
        f"'glide' is no value of the feature 'onset'; {FEATURES}",
    ),
    "a gender that no table knows": (
        "[features.onset]",
        '[features.gender]\nsource = "head"\nvalues = ["m", "common"]\n\n[features.onset]',
        SourceError,
        "the value 'common' of 'gender' is also one of None, or is not one of ('m', 'f', 'n', 'c'); " + FEATURES,
    ),
    "a value of two features": (
        "[features.onset]",
        '[features.before]\nsource = "next part"\nvalues = ["adj", "vowel"]\n\n[features.onset]',
        SourceError,
        "the value 'vowel' of 'onset' is also one of 'before', or is not one of ('vowel', 'consonant'); " + FEATURES,
    ),
    "two cells for the same values": (
        '{ consonant = "a", vowel = "an" }',
        '{ consonant = "a", "vowel/consonant" = "an" }',
        SourceError,
        "the cells 'a' and 'an' of the paradigm 'indefinite article before a sound' overlap; "
        "name a feature in which they differ",
    ),
    "a cell of no feature": (
        '{ consonant = "a", vowel = "an" }',
        '{ consonant = "a", vocal = "an" }',
        SourceError,
        "the cell 'vocal' of the paradigm 'indefinite article before a sound' has 'vocal', which are no values of one "
        "feature; use vowel, consonant",
    ),
    "a join by a paradigm that does not exist": (
        'join = " "',
        'join = " <of>"',
        SourceError,
        "the join of pattern 'A_N' names the paradigm 'of', which is not there; add it to [agreement] paradigms",
    ),
    "no aim for the length of sentences": (
        "mean_words = 22\n",
        "",
        SchemaError,
        "'mean_words' is missing; content: What the checks of the content of sentences must know of the language.",
    ),
    "a section begun": (
        "[content]\n",
        '[inflection]\nengines = ["suffix rules"]\n[content]\n',
        SchemaError,
        "'default_gender', 'uninflected', 'invariable', 'plural', 'singular', 'feminine', 'masculine', 'gender', "
        "'parts', 'phrases' are missing; inflection: Inflection of words that no table lists.",
    ),
    "a length that is none": (
        "mean_words = 22",
        "mean_words = 0",
        SchemaError,
        "0 does not fit (Expected `float` > 0.0) in 'content/mean_words'; "
        "content: What the checks of the content of sentences must know of the language.",
    ),
    "a replacement pattern that does not exist": (
        'replacement = "N_N"',
        'replacement = "N_V"',
        SourceError,
        "pattern 'N_N' has replacement 'N_V'; name a pattern of this file with the same parts",
    ),
    "a replacement pattern of other parts": (
        'replacement = "N_N"',
        'replacement = "A_N"',
        SourceError,
        "pattern 'N_N' has replacement 'A_N'; name a pattern of this file with the same parts",
    ),
    "a token that is not a regular expression": (
        WORDS,
        "token = '('",
        SourceError,
        "'(' is not a regular expression (missing ), unterminated subpattern at position 0); mend it",
    ),
    "an onset that is not a regular expression": (
        "'[aeiou]'",
        "'['",
        SourceError,
        "'[' is not a regular expression (unterminated character set at position 0); mend it",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_a_fault_in_pack_toml_is_refused_with_advice(packs_copy: Path, case: str) -> None:
    old, new, kind, message = ERRORS[case]
    error = refused(packs_copy, old, new)
    assert type(error) is kind
    assert str(error) == f"{packs_copy / 'en' / 'pack.toml'}: {message}"


def test_a_paradigm_needs_four_cells(packs_copy: Path) -> None:
    path = packs_copy / "pt" / "pack.toml"
    change(path, '["o", "a", "os", "as"]', '["o", "a", "os"]')
    with pytest.raises(SchemaError, match=r"length 4, got 3.* in 'agreement/paradigms/0/cells'"):
        read_language(path)


def test_a_head_that_is_not_among_the_parts_is_refused(packs_copy: Path) -> None:
    error = refused(packs_copy, 'parts = ["noun"]\nhead = 0', 'parts = ["noun"]\nhead = 1')
    assert "'N'" in error.what


def test_two_patterns_of_one_name_are_refused(packs_copy: Path) -> None:
    text = (packs_copy / "en" / "pack.toml").read_text(encoding="utf-8")
    double = text[text.index("[[patterns]]") :].split("\n\n")[0]
    error = refused(packs_copy, "[frames.neut_short]", f"{double}\n\n[frames.neut_short]")
    assert "'A_N'" in error.what


def test_a_pack_toml_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read_language(tmp_path / "pack.toml")
    assert str(caught.value) == f"{tmp_path / 'pack.toml'}: no such file; check the path"
