"""A release is loaded only when its manifest, its card and every row are of the version that was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main
from ncimp.evaluator.release import load_release, read_release
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.errors import ReleaseError
from ncimp.schemas.files import file_hash, read_json, write_json

COMPOUNDS = "compounds/test-00000-of-00001.parquet"


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    """Options for `load_dataset`, with a cache of the test's own."""
    return {"cache_dir": str(tmp_path / "cache")}


def keep_manifest_in_step(folder: Path, path: str) -> None:
    told = read_json(folder / "manifest.json")
    for entry in told["files"]:
        if entry["path"] == path:
            entry["sha256"] = file_hash(folder / path)
    write_json(folder / "manifest.json", told)


def mix_in_rows_of_another_release(folder: Path) -> None:
    """Put the last compound of the test split into release 0.2.0, and say nothing of it in manifest and card."""
    rows = read_parquet(folder / COMPOUNDS, "compound")
    rows[-1]["release"] = "0.2.0"
    write_parquet(folder / COMPOUNDS, rows, "compound")
    keep_manifest_in_step(folder, COMPOUNDS)


@pytest.mark.parametrize("version", [None, "0.1.0"])
def test_the_release_that_is_there(mini_release: Path, options: dict[str, Any], version: str | None) -> None:
    loaded = load_release(str(mini_release), "compounds", version=version, **options)
    assert {split: len(part) for split, part in loaded.items()} == {"train": 6, "test": 6}
    assert loaded["test"].to_list() == read_parquet(mini_release / COMPOUNDS)  # names of classes, as in the file


def test_without_a_config_the_pairs(mini_release: Path, options: dict[str, Any]) -> None:
    assert len(load_release(str(mini_release), **options)["test"]) == 390


def test_a_stream_has_the_same_rows(mini_release: Path, options: dict[str, Any]) -> None:
    streamed = load_release(str(mini_release), "compounds", streaming=True, **options)
    loaded = load_release(str(mini_release), "compounds", **options)
    assert {split: list(part) for split, part in streamed.items()} == {
        split: list(part) for split, part in loaded.items()
    }


@pytest.mark.parametrize("streaming", [False, True])
def test_another_version_than_the_manifests(mini_release: Path, options: dict[str, Any], streaming: bool) -> None:
    with pytest.raises(ReleaseError, match=r"this is release '0\.1\.0', not '1\.0\.0'"):
        load_release(str(mini_release), version="1.0.0", streaming=streaming, **options)


def test_rows_of_another_version(release_copy: Path, options: dict[str, Any]) -> None:
    mix_in_rows_of_another_release(release_copy)
    with pytest.raises(ReleaseError) as caught:
        load_release(str(release_copy), "compounds", **options)
    assert str(caught.value).startswith(f"{release_copy}: test: of release '0.2.0', where '0.1.0' is expected; ask for")
    assert caught.value.exit_code == 1


def test_a_row_of_another_version_in_a_stream(release_copy: Path, options: dict[str, Any]) -> None:
    mix_in_rows_of_another_release(release_copy)
    loaded = load_release(str(release_copy), "compounds", streaming=True, **options)
    assert len(list(loaded["train"])) == 6
    rows = iter(loaded["test"])
    for _ in range(5):
        next(rows)
    with pytest.raises(ReleaseError, match=r"of release '0\.2\.0', where '0\.1\.0' is expected"):
        next(rows)


def test_a_card_of_another_version(release_copy: Path, options: dict[str, Any]) -> None:
    card = (release_copy / "README.md").read_text(encoding="utf-8")
    (release_copy / "README.md").write_text(card.replace("version: 0.1.0", "version: 0.3.0"), encoding="utf-8")
    keep_manifest_in_step(release_copy, "README.md")
    with pytest.raises(ReleaseError, match=r"card: of release '0\.3\.0', where '0\.1\.0' is expected"):
        load_release(str(release_copy), "compounds", **options)


def test_a_hub_is_asked_for_the_tag_of_the_version(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    asked: list[tuple[Any, ...]] = []

    def load_dataset(*args: Any, **kwargs: Any) -> dict[str, Any]:
        asked.append((*args, kwargs.pop("revision")))
        return {}

    monkeypatch.setattr("datasets.load_dataset", load_dataset)
    load_release("org/ncimp", "pairs", version="1.2.0", **options)
    load_release("org/ncimp", "pairs", version="1.2.0", revision="0a1b2c", **options)
    assert asked == [("org/ncimp", "pairs", "v1.2.0"), ("org/ncimp", "pairs", "0a1b2c")]


def test_the_evaluator_refuses_another_version(mini_release: Path) -> None:
    assert read_release(mini_release, version="0.1.0").version == "0.1.0"
    with pytest.raises(ReleaseError, match=r"manifest\.json: this is release '0\.1\.0', not '0\.1\.1'"):
        read_release(mini_release, version="0.1.1")


def test_the_command_refuses_another_version(mini_release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--release", str(mini_release), "--expect", "0.1.1", "--vectors", "none.vec"]) == 1
    assert "this is release '0.1.0', not '0.1.1'" in capsys.readouterr().err
