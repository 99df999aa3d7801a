"""The statistics store: round trip, identity, and files that are not one."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import cast

import pyarrow as pa
import pytest

from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.store import files as store_files
from ncimp.corpus_stats.store import header as store_header
from ncimp.corpus_stats.store.header import HEADER, STORE_FORMAT
from ncimp.corpus_stats.store.store import PairCount, StatisticsStore
from ncimp.corpus_stats.words import LAYERS, TOKENISER_VERSION, Layer
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import file_hash
from ncimp.schemas.records import columns
from tests.schemas.checking import check_row

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


def stored(target: Path, folder: Path, *texts: str, corpus_format: str = "wac") -> Path:
    """Count *texts*, written into *folder*, into the store *target*."""
    paths = [folder / f"part-{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    count_files([str(path) for path in paths], target, Job("en", corpus_format, name="mini"))
    return target


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return stored(tmp_path / "stats", tmp_path, WAC)


def alter_header(path: Path, **values: object) -> None:
    header = json.loads((path / HEADER).read_text(encoding="utf-8"))
    (path / HEADER).write_text(json.dumps(header | values), encoding="utf-8")


def files_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


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
            "corpus_format": "wac",
            "reading": "",
        }
        assert store.source == "mini"


def test_pair_count_has_the_fields_of_its_schema_and_only_those(path: Path) -> None:
    assert tuple(field.name for field in fields(PairCount)) == columns("count")
    with StatisticsStore.open(path) as store:
        for pair in (store.pair("eager", "beaver", "lemma"), store.pair("no", "pair", "surface")):
            check_row("count", asdict(pair))


def test_the_lemma_layer_of_plain_text_says_that_it_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "stats"
    stored(path, tmp_path, "eager beaver\n", corpus_format="text")
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


def test_content_hash_is_that_of_the_counts_not_of_the_files(tmp_path: Path) -> None:
    hashes = []
    for number, texts in enumerate(
        [(WAC, MORE), (WAC + MORE,), (MORE + WAC,), (WAC,), (WAC.replace("The", "A"), MORE)]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        stored(folder / "s", folder, *texts)
        with StatisticsStore.open(folder / "s") as store:
            hashes.append(store.content_hash)
    assert hashes[0] == hashes[1] == hashes[2]
    assert len(set(hashes)) == 3


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    target = tmp_path / "part-0.txt" / "stats"
    with pytest.raises(SourceError) as caught:
        stored(target, tmp_path, WAC)
    assert str(caught.value).startswith(f"{target}: cannot be written (")
    assert str(caught.value).endswith("; check the folder and the space on the disk")


def test_same_inputs_same_bytes_in_any_order_of_files(tmp_path: Path) -> None:
    stored(tmp_path / "one", tmp_path, WAC, MORE)
    paths = [str(tmp_path / f"part-{number}.txt") for number in (1, 0)]
    count_files(paths, tmp_path / "two", Job("en", "wac", name="mini"))
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert len(files_of(tmp_path / "one")) == 5


def test_stored_margins_are_the_sums_of_the_pairs(path: Path) -> None:
    for layer in LAYERS:
        words = pa.ipc.open_file(str(path / f"{layer}-words.arrow")).read_all().to_pydict()
        pairs = pa.ipc.open_file(str(path / f"{layer}-pairs.arrow")).read_all().to_pylist()
        assert words["word"] == sorted(words["word"])
        for number, word in enumerate(words["word"]):
            assert words["as_first"][number] == sum(row["count"] for row in pairs if row["first"] == number), word
            assert words["as_second"][number] == sum(row["count"] for row in pairs if row["second"] == number), word


def test_the_hash_of_a_table_by_hand(tmp_path: Path) -> None:
    """Names of the columns, then each column: lengths and text of words, numbers as little-endian integers."""
    stored(tmp_path / "s", tmp_path, MORE)
    with StatisticsStore.open(tmp_path / "s") as store:
        facts = store.header.tables["surface-words.arrow"]
    data = b"word\tcount\tas_first\tas_second" + struct.pack("<ii", 5, 8) + b"eagerstudents"
    data += struct.pack("<qqqqqq", 1, 1, 1, 0, 0, 1)
    assert facts.rows == 2
    assert facts.sha256 == hashlib.sha256(data).hexdigest()


def test_verify_finds_a_changed_count(path: Path) -> None:
    with StatisticsStore.open(path) as store:
        store.verify()
    name = "lemma-pairs.arrow"
    table = pa.ipc.open_file(str(path / name)).read_all()
    changed = table.set_column(2, "count", pa.array([count + 1 for count in table["count"].to_pylist()], pa.int64()))
    with pa.ipc.new_file(str(path / name), table.schema) as writer:
        writer.write_table(changed)
    with StatisticsStore.open(path) as store, pytest.raises(SourceError) as caught:
        store.verify()
    expected = f"{path}: is a damaged statistics store ({name} does not fit its hash); count the corpus again"
    assert str(caught.value).startswith(expected)


def test_a_store_of_another_format_version(path: Path) -> None:
    alter_header(path, format_version=99)
    expected = f"{path}: is a statistics store of format 99, and this version reads format 2; count the corpus again"
    assert open_message(path).startswith(expected)


def test_a_damaged_header(path: Path) -> None:
    alter_header(path, colour="blue")
    assert f"{path}: has a damaged header (" in open_message(path)


def test_folders_and_files_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("eager beaver\n" * 99, encoding="utf-8")
    for path in (tmp_path / "text.txt", tmp_path):
        assert open_message(path) == f"{path}: is not a statistics store; make one with `ncimp corpus count`"
    missing = tmp_path / "none"
    assert open_message(missing) == f"{missing}: no such statistics store; make one with `ncimp corpus count`"
    assert not missing.exists()


@pytest.mark.parametrize("name", ["surface-words.arrow", "lemma-pairs.arrow"])
def test_a_truncated_or_missing_table_is_damage_not_emptiness(path: Path, name: str) -> None:
    whole = (path / name).read_bytes()
    (path / name).write_bytes(whole[: len(whole) // 2])
    assert f"{path}: is a damaged statistics store ({name}: " in open_message(path)
    (path / name).unlink()
    assert f"{path}: is a damaged statistics store ({name}: " in open_message(path)


def test_a_store_is_read_only(path: Path) -> None:
    before = files_of(path)
    with StatisticsStore.open(path) as store:
        store.pair("eager", "beaver", "lemma")
    assert files_of(path) == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["part-0.txt", "stats"]


def test_a_path_with_special_characters(path: Path) -> None:
    odd = path.with_name("a?b#c %41é")
    shutil.copytree(path, odd)
    with StatisticsStore.open(odd) as store:
        assert store.lang == "en"


def test_writing_replaces_whole_or_not_at_all(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_of(path)
    with monkeypatch.context() as patch:
        patch.setattr(store_header, "write_header", lambda *_: Path("/nowhere/at/all").stat())
        with pytest.raises(SourceError, match="cannot be written"):
            stored(path, tmp_path, MORE)
    assert files_of(path) == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["part-0.txt", "stats", "stats.parts"]
    stored(path, tmp_path, MORE)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["part-0.txt", "stats"]
    with StatisticsStore.open(path) as store:
        assert store.count("beaver", "lemma") == 0


def test_look_ups_across_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With batches of two rows, every pair is found where it is, and none where it is not."""
    monkeypatch.setattr(store_files, "BATCH_ROWS", 2)
    sentences = "".join(f"<s>\nw{n % 7}\tN\tw{n % 7}\nw{n % 5}\tN\tw{n % 5}\n</s>\n" for n in range(70))
    stored(tmp_path / "s", tmp_path, sentences)
    pairs = Counter((f"w{n % 7}", f"w{n % 5}") for n in range(70))
    counts = Counter(word for pair in pairs.elements() for word in pair)
    with StatisticsStore.open(tmp_path / "s") as store:
        store.verify()
        words = [f"w{n}" for n in range(9)]
        assert {word: store.count(word, "lemma") for word in words if store.count(word, "lemma")} == counts
        for first in words:
            for second in words:
                assert store.pair(first, second, "lemma").pair_count == pairs[first, second]
        assert list(store.pairs("lemma")) == [(*pair, pairs[pair]) for pair in sorted(pairs)]
