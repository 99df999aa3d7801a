"""Files of vertical formats as blocks: read as bytes, unpacked, cut at sentence ends, hashed on the way."""

from __future__ import annotations

import io
from collections.abc import Generator, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, BinaryIO, cast

from ncimp.corpus_stats.counting.screening import is_utf8
from ncimp.corpus_stats.kernel.blocks import BLOCK_BYTES, PADDING, Block, Layout
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.formats import Reader
from ncimp.corpus_stats.readers.head_start import HeadStart
from ncimp.corpus_stats.readers.streams import (
    DAMAGE,
    STDIN,
    ByteSource,
    FileFacts,
    HashingStream,
    Line,
    LineReader,
    decompressed,
    open_source,
    source_name,
)
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import CHUNK

MAX_SENTENCE = 1 << 24
"""Bytes (16 MiB) in which a sentence must end; what is longer is no sentence, and would fill the memory."""

_BOM = b"\xef\xbb\xbf"
_AFTER = {"blank": (), "markup": (b"\n</s>\n", b"\n</s>\r\n")}
"""Lines that end a sentence: a block is cut after the last of them."""
_BEFORE = {
    "blank": (b"\n\n", b"\n\r\n"),
    "markup": (b"\n<s>\n", b"\n<s>\r\n", b"\n<text>\n", b"\n<text "),
}
"""Lines that a block is cut before where there are none of the others; the usual one comes first."""
MARK_BYTES = 8
"""Bytes that the longest of these marks has, at most."""

_SPARE_ROOM = 1 << 16
"""Bytes that a block has room for beside what is read: the begin of a sentence that the block before ended with."""

Span = tuple[int, int]
"""Half-open [begin, end), in bytes of a file."""

_NEXT_SENTENCE = ("<s>", "</s>")
"""What stands after a block that is not the last of its file: a sentence left open is found at its begin."""


class VerticalFile:
    """One file; `blocks` may be gone through once, and `facts` are known after that.

    *reader* is the format's reader of lines. It is asked what is wrong with a block in which the kernel found a broken
    line, so that both say the same. Of a file that is not packed, *span* may name a part that begins and ends between
    two sentences (`boundary`). *head* may have begun to hash it.
    """

    def __init__(
        self,
        path: str,
        layout: Layout,
        reader: Reader,
        problems: Problems = STOP,
        *,
        span: Span | None = None,
        head: HeadStart | None = None,
    ) -> None:
        self._path, self._reader, self._problems, self._span, self._head = path, reader, problems, span, head
        self.layout = layout
        """What the columns of all blocks are."""
        self.passed_over = 0
        """Problems of the file itself that were passed over; those of lines are in the tables."""
        self._tap: HashingStream | None = None
        self._given = 0
        self._damage: Exception | None = None
        self._dropping = False

    def part(self, span: Span) -> VerticalFile:
        """Return the part *span* of the file as a source."""
        return VerticalFile(self._path, self.layout, self._reader, self._problems, span=span)

    @property
    def name(self) -> str:
        """Return the file's name for messages: its path as given, or `stdin`."""
        return source_name(self._path)

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `blocks` were read. A part is not hashed: it would be of no use."""
        if self._span:
            return FileFacts("", self._span[1] - self._span[0])
        if self._tap is None:
            raise RuntimeError("the file has not been read to its end")
        return FileFacts(self._tap.sha256, self._tap.size)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; what cannot be read to its end is a problem with the line reached."""
        with open_source(self._path) as source:
            if self._span:
                yield from self._cut(cast(BinaryIO, _part(source, self._span)))
                return
            begun = self._head.begun(source) if self._head else None
            tap = HashingStream(cast(ByteSource, source), begun)
            yield from self._cut(_unpacked(tap, self._path))
            tap.drain()
            if self._head and begun and not self._head.is_same(source):
                fix = "count it again when nobody writes to it"
                raise SourceError("changed while it was counted", fix=fix, place=Place(self.name))
            self._tap = tap

    def explain(self, block: Block) -> list[SourceError]:
        """Return what the reader finds wrong in *block*; lines are counted from 1 in the block."""
        problems = Problems("skip")
        stream = io.BytesIO(block.data[: block.size])
        lines: Iterable[Line] = LineReader("", encoding=self.layout.encoding, problems=problems).read(stream)
        after = () if block.last or self.layout.ends == "blank" else _NEXT_SENTENCE
        number = block.data.count(b"\n", 0, block.size) + 1
        lines = chain(lines, ((number, text) for text in after))
        for _ in self._reader(lines, file="", problems=problems):
            pass
        return problems.first

    def _cut(self, stream: BinaryIO) -> Iterator[Block]:
        """Yield what is read, each time up to the last sentence end; the rest goes before what is read next."""
        rest, room, first, spare = b"", BLOCK_BYTES, True, list[bytearray]()
        got = room
        while got == room:
            data = _memory(spare, len(rest) + room + PADDING)
            data[: len(rest)] = rest
            got = self._fill(stream, memoryview(data)[len(rest) : len(rest) + room])
            size = len(rest) + got
            if first and not (self._span and self._span[0]) and data.startswith(_BOM) and is_utf8(self.layout.encoding):
                del data[: len(_BOM)]
                size -= len(_BOM)
            first = False
            if got < room:
                size = self._whole(data, size)
            end = size if got < room else self._end(data, size)
            rest = bytes(memoryview(data)[end:size])
            if end:
                self._given, self._dropping = self._given + end, False
                yield Block(data, end, got < room and self._ends_file, spare)
            elif size > MAX_SENTENCE:
                rest = yield from self._drop(data, size)

    @property
    def _ends_file(self) -> bool:
        return self._span is None or self._span[1] >= Path(self._path).stat().st_size

    def _fill(self, stream: BinaryIO, room: memoryview) -> int:
        """Read until *room* is full or the stream ends, or is damaged; return how many bytes."""
        got = 0
        try:
            while got < len(room):
                count = cast(IO[bytes], stream).readinto(room[got:])  # type: ignore[attr-defined]
                if not count:
                    break
                got += count
        except _damage() as error:
            self._damage = error
        return got

    def _whole(self, data: bytearray, size: int) -> int:
        """Return the *size* of what is left at the end; of a damaged file, without the line that is cut."""
        if self._damage is None:
            return size
        size = data.rfind(b"\n", 0, size) + 1
        what = f"cannot be read to its end ({self._damage})"
        self._report(what, "copy or download it again", data.count(b"\n", 0, size))
        return size

    def _drop(self, data: bytearray, size: int) -> Generator[Block, None, bytes]:
        """Pass over what has no sentence end, but yield its line ends, so that lines stay numbered; return the rest."""
        if not self._dropping:
            self._report(f"no sentence ends in {MAX_SENTENCE} bytes", "is its format another? see --format", 0)
        self._dropping = True
        end = data.rfind(b"\n", 0, size) + 1 or size
        self._given += end
        lines = data.count(b"\n", 0, end)
        if lines:
            yield Block.of(b"\n" * lines)
        return bytes(memoryview(data)[end:size])

    def _report(self, what: str, fix: str, lines: int) -> None:
        """Report a problem that many *lines* after the blocks given so far."""
        self._problems.report(SourceError(what, fix=fix, place=self._place(lines)))
        self.passed_over += 1

    def _place(self, lines: int) -> Place:
        """Return the line after all blocks so far, which the file is read again for: lines are not counted twice."""
        if self._path == STDIN:
            return Place(self.name)
        left = self._given
        again = VerticalFile(self._path, self.layout, self._reader, Problems("skip"), span=self._span)
        for block in again.blocks() if left else ():
            lines += block.data.count(b"\n", 0, block.size)
            left -= block.size
            if left <= 0:
                break
        return Place(self.name, lines + 1)

    def _end(self, data: bytearray, size: int) -> int:
        """Return where the last sentence of *data* ends, as near to its end as can be told; 0 when none does."""
        for mark in _AFTER[self.layout.ends]:
            found = data.rfind(mark, 0, size)
            if found >= 0:
                return found + len(mark)
        for mark in _BEFORE[self.layout.ends]:
            found = data.rfind(mark, 0, size)
            if found >= 0:
                return found + 1
        return 0


