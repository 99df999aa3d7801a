"""The published NCIMP files of He et al. (2025), from a copy of the user's: sentences with their spans, and scores.

    EN/neutral.csv  PT/neutral.csv                       one row per compound
    PT/naturalistics_examplesent1.csv  ...2.csv  ...3.csv  (English: the same three, where the copy has them)
    human_compositionality scores.xlsx                    one row per compound and file

A sentence stands in a column, and beside it (`..._tag`) a list of True and False, one for each of its words: what is
True is the compound or its replacement. A row begins with the compound, which is the same in all files.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from python_calamine import CalamineError, CalamineWorkbook

from ncimp.builder import records
from ncimp.builder.records import COMPONENTS, NATURALISTIC, RANDOMS, WORDS_SYN, LanguagePack, Origin, Span
from ncimp.schemas import Place, SourceError
from ncimp.schemas.records import compound_key

COMMIT = "9f2dc4e"  # of risehnhew/Finding-Idiomaticity-in-Word-Representations, whose layout this is
COPY = f"a whole copy of the published repository, as of commit {COMMIT}"
LANGS = ("en", "pt")
NEUTRAL = "neutral.csv"
COMPOUND = "compound"
SCORES = "human_compositionality scores.xlsx"
SHEET = "Sheet1"
SCORE_COLUMNS = (
    "language", "experiment_type", "file", "compound", "ClassType", "ClassToken", "CompositionalityType",
    "CompositionalityToken", "CompositionalityTokenSents", "MWE Synonym Overlap", "naturalistics_sentence_length",
    "Type",
)  # fmt: skip
TAG = "_tag"
ORIGINALS: Mapping[str, str] = {"neutral": "neutral sentence", "naturalistic": "original sentence"}
ORIGINAL_TAG = f"original sentence{TAG}"  # of both
VARIANTS: Mapping[str, str] = {
    "syn": "synonym for compound",
    **dict(zip(COMPONENTS, ("original head only", "original modifier only"), strict=True)),
    WORDS_SYN[0]: "synonym both",
    **{name: f"nc rand freq sentence{number}" for number, name in enumerate(RANDOMS, start=1)},
}
"""The column of each variant, the same in all files."""
FURTHER = {name: f"both synonym alt{number}" for number, name in enumerate(WORDS_SYN[1:], start=1)}
"""Those of the other pairs of component synonyms, which only the English neutral file has."""
WORD = re.compile(r"\S+")


class PublishedCell(NamedTuple):
    """One sentence of a file."""

    text: str
    span: Span  # characters of the compound or of what replaces it
    document: str  # path of the file in the copy
    start: int  # characters of the file before the cell
    row: int  # of the table, the header being the first
    column: str


class ScoreRow(NamedTuple):
    """One row of the spreadsheet: cells as text, empty where there is nothing."""

    number: int
    values: Mapping[str, str]

    @property
    def key(self) -> tuple[str, str]:
        """Language, and compound without case and hyphens."""
        return self.values["language"], compound_key(self.values["compound"])

    @property
    def context(self) -> str | None:
        """The context that the row is about, or None where its file is no known one."""
        return CONTEXT_OF_FILE.get(self.values["file"].rpartition("/")[2])

    def score(self, column: str) -> float | None:
        """Return a number, None where there is none, or raise `SourceError` where something else stands."""
        text = self.values[column].strip()
        try:
            return float(text) if text else None
        except ValueError:
            place = Place(SCORES, self.number, column)
            raise SourceError(f"{text!r} is no number", fix=f"give {COPY}", place=place) from None


@dataclass(frozen=True)
class PublishedTable:
    """One of the files with sentences."""

    lang: str
    kind: Literal["neutral", "naturalistic"]
    context: str  # that its sentences stand for: `neut_short`, `nat1` and so on
    document: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    starts: tuple[tuple[int, ...], ...]  # characters of the file before each cell

    @cached_property
    def variants(self) -> Mapping[str, str]:
        """The column of each variant that the file has, the original first."""
        columns = {"orig": self.original, **VARIANTS, **FURTHER}
        return {name: column for name, column in columns.items() if column in self.header}

    @property
    def original(self) -> str:
        """The column of the original sentences."""
        return ORIGINALS[self.kind]

    @cached_property
    def tagged(self) -> tuple[str, ...]:
        """The columns of sentences that have tags."""
        return tuple(name for name in self.header if f"{name}{TAG}" in self.header or name == self.original)

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.header)}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of the row of each compound, by its key."""
        return {compound_key(row[0]): number for number, row in enumerate(self.rows)}

    def text(self, number: int, column: str) -> str:
        """Return the cell of row *number* in *column*."""
        return self.rows[number][self._index[column]]

    def tags(self, number: int, column: str) -> list[bool]:
        """Return the tags of a sentence, or raise `SourceError` where they are no list of True and False."""
        name = ORIGINAL_TAG if column == self.original else f"{column}{TAG}"
        text = self.text(number, name)
        try:
            return msgspec.json.decode(text.lower(), type=list[bool])
        except msgspec.MsgspecError:
            place = Place(self.document, number + 2, name)
            fix = f"a list such as [True, False] is expected; give {COPY}"
            raise SourceError(f"the tags {text[:40]!r} cannot be read", fix=fix, place=place) from None

    def cell(self, number: int, column: str) -> PublishedCell | None:
        """Return a sentence with its span, or None where it is empty or its tags are not one run of its words."""
        text, words = self.text(number, column), self.words(number, column)
        tags = self.tags(number, column) if words else []
        marked = [at for at, tag in enumerate(tags) if tag]
        if len(tags) != len(words) or not marked or marked[-1] - marked[0] != len(marked) - 1:
            return None
        span = (words[marked[0]][0], words[marked[-1]][1])
        start = self.starts[number][self._index[column]]
        return PublishedCell(text, span, self.document, start, number + 2, column)

    def words(self, number: int, column: str) -> list[Span]:
        """Return the places of the words of a sentence."""
        return [match.span() for match in WORD.finditer(self.text(number, column))]

    def phrase(self, number: int, column: str) -> str:
        """Return the compound of a sentence, or its replacement; nothing where there is no such cell."""
        cell = self.cell(number, column)
        return cell.text[slice(*cell.span)] if cell else ""

    def carrier(self, number: int, column: str) -> tuple[list[str], list[str]]:
        """Return the words before and behind the compound of a sentence, or its replacement."""
        cell = self.cell(number, column)
        return (cell.text[: cell.span[0]].split(), cell.text[cell.span[1] :].split()) if cell else ([], [])


