"""Packs and sources made in memory, so that a test says in its own lines everything that selection sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ncimp.builder.records import (
    ANY,
    Compound,
    Exclusion,
    Form,
    Gender,
    LanguagePack,
    NamedRelation,
    NounClass,
    Number,
    Onset,
    Override,
    Relation,
    SynonymCandidate,
    TrueSynonym,
)
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.sources.packs.language import read_language

TESTS = Path(__file__).parents[1]
GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda", "omicron", "sigma")
"""Words no two of which are kin."""


@dataclass(frozen=True)
class FakeFrequencies:
    """A table of exactly the frequencies given."""

    values: Mapping[str, float] = field(default_factory=dict)
    name: str = "fake table 1"

    def frequency(self, word: str) -> float:
        return self.values.get(word, 0.0)


@dataclass(frozen=True)
class FakeCounts:
    """A counted corpus of exactly these counts of words and pairs, in *tokens* words."""

    words: Mapping[str, int]
    seen: Mapping[tuple[str, str], int] = field(default_factory=dict)
    tokens: int = 1_000_000
    lemmas: bool = True
    name: str = "fake corpus (lemmas)"

    def frequency(self, word: str) -> float:
        return self.words.get(word, 0) / self.tokens

    def count(self, *words: str) -> int:
        return self.words.get(words[0], 0) if len(words) == 1 else self.seen.get((words[0], words[1]), 0)

    def pairs(self) -> Iterator[tuple[str, str, int]]:
        yield from ((*pair, count) for pair, count in self.seen.items())


@dataclass(frozen=True)
class FakeLexicon:
    """A lexicon of exactly the candidates and words given."""

    offers: Mapping[tuple[str, str], Sequence[SynonymCandidate]] = field(default_factory=dict)
    nouns: Sequence[str] = ()
    adjectives: Sequence[str] = ()
    name: str = "fake lexicon 1"
    classes: Mapping[str, NounClass] = field(default_factory=dict)

    def semantic_class(self, noun: str) -> NounClass | None:
        return self.classes.get(noun)

    def candidates(self, lemma: str, pos: str) -> Sequence[SynonymCandidate]:
        return self.offers.get((lemma, pos), ())

    def words(self, pos: str) -> Sequence[str]:
        return {"noun": self.nouns, "adj": self.adjectives}[pos]


@dataclass(frozen=True)
class FakeMorphology:
    """Every word has a singular (itself) and a plural (with s) unless it is said to be unknown or of another gender."""

    genders: Mapping[str, Gender] = field(default_factory=dict)
    no_singular: frozenset[str] = frozenset()
    no_plural: frozenset[str] = frozenset()

    def inflect(
        self,
        lemma: str,
        pos: str,
        *,
        gender: Gender | None,
        number: Number,
        further: Collection[str] = (),  # noqa: ARG002
    ) -> str | None:
        if lemma in (self.no_singular if number == "sg" else self.no_plural):
            return None
        if pos == "noun" and gender not in (None, self.genders.get(lemma, gender)):
            return None
        agreeing = lemma[:-1] + "a" if pos == "adj" and gender == "f" else lemma
        return agreeing if number == "sg" else agreeing + "s"

    def gender(self, noun: str) -> Gender | None:
        return self.genders.get(noun)

    def readings(self, form: str) -> Sequence[Form]:
        raise AssertionError(f"selection asked for the readings of {form!r}")

    def onset(self, word: str) -> Onset:
        raise AssertionError(f"selection asked for the first sound of {word!r}")


def compound(
    text: str,
    modifier: str,
    head: str,
    pattern: str = "N_N",
    *,
    gender: Gender | None = None,
    index: int = 1,
    semantic_class: NounClass | None = None,
) -> Compound:
    """Return a compound of which only the words matter."""
    known: Any = {"pattern": pattern, "gender": gender, "number": "sg", "countability": "count"}
    known |= {"compound_class": "idiomatic", "semantic_class": semantic_class, "fitting_classes": None}
    return Compound(text, modifier, head, index, **known, sense_note="-", author="test", date="2026-01-01")


RAT_RACE = compound("rat race", "rat", "race")


def synonym(of: str, text: str, modifier: str | None, head: str, rank: int = 1) -> TrueSynonym:
    """Return a true synonym of the compound *of*."""
    return TrueSynonym(
        of, rank, text, modifier, head, "A_N" if modifier else "N", None, True, "synonym", "count", "neutral"
    )


def exclusion(modifier: str, head: str, of: str = ANY) -> Exclusion:
    """Return the exclusion of one pair."""
    return Exclusion(of, modifier, head, "an established compound", "test", "2026-01-01")


def override(
    of: str, part: Literal["head", "modifier"], rank: int, *, word: str | None = None, sense: str | None = None,
    reason: str = "a person's choice", relation: NamedRelation = "synonym",
) -> Override:  # fmt: skip
    """Return a decision about one component."""
    return Override(of, part, rank, word, relation if word else None, sense, reason, "test", "2026-01-01")


def offer(lemma: str, *, sense: int = 1, relation: Relation = "synonym", position: int = 1) -> SynonymCandidate:
    """Return a candidate of a lexicon."""
    return SynonymCandidate(lemma, "noun", f"synset-{sense}-{relation}", relation, sense, position)


def offers(lemmas: Iterable[str]) -> list[SynonymCandidate]:
    """Return candidates that are equal but for their places, best first."""
    return [offer(lemma, position=place) for place, lemma in enumerate(lemmas, 1)]


def make_pack(
    compounds: Iterable[Compound],
    *,
    synonyms: Iterable[TrueSynonym] = (),
    exclusions: Iterable[Exclusion] = (),
    overrides: Iterable[Override] = (),
    lang: str = "en",
) -> LanguagePack:
    """Return a pack with the language description of the mini world and these rows."""
    return LanguagePack(
        language=read_language(TESTS / "data" / "mini" / lang / "pack.toml"),
        compounds=tuple(compounds),
        synonyms=tuple(synonyms),
        contexts=(),
        forms=(),
        splits=(),
        waivers=(),
        exclusions=tuple(exclusions),
        marked={},
        numbers={},
        overrides=tuple(overrides),
    )


def rat_race(
    modifiers: Iterable[SynonymCandidate | str],
    heads: Iterable[SynonymCandidate | str],
    *,
    synonyms: Iterable[TrueSynonym] = (),
    exclusions: Iterable[Exclusion] = (),
    overrides: Iterable[Override] = (),
    morphology: FakeMorphology | None = None,
    near: Mapping[tuple[str, str], Sequence[SynonymCandidate]] | None = None,
) -> Resources:
    """Return the world of one compound, *rat race*, in which the lexicon offers these candidates and those *near*."""
    words = {("rat", "noun"): modifiers, ("race", "noun"): heads}
    found = {
        key: [
            word if isinstance(word, SynonymCandidate) else offer(word, position=place)
            for place, word in enumerate(row, 1)
        ]
        for key, row in words.items()
    }
    pack = make_pack([RAT_RACE], synonyms=synonyms, exclusions=exclusions, overrides=overrides)
    return Resources(pack, FakeLexicon({**found, **(near or {})}), morphology or FakeMorphology(), FakeFrequencies())


def counted_world(
    words: Mapping[str, int],
    seen: Mapping[tuple[str, str], int],
    *,
    compounds: Sequence[Compound] = (RAT_RACE,),
    synonyms: Iterable[TrueSynonym] = (),
    exclusions: Iterable[Exclusion] = (),
    offered: Mapping[tuple[str, str], Sequence[SynonymCandidate]] | None = None,
    morphology: FakeMorphology | None = None,
    tokens: int = 1_000_000,
    lemmas: bool = True,
    lang: str = "en",
) -> Resources:
    """Return a world in which a corpus of *tokens* words holds these counts of words and of pairs, and nothing else."""
    counts = FakeCounts(words, seen, tokens, lemmas)
    return Resources(
        make_pack(compounds, synonyms=synonyms, exclusions=exclusions, lang=lang),
        FakeLexicon(offered or {}),
        morphology or FakeMorphology(),
        counts,
        counts,
    )


def random_world(
    nouns: Mapping[str, float],
    *,
    compounds: Sequence[Compound] = (RAT_RACE,),
    adjectives: Mapping[str, float] | None = None,
    synonyms: Iterable[TrueSynonym] = (),
    exclusions: Iterable[Exclusion] = (),
    offered: Mapping[tuple[str, str], Sequence[SynonymCandidate]] | None = None,
    targets: Mapping[str, float] | None = None,
    morphology: FakeMorphology | None = None,
    lang: str = "en",
) -> Resources:
    """Return a world whose lexicon holds *nouns* and *adjectives* with these Zipf values; components default to 4."""
    components = {word: 4.0 for row in compounds for word in (row.modifier, row.head)} | dict(targets or {})
    zipfs = {**nouns, **(adjectives or {}), **components}
    return Resources(
        make_pack(compounds, synonyms=synonyms, exclusions=exclusions, lang=lang),
        FakeLexicon(offered or {}, sorted(nouns), sorted(adjectives or {})),
        morphology or FakeMorphology(),
        FakeFrequencies({word: 10 ** (value - 9) for word, value in zipfs.items()}),
    )
