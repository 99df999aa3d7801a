"""Senses, examples and composition of the mini world, as writers would fill the three tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ncimp.schemas.files import write_tsv
from ncimp.schemas.records import columns

BY = ("ncimp authors (language model)", "2026-11-23")
Cells = tuple[str | None, ...]
SENSES: Mapping[str, Sequence[Cells]] = {
    "en": [
        ("rat race", "idiomatic", "idiomatic", "daily grind", "daily", "grind", "A_N", None, "a struggle"),
        ("rat race", "literal", "literal", "mouse contest", "mouse", "contest", "N_N", None, "rodents that run"),
        ("eager beaver", "idiomatic", "idiomatic", "hard worker", "hard", "worker", "A_N", None, "a keen person"),
        ("eager beaver", "literal", "literal", "keen rodent", "keen", "rodent", "A_N", None, "an impatient animal"),
        ("eager beaver", "name", "proper_noun", None, None, None, None, None, "a bar"),
        ("ghost town", "idiomatic", "idiomatic", "deserted settlement", "deserted", "settlement", "A_N", None, None),
        ("ghost town", "literal", "literal", "spirit village", None, None, None, None, "where ghosts live"),
    ],
    "pt": [
        ("maçã podre", "idiomatic", "idiomatic", "mau elemento", "mau", "elemento", "A_N", "m", None),
        ("maçã podre", "literal", "literal", "fruta podre", None, None, None, None, None),
    ],
}
OWN = {
    ("en", "rat race", "literal"): [
        "The children marked out a track of string and let the [rat race] begin after lunch.",
        "Nobody at the laboratory had ever timed a [rat race] with so many young animals.",
        "The winner of the [rat race] got a lump of cheese and a name of its own.",
    ],
    ("en", "eager beaver", "literal"): [
        "An [eager beaver] gnawed at the willow by the river until the trunk gave way.",
        "We watched the [eager beaver] drag its branch across the stream at dusk.",
        "Two [eager beavers] had dammed the brook before the ice was gone.",
    ],
    ("en", "eager beaver", "name"): ["We met at the [Eager Beaver] on the harbour and stayed until midnight."],
    ("en", "ghost town", "literal"): [
        "In her story a [ghost town] floats above the lake, and only the dead may enter.",
        "The [ghost town] of the film has a mayor who walks through walls.",
        "Every spirit in the [ghost town] pays its rent with a scream.",
    ],
    ("pt", "maçã podre", "literal"): [
        "Havia uma [maçã podre] no fundo do cesto, e ninguém a viu.",
        "O menino jogou a [maçã podre] no quintal do vizinho.",
        "A [maçã podre] cheirava mal depois de três dias na cozinha.",
    ],
}
LITERAL = {
    "en": {"eager beaver": "10", "rat race": "01", "ghost town": "01", "silent partner": "01", "public library": "11"},
    "pt": {"maçã podre": "00", "pé-frio": "10", "gol de placa": "10", "primeira-dama": "01", "casa de campo": "01"},
}
"""Whether modifier and head are meant literally."""
RELATIONS = {
    "en": {
        "application form": ["form that an application is made with", "form in the shape of an application"],
        "public library": ["library open to the public", "library that is about the public"],
        "ghost town": ["town that is empty but for ghosts", "town that was built by ghosts"],
        "rat race": ["race that people run like a rat", "race in which one follows a rat"],
    },
    "pt": {"casa de campo": ["casa que fica no campo", "casa feita para um campo"]},
}
"""A true and a false paraphrase."""
OF_CONTEXTS = [("en", "rat race"), ("en", "eager beaver"), ("en", "ghost town"), ("pt", "maçã podre")]


def write_senses(packs: Path) -> Path:
    """Add the tables to the packs of the mini world, and return the folder of these."""
    for lang in ("en", "pt"):
        write(packs / lang / "senses.tsv", "pack_sense", [(*row, *BY) for row in SENSES[lang]])
        terms = ("authored", "CC-BY-4.0", *BY)
        rows: list[Cells] = [
            (compound, "idiomatic", f"nat{number}", None, None, "It was late.", None, "Nobody spoke.", *terms)
            for code, compound in OF_CONTEXTS
            for number in (1, 2, 3)
            if code == lang
        ]
        for (code, compound, sense), sentences in OWN.items():
            for text in sentences if code == lang else ():
                number = "pl" if "s]" in text else "sg"
                rows.append((compound, sense, None, number, "fiction", None, text, "It rained.", *terms))
        write(packs / lang / "examples.tsv", "pack_example", rows)
        write(packs / lang / "composition.tsv", "pack_composition", [(*row, *BY) for row in composition(lang)])
    return packs


def composition(lang: str) -> Iterator[Cells]:
    for compound, labels in LITERAL[lang].items():
        for component, label in zip(("modifier", "head"), labels, strict=True):
            yield compound, "nc_literality", component, label
    for compound, paraphrases in RELATIONS[lang].items():
        for paraphrase, label in zip(paraphrases, "10", strict=True):
            yield compound, "nc_relations", paraphrase, label


def write(path: Path, table: str, rows: Sequence[Cells]) -> None:
    write_tsv(path, [dict(zip(columns(table), row, strict=True)) for row in rows], columns(table))
