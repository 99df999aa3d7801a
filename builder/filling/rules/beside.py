"""Words directly beside the NC: the chain left of it, and the adjectives and participles right of it.

*(todas) (as) (suas) (três) (mais) (belas)* [NC] *(claras) e (novas)*: every link agrees, or is passed over; the
first word that does neither ends the noun phrase.

Beside a replacement that is no noun phrase, the words go that only a noun can have there: *em* [tempo real] becomes
[ao vivo], *de* [quinta categoria] becomes [ruim]. An adjective after an article stays: it may name somebody
(*um* [submisso]).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ncimp.builder.filling.scene import ADJECTIVE, Finding, Scene
from ncimp.builder.grammar import NUMBERS, Features
from ncimp.builder.records import Number, Paradigm

# kinds of determiners that only a quantifier may precede (*todas as*, *ambos os*)
DETERMINES = frozenset({"article", "contraction", "demonstrative", "relative"})
# those that an adjective precedes only under a further determiner (*a única outra*)
CLOSES = DETERMINES | {"possessive", "identity"}

LEFT = 0.4  # least share of adjectives among the uses of a word of the chain
LEFT_DETERMINED = 0.1  # the same between a determiner and a noun, where little else fits
RIGHT = 0.3  # the same right of a noun
RIGHT_DEGREE = 0.05  # the same after an adverb of degree, which no noun follows
RIGHT_PAIRED = 0.2  # the same for a word that a coordinator joins to an adjective

NO_NOUN_PHRASE = "replacement that is no noun phrase"


@dataclass(frozen=True, slots=True)
class Link:
    """One word of the chain: its paradigm, if any, and whether it agrees as an adjective."""

    index: int
    paradigm: Paradigm | None = None
    adjective: bool = False
    number: Number | None = None  # its own number, where that is not the NC's
    size: int = 1  # in tokens: *de la*

    def features(self, scene: Scene) -> Features:
        """Return the features that it gets."""
        return replace(scene.new, number=self.number or scene.new.number)


def left_chain(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the chain left of the NC."""
    for link in chain(scene):
        word = scene.word(link.index)
        if link.paradigm is not None:
            # a word of its own number keeps it: *uma das* [NC], *vinte e uma* [NC]
            old = replace(scene.old, number=link.number or scene.old.number)
            form = link.paradigm.turned(scene.several(link.index, link.size), old.values, link.features(scene).values)
            unclear = link.number is not None and scene.new.number == "sg"
            yield from scene.change(link.index, None if unclear else form, link.paradigm.id, link.size)
        elif link.adjective:
            yield from scene.adjective(link.index, ADJECTIVE)
        elif scene.reader.is_numeral(word, scene.old):
            form = scene.reader.analyser.counterpart(word, "num", gender=scene.new.gender, number=scene.new.number)
            yield from scene.change(link.index, form, "numeral")
        elif (scene.old.number, scene.new.number) == ("pl", "sg") and scene.reader.is_counting(word):
            yield Finding(link.index, None, "numeral")  # *três* [propostas] and one phrase


def chain(scene: Scene) -> list[Link]:
    """Return the links left of the NC, nearest first: determiners, contractions, numerals and adjectives."""
    links: list[Link] = []
    index = scene.skip(scene.first - 1, -1, "quote")
    last: Link | None = None
    while more := _links_at(scene, index, last):
        links += more
        last = next((link for link in reversed(more) if link.paradigm or link.adjective), last)
        index = scene.skip(more[-1].index - 1, -1, "quote")
    return links


def stranger(scene: Scene) -> str | None:
    """Return the determiner left of the NC that its features do not let stand there, or None."""
    links = chain(scene)
    if any(link.paradigm and link.paradigm.kind in DETERMINES for link in links):
        return None
    index = min([scene.skip(scene.first - 1, -1, "quote") + 1, *(link.index for link in links)]) - 1
    rows = scene.reader.paradigms(scene.word(index))
    determines = bool(rows) and all(row.kind in DETERMINES for row in rows)
    return scene.text(index) if determines else None


