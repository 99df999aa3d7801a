"""Counting corpus files of any format into a store: the reader, the kernel layout, and the header.

    header = count_files(["ukwac-1.xml.gz"], Path("stats"), Job("en", "wac", reading=Reading(encoding="latin-1")))

The columns of `wac` and `conllu` are counted as bytes; every other format goes through its reader.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path, PurePath

from ncimp.corpus_stats.counting.run import RunOptions, count_corpus
from ncimp.corpus_stats.counting.segment import SegmentCounter, SegmentPlan
from ncimp.corpus_stats.counting.sources import FileSource, SentenceFile, VerticalFile
from ncimp.corpus_stats.kernel.blocks import CANONICAL, Block, Layout
from ncimp.corpus_stats.kernel.compiled import without_scipy
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.formats import FORMATS, Reading, expanded, open_corpus
from ncimp.corpus_stats.readers.streams import COMPRESSED_SUFFIXES, HUB_PREFIX, FileFacts, HeadStart, check_encoding
from ncimp.corpus_stats.store.header import CorpusSource, StoreHeader
from ncimp.corpus_stats.store.tables import Tally
from ncimp.corpus_stats.words import TOKENISER_VERSION

LICENCE_NOT_STATED = "not stated"
"""Licence of a corpus without --licence."""

_FROM_ELSEWHERE = ("lang",)
_DEFAULT = Reading()


@dataclass(frozen=True, slots=True)
class Job:
    """A corpus, how it is read, and what is counted of it."""

    lang: str
    corpus_format: str
    reading: Reading = _DEFAULT
    plan: SegmentPlan = SegmentPlan()  # noqa: RUF009 - frozen
    name: str | None = None
    """Name of the corpus of all files; by default the name of each file."""
    licence: str = LICENCE_NOT_STATED

    @property
    def layout(self) -> Layout:
        """Return the layout of the blocks of all files."""
        as_bytes = FORMATS[self.corpus_format].layout
        return replace(as_bytes, encoding=self.reading.encoding) if as_bytes else CANONICAL

    def source(self, path: str, problems: Problems, head: HeadStart | None = None) -> FileSource:
        """Return the file at *path*, which *head* may have begun to hash, as a source of blocks."""
        if FORMATS[self.corpus_format].layout and not path.startswith(HUB_PREFIX):
            check_encoding(self.reading.encoding)
            return VerticalFile(path, self.layout, FORMATS[self.corpus_format].read, problems, head=head)
        return SentenceFile(open_corpus(path, self.corpus_format, self.reading, problems), problems)

    def load(self) -> None:
        """Load the compiled code in a program that does nothing but count; else the first block would wait for it."""
        counter = SegmentCounter(self.layout, self.plan)  # the number of columns is compiled in
        with without_scipy():
            counter.add(Block.of(b""))
            counter.finish()

    def entry(self, file: str, facts: FileFacts) -> CorpusSource:
        """Return the header's entry of *file*."""
        short = file if file.startswith(HUB_PREFIX) else PurePath(file).name
        name = self.name or corpus_name(file)
        return CorpusSource(
            name, self.licence, short, facts.sha256, facts.bytes, self.corpus_format, described(self.reading)
        )

    def header(self) -> StoreHeader:
        """Return the header of an empty store."""
        patterns = tuple(asdict(pattern) for pattern in self.plan.patterns.patterns)
        return StoreHeader(
            self.lang,
            self.corpus_format,
            TOKENISER_VERSION,
            Tally(),
            {},
            (),
            adjacent=self.plan.adjacent,
            classes=self.plan.patterns.classes,
            patterns=patterns,
        )


def count_files(
    paths: Sequence[str],
    out: Path,
    job: Job,
    options: RunOptions = RunOptions(workers=1),  # noqa: B008 - frozen
    head: HeadStart | None = None,
) -> StoreHeader:
    """Count all files that *paths* name (see `formats.expanded`) into the store *out* and return its header.

    Files without any sentence (mostly a wrong format) and files with equal bytes (which would be counted twice) are a
    `SourceError`. *head* may have begun to hash one of them.
    """
    files = expanded(paths, job.corpus_format)
    heads = {head.path: head} if head and head.path else {}
    sources = [job.source(path, options.problems, heads.get(path)) for path in files]
    return count_corpus(sources, out, job.header(), job.plan, options, describe=job.entry)


def described(reading: Reading) -> str:
    """Return the options of *reading* that are not the default.

    >>> described(Reading(encoding="latin-1", sentences="rule"))
    'encoding=latin-1; sentences=rule'
    """
    options = [field.name for field in fields(reading) if field.name not in _FROM_ELSEWHERE]
    changed = [name for name in options if getattr(reading, name) != getattr(_DEFAULT, name)]
    return "; ".join(f"{name}={getattr(reading, name)}" for name in changed)


def corpus_name(file: str) -> str:
    """Return the name of a corpus file without folder, packing and suffix."""
    if file.startswith(HUB_PREFIX):
        return file
    name = PurePath(file).name
    for suffix in COMPRESSED_SUFFIXES:
        name = name.removesuffix(suffix)
    return PurePath(name).stem
