"""The chain left of the NC: determiners, contractions, numerals and adjectives, nearest first.

*(todas) (as) (suas) (três) (mais) (belas)* [NC]: every link agrees, or is passed over; the first word
that is neither ends the noun phrase.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ncimp.builder.filling.reader import Features
from ncimp.builder.filling.scene import ADJECTIVE, Change, Doubt, Finding, Scene
from ncimp.builder.records import Number, Paradigm

DETERMINES = frozenset({"article", "contraction", "demonstrative", "relative"})
"""Kinds of determiners that only a quantifier may precede (*todas as*, *ambos os*)."""

CLOSES = DETERMINES | {"possessive", "identity"}
"""Kinds of determiners that an adjective precedes only under a further determiner (*a única outra*)."""

LIKELY = 0.4
"""Least share of adjectives among the uses of a word of the chain."""


RARE = 0.1
"""The same between a determiner and a noun, where little else can stand."""


@dataclass(frozen=True, slots=True)
class Link:
    """One word of the chain: the paradigm it stands in, if any, and whether it agrees as an adjective."""

    index: int
    paradigm: Paradigm | None = None
    adjective: bool = False
    number: Number | None = None
    """Its own number, where that is not the NC's."""


def left_chain(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the chain left of the NC."""
    for link in chain(scene):
        word = scene.word(link.index)
        if link.paradigm is not None:
            yield from _determiner(scene, link, link.paradigm)
        elif link.adjective:
            yield from scene.adjective(link.index, ADJECTIVE)
        elif scene.reader.is_numeral(word, scene.old):
            form = scene.reader.analyser.counterpart(word, "num", gender=scene.new.gender, number=scene.new.number)
            if form is None:
                yield Doubt(link.index, "numeral")
            elif form != word:
                yield Change(link.index, form, "numeral")


def _determiner(scene: Scene, link: Link, paradigm: Paradigm) -> Iterator[Finding]:
    """Yield the change of a determiner; one of its own number keeps it: *uma das* [NC], *vinte e uma* [NC]."""
    number = link.number or scene.new.number
    form = paradigm.cells.get(Features(scene.new.gender, number).cell)
    if form is None or (link.number and scene.new.number == "sg"):
        yield Doubt(link.index, paradigm.id)
    elif form != scene.word(link.index):
        yield Change(link.index, form, paradigm.id)


def chain(scene: Scene) -> list[Link]:
    """Return the links left of the NC, nearest first."""
    return list(_links(scene))


def phrase_start(scene: Scene) -> int:
    """Return the index of the first word of the noun phrase around the NC: determiners and adjectives included."""
    return min([scene.first, *(link.index for link in chain(scene))])


def _links(scene: Scene) -> Iterator[Link]:
    index = scene.skip(scene.first - 1, -1, "quote")
    last: Link | None = None
    while True:
        found = _link(scene, index, last)
        if found is None:
            return
        yield from found
        last = next((link for link in reversed(found) if link.paradigm or link.adjective), last)
        index = found[-1].index - 1


def _link(scene: Scene, index: int, last: Link | None) -> list[Link] | None:
    """Return the link at *index*, with what it needs beside it, or None where the chain ends."""
    word, reader = scene.word(index), scene.reader
    kind = last.paradigm.kind if last and last.paradigm else None
    if not word:
        return None
    if last and last.adjective and word in reader.kind("degree"):
        return [Link(index)]
    paradigm = reader.determiner(word, scene.old)
    if paradigm is not None and not (kind in DETERMINES and paradigm.kind != "quantifier"):
        return [Link(index, paradigm)]
    own = _of_own_number(scene, index, kind)
    if own is not None:
        return [own]
    if kind in DETERMINES:
        return None
    if last and last.adjective and word in reader.kind("coordinator") and _is_attributive(scene, index - 1):
        return [Link(index), Link(index - 1, adjective=True)]
    return _open_link(scene, index, kind)


def _of_own_number(scene: Scene, index: int, kind: str | None) -> Link | None:
    """Return the link of a singular word before a plural NC: *uma das* [NC], *vinte e uma* [NC]."""
    word, reader = scene.word(index), scene.reader
    partitive = kind == "contraction" and word in reader.kind("partitive")
    counting = kind is None and scene.is_kind(index - 1, "coordinator") and reader.is_invariable(scene.word(index - 2))
    if scene.old.number == "sg" or not (partitive or (counting and word in reader.kind("unit"))):
        return None
    number = min(number for _, number in reader.cells(word))
    paradigm = reader.determiner(word, Features(scene.old.gender, number))
    return Link(index, paradigm, number=number) if paradigm else None


def _open_link(scene: Scene, index: int, kind: str | None) -> list[Link] | None:
    """Return the link of an adjective or numeral; a determiner must stand before one that is left of a determiner."""
    adjective, word = _is_attributive(scene, index), scene.word(index)
    if not adjective and not scene.reader.is_invariable(word) and not scene.reader.is_numeral(word, scene.old):
        return None
    if kind in CLOSES and not _is_determined(scene, index - 1):
        return None
    return [Link(index, adjective=adjective)]


def _is_attributive(scene: Scene, index: int) -> bool:
    word = scene.word(index)
    likely = RARE if _is_determined(scene, index - 1) else LIKELY
    return scene.agrees(index) and scene.reader.likelihood(word, "adj") >= likely


def _is_determined(scene: Scene, index: int) -> bool:
    paradigm = scene.reader.determiner(scene.word(index), scene.old)
    return paradigm is not None and paradigm.kind in DETERMINES
