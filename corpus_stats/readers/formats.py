"""The corpus formats: one `Format` each. To add a format, write its reader and one entry in `FORMATS`."""

import glob
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from ncimp.corpus_stats.kernel.blocks import CONLLU, WAC, Layout
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers import conllu, streams, tables, text, vertical
from ncimp.corpus_stats.words import CorpusSentence
from ncimp.schemas import Place, SourceError, UsageError, file_hash

BY_LINE, BY_RULE = "line", "rule"  # how plain text is cut into sentences: one a line, or by `cut_sentences` as well

Reader = Callable[..., Iterator[CorpusSentence]]
"""Reads sentences from lines (`lines, *, file, problems, position`), or, of a format without lines, from a path
(`path, *, problems`). Readers of text also take `rules`, readers of tables also `text_column` and `id_column`."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """Rules that cut the lines of a format between two sentences, and recognise sentences that need not be read.

    At a cut, a reader knows nothing of the lines before but its `Position`.
    """

    end: str = "\n"  # the end of a sentence
    begin: str = ""  # the beginning of the next one, where `end` alone does not tell
    plain: re.Pattern[str] | None = None
    """Matches a sentence that the reader is certain to read as one without a problem, and that begins no document."""
    numbered: bool = False  # whether it must also have the word ids 1, 2, 3 …
    form: re.Pattern[str] | None = None  # finds the surface forms of such a sentence after a line end; None in text
    join: re.Pattern[str] | None = None  # finds the marks that join several words in one form
    entities: bool = False  # whether `&amp;` and the like stand for characters in forms


@dataclass(frozen=True, slots=True)
class Format:
    """A corpus format."""

    name: str
    read: Reader
    suffixes: tuple[str, ...] = ()  # of its files, before a suffix of compression; no two formats share one
    cuts: Cuts | None = None  # None: it has no lines, and is read by its path
    layout: Layout | None = None  # the columns, where the bytes of its files are counted as they are
    tagged: bool = False  # whether it has parts of speech, by which compound candidates are counted
    text: str | None = None  # of plain text, which has to be cut into words: the default way to cut it into sentences
    columns: bool = False  # whether its text stands in a named column


_TAGS = r"(?:</?(?!(?i:s|text|doc)\b)[A-Za-z]\w*(?:[ /][^\t\n]*)?>\n)*+"
_OPEN = r"<s(?: [^\t\n]*)?>\n"
_SECOND = re.compile(r"\n[^\t\n]+\t([^\t\n]+)")
_CELLS = r"(?:\t[^\t\n]*+){8}\n"


def _vertical_cuts(token: str, form: str) -> Cuts:
    plain = re.compile(f"{_TAGS}{_OPEN}{token}(?:{token}|<g/>\n)*+</s>\n")
    return Cuts("\n</s>\n", plain=plain, form=re.compile(form), entities=True)


_WAC_SUFFIXES = (".xml", ".wac", ".vrt")
_WAC_CUTS = _vertical_cuts(r"[^\s<][^\t\n]*+\t[^\t\n]*+\t[^\t\n]*+\n", r"\n([^\t\n]+)\t")
_VERT_CUTS = _vertical_cuts(r"[^\s<][^\t\n]*+(?<!\s)\n", r"\n([^\n<][^\n]*)")
_CONLLU_CUTS = Cuts(
    "\n\n",
    plain=re.compile(rf"(?:#(?!\s*newdoc)[^\n]*+\n)*+(?:[0-9]{{1,6}}\t[^\t\n]++{_CELLS})++\n"),
    numbered=True,
    form=_SECOND,
)
_BRWAC_CUTS = Cuts(
    "\n",
    "1\t",
    plain=re.compile(rf"1\t[^\s][^\t\n]*+{_CELLS}(?:(?!1\t)[0-9]++\t[^\s][^\t\n]*+{_CELLS})*+\n*+"),
    form=_SECOND,
    join=conllu.BRWAC_JOIN,
)
_TEXT_CUTS = Cuts(plain=re.compile(r"[^!-~\n]*+[!-~][^\n]*+\n"))

FORMATS: Mapping[str, Format] = {  # in the order of the documentation
    entry.name: entry
    for entry in (
        Format("text", text.read_text, (".txt",), _TEXT_CUTS, text=BY_LINE),
        Format("conllu", conllu.read_conllu, (".conllu",), _CONLLU_CUTS, CONLLU, tagged=True),
        Format("wac", vertical.read_wac, _WAC_SUFFIXES, _WAC_CUTS, WAC, tagged=True),
        Format("brwac", conllu.read_brwac, (".conll",), _BRWAC_CUTS, tagged=True),
        Format("vert", vertical.read_vert, (".vert",), _VERT_CUTS),
        Format("tagged", text.read_tagged, (".tagged", ".pos"), Cuts(), tagged=True),
        Format("jsonl", tables.read_jsonl, (".jsonl", ".ndjson"), Cuts(), text=BY_RULE, columns=True),
        Format("nltk", text.read_nltk, (".zip",), tagged=True),
        Format("parquet", tables.read_parquet, (".parquet",), text=BY_RULE, columns=True),
        Format("hf", tables.read_hub, text=BY_RULE, columns=True),
    )
}


@dataclass(frozen=True, slots=True)
class Reading:
    """Options of reading a corpus; a format ignores those that do not apply to it."""

    encoding: str = "utf-8"
    sentences: str | None = None  # `line`, `rule`, or `spacy:PIPELINE`; None: the default of the format
    token: str | None = None  # expression that words of plain text match; None: `words.WORD`
    lang: str = "xx"  # language of spaCy's blank pipeline
    text_column: str = tables.TEXT_COLUMN
    id_column: str = tables.ID_COLUMN

    def rules(self, corpus_format: str, skip: Callable[[str], bool] | None = None) -> text.TextRules:
        """Return the rules that cut text in *corpus_format*; plain ones give no tokens where *skip* is true."""
        how = self.sentences or FORMATS[corpus_format].text or BY_LINE
        if how.startswith(text.SPACY_PREFIX):
            return text.load_spacy(how.removeprefix(text.SPACY_PREFIX), self.lang)
        if how not in (BY_LINE, BY_RULE):
            fix = f"choose {BY_LINE}, {BY_RULE} or {text.SPACY_PREFIX}PIPELINE"
            raise UsageError(f"no way {how!r} to cut sentences", fix=fix)
        token = None if self.token is None else re.compile(self.token)
        return partial(text.plain_sentences, cut=how == BY_RULE, token=token, skip=skip)

    def options(self, corpus_format: str, skip: Callable[[str], bool] | None = None) -> dict[str, Any]:
        """Return the arguments that the reader of *corpus_format* takes; *skip* is that of `rules`."""
        columns = {"text_column": self.text_column, "id_column": self.id_column}
        rules = {"rules": self.rules(corpus_format, skip)} if FORMATS[corpus_format].text else {}
        return rules | (columns if FORMATS[corpus_format].columns else {})


class Corpus:
    """One file or dataset of a corpus; it may be read once, and `facts` are known after that."""

    def __init__(
        self,
        path: str,
        corpus_format: str,
        reading: Reading = Reading(),
        problems: Problems = STOP,
        skip: Callable[[str], bool] | None = None,
    ) -> None:
        """Open the corpus at *path* (`-` is standard input, `hf:…` a dataset); *skip* is that of `Reading.rules`."""
        if corpus_format not in FORMATS:
            raise UsageError(f"no corpus format {corpus_format!r}", fix=f"choose one of {', '.join(FORMATS)}")
        streams.check_encoding(reading.encoding)
        self._format = FORMATS["hf" if path.startswith(streams.HUB_PREFIX) else corpus_format]
        self._path, self._reading, self._problems, self._skip = path, reading, problems, skip
        self.name = streams.source_name(path)  # for messages: the path as given, or `stdin`
        self._facts: streams.FileFacts | None = None

    @property
    def facts(self) -> streams.FileFacts:
        """Return hash and size of the stored bytes; of a dataset, of its sentences as they were read."""
        if self._facts is None:
            raise RuntimeError("the corpus has not been read to its end")
        return self._facts

    def lines(self, skip: int = 0) -> Iterator[streams.Line]:
        """Yield the lines of a file after the first *skip*, which are not decoded."""
        with streams.open_source(self._path) as source:
            tap = streams.HashingStream(source)
            with streams.decompressed(self._path, tap) as stream:
                encoding = self._reading.encoding
                yield from streams.read_lines(stream, self.name, encoding=encoding, problems=self._problems, skip=skip)
            tap.drain()
            self._facts = streams.FileFacts(tap.sha256, tap.size)

    def sentences(self) -> Iterator[CorpusSentence]:
        """Yield the sentences in their order."""
        options = self._reading.options(self._format.name, self._skip) | {"problems": self._problems}
        if self._format.cuts:
            yield from self._format.read(self.lines(), file=self.name, **options)
        elif self._path == streams.STDIN:
            fix = "name a file"
            raise UsageError(f"the format {self._format.name!r} cannot be read from standard input", fix=fix)
        elif self._format.name == "hf":
            digest, size = hashlib.sha256(), 0
            for sentence in self._format.read(self._path, **options):
                content = f"{sentence.document}\t{sentence.text}\n".encode("utf-8", "replace")
                digest.update(content)
                size += len(content)
                yield sentence
            self._facts = streams.FileFacts(digest.hexdigest(), size)
        else:
            yield from self._format.read(self._path, **options)
            path = Path(self._path)
            self._facts = streams.FileFacts(file_hash(path), path.stat().st_size)


def expanded(paths: Sequence[str], corpus_format: str) -> tuple[str, ...]:
    """Return the files that *paths* name: themselves, those that match a glob, those of the format below a folder.

    Globs and folders give their files in code-point order; hidden files are left out. One without files is an error.
    """
    if list(paths).count(streams.STDIN) > 1:
        raise UsageError("standard input is named twice", fix="name - once")
    return tuple(file for path in paths for file in _files_of(path, corpus_format))


def _files_of(path: str, corpus_format: str) -> list[str]:
    if path == streams.STDIN or path.startswith(streams.HUB_PREFIX) or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        suffixes = FORMATS[corpus_format].suffixes
        files = sorted(
            str(file)
            for file in Path(path).rglob("*")
            if file.is_file()
            and format_suffix(file.name) in suffixes
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        what = f"no file of the format {corpus_format!r} below this folder"
        fix = f"its files end in {' or '.join(suffixes)}; name others one by one or with a glob"
    elif glob.has_magic(path):
        matches = glob.iglob(path, recursive=True)  # noqa: PTH207 - the pattern may be absolute
        files = sorted(name for name in matches if Path(name).is_file())
        what, fix = "no file fits this pattern", "check it, and put it in quotes"
    else:
        return [path]  # the reader says that there is no such file
    if not files:
        raise SourceError(what, fix=fix, place=Place(path))
    return files


def format_suffix(name: str) -> str:
    """Return the suffix of the file *name* before a suffix of compression.

    >>> format_suffix("ukwac-1.xml.gz")
    '.xml'
    """
    path = PurePath(name)
    return PurePath(path.stem).suffix if path.suffix in streams.COMPRESSED_SUFFIXES else path.suffix
