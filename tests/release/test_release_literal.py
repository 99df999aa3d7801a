"""Literal contexts: sentences like the others, outside the grid, under a sense of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from ncimp.builder.commands.validate import check
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.builder.validation.folder import read_content
from ncimp.builder.validation.validate import validate
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import ReleasedSense
from tests.conftest import build

SENTENCE = "The twins held a [rat race] in the barn and bet two cookies on the smallest runner."
PLACE = "en/rat-race/literal"


@pytest.fixture
def packs(packs_copy: Path) -> Path:
    with (packs_copy / "en" / "contexts.tsv").open("a", encoding="utf-8") as stream:
        stream.write(f"rat race\tliteral\tsg\tfiction\t{SENTENCE}\tauthored\tCC-BY-4.0\n")
    return packs_copy


@pytest.fixture
def release(packs: Path, tmp_path: Path) -> Path:
    return build(tmp_path / "ncimp", packs=packs, langs=("en",))


def rows(release: Path, folder: str) -> list[dict[str, object]]:
    return [row for path in sorted((release / folder).iterdir()) for row in read_parquet(path, "item")]


def test_a_literal_context_gives_the_original_its_synonym_and_one_pair_of_component_synonyms(release: Path) -> None:
    found = {str(row["id"]): str(row["sentence"]) for row in rows(release, "sense_sentences")}
    assert list(found) == [f"{PLACE}/orig", f"{PLACE}/syn", f"{PLACE}/ws1"]
    assert found[f"{PLACE}/orig"] == SENTENCE.replace("[", "").replace("]", "")
    assert found[f"{PLACE}/syn"].startswith("The twins held a daily grind in the barn")


def test_a_pack_that_tells_no_senses_has_those_of_its_literal_contexts(release: Path) -> None:
    idiomatic, literal = ReleaseFolder(release).records("senses", ReleasedSense)
    assert literal.id == PLACE
    assert (literal.kind, literal.text) == ("literal", None)
    assert (idiomatic.id, idiomatic.text, idiomatic.head) == ("en/rat-race/idiomatic", "daily grind", "grind")
    assert idiomatic.gloss


def test_the_grid_and_the_pairs_stay_as_they_are(release: Path) -> None:
    assert len(rows(release, "sentences")) == 6 * 70
    assert all(row["context"] != "literal" for row in rows(release, "sentences"))
    counts = ReleaseFolder(release).manifest.counts
    assert (counts["sentences"], counts["pairs"], counts["sense_sentences"]) == (420, 390, 3)


def test_the_card_has_the_config_where_there_are_rows_and_only_there(release: Path, mini_release: Path) -> None:
    for folder, held in ((release, True), (mini_release, False)):
        card = (folder / "README.md").read_text(encoding="utf-8")
        header = yaml.safe_load(card.split("---\n")[1])
        assert ("sense_sentences" in [config["config_name"] for config in header["configs"]]) == held
        assert ("sense_sentences" in [info["config_name"] for info in header["dataset_info"]]) == held
        assert ("\n\nFor 1 of the compounds there is a further sentence, outside the grid" in card) == held


def test_a_literal_sentence_is_validated_like_the_others(release: Path, packs: Path) -> None:
    assert check(release, packs)[0] == []
    tables = read_content(ReleaseFolder(release)).tables
    wrong = [replace(item, sentence=item.sentence.rstrip(".")) for item in tables.literal]
    found = validate(replace(tables, literal=wrong), {"en": read_pack(packs / "en")})
    assert {row.place for row in found if row.code == "S203"} == {item.id for item in tables.literal}


def test_a_literal_sentence_stands_under_its_sense(release: Path, packs: Path) -> None:
    tables = read_content(ReleaseFolder(release)).tables
    found = validate(replace(tables, senses=tables.senses[:1]), {"en": read_pack(packs / "en")})
    assert [(row.code, row.place) for row in found] == [("B508", item.id) for item in tables.literal]


@pytest.mark.parametrize(("kept", "code"), [((0, 1), "C301"), ((0, 1, 2, 2), "C303")])
def test_a_missing_or_repeated_literal_item_is_reported(
    release: Path, packs: Path, kept: tuple[int, ...], code: str
) -> None:
    tables = read_content(ReleaseFolder(release)).tables
    changed = replace(tables, literal=[tables.literal[index] for index in kept])
    found = validate(changed, {"en": read_pack(packs / "en")})
    assert [(row.code, row.place) for row in found] == [(code, f"{PLACE}/ws1")]
