"""The composed pool: words of the lexicon, by part of speech and gender, and the nearest of them in frequency."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from ncimp.builder.records import Gender
from ncimp.builder.selection.matches import PoolPair, PoolWord, Target
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.selection.words import are_kin, zipf_of

WordPool = dict[tuple[str, Gender | None], list[PoolWord]]
"""Words by (part of speech, gender), sorted by Zipf value; adjectives and genderless nouns under None."""


def build_pool(resources: Resources) -> WordPool:
    """Return the pool of every single word of the lexicon that has a frequency and all its forms."""
    pool: WordPool = {}
    for pos in ("noun", "adj"):
        for word in pool_words(resources.lexicon.words(pos), pos, resources):
            pool.setdefault((pos, word.gender), []).append(word)
            if word.gender is not None:
                pool.setdefault((pos, None), []).append(word)
    return pool


def pool_words(lemmas: Iterable[str], pos: str, resources: Resources) -> list[PoolWord]:
    """Return those of *lemmas* that have a frequency and all their forms, sorted by Zipf value."""
    words = (pool_word(lemma, pos, resources) for lemma in lemmas)
    return sorted((word for word in words if word is not None), key=lambda word: (word.zipf, word.lemma))


def pool_word(lemma: str, pos: str, resources: Resources) -> PoolWord | None:
    """Return *lemma* as a word of a pool, or None when it has no frequency, lacks a form, or is hyphenated."""
    value = zipf_of(resources.frequencies, lemma)
    known = all(resources.morphology.inflect(lemma, pos, gender=None, number=n) for n in ("sg", "pl"))
    if value is None or not known or "-" in lemma:
        return None
    return PoolWord(value, lemma, resources.morphology.gender(lemma) if pos == "noun" else None)


def nearest(words: Sequence[PoolWord], value: float, count: int, banned: Iterable[str]) -> list[PoolWord]:
    """Return the *count* words of a sorted pool nearest to *value* that are no kin of a *banned* word."""
    banned = tuple(banned)
    found: list[PoolWord] = []
    for word in _outward(words, value):
        if not any(are_kin(word.lemma, other) for other in banned):
            found.append(word)
            if len(found) == count:
                break
    return found


def nearest_pairs(
    modifiers: list[PoolWord],
    heads: list[PoolWord],
    count: int,
    banned: frozenset[str],
    target: Target,
    _radius: float,
) -> Iterator[PoolPair]:
    """Yield every combination of the *count* nearest modifiers and the *count* nearest heads, whatever the radius."""
    near = nearest(modifiers, target.modifier, count, banned), nearest(heads, target.head, count, banned)
    yield from (PoolPair(modifier, head) for modifier, head in product(*near))


def _outward(words: Sequence[PoolWord], value: float) -> Iterator[PoolWord]:
    """Yield *words* from *value* outwards, nearest first; of two equally near the lower first."""
    high = bisect.bisect_left(words, value, key=lambda word: word.zipf)
    low = high - 1
    while low >= 0 or high < len(words):
        below = abs(words[low].zipf - value) if low >= 0 else math.inf
        above = abs(words[high].zipf - value) if high < len(words) else math.inf
        if below <= above:
            yield words[low]
            low -= 1
        else:
            yield words[high]
            high += 1
