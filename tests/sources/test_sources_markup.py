"""The markup of context sentences: what it names, and what is refused."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.records import MarkedSentence
from ncimp.builder.sources.packs import packs as markup
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.schemas.errors import Place, SourceError

PLACE = Place("contexts.tsv", 7, "sentence")
MARKS = {"nc": "[{}]", "agrees": "{{{}}}", "fixed": "{{={}}}"}

PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]{}"))
INSIDE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]{}="), min_size=1)
WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]{}=:"), min_size=1)
Piece = tuple[str, str]
"""Kind of mark, or `plain`; text."""
PIECES = st.lists(
    st.tuples(st.just("plain"), PLAIN) | st.tuples(st.just("agrees"), WORD) | st.tuples(st.just("fixed"), INSIDE),
    max_size=6,
)


def write(pieces: list[Piece]) -> str:
    return "".join(text if kind == "plain" else MARKS[kind].format(text) for kind, text in pieces)


def spans(pieces: list[Piece], wanted: str) -> tuple[tuple[int, int], ...]:
    """Return where the pieces of one kind lie in the sentence without markup."""
    found = []
    length = 0
    for kind, text in pieces:
        if kind == wanted:
            found.append((length, length + len(text)))
        length += len(text)
    return tuple(found)


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(markup).failed == 0


@settings(deadline=None)
@given(PIECES, INSIDE, PIECES)
def test_any_sentence_of_plain_pieces_and_marks_comes_apart_where_it_was_put_together(
    before: list[Piece], compound: str, after: list[Piece]
) -> None:
    pieces = [*before, ("nc", compound), *after]
    marked = read_marked(write(pieces), PLACE)
    assert marked.text == "".join(text for _, text in pieces)
    assert (marked.span,) == spans(pieces, "nc")
    assert marked.agreeing == spans(pieces, "agrees")
    assert marked.fixed == spans(pieces, "fixed")


@settings(deadline=None)
@given(PIECES, PIECES)
def test_a_sentence_without_a_compound_is_refused_however_many_words_agree(
    before: list[Piece], after: list[Piece]
) -> None:
    with pytest.raises(SourceError, match="0 compounds are marked"):
        read_marked(write(before + after), PLACE)


def test_all_three_marks_in_one_sentence() -> None:
    text = "O [peixe grande] foi {visto} em Santos, {=dona} de tudo."
    assert read_marked(text, PLACE) == MarkedSentence(
        text="O peixe grande foi visto em Santos, dona de tudo.", span=(2, 14), agreeing=((19, 24),), fixed=((36, 40),)
    )


def test_positions_are_counted_in_characters_and_not_in_bytes() -> None:
    marked = read_marked("Às vésperas, a [greve geral].", PLACE)
    assert marked.text[slice(*marked.span)] == "greve geral"


def test_an_equals_sign_inside_a_word_that_does_not_agree_is_kept() -> None:
    marked = read_marked("[a b] {=c=d}", PLACE)
    assert [marked.text[slice(*span)] for span in marked.fixed] == ["c=d"]


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("A rat race.", "0 compounds are marked", "put exactly one in [square brackets]"),
        ("A [rat race] is a [rat race].", "2 compounds are marked", "put exactly one in [square brackets]"),
        ("A [rat race", "unpaired or empty mark '['", "write [compound], {agrees} or {=does not agree}"),
        ("A rat race]", "unpaired or empty mark ']'", "write [compound], {agrees} or {=does not agree}"),
        ("A [] race", "unpaired or empty mark '['", "write [compound], {agrees} or {=does not agree}"),
        ("A [rat race] {}", "unpaired or empty mark '{'", "write [compound], {agrees} or {=does not agree}"),
        ("A [rat race] {=}", "unpaired or empty mark '{'", "write [compound], {agrees} or {=does not agree}"),
        ("A [rat race] {a=b}", "unpaired or empty mark '{'", "write [compound], {agrees} or {=does not agree}"),
        ("A [rat {race}]", "unpaired or empty mark '['", "write [compound], {agrees} or {=does not agree}"),
        ("A [rat race] is lost}", "unpaired or empty mark '}'", "write [compound], {agrees} or {=does not agree}"),
        ("", "0 compounds are marked", "put exactly one in [square brackets]"),
    ],
)
def test_a_fault_in_the_markup_is_refused_at_its_place_with_advice(text: str, what: str, fix: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_marked(text, PLACE)
    assert str(caught.value) == f"contexts.tsv:7:sentence: {what}; {fix}"


def test_a_mark_may_name_the_paradigm_of_its_word() -> None:
    marked = read_marked("Le car {des:de + le} [anciens trains] {part}.", PLACE)
    assert marked.text == "Le car des anciens trains part."
    assert marked.agreeing == ((7, 10), (26, 30))
    assert marked.paradigms == {(7, 10): "de + le"}
