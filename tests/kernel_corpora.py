"""Sentences as test data: written in a vertical format, counted, compared with the frozen reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncimp.corpus_stats.counting.run import RunOptions, count_sources
from ncimp.corpus_stats.counting.segment import SegmentCounter, SegmentPlan
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.kernel.blocks import CANONICAL, WAC, Layout, canonical, packed
from ncimp.corpus_stats.patterns import PatternTable, TagPattern
from ncimp.corpus_stats.readers.formats import Reading
from ncimp.corpus_stats.store.header import StoreHeader
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import LAYERS, CorpusSentence, Layer, Sentence
from tests.frozen import load_reference

REFERENCE: Any = load_reference("counting_reference")

Unit = tuple[str | None, str, str | None]
Corpus = list[list[Unit]]

CLASSES = {"NN": "noun", "NNS": "noun", "JJ": "adj", "ADP": "prep", "NOUN": "noun", "ADJ": "adj"}
PATTERNS = (
    TagPattern("N_N", ("noun", "noun")),
    TagPattern("A_N", ("adj", "noun")),
    TagPattern("N_de_N", ("noun", "prep", "noun"), ("de",)),
    TagPattern("N_P_N", ("noun", "prep", "noun")),
    TagPattern("hyphenated", ("noun",)),
)
PLAN = SegmentPlan(patterns=PatternTable({"noun": "NNS?|NOUN", "adj": "JJ|ADJ", "prep": "ADP"}, PATTERNS))


def wac_text(corpus: Corpus) -> str:
    """Return *corpus*, all of whose units have both layers, in the format of ukWaC."""
    sentences = ("<s>\n" + "".join("\t".join(map(str, unit)) + "\n" for unit in units) + "</s>\n" for units in corpus)
    return '<text id="t">\n' + "".join(sentences) + "</text>\n"


def count_into(
    out: Path,
    paths: Sequence[Path],
    *,
    layout: Layout = WAC,
    plan: SegmentPlan = PLAN,
    options: RunOptions | None = None,
) -> StoreHeader:
    """Count the files into the store *out*."""
    corpus_format = "wac" if layout.ends == "markup" else "conllu"
    job = Job("en", corpus_format, Reading(encoding=layout.encoding), plan, name="mini", licence="CC0-1.0")
    options = options or RunOptions(workers=1)
    return count_sources([job.source(str(path), options.problems) for path in paths], out, job, options)


def files_of(store: Path) -> dict[str, bytes]:
    """Return the bytes of the tables of a store, by name."""
    return {path.name: path.read_bytes() for path in sorted(store.glob("*.arrow"))}


def check_against_reference(store: Path, corpus: Corpus, classes: dict[str, str] = CLASSES) -> None:
    """Compare all counts of *store* with those of the frozen reference."""
    patterns = [(pattern.id, pattern.parts, pattern.words) for pattern in PATTERNS]
    with StatisticsStore.open(store) as opened:
        opened.verify()
        assert opened.header.sentences == len(corpus)
        for layer in opened.layers:
            words = REFERENCE.count_words(corpus, layer)
            pairs = REFERENCE.count_pairs(corpus, layer)
            assert {word: opened.count(word, layer) for word in words} == words
            assert opened.totals(layer).tokens == sum(words.values())
            assert opened.totals(layer).bigrams == sum(pairs.values())
            assert list(opened.pairs(layer)) == [(*pair, pairs[pair]) for pair in sorted(pairs)]
            found = {(one.pattern, one.words): one.count for one in opened.candidates(layer)}
            assert found == REFERENCE.count_candidates(corpus, layer, classes, patterns)
        empty = [layer for layer in LAYERS if layer not in opened.layers]
        assert not any(REFERENCE.count_words(corpus, layer) for layer in empty)


@dataclass(frozen=True)
class LayerCounts:
    """Counts of one layer as dictionaries."""

    words: dict[str, int]
    pairs: dict[tuple[str, str], int]
    as_first: dict[str, int]
    as_second: dict[str, int]


def count_sentences(sentences: Iterable[Sentence]) -> dict[Layer, LayerCounts]:
    """Return what the kernel counts in *sentences*, as canonical blocks, without a store."""
    counter = SegmentCounter(CANONICAL, SegmentPlan())
    for block in packed(canonical(map(CorpusSentence, sentences)), block_bytes=64):
        counter.add(block)
    found = {}
    for name, layer in counter.finish().layers.items():
        texts = [layer.words.word(number).decode() for number in range(layer.words.size)]
        table = layer.pairs
        rows = zip(table.first.tolist(), table.second.tolist(), table.counts.tolist(), strict=True)
        columns = (layer.words.counts, layer.words.as_first, layer.words.as_second)
        words, as_first, as_second = (dict(zip(texts, column.tolist(), strict=True)) for column in columns)
        pairs = {(texts[one], texts[two]): count for one, two, count in rows}
        found[name] = LayerCounts(words, pairs, as_first, as_second)
    return found