def phrase_start(scene: Scene) -> int:
    """Return the index of the first word of the noun phrase around the NC: determiners and adjectives included."""
    return min([scene.first, *(link.index for link in chain(scene))])


def has_contraction(scene: Scene) -> bool:
    """Tell whether the NC hangs on a preposition that is contracted with its determiner."""
    return any(link.paradigm and link.paradigm.kind == "contraction" for link in chain(scene))


def _links_at(scene: Scene, index: int, last: Link | None) -> list[Link]:
    """Return the link at *index*, with what it needs beside it, or nothing where the chain ends."""
    word, reader = scene.word(index), scene.reader
    kind = last.paradigm.kind if last and last.paradigm else None
    if not word:
        return []
    before_adjective = last.adjective if last else is_predicated(scene, scene.first) and scene.first < scene.last
    if before_adjective and word in reader.kind("degree"):  # *a mais* [tenra idade], *as mais belas* [praias]
        return [Link(index)]
    features = scene.read_before(last.adjective if last else scene.phrase.begins[0] == "adj")
    for size in range(reader.longest, 0, -1):
        paradigm = scene.determiner(index - size + 1, size, features)
        if paradigm is not None and not (kind in DETERMINES and paradigm.kind != "quantifier"):
            return [Link(index - size + 1, paradigm, paradigm.kind == "adj", size=size)]
    of_own_number = _link_of_own_number(scene, index, kind)
    if of_own_number is not None:
        return [of_own_number]
    if kind in DETERMINES:
        return []
    if last and last.adjective and word in reader.kind("coordinator") and _is_attributive(scene, index - 1):
        return [Link(index), Link(index - 1, adjective=True)]
    # an adjective or numeral; left of a determiner, a further determiner must stand before it
    adjective = _is_attributive(scene, index)
    open_word = adjective or reader.is_invariable(word) or reader.is_numeral(word, scene.old)
    if not open_word or (kind in CLOSES and not _is_determined(scene, index - 1)):
        return []
    return [Link(index, adjective=adjective)]


def _link_of_own_number(scene: Scene, index: int, kind: str | None) -> Link | None:
    """Return the link of a singular word before a plural NC: *uma das* [NC], *vinte e uma* [NC]."""
    word, reader = scene.word(index), scene.reader
    partitive = kind == "contraction" and word in reader.kind("partitive")
    counting = kind is None and scene.is_kind(index - 1, "coordinator") and reader.is_invariable(scene.word(index - 2))
    if scene.old.number == "sg" or not (partitive or (counting and word in reader.kind("unit"))):
        return None
    number = min(number for _, number in reader.cells(word))
    paradigm = reader.determiner(word, replace(scene.old, number=number))
    return Link(index, paradigm, number=number) if paradigm else None


def _is_attributive(scene: Scene, index: int) -> bool:
    likely = LEFT_DETERMINED if _is_determined(scene, index - 1) else LEFT
    return scene.agrees(index) and scene.reader.likelihood(scene.word(index), "adj") >= likely


def _is_determined(scene: Scene, index: int) -> bool:
    paradigm = scene.reader.determiner(scene.word(index), scene.old)
    return paradigm is not None and paradigm.kind in DETERMINES


