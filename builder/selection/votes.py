"""Candidates of several lexicons in one order: by votes, then by sense, relation, place and frequency.

    votes(word) = sum over the sources of 1 where the word is a synonym, a similar word or a hypernym of the
                  component, ½ where it is a hyponym or a sibling; a source counts once, by its best offer
    order       = part of speech as asked; the sense that somebody named; most votes; best sense; nearest relation;
                  first place in its synset; most frequent; alphabet

The place is the best that any source gives; where no source ranks (0), every word is first, and frequency
decides. The order of the sources does not matter.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ncimp.builder.ports import FrequencyTable, SynonymSource
from ncimp.builder.records import Candidate, Relation
from ncimp.builder.selection.words import zipf_of

RELATIONS: tuple[Relation, ...] = ("chosen", "synonym", "similar", "hypernym", "hyponym", "sibling", "indirect")
"""Nearest relation first: of two senses or words equally common, a synonym says more of the component than its kind."""

FAR = frozenset({"hyponym", "sibling", "indirect"})
"""Relations of words that stand beside or below the component, not for it."""

FAR_VOTE = 0.5
"""What a far relation counts; from 0.25 to 0.75 the experts' choices are met as often, within a point."""

STEPS = 4
"""How far words are followed from word to word: four steps find five words for all but those that lead nowhere."""

Keep = Callable[[Candidate], bool]
"""Tell whether a candidate may be used."""


@dataclass(frozen=True, slots=True)
class Question:
    """A component whose synonyms are sought."""

    readings: Mapping[str, tuple[str, ...]]
    """What it is looked up as, by part of speech; words of one come before all words of the next."""
    sense: str | None = None
    """Synset of the sense that is meant, where somebody has said so."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one source says of one word: its best candidate."""

    source: str
    candidate: Candidate
    note: str = ""
    """The reason that a person gave."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with everything that speaks for it."""

    offers: tuple[Offer, ...]
    """One per source: the best first, then by name."""
    zipf: float | None

    @property
    def best(self) -> Candidate:
        """The best offer."""
        return self.offers[0].candidate

    @property
    def lemma(self) -> str:
        """The word itself."""
        return self.best.lemma

    @property
    def votes(self) -> float:
        """How many sources offer it; a far relation counts half."""
        return sum(FAR_VOTE if offer.candidate.relation in FAR else 1.0 for offer in self.offers)


def rank(
    question: Question, sources: Sequence[SynonymSource], *, frequencies: FrequencyTable, keep: Keep
) -> list[Ranked]:
    """Return the candidates that *sources* offer and *keep* lets pass, best first, each once."""
    found: dict[str, Ranked] = {}
    for pos in question.readings:
        offers = _offers(question, pos, sources, keep)
        rows = (Ranked(_ordered(of_word, question.sense), zipf_of(frequencies, word)) for word, of_word in offers)
        for row in sorted(rows, key=lambda row: _order(row, question.sense)):
            found.setdefault(row.lemma, row)
    return list(found.values())


def reach(
    question: Question, sources: Sequence[SynonymSource], *, frequencies: FrequencyTable, keep: Keep, enough: int
) -> list[Ranked]:
    """Return what `rank` does and, where that is fewer than *enough*, words that are near the words found.

    The words next to those found first come in their order; then the next step is taken, up to `STEPS`.
    Words that may not be used themselves, such as kin of the component, lead to others all the same.
    """

    def near(asked: Question) -> list[Ranked]:
        single = partial(rank, sources=sources, frequencies=frequencies)
        return single(asked, keep=lambda word: word.relation not in FAR)

    found = {row.lemma: row for row in rank(question, sources, frequencies=frequencies, keep=keep)}
    seen = {lemma for lemmas in question.readings.values() for lemma in lemmas}
    edge = [row.best for row in near(question)] if len(found) < enough else []
    for step in range(2, STEPS + 1):
        if len(found) >= enough:
            break
        seen |= {candidate.lemma for candidate in edge}
        nexts = [_indirect(row, via, step) for via in edge for row in near(Question({via.pos: (via.lemma,)}))]
        fresh = [row for row in nexts if row.lemma not in seen]
        for row in fresh:
            if keep(row.best):
                found.setdefault(row.lemma, row)
        edge = list({row.lemma: row.best for row in reversed(fresh)}.values())[::-1]
    return list(found.values())


