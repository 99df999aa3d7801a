"""`ncimp corpus find | pairs | top`: output, messages and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main
from ncimp.schemas.files import read_jsonl
from ncimp.schemas.records import columns
from tests.schemas.checking import check_row

TEXT = """The rat race begins again every Monday morning.
Many rat races begin again every Monday morning.
the rat race begins again every Monday morning
Nobody likes the rat-race of this very big town.
A rat that wins the race stays a rat.
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "one.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "c" / "two.txt").write_text(TEXT.replace("rat", "RAT", 1), encoding="utf-8")
    return tmp_path / "c"


def find(tmp_path: Path, corpus: object, packs: Path, *options: object, compounds: str = "rat race\n") -> int:
    names = tmp_path / ("names.tsv" if "\tdate\n" in compounds else "names.txt")
    names.write_text(compounds, encoding="utf-8")
    common = [
        "--lang",
        "en",
        "--packs",
        packs,
        "--compounds",
        names,
        "--out",
        tmp_path / "out.jsonl",
        "--format",
        "text",
    ]
    return main([str(part) for part in ("corpus", "find", "--corpus", corpus, *common, *options)])


def written(tmp_path: Path) -> list[dict[str, Any]]:
    rows = [row for _, row in read_jsonl(tmp_path / "out.jsonl")]
    for row in rows:
        check_row("corpus_context", row)
    return rows


def test_contexts_of_a_folder(
    tmp_path: Path, corpus: Path, mini_packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find(tmp_path, corpus, mini_packs, "--licence", "CC0-1.0", compounds="rat race\n# none\nglass  bell\n") == 0
    rows = written(tmp_path)
    assert {row["matched"] for row in rows} == {"rat race", "rat races", "rat-race"}
    assert [(row["file"], row["position"], row["document"]) for row in rows if row["matched"] == "rat-race"] == [
        ("one.txt", 4, None)
    ]
    for row in rows:
        assert row["text"][slice(*row["span"])] == row["matched"]
        assert (row["lang"], row["compound"], row["licence"]) == ("en", "rat race", "CC0-1.0")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        f"{tmp_path}/out.jsonl: 3 sentences of 1 of 2 compounds",
        "10 sentences read, 8 with a compound: 6 fit, 0 repeated, 0 length, 2 incomplete, 0 quoted",
        "none found for: glass bell",
    ]


def test_contexts_do_not_depend_on_the_order_of_files(tmp_path: Path, corpus: Path, mini_packs: Path) -> None:
    found = []
    for first, second in (("one", "two"), ("two", "one")):
        paths = [corpus / f"{first}.txt", corpus / f"{second}.txt"]
        assert find(tmp_path, paths[0], mini_packs, "--corpus", *paths, "--per-compound", 2) == 0
        found.append((tmp_path / "out.jsonl").read_bytes())
    assert found[0] == found[1]
    assert found[0].count(b"\n") == 2


def test_contexts_do_not_depend_on_the_number_of_workers(
    tmp_path: Path, corpus: Path, mini_packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "three.txt").write_bytes(b"\xff\n" * 30 + TEXT.encode())
    found = []
    for workers in (1, 2):
        assert find(tmp_path, corpus, mini_packs, "--on-error", "skip", "--workers", workers) == 0
        found.append(((tmp_path / "out.jsonl").read_bytes(), capsys.readouterr().err))
    assert found[0] == found[1]
    assert f"{corpus}/three.txt: 30 problem(s) passed over" in found[0][1]
    assert find(tmp_path, corpus, mini_packs, "--workers", 2) == 1
    assert capsys.readouterr().err.startswith(
        f"ncimp corpus find: {corpus}/three.txt:1:1: byte 0xff is not utf-8; name"
    )


def test_places_alone_and_filters_switched_off(tmp_path: Path, corpus: Path, mini_packs: Path) -> None:
    assert find(tmp_path, corpus / "one.txt", mini_packs, "--stand-off", "--allow", "incomplete", "quoted") == 0
    rows = written(tmp_path)
    assert {row["text"] for row in rows} == {None}
    assert sorted(row["position"] for row in rows) == [1, 2, 4]


def test_compounds_of_a_pack(tmp_path: Path, corpus: Path, mini_packs: Path) -> None:
    pack = (mini_packs / "en" / "compounds.tsv").read_text(encoding="utf-8")
    assert find(tmp_path, corpus, mini_packs, compounds=pack) == 0
    assert {row["compound"] for row in written(tmp_path)} == {"rat race"}


