"""Rows added up: as a dictionary does it, packed in one integer each or not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.counting import merging, sorting, sources
from ncimp.corpus_stats.counting import run as counting_run
from ncimp.corpus_stats.counting.merging import Inputs, row_slices
from ncimp.corpus_stats.counting.run import RunOptions, count_files
from ncimp.corpus_stats.counting.segment import SegmentPlan
from ncimp.corpus_stats.counting.sorting import packing, summed, unpacked
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.kernel.pairs import Packing, renumber_packed
from ncimp.corpus_stats.patterns import PatternTable, TagPattern
from ncimp.corpus_stats.store import files as store_files
from ncimp.corpus_stats.store.files import MappedKeys, write_part_rows
from ncimp.corpus_stats.store.tables import KeyTable, RowTable
from ncimp.schemas.errors import UsageError
from tests.kernel_corpora import files_of

Row = tuple[int, int, int, int, int]
"""First, second, pattern, middle, count."""

WORD = st.sampled_from([0, 1, 2, 5, 2**20, 2**25])
PAIRS = st.lists(st.tuples(WORD, WORD, st.just(0), st.just(0), st.integers(1, 9)), max_size=30)
CANDIDATES = st.lists(st.tuples(WORD, WORD, st.integers(1, 5), st.sampled_from([0, 0, 1, 7]), st.integers(1, 9)))
FLOOR = st.integers(1, 12)


def table_of(rows: list[Row], *, kinds: bool) -> KeyTable:
    columns = np.array(rows, np.uint64).reshape(-1, 5).T
    first, second, pattern, middle, count = columns
    half = np.uint64(32)
    table = (pattern << half) | middle if kinds else np.empty(0, np.uint64)
    return KeyTable((first << half) | second, table, count.astype(np.int64))


def rows_of(table: RowTable) -> list[Row]:
    kinds = (table.pattern, table.middle) if len(table.pattern) else (np.zeros(table.size, int),) * 2
    return list(zip(*(column.tolist() for column in (table.first, table.second, *kinds, table.counts)), strict=True))


def naive(rows: list[Row], floor: int) -> list[Row]:
    sums = Counter[tuple[int, int, int, int]]()
    for *row, count in rows:
        sums[row[0], row[1], row[2], row[3]] += count
    return [(*row, sums[row]) for row in sorted(sums) if sums[row] >= floor]


def packed_rows(rows: list[Row], how: Packing) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return *rows* as integers, by the words of `Packing`: from the highest bit down."""
    numbers = [
        (((first << how.bits | second) << how.kinds | pattern) << how.count_bits) | count
        for first, second, pattern, _, count in rows
    ]
    return np.array(numbers, np.uint64)


@settings(deadline=None)
@example([(0, 0, 0, 0, 1)], 1)
@example([(0, 0, 0, 0, 3), (0, 1, 0, 0, 1), (0, 0, 0, 0, 4)], 7)
@given(PAIRS, FLOOR)
def test_pairs_are_added_up_packed_or_not(rows: list[Row], floor: int) -> None:
    how = packing(2**26, 0)
    assert how == Packing(26, 0, 12)
    assert rows_of(unpacked(packed_rows(rows, how), how, floor)) == naive(rows, floor)
    assert rows_of(summed(table_of(rows, kinds=False), floor)) == naive(rows, floor)


@settings(deadline=None)
@example([(0, 0, 1, 0, 1), (0, 0, 5, 0, 2)], 2)
@given(CANDIDATES, FLOOR)
def test_candidates_are_added_up_packed_or_not(rows: list[Row], floor: int) -> None:
    how = packing(2**26, 5)
    assert how == Packing(26, 3, 9)
    assert rows_of(summed(table_of(rows, kinds=True), floor)) == naive(rows, floor)
    of_two = [row for row in rows if not row[3]]
    assert rows_of(unpacked(packed_rows(of_two, how), how, floor)) == naive(of_two, floor)


