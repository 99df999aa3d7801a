"""The hash of a corpus file that a thread has begun: it is the file's, wherever the thread was stopped."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from pathlib import Path

import pytest

from ncimp.corpus_stats.counting.run import RunOptions, count_files
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.readers import streams
from ncimp.corpus_stats.readers.streams import HashingStream, HeadStart
from ncimp.corpus_stats.store.header import read_header
from ncimp.schemas.errors import SourceError

DATA = bytes(range(256)) * 40


def _hash(head: HeadStart, path: Path, piece: int) -> tuple[str, int]:
    """Return hash and size of the file, read *piece* bytes at a time after *head*."""
    with path.open("rb", buffering=0) as source:
        tap = HashingStream(source, head.begun(source))
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
    monkeypatch.setattr(streams, "_CHUNK", 10)
    with HeadStart(str(path)) as head:
        _begun(head, 10 * stop)
    assert 10 * stop <= head._size <= len(DATA)
    for _ in range(2):  # two may go on from the same head start
        assert _hash(head, path, piece) == (hashlib.sha256(DATA).hexdigest(), len(DATA))


def test_what_was_hashed_of_a_file_that_has_changed_is_of_no_use(tmp_path: Path) -> None:
    path, other = tmp_path / "corpus.vert", tmp_path / "other.vert"
    path.write_bytes(DATA)
    other.write_bytes(DATA[::-1])
    with HeadStart(str(path)) as head:
        _begun(head, len(DATA))
    other.replace(path)
    assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA[::-1]).hexdigest()
    with HeadStart(str(path)) as head:
        _begun(head, len(DATA))
    path.write_bytes(DATA)
    os.utime(path, ns=(1, 1))  # a clock of coarse steps would not tell
    assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA).hexdigest()


@pytest.mark.parametrize("name", [None, "hf:user/corpus", "none.vert", "."])
def test_what_is_no_file_gets_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpus.vert"
    path.write_bytes(DATA)
    with HeadStart(name) as head:
        pass
    assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA).hexdigest()
    assert head._size == 0


def test_a_file_that_cannot_be_read_is_left_to_who_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(path)

    path = tmp_path / "corpus.vert"
    path.write_bytes(DATA)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", fail)
        with HeadStart(str(path)) as head:
            pass
    assert _hash(head, path, 1000)[0] == hashlib.sha256(DATA).hexdigest()


def test_after_an_error_nobody_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, given = threading.Event(), threading.Event()

    def hang(_: HeadStart) -> None:
        asked.set()
        given.wait(10)

    monkeypatch.setattr(HeadStart, "_hash", hang)
    path = tmp_path / "corpus.vert"
    path.write_bytes(DATA)
    head = HeadStart(str(path))
    head.__enter__()
    assert asked.wait(10)
    head.__exit__(ValueError, ValueError("early"), None)
    assert head._thread.is_alive()
    given.set()
    head._thread.join()


LINES = b"1\tRats\trat\tNOUN\t_\t_\t0\troot\t_\t_\n\n" * 50
JOB = Job("en", "conllu")


def _half(path: Path, monkeypatch: pytest.MonkeyPatch) -> HeadStart:
    """Return a head start of the first hundred bytes of *path*."""
    monkeypatch.setattr(streams, "_CHUNK", 100)
    with HeadStart(str(path)) as head:
        _begun(head, 100)
    head._digest, head._size = hashlib.sha256(path.read_bytes()[:100]), 100
    return head


def test_a_file_named_twice_is_refused_also_after_a_head_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "corpus.conllu"
    path.write_bytes(LINES)
    with pytest.raises(SourceError, match="has the same bytes"):
        count_files([str(path)] * 2, tmp_path / "stats", JOB, head=_half(path, monkeypatch))


def test_a_file_that_changes_while_it_is_counted_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "corpus.conllu"
    path.write_bytes(LINES)
    head = _half(path, monkeypatch)
    options = RunOptions(workers=1, progress=lambda _: os.utime(path, ns=(1, 1)))
    with pytest.raises(SourceError, match="changed while it was counted"):
        count_files([str(path)], tmp_path / "stats", JOB, options, head)
    assert not (tmp_path / "stats").exists()
    count_files([str(path)], tmp_path / "stats", JOB, options)
    assert read_header(tmp_path / "stats").sources[0].sha256 == hashlib.sha256(LINES).hexdigest()
