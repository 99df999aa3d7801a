"""The attested pool: compounds that a counted corpus holds, by the patterns of the language.

The store has adjacent words and no parts of speech, so a pair is a compound of a pattern when the
forms of the language know its words as the pattern's parts. Words counted as lemmas are taken as they
are, in any inflection of the corpus; where words were counted as written, the pair must be the
citation form. A pattern with a word between its parts (*gol de placa*) is no adjacent pair and has no pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ncimp.builder.grammar.phrases import inflect_phrase
from ncimp.builder.ports import PairTable
from ncimp.builder.records import Compound, Gender, Pattern
from ncimp.builder.selection.composed import pool_word
from ncimp.builder.selection.matches import PoolPair, PoolWord
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.selection.words import PER_BILLION

PairPool = dict[tuple[str, Gender | None], list[PoolPair]]
"""Attested compounds by (pattern, gender of the head); under None those of every gender."""


def is_adjacent(pattern: Pattern) -> bool:
    """Tell whether compounds of *pattern* are two words next to each other."""
    return len(pattern.parts) == 2 and pattern.join == " "


def attested_pool(table: PairTable, resources: Resources) -> PairPool:
    """Return every compound of the language's patterns that *table* has counted."""
    pool: PairPool = {}
    patterns = [pattern for pattern in resources.pack.language.patterns.values() if is_adjacent(pattern)]
    reader = _Reader(table, resources)
    for first, second, count in table.pairs():
        for pattern in patterns:
            for pair in reader.read(first, second, count, pattern):
                pool.setdefault((pattern.id, pair.head.gender), []).append(pair)
                if pair.head.gender is not None:
                    pool.setdefault((pattern.id, None), []).append(pair)
    return pool


class _Reader:
    """Reads pairs of words as compounds; what it has found of a word is kept, as words come many times."""

    def __init__(self, table: PairTable, resources: Resources) -> None:
        self._table = table
        self._morphology = resources.morphology
        self._tokens = table.tokens

        @cache
        def words(text: str, pos: str) -> tuple[PoolWord, ...]:
            lemmas = [text] if table.lemmas else sorted({r.lemma for r in _readings(text) if r.pos == pos})
            found = (pool_word(lemma, pos, resources) for lemma in lemmas)
            return tuple(word for word in found if word is not None)

        _readings = resources.morphology.readings
        self._words = words

    def read(self, first: str, second: str, count: int, pattern: Pattern) -> Iterator[PoolPair]:
        """Yield the compounds of *pattern* that *first* followed by *second* can be: mostly none."""
        parts = [self._words(text, pos) for text, pos in zip((first, second), pattern.parts, strict=True)]
        if not all(parts):
            return
        for head in parts[pattern.head]:
            for modifier in parts[1 - pattern.head]:
                listed = not pattern.random_modifiers or modifier.lemma in pattern.random_modifiers
                if listed and (self._table.lemmas or self._citation(pattern, modifier, head) == f"{first} {second}"):
                    yield PoolPair(modifier, head, count, count * 10**PER_BILLION / self._tokens)

    def _citation(self, pattern: Pattern, modifier: PoolWord, head: PoolWord) -> str | None:
        return inflect_phrase(
            pattern,
            modifier=modifier.lemma,
            head=head.lemma,
            gender=head.gender,
            number="sg",
            morphology=self._morphology,
        )


def counted_words(compound: Compound, pattern: Pattern, *, lemmas: bool) -> Sequence[str]:
    """Return the one or two words as which a corpus counts *compound*, none when it has more.

    *pé-frio* is one word; *maçã podre* two, which as lemmas are `maçã` and `podre`.
    """
    if pattern.join == " " and len(pattern.parts) == 2:
        in_order = (compound.modifier, compound.head) if pattern.head == 1 else (compound.head, compound.modifier)
        return in_order if lemmas else tuple(compound.text.split())
    return (compound.text,) if " " not in compound.text else ()
