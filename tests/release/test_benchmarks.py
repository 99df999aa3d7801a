"""Membership of compounds in other benchmarks, from files of the user's; here they are made up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.cli import main
from ncimp.builder.sources.compounds import Benchmark, parse_benchmark, read_benchmark
from ncimp.builder.validation.folder import verify
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import read_json
from ncimp.schemas.records import compound_key
from tests.release.small_world import KEPT, small_packs

COMPOUNDS = "compounds/train-00000-of-00001.parquet"
Output = pytest.CaptureFixture[str]


@pytest.fixture
def packs(mini_packs: Path, tmp_path: Path) -> Path:
    return small_packs(mini_packs, tmp_path / "packs")


def built(packs: Path, folder: Path, *options: str) -> Path:
    out = folder / "ncimp"
    assert main(["build", "--packs", str(packs), "--out", str(out), "--work", str(folder / "work"), *options]) == 0
    return out


def memberships(release: Path) -> dict[str, list[str]]:
    return {row["compound"]: row["benchmarks"] for row in read_parquet(release / COMPOUNDS)}


@pytest.mark.slow
def test_compounds_are_marked_in_the_order_the_benchmarks_were_named_in(
    packs: Path, tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "lines.txt").write_text("Rat Race\nno compound of ours\npé frio\n", "utf-8")
    (tmp_path / "table.tsv").write_text("id\tnc\tscore\n1\trat_race\t1.5\n2\tsilent-partner\t2\n", "utf-8")
    named = [f"--benchmark=second-2={tmp_path}/table.tsv:nc", f"--benchmark=first={tmp_path}/lines.txt"]
    release = built(packs, tmp_path, *named)
    held = {"rat race": ["second-2", "first"], "silent partner": ["second-2"], "pé-frio": ["first"]}
    everything = {text: held.get(text, []) for texts in KEPT.values() for text in texts}
    assert memberships(release) == everything
    inputs = [source for source in read_json(release / "manifest.json")["inputs"] if source["kind"] == "benchmark"]
    assert [source["name"] for source in inputs] == ["benchmark/second-2", "benchmark/first"]
    assert all(len(source["sha256"]) == 64 for source in inputs)
    assert "by compounds in `first` (2), `second-2` (2)" in (release / "README.md").read_text("utf-8")
    assert verify(release).incidents == []
    assert str(tmp_path) not in (release / "manifest.json").read_text("utf-8")

    capsys.readouterr()
    (tmp_path / "lines.txt").write_text("silent partner\n", "utf-8")
    built(packs, tmp_path, *named)
    ran = [line.split(":")[0] for line in capsys.readouterr().err.splitlines() if line.endswith("running")]
    assert sorted(ran) == ["check-en", "check-pt", "release", "tables-en", "tables-pt", "validate"]
    assert memberships(release)["silent partner"] == ["second-2", "first"]
    built(packs, tmp_path, *reversed(named))
    assert memberships(release)["silent partner"] == ["first", "second-2"]


def test_without_a_file_nothing_is_marked(mini_release: Path) -> None:
    assert set(map(tuple, memberships(mini_release).values())) == {()}
    assert "the column `benchmarks` is empty" in (mini_release / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["A"], "is not NAME=FILE"),
        (["A=missing.txt"], "no file missing.txt"),
        (["a b=list.txt"], "is not NAME=FILE"),
        (["A={list}", "A={list}"], "is named twice"),
    ],
)
def test_what_cannot_be_asked_for_is_wrong_use(
    packs: Path, tmp_path: Path, capsys: Output, options: list[str], words: str
) -> None:
    (tmp_path / "list.txt").write_text("rat race\n", "utf-8")
    asked = [f"--benchmark={text.format(list=tmp_path / 'list.txt')}" for text in options]
    assert main(["build", "--packs", str(packs), "--out", str(tmp_path / "ncimp"), *asked]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "column", "words"),
    [
        (b"rat\xffrace\n", None, "byte 3 is not UTF-8"),
        (b"id,nc\n1,rat race\n", "compound", "no column 'compound'; use one of id, nc"),
        (b"", "nc", "no column 'nc'"),
        (b"\n\n", None, "holds no compound"),
        (b"rat race\nghost town\t2.5\n", None, "list:2: a line with several cells"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_place(
    tmp_path: Path, data: bytes, column: str | None, words: str
) -> None:
    (tmp_path / "list").write_bytes(data)
    with pytest.raises(SourceError) as caught:
        read_benchmark(Benchmark("A", tmp_path / "list", column))
    assert words in str(caught.value)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_is_read_by_the_name_of_its_column(tmp_path: Path, mark: str) -> None:
    text = f'\ufeffid{mark}nc\r\n1{mark}"Ghost Town"\r\n2{mark}rat race\r\n3\r\n'
    (tmp_path / "table").write_bytes(text.encode())
    assert read_benchmark(Benchmark("A", tmp_path / "table", "nc")) == {"ghost town", "rat race"}


def test_a_colon_may_be_part_of_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a:b").write_text("rat race\n", "utf-8")
    assert parse_benchmark(f"A={tmp_path}/a:b") == Benchmark("A", tmp_path / "a:b")
    assert parse_benchmark(f"A={tmp_path}/a:c") == Benchmark("A", tmp_path / "a", "c")


@given(st.lists(st.text("abcé", min_size=1), min_size=1, max_size=3), st.sampled_from(" -_"), st.sampled_from(" -_"))
def test_hyphens_spaces_and_letters_of_any_size_are_alike(words: list[str], one: str, other: str) -> None:
    assert compound_key(one.join(words)) == compound_key(other.join(words).upper())
