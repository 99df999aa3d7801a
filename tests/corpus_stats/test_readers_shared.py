"""Real corpora: the archives of NLTK against NLTK's own readers, and treebanks with their documents."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import nltk
import pytest
from nltk.corpus.reader import BracketParseCorpusReader, MacMorphoCorpusReader, TaggedCorpusReader
from nltk.data import ZipFilePathPointer

from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.formats import Corpus, expanded
from ncimp.corpus_stats.words import counted_form

NLTK: dict[str, tuple[Any, str, dict[str, str]]] = {
    "brown": (TaggedCorpusReader, r"c[a-z]\d\d", {"encoding": "ascii"}),
    "masc_tagged": (TaggedCorpusReader, r"(?:spoken|written)/.*\.txt", {"encoding": "utf-8", "sep": "_"}),
    "mac_morpho": (MacMorphoCorpusReader, r"(?!\.).*\.txt", {"encoding": "latin-1"}),
}

Counts = tuple[Counter[str], Counter[tuple[str, str]]]


def counted(sentences: Any) -> Counts:
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        forms = [counted_form(word) for word in sentence]
        words.update(form for form in forms if form is not None)
        pairs.update((one, two) for one, two in pairwise(forms) if one is not None and two is not None)
    return words, pairs


def ours(path: Path) -> Counts:
    problems = Problems("stop")
    sentences = Corpus(str(path), "nltk", problems=problems).sentences()
    return counted([token.surface for token in sentence] for sentence in sentences)


MEMBERS = 24
"""Files of an archive that are compared: NLTK takes half a minute for all of them."""


def beginning(archive: Path, pattern: str, folder: Path) -> Path:
    """Return a copy of *archive* with its first files only."""
    with zipfile.ZipFile(archive) as whole, zipfile.ZipFile(folder / archive.name, "w") as part:
        names = [name for name in whole.namelist() if re.fullmatch(f"{archive.stem}/{pattern}", name)]
        for name in sorted(names)[:MEMBERS]:
            part.writestr(name, whole.read(name))
    return folder / archive.name


@pytest.mark.shared
@pytest.mark.parametrize("name", NLTK)
def test_an_archive_has_the_counts_of_nltk(
    name: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, pattern, options = NLTK[name]
    # NLTK reads below its own folders only
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    copy = beginning(shared / "sources" / "corpora" / f"{name}.zip", pattern, tmp_path)
    theirs = kind(ZipFilePathPointer(str(copy), f"{name}/"), pattern, **options).sents()
    words, pairs = ours(copy)
    assert (words, pairs) == counted(theirs)
    assert words.total() > 40_000


@pytest.mark.shared
@pytest.mark.slow
def test_floresta_has_the_words_of_nltk_and_the_marks_that_it_drops(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    copy = Path(shutil.copy(shared / "sources" / "corpora" / "floresta.zip", tmp_path))
    reader = BracketParseCorpusReader(
        ZipFilePathPointer(str(copy), "floresta/"), r".*\.ptb", "#", tagset="unknown", encoding="iso-8859-15"
    )
    words, pairs = ours(copy)
    their_words, their_pairs = counted(reader.sents())
    assert their_words - words == Counter()
    assert (words - their_words).total() < 0.001 * words.total()
    # it makes neighbours of words that a mark of punctuation stands between
    assert (pairs - their_pairs).total() < (their_pairs - pairs).total() < 0.005 * pairs.total()


@pytest.mark.shared
def test_treebanks_have_documents_and_texts(shared: Path) -> None:
    (path,) = expanded([str(shared / "sources" / "corpora" / "en_ewt*dev*")], "conllu")
    sentences = list(Corpus(path, "conllu").sentences())
    text = Path(path).read_text(encoding="utf-8")
    assert len(sentences) == text.count("# sent_id")
    assert len({sentence.document for sentence in sentences}) == text.count("# newdoc id")
    assert [sentence.text for sentence in sentences] == [
        line.removeprefix("# text = ").strip() for line in text.split("\n") if line.startswith("# text = ")
    ]
    placed = [span is not None for s in sentences for token, span in zip(s, s.spans(), strict=True) if token.surface]
    assert all(placed)
