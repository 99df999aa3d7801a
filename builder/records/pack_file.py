"""What `pack.toml` says of a language: its sections as their author writes them, and the rules of its inflection.

`PackFile` is the file; `Inflection` and the `Language` of `packs` are what the builder makes of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records.words import Gender, Number, PartOfSpeech
from ncimp.schemas.records import HeadIndex, Lang, Text, Version, matching

Words = tuple[Text, ...]
Entry = Annotated[str, matching("[^:]+: [^:]+")]
ParadigmKind = Literal[
    "article", "demonstrative", "possessive", "quantifier", "numeral", "contraction", "identity", "relative",
    "personal", "interrogative", "adj", "sound",
]  # fmt: skip
"""`adj`: an adjective whose form depends on the next sound (*beau, bel*); `sound`: a word in which nothing else shows
(*de, d'*)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The shape of a compound: its parts in order, and what stands between them."""

    id: Annotated[str, "Name, such as A_N."]
    parts: Annotated[tuple[PartOfSpeech, ...], Meta(min_length=1, max_length=2)]
    """Part of speech of each component, in order."""
    head: Annotated[HeadIndex, "Index of the head among the parts."]
    join: str
    """What stands between the parts: text, and between < and > a paradigm, whose form depends on the next part; empty
    where they are one word, which compounds.tsv cuts."""
    replacement: str
    """Id of the pattern its replacements follow; a hyphenated NC is replaced by an open one."""
    modifier: Literal["agrees", "number", "fixed"]
    """Whether the modifier agrees with the head, takes its number only, or keeps its citation form."""
    random_modifiers: tuple[str, ...] = ()
    """When not empty, the only modifiers of random compounds of this pattern."""


@dataclass(frozen=True, slots=True)
class SoundRule:
    """A pattern that decides on the first sound of a word."""

    match: Annotated[str, "Regular expression at the start of a word, as it stands or in small letters."]
    value: Annotated[str, "What it says of the first sound: a value of the feature."]


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature in which words agree, and where its value comes from."""

    source: Literal["head", "slot", "determiner", "next sound", "next part"]
    """`head`: the head noun; `slot`: the sentence, and a replacement keeps it; `determiner`: the word that governs
    those behind it; `next sound`: the next word; `next part`: whether that is an adjective (`adj`, `other`)."""
    values: Annotated[tuple[Text, ...], Meta(min_length=1), "Its values; no two features share one."]
    default: Annotated[str | None, "The value where nothing says which."] = None
    patterns: tuple[SoundRule, ...] = ()
    """Of `next sound`: tried in order on the next word, the first match decides."""
    transparent: Annotated[tuple[Text, ...], "Of `next sound`: marks that do not keep two words apart."] = ()

    @property
    def usual(self) -> str:
        """The value where nothing says which: the default, else the first."""
        return self.default or self.values[0]


@dataclass(frozen=True, slots=True)
class Content:
    """Words and names of a language that the checks of content need."""

    mean_words: Annotated[float, Meta(gt=0), "Aim for the mean length of the naturalistic contexts, in words."]
    hedges: Annotated[tuple[str, ...], "Words that, beside an NC, tell the reader that it is not meant as it stands."]
    profanity: tuple[str, ...]
    """Lemmas and forms that no sentence may hold; a final * stands for any ending."""
    names: Mapping[str, str]
    """Names of more than one word, and what each is: an invented person, a place, an institution, a time; no living
    person."""
    spaced: Annotated[frozenset[Text], "Marks that have a space before them, as French question marks."] = frozenset()
    ordinary: frozenset[str] | None = None
    """Nouns and numerals (lemmas) that may stand in any number of sentences; T813 needs the list."""
    light: frozenset[str] | None = None
    """Nouns, adjectives and verbs (lemmas) that say little of a meaning; T812 needs the list."""


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
    apposed: Annotated[frozenset[Text], "Nouns that stay in the singular behind the noun they describe."] = frozenset()
    hyphen_first: frozenset[Text] = frozenset()
    """First parts of hyphenated words that stay as they are: verbs, prefixes, clipped adjectives."""
    agentive: tuple[Text, ...] = ()
    """Suffixes of a first part that is the head although a particle follows it: passer-by."""


@dataclass(frozen=True, slots=True)
class Inflection:
    """The section `[inflection]` of a pack as `InflectionSection` describes it; an empty one knows nothing."""

    engines: tuple[str, ...] = ()
    default_gender: Gender | None = None
    uninflected: frozenset[str] = frozenset()
    invariable: Mapping[str, frozenset[str]] = field(default_factory=dict)
    plural: InflectionRules = InflectionRules()
    singular: InflectionRules = InflectionRules()
    feminine: InflectionRules = InflectionRules()
    masculine: InflectionRules = InflectionRules()
    gender: tuple[GenderRule, ...] = ()
    genders: Mapping[str, Gender] = field(default_factory=dict)
    parts: tuple[PartRule, ...] = ()
    part_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: PhraseRules = PhraseRules()


@dataclass(frozen=True, slots=True)
class PackSection:
    """Identity."""

    format: Annotated[Literal[1], "Version of this file format."]
    code: Annotated[Lang, "Folder name and language id of the items."]
    name: Annotated[str, "English name of the language."]
    bcp47: Annotated[str, "BCP-47 tag."]
    edition: Annotated[Literal["open", "paper", "own"], "Which edition the pack belongs to."]
    version: Annotated[Version, "Version of the pack's data."]
    licence: Annotated[str, "SPDX id."]
    author: Annotated[str, "Who wrote it."]
    lexicon: Annotated[str, "Id of the lexicon in lexicon.xml."]
    token: Annotated[str, "Regular expression whose matches are the tokens of a sentence."]
    components: Literal["as they stand", "citation"] = "as they stand"
    """The form in which a modifier that does not agree stands alone: that of the compound (*um gatos*), as in the
    published files, or its citation form."""


@dataclass(frozen=True, slots=True)
class FrameTexts:
    """A neutral frame by number or countability."""

    sg: Annotated[str, "For a singular NC."]
    pl: Annotated[str | None, "For a plural NC."] = None
    mass: Annotated[str | None, "For a mass noun."] = None


@dataclass(frozen=True, slots=True)
class FrameSection:
    """Neutral frames, marked up like contexts with the NC as [NC]."""

    neut_short: Annotated[FrameTexts, "The short neutral frame."]
    neut_long: Annotated[FrameTexts, "The long neutral frame."]


FourCells = tuple[str, str, str, str]
Cells = FourCells | dict[str, str]


@dataclass(frozen=True, slots=True)
class ParadigmEntry:
    """A closed-class word that agrees."""

    id: Annotated[str, "Name of the paradigm, used as the name of the repair rule; that of an adjective is its lemma."]
    kind: Annotated[ParadigmKind, "Its category."]
    cells: Cells
    """Its forms for m sg, f sg, m pl, f pl, `_` where there is none; or its forms by the values of any features, `/`
    between those that share a form (`m/n sg dat`): `|` between accepted forms, the first is written, and `+` at the end
    of one that has no space behind it."""
    stems: tuple[Text, ...] = ()
    """What `~` stands for in the id and the forms: one paradigm each. `i=in` gives `=` as well."""
    governs: Annotated[Mapping[str, str], "Values that it gives to the words behind it, by feature."] = field(
        default_factory=dict
    )


Ending = tuple[str, Literal["m", "f"], Number, Annotated[float, Meta(ge=0, le=1)]]


@dataclass(frozen=True, slots=True)
class AdjectivePlaces:
    """On which side of its noun an adjective (lemma) stands; one of neither list stands behind it."""

    before: Annotated[frozenset[Text], "Adjectives that stand before their noun."] = frozenset()
    both: Annotated[frozenset[Text], "Adjectives that may stand on either side."] = frozenset()


@dataclass(frozen=True, slots=True)
class AgreementSection:
    """Agreement of carrier words with the NC."""

    paradigms: Annotated[tuple[ParadigmEntry, ...], "Closed-class words that agree."]
    pronouns: tuple[ParadigmEntry, ...] = ()
    """Pronouns that agree with what they stand for and never stand beside a noun."""
    words: Mapping[str, tuple[str, ...]] | None = None
    """Words by the part they play around a noun phrase and in its clause; docs/how-to/new-language.md lists the parts.
    """
    verb_forms: tuple[tuple[str, str], ...] = ()
    """Irregular finite verbs of the third person: singular and plural of the same tense."""
    verb_endings: tuple[tuple[str, str], ...] = ()
    """Endings of regular finite verbs of the third person, tried in order: singular and plural."""
    endings: tuple[Ending, ...] = ()
    """Endings of nouns that no table knows, tried in order: ending, gender, number, and how sure that is (0 to 1)."""
    never: tuple[str, ...] = ()
    """Regular expressions over two neighbouring words in small letters that never stand side by side in the phrase
    around an NC (*de le*)."""
    adjectives: AdjectivePlaces | None = None
    """Where adjectives stand, in a language that has them on both sides of a noun; without it, nobody looks."""


@dataclass(frozen=True, slots=True)
class CorpusSection:
    """Tags of corpora of the language, for counting."""

    classes: Mapping[str, str]
    """By part of speech (noun, adj, prep): a regular expression that matches whole tags of any tag set in use."""


@dataclass(frozen=True, slots=True)
class InvariableSection:
    """Words that have one form."""

    noun: Annotated[Words, "Nouns with one form for singular and plural."]
    adj: Annotated[Words, "Adjectives with one form."]


@dataclass(frozen=True, slots=True)
class SuffixSection:
    """An inflection: rules, and the words that follow none."""

    rules: Annotated[tuple[SuffixRule, ...], "Tried in order; the first that fits decides."]
    words: tuple[Entry, ...]
    """`word: form` of words and phrases that follow no rule; `word: word` of a singular that looks like a plural."""


@dataclass(frozen=True, slots=True)
class GenderSection:
    """Gender of nouns (singular)."""

    rules: Annotated[tuple[GenderRule, ...], "Tried in order; the first that fits decides."]
    m: Annotated[Words, "Masculine nouns that no rule finds."]
    f: Annotated[Words, "Feminine nouns that no rule finds."]
    c: Annotated[Words, "Nouns of both genders that no rule finds."]


@dataclass(frozen=True, slots=True)
class PartSection:
    """Parts of speech of words (singular, masculine), the likeliest first."""

    rules: Annotated[tuple[PartRule, ...], "Tried in order; the first that fits decides."]
    noun: Annotated[Words, "Words that are nouns only."]
    adj: Annotated[Words, "Words that are adjectives only."]


@dataclass(frozen=True, slots=True)
class InflectionSection:
    """Inflection of words that no table lists."""

    engines: Annotated[tuple[Literal["suffix rules", "lemminflect", "inflect"], ...], Meta(min_length=1)]
    """Engines that are tried for a word, in order."""
    default_gender: Literal["m", "f", "n", "c", "_"]
    """Gender of an adjective whose noun has no known gender; `_` where words have none."""
    uninflected: Annotated[tuple[Literal["noun", "adj"], ...], "Parts of speech whose words have one form."]
    invariable: Annotated[InvariableSection, "Words that have one form."]
    plural: Annotated[SuffixSection, "Singular to plural."]
    singular: Annotated[SuffixSection, "Plural to singular; a result counts when its plural is the word asked for."]
    feminine: Annotated[SuffixSection, "Masculine singular to feminine singular."]
    masculine: SuffixSection
    """Feminine singular to masculine singular of an adjective; a result counts when its feminine is the word asked for.
    """
    gender: Annotated[GenderSection, "Gender of nouns (singular)."]
    parts: Annotated[PartSection, "Parts of speech of words (singular, masculine), the likeliest first."]
    phrases: Annotated[PhraseRules, "Closed classes by which the head of a phrase is found."]


@dataclass(frozen=True, slots=True)
class WithheldSection:
    """Licences that forbid to pass the text of a context on; without the section, none does."""

    licences: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Licences of contexts.tsv whose sentences are released stand-off; origins.tsv says where they stand."""


@dataclass(frozen=True, slots=True)
class PackFile:
    """The file `pack.toml` of a language pack."""

    pack: Annotated[PackSection, "Identity."]
    patterns: Annotated[tuple[Pattern, ...], Meta(min_length=1), "The shapes of NCs."]
    frames: Annotated[FrameSection, "Neutral frames, marked up like contexts with the NC as [NC]."]
    agreement: Annotated[AgreementSection, "Agreement of carrier words with the NC."]
    features: Annotated[Mapping[str, Feature], "Features in which words agree, by name."]
    content: Annotated[Content, "What the checks of the content of sentences must know of the language."]
    corpus: Annotated[CorpusSection | None, "What counting must know of tagged corpora of the language."] = None
    inflection: Annotated[InflectionSection | None, "Inflection of words that no table lists."] = None
    withheld: Annotated[WithheldSection | None, "Licences that forbid to pass the text of a context on."] = None
