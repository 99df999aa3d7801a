"""Search of one corpus file for phrases, in blocks of whole sentences.

Reading a sentence takes many times as long as looking at its text. So a sentence that cannot contain a phrase
(`Sieve`), and that its reader is certain to read without a problem (`Cuts.plain`), is counted and not read. The rest of
a damaged file, and one in which no sentence ends for long, is read line by line.
"""

import codecs
import io
import re
import unicodedata
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from ncimp.corpus_stats.contexts.sample import KEPT, ContextFilter, ContextSample, Occurrence, PhraseIndex
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.formats import BY_LINE, FORMATS, Corpus, Cuts, Reading
from ncimp.corpus_stats.readers.streams import COMPRESSED_SUFFIXES, DAMAGE, Line, decompressed, read_lines
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.words import CorpusSentence, Layer, Position, normal_form
from ncimp.schemas import Place, SourceError, UsageError

try:
    import ahocorasick_rs
except ModuleNotFoundError:  # the extra `corpus` is not installed
    ahocorasick_rs = None  # type: ignore[assignment]

BLOCK_BYTES = 1 << 20  # bytes that are read at a time
BATCH = 8  # sentences that are tried together first: few hold a phrase, and each trial has its price
MAX_BLOCK = 1 << 22  # bytes (4 MiB) in which a sentence must end; else the file is read line by line from there

form_of = lru_cache(maxsize=1 << 16)(normal_form)  # `normal_form`, cached for the most frequent words

# encodings in which every ASCII byte is that character, whatever stands before it
_ASCII_IN_ASCII = re.compile(r"ascii|utf-8|iso8859-\d+|cp125\d|koi8-[rtu]")
_VISIBLE = re.compile("[!-~]")
_WORD_ID = re.compile(r"^([0-9]+)\t", re.MULTILINE)
_NUMBERS = [str(number) for number in range(1, 1000)]


@dataclass(slots=True)
class Progress:
    """A place between two sentences of a file, up to which it was read."""

    offset: int = 0  # bytes, unpacked
    line: int = 0  # lines before this place
    document: str | None = None
    number: int = 0  # sentences of the document before this place
    complete: bool = False


@dataclass(slots=True)
class SearchPart:
    """The sample and the problems of one file, as far as it was read."""

    sample: ContextSample
    problems: Problems
    progress: Progress = field(default_factory=Progress)


class Sieve:
    """A prefilter for sentences, cut like *cuts*, that may contain one of the *spellings*, words in counted form.

    It is an Aho-Corasick automaton over the words of all phrases. It has no false negatives and hardly any false
    positives, and needs no tokens: words that have lines of their own are cut out by an expression, and running text
    is compared without its spaces.
    """

    def __init__(self, spellings: Iterable[Sequence[str]], cuts: Cuts = Cuts()) -> None:  # noqa: B008 - frozen
        self._cuts, self._separator = cuts, "\n" if cuts.form else ""
        patterns = {self._pattern(spelling) for spelling in spellings}
        self._automaton: Any = ahocorasick_rs.BytesAhoCorasick([pattern.encode() for pattern in sorted(patterns)])

    def test_of(self, batch: Sequence[str], position: Position) -> Callable[[str], bool]:  # noqa: ARG002
        """Return the test of a sentence of *batch*, which are tried together first."""
        return self.passes if self.passes("".join(batch)) else _never

    def passes(self, sentence: str) -> bool:
        """Return True if *sentence* may contain a spelling."""
        text = self._pattern(self._cuts.form.findall(f"\n{sentence}")) if self._cuts.form else sentence
        if self._cuts.join:
            text = self._cuts.join.sub("\n", text)
        text = unescaped(text) if self._cuts.entities else text
        text = text.lower() if text.isascii() else _folded(normal_form(text))
        if not self._cuts.form:
            # normalised before words are joined: a combining mark behind a space must not join the letter before it
            text = "".join(text.split())
        return bool(self._automaton.find_matches_as_indexes(text.encode("utf-8", "surrogatepass")))

    def rejects(self, sentence: str) -> bool:
        """Return True if *sentence* of running text has a word, but cannot contain a spelling."""
        return bool(_VISIBLE.search(sentence)) and not self.passes(sentence)

    def _pattern(self, words: Sequence[str]) -> str:
        return _folded(f"{self._separator}{self._separator.join(words)}{self._separator}")


def _never(sentence: str) -> bool:  # noqa: ARG001
    return False


def _folded(text: str) -> str:
    return text.replace("\u03c2", "\u03c3")  # lower case writes a sigma by its neighbours


