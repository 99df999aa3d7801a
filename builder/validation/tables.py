"""B5xx, C301 to C305, P6xx and R7xx: is every cell of the grid filled once, are pairs their items, is all balanced?"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import comb

from ncimp.builder.records import (
    CLASSES,
    CONTEXTS,
    LITERAL,
    LITERAL_VARIANTS,
    NATURALISTIC,
    RANDOMS,
    VARIANTS,
    Incident,
    Item,
    Pair,
)
from ncimp.builder.validation.scope import LANGUAGE, RELEASE, Found, Release, Scope, span_text

SHARED_COLUMNS = sorted(Item.__dataclass_fields__.keys() & Pair.__dataclass_fields__.keys())  # of a pair's second item
MAX_DELTA = 0.75  # |difference of log10 frequency| between a random compound and its compound
MAX_USES = 4  # random compounds of a language that share a word
FULL = frozenset({"noun", "adj", "verb", "adv"})  # parts of speech of words with a meaning of their own
SMALLEST_CLASS = 0.75  # share of the largest class; the published data have 88 to 103 (0.85)

# share of one first letter above that among the words of compounds; a list cut short in the order of a dictionary
# exceeds it by far, the open edition by at most 0.08 (*c* in Portuguese, with *casa*, *carta*, *cabeça*)
LETTER_EXCESS = 0.1
CHANCE = 0.001  # probability below which an excess is no chance; spares small packs, in which few compounds are many
BRIDGE = "bridge"  # split of compounds that share a lemma with two others; it may leak and be unbalanced


@LANGUAGE.check("B501", "the classes of a language are unbalanced")
def _unbalanced_classes(scope: Scope) -> Found:
    """The smallest class has at least three quarters of the compounds of the largest."""
    sizes = Counter(compound.compound_class for compound in scope.tables.compounds)
    if min(sizes[name] for name in CLASSES) < SMALLEST_CLASS * max(sizes.values(), default=0):
        shown = ", ".join(f"{sizes[name]} {name}" for name in CLASSES)
        yield scope.lang, f"{shown}; add compounds of the smallest class"


@LANGUAGE.check("B502", "a component lemma stands in two splits")
def _leaks(scope: Scope) -> Found:
    splits: defaultdict[str, set[str]] = defaultdict(set)
    rows = [(row, lemma) for row in scope.tables.compounds for lemma in (row.modifier, row.head)]
    for compound, lemma in rows:
        splits[lemma].add(compound.split)
    for compound, lemma in rows:
        others = splits[lemma] - {BRIDGE}
        if compound.split != BRIDGE and len(others) > 1:
            yield compound.id, f"{lemma!r} stands in {sorted(others)}; use the split bridge"


@LANGUAGE.check("B503", "the split of a compound is not the recorded one")
def _moved(scope: Scope) -> Found:
    recorded = {scope.pack.compound_id(row.compound): row.split for row in scope.pack.splits}
    for row in scope.tables.compounds:
        if recorded.get(row.id) != row.split:
            yield row.id, f"{row.split!r} where splits.tsv has {recorded.get(row.id)!r}; never move a compound"


@LANGUAGE.check("B504", "a split of a language has no compound of some class")
def _missing_classes(scope: Scope) -> Found:
    present = {(row.split, row.compound_class) for row in scope.tables.compounds}
    for split in sorted({split for split, _ in present} - {BRIDGE}):
        for name in CLASSES:
            if (split, name) not in present:
                yield f"{scope.lang}/{split}", f"no {name} compound; assign the splits again"


@LANGUAGE.check("B505", "one letter begins too many compounds")
def _letters(scope: Scope) -> Found:
    """The share of compounds that begin with a letter is more than 0.1 above that among the words of `forms.tsv`.

    Nouns and adjectives are compared, and chance would do that in less than one case in a thousand.
    """
    words = {form.lemma for form in scope.pack.forms if form.pos in ("noun", "adj")}
    natural, compounds = Counter(map(_initial, words)), scope.tables.compounds
    for letter, count in sorted(Counter(_initial(row.compound) for row in compounds).items()):
        share = natural[letter] / max(1, len(words))
        excess = count / len(compounds) - share
        if excess > LETTER_EXCESS and at_least(count, len(compounds), share) < CHANCE:
            what = f"{count} of {len(compounds)} begin with {letter!r}, as do {share:.0%} of the words"
            yield scope.lang, f"{what}; add others"


def _initial(word: str) -> str:
    return unicodedata.normalize("NFD", word[0])[0].lower()  # without its accent


def at_least(count: int, trials: int, share: float) -> float:
    """Return the probability of *count* or more among *trials*, each with probability *share* (binomial)."""
    return sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(count, trials + 1))


@RELEASE.checks(C301="a cell of the grid is empty", C302="two variants of one context coincide")
def _grid(release: Release) -> Iterator[Incident]:
    """A compound has 14 variants in each of its five contexts and in an attested one, and three in a literal one.

    Cells that published data lack are those of the pack's `holes.tsv`.
    """
    rows = (*release.tables.items, *release.tables.literal, *release.tables.attested)
    cells = {(item.compound_id, item.context, item.variant): item for item in rows}
    holes: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for pack in release.packs:
        for row in pack.holes:
            holes[pack.compound_id(row.compound), row.context].update(row.variants.split())
    for compound in release.tables.compounds:
        for context in CONTEXTS:
            due = [name for name in VARIANTS if name not in holes[compound.id, context]]
            yield from _check_cells(compound.id, context, due, cells)
    for pack in release.packs:
        for text, context in pack.marked:
            if context not in CONTEXTS:
                variants = LITERAL_VARIANTS if context == LITERAL else VARIANTS
                yield from _check_cells(pack.compound_id(text), context, variants, cells)


def _check_cells(
    compound_id: str, context: str, variants: Sequence[str], cells: Mapping[tuple[str, str, str], Item]
) -> Iterator[Incident]:
    variant_of: dict[str, str] = {}
    for variant in variants:
        place = f"{compound_id}/{context}/{variant}"
        item = cells.get((compound_id, context, variant))
        if item is None:
            yield Incident("C301", place, "no sentence; build the compound again")
            continue
        key = span_text(item).lower()
        if (other := variant_of.setdefault(key, variant)) != variant:
            yield Incident("C302", place, f"{key!r} is also variant {other!r}; choose another")


@RELEASE.check("C303", "an id stands twice")
def _repeated_ids(release: Release) -> Found:
    for rows in (release.tables.items, release.tables.literal, release.tables.attested):
        for place, count in Counter(item.id for item in rows).items():
            if count > 1:
                yield place, f"{count} rows have this id; keep one"


@RELEASE.check("C304", "one sentence stands in two contexts")
def _repeated_sentences(release: Release) -> Found:
    first: dict[str, Item] = {}
    for item in release.tables.items:
        other = first.setdefault(item.sentence, item)
        frame = item.context_source == "frame" and other.context == item.context
        same_cell = (other.compound_id, other.context) == (item.compound_id, item.context)
        # two compounds may meet in a neutral frame by a shared component; written contexts may not meet
        if other is not item and not same_cell and not frame:
            yield item.id, f"the sentence of {other.id} again; write another"


@LANGUAGE.check("C305", "the tables do not hold the same compounds as the pack")
def _other_compounds(scope: Scope) -> Found:
    for place in sorted({place for place, _ in scope.by_compound()} ^ {row.id for row in scope.tables.compounds}):
        yield place, "in the pack or in the release, not in both; build the release again"


@RELEASE.check("P601", "a pair is not its two items")
def _false_pairs(release: Release) -> Found:
    by_id = {item.id: item for item in release.tables.items}
    for pair in release.tables.pairs:
        item = by_id.get(pair.id)
        original = by_id.get(f"{item.compound_id}/{item.context}/orig") if item is not None else None
        if item is None or original is None:
            continue
        first = (pair.sentence1, pair.span1) == (original.sentence, original.span)
        second = (pair.sentence2, pair.span2) == (item.sentence, item.span)
        if not (first and second and all(getattr(pair, name) == getattr(item, name) for name in SHARED_COLUMNS)):
            yield pair.id, "its sentences, spans or columns are not those of its items"


@RELEASE.check("P602", "a pair is missing or has no item")
def _missing_pairs(release: Release) -> Found:
    """Every item but the originals is the second sentence of exactly one pair."""
    expected = {item.id for item in release.tables.items if item.variant != "orig"}
    counts = Counter(pair.id for pair in release.tables.pairs)
    for place, count in counts.items():
        if place not in expected or count > 1:
            yield place, f"{count} pairs of an item that should have {int(place in expected)}"
    for place in sorted(expected - counts.keys()):
        yield place, "no pair; build the release again"


def _randoms(items: Iterable[Item]) -> Iterator[Item]:
    # once for each compound: they are the same in every context
    return (item for item in items if item.variant in RANDOMS and item.context == CONTEXTS[0])


@LANGUAGE.check("R701", "a random compound shares a content word with its compound, a synonym or another random")
def _related_randoms(scope: Scope) -> Found:
    words: defaultdict[str, set[str]] = defaultdict(set)
    for row in scope.pack.compounds:
        words[row.text] |= {row.modifier, row.head}
    for synonym in scope.pack.synonyms:
        words[synonym.compound] |= {word for word in (synonym.modifier, synonym.head) if word is not None}
    for item in _randoms(scope.tables.items):
        components = {str(item.modifier), str(item.head)}
        shared = components & words[item.compound]
        words[item.compound] |= components
        if shared:
            yield item.id, f"{sorted(shared)} stands in its compound, a synonym or another random"


@RELEASE.check("R702", "a random compound is used twice in a language")
def _repeated_randoms(release: Release) -> Found:
    first: dict[tuple[str, str], Item] = {}
    for item in _randoms(release.tables.items):
        other = first.setdefault((item.lang, item.replacement), item)
        if other is not item:
            yield item.id, f"{item.replacement!r} is also {other.id}; draw another"


@LANGUAGE.check("R703", "a random compound is not matched in frequency")
def _unmatched_randoms(scope: Scope) -> Found:
    """Each component is at most 0.75 (log10 frequency) away.

    In a release that was matched by the mean alone, the mean is.
    """
    for item in _randoms(scope.tables.items):
        deltas = [item.mean_delta] if scope.match == "mean" else [item.modifier_delta, item.head_delta]
        if any(delta is None or abs(delta) > MAX_DELTA for delta in deltas):
            yield item.id, f"differences {deltas} are not within {MAX_DELTA}"


@LANGUAGE.check("R707", "a random compound has another number than its compound")
def _other_number(scope: Scope) -> Found:
    for item, original in scope.cells:
        if item.variant in RANDOMS and item.number != original.number:
            yield item.id, f"{item.number} where the compound is {original.number}; inflect it"


@LANGUAGE.check("R704", "a random compound shares a word with its sentences, its sense note or a compound of the pack")
def _randoms_in_view(scope: Scope) -> Found:
    """By the lemmas of `forms.tsv`; nouns, adjectives, verbs, adverbs and words that it lacks are looked at."""

    @cache
    def content(text: str) -> set[str]:
        read = {word: scope.lookup.readings(word) for word in scope.lookup.tokens(text.lower())}
        full = {word: rows for word, rows in read.items() if not rows or {row.pos for row in rows} & FULL}
        return {*full, *(row.lemma for rows in full.values() for row in rows)}

    notes = {row.text: row.sense_note for row in scope.pack.compounds}
    components = {word for row in scope.pack.compounds for word in (row.modifier, row.head)}
    for item in _randoms(scope.tables.items):
        sentences = (scope.pack.marked.get((item.compound, name)) for name in (*NATURALISTIC, LITERAL))
        texts = [notes.get(item.compound, ""), *(sentence.text for sentence in sentences if sentence)]
        shared = {str(item.modifier), str(item.head)} & components.union(*map(content, texts))
        if shared:
            yield item.id, f"{sorted(shared)} stands in a sentence, in the sense note or in a compound; draw another"


@LANGUAGE.check("R705", "the head of a random compound denotes what could stand in the compound's sentences")
def _fitting_randoms(scope: Scope) -> Found:
    """Its class in `pool.tsv` is that of the compound, of its first synonym, or one of its `fitting_classes`."""
    classes = {row.lemma: row.semantic_class for row in scope.pack.pool if row.pos == "noun"}
    out = {row.text: {row.semantic_class, *(row.fitting_classes or "").split()} for row in scope.pack.compounds}
    for synonym in scope.pack.synonyms:
        if synonym.rank == 1 and synonym.compound in out:
            out[synonym.compound].add(classes.get(synonym.head))
    for item in _randoms(scope.tables.items):
        kind = classes.get(str(item.head))
        if kind is not None and kind in out.get(item.compound, ()):
            yield item.id, f"{item.head!r} is of the class {kind!r}; draw another"


@LANGUAGE.check("R706", "a word stands in too many random compounds")
def _overused(scope: Scope) -> Found:
    """In four compounds of a composed pool at most; pairs that a corpus attests share words."""
    uses: defaultdict[str, list[Item]] = defaultdict(list)
    for item in _randoms(scope.tables.items) if scope.pool == "composed" else ():
        for word in {str(item.modifier), str(item.head)}:
            uses[word].append(item)
    for word, items in uses.items():
        if len(items) > MAX_USES:
            yield from ((item.id, f"{word!r} stands in {len(items)}, not {MAX_USES}; draw another") for item in items)
