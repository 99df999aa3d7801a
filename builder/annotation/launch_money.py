"""What a launch costs: rewards, fees, and the amount that a person has to agree to.

Amazon's fees, from its pricing page as archived in 2026: 20 % of rewards and bonuses, at least 0.01 US dollars per
assignment, and another 20 % of the reward where a HIT has ten assignments or more. Compatible servers
may take less; the amount is the most that can be spent.
"""

from __future__ import annotations

import re
from decimal import ROUND_UP, Decimal

from ncimp.schemas.errors import UsageError

CENT = Decimal("0.01")

FEE = Decimal("0.20")
"""Share of rewards and bonuses that is paid to the service on top."""

SMALLEST_FEE = CENT
"""Least US dollars of a fee, per assignment."""

MANY = 10
"""Assignments of one HIT from which the fee is higher."""

FEE_FOR_MANY = Decimal("0.20")
"""Share of the reward that is paid on top where a HIT has `MANY` assignments or more."""

MOST_IN_ONE = MANY - 1
"""Most assignments of a HIT at the lower fee."""

AMOUNT = re.compile(r"\d{1,7}(?:\.\d{1,2})?", re.ASCII)


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
    fee = max(FEE * reward, SMALLEST_FEE)
    if assignments >= MANY:
        fee += FEE_FOR_MANY * reward
    return assignments * (reward + rounded_up(fee))


def cost_of_bonus(amount: Decimal) -> Decimal:
    """Return the US dollars that a bonus of *amount* costs with its fee, which is rounded up to the cent."""
    return amount + rounded_up(max(FEE * amount, SMALLEST_FEE))
