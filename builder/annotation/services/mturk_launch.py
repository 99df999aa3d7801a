"""Launching a batch on Mechanical Turk or a compatible server, so that a crash at any moment never pays twice.

Every call that makes something is announced in the manifest, made, and recorded (`Manifest.once`). A HIT carries a
request token that follows from batch, task and round, and the same words as its annotation. Within 24 hours
the service refuses a second HIT with the same token and names the first; later, when tokens are forgotten,
the list of all HITs is searched for the annotation before anything is made.

A task for more than nine people is launched in rounds, because a HIT for ten or more costs a higher fee. A round begins
when the one before has ended, and those who took part in that are excluded by a qualification, so that
nobody judges the same task twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from ncimp.builder.annotation.launch.batch import TEST, TEST_ANSWERS
from ncimp.builder.annotation.launch.errors import LaunchError, RefusedError, UnansweredError
from ncimp.builder.annotation.launch.journal import LaunchEvent, Manifest, Once
from ncimp.builder.annotation.services.mturk_client import Turk, clipped, part, patiently
from ncimp.builder.annotation.services.mturk_money import money, rounded_up
from ncimp.builder.annotation.services.mturk_plan import LaunchPlan, Part, question_of, requirements
from ncimp.schemas.hashing import keyed_hash, value_hash

DAY, MINUTE = 86_400, 60
"""In seconds."""

ALREADY = "AWS.MechanicalTurk.HITAlreadyExists"
"""What a second HIT with the same token is refused with; the documentation also spells it `HitAlreadyExists`."""

IDENTITY = re.compile(r"\b[A-Z0-9]{10,64}\b")
"""What an id of the service looks like in a message."""

FRESH = frozenset({"Assignable", "Unassignable"})
"""States of a HIT that may still bring assignments; in all others it is over."""

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a launch has come after a run."""

    launched: int
    """HITs that exist."""
    planned: int
    round: int
    """The last round that was begun."""
    waiting: int
    """HITs of that round that are not over yet, where another round is to follow."""


