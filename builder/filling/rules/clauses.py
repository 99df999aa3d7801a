"""Verbs and predicates of which the NC is the subject: in its relative clause, its own clause, or inverted."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.builder.filling.rules.left import chain, phrase_start
from ncimp.builder.filling.rules.right import after, beside, is_predicated
from ncimp.builder.filling.scene import Change, Doubt, Finding, Scene

REACH = 12
"""Tokens between a subject and its verb that are looked through."""


def relative_clause(scene: Scene) -> Iterator[Finding]:
    """Yield the changes in a relative clause whose subject is the NC: *[NC], que não eram lidas*."""
    index = after(scene)
    while index < len(scene.words) and scene.text(index)[:1].isupper():  # a name in apposition
        index += 1
    index = scene.skip(index, 1, "comma")
    if not scene.is_kind(index, "relative"):
        return
    verb = scene.skip(index + 1, 1, "clitic", "adverb")
    if scene.reader.is_finite(scene.word(verb), scene.old.number):
        yield from _clause(scene, verb, "relative clause")


def main_clause(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the verb and predicate of the clause whose subject is the NC."""
    if not is_subject(scene):
        return
    verb = _verb_after(scene)
    if verb is not None:
        yield from _clause(scene, verb, "main clause")


def is_subject(scene: Scene) -> bool:
    """Tell whether the noun phrase of the NC begins its clause and hangs on no preposition."""
    links = chain(scene)
    if any(link.paradigm and link.paradigm.kind == "contraction" for link in links):
        return False
    before = phrase_start(scene) - 1
    if before < 0 or scene.is_kind(before, "subordinator", "relative", "stop"):
        return True
    if scene.is_kind(before, "preposition", "coordinator"):
        return False
    verb = scene.skip(after(scene), 1, "adverb", "clitic")
    direct = scene.reader.is_finite(scene.word(verb), scene.old.number)
    return (direct or scene.is_kind(before, "comma", "adverb")) and not _has_verb(scene, before)


def _has_verb(scene: Scene, end: int) -> bool:
    """Tell whether a finite verb stands before the token at *end* in its clause."""
    while end >= 0 and not scene.is_kind(end, "stop", "subordinator", "relative", "wh"):
        if any(scene.reader.is_finite(scene.word(end), number) for number in ("sg", "pl")):
            return True
        end -= 1
    return False


def _verb_after(scene: Scene) -> int | None:
    """Return the index of the first finite verb after the NC in its number, or None when the subject is not simple."""
    index = after(scene)
    if scene.is_kind(index, "comma"):  # a parenthesis: go on behind its second comma
        ends = [i for i in range(index + 1, min(index + REACH, len(scene.words))) if scene.is_kind(i, "comma")]
        if not ends:
            return None
        index = ends[0] + 1
    for place in range(index, min(index + REACH, len(scene.words))):
        if scene.is_kind(place, "coordinator", "comma", "stop", "subordinator", "relative"):
            return None
        if scene.reader.is_finite(scene.word(place), scene.old.number):
            return place
        if scene.reader.is_finite(scene.word(place), other(scene.old.number)):
            return None
    return None


def other(number: str) -> str:
    return "pl" if number == "sg" else "sg"


