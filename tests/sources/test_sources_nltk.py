"""Princeton WordNet through NLTK: the order of candidates, and what a damaged folder says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nltk.data
import pytest

from ncimp.builder.sources.thesauri.princeton import NEEDED, NltkSource
from ncimp.schemas.errors import SourceError
from tests.sources.wndb_samples import NET, write_wndb

Row = tuple[str, str, str, int, int]


@pytest.fixture(autouse=True)
def nltk_path() -> Iterator[None]:
    """Give NLTK back the folders it had."""
    before = list(nltk.data.path)
    yield
    nltk.data.path[:] = before


@pytest.fixture
def net(tmp_path: Path) -> Path:
    return write_wndb(tmp_path / "wordnet")


def found(source: NltkSource, lemma: str, pos: str) -> list[Row]:
    rows = source.candidates(lemma, pos)
    assert {row.pos for row in rows} <= {pos}
    return [(row.lemma, row.synset, row.relation, row.sense, row.position) for row in rows]


def test_senses_come_first_then_synonyms_and_hypernyms_and_the_places_in_the_synset(net: Path) -> None:
    assert found(NltkSource(net), "bank", "noun") == [
        ("lender", "lender.n.01", "synonym", 1, 1),
        ("money box", "lender.n.01", "synonym", 1, 3),
        ("firm", "firm.n.01", "hypernym", 1, 1),
        ("house", "firm.n.01", "hypernym", 1, 2),
        ("shore", "bank.n.02", "synonym", 2, 2),
        ("slope", "slope.n.01", "hypernym", 2, 1),
    ]


def test_each_candidate_tells_the_sense_it_was_reached_from(net: Path) -> None:
    assert [row.start for row in NltkSource(net).candidates("bank", "noun")] == ["lender.n.01"] * 4 + ["bank.n.02"] * 2


def test_with_far_ones_hyponyms_and_siblings_follow(net: Path) -> None:
    source = NltkSource(net, far=True)
    assert found(source, "lender", "noun")[-2:] == [
        ("shop", "shop.n.01", "sibling", 1, 1),
        ("store", "shop.n.01", "sibling", 1, 2),
    ]
    assert found(source, "house", "noun")[-2:] == [
        ("shop", "shop.n.01", "hyponym", 1, 1),
        ("store", "shop.n.01", "hyponym", 1, 2),
    ]
    assert [row[:3] for row in found(source, "steady", "adj")][-1] == ("solid", "solid.s.01", "sibling")


def test_satellites_are_adjectives_and_parts_of_speech_are_kept_apart(net: Path) -> None:
    source = NltkSource(net)
    assert found(source, "hard", "adj") == [
        ("solid", "solid.s.01", "similar", 1, 1),
        ("firm", "firm.s.01", "similar", 1, 1),
        ("steady", "firm.s.01", "similar", 1, 2),
    ]
    assert found(source, "bank", "verb") == [("rely", "bank.v.01", "synonym", 1, 2)]
    assert found(source, "bank", "adj") == []


def test_a_word_of_another_case_or_form_is_another_word(net: Path) -> None:
    source = NltkSource(net)
    assert found(source, "china", "noun") == [("crockery", "china.n.02", "synonym", 1, 2)]
    assert found(source, "China", "noun")[:2] == [
        ("Cathay", "china.n.01", "synonym", 1, 2),
        ("land", "land.n.01", "hypernym", 1, 1),
    ]
    assert found(source, "banks", "noun") == found(source, "zebra", "noun") == []


def test_the_words_of_a_part_of_speech_are_single_as_written_and_sorted(net: Path) -> None:
    source = NltkSource(net)
    assert source.words("verb") == ["bank", "rely"]
    assert source.words("adj") == ["firm", "hard", "solid", "steady"]
    assert source.words("noun")[:3] == ["Cathay", "China", "bank"]


def test_the_name_tells_the_version_that_the_files_state(net: Path) -> None:
    assert (NltkSource(net).name, NltkSource(net).language) == ("wordnet:3.7", "en")


def test_two_folders_can_be_read_in_turns(net: Path, tmp_path: Path) -> None:
    other = write_wndb(tmp_path / "other", [("pot", "n", ["kettle", "boiler"], [])])
    one, two = NltkSource(net), NltkSource(other)
    assert found(one, "kettle", "noun") == found(two, "bank", "noun") == []
    assert [row[0] for row in found(two, "kettle", "noun")] == ["boiler"]
    assert len(found(one, "bank", "noun")) == 6


@pytest.mark.parametrize("name", NEEDED)
def test_a_folder_without_one_of_the_files_is_refused(net: Path, name: str) -> None:
    (net / name).unlink()
    with pytest.raises(SourceError) as caught:
        NltkSource(net)
    assert str(caught.value) == (
        f"{net}: no {name} in this folder; give a folder with the files of Princeton WordNet (data.noun, index.noun, …)"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("index.noun", b"bank n 2 0 2 0 00000042\n"),
        ("index.noun", b"bank\n"),
        ("index.adj", b"\xff\xfe"),
        ("data.adj", b"\xff\xfe\xff"),
    ],
)
def test_a_damaged_file_is_one_clear_error(net: Path, name: str, content: bytes) -> None:
    (net / name).write_bytes(content)
    with pytest.raises(SourceError, match=r"no WordNet that NLTK can read \(.+\); give a folder"):
        NltkSource(net).candidates("bank", "noun")


def test_a_line_that_is_cut_is_one_clear_error_when_it_is_read(net: Path) -> None:
    path = net / "data.noun"
    path.write_bytes(path.read_bytes()[: len("  1 WordNet 3.7 Copyright") + 60])
    source = NltkSource(net)
    with pytest.raises(SourceError, match=r"no WordNet that NLTK can read"):
        source.candidates("bank", "noun")
    with pytest.raises(SourceError, match=r"no WordNet that NLTK can read"):
        source.words("noun")


def test_the_sample_is_the_one_that_the_tests_speak_of() -> None:
    assert len(NET) == 12
