"""Files of vertical formats as blocks: read as bytes, unpacked, cut at sentence ends, hashed on the way."""

from __future__ import annotations

import bz2
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, BinaryIO, cast

from ncimp.corpus_stats.blocks import BLOCK_BYTES, PADDING, Block, Layout
from ncimp.corpus_stats.streams import STDIN, ByteSource, FileFacts, HashingStream
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import CHUNK

MAX_SENTENCE = 1 << 24
"""Bytes (16 MiB) in which a sentence must end; what is longer is no sentence, and would fill the memory."""

_BOM = b"\xef\xbb\xbf"
_ENDS = {
    "blank": (b"\n\n", b"\n\r\n", b"\n<text>\n"),
    "markup": (b"\n</s>\n", b"\n</s>\r\n", b"\n<s>\n", b"\n<s>\r\n", b"\n</text>\n", b"\n<text>\n", b"\n<text "),
}
"""Lines between sentences; the first that is found is taken, so the usual one comes first."""


class VerticalFile:
    """One file; `blocks` may be gone through once, and `facts` are known after that."""

    def __init__(self, path: str, layout: Layout) -> None:
        self._path = path
        self.layout = layout
        """What the columns of all blocks are."""
        self._tap: HashingStream | None = None
        self._given = 0

    @property
    def name(self) -> str:
        """Return the file's name for messages: its path as given, or `stdin`."""
        return "stdin" if self._path == STDIN else self._path

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `blocks` were read."""
        if self._tap is None:
            raise RuntimeError("the file has not been read to its end")
        return FileFacts(self._tap.sha256, self._tap.size)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; a file that cannot be read to its end is a `SourceError` with the line reached."""
        with self._open() as source:
            tap = HashingStream(cast(ByteSource, source))
            try:
                yield from self._cut(_unpacked(tap, self._path))
                tap.drain()
            except _damage() as error:
                what = f"cannot be read to its end ({error})"
                raise SourceError(what, fix="copy or download it again", place=self._place()) from None
            self._tap = tap

    def _open(self) -> AbstractContextManager[IO[bytes]]:
        if self._path == STDIN:
            return nullcontext(sys.stdin.buffer)
        try:
            return Path(self._path).open("rb", buffering=0)
        except FileNotFoundError:
            raise SourceError("no such file", fix="check the path", place=Place(self.name)) from None
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise SourceError(what, fix="check the path", place=Place(self.name)) from None

    def _cut(self, stream: BinaryIO) -> Iterator[Block]:
        """Yield what is read, each time up to the last sentence end; the rest goes before what is read next."""
        rest = b""
        while True:
            data = bytearray(len(rest) + BLOCK_BYTES + PADDING)
            data[: len(rest)] = rest
            size = len(rest) + _fill(stream, memoryview(data)[len(rest) : len(rest) + BLOCK_BYTES])
            if size == len(rest):
                break
            if not self._given and data.startswith(_BOM):
                del data[: len(_BOM)]
                size -= len(_BOM)
            end = self._end(data, size)
            rest = bytes(memoryview(data)[end:size])
            if end:
                yield self._block(data, end)
        if rest:
            yield self._block(bytearray(rest) + bytearray(PADDING), len(rest))

    def _block(self, data: bytearray, size: int) -> Block:
        self._given += size
        return Block(data, size)

    def _place(self) -> Place:
        """Return the line after all blocks so far, which the file is read again for: lines are not counted twice."""
        if self._path == STDIN:
            return Place(self.name)
        lines, left = 1, self._given
        for block in VerticalFile(self._path, self.layout).blocks() if left else ():
            lines += block.data.count(b"\n", 0, block.size)
            left -= block.size
            if left <= 0:
                break
        return Place(self.name, lines)

    def _end(self, data: bytearray, size: int) -> int:
        """Return where a line of *data* begins that stands between two sentences, near its end; 0 when none does."""
        for mark in _ENDS[self.layout.ends]:
            found = data.rfind(mark, 0, size)
            if found >= 0:
                return found + 1
        if size > MAX_SENTENCE:
            what = f"no sentence ends in {MAX_SENTENCE} bytes"
            raise SourceError(what, fix="is its format another? see --format", place=self._place())
        return 0


def _damage() -> tuple[type[Exception], ...]:
    from isal import isal_zlib

    return EOFError, OSError, lzma.LZMAError, zlib.error, cast(type[Exception], isal_zlib.error)


def _unpacked(tap: HashingStream, path: str) -> BinaryIO:
    if path.endswith(".gz"):
        from isal import igzip

        opened = igzip.IGzipFile(fileobj=io.BufferedReader(tap, CHUNK), mode="rb")  # type: ignore[no-untyped-call]
        return cast(BinaryIO, opened)
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.LZMAFile(io.BufferedReader(tap, CHUNK)))
    if path.endswith(".bz2"):
        return cast(BinaryIO, bz2.BZ2File(io.BufferedReader(tap, CHUNK)))
    return cast(BinaryIO, tap)


def _fill(stream: BinaryIO, room: memoryview) -> int:
    """Read until *room* is full or the stream ends; return how many bytes."""
    got = 0
    while got < len(room):
        count = cast(IO[bytes], stream).readinto(room[got:])  # type: ignore[attr-defined]
        if not count:
            break
        got += count
    return got
