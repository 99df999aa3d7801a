"""Corpora as they are named on a command line: files, folders, globs, standard input, datasets; opened in one way.

for path in expanded(["ukwac/*.xml.gz", "more/"], "wac"):
    corpus = open_corpus(path, "wac", reading, problems)
    for sentence in corpus.sentences():
        ...
    print(corpus.facts.sha256)
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers import hub, spacy_text
from ncimp.corpus_stats.readers.columns import ID_COLUMN, TEXT_COLUMN
from ncimp.corpus_stats.readers.readers import FORMATS, PATH_READERS, READERS, SUFFIXES
from ncimp.corpus_stats.readers.streams import (
    COMPRESSED_SUFFIXES,
    STDIN,
    CorpusFile,
    FileFacts,
    check_encoding,
    source_name,
)
from ncimp.corpus_stats.readers.text import PlainRules, TextRules
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.hashing import file_hash

TEXT_FORMATS = ("text", "jsonl", "parquet", "hf")
"""Formats that hold text, which has to be cut into words."""

COLUMN_FORMATS = ("jsonl", "parquet", "hf")
"""Formats that hold their text in a column."""

BY_LINE, BY_RULE = "line", "rule"


@dataclass(frozen=True, slots=True)
class Reading:
    """How corpora are read; what does not apply to a format is not used for it."""

    encoding: str = "utf-8"
    sentences: str | None = None
    """`line`, `rule`, or `spacy:PIPELINE`; None: one a line in `text`, by rule in columns of texts."""
    token: str | None = None
    """Expression that words of plain text match; None: the project's own (`words.WORD`)."""
    lang: str = "xx"
    """Language of spaCy's blank pipeline."""
    text_column: str = TEXT_COLUMN
    id_column: str = ID_COLUMN

    def rules(self, corpus_format: str) -> TextRules:
        """Return how text in *corpus_format* becomes sentences."""
        how = self.sentences or (BY_LINE if corpus_format == "text" else BY_RULE)
        if how.startswith(spacy_text.PREFIX):
            return spacy_text.load_rules(how.removeprefix(spacy_text.PREFIX), self.lang)
        if how not in (BY_LINE, BY_RULE):
            fix = f"choose {BY_LINE}, {BY_RULE} or {spacy_text.PREFIX}PIPELINE"
            raise UsageError(f"no way {how!r} to cut sentences", fix=fix)
        return PlainRules(cut=how == BY_RULE, token=self.token)


class Corpus:
    """One file or dataset of a corpus; `sentences` may be gone through once, and `facts` are known after that."""

    def __init__(self, path: str, corpus_format: str, reading: Reading, problems: Problems) -> None:
        self._path = path
        self._format = corpus_format
        self._reading = reading
        self._problems = problems
        self._facts: FileFacts | None = None

    @property
    def name(self) -> str:
        """Return the name for messages: the path as given, or `stdin`."""
        return source_name(self._path)

    @property
    def facts(self) -> FileFacts:
        """Return hash and size of the bytes as stored; of a dataset, of its sentences as they were read."""
        if self._facts is None:
            raise RuntimeError("the corpus has not been read to its end")
        return self._facts

    def sentences(self) -> Iterator[CorpusSentence]:
        """Yield the sentences in their order."""
        if self._format in READERS:
            file = CorpusFile(self._path, encoding=self._reading.encoding, problems=self._problems)
            reader: Callable[..., Iterator[CorpusSentence]] = READERS[self._format]
            yield from reader(file.lines(), file=file.name, problems=self._problems, **self._options())
            self._facts = file.facts
        else:
            yield from self._by_path()

    def _by_path(self) -> Iterator[CorpusSentence]:
        if self._path == STDIN:
            fix = "name a file"
            raise UsageError(f"the format {self._format!r} cannot be read from standard input", fix=fix)
        digest, size = hashlib.sha256(), 0
        reader: Callable[..., Iterator[CorpusSentence]] = PATH_READERS[self._format]
        for sentence in reader(self._path, problems=self._problems, **self._options()):
            if self._format == "hf":
                written = f"{sentence.document}\t{sentence.text}\n".encode("utf-8", "replace")
                digest.update(written)
                size += len(written)
            yield sentence
        if self._format == "hf":
            self._facts = FileFacts(digest.hexdigest(), size)
        else:
            path = Path(self._path)
            self._facts = FileFacts(file_hash(path), path.stat().st_size)

    def _options(self) -> dict[str, object]:
        options: dict[str, object] = {}
        if self._format in TEXT_FORMATS:
            options["rules"] = self._reading.rules(self._format)
        if self._format in COLUMN_FORMATS:
            options |= {"text_column": self._reading.text_column, "id_column": self._reading.id_column}
        return options


def open_corpus(path: str, corpus_format: str, reading: Reading = Reading(), problems: Problems = STOP) -> Corpus:
    """Return the corpus at *path* (`-` is standard input, `hf:…` a dataset), to be read as *corpus_format*."""
    if corpus_format not in FORMATS:
        raise UsageError(f"no corpus format {corpus_format!r}", fix=f"choose one of {', '.join(FORMATS)}")
    check_encoding(reading.encoding)
    return Corpus(path, "hf" if path.startswith(hub.PREFIX) else corpus_format, reading, problems)


def expanded(paths: Sequence[str], corpus_format: str) -> tuple[str, ...]:
    """Return the files that *paths* name: themselves, those that fit a glob, those of the format below a folder.

    Globs and folders give their files in code-point order; hidden files are left out. One that gives none is an error.
    """
    if list(paths).count(STDIN) > 1:
        raise UsageError("standard input is named twice", fix="name - once")
    return tuple(file for path in paths for file in _expand(path, corpus_format))


def _expand(path: str, corpus_format: str) -> list[str]:
    if path == STDIN or path.startswith(hub.PREFIX) or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        return _files_below(path, corpus_format)
    if not glob.has_magic(path):
        return [path]  # the reader says that there is no such file
    fitting = glob.iglob(path, recursive=True)  # noqa: PTH207 - the pattern may be absolute
    found = sorted(name for name in fitting if Path(name).is_file())
    if not found:
        raise SourceError("no file fits this pattern", fix="check it, and put it in quotes", place=Place(path))
    return found


def _files_below(folder: str, corpus_format: str) -> list[str]:
    suffixes = SUFFIXES.get(corpus_format, ())
    found = sorted(
        str(path)
        for path in Path(folder).rglob("*")
        if path.is_file() and format_suffix(path.name) in suffixes and not _is_hidden(path.relative_to(folder))
    )
    if not found:
        what = f"no file of the format {corpus_format!r} below this folder"
        fix = f"its files end in {' or '.join(suffixes)}; name others one by one or with a glob"
        raise SourceError(what, fix=fix, place=Place(folder))
    return found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def format_suffix(name: str) -> str:
    """Return the suffix of the file *name* before a suffix of compression.

    >>> format_suffix("ukwac-1.xml.gz")
    '.xml'
    """
    path = PurePath(name)
    return PurePath(path.stem).suffix if path.suffix in COMPRESSED_SUFFIXES else path.suffix
