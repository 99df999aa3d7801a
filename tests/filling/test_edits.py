"""Edits applied together, spans that follow them, and tokens."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.filling.fill import tokenise
from ncimp.builder.filling.repair import Edit, apply_edits, same_case
from ncimp.builder.records import CarrierEdit, MarkedSentence, Span

words = st.lists(st.text("abc", min_size=1, max_size=6), min_size=3, max_size=10)
sentences = st.text("ab Çé-'.,!?“”12", min_size=1, max_size=40)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[str], int, set[int]]:
    """Return words, what each becomes, which of them is the NC, and which others are marked as agreeing."""
    before = draw(words)
    after = [draw(st.one_of(st.just(word), st.text("xyz", min_size=1, max_size=9))) for word in before]
    places = st.integers(0, len(before) - 1)
    nc = draw(places)
    return before, after, nc, draw(st.sets(places)) - {nc}


def spans_of(parts: list[str]) -> list[Span]:
    starts = [sum(len(part) + 1 for part in parts[:index]) for index in range(len(parts))]
    return [(start, start + len(part)) for start, part in zip(starts, parts, strict=True)]


@given(edited(), st.randoms(use_true_random=False))
def test_edits_and_spans_equal_a_rewritten_sentence(
    given_: tuple[list[str], list[str], int, set[int]], random: object
) -> None:
    before, after, nc, marked = given_
    old, new = spans_of(before), spans_of(after)
    agreeing, fixed = tuple(old[i] for i in sorted(marked)), tuple(old[i] for i in range(len(old)) if i % 2)
    sentence = MarkedSentence(" ".join(before), old[nc], agreeing, fixed)
    edits = [Edit(span, word, "rule") for span, word in zip(old, after, strict=True)]
    random.shuffle(edits)  # type: ignore[attr-defined]
    made, records = apply_edits(sentence, edits)
    assert made.text == " ".join(after)
    assert made.span == new[nc]
    assert made.agreeing == tuple(new[i] for i in sorted(marked))
    assert made.fixed == tuple(new[i] for i in range(len(new)) if i % 2)
    changed = [i for i in range(len(before)) if i != nc and before[i] != after[i]]
    assert records == tuple(CarrierEdit(new[i][0], before[i], after[i], "rule") for i in changed)


def test_no_edits_leave_sentence_unchanged() -> None:
    sentence = MarkedSentence("a b c", (2, 3), ((0, 1),), ((4, 5),))
    assert apply_edits(sentence, []) == (sentence, ())


def test_edits_of_worked_example() -> None:
    sentence = MarkedSentence("A saia justa ficou famosa.", (2, 12), ((19, 25),), ())
    edits = [Edit((19, 25), "famoso", "b"), Edit((2, 12), "rumo", "replacement"), Edit((0, 1), "O", "a")]
    made, records = apply_edits(sentence, edits)
    assert made == MarkedSentence("O rumo ficou famoso.", (2, 6), ((13, 19),), ())
    assert records == (CarrierEdit(0, "A", "O", "a"), CarrierEdit(13, "famosa", "famoso", "b"))


@pytest.mark.parametrize("span", [(0, 1), (0, 2), (1, 4)])
def test_two_edits_of_one_stretch_are_an_error_of_the_program(span: Span) -> None:
    sentence = MarkedSentence("A saia justa.", (2, 12), (), ())
    with pytest.raises(AssertionError, match="two changes of one stretch"):
        apply_edits(sentence, [Edit((0, 2), "O ", "a"), Edit(span, "x", "b"), Edit((2, 12), "rumo", "replacement")])


@pytest.mark.parametrize(
    ("word", "model", "expected"),
    [
        ("uma", "Um", "Uma"),
        ("uma", "um", "uma"),
        ("ao", "À", "Ao"),
        ("às", "Aos", "Às"),
        ("Dutch", "eager", "Dutch"),
        ("hourglass", "1st", "hourglass"),
        ("", "Um", ""),
    ],
)
def test_same_case_copies_initial_capital(word: str, model: str, expected: str) -> None:
    assert same_case(word, model) == expected


@pytest.mark.parametrize("lang", ["en", "pt"])
@given(text=sentences, cut=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_tokens_cover_text_and_token_span_covers_span(
    lang: str, mini_patterns: dict[str, str], text: str, cut: tuple[int, int]
) -> None:
    start, end = sorted(min(place, len(text)) for place in cut)
    if not text[start:end].strip():
        return
    tokens, found = tokenise(text, (start, end), mini_patterns[lang])
    assert "".join(tokens) == re.sub(r"\s", "", text)
    offsets = [0]
    for token in tokens:
        offsets.append(text.index(token, offsets[-1]) + len(token))
    inside = [k for k, token in enumerate(tokens) if offsets[k + 1] > start and offsets[k + 1] - len(token) < end]
    assert found == (min(inside), max(inside) + 1)


@pytest.fixture(scope="module")
def mini_patterns(mini_langs: dict[str, LanguageResources]) -> dict[str, str]:
    return {lang: shop.pack.language.token for lang, shop in mini_langs.items()}


@pytest.mark.parametrize(
    ("text", "span", "tokens", "token_span"),
    [
        (
            "Basta um pé-frio na torcida.",
            (9, 16),
            ("Basta", "um", "pé-frio", "na", "torcida", "."),
            (2, 3),
        ),
        ("A saia justa.", (2, 12), ("A", "saia", "justa", "."), (1, 3)),
        ("“Rat race”, he said", (1, 9), ("“", "Rat", "race", "”", ",", "he", "said"), (1, 3)),
        ("The book's end", (11, 14), ("The", "book's", "end"), (2, 3)),
    ],
)
def test_tokens_of_example(
    mini_patterns: dict[str, str], text: str, span: Span, tokens: tuple[str, ...], token_span: Span
) -> None:
    assert tokenise(text, span, mini_patterns["pt"]) == (tokens, token_span)
