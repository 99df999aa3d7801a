"""MyThes thesauri: what is offered, in both directions, and what a broken file says."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.records import Relation
from ncimp.builder.sources.thesauri.mythes import MythesSource
from ncimp.schemas.errors import SourceError

KITCHEN = """UTF-8
kettle|3
(noun)|boiler|pot (generic term)|lid (related term)|fridge (antonym)|freezer (Antònim)
(noun)|drum (similar term)|timpani (in music)
(verb)|boil
pan|2
(Sinônimo)kettle|kettle|saucepan|wok
(Sinônimo)face|face|mug
urn|1
(adj.)|burnt
vat|1
-|kettle|tub
"""
Row = tuple[str, Relation, int, str]


def thesaurus(folder: Path, text: str | bytes, name: str = "th_en_XX.dat") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def found(source: MythesSource, lemma: str, pos: str) -> list[Row]:
    rows = source.candidates(lemma, pos)
    assert {row.pos for row in rows} <= {pos}
    assert {row.position for row in rows} <= {0}
    return [(row.lemma, row.relation, row.sense, row.synset) for row in rows]


def test_own_meanings_come_first_then_the_words_that_name_the_word(tmp_path: Path) -> None:
    source = MythesSource(thesaurus(tmp_path, KITCHEN))
    assert found(source, "kettle", "noun") == [
        ("boiler", "synonym", 1, "kettle/noun1"),
        ("pot", "hypernym", 1, "kettle/noun1"),
        ("drum", "similar", 2, "kettle/noun2"),
        ("timpani", "synonym", 2, "kettle/noun2"),
        ("pan", "synonym", 0, "pan/kettle"),
        ("vat", "synonym", 0, "vat/any1"),
    ]
    assert found(source, "kettle", "verb")[0] == ("boil", "synonym", 1, "kettle/verb1")


def test_a_meaning_named_by_a_word_offers_that_word_and_its_neighbours(tmp_path: Path) -> None:
    source = MythesSource(thesaurus(tmp_path, KITCHEN))
    assert found(source, "pan", "noun") == [
        ("kettle", "synonym", 0, "pan/kettle"),
        ("saucepan", "sibling", 0, "pan/kettle"),
        ("wok", "sibling", 0, "pan/kettle"),
        ("face", "synonym", 0, "pan/face"),
        ("mug", "sibling", 0, "pan/face"),
    ]


def test_a_hypernym_seen_from_above_is_a_hyponym_and_a_neighbour_says_nothing(tmp_path: Path) -> None:
    source = MythesSource(thesaurus(tmp_path, KITCHEN))
    assert found(source, "pot", "noun") == [("kettle", "hyponym", 0, "kettle/noun1")]
    assert found(source, "pot", "adj") == []
    assert found(source, "drum", "noun") == [("kettle", "similar", 0, "kettle/noun2")]
    assert found(source, "mug", "noun") == found(source, "lid", "noun") == found(source, "fridge", "noun") == []


def test_parts_of_speech_are_kept_apart_and_an_open_one_fits_all(tmp_path: Path) -> None:
    source = MythesSource(thesaurus(tmp_path, KITCHEN))
    assert found(source, "urn", "adj") == [("burnt", "synonym", 1, "urn/adj1")]
    assert found(source, "urn", "noun") == []
    for pos in ("noun", "adj", "verb"):
        assert [row[0] for row in found(source, "tub", pos)] == ["vat"]
    assert source.words("noun") == ["kettle", "pan", "vat"]
    assert source.words("adj") == ["pan", "urn", "vat"]


def test_a_word_that_it_does_not_hold_has_no_candidates(tmp_path: Path) -> None:
    assert found(MythesSource(thesaurus(tmp_path, KITCHEN)), "zebra", "noun") == []


def test_a_phrase_is_offered_and_is_no_single_word(tmp_path: Path) -> None:
    source = MythesSource(thesaurus(tmp_path, "UTF-8\ntea kettle|1\n(noun)|pot\n"))
    assert [row[0] for row in found(source, "pot", "noun")] == ["tea kettle"]
    assert source.words("noun") == []


def test_the_name_tells_the_file_and_its_content(tmp_path: Path) -> None:
    one = MythesSource(thesaurus(tmp_path, KITCHEN))
    other = MythesSource(thesaurus(tmp_path, KITCHEN + "x|1\n-|y\n"))
    assert one.name.startswith("th_en_XX:")
    assert one.name != other.name


@pytest.mark.parametrize(
    ("first", "encoding"),
    [
        (b"ISO8859-1", "latin-1"),
        (b"UTF-8\r", "utf-8"),
        (codecs.BOM_UTF8 + b"UTF-8", "utf-8"),
        (b"microsoft-cp1251", "cp1251"),
        (b"utf-8", "utf-8"),
    ],
)
def test_the_first_line_says_the_encoding(tmp_path: Path, first: bytes, encoding: str) -> None:
    word = "чай" if encoding == "cp1251" else "maçã"
    text = f"{word}|1\r\n(s.)|pomo\r\n\r\n".encode(encoding)
    source = MythesSource(thesaurus(tmp_path, first + b"\n" + text))
    assert [row[0] for row in found(source, word, "noun")] == ["pomo"]


def test_words_are_put_into_one_unicode_form(tmp_path: Path) -> None:
    source = MythesSource(thesaurus(tmp_path, "UTF-8\nma\u0063\u0327a\u0303|1\n(s.)|pomo\n"))
    assert [row[0] for row in found(source, "maçã", "noun")] == ["pomo"]


CUT = "the file ends before the 2 meanings of 'a'; get the file again: it is cut short"
FIX = "give the .dat file of a MyThes thesaurus"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, f"the first line names no encoding (''); {FIX}"),
        (b"\x00\x01", 1, f"the first line names no encoding ('\\x00\\x01'); {FIX}"),
        (b"<?xml version='1.0'?>", 1, f"the first line names no encoding (\"<?xml version='1.0'?>\"); {FIX}"),
        (b"UTF-8\na\n", 2, f"'a' is no word with the number of its meanings; {FIX}"),
        (b"UTF-8\na|x\n", 2, f"'a|x' is no word with the number of its meanings; {FIX}"),
        (b"UTF-8\n|1\n-|b\n", 2, f"'|1' is no word with the number of its meanings; {FIX}"),
        (b"UTF-8\na|2\n(noun)|b\n", 2, CUT),
        (b"UTF-8\na|1\n(noun)\n", 3, f"a meaning without words ('(noun)'); {FIX}"),
        (b"UTF-8\na|1\n(noun)|b\n\n(noun)|c\n", 5, f"'(noun)|c' is no word with the number of its meanings; {FIX}"),
        (b"UTF-8\na|1\n(noun)|\xe7\n", 3, f"a byte that is not utf-8; {FIX}"),
    ],
)
def test_a_broken_file_is_refused_at_the_line(tmp_path: Path, content: bytes, line: int, message: str) -> None:
    path = thesaurus(tmp_path, content)
    with pytest.raises(SourceError) as caught:
        MythesSource(path)
    assert str(caught.value) == f"{path}:{line}: {message}"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.dat: cannot be read \(No such file or directory\); check the path"):
        MythesSource(tmp_path / "none.dat")


WORDS = st.sampled_from(["ant", "bee", "cow", "doe", "elk", "fox"])
THESAURI = st.dictionaries(WORDS, st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=2))


@given(THESAURI)
def test_synonyms_are_seen_from_both_sides_and_nobody_is_their_own(
    tmp_path_factory: pytest.TempPathFactory, entries: Mapping[str, list[list[str]]]
) -> None:
    lines = [
        line
        for word, meanings in entries.items()
        for line in (f"{word}|{len(meanings)}", *(f"(noun)|{'|'.join(words)}" for words in meanings))
    ]
    source = MythesSource(thesaurus(tmp_path_factory.mktemp("th"), "\n".join(["UTF-8", *lines]) + "\n"))
    words = ("ant", "bee", "cow", "doe", "elk", "fox")
    seen = {(one, row[0]) for one in words for row in found(source, one, "noun")}
    wanted = {(one, other) for one, meanings in entries.items() for words in meanings for other in words}
    assert seen == {(one, other) for one, other in wanted | {pair[::-1] for pair in wanted} if one != other}
