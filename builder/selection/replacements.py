"""All replacements of a language: the words of the pack, component synonyms, and random compounds.

Random compounds are five per compound, matched in frequency, composed of the lexicon's words or attested in a corpus.
One is drawn once per language, and shares no word, and no kin of one, with its compound, its true synonyms, its
components' synonyms, its sentences or its other randoms. Its head denotes nothing that could stand in those sentences.
Compounds of frequent words are served first; keyed hashes order the rest, and pairs of equal cost, so that the order of
no table matters. The draw is greedy; `docs/adr/0011-pools-and-rules.md` measures what a best assignment would gain.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from operator import itemgetter

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import RANDOMS, VARIANTS, Compound, LanguagePack, Replacement
from ncimp.builder.selection.matching import Match, MayBe, NearestSearch, Target, measure
from ncimp.builder.selection.pools import Pools, check_frequencies, quoted
from ncimp.builder.selection.synonyms import Resources, component_synonyms, usable_candidates
from ncimp.builder.selection.words import are_kin, kin_test, own_words, words_around, zipf_of
from ncimp.schemas import SelectionError, keyed_hash


def select(resources: Resources, options: BuildOptions) -> list[Replacement]:
    """Return the 14 replacements (`orig` included) of every compound, or raise `SelectionError`.

    Those of a pack of published sentences stand in the sentences, so that there is nothing to select.
    """
    pack = resources.pack
    if pack.published:
        return []
    rows = random_compounds(resources, options)
    for compound in pack.compounds:
        rows += [*from_pack(compound, pack), *component_synonyms(compound, resources)]
    order = {pack.compound_id(compound.text): index for index, compound in enumerate(pack.compounds)}
    return sorted(rows, key=lambda row: (order[row.compound_id], VARIANTS.index(row.variant)))


def from_pack(compound: Compound, pack: LanguagePack) -> list[Replacement]:
    """Return the replacements of *compound* that need no choice: itself, its true synonym, and its components."""
    source = f"{pack.language.code} pack {pack.language.version}"
    compound_id = pack.compound_id(compound.text)
    synonyms = [row for row in pack.synonyms if row.compound == compound.text]
    if not synonyms:
        raise SelectionError(f"{compound.text!r} has no true synonym", fix="add one to synonyms.tsv")
    synonym = min(synonyms, key=lambda row: row.rank)
    whole = (compound.text, compound.modifier, compound.head, compound.pattern, compound.gender, source)
    other = (synonym.text, synonym.modifier, synonym.head, synonym.pattern, synonym.gender, source)
    head = (compound.head, None, compound.head, None, None, source)
    modifier = (compound.modifier, compound.modifier, None, None, None, source)
    reason = f"true synonym number {synonym.rank} of the pack"
    return [
        Replacement(compound_id, "orig", *whole, explanation="the compound itself"),
        Replacement(compound_id, "syn", *other, rank=synonym.rank, explanation=reason),
        Replacement(compound_id, "head", *head, explanation="the head alone, as it stands in the compound"),
        Replacement(compound_id, "mod", *modifier, explanation="the modifier alone, as it stands in the compound"),
    ]


Allowed = Callable[[Match], bool]  # tell whether a match may be drawn
REUSE = 0.03  # cost, in log10 units, of each earlier use of a word: of nearly equal matches the fresher wins
MAX_USES = 4  # compounds of a language that a word may stand for in a composed pool: docs/adr/0025


@dataclass(frozen=True, slots=True)
class Usage:
    """The pairs of lemmas that may not be drawn (again), and the number of uses of each word so far."""

    pairs: set[tuple[str, str]]
    words: Counter[str] = field(default_factory=Counter)

    def add(self, match: Match) -> None:
        """Record that *match* is drawn."""
        self.pairs.add(match.lemmas)
        self.words.update(match.lemmas)

    def cost(self, match: Match, options: BuildOptions) -> float:
        """Return the cost of *match*, with its words' earlier uses but for the published rule, which is the mean."""
        cost = match.cost(options.match)
        uses = sum(self.words[lemma] for lemma in match.lemmas)
        return cost if options.match == "mean" else round(cost + REUSE * uses, 9)

    def penalty(self, lemma: str) -> float:
        """Return the cost of a word of a composed pool for its uses so far: beyond all matches for one used up."""
        return REUSE * self.words[lemma] if self.words[lemma] < MAX_USES else math.inf


