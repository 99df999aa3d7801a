"""T8xx: what a written sentence must not give away, its length, names, words and shape, and whether it is new."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from functools import cache
from statistics import fmean

from ncimp.builder.records import NATURALISTIC
from ncimp.builder.validation.pack import composes
from ncimp.builder.validation.scope import LANGUAGE, PACK, Carrier, Lookup, Scope, is_word

MIN_WORDS, MAX_WORDS = 10, 32
"""Words of an authored sentence, the compound's included: the brief of the open edition (docs/adr/0008)."""

MEAN_BAND = 0.1
"""How far the mean of a language may be from the pack's `mean_words`, as a share of it.

The aims of the open edition, 20 and 17 words, are round figures: a tenth is as near as writers come who do
not count (its sentences have 21.5 and 18.4 words, 8 percent more than that).
"""

APOSTROPHES = "'’"
QUOTES = '"“”„‘‚«»‹›`*_' + APOSTROPHES
"""Marks that set a phrase off; the last two may also end a word."""

NEAR = 4
"""Tokens on either side of a span in which a hedge gives it away."""

SLOT = "_"
"""Stands for the compound, so that the words beside it are no neighbours."""

SENTENCE_ENDS = frozenset(".!?:")

SECOND = re.compile(r"(\S+)[.!?]\s+\w")
"""Two sentences in one, and the word before the border between them."""

ANY_ENDING = "*"

Found = Iterator[tuple[str, str]]


@PACK.check("T803", "a word outside the compound gives it away: a component or a true synonym")
def _give_away(scope: Scope) -> Found:
    """A word, or a part of a hyphenated one, may be a form of a lemma of the compound or of a true synonym.

    Forms are those of `forms.tsv`; kinship that only spelling shows (*bank*, *banker*) is not found.
    """
    own = _own_lemmas(scope)
    for row in scope.carriers:
        lemmas = own[row.compound.text]
        for word in filter(is_word, (*row.left, *row.right)):
            for lemma in sorted(scope.lookup.lemmas_of_parts(word) & lemmas.keys()):
                yield row.located(f"{word!r} is a form of {lemma!r}, {lemmas[lemma]}; say it in other words")


def _own_lemmas(scope: Scope) -> dict[str, dict[str, str]]:
    """Return, by compound, the lemmas that must not stand in its sentences, and where each is from."""
    lemmas: dict[str, dict[str, str]] = {}
    for compound in scope.pack.compounds:
        parts = [(word, "its component") for word in (compound.modifier, compound.head)]
        lemmas[compound.text] = _content_lemmas(parts, scope.lookup)
    for row in scope.pack.synonyms:
        parts = [(word, f"its synonym {row.text!r}") for word in (row.modifier, row.head) if word is not None]
        lemmas[row.compound] = {**_content_lemmas(parts, scope.lookup), **lemmas.get(row.compound, {})}
    return lemmas


def _content_lemmas(words: Sequence[tuple[str, str]], lookup: Lookup) -> dict[str, str]:
    # not the parts of a word: of *all-star* the first says nothing
    sources = ((lemma, source) for word, source in words for lemma in sorted(lookup.lemmas(word)))
    return {lemma: source for lemma, source in sources if _may_be(lemma, {*CONTENT, "adv"}, lookup)}


def _length_of(row: Carrier, lookup: Lookup) -> int:
    return sum(map(is_word, lookup.tokens(row.text)))


@PACK.check("T804", "a written sentence is too short or too long")
def _length(scope: Scope) -> Found:
    """10 to 32 words, the compound's included. Only a reader can tell whether a sentence says enough."""
    for row in scope.carriers:
        length = _length_of(row, scope.lookup)
        if not MIN_WORDS <= length <= MAX_WORDS:
            yield row.located(f"{length} words, where {MIN_WORDS} to {MAX_WORDS} are allowed")


