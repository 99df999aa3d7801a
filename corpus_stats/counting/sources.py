"""Corpus files as sources of blocks: vertical formats as the bytes they are, all others through their readers.

The bytes of a vertical file are unpacked, cut into blocks at sentence ends, and hashed on the way.
"""

import io
from collections.abc import Generator, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, BinaryIO, Protocol, cast

from isal import igzip, isal_zlib

from ncimp.corpus_stats.kernel.blocks import BLOCK_BYTES, CANONICAL, PADDING, Block, Layout, canonical, packed
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.formats import Corpus, Reader
from ncimp.corpus_stats.readers.streams import (
    DAMAGE,
    STDIN,
    ByteSource,
    FileFacts,
    HashingStream,
    HeadStart,
    Line,
    LineReader,
    decompressed,
    open_source,
    source_name,
)
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import CHUNK

MAX_SENTENCE = 1 << 24
"""Longest sentence in bytes (16 MiB). Anything longer is not a sentence, and would fill the memory."""

_BOM = b"\xef\xbb\xbf"
_AFTER = {"blank": (), "markup": (b"\n</s>\n", b"\n</s>\r\n")}
"""Lines that end a sentence: a block is cut after the last of them."""
_BEFORE = {
    "blank": (b"\n\n", b"\n\r\n"),
    "markup": (b"\n<s>\n", b"\n<s>\r\n", b"\n<text>\n", b"\n<text "),
}
"""Lines before which a block is cut where there are none of the others; the usual one comes first."""
MARK_BYTES = 8
"""Bytes of the longest of these marks."""

_SPARE_BYTES = 1 << 16
"""Bytes of a block beyond those read at a time, for the sentence that the block before left incomplete."""

_ISAL_ERROR = cast(type[Exception], isal_zlib.error)

Span = tuple[int, int]
"""Half-open [begin, end), in bytes of a file."""

_NEXT_SENTENCE = ("<s>", "</s>")
"""Lines added to a block before the end of its file: a sentence that is not closed is reported at the next `<s>`."""


class FileSource(Protocol):
    """A corpus file as blocks of one layout; its identity is known at its end."""

    @property
    def layout(self) -> Layout:
        """Return the layout of all blocks."""
        ...

    @property
    def name(self) -> str:
        """Return the file's name for messages."""
        ...

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all blocks were read."""
        ...

    @property
    def passed_over(self) -> int:
        """Return the number of problems that were skipped outside of the blocks."""
        ...

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in order; an unreadable source raises `SourceError` with its place."""
        ...

    def explain(self, block: Block) -> list[SourceError]:
        """Return the problems of a *block* with a broken line."""
        ...


