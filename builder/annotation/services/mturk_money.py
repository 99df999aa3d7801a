"""What a launch costs: rewards, fees, and the amount that a person has to agree to.

The fees are those of the rate card `mturk-2026`, from Amazon's pricing page as archived in 2026: 20 % of rewards and
bonuses, at least 0.01 US dollars per assignment, and another 20 % of the reward where a HIT has ten assignments or
more. Compatible servers may take less; the amount is the most that can be spent.
"""

from __future__ import annotations

import re
from decimal import ROUND_UP, Decimal
from functools import cache

from ncimp.builder.annotation.task.cost import RateCard, fee_of, read_card
from ncimp.schemas.errors import UsageError

CENT = Decimal("0.01")

AMOUNT = re.compile(r"\d{1,7}(?:\.\d{1,2})?", re.ASCII)


@cache
def _card() -> RateCard:
    return read_card("mturk-2026")


def money(text: str, *, name: str) -> Decimal:
    """Return *text* as an amount of US dollars with two decimals, or raise `UsageError` saying what *name* must be."""
    if not AMOUNT.fullmatch(text.strip()):
        raise UsageError(f"{name} is {text!r}, not an amount of US dollars", fix="write it as 12.34")
    return Decimal(text.strip()).quantize(CENT)


def rounded_up(amount: Decimal) -> Decimal:
    """Return *amount* rounded up to the cent, with two decimals.

    >>> rounded_up(Decimal("1.081"))
    Decimal('1.09')
    """
    return amount.quantize(CENT, rounding=ROUND_UP)


def cost_of_hit(reward: Decimal, assignments: int) -> Decimal:
    """Return the most US dollars that a HIT of *assignments* costs, rewards and fees; a fee is rounded up to the cent.

    >>> [str(cost_of_hit(Decimal(reward), n)) for reward, n in (("0.15", 9), ("0.15", 10), ("0.01", 2), ("0.12", 1))]
    ['1.62', '2.10', '0.04', '0.15']
    """
    return assignments * (reward + fee_of(_card(), reward, assignments))


def most_at_once() -> int:
    """Return the most assignments of a HIT at the lower fee.

    >>> most_at_once()
    9
    """
    many = _card().crowd_from
    assert many is not None  # noqa: S101 (this card says it)
    return many - 1


def cost_of_bonus(amount: Decimal) -> Decimal:
    """Return the US dollars that a bonus of *amount* costs with its fee, which is rounded up to the cent."""
    return amount + fee_of(_card(), amount)
