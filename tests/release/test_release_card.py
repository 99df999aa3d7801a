"""The dataset card made from figures that are made up: what no mini release can show."""

from __future__ import annotations

from typing import Any, get_args

import pytest
import yaml

from ncimp.builder.config import BuildOptions, Matching, Pool
from ncimp.builder.records import Manifest
from ncimp.builder.release.card import CardFigures, DataFile, render_card
from ncimp.builder.validation.card import figures_in
from ncimp.schemas.errors import ReleaseError


def figures(**changes: Any) -> CardFigures:
    own = {
        "compounds": 1,
        "sentences": 70,
        "pairs": 65,
        "classes": dict.fromkeys(("idiomatic", "partly_compositional", "compositional"), 1),
        "overlap": dict.fromkeys(("idiomatic", "partly_compositional", "compositional"), 1),
        "splits": {"train": 1},
    }
    counts = {"compounds": 1, "sentences": 70, "pairs": 65, "waived": 0, "languages": {"no": own}}
    files = {
        "sentences/train-00000-of-00001.parquet": DataFile(70, 10, 20),
        "compounds/train-00000-of-00001.parquet": DataFile(1, 10, 20),
    }
    files |= {
        f"no_{kind}/train-00000-of-00001.parquet": DataFile(rows, 10, 20) for kind, rows in (("nat", 39), ("neut", 26))
    }
    taken: dict[str, Any] = {name: changes.pop(name) for name in ("options", "counts") if name in changes}
    parts: dict[str, Any] = {"options": {}, "counts": counts} | taken
    manifest = Manifest(1, "ncimp", "1.0.0", "0", "open", ("no",), inputs=(), files=(), logical_sha256="", **parts)
    known: dict[str, Any] = {"languages": {"no": "Norwegian"}, "files": files, "zipf_source": "none"}
    return CardFigures(manifest, **(known | changes))


def test_a_placeholder_that_nothing_fills_is_an_error() -> None:
    with pytest.raises(ReleaseError, match="placeholder 'compouns'") as caught:
        render_card("{{compouns}}", figures())
    assert "compounds" in str(caught.value.fix)


def test_a_language_whose_code_yaml_reads_as_a_truth_value_stays_a_language() -> None:
    """Unquoted, `no` is false in YAML 1.1; and 1.0.0 must not become a number."""
    header = yaml.safe_load(render_card("text", figures()).split("---\n")[1])
    assert header["language"] == ["no"]
    assert [config["config_name"] for config in header["configs"]][3:] == ["no", "no_nat", "no_neut"]
    assert header["configs"][0]["version"] == "1.0.0"
    assert header["multilinguality"] == ["monolingual"]


@pytest.mark.parametrize(
    ("pairs", "category"),
    [(999, "n<1K"), (1_000, "1K<n<10K"), (29_900, "10K<n<100K"), (99_999, "10K<n<100K"), (250_000, "100K<n<1M")],
)
def test_the_size_category_follows_the_number_of_pairs(pairs: int, category: str) -> None:
    counts = {**figures().manifest.counts, "pairs": pairs}
    header = yaml.safe_load(render_card("text", figures(counts=counts)).split("---\n")[1])
    assert header["size_categories"] == [category]


@pytest.mark.parametrize("pool", get_args(Pool))
@pytest.mark.parametrize("match", get_args(Matching))
def test_the_card_says_how_its_randoms_were_drawn(pool: Pool, match: Matching) -> None:
    known = figures(options=BuildOptions(pool=pool, match=match).as_row(), zipf_source="table 1")
    text = render_card("{{origin_note}} {{match_note}}. The random compounds {{plausible_note}}. {{count_note}}", known)
    assert ("Composed of words of the lexicon." in text) is (pool == "composed")
    assert ("less plausible than corpus pairs" in text) is (pool == "composed")
    assert ("Each component is matched in frequency (table 1), and so is the mean" in text) is (match == "components")
    assert ("Their mean frequency (table 1) is matched" in text) is (match == "mean")
    assert "are empty because\nno corpus was counted" in text


def test_the_prose_names_the_licences_of_the_rows_where_no_digit_is_taken_for_a_figure() -> None:
    text = render_card("Data: {{licences}}.", figures(licences=("CC-BY-4.0", "ODbL 1.0"))).rpartition("---\n")[2]
    assert text.strip() == "Data: `CC-BY-4.0`, `ODbL 1.0`."
    assert figures_in(text) == []
