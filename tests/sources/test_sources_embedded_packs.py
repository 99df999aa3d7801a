"""The language packs that come with the project, held to the brief their authors worked by."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from ncimp.builder.grammar.phrases import inflect_phrase
from ncimp.builder.records import CLASSES, NATURALISTIC, Compound, LanguagePack, Number, TrueSynonym
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from tests.sources.sources_samples import NaiveLexicon

LANGS = ("en", "pt")
NUMBERS: tuple[Number, Number] = ("sg", "pl")
WORD = re.compile(r"\w+(?:[-']\w+)*")
SMALLEST, PER_CLASS, SYNONYMS = 30, 10, 6
SHORTEST, LONGEST = 8, 30
"""Words of an authored sentence."""


@cache
def pack_of(lang: str) -> LanguagePack:
    return read_pack(packs_folder() / lang)


@cache
def morphology_of(lang: str) -> PackMorphology:
    return PackMorphology(pack_of(lang).forms, pack_of(lang).language)


@cache
def lexicon_of(lang: str) -> NaiveLexicon:
    return NaiveLexicon((packs_folder() / lang / "lexicon.xml").read_text(encoding="utf-8"))


def lemmas(word: str, lang: str) -> set[str]:
    """Return every lemma that *word* may be a form of, with the word as it stands."""
    return {word.lower(), *(form.lemma for form in morphology_of(lang).readings(word))}


def lemmas_of_text(text: str, lang: str) -> set[str]:
    """Return the lemmas of the words of *text*, and of the parts of hyphenated ones."""
    words = {*WORD.findall(text), *re.findall(r"\w+", text)}
    return set().union(*(lemmas(word, lang) for word in words))


def synonyms_of(compound: Compound, lang: str) -> list[TrueSynonym]:
    return [row for row in pack_of(lang).synonyms if row.compound == compound.text]


COMPOUNDS = [(lang, compound) for lang in LANGS for compound in pack_of(lang).compounds]
each_compound = pytest.mark.parametrize(
    ("lang", "compound"), COMPOUNDS, ids=[f"{lang}/{compound.text}" for lang, compound in COMPOUNDS]
)
each_lang = pytest.mark.parametrize("lang", LANGS)


@each_lang
def test_a_pack_has_enough_compounds_the_same_number_of_each_class(lang: str) -> None:
    classes = Counter(compound.compound_class for compound in pack_of(lang).compounds)
    assert sum(classes.values()) >= SMALLEST
    assert set(classes) == set(CLASSES)
    assert min(classes.values()) >= PER_CLASS
    assert min(classes.values()) >= 0.75 * max(classes.values())


@each_lang
def test_every_compound_has_one_split(lang: str) -> None:
    pack = pack_of(lang)
    assert sorted(row.compound for row in pack.splits) == sorted(compound.text for compound in pack.compounds)


@each_compound
def test_a_compound_is_its_components_put_together_by_its_pattern(lang: str, compound: Compound) -> None:
    pattern = pack_of(lang).language.patterns[compound.pattern]
    assert compound.head_index == pattern.head
    assert compound.text in built_forms(lang, compound, compound.number)
    assert morphology_of(lang).gender(compound.head) is not None or lang == "en"


def built_forms(lang: str, compound: Compound, number: Number) -> set[str]:
    """Return the forms a compound may have in *number*.

    A modifier that does not agree may stand in any form (conto de fadas, sequestros relâmpago); the
    head of an exocentric compound keeps a gender of its own (o caixa eletrônico, o longa-metragem).
    """
    pattern, morphology = pack_of(lang).language.patterns[compound.pattern], morphology_of(lang)
    forms = {row.form for row in pack_of(lang).forms if row.lemma == compound.modifier} | {compound.modifier}
    genders = {compound.gender, morphology.gender(compound.head)}
    built = set()
    for gender in genders:
        agreeing = morphology.inflect(compound.modifier, pattern.parts[1 - pattern.head], gender=gender, number=number)
        head = morphology.inflect(compound.head, "noun", gender=None, number=number)
        for modifier in {agreeing} if pattern.modifier == "agrees" else forms:
            parts = [modifier, head] if pattern.head else [head, modifier]
            built.add(pattern.join.join(map(str, parts)))
    return built


@each_compound
def test_a_compound_has_three_sentences_at_least_one_of_each_number(lang: str, compound: Compound) -> None:
    rows = [row for row in pack_of(lang).contexts if row.compound == compound.text]
    assert sorted(row.context for row in rows if row.context in NATURALISTIC) == list(NATURALISTIC)
    assert {row.number for row in rows} == {"sg", "pl"}
    assert {row.source for row in rows} == {"authored"}


@each_compound
def test_the_compound_stands_in_each_sentence_once_in_the_number_it_is_given(lang: str, compound: Compound) -> None:
    pack = pack_of(lang)
    for context in NATURALISTIC:
        marked = pack.marked[compound.text, context]
        form = marked.text[slice(*marked.span)]
        assert marked.text.lower().count(form.lower()) == 1, context
        built = built_forms(lang, compound, pack.numbers[compound.text, context])
        assert form.lower() in {text.lower() for text in built}, built


@each_compound
def test_a_sentence_is_one_sentence_of_ordinary_length(lang: str, compound: Compound) -> None:
    for context in NATURALISTIC:
        text = pack_of(lang).marked[compound.text, context].text
        assert SHORTEST <= len(text.split()) <= LONGEST, context
        assert text[0] == text[0].upper(), context
        assert text[-1] in ".!?", context
        assert not re.search(r"[“”‘’–—…\"]|\s\s|\s[,.;:!?]|[.!?]\s", text.replace("St. ", "")), context


@each_compound
def test_no_component_and_no_synonym_stands_outside_the_compound(lang: str, compound: Compound) -> None:
    texts = {row.text.lower() for row in synonyms_of(compound, lang)}
    for context in NATURALISTIC:
        marked = pack_of(lang).marked[compound.text, context]
        carrier = f"{marked.text[: marked.span[0]]} | {marked.text[marked.span[1] :]}"
        held = lemmas_of_text(carrier, lang) & {compound.modifier, compound.head, *texts}
        assert held == set(), context
        assert not any(text in carrier.lower() for text in texts if " " in text), context


@each_lang
def test_no_sentence_is_written_twice(lang: str) -> None:
    pack = pack_of(lang)
    carriers = [row.sentence.split("[")[0] + row.sentence.split("]")[1] for row in pack.contexts]
    assert len(set(carriers)) == len(carriers)


@each_compound
def test_synonyms_are_ranked_from_one_without_gap(lang: str, compound: Compound) -> None:
    ranks = [row.rank for row in synonyms_of(compound, lang)]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))
    assert len(ranks) >= 1


@each_compound
def test_a_synonym_is_free_of_overlap_when_it_says_so(lang: str, compound: Compound) -> None:
    own = {compound.modifier, compound.head}
    for row in synonyms_of(compound, lang):
        words = {*lemmas_of_text(row.text, lang), row.head, *([row.modifier] if row.modifier else [])}
        # a component at the edge of a longer word is heard too: nighthawk for night owl, golaço for gol de placa
        edges = [part for part in own if len(part) > 3]
        inside = any(word.startswith(part) or word.endswith(part) for word in words for part in edges)
        free = not words & own and not inside
        # an author may hear kinship that spelling hides (racquet, cruzadinha), never overlook one that it shows
        assert free or not row.overlap_free, row.text


@each_compound
def test_a_compound_has_a_synonym_without_overlap(lang: str, compound: Compound) -> None:
    assert any(row.overlap_free for row in synonyms_of(compound, lang))


@each_compound
def test_a_synonym_is_its_parts_put_together_in_both_numbers(lang: str, compound: Compound) -> None:
    for row in synonyms_of(compound, lang):
        for number in NUMBERS:
            built = inflect_phrase(
                pack_of(lang).language.patterns[row.pattern],
                modifier=row.modifier,
                head=row.head,
                gender=row.gender,
                number=number,
                morphology=morphology_of(lang),
            )
            assert built is not None, (row.text, number)
            assert (built == row.text) == (number == "sg"), (row.text, number)


@each_compound
def test_the_modifier_of_a_synonym_is_a_lemma_and_not_a_form(lang: str, compound: Compound) -> None:
    for row in synonyms_of(compound, lang):
        pattern = pack_of(lang).language.patterns[row.pattern]
        if row.modifier is not None and pattern.modifier != "fixed":
            pos = pattern.parts[1 - pattern.head]
            readings = [form for form in morphology_of(lang).readings(row.modifier) if form.pos == pos]
            assert {form.lemma for form in readings} == {row.modifier}, row.text


@each_compound
def test_each_component_has_enough_usable_synonyms(lang: str, compound: Compound) -> None:
    pattern = pack_of(lang).language.patterns[compound.pattern]
    taken = lemmas_of_text(" ".join(row.text for row in synonyms_of(compound, lang)), lang)
    for lemma, part in ((compound.head, pattern.head), (compound.modifier, 1 - pattern.head)):
        pos = pattern.parts[part]
        usable = {
            word
            for word, *_ in lexicon_of(lang).candidates(lemma, pos)
            if re.fullmatch(r"\w+", word) and word not in {compound.head, compound.modifier, *taken}
        }
        known = {word for word in usable if both_numbers(word, pos, lang)}
        assert len(known) >= SYNONYMS, (lemma, sorted(usable))


def both_numbers(word: str, pos: str, lang: str) -> bool:
    """Tell whether the pack knows *word* in both numbers."""
    forms = morphology_of(lang)
    return None not in (
        forms.inflect(word, pos, gender=None, number="sg"),
        forms.inflect(word, pos, gender=None, number="pl"),
    )
