"""The formats beside text, CoNLL-U and WaC by hand-made samples: tokens, documents, texts, and errors."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pyarrow
import pyarrow.parquet
import pytest

from ncimp.corpus_stats.problems import KEPT, Problems
from ncimp.corpus_stats.readers.formats import FORMATS, Reading
from ncimp.corpus_stats.readers.streams import UNREADABLE
from ncimp.corpus_stats.readers.tables import dataset_parts, read_hub, read_parquet
from ncimp.corpus_stats.readers.text import (
    ARCHIVES,
    cut_sentences,
    read_nltk,
    read_tagged,
    read_tagged_words,
    spacy_sentences,
)
from ncimp.corpus_stats.words import CorpusSentence, Token
from ncimp.schemas.errors import SourceError, UsageError


def read(corpus_format: str, *lines: str, problems: Problems | None = None) -> list[CorpusSentence]:
    return list(FORMATS[corpus_format].read(enumerate(lines, 1), file="corpus", problems=problems or Problems("stop")))


def skipping(corpus_format: str, *lines: str) -> tuple[list[str], list[str]]:
    problems = Problems("skip")
    found = [sentence.text for sentence in read(corpus_format, *lines, problems=problems)]
    return found, [str(problem) for problem in problems.first]


def message(corpus_format: str, *lines: str) -> str:
    with pytest.raises(SourceError) as caught:
        read(corpus_format, *lines)
    return str(caught.value)


def row(*cells: str) -> str:
    return "\t".join((*cells, *"_" * (10 - len(cells))))


BRWAC = [
    '# MWETOOLKIT: meta.doc.id="net-7"',
    '# MWETOOLKIT: meta.doc.title="Carta"',
    row("1", "Saiu", "sair", "V"),
    row("2", "de", "de", "PRP"),
    row("3", "o", "o", "_", "DET"),
    row("4", "fim=de=semana", "fim=de=semana", "N"),
    row("1", "A=B", "ab", "N"),
    row("2", "=", "=", "PU"),
    '# MWETOOLKIT: meta.doc.id="net-8"',
    row("1", "Toca", "tocar", "V"),
    "",
    row("1", "aqui", "", "ADV"),
]


def test_brwac_sentences_begin_at_word_1_and_joined_parts_are_tokens() -> None:
    first, second, third, fourth = read("brwac", *BRWAC)
    assert first == (
        Token("Saiu", "sair", "V"),
        Token("de", "de", "PRP"),
        Token("o", "o", "DET"),
        *(Token(part, part, None) for part in ("fim", "de", "semana")),
    )
    assert second == (Token("A", "_"), Token("B", "_"), Token("=", "=", "PU"))
    assert fourth == (Token("aqui", "_", "ADV"),)
    assert third == (Token("Toca", "tocar", "V"),)
    places = [(found.document, found.number, found.line) for found in read("brwac", *BRWAC)]
    assert places == [("net-7", 1, 3), ("net-7", 2, 7), ("net-8", 1, 10), ("net-8", 2, 12)]


def test_vert_has_words_alone_and_says_where_no_space_stood() -> None:
    lines = ['<doc docid="b-1" uri="http://a.example/?x=1">', "<p>", "<s>", "Saiu", "&lt;3", "<g/>", ".", "</s>"]
    (sentence,) = read("vert", *lines)
    assert [token.surface for token in sentence] == ["Saiu", "<3", "."]
    assert {(token.lemma, token.pos) for token in sentence} == {(None, None)}
    assert (sentence.document, sentence.number, sentence.line, sentence.text) == ("b-1", 1, 3, "Saiu <3.")
    expected = (
        "corpus:2: 2 tab-separated columns where the format has a word alone; is it `wac` or `brwac`? see --format"
    )
    assert message("vert", "<s>", "a\tb") == expected


def test_wac_documents_by_their_ids() -> None:
    lines = [
        "<text id='a'>",
        "<s>",
        "a\tN\ta",
        "</s>",
        '<text url="u">',
        "<s>",
        "b\tN\tb",
        "</s>",
        "<s>",
        "c\tN\tc",
        "</s>",
    ]
    assert [(s.document, s.number) for s in read("wac", *lines)] == [("a", 1), (None, 1), (None, 2)]


def test_conllu_documents_texts_and_tags() -> None:
    lines = [
        "# newdoc id = d-1",
        "# text = Sai da toca.",
        row("1", "Sai", "sair", "VERB"),
        row("2-3", "da"),
        row("2", "de", "de", "ADP"),
        row("3", "a", "o", "_", "art"),
        "\t".join(["4", "toca", "toca", "NOUN", "_", "_", "_", "_", "_", "SpaceAfter=No|X=1"]),
        row("5", ".", ".", "PUNCT"),
        "",
        "# newdoc",
        "\t".join(["1", "toca", "toca", "NOUN", "_", "_", "_", "_", "_", "SpaceAfter=No"]),
        row("2", "!", "!", "PUNCT"),
    ]
    first, second = read("conllu", *lines)
    assert (first.document, first.number, first.line, first.text) == ("d-1", 1, 3, "Sai da toca.")
    assert [token.pos for token in first] == ["VERB", None, "ADP", "art", "NOUN", "PUNCT"]
    assert first.spans() == ((0, 3), (4, 6), None, None, (7, 11), (11, 12))
    assert (second.document, second.number, second.text) == (None, 1, "toca!")


def test_tagged_lines_and_their_last_separator() -> None:
    (sentence,) = read("tagged", "", "  The/at  1/2/cd of/in ./.  ")
    assert sentence == (
        Token("The", None, "at"),
        Token("1/2", None, "cd"),
        Token("of", None, "in"),
        Token(".", None, "."),
    )
    assert message("tagged", "a/b", "word") == "corpus:2: 'word' is not a word with a tag; write word/TAG"


def test_tagged_words_end_at_a_full_stop_and_may_lack_word_or_tag() -> None:
    lines = ["Saiu_V", "de_PREP|+", "_NPROP", "x", "._.", "Fim_N"]
    first, second = read_tagged_words(enumerate(lines, 1), file="corpus")
    assert [token.surface for token in first] == ["Saiu", "de", "_", "x", "."]
    assert [token.pos for token in first] == ["V", "PREP|+", "NPROP", None, "."]
    assert (second.text, second.number, second.line) == ("Fim", 2, 6)
    (lenient,) = read_tagged(enumerate(["a_DT b"], 1), file="corpus", separator="_", strict=False)
    assert lenient == (Token("a", None, "DT"), Token("b", None))


FLORESTA = """#1 CP1 Um livro (bom) e
(UTT+np (>N+art Um)
        (H+n livro)
        (()
        (N<+adj bom)
        ())
        (CO+conj-c
           e)
        (.))

