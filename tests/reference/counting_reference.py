"""Frozen naive reference of counting. Never refactor it, never import what it checks.

Standard library only. A corpus is a list of sentences; a sentence is a list of units (surface, tag, lemma), where
None says that the layer has no unit there. A word has a letter or digit; it is counted in lower case and NFC, with
`'` and `-` for typographic ones; everything else separates its neighbours.
"""

from __future__ import annotations

import unicodedata


def word(text: str) -> str | None:
    """Return *text* as it is counted, or None for a separator."""
    text = unicodedata.normalize("NFC", text)
    for old, new in (("\u2019", "'"), ("\u02bc", "'"), ("\u2010", "-"), ("\u2011", "-"), ("\u00ad", "")):
        text = text.replace(old, new)
    text = unicodedata.normalize("NFC", text.lower())
    for character in text:
        if character.isalnum():
            return text
    return None


def layer_units(sentence: list[tuple[str | None, str, str | None]], layer: str) -> list[tuple[str | None, str]]:
    """Return word (or None for a separator) and tag of the units that the layer has."""
    units = []
    for surface, tag, lemma in sentence:
        text = surface if layer == "surface" else lemma
        if text is not None:
            units.append((word(text), tag))
    return units


def count_words(corpus: list[list[tuple[str | None, str, str | None]]], layer: str) -> dict[str, int]:
    """Return how often each word occurs."""
    counts: dict[str, int] = {}
    for sentence in corpus:
        for text, _ in layer_units(sentence, layer):
            if text is not None:
                counts[text] = counts.get(text, 0) + 1
    return counts


def count_pairs(corpus: list[list[tuple[str | None, str, str | None]]], layer: str) -> dict[tuple[str, str], int]:
    """Return how often two words are adjacent in a sentence."""
    counts: dict[tuple[str, str], int] = {}
    for sentence in corpus:
        units = layer_units(sentence, layer)
        for i in range(len(units) - 1):
            first = units[i][0]
            second = units[i + 1][0]
            if first is not None and second is not None:
                counts[first, second] = counts.get((first, second), 0) + 1
    return counts


def count_candidates(
    corpus: list[list[tuple[str | None, str, str | None]]],
    layer: str,
    classes: dict[str, str],
    patterns: list[tuple[str, tuple[str, ...], tuple[str, ...]]],
) -> dict[tuple[str, tuple[str, ...]], int]:
    """Return how often the words of each pattern (id, classes, allowed middle words) follow each other.

    Of patterns with the same classes, words count for the first that allows them.
    """
    counts: dict[tuple[str, tuple[str, ...]], int] = {}
    for sentence in corpus:
        units = layer_units(sentence, layer)
        taken: list[tuple[int, tuple[str, ...]]] = []
        for name, parts, middles in patterns:
            for i in range(len(units) - len(parts) + 1):
                words = []
                for j in range(len(parts)):
                    text, tag = units[i + j]
                    if text is not None and classes.get(tag) == parts[j]:
                        words.append(text)
                if len(words) < len(parts):
                    continue
                if len(parts) == 1 and "-" not in words[0][1:-1]:
                    continue
                if len(parts) == 3 and middles and words[1] not in middles:
                    continue
                if (i, parts) in taken:
                    continue
                taken.append((i, parts))
                key = (name, tuple(words))
                counts[key] = counts.get(key, 0) + 1
    return counts
