"""Words that agree with the NC from farther away.

First the clauses whose subject is the NC: the verb, its predicate, and the words coordinated with them.

The subject precedes its verb in relative clauses and in its own clause (`relative_clause`, `main_clause`), and follows
it in *nasciam aí as* [NC], *será aberta a* [NC], *quais são os* [NC], *este é um* [NC] (`inverted_subject`).
Then a participle after a comma, a pronoun for a role, and a determiner whose noun is left out.
"""

from collections.abc import Iterator

from ncimp.builder.filling.rules.beside import (
    after,
    beside,
    chain,
    ends_phrase,
    has_contraction,
    is_predicated,
    phrase_start,
)
from ncimp.builder.filling.scene import Finding, Scene
from ncimp.builder.grammar import Features
from ncimp.builder.records import Paradigm

REACH = 12  # tokens searched for coordinated words, or between a subject and its verb

ENDS = ("stop", "comma", "subordinator", "relative")

MAIN, RELATIVE, INVERTED, PREDICATE = "main clause", "relative clause", "inverted subject", "predicate noun"
APPOSED, ROLE, ELIDED = "participle after a comma", "role pronoun", "elided noun"  # names of the rules
COMMA_REACH = 6  # tokens of a prepositional phrase that may stand between the NC and the comma
IDENTIFIES = ("demonstrative", "interrogative", "personal")  # kinds of pronouns that stand for a predicate
SURE = 0.8  # least share of adjectives among the uses of a word that stands without its noun


def relative_clause(scene: Scene) -> Iterator[Finding]:
    """Yield the changes in a relative clause whose subject is the NC: *[NC], que não eram lidas*."""
    index = after(scene)
    while index < len(scene.words) and scene.text(index)[:1].isupper():  # a name in apposition
        index += 1
    index = scene.skip(index, 1, "comma")
    if scene.is_kind(index, "relative"):
        verb = scene.skip(index + 1, 1, "clitic", "adverb")
        noun = scene.reader.paradigms(scene.word(verb - 1))  # *que a* [Procuradoria]: no pronoun, but an article
        if scene.is_verb(verb, scene.old.number) or (not noun and scene.may_be_verb(verb)):
            yield from _clause(scene, verb, RELATIVE)


