"""The search in blocks finds what reading every sentence finds, in every format, encoding and state of repair."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.contexts import search as context_search
from ncimp.corpus_stats.contexts.sample import ContextFilter, PhraseIndex
from ncimp.corpus_stats.contexts.search import Search, SearchPart, Sieve, find_documents
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.readers.formats import FORMATS, Corpus, Reading
from ncimp.corpus_stats.words import is_word
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import keyed_hash
from tests.frozen import load_reference

REFERENCE: Any = load_reference("contexts_reference")

PHRASES: dict[str, list[tuple[str, ...]]] = {
    "race": [("rat", "race"), ("rat", "races"), ("rat-race",), ("rat", "-", "race")],
    "know": [("don't", "know")],
    "coffee": [("café", "noir"), ("cafés", "noirs")],
    "king": [("king",)],
    "road": [("οδος", "king's"), ("r&d", "man")],
    "number": [("3.5", "mm", "film")],
    "rock": [("rock", "&", "roll")],
    "sigma": [("ΑΣ'Α",)],
}
INDEX = PhraseIndex(PHRASES)
ANYTHING = ContextFilter(min_words=1, max_words=99, once=False, complete=False, unquoted=False)

WORDS = [
    *("rat", "Rat", "RAT", "race", "Races", "rat-race", "Rat\u2011Race", "ra\u00adt", "\u00adrace", "rat_race", "brat"),
    *("don't", "don\u2019t", "don&apos;t", "DON'T", "know", "café", "cafe\u0301", "CAFÉ", "CAFE\u0301", "cafés"),
    *("noir", "Noirs", "king", "\u212aing", "King\u2019s", "ΟΔΟΣ", "οδος", "οδοσ", "R&D", "R&amp;D", "man", "3.5"),
    *("mm", "film", "-", "\u2010", "\u2013", "“", "“rat", "race”", "&quot;", "&amp;", ";", ".", ",", "_", "<", ">"),
    *("<unknown>", "=", "a=b", "rat=race", "the", "é", "à", "\u00a0", "\u00a0rat", "\u3000", " rat", "x\x0b", "\ufeff"),
    "\u0301",
]
OCCURRENCES = [
    *(["Rat", "Races"], ["ra\u00adt", "RACE"], ["RAT", "\u2010", "race"], ["rat\u2011race"], ["rat", "-", "Race"]),
    *(["don\u2019t", "KNOW"], ["don&apos;t", "know"], ["CAFE\u0301", "noir"], ["cafés", "NOIRS"], ["\u212aing"]),
    *(["ΟΔΟΣ", "king’s"], ["οδος", "\u212aING'S"], ["R&D", "man"], ["r&amp;d", "Man"], ["3.5", "MM", "film"]),
    *(["Rock", "&amp;", "Roll"], ["rock", "&", "roll"], ["ΑΣ'Α"], ["ΑΣ’Α"], ["ασ'α"]),
]
NOISE = [
    *("<s>", "</s>", "<S id='1'>", "<p>", "</p>", "<g/>", '<text id="a">', "<text>", "</text>", "<doc docid='b'>"),
    *("<docs>", "<text", "<text id='c'>\t", " <s>", "\u00a0</s>", "<s>\t\t", "<a\tb>", "<1>", "<é>", "<", "\t", "\t\t"),
    *(" ", "rat", "a\tb", "# newdoc id = d", "#newdoc", "# newdoc", "#\u00a0newdoc = x", "# text = The rat race."),
    *("#", '# meta.doc.id="e"', "1\trat", "x" * 200, "1-2\t" + "\t".join("x" * 9), "\t".join(["a"] * 3)),
    "\t".join(["1", " ", *"_" * 8]),
]


Outcome = tuple[Any, ...]


def naive(search: Search, path: Path, problems: Problems) -> Outcome:
    """Return the sentences, counts and samples of the frozen reference."""
    sentences = Corpus(str(path), search.corpus_format, search.reading, problems).sentences()
    found: Outcome = REFERENCE.find(sentences, PHRASES, search.size, partial(keyed_hash, search.seed))
    return found


def searched(search: Search, path: Path, problems: Problems) -> Outcome:
    sample = search.new_sample()
    for _ in search.run(str(path), SearchPart(sample, problems)):
        pass
    counts = {phrase: counts.total() for phrase, counts in sample.counts.items()}
    places = {
        phrase: [(one.key, one.place.document, one.place.position) for one in sample.of(phrase)] for phrase in PHRASES
    }
    return sample.sentences, counts, places


def outcome(way: Any, search: Search, path: Path, on_error: OnError) -> Outcome:
    problems = Problems(on_error)
    try:
        found = way(search, path, problems)
    except SourceError as error:
        return (str(error),)
    return *found, problems.by_file, list(map(str, problems.first))


def search_in(corpus_format: str, encoding: str = "utf-8", block_bytes: int = 1 << 20) -> Search:
    return Search(INDEX, corpus_format, Reading(encoding), 3, conditions=ANYTHING, block_bytes=block_bytes)


def wac_lines(words: Sequence[str]) -> list[str]:
    return ["<s>", *(f"{word}\tNN\t{word.lower()}" for word in words), "</s>"]


def vert_lines(words: Sequence[str]) -> list[str]:
    return ["<s>", *words, "</s>"]


def table_lines(words: Sequence[str]) -> list[str]:
    lines = ["\t".join([str(place), word, word, *"_" * 7]) for place, word in enumerate(words, 1)]
    if len(words) > 3:  # as one written word, which two stand for, and a word that was not written
        lines.insert(1, "\t".join(["2-3", f"{words[1]}{words[2]}", *"_" * 8]))
        lines.insert(3, "\t".join(["2.1", "rat", *"_" * 8]))
    return [*lines, ""]


def brwac_lines(words: Sequence[str]) -> list[str]:
    return ["\t".join([str(place), word, word, *"_" * 7]) for place, word in enumerate(words, 1)]


def text_lines(words: Sequence[str]) -> list[str]:
    return [" ".join(words)]


LINES = {"wac": wac_lines, "vert": vert_lines, "conllu": table_lines, "brwac": brwac_lines, "text": text_lines}
DOCUMENTS = {
    "wac": '<text id="d{}">',
    "vert": "<doc docid='d{}'>",
    "conllu": "# newdoc id = d{}",
    "brwac": '# meta.doc.id="d{}"',
    "text": "",
}
PARTS = st.one_of(st.sampled_from(WORDS).map(lambda word: [word]), st.sampled_from(OCCURRENCES))
SENTENCES = st.lists(PARTS, min_size=1, max_size=6).map(lambda parts: [word for part in parts for word in part])
CLEAN = st.tuples(SENTENCES, st.booleans(), st.none())
DIRTY = st.tuples(SENTENCES, st.booleans(), st.one_of(st.none(), st.tuples(st.sampled_from(NOISE), st.integers(0, 7))))


def written(corpus_format: str, pieces: Sequence[tuple[list[str], bool, tuple[str, int] | None]]) -> list[str]:
    lines = list[str]()
    for number, (words, begins, noise) in enumerate(pieces):
        if begins:
            lines.append(DOCUMENTS[corpus_format].format(number))
        more = LINES[corpus_format](words)
        if noise:
            more.insert(noise[1], noise[0])
        lines += more
    return lines


CORPORA = {
    "pieces": st.one_of(st.lists(CLEAN, max_size=12), st.lists(DIRTY, max_size=12)),
    "encoding": st.sampled_from(["utf-8", "utf-8", "latin-1", "cp1252", "iso8859-7", "shift_jis"]),
    "line_end": st.sampled_from(["\n", "\n", "\r\n"]),
    "block_bytes": st.sampled_from([40, 90, 200, 1 << 20]),
    "on_error": st.sampled_from(["skip", "skip", "stop"]),
    "damage": st.sampled_from([b"", b"", b"", b"\xff", b"\0", b"\xef\xbb\xbf"]),
    "ends": st.booleans(),
    "largest": st.sampled_from([1 << 22, 1 << 22, 120]),
}


def check(
    corpus_format: str,
    pieces: list[Any],
    encoding: str,
    line_end: str,
    block_bytes: int,
    on_error: OnError,
    damage: bytes,
    ends: bool,
    largest: int,
) -> None:
    data = line_end.join([*written(corpus_format, pieces), ""] if ends else written(corpus_format, pieces))
    encoded = data.encode(encoding, "replace" if encoding != "utf-8" else "strict")
    at = 0 if damage.startswith(b"\xef") else len(encoded) // 2
    search = search_in(corpus_format, encoding, block_bytes)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(context_search, "MAX_BLOCK", largest)
        path = Path(folder) / "c"
        path.write_bytes(encoded[:at] + damage + encoded[at:])
        assert outcome(searched, search, path, on_error) == outcome(naive, search, path, on_error)


@pytest.mark.parametrize("corpus_format", LINES)
@settings(max_examples=25, deadline=None)
@given(**CORPORA)
def test_search_finds_what_reading_finds(corpus_format: str, **corpus: Any) -> None:
    check(corpus_format, **corpus)


@pytest.mark.slow
@pytest.mark.parametrize("corpus_format", LINES)
@settings(max_examples=400, deadline=None)
@given(**CORPORA)
def test_search_finds_what_reading_finds_in_many_corpora(corpus_format: str, **corpus: Any) -> None:
    check(corpus_format, **corpus)


@pytest.mark.parametrize("corpus_format", LINES)
def test_every_spelling_passes_the_sieve(corpus_format: str, tmp_path: Path) -> None:
    for number, words in enumerate(OCCURRENCES):
        lines = [*LINES[corpus_format](["the", "mouse"]), *LINES[corpus_format](["The", "big", "old", *words, "."]), ""]
        path = tmp_path / str(number)
        path.write_text("\n".join(lines), encoding="utf-8")
        result = searched(search_in(corpus_format), path, Problems())
        assert result == naive(search_in(corpus_format), path, Problems())
        # only these formats have entities, and plain text is cut at a sign
        entities = any(";" in word for word in words)
        read = (not entities or corpus_format in ("wac", "vert")) and (corpus_format != "text" or "R&D" not in words)
        assert bool(result[1]) == read, words


@pytest.mark.parametrize("corpus_format", LINES)
def test_only_sentences_with_a_phrase_are_read(
    corpus_format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [["The", "rat", "wins", "the", "race"], ["Race", "rat"], ["brat", "race", "“quoted”"], ["é", "rat"]] * 9
    path = tmp_path / "c"
    lines = [
        *written(corpus_format, [(words[:3], False, None) for words in others]),
        *LINES[corpus_format](["rat", "race"]),
        "",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    search, read = search_in(corpus_format), list[str]()
    entry = FORMATS[corpus_format]

    def noted(*lines: Any, **options: Any) -> Any:
        for sentence in entry.read(*lines, **options):
            read.append(sentence.text)
            yield sentence

    monkeypatch.setattr(context_search, "FORMATS", {corpus_format: replace(entry, read=noted)})
    assert searched(search, path, Problems())[0] == 37
    assert read[-1].lower() == "rat race"
    assert len(read) <= 10  # in running text, `brat race` passes the sieve


def test_numbers_and_documents_of_a_file_of_many_blocks(tmp_path: Path) -> None:
    lines = list[str]()
    for number in range(40):
        others = wac_lines(["a"]) * (number % 4)
        lines += [f'<text id="d{number}">', *others, *wac_lines([f"the{number}", "rat", "race"])]
    path = tmp_path / "c.wac"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    search = replace(search_in("wac", block_bytes=100), size=99)
    sample = search.new_sample()
    assert sum(1 for _ in search.run(str(path), SearchPart(sample, Problems()))) > 10
    places = {(context.place.document, context.place.position) for context in sample.of("race")}
    assert places == {(f"d{number}", number % 4 + 1) for number in range(40)}


@pytest.mark.parametrize("on_error", ["skip", "stop"])
@pytest.mark.parametrize("cut", [0, 1, 9])
def test_a_damaged_archive_is_read_as_far_as_it_goes(cut: int, on_error: OnError, tmp_path: Path) -> None:
    words = [(["The", f"rat{number}", "Rat", "race"], number % 7 == 0, None) for number in range(1000)]
    packed = gzip.compress("\n".join([*written("wac", words), ""]).encode(), mtime=0)
    path = tmp_path / "c.wac.gz"
    path.write_bytes(packed[: len(packed) - cut * len(packed) // 10])
    search = search_in("wac", block_bytes=5000)
    result = outcome(searched, search, path, on_error)
    assert result == outcome(naive, search, path, on_error)
    assert (len(result) == 1) == (cut > 0 and on_error == "stop")


TEXTS = [
    "The rat\u2010race is on. Nobody likes it.\nKing!",
    "Dr. Rat races. A king\u00a0…",
    "",
    "café  noir",
    "CAFE\u0301 noir.",
]


@pytest.mark.parametrize("corpus_format", ["jsonl", "parquet", "hf"])
@pytest.mark.parametrize("sentences", [None, "line"])
def test_tables_of_texts(corpus_format: str, sentences: str | None, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    path: Path | str = tmp_path / "d" / "train.jsonl"
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(TEXTS * 3)]
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if corpus_format == "parquet":
        path = tmp_path / "c.parquet"
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif corpus_format == "hf":
        path = f"hf:{tmp_path}/d"
    search = replace(search_in(corpus_format, block_bytes=40), reading=Reading(sentences=sentences))
    result = searched(search, path, Problems())  # type: ignore[arg-type]
    assert result == naive(search, path, Problems())  # type: ignore[arg-type]
    assert set(result[1]) == {"race", "king", "coffee"}


@pytest.mark.parametrize(
    ("corpus_format", "lines"),
    [
        ("tagged", ["The/at rat/nn races/nns ./.", "broken", "A/at king/nn"]),
        ("text", ["the rat race", "a king"]),
    ],
)
def test_other_ways_of_reading(corpus_format: str, lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    for reading in (Reading(), Reading(sentences="rule"), Reading(token="[a-z]+")):  # noqa: S106 - an expression
        search = replace(search_in(corpus_format, block_bytes=20), reading=reading)
        assert outcome(searched, search, path, "skip") == outcome(naive, search, path, "skip")


def test_without_the_automaton_everything_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c"
    path.write_text("\n".join([*wac_lines(["Rat", "race"]), *wac_lines(["a"]), ""]), encoding="utf-8")
    monkeypatch.setattr(context_search, "ahocorasick_rs", None)
    assert search_in("wac").sieve() is None
    assert searched(search_in("wac"), path, Problems()) == naive(search_in("wac"), path, Problems())


@pytest.mark.parametrize(
    "words",
    [
        [("1-2", "rat"), ("1", "de"), ("2", "o"), ("3", "race")],
        [("1", "rat"), ("1.1", "old"), ("2", "race")],
        [("1", "rat"), ("2-4", "Race"), ("3.1", "x")],
    ],
)
def test_words_that_were_not_written_do_not_stand_between(words: list[tuple[str, str]], tmp_path: Path) -> None:
    path = tmp_path / "c"
    lines = ["\t".join([identity, form, *"_" * 8]) for identity, form in words]
    if "2-4" in dict(words):
        lines = [*lines[:2], *("\t".join([number, "x", *"_" * 8]) for number in "234"), lines[2].replace("3.1", "4.1")]
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    sentences, counts, found = searched(search_in("conllu"), path, Problems())
    assert (sentences, counts, found) == naive(search_in("conllu"), path, Problems())
    assert counts == {"race": 1}


@pytest.mark.parametrize("block_bytes", [30, 60, 90])
def test_a_first_word_that_cannot_be_read_begins_no_sentence(block_bytes: int, tmp_path: Path) -> None:
    first, second, third = (
        "\n".join([*brwac_lines(words), ""]).encode() for words in (["rat", "race"], ["é"], ["king"])
    )
    path = tmp_path / "c"
    path.write_bytes(first + second.replace("é".encode(), b"\xe9") + first + third)
    search = search_in("brwac", block_bytes=block_bytes)
    sentences, counts, found, *rest = outcome(searched, search, path, "skip")
    assert (sentences, counts, found, *rest) == outcome(naive, search, path, "skip")
    assert counts == {"race": 1, "king": 1}, "the sentence before the line goes with it"


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", ["en_ewt-ud-dev", "pt_bosque-ud-dev"])
def test_treebanks_give_the_same_contexts(shared: Path, name: str) -> None:
    path = shared / "sources" / "corpora" / f"{name}.conllu"
    pairs = Counter[tuple[str, str]]()
    for sentence in Corpus(str(path), "conllu").sentences():
        words = [token.surface for token in sentence if token.surface is not None]
        pairs.update(pairwise(words))
    phrases = {" ".join(pair): [pair] for pair, times in pairs.items() if times > 3 and any(map(is_word, pair))}
    assert len(phrases) > 100
    search = replace(search_in("conllu", block_bytes=1 << 16), index=PhraseIndex(phrases))
    sample, problems = search.new_sample(), Problems()
    for _ in search.run(str(path), SearchPart(sample, problems)):
        pass
    key = partial(keyed_hash, search.seed)
    sentences, counts, places = REFERENCE.find(Corpus(str(path), "conllu").sentences(), phrases, search.size, key)
    assert (sample.sentences, {phrase: found.total() for phrase, found in sample.counts.items()}) == (sentences, counts)
    for phrase in phrases:
        found = [(one.key, one.place.document, one.place.position) for one in sample.of(phrase)]
        assert found == places[phrase]


def test_a_combining_mark_after_a_space_does_not_hide_a_word() -> None:
    assert Sieve([("rat", "race")]).passes("a rat race \u0301")


@pytest.mark.parametrize("corpus_format", ["wac", "brwac", "vert", "conllu"])
def test_documents_are_found_by_their_ids_as_every_sentence_gives_them(corpus_format: str, tmp_path: Path) -> None:
    openings = {"wac": '<text id="{}">', "vert": '<doc docid="{}">', "brwac": '# MWETOOLKIT: meta.doc.id="{}"'}
    lines: list[str] = []
    for number in range(40):
        lines.append(openings.get(corpus_format, "# newdoc id = {}").format(f"d{number % 25}"))
        for place in range(number % 4):
            words = [f"w{number}", f"e\u0301{place}", "R&amp;D" if corpus_format in ("wac", "vert") else "R&D"]
            rows = [f"{at}\t{word}" + "\t_" * 8 for at, word in enumerate(words, 1)]
            rows = [f"{word}\tN\tx" for word in words] if corpus_format == "wac" else rows
            vertical = corpus_format in ("wac", "vert")
            lines += ["<s>", *(rows if corpus_format == "wac" else words), "</s>"] if vertical else [*rows, ""]
    folder = tmp_path / "corpus"
    folder.mkdir()
    with gzip.open(folder / "a.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    (folder / "b").write_text("\n".join(lines) + "\n", "utf-8")
    expected = {
        f"d{number}": "\n".join(f"w{number} \u00e9{place} R&D" for place in range(number % 4)) for number in (2, 3, 7)
    }
    assert find_documents([folder], corpus_format, {"d2", "d3", "d7", "none"}) == expected


def test_documents_of_text_are_files(tmp_path: Path) -> None:
    (tmp_path / "texts" / "deep").mkdir(parents=True)
    (tmp_path / "texts" / "b.txt").write_bytes("Um cafe\u0301.\r\nDois.\n".encode())
    (tmp_path / "texts" / "deep" / "a.txt").write_bytes(b"One.")
    found = find_documents([tmp_path / "texts"], "text", {"b.txt", "deep/a.txt"})
    assert found == {"b.txt": "Um caf\u00e9.\nDois.", "deep/a.txt": "One."}
    with pytest.raises(SourceError, match="no such file or folder"):
        find_documents([tmp_path / "none"], "text", {"b.txt"})
