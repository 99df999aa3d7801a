"""Words farther off that stand for the NC: the pronoun of a role, and a determiner whose noun is left out."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.rules.left import phrase_start
from ncimp.builder.filling.rules.right import after, is_predicated
from ncimp.builder.filling.scene import Change, Doubt, Finding, Scene

SURE = 0.8
"""Least share of adjectives among the uses of a word that is taken for one without its noun."""


def role_pronoun(scene: Scene) -> Iterator[Finding]:
    """Yield the change of the pronoun in *Como um bom* [NC], *ele ...*: the NC names who it stands for."""
    index = after(scene) + 1
    start = phrase_start(scene)
    if start != 1 or not scene.is_kind(0, "role") or not scene.is_kind(index - 1, "comma"):
        return
    paradigm = scene.reader.pronoun(scene.word(index), scene.old)
    form = paradigm.cells.get(scene.new.cell) if paradigm else None
    if form is not None and form != scene.word(index):
        yield Change(index, form, "role pronoun")


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
        ends = scene.is_kind(index + 2, "coordinator", "stop", "comma")
        if index == start and ends and form and is_predicated(scene, index + 1, SURE):
            yield Change(index, form, "elided noun")
            yield from scene.adjective(index + 1, "elided noun")
        elif ends and is_predicated(scene, index + 1, SURE):
            yield Doubt(index, "elided noun")
        return
