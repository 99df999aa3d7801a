"""Records of what is taken from corpora."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ncimp.schemas.columns import Lang, Ordinal, Span


@dataclass(frozen=True, slots=True)
class CorpusContext:
    """One sentence of a corpus that holds a compound (`corpus_context`)."""

    lang: Annotated[Lang, "Language id."]
    compound: Annotated[str, "The compound as the list of compounds has it."]
    matched: Annotated[str, "The compound as it is written in the sentence."]
    file: Annotated[str, "Name of the corpus file, without folders."]
    document: Annotated[str | None, "Id of the document as the corpus names it; empty where it names none."]
    position: Ordinal
    """Number of the sentence in its document (in the file, where the corpus names no documents), from 1."""
    text: str | None
    """The sentence as it was written, or its tokens with spaces between them where the corpus keeps no more; empty
    when only its place may be passed on."""
    span: Span | None
    """Characters of the compound in the sentence, [start, end); empty where the corpus does not say."""
    licence: Annotated[str, "Licence of the corpus, as the user states it."]
