"""The statistics store: round trip, identity, and files that are not one."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict, fields
from pathlib import Path
from typing import cast

import pytest

from ncimp.corpus_stats import store_format
from ncimp.corpus_stats.association import PairCount
from ncimp.corpus_stats.counting import CountedCorpus, count_files
from ncimp.corpus_stats.store import StatisticsStore
from ncimp.corpus_stats.store_format import COMPATIBLE_SCHEMA_HASHES, STORE_FORMAT, schema_hash, schema_sql
from ncimp.corpus_stats.store_writing import write_store
from ncimp.corpus_stats.words import TOKENISER_VERSION, Layer
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash
from ncimp.schemas.tables import check_row, columns

WAC = """<s>
The\tDT\tthe
eager\tJJ\teager
beavers\tNNS\tbeaver
build\tVVP\tbuild
.\tSENT\t.
</s>
<s>
An\tDT\tan
Eager\tJJ\teager
beaver\tNN\tbeaver
</s>
"""
MORE = "<s>\nEager\tJJ\teager\nstudents\tNNS\tstudent\n</s>\n"


def counted(folder: Path, *texts: str, corpus_format: str = "wac") -> CountedCorpus:
    paths = [folder / f"part-{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return count_files([str(path) for path in paths], lang="en", corpus_format=corpus_format, name="mini")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_store(tmp_path / "stats.sqlite", counted(tmp_path, WAC))
    return tmp_path / "stats.sqlite"


def alter(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def open_message(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        StatisticsStore.open(path)
    return str(caught.value)


def test_words_and_frequencies(path: Path) -> None:
    with StatisticsStore.open(path) as store:
        assert store.layers == ("surface", "lemma")
        assert (store.count("Eager", "surface"), store.count("beaver", "surface"), store.count("beaver", "lemma")) == (
            2,
            1,
            2,
        )
        assert store.frequency("beaver", "lemma") == 2 / 7
        assert store.zipf("beaver", "lemma") == pytest.approx(8.455931955649724)
        assert (store.count("badger", "lemma"), store.frequency("badger", "lemma")) == (0, 0.0)
        assert store.zipf("badger", "lemma") is None
        assert store.count(".", "surface") == 0


def test_pairs(path: Path) -> None:
    with StatisticsStore.open(path) as store:
        pair = store.pair("EAGER", "beaver", "lemma")
        # 5 lemma bigrams; both that begin with eager end with beaver: log2(2 * 5 / (2 * 2))
        assert (pair.first, pair.pair_count) == ("eager", 2)
        assert pair.pmi == pytest.approx(1.3219280948873624)
        unseen = store.pair("beaver", "eager", "lemma")
        assert (unseen.first_count, unseen.second_count, unseen.pair_count) == (2, 2, 0)
        assert (unseen.pmi, unseen.ppmi) == (None, None)
        unknown = store.pair("angry", "badger", "surface")
        assert (unknown.first_count, unknown.first_zipf, unknown.pair_count, unknown.pmi) == (0, None, 0, None)


def test_all_pairs_come_in_the_order_of_their_words_with_their_counts(path: Path) -> None:
    with StatisticsStore.open(path) as store:
        assert list(store.pairs("lemma")) == [
            ("an", "eager", 1),
            ("beaver", "build", 1),
            ("eager", "beaver", 2),
            ("the", "eager", 1),
        ]
        assert [pair for *pair, _ in store.pairs("surface")] == sorted(pair for *pair, _ in store.pairs("surface"))
        assert sum(count for *_, count in store.pairs("surface")) == store.totals("surface").bigrams == 5


def test_header_totals_and_sources(path: Path, tmp_path: Path) -> None:
    with StatisticsStore.open(path) as store:
        header = store.header
        assert (header.format_version, header.lang, header.corpus_format) == (STORE_FORMAT, "en", "wac")
        assert (header.tokeniser_version, header.sentences, store.lang) == (TOKENISER_VERSION, 2, "en")
        assert [(t.tokens, t.bigrams) for t in map(store.totals, store.layers)] == [(7, 5), (7, 5)]
        (source,) = store.sources
        assert asdict(source) == {
            "name": "mini",
            "licence": "not stated",
            "file": "part-0.txt",
            "sha256": file_hash(tmp_path / "part-0.txt"),
            "bytes": len(WAC),
        }
        assert store.source == "mini"


def test_pair_count_has_the_fields_of_its_schema_and_only_those(path: Path) -> None:
    assert tuple(field.name for field in fields(PairCount)) == columns("count")
    with StatisticsStore.open(path) as store:
        for pair in (store.pair("eager", "beaver", "lemma"), store.pair("no", "pair", "surface")):
            check_row("count", asdict(pair), Place("store"))


def test_stored_margins_are_the_sums_of_the_bigrams(path: Path) -> None:
    query = """
        SELECT as_first, (SELECT total(count) FROM bigrams b WHERE b.layer = u.layer AND b.first = u.id),
               as_second, (SELECT total(count) FROM bigrams b WHERE b.layer = u.layer AND b.second = u.id)
        FROM unigrams u"""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(query).fetchall()
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert len(rows) == 6 + 5
    assert all(first == first_sum and second == second_sum for first, first_sum, second, second_sum in rows)


def test_the_lemma_layer_of_plain_text_says_that_it_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    write_store(path, counted(tmp_path, "eager beaver\n", corpus_format="text"))
    with StatisticsStore.open(path) as store:
        assert store.layers == ("surface",)
        with pytest.raises(SourceError) as caught:
            store.pair("eager", "beaver", "lemma")
        assert str(caught.value) == (
            f"{path}: has no lemma layer: the format 'text' gave no words for it; "
            "counted layers: surface; lemmas come from conllu and wac"
        )
        with pytest.raises(SourceError, match="has no stem layer"):
            store.zipf("eager", cast(Layer, "stem"))


def test_same_inputs_same_bytes_in_any_order_of_files(tmp_path: Path) -> None:
    corpus = counted(tmp_path, WAC, MORE)
    paths = [str(tmp_path / f"part-{number}.txt") for number in (1, 0)]
    write_store(tmp_path / "one.sqlite", corpus)
    write_store(tmp_path / "two.sqlite", count_files(paths, lang="en", corpus_format="wac", name="mini"))
    assert (tmp_path / "one.sqlite").read_bytes() == (tmp_path / "two.sqlite").read_bytes()


def test_content_hash_is_that_of_the_counts_not_of_the_files(tmp_path: Path) -> None:
    hashes = []
    for number, texts in enumerate(
        [(WAC, MORE), (WAC + MORE,), (MORE + WAC,), (WAC,), (WAC.replace("The", "A"), MORE)]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_store(folder / "s.sqlite", counted(folder, *texts))
        with StatisticsStore.open(folder / "s.sqlite") as store:
            hashes.append(store.content_hash)
    assert hashes[0] == hashes[1] == hashes[2]
    assert len(set(hashes)) == 3


def test_content_hash_by_hand(tmp_path: Path) -> None:
    """Head, then words by layer and code points, then pairs of their ranks: one JSON object with sorted keys a line."""
    lines = [
        f'{{"lang":"en","sentences":1,"tokeniser_version":{TOKENISER_VERSION}}}',
        '{"count":1,"layer":0,"word":"eager"}',
        '{"count":1,"layer":0,"word":"students"}',
        '{"count":1,"layer":1,"word":"eager"}',
        '{"count":1,"layer":1,"word":"student"}',
        '{"count":1,"first":0,"layer":0,"second":1}',
        '{"count":1,"first":0,"layer":1,"second":1}',
    ]
    write_store(tmp_path / "s.sqlite", counted(tmp_path, MORE))
    with StatisticsStore.open(tmp_path / "s.sqlite") as store:
        assert store.content_hash == hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_verify_finds_a_changed_count(path: Path) -> None:
    with StatisticsStore.open(path) as store:
        store.verify()
    alter(path, "UPDATE bigrams SET count = count + 1 WHERE layer = 1 AND first = 0")
    with StatisticsStore.open(path) as store, pytest.raises(SourceError) as caught:
        store.verify()
    expected = f"{path}: is a damaged statistics store (its counts do not fit its content hash); count the corpus again"
    assert str(caught.value).startswith(expected)


def test_the_schema_in_use_is_on_the_list_of_those_that_are_read() -> None:
    """When this fails, schema.sql was changed: see the comment at its top."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema_sql())
        assert schema_hash(connection) in COMPATIBLE_SCHEMA_HASHES


