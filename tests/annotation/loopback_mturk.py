"""A server on this machine with the API of Mechanical Turk, as far as launching and collecting use it, and its faults.

JSON 1.1 (`X-Amz-Target`), errors with `TurkErrorCode`, request tokens, pages, money. It keeps what a requester would be
charged, so that a test can say what a crash has cost. Workers are played by `LoopbackTurk.work`.
"""

from __future__ import annotations

import json
import re
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from xml.sax.saxutils import escape

KEY, SECRET = "AKIALOOPBACKREQUESTER", "a-secret-that-must-never-be-shown"
NOW = 1_795_190_000.0
"""The server's own time, in seconds since 1970: 2026-11-20."""

ANSWERS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"


class RefusalError(Exception):
    """An answer that is an error of the requester."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Fault:
    """What goes wrong with calls of an operation: the first *times* after *skip* that go well."""

    operation: str
    kind: str
    """`throttle`, `500`, `echo`, `cut` (not done), `lost` (done, no answer), `slow`, `late` (done late),
    `garbage`, `strange` (done, answered so)."""
    times: int = 1_000_000
    skip: int = 0


@dataclass
class LoopbackTurk:
    """The state of the server; `url` is where it listens while `serving`."""

    balance: Decimal = Decimal("10000.00")
    page: int = 100
    """Most entries of a page, whatever the client asks for."""
    hit_types: dict[str, dict[str, Any]] = field(default_factory=dict)
    hits: dict[str, dict[str, Any]] = field(default_factory=dict)
    assignments: dict[str, dict[str, Any]] = field(default_factory=dict)
    qualifications: dict[str, dict[str, Any]] = field(default_factory=dict)
    granted: set[tuple[str, str]] = field(default_factory=set)
    bonuses: list[dict[str, Any]] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    knows_tokens: bool = True
    lists_hits: bool = True
    """Whether the list of HITs shows them yet."""
    endless: bool = False
    """Whether every page of a list names the same next one."""
    on_stop: Callable[[], None] = lambda: None
    """What the fault `stop` does before the connection is cut: kill the client, for example."""
    patience: float = 1.2
    """Seconds by which a slow answer is late."""
    url: str = ""
    lock: threading.RLock = field(default_factory=threading.RLock)
    busy: int = 0
    idle: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count a request while the block runs."""
        with self.idle:
            self.busy += 1
        try:
            yield
        finally:
            with self.idle:
                self.busy -= 1
                self.idle.notify_all()

    def settle(self) -> None:
        """Wait until everything that was asked is done, whether or not the client has waited for it."""
        with self.idle:
            assert self.idle.wait_for(lambda: self.busy == 0, timeout=10)

    def forget_tokens(self) -> None:
        """Let 24 hours pass."""
        self.settle()
        self.tokens.clear()

    def fault(self, operation: str) -> str:
        """Return the fault that happens now to *operation*, or nothing."""
        for fault in self.faults:
            if fault.operation == operation and fault.skip > 0:
                fault.skip -= 1
            elif fault.operation == operation and fault.times > 0:
                fault.times -= 1
                return fault.kind
        return ""

    def count(self, operation: str) -> int:
        """Return how often *operation* was asked."""
        return self.asked.count(operation)

    def promised(self) -> Decimal:
        """Return the rewards promised by all HITs there are, without fees."""
        return sum((Decimal(hit["Reward"]) * hit["MaxAssignments"] for hit in self.hits.values()), Decimal(0))

    def work(
        self, hit_id: str, worker: str, answers: dict[str, str], *, xml: str | None = None, seconds: int = 75
    ) -> str:
        """Accept *hit_id* as *worker* and hand *answers* in after *seconds*; return the id of the assignment."""
        with self.lock:
            hit = self.hits[hit_id]
            mine = [one for one in self.assignments.values() if one["HITId"] == hit_id]
            assert len(mine) < hit["MaxAssignments"], "no assignment is left"
            assert worker not in {one["WorkerId"] for one in mine}, "nobody does a HIT twice"
            for asked in self.hit_types[hit["HITTypeId"]].get("QualificationRequirements", ()):
                if asked["Comparator"] == "DoesNotExist":
                    assert (asked["QualificationTypeId"], worker) not in self.granted, "the worker does not qualify"
            identity = f"3ASSIGN{len(self.assignments):05}"
            number = len(self.assignments)
            self.assignments[identity] = {
                "AssignmentId": identity,
                "WorkerId": worker,
                "HITId": hit_id,
                "AssignmentStatus": "Submitted",
                "AcceptTime": NOW + 100 * number,
                "SubmitTime": NOW + 100 * number + seconds,
                "AutoApprovalTime": NOW + 700_000,
                "Answer": answers_xml(answers) if xml is None else xml,
            }
            return identity

    def described(self, hit_id: str) -> dict[str, Any]:
        """Return a HIT as the service describes it, with how many assignments it has."""
        hit = self.hits[hit_id]
        done = sum(one["HITId"] == hit_id for one in self.assignments.values())
        over = done == hit["MaxAssignments"] or hit["Expiration"] <= NOW
        return hit | {
            "HITStatus": "Reviewable" if over else "Assignable",
            "NumberOfAssignmentsAvailable": hit["MaxAssignments"] - done,
            "NumberOfAssignmentsPending": 0,
            "NumberOfAssignmentsCompleted": 0,
        }

    def answer(self, operation: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Do *operation* and return the answer, or raise `RefusalError`."""
        with self.lock:
            return OPERATIONS[operation](self, asked)


def answers_xml(answers: dict[str, str]) -> str:
    """Return *answers* as the service keeps them."""
    each = "".join(
        f"<Answer><QuestionIdentifier>{escape(name)}</QuestionIdentifier><FreeText>{escape(value)}</FreeText></Answer>"
        for name, value in answers.items()
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><QuestionFormAnswers xmlns="{ANSWERS}">{each}</QuestionFormAnswers>'


def _get_account_balance(turk: LoopbackTurk, _: dict[str, Any]) -> dict[str, Any]:
    return {"AvailableBalance": str(turk.balance), "OnHoldBalance": "0.00"}


def _create_hit_type(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    if not re.fullmatch(r"\d+\.\d\d", asked["Reward"]):
        raise RefusalError("AWS.MechanicalTurk.InvalidParameterValue", f"Reward {asked['Reward']}")
    same = [name for name, values in turk.hit_types.items() if values == asked]
    name = same[0] if same else f"3TYPE{len(turk.hit_types):05}"
    turk.hit_types[name] = asked
    return {"HITTypeId": name}


def _create_hit(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    values = turk.hit_types.get(asked["HITTypeId"])
    if values is None:
        raise RefusalError("AWS.MechanicalTurk.HITTypeDoesNotExist", asked["HITTypeId"])
    token = asked["UniqueRequestToken"]
    if turk.knows_tokens and token in turk.tokens:
        told = f"The HIT {turk.tokens[token]} exists already for this UniqueRequestToken. (1795190000 s)"
        raise RefusalError("AWS.MechanicalTurk.HITAlreadyExists", told)
    if len(asked["Question"].encode()) > 65_535:
        raise RefusalError("AWS.MechanicalTurk.InvalidParameterValue", "the question is too long")
    try:
        ET.fromstring(asked["Question"])  # noqa: S314 (made by our own code)
    except ET.ParseError as error:
        raise RefusalError("AWS.MechanicalTurk.XHTMLParseError", str(error)) from None
    cost = Decimal(values["Reward"]) * asked["MaxAssignments"]
    if cost > turk.balance:
        raise RefusalError("AWS.MechanicalTurk.InsufficientFunds", "not enough money")
    turk.balance -= cost
    name = f"3HIT{len(turk.hits):06}"
    turk.tokens[token] = name
    turk.hits[name] = {
        **{key: values[key] for key in ("Title", "Description", "Keywords", "Reward")},
        "HITId": name,
        "HITTypeId": asked["HITTypeId"],
        "CreationTime": NOW,
        "Expiration": NOW + asked["LifetimeInSeconds"],
        "MaxAssignments": asked["MaxAssignments"],
        "RequesterAnnotation": asked["RequesterAnnotation"],
        "AssignmentDurationInSeconds": values["AssignmentDurationInSeconds"],
        "AutoApprovalDelayInSeconds": values["AutoApprovalDelayInSeconds"],
        "Question": asked["Question"],
    }
    return {"HIT": turk.described(name)}


def _get_hit(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    if asked["HITId"] not in turk.hits:
        raise RefusalError("AWS.MechanicalTurk.HITDoesNotExist", asked["HITId"])
    return {"HIT": turk.described(asked["HITId"])}


def _paged(turk: LoopbackTurk, asked: dict[str, Any], name: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    size = min(turk.page, asked.get("MaxResults", 10))
    if turk.endless:
        return {name: [], "NumResults": 0, "NextToken": "again"}
    start = int(asked.get("NextToken", "0"))
    answer = {name: entries[start : start + size], "NumResults": len(entries[start : start + size])}
    return answer | ({"NextToken": str(start + size)} if start + size < len(entries) else {})


def _list_hits(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    return _paged(turk, asked, "HITs", [turk.described(name) for name in turk.hits] if turk.lists_hits else [])


def _list_assignments(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    if asked["HITId"] not in turk.hits:
        raise RefusalError("AWS.MechanicalTurk.HITDoesNotExist", asked["HITId"])
    states = asked.get("AssignmentStatuses") or ["Submitted", "Approved", "Rejected"]
    of_hit = [one for one in turk.assignments.values() if one["HITId"] == asked["HITId"]]
    return _paged(turk, asked, "Assignments", [one for one in of_hit if one["AssignmentStatus"] in states])


def _get_assignment(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    found = turk.assignments.get(asked["AssignmentId"])
    if found is None:
        raise RefusalError("AWS.MechanicalTurk.AssignmentDoesNotExist", asked["AssignmentId"])
    return {"Assignment": found, "HIT": turk.described(found["HITId"])}


def _approve(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    found = turk.assignments[asked["AssignmentId"]]
    if found["AssignmentStatus"] != "Submitted":
        told = f"This operation can be called with a status of: Submitted; it is {found['AssignmentStatus']}"
        raise RefusalError("AWS.MechanicalTurk.InvalidAssignmentState", told)
    found["AssignmentStatus"] = "Approved"
    found["ApprovalTime"] = NOW + 500_000
    return {}


def _send_bonus(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    if turk.assignments[asked["AssignmentId"]]["WorkerId"] != asked["WorkerId"]:
        raise RefusalError("AWS.MechanicalTurk.InvalidParameterValue", "another worker did that")
    token = asked["UniqueRequestToken"]
    if turk.knows_tokens and token in turk.tokens:
        raise RefusalError("AWS.MechanicalTurk.DuplicateRequest", "a bonus with this token was sent already")
    turk.tokens[token] = asked["AssignmentId"]
    turk.bonuses.append({key: asked[key] for key in ("WorkerId", "BonusAmount", "AssignmentId", "Reason")})
    turk.balance -= Decimal(asked["BonusAmount"])
    return {}


def _list_bonuses(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    mine = [one | {"GrantTime": NOW} for one in turk.bonuses if one["AssignmentId"] == asked["AssignmentId"]]
    return _paged(turk, asked, "BonusPayments", mine)


def _expire(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    _get_hit(turk, asked)  # one that is not there is refused
    turk.hits[asked["HITId"]]["Expiration"] = min(float(asked["ExpireAt"]), NOW - 1)
    return {}


def _create_qualification(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    if asked["Name"] in {one["Name"] for one in turk.qualifications.values()}:
        raise RefusalError("AWS.MechanicalTurk.QualificationTypeAlreadyExists", "you have one of this name")
    name = f"3QUAL{len(turk.qualifications):05}"
    turk.qualifications[name] = asked | {"QualificationTypeId": name, "CreationTime": NOW}
    return {"QualificationType": turk.qualifications[name]}


def _list_qualifications(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    found = [one for one in turk.qualifications.values() if asked["Query"] in one["Name"]]
    return _paged(turk, asked, "QualificationTypes", found)


def _associate(turk: LoopbackTurk, asked: dict[str, Any]) -> dict[str, Any]:
    turk.granted.add((asked["QualificationTypeId"], asked["WorkerId"]))
    return {}


OPERATIONS: dict[str, Callable[[LoopbackTurk, dict[str, Any]], dict[str, Any]]] = {
    "GetAccountBalance": _get_account_balance,
    "CreateHITType": _create_hit_type,
    "CreateHITWithHITType": _create_hit,
    "GetHIT": _get_hit,
    "ListHITs": _list_hits,
    "ListAssignmentsForHIT": _list_assignments,
    "GetAssignment": _get_assignment,
    "ApproveAssignment": _approve,
    "SendBonus": _send_bonus,
    "ListBonusPayments": _list_bonuses,
    "UpdateExpirationForHIT": _expire,
    "CreateQualificationType": _create_qualification,
    "ListQualificationTypes": _list_qualifications,
    "AssociateQualificationWithWorker": _associate,
}


class _Handler(BaseHTTPRequestHandler):
    turk: LoopbackTurk
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every answer waits 40 ms for an acknowledgement

    def do_POST(self) -> None:
        with self.turk.at_work():
            self._serve()

    def _serve(self) -> None:
        operation = self.headers["X-Amz-Target"].rsplit(".", 1)[1]
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.turk.lock:
            self.turk.asked.append(operation)
            kind = self.turk.fault(operation)
        if kind == "cut":
            return self._cut()
        if kind == "stop-before":
            self.turk.on_stop()
            return self._cut()
        if kind == "500":
            return self._send(500, {"__type": "ServiceFault", "Message": "broken", "TurkErrorCode": "AWS.ServiceError"})
        if kind == "echo":
            told = f"The Canonical String should have been {self.headers} and the key is {SECRET}"
            return self._send(403, {"__type": "InvalidSignatureException", "message": told})
        if kind == "throttle":
            return self._send(400, {"__type": "ThrottlingException", "message": "Rate exceeded"})
        if kind == "late":
            time.sleep(self.turk.patience)
        status, answer = self._answer(operation, asked)
        if kind == "stop-after":
            self.turk.on_stop()
        if kind in ("lost", "stop-after"):
            return self._cut()
        if kind == "slow":
            time.sleep(self.turk.patience)
        if kind == "garbage":
            return self._raw(200, b"<html>\x1b[31m not what you think \xff")
        if kind == "strange":
            return self._send(200, {"HIT": 7, "HITs": {}, "AvailableBalance": [1]})
        return self._send(status, answer)

    def _answer(self, operation: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        signed = self.headers.get("Authorization", "")
        if f"Credential={KEY}/" not in signed or "/us-east-1/mturk-requester/aws4_request" not in signed:
            told = f"The security token is invalid: {signed} {self.headers.get('X-Amz-Security-Token')}"
            return 400, {"__type": "UnrecognizedClientException", "message": told}
        try:
            return 200, self.turk.answer(operation, asked)
        except RefusalError as error:
            error_type = "com.amazonaws.mturk.requester#RequestError"
            return 400, {"__type": error_type, "Message": str(error), "TurkErrorCode": error.code}

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.close()

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        self._raw(status, json.dumps(answer).encode())

    def _raw(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        try:
            super().handle()
        except (OSError, ValueError):  # the client has left, or we have cut it off
            self.close_connection = True

    def finish(self) -> None:
        with suppress(OSError, ValueError):
            super().finish()


@contextmanager
def serving(turk: LoopbackTurk) -> Iterator[LoopbackTurk]:
    """Serve *turk* on a free port while the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"turk": turk}))
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    turk.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield turk
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
