"""Records of a language pack: its tables, and what `pack.toml` says of a language."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from msgspec import Meta

from ncimp.builder.records.composition import PackComposition
from ncimp.builder.records.language import Language
from ncimp.builder.records.published import Hole, Membership, PublishedItem, PublishedScore
from ncimp.builder.records.release import Item
from ncimp.builder.records.senses import MarkedExample, MarkedSentence, PackSense
from ncimp.builder.records.words import (
    ATTESTED,
    LITERAL,
    RANDOMS,
    WORDS_SYN,
    CompoundClass,
    Countability,
    Gender,
    Genre,
    NamedRelation,
    NounClass,
    Number,
    PartOfSpeech,
    Register,
    Sense,
    Split,
    SynonymRelation,
)
from ncimp.schemas.manifest import Source
from ncimp.schemas.records import (
    Count,
    Day,
    HeadIndex,
    IncidentCode,
    Ordinal,
    Sha256,
    SourceName,
    matching,
    one_of,
)
from ncimp.schemas.suites import ReleasedSense, SenseExample

ANY = "*"  # in exclusions.tsv: any compound, any word
NOUN_CLASS = f"(?:{'|'.join(get_args(NounClass))})"
SENSE = "sense"  # the family of the examples of senses
FAMILIES = ("orig", "syn", "ws", "rand", "head", "mod", "literal", SENSE)
OPEN_SEVERITY = 2  # from which on a fault has to be mended before a release
BLIND = "blind"  # what the name of a reading of a blind sample begins with


@dataclass(frozen=True, slots=True)
class Compound:
    """One noun compound of a language pack (`pack_compound`)."""

    text: Annotated[str, "The NC in its citation form, as it stands in a sentence."]
    modifier: Annotated[str, "Lemma of the component that modifies."]
    head: Annotated[str, "Lemma of the component that is the head."]
    head_index: HeadIndex
    """Position of the head among the two components of the text, from 0; never inferred from the language."""
    pattern: Annotated[str, "Id of the NC pattern in pack.toml, such as A_N."]
    gender: Annotated[Gender | None, "Grammatical gender of the whole NC; empty in a language without."]
    number: Annotated[Number, "Number of the citation form."]
    countability: Annotated[Countability, "A count or a mass noun, or one that takes a/an and has no natural plural."]
    compound_class: Annotated[CompoundClass, "What the components contribute literally: neither, one, or both."]
    semantic_class: Annotated[NounClass | None, "What the NC denotes; empty where nobody has said."]
    fitting_classes: Annotated[str, matching(f"{NOUN_CLASS}(?: {NOUN_CLASS})*")] | None
    """Classes, with spaces between them, whose nouns could make sense in one of the NC's sentences."""
    sense_note: Annotated[str, "One line saying what the NC means, in the language of the pack."]
    author: Annotated[str, "Who wrote the row."]
    date: Annotated[Day, "When the row was written or last changed."]
    parts: Annotated[str | None, "One word cut into its components: Schwarz|markt; empty for any other NC."] = None

    @property
    def near_classes(self) -> frozenset[str]:
        """The classes of the head of no random compound: its own, and those that fit into its sentences."""
        return frozenset(filter(None, (self.semantic_class, *(self.fitting_classes or "").split())))


