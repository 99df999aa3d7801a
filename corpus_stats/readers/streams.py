"""Corpus files as numbered lines: plain, gzip, bzip2, xz or zstandard, or standard input; hashed while they are read.

A corpus may be larger than memory and may come through a pipe. So each file is read once, line by line, and its
SHA-256 and size are those of the stored bytes (what `sha256sum` prints).

An unreadable line (a byte of another encoding, a NUL byte, more than `MAX_LINE` bytes) and an archive that ends early
are problems: they stop the reading, or are counted and skipped (`problems.py`). A skipped line reaches the reader as
`UNREADABLE`, because the reader has to leave out the sentence it stands in.
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
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Protocol, Self, TypeAlias, cast

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.files import CHUNK

STDIN = "-"
"""The file name that stands for standard input."""

HUB_PREFIX = "hf:"
"""Prefix of the name of a Hugging Face dataset."""

MAX_LINE = 1 << 24
"""Longest line in bytes (16 MiB). A longer one is not a sentence or token, and would fill the memory."""

COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
"""Suffixes of compressed files."""

UNREADABLE = "\x00"
"""Stands for a line that was skipped; no readable line holds this character."""

_ZSTANDARD_CHUNK = 1 << 16
"""Packed bytes unpacked at a time: the result stays in memory."""


def _gzip() -> tuple[Any, type[Exception]]:
    """Return a library for gzip and its error: `isal`, of the extra `corpus`, unpacks in a third of the time."""
    try:
        from isal import igzip, isal_zlib
    except ModuleNotFoundError:
        return gzip, zlib.error
    return igzip, cast("type[Exception]", isal_zlib.error)


_GZIP, _GZIP_ERROR = _gzip()

DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, _GZIP_ERROR)
"""Errors of a damaged archive or a failing disk."""

Line = tuple[int, str]
"""A line's number (from 1) and its text without line end."""

Document = tuple[str, str]
"""Id and text."""


class ByteSource(Protocol):
    """A source of bytes: a file opened unbuffered, or the buffer of standard input."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill *buffer* and return how many bytes were read; 0 at the end."""
        ...


def source_name(path: str) -> str:
    """Return the name of a corpus file for messages: its path as given, or `stdin`."""
    return "stdin" if path == STDIN else path


def open_source(path: str) -> AbstractContextManager[IO[bytes]]:
    """Open a corpus file for bytes without a buffer, or raise `SourceError`; standard input is not closed at the end.

    Without a buffer, because a thread that waits for input would hold the lock of the buffer to the end.
    """
    if path == STDIN:
        buffer: Any = sys.stdin.buffer
        return nullcontext(cast(IO[bytes], getattr(buffer, "raw", buffer)))
    try:
        return Path(path).open("rb", buffering=0)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise SourceError(what, fix="check the path", place=Place(path)) from None


