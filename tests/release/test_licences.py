"""What a release says of its licences: the project's own statement where it is true, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.records import Manifest, Source
from ncimp.builder.release.licences import data_licence
from ncimp.schemas.arrow import read_parquet

STATEMENT = (Path(__file__).parents[2] / "LICENSE-DATA").read_text("utf-8")


def source(name: str, kind: str, licence: str, citation: str) -> Source:
    return Source(name, kind, "1", licence, citation, None, None)


PACK = source("pack/en", "pack", "CC-BY-4.0", "The ncimp authors (and others). English language pack, version 1.")
GALICIAN = source("pack/gl", "pack", "CC-BY-4.0", "Ana Souto. Galician language pack, version 2.0.")
WORDFREQ = source("wordfreq/en", "frequencies", "CC-BY-SA-4.0", "Robyn Speer.")
STORE = source("store/en", "frequencies", "CC0-1.0", "Counts of mini, 3 sentences.")
BENCHMARK = source("benchmark/other", "benchmark", "not stated", "A list.")


def licence(
    *,
    edition: str = "open",
    licences: Sequence[str] = ("CC-BY-4.0",),
    inputs: Sequence[Source] = (PACK, WORDFREQ),
    corpus: bool = False,
) -> str:
    manifest = Manifest(1, "ncimp", "1.2.3", "0", edition, ("en",), {}, tuple(inputs), (), "", {})
    return data_licence(STATEMENT, manifest, licences, corpus=corpus)


def test_the_open_edition_has_the_statement_of_the_project(mini_release: Path) -> None:
    assert (mini_release / "LICENSE-DATA").read_text("utf-8") == STATEMENT
    assert licence() == licence(inputs=[PACK, WORDFREQ, BENCHMARK]) == STATEMENT
    films = source("words/opensubtitles-2018-gl", "frequencies", "CC-BY-SA-4.0", "A.")
    assert licence(inputs=[PACK, films]) == STATEMENT


@pytest.mark.parametrize(
    "changes",
    [
        {"edition": "own"},
        {"licences": ["CC-BY-4.0", "LicenseRef-brWaC"]},
        {"licences": ["CC0-1.0"]},
        {"inputs": [PACK, GALICIAN, WORDFREQ]},
        {"inputs": [PACK, STORE]},
        {"inputs": [PACK, source("words/films", "frequencies", "CC-BY-SA-4.0", "Somebody's.")]},
        {"corpus": True},
    ],
)
def test_no_other_release_has_it(changes: dict[str, Any]) -> None:
    text = licence(**changes)
    assert "written for this project" not in text
    assert "Copyright" not in text
    assert "wordfreq` package" not in text


def test_another_release_lists_its_licences_and_whom_to_credit() -> None:
    text = licence(edition="own", licences=["CC0-1.0", "LicenseRef-brWaC", "CC0-1.0"], inputs=[GALICIAN, STORE])
    assert text == (
        "NCIMP own edition 1.2.3: licence of the data\n\n"
        "Each row has the licence of its text in the column `licence`. They are:\n\n"
        "- CC0-1.0: <https://spdx.org/licenses/CC0-1.0.html>\n"
        "- LicenseRef-brWaC: the terms of the source of these texts, which SPDX does not list; ask who gave you the "
        "source\n\n"
        "The data were made from:\n\n"
        "- pack/gl (CC-BY-4.0): Ana Souto. Galician language pack, version 2.0.\n"
        "- store/en (CC0-1.0): Counts of mini, 3 sentences.\n\n"
        "Frequencies (`modifier_zipf`, `head_zipf`, and their differences in `modifier_delta`, `head_delta`, "
        "`mean_delta` and\n`explanation`) have the licence of their source, which `zipf_source` of `compounds` names."
        "\n\n"
        "The code that made them is licensed separately, under the Apache License 2.0.\n"
    )


def test_every_column_with_figures_of_wordfreq_is_named_with_its_licence(mini_release: Path) -> None:
    rows = [row for path in mini_release.rglob("*.parquet") for row in read_parquet(path)]
    assert any(row.get("modifier_zipf") and "wordfreq" not in row["source"] for row in rows)  # the synonyms
    columns = {name for row in rows for name, value in row.items() if name.endswith(("_zipf", "_delta")) and value}
    assert len(columns) == 5
    card = (mini_release / "README.md").read_text("utf-8").partition("## Licence")[2]
    for text in (card, STATEMENT):
        assert all(f"`{name}`" in text for name in columns)
        assert "wordfreq" in text
    assert "wordfreq 3.1.1 (`CC-BY-SA-4.0`)" in card
