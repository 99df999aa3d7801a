"""Shortcuts that know nothing of meaning, as levels like those of a model: what a model has to beat.

`overlap` and `length` are similarities by themselves; `random` gives every text a vector of its own, and
`bag of words` the counts of its tokens. All of them are functions of the tokens of a release alone.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.grid import Level, LevelName, level_of
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.release import Item

BASELINES = ("overlap", "length", "random", "bag of words")
"""The shortcut baselines, in their order."""

RANDOM_DIMENSIONS = 128
"""Cosines of random vectors then have a standard deviation of 0.09."""

Tokens = tuple[str, ...]
"""The tokens of an item at one level, in lower case."""


def level_tokens(item: Item, level: LevelName) -> Tokens:
    """Return the tokens of *item*: those of the sentence or of the span."""
    return item.tokens if level == "sentence" else item.tokens[slice(*item.token_span)]


def baseline_levels(items: Sequence[Item], grid: NDArray[np.intp], level: LevelName) -> Iterator[tuple[str, Level]]:
    """Yield the name and the level of each shortcut baseline; *grid* is that of *items*."""
    tokens = [tuple(token.lower() for token in level_tokens(item, level)) for item in items]
    bags = [Counter(words) for words in tokens]
    lengths = [sum(map(len, words)) + len(words) - 1 for words in tokens]
    norms = [math.sqrt(sum(count * count for count in bag.values())) for bag in bags]

    def overlap(one: int, other: int) -> float:
        return shared_tokens(bags[one], bags[other]) / len(tokens[one])

    def length(one: int, other: int) -> float:
        return min(lengths[one], lengths[other]) / max(lengths[one], lengths[other])

    def bag_of_words(one: int, other: int) -> float:
        product = sum(count * bags[other][word] for word, count in bags[one].items())
        return product / (norms[one] * norms[other])

    yield "overlap", _paired(level, grid, overlap)
    yield "length", _paired(level, grid, length)
    yield "random", level_of(level, np.array([random_vector(words) for words in tokens]), grid)
    yield "bag of words", _paired(level, grid, bag_of_words)


def shared_tokens(one: Counter[str], other: Counter[str]) -> int:
    """Return how many tokens of the bag *one* stand in *other* too; one that is there twice has to be there twice."""
    return sum(min(count, other[word]) for word, count in one.items())


def lexical_overlap(original: Sequence[str], other: Sequence[str]) -> float:
    """Return (tokens - replaced tokens) / tokens of *original*; case does not count.

    >>> lexical_overlap(["An", "eager", "beaver", "."], ["a", "hard", "Beaver", "."])
    0.5
    """
    bags = [Counter(token.lower() for token in tokens) for tokens in (original, other)]
    return shared_tokens(*bags) / len(original)


def random_vector(tokens: Tokens) -> FloatArray:
    """Return the vector that belongs to *tokens*: bytes of a hash, centred, so the same on every machine."""
    digest = hashlib.shake_256("\x00".join(tokens).encode("utf-8")).digest(RANDOM_DIMENSIONS)
    return np.asarray(np.frombuffer(digest, dtype=np.uint8).astype(np.float64) - 127.5)


def _paired(level: LevelName, grid: NDArray[np.intp], similarity: Callable[[int, int], float]) -> Level:
    """Return the level of a *similarity* of two items by their places."""
    found = np.full(grid.shape, np.nan)
    for number, contexts in enumerate(grid.tolist()):
        for place, variants in enumerate(contexts):
            if variants[0] >= 0:
                row = [similarity(variants[0], other) if other >= 0 else math.nan for other in variants]
                found[number, place] = row
    return Level(level, found, grid >= 0)
