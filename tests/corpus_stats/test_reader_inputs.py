"""Files, folders, globs and archives as a corpus; hostile input; and that a corpus reads the same in every format."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.kernel.blocks import canonical
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers import streams
from ncimp.corpus_stats.readers.formats import Corpus, Reading, expanded, format_suffix
from ncimp.corpus_stats.words import CorpusSentence, Token
from ncimp.schemas.errors import SourceError, UsageError
from ncimp.schemas.files import file_hash

PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def written(path: Path, content: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return str(path)


def texts(
    path: str, corpus_format: str = "text", reading: Reading | None = None, problems: Problems = STOP
) -> list[str]:
    return [sentence.text for sentence in Corpus(path, corpus_format, reading or Reading(), problems).sentences()]


def message(path: str, corpus_format: str = "text") -> str:
    with pytest.raises(SourceError) as caught:
        texts(path, corpus_format)
    return str(caught.value)


def skipped(path: str, corpus_format: str = "text") -> tuple[list[str], list[str]]:
    problems = Problems("skip")
    return texts(path, corpus_format, problems=problems), [str(problem) for problem in problems.first]


@pytest.mark.parametrize("suffix", PACK)
def test_every_compression_gives_the_same_text_and_the_hash_of_the_stored_bytes(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"c.txt{suffix}", PACK[suffix](b"one\ntwo three\n" * 9000))
    corpus = Corpus(path, "text")
    assert [sentence.text for sentence in corpus.sentences()] == ["one", "two three"] * 9000
    assert (corpus.facts.sha256, corpus.facts.bytes) == (file_hash(Path(path)), Path(path).stat().st_size)


def test_archives_of_several_parts_are_read_to_their_end(tmp_path: Path) -> None:
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        path = written(tmp_path / f"c.txt{suffix}", PACK[suffix](b"one\n") + PACK[suffix](b"two\n"))
        assert texts(path) == ["one", "two"]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_an_archive_that_ends_early(tmp_path: Path, suffix: str) -> None:
    lines = "".join(f"line {number * 7919 % 10007}\n" for number in range(20_000)).encode()
    packed = PACK[suffix](lines)
    path = written(tmp_path / f"c.txt{suffix}", packed[: len(packed) // 2])
    assert "cannot be read to its end (Compressed file ended before" in message(path)
    found, problems = skipped(path)
    assert len(problems) == 1
    # what was unpacked before the end is kept; the blocks of bzip2 are so long that there may be nothing
    assert lines.decode().startswith("\n".join(found))


def test_a_file_that_is_no_zstandard_archive(tmp_path: Path) -> None:
    assert "cannot be read to its end (" in message(written(tmp_path / "c.txt.zst", b"plain text\n" * 99))


def test_without_zstandard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = written(tmp_path / "c.txt.zst", PACK[".zst"](b"one"))
    assert message(path) == f'{path}: needs the package zstandard; install it: pip install "ncimp[corpus]"'


def test_hostile_lines_stop_or_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LINE", 16)
    path = written(tmp_path / "c.txt", b"\xef\xbb\xbfone\r\na\0b\nsism\xedco\n" + b"x" * 100 + b"\nlast\r\n")
    assert message(path) == f"{path}:2:2: NUL byte; is it text? take the byte out, or name another --encoding"
    found, problems = skipped(path)
    assert found == ["one", "last"]
    assert [problem.split(";")[0] for problem in problems] == [
        f"{path}:2:2: NUL byte",
        f"{path}:3:5: byte 0xed is not utf-8",
        f"{path}:4: line of more than 16 bytes",
    ]


def test_a_line_that_never_ends_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LINE", 1 << 16)
    path = written(tmp_path / "c.txt.gz", gzip.compress(b"x" * 30_000_000 + b"\nlast\n", 1))
    tracemalloc.start()
    found, problems = skipped(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found, len(problems)) == (["last"], 1)
    assert peak < 8_000_000


@pytest.mark.parametrize("bad", [b"a\tN\ta\xff", b"a\0\tN\ta"])
def test_a_line_that_cannot_be_read_takes_its_sentence_with_it(tmp_path: Path, bad: bytes) -> None:
    path = written(tmp_path / "c.xml", b"<s>\nb\tN\tb\n" + bad + b"\nc\tN\tc\n</s>\r\n<s>\r\nd\tN\td\r\n</s>\r\n")
    found, problems = skipped(path, "wac")
    assert (found, len(problems)) == (["d"], 1)


def test_bad_bytes_of_an_archive_of_nltk_are_named_by_member(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "brown.zip", "w") as archive:
        archive.writestr("brown/ca01", b"a/nn\n\xff/nn\nb/nn\n")
    found, problems = skipped(str(tmp_path / "brown.zip"), "nltk")
    assert found == ["a", "b"]
    assert [problem.split(";")[0] for problem in problems] == [
        f"{tmp_path}/brown.zip/brown/ca01:2:1: byte 0xff is not ascii"
    ]


def test_paths_are_files_globs_folders_and_datasets(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/1.txt.gz", "b/.hidden.txt", "b/.git/x.txt", "b/notes.md", "a.txt"):
        written(tmp_path / name, b"")
    folder = [str(tmp_path / "b" / name) for name in ("1.txt.gz", "2.txt")]
    assert list(expanded([str(tmp_path / "b")], "text")) == folder
    assert list(expanded([str(tmp_path / "b" / "*.t*"), "-", "hf:x"], "text")) == [*folder, "-", "hf:x"]
    assert list(expanded([str(tmp_path / "**/*.txt")], "text")) == [str(tmp_path / "a.txt"), folder[1]]
    assert expanded(["missing.txt"], "text") == ("missing.txt",)


def test_paths_that_name_nothing(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        expanded([str(tmp_path)], "conllu")
    fix = "its files end in .conllu; name others one by one or with a glob"
    assert str(caught.value) == f"{tmp_path}: no file of the format 'conllu' below this folder; {fix}"
    with pytest.raises(SourceError, match="no file fits this pattern; check it, and put it in quotes"):
        expanded([f"{tmp_path}/*.gz"], "text")
    with pytest.raises(UsageError, match="standard input is named twice; name - once"):
        expanded(["-", "-"], "text")


def test_a_file_whose_name_looks_like_a_glob(tmp_path: Path) -> None:
    path = written(tmp_path / "a[1].txt", b"one\n")
    assert expanded([path], "text") == (path,)


def test_wrong_use_is_said_before_anything_is_read() -> None:
    with pytest.raises(
        UsageError, match=r"no corpus format 'tei'; choose one of text, conllu, wac, .*, nltk, parquet, hf"
    ):
        Corpus("x", "tei")
    with pytest.raises(UsageError, match="cannot read the encoding 'utf-16'"):
        Corpus("x", "text", Reading(encoding="utf-16"))
    with pytest.raises(UsageError, match="no way 'word' to cut sentences; choose line, rule or spacy:PIPELINE"):
        texts("x", reading=Reading(sentences="word"))
    with pytest.raises(UsageError, match="the format 'parquet' cannot be read from standard input; name a file"):
        texts("-", "parquet")


def test_standard_input_and_running_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Nobody came. Three left.\n")))
    assert texts("-", reading=Reading(sentences="rule")) == ["Nobody came.", "Three left."]


def test_the_columns_of_a_table_can_be_named(tmp_path: Path) -> None:
    path = written(tmp_path / "c.jsonl", b'{"body": "A b.", "key": "k"}\n')
    (sentence,) = Corpus(path, "jsonl", Reading(text_column="body", id_column="key")).sentences()
    assert (sentence.text, sentence.document) == ("A b.", "k")


def test_facts_of_archives_tables_and_datasets(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"text": ["A b."]}), path)
    corpus = Corpus(str(path), "parquet")
    with pytest.raises(RuntimeError, match="has not been read to its end"):
        _ = corpus.facts
    assert len(list(corpus.sentences())) == 1
    assert (corpus.facts.sha256, corpus.facts.bytes) == (file_hash(path), path.stat().st_size)
    written(tmp_path / "d" / "train.jsonl", b'{"text": "A b."}\n')
    dataset = Corpus(f"hf:{tmp_path}/d", "text")
    assert [sentence.text for sentence in dataset.sentences()] == ["A b."]
    assert dataset.facts.bytes == len(b"1\tA b.\n")


@pytest.mark.parametrize(
    ("name", "suffix"), [("a.txt", ".txt"), ("a.b.xml.bz2", ".xml"), ("a.zst", ""), ("a", ""), ("a.zip", ".zip")]
)
def test_the_suffix_of_a_format(name: str, suffix: str) -> None:
    assert format_suffix(name) == suffix


WORD = st.sampled_from(["Eager", "beaver", "é", "<s>", "a&b", "don't", ",", "...", "<unknown>", "#", "1/2"])
TAG = st.sampled_from(["N", "V", "X+Y"])
UNITS = st.lists(st.lists(st.tuples(WORD, TAG, WORD), min_size=1, max_size=5), min_size=1, max_size=5)


def as_wac(sentences: list[list[tuple[str, str, str]]]) -> str:
    cells = [["\t".join(map(escape, unit)) for unit in sentence] for sentence in sentences]
    return "<text id='d'>\n" + "".join("<s>\n" + "\n".join(lines) + "\n</s>\n" for lines in cells) + "</text>\n"


def as_conllu(sentences: list[list[tuple[str, str, str]]]) -> str:
    blocks = []
    for sentence in sentences:
        rows = [f"{n}\t{w}\t{lemma}\t{t}" + "\t_" * 6 for n, (w, t, lemma) in enumerate(sentence, 1)]
        blocks.append("\n".join(rows) + "\n\n")
    return "# newdoc id = d\n" + "".join(blocks)


def as_brwac(sentences: list[list[tuple[str, str, str]]]) -> str:
    return '# MWETOOLKIT: meta.doc.id="d"\n' + as_conllu(sentences).partition("\n")[2].replace("\n\n", "\n")


@settings(max_examples=60, deadline=None)
@given(UNITS, st.sampled_from(["\n", "\r\n"]))
def test_a_corpus_reads_the_same_in_every_format(sentences: list[list[tuple[str, str, str]]], end: str) -> None:
    expected = [tuple(Token(word, lemma, tag) for word, tag, lemma in sentence) for sentence in sentences]
    places = [("d", number) for number in range(1, len(sentences) + 1)]
    with TemporaryDirectory() as folder:
        for corpus_format, write in (("wac", as_wac), ("conllu", as_conllu), ("brwac", as_brwac)):
            path = written(Path(folder) / "c", write(sentences).replace("\n", end).encode())
            found = list(Corpus(path, corpus_format).sentences())
            assert list(map(tuple, found)) == expected
            assert [(sentence.document, sentence.number) for sentence in found] == places


@settings(max_examples=60, deadline=None)
@given(UNITS)
def test_formats_without_lemmas_read_the_same_words(sentences: list[list[tuple[str, str, str]]]) -> None:
    expected = [[word for word, _, _ in sentence] for sentence in sentences]
    tagged = "".join(" ".join(f"{word}/{tag}" for word, tag, _ in sentence) + "\n" for sentence in sentences)
    vert = "".join("<s>\n" + "\n".join(map(escape, words)) + "\n</s>\n" for words in expected)
    with TemporaryDirectory() as folder:
        for corpus_format, text in (("tagged", tagged), ("vert", vert)):
            path = written(Path(folder) / "c", text.encode())
            found = [[token.surface for token in s] for s in Corpus(path, corpus_format).sentences()]
            assert found == expected


TEXT = st.text(st.sampled_from("ab,. \nÉ'-3?!AB"), max_size=40)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=4))
def test_a_column_of_texts_reads_the_same_in_json_and_parquet(documents: list[str]) -> None:
    with TemporaryDirectory() as folder:
        lines = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in documents)
        one = written(Path(folder) / "c.jsonl", lines.encode())
        two = str(Path(folder) / "c.parquet")
        pyarrow.parquet.write_table(pyarrow.table({"text": documents}), two)
        jsonl, parquet = (list(Corpus(path, kind).sentences()) for path, kind in ((one, "jsonl"), (two, "parquet")))
    assert jsonl == parquet
    assert [(s.document, s.number, s.text) for s in jsonl] == [(s.document, s.number, s.text) for s in parquet]


UNIT = st.one_of(st.none(), WORD, st.just(""))
TOKENS = st.lists(st.builds(Token, UNIT, UNIT, st.one_of(st.none(), TAG)), min_size=1, max_size=5)


@given(st.lists(TOKENS, max_size=4))
def test_canonical_lines_say_what_the_tokens_say(sentences: list[list[Token]]) -> None:
    located = [CorpusSentence(tokens, document="d", number=number) for number, tokens in enumerate(sentences, 1)]
    pieces = list(canonical(located))
    assert len(pieces) == len(sentences)
    for number, (piece, tokens) in enumerate(zip(pieces, sentences, strict=True)):
        lines = piece.decode().split("\n")
        assert lines[-2:] == ["", ""]
        units = lines[1:-2] if number == 0 else lines[:-2]
        expected = [[_cell(token.surface), token.pos or "", _cell(token.lemma)] for token in tokens]
        assert [line.split("\t") for line in units] == expected
    assert not pieces or pieces[0].startswith(b'<text id="d">\n')


def _cell(unit: str | None) -> str:
    return "" if unit is None else unit or "_"


def test_canonical_lines_of_documents() -> None:
    token = Token("a\tb\n", None)
    places = [("x", 1), ("x", 2), ("x", 1), ('"<', 1), (None, 1), (None, 2)]
    found = list(canonical(CorpusSentence([token], document=d, number=n) for d, n in places))
    heads = [piece.decode().split("\n")[0] for piece in found]
    unit = "a b \t\t"
    assert heads == ['<text id="x">', unit, '<text id="x">', '<text id="&quot;&lt;">', unit, unit]


def test_lines_of_a_corpus_file_in_skip_mode_keep_their_numbers(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", b"one\n\xff\nthree\n")
    problems = Problems("skip")
    assert list(Corpus(path, "text", problems=problems).lines()) == [
        (1, "one"),
        (2, streams.UNREADABLE),
        (3, "three"),
    ]
    assert problems.by_file == {path: 1}
