"""`pack.toml`: what comes out of it, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records import Alternation, Pattern
from ncimp.builder.sources.packs.packs import read_language
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
    assert english.alternations == (Alternation("indefinite article before a sound", "a", "an"),)
    assert english.onset_patterns[0] == ("(?:heir|hono|honest|hour)", "vowel")
    assert english.onset_patterns[-1] == ("[aeiou]", "vowel")
    assert (english.features, english.paradigms) == ((), ())


def test_the_cells_of_a_portuguese_paradigm_are_by_gender_and_number(mini_packs: Path) -> None:
    portuguese = read_language(mini_packs / "pt" / "pack.toml")
    paradigms = {paradigm.id: paradigm for paradigm in portuguese.paradigms}
    assert paradigms["contraction a + definite article"].cells == {
        ("m", "sg"): "ao",
        ("f", "sg"): "à",
        ("m", "pl"): "aos",
        ("f", "pl"): "às",
    }
    assert paradigms["numeral dois"].cells == {("m", "pl"): "dois", ("f", "pl"): "duas"}
    assert paradigms["numeral dois"].kind == "numeral"
    assert portuguese.features == ("gender", "number")


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
        "unknown key 'pack/script'; use format, code, name, bcp47, edition, version, licence, author, lexicon, token",
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
        'parts = ["adv", "noun"]',
        SchemaError,
        "'adv' is not one of ['noun', 'adj'] in 'patterns/0/parts/0'; patterns: The shapes of NCs.",
    ),
    "an unknown feature": (
        "features = []",
        'features = ["case"]',
        SchemaError,
        "'case' is not one of ['gender', 'number'] in 'agreement/features/0'; "
        "agreement: Agreement of carrier words with the NC.",
    ),
    "an unknown onset": (
        "{ match = '[aeiou]', onset = \"vowel\" }",
        "{ match = '[aeiou]', onset = \"vocal\" }",
        SchemaError,
        "'vocal' is not one of ['vowel', 'consonant'] in 'onset/patterns/5/onset'; "
        "onset: Sandhi with the following word.",
    ),
    "no aim for the length of sentences": (
        "mean_words = 22\n",
        "",
        SchemaError,
        "'mean_words' is missing; content: What the checks of the content of sentences must know of the language.",
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