@dataclass(frozen=True, slots=True)
class TrueSynonym:
    """One true synonym of a whole compound (`pack_synonym`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    rank: Annotated[Ordinal, "1 is the synonym that the variant `syn` uses."]
    text: Annotated[str, "The synonym in its citation form."]
    modifier: Annotated[str | None, "Lemma of its modifier; empty for one word."]
    head: Annotated[str, "Lemma of its head."]
    pattern: Annotated[str, "Id of its pattern in pack.toml; N for one word."]
    gender: Annotated[Gender | None, "Grammatical gender; empty in a language without."]
    overlap_free: Annotated[bool, "Whether it shares no lemma with the NC."]
    relation: Annotated[SynonymRelation, "Whether it means the same as the NC, or nearly."]
    countability: Annotated[Literal["count", "mass"], "Whether it counts as a count or a mass noun."]
    register: Annotated[Register, "The kind of language that it belongs to."]
    parts: Annotated[str | None, "One word cut into its components; empty for any other."] = None


@dataclass(frozen=True, slots=True)
class Context:
    """One marked-up sentence around a compound (`context`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    context: Annotated[str, matching("(nat[1-3]|literal)"), "Which of the contexts of the NC this is."]
    number: Annotated[Number, "Number of the NC in this sentence."]
    genre: Annotated[Genre, "The kind of text the sentence is written as."]
    sentence: str
    """The sentence, the NC in [square brackets]; {braces} mark further carrier words that agree with it, {=word} one
    that looks as if it did and does not."""
    source: Annotated[Literal["authored", "corpus"], "Where the sentence is from."]
    licence: Annotated[str, "SPDX id of the licence of the sentence."]
    slot: Annotated[str | None, "What else the sentence asks of the NC: values of features, such as dat."] = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Place in a corpus of a sentence that must not be passed on."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    context: Annotated[str, matching("(nat[1-3]|literal)"), "Which of the contexts of the NC this is."]
    document: Annotated[str, "Id of the document in its corpus."]
    start: Annotated[Count, "Characters of the document before the sentence."]
    text: str
    """The sentence as it stands there; it may differ from the context in spaces, case and punctuation."""


@dataclass(frozen=True, slots=True)
class Form:
    """One inflected form of one lemma (`form`)."""

    form: Annotated[str, "The word as it stands in a sentence, lower case."]
    lemma: Annotated[str, "Its dictionary form."]
    pos: Annotated[str, one_of(get_args(PartOfSpeech)), "Part of speech."]
    gender: Annotated[Gender | None, "Gender; empty where the form has none or serves all."]
    number: Annotated[Number | None, "Number; empty where the form has none or serves both."]
    onset: Annotated[str | None, "First sound, a value of the feature of the next sound; empty where its letters tell."]
    further: Annotated[str | None, "Values of further features that the form is for, such as dat/gen weak."] = None


@dataclass(frozen=True, slots=True)
class SplitAssignment:
    """The recorded split of a compound (`split`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    split: Annotated[Split, "Its split; `bridge` shares a lemma with two others."]


@dataclass(frozen=True, slots=True)
class Waiver:
    """An incident that a person has looked at and accepts (`waiver`)."""

    code: Annotated[IncidentCode, "Code of the incident."]
    place: Annotated[str, "Item id or other place of the incident, exactly as reported."]
    reason: Annotated[str, "Why it stands, in a sentence that a linguist would accept."]
    author: Annotated[str, "Who decided."]
    date: Annotated[Day, "When."]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A pair of words that must not stand in for a compound (`exclusion`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv that the pair must not stand for; * for every one."]
    modifier: Annotated[str, "Lemma of the modifier; * for any, which holds for random compounds only."]
    head: Annotated[str, "Lemma of the head; * for any, which holds for random compounds only."]
    reason: Annotated[str, "Why: an established compound, a clash, an unwanted reading."]
    author: Annotated[str, "Who decided."]
    date: Annotated[Day, "When."]


@dataclass(frozen=True, slots=True)
class Override:
    """A person's decision about the synonyms of one component: a word, or the sense."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    part: Annotated[Literal["head", "modifier"], "The component."]
    rank: Annotated[Ordinal, "Order of the words of a component, from 1."]
    word: Annotated[str | None, "Lemma of a word that comes before all that the lexicons offer; empty for a sense."]
    relation: Annotated[NamedRelation | None, "How the word stands to the component; empty for a sense."]
    sense: Annotated[str | None, "Synset whose words come first; empty for a word."]
    reason: Annotated[str, "Why."]
    author: Annotated[str, "Who decided."]
    date: Annotated[Day, "When."]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a carrier word for the sake of agreement that somebody has read in its sentences (`change`)."""

    form: Annotated[str, "The word as the sentence has it, in small letters."]
    changed: Annotated[str | None, "What it was changed to; empty where it went."]
    author: Annotated[str, "Who read it."]
    date: Annotated[Day, "When."]
    reason: Annotated[str, "Why it is right."]


@dataclass(frozen=True, slots=True)
class AcceptedRandom:
    """A random compound that readers found no fault with in the sentences of its compound (`accepted`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    modifier: Annotated[str, "Lemma of its modifier."]
    head: Annotated[str, "Lemma of its head."]
    author: Annotated[str, "Who read it."]
    date: Annotated[Day, "When."]


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """A word that may be a component of random compounds (`pool`); its forms are in forms.tsv."""

    lemma: Annotated[str, "The word."]
    pos: Annotated[Literal["noun", "adj"], "Part of speech."]
    gender: Annotated[Gender | None, "Gender of a noun; empty in a language without."]
    semantic_class: Annotated[NounClass | None, "What a noun denotes; empty for an adjective."]
    place: Annotated[Literal["head", "modifier", "both", "apposed"], "Where it may stand: `apposed` is behind a head."]


@dataclass(frozen=True, slots=True)
class CountedCorpus:
    """An openly licensed corpus in which the compounds of the pack were counted (`counted_corpus`)."""

    corpus: Annotated[SourceName, "Short name."]
    version: Annotated[str, "Version or part of the corpus."]
    licence: Annotated[str, "SPDX id, or the licence's name."]
    citation: Annotated[str, "How to cite it; what a sentence of it is attributed to."]
    address: Annotated[str, "Where it comes from."]
    sha256: Annotated[Sha256 | None, "Hash of its file; of several, of their hashes. Empty before the first count."]
    tokens: Annotated[Count, "Words counted."]
    pairs: Annotated[Count, "Pairs of adjacent words among them."]


@dataclass(frozen=True, slots=True)
class CompoundCount:
    """How often a compound and its words stand in a corpus, in any of their forms (`compound_count`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    corpus: Annotated[SourceName, "The corpus, as corpora.tsv names it."]
    count: Annotated[Count, "Occurrences, with a space, a hyphen or a preposition between the words."]
    pair_count: Annotated[Count, "Occurrences as two adjacent words."]
    first_pairs: Annotated[Count, "Pairs of adjacent words that begin with a form of the first component."]
    second_pairs: Annotated[Count, "Pairs of adjacent words that end with a form of the second component."]


@dataclass(frozen=True, slots=True)
class WordCount:
    """How often a word stands in a corpus as it is written, for a language that `wordfreq` lacks (`word_count`)."""

    word: Annotated[str, "The word, in small letters."]
    corpus: Annotated[SourceName, "The corpus, as corpora.tsv names it, with its size."]
    count: Annotated[Count, "Occurrences."]


@dataclass(frozen=True, slots=True)
class AttestedSentence:
    """One marked-up sentence of an open corpus around a compound, read and trimmed (`attested`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    number: Annotated[Number, "Number of the NC in this sentence."]
    sentence: Annotated[
        str, "The sentence, marked like those of contexts.tsv; ends and inserted names of speakers may be cut off."
    ]
    sense: Annotated[Sense, "That of the sense note, the literal one, or part of a name."]
    corpus: Annotated[SourceName, "The corpus, as corpora.tsv names it, with its licence."]
    document: Annotated[str, "Document of the corpus, and where it is known the sentence in it."]
    reader: Annotated[Literal["language model", "person"], "Who read it."]
    date: Annotated[Day, "When it was read."]


@dataclass(frozen=True, slots=True)
class ReaderVerdict:
    """What one reader said of one sentence, or of one family of a compound (`reading`)."""

    reading: Annotated[str, "Name of the reading; that of a blind sample begins with `blind`."]
    item: Annotated[str, "Id of the item or example, or of the compound whose family was judged as a whole."]
    family: Annotated[str, one_of(FAMILIES)]
    """Family of variants; `literal` for every item in a literal context, `sense` for an example of a sense."""
    reader: Annotated[Literal["language model", "person"], "Who read it."]
    verdict: Annotated[Literal["ok", "fault"], "Whether it is what it has to be."]
    severity: Annotated[int, Meta(ge=0, le=3)]
    """0 for ok, 1 for a blemish, 2 for what must be mended before a release, 3 for what breaks the purpose."""
    reason: Literal["CONTEXT", "GRAMMAR", "SYN", "WS", "RAND", "PROBE", "AGREEMENT", "SENSE"] | None
    """Kind of fault; empty for ok."""
    text: Annotated[str, matching("[0-9a-f]{12}")] | None
    """First 12 hex digits of the sha256 of what was read; empty only until `ncimp pack readings` fills it in."""
    note: Annotated[str | None, "What is wrong, in a few words."]
    date: Annotated[Day, "When it was read."]


def family_of(item: Item) -> str:
    """Return the family of variants that *item* belongs to."""
    if item.context == LITERAL:
        return LITERAL
    return "ws" if item.variant in WORDS_SYN else "rand" if item.variant in RANDOMS else item.variant


def texts_to_read(
    items: Iterable[Item], examples: Iterable[SenseExample] = (), senses: Iterable[ReleasedSense] = ()
) -> dict[tuple[str, str], str]:
    """Return the hash of each sentence, and of all sentences of a family of a compound, by (id, family).

    Of an example, it is that of its three sentences, and of the sense that they are said to have, with its paraphrase.
    """
    paraphrases: dict[tuple[str, str | None], str | None] = {(row.compound_id, row.sense): row.text for row in senses}
    sentences: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item in (item for item in items if item.context not in ATTESTED):
        for place in (item.id, item.compound_id):
            sentences[place, family_of(item)].append(item.sentence)
    for row in examples:
        for place in (row.id, row.compound_id):
            sense = f"{row.sense}\n{paraphrases.get((row.compound_id, row.sense)) or ''}"
            sentences[place, SENSE].append(f"{row.context}\n{sense}")
    joined = {key: "\n".join(sorted(texts)).encode() for key, texts in sentences.items()}
    return {key: hashlib.sha256(text).hexdigest()[:12] for key, text in joined.items()}


def settled(readings: Iterable[ReaderVerdict]) -> Mapping[tuple[str, str, str | None], ReaderVerdict]:
    """Return the verdict that decides on each (id, family, text): the last, so that a third reading settles two."""
    return {(row.item, row.family, row.text): row for row in readings}


@dataclass(frozen=True, slots=True)
class LanguagePack:
    """A language pack in memory: its tables checked, its sentences parsed."""

    language: Language
    compounds: tuple[Compound, ...]
    synonyms: tuple[TrueSynonym, ...]
    contexts: tuple[Context, ...]
    forms: tuple[Form, ...]
    splits: tuple[SplitAssignment, ...]
    waivers: tuple[Waiver, ...]
    exclusions: tuple[Exclusion, ...]
    marked: Mapping[tuple[str, str], MarkedSentence]
    """Parsed sentence by (compound, context), neutral frames included."""
    numbers: Annotated[Mapping[tuple[str, str], Number], "Number of the NC by (compound, context)."]
    overrides: tuple[Override, ...] = ()
    origins: Annotated[tuple[Origin, ...], "Where the sentences stand that are released without their text."] = ()
    changes: Annotated[tuple[Change, ...] | None, "Changes of carrier words that were read; None without a list."] = (
        None
    )
    readings: Annotated[tuple[ReaderVerdict, ...], "What readers said of its sentences."] = ()
    pool: Annotated[tuple[PoolEntry, ...], "Words of random compounds; without any, those of the lexicon."] = ()
    accepted: Annotated[tuple[AcceptedRandom, ...], "Random compounds that stay as long as they follow the rules."] = ()
    corpora: Annotated[tuple[CountedCorpus, ...], "Corpora that its compounds, or its words, were counted in."] = ()
    counts: Annotated[tuple[CompoundCount, ...], "Counts of its compounds in each of them."] = ()
    frequencies: Annotated[tuple[WordCount, ...], "Counts of its words; without any, `wordfreq` has them."] = ()
    attested: Mapping[tuple[str, str], AttestedSentence] = field(default_factory=dict)
    """Sentences of these corpora by (compound, context); they are `marked` like the others."""
    published: tuple[PublishedItem, ...] = ()
    """Published sentences: with any, they are the items of the pack, and nothing is selected or filled."""
    scores: Annotated[tuple[PublishedScore, ...], "Published scores and labels of its compounds."] = ()
    holes: Annotated[tuple[Hole, ...], "Cells of the grid that published data lack."] = ()
    memberships: Annotated[tuple[Membership, ...], "Other benchmarks that hold its compounds."] = ()
    sources: Annotated[tuple[Source, ...], "What some of its words were taken from, to be credited."] = ()
    senses: Annotated[tuple[PackSense, ...], "Senses of its compounds."] = ()
    examples: Annotated[tuple[MarkedExample, ...], "Sentences with its compounds in one of these."] = ()
    composition: Annotated[tuple[PackComposition, ...], "Questions about the words of its compounds."] = ()
    excluded: frozenset[tuple[str, str, str]] = field(init=False)
    """Compound, modifier and head of the rows of `exclusions`, which are asked for many times."""

    def __post_init__(self) -> None:
        rows = frozenset((row.compound, row.modifier, row.head) for row in self.exclusions)
        object.__setattr__(self, "excluded", rows)  # the way to set a derived field of a frozen record

    def excludes_pair(self, compound: str, modifier: str, head: str) -> bool:
        """Tell whether a person has ruled this very pair of lemmas out for *compound*."""
        return not self.excluded.isdisjoint({(compound, modifier, head), (ANY, modifier, head)})

    def excludes(self, compound: str, modifier: str, head: str) -> bool:
        """Tell whether a person has ruled this pair out as a random of *compound*, by itself or by one word."""
        pairs = ((modifier, head), (modifier, ANY), (ANY, head))
        return any(self.excludes_pair(compound, *pair) for pair in pairs)

    @property
    def counted(self) -> tuple[CountedCorpus, ...]:
        """The corpora that its compounds were counted in: those that do not give frequencies of words only."""
        lists = {row.corpus for row in self.frequencies}
        return tuple(row for row in self.corpora if row.corpus not in lists)

    def compound_id(self, text: str) -> str:
        """Return the id `lang/compound` of the compound *text*."""
        return f"{self.language.code}/{text.replace(' ', '-')}"
