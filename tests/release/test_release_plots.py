"""The figures of a release: the same release, the same bytes; what is in them, and what the repository shows."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.release.figures import (
    CLASS_COLOURS,
    FIGURES,
    RELATION_COLOURS,
    own_style,
    write_figures,
)
from ncimp.builder.release.measure import measure
from ncimp.builder.release.tables import ReleaseTables, read_release
from tests.release.tiny_tables import tiny

SHOWN = Path(__file__).parents[2] / "docs" / "figures"
TOO_LARGE = 80_000
"""Bytes of a figure in the repository."""

OKABE_ITO = {"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#000000"}


def draw(folder: Path, tables: ReleaseTables) -> dict[str, bytes]:
    """The bytes of every figure, by name."""
    paths = list(write_figures(folder, tables, measure(tables)))
    assert [path.name for path in paths] == [f"{name}.png" for name in FIGURES]
    return {path.stem: path.read_bytes() for path in paths}


def panels_of(name: str, tables: ReleaseTables) -> list[Any]:
    with own_style():
        return list(FIGURES[name](tables, measure(tables)).axes)


def chunks(data: bytes) -> list[str]:
    """The types of the chunks of a PNG file."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    found, place = [], 8
    while place < len(data):
        found.append(data[place + 4 : place + 8].decode("ascii"))
        place += int.from_bytes(data[place : place + 4], "big") + 12
    return found


@pytest.mark.slow
def test_the_same_release_gives_the_same_bytes_in_another_process_with_other_settings(
    mini_release: Path, tmp_path: Path
) -> None:
    first = draw(tmp_path / "first", read_release(mini_release))
    (tmp_path / "matplotlibrc").write_text("font.size: 22\naxes.grid: True\nsavefig.dpi: 30\n", "utf-8")
    env = os.environ | {"PYTHONHASHSEED": "1", "LC_ALL": "C", "MATPLOTLIBRC": str(tmp_path), "MPLBACKEND": "svg"}
    command = [sys.executable, "-m", "ncimp.builder.cli", "describe", str(mini_release)]
    subprocess.run([*command, "--figures", str(tmp_path / "second")], env=env, check=True, capture_output=True)
    assert {path.stem: path.read_bytes() for path in (tmp_path / "second").iterdir()} == first


def test_a_figure_holds_nothing_but_the_picture_and_another_release_gives_another(tmp_path: Path) -> None:
    drawn = draw(tmp_path / "one", tiny())
    assert all(set(chunks(data)) == {"IHDR", "PLTE", "IDAT", "IEND"} for data in drawn.values())
    fewer = draw(tmp_path / "other", replace(tiny(), items=tiny().items[1:], compounds=tiny().compounds[1:]))
    # an original fewer moves no random compound and no synonym
    assert [name for name in drawn if drawn[name] == fewer[name]] == ["match", "relations"]


def test_a_figure_that_is_drawn_again_replaces_the_old_one_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "lengths.png").write_bytes(b"old")
    draw(tmp_path, tiny())
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{name}.png" for name in FIGURES)


def heights(panel: Any) -> list[float]:
    return [round(bar.get_height(), 3) for bar in panel.patches]


def widths(panel: Any) -> list[float]:
    return [round(bar.get_width(), 3) for bar in panel.patches]


def test_columns_are_shares_of_the_sentences_of_their_panel() -> None:
    """Of nat1 4 and 8 words, of nat2 10 and 5, of the literal context 6."""
    first, second, literal = panels_of("lengths", tiny())
    titles = [panel.get_title(loc="left") for panel in (first, second, literal)]
    assert titles == ["en, nat1 (n = 2)", "en, nat2 (n = 2)", "en, literal (n = 1)"]
    assert [heights(panel) for panel in (first, second, literal)] == [[50, 50], [50, 50], [100]]
    assert [round(bar.get_x() + bar.get_width() / 2) for bar in second.patches] == [5, 10]
    first, second, literal = panels_of("positions", tiny())
    # 0/2 and 1/6 are in the first and second sixth, 6/8 in the fifth, 3/3 and 4/4 in the last
    assert [[int(6 * bar.get_x()) for bar in panel.patches] for panel in (first, second, literal)] == [
        [0, 1],
        [4, 5],
        [5],
    ]
    assert [text.get_text() for text in second.texts] == ["0 %", "0 %", "100 %"]


def test_bars_are_shares_of_the_compounds_and_labelled_with_their_number() -> None:
    (panel,) = panels_of("balance", tiny())
    # three classes, each in train, test and all
    assert widths(panel) == [100, 0, 50, 0, 0, 0, 0, 100, 50]
    assert [text.get_text() for text in panel.texts] == ["1", "", "1", "", "", "", "", "1", "1"]
    modifier, head = panels_of("relations", tiny())
    assert widths(modifier) == [50, 0, 0, 0, 50, 0]
    assert widths(head) == [0, 100, 100, 0, 0, 0]


def test_lines_are_the_cumulative_shares_of_the_differences() -> None:
    worse, mean = panels_of("match", tiny())
    assert [line.get_xdata().tolist() for line in worse.lines[:2]] == [[0.10, 0.10, 0.25], [0.0, 0.0, 0.3]]
    assert [line.get_ydata().tolist() for line in worse.lines[:2]] == [[0, 0.5, 1]] * 2
    targets = [(line.get_xdata()[1], line.get_ydata()[1]) for line in worse.lines[2:]]
    assert targets == [(0.10, 0.50), (0.25, 0.90)]
    assert len(mean.lines) == 2


@pytest.mark.parametrize("bare", [replace(tiny(), literal=()), replace(tiny(), literal=(), items=())])
def test_a_release_that_lacks_something_can_be_drawn(bare: ReleaseTables, tmp_path: Path) -> None:
    assert len(draw(tmp_path, bare)) == len(FIGURES)


def test_colours_are_those_that_everybody_tells_apart() -> None:
    for colours, number in ((CLASS_COLOURS, 3), (RELATION_COLOURS, 4)):
        assert len(set(colours.values())) == number
        assert set(colours.values()) <= OKABE_ITO


def test_the_repository_shows_every_figure_and_none_is_large() -> None:
    assert {path.stem for path in SHOWN.glob("*.png")} == {*FIGURES, "report"}  # the last is a page of the evaluator
    assert {path.name for path in SHOWN.iterdir() if path.stat().st_size > TOO_LARGE} == set()
