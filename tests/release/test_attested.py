"""Found sentences: from `attested.tsv` of a pack to the config of a release and the comparison of the evaluator."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.evaluator import Options, evaluate
from ncimp.schemas import SourceError
from ncimp.schemas.arrow import read_parquet
from tests.conftest import MINI

CORPORA = (
    "corpus\tversion\tlicence\tcitation\taddress\tsha256\ttokens\tpairs\n"
    "novels\t1\tCC-BY-SA-4.0\tA. Author.\tx\t_\t0\t0\n"
)
COLUMNS = "compound\tnumber\tsentence\tsense\tcorpus\tdocument\treader\tdate\n"
SAME = (
    "rat race\tsg\tHe had never cared for the [rat race] of the town.\tsame\tnovels\tn1\tlanguage model\t2026-11-23\n"
)
LITERAL = "rat race\tpl\tThe boys held [rat races] in the barn.\tliteral\tnovels\tn2\tlanguage model\t2026-11-23\n"


def packs(path: Path, attested: str) -> Path:
    """Copy the mini packs, with sentences of a corpus in the English one."""
    shutil.copytree(MINI, path / "packs")
    (path / "packs" / "en" / "corpora.tsv").write_text(CORPORA, "utf-8")
    (path / "packs" / "en" / "attested.tsv").write_text(COLUMNS + attested, "utf-8")
    return path / "packs"


def test_found_sentences_are_a_config_and_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = packs(tmp_path, SAME + LITERAL)
    pack = read_pack(folder / "en")
    rows = [f"{row.text}\tnovels\t0\t0\t0\t0\n" for row in pack.compounds]
    head = "compound\tcorpus\tcount\tpair_count\tfirst_pairs\tsecond_pairs\n"
    (folder / "en" / "counts.tsv").write_text(head + "".join(rows), "utf-8")
    assert main(["build", "--lang", "en", "--packs", str(folder), "--out", str(tmp_path / "ncimp")]) == 0
    found = [row for path in sorted((tmp_path / "ncimp" / "attested").glob("*")) for row in read_parquet(path)]
    assert len(found) == 2 * 14
    assert {(row["context"], row["sense"], row["document"]) for row in found} == {
        ("attested1", "same", "n1"),
        ("attested2", "literal", "n2"),
    }
    assert {(row["licence"], row["attribution"], row["context_source"]) for row in found} == {
        ("CC-BY-SA-4.0", "A. Author.", "corpus")
    }
    assert {row["number"] for row in found if row["context"] == "attested2"} == {"pl"}
    release = str(tmp_path / "ncimp")
    assert main(["describe", release]) == main(["show", "en/rat-race/attested2", "--release", release]) == 0
    described, _, shown = capsys.readouterr().out.partition("en/rat-race/attested2/orig")
    assert ", 2 found\n" in described
    assert "The boys held rat races in the barn." in shown
    assert main(["build", "--lang", "en", "--packs", str(MINI), "--out", str(tmp_path / "without")]) == 0
    capsys.readouterr()
    assert main(["diff", str(tmp_path / "without"), release]) == 1  # the version is that of before
    assert "en attested PRand           10        0        0" in capsys.readouterr().out
    vectors = np.random.default_rng(0)
    evaluation = evaluate(
        tmp_path / "ncimp", lambda texts, _: vectors.standard_normal((len(texts), 4)), options=Options(resamples=100)
    )
    (row,) = (row for row in evaluation.document.attested if row.measure == "Sim_PSyn")
    assert (row.n, row.missing) == (1, 0)  # one compound in its own sense; the literal use is left out
    assert row.difference == pytest.approx((row.authored or 0) - (row.attested or 0))


def test_a_sentence_needs_a_corpus_of_the_pack(tmp_path: Path) -> None:
    folder = packs(tmp_path, SAME.replace("novels", "letters"))
    with pytest.raises(SourceError, match=r"'letters' is not in corpora\.tsv"):
        read_pack(folder / "en")
