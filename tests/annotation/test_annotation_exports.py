"""The files of each service: in its shape, and safe whatever the sentences hold."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from jsonschema import Draft202012Validator

from ncimp.builder.annotation.services.label_studio import label_studio_files, marked_html
from ncimp.builder.annotation.services.mturk_format import MAX_QUESTION, filled_question, mturk_files
from ncimp.builder.annotation.services.prolific import prolific_files
from ncimp.builder.annotation.services.turkle import turkle_files
from ncimp.builder.annotation.task.batch import Material, Planned, plan
from ncimp.builder.annotation.task.cells import cell, plain
from ncimp.builder.annotation.task.page import HTML_QUESTION, PLACEHOLDER, SENTENCES
from ncimp.builder.records import Mode
from ncimp.schemas.errors import SelectionError
from tests.annotation.annotation_world import HOSTILE, LANGS, design, hostile_sheet, material_of, wording_of

MODES: tuple[Mode, ...] = ("token", "type")
SECRETS = ("gold", "attention", "idiomatic", "compositional", "nat1", "nat2", "nat3", "rand", "expected", "en/")
"""What would tell an annotator what a task is for, or what kind of compound it is about."""

FIELDS = ("status", "modifier", "head", "comp", "synonym1", "synonym2", "synonym3")
TEXT = {"type": "string"}
STUDIO_TASKS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "data": {
                "type": "object",
                "required": ["task_id", "modifier", "head", "nc", "html_1", "ask_status_1", "ask_comp_1"],
                "additionalProperties": TEXT,
            }
        },
        "required": ["data"],
        "additionalProperties": False,
    },
}
"""A task file of Label Studio, as its documentation describes it: the values of a task are under `data`."""

ITEM: dict[str, Any] = {
    "oneOf": [
        {
            "properties": {"type": {"const": "dataset_field"}, "field": TEXT},
            "required": ["type", "field"],
            "additionalProperties": False,
        },
        {
            "properties": {"type": {"const": "rich_text"}, "content": TEXT, "content_format": {"const": "markdown"}},
            "required": ["type", "content"],
            "additionalProperties": False,
        },
        {
            "properties": {"type": {"const": "free_text"}, "description": TEXT},
            "required": ["type", "description"],
            "additionalProperties": False,
        },
        {
            "properties": {
                "type": {"const": "multiple_choice"},
                "description": TEXT,
                "answer_limit": {"const": 1},
                "options": {
                    "type": "array",
                    "minItems": 2,
                    "items": {"properties": {"label": TEXT, "value": TEXT}, "required": ["label", "value"]},
                },
            },
            "required": ["type", "description", "answer_limit", "options"],
            "additionalProperties": False,
        },
    ]
}


def level(name: str, inside: dict[str, Any], most: int = 1000) -> dict[str, Any]:
    """Return the schema of a list of objects that hold one list called *name*."""
    one = {"type": "object", "properties": {name: inside}, "required": [name], "additionalProperties": False}
    return {"type": "array", "minItems": 1, "maxItems": most, "items": one}


LAYOUT = level("rows", level("columns", level("items", {"type": "array", "minItems": 1, "items": ITEM}, 2)))
"""Prolific's `batch_items`: pages of rows of one or two columns of items."""


@pytest.fixture(scope="module")
def material(mini_release: Path) -> Material:
    return material_of(mini_release, "en")


def tasks_of(material: Material, mode: Mode) -> list[Planned]:
    return plan(material, sorted(material.compounds), design(mode))[0]


def hostile_tasks(material: Material, value: str, mode: Mode) -> list[Planned]:
    one = tasks_of(material, mode)[0]
    return [dataclasses.replace(one, sheet=hostile_sheet(value, SENTENCES[mode]))]


