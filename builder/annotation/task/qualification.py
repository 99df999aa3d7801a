"""A qualification as MTurk's formats have it: consent and a few questions (QuestionForm), and its AnswerKey.

Consent weighs more than all questions together, so nobody passes without it. Who passes has the value 100, everybody
else 0; a task then asks for at least 100.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from ncimp.builder.annotation.task.wording import Wording, fill_in

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
FORM = f"{NAMESPACE}/2017-11-06/QuestionForm.xsd"
KEY = f"{NAMESPACE}/2005-10-01/AnswerKey.xsd"

CONSENT, YES, NO = "consent", "yes", "no"
PASSED = 100
"""Value of the qualification of a person who has passed."""

Option = tuple[str, str]
"""Identifier and text of an answer."""


def question_form(wording: Wording, *, contact: str | None = None) -> str:
    """Return the test as QuestionForm XML."""
    consent, test = wording.consent, wording.qualification
    told = [fill_in(text, contact=contact or consent.contact) for text in consent.text]
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<QuestionForm xmlns="{FORM}">',
        _overview(consent.title, told),
        _question(CONSENT, consent.ask, ((YES, consent.yes), (NO, consent.no))),
        _overview(test.title, [test.intro]),
        *(
            _question(f"q{number}", question.text, _options(question.options))
            for number, question in enumerate(test.questions, start=1)
        ),
        "</QuestionForm>",
    ]
    return "\n".join(parts) + "\n"


def _options(texts: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple((f"a{number}", text) for number, text in enumerate(texts, start=1))


def _overview(title: str, texts: list[str]) -> str:
    told = "".join(f"<Text>{escape(text)}</Text>" for text in texts)
    return f"<Overview><Title>{escape(title)}</Title>{told}</Overview>"


def _question(name: str, text: str, options: tuple[Option, ...]) -> str:
    selections = "".join(
        f"<Selection><SelectionIdentifier>{key}</SelectionIdentifier><Text>{escape(said)}</Text></Selection>"
        for key, said in options
    )
    return (
        f"<Question><QuestionIdentifier>{name}</QuestionIdentifier><IsRequired>true</IsRequired>"
        f"<QuestionContent><Text>{escape(text)}</Text></QuestionContent><AnswerSpecification><SelectionAnswer>"
        f"<MinSelectionCount>1</MinSelectionCount><MaxSelectionCount>1</MaxSelectionCount>"
        f"<StyleSuggestion>radiobutton</StyleSuggestion><Selections>{selections}</Selections>"
        "</SelectionAnswer></AnswerSpecification></Question>"
    )


def answer_key(wording: Wording) -> str:
    """Return the AnswerKey XML that gives `PASSED` to who consents and has enough right answers."""
    test = wording.qualification
    weight = len(test.questions) + 1
    right = {f"q{n}": {f"a{place}" for place in question.right} for n, question in enumerate(test.questions, start=1)}
    scored = [_scored(CONSENT, {YES}, weight), *(_scored(name, answers, 1) for name, answers in right.items())]
    mapping = (
        "<QualificationValueMapping><RangeMapping><SummedScoreRange>"
        f"<InclusiveLowerBound>{weight + test.enough}</InclusiveLowerBound>"
        f"<InclusiveUpperBound>{weight + len(test.questions)}</InclusiveUpperBound>"
        f"<QualificationValue>{PASSED}</QualificationValue></SummedScoreRange>"
        "<OutOfRangeQualificationValue>0</OutOfRangeQualificationValue></RangeMapping></QualificationValueMapping>"
    )
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', f'<AnswerKey xmlns="{KEY}">', *scored, mapping, "</AnswerKey>", ""]
    )


def _scored(name: str, right: set[str], score: int) -> str:
    options = "".join(
        f"<AnswerOption><SelectionIdentifier>{answer}</SelectionIdentifier><AnswerScore>{score}</AnswerScore></AnswerOption>"
        for answer in sorted(right)
    )
    return f"<Question><QuestionIdentifier>{name}</QuestionIdentifier>{options}</Question>"
