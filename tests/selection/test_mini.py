"""The whole selection on the mini world, with the real frequencies, lexicon reader and forms."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
import wordfreq

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import VARIANTS, AcceptedRandom, LanguagePack, Replacement
from ncimp.builder.selection.replacements import random_compounds, select
from ncimp.builder.selection.synonyms import Resources, component_synonyms
from ncimp.schemas.errors import SelectionError
from tests.frozen import load_reference
from tests.selection.world import exclusion

reference = load_reference("matcher_reference")
Shops = dict[str, LanguageResources]
Rows = dict[str, list[Replacement]]


@pytest.fixture(scope="module")
def chosen(mini_langs: Shops) -> Rows:
    return {lang: select(shop.selection, BuildOptions()) for lang, shop in mini_langs.items()}


def of_kind(chosen: Rows, kind: str) -> Iterator[tuple[str, Replacement]]:
    """Yield (language, replacement) for every replacement of a kind; none at all is an error of the test."""
    found = [(lang, row) for lang, rows in chosen.items() for row in rows if row.variant.startswith(kind)]
    assert len(found) == {"ws": 60, "rand": 60}.get(kind, 12)
    yield from found


def compound_words(pack: LanguagePack, compound_id: str) -> set[str]:
    """Return the words of a compound and of its true synonyms, as lemmas and as written."""
    row = next(row for row in pack.compounds if pack.compound_id(row.text) == compound_id)
    texts = [row.text, *(other.text for other in pack.synonyms if other.compound == row.text)]
    written = {word for text in texts for word in text.replace("-", " ").lower().split() if len(word) > 2}
    lemmas = [other.modifier for other in pack.synonyms if other.compound == row.text if other.modifier]
    heads = [other.head for other in pack.synonyms if other.compound == row.text]
    return {row.modifier, row.head, *lemmas, *heads} | written


def words_of(row: Replacement) -> tuple[str, str]:
    return str(row.modifier), str(row.head)


def test_every_compound_has_its_14_variants_in_the_order_of_pack_and_grid(chosen: Rows, mini_langs: Shops) -> None:
    for lang, shop in mini_langs.items():
        ids = [shop.pack.compound_id(row.text) for row in shop.pack.compounds]
        assert len(ids) == 6
        assert [(row.compound_id, row.variant) for row in chosen[lang]] == [(i, v) for i in ids for v in VARIANTS]


def test_14_rows_explain_themselves(chosen: Rows) -> None:
    rows = {row.variant: row for row in chosen["pt"] if row.compound_id == "pt/primeira-dama"}
    shapes = {name: (row.text, row.modifier, row.head, row.pattern, row.gender) for name, row in rows.items()}
    assert shapes["orig"] == ("primeira-dama", "primeiro", "dama", "A-N", "f")
    assert shapes["syn"] == ("esposa presidencial", "presidencial", "esposa", "N_A", "f")
    assert shapes["head"] == ("dama", None, "dama", None, None)
    assert shapes["mod"] == ("primeiro", "primeiro", None, None, None)
    assert rows["syn"].rank == 1
    assert {row.source for row in list(rows.values())[:4]} == {"pt pack 0.0.1"}


def test_best_true_synonym_is_the_one_of_lowest_rank_wherever_it_stands(mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    turned = replace(shop.pack, synonyms=shop.pack.synonyms[::-1])
    rows = select(replace(shop.selection, pack=turned), BuildOptions())
    best = {row.compound: row.text for row in shop.pack.synonyms if row.rank == 1}
    assert {row.text for row in rows if row.variant == "syn"} == set(best.values())


def test_compound_without_a_true_synonym_is_an_error_that_names_it(mini_langs: Shops) -> None:
    shop = mini_langs["en"]
    left = tuple(row for row in shop.pack.synonyms if row.compound != "rat race")
    with pytest.raises(SelectionError) as caught:
        select(replace(shop.selection, pack=replace(shop.pack, synonyms=left)), BuildOptions())
    assert str(caught.value) == "'rat race' has no true synonym; add one to synonyms.tsv"


def test_component_synonyms_are_five_pairs_of_ten_words_none_kin_to_the_compound(
    chosen: Rows, mini_langs: Shops
) -> None:
    used: dict[str, list[str]] = {}
    for lang, row in of_kind(chosen, "ws"):
        used.setdefault(row.compound_id, []).extend(words_of(row))
        own = compound_words(mini_langs[lang].pack, row.compound_id)
        assert not set(words_of(row)) & own, row.text
        compound = next(
            c for c in mini_langs[lang].pack.compounds if row.compound_id.endswith(c.text.replace(" ", "-"))
        )
        for word, component in zip(words_of(row), (compound.modifier, compound.head), strict=True):
            assert not reference.kin(word, component), row.text
    assert all(len(set(words)) == 10 for words in used.values())


def test_component_synonyms_of_eager_beaver_and_pe_frio(chosen: Rows) -> None:
    texts: dict[str, list[str]] = {row.compound_id: [] for rows in chosen.values() for row in rows}
    for _, row in of_kind(chosen, "ws"):
        texts[row.compound_id].append(row.text)
    eager = ["keen", "enthusiastic", "avid", "impatient", "zealous"]
    assert [text.split()[0] for text in texts["en/eager-beaver"]] == eager
    assert texts["pt/pé-frio"][0] == "pata gelada"


@pytest.fixture(scope="module")
def centibels() -> dict[str, dict[str, float]]:
    """Zipf values by language out of wordfreq's own bins: bin k of its list holds the words of -k centibels."""
    lists = {lang: wordfreq.get_frequency_list(lang, wordlist="best") for lang in ("en", "pt")}
    return {lang: {word: 9 - k / 100 for k, row in enumerate(rows) for word in row} for lang, rows in lists.items()}


