"""Corpus files as numbered lines: plain, gzip, bzip2, xz or zstandard, or standard input; hashed while they are read.

A corpus may be larger than memory and may come through a pipe, so each file is read once, line by line. Its SHA-256 and
size are those of the stored bytes. An unreadable line (a byte of another encoding, a NUL byte, more than `MAX_LINE`
bytes) and an archive that ends early are problems (`problems.py`). A skipped line reaches the reader as `UNREADABLE`,
because the reader has to leave out the sentence it stands in.
"""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import sys
import threading
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from ncimp.corpus_stats.problems import Problems
from ncimp.schemas import CHUNK, Place, SourceError, UsageError

STDIN = "-"  # the file name that stands for standard input
HUB_PREFIX = "hf:"  # prefix of the name of a Hugging Face dataset
MAX_LINE = 1 << 24  # longest line in bytes (16 MiB); a longer one is not a sentence or token, and would fill the memory
COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")  # suffixes of compressed files
UNREADABLE = "\x00"  # stands for a line that was skipped; no readable line holds this character
_ZSTANDARD_CHUNK = 1 << 16  # packed bytes unpacked at a time: the result stays in memory
_CHUNK = 1 << 24  # bytes (16 MiB) hashed at a time: between two the thread waits for the interpreter's lock, some 5 ms

try:  # of the extra `corpus`: unpacks in a third of the time
    _GZIP: Any = import_module("isal.igzip")
    _GZIP_ERROR: type[Exception] = import_module("isal.isal_zlib").error
except ModuleNotFoundError:
    _GZIP, _GZIP_ERROR = gzip, zlib.error

DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, _GZIP_ERROR)
"""Errors of a damaged archive or a failing disk."""

Line = tuple[int, str]  # a line's number (from 1) and its text without line end
Begun = tuple[Any, int]  # a partial SHA-256 of `hashlib` and the number of bytes it covers


def source_name(path: str) -> str:
    """Return the name of a corpus file for messages: its path as given, or `stdin`."""
    return "stdin" if path == STDIN else path


def open_source(path: str) -> AbstractContextManager[FileIO]:
    """Open a corpus file for bytes without a buffer, or raise `SourceError`; standard input is not closed at the end.

    Without a buffer, because a thread that waits for input would hold the lock of the buffer to the end.
    """
    if path == STDIN:
        return nullcontext(cast(FileIO, getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)))
    try:
        return Path(path).open("rb", buffering=0)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise SourceError(what, fix="check the path", place=Place(path)) from None


class HashingStream(io.RawIOBase):
    """A byte stream that hashes and counts the bytes read through it, but for those that the hash *begun* covers."""

    def __init__(self, source: FileIO, head_start: Begun | None = None) -> None:
        super().__init__()
        self._source = source
        start: Begun = head_start or (hashlib.sha256(), 0)
        self._digest, self._begun = start
        self.size = 0  # bytes read so far

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill *buffer* from the source and return how many bytes that were."""
        got = self._source.readinto(buffer) or 0
        self._digest.update(memoryview(buffer)[max(self._begun - self.size, 0) : got])
        self.size += got
        return got

    def drain(self) -> None:
        """Read the bytes that a decompressor left unread, so that hash and size are those of the whole file."""
        while self.read(CHUNK):
            pass

    @property
    def sha256(self) -> str:
        """Return the SHA-256 (hex) of the bytes read so far, or of those begun with where these are more."""
        return str(self._digest.hexdigest())


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Identity of a file that has been read to its end."""

    sha256: str
    bytes: int


def read_lines(
    stream: BinaryIO, name: str, *, encoding: str, problems: Problems, before: int = 0, skip: int = 0
) -> Iterator[Line]:
    """Yield (number, text) for each line; CR LF and LF end a line, a leading byte order mark is dropped.

    *name* is the file for messages; *before* lines of it came before the stream. The first *skip* lines are neither
    decoded nor yielded.
    """
    number = before
    try:
        while raw := stream.readline(MAX_LINE + 1):
            number += 1
            if len(raw) > MAX_LINE:
                what, fix = f"line of more than {MAX_LINE} bytes", "is it text with one sentence or token a line?"
                problems.report(SourceError(what, fix=fix, place=Place(name, number)))
                while raw and not raw.endswith(b"\n"):
                    raw = stream.readline(MAX_LINE)
                text = UNREADABLE
            elif number > before + skip:
                text = _decoded(raw, encoding, problems, name, number)
            if number > before + skip:
                yield number, text.removeprefix("\ufeff") if number == 1 else text
    except DAMAGE as error:
        what, fix = f"cannot be read to its end ({error})", "copy or download it again"
        problems.report(SourceError(what, fix=fix, place=Place(name, number + 1)))


