"""`scripts/make_morphology.py` and `scripts/train_parser.py`: what they make of small files can be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ncimp.builder.build.resources import SpacyParser
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.schemas.errors import SourceError

SCRIPTS = Path(__file__).parents[2] / "scripts"
DICTIONARY = """\
caixa\tcaixa+N+M+SG
caixa\tcaixa+N+F+SG
caixinha\tcaixa+N+DIM+F+SG
aberta\tabrir+V+PTPST+F+SG
abriu\tabrir+V+PRF+3+SG
"""
TREEBANK = """\
1\tA\to\tDET\t_\tGender=Fem|Number=Sing\t2\tdet\t_\t_
2\tcaixa\tcaixa\tNOUN\t_\tGender=Fem|Number=Sing\t4\tnsubj:pass\t_\t_
3\tfoi\tser\tAUX\t_\tMood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin\t4\taux:pass\t_\t_
4\taberta\tabrir\tVERB\t_\tGender=Fem|Number=Sing|VerbForm=Part\t0\troot\t_\t_
5-6\tna\t_\t_\t_\t_\t_\t_\t_\t_
5\tem\tem\tADP\t_\t_\t7\tcase\t_\t_
6\ta\to\tDET\t_\tGender=Fem|Number=Sing\t7\tdet\t_\t_
7\tLisboa\tLisboa\tPROPN\t_\tNumber=Sing\t4\tobl\t_\t_

"""


def script(name: str, *arguments: object) -> str:
    command = [sys.executable, "-P", str(SCRIPTS / name), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def samples(tmp_path: Path) -> tuple[Path, Path]:
    dictionary, treebank = tmp_path / "some.dict", tmp_path / "some.conllu"
    dictionary.write_text(DICTIONARY, encoding="utf-8")
    treebank.write_text(TREEBANK * 40, encoding="utf-8")
    return dictionary, treebank


def test_what_is_made_knows_forms_and_the_gender_in_use(samples: tuple[Path, Path], tmp_path: Path) -> None:
    for folder in ("one", "two"):
        script("make_morphology.py", "--dictionary", samples[0], "--counts", samples[1], "--out", tmp_path / folder)
    made = sorted((tmp_path / "one").iterdir())
    assert [path.name for path in made] == ["morphobr.dict.xz", "treebanks.tsv.xz"]
    assert [path.read_bytes() for path in made] == [(tmp_path / "two" / path.name).read_bytes() for path in made]
    stores = [open_lexicon(path, data=tmp_path) for path in made]
    assert [store.counted for store in stores] == [False, True]
    assert {entry.form for entry in stores[0].entries()} == {"caixa", "aberta"}
    assert {entry.form: entry.times for entry in stores[1].entries()} == {
        "a": 40, "caixa": 40, "foi": 40, "aberta": 40, "em": 0, "na": 40,
    }  # fmt: skip
    language = read_language(packs_folder() / "pt" / "pack.toml")
    morphology = LayeredMorphology(PackMorphology((), language), stores)
    assert morphology.gender("caixa") == "f"


def test_a_table_of_counts_with_a_bad_row_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "counts.tsv"
    table.write_text("form\tlemma\tpos\tgender\tnumber\tfeats\tcount\nia\tir\tverb\t_\tdual\t_\t3\n", encoding="utf-8")
    with pytest.raises(SourceError, match="verb _ dual is not a part of speech, a gender and a number") as error:
        open_lexicon(table, data=tmp_path)
    assert error.value.place is not None
    assert error.value.place.line == 2


def test_a_parser_is_trained_and_compared(samples: tuple[Path, Path], tmp_path: Path) -> None:
    pytest.importorskip("spacy", reason='needs pip install "ncimp[spacy]"')
    options = ("--lang", "pt", "--epochs", 12, "--held-out", samples[1], "--out", tmp_path / "parser")
    told = script("train_parser.py", *options, samples[1])
    assert "some.conllu: heads 100.0%, heads and relations 100.0%" in told
    arcs = SpacyParser(str(tmp_path / "parser")).arcs(("A", "caixa", "foi", "aberta"), (True, True, True, False))
    assert [arc.head for arc in arcs] == [1, 3, 3, 3]
    assert [arc.relation for arc in arcs] == ["det", "nsubj", "aux", "root"]
