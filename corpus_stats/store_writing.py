"""Writing counts as a statistics store: aside, in a fixed order, then renamed."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

from ncimp.corpus_stats.counting import CountedCorpus, LayerCounts
from ncimp.corpus_stats.store_format import STORE_FORMAT, content_hash, schema_sql
from ncimp.corpus_stats.words import LAYERS, TOKENISER_VERSION
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import atomic_path


def write_store(path: Path, corpus: CountedCorpus) -> None:
    """Write *corpus* to the SQLite file *path*, replacing it whole or, when something fails, not at all.

    Everything is inserted in sorted order, so the same counts and sources give the same bytes with the
    same version of SQLite.
    """
    try:
        with atomic_path(path) as aside, closing(sqlite3.connect(aside)) as connection:
            # no journal: a half-written file is thrown away, never repaired
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + schema_sql())
            with connection:
                _write_layers(connection, corpus)
                _write_header(connection, corpus)
    except (OSError, sqlite3.OperationalError) as error:
        fix = "check the folder and the space on the disk"
        raise SourceError(f"cannot be written ({error})", fix=fix, place=Place(str(path))) from None


def _write_layers(connection: sqlite3.Connection, corpus: CountedCorpus) -> None:
    for number, name in enumerate(LAYERS):
        layer = corpus.counts.layers[name]
        totals = (number, name, layer.words.total(), layer.pairs.total())
        connection.execute("INSERT INTO layers VALUES (?, ?, ?, ?)", totals)
        ids = {word: rank for rank, word in enumerate(sorted(layer.words))}
        connection.executemany("INSERT INTO unigrams VALUES (?, ?, ?, ?, ?, ?)", _unigrams(number, layer, ids))
        connection.executemany("INSERT INTO bigrams VALUES (?, ?, ?, ?)", _bigrams(number, layer, ids))


def _unigrams(number: int, layer: LayerCounts, ids: dict[str, int]) -> Iterator[tuple[int, int, str, int, int, int]]:
    as_first, as_second = margins(layer)
    for word, rank in ids.items():
        yield number, rank, word, layer.words[word], as_first[word], as_second[word]


def _bigrams(number: int, layer: LayerCounts, ids: dict[str, int]) -> Iterator[tuple[int, int, int, int]]:
    for first, second in sorted(layer.pairs):
        yield number, ids[first], ids[second], layer.pairs[first, second]


def margins(layer: LayerCounts) -> tuple[Counter[str], Counter[str]]:
    """Return c(w .) and c(. w) for each word w: the pairs that begin and that end with it."""
    as_first: Counter[str] = Counter()
    as_second: Counter[str] = Counter()
    for (first, second), count in layer.pairs.items():
        as_first[first] += count
        as_second[second] += count
    return as_first, as_second


def _write_header(connection: sqlite3.Connection, corpus: CountedCorpus) -> None:
    lang, sentences = corpus.lang, corpus.counts.sentences
    digest = content_hash(connection, lang=lang, tokeniser_version=TOKENISER_VERSION, sentences=sentences)
    header = (STORE_FORMAT, lang, corpus.corpus_format, TOKENISER_VERSION, sentences, digest)
    connection.execute("INSERT INTO header VALUES (?, ?, ?, ?, ?, ?)", header)
    connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?)", map(astuple, corpus.sources))
