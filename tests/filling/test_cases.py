"""The linguists' cases: what each sentence must become when another phrase takes the place of the NC."""

from __future__ import annotations

import json

import pytest

from ncimp.builder.filling.repair import NEAR, Repairer
from ncimp.builder.grammar import Features
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.schemas.errors import AgreementError, Place
from tests.filling.world import CASES, Case, Grammar, known_failures, read_cases

ALL = [(lang, case) for lang in ("pt", "en") for case in read_cases(lang)]
KNOWN = {lang: known_failures(lang) for lang in ("pt", "en")}
GOOD = [(lang, case) for lang, case in ALL if case.label not in KNOWN[lang]]
Grammars = dict[str, Grammar]
ONE_WAY = {"right-word-of-another-gender"}
"""Cases with a word that by chance agrees with the replacement, so that on the way back it must follow."""


def name(value: object) -> str:
    return value.label if isinstance(value, Case) else str(value)


@pytest.mark.parametrize(("lang", "case"), GOOD, ids=name)
def test_agreement_case(lang: str, case: Case, grammars: Grammars) -> None:
    made = grammars[lang].run(case)
    assert made.text == case.expect, case.comment
    assert made.text[slice(*made.span)] == case.surface


@pytest.mark.parametrize(("lang", "case"), [pair for pair in ALL if pair not in GOOD], ids=name)
def test_known_failure_still_fails(lang: str, case: Case, grammars: Grammars) -> None:
    try:
        made = grammars[lang].run(case).text
    except AgreementError:
        return
    assert made != case.expect, "it passes now: take it off known-failures.json"


@pytest.mark.parametrize("lang", ["pt", "en"])
def test_known_failures_are_cases_with_reasons(lang: str) -> None:
    labels = [case.label for case in read_cases(lang)]
    assert len(labels) == len(set(labels))
    assert set(KNOWN[lang]) <= set(labels)
    assert all(reason.strip() for reason in KNOWN[lang].values())


def test_known_failure_sets_are_all_read() -> None:
    held = json.loads((CASES / "known-failures.json").read_text(encoding="utf-8"))
    assert list(held) == ["agreement_pt", "agreement_en", "kin"]


@pytest.mark.parametrize(("lang", "least"), [("pt", 40), ("en", 20)])
def test_enough_cases_pass(lang: str, least: int) -> None:
    assert len([case for found, case in GOOD if found == lang]) >= least


@pytest.mark.parametrize(
    ("lang", "case"), [pair for pair in GOOD if pair[0] == "pt" and pair[1].label not in ONE_WAY], ids=name
)
def test_other_gender_and_back_restores_sentence(lang: str, case: Case, grammars: Grammars) -> None:
    marked = read_marked(case.sentence, Place("cases"))
    other = Features("m" if case.nc.gender == "f" else "f", case.nc.number)
    turned = grammars[lang].turn(marked, case.surface, case.nc, other)
    nc = marked.text[slice(*marked.span)]
    assert grammars[lang].turn(turned, nc, other, case.nc) == marked


@pytest.mark.parametrize(("lang", "case"), GOOD, ids=name)
def test_same_phrase_changes_nothing(lang: str, case: Case, grammars: Grammars) -> None:
    """English starts from the sentence that the case expects, whose article is right."""
    marked = read_marked(case.sentence, Place("cases"))
    start = grammars[lang].run(case) if lang == "en" else marked
    nc = start.text[slice(*start.span)]
    assert grammars[lang].turn(start, nc, case.nc, case.nc) == start


def test_every_portuguese_paradigm_agrees_both_ways(grammars: Grammars) -> None:
    """A closed-class word directly left of the NC, in each of its forms, takes the other gender and back."""
    portuguese = grammars["pt"].language
    assert len(portuguese.paradigms) >= 40
    for paradigm in portuguese.paradigms:
        for gender, number in (one for cell in paradigm.cells for one in portuguese.cells(cell)):
            own, other = Features(gender, number), Features("m" if gender == "f" else "f", number)
            marked = read_marked(f"Vi {paradigm.form(own.values)} [coisa] lá.", Place("cells"))
            made = grammars["pt"].turn(marked, "troço", own, other).text
            assert made == f"Vi {paradigm.form(other.values)} troço lá.", paradigm.id


@pytest.mark.parametrize(
    ("sentence", "surface", "after"),
    [
        ("An [owl].", "egg", []),
        ("An [owl].", "hen", [((0, 2), "A")]),
        ("He saw a [hen].", "owl", [((7, 8), "an")]),
        ("The [hen].", "owl", []),
    ],
)
def test_onset_repair_edits_only_wrong_article(
    sentence: str, surface: str, after: list[tuple[tuple[int, int], str]], grammars: Grammars
) -> None:
    english = grammars["en"]
    marked = read_marked(sentence, Place("test"))
    repairer = Repairer(english.language, english.morphology, NEAR)
    repair = repairer.repair(marked, surface, Features(None, "sg"), None)
    assert [(edit.span, edit.after) for edit in repair.edits] == after
