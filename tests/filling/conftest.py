"""Fixtures of the filling tests."""

from __future__ import annotations

import pytest

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.config import BuildOptions
from ncimp.builder.filling.fill import Filler
from ncimp.builder.records import FilledItem
from ncimp.builder.selection.replacements import select
from tests.filling.world import Grammar


@pytest.fixture(scope="session")
def mini_items(mini_langs: dict[str, LanguageResources]) -> dict[str, list[FilledItem]]:
    """Every item of the mini world by language, in the order in which it is filled."""
    found = {}
    for lang, shop in mini_langs.items():
        replacements = select(shop.selection, BuildOptions())
        found[lang] = list(Filler(shop.pack, shop.morphology).fill(replacements))
    return found


@pytest.fixture(scope="session")
def grammars(mini_langs: dict[str, LanguageResources]) -> dict[str, Grammar]:
    """The rules of the real packs with the forms of the mini packs and of the cases."""
    return {lang: Grammar.of(lang, shop.pack.forms) for lang, shop in mini_langs.items()}
