"""Figures of compounds from files of the user: human scores and judgements, and membership of other benchmarks.

Scores and judgements are files of `ncimp annotate scores`; those that a program simulated are refused unless they are
asked for, and stay marked. A benchmark file has one compound a line, or is a table (comma, semicolon or tab) with a
column of compounds. No such file comes with the project: a release has only the names of the benchmarks, in the column
`benchmarks` of their compounds.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ncimp.builder.records import Judgement, Score, Source
from ncimp.schemas import Place, SchemaError, SourceError, UsageError, file_hash, value_hash
from ncimp.schemas.records import compound_key, read_records

SIMULATED_FIX = "use judgements of people, or add --allow-simulated: the release will say that it is a rehearsal"

Judged = TypeVar("Judged", Score, Judgement)

BENCHMARK_SPEC = re.compile(r"(?P<name>[\w.+-]+)=(?P<path>.+?)(?::(?P<column>[^:/\\]+))?")  # NAME=FILE:COLUMN
DELIMITERS = "\t;,"  # of a table; the first that occurs in its head is used


@dataclass(frozen=True, slots=True)
class HumanScores:
    """The files of scores and judgements of a build."""

    scores: tuple[Path, ...] = ()
    annotations: tuple[Path, ...] = ()
    allow_simulated: bool = False

    @property
    def hashes(self) -> dict[str, str]:
        """The hash of each file."""
        files = [("scores", path) for path in self.scores] + [("annotations", path) for path in self.annotations]
        return {f"{kind}/{number}": file_hash(path) for number, (kind, path) in enumerate(files)}

    def sources(self) -> Iterator[Source]:
        """Yield the files as inputs of a build; the name of simulated ones begins with `simulated`."""
        for path in self.scores:
            rows = [row for _, row in read_records(path, Score, "score")]
            citation = f"Human judgements: {'; '.join(sorted({row.source for row in rows}))}."
            yield _source("scores", path, citation, any(row.simulated for row in rows))
        for path in self.annotations:
            simulated = any(row.simulated for _, row in read_records(path, Judgement, "annotation"))
            yield _source("annotations", path, "Human judgements, one by one.", simulated)


def _source(name: str, path: Path, citation: str, simulated: bool) -> Source:
    name = f"{'simulated-' if simulated else ''}{name}/{file_hash(path)[:12]}"
    citation = "Simulated: a program gave the answers. No person did." if simulated else citation
    return Source(name, "scores", "not stated", "as the release", citation, None, file_hash(path))


def read_scores(human: HumanScores, langs: Sequence[str]) -> dict[str, Score]:
    """Return the score of each compound of *langs* by its id.

    Raises `SchemaError` for a compound that has two, `SourceError` for a file without scores, and `UsageError` for
    simulated scores that were not asked for.
    """
    scores: dict[str, Score] = {}
    for place, row in _read(human.scores, Score, "score", human):
        if row.level == "compound" and row.lang in langs and scores.setdefault(row.compound_id, row) is not row:
            raise SchemaError(f"{row.compound_id} has a score already", fix="give each compound one score", place=place)
    return scores


def read_annotations(human: HumanScores, langs: Sequence[str]) -> list[Judgement]:
    """Return the judgements about items in *langs*, without the control items."""
    rows = _read(human.annotations, Judgement, "annotation", human)
    return [row for _, row in rows if row.kind == "item" and row.lang in langs]


def _read(paths: Iterable[Path], kind: type[Judged], table: str, human: HumanScores) -> Iterator[tuple[Place, Judged]]:
    """Yield the rows of *paths* with their places; refuse a file without any, and what nobody asked to simulate."""
    for path in paths:
        empty = True
        for number, row in read_records(path, kind, table):
            empty, place = False, Place(str(path), number)
            if row.simulated and not human.allow_simulated:
                raise UsageError("a simulated judgement: a program gave the answer", fix=SIMULATED_FIX, place=place)
            yield place, row
        if empty:
            what = f"it holds no {'judgement' if table == 'annotation' else table}"
            fix = "see `ncimp annotate report` for annotators who were left out, and run `ncimp annotate scores` again"
            raise SourceError(what, fix=fix, place=Place(str(path)))


def check_known(ids: Iterable[str | None], valid_ids: Mapping[str, object] | set[str], what: str) -> None:
    """Raise `SchemaError` when one of *ids* is not *valid_ids*: scores of another edition would be lost silently."""
    unknown = sorted({name for name in ids if name is not None and name not in valid_ids})
    if unknown:
        shown = ", ".join(unknown[:3]) + (" and others" if unknown[3:] else "")
        raise SchemaError(f"{what} of {shown}, which this build does not have", fix="give those of this edition")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark: its name, its file, and the column of compounds if the file is a table."""

    name: str
    path: Path
    column: str | None = None

    @property
    def digest(self) -> str:
        """The hash of name, file and column."""
        return value_hash([self.name, file_hash(self.path), self.column])

    def source(self) -> Source:
        """Return it as an input of a build."""
        licence = "not stated; membership of compounds alone is in the release"
        citation = f"{self.name}, as a file of the builder's lists it."
        name = f"benchmark/{self.name}"
        return Source(name, "benchmark", "not stated", licence, citation, None, file_hash(self.path))


