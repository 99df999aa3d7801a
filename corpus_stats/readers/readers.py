"""The corpus formats by name. Each reader turns lines, or a file, into sentences and documents its format.

A format of lines has a `Reader`; the others (archives, tables, datasets) are read by the path (`PathReader`).
`inputs.py` opens both kinds in one way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Protocol

from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.brwac import read_brwac
from ncimp.corpus_stats.readers.conllu import read_conllu
from ncimp.corpus_stats.readers.hub import read_hub
from ncimp.corpus_stats.readers.jsonl import read_jsonl
from ncimp.corpus_stats.readers.nltk_zips import read_nltk
from ncimp.corpus_stats.readers.parquet import read_parquet
from ncimp.corpus_stats.readers.streams import Line
from ncimp.corpus_stats.readers.tagged import read_tagged
from ncimp.corpus_stats.readers.text import read_text_sentences
from ncimp.corpus_stats.readers.vert import read_vert
from ncimp.corpus_stats.readers.wac import read_wac
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import UsageError


class Reader(Protocol):
    """A reader of one corpus format."""

    def __call__(self, lines: Iterable[Line], *, file: str, problems: Problems = ...) -> Iterator[CorpusSentence]:
        """Yield the sentences of *lines*; *file* is the name for messages."""
        ...


class PathReader(Protocol):
    """A reader of a format that has no lines."""

    def __call__(self, path: str, /, *, problems: Problems = ...) -> Iterator[CorpusSentence]:
        """Yield the sentences of what is at *path*."""
        ...


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "text": read_text_sentences,
        "conllu": read_conllu,
        "wac": read_wac,
        "brwac": read_brwac,
        "vert": read_vert,
        "tagged": read_tagged,
        "jsonl": read_jsonl,
    },
)
"""Reader of each format of lines."""

PATH_READERS: Mapping[str, PathReader] = MappingProxyType(
    {"nltk": read_nltk, "parquet": read_parquet, "hf": read_hub},
)
"""Reader of each format that is read by its path."""

FORMATS = (*READERS, *PATH_READERS)
"""Every format, in the order of the documentation."""

SUFFIXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "text": (".txt",),
        "conllu": (".conllu",),
        "wac": (".xml", ".wac", ".vrt"),
        "brwac": (".conll",),
        "vert": (".vert",),
        "tagged": (".tagged", ".pos"),
        "jsonl": (".jsonl", ".ndjson"),
        "nltk": (".zip",),
        "parquet": (".parquet",),
    },
)
"""Suffixes of the files of a format, before a suffix of compression; a folder is searched for these."""


def reader_for(corpus_format: str) -> Reader:
    """Return the reader of lines of *corpus_format*, or raise `UsageError` naming the formats there are."""
    if corpus_format not in READERS:
        raise UsageError(f"no corpus format {corpus_format!r}", fix=f"choose one of {', '.join(READERS)}")
    return READERS[corpus_format]