@dataclass(frozen=True, slots=True)
class Search:
    """The phrases, how the corpus is read, and which sentences are kept."""

    index: PhraseIndex
    corpus_format: str
    reading: Reading
    size: int  # sentences of each phrase that are kept
    seed: str = "0"
    layer: Layer = "surface"
    conditions: ContextFilter = ContextFilter()  # noqa: RUF009 - frozen
    block_bytes: int = BLOCK_BYTES  # does not change the result

    def new_sample(self) -> ContextSample:
        """Return an empty sample."""
        return ContextSample(self.size, self.seed)

    def run(self, path: str, part: SearchPart) -> Iterator[None]:
        """Read the file at *path* on from the progress of *part*, into *part*; yield wherever it may be stopped."""
        text = FORMATS[self.corpus_format].text and self.reading.token is None
        sieve = self.sieve() if text else None
        skip = sieve.rejects if sieve else None  # of sentences of plain text that need no tokens
        yield from _search(self, path, part, skip)
        part.progress.complete = True

    def collect(self, sentences: Iterable[CorpusSentence], file: str, sample: ContextSample) -> None:
        """Put into *sample* the *sentences* of *file* that hold a phrase and meet the conditions."""
        unit_of = attrgetter(self.layer)
        for sentence in sentences:
            sample.sentences += 1
            words = [form_of(unit) for unit in map(unit_of, sentence) if unit is not None]
            by_phrase = defaultdict[str, list[Occurrence]](list)
            for occurrence in self.index.find(words):
                by_phrase[occurrence.phrase].append(occurrence)
            if by_phrase:
                places = [place for place, token in enumerate(sentence) if unit_of(token) is not None]
            for phrase, (first, *others) in by_phrase.items():
                tokens = Occurrence(phrase, places[first.start], places[first.end - 1] + 1)
                reason = self.conditions.reason(sentence, tokens, 1 + len(others))
                sample.counts.setdefault(phrase, Counter())[reason or KEPT] += 1
                if reason is None:
                    sample.offer(tokens, sentence, words, file)

    def sieve(self, cuts: Cuts = Cuts()) -> Sieve | None:  # noqa: B008 - frozen
        """Return the sieve for text that is cut like this; None where sentences have to be read to be searched."""
        spellings = [words for _, words in self.index.spellings]
        possible = ahocorasick_rs is not None and self.layer == "surface" and all(map(any, spellings))
        return Sieve(spellings, cuts) if possible else None


def _search(
    search: "Search | DocumentSearch", path: str, part: SearchPart, skip: Callable[[str], bool] | None = None
) -> Iterator[None]:
    corpus = Corpus(path, search.corpus_format, search.reading, part.problems, skip)
    safe = _ASCII_IN_ASCII.fullmatch(codecs.lookup(search.reading.encoding).name)
    if safe and FORMATS[search.corpus_format].cuts and Path(path).is_file():
        yield from _FileSearch(search, path, corpus, part, skip).run()
    else:
        search.collect(corpus.sentences(), corpus.name, part.sample)


class _FileSearch:
    """The search of one file in blocks."""

    def __init__(
        self,
        search: "Search | DocumentSearch",
        path: str,
        corpus: Corpus,
        part: SearchPart,
        skip: Callable[[str], bool] | None,
    ) -> None:
        self._search, self._path, self._corpus = search, path, corpus
        self._sample, self._problems, self._progress = part.sample, part.problems, part.progress
        self._position = Position(part.progress.document, part.progress.number)
        self._options = search.reading.options(search.corpus_format, skip) | {"problems": part.problems}
        entry = FORMATS[search.corpus_format]
        self._reader, self._cuts, self._encoding = entry.read, entry.cuts or Cuts(), search.reading.encoding
        # sentences can be recognised without a reader: of text, if each line is one
        by_line = search.reading.sentences in (None, BY_LINE) and search.reading.token is None
        self._sieve = search.sieve(self._cuts) if self._cuts.plain and (entry.text is None or by_line) else None

    def run(self) -> Iterator[None]:
        """Search the file; yield when everything up to `progress` is in the sample."""
        progress = self._progress
        try:
            for data in self._blocks():
                self._take(data)
                progress.offset += len(data)
                progress.document, progress.number = self._position.document, self._position.number
                yield
        except DAMAGE:
            self._read(self._corpus.lines(progress.line))

    def _blocks(self) -> Iterator[bytes]:
        """Yield the bytes of the file from `progress` on, in blocks that end where a sentence ends, but for the last.

        Raise EOFError where no sentence ends for long.
        """
        rest, offset = b"", self._progress.offset
        with Path(self._path).open("rb", buffering=0) as source:
            if not self._path.endswith(COMPRESSED_SUFFIXES):
                offset -= source.seek(offset)
            with decompressed(self._path, source) as stream:
                while offset:
                    size = len(stream.read(min(offset, BLOCK_BYTES)))
                    offset = offset - size if size else 0
                while piece := stream.read(self._search.block_bytes):
                    data = rest + piece
                    end = self._last_cut(data)
                    if end:
                        yield data[:end]
                    elif len(data) > MAX_BLOCK:
                        raise EOFError(f"no sentence ends in {MAX_BLOCK} bytes")
                    rest = data[end:]
        if rest:
            yield rest

    def _last_cut(self, data: bytes) -> int:
        """Return the end of the last sentence of *data*; 0 if none ends."""
        begin = self._cuts.begin
        for end in (self._cuts.end, f"{self._cuts.end[:-1]}\r\n"):
            mark, place = (end + begin).encode(), len(data)
            while (place := data.rfind(mark, 0, place)) >= 0:
                start = place + len(end)
                stop = data.find(b"\n", start)
                line = data[start:stop]
                # a line that cannot be read, or is not complete, does not begin a sentence
                if not begin or (stop >= 0 and b"\0" not in line and _decoded(line, self._encoding) is not None):
                    return start
        return 0

    def _take(self, data: bytes) -> None:
        progress, text = self._progress, None if b"\0" in data else _decoded(data, self._encoding)
        if text is None or self._sieve is None:
            stream, problems = io.BytesIO(data), self._problems
            self._read(read_lines(stream, self._path, encoding=self._encoding, problems=problems, before=progress.line))
            progress.line += data.count(b"\n")
            return
        sentences = (text if progress.line else text.removeprefix("\ufeff")).split(self._cuts.end + self._cuts.begin)
        sentences[1:] = [self._cuts.begin + sentence for sentence in sentences[1:]]
        sentences[:-1] = [sentence + self._cuts.end for sentence in sentences[:-1]]
        sentences = list(filter(None, sentences))  # nothing stands after the last end
        for first in range(0, len(sentences), BATCH):
            batch = sentences[first : first + BATCH]
            may_match = self._sieve.test_of(batch, self._position)
            for sentence in batch:
                if self._is_plain(sentence) and not may_match(sentence):
                    self._position.next()
                    self._sample.sentences += 1
                else:
                    lines = (line.rstrip("\r") for line in sentence.removesuffix("\n").split("\n"))
                    self._read(enumerate(lines, start=progress.line + 1))
                progress.line += sentence.count("\n")

    def _is_plain(self, sentence: str) -> bool:
        """Return True if the reader reads *sentence* as one, without a problem."""
        if self._cuts.plain is None or not self._cuts.plain.fullmatch(sentence):
            return False
        numbers = _WORD_ID.findall(sentence) if self._cuts.numbered else []
        return numbers == _NUMBERS[: len(numbers)]

    def _read(self, lines: Iterable[Line]) -> None:
        sentences = self._reader(lines, file=self._path, position=self._position, **self._options)
        self._search.collect(sentences, self._path, self._sample)


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


