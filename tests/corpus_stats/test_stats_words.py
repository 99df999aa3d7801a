"""What counts as a word, and in which form."""

from __future__ import annotations

import doctest
import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.corpus_stats.words import counted_form, is_word, normal_form, tokenise


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("She is an eager beaver.", ["She", "is", "an", "eager", "beaver", "."]),
        ("don't rock'n'roll guarda-chuva", ["don't", "rock'n'roll", "guarda-chuva"]),
        ("don’t guarda‐chuva guarda‑chuva", ["don't", "guarda-chuva", "guarda-chuva"]),
        ("'tis dogs' -ly well- a--b", ["'", "tis", "dogs", "'", "-", "ly", "well", "-", "a", "-", "-", "b"]),
        ("3.5 1,000 3. .5 a.b e.g.", ["3.5", "1,000", "3", ".", ".", "5", "a", ".", "b", "e", ".", "g", "."]),
        ("cafe\u0301 sísmico x\u0303y", ["café", "sísmico", "x\u0303y"]),
        ("snake_case \u00adsoft\u00adhyphen", ["snake", "_", "case", "softhyphen"]),
        ("  \t ", []),
    ],
)
def test_tokenise(line: str, words: list[str]) -> None:
    assert tokenise(line) == words


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Beaver", "beaver"),
        ("É", "é"),
        ("E\u0301", "é"),
        ("O’Neill", "o'neill"),
        ("A\u2011B", "a-b"),
        ("São", "são"),
        ("J\u030c", "ǰ"),
    ],
)
def test_normal_form(text: str, form: str) -> None:
    assert normal_form(text) == form


@given(st.text())
def test_what_is_stored_is_found_again(text: str) -> None:
    """Looking a word up normalises it once more, which must not change it."""
    assert normal_form(normal_form(text)) == normal_form(text)


@pytest.mark.parametrize("separator", [",", "...", "_", "--", "%", "", "'"])
def test_what_holds_no_letter_or_digit_is_a_separator(separator: str) -> None:
    assert not is_word(separator)
    assert counted_form(separator) is None


@pytest.mark.parametrize("word", ["a", "7", "$5", "n't", "@card@", "ß"])
def test_what_holds_a_letter_or_digit_is_a_word(word: str) -> None:
    assert is_word(word)
    assert counted_form(word) == word


@given(st.text())
def test_tokens_of_text_are_its_visible_characters(line: str) -> None:
    assert "".join("".join(tokenise(line)).split()) == "".join(tokenise(line))
    assert tokenise(" ".join(tokenise(line))) == tokenise(line)


@pytest.mark.parametrize("module", ["words", "store.store"])
def test_examples_in_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"ncimp.corpus_stats.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
