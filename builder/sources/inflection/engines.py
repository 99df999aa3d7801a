"""What is asked for the forms of a word that no table lists: suffix rules of the pack, or a library.

`[inflection] engines` names them in the order they are asked. An engine offers *possible* forms, the best first, and
an empty answer when it does not know the word; `RuleMorphology` chooses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Protocol

from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import GenderRule, Inflection, PartRule, SuffixRule

Change = Literal["plural", "singular", "feminine", "masculine"]
"""What is asked for; `singular` and `masculine` ask for what a word may have come from."""


class Engine(Protocol):
    """Something that inflects words it was not told."""

    def forms(self, change: Change, word: str, pos: str) -> Sequence[str]:
        """Return what *change* may make of *word*, the best first; none where it does not know.

        *word* itself is among them where it may stay as it is, or is a singular.
        """
        ...


class SuffixRules:
    """The rules of a pack, the first that fits; where one leaves several forms open, the most frequent comes first."""

    def __init__(self, inflection: Inflection, frequencies: FrequencyTable | None) -> None:
        self._frequencies = frequencies
        self._rules: Mapping[Change, Sequence[SuffixRule]] = {
            "plural": inflection.plural.rules,
            "singular": inflection.singular.rules,
            "feminine": inflection.feminine.rules,
            "masculine": inflection.masculine.rules,
        }

    def forms(self, change: Change, word: str, pos: str) -> Sequence[str]:
        """Return *word* with each ending that the first fitting rule offers."""
        for rule in self._rules[change]:
            if fits(rule, word) and (not rule.pos or pos in rule.pos):
                stem = word.removesuffix(rule.suffix)
                forms = [stem + ending for ending in rule.to]
                table = self._frequencies
                # stable: what was not counted keeps the order of the pack
                return tuple(forms if table is None else sorted(forms, key=lambda form: -table.frequency(form)))
        return ()


class Lemminflect:
    """English nouns that the package `lemminflect` knows; it is not asked to guess."""

    def forms(self, change: Change, word: str, pos: str) -> Sequence[str]:
        """Return the plurals or singulars of the noun *word* in the order of the package.

        A word with another plural is a singular, whatever it looks like: *lens* is no plural of *len*.
        """
        from lemminflect import getInflection, getLemma

        if pos != "noun" or change not in ("plural", "singular"):
            return ()
        plurals = tuple(getInflection(word, "NNS", inflect_oov=False))
        if change == "plural":
            return plurals
        if any(form != word for form in plurals):
            return (word,)
        return tuple(lemma for lemma in getLemma(word, "NOUN", lemmatize_oov=False) if lemma != word)


class Inflect:
    """English nouns by the rules of the package `inflect`, which has a plural for every word.

    It takes nearly any word in -s for a plural, so words with one of the ends below are not asked.
    """

    NO_PLURALS = ("ss", "is", "us", "lens")
    """Ends of singulars: *lens*, *analysis*, *cactus*."""

    def forms(self, change: Change, word: str, pos: str) -> Sequence[str]:
        """Return the plural or the singular of the noun *word*."""
        if pos != "noun" or change not in ("plural", "singular"):
            return ()
        if change == "plural":
            return (_plural_of(word),)
        single = None if word.endswith(self.NO_PLURALS) else _singular_of(word)
        return () if single is None else (single,)


ENGINES: Mapping[str, Callable[[Inflection, FrequencyTable | None], Engine]] = {
    "suffix rules": SuffixRules,
    "lemminflect": lambda _inflection, _frequencies: Lemminflect(),
    "inflect": lambda _inflection, _frequencies: Inflect(),
}
"""How to make an engine, by its name in `pack.toml`."""


def fits(rule: SuffixRule | GenderRule | PartRule, word: str) -> bool:
    """Tell whether *word* ends as *rule* says and has something before that, which holds what the rule asks for."""
    stem = word.removesuffix(rule.suffix)
    return (
        stem != "" and word.endswith(rule.suffix) and (rule.when == "" or _compiled(rule.when).search(stem) is not None)
    )


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


@cache
def _inflect_engine() -> Any:
    import inflect

    return inflect.engine()


def _plural_of(noun: str) -> str:
    """Return the plural of *noun*, asked for with a word before it: *mine* alone is a pronoun, and becomes *ours*."""
    plural = str(_inflect_engine().plural_noun(f"a {noun}")).removeprefix("a ")
    return f"{noun}es" if plural == f"{noun}s" and noun.endswith("s") else plural  # it makes *texass*


def _singular_of(noun: str) -> str | None:
    single = _inflect_engine().singular_noun(noun)
    return str(single) if single and single != noun else None
