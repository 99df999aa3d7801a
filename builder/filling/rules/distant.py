"""Words farther off: a participle after a comma, the pronoun of a role, and a determiner whose noun is left out."""

from collections.abc import Iterator

from ncimp.builder.filling.rules.beside import after, beside, is_predicated, phrase_start
from ncimp.builder.filling.scene import Doubt, Finding, Scene, WordChange

APPOSED, ROLE, ELIDED = "participle after a comma", "role pronoun", "elided noun"
"""Names of the rules."""

REACH = 6
"""Tokens of a prepositional phrase that may stand between the NC and the comma."""

SURE = 0.8
"""Least share of adjectives among the uses of a word that stands without its noun."""


def apposed_participle(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of a participle after a comma: *o* [NC] *da casa, acostumado a mandar, saiu*.

    It belongs to the NC where that is the first noun of the sentence; elsewhere another noun may own it
    (*comia um* [NC], *sentado à mesa*): a doubt.
    """
    start = after(scene)
    for comma in range(start, min(start + REACH, len(scene.words))):
        if scene.is_kind(comma, "comma"):
            begins = phrase_start(scene) == 0 or scene.is_kind(phrase_start(scene) - 1, "stop")
            for index in beside(scene, scene.skip(comma + 1, 1, "adverb", "degree")):
                yield from scene.adjective(index, APPOSED) if begins else [Doubt(index, APPOSED)]
            return
        if scene.is_verb(comma) or scene.is_kind(comma, "stop", "coordinator", "relative", "subordinator"):
            return


def role_pronoun(scene: Scene) -> Iterator[Finding]:
    """Yield the change of the pronoun in *Como um bom* [NC], *ele ...*: the NC names the person it stands for."""
    index = after(scene) + 1
    if phrase_start(scene) != 1 or not scene.is_kind(0, "role") or not scene.is_kind(index - 1, "comma"):
        return
    paradigm = scene.reader.pronoun(scene.word(index), scene.old)
    form = paradigm.cells.get(scene.new.cell) if paradigm else None
    if form is not None and form != scene.word(index):
        yield WordChange(index, form, ROLE)


def elided_noun(scene: Scene) -> Iterator[Finding]:
    """Yield the changes in *troque o* [NC] *pelo desnatado*: determiner and adjective after which no noun stands."""
    start = after(scene)
    for index in range(start, len(scene.words) - 2):
        if scene.is_kind(index, "stop", "comma", "subordinator", "relative"):
            return
        paradigm = scene.reader.determiner(scene.word(index), scene.old)
        if paradigm is None or paradigm.kind not in ("article", "contraction"):
            continue
        form = paradigm.cells.get(scene.new.cell)
        if scene.is_kind(index + 2, "coordinator", "stop", "comma") and is_predicated(scene, index + 1, SURE):
            if index == start and form:
                yield WordChange(index, form, ELIDED)
                yield from scene.adjective(index + 1, ELIDED)
            else:
                yield Doubt(index, ELIDED)
        return
