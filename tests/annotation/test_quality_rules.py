"""What annotators did, and the rules that leave them out without looking at the scores that come out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.annotation.answers.annotators import (
    Annotator,
    Checks,
    Rules,
    broken_rules,
    mark_excluded,
    measure_annotators,
    read_rules,
)
from ncimp.builder.annotation.answers.returned import Pseudonyms
from ncimp.builder.annotation.rehearsal import Crowd, recruit, simulate
from ncimp.builder.records import Judgement
from ncimp.schemas.errors import SchemaError
from tests.annotation.scores_world import SALT, judged, key_of
from tests.annotation.test_aggregation import COMPOUNDS, EXPERTS, judgement

GOOD = Annotator(
    annotator="a",
    answers=60,
    judged=58,
    unknown=2,
    nonsense=0,
    seconds=25.0,
    gold=Checks(5, 5),
    attention=Checks(5, 5),
    same=0.1,
    spread=1.4,
    agreement=0.8,
    bias=0.0,
)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"gold": Checks(5, 2)}, "min_gold"),
        ({"attention": Checks(3, 0)}, "min_attention"),
        ({"seconds": 2.5}, "min_seconds"),
        ({"same": 0.95}, "max_same"),
        ({"judged": 5, "unknown": 55, "same": None}, "min_judged"),
    ],
)
def test_each_rule_leaves_out_whom_it_says(change: dict[str, object], rule: str) -> None:
    assert broken_rules(GOOD, Rules()) == ()
    assert broken_rules(replace(GOOD, **change), Rules()) == (rule,)  # type: ignore[arg-type]
    assert broken_rules(replace(GOOD, **change), Rules(**{rule: None})) == ()  # type: ignore[arg-type]


def test_too_little_evidence_leaves_nobody_out() -> None:
    few = replace(GOOD, gold=Checks(2, 0), attention=Checks(0, 0), seconds=None, answers=5, judged=5, same=1.0)
    assert broken_rules(few, Rules()) == ()


def test_disagreement_leaves_nobody_out_unless_that_is_written() -> None:
    odd = replace(GOOD, agreement=-0.5, bias=2.0)
    assert broken_rules(odd, Rules()) == ()
    assert not Rules().circular
    assert Rules(min_agreement=0.2).circular
    assert broken_rules(odd, Rules(min_agreement=0.2)) == ("min_agreement",)


def test_exclusion_does_not_depend_on_the_scores_of_items(tmp_path: Path) -> None:
    """Every score of every item is turned upside down: the same people are left out."""
    key = key_of(tmp_path, COMPOUNDS)
    rows = judged(simulate(key, Crowd(seed="circular", cheaters=0.4), EXPERTS), key)

    def turned(row: Judgement) -> Judgement:
        if row.kind != "item" or row.comp is None or row.head is None or row.modifier is None:
            return row
        return replace(row, comp=5 - row.comp, head=5 - row.head, modifier=5 - row.modifier)

    before = {row.annotator: row.excluded for row in mark_excluded(rows, Rules())}
    assert any(before.values())
    assert {row.annotator: row.excluded for row in mark_excluded([turned(row) for row in rows], Rules())} == before


def test_each_way_of_cheating_shows_where_it_should(tmp_path: Path) -> None:
    key = key_of(tmp_path, COMPOUNDS, per_item=12)
    crowd = Crowd(seed="habits", workers=12, cheaters=1 / 3)
    rows = measure_annotators(judged(simulate(key, crowd, EXPERTS), key))
    found = {row.annotator: row for row in rows}
    names = Pseudonyms(SALT)
    by_habit = {one.habit: found[names.annotator("mturk", one.name)] for one in recruit(crowd)}
    assert set(by_habit) == {"careful", "random", "straight", "speeder", "reversed"}
    careful = by_habit["careful"]
    assert careful.agreement is not None
    assert careful.agreement > 0.7
    assert (careful.gold.passed, careful.attention.passed) == (5, 5)
    assert abs(by_habit["random"].agreement or 0.0) < 0.4
    assert by_habit["straight"].same == 1.0
    assert by_habit["straight"].agreement is None  # one value has no ranks
    assert (by_habit["speeder"].seconds or 99) < 3
    assert (by_habit["reversed"].agreement or 0.0) < -0.5


def test_leave_one_out_and_lean_by_hand() -> None:
    """Two people say 1, 2, 3, 4, 5 and one says 0, 1, 2, 4, 3: one less on average, and the last two the other way."""
    rows = []
    for n, value in enumerate((1, 2, 3, 4, 5)):
        item = {"compound_id": f"en/c{n}", "item_id": f"en/c{n}/nat1/orig", "task_id": f"t{n}"}
        rows += [judgement(name, 1, value, assignment=f"{name}{n}", **item) for name in "bc"]
        rows += [judgement("a", 1, (0, 1, 2, 4, 3)[n], assignment=f"a{n}", **item)]
    own = measure_annotators(rows)[0]
    assert own.agreement == pytest.approx(0.9)  # 1 - 6 * 2 / (5 * 24)
    assert own.bias == pytest.approx(-1.0)
    assert (own.answers, own.judged, own.seconds) == (5, 5, 20)


def test_time_is_per_sentence() -> None:
    rows = [judgement("a", n, 3, assignment="one", seconds=60) for n in (1, 2, 3)]
    rows.append(judgement("a", 1, 3, assignment="two", seconds=30, compound_id="en/x", item_id="en/x/nat1/orig"))
    assert measure_annotators(rows)[0].seconds == 25


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_rules_that_are_not_written_have_their_defaults(tmp_path: Path) -> None:
    text = "[exclusion]\nmin_gold = 0.75\nmax_same = false\nmin_checks = 2\n"
    assert read_rules(write(tmp_path / "r.toml", text)) == Rules(min_gold=0.75, max_same=None, min_checks=2)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("min_gold = 0.5", "no table"),
        ("[exclusion]\n[other]\n", "no table"),
        ("[exclusion]\nmin_glod = 0.5", "no rule 'min_glod'"),
        ("[exclusion]\nmin_gold = 60", "min_gold cannot be 60"),
        ("[exclusion]\nmin_gold = -0.1", "cannot be -0.1"),
        ("[exclusion]\nmin_gold = true", "cannot be True"),
        ("[exclusion]\nmin_gold = nan", "cannot be nan"),
        ("[exclusion]\nmin_checks = 1.5", "cannot be 1.5"),
        ("[exclusion", "not TOML"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(SchemaError, match=problem) as caught:
        read_rules(write(tmp_path / "r.toml", text))
    assert caught.value.place is not None
