"""What agrees with a subject inside its clause: the verb, its predicate, and what is coordinated with them."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.reader import Features
from ncimp.builder.filling.rules.right import beside, is_predicated
from ncimp.builder.filling.scene import Change, Doubt, Finding, Scene

REACH = 12
"""Tokens that are looked through for what is coordinated, or between a subject and its verb."""

ENDS = ("stop", "comma", "subordinator", "relative")


def clause(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    """Yield the change of the verb at *verb*, whose subject is the NC, and of what follows it."""
    yield from _verb_phrase(scene, verb, rule)
    for index in range(verb + 1, min(verb + REACH, len(scene.words))):
        if scene.is_kind(index, *ENDS):
            return
        if scene.is_kind(index, "coordinator"):  # *que precisam de ajuda e não podem esperar*
            place = scene.skip(index + 1, 1, "adverb", "clitic")
            if scene.reader.is_finite(scene.word(place), scene.old.number):
                yield from _verb_phrase(scene, place, rule)
            return


def _verb_phrase(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    yield from scene.verb(verb, rule)
    index, copula = verb, False
    while index == verb or scene.is_kind(index, "copula", "linker", "adverb", "degree", "clitic"):
        copula = copula or scene.is_kind(index, "copula")
        index += 1
    if copula:
        yield from _predicate(scene, index, rule)


def _predicate(scene: Scene, index: int, rule: str) -> Iterator[Finding]:
    """Yield the changes of adjectives, passive participles or a noun after a copula: *(ser) cortados*."""
    places = beside(scene, index)
    for place in places:
        yield from scene.adjective(place, rule)
    if places:
        yield from _further_participle(scene, places[-1] + 1, rule)
    else:
        yield from _predicate_noun(scene, index)


def _further_participle(scene: Scene, index: int, rule: str) -> Iterator[Finding]:
    """Yield the change of a second participle after what belongs to the first: *é vista por elas e lida*."""
    for place in range(index, min(index + REACH, len(scene.words))):
        if scene.is_kind(place, *ENDS):
            return
        if scene.is_kind(place, "coordinator"):
            if is_predicated(scene, place + 1) and scene.is_kind(place + 2, "preposition", "stop", "comma"):
                yield from scene.adjective(place + 1, rule)
            return


def _predicate_noun(scene: Scene, index: int) -> Iterator[Finding]:
    """Yield the changes of number of a predicate noun: *é um alimento* becomes *são uns alimentos*."""
    article, noun = scene.word(index), scene.word(index + 1)
    if scene.new.number == scene.old.number or article not in scene.reader.kind("bare plural"):
        return
    gender, number = min(scene.reader.cells(article))
    paradigm = scene.reader.determiner(article, Features(gender, number))
    form = scene.reader.analyser.counterpart(noun, "noun", gender=None, number=scene.new.number)
    if paradigm is None or number != scene.old.number or scene.reader.likelihood(noun, "noun") < 0.5:
        return
    if form is None:
        yield Doubt(index + 1, "predicate noun")
    else:
        yield Change(index, paradigm.cells[gender, scene.new.number], "predicate noun")
        yield Change(index + 1, form, "predicate noun")
        own = Features(gender, number)
        for place in beside(scene, index + 2, own):
            adjective = scene.reader.inflected(scene.word(place), Features(gender, scene.new.number))
            yield Change(place, adjective, "predicate noun") if adjective else Doubt(place, "predicate noun")


def has_verb(scene: Scene, end: int) -> bool:
    """Tell whether a finite verb stands at or before the token at *end* in its clause."""
    while end >= 0 and not scene.is_kind(end, "stop", "subordinator", "relative", "wh"):
        if scene.is_verb(end):
            return True
        end -= 1
    return False
