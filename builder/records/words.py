"""Closed sets that several records share: the words of the grid (design, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from ncimp.schemas.columns import one_of

CompoundClass = Literal["idiomatic", "partly_compositional", "compositional"]
Gender = Literal["m", "f", "n", "c"]
Number = Literal["sg", "pl"]
Onset = Literal["vowel", "consonant"]
Relation = Literal["synonym", "similar", "hypernym", "hyponym", "sibling", "indirect", "chosen"]
"""How a word stands to a component: nearest first; `chosen` is a person's choice, `indirect` over other words."""
ContextSource = Literal["authored", "corpus", "frame"]
Genre = Literal["news", "fiction", "review", "talk", "manual", "forum", "letter", "essay"]
Split = Literal["train", "validation", "test", "bridge"]

CLASSES: tuple[CompoundClass, ...] = ("idiomatic", "partly_compositional", "compositional")
NATURALISTIC = ("nat1", "nat2", "nat3")
NEUTRAL = ("neut_short", "neut_long")
CONTEXTS = NATURALISTIC + NEUTRAL
LITERAL = "literal"
"""The context in which a compound stands in its literal sense: outside the grid, a table of its own."""
WORDS_SYN = tuple(f"ws{k}" for k in range(1, 6))
RANDOMS = tuple(f"rand{k}" for k in range(1, 6))
COMPONENTS = ("head", "mod")
VARIANTS = ("orig", "syn", *COMPONENTS, *WORDS_SYN, *RANDOMS)
"""The 14 variants of a context, in the order of the release."""

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
SentenceContext = Annotated[str, one_of((*CONTEXTS, LITERAL))]
Variant = Annotated[str, one_of(VARIANTS)]
Probe = Annotated[str, one_of(dict.fromkeys(PROBES.values()))]
