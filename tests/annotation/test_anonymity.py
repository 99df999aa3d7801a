"""Who gave an answer stays with whoever holds the salt."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from ncimp.builder.annotation.answers.returned import Pseudonyms, read_salt
from ncimp.schemas.errors import SourceError, UsageError


def salt_at(path: Path) -> bytes:
    """The salt in *path*, for a campaign that does not exist yet."""
    return read_salt(path, path.parent / "campaign", is_new=True)


def test_a_salt_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "salt"
    made = salt_at(path)
    assert len(made) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert salt_at(path) == made
    assert salt_at(tmp_path / "other") != made


def test_a_salt_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        salt_at(tmp_path / "salt")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "salt").stat().st_mode) == 0o600


def test_a_salt_inside_a_release_is_refused_and_not_made(tmp_path: Path) -> None:
    release = tmp_path / "ncimp"
    (release / "data").mkdir(parents=True)
    (release / "manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"inside .*ncimp, which is a release"):
        salt_at(release / "data" / "salt")
    assert not (release / "data" / "salt").exists()


def test_a_salt_inside_the_campaign_is_refused_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"inside .*campaign, which is the campaign") as caught:
        read_salt(tmp_path / "campaign" / "salt", tmp_path / "campaign", is_new=True)
    assert caught.value.fix == "name a file outside with --salt"
    assert list(tmp_path.iterdir()) == []


def test_a_salt_is_made_for_a_new_campaign_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no salt .*typo, and .*campaign was made with one"):
        read_salt(tmp_path / "typo", tmp_path / "campaign", is_new=False)
    assert list(tmp_path.iterdir()) == []


def test_git_takes_no_record_that_names_annotators() -> None:
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        pytest.skip("not a checkout")
    names = ("pilot.launch/turkle-a/collected.csv", "deep/my.salt", "pilot/key.jsonl")
    git = ["git", "check-ignore", *names]
    done = subprocess.run(git, cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == list(names)


def test_a_salt_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "salt"
    salt_at(path)
    path.chmod(0o640)
    with pytest.raises(SourceError, match="mode 640") as caught:
        salt_at(path)
    assert caught.value.fix == f"chmod 600 {path}"


def test_a_file_that_is_no_salt_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes", encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(SourceError, match="not a salt"):
        salt_at(path)
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
