"""Sentences tagged by a spaCy pipeline, when one is installed, as CoNLL-U, which everything else here reads.

spaCy is an extra (`pip install "ncimp[spacy]"`), and its pipelines come from their own site; nothing in a
build needs them. A tagged corpus can be counted (`ncimp stats count --format conllu`) and can be a treebank:

    tagger = load_tagger("pt_core_news_sm")
    path.write_text("".join(tagger.conllu(sentences)), encoding="utf-8")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Protocol

from ncimp.schemas.errors import SourceError

MIN_SPACY = "3.8"
"""The oldest spaCy this is meant for, as in the project's extra."""


class Token(Protocol):
    """What is asked of a token of spaCy."""

    text: str
    lemma_: str
    pos_: str
    tag_: str
    morph: object
    whitespace_: str
    is_space: bool


class Doc(Protocol):
    """What is asked of a document of spaCy."""

    def __iter__(self) -> Iterator[Token]:
        """Yield the tokens."""
        ...


class Pipeline(Protocol):
    """What is asked of a pipeline of spaCy."""

    meta: dict[str, object]

    def pipe(self, texts: Iterable[str]) -> Iterator[Doc]:
        """Yield the document of each text."""
        ...


class SpacyTagger:
    """A pipeline that tags sentences."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    @property
    def name(self) -> str:
        """Return the pipeline with its version, as `pt_core_news_sm 3.8.0`."""
        meta = self._pipeline.meta
        return f"{meta['lang']}_{meta['name']} {meta['version']}"

    def conllu(self, sentences: Iterable[str]) -> Iterator[str]:
        """Yield each sentence as CoNLL-U: words, lemmas, parts of speech and features, no syntax."""
        for doc in self._pipeline.pipe(" ".join(sentence.split()) for sentence in sentences):
            words = [token for token in doc if not token.is_space]
            if words:
                yield "\n".join(_line(number, token) for number, token in enumerate(words, start=1)) + "\n\n"


def load_tagger(pipeline: str) -> SpacyTagger:
    """Return the installed pipeline *pipeline*, or raise `SourceError` saying how to install it."""
    try:
        # by name: the project does not depend on it
        spacy = import_module("spacy")
        return SpacyTagger(spacy.load(pipeline))
    except ImportError:
        fix = f'pip install "spacy>={MIN_SPACY}", then python -m spacy download {pipeline}'
        raise SourceError("spaCy is not installed", fix=fix) from None
    except OSError:  # what spaCy raises on a name it does not find
        fix = f"python -m spacy download {pipeline}"
        raise SourceError(f"no spaCy pipeline {pipeline!r} is installed", fix=fix) from None


def _line(number: int, token: Token) -> str:
    cells = (token.text, token.lemma_, token.pos_, token.tag_, str(token.morph))
    space = "_" if token.whitespace_ else "SpaceAfter=No"
    return "\t".join([str(number), *(cell or "_" for cell in cells), "_", "_", "_", space])
