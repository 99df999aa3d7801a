"""The command as a whole: help with examples, version, exit codes, errors in one line, and what each writes where."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ncimp
from ncimp.builder.cli import COMMANDS, main, make_parser
from ncimp.builder.commands.build import loading_line
from ncimp.builder.sources.packs.packs import languages
from ncimp.schemas.errors import UsageError

Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
TERM = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}


def leaves() -> Iterator[tuple[str, str]]:
    """Command line and help of every command that runs."""
    for command in COMMANDS:
        if not any(other.name.startswith(f"{command.name} ") for other in COMMANDS):
            yield command.name, command.load()[0]


LEAVES = list(leaves())


@pytest.mark.parametrize(("command", "text"), LEAVES, ids=[command for command, _ in LEAVES])
def test_help_shows_the_docstring_and_its_examples_parse(command: str, text: str, capsys: Output) -> None:
    assert main([*command.split(), "--help"]) == 0
    shown = capsys.readouterr().out
    assert text.strip() in shown
    assert shown.startswith(f"usage: ncimp {command} ")
    lines = [line.split("|")[-1].split(" > ")[0].strip() for line in text.splitlines() if line.startswith("    ")]
    examples = [shlex.split(line)[1:] for line in lines if line.startswith("ncimp ")]
    assert examples
    for words in examples:
        assert make_parser(words).parse_args(words).command_path, words


def test_help_lists_every_command_in_one_line_and_imports_none() -> None:
    code = "import sys; from ncimp.builder.cli import make_parser; make_parser([]).print_help(); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    help_text, modules = shown.rstrip().rsplit("\n", 1)
    for command in (command for command in COMMANDS if " " not in command.name):
        assert re.search(rf"^    {command.name}\s+\S", help_text, re.MULTILINE), command.name
    own = {name for name in modules.split() if name.startswith("ncimp.")}
    assert own <= {
        *("ncimp.builder", "ncimp.builder.cli", "ncimp.builder.commands", "ncimp.builder.commands.options"),
        *("ncimp.schemas", "ncimp.schemas.errors", "ncimp.schemas.files"),
    }
    assert not {"pyarrow", "numpy", "pandas", "datasets", "wn", "rich"} & set(modules.split())


def test_the_version_is_that_of_the_package(capsys: Output) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ncimp {ncimp.__version__}\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("", "ncimp: a command is missing; see ncimp --help"),
        ("bild", "ncimp: unknown command 'bild'; choose from "),
        ("build --otu x", "ncimp build: unknown option --otu; did you mean --out?"),
        ("build --pac x", "ncimp build: unknown option --pac; did you mean --packs?"),
        ("show --sample many", "ncimp show: --sample must be a whole number above 0, got many; see ncimp show --help"),
        ("show --sample 0", "ncimp show: --sample must be a whole number above 0, got 0; see ncimp show --help"),
        ("show --sample", "ncimp show: --sample needs a value; see ncimp show --help"),
        ("build --match best", "ncimp build: --match cannot be 'best'; choose from "),
        ("publish", "ncimp publish: --repo is missing; see ncimp publish --help"),
        ("publish --repo a/b --timeout 0", "ncimp publish: --timeout must be a number above 0, got 0; see"),
        ("show en/x --json=1", "ncimp show: --json takes no value, got '1'; see"),
    ],
)
def test_a_wrong_command_line_ends_with_2_and_one_plain_sentence(argv: str, message: str, capsys: Output) -> None:
    assert main(argv.split()) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(message)
    assert shown.count("\n") == 1


NOWHERE = [
    (["show", "en/x", "--release", "nowhere"], "nowhere"),
    (["validate", "nowhere"], "nowhere"),
    (["build", "--packs", "nowhere", "--out", "out"], "no language pack in nowhere"),
    (["build", "--lang", "xx", "--out", "out"], "no language pack 'xx'"),
    (["pack", "split", "xx"], "no language pack 'xx'"),
    (["source", "list", "--inputs", "--lang", "xx"], "no language pack 'xx'"),
    (["source", "list", "--inputs", "--packs", "nowhere"], "no language pack in nowhere"),
    (["show"], "nothing to show"),
]


@pytest.mark.parametrize(("argv", "words"), NOWHERE)
def test_what_is_not_there_is_told_in_one_line_with_what_to_do(
    argv: list[str], words: str, tmp_path: Path, monkeypatch: Patch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(argv) in (1, 2)
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"ncimp {argv[0]}")
    assert words in output.err
    assert "; " in output.err
    assert output.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("argv", "words"), [row for row in NOWHERE if row[0][0] != "show" or len(row[0]) == 1])
def test_wrong_use_ends_with_2(argv: list[str], words: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(argv) == 2, words


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("compounds.tsv", "\tidiomatic\t", "\tidiomatik\t", "compounds.tsv:2:compound_class: "),
        ("contexts.tsv", "[eager beaver] on", "eager beaver on", "contexts.tsv:2:sentence: "),
        ("pack.toml", "format = 1", "format = ", "pack.toml: "),
        ("splits.tsv", "rat race", "rat rase", "splits.tsv:3:compound: "),
        ("lexicon.xml", "</LexicalResource>", "", "lexicon.xml: "),
    ],
)
def test_a_mistake_in_a_pack_ends_a_build_with_1_and_its_place(
    packs_copy: Path, tmp_path: Path, capsys: Output, name: str, old: str, new: str, place: str
) -> None:
    path = packs_copy / "en" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert main(["build", "--packs", str(packs_copy), "--lang", "en", "--out", str(tmp_path / "ncimp")]) == 1
    output = capsys.readouterr()
    lines = [line for line in output.err.splitlines() if not line.endswith((": running", ": up to date"))]
    assert len(lines) == 1
    assert lines[0].startswith(f"ncimp build: {packs_copy / 'en'}/{place}")
    assert not (tmp_path / "ncimp").exists()


@pytest.mark.parametrize("option", ["--out", "--work"])
def test_a_path_below_a_file_is_told_in_one_line(mini_packs: Path, tmp_path: Path, capsys: Output, option: str) -> None:
    (tmp_path / "file").write_text("a file", "utf-8")
    paths = {"--out": str(tmp_path / "ncimp"), "--work": str(tmp_path / "work")} | {
        option: str(tmp_path / "file" / "x")
    }
    argv = ["build", "--packs", str(mini_packs), "--lang", "en", *(part for pair in paths.items() for part in pair)]
    assert main(argv) in (1, 2)
    lines = [line for line in capsys.readouterr().err.splitlines() if not line.endswith(": running")]
    assert len(lines) == 1
    assert lines[0].startswith("ncimp build: ")
    assert "file" in lines[0]


@pytest.mark.parametrize("release", ["banana", "1.0", "1.0.0-rc1"])
def test_a_version_that_is_none_is_refused_before_anything_is_built(
    mini_packs: Path, tmp_path: Path, capsys: Output, release: str
) -> None:
    argv = ["build", "--packs", str(mini_packs), "--lang", "en", "--out", str(tmp_path / "ncimp")]
    assert main([*argv, "--as-version", release]) == 2
    assert release in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_build_tells_stages_on_stderr_and_the_loading_line_on_stdout(
    mini_packs: Path, tmp_path: Path, monkeypatch: Patch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = ["build", "--packs", str(mini_packs), "--lang", "en"]
    stages = ["pack-en", "select-en", "fill-en", "tables-en", "check-en", "validate", "release"]
    for state in ("running", "up to date"):
        assert main(argv) == 0
        output = capsys.readouterr()
        assert output.err == "".join(f"{stage}: {state}\n" for stage in stages)
        assert output.out == (
            f"release: {tmp_path / 'ncimp'}\n"
            'load it: from datasets import load_dataset; pairs = load_dataset("ncimp")\n'
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == [".ncimp-work", "ncimp"]


def test_the_loading_line_names_the_folder_as_it_can_be_found(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    assert loading_line(tmp_path / "ncimp").endswith('load_dataset("ncimp")')
    assert loading_line(tmp_path / "a" / "ncimp").endswith(f'load_dataset("{tmp_path / "a" / "ncimp"}")')


def test_languages_are_those_asked_for_once_each_in_their_order(mini_packs: Path) -> None:
    assert languages(None, mini_packs) == ("en", "pt")
    assert languages(["pt", "en", "pt"], mini_packs) == ("pt", "en")
    with pytest.raises(UsageError, match="'gl'") as caught:
        languages(["en", "gl"], mini_packs)
    assert "use en, pt" in str(caught.value)


def test_an_interrupted_command_says_so_and_ends_with_1(monkeypatch: Patch, capsys: Output) -> None:
    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("ncimp.builder.commands.source.Collection", interrupted)
    assert main(["source", "verify"]) == 1
    assert capsys.readouterr().err == "ncimp source verify: interrupted; run it again to resume\n"


def test_sources_lists_every_input_with_version_licence_and_citation(mini_packs: Path, capsys: Output) -> None:
    assert main(["source", "list", "--inputs", "--packs", str(mini_packs), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == ["pack/en", "wordfreq/en", "pack/pt", "wordfreq/pt"]
    assert [row["licence"] for row in rows] == ["CC-BY-4.0", "CC-BY-SA-4.0"] * 2
    assert "Speer" in rows[1]["citation"]
    assert re.fullmatch("[0-9a-f]{64}", rows[0]["sha256"])
    assert main(["source", "list", "--inputs", "--packs", str(mini_packs), "--lang", "pt"]) == 0
    shown = capsys.readouterr().out
    assert "pack/pt" in shown
    assert "wordfreq/pt" in shown
    assert "pack/en" not in shown


def test_sources_are_the_inputs_of_the_manifest(mini_packs: Path, mini_release: Path, capsys: Output) -> None:
    main(["source", "list", "--inputs", "--packs", str(mini_packs), "--json"])
    manifest = json.loads((mini_release / "manifest.json").read_text("utf-8"))
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == manifest["inputs"]


def test_splits_dry_run_prints_and_writes_nothing(packs_copy: Path, capsys: Output) -> None:
    path = packs_copy / "pt" / "splits.tsv"
    path.write_text("compound\tsplit\nmaçã podre\ttest\n", "utf-8")
    before = {
        entry: (entry.stat().st_mtime_ns, entry.read_bytes()) for entry in packs_copy.rglob("*") if entry.is_file()
    }
    assert main(["pack", "split", "pt", "--packs", str(packs_copy), "--dry-run"]) == 0
    output = capsys.readouterr()
    lines = output.out.splitlines()
    assert lines[0] == "maçã podre\ttest"
    assert [line.split("\t")[0] for line in lines] == [
        "maçã podre",
        "pé-frio",
        "gol de placa",
        "primeira-dama",
        "greve geral",
        "casa de campo",
    ]
    assert output.err.startswith("pt: ")
    assert output.err.endswith("; 5 new\n")
    after = {
        entry: (entry.stat().st_mtime_ns, entry.read_bytes()) for entry in packs_copy.rglob("*") if entry.is_file()
    }
    assert after == before


def test_splits_writes_what_the_dry_run_said_and_then_has_nothing_new(packs_copy: Path, capsys: Output) -> None:
    path = packs_copy / "en" / "splits.tsv"
    path.write_text("compound\tsplit\nrat race\tvalidation\n", "utf-8")
    main(["pack", "split", "en", "--packs", str(packs_copy), "--dry-run"])
    said = capsys.readouterr().out
    assert main(["pack", "split", "en", "--packs", str(packs_copy)]) == 0
    assert capsys.readouterr().out == ""
    assert path.read_text("utf-8") == "compound\tsplit\n" + said
    assert "rat race\tvalidation\n" in said
    written = path.read_bytes()
    assert main(["pack", "split", "en", "--packs", str(packs_copy), "--seed", "other"]) == 0
    assert capsys.readouterr().err.endswith("; 0 new\n")
    assert path.read_bytes() == written


@pytest.mark.slow
def test_the_module_runs_as_a_program_and_passes_its_exit_code_on(tmp_path: Path) -> None:
    """What `ncimp` does once installed, without the tests' own process around it."""
    command = [sys.executable, "-m", "ncimp.builder.cli", "show", "x", "--release", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("ncimp show: ")
    assert "Traceback" not in done.stderr


def test_pack_check_reports_the_incidents_of_packs(packs_copy: Path, tmp_path: Path, capsys: Output) -> None:
    assert main(["pack", "check", "--packs", str(packs_copy), "--data", str(tmp_path / "data")]) == 0
    assert capsys.readouterr().err == "0 incidents, 0 waived\n"
    path = packs_copy / "en" / "synonyms.tsv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("rat race")), "utf-8")
    assert main(["pack", "check", "en", "--packs", str(packs_copy), "--json"]) == 1
    codes = {json.loads(line)["code"] for line in capsys.readouterr().out.splitlines()}
    assert any(code.startswith("K") for code in codes)
