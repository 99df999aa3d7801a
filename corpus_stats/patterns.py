"""Compound candidates by part of speech: which tags are nouns, and which sequences are counted.

A table of patterns is data (a language pack has one); nothing here knows a language. Tags are classified once
per distinct tag, by the full tag, so a class may be any regular expression.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ncimp.schemas import UsageError

MAX_CLASSES = 15
MAX_PATTERNS = 62


@dataclass(frozen=True, slots=True)
class TagPattern:
    """One shape of compound candidates."""

    id: str  # name in the store, such as N_N
    parts: tuple[str, ...]  # classes of its words, in order: one (a hyphenated word), two or three
    words: tuple[str, ...] = ()
    """For three parts: the only middle words counted, in the form in which words are counted; empty for any.

    Of patterns with the same parts, words count for the first that allows them.
    """


@dataclass(frozen=True, slots=True)
class PatternTable:
    """Classes of tags, and the patterns over them. The default is empty: no candidates are counted."""

    classes: Mapping[str, str] = field(default_factory=dict)
    """A regular expression by class; a tag belongs to the first class whose expression matches the whole tag."""
    patterns: tuple[TagPattern, ...] = ()

    def __post_init__(self) -> None:
        if len(self.classes) > MAX_CLASSES or len(self.patterns) > MAX_PATTERNS:
            raise UsageError(f"more than {MAX_CLASSES} classes or {MAX_PATTERNS} patterns", fix="leave some out")
        for pattern in self.patterns:
            unknown = [part for part in pattern.parts if part not in self.classes]
            if unknown or not 1 <= len(pattern.parts) <= 3:
                what = f"pattern {pattern.id!r} has {len(pattern.parts)} parts, of unknown classes {unknown}"
                raise UsageError(what, fix="name one to three of the classes")
            if pattern.words and len(pattern.parts) != 3:
                what = f"pattern {pattern.id!r} names middle words, but has {len(pattern.parts)} parts"
                raise UsageError(what, fix="name the three classes that its words stand for, or no middle words")

    def classify(self, tag: str) -> int:
        """Return the number of the class of *tag*, from 1; 0 when it has none.

        >>> PatternTable({"noun": "NNS?"}).classify("NNS")
        1
        """
        for number, expression in enumerate(self.classes.values(), start=1):
            if re.fullmatch(expression, tag):
                return number
        return 0


UNIVERSAL = PatternTable(
    {"noun": "NOUN", "adj": "ADJ", "adp": "ADP"},
    (
        TagPattern("N_N", ("noun", "noun")),
        TagPattern("A_N", ("adj", "noun")),
        TagPattern("N_A", ("noun", "adj")),
        TagPattern("N_P_N", ("noun", "adp", "noun")),
        TagPattern("hyphenated", ("noun",)),
    ),
)
"""For a language without a pack, in the tags of Universal Dependencies."""
