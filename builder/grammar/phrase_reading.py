"""Phrases given only as text: which word is the head, and what the others do.

Nobody has said which pattern *alto mar* or *sister-in-law* follows. The head is the last word before the
first preposition where heads come last, and else the word that a pattern of the pack makes the head, given what
parts of speech the words can be (a `Morphology` says so) and the closed classes of `[inflection.phrases]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ncimp.builder.ports import Morphology
from ncimp.builder.records import Language, Pattern

Role = Literal["head", "agrees", "number", "fixed"]
"""What a word does in its phrase; `agrees` and `number` as in a pattern's `modifier`."""

SPACE, HYPHEN = " ", "-"


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a phrase: its role, and the part of speech it has there."""

    text: str
    role: Role
    pos: str = "noun"


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a phrase, and what stands between them; one that begins with a preposition has no head."""

    parts: tuple[Part, ...]
    join: str = SPACE
    pattern: Pattern | None = None
    """The pattern that gave the roles, where one did."""

    @property
    def head(self) -> Part | None:
        """The word that carries gender and number, or None in a phrase that has neither (*de raça*)."""
        return next((part for part in self.parts if part.role == "head"), None)


class PhraseReader:
    """Finds heads with the patterns and closed classes of *language* and what *morphology* knows of words."""

    def __init__(self, language: Language, morphology: Morphology) -> None:
        self._rules = language.inflection.phrases
        self._uninflected = language.inflection.uninflected
        self._patterns = [pattern for pattern in language.patterns.values() if len(pattern.parts) > 1]
        self._head_last = all(pattern.head == len(pattern.parts) - 1 for pattern in self._patterns)
        self._morphology = morphology

    def read(self, text: str, *, join: str = SPACE) -> Phrase:
        """Return the words of *text*, cut at *join*, with their roles."""
        words = text.split(join)
        if len(words) > 1 and join == SPACE and not self._head_last and words[0].lower() in self._rules.prepositions:
            # where heads come last, a particle may begin a compound (*down payment*)
            return Phrase(tuple(Part(word, "fixed") for word in words), join)
        begin = 1 if join == HYPHEN and words[0].lower() in self._rules.hyphen_first and len(words) > 1 else 0
        end = self._end_of_head(words, begin)
        stem, pattern = self._stem(words[begin:end], join)
        before = tuple(Part(word, "fixed") for word in words[:begin])
        after = tuple(Part(word, "fixed") for word in words[end:])
        return Phrase((*before, *stem, *after), join, pattern)

    def _end_of_head(self, words: Sequence[str], begin: int) -> int:
        """Return where the part with the head ends: before a preposition, or at the end of the phrase."""
        for index in range(begin + 1, len(words)):
            if words[index].lower() in self._rules.prepositions:
                last = index == len(words) - 1
                # a particle at the end is no preposition: only *passer-by* inflects its first word before one
                if not last or words[index - 1].lower().endswith(self._rules.agentive or ("\0",)):
                    return index
        return len(words)

    def _stem(self, words: Sequence[str], join: str) -> tuple[tuple[Part, ...], Pattern | None]:
        if len(words) == 1:
            return (Part(words[0], "head", self._head_pos(self._kinds(words[0]))),), None
        if len(words) == 2:
            pattern = self._pattern(words, join)
            if pattern is not None:
                return tuple(self._by_pattern(words, pattern)), pattern
        return tuple(self._by_words(words)), None

    def _head_pos(self, kinds: Sequence[str]) -> str:
        """Return the part of speech of a head: a noun if it can be one, or if its others would not inflect."""
        return "adj" if "adj" in kinds and "noun" not in kinds and "adj" not in self._uninflected else "noun"

    def _kinds(self, word: str) -> list[str]:
        """Return the parts of speech that *word* can be, the likeliest first."""
        if word.lower() in self._rules.unchanging:
            return []
        return list(dict.fromkeys(reading.pos for reading in self._morphology.readings(word)))

    def _pattern(self, words: Sequence[str], join: str) -> Pattern | None:
        """Return a pattern that the two *words* fit; after a prenominal adjective one with the head last.

        One with a modifier that agrees goes first: *pé direito* has an adjective, although *direito* is a noun as well.
        """
        kinds = [self._kinds(word) for word in words]
        if any(word.lower() in self._rules.unchanging for word in words):
            return None
        joined = [pattern for pattern in self._patterns if pattern.join == join]
        joined = joined or [pattern for pattern in self._patterns if pattern.join == SPACE]
        fitting = [p for p in joined if all(pos in found for pos, found in zip(p.parts, kinds, strict=True))]
        prenominal = self._is_prenominal(words[0])
        # stable: of equals, the first in the pack
        fitting.sort(key=lambda pattern: (prenominal and pattern.head == 0, pattern.modifier != "agrees"))
        return next(iter(fitting), None)

    def _is_prenominal(self, word: str) -> bool:
        lemmas = {reading.lemma for reading in self._morphology.readings(word) if reading.pos == "adj"}
        return not lemmas.isdisjoint(self._rules.prenominal)

    def _by_pattern(self, words: Sequence[str], pattern: Pattern) -> list[Part]:
        parts = []
        for index, (word, pos) in enumerate(zip(words, pattern.parts, strict=True)):
            role: Role = "head" if index == pattern.head else pattern.modifier
            if index > pattern.head and word.lower() in self._rules.apposed:
                role = "fixed"
            parts.append(Part(word, role, pos))
        return parts

    def _by_words(self, words: Sequence[str]) -> list[Part]:
        """Return roles where no pattern fits: one head, and round it whatever can agree."""
        head = len(words) - 1 if self._head_last else self._first_noun(words)
        return [self._by_word(word, index == head) for index, word in enumerate(words)]

    def _by_word(self, word: str, is_head: bool) -> Part:
        kinds = self._kinds(word)
        if is_head:
            return Part(word, "head", self._head_pos(kinds))
        # a word that nobody knows is no word that does not change: whoever asks for its form is told
        may_agree = "adj" in kinds or (not kinds and word.lower() not in self._rules.unchanging)
        agreeing = any(pattern.modifier == "agrees" for pattern in self._patterns)
        return Part(word, "agrees", "adj") if may_agree and agreeing else Part(word, "fixed")

    def _first_noun(self, words: Sequence[str]) -> int:
        nouns = [index for index, word in enumerate(words) if "noun" in self._kinds(word)]
        plain = [index for index in nouns if not self._is_prenominal(words[index])]
        changing = [index for index, word in enumerate(words) if word.lower() not in self._rules.unchanging]
        return next(iter((*plain, *nouns, *changing)), 0)
