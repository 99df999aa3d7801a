"""Filters for sentences that are good contexts; each has a name, by which rejected sentences are counted."""

from dataclasses import dataclass

from ncimp.corpus_stats.contexts.phrases import Occurrence
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.corpus_stats.words import is_word

QUOTES = frozenset("\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a") | {"``", "''"}
"""Tokens that are quotation marks."""

_OPENING = "([{\u00a1\u00bf-\u2013\u2014" + "".join(sorted(mark for mark in QUOTES if len(mark) == 1))
_CLOSING = ")]}" + "".join(sorted(mark for mark in QUOTES if len(mark) == 1))
_ENDS = (".", "!", "?", "\u2026")

REASONS = ("repeated", "length", "incomplete", "quoted")
"""Names of the filters, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class ContextFilter:
    """Conditions on a sentence; every one can be switched off."""

    min_words: int = 6
    max_words: int = 40
    once: bool = True
    """The phrase occurs exactly once in the sentence."""
    complete: bool = True
    """It begins with a capital letter or a digit and ends with `.`, `!`, `?` or `…`, but for quotes and brackets."""
    unquoted: bool = True
    """No quotation mark stands directly before or after the phrase."""

    def reason(self, sentence: CorpusSentence, occurrence: Occurrence, times: int) -> str | None:
        """Return the name of the first filter that rejects *sentence*, or None; the phrase occurs *times* in it."""
        if self.once and times != 1:
            return "repeated"
        words = sum(token.surface is not None and is_word(token.surface) for token in sentence)
        if not self.min_words <= words <= self.max_words:
            return "length"
        if self.complete and not is_complete(sentence.text):
            return "incomplete"
        return "quoted" if self.unquoted and _is_quoted(sentence, occurrence) else None


def is_complete(text: str) -> bool:
    """Return True if *text* looks like a whole sentence.

    >>> is_complete("“Nobody came.”"), is_complete("and then left."), is_complete("Read more")
    (True, False, False)
    """
    begin, end = text.lstrip(_OPENING + " "), text.rstrip(_CLOSING + " ")
    return (begin[:1].isupper() or begin[:1].isdecimal()) and end.endswith(_ENDS)


def _is_quoted(sentence: CorpusSentence, occurrence: Occurrence) -> bool:
    before = next(
        (token.surface for token in reversed(sentence[: occurrence.start]) if token.surface is not None), None
    )
    after = next((token.surface for token in sentence[occurrence.end :] if token.surface is not None), None)
    return before in QUOTES or after in QUOTES
