"""Every way in which a compound may be written in a corpus: inflected by the pack's forms, open and hyphenated.

    spellings_of("eager beaver", pack)  →  eager beaver, eager beavers, eager-beaver, eager-beavers, eager - beaver, …

Head and modifier are inflected as the pattern of the compound says, so *rats race* is not looked for. A compound that
is hyphenated in the list is not looked for in two words: *dedo duro* is mostly a finger that is hard.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ncimp.builder.records import Compound, Form, LanguagePack, Pattern
from ncimp.builder.sources.lexicons.pack_forms import PackMorphology

HYPHEN = "-"

Words = tuple[str, ...]


class _Parts(NamedTuple):
    """The components of a compound by their lemmas, in the order of the pattern, and as they are written."""

    lemmas: Words
    written: Words


class Speller:
    """The spellings of compounds of one language."""

    def __init__(self, pack: LanguagePack) -> None:
        self._language = pack.language
        self._morphology = PackMorphology(pack.forms, pack.language)
        self._compounds = {compound.text: compound for compound in pack.compounds}

    def spellings_of(self, text: str, compound: Compound | None = None) -> frozenset[Words]:
        """Return the spellings of the compound *text* as sequences of words.

        What it consists of is said by *compound*, else by the pack if it has the compound, else by every pattern of the
        language that fits the readings of its words. *text* itself is always among them.
        """
        found = {spelling for words in self._phrases(text, compound) for spelling in _hyphenated(words, text)}
        return frozenset(found | set(_hyphenated(_words(text), text)))

    def _phrases(self, text: str, compound: Compound | None) -> Iterator[Words]:
        known = compound or self._compounds.get(text)
        patterns = self._language.patterns
        for pattern in patterns.values() if known is None else (patterns[known.pattern],):
            written = tuple(text.split(pattern.join)) if len(pattern.parts) > 1 else (text,)
            if len(written) == len(pattern.parts):
                choices = map(self._lemmas, written, pattern.parts) if known is None else _lemmas_of(known, pattern)
                for lemmas in product(*choices):
                    yield from self._inflected(pattern, _Parts(lemmas, written))

    def _lemmas(self, word: str, pos: str) -> list[str]:
        readings = self._morphology.readings(word)
        return list(dict.fromkeys(reading.lemma for reading in readings if reading.pos == pos))

    def _inflected(self, pattern: Pattern, parts: _Parts) -> Iterator[Words]:
        """Yield the words of the compound with its head in each form, and the modifier in those that fit."""
        for head in self._morphology.inflected(parts.lemmas[pattern.head], pattern.parts[pattern.head]):
            choices = [
                {head.form} if place == pattern.head else self._modifiers(pattern, parts, place, head)
                for place in range(len(pattern.parts))
            ]
            for forms in product(*map(sorted, choices)):
                yield _words(pattern.join.join(forms))

    def _modifiers(self, pattern: Pattern, parts: _Parts, place: int, head: Form) -> set[str]:
        if pattern.modifier == "fixed":
            return {parts.written[place]}
        forms = self._morphology.inflected(parts.lemmas[place], pattern.parts[place])
        return {form.form for form in forms if _agrees(form, head, gender=pattern.modifier == "agrees")}


def _lemmas_of(compound: Compound, pattern: Pattern) -> list[list[str]]:
    places = range(len(pattern.parts))
    return [[compound.head if place == pattern.head else compound.modifier] for place in places]


def _agrees(form: Form, head: Form, *, gender: bool) -> bool:
    same_number = None in (form.number, head.number) or form.number == head.number
    return same_number and (not gender or None in (form.gender, head.gender) or form.gender == head.gender)


def _words(text: str) -> Words:
    return tuple(text.replace(HYPHEN, f" {HYPHEN} ").split())


def _hyphenated(words: Words, text: str) -> Iterator[Words]:
    """Yield *words* open (unless *text* has hyphens), with hyphens, and with hyphens as words of their own."""
    plain = tuple(word for word in words if word != HYPHEN)
    if HYPHEN not in text:
        yield plain
    if len(plain) > 1:
        yield (HYPHEN.join(plain),)
        yield (plain[0], *(part for word in plain[1:] for part in (HYPHEN, word)))
