"""WordNets: the order of candidates, against a naive reading of the file and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.schemas.errors import SourceError
from tests.sources.sources_samples import TINY, Found, NaiveLexicon

pytestmark = pytest.mark.usefixtures("own_data_folder")


@pytest.fixture
def tiny(tmp_path: Path) -> WnSource:
    (tmp_path / "tiny.xml").write_text(TINY, encoding="utf-8")
    return WnSource(tmp_path / "tiny.xml", "tiny", work=tmp_path / "work")


@pytest.fixture(scope="module")
def mini(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, WnSource]:
    work = tmp_path_factory.mktemp("work")
    return {lang: WnSource(mini_packs / lang / "lexicon.xml", f"ncimp-{lang}", work=work) for lang in ("en", "pt")}


def found(source: WnSource, lemma: str, pos: str) -> list[Found]:
    rows = source.candidates(lemma, pos)
    assert {row.pos for row in rows} <= {pos}
    return [(row.lemma, row.synset, row.relation, row.sense, row.position) for row in rows]


def test_senses_come_first_then_synonyms_similar_words_hypernyms_and_the_places_in_the_synset(tiny: WnSource) -> None:
    assert found(tiny, "bank", "noun") == [
        ("lender", "money", "synonym", 1, 1),
        ("depository", "money", "synonym", 1, 3),
        ("fund", "saving", "similar", 1, 1),
        ("firm", "business", "hypernym", 1, 1),
        ("shore", "river", "synonym", 2, 2),
        ("water side", "river", "synonym", 2, 3),
    ]


def test_a_word_of_another_case_is_another_word(tiny: WnSource) -> None:
    assert found(tiny, "Bank", "noun") == [("station", "station", "synonym", 1, 2)]
    assert found(tiny, "BANK", "noun") == []


def test_satellites_are_adjectives_and_parts_of_speech_are_kept_apart(tiny: WnSource) -> None:
    assert found(tiny, "firm", "adj") == [("solid", "hard", "synonym", 1, 2)]
    assert found(tiny, "solid", "adj") == [("firm", "hard", "synonym", 1, 1), ("entire", "whole", "synonym", 2, 2)]
    assert found(tiny, "firm", "noun") == []
    assert found(tiny, "bank", "adj") == []


def test_a_word_that_the_lexicon_does_not_hold_has_no_candidates(tiny: WnSource) -> None:
    assert found(tiny, "zebra", "noun") == []


def test_the_words_of_a_part_of_speech_are_single_and_sorted_by_code_point(tiny: WnSource) -> None:
    assert tiny.words("noun") == ["Bank", "bank", "depository", "firm", "fund", "lender", "shore", "station"]
    assert tiny.words("adj") == ["entire", "firm", "solid"]


def test_the_name_carries_the_version(tiny: WnSource) -> None:
    assert tiny.name == "tiny:1.2.0"


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize("pos", ["noun", "adj"])
def test_the_mini_lexicons_answer_as_a_naive_reading_of_their_files(
    mini: dict[str, WnSource], mini_packs: Path, lang: str, pos: str
) -> None:
    naive = NaiveLexicon((mini_packs / lang / "lexicon.xml").read_text(encoding="utf-8"))
    lemmas = naive.lemmas(pos)
    assert mini[lang].words(pos) == [lemma for lemma in lemmas if " " not in lemma]
    answered = {lemma: found(mini[lang], lemma, pos) for lemma in lemmas[::4]}
    assert answered == {lemma: naive.candidates(lemma, pos) for lemma in lemmas[::4]}
    assert sum(map(len, answered.values())) > 20


def test_the_components_of_the_mini_world_have_candidates(mini: dict[str, WnSource], mini_packs: Path) -> None:
    naive = NaiveLexicon((mini_packs / "en" / "lexicon.xml").read_text(encoding="utf-8"))
    for lemma, pos in (("beaver", "noun"), ("rat", "noun"), ("eager", "adj"), ("silent", "adj")):
        assert found(mini["en"], lemma, pos) == naive.candidates(lemma, pos)
        assert len(found(mini["en"], lemma, pos)) >= 9


def test_two_lexicons_can_be_asked_in_turns(mini: dict[str, WnSource]) -> None:
    for _ in range(2):
        assert "animal" in {row.lemma for row in mini["en"].candidates("beaver", "noun")}
        assert mini["pt"].candidates("beaver", "noun") == ()
        assert "beaver" in mini["en"].words("noun")
        assert "beaver" not in mini["pt"].words("noun")
    assert (mini["en"].name.split(":")[0], mini["pt"].name.split(":")[0]) == ("ncimp-en", "ncimp-pt")


def test_a_lexicon_that_the_file_does_not_hold_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "tiny.xml"
    path.write_text(TINY, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        WnSource(path, "big", work=tmp_path / "work")
    assert str(caught.value) == (
        f"{path}: no lexicon 'big' in this file (it holds tiny:1.2.0); name the right one in pack.toml"
    )
