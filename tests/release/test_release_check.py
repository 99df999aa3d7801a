"""`RELEASING.md` and the script that runs it: every command exists, the order is kept, the first mismatch stops it."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ncimp.builder.cli import make_parser

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "release_check.py"
CHECKLIST = (ROOT / "RELEASING.md").read_text("utf-8")
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src")}
LISTED = """# Releasing

- [ ] Write a file for {release}.

      python -c "open('{release}.txt', 'w').close()"

- [ ] By hand: look at it.

- [ ] The previous one is there.

      python -c "open('{previous}')"

- [ ] It is {folder}.

      python -c "import sys; sys.exit('{folder}' != 'ncimp')"

- [ ] The end.

      python -c "open('end.txt', 'w').close()"
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_check", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def checked(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def test_every_step_runs_in_order_and_what_is_for_a_person_is_told(tmp_path: Path) -> None:
    (tmp_path / "RELEASING.md").write_text(LISTED, "utf-8")
    (tmp_path / "old").write_text("", "utf-8")
    done = checked("1.2.3", "--root", str(tmp_path), "--previous", "old")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if line[0].isdigit()]
    assert told[0] == "1. Write a file for 1.2.3."
    assert [line.split(".")[0] for line in told] == list("12345")
    assert done.stdout.count("for a person") == 1
    assert (tmp_path / "1.2.3.txt").is_file()
    assert (tmp_path / "end.txt").is_file()


def test_the_first_mismatch_stops_it(tmp_path: Path) -> None:
    (tmp_path / "RELEASING.md").write_text(LISTED, "utf-8")
    done = checked("1.2.3", "--root", str(tmp_path), "--out", "other")
    assert done.returncode == 1
    assert "left out: there is no previous release" in done.stdout
    assert "stopped: the command ended with 1" in done.stderr
    assert not (tmp_path / "end.txt").exists()


def test_a_command_that_is_not_there_stops_it(tmp_path: Path) -> None:
    (tmp_path / "RELEASING.md").write_text("- [ ] Nothing.\n\n      no-such-command-here\n", "utf-8")
    done = checked("1.2.3", "--root", str(tmp_path))
    assert (done.returncode, "there is no command" in done.stderr) == (1, True)


def test_the_commands_of_the_list_are_ours_and_take_these_options(script: ModuleType) -> None:
    values = {"release": "1.0.0", "folder": "ncimp", "previous": "old"}
    commands = [shlex.split(script.fill(step.command, values)) for step in script.steps(CHECKLIST) if step.command]
    ours = [words[1:] for words in commands if words[0] == "ncimp"]
    assert [words[0] for words in ours] == ["build", "build", "validate", "validate", "diff"]
    for words in ours:
        assert make_parser().parse_args(words).command_path == f"ncimp {words[0]}"
    assert len(list(script.steps(CHECKLIST))) == CHECKLIST.count("- [ ] ")
    assert sum(line.startswith("      ") for line in CHECKLIST.splitlines()) == len(commands)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("## 1.0.0 (2027-03-01)\n\nReleased items change: none.\n", None),
        ("## 1.0.0 (unreleased)\n\nReleased items change: none.\n", "has no heading"),
        ("## 1.0.1 (2027-03-01)\n\nReleased items change: none.\n", "has no heading"),
        ("## 1.0.0 (2027-03-01)\n\n- Something.\n", "does not begin with"),
    ],
)
def test_the_changelog_has_to_tell_of_the_version(script: ModuleType, section: str, words: str | None) -> None:
    other = "\n# Code\n\n## 1.0.0 (2027-03-01)\n\nReleased items change: none.\n"
    fault = script.changelog_fault(f"# Changelog\n\n# Data\n\n{section}{other}", "1.0.0")
    assert fault is None if words is None else words in fault


def test_a_version_that_nobody_wrote_about_is_refused(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n# Data\n\n# Code\n", "utf-8")
    assert checked("9.9.9", "--only-changelog", "--root", str(tmp_path)).returncode == 1
