"""One folder in the place of another: in one step, without that step, and after a kill."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from ncimp.schemas import files
from ncimp.schemas.files import exchange, previous_name, recover, replace_folder


class KilledError(BaseException):
    """Stands for a signal that ends the process."""


def make(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def content(path: Path) -> dict[str, str]:
    return {entry.name: entry.read_text(encoding="utf-8") for entry in path.iterdir()}


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return make(tmp_path / "new", a="new", b="new")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return make(tmp_path / "ncimp", a="old", c="old")


@pytest.fixture
def no_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "exchange", lambda _one, _other: False)


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the system cannot exchange folders")
def test_two_folders_change_places_in_one_step(new: Path, target: Path) -> None:
    if not exchange(new, target):
        pytest.skip("this file system cannot exchange folders")
    assert content(target) == {"a": "new", "b": "new"}
    assert content(new) == {"a": "old", "c": "old"}


def test_an_exchange_with_nothing_is_refused_and_changes_nothing(tmp_path: Path, new: Path) -> None:
    assert exchange(new, tmp_path / "absent") is False
    assert os.listdir(tmp_path) == ["new"]  # noqa: PTH208
    assert content(new) == {"a": "new", "b": "new"}


def test_a_system_without_the_call_says_so(new: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "freebsd14")
    assert exchange(new, target) is False
    assert content(target) == {"a": "old", "c": "old"}


def test_a_folder_comes_to_a_place_that_was_empty(tmp_path: Path, new: Path) -> None:
    replace_folder(new, tmp_path / "ncimp")
    assert os.listdir(tmp_path) == ["ncimp"]  # noqa: PTH208
    assert content(tmp_path / "ncimp") == {"a": "new", "b": "new"}


def test_the_old_folder_is_gone_and_nothing_of_it_is_mixed_in(tmp_path: Path, new: Path, target: Path) -> None:
    replace_folder(new, target)
    assert os.listdir(tmp_path) == ["ncimp"]  # noqa: PTH208
    assert content(target) == {"a": "new", "b": "new"}


@pytest.mark.usefixtures("no_exchange")
def test_without_an_exchange_the_result_is_the_same(tmp_path: Path, new: Path, target: Path) -> None:
    replace_folder(new, target)
    assert os.listdir(tmp_path) == ["ncimp"]  # noqa: PTH208
    assert content(target) == {"a": "new", "b": "new"}


def test_the_exchange_is_used_where_there_is_one(new: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, Path]] = []

    def exchanged(one: Path, other: Path) -> bool:
        asked.append((one, other))
        return exchange(one, other)

    monkeypatch.setattr(files, "exchange", exchanged)
    replace_folder(new, target)
    assert asked == [(new, target)]


def kill_at_rename_to(wanted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def killed(self: Path, other: Path) -> Path:
        if other == wanted:
            raise KilledError
        return rename(self, other)

    monkeypatch.setattr(Path, "rename", killed)


@pytest.mark.usefixtures("no_exchange")
def test_a_kill_between_the_two_renames_loses_nothing(new: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        kill_at_rename_to(target, patch)
        with pytest.raises(KilledError):
            replace_folder(new, target)
    assert not target.exists()
    assert content(previous_name(target)) == {"a": "old", "c": "old"}
    assert recover(target) is True
    assert content(target) == {"a": "old", "c": "old"}
    assert not previous_name(target).exists()
    replace_folder(new, target)
    assert content(target) == {"a": "new", "b": "new"}


@pytest.mark.usefixtures("no_exchange")
def test_a_kill_after_the_two_renames_keeps_the_new_folder(
    tmp_path: Path, new: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_path: Path, ignore_errors: bool = False) -> None:
        if not ignore_errors:
            raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed)
        with pytest.raises(KilledError):
            replace_folder(new, target)
    assert recover(target) is False
    assert content(target) == {"a": "new", "b": "new"}
    replace_folder(make(tmp_path / "newer", a="newer"), target)
    assert os.listdir(tmp_path) == ["ncimp"]  # noqa: PTH208
    assert content(target) == {"a": "newer"}


def test_there_is_nothing_to_recover_after_an_ordinary_end(tmp_path: Path, target: Path) -> None:
    assert recover(target) is False
    assert recover(tmp_path / "absent") is False
    assert os.listdir(tmp_path) == ["ncimp"]  # noqa: PTH208


def test_the_old_folder_waits_beside_its_place_and_out_of_sight(target: Path) -> None:
    assert previous_name(target) == target.parent / ".ncimp.previous"


@pytest.mark.parametrize("possible", [True, False])
def test_a_link_to_the_release_folder_is_replaced_without_a_traceback(
    tmp_path: Path, new: Path, target: Path, possible: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(target)
    if not possible:
        monkeypatch.setattr(files, "exchange", lambda _one, _other: False)
    replace_folder(new, link)
    assert content(link) == {"a": "new", "b": "new"}
    assert link.is_symlink()
    assert not new.exists()


@pytest.mark.usefixtures("no_exchange")
def test_what_a_link_pointed_at_is_put_back_after_a_kill(
    tmp_path: Path, new: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(target)
    with monkeypatch.context() as patch:
        kill_at_rename_to(target, patch)
        with pytest.raises(KilledError):
            replace_folder(new, link)
    assert recover(link) is True
    assert content(link) == content(target) == {"a": "old", "c": "old"}
