"""Task 2: is a sentence as near to a paraphrase of its sense as to itself, and as far from others as that one is?

For a sentence E, the same with a paraphrase of the right sense, c, and with one of another sense, i (equation 1):

    sim(E, c) = 1        sim(E, i) = sim(c, i)

The figure is Spearman's rho of sim(E, ...) with the right side. The similarity on the right of the second equation is
the model's own (`self`, as in SemEval-2022 task 2), or that of a reference model (`frozen`, as in the paper). Pairs of
other sentences that people have judged (sts) are put among them, because a model to which everything is alike would be
right without them: so there is a figure over all pairs, one over those with a paraphrase (idiom), and one over sts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ncimp.evaluator.answers import Answers
from ncimp.evaluator.measures import FloatArray, cosine
from ncimp.evaluator.records import OfAnswers
from ncimp.evaluator.suites.astitch.detection import words
from ncimp.evaluator.suites.texts import SuiteInput, SuiteText, text_vectors
from ncimp.evaluator.vectors import VectorSource
from ncimp.schemas.suites import ConsistencyPair

Similarity = Callable[[Sequence[SuiteText], Sequence[SuiteText]], FloatArray]


def consistency(data: SuiteInput, lang: str, split: Any) -> Iterator[Answers]:
    """Yield the similarities of the model, and of shared words, beside those that are wanted."""
    rows = [row for row in data.pairs if row.lang == lang and row.split == split]
    if not any(row.role == "incorrect" for row in rows):
        return

    def cosines(source: VectorSource, first: Sequence[SuiteText], second: Sequence[SuiteText]) -> FloatArray:
        return cosine(text_vectors(source, first), text_vectors(source, second))

    if data.reference is not None:
        rows = referred(rows, partial(cosines, data.reference))
    for name, similarity in ((data.model, partial(cosines, data.source)), ("overlap", overlap)):
        place = OfAnswers("astitch", lang, "", split, "", "sentence", name, name == "overlap")
        yield from of_pairs(place, rows, similarity)


def referred(rows: Sequence[ConsistencyPair], similarity: Similarity) -> list[ConsistencyPair]:
    """Return *rows* with the *similarity* by a reference model of each wrong paraphrase that has none."""
    bare = [row for row in rows if row.role == "incorrect" and row.similarity is None]
    wanted_of = (
        dict(zip((row.id for row in bare), _of_others(bare, rows, similarity).tolist(), strict=True)) if bare else {}
    )
    return [replace(row, similarity=wanted_of.get(row.id, row.similarity)) for row in rows]


def of_pairs(place: OfAnswers, rows: Sequence[ConsistencyPair], similarity: Similarity) -> Iterator[Answers]:
    """Yield the similarities of *rows* for each of both wanted ones, over all of them and over each part."""
    predicted = similarity([SuiteText(row.sentence1, row.span1) for row in rows], [_second(row) for row in rows])
    frozen = np.array([np.nan if row.similarity is None else row.similarity for row in rows])
    incorrect = np.array([row.role == "incorrect" for row in rows])
    of_model = frozen.copy()
    of_model[incorrect] = _of_others([row for row in rows if row.role == "incorrect"], rows, similarity)
    judged = np.array([row.role == "sts" for row in rows])
    parts = {"all": np.ones(len(rows), dtype=bool), "idiom": ~judged, "sts": judged}
    groups = [row.compound_id or row.id for row in rows]
    for task, gold in (("consistency_self", of_model), ("consistency_frozen", frozen)):
        whole = Answers(place, ("rho",), [row.id for row in rows], groups, gold, predicted)
        if not np.isnan(frozen[incorrect]).any() or task == "consistency_self":
            for setting, mask in parts.items() if judged.any() else [("idiom", ~judged)]:
                yield whole.of(mask, task=task, setting=setting)


def _of_others(wrong: Sequence[ConsistencyPair], rows: Sequence[ConsistencyPair], similarity: Similarity) -> FloatArray:
    """Return how near the paraphrase of each of *wrong* is to the right one, which stands among *rows*."""
    spans = {row.sentence2: row.span2 for row in rows if row.role == "correct"}  # asked for once with its place
    right = [SuiteText(str(row.correct), spans.get(str(row.correct))) for row in wrong]
    return similarity(right, [_second(row) for row in wrong])


def _second(row: ConsistencyPair) -> SuiteText:
    return SuiteText(row.sentence2, row.span2)


def overlap(first: Sequence[SuiteText], second: Sequence[SuiteText]) -> FloatArray:
    """Return the Jaccard index of the words of each two texts."""
    pairs = [(set(words(one.text)), set(words(other.text))) for one, other in zip(first, second, strict=True)]
    return np.array([len(one & other) / max(1, len(one | other)) for one, other in pairs])
