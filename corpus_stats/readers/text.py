"""Reader of `text`: plain text, one sentence per line, or running text that is cut into sentences.

    She is an eager beaver.
    The early bird, they say, catches the worm.

Words are found by `ncimp.corpus_stats.words.WORD`. Here the first line gives the words *she is an eager
beaver*; in the second, the commas keep *bird* and *they*, *say* and *catches* from being bigrams. Blank
lines are skipped. Plain text has no lemmas, so its lemma layer stays empty: surface words are never
passed off as lemmas.

How text becomes tokens can be chosen (`TextRules`): sentences by line or by a rule, words by `WORD` or by the
expression of a language pack, or both by a pipeline of spaCy (`spacy_text.py`), which may also give lemmas and parts
of speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import Token, respelled, tokenise

_END = re.compile(
    r"""(?P<word>[^\W\d_]*)                 # the word before the mark, if there is one
        (?P<mark>[.!?\u2026]+)              # what ends a sentence
        [\)\]"'\u201d\u2019\u00bb]*         # may be followed by closing brackets and quotes
        \s+
        (?=[\(\["'\u201c\u2018\u00ab\u00a1\u00bf\u2014-]*(?P<next>[^\W_]))  # and a sentence begins
    """,
    re.VERBOSE,
)
_SHORTENED = 3
"""Letters of a capitalised word up to which a full stop after it may be an abbreviation's: *Dr.*, *Sra.*, *J.*"""


class TextRules(Protocol):
    """How plain text becomes sentences of tokens."""

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text* that holds a token: as it was written, and its tokens."""
        ...


class PlainRules:
    """Sentences by line, or by a simple rule as well; words by `WORD` or by an expression."""

    def __init__(self, *, cut: bool = False, token: str | None = None) -> None:
        self._cut = cut
        self._token = re.compile(token) if token is not None else None

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each line, or each sentence of each line, that holds a token."""
        for line in text.split("\n"):
            for sentence in cut_sentences(line) if self._cut else (line.strip(),):
                tokens = tuple(Token(word, None) for word in self._words(sentence))
                if tokens:
                    yield sentence, tokens

    def _words(self, sentence: str) -> list[str]:
        if self._token is None:
            return tokenise(sentence)
        return [match[0] for match in self._token.finditer(respelled(sentence)) if not match[0].isspace()]


def cut_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text* by a simple rule, without the space around them.

    A sentence ends at `.`, `!`, `?` or `…` before a space and a capital letter, a digit or an opening mark. A full
    stop after a capitalised word of at most three letters does not end one (*Dr. Reis*, *J. Silva*). Rather too long
    than cut wrongly: the full stop separates its neighbours anyway.

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


ONE_A_LINE = PlainRules()
"""One sentence a line, words by `WORD`."""


def read_text_sentences(
    lines: Iterable[Line],
    *,
    file: str,  # noqa: ARG001 - nothing can be wrong
    problems: Problems = STOP,  # noqa: ARG001
    rules: TextRules = ONE_A_LINE,
) -> Iterator[CorpusSentence]:
    """Yield the tokens of each sentence of *lines*; by default each line is one, and lemmas are None."""
    position = Position()
    for number, line in lines:
        if line != UNREADABLE:  # reported where it was read
            for written, tokens in rules.sentences(line):
                yield CorpusSentence(tokens, number=position.next(), line=number, written=written)
