"""Recorded answers of language models: read, understood strictly, scored over every item, written and shown."""

from __future__ import annotations

import importlib
import itertools
import json
import math
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.cli import main
from ncimp.evaluator.answers import Answers
from ncimp.evaluator.ecosystem import orders, questions
from ncimp.evaluator.models import ModelOptions, open_model
from ncimp.evaluator.release import Release, SentenceScore, read_release
from ncimp.evaluator.suites.lexbench import answer_files, phrase_tasks, replay, scoring
from ncimp.evaluator.suites.lexbench.parsers import parse
from ncimp.evaluator.suites.lexbench.recorded import phrase_item, read_recorded
from ncimp.evaluator.suites.lexbench.scoring import greedy_f1, score, word_vectors
from ncimp.evaluator.suites.texts import word_source
from ncimp.schemas import EvaluationError, Place, Row, UsageError, file_hash, read_json
from ncimp.schemas.records import from_row, to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import PhraseItem
from tests.evaluator.tiny_models import make
from tests.schemas.checking import check_row

documents = importlib.import_module("ncimp.evaluator.ecosystem.lm_tasks.documents")
SAMPLES = "samples_ncimp_asked_2026-01-01T00-00-00.000001.jsonl"
OPTIONS = ("cold toes", "second thoughts", "Proper Noun", "Meta Usage")
LABELS = ("AntiMagn", "Magn", "Oper1")


@pytest.mark.parametrize(
    ("kind", "answer", "understood"),
    [
        *(("choice", text, "B") for text in ("B", "(B)", "B.", "B: second thoughts", "B) as it says", "B - thoughts")),
        *(("choice", text, "B") for text in ("B second thoughts", "second thoughts", "Option B is right", "Answer: B")),
        *(("choice", text, "B") for text in ("The correct option is B.", "I say the answer is **B**, since", "B\nfor")),
        ("choice", "<think>A or B? A</think>\nB", "B"),
        *(
            ("choice", text, "B")
            for text in ("B The phrase is idiomatic", "The answer is B The phrase", "B Second thoughts")
        ),
        *(("choice", text, None) for text in ("A Proper Noun is meant", "The option is A Proper Noun", "A noun")),
        *(("choice", text, None) for text in ("b", "A compound of words", "The answer is A metaphor", "A, B", "cold")),
        *(("choice", text, None) for text in ("Option A or B", "<think> B", "", "Neither of them", "E")),
        *(("category", text, "Magn") for text in ("Magn", "Magn.", "**Magn**", "Label: Magn", "<think>x</think> Magn")),
        ("category", "Magn **Explanation:** it is no AntiMagn", "Magn"),
        *(("category", text, None) for text in ("Magn Oper1", "Oper2", "I think it is Magn", "magn", "Magnitude")),
        *(("extraction", text, "cold feet") for text in ("cold feet", "Extracted Idiom: cold feet", '"cold feet"')),
        ("extraction", "**Idiom:** cold feet", "cold feet"),
        ("extraction", "The idiom in the sentence is cold feet.", "cold feet"),
        ("extraction", "cold feet\n\nExplanation: it means fear", "cold feet"),
        ("extraction", "cold feet Paraphrases: fear", "cold feet"),
        ("extraction", "no strings attached", "no strings attached"),
        *(("extraction", text, None) for text in ("No idiom", "None", "feet Wait, let me reconsider: cold feet")),
        *(("interpretation", text, "a fear") for text in ("a fear", "Paraphrase: a fear", "**a fear**")),
    ],
)
def test_only_the_accepted_shapes_parse(kind: str, answer: str, understood: str | None) -> None:
    options = {"choice": OPTIONS, "category": LABELS}.get(kind, ())
    assert parse(kind, answer, options).text == understood


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't help.",
        "I cannot answer this.",
        "As an AI I do not",
        "抱歉，我无法回答",
        "Please give it",
    ],
)
def test_a_refusal_is_told_from_an_answer(answer: str) -> None:
    for kind in ("choice", "category", "extraction", "interpretation"):
        assert parse(kind, answer, OPTIONS).status == "refused"


WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyzçãé", min_size=3, max_size=9), min_size=1, max_size=6)


@given(WORDS, st.sampled_from(LABELS), st.integers(0, 3))
def test_no_parser_changes_an_answer_that_is_the_right_one(words: list[str], label: str, place: int) -> None:
    phrase = " ".join(words)
    if words[0] not in ("none", "sorry"):
        assert parse("extraction", phrase).text == phrase
        assert parse("interpretation", phrase).text == phrase
    assert parse("category", label, LABELS).text == label
    assert parse("choice", "ABCD"[place], OPTIONS).text == "ABCD"[place]
    assert parse("choice", OPTIONS[place], OPTIONS).text == "ABCD"[place]


def extraction(phrase: str, prediction: str) -> dict[str, Any]:
    return {"context": f"It was {phrase} again .", "idiom": phrase, "prediction": prediction}


def question(phrase: str, target: str, prediction: Any) -> dict[str, Any]:
    options = dict(zip("ABCD", OPTIONS, strict=True))
    context = f"They had {phrase}.\nA: cold toes\tB: second thoughts"
    return {"id": "1", "context": context, "idiom": phrase, **options, "target": target, "prediction": prediction}