def test_sums_may_be_larger_than_a_packed_count() -> None:
    how = packing(2**30, 0)
    assert how == Packing(30, 0, 4)
    rows = [(2**30 - 1, 2**30 - 1, 0, 0, 15)] * 1000
    assert rows_of(unpacked(packed_rows(rows, how), how)) == [(2**30 - 1, 2**30 - 1, 0, 0, 15_000)]


@pytest.mark.parametrize(
    ("words", "patterns", "how"),
    [
        (0, 0, Packing(1, 0, 62)),
        (1, 1, Packing(1, 1, 61)),
        (2, 4, Packing(1, 3, 59)),
        (3, 3, Packing(2, 2, 58)),
        (2**31, 1, Packing(31, 1, 1)),
        (2**31, 2, None),
        (2**31 + 1, 0, None),
    ],
)
def test_the_bits_of_a_packed_row(words: int, patterns: int, how: Packing | None) -> None:
    assert packing(words, patterns) == how


def columns_of(rows: list[Row], *, kinds: bool) -> RowTable:
    first, second, pattern, middle, count = np.array(rows, np.int64).reshape(-1, 5).T
    shown = slice(None if kinds else 0)
    columns = (first.astype(np.uint32), second.astype(np.uint32))
    numbers = RowTable(*columns, pattern.astype(np.uint8)[shown], middle.astype(np.uint32)[shown], count.copy())
    for column in numbers:
        column.flags.writeable = False
    return numbers


NEW_NUMBERS = np.array([0, 0, 1, 1, 2], np.int32)
"""Words 1 and 3 are left out."""


@pytest.mark.parametrize("kinds", [False, True])
def test_rows_of_words_that_are_left_out_are_left_out(kinds: bool) -> None:
    how = Packing(2, 3 * kinds, 4)
    rows = [(one, two, 2 * kinds, 0, 15) for one in range(5) for two in range(5)]
    packed = np.zeros(30, np.uint64)
    found = renumber_packed(columns_of(rows, kinds=kinds), NEW_NUMBERS, packed, 3, how)
    kept = [(one, two, 2 * kinds, 0, 15) for one in range(3) for two in range(3)]
    assert found == 3 + len(kept)
    assert rows_of(unpacked(packed[3:found], how)) == kept


def test_a_row_that_does_not_fit_is_told() -> None:
    how, packed = Packing(2, 3, 4), np.zeros(3, np.uint64)
    for row, fits in (((0, 2, 1, 0, 15), True), ((0, 2, 1, 0, 16), False), ((0, 2, 1, 1, 1), False)):
        found = renumber_packed(columns_of([(2, 2, 1, 0, 1), row], kinds=True), NEW_NUMBERS, packed, 0, how)
        assert found == (2 if fits else -1)


TEXT = (
    "<text id='a'>\n"
    + "<s>\nold\tJJ\told\nwell-made\tNN\twell-made\nhouse\tNN\thouse\n</s>\n" * 600
    + "<s>\nhouse\tNN\thouse\nof\tIN\tof\ncard\tNN\tcard\n</s>\n" * 3
    + "".join(f"<s>\nw{number}\tNN\tw{number}\nhouse\tNN\thouse\n</s>\n" for number in range(40))
    + "<s>\nodd\tNN\todd\u2010\n</s>\n" * 9  # a hyphen inside its bytes, but not inside the word
    + "</text>\n"
)
TWO_WORDS = PatternTable(
    {"noun": "NN", "adj": "JJ"},
    (TagPattern("N_N", ("noun", "noun")), TagPattern("A_N", ("adj", "noun")), TagPattern("hyphenated", ("noun",))),
)
THREE_WORDS = PatternTable(
    {"noun": "NN", "adj": "JJ", "prep": "IN"},
    (
        TagPattern("N_N", ("noun", "noun")),
        TagPattern("N_of_N", ("noun", "prep", "noun"), ("of",)),
        TagPattern("N_P_N", ("noun", "prep", "noun")),
        TagPattern("hyphenated", ("noun",)),
    ),
)


