"""Full-form lexicons as small databases, each made once.

    <data>/morphology/<sha256 of the file>-<format of the store>.sqlite

The name identifies the file it was made from, so a changed file is another lexicon and no store is out of date.
A store is made aside and renamed: a damaged file leaves the folder as it was.
"""

import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

from ncimp.builder.records import Gender
from ncimp.builder.sources.lexicons.files import LexiconFormat, content_hash, lexicon_files, read_lexicon
from ncimp.builder.sources.lexicons.readers import PARTICIPLE, PROPER, Entry
from ncimp.schemas import Place, SourceError, atomic_path

FOLDER = "morphology"  # the folder of the stores among the data
STORE_FORMAT = 1  # version of the tables below and of what the readers put into them; part of the file name
CACHED = 1 << 16  # forms and lemmas in memory: the words of a large corpus repeat

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
        self.counted = bool(counted)  # whether the file counts how often each form occurs
        self._tags = [tuple(tag) for tag in tags]

    def readings(self, form: str) -> list[Entry]:
        """Return every reading of *form*, whatever its case, in a fixed order."""
        key = form_key(form)
        entries = (self._entry(row[0] or key, *row[1:]) for row in self._rows(BY_FORM, key))
        return sorted(entries, key=reading_order)

    def inflected(self, lemma: str, pos: str) -> list[Entry]:
        """Return every form of *lemma* as a *pos*, in a fixed order."""
        entries = (self._entry(*row) for row in self._rows(BY_LEMMA, lemma))
        return sorted((entry for entry in entries if entry.pos == pos), key=reading_order)

    def entries(self) -> Iterator[Entry]:
        """Yield everything the store holds."""
        return (self._entry(*row) for row in self._rows(ALL))

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


class FormCounts:
    """The sum of the counts of several lexicons."""

    def __init__(self, stores: Sequence[FormStore]) -> None:
        self._stores = [store for store in stores if store.counted]
        self.of_form = lru_cache(CACHED)(self._of_form)
        """Return the counted readings of a form; those of a name only where the form could be one."""
        self.genders = lru_cache(CACHED)(self._genders)
        """Return how often a noun lemma, in any of its forms, has each gender."""

    def inflected(self, lemma: str, pos: str) -> tuple[Entry, ...]:
        """Return the counted forms of *lemma* as a *pos*."""
        return _merged(entry for store in self._stores for entry in store.inflected(lemma, pos))

    def total(self, form: str, pos: str) -> int:
        """Return the count of *form* as a *pos*."""
        return sum(row.times for row in self.of_form(form) if row.pos == pos)

    def weight(self, reading: Entry) -> tuple[int, int, int]:
        """Return the counts of the form in this gender and number, of its lemma, and of the noun in this gender.

        The last helps with a rare form: the plural of a noun that was seen in the singular only. Features that the
        reading lacks fit every value.
        """
        rows = [row for row in self.of_form(reading.form) if is_less_precise(reading, row, PROPER)]
        same = (row.times for row in rows if (row.lemma, row.feats) == (reading.lemma, reading.feats))
        gender = self.genders(reading.lemma).get(reading.gender, 0) if reading.pos == "noun" else 0
        return sum(row.times for row in rows), sum(same), gender

    def _of_form(self, form: str) -> tuple[Entry, ...]:
        rows = _merged(entry for store in self._stores for entry in store.readings(form))
        common = tuple(row for row in rows if PROPER not in row.feats)
        return common if common and form == form.lower() else rows

    def _genders(self, lemma: str) -> Mapping[Gender | None, int]:
        counts: Counter[Gender | None] = Counter()
        for row in self.inflected(lemma, "noun"):
            if PROPER not in row.feats:  # the gender of a family's name is that of a person
                counts[row.gender] += row.times
        return counts


def is_less_precise(reading: Entry, row: Entry, mark: str) -> bool:
    """Tell whether *reading* agrees with *row* in every feature it has, and *mark* is a feature of both or neither."""
    same = reading.pos == row.pos and (mark in reading.feats) == (mark in row.feats)
    return same and reading.gender in (None, row.gender) and reading.number in (None, row.number)


def may_agree(row: Entry) -> bool:
    """Tell whether a counted form of a verb may be a participle whose gender was not annotated."""
    return row.pos == "verb" and row.feats in ("", PARTICIPLE)


def _merged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    counts: Counter[Entry] = Counter()
    for entry in entries:
        counts[entry._replace(times=0)] += entry.times
    return tuple(entry._replace(times=times) for entry, times in counts.items())


def form_key(form: str) -> str:
    """Return the key of *form*: lower case, in Unicode form NFC."""
    return unicodedata.normalize("NFC", form.lower())


def reading_order(entry: Entry) -> tuple[object, ...]:
    """Sort key of readings of one lexicon: by count, then a word as its own lemma first, then by name."""
    features = (entry.gender or "", entry.number or "", entry.feats)
    return (-entry.times, entry.form != entry.lemma, entry.feats != "", entry.pos, entry.lemma, features, entry.form)


def open_lexicon(path: Path, *, data: Path) -> FormStore:
    """Return the store of the lexicon *path* (a file or a folder) in the folder *data*, making it when it is new."""
    target = data / FOLDER / f"{content_hash(path, lexicon_files(path))[:16]}-{STORE_FORMAT}.sqlite"
    if not target.is_file():
        _make(path, target)
    return FormStore(target)


def _make(path: Path, target: Path) -> None:
    kind, entries = read_lexicon(path)
    try:
        with atomic_path(target) as aside, closing(sqlite3.connect(aside)) as connection:
            connection.executescript(SCHEMA)
            with connection:
                _fill(connection, kind, entries, Place(str(path)))
    except (OSError, sqlite3.OperationalError) as error:
        fix = "check the folder and the space on the disk"
        raise SourceError(f"cannot be written ({error})", fix=fix, place=Place(str(target))) from None


def _fill(connection: sqlite3.Connection, kind: LexiconFormat, entries: Iterable[Entry], place: Place) -> None:
    lemmas: dict[str, int] = {}
    tags: dict[tuple[str | None, ...], int] = {}

    def rows() -> Iterator[tuple[str, int, int, str, int]]:
        for form, lemma, pos, gender, number, feats, count in entries:
            key = form_key(form)
            tag = tags.setdefault((pos, gender, number, feats), len(tags))
            yield key, lemmas.setdefault(lemma, len(lemmas)), tag, form if form != key else "", count

    connection.executemany(ADD, rows())
    connection.executemany("INSERT INTO lemmas (lemma, id) VALUES (?, ?)", lemmas.items())
    rows_of_tags = ((number, *features) for features, number in tags.items())
    connection.executemany("INSERT INTO tags VALUES (?, ?, ?, ?, ?)", rows_of_tags)
    ((forms,),) = connection.execute("SELECT count(*) FROM forms").fetchall()
    if not forms:
        raise SourceError("the file holds no entries", fix="give a lexicon", place=place)
    connection.execute("INSERT INTO header VALUES (?, ?, ?)", (kind.name, kind.counted, forms))
