"""Published directions on static vectors: PComp > PSyn >= PWordsSyn > PRand at NC level, and rho(PSyn) > 0.

What does not hold, and what was tried besides, is on the evaluator's page of figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.records import Model, Result
from ncimp.evaluator.release import Compound, Item, Release, read_release
from tests.evaluator.test_shared import CLASSES, nctti
from tests.evaluator.word_pieces import word_piece_vectors

pytestmark = pytest.mark.slow

VARIANTS = {
    ("original", 0): "orig",
    ("gold_syn", 1): "syn",
    ("comp_head", 1): "head",
    ("comp_mod", 1): "mod",
    **{("words_syn", number): f"ws{number}" for number in range(1, 6)},
    **{("rand_freq", number): f"rand{number}" for number in range(1, 6)},
}
"""The experts' names of the variants, with their numbers; random ones are those of like frequency."""

CONTEXTS = {"nat1": "nat1", "nat2": "nat2", "nat3": "nat3", "short": "neut_short"}


def nc_results(release: Release, path: Path) -> list[dict[str, Result]]:
    """Return the results at NC level by measure, for each kind of contexts that the release has."""
    source, options = word_piece_vectors(release.items, path), Options(resamples=100)
    made = evaluate_source(release, source, model=Model("pieces", "static", None, {}), options=options)
    kinds: dict[str, dict[str, Result]] = {}
    for row in made.document.results:
        if row.level == "nc" and row.n:
            kinds.setdefault(row.context_kind, {})[row.measure] = row
    return list(kinds.values())


def check(results: Mapping[str, Result], *, n: int) -> None:
    means = {name: row.mean for name, row in results.items() if row.mean is not None}
    for components in ("head", "mod", "max", "mean"):
        assert means[f"Sim_PComp_{components}"] > means["Sim_PSyn"]
    for words in ("first", "mean"):
        assert means["Sim_PSyn"] >= means[f"Sim_PWordsSyn_{words}"] > means["Sim_PRand"]
    synonym = results["Sim_PSyn"]
    assert synonym.n == n
    assert synonym.rho is not None
    assert synonym.rho > 0


def part(release: Release, lang: str, chosen: Iterable[str]) -> Release:
    """Return the part of *release* with the *chosen* compounds of *lang*."""
    ids = set(chosen)
    items = tuple(item for item in release.items if item.lang == lang and item.compound_id in ids)
    compounds = tuple(compound for compound in release.compounds if compound.id in ids)
    return replace(release, languages=(lang,), items=items, compounds=compounds)


def test_the_english_edition_has_the_published_order(edition: Path, tmp_path: Path) -> None:
    release = read_release(edition)
    english = part(release, "en", [compound.id for compound in release.compounds if compound.lang == "en"])
    kinds = nc_results(english, tmp_path / "words.vec")
    assert len(kinds) == 3
    for results in kinds:
        check(results, n=280)


def test_portuguese_compounds_without_a_preposition_have_the_published_order(edition: Path, tmp_path: Path) -> None:
    # where there is one, it stays in word synonyms and random compounds, and seldom in the synonym
    release = read_release(edition)
    originals = [item for item in release.items if (item.lang, item.context, item.variant) == ("pt", "nat1", "orig")]
    without = [item.compound_id for item in originals if item.token_span[1] - item.token_span[0] < 3]
    assert len(without) == 115
    for results in nc_results(part(release, "pt", without), tmp_path / "words.vec"):
        check(results, n=115)


def experts(shared: Path, lang: str) -> Release:
    """Return the experts' sentences of the half of the compounds that is for development."""
    classes = {row["compound"].lower(): CLASSES[row["CompScale"]] for row in nctti(shared, lang)}
    items = []
    for line in (shared / "gold" / "dev_sentences.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        compound, context = row["compound"].lower(), CONTEXTS.get(row["context"])
        variant = VARIANTS.get((row["variant_type"], row["variant_index"]))
        if row["lang"] == lang and compound in classes and context and variant:
            first, last = row["span"]
            tokens = tuple(row["sentence"].split())
            name = f"{compound}/{context}/{variant}"
            items.append(Item(name, lang, compound, context, variant, tokens, (first, last)))
    made = [
        Compound(name, lang, name, classes[name], None, "", "", zipf=None, overlap_free=False, split="test")
        for name in sorted({item.compound_id for item in items})
    ]
    return Release("experts", "0" * 64, (lang,), tuple(sorted(items, key=lambda item: item.id)), tuple(made))


@pytest.mark.shared
@pytest.mark.parametrize(("lang", "kinds", "n"), [("en", 2, 135), ("pt", 3, 83)])
def test_the_experts_variants_have_the_published_order(
    shared: Path, tmp_path: Path, lang: str, kinds: int, n: int
) -> None:
    found = nc_results(experts(shared, lang), tmp_path / "words.vec")
    assert len(found) == kinds
    for results in found:
        check(results, n=n)
