"""Word frequencies out of `wordfreq`, and the languages it has no list for."""

from __future__ import annotations

from importlib.metadata import version

import pytest
import wordfreq

from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.schemas.errors import SourceError
from ncimp.schemas.records import to_row
from tests.schemas.checking import check_row


@pytest.mark.parametrize("lang", ["gl", "tlh", "pt-BR", "EN", ""])
def test_a_language_without_a_list_is_refused_and_not_answered_with_a_related_one(lang: str) -> None:
    with pytest.raises(SourceError) as caught:
        WordfreqTable(lang)
    assert str(caught.value) == (
        f"wordfreq has no word list for {lang!r}; count a corpus of the language with `ncimp corpus count`"
    )


def test_wordfreq_itself_would_have_answered_galician_with_another_language() -> None:
    assert "gl" not in wordfreq.available_languages("best")


@pytest.mark.parametrize(("lang", "common", "rare"), [("en", "house", "beaver"), ("pt", "casa", "castor")])
def test_a_frequency_is_a_share_and_a_common_word_has_more_of_it(lang: str, common: str, rare: str) -> None:
    table = WordfreqTable(lang)
    assert 1e-5 < table.frequency(common) < 1e-2
    assert 0 < table.frequency(rare) < table.frequency(common)


def test_a_language_is_asked_for_its_own_words() -> None:
    assert WordfreqTable("pt").frequency("casa") > 100 * WordfreqTable("en").frequency("casa")


def test_the_largest_list_is_used() -> None:
    assert wordfreq.word_frequency("woodlouse", "en", wordlist="small") == 0
    assert WordfreqTable("en").frequency("woodlouse") > 0


def test_an_unknown_word_has_frequency_0() -> None:
    assert WordfreqTable("en").frequency("qzxvbnmkj") == 0.0


def test_a_frequency_is_not_inferred_from_the_parts_of_a_word() -> None:
    assert wordfreq.word_frequency("pot-kettle", "en") > 0
    assert WordfreqTable("en").frequency("pot-kettle") == 0.0


@pytest.mark.parametrize(("lang", "word", "other"), [("en", "House", "house"), ("de", "Straße", "strasse")])
def test_a_word_is_looked_up_as_the_list_writes_it(lang: str, word: str, other: str) -> None:
    table = WordfreqTable(lang)
    assert table.frequency(word) == table.frequency(other) > 0
    assert table.frequency(word) == pytest.approx(wordfreq.word_frequency(word, lang), rel=0.01)


def test_the_name_carries_the_version() -> None:
    assert WordfreqTable("en").name == f"wordfreq {version('wordfreq')}"


def test_the_source_fits_its_table_and_says_how_to_cite() -> None:
    row = to_row(WordfreqTable("pt").source())
    check_row("source", row)
    assert (row["name"], row["kind"], row["version"]) == ("wordfreq/pt", "frequencies", version("wordfreq"))
    assert (row["licence"], row["sha256"]) == ("CC-BY-SA-4.0", None)
    assert "Speer" in row["citation"]