def right_adjectives(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the adjectives that follow the NC, and of the participle in *[NC] a ser vendida*."""
    for index in beside(scene, scene.last + 1):
        yield from scene.adjective(index, ADJECTIVE)
    index = after(scene) + 1
    copula = scene.is_kind(index, "copula") and scene.reader.is_infinitive(scene.word(index))
    if scene.is_kind(index - 1, "linker") and copula:
        places = beside(scene, index + 1)
        for place in places:
            yield from scene.adjective(place, ADJECTIVE)
        if places:
            yield from _personal_infinitive(scene, index)


def _personal_infinitive(scene: Scene, index: int) -> Iterator[Finding]:
    """Yield the change of a personal infinitive: *a ser lida* becomes *a serem lidas*."""
    endings, word = scene.reader.kind("personal infinitive"), scene.word(index)
    if scene.new.number == scene.old.number:
        return
    for ending in sorted(endings):
        if scene.new.number == "pl":
            yield Finding(index, word + ending, "personal infinitive")
        elif word.endswith(ending):
            yield Finding(index, word.removesuffix(ending), "personal infinitive")


def after(scene: Scene) -> int:
    """Return the index of the first token after the NC and its adjectives."""
    return max([scene.last, *beside(scene, scene.last + 1)]) + 1


def beside(scene: Scene, index: int, features: Features | None = None) -> list[int]:
    """Return the indices of the adjectives from *index* on that agree with the NC: *belas, muito claras e novas*.

    With other *features* than the NC's, those of the adjectives that agree with another noun.
    """
    indices: list[int] = []
    index = scene.skip(index, 1, "quote")
    while True:
        joined = scene.is_kind(index, "coordinator", "comma")
        if joined and not indices and not _is_list(scene, index, features):
            return indices
        place = scene.skip(index + joined, 1, "degree", "adverb")
        likely = RIGHT_DEGREE if scene.is_kind(place - 1, "degree") else RIGHT_PAIRED if joined else RIGHT
        if not is_predicated(scene, place, likely, features) or (joined and not ends_phrase(scene, place)):
            return indices
        indices.append(place)
        index = place + 1


def _is_list(scene: Scene, index: int, features: Features | None) -> bool:
    """Tell whether the compound's own adjective goes on at *index*: *domésticos, europeus e longos*."""
    if scene.is_kind(index, "coordinator"):
        return is_predicated(scene, index + 1, RIGHT_PAIRED, features) and ends_phrase(scene, index + 1)
    return (
        scene.is_kind(index, "comma")
        and is_predicated(scene, index + 1, RIGHT, features)
        and scene.is_kind(index + 2, "coordinator")
        and is_predicated(scene, index + 3, RIGHT, features)
    )


def ends_phrase(scene: Scene, index: int) -> bool:
    """Tell whether no noun follows the adjective at *index*, to which it could belong."""
    return scene.reader.likelihood(scene.word(index + 1), "noun") < 0.5


def is_predicated(scene: Scene, index: int, likely: float = RIGHT, features: Features | None = None) -> bool:
    """Tell whether the word at *index* is likely an adjective or participle that agrees with the NC."""
    return scene.agrees(index, features) and scene.reader.likelihood(scene.word(index), "adj") >= likely


def other_kind(scene: Scene) -> Iterator[Finding]:
    """Yield the deletions that a prepositional phrase, an adjective or a verb asks for left of it."""
    index = scene.first - 1
    if scene.phrase.kind in ("verb", "prepositional"):
        paradigms = scene.reader.paradigms(scene.word(index))
        if any(paradigm.kind in ("article", "contraction") for paradigm in paradigms):
            yield Finding(index, "", NO_NOUN_PHRASE)
            index -= 1
        if scene.phrase.kind == "prepositional" and scene.is_kind(index, "preposition"):
            yield Finding(index, "", NO_NOUN_PHRASE)
        if scene.phrase.kind == "verb" and scene.is_verb(index):
            yield Finding(index, "", NO_NOUN_PHRASE)
            yield from _pronoun(scene, index - 1)
    elif scene.phrase.kind == "adjective" and scene.is_kind(index, "attributive preposition"):
        phrase = scene.phrase.text.lower()
        noun = scene.reader.readings(scene.word(index - 1))
        fitting = any(scene.reader.is_adjective(phrase, Features(form.gender, form.number or "sg")) for form in noun)
        yield Finding(index, "" if fitting or not noun else None, NO_NOUN_PHRASE)


def _pronoun(scene: Scene, index: int) -> Iterator[Finding]:
    """Yield the change of a demonstrative that stands for no noun any more: it is masculine (*este ignorou*)."""
    for number in NUMBERS:
        paradigm = scene.reader.determiner(scene.word(index), Features(scene.old.gender, number))
        form = paradigm.form(Features("m", number).values) if paradigm and paradigm.kind == "demonstrative" else None
        if form is not None and form != scene.word(index):
            yield Finding(index, form, NO_NOUN_PHRASE)
