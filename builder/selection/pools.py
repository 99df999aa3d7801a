"""The pools that random compounds are drawn from: words of the lexicon, or compounds that a corpus attests.

The composed pool combines words of the lexicon by part of speech and gender. The attested pool holds the pairs of a
store whose words can be the parts of a pattern, by the forms of the language, for a store has no parts of speech. Words
counted as lemmas count in any inflection; where they were counted as written, the pair must be the citation form. A
pattern with a word between its parts (*gol de placa*) is no adjacent pair and has no attested pool.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import product

from ncimp.builder.config import BuildOptions
from ncimp.builder.ports import PairFrequencies
from ncimp.builder.records import Compound, Gender, Pattern
from ncimp.builder.selection import matching
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.selection.words import PER_BILLION, zipf_of
from ncimp.schemas import SelectionError, UsageError

SHOWN = 5  # words that a message quotes

COINCIDENCES = 3  # occurrences of a composed pair in a counted corpus up to which it is no phrase
PLACES: Mapping[str, tuple[str, ...]] = {"both": ("head", "modifier"), "any": ("head", "modifier", "apposed")}
"""The places of a word of the pool that has several; a word of the lexicon has `any`."""

WordPool = dict[tuple[str, Gender | None, str], list[matching.PoolWord]]
"""Words by part of speech, gender and place, sorted by Zipf value; adjectives and genderless nouns under None."""

PairPool = dict[tuple[str, Gender | None], list[matching.PoolPair]]
"""Attested compounds by (pattern, gender of the head); under None those of every gender."""


class Pools:
    """The pools of a language, each made when it is first needed."""

    def __init__(self, resources: Resources, options: BuildOptions) -> None:
        self._resources = resources
        self._options = options
        self._indexes: dict[tuple[str, str | None], matching.PairIndex] = {}

    def target(self, compound: Compound) -> matching.Target:
        """Return the figures to match, or raise `SelectionError` where a component has no frequency."""
        check_frequencies([compound], self._resources)
        modifier, head = (zipf_of(self._resources.frequencies, word) for word in (compound.modifier, compound.head))
        frequency = None
        if self.is_attested(compound):
            pattern = self._resources.pack.language.patterns[compound.pattern]
            words = counted_words(compound, pattern, lemmas=self._table.lemmas)
            frequency = self._table.count(*words) * 10**PER_BILLION / self._table.tokens if words else None
        return matching.Target(modifier or 0.0, head or 0.0, frequency)

    def is_attested(self, compound: Compound) -> bool:
        """Tell whether the random compounds of *compound* are attested ones."""
        return self._options.pool == "attested" and is_adjacent(self._resources.replacement_pattern(compound))

    def search(self, compound: Compound, may_be: matching.MayBe, penalty: matching.Penalty) -> matching.NearestSearch:
        """Return the search of the pool of *compound*; words that *may_be* no part of it may be left out."""
        rule = self._options.match
        if self.is_attested(compound):
            return self.index(compound).search(rule)
        modifiers, heads = (self._listed(compound, part) for part in ("modifier", "head"))
        if rule == "mean":
            search = partial(matching.composed_by_mean, modifiers, heads)
            return matching.NearestSearch(search, matching.FIRST_RADIUS[rule])
        count = self._options.neighbours
        return matching.NearestSearch(partial(matching.nearest_pairs, modifiers, heads, count, may_be, penalty), None)

    def _listed(self, compound: Compound, part: str) -> Sequence[matching.PoolWord]:
        """Return the words of the pool that may stand in a *part* of the pattern of *compound*."""
        pattern, pos = self._resources.replacement_pattern(compound), self._resources.part_of_speech(compound, part)
        if part == "head":
            return self._words.get((pos, compound.gender, part), [])
        if pattern.random_modifiers:
            return pool_words(pattern.random_modifiers, pos, self._resources)
        # a noun that stands directly behind its head is in apposition
        behind = pos == "noun" and pattern.head == 0 and not pattern.join.strip("- ")
        words = self._words.get((pos, None, "apposed" if behind else part), [])
        places = self._resources.pack.language.adjectives
        if places is None or pos != "adj" or pattern.head == 1:
            return words
        return [word for word in words if word.lemma not in places.before]

    def pairs(self, compound: Compound, pairs: Iterable[tuple[str, str]]) -> list[matching.PoolPair]:
        """Return those of *pairs* (modifier, head) that the composed pool of *compound* has."""
        modifiers, heads = ({row.lemma: row for row in self._listed(compound, part)} for part in ("modifier", "head"))
        return [
            matching.PoolPair(modifiers[one], heads[other])
            for one, other in pairs
            if one in modifiers and other in heads
        ]

    def is_phrase(self, compound: Compound, pair: matching.PoolPair) -> bool:
        """Tell whether the counted corpus, where there is one, has *pair* as a phrase of the pattern of *compound*."""
        counts, pattern = self._resources.counts, self._resources.replacement_pattern(compound)
        if counts is None or not is_adjacent(pattern):
            return False
        lemmas = pair.modifier.lemma, pair.head.lemma
        words: Sequence[str] = lemmas if pattern.head == 1 else lemmas[::-1]
        if not counts.lemmas:
            words = str(self._resources.citation(pattern, *lemmas, pair.head.gender)).split()
        return counts.count(*words) > COINCIDENCES

    def index(self, compound: Compound) -> matching.PairIndex:
        """Return the attested compounds of the pattern and the gender of *compound*."""
        key = (self._resources.replacement_pattern(compound).id, compound.gender)
        if key not in self._indexes:
            self._indexes[key] = matching.PairIndex(self._attested.get(key, []))
        return self._indexes[key]

    @cached_property
    def _words(self) -> WordPool:
        return build_pool(self._resources)

    @cached_property
    def _table(self) -> PairFrequencies:
        if self._resources.pairs is None:
            lang = self._resources.pack.language.code
            fix = "name a statistics store with --frequencies, or use --pool composed"
            raise UsageError(f"an attested pool of {lang!r} needs counts of pairs", fix=fix)
        return self._resources.pairs

    @cached_property
    def _attested(self) -> PairPool:
        return attested_pool(self._table, self._resources)


def build_pool(resources: Resources) -> WordPool:
    """Return the pool: the words of pool.tsv, or of the lexicon without one, that have a frequency and all forms."""
    pool: WordPool = {}
    for pos in ("noun", "adj"):
        places = {row.lemma: row.place for row in resources.pack.pool if row.pos == pos}
        lemmas = places if resources.pack.pool else resources.lexicon.words(pos)
        for word in pool_words(lemmas, pos, resources):
            place = places.get(word.lemma, "any")
            for key in product((pos,), dict.fromkeys((word.gender, None)), PLACES.get(place, (place,))):
                pool.setdefault(key, []).append(word)
    return pool


def pool_words(lemmas: Iterable[str], pos: str, resources: Resources) -> list[matching.PoolWord]:
    """Return those of *lemmas* that have a frequency and all their forms and are no component of a compound.

    They are sorted by Zipf value.
    """
    words = (_pool_word(lemma, pos, resources) for lemma in lemmas)
    return sorted((word for word in words if word is not None), key=by_value)


def by_value(word: matching.PoolWord) -> tuple[float, str]:
    """Return the key by which pools are sorted."""
    return word.zipf, word.lemma


def _pool_word(lemma: str, pos: str, resources: Resources) -> matching.PoolWord | None:
    value = zipf_of(resources.frequencies, lemma)
    complete = all(resources.morphology.inflect(lemma, pos, gender=None, number=n) for n in ("sg", "pl"))
    if value is None or not complete or "-" in lemma or lemma in resources.components:
        return None
    return matching.PoolWord(value, lemma, resources.morphology.gender(lemma) if pos == "noun" else None)


def is_adjacent(pattern: Pattern) -> bool:
    """Tell whether compounds of *pattern* are two words next to each other."""
    return len(pattern.parts) == 2 and pattern.join == " "


def attested_pool(table: PairFrequencies, resources: Resources) -> PairPool:
    """Return every compound of the language's patterns that *table* has counted."""

    @cache
    def words(text: str, pos: str) -> tuple[matching.PoolWord, ...]:
        readings = () if table.lemmas else resources.morphology.readings(text)
        lemmas = [text] if table.lemmas else sorted({reading.lemma for reading in readings if reading.pos == pos})
        return tuple(filter(None, (_pool_word(lemma, pos, resources) for lemma in lemmas)))

    def compounds(first: str, second: str, count: int, pattern: Pattern) -> Iterator[matching.PoolPair]:
        parts = [words(text, pos) for text, pos in zip((first, second), pattern.parts, strict=True)]
        for head in parts[pattern.head]:
            for modifier in parts[1 - pattern.head]:
                if pattern.random_modifiers and modifier.lemma not in pattern.random_modifiers:
                    continue
                citation = (pattern, modifier.lemma, head.lemma, head.gender)
                if table.lemmas or resources.citation(*citation) == f"{first} {second}":
                    yield matching.PoolPair(modifier, head, count, count * 10**PER_BILLION / table.tokens)

    pool: PairPool = {}
    patterns = [pattern for pattern in resources.pack.language.patterns.values() if is_adjacent(pattern)]
    for first, second, count in table.pairs():
        for pattern in patterns:
            for pair in compounds(first, second, count, pattern):
                for gender in dict.fromkeys((pair.head.gender, None)):
                    pool.setdefault((pattern.id, gender), []).append(pair)
    return pool