@PACK.check("T805", "the written sentences of a language are too short or too long on average")
def _mean_length(scope: Scope) -> Found:
    """The mean of the naturalistic contexts has to be within a tenth of `mean_words` in `pack.toml`."""
    lengths = [_length_of(row, scope.lookup) for row in scope.carriers if row.context in NATURALISTIC]
    aim = scope.pack.language.content.mean_words
    if lengths and abs(fmean(lengths) - aim) > MEAN_BAND * aim:
        yield (
            scope.lang,
            f"{fmean(lengths):.1f} words on average, where {aim:g} is the aim; write longer or shorter ones",
        )


@PACK.check("T806", "quotation marks or a hedge give the compound away")
def _set_off(scope: Scope) -> Found:
    for row in scope.carriers:
        before, after = row.text[: row.span[0]][-1:], row.text[row.span[1] :][:1]
        if (before and before in QUOTES) or (after and after in QUOTES and after not in APOSTROPHES):
            yield row.located(f"{before or after!r} beside the compound; take the marks out")
        beside = [[token.lower() for token in side] for side in (row.left[-NEAR:], row.right[:NEAR])]
        for hedge in scope.pack.language.content.hedges:
            if any(f" {hedge} " in f" {' '.join(side)} " for side in beside):
                yield row.located(f"{hedge!r} beside the compound; say it without")


@LANGUAGE.check("T807", "a word is in the pack's list of profanity")
def _profanity(scope: Scope) -> Found:
    """The whole sentence of an original and the span of every other item are looked at.

    The list in `pack.toml` is short; words that offend only in their sentence (a component that stands alone, a
    random pair) are for readers, and for `exclusions.tsv`.
    """
    entries = scope.pack.language.content.profanity
    whole = {entry for entry in entries if not entry.endswith(ANY_ENDING)}
    stems = tuple(entry.removesuffix(ANY_ENDING) for entry in entries if entry.endswith(ANY_ENDING))

    @cache
    def offence(word: str) -> str | None:
        lemmas = sorted(scope.lookup.lemmas_of_parts(word)) if is_word(word) else []
        return next((lemma for lemma in lemmas if lemma in whole or (stems and lemma.startswith(stems))), None)

    for item in scope.sentences:
        for word in item.tokens if item.variant == "orig" else item.tokens[slice(*item.token_span)]:
            if offence(word) is not None:
                yield item.id, f"{word!r} is a form of {offence(word)!r}; take another word"


@PACK.check("T808", "a name of several words is not in the pack's list of names")
def _unlisted_names(scope: Scope) -> Found:
    """Two or more capitalised words in a row are a name that `pack.toml` has to list.

    No list of living people may be shipped with the project, so this makes a person look and does no more. It
    cannot find a person who is called by one name, one who is in `forms.tsv` and alone, one whom the description
    gives away without a name, or a listed name that somebody bears by chance.
    """
    listed, readings = set(_names(scope)), scope.lookup.readings
    for row in scope.carriers:
        for name in _capitalised((*row.left, SLOT, *row.right), scope.lookup):
            # Otto for Otto's
            lemmas = (next((f.lemma for f in readings(word) if f.lemma[0].isupper()), word) for word in name)
            if len(name) > 1 and tuple(lemmas) not in listed:
                yield row.located(f"{' '.join(name)!r}; if it is no living person, list it in pack.toml")


def _names(scope: Scope) -> Iterator[tuple[str, ...]]:
    return (tuple(scope.lookup.tokens(name)) for name in scope.pack.language.content.names)


def _capitalised(tokens: Sequence[str], lookup: Lookup) -> Iterator[list[str]]:
    """Yield each run of capitalised words; one that begins a sentence belongs to it only when it is always a name."""
    run: list[str] = []
    for index, token in enumerate((*tokens, SLOT)):
        opens, readings = index == 0 or tokens[index - 1] in SENTENCE_ENDS, lookup.readings(token)
        is_name = bool(readings) and all(form.form[0].isupper() for form in readings)
        if len(token) > 1 and token[0].isupper() and (not opens or is_name):
            run.append(token)
            continue
        yield run
        run = []