def test_recorded_zipf_values_are_those_of_wordfreq(chosen: Rows, centibels: dict[str, dict[str, float]]) -> None:
    for kind in ("ws", "rand"):
        for lang, row in of_kind(chosen, kind):
            values = [centibels[lang].get(word) for word in words_of(row)]
            assert [row.modifier_zipf, row.head_zipf] == pytest.approx(values, abs=1e-6), row.text


def test_recorded_distances_of_the_randoms_are_those_of_wordfreq(
    chosen: Rows, mini_langs: Shops, centibels: dict[str, dict[str, float]]
) -> None:
    for lang, row in of_kind(chosen, "rand"):
        pack = mini_langs[lang].pack
        compound = next(c for c in pack.compounds if pack.compound_id(c.text) == row.compound_id)
        new = [centibels[lang][word] for word in words_of(row)]
        old = [centibels[lang][word] for word in (compound.modifier, compound.head)]
        mean = math.log10(sum(10**value for value in new) / sum(10**value for value in old))
        found = (row.modifier_delta, row.head_delta, row.mean_delta)
        assert found == pytest.approx((new[0] - old[0], new[1] - old[1], mean), abs=2e-6), row.text
        assert max(abs(new[0] - old[0]), abs(new[1] - old[1])) <= BuildOptions().max_delta + 1e-6


def test_randoms_have_the_parts_and_the_gender_of_their_compound(chosen: Rows, mini_langs: Shops) -> None:
    for lang, row in of_kind(chosen, "rand"):
        shop = mini_langs[lang]
        compound = next(c for c in shop.pack.compounds if shop.pack.compound_id(c.text) == row.compound_id)
        patterns = shop.pack.language.patterns
        assert row.pattern == patterns[compound.pattern].replacement
        assert row.gender == compound.gender
        lexemes = {(form.lemma, form.pos, form.gender) for form in shop.pack.forms}
        parts = patterns[str(row.pattern)].parts
        head_pos, modifier_pos = parts[patterns[str(row.pattern)].head], parts[1 - patterns[str(row.pattern)].head]
        assert (row.head, head_pos, compound.gender) in lexemes
        assert modifier_pos in {pos for lemma, pos, _ in lexemes if lemma == row.modifier}


def test_no_word_of_a_random_is_kin_to_its_compound_its_synonyms_or_its_other_randoms(
    chosen: Rows, mini_langs: Shops
) -> None:
    before: dict[str, list[str]] = {}
    for lang, row in of_kind(chosen, "rand"):
        own = compound_words(mini_langs[lang].pack, row.compound_id)
        others = before.setdefault(row.compound_id, [])
        for word in words_of(row):
            assert not [other for other in (*own, *others) if reference.kin(word, other)], row.text
            others.append(word)
        assert not reference.kin(*words_of(row))


def test_no_word_of_a_random_is_a_component_synonym_of_its_compound(chosen: Rows) -> None:
    near: dict[str, set[str]] = {}
    for _, row in of_kind(chosen, "ws"):
        near.setdefault(row.compound_id, set()).update(words_of(row))
    assert not [row.text for _, row in of_kind(chosen, "rand") if near[row.compound_id] & set(words_of(row))]


