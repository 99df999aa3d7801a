"""Write a generated corpus in the vertical format of the WaCky corpora, of any size, from a seed.

    python bench/wac_corpus.py corpus.vert --tokens 100000000 --seed 100

Parts of speech follow a first-order chain with transition shares as in English text; words of each are drawn from
a Zipf-Mandelbrot law; after a noun or adjective one token in four is drawn from a few partners of that word, so
that there are collocations. All words are lower-case ASCII with a letter, so that every tool counts the same.
"""

from __future__ import annotations

import argparse
import gzip
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SENTENCE = 19.06
"""Mean words of a sentence, as in Brown and MASC together."""
CHUNK = 1_000_000
"""Tokens drawn at a time."""
FILE = 100_000_000
"""Most tokens of one file of `corpus_files`."""
TOKEN_BYTES = 14
"""Bytes of a token, at most on average."""
FIRST = 4
"""The class before the first token."""

Longs = NDArray[np.int64]

# part of speech: tags with their shares, number of types, exponent and offset of the law
CLASSES: dict[str, tuple[dict[str, float], int, float, float]] = {
    "noun": ({"NN": 0.7, "NNS": 0.3}, 1_500_000, 1.45, 60.0),
    "adj": ({"JJ": 1.0}, 300_000, 1.45, 30.0),
    "verb": ({"VV": 0.4, "VVD": 0.3, "VVG": 0.3}, 30_000, 1.35, 10.0),
    "adv": ({"RB": 1.0}, 8_000, 1.3, 5.0),
    "function": ({"DT": 0.35, "IN": 0.35, "PP": 0.15, "CC": 0.15}, 300, 1.1, 2.0),
    "name": ({"NP": 1.0}, 1_500_000, 1.15, 60.0),
}
CHAIN = np.array(
    [  # to noun, adj, verb, adv, function, name; from:
        [0.17, 0.03, 0.18, 0.06, 0.53, 0.03],  # noun
        [0.70, 0.08, 0.03, 0.02, 0.15, 0.02],  # adj
        [0.10, 0.07, 0.14, 0.10, 0.55, 0.04],  # verb
        [0.06, 0.16, 0.32, 0.12, 0.31, 0.03],  # adv
        [0.38, 0.16, 0.12, 0.05, 0.22, 0.07],  # function
        [0.12, 0.03, 0.22, 0.04, 0.30, 0.29],  # name
    ]
)
ONSETS = ("b", "br", "c", "d", "f", "g", "k", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "v", "w", "z")
SYLLABLES = np.array([onset + vowel for onset in ONSETS for vowel in "aeiou"])
ENDINGS = {"noun": "", "adj": "al", "verb": "e", "adv": "ly", "function": "", "name": "o"}
INFLECTION = {"NNS": "s", "VVD": "d", "VVG": "ng"}


def spelling(number: int, name: str) -> str:
    """Return the lemma with the rank *number* of the class *name*: syllables in mixed order, so no two are alike."""
    base, parts = len(SYLLABLES), list[str]()
    number += 1
    while number:
        parts.append(str(SYLLABLES[(number * 31 + 7 * len(parts)) % base]))
        number //= base
    return "".join(parts) + ENDINGS[name]


