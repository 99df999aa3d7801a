"""Merging the words of stores: as adding up dictionaries does, whatever the words and however they are cut."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.counting import merging
from ncimp.corpus_stats.counting.merging import merge_words
from ncimp.corpus_stats.store.files import write_words
from ncimp.corpus_stats.store.tables import WordTable, joined_words

EIGHT = "abcdefgh"
STEMS = ("", "a", "ab", "abcdefg", EIGHT, EIGHT + "i", EIGHT * 2, EIGHT * 2 + "é", EIGHT * 3, "é", "z")
WORDS = st.builds(str.__add__, st.sampled_from(STEMS), st.text("ab\u00e9\u4e2d", max_size=3)).filter(bool)
STORES = st.lists(st.dictionaries(WORDS, st.integers(1, 9), max_size=12), min_size=1, max_size=6)


def table_of(counts: dict[str, int]) -> WordTable:
    words = sorted(word.encode() for word in counts)
    starts = np.cumsum([0, *map(len, words)])
    numbers = np.array([counts[word.decode()] for word in words], np.int64)
    return WordTable(np.frombuffer(b"".join(words), np.uint8), starts, numbers, numbers * 2, numbers * 3)


@settings(max_examples=150, deadline=None)
@example([{EIGHT: 1, EIGHT + "i": 1}, {EIGHT * 2 + "a": 4, EIGHT * 2 + "b": 5}], 1, 1)
@example([{}, {"a": 1}, {}], 1, 2)
@given(STORES, st.integers(1, 12), st.integers(1, 20))
def test_words_are_added_up_and_numbered(stores: list[dict[str, int]], min_count: int, slice_words: int) -> None:
    total = Counter[str]()
    for counts in stores:
        total.update(counts)
    kept = sorted((word for word in total if total[word] >= min_count), key=str.encode)
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "SLICE_WORDS", slice_words)
        paths = [Path(name) / f"{number}-words.arrow" for number in range(len(stores))]
        for path, counts in zip(paths, stores, strict=True):
            write_words(path, table_of(counts))
        merged, numbers = merge_words(paths, min_count, workers=2)
    assert [merged.word(number).decode() for number in range(merged.size)] == kept
    assert merged.counts.tolist() == [total[word] for word in kept]
    assert merged.as_first.tolist() == [2 * total[word] for word in kept]
    assert merged.as_second.tolist() == [3 * total[word] for word in kept]
    for counts, number in zip(stores, numbers, strict=True):
        places = [kept.index(word) if word in kept else -1 for word in sorted(counts, key=str.encode)]
        assert number.tolist() == [max([-1, *places[: place + 1]]) for place in range(len(places))]


def test_tables_one_after_the_other() -> None:
    joined = joined_words([table_of({"b": 1}), table_of({}), table_of({"a": 2, "éa": 3})])
    assert [joined.word(number).decode() for number in range(3)] == ["b", "a", "éa"]
    assert joined.counts.tolist() == [1, 2, 3]
