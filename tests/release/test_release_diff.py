"""`ncimp diff`: what is listed, the bump that is due, and the versions that are too small."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.cli import main
from ncimp.builder.release.compare import BUMPS, Bump, CellChange, SplitChange, compare, least_version, numbers
from tests.release.resigning import Rows, renumber, rewrite, sign

SENTENCES = "sentences/train-00000-of-00001.parquet"
COMPOUNDS = "compounds/train-00000-of-00001.parquet"
Output = pytest.CaptureFixture[str]
Versions = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))


@pytest.fixture
def old(mini_release: Path, tmp_path: Path) -> Path:
    """The mini release as version 1.2.3."""
    folder = Path(shutil.copytree(mini_release, tmp_path / "old"))
    renumber(folder, "1.2.3")
    return folder


@pytest.fixture
def new(old: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(old, tmp_path / "new"))


def put(**values: Any) -> Callable[[Rows], Rows]:
    """Change the third row."""
    return lambda rows: [*rows[:2], {**rows[2], **values}, *rows[3:]]


def _nothing(_: Path) -> None:
    pass


def _licence_text(new: Path) -> None:
    (new / "LICENSE-DATA").write_text("Another text.", "utf-8")
    sign(new)


def _explanation(new: Path) -> None:
    rewrite(new, SENTENCES, "item", put(explanation="Said better."))


def _order(new: Path) -> None:
    rewrite(new, SENTENCES, "item", lambda rows: rows[::-1])


def _score_added(new: Path) -> None:
    rewrite(new, COMPOUNDS, "compound", put(comp=2.5))


def _benchmark_added(new: Path) -> None:
    rewrite(new, COMPOUNDS, "compound", put(benchmarks=["A"]))


def _item_added(new: Path) -> None:
    rewrite(new, SENTENCES, "item", lambda rows: [*rows, {**rows[0], "id": "en/new-one/nat1/orig"}])


def recast(new: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change the columns of all compounds."""
    for path in (new / "compounds").iterdir():
        pq.write_table(change(pq.read_table(path)), path)
    sign(new)


def _column_added(new: Path) -> None:
    recast(new, lambda table: table.append_column("mass", [[1.0] * len(table)]))


def _column_removed(new: Path) -> None:
    recast(new, lambda table: table.drop_columns(["pmi"]))


def _column_retyped(new: Path) -> None:
    place = pq.read_schema(new / COMPOUNDS).get_field_index("head_index")
    recast(new, lambda table: table.set_column(place, "head_index", table["head_index"].cast("int64")))


def _item_removed(new: Path) -> None:
    rewrite(new, SENTENCES, "item", lambda rows: rows[1:])


def _text(new: Path) -> None:
    rewrite(new, SENTENCES, "item", put(sentence="Another sentence."))


def _span(new: Path) -> None:
    rewrite(new, SENTENCES, "item", put(span=[0, 3]))


def _split(new: Path) -> None:
    rewrite(new, COMPOUNDS, "compound", put(split="validation"))


def _class(new: Path) -> None:
    rewrite(new, COMPOUNDS, "compound", put(compound_class="partly_compositional"))


def _pair(new: Path) -> None:
    rewrite(new, "en_nat/train-00000-of-00001.parquet", "pair", put(sentence2="Another."))


CHANGES: list[tuple[Callable[[Path], None], Bump]] = [
    (_nothing, "none"),
    (_licence_text, "patch"),
    (_explanation, "patch"),
    (_order, "patch"),
    (_score_added, "minor"),
    (_benchmark_added, "minor"),
    (_item_added, "minor"),
    (_column_added, "minor"),
    (_column_removed, "major"),
    (_column_retyped, "major"),
    (_item_removed, "major"),
    (_text, "major"),
    (_span, "major"),
    (_split, "major"),
    (_class, "major"),
    (_pair, "major"),
]
ENOUGH: dict[Bump, str] = {"none": "1.2.3", "patch": "1.2.4", "minor": "1.3.0", "major": "2.0.0"}