def main_clause(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the verb and predicate of the clause whose subject is the NC."""
    if not _begins_clause(scene):
        return
    index = after(scene)
    if scene.is_kind(index, "comma"):  # a parenthesis: continue behind its second comma
        ends = [i for i in range(index + 1, min(index + REACH, len(scene.words))) if scene.is_kind(i, "comma")]
        if not ends:
            return
        index = ends[0] + 1
    for place in range(index, min(index + REACH, len(scene.words))):
        if scene.is_kind(place, "coordinator", "relative"):  # the subject of the next verb needs a parse
            if scene.new.number != scene.old.number:
                yield Finding(place, None, MAIN)
            return
        if scene.is_kind(place, "comma", "stop", "subordinator"):
            return
        if scene.is_verb(place):
            if scene.is_verb(place, scene.old.number):
                yield from _clause(scene, place, MAIN)
            return


def _begins_clause(scene: Scene) -> bool:
    """Tell whether the noun phrase of the NC begins its clause and hangs on no preposition."""
    if has_contraction(scene):
        return False
    before = phrase_start(scene) - 1
    if before < 0 or scene.is_kind(before, "subordinator", "relative", "stop"):
        return True
    if scene.is_kind(before, "preposition", "coordinator"):
        return False
    verb = scene.skip(after(scene), 1, "adverb", "clitic")
    direct = scene.is_verb(verb, scene.old.number)
    return (direct or scene.is_kind(before, "comma", "adverb")) and not _has_verb(scene, before)


def _clause(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    """Yield the change of the verb at *verb*, whose subject is the NC, and of the words that depend on it."""
    yield from _verb_phrase(scene, verb, rule)
    for index in range(verb + 1, min(verb + REACH, len(scene.words))):
        if scene.is_kind(index, *ENDS):
            return
        if scene.is_kind(index, "coordinator"):  # *que precisam de ajuda e não podem esperar*
            place = scene.skip(index + 1, 1, "adverb", "clitic")
            if scene.is_verb(place, scene.old.number):
                yield from _verb_phrase(scene, place, rule)
            return


def _verb_phrase(scene: Scene, verb: int, rule: str) -> Iterator[Finding]:
    """Yield the changes of a verb and, after a copula, of adjectives, participles or a noun: *(ser) cortados*."""
    yield from scene.verb(verb, rule)
    index, copula = verb, False
    while index == verb or scene.is_kind(index, "copula", "linker", "adverb", "degree", "clitic"):
        copula = copula or scene.is_kind(index, "copula")
        index += 1
    places = beside(scene, index) if copula else []
    if places and scene.reader.paradigms(scene.word(places[0] - 1)) and not ends_phrase(scene, places[-1]):
        return  # *foi o próprio gerente*
    for place in places:
        yield from scene.adjective(place, rule)
    if places:
        yield from _further_participle(scene, places[-1] + 1, rule)
    elif copula:
        yield from _predicate_noun(scene, index)


def _further_participle(scene: Scene, index: int, rule: str) -> Iterator[Finding]:
    """Yield the change of a second participle after the complements of the first: *é vista por elas e lida*."""
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
    gender, number = min(scene.reader.cells(article), key=str)
    paradigm = scene.reader.determiner(article, Features(gender, number))
    form = scene.reader.analyser.counterpart(noun, "noun", gender=None, number=scene.new.number)
    if paradigm is None or number != scene.old.number or scene.reader.likelihood(noun, "noun") < 0.5:
        return
    if form is None:
        yield Finding(index + 1, None, PREDICATE)
        return
    yield from scene.change(index, paradigm.form(Features(gender, scene.new.number).values), PREDICATE)
    yield Finding(index + 1, form, PREDICATE)
    for place in beside(scene, index + 2, Features(gender, number)):
        yield Finding(place, scene.reader.inflected(scene.word(place), Features(gender, scene.new.number)), PREDICATE)


def _has_verb(scene: Scene, end: int) -> bool:
    while end >= 0 and not scene.is_kind(end, "stop", "subordinator", "relative", "wh"):
        if scene.is_verb(end):
            return True
        end -= 1
    return False


def inverted_subject(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of a verb, its participle or its pronoun before the NC, which is its subject."""
    if has_contraction(scene):
        return
    verb, participle = _verb_before(scene)
    if not scene.is_verb(verb, scene.old.number):
        return
    copula = scene.is_kind(verb, "copula")
    paradigm = _pronoun(scene, verb - 1) if copula and participle is None else None
    if paradigm is not None:
        yield from _identified(scene, verb - 1, paradigm)
    elif _has_subject(scene, verb):
        # *ele é um* [NC], and the NC becomes a plural: subject and predicate then differ in number
        if copula and participle is None and scene.new.number != scene.old.number:
            yield Finding(verb, None, INVERTED)
        return
    elif participle is None:
        stems = tuple(scene.reader.kind("presentational"))
        if not scene.is_kind(verb, "impersonal") and not scene.word(verb).startswith(stems):
            return
    elif not copula:
        return
    if participle is not None:
        yield from scene.adjective(participle, INVERTED)
    yield from scene.verb(verb, INVERTED)


def _verb_before(scene: Scene) -> tuple[int, int | None]:
    """Return the place of a finite verb before the NC, and the index of a participle between them."""
    start = phrase_start(scene)
    index = scene.skip(start - 1, -1, "adverb")
    if is_predicated(scene, index):
        return scene.skip(index - 1, -1, "adverb"), index
    if start < scene.first and is_predicated(scene, start):  # *foi encontrado [NC]*: no determiner between them
        return index, start
    return index, None


def _has_subject(scene: Scene, verb: int) -> bool:
    """Tell whether a possible subject of the verb at *verb* stands before it in its clause."""
    before = scene.skip(verb - 1, -1, "adverb", "clitic")
    if scene.is_kind(before, "comma", "coordinator"):
        return _has_verb(scene, before - 1)
    return not (before < 0 or scene.is_kind(before, "stop", "wh"))


def _pronoun(scene: Scene, index: int) -> Paradigm | None:
    """Return the paradigm of a demonstrative or interrogative that begins its clause at *index*."""
    begins = index == 0 or scene.is_kind(index - 1, "comma", "stop", "coordinator", "subordinator")
    word, reader = scene.word(index), scene.reader
    paradigm = reader.pronoun(word, scene.old) or reader.determiner(word, scene.old)
    if not begins or paradigm is None or paradigm.kind not in IDENTIFIES:
        return None
    # a person stays who she is (*ela é um* [sucesso]), but one is not several (*eles são os* [culpados])
    return None if paradigm.kind == "personal" and scene.old.number == scene.new.number else paradigm


def _identified(scene: Scene, index: int, paradigm: Paradigm) -> Iterator[Finding]:
    yield from scene.change(index, paradigm.form(scene.new.values), INVERTED)
    links = [link for link in chain(scene) if link.paradigm]
    if scene.new.number == "pl" and links and scene.word(links[0].index) in scene.reader.kind("bare plural"):
        yield Finding(links[0].index, "", INVERTED)


def apposed_participle(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of a participle after a comma: *o* [NC] *da casa, acostumado a mandar, saiu*.

    It belongs to the NC where that is the first noun of the sentence; elsewhere another noun may own it
    (*comia um* [NC], *sentado à mesa*): a doubt.
    """
    start = after(scene)
    for comma in range(start, min(start + COMMA_REACH, len(scene.words))):
        if scene.is_kind(comma, "comma"):
            begins = phrase_start(scene) == 0 or scene.is_kind(phrase_start(scene) - 1, "stop")
            for index in beside(scene, scene.skip(comma + 1, 1, "adverb", "degree")):
                yield from scene.adjective(index, APPOSED) if begins else [Finding(index, None, APPOSED)]
            return
        if scene.is_verb(comma) or scene.is_kind(comma, "stop", "coordinator", "relative", "subordinator"):
            return


def role_pronoun(scene: Scene) -> Iterator[Finding]:
    """Yield the change of the pronoun in *Como um bom* [NC], *ele ...*: the NC names the person it stands for."""
    index = after(scene) + 1
    if phrase_start(scene) != 1 or not scene.is_kind(0, "role") or not scene.is_kind(index - 1, "comma"):
        return
    paradigm = scene.reader.pronoun(scene.word(index), scene.old)
    form = paradigm.form(scene.new.values) if paradigm else None
    if form is not None and form != scene.word(index):
        yield Finding(index, form, ROLE)


def elided_noun(scene: Scene) -> Iterator[Finding]:
    """Yield the changes in *troque o* [NC] *pelo desnatado*: determiner and adjective after which no noun stands."""
    start = after(scene)
    for index in range(start, len(scene.words) - 2):
        if scene.is_kind(index, "stop", "comma", "subordinator", "relative"):
            return
        paradigm = scene.reader.determiner(scene.word(index), scene.old)
        if paradigm is None or paradigm.kind not in ("article", "contraction"):
            continue
        form = paradigm.form(scene.new.values)
        if scene.is_kind(index + 2, "coordinator", "stop", "comma") and is_predicated(scene, index + 1, SURE):
            if index == start and form:
                yield Finding(index, form, ELIDED)
                yield from scene.adjective(index + 1, ELIDED)
            else:
                yield Finding(index, None, ELIDED)
        return
