"""Judgements to scores: Eq. 1 by hand, layers apart, and intervals that hold the truth as often as they say."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

import pytest

from ncimp.builder.annotation.answers.annotators import Rules, mark_excluded
from ncimp.builder.annotation.rehearsal import Crowd, recruit, simulate, truths
from ncimp.builder.annotation.scores import aggregate
from ncimp.builder.records import CLASSES, Judgement, Score, class_of
from tests.annotation.scores_world import judged, key_of


def judgement(annotator: str, item: int | None, comp: int | None, **others: object) -> Judgement:
    known: dict[str, object] = {
        "campaign": "b",
        "platform": "mturk",
        "annotator": annotator,
        "assignment": f"{annotator}{item}",
        "task_id": f"t{item}",
        "kind": "item",
        "mode": "token" if item else "type",
        "lang": "en",
        "compound_id": "en/night-owl",
        "item_id": f"en/night-owl/nat{item}/orig" if item else None,
        "context": f"nat{item}" if item else None,
        "status": "judged" if comp is not None else "unknown",
        "head": comp,
        "modifier": None if comp is None else 5 - comp,
        "comp": comp,
        "synonyms": (),
        "day": None,
        "seconds": 20,
        "passed": None,
        "excluded": None,
        "simulated": False,
    }
    return Judgement(**{**known, **others})  # type: ignore[arg-type]


def by_level(rows: list[Score]) -> Mapping[str | None, Score]:
    return {row.item_id: row for row in rows}


ANSWERS = [
    *(judgement(name, 1, comp) for name, comp in zip("abcd", (0, 0, 1, 3), strict=True)),
    *(judgement(name, 2, comp) for name, comp in zip("ab", (2, 3), strict=True)),
    judgement("a", 3, 5),
]


def test_a_compound_is_the_mean_over_sentences_of_means_over_annotators() -> None:
    """Means 1, 2.5 and 5, so 17/6; the mean of all seven judgements would be 2."""
    scores = by_level(aggregate(ANSWERS))
    whole = scores[None]
    assert whole.comp == pytest.approx(17 / 6, abs=1e-6)
    assert whole.head == whole.comp
    assert whole.modifier == pytest.approx(5 - 17 / 6, abs=1e-6)
    assert (whole.comp_n, whole.soft) == (7, "2 1 1 2 0 1")
    assert whole.comp_sd == pytest.approx(statistics.stdev([0, 0, 1, 3, 2, 3, 5]), abs=1e-6)
    assert whole.class_from_scores == "partly_compositional"
    assert [scores[f"en/night-owl/nat{n}/orig"].comp for n in (1, 2, 3)] == [1.0, 2.5, 5.0]
    assert [scores[f"en/night-owl/nat{n}/orig"].class_from_scores for n in (1, 2, 3)] == [
        "idiomatic",
        "partly_compositional",
        "compositional",
    ]
    assert scores["en/night-owl/nat3/orig"].comp_sd is None
    assert scores["en/night-owl/nat3/orig"].comp_low is None


def test_the_bounds_of_the_classes_are_the_published_ones() -> None:
    assert [class_of(value) for value in (0, 1.4999, 1.5, 3.4999, 3.5, 5)] == [
        *("idiomatic", "idiomatic"),
        *("partly_compositional", "partly_compositional"),
        *("compositional", "compositional"),
    ]
    assert class_of(None) is None


def test_excluded_unknown_checks_and_second_answers_do_not_count() -> None:
    more = [
        judgement("x", 1, 5, excluded="min_gold"),
        judgement("y", 1, None),
        judgement("z", 1, 5, kind="gold", passed=True),
        judgement("a", 1, 5, day="2026-11-21", assignment="again", task_id="t9"),
    ]
    days = [judgement(row.annotator, int(str(row.context)[-1]), row.comp, day="2026-11-20") for row in ANSWERS]
    whole = by_level(aggregate([*more, *days]))[None]
    assert whole == by_level(aggregate(days))[None]
    assert whole.comp_n == 7


def test_a_compound_that_nobody_knew_has_no_score() -> None:
    whole = by_level(aggregate([judgement("a", 1, None), judgement("b", 1, None)]))[None]
    assert (whole.comp, whole.comp_n, whole.class_from_scores, whole.soft) == (None, 0, None, "0 0 0 0 0 0")


def test_one_answer_for_all_sentences_is_a_score_of_the_compound() -> None:
    (whole,) = aggregate([judgement("a", None, 1), judgement("b", None, 2)])
    assert (whole.level, whole.comp, whole.source) == ("compound", 1.5, "type b")


def test_what_a_program_answered_is_marked_first() -> None:
    rows = [*ANSWERS, judgement("e", 1, 1, simulated=True)]
    whole = by_level(aggregate(rows))[None]
    assert whole.simulated
    assert whole.source == "simulated token b"
    assert not by_level(aggregate(ANSWERS))[None].simulated


def test_the_order_of_answers_does_not_matter() -> None:
    assert aggregate(ANSWERS[::-1]) == aggregate(ANSWERS)


COMPOUNDS = [f"en/nc-{n:02d}" for n in range(20)]
EXPERTS = {name: CLASSES[n % 3] for n, name in enumerate(COMPOUNDS)}
SEEDS = range(12)


@pytest.mark.slow
@pytest.mark.parametrize("cheaters", [0.0, 0.2, 0.4])
def test_intervals_hold_the_truth_and_cheaters_are_found(tmp_path: Path, cheaters: float) -> None:
    """20 compounds x 3 sentences x 10 annotators, 12 crowds: 95 % intervals hold the truth 92 to 98 times in 100."""
    from ncimp.builder.annotation.answers.returned import Pseudonyms
    from tests.annotation.scores_world import SALT

    key = key_of(tmp_path, COMPOUNDS)
    compounds: list[bool] = []
    sentences: list[bool] = []
    for seed in SEEDS:
        crowd = Crowd(seed=f"coverage {seed}", cheaters=cheaters)
        rows = mark_excluded(judged(simulate(key, crowd, EXPERTS), key), Rules())
        names = Pseudonyms(SALT)
        cheats = {names.annotator("mturk", one.name) for one in recruit(crowd) if one.habit != "careful"}
        assert {row.annotator for row in rows if row.excluded} == cheats  # precision and recall are 1
        truth = truths(key, crowd, EXPERTS)
        items = {one["item_id"]: one["comp"] for one in truth}
        whole = {
            name: statistics.fmean(one["comp"] for one in truth if one["compound_id"] == name) for name in COMPOUNDS
        }
        for row in aggregate(rows):
            assert row.comp_low is not None
            assert row.comp_high is not None
            true = whole[row.compound_id] if row.item_id is None else items[row.item_id]
            (compounds if row.item_id is None else sentences).append(row.comp_low <= true <= row.comp_high)
    assert 0.92 <= statistics.fmean(compounds) <= 0.985
    assert 0.92 <= statistics.fmean(sentences) <= 0.985


def test_without_exclusion_cheaters_pull_scores_away_from_the_truth(tmp_path: Path) -> None:
    key = key_of(tmp_path, COMPOUNDS)
    crowd = Crowd(seed="pull", cheaters=0.4)
    rows = judged(simulate(key, crowd, EXPERTS), key)
    truth = truths(key, crowd, EXPERTS)
    whole = {name: statistics.fmean(one["comp"] for one in truth if one["compound_id"] == name) for name in COMPOUNDS}

    def error(judgements: list[Judgement]) -> float:
        scores = [row for row in aggregate(judgements) if row.level == "compound"]
        return statistics.fmean(abs((row.comp or 0.0) - whole[row.compound_id]) for row in scores)

    assert error(mark_excluded(rows, Rules())) < 0.25
    assert error(rows) > 0.5