def random_compounds(resources: Resources, options: BuildOptions) -> list[Replacement]:
    """Return `rand1` to `rand5` of every compound of the pack, or raise `SelectionError` where too few match."""
    compounds = in_order(resources, options.seed)
    check_frequencies(compounds, resources)
    matcher = Matcher(resources, options)
    accepted = {compound.text: matcher.accepted(compound) for compound in compounds}
    rows = [(compound, matcher.draw(compound, accepted=accepted[compound.text])) for compound in compounds]
    short = [(compound, len(matches)) for compound, matches in rows if len(matches) < len(RANDOMS)]
    if short:
        raise matcher.too_few(*short[0], [compound.text for compound, _ in short[1:]])
    return [
        _replacement(compound, rank, match, resources)
        for compound, matches in rows
        for rank, match in enumerate(matches, start=1)
    ]


def in_order(resources: Resources, seed: str) -> list[Compound]:
    """Return the compounds in the order in which they are served: those first whose matches are scarcest.

    That is the order of the more frequent component, for frequent words are few.
    """
    lang, table = resources.pack.language.code, resources.frequencies

    def key(row: Compound) -> tuple[float, str]:
        zipf = max(zipf_of(table, word) or 0.0 for word in (row.modifier, row.head))
        return -zipf, keyed_hash(seed, lang, row.text)

    return sorted(resources.pack.compounds, key=key)


def established(pack: LanguagePack) -> set[tuple[str, str]]:
    """Return the (modifier, head) pairs that are compounds or synonyms of the pack."""
    pairs = {(row.modifier, row.head) for row in pack.compounds}
    return pairs | {(row.modifier, row.head) for row in pack.synonyms if row.modifier is not None}


class Matcher:
    """Draws random compounds for one compound of a language after the other, and records the pairs it has drawn."""

    def __init__(self, resources: Resources, options: BuildOptions) -> None:
        self._resources = resources
        self._options = options
        self._pools = Pools(resources, options)
        self._usage = Usage(established(resources.pack))

    def accepted(self, compound: Compound) -> list[Match]:
        """Return, and record as drawn, the matches of *compound* that readers accepted and the rules allow still.

        They are kept so that what a reader has read stays when something else changes. Another seed, pool or rule than
        the default asks for others.
        """
        default = BuildOptions()
        if any(getattr(self._options, name) != getattr(default, name) for name in ("seed", "pool", "match")):
            return []
        pairs = [(row.modifier, row.head) for row in self._resources.pack.accepted if row.compound == compound.text]
        target, allowed = self._pools.target(compound), self._rules(compound, self._usage)[1]
        matches = (measure(pair, target) for pair in self._pools.pairs(compound, pairs))
        near = (match for match in matches if match.distance(self._options.match) <= self._options.max_delta)
        return draw(near, self._usage, allowed)

    def draw(self, compound: Compound, usage: Usage | None = None, accepted: Sequence[Match] = ()) -> list[Match]:
        """Return up to five matches of *compound*, which are not drawn again: *usage* records them.

        The *accepted* ones come first, then others, the best first. Raises `SelectionError` where a component of
        *compound* has no frequency.
        """
        if len(accepted) == len(RANDOMS):
            return list(accepted)
        usage = self._usage if usage is None else usage
        may_be, allowed = self._rules(compound, usage)
        target, search = self._pools.target(compound), self._pools.search(compound, may_be, usage.penalty)
        return draw(best_first(compound.text, target, search, usage, self._options), usage, allowed, accepted)

    def _rules(self, compound: Compound, usage: Usage) -> tuple[MayBe, Allowed]:
        """Return the tests that tell which words, and which matches, may stand for *compound*."""
        resources, pack = self._resources, self._resources.pack
        rows = (row for part in ("head", "modifier") for row in usable_candidates(compound, part, resources))
        banned = own_words(compound, pack.synonyms) | words_around(compound, pack, resources.morphology)
        is_kin = kin_test(banned | {row.lemma for row in rows})
        first = min(
            (row for row in pack.synonyms if row.compound == compound.text), key=lambda row: row.rank, default=None
        )
        classes = {*compound.near_classes, resources.semantic_class(first.head) if first else None} - {None}

        @cache
        def may_be(part: str, lemma: str) -> bool:
            return not is_kin(lemma) and (part == "modifier" or resources.semantic_class(lemma) not in classes)

        def allowed(match: Match) -> bool:
            modifier, head = match.lemmas
            out = are_kin(modifier, head) or pack.excludes(compound.text, modifier, head)
            free = not out and may_be("modifier", modifier) and may_be("head", head)
            if not free or match.pair.occurrences is not None:
                return free
            fresh = all(usage.words[lemma] < MAX_USES for lemma in match.lemmas)
            return fresh and not self._pools.is_phrase(compound, match.pair)

        return may_be, allowed

    def too_few(self, compound: Compound, count: int, others: Sequence[str]) -> SelectionError:
        """Return the error that *compound* has only *count* matches, and *others* too few as well, with the remedy."""
        limit = self._options.max_delta
        what = f"{compound.text!r} has {count} random compounds within {limit} Zipf, not {len(RANDOMS)}"
        if others:
            what += f" (and too few for {quoted(others)})"
        if not self._pools.is_attested(compound):
            table = "pool.tsv" if self._resources.pack.pool else "the lexicon"
            fix = f"add words of its frequency to {table}, with their forms in forms.tsv (no heads of fitting_classes)"
            return SelectionError(what, fix=fix)
        pattern = self._resources.replacement_pattern(compound).id
        size = len(self._pools.index(compound))
        attested = f"{self._resources.frequencies.name} attests {size} compounds of its pattern {pattern} and gender"
        fix = "count a larger corpus, add forms of its words to forms.tsv, or use --pool composed"
        return SelectionError(f"{what}: {attested}", fix=fix)


