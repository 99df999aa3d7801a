"""Reading a statistics store: counts, frequencies, Zipf values and the association of pairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import pyarrow as pa

from ncimp.corpus_stats.association import PairCount, measures, zipf
from ncimp.corpus_stats.store.files import (
    BATCH_ROWS,
    CANDIDATE_COLUMNS,
    PAIR_COLUMNS,
    WORD_COLUMNS,
    MappedKeys,
    MappedTable,
    MappedWords,
)
from ncimp.corpus_stats.store.header import (
    CANDIDATES,
    PAIRS,
    WORDS,
    CorpusSource,
    LayerTotals,
    StoreHeader,
    read_header,
)
from ncimp.corpus_stats.words import Layer, normal_form
from ncimp.schemas.errors import Place, SourceError


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Counts of one word: all occurrences, and the bigrams that begin and end with it."""

    id: int | None
    count: int
    as_first: int
    as_second: int


_UNSEEN = WordCounts(id=None, count=0, as_first=0, as_second=0)


@dataclass(frozen=True, slots=True)
class CandidateCount:
    """A compound candidate of one pattern and its count."""

    pattern: str
    words: tuple[str, ...]
    """Two words; three with a middle word; one that is hyphenated."""
    count: int


class StatisticsStore:
    """The counts of one language, read-only; words are looked up in the form in which they were counted.

    Close it, or use it as a context manager:

        with StatisticsStore.open(Path("stats")) as store:
            print(store.pair("eager", "beaver", "lemma").ppmi)

    A layer that was not counted (lemmas of plain text) is a `SourceError`, not a row of zeros.
    """

    def __init__(self, path: Path, header: StoreHeader, tables: Mapping[str, MappedTable]) -> None:
        self._place = Place(str(path))
        self._tables = tables
        self.header = header
        """The header of the store."""
        self._layers = {name: totals for name, totals in header.layers.items() if totals.tokens}
        self.source = "; ".join(sorted({source.name for source in self.sources}))
        """Names of the corpora, as they stand in every row that uses the counts."""

    @classmethod
    def open(cls, path: Path) -> "StatisticsStore":
        """Return the store in the folder *path*; raise `SourceError` when this version cannot read it."""
        header = read_header(path)
        tables: dict[str, MappedTable] = {}
        try:
            for name in header.tables:
                kind = MappedWords if name.endswith(WORDS) else MappedKeys
                tables[name] = kind(path / name)
        except (pa.ArrowInvalid, OSError) as error:
            for table in tables.values():
                table.close()
            raise _damaged(Place(str(path)), f"{name}: {error}") from None
        return cls(path, header, tables)

    def close(self) -> None:
        """Close the files; the store cannot be used afterwards."""
        for table in self._tables.values():
            table.close()

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
        """Return the counted files."""
        return self.header.sources

    @property
    def patterns(self) -> tuple[str, ...]:
        """Return the ids of the patterns whose candidates were counted."""
        return tuple(str(pattern["id"]) for pattern in self.header.patterns)

    @property
    def content_hash(self) -> str:
        """Return the identity of the counts, which does not depend on how the corpus was cut into files."""
        return self.header.content_sha256

    def verify(self) -> None:
        """Raise `SourceError` when a table does not match its hash in the header. Reads everything."""
        for name, facts in self.header.tables.items():
            if self._tables[name].facts() != facts:
                raise _damaged(self._place, f"{name} does not fit its hash")

    def totals(self, layer: Layer) -> LayerTotals:
        """Return the totals of *layer*, or raise `SourceError` when it was not counted."""
        if layer not in self._layers:
            what = f"has no {layer} layer: the format {self.header.corpus_format!r} gave no words for it"
            fix = f"counted layers: {', '.join(self._layers)}; lemmas come from conllu and wac"
            raise SourceError(what, fix=fix, place=self._place)
        return self._layers[layer]

    def word(self, word: str, layer: Layer) -> WordCounts:
        """Return the counts of *word* in *layer*."""
        words = self._words(layer)
        row = words.find(normal_form(word))
        return _UNSEEN if row is None else WordCounts(row, *(words.value(name, row) for name in WORD_COLUMNS[1:]))

    def count(self, word: str, layer: Layer) -> int:
        """Return the number of occurrences of *word* in *layer*."""
        return self.word(word, layer).count

    def frequency(self, word: str, layer: Layer) -> float:
        """Return the share of *word* in the words of *layer* (0 to 1); 0 when it does not occur."""
        return self.count(word, layer) / self.totals(layer).tokens

    def zipf(self, word: str, layer: Layer) -> float | None:
        """Return the Zipf value of *word* in *layer* (see `association.zipf`); None when it does not occur."""
        return zipf(self.count(word, layer), tokens=self.totals(layer).tokens)

    def pair_count(self, first: str, second: str, layer: Layer) -> int:
        """Return the number of times that *first* is directly followed by *second*."""
        one, two = self.word(first, layer).id, self.word(second, layer).id
        if one is None or two is None:
            return 0
        table = self._keys(layer, PAIRS)
        return sum(table.value("count", row) for row in table.find(one, two))

    def pair(self, first: str, second: str, layer: Layer) -> PairCount:
        """Return counts and association of *first* directly followed by *second* in *layer*."""
        return pair_counts((self,), first, second, layer, self.pair_count(first, second, layer))

    def words(self, layer: Layer) -> Iterator[tuple[str, int]]:
        """Yield every word of *layer* with its count, in code-point order."""
        table = self._words(layer)
        for begin, end in table.chunks():
            texts = table.batch(begin // BATCH_ROWS).column("word").to_pylist()
            yield from zip(texts, table.numbers("count", begin, end).tolist(), strict=True)

    def pairs(self, layer: Layer) -> Iterator[tuple[str, str, int]]:
        """Yield every adjacent pair of *layer* with its count, by first word, then by second (code-point order)."""
        table, words = self._keys(layer, PAIRS), self._words(layer)
        for begin, end in table.chunks():
            columns = (table.numbers(name, begin, end).tolist() for name in PAIR_COLUMNS)
            for first, second, count in zip(*columns, strict=True):
                yield words.word(first), words.word(second), count

    def candidates(self, layer: Layer) -> Iterator[CandidateCount]:
        """Yield every compound candidate of *layer* with its count, by first word, then by second."""
        table, words = self._keys(layer, CANDIDATES), self._words(layer)
        for begin, end in table.chunks():
            columns = (table.numbers(name, begin, end).tolist() for name in CANDIDATE_COLUMNS)
            for first, second, kind, middle, count in zip(*columns, strict=True):
                pattern = self.header.patterns[kind - 1]
                ids = (first, *((middle - 1,) if middle else ()), *((second,) if len(pattern["parts"]) > 1 else ()))
                yield CandidateCount(pattern["id"], tuple(words.word(number) for number in ids), count)

    def _words(self, layer: Layer) -> MappedWords:
        self.totals(layer)
        return cast(MappedWords, self._tables[layer + WORDS])

    def _keys(self, layer: Layer, kind: str) -> MappedKeys:
        if layer + kind not in self._tables:
            what = f"holds no {kind.removeprefix('-').removesuffix('.arrow')}: they were not counted"
            raise SourceError(what, fix="count the corpus again with them", place=self._place)
        return cast(MappedKeys, self._tables[layer + kind])


def pair_counts(stores: Sequence[StatisticsStore], first: str, second: str, layer: Layer, count: int) -> PairCount:
    """Return counts and association, in all *stores* together, of a pair that occurs *count* times."""
    ones = [store.word(first, layer) for store in stores]
    twos = [store.word(second, layer) for store in stores]
    totals = [store.totals(layer) for store in stores]
    first_count, second_count = sum(one.count for one in ones), sum(two.count for two in twos)
    tokens = sum(total.tokens for total in totals)
    values = measures(
        count,
        first=sum(one.as_first for one in ones),
        second=sum(two.as_second for two in twos),
        total=sum(total.bigrams for total in totals),
    )
    return PairCount(
        lang=stores[0].lang,
        layer=layer,
        first=normal_form(first),
        second=normal_form(second),
        first_count=first_count,
        second_count=second_count,
        pair_count=count,
        first_zipf=zipf(first_count, tokens=tokens),
        second_zipf=zipf(second_count, tokens=tokens),
        source="; ".join(sorted({name for store in stores for name in store.source.split("; ")})),
        **asdict(values),
    )


def _damaged(place: Place, reason: str) -> SourceError:
    fix = "count the corpus again with `ncimp corpus count`"
    return SourceError(f"is a damaged statistics store ({reason})", fix=fix, place=place)
