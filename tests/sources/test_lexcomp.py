"""The published files of lexcomp as one table: all tasks, sentences from a BNC, lexical splits, bad input."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.cli import main
from ncimp.builder.records.composition import MOST, lexical_splits
from ncimp.builder.sources.published.audit import open_tree
from ncimp.builder.sources.published.lexcomp import LICENCES, read_lexcomp
from ncimp.schemas import SourceError
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import CompositionItem
from tests.sources import published_world as world

DATA = "diagnostic_classifiers/data"
DOCUMENT = """<?xml version="1.0" encoding="utf-8"?>
<bncDoc xml:id="{name}"><wtext type="FICTION"><div><p>{sentences}</p></div></wtext></bncDoc>
"""
SENTENCE = """<s n="{number}"><w c5="PNP" hw="she" pos="PRON">She </w>{words}<mw c5="AV0"><w c5="PRP" hw="at"
 pos="PREP">at </w><w c5="AT0" hw="last" pos="ADJ">last</w></mw><c c5="PUN">.</c></s>"""


def sentence(number: int, *words: tuple[str, str]) -> str:
    marked = "".join(f'<w c5="NN1" hw="{lemma}" pos="SUBST">{form} </w>' for form, lemma in words)
    return SENTENCE.format(number=number, words=marked)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of lexcomp in miniature, whose ids name documents of `bnc`; not to be changed."""
    files = world.lexcomp()
    for part in ("train", "val", "test"):
        for row in files[f"nc_literality/{part}.jsonl"]:
            row["label"] = "LITERAL" if row["label"] == "true" else "NON-LITERAL"
    for part in ("train", "val"):
        files[f"vpc_classification/ids_{part}.jsonl"] = [
            {"bnc_id": "A/A0/A00.xml/7", "span_text": "take up", "label": "true"},
            {"bnc_id": "A/A0/A01.xml/1", "span_text": "take up", "label": "false"},
        ]
        files[f"lvc_classification/ids_{part}.jsonl"] = [
            {"bnc_id": "A/A0/A01.xml/2", "span_text": "make a stop", "label": "true"},
            {"bnc_id": "A/A0/A01.xml/1", "span_text": "make a stop", "label": "true"},
        ]
    for task in ("vpc", "lvc"):
        del files[f"{task}_classification/ids_test.jsonl"]
    return world.write_lexcomp(tmp_path_factory.mktemp("lexcomp") / "copy", files)


