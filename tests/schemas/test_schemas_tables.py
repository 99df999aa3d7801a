"""The JSON Schemas as tables: complete, closed, described; and what a row that does not fit is told."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from ncimp.builder.records import Exclusion, Form, Manifest, Source, SplitAssignment
from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.records import SUFFIX, Schema, columns, from_row, load_schema
from scripts import generate
from tests.schemas.checking import validator

TABLES = Path(__file__).parents[2] / "schemas" / "tables"
NAMES = sorted(path.name.removesuffix(SUFFIX) for path in TABLES.iterdir())
FORM = {"form": "ovelhas", "lemma": "ovelha", "pos": "noun", "gender": "f", "number": "pl", "onset": None}
SOURCE = {
    "name": "a",
    "kind": "pack",
    "version": "1",
    "licence": "MIT",
    "citation": "b",
    "address": None,
    "sha256": None,
}
ZERO = "0" * 64
FILE = {"path": "a", "bytes": 1, "sha256": ZERO, "rows": None, "logical_sha256": None}
MANIFEST = {
    "format": 1,
    "name": "ncimp",
    "release": "0.1.0",
    "code_version": "0.1.0",
    "edition": "open",
    "languages": ["en"],
    "options": {},
    "inputs": [SOURCE],
    "files": [FILE],
    "logical_sha256": ZERO,
    "counts": {},
    "matching": {},
}


RECORDS: dict[str, type] = {
    "exclusion": Exclusion,
    "form": Form,
    "manifest": Manifest,
    "source": Source,
    "split": SplitAssignment,
}


def check(table: str, row: dict[str, Any], place: Place) -> None:
    from_row(RECORDS[table], row, table=table, place=place)


def objects(name: str) -> Iterator[tuple[str, Schema]]:
    """Yield every object of the schema *name* with its path, the table itself first."""

    def walk(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
        if schema.get("type") == "object":
            yield path, schema
        for column, part in schema.get("properties", {}).items():
            yield from walk(part, f"{path}/{column}".lstrip("/"))
        if "items" in schema:
            yield from walk(schema["items"], f"{path}[]")

    return walk(load_schema(name), "")


def test_schemas_generated_again_are_equal() -> None:
    assert generate.stale_files(generate.ROOT) == {}


def test_every_schema_file_has_a_record() -> None:
    assert sorted(generate.RECORDS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_and_names_itself(name: str) -> None:
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:ncimp:schema:{name}"
    assert schema["type"] == "object"


@pytest.mark.parametrize("name", NAMES)
def test_every_table_and_column_is_described_in_a_sentence(name: str) -> None:
    assert load_schema(name)["description"].endswith(".")
    for path, schema in objects(name):
        for column, part in schema.get("properties", {}).items():
            text = part.get("description", "")
            assert text.endswith("."), f"{path}/{column}"
            assert text[0].upper() == text[0] or text.startswith(("lang/", "log", "max(", "p ")), f"{path}/{column}"


def test_the_columns_of_a_table_are_its_properties_in_order() -> None:
    assert columns("form") == ("form", "lemma", "pos", "gender", "number", "onset", "further")
    assert columns("split") == ("compound", "split")


@pytest.mark.parametrize(("table", "row"), [("form", FORM), ("source", SOURCE), ("manifest", MANIFEST)])
def test_a_row_that_fits_is_left_alone(table: str, row: dict[str, Any]) -> None:
    check(table, row, Place("a", 2))


def described(table: str, column: str) -> str:
    return str(load_schema(table)["properties"][column]["description"])


ROW_ERRORS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a word that is not in the closed set": (
        "form",
        FORM | {"gender": "x"},
        f"f.tsv:2:gender: 'x' is not one of ['m', 'f', 'n', 'c', None]; gender: {described('form', 'gender')}",
    ),
    "another type": (
        "form",
        FORM | {"lemma": None},
        f"f.tsv:2:lemma: None does not fit (Expected `str`, got `null`); lemma: {described('form', 'lemma')}",
    ),
    "a text that breaks its pattern": (
        "source",
        SOURCE | {"sha256": "abc"},
        f"f.tsv:2:sha256: 'abc' does not match '^[0-9a-f]{{64}}$'; sha256: {described('source', 'sha256')}",
    ),
    "a missing column": (
        "split",
        {"compound": "rat race"},
        "f.tsv:2: 'split' is missing; see split.schema.json",
    ),
    "a column too many": (
        "split",
        {"compound": "rat race", "split": "test", "fold": 1},
        "f.tsv:2:fold: unknown key 'fold'; use compound, split",
    ),
    "a fault inside a list": (
        "manifest",
        MANIFEST | {"files": [FILE | {"bytes": "many"}]},
        f"f.tsv:2:files: 'many' does not fit (Expected `int`, got `str`) in 'files/0/bytes'; "
        f"files: {described('manifest', 'files')}",
    ),
    "a fault in a table that another refers to": (
        "manifest",
        MANIFEST | {"inputs": [SOURCE, SOURCE | {"kind": "rumour"}]},
        "f.tsv:2:inputs: 'rumour' is not one of ['pack', 'lexicon', 'frequencies', 'corpus', 'scores', 'wordnet', "
        f"'benchmark'] in 'inputs/1/kind'; inputs: {described('manifest', 'inputs')}",
    ),
}


@pytest.mark.parametrize("case", ROW_ERRORS)
def test_a_row_that_does_not_fit_is_refused_at_its_column_with_what_belongs_there(case: str) -> None:
    table, row, message = ROW_ERRORS[case]
    with pytest.raises(SchemaError) as caught:
        check(table, row, Place("f.tsv", 2))
    assert str(caught.value) == message


JUNK = st.sampled_from([None, True, 1, 0.5, -1, 2**70, "", "m", "sg", "0.1.0", "a/b", "2026-11-20"])
VALUES = JUNK | st.lists(JUNK, max_size=2) | st.dictionaries(st.sampled_from(["text", "start"]), JUNK, max_size=2)
ROWS: dict[str, dict[str, Any]] = {
    "form": FORM,
    "source": SOURCE,
    "manifest": MANIFEST,
    "split": {"compound": "rat race", "split": "test"},
    "exclusion": {"compound": "*", "modifier": "a", "head": "b", "reason": "c", "author": "d", "date": "2026-11-20"},
}


@settings(deadline=None)
@given(st.sampled_from(sorted(ROWS)), st.data())
def test_a_row_is_refused_exactly_when_a_plain_validator_refuses_it(table: str, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from([*columns(table), "other"]))
    row = ROWS[table] | {column: data.draw(VALUES)}
    fits = validator(table).is_valid(row)
    try:
        check(table, row, Place("a", 2))
    except SchemaError:
        assert not fits, (table, column, row)
    else:
        assert fits, (table, column, row)


@pytest.mark.parametrize("release", ["0.1.0\n", "0.1", "v0.1.0", "٠.1.0"])
def test_a_version_is_three_numbers_and_nothing_else(release: str) -> None:
    with pytest.raises(SchemaError):
        check("manifest", MANIFEST | {"release": release}, Place("a"))


def test_a_value_that_json_has_no_word_for_is_refused_at_its_column() -> None:
    with pytest.raises(SchemaError) as caught:
        check("split", {"compound": datetime.date(2026, 11, 20), "split": "test"}, Place("a", 1))
    assert str(caught.value).startswith("a:1:compound: datetime.date(2026, 11, 20) does not fit ")


def test_true_is_not_a_number() -> None:
    with pytest.raises(SchemaError, match="True does not fit"):
        check("manifest", MANIFEST | {"files": [FILE | {"rows": True}]}, Place("a"))
