"""The bench of counting on a corpus of some thousands of tokens: it runs, and what the tools write is a plain count."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
TOKENS = 20_000
CORPUS_SHA256 = "bc6b325f45b518cd322963f4f5eec66cc8d0f6412ed880547a7da400080f0d9a"
NOUNS = {"NN": "N", "NNS": "N"}
MODIFIERS = {**NOUNS, "JJ": "J"}
RUN = re.compile(r"^t[12] .*?, 20,000 tokens, (\w+) .* CPU s .* ([0-9a-f]{16} \([\d,]+ rows\))$", re.MULTILINE)
"""A line of a first run: the tool, and the hash of what it wrote."""


def ran(script: str, *arguments: str) -> str:
    """Run a script of the bench with the packages of these tests; return what it printed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(BENCH / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def generated(path: Path, *, tokens: int = TOKENS, seed: int = 11) -> bytes:
    ran("wac_corpus.py", str(path), "--tokens", str(tokens), "--seed", str(seed))
    return path.read_bytes()


def sentences(text: str) -> list[list[list[str]]]:
    """Return the cells of the lines of each sentence."""
    blocks = [block.split("\n") for block in re.findall(r"<s>\n(.*?)\n</s>", text, re.DOTALL)]
    return [[line.split("\t") for line in block] for block in blocks]


def expected(text: str, task: str) -> str:
    """Return the hash of what *task* writes, by plain counting."""
    rows: Counter[str] = Counter()
    for sentence in sentences(text):
        for cells in sentence:
            rows[cells[0 if task == "t1" else 2]] += 1
        for (word, tag, lemma), (next_word, next_tag, next_lemma) in pairwise(sentence):
            if task == "t1":
                rows[f"{word}\t{next_word}"] += 1
            elif tag in MODIFIERS and next_tag in NOUNS:
                rows[f"{lemma}\t{MODIFIERS[tag]}\t{next_lemma}"] += 1
    kept = [f"{row}\t{count}".encode() for row, count in rows.items() if count >= 5]
    hashes = (hashlib.blake2b(row, digest_size=8).digest() for row in kept)
    total = sum(int.from_bytes(one, "little") for one in hashes) % 2**64
    return f"{total:016x} ({len(kept):,} rows)"


def found(printed: str) -> dict[str, str]:
    return dict(RUN.findall(printed))


def test_the_corpus_is_the_same_each_time(tmp_path: Path) -> None:
    text = generated(tmp_path / "a", tokens=4000)
    assert hashlib.sha256(text).hexdigest() == CORPUS_SHA256  # else figures of other days are of another corpus
    assert sum(map(len, sentences(text.decode()))) == 4000
    assert generated(tmp_path / "b", tokens=4000, seed=12) != text


def test_the_chain_goes_as_it_was_drawn(tmp_path: Path) -> None:
    """After a determiner and its like seven words in ten are nouns or adjectives or verbs, as the table says."""
    text = generated(tmp_path / "a", tokens=100_000).decode()
    function = {"DT", "IN", "PP", "CC"}
    after: Counter[str] = Counter()
    for sentence in sentences(text):
        after.update(two[1] for one, two in pairwise(sentence) if one[1] in function)
    share = {tag: count / sum(after.values()) for tag, count in after.items()}
    assert share["NN"] + share["NNS"] == pytest.approx(0.38, abs=0.01)
    assert share["JJ"] == pytest.approx(0.16, abs=0.01)
    assert share["NP"] == pytest.approx(0.07, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["t1", "t2"])
def test_what_is_counted_is_what_a_plain_count_finds(tmp_path: Path, task: str) -> None:
    pytest.importorskip("polars")
    text = generated(tmp_path / "c", seed=TOKENS).decode()  # the seed of the bench's own corpus
    printed = ran("counting.py", "--tokens", str(TOKENS), "--rounds", "1", "--tasks", task, "--tools", "polars", "mawk")
    hashes = found(printed)
    assert hashes["polars"] == expected(text, task)
    assert "mawk (mawk)" in printed or hashes["mawk"] == hashes["polars"]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["t1", "t2"])
def test_every_tool_that_is_installed_agrees(tmp_path: Path, task: str) -> None:
    pytest.importorskip("numba")
    keep = tmp_path / "corpora"
    printed = ran("counting.py", "--tokens", str(TOKENS), "--rounds", "1", "--tasks", task, "--keep", str(keep))
    (corpus,) = keep.glob("corpus-*.vert")
    hashes = found(printed)
    assert set(hashes.values()) == {expected(corpus.read_text("utf-8"), task)}
    assert "ncimp" in hashes
    assert f"\n{task}: {TOKENS:,} tokens\n" in printed


@pytest.mark.slow
def test_sizes_and_packed_corpora(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    keep = tmp_path / "corpora"
    options = ("--tasks", "packed", "--rounds", "1", "--keep", str(keep))
    printed = ran("counting.py", "--sizes", "5000", "6000", *options)
    assert "dearest/least" in printed
    assert len(list(keep.glob("*.vert.gz"))) == 3  # and the one of the first run
    printed = ran("counting.py", "--tokens", "5000", *options)
    assert "packed: 5,000 tokens" in printed