@pytest.mark.parametrize(("change", "due"), CHANGES, ids=[change.__name__.strip("_") for change, _ in CHANGES])
def test_every_change_asks_for_its_bump_and_every_smaller_one_fails(
    old: Path, new: Path, capsys: Output, change: Callable[[Path], None], due: Bump
) -> None:
    change(new)
    for bump, version in ENOUGH.items():
        sign(new, release=version)
        code = main(["diff", str(old), str(new)])
        assert code == int(BUMPS.index(bump) < BUMPS.index(due)), bump
        assert f"due is {due}; {version} is " in capsys.readouterr().err


def test_a_new_version_alone_is_no_change(old: Path, new: Path) -> None:
    """The column `release` of every row differs, which asks for nothing by itself; the tables' hashes do."""
    renumber(new, "1.2.4")
    found = compare(old, new)
    assert (found.tables, found.cells, found.splits) == ({}, (), ())
    assert (found.due, found.enough) == ("patch", True)


def test_the_largest_of_several_changes_is_due(old: Path, new: Path) -> None:
    _explanation(new)
    _item_added(new)
    assert compare(old, new).due == "minor"
    _split(new)
    assert compare(old, new).due == "major"


def test_items_are_listed_by_cell_and_compounds_that_move_by_split(old: Path, new: Path, capsys: Output) -> None:
    def change(rows: Rows) -> Rows:
        """The first two rows are the original and the synonym of one context, the last one is Portuguese."""
        rows[0]["sentence"] = "Another sentence."
        rows[1]["explanation"] = "Metadata, which no cell counts."
        return [*rows[:-1], {**rows[0], "id": "en/new-one/nat1/orig"}]

    last = pq.read_table(new / SENTENCES).to_pylist()[-1]
    rewrite(new, SENTENCES, "item", change)
    rewrite(new, COMPOUNDS, "compound", put(split="validation"))
    found = compare(old, new)
    assert found.cells == (
        CellChange("en", "naturalistic", "orig", 1, 0, 1),
        CellChange("pt", last["context_kind"], last["probe"], 0, 1, 0),
    )
    moved = pq.read_table(old / COMPOUNDS).to_pylist()[2]
    assert found.splits == (SplitChange(moved["id"], moved["split"], "validation"),)
    sign(new, release="2.0.0")
    assert main(["diff", str(old), str(new)]) == 0
    output = capsys.readouterr().out
    assert f"sentences: - {last['id']}\n" in output
    assert "sentences: + en/new-one/nat1/orig\n" in output
    assert f"split of {moved['id']}: {moved['split']} -> validation\n" in output


def test_json_has_everything_that_differs(old: Path, new: Path, capsys: Output) -> None:
    rewrite(new, SENTENCES, "item", lambda rows: rows[30:])
    assert main(["diff", str(old), str(new), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["due"], found["least"], found["enough"]) == ("major", "2.0.0", False)
    assert len(found["tables"]["sentences"]["removed"]) == 30
    assert sum(cell["removed"] for cell in found["cells"]) == 30


def test_a_damaged_release_is_not_compared(old: Path, new: Path, capsys: Output) -> None:
    (new / SENTENCES).write_bytes(b"nothing")
    assert main(["diff", str(old), str(new)]) == 1
    assert SENTENCES in capsys.readouterr().err


def test_a_table_whose_files_have_different_columns_is_not_compared(old: Path, new: Path, capsys: Output) -> None:
    pq.write_table(pq.read_table(new / COMPOUNDS).drop_columns(["pmi"]), new / COMPOUNDS)
    sign(new)
    assert main(["diff", str(old), str(new)]) == 1
    assert "not those of the other files of 'compounds'" in capsys.readouterr().err


def test_a_draft_may_change_its_items_in_a_minor_version(mini_release: Path, release_copy: Path) -> None:
    rewrite(release_copy, SENTENCES, "item", put(sentence="Another sentence."))
    for version, enough in (("0.1.1", False), ("0.2.0", True)):
        sign(release_copy, release=version)
        assert compare(mini_release, release_copy).enough is enough


@given(Versions)
def test_the_least_version_grows_with_the_bump_and_with_nothing_in_between(version: tuple[int, int, int]) -> None:
    written = ".".join(map(str, version))
    steps = [numbers(least_version(written, bump)) for bump in BUMPS]
    assert steps == sorted(steps)
    assert steps[0] == version < steps[1] == (*version[:2], version[2] + 1)
    assert steps[3] == ((version[0] + 1, 0, 0) if version[0] else steps[2])