@PACK.check("T809", "a word of a written sentence has no entry in forms.tsv")
def _unknown_words(scope: Scope) -> Found:
    """Words outside the span, single names included; `A106` looks at those inside."""
    lookup, names = scope.lookup, {word for name in _names(scope) for word in name}
    for row in scope.carriers:
        unknown = [
            word
            for word in dict.fromkeys(filter(is_word, (*row.left, *row.right)))
            if not (word[0].isdigit() or word in names or word.lower() in lookup.families or lookup.knows(word))
        ]
        if unknown:
            yield row.located(f"{', '.join(map(repr, unknown))}; add what is missing to forms.tsv")


@PACK.check("T810", "the compound does not stand in a written sentence once, in the number of the context")
def _not_the_compound(scope: Scope) -> Found:
    """The words in brackets have to be the head in that number and a form of the modifier, by `forms.tsv`."""
    for row in scope.carriers:
        form = row.text[slice(*row.span)]
        if row.text.lower().count(form.lower()) != 1:
            yield row.located(f"{form!r} stands in it more than once; write another")
        elif not composes(form, row.compound, row.number, scope.lookup):
            yield row.located(f"{form!r} is not {row.compound.text!r} in number {row.number!r}; inflect it")


@PACK.check("T811", "a written sentence is not one sentence from its capital letter to its final mark")
def _not_one_sentence(scope: Scope) -> Found:
    """It begins with a capital or a figure and ends with a full stop, a question or an exclamation mark.

    There is no space before a mark or beside another, and no second sentence. An abbreviation in a listed name
    (*St. Petersburg*) is allowed.
    """
    listed = " ".join(scope.pack.language.content.names)
    for row in scope.carriers:
        text = row.text
        if not (text[:1].isupper() or text[:1].isdigit()) or text[-1:] not in ".!?":
            yield row.located("begin with a capital letter and end with a mark")
        elif re.search(r"\s\s|\s[,.;:!?]", text):
            yield row.located("it has stray spaces; take them out")
        elif any(f"{match[1]}." not in listed for match in SECOND.finditer(text)):
            yield row.located("it is two sentences; write one")


GRAM = 5  # characters
MAX_LIKENESS = 0.5  # Jaccard index of the character 5-grams of two sentences
STAND_IN = "\ufffc"  # for the compound: one character that no sentence has (object replacement)

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


@PACK.check("T801", "two written sentences of a language are nearly the same")
def _sentence_again(scope: Scope) -> Found:
    """More than half of the character 5-grams of the two sentences are shared (Jaccard index over 0.5).

    Small letters, with the compounds or with one sign in their places. The search is exact.
    """
    rows = scope.carriers
    pairs: dict[tuple[int, int], float] = {}
    for texts in (
        [row.text for row in rows],
        [row.text[: row.span[0]] + STAND_IN + row.text[row.span[1] :] for row in rows],
    ):
        for one, other, likeness in alike(texts, MAX_LIKENESS):
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
    content = {word for word in words if word not in ("#", "[NC]") and _may_be(word, CONTENT, lookup)}
    yield from (frame for frame in [*starts, *runs] if not content.isdisjoint(frame))


def _masked(tokens: Sequence[str], lookup: Lookup) -> Iterator[str]:
    for token in filter(is_word, tokens):
        yield "#" if token[0].isdigit() or _kinds(token, lookup) == {"num"} else token.lower()


def _kinds(word: str, lookup: Lookup) -> set[str]:
    return {form.pos for form in lookup.readings(word)}


def _may_be(word: str, pos: Set[str], lookup: Lookup) -> bool:
    """Tell whether *word* may be one of these parts of speech; a word that nobody knows (T809) may be."""
    kinds = _kinds(word, lookup)
    return word not in lookup.families and (not kinds or not kinds.isdisjoint(pos))
