"""The words of the grid, in the records and in the generated schemas."""

from __future__ import annotations

from ncimp.builder.records import (
    ATTESTED,
    CLASSES,
    COMPONENTS,
    CONTEXTS,
    LITERAL,
    NATURALISTIC,
    NEUTRAL,
    PROBES,
    RANDOMS,
    VARIANTS,
    WORDS_SYN,
)
from ncimp.schemas.records import load_schema


def test_schemas_have_the_words_of_the_grid() -> None:
    for table in ("item", "filled", "pair"):
        properties = load_schema(table)["properties"]
        assert tuple(properties["variant"]["enum"]) == VARIANTS
        outside = () if table == "pair" else (LITERAL, *ATTESTED)
        assert tuple(properties["context"]["enum"]) == CONTEXTS + outside
        assert tuple(properties["probe"]["enum"]) == tuple(dict.fromkeys(PROBES.values()))
        assert tuple(properties["compound_class"]["enum"]) == CLASSES
    assert tuple(load_schema("replacement")["properties"]["variant"]["enum"]) == VARIANTS


def test_grid_words_are_those_of_the_design() -> None:
    assert " ".join(VARIANTS) == "orig syn head mod ws1 ws2 ws3 ws4 ws5 rand1 rand2 rand3 rand4 rand5"
    assert (NATURALISTIC, NEUTRAL) == (("nat1", "nat2", "nat3"), ("neut_short", "neut_long"))
    assert (CONTEXTS, COMPONENTS) == (NATURALISTIC + NEUTRAL, ("head", "mod"))
    assert [PROBES[variant] for variant in (*COMPONENTS, *WORDS_SYN, *RANDOMS)] == (
        ["PComp"] * 2 + ["PWordsSyn"] * 5 + ["PRand"] * 5
    )
    assert (PROBES["orig"], PROBES["syn"], len(PROBES)) == ("orig", "PSyn", 14)
