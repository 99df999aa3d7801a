"""T801 and T802: does a written sentence, or its frame, stand a second time in the language?"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ncimp.builder.records import Incident
from ncimp.builder.validation.content.carriers import Carrier, is_word
from ncimp.builder.validation.lookup import Lookup

GRAM = 5
"""Characters of a gram."""

MAX_LIKENESS = 0.5
"""Largest allowed Jaccard index of the character 5-grams of two sentences of a language."""

SLOT = "\ufffc"
"""What stands for the compound: one character that no sentence holds (object replacement)."""

OPENING, RUN = 4, 6
"""Words of an opening and of a run that make a frame.

Three words open many sentences of any writer (*Thank you for*, *After three years*), and five in a row
are often an idiom of the language (*at the bottom of the*); four and six that stand twice are a
sentence used twice. In the 1,518 sentences of the open edition, both packs together, 19 openings of three
words stood more than once and 6 of four; 15 runs of five words and 4 of six. The longer ones were mended.
"""

CONTENT = frozenset({"noun", "adj", "verb"})
"""Parts of speech of which a frame has at least one: *The [NC] of the* is none."""

Grams = frozenset[str]
Frame = tuple[str, ...]


def check_likeness(carriers: Sequence[Carrier], lookup: Lookup) -> Iterator[Incident]:
    """Yield T801 and T802 at the later of two sentences that are alike or share a frame."""
    found: dict[tuple[int, int], float] = {}
    for texts in ([row.text for row in carriers], [row.masked(SLOT) for row in carriers]):
        for one, other, likeness in alike(texts, MAX_LIKENESS):
            found[one, other] = max(likeness, found.get((one, other), 0.0))
    for (one, other), likeness in sorted(found.items()):
        told = f"{likeness:.2f} of {carriers[one].place}; write another"
        yield carriers[other].incident("T801", told)
    yield from _repeated_frames(carriers, lookup)


def alike(texts: Sequence[str], above: float) -> Iterator[tuple[int, int, float]]:
    """Yield (index, later index, Jaccard index) of each two *texts* whose index is larger than *above*. It is exact.

    Two sets with an index of t or more share a gram among the rarest n - ⌈t·n⌉ + 1 of each (prefix filter), so that
    only texts which share a rare gram are compared.

    >>> list(alike(["rainy day", "rainy days", "nothing"], 0.5))
    [(0, 1, 0.8333333333333334)]
    """
    grams = [_grams(text) for text in texts]
    counts = Counter(gram for held in grams for gram in held)
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for index, held in enumerate(grams):
        rare = sorted(held, key=lambda gram: (counts[gram], gram))[: len(held) - math.ceil(above * len(held)) + 1]
        for earlier in sorted({other for gram in rare for other in seen[gram]}):
            likeness = len(held & grams[earlier]) / len(held | grams[earlier])
            if likeness > above:
                yield earlier, index, likeness
        for gram in rare:
            seen[gram].append(index)


def _grams(text: str) -> Grams:
    small = text.lower()
    return frozenset(small[start : start + GRAM] for start in range(max(1, len(small) - GRAM + 1)))


def _repeated_frames(carriers: Sequence[Carrier], lookup: Lookup) -> Iterator[Incident]:
    first: dict[Frame, Carrier] = {}
    for row in carriers:
        told: dict[str, Frame] = {}
        for frame in _frames(row, lookup):
            earlier = first.setdefault(frame, row)
            if earlier is not row:
                told.setdefault(earlier.place, frame)
        for place, frame in told.items():
            yield row.incident("T802", f"{' '.join(frame)!r} stands in {place}, too; write another")


def _frames(row: Carrier, lookup: Lookup) -> Iterator[Frame]:
    """Yield the opening and the runs of *row*, the compound as one word and numbers as one sign."""
    words = [*_masked(row.left, lookup), "[NC]", *_masked(row.right, lookup)]
    starts = [("^", *words[:OPENING])] if len(words) >= OPENING else []
    runs = [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]
    yield from (frame for frame in [*starts, *runs] if any(_has_content(word, lookup) for word in frame))


def _masked(tokens: Sequence[str], lookup: Lookup) -> Iterator[str]:
    for token in filter(is_word, tokens):
        kinds = {form.pos for form in lookup.readings(token)}
        yield "#" if token[0].isdigit() or kinds == {"num"} else token.lower()


def _has_content(word: str, lookup: Lookup) -> bool:
    """Tell whether *word* may be one of content; what nobody knows (T809) may be."""
    if word in ("^", "#", "[NC]") or word in lookup.families:
        return False
    kinds = {form.pos for form in lookup.readings(word)}
    return not kinds or bool(kinds & CONTENT)
