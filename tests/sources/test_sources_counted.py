"""Frequencies and pairs out of a statistics store: which layer, which language, and what the manifest says of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ncimp.builder.sources.frequencies import CountedTable, stores_by_language
from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.store.header import HEADER
from ncimp.schemas.errors import SourceError, UsageError
from ncimp.schemas.records import to_row
from tests.schemas.checking import check_row

WAC = "<s>\nRats\tNNS\trat\nrace\tVVP\trace\n.\tSENT\t.\n</s>\n<s>\nThe\tDT\tthe\nrat\tNN\trat\nrace\tNN\trace\n</s>\n"
"""Five words: *rats* and *rat* are one lemma."""


def store(
    path: Path, text: str = WAC, *, lang: str = "en", corpus_format: str = "wac", name: str = "mini", licence: str = "X"
) -> Path:
    """Count *text* into the store *path*."""
    corpus = path.with_suffix(".txt")
    corpus.write_text(text, "utf-8")
    count_files([str(corpus)], path, Job(lang, corpus_format, name=name, licence=licence))
    return path


@pytest.fixture
def lemmas(tmp_path: Path) -> Iterator[CountedTable]:
    with closing(CountedTable(store(tmp_path / "lemmas"))) as table:
        yield table


@pytest.fixture
def written(tmp_path: Path) -> Iterator[CountedTable]:
    text = "rats race .\nthe rat race\n"
    with closing(CountedTable(store(tmp_path / "written", text, corpus_format="text"))) as table:
        yield table


def test_the_lemma_layer_is_asked_where_there_is_one(lemmas: CountedTable, written: CountedTable) -> None:
    assert (lemmas.lemmas, lemmas.name, lemmas.tokens) == (True, "mini (lemmas)", 5)
    assert (written.lemmas, written.name, written.tokens) == (False, "mini (words as written)", 5)
    assert (lemmas.frequency("rat"), written.frequency("rat"), written.frequency("rats")) == (0.4, 0.2, 0.2)
    assert lemmas.frequency("Rat") == 0.4
    assert lemmas.frequency("beaver") == 0.0


def test_words_and_pairs_have_counts(lemmas: CountedTable, written: CountedTable) -> None:
    assert [lemmas.count("rat"), lemmas.count("rat", "race"), lemmas.count("race", "rat")] == [2, 2, 0]
    assert list(lemmas.pairs()) == [("rat", "race", 2), ("the", "rat", 1)]
    assert list(written.pairs()) == [("rat", "race", 1), ("rats", "race", 1), ("the", "rat", 1)]


def test_the_figures_of_a_compound_are_the_columns_of_the_table(lemmas: CountedTable) -> None:
    """PMI of *rat race*: log2(2 * 3 / (2 * 2)), three pairs in all."""
    assert lemmas.figures(("rat", "race")) == {
        "compound_count": 2,
        "pmi": pytest.approx(0.5849625),
        "ppmi": pytest.approx(0.5849625),
        "count_source": "mini (lemmas)",
    }
    assert lemmas.figures(("race",)) == {
        "compound_count": 2,
        "pmi": None,
        "ppmi": None,
        "count_source": "mini (lemmas)",
    }
    assert lemmas.figures(("race", "rat"))["compound_count"] == 0
    assert lemmas.figures(("race", "rat"))["pmi"] is None


def test_the_manifest_lists_a_store_with_licence_and_hash(lemmas: CountedTable) -> None:
    source = lemmas.source()
    check_row("source", to_row(source))
    assert (source.name, source.kind, source.licence, source.address) == ("store/en", "frequencies", "X", None)
    assert source.citation == "Counts of mini (lemmas), 2 sentences, made by `ncimp corpus count`."
    assert source.version == "format 2, word rules 1"


def test_counts_that_were_changed_by_hand_are_found(tmp_path: Path) -> None:
    path = store(tmp_path / "stats")
    with closing(CountedTable(path)) as table:
        table.verify()
    header = (path / HEADER).read_text("utf-8")
    (path / HEADER).write_text(header.replace('"rows": 4', '"rows": 6'), "utf-8")
    with closing(CountedTable(path)) as table, pytest.raises(SourceError, match="does not fit its hash"):
        table.verify()


def test_a_store_whose_pairs_are_gone_is_damaged(tmp_path: Path) -> None:
    path = store(tmp_path / "stats")
    (path / "lemma-pairs.arrow").unlink()
    with pytest.raises(SourceError, match=r"is a damaged statistics store .+ count the corpus again"):
        CountedTable(path)


def test_each_store_goes_to_its_language_and_a_region_to_its_language(tmp_path: Path) -> None:
    english, brazilian = store(tmp_path / "en"), store(tmp_path / "br", lang="pt-BR")
    assert stores_by_language([brazilian, english], ["en", "pt"]) == {"en": english, "pt": brazilian}
    assert stores_by_language([], ["en"]) == {}


def test_a_store_of_another_language_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = store(tmp_path / "stats", lang="gl")
    with pytest.raises(UsageError) as caught:
        stores_by_language([path], ["en", "pt"])
    assert str(caught.value) == (
        f"{path} counts 'gl', and the build makes en, pt; leave it out, or build 'gl' with --lang"
    )
    assert caught.value.exit_code == 2


def test_two_stores_of_one_language_are_refused(tmp_path: Path) -> None:
    paths = [store(tmp_path / "one"), store(tmp_path / "two")]
    with pytest.raises(UsageError, match="both count 'en'; name one, or count both corpora together"):
        stores_by_language(paths, ["en"])


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such statistics store; make one with `ncimp corpus count`"):
        stores_by_language([tmp_path / "none"], ["en"])