@dataclass(frozen=True)
class NcimpFiles:
    """A copy of the published files."""

    folder: Path
    tables: tuple[PublishedTable, ...]
    scores: tuple[ScoreRow, ...]

    @cached_property
    def scores_by_compound(self) -> Mapping[tuple[str, str], list[ScoreRow]]:
        """The rows of the spreadsheet for each compound."""
        rows: dict[tuple[str, str], list[ScoreRow]] = {}
        for row in self.scores:
            rows.setdefault(row.key, []).append(row)
        return rows

    def of(self, lang: str) -> list[PublishedTable]:
        """Return the tables of a language, the neutral one first."""
        return [table for table in self.tables if table.lang == lang]


def data_folder(folder: Path) -> Path:
    """Return the folder of the data in *folder*, a copy of the repository, or raise `SourceError`."""
    for name in (".", "dataset", "datasets"):
        if any((folder / name / lang.upper() / NEUTRAL).is_file() for lang in LANGS):
            return folder / name
    what = f"no {LANGS[0].upper()}/{NEUTRAL} and no {LANGS[1].upper()}/{NEUTRAL} in it"
    raise SourceError(what, fix=f"give the folder of {COPY}", place=Place(str(folder)))


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file with sentences in *folder*, a copy of the repository."""
    place = data_folder(folder)
    for lang in LANGS:
        names = [NEUTRAL, *(f"naturalistics_examplesent{number}.csv" for number in (1, 2, 3))]
        present = [name for name in names if (place / lang.upper() / name).is_file()]
        # English sentences from corpora were never to be had by everybody; a part of the files is no copy
        if present and present not in (names, names[:1] if lang == "en" else names):
            missing = ", ".join(name for name in names if name not in present)
            fix = f"give {COPY}"
            raise SourceError(f"{missing} is missing", fix=fix, place=Place(str(place / lang.upper())))
        for name in present:
            path = place / lang.upper() / name
            try:
                text = path.read_bytes().decode("utf-8-sig")
            except UnicodeDecodeError as error:
                what = f"byte {error.start} is not UTF-8"
                raise SourceError(what, fix=f"give {COPY}", place=Place(str(path))) from None
            # git may have changed the line ends
            yield path.relative_to(place).as_posix(), unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def read_ncimp(folder: Path) -> NcimpFiles:
    """Return the files of *folder*, or raise one `SourceError` that says what was expected."""
    tables = tuple(_table(folder, document, text) for document, text in documents(folder))
    return NcimpFiles(folder, tables, tuple(_scores(folder)))


def _table(folder: Path, document: str, text: str) -> PublishedTable:
    lang, name = document.lower().split("/")
    kind: Literal["neutral", "naturalistic"] = "neutral" if name == NEUTRAL else "naturalistic"
    context = "neut_short" if kind == "neutral" else f"nat{name.removesuffix('.csv')[-1]}"
    place = Place(str(folder / document))
    try:
        header, *rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row] or [[]]
    except csv.Error as error:
        raise SourceError(f"no table ({error})", fix=f"give {COPY}", place=place) from None
    needed = [COMPOUND, "compound noun", ORIGINALS[kind], ORIGINAL_TAG, *VARIANTS.values()]
    needed += [f"{column}{TAG}" for column in VARIANTS.values()]
    if kind == "neutral":
        needed += ["compound noun head", "compound noun modifier"]
        needed += [*FURTHER.values(), *(f"{column}{TAG}" for column in FURTHER.values())] if lang == "en" else []
    missing = [column for column in needed if column not in header]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        what = f"the header has no column {missing[0]!r}{more}"
        raise SourceError(what, fix=f"the layout is another one; give {COPY}", place=place)
    if not rows:
        raise SourceError("no row below the header", fix=f"give {COPY}", place=place)
    first_lines: dict[str, int] = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            what = f"{len(row)} cells where the header has {len(header)}"
            raise SourceError(what, fix=f"give {COPY}", place=Place(place.file, number))
        first = first_lines.setdefault(compound_key(row[0]), number)
        if first != number:
            what = f"the compound {row[0]!r} stands in row {first}, too"
            raise SourceError(what, fix=f"give {COPY}", place=Place(place.file, number))
    try:
        starts = _starts(text, [header, *rows])[1:]
    except ValueError:
        what = "a cell holds quotes and stands in none"
        raise SourceError(what, fix=f"save it as csv files are, or give {COPY}", place=place) from None
    return PublishedTable(lang, kind, context, document, tuple(header), tuple(map(tuple, rows)), starts)


def _starts(text: str, rows: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    """Return the number of characters of *text* before each cell of its *rows*."""
    position, starts = 0, []
    for row in rows:
        places = []
        for cell in row:
            place = text.index(in_file(cell), position)
            places.append(place)
            position = place + len(in_file(cell))
        starts.append(tuple(places))
    return tuple(starts)


def in_file(cell: str) -> str:
    """Return the text of *cell* as it stands in a file, where quotes are doubled."""
    return cell.replace('"', '""')


def published_places(pack: LanguagePack) -> dict[str, tuple[Origin, Origin | None]]:
    """Return the published place of each sentence of *pack*, or of the one that it was made of, by item id.

    Beside it stands the place of its phrase, where that is from another cell.
    """
    cells = {(row.compound, f"{row.context}/{row.variant}"): row for row in pack.published}
    places = {}
    for (compound, name), row in cells.items():
        other = cells.get((compound, row.phrase_of or ""))
        text = other.sentence[slice(*other.span)] if other else ""
        phrase = _origin(other, text) if other and text in other.text else None
        places[f"{pack.compound_id(compound)}/{name}"] = _origin(row, row.text), phrase
    return places


def _origin(row: records.PublishedItem, text: str) -> Origin:
    """Return the place of *text*, a part of what was published as *row*."""
    before = row.text[: row.text.index(text)]
    if row.column is not None:
        before, text = in_file(before), in_file(text)
    return Origin(row.compound, row.context, row.document, row.offset + len(before), text)


def _scores(folder: Path) -> Iterator[ScoreRow]:
    path = next((parent / SCORES for parent in (data_folder(folder), folder) if (parent / SCORES).is_file()), None)
    if path is None:
        raise SourceError(f"no {SCORES!r} in it", fix=f"give {COPY}", place=Place(str(folder)))
    place = Place(str(path))
    try:
        with CalamineWorkbook.from_path(path) as book:
            if SHEET not in book.sheet_names:
                what = f"no sheet {SHEET!r}; it has {', '.join(book.sheet_names)}"
                raise SourceError(what, fix=f"give {COPY}", place=place)
            rows = book.get_sheet_by_name(SHEET).to_python()
    except CalamineError as error:
        raise SourceError(f"no spreadsheet ({error})", fix=f"give {COPY}", place=place) from None
    header = tuple(map(str, rows[0])) if rows else ()
    if header != SCORE_COLUMNS:
        differing = next((name for name in SCORE_COLUMNS if name not in header), "another order")
        what = f"the columns of {SHEET!r} are other ones ({differing!r} is missing)"
        raise SourceError(what, fix=f"give {COPY}", place=place)
    for number, row in enumerate(rows[1:], start=2):
        values = (unicodedata.normalize("NFC", str(value)) for value in row)
        yield ScoreRow(number, dict(zip(header, values, strict=True)))


CONTEXT_OF_FILE: Mapping[str, str] = {
    NEUTRAL: "neut_short",
    **{f"naturalistics_examplesent{name[-1]}.csv": name for name in NATURALISTIC},
}
"""The context whose scores a row of the spreadsheet has, by the name of its file."""
