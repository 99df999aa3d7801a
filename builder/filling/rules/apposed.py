"""A participle after a comma: *o* [NC] *da casa, acostumado a mandar, saiu*.

It belongs to the NC where that is the first noun of the sentence; elsewhere another noun may own it
(*comia um* [NC], *sentado à mesa*), and a person has to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.rules.left import phrase_start
from ncimp.builder.filling.rules.right import after, beside
from ncimp.builder.filling.scene import Doubt, Finding, Scene

RULE = "participle after a comma"

REACH = 6
"""Tokens of a prepositional phrase that may stand between the NC and the comma."""


def apposed_participle(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of a participle after a comma, or a doubt where it may belong to another noun."""
    comma = _comma(scene)
    found = [] if comma is None else beside(scene, scene.skip(comma + 1, 1, "adverb", "degree"))
    begins = phrase_start(scene) == 0 or scene.is_kind(phrase_start(scene) - 1, "stop")
    for index in found:
        if begins:
            yield from scene.adjective(index, RULE)
        else:
            yield Doubt(index, RULE)


def _comma(scene: Scene) -> int | None:
    """Return the index of a comma after the NC or the prepositional phrase that belongs to it."""
    start = after(scene)
    for index in range(start, min(start + REACH, len(scene.words))):
        if scene.is_kind(index, "comma"):
            return index
        if scene.is_verb(index) or scene.is_kind(index, "stop", "coordinator", "relative", "subordinator"):
            return None
    return None
