"""The papers' tables beside what files hold: figures by hand, the arithmetic of wrong cells, pages and JSON."""

from __future__ import annotations

import csv
import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from ncimp.builder.cli import main
from ncimp.builder.sources.published.ncimp import (
    FURTHER,
    ORIGINAL_TAG,
    ORIGINALS,
    SCORE_COLUMNS,
    SCORES,
    VARIANTS,
    read_ncimp,
)
from ncimp.builder.sources.published.nctti import HEADER, SENTENCES, NcttiRow, read_nctti
from ncimp.builder.sources.published.printed import (
    PaperCell,
    PaperTable,
    compare,
    contradictions,
    model_tables,
    paper,
)
from ncimp.builder.sources.published.reproduce import ncimp_tables, nctti_tables, paraphrase_cells
from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.records import LevelName
from ncimp.evaluator.release import read_release
from ncimp.evaluator.results import ITEMS, read_configurations, read_results, write_evaluation
from ncimp.evaluator.results import SENTENCES as BY_SENTENCE
from ncimp.evaluator.vectors import open_vectors
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import read_json
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec
from tests.evaluator.tiny_results import HOSTILE, renamed

Cells = Mapping[tuple[str, str], PaperCell]
Output = pytest.CaptureFixture[str]

NCTTI = {
    "en": [
        ("stone cake", "NC", "0.0", "0.0", "1.0", "2.0", "brick;brick;slab", "rock", "", ""),
        ("paper moon", "NC", "1.0", "0.0", "0.0", "0.6", "", "", "", ""),
        ("tin lid", "PC", "2.0", "2.0", "2.0", "2.0", "cover;top", "cap", "cap;hat", ""),
        ("oak door", "C", "", "5.0", "4.0", "3.0", "", "", "", ""),
        ("pine door", "C", "5.0", "4.0", "4.5", "5.0", "", "", "", ""),
    ],
    "pt": [("porta lua", "C", "3.25", "3.0", "3.5", "4.0", "portão", "", "", "")],
}
"""Compounds, scores and paraphrases of our own."""


