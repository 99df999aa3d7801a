"""Write a generated corpus in the vertical format of the WaCky corpora, of any size, from a seed.

    python bench/wac_corpus.py corpus.vert --tokens 100000000 --seed 100

Parts of speech follow a first-order chain with transition shares as in English text; words of each are drawn from
a Zipf-Mandelbrot law; after a noun or adjective one token in four is drawn from a few partners of that word, so
that there are collocations. All words are lower-case ASCII with a letter, so that every tool counts the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SENTENCE = 19.06
"""Mean words of a sentence, as in Brown and MASC together."""
CHUNK = 1_000_000
"""Tokens drawn at a time."""

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
        self._lines: dict[tuple[int, int, int], bytes] = {}
        self._chain = np.cumsum(CHAIN, axis=1)

    def chunk(self, tokens: int) -> bytes:
        """Return about *tokens* tokens as lines, in whole sentences."""
        classes = self._classes(tokens)
        numbers = np.empty(tokens, np.int64)
        tags = np.empty(tokens, np.int64)
        for place, (name, (shares, *_)) in enumerate(CLASSES.items()):
            of_class = np.flatnonzero(classes == place)
            numbers[of_class] = np.searchsorted(self._laws[name], self._random.random(len(of_class)))
            tags[of_class] = self._random.choice(len(shares), len(of_class), p=list(shares.values()))
        self._collocate(classes, numbers)
        ends = self._random.random(tokens) < 1 / SENTENCE
        ends[-1] = True
        return self._written(classes, numbers, tags, ends)

    def _classes(self, tokens: int) -> NDArray[np.int64]:
        draws, classes, now = self._random.random(tokens).tolist(), np.empty(tokens, np.int64), 4
        chain = self._chain.tolist()
        for place, draw in enumerate(draws):
            now = next((to for to, share in enumerate(chain[now]) if draw < share), 5)
            classes[place] = now
        return classes

    def _collocate(self, classes: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        stuck = np.flatnonzero((classes[:-1] <= 1) & (classes[1:] <= 1) & (self._random.random(len(classes) - 1) < 0.4))
        partner = (numbers[stuck] * 2654435761 + self._random.integers(0, 4, len(stuck)) * 40503) % 20011
        numbers[stuck + 1] = partner * partner // 20011

    def _written(
        self, classes: NDArray[np.int64], numbers: NDArray[np.int64], tags: NDArray[np.int64], ends: NDArray[np.bool_]
    ) -> bytes:
        known, out = self._lines, [b"<s>\n"]
        for key, end in zip(
            zip(classes.tolist(), numbers.tolist(), tags.tolist(), strict=True), ends.tolist(), strict=True
        ):
            line = known.get(key)
            if line is None:
                line = known[key] = _line(*key)
            out.append(line)
            if end:
                out.append(b"</s>\n<s>\n")
        out[-1] = b"</s>\n"
        return b"".join(out)


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