class Drawer:
    """Draws tokens; the same seed gives the same corpus."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._laws = {name: _law(types, power, offset) for name, (_, types, power, offset) in CLASSES.items()}
        sizes = [len(shares) * types for shares, types, _, _ in CLASSES.values()]
        self._first = np.cumsum([1, *sizes])
        """By class: the number of its first line; line 0 ends a sentence."""
        self._lines = np.full(self._first[-1], None, np.object_)
        self._lines[0] = b"</s>\n<s>\n"

    def chunk(self, tokens: int) -> bytes:
        """Return about *tokens* tokens as lines, in whole sentences."""
        classes = _chained(self._random.random(tokens))
        numbers = np.empty(tokens, np.int64)
        tags = np.empty(tokens, np.int64)
        for place, (name, (shares, *_)) in enumerate(CLASSES.items()):
            of_class = np.flatnonzero(classes == place)
            numbers[of_class] = np.searchsorted(self._laws[name], self._random.random(len(of_class)))
            tags[of_class] = self._random.choice(len(shares), len(of_class), p=list(shares.values()))
        self._collocate(classes, numbers)
        ends = self._random.random(tokens) < 1 / SENTENCE
        ends[-1] = False  # it ends below
        lines = self._numbered(classes, numbers, tags)
        written = self._lines[np.insert(lines, np.flatnonzero(ends) + 1, 0)]
        return b"".join([b"<s>\n", *written.tolist(), b"</s>\n"])

    def _collocate(self, classes: Longs, numbers: Longs) -> None:
        stuck = np.flatnonzero((classes[:-1] <= 1) & (classes[1:] <= 1) & (self._random.random(len(classes) - 1) < 0.4))
        partner = (numbers[stuck] * 2654435761 + self._random.integers(0, 4, len(stuck)) * 40503) % 20011
        numbers[stuck + 1] = partner * partner // 20011

    def _numbered(self, classes: Longs, numbers: Longs, tags: Longs) -> Longs:
        """Return the number of the line of each token, after new lines were written."""
        shares = np.array([len(shares) for shares, *_ in CLASSES.values()])
        lines = self._first[classes] + numbers * shares[classes] + tags
        new = np.unique(lines[np.equal(self._lines[lines], None)])
        places = np.searchsorted(self._first, new, side="right") - 1
        for line, place, rest in zip(new.tolist(), places.tolist(), (new - self._first[places]).tolist(), strict=True):
            self._lines[line] = _line(place, *divmod(rest, int(shares[place])))
        return lines


def _chained(draws: NDArray[np.float64]) -> Longs:
    """Return the classes that *draws* lead to, one after the other.

    The draws are cut into runs; all runs go forward together, once from each class, and then one after the other says
    from which it began.
    """
    steps = math.isqrt(len(draws)) or 1
    runs = -(-len(draws) // steps)
    padded = np.zeros(runs * steps)
    padded[: len(draws)] = draws
    padded = padded.reshape(runs, steps)
    edges = np.cumsum(CHAIN, axis=1)[:, :-1]
    states = np.tile(np.arange(len(CHAIN)), (runs, 1))
    found = np.empty((steps, runs, len(CHAIN)), np.uint8)
    for step in range(steps):
        states = (edges[states] <= padded[:, step, None, None]).sum(axis=2)
        found[step] = states
    begins, now = np.empty(runs, np.int64), FIRST
    for place in range(runs):
        begins[place] = now
        now = states[place, now]
    return np.ascontiguousarray(found[:, np.arange(runs), begins].T).reshape(-1)[: len(draws)].astype(np.int64)


def _law(types: int, power: float, offset: float) -> NDArray[np.float64]:
    weights = (np.arange(types) + 1 + offset) ** -power
    return np.cumsum(weights / weights.sum())


def _line(place: int, number: int, tag_number: int) -> bytes:
    name = list(CLASSES)[place]
    tag = list(CLASSES[name][0])[tag_number]
    lemma = spelling(number, name)
    return f"{lemma}{INFLECTION.get(tag, '')}\t{tag}\t{lemma}\n".encode("ascii")


def write_corpus(path: Path, *, tokens: int, seed: int) -> None:
    """Write *tokens* tokens to *path*."""
    drawer = Drawer(seed)
    with path.open("wb") as stream:
        stream.write(b'<text id="generated">\n')
        for start in range(0, tokens, CHUNK):
            stream.write(drawer.chunk(min(CHUNK, tokens - start)))
        stream.write(b"</text>\n")


def corpus_files(folder: Path, tokens: int) -> list[Path]:
    """Return files in *folder* that hold *tokens* tokens together, each with a seed of its own; write what is missing.

    Larger corpora begin with the files of smaller ones. Ends with a message where the disk has no room.
    """
    sizes = [FILE] * (tokens // FILE) + ([tokens % FILE] if tokens % FILE else [])
    return [one_file(folder, size, place) for place, size in enumerate(sizes)]


def one_file(folder: Path, tokens: int, place: int = 0) -> Path:
    """Return a file in *folder* with *tokens* tokens, written where it is missing; its seed is *tokens* + *place*."""
    path = folder / f"corpus-{tokens}-{tokens + place}.vert"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        needed, free = TOKEN_BYTES * tokens, shutil.disk_usage(folder).free
        if needed > free:
            raise SystemExit(f"{tokens:,} tokens need {needed / 1e9:.1f} GB; {folder} has {free / 1e9:.1f}")
        aside = path.with_suffix(".part")
        write_corpus(aside, tokens=tokens, seed=tokens + place)
        aside.rename(path)
    return path


def packed(path: Path) -> Path:
    """Return *path* packed with gzip, by `pigz` where it is installed; written where it is missing."""
    target = path.with_name(path.name + ".gz")
    if target.exists():
        return target
    aside = target.with_suffix(".part")
    if pigz := shutil.which("pigz"):
        with aside.open("wb") as stream:
            subprocess.run([pigz, "-c", str(path)], stdout=stream, check=True)  # noqa: S603
    else:
        with path.open("rb") as source, gzip.open(aside, "wb", compresslevel=6) as stream:
            shutil.copyfileobj(source, stream, 1 << 20)
    return aside.rename(target)


def main() -> None:
    """Read the command line and write the corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    write_corpus(args.out, tokens=args.tokens, seed=args.seed)


if __name__ == "__main__":
    main()
