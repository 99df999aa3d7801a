"""Planters of A1xx: what stands around and inside a span and does not agree with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from planting import Planted, Planter, World, everywhere, respan, reword

from ncimp.builder.records import Form, Gender, Number


@dataclass(frozen=True)
class Reword:
    """The planter that puts one wrong word, recorded as an edit, beside a span."""

    item_id: str
    old: str
    new: str
    besides: frozenset[str] = frozenset()

    def __call__(self, world: World) -> Planted:
        return Planted(reword(world, self.item_id, self.old, self.new), (self.item_id,), self.besides)


@dataclass(frozen=True)
class Respan:
    """The planter that puts a wrong form into a span."""

    item_id: str
    text: str

    def __call__(self, world: World) -> Planted:
        return Planted(respan(world, self.item_id, self.text), (self.item_id,))


@dataclass(frozen=True)
class Without:
    """The planter that takes the readings of a word out of forms.tsv."""

    lang: str
    form: str

    def __call__(self, world: World) -> Planted:
        pack = world.packs[self.lang]
        forms = tuple(row for row in pack.forms if row.form != self.form)
        places = tuple(
            item.id
            for item in world.tables.items
            if self.form in item.tokens[slice(*item.token_span)] and item.variant not in ("head", "mod")
        )
        return Planted(world.with_pack(self.lang, forms=forms), places)


def sound_elsewhere(world: World) -> Planted:
    """`an tenth`, far from the span, in every variant of the context."""
    forms = (*world.packs["en"].forms, Form("tenth", "tenth", "noun", None, "sg", "consonant"))
    known = world.with_pack("en", forms=forms)
    planted = everywhere(known, "en/silent-partner/nat3", "a tenth", "an tenth")
    return Planted(planted, tuple(item.id for item in planted.cell("en/silent-partner/nat3")))


def sound_of_the_original(world: World) -> Planted:
    """`a eager beaver`: the originals are checked like every other variant."""
    planted = everywhere(world, "en/eager-beaver/nat3", "an", "a")
    places = tuple(
        item.id for item in planted.cell("en/eager-beaver/nat3") if item.sentence[item.span[0] - 2 :][:3] in ("a e", "a a")
    )
    return Planted(planted, places)


def unmarked_right_participle(world: World) -> Planted:
    """`uma moradia de prado cercado`, directly after the span, in a sentence without marks."""
    marked = dict(world.packs["pt"].marked)
    marked["casa de campo", "nat1"] = replace(marked["casa de campo", "nat1"], agreeing=())
    bare = world.with_pack("pt", marked=marked)
    return Planted(reword(bare, "pt/casa-de-campo/nat1/ws1", "cercada", "cercado"), ("pt/casa-de-campo/nat1/ws1",))


def unknown_first_sound(world: World) -> Planted:
    """A word after `a` whose forms are known, and whose sound is not."""
    forms = tuple(replace(row, onset=None) if row.form == "mouse" else row for row in world.packs["en"].forms)
    places = tuple(f"en/rat-race/{context}/ws1" for context in ("nat2", "neut_short", "neut_long"))
    return Planted(world.with_pack("en", forms=forms), places)


def unknown_marked_word(world: World) -> Planted:
    """The marked `pronta` has no forms, so that nothing can be said of it."""
    forms = tuple(row for row in world.packs["pt"].forms if row.lemma != "pronto")
    planted = world.with_pack("pt", forms=forms)
    places = (item.id for item in world.cell("pt/maçã-podre/nat3") if item.variant not in ("head", "mod"))
    # without the forms nobody can tell either that `pronto` is the same word as `pronta`
    return Planted(planted, tuple(places), frozenset({"S204"}))


def _claim(item_id: str, gender: Gender | None) -> Planter:
    def plant(world: World) -> Planted:
        return Planted(world.with_items([replace(world.item(item_id), gender=gender)]), (item_id,))

    return plant


def _number(item_id: str, number: Number) -> Planter:
    def plant(world: World) -> Planted:
        return Planted(world.with_items([replace(world.item(item_id), number=number)]), (item_id,))

    return plant


PODRE, PE, DAMA = "pt/maçã-podre", "pt/pé-frio", "pt/primeira-dama"
GOL, GREVE, CASA = "pt/gol-de-placa", "pt/greve-geral", "pt/casa-de-campo"

AGREEMENT: list[tuple[str, str, Planter]] = [
    ("A101", "an before a consonant at the span", Reword("en/rat-race/nat2/ws1", "a", "an")),
    ("A101", "a before a vowel at the span", Reword("en/application-form/nat1/syn", "an", "a")),
    ("A101", "an before a lone component", Reword("en/application-form/neut_short/head", "a", "an")),
    ("A101", "in the original", sound_of_the_original),
    ("A101", "elsewhere in the sentence", sound_elsewhere),
    ("A102", "definite article, gender", Reword(f"{PODRE}/nat2/ws1", "as", "os")),
    ("A102", "definite article, number", Reword(f"{PODRE}/nat2/ws1", "as", "a")),
    ("A102", "indefinite article", Reword(f"{PODRE}/nat1/syn", "um", "uma")),
    ("A102", "indefinite article before a participle", Reword(f"{CASA}/nat1/ws2", "um", "uma")),
    ("A102", "contraction de + article", Reword(f"{GREVE}/nat2/rand1", "da", "do")),
    ("A102", "contraction por + article, two words away", Reword(f"{CASA}/nat3/ws2", "pelo", "pela")),
    ("A102", "demonstrative esse", Reword(f"{PODRE}/nat3/ws1", "essa", "esse")),
    ("A102", "demonstrative aquele", Reword(f"{PE}/nat3/ws1", "aquela", "aquele")),
    ("A102", "possessive", Reword(f"{CASA}/nat3/ws2", "seu", "sua")),
    ("A102", "numeral", Reword(f"{PE}/nat2/ws1", "duas", "dois")),
    ("A102", "capitalised quantifier", Reword(f"{CASA}/nat2/ws2", "Muitos", "Muitas")),
    ("A102", "capitalised article", Reword(f"{DAMA}/nat1/ws1", "Uma", "Um")),
    ("A103", "adjective after its noun, gender", Respan(f"{PODRE}/nat1/ws1", "pera estragado")),
    ("A103", "adjective after its noun, number", Respan(f"{PODRE}/nat2/ws1", "peras estragada")),
    ("A103", "adjective before its noun", Respan(f"{PODRE}/nat1/syn", "má elemento")),
    ("A104", "adjective left of the span, gender", Reword(f"{CASA}/nat3/ws2", "velho", "velha")),
    ("A104", "adjective left of the span, number", Reword(f"{CASA}/nat3/ws1", "velha", "velhas")),
    ("A104", "participle right of the span", unmarked_right_participle),
    ("A105", "marked participle after a comma", Reword(f"{GOL}/nat1/ws1", "aplaudida", "aplaudido")),
    ("A105", "marked predicate far to the right", Reword(f"{CASA}/nat2/ws2", "fechados", "fechadas")),
    ("A105", "marked predicate, number", Reword(f"{DAMA}/nat2/ws1", "juntas", "junta")),
    ("A105", "marked demonstrative of the frame", Reword(f"{GOL}/neut_short/ws1", "Esta", "Este")),
    (
        "A105",
        "marked participle right of the span",
        Reword(f"{CASA}/nat1/ws1", "cercada", "cercado", frozenset({"A104"})),
    ),
    ("A106", "unknown first sound", unknown_first_sound),
    ("A106", "unknown head", Without("en", "contest")),
    ("A106", "unknown modifier", Without("pt", "gélido")),
    ("A106", "unknown marked word", unknown_marked_word),
    ("A107", "another gender than the head's", _claim(f"{GOL}/nat2/ws1", "m")),
    ("A107", "another gender than the original's", _claim(f"{GOL}/nat2/orig", "f")),
    ("A107", "a gender in a language that has none", _claim("en/rat-race/nat1/ws1", "m")),
    ("A107", "no gender in a language that has two", _claim(f"{GOL}/nat2/ws3", None)),
    ("A108", "plural in a singular context", Respan("en/rat-race/nat1/ws1", "mouse contests")),
    ("A108", "singular in a plural context", Respan("en/rat-race/nat3/orig", "rat race")),
    ("A108", "the item claims another number", _number("en/rat-race/nat1/ws1", "pl")),
    ("A108", "singular in a plural context of a language that agrees", Respan(f"{GOL}/nat2/ws1", "cesta de chapa")),
]
"""Code, what is wrong, and the planter."""