def _clause(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    """Yield the change of the verb at *verb* and of the predicate that follows it."""
    if scene.new.number != scene.old.number:
        yield from scene.verb(verb, rule)
    yield from _predicate(scene, verb, rule)
    yield from _further(scene, verb, rule)


def _predicate(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    """Yield the changes of a predicative adjective or passive participle: *tinha de ser (muito) cortado*."""
    index, copula = verb, False
    while index == verb or scene.is_kind(index, "copula", "linker", "adverb", "degree", "clitic"):
        copula = copula or scene.is_kind(index, "copula")
        index += 1
    if copula:
        places = beside(scene, index)
        for place in places:
            yield from scene.adjective(place, rule)
        if places:
            yield from _further_participle(scene, places[-1] + 1, rule)


def _further_participle(scene: Scene, index: int, rule: str) -> Iterator[Finding]:
    """Yield the change of a second participle after what belongs to the first: *é vista por elas e lida*."""
    for place in range(index, min(index + REACH, len(scene.words))):
        if scene.is_kind(place, "stop", "comma", "subordinator", "relative"):
            return
        if scene.is_kind(place, "coordinator"):
            if is_predicated(scene, place + 1) and scene.is_kind(place + 2, "preposition", "stop", "comma"):
                yield from scene.adjective(place + 1, rule)
            return


def _further(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    """Yield the changes of a coordinated verb: *que precisam de ajuda e não podem esperar*."""
    for index in range(verb + 1, min(verb + REACH, len(scene.words))):
        if scene.is_kind(index, "stop", "comma", "subordinator", "relative"):
            return
        if scene.is_kind(index, "coordinator"):
            place = scene.skip(index + 1, 1, "adverb", "clitic")
            if scene.reader.is_finite(scene.word(place), scene.old.number):
                if scene.new.number != scene.old.number:
                    yield from scene.verb(place, rule)
                yield from _predicate(scene, place, rule)
                return


def inverted_subject(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of a verb before its subject: *nasciam aí as* [NC], *foi aberta a* [NC], *quais são os* [NC]."""
    if any(link.paradigm and link.paradigm.kind == "contraction" for link in chain(scene)):
        return
    found = _verb_before(scene)
    if found is None:
        return
    verb, participle = found
    rule = "inverted subject"
    if participle is not None:
        yield from scene.adjective(participle, rule)
    if scene.new.number != scene.old.number:
        yield from scene.verb(verb, rule)
    if scene.is_kind(verb, "copula") and _is_pronoun(scene, verb - 1):
        yield from _subject_word(scene, verb - 1, rule)
        yield from _bare_plural(scene, rule)


def _verb_before(scene: Scene) -> tuple[int, int | None] | None:
    """Return the index of a finite verb before its subject, and of a participle between them."""
    start = phrase_start(scene)
    index = scene.skip(start - 1, -1, "adverb")
    if is_predicated(scene, index):
        participle: int | None = index
        verb = scene.skip(index - 1, -1, "adverb")
    elif start < scene.first and is_predicated(scene, start):  # *foi encontrado [NC]*: no determiner between them
        participle, verb = start, index
    else:
        participle, verb = None, index
    if not scene.reader.is_finite(scene.word(verb), scene.old.number):
        return None
    return (verb, participle) if _inverts(scene, verb, participle) else None


def _inverts(scene: Scene, verb: int, participle: int | None) -> bool:
    word = scene.word(verb)
    if participle is not None:
        return scene.is_kind(verb, "copula") and not _has_subject(scene, verb)
    if scene.is_kind(verb, "copula"):
        return _is_pronoun(scene, verb - 1) or (scene.is_kind(verb, "impersonal") and not _has_subject(scene, verb))
    return any(word.startswith(stem) for stem in scene.reader.kind("presentational")) and not _has_subject(scene, verb)


def _has_subject(scene: Scene, verb: int) -> bool:
    """Tell whether something that can be the subject of the verb at *verb* stands before it in its clause."""
    before = scene.skip(verb - 1, -1, "adverb", "clitic")
    if scene.is_kind(before, "comma", "coordinator"):
        return _has_verb(scene, before - 1)
    return not (before < 0 or scene.is_kind(before, "stop", "wh"))


def _is_pronoun(scene: Scene, index: int) -> bool:
    paradigm = scene.reader.determiner(scene.word(index), scene.old)
    begins = index == 0 or scene.is_kind(index - 1, "comma", "stop", "coordinator", "subordinator")
    return paradigm is not None and begins and paradigm.kind in ("demonstrative", "interrogative")


def _subject_word(scene: Scene, index: int, rule: str) -> Iterator[Finding]:
    """Yield the change of a demonstrative or interrogative that the copula joins to the NC: *este é um* [NC]."""
    paradigm = scene.reader.determiner(scene.word(index), scene.old)
    form = paradigm.cells.get(scene.new.cell) if paradigm else None
    if form is None:
        yield Doubt(index, rule)
    elif form != scene.word(index):
        yield Change(index, form, rule)


def _bare_plural(scene: Scene, rule: str) -> Iterator[Finding]:
    """Yield the deletion of an indefinite article: *este é um* [NC] becomes *estes são* [NC]."""
    links = [link for link in chain(scene) if link.paradigm]
    if scene.new.number == "pl" and links and scene.word(links[0].index) in scene.reader.kind("bare plural"):
        yield Change(links[0].index, "", rule)
