"""The published figures of NCTTI (Garcia et al., ACL 2021), Table 2, by our functions from its released means."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from ncimp.builder.annotation.reliability import spearman
from ncimp.builder.annotation.scores import mean_score

TABLE_2 = {
    "en": {"all": 0.92, "NC": 0.71, "PC": 0.78, "C": 0.66},
    "pt": {"all": 0.89, "NC": 0.82, "PC": 0.78, "C": 0.91},
}
"""Spearman's rho between type-level scores and the means of three sentences: all, idiomatic, partly, compositional."""

SIZES = {"en": {"all": 279, "NC": 103, "PC": 88, "C": 88}, "pt": {"all": 180, "NC": 60, "PC": 60, "C": 60}}
"""Compounds with all four scores: of the 280 English ones one lacks a sentence's mean."""


@pytest.mark.shared
@pytest.mark.parametrize("lang", TABLE_2)
def test_token_and_type_scores_correlate_as_published(shared: Path, lang: str) -> None:
    rows: list[tuple[str, float, float]] = []
    with (shared / "sources" / "nctti" / f"data_{lang}.tsv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            try:
                means = {f"s{n}": [("mean", float(row[f"MeanS{n}"]))] for n in (1, 2, 3)}
                type_score = float(row["CompType"])
            except ValueError:
                continue
            token = mean_score(means)
            assert token is not None
            rows.append((row["CompScale"], type_score, token))
    found: dict[str, float] = {}
    for name, size in SIZES[lang].items():
        own = np.array([pair[1:] for pair in rows if name in ("all", pair[0])], dtype=np.float64)
        assert len(own) == size
        rho = spearman(own[:, 0], own[:, 1])
        assert rho is not None
        found[name] = rho
    for name, published in TABLE_2[lang].items():
        assert abs(found[name] - published) <= 0.005 + 1e-4, (name, found[name])
