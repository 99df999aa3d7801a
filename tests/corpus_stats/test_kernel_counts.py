"""The compiled counter against the frozen reference, however the corpus is cut, ordered and shared out."""

from __future__ import annotations

import bz2
import gzip
import lzma
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.counting import sources
from ncimp.corpus_stats.counting.merging import merge_stores
from ncimp.corpus_stats.counting.run import BASE_BYTES, RunOptions
from ncimp.corpus_stats.counting.segment import SegmentCounter, SegmentPlan
from ncimp.corpus_stats.kernel import compiled, vocabulary
from ncimp.corpus_stats.kernel.blocks import CANONICAL, CONLLU, WAC, Block, packed
from ncimp.corpus_stats.patterns import PatternTable, TagPattern
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.schemas.errors import SourceError, UsageError
from tests.kernel_corpora import (
    PLAN,
    Corpus,
    Unit,
    check_against_reference,
    count_into,
    files_of,
    wac_text,
)

LONG = "counterrevolutionaries"  # longer than the sixteen bytes that a slot holds
DECOMPOSED = "ac\u0327a\u0303o"
PLAIN = ("a", "A", "casa", "de", "DE", "3.5")
SPELLINGS = (*PLAIN, "Ação", "ação", "AÇÃO", DECOMPOSED, "don\u2019t", "ab\u00adcd")
HYPHENED = ("guarda-chuva", "Guarda\u2010Chuva", "-x", "x-", "pé-de-moleque")
LENGTHS = ("12345678", "123456789", LONG, LONG.upper(), LONG + "x", "x" + LONG)
FORMS = st.sampled_from([*SPELLINGS, *HYPHENED, *LENGTHS, ",", "..."])
TAGS = st.sampled_from(["NN", "NNS", "JJ", "ADP", "IN", "A-TAG-OF-MORE-THAN-EIGHT", "A-TAG-OF-MORE-THAN-EIGHT-BYTES"])
UNITS = st.tuples(FORMS, TAGS, FORMS)
CORPORA = st.lists(st.lists(UNITS, min_size=1, max_size=7), min_size=1, max_size=8)
SMALL = RunOptions(workers=1, segment_bytes=1)
"""Every block is a segment of its own."""
LITTLE = RunOptions(memory=BASE_BYTES, workers=1)
"""So is it when there is no memory for tables."""

EXAMPLE: Corpus = [
    [("Casa", "NN", "casa"), ("de", "ADP", "de"), ("campo", "NN", "campo"), ("verde", "JJ", "verde")],
    [("Guarda-chuva", "NN", "guarda-chuva"), (",", "PU", ","), ("pretty", "JJ", "pretty"), ("rats", "NNS", "rat")],
    [("rat", "NN", "rat"), ("race", "NN", "race"), ("em", "ADP", "em"), ("Casa", "NN", "casa")],
]


