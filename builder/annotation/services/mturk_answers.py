"""Turn assignments of Mechanical Turk's API into rows of results.

The service keeps the answers of an assignment as XML:

<QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd">
  <Answer><QuestionIdentifier>comp_1</QuestionIdentifier><FreeText>4</FreeText></Answer>
</QuestionFormAnswers>
"""

from datetime import UTC, datetime

from ncimp.builder.annotation.answers.returned import MONTHS
from ncimp.builder.annotation.launch.batch import UNREADABLE, Cells
from ncimp.builder.annotation.launch.journal import UnansweredError
from ncimp.builder.annotation.services.mturk_client import entry
from ncimp.builder.annotation.task.cells import safe
from ncimp.schemas.files import Row

OF_HIT = (
    *("HITId", "HITTypeId", "Title", "Description", "Keywords", "MaxAssignments", "RequesterAnnotation"),
    *("AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds"),
)
"""Columns about a HIT that the service has in the same words."""

TIMES = ("AcceptTime", "SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime")

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""Names as results files have them, whatever the language of the machine."""

VALUES = ("FreeText", "SelectionIdentifier", "OtherSelectionText", "UploadedFileKey")
"""The elements that hold an answer."""


def collected_row(hit: Row, assignment: Row, cells: Cells) -> Cells:
    """Return the row of results of one *assignment* of *hit*, whose task has these *cells*."""
    accept, submit = assignment.get("AcceptTime"), assignment.get("SubmitTime")
    seconds = ""
    if isinstance(accept, datetime) and isinstance(submit, datetime):
        seconds = str(int((submit - accept).total_seconds()))
    return {
        **{name: str(hit.get(name) or "") for name in OF_HIT},
        "Reward": f"${hit.get('Reward') or ''}",
        "CreationTime": _time(hit.get("CreationTime")),
        "Expiration": _time(hit.get("Expiration")),
        "AssignmentId": str(entry(assignment, "AssignmentId", str)),
        "WorkerId": str(entry(assignment, "WorkerId", str)),
        "AssignmentStatus": str(assignment.get("AssignmentStatus") or ""),
        **{name: _time(assignment.get(name)) for name in TIMES},
        "RequesterFeedback": safe(str(assignment.get("RequesterFeedback") or "")),
        "WorkTimeInSeconds": seconds,
        **{f"Input.{name}": value for name, value in cells.items()},
        **_answers(assignment),
    }


def _answers(assignment: Row) -> dict[str, str]:
    """Return the answers as cells; answers that cannot be read stay as they came, so that nothing is lost."""
    xml = assignment.get("Answer")
    if not isinstance(xml, str):
        raise UnansweredError(f"assignment {assignment['AssignmentId']} came without answers")
    answers = read_answers(xml)
    if answers is None:
        return {UNREADABLE: safe(xml)}
    return {f"Answer.{name}": safe(value) for name, value in answers.items()}


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
    fields: dict[str, list[str]] = {}
    for answer in root:
        parts = [(_local(element.tag), element.text or "") for element in answer]
        if _local(answer.tag) == "Answer":
            name = next((text for tag, text in parts if tag == "QuestionIdentifier"), "")
            if not name:
                return None
            fields.setdefault(name.strip(), []).extend(text for tag, text in parts if tag in VALUES)
    return {name: "|".join(values) for name, values in fields.items()}  # `|` as in the service's own results


def _local(tag: object) -> str:
    """Return the name of an element without its namespace, whose date differs between versions."""
    return str(tag).rsplit("}", 1)[-1]


def _time(value: object) -> str:
    """Return a time as results files have it, `Fri Nov 20 16:13:53 UTC 2026`; nothing for None."""
    if not isinstance(value, datetime):
        return ""
    utc = value.astimezone(UTC)
    return f"{DAYS[utc.weekday()]} {MONTHS[utc.month - 1]} {utc:%d %H:%M:%S} UTC {utc.year}"
