"""Results of four services come back the same, without names; what is no judgement is set aside with its place."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.annotation.answers.annotators import Rules
from ncimp.builder.annotation.answers.returned import KEPT, Pseudonyms, clean_text
from ncimp.builder.annotation.campaign import SERVICES, Imported, import_results, read_judgements, read_rejected
from ncimp.builder.annotation.rehearsal import Crowd, simulate
from ncimp.builder.annotation.task.batch import ReadBatch
from ncimp.builder.records import Judgement
from ncimp.schemas.errors import SchemaError, SourceError, UsageError
from tests.annotation.scores_world import SALT, key_of, task_name

COMPOUNDS = ["en/night-owl", "en/tax-form"]
ITEM = "en/night-owl/nat1/orig"
TASK = task_name("item", "token", ITEM)
NAMES = Pseudonyms(SALT)
ANSWER = {"task_id": TASK, "status_1": "judged", "head_1": "1", "modifier_1": "0", "comp_1": "2"}


@pytest.fixture
def key(tmp_path: Path) -> ReadBatch:
    """A batch of two compounds, not simulated."""
    return key_of(tmp_path / "batch", COMPOUNDS, simulated=False)


def row(answer: Mapping[str, str], **others: str) -> dict[str, str]:
    """A row of results with these answers."""
    known = {"AssignmentId": "S1", "WorkerId": "A1WORKER", "Input.task_id": TASK, "WorkTimeInSeconds": "31"}
    known |= {"SubmitTime": "Fri Nov 20 16:13:53 UTC 2026"}
    return {**known, **{f"Answer.{name}": value for name, value in answer.items()}, **others}


def write_csv(path: Path, rows: list[dict[str, str]]) -> Path:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)), restval="")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    return path


def imported(paths: list[Path], key: ReadBatch, out: Path, rules: Rules | None = None) -> Imported:
    return import_results(paths, key, NAMES, out, rules, print)


def only(found: Imported) -> Judgement:
    assert found.rejected == []
    (judgement,) = found.judgements
    return judgement


def test_a_row_becomes_a_judgement_without_a_name_or_a_time(tmp_path: Path, key: ReadBatch) -> None:
    found = imported(
        [write_csv(tmp_path / "r.csv", [row({**ANSWER, "synonym1_1": " late  bird "})])], key, tmp_path / "c"
    )
    assert only(found) == Judgement(
        campaign=key.info.batch,
        platform="mturk",
        annotator=NAMES.annotator("mturk", "A1WORKER"),
        assignment=NAMES.assignment("mturk", "S1"),
        task_id=TASK,
        kind="item",
        mode="token",
        lang="en",
        compound_id="en/night-owl",
        item_id=ITEM,
        context="nat1",
        status="judged",
        head=1,
        modifier=0,
        comp=2,
        synonyms=("late bird",),
        day="2026-11-20",
        seconds=31,
        passed=None,
        excluded=None,
        simulated=False,
    )
    written = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "c").iterdir())
    assert "A1WORKER" not in written
    assert "16:13" not in written


@pytest.mark.parametrize("platform", ["mturk", "turkle", "label-studio", "prolific"])
@pytest.mark.parametrize("mode", ["token", "type"])
def test_what_a_service_gives_back_is_what_was_answered(tmp_path: Path, platform: str, mode: str) -> None:
    key = key_of(tmp_path / "batch", COMPOUNDS, to=platform, mode=mode, simulated=True)
    done = simulate(key, Crowd(), {})
    suffix = {"label-studio": ".json", "prolific": ".jsonl"}.get(platform, ".csv")
    path = tmp_path / f"r{suffix}"
    path.write_text(SERVICES[platform].simulate(done, "flat"), encoding="utf-8")
    found = imported([path], key, tmp_path / "c")
    assert found.rejected == []
    sentences = 3 if mode == "type" else 1
    items = [judgement for judgement in found.judgements if judgement.kind == "item"]
    assert len(items) == 10 * len(COMPOUNDS) * 3
    assert len(found.judgements) == len(items) + 10 * 10
    assert {judgement.platform for judgement in items} == {platform}
    wanted = sorted(
        (one.task.sentences[n].item_id, one.fields[f"status_{n + 1}"], one.fields.get(f"comp_{n + 1}"), one.seconds)
        for one in done
        if one.task.kind == "item"
        for n in range(sentences)
    )
    held = [(judgement.item_id, judgement.status, judgement.comp, judgement.seconds) for judgement in items]
    assert sorted(map(str, wanted)) == sorted(
        str((item, status, None if comp is None else str(comp), seconds)) for item, status, comp, seconds in held
    )


@pytest.mark.parametrize(
    ("cell", "synonym"),
    [
        ("'=cmd()", "=cmd()"),
        ("'+1 more", "+1 more"),
        ("'-ish", "-ish"),
        ("'@ home", "@ home"),
        ("'|pipe", "|pipe"),
        ("'% share", "% share"),
        ("'\tindented", "indented"),
        ("'\rreturned", "returned"),
        ("''=quoted", "'=quoted"),  # the person typed the second one
        ("'tis", "'tis"),
        ("=cmd()", "=cmd()"),  # the file of a service itself
        ("'-1", "'-1"),  # a number gets no apostrophe, so this one is the person's own
    ],
)
def test_the_apostrophe_before_a_formula_is_taken_away(tmp_path: Path, key: ReadBatch, cell: str, synonym: str) -> None:
    path = write_csv(tmp_path / "r.csv", [row({**ANSWER, "synonym1_1": cell})])
    assert only(imported([path], key, tmp_path / "c")).synonyms == (synonym,)


@pytest.mark.parametrize("shape", ["dotted", "taskAnswers"])
def test_the_three_shapes_of_mechanical_turk_say_the_same(tmp_path: Path, key: ReadBatch, shape: str) -> None:
    done = simulate(key, Crowd(), {})
    paths = {name: tmp_path / f"{name}.csv" for name in ("flat", shape)}
    for path in paths.values():
        path.write_text(SERVICES["mturk"].simulate(done, "flat" if path.stem == "flat" else shape), encoding="utf-8")
    flat, other = (imported([path], key, tmp_path / f"c-{path.stem}").judgements for path in paths.values())
    assert len(flat) == 160
    assert flat == other


def test_buttons_of_a_crowd_form_inside_task_answers(tmp_path: Path, key: ReadBatch) -> None:
    buttons = {
        "head_1": {"0": False, "1": True},
        "modifier_1": {"0": True},
        "comp_1": {"2": True},
        "status_1": "judged",
    }
    text = json.dumps([{**buttons, "task_id": TASK}])
    found = imported([write_csv(tmp_path / "r.csv", [row({"taskAnswers": text})])], key, tmp_path / "c")
    judgement = only(found)
    assert (judgement.head, judgement.modifier, judgement.comp) == (1, 0, 2)


def test_one_answer_for_all_sentences_of_a_compound(tmp_path: Path) -> None:
    key = key_of(tmp_path / "batch", COMPOUNDS, mode="type", simulated=False)
    task = task_name("item", "type", *(f"en/night-owl/nat{n}/orig" for n in (1, 2, 3)))
    answer = row({**ANSWER, "task_id": task}, **{"Input.task_id": task})
    judgement = only(imported([write_csv(tmp_path / "r.csv", [answer])], key, tmp_path / "c"))
    assert (judgement.item_id, judgement.context, judgement.comp) == (None, None, 2)


def test_a_score_chosen_before_saying_that_it_is_unknown_does_not_count(tmp_path: Path, key: ReadBatch) -> None:
    found = imported([write_csv(tmp_path / "r.csv", [row({**ANSWER, "status_1": "unknown"})])], key, tmp_path / "c")
    assert (only(found).status, only(found).comp) == ("unknown", None)


def test_a_check_is_passed_or_not(tmp_path: Path, key: ReadBatch) -> None:
    gold = task_name("gold", "token", "en/gold-case/nat0/rand1")
    attention = task_name("attention", "token", "en/no-sense/nat0/rand2")
    right = {"status_1": "judged", "head_1": "4", "modifier_1": "5", "comp_1": "4"}
    rows = [
        row(right, AssignmentId="1", **{"Input.task_id": gold}),
        row({**right, "comp_1": "3"}, AssignmentId="2", **{"Input.task_id": gold}),
        row({"status_1": "nonsense"}, AssignmentId="3", **{"Input.task_id": attention}),
        row(right, AssignmentId="4", **{"Input.task_id": attention}),
    ]
    found = imported([write_csv(tmp_path / "r.csv", rows)], key, tmp_path / "c")
    passed = {row.assignment: row.passed for row in found.judgements}
    assert [passed[NAMES.assignment("mturk", name)] for name in "1234"] == [True, False, True, False]


BROKEN: dict[str, tuple[dict[str, str], str]] = {
    "no worker": (row(ANSWER, WorkerId=" "), "no worker"),
    "no assignment": (row(ANSWER, AssignmentId=""), "no assignment"),
    "another project": (
        row(ANSWER, **{"Input.task_id": "b" * 16, "Answer.task_id": "b" * 16}),
        "another project's answer",
    ),
    "another task": (row({**ANSWER, "task_id": "x"}), "the answer names the task 'x'"),
    "no status": (row({**ANSWER, "status_1": "", "comp_1": ""}), "status_1 is ''"),
    "a status of its own": (row({**ANSWER, "status_1": "=cmd()"}), "status_1 is '=cmd()'"),
    "no score": (row({**ANSWER, "head_1": ""}), "head_1 is '', not a score from 0 to 5"),
    "too high": (row({**ANSWER, "comp_1": "6"}), "comp_1 is '6', not a score"),
    "between": (row({**ANSWER, "comp_1": "2.5"}), "comp_1 is '2.5', not a score"),
    "digits of another script": (row({**ANSWER, "comp_1": "٣"}), "not a score"),
    "two buttons": (row({**ANSWER, "comp_1": "", "comp_1.2": "true", "comp_1.4": "true"}), "comp_1 has two answers"),
    "no JSON": (row({"taskAnswers": "[{"}), "Answer.taskAnswers is not JSON"),
    "JSON of another kind": (row({"taskAnswers": "[1, 2]"}), "Answer.taskAnswers is not JSON"),
    "no date": (row(ANSWER, SubmitTime="yesterday"), "'yesterday' is not a date"),
    "no time": (row(ANSWER, WorkTimeInSeconds="-3"), "'-3' is not a number of seconds"),
    "ten megabytes": (row({**ANSWER, "synonym1_1": "x" * 10_000_000}), "answers of 10,000"),
    "rejected": (row(ANSWER, AssignmentStatus="Rejected"), "rejected by its requester"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_row_is_set_aside_with_its_line_and_the_rest_is_imported(
    tmp_path: Path, key: ReadBatch, name: str
) -> None:
    broken, problem = BROKEN[name]
    good = row(ANSWER, AssignmentId="S2", WorkerId="A2WORKER")
    multiline = row({**ANSWER, "synonym1_1": "two\nlines"}, AssignmentId="S3", WorkerId="A3WORKER")
    found = imported([write_csv(tmp_path / "r.csv", [multiline, broken, good])], key, tmp_path / "c")
    (rejected,) = found.rejected
    assert problem in rejected.problem
    assert (rejected.file, rejected.line) == (str(tmp_path / "r.csv"), 4)  # the first row takes two lines
    assert len(found.judgements) == 2
    (aside,) = read_rejected(tmp_path / "c")
    assert aside["problem"] == rejected.problem
    assert "A1WORKER" not in json.dumps(aside)
    assert "example.org" not in json.dumps(aside)
    assert len(json.dumps(aside)) < 3_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("word " * 60, "synonym2_1 has 299 characters, more than 200; the rest of the answer is kept"),
        (
            "me@example.org",
            "synonym2_1 holds an address or a name, which may not be kept; the rest of the answer is kept",
        ),
        (
            "ask A1WORKER",
            "synonym2_1 holds an address or a name, which may not be kept; the rest of the answer is kept",
        ),
    ],
)
def test_a_synonym_that_may_not_be_kept_is_set_aside_alone(
    tmp_path: Path, key: ReadBatch, text: str, problem: str
) -> None:
    path = write_csv(tmp_path / "r.csv", [row({**ANSWER, "synonym1_1": "late bird", "synonym2_1": text})])
    for known in (0, 1):  # a second import changes nothing
        found = imported([path], key, tmp_path / "c")
        assert [(one.line, one.sentence, one.problem) for one in found.rejected] == [(2, 1, problem)]
        assert [(one.comp, one.synonyms) for one in found.judgements] == [(2, ("late bird",))]
        assert (found.answers, found.known) == (1, known)
        (aside,) = read_rejected(tmp_path / "c")
        assert "A1WORKER" not in json.dumps(aside)
        assert "example.org" not in json.dumps(aside)


def test_of_a_task_with_three_sentences_the_good_ones_are_kept(tmp_path: Path) -> None:
    key = key_of(tmp_path / "batch", COMPOUNDS, mode="type", simulated=False)
    task = task_name("item", "type", *(f"en/night-owl/nat{n}/orig" for n in (1, 2, 3)))
    fields = {f"{name}_{n}": "3" for n in (1, 2, 3) for name in ("head", "modifier", "comp")}
    fields |= {f"status_{n}": "judged" for n in (1, 2, 3)} | {"comp_2": "9"}
    path = write_csv(tmp_path / "r.csv", [row(fields, **{"Input.task_id": task})])
    found = imported([path], key, tmp_path / "c")
    assert [(one.sentence, one.problem) for one in found.rejected] == [(2, "comp_2 is '9', not a score from 0 to 5")]
    assert [one.context for one in found.judgements] == ["nat1", "nat3"]


def test_importing_again_adds_nothing_in_whatever_order(tmp_path: Path, key: ReadBatch) -> None:
    rows = [row(ANSWER, AssignmentId=f"S{n}", WorkerId=f"W{n}") for n in range(6)] + [row({}, AssignmentId="bad")]
    first, second = write_csv(tmp_path / "1.csv", rows[:4]), write_csv(tmp_path / "2.csv", rows[3:])
    imported([first, second], key, tmp_path / "a")
    before = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    again = imported([second, first], key, tmp_path / "a")
    assert again.known == again.answers == 7
    assert {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()} == before
    imported([second], key, tmp_path / "b")
    imported([first], key, tmp_path / "b")
    assert {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()} == before


def test_an_answer_that_has_changed_is_told_and_the_first_is_kept(tmp_path: Path, key: ReadBatch) -> None:
    imported([write_csv(tmp_path / "1.csv", [row(ANSWER)])], key, tmp_path / "c")
    found = imported([write_csv(tmp_path / "2.csv", [row({**ANSWER, "comp_1": "5"})])], key, tmp_path / "c")
    assert [one.problem for one in found.rejected] == [
        f"{ITEM}: differs from the answer that was imported earlier, which is kept"
    ]
    assert [one.comp for one in read_judgements(tmp_path / "c")] == [2]
    assert len(read_rejected(tmp_path / "c")) == 1


def test_a_row_that_comes_back_mended_is_no_longer_set_aside(tmp_path: Path, key: ReadBatch) -> None:
    imported([write_csv(tmp_path / "1.csv", [row(ANSWER, SubmitTime="?")])], key, tmp_path / "c")
    assert len(read_rejected(tmp_path / "c")) == 1
    imported([write_csv(tmp_path / "2.csv", [row(ANSWER)])], key, tmp_path / "c")
    assert read_rejected(tmp_path / "c") == []
    assert len(read_judgements(tmp_path / "c")) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no column WorkerId, AssignmentId, Input.task_id"),
        ("a,b\n1,2\n", "no column WorkerId, AssignmentId, Input.task_id"),
        ("WorkerId,WorkerId,AssignmentId,Input.task_id\n", "a column is there twice"),
    ],
)
def test_a_file_that_is_no_results_is_refused(tmp_path: Path, key: ReadBatch, text: str, problem: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SchemaError, match=problem):
        imported([path], key, tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_a_row_with_too_few_cells_is_set_aside(tmp_path: Path, key: ReadBatch) -> None:
    path = tmp_path / "r.csv"
    path.write_text("WorkerId,AssignmentId,Input.task_id\nA,B\n", encoding="utf-8")
    assert [one.problem for one in imported([path], key, tmp_path / "c").rejected] == ["2 cells where the header has 3"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_file_in_another_unicode_encoding_is_read(tmp_path: Path, key: ReadBatch, encoding: str) -> None:
    path = write_csv(tmp_path / "r.csv", [row({**ANSWER, "synonym1_1": "notívago"})])
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    assert only(imported([path], key, tmp_path / "c")).synonyms == ("notívago",)


def test_a_byte_that_is_not_utf_8_is_told_with_its_line(tmp_path: Path, key: ReadBatch) -> None:
    path = write_csv(tmp_path / "r.csv", [row(ANSWER), row({**ANSWER, "synonym1_1": "notívago"}, AssignmentId="S2")])
    path.write_bytes(path.read_text(encoding="utf-8").encode("latin-1"))
    with pytest.raises(SourceError, match=r"r\.csv:3: byte 0xed is not UTF-8; .* save it as UTF-8"):
        imported([path], key, tmp_path / "c")


@pytest.mark.parametrize(
    ("name", "text"),
    [("r.json", '{"a": 1}'), ("r.json", "[[["), ("r.json", "nonsense")],
)
def test_json_that_is_no_export_is_refused(tmp_path: Path, key: ReadBatch, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SchemaError):
        imported([tmp_path / name], key, tmp_path / "c")


LABELS: list[tuple[Any, str]] = [
    ({"data": {}}, "a record without data and annotations"),
    (7, "a record without data and annotations"),
    ({"data": {"task_id": TASK}, "annotations": [3]}, "an annotation that is not an object"),
    ({"data": {"task_id": TASK}, "annotations": [{"id": 1, "completed_by": 2, "was_cancelled": True}]}, "skipped"),
    (
        {"data": {"task_id": TASK}, "annotations": [{"id": 1, "completed_by": 2, "result": [{"from_name": "a"}]}]},
        "not a rating, choice or text",
    ),
]


@pytest.mark.parametrize(("record", "problem"), LABELS)
def test_a_bad_record_of_label_studio_is_set_aside_with_its_number(
    tmp_path: Path, record: object, problem: str
) -> None:
    key = key_of(tmp_path / "batch", COMPOUNDS, to="label-studio", simulated=False)
    (tmp_path / "r.json").write_text(json.dumps([{"data": {}, "annotations": []}, record]), encoding="utf-8")
    (rejected,) = imported([tmp_path / "r.json"], key, tmp_path / "c").rejected
    assert problem in rejected.problem
    assert rejected.line == 2


def test_prolific_names_fields_in_several_ways(tmp_path: Path) -> None:
    key = key_of(tmp_path / "batch", COMPOUNDS, to="prolific", simulated=False)
    who = {"participant_id": "P1", "submission_id": "S", "completed_at": "2026-11-20T10:00:00Z", "time_taken": 12}
    listed = [{"field": name, "value": value} for name, value in ANSWER.items() if name != "task_id"]
    told = [
        {"description": f"How? [{name}]", "answer": [{"label": "x", "value": value}]}
        for name, value in ANSWER.items()
        if name != "task_id"
    ]
    rows = [
        {**who, "task_id": TASK, "responses": ANSWER},
        {**who, "participant_id": "P2", "submission_id": "T", "metadata": {"task_id": TASK}, "responses": listed},
        {**who, "participant_id": "P3", "submission_id": "U", "metadata": {"task_id": TASK}, "responses": told},
        {**who, "submission_id": "V", "task_id": TASK, "responses": 3},
        {**who, "submission_id": "W", "task_id": TASK, "status": "REJECTED", "responses": ANSWER},
    ]
    text = "\n".join(map(json.dumps, rows)) + "\nnonsense\n"
    (tmp_path / "r.jsonl").write_text(text, encoding="utf-8")
    found = imported([tmp_path / "r.jsonl"], key, tmp_path / "c")
    assert [one.comp for one in found.judgements] == [2, 2, 2]
    assert {one.day for one in found.judgements} == {"2026-11-20"}
    assert [(one.line, one.problem.split(",")[0]) for one in found.rejected] == [
        (4, "responses that are neither fields by name nor a list of fields"),
        (5, "the submission was rejected by its requester"),
        (6, "not a JSON object"),
    ]


def test_results_of_an_unknown_kind_are_wrong_use(tmp_path: Path, key: ReadBatch) -> None:
    with pytest.raises(UsageError, match=r"ends in '\.xlsx'"):
        imported([tmp_path / "r.xlsx"], key, tmp_path / "c")


def test_rules_are_declared_once(tmp_path: Path, key: ReadBatch) -> None:
    path = write_csv(tmp_path / "r.csv", [row(ANSWER)])
    imported([path], key, tmp_path / "c", Rules(min_gold=0.8))
    imported([path], key, tmp_path / "c")
    imported([path], key, tmp_path / "c", Rules(min_gold=0.8))
    with pytest.raises(UsageError, match="other rules of exclusion were declared"):
        imported([path], key, tmp_path / "c", Rules(min_gold=0.9))


def test_another_salt_is_refused(tmp_path: Path, key: ReadBatch) -> None:
    path = write_csv(tmp_path / "r.csv", [row(ANSWER)])
    imported([path], key, tmp_path / "c")
    before = {file.name: file.read_bytes() for file in (tmp_path / "c").iterdir()}
    with pytest.raises(UsageError, match="c was made with another salt: people and answers would count twice"):
        import_results([path], key, Pseudonyms(b"typo"), tmp_path / "c", None, print)
    assert {file.name: file.read_bytes() for file in (tmp_path / "c").iterdir()} == before


def simulated(folder: Path, to: str) -> tuple[Path, ReadBatch]:
    """Results and batch of a rehearsal on a service."""
    key = key_of(folder / to, COMPOUNDS, to=to)
    path = folder / f"{to}{SERVICES[to].suffix}"
    path.write_text(SERVICES[to].simulate(simulate(key, Crowd(), {}), "flat"), encoding="utf-8")
    return path, key


@pytest.mark.parametrize("other", ["mturk", "turkle", "label-studio", "prolific"])
@pytest.mark.parametrize("to", ["mturk", "turkle", "label-studio", "prolific"])
def test_results_of_a_batch_for_another_service_are_refused(tmp_path: Path, to: str, other: str) -> None:
    path, _ = simulated(tmp_path, to)
    _, key = simulated(tmp_path, other)
    if to == other:
        assert len(imported([path], key, tmp_path / "c").judgements) == 160
        return
    problem = f"these answers are from {to}, and batch {key.info.batch} was exported for {other}"
    with pytest.raises(SchemaError, match=problem) as caught:
        imported([path], key, tmp_path / "c")
    assert caught.value.fix == "give the batch that was answered with --batch"
    assert not (tmp_path / "c").exists()


def test_answers_that_are_there_from_another_service_are_refused(tmp_path: Path) -> None:
    first, turkle = simulated(tmp_path, "turkle")
    second, mturk = simulated(tmp_path, "mturk")  # the same assignments of the same people
    assert len(imported([first], turkle, tmp_path / "c").judgements) == 160
    with pytest.raises(SchemaError, match="this answer is in the campaign already, from turkle"):
        imported([second], mturk, tmp_path / "c")
    assert len(read_judgements(tmp_path / "c")) == 160


def test_a_batch_that_was_launched_elsewhere_is_known_by_its_name(tmp_path: Path, key: ReadBatch) -> None:
    title = {"Title": f"How literal? (ncimp {key.info.batch})", "Turkle.Username": "ana"}
    rows = [row(ANSWER, **title)]
    assert only(imported([write_csv(tmp_path / "r.csv", rows)], key, tmp_path / "c")).platform == "turkle"
    other = [row(ANSWER, RequesterAnnotation=f"ncimp {'f' * 16} {TASK}")]
    with pytest.raises(SchemaError, match=f"these answers are to batch {'f' * 16}, and batch {key.info.batch}"):
        imported([write_csv(tmp_path / "o.csv", other)], key, tmp_path / "d")


def test_imports_at_once_lose_nothing(tmp_path: Path, key: ReadBatch) -> None:
    rows = [row(ANSWER, AssignmentId=f"S{n}", WorkerId=f"W{n}") for n in range(8)]
    paths = [write_csv(tmp_path / f"{n}.csv", [one]) for n, one in enumerate(rows)]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda path: imported([path], key, tmp_path / "c"), paths))
    assert sorted(len(one.judgements) for one in done) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(read_judgements(tmp_path / "c")) == 8


def test_simulated_answers_stay_marked_with_a_batch_that_is_not(tmp_path: Path, key: ReadBatch) -> None:
    assert not key.info.simulated
    (tmp_path / "r.csv").write_text(SERVICES["mturk"].simulate(simulate(key, Crowd(), {}), "flat"), encoding="utf-8")
    assert all(one.simulated for one in imported([tmp_path / "r.csv"], key, tmp_path / "c").judgements)


def test_marks_of_direction_and_control_are_taken_out() -> None:
    assert clean_text("a\u202eb\u200bc\u0000d\ufeff  e\n") == "abcd e"
    assert clean_text("cafe\u0301") == "café"
    assert clean_text("<script>alert(1)</script>") == "<script>alert(1)</script>"  # kept as text; pages escape it


CELLS = st.text(st.characters(codec="utf-8"), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fixed_dictionaries({"comp": CELLS, "synonym": CELLS, "worker": CELLS, "status": CELLS}), max_size=5))
def test_nothing_is_lost_whatever_is_answered(
    tmp_path_factory: pytest.TempPathFactory, answers: list[dict[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("import")
    key = key_of(folder / "batch", COMPOUNDS, simulated=False)
    rows = [
        row(
            {**ANSWER, "comp_1": one["comp"], "synonym1_1": one["synonym"], "status_1": one["status"]},
            AssignmentId=f"S{n}",
            WorkerId=one["worker"],
        )
        for n, one in enumerate(answers)
    ]
    path = write_csv(folder / "r.csv", [row(ANSWER, AssignmentId="good"), *rows])
    found = imported([path], key, folder / "c")
    whole = [one for one in found.rejected if KEPT not in one.problem]
    assert found.assignments == len(rows) + 1 == len(found.judgements) + len(whole)
    assert read_judgements(folder / "c") == sorted(
        found.judgements,
        key=lambda one: [read.assignment for read in read_judgements(folder / "c")].index(one.assignment),
    )
