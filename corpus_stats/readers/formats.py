"""The corpus formats: one `Format` each. To add a format, write its reader and one entry in `FORMATS`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ncimp.corpus_stats.kernel.blocks import CONLLU, WAC, Layout
from ncimp.corpus_stats.readers.conllu import BRWAC_JOIN, read_brwac, read_conllu
from ncimp.corpus_stats.readers.documents import Document, text_documents, wac_documents
from ncimp.corpus_stats.readers.streams import Line
from ncimp.corpus_stats.readers.tables import read_hub, read_jsonl, read_parquet
from ncimp.corpus_stats.readers.tagged import read_nltk, read_tagged
from ncimp.corpus_stats.readers.text import read_text
from ncimp.corpus_stats.readers.vertical import read_vert, read_wac
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import UsageError

BY_LINE: Literal["line"] = "line"
BY_RULE: Literal["rule"] = "rule"
"""How plain text is cut into sentences: one a line, or by `text.cut_sentences` as well."""

Reader = Callable[..., Iterator[CorpusSentence]]
"""Reads sentences from lines (`lines, *, file, problems, position`), or, of a format without lines, from a path
(`path, *, problems`). Readers of text also take `rules`, readers of tables also `text_column` and `id_column`."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """Rules that cut the lines of a format between two sentences, and recognise sentences that need not be read.

    At a cut, a reader knows nothing of the lines before but its `Position`.
    """

    end: str = "\n"
    """The end of a sentence."""
    begin: str = ""
    """The beginning of the next one, where `end` alone does not tell."""
    plain: re.Pattern[str] | None = None
    """Matches a sentence that the reader is certain to read as one without a problem, and that begins no document."""
    numbered: bool = False
    """Whether it must also have the word ids 1, 2, 3 …"""
    form: re.Pattern[str] | None = None
    """Finds the surface forms of such a sentence, with a line end before it; None in text."""
    join: re.Pattern[str] | None = None
    """Finds the marks that join several words in one form."""
    entities: bool = False
    """Whether `&amp;` and the like stand for characters in forms."""


@dataclass(frozen=True, slots=True)
class Format:
    """A corpus format."""

    name: str
    read: Reader
    suffixes: tuple[str, ...] = ()
    """Suffixes of its files, before a suffix of compression; no two formats share one."""
    cuts: Cuts | None = None
    """None: it has no lines, and is read by its path."""
    layout: Layout | None = None
    """The columns, where the bytes of its files are counted as they are."""
    tagged: bool = False
    """Whether it has parts of speech, by which compound candidates are counted."""
    text: Literal["line", "rule"] | None = None
    """It holds plain text, which has to be cut into words; the default way to cut it into sentences."""
    columns: bool = False
    """Whether its text stands in a named column."""
    documents: Callable[[Iterable[Line], str, str], Iterator[Document]] | None = None
    """Yields the documents of a file as one text each, from its lines, its name in the corpus and its path; or None."""


_TAGS = r"(?:</?(?!(?i:s|text|doc)\b)[A-Za-z]\w*(?:[ /][^\t\n]*)?>\n)*+"
_OPEN = r"<s(?: [^\t\n]*)?>\n"
_SECOND = re.compile(r"\n[^\t\n]+\t([^\t\n]+)")
_CELLS = r"(?:\t[^\t\n]*+){8}\n"


def _vertical_cuts(token: str, form: str) -> Cuts:
    plain = re.compile(f"{_TAGS}{_OPEN}{token}(?:{token}|<g/>\n)*+</s>\n")
    return Cuts("\n</s>\n", plain=plain, form=re.compile(form), entities=True)


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
    join=BRWAC_JOIN,
)
_TEXT_CUTS = Cuts(plain=re.compile(r"[^!-~\n]*+[!-~][^\n]*+\n"))

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            Format("text", read_text, (".txt",), _TEXT_CUTS, text=BY_LINE, documents=text_documents),
            Format("conllu", read_conllu, (".conllu",), _CONLLU_CUTS, CONLLU, tagged=True),
            Format("wac", read_wac, (".xml", ".wac", ".vrt"), _WAC_CUTS, WAC, tagged=True, documents=wac_documents),
            Format("brwac", read_brwac, (".conll",), _BRWAC_CUTS, tagged=True),
            Format("vert", read_vert, (".vert",), _VERT_CUTS),
            Format("tagged", read_tagged, (".tagged", ".pos"), Cuts(), tagged=True),
            Format("jsonl", read_jsonl, (".jsonl", ".ndjson"), Cuts(), text=BY_RULE, columns=True),
            Format("nltk", read_nltk, (".zip",), tagged=True),
            Format("parquet", read_parquet, (".parquet",), text=BY_RULE, columns=True),
            Format("hf", read_hub, text=BY_RULE, columns=True),
        )
    }
)
"""Every format by its name, in the order of the documentation."""


def format_named(name: str) -> Format:
    """Return the format *name*, or raise `UsageError` with the names of all formats."""
    if name not in FORMATS:
        raise UsageError(f"no corpus format {name!r}", fix=f"choose one of {', '.join(FORMATS)}")
    return FORMATS[name]
