"""What the repository promises of itself, looked at in its files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ncimp
from ncimp.builder.build.stages import STAGES
from ncimp.schemas.records import SUFFIX, load_schema

ROOT = Path(__file__).parents[2]
TABLES = sorted(path.name.removesuffix(SUFFIX) for path in (ROOT / "schemas" / "tables").iterdir())
COMPLETE = ("annotation", "compound", "item", "pair", "released_annotation", "score", "standoff")
"""Tables in which every column is required, so that no cell is forgotten silently; a missing value is null."""
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def tracked() -> list[Path]:
    done = subprocess.run(("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S607
    if done.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name]


def test_the_version_is_the_newest_of_the_changelog() -> None:
    code = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n# Code\n")[1]
    newest = re.search(r"^## (\d+\.\d+\.\d+)", code, re.MULTILINE)
    assert newest is not None
    assert newest[1] == ncimp.__version__


def test_the_changelog_says_whether_released_items_change() -> None:
    data = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n# Data\n")[1].split("\n# Code\n")[0]
    for section in re.split(r"^## ", data, flags=re.MULTILINE)[1:]:
        assert section.split("\n")[2].startswith("Released items change: "), section


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_inside_the_documentation_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (path.parent / target).exists(), target


def test_the_stages_of_the_explanation_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "explanation" / "design.md").read_text(encoding="utf-8")
    assert re.findall(r"^\d\. \*\*(\w+)\*\*", text, re.MULTILINE) == list(STAGES)


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_every_schema_is_described(name: str) -> None:
    def walk(schema: dict[str, Any], path: str) -> None:
        for column, part in schema.get("properties", {}).items():
            assert str(part.get("description", "")).endswith("."), f"{path}/{column}"
            walk(part, f"{path}/{column}")
        if isinstance(schema.get("items"), dict):
            walk(schema["items"], f"{path}[]")

    walk(load_schema(name), name)


@pytest.mark.parametrize("name", COMPLETE)
def test_every_column_of_a_released_table_is_required(name: str) -> None:
    schema = load_schema(name)
    assert set(schema["properties"]) == set(schema["required"])


def test_no_file_names_a_machine_or_is_too_large() -> None:
    places = ("wo" + "rk/(?:main|shared)", "ro" + "ot", "ho" + r"me/\w+")
    path_of_a_machine = re.compile("/(?:" + "|".join(places) + ")/")
    for path in tracked():
        if path.is_file() and not path.is_symlink():
            assert path.stat().st_size < 1_500_000, path
            text = path.read_bytes().decode("utf-8", errors="ignore")
            assert path_of_a_machine.search(text) is None, path


def test_nothing_is_left_unfinished() -> None:
    marks = re.compile(r"\b(?:TODO|FIXME|XXX)\b|raise NotImplementedError|pytest\.mark\.(?:skip|xfail)")
    for path in tracked():
        if path.suffix == ".py" and path != Path(__file__) and "tests" not in path.relative_to(ROOT).parts[:1]:
            assert marks.search(path.read_text(encoding="utf-8")) is None, path


def test_the_root_holds_nothing_that_hides_the_release() -> None:
    assert not (ROOT / "ncimp.py").exists()
    assert not list((ROOT / "ncimp").glob("*.py"))
    assert "/ncimp/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
