"""Reading statistics stores: counts, frequencies, Zipf values, the association of pairs, and the strongest pairs.

The measures are those of Church and Hanks (1990) for PMI, of van Heuven et al. (2014) for the Zipf scale, and of
Manning and Schütze (1999, section 5.3) for the others, with the values of `nltk.metrics.BigramAssocMeasures`. A measure
that a zero count leaves undefined is None: never 0, never minus infinity, and nothing is smoothed.

All take the same counts of adjacent bigrams: *pair* is c(w1 w2); *first* is c(w1 .), those that begin with w1;
*second* is c(. w2), those that end with w2; *total* is N, all of them.
"""

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Self, cast

import pyarrow as pa

from ncimp.corpus_stats.store.files import COLUMNS, COUNTS, MappedKeys, MappedTable, MappedWords
from ncimp.corpus_stats.store.header import CANDIDATES, PAIRS, WORDS, LayerTotals, StoreHeader, read_header
from ncimp.corpus_stats.words import Layer, normal_form
from ncimp.schemas import Place, SourceError, UsageError
from ncimp.schemas.records import Count, Lang

Counted = tuple[str, str | None, str, int]  # first word, word between (None: they are adjacent), second word, and count

PLACES = 9  # decimals of a measure that decide the order: further ones may differ from machine to machine


@dataclass(frozen=True, slots=True)
class PairCount:
    """Counts and association of one adjacent word pair; the fields are the columns of `count.schema.json`."""

    lang: Annotated[Lang, "Language id."]
    layer: Annotated[Layer, "Whether words were counted as written (lower-cased) or as lemmas."]
    first: Annotated[str, "First word."]
    second: Annotated[str, "Second word."]
    first_count: Annotated[Count, "Count of the first word."]
    second_count: Annotated[Count, "Count of the second word."]
    pair_count: Annotated[Count, "Count of the pair, adjacent inside a sentence."]
    first_zipf: Annotated[float | None, "Zipf value of the first word in the corpus; empty when it does not occur."]
    second_zipf: Annotated[float | None, "Zipf value of the second word; empty when it does not occur."]
    pmi: float | None
    """log2( c(w1 w2) N / (c(w1 .) c(. w2)) ), margins from the same bigrams; empty when undefined."""
    ppmi: Annotated[float | None, "max(0, PMI); empty when undefined."]
    source: Annotated[str, "Names of the corpora counted."]
    t_score: Annotated[float | None, "(O - E) / sqrt(O) of the pair's count; empty when undefined."] = None
    log_likelihood: float | None = None
    """Log-likelihood ratio G2 of the pair's 2 x 2 table, natural logarithm; empty when undefined."""
    dice: Annotated[float | None, "2 c(w1 w2) / (c(w1 .) + c(. w2)), 0 to 1; empty when undefined."] = None
    chi_square: Annotated[float | None, "Pearson's chi-square of the pair's 2 x 2 table; empty when undefined."] = None


