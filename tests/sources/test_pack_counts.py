"""Counts of a pack: from corpora on a command line to the columns of the release."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.frequencies import counted_figures
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.schemas import file_hash
from tests.conftest import MINI

CORPORA = "corpus\tversion\tlicence\tcitation\taddress\tsha256\ttokens\tpairs\n"
TEXT = "The rat race. A rat-race, rats race!\nRat races and the rat race, a rat race of rat races.\n"


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """A copy of the mini packs; the English one names one corpus."""
    packs = tmp_path / "packs"
    shutil.copytree(MINI, packs)
    (packs / "en" / "corpora.tsv").write_text(CORPORA + "novels\t1\tCC0-1.0\tNovels.\tnowhere\t_\t0\t0\n", "utf-8")
    (tmp_path / "novels.txt").write_text(TEXT, "utf-8")
    return packs


def test_every_form_counts_and_rare_pairs_have_no_pmi(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["pack", "counts", "en", f"novels={packs.parent / 'novels.txt'}", "--packs", str(packs)]) == 0
    pack = read_pack(packs / "en")
    (corpus,) = pack.corpora
    assert (corpus.tokens, corpus.pairs, corpus.sha256) == (19, 14, file_hash(packs.parent / "novels.txt"))
    figures = counted_figures(pack)
    race = next(row for row in pack.counts if row.compound == "rat race")
    assert (race.count, race.pair_count, race.first_pairs, race.second_pairs) == (6, 5, 6, 6)  # *rats race* is none
    assert figures["rat race"] == {
        "compound_count": 6,
        "pmi": math.log2(5 * 14 / (6 * 6)),
        "ppmi": math.log2(5 * 14 / (6 * 6)),
        "count_source": "novels",
    }
    assert {row["pmi"] for text, row in figures.items() if text != "rat race"} == {None}
    monkeypatch.setattr("ncimp.builder.sources.frequencies.MIN_PAIRS", 6)
    assert counted_figures(pack)["rat race"]["pmi"] is None


def test_every_corpus_of_the_pack_has_to_be_named(packs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "counts", "en", "letters=letters.txt", "--packs", str(packs)]) == 2
    assert "are novels, not letters" in capsys.readouterr().err
