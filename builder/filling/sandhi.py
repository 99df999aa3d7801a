"""Words whose form depends on the sound that follows, such as a / an: the language pack lists both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ncimp.builder.filling.edits import Edit, same_case
from ncimp.builder.ports import Morphology
from ncimp.builder.records import Language, MarkedSentence

WORD = re.compile(r"\w+(?:[-']\w+)*")

BESIDE = re.compile(r" [\"'“‘«(]*")
"""What may stand between two words that are said without a pause."""


def repair_onset(
    sentence: MarkedSentence, replacement: str, *, language: Language, morphology: Morphology
) -> Iterator[Edit]:
    """Yield the edit of the word directly left of the NC when *replacement* asks for its other form."""
    words = [match.span() for match in WORD.finditer(sentence.text, 0, sentence.span[0])]
    if not words or words[-1] in sentence.fixed or not BESIDE.fullmatch(sentence.text, words[-1][1], sentence.span[0]):
        return
    word = sentence.text[slice(*words[-1])]
    first = WORD.search(replacement)
    for alternation in language.alternations:
        if word.lower() in (alternation.consonant, alternation.vowel) and first is not None:
            vowel = morphology.onset(first[0]) == "vowel"
            form = same_case(alternation.vowel if vowel else alternation.consonant, word)
            if form != word:
                yield Edit(words[-1], form, alternation.rule)
