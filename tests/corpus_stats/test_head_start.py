"""The hash of a corpus file that a thread has begun: it is the file's, wherever the thread was stopped."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pytest

from ncimp.corpus_stats import head_start
from ncimp.corpus_stats.head_start import HeadStart
from ncimp.corpus_stats.streams import HashingStream

DATA = bytes(range(256)) * 40


def _hash(head: HeadStart, path: Path, piece: int) -> tuple[str, int]:
    """Return hash and size of the file, read *piece* bytes at a time after *head*."""
    with path.open("rb", buffering=0) as source:
        tap = HashingStream(source, head.end(source))
        while tap.readinto(memoryview(bytearray(piece))):
            pass
    return tap.sha256, tap.size


def _begun(head: HeadStart, size: int) -> None:
    """Wait until *head* has hashed that many bytes."""
    until = time.monotonic() + 10
    while head._size < size:
        assert time.monotonic() < until
        time.sleep(0.001)


@pytest.mark.parametrize("piece", [1, 7, 1000, 20_000])
@pytest.mark.parametrize("stop", [0, 1, 12, 1024])
def test_the_hash_is_the_files_wherever_the_head_start_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int, stop: int
) -> None:
    path = tmp_path / "corpus.vert"
    path.write_bytes(DATA)
    monkeypatch.setattr(head_start, "_CHUNK", 10)
    with HeadStart([str(path)]) as head:
        _begun(head, 10 * stop)
        found = _hash(head, path, piece)
    assert found == (hashlib.sha256(DATA).hexdigest(), len(DATA))
    assert 10 * stop <= head._size <= len(DATA)


def test_what_was_hashed_of_a_file_that_has_changed_is_of_no_use(tmp_path: Path) -> None:
    path, other = tmp_path / "corpus.vert", tmp_path / "other.vert"
    path.write_bytes(DATA)
    other.write_bytes(DATA[::-1])
    with HeadStart([str(path)]) as head:
        _begun(head, len(DATA))
        other.replace(path)
        assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA[::-1]).hexdigest()
    with HeadStart([str(path)]) as head:
        _begun(head, len(DATA))
        path.write_bytes(DATA)
        os.utime(path, ns=(1, 1))  # a clock of coarse steps would not tell
        assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA).hexdigest()


@pytest.mark.parametrize("name", ["-", "hf:user/corpus", "none.vert", "."])
def test_what_is_no_file_gets_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpus.vert"
    path.write_bytes(DATA)
    with HeadStart([name]) as head:
        assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA).hexdigest()
    assert head._size == 0


def test_a_file_that_cannot_be_read_is_left_to_who_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(path)

    path = tmp_path / "corpus.vert"
    path.write_bytes(DATA)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", fail)
        with HeadStart([str(path)]) as head:
            head._thread.join()
    assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA).hexdigest()
