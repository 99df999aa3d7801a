"""Frozen reference of the search for contexts: every sentence is read, every phrase is tried at every word.

Frozen: never refactor it together with the code it is compared with.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

RESPELLED = {"\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u00ad": ""}


def counted(word: str) -> str:
    """Return *word* in the form in which words are compared."""
    word = "".join(RESPELLED.get(character, character) for character in unicodedata.normalize("NFC", word))
    return unicodedata.normalize("NFC", word.lower())


def find(
    sentences: Iterable[Any],
    phrases: Mapping[str, Iterable[Sequence[str]]],
    size: int,
    key: Callable[[str, str], str],
) -> tuple[int, dict[str, int], dict[str, list[tuple[str, str, int]]]]:
    """Return the number of sentences, of those with each phrase, and the sample of each: key, document and number.

    Of a phrase, a sentence is in the sample when *key* of the phrase and its words is one of the *size* smallest. Of
    sentences with the same words, the first one by document, number and text stands for all.
    """
    spellings = {phrase: {tuple(map(counted, words)) for words in ways} for phrase, ways in phrases.items()}
    number, counts = 0, Counter[str]()
    kept: dict[str, dict[str, tuple[str, int, str]]] = {phrase: {} for phrase in phrases}
    for sentence in sentences:
        number += 1
        words = [counted(token.surface) for token in sentence if token.surface is not None]
        for phrase, ways in spellings.items():
            if any(tuple(words[at : at + len(way)]) == way for way in ways for at in range(len(words))):
                counts[phrase] += 1
                row = (sentence.document or "", sentence.number, unicodedata.normalize("NFC", sentence.text))
                only_words = " ".join(word for word in words if any(map(str.isalnum, word)))
                hashed = key(phrase, only_words)
                kept[phrase][hashed] = min(row, kept[phrase].get(hashed, row))
    samples = {phrase: [(hashed, *rows[hashed][:2]) for hashed in sorted(rows)[:size]] for phrase, rows in kept.items()}
    return number, dict(counts), samples