@pytest.mark.parametrize(
    ("options", "compounds", "code", "expected"),
    [
        ((), "", 1, "names.txt: holds no compound; write one a line"),
        ((), "a b\na  b\n", 1, "names.txt:2: 'a b' stands in line 1 too; keep one of the two"),
        (
            (),
            "a\tb\n",
            1,
            "names.txt:1: more than one column; write one compound a line, or the columns of a compounds.tsv",
        ),
        (("--per-compound", 0), "a", 2, "--per-compound must be a whole number above 0, got 0"),
        (("--min-words", 9, "--max-words", 8), "a", 2, "no sentence could be found this way"),
        (("--out", "."), "a", 2, "--out '.' is a folder; name a file in it"),
        (("--corpus", "none.txt"), "a", 1, "none.txt: no such file; check the path"),
    ],
)
def test_contexts_errors(
    tmp_path: Path,
    corpus: Path,
    mini_packs: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[object, ...],
    compounds: str,
    code: int,
    expected: str,
) -> None:
    assert find(tmp_path, corpus, mini_packs, *options, compounds=compounds) == code
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_broken_lines_are_told_and_passed_over_when_asked(
    tmp_path: Path, mini_packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.txt"
    path.write_bytes(b"sism\xedco\n" + TEXT.encode())
    assert find(tmp_path, path, mini_packs) == 1
    assert capsys.readouterr().err.startswith(f"ncimp corpus find: {path}:1:5: byte 0xed is not utf-8; ")
    assert find(tmp_path, path, mini_packs, "--on-error", "skip") == 0
    printed = capsys.readouterr().err.splitlines()
    assert printed[0].startswith(f"{path}:1:5: byte 0xed is not utf-8; ")
    assert printed[1] == f"{path}: 1 problem(s) passed over"
    assert len(written(tmp_path)) == 3


def test_the_format_is_told_by_the_suffix(tmp_path: Path, mini_packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.jsonl").write_text(json.dumps({"text": TEXT, "id": "d"}) + "\n", encoding="utf-8")
    (tmp_path / "names.txt").write_text("rat race\n", encoding="utf-8")
    common = ["corpus", "find", "--lang", "en", "--packs", mini_packs, "--compounds", tmp_path / "names.txt"]
    common += ["--out", tmp_path / "out.jsonl", "--tokens", "pack", "--corpus"]
    assert main([str(part) for part in (*common, tmp_path / "c.jsonl")]) == 0
    assert {row["document"] for row in written(tmp_path)} == {"d"}
    capsys.readouterr()
    assert main([str(part) for part in (*common, tmp_path / "c.dat")]) == 2
    assert "c.dat') do not tell its format; name it with --format: text, conllu, wac" in capsys.readouterr().err


@pytest.fixture
def store(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "s.sqlite"
    assert (
        main(["corpus", "count", str(corpus / "one.txt"), "--lang", "en", "--format", "text", "--out", str(path)]) == 0
    )
    capsys.readouterr()
    return path


def test_candidates_as_a_table_with_examples(store: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--by", "count", "--min-count", "2", "--limit", "4", "--corpus", str(corpus)]
    assert main(["corpus", "pairs", str(store), *options]) == 0
    header, *lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert tuple(header) == columns("candidate")
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    assert [(row["text"], row["count"]) for row in rows] == [
        ("again every", "3"),
        ("every monday", "3"),
        ("monday morning", "3"),
        ("a rat", "2"),
    ]
    assert rows[0]["example"] in TEXT.splitlines()
    assert rows[0]["pattern"] == rows[0]["example_document"] == "_"


def test_candidates_as_json(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "pairs", str(store), str(store), "--min-count", "4", "--json", "--layer", "surface"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    strongest = {"again every", "every monday", "monday morning"}
    assert {row["text"] for row in rows[:3]} == strongest
    assert {row["text"] for row in rows[3:]} == {"begins again", "race begins", "rat race", "the rat", "a rat"}
    for row in rows:
        check_row("candidate", row)
        assert row["example"] is None
        assert row["ppmi"] >= 0


def test_top_prints_a_table(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "top", "--stats", str(store), "--by", "t_score", "--min-count", "2", "--limit", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("│")[1].strip() for line in lines[3:5]] == ["again every", "every monday"]
    assert lines[1].split("┃")[1].strip() == "text"


def test_lists_that_cannot_be_made(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "pairs", str(store), "--limit", "0"]) == 2
    assert main(["corpus", "top", "--stats", str(store), "--pattern", "N de N"]) == 1
    expected = "the counts of 'one' have no candidates of the pattern 'N_de_N'; count again with patterns, or leave"
    assert expected in capsys.readouterr().err
