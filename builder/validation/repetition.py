"""T801, T802 and T813: do the written sentences of a language repeat a sentence, a frame or a prop?"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ncimp.builder.records import NATURALISTIC
from ncimp.builder.validation.scope import CONTENT, PACK, Carrier, Found, Lookup, Scope, is_word

GRAM = 5  # characters
MAX_LIKENESS = 0.5  # Jaccard index of the character 5-grams of two sentences
STAND_IN = "\ufffc"  # for the compound: one character that no sentence has (object replacement)

# Words of an opening and of a run that make a frame. Three words open many sentences of any writer (*Thank you for*),
# and five in a row are often an idiom (*at the bottom of the*); four and six that stand twice are a sentence used
# twice: in the 1,518 sentences of the open edition, 19 openings of three words stood more than once and 6 of four;
# 15 runs of five words and 4 of six. The longer ones were mended.
OPENING, RUN = 4, 6

Frame = tuple[str, ...]


@PACK.check("T801", "two written sentences of a language are nearly the same")
def _sentence_again(scope: Scope) -> Found:
    """More than half of the character 5-grams of the two sentences are shared (Jaccard index over 0.5).

    Small letters, with the compounds or with one sign in their places. The search is exact.
    """
    rows = scope.carriers
    masked = [row.text[: row.span[0]] + STAND_IN + row.text[row.span[1] :] for row in rows]
    pairs: dict[tuple[int, int], float] = {}
    for one, other, likeness in (*alike([row.text for row in rows], MAX_LIKENESS), *alike(masked, MAX_LIKENESS)):
        pairs[one, other] = max(likeness, pairs.get((one, other), 0.0))
    for (one, other), likeness in sorted(pairs.items()):
        yield rows[other].located(f"{likeness:.2f} of {rows[one].place}; write another")


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


@PACK.check("T802", "two written sentences of a language have the same frame")
def _frame_again(scope: Scope) -> Found:
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
            yield row.located(f"{' '.join(frame)!r} stands in {place}, too; write another")


def _frames(row: Carrier, lookup: Lookup) -> Iterator[Frame]:
    words = [*_masked(row.left, lookup), "[NC]", *_masked(row.right, lookup)]
    starts = [("^", *words[:OPENING])] if len(words) >= OPENING else []
    runs = [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]
    content = {word for word in words if word not in ("#", "[NC]") and lookup.may_be(word, CONTENT)}
    yield from (frame for frame in [*starts, *runs] if not content.isdisjoint(frame))


def _masked(tokens: Sequence[str], lookup: Lookup) -> Iterator[str]:
    for token in filter(is_word, tokens):
        yield "#" if token[0].isdigit() or lookup.parts_of_speech(token) == {"num"} else token.lower()


MAX_PROP, FEW = 0.01, 5  # share of the sentences of a language, and a number, that no prop may exceed both


@PACK.check("T813", "a prop stands in too many written sentences of a language")
def _prop(scope: Scope) -> Found:
    """A noun or numeral (*mayor*, *forty*) stands in over 1 % of the naturalistic sentences, and in more than five.

    Words that may be another part of speech are left out, and those that the pack lists as `ordinary`. Without that
    list nothing is looked for.
    """
    ordinary = scope.pack.language.content.ordinary
    if ordinary is None:
        return
    rows = [row for row in scope.carriers if row.context in NATURALISTIC]
    places: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        sure = (word for word in (*row.left, *row.right) if scope.lookup.parts_of_speech(word) <= {"noun", "num"})
        for lemma in {form.lemma for word in sure for form in scope.lookup.readings(word)}:
            places[lemma].append(row.place)
    for lemma in sorted(places.keys() - ordinary):
        if len(places[lemma]) > max(FEW, MAX_PROP * len(rows)):
            share = f"{len(places[lemma])} of {len(rows)} sentences ({', '.join(places[lemma])})"
            yield f"{scope.lang}/{lemma}", f"{lemma!r} stands in {share}; write of other things"
