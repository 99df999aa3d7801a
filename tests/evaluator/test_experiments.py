"""The experiments of NCTTI: by hand on a world of a few compounds, and by the reference on random ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncimp.evaluator import Options, evaluate, read_release
from ncimp.evaluator.correlation import correlate_groups
from ncimp.evaluator.evaluation import evaluate_source
from ncimp.evaluator.records import Document, Experiment, Model
from ncimp.evaluator.release import Item, Release, SentenceScore, sentence_scores
from ncimp.schemas.files import Row
from tests.evaluator.tiny import JUDGED, Tiny
from tests.frozen import load_reference

reference = load_reference("measures_reference")
NATURALISTIC = ("nat1", "nat2", "nat3")
RNG = np.random.default_rng(8)
PEOPLE = RNG.integers(0, 6, (10, 3, 2, 3))
"""Judgements of ten compounds in three sentences by two annotators: comp, head, modifier."""


def judgements() -> tuple[Row, ...]:
    return tuple(
        {"item_id": f"en/c{number}/{NATURALISTIC[place]}/orig", "annotator": f"{who:016x}"}
        | dict(zip(("comp", "head", "modifier"), map(int, PEOPLE[number, place, who]), strict=True))
        for number, place, who in np.ndindex(10, 3, 2)
    )


def vector(text: str) -> list[float]:
    return np.random.default_rng([ord(c) for c in text]).normal(size=3).tolist()  # type: ignore[no-any-return]


class ByText:
    """A vector for every text: of the sentence, and of sentence and span together."""

    def sentence(self, items: Sequence[Item]) -> Any:
        return np.array([vector(item.sentence) for item in items])

    def span(self, items: Sequence[Item]) -> Any:
        return np.array([vector(item.sentence + item.sentence[slice(*item.span)]) for item in items])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    tiny = Tiny(tmp_path_factory.mktemp("nctti") / "ncimp", compounds=12, judged=judgements(), comp={11: 2.5})
    return read_release(tiny.write())


@pytest.fixture(scope="module")
def document(release: Release) -> Document:
    model = Model("m", "callable", None, {})
    options = Options(resamples=200, experiments=True)
    return evaluate_source(release, ByText(), model=model, options=options).document


def row(document: Document, experiment: str, unit: str, level: str = "nc") -> Experiment:
    (found,) = [r for r in document.experiments if (r.experiment, r.unit, r.level) == (experiment, unit, level)]
    return found


def sentence(number: int, place: int, level: str = "nc") -> list[float]:
    word = f"c{number}_orig"
    text = f"a {word} in {NATURALISTIC[place]}."
    return vector(text + word if level == "nc" else text)


def judged(who: str, **given: Any) -> Row:
    return JUDGED | {"id": who, "item_id": "i", "annotator": who} | given


def test_scores_are_means_over_annotators() -> None:
    rows = [
        judged("a", day="2026-01-02", comp=1, head=5),
        judged("b", day="2026-01-02", comp=4),
        judged("b", day="2026-01-03", comp=0),  # b's second answer
        judged("c", comp=0, excluded="attention"),
        judged("d", comp=0, item_id=None),  # about all sentences of the compound
    ]
    assert sentence_scores(rows) == {"i": SentenceScore(2.5, 5.0, None)}
    assert sentence_scores([]) == {}


@pytest.mark.parametrize("experiment", ["phrase", "words"])
def test_the_compound_in_its_sentence_against_its_words_alone(document: Document, experiment: str) -> None:
    # a compound of this world has one word, so that the phrase alone is the sum of its words
    comp = PEOPLE[..., 0].mean(axis=2)
    cosines = [[reference.sim(sentence(n, place), vector(f"c{n}c{n}")) for place in range(3)] for n in range(10)]
    token = row(document, experiment, "token")
    assert token.rho == pytest.approx(reference.spearman([*itertools.chain(*cosines)], comp.ravel().tolist()))
    assert (token.n, token.compounds, token.missing) == (30, 10, 6)
    typed = row(document, experiment, "type")
    lone = np.mean([reference.sim(sentence(11, place), vector("c11c11")) for place in range(3)])
    values = [*(math.fsum(each) / 3 for each in cosines), lone]
    assert typed.rho == pytest.approx(reference.spearman(values, [*comp.mean(axis=1).tolist(), 2.5]))
    assert (typed.n, typed.compounds, typed.missing) == (11, 11, 1)


@pytest.mark.parametrize("level", ["sentence", "nc"])
def test_nuance_and_spread(document: Document, level: str) -> None:
    means = PEOPLE.mean(axis=2)
    distances, cosines, spread_of_people, spread_of_model = [], [], [], []
    for number in range(10):
        own = []
        for a, b in itertools.combinations(range(3), 2):
            distances.append(math.dist(means[number, a], means[number, b]))
            own.append(reference.sim(sentence(number, a, level), sentence(number, b, level)))
        cosines += own
        spread_of_model.append(float(np.std(own, ddof=1)))
        spread_of_people.append(float(np.std(means[number, :, 0], ddof=1)))
    nuance, spread = row(document, "nuance", "token", level), row(document, "spread", "type", level)
    assert nuance.rho == pytest.approx(
        reference.spearman(np.round(cosines, 12).tolist(), np.round(distances, 12).tolist())
    )
    assert (nuance.n, nuance.compounds, nuance.missing) == (30, 10, 6)
    assert spread.rho == pytest.approx(
        reference.spearman(np.round(spread_of_model, 12).tolist(), np.round(spread_of_people, 12).tolist())
    )
    assert (spread.n, spread.missing) == (10, 2)


def test_resamples_are_drawn_rho_by_compound(document: Document) -> None:
    token = row(document, "phrase", "token")
    assert token.low is not None
    assert token.rho is not None
    assert token.low < token.rho < (token.high or 0)
    assert 0 < (token.p or 0) <= (token.p_holm or 0) <= 1
    # three copies of each observation say no more than one, when it is compounds that are drawn
    x, y = np.random.default_rng(2).normal(size=(2, 20))
    single = correlate_groups(x, y, np.arange(20), resamples=500)
    tripled = correlate_groups(np.repeat(x, 3), np.repeat(y, 3), np.repeat(np.arange(20), 3), resamples=500)
    assert (tripled.low, tripled.high) == pytest.approx((single.low, single.high))


def test_without_scores_one_line_says_so(tmp_path: Path) -> None:
    release = read_release(Tiny(tmp_path / "ncimp", compounds=6).write())
    options = Options(resamples=100, experiments=True)
    found = evaluate_source(release, ByText(), model=Model("m", "x", None, {}), options=options).document
    assert found.experiments == ()
    assert found.notes == (
        "en: the release has no human scores, so rho is with the ordinal class of the pack.",
        "en: the release has no human scores, so there are no experiments of NCTTI.",
    )


def test_scores_of_compounds_alone_give_the_type_level(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=6, comp={number: float(number) for number in range(5)})
    options = Options(resamples=100, experiments=True)
    release = read_release(tiny.write())
    found = evaluate_source(release, ByText(), model=Model("m", "x", None, {}), options=options).document
    assert {(r.experiment, r.unit): r.n for r in found.experiments if r.level == "nc"} == {
        ("phrase", "token"): 0, ("phrase", "type"): 5, ("words", "token"): 0, ("words", "type"): 5,
        ("nuance", "token"): 0, ("spread", "type"): 0,
    }  # fmt: skip
    assert found.notes == (
        "en: 1 of 6 compounds have no human score and are left out.",
        "en: the release has no scores of single sentences, so experiments are by type only.",
    )


def test_vectors_without_spans_have_experiments_across_sentences_only(release: Release) -> None:
    options = Options(resamples=100, experiments=True)
    found = evaluate(release, lambda texts, _: np.array([vector(t) for t in texts]), options=options).document
    assert {r.experiment for r in found.experiments} == {"nuance", "spread"}
    assert "en: the vectors have no spans, so the NC level is left out." in found.notes


def test_precomputed_vectors_cannot_stand_alone(release: Release, tmp_path: Path) -> None:
    from ncimp.evaluator.vectors import open_vectors

    items = release.items
    source = ByText()
    path = tmp_path / "m.npz"
    np.savez(path, ids=np.array([i.id for i in items]), sentence=source.sentence(items), span=source.span(items))
    options = Options(resamples=100, experiments=True)
    model = Model("m", "precomputed", None, {})
    found = evaluate_source(release, open_vectors(path, items), model=model, options=options).document
    assert {r.n for r in found.experiments if r.experiment in ("phrase", "words")} == {0}
    assert "en: the vectors have none of compounds that stand alone, so experiment 1 is left out." in found.notes
    assert row(found, "nuance", "token").n == 30
