"""A lexicon as a table that a person edits: there and back, and into `wn`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.sources.packs.lexicon_table import (
    COLUMNS,
    LexiconRow,
    read_lexicon,
    read_table,
    write_lexicon,
    write_table,
)
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.schemas.errors import NcimpError, SourceError

pytestmark = pytest.mark.usefixtures("own_data_folder")

HEADER = {
    "id": "tiny",
    "label": "tiny",
    "language": "en",
    "email": "a@example.org",
    "license": "https://example.org",
    "version": "1.0.0",
    "citation": "nobody",
}
TABLE = """lemma	pos	gloss	synonyms
beaver	noun	a furry animal	~muskrat; ~otter; ^rodent; ^animal
eager	adj	wanting very much	keen; avid; ~ardent
kettle	noun	_	_
otter	noun	a river animal	~mink; ^animal
"""
ROWS = [
    LexiconRow(
        "beaver",
        "noun",
        "a furry animal",
        {"synonym": (), "similar": ("muskrat", "otter"), "hypernym": ("rodent", "animal")},
    ),
    LexiconRow(
        "eager", "adj", "wanting very much", {"synonym": ("keen", "avid"), "similar": ("ardent",), "hypernym": ()}
    ),
    LexiconRow("kettle", "noun", None, {"synonym": (), "similar": (), "hypernym": ()}),
    LexiconRow("otter", "noun", "a river animal", {"synonym": (), "similar": ("mink",), "hypernym": ("animal",)}),
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "lexicon.tsv").write_text(TABLE, encoding="utf-8")
    return tmp_path / "lexicon.tsv"


def test_a_table_is_read_into_rows_by_relation(table: Path) -> None:
    assert read_table(table) == ROWS


def test_rows_are_written_as_the_table_they_came_from(tmp_path: Path) -> None:
    write_table(tmp_path / "a.tsv", ROWS)
    assert (tmp_path / "a.tsv").read_text(encoding="utf-8") == TABLE


def test_a_lexicon_gives_back_the_header_and_rows_it_was_written_from(tmp_path: Path) -> None:
    write_lexicon(tmp_path / "a.xml", HEADER, reversed(ROWS))
    assert read_lexicon(tmp_path / "a.xml") == (HEADER, ROWS)


def test_wn_reads_a_written_lexicon_in_the_order_of_its_rows(tmp_path: Path) -> None:
    write_lexicon(tmp_path / "a.xml", HEADER, ROWS)
    source = WnSource(tmp_path / "a.xml", "tiny", work=tmp_path / "work")
    assert [(row.lemma, row.relation) for row in source.candidates("beaver", "noun")] == [
        ("muskrat", "similar"),
        ("otter", "similar"),
        ("rodent", "hypernym"),
        ("animal", "hypernym"),
    ]
    # its own row is the first sense of a word; the rows that list it come after
    assert [(row.lemma, row.sense) for row in source.candidates("otter", "noun")] == [
        ("mink", 1),
        ("animal", 1),
        ("muskrat", 2),
    ]
    assert source.words("noun") == ["animal", "beaver", "kettle", "mink", "muskrat", "otter", "rodent"]
    assert source.name == "tiny:1.0.0"


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_an_embedded_lexicon_goes_through_the_table_unchanged(tmp_path: Path, lang: str) -> None:
    path = packs_folder() / lang / "lexicon.xml"
    header, rows = read_lexicon(path)
    write_table(tmp_path / "a.tsv", rows)
    write_lexicon(tmp_path / "a.xml", header, read_table(tmp_path / "a.tsv"))
    assert read_lexicon(tmp_path / "a.xml") == (header, rows)
    assert len(rows) > 100


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_an_embedded_lexicon_is_as_the_table_would_write_it(tmp_path: Path, lang: str) -> None:
    path = packs_folder() / lang / "lexicon.xml"
    write_lexicon(tmp_path / "a.xml", *read_lexicon(path))
    assert (tmp_path / "a.xml").read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "beaver\tnoun",
            "beaver\tverb",
            ":2: no lemma, or part of speech 'verb'; the part of speech is one of noun, adj",
        ),
        ("beaver\tnoun", "_\tnoun", ":2: no lemma, or part of speech 'noun'; the part of speech is one of noun, adj"),
        ("kettle\tnoun\t_\t_", "kettle\tnoun\ta pot\t_", ":4: a gloss or synonyms alone; give both, or _ for both"),
        ("kettle\tnoun\t_\t_", "kettle\tnoun\t_\tpot", ":4: a gloss or synonyms alone; give both, or _ for both"),
        ("otter\tnoun", "beaver\tnoun", ":5: 'beaver' has a row already; keep one"),
    ],
)
def test_a_fault_in_the_table_is_refused_at_its_line(table: Path, old: str, new: str, message: str) -> None:
    assert old in TABLE
    table.write_text(TABLE.replace(old, new), encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_table(table)
    assert str(caught.value).startswith(f"{table}{message}")


def test_the_columns_are_those_of_the_help() -> None:
    assert "\t".join(COLUMNS) == TABLE.splitlines()[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<a",
        "<LexicalResource/>",
        '<LexicalResource><Lexicon><LexicalEntry id="x"/></Lexicon></LexicalResource>',
        '<LexicalResource><Lexicon><Synset id="x" members="y"><Definition/></Synset></Lexicon></LexicalResource>',
    ],
)
def test_a_file_that_is_no_lexicon_of_ours_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.xml").write_text(text, encoding="utf-8")
    with pytest.raises(NcimpError) as caught:
        read_lexicon(tmp_path / "a.xml")
    assert str(caught.value).startswith(f"{tmp_path / 'a.xml'}: ")
