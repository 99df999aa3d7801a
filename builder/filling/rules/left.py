"""The chain left of the NC: determiners, contractions, numerals and adjectives, nearest first.

*(todas) (as) (suas) (três) (mais) (belas)* [NC]: every link agrees, or is passed over; the first word
that is neither ends the noun phrase.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ncimp.builder.filling.reader import Features
from ncimp.builder.filling.scene import Change, Doubt, Finding, Scene
from ncimp.builder.records import Paradigm

DETERMINES = frozenset({"article", "contraction", "demonstrative"})
"""Kinds of determiners that only a quantifier may precede (*todas as*, *ambos os*)."""

CLOSES = frozenset({"article", "contraction", "demonstrative", "possessive", "identity"})
"""Kinds of determiners that an adjective precedes only under a further determiner (*a única outra*)."""

LIKELY = 0.4
"""Least share of adjectives among the uses of a word of the chain."""


RARE = 0.1
"""The same between a determiner and a noun, where little else can stand."""


@dataclass(frozen=True, slots=True)
class Link:
    """One word of the chain: the paradigm it stands in, if any, and whether it varies as an adjective."""

    index: int
    paradigm: Paradigm | None = None
    adjective: bool = False
    partitive: bool = False


def left_chain(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the chain left of the NC."""
    for link in chain(scene):
        if link.partitive:
            yield from _partitive(scene, link)
        elif link.paradigm is not None:
            form = link.paradigm.cells.get(scene.new.cell)
            if form is None:
                yield Doubt(link.index, link.paradigm.id)
            elif form != scene.word(link.index):
                yield Change(link.index, form, link.paradigm.id)
        elif link.adjective:
            yield from scene.adjective(link.index, "adjective or participle")


def _partitive(scene: Scene, link: Link) -> Iterator[Finding]:
    """*Uma das* [NC]: the word before the plural contraction takes the gender and keeps its own number."""
    assert link.paradigm is not None  # noqa: S101 (a partitive link is made with its paradigm)
    word = scene.word(link.index)
    number = next(number for (_, number), form in link.paradigm.cells.items() if form == word)
    form = link.paradigm.cells[Features(scene.new.gender, number).cell]
    if scene.new.number == "sg":
        yield Doubt(link.index, "partitive")
    elif form != word:
        yield Change(link.index, form, link.paradigm.id)


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
    paradigm = reader.determiner(word, scene.old) if word else None
    if paradigm is not None and not (kind in DETERMINES and paradigm.kind != "quantifier"):
        return [Link(index, paradigm)]
    if kind == "contraction" and word in reader.kind("partitive") and scene.old.number == "pl":
        number = next(number for _, number in sorted(reader.cells(word)))
        own = reader.determiner(word, Features(scene.old.gender, number))
        return [Link(index, own, partitive=True)] if own else None
    if not word or kind in DETERMINES:
        return None
    if last and last.adjective and word in reader.kind("degree"):
        return [Link(index)]
    if last and last.adjective and word in reader.kind("coordinator") and _is_attributive(scene, index - 1):
        return [Link(index), Link(index - 1, adjective=True)]
    return _open_link(scene, index, kind)


def _open_link(scene: Scene, index: int, kind: str | None) -> list[Link] | None:
    adjective = _is_attributive(scene, index)
    if kind in CLOSES and not (adjective and _is_determined(scene, index - 1)):
        return None
    if adjective:
        return [Link(index, adjective=True)]
    return [Link(index)] if scene.reader.is_invariable(scene.word(index)) else None


def _is_attributive(scene: Scene, index: int) -> bool:
    word = scene.word(index)
    likely = RARE if _is_determined(scene, index - 1) else LIKELY
    return scene.agrees(index) and scene.reader.likelihood(word, "adj") >= likely


def _is_determined(scene: Scene, index: int) -> bool:
    paradigm = scene.reader.determiner(scene.word(index), scene.old)
    return paradigm is not None and paradigm.kind in DETERMINES