def _indirect(row: Ranked, via: Candidate, step: int) -> Ranked:
    """Return *row*, which was found for *via*, as found over it."""
    offers = (
        replace(offer, candidate=replace(offer.candidate, relation="indirect", sense=step, position=0, start=via.lemma))
        for offer in row.offers
    )
    return replace(row, offers=tuple(offers))


def _offers(
    question: Question, pos: str, sources: Iterable[SynonymSource], keep: Keep
) -> Iterable[tuple[str, list[Offer]]]:
    """Return (word, the best offer of each source) for every word offered in one part of speech."""
    best: dict[tuple[str, str], Candidate] = {}
    for source in sources:
        for lemma in question.readings[pos]:
            for candidate in source.candidates(lemma, pos):
                key = (candidate.lemma, source.name)
                if key not in best or telling(candidate, question.sense) < telling(best[key], question.sense):
                    best[key] = candidate
    by_word: dict[str, list[Offer]] = defaultdict(list)
    for (word, name), candidate in best.items():
        if keep(candidate):
            by_word[word].append(Offer(name, candidate))
    return by_word.items()


Place = tuple[bool, bool, int, int, int]


def place(candidate: Candidate, sense: str | None, unranked: int = 1) -> Place:
    """Return what candidates are ordered by: the sense meant, near ones, sense, relation, position.

    What is not ranked counts as *unranked*.
    """
    meant = sense is not None and candidate.start == sense
    relation = RELATIONS.index(candidate.relation)
    return not meant, candidate.relation in FAR, candidate.sense or unranked, relation, candidate.position or unranked


def telling(candidate: Candidate, sense: str | None) -> Place:
    """Return what offers of one word are ordered by: one that tells the rank says more than one that does not."""
    return place(candidate, sense, unranked=sys.maxsize)


def _ordered(offers: Iterable[Offer], sense: str | None) -> tuple[Offer, ...]:
    return tuple(sorted(offers, key=lambda offer: (telling(offer.candidate, sense), offer.source)))


def _order(row: Ranked, sense: str | None) -> tuple[object, ...]:
    unmeant, _, *best = place(row.best, sense)
    return unmeant, -row.votes, *best, -(row.zipf or 0.0), row.lemma


def explain(row: Ranked, component: str) -> Iterator[str]:
    """Yield why *row* stands for *component*: what each source says, and what decided."""
    for offer in row.offers:
        yield f"{reason(offer, component)} in {offer.source}"
    yield f"{row.votes:g} votes, Zipf value {'unknown' if row.zipf is None else f'{row.zipf:.2f}'}"


def reason(offer: Offer, component: str) -> str:
    """Return what a candidate is to *component*, and where that stands."""
    candidate = offer.candidate
    if candidate.relation == "chosen":
        return f"{candidate.lemma!r} is chosen for {component!r} ({offer.note})"
    if candidate.relation == "indirect":
        steps = f"{candidate.sense} steps from {component!r}"
        return f"{candidate.lemma!r} is next to {candidate.start!r}, {steps} ({candidate.synset})"
    name = "near-synonym" if candidate.relation == "similar" else candidate.relation
    ranks = ((candidate.sense, "sense"), (candidate.position, "place"))
    known = ", ".join(f"{what} {number}" for number, what in ranks if number)
    return f"{candidate.lemma!r} is a {name} of {component!r} ({known}{' of ' if known else ''}{candidate.synset})"
