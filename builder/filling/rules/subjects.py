"""Clauses whose subject is the NC and precedes its verb: relative clauses and its own clause."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.rules.left import chain, phrase_start
from ncimp.builder.filling.rules.predicates import REACH, clause, has_verb
from ncimp.builder.filling.rules.right import after
from ncimp.builder.filling.scene import Doubt, Finding, Scene


def relative_clause(scene: Scene) -> Iterator[Finding]:
    """Yield the changes in a relative clause whose subject is the NC: *[NC], que não eram lidas*."""
    index = after(scene)
    while index < len(scene.words) and scene.text(index)[:1].isupper():  # a name in apposition
        index += 1
    index = scene.skip(index, 1, "comma")
    if scene.is_kind(index, "relative"):
        verb = scene.skip(index + 1, 1, "clitic", "adverb")
        if scene.reader.is_finite(scene.word(verb), scene.old.number):
            yield from clause(scene, verb, "relative clause")


def main_clause(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the verb and predicate of the clause whose subject is the NC.

    Whose verb it is behind a relative clause or a second subject nobody can tell without a parse: that is a doubt.
    """
    if not _is_subject(scene):
        return
    verb, stopped = _verb_after(scene)
    if verb is not None:
        yield from clause(scene, verb, "main clause")
    elif stopped is not None and scene.new.number != scene.old.number:
        yield Doubt(stopped, "main clause")


def _is_subject(scene: Scene) -> bool:
    """Tell whether the noun phrase of the NC begins its clause and hangs on no preposition."""
    if any(link.paradigm and link.paradigm.kind == "contraction" for link in chain(scene)):
        return False
    before = phrase_start(scene) - 1
    if before < 0 or scene.is_kind(before, "subordinator", "relative", "stop"):
        return True
    if scene.is_kind(before, "preposition", "coordinator"):
        return False
    verb = scene.skip(after(scene), 1, "adverb", "clitic")
    direct = scene.reader.is_finite(scene.word(verb), scene.old.number)
    return (direct or scene.is_kind(before, "comma", "adverb")) and not has_verb(scene, before)


def _verb_after(scene: Scene) -> tuple[int | None, int | None]:
    """Return the index of the first finite verb after the NC in its number, or else of what hides it."""
    index = after(scene)
    if scene.is_kind(index, "comma"):  # a parenthesis: go on behind its second comma
        ends = [i for i in range(index + 1, min(index + REACH, len(scene.words))) if scene.is_kind(i, "comma")]
        if not ends:
            return None, None
        index = ends[0] + 1
    for place in range(index, min(index + REACH, len(scene.words))):
        if scene.is_kind(place, "coordinator", "relative"):
            return None, place
        if scene.is_kind(place, "comma", "stop", "subordinator"):
            return None, None
        if scene.is_verb(place):
            return (place, None) if scene.reader.is_finite(scene.word(place), scene.old.number) else (None, None)
    return None, None
