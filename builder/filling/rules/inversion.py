"""Verbs before their subject: *nasciam aí as* [NC], *será aberta a* [NC], *quais são os* [NC], *este é um* [NC]."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.rules.left import chain, phrase_start
from ncimp.builder.filling.rules.predicates import has_verb
from ncimp.builder.filling.rules.right import is_predicated
from ncimp.builder.filling.scene import Change, Doubt, Finding, Scene
from ncimp.builder.records import Paradigm

RULE = "inverted subject"


def inverted_subject(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of a verb, its participle or its pronoun before the NC, which is its subject."""
    if any(link.paradigm and link.paradigm.kind == "contraction" for link in chain(scene)):
        return
    verb, participle = _verb_before(scene)
    if not scene.reader.is_finite(scene.word(verb), scene.old.number):
        return
    paradigm = _pronoun(scene, verb - 1) if scene.is_kind(verb, "copula") and participle is None else None
    if paradigm is not None:
        yield from _identified(scene, verb - 1, paradigm)
    elif has_subject(scene, verb):
        yield from _predicate_of_another(scene, verb, participle)
        return
    elif not _inverts(scene, verb, participle):
        return
    if participle is not None:
        yield from scene.adjective(participle, RULE)
    yield from scene.verb(verb, RULE)


def _predicate_of_another(scene: Scene, verb: int, participle: int | None) -> Iterator[Finding]:
    """Yield a doubt for *ele é um* [NC] where the NC becomes a plural: subject and predicate then differ in number."""
    if scene.is_kind(verb, "copula") and participle is None and scene.new.number != scene.old.number:
        yield Doubt(verb, RULE)


def _verb_before(scene: Scene) -> tuple[int, int | None]:
    """Return where a finite verb before the NC would stand, and the index of a participle between them."""
    start = phrase_start(scene)
    index = scene.skip(start - 1, -1, "adverb")
    if is_predicated(scene, index):
        return scene.skip(index - 1, -1, "adverb"), index
    if start < scene.first and is_predicated(scene, start):  # *foi encontrado [NC]*: no determiner between them
        return index, start
    return index, None


def _inverts(scene: Scene, verb: int, participle: int | None) -> bool:
    if participle is not None:
        return scene.is_kind(verb, "copula")
    stems = tuple(scene.reader.kind("presentational"))
    return scene.is_kind(verb, "impersonal") or (bool(stems) and scene.word(verb).startswith(stems))


def has_subject(scene: Scene, verb: int) -> bool:
    """Tell whether something that can be the subject of the verb at *verb* stands before it in its clause."""
    before = scene.skip(verb - 1, -1, "adverb", "clitic")
    if scene.is_kind(before, "comma", "coordinator"):
        return has_verb(scene, before - 1)
    return not (before < 0 or scene.is_kind(before, "stop", "wh"))


def _pronoun(scene: Scene, index: int) -> Paradigm | None:
    """Return the paradigm of a demonstrative or interrogative that begins its clause at *index*."""
    begins = index == 0 or scene.is_kind(index - 1, "comma", "stop", "coordinator", "subordinator")
    word, reader = scene.word(index), scene.reader
    paradigm = reader.pronoun(word, scene.old) or reader.determiner(word, scene.old)
    return paradigm if begins and paradigm and paradigm.kind in ("demonstrative", "interrogative") else None


def _identified(scene: Scene, index: int, paradigm: Paradigm) -> Iterator[Finding]:
    """Yield the changes of the pronoun; an indefinite article goes in the plural: *estes são* [NC]."""
    form = paradigm.cells.get(scene.new.cell)
    if form is None:
        yield Doubt(index, RULE)
    elif form != scene.word(index):
        yield Change(index, form, RULE)
    links = [link for link in chain(scene) if link.paradigm]
    if scene.new.number == "pl" and links and scene.word(links[0].index) in scene.reader.kind("bare plural"):
        yield Change(links[0].index, "", RULE)
