"""What a launch will ask for: the offer made to workers, and one HIT per task and round, with a token for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from ncimp.builder.annotation.launch.batch import QUESTION, LaunchBatch
from ncimp.builder.annotation.launch.errors import LaunchError
from ncimp.builder.annotation.services.mturk_money import cost_of_hit, most_at_once, rounded_up
from ncimp.schemas.errors import Place
from ncimp.schemas.hashing import keyed_hash

PLACEHOLDER = re.compile(r"\$\{(\w+)\}", re.ASCII)

MOST_BYTES = 65_535
"""Bytes of a question that Mechanical Turk takes."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What workers see of a HIT and get for it, and how long it stays."""

    title: str
    description: str
    keywords: str
    reward: str
    """US dollars with two decimals."""
    minutes: int
    """Longest time for one assignment."""
    days: int
    """How long a HIT can be found."""
    approve_after_days: int
    """After so many days without a word the service approves an assignment, and pays."""
    locales: tuple[str, ...] = ()
    approved_percent: int | None = None
    approved_count: int | None = None
    test_score: int | None = None
    """Least score in the batch's own test; None without the test."""
    surcharge: bool = False
    """One HIT for all judgements of a task, at the higher fee, instead of rounds."""


@dataclass(frozen=True, slots=True)
class Part:
    """One HIT: a task, or a part of its judgements."""

    task_id: str
    round: int
    assignments: int
    token: str
    """`UniqueRequestToken`: the same whenever and wherever the same part is launched."""
    annotation: str
    """`RequesterAnnotation`, by which the HIT is found again."""
    cost: Decimal


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """All HITs of a launch, by round."""

    batch: LaunchBatch
    offer: Offer
    parts: tuple[Part, ...]

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return max(part.round for part in self.parts)

    @property
    def cost(self) -> Decimal:
        """The most US dollars that the whole launch costs."""
        return rounded_up(sum((part.cost for part in self.parts), Decimal(0)))

    def of_round(self, number: int) -> tuple[Part, ...]:
        """Return the parts of round *number*."""
        return tuple(part for part in self.parts if part.round == number)


def make_plan(batch: LaunchBatch, offer: Offer) -> LaunchPlan:
    """Return the HITs of *batch* under *offer*; a question that the service would not take is a `LaunchError`."""
    sizes = (batch.info.per_item,) if offer.surcharge else round_sizes(batch.info.per_item)
    for task_id in batch.rows:
        question_of(batch, task_id)
    parts = tuple(_part(batch, offer, task_id, n, size) for n, size in enumerate(sizes, 1) for task_id in batch.rows)
    return LaunchPlan(batch, offer, parts)


def round_sizes(judgements: int) -> tuple[int, ...]:
    """Return how many people judge in each round, so that no HIT has so many that its fee is higher.

    >>> round_sizes(9), round_sizes(10), round_sizes(20)
    ((9,), (5, 5), (7, 7, 6))
    """
    rounds = -(-judgements // most_at_once())
    return tuple(judgements // rounds + (number < judgements % rounds) for number in range(rounds))


def _part(batch: LaunchBatch, offer: Offer, task_id: str, number: int, size: int) -> Part:
    return Part(
        task_id,
        number,
        size,
        token=keyed_hash("hit", batch.info.batch, task_id, str(number)),  # 64 characters, the most that are taken
        annotation=f"ncimp {batch.info.batch} {task_id} {number}",
        cost=cost_of_hit(Decimal(offer.reward), size),
    )


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
    question = PLACEHOLDER.sub(lambda found: row[found[1]], template)
    size = len(question.encode("utf-8"))
    if size > MOST_BYTES:
        what = f"the question of task {task_id} has {size:,} bytes, and {MOST_BYTES:,} are taken"
        raise LaunchError(what, fix="shorten the instructions or the sentence", place=place)
    if question.count("]]>") != template.count("]]>"):
        raise LaunchError(f"a cell of task {task_id} ends the CDATA section", fix="export it escaped", place=place)
    return question


def requirements(offer: Offer, *, test: Mapping[str, int], exclusion: str | None) -> list[dict[str, object]]:
    """Return the requirements of a HIT type: who may do it.

    *test* is the least score by the id of the batch's own test; *exclusion* the qualification of those who took part.
    """
    asked: list[dict[str, object]] = []
    if offer.locales:
        asked.append(
            {
                "QualificationTypeId": LOCALE,
                "Comparator": "In",
                "LocaleValues": [_locale(code) for code in offer.locales],
                "ActionsGuarded": GUARDED,
            }
        )
    least = {PERCENT_APPROVED: offer.approved_percent, NUMBER_APPROVED: offer.approved_count, **test}
    asked += [
        {
            "QualificationTypeId": name,
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [value],
            "ActionsGuarded": "Accept" if name in test else GUARDED,  # who is to take the test must see what for
        }
        for name, value in least.items()
        if value is not None
    ]
    if exclusion:
        asked.append({"QualificationTypeId": exclusion, "Comparator": "DoesNotExist", "ActionsGuarded": GUARDED})
    return asked


def _locale(code: str) -> dict[str, str]:
    country, _, subdivision = code.partition("-")
    return {"Country": country, "Subdivision": subdivision} if subdivision else {"Country": country}


LOCALE = "00000000000000000071"
PERCENT_APPROVED = "000000000000000000L0"
NUMBER_APPROVED = "00000000000000000040"
"""Qualifications that the service itself gives."""

GUARDED = "DiscoverPreviewAndAccept"
"""Who does not qualify does not see the HIT."""