def _decoded(raw: bytes, encoding: str, problems: Problems, name: str, number: int) -> str:
    """Return the line *raw* without its end; if it cannot be read, report that and return `UNREADABLE`."""
    at = raw.find(b"\0")
    what, fix = "NUL byte", "is it text? take the byte out, or name another --encoding"
    if at < 0:
        try:
            return raw.decode(encoding).rstrip("\r\n")
        except UnicodeDecodeError as error:
            # the column is a byte's, because the text before it may be of the wrong encoding too
            at, what = error.start, f"byte 0x{raw[error.start]:02x} is not {encoding}"
            fix = "name the file's encoding with --encoding (older web corpora are often latin-1), or mend the line"
    problems.report(SourceError(what, fix=fix, place=Place(name, number, at + 1)))
    return UNREADABLE


def decompressed(path: str, tap: io.RawIOBase) -> BinaryIO:
    """Return the unpacked bytes of the file *path*, whose stored bytes come through *tap*; the suffix tells how."""
    buffered = cast(BinaryIO, io.BufferedReader(tap, CHUNK))
    if path.endswith(".gz"):
        return cast(BinaryIO, _GZIP.GzipFile(fileobj=buffered, mode="rb"))
    if path.endswith(".bz2"):
        return cast(BinaryIO, bz2.BZ2File(buffered))
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.LZMAFile(buffered))
    if path.endswith(".zst"):
        return cast(BinaryIO, io.BufferedReader(_Zstandard(buffered, path), CHUNK))
    return buffered


class _Zstandard(io.RawIOBase):
    """A zstandard archive, frame after frame; unlike the stream of the library it raises EOFError in a cut frame."""

    def __init__(self, packed: BinaryIO, path: str) -> None:
        super().__init__()
        try:
            library = import_module("zstandard")
        except ModuleNotFoundError:
            fix = 'install it: pip install "ncimp[corpus]"'
            raise SourceError("needs the package zstandard", fix=fix, place=Place(path)) from None
        self._parts, self._ready = self._unpacked(packed, library), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        self._ready = self._ready or next(self._parts, b"")
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    @staticmethod
    def _unpacked(packed: BinaryIO, library: Any) -> Iterator[bytes]:
        frame, complete = library.ZstdDecompressor().decompressobj(), True
        while data := packed.read(_ZSTANDARD_CHUNK):
            while data:
                try:
                    part = frame.decompress(data)
                except library.ZstdError as error:
                    raise OSError(str(error)) from None
                if part:
                    yield part
                data, complete = frame.unused_data, frame.eof
                if complete:
                    frame = library.ZstdDecompressor().decompressobj()
        if not complete:
            raise EOFError("Compressed file ended before the end-of-stream marker was reached")


def check_encoding(encoding: str) -> None:
    """Raise `UsageError` unless *encoding* is known and writes ASCII as ASCII (lines are cut before decoding)."""
    ascii_bytes = bytes(range(128))
    with suppress(LookupError, UnicodeDecodeError):
        if ascii_bytes.decode(encoding) == ascii_bytes.decode("ascii"):
            return
    fix = "name one that Python knows and that extends ASCII: utf-8, latin-1, cp1252 ..."
    raise UsageError(f"cannot read the encoding {encoding!r}", fix=fix)


class HeadStart:
    """Hashes the begin of the file at *path*, where there is one, until the end of its context."""

    def __init__(self, path: str | None) -> None:
        self.path = path  # as it was given
        self._digest, self._size = hashlib.sha256(), 0
        self._state: tuple[int, ...] = ()
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._hash, daemon=True)

    def __enter__(self) -> Self:
        if self.path and Path(self.path).is_file():
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._enough.set()
        if kind is None and self._thread.ident is not None:  # after an error, do not wait for a slow disk
            self._thread.join()

    def begun(self, source: FileIO) -> Begun | None:
        """Return the partial hash, after the end; None unless *source* is the same, unchanged file."""
        return (self._digest.copy(), self._size) if self.is_same(source) else None

    def is_same(self, source: FileIO) -> bool:
        """Return True if *source* is the file that was hashed, and has not changed since."""
        return bool(self._size) and self._state == _state(source.fileno())

    def _hash(self) -> None:
        try:
            with Path(self.path or "").open("rb", buffering=0) as source:
                self._state = _state(source.fileno())
                room = memoryview(bytearray(_CHUNK))
                while not self._enough.is_set() and (got := source.readinto(room)):
                    self._digest.update(room[:got])
                    self._size += got
        except OSError:  # the reader of the file reports it
            pass


def _state(handle: int) -> tuple[int, ...]:
    """Return the identity and state of an open file, which differs after a change."""
    state = os.fstat(handle)
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
