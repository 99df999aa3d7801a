"""Inflection of a language, from `pack.toml`: rules by suffix, and words that follow none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records.words import Gender
from ncimp.schemas.tables import Text


@dataclass(frozen=True, slots=True)
class SuffixRule:
    """A word that ends in *suffix* gets one of *to* in its place."""

    suffix: Annotated[str, "End of the word; empty for every word."]
    to: Annotated[tuple[str, ...], Meta(min_length=1), "What stands in its place: several where only use decides."]
    when: Annotated[str, "Regular expression that what stands before the suffix must hold."] = ""
    pos: Annotated[
        tuple[Literal["noun", "adj"], ...], "Parts of speech that the rule is for (default: every one)."
    ] = ()


@dataclass(frozen=True, slots=True)
class InflectionRules:
    """One inflection: rules in the order they are tried, and the words and phrases that follow none."""

    rules: tuple[SuffixRule, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GenderRule:
    """A noun that ends in *suffix* is of *gender*."""

    suffix: Annotated[str, "End of the word; empty for every word."]
    gender: Annotated[Gender, "Gender; `c` for a noun of both."]
    when: Annotated[str, "Regular expression that what stands before the suffix must hold."] = ""


@dataclass(frozen=True, slots=True)
class PartRule:
    """A word that ends in *suffix* is of one of *parts* of speech."""

    suffix: Annotated[str, "End of the word; empty for every word."]
    parts: Annotated[tuple[str, ...], Meta(min_length=1), "Parts of speech, the likeliest first."]
    when: Annotated[str, "Regular expression that what stands before the suffix must hold."] = ""


@dataclass(frozen=True, slots=True)
class PhraseRules:
    """Closed classes by which the head of a phrase is found."""

    prepositions: frozenset[Text] = frozenset()
    """What follows one of these belongs to it: the head stands before."""
    unchanging: Annotated[frozenset[Text], "Adverbs and the like, which never inflect."] = frozenset()
    prenominal: Annotated[frozenset[Text], "Adjectives (lemmas) that go before their noun."] = frozenset()
    apposed: frozenset[Text] = frozenset()
    """Nouns that stay in the singular behind the noun they describe."""
    hyphen_first: frozenset[Text] = frozenset()
    """First parts of hyphenated words that stay as they are: verbs, prefixes, clipped adjectives."""
    agentive: tuple[Text, ...] = ()
    """Suffixes of a first part that is the head although a particle follows it: passer-by."""


@dataclass(frozen=True, slots=True)
class Inflection:
    """The section `[inflection]` of a pack; an empty one knows nothing."""

    engines: tuple[str, ...] = ()
    """Engines that are tried for a word, in order: `suffix rules`, or a library."""
    default_gender: Gender | None = None
    """Gender of an adjective whose noun has no known gender."""
    uninflected: frozenset[str] = frozenset()
    """Parts of speech whose words have one form."""
    invariable: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By part of speech, the words that have one form."""
    plural: InflectionRules = InflectionRules()
    singular: InflectionRules = InflectionRules()
    feminine: InflectionRules = InflectionRules()
    masculine: InflectionRules = InflectionRules()
    gender: tuple[GenderRule, ...] = ()
    genders: Mapping[str, Gender] = field(default_factory=dict)
    """Gender of the nouns that no rule fits."""
    parts: tuple[PartRule, ...] = ()
    part_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parts of speech of the words that no rule fits."""
    phrases: PhraseRules = PhraseRules()