def test_no_random_is_repeated_or_established(chosen: Rows, mini_langs: Shops) -> None:
    drawn = [(lang, *words_of(row)) for lang, row in of_kind(chosen, "rand")]
    assert len(drawn) == len(set(drawn))
    for lang, shop in mini_langs.items():
        known = {(lang, row.modifier, row.head) for row in shop.pack.compounds}
        known |= {(lang, str(row.modifier), row.head) for row in shop.pack.synonyms}
        assert not known & set(drawn)


def shuffled(resources: Resources) -> Resources:
    """Return *resources* with the rows of the pack's tables turned round and dealt anew."""
    pack = resources.pack
    rows = pack.compounds
    turned = replace(pack, compounds=rows[3:] + rows[2::-1], synonyms=pack.synonyms[::-1])
    return replace(resources, pack=turned)


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_replacements_do_not_depend_on_the_order_of_the_tables(chosen: Rows, mini_langs: Shops, lang: str) -> None:
    again = select(shuffled(mini_langs[lang].selection), BuildOptions())
    assert [row.compound_id for row in again] != [row.compound_id for row in chosen[lang]]
    assert sorted(map(repr, again)) == sorted(map(repr, chosen[lang]))


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_excluded_pair_is_not_drawn(chosen: Rows, mini_langs: Shops, lang: str) -> None:
    resources = mini_langs[lang].selection
    first = [words_of(row) for row in chosen[lang] if row.variant in ("rand1", "ws1")]
    pack = replace(resources.pack, exclusions=tuple(exclusion(*pair) for pair in first))
    again = select(replace(resources, pack=pack), BuildOptions())
    assert not {words_of(row) for row in again} & set(first)
    assert len(again) == 84


def test_another_seed_draws_other_randoms_and_no_other_synonyms(chosen: Rows, mini_langs: Shops) -> None:
    options = BuildOptions(seed="another")
    rows = select(mini_langs["en"].selection, options)
    assert rows == select(mini_langs["en"].selection, options)
    same = [one == other for one, other in zip(rows, chosen["en"], strict=True)]
    assert all(is_same for row, is_same in zip(rows, same, strict=True) if not row.variant.startswith("rand"))
    assert not all(same)


def test_narrow_limit_is_kept_or_refused(mini_langs: Shops) -> None:
    resources = mini_langs["en"].selection
    wide = BuildOptions(max_delta=0.3)
    deltas = [
        abs(value or 0) for row in random_compounds(resources, wide) for value in (row.modifier_delta, row.head_delta)
    ]
    assert max(deltas) <= 0.3
    with pytest.raises(
        SelectionError,
        match=r"^'.+ .+' has \d random compounds within 0\.001 Zipf, not 5 \(and too few for '.+\); add words",
    ):
        random_compounds(resources, BuildOptions(max_delta=0.001))


def test_too_small_a_lexicon_is_named(mini_langs: Shops) -> None:
    resources = mini_langs["pt"].selection
    pack = replace(
        resources.pack, compounds=tuple(replace(row, modifier="xyz") for row in resources.pack.compounds[:1])
    )
    with pytest.raises(SelectionError) as caught:
        component_synonyms(pack.compounds[0], replace(resources, pack=pack))
    assert str(caught.value) == (
        "'maçã podre' has 0 usable synonyms of its modifier 'xyz', not 5; "
        "add some to ncimp-pt:0.0.1, with their forms in forms.tsv"
    )


def test_an_accepted_random_compound_stays_unless_a_rule_or_another_seed_forbids_it(mini_langs: Shops) -> None:
    resources = mini_langs["en"].selection

    def drawn(pack: LanguagePack, seed: str = BuildOptions().seed) -> list[tuple[str, str]]:
        rows = random_compounds(replace(resources, pack=pack), BuildOptions(seed=seed))
        return [words_of(row) for row in rows if row.compound_id == "en/rat-race"]

    fresh = drawn(resources.pack)
    kept = (fresh[4][0], fresh[3][1])
    pack = replace(resources.pack, accepted=(AcceptedRandom("rat race", *kept, "somebody", "2026-01-01"),))
    assert kept not in fresh
    assert drawn(pack)[:4] == [kept, *fresh[:3]]
    assert drawn(pack, "other") == drawn(resources.pack, "other")
    assert kept not in drawn(replace(pack, exclusions=(*pack.exclusions, exclusion(*kept))))
