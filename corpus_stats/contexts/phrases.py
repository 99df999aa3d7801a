"""A search for many phrases at once: a table of their first words, so that a corpus is read once.

    index = PhraseIndex({"eager-beaver": [("eager", "beaver"), ("eager", "beavers"), ("eager-beaver",)]})
    index.find(["many", "eager", "beavers"])   →  Occurrence("eager-beaver", 1, 3)

Words are compared in the form in which they are counted (`words.normal_form`). A sentence without the first word of
any phrase, as nearly all are, costs one look into a hash table per word.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ncimp.corpus_stats.words import normal_form

_CACHE_SIZE = 1 << 16

form_of = lru_cache(maxsize=_CACHE_SIZE)(normal_form)
"""`normal_form`, cached for the most frequent words."""


class Occurrence(NamedTuple):
    """An occurrence of a phrase: its id, its first token, and the token after its last."""

    phrase: str
    start: int
    end: int


class PhraseIndex:
    """Phrases by their first word; a phrase may be spelled in several ways."""

    def __init__(self, phrases: Mapping[str, Iterable[Sequence[str]]]) -> None:
        self._rests: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, spellings in phrases.items():
            for first, *rest in {tuple(map(normal_form, spelling)) for spelling in spellings}:
                self._rests.setdefault(first, []).append((tuple(rest), phrase))
        for rests in self._rests.values():
            rests.sort()
        self._firsts = frozenset(self._rests)

    @property
    def phrases(self) -> Iterator[tuple[str, ...]]:
        """Yield the id of a phrase and the words of a spelling of it, in counted form, for every spelling."""
        return ((phrase, first, *rest) for first, rests in self._rests.items() for rest, phrase in rests)

    @property
    def spellings(self) -> Iterator[tuple[str, ...]]:
        """Yield the words of every spelling of every phrase, in counted form."""
        return (phrase[1:] for phrase in self.phrases)

    def find(self, words: Sequence[str]) -> list[Occurrence]:
        """Return every occurrence in *words* (in their counted form), by place; the longest of a phrase at a place."""
        if self._firsts.isdisjoint(words):
            return []
        return [match for start, word in enumerate(words) if word in self._firsts for match in self._at(words, start)]

    def _at(self, words: Sequence[str], start: int) -> Iterator[Occurrence]:
        ends: dict[str, int] = {}
        for rest, phrase in self._rests[words[start]]:
            end = start + 1 + len(rest)
            if tuple(words[start + 1 : end]) == rest:
                ends[phrase] = max(end, ends.get(phrase, 0))
        for phrase, end in ends.items():
            yield Occurrence(phrase, start, end)