@pytest.mark.parametrize("patterns", [TWO_WORDS, THREE_WORDS])
@pytest.mark.parametrize("min_count", [1, 5])
def test_a_store_is_the_same_however_its_rows_were_added_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patterns: PatternTable, min_count: int
) -> None:
    """All packed that can be; none; only those counted less than sixteen times; and a few rows at a time."""
    path = tmp_path / "corpus.vert"
    path.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(sources, "BLOCK_BYTES", 4096)
    job, options = (
        Job("en", "wac", plan=SegmentPlan(patterns=patterns)),
        RunOptions(1 << 30, 2, min_count, segment_bytes=9000),
    )
    found = []
    for how in ("packed", "general", "some", "slices"):
        with monkeypatch.context() as patched:
            if how == "general":
                patched.setattr(sorting, "packing", lambda *_: None)
                patched.setattr(merging, "packing", lambda *_: None)
            if how == "some":
                patched.setattr(sorting, "_WORD_BITS", 16)
            if how == "slices":
                patched.setattr(counting_run, "SLICE_BYTES", 100)
            out = tmp_path / how
            count_files([str(path)], out, job, options)
        found.append(files_of(out))
    assert found[0] == found[1] == found[2] == found[3]


def test_middle_words_of_a_pattern_of_two_words_are_refused() -> None:
    with pytest.raises(UsageError, match="names middle words, but has 2 parts"):
        PatternTable({"noun": "NN"}, (TagPattern("N_de_N", ("noun", "noun"), ("de",)),))


FIRSTS = st.lists(st.integers(0, 9), max_size=30).map(sorted)


@settings(deadline=None)
@example([0, 0, 0, 0, 3, 3, 3, 3], 0, 8, 3)
@given(FIRSTS, st.integers(0, 30), st.integers(0, 30), st.integers(0, 10))
def test_the_first_row_of_a_word_is_found_among_some_rows(firsts: list[int], begin: int, end: int, wanted: int) -> None:
    """In tables of batches of four rows; what is looked for is in the rows, or just after them."""
    place = next((row for row, first in enumerate(firsts) if first >= wanted), len(firsts))
    rows = range(min(begin, place), max(place, min(end, len(firsts))))
    numbers = np.array(firsts, np.uint32)
    table = RowTable(numbers, numbers, np.empty(0, np.uint8), np.empty(0, np.uint32), np.ones(len(firsts), np.int64))
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_files, "BATCH_ROWS", 4)
        write_part_rows(Path(name) / "t-pairs.arrow", table)
        mapped = MappedKeys(Path(name) / "t-pairs.arrow")
        assert mapped.from_first(wanted, rows) == place
        mapped.close()


@pytest.mark.parametrize("rows", [1, 2, 7, 40])
def test_slices_are_all_rows_in_order_cut_between_words(tmp_path: Path, rows: int) -> None:
    """Two stores of the words 0 to 9 each, of which the second has lost word 4, so that its numbers are others."""
    firsts = [[0, 0, 1, 3, 3, 3, 4, 9], [0, 2, 2, 5, 8, 8]]
    numbers = [np.arange(10, dtype=np.int32), np.array([0, 1, 2, 3, 5, 6, 7, 8, 9, 9], np.int32)]
    parts = []
    for name, own in enumerate(firsts):
        first = np.array(own, np.uint32)
        table = RowTable(first, first, np.empty(0, np.uint8), np.empty(0, np.uint32), np.ones(len(own), np.int64))
        write_part_rows(tmp_path / f"{name}-pairs.arrow", table)
        parts.append(MappedKeys(tmp_path / f"{name}-pairs.arrow"))
    whole = [range(part.rows) for part in parts]
    found = [runs for _, runs in row_slices(Inputs(parts, numbers), range(10), whole, rows)]
    for number, own in enumerate(firsts):
        assert [row for runs in found for row in runs[number]] == list(range(len(own)))
    words = [{int(numbers[n][firsts[n][row]]) for n in range(2) for row in runs[n]} for runs in found]
    for runs, these in zip(found, words, strict=True):
        assert sum(map(len, runs)) <= rows or len(these) == 1
    assert sum(map(len, words)) == len(set().union(*words))
    for part in parts:
        part.close()