class MturkLaunch:
    """One launch: a plan, a manifest that is open, and an account."""

    def __init__(
        self, plan: LaunchPlan, manifest: Manifest, turk: Turk, report: Report, *, check_balance: bool = True
    ) -> None:
        self.plan, self.manifest, self.turk, self.report = plan, manifest, turk, report
        self.check_balance = check_balance
        self._known: dict[str, dict[str, Any]] | None = None

    def run(self) -> Standing:
        """Make everything that is missing and may be made now; return how far the launch has come."""
        for number in range(1, self.plan.rounds + 1):
            missing = [part for part in self.plan.of_round(number) if self.manifest.done("hit", part.token) is None]
            if missing:
                waiting = self._unfinished(number - 1)
                if waiting:
                    return self._standing(number - 1, waiting)
                self._launch(number, missing)
        return self._standing(self.plan.rounds, 0)

    def _standing(self, number: int, waiting: int) -> Standing:
        return Standing(len(self.manifest.all_done("hit")), len(self.plan.parts), number, waiting)

    def _unfinished(self, number: int) -> int:
        """Return how many HITs of a round are not over; none of round 0."""
        waiting = 0
        for each in self.plan.of_round(number):
            done = self.manifest.done("hit", each.token)
            hit = part(self.turk.ask("get_hit", HITId=done.id), "HIT", dict) if done else {}
            waiting += hit.get("HITStatus") in FRESH
        return waiting

    def _launch(self, number: int, missing: list[Part]) -> None:
        if self.check_balance:
            self._check_balance(missing)
        hit_type = self._hit_type(number)
        for each in missing:
            made = self.manifest.once(self._hit(each, hit_type), look_first=True)
            self.report(f"task {each.task_id}, round {number}: HIT {made} for {each.assignments}")

    def _check_balance(self, missing: list[Part]) -> None:
        """Refuse to begin what the account cannot pay: a launch that stops half-way costs its user another look."""
        needed = rounded_up(sum((each.cost for each in missing if self._find(each) is None), Decimal(0)))
        told = part(self.turk.ask("get_account_balance"), "AvailableBalance", str)
        try:
            balance = Decimal(told)
        except InvalidOperation:
            raise UnansweredError(f"the service says that the account holds {clipped(told)!r}") from None
        if balance < needed:
            what = f"the account holds {balance} US dollars, and {needed} are needed"
            raise LaunchError(what, fix="add money to it, or add --ignore-balance where it is not kept there")

    def _hit_type(self, number: int) -> str:
        """Return the id of the HIT type of a round; the service gives the same for the same values."""
        offer = self.plan.offer
        values: dict[str, object] = {
            "AutoApprovalDelayInSeconds": offer.approve_after_days * DAY,
            "AssignmentDurationInSeconds": offer.minutes * MINUTE,
            "Reward": offer.reward,
            "Title": offer.title,
            "Description": offer.description,
            "Keywords": offer.keywords,
            "QualificationRequirements": requirements(offer, test=self._test(), exclusion=self._exclusion(number)),
        }

        def make() -> str:
            return str(part(self.turk.ask("create_hit_type", **values), "HITTypeId", str))

        return self.manifest.once(Once("hit_type", value_hash(values), make, lambda: None, facts={"round": number}))

    def _test(self) -> dict[str, int]:
        """Return the least score by the id of the batch's own test, made if it is not there; nothing without one."""
        least = self.plan.offer.test_score
        if least is None:
            return {}
        batch = self.plan.batch
        values = {"Test": batch.text(TEST), "AnswerKey": batch.text(TEST_ANSWERS), "TestDurationInSeconds": 1800}
        name = f"ncimp {batch.info.batch} test"
        described = "A few questions about literal and figurative expressions."
        return {self._qualification("test", name, described, **values): least}

    def _exclusion(self, number: int) -> str | None:
        """Return the id of the qualification of all who took part before round *number*, None in the first."""
        if number == 1:
            return None
        name = f"ncimp {self.plan.batch.info.batch} took part"
        made = self._qualification("exclusion", name, "Given to those who have judged expressions of this batch.")
        for worker in self._workers(number):
            self._exclude(made, worker)
        return made

    def _workers(self, number: int) -> list[str]:
        """Return everybody who took part before round *number*, in the order of the service's lists."""
        hits = [self.manifest.done("hit", each.token) for each in self.plan.parts if each.round < number]
        found = (
            part(assignment, "WorkerId", str)
            for hit in hits
            if hit
            for assignment in self.turk.pages("list_assignments_for_hit", "Assignments", HITId=hit.id)
        )
        return list(dict.fromkeys(found))

    def _exclude(self, qualification: str, worker: str) -> None:
        def make() -> str:
            self.turk.ask(
                "associate_qualification_with_worker",
                QualificationTypeId=qualification,
                WorkerId=worker,
                IntegerValue=1,
                SendNotification=False,
            )
            return worker

        self.manifest.once(Once("exclude", f"{qualification} {worker}", make, lambda: None))

    def _qualification(self, call: Any, name: str, described: str, **values: object) -> str:
        def make() -> str:
            answer = self.turk.ask(
                "create_qualification_type",
                Name=name,
                Description=described,
                QualificationTypeStatus="Active",
                **values,
            )
            return str(part(part(answer, "QualificationType", dict), "QualificationTypeId", str))

        def find() -> str | None:
            listed = self.turk.pages(
                "list_qualification_types",
                "QualificationTypes",
                Query=name,
                MustBeRequestable=False,
                MustBeOwnedByCaller=True,
            )
            return next((str(one.get("QualificationTypeId")) for one in listed if one.get("Name") == name), None)

        return self.manifest.once(Once(call, name, make, find), look_first=True)

    def _hit(self, each: Part, hit_type: str) -> Once:
        def make() -> str:
            try:
                answer = self.turk.ask(
                    "create_hit_with_hit_type",
                    HITTypeId=hit_type,
                    MaxAssignments=each.assignments,
                    LifetimeInSeconds=self.plan.offer.days * DAY,
                    Question=question_of(self.plan.batch, each.task_id),
                    RequesterAnnotation=each.annotation,
                    UniqueRequestToken=each.token,
                )
            except RefusedError as error:
                if error.code.lower() != ALREADY.lower():
                    raise
                return self._named_in(str(error), each)
            return str(part(part(answer, "HIT", dict), "HITId", str))

        def look() -> str | None:
            self._known = None  # it was listed before the call that was not answered
            return self._find(each)

        facts = {"task_id": each.task_id, "round": each.round, "assignments": each.assignments}
        return Once(
            "hit",
            each.token,
            lambda: patiently(make, look),
            lambda: self._find(each),
            str(rounded_up(each.cost)),
            facts,
        )

    def _named_in(self, message: str, each: Part) -> str:
        """Return the HIT that the service says is there already, once it turns out to be ours."""
        for identity in IDENTITY.findall(message):
            with suppress(RefusedError):
                hit = part(self.turk.ask("get_hit", HITId=identity), "HIT", dict)
                if hit.get("RequesterAnnotation") == each.annotation:
                    return self._same(hit, each)
        self._known = None  # it was listed before this HIT was made
        found = self._find(each)
        if found is None:
            what = f"the service says that task {each.task_id} is launched already, and does not list it"
            raise UnansweredError(what)
        return found

    def _find(self, each: Part) -> str | None:
        """Return the id of the HIT with the annotation of a part, None when the account has none."""
        if self._known is None:
            self._known = {}
            for listed in self.turk.pages("list_hits", "HITs"):
                other = self._known.setdefault(str(listed.get("RequesterAnnotation")), listed)
                if other is not listed and listed.get("RequesterAnnotation") == each.annotation:
                    both = f"{other.get('HITId')} and {listed.get('HITId')}"
                    self.report(f"task {each.task_id} was launched twice, as {both}; delete one of them")
        hit = self._known.get(each.annotation)
        return self._same(hit, each) if hit else None

    def _same(self, hit: dict[str, Any], each: Part) -> str:
        """Return the id of *hit* when it offers what the plan does; else somebody launched this batch otherwise."""
        offered = (str(hit.get("Reward")), hit.get("MaxAssignments"))
        if (money(offered[0], name="the reward"), offered[1]) != (Decimal(self.plan.offer.reward), each.assignments):
            what = f"task {each.task_id} was launched before, for {offered[1]} people at {offered[0]} US dollars"
            raise LaunchError(what, fix="launch with the same offer, or export a batch of its own for another one")
        return str(part(hit, "HITId", str))


def begin(manifest: Manifest, facts: dict[str, object], *, cost: str) -> None:
    """Write the first line of a new manifest, or check that the old one begins with the same *facts*."""
    beginning = manifest.beginning
    if beginning is None:
        manifest.add(
            LaunchEvent("begun", "launch", keyed_hash("launch", str(facts["batch"])), amount=cost, facts=facts)
        )
        return
    other = sorted(name for name in facts if beginning.facts.get(name) != facts[name])
    if other:
        was = "; ".join(f"{name} was {beginning.facts.get(name)!r}, is {facts[name]!r}" for name in other)
        what = f"the launch was begun otherwise: {was}"
        raise LaunchError(what, fix="go on with what it was begun with, or export a batch of its own")