class HashingStream(io.RawIOBase):
    """A byte stream that hashes and counts the bytes read through it, but for those that the hash *begun* covers."""

    def __init__(self, source: ByteSource, head_start: "Begun | None" = None) -> None:
        super().__init__()
        self._source = source
        self._digest, self._begun = head_start or (hashlib.sha256(), 0)
        self.size = 0
        """Bytes read so far."""

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
        return self._digest.hexdigest()


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Identity of a file that has been read to its end."""

    sha256: str
    bytes: int


class CorpusFile:
    """One corpus file; `lines` may be gone through once, and `facts` are known after that."""

    def __init__(self, path: str, *, encoding: str = "utf-8", problems: Problems = STOP) -> None:
        check_encoding(encoding)
        self._path = path
        self._encoding = encoding
        self._problems = problems
        self._facts: FileFacts | None = None

    @property
    def name(self) -> str:
        """Return the file's name for messages: its path as given, or `stdin`."""
        return source_name(self._path)

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `lines` were read."""
        if self._facts is None:
            raise RuntimeError("the file has not been read to its end")
        return self._facts

    def lines(self, *, skip: int = 0) -> Iterator[Line]:
        """Yield (number, text) for each line; CR LF and LF end a line, a leading byte order mark is dropped.

        The first *skip* lines are neither decoded nor yielded.
        """
        with open_source(self._path) as source:
            tap = HashingStream(cast(ByteSource, source))
            with decompressed(self._path, tap) as stream:
                lines = LineReader(self.name, encoding=self._encoding, problems=self._problems)
                yield from lines.read(stream, skip=skip)
            tap.drain()
            self._facts = FileFacts(tap.sha256, tap.size)


class LineReader:
    """Lines of a stream of bytes, numbered and decoded; *name* is the file for messages.

    *before* lines of the file came before the stream.
    """

    def __init__(self, name: str, *, encoding: str, problems: Problems, before: int = 0) -> None:
        self._name = name
        self._before = before
        self._encoding = encoding
        self._problems = problems

    def read(self, stream: BinaryIO, *, skip: int = 0) -> Iterator[Line]:
        """Yield (number, text) for each line of *stream* after the first *skip*."""
        for number, raw in enumerate(self._raw_lines(stream), start=self._before + 1):
            if number > self._before + skip:
                yield number, self._decoded(raw, number)

    def _raw_lines(self, stream: BinaryIO) -> Iterator[bytes]:
        number = self._before
        try:
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                yield self._whole(line, number, stream)
        except DAMAGE as error:
            what = f"cannot be read to its end ({error})"
            place = Place(self._name, number + 1)
            self._problems.report(SourceError(what, fix="copy or download it again", place=place))

    def _whole(self, line: bytes, number: int, stream: BinaryIO) -> bytes:
        """Return *line*; of one that is too long, report it, skip its rest and return an empty one."""
        if len(line) <= MAX_LINE:
            return line
        what, fix = f"line of more than {MAX_LINE} bytes", "is it text with one sentence or token a line?"
        self._problems.report(SourceError(what, fix=fix, place=Place(self._name, number)))
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE)
        return b""

    def _decoded(self, raw: bytes, number: int) -> str:
        if b"\0" in raw:
            what, fix = "NUL byte", "is it text? take the byte out, or name another --encoding"
            place = Place(self._name, number, raw.index(b"\0") + 1)
            return self._unreadable(SourceError(what, fix=fix, place=place))
        try:
            line = raw.decode(self._encoding).rstrip("\r\n")
        except UnicodeDecodeError as error:
            what = f"byte 0x{raw[error.start]:02x} is not {self._encoding}"
            fix = "name the file's encoding with --encoding (older web corpora are often latin-1), or mend the line"
            # the column is a byte's, because what stands before it may be of the wrong encoding too
            return self._unreadable(SourceError(what, fix=fix, place=Place(self._name, number, error.start + 1)))
        if not raw:
            return UNREADABLE  # too long, and reported already
        return line.removeprefix("\ufeff") if number == 1 else line

    def _unreadable(self, problem: SourceError) -> str:
        self._problems.report(problem)
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
    """A zstandard archive, frame after frame; unlike the stream of the library it notices one that ends early."""

    def __init__(self, packed: BinaryIO, path: str) -> None:
        super().__init__()
        try:
            self._library = import_module("zstandard")
        except ModuleNotFoundError:
            fix = 'install it: pip install "ncimp[corpus]"'
            raise SourceError("needs the package zstandard", fix=fix, place=Place(path)) from None
        self._packed = packed
        self._frame = self._library.ZstdDecompressor().decompressobj()
        self._fresh, self._left, self._ready = True, b"", b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill *buffer* with what was packed; raise EOFError when the archive ends inside a frame."""
        while not self._ready and self._advance():
            pass
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _advance(self) -> bool:
        packed = self._left or self._packed.read(_ZSTANDARD_CHUNK)
        if not packed:
            if not self._fresh:
                raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            return False
        try:
            self._ready = self._frame.decompress(packed)
        except self._library.ZstdError as error:
            raise OSError(str(error)) from None
        self._left, self._fresh = self._frame.unused_data, self._frame.eof
        if self._fresh:
            self._frame = self._library.ZstdDecompressor().decompressobj()
        return True


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


if TYPE_CHECKING:
    from hashlib import _Hash

_CHUNK = 1 << 24
"""Bytes (16 MiB) hashed at a time: between two of them the thread waits for the interpreter's lock, some 5 ms."""

Begun: TypeAlias = "tuple[_Hash, int]"
"""A partial SHA-256 and the number of bytes it covers."""


class HeadStart:
    """Hashes the begin of the file at *path*, where there is one, until the end of its context."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        """The file that is hashed, as it was given."""
        self._digest, self._size = hashlib.sha256(), 0
        self._state: tuple[int, ...] = ()
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._hash, daemon=True)

    def __enter__(self) -> Self:
        if self.path and Path(self.path).is_file():
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._enough.set()
        if kind is None and self._thread.ident is not None:  # after an error, do not wait for a slow disk
            self._thread.join()

    def begun(self, source: IO[bytes]) -> "Begun | None":
        """Return the partial hash, after the end; None unless *source* is the same, unchanged file."""
        return (self._digest.copy(), self._size) if self.is_same(source) else None

    def is_same(self, source: IO[bytes]) -> bool:
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
