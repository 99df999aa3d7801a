"""Random compounds: five per compound, each component matched in frequency, from a pool of the lexicon's words.

For each component the nearest words in Zipf value are taken; of their combinations, the five that
match best on the worse component and on the mean are kept, no word twice. What is equally good is
ordered by keyed hash. A random compound is drawn once per language, and shares no word, and no
kin of one, with its compound, its true synonyms, its components' synonyms or its other randoms.
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ncimp.builder.config import BuildOptions
from ncimp.builder.phrases import inflect_phrase
from ncimp.builder.records import RANDOMS, Compound, Gender, LanguagePack, Pattern, Replacement
from ncimp.builder.selection.synonyms import Resources, part_of_speech, replacement_pattern, usable_candidates
from ncimp.builder.selection.words import are_kin, own_words, zipf_of
from ncimp.schemas.errors import SelectionError
from ncimp.schemas.hashing import keyed_hash


@dataclass(frozen=True, slots=True)
class PoolWord:
    """A word that may be a component of a random compound."""

    zipf: float
    lemma: str
    gender: Gender | None


REUSE = 0.01
"""Cost, in log10 units, of each earlier use of a word: of nearly equal matches the fresher wins."""


@dataclass(frozen=True, slots=True)
class Match:
    """A random compound with its distances from the compound it stands for."""

    modifier: PoolWord
    head: PoolWord
    modifier_delta: float
    head_delta: float
    mean_delta: float

    @property
    def cost(self) -> float:
        """Distance of the worse component, then of the mean: what the match minimises, in log10 units."""
        return round(max(abs(self.modifier_delta), abs(self.head_delta)) + abs(self.mean_delta), 9)


Pool = dict[tuple[str, Gender | None], list[PoolWord]]
"""Words by (part of speech, gender), sorted by Zipf value; adjectives and genderless nouns under None."""


def build_pool(resources: Resources) -> Pool:
    """Return the pool of every single word of the lexicon that has a frequency and all its forms."""
    pool: Pool = {}
    for pos in ("noun", "adj"):
        for word in pool_words(resources.lexicon.words(pos), pos, resources):
            pool.setdefault((pos, word.gender), []).append(word)
            if word.gender is not None:
                pool.setdefault((pos, None), []).append(word)
    return pool


def pool_words(lemmas: Iterable[str], pos: str, resources: Resources) -> list[PoolWord]:
    """Return those of *lemmas* that have a frequency and all their forms, sorted by Zipf value."""
    words = []
    for lemma in lemmas:
        value = zipf_of(resources.frequencies, lemma)
        known = all(resources.morphology.inflect(lemma, pos, gender=None, number=n) for n in ("sg", "pl"))
        if value is not None and known and "-" not in lemma:
            gender = resources.morphology.gender(lemma) if pos == "noun" else None
            words.append(PoolWord(value, lemma, gender))
    return sorted(words, key=lambda word: (word.zipf, word.lemma))


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


@dataclass(frozen=True, slots=True)
class Drawn:
    """What may not be drawn (again): pairs of lemmas; and how often each word has been used so far."""

    pairs: set[tuple[str, str]]
    uses: Counter[str]

    def add(self, match: Match) -> None:
        """Record that *match* is drawn."""
        self.pairs.add((match.modifier.lemma, match.head.lemma))
        self.uses.update((match.modifier.lemma, match.head.lemma))

    def has(self, match: Match) -> bool:
        """Tell whether the pair of *match* is drawn already or ruled out."""
        return (match.modifier.lemma, match.head.lemma) in self.pairs

    def cost(self, match: Match) -> float:
        """Return the cost of *match* with what its words' earlier uses add."""
        return round(match.cost + REUSE * (self.uses[match.modifier.lemma] + self.uses[match.head.lemma]), 9)


def random_compounds(resources: Resources, options: BuildOptions) -> list[Replacement]:
    """Return `rand1` to `rand5` of every compound of the pack, or raise `SelectionError` where none match.

    Compounds are served in keyed-hash order, so that the order of the table does not matter.
    """
    pool = build_pool(resources)
    earlier = Drawn(_established(resources.pack), Counter())
    drawn: list[Replacement] = []
    lang = resources.pack.language.code
    for compound in sorted(resources.pack.compounds, key=lambda row: keyed_hash(options.seed, lang, row.text)):
        matches = (match for match in _matches(compound, pool, resources, options) if not earlier.has(match))
        ranked = sorted(matches, key=lambda match: (earlier.cost(match), _shuffle(options.seed, compound, match)))
        for variant, match in zip(RANDOMS, _draw(compound, ranked, options), strict=True):
            earlier.add(match)
            drawn.append(_replacement(compound, variant, match, resources))
    return drawn


def _shuffle(seed: str, compound: Compound, match: Match) -> str:
    return keyed_hash(seed, compound.text, match.modifier.lemma, match.head.lemma)


