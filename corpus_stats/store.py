"""Reading a statistics store: counts, frequencies, Zipf values and the association of pairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ncimp.corpus_stats.association import PairCount, pmi, ppmi, zipf
from ncimp.corpus_stats.counting import CorpusSource
from ncimp.corpus_stats.store_format import check_store, content_hash
from ncimp.corpus_stats.words import Layer, normal_form
from ncimp.schemas.errors import Place, SourceError


@dataclass(frozen=True, slots=True)
class StoreHeader:
    """What a store says about itself; the fields are the columns of its `header` table."""

    format_version: int
    lang: str
    corpus_format: str
    tokeniser_version: int
    sentences: int
    content_sha256: str


@dataclass(frozen=True, slots=True)
class LayerTotals:
    """Totals of one layer: number, words counted (N of the unigrams) and bigrams counted (N of PMI)."""

    id: int
    tokens: int
    bigrams: int


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Counts of one word: all occurrences, and the bigrams that begin and end with it."""

    id: int | None
    count: int
    as_first: int
    as_second: int


_UNSEEN = WordCounts(id=None, count=0, as_first=0, as_second=0)


class StatisticsStore:
    """The counts of one language, read-only; words are looked up in the form in which they were counted.

    Close it, or use it as a context manager:

        with StatisticsStore.open(Path("stats.sqlite")) as store:
            print(store.pair("eager", "beaver", "lemma").ppmi)

    A layer that was not counted (lemmas of plain text) is a `SourceError`, not a row of zeros.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._place = Place(str(path))
        columns = "format_version, lang, corpus_format, tokeniser_version, sentences, content_sha256"
        self.header = StoreHeader(*self._rows(f"SELECT {columns} FROM header")[0])  # noqa: S608 - constant columns
        """What the store says about itself."""
        rows = self._rows("SELECT name, id, tokens, bigrams FROM layers ORDER BY id")
        self._layers = {name: LayerTotals(*totals) for name, *totals in rows if totals[1]}
        self.source = "; ".join(sorted({source.name for source in self.sources}))
        """Names of the corpora, as they stand in every row that uses the counts."""

    @classmethod
    def open(cls, path: Path) -> StatisticsStore:
        """Return the store in the file *path*, or raise `SourceError` when it is none that this version reads."""
        if not path.is_file():
            fix = "make one with `ncimp stats count`"
            raise SourceError("no such statistics store", fix=fix, place=Place(str(path)))
        try:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        except sqlite3.OperationalError as error:
            fix = "check that you may read it"
            raise SourceError(f"cannot be opened ({error})", fix=fix, place=Place(str(path))) from None
        try:
            check_store(connection, Place(str(path)))
            return cls(connection, path)
        except SourceError:
            connection.close()
            raise

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def lang(self) -> str:
        """Return the language id of the corpora."""
        return self.header.lang

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers that hold counts."""
        return tuple(self._layers)

    @property
    def sources(self) -> tuple[CorpusSource, ...]:
        """Return the files that were counted, by name."""
        rows = self._rows("SELECT name, licence, file, sha256, bytes FROM sources ORDER BY name, licence, file, sha256")
        return tuple(CorpusSource(*row) for row in rows)

    @property
    def content_hash(self) -> str:
        """Return the sha256 of the counts, written when they were: the same however the corpus was cut into files."""
        return self.header.content_sha256

    def verify(self) -> None:
        """Raise `SourceError` when the counts are not those the content hash was made from. Reads everything."""
        head = self.header
        try:
            found = content_hash(
                self._connection, lang=head.lang, tokeniser_version=head.tokeniser_version, sentences=head.sentences
            )
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from None
        if found != head.content_sha256:
            raise self._damaged("its counts do not fit its content hash")

    def totals(self, layer: Layer) -> LayerTotals:
        """Return the totals of *layer*, or raise `SourceError` when it was not counted."""
        if layer not in self._layers:
            what = f"has no {layer} layer: the format {self.header.corpus_format!r} gave no words for it"
            fix = f"counted layers: {', '.join(self._layers)}; lemmas come from conllu and wac"
            raise SourceError(what, fix=fix, place=self._place)
        return self._layers[layer]

    def count(self, word: str, layer: Layer) -> int:
        """Return how often *word* occurs in *layer*."""
        return self._word(word, layer).count

    def frequency(self, word: str, layer: Layer) -> float:
        """Return the share of *word* in the words of *layer* (0 to 1); 0 when it does not occur."""
        return self.count(word, layer) / self.totals(layer).tokens

    def zipf(self, word: str, layer: Layer) -> float | None:
        """Return the Zipf value of *word* in *layer* (see `association.zipf`); None when it does not occur."""
        return zipf(self.count(word, layer), tokens=self.totals(layer).tokens)

    def pair(self, first: str, second: str, layer: Layer) -> PairCount:
        """Return counts and association of *first* directly followed by *second* in *layer*."""
        totals = self.totals(layer)
        one, two = self._word(first, layer), self._word(second, layer)
        both = self._pair_count(one, two, totals)
        margins = {"first": one.as_first, "second": two.as_second, "total": totals.bigrams}
        return PairCount(
            lang=self.lang,
            layer=layer,
            first=normal_form(first),
            second=normal_form(second),
            first_count=one.count,
            second_count=two.count,
            pair_count=both,
            first_zipf=zipf(one.count, tokens=totals.tokens),
            second_zipf=zipf(two.count, tokens=totals.tokens),
            pmi=pmi(both, **margins),
            ppmi=ppmi(both, **margins),
            source=self.source,
        )

    def pairs(self, layer: Layer) -> Iterator[tuple[str, str, int]]:
        """Yield every adjacent pair of *layer* with its count, by first word, then by second (code-point order)."""
        query = (
            "SELECT a.word, b.word, bigrams.count FROM bigrams "
            "JOIN unigrams AS a ON a.layer = bigrams.layer AND a.id = bigrams.first "
            "JOIN unigrams AS b ON b.layer = bigrams.layer AND b.id = bigrams.second "
            "WHERE bigrams.layer = ? ORDER BY bigrams.first, bigrams.second"
        )
        number = self.totals(layer).id
        try:
            yield from self._connection.execute(query, (number,))
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from None

    def _word(self, word: str, layer: Layer) -> WordCounts:
        query = "SELECT id, count, as_first, as_second FROM unigrams WHERE layer = ? AND word = ?"
        rows = self._rows(query, self.totals(layer).id, normal_form(word))
        return WordCounts(*rows[0]) if rows else _UNSEEN

    def _pair_count(self, first: WordCounts, second: WordCounts, totals: LayerTotals) -> int:
        query = "SELECT count FROM bigrams WHERE layer = ? AND first = ? AND second = ?"
        rows = self._rows(query, totals.id, first.id, second.id)
        return int(rows[0][0]) if rows else 0

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from None

    def _damaged(self, reason: str) -> SourceError:
        fix = "count the corpus again with `ncimp stats count`"
        return SourceError(f"is a damaged statistics store ({reason})", fix=fix, place=self._place)