DOCUMENT_FORMATS = ("text", "wac", "brwac", "vert", "conllu")  # the formats that name their documents


@dataclass(frozen=True, slots=True)
class DocumentSearch:
    """A search for documents by their ids: sentences of other documents are counted and not read."""

    names: Collection[str]
    corpus_format: str
    reading: Reading
    sentences: dict[str, dict[int, str]] = field(default_factory=dict)
    """The sentences of each document by their number: their words, separated by a space."""
    again: set[str] = field(default_factory=set)  # names that a second document has
    block_bytes: int = BLOCK_BYTES  # does not change the result

    def sieve(self, cuts: Cuts) -> "DocumentSearch":  # noqa: ARG002
        """Return the prefilter, which is the search itself."""
        return self

    def test_of(self, batch: Sequence[str], position: Position) -> Callable[[str], bool]:  # noqa: ARG002
        """Return the test of the sentence behind *position*."""
        return lambda _: position.document in self.names

    def collect(self, sentences: Iterable[CorpusSentence], file: str, sample: ContextSample) -> None:  # noqa: ARG002
        """Keep those of *sentences* that stand in a document of `names`, the first of its name."""
        for sentence in sentences:
            name = sentence.document
            if name is not None and name in self.names:
                texts = self.sentences.setdefault(name, {})
                if sentence.number in texts:
                    self.again.add(name)
                if name not in self.again:
                    text = " ".join(str(token.surface) for token in sentence)
                    texts[sentence.number] = unicodedata.normalize("NFC", text)


def find_documents(
    paths: Iterable[Path], corpus_format: str, names: Collection[str], *, encoding: str = "utf-8"
) -> dict[str, str]:
    """Return the text of the documents *names* of the corpus at *paths*, files or folders, in one pass over it.

    A document of `text` is a file, its id its path inside the folder, and its text that of the file. Elsewhere
    the text is the words, separated by a space, in sentences, each a line; a sentence with a broken line is an empty
    one. Of two documents of one name the first counts. All text is in NFC.
    """
    if corpus_format not in DOCUMENT_FORMATS:
        what = f"the format {corpus_format!r} has no documents"
        raise UsageError(what, fix=f"choose one of {', '.join(DOCUMENT_FORMATS)}")
    search = DocumentSearch(names, corpus_format, Reading(encoding))
    texts: dict[str, str] = {}
    for path in paths:
        if not path.exists():
            raise SourceError("no such file or folder", fix="check the path", place=Place(str(path)))
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            name = file.relative_to(path).as_posix() if path.is_dir() else file.name
            if corpus_format == "text":
                if name in names and name not in texts:
                    lines = Corpus(str(file), corpus_format, search.reading).lines()
                    texts[name] = unicodedata.normalize("NFC", "\n".join(line for _, line in lines))
            else:
                part = SearchPart(ContextSample(0, ""), Problems("skip"))
                deque(_search(search, str(file), part), maxlen=0)
    for name, sentences in search.sentences.items():
        texts[name] = "\n".join(sentences.get(number, "") for number in range(1, max(sentences) + 1))
    return texts
