"""The codes of incidents: what each means, once, in words for the person who has to mend it."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "A101": "an article or other word has the wrong form for the sound that follows",
    "A102": "a determiner or contraction left of the span does not agree with it",
    "A103": "the words inside the span do not agree with each other",
    "A104": "an adjective or participle beside the span does not agree with it",
    "A105": "a word that the context marks as agreeing with the span does not",
    "A106": "a word of the span, or beside it, has no entry in forms.tsv, so its agreement cannot be checked",
    "A107": "the item claims another gender than its head has",
    "A108": "the span is not in the number of its context",
    "A109": "the rules of agreement could not decide on a word of the carrier",
    "B501": "the classes of a language are unbalanced",
    "B502": "a component lemma stands in two splits",
    "B503": "the split of a compound is not the recorded one",
    "B504": "a split of a language has no compound of some class",
    "C301": "a cell of the grid is empty",
    "C302": "two variants of one context coincide",
    "C303": "an id stands twice",
    "C304": "one sentence stands in two contexts",
    "C305": "the tables do not hold the same compounds as the pack",
    "C306": "a row contradicts its id, its variant or its compound",
    "C307": "a variant is not the same in all contexts of its compound",
    "M901": "a file of the release is missing, changed or not listed",
    "M902": "the rows of a table are not those of the manifest",
    "M903": "the release version differs between manifest and rows",
    "M904": "a figure of the manifest is not that of the tables",
    "P601": "a pair is not its two items",
    "P602": "a pair is missing or has no item",
    "R701": "a random compound shares a content word with its compound, a synonym or another random",
    "R702": "a random compound is used twice in a language",
    "R703": "a random compound is not matched in frequency",
    "S201": "the span does not hold the replacement",
    "S202": "the tokens or their span do not match the sentence",
    "S203": "the sentence does not look like a sentence",
    "S204": "the carrier was changed beyond agreement, or without a record",
    "U401": "the text is damaged: mojibake, replacement or control characters",
    "U402": "the text is not in Unicode form NFC",
    "W801": "a waiver matches no incident",
}
"""Meaning of every code, by code."""
