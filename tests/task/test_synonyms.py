"""`ncimp task synonyms` as a command: rows in and out, lexicons of every kind, and what is wrong use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nltk.data
import pytest

from ncimp.builder.cli import main
from tests.sources.sources_samples import TINY
from tests.sources.wndb_samples import write_wndb

Output = pytest.CaptureFixture[str]
pytestmark = pytest.mark.usefixtures("own_data_folder")
FRENCH = "UTF-8\nroi|1\n(Nom)|souverain|monarque\nblanc|1\n(Adj.)|immaculé\n"
BANK = {"lang": "en", "compound": "bank manager", "role": "mod", "word": "bank"}
ROI = {"lang": "fr", "compound": "roi blanc", "role": "head", "word": "roi"}


@pytest.fixture(autouse=True)
def nltk_path() -> Iterator[None]:
    """Give NLTK back the folders it had."""
    before = list(nltk.data.path)
    yield
    nltk.data.path[:] = before


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a WordNet, a thesaurus and Princeton's format."""
    (tmp_path / "tiny.xml").write_text(TINY, encoding="utf-8")
    (tmp_path / "th_fr_FR.dat").write_text(FRENCH, encoding="utf-8")
    write_wndb(tmp_path / "wordnet")
    return tmp_path


def run(place: Path, rows: Sequence[object], *options: str) -> tuple[int, list[dict[str, Any]]]:
    """Run the task on *rows*; return its exit code and the rows that it wrote."""
    source, target = place / "in.jsonl", place / "out.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = ["--input", str(source), "--out", str(target), "--data", str(place / "data")]
    code = main(["task", "synonyms", *files, *(option.replace("@", f"{place}/") for option in options)])
    written = target.read_text("utf-8").splitlines() if target.exists() else []
    return code, [json.loads(line) for line in written]


def test_row_gains_candidates_best_first(place: Path) -> None:
    code, rows = run(place, [{"id": 7, **BANK}], "--lexicon", "@tiny.xml")
    assert code == 0
    assert rows == [{"id": 7, **BANK, "candidates": ["lender", "depository", "fund", "firm", "shore", "station"]}]


def test_votes_do_not_depend_on_order_of_lexicons(place: Path) -> None:
    both = ["lender", "firm", "shore"]  # a synonym and a hypernym in the first sense, a synonym in the second
    one = ["depository", "fund", "house", "slope"]
    far = ["station", "shop", "store"]
    for named in (("@tiny.xml", "@wordnet"), ("@wordnet", "@tiny.xml")):
        _, rows = run(place, [BANK], "--lexicon", named[0], "--lexicon", named[1])
        assert rows[0]["candidates"] == [*both, *one, *far]  # *to bank on* somebody is no noun


def test_repeated_rows_are_answered_alike_and_in_their_order(place: Path) -> None:
    _, rows = run(place, [BANK, ROI, BANK], "--lexicon", "@tiny.xml", "--lexicon", "@th_fr_FR.dat")
    assert rows[0] == rows[2]
    assert rows[1]["candidates"] == ["souverain", "monarque"]


def test_explain_adds_reasons(place: Path) -> None:
    _, rows = run(place, [ROI], "--lexicon", "@th_fr_FR.dat", "--explain", "--limit", "1")
    assert rows[0]["candidates"] == ["souverain"]
    (reasons,) = rows[0]["explanations"]
    assert reasons[0].startswith("'souverain' is a synonym of 'roi' (sense 1 of roi/noun1) in th_fr_FR:")
    assert reasons[1].startswith("1 votes, Zipf value ")


def test_only_requested_languages_are_answered(place: Path, capsys: Output) -> None:
    code, rows = run(place, [BANK, ROI], "--lexicon", "@tiny.xml", "--lexicon", "@th_fr_FR.dat", "--lang", "fr")
    assert (code, len(rows)) == (0, 1)
    assert "1 rows done, 0 bad, 1 in other languages" in capsys.readouterr().err