def counted_words(compound: Compound, pattern: Pattern, *, lemmas: bool) -> Sequence[str]:
    """Return *compound* as the words that a corpus counts: *maçã* and *podre*, or *pé-frio*; none for more than two."""
    if is_adjacent(pattern):
        in_order = (compound.modifier, compound.head) if pattern.head == 1 else (compound.head, compound.modifier)
        return in_order if lemmas else tuple(compound.text.split())
    return (compound.text,) if " " not in compound.text else ()


def check_frequencies(compounds: Iterable[Compound], resources: Resources) -> None:
    """Raise `SelectionError` where a component of *compounds* has no frequency; the message names the first few."""
    words = dict.fromkeys(word for row in compounds for word in (row.modifier, row.head))
    missing = [word for word in words if zipf_of(resources.frequencies, word) is None]
    if missing:
        has, it = ("has", "it") if len(missing) == 1 else ("have", "them")
        what = f"{quoted(missing)} {has} no frequency in {resources.frequencies.name}"
        raise SelectionError(what, fix=f"count a corpus that has {it}, or use a more frequent compound")


def quoted(words: Sequence[str]) -> str:
    """Return the first few of *words* in quotes, and the number of the rest.

    >>> quoted(["rat"]), quoted(["rat", "race"])
    ("'rat'", "'rat' and 'race'")
    >>> quoted(list("abcdefgh"))
    "'a', 'b', 'c', 'd', 'e' and 3 more"
    """
    shown = [repr(word) for word in words[:SHOWN]]
    shown += [f"{len(words) - SHOWN} more"] if len(words) > SHOWN else []
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
