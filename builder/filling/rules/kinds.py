"""Replacements that are not noun phrases: the words that only a noun can have beside it go.

*Em* [tempo real] becomes [ao vivo], *de* [quinta categoria] becomes [ruim]. An adjective after an article
stays: it may name somebody (*um* [submisso]).
"""

from collections.abc import Iterator

from ncimp.builder.filling.scene import Doubt, Finding, Scene, WordChange
from ncimp.builder.grammar.features import NUMBERS, Features

RULE = "replacement that is no noun phrase"


def other_kind(scene: Scene) -> Iterator[Finding]:
    """Yield the deletions that a prepositional phrase, an adjective or a verb asks for left of it."""
    index = scene.first - 1
    if scene.phrase.kind in ("verb", "prepositional"):
        paradigms = scene.reader.paradigms(scene.word(index))
        if any(paradigm.kind in ("article", "contraction") for paradigm in paradigms):
            yield WordChange(index, "", RULE)
            index -= 1
        if scene.phrase.kind == "prepositional" and scene.is_kind(index, "preposition"):
            yield WordChange(index, "", RULE)
        if scene.phrase.kind == "verb" and scene.is_verb(index):
            yield WordChange(index, "", RULE)
            yield from _pronoun(scene, index - 1)
    elif scene.phrase.kind == "adjective" and scene.is_kind(index, "attributive preposition"):
        phrase = scene.phrase.text.lower()
        noun = scene.reader.readings(scene.word(index - 1))
        fitting = any(scene.reader.is_adjective(phrase, Features(form.gender, form.number or "sg")) for form in noun)
        yield WordChange(index, "", RULE) if fitting or not noun else Doubt(index, RULE)


def _pronoun(scene: Scene, index: int) -> Iterator[Finding]:
    """Yield the change of a demonstrative that stands for no noun any more: it is masculine (*este ignorou*)."""
    for number in NUMBERS:
        paradigm = scene.reader.determiner(scene.word(index), Features(scene.old.gender, number))
        form = paradigm.cells.get(("m", number)) if paradigm and paradigm.kind == "demonstrative" else None
        if form is not None and form != scene.word(index):
            yield WordChange(index, form, RULE)
