"""The evaluation from Python: what the function is asked, what comes out, and vectors that cannot be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncimp.evaluator import Evaluation, Options, evaluate, read_release, write_evaluation
from ncimp.evaluator.evaluation import evaluate_source
from ncimp.evaluator.release import Release
from ncimp.evaluator.vectors import checked_vectors, open_vectors
from ncimp.schemas.errors import EvaluationError, UsageError
from tests.evaluator.tiny import Tiny, file_model, known_signs

FEW = Options(resamples=100)
Spans = list[tuple[int, int]]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    made = Tiny(tmp_path_factory.mktemp("api") / "ncimp", compounds=6)
    made.write()
    return made


@pytest.fixture(scope="module")
def release(tiny: Tiny) -> Release:
    return read_release(tiny.folder)


def of_text(text: str) -> list[float]:
    """Return a vector that depends on every character."""
    return [float(sum(ord(c) ** power % 97 * (place + 1) for place, c in enumerate(text))) for power in (1, 2, 3, 4)]


def encode(sentences: list[str], spans: Spans) -> Any:
    inside = [sentence[start:end] for sentence, (start, end) in zip(sentences, spans, strict=True)]
    return np.array([of_text(s) for s in sentences]), np.array([of_text(s) for s in inside])


def test_a_function_gives_what_its_vectors_give(tiny: Tiny, release: Release, tmp_path: Path) -> None:
    found = evaluate(tiny.folder, encode, name="mine", options=FEW)
    items = release.items
    sentence, span = encode([item.sentence for item in items], [item.span for item in items])
    path = tmp_path / "m.npz"
    np.savez(path, ids=np.array([item.id for item in items]), sentence=sentence, span=span)
    same = evaluate_source(release, open_vectors(path, items), model=file_model(path), options=FEW)
    assert [(r.measure, r.mean, r.rho) for r in found.document.results] == [
        (r.measure, r.mean, r.rho) for r in same.document.results
    ]
    model = found.document.signature.model
    assert (model.name, model.kind, model.sha256) == ("mine", "callable", None)
    assert {r.model for r in found.document.results} == {"mine"}
    write_evaluation(tmp_path / "out", found)
    assert (tmp_path / "out" / "results.json").is_file()


def test_each_distinct_sentence_is_asked_for_once(release: Release) -> None:
    asked: list[tuple[str, tuple[int, int]]] = []
    sizes = []

    def watched(sentences: list[str], spans: Spans) -> Any:
        asked.extend(zip(sentences, spans, strict=True))
        sizes.append(len(sentences))
        return encode(sentences, spans)

    evaluate(release, watched, options=FEW, batch=100)
    assert len(asked) == len(set(asked)) == len({(item.sentence, item.span) for item in release.items})
    assert max(sizes) == 100
    assert all(sentence[slice(*span)].startswith("c") for sentence, span in asked)


def test_without_spans_there_is_no_nc_level(release: Release) -> None:
    found = evaluate(release, lambda sentences, spans: encode(sentences, spans)[0], options=FEW)
    assert {r.level for r in found.document.results} == {"sentence"}


def test_a_row_of_nan_is_missing_and_counted(release: Release) -> None:
    def holed(sentences: list[str], spans: Spans) -> Any:
        vectors = encode(sentences, spans)[0]
        vectors[[s.startswith("a c3_syn in nat1") for s in sentences]] = np.nan
        return vectors

    found = evaluate(release, holed, options=FEW).document
    (row,) = found.missing
    assert (row.level, row.context, row.variant, row.items, row.missing) == ("sentence", "nat1", "syn", 6, 1)


def by_batch(*answers: Callable[[int], Any]) -> Any:
    """Return a function that answers its n-th call with the n-th of *answers*, each a function of the sentences."""
    calls = iter(answers)
    return lambda sentences, _: next(calls)(len(sentences))


def plain(width: int) -> Callable[[int], Any]:
    return lambda n: np.random.default_rng(0).normal(size=(n, width))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([lambda n: np.ones((n - 1, 3))], "encode returned an array of shape (199, 3) for 200 sentences"),
        ([lambda n: np.ones(n)], "encode returned an array of shape (200,) for 200 sentences; return one row"),
        ([plain(3), plain(4)], "encode returned vectors of width 4 after some of width 3; return vectors of one width"),
        ([plain(3), lambda n: (plain(3)(n), plain(3)(n))], "encode returned spans for some sentences only"),
        ([lambda n: (plain(3)(n), plain(3)(n)), plain(3)], "encode returned spans for some sentences only"),
        (
            [lambda n: np.ones((n, 3))] * 3,
            "all 420 sentence vectors are the same; check that the model reads its input",
        ),
        ([lambda n: np.full((n, 3), [1, 2, np.nan])] * 3, "row 0 of the sentence vectors is infinite or partly NaN"),
        ([lambda n: np.full((n, 3), np.inf)] * 3, "row 0 of the sentence vectors is infinite or partly NaN"),
        ([lambda n: np.full((n, 3), "x")] * 3, "the sentence vectors have shape (420, 3) and type <U1"),
    ],
)
def test_vectors_that_cannot_be_right(release: Release, answers: list[Any], expected: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate(release, by_batch(*answers), options=FEW, batch=200)
    assert str(caught.value).startswith(expected)
    assert caught.value.fix


def test_one_vector_alone_is_not_constant() -> None:
    rows = np.full((3, 2), np.nan)
    assert checked_vectors("nc", rows, 3) is rows
    rows[1] = 1
    assert checked_vectors("nc", rows, 3) is rows


def npz(path: Path, release: Release, made_from: str | list[str]) -> Path:
    ids = np.array([item.id for item in release.items])
    sentence = np.random.default_rng(0).normal(size=(len(ids), 3))
    np.savez(path, ids=ids, sentence=sentence, release=np.array(made_from))
    return path


def evaluated(path: Path, release: Release) -> Evaluation:
    return evaluate_source(release, open_vectors(path, release.items), model=file_model(path), options=FEW)


def test_vectors_of_another_release_are_refused(release: Release, tmp_path: Path) -> None:
    for made_from in ("0.1.0", release.logical_sha256):
        evaluated(npz(tmp_path / "m.npz", release, made_from), release)
    for made_from in ("0.2.0", "cd" * 32):
        with pytest.raises(EvaluationError) as caught:
            evaluated(npz(tmp_path / "m.npz", release, made_from), release)
        assert str(caught.value).startswith(f"the vectors were made from release {made_from!r}, not '0.1.0'; make them")
    with pytest.raises(EvaluationError, match=r"'release' has shape \(1,\) and type"):
        open_vectors(npz(tmp_path / "m.npz", release, ["0.1.0"]), release.items)


def test_options_that_do_not_fit(release: Release) -> None:
    with pytest.raises(UsageError, match="unknown standardisation 'zscore'; give z-score, or top-K such as top-10"):
        evaluate(release, encode, options=Options(resamples=100, standardise=("zscore",)))
    with pytest.raises(UsageError, match="top-5, but the vectors have 4 dimensions; give a smaller number"):
        evaluate(release, encode, options=Options(resamples=100, standardise=("top-5",)))


def test_words_of_the_small_world_are_all_there(tiny: Tiny) -> None:
    assert len(known_signs(tiny)) == 6 * 14
