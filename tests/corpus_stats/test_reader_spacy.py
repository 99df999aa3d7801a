"""Text cut and tagged by spaCy itself: pipelines made here and saved, because no model may be downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main
from ncimp.corpus_stats.contexts.run import search_files
from ncimp.corpus_stats.contexts.sample import ContextFilter, PhraseIndex
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.formats import Corpus, Reading
from ncimp.corpus_stats.words import Token
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import read_jsonl

spacy: Any = pytest.importorskip("spacy", reason='needs pip install "ncimp[spacy]"')

TEXT = "Many rats  raced. The rat races don't end!\n\nRats race here.\n"

RULES = {
    "rats": {"LEMMA": "rat", "POS": "NOUN", "MORPH": "Number=Plur"},
    "rat": {"LEMMA": "rat", "POS": "NOUN", "MORPH": "Number=Sing"},
    "races": {"LEMMA": "race", "POS": "NOUN", "MORPH": "Number=Plur"},
    "race": {"LEMMA": "race", "POS": "VERB"},
    "raced": {"LEMMA": "race", "POS": "VERB"},
    "many": {"LEMMA": "many"},
    "here": {"LEMMA": "here"},
}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an English pipeline that cuts sentences and knows some words."""
    made = spacy.blank("en")
    made.add_pipe("sentencizer")
    ruler = made.add_pipe("attribute_ruler")
    for word, values in RULES.items():
        ruler.add([[{"LOWER": word}]], values)
    folder = tmp_path_factory.mktemp("spacy") / "rules"
    made.to_disk(folder)
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "c.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def tokens_of(path: Path, how: str) -> list[tuple[str, list[Token]]]:
    sentences = Corpus(str(path), "text", Reading(sentences=how, lang="en")).sentences()
    return [(sentence.text, list(sentence)) for sentence in sentences]


def test_a_blank_pipeline_cuts_words_and_sentences(corpus: Path) -> None:
    assert [(text, [token.surface for token in tokens]) for text, tokens in tokens_of(corpus, "spacy:blank")] == [
        ("Many rats  raced.", ["Many", "rats", "raced", "."]),
        ("The rat races don't end!", ["The", "rat", "races", "do", "n't", "end", "!"]),
        ("Rats race here.", ["Rats", "race", "here", "."]),
    ]


def test_a_pipeline_of_ones_own_gives_lemmas_and_parts_of_speech(corpus: Path, pipeline: Path) -> None:
    (_, first), (_, second), (_, third) = tokens_of(corpus, f"spacy:{pipeline}")
    assert first == [
        Token("Many", "many", None),
        Token("rats", "rat", "NOUN"),
        Token("raced", "race", "VERB"),
        Token(".", "_", None),
    ]
    assert second[:3] == [Token("The", "_", None), Token("rat", "rat", "NOUN"), Token("races", "race", "NOUN")]
    assert third[1] == Token("race", "race", "VERB")


def test_contexts_are_found_by_the_lemmas_of_a_pipeline(corpus: Path, pipeline: Path) -> None:
    index, anything = PhraseIndex({"race": [("rat", "race")]}), ContextFilter(min_words=1, complete=False)
    reading = Reading(sentences=f"spacy:{pipeline}")
    search = Search(index, "text", reading, 9, layer="lemma", conditions=anything)
    found = search_files(search, [str(corpus)], Problems()).of("race")
    assert sorted((one.place.position, one.matched) for one in found) == [
        (1, "rats  raced"),
        (2, "rat races"),
        (3, "Rats race"),
    ]


def test_the_command_reads_with_a_pipeline(corpus: Path, pipeline: Path, mini_packs: Path) -> None:
    names, out = corpus.with_name("names.txt"), corpus.with_name("out.jsonl")
    names.write_text("rat race\n", encoding="utf-8")
    command = ["corpus", "find", "--lang", "en", "--packs", mini_packs, "--compounds", names, "--out", out]
    command += ["--min-words", "3", "--sentences", f"spacy:{pipeline}", "--corpus", corpus]
    assert main(list(map(str, command))) == 0
    assert sorted(row["matched"] for _, row in read_jsonl(out)) == ["rat races"]


def test_a_pipeline_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"spaCy cannot load '.*none' \(.*\); name an installed pipeline"):
        Reading(sentences=f"spacy:{tmp_path / 'none'}").rules("text")