def _established(pack: LanguagePack) -> set[tuple[str, str]]:
    """Return the (modifier, head) pairs that are compounds or synonyms of the pack."""
    pairs = {(row.modifier, row.head) for row in pack.compounds}
    return pairs | {(row.modifier, row.head) for row in pack.synonyms if row.modifier is not None}


def _draw(compound: Compound, ranked: Iterable[Match], options: BuildOptions) -> list[Match]:
    """Return the first five of *ranked* that share no word."""
    chosen: list[Match] = []
    for match in ranked:
        if _fresh(match, chosen):
            chosen.append(match)
            if len(chosen) == len(RANDOMS):
                return chosen
    what = f"{compound.text!r} has {len(chosen)} random compounds within {options.max_delta} Zipf, not {len(RANDOMS)}"
    raise SelectionError(what, fix="add words of its frequency to the lexicon, with their forms in forms.tsv")


def _fresh(match: Match, chosen: Iterable[Match]) -> bool:
    """Tell whether no word of *match* is kin to a word of one already *chosen*."""
    words = [word for other in chosen for word in (other.modifier.lemma, other.head.lemma)]
    return not any(are_kin(new, old) for new in (match.modifier.lemma, match.head.lemma) for old in words)


def _matches(compound: Compound, pool: Pool, resources: Resources, options: BuildOptions) -> Iterator[Match]:
    """Yield every pair of near words that may stand for *compound*, whatever has been drawn before."""
    banned = _banned(compound, resources)
    target_modifier, target_head = _target(compound.modifier, resources), _target(compound.head, resources)
    modifiers = nearest(_modifier_pool(compound, pool, resources), target_modifier, options.neighbours, banned)
    head_pool = pool.get((part_of_speech(compound, "head", resources), compound.gender), [])
    heads = nearest(head_pool, target_head, options.neighbours, banned)
    for modifier, head in product(modifiers, heads):
        match = _measure(modifier, head, target_modifier, target_head)
        near = max(abs(match.modifier_delta), abs(match.head_delta)) <= options.max_delta
        allowed = not are_kin(modifier.lemma, head.lemma) and not resources.pack.excludes(modifier.lemma, head.lemma)
        if near and allowed:
            yield match


def _modifier_pool(compound: Compound, pool: Pool, resources: Resources) -> list[PoolWord]:
    """Return the words that may modify: the list of the pattern where it has one, else the whole pool."""
    pos = part_of_speech(compound, "modifier", resources)
    only = replacement_pattern(compound, resources).random_modifiers
    if not only:
        return pool.get((pos, None), [])
    return pool_words(only, pos, resources)


def _banned(compound: Compound, resources: Resources) -> frozenset[str]:
    own = own_words(compound, [row for row in resources.pack.synonyms if row.compound == compound.text])
    near = {word.lemma for part in ("head", "modifier") for word in usable_candidates(compound, part, resources)}
    return own | near


def _target(lemma: str, resources: Resources) -> float:
    value = zipf_of(resources.frequencies, lemma)
    if value is None:
        fix = "count a corpus that has it, or use a more frequent compound"
        raise SelectionError(f"{lemma!r} has no frequency in {resources.frequencies.name}", fix=fix)
    return value


def _measure(modifier: PoolWord, head: PoolWord, target_modifier: float, target_head: float) -> Match:
    mean = math.log10((10**modifier.zipf + 10**head.zipf) / (10**target_modifier + 10**target_head))
    return Match(
        modifier,
        head,
        round(modifier.zipf - target_modifier, 6),
        round(head.zipf - target_head, 6),
        round(mean, 6),
    )


def _replacement(compound: Compound, variant: str, match: Match, resources: Resources) -> Replacement:
    pattern: Pattern = replacement_pattern(compound, resources)
    text = inflect_phrase(
        pattern,
        modifier=match.modifier.lemma,
        head=match.head.lemma,
        gender=match.head.gender,
        number="sg",
        morphology=resources.morphology,
    )
    return Replacement(
        compound_id=resources.pack.compound_id(compound.text),
        variant=variant,
        text=str(text),
        modifier=match.modifier.lemma,
        head=match.head.lemma,
        pattern=pattern.id,
        gender=match.head.gender,
        source=resources.frequencies.name,
        rank=RANDOMS.index(variant) + 1,
        modifier_zipf=match.modifier.zipf,
        head_zipf=match.head.zipf,
        modifier_delta=match.modifier_delta,
        head_delta=match.head_delta,
        mean_delta=match.mean_delta,
        explanation=_explanation(compound, match),
    )


def _explanation(compound: Compound, match: Match) -> str:
    parts = (
        f"{match.modifier.lemma!r} {match.modifier_delta:+.2f} from {compound.modifier!r}",
        f"{match.head.lemma!r} {match.head_delta:+.2f} from {compound.head!r}",
        f"mean frequency {match.mean_delta:+.2f}",
    )
    return f"matched in log10 frequency: {', '.join(parts)}"