def nctti_copy(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for lang, rows in NCTTI.items():
        with (folder / f"data_{lang}.tsv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([HEADER, *rows])
        with (folder / f"sentids_{lang}.csv").open("w", encoding="utf-8", newline="") as stream:
            given = [(row[0], f"a {row[0]} .", f"the {row[0]} .", "sent3: ('\"http://a.example\"', 7)") for row in rows]
            csv.writer(stream).writerows([SENTENCES, *given])
    return folder


def sentence(frame: str, phrase: str) -> tuple[str, str]:
    words = frame.replace("{}", " ".join("#" for _ in phrase.split())).split()
    return frame.replace("{}", phrase), str([word == "#" for word in words])


def table(path: Path, kind: str, frame: str, phrases: Iterable[tuple[str, str]], *, further: bool) -> None:
    """Write a file whose compounds have the *phrases* (original and synonym) and one random word for all else."""
    columns = {ORIGINALS[kind]: ORIGINAL_TAG, **{name: f"{name}_tag" for name in VARIANTS.values()}}
    columns |= {name: f"{name}_tag" for name in FURTHER.values()} if further else {}
    words = ["compound noun", *(["compound noun head", "compound noun modifier"] if kind == "neutral" else [])]
    rows = []
    for original, synonym in phrases:
        cells = [original] * (1 + len(words))
        for name in columns:
            phrase = {ORIGINALS[kind]: original, VARIANTS["syn"]: synonym}.get(name, "wool")
            cells += sentence(frame, phrase)
        rows.append(cells)
    path.parent.mkdir(parents=True, exist_ok=True)
    header = ["compound", *words, *(cell for pair in columns.items() for cell in pair)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


def spreadsheet(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write the smallest workbook that a reader takes, every cell as text."""
    main_part = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    cells = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>" for row in rows
    )
    relation = '<Relationships xmlns="{}/relationships"><Relationship Id="r" Type="{}/{}" Target="{}"/></Relationships>'
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
            f'<Override PartName="/xl/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>',
        )
        book.writestr("_rels/.rels", relation.format(package, office, "officeDocument", "xl/workbook.xml"))
        sheets = '<sheets><sheet name="Sheet1" sheetId="1" r:id="r"/></sheets>'
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main_part}" xmlns:r="{office}">{sheets}</workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", relation.format(package, office, "worksheet", "sheet1.xml"))
        book.writestr("xl/sheet1.xml", f'<worksheet xmlns="{main_part}"><sheetData>{cells}</sheetData></worksheet>')


def score_rows(lang: str, compound: str, classes: tuple[str, str], scores: Sequence[str]) -> Iterator[list[str]]:
    """Yield the rows of a compound, whose *scores* are those of its three sentences and the pooled one."""
    for number, score in enumerate(scores, start=1):
        name = "neutral.csv" if number == 4 else f"naturalistics_examplesent{number}.csv"
        kind, length = ("Neutral", "0") if number == 4 else ("Naturalistic", str(4 + number))
        yield [lang, kind, f"d/{name}", compound, *classes, "1", score, scores[3], "0", length, "x"]


def ncimp_copy(folder: Path, *, third: str = "2.5") -> Path:
    phrases = [("tin lid", "cover"), ("oak door", "wooden door"), ("dusk hat", "cap")]
    table(folder / "EN" / "neutral.csv", "neutral", "This is a {}", phrases, further=True)
    for number, frame in enumerate(("Uma {} .", "Vi ontem uma {} .", "Vi uma {} na rua .")):
        name = f"naturalistics_examplesent{number}.csv" if number else "neutral.csv"
        kind = "naturalistic" if number else "neutral"
        table(folder / "PT" / name, kind, frame, [("porta lua", "portal")], further=False)
    shutil.copy(folder / "PT" / "naturalistics_examplesent2.csv", folder / "PT" / "naturalistics_examplesent3.csv")
    rows = [
        *score_rows("en", "Tin lid", ("PC", "NC"), ("2.0", "2.0", "2.0", "2.1")),
        *score_rows("en", "oak door", ("C", "C"), ("4.0", "5.0", "3.0", "3.9")),
        *score_rows("pt", "porta lua", ("C", "PC"), ("3.0", "3.5", third, "2.9")),
    ]
    spreadsheet(folder / SCORES, [SCORE_COLUMNS, *rows])
    return folder


def by_place(tables: Iterable[PaperTable], name: str) -> Cells:
    (one,) = [one for one in tables if one.name == name]
    return {(cell.row, cell.column): cell for cell in one.cells}


@pytest.mark.parametrize(
    ("figure", "value", "wrong", "status", "why"),
    [
        ("0.92", 0.9249, False, "equal", ""),
        ("0.92", 0.9261, False, "differs", "because"),
        ("4.13", 4.136, False, "differs", "because"),
        ("-0.12", -0.1151, False, "equal", ""),
        ("1506", 1184, True, "wrong in print", "because"),
        ("1506", None, True, "not computable", "because"),
        (None, 180, False, "not printed", "because"),
    ],
)
def test_a_cell_is_held_against_the_printed_decimals(
    figure: str | None, value: float | None, wrong: bool, status: str, why: str
) -> None:
    cell = compare("row", "column", figure, value, "because", wrong=wrong)
    assert (cell.status, cell.why) == (status, why)
    assert compare("row", "column", "4.13", 4.136).why == "the printed figure is cut off, not rounded"
    assert compare("row", "column", "84", 1100 / 13, wrong=True).difference == pytest.approx(0.615, abs=0.001)


def test_nctti_figures_are_those_by_hand(tmp_path: Path) -> None:
    tables = nctti_tables(read_nctti(nctti_copy(tmp_path / "data").parent))
    counts = by_place(tables, "Section 3.1")
    assert [counts["English", name].value for name in ("compounds", "idiomatic", "sentences")] == [5, 2, 15]
    assert counts["English", "sentences"].why == "5 of them are places in a corpus"
    assert counts["Portuguese", "annotations per annotator (5,091 / 33)"].status == "equal"
    assert all(cell.status == "not computable" for cell in by_place(tables, "Table 1").values())
    rhos = by_place(tables, "Table 2")
    assert rhos["English", "all, 4 compounds"].value == pytest.approx(0.8)  # ranks 2 1 3 4 and 1 2 3 4
    assert rhos["Portuguese", "all, 1 compounds"].status == "not computable"
    scores = by_place(tables, "Table 3")
    assert scores["English, idiomatic", "whole, mean"].value == pytest.approx(0.6)
    assert scores["English, idiomatic", "whole, sd"].value == pytest.approx(0.32**0.5)
    assert scores["English, idiomatic", "type, mean"].value == 0.5
    assert scores["English, compositional", "type, mean"].value == 5
    assert scores["English, idiomatic", "head, mean"].status == "not computable"
    assert {cell.status for cell in by_place(tables, "Table 4").values()} == {"not computable"}
    spread = by_place(tables, "Section 4.4")
    assert spread["English", "share below 0.6, %"].value == 60
    assert spread["English", "compounds above 1"].value == 0  # two are 1 exactly


def test_paraphrases_that_are_listed_twice_are_wrong_in_print(tmp_path: Path) -> None:
    rows = [row for row in read_nctti(nctti_copy(tmp_path / "data")) if row.lang == "en"]
    figures = {**paper("nctti")["en"], "type_level": "5", "type_level_per_compound": "1.0"}
    cells = {cell.column: cell for cell in paraphrase_cells("English", rows, figures)}
    assert (cells["type-level"].value, cells["type-level"].status) == (4, "wrong in print")
    assert cells["type-level"].why == "of 5 entries, 1 repeat one of the same compound, in 1 rows"
    assert (cells["type-level by compound"].value, cells["type-level by compound"].status) == (0.8, "wrong in print")
    assert cells["token-level"].value == 4
    assert [cells[f"compounds with some in {n} of 3 sentences"].value for n in (1, 2, 3)] == [1, 1, 0]
    listed = {cell.column: cell for cell in paraphrase_cells("English", rows, paper("nctti")["en"])}
    assert listed["type-level"].status == "differs"  # another list: nothing is known of the print


def test_ncimp_figures_are_those_by_hand(tmp_path: Path) -> None:
    tables = ncimp_tables(read_ncimp(ncimp_copy(tmp_path / "copy")), read_nctti(nctti_copy(tmp_path / "data")))
    grid = by_place(tables, "Section 3.1")
    assert grid["English", "neut_short: 280 × 14"].value == 3 * 14
    assert grid["English", "nat1: 280 × 14"].why == "the copy has no such file"
    assert grid["Portuguese", "nat2: 180 × 14"].value == 10
    assert grid["Portuguese", "nat2: 180 × 14"].why == "1 compounds; no ws2, ws3, ws4, ws5"
    assert grid["Portuguese", "neut_long: 180 × 14"].why == "no such file was published"
    both = {column: cell for (row, column), cell in grid.items() if row == "both languages"}
    assert [both[name].value for name in ("sentences in the copy", "pairs in the copy")] == [82, 75]
    assert both["sentences: 460 × 70"].status == both["pairs: 460 × 65"].status == "equal"
    classes = by_place(tables, "Section 3.1, classes")
    assert [classes["English, expert class", name].value for name in ("idiomatic", "compositional")] == [2, 2]
    assert classes["English, ClassType", "partly compositional"].value == 1
    assert classes["English, ClassToken", "idiomatic"].value == 1
    scores = by_place(tables, "Section 3.1, scores")
    assert scores["English, expert class", "compositional"].value == 4  # pine door has none
    assert scores["English, expert class", "compositional"].why == "1 of 2 compounds have a score"
    assert scores["English, expert class, CompositionalityTokenSents", "partly compositional"].value == 2.1
    assert scores["Portuguese, ClassToken", "partly compositional"].value == pytest.approx((3 + 3.5 + 2.5) / 3)
    lengths = by_place(tables, "Section 4.1")
    assert lengths["English, neut_short", "words"].status == "equal"
    assert lengths["Portuguese, naturalistic", "words"].value == pytest.approx((6 + 7 + 7) / 3)
    assert lengths["Portuguese, naturalistic", "words, by the spreadsheet"].value == 6
    left = by_place(tables, "Appendix B")
    assert left["English", "EN/neutral.csv"].value == 2  # not oak door, wooden door
    assert left["English", "spreadsheet"].value == 2


def test_the_overlap_of_the_paper_is_cut_off_where_it_should_be_rounded(tmp_path: Path) -> None:
    lengths = by_place(ncimp_tables(read_ncimp(ncimp_copy(tmp_path))), "Section 4.1")
    statuses = {column: cell.status for (_, column), cell in lengths.items() if column.startswith("overlap")}
    assert statuses == {
        "overlap, %: (23.4 − 2) / 23.4": "equal",
        "overlap, %: (5 − 2) / 5": "equal",
        "overlap, %: (10 − 2) / 10": "equal",
        "overlap, %: (13.0 − 2) / 13.0": "wrong in print",
        "overlap, %: (9 − 2) / 9": "wrong in print",
    }


def test_without_nctti_there_are_no_expert_classes(tmp_path: Path) -> None:
    cells = by_place(ncimp_tables(read_ncimp(ncimp_copy(tmp_path))), "Section 3.1, classes")
    assert cells["English, expert class", "idiomatic"].status == "not computable"
    assert cells["English, expert class", "idiomatic"].why.endswith("give --nctti")


def test_a_score_that_is_no_number_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"'high' is no number") as caught:
        ncimp_tables(read_ncimp(ncimp_copy(tmp_path, third="high")))
    assert str(caught.value).startswith(f"{SCORES}:12:CompositionalityToken")


def test_table_12_pools_both_levels() -> None:
    cells = by_place(contradictions(), "Table 12")
    elmo = cells["ASyn|WordsSyn EN-Nat, ELMo", "mean"]
    assert (elmo.printed, elmo.value, elmo.status) == ("-0.023", -0.045, "wrong in print")
    assert elmo.why == "compounds −0.045, sentences −0.001: their mean is −0.023"
    statuses = [cell.status for cell in cells.values()]
    assert (len(statuses), statuses.count("not computable")) == (64, 8)
    assert statuses.count("wrong in print") == 56 - statuses.count("equal") == 52
    assert {row.split(",")[0] for (row, _), cell in cells.items() if cell.value is None} == {"ASyn|Rand PT-Nat"}


def test_table_11_repeats_a_row_and_table_12_says_what_should_stand_there() -> None:
    cells = by_place(contradictions(), "Table 11, PRand in PT-Nat")
    assert {cell.status for cell in cells.values()} == {"wrong in print"}
    implied = [0.354, 0.251, 0.553, 0.490, 0.734, 0.884, 0.893, 0.424]
    assert [cell.value for cell in cells.values()] == pytest.approx(implied)
    assert "0.629 − 2 × 0.051 + (0.938 − 0.912) = 0.553" in cells["PRand PT-Nat, ELMo", "mean"].why


def test_table_8_does_not_follow_from_its_own_similarities() -> None:
    cells = by_place(contradictions(), "Table 8")
    matter = cells["grey matter, Word2Vec", "SimR|Syn"]
    assert (matter.printed, matter.status) == ("0.11", "wrong in print")
    assert matter.value == pytest.approx((0.27 - 0.47) / 0.53)
    assert cells["economic aid, Word2Vec", "SimR|Syn"].value == 0
    fitting = {row.split(",")[0] for (row, _), cell in cells.items() if cell.status == "equal"}
    assert fitting == {"research lab"}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evaluation of twelve compounds in two languages, with scores of eleven."""
    folder = tmp_path_factory.mktemp("evaluated")
    tiny = Tiny(folder / "ncimp", compounds=12, langs=("en", "pt"), comp={n: n * 5 / 11 for n in range(11)})
    release = read_release(tiny.write())
    rng = np.random.default_rng(3)
    words = {word: (np.array(v) + 0.3 * rng.normal(size=2)).tolist() for word, v in known_signs(tiny).items()}
    path = write_vec(folder / "words.vec", words | {"x": [0.01, 0.02]})
    options = Options(resamples=100, standardise=("z-score",))
    source = open_vectors(path, release.items)
    write_evaluation(folder / "words", evaluate_source(release, source, model=file_model(path), options=options))
    return folder / "words"


def test_figures_of_an_evaluation_are_laid_out_as_in_the_paper(results: Path) -> None:
    found = read_configurations(results)
    tables = {one.name: one for one in model_tables({"ours": found.figure})}
    assert list(tables) == [f"Table {number}" for number in (2, 3, 5, 6, 10, 11, 13, 14, 15, 16)]
    rows = {(one.name, row.probe, row.configuration): row for one in tables.values() for row in one.rows}
    assert rows["Table 3", "PRand", "EN-Nat"].printed["BERT"] == "-0.58"
    assert rows["Table 2", "PSyn", "PT-Neut"].printed["OpenAI"] == "0.51"
    assert rows["Table 11", "PSyn", "EN-Nat"].printed["Word2Vec"] == "0.517/0.209"
    document = read_results(results).document
    plain = {(row.lang, row.context_kind, row.level, row.measure): row for row in document.results}
    places: tuple[tuple[str, str, str, LevelName], ...] = (
        ("Table 2", "PWordsSyn", "Sim_PWordsSyn_first", "sentence"),
        ("Table 3", "PComp", "Sim_PComp_max", "nc"),
        ("Table 5", "ASyn|WordsSyn", "A_Syn|WordsSyn_first", "nc"),
        ("Table 6", "SimR|Syn", "SimR_PSyn", "nc"),
    )
    for name, probe, measure, level in places:
        ours, result = rows[name, probe, "PT-Nat"].ours["ours"], plain["pt", "naturalistic", level, measure]
        assert ours.value == pytest.approx(result.rho)
        assert ours.compounds == result.n == 11
    values = [
        row["value"]
        for row in read_parquet(results / BY_SENTENCE, "evaluated_sentence")
        if (row["lang"], row["context"], row["level"], row["measure"]) == ("en", "neut_short", "nc", "SimR_PSyn")
    ]
    mean = rows["Table 13", "SimR|Syn", "EN-Neut"].ours["ours"]
    assert (mean.value, mean.sd) == pytest.approx((np.mean(values), np.std(values, ddof=1)))
    assert mean.compounds == 12


def test_rho_is_that_of_scipy_and_the_long_frame_is_left_out(results: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(results, tmp_path / "copy"))
    before = read_configurations(folder).figure("EN-Neut", "nc", "Sim_PSyn", "rho")
    rows = read_parquet(folder / BY_SENTENCE, "evaluated_sentence")
    for row in rows:
        row["value"] = 0.5 if row["context"] == "neut_long" else row["value"]
    write_parquet(folder / BY_SENTENCE, rows, "evaluated_sentence")
    assert read_configurations(folder).figure("EN-Neut", "nc", "Sim_PSyn", "rho") == before
    pairs = [
        (row["value"], row["comp"])
        for row in rows
        if (row["lang"], row["context"], row["level"], row["measure"]) == ("en", "neut_short", "nc", "Sim_PSyn")
    ]
    kept = [pair for pair in pairs if None not in pair]
    assert before.value == pytest.approx(spearmanr(*zip(*kept, strict=True)).statistic)


def test_compounds_that_share_a_word_with_their_synonym_are_left_out(results: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(results, tmp_path / "copy"))
    rows = read_parquet(folder / ITEMS, "evaluated_item")
    for row in rows:
        if (row["id"], row["level"]) == ("en/c4/nat2/syn", "nc"):
            row["overlap"] = 0.5
    write_parquet(folder / ITEMS, rows, "evaluated_item")
    found = read_configurations(folder)
    counts = {name: found.figure(name, "nc", "A_Syn|Rand", "rho without overlap").n for name in ("EN-Nat", "EN-Neut")}
    assert counts == {"EN-Nat": 10, "EN-Neut": 11}


def test_what_an_evaluation_lacks_is_said(results: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(results, tmp_path / "copy"))
    document = read_json(folder / "results.json")
    figure = read_configurations(folder).figure("EN-Nat", "sentence", "Sim_PSyn", "rho of z-scores")
    assert (figure.why, figure.n) == ("", 11)
    (folder / "results.json").write_text(json.dumps(document | {"standardised": []}), encoding="utf-8")
    found = read_configurations(folder)
    assert "--standardise z-score" in found.figure("EN-Nat", "sentence", "Sim_PSyn", "rho of z-scores").why
    assert found.figure("FR-Nat", "nc", "Sim_PSyn", "rho").why == "no value in FR-Nat at nc level"


def test_the_command_prints_and_writes_all(results: Path, tmp_path: Path, capsys: Output) -> None:
    copy, judged = ncimp_copy(tmp_path / "copy"), nctti_copy(tmp_path / "data")
    hostile = renamed(results, tmp_path / "hostile", HOSTILE)
    files = {name: tmp_path / f"out.{name}" for name in ("html", "json")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    argv = ["reproduce", "ncimp", str(copy), "--nctti", str(judged), "--results", str(results), str(hostile), *options]
    assert main(argv) == 0
    shown = capsys.readouterr().out
    assert "NCIMP, Table 16: " in shown
    assert "1 of 12 compounds have no human score" in shown
    assert " wrong in print, " in shown.splitlines()[-1]
    page = files["html"].read_text(encoding="utf-8")
    assert "<img src=x" not in page
    assert "<script>alert" not in page
    assert "wrong in print" in page
    document = read_json(files["json"])
    tables = {one["name"]: one for one in document["tables"]}
    assert set(tables["Table 2"]["rows"][0]["ours"]) == {"words.vec", HOSTILE}
    cells = [cell for one in document["tables"] for cell in one.get("cells", ())]
    assert sum(document["cells"].values()) == len(cells)
    assert main(["reproduce", "nctti", str(judged), *options]) == 0
    assert read_json(files["json"])["paper"] == "NCTTI"


@pytest.mark.parametrize("name", ["nctti", "ncimp"])
def test_a_wrong_folder_is_one_line(name: str, tmp_path: Path, capsys: Output) -> None:
    assert main(["reproduce", name, str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert "copy of the published repository" in shown.err


@pytest.mark.parametrize("option", ["--html", "--json"])
def test_a_folder_in_the_place_of_a_file_is_one_line(option: str, tmp_path: Path, capsys: Output) -> None:
    assert main(["reproduce", "nctti", str(nctti_copy(tmp_path / "data")), option, str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"ncimp reproduce nctti: {tmp_path}: it is a folder; name a file\n")


@pytest.fixture
def judged(shared: Path) -> list[NcttiRow]:
    return read_nctti(shared / "sources" / "nctti")


@pytest.mark.shared
def test_nctti_reproduces_as_far_as_its_files_go(judged: list[NcttiRow]) -> None:
    tables = nctti_tables(judged)
    rhos = [cell.value for cell in by_place(tables, "Table 2").values()]
    # .659 of the third class is .657: equal means are ties
    assert rhos == pytest.approx([0.920, 0.712, 0.775, 0.657, 0.894, 0.823, 0.779, 0.909], abs=0.0006)
    statuses = [cell.status for cell in by_place(tables, "Table 2").values()]
    assert statuses == ["equal"] * 4 + ["differs"] + ["equal"] * 3
    scores = by_place(tables, "Table 3")
    for lang, means in (("English", (0.949, 2.339, 4.136)), ("Portuguese", (1.519, 2.457, 3.616))):
        rows = [f"{lang}, {name}" for name in ("idiomatic", "partly compositional", "compositional")]
        assert [scores[row, "whole, mean"].value for row in rows] == pytest.approx(means, abs=0.0005)
    names = ("idiomatic", "partly compositional", "compositional")
    deviations = [scores[f"English, {name}", "whole, sd"] for name in names]
    assert [cell.value for cell in deviations] == pytest.approx([0.580, 1.011, 0.673], abs=0.0005)
    assert {cell.status for cell in deviations} == {"equal"}
    counts = by_place(tables, "Section 3.1")
    assert [counts["English", name].value for name in names] == [103, 89, 88]
    assert counts["English", "partly compositional"].difference == 1
    assert {cell.status for cell in by_place(tables, "Table 4").values()} == {"equal"}


@pytest.mark.shared
def test_nctti_lists_322_paraphrases_twice_and_spreads_more(judged: list[NcttiRow]) -> None:
    tables = nctti_tables(judged)
    cells = by_place(tables, "Section 3.3")
    synonyms = cells["English", "type-level"]
    assert (synonyms.printed, synonyms.value, synonyms.status) == ("1506", 1184, "wrong in print")
    assert synonyms.why == "of 1,506 entries, 322 repeat one of the same compound, in 213 rows"
    assert cells["English", "type-level by compound"].value == pytest.approx(4.2, abs=0.05)
    assert (cells["Portuguese", "type-level"].value, cells["Portuguese", "type-level"].status) == (743, "equal")
    assert [cells[lang, "token-level"].value for lang in ("English", "Portuguese")] == [353, 192]
    computable = [cell.status for cell in cells.values() if cell.value is not None]
    assert computable.count("equal") == len(computable) - 2
    spread = by_place(tables, "Section 4.4")
    assert [spread[lang, "compounds above 1"].value for lang in ("English", "Portuguese")] == [8, 2]
    assert spread["English", "share below 0.6, %"].value == 85
    assert spread["Portuguese", "share below 0.6, %"].status == "equal"
    assert spread["English, firing line", "mean of the others"].value == 1


@pytest.mark.shared
def test_the_files_of_ncimp_hold_less_than_the_paper_says(shared: Path, judged: list[NcttiRow]) -> None:
    copy = read_ncimp(shared / "sources" / "ncimp-dev")
    tables = ncimp_tables(copy, judged)
    sizes = {one.document: len(one.rows) for one in copy.tables}
    grid = by_place(tables, "Section 3.1")
    assert grid["English", "neut_short: 280 × 14"].value == 14 * sizes["EN/neutral.csv"]
    assert grid["Portuguese", "sentences in the copy"].value == 4 * 10 * sizes["PT/neutral.csv"]
    classes = by_place(tables, "Section 3.1, classes")
    layers = {
        "English, ClassType": [91, 89, 99],
        "English, ClassToken": [104, 84, 91],
        "Portuguese, ClassType": [50, 75, 55],
        "Portuguese, ClassToken": [48, 82, 50],
        "English, expert class": [103, 89, 88],
    }
    for layer, numbers in layers.items():
        assert [cell.value for (row, _), cell in classes.items() if row == layer] == numbers
    lengths = by_place(tables, "Section 4.1")
    assert lengths["English, neut_short", "words"].value == 5
    assert lengths["Portuguese, naturalistic", "words"].value == pytest.approx(13.03, abs=0.2)
    left = by_place(tables, "Appendix B")
    assert [left[lang, "spreadsheet"].value for lang in ("English", "Portuguese")] == [179, 106]
    scores = by_place(tables, "Section 3.1, scores")
    assert scores["Portuguese, expert class", "idiomatic"].status == "equal"
    assert scores["Portuguese, expert class, CompositionalityTokenSents", "idiomatic"].value == pytest.approx(
        1.44, abs=0.01
    )
