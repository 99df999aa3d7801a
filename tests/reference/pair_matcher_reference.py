"""The matching of random compounds with a list of pairs written as plainly as can be: every pair measured, all sorted.

Frozen: never refactor it together with the code it is compared with. A pair is (modifier, its Zipf value, head,
its Zipf value, frequency of the pair per billion words or None); a target is the two Zipf values and that frequency.
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections import Counter

Pair = tuple[str, float, str, float, float | None]
Target = tuple[float, float, float | None]


def kin(one: str, other: str) -> bool:
    """Share the whole of a word of up to four letters, or the first five letters; case and accents aside."""
    one, other = ("".join(c for c in unicodedata.normalize("NFD", w.lower()) if c.isalpha()) for w in (one, other))
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter] if shorter <= 4 else one[:5] == other[:5]


def order(*parts: str) -> str:
    """Return the sha256 of the parts, each ended by a zero byte."""
    return hashlib.sha256(b"".join(part.encode() + b"\0" for part in parts)).hexdigest()


def component_cost(pair: Pair, target: Target) -> tuple[float, float]:
    """Return the worse component's distance, and that plus the distance of the mean of both."""
    worse = max(abs(round(pair[1] - target[0], 6)), abs(round(pair[3] - target[1], 6)))
    mean = math.log10((10 ** pair[1] + 10 ** pair[3]) / (10 ** target[0] + 10 ** target[1]))
    return worse, round(worse + abs(round(mean, 6)), 9)


def mean_cost(pair: Pair, target: Target) -> tuple[float, float]:
    """Return the larger distance of the means of two and three frequencies, and that of three where all are known."""
    two = abs(round(math.log10((10 ** pair[1] + 10 ** pair[3]) / (10 ** target[0] + 10 ** target[1])), 6))
    if pair[4] is None or target[2] is None:
        return two, two
    three = 10 ** pair[1] + 10 ** pair[3] + pair[4], 10 ** target[0] + 10 ** target[1] + target[2]
    cost = abs(round(math.log10(three[0] / three[1]), 6))
    return max(two, cost), cost


def draw(
    key: tuple[str, str], pairs: list[Pair], target: Target, banned: list[str],
    taken: set[tuple[str, str]], uses: Counter[str], limit: float, mean: bool,
) -> list[tuple[str, str]]:  # fmt: skip
    """Return up to five pairs, cheapest first, equals by hash, while no word is shared; record them."""
    found = []
    for pair in pairs:
        modifier, head = pair[0], pair[2]
        far, cost = mean_cost(pair, target) if mean else component_cost(pair, target)
        if not mean:
            cost = round(cost + 0.03 * (uses[modifier] + uses[head]), 9)
        free = not any(kin(word, other) for word in (modifier, head) for other in banned)
        if far <= limit and free and (modifier, head) not in taken and not kin(modifier, head):
            found.append((cost, order(*key, modifier, head), modifier, head))
    chosen: list[tuple[str, str]] = []
    for _, _, modifier, head in sorted(found):
        if len(chosen) < 5 and not any(kin(new, old) for new in (modifier, head) for pair in chosen for old in pair):
            chosen.append((modifier, head))
    taken.update(chosen)
    uses.update(word for pair in chosen for word in pair)
    return chosen