@pytest.mark.parametrize("mode", MODES)
def test_the_table_has_the_columns_of_the_contract_and_the_plain_values(material: Material, mode: Mode) -> None:
    tasks = tasks_of(material, mode)
    files = turkle_files(tasks, wording_of("en"))
    assert sorted(files) == ["tasks.csv", "template.html"]
    rows = list(csv.DictReader(io.StringIO(files["tasks.csv"])))
    parts = [f"{name}_{n}" for n in range(1, SENTENCES[mode] + 1) for name in ("before", "span", "after")]
    assert list(rows[0]) == ["task_id", "modifier", "head", "nc", *parts]
    assert set(rows[0]) == set(PLACEHOLDER.findall(files["template.html"]))
    assert [{name: plain(text) for name, text in row.items()} for row in rows] == [one.sheet.fields() for one in tasks]


@pytest.mark.parametrize("mode", MODES)
def test_turkle_takes_a_piece_of_html_in_its_own_form(material: Material, mode: Mode) -> None:
    template = turkle_files(tasks_of(material, mode), wording_of("en"))["template.html"]
    assert not re.search(r"<(?:!doctype|html|head|body|form)\b", template, re.IGNORECASE)
    assert len(template.encode()) < 64 * 1024
    assert template.count('type="submit"') == 1  # or Turkle would add a button of its own


@pytest.mark.parametrize("mode", MODES)
def test_no_file_tells_what_a_task_is_for(material: Material, mode: Mode) -> None:
    tasks = tasks_of(material, mode)
    for make in (mturk_files, turkle_files, label_studio_files, prolific_files):
        for name, text in make(tasks, wording_of("en")).items():
            if name in ("tasks.csv", "tasks.json", "dataset.jsonl"):
                for secret in SECRETS:
                    assert secret not in text, (name, secret)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_the_question_is_an_html_question_with_room_to_spare(material: Material, lang: str, mode: Mode) -> None:
    tasks = tasks_of(material, mode)
    question = mturk_files(tasks, wording_of(lang))["question.xml.template"]
    for one in tasks:
        filled = filled_question(question, {name: cell(value) for name, value in one.sheet.fields().items()})
        root = fromstring(filled)
        assert root.tag == f"{{{HTML_QUESTION}}}HTMLQuestion"
        assert [child.tag.rsplit("}")[1] for child in root] == ["HTMLContent", "FrameHeight"]
        assert root[0].text.strip().startswith("<!DOCTYPE html>")
        assert PLACEHOLDER.search(root[0].text) is None
        assert len(filled.encode()) < MAX_QUESTION * 0.6


@pytest.mark.parametrize("mode", MODES)
def test_a_hostile_value_ends_neither_the_xml_nor_the_page(material: Material, mode: Mode) -> None:
    for value in HOSTILE:
        tasks = hostile_tasks(material, value, mode)
        files = mturk_files(tasks, wording_of("en"))
        (row,) = csv.DictReader(io.StringIO(files["tasks.csv"]))
        assert plain(row["span_1"]) == plain(row["head"]) == value
        root = fromstring(filled_question(files["question.xml.template"], row))
        assert len(root) == 2
        assert root[0].text.rstrip().endswith("</html>")
        assert root[0].text.count("<script") == 2  # the page's own, and the one that sends it


def test_a_question_that_is_too_long_names_its_task(material: Material) -> None:
    with pytest.raises(SelectionError, match=r"task a{16} has 6\d\d,\d{3} bytes, and at most 65,535"):
        mturk_files(hostile_tasks(material, "x" * 40_000, "token"), wording_of("en"))


