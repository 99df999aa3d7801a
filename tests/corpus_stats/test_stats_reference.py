"""Counts and measures against the frozen naive reference."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.store.store import StatisticsStore, pmi, ppmi, zipf
from ncimp.corpus_stats.words import LAYERS, Sentence, Token
from tests.frozen import load_reference
from tests.kernel_corpora import count_into, count_sentences, wac_text

WORDS = ("a", "b", "c", "d", "é")
CORPORA = st.lists(st.lists(st.sampled_from([*WORDS, None]), min_size=1, max_size=9), min_size=1, max_size=9)


REFERENCE = load_reference("ppmi_reference")

Corpus = list[list[str | None]]


def sentences_of(corpus: Corpus) -> list[Sentence]:
    return [tuple(Token(word or ",", word or ",") for word in sentence) for sentence in corpus]


def same(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


@given(CORPORA)
def test_counts_are_those_of_the_reference(corpus: Corpus) -> None:
    counts = count_sentences(sentences_of(corpus))
    for layer in LAYERS:
        assert counts[layer].words == REFERENCE.unigrams(corpus)
        assert counts[layer].pairs == REFERENCE.bigrams(corpus)


@given(CORPORA)
def test_measures_are_those_of_the_reference(corpus: Corpus) -> None:
    layer = count_sentences(sentences_of(corpus))["surface"]
    tokens, total = sum(layer.words.values()), sum(layer.pairs.values())
    for first in WORDS:
        assert same(zipf(layer.words.get(first, 0), tokens=tokens), REFERENCE.zipf(corpus, first))
        for second in WORDS:
            counts = {"first": layer.as_first.get(first, 0), "second": layer.as_second.get(second, 0), "total": total}
            both = layer.pairs.get((first, second), 0)
            assert same(pmi(both, **counts), REFERENCE.pmi(corpus, first, second))
            assert same(ppmi(both, **counts), REFERENCE.ppmi(corpus, first, second))


@settings(max_examples=15, deadline=None)
@given(CORPORA.filter(lambda corpus: any(word for sentence in corpus for word in sentence)))
def test_a_store_answers_like_the_reference(corpus: Corpus) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.wac"
        units = [[(word or ",", "X", word or ",") for word in sentence] for sentence in corpus]
        path.write_text(wac_text(units), encoding="utf-8")  # type: ignore[arg-type]
        count_into(Path(folder) / "s", [path])
        with StatisticsStore.open(Path(folder) / "s") as store:
            store.verify()
            for first in WORDS:
                for second in WORDS:
                    _check_pair(store, corpus, first, second)


def _check_pair(store: StatisticsStore, corpus: Corpus, first: str, second: str) -> None:
    words, pairs = REFERENCE.unigrams(corpus), REFERENCE.bigrams(corpus)
    for layer in LAYERS:
        pair = store.pair(first, second, layer)
        assert (pair.first_count, pair.second_count) == (words.get(first, 0), words.get(second, 0))
        assert pair.pair_count == pairs.get((first, second), 0)
        assert same(pair.first_zipf, REFERENCE.zipf(corpus, first))
        assert same(pair.second_zipf, REFERENCE.zipf(corpus, second))
        assert same(pair.pmi, REFERENCE.pmi(corpus, first, second))
        assert same(pair.ppmi, REFERENCE.ppmi(corpus, first, second))


COUNT = st.integers(0, 10**12)


@given(COUNT, COUNT, COUNT, COUNT)
def test_ppmi_is_never_negative_and_defined_where_pmi_is(pair: int, first: int, second: int, total: int) -> None:
    information = pmi(pair, first=first, second=second, total=total)
    positive = ppmi(pair, first=first, second=second, total=total)
    assert (information is None) == (positive is None) == (0 in (pair, first, second, total))
    assert positive is None or information is None or positive == max(information, 0.0) >= 0


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**6))
def test_pmi_is_symmetric_and_does_not_change_with_the_size_of_the_corpus(
    pair: int, first: int, second: int, total: int
) -> None:
    value = pmi(pair, first=first, second=second, total=total)
    assert value == pmi(pair, first=second, second=first, total=total)
    assert same(value, pmi(pair * 7, first=first * 7, second=second * 7, total=total * 7))


def test_pmi_of_independent_words_is_0() -> None:
    assert pmi(2, first=8, second=16, total=64) == 0.0
    assert ppmi(2, first=8, second=16, total=64) == 0.0


def test_ppmi_of_words_that_avoid_each_other_is_0() -> None:
    assert pmi(1, first=8, second=16, total=64) == -1.0
    assert ppmi(1, first=8, second=16, total=64) == 0.0


@pytest.mark.parametrize(("count", "tokens", "value"), [(1, 10**9, 0.0), (1, 10**6, 3.0), (5, 5, 9.0), (0, 5, None)])
def test_zipf_values(count: int, tokens: int, value: float | None) -> None:
    assert zipf(count, tokens=tokens) == value
