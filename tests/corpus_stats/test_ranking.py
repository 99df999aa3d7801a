"""Stores taken together, and the lists of the strongest candidates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.segment import SegmentPlan
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.patterns import PatternTable, TagPattern
from ncimp.corpus_stats.store.store import RANKINGS, Counts, StatisticsStore
from ncimp.schemas.errors import SourceError, UsageError
from ncimp.schemas.records import to_row
from tests.schemas.checking import check_row

ONE = "eager beaver , eager beaver\nrat race\n"
TWO = "eager beaver\nthe rat race\nthe race\n"

PATTERNS = PatternTable(
    {"noun": "NN", "prep": "IN"},
    (
        TagPattern("N_N", ("noun", "noun")),
        TagPattern("N_de_N", ("noun", "prep", "noun"), ("de",)),
        TagPattern("hyphenated", ("noun",)),
    ),
)


def _sentence(*units: tuple[str, str]) -> str:
    return "<s>\n" + "".join(f"{word}\t{tag}\t{word}\n" for word, tag in units) + "</s>\n"


TAGGED = (
    _sentence(("eager", "NN"), ("beaver", "NN"))
    + _sentence(("rat", "NN"), ("race", "NN"))
    + _sentence(("rat-race", "NN"))
    + 4 * _sentence(("lua", "NN"), ("de", "IN"), ("mel", "NN"))
)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def stored(folder: Path, name: str, text: str, stack: ExitStack, lang: str = "en") -> StatisticsStore:
    corpus, path = folder / f"{name}.txt", folder / f"{name}.stats"
    corpus.write_text(text, encoding="utf-8")
    count_files([str(corpus)], path, Job(lang, "text"))
    return stack.enter_context(StatisticsStore.open(path))


def tagged(folder: Path, name: str, stack: ExitStack, *, adjacent: bool = True) -> StatisticsStore:
    """Return a store with candidates of three patterns."""
    path = folder / f"{name}.wac"
    path.write_text(f"<text id='{name}'>\n{TAGGED}</text>\n", encoding="utf-8")
    plan = SegmentPlan(adjacent=adjacent, patterns=PATTERNS)
    count_files([str(path)], folder / f"{name}.stats", Job("en", "wac", plan=plan))
    return stack.enter_context(StatisticsStore.open(folder / f"{name}.stats"))


def test_candidates_of_each_pattern_without_adjacent_pairs(tmp_path: Path, stack: ExitStack) -> None:
    store = tagged(tmp_path, "c", stack, adjacent=False)
    assert store.patterns == ("N_N", "N_de_N", "hyphenated")
    counts = Counts((store,))
    assert texts(counts, "N_N") == [("eager beaver", 1), ("rat race", 1)]
    assert texts(counts, "N_de_N") == [("lua de mel", 4)]
    assert texts(counts, "hyphenated") == [("rat-race", 1)]
    (row,) = counts.top(pattern="N_N", layer="surface", by="ppmi", min_count=1, limit=1)
    assert {row.pmi, row.t_score, row.log_likelihood, row.chi_square} == {None}


def texts(counts: Counts, pattern: str | None = None, **options: object) -> list[tuple[str, int]]:
    found = counts.top(**{"pattern": pattern, "layer": "surface", "by": "count", "min_count": 1, "limit": 9} | options)  # type: ignore[arg-type]
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
        values = [getattr(row, by) for row in counts.top(pattern=None, layer="surface", by=by, min_count=1, limit=9)]
        assert values == sorted(values, reverse=True)


def test_an_undefined_measure_comes_last(tmp_path: Path, stack: ExitStack) -> None:
    counts = Counts((tagged(tmp_path, "c", stack),))
    rows = counts.top(pattern="N_de_N", layer="surface", by="ppmi", min_count=1, limit=9)
    (row,) = rows
    assert (row.text, row.count, row.between, row.pattern) == ("lua de mel", 4, "de", "N_de_N")
    assert {getattr(row, by) for by in RANKINGS if by != "count"} == {None}


def test_candidates_of_two_stores_are_added_up(tmp_path: Path, stack: ExitStack) -> None:
    one, two = tagged(tmp_path, "c", stack), tagged(tmp_path, "d", stack)
    assert texts(Counts((one, two)), "N_N") == [("eager beaver", 2), ("rat race", 2)]
    with pytest.raises(SourceError) as caught:
        texts(Counts((one,)), "A_N")
    message = "the counts of 'c' have no candidates of the pattern 'A_N'; it has N_N, N_de_N, hyphenated"
    assert str(caught.value) == message


def test_a_store_without_patterns_says_so(tmp_path: Path, stack: ExitStack) -> None:
    plain = stored(tmp_path, "c", ONE, stack)
    with pytest.raises(
        SourceError, match="have no candidates of the pattern 'N_N'; count again with patterns, or leave"
    ):
        texts(Counts((plain,)), "N_N")


def test_a_layer_that_was_not_counted_and_languages_that_differ(tmp_path: Path, stack: ExitStack) -> None:
    stores = [stored(tmp_path, "c", ONE, stack), stored(tmp_path, "d", TWO, stack, "pt")]
    with pytest.raises(SourceError, match="has no lemma layer"):
        texts(Counts((stores[0],)), layer="lemma")
    with pytest.raises(UsageError, match="stores of several languages: en, pt; name stores of one"):
        Counts(tuple(stores))
