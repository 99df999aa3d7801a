"""What `pack.toml` says of the inflection of a language: rules by suffix, and words that go their own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ncimp.builder.records.words import Gender


@dataclass(frozen=True, slots=True)
class SuffixRule:
    """A word that ends in *suffix* gets one of *to* in its place; the frequent one where several are possible."""

    suffix: str
    to: tuple[str, ...]
    when: str = ""
    """Regular expression that what stands before the suffix must hold."""
    pos: tuple[str, ...] = ()
    """Parts of speech that the rule is for; every one when empty."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One inflection: rules in the order they are tried, and the words and phrases that follow none."""

    rules: tuple[SuffixRule, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GenderRule:
    """A noun that ends in *suffix* is of *gender* (`c`: of both, as a person may be)."""

    suffix: str
    gender: Gender
    when: str = ""


@dataclass(frozen=True, slots=True)
class PartRule:
    """A word that ends in *suffix* is of one of *parts* of speech, the likeliest first."""

    suffix: str
    parts: tuple[str, ...]
    when: str = ""


@dataclass(frozen=True, slots=True)
class PhraseRules:
    """Closed classes by which the head of a phrase is found, and the words beside it that stay as they are."""

    prepositions: frozenset[str] = frozenset()
    """What follows one of these belongs to it, so the head stands before."""
    unchanging: frozenset[str] = frozenset()
    """Adverbs and the like: they never inflect."""
    prenominal: frozenset[str] = frozenset()
    """Adjectives (lemmas) that go before their noun."""
    apposed: frozenset[str] = frozenset()
    """Nouns that stay in the singular behind the noun they describe."""
    hyphen_first: frozenset[str] = frozenset()
    """First parts of hyphenated words that stay as they are: verbs, prefixes, clipped adjectives."""
    agentive: tuple[str, ...] = ()
    """Suffixes of the first part before a particle that is the head all the same: *passer-by*."""


@dataclass(frozen=True, slots=True)
class Inflection:
    """The section `[inflection]` of a pack; an empty one knows nothing."""

    engines: tuple[str, ...] = ()
    """What is asked for a word, in order: `suffix rules`, or a library."""
    default_gender: Gender | None = None
    """What an adjective agrees with when the gender of its noun is not known."""
    uninflected: frozenset[str] = frozenset()
    """Parts of speech whose words have one form."""
    invariable: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By part of speech, the words that have one form."""
    plural: Rules = Rules()
    singular: Rules = Rules()
    feminine: Rules = Rules()
    masculine: Rules = Rules()
    gender: tuple[GenderRule, ...] = ()
    genders: Mapping[str, Gender] = field(default_factory=dict)
    """Gender of the nouns that no rule fits."""
    parts: tuple[PartRule, ...] = ()
    part_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parts of speech of the words that no rule fits."""
    phrases: PhraseRules = PhraseRules()
