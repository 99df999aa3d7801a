"""One corpus file gone through for phrases, block by block: what cannot hold one is skimmed, the rest is read.

A block that is not plain, because of a broken line or of anything else that is not the usual form of the format, is
read in full by the format's reader. So is what is left of a file in which no sentence ends for long, or that cannot be
read to its end. Either way the result is that of reading every sentence.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ncimp.corpus_stats.contexts.blocks import FORMATS, NoSentenceEndError, Stand, blocks, unpacked
from ncimp.corpus_stats.contexts.sample import ContextSample, collect, look_into
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.streams import DAMAGE, CorpusFile, Line, LineReader
from ncimp.corpus_stats.sentences import CorpusSentence

if TYPE_CHECKING:  # these need the extra `corpus`
    from ncimp.corpus_stats.contexts.search import Search
    from ncimp.corpus_stats.contexts.skim import Skimmer


@dataclass(slots=True)
class FileScan:
    """The way through one file; `run` it, and `sample` and `problems` have what was found up to `stand`."""

    search: Search
    path: str
    sample: ContextSample
    problems: Problems
    stand: Stand
    skimmer: Skimmer

    def run(self) -> Iterator[None]:
        """Go through the file from `stand` on; yield whenever everything up to there is in the sample."""
        block_format, encoding = FORMATS[self.search.corpus_format], self.search.reading.encoding
        try:
            with unpacked(self.path, self.stand.offset) as stream:
                for data, closed in blocks(stream, block_format, encoding, block_bytes=self.search.block_bytes):
                    self._take(data, closed=closed)
                    yield
        except (*DAMAGE, NoSentenceEndError):
            self._read_rest()

    def _take(self, data: bytes, *, closed: bool) -> None:
        skimmed = self.skimmer.skim(data, self.stand)
        if skimmed is None:
            self._read(data, closed=closed)
        else:
            self.sample.sentences += skimmed.sentences
            for sentence in skimmed.found:
                look_into(sentence, self.search.index, self.sample, file=self.path, conditions=self.search.conditions)
            self.stand.document, self.stand.number = skimmed.document, skimmed.number
            self.stand.line += skimmed.lines
        self.stand.offset += len(data)

    def _read(self, data: bytes, *, closed: bool) -> None:
        """Read the block *data* in full."""
        lines = LineReader(
            self.path, encoding=self.search.reading.encoding, problems=self.problems, before=self.stand.line
        )
        sentences = list(self._sentences(lines.read(io.BytesIO(data)), closed=closed))
        if closed:
            end = sentences.pop()
            self.stand.document, self.stand.number = end.document, end.number - 1
        self.stand.line += data.count(b"\n")
        self._collect(sentences)

    def _read_rest(self) -> None:
        """Read what is left of the file line by line."""
        file = CorpusFile(self.path, encoding=self.search.reading.encoding, problems=self.problems)
        self._collect(self._sentences(file.lines(skip=self.stand.line), closed=False))

    def _sentences(self, lines: Iterator[Line], *, closed: bool) -> Iterator[CorpusSentence]:
        block_format = FORMATS[self.search.corpus_format]
        return block_format.read(lines, replace(self.stand), self.path, self.problems, closed=closed)

    def _collect(self, sentences: Iterable[CorpusSentence]) -> None:
        collect(sentences, self.search.index, self.sample, file=self.path, conditions=self.search.conditions)