def test_a_store_of_another_format_version(path: Path) -> None:
    alter(path, "UPDATE header SET format_version = 99")
    expected = f"{path}: is a statistics store of format 99, and this version reads format 1; count the corpus again"
    assert open_message(path).startswith(expected)


def test_a_store_with_other_tables(path: Path) -> None:
    alter(path, "CREATE TABLE more (x)")
    assert open_message(path).startswith(f"{path}: has not the tables of a statistics store; make one with `ncimp")


def test_another_schema_is_read_once_it_is_on_the_list(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alter(path, "CREATE INDEX by_second ON bigrams (layer, second)")
    with closing(sqlite3.connect(path)) as connection:
        found = schema_hash(connection)
    assert found not in COMPATIBLE_SCHEMA_HASHES
    monkeypatch.setattr(store_format, "COMPATIBLE_SCHEMA_HASHES", COMPATIBLE_SCHEMA_HASHES | {found})
    StatisticsStore.open(path).close()


def test_a_header_without_its_row(path: Path) -> None:
    alter(path, "DELETE FROM header")
    assert "is not a statistics store (its header has 0 rows)" in open_message(path)


def test_files_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("eager beaver\n" * 99, encoding="utf-8")
    assert "text.txt: is not a statistics store (file is not a database); make" in open_message(tmp_path / "text.txt")
    alter(tmp_path / "other.sqlite", "CREATE TABLE words (word)")
    assert "is not a statistics store (no such table: header); make" in open_message(tmp_path / "other.sqlite")
    missing = tmp_path / "none.sqlite"
    assert open_message(missing) == f"{missing}: no such statistics store; make one with `ncimp stats count`"
    assert not missing.exists()


def test_a_truncated_store_is_damaged_not_empty(tmp_path: Path) -> None:
    many = "".join(f"<s>\nw{n}\tN\tw{n}\nv{n}\tN\tv{n}\n</s>\n" for n in range(3000))
    whole, half = tmp_path / "whole.sqlite", tmp_path / "half.sqlite"
    write_store(whole, counted(tmp_path, many))
    shutil.copy(whole, half)
    with half.open("r+b") as stream:
        stream.truncate(half.stat().st_size // 2)
    with pytest.raises(SourceError, match="statistics store"), StatisticsStore.open(half) as store:
        store.verify()


def test_a_store_is_read_only(path: Path) -> None:
    before = path.read_bytes()
    with StatisticsStore.open(path) as store:
        store.pair("eager", "beaver", "lemma")
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["part-0.txt", "stats.sqlite"]


def test_a_path_with_special_characters(path: Path) -> None:
    odd = path.with_name("a?b#c %41é.sqlite")
    shutil.copy(path, odd)
    with StatisticsStore.open(odd) as store:
        assert store.lang == "en"


def test_writing_replaces_whole_or_not_at_all(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    corpus = counted(tmp_path, WAC)
    broken = CountedCorpus(corpus.lang, corpus.corpus_format, corpus.counts, corpus.sources * 2)
    with pytest.raises(sqlite3.IntegrityError):
        write_store(path, broken)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["part-0.txt", "stats.sqlite"]
    write_store(path, counted(tmp_path, MORE))
    with StatisticsStore.open(path) as store:
        assert store.count("beaver", "lemma") == 0


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    corpus = counted(tmp_path, WAC)
    target = tmp_path / "part-0.txt" / "stats.sqlite"
    with pytest.raises(SourceError) as caught:
        write_store(target, corpus)
    assert str(caught.value).startswith(f"{target}: cannot be written (")
    assert str(caught.value).endswith("; check the folder and the space on the disk")
