"""The attested pool: which adjacent words of a corpus are compounds of which pattern, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import pytest

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import Form, Gender, Number
from ncimp.builder.selection.pools import PairPool, attested_pool, counted_words
from ncimp.builder.selection.replacements import random_compounds
from ncimp.builder.selection.synonyms import Resources
from ncimp.schemas.errors import SelectionError, UsageError
from tests.selection.world import GREEK, RAT_RACE, FakeMorphology, compound, counted_world, exclusion, offers
from tests.selection.world import synonym as true_synonym

ATTESTED = BuildOptions(pool="attested")
MODIFIERS, HEADS = GREEK[:5], GREEK[5:10]
SEEN = dict(zip(zip(MODIFIERS, HEADS, strict=True), (7, 6, 5, 4, 3), strict=True))
"""Five compounds that share no word: as many as a draw needs."""

COUNTS = {"rat": 10, "race": 1000} | dict.fromkeys(MODIFIERS, 10) | dict.fromkeys(HEADS, 1000)
Rows = dict[tuple[str, Gender | None], list[tuple[str, str, int | None]]]


@dataclass(frozen=True)
class Readings(FakeMorphology):
    """Knows nothing but these readings: form to (lemma, part of speech, gender, number)."""

    known: Mapping[str, tuple[tuple[str, str, Gender | None, Number | None], ...]] = field(default_factory=dict)

    def inflect(
        self,
        lemma: str,
        pos: str,
        *,
        gender: Gender | None,
        number: Number,
        further: Collection[str] = (),  # noqa: ARG002
    ) -> str | None:
        for form, readings in self.known.items():
            for own, its_pos, its_gender, its_number in readings:
                fits = gender in (None, its_gender) or its_gender is None
                if (own, its_pos) == (lemma, pos) and fits and its_number in (None, number):
                    return form
        return None

    def gender(self, noun: str) -> Gender | None:
        rows = (row for readings in self.known.values() for row in readings)
        return next((gender for lemma, pos, gender, _ in rows if (lemma, pos) == (noun, "noun")), None)

    def readings(self, form: str) -> tuple[Form, ...]:
        return tuple(Form(form, *row, None) for row in self.known.get(form, ()))


def noun(
    lemma: str, plural: str, gender: Gender
) -> dict[str, tuple[tuple[str, str, Gender | None, Number | None], ...]]:
    return {lemma: ((lemma, "noun", gender, "sg"),), plural: ((lemma, "noun", gender, "pl"),)}


def adjective(masculine: str) -> dict[str, tuple[tuple[str, str, Gender | None, Number | None], ...]]:
    feminine = masculine[:-1] + "a"
    cells: dict[str, tuple[Gender, Number]] = {
        masculine: ("m", "sg"),
        feminine: ("f", "sg"),
        masculine + "s": ("m", "pl"),
        feminine + "s": ("f", "pl"),
    }
    return {form: ((masculine, "adj", *cell),) for form, cell in cells.items()}


PORTUGUESE = Readings(
    known=noun("casa", "casas", "f") | noun("gol", "gols", "m") | adjective("velho") | adjective("bonito")
)
WORDS = {"casa": 50, "gol": 40, "velho": 30, "velha": 20, "bonito": 10, "bonita": 5}


def pool_of(resources: Resources) -> Rows:
    assert resources.pairs is not None
    pool: PairPool = attested_pool(resources.pairs, resources)
    return {
        key: [(pair.modifier.lemma, pair.head.lemma, pair.occurrences) for pair in rows] for key, rows in pool.items()
    }


def test_two_lemmas_are_a_compound_of_every_pattern_whose_parts_they_can_be() -> None:
    """In *casa velha* the head is first; *velho gol* has a modifier that the pattern lists, *bonito gol* has not."""
    seen = {("casa", "velho"): 3, ("velho", "gol"): 2, ("bonito", "gol"): 9, ("gol", "casa"): 1, ("casa", "de"): 8}
    resources = counted_world(WORDS, seen, morphology=PORTUGUESE, lang="pt")
    casa, gol = ("velho", "casa", 3), ("velho", "gol", 2)
    assert pool_of(resources) == {
        ("N_A", "f"): [casa],
        ("N_A", None): [casa],
        ("A_N", "m"): [gol],
        ("A_N", None): [gol],
        ("N_N", "m"): [("casa", "gol", 1)],
        ("N_N", None): [("casa", "gol", 1)],
    }


def test_pair_has_the_frequency_that_it_was_counted_with() -> None:
    resources = counted_world(WORDS, {("casa", "velho"): 3}, morphology=PORTUGUESE, lang="pt", tokens=1000)
    assert resources.pairs is not None
    (pair,) = attested_pool(resources.pairs, resources)["N_A", "f"]
    assert (pair.occurrences, pair.frequency) == (3, 3_000_000.0)
    assert (pair.modifier.zipf, pair.head.zipf, pair.head.gender) == (7.477121, 7.69897, "f")


def test_of_words_as_written_only_the_citation_form_is_a_compound() -> None:
    """*casa velho* does not agree, *casas velhas* is no citation form, and *velha casa* begins with a listed word."""
    seen = {("casa", "velha"): 3, ("casa", "velho"): 4, ("casas", "velhas"): 5, ("velha", "casa"): 2}
    resources = counted_world(WORDS, seen, morphology=PORTUGUESE, lang="pt", lemmas=False)
    assert pool_of(resources) == {
        ("N_A", "f"): [("velho", "casa", 3)],
        ("N_A", None): [("velho", "casa", 3)],
        ("A_N", "f"): [("velho", "casa", 2)],
        ("A_N", None): [("velho", "casa", 2)],
    }


@pytest.mark.parametrize("word", ["unknown", "silent", "al-pha", "sheep", "trousers"])
def test_word_without_forms_or_frequency_or_with_a_hyphen_makes_no_compound(word: str) -> None:
    morphology = FakeMorphology(no_plural=frozenset({"sheep"}), no_singular=frozenset({"trousers", "unknown"}))
    counts = COUNTS | dict.fromkeys(("unknown", "al-pha", "sheep", "trousers"), 10)
    seen = {(word, "iota"): 5, ("alpha", word): 5, ("alpha", "iota"): 1}
    rows = pool_of(counted_world(counts, seen, morphology=morphology))
    assert rows["N_N", None] == [("alpha", "iota", 1)]


@pytest.mark.parametrize(
    ("text", "modifier", "head", "pattern", "lemmas", "words"),
    [
        ("peixe espada", "espada", "peixe", "N_N", True, ("peixe", "espada")),
        ("primeira dama", "primeiro", "dama", "A_N", True, ("primeiro", "dama")),
        ("primeira dama", "primeiro", "dama", "A_N", False, ("primeira", "dama")),
        ("maçã podre", "podre", "maçã", "N_A", True, ("maçã", "podre")),
        ("maçã podre", "podre", "maçã", "N_A", False, ("maçã", "podre")),
        ("pé-frio", "frio", "pé", "N-A", True, ("pé-frio",)),
        ("homem-rã", "rã", "homem", "N-N", False, ("homem-rã",)),
        ("gol de placa", "placa", "gol", "N_de_N", True, ()),
    ],
)
def test_corpus_counts_a_compound_as_one_word_as_two_or_not_at_all(
    text: str, modifier: str, head: str, pattern: str, lemmas: bool, words: tuple[str, ...]
) -> None:
    row = compound(text, modifier, head, pattern)
    language = counted_world({}, {}, lang="pt").pack.language
    assert counted_words(row, language.patterns[pattern], lemmas=lemmas) == words


def test_attested_randoms_record_their_counts() -> None:
    rows = random_compounds(counted_world(COUNTS, SEEN), ATTESTED)
    assert {(row.modifier, row.head) for row in rows} == set(SEEN)
    assert {row.source for row in rows} == {"fake corpus (lemmas)"}
    row = next(row for row in rows if row.modifier == "alpha")
    assert row.explanation == (
        "matched in log10 frequency: 'alpha' +0.00 from 'rat', 'zeta' +0.00 from 'race', mean frequency +0.00, "
        "+0.00 with the compounds' own, counted 7 times"
    )


def test_pair_is_attested_in_the_order_of_its_pattern_alone() -> None:
    """Turned round, each of the five fits in frequency exactly, and was never seen so."""
    turned = {pair[::-1]: count for pair, count in SEEN.items()}
    with pytest.raises(SelectionError, match=r"'rat race' has 0 random compounds .+ attests 5 compounds"):
        random_compounds(counted_world(COUNTS, turned), ATTESTED)


@pytest.mark.parametrize("why", ["synonym", "exclusion", "star", "component synonym", "kin"])
def test_established_excluded_and_kin_are_not_drawn(why: str) -> None:
    best = ("alpha", "zeta")
    kin = {("rats", "zeta") if pair == best and why == "kin" else pair: count for pair, count in SEEN.items()}
    resources = counted_world(
        COUNTS | {"rats": 10},
        kin,
        synonyms=[true_synonym("ghost town", "alpha zeta", *best)] if why == "synonym" else [],
        exclusions={"exclusion": [exclusion(*best)], "star": [exclusion("*", "zeta")]}.get(why, []),
        offered={("race", "noun"): offers(["zeta"])} if why == "component synonym" else {},
    )
    with pytest.raises(SelectionError, match="'rat race' has 4 random compounds"):
        random_compounds(resources, ATTESTED)


def test_another_compound_of_the_dataset_is_not_drawn() -> None:
    known = compound("alpha zeta", "alpha", "zeta")
    spare = {"omicron": 10, "sigma": 1000, "fly": 10, "ball": 1000}
    seen = {**SEEN, ("omicron", "sigma"): 2} | {(word[::-1], head[::-1]): 1 for word, head in SEEN}
    counts = COUNTS | spare | {word[::-1]: count for word, count in COUNTS.items()}
    rows = random_compounds(counted_world(counts, seen, compounds=[RAT_RACE, known]), ATTESTED)
    assert len(rows) == 10
    assert ("alpha", "zeta") not in {(row.modifier, row.head) for row in rows}


def test_compound_without_a_pool_is_named_with_the_corpus_its_pattern_and_what_to_do() -> None:
    (few := dict(SEEN)).popitem()
    with pytest.raises(SelectionError) as caught:
        random_compounds(counted_world(COUNTS, few), ATTESTED)
    assert str(caught.value) == (
        "'rat race' has 4 random compounds within 0.75 Zipf, not 5: fake corpus (lemmas) attests 4 compounds of its "
        "pattern N_N and gender; count a larger corpus, add forms of its words to forms.tsv, or use --pool composed"
    )
    with pytest.raises(SelectionError, match=r"^'rat race' has 0 random compounds .+ 0 compounds of its pattern N_N"):
        random_compounds(counted_world(COUNTS, {}), ATTESTED)


def test_every_compound_with_too_few_is_named_at_once() -> None:
    compounds = [RAT_RACE, compound("ghost town", "ghost", "town"), compound("fly ball", "fly", "ball")]
    counts = COUNTS | dict.fromkeys(("ghost", "fly"), 10) | dict.fromkeys(("town", "ball"), 1000)
    with pytest.raises(SelectionError, match=r"not 5 \(and too few for '.+ .+' and '.+ .+'\): ") as caught:
        random_compounds(counted_world(counts, {}, compounds=compounds), ATTESTED)
    assert all(repr(row.text) in str(caught.value) for row in compounds)


def test_every_component_without_a_frequency_is_named_at_once() -> None:
    compounds = [RAT_RACE, compound("ghost town", "ghost", "town"), compound("fly ball", "fly", "ball")]
    with pytest.raises(SelectionError) as caught:
        random_compounds(counted_world({}, {}, compounds=compounds), ATTESTED)
    found = str(caught.value)
    assert sum(repr(word) in found for row in compounds for word in (row.modifier, row.head)) == 5
    assert found.endswith(
        " and 1 more have no frequency in fake corpus (lemmas); "
        "count a corpus that has them, or use a more frequent compound"
    )


def test_pattern_with_a_word_in_between_is_composed_though_attested_ones_are_wanted() -> None:
    row = compound("gol de placa", "placa", "gol", "N_de_N", gender="m", index=0)
    words = {"placa": 10, "gol": 1000} | dict.fromkeys(MODIFIERS, 10) | dict.fromkeys(HEADS, 1000)
    genders: dict[str, Gender] = {**dict.fromkeys(MODIFIERS, "f"), **dict.fromkeys(HEADS, "m")}
    resources = counted_world(words, {}, compounds=[row], morphology=FakeMorphology(genders), lang="pt")
    resources.lexicon.__dict__["nouns"] = [*MODIFIERS, *HEADS]
    rows = random_compounds(resources, ATTESTED)
    assert {row.head for row in rows} == set(HEADS)
    assert not [row.text for row in rows if "counted" in row.explanation]


def test_gender_of_an_attested_head_is_the_compounds() -> None:
    row = compound("greve geral", "geral", "greve", "N_A", gender="f", index=0)
    twins = {word[::-1]: 1000 for word in HEADS}
    genders: dict[str, Gender] = {**dict.fromkeys(HEADS, "f"), **dict.fromkeys(twins, "m")}
    seen = {(head, modifier): 1 for modifier, head in SEEN} | {(head[::-1], modifier): 9 for modifier, head in SEEN}
    counts = COUNTS | twins | {"geral": 10, "greve": 1000}
    resources = counted_world(counts, seen, compounds=[row], morphology=FakeMorphology(genders), lang="pt")
    rows = random_compounds(resources, ATTESTED)
    assert {row.head for row in rows} == set(HEADS)
    assert {row.text for row in rows} == {f"{head} {modifier[:-1]}a" for modifier, head in SEEN}


def test_attested_pool_without_counts_is_wrong_use() -> None:
    resources = counted_world(COUNTS, SEEN)
    bare = Resources(resources.pack, resources.lexicon, resources.morphology, resources.frequencies)
    with pytest.raises(UsageError, match="an attested pool of 'en' needs counts of pairs; name a statistics store"):
        random_compounds(bare, ATTESTED)
