"""Planters of A1xx and V101: what stands around and inside a span and does not agree with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from ncimp.builder.records import (
    CONTEXTS,
    RANDOMS,
    WORDS_SYN,
    AdjectivePlaces,
    Change,
    Feature,
    Form,
    Gender,
    Item,
    MarkedSentence,
    Number,
    ReaderVerdict,
    texts_to_read,
)
from tests.validation.planting import Planted, Planter, World, everywhere, respan, reword, settle


@dataclass(frozen=True)
class Reword:
    """The planter that makes the word *old* at a distance from the span *new*, and records the edit.

    The first item in which *old* stands there is taken: words of the mini packs may change, these must not leave it.
    """

    lang: str
    old: str
    new: str
    distance: int = -1
    """Tokens from the span: -1 is the word before it, 1 the word after it, 0 any word after it."""
    variants: tuple[str, ...] = ("syn", *WORDS_SYN, *RANDOMS)
    besides: frozenset[str] = frozenset()

    def __call__(self, world: World) -> Planted:
        item = next(item for item in world.tables.items if self._stands_in(item))
        return Planted(reword(world, item.id, self.old, self.new), (item.id,), self.besides)

    def _stands_in(self, item: Item) -> bool:
        start, end = item.token_span
        after = item.tokens[end:]
        near = after if self.distance == 0 else after[self.distance - 1 : self.distance]
        held = (
            near if self.distance >= 0 else item.tokens[start + self.distance :][:1] if start >= -self.distance else ()
        )
        return item.lang == self.lang and item.variant in self.variants and self.old in held


@dataclass(frozen=True)
class Misinflect:
    """The planter that gives the modifier or the head of a replacement the form of another cell."""

    item_id: str
    part: Literal["modifier", "head"]
    gender: Gender | None
    number: Number

    def __call__(self, world: World) -> Planted:
        item = world.item(self.item_id)
        pattern = world.packs[item.lang].language.patterns[str(item.pattern)]
        parts = item.sentence[slice(*item.span)].split(pattern.join)
        place = pattern.head if self.part == "head" else 1 - pattern.head
        lemma, pos = getattr(item, self.part), pattern.parts[place]
        parts[place] = next(
            row.form
            for row in world.packs[item.lang].forms
            if (row.lemma, row.pos) == (lemma, pos) and (row.gender, row.number) == (self.gender, self.number)
        )
        text = pattern.join.join(parts)
        assert text != item.sentence[slice(*item.span)], "the mini pack has one form for both"
        return Planted(respan(world, self.item_id, text), (self.item_id,))


@dataclass(frozen=True)
class Without:
    """The planter that takes the readings of a component of a replacement out of forms.tsv."""

    lang: str
    part: Literal["modifier", "head"]

    def __call__(self, world: World) -> Planted:
        compound = {"en": "en/rat-race", "pt": "pt/maçã-podre"}[self.lang]
        lemma = getattr(world.item(f"{compound}/nat1/ws1"), self.part)
        forms = tuple(row for row in world.packs[self.lang].forms if row.lemma != lemma)
        places = (
            item.id
            for item in world.tables.items
            if item.lang == self.lang and lemma in (item.modifier, item.head) and item.variant not in ("head", "mod")
        )
        # a form that is not the lemma can no longer be told to be one of its forms
        return Planted(world.with_pack(self.lang, forms=forms), tuple(places), frozenset({"S201", "A107"}))


def sound_elsewhere(world: World) -> Planted:
    """`an tenth`, far from the span, in every variant of the context."""
    forms = (*world.packs["en"].forms, Form("tenth", "tenth", "noun", None, "sg", "consonant"))
    known = world.with_pack("en", forms=forms)
    planted = everywhere(known, "en/silent-partner/nat3", "a tenth", "an tenth")
    return Planted(planted, tuple(item.id for item in planted.cell("en/silent-partner/nat3")))


def sound_of_the_original(world: World) -> Planted:
    """`a eager beaver`: the originals are checked like every other variant."""
    place = "en/eager-beaver/nat3/orig"
    planted = reword(world, place, "an", "a")
    changed = replace(planted.item(place), carrier_edits=())
    marked = dict(world.packs["en"].marked)
    marked["eager beaver", "nat3"] = MarkedSentence(changed.sentence, changed.span)
    known = planted.with_items([changed]).with_pack("en", marked=marked)
    settled = [settle(known, item, item.sentence, item.span) for item in known.cell("en/eager-beaver/nat3")]
    return Planted(known.with_items(settled), (place,))


def unmarked_right_participle(world: World) -> Planted:
    """`uma moradia de prado cercado`, directly after the span, in a sentence without marks."""
    marked = dict(world.packs["pt"].marked)
    marked["casa de campo", "nat1"] = replace(marked["casa de campo", "nat1"], agreeing=())
    return Reword("pt", "cercada", "cercado", 1)(world.with_pack("pt", marked=marked))


def unknown_first_sound(world: World) -> Planted:
    """A word after `a` whose forms are known, and whose sound is not."""
    first = str(world.item("en/rat-race/nat2/ws1").modifier)
    forms = tuple(replace(row, onset=None) if row.form == first else row for row in world.packs["en"].forms)
    before = ((item, item.tokens[: item.token_span[0] + 1]) for item in world.tables.items)
    places = (item.id for item, words in before if words[-2:] in (("a", first), ("an", first)))
    return Planted(world.with_pack("en", forms=forms), tuple(places))


def unknown_marked_word(world: World) -> Planted:
    """The marked `pronta` has no forms, so that nothing can be said of it."""
    forms = tuple(row for row in world.packs["pt"].forms if row.lemma != "pronto")
    planted = world.with_pack("pt", forms=forms)
    places = (item.id for item in world.cell("pt/maçã-podre/nat3") if item.variant not in ("head", "mod"))
    # without the forms nobody can tell either that `pronto` is the same word as `pronta`
    return Planted(planted, tuple(places), frozenset({"S204", "T809"}))


def _columns(item_id: str, **columns: object) -> Planter:
    def plant(world: World) -> Planted:
        changed: Item = replace(world.item(item_id), **columns)  # type: ignore[arg-type]
        return Planted(world.with_items([changed]), (item_id,))

    return plant


def other_gender_in_the_pack(world: World) -> Planted:
    """The pack says of the compound what neither forms.tsv nor the release says."""
    pack = world.packs["pt"]
    rows = tuple(replace(row, gender="f") if row.text == "gol de placa" else row for row in pack.compounds)
    return Planted(world.with_pack("pt", compounds=rows), tuple(f"{GOL}/{context}/orig" for context in CONTEXTS))


def _unknown_beside(context_id: str, word: str) -> Planter:
    """Put a word that no table knows in the place of one beside the span: nobody can say whether it agrees."""
    return lambda world: Planted(
        everywhere(world, context_id, word, "xyzar"), (f"{context_id}/orig",), frozenset({"T809"})
    )


def claimed_plural(world: World) -> Planted:
    """Span and column agree with each other; the context asks for the other number."""
    plural = world.item("en/rat-race/nat3/ws1")
    text = plural.sentence[slice(*plural.span)]
    return Planted(respan(world, "en/rat-race/nat1/ws1", text, number="pl"), ("en/rat-race/nat1/ws1",))


def frame_of_a_component(world: World) -> Planted:
    """`Este é uma campo`: a frame agrees with whatever fills it."""
    place = "pt/casa-de-campo/neut_short/mod"
    return Planted(reword(world, place, "um", "uma"), (place,), frozenset({"A105"}))


def component_of_another_gender(world: World) -> Planted:
    """`Esta é uma casa`, and the row says that the frame agrees with a masculine."""
    place = "pt/casa-de-campo/neut_short/head"
    changed = replace(world.item(place), gender="m")
    return Planted(world.with_items([changed]), (place,), frozenset({"A102", "A105"}))


def _knowing_ficar(world: World) -> World:
    """The Portuguese pack with what it takes to see the clause `ficam fechadas`, and without marks there."""
    pack = world.packs["pt"]
    language = replace(pack.language, words={"copula": ("fica", "ficam")}, verb_forms=(("fica", "ficam"),))
    forms = (*pack.forms, Form("fica", "ficar", "verb", None, "sg", None))
    marked = dict(pack.marked)
    marked["casa de campo", "nat2"] = replace(marked["casa de campo", "nat2"], agreeing=())
    return world.with_pack("pt", language=language, forms=forms, marked=marked)


def verb_of_another_number(world: World) -> Planted:
    """`Muitas chácaras da serra fica fechadas`."""
    return Reword("pt", "ficam", "fica", 0)(_knowing_ficar(world))


def predicate_without_a_mark(world: World) -> Planted:
    """`Muitas chácaras da serra ficam fechados`."""
    return Reword("pt", "fechadas", "fechados", 0)(_knowing_ficar(world))


GOL = "pt/gol-de-placa"


def unread_change(world: World) -> Planted:
    """Of the two changes that English has, one is not listed; it is told once."""
    pack = world.packs["en"]
    read = (Change("a", "an", "tests", "2026-01-01", "the article before another first sound"),)
    first = next(item.id for item in world.tables.items for edit in item.carrier_edits if edit.before == "an")
    return Planted(world.with_pack(pack.language.code, changes=read), (first,))


def verdict(world: World, place: str, family: str, **changes: object) -> ReaderVerdict:
    """A fault of severity 2 in what stands at *place* now."""
    text = texts_to_read(world.tables.items)[place, family]
    note, day = "another meaning", "2026-01-01"
    row = ReaderVerdict("blind-1", place, family, "language model", "fault", 2, "SYN", text, note, day)
    return replace(row, **changes)  # type: ignore[arg-type]


def _read(place: str, family: str) -> Planter:
    return lambda world: Planted(world.with_pack("en", readings=(verdict(world, place, family),)), (place,))


def _with_places(world: World, before: str) -> World:
    """The Portuguese pack with adjectives that may stand anywhere, but for one."""
    pack = world.packs["pt"]
    modifiers = {row.modifier for row in world.tables.items} | {row.modifier for row in pack.synonyms}
    places = AdjectivePlaces(frozenset({before}), frozenset(filter(None, modifiers - {before})))
    return world.with_pack("pt", language=replace(pack.language, adjectives=places))


def adjective_behind_its_noun(world: World) -> Planted:
    """In the first sentence of each pair that has it."""
    lemma = str(world.item("pt/maçã-podre/nat1/ws1").modifier)
    items = [row for row in world.tables.items if row.lang == "pt" and row.context == "nat1"]
    places = [row.id for row in items if (row.modifier, row.pattern) == (lemma, "N_A") and row.variant != "orig"]
    return Planted(_with_places(world, lemma), tuple(places))


def synonym_with_its_adjective_behind(world: World) -> Planted:
    return Planted(_with_places(world, "nacional"), ("pt/greve-geral",), frozenset({"A114"}))


def case_of_the_span(world: World) -> Planted:
    """The head has forms of a case only that no sentence asks for."""
    pack, lemma = world.packs["pt"], world.item("pt/maçã-podre/nat1/ws1").head
    features = {**pack.language.features, "case": Feature("slot", ("nom", "dat"))}
    forms = tuple(replace(row, further="dat") if (row.lemma, row.pos) == (lemma, "noun") else row for row in pack.forms)
    changed = world.with_pack("pt", language=replace(pack.language, features=features), forms=forms)
    items = (item for item in world.tables.items if item.lang == "pt" and item.variant not in ("head", "mod"))
    return Planted(changed, tuple(item.id for item in items if item.head == lemma))


def words_that_never_meet(world: World) -> Planted:
    """The word before a span and its first one."""
    item = world.item("pt/maçã-podre/nat1/ws1")
    start = item.token_span[0]
    pair = item.tokens[start - 1 : start + 1]
    language = replace(world.packs["pt"].language, never=(" ".join(map(re.escape, pair)),))
    rows = (row for row in world.tables.items if row.lang == "pt")
    places = (row.id for row in rows if row.tokens[row.token_span[0] - 1 :][:2] == pair)
    return Planted(world.with_pack("pt", language=language), tuple(places))


AGREEMENT: list[tuple[str, str, Planter]] = [
    ("A101", "an before a consonant at the span", Reword("en", "a", "an")),
    ("A101", "a before a vowel at the span", Reword("en", "an", "a")),
    ("A101", "an before a lone component", Reword("en", "a", "an", variants=("head",))),
    ("A101", "in the original", sound_of_the_original),
    ("A101", "elsewhere in the sentence", sound_elsewhere),
    ("A102", "definite article, gender", Reword("pt", "as", "os")),
    ("A102", "definite article, number", Reword("pt", "as", "a")),
    ("A102", "definite article, the other gender", Reword("pt", "os", "as")),
    ("A102", "indefinite article", Reword("pt", "um", "uma")),
    ("A102", "capitalised article", Reword("pt", "Uma", "Um")),
    ("A102", "contraction de + article", Reword("pt", "da", "do")),
    ("A102", "contraction de + article, number", Reword("pt", "da", "das")),
    ("A102", "contraction de + article before an ordinal", Reword("pt", "das", "dos", -2)),
    ("A102", "contraction por + article, three words away", Reword("pt", "pelo", "pela", -3)),
    ("A102", "demonstrative esse", Reword("pt", "essa", "esse")),
    ("A102", "demonstrative aquele", Reword("pt", "aquele", "aquela")),
    ("A102", "possessive, two words away", Reword("pt", "meu", "minha", -2)),
    ("A102", "numeral", Reword("pt", "duas", "dois")),
    ("A102", "capitalised quantifier", Reword("pt", "Muitos", "Muitas")),
    ("A102", "article of a frame around a component", frame_of_a_component),
    ("A103", "adjective after its noun, gender", Misinflect("pt/maçã-podre/nat1/ws1", "modifier", "m", "sg")),
    ("A103", "adjective after its noun, number", Misinflect("pt/maçã-podre/nat2/ws1", "modifier", "f", "sg")),
    ("A103", "adjective before its noun", Misinflect("pt/maçã-podre/nat1/syn", "modifier", "f", "sg")),
    ("A104", "adjective left of the span, gender", Reword("pt", "velho", "velha")),
    ("A104", "adjective left of the span, number", Reword("pt", "velha", "velhas")),
    ("A104", "ordinal left of the span", Reword("pt", "primeiros", "primeiras")),
    ("A104", "participle right of the span", unmarked_right_participle),
    ("A105", "marked participle after a comma", Reword("pt", "aplaudida", "aplaudido", 2)),
    ("A105", "marked predicate far to the right", Reword("pt", "fechados", "fechadas", 0)),
    ("A105", "marked predicate, number", Reword("pt", "juntas", "junta", 0)),
    ("A105", "marked demonstrative of the frame", Reword("pt", "Esta", "Este", -3)),
    (
        "A105",
        "marked participle right of the span",
        Reword("pt", "cercada", "cercado", 1, besides=frozenset({"A104"})),
    ),
    ("A106", "unknown first sound", unknown_first_sound),
    ("A106", "unknown head", Without("en", "head")),
    ("A106", "unknown modifier", Without("pt", "modifier")),
    ("A106", "unknown marked word", unknown_marked_word),
    ("A106", "unknown word left of the span", _unknown_beside(f"{GOL}/nat2", "reúne")),
    ("A106", "unknown word right of the span", _unknown_beside("pt/maçã-podre/nat1", "que")),
    ("A107", "another gender than the head's", _columns(f"{GOL}/nat2/ws1", gender="m")),
    ("A107", "another gender than the original's", _columns(f"{GOL}/nat2/orig", gender="f")),
    ("A107", "another gender of the compound in the pack", other_gender_in_the_pack),
    ("A107", "a gender in a language that has none", _columns("en/rat-race/nat1/ws1", gender="m")),
    ("A107", "a component that is not what its frame agrees with", component_of_another_gender),
    ("A107", "no gender in a language that has two", _columns(f"{GOL}/nat2/ws3", gender=None)),
    ("A108", "plural in a singular context", Misinflect("en/rat-race/nat1/ws1", "head", None, "pl")),
    ("A108", "singular in a plural context", Misinflect("en/rat-race/nat3/ws1", "head", None, "sg")),
    ("A108", "the item claims another number", _columns("en/rat-race/nat1/ws1", number="pl")),
    ("A108", "a plural that claims to be one in a singular context", claimed_plural),
    ("A113", "a case that the sentence does not ask for", case_of_the_span),
    ("A114", "an adjective behind its noun", adjective_behind_its_noun),
    ("A115", "two words that never meet", words_that_never_meet),
    ("K012", "a synonym with its adjective behind its noun", synonym_with_its_adjective_behind),
    ("A109", "a rule that could not decide", _columns(f"{GOL}/nat2/ws1", uncertain=("main clause",))),
    ("A112", "a change that nobody has read", unread_change),
    ("V101", "a fault that a reader found, and the sentence still stands", _read("en/rat-race/nat1/ws2", "ws")),
    ("V101", "a fault of a whole family of a compound", _read("en/rat-race", "syn")),
    ("A110", "a verb of another number", verb_of_another_number),
    ("A111", "a predicate that nobody has marked", predicate_without_a_mark),
    ("A108", "singular in a plural context, a gendered language", Misinflect(f"{GOL}/nat2/ws1", "head", "f", "sg")),
]
"""Code, what is wrong, and the planter."""
