"""Stores taken together, and the lists of the strongest candidates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from ncimp.corpus_stats.counting.counting import Job, count_files
from ncimp.corpus_stats.store.header import LayerTotals
from ncimp.corpus_stats.store.lookups import CandidateSource, Counted, Counts, CountSource, OpenStore, as_source
from ncimp.corpus_stats.store.ranking import RANKINGS, top
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.errors import SourceError, UsageError
from ncimp.schemas.records import to_row
from tests.schemas.checking import check_row

ONE = "eager beaver , eager beaver\nrat race\n"
TWO = "eager beaver\nthe rat race\nthe race\n"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def stored(folder: Path, name: str, text: str, stack: ExitStack, lang: str = "en") -> OpenStore:
    corpus, path = folder / f"{name}.txt", folder / f"{name}.stats"
    corpus.write_text(text, encoding="utf-8")
    count_files([str(corpus)], path, Job(lang, "text"))
    return OpenStore(stack.enter_context(StatisticsStore.open(path)))


class Tagged(OpenStore):
    """A store with candidates by pattern."""

    patterns = ("N_N", "N_de_N")

    def candidates(self, pattern: str, layer: Layer) -> Iterator[Counted]:
        assert layer == "surface"
        rows: dict[str, list[Counted]] = {
            "N_N": [("eager", None, "beaver", 1), ("rat", None, "race", 1)],
            "N_de_N": [("lua", "de", "mel", 4)],
        }
        yield from rows[pattern]


def test_a_store_that_lists_patterns_in_its_header_has_candidates(tmp_path: Path, stack: ExitStack) -> None:
    plain = stack.enter_context(StatisticsStore.open(_path(tmp_path, stack)))
    assert type(as_source(plain)) is OpenStore
    rows = [
        SimpleNamespace(pattern="N_N", words=("rat", "race"), count=2),
        SimpleNamespace(pattern="N_P_N", words=("lua", "de", "mel"), count=3),
        SimpleNamespace(pattern="hyphenated", words=("rat-race",), count=4),
    ]
    patterns = [{"id": name} for name in ("N_N", "N_P_N", "hyphenated")]
    fake = SimpleNamespace(
        lang="en",
        source="c",
        layers=("surface",),
        pairs=plain.pairs,
        pair=plain.pair,
        word=plain.word,
        totals=lambda _: LayerTotals(5, 0),
        header=SimpleNamespace(patterns=patterns),
        candidates=lambda _: iter(rows),
    )
    counts = Counts((as_source(fake),))  # type: ignore[arg-type]
    assert texts(counts, "N_N") == [("rat race", 2)]
    assert texts(counts, "N_P_N") == [("lua de mel", 3)]
    assert texts(counts, "hyphenated") == [("rat-race", 4)]
    # no adjacent pairs were counted, so there is no association
    (row,) = top(counts, pattern="N_N", layer="surface", by="ppmi", min_count=1, limit=1)
    assert {row.pmi, row.t_score, row.log_likelihood, row.chi_square} == {None}


def texts(counts: Counts, pattern: str | None = None, **options: object) -> list[tuple[str, int]]:
    found = top(counts, **{"pattern": pattern, "layer": "surface", "by": "count", "min_count": 1, "limit": 9} | options)  # type: ignore[arg-type]
    for row in found:
        check_row("candidate", to_row(row))
    return [(row.text, row.count) for row in found]


def test_two_stores_are_as_one_of_both_corpora(tmp_path: Path, stack: ExitStack) -> None:
    one, two = stored(tmp_path, "one", ONE, stack), stored(tmp_path, "two", TWO, stack)
    both = stored(tmp_path, "both", ONE + TWO, stack)
    together, whole = Counts((one, two)), Counts((both,))
    assert list(together.counted(None, "surface")) == list(whole.counted(None, "surface"))
    for pair in (("eager", "beaver"), ("rat", "race"), ("the", "race"), ("none", "race")):
        ours, theirs = together.pair(*pair, "surface"), whole.pair(*pair, "surface")
        assert ours.source == "one; two"
        assert {name: getattr(ours, name) for name in ours.__slots__ if name != "source"} == {
            name: getattr(theirs, name) for name in theirs.__slots__ if name != "source"
        }


def test_measures_of_a_pair_worked_out_by_hand(tmp_path: Path, stack: ExitStack) -> None:
    """Of 4 bigrams, 2 are eager beaver, 1 rat race, 1 the race."""
    counts = Counts((stored(tmp_path, "c", "eager beaver , eager beaver\nrat race\nthe race\n", stack),))
    pair = counts.pair("rat", "race", "surface")
    assert (pair.first_count, pair.second_count, pair.pair_count) == (1, 2, 1)
    assert (pair.pmi, pair.ppmi) == (1.0, 1.0)
    assert (pair.t_score, pair.dice) == (0.5, 2 / 3)
    assert pair.chi_square == pytest.approx(4 / 3)
    assert pair.log_likelihood is not None


def test_candidates_stand_in_order_and_ties_by_words(tmp_path: Path, stack: ExitStack) -> None:
    counts = Counts((stored(tmp_path, "c", ONE + TWO, stack),))
    assert texts(counts) == [("eager beaver", 3), ("rat race", 2), ("the race", 1), ("the rat", 1)]
    assert texts(counts, min_count=2, limit=1) == [("eager beaver", 3)]
    for by in RANKINGS:
        values = [getattr(row, by) for row in top(counts, pattern=None, layer="surface", by=by, min_count=1, limit=9)]
        assert values == sorted(values, reverse=True)


def test_an_undefined_measure_comes_last(tmp_path: Path, stack: ExitStack) -> None:
    store = Tagged(stack.enter_context(StatisticsStore.open(_path(tmp_path, stack))))
    rows = top(Counts((store,)), pattern="N_de_N", layer="surface", by="ppmi", min_count=1, limit=9)
    (row,) = rows
    assert (row.text, row.count, row.between, row.pattern) == ("lua de mel", 4, "de", "N_de_N")
    assert {getattr(row, by) for by in RANKINGS if by != "count"} == {None}


def test_candidates_by_pattern(tmp_path: Path, stack: ExitStack) -> None:
    path = _path(tmp_path, stack)
    one, two = (Tagged(stack.enter_context(StatisticsStore.open(path))) for _ in range(2))
    assert isinstance(one, CandidateSource)
    assert texts(Counts((one, two)), "N_N") == [("eager beaver", 2), ("rat race", 2)]
    with pytest.raises(SourceError) as caught:
        texts(Counts((one,)), "A_N")
    assert str(caught.value) == "the counts of 'c' have no candidates of the pattern 'A_N'; it has N_N, N_de_N"


def test_a_store_without_patterns_says_so(tmp_path: Path, stack: ExitStack) -> None:
    plain = stored(tmp_path, "c", ONE, stack)
    assert not isinstance(plain, CandidateSource)
    with pytest.raises(
        SourceError, match="have no candidates of the pattern 'N_N'; count again with patterns, or leave"
    ):
        texts(Counts((plain,)), "N_N")


def test_a_layer_that_was_not_counted_and_languages_that_differ(tmp_path: Path, stack: ExitStack) -> None:
    stores: list[CountSource] = [stored(tmp_path, "c", ONE, stack), stored(tmp_path, "d", TWO, stack, "pt")]
    with pytest.raises(SourceError, match="has no lemma layer"):
        texts(Counts((stores[0],)), layer="lemma")
    with pytest.raises(UsageError, match="stores of several languages: en, pt; name stores of one"):
        Counts(tuple(stores))


def _path(folder: Path, stack: ExitStack) -> Path:
    stored(folder, "c", ONE, stack)
    return folder / "c.stats"
