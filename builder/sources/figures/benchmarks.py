"""Which compounds other published benchmarks hold, from files that the user has.

A file has one compound a line, or is a table (comma, semicolon or tab) of which one column holds them.
None comes with the project. Only membership goes into a release: the name of the benchmark, in the
column `benchmarks` of the compounds that it holds.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.records import Source
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash, value_hash

SPEC = re.compile(r"(?P<name>[\w.+-]+)=(?P<path>.+?)(?::(?P<column>[^:/\\]+))?")
"""NAME=FILE or NAME=FILE:COLUMN."""

DELIMITERS = "\t;,"
"""What may part the cells of a table; the first that the head of the table has is taken."""

APART = re.compile(r"[\s_\-\u2010\u2011]+")
"""Hyphens and spaces, which benchmarks do not write alike."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark by name, the user's file of it, and the column of compounds when that is a table."""

    name: str
    path: Path
    column: str | None = None

    @property
    def digest(self) -> str:
        """What its compounds depend on."""
        return value_hash([self.name, file_hash(self.path), self.column])

    def source(self) -> Source:
        """Return it as an input of a build."""
        return Source(
            name=f"benchmark/{self.name}",
            kind="benchmark",
            version="not stated",
            licence="not stated; membership of compounds alone is in the release",
            citation=f"{self.name}, as a file of the builder's lists it.",
            address=None,
            sha256=file_hash(self.path),
        )


def parse_benchmark(text: str) -> Benchmark | None:
    """Return the benchmark that *text*, such as `NAME=FILE:COLUMN`, asks for, or None when it is written otherwise.

    >>> parse_benchmark("A=list.txt")
    Benchmark(name='A', path=PosixPath('list.txt'), column=None)
    >>> parse_benchmark("A=table.tsv:compound").column
    'compound'
    """
    match = SPEC.fullmatch(text)
    if match is None:
        return None
    whole = Path(text.split("=", 1)[1])
    if whole.is_file():  # a colon may be part of its name
        return Benchmark(match["name"], whole)
    return Benchmark(match["name"], Path(match["path"]), match["column"])


def compound_key(text: str) -> str:
    """Return *text* as it is compared: small letters, hyphens and spaces alike.

    >>> compound_key("Pé-Frio") == compound_key("pé  frio")
    True
    """
    return APART.sub(" ", unicodedata.normalize("NFC", text).strip()).casefold()


def read_benchmark(benchmark: Benchmark) -> frozenset[str]:
    """Return the compounds of *benchmark* as keys, or raise `SourceError` for a file that cannot be read."""
    lines = _lines(benchmark.path)
    held = lines if benchmark.column is None else _column(lines, benchmark)
    keys = frozenset(key for number, cell in enumerate(held, 1) if (key := _key(cell, number, benchmark)))
    if not keys:
        raise SourceError("it holds no compound", fix="give another file", place=Place(str(benchmark.path)))
    return keys


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode("utf-8-sig").splitlines()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise SourceError(what, fix="save the file as UTF-8", place=Place(str(path))) from None


def _key(cell: str, number: int, benchmark: Benchmark) -> str:
    if benchmark.column is None and "\t" in cell:
        what = "a line with several cells, where one compound a line is asked for"
        fix = f"name the column: {benchmark.name}={benchmark.path}:COLUMN"
        raise SourceError(what, fix=fix, place=Place(str(benchmark.path), number))
    return compound_key(cell)


def _column(lines: list[str], benchmark: Benchmark) -> Iterator[str]:
    head = lines[0] if lines else ""
    delimiter = next((mark for mark in DELIMITERS if mark in head), ",")
    rows = csv.DictReader(lines, delimiter=delimiter)
    names = rows.fieldnames or []
    if benchmark.column not in names:
        what = f"no column {benchmark.column!r}"
        raise SourceError(what, fix=f"use one of {', '.join(names)}", place=Place(str(benchmark.path), 1))
    return (row[benchmark.column] or "" for row in rows)
