"""A full-form lexicon as a small database that is made once and asked many times.

    <data>/morphology/<sha256 of the file>-<format of the store>.sqlite

The name tells what it was made from, so a changed file is another lexicon and nothing is ever out of
date. A store is made aside and renamed: a damaged file leaves the folder as it was.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from ncimp.builder.sources.lexicons.entries import Entry
from ncimp.builder.sources.lexicons.formats import Format, lexicon_hash, read_lexicon
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import atomic_path

FOLDER = "morphology"
"""The folder of the stores among the data."""

STORE_FORMAT = 1
"""Version of the tables below and of what the readers put into them; part of the file name."""

SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE header (format TEXT NOT NULL, counted INTEGER NOT NULL, forms INTEGER NOT NULL);
CREATE TABLE tags (id INTEGER PRIMARY KEY, pos TEXT NOT NULL, gender TEXT, number TEXT, feats TEXT NOT NULL);
CREATE TABLE lemmas (id INTEGER PRIMARY KEY, lemma TEXT NOT NULL UNIQUE);
CREATE TABLE forms (
    key TEXT NOT NULL, lemma INTEGER NOT NULL, tag INTEGER NOT NULL, written TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (key, lemma, tag, written)
) WITHOUT ROWID;
CREATE INDEX forms_by_lemma ON forms (lemma);
"""
"""`key` is the form in lower case, `written` the form where it differs from its key; no journal, because a
half-written file is thrown away."""

ADD = """
INSERT INTO forms VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key, lemma, tag, written) DO UPDATE SET count = count + excluded.count
"""
BY_FORM = "SELECT written, lemmas.lemma, tag, count FROM forms JOIN lemmas ON lemmas.id = forms.lemma WHERE key = ?"
ALL = """
SELECT CASE written WHEN '' THEN key ELSE written END, lemmas.lemma, tag, count
FROM lemmas JOIN forms ON forms.lemma = lemmas.id
"""
BY_LEMMA = ALL + "WHERE lemmas.lemma = ?"


class FormStore:
    """The forms of one lexicon file, read-only."""

    def __init__(self, path: Path) -> None:
        self._place = Place(str(path))
        try:
            self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            ((self.format, counted, self.forms),) = self._connection.execute("SELECT * FROM header").fetchall()
            tags = self._connection.execute("SELECT pos, gender, number, feats FROM tags ORDER BY id").fetchall()
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._damaged(error) from None
        self.counted = bool(counted)
        """Whether the file counts how often each form occurs."""
        self._tags = [tuple(tag) for tag in tags]

    def readings(self, form: str) -> list[Entry]:
        """Return every reading of *form*, whatever its case, in a fixed order."""
        key = form_key(form)
        rows = self._rows(BY_FORM, key)
        found = (self._entry(written or key, lemma, tag, count) for written, lemma, tag, count in rows)
        return sorted(found, key=reading_order)

    def inflected(self, lemma: str, pos: str) -> list[Entry]:
        """Return every form of *lemma* as a *pos*, in a fixed order."""
        found = (self._entry(*row) for row in self._rows(BY_LEMMA, lemma))
        return sorted((entry for entry in found if entry.pos == pos), key=reading_order)

    def entries(self) -> Iterator[Entry]:
        """Yield everything the store holds."""
        yield from (self._entry(*row) for row in self._rows(ALL))

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._connection.close()

    def _entry(self, form: str, lemma: str, tag: int, count: int) -> Entry:
        pos, gender, number, feats = self._tags[tag]
        return Entry(form, lemma, pos, gender, number, feats, count)

    def _rows(self, query: str, *values: str) -> list[tuple[str, str, int, int]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> SourceError:
        what = f"is a damaged store of a lexicon ({error})"
        return SourceError(what, fix="remove the file; it is made again", place=self._place)


def form_key(form: str) -> str:
    """Return what *form* is looked up by: lower case, in Unicode form NFC."""
    return unicodedata.normalize("NFC", form.lower())


def reading_order(entry: Entry) -> tuple[object, ...]:
    """Order readings of one lexicon that nothing else orders: a word as its own lemma first, then by name."""
    features = (entry.gender or "", entry.number or "", entry.feats)
    return (-entry.times, entry.form != entry.lemma, entry.feats != "", entry.pos, entry.lemma, features, entry.form)


def open_lexicon(path: Path, *, data: Path) -> FormStore:
    """Return the store of the lexicon *path* in the folder *data*, making it when it is not there.

    A folder is one lexicon in many files, as MorphoBr and treebanks are published.
    """
    target = store_path(path, data=data)
    if not target.is_file():
        _make(path, target)
    return FormStore(target)


def store_path(path: Path, *, data: Path) -> Path:
    """Return where the store of the lexicon *path* is kept; it need not be there yet."""
    return data / FOLDER / f"{lexicon_hash(path)[:16]}-{STORE_FORMAT}.sqlite"


def _make(path: Path, target: Path) -> None:
    made, entries = read_lexicon(path)
    try:
        with atomic_path(target) as aside, closing(sqlite3.connect(aside)) as connection:
            connection.executescript(SCHEMA)
            with connection:
                _fill(connection, made, entries, Place(str(path)))
    except (OSError, sqlite3.OperationalError) as error:
        fix = "check the folder and the space on the disk"
        raise SourceError(f"cannot be written ({error})", fix=fix, place=Place(str(target))) from None


def _fill(connection: sqlite3.Connection, made: Format, entries: Iterable[Entry], place: Place) -> None:
    lemmas: dict[str, int] = {}
    tags: dict[tuple[str | None, ...], int] = {}

    def rows() -> Iterator[tuple[str, int, int, str, int]]:
        for form, lemma, pos, gender, number, feats, count in entries:
            key = form_key(form)
            tag = tags.setdefault((pos, gender, number, feats), len(tags))
            yield key, lemmas.setdefault(lemma, len(lemmas)), tag, form if form != key else "", count

    connection.executemany(ADD, rows())
    connection.executemany("INSERT INTO lemmas (lemma, id) VALUES (?, ?)", lemmas.items())
    connection.executemany(
        "INSERT INTO tags VALUES (?, ?, ?, ?, ?)", ((number, *features) for features, number in tags.items())
    )
    ((forms,),) = connection.execute("SELECT count(*) FROM forms").fetchall()
    if not forms:
        raise SourceError("the file holds no entries", fix="give a lexicon", place=place)
    connection.execute("INSERT INTO header VALUES (?, ?, ?)", (made.name, made.counted, forms))