def write(path: Path, corpus: Corpus) -> Path:
    path.write_text(wac_text(corpus), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", 64)


def test_the_example_by_hand(tmp_path: Path) -> None:
    count_into(tmp_path / "s", [write(tmp_path / "c.vert", EXAMPLE)])
    with StatisticsStore.open(tmp_path / "s") as store:
        assert store.count("casa", "surface") == 2
        assert store.pair("casa", "de", "lemma").pair_count == 1
        assert store.pair("guarda-chuva", "pretty", "lemma").pair_count == 0, "a comma stands between"
        assert {(one.pattern, one.words, one.count) for one in store.candidates("lemma")} == {
            ("N_de_N", ("casa", "de", "campo"), 1),
            ("hyphenated", ("guarda-chuva",), 1),
            ("A_N", ("pretty", "rat"), 1),
            ("N_P_N", ("race", "em", "casa"), 1),
            ("N_N", ("rat", "race"), 1),
        }
        assert {(one.pattern, one.words) for one in store.candidates("surface")} >= {
            ("A_N", ("pretty", "rats")),
            ("N_de_N", ("casa", "de", "campo")),
            ("N_P_N", ("race", "em", "casa")),
        }
        assert (store.header.tally.documents, store.header.sentences) == (1, 3)


@settings(max_examples=60, deadline=None)
@given(CORPORA)
def test_counts_are_those_of_the_reference(corpus: Corpus) -> None:
    with TemporaryDirectory() as folder:
        path = write(Path(folder) / "c.vert", corpus)
        count_into(Path(folder) / "s", [path])
        check_against_reference(Path(folder) / "s", corpus)


@settings(max_examples=25, deadline=None)
@given(CORPORA, st.data())
def test_cutting_order_workers_segments_and_memory_change_no_byte(corpus: Corpus, data: st.DataObject) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        count_into(folder / "whole", [write(folder / "whole.vert", corpus)])
        cut = data.draw(st.integers(0, len(corpus)))
        shuffled = data.draw(st.permutations(corpus[:cut])), data.draw(st.permutations(corpus[cut:]))
        assume(wac_text(shuffled[0]) != wac_text(shuffled[1]))  # the same bytes twice are refused
        paths = [write(folder / f"{n}.vert", part) for n, part in enumerate(shuffled) if part]
        options = data.draw(st.sampled_from([RunOptions(workers=2), SMALL, replace(SMALL, workers=2), LITTLE]))
        count_into(folder / "parts", data.draw(st.permutations(paths)), options=options)
        assert files_of(folder / "parts") == files_of(folder / "whole")
        with StatisticsStore.open(folder / "parts") as parts, StatisticsStore.open(folder / "whole") as whole:
            assert parts.content_hash == whole.content_hash


def test_merged_stores_are_the_store_of_all(tmp_path: Path) -> None:
    whole = [*EXAMPLE, *EXAMPLE[:2]]
    count_into(tmp_path / "whole", [write(tmp_path / "w.vert", whole)], options=RunOptions(workers=1, min_count=2))
    for name, part in (("a", EXAMPLE[:1]), ("b", [*EXAMPLE[1:], *EXAMPLE[:2]])):
        count_into(tmp_path / name, [write(tmp_path / f"{name}.vert", part)])
    for order in (["a", "b"], ["b", "a"]):
        merge_stores([tmp_path / name for name in order], tmp_path / "m", min_count=2)
        assert files_of(tmp_path / "m") == files_of(tmp_path / "whole")
    with StatisticsStore.open(tmp_path / "m") as store:
        assert store.count("casa", "lemma") == 3
        assert store.count("race", "lemma") == 0, "once only, so left out"
        assert store.totals("lemma").tokens == 18, "but counted"
        assert [source.file for source in store.sources] == ["a.vert", "b.vert"]


def test_what_cannot_be_merged(tmp_path: Path) -> None:
    path = write(tmp_path / "c.vert", EXAMPLE)
    count_into(tmp_path / "a", [path])
    count_into(tmp_path / "rare", [path], options=RunOptions(workers=1, min_count=2))
    count_into(tmp_path / "bare", [write(tmp_path / "d.vert", EXAMPLE[1:])], plan=replace(PLAN, adjacent=False))
    for other, message in (
        ("rare", r"has only what occurs 2 times or oftener"),
        ("bare", r"differs from the first store in adjacent"),
        ("a", r"the stores share a corpus file"),
    ):
        with pytest.raises(UsageError, match=message):
            merge_stores([tmp_path / "a", tmp_path / other], tmp_path / "m")
    assert not (tmp_path / "m").exists()


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text("abcdefgh", min_size=1, max_size=30), min_size=1, max_size=300))
def test_many_types_grow_the_tables(words: list[str]) -> None:
    corpus: Corpus = [[(word, "NN", word) for word in words]]
    counter = SegmentCounter(WAC, PLAN)
    for _ in range(2):  # the second time in the memory of the first
        for part in range(3):
            counter.add(Block.of(wac_text(corpus * (part + 1)).encode()))
        tables = counter.finish().layers["lemma"]
        found = {tables.words.word(n).decode(): int(tables.words.counts[n]) for n in range(tables.words.size)}
        assert found == {word: 6 * words.count(word) for word in set(words)}
        assert int(tables.pairs.counts.sum()) == 6 * (len(words) - 1)


