"""Errors that a user can do something about: how they read, and which exit code they ask for."""

from __future__ import annotations

import dataclasses

import pytest

from ncimp.schemas import errors
from ncimp.schemas.errors import NcimpError, Place, SchemaError, UsageError


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("a.tsv"), "a.tsv"),
        (Place("a.tsv", 3), "a.tsv:3"),
        (Place("a.tsv", 3, 14), "a.tsv:3:14"),
        (Place("a.tsv", 3, "gender"), "a.tsv:3:gender"),
    ],
)
def test_a_place_is_printed_as_far_as_it_is_known(place: Place, text: str) -> None:
    assert str(place) == text


def test_a_column_without_a_line_is_not_printed_as_if_it_were_a_line() -> None:
    assert str(Place("a.tsv", None, 14)) == "a.tsv"


def test_a_place_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Place("a.tsv").line = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (NcimpError("the cell is blank"), "the cell is blank"),
        (NcimpError("the cell is blank", fix="write _"), "the cell is blank; write _"),
        (NcimpError("the cell is blank", place=Place("a.tsv", 2)), "a.tsv:2: the cell is blank"),
        (
            SchemaError("the cell is blank", fix="write _", place=Place("a.tsv", 2, "pos")),
            "a.tsv:2:pos: the cell is blank; write _",
        ),
    ],
)
def test_an_error_reads_place_what_and_advice(error: NcimpError, text: str) -> None:
    assert str(error) == text


def test_an_error_keeps_its_parts_for_those_who_want_to_say_it_differently() -> None:
    error = SchemaError("the cell is blank", fix="write _", place=Place("a.tsv", 2))
    assert (error.what, error.fix, error.place) == ("the cell is blank", "write _", Place("a.tsv", 2))


def test_only_a_wrong_call_ends_with_exit_code_2() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, NcimpError)]
    codes = {kind.__name__: kind.exit_code for kind in kinds}
    assert codes == {
        "NcimpError": 1,
        "UsageError": 2,
        "SchemaError": 1,
        "SourceError": 1,
        "SelectionError": 1,
        "AgreementError": 1,
        "ReleaseError": 1,
        "EvaluationError": 1,
    }
    assert not issubclass(SchemaError, UsageError)