def pmi(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return log2( c(w1 w2) N / (c(w1 .) c(. w2)) ) in bits, or None when a count is 0."""
    return None if 0 in (pair, first, second, total) else math.log2(pair * total / (first * second))


def ppmi(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return max(0, PMI) in bits, or None when a count is 0."""
    value = pmi(pair, first=first, second=second, total=total)
    return None if value is None else max(0.0, value)


def t_score(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return (O - E) / sqrt(O), where O is the count of the pair and E what independence expects of it.

    None when the pair does not occur.
    """
    return (pair - first * second / total) / math.sqrt(pair) if pair else None


def log_likelihood(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return G2 = 2 sum O ln(O / E) over the four cells of the table of the pair (Dunning 1993).

    A cell that is 0 adds 0. None when there is no bigram, or one of the words begins or ends none.
    """
    if 0 in (first, second, total):
        return None
    margins = ((one, two) for one in (first, total - first) for two in (second, total - second))
    cells = zip(_cells(pair, first, second, total), margins, strict=True)
    terms = (observed * math.log(observed / (one * two / total)) for observed, (one, two) in cells if observed)
    return max(0.0, 2 * math.fsum(terms))  # the sum is never negative; rounding may leave a hair below 0


def dice(pair: int, *, first: int, second: int, total: int) -> float | None:  # noqa: ARG001 - the counts of all measures
    """Return 2 c(w1 w2) / (c(w1 .) + c(. w2)), from 0 to 1; None when both are 0."""
    return 2 * pair / (first + second) if first + second else None


def chi_square(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return Pearson's chi-square of the table of the pair; None when a row or column of it is empty."""
    product = first * second * (total - first) * (total - second)
    if 0 in (product, total):
        return None
    both, one, two, neither = _cells(pair, first, second, total)
    return total * (both * neither - one * two) ** 2 / product


MEASURES = {function.__name__: function for function in (pmi, ppmi, t_score, log_likelihood, dice, chi_square)}
"""Every measure of a pair, by its column."""
RANKINGS = ("count", *MEASURES)  # that by which candidates are ranked


def _cells(pair: int, first: int, second: int, total: int) -> tuple[int, int, int, int]:
    """Return how many bigrams are the pair, w1 and another, another and w2, and neither."""
    return pair, first - pair, second - pair, total - first - second + pair


def zipf(count: int, *, tokens: int) -> float | None:
    """Return log10 of the occurrences per billion words of a word found *count* times in *tokens* words.

    None when the word does not occur: the corpus then says only that it is rare.

    >>> zipf(1, tokens=1_000_000)
    3.0
    """
    return math.log10(count * 10**9 / tokens) if count else None


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Counts of one word: all occurrences, and the bigrams that begin and end with it."""

    id: int | None
    count: int
    as_first: int
    as_second: int


@dataclass(frozen=True, slots=True)
class CandidateCount:
    """A compound candidate of one pattern and its count."""

    pattern: str
    words: tuple[str, ...]  # two words; three with a middle word; one that is hyphenated
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
        self.header = header  # the header of the store
        self.lang, self.sources = header.lang, header.sources  # the language id of the corpora, and the counted files
        self.layers = tuple(layer for layer, totals in header.layers.items() if totals.tokens)  # those with counts
        self.patterns = tuple(str(pattern["id"]) for pattern in header.patterns)  # of the candidates that were counted
        self.source = "; ".join(sorted({source.name for source in header.sources}))
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

    def __exit__(self, *_: object) -> None:
        self.close()

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
        if layer not in self.layers:
            what = f"has no {layer} layer: the format {self.header.corpus_format!r} gave no words for it"
            fix = f"counted layers: {', '.join(self.layers)}; lemmas come from conllu and wac"
            raise SourceError(what, fix=fix, place=self._place)
        return self.header.layers[layer]

    def word(self, word: str, layer: Layer) -> WordCounts:
        """Return the counts of *word* in *layer*."""
        words = self._words(layer)
        row = words.find(normal_form(word))
        return WordCounts(row, *(0 if row is None else words.value(name, row) for name in COUNTS))

    def count(self, word: str, layer: Layer) -> int:
        """Return the number of occurrences of *word* in *layer*."""
        return self.word(word, layer).count

    def frequency(self, word: str, layer: Layer) -> float:
        """Return the share of *word* in the words of *layer* (0 to 1); 0 when it does not occur."""
        return self.count(word, layer) / self.totals(layer).tokens

    def zipf(self, word: str, layer: Layer) -> float | None:
        """Return the Zipf value of *word* in *layer*; None when it does not occur."""
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
        yield from self._words(layer).cells("word", "count")

    def pairs(self, layer: Layer) -> Iterator[tuple[str, str, int]]:
        """Yield every adjacent pair of *layer* with its count, by first word, then by second (code-point order)."""
        table, words = self._keys(layer, PAIRS), self._words(layer)
        for first, second, count in table.cells(*COLUMNS[PAIRS]):
            yield words.word(first), words.word(second), count

    def candidates(self, layer: Layer) -> Iterator[CandidateCount]:
        """Yield every compound candidate of *layer* with its count, by first word, then by second."""
        table, words = self._keys(layer, CANDIDATES), self._words(layer)
        for first, second, kind, middle, count in table.cells(*COLUMNS[CANDIDATES]):
            pattern = self.header.patterns[kind - 1]
            ids = (first, *((middle - 1,) if middle else ()), *((second,) if len(pattern["parts"]) > 1 else ()))
            yield CandidateCount(pattern["id"], tuple(map(words.word, ids)), count)

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
    margins = {
        "first": sum(one.as_first for one in ones),
        "second": sum(two.as_second for two in twos),
        "total": sum(total.bigrams for total in totals),
    }
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
        **{name: measure(count, **margins) for name, measure in MEASURES.items()},
    )


def _damaged(place: Place, reason: str) -> SourceError:
    fix = "count the corpus again with `ncimp corpus count`"
    return SourceError(f"is a damaged statistics store ({reason})", fix=fix, place=place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One row of the list (`candidate.schema.json`)."""

    lang: Annotated[Lang, "Language id."]
    layer: Annotated[Layer, "Whether words were counted as written (lower-cased) or as lemmas."]
    pattern: Annotated[str | None, "Shape of its parts of speech, as the store names it; empty for any adjacent pair."]
    text: Annotated[str, "The words of the candidate with spaces between them."]
    first: Annotated[str, "First word."]
    between: Annotated[str | None, "Word between the two, such as a preposition; empty when they are adjacent."]
    second: Annotated[str, "Second word; an empty text for a candidate of one word."]
    count: Annotated[Count, "How often the candidate was counted."]
    first_count: Annotated[Count, "Count of the first word."]
    second_count: Annotated[Count, "Count of the second word."]
    pmi: float | None
    """PMI of the two words as an adjacent pair, in bits; empty when undefined or when a word stands between them."""
    ppmi: Annotated[float | None, "max(0, PMI); empty where PMI is."]
    t_score: Annotated[float | None, "(O - E) / sqrt(O) of the adjacent pair; empty when undefined."]
    log_likelihood: Annotated[float | None, "Log-likelihood ratio G2 of the adjacent pair; empty when undefined."]
    dice: Annotated[float | None, "2 c(w1 w2) / (c(w1 .) + c(. w2)) of the adjacent pair; empty when undefined."]
    chi_square: Annotated[float | None, "Pearson's chi-square of the adjacent pair; empty when undefined."]
    source: Annotated[str, "Names of the corpora counted."]
    example: str | None = None
    """A sentence with the candidate; empty when no corpus was given or none was found."""
    example_document: Annotated[str | None, "Id of the document of the example; empty without one."] = None


_SHARED = [name for name in PairCount.__slots__ if name in Candidate.__slots__]


class Counts:
    """Several stores of one language taken together."""

    def __init__(self, stores: Sequence[StatisticsStore]) -> None:
        langs = sorted({store.lang for store in stores})
        if len(langs) != 1:
            raise UsageError(f"stores of several languages: {', '.join(langs)}", fix="name stores of one")
        self._stores = stores
        self.lang = langs[0]  # the language id
        self.layers = tuple(layer for layer in stores[0].layers if all(layer in store.layers for store in stores))
        """The layers that every store holds."""

    def pair(self, first: str, second: str, layer: Layer) -> PairCount:
        """Return counts and every measure of *first* directly followed by *second* in *layer*.

        A store without adjacent pairs adds none.
        """
        with_pairs = (store for store in self._stores if store.totals(layer).bigrams)
        count = sum(store.pair_count(first, second, layer) for store in with_pairs)
        return pair_counts(self._stores, first, second, layer, count)

    def counted(self, pattern: str | None, layer: Layer) -> Iterator[Counted]:
        """Yield every candidate of *pattern* (None: every adjacent pair) with its count in all stores, in order."""
        rows = heapq.merge(*(_rows(store, pattern, layer) for store in self._stores), key=_words)
        for (first, second, between), same in groupby(rows, key=_words):
            yield first, between or None, second, sum(row[3] for row in same)

    def top(self, *, pattern: str | None, layer: Layer, by: str, min_count: int, limit: int) -> list[Candidate]:
        """Return the *limit* strongest candidates *by* a measure, the strongest first.

        Ties are broken by count, the higher first, then by the words (code-point order). A candidate for which the
        measure is undefined comes after all others. Memory is bounded by *limit*.
        """

        def order(candidate: Candidate) -> tuple[bool, float, int, str, str, str]:
            value = getattr(candidate, by)
            missing, rank = value is None, -round(value or 0.0, PLACES)
            return missing, rank, -candidate.count, candidate.first, candidate.second, candidate.between or ""

        rows = (row for row in self.counted(pattern, layer) if row[3] >= min_count)
        return heapq.nsmallest(limit, (self._candidate(pattern, layer, *row) for row in rows), key=order)

    def _candidate(
        self, pattern: str | None, layer: Layer, first: str, between: str | None, second: str, count: int
    ) -> Candidate:
        """Return the row of a candidate; measures of adjacent words do not apply to two with a word between."""
        pair = self.pair(first, second, layer)
        values = {name: getattr(pair, name) for name in _SHARED} | dict.fromkeys(MEASURES if between else ())
        text = " ".join(word for word in (pair.first, between, pair.second) if word)
        return Candidate(pattern=pattern, text=text, between=between, count=count, **values)


def _words(row: Counted) -> tuple[str, str, str]:
    return row[0], row[2], row[1] or ""


def _rows(store: StatisticsStore, pattern: str | None, layer: Layer) -> Iterator[Counted]:
    """Yield the candidates of *pattern* in one store (None: its adjacent pairs), in the order of `_words`."""
    store.totals(layer)  # raises when the layer was not counted
    if pattern is None:
        for first, second, count in store.pairs(layer):
            yield first, None, second, count
        return
    if pattern not in store.patterns:
        what = f"the counts of {store.source!r} have no candidates of the pattern {pattern!r}"
        listed = ", ".join(store.patterns)
        fix = f"it has {listed}" if listed else "count again with patterns, or leave --pattern out"
        raise SourceError(what, fix=fix)
    for row in store.candidates(layer):
        if row.pattern == pattern:
            first, *rest = row.words
            yield first, rest[0] if len(rest) > 1 else None, rest[-1] if rest else "", row.count
