"""`ncimp show`: by id and prefix, near misses, samples, JSON, colours, and readers that leave early."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ncimp.builder.cli import main
from ncimp.builder.commands.show import find, print_item, reasons, sample
from ncimp.builder.records import Item
from ncimp.builder.validation.folder import read_content
from ncimp.schemas.errors import UsageError
from ncimp.schemas.records import columns
from ncimp.schemas.release_folder import ReleaseFolder

Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def items(mini_release: Path) -> list[Item]:
    return list(read_content(ReleaseFolder(mini_release)).tables.items)


def shown(release: Path, *argv: str) -> int:
    return main(["show", *argv, "--release", str(release)])


def ids(capsys: Output) -> list[str]:
    return [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()]


def one(items: list[Item], item_id: str) -> Item:
    return next(item for item in items if item.id == item_id)


def test_an_id_shows_its_sentence_and_its_reasons(mini_release: Path, items: list[Item], capsys: Output) -> None:
    item = one(items, "en/application-form/nat1/ws1")
    assert shown(mini_release, item.id) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [item.id, item.sentence]
    told = dict(line.strip().split(maxsplit=1) for line in lines[2:] if line.strip())
    start = item.sentence.index(" a ") + 1
    assert told["edit"] == f"'an' -> 'a' at {start}: indefinite article before a sound"
    assert told["compound"] == "application form (compositional, train)"
    assert told["why"] == item.explanation
    assert f"at {item.span[0]}-{item.span[1]}, from {item.replacement!r} (N_N sg)" in told["span"]
    assert str(item.head_synset) in told["head"]


def test_a_prefix_shows_everything_below_it_in_the_order_of_the_release(
    mini_release: Path, items: list[Item], capsys: Output
) -> None:
    for prefix, count in (("en", 420), ("en/rat-race", 70), ("en/rat-race/nat1", 14), ("en/rat-race/nat1/ws1", 1)):
        found = list(find(items, [prefix]))
        assert found == [item for item in items if f"{item.id}/".startswith(f"{prefix}/")]
        assert len(found) == count
        assert list(find(items, [f"{prefix}/"])) == found
    assert shown(mini_release, "en/rat-race", "--json") == 0
    assert len(ids(capsys)) == 70


def test_several_ids_are_shown_in_the_order_they_are_asked_for(mini_release: Path, capsys: Output) -> None:
    wanted = ["pt/pé-frio/nat2/rand5", "en/rat-race/nat1/orig"]
    assert shown(mini_release, *wanted, "--json") == 0
    assert ids(capsys) == wanted


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("en/rat-rase/nat1", "en/rat-race/nat1"),
        ("en/eager-beever", "en/eager-beaver"),
        ("pt/pe-frio/nat1/ws1", "pt/pé-frio/nat1/ws1"),
        ("en/rat-race/nat1/ws9", "en/rat-race/nat1/ws"),
        ("en/rat-rac", "en/rat-race"),
    ],
)
def test_a_near_miss_is_answered_with_what_was_perhaps_meant(
    mini_release: Path, capsys: Output, wanted: str, near: str
) -> None:
    assert shown(mini_release, wanted) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"ncimp show: no item {wanted!r}; did you mean '{near}")


def test_the_beginning_of_a_name_is_no_prefix(items: list[Item]) -> None:
    """`nat1` is not `nat11`, and half a compound is none."""
    with pytest.raises(UsageError, match="no item"):
        list(find(items, ["en/rat"]))


def test_what_is_near_nothing_is_answered_with_a_way_to_look_around(mini_release: Path, capsys: Output) -> None:
    assert shown(mini_release, "zzzzzz") == 2
    assert "see `ncimp show --sample 5`" in capsys.readouterr().err


def test_a_sample_is_the_same_every_time_and_another_for_another_seed(mini_release: Path, capsys: Output) -> None:
    drawn = []
    for seed in ("one", "one", "two"):
        assert shown(mini_release, "--sample", "20", "--seed", seed, "--json") == 0
        drawn.append(ids(capsys))
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 20
    assert len(set(drawn[0]) & set(drawn[2])) < 10


def test_a_sample_does_not_depend_on_the_order_of_the_rows_and_grows_at_its_end(items: list[Item]) -> None:
    assert sample(items[::-1], 30, "seed") == sample(items, 30, "seed")
    assert sample(items, 30, "seed")[:10] == sample(items, 10, "seed")
    assert len(sample(items, 10_000, "seed")) == 840


def test_a_sample_of_one_language_without_some_variants(mini_release: Path, capsys: Output) -> None:
    asked = ("--sample", "100", "--seed", "panel", "--json", "--lang", "pt", "--skip", "head", "mod")
    assert shown(mini_release, *asked) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 100
    assert {row["lang"] for row in rows} == {"pt"}
    assert not {row["variant"] for row in rows} & {"head", "mod"}


def test_ids_and_a_choice_of_sample_do_not_go_together(mini_release: Path, capsys: Output) -> None:
    assert shown(mini_release, "en/rat-race", "--lang", "en") == 2
    assert "give --sample N, or ids alone" in capsys.readouterr().err


@pytest.mark.parametrize("count", ["0", "-1", "-840"])
def test_a_sample_of_nothing_or_less_is_wrong_use(mini_release: Path, capsys: Output, count: str) -> None:
    assert shown(mini_release, f"--sample={count}") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"--sample must be a whole number above 0, got {count}" in output.err


def test_json_has_every_column_of_the_item_and_reads_back(
    mini_release: Path, items: list[Item], capsys: Output
) -> None:
    assert shown(mini_release, "pt/greve-geral/nat3", "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 14
    for line in lines:
        row: dict[str, Any] = json.loads(line)
        assert list(row) == list(columns("item"))
        assert row["sentence"] == one(items, row["id"]).sentence
    assert "ç" in "".join(lines)


def test_every_item_can_be_shown_with_a_reason_for_each_variant(items: list[Item]) -> None:
    for item in items:
        told = list(reasons(item))
        assert all(value and "None" not in value for _, value in told), item.id
        assert {"compound", "span", "why", "source"} <= {name for name, _ in told}
        assert sum(name == "edit" for name, _ in told) == len(item.carrier_edits)


def test_the_span_is_coloured_and_edits_are_underlined(items: list[Item]) -> None:
    console = Console(force_terminal=True, color_system="standard", record=True, width=300, file=io.StringIO())
    item = one(items, "en/application-form/nat1/ws1")
    print_item(item, console)
    text = console.export_text(styles=True)
    coloured = [re.sub(r"\x1b\[[0-9;]*m", "", part) for part in re.findall(r"\x1b\[1;35m.*?\x1b\[0m", text)]
    assert coloured == [item.sentence[slice(*item.span)]]
    assert "\x1b[4;33ma\x1b[0m" in text


def test_output_that_goes_to_a_file_has_no_colour_and_no_broken_lines(
    mini_release: Path, items: list[Item], capsys: Output
) -> None:
    item = max(items, key=lambda item: len(item.sentence))
    assert shown(mini_release, item.id) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert item.sentence in output.splitlines()


def test_a_folder_that_is_no_release_is_told_in_one_line(tmp_path: Path, capsys: Output) -> None:
    assert shown(tmp_path, "en/rat-race") == 1
    message = capsys.readouterr().err
    assert message.startswith(f"ncimp show: {tmp_path / 'manifest.json'}: not a release")
    assert message.count("\n") == 1


def piped(*argv: str, lines: int) -> tuple[int, str, str]:
    """Run a command whose reader takes *lines* lines and leaves; return exit code, what was read, and stderr."""
    command = [sys.executable, "-m", "ncimp.builder.cli", *argv]
    # a buffer that is only written at the end is the hard case, and a shell may have turned it off
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=env, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        read = "".join(process.stdout.readline() for _ in range(lines))
        process.stdout.close()
        errors = process.stderr.read()
    return process.returncode, read, errors


@pytest.mark.slow
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_reader_that_leaves_after_the_first_line_is_no_error(mini_release: Path, json_too: list[str]) -> None:
    """`ncimp show en | head -1`: more text than a pipe holds."""
    code, read, errors = piped("show", "en", "--release", str(mini_release), *json_too, lines=1)
    assert read.endswith("\n")
    assert errors == ""
    assert code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "argv", [["validate", "--codes"], ["source", "list", "--json"], ["pack", "split", "en", "--dry-run"]]
)
def test_a_reader_that_leaves_at_once_is_no_error(mini_packs: Path, argv: list[str]) -> None:
    """`ncimp ... | true`: little text, which is only written when the command has ended."""
    packs = [] if argv[0] == "validate" else ["--packs", str(mini_packs)]
    code, _, errors = piped(*argv, *packs, lines=0)
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors
    assert code == 0
