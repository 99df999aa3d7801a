"""The items of the mini world, byte by byte, against a file that a person has reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.records import FilledItem
from ncimp.schemas.files import write_text
from tests.filling.world import TESTS

GOLDEN = TESTS / "golden" / "mini_items.tsv"
HEADER = "id\tsentence\tedits\n"
CELLS = 2 * 6 * 5 * 14
"""Languages, compounds, contexts, variants of the mini world."""


def line(item: FilledItem) -> str:
    edits = [f"{edit.start}:{edit.before}>{edit.after} ({edit.rule})" for edit in item.carrier_edits]
    return f"{item.id}\t{item.sentence}\t{'; '.join(edits) or '_'}\n"


def compare(path: Path, text: str, *, update: bool) -> None:
    """Fail unless the file at *path* holds exactly *text*; with *update* write it instead."""
    if update:
        write_text(path, text)
    if not path.is_file() or not path.stat().st_size:
        pytest.fail(f"{path.name} is missing or empty: run `pytest tests/filling --update-golden` and review it")
    assert path.read_bytes() == text.encode("utf-8"), "review the change, then run with --update-golden"


def test_items_equal_golden_file(mini_items: dict[str, list[FilledItem]], update_golden: bool) -> None:
    items = sorted((item for rows in mini_items.values() for item in rows), key=lambda item: item.id)
    assert len(items) == len({item.id for item in items}) == CELLS
    compare(GOLDEN, HEADER + "".join(map(line, items)), update=update_golden)


def test_golden_file_covers_grid_and_shows_edits() -> None:
    header, *rows = GOLDEN.read_text(encoding="utf-8").splitlines()
    cells = [row.split("\t") for row in rows]
    assert header + "\n" == HEADER
    assert len(cells) == CELLS
    assert all(len(row) == 3 and all(row) for row in cells)
    for lang in ("en", "pt"):
        assert sum(row[0].startswith(f"{lang}/") and row[2] != "_" for row in cells) > 20


def test_stale_golden_file_fails_until_updated(tmp_path: Path) -> None:
    path = tmp_path / "golden.tsv"
    for before in (None, b"", b"old\n", b"new", b"new\r\n"):
        if before is not None:
            path.write_bytes(before)
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            compare(path, "new\n", update=False)
    compare(path, "new\n", update=True)
    compare(path, "new\n", update=False)
    assert path.read_bytes() == b"new\n"
