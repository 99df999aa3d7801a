"""Corpus files as lines: compression, standard input, encodings, identity, and what is said when one is damaged."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import sys
from pathlib import Path

import pytest

from ncimp.corpus_stats.readers import streams
from ncimp.corpus_stats.readers.formats import Corpus, Reading
from ncimp.schemas.errors import SourceError, UsageError

TEXT = "one\ntwo three\r\n\nsísmico"
LINES = [(1, "one"), (2, "two three"), (3, ""), (4, "sísmico")]
BYTES = TEXT.encode()


def written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def message(path: str, encoding: str = "utf-8") -> str:
    with pytest.raises(SourceError) as caught:
        list(Corpus(path, "text", Reading(encoding)).lines())
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [("c.txt", BYTES), ("c.txt.gz", gzip.compress(BYTES, mtime=0)), ("c.txt.xz", lzma.compress(BYTES))],
    ids=["plain", "gzip", "xz"],
)
def test_plain_gzip_and_xz_give_the_same_lines_and_the_hash_of_the_stored_bytes(
    tmp_path: Path, name: str, content: bytes
) -> None:
    file = Corpus(written(tmp_path / name, content), "text")
    assert list(file.lines()) == LINES
    assert (file.facts.sha256, file.facts.bytes) == (hashlib.sha256(content).hexdigest(), len(content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("padded.gz", gzip.compress(BYTES, mtime=0) + b"\0" * 3_000_000),
        ("tail.xz", lzma.compress(BYTES) + b"tail" * 1_000_000),
    ],
    ids=["gzip", "xz"],
)
def test_bytes_after_the_compressed_stream_belong_to_the_hash(tmp_path: Path, name: str, content: bytes) -> None:
    file = Corpus(written(tmp_path / name, content), "text")
    assert list(file.lines()) == LINES
    assert (file.facts.sha256, file.facts.bytes) == (hashlib.sha256(content).hexdigest(), len(content))


def test_gzip_of_several_members_is_read_to_its_end(tmp_path: Path) -> None:
    path = written(tmp_path / "c.gz", gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert list(Corpus(path, "text").lines()) == [(1, "one"), (2, "two")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BYTES)))
    file = Corpus("-", "text")
    assert list(file.lines()) == LINES
    assert (file.name, file.facts.bytes) == ("stdin", len(BYTES))
    assert not sys.stdin.closed


def test_byte_order_mark_is_dropped_at_the_start_only(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", "\ufeffone\n\ufefftwo".encode())
    assert list(Corpus(path, "text").lines()) == [(1, "one"), (2, "\ufefftwo")]


def test_only_lf_ends_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", "a\u2028b\x85c\x0bd\n".encode())
    assert [number for number, _ in Corpus(path, "text").lines()] == [1]


def test_latin_1_is_read_when_it_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", "abalo sísmico".encode("latin-1"))
    assert list(Corpus(path, "text", Reading("latin-1")).lines()) == [(1, "abalo sísmico")]


def test_a_byte_of_another_encoding_is_an_error_with_line_and_column(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", b"one\nabalo s\xedsmico\n")
    assert message(path) == (
        f"{path}:2:8: byte 0xed is not utf-8; name the file's encoding with --encoding "
        "(older web corpora are often latin-1), or mend the line"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-99", "cp037", "rot13"])
def test_encodings_that_cannot_be_cut_into_lines_are_refused(encoding: str) -> None:
    with pytest.raises(UsageError, match=f"cannot read the encoding '{encoding}'; name one that"):
        Corpus("c.txt", "text", Reading(encoding))


def test_a_missing_file(tmp_path: Path) -> None:
    path = str(tmp_path / "none.txt")
    assert message(path) == f"{path}: no such file; check the path"


def test_a_folder(tmp_path: Path) -> None:
    assert message(str(tmp_path)) == f"{tmp_path}: cannot be read (Is a directory); check the path"


@pytest.mark.parametrize(
    ("suffix", "packed"),
    [("gz", gzip.compress(BYTES * 99, mtime=0)), ("xz", lzma.compress(BYTES * 99))],
    ids=["gzip", "xz"],
)
def test_a_truncated_archive(tmp_path: Path, suffix: str, packed: bytes) -> None:
    path = written(tmp_path / f"c.{suffix}", packed[:-9])
    assert "cannot be read to its end (Compressed file ended before" in message(path)
    assert message(path).endswith("; copy or download it again")


@pytest.mark.parametrize("suffix", ["gz", "xz"])
def test_a_file_that_is_no_archive(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"c.{suffix}", BYTES)
    assert message(path).startswith(f"{path}:1: cannot be read to its end (")


def test_a_line_that_would_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LINE", 8)
    path = written(tmp_path / "c.txt", b"1234567\n12345678\n")
    assert message(path) == f"{path}:2: line of more than 8 bytes; is it text with one sentence or token a line?"


def test_facts_wait_for_the_end_of_the_file(tmp_path: Path) -> None:
    file = Corpus(written(tmp_path / "c.txt", BYTES), "text")
    lines = file.lines()
    next(lines)
    with pytest.raises(RuntimeError, match="has not been read to its end"):
        _ = file.facts
    list(lines)
    assert file.facts.bytes == len(BYTES)
