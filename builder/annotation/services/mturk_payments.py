"""What is paid after the work: approvals and bonuses, recorded around the call, looked up before it is repeated.

Nothing here rejects an assignment. Work that a check holds for bad is left out of the scores, not unpaid: a worker who
is rejected loses the right to work, and a check can be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.launch.batch import read_csv
from ncimp.builder.annotation.launch.errors import LaunchError, RefusedError
from ncimp.builder.annotation.launch.journal import Manifest, Once
from ncimp.builder.annotation.services.mturk_client import Turk, part, patiently
from ncimp.builder.annotation.services.mturk_collect import assignments_of
from ncimp.builder.annotation.services.mturk_money import cost_of_bonus, money, rounded_up
from ncimp.schemas.errors import Place, SchemaError, UsageError
from ncimp.schemas.files import read_text
from ncimp.schemas.hashing import keyed_hash

BONUS_COLUMNS = ("assignment_id", "amount", "reason")

IDENTITY = re.compile(r"[A-Z0-9]{1,64}", re.ASCII)
"""How the service writes the id of an assignment."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """An assignment that waits for approval."""

    id: str
    task_id: str


@dataclass(frozen=True, slots=True)
class Bonus:
    """One bonus: for which assignment, how much, and the words the worker reads."""

    assignment_id: str
    amount: Decimal
    reason: str

    def key(self, batch: str) -> str:
        """Return the request token: the same assignment and reason are one bonus, whatever its amount."""
        return keyed_hash("bonus", batch, self.assignment_id, self.reason)


def submitted(turk: Turk, manifest: Manifest) -> list[Submitted]:
    """Return the assignments of a launch that wait for approval."""
    return [
        Submitted(str(part(assignment, "AssignmentId", str)), str(hit.facts["task_id"]))
        for hit, assignment in assignments_of(turk, manifest)
        if assignment.get("AssignmentStatus") == "Submitted"
    ]


def choose(waiting: Sequence[Submitted], *, only: set[str] | None, hold_back: set[str]) -> list[Submitted]:
    """Return those of *waiting* that are named in *only* (all without it) and not in *hold_back*."""
    return [one for one in waiting if (only is None or one.id in only) and one.id not in hold_back]


def read_ids(path: Path) -> set[str]:
    """Return the assignment ids in *path*, one a line."""
    ids: set[str] = set()
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip() and not IDENTITY.fullmatch(line.strip()):
            what = f"{line.strip()!r} is not the id of an assignment"
            raise SchemaError(what, fix="write one id a line", place=Place(str(path), number))
        ids.add(line.strip())
    return ids - {""}


def approve(turk: Turk, manifest: Manifest, chosen: Sequence[Submitted]) -> int:
    """Approve the assignments; return how many were approved now, or turn out to have been when nobody answered."""
    before = len(manifest.all_done("approve"))
    # those that were done and not answered wait no longer, so that they are not among the chosen
    unknown = [Submitted(one.key, str(one.facts["task_id"])) for one in manifest.unanswered() if one.call == "approve"]
    for one in unknown:
        manifest.settle(_approval(turk, one))
    for one in chosen:
        manifest.once(_approval(turk, one))
    return len(manifest.all_done("approve")) - before


def _approval(turk: Turk, one: Submitted) -> Once:
    def find() -> str | None:
        return one.id if _assignment(turk, one.id).get("AssignmentStatus") == "Approved" else None

    def make() -> str:
        try:
            turk.ask("approve_assignment", AssignmentId=one.id)
        except RefusedError:
            if find() is None:  # else an attempt that was not answered has done it
                raise
        return one.id

    return Once("approve", one.id, make, find, facts={"task_id": one.task_id})


def _assignment(turk: Turk, identity: str) -> dict[str, Any]:
    found: dict[str, Any] = part(turk.ask("get_assignment", AssignmentId=identity), "Assignment", dict)
    return found


def read_bonuses(path: Path) -> list[Bonus]:
    """Return the bonuses in the CSV file at *path* (`assignment_id,amount,reason`); two for one reason are an error."""
    columns, rows = read_csv(path)
    if columns != BONUS_COLUMNS:
        fix = f"it should be {','.join(BONUS_COLUMNS)}"
        raise SchemaError("wrong header line", fix=fix, place=Place(str(path), 1))
    seen: dict[tuple[str, str], int] = {}
    bonuses = []
    for number, row in rows:
        bonus = _bonus(row, Place(str(path), number))
        first = seen.setdefault((bonus.assignment_id, bonus.reason), number)
        if first != number:
            what = f"the same assignment and reason as line {first}"
            raise SchemaError(what, fix="pay it once, or give another reason", place=Place(str(path), number))
        bonuses.append(bonus)
    return bonuses


def _bonus(row: dict[str, str], place: Place) -> Bonus:
    identity, reason = row["assignment_id"].strip(), " ".join(row["reason"].split())
    if not IDENTITY.fullmatch(identity):
        raise SchemaError(f"{identity!r} is not the id of an assignment", fix="see collected.csv", place=place)
    if not reason:
        raise SchemaError("there is no reason", fix="the worker reads it: write one", place=place)
    try:
        amount = money(row["amount"], name="the amount")
    except UsageError as error:
        raise SchemaError(error.what, fix=error.fix, place=place) from None
    if amount == 0:
        raise SchemaError("the amount is 0", fix="leave the row out", place=place)
    return Bonus(identity, amount, reason)


def unpaid(manifest: Manifest, batch: str, bonuses: Sequence[Bonus]) -> list[Bonus]:
    """Return those of *bonuses* that the manifest does not have as paid; one paid at another amount is an error."""
    left = []
    for bonus in bonuses:
        done = manifest.done("bonus", bonus.key(batch))
        if done is None:
            left.append(bonus)
        else:
            _check_amount(bonus, Decimal(str(done.facts["amount"])))
    return left


def _check_amount(bonus: Bonus, paid: Decimal) -> None:
    if paid != bonus.amount:
        what = f"{bonus.assignment_id} was paid {paid} US dollars for this reason, and {bonus.amount} are asked"
        raise LaunchError(what, fix="give another reason to pay more")


def cost_of(bonuses: Sequence[Bonus]) -> Decimal:
    """Return the US dollars that *bonuses* cost with their fees."""
    return rounded_up(sum((cost_of_bonus(bonus.amount) for bonus in bonuses), Decimal(0)))


def pay(turk: Turk, manifest: Manifest, batch: str, bonuses: Sequence[Bonus]) -> int:
    """Pay *bonuses*, after looking that each is for work of this launch; return how many were paid or found paid."""
    ours = {hit.id for hit in manifest.all_done("hit")}
    workers = {}
    for bonus in bonuses:  # all are looked at before the first is paid
        assignment = _assignment(turk, bonus.assignment_id)
        if assignment.get("HITId") not in ours:
            what = f"assignment {bonus.assignment_id} is not of this launch"
            raise LaunchError(what, fix="nothing was paid: take it out of the file")
        workers[bonus.assignment_id] = str(part(assignment, "WorkerId", str))
    for bonus in bonuses:
        # always looked up first: tokens are forgotten after 24 hours, and the manifest may be new
        manifest.once(_payment(turk, bonus, workers[bonus.assignment_id], bonus.key(batch)), look_first=True)
    return len(bonuses)


def _payment(turk: Turk, bonus: Bonus, worker: str, token: str) -> Once:
    def find() -> str | None:
        for paid in turk.pages("list_bonus_payments", "BonusPayments", AssignmentId=bonus.assignment_id):
            if " ".join(str(paid.get("Reason")).split()) == bonus.reason:
                _check_amount(bonus, money(str(paid.get("BonusAmount")), name="the bonus"))
                return bonus.assignment_id
        return None

    def make() -> str:
        try:
            turk.ask(
                "send_bonus",
                WorkerId=worker,
                BonusAmount=str(bonus.amount),
                AssignmentId=bonus.assignment_id,
                Reason=bonus.reason,
                UniqueRequestToken=token,
            )
        except RefusedError:
            if find() is None:  # else the token says that an attempt that was not answered has paid
                raise
        return bonus.assignment_id

    facts = {"assignment_id": bonus.assignment_id, "amount": str(bonus.amount), "reason": bonus.reason}
    cost = str(rounded_up(cost_of_bonus(bonus.amount)))
    return Once("bonus", token, lambda: patiently(make, find), find, cost, facts)
