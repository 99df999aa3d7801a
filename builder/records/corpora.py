"""Records of what is taken from corpora."""

from __future__ import annotations

from dataclasses import dataclass

from ncimp.builder.records.words import Span


@dataclass(frozen=True, slots=True)
class CorpusContext:
    """One sentence of a corpus that holds a compound (`corpus_context`)."""

    lang: str
    compound: str
    matched: str
    file: str
    document: str | None
    position: int
    text: str | None
    span: Span | None
    licence: str
