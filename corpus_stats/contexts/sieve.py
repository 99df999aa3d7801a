"""A prefilter for sentences that may contain a phrase: an Aho-Corasick automaton over the words of all phrases.

It has no false negatives and hardly any false positives, and needs no tokens: words that have lines of their own are
cut out by an expression, and running text is compared without its spaces.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ncimp.corpus_stats.readers.text import PlainRules
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.words import Token, normal_form

try:
    import ahocorasick_rs
except ModuleNotFoundError:  # the extra `corpus` is not installed
    ahocorasick_rs = None  # type: ignore[assignment]

_VISIBLE = re.compile("[!-~]")


class Sieve:
    """Tells which sentences may contain one of the *spellings*, words in counted form.

    *form* finds the words in a sentence of lines (as its only group); without it, sentences are running text. *join*
    finds marks inside a form that join several words; with *entities*, `&amp;` and the like stand for characters.
    """

    def __init__(
        self,
        spellings: Iterable[Sequence[str]],
        *,
        form: re.Pattern[str] | None = None,
        join: re.Pattern[str] | None = None,
        entities: bool = False,
    ) -> None:
        self._form, self._join, self._entities = form, join, entities
        self._separator = "\n" if form else ""
        patterns = {self._pattern(spelling) for spelling in spellings}
        self._automaton: Any = ahocorasick_rs.BytesAhoCorasick([pattern.encode() for pattern in sorted(patterns)])

    @staticmethod
    def is_possible(spellings: Iterable[Sequence[str]]) -> bool:
        """Return True if the automaton is installed and no spelling is empty."""
        return ahocorasick_rs is not None and all(map(any, spellings))

    def passes(self, sentence: str) -> bool:
        """Return True if *sentence* may contain a spelling."""
        if self._form is None:
            # normalised before words are joined: a combining mark behind a space must not join the letter before it
            text = "".join(_normalised(unescaped(sentence) if self._entities else sentence).split())
        else:
            text = self._pattern(self._form.findall(f"\n{sentence}"))
            if self._join:
                text = self._join.sub("\n", text)
            text = _normalised(unescaped(text) if self._entities else text)
        return bool(self._automaton.find_matches_as_indexes(text.encode("utf-8", "surrogatepass")))

    def _pattern(self, words: Sequence[str]) -> str:
        return _folded(f"{self._separator}{self._separator.join(words)}{self._separator}")


class SieveRules:
    """Rules that cut text like *rules*, but give no tokens for a sentence that cannot contain a phrase."""

    def __init__(self, rules: PlainRules, sieve: Sieve) -> None:
        self._rules, self._sieve = rules, sieve

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text* that holds a token: as written, and its tokens or none."""
        for sentence in self._rules.cut(text):
            if _VISIBLE.search(sentence) and not self._sieve.passes(sentence):
                yield sentence, ()
            else:
                tokens = self._rules.tokens(sentence)
                if tokens:
                    yield sentence, tokens


def _normalised(text: str) -> str:
    return text.lower() if text.isascii() else _folded(normal_form(text))


def _folded(text: str) -> str:
    # which of the two a sigma becomes in lower case depends on its neighbours
    return text.replace("\u03c2", "\u03c3")
