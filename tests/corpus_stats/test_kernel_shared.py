"""Counts of real corpora against the frozen reference, whole and in small segments."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from ncimp.corpus_stats.counting.run import RunOptions
from ncimp.corpus_stats.counting.segment import SegmentPlan
from ncimp.corpus_stats.kernel.blocks import CONLLU
from ncimp.corpus_stats.patterns import PatternTable
from ncimp.corpus_stats.store.store import StatisticsStore
from tests.kernel_corpora import PATTERNS, REFERENCE, Corpus, Unit, count_into, files_of, wac_text

SEGMENTS = RunOptions(workers=2, segment_bytes=1)
FILES = ("en_ewt-ud-dev", "en_ewt-ud-test", "pt_bosque-ud-dev", "pt_bosque-ud-test", "pt_gsd-ud-dev", "pt_gsd-ud-test")


def treebank(path: Path) -> Corpus:
    """Read a treebank naively: a range has a surface only, the words it covers have none."""
    corpus: Corpus = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        sentence: list[Unit] = []
        covered = 0
        for line in block.split("\n"):
            cells = line.split("\t")
            if line[0] == "#" or "." in cells[0]:
                continue
            if "-" in cells[0]:
                covered = int(cells[0].split("-")[1])
                sentence.append((cells[1], "", None))
            else:
                sentence.append((None if int(cells[0]) <= covered else cells[1], cells[3], cells[2]))
        corpus.append(sentence)
    return corpus


def tagged(path: Path, mark: str) -> Corpus:
    """Read the `word/tag` or `word_TAG` files of an archive of NLTK; there are no lemmas, so words stand for them."""
    corpus: Corpus = []
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith("/") or "README" in name or "cats" in name or "CONTENTS" in name:
                continue
            for line in archive.read(name).decode("latin-1" if mark == "_" else "utf-8").split("\n"):
                units = [token.rpartition(mark) for token in line.split()]
                if units:
                    corpus.append([(word or "_", tag.upper(), word or "_") for word, _, tag in units])
    return corpus


def check(store: Path, corpus: Corpus, classes: dict[str, str]) -> None:
    patterns = [(pattern.id, pattern.parts, pattern.words) for pattern in PATTERNS]
    with StatisticsStore.open(store) as opened:
        opened.verify()
        assert opened.header.sentences == len(corpus)
        for layer in ("surface", "lemma"):
            words, pairs = REFERENCE.count_words(corpus, layer), REFERENCE.count_pairs(corpus, layer)
            assert opened.totals(layer).tokens == sum(words.values()) > 10_000
            assert opened.header.tables[f"{layer}-words.arrow"].rows == len(words)
            assert all(opened.count(word, layer) == words[word] for word in list(words)[::50])
            assert {(first, second): count for first, second, count in opened.pairs(layer)} == pairs
            found = {(one.pattern, one.words): one.count for one in opened.candidates(layer)}
            assert found == REFERENCE.count_candidates(corpus, layer, classes, patterns)
            assert len(found) > 100


@pytest.mark.shared
@pytest.mark.parametrize("name", FILES)
def test_treebanks(shared: Path, tmp_path: Path, name: str) -> None:
    path = shared / "sources" / "corpora" / f"{name}.conllu"
    table = PatternTable({"noun": "NOUN", "adj": "ADJ", "prep": "ADP"}, PATTERNS)
    for options in (RunOptions(workers=1), SEGMENTS):
        count_into(
            tmp_path / str(options.workers), [path], layout=CONLLU, plan=SegmentPlan(patterns=table), options=options
        )
    check(tmp_path / "1", treebank(path), {"NOUN": "noun", "ADJ": "adj", "ADP": "prep"})
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(
    ("archive", "mark", "classes"),
    [
        ("brown.zip", "/", {"NN": "noun", "NNS": "noun", "JJ": "adj", "IN": "prep"}),
        ("mac_morpho.zip", "_", {"N": "noun", "ADJ": "adj", "PREP": "prep"}),
    ],
)
def test_tagged_corpora(shared: Path, tmp_path: Path, archive: str, mark: str, classes: dict[str, str]) -> None:
    corpus = tagged(shared / "sources" / "corpora" / archive, mark)
    (tmp_path / "c.vert").write_text(wac_text(corpus).replace("&", "&amp;"), encoding="utf-8")
    expressions = {name: "|".join(tag for tag in classes if classes[tag] == name) for name in ("noun", "adj", "prep")}
    plan = SegmentPlan(patterns=PatternTable(expressions, PATTERNS))
    count_into(tmp_path / "s", [tmp_path / "c.vert"], plan=plan, options=RunOptions(workers=2, segment_bytes=1 << 22))
    check(tmp_path / "s", corpus, classes)
