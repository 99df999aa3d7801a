"""Run a campaign on a server with Mechanical Turk's API, so that a crash at any moment never pays or launches twice.

Every call that makes something is announced in the manifest, made, and recorded (`Manifest.once`). A HIT carries a
request token that follows from batch and task, and the same words as its annotation. Within 24 hours the service
refuses a second HIT with the same token and names the first; later, when tokens are forgotten, the list of all HITs is
searched for the annotation before anything is made.

Nothing here rejects an assignment. Work that fails a check is left out of the scores, not unpaid: a worker who is
rejected loses the right to work, and a check can be wrong.

Fees are those of the rate card `mturk-2026`, from Amazon's pricing page as archived in 2026: 20 % of the reward, at
least 0.01 US dollars per assignment, and another 20 % where a HIT has ten assignments or more. Compatible servers may
take less; the amount is the most that a launch can spend.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property

from ncimp.builder.annotation.launch.batch import Cells, LaunchBatch
from ncimp.builder.annotation.launch.journal import (
    LaunchError,
    LaunchEvent,
    LaunchManifest,
    Once,
    RefusedError,
    UnansweredError,
)
from ncimp.builder.annotation.launch.place import LaunchPlace, check_endpoint, is_this_machine
from ncimp.builder.annotation.services.mturk_answers import collected_row
from ncimp.builder.annotation.services.mturk_client import CLOSED, LIVE, SANDBOX, Turk, entry, patiently
from ncimp.builder.annotation.services.service import LaunchPlan, Offer, Say
from ncimp.builder.annotation.task.cost import dollars, fee_of, read_card
from ncimp.builder.annotation.task.page import PLACEHOLDER
from ncimp.schemas.errors import Place, UsageError
from ncimp.schemas.files import Row, keyed_hash, value_hash
from ncimp.schemas.records import to_row

QUESTION = "question.xml.template"
TEST, ANSWERS = "qualification_test.xml", "qualification_answers.xml"

MOST_BYTES = 65_535
"""Bytes of a question that Mechanical Turk takes."""

DAY, MINUTE = 86_400, 60
"""In seconds."""

ALREADY = "AWS.MechanicalTurk.HITAlreadyExists"
"""Code of the refusal of a second HIT with the same token; the documentation also spells it `HitAlreadyExists`."""

GONE = "AWS.MechanicalTurk.HITDoesNotExist"
"""Code of the answer about a HIT that its requester has deleted."""

IDENTITY = re.compile(r"\b[A-Z0-9]{10,64}\b")
"""An id of the service in a message."""

OPEN_STATES = frozenset({"Assignable", "Unassignable"})
"""States of a HIT that may still bring assignments."""

PAST = datetime(2005, 11, 2, tzinfo=UTC)
"""An expiry long ago, which the service takes as now. (The day on which Mechanical Turk opened.)"""

LOCALE = "00000000000000000071"
PERCENT_APPROVED = "000000000000000000L0"
NUMBER_APPROVED = "00000000000000000040"
"""Qualifications that the service itself gives."""

GUARDED = "DiscoverPreviewAndAccept"
"""Workers who do not qualify do not see the HIT."""


def mturk_place(endpoint: str | None, live: bool, allow_http: bool) -> LaunchPlace:
    """Return the place of a launch; an address that may pay real money needs *live*."""
    if endpoint is None:
        return LaunchPlace("mturk", LIVE if live else SANDBOX, live)
    address = check_endpoint(endpoint, allow_http=allow_http)
    host = address.split("://")[1].split("/")[0]
    if not live and not is_this_machine(address) and "sandbox" not in host.split(".")[0]:
        what = f"{address} may pay real money"
        raise UsageError(what, fix="add --live if that is meant; a test server is on this machine or called sandbox")
    return LaunchPlace("mturk", address, live)


class MturkCampaign:
    """A batch on a server with Mechanical Turk's API (`Campaign`)."""

    def __init__(self, batch: LaunchBatch, place: LaunchPlace, timeout: float) -> None:
        self.batch, self.place, self._timeout = batch, place, timeout

    @cached_property
    def turk(self) -> Turk:
        """The account, connected when it is first used: a dry run needs no keys."""
        return Turk(self.place.endpoint, timeout=self._timeout)

    def connect(self) -> None:
        """Check the keys or the token."""
        _ = self.turk

    def plan(self, offer: Offer) -> LaunchPlan:
        """Return the HITs and their highest cost; a question that the service would not take is a `LaunchError`."""
        offer = self._priced(offer)
        for task_id in self.batch.rows:
            question_of(self.batch, task_id)
        if offer.test_score is not None:
            self.batch.text(TEST)
        tasks, people = len(self.batch.rows), self.batch.info.per_item
        cost = tasks * cost_of_hit(Decimal(str(offer.reward)), people)
        money = "money moves" if self.place.live else "a test: no money moves"
        lines = (
            f"{tasks} tasks, each for {people} people, {tasks} HITs at {self.place.endpoint} ({money})",
            f"{offer.title!r}, {offer.reward} US dollars an assignment; rewards and fees {cost} US dollars at most",
            *([CLOSED] if self.place.endpoint in (LIVE, SANDBOX) else []),
        )
        return LaunchPlan(lines, cost, {"offer": to_row(offer)})

    def _priced(self, offer: Offer) -> Offer:
        reward = offer.reward or self.batch.info.cost.get("reward")
        if reward is None:
            raise UsageError("the batch names no reward", fix="give one with --reward")
        return replace(offer, reward=str(dollars(str(reward), name="the reward")))

    def start(self, offer: Offer, manifest: LaunchManifest, say: Say) -> None:
        """Make every HIT that is missing."""
        launch = _Launch(self.batch, self._priced(offer), manifest, self.turk, say)
        missing = [
            task_id for task_id in self.batch.rows if manifest.done("hit", hit_token(self.batch, task_id)) is None
        ]
        if missing:
            hit_type = launch.hit_type()
            for task_id in missing:
                say(f"task {task_id}: HIT {manifest.once(launch.hit(task_id, hit_type), look_first=True)}")
        say(f"{len(manifest.all_done('hit'))} of {len(self.batch.rows)} HITs are launched")

    def status(self, manifest: LaunchManifest) -> Row:
        """Return counts of HITs and assignments, and every HIT as the service describes it."""
        hits = [self._standing(event) for event in manifest.all_done("hit")]
        counts = {name: sum(hit[name] for hit in hits) for name in ("assignments", "submitted", "pending", "available")}
        agreed = manifest.events[0].amount if manifest.events else None
        return {
            "launched": len(hits),
            **counts,
            "approved": len(manifest.all_done("approve")),
            "agreed": agreed,
            "hits": hits,
        }

    def _standing(self, event: LaunchEvent) -> Row:
        hit = entry(self.turk.call("get_hit", HITId=event.id), "HIT", dict)
        assignments = int(hit.get("MaxAssignments") or 0)
        available = int(hit.get("NumberOfAssignmentsAvailable") or 0)
        pending = int(hit.get("NumberOfAssignmentsPending") or 0)
        return {
            "task_id": str(event.facts["task_id"]),
            "hit": str(event.id),
            "state": str(hit.get("HITStatus")),
            "assignments": assignments,
            "available": available,
            "pending": pending,
            "submitted": assignments - available - pending,
        }

    def _assignments(self, manifest: LaunchManifest, say: Say) -> Iterator[tuple[LaunchEvent, Row]]:
        """Yield the event of each HIT with each of its assignments, in the order of the service.

        A HIT that was deleted there is reported and skipped: answers that were collected before stay.
        """
        for hit in manifest.all_done("hit"):
            try:
                filters = {"HITId": hit.id, "AssignmentStatuses": ["Submitted", "Approved", "Rejected"]}
                for assignment in self.turk.pages("list_assignments_for_hit", "Assignments", **filters):
                    yield hit, assignment
            except RefusedError as error:
                if error.code != GONE:
                    raise
                say(f"HIT {hit.id} of task {hit.facts['task_id']} is no longer on the service")

    def collect(self, manifest: LaunchManifest, say: Say) -> Iterator[Cells]:
        """Yield a row of results for each assignment."""
        hits: dict[str, Row] = {}
        for event, assignment in self._assignments(manifest, say):
            if str(event.id) not in hits:
                hits[str(event.id)] = entry(self.turk.call("get_hit", HITId=event.id), "HIT", dict)
            yield collected_row(hits[str(event.id)], assignment, self.batch.rows[str(event.facts["task_id"])])

    def stop(self, manifest: LaunchManifest) -> str:
        """End every HIT that could still be taken; assignments that were taken before can be handed in."""
        hits = (self._standing(event) for event in manifest.all_done("hit"))
        ending = [hit["hit"] for hit in hits if hit["state"] in OPEN_STATES and hit["available"]]
        ending += [event.key for event in manifest.unanswered() if event.call == "expire"]
        for hit in dict.fromkeys(ending):
            manifest.add(LaunchEvent("asked", "expire", hit))  # each time: somebody may have prolonged it meanwhile
            try:
                self.turk.call("update_expiration_for_hit", HITId=hit, ExpireAt=PAST)
            except RefusedError:
                ends = entry(self.turk.call("get_hit", HITId=hit), "HIT", dict).get("Expiration")
                if not isinstance(ends, datetime) or ends.astimezone(UTC) > datetime.now(UTC):
                    raise  # else the service refuses to do the same twice, which is as good
            manifest.add(LaunchEvent("done", "expire", hit, hit, "made"))
        return f"{len(dict.fromkeys(ending))} HITs were ended"

    def submitted(self, manifest: LaunchManifest) -> list[str]:
        """Return the ids of the assignments that wait for approval."""
        return [
            str(entry(assignment, "AssignmentId", str))
            for _, assignment in self._assignments(manifest, lambda _: None)
            if assignment.get("AssignmentStatus") == "Submitted"
        ]

    def approve(self, manifest: LaunchManifest, assignments: Sequence[str]) -> int:
        """Approve *assignments*; return how many were approved now, or turn out to have been without an answer."""
        before = len(manifest.all_done("approve"))
        # those that were done and not answered wait no longer, so that they are not among the submitted
        for event in [event for event in manifest.unanswered() if event.call == "approve"]:
            manifest.settle(self._approval(event.key))
        for identity in assignments:
            manifest.once(self._approval(identity))
        return len(manifest.all_done("approve")) - before

    def _approval(self, identity: str) -> Once:
        def find() -> str | None:
            assignment = entry(self.turk.call("get_assignment", AssignmentId=identity), "Assignment", dict)
            return identity if assignment.get("AssignmentStatus") == "Approved" else None

        def make() -> str:
            try:
                self.turk.call("approve_assignment", AssignmentId=identity)
            except RefusedError:
                if find() is None:  # else an attempt without an answer has done it
                    raise
            return identity

        return Once("approve", identity, make, find)


