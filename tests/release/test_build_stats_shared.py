"""`ncimp build --stats` on counts of the Portuguese corpora at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.schemas.arrow import read_parquet


@pytest.mark.slow
@pytest.mark.shared
def test_counts_of_the_corpora_at_hand_fill_the_compounds(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpora = shared / "sources" / "corpora"
    files = {
        "nltk": [corpora / "mac_morpho.zip", corpora / "floresta.zip"],
        "conllu": sorted(corpora.glob("pt_*.conllu")),
    }
    for name, paths in files.items():
        options = [
            "--lang",
            "pt",
            "--format",
            name,
            "--layers",
            "surface",
            "--name",
            name,
            "--out",
            str(tmp_path / name),
        ]
        assert main(["corpus", "count", *map(str, paths), *options]) == 0
    stores = [str(tmp_path / name) for name in files]
    assert main(["corpus", "merge", *stores, "--out", str(tmp_path / "pt")]) == 0
    out = tmp_path / "ncimp"
    assert main(["build", "--lang", "pt", "--stats", str(tmp_path / "pt"), "--out", str(out)]) == 0
    rows = [row for path in sorted((out / "compounds").glob("*.parquet")) for row in read_parquet(path, "compound")]
    assert len(rows) == 180
    seen = [row for row in rows if row["compound_count"]]
    ppmi = [row for row in rows if row["ppmi"] is not None]
    unseen = [row for row in rows if row["compound_count"] == 0]
    bare = [row for row in rows if row["compound_count"] is None]
    assert len(seen) >= len(ppmi) > 20
    assert all(row["ppmi"] is None for row in (*unseen, *bare))
    line = next(line for line in capsys.readouterr().err.splitlines() if line.startswith("pt: "))
    assert line == (
        f"pt: {len(seen)} of 180 compounds occur in the counts, {len(unseen)} do not, and {len(bare)} of other than "
        f"one or two words have no count; {len(ppmi)} have a PPMI, {180 - len(ppmi)} cells are empty"
    )
