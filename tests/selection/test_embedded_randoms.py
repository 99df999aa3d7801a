"""The random compounds of the project's packs, by rules written plainly from the tables and from nothing else."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from contextlib import closing

import pytest

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import Replacement
from ncimp.builder.selection.replacements import select
from ncimp.builder.sources.packs.packs import packs_folder

Row = dict[str, str]
FULL = {"noun", "adj", "verb", "adv"}
PLACES = {"N_N": "apposed", "N_de_N": "modifier", "N_A": "modifier"}
"""Places of the modifiers of Portuguese patterns; those of A_N are listed in `pack.toml`."""


def table(lang: str, name: str) -> list[Row]:
    path = packs_folder() / lang / f"{name}.tsv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def letters(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if c.isalpha())


def kin(one: str, other: str) -> bool:
    one, other = letters(one), letters(other)
    shorter = min(len(one), len(other))
    return one == other or (
        shorter > 2 and (one[:shorter] == other[:shorter] if shorter <= 4 else one[:5] == other[:5])
    )


@pytest.fixture(scope="module", params=["en", "pt"])
def drawn(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Replacement]]:
    with closing(LanguageResources(request.param, packs_folder(), tmp_path_factory.mktemp("work"))) as resources:
        return request.param, select(resources.selection, BuildOptions())


def test_words_of_randoms_are_free_of_the_words_and_the_classes_around_them(
    drawn: tuple[str, list[Replacement]],
) -> None:
    lang, rows = drawn
    compounds = {f"{lang}/{row['text'].replace(' ', '-')}": row for row in table(lang, "compounds")}
    lemmas: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in table(lang, "forms"):
        lemmas[row["form"].lower()].add((row["lemma"], row["pos"]))
    texts = {row["text"]: [row["sense_note"]] for row in compounds.values()}
    for row in table(lang, "contexts"):
        texts[row["compound"]].append(row["sentence"])
    classes = {row["lemma"]: row["semantic_class"] for row in table(lang, "pool") if row["pos"] == "noun"}
    components = {row[part] for row in compounds.values() for part in ("modifier", "head")}
    taken: defaultdict[str, set[str]] = defaultdict(set)
    fitting: defaultdict[str, set[str]] = defaultdict(set)
    for row in table(lang, "synonyms"):
        taken[row["compound"]] |= {row["head"], row["modifier"]} - {"_"}
        fitting[row["compound"]] |= {classes.get(row["head"], "_")} if row["rank"] == "1" else set()
    for made in rows:
        if made.variant.startswith("ws"):
            taken[compounds[made.compound_id]["text"]] |= {str(made.modifier), str(made.head)}
    for made in (row for row in rows if row.variant.startswith("rand")):
        own = compounds[made.compound_id]
        near = {own["modifier"], own["head"], *taken[own["text"]]}
        for word in re.findall(r"[^\W\d_]+", " ".join(texts[own["text"]]).lower()):
            if not lemmas[word] or any(pos in FULL for _, pos in lemmas[word]):
                near |= {word, *(lemma for lemma, _ in lemmas[word])}
        words = {str(made.modifier), str(made.head)}
        assert not [(word, other) for word in words for other in near if kin(word, other)], made.text
        assert not words & components, made.text
        out = {own["semantic_class"], *own["fitting_classes"].split(), *fitting[own["text"]]} - {"_"}
        assert classes.get(str(made.head)) not in out, made.text


def test_no_word_stands_in_more_than_four_randoms_and_each_in_its_place(drawn: tuple[str, list[Replacement]]) -> None:
    lang, rows = drawn
    randoms = [row for row in rows if row.variant.startswith("rand")]
    uses = Counter(str(word) for row in randoms for word in (row.modifier, row.head))
    assert max(uses.values()) <= 4
    places = {(row["lemma"], row["pos"]): row["place"] for row in table(lang, "pool")}
    for row in randoms if places else ():
        pattern = str(row.pattern)
        assert places[str(row.head), "noun"] in ("head", "both"), row.text
        if lang == "en" or pattern in PLACES:
            place = "modifier" if lang == "en" else PLACES[pattern]
            found = places[str(row.modifier), "adj" if "A" in pattern else "noun"]
            assert found in ({place} if place == "apposed" else {place, "both"}), row.text


def test_excluded_pairs_are_not_drawn(drawn: tuple[str, list[Replacement]]) -> None:
    lang, rows = drawn
    out = {(row["compound"], row["modifier"], row["head"]) for row in table(lang, "exclusions")}
    names = {f"{lang}/{row['text'].replace(' ', '-')}": row["text"] for row in table(lang, "compounds")}
    for row in (row for row in rows if row.variant.startswith("rand")):
        for compound in ("*", names[row.compound_id]):
            pairs = {(compound, row.modifier, row.head), (compound, "*", row.head), (compound, row.modifier, "*")}
            assert not pairs & out, row.text


def test_replacements_after_de_keep_the_number_of_the_original(drawn: tuple[str, list[Replacement]]) -> None:
    lang, rows = drawn
    texts = {row.compound_id: row.text for row in rows if row.variant == "orig"}
    numbers = {(row["form"], row["lemma"]): row["number"] for row in table(lang, "forms") if row["pos"] == "noun"}
    found = {
        row.compound_id: numbers[row.text.split(" de ")[1], str(row.modifier)]
        for row in rows
        if row.pattern == "N_de_N" and row.variant[:2] in ("ws", "ra") and " de " in texts[row.compound_id]
    }
    assert lang == "en" or found["pt/balaio-de-gatos"] == "pl"
    assert lang == "en" or found["pt/gol-de-placa"] == "sg"
