"""Text cut, and if asked tagged, by spaCy, when it is installed (`pip install "ncimp[spacy]"`).

    spacy:blank             words and sentences by spaCy's rules for the language; no lemmas
    spacy:pt_core_news_sm   that pipeline's words, sentences, lemmas and parts of speech (UPOS)

Nothing here imports spaCy unless it is asked for, and nothing downloads a pipeline.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from ncimp.corpus_stats.words import Token
from ncimp.schemas.errors import SourceError

PREFIX = "spacy:"
"""How the choice of spaCy is written."""

BLANK = "blank"
"""The pipeline without a model."""


class SpacyRules:
    """A pipeline of spaCy that cuts sentences."""

    def __init__(self, pipeline: Any, *, tagged: bool) -> None:
        self._pipeline = pipeline
        self._tagged = tagged

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text*: as it was written, and its tokens."""
        for found in self._pipeline(text).sents:
            tokens = tuple(self._token(token) for token in found if not token.is_space)
            if tokens:
                yield str(found.text).strip(), tokens

    def _token(self, token: Any) -> Token:
        return Token(token.text, token.lemma_ or "_", token.pos_ or None) if self._tagged else Token(token.text, None)


def load_rules(name: str, lang: str) -> SpacyRules:
    """Return the rules of the pipeline *name* (`blank`: of the language *lang*), or raise `SourceError`."""
    try:
        spacy = import_module("spacy")
    except ModuleNotFoundError:
        raise SourceError("spaCy is not installed", fix='install it: pip install "ncimp[spacy]"') from None
    try:
        pipeline = spacy.blank(lang) if name == BLANK else spacy.load(name)
    except (ImportError, OSError) as error:
        reason = str(error).partition("\n")[0]
        fix = "name an installed pipeline, or spacy:blank"
        raise SourceError(f"spaCy cannot load {name!r} ({reason})", fix=fix) from None
    if name == BLANK:
        pipeline.add_pipe("sentencizer")
    return SpacyRules(pipeline, tagged=name != BLANK)