class _Launch:
    """The calls of one launch: HIT type, qualification test, and HITs."""

    def __init__(self, batch: LaunchBatch, offer: Offer, manifest: LaunchManifest, turk: Turk, say: Say) -> None:
        self.batch, self.offer, self.manifest, self.turk, self.say = batch, offer, manifest, turk, say
        self._hits: dict[str, Row] | None = None

    def hit_type(self) -> str:
        """Return the id of the HIT type; the service gives the same for the same values."""
        offer = self.offer
        values: dict[str, object] = {
            "AutoApprovalDelayInSeconds": offer.approve_after_days * DAY,
            "AssignmentDurationInSeconds": offer.minutes * MINUTE,
            "Reward": offer.reward,
            "Title": offer.title,
            "Description": offer.description,
            "Keywords": offer.keywords,
            "QualificationRequirements": requirements(offer, None if offer.test_score is None else self._test()),
        }

        def make() -> str:
            return str(entry(self.turk.call("create_hit_type", **values), "HITTypeId", str))

        return self.manifest.once(Once("hit_type", value_hash(values), make, lambda: None))

    def _test(self) -> str:
        """Return the id of the batch's own qualification test, made if it is missing."""
        name = f"ncimp {self.batch.info.batch} test"

        def make() -> str:
            answer = self.turk.call(
                "create_qualification_type",
                Name=name,
                Description="A few questions about literal and figurative expressions.",
                QualificationTypeStatus="Active",
                Test=self.batch.text(TEST),
                AnswerKey=self.batch.text(ANSWERS),
                TestDurationInSeconds=1800,
            )
            return str(entry(entry(answer, "QualificationType", dict), "QualificationTypeId", str))

        def find() -> str | None:
            filters = {"Query": name, "MustBeRequestable": False, "MustBeOwnedByCaller": True}
            types = self.turk.pages("list_qualification_types", "QualificationTypes", **filters)
            return next((str(one.get("QualificationTypeId")) for one in types if one.get("Name") == name), None)

        return self.manifest.once(Once("test", name, make, find), look_first=True)

    def hit(self, task_id: str, hit_type: str) -> Once:
        """Return the call that makes the HIT of *task_id*."""
        people = self.batch.info.per_item
        token = hit_token(self.batch, task_id)

        def make() -> str:
            try:
                answer = self.turk.call(
                    "create_hit_with_hit_type",
                    HITTypeId=hit_type,
                    MaxAssignments=people,
                    LifetimeInSeconds=self.offer.days * DAY,
                    Question=question_of(self.batch, task_id),
                    RequesterAnnotation=annotation_of(self.batch, task_id),
                    UniqueRequestToken=token,
                )
            except RefusedError as error:
                if error.code.lower() != ALREADY.lower():
                    raise
                return self._existing(str(error), task_id)
            return str(entry(entry(answer, "HIT", dict), "HITId", str))

        def look_again() -> str | None:
            self._hits = None  # listed before the call without an answer
            return self._find(task_id)

        facts = {"task_id": task_id, "assignments": people}
        cost = str(cost_of_hit(Decimal(str(self.offer.reward)), people))
        return Once("hit", token, lambda: patiently(make, look_again), lambda: self._find(task_id), cost, facts)

    def _existing(self, message: str, task_id: str) -> str:
        """Return the HIT that the service reports as existing, once it turns out to be ours."""
        for identity in IDENTITY.findall(message):
            with suppress(RefusedError):
                hit = entry(self.turk.call("get_hit", HITId=identity), "HIT", dict)
                if hit.get("RequesterAnnotation") == annotation_of(self.batch, task_id):
                    return self._checked(hit, task_id)
        self._hits = None  # listed before this HIT was made
        identity = self._find(task_id)
        if identity is None:
            raise UnansweredError(f"the service reports task {task_id} as launched already, and does not list it")
        return identity

    def _find(self, task_id: str) -> str | None:
        """Return the id of the HIT of *task_id*, None when the account has none."""
        annotation = annotation_of(self.batch, task_id)
        if self._hits is None:
            self._hits = {}
            for hit in self.turk.pages("list_hits", "HITs"):
                first = self._hits.setdefault(str(hit.get("RequesterAnnotation")), hit)
                if first is not hit and hit.get("RequesterAnnotation") == annotation:
                    both = f"{first.get('HITId')} and {hit.get('HITId')}"
                    self.say(f"task {task_id} was launched twice, as {both}; delete one of them")
        return self._checked(self._hits[annotation], task_id) if annotation in self._hits else None

    def _checked(self, hit: Row, task_id: str) -> str:
        """Return the id of *hit* when it has our offer; else somebody launched this batch with another one."""
        reward, people = str(hit.get("Reward")), hit.get("MaxAssignments")
        same = dollars(reward, name="the reward") == Decimal(str(self.offer.reward))
        if not same or people != self.batch.info.per_item:
            what = f"task {task_id} was launched before, for {people} people at {reward} US dollars"
            raise LaunchError(what, fix="launch with the same offer, or export a batch of its own for another one")
        return str(entry(hit, "HITId", str))


