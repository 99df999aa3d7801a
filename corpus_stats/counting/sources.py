"""A job of counting: its corpus files as sources of blocks, and the counts to make.

    header = count_files(["ukwac-1.xml.gz"], Path("stats"), Job("en", "wac", reading=Reading(encoding="latin-1")))

The bytes of a vertical format (`wac`, `conllu`) are unpacked, cut into blocks at sentence ends, and hashed on the way;
every other format goes through its reader.
"""

import io
import sys
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, fields, replace
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import IO, BinaryIO, TypeAlias, cast

from ncimp.corpus_stats.counting.segment import SegmentCounter, SegmentPlan
from ncimp.corpus_stats.kernel.blocks import BLOCK_BYTES, CANONICAL, PADDING, Block, Layout, canonical, packed
from ncimp.corpus_stats.kernel.compiled import without_scipy
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers import streams
from ncimp.corpus_stats.readers.formats import FORMATS, Corpus, Reader, Reading
from ncimp.corpus_stats.store.header import CorpusSource, StoreHeader
from ncimp.corpus_stats.words import TOKENISER_VERSION
from ncimp.schemas import Place, SourceError

LICENCE_NOT_STATED = "not stated"  # licence of a corpus without --licence

MAX_SENTENCE = 1 << 24
"""Longest sentence in bytes (16 MiB). Anything longer is not a sentence, and would fill the memory."""

_BOM = b"\xef\xbb\xbf"
_AFTER = {"blank": (), "markup": (b"\n</s>\n", b"\n</s>\r\n")}
"""Lines that end a sentence: a block is cut after the last of them."""
_BEFORE = {"blank": (b"\n\n", b"\n\r\n"), "markup": (b"\n<s>\n", b"\n<s>\r\n", b"\n<text>\n", b"\n<text ")}
"""Lines before which a block is cut where there are none of the others; the usual one comes first."""
MARK_BYTES = 8  # bytes of the longest of these marks
_SPARE_BYTES = 1 << 16
"""Bytes of a block beyond those read at a time, for the sentence that the block before left incomplete."""

Span = tuple[int, int]  # half-open [begin, end), in bytes of a file
_NEXT_SENTENCE = ("<s>", "</s>")
"""Lines added to a block before the end of its file: a sentence that is not closed is reported at the next `<s>`."""