def draw(candidates: Iterable[Match], usage: Usage, allowed: Allowed, accepted: Sequence[Match] = ()) -> list[Match]:
    """Return the *accepted* matches and the first *candidates* that share no word with one before, up to five.

    Those that are drawn are recorded in *usage*, where the accepted ones are already.
    """
    matches = list(accepted)
    for match in candidates:
        words = [word for other in matches for word in other.lemmas]
        if match.lemmas in usage.pairs or not allowed(match):
            continue
        if not any(are_kin(new, old) for new in match.lemmas for old in words):
            matches.append(match)
            if len(matches) == len(RANDOMS):
                break
    for match in matches[len(accepted) :]:
        usage.add(match)
    return matches


def best_first(
    name: str, target: Target, search: NearestSearch, usage: Usage, options: BuildOptions
) -> Iterator[Match]:
    """Yield every pair within `max_delta` of *target* in the order of its cost, and of a keyed hash among equals.

    A radius is searched whole, and pairs that cost more than it wait for the next: pairs outside it cost more than
    every pair that is yielded before it is widened. The mean is never farther off than the worse component,
    so that twice the limit holds all.
    """
    limit = 2 * options.max_delta
    passed = -1.0
    for radius in search.radii(limit):
        end = radius if radius < limit else math.inf
        rows: list[tuple[float, Match]] = []
        for match in (measure(pair, target) for pair in search.within(target, radius)):
            if match.distance(options.match) <= options.max_delta:
                cost = usage.cost(match, options)
                if passed < cost <= end:
                    rows.append((cost, match))
        rows.sort(key=itemgetter(0))
        for _, equals in groupby(rows, key=itemgetter(0)):
            matches = (match for _, match in equals)
            yield from sorted(matches, key=lambda match: keyed_hash(options.seed, name, *match.lemmas))
        passed = end


def _replacement(compound: Compound, rank: int, match: Match, resources: Resources) -> Replacement:
    modifier, head = match.pair.modifier, match.pair.head
    kind = resources.semantic_class(head.lemma)
    reasons = [
        f"{modifier.lemma!r} {match.modifier_delta:+.2f} from {compound.modifier!r}",
        f"{head.lemma!r}{f' ({kind})' if kind else ''} {match.head_delta:+.2f} from {compound.head!r}",
        f"mean frequency {match.mean_delta:+.2f}",
    ]
    if match.pair.occurrences is not None:
        reasons += [f"{match.whole_delta:+.2f} with the compounds' own", f"counted {match.pair.occurrences} times"]
    return replace(
        resources.replacement(compound, RANDOMS[rank - 1], rank, match.lemmas, head.gender),
        source=resources.frequencies.name,
        modifier_zipf=modifier.zipf,
        head_zipf=head.zipf,
        modifier_delta=match.modifier_delta,
        head_delta=match.head_delta,
        mean_delta=match.mean_delta,
        explanation=f"matched in log10 frequency: {', '.join(reasons)}",
    )
