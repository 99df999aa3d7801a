"""Hashes: known values, and what they must and must not tell apart."""

from __future__ import annotations

import doctest
import hashlib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.schemas import files
from ncimp.schemas.files import file_hash, keyed_hash, logical_hash, value_hash

# of the bytes a NUL b NUL; of {"a":"é","b":[1,null]}; of the lines {"a":1,"b":2} and {"a":3}; of nothing
KEYED = "8fb20ef63ced4145fc2e983ffe597d1dcff39154c3bf21f0fa9dde6a0c50fdc9"
VALUE = "3d92f6368f93f3cb36a4e7a721098054dfbfd705e31fa50409f2d99e0727a08c"
LOGICAL = "3aa91ab022efb38ee17a18c98c1fa1ed879762f5a864796a27f74d62a2fa2de2"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

# a NUL ends a part, so no part may hold one
PARTS = st.lists(st.text(st.characters(exclude_categories=["Cs"], min_codepoint=1)), max_size=4)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]))
ROWS = st.dictionaries(st.text("abc", max_size=3), SCALARS, max_size=4)


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(files).failed == 0


def test_known_hashes() -> None:
    assert keyed_hash("a", "b") == KEYED
    assert value_hash({"b": [1, None], "a": "é"}) == VALUE
    assert logical_hash([{"b": 2, "a": 1}, {"a": 3}]) == LOGICAL
    assert keyed_hash() == logical_hash([]) == EMPTY


@settings(deadline=None)
@given(PARTS, PARTS)
def test_parts_have_one_hash_exactly_when_they_are_the_same(one: list[str], other: list[str]) -> None:
    assert (keyed_hash(*one) == keyed_hash(*other)) == (one == other)


@settings(deadline=None)
@given(PARTS, st.text("ab", min_size=1))
def test_moving_a_letter_to_the_next_part_changes_the_hash(parts: list[str], letters: str) -> None:
    assert keyed_hash(*parts, letters, "") != keyed_hash(*parts, "", letters)


def test_hashes_are_of_the_text_as_it_is_written() -> None:
    assert keyed_hash("é") != keyed_hash(unicodedata.normalize("NFD", "é"))


@pytest.mark.parametrize("size", [0, 1, 33])
def test_a_file_has_the_hash_of_its_bytes(tmp_path: Path, size: int) -> None:
    content = bytes(range(size))
    (tmp_path / "a").write_bytes(content)
    assert file_hash(tmp_path / "a") == hashlib.sha256(content).hexdigest()


@settings(deadline=None)
@given(ROWS)
def test_the_order_of_keys_does_not_change_a_hash(row: dict[str, object]) -> None:
    turned = dict(reversed(row.items()))
    assert value_hash(turned) == value_hash(row)
    assert logical_hash([turned]) == logical_hash([row])


@settings(deadline=None)
@given(st.lists(ROWS, max_size=3), st.lists(ROWS, max_size=3))
def test_rows_have_one_hash_exactly_when_they_are_the_same(
    one: list[dict[str, object]], other: list[dict[str, object]]
) -> None:
    # repr tells True from 1, as JSON does and Python's == does not
    same = [sorted(map(repr, row.items())) for row in one] == [sorted(map(repr, row.items())) for row in other]
    assert (logical_hash(one) == logical_hash(other)) == same
    assert (value_hash(one) == value_hash(other)) == same


def test_the_order_of_rows_and_their_borders_change_the_hash() -> None:
    first, second = {"a": 1}, {"b": 2}
    hashes = {
        logical_hash([first, second]),
        logical_hash([second, first]),
        logical_hash([first | second]),
        logical_hash([first]),
    }
    assert len(hashes) == 4


def test_a_value_that_json_cannot_hold_has_no_hash() -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        value_hash({"a": float("nan")})
