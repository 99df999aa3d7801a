"""Candidates of several lexicons in one order: by votes, then by sense, relation, place and frequency.

    votes(word) = sum over the sources of 1 where the word is a synonym, a similar word or a hypernym of the
                  component, ½ where it is a hyponym or a sibling; a source counts once, by its best offer
    order       = part of speech as asked; the named sense; most votes; best sense; nearest relation;
                  first place in its synset; most frequent; alphabet

The place is the best that any source gives; where no source ranks (0), every word is first, and frequency
decides. The order of the sources does not matter.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ncimp.builder.ports import FrequencyTable, SynonymSource
from ncimp.builder.records import Relation, SynonymCandidate
from ncimp.builder.selection.words import zipf_of

RELATIONS: tuple[Relation, ...] = ("synonym", "similar", "hypernym", "hyponym", "sibling", "indirect")
"""Nearest relation first: of two senses or words equally common, a synonym says more of the component than its kind."""

FAR = frozenset({"hyponym", "sibling", "indirect"})  # of words beside or below the component, not for it
FAR_VOTE = 0.5  # weight of a far relation; from 0.25 to 0.75 the experts' choices are met as often, within a point
STEPS = 4  # longest chain from word to word: four steps find five words for all but those that lead nowhere
Keep = Callable[[SynonymCandidate], bool]  # tell whether a candidate may be used


@dataclass(frozen=True, slots=True)
class SynonymQuestion:
    """A component whose synonyms are sought."""

    readings: Mapping[str, tuple[str, ...]]
    """The lemmas to look up, by part of speech; words of one come before all words of the next."""
    sense: str | None = None  # synset of the intended sense, where the pack names it


@dataclass(frozen=True, slots=True)
class SynonymOffer:
    """The best candidate of one source for one word."""

    source: str
    candidate: SynonymCandidate
    note: str = ""  # the reason that a person gave, who chose the word


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with the offers that support it."""

    offers: tuple[SynonymOffer, ...]  # one per source: the best first, then by name
    zipf: float | None

    @property
    def best(self) -> SynonymCandidate:
        """The best offer."""
        return self.offers[0].candidate

    @property
    def lemma(self) -> str:
        """The word itself."""
        return self.best.lemma

    @property
    def votes(self) -> float:
        """The number of sources that offer it; a far relation counts half."""
        return sum(FAR_VOTE if offer.candidate.relation in FAR else 1.0 for offer in self.offers)


def rank(
    question: SynonymQuestion, sources: Sequence[SynonymSource], *, frequencies: FrequencyTable, keep: Keep
) -> list[Ranked]:
    """Return the candidates that *sources* offer and *keep* lets pass, best first, each once."""

    def order(row: Ranked) -> tuple[object, ...]:
        unmeant, _, *best = _place(row.best, question.sense)
        return unmeant, -row.votes, *best, -(row.zipf or 0.0), row.lemma

    ranked: dict[str, Ranked] = {}
    for pos in question.readings:
        offers = _offers(question, pos, sources, keep)
        rows = [Ranked(tuple(of_word), zipf_of(frequencies, word)) for word, of_word in offers.items()]
        for row in sorted(rows, key=order):
            ranked.setdefault(row.lemma, row)
    return list(ranked.values())


def reach(
    question: SynonymQuestion, sources: Sequence[SynonymSource], *, frequencies: FrequencyTable, keep: Keep, enough: int
) -> list[Ranked]:
    """Return the rows of `rank` and, where they are fewer than *enough*, words that are near them.

    The words next to the first rows come in their order; then the next step is taken, up to `STEPS`.
    Words that may not be used themselves, such as kin of the component, lead to others all the same.
    """

    def near(question: SynonymQuestion) -> list[Ranked]:
        return rank(question, sources, frequencies=frequencies, keep=lambda word: word.relation not in FAR)

    ranked = {row.lemma: row for row in rank(question, sources, frequencies=frequencies, keep=keep)}
    visited = {lemma for lemmas in question.readings.values() for lemma in lemmas}
    edge = [row.best for row in near(question)] if len(ranked) < enough else []
    for step in range(2, STEPS + 1):
        if len(ranked) >= enough:
            break
        visited |= {candidate.lemma for candidate in edge}
        nexts = [_indirect(row, via, step) for via in edge for row in near(SynonymQuestion({via.pos: (via.lemma,)}))]
        fresh = [row for row in nexts if row.lemma not in visited]
        for row in fresh:
            if keep(row.best):
                ranked.setdefault(row.lemma, row)
        edge = list({row.lemma: row.best for row in reversed(fresh)}.values())[::-1]
    return list(ranked.values())


def _indirect(row: Ranked, via: SynonymCandidate, step: int) -> Ranked:
    offers = (
        replace(offer, candidate=replace(offer.candidate, relation="indirect", sense=step, position=0, start=via.lemma))
        for offer in row.offers
    )
    return replace(row, offers=tuple(offers))


def _offers(
    question: SynonymQuestion, pos: str, sources: Sequence[SynonymSource], keep: Keep
) -> dict[str, list[SynonymOffer]]:
    """Return the best offer of each source for every word of one part of speech, the best source first."""

    def order(candidate: SynonymCandidate) -> tuple[object, ...]:  # an offer with a rank says more than one without
        return _place(candidate, question.sense, unranked=sys.maxsize)

    best: dict[tuple[str, str], SynonymCandidate] = {}
    for source in sources:
        for lemma in question.readings[pos]:
            for candidate in source.candidates(lemma, pos):
                key = (candidate.lemma, source.name)
                if key not in best or order(candidate) < order(best[key]):
                    best[key] = candidate
    by_word: dict[str, list[SynonymOffer]] = defaultdict(list)
    for (word, name), candidate in sorted(best.items(), key=lambda row: (order(row[1]), row[0][1])):
        if keep(candidate):
            by_word[word].append(SynonymOffer(name, candidate))
    return by_word


def _place(candidate: SynonymCandidate, sense: str | None, unranked: int = 1) -> tuple[bool, bool, int, int, int]:
    """Return the sort key of a candidate: the named sense, near relations, sense, relation, position."""
    unmeant = sense is None or candidate.start != sense
    relation = RELATIONS.index(candidate.relation)
    return unmeant, candidate.relation in FAR, candidate.sense or unranked, relation, candidate.position or unranked


def explain(row: Ranked, component: str) -> Iterator[str]:
    """Yield the reasons why *row* stands for *component*: each source's offer, the votes and the frequency."""
    for offer in row.offers:
        yield f"{reason(offer, component)} in {offer.source}"
    yield f"{row.votes:g} votes, Zipf value {'unknown' if row.zipf is None else f'{row.zipf:.2f}'}"


def reason(offer: SynonymOffer, component: str) -> str:
    """Return the relation of a candidate to *component* and its place in the lexicon."""
    candidate = offer.candidate
    if candidate.relation == "indirect":
        steps = f"{candidate.sense} steps from {component!r}"
        return f"{candidate.lemma!r} is next to {candidate.start!r}, {steps} ({candidate.synset})"
    name = "near-synonym" if candidate.relation == "similar" else candidate.relation
    if offer.note:
        return f"{candidate.lemma!r} is chosen for {component!r} as a {name} ({offer.note})"
    ranks = ((candidate.sense, "sense"), (candidate.position, "place"))
    shown = ", ".join(f"{label} {number}" for number, label in ranks if number)
    return f"{candidate.lemma!r} is a {name} of {component!r} ({shown}{' of ' if shown else ''}{candidate.synset})"
