"""Who gave an answer stays with whoever holds the salt."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ncimp.builder.annotation.answers.returned import Pseudonyms, read_salt
from ncimp.schemas.errors import SourceError, UsageError


def test_a_salt_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "salt"
    made = read_salt(path)
    assert len(made) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_salt(path) == made
    assert read_salt(tmp_path / "other") != made


def test_a_salt_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        read_salt(tmp_path / "salt")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "salt").stat().st_mode) == 0o600


def test_a_salt_inside_a_release_is_refused_and_not_made(tmp_path: Path) -> None:
    release = tmp_path / "ncimp"
    (release / "data").mkdir(parents=True)
    (release / "manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"inside .*ncimp, which is a release"):
        read_salt(release / "data" / "salt")
    assert not (release / "data" / "salt").exists()


def test_a_salt_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "salt"
    read_salt(path)
    path.chmod(0o640)
    with pytest.raises(SourceError, match="mode 640") as caught:
        read_salt(path)
    assert caught.value.fix == f"chmod 600 {path}"


def test_a_file_that_is_no_salt_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes", encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(SourceError, match="not a salt"):
        read_salt(path)
    assert path.read_text(encoding="utf-8") == "my notes"


def test_ids_tell_people_services_and_salts_apart() -> None:
    one, other = Pseudonyms(b"one"), Pseudonyms(b"other")
    ids = {
        one.annotator("mturk", "A1"),
        one.annotator("mturk", "A2"),
        one.annotator("turkle", "A1"),
        one.assignment("mturk", "A1"),
        other.annotator("mturk", "A1"),
    }
    assert len(ids) == 5
    assert all(len(name) == 16 and set(name) <= set("0123456789abcdef") for name in ids)
    assert one.annotator("mturk", "A1") == Pseudonyms(b"one").annotator("mturk", "A1")