class SentenceFile:
    """A corpus that a reader in Python turns into sentences."""

    layout: Layout = CANONICAL
    """The layout of all blocks."""

    def __init__(self, corpus: Corpus, problems: Problems) -> None:
        self._corpus, self._problems = corpus, problems
        self.passed_over = 0
        """Problems that the reader skipped; known after all `blocks`."""

    @property
    def name(self) -> str:
        """Return the name for messages."""
        return self._corpus.name

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `blocks` were read."""
        return self._corpus.facts

    def blocks(self) -> Iterator[Block]:
        """Yield the sentences as blocks."""
        before = self._problems.count
        yield from packed(canonical(self._corpus.sentences()))
        self.passed_over = self._problems.count - before

    def explain(self, block: Block) -> list[SourceError]:  # noqa: ARG002
        """Return nothing: the reader has reported every problem."""
        return []


class VerticalFile:
    """A file of a vertical format; `blocks` may be iterated once, and `facts` are known after that.

    *reader* is the format's reader of lines. It explains the problems of a block in which the kernel found a broken
    line, so that messages are the same whichever way a file is counted. *span* may select a part that begins and ends
    between two sentences (`boundary`) of a file that is not packed. *head* may have begun to hash the file.
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
        """The layout of all blocks."""
        self.passed_over = 0
        """Skipped problems of the file itself; those of lines are in the tables."""
        self._tap: HashingStream | None = None
        self._yielded = 0
        self._damage: Exception | None = None
        self._dropping = False

    def part(self, span: Span) -> "VerticalFile":
        """Return the part *span* of the file as a source."""
        return VerticalFile(self._path, self.layout, self._reader, self._problems, span=span)

    @property
    def name(self) -> str:
        """Return the file's name for messages: its path as given, or `stdin`."""
        return source_name(self._path)

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `blocks` were read. A part is not hashed."""
        if self._span:
            return FileFacts("", self._span[1] - self._span[0])
        if self._tap is None:
            raise RuntimeError("the file has not been read to its end")
        return FileFacts(self._tap.sha256, self._tap.size)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; a file that cannot be read to its end is a problem at the line reached."""
        with open_source(self._path) as source:
            if self._span:
                source.seek(self._span[0])
                yield from self._cut(cast(BinaryIO, _Part(source, self._span[1] - self._span[0])))
                return
            hash_start = self._head.begun(source) if self._head else None
            tap = HashingStream(cast(ByteSource, source), hash_start)
            yield from self._cut(_unpacked(tap, self._path))
            tap.drain()
            if self._head and hash_start and not self._head.is_same(source):
                fix = "count it again when nobody writes to it"
                raise SourceError("changed while it was counted", fix=fix, place=Place(self.name))
            self._tap = tap

    def explain(self, block: Block) -> list[SourceError]:
        """Return the problems that the reader finds in *block*; lines are counted from 1 in the block."""
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
        """Yield blocks up to the last sentence end; the rest is put before the next bytes read."""
        rest, room, first, spare = b"", BLOCK_BYTES, True, list[bytearray]()
        got = room
        while got == room:
            data = _memory(spare, len(rest) + room + PADDING)
            data[: len(rest)] = rest
            got = self._fill(stream, memoryview(data)[len(rest) : len(rest) + room])
            size = len(rest) + got
            if first and not (self._span and self._span[0]) and data.startswith(_BOM) and self.layout.is_utf8:
                del data[: len(_BOM)]
                size -= len(_BOM)
            first = False
            if got < room:
                size = self._whole(data, size)
            end = size if got < room else self._end(data, size)
            rest = bytes(memoryview(data)[end:size])
            if end:
                self._yielded, self._dropping = self._yielded + end, False
                yield Block(data, end, got < room and self._ends_file, spare)
            elif size > MAX_SENTENCE:
                rest = yield from self._drop(data, size)

    @property
    def _ends_file(self) -> bool:
        return self._span is None or self._span[1] >= Path(self._path).stat().st_size

    def _fill(self, stream: BinaryIO, room: memoryview) -> int:
        """Read until *room* is full or the stream ends or is damaged; return the number of bytes."""
        got = 0
        try:
            while got < len(room):
                count = cast(IO[bytes], stream).readinto(room[got:])  # type: ignore[attr-defined]
                if not count:
                    break
                got += count
        except (*DAMAGE, _ISAL_ERROR) as error:
            self._damage = error
        return got

    def _whole(self, data: bytearray, size: int) -> int:
        """Return the *size* of the rest of the file; without the incomplete last line if the file is damaged."""
        if self._damage is None:
            return size
        size = data.rfind(b"\n", 0, size) + 1
        what = f"cannot be read to its end ({self._damage})"
        self._report(what, "copy or download it again", data.count(b"\n", 0, size))
        return size

    def _drop(self, data: bytearray, size: int) -> Generator[Block, None, bytes]:
        """Skip bytes without a sentence end, but yield their line ends to keep line numbers right; return the rest."""
        if not self._dropping:
            self._report(f"no sentence ends in {MAX_SENTENCE} bytes", "is its format another? see --format", 0)
        self._dropping = True
        end = data.rfind(b"\n", 0, size) + 1 or size
        self._yielded += end
        lines = data.count(b"\n", 0, end)
        if lines:
            yield Block.of(b"\n" * lines)
        return bytes(memoryview(data)[end:size])

    def _report(self, what: str, fix: str, lines: int) -> None:
        """Report a problem that many *lines* after the blocks so far.

        The file is read again to count the lines before: too rare a case to count lines always.
        """
        place = Place(self.name)
        if self._path != STDIN:
            remaining = self._yielded
            again = VerticalFile(self._path, self.layout, self._reader, Problems("skip"), span=self._span)
            for block in again.blocks() if remaining else ():
                lines += block.data.count(b"\n", 0, block.size)
                remaining -= block.size
                if remaining <= 0:
                    break
            place = Place(self.name, lines + 1)
        self._problems.report(SourceError(what, fix=fix, place=place))
        self.passed_over += 1

    def _end(self, data: bytearray, size: int) -> int:
        """Return the last place in *data* that is known to end a sentence; 0 when there is none."""
        for mark in _AFTER[self.layout.ends]:
            place = data.rfind(mark, 0, size)
            if place >= 0:
                return place + len(mark)
        for mark in _BEFORE[self.layout.ends]:
            place = data.rfind(mark, 0, size)
            if place >= 0:
                return place + 1
        return 0


def _memory(spare: list[bytearray], size: int) -> bytearray:
    """Return memory of at least *size* bytes, from *spare* if that is large enough.

    It is popped before it is measured, because other threads return blocks meanwhile.
    """
    try:
        data = spare.pop()
    except IndexError:
        data = bytearray()
    return data if len(data) >= size else bytearray(size + _SPARE_BYTES)


def boundary(path: Path, layout: Layout, at: int) -> int:
    """Return the first place from *at* on that stands between two sentences of the file; its end when there is none."""
    if not at:
        return 0
    marks, rest = _AFTER[layout.ends] or _BEFORE[layout.ends], b""
    with path.open("rb") as stream:
        stream.seek(at)
        while chunk := stream.read(BLOCK_BYTES):
            data = rest + chunk
            places = [(data.find(mark), mark) for mark in marks]
            ends = [place + (len(mark) if _AFTER[layout.ends] else 1) for place, mark in places if place >= 0]
            if ends:
                return stream.tell() - len(data) + min(ends)
            rest = data[-MARK_BYTES:]
        return stream.tell()


class _Part(io.RawIOBase):
    """The bytes of a stream up to a place in it."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        super().__init__()
        self._source, self._left = source, size

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill *buffer* from the source."""
        got = self._source.readinto(buffer[: self._left])  # type: ignore[attr-defined]
        self._left -= got or 0
        return got or 0


def _unpacked(tap: HashingStream, path: str) -> BinaryIO:
    if path.endswith(".gz"):
        opened = igzip.IGzipFile(fileobj=io.BufferedReader(tap, CHUNK), mode="rb")  # type: ignore[no-untyped-call]
        return cast(BinaryIO, opened)
    return decompressed(path, tap) if path.endswith((".bz2", ".xz", ".zst")) else cast(BinaryIO, tap)
