"""Totals on a real treebank against a few lines of plain Python."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import LAYERS

TREEBANK = Path(__file__).parents[3] / "shared" / "sources" / "corpora" / "en_ewt-ud-dev.conllu"


def plain_surface(text: str) -> list[list[str]]:
    """Return the written tokens of each sentence: range lines instead of the words they cover."""
    sentences = []
    for block in text.strip().split("\n\n"):
        cells = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        ranges = [cell[0].split("-") for cell in cells if "-" in cell[0]]
        covered = {str(number) for first, last in ranges for number in range(int(first), int(last) + 1)}
        sentences.append([cell[1].lower() for cell in cells if cell[0] not in covered and "." not in cell[0]])
    return sentences


def plain_lemmas(text: str) -> list[list[str]]:
    """Return the lemmas of each sentence: lines whose id is a plain number."""
    blocks = (block.split("\n") for block in text.strip().split("\n\n"))
    return [[line.split("\t")[2].lower() for line in block if line.split("\t")[0].isdigit()] for block in blocks]


@pytest.mark.shared
def test_totals_of_a_treebank(tmp_path: Path) -> None:
    if not TREEBANK.exists():
        pytest.skip("the development data (../shared) is not beside this checkout")
    text = TREEBANK.read_text(encoding="utf-8")
    header = count_files([str(TREEBANK)], tmp_path / "s", Job("en", "conllu"))
    assert header.sentences == text.count("# sent_id")
    with StatisticsStore.open(tmp_path / "s") as store:
        for layer in LAYERS:
            sentences = plain_surface(text) if layer == "surface" else plain_lemmas(text)
            words = [[any(c.isalnum() for c in token) for token in sentence] for sentence in sentences]
            assert store.totals(layer).tokens == sum(map(sum, words)) > 20_000
            pairs = sum(one and other for flags in words for one, other in pairwise(flags))
            assert store.totals(layer).bigrams == pairs > 15_000
            assert store.count("the", layer) == sum(sentence.count("the") for sentence in sentences) > 0
            together = sum(s[i : i + 2] == ["of", "the"] for s in sentences for i in range(len(s)))
            assert store.pair("of", "the", layer).pair_count == together > 0
