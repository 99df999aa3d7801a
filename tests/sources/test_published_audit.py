"""Audits of published files: every kind of fault is found where it was planted, and nothing else; the figures."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.commands.published import audit
from ncimp.builder.records import RANDOMS
from ncimp.builder.sources.published.audit import SEVERITIES, Audit, kinds
from ncimp.builder.sources.published.audit_nctti import compare
from ncimp.builder.sources.published.ncimp import NEUTRAL, SCORES, TAG
from ncimp.schemas import SourceError
from tests.conftest import SHARED
from tests.sources import published_world as world
from tests.sources.published_world import COLUMNS, FURTHER_SYNONYM, sentence

CLASSES = ("NC", "PC", "C")
PARTS = ("head", "modifier")
SPLITS = ("train", "dev", "test")
UNAVOIDABLE = {"printed-differs", "context-missing", "layer-missing", "text-missing"}
"""Kinds that a small copy has: the figures in print are those of the whole release, and some files exist nowhere."""


def new_faults(faulty: Audit, clean: Audit) -> list[tuple[str, str]]:
    """Return kind and place of the faults that only *faulty* has, without figures."""
    counts = Counter((fault.kind, fault.place) for fault in faulty.faults)
    counts -= Counter((fault.kind, fault.place) for fault in clean.faults)
    return sorted((kind, place) for kind, place in counts.elements() if kind != "printed-differs")


@pytest.fixture(scope="module")
def clean_ncimp(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """The audit of the made-up NCIMP files as they are."""
    return audit(world.write_ncimp(tmp_path_factory.mktemp("clean"), world.ncimp_tables(), world.ncimp_scores()))


@pytest.fixture(scope="module")
def clean_nctti(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """The audit of the made-up NCTTI files as they are."""
    return audit(world.write_nctti(tmp_path_factory.mktemp("clean"), world.nctti_rows()))


def test_a_right_copy_has_only_what_no_copy_has(clean_ncimp: Audit, clean_nctti: Audit) -> None:
    assert {fault.kind for fault in clean_ncimp.faults} == UNAVOIDABLE - {"text-missing"}
    assert {fault.kind for fault in clean_nctti.faults} == {"printed-differs", "layer-missing"}
    assert [fault.message for fault in clean_ncimp.faults if fault.kind == "context-missing"] == [
        "no file has sentences of neut_long"
    ] * 2
    assert compare((clean_ncimp, clean_nctti)).faults == ()


def plant_in_tables(tables: world.Tables) -> list[tuple[str, str]]:
    """Plant faults in the sentences; return kind and place of each."""
    expected: list[tuple[str, str]] = []

    def put(file: str, row: int, variant: str, phrase: str, *found: str, frame: str = "") -> None:
        lang, column = file[:2].lower(), COLUMNS.get(variant, variant)
        words, tags = (tables[file][row - 2][name] for name in (column, f"{column}{TAG}"))
        marked = [place for place, tag in enumerate(tags.split(",")) if "True" in tag]
        frame = frame or " ".join([*words.split()[: marked[0]], "{}", *words.split()[marked[-1] + 1 :]])
        tables[file][row - 2] |= sentence(column, frame.format(phrase), phrase, lang, frame)
        expected.extend((kind, f"{file}:{row}:{column}") for kind in found)

    first, second, third = (f"EN/naturalistics_examplesent{number}.csv" for number in (1, 2, 3))
    put("EN/neutral.csv", 2, "syn", "old schedule", "article-sound")
    put("EN/neutral.csv", 3, FURTHER_SYNONYM, "orange ornament", "article-sound-further")
    put("EN/neutral.csv", 4, "syn", "lattices", "article-number")
    put("EN/neutral.csv", 3, "syn", "beautiful", "head-other")
    put("EN/neutral.csv", 2, "ws5", "long period chart", "words-number")
    put("EN/neutral.csv", 3, "rand2", "barn similar", "random-head")
    put("PT/neutral.csv", 2, "syn", "lazer", "frame-broken", frame="Isto é {} .")
    put("PT/neutral.csv", 3, "rand3", "tijolos roxos", "random-number", frame="Estes são {} .")
    expected += [("random-sets", "EN/neutral.csv:3"), ("random-sets", "PT/neutral.csv:3")]
    tables["EN/neutral.csv"][0][f"{COLUMNS['head']}{TAG}"] = "[False, False, False, True, False]"
    expected.append(("tags-words", f"EN/neutral.csv:2:{COLUMNS['head']}"))
    tables["PT/neutral.csv"][2]["compound"] = "cravo-murcho"
    expected.append(("compound-joined", "PT/neutral.csv:4:compound"))
    put(first, 2, "ws3", "day chart")
    put(first, 3, "syn", "gnome", "variant-component")
    expected += [("variant-twin", f"{first}:2"), ("variant-twin", f"{first}:3")]
    put(second, 2, "ws1", "time list", "variant-unchanged")
    for number, pair in enumerate(("plot sprite", "lawn goblin", "lawn dwarf", "yard goblin", "yard dwarf"), start=1):
        put(second, 3, f"ws{number}", pair)
    expected.append(("variant-product", f"{second}:3"))
    put(second, 4, "syn", "lattic? frame", "text-damaged")
    for row in tables[third]:
        row["original sentence"] = row["original sentence"].lower()
    expected.append(("text-lower", f"{third}:original sentence"))
    tables[third][2] |= {COLUMNS["ws2"]: "", f"{COLUMNS['ws2']}{TAG}": "[]"}
    expected.append(("cell-empty", f"{third}:4:{COLUMNS['ws2']}"))
    quoted = 'Ninguém "" viu "" um {} em 2 anos .'
    file = "PT/naturalistics_examplesent1.csv"
    tables[file][0] |= sentence("original sentence", quoted.format("tempo livre"), "tempo livre", frame=quoted)
    expected.append(("text-quotes", f"{file}:2:original sentence"))
    put("PT/naturalistics_examplesent2.csv", 3, "syn", "murinhozzz", "text-unlisted")
    file = "PT/naturalistics_examplesent3.csv"
    tables[file] = [
        {name: text for name, text in row.items() if not name.startswith(COLUMNS["ws4"])} for row in tables[file][::2]
    ]
    return [*expected, ("variant-missing", file), ("compound-missing", file)]


def plant_in_scores(scores: list[world.Row]) -> list[tuple[str, str]]:
    """Plant faults in the scores; return kind and place of each."""
    scores[0] |= {"ClassType": "PC", "CompositionalityType": "1.6"}
    scores[1] |= {"ClassType": "NC", "ClassToken": "NC"}
    scores[2]["CompositionalityTokenSents"] = "4.6"
    scores[4]["MWE Synonym Overlap"] = "1"  # as planted in the sentences
    scores[12]["MWE Synonym Overlap"] = "1"
    scores[13]["Type"] = ""
    places = [
        ("class-layers", "2:ClassType"), ("class-limits", "3:ClassType"), ("class-limits", "3:ClassToken"),
        ("score-range", "4:CompositionalityTokenSents"), ("score-overlap", "14:MWE Synonym Overlap"),
        ("cell-empty", "15:Type"),
    ]  # fmt: skip
    return [(kind, f"{SCORES}:{place}") for kind, place in places]


def test_faults_of_ncimp(clean_ncimp: Audit, tmp_path: Path) -> None:
    tables, scores = world.ncimp_tables(), world.ncimp_scores()
    expected = [*plant_in_tables(tables), *plant_in_scores(scores), ("licence-missing", ".")]
    folder = world.write_ncimp(tmp_path, tables, scores)
    (folder / "LICENSE").unlink()
    assert new_faults(audit(folder), clean_ncimp) == sorted(expected)


def test_random_compounds_of_other_frequency(clean_ncimp: Audit, tmp_path: Path) -> None:
    tables = world.ncimp_tables()
    for file in (file for file in tables if file.startswith("PT")):
        rows = tables[file]
        for name in (f"{COLUMNS[variant]}{end}" for variant in RANDOMS for end in ("", TAG)):
            rows[0][name], rows[2][name] = rows[2][name], rows[0][name]
    faulty = audit(world.write_ncimp(tmp_path, tables, world.ncimp_scores()))
    assert new_faults(faulty, clean_ncimp) == [("random-match", "PT/neutral.csv")] * 3


def test_faults_of_nctti(clean_nctti: Audit, tmp_path: Path) -> None:
    tables = world.nctti_rows()
    tables["data_en.tsv"][0] |= {"CompType": "", "Synonyms": "thing;something;thing"}
    tables["data_en.tsv"][1] |= {"MeanS1": "0.5", "MeanS3": "4.5"}
    for row in tables["sentids_en.csv"]:
        row |= {name: text.lower() for name, text in row.items() if name != "compound"}
    tables["sentids_en.csv"][0] |= {
        "sentence2": """sent2: ('"http://a.example/1"', 7)""",
        "sentence3": """sent3: ('"http://a.example/1"', 9)""",
    }
    tables["sentids_pt.csv"][0] |= {"sentence1": ", e viu um tempo livre ."}
    tables["sentids_pt.csv"][1] |= {"sentence1": "Muros baixos ."}
    del tables["sentids_pt.csv"][2]
    folder = world.write_nctti(tmp_path, tables)
    (folder / "LICENSE").unlink()
    assert new_faults(audit(folder), clean_nctti) == sorted(
        [
            ("cell-empty", "data_en.tsv:2:CompType"),
            ("paraphrase-twin", "data_en.tsv:2:Synonyms"),
            ("score-spread", "data_en.tsv:3"),
            ("text-lower", "sentids_en.csv"),
            ("text-missing", "sentids_en.csv:2:sentence2"),
            ("text-missing", "sentids_en.csv:2:sentence3"),
            ("sentence-neighbour", "sentids_en.csv:2"),
            ("sentence-ragged", "sentids_pt.csv:2:sentence1"),
            ("sentence-form", "sentids_pt.csv:3:sentence1"),
            ("compound-missing", "sentids_pt.csv"),
            ("licence-missing", "."),
        ]
    )


def test_what_two_releases_say_of_the_same_compounds(clean_ncimp: Audit, tmp_path: Path) -> None:
    tables = world.nctti_rows()
    tables["data_en.tsv"][0]["CompScale"] = "C"
    tables["data_pt.tsv"][1]["MeanS2"] = "2.9"
    tables["sentids_pt.csv"][1]["sentence3"] = (
        """sent3: (['# MWETOOLKIT: meta.doc.id="net-1"', '# MWETOOLKIT: meta.doc.title="x"'], 12)"""
    )
    del tables["data_pt.tsv"][2]
    nctti = audit(world.write_nctti(tmp_path, tables))
    expected = [
        ("class-expert", f"{SCORES}:2:ClassToken"),
        ("compound-missing", "NCTTI"),
        ("score-differs", f"{SCORES}:21:CompositionalityToken"),
        ("sentence-republished", "PT/naturalistics_examplesent3.csv:3:original sentence"),
    ]
    for audits in ((clean_ncimp, nctti), (nctti, clean_ncimp)):
        assert new_faults(compare(audits), compare((clean_ncimp, clean_ncimp))) == expected


def test_faults_of_ncs(clean_ncimp: Audit, tmp_path: Path) -> None:
    tables = world.ncimp_tables()
    clean = audit(world.write_ncs(tmp_path / "clean", tables))
    assert {fault.kind for fault in clean.faults} == {"printed-differs"}
    rows = tables["EN/neutral.csv"]
    rows[1]["synonym for compound"] = "This is a old ornament"
    rows[2]["synonym both"] = "This is a walnut grille"
    scores = [{"lang": "en", "compound": "time table", "compositionality": "0,8"}]
    folder = world.write_ncs(tmp_path / "faulty", tables, scores)
    world.write_csv(
        folder / "dataset/pt/neutral/P2_sents.csv",
        [
            {"compound": row["compound"], "neutral sentence": row["neutral sentence"], **one}
            for row in tables["PT/neutral.csv"][1:]
            for one in [{"head only": row["original head only"], "modifier only": row["original modifier only"]}]
        ],
    )
    faulty = audit(folder)
    assert new_faults(faulty, clean) == [
        ("article-sound", "en/neutral/P1_sents.csv:3:mwe synonym"),
        ("compound-missing", "pt/neutral/P2_sents.csv"),
        ("score-comma", "input/sentids_en.csv:2:compositionality"),
        ("variant-unchanged", "en/neutral/P3_sents.csv:4:both synonyms"),
    ]
    assert new_faults(compare((faulty, clean_ncimp)), clean) == [
        ("text-differs", f"EN/{NEUTRAL}:3:synonym for compound"),
        ("text-differs", f"EN/{NEUTRAL}:4:synonym both"),
    ]


def test_faults_of_astitch(clean_nctti: Audit, tmp_path: Path) -> None:
    tables = world.astitch()
    clean = audit(world.write_astitch(tmp_path / "clean", tables))
    assert {fault.kind for fault in clean.faults} == {"printed-differs"}
    task_a, task_b = (
        "Task1/SubTaskA/{}/ContextExcluded_IdiomIncluded/{}.csv",
        "Task1/SubTaskB/PT/ContextIncluded/dev.csv",
    )
    evaluation = "Task2/CreateEvaluationData/EN/NoResults/evalData/{}.csv"
    tables[task_b].append(tables[task_b][0])
    tables[task_a.format("PT", "train_zero_shot")][1]["sentence1"] = "Muros baixos."
    tables[task_a.format("EN", "dev")] = tables[task_a.format("EN", "dev")][1:]
    tables[task_a.format("EN", "train_one_shot")] = tables[task_a.format("EN", "train_one_shot")][::2]
    tables[evaluation.format("dev_dataForSimilarity")][0]["sentence2"] = "None"
    tables[evaluation.format("test_rawSimData")][1] |= {
        "sent_idiom": "It is a time table.",
        "sent_other": "It is a hour.",
    }
    leaked = tables[task_a.format("PT", "train_zero_shot")][0]
    tables[task_a.format("PT", "test")].append(dict(leaked, label="1"))
    del tables[task_a.format("EN", "test").replace("Excluded", "Included")]
    faulty = audit(world.write_astitch(tmp_path / "faulty", tables, "0/1 (1 includes Proper noun and Meta usage)\n"))
    one_shot = task_a.format("EN", "train_one_shot")
    assert new_faults(faulty, clean) == sorted(
        [
            ("row-twin", f"{task_b}:6"),
            ("sentence-form", f"{task_a.format('PT', 'train_zero_shot')}:3:sentence1"),
            ("label-single", task_a.format("EN", "dev")),
            ("literal-missing", one_shot),
            ("literal-missing", one_shot),
            ("reference-none", f"{evaluation.format('dev_dataForSimilarity')}:sentence2"),
            ("article-sound", f"{evaluation.format('test_rawSimData')}:3:sent_other"),
            ("file-missing", task_a.format("EN", "test").replace("Excluded", "Included")),
            ("split-sentence", f"{task_a.format('PT', 'test')}:6:sentence1"),
            ("split-compound", f"{task_a.format('PT', 'test')}:6:sentence2"),
            ("label-single", task_a.format("PT", "test")),
            ("label-readme", "TaskIndependentData/README.md"),
            ("label-readme", "TaskIndependentData/README.md"),
        ]
    )
    assert new_faults(compare((clean_nctti, faulty)), clean) == [("split-overlap", "AStitch")] * 2


def test_faults_of_lexcomp(tmp_path: Path) -> None:
    files = world.lexcomp()
    clean = audit(world.write_lexcomp(tmp_path / "clean", files))
    assert {fault.kind for fault in clean.faults} == {"printed-differs", "text-missing"}
    literality, relations, types = (f"{name}/{{}}.jsonl" for name in ("nc_literality", "nc_relations", "mwe_type"))
    files[literality.format("train")].append(files[literality.format("train")][0])
    files[literality.format("val")][0]["sentence"] = files[literality.format("train")][1]["sentence"]
    files[literality.format("test")][1]["nc"] = "train0_testword1"
    files[relations.format("val")][0]["span"] = "val0 valwords0"
    files[relations.format("test")].append({**files[relations.format("test")][0], "label": "false"})
    files[types.format("test")][0]["sentence_tags"] = ["B-N", "I"]
    faulty = audit(world.write_lexcomp(tmp_path / "faulty", files))
    assert new_faults(faulty, clean) == sorted(
        [
            ("row-twin", f"{literality.format('train')}:3"),
            ("split-sentence", f"{literality.format('val')}:1:sentence"),
            ("split-word", f"{literality.format('test')}:nc"),
            ("span-form", f"{relations.format('val')}:1:span"),
            ("label-both", f"{relations.format('test')}:3:label"),
            ("tags-inside", f"{types.format('test')}:sentence_tags"),
        ]
    )


def test_every_kind_is_planted_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [code for code in kinds() if f'"{code}"' not in text] == []
    assert {kind.severity for kind in kinds().values()} == set(SEVERITIES)


def test_the_command_prints_a_table_and_writes_json_and_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = world.nctti_rows()
    tables["sentids_en.csv"][1]["sentence1"] = ": <b>a garden gnome</b>"
    ncimp = world.write_ncimp(tmp_path / "ncimp", world.ncimp_tables(), world.ncimp_scores())
    nctti = world.write_nctti(tmp_path / "nctti", tables)
    names = [(str(tmp_path / f"{name}.json"), str(tmp_path / f"{name}.html")) for name in "ab"]
    for document, page in names:
        words = ["pack", "audit", str(nctti), "--with", str(ncimp), "--json", document, "--html", page]
        assert main(words) == 0
    printed = capsys.readouterr().out
    assert "1       1  sentence-ragged       Sentence that begins in the middle" in printed
    assert "3  EN/neutral.csv: compounds  (in print 280)" in printed
    assert [Path(path).read_bytes() for path in names[0]] == [Path(path).read_bytes() for path in names[1]]
    audits = json.loads(Path(names[0][0]).read_text(encoding="utf-8"))["audits"]
    assert [one["release"] for one in audits] == ["NCTTI", "NCIMP", "NCTTI and NCIMP"]
    fault = {"row": 3, "column": "sentence1", "compound": "garden gnome", "message": ": <b>a garden gnome</b>"}
    (found,) = (row for row in audits[0]["faults"] if row["kind"] == "sentence-ragged")
    assert found == {"kind": "sentence-ragged", "severity": 1, "file": "sentids_en.csv", **fault}
    assert {"code", "title", "severity", "why", "count"} == set(audits[0]["kinds"][0])
    page = Path(names[0][1]).read_text(encoding="utf-8")
    assert "sentids_en.csv:3:sentence1" in page
    assert kinds()["sentence-ragged"].why in page
    assert "&lt;b&gt;a garden gnome" in page
    assert "<b>a garden" not in page


@pytest.mark.parametrize("name", ["astitch", "lexcomp"])
def test_a_zip_is_as_good_as_a_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "repository-main"  # as a zip of a hub has it
    if name == "astitch":
        world.write_astitch(folder, world.astitch())
    else:
        world.write_lexcomp(folder, world.lexcomp())
    shutil.make_archive(str(tmp_path / "copy"), "zip", tmp_path, folder.name)
    zipped, unpacked = audit(tmp_path / "copy.zip"), audit(folder)
    assert (zipped.faults, zipped.measurements) == (unpacked.faults, unpacked.measurements)


def test_one_error_says_what_is_wrong_with_a_copy(tmp_path: Path) -> None:
    def message(source: Path) -> str:
        with pytest.raises(SourceError) as error:
            audit(source)
        assert str(source) in str(error.value) or SCORES in str(error.value)
        assert "give " in str(error.value)
        return str(error.value)

    assert "no such folder" in message(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    assert "no files of a known layout; give a copy of NCIMP, NCTTI, NCS" in message(tmp_path / "empty")
    (tmp_path / "text.zip").write_text("no zip", encoding="utf-8")
    assert "no folder and no zip" in message(tmp_path / "text.zip")
    ncimp = world.write_ncimp(tmp_path / "two" / "ncimp", world.ncimp_tables(), world.ncimp_scores())
    world.write_nctti(tmp_path / "two" / "nctti" / "data", world.nctti_rows())
    world.write_nctti(tmp_path / "two" / "nctti", world.nctti_rows())
    assert "it holds NCIMP, NCTTI" in message(tmp_path / "two")
    shutil.make_archive(str(tmp_path / "ncimp"), "zip", ncimp)
    with pytest.raises(SourceError, match="NCIMP in a zip; unpack it"):
        audit(tmp_path / "ncimp.zip")
    scores = world.ncimp_scores()
    scores[3]["CompositionalityToken"] = "high"
    assert "'high' is no number" in message(world.write_ncimp(ncimp, world.ncimp_tables(), scores))
    ncs = world.write_ncs(tmp_path / "ncs", world.ncimp_tables())
    world.write_csv(ncs / "dataset/pt/neutral/P3_sents.csv", [{"compound": "x", "both": "y"}])
    assert "P3_sents.csv:1: the header has no column 'both synonyms'" in message(ncs)
    astitch = world.write_astitch(tmp_path / "astitch", world.astitch())
    independent = astitch / "Dataset" / "TaskIndependentData" / "pt_TaskIndependentData.json"
    independent.write_text('{"dev": [[[1, 2]]]}', encoding="utf-8")
    assert "an example of 'dev' is no list of 14 values" in message(astitch)
    independent.write_text("{", encoding="utf-8")
    assert "not as expected" in message(astitch)
    lexcomp = world.write_lexcomp(tmp_path / "lexcomp", world.lexcomp())
    (lexcomp / "diagnostic_classifiers/data/mwe_type/val.jsonl").write_text('{"nc": 1}\n', encoding="utf-8")
    assert "mwe_type/val.jsonl:1: no object with sentence_words, sentence_tags" in message(lexcomp)


def test_a_damaged_zip_is_one_error(tmp_path: Path) -> None:
    folder = world.write_lexcomp(tmp_path / "lexcomp", world.lexcomp())
    path = Path(shutil.make_archive(str(tmp_path / "copy"), "zip", folder))
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("diagnostic_classifiers/data/mwe_type/train.jsonl")
    start = info.header_offset + len(info.filename) + 40
    content[start : start + 20] = b"x" * 20
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"train.jsonl: cannot be read \(.*give a copy"):
        audit(path)


# The published files at hand: half of the compounds of NCIMP, the other releases whole but for test files


def counts_of(one: Audit, *names: str) -> Counter[object]:
    """Return the number of faults by kind and the attributes *names*."""
    return Counter((fault.kind, *(getattr(fault, name) for name in names)) for fault in one.faults)


def figures_of(one: Audit) -> dict[tuple[str, str], float]:
    """Return the figures by file and name."""
    return {(row.file, row.name): round(row.value, 3) for row in one.measurements}


@pytest.fixture(scope="module")
def ncimp_dev() -> Audit:
    """The audit of the published NCIMP files, rows of half of the compounds."""
    return audit(shared_folder() / "ncimp-dev")


@pytest.fixture(scope="module")
def nctti() -> Audit:
    """The audit of the published NCTTI files."""
    return audit(shared_folder() / "nctti")


def shared_folder() -> Path:
    """Return the folder of the sources that come with the development data."""
    if not SHARED.is_dir():
        pytest.skip("the development data are not beside this checkout")
    return SHARED / "sources"


@pytest.mark.shared
def test_faults_of_the_published_ncimp(ncimp_dev: Audit) -> None:
    kinds_found = {
        "compound-missing": 535, "context-missing": 5, "variant-missing": 16, "cell-empty": 4, "score-range": 52,
        "frame-broken": 5, "tags-words": 544, "layer-missing": 4, "licence-missing": 1, "class-layers": 94,
        "score-overlap": 18, "printed-differs": 10, "article-sound": 34, "article-number": 77, "head-other": 5,
        "variant-twin": 54, "variant-component": 49, "variant-product": 130, "random-number": 85, "random-sets": 82,
        "random-match": 4, "random-head": 15, "article-sound-further": 102, "compound-joined": 18,
        "text-unlisted": 61, "text-lower": 1,
    }  # fmt: skip
    assert counts_of(ncimp_dev) == Counter({(kind,): count for kind, count in kinds_found.items()})
    columns = Counter(fault.column for fault in ncimp_dev.faults if fault.kind == "article-sound")
    further = [columns[f"both synonym alt{number}"] for number in (1, 2, 3, 4)]
    assert further == [1, 1, 1, 1]  # of 1, 1, 3, 3 in the whole files
    randoms = [columns[f"nc rand freq sentence{number}"] for number in (1, 2, 3, 4, 5)]
    assert randoms == [2, 8, 4, 5, 9]  # of 10, 17, 10, 8, 18
    assert columns["synonym both"] == 2  # of 5
    by_column = counts_of(ncimp_dev, "column")
    assert by_column["article-sound-further", "synonym for compound2"] == 33  # of 77
    assert by_column["article-number", "synonym for compound"] == 6  # of 13 or more
    by_file = counts_of(ncimp_dev, "file")
    assert by_file["variant-twin", "EN/neutral.csv"] == 16  # of 32
    assert by_file["variant-component", "EN/neutral.csv"] == 10  # of 18
    assert by_file["class-layers", SCORES] == 57 + 37
    (empty,) = {fault.compound for fault in ncimp_dev.faults if fault.kind == "cell-empty"}
    assert empty == "má-fé"
    layers = Counter(
        fault.row is not None and fault.row < 1118 for fault in ncimp_dev.faults if fault.kind == "class-layers"
    )
    assert (layers[True], layers[False]) == (57, 37)  # English, Portuguese


@pytest.mark.shared
def test_figures_of_the_published_ncimp(ncimp_dev: Audit) -> None:
    figures = figures_of(ncimp_dev)
    english = [figures[SCORES, f"en: {column} {name}"] for column in ("ClassType", "ClassToken") for name in CLASSES]
    portuguese = [figures[SCORES, f"pt: {column} {name}"] for column in ("ClassType", "ClassToken") for name in CLASSES]
    assert english == [91, 89, 99, 104, 84, 91]
    assert portuguese == [50, 75, 55, 48, 82, 50]
    assert [figures[SCORES, f"{lang}: compounds"] for lang in ("en", "pt")] == [279, 180]
    shared = "compounds that share no word with their synonym"
    assert [figures[SCORES, f"{lang}: {shared}"] for lang in ("en", "pt")] == [179, 106]
    gap = "distance of CompositionalityTokenSents from the mean of the sentences"
    assert [figures[SCORES, f"{lang}: mean {gap}"] for lang in ("en", "pt")] == [0.01, 0.175]
    assert figures[SCORES, f"pt: largest {gap}"] == 0.682
    correlation = "rank correlation of frequencies of compounds and random compounds"
    assert [figures[f"{lang}/neutral.csv", f"{correlation}: mean"] for lang in ("EN", "PT")] == [0.624, 0.54]
    single = [figures[f"{lang}/neutral.csv", f"{correlation}: {name}"] for lang in ("EN", "PT") for name in PARTS]
    assert single == [0.296, 0.282, 0.306, 0.246]  # "about 0.28"
    assert figures["PT/", "words of a sentence from a corpus"] == 12.952  # 13.03 in the whole files
    assert figures["EN/neutral.csv", "columns"] == 213
    changes = [
        figures["PT/neutral.csv", f"rows in which {name} changes other words"] for name in ("syn", "ws1", "rand1")
    ]
    assert changes == [25, 35, 17]  # of 54, 73, 34


@pytest.mark.shared
def test_the_published_nctti(nctti: Audit, ncimp_dev: Audit) -> None:
    expected = {
        "data_en.tsv": {
            "cell-empty": 1, "paraphrase-twin": 213, "score-spread": 8, "layer-missing": 3, "printed-differs": 6
        },
        "data_pt.tsv": {"score-spread": 2, "printed-differs": 4},
        "sentids_en.csv": {
            "text-missing": 296, "sentence-form": 4, "sentence-ragged": 27, "sentence-neighbour": 2, "text-lower": 1
        },
        "sentids_pt.csv": {"text-missing": 42, "sentence-form": 100, "sentence-neighbour": 1},
        ".": {"licence-missing": 1},
    }  # fmt: skip
    assert counts_of(nctti, "file") == Counter(
        {(kind, file): count for file, counts in expected.items() for kind, count in counts.items()}
    )
    figures = figures_of(nctti)
    rho = [
        figures[f"data_{lang}.tsv", f"correlation of type and token scores: {name}"]
        for lang in ("en", "pt")
        for name in ("all", *CLASSES)
    ]
    assert rho == [0.92, 0.712, 0.775, 0.658, 0.894, 0.823, 0.779, 0.909]
    assert [figures["data_en.tsv", f"compounds of class {name}"] for name in CLASSES] == [103, 89, 88]
    assert [figures["data_en.tsv", f"mean token score: {name}"] for name in CLASSES] == [0.949, 2.339, 4.136]
    assert [figures["data_en.tsv", f"standard deviation of token scores: {name}"] for name in CLASSES] == [
        0.58,
        1.011,
        0.673,
    ]
    assert figures["data_en.tsv", "% of compounds with a spread below 0.6"] == 85
    assert figures["data_en.tsv", "paraphrases at type level"] == 1506
    assert figures["data_en.tsv", "different paraphrases at type level"] == 1184
    assert figures["data_pt.tsv", "different paraphrases at type level"] == 743
    assert [figures[f"sentids_{lang}.csv", "sentences in full"] for lang in ("en", "pt")] == [544, 498]
    assert figures["sentids_en.csv", "compounds with a sentence in full"] == 245
    assert figures["sentids_en.csv", "words of a sentence in full"] == 26.583
    both = counts_of(compare((ncimp_dev, nctti)))
    assert both == Counter(
        {("class-expert",): 53 + 68, ("score-differs",): 6, ("sentence-republished",): 17, ("compound-missing",): 1}
    )


@pytest.mark.shared
def test_the_published_suites(nctti: Audit) -> None:
    astitch, lexcomp = (audit(shared_folder() / "suites" / f"{name}.zip") for name in ("astitch", "lexcomp"))
    faults = counts_of(astitch)
    expected = {"row-twin": 30, "literal-missing": 20, "sentence-form": 99, "reference-none": 2, "label-readme": 1}
    assert {kind: faults[kind,] for kind in expected} == expected
    missing = Counter(
        (fault.file.split("/")[2], fault.message.partition(":")[0])
        for fault in astitch.faults
        if fault.kind == "literal-missing"
    )
    assert missing == {("EN", "dev"): 3, ("EN", "test"): 2, ("PT", "dev"): 9, ("PT", "test"): 6}
    figures = figures_of(astitch)
    zero_shot = "train_zero_shot: without the compound"
    assert (figures["PT", f"{zero_shot}, cased"], figures["PT", f"{zero_shot}, hyphens as spaces"]) == (225, 9)
    assert figures["PT", "test: accuracy of the majority class of each compound, from the split"] == 0.857
    assert (figures["PT", "train_zero_shot: compounds"], figures["PT", "examples"]) == (73, 1872)
    assert [figures[lang, "compounds without an idiomatic sense"] for lang in ("EN", "PT")] == [80, 28]
    shared = figures_of(compare((astitch, nctti)))
    splits = [
        shared["AStitch", f"{lang} {split}: compounds that NCTTI has"] for lang in ("en", "pt") for split in SPLITS
    ]
    assert splits == [163, 29, 30, 73, 20, 20]
    expected = {"row-twin": 22, "split-sentence": 1, "label-both": 1, "span-form": 470, "text-missing": 4}
    assert {kind: counts_of(lexcomp)[kind,] for kind in expected} == expected
    figures = figures_of(lexcomp)
    assert [figures[f"vpc_classification/ids_{part}.jsonl", "different verbs"] for part in ("train", "val")] == [2, 1]
    shared = figures_of(compare((lexcomp, nctti)))
    both = [shared["lexcomp", f"nc_literality {part}: compounds that NCTTI has"] for part in ("train", "val")]
    assert both == [70, 4]
