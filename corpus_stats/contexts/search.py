"""Search of one corpus file for phrases, in blocks of whole sentences.

Reading a sentence takes many times as long as looking at its text. So a sentence that cannot contain a phrase
(`Sieve`), and that its reader is certain to read without a problem (`Cuts.plain`), is counted and not read. The
result is that of reading every sentence. What is left of a damaged file, and one in which no sentence ends for long,
is read line by line.
"""

import codecs
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from ncimp.corpus_stats.contexts.sample import ContextFilter, ContextSample, PhraseIndex, collect
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.formats import BY_LINE, FORMATS, Cuts, Format, Reading, open_corpus
from ncimp.corpus_stats.readers.streams import (
    COMPRESSED_SUFFIXES,
    DAMAGE,
    CorpusFile,
    Line,
    LineReader,
    check_encoding,
    decompressed,
)
from ncimp.corpus_stats.readers.text import PlainRules, TextRules
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.words import CorpusSentence, Layer, Position, Token, normal_form

try:
    import ahocorasick_rs
except ModuleNotFoundError:  # the extra `corpus` is not installed
    ahocorasick_rs = None  # type: ignore[assignment]

_VISIBLE = re.compile("[!-~]")


class Sieve:
    """Tells which sentences may contain one of the *spellings*, words in counted form.

    *form* finds the words in a sentence of lines (as its only group); without it, sentences are running text. *join*
    finds marks inside a form that join several words; with *entities*, `&amp;` and the like stand for characters.
    """

    def __init__(
        self,
        spellings: Iterable[Sequence[str]],
        *,
        form: re.Pattern[str] | None = None,
        join: re.Pattern[str] | None = None,
        entities: bool = False,
    ) -> None:
        self._form, self._join, self._entities = form, join, entities
        self._separator = "\n" if form else ""
        patterns = {self._pattern(spelling) for spelling in spellings}
        self._automaton: Any = ahocorasick_rs.BytesAhoCorasick([pattern.encode() for pattern in sorted(patterns)])

    @staticmethod
    def is_possible(spellings: Iterable[Sequence[str]]) -> bool:
        """Return True if the automaton is installed and no spelling is empty."""
        return ahocorasick_rs is not None and all(map(any, spellings))

    def passes(self, sentence: str) -> bool:
        """Return True if *sentence* may contain a spelling."""
        if self._form is None:
            # normalised before words are joined: a combining mark behind a space must not join the letter before it
            text = "".join(_normalised(unescaped(sentence) if self._entities else sentence).split())
        else:
            text = self._pattern(self._form.findall(f"\n{sentence}"))
            if self._join:
                text = self._join.sub("\n", text)
            text = _normalised(unescaped(text) if self._entities else text)
        return bool(self._automaton.find_matches_as_indexes(text.encode("utf-8", "surrogatepass")))

    def _pattern(self, words: Sequence[str]) -> str:
        return _folded(f"{self._separator}{self._separator.join(words)}{self._separator}")