@pytest.fixture(scope="module")
def bnc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BNC of two documents."""
    folder = tmp_path_factory.mktemp("bnc")
    documents = {
        "A00": [sentence(7, ("took", "take"), ("drawing", "drawing"), ("up", "up"))],
        "A01": [
            sentence(1, ("takes", "take"), ("up", "up"), ("stops", "stop")),
            sentence(2, ("made", "make"), ("a", "a"), ("long", "long"), ("stop", "stop")),
        ],
    }
    for name, sentences in documents.items():
        path = folder / "Texts" / "A" / "A0" / f"{name}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(DOCUMENT.format(name=name, sentences="\n".join(sentences)), encoding="utf-8")
    return folder


def test_six_tasks_are_one_table(copy: Path, bnc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.make_archive(str(tmp_path / "zipped"), "zip", copy.parent, "copy")
    for source in (copy, tmp_path / "zipped.zip"):
        arguments = ["suite", "import", "lexcomp", str(source), "--bnc", str(bnc), "--out", str(tmp_path / "suite")]
        assert main(arguments) == 0
    gaps = [line.removeprefix("not in this copy: ") for line in capsys.readouterr().out.splitlines()][:4]
    assert gaps == [
        "lvc_classification/ids_train.jsonl: 1 of 2 phrases, which their sentences do not have",
        "lvc_classification/ids_val.jsonl: 1 of 2 phrases, which their sentences do not have",
        "lvc_classification/ids_test.jsonl",
        "vpc_classification/ids_test.jsonl",
    ]
    items = {row.id: row for row in ReleaseFolder.open(tmp_path / "suite").records("composition", CompositionItem)}
    assert Counter(row.task for row in items.values()) == {
        "vpc": 4, "lvc": 2, "nc_literality": 6, "nc_relations": 6, "an_attributes": 6, "phrase_type": 6,
    }  # fmt: skip
    assert {row.task: row.licence for row in items.values()} == LICENCES
    verb = items["en/vpc/train-1"]
    assert verb.words == ("She", "took", "drawing", "up", "at", "last", ".")
    assert (verb.span, verb.phrase, verb.word, verb.label, verb.split) == ((1, 4), "take up", "take", 1, "train")
    assert items["en/lvc/val-1"].span == (1, 5)
    literal = items["en/nc_literality/test-2"]
    assert (literal.span, literal.target, literal.phrase, literal.word) == ((1, 3), 1, "test1 testword1", "testword1")
    assert items["en/phrase_type/val-1"].tags == ("B-N", "O")
    attribute = items["en/an_attributes/val-1"]
    assert (attribute.phrase, attribute.word, attribute.label) == ("val0 valword0", "val0", 1)


def test_without_a_bnc_its_tasks_are_left_out_and_said(copy: Path, bnc: Path) -> None:
    tables = read_lexcomp(copy)
    assert {row.task for row in tables.composition}.isdisjoint({"vpc", "lvc"})
    assert sum("(--bnc)" in gap for gap in tables.gaps) == 4
    assert main(["suite", "import", "astitch", str(copy), "--bnc", str(bnc), "--out", "x"]) == 2


def edit(name: str, **columns: Any) -> Callable[[Path, Path], None]:
    def apply(copy: Path, _bnc: Path) -> None:
        path = copy / DATA / name
        first, *others = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([json.dumps(json.loads(first) | columns), *others]) + "\n", encoding="utf-8")

    return apply


VERBS, TAGS = "vpc_classification/ids_train.jsonl", "mwe_type/train.jsonl"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (edit(VERBS, bnc_id="K/K1/K10.xml/3"), "ids_train.jsonl:1: the BNC in"),
        (edit(VERBS, bnc_id="../../A00.xml/7"), "has no document '../../A00.xml'; give --bnc"),
        (edit(VERBS, bnc_id="A/A0/A00.xml/8"), "ids_train.jsonl:1: the document 'A/A0/A00.xml' has no sentence '8'"),
        (lambda _, bnc: shutil.rmtree(bnc / "Texts"), "no documents of the BNC in it; give --bnc"),
        (
            lambda _, bnc: (bnc / "Texts/A/A0/A00.xml").write_text("<bncDoc><s>", encoding="utf-8"),
            "A00.xml: not a document of the BNC",
        ),
        (edit(TAGS, sentence_tags=["O", "I"]), "train.jsonl:1: the tag I follows O, so it is inside nothing; let B-"),
        (edit(TAGS, sentence_tags=["I", "O"]), "the tag I follows O"),
        (edit(TAGS, sentence_tags=["B-X", "O"]), "train.jsonl:1: the tag 'B-X' is unknown; write O, I, or B-"),
        (edit(TAGS, sentence_tags=["O"]), "train.jsonl:1: 1 tags of 2 words"),
        (edit("nc_literality/val.jsonl", label="true"), "val.jsonl:1: the label 'true' is not of this task; write LIT"),
        (edit("nc_relations/val.jsonl", label="maybe"), "val.jsonl:1: the label 'maybe' is not of this task; write tr"),
        (edit("nc_relations/val.jsonl", start="one"), "val.jsonl:1: a value of another type"),
        (edit("nc_relations/val.jsonl", end=40), "val.jsonl:1: words 1 to 40 are not in a sentence of 6"),
        (edit("nc_literality/val.jsonl", target_index=0), "with 'val0' as word 0 is not in the sentence"),
        (lambda copy, _: shutil.rmtree(copy / DATA), "no items of lexcomp in it"),
    ],
)
def test_bad_input_is_one_error(
    copy: Path, bnc: Path, tmp_path: Path, damage: Callable[[Path, Path], None], message: str
) -> None:
    folders = [Path(shutil.copytree(folder, tmp_path / folder.name)) for folder in (copy, bnc)]
    damage(*folders)
    with pytest.raises(SourceError) as caught:
        read_lexcomp(*folders)
    assert message in str(caught.value)


def item(number: int, word: str, label: int, words: tuple[str, ...] = ()) -> CompositionItem:
    return CompositionItem(
        id=f"en/lvc/train-{number}", lang="en", task="lvc", words=words or (str(number), word), span=(1, 2),
        phrase=word, target=None, paraphrase=None, label=label, tags=None, word=word, split="train", lexical=None,
        source="", licence="", release="1.0.0",
    )  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 1), st.integers(0, 30)), min_size=30, max_size=90))
def test_lexical_splits_share_no_word_and_no_sentence(rows: list[tuple[int, int, int]]) -> None:
    items = [item(number, str(word), label, ("s", str(text))) for number, (word, label, text) in enumerate(rows)]
    splits = lexical_splits(items)
    assert lexical_splits(items[::-1]) == splits
    for column in ("word", "words"):
        places: dict[object, set[str]] = {}
        for one in items:
            if one.id in splits:
                places.setdefault(getattr(one, column), set()).add(splits[one.id])
        assert all(len(some) == 1 for some in places.values())
    for split, most in MOST.items():
        counts = Counter(one.label for one in items if splits.get(one.id) == split)
        assert max(counts.values(), default=0) <= most * min(counts[0], counts[1])


def test_the_rarest_words_are_tested_and_repeated_and_contradictory_rows_are_left_out() -> None:
    rows = [
        (word, label) for word, size in (("make", 30), ("take", 8), ("do", 4), ("give", 2)) for label in [0, 1] * size
    ]
    items = [item(number, word, label) for number, (word, label) in enumerate(rows)]
    splits = lexical_splits([*items, item(900, "take", 1, items[60].words), item(901, "make", 0, items[0].words)])
    # a tenth of 88 is 9: the four items of "give" are not enough, and those of "do" follow
    of_word = {word: {splits[one.id] for one in items[1:] if one.word == word and one.id in splits} for word, _ in rows}
    assert of_word == {"give": {"test"}, "do": {"test"}, "take": {"validation"}, "make": {"train"}}
    assert items[60].id not in splits  # the same with both labels
    assert "en/lvc/train-901" not in splits  # the same again
    assert lexical_splits([one for one in items if one.word in ("make", "take")]) == {}


@pytest.mark.shared
def test_the_published_files(shared: Path) -> None:
    tables = read_lexcomp(open_tree(shared / "sources" / "suites" / "lexcomp.zip", ""))
    rows = tables.composition
    assert Counter((row.task, row.split) for row in rows) == {
        ("nc_literality", "train"): 2529, ("nc_literality", "validation"): 323,
        ("nc_relations", "train"): 1274, ("nc_relations", "validation"): 130,
        ("an_attributes", "train"): 837, ("an_attributes", "validation"): 108,
        ("phrase_type", "train"): 3017, ("phrase_type", "validation"): 372,
    }  # fmt: skip

    def shared_words(task: str, column: str) -> int:
        parts: dict[str | None, set[str | None]] = {}
        for row in rows:
            if row.task == task:
                parts.setdefault(getattr(row, column), set()).add(row.word)
        return len(parts["train"] & parts["validation"])

    # the published split of adjectives is by noun, and ten of them are in both files; ours is by adjective
    assert (shared_words("an_attributes", "split"), shared_words("an_attributes", "lexical")) == (10, 0)
    assert len(tables.gaps) == 10
    of_ours = Counter((row.task, row.lexical) for row in rows if row.lexical)
    for task in ("nc_literality", "nc_relations", "an_attributes"):
        assert min(of_ours[task, split] for split in ("test", "validation")) >= 95
