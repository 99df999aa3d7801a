"""Tagging by spaCy, with a stand-in for it: the project is tested without."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.tagging import SpacyTagger, load_tagger
from ncimp.schemas.errors import SourceError
from tests.sources.lexicon_samples import write


@dataclass
class Token:
    text: str
    lemma_: str
    pos_: str
    tag_: str
    morph: object
    whitespace_: str
    is_space: bool = False


WORDS = {
    "As": Token("As", "o", "DET", "", "Gender=Fem|Number=Plur", " "),
    "casas": Token("casas", "casa", "NOUN", "", "Gender=Fem|Number=Plur", " "),
    "caíram.": Token("caíram", "cair", "VERB", "", "Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin", ""),
}


class Pipeline:
    meta: dict[str, object]

    def __init__(self) -> None:
        self.meta = {"lang": "pt", "name": "core_news_sm", "version": "3.8.0"}

    def pipe(self, texts: Iterable[str]) -> Iterator[list[Token]]:
        for text in texts:
            yield [WORDS[word] for word in text.split(" ") if word] + [Token(" ", " ", "SPACE", "", "", "", True)]


def test_sentences_become_a_treebank(tmp_path: Path) -> None:
    tagger = SpacyTagger(Pipeline())
    text = "".join(tagger.conllu(["As casas  caíram.\n", " ", "casas"]))
    assert tagger.name == "pt_core_news_sm 3.8.0"
    assert text == (
        "1\tAs\to\tDET\t_\tGender=Fem|Number=Plur\t_\t_\t_\t_\n"
        "2\tcasas\tcasa\tNOUN\t_\tGender=Fem|Number=Plur\t_\t_\t_\t_\n"
        "3\tcaíram\tcair\tVERB\t_\tMood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin\t_\t_\t_\tSpaceAfter=No\n\n"
        "1\tcasas\tcasa\tNOUN\t_\tGender=Fem|Number=Plur\t_\t_\t_\t_\n\n"
    )
    store = open_lexicon(write(tmp_path, "tagged", text), data=tmp_path)
    assert [entry.times for entry in store.readings("casas")] == [2]


def test_a_pipeline_is_loaded_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=lambda name: {"pt_core_news_sm": Pipeline()}[name]))
    assert load_tagger("pt_core_news_sm").name == "pt_core_news_sm 3.8.0"


def test_without_spacy_or_the_pipeline_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Pipeline:
        raise OSError(f"[E050] Can't find model {name!r}")

    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(SourceError, match=r"spaCy is not installed; pip install .* python -m spacy download nn$"):
        load_tagger("nn")
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=absent))
    with pytest.raises(SourceError, match=r"no spaCy pipeline 'nn' is installed; python -m spacy download nn$"):
        load_tagger("nn")