class SentenceFile:
    """A corpus that a reader in Python turns into sentences."""

    layout: Layout = CANONICAL  # the layout of all blocks

    def __init__(self, corpus: Corpus, problems: Problems) -> None:
        self._corpus, self._problems = corpus, problems
        self.name = corpus.name  # the name for messages
        self.passed_over = 0  # problems that the reader skipped; known after all `blocks`

    @property
    def facts(self) -> streams.FileFacts:
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
        head: streams.HeadStart | None = None,
    ) -> None:
        self._path, self._reader, self._problems, self._span, self._head = path, reader, problems, span, head
        self.name = streams.source_name(path)  # for messages: its path as given, or `stdin`
        self.layout = layout  # the layout of all blocks
        self.passed_over = 0  # skipped problems of the file itself; those of lines are in the tables
        self._facts = streams.FileFacts("", span[1] - span[0]) if span else None
        self._yielded = 0  # blocks so far
        self._damage: Exception | None = None
        self._dropping = False

    @property
    def facts(self) -> streams.FileFacts:
        """Return hash and size; only after all `blocks` were read. A part is not hashed."""
        if self._facts is None:
            raise RuntimeError("the file has not been read to its end")
        return self._facts

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; a file that cannot be read to its end is a problem at the line reached."""
        with streams.open_source(self._path) as source:
            if self._span:
                source.seek(self._span[0])
                yield from self._cut(source)
                return
            hash_start = self._head.begun(source) if self._head else None
            tap = streams.HashingStream(source, hash_start)
            is_packed = self._path.endswith(streams.COMPRESSED_SUFFIXES)
            yield from self._cut(streams.decompressed(self._path, tap) if is_packed else cast(BinaryIO, tap))
            tap.drain()
            if self._head and hash_start and not self._head.is_same(source):
                fix = "count it again when nobody writes to it"
                raise SourceError("changed while it was counted", fix=fix, place=Place(self.name))
            self._facts = streams.FileFacts(tap.sha256, tap.size)

    def explain(self, block: Block) -> list[SourceError]:
        """Return the problems that the reader finds in *block*; lines are counted from 1 in the block."""
        problems = Problems("skip")
        stream = io.BytesIO(block.data[: block.size])
        lines = streams.read_lines(stream, "", encoding=self.layout.encoding, problems=problems)
        after = () if block.last or self.layout.ends == "blank" else _NEXT_SENTENCE
        number = block.data.count(b"\n", 0, block.size) + 1
        deque(self._reader(chain(lines, ((number, text) for text in after)), file="", problems=problems), maxlen=0)
        return problems.first

    def _cut(self, stream: IO[bytes]) -> Iterator[Block]:
        """Yield blocks up to the last sentence end; the rest is put before the next bytes read."""
        rest, room, spare = b"", BLOCK_BYTES, list[bytearray]()
        begin, stop = self._span or (0, sys.maxsize)
        ends_file = self._span is None or stop >= Path(self._path).stat().st_size
        first, left, got = not begin, stop - begin, room
        while got == room:
            data = _memory(spare, len(rest) + room + PADDING)
            data[: len(rest)] = rest
            got = self._fill(stream, memoryview(data)[len(rest) : len(rest) + min(room, left)])
            size, left = len(rest) + got, left - got
            if first and data.startswith(_BOM) and self.layout.is_utf8:
                del data[: len(_BOM)]
                size -= len(_BOM)
            first = False
            if got < room and self._damage:
                size = data.rfind(b"\n", 0, size) + 1  # without the incomplete last line
                what = f"cannot be read to its end ({self._damage})"
                self._report(what, "copy or download it again", data.count(b"\n", 0, size))
            end = size if got < room else self._end(data, size)
            rest = bytes(memoryview(data)[end:size])
            if end:
                self._yielded, self._dropping = self._yielded + 1, False
                yield Block(data, end, got < room and ends_file, spare)
            elif size > MAX_SENTENCE:
                rest = yield from self._drop(data, size)

    def _fill(self, stream: IO[bytes], room: memoryview) -> int:
        """Read until *room* is full or the stream ends or is damaged; return the number of bytes."""
        got = 0
        try:
            while got < len(room) and (count := stream.readinto(room[got:])):  # type: ignore[attr-defined]
                got += count
        except streams.DAMAGE as error:
            self._damage = error
        return got

    def _drop(self, data: bytearray, size: int) -> Generator[Block, None, bytes]:
        """Skip bytes without a sentence end, but yield their line ends to keep line numbers right; return the rest."""
        if not self._dropping:
            self._report(f"no sentence ends in {MAX_SENTENCE} bytes", "is its format another? see --format", 0)
        self._dropping = True
        end = data.rfind(b"\n", 0, size) + 1 or size
        lines = data.count(b"\n", 0, end)
        if lines:
            self._yielded += 1
            yield Block.of(b"\n" * lines)
        return bytes(memoryview(data)[end:size])

    def _report(self, what: str, fix: str, lines: int) -> None:
        """Report a problem that many *lines* after the blocks so far."""
        place = Place(self.name)
        if self._path != streams.STDIN:  # read again to count the lines before: too rare a case to count lines always
            again = VerticalFile(self._path, self.layout, self._reader, Problems("skip"), span=self._span)
            blocks = islice(again.blocks(), self._yielded)
            place = Place(self.name, lines + sum(block.data.count(b"\n", 0, block.size) for block in blocks) + 1)
        self._problems.report(SourceError(what, fix=fix, place=place))
        self.passed_over += 1

    def _end(self, data: bytearray, size: int) -> int:
        """Return the last place in *data* that is known to end a sentence; 0 when there is none."""
        after, before = _AFTER[self.layout.ends], _BEFORE[self.layout.ends]
        places = ((data.rfind(mark, 0, size), len(mark) if mark in after else 1) for mark in (*after, *before))
        return next((place + length for place, length in places if place >= 0), 0)


def _memory(spare: list[bytearray], size: int) -> bytearray:
    """Return memory of at least *size* bytes, from *spare* if that is large enough."""
    try:
        data = spare.pop()  # before it is measured, because other threads return blocks meanwhile
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


FileSource: TypeAlias = SentenceFile | VerticalFile  # a corpus file as blocks of one layout


@dataclass(frozen=True, slots=True)
class Job:
    """A corpus, how it is read, and what is counted of it."""

    lang: str
    corpus_format: str
    reading: Reading = Reading()  # noqa: RUF009 - frozen
    plan: SegmentPlan = SegmentPlan()  # noqa: RUF009 - frozen
    name: str | None = None  # name of the corpus of all files; by default the name of each file
    licence: str = LICENCE_NOT_STATED

    @property
    def layout(self) -> Layout:
        """Return the layout of the blocks of all files."""
        as_bytes = FORMATS[self.corpus_format].layout
        return replace(as_bytes, encoding=self.reading.encoding) if as_bytes else CANONICAL

    def source(
        self, path: str, problems: Problems, *, span: Span | None = None, head: streams.HeadStart | None = None
    ) -> FileSource:
        """Return the file at *path*, or its part *span*, as blocks; *head* may have begun to hash it."""
        if FORMATS[self.corpus_format].layout and not path.startswith(streams.HUB_PREFIX):
            streams.check_encoding(self.reading.encoding)
            return VerticalFile(path, self.layout, FORMATS[self.corpus_format].read, problems, span=span, head=head)
        return SentenceFile(Corpus(path, self.corpus_format, self.reading, problems), problems)

    def load(self) -> None:
        """Load the compiled code in a program that does nothing but count; else the first block would wait for it."""
        counter = SegmentCounter(self.layout, self.plan)  # the number of columns is compiled in
        with without_scipy():
            counter.add(Block.of(b""))
            counter.finish()

    def entry(self, file: str, facts: streams.FileFacts) -> CorpusSource:
        """Return the header's entry of *file*: its corpus, and the options of the reader that are not the default."""
        short = name = file
        if not file.startswith(streams.HUB_PREFIX):
            short = name = PurePath(file).name
            for suffix in streams.COMPRESSED_SUFFIXES:
                name = name.removesuffix(suffix)
            name = PurePath(name).stem
        names = [field.name for field in fields(Reading) if field.name != "lang"]
        changed = [option for option in names if getattr(self.reading, option) != getattr(Reading(), option)]
        reading = "; ".join(f"{option}={getattr(self.reading, option)}" for option in changed)
        identity = (short, facts.sha256, facts.bytes)
        return CorpusSource(self.name or name, self.licence, *identity, self.corpus_format, reading)

    def header(self) -> StoreHeader:
        """Return the header of an empty store."""
        table = self.plan.patterns
        return StoreHeader(
            self.lang,
            self.corpus_format,
            TOKENISER_VERSION,
            adjacent=self.plan.adjacent,
            classes=table.classes,
            patterns=tuple(asdict(pattern) for pattern in table.patterns),
        )