def test_pack_lexicon_by_id_with_overrides_first(packs_copy: Path, place: Path) -> None:
    header = "compound\tpart\trank\tword\trelation\tsense\treason\tauthor\tdate"
    row = "rat race\thead\t1\tscramble\tsibling\t_\tas in life\ttest\t2026-01-01"
    (packs_copy / "en" / "overrides.tsv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    asked = {"lang": "en", "compound": "rat race", "role": "head", "word": "race"}
    _, rows = run(place, [asked], "--lexicon", "ncimp-en", "--packs", str(packs_copy), "--explain")
    assert rows[0]["candidates"][0] == "scramble"
    assert rows[0]["explanations"][0][0] == "'scramble' is chosen for 'race' as a sibling (as in life) in en pack 0.0.1"
    assert len(rows[0]["candidates"]) > 5
    assert not {"rat", "race", "daily", "grind"} & set(rows[0]["candidates"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**BANK, "role": "tail"}, "the role 'tail' is not known; use head or mod"),
        ({**BANK, "role": 3}, "'role' is 3, not a text"),
        ({key: BANK[key] for key in ("lang", "compound", "role")}, "the row has no 'word'; give it one"),
        ({**BANK, "lang": "de"}, "no lexicon of 'de'; name one with --lexicon (those named are of en)"),
        ("[]", "not an object; write one JSON object a line"),
    ],
)
def test_bad_row_is_reported_and_skipped(place: Path, capsys: Output, row: object, message: str) -> None:
    code, rows = run(place, [BANK, row, BANK], "--lexicon", "@tiny.xml")
    assert (code, len(rows)) == (1, 2)
    assert f"{place / 'in.jsonl'}:2: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            ["--lexicon", "@none.dat"],
            1,
            "none.dat: no such file or source; `ncimp source list` names them",
        ),
        (["--lexicon", "@thesaurus.dat"], 2, "does not say its language; write it before the file: pt="),
        (["--lexicon", "@tiny.xml", "--limit", "0"], 2, "--limit must be a whole number above 0, got 0"),
        (["--lexicon", "@linked.xml"], 2, "a lexicon takes its relations from tiny:1.2.0; name that one, too"),
        (["--lexicon", "@data.noun"], 1, "data.noun: not a lexicon that `wn` can read"),
    ],
)
def test_wrong_use_ends_before_any_row(
    place: Path, capsys: Output, options: list[str], code: int, message: str
) -> None:
    (place / "thesaurus.dat").write_text(FRENCH, encoding="utf-8")
    (place / "data.noun").write_text("junk", encoding="utf-8")
    (place / "linked.xml").write_text(LINKED, encoding="utf-8")
    assert run(place, [BANK], *options) == (code, [])
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.count("\n") == 1


LINKED = (
    TINY.split("<Lexicon ")[0]
    + """<Lexicon id="linked" label="x" language="pt" email="a@example.org" license="https://example.org" version="1">
    <Requires id="tiny" version="1.2.0"/>
    <LexicalEntry id="e"><Lemma writtenForm="banco" partOfSpeech="n"/><Sense id="s" synset="l-money"/></LexicalEntry>
    <Synset id="l-money" ili="" partOfSpeech="n" members="e"/></Lexicon></LexicalResource>"""
)


def test_language_before_file_wins(place: Path) -> None:
    (place / "thesaurus.dat").write_text(FRENCH, encoding="utf-8")
    _, rows = run(place, [ROI], "--lexicon", "fr=@thesaurus.dat")
    assert len(rows[0]["candidates"]) == 2


def test_language_without_pack_or_frequencies(place: Path) -> None:
    asked = {"lang": "xx", "compound": "roi blanc", "role": "head", "word": "roi"}
    _, rows = run(place, [asked], "--lexicon", "xx=@th_fr_FR.dat")
    assert rows[0]["candidates"] == ["monarque", "souverain"]


def test_wordnet_finds_its_base_among_lexicons(place: Path) -> None:
    (place / "linked.xml").write_text(LINKED, encoding="utf-8")
    asked = {"lang": "pt", "compound": "banco central", "role": "head", "word": "banco"}
    code, rows = run(place, [asked, BANK], "--lexicon", "@linked.xml", "--lexicon", "@tiny.xml")
    assert (code, rows[0]["candidates"]) == (0, [])
    assert rows[1]["candidates"][0] == "lender"


def test_unreadable_lexicon_ends_before_any_row(place: Path, capsys: Output) -> None:
    (place / "forms.tsv").write_bytes(b"\xff\xfe no table of forms")
    code, rows = run(place, [BANK, BANK, BANK], "--lexicon", "@tiny.xml", "--morphology", "en=@forms.tsv")
    said = capsys.readouterr().err
    assert (code, rows) == (1, [])
    assert said.count("forms.tsv") == 1
    assert "in.jsonl" not in said
    assert not (place / "out.jsonl").exists()
