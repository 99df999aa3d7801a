"""Every corpus format by a small corpus written here, and every error by its message."""

from __future__ import annotations

import pytest

from ncimp.corpus_stats.readers.formats import FORMATS, Corpus
from ncimp.corpus_stats.words import Sentence, Token
from ncimp.schemas.errors import SourceError, UsageError

REST = "\t_" * 7


def read(corpus_format: str, *lines: str) -> list[Sentence]:
    return list(FORMATS[corpus_format].read(enumerate(lines, start=1), file="corpus"))


def message(corpus_format: str, *lines: str) -> str:
    with pytest.raises(SourceError) as caught:
        read(corpus_format, *lines)
    return str(caught.value)


def word(identity: str, form: str, lemma: str) -> str:
    return f"{identity}\t{form}\t{lemma}{REST}"


def test_text_has_surface_words_and_no_lemmas() -> None:
    (first, second) = read("text", "Eager beavers, all.", "", "   ", "Yes")
    assert first == tuple(Token(form, None) for form in ("Eager", "beavers", ",", "all", "."))
    assert second == (Token("Yes", None),)


def test_conllu_surface_is_what_was_written_and_lemmas_are_what_was_analysed() -> None:
    lines = [
        "# text = Sai da toca,",
        word("1", "Sai", "sair"),
        word("2-3", "da", "_"),
        word("2", "de", "de"),
        word("3", "a", "o"),
        word("3.1", "empty", "empty"),
        word("4", "toca", "toca"),
        word("5", ",", ","),
        "",
    ]
    (sentence,) = read("conllu", *lines)
    assert [token.surface for token in sentence] == ["Sai", "da", None, None, "toca", ","]
    assert [token.lemma for token in sentence] == ["sair", None, "de", "o", "toca", ","]


def test_conllu_sentences_end_at_blank_lines_and_at_the_end() -> None:
    one, two = word("1", "One", "one"), word("1", "Two", "two")
    expected = [(Token("One", "one"),), (Token("Two", "two"),)]
    assert read("conllu", "# c", "", one, "", "", "# c", two, "") == expected
    assert read("conllu", one, "", word("0.1", "e", "e"), two) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1\tOne\tone"], "corpus:1: 3 tab-separated columns where CoNLL-U has 10; is it CoNLL-U? see --format"),
        ([word("x", "a", "a")], "corpus:1:ID: 'x' is not a word id; write 7, 7-8 or 7.1"),
        ([word("9" * 5000, "a", "a")], f"corpus:1:ID: '{'9' * 5000}' is not a word id; write 7, 7-8 or 7.1"),
        ([word("1", "", "a")], "corpus:1:FORM: the form is blank; write the form, or _ where it is withheld"),
        (
            [word("1", "a", "a"), word("3", "b", "b")],
            "corpus:2:ID: word id 3 where 2 was expected; number words 1, 2, 3 and put a blank line between sentences",
        ),
        (
            [word("2-1", "a", "a")],
            "corpus:1:ID: word id 2 where 1 was expected; number words 1, 2, 3 and put a blank line between sentences",
        ),
        (
            [word("1-2", "a", "a"), word("1-2", "b", "b")],
            "corpus:2:ID: the range 1-2 is empty or overlaps another; give each multiword token its own words",
        ),
        (
            [word("1-0", "a", "a")],
            "corpus:1:ID: the range 1-0 is empty or overlaps another; give each multiword token its own words",
        ),
        (
            [word("1-3", "a", "_"), word("1", "b", "b"), "", word("1", "c", "c")],
            "corpus:2: a multiword token reaches to word 3, but the sentence ends after 1; "
            "add the missing words or mend the range",
        ),
        (
            [word("1-2", "a", "_"), word("1", "b", "b")],
            "corpus:2: a multiword token reaches to word 2, but the sentence ends after 1; "
            "add the missing words or mend the range",
        ),
    ],
)
def test_conllu_errors(lines: list[str], expected: str) -> None:
    assert message("conllu", *lines) == expected


def test_conllu_range_of_one_word() -> None:
    (sentence,) = read("conllu", word("1-1", "a", "_"), word("1", "b", "c"), word("2", "d", "e"))
    assert sentence == (Token("a", None), Token(None, "c"), Token("d", "e"))


def test_wac_reads_sentences_and_skips_other_tags() -> None:
    lines = [
        '<text id="http://example.org/a?b=1&c">',
        "<s>",
        "Eager\tJJ\teager",
        "<g/>",
        "beavers\tNNS\tbeaver",
        "<b class='x'>",
        "AT&amp;T\tNP\tAT&amp;T",
        "&lt;3\tSYM\t<unknown>",
        "",
        "</s>",
        '<s n="2">',
        "<3\tSYM\t<3",
        "</s>",
        "<s>",
        "</s>",
        "</text>",
    ]
    first = (
        Token("Eager", "eager", "JJ"),
        Token("beavers", "beaver", "NNS"),
        Token("AT&T", "AT&T", "NP"),
        Token("<3", "_", "SYM"),
    )
    assert read("wac", *lines) == [first, (Token("<3", "<3", "SYM"),)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a\tDT\ta"], "corpus:1: token outside a sentence; put it between <s> and </s>"),
        (["<s>", "a\tDT\ta", "<s>"], "corpus:3: <s> inside a sentence; close the sentence before with </s>"),
        (["</s>"], "corpus:1: </s> outside a sentence; open the sentence with <s>"),
        (["<s>", "a\tDT\ta"], "corpus:2: the file ends inside a sentence; close it with </s>"),
        (
            ["<s>", "a\tDT"],
            "corpus:2: 2 tab-separated columns where the format has 3 (form, part of speech, lemma); "
            "is it the vertical format of ukWaC? see --format",
        ),
        (["<s>", "\tDT\ta"], "corpus:2:form: the form is blank; write the form"),
    ],
)
def test_wac_errors(lines: list[str], expected: str) -> None:
    assert message("wac", *lines) == expected


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no corpus format 'tei'; choose one of text, conllu, wac"):
        Corpus("c", "tei")


@pytest.mark.parametrize("corpus_format", FORMATS)
def test_every_reader_documents_its_format_with_an_example(corpus_format: str) -> None:
    document = FORMATS[corpus_format].read.__doc__ or ""
    assert document.startswith(f"Read `{corpus_format}`")
    assert "\n\n        " in document  # an example
