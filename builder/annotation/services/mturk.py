"""Run a campaign on a server with Mechanical Turk's API, so that a crash at any moment never pays or launches twice.

Every call that makes something is announced in the manifest, made, and recorded (`LaunchManifest.once`). A HIT carries
a request token that follows from batch and task, and the same words as its annotation. Within 24 hours the service
refuses a second HIT with the same token and names the first; later, when tokens are forgotten, the list of all HITs is
searched for the annotation before anything is made.

Nothing here rejects an assignment: a worker who is rejected loses the right to work, and a check can be wrong. Work
that fails a check is paid, and left out of the scores.

Fees are those of the rate card `mturk-2026`, from Amazon's pricing page as archived in 2026. Compatible servers may
take less; the amount is the most that a launch can spend.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property

from ncimp.builder.annotation import launch
from ncimp.builder.annotation.launch import LaunchBatch, LaunchEvent, LaunchManifest, Once, RefusedError
from ncimp.builder.annotation.services import mturk_format
from ncimp.builder.annotation.services.mturk_client import CLOSED, LIVE, SANDBOX, Turk, entry, patiently
from ncimp.builder.annotation.services.service import LaunchPlan, Offer, Say, Service
from ncimp.builder.annotation.task.cost import Estimate, dollars, fee_of, read_card, wage_warning
from ncimp.builder.annotation.task.page import SENTENCES
from ncimp.schemas import Row, UsageError, keyed_hash, value_hash
from ncimp.schemas.records import to_row

ALREADY = "AWS.MechanicalTurk.HITAlreadyExists"  # a second HIT with the same token; also spelt `HitAlreadyExists`
GONE = "AWS.MechanicalTurk.HITDoesNotExist"  # code of the answer about a HIT that its requester has deleted
FORGOTTEN = "no longer on the service"  # state of such a HIT
CARD = "mturk-2026"
IDENTITY = re.compile(r"\b[A-Z0-9]{10,64}\b")  # an id of the service in a message
OPEN_STATES = frozenset({"Assignable", "Unassignable"})  # states of a HIT that may still bring assignments
PAST = datetime(2005, 11, 2, tzinfo=UTC)  # the day on which Mechanical Turk opened: an expiry that it takes as now
# qualifications that the service itself gives
LOCALE, PERCENT_APPROVED, NUMBER_APPROVED = "00000000000000000071", "000000000000000000L0", "00000000000000000040"
GUARDED = "DiscoverPreviewAndAccept"  # workers who do not qualify do not see the HIT


def mturk_place(endpoint: str | None, live: bool, allow_http: bool) -> launch.LaunchPlace:
    """Return the place of a launch; an address that may pay real money needs *live*."""
    if endpoint is None:
        return launch.LaunchPlace("mturk", LIVE if live else SANDBOX, live)
    address = launch.check_endpoint(endpoint, allow_http=allow_http)
    host = address.split("://")[1].split("/")[0]
    if not live and not launch.is_this_machine(address) and "sandbox" not in host.split(".")[0]:
        what = f"{address} may pay real money"
        raise UsageError(what, fix="add --live if that is meant; a test server is on this machine or called sandbox")
    return launch.LaunchPlace("mturk", address, live)


class MturkCampaign:
    """A batch on a server with Mechanical Turk's API (`Campaign`)."""

    def __init__(self, batch: LaunchBatch, place: launch.LaunchPlace, timeout: float) -> None:
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
            mturk_format.question_of(self.batch, task_id)
        if offer.test_score is not None:
            self.batch.text(mturk_format.TEST)
        tasks, people = len(self.batch.rows), self.batch.info.per_item
        cost = tasks * cost_of_hit(Decimal(str(offer.reward)), people)
        money = "money moves" if self.place.live else "a test: no money moves"
        card, known = read_card(CARD), self.batch.info.cost.get("seconds_per_task")
        seconds = known if isinstance(known, int) else card.seconds_per_sentence * SENTENCES[self.batch.info.mode]
        wage = Estimate(card, tasks, people, seconds, Decimal(str(offer.reward)), Decimal(0))
        lines = (
            f"{tasks} tasks, each for {people} people, {tasks} HITs at {self.place.endpoint} ({money})",
            f"{offer.title!r}, {offer.reward} US dollars an assignment; rewards and fees {cost} US dollars at most",
            *wage_warning(wage),
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
        calls = _Launch(self.batch, self._priced(offer), manifest, self.turk, say)
        missing = [task for task in self.batch.rows if manifest.done("hit", _token(self.batch, task)) is None]
        if missing:
            hit_type = calls.hit_type()
            for task_id in missing:
                say(f"task {task_id}: HIT {manifest.once(calls.hit(task_id, hit_type), look_first=True)}")
        say(f"{len(manifest.all_done('hit'))} of {len(self.batch.rows)} HITs are launched")

    def status(self, manifest: LaunchManifest) -> Row:
        """Return counts of HITs and assignments, and every HIT as the service describes it."""
        hits = [self._standing(event) for event in manifest.all_done("hit")]
        counts = {name: sum(hit[name] for hit in hits) for name in ("assignments", "submitted", "pending", "available")}
        payments = {"approved": len(manifest.all_done("approve")), "agreed": manifest.events[0].amount}
        forgotten = [hit["hit"] for hit in hits if hit["state"] == FORGOTTEN]
        return {"launched": len(hits), **counts, **payments, "forgotten": forgotten, "hits": hits}

    def _hit(self, identity: str) -> Row:
        """Return the HIT *identity*, one that has ended where the service has forgotten it."""
        try:
            return self.turk.hit(identity)
        except RefusedError as error:
            if error.code != GONE:
                raise
            return {"HITStatus": FORGOTTEN, "Expiration": PAST}

    def _standing(self, event: LaunchEvent) -> Row:
        hit = self._hit(str(event.id))
        names = ("MaxAssignments", "NumberOfAssignmentsAvailable", "NumberOfAssignmentsPending")
        assignments, available, pending = (int(hit.get(name) or 0) for name in names)
        facts = {"task_id": str(event.facts["task_id"]), "hit": str(event.id), "state": str(hit.get("HITStatus"))}
        counts = {"assignments": assignments, "available": available, "pending": pending}
        return {**facts, **counts, "submitted": assignments - available - pending}

    def _assignments(self, manifest: LaunchManifest, say: Say) -> Iterator[tuple[LaunchEvent, Row]]:
        """Yield each assignment with the event of its HIT; a HIT that was deleted on the service is reported."""
        for hit in manifest.all_done("hit"):
            try:
                filters = {"HITId": hit.id, "AssignmentStatuses": ["Submitted", "Approved", "Rejected"]}
                for assignment in self.turk.pages("list_assignments_for_hit", "Assignments", **filters):
                    yield hit, assignment
            except RefusedError as error:
                if error.code != GONE:
                    raise
                say(f"HIT {hit.id} of task {hit.facts['task_id']} is {FORGOTTEN}")

    def collect(self, manifest: LaunchManifest, say: Say) -> Iterator[launch.Cells]:
        """Yield a row of results for each assignment."""
        hits: dict[str, Row] = {}
        for event, assignment in self._assignments(manifest, say):
            identity = str(event.id)
            hits[identity] = hits.get(identity) or self._hit(identity)
            cells = self.batch.rows[str(event.facts["task_id"])]
            yield mturk_format.collected_row(hits[identity], assignment, cells)

    def stop(self, manifest: LaunchManifest) -> str:
        """End every HIT that could still be taken; assignments that were taken before can be handed in."""
        hits = [self._standing(event) for event in manifest.all_done("hit")]
        ending = [hit["hit"] for hit in hits if hit["state"] in OPEN_STATES and hit["available"]]
        ending += [event.key for event in manifest.unanswered() if event.call == "expire"]
        for hit in dict.fromkeys(ending):
            manifest.add(LaunchEvent("asked", "expire", hit))  # each time: somebody may have prolonged it meanwhile
            try:
                self.turk.call("update_expiration_for_hit", HITId=hit, ExpireAt=PAST)
            except RefusedError:
                ends = self._hit(hit).get("Expiration")
                if not isinstance(ends, datetime) or ends.astimezone(UTC) > datetime.now(UTC):
                    raise  # else the service refuses to do the same twice, which is as good
            manifest.add(LaunchEvent("done", "expire", hit, hit, "made"))
        lost = [hit["hit"] for hit in hits if hit["state"] == FORGOTTEN]
        told = f"; {FORGOTTEN}: {', '.join(lost)}" if lost else ""
        return f"{len({*ending} - {*lost})} HITs were ended{told}"

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
    def __init__(self, batch: LaunchBatch, offer: Offer, manifest: LaunchManifest, turk: Turk, say: Say) -> None:
        self.batch, self.offer, self.manifest, self.turk, self.say = batch, offer, manifest, turk, say
        self._hits: dict[str, Row] | None = None

    def hit_type(self) -> str:
        """Return the id of the HIT type; the service gives the same for the same values."""
        offer = self.offer
        values: dict[str, object] = {
            "AutoApprovalDelayInSeconds": offer.approve_after_days * 86_400,
            "AssignmentDurationInSeconds": offer.minutes * 60,
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
        name = f"ncimp {self.batch.info.batch} test"

        def make() -> str:
            answer = self.turk.call(
                "create_qualification_type",
                Name=name,
                Description="A few questions about literal and figurative expressions.",
                QualificationTypeStatus="Active",
                Test=self.batch.text(mturk_format.TEST),
                AnswerKey=self.batch.text(mturk_format.ANSWERS),
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
        token = _token(self.batch, task_id)

        def make() -> str:
            try:
                answer = self.turk.call(
                    "create_hit_with_hit_type",
                    HITTypeId=hit_type,
                    MaxAssignments=people,
                    LifetimeInSeconds=self.offer.days * 86_400,
                    Question=mturk_format.question_of(self.batch, task_id),
                    RequesterAnnotation=_annotation(self.batch, task_id),
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
        for identity in IDENTITY.findall(message):
            with suppress(RefusedError):
                hit = self.turk.hit(identity)
                if hit.get("RequesterAnnotation") == _annotation(self.batch, task_id):
                    return self._checked(hit, task_id)
        self._hits = None  # listed before this HIT was made
        if (identity := self._find(task_id)) is None:
            raise launch.UnansweredError(
                f"the service reports task {task_id} as launched already, and does not list it"
            )
        return identity

    def _find(self, task_id: str) -> str | None:
        annotation = _annotation(self.batch, task_id)
        if self._hits is None:
            self._hits = {}
            for hit in self.turk.pages("list_hits", "HITs"):
                first = self._hits.setdefault(str(hit.get("RequesterAnnotation")), hit)
                if first is not hit and hit.get("RequesterAnnotation") == annotation:
                    both = f"{first.get('HITId')} and {hit.get('HITId')}"
                    self.say(f"task {task_id} was launched twice, as {both}; delete one of them")
        return self._checked(self._hits[annotation], task_id) if annotation in self._hits else None

    def _checked(self, hit: Row, task_id: str) -> str:
        reward, people = str(hit.get("Reward")), hit.get("MaxAssignments")
        same = dollars(reward, name="the reward") == Decimal(str(self.offer.reward))
        if not same or people != self.batch.info.per_item:
            what = f"task {task_id} was launched before, for {people} people at {reward} US dollars"
            fix = "launch with the same offer, or export a batch of its own for another one"
            raise launch.LaunchError(what, fix=fix)
        return str(entry(hit, "HITId", str))


def _token(batch: LaunchBatch, task_id: str) -> str:
    return keyed_hash("hit", batch.info.batch, task_id)  # the same whenever the task is launched


def _annotation(batch: LaunchBatch, task_id: str) -> str:
    return f"ncimp {batch.info.batch} {task_id}"


def cost_of_hit(reward: Decimal, assignments: int) -> Decimal:
    """Return the highest cost of a HIT in US dollars, rewards and fees; a fee is rounded up to the cent.

    >>> [str(cost_of_hit(Decimal(reward), n)) for reward, n in (("0.15", 9), ("0.15", 10), ("0.01", 2), ("0.12", 1))]
    ['1.62', '2.10', '0.04', '0.15']
    """
    return assignments * (reward + fee_of(read_card(CARD), reward, assignments))


def requirements(offer: Offer, test: str | None) -> list[dict[str, object]]:
    """Return the requirements of a HIT type; *test* is the id of the batch's own qualification test."""
    rules: list[dict[str, object]] = []
    if offer.locales:
        locales = [dict(zip(("Country", "Subdivision"), code.split("-", 1), strict=False)) for code in offer.locales]
        rules.append({"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": locales})
    percent, count = (PERCENT_APPROVED, offer.approved_percent), (NUMBER_APPROVED, offer.approved_count)
    for name, value in (percent, count, (test, offer.test_score)):
        if name is not None and value is not None:
            comparison = {"Comparator": "GreaterThanOrEqualTo", "IntegerValues": [value]}
            rules.append({"QualificationTypeId": name, **comparison})
    # workers must see the HIT to take its test
    return [{**rule, "ActionsGuarded": "Accept" if rule["QualificationTypeId"] == test else GUARDED} for rule in rules]


MTURK = Service(
    name="mturk",
    export=mturk_format.mturk_files,
    suffix=".csv",
    read=mturk_format.read_mturk,
    simulate=mturk_format.simulate_mturk,
    rate_card=CARD,
    separate_lists="launch one list after the other, and keep out who did an earlier one with a qualification of yours",
    place=mturk_place,
    campaign=MturkCampaign,
)
