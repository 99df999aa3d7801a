"""Skimming a block: how many sentences it has, and those of them that may hold a phrase, read by the format's reader.

Documents are told by the reader, too: it is given the lines that may begin one.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType

import numpy as np

from ncimp.corpus_stats.contexts import kernel
from ncimp.corpus_stats.contexts.blocks import FORMATS, BlockFormat, Stand
from ncimp.corpus_stats.contexts.sieve import Sieve
from ncimp.corpus_stats.kernel.compiled import Ints
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.streams import Line
from ncimp.corpus_stats.sentences import CorpusSentence

_BOM = b"\xef\xbb\xbf"

_WAYS: MappingProxyType[str, tuple[Callable[..., None], kernel.Frame]] = MappingProxyType(
    {
        "wac": (kernel.skim_markup, kernel.Frame(3, 0, kernel.NO_IDS)),
        "vert": (kernel.skim_markup, kernel.Frame(1, 0, kernel.NO_IDS)),
        "conllu": (kernel.skim_columns, kernel.Frame(10, 1, kernel.RANGES)),
        "brwac": (kernel.skim_columns, kernel.Frame(10, 1, kernel.ONES)),
        "text": (kernel.skim_lines, kernel.Frame(0, 0, kernel.NO_IDS)),
    }
)
"""How blocks of each format are gone through."""

_ELSEWHERE = Stand(document="\0\0")
"""A document that no corpus names."""

ENTITIES = ("wac", "vert")
"""Formats in which `&amp;` and the like stand for characters."""


@dataclass(frozen=True, slots=True)
class Skimmed:
    """How many lines and sentences a block has, those that may hold a phrase, and the document at its end."""

    lines: int
    sentences: int
    found: list[CorpusSentence]
    document: str | None
    number: int


@dataclass(frozen=True, slots=True)
class _Block:
    """A plain block: the number and place of each hit, and the place of lines that may begin documents."""

    data: bytes
    lines: int
    sentences: int
    hits: list[tuple[int, int, int]]
    markers: list[tuple[int, int, int]]


class Skimmer:
    """Skims blocks of one format; one skimmer is used by one thread at a time."""

    def __init__(self, block_format: BlockFormat, sieve: Sieve, encoding: str) -> None:
        self._format, self._sieve, self._encoding = block_format, sieve, encoding
        self._way, self._frame = _WAYS[block_format.name]
        self._rooms: dict[str, Ints] = {}

    def skim(self, data: bytes, stand: Stand) -> Skimmed | None:
        """Return what *data*, a block that begins at *stand*, holds; None if it has to be read in full."""
        if not self._is_text(data):
            return None
        data = data if data.endswith(b"\n") else data + b"\n"
        found = self._found(len(data))
        begin = len(_BOM) if not stand.offset and data.startswith(_BOM) and self._encoding == "utf-8" else 0
        array = np.frombuffer(data, np.uint8)
        self._way(array, begin, len(data), self._frame, self._sieve.fold, self._sieve.pieces, found)
        plain, count, sentences, events, markers = found.told.tolist()
        places = self._sieve.places(data, found.events, events, self._room("hits", events)) if plain else None
        if places is None:
            return None
        begins, ends = found.sentences[:, :sentences]
        hits = np.unique(np.searchsorted(begins, places, side="right") - 1)
        rows = [(begin, end, following) for begin, end, following in found.markers[:, :markers].T.tolist()]
        regions = list(zip(hits.tolist(), begins[hits].tolist(), ends[hits].tolist(), strict=True))
        return self._read(_Block(data, count, sentences, regions, rows), stand)

    def _is_text(self, data: bytes) -> bool:
        """Return whether the reader could decode each line of *data*."""
        if data.isascii():
            return b"\0" not in data
        try:
            data.decode(self._encoding)
        except UnicodeDecodeError:
            return False
        return b"\0" not in data

    def _found(self, size: int) -> kernel.Found:
        """Return room for what is found in *size* bytes: a run and a sentence have at least one byte and one after."""
        most = size // 2 + 1
        events, sentences, markers = (
            self._room(name, rows * most).reshape(rows, most)
            for name, rows in (("events", 4), ("sentences", 2), ("markers", 3))
        )
        return kernel.Found(events, sentences, markers, np.zeros(5, np.int64))

    def _room(self, name: str, size: int) -> Ints:
        """Return room for *size* numbers, the same each time: fresh memory for each block would cost much."""
        if name not in self._rooms or len(self._rooms[name]) < size:
            self._rooms[name] = np.empty(size + size // 4, np.int32)
        return self._rooms[name][:size]

    def _read(self, block: _Block, stand: Stand) -> Skimmed | None:
        """Return the sentences of the hits; None where the reader finds something else in their lines."""
        document, before = stand.document, stand.number
        boundaries, found = list(self._boundaries(block)), list[CorpusSentence]()
        for hit, begin, end in block.hits:
            while boundaries and boundaries[0][0] <= hit:
                first, document = boundaries.pop(0)
                before = -first
            problems = Problems("skip")
            lines = self._lines(block.data[begin:end])
            sentences = list(self._format.read(lines, Stand(), "", problems, closed=False))
            if len(sentences) != 1 or problems.count:
                return None
            sentences[0].document, sentences[0].number = document, before + hit + 1
            found += sentences
        for first, name in boundaries:
            document, before = name, -first
        return Skimmed(block.lines, block.sentences, found, document, before + block.sentences)

    def _boundaries(self, block: _Block) -> Iterator[tuple[int, str | None]]:
        """Yield each document that begins in *block*: the number of its first sentence, and its id."""
        for first, markers in groupby(block.markers, key=itemgetter(kernel.NEXT)):
            lines = [line for begin, end, _ in markers for line in self._lines(block.data[begin:end])]
            *_, last = self._format.read(lines, _ELSEWHERE, "", Problems("skip"), closed=True)
            if last.document != _ELSEWHERE.document:
                yield first, last.document

    def _lines(self, data: bytes) -> list[Line]:
        return [(0, raw.decode(self._encoding).rstrip("\r\n")) for raw in data.removesuffix(b"\n").split(b"\n")]


def skimmer_for(corpus_format: str, spellings: Iterable[Sequence[str]], encoding: str) -> Skimmer:
    """Return what skims blocks of *corpus_format* for the *spellings*."""
    encoding = codecs.lookup(encoding).name
    sieve = Sieve(
        spellings, encoding=encoding, entities=corpus_format in ENTITIES, blank_breaks=corpus_format == "brwac"
    )
    return Skimmer(FORMATS[corpus_format], sieve, encoding)
