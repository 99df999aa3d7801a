"""Planters of B505, T8xx and K0xx: letters, the content of written sentences, and what a pack must have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ncimp.builder.records import (
    CompoundCount,
    Context,
    CountedCorpus,
    Form,
    LanguagePack,
    MarkedSentence,
    PoolEntry,
    TrueSynonym,
)
from tests.validation.planting import Planted, Planter, World, everywhere, settle

RACE, TOWN = "en/rat-race", "en/ghost-town"
FIRST = "We sold the apartment, left our jobs in finance, and escaped the [rat race] for a quiet farm beside the lake."
"""The sentence of `en/rat-race/nat1`."""

Synonyms = tuple[TrueSynonym, ...]


def rewrite(world: World, context_id: str, sentence: str) -> World:
    """Make *sentence*, the compound in brackets, that of a context in the pack and in all its 14 items."""
    left, (_, right) = sentence.split("[")[0], sentence.split("[")[1].split("]")
    items = world.cell(context_id)
    original, changed = None, []
    for item in items:
        held = item.sentence[slice(*item.span)]
        made = settle(world, item, left + held + right, (len(left), len(left) + len(held)), original or item)
        original = original or replace(made, carrier_edits=())
        changed.append(original if item is items[0] else made)
    pack, first = world.packs[items[0].lang], changed[0]
    marked = {**pack.marked, (first.compound, first.context): MarkedSentence(first.sentence, first.span)}
    return world.with_pack(first.lang, marked=marked).with_items(changed)


def _rewritten(context_id: str, sentence: str, *besides: str) -> Planter:
    return lambda world: Planted(rewrite(world, context_id, sentence), (context_id,), frozenset(besides))


def _word(context_id: str, old: str, new: str, *besides: str) -> Planter:
    return lambda world: Planted(everywhere(world, context_id, old, new), (context_id,), frozenset(besides))


def compounds_of_one_letter(world: World) -> Planted:
    """Six of six begin with a letter that hardly any word begins with; the items still name the old ones."""
    rows = [replace(row, compound=f"z{row.compound}") if row.lang == "en" else row for row in world.tables.compounds]
    return Planted(replace(world, tables=replace(world.tables, compounds=rows)), ("en",), frozenset({"C306"}))


def uncounted(world: World) -> Planted:
    corpus = CountedCorpus("novels", "1", "CC-PDM-1.0", "Novels.", "novels", None, 10, 9)
    counts = [CompoundCount(row.text, "novels", 0, 0, 0, 0) for row in world.packs["en"].compounds[1:]]
    return Planted(world.with_pack("en", corpora=(corpus,), counts=tuple(counts)), ("en",))


def noun_of_another_gender(world: World) -> Planted:
    return Planted(world.with_pack("pt", pool=(PoolEntry("maçã", "noun", "m", "food", "both"),)), ("pt",))


def hyphenated_component(world: World) -> Planted:
    forms = (*world.packs["en"].forms, Form("race-course", "race-course", "noun", None, "sg", "consonant"))
    planted = everywhere(world.with_pack("en", forms=forms), f"{RACE}/nat1", "lake", "race-course")
    return Planted(planted, (f"{RACE}/nat1",))


def _content(lang: str, change: Callable[[LanguagePack], dict[str, object]]) -> Callable[[World], World]:
    """Change what the pack says of content."""

    def planted(world: World) -> World:
        pack = world.packs[lang]
        content = replace(pack.language.content, **change(pack))  # type: ignore[arg-type]
        return world.with_pack(lang, language=replace(pack.language, content=content))

    return planted


def _mean(words: float) -> Planter:
    return lambda world: Planted(_content("pt", lambda _: {"mean_words": words})(world), ("pt",))


def _profanity(entry: str, lemma: str) -> Planter:
    """Let the list name a word of a replacement: every item that has it is told, in either number."""

    def plant(world: World) -> Planted:
        places = (item.id for item in world.tables.items if lemma in (item.modifier, item.head))
        return Planted(_content("en", lambda _: {"profanity": (entry,)})(world), tuple(places))

    return plant


def profanity_in_a_carrier(world: World) -> Planted:
    """It stands in 14 sentences and is told once, of the original."""
    return Planted(_content("en", lambda _: {"profanity": ("lake",)})(world), (f"{RACE}/nat1/orig",))


def name_of_two_words(world: World) -> Planted:
    """`New York` is listed no more; each of its words is in forms.tsv or in another name."""

    def change(pack: LanguagePack) -> dict[str, object]:
        others = {name: what for name, what in pack.language.content.names.items() if name != "New York"}
        return {"names": {**others, "New Orleans": "city"}}

    return Planted(_content("en", change)(world), (f"{RACE}/nat3",))


def _glossed(note: str, light: frozenset[str], *besides: str) -> Planter:
    """Let the sense note of *rat race* say what its first sentence says near it, and the others nothing."""

    def plant(world: World) -> Planted:
        listed = _content("en", lambda _: {"light": light})(world)
        rows = [replace(row, sense_note=note if row.text == "rat race" else "_") for row in world.packs["en"].compounds]
        return Planted(listed.with_pack("en", compounds=tuple(rows)), (f"{RACE}/nat1",), frozenset(besides))

    return plant


def word_in_many_sentences(world: World) -> Planted:
    """The preposition *in*, which stands in seven sentences, is a noun; *of*, in eight, is one that may."""
    listed = _content("en", lambda _: {"ordinary": frozenset({"of"})})(world)
    nouns = tuple(replace(row, pos="noun") if row.form in ("in", "of") else row for row in world.packs["en"].forms)
    return Planted(listed.with_pack("en", forms=nouns), ("en/in",))


def without_forms(world: World) -> Planted:
    """`finance` stands in one sentence of the mini pack, and beside no span."""
    forms = tuple(row for row in world.packs["en"].forms if row.lemma != "finance")
    return Planted(world.with_pack("en", forms=forms), (f"{RACE}/nat1",))


def modifier_of_another_number(world: World) -> Planted:
    """The pack has *maçãs podre*; the items still have what was filled into the right sentence."""
    pack, key = world.packs["pt"], ("maçã podre", "nat2")
    text = pack.marked[key].text.replace("maçãs podres", "maçãs podre")
    start = text.index("maçãs podre")
    marked = {**pack.marked, key: MarkedSentence(text, (start, start + len("maçãs podre")))}
    return Planted(world.with_pack("pt", marked=marked), ("pt/maçã-podre/nat2",), frozenset({"S204"}))


def _contexts(place: str, change: Callable[[Context], list[Context]], *besides: str) -> Planter:
    """Change the rows of contexts.tsv that stand for the compound *place*."""

    def plant(world: World) -> Planted:
        pack = world.packs[place.split("/")[0]]
        rows = (change(row) if pack.compound_id(row.compound) == place else [row] for row in pack.contexts)
        contexts = tuple(row for some in rows for row in some)
        return Planted(world.with_pack(pack.language.code, contexts=contexts), (place,), frozenset(besides))

    return plant


def _synonyms(place: str, change: Callable[[Synonyms], Synonyms], *besides: str) -> Planter:
    """Change the rows of synonyms.tsv that stand for the compound *place*."""

    def plant(world: World) -> Planted:
        pack = world.packs[place.split("/")[0]]
        own = tuple(row for row in pack.synonyms if pack.compound_id(row.compound) == place)
        synonyms = tuple(row for row in pack.synonyms if row not in own) + change(own)
        return Planted(world.with_pack(pack.language.code, synonyms=synonyms), (place,), frozenset(besides))

    return plant


def _flagged(text: str, *, free: bool) -> Callable[[Synonyms], Synonyms]:
    def change(rows: Synonyms) -> Synonyms:
        assert [row.overlap_free for row in rows if row.text == text] == [not free]
        return tuple(replace(row, overlap_free=free) if row.text == text else row for row in rows)

    return change


def _town(rank: int, modifier: str | None, head: str, *, free: bool) -> TrueSynonym:
    text, pattern = (head, "N") if modifier is None else (f"{modifier} {head}", "A_N")
    return TrueSynonym("ghost town", rank, text, modifier, head, pattern, None, free, "synonym", "count", "neutral")


def without_a_split(world: World) -> Planted:
    splits = tuple(row for row in world.packs["pt"].splits if row.compound != "greve geral")
    return Planted(world.with_pack("pt", splits=splits), ("pt/greve-geral",), frozenset({"B503"}))


def _compound(place: str, besides: str, **changes: object) -> Planter:
    """Change the row of compounds.tsv that stands for the compound *place*."""

    def plant(world: World) -> Planted:
        pack = world.packs[place.split("/")[0]]
        rows = tuple(replace(row, **changes) if pack.compound_id(row.text) == place else row for row in pack.compounds)  # type: ignore[arg-type]
        return Planted(world.with_pack(pack.language.code, compounds=rows), (place,), frozenset(besides.split()))

    return plant


def _first(**changes: object) -> Callable[[Synonyms], Synonyms]:
    return lambda rows: (replace(rows[0], **changes), *rows[1:])  # type: ignore[arg-type]


def without_a_plural(world: World) -> Planted:
    """The only synonym with the head *treadmill* has it in the singular; its items use the plural as well."""
    forms = tuple(row for row in world.packs["en"].forms if row.form != "treadmills")
    return Planted(world.with_pack("en", forms=forms), (RACE,), frozenset({"A106", "S201"}))


def number_of_another_context(world: World) -> Planted:
    rows = (replace(row, number="sg") if row.context == "nat3" else row for row in world.packs["en"].contexts)
    changed = tuple(row for row in rows if row.compound == "rat race")
    others = tuple(row for row in world.packs["en"].contexts if row.compound != "rat race")
    return Planted(world.with_pack("en", contexts=(*others, *changed)), (f"{RACE}/nat3",), frozenset({"K006"}))


REORDERED = (
    "We left our jobs in finance, sold the apartment, and escaped this [ghost town] for a quiet farm beside the lake."
)
OPENING = "We sold the apartment when every colleague became a rival in the [rat race] of New York."
RUN = "Nobody has lived in this [ghost town] since we left our jobs in finance and sold everything."
TWELVE = "Twelve [ghost towns] from our hiking club show empty shops and quiet homes along the old railroad."

CONTENT: list[tuple[str, str, Planter]] = [
    ("B505", "six compounds of one letter", compounds_of_one_letter),
    (
        "T801",
        "two words are others",
        _rewritten(f"{RACE}/nat2", FIRST.replace("farm", "town").replace("lake", "railroad"), "T802"),
    ),
    ("T801", "the parts of another compound's sentence", _rewritten(f"{TOWN}/nat3", REORDERED, "T802")),
    ("T802", "four opening words", _rewritten(f"{RACE}/nat2", OPENING)),
    ("T802", "six words in a row", _rewritten(f"{TOWN}/nat3", RUN)),
    ("T802", "four opening words, a number and the compound among them", _rewritten(f"{TOWN}/nat2", TWELVE)),
    ("T803", "a component", _word(f"{RACE}/nat1", "lake", "race")),
    ("T803", "a component in the plural", _word(f"{RACE}/nat1", "lake", "rats")),
    ("T803", "a component in capitals, a possessive", _word(f"{RACE}/nat1", "our jobs", "Race's jobs")),
    ("T803", "a component inside a word", hyphenated_component),
    ("T803", "a word of the second synonym in the plural", _word(f"{RACE}/nat1", "lake", "treadmills")),
    ("T803", "an inflected component of a language with agreement", _word("pt/maçã-podre/nat2", "drogas", "maçã")),
    ("T804", "seven words", _rewritten(f"{RACE}/nat1", "The [rat race] left a quiet farm.")),
    (
        "T804",
        "thirty-three words",
        _word(f"{RACE}/nat1", "lake", "lake and the old church and the empty school and the tiny shops"),
    ),
    ("T805", "too long for the aim", _mean(16.0)),
    ("T805", "too short for the aim", _mean(21.0)),
    ("T806", "quotation marks", _rewritten(f"{RACE}/nat1", FIRST.replace("[rat race]", '"[rat race]"'))),
    ("T806", "single quotation marks", _rewritten(f"{RACE}/nat1", FIRST.replace("[rat race]", "‘[rat race]’"))),
    ("T806", "a hedge before it", _rewritten(f"{RACE}/nat1", FIRST.replace("the [", "the so-called ["), "T809")),
    ("T806", "a hedge after it", _rewritten(f"{RACE}/nat1", FIRST.replace("] for", "], as they say, for"), "T809")),
    (
        "T806",
        "a quotation that ends with it",
        _rewritten(f"{RACE}/nat1", FIRST.replace("the [rat race]", '"the [rat race]"')),
    ),
    (
        "T806",
        "a hedge of a language with agreement",
        _word("pt/maçã-podre/nat1", "que aceita", "como se diz que aceita", "T809"),
    ),
    ("T807", "a word of a carrier", profanity_in_a_carrier),
    ("T807", "a lemma of a replacement", _profanity("contest", "contest")),
    ("T807", "a stem of a replacement", _profanity("contes*", "contest")),
    ("T808", "a name of two words that is not listed", name_of_two_words),
    ("T808", "two listed names side by side", _word(f"{RACE}/nat1", "our jobs", "our Tobias Rosa jobs")),
    ("T808", "a name at the beginning of a sentence", _word(f"{RACE}/nat1", "We sold", "Tobias Rosa sold")),
    ("T809", "a word that is in no table", _word(f"{RACE}/nat1", "lake", "mere")),
    ("T809", "a word without forms", without_forms),
    ("T809", "a name that is not listed", _word(f"{RACE}/nat1", "our jobs", "Zebedee's jobs")),
    ("T809", "a word of a language with agreement", _word("pt/maçã-podre/nat2", "drogas", "rapadura")),
    ("K001", "two sentences", _contexts(RACE, lambda row: [row] if row.context != "nat2" else [])),
    ("K002", "no synonym", _synonyms(RACE, lambda _: ())),
    (
        "K002",
        "five synonyms",
        _synonyms(
            TOWN, lambda rows: (*rows, _town(4, None, "relic", free=True), _town(5, None, "ruin", free=True)), "K008"
        ),
    ),
    ("K004", "a component in a synonym that is marked as free", _synonyms(TOWN, _flagged("deserted town", free=True))),
    ("K004", "a synonym that shares nothing and is not", _synonyms(RACE, _flagged("treadmill", free=False))),
    (
        "K004",
        "a component at the edge of a word",
        _synonyms(TOWN, lambda rows: (*rows, _town(4, None, "townlet", free=True)), "K008"),
    ),
    ("K005", "a compound without a split", without_a_split),
    ("K006", "singulars only", _contexts(RACE, lambda row: [replace(row, number="sg")], "T810")),
    ("K007", "a modifier of another compound", _compound(RACE, "C306 T810", modifier="ghost")),
    ("K007", "a head that is no noun of forms.tsv", _compound(RACE, "C306 T810", head="races")),
    ("K007", "a head in another place", _compound("pt/greve-geral", "", head_index=1)),
    ("K008", "a modifier that is not in the text", _synonyms(TOWN, _first(modifier="desolate"))),
    ("K008", "a text in the plural", _synonyms(TOWN, _first(text="deserted settlements"))),
    ("K008", "a modifier that is a form", _synonyms("pt/greve-geral", _first(modifier="nacionais"))),
    ("K008", "a head without a plural", without_a_plural),
    ("K009", "a rank left out", _synonyms(RACE, lambda rows: (*rows[:-1], replace(rows[-1], rank=9)))),
    ("K010", "a mass noun in the place of what can be counted", _synonyms(RACE, _first(countability="mass"))),
    ("K011", "a compound that was not counted", uncounted),
    ("K017", "a feminine noun that the pool has as masculine", noun_of_another_gender),
    ("T810", "the compound twice", _rewritten(f"{RACE}/nat1", FIRST.replace("lake", "rat race"), "T803")),
    ("T810", "the number of another context", number_of_another_context),
    ("T810", "a modifier that does not agree", modifier_of_another_number),
    ("T812", "a word of the sense note", _glossed("two farms in a world", frozenset({"world"}))),
    ("T813", "a noun in too many sentences", word_in_many_sentences),
    ("T811", "a second sentence", _rewritten(f"{RACE}/nat1", FIRST.replace(" for a", ". We bought a"), "T809")),
    ("T811", "a space before a comma", _rewritten(f"{RACE}/nat1", FIRST.replace("finance,", "finance ,"), "S203")),
    ("T811", "no final mark", _rewritten(f"{RACE}/nat1", FIRST.rstrip("."), "S203")),
]
"""Code, what is wrong, and the planter."""
