"""The language packs that come with the project: no incident of their own, and the brief of the open edition."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from ncimp.builder.records import CLASSES, NATURALISTIC, LanguagePack
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.builder.validation.scope import Lookup
from ncimp.builder.validation.validate import validate_pack
from tests.sources.sources_samples import NaiveLexicon

PER_CLASS, SYNONYMS, CHOSEN = 10, 6, 5
TYPOGRAPHIC = re.compile(r"[“”‘’–—…\"]")
"""Marks that the brief leaves out, so that every tokeniser splits the sentences alike."""

pytestmark = pytest.mark.parametrize("lang", ["en", "pt"])


@cache
def pack_of(lang: str) -> LanguagePack:
    return read_pack(packs_folder() / lang)


def test_pack_has_no_incident(lang: str) -> None:
    assert [row for row in validate_pack(pack_of(lang)) if not row.waived] == []


def test_classes_are_balanced(lang: str) -> None:
    classes = Counter(compound.compound_class for compound in pack_of(lang).compounds)
    assert set(classes) == set(CLASSES)
    assert min(classes.values()) >= max(PER_CLASS, 0.75 * max(classes.values()))


def test_every_compound_has_one_split(lang: str) -> None:
    pack = pack_of(lang)
    assert sorted(row.compound for row in pack.splits) == sorted(compound.text for compound in pack.compounds)


def test_every_compound_has_three_authored_sentences_and_both_numbers_where_it_has_two(lang: str) -> None:
    pack = pack_of(lang)
    numbers = {(row.compound, row.number) for row in pack.contexts}
    asked = {"count": ("sg", "pl"), "singular": ("sg",), "mass": ("sg",)}
    assert numbers == {(row.text, number) for row in pack.compounds for number in asked[row.countability]}
    sentences = {(row.compound, row.context) for row in pack.contexts}
    assert sentences >= {(row.text, context) for row in pack.compounds for context in NATURALISTIC}
    assert {row.source for row in pack.contexts} == {"authored"}


def test_sentences_have_no_typographic_marks(lang: str) -> None:
    assert [row.sentence for row in pack_of(lang).contexts if TYPOGRAPHIC.search(row.sentence)] == []


def test_each_component_has_enough_usable_synonyms(lang: str) -> None:
    """Single words, chosen or of the lexicon, that are in forms.tsv and in no true synonym; of chosen ones five do."""
    pack, lookup = pack_of(lang), Lookup(pack_of(lang))
    lexicon = NaiveLexicon((packs_folder() / lang / "lexicon.xml").read_text(encoding="utf-8"))
    for compound in pack.compounds:
        pattern = pack.language.patterns[compound.pattern]
        texts = [row.text for row in pack.synonyms if row.compound == compound.text]
        taken = set().union(*(lookup.lemmas_of_parts(word) for text in texts for word in text.split()))
        components = {"head": (compound.head, pattern.head), "modifier": (compound.modifier, 1 - pattern.head)}
        for part, (lemma, place) in components.items():
            pos = pattern.parts[place]
            key = compound.text, part
            chosen = {row.word for row in pack.overrides if row.word and (row.compound, row.part) == key}
            words = chosen | {word for word, *_ in lexicon.candidates(lemma, pos) if re.fullmatch(r"\w+", word)}
            usable = {
                word for word in words - taken - {compound.head, compound.modifier} if lookup.has_plural(word, pos)
            }
            assert len(usable) >= (CHOSEN if chosen else SYNONYMS), (lemma, sorted(words))
