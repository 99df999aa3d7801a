"""Closed sets that several records share: the words of the grid (design, section 2)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from ncimp.schemas.records import one_of

CompoundClass = Literal["idiomatic", "partly_compositional", "compositional"]
Gender = Literal["m", "f", "n", "c"]
Number = Literal["sg", "pl"]
Onset = str  # a value of the feature of the next sound
PartOfSpeech = Literal["noun", "adj", "num", "det", "verb", "adv", "other"]
Countability = Literal["count", "mass", "singular"]
NamedRelation = Literal["synonym", "similar", "hypernym", "hyponym", "sibling"]
"""Relation of a word to a component, nearest first, as a person or a lexicon names it."""
Relation = NamedRelation | Literal["indirect"]
"""The same, and `indirect` over other words."""
SynonymRelation = Literal["synonym", "near_synonym"]  # of a true synonym to the whole compound
Register = Literal["neutral", "formal", "informal", "technical", "literary"]
NounClass = Literal[
    "act", "animal", "artifact", "attribute", "body", "cognition", "communication", "event", "feeling", "food", "group",
    "location", "motive", "object", "person", "phenomenon", "plant", "possession", "process", "quantity", "relation",
    "shape", "state", "substance", "time",
]  # fmt: skip
"""What a noun denotes, by the lexicographer's files of WordNet."""
ContextSource = Literal["authored", "corpus", "frame"]
ItemOrigin = Literal["generated", "published", "mended", "regenerated"]
"""How a sentence came about: made by this program; taken over from published data; mended there; or made by this
program where published data have a hole."""
Genre = Literal["news", "fiction", "review", "talk", "manual", "forum", "letter", "essay"]
Sense = Literal["same", "literal", "name"]  # of a found compound: that of its sense note, its words', or a name
Split = Literal["train", "validation", "test", "bridge"]

CLASSES: tuple[CompoundClass, ...] = ("idiomatic", "partly_compositional", "compositional")
NATURALISTIC = ("nat1", "nat2", "nat3")
NEUTRAL = ("neut_short", "neut_long")
CONTEXTS = NATURALISTIC + NEUTRAL
LITERAL = "literal"  # the context, and the sense, in which a compound is meant literally: outside the grid
ATTESTED = ("attested1", "attested2", "attested3")  # found sentences of open corpora, in a table of their own
WORDS_SYN = tuple(f"ws{k}" for k in range(1, 6))
RANDOMS = tuple(f"rand{k}" for k in range(1, 6))
COMPONENTS = ("head", "mod")
VARIANTS = ("orig", "syn", *COMPONENTS, *WORDS_SYN, *RANDOMS)  # of a context, in the order of the release

PROBES: Mapping[str, str] = {
    "orig": "orig",
    "syn": "PSyn",
    **dict.fromkeys(COMPONENTS, "PComp"),
    **dict.fromkeys(WORDS_SYN, "PWordsSyn"),
    **dict.fromkeys(RANDOMS, "PRand"),
}
"""Probe of each variant (design, section 2)."""

LITERAL_VARIANTS = ("orig", "syn", "ws1")
"""The variants of a literal context: the synonym of the idiom should be far there, the components' synonyms near."""

GridContext = Annotated[str, one_of(CONTEXTS)]
SentenceContext = Annotated[str, one_of((*CONTEXTS, LITERAL, *ATTESTED))]
Variant = Annotated[str, one_of(VARIANTS)]
Probe = Annotated[str, one_of(dict.fromkeys(PROBES.values()))]
OTHER = "other"  # the Hub's name of every licence that it does not list; the card then has to name it

# upper bound (excluded) of a class; from the last on, compositional
BOUNDS: tuple[tuple[float, CompoundClass], ...] = ((1.5, "idiomatic"), (3.5, "partly_compositional"))


def class_of(score: float | None) -> CompoundClass | None:
    """Return the class of *score*, None without a score.

    >>> [class_of(score) for score in (1.49, 1.5, 3.49, 3.5)]
    ['idiomatic', 'partly_compositional', 'partly_compositional', 'compositional']
    """
    return None if score is None else next((name for bound, name in BOUNDS if score < bound), "compositional")


@cache
def hub_licences() -> frozenset[str]:
    """Return the ids of the licences that the Hub lists."""
    read = tomllib.loads((files("ncimp.builder.records") / "licences.toml").read_text(encoding="utf-8"))
    return frozenset(str(read["ids"]).split())


def hub_licence(name: str) -> str:
    """Return the Hub's name of the licence *name* (SPDX), which is that in small letters, or `other`.

    >>> hub_licence("CC-BY-4.0"), hub_licence("CC-BY-SA-2.0"), hub_licence("LicenseRef-brWaC")
    ('cc-by-4.0', 'other', 'other')
    """
    return name.lower() if name.lower() in hub_licences() else OTHER
