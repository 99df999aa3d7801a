"""The paper edition: published files to packs and back, holes, mends, scores, and what may not be passed on."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.records import Item, ReleasedCompound
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.builder.sources.published.ncimp import COMMIT, SCORES, read_ncimp
from ncimp.evaluator.release import read_release
from ncimp.schemas import SourceError
from ncimp.schemas.files import read_json
from ncimp.schemas.release_folder import ReleaseFolder
from tests.sources.published_copy import EN, PT, score_rows, write_copy, write_scores

GOLDEN = Path(__file__).parents[1] / "golden" / "paper_pack.txt"
NCTTI_HEADER = "compound CompScale CompType MeanS1 MeanS2 MeanS3 Synonyms SynonymsS1 SynonymsS2 SynonymsS3"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_copy(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def packs(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packs without anything completed or mended; not to be changed."""
    return imported(copy, tmp_path_factory.mktemp("paper") / "packs", "--also", "tea bag=compositional")


@pytest.fixture(scope="module")
def full(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packs with what can be completed and mended; not to be changed."""
    return imported(copy, tmp_path_factory.mktemp("full") / "packs", "--complete", "--mend", "all")


def imported(copy: Path, out: Path, *options: str) -> Path:
    assert main(["pack", "import", "ncimp", str(copy), "--out", str(out), *options]) == 0
    return out


def built(packs: Path, out: Path, *options: str) -> Path:
    assert main(["build", "--packs", str(packs), "--out", str(out), *options]) == 0
    return out


def csv_cells(folder: Path) -> dict[tuple[str, int, str | None], str]:
    """Every cell of the tables by document, row and column, read without any code of ours."""
    cells: dict[tuple[str, int, str | None], str] = {}
    for path in folder.rglob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        for number, row in enumerate(rows, start=2):
            cells |= {
                (path.relative_to(folder).as_posix(), number, name): cell
                for name, cell in zip(header, row, strict=True)
            }
    return cells


def check_verbatim(packs: Path, folder: Path) -> int:
    """Assert that the published rows of *packs* are the cells of *folder*, with the spans of their tags."""
    cells, count = csv_cells(folder), 0
    for lang in ("en", "pt"):
        for row in (row for row in read_pack(packs / lang).published if row.origin == "published"):
            assert cells[row.document, row.row, row.column] == row.sentence
            name = "original sentence_tag" if row.variant == "orig" else f"{row.column}_tag"
            tags = json.loads(cells[row.document, row.row, name].lower())
            inside = [word for word, tag in zip(row.sentence.split(), tags, strict=True) if tag]
            assert inside == row.sentence[row.start : row.end].split()
            count += 1
    return count


def test_rows_and_spans_are_those_of_the_files(copy: Path, packs: Path) -> None:
    assert check_verbatim(packs, copy) == 14 * len(EN) + 4 * 10 * len(PT)


def test_what_the_files_lack_is_listed_by_compound_and_cell(packs: Path) -> None:
    holes = {
        lang: Counter((row.context, row.variants) for row in read_pack(packs / lang).holes) for lang in ("en", "pt")
    }
    everything = "orig syn head mod ws1 ws2 ws3 ws4 ws5 rand1 rand2 rand3 rand4 rand5"
    assert holes["en"] == dict.fromkeys(((name, everything) for name in ("nat1", "nat2", "nat3", "neut_long")), 3)
    contexts = ("nat1", "nat2", "nat3", "neut_short")
    assert holes["pt"] == {("neut_long", everything): 2, **{(name, "ws2 ws3 ws4 ws5"): 2 for name in contexts}}


def test_a_compound_without_a_score_is_left_out_unless_it_gets_a_class(packs: Path, full: Path) -> None:
    texts = [[row.text for row in read_pack(folder / "en").compounds] for folder in (packs, full)]
    assert texts == [["rubber stamp", "Iron curtain", "tea bag"], ["rubber stamp", "Iron curtain"]]


def test_components_pattern_number_and_gender_are_read_off_the_files(packs: Path) -> None:
    rows = {row.text: row for lang in ("en", "pt") for row in read_pack(packs / lang).compounds}
    assert (rows["tea bag"].pattern, rows["tea bag"].head_index, rows["tea bag"].compound_class) == (
        "N_N", 1, "compositional",
    )  # fmt: skip
    assert (rows["pé-quente"].pattern, rows["pé-quente"].gender, rows["pé-quente"].head) == ("N-A", "m", "pé")
    assert (rows["mesa redonda"].pattern, rows["mesa redonda"].gender, rows["mesa redonda"].modifier) == (
        "N_A", "f", "redondo",
    )  # fmt: skip


def test_the_release_says_what_it_lacks_and_waives_what_was_published(packs: Path, tmp_path: Path) -> None:
    folder = built(packs, tmp_path / "ncimp")
    assert main(["validate", str(folder), "--packs", str(packs)]) == 0
    counts = read_json(folder / "manifest.json")["counts"]
    assert (counts["sentences"], counts["pairs"], counts["compounds"]) == (122, 122 - 11, 5)
    assert {(row["lang"], row["context"], len(row["compounds"])) for row in counts["holes"]} >= {("en", "nat1", 3)}
    waived = {(row.code, row.place) for row in read_pack(packs / "en").waivers}
    assert waived == {("A101", "en/rubber-stamp/neut_short/rand1")}  # *a oak lantern*
    items = {row.id: row for row in ReleaseFolder.open(folder).records("sentences", Item)}
    item = items["pt/pé-quente/nat1/ws1"]
    assert (item.sentence, item.origin) == ('Ele disse que uma pata morna " basta " .', "published")
    assert [item.tokens[slice(*item.token_span)], item.sentence[slice(*item.span)]] == [("pata", "morna"), "pata morna"]


def test_scores_are_kept_apart_and_reach_the_evaluator(packs: Path, tmp_path: Path) -> None:
    folder = built(packs, tmp_path / "ncimp")
    row = next(
        row for row in ReleaseFolder.open(folder).records("compounds", ReleasedCompound) if row.compound == "pé-quente"
    )
    assert (row.comp, row.comp_type, row.comp_source, row.class_from_scores) == (
        1.5,
        1.2,
        "NCIMP",
        "partly_compositional",
    )
    assert [(one.context, one.comp) for one in row.comp_sentences] == [("nat1", 1.0), ("nat2", 1.5), ("nat3", 2.0)]
    layers = {
        (one.layer, one.context): one.value for one in read_pack(packs / "pt").scores if one.compound == row.compound
    }
    assert layers["class_by_token", None] == "NC"
    assert layers["comp_token_pooled", None] == "1.5"
    release = read_release(folder)
    assert release.judged["pt/pé-quente/nat2/orig"].comp == 1.5
    assert {row.compound: row.comp_type for row in release.compounds}["tea bag"] is None


def write_nctti(folder: Path) -> Path:
    """Write the files of NCTTI for one compound a language: two sentences, and the place of one."""
    folder.mkdir()
    lines = {
        "en": ["rubber stamp", "C", "4.5", "4", "", "5", "approval;approval", "yes", "", ""],
        "pt": ["pé-quente", *["PC"], *["2"] * 4, *[""] * 4],
    }
    sentences = {
        "en": [
            'the board is a ""rubber  stamp"" , he said',
            'sent2: (\'""http://example.org/1""\', 2)',
            "no such thing",
        ],
        "pt": ["a", "sent2: (['# MWETOOLKIT: meta.doc.id=\"\"d-1\"\"', 'x'], 9)", "b"],
    }
    for lang, cells in lines.items():
        rows = [NCTTI_HEADER.split(), cells]
        text = "\n".join("\t".join(f'"{cell}"' for cell in row) for row in rows)
        (folder / f"data_{lang}.tsv").write_text(text, "utf-8")
        rows = [["compound", "sentence1", "sentence2", "sentence3"], [cells[0], *sentences[lang]]]
        text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)
        (folder / f"sentids_{lang}.csv").write_text(f"{text}\n", "utf-8")
    return folder


def test_nctti_adds_the_class_by_experts_and_its_own_scores(packs: Path, tmp_path: Path) -> None:
    out, folder = Path(shutil.copytree(packs, tmp_path / "packs")), write_nctti(tmp_path / "nctti")
    assert main(["pack", "import", "nctti", str(folder), "--out", str(out)]) == 0
    pack = read_pack(out / "en")
    assert {row.text: row.compound_class for row in pack.compounds}["rubber stamp"] == "compositional"
    own = {(row.layer, row.context): row.value for row in pack.scores if row.source == "NCTTI"}
    assert own == {
        ("expert_class", None): "C",
        ("comp_type", None): "4.5",
        ("comp_token", "nat1"): "4.0",
        ("comp_token", "nat3"): "5.0",
        ("paraphrases", None): "approval; approval",
        ("paraphrases", "nat1"): "yes",
        ("corpus_place", "nat2"): "http://example.org/1#2",
    }
    release = built(out, tmp_path / "ncimp")
    row = next(row for row in read_release(release).compounds if row.compound == "rubber stamp")
    # of two sources of a score the first counts, sentence by sentence
    assert row.comp == pytest.approx((4 + 1.5 + 5) / 3, abs=1e-6)
    assert row.comp_type == 4.5


def test_sentences_of_nctti_and_of_its_corpus_fill_what_the_files_lack(
    copy: Path, full: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, nctti = Path(shutil.copytree(full, tmp_path / "packs")), write_nctti(tmp_path / "nctti")
    words = [["Nothing", "here", "."], ["Two", "rubber", "stamps", "lay", "there", "."]]
    lines = ["<s>\n" + "\n".join(f"{word}\tX\tx" for word in sentence) + "\n</s>" for sentence in words]
    corpus = tmp_path / "ukwac.xml"
    corpus.write_text('<text id="http://example.org/1">\n' + "\n".join(lines) + "\n</text>\n", "utf-8")
    command = ["pack", "import", "nctti", str(nctti), "--out", str(out), "--corpus", str(corpus), "--complete"]
    assert main(command) == 0
    assert "en: 1 of 2 compounds have a class by experts; 2 sentences added" in capsys.readouterr().err
    pack = read_pack(out / "en")
    rows = {(row.context, row.variant): row for row in pack.published if row.compound == "rubber stamp"}
    given, counted = rows["nat1", "orig"], rows["nat2", "orig"]
    assert (given.sentence, given.number) == ('the board is a "rubber  stamp" , he said', "sg")
    assert (given.document, given.row, given.column) == ("sentids_en.csv", 2, "sentence1")
    assert (counted.sentence, counted.number) == ("Two rubber stamps lay there .", "pl")
    assert (counted.document, counted.offset, counted.row) == ("http://example.org/1", len("Nothing here .\n"), 2)
    assert rows["nat2", "ws1"].sentence == "Two latex seals lay there ."
    assert rows["nat2", "rand1"].phrase_of == "neut_short/rand1"
    assert ("nat3", "orig") not in rows  # the sentence lacks the compound
    assert {(row.compound, row.context): row.variants.split()[0] for row in pack.holes}[
        "rubber stamp", "nat3"
    ] == "orig"

    whole, bare = built(out, tmp_path / "whole"), built(out, tmp_path / "bare", "--withhold")
    texts = map(str, (row for name in ("sentences", "compounds", "en", "standoff") for row in all_rows(bare, name)))
    secret = ("oak", "lantern", "latex", "formality", "board", "lay there")
    assert not [text for text in texts if any(word in text.lower() for word in secret)]
    assert main(["restore", str(bare), "--published", str(copy), str(nctti)]) == 1
    assert "not in the corpus, or empty: http://example.org/1" in capsys.readouterr().err
    command = ["restore", str(bare), "--published", str(copy), str(nctti), "--corpus", str(corpus), "--format", "wac"]
    assert main(command) == 0
    for name in ("sentences", "compounds"):
        assert list(ReleaseFolder.open(bare).rows(name)) == list(ReleaseFolder.open(whole).rows(name))


def test_completed_and_mended_sentences_are_marked_and_keep_what_they_were_made_of(full: Path, tmp_path: Path) -> None:
    rows = {
        f"{row.compound}/{row.context}/{row.variant}": row
        for lang in ("en", "pt")
        for row in read_pack(full / lang).published
    }
    mended = rows["rubber stamp/neut_short/rand1"]
    assert (mended.origin, mended.sentence, mended.published) == (
        "mended",
        "This is an oak lantern",
        "This is a oak lantern",
    )
    made = rows["Iron curtain/neut_long/orig"]
    assert (made.origin, made.sentence) == ("regenerated", "This is what an Iron curtain is supposed to be")
    assert rows["mesa redonda/neut_long/syn"].sentence == "Isto é o que um debate deveria ser ."
    assert rows["mesa redonda/neut_long/rand2"].sentence == "Isto é o que uma lã grossa deveria ser ."
    folder = built(full, tmp_path / "ncimp")
    items = {row.id: row for row in ReleaseFolder.open(folder).records("sentences", Item)}
    assert items["en/rubber-stamp/neut_short/rand1"].published == "This is a oak lantern"
    assert items["en/Iron-curtain/neut_long/orig"].published is None
    assert Counter(row.origin for row in items.values())["mended"] == 1


def test_a_lexicon_that_words_were_taken_from_is_credited(copy: Path, tmp_path: Path) -> None:
    lexicon = Path(shutil.copyfile(packs_folder() / "pt" / "lexicon.xml", tmp_path / "own.xml"))
    packs = imported(
        copy, tmp_path / "packs", "--complete", "--lexicon", str(lexicon), "--data", str(tmp_path / "data")
    )
    made = [row.rule or "" for row in read_pack(packs / "pt").published if row.variant == "ws2"]
    assert any("component synonyms of" in rule for rule in made)
    release = built(packs, tmp_path / "ncimp", "--lang", "pt")
    licences = {row.name: row.licence for row in ReleaseFolder.open(release).manifest.inputs}
    assert licences["wordnet/own.xml"] == "not stated"
    assert "own.xml" in (release / "LICENSE-DATA").read_text("utf-8")


def test_the_pack_is_the_golden_one(full: Path, update_golden: bool) -> None:
    """Every row of a completed and mended pack: a change of it is a change of the data."""
    names = ("compounds.tsv", "published.jsonl", "scores.tsv", "holes.tsv", "splits.tsv", "waivers.tsv")
    text = "".join(f"# {name}\n{(full / 'pt' / name).read_text('utf-8')}" for name in names)
    if update_golden:
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")


def test_text_is_withheld_where_it_is_to_be_published_and_can_be_put_back(
    copy: Path, full: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, bare = built(full, tmp_path / "whole"), built(full, tmp_path / "bare", "--withhold")
    assert main(["publish", str(whole), "--repo", "a/b"]) == 1
    assert "may not be passed on" in capsys.readouterr().err
    texts = [
        path.read_text("utf-8", "replace") for path in bare.rglob("*") if path.is_file() and path.suffix != ".parquet"
    ]
    rows = (row for name in ("sentences", "compounds", "pt", "standoff") for row in all_rows(bare, name))
    assert not [text for text in (*texts, *map(str, rows)) if "oak lantern" in text or "debate" in text]
    assert main(["validate", str(bare), "--folder-only"]) == 0
    assert main(["restore", str(bare), "--published", str(copy)]) == 0
    for name in ("sentences", "compounds"):
        assert list(ReleaseFolder.open(bare).rows(name)) == list(ReleaseFolder.open(whole).rows(name))


def all_rows(folder: Path, config: str) -> list[object]:
    release = ReleaseFolder(folder)
    return [
        row for entry in release.manifest.data_files() if entry.path.startswith(config) for row in release.read(entry)
    ]


def broken_copy(copy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(copy, tmp_path / "broken"))


def test_a_wrong_folder_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=rf"no EN/neutral.csv .*{COMMIT}"):
        read_ncimp(tmp_path)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("EN/neutral.csv", b"both synonym alt1", b"both synonyms a", "no column 'both synonym alt1'"),
        ("PT/neutral.csv", b"[False, False, False, True, True, False]", b"__import__('os')", "tags .* cannot be read"),
        ("PT/neutral.csv", "pé-quente".encode(), b"p\xff", "byte .* is not UTF-8"),
        ("EN/neutral.csv", b"This is a tea bag", b'This is a "tea" bag', "holds quotes and stands in none"),
        ("EN/neutral.csv", b"rubber stamp,rubber stamp", b"tea bag,rubber stamp", "stands in row 2, too"),
    ],
)
def test_a_changed_table_is_one_error(
    copy: Path, tmp_path: Path, file: str, old: bytes, new: bytes, message: str
) -> None:
    folder = broken_copy(copy, tmp_path)
    content = (folder / file).read_bytes()
    assert old in content
    (folder / file).write_bytes(content.replace(old, new))
    with pytest.raises(SourceError, match=message):
        read_cells(folder)


def read_cells(folder: Path) -> None:
    for table in read_ncimp(folder).tables:
        for number in range(len(table.rows)):
            for column in table.variants.values():
                table.cell(number, column)


def test_a_context_without_its_original_is_a_hole(copy: Path, tmp_path: Path) -> None:
    folder = broken_copy(copy, tmp_path)
    path = folder / "PT/naturalistics_examplesent1.csv"
    text = path.read_text("utf-8")
    sentence, tags = (
        "Ele disse que uma mesa redonda",
        "[False, False, False, False, True, True, False, False, False, False]",
    )
    first = text.index(sentence)
    place = text.index(tags, first)
    path.write_text(text[:place] + tags.replace("True", "False") + text[place + len(tags) :], "utf-8")
    packs = imported(folder, tmp_path / "packs", "--mend", "all")
    holes = {
        row.variants for row in read_pack(packs / "pt").holes if (row.compound, row.context) == ("mesa redonda", "nat1")
    }
    assert holes == {"orig syn head mod ws1 rand1 rand2 rand3 rand4 rand5", "ws2 ws3 ws4 ws5"}
    assert "nat1" not in {row.context for row in read_pack(packs / "pt").published if row.compound == "mesa redonda"}


@pytest.mark.parametrize("name", ["thesis.tex", "en/notes.md"])
def test_nothing_of_the_user_is_overwritten(copy: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "out" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine", "utf-8")
    assert main(["pack", "import", "ncimp", str(copy), "--out", str(tmp_path / "out")]) == 2
    assert path.read_text("utf-8") == "mine"


@pytest.mark.parametrize("also", ["no such thing=idiomatic", "rubber stamp=compositional", "tea bag=funny"])
def test_a_compound_to_keep_is_one_of_the_files_without_a_class(copy: Path, tmp_path: Path, also: str) -> None:
    assert main(["pack", "import", "ncimp", str(copy), "--out", str(tmp_path / "out"), "--also", also]) == 2
    assert not (tmp_path / "out").exists()


def test_half_of_the_files_is_one_error(copy: Path, tmp_path: Path) -> None:
    folder = broken_copy(copy, tmp_path)
    (folder / "PT/naturalistics_examplesent2.csv").unlink()
    with pytest.raises(SourceError, match=r"naturalistics_examplesent2\.csv is missing"):
        read_ncimp(folder)


def test_a_workbook_with_another_sheet_is_one_error(copy: Path, tmp_path: Path) -> None:
    folder = broken_copy(copy, tmp_path)
    write_scores(folder / SCORES, score_rows(), sheet="Scores")
    with pytest.raises(SourceError, match="no sheet 'Sheet1'; it has Scores"):
        read_ncimp(folder)
    (folder / SCORES).write_bytes(b"no workbook")
    with pytest.raises(SourceError, match="no spreadsheet"):
        read_ncimp(folder)


@pytest.mark.shared
def test_the_published_rows_at_hand_come_back_cell_by_cell(shared: Path, tmp_path: Path) -> None:
    folder = shared / "sources" / "ncimp-dev"
    packs = imported(folder, tmp_path / "packs")
    assert check_verbatim(packs, folder) == 134 * 14 + 83 * 40
    assert main(["build", "--packs", str(packs), "--out", str(tmp_path / "ncimp")]) == 0
