"""The published NCTTI files of Garcia et al. (2021), from a copy of the user's: classes, scores, sentences.

data/data_en.tsv  data/data_pt.tsv          one row per compound, every cell in quotes
data/sentids_en.csv  data/sentids_pt.csv    three sentences each, or their places in ukWaC and brWaC
"""

import csv
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ncimp.builder.records import CompoundClass
from ncimp.schemas import Place, SourceError, read_text
from ncimp.schemas.records import compound_key

COMMIT = "98126bd"  # of marcospln/nctti, whose layout this is
COPY = f"a copy of the published repository, as of commit {COMMIT}"
LANGS = ("en", "pt")
HEADER = (
    "compound", "CompScale", "CompType", "MeanS1", "MeanS2", "MeanS3",
    "Synonyms", "SynonymsS1", "SynonymsS2", "SynonymsS3",
)  # fmt: skip
SENTENCES = ("compound", "sentence1", "sentence2", "sentence3")
CLASSES: Mapping[str, CompoundClass] = {
    "NC": "idiomatic",
    "PC": "partly_compositional",
    "C": "compositional",
}
"""Class by its short name: non-compositional, partly compositional, compositional."""
UKWAC = re.compile(r"""sent\d: \('"+(?P<document>[^"]+)"+', (?P<number>\d+)\)""")
BRWAC = re.compile(r"""sent\d: \(\['# MWETOOLKIT: meta\.doc\.id="(?P<document>[^"]+)"'.*\], (?P<number>\d+)\)""")


class CorpusPlace(NamedTuple):
    """The place of a sentence that was not published."""

    document: str
    number: int  # of the sentence in its document


class SentencePlace(NamedTuple):
    """A sentence, and where it stands."""

    text: str
    document: str  # file of the copy, or id of a document of the corpus
    offset: int  # characters before it there
    number: int  # row of the file, or place of the sentence in the document, from 1
    column: str | None  # of the file


class NcttiRow(NamedTuple):
    """One compound."""

    number: int  # row of its table, the header being the first
    lang: str
    compound: str
    short_class: str  # C, PC or NC
    type_score: float | None  # of the compound by itself, 0 (idiomatic) to 5 (compositional)
    sentence_scores: tuple[float | None, float | None, float | None]  # means over the annotators of each sentence
    paraphrases: tuple[str, ...]  # given for the compound in general; the published list repeats some
    sentence_paraphrases: tuple[tuple[str, ...], ...]  # given in one sentence only
    sentences: tuple[str | CorpusPlace, ...]  # none where their file lacks the compound
    sentence_row: int | None  # row of their file

    @property
    def key(self) -> tuple[str, str]:
        """Language, and compound without case and hyphens."""
        return self.lang, compound_key(self.compound)

    def places(self, number: int, texts: Mapping[str, str]) -> Iterator[SentencePlace]:
        """Yield the places where sentence *number* (from 1) may stand, of those that are in *texts*.

        The published script counts the sentences of a document of brWaC from 2, so the one before comes, too.
        """
        sentence = self.sentences[number - 1] if self.sentences else ""
        if isinstance(sentence, CorpusPlace):
            lines = texts.get(sentence.document, "").split("\n")
            for at in (sentence.number, sentence.number - 1):
                if 1 <= at <= len(lines):
                    before = sum(len(line) + 1 for line in lines[: at - 1])
                    yield SentencePlace(lines[at - 1], sentence.document, before, at, None)
        elif sentence and self.sentence_row is not None:
            name = f"sentids_{self.lang}.csv"
            offset = texts[name].index(sentence.replace('"', '""'))
            yield SentencePlace(sentence, name, offset, self.sentence_row, f"sentence{number}")


def nctti_folder(folder: Path) -> Path | None:
    """Return the folder of the data in *folder*, or None where it is no copy of the files."""
    return next((one for one in (folder / "data", folder) if (one / "data_en.tsv").is_file()), None)


def read_nctti(folder: Path) -> list[NcttiRow]:
    """Return the compounds of both languages in their order; one `SourceError` says what was expected."""
    place = nctti_folder(folder)
    if place is None:
        raise SourceError("no data_en.tsv in it", fix=f"give the folder of {COPY}", place=Place(str(folder)))
    return [row for lang in LANGS for row in _rows(place, lang)]


def sentence_files(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file with sentences in *folder*."""
    for lang in LANGS:
        name = f"sentids_{lang}.csv"
        yield name, unicodedata.normalize("NFC", read_text(folder / name))


def _rows(folder: Path, lang: str) -> Iterator[NcttiRow]:
    sentences = {
        compound_key(cells[0]): (tuple(map(_sentence, cells[1:])), number)
        for number, cells in _cells(folder / f"sentids_{lang}.csv", ",", SENTENCES)
    }
    path = folder / f"data_{lang}.tsv"
    for number, cells in _cells(path, "\t", HEADER):
        if cells[1] not in CLASSES:
            fix = f"one of {', '.join(CLASSES)} is expected; give {COPY}"
            raise SourceError(
                f"the class {cells[1]!r} is not known", fix=fix, place=Place(str(path), number, HEADER[1])
            )
        scores = [_score(cells[at], Place(str(path), number, HEADER[at])) for at in range(2, 6)]
        texts, sentence_row = sentences.get(compound_key(cells[0]), ((), None))
        lists = [tuple(text.strip() for text in cell.split(";") if text.strip()) for cell in cells[6:]]
        yield NcttiRow(
            number=number,
            lang=lang,
            compound=cells[0],
            short_class=cells[1],
            type_score=scores[0],
            sentence_scores=(scores[1], scores[2], scores[3]),
            paraphrases=lists[0],
            sentence_paraphrases=tuple(lists[1:]),
            sentences=texts,
            sentence_row=sentence_row,
        )


def _cells(path: Path, delimiter: str, header: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    if not path.is_file():
        raise SourceError(f"no {path.name} in it", fix=f"give {COPY}", place=Place(str(path.parent)))
    rows = csv.reader(unicodedata.normalize("NFC", read_text(path)).splitlines(), delimiter=delimiter)
    first = tuple(next(rows, ()))
    if first != header:
        what = f"the header is {', '.join(first)[:80]!r}"
        raise SourceError(what, fix=f"{', '.join(header)} is expected; give {COPY}", place=Place(str(path), 1))
    for number, cells in enumerate(rows, start=2):
        if len(cells) != len(header):
            what = f"{len(cells)} cells where the header has {len(header)}"
            raise SourceError(what, fix=f"give {COPY}", place=Place(str(path), number))
        yield number, cells


def _score(text: str, place: Place) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 5:
        raise SourceError(f"{text!r} is no score", fix=f"0 to 5 is expected; give {COPY}", place=place)
    return value


def _sentence(text: str) -> str | CorpusPlace:
    """Return the sentence, or its place where that stands in its stead."""
    match = UKWAC.match(text) or BRWAC.match(text)
    return CorpusPlace(match["document"], int(match["number"])) if match else text