def hit_token(batch: LaunchBatch, task_id: str) -> str:
    """Return the `UniqueRequestToken` of a HIT: the same whenever and wherever the task is launched."""
    return keyed_hash("hit", batch.info.batch, task_id)  # 64 characters, the most that are taken


def annotation_of(batch: LaunchBatch, task_id: str) -> str:
    """Return the `RequesterAnnotation` by which a HIT is found again."""
    return f"ncimp {batch.info.batch} {task_id}"


def cost_of_hit(reward: Decimal, assignments: int) -> Decimal:
    """Return the highest cost of a HIT in US dollars, rewards and fees; a fee is rounded up to the cent.

    >>> [str(cost_of_hit(Decimal(reward), n)) for reward, n in (("0.15", 9), ("0.15", 10), ("0.01", 2), ("0.12", 1))]
    ['1.62', '2.10', '0.04', '0.15']
    """
    return assignments * (reward + fee_of(read_card("mturk-2026"), reward, assignments))


def question_of(batch: LaunchBatch, task_id: str) -> str:
    """Return the question of one task: the batch's template with the cells of its row, which are escaped already.

    One pass, so that a cell that looks like a placeholder stays as it is.
    """
    row = batch.rows[task_id]
    template = batch.text(QUESTION)
    place = Place(str(batch.folder / QUESTION))
    missing = sorted(set(PLACEHOLDER.findall(template)) - set(row))
    if missing:
        raise LaunchError(f"no column for {', '.join(missing)}", fix="export the batch again", place=place)
    question = PLACEHOLDER.sub(lambda match: row[match[1]], template)
    size = len(question.encode("utf-8"))
    if size > MOST_BYTES:
        what = f"the question of task {task_id} has {size:,} bytes, and {MOST_BYTES:,} are taken"
        raise LaunchError(what, fix="shorten the instructions or the sentence", place=place)
    if question.count("]]>") != template.count("]]>"):
        raise LaunchError(f"a cell of task {task_id} ends the CDATA section", fix="export it escaped", place=place)
    return question


def requirements(offer: Offer, test: str | None) -> list[dict[str, object]]:
    """Return the requirements of a HIT type; *test* is the id of the batch's own qualification test."""
    rules: list[dict[str, object]] = []
    if offer.locales:
        locales = [dict(zip(("Country", "Subdivision"), code.split("-", 1), strict=False)) for code in offer.locales]
        rule: dict[str, object] = {"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": locales}
        rules.append({**rule, "ActionsGuarded": GUARDED})
    least: Mapping[str | None, int | None] = {
        PERCENT_APPROVED: offer.approved_percent,
        NUMBER_APPROVED: offer.approved_count,
        test: offer.test_score,
    }
    rules += [
        {
            "QualificationTypeId": name,
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [value],
            "ActionsGuarded": "Accept" if name == test else GUARDED,  # workers must see the HIT to take its test
        }
        for name, value in least.items()
        if name is not None and value is not None
    ]
    return rules