@pytest.mark.parametrize("mode", MODES)
def test_label_studio_gets_tasks_and_an_interface_that_fit_each_other(material: Material, mode: Mode) -> None:
    for value in ["plain", *HOSTILE]:
        tasks = tasks_of(material, mode) if value == "plain" else hostile_tasks(material, value, mode)
        files = label_studio_files(tasks, wording_of("en"), contact=value)
        rows = json.loads(files["tasks.json"])
        Draft202012Validator(STUDIO_TASKS).validate(rows)
        view = fromstring(files["config.xml"])
        used = {text[1:] for one in view.iter() if (text := one.get("value", "")).startswith("$")}
        for row in rows:
            assert used <= set(row["data"])
        named = {one.get("name") for one in view.iter() if one.tag in ("Choices", "TextArea")}
        assert named == {f"{name}_{n}" for name in FIELDS for n in range(1, SENTENCES[mode] + 1)}
        shown = {one.get("name") for one in view.iter("HyperText")}
        told = [one.get("value", "") for one in view.iter("Header")]
        assert any(" – red 0, tape 0, red tape 0. There is no tape" in text for text in told)
        assert {one.get("toName") for one in view.iter() if one.get("toName")} == shown
        assert [row["data"]["modifier"] for row in rows] == [one.sheet.modifier for one in tasks]


def test_label_studio_asks_for_scores_only_of_what_can_be_judged(material: Material) -> None:
    view = fromstring(label_studio_files(tasks_of(material, "type"), wording_of("en"))["config.xml"])
    for number in (1, 2, 3):
        guarded = [one for one in view.iter("View") if one.get("whenTagName") == f"status_{number}"]
        assert {one.get("whenChoiceValue") for one in guarded} == {"judged"}
        assert [one[1].get("name") for one in guarded] == [f"{name}_{number}" for name in FIELDS[1:]]
    scale = next(one for one in view.iter("Choices") if one.get("name") == "comp_1")
    assert [choice.get("value") for choice in scale] == ["0", "1", "2", "3", "4", "5"]


def test_a_marked_sentence_holds_no_markup_but_ours() -> None:
    for value in HOSTILE:
        assert set(re.findall(r"<(\w+)", marked_html((value, value, value)))) == {"p", "bdi", "mark"}


@pytest.mark.parametrize("mode", MODES)
def test_prolific_gets_a_dataset_with_its_schema_and_a_layout(material: Material, mode: Mode) -> None:
    for value in ["plain", *HOSTILE]:
        tasks = tasks_of(material, mode) if value == "plain" else hostile_tasks(material, value, mode)
        files = prolific_files(tasks, wording_of("en"))
        rows = [json.loads(line) for line in files["dataset.jsonl"].removesuffix("\n").split("\n")]
        fields = json.loads(files["schema.json"])["fields"]
        assert len(rows) == len(tasks)
        assert all(list(row) == list(fields) for row in rows)
        assert fields.pop("task_id") == {"type": "metadata"}
        assert fields.pop("group") == {"type": "task_group_id"}
        assert set(map(str, fields.values())) == {"{'type': 'text'}"}
        layout = json.loads(files["batch_items.json"])
        Draft202012Validator(LAYOUT).validate(layout)
        items = [
            item for page in layout for row in page["rows"] for column in row["columns"] for item in column["items"]
        ]
        assert {one["field"] for one in items if one["type"] == "dataset_field"} == set(fields)
        for page in layout:  # the service takes a field once a page
            shown = [item.get("field") for row in page["rows"] for column in row["columns"] for item in column["items"]]
            assert len(set(filter(None, shown))) == len(list(filter(None, shown)))
        named = [re.search(r"\[(\w+)\]$", one["description"]) for one in items if "description" in one]
        assert [one and one[1] for one in named] == [
            f"{name}_{n}" for n in range(1, SENTENCES[mode] + 1) for name in FIELDS
        ]


def test_a_group_of_prolific_is_that_of_the_key_and_has_its_checks(material: Material) -> None:
    chosen = design(gold="1/9", attention="1/9", group_size=10, min_checks=2)
    (tasks,) = plan(material, sorted(material.compounds), chosen)
    rows = [json.loads(line) for line in prolific_files(tasks, wording_of("en"))["dataset.jsonl"].splitlines()]
    assert [(row["task_id"], row["group"]) for row in rows] == [(one.task.task_id, one.task.group) for one in tasks]
    checks = Counter((one.task.group, one.task.kind) for one in tasks if one.task.kind != "item")
    assert set(checks.values()) == {2}
    assert len(checks) == 2 * 3
