"""Adjectives and participles right of the NC: directly beside it, coordinated, or after an adverb of degree."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.reader import Features
from ncimp.builder.filling.scene import ADJECTIVE, Change, Finding, Scene

LIKELY = 0.3
"""Least share of adjectives among the uses of a word that is taken for one right of a noun."""

RARE = 0.05
"""The same for a word after an adverb of degree, which no noun follows."""

PAIRED = 0.2
"""The same for a word that a coordinator joins to an adjective."""


def right_adjectives(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the adjectives that follow the NC, and of the participle in *[NC] a ser vendida*."""
    for index in beside(scene, scene.last + 1):
        yield from scene.adjective(index, ADJECTIVE)
    index = after(scene)
    infinitive = scene.is_kind(index + 1, "copula") and scene.reader.is_infinitive(scene.word(index + 1))
    if scene.is_kind(index, "linker") and infinitive:
        places = beside(scene, index + 2)
        for place in places:
            yield from scene.adjective(place, ADJECTIVE)
        if places:
            yield from _infinitive(scene, index + 1)


def _infinitive(scene: Scene, index: int) -> Iterator[Finding]:
    """Yield the change of a personal infinitive: *a ser lida* becomes *a serem lidas*."""
    endings, word = scene.reader.kind("personal infinitive"), scene.word(index)
    if scene.new.number == scene.old.number:
        return
    for ending in sorted(endings):
        if scene.new.number == "pl":
            yield Change(index, word + ending, "personal infinitive")
        elif word.endswith(ending):
            yield Change(index, word.removesuffix(ending), "personal infinitive")


def after(scene: Scene) -> int:
    """Return the index of the first token after the NC and its adjectives."""
    return max([scene.last, *beside(scene, scene.last + 1)]) + 1


def beside(scene: Scene, index: int, features: Features | None = None) -> list[int]:
    """Return the indices of the adjectives from *index* on that agree with the NC: *belas, muito claras e novas*.

    With other *features* than the NC's, those of the adjectives that agree with another noun.
    """
    found: list[int] = []
    index = scene.skip(index, 1, "quote")
    while True:
        joined = scene.is_kind(index, "coordinator", "comma")
        if joined and not found and not _is_list(scene, index, features):
            return found
        place = scene.skip(index + joined, 1, "degree", "adverb")
        likely = RARE if scene.is_kind(place - 1, "degree") else PAIRED if joined else LIKELY
        if not is_predicated(scene, place, likely, features) or (joined and not _ends(scene, place)):
            return found
        found.append(place)
        index = place + 1


def _is_list(scene: Scene, index: int, features: Features | None) -> bool:
    """Tell whether the compound's own adjective goes on at *index*: *domésticos, europeus e longos*."""
    if scene.is_kind(index, "coordinator"):
        return is_predicated(scene, index + 1, PAIRED, features) and _ends(scene, index + 1)
    return (
        scene.is_kind(index, "comma")
        and is_predicated(scene, index + 1, LIKELY, features)
        and scene.is_kind(index + 2, "coordinator")
        and is_predicated(scene, index + 3, LIKELY, features)
    )


def _ends(scene: Scene, index: int) -> bool:
    """Tell whether no noun follows the adjective at *index*, to which it could belong."""
    return scene.reader.likelihood(scene.word(index + 1), "noun") < 0.5


def is_predicated(scene: Scene, index: int, likely: float = LIKELY, features: Features | None = None) -> bool:
    """Tell whether the word at *index* is likely an adjective or participle that agrees with the NC."""
    return scene.agrees(index, features) and scene.reader.likelihood(scene.word(index), "adj") >= likely
