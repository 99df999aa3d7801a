"""Estimate the cost of a batch and the hourly wage of its annotators, by a rate card.

Amounts are decimals from the card to the last line. Only the reward, which is paid in whole steps, and the fee of one
assignment are rounded, both upwards.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.annotation.task.page import resource
from ncimp.schemas import Place, Row, SchemaError, UsageError, read_text
from ncimp.schemas.records import Money, Ordinal, from_row, matching

CARDS = ("mturk-2026", "turkle", "prolific")  # the rate cards that come with the project
HOUR = 3600
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class RateCard:
    """Fees and wages of a service (`rate_card`)."""

    format: Annotated[Literal[1], "Version of this file format."]
    name: Annotated[str, "Name of the card."]
    currency: Annotated[str, matching("[A-Z]{3}"), "Currency of its amounts."]
    fee: Annotated[Money, "Fee of the service, as a share of the reward."]
    minimum_fee: Annotated[Money, "Least fee for one assignment."]
    crowd_from: Annotated[int, Meta(ge=2)] | None
    """Assignments of one task from which the service asks for more; null where it never does."""
    crowd_fee: Annotated[Money, "What it asks for more then, as a share of the reward."]
    step: Annotated[Money, "Smallest amount that can be paid."]
    hourly: Annotated[Money, "Hourly wage that the reward aims at where none is given; 0 where nobody is paid."]
    hourly_minimum: Annotated[Money, "Hourly wage below which the estimate warns."]
    seconds_per_sentence: Ordinal
    """Assumed time for one sentence, in seconds, until a pilot has measured it."""
    note: Annotated[str, "What to know about the card, and where its figures are from."]


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of a batch by a card."""

    card: RateCard
    tasks: int
    per_item: int
    seconds: Annotated[int, "For one task."]
    reward: Annotated[Decimal, "For one assignment."]
    fee: Annotated[Decimal, "Of the service, for one assignment."]

    @property
    def assignments(self) -> int:
        """Number of answers, over all tasks."""
        return self.tasks * self.per_item

    @property
    def total(self) -> Decimal:
        """Rewards and fees of the whole batch."""
        return self.assignments * (self.reward + self.fee)

    @property
    def hourly(self) -> Decimal:
        """Wage of an hour at the assumed pace."""
        return (self.reward * HOUR / self.seconds).quantize(CENT, ROUND_HALF_UP)

    def row(self) -> Row:
        """Return the estimate as it stands in `batch.json`."""
        facts = {"card": self.card.name, "currency": self.card.currency, "assignments": self.assignments}
        totals = {"total_rewards": self.assignments * self.reward, "total_fees": self.assignments * self.fee}
        amounts = {"reward": self.reward, "fee": self.fee, **totals, "total": self.total, "hourly": self.hourly}
        return {**facts, "seconds_per_task": self.seconds, **{name: str(value) for name, value in amounts.items()}}


@cache
def read_card(name: str) -> RateCard:
    """Return the card called *name*, or the one in the TOML file of that path; else raise `UsageError`."""
    if name not in CARDS and not Path(name).is_file():
        raise UsageError(f"no rate card {name!r}", fix=f"give one of {', '.join(CARDS)}, or a TOML file")
    try:
        row = tomllib.loads(resource(f"rates-{name}.toml") if name in CARDS else read_text(Path(name)))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="repair the line it names", place=Place(name)) from None
    row = {"crowd_from": None, **row}  # TOML has no null
    return from_row(RateCard, row, table="rate_card", place=Place(name))


def amount(text: str) -> Decimal:
    """Return the amount of money that *text* is, or raise `UsageError`."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or value < 0:
        raise UsageError(f"{text!r} is not an amount of money", fix="write it as 0.15")
    return value


def dollars(text: str, *, name: str) -> Decimal:
    """Return *text* as US dollars with two decimals, or raise `UsageError` for *name*."""
    if not re.fullmatch(r"\d{1,7}(?:\.\d{1,2})?", text.strip(), re.ASCII):
        raise UsageError(f"{name} must be US dollars such as 12.34, got {text!r}")
    return Decimal(text.strip()).quantize(CENT)


def estimate(
    card: RateCard,
    *,
    tasks: int,
    sentences: int,
    per_item: int,
    reward: Decimal | None = None,
    seconds: int | None = None,
) -> Estimate:
    """Return the cost of *tasks* with so many *sentences* when each is answered *per_item* times.

    The default of *reward* follows from the card's hourly wage; *seconds* are for one task.
    """
    time = seconds or card.seconds_per_sentence * sentences
    if reward is None:
        reward = _upwards(Decimal(card.hourly) * time / HOUR, Decimal(card.step))
    return Estimate(card, tasks, per_item, time, reward, fee_of(card, reward, per_item))


def fee_of(card: RateCard, paid: Decimal, judgements: int = 1) -> Decimal:
    """Return the fee for an assignment with the reward *paid*, one of so many *judgements* of the same task.

    >>> [str(fee_of(read_card("mturk-2026"), Decimal("0.15"), judgements)) for judgements in (9, 10)]
    ['0.03', '0.06']
    """
    fee = max(Decimal(card.minimum_fee), Decimal(card.fee) * paid)
    if card.crowd_from is not None and judgements >= card.crowd_from:
        fee += Decimal(card.crowd_fee) * paid
    return _upwards(fee, Decimal(card.step))


def _upwards(value: Decimal, step: Decimal) -> Decimal:
    return (value / step).to_integral_value(ROUND_CEILING) * step


def cost_lines(cost: Estimate) -> Iterator[str]:
    """Yield the estimate in words, a line each, its warnings last."""
    card, unit = cost.card, cost.card.currency
    yield f"{cost.tasks} tasks x {cost.per_item} judgements = {cost.assignments} assignments, {cost.seconds} s each"
    yield f"reward {cost.reward} {unit} each ({cost.hourly} {unit} an hour), fee {cost.fee} {unit} each"
    yield f"total {cost.total} {unit} by the rate card {card.name}"
    yield f"note: {card.note}"
    yield from wage_warning(cost)
    if card.crowd_from is not None and cost.per_item >= card.crowd_from:
        saved = cost.assignments * (cost.fee - fee_of(card, cost.reward))
        yield (
            f"note: from {card.crowd_from} judgements of one task on, the service takes {card.crowd_fee} of the reward "
            f"more, {saved} {unit} of this total; with --per-item {card.crowd_from - 1} it does not"
        )


def wage_warning(cost: Estimate) -> Iterator[str]:
    """Yield a line when the hourly wage is below the least of the rate card."""
    if cost.hourly < Decimal(cost.card.hourly_minimum):
        unit, least = cost.card.currency, cost.card.hourly_minimum
        yield f"warning: {cost.hourly} {unit} an hour is less than {least}, at {cost.seconds} s a task; raise --reward"