def expression(phrase: str, label: str, prediction: str) -> dict[str, Any]:
    return {"id": "1", "context": f"I {phrase} .", "vmwe": phrase, "label": label, "prediction": prediction}


def collocation(phrase: str, label: str, prediction: Any) -> dict[str, Any]:
    return {"collocation": phrase, "label": label, "label_id": "0", "context": phrase, "prediction": prediction}


def meaning(phrase: str, prediction: str) -> dict[str, Any]:
    return {"noun_compound": phrase, "references": ["a dog for hunting", ""], "prediction": prediction}


def write(folder: Path, files: Mapping[str, list[dict[str, Any]]]) -> Path:
    for name, rows in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


PHRASES = ("cold feet", "The bright side", "red herring", "on track")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Files of two models, the second of which did not answer one item and answered others in odd ways."""
    odd = ("Cold feet", "bright side", "I'm sorry, but I can't.", "one is on track in it, so on track is it")
    first, second = ({"extracted_idiom": word, "option": letter} for word, letter in (("cold feet", "B"), ("x", "C")))
    files: dict[str, list[dict[str, Any]]] = {
        "vmwe_extraction_oracle_0-shot_one.json": [
            expression("give up", "VPC.full", "give up"),
            expression("take care", "LVC.fulll", "care"),
            expression("make sense", "LVC.full", "Make sense"),
        ],
        "idiom_extraction_0-shot_one.json": [extraction(phrase, phrase) for phrase in PHRASES],
        "idiom_extraction_0-shot_two.json": [
            extraction(phrase, text) for phrase, text in zip(PHRASES[:3], odd, strict=False)
        ],
        "idiom_detection_3-shot_one.json": [question("cold feet", "B", "B"), question("on track", "A", "a dog")],
        "collocation_categorization_0-shot_one.json": [
            collocation("big rain", "Magn", "Magn"),
            collocation("light rain", "AntiMagn", "Magn"),
            collocation("no rain", "AntiMagn", "rain"),
        ],
        "noun_compound_interpretation_0-shot_one.json": [meaning("gun dog", "a dog"), meaning("lap dog", "")],
        "idiom_detection_multi_step_0-shot_one.json": [
            question("cold feet", "B", first),
            question("on track", "C", second),
        ],
    }
    return write(tmp_path / "recorded", files)


def figures(found: tuple[Answers, ...]) -> dict[tuple[str, str, str], list[float]]:
    """The worth of each item by task, model and rule."""
    return {
        (one.place.task, one.place.model, one.metrics[0]): one.predicted.tolist()
        for one in found
        if one.metrics[0] != "macro_f1"
    }


def test_each_rule_counts_every_item(answers: Path) -> None:
    replayed = replay([answers])
    mean = {key: sum(x for x in row if x == x) / len(row) for key, row in figures(replayed.answers).items()}
    rules = {rule: mean["idiom_extraction", "two", rule] for rule in ("strict", "caseless", "lenient", "articles")}
    # over four items: one was not answered, one refused
    assert rules == {"strict": 0, "caseless": 0.25, "lenient": 0.25, "articles": 0.5}
    assert mean["idiom_extraction", "one", "strict"] == 1
    assert mean["idiom_detection", "one", "strict"] == mean["idiom_detection", "always B", "strict"] == 0.5
    assert mean["collocation_categorization", "one", "strict"] == pytest.approx(1 / 3)
    assert mean["noun_compound_interpretation", "one", "rouge_l"] == pytest.approx(2 * 1 * 0.5 / 1.5 / 2)
    assert mean["noun_compound_interpretation", "the phrase itself", "rouge_l"] == pytest.approx(1 / 3)
    assert mean["vmwe_extraction_oracle", "one", "caseless"] == pytest.approx(2 / 3)
    by_type = {name: mean[f"vmwe_extraction_oracle_{name}", "one", "caseless"] for name in ("LVC", "VPC")}
    assert by_type == {"LVC": 0.5, "VPC": 1}  # a label with a typing error is of its type
    assert any(note.startswith("vmwe_extraction_oracle: ") and "upper bound" in note for note in replayed.notes)
    steps = {"extraction": 0.5, "choice": 1, "both": 0.5}
    assert {step: mean[f"idiom_detection_multi_step/{step}", "one", "strict"] for step in steps} == steps
    assert {(row.phrase, row.status) for row in replayed.unparsed} == {
        ("red herring", "refused"), ("on track", "unparsed"), ("no rain", "unparsed"),
    }  # fmt: skip


def test_the_published_rule_is_as_the_published_code_has_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.json": [extraction("on track", "x")], "b.json": [question("cold feet", "B", "x")]})
    (part,) = read_recorded(tmp_path / "a.json")
    (item,) = part.items.values()
    for text, right in {
        "On Track": True, "it is on track": True, "on track in fact": True, "on track refers to": True,
        "on tracks": False, "so on track": False, "": False,
    }.items():  # fmt: skip
        assert score(item, text).worth["lenient"] == right, text
    (part,) = read_recorded(tmp_path / "b.json")
    (item,) = part.items.values()
    for text, right in {"B": True, "B: x": True, "Second Thoughts": True, "B.": False, "b": False}.items():
        assert score(item, text).worth["lenient"] == right, text


def test_samples_of_the_harness_are_read_alike(answers: Path, tmp_path: Path) -> None:
    rows = [extraction(phrase, phrase) for phrase in PHRASES]
    docs = [{name: cell for name, cell in row.items() if name != "prediction"} for row in rows]
    samples = [
        {"doc_id": number, "doc": doc, "resps": [[doc["idiom"]]], "filtered_resps": [doc["idiom"]]}
        for number, doc in enumerate(docs)
    ]
    name = "samples_idiom_extraction_2026-01-01T00-00-00.1.jsonl"
    (part,) = read_recorded(write(tmp_path / "gpt", {name: samples}) / name)
    (known,) = read_recorded(answers / "idiom_extraction_0-shot_one.json")
    assert (part.task, part.setting, part.model) == ("idiom_extraction", "idiom_extraction", "gpt")
    assert part.answers == known.answers
    doc = question("cold feet", "B", None)
    likely = [{"doc": doc, "filtered_resps": [[-3.0, False], [-1.5, False], [-9.0, False], [-2.0, True]]}]
    (part,) = read_recorded(write(tmp_path / "gpt", {"samples_x.jsonl": likely}) / "samples_x.jsonl")
    assert list(part.answers.values()) == ["B"]


def test_what_the_question_adds_to_an_option_is_a_setting_of_its_own(tmp_path: Path) -> None:
    asked, alone = [[-3.0, False], [-2.0, False], [-9.0, False], [-4.0, True]], [[-9.0, False], *3 * [[-4.5, False]]]
    rows = [{"doc": question("cold feet", "A", None), "filtered_resps": [*asked, *alone]}]
    parts = read_recorded(write(tmp_path / "gpt", {"samples_x.jsonl": rows}) / "samples_x.jsonl")
    assert {part.setting: list(part.answers.values()) for part in parts} == {"x": ["B"], "x_mutual_info": ["A"]}
    right = {row.place.setting: row.predicted[0] for row in replay([tmp_path]).answers if not row.place.baseline}
    assert right == {"x": 0.0, "x_mutual_info": 1.0}


def test_files_of_one_name_are_of_their_models(tmp_path: Path) -> None:
    for model, answer in (("one", "A"), ("two", "B")):
        write(tmp_path / model, {"samples_x.jsonl": [{"doc": question("cold feet", "A", None), "resps": [[answer]]}]})
    found = {row.place.model: row.predicted[0] for row in replay([tmp_path]).answers if not row.place.baseline}
    assert found == {"one": 1.0, "two": 0.0}
    again = write(
        tmp_path / "x" / "one", {"samples_x.jsonl": [{"doc": question("cold feet", "A", None), "resps": [["A"]]}]}
    )
    with pytest.raises(UsageError, match=r"two files samples_x\.jsonl have the answers of one to "):
        replay([tmp_path, again])


def test_a_file_with_the_items_of_another_task_is_counted_there(answers: Path) -> None:
    rows = [extraction(phrase, phrase) for phrase in PHRASES[:2]]
    strangers = [extraction(f"{phrase} x", phrase) for phrase in PHRASES]
    for task, some in (("idiom_extraction_hard", strangers), ("idiom_extraction_easy", rows)):
        write(answers, {f"{task}_0-shot_{name}.json": some for name in ("one", "two")})
    write(answers, {"idiom_extraction_hard_3-shot_two.json": rows})
    replayed = replay([answers])
    assert "idiom_extraction_hard_3-shot_two.json holds the items of idiom_extraction" in replayed.notes[0]
    sizes = {task.name: len(task.items) for task in replayed.tasks}
    assert (sizes["idiom_extraction"], sizes["idiom_extraction_hard"]) == (4, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", ":1: not JSON"),
        ('"x"', ":1: not an object"),
        ('{"context": "x", "idiom": "x"}', ":1: a row without `prediction`"),
        ('{"word": "x", "prediction": "x"}', "no task has the columns word, prediction"),
        ('{"context": "x", "idiom": "x", "prediction": ["x"]}', "a prediction that is no text"),
        ('{"context": "x", "idiom": "x", "prediction": {"a": "x"}}', "a prediction of the parts a"),
        ('{"context": "x", "idiom": "x", "A": "y", "target": "B", "prediction": "x"}', "target is 'B'"),
        ('{"doc": {"context": "x", "idiom": "x"}, "resps": []}', "without `filtered_resps`"),
        ("\n", "no answer is in this file"),
        (
            '{"context": "x", "idiom": "x", "prediction": "x"}\n'
            '{"noun_compound": "x", "references": ["y"], "prediction": "x"}',
            "the rows are of several kinds: extraction, interpretation",
        ),
        ("\xff", "cannot be read"),
    ],
)
def test_a_bad_file_is_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x_0-shot_m.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(EvaluationError) as caught:
        read_recorded(path)
    assert message in str(caught.value)


def test_files_page_and_comparison(answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", "--suite", "lexbench", "--answers", str(answers), "--resamples", "100"]
    for name in ("one", "again"):
        assert main([*arguments, "--out", str(tmp_path / name), "--tables"]) == 0
    for path in (tmp_path / "one").iterdir():
        assert file_hash(path) == file_hash(tmp_path / "again" / path.name), path
    document = read_json(tmp_path / "one" / "results.json")
    check_row("evaluation", document)
    assert document["unparsed"][0]["answer"] == "rain"
    page = (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    assert "Answers that have none of the accepted shapes" in page
    assert "idiom_extraction, English, test" in page
    assert "the best shortcut, always" in capsys.readouterr().out
    folders = [str(tmp_path / name) for name in ("one", "again")]
    assert main(["compare", *folders, "--resamples", "100", "--out", str(tmp_path / "both")]) == 0
    rows = read_json(tmp_path / "both" / "comparison.json")["suites"]
    assert {row["metric"] for row in rows} >= {"strict", "lenient", "macro_f1", "rouge_l"}
    capsys.readouterr()
    for wrong, message in (
        (["evaluate", "--answers", str(answers)], "--answers is for --suite"),
        ([*arguments, "--lang", "en"], "--lang"),
        (["evaluate", "--suite", "astitch", "--answers", str(answers)], "is not asked in words"),
        (["evaluate", "--suite", "lexbench", "--vectors", "x.vec"], "has no vectors"),
        (
            [
                "suite",
                "ask",
                "--model",
                "x",
                "--endpoint",
                "http://localhost",
                "--budget",
                "1",
                "--of",
                "x",
                "--out",
                str(tmp_path / "asked"),
            ],
            "--of is for ncimp_phrases alone",
        ),
    ):
        assert main(wrong) == 2
        assert message in capsys.readouterr().err


def samples(folder: Path, rows: list[dict[str, Any]], say: Callable[[dict[str, Any]], str]) -> Path:
    """Samples of a model that says *say* of each of *rows*, as lm-evaluation-harness logs them."""
    name = f"{folder.name}/{SAMPLES}"
    return write(folder.parent, {name: [{"doc": row, "filtered_resps": [say(row)]} for row in rows]})


def question_rows(release: Release) -> list[Row]:
    """Return the questions in their orders, as rows of `phrase_item`."""
    return [to_row(order) for one in questions(release) for order in orders(one)]


def test_who_always_takes_one_place_is_right_as_often_as_chance(mini_release: Path, tmp_path: Path) -> None:
    rows = list(question_rows(read_release(mini_release)))
    assert {row["lang"] for row in rows} == {"en", "pt"}
    says: dict[str, Callable[[dict[str, Any]], str]] = {
        "A": lambda row: "A" if row["options"] else "3",
        "B": lambda row: "B" if row["options"] else "3",
        "knows": lambda row: f"Answer: {row['gold'][0]}" if row["options"] else "x",
    }
    chance = {"choice_words": 0.5, "choice_random": 0.5, "choice_four": 0.25}
    for name, say in says.items():
        found = replay([samples(tmp_path / name, rows, say) / name]).answers
        strict = [one for one in found if one.metrics == ("strict",) and one.place.model == name]
        assert {one.place.lang for one in strict} == {"en", "pt"}
        for one in strict:
            assert one.predicted.mean() == (1 if name == "knows" else chance[one.place.task])


def test_a_question_shows_the_right_sentences(mini_release: Path) -> None:
    release = read_release(mini_release)
    sentences = {item.id: item.sentence for item in release.items}
    idiomatic = {compound.id for compound in release.compounds if compound.compound_class == "idiomatic"}
    rows = list(question_rows(release))
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        check_row("phrase_item", row)
        if row["kind"] == "continuation":
            continue
        lang, task, _, compound, context = row["id"].split("/")[:5]
        original = f"{lang}/{compound}/{context}"
        assert row["sentence"] == sentences[f"{original}/orig"]
        if row["options"]:
            assert row["options"]["ABCD".index(row["gold"][0])] == sentences[f"{original}/syn"]
        if task in ("choice_words", "choice_four"):
            assert f"{lang}/{compound}" in idiomatic
    assert {row["gold"][0] for row in rows if row["task"] == "rating"} == {"0", "2.5", "5"}
    assert len({row["task"] for row in rows if row["kind"] == "rating"}) == 3
    first, *others = release.compounds
    judged = replace(release, judged={f"{first.id}/nat1/orig": SentenceScore(1.5, 4.25, None)},
                     compounds=(replace(first, comp_head=3.5, comp_modifier=0.5), *others))  # fmt: skip
    rated = {row["id"].partition("/")[2]: row for row in question_rows(judged) if row["kind"] == "rating"}
    asked = ((task, context) for task in ("rating", "rating_head", "rating_modifier") for context in ("nat1", "nat2"))
    gold = [rated[f"{task}/{first.id}/{context}"]["gold"][0] for task, context in asked]
    assert gold[0] == "1.5"
    assert gold[2:] == ["4.25", "3.5", "0.5", "0.5"]
    assert rated[f"rating_head/{first.id}/nat1"]["phrase"] == first.head


def test_a_meaning_is_counted_word_by_word() -> None:
    item = phrase_item(
        task="meaning_idiomatic", kind="interpretation", phrase="paper tiger", sentence=None, options=(),
        gold=("a toothless tiger", "waste of money"), literal=("origami tiger", "document cats", "paper cat"),
    )  # fmt: skip
    for answer, exact, head, literal in (
        ("Toothless tiger.", 1, 1, 0), ("a waste of the money", 1, 1, 0), ("a mere tiger", 0, 1, 0),
        ("money", 0, 0, 0), ("several tigers", 0, 1, 0), ("a folded origami tiger", 0, 1, 1),
        ("a documented cat", 0, 0, 1), ("paper", 0, 0, 0),
        ("", 0, 0, 0), ("I'm sorry, but I can't.", 0, 0, 0),
    ):  # fmt: skip
        worth = score(item, answer).worth
        assert (worth["exact"], worth["head"], worth["literal"]) == (exact, head, literal), answer
    assert "literal" not in score(replace(item, literal=()), "a cat").worth
    portuguese = replace(item, lang="pt", gold=("uma perda de tempo",), literal=("elefante pálido",))
    assert score(portuguese, "grande perda").worth["head"] == 1
    assert score(portuguese, "o tempo").worth["head"] == 0
    assert score(portuguese, "um elefante").worth["literal"] == 1


def test_the_other_half_of_a_sentence_is_the_same_with_a_random_compound(mini_release: Path) -> None:
    release = read_release(mini_release)
    rows = {row["id"]: row for row in question_rows(release) if row["kind"] == "continuation"}
    sentences = {item.id: item.sentence for item in release.items}
    originals = [row for row in rows.values() if row["task"] == "completion"]
    assert len(rows) == 2 * len(originals) > 10
    for row in originals:
        random = rows[row["id"].replace("/completion/", "/completion_random/")]
        place = row["id"].split("/", 2)[2]
        assert row["gold"] == random["gold"]
        for one, variant in ((row, "orig"), (random, "rand1")):
            whole = sentences[f"{place}/{variant}"].replace(" ", "")
            assert (one["sentence"] + one["gold"][0]).replace(" ", "") == whole
            assert one["phrase"] in one["sentence"]
    item = from_row(PhraseItem, originals[0], table="phrase_item", place=Place("x"))
    begun, other = item.gold[0].upper(), " ".join(item.gold[0].split()[:-1])
    assert [score(item, text).worth["exact"] for text in (f"{begun} And on.", other, "")] == [1, 0, 0]


def test_figures_are_also_of_compounds_that_a_benchmark_holds(tmp_path: Path) -> None:
    rows = []
    for number, benchmarks in enumerate((["NCTTI"], ["NCTTI"], [], [], [])):
        item = phrase_item(
            task="rating", kind="rating", phrase=f"phrase {number}", sentence=None, options=(), gold=("5",),
            benchmarks=tuple(benchmarks),
        )  # fmt: skip
        rows.append(to_row(item))
    replayed = replay([samples(tmp_path / "model", rows, lambda row: "5" if row["benchmarks"] else "x") / "model"])
    worth = {
        one.place.inputs: (one.predicted.mean(), one.unparsed)
        for one in replayed.answers if one.metrics == ("nearness",) and one.place.model == "model"
    }  # fmt: skip
    assert worth == {"": (0.4, 3), "benchmarks: some": (1, 0), "benchmarks: none": (0, 3)}


def test_a_rating_is_asked_in_the_words_of_the_annotators() -> None:
    documents = importlib.import_module("ncimp.evaluator.ecosystem.lm_tasks.documents")
    sentence = {"sentence": "O pão-duro pagou.", "options": [], "kind": "rating", "phrase": "duro", "lang": "pt"}
    asked = documents.prompt(sentence | {"task": "rating_modifier"})
    assert "Quão literal é o sentido de “duro” aqui?" in asked
    assert "5: É exatamente o que “duro” costuma significar." in asked
    assert "“duro” meant as a whole here?" in documents.prompt(sentence | {"task": "rating", "lang": "ca"})


def test_items_of_published_tasks_become_a_folder(answers: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    answers.rename(tmp_path / "copy" / "semantic_qa")
    bio = "It\tO\nstruck\tB-IDIOM\n{}\tI-IDIOM\n\nIt\tO\nwas \tO\nred\tB-IDIOM\nherring\tI-IDIOM\n"
    folder = tmp_path / "copy" / "resources" / "ID10M" / "resources" / "bio_format" / "english"
    folder.mkdir(parents=True)
    for name in ("gold", "oil"):
        (folder / f"{name}.tsv").write_text(bio.format(name) + "\nNo\tO\nidiom\tO\n", encoding="utf-8")
    assert main(["suite", "import", "lexbench", str(tmp_path / "copy"), "--out", str(tmp_path / "suite")]) == 0
    items = list(ReleaseFolder.open(tmp_path / "suite").records("phrases", PhraseItem))
    assert {item.task: item.kind for item in items} == {
        "idiom_extraction": "extraction", "idiom_detection": "choice", "collocation_categorization": "category",
        "noun_compound_interpretation": "interpretation", "vmwe_extraction": "extraction",
    }  # fmt: skip
    (cold,) = (item for item in items if item.task == "idiom_detection" and item.phrase == "cold feet")
    assert (cold.sentence, cold.options, cold.gold) == ("They had cold feet.", OPTIONS, ("B",))
    (meant,) = (item for item in items if item.phrase == "gun dog")
    assert meant.gold == ("a dog for hunting",)
    # the idiom of an item is no example; a choice is asked with the right option at each place
    trained = {item.phrase: item.sentence for item in items if item.split == "train"}
    assert trained == {"struck gold": "It struck gold", "struck oil": "It struck oil"}
    rows = documents.phrases(release=str(tmp_path / "suite"))["test"]
    choices = [row for row in rows if row["kind"] == "choice"]
    assert Counter(row["gold"][0] for row in choices) == dict.fromkeys("ABCD", len(choices) / 4)
    assert all(row["options"]["ABCD".index(row["gold"][0])] != "Meta Usage" for row in choices)
    (always,) = (
        one.predicted.mean()
        for one in replay([samples(tmp_path / "B", choices, lambda _row: "B") / "B"]).answers
        if (one.place.task, one.place.model, one.metrics) == ("idiom_detection", "B", ("strict",))
    )
    assert always == 0.25
    asked = {row["kind"]: documents.prompt(row) for row in rows}
    assert all(f": {option}\n" in asked["choice"] for option in OPTIONS)
    assert "AntiMagn, Magn" in asked["category"]
    assert "“gun dog”" in asked["interpretation"]
    assert all(text.endswith("\nAnswer:") for text in asked.values())
    assert {documents.worth(row, [row["gold"][0]])["worth"] for row in rows} == {1.0}


def test_examples_are_of_training_and_the_same_task(mini_release: Path, tmp_path: Path) -> None:
    compounds = {compound.compound: compound for compound in read_release(mini_release).compounds}
    rows = list(documents.phrases(release=str(mini_release), lang="en", shots=2)["test"])
    assert {row["task"] for row in rows} == {"compositionality", "interpretation"}
    for row in rows:
        *examples, last = documents.prompt(row).split("\n\n")
        assert compounds[row["phrase"]].split != "train"
        assert f"“{row['phrase']}”" in last
        about = [re.search("“(.+)”", example) for example in examples]
        assert [compounds[match[1]].split for match in about if match] == ["train", "train"]
        assert all(("\nA: " in example) == (row["kind"] == "choice") for example in examples)
    asked = next(row for row in rows if row["kind"] == "interpretation")
    assert len(asked["gold"]) > 1
    (part,) = read_recorded(samples(tmp_path / "x", [asked], lambda row: row["gold"][0]) / "x" / SAMPLES)
    assert (part.task, part.setting) == ("interpretation", "2_shot")


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"shots": 99}, "compositionality has "),
        ({"shots": "3"}, "shots '3'"),
        ({"oracle": "gold"}, "oracle 'gold'"),
        ({"shots": 1, "oracle": "category", "of": "compositionality"}, "has 0 items of training like"),
        ({"oracle": "definition"}, "no such items"),
        ({"lang": "xx"}, "no such items"),
    ],
)
def test_questions_that_cannot_be_asked_are_one_clear_error(
    mini_release: Path, metadata: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        documents.phrases(release=str(mini_release), **metadata)
    assert message in str(caught.value)


def test_two_steps_are_asked_at_once_and_scored_apart(mini_release: Path, tmp_path: Path) -> None:
    rows = list(
        documents.phrases(release=str(mini_release), lang="en", of="compositionality", shots=1, steps=True)["test"]
    )
    for row in rows:
        example, asked = documents.prompt(row).split("\n\n")
        assert re.search(r"\nAnswer: .+\n[ABC]$", example)
        assert f"“{row['phrase']}”" not in asked
        assert documents.worth(row, [f"<think>x\ny</think>{row['phrase']}\n{row['gold'][0]}"])["worth"] == 1
        assert documents.worth(row, [f"x\n{row['gold'][0]}"])["worth"] == 0

    def say(row: dict[str, Any]) -> str:
        return f"{row['phrase'] if row['id'].endswith('0') else 'x'}\nB"

    found = replay([samples(tmp_path / "B", rows, say) / "B"]).answers
    mean = {
        one.place.task: one.predicted.mean() for one in found if (one.place.model, one.metrics[0]) == ("B", "strict")
    }
    assert mean["compositionality_multi_step/extraction"] == pytest.approx(1 / 3)
    assert mean["compositionality_multi_step/choice"] == pytest.approx(1 / 3)
    both = sum(row["id"].endswith("0") and row["gold"] == ["B"] for row in rows) / len(rows)
    assert mean["compositionality_multi_step/both"] == pytest.approx(both)


def test_an_oracle_tells_the_type(answers: Path) -> None:
    (part,) = read_recorded(answers / "vmwe_extraction_oracle_0-shot_one.json")
    assert [item.category for item in part.items.values()] == ["VPC", "LVC", "LVC"]
    doc = to_row(next(iter(part.items.values())))
    assert documents.prompt(doc | {"definition": documents.DEFINITIONS["VPC"]}).startswith("The expression is a verb")


class Letters:
    """A source of word vectors that count the letters of a word; unknown where it has none."""

    def words(self, sentences: Sequence[Sequence[str]]) -> Any:
        words = [word for sentence in sentences for word in sentence]
        rows = [[word.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for word in words]
        return np.array([row if any(row) else [np.nan] * 26 for row in rows])[:, None]


def test_meanings_are_near_as_a_naive_count_has_them(answers: Path) -> None:
    replayed = replay([answers], reference=Letters())
    rows = figures(replayed.answers)["noun_compound_interpretation", "one", "bertscore"]
    (near,) = (row for row in rows if not np.isnan(row))  # the other was not answered
    answer, reference = ["a", "dog"], ["a", "dog", "for", "hunting"]

    def cosine(one: str, other: str) -> float:
        a, b = Counter(one), Counter(other)
        lengths = [math.sqrt(sum(v * v for v in row.values())) for row in (a, b)]
        return sum(a[x] * b[x] for x in a) / math.prod(lengths)

    precision = sum(max(cosine(word, other) for other in reference) for word in answer) / len(answer)
    recall = sum(max(cosine(word, other) for word in answer) for other in reference) / len(reference)
    assert near == pytest.approx(2 * precision * recall / (precision + recall))


def test_a_text_without_a_word_is_near_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "MOST_TEXTS", 2)
    model = make(tmp_path / "bert", "bert", layers=2)
    for source in (Letters(), word_source(open_model(str(model), ModelOptions(device="cpu")).source, "bert")):
        vectors = word_vectors(source, ["…", "?!", "a dog", "—", "dog"])
        assert [len(vectors[text]) for text in ("…", "?!", "a dog", "—", "dog")] == [0, 0, 2, 0, 1]
        assert greedy_f1(vectors["…"], vectors["dog"]) == greedy_f1(vectors["dog"], vectors["—"]) == 0
        assert greedy_f1(vectors["dog"], vectors["dog"]) == pytest.approx(1)
        assert not len(word_vectors(source, ["…"])["…"])


@pytest.mark.parametrize(
    ("answer", "worth"),
    [
        ("a dog for hunting", 1 - 0.5 * (1 / 4) ** 3),
        ("dogs", (1 * 0.25 / (0.9 * 1 + 0.1 * 0.25)) * 0.5),  # by its stem; one chunk of one word
        ("canine", 0),  # a synonym is none
    ],
)
def test_meteor_counts_words_and_stems(answer: str, worth: float) -> None:
    words: Any = {"phrase": "gun dog", "sentence": None, "options": (), "gold": ("a dog for hunting",)}
    item = phrase_item(task="meaning", kind="interpretation", **words)
    assert score(item, answer).worth["meteor_stems"] == pytest.approx(worth)


RECORDED = {  # the task that has its items recorded
    "IED": "idiom_detection", "IEE": "idiom_extraction", "NCC": "noun_compound_compositionality",
    "NCE": "noun_compound_extraction", "LCC": "collocation_categorization", "LCE": "collocation_extraction",
    "VPE": "vmwe_extraction_VPC", "LVE": "vmwe_extraction_LVC", "VIE": "vmwe_extraction_VID",
}  # fmt: skip


def is_share(percent: str, size: int, *, cut: bool) -> bool:
    """Tell whether a count out of *size* gives *percent* as it is printed: rounded either way at a half, or *cut* off.

    This is the test GRIM of Brown and Heathers (2017).

    >>> [is_share("42.8", 105, cut=cut) for cut in (False, True)]  # 45 of 105 are 42.857 %
    [False, True]
    """
    value, unit = Fraction(percent), Fraction(1, 10 ** len(percent.partition(".")[2]))
    least = value if cut else value - unit / 2
    share = Fraction(100 * math.ceil(least * size / 100), size)
    return share < least + unit or (share == least + unit and not cut)


@pytest.mark.shared
def test_published_accuracies_are_counts_out_of_other_sets_than_the_paper_says(shared: Path) -> None:
    paper = read_json(shared / "sources/paper-tables/lexbench_paper_tables.json")
    models = {name: row for name, row in paper["table3"].items() if name != "HUMAN" and "SFT" not in name}
    assert len(models) == 21
    folder = zipfile.Path(shared / "sources/suites/semanticqa.zip")
    parts = [part for path in answer_files([folder]) for part in read_recorded(path)]
    recorded = {task.name: len(task.items) for task in phrase_tasks(parts)[0]}

    def fitting(task: str, size: int) -> tuple[int, int, float]:
        """The models whose figure can be a count, rounded and cut; as many of the latter by chance."""
        rounded, kept = (
            sum(is_share(str(row[task]), size, cut=cut) for row in models.values()) for cut in (False, True)
        )
        grid = sum(is_share(f"{number / 10:.1f}", size, cut=True) for number in range(1001)) / 1001
        return rounded, kept, round(21 * grid, 1)

    sizes = {task: recorded[name] for task, name in RECORDED.items()}
    assert {task: (size, *fitting(task, size)) for task, size in sizes.items()} == {
        "IED": (273, 12, 20, 5.7), "IEE": (447, 10, 20, 9.4), "NCC": (241, 4, 4, 5.1), "NCE": (720, 13, 21, 15.1),
        "LCC": (305, 11, 17, 6.4), "LCE": (305, 14, 20, 6.4),
        "VPE": (190, 9, 15, 4.0), "LVE": (180, 12, 18, 3.8), "VIE": (105, 6, 14, 2.2),
    }  # fmt: skip
    sizes = {task: paper["table1"][task][2] for task in ("IED", "NCC")} | {"LCC": 320, "LCE": 320}
    assert {task: fitting(task, size) for task, size in sizes.items()} == {
        "IED": (1, 5, 2.3), "NCC": (1, 1, 2.1), "LCC": (9, 6, 6.7), "LCE": (7, 8, 6.7),
    }  # fmt: skip
    assert fitting("NCC", 236) == (13, 18, 5.0)
    assert fitting("NCC", 237) == (1, 1, 5.0)

    def misfits(task: str, size: int) -> set[str]:
        cells = ((name, str(row[task])) for name, row in models.items())
        return {name for name, cell in cells if not any(is_share(cell, size, cut=cut) for cut in (False, True))}

    sizes = {task: recorded[name] for task, name in RECORDED.items()} | {"NCC": 236}
    assert sum(len(misfits(task, size)) for task, size in sizes.items()) == 19
    served = {name for name in models if not name.startswith(("DeepSeek", "Llama", "Mistral", "Mixtral"))}
    assert (len(served), len(misfits("NCE", 110)), misfits("NCE", 110) & served) == (15, 5, set())


@pytest.mark.shared
def test_published_means_weigh_each_item_and_two_models_share_cells(shared: Path) -> None:
    paper = read_json(shared / "sources/paper-tables/lexbench_paper_tables.json")
    rows, sizes = paper["table3"], {"VPE": 190, "LVE": 180, "VIE": 105}

    def near(weights: Mapping[str, int]) -> set[str]:
        """The rows of Table 4 whose mean without oracle is that of the cells, each at most 0.1 off."""
        found = set()
        for name, row in paper["table4"]["values"].items():
            cells = rows[name.replace("Gemini-1.0-Pro", "Gemini-Pro")]
            mean = sum(cells[task] * weight for task, weight in weights.items()) / sum(weights.values())
            found |= {name} if abs(mean - row["without"]) < 0.15 else set()
        return found

    assert set(paper["table4"]["values"]) - near(sizes) == {"BERT-base|SFT", "GPT-3.5-Turbo|0"}
    assert near(dict.fromkeys(sizes, 1)) == {"BERT-base|SFT"}
    shared_cells = {
        (one, other): cells
        for one, other in itertools.combinations(rows, 2)
        if len(cells := {task for task, value in rows[one].items() if value is not None and value == rows[other][task]})
        > 1
    }
    assert shared_cells == {
        ("GPT-3.5-Turbo|0", "GPT-4-Turbo|0"): {"LVE", "VIE"},
        ("GPT-4-Turbo|0", "Claude-3-Opus|0"): {"IED", "VIE"},
    }


@pytest.mark.shared
def test_the_recorded_answers_that_are_public(shared: Path, tmp_path: Path) -> None:
    """Naive counts of the plain extractions and of every choice, by rules of one line each, over the union of items."""
    archive = zipfile.ZipFile(shared / "sources" / "suites" / "semanticqa.zip")
    wanted = ("idiom_detection", "idiom_extraction", "noun_compound_compositionality", "noun_compound_extraction")
    rows: dict[str, list[dict[str, Any]]] = {}
    for name in archive.namelist():
        folder, _, file = name.removeprefix("semantic_qa/results/").partition("/")
        if folder in wanted and "multi_step" not in name:
            rows[file] = [json.loads(line) for line in archive.read(name).decode("utf-8").splitlines()]
    found = {
        (one.place.task, one.place.setting, one.place.model, one.metrics[0]): one.predicted
        for one in replay([write(tmp_path, rows)]).answers
    }
    items: defaultdict[str, set[str]] = defaultdict(set)
    names = {file: re.fullmatch(r"(.+)_(\d)-shot_(.+)[.]json", file) for file in rows}
    places = {file: (match[1], f"{match[2]}_shot", match[3]) for file, match in names.items() if match}
    for file, part in rows.items():
        items[places[file][0]] |= {json.dumps(row | {"prediction": None}) for row in part}
    assert {task: len(some) for task, some in items.items()} == {
        "idiom_detection": 273, "idiom_extraction": 447, "noun_compound_compositionality": 241,
        "noun_compound_extraction": 720,
    }  # fmt: skip
    for file, part in rows.items():
        gold = next(name for name in ("target", "idiom", "noun_compound") if name in part[0])
        pairs = [(row["prediction"].strip(), row[gold].strip()) for row in part]
        right = {rule: np.nansum(found[*places[file], rule]) for rule in ("strict", "caseless", "lenient")}
        assert len(found[*places[file], "strict"]) == len(items[places[file][0]])
        # prefixes and quotes that the parser takes off
        assert 0 <= right["strict"] - sum(one == other for one, other in pairs) <= 6
        assert right["strict"] <= right["caseless"]
        assert right["lenient"] >= sum(one.lower() == other.lower() for one, other in pairs)
