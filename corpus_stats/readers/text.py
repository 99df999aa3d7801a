"""Reader of `text`, and the rules that cut plain text into sentences and words."""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import Token, respelled, tokenise
from ncimp.schemas.errors import SourceError

SPACY_PREFIX = "spacy:"
"""Prefix of the name of a spaCy pipeline that cuts text."""

BLANK_PIPELINE = "blank"
"""The pipeline without a model."""

_END = re.compile(
    r"""(?P<word>[^\W\d_]*)                 # the word before the mark, if there is one
        (?P<mark>[.!?\u2026]+)              # ends a sentence
        [\)\]"'\u201d\u2019\u00bb]*         # may be followed by closing brackets and quotes
        \s+
        (?=[\(\["'\u201c\u2018\u00ab\u00a1\u00bf\u2014-]*(?P<next>[^\W_]))  # and a sentence begins
    """,
    re.VERBOSE,
)
_SHORTENED = 3
"""Letters of a capitalised word up to which a full stop after it may be an abbreviation's: *Dr.*, *Sra.*, *J.*"""


class TextRules(Protocol):
    """Rules that cut plain text into sentences of tokens."""

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text* that holds a token: as written, and its tokens."""
        ...


class PlainRules:
    """Sentences by line, or by a simple rule as well; words by `WORD` or by an expression."""

    def __init__(self, *, cut: bool = False, token: str | None = None) -> None:
        self._cut = cut
        self._token = re.compile(token) if token is not None else None

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each line, or each sentence of each line, that holds a token."""
        for sentence in self.cut(text):
            tokens = self.tokens(sentence)
            if tokens:
                yield sentence, tokens

    def cut(self, text: str) -> Iterator[str]:
        """Yield each line, or each sentence of each line, without the space around it."""
        for line in text.split("\n"):
            yield from cut_sentences(line) if self._cut else (line.strip(),)

    def tokens(self, sentence: str) -> tuple[Token, ...]:
        """Return the tokens of *sentence*."""
        if self._token is None:
            words = tokenise(sentence)
        else:
            words = [match[0] for match in self._token.finditer(respelled(sentence)) if not match[0].isspace()]
        return tuple(Token(word, None) for word in words)


def cut_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text* by a simple rule, without the space around them.

    A sentence ends at `.`, `!`, `?` or `…` before a space and a capital letter, a digit or an opening mark. A full
    stop after a capitalised word of at most three letters does not end one (*Dr. Reis*, *J. Silva*): a sentence that
    is too long does less harm than one cut wrongly, because the full stop separates its neighbours anyway.

    >>> list(cut_sentences("Ask Dr. Reis. She knows!  He does not."))
    ['Ask Dr. Reis.', 'She knows!', 'He does not.']
    """
    start = 0
    for match in _END.finditer(text):
        word, following = match["word"], match["next"]
        abbreviation = match["mark"] == "." and word[:1].isupper() and len(word) <= _SHORTENED
        if not abbreviation and (following.isupper() or following.isdecimal()):
            yield text[start : match.end()].strip()
            start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


class SpacyRules:
    """Rules of a spaCy pipeline; one with a model also gives lemmas and parts of speech (UPOS)."""

    def __init__(self, pipeline: Any, *, tagged: bool) -> None:
        self._pipeline = pipeline
        self._tagged = tagged

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text*: as written, and its tokens."""
        for sentence in self._pipeline(text).sents:
            tokens = tuple(self._token(token) for token in sentence if not token.is_space)
            if tokens:
                yield str(sentence.text).strip(), tokens

    def _token(self, token: Any) -> Token:
        return Token(token.text, token.lemma_ or "_", token.pos_ or None) if self._tagged else Token(token.text, None)


def load_spacy(name: str, lang: str) -> SpacyRules:
    """Load the installed spaCy pipeline *name* (`blank`: the rules of the language *lang*), or raise `SourceError`.

    Nothing downloads a pipeline, and nothing else here imports spaCy.
    """
    try:
        spacy = import_module("spacy")
    except ModuleNotFoundError:
        raise SourceError("spaCy is not installed", fix='install it: pip install "ncimp[spacy]"') from None
    try:
        pipeline = spacy.blank(lang) if name == BLANK_PIPELINE else spacy.load(name)
    except (ImportError, OSError) as error:
        reason = str(error).partition("\n")[0]
        fix = "name an installed pipeline, or spacy:blank"
        raise SourceError(f"spaCy cannot load {name!r} ({reason})", fix=fix) from None
    if name == BLANK_PIPELINE:
        pipeline.add_pipe("sentencizer")
    return SpacyRules(pipeline, tagged=name != BLANK_PIPELINE)


ONE_A_LINE = PlainRules()
"""One sentence a line, words by `WORD`."""


def read_text(
    lines: Iterable[Line],
    *,
    file: str,  # noqa: ARG001 - a line of text cannot be broken
    problems: Problems = STOP,  # noqa: ARG001
    position: Position | None = None,
    rules: TextRules = ONE_A_LINE,
) -> Iterator[CorpusSentence]:
    """Read `text`: plain text, one sentence a line, or running text that *rules* cut into sentences.

        She is an eager beaver.
        The early bird, they say, catches the worm.

    Words are found by `ncimp.corpus_stats.words.WORD`. Here the first line gives the words *she is an eager beaver*;
    in the second, the commas keep *bird* and *they*, *say* and *catches* from being bigrams. Blank lines are skipped.
    Plain text has no lemmas, so its lemma layer stays empty: surface words are never passed off as lemmas.
    """
    position = position or Position()
    for number, line in lines:
        if line != UNREADABLE:  # reported by the reader of lines
            for sentence, tokens in rules.sentences(line):
                yield CorpusSentence(tokens, number=position.next(), line=number, written=sentence)
