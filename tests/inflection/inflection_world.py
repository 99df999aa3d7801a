"""The rules of a pack as the tests of inflection ask them: with the frequencies that come with the project."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ncimp.builder.grammar import PhraseForms
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.inflection import RuleMorphology
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import packs_folder

CASES = Path(__file__).parents[1] / "cases"


@dataclass(frozen=True)
class Cases:
    """Words with the forms they should have, out of `cases/inflection_<lang>.json`."""

    plural: dict[str, dict[str, str]]
    """By group: singular and plural."""
    feminine: dict[str, str] = field(default_factory=dict)
    gender: dict[str, list[str]] = field(default_factory=dict)

    @property
    def plurals(self) -> dict[str, str]:
        """Every singular with its plural."""
        return {single: plural for group in self.plural.values() for single, plural in group.items()}


def read_cases(lang: str) -> Cases:
    """The cases of *lang*."""
    return Cases(**json.loads((CASES / f"inflection_{lang}.json").read_text("utf-8")))


@dataclass(frozen=True)
class Rules:
    """The morphology of a pack without its forms, and the phrases that are inflected with it."""

    morphology: RuleMorphology
    phrases: PhraseForms

    def plural(self, text: str) -> str | None:
        """Return the plural of *text*."""
        return self.phrases.in_number(text, "pl")

    def singular(self, text: str) -> str | None:
        """Return the singular of *text*."""
        return self.phrases.in_number(text, "sg")


@cache
def rules(lang: str, *, frequencies: bool = True) -> Rules:
    """The rules of the project's own pack for *lang*."""
    return rules_of(packs_folder() / lang / "pack.toml", lang if frequencies else None)


def rules_of(path: Path, counted: str | None = None) -> Rules:
    """The rules of the pack.toml at *path*, with the frequencies of the language *counted*."""
    language = read_language(path)
    morphology = RuleMorphology(language, WordfreqTable(counted) if counted else None)
    return Rules(morphology, PhraseForms(language, morphology))