class SieveRules:
    """Rules that cut text like *rules*, but give no tokens for a sentence that cannot contain a phrase."""

    def __init__(self, rules: PlainRules, sieve: Sieve) -> None:
        self._rules, self._sieve = rules, sieve

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text* that holds a token: as written, and its tokens or none."""
        for sentence in self._rules.cut(text):
            if _VISIBLE.search(sentence) and not self._sieve.passes(sentence):
                yield sentence, ()
            else:
                tokens = self._rules.tokens(sentence)
                if tokens:
                    yield sentence, tokens


def _normalised(text: str) -> str:
    return text.lower() if text.isascii() else _folded(normal_form(text))


def _folded(text: str) -> str:
    # which of the two a sigma becomes in lower case depends on its neighbours
    return text.replace("\u03c2", "\u03c3")


BLOCK_BYTES = 1 << 20
"""Bytes that are read at a time."""

BATCH = 8
"""Sentences that are tried together first: few hold a phrase, and each trial has its price."""

MAX_BLOCK = 1 << 22
"""Bytes (4 MiB) in which a sentence must end; a file in which none does is read line by line from there."""

_ASCII_IN_ASCII = re.compile(r"ascii|utf-8|iso8859-\d+|cp125\d|koi8-[rtu]")
"""Encodings in which every ASCII byte is that character, whatever stands before it."""

_WORD_ID = re.compile(r"^([0-9]+)\t", re.MULTILINE)
_NUMBERS = [str(number) for number in range(1, 1000)]


class _NoSentenceEndError(Exception):
    """No sentence ends in `MAX_BLOCK` bytes."""


@dataclass(slots=True)
class Progress:
    """A place between two sentences of a file, up to which it was read."""

    offset: int = 0
    """Bytes, unpacked."""
    line: int = 0
    """Lines before this place."""
    document: str | None = None
    number: int = 0
    """Sentences of the document before this place."""
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """The phrases, how the corpus is read, and which sentences are kept."""

    index: PhraseIndex
    corpus_format: str
    reading: Reading
    size: int
    """Sentences of each phrase that are kept."""
    seed: str = "0"
    layer: Layer = "surface"
    conditions: ContextFilter = ContextFilter()  # noqa: RUF009 - frozen
    block_bytes: int = BLOCK_BYTES
    """Does not change the result."""

    def new_sample(self) -> ContextSample:
        """Return an empty sample."""
        return ContextSample(self.size, self.seed)

    def described(self) -> list[object]:
        """Return all options that the result depends on, as values of JSON."""
        phrases = sorted(map(list, self.index.phrases))
        rest = [self.corpus_format, self.size, self.seed, self.layer]
        return [phrases, *rest, asdict(self.reading), asdict(self.conditions)]

    def run(self, path: str, sample: ContextSample, problems: Problems, progress: Progress) -> Iterator[None]:
        """Add the sentences of the file at *path* to *sample*, from *progress* on; yield wherever it may be stopped."""
        check_encoding(self.reading.encoding)
        if self.has_blocks(path):
            yield from _FileSearch(self, path, sample, problems, progress).run()
        else:
            corpus = open_corpus(path, self.corpus_format, self.reading, problems, self._rules())
            self.collect(corpus.sentences(), corpus.name, sample)
        progress.complete = True

    def has_blocks(self, path: str) -> bool:
        """Return True if *path* is a file that is read in blocks."""
        safe = _ASCII_IN_ASCII.fullmatch(codecs.lookup(self.reading.encoding).name)
        return bool(safe) and FORMATS[self.corpus_format].cuts is not None and Path(path).is_file()

    def collect(
        self, sentences: Iterator[CorpusSentence] | Sequence[CorpusSentence], file: str, sample: ContextSample
    ) -> None:
        """Add *sentences* of *file* to *sample*."""
        collect(sentences, self.index, sample, file=file, layer=self.layer, conditions=self.conditions)

    def sieve(self, cuts: Cuts = Cuts()) -> Sieve | None:  # noqa: B008 - frozen
        """Return the sieve for text that is cut like this; None where sentences have to be read to be searched."""
        spellings = list(self.index.spellings)
        if self.layer != "surface" or not Sieve.is_possible(spellings):
            return None
        return Sieve(spellings, form=cuts.form, join=cuts.join, entities=cuts.entities)

    def _rules(self) -> TextRules | None:
        """Return the rules that cut text, with a sieve where they are plain; None where the format has no text."""
        if not FORMATS[self.corpus_format].text:
            return None
        rules, sieve = self.reading.rules(self.corpus_format), self.sieve()
        if sieve is None or self.reading.token is not None or not isinstance(rules, PlainRules):
            return rules
        return SieveRules(rules, sieve)


class _FileSearch:
    """The search of one file in blocks."""

    def __init__(
        self, search: Search, path: str, sample: ContextSample, problems: Problems, progress: Progress
    ) -> None:
        self._search, self._path, self._sample, self._problems = search, path, sample, problems
        self._progress, self._encoding = progress, search.reading.encoding
        self._format: Format = FORMATS[search.corpus_format]
        self._cuts = self._format.cuts or Cuts()
        self._options = search.reading.options(search.corpus_format, search._rules())
        self._sieve = search.sieve(self._cuts) if self._has_plain_sentences() else None
        self._position = Position(progress.document, progress.number)

    def run(self) -> Iterator[None]:
        """Search the file; yield when everything up to `progress` is in the sample."""
        try:
            with _unpacked(self._path, self._progress.offset) as stream:
                for data in _blocks(stream, self._cuts, self._encoding, self._search.block_bytes):
                    self._take(data)
                    self._progress.offset += len(data)
                    self._progress.document, self._progress.number = self._position.document, self._position.number
                    yield
        except (*DAMAGE, _NoSentenceEndError):
            file = CorpusFile(self._path, encoding=self._encoding, problems=self._problems)
            self._read(file.lines(skip=self._progress.line))

    def _has_plain_sentences(self) -> bool:
        """Return True if sentences can be recognised without a reader: of text, if each line is one."""
        by_line = self._search.reading.sentences in (None, BY_LINE) and self._search.reading.token is None
        return self._cuts.plain is not None and (self._format.text is None or by_line)

    def _take(self, data: bytes) -> None:
        text = None if b"\0" in data else _decoded(data, self._encoding)
        if text is None or self._sieve is None:
            lines = LineReader(self._path, encoding=self._encoding, problems=self._problems, before=self._progress.line)
            self._read(lines.read(io.BytesIO(data)))
            self._progress.line += data.count(b"\n")
        else:
            sentences = list(_sentences(text if self._progress.line else text.removeprefix("\ufeff"), self._cuts))
            for first in range(0, len(sentences), BATCH):
                self._take_sentences(sentences[first : first + BATCH], self._sieve)

    def _take_sentences(self, sentences: Sequence[str], sieve: Sieve) -> None:
        suspect = sieve.passes("".join(sentences))
        for sentence in sentences:
            if self._is_plain(sentence) and not (suspect and sieve.passes(sentence)):
                self._position.next()
                self._sample.sentences += 1
            else:
                self._read(_numbered(sentence, self._progress.line))
            self._progress.line += sentence.count("\n")

    def _is_plain(self, sentence: str) -> bool:
        """Return True if the reader reads *sentence* as one, without a problem."""
        if self._cuts.plain is None or not self._cuts.plain.fullmatch(sentence):
            return False
        if not self._cuts.numbered:
            return True
        numbers = _WORD_ID.findall(sentence)
        return numbers == _NUMBERS[: len(numbers)]

    def _read(self, lines: Iterator[Line]) -> None:
        sentences = self._format.read(
            lines, file=self._path, problems=self._problems, position=self._position, **self._options
        )
        self._search.collect(sentences, self._path, self._sample)


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def _numbered(text: str, before: int) -> Iterator[Line]:
    """Yield the lines of *text* with their numbers, after *before* lines."""
    lines = text.removesuffix("\n").split("\n")
    return ((number, line.rstrip("\r")) for number, line in enumerate(lines, start=before + 1))


def _sentences(text: str, cuts: Cuts) -> Iterator[str]:
    """Yield the parts of *text* between cuts, each with the end of its sentence."""
    first, *others = text.split(cuts.end + cuts.begin)
    for part in others:
        yield first + cuts.end
        first = cuts.begin + part
    if first:
        yield first


@contextmanager
def _unpacked(path: str, offset: int) -> Iterator[BinaryIO]:
    """Open the file at *path* unpacked, from the byte *offset* on."""
    with Path(path).open("rb", buffering=0) as source:
        if not path.endswith(COMPRESSED_SUFFIXES):
            offset -= source.seek(offset)
        with decompressed(path, source) as stream:
            while offset:
                size = len(stream.read(min(offset, BLOCK_BYTES)))
                offset = offset - size if size else 0
            yield stream


def _blocks(stream: IO[Any], cuts: Cuts, encoding: str, block_bytes: int) -> Iterator[bytes]:
    """Yield the bytes of *stream* in blocks that end where a sentence ends, but for the last; or raise an error."""
    rest = b""
    while piece := stream.read(block_bytes):
        data = rest + piece
        end = _last_cut(data, cuts, encoding)
        if end:
            yield data[:end]
        elif len(data) > MAX_BLOCK:
            raise _NoSentenceEndError
        rest = data[end:]
    if rest:
        yield rest


def _last_cut(data: bytes, cuts: Cuts, encoding: str) -> int:
    """Return the end of the last sentence of *data*; 0 if none ends."""
    for end in (cuts.end, f"{cuts.end[:-1]}\r\n"):
        mark = (end + cuts.begin).encode()
        place = data.rfind(mark)
        # a line that cannot be read does not begin a sentence
        while cuts.begin and place >= 0 and not _is_readable(data, place + len(end), encoding):
            place = data.rfind(mark, 0, place)
        if place >= 0:
            return place + len(end)
    return 0


def _is_readable(data: bytes, begin: int, encoding: str) -> bool:
    """Return True if the line at *begin* is whole and readable."""
    end = data.find(b"\n", begin)
    line = data[begin:end]
    return end >= 0 and b"\0" not in line and _decoded(line, encoding) is not None
