"""Engines of inflection for words that no table lists: suffix rules of the pack, or a library.

`[inflection] engines` names them in order. An engine returns *possible* forms, the best first, or none for an unknown
word; `RuleMorphology` chooses. `WordCheck` tells a real word from a slip of the rules.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Protocol

from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import GenderRule, Inflection, PartRule, SuffixRule

Change = Literal["plural", "singular", "feminine", "masculine"]
"""A change of form; `singular` and `masculine` undo one."""


REAL = 3e-3
"""A word derived from another counts as one when it is at least this many times as frequent.

Below this it is a slip: *lápi* beside *lápis*, *hipócrito* beside *hipócrita*. Between 0.0003 and 0.01 the rules of
Portuguese agree with the nouns and adjectives of MorphoBr to within 0.2 %.
"""


UNLISTED = 1e-8
"""Relative frequency below which word lists end: a word that is not listed may be as frequent as this."""


class InflectionEngine(Protocol):
    """A source of forms of unlisted words."""

    def forms(self, change: Change, word: str, pos: str) -> Sequence[str]:
        """Return the possible results of *change*, the best first; none for an unknown word.

        *word* itself is among them where it may stay as it is, or is a singular.
        """
        ...


class SuffixRules:
    """The rules of a pack: the first that fits applies; of its forms, the most frequent comes first."""

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
    """English nouns that the package `lemminflect` lists, without its guesses."""

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

    It takes nearly any word in -s for a plural, so words with one of the endings below are left out.
    """

    NO_PLURALS = ("ss", "is", "us", "lens")
    """Endings of singulars: *lens*, *analysis*, *cactus*."""

    def forms(self, change: Change, word: str, pos: str) -> Sequence[str]:
        """Return the plural or the singular of the noun *word*."""
        if pos != "noun" or change not in ("plural", "singular"):
            return ()
        if change == "plural":
            return (_plural_of(word),)
        single = None if word.endswith(self.NO_PLURALS) else _singular_of(word)
        return () if single is None else (single,)


ENGINES: Mapping[str, Callable[[Inflection, FrequencyTable | None], InflectionEngine]] = {
    "suffix rules": SuffixRules,
    "lemminflect": lambda _inflection, _frequencies: Lemminflect(),
    "inflect": lambda _inflection, _frequencies: Inflect(),
}
"""Constructors of engines by name in `pack.toml`."""


def fits(rule: SuffixRule | GenderRule | PartRule, word: str) -> bool:
    """Tell whether *word* ends in the suffix of *rule*, after a stem that matches its condition."""
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
    """Return the plural of *noun*, after an article: *mine* alone is a pronoun, and becomes *ours*."""
    plural = str(_inflect_engine().plural_noun(f"a {noun}")).removeprefix("a ")
    return f"{noun}es" if plural == f"{noun}s" and noun.endswith("s") else plural  # it makes *texass*


def _singular_of(noun: str) -> str | None:
    single = _inflect_engine().singular_noun(noun)
    return str(single) if single and single != noun else None


class WordCheck:
    """Checks of words against the pack and the frequencies."""

    def __init__(self, inflection: Inflection, frequencies: FrequencyTable | None) -> None:
        self._inflection = inflection
        self._frequencies = frequencies

    def is_invariable(self, word: str, pos: str) -> bool:
        """Tell whether *word* has one form as a *pos*."""
        return pos in self._inflection.uninflected or word in self._inflection.invariable.get(pos, frozenset())

    def is_real(self, word: str, derived_from: str) -> bool:
        """Tell whether *word* is a word, by its frequency beside that of the form it was derived from."""
        table = self._frequencies
        return table is None or max(table.frequency(word), UNLISTED) >= REAL * table.frequency(derived_from)