#2 CP2 Fim
(UTT+prop Fim_de_Ano
#3 CP3 Outro
(UTT+n Outro)
"""


def zipped(path: Path, members: dict[str, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return str(path)


def test_nltk_archives_are_known_by_name(tmp_path: Path) -> None:
    members = {"brown/cb02": b"a/nn b/nn\n", "brown/ca01": b"\n\tc/nn\n", "brown/README": b"none"}
    found = list(read_nltk(zipped(tmp_path / "brown.zip", members)))
    assert [(s.document, s.number, s.text) for s in found] == [("ca01", 1, "c"), ("cb02", 1, "a b")]
    found = list(
        read_nltk(zipped(tmp_path / "mac_morpho.zip", {"mac_morpho/a.txt": "Não_ADV\n._.\n".encode("latin-1")}))
    )
    assert [s.text for s in found] == ["Não ."]
    found = list(read_nltk(zipped(tmp_path / "masc_tagged.zip", {"masc_tagged/spoken/x.txt": b"I_PRP U.\n"})))
    assert found == [(Token("I", None, "PRP"), Token("U.", None))]


def test_floresta_leaves(tmp_path: Path) -> None:
    path = zipped(tmp_path / "floresta.zip", {"floresta/Floresta_7.4.ptb": FLORESTA.encode("iso-8859-15")})
    first, second, third = read_nltk(path)
    assert [token.surface for token in first] == ["Um", "livro", "-", "bom", "-", "e", "."]
    assert [token.pos for token in first] == ["art", "n", None, "adj", None, "conj-c", None]
    assert [s.text for s in (second, third)] == ["Fim_de_Ano", "Outro"]
    assert [s.number for s in (first, second, third)] == [1, 2, 3]


def test_archives_that_are_none(tmp_path: Path) -> None:
    def refused(path: Path) -> str:
        with pytest.raises(SourceError) as caught:
            list(read_nltk(str(path)))
        return str(caught.value)

    names = ", ".join(f"{name}.zip" for name in ARCHIVES)
    fix = f"give the archive its own name: {names}"
    assert refused(tmp_path / "b.zip") == f"{tmp_path}/b.zip: is not a corpus of NLTK that is known; {fix}"
    assert refused(tmp_path / "brown.zip") == f"{tmp_path}/brown.zip: no such file; check the path"
    (tmp_path / "brown.zip").write_bytes(b"PK\3\4 and no more")
    assert refused(tmp_path / "brown.zip").startswith(f"{tmp_path}/brown.zip: cannot be read (")


def test_a_damaged_member_of_an_archive_is_named(tmp_path: Path) -> None:
    path = Path(zipped(tmp_path / "brown.zip", {"brown/ca01": b"a/nn b/nn\n" * 500, "brown/ca02": b"c/nn\n"}))
    content = bytearray(path.read_bytes())
    at = content.index(b"brown/ca01") + len("brown/ca01") + 4
    content[at : at + 8] = b"\xff" * 8
    path.write_bytes(content)
    problems = Problems("skip")
    found = [s.document for s in read_nltk(str(path), problems=problems)]
    assert found[-1] == "ca02"
    assert [str(p).split(" (")[0] for p in problems.first] == [f"{path}/brown/ca01:1: cannot be read to its end"]


JSONL = [
    '{"id": "d", "text": "He ate. She slept.\\nThey left"}',
    "",
    '{"text": null}',
    '{"id": 7, "text": "Yes"}',
]


def test_jsonl_documents_are_cut_into_sentences() -> None:
    found = read("jsonl", *JSONL)
    assert [s.text for s in found] == ["He ate.", "She slept.", "They left", "Yes"]
    assert [(s.document, s.number, s.line) for s in found] == [("d", 1, 1), ("d", 2, 1), ("d", 3, 1), ("7", 1, 4)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "corpus:1: not JSON (Expecting property name enclosed in double quotes); write one JSON object a line"),
        ("[" * 100_000, "corpus:1: not JSON (nested too deeply); write one JSON object a line"),
        ("[1]", "corpus:1: not a JSON object; write one JSON object a line"),
        ('{"a": "b"}', "corpus:1: no column 'text'; name one of its columns with --text-column: a"),
        ('{"text": 1}', "corpus:1: the column 'text' holds int, not text; name a column of texts with --text-column"),
        ('{"text": "a\\u0000"}', "corpus:1: NUL character in the text; is it text? take the character out"),
    ],
)
def test_jsonl_errors(line: str, expected: str) -> None:
    assert message("jsonl", line) == expected
    assert skipping("jsonl", line, '{"text": "a"}') == (["a"], [expected])


def table(path: Path, **columns: list[object]) -> str:
    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=2)
    return str(path)


def test_parquet_reads_like_jsonl(tmp_path: Path) -> None:
    path = table(tmp_path / "c.parquet", id=["d", None, "e"], text=["He ate. She slept.\nThey left", None, "Yes"])
    found = list(read_parquet(path))
    assert [s.text for s in found] == ["He ate.", "She slept.", "They left", "Yes"]
    assert [(s.document, s.number, s.line) for s in found] == [("d", 1, 1), ("d", 2, 1), ("d", 3, 1), ("e", 1, 3)]
    other = table(tmp_path / "o.parquet", body=["A b."], key=[3])
    (sentence,) = read_parquet(other, text_column="body", id_column="key")
    assert (sentence.text, sentence.document) == ("A b.", "3")


def test_parquet_errors(tmp_path: Path) -> None:
    def refused(path: str) -> str:
        with pytest.raises(SourceError) as caught:
            list(read_parquet(path))
        return str(caught.value)

    other = table(tmp_path / "o.parquet", body=["A b."])
    assert refused(other) == f"{other}: no column 'text'; name one of its columns with --text-column: body"
    assert refused("none.parquet") == "none.parquet: no such file; check the path"
    whole = table(tmp_path / "w.parquet", text=["A b."] * 9)
    half = tmp_path / "half.parquet"
    half.write_bytes(Path(whole).read_bytes()[:-30])
    assert refused(str(half)).startswith(f"{half}: cannot be read to its end (")
    numbers = table(tmp_path / "n.parquet", text=[1])
    assert refused(numbers).startswith(f"{numbers}:1: the column 'text' holds int, not text; ")


def test_a_dataset_is_read_in_streaming_mode(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text('{"id": "d", "text": "He ate. She slept."}\n', encoding="utf-8")
    (tmp_path / "test.jsonl").write_text('{"id": "e", "text": "Yes"}\n', encoding="utf-8")
    assert [(s.text, s.document) for s in read_hub(f"hf:{tmp_path}")] == [("He ate.", "d"), ("She slept.", "d")]
    assert [(s.text, s.document) for s in read_hub(f"hf:{tmp_path}::test")] == [("Yes", "e")]
    with pytest.raises(SourceError, match=r"cannot be opened .*; check the name, the configuration and the split"):
        list(read_hub(f"hf:{tmp_path}::none"))
    with pytest.raises(SourceError, match="cannot be opened"):
        list(read_hub(f"hf:{tmp_path}/none"))


def test_names_of_datasets() -> None:
    assert dataset_parts("hf:a/b") == ("a/b", None, "train")
    assert dataset_parts("hf:a/b:c") == ("a/b", "c", "train")
    assert dataset_parts("hf:a/b:c:d") == ("a/b", "c", "d")
    for wrong in ("hf:", "hf:a:b:c:d", "hf::x"):
        with pytest.raises(UsageError, match="names no dataset; write hf:NAME"):
            dataset_parts(wrong)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("First. Two!\tThree?  Four", ["First.", "Two!", "Three?", "Four"]),
        ("She asked: “Why?” Nobody knew… 3 left.", ["She asked: “Why?”", "Nobody knew…", "3 left."]),
        (
            "It cost 3.5 dollars, e.g. here. (He paid.) «Sim», disse.",
            ["It cost 3.5 dollars, e.g. here.", "(He paid.)", "«Sim», disse."],
        ),
        ("O Sr. J. Reis e a Sra. Lua. Fim.", ["O Sr. J. Reis e a Sra. Lua. Fim."]),
        ("Um gato.Outro.", ["Um gato.Outro."]),
        ("  ", []),
    ],
)
def test_sentences_by_rule(text: str, sentences: list[str]) -> None:
    assert list(cut_sentences(text)) == sentences


def test_words_by_the_expression_of_a_pack() -> None:
    rules = Reading(token=r"\w+(?:[-']\w+)*|[^\w\s]").rules("text")  # noqa: S106 - no password
    ((written, tokens),) = rules("O guarda‑chuva a 3.5%")
    assert written == "O guarda‑chuva a 3.5%"
    assert [token.surface for token in tokens] == ["O", "guarda-chuva", "a", "3", ".", "5", "%"]


class FakePipeline:
    """A pipeline of spaCy as far as it is used: sentences are lines, words stand between spaces."""

    def __init__(self) -> None:
        self.pipes: list[str] = []

    def add_pipe(self, name: str) -> None:
        self.pipes.append(name)

    def __call__(self, text: str) -> SimpleNamespace:
        lines = [line.split(" ") for line in text.split("\n")]
        return SimpleNamespace(sents=[FakeSpan(words) for words in lines])


class FakeSpan(list[SimpleNamespace]):
    def __init__(self, words: list[str]) -> None:
        super().__init__(
            SimpleNamespace(text=word, lemma_=word.lower(), pos_="X", is_space=not word.strip()) for word in words
        )
        self.text = " ".join(words)


def test_text_by_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = FakePipeline()

    def load(name: str) -> FakePipeline:
        raise OSError(f"[E050] Can't find model {name!r}.\nmore")

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(blank={"pt": pipeline}.__getitem__, load=load))
    blank = Reading(sentences="spacy:blank", lang="pt").rules("text")
    assert list(blank("A b\n\nC")) == [
        ("A b", (Token("A", None), Token("b", None))),
        ("C", (Token("C", None),)),
    ]
    assert pipeline.pipes == ["sentencizer"]
    assert list(spacy_sentences("A", pipeline=FakePipeline(), tagged=True)) == [("A", (Token("A", "a", "X"),))]
    with pytest.raises(SourceError) as caught:
        Reading(sentences="spacy:none").rules("text")
    assert (
        str(caught.value)
        == "spaCy cannot load 'none' ([E050] Can't find model 'none'.); name an installed pipeline, or spacy:blank"
    )


def test_without_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(SourceError, match='spaCy is not installed; install it: pip install "ncimp'):
        Reading(sentences="spacy:blank").rules("text")


@pytest.mark.parametrize(
    ("corpus_format", "lines", "texts", "count"),
    [
        ("conllu", [row("1", "a", "a"), "broken", "also broken", "", row("1", "b", "b")], ["b"], 1),
        ("conllu", [row("1", "a", "a"), UNREADABLE, "", row("1", "b", "b")], ["b"], 0),
        ("conllu", [row("1-2", "a", "a"), row("1", "b", "b"), "", row("1", "c", "c")], ["c"], 1),
        ("wac", ["<s>", "a\tN\ta", "b", "</s>", "<s>", "c\tN\tc", "</s>"], ["c"], 1),
        ("wac", ["<s>", UNREADABLE, "</s>", "<s>", "c\tN\tc", "</s>"], ["c"], 0),
        ("wac", ["a\tN\ta", "<s>", "b\tN\tb", "<s>", "c\tN\tc", "</s>", "</s>", "<s>", "d\tN\td"], ["b", "c"], 4),
        ("brwac", [row("1", "a", "a"), "2\tb", row("1", "c", "c"), row("x", "d", "d")], [], 2),
        ("brwac", [row("1", "a", "a"), UNREADABLE, row("1", "c", "c")], ["c"], 0),
        ("tagged", ["a/b c", UNREADABLE, "d/e"], ["d"], 1),
        ("text", ["a", UNREADABLE, "b"], ["a", "b"], 0),
        ("jsonl", [UNREADABLE, '{"text": "b"}'], ["b"], 0),
        ("vert", ["<s>", "a\tb", "</s>", "<s>", "c", "</s>"], ["c"], 1),
    ],
)
def test_a_broken_line_takes_its_sentence_with_it(
    corpus_format: str, lines: list[str], texts: list[str], count: int
) -> None:
    found, problems = skipping(corpus_format, *lines)
    assert (found, len(problems)) == (texts, count)


@pytest.mark.parametrize(
    ("corpus_format", "lines"),
    [
        ("conllu", [row("1", "a", "a"), "x", "", row("1", "b", "b")]),
        ("wac", ["<s>", "a", "</s>", "<s>", "b\tN\tb", "</s>"]),
        ("brwac", [row("1", "a"), "2\tx", row("1", "b", "b")]),
        ("tagged", ["a", "b/N"]),
    ],
)
def test_a_sentence_that_is_left_out_keeps_its_number(corpus_format: str, lines: list[str]) -> None:
    (sentence,) = read(corpus_format, *lines, problems=Problems("skip"))
    assert (sentence.text, sentence.number) == ("b", 2)


def test_problems_are_counted_by_file_and_the_first_are_kept() -> None:
    told: list[str] = []
    problems = Problems("skip", tell=told.append)
    read("tagged", *["x"] * 30, problems=problems)
    assert problems.count == 30
    assert len(told) == len(problems.first) == KEPT
    assert told[0] == "corpus:1: 'x' is not a word with a tag; write word/TAG"
    assert problems.summary() == ["corpus: 30 problem(s) passed over"]


def test_no_two_formats_share_a_suffix() -> None:
    assert {name for name, entry in FORMATS.items() if not entry.suffixes} == {"hf"}
    suffixes = [suffix for entry in FORMATS.values() for suffix in entry.suffixes]
    assert len(suffixes) == len(set(suffixes))
