"""The qualification: shaped as the service reads it, and passed only with consent."""

from __future__ import annotations

import dataclasses
import itertools
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from ncimp.builder.annotation.services.mturk_format import PASSED, qualification_test
from ncimp.builder.annotation.task.page import Wording
from tests.annotation.annotation_world import HOSTILE, LANGS, wording_of

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
FORM = f"{NAMESPACE}/2017-11-06/QuestionForm.xsd"
KEY = f"{NAMESPACE}/2005-10-01/AnswerKey.xsd"
QUESTION = ["QuestionIdentifier", "IsRequired", "QuestionContent", "AnswerSpecification"]
SELECTION = ["MinSelectionCount", "MaxSelectionCount", "StyleSuggestion", "Selections"]


def names(element: Element) -> list[str]:
    return [child.tag.rsplit("}", 1)[1] for child in element]


def value_of(wording: Wording, answers: dict[str, str]) -> int:
    """Return the value of the qualification, as the service works it out from the key."""
    key = fromstring(qualification_test(wording)[1])
    space = {"k": KEY}
    total = 0
    for question in key.findall("k:Question", space):
        for option in question.findall("k:AnswerOption", space):
            if answers.get(str(question.findtext("k:QuestionIdentifier", "", space))) == option.findtext(
                "k:SelectionIdentifier", "", space
            ):
                total += int(option.findtext("k:AnswerScore", "", space))
    mapping = key.find("k:QualificationValueMapping/k:RangeMapping", space)
    assert mapping is not None
    for given in mapping.findall("k:SummedScoreRange", space):
        low, high, value = (int(str(child.text)) for child in given)
        if low <= total <= high:
            return value
    return int(mapping.findtext("k:OutOfRangeQualificationValue", "", space))


@pytest.mark.parametrize("lang", LANGS)
def test_the_form_has_the_elements_of_the_format_in_order(lang: str) -> None:
    wording = wording_of(lang)
    form = fromstring(qualification_test(wording)[0])
    assert form.tag == f"{{{FORM}}}QuestionForm"
    asked = len(wording.qualification.questions)
    assert names(form) == ["Overview", "Question", "Overview", *["Question"] * asked]
    for question in form.findall("f:Question", {"f": FORM}):
        assert names(question) == QUESTION
        answer = question.find("f:AnswerSpecification/f:SelectionAnswer", {"f": FORM})
        assert answer is not None
        assert names(answer) == SELECTION


@pytest.mark.parametrize("lang", LANGS)
def test_form_and_key_name_the_same_questions_and_answers(lang: str) -> None:
    form, key = map(fromstring, qualification_test(wording_of(lang)))
    asked = {
        str(one.findtext("f:QuestionIdentifier", "", {"f": FORM})): [
            str(selection.text) for selection in one.iterfind(".//f:SelectionIdentifier", {"f": FORM})
        ]
        for one in form.findall("f:Question", {"f": FORM})
    }
    for one in key.findall("k:Question", {"k": KEY}):
        known = asked.pop(str(one.findtext("k:QuestionIdentifier", "", {"k": KEY})))
        scored = [str(selection.text) for selection in one.iterfind(".//k:SelectionIdentifier", {"k": KEY})]
        assert scored
        assert set(scored) < set(known)
    assert asked == {}


@pytest.mark.parametrize("lang", LANGS)
def test_who_consents_and_has_enough_right_answers_passes_and_nobody_else(lang: str) -> None:
    test = wording_of(lang).qualification
    options = [[f"a{n}" for n in range(1, len(one.options) + 1)] for one in test.questions]
    for consent in ("yes", "no"):
        for given in itertools.product(*options):
            answers = {"consent": consent} | {f"q{n}": answer for n, answer in enumerate(given, start=1)}
            right = sum(int(answer[1:]) in one.right for answer, one in zip(given, test.questions, strict=True))
            passes = consent == "yes" and right >= test.enough
            assert value_of(wording_of(lang), answers) == (PASSED if passes else 0)


def test_hostile_wording_stays_text() -> None:
    for value in HOSTILE:
        wording = wording_of("en")
        consent = dataclasses.replace(wording.consent, ask=value, text=("run by {contact}",))
        form = fromstring(qualification_test(dataclasses.replace(wording, consent=consent), value)[0])
        texts = [str(one.text) for one in form.iter(f"{{{FORM}}}Text")]
        assert {value, f"run by {value}"} <= set(texts)