def test_a_vocabulary_grows_past_its_first_room() -> None:
    corpus: Corpus = [[(f"w{n}", "NN", f"w{n}") for n in range(20_000)]]
    counter = SegmentCounter(WAC, PLAN)
    counter.add(Block.of(wac_text(corpus).encode()))
    layer = counter.finish().layers["surface"]
    assert layer.words.size == 20_000 > vocabulary.CHUNK
    assert layer.pairs.size == layer.candidates.size == 19_999
    assert [layer.words.word(n).decode() for n in range(20_000)] == sorted(f"w{n}" for n in range(20_000))


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_packed_files(tmp_path: Path, suffix: str, pack: object) -> None:
    path = tmp_path / f"c.vert{suffix}"
    path.write_bytes(pack(wac_text(EXAMPLE).encode()))  # type: ignore[operator]
    count_into(tmp_path / "s", [path])
    check_against_reference(tmp_path / "s", EXAMPLE)
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(SourceError, match=r"cannot be read to its end .+; copy or download it again"):
        count_into(tmp_path / "s", [path])
    check_against_reference(tmp_path / "s", EXAMPLE)


def test_conllu_ranges_and_empty_nodes(tmp_path: Path) -> None:
    rows = [
        "1\tSai\tsair\tVERB",
        "2-3\tda\t_\t_",
        "2\tde\tde\tADP",
        "3\ta\to\tDET",
        "3.1\tx\tx\tX",
        "4\ttoca\ttoca\tNOUN",
    ]
    text = "# newdoc id = d\n# text = Sai da toca\n" + "".join(f"{row}\t_\t_\t_\t_\t_\t_\n" for row in rows) + "\n"
    (tmp_path / "c.conllu").write_text(text * 2, encoding="utf-8")
    count_into(tmp_path / "s", [tmp_path / "c.conllu"], layout=CONLLU)
    sentence: list[Unit] = [
        ("Sai", "VERB", "sair"),
        ("da", "_", None),
        (None, "ADP", "de"),
        (None, "DET", "o"),
        ("toca", "NOUN", "toca"),
    ]
    check_against_reference(tmp_path / "s", [sentence, sentence])
    with StatisticsStore.open(tmp_path / "s") as store:
        assert store.header.tally.documents == 2


def test_canonical_blocks_have_gaps() -> None:
    lines = [b"<text id='x'>\nSai\t\tsair\nda\t\t\n\t\tde\n\t\to\ntoca\t\ttoca\n\n", b"a\t\tb\n\n"]
    blocks = list(packed(lines, block_bytes=8))
    assert [block.size for block in blocks] == [len(lines[0]), len(lines[1])]
    counter = SegmentCounter(CANONICAL, PLAN)
    assert [counter.add(block) for block in blocks] == [(7, None), (2, None)]
    tables = counter.finish()
    assert tables.tally.sentences == 2
    assert tables.tally.documents == 1
    assert int(tables.layers["surface"].pairs.counts.sum()) == 2
    assert int(tables.layers["lemma"].pairs.counts.sum()) == 3


def test_compiled_code_is_kept_until_any_source_of_the_kernel_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "compiled.py"))
    monkeypatch.setattr(compiled, "_SETTINGS", SimpleNamespace(CACHE_DIR=""))
    other = tmp_path / "other.py"
    other.write_text("a = 1\n")
    first = Path(compiled._cache_folder())
    assert first.parent == tmp_path / "__pycache__"
    assert compiled._cache_folder() == str(first)
    other.write_text("a = 2\n")
    second = Path(compiled._cache_folder())
    assert second != first
    assert (first.exists(), second.exists()) == (False, True)
    monkeypatch.setattr(compiled, "_SETTINGS", SimpleNamespace(CACHE_DIR=str(tmp_path / "theirs")))
    assert Path(compiled._cache_folder()) == tmp_path / "theirs" / second.name


def test_a_unit_without_a_tag_has_no_class_whatever_tags_there_are() -> None:
    """Also where the class allows an empty tag, and where a tag falls on the place that an empty one would have."""
    spread, shift = int(vocabulary._P1), int(vocabulary._TAG_SHIFT)
    names = (f"N{number}" for number in range(1_000_000))
    first = next(name for name in names if (int.from_bytes(name.encode(), "little") * spread) % 2**64 >> shift == 0)
    long = "N" * 30
    text = "".join(f"w\t{tag}\tw\n" for tag in (first, "", "X", long, "", first, long)) + "\n"
    plan = SegmentPlan(patterns=PatternTable({"noun": "N*[0-9]*"}, (TagPattern("N_N", ("noun", "noun")),)))
    counter = SegmentCounter(CANONICAL, plan)
    counter.add(Block.of(text.encode()))
    (table,) = [layer.candidates for name, layer in counter.finish().layers.items() if name == "lemma"]
    assert table.counts.tolist() == [1]  # the last two; with the empty tags there would be four more
