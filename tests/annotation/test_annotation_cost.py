"""Cost and hourly wage: figures worked out by hand."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from ncimp.builder.annotation.task.cost import CARDS, amount, cost_lines, estimate, read_card
from ncimp.schemas.errors import SchemaError, UsageError

CARD = """format = 1
name = "ours"
currency = "EUR"
fee = "0.333"
minimum_fee = "0.02"
crowd_fee = "0"
step = "0.01"
hourly = "13.90"
hourly_minimum = "13.90"
seconds_per_sentence = 30
note = "Ours."
"""


def test_nine_judgements_cost_twenty_percent() -> None:
    # 45 s at 12 an hour are 0.15; 20 % of it are 0.03; 100 x 9 x 0.18
    cost = estimate(read_card("mturk-2026"), tasks=100, sentences=1, per_item=9)
    assert (cost.reward, cost.fee, cost.total, cost.hourly) == tuple(map(Decimal, ("0.15", "0.03", "162.00", "12.00")))


def test_ten_judgements_cost_twenty_percent_more_and_say_so() -> None:
    cost = estimate(read_card("mturk-2026"), tasks=100, sentences=1, per_item=10)
    assert (cost.fee, cost.total) == (Decimal("0.06"), Decimal("210.00"))
    # 1,000 assignments, each with a fee that is 0.03 lower
    assert any("30.00 USD of this total; with --per-item 9 it does not" in line for line in cost_lines(cost))


def test_the_least_fee_is_a_cent() -> None:
    cost = estimate(read_card("mturk-2026"), tasks=1, sentences=1, per_item=1, reward=Decimal("0.02"))
    assert cost.fee == Decimal("0.01")


def test_a_reward_below_the_minimum_wage_is_told() -> None:
    cost = estimate(read_card("mturk-2026"), tasks=1, sentences=1, per_item=1, reward=Decimal("0.05"), seconds=60)
    assert cost.hourly == Decimal("3.00")
    assert any(line.startswith("warning: 3.00 USD an hour is less than 7.25") for line in cost_lines(cost))


def test_three_sentences_take_three_times_as_long() -> None:
    cost = estimate(read_card("mturk-2026"), tasks=1, sentences=3, per_item=1)
    assert (cost.seconds, cost.reward) == (135, Decimal("0.45"))


def test_a_service_of_ones_own_costs_nothing() -> None:
    cost = estimate(read_card("turkle"), tasks=66, sentences=1, per_item=10)
    assert cost.total == 0
    assert not any(line.startswith("warning") for line in cost_lines(cost))


def test_a_card_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "card.toml"
    path.write_text(CARD, encoding="utf-8")
    # 30 s at 13.90 are 0.1158..., so 0.12; 33.3 % of it are 0.03996, so 0.04; 14.40 an hour
    cost = estimate(read_card(str(path)), tasks=10, sentences=1, per_item=20)
    assert (cost.reward, cost.fee, cost.total, cost.hourly) == tuple(map(Decimal, ("0.12", "0.04", "32.00", "14.40")))
    assert cost.row() == {
        "card": "ours",
        "currency": "EUR",
        "assignments": 200,
        "seconds_per_task": 30,
        "reward": "0.12",
        "fee": "0.04",
        "total_rewards": "24.00",
        "total_fees": "8.00",
        "total": "32.00",
        "hourly": "14.40",
    }


@pytest.mark.parametrize("name", CARDS)
def test_every_card_can_be_read_and_says_where_it_is_from(name: str) -> None:
    card = read_card(name)
    assert card.name == name
    assert len(card.note) > 40


def test_an_unknown_card_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="give one of mturk-2026, turkle, prolific"):
        read_card("mturk-2027")


@pytest.mark.parametrize(
    ("old", "new"), [('"0.333"', "0.333"), ('"0.333"', '"-1"'), ("EUR", "euro"), ("format = 1", "x")]
)
def test_a_broken_card_is_named(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "card.toml"
    path.write_text(CARD.replace(old, new), encoding="utf-8")
    with pytest.raises(SchemaError, match=r"card\.toml"):
        read_card(str(path))


def test_what_is_no_amount_is_wrong_use() -> None:
    for text in ["free", "-1", "nan", "inf", "1,50", ""]:
        with pytest.raises(UsageError, match="not an amount"):
            amount(text)
