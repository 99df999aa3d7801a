"""The parts of a build: one stage and its record, the hash of the code, a workshop, and where a build may write."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.build import stages
from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.build.stages import Build, Stage, build_release, code_hash
from ncimp.builder.cli import main
from ncimp.builder.commands.validate import check
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import Context
from ncimp.builder.release.tables import release_compounds
from ncimp.schemas.errors import ReleaseError, SourceError
from ncimp.schemas.files import write_text
from tests.release.small_world import small_packs

Output = pytest.CaptureFixture[str]


def test_a_stage_runs_when_its_inputs_code_outputs_or_files_change(tmp_path: Path) -> None:
    runs: list[str] = []

    def made(**changes: object) -> Stage:
        def make(folder: Path) -> None:
            runs.append("ran")
            for name in known["outputs"]:
                write_text(folder / name, "text")

        known: dict[str, Any] = {
            "name": "step",
            "rooms": ["filling"],
            "inputs": {"a": "1"},
            "outputs": ["one.txt"],
            "make": make,
        }
        known |= changes
        return Stage(**known)

    def ran(stage: Stage) -> bool:
        before, reports = len(runs), list[tuple[str, bool]]()
        hashes = stage.run(tmp_path, lambda name, reused: reports.append((name, reused)))
        assert list(hashes) == [f"step/{name}" for name in stage.outputs]
        assert reports == [("step", len(runs) == before)]
        return len(runs) > before

    assert ran(made())
    assert not ran(made())
    assert ran(made(inputs={"a": "2"}))
    assert ran(made(inputs={"a": "2", "b": "1"}))
    assert ran(made(rooms=["selection"], inputs={"a": "2", "b": "1"}))
    assert ran(made())
    assert ran(made(outputs=["one.txt", "two.txt"]))
    assert ran(made(outputs=["one.txt"]))
    assert ran(made(outputs=["one.txt", "two.txt"]))
    (tmp_path / "step" / "two.txt").write_text("other")
    assert ran(made(outputs=["one.txt", "two.txt"]))
    assert not ran(made(outputs=["one.txt", "two.txt"]))


def test_a_stage_that_fails_is_not_recorded(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        write_text(folder / "one.txt", "half")
        raise ReleaseError("half way")

    stage = Stage("step", ["filling"], {}, ["one.txt"], fail)
    for _ in range(2):
        with pytest.raises(ReleaseError):
            stage.run(tmp_path, lambda *_: None)
        assert not (tmp_path / "step" / "stage.json").exists()


def test_a_stage_removes_what_it_left_half_written_and_nothing_else(tmp_path: Path) -> None:
    """A work folder may be any folder: `--work .` must not cost a `.gitkeep` or a hidden folder."""
    folder = tmp_path / "step"
    (folder / ".git").mkdir(parents=True)
    for name in (".gitkeep", ".one.txt.k2j3h4g5", ".stage.json.abcdefgh"):
        (folder / name).write_text("text", "utf-8")
    stage = Stage("step", ["filling"], {}, ["one.txt"], lambda folder: write_text(folder / "one.txt", "text"))
    stage.run(tmp_path, lambda *_: None)
    assert sorted(path.name for path in folder.iterdir()) == [".git", ".gitkeep", "one.txt", "stage.json"]


def test_the_code_hash_follows_the_rooms_and_what_lies_below_them(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = code_hash(["filling"])
    assert plain == code_hash(["filling"])
    assert len({plain, code_hash(["selection"]), code_hash(["filling", "selection"])}) == 3
    seen: list[str] = []

    def told(path: Path) -> str:
        seen.append(f"{path.parent.name}/{path.name}")
        return path.name

    monkeypatch.setattr(stages, "file_hash", told)
    code_hash(["corpus_stats"])
    assert "store/store.py" in seen
    seen.clear()
    code_hash(["release"])
    assert {
        "build/stages.py",
        "build/resources.py",
        "schemas/arrow.py",
        "tables/item.schema.json",
    } <= set(seen)
    assert {"release/card.py", "resources/dataset_card.md", "records/release.py"} <= set(seen)
    assert not [name for name in seen if name.startswith(("filling/", "validation/")) or name.endswith(".pyc")]


def test_a_workshop_reads_a_pack_once_and_names_its_sources(mini_langs: dict[str, LanguageResources]) -> None:
    shop = mini_langs["pt"]
    assert shop.pack is shop.pack
    assert shop.morphology is shop.morphology
    assert [source.name for source in shop.sources()] == ["pack/pt", "wordfreq/pt"]
    assert set(shop.hashes) == {f"pt/{path.name}" for path in shop.folder.iterdir()}
    assert {row.context for row in shop.pack.contexts if isinstance(row, Context)} == {"nat1", "nat2", "nat3"}


def test_the_synonyms_of_a_compound_come_by_rank_whatever_their_order_in_the_pack(
    mini_langs: dict[str, LanguageResources],
) -> None:
    pack = mini_langs["pt"].pack
    zipf = {word: 1.0 for row in pack.compounds for word in (row.modifier, row.head)}
    turned = replace(pack, synonyms=pack.synonyms[::-1])
    rows = release_compounds(turned, zipf, "none", release="1.0.0")
    assert rows == release_compounds(pack, zipf, "none", release="1.0.0")
    told = {row.compound: [synonym.text for synonym in row.synonyms] for row in rows}
    ranked = [row.text for row in pack.synonyms if row.compound == "pé-frio"]
    assert told["pé-frio"] == ranked
    assert len(ranked) == 3


def test_a_workshop_says_which_file_a_pack_lacks(packs_copy: Path, tmp_path: Path) -> None:
    (packs_copy / "en" / "lexicon.xml").unlink()
    made = Build(("en",), packs_copy, tmp_path / "ncimp", tmp_path / "work", BuildOptions())
    with pytest.raises(SourceError, match=r"the pack has no lexicon\.xml"):
        build_release(made, lambda *_: None)


def _command(packs: Path, out: Path) -> int:
    return main(["build", "--packs", str(packs), "--lang", "en", "--out", str(out)])


@pytest.mark.parametrize("foreign", ["notes.txt", "manifest.json"])
def test_a_folder_that_is_no_release_is_refused_and_left_alone(
    mini_packs: Path, tmp_path: Path, capsys: Output, foreign: str
) -> None:
    """A `manifest.json` alone makes no release: web extensions and many others have one."""
    out = tmp_path / "precious"
    out.mkdir()
    (out / foreign).write_text(json.dumps({"name": "my web page", "files": []}), "utf-8")
    (out / "diary.txt").write_text("dear diary", "utf-8")
    code = _command(small_packs(mini_packs, tmp_path / "packs"), out)
    assert (out / "diary.txt").read_text("utf-8") == "dear diary"
    assert code == 2
    assert "exists and is not a release; name another folder" in capsys.readouterr().err


def test_a_file_in_the_place_of_the_release_is_refused(mini_packs: Path, tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "ncimp").write_text("a file", "utf-8")
    assert _command(mini_packs, tmp_path / "ncimp") == 2
    assert (tmp_path / "ncimp").read_text("utf-8") == "a file"
    assert capsys.readouterr().err.count("\n") == 1


def test_an_empty_folder_becomes_the_release(mini_packs: Path, tmp_path: Path) -> None:
    packs = small_packs(mini_packs, tmp_path / "packs")
    (tmp_path / "ncimp").mkdir()
    assert _command(packs, tmp_path / "ncimp") == 0
    found, verified = check(tmp_path / "ncimp", packs)
    assert (found, len(verified.tables.items)) == ([], 210)
