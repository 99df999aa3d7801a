"""The matching of random compounds written as plainly as can be: all pairs, sorted, taken while no word is shared.

Frozen: never refactor it together with the code it is compared with. Words are pairs (Zipf value, lemma).
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections import Counter

Word = tuple[float, str]
Pair = tuple[str, str]


def kin(one: str, other: str) -> bool:
    """Share the whole of a word of up to four letters, or the first five letters; case and accents aside."""
    one, other = ("".join(c for c in unicodedata.normalize("NFD", w.lower()) if c.isalpha()) for w in (one, other))
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter] if shorter <= 4 else one[:5] == other[:5]


def order(*parts: str) -> str:
    """Return the sha256 of the parts, each ended by a zero byte."""
    return hashlib.sha256(b"".join(part.encode() + b"\0" for part in parts)).hexdigest()


def zipf(frequency: float) -> float:
    """Return log10 of the frequency per billion words, to six places."""
    return round(math.log10(frequency * 1e9), 6)


def nearest(words: list[Word], value: float, count: int, banned: list[str], uses: Counter[str]) -> list[Word]:
    """Filter, sort by distance plus a cost for each use (then by value and name), cut."""
    free = [word for word in words if uses[word[1]] < 4 and not any(kin(word[1], other) for other in banned)]
    return sorted(free, key=lambda word: (round(abs(word[0] - value) + 0.03 * uses[word[1]], 6), *word))[:count]


def draw(
    key: tuple[str, str], modifiers: list[Word], heads: list[Word], target: tuple[float, float],
    taken: set[Pair], uses: Counter[str], limit: float,
) -> list[Pair]:  # fmt: skip
    """Return up to five pairs: the nearest on the worse component plus the mean, then by hash; record them."""
    found = []
    for modifier_zipf, modifier in modifiers:
        for head_zipf, head in heads:
            worse = max(abs(round(modifier_zipf - target[0], 6)), abs(round(head_zipf - target[1], 6)))
            mean = math.log10((10**modifier_zipf + 10**head_zipf) / (10 ** target[0] + 10 ** target[1]))
            cost = round(round(worse + abs(round(mean, 6)), 9) + 0.03 * (uses[modifier] + uses[head]), 9)
            if worse <= limit and (modifier, head) not in taken and not kin(modifier, head):
                found.append((cost, order(*key, modifier, head), modifier, head))
    chosen: list[Pair] = []
    for _, _, modifier, head in sorted(found):
        if not any(kin(new, old) for new in (modifier, head) for pair in chosen for old in pair):
            chosen.append((modifier, head))
    taken.update(chosen[:5])
    uses.update(word for pair in chosen[:5] for word in pair)
    return chosen[:5]
