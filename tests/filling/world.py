"""The words that the cases of agreement need beside the mini packs, and the way a case is run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncimp.builder.filling.repair import NEAR, Edit, Repairer, apply_edits
from ncimp.builder.grammar import Features
from ncimp.builder.records import Form, Gender, Language, MarkedSentence, Number
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.schemas.errors import Place

TESTS = Path(__file__).parents[1]
CASES = TESTS / "cases"
CELLS: tuple[tuple[Gender, Number], ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))

ADJECTIVES = """
abandonado abandonada abandonados abandonadas
aplaudido aplaudida aplaudidos aplaudidas
belo bela belos belas
bom boa bons boas
cercado cercada cercados cercadas
completo completa completos completas
construído construída construídos construídas
decisivo decisiva decisivos decisivas
feio feia feios feias
novo nova novos novas
perdido perdida perdidos perdidas
primeiro primeira primeiros primeiras
raro rara raros raras
rico rica ricos ricas
último última últimos últimas
único única únicos únicas
velho velha velhos velhas
vizinho vizinha vizinhos vizinhas
"""
"""Adjectives and participles by cell."""

INVARIABLE = [
    Form("azul", "azul", "adj", None, "sg", None),
    Form("grande", "grande", "adj", None, "sg", None),
    Form("grandes", "grande", "adj", None, "pl", None),
    Form("qualquer", "qualquer", "det", None, "sg", None),
    Form("três", "três", "num", None, "pl", None),
    Form("vinte", "vinte", "num", None, "pl", None),
    Form("mais", "mais", "det", None, None, None),
    Form("vizinha", "vizinha", "noun", "f", "sg", None),
    Form("dona", "dona", "noun", "f", "sg", None),
]


def _adjectives() -> Iterator[Form]:
    for line in ADJECTIVES.strip().splitlines():
        forms = line.split()
        yield from (Form(form, forms[0], "adj", *cell, None) for form, cell in zip(forms, CELLS, strict=True))


@dataclass(frozen=True)
class Case:
    """One linguist's case: what stands in the place of the NC, and what the sentence must become."""

    label: str
    comment: str
    sentence: str
    nc: Features
    surface: str
    gender: Gender | None
    expect: str


def read_cases(lang: str) -> list[Case]:
    """Return the cases of a language."""
    rows: list[dict[str, Any]] = json.loads((CASES / f"agreement_{lang}.json").read_text(encoding="utf-8"))
    return [
        Case(
            row["label"],
            row["comment"],
            row["sentence"],
            Features(row["nc"]["gender"], row["nc"]["number"]),
            row["replacement"]["surface"],
            row["replacement"]["gender"],
            row["expect"],
        )
        for row in rows
    ]


def known_failures(lang: str) -> dict[str, str]:
    """Return the reasons of the cases that fail as yet, by label."""
    rows: dict[str, str] = json.loads((CASES / "known-failures.json").read_text(encoding="utf-8"))[f"agreement_{lang}"]
    return rows


@dataclass(frozen=True)
class Grammar:
    """The rules of the real pack of a language, with the forms of the mini pack and of the cases."""

    language: Language
    morphology: PackMorphology

    @classmethod
    def of(cls, lang: str, forms: tuple[Form, ...]) -> Grammar:
        language = read_language(packs_folder() / lang / "pack.toml")
        more = [*_adjectives(), *INVARIABLE] if lang == "pt" else []
        known = {(form.form, form.lemma, form.pos) for form in forms}
        added = [form for form in more if (form.form, form.lemma, form.pos) not in known]
        return cls(language, PackMorphology([*forms, *added], language))

    def turn(self, sentence: MarkedSentence, surface: str, old: Features, new: Features) -> MarkedSentence:
        """Return *sentence* with *surface* in the place of the NC and everything that must follow done."""
        edits = [Edit(sentence.span, surface, "replacement")]
        edits += Repairer(self.language, self.morphology, NEAR).repair(sentence, surface, old, new).edits
        return apply_edits(sentence, edits)[0]

    def run(self, case: Case) -> MarkedSentence:
        """Return the sentence that the code makes of *case*."""
        marked = read_marked(case.sentence, Place("cases"))
        return self.turn(marked, case.surface, case.nc, Features(case.gender, case.nc.number))
