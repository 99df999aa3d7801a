"""The header of a statistics store, and how a store is put in place.

A store is a folder of Arrow tables and a header:

    stats/header.json                 what was counted: files, options, totals, versions, hash of each table
    stats/lemma-words.arrow           word, count, as_first, as_second; in the order of the words' code points
    stats/lemma-pairs.arrow           first, second, count; in the order of the ids of the words
    stats/lemma-candidates.arrow      first, second, pattern, middle, count; likewise
    stats/surface-…

A word's id is its row in the table of words, from 0. `pattern` is a place in the header's list of patterns, from 1;
`middle` is the id of a middle word plus 1, or 0. `first` and `second` of a hyphenated word are both its id.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ncimp.corpus_stats.words import Layer
from ncimp.schemas import Place, SourceError, folder_aside, read_json, replace_folder, value_hash, write_json

STORE_FORMAT = 2  # version of the files. A store of another version is refused: count the corpus again
HEADER = "header.json"

WORDS, PAIRS, CANDIDATES = "-words.arrow", "-pairs.arrow", "-candidates.arrow"
"""Ends of the file names of the tables, after the name of the layer."""

_FIX = "make one with `ncimp corpus count`"


@dataclass(frozen=True, slots=True)
class Tally:
    """Totals of the lines read."""

    sentences: int = 0
    documents: int = 0
    lines: int = 0
    broken_lines: int = 0  # lines skipped, with their sentences, because they do not fit the format or the encoding

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Rows of a written table, and the SHA-256 over its columns, batch by batch."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True, order=True)
class CorpusSource:
    """One counted file: the corpus it belongs to, its licence, and its identity."""

    name: str
    licence: str
    file: str  # file name without folders, so that a store does not depend on the machine it was made on
    sha256: str  # hash of the bytes as stored, compressed or not
    bytes: int
    corpus_format: str = ""
    reading: str = ""  # options of the reader that are not its defaults, such as `encoding=latin-1`


@dataclass(frozen=True, slots=True)
class LayerTotals:
    """Totals of one layer, including words and pairs below `min_count`."""

    tokens: int  # words counted: N of the unigrams
    bigrams: int  # adjacent pairs counted: N of PMI; 0 when they were not counted


@dataclass(frozen=True, slots=True)
class StoreHeader:
    """The header; its fields are those of the file."""

    lang: str
    corpus_format: str
    tokeniser_version: int
    tally: Tally = Tally()
    layers: Mapping[Layer, LayerTotals] = field(default_factory=dict)
    sources: tuple[CorpusSource, ...] = ()
    min_count: int = 1
    adjacent: bool = True  # whether adjacent pairs were counted
    classes: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[Mapping[str, Any], ...] = ()  # the patterns of compound candidates, in the order of their numbers
    tool: str = ""  # version of `ncimp` that counted
    tables: Mapping[str, TableFacts] = field(default_factory=dict)  # rows and hash of each table, by file name
    format_version: int = STORE_FORMAT

    @property
    def sentences(self) -> int:
        """Return the number of sentences."""
        return self.tally.sentences

    @property
    def content_sha256(self) -> str:
        """Return the identity of the counts: language, word rules, sentences, options, and all tables.

        File names, format, skipped lines, and how the corpus was cut into files are left out.
        """
        values = asdict(self)
        names = ("lang", "tokeniser_version", "layers", "min_count", "adjacent", "classes", "patterns")
        tables = {name: facts.sha256 for name, facts in self.tables.items()}
        return value_hash({name: values[name] for name in names} | {"sentences": self.sentences, "tables": tables})


def write_header(folder: Path, header: StoreHeader) -> None:
    """Write *header* and its content hash into *folder*."""
    write_json(folder / HEADER, {**asdict(header), "content_sha256": header.content_sha256})


def read_header(folder: Path) -> StoreHeader:
    """Return the header of the store *folder*; raise `SourceError` when this version cannot read it."""
    place = Place(str(folder))
    if not folder.exists():
        raise SourceError("no such statistics store", fix=_FIX, place=place)
    if not (folder / HEADER).is_file():
        raise SourceError("is not a statistics store", fix=_FIX, place=place)
    values = read_json(folder / HEADER)
    version = values.get("format_version") if isinstance(values, dict) else None
    if version != STORE_FORMAT:
        what = f"is a statistics store of format {version}, and this version reads format {STORE_FORMAT}"
        raise SourceError(what, fix="count the corpus again with `ncimp corpus count`", place=place)
    try:
        values.pop("content_sha256", None)
        values["tally"] = Tally(**values["tally"])
        values["layers"] = {name: LayerTotals(**totals) for name, totals in values["layers"].items()}
        values["sources"] = tuple(CorpusSource(**source) for source in values["sources"])
        values["patterns"] = tuple(values["patterns"])
        values["tables"] = {name: TableFacts(**facts) for name, facts in values["tables"].items()}
        return StoreHeader(**values)
    except (KeyError, TypeError) as error:
        raise SourceError(f"has a damaged header ({error})", fix=_FIX, place=place) from None


def check_target(path: Path) -> None:
    """Raise `SourceError` when *path* holds anything but a statistics store, which must not be overwritten."""
    if path.exists() and not (path / HEADER).is_file() and (not path.is_dir() or any(path.iterdir())):
        what = "is there already and is not a statistics store"
        raise SourceError(what, fix="name another folder, or take it away", place=Place(str(path)))


@contextmanager
def store_aside(path: Path) -> Iterator[Path]:
    """Yield a folder to write a store into; it replaces *path* when the block succeeds, else *path* stays."""
    check_target(path)
    with disk_errors(path), folder_aside(path) as folder:
        yield folder
        folder.chmod(0o755)
        replace_folder(folder, path)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an `OSError` inside the block into a `SourceError` about the store at *path*."""
    try:
        yield
    except OSError as error:
        fix = "check the folder and the space on the disk"
        raise SourceError(f"cannot be written ({error.strerror or error})", fix=fix, place=Place(str(path))) from None
