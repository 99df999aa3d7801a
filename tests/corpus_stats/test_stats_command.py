"""`ncimp corpus count | merge | show`: output, messages and refusals."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main, make_parser
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.schemas.errors import NcimpError, SourceError, UsageError
from ncimp.schemas.files import file_hash
from ncimp.schemas.records import columns
from tests.schemas.checking import check_row

CONLLU = """# text = Eager beavers.
1	Eager	eager	ADJ	_	_	2	amod	_	_
2	beavers	beaver	NOUN	_	_	0	root	_	_
3	.	.	PUNCT	_	_	2	punct	_	_

"""


def ncimp_corpus(*arguments: object) -> int:
    words = ["corpus", *map(str, arguments)]
    args = make_parser(words).parse_args(words)
    code: int = args.runner(args)
    return code


def refused(kind: type[NcimpError], *arguments: object) -> str:
    with pytest.raises(kind) as caught:
        ncimp_corpus(*arguments)
    return str(caught.value)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "mini.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return path


@pytest.fixture
def store(corpus: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = corpus.with_name("stats")
    assert ncimp_corpus("count", corpus, "--lang", "en", "--format", "conllu", "--out", path) == 0
    capsys.readouterr()
    return path


def shown(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_count_writes_a_store_and_says_what_it_counted(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = corpus.with_name("new") / "stats"
    options = ("--name", "mini", "--licence", "CC0-1.0")
    assert ncimp_corpus("count", corpus, "--lang", "en", "--format", "conllu", "--out", out, *options) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        f"{out}: 1 sentences from 1 file(s)",
        "surface layer: 2 words (2 different), 1 adjacent pairs",
        "lemma layer: 2 words (2 different), 1 adjacent pairs",
    ]
    with StatisticsStore.open(out) as store:
        (source,) = store.sources
        assert (source.name, source.licence, store.lang) == ("mini", "CC0-1.0", "en")


def test_the_hashes_of_a_store_are_those_of_its_files(corpus: Path) -> None:
    """The first file is hashed from when the program begins to be loaded."""
    files = [corpus, corpus.with_name("more.conllu.gz"), corpus.with_name("long.conllu")]
    files[1].write_bytes(gzip.compress(CONLLU.replace("beaver", "otter").encode()))
    files[2].write_text(CONLLU * 20_000, encoding="utf-8")  # of several blocks
    for first in files:
        given = sorted(files, key=first.__ne__)
        out = corpus.with_name(f"{first.name}-stats")
        assert ncimp_corpus("count", *given, "--lang", "en", "--format", "conllu", "--out", out) == 0
        with StatisticsStore.open(out) as store:
            found = {source.file: (source.sha256, source.bytes) for source in store.sources}
        assert found == {path.name: (file_hash(path), path.stat().st_size) for path in files}


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("much", "must be a size, got 'much'"),
        ("2", "'2' is too little"),
        ("511M", "'511M' is too little"),
        ("-1G", "must be"),
    ],
)
def test_memory_that_is_none_or_too_little_is_refused(corpus: Path, memory: str, said: str) -> None:
    out = corpus.with_name("new")
    found = refused(UsageError, "count", corpus, "--lang", "en", "--out", out, f"--memory={memory}")
    assert said in found
    assert not out.exists()


def test_count_of_columns_from_standard_input_that_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONLLU.encode())))
    assert ncimp_corpus("count", "-", "--lang", "en", "--format", "conllu", "--out", tmp_path / "stats") == 0
    with StatisticsStore.open(tmp_path / "stats") as store:
        assert store.totals("lemma").tokens == 2


@pytest.mark.parametrize("option", [("--min-count", 0), ("--min-count", -1), ("--workers", 0)])
def test_merge_refuses_numbers_below_one(
    store: Path, tmp_path: Path, option: tuple[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "merged"
    assert main(["corpus", "merge", str(store), "--out", str(out), f"{option[0]}={option[1]}"]) == 2
    assert "must be a whole number above 0" in capsys.readouterr().err
    assert not out.exists()


def test_count_of_plain_text_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("abalo sísmico\n".encode("latin-1"))))
    out = tmp_path / "stats"
    options = ("--lang", "pt", "--format", "text", "--encoding", "latin-1", "--out", out)
    assert ncimp_corpus("count", "-", *options) == 0
    assert "lemma layer: empty, because the format 'text' gave no words for it" in capsys.readouterr().err
    assert ncimp_corpus("show", "abalo sísmico", "--stats", out, "--json") == 0
    printed = capsys.readouterr()
    (row,) = map(json.loads, printed.out.splitlines())
    assert (row["layer"], row["pair_count"], row["source"]) == ("surface", 1, "stdin")
    assert printed.err == f"{out}: the lemma layer is empty (format 'text')\n"


def test_show_gives_schema_rows_of_both_layers(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ncimp_corpus("show", "Eager beaver", "eager  beavers", "--stats", store, "--lang", "en", "--json") == 0
    rows = shown(capsys)
    for row in rows:
        check_row("count", row)
    found = [(row["layer"], row["first"], row["second"], row["pair_count"], row["source"]) for row in rows]
    assert found == [
        ("surface", "eager", "beaver", 0, "mini"),
        ("lemma", "eager", "beaver", 1, "mini"),
        ("surface", "eager", "beavers", 1, "mini"),
        ("lemma", "eager", "beavers", 0, "mini"),
    ]


def test_show_prints_a_table_with_empty_cells_for_what_is_undefined(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ncimp_corpus("show", "eager beaver", "--stats", store) == 0
    lines = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in line.strip("│┃").replace("┃", "│").split("│")] for line in lines]
    assert cells[1] == [column.replace("_", " ") for column in columns("count")]
    assert cells[3] == [
        "en",
        "surface",
        "eager",
        "beaver",
        "1",
        "0",
        "0",
        "8.70",
        "",
        "",
        "",
        "mini",
        "",
        "",
        "0.00",
        "",
    ]
    lemma = ["en", "lemma", "eager", "beaver", "1", "1", "1", "8.70", "8.70", "0.00", "0.00", "mini"]
    assert cells[4] == [*lemma, "0.00", "0.00", "1.00", ""]


def test_markup_in_a_name_is_printed_as_it_is(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = corpus.with_name("s.sqlite")
    ncimp_corpus("count", corpus, "--lang", "en", "--format", "conllu", "--out", out, "--name", "[b]x[/b] :cat:")
    ncimp_corpus("show", "eager beaver", "--stats", out)
    assert "[b]x[/b] :cat:" in capsys.readouterr().out


def test_show_without_a_store_has_zipf_values_and_no_pair_counts(capsys: pytest.CaptureFixture[str]) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    assert ncimp_corpus("show", "eager beaver", "abalo qqxqq", "--lang", "en", "--json") == 0
    known, unknown = shown(capsys)
    assert tuple(known) == columns("count")
    assert known["first_zipf"] == wordfreq.zipf_frequency("eager", "en")
    assert known["second_zipf"] == wordfreq.zipf_frequency("beaver", "en")
    assert known["layer"] == "surface"
    for row in (known, unknown):
        assert row["source"].startswith("wordfreq 3")
        empty = ("first_count", "second_count", "pair_count", "pmi", "ppmi")
        assert [row[column] for column in empty] == [None] * 5
    assert unknown["second_zipf"] is None


def test_values_that_wordfreq_infers_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    assert wordfreq.zipf_frequency("guarda-chuva", "pt") > 0
    assert ncimp_corpus("show", "guarda-chuva preto", "--lang", "pt", "--json") == 0
    (row,) = shown(capsys)
    assert row["first_zipf"] is None
    assert row["second_zipf"] == wordfreq.zipf_frequency("preto", "pt")


def test_wordfreq_is_not_asked_for_a_language_it_would_answer_with_another() -> None:
    message = refused(SourceError, "show", "festa rachada", "--lang", "gl")
    assert message.startswith("wordfreq has no word list for 'gl'; count a corpus of the language")


def test_show_without_store_and_language() -> None:
    message = refused(UsageError, "show", "eager beaver")
    assert message == "the language is missing; name it with --lang, or a corpus of your own with --stats"


def test_show_of_another_language_than_the_store_has(store: Path) -> None:
    message = refused(UsageError, "show", "abalo sísmico", "--stats", store, "--lang", "pt")
    assert message == f"{store} counts 'en', not 'pt'; leave --lang out, or count that language"


@pytest.mark.parametrize("pair", ["beaver", "a pair too-many words", ""])
def test_show_of_what_is_not_a_pair(pair: str) -> None:
    expected = f'{pair!r} is not a pair of words; name two words in one argument: ncimp corpus show "eager beaver"'
    assert refused(UsageError, "show", pair, "--lang", "en") == expected


def test_count_refuses_a_language_that_no_table_would_take(corpus: Path) -> None:
    message = refused(UsageError, "count", corpus, "--lang", "English", "--format", "conllu", "--out", "s.sqlite")
    assert message == "'English' is not a language id; write it like en, pt or pt-BR"


def test_count_refuses_to_overwrite_its_input_or_a_folder(corpus: Path) -> None:
    common = ("count", corpus, "--lang", "en", "--format", "conllu", "--out")
    assert refused(UsageError, *common, corpus) == f"--out {str(corpus)!r} is also an input; name another folder"
    expected = f"{corpus.parent}: is there already and is not a statistics store; name another folder, or take it away"
    assert refused(SourceError, *common, corpus.parent) == expected
    assert corpus.read_text(encoding="utf-8") == CONLLU


def test_a_corpus_with_an_error_leaves_no_store(corpus: Path) -> None:
    corpus.write_text(CONLLU + "broken\n", encoding="utf-8")
    out = corpus.with_name("stats")
    message = refused(SourceError, "count", corpus, "--lang", "en", "--format", "conllu", "--out", out)
    assert message.startswith(f"{corpus}:6: 1 tab-separated columns where CoNLL-U has 10; is it CoNLL-U? see")
    assert [path.name for path in corpus.parent.iterdir()] == [corpus.name]


def test_stores_are_merged_and_what_cannot_be_is_refused(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = corpus.with_name("other.conllu")
    other.write_text(CONLLU * 2, encoding="utf-8")
    stores = [corpus.with_name("one"), corpus.with_name("two")]
    for path, out in zip((corpus, other), stores, strict=True):
        assert ncimp_corpus("count", path, "--lang", "en", "--out", out) == 0
    assert ncimp_corpus("merge", *stores, "--out", corpus.with_name("both")) == 0
    assert "both: 3 sentences from 2 file(s)" in capsys.readouterr().err
    message = refused(UsageError, "merge", stores[0], stores[0], "--out", corpus.with_name("both"))
    assert message == "the stores share a corpus file, which would count twice; merge each file once"


def test_count_refuses_a_scheduler_without_an_engine(corpus: Path) -> None:
    common = ("count", corpus, "--lang", "en", "--out", corpus.with_name("s"))
    assert refused(UsageError, *common, "--scheduler", "tcp://head:1").startswith("--scheduler needs an engine")
