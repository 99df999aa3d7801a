"""The corpus formats by name. Each reader turns numbered lines into sentences and documents its format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Protocol

from ncimp.corpus_stats.conllu import read_conllu
from ncimp.corpus_stats.streams import Line
from ncimp.corpus_stats.text import read_text_sentences
from ncimp.corpus_stats.wac import read_wac
from ncimp.corpus_stats.words import Sentence
from ncimp.schemas.errors import UsageError


class Reader(Protocol):
    """A reader of one corpus format."""

    def __call__(self, lines: Iterable[Line], *, file: str) -> Iterator[Sentence]:
        """Yield the sentences of *lines*; *file* is the name for messages."""
        ...


READERS: Mapping[str, Reader] = MappingProxyType(
    {"text": read_text_sentences, "conllu": read_conllu, "wac": read_wac},
)
"""Reader of each format that `ncimp stats count --format` knows."""


def reader_for(corpus_format: str) -> Reader:
    """Return the reader of *corpus_format*, or raise `UsageError` naming the formats there are."""
    if corpus_format not in READERS:
        raise UsageError(f"no corpus format {corpus_format!r}", fix=f"choose one of {', '.join(READERS)}")
    return READERS[corpus_format]
