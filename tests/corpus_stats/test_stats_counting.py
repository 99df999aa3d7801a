"""Counting: a worked example, and what must not change a count."""

from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.sources import LICENCE_NOT_STATED, Job
from ncimp.corpus_stats.store.header import CorpusSource
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import Sentence, Token
from ncimp.schemas.errors import SourceError, UsageError
from ncimp.schemas.files import file_hash
from tests.kernel_corpora import count_sentences, files_of

UNITS = st.sampled_from(["a", "A", "b", "c", ",", None])
SENTENCES = st.lists(st.lists(st.builds(Token, UNITS, UNITS), min_size=1, max_size=6).map(tuple), max_size=8)
LINES = st.lists(st.lists(st.sampled_from(["a", "B", "c-d", ","]), min_size=1, max_size=5), min_size=2, max_size=8)


def test_worked_example_of_both_layers() -> None:
    """*Sai da toca, da Toca*: a multiword token, a comma, and upper case."""
    sentence = (
        Token("Sai", "sair"),
        Token("da", None),
        Token(None, "de"),
        Token(None, "o"),
        Token("toca", "toca"),
        Token(",", ","),
        Token("da", None),
        Token(None, "de"),
        Token(None, "o"),
        Token("Toca", "Toca"),
    )
    counts = count_sentences([sentence, (Token("Toca", "_"),)])
    assert counts["surface"].words == {"sai": 1, "da": 2, "toca": 3}
    assert counts["surface"].pairs == {("sai", "da"): 1, ("da", "toca"): 2}
    assert counts["lemma"].words == {"sair": 1, "de": 2, "o": 2, "toca": 2}
    assert counts["lemma"].pairs == {("sair", "de"): 1, ("de", "o"): 2, ("o", "toca"): 2}


def test_no_pair_crosses_a_sentence_or_a_separator() -> None:
    words = [(Token("a", "a"),), (Token("b", "b"), Token(",", ","), Token("c", "c"))]
    counts = count_sentences(words)
    assert not counts["surface"].pairs
    assert not counts["lemma"].pairs


@given(SENTENCES, st.randoms())
def test_the_order_of_sentences_does_not_matter(sentences: list[Sentence], random: object) -> None:
    shuffled = list(sentences)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert count_sentences(shuffled) == count_sentences(sentences)


@given(SENTENCES)
def test_margins_add_up_to_the_number_of_pairs(sentences: list[Sentence]) -> None:
    for layer in count_sentences(sentences).values():
        assert sum(layer.as_first.values()) == sum(layer.as_second.values()) == sum(layer.pairs.values())
        assert all(max(layer.as_first[word], layer.as_second[word]) <= count for word, count in layer.words.items())


@settings(max_examples=30, deadline=None)
@given(LINES, st.data())
def test_the_way_a_corpus_is_cut_into_files_does_not_matter(lines: list[list[str]], data: st.DataObject) -> None:
    texts = [" ".join(words) for words in lines]
    cut = data.draw(st.integers(1, len(texts) - 1))
    pieces = ["\n".join(texts[:cut]), "\n".join(texts[cut:])]
    assume(pieces[0] != pieces[1])
    with TemporaryDirectory() as folder:
        whole = write(Path(folder) / "whole.txt", "\n".join(texts))
        parts = [write(Path(folder) / f"{number}.txt", piece) for number, piece in enumerate(pieces)]
        for name, paths in (("whole", [whole]), ("parts", parts), ("turned", parts[::-1])):
            count_files(paths, Path(folder) / name, Job("en", "text"))
        expected = files_of(Path(folder) / "whole")
        assert files_of(Path(folder) / "parts") == files_of(Path(folder) / "turned") == expected


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_sources_are_sorted_and_carry_name_licence_and_identity(tmp_path: Path) -> None:
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"one\n"))
    paths = [str(tmp_path / "b.txt.gz"), write(tmp_path / "a.txt", "two\n")]
    counted = count_files(paths, tmp_path / "s", Job("en", "text"))
    assert counted.sources == (
        CorpusSource("a", LICENCE_NOT_STATED, "a.txt", file_hash(tmp_path / "a.txt"), 4, "text"),
        CorpusSource(
            "b", LICENCE_NOT_STATED, "b.txt.gz", file_hash(tmp_path / "b.txt.gz"), len(gzip.compress(b"one\n")), "text"
        ),
    )
    named = count_files(paths, tmp_path / "t", Job("en", "text", name="mini", licence="CC0-1.0"))
    assert {(source.name, source.licence) for source in named.sources} == {("mini", "CC0-1.0")}
    with StatisticsStore.open(tmp_path / "s") as store:
        assert dict(store.words("surface")) == {"one": 1, "two": 1}


def test_a_file_given_twice_would_be_counted_twice(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, "one\n") for name in ("a.txt", "b.txt")]
    with pytest.raises(SourceError) as caught:
        count_files(paths, tmp_path / "s", Job("en", "text"))
    expected = f"{paths[1]}: has the same bytes as 'a.txt', which was counted already; name each file once"
    assert str(caught.value) == expected


@pytest.mark.parametrize(("corpus_format", "text"), [("text", "\n \n"), ("conllu", "# c\n\n"), ("wac", "<text>\n")])
def test_a_file_without_a_sentence(tmp_path: Path, corpus_format: str, text: str) -> None:
    path = write(tmp_path / "c.txt", text)
    with pytest.raises(SourceError) as caught:
        count_files([path], tmp_path / "s", Job("en", corpus_format))
    assert str(caught.value) == f"{path}: holds no sentence; is its format {corpus_format!r}? see --format"


def test_standard_input_is_read_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="standard input is named twice; name - once"):
        count_files(["-", "-"], tmp_path / "s", Job("en", "text"))
