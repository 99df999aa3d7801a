"""What makes an SQLite file a statistics store of this version, and the identity of its content."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files

from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import Row
from ncimp.schemas.hashing import keyed_hash, logical_hash

STORE_FORMAT = 1
"""Version of the file format. A store of another version is not read: count the corpus again."""

COMPATIBLE_SCHEMA_HASHES = frozenset({"944f3d82b0e10a8f695abbf235ace86d5f1e5700f870bdcf73332f3423105101"})
"""`schema_hash` of every schema that this version reads; the one of `schema.sql` is among them (tested)."""

_NOT_A_STORE = "is not a statistics store"


def schema_sql() -> str:
    """Return the statements that make an empty store."""
    return (files("ncimp.corpus_stats") / "schema.sql").read_text(encoding="utf-8")


def schema_hash(connection: sqlite3.Connection) -> str:
    """Return a sha256 over the tables and indexes of a database, whatever rows they hold."""
    query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
    return keyed_hash(*(part for row in connection.execute(query) for part in row))


def content_hash(connection: sqlite3.Connection, *, lang: str, tokeniser_version: int, sentences: int) -> str:
    """Return the sha256 over language, word rules and all counts of a store.

    File names, corpus format and the number of files are left out: the same sentences give the same hash
    however they were cut into files. It does not depend on the version of SQLite, as the file's bytes do.
    """
    head = {"lang": lang, "tokeniser_version": tokeniser_version, "sentences": sentences}
    return logical_hash(_content_rows(connection, head))


def _content_rows(connection: sqlite3.Connection, head: Row) -> Iterator[Row]:
    yield head
    for layer, word, count in connection.execute("SELECT layer, word, count FROM unigrams ORDER BY layer, id"):
        yield {"layer": layer, "word": word, "count": count}
    pairs = "SELECT layer, first, second, count FROM bigrams ORDER BY layer, first, second"
    for layer, first, second, count in connection.execute(pairs):
        yield {"layer": layer, "first": first, "second": second, "count": count}


def check_store(connection: sqlite3.Connection, place: Place) -> None:
    """Raise `SourceError` unless *connection* is to a statistics store that this version reads."""
    fix = "make one with `ncimp stats count`"
    try:
        found = schema_hash(connection)
        versions = connection.execute("SELECT format_version FROM header").fetchall()
    except sqlite3.DatabaseError as error:
        raise SourceError(f"{_NOT_A_STORE} ({error})", fix=fix, place=place) from None
    if len(versions) != 1:
        raise SourceError(f"{_NOT_A_STORE} (its header has {len(versions)} rows)", fix=fix, place=place)
    if versions[0][0] != STORE_FORMAT:
        what = f"is a statistics store of format {versions[0][0]}, and this version reads format {STORE_FORMAT}"
        raise SourceError(what, fix="count the corpus again with `ncimp stats count`", place=place)
    if found not in COMPATIBLE_SCHEMA_HASHES:
        raise SourceError("has not the tables of a statistics store", fix=fix, place=place)