def _memory(spare: list[bytearray], size: int) -> bytearray:
    """Return memory of at least *size* bytes: of a block that was given back where it is enough.

    It is taken first and looked at then, because others give theirs back meanwhile.
    """
    try:
        data = spare.pop()
    except IndexError:
        data = bytearray()
    return data if len(data) >= size else bytearray(size + _SPARE_ROOM)


def boundary(path: Path, layout: Layout, at: int) -> int:
    """Return the first place from *at* on that stands between two sentences of the file; its end when there is none."""
    if not at:
        return 0
    marks, kept = (*_AFTER[layout.ends], *(() if _AFTER[layout.ends] else _BEFORE[layout.ends])), b""
    with path.open("rb") as stream:
        stream.seek(at)
        while chunk := stream.read(BLOCK_BYTES):
            data = kept + chunk
            found = [(data.find(mark), mark) for mark in marks]
            ends = [place + (len(mark) if mark in _AFTER[layout.ends] else 1) for place, mark in found if place >= 0]
            if ends:
                return stream.tell() - len(data) + min(ends)
            kept = data[-MARK_BYTES:]
        return stream.tell()


class _Part(io.RawIOBase):
    """The bytes of a stream up to a place in it."""

    def __init__(self, source: IO[bytes], left: int) -> None:
        super().__init__()
        self._source, self._left = source, left

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill *buffer* from the source."""
        got = self._source.readinto(buffer[: self._left])  # type: ignore[attr-defined]
        self._left -= got or 0
        return got or 0


def _part(source: IO[bytes], span: Span) -> _Part:
    source.seek(span[0])
    return _Part(source, span[1] - span[0])


def _damage() -> tuple[type[Exception], ...]:
    from isal import isal_zlib

    return (*DAMAGE, cast(type[Exception], isal_zlib.error))


def _unpacked(tap: HashingStream, path: str) -> BinaryIO:
    if path.endswith(".gz"):
        from isal import igzip

        opened = igzip.IGzipFile(fileobj=io.BufferedReader(tap, CHUNK), mode="rb")  # type: ignore[no-untyped-call]
        return cast(BinaryIO, opened)
    if path.endswith((".bz2", ".xz", ".zst")):
        return decompressed(path, tap)
    return cast(BinaryIO, tap)