def parse_benchmark(text: str) -> Benchmark | None:
    """Return the benchmark that *text*, such as `NAME=FILE:COLUMN`, asks for, or None when it is written otherwise.

    >>> parse_benchmark("A=list.txt")
    Benchmark(name='A', path=PosixPath('list.txt'), column=None)
    >>> parse_benchmark("A=table.tsv:compound").column
    'compound'
    """
    match = BENCHMARK_SPEC.fullmatch(text)
    if match is None:
        return None
    whole = Path(text.split("=", 1)[1])
    if whole.is_file():  # a colon may be part of its name
        return Benchmark(match["name"], whole)
    return Benchmark(match["name"], Path(match["path"]), match["column"])


def benchmarks_of(texts: Sequence[str]) -> tuple[Benchmark, ...]:
    """Return the benchmarks that *texts* such as `NAME=FILE:COLUMN` name, or raise `UsageError`."""
    benchmarks: dict[str, Benchmark] = {}
    for text in texts:
        benchmark = parse_benchmark(text)
        if benchmark is None or benchmark.name in benchmarks:
            what = f"{text!r} is {'not NAME=FILE' if benchmark is None else 'named twice'}"
            raise UsageError(what, fix="write NAME=FILE or NAME=FILE:COLUMN, each name once")
        if not benchmark.path.is_file():
            raise UsageError(f"{benchmark.name}: no file {benchmark.path}", fix="check the path")
        benchmarks[benchmark.name] = benchmark
    return tuple(benchmarks.values())


def read_benchmark(benchmark: Benchmark) -> frozenset[str]:
    """Return the compounds of *benchmark* as keys, or raise `SourceError` for a file that cannot be read."""
    place = Place(str(benchmark.path))
    try:
        lines = benchmark.path.read_bytes().decode("utf-8-sig").splitlines()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=place) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise SourceError(what, fix="save the file as UTF-8", place=place) from None
    if benchmark.column is not None:
        lines = _column(lines, benchmark.column, Place(str(benchmark.path), 1))
    elif number := next((number for number, line in enumerate(lines, 1) if "\t" in line), None):
        what = "a line with several cells instead of one compound"
        fix = f"name the column: {benchmark.name}={benchmark.path}:COLUMN"
        raise SourceError(what, fix=fix, place=Place(str(benchmark.path), number))
    keys = frozenset(filter(None, map(compound_key, lines)))
    if not keys:
        raise SourceError("it holds no compound", fix="give another file", place=place)
    return keys


def _column(lines: list[str], column: str, place: Place) -> list[str]:
    head = lines[0] if lines else ""
    rows = csv.DictReader(lines, delimiter=next((mark for mark in DELIMITERS if mark in head), ","))
    names = rows.fieldnames or []
    if column not in names:
        raise SourceError(f"no column {column!r}", fix=f"use one of {', '.join(names)}", place=place)
    return [row[column] or "" for row in rows]
