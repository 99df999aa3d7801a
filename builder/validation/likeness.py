"""T801 and T802: does a written sentence, or its frame, stand a second time in the language?"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ncimp.builder.records import Incident
from ncimp.builder.validation.scope import PACK, Carrier, Lookup, Scope, is_word

GRAM = 5
"""Characters of a gram."""

MAX_LIKENESS = 0.5
"""Largest allowed Jaccard index of the character 5-grams of two sentences of a language."""

SLOT = "\ufffc"
"""Stands for the compound: one character that no sentence has (object replacement)."""

OPENING, RUN = 4, 6
"""Words of an opening and of a run that make a frame.

Three words open many sentences of any writer (*Thank you for*, *After three years*), and five in a row
are often an idiom of the language (*at the bottom of the*); four and six that stand twice are a
sentence used twice. In the 1,518 sentences of the open edition, both packs together, 19 openings of three
words stood more than once and 6 of four; 15 runs of five words and 4 of six. The longer ones were mended.
"""

CONTENT = frozenset({"noun", "adj", "verb"})
"""Parts of speech of which a frame has at least one: *The [NC] of the* is no frame."""

Frame = tuple[str, ...]


@PACK.checks(T801="two written sentences of a language are nearly the same")
def _sentence_again(scope: Scope) -> Iterator[Incident]:
    """More than half of the character 5-grams of the two sentences are shared (Jaccard index over 0.5).

    Small letters, with the compounds or with one sign in their places. The search is exact.
    """
    rows = scope.carriers
    pairs: dict[tuple[int, int], float] = {}
    for texts in (
        [row.text for row in rows],
        [row.text[: row.span[0]] + SLOT + row.text[row.span[1] :] for row in rows],
    ):
        for one, other, likeness in alike(texts, MAX_LIKENESS):
            pairs[one, other] = max(likeness, pairs.get((one, other), 0.0))
    for (one, other), likeness in sorted(pairs.items()):
        yield rows[other].incident("T801", f"{likeness:.2f} of {rows[one].place}; write another")


def alike(texts: Sequence[str], above: float) -> Iterator[tuple[int, int, float]]:
    """Yield (index, later index, Jaccard index) of each two *texts* whose index is larger than *above*. It is exact.

    Two sets with an index of t or more share a gram among the rarest n - ⌈t·n⌉ + 1 of each (prefix filter), so that
    only texts which share a rare gram are compared.

    >>> list(alike(["rainy day", "rainy days", "nothing"], 0.5))
    [(0, 1, 0.8333333333333334)]
    """
    gram_sets = [_grams(text) for text in texts]
    counts = Counter(gram for grams in gram_sets for gram in grams)
    order = {gram: place for place, gram in enumerate(sorted(counts, key=lambda gram: (counts[gram], gram)))}
    texts_with: defaultdict[str, list[int]] = defaultdict(list)
    for index, grams in enumerate(gram_sets):
        rare = sorted(grams, key=order.__getitem__)[: len(grams) - math.ceil(above * len(grams)) + 1]
        for earlier in sorted({other for gram in rare for other in texts_with[gram]}):
            shared = len(grams & gram_sets[earlier])
            likeness = shared / (len(grams) + len(gram_sets[earlier]) - shared)
            if likeness > above:
                yield earlier, index, likeness
        for gram in rare:
            texts_with[gram].append(index)


def _grams(text: str) -> frozenset[str]:
    small = text.lower()
    return frozenset(small[start : start + GRAM] for start in range(max(1, len(small) - GRAM + 1)))


@PACK.checks(T802="two written sentences of a language have the same frame")
def _frame_again(scope: Scope) -> Iterator[Incident]:
    """The first four words, or six words in a row, are the same.

    The compound counts as one word, numbers as one sign, and at least one word is a noun, an adjective or a verb:
    *The [NC] of the* is no frame. Three opening words (*Thank you for*) are not enough.
    """
    first: dict[Frame, Carrier] = {}
    for row in scope.carriers:
        shared: dict[str, Frame] = {}
        for frame in _frames(row, scope.lookup):
            earlier = first.setdefault(frame, row)
            if earlier is not row:
                shared.setdefault(earlier.place, frame)
        for place, frame in shared.items():
            yield row.incident("T802", f"{' '.join(frame)!r} stands in {place}, too; write another")


def _frames(row: Carrier, lookup: Lookup) -> Iterator[Frame]:
    words = [*_masked(row.left, lookup), "[NC]", *_masked(row.right, lookup)]
    starts = [("^", *words[:OPENING])] if len(words) >= OPENING else []
    runs = [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]
    content = {word for word in words if _has_content(word, lookup)}
    yield from (frame for frame in [*starts, *runs] if not content.isdisjoint(frame))


def _masked(tokens: Sequence[str], lookup: Lookup) -> Iterator[str]:
    for token in filter(is_word, tokens):
        kinds = {form.pos for form in lookup.readings(token)}
        yield "#" if token[0].isdigit() or kinds == {"num"} else token.lower()


def _has_content(word: str, lookup: Lookup) -> bool:
    """Tell whether *word* may be one of content; a word that nobody knows (T809) may be."""
    if word in ("^", "#", "[NC]") or word in lookup.families:
        return False
    kinds = {form.pos for form in lookup.readings(word)}
    return not kinds or bool(kinds & CONTENT)
