"""Corpus files as numbered lines: plain, gzip or xz, or standard input; hashed while they are read.

A corpus may be larger than memory and may come through a pipe, so every file is read once, line by
line, and its sha256 and size are those of the bytes as stored (what `sha256sum` prints).
"""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, Protocol, cast

from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.hashing import CHUNK

STDIN = "-"
"""The file name that stands for standard input."""

MAX_LINE = 1 << 24
"""Longest line in bytes (16 MiB). A longer one is not a sentence or token, and would fill the memory."""

COMPRESSED_SUFFIXES = (".gz", ".xz")
"""Suffixes by which compressed files are known."""

_DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)

Line = tuple[int, str]
"""A line's number (from 1) and its text without line end."""


class ByteSource(Protocol):
    """What bytes come from: a file opened unbuffered, or the buffer of standard input."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill *buffer* and return how many bytes were read; 0 at the end."""
        ...


class HashingStream(io.RawIOBase):
    """A byte stream that hashes and counts what passes through it."""

    def __init__(self, source: ByteSource) -> None:
        super().__init__()
        self._source = source
        self._digest = hashlib.sha256()
        self.size = 0
        """Bytes read so far."""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill *buffer* from the source and return how many bytes that were."""
        got = self._source.readinto(buffer) or 0
        self._digest.update(memoryview(buffer)[:got])
        self.size += got
        return got

    def drain(self) -> None:
        """Read what a decompressor left unread, so that hash and size are the whole file's."""
        while self.read(CHUNK):
            pass

    @property
    def sha256(self) -> str:
        """Return the sha256 (hex) of the bytes read so far."""
        return self._digest.hexdigest()


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Identity of a file that has been read to its end."""

    sha256: str
    bytes: int


class CorpusFile:
    """One corpus file; `lines` may be gone through once, and `facts` are known after that."""

    def __init__(self, path: str, *, encoding: str = "utf-8") -> None:
        check_encoding(encoding)
        self._path = path
        self._encoding = encoding
        self._facts: FileFacts | None = None

    @property
    def name(self) -> str:
        """Return the file's name for messages: its path as given, or `stdin`."""
        return "stdin" if self._path == STDIN else self._path

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `lines` were read."""
        if self._facts is None:
            raise RuntimeError("the file has not been read to its end")
        return self._facts

    def lines(self) -> Iterator[Line]:
        """Yield (number, text) for each line; CR LF and LF end a line, a leading byte order mark is dropped."""
        with self._open() as source:
            tap = HashingStream(cast(ByteSource, source))
            number = 0
            for number, raw in enumerate(self._raw_lines(tap), start=1):
                yield number, self._decoded(raw, number)
            self._facts = FileFacts(tap.sha256, tap.size)

    def _open(self) -> AbstractContextManager[IO[bytes]]:
        if self._path == STDIN:
            return nullcontext(sys.stdin.buffer)  # ours to read, not to close
        try:
            return Path(self._path).open("rb", buffering=0)
        except FileNotFoundError:
            raise SourceError("no such file", fix="check the path", place=Place(self.name)) from None
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise SourceError(what, fix="check the path", place=Place(self.name)) from None

    def _raw_lines(self, tap: HashingStream) -> Iterator[bytes]:
        number = 0
        try:
            with self._decompressed(tap) as stream:
                while line := stream.readline(MAX_LINE + 1):
                    number += 1
                    self._check_length(line, number)
                    yield line
                tap.drain()
        except _DAMAGE as error:
            what = f"cannot be read to its end ({error})"
            raise SourceError(what, fix="copy or download it again", place=Place(self.name, number + 1)) from None

    def _decompressed(self, tap: HashingStream) -> BinaryIO:
        buffered = io.BufferedReader(tap, CHUNK)
        if self._path.endswith(".gz"):
            return cast(BinaryIO, gzip.GzipFile(fileobj=buffered, mode="rb"))
        if self._path.endswith(".xz"):
            return cast(BinaryIO, lzma.LZMAFile(buffered))
        return buffered

    def _check_length(self, line: bytes, number: int) -> None:
        if len(line) > MAX_LINE:
            fix = "is it text with one sentence or token a line?"
            raise SourceError(f"line of more than {MAX_LINE} bytes", fix=fix, place=Place(self.name, number))

    def _decoded(self, raw: bytes, number: int) -> str:
        try:
            line = raw.decode(self._encoding)
        except UnicodeDecodeError as error:
            what = f"byte 0x{raw[error.start]:02x} is not {self._encoding}"
            fix = "name the file's encoding with --encoding (older web corpora are often latin-1), or mend the line"
            # the column is a byte's, because what stands before it may be of the wrong encoding too
            raise SourceError(what, fix=fix, place=Place(self.name, number, error.start + 1)) from None
        return line.removeprefix("\ufeff").rstrip("\r\n") if number == 1 else line.rstrip("\r\n")


def check_encoding(encoding: str) -> None:
    """Raise `UsageError` unless *encoding* is known and writes ASCII as ASCII (lines are cut before decoding)."""
    ascii_bytes = bytes(range(128))
    try:
        same = ascii_bytes.decode(encoding) == ascii_bytes.decode("ascii")
    except (LookupError, UnicodeDecodeError):
        same = False
    if not same:
        fix = "name one that Python knows and that extends ASCII: utf-8, latin-1, cp1252 ..."
        raise UsageError(f"cannot read the encoding {encoding!r}", fix=fix)
