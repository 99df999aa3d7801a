"""What is looked for in a corpus, and how a file of it is gone through: skimmed where that finds the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec

from ncimp.corpus_stats.contexts.blocks import FORMATS, Stand
from ncimp.corpus_stats.contexts.filters import ContextFilter
from ncimp.corpus_stats.contexts.phrases import PhraseIndex
from ncimp.corpus_stats.contexts.sample import ContextSample, collect
from ncimp.corpus_stats.kernel.blocks import BLOCK_BYTES
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.inputs import BY_LINE, Reading, open_corpus
from ncimp.corpus_stats.readers.streams import STDIN, check_encoding
from ncimp.corpus_stats.words import Layer


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and how the corpus is read."""

    index: PhraseIndex
    corpus_format: str
    reading: Reading
    size: int
    """Sentences of each phrase that are kept."""
    seed: str = "0"
    layer: Layer = "surface"
    conditions: ContextFilter = ContextFilter()  # noqa: RUF009 - frozen
    block_bytes: int = BLOCK_BYTES
    """Bytes that are skimmed at a time; does not change the result."""

    skims: bool = True
    """Whether what cannot hold a phrase may be skimmed; does not change the result."""

    def new_sample(self) -> ContextSample:
        """Return a sample that is still empty."""
        return ContextSample(self.size, self.seed)

    def described(self) -> list[object]:
        """Return everything that the result depends on, as values of JSON."""
        phrases = sorted(map(list, self.index.phrases))
        rest = [self.corpus_format, self.size, self.seed, self.layer]
        return [phrases, *rest, asdict(self.reading), asdict(self.conditions)]

    def run(self, path: str, sample: ContextSample, problems: Problems, stand: Stand) -> Iterator[None]:
        """Put into *sample* what the file at *path* holds from *stand* on; yield wherever it may be stopped."""
        if not self.can_skim(path):
            corpus = open_corpus(path, self.corpus_format, self.reading, problems)
            collect(
                corpus.sentences(), self.index, sample, file=corpus.name, layer=self.layer, conditions=self.conditions
            )
            return
        from ncimp.corpus_stats.contexts.scan import FileScan
        from ncimp.corpus_stats.contexts.skim import skimmer_for

        check_encoding(self.reading.encoding)
        skimmer = skimmer_for(self.corpus_format, self.index.spellings, self.reading.encoding)
        yield from FileScan(self, path, sample, problems, stand, skimmer).run()

    def can_skim(self, path: str) -> bool:
        """Return whether the result of skimming is that of reading every sentence."""
        usual = self.skims and self.layer == "surface" and self.corpus_format in FORMATS and path != STDIN
        if self.corpus_format == "text":
            usual = usual and self.reading.sentences in (None, BY_LINE) and self.reading.token is None
        if not usual or find_spec("numba") is None:
            return False
        from ncimp.corpus_stats.contexts.sieve import can_sift, is_safe

        return is_safe(self.reading.encoding) and can_sift(self.index.spellings)
