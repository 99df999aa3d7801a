"""The answers of one assignment: from the XML that Mechanical Turk keeps them in to values by the name of the field.

<QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd">
  <Answer><QuestionIdentifier>comp_1</QuestionIdentifier><FreeText>4</FreeText></Answer>
</QuestionFormAnswers>
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

IDENTIFIER = "QuestionIdentifier"
VALUES = ("FreeText", "SelectionIdentifier", "OtherSelectionText", "UploadedFileKey")
"""The elements that hold what was answered."""

JOIN = "|"
"""Between several answers to one question, as in the service's own results files."""


def read_answers(xml: str) -> dict[str, str] | None:
    """Return the answers in *xml* by field, None when it cannot be read; entities are never followed.

    >>> read_answers("<a><Answer><QuestionIdentifier>comp_1</QuestionIdentifier><FreeText>4</FreeText></Answer></a>")
    {'comp_1': '4'}
    """
    import defusedxml.ElementTree
    from defusedxml.common import DefusedXmlException

    try:
        root = defusedxml.ElementTree.fromstring(xml.encode("utf-8", "surrogatepass"))
    except (DefusedXmlException, SyntaxError, ValueError):  # ParseError is a SyntaxError
        return None
    found: dict[str, list[str]] = {}
    for answer in _children(root, "Answer"):
        name = next((element.text for element in _children(answer, IDENTIFIER)), None)
        if not name:
            return None
        found.setdefault(name.strip(), []).extend(
            element.text or "" for element in answer if _local(element.tag) in VALUES
        )
    return {name: JOIN.join(values) for name, values in found.items()}


def _children(element: Any, name: str) -> Iterator[Any]:
    return (child for child in element if _local(child.tag) == name)


def _local(tag: object) -> str:
    """Return the name of an element without its namespace, whose date differs between versions."""
    return str(tag).rsplit("}", 1)[-1]
