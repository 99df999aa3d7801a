"""What a statistics store says about itself: `header.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ncimp.corpus_stats.store.arrays import Tally
from ncimp.corpus_stats.store.format import HEADER, STORE_FORMAT, TableFacts
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import read_json, write_json
from ncimp.schemas.hashing import value_hash

_FIX = "make one with `ncimp stats count`"


@dataclass(frozen=True, slots=True, order=True)
class CorpusSource:
    """One counted file: the corpus it belongs to, its licence, and its identity."""

    name: str
    licence: str
    file: str
    """File name without folders, so that a store says nothing about the machine it was made on."""
    sha256: str
    """Hash of the bytes as stored, compressed or not."""
    bytes: int
    corpus_format: str = ""
    reading: str = ""
    """Options of the reader that are not its defaults, such as `encoding=latin-1`."""


@dataclass(frozen=True, slots=True)
class LayerTotals:
    """Totals of one layer, of everything counted, whatever `min_count` left out."""

    tokens: int
    """Words counted: N of the unigrams."""
    bigrams: int
    """Adjacent pairs counted: N of PMI; 0 when they were not counted."""


@dataclass(frozen=True, slots=True)
class StoreHeader:
    """The header; its fields are those of the file."""

    lang: str
    corpus_format: str
    tokeniser_version: int
    tally: Tally
    layers: Mapping[Layer, LayerTotals]
    sources: tuple[CorpusSource, ...]
    min_count: int = 1
    adjacent: bool = True
    """Whether adjacent pairs were counted."""
    classes: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[Mapping[str, Any], ...] = ()
    """The patterns of compound candidates, in the order of their numbers."""
    tool: str = ""
    """Version of `ncimp` that counted."""
    tables: Mapping[str, TableFacts] = field(default_factory=dict)
    """Rows and hash of each table, by file name."""
    format_version: int = STORE_FORMAT

    @property
    def sentences(self) -> int:
        """Return the number of sentences."""
        return self.tally.sentences

    @property
    def content_sha256(self) -> str:
        """Return the identity of the counts: language, word rules, sentences, what was counted, and all tables.

        File names, format and how the corpus was cut are left out, and so is what was skipped.
        """
        return value_hash(
            {
                "lang": self.lang,
                "tokeniser_version": self.tokeniser_version,
                "sentences": self.sentences,
                "layers": {name: asdict(totals) for name, totals in self.layers.items()},
                "min_count": self.min_count,
                "adjacent": self.adjacent,
                "classes": dict(self.classes),
                "patterns": [dict(pattern) for pattern in self.patterns],
                "tables": {name: facts.sha256 for name, facts in self.tables.items()},
            }
        )


def write_header(folder: Path, header: StoreHeader) -> None:
    """Write *header* and its content hash into *folder*."""
    write_json(folder / HEADER, {**asdict(header), "content_sha256": header.content_sha256})


def read_header(folder: Path) -> StoreHeader:
    """Return the header of the store *folder*, or raise `SourceError` when it is none that this version reads."""
    place = Place(str(folder))
    if not folder.exists():
        raise SourceError("no such statistics store", fix=_FIX, place=place)
    if not (folder / HEADER).is_file():
        raise SourceError("is not a statistics store", fix=_FIX, place=place)
    values = read_json(folder / HEADER)
    version = values.get("format_version") if isinstance(values, dict) else None
    if version != STORE_FORMAT:
        what = f"is a statistics store of format {version}, and this version reads format {STORE_FORMAT}"
        raise SourceError(what, fix="count the corpus again with `ncimp stats count`", place=place)
    try:
        return _header(values)
    except (KeyError, TypeError) as error:
        raise SourceError(f"has a damaged header ({error})", fix=_FIX, place=place) from None


def _header(values: dict[str, Any]) -> StoreHeader:
    values = {name: value for name, value in values.items() if name != "content_sha256"}
    values["tally"] = Tally(**values["tally"])
    values["layers"] = {name: LayerTotals(**totals) for name, totals in values["layers"].items()}
    values["sources"] = tuple(CorpusSource(**source) for source in values["sources"])
    values["patterns"] = tuple(values["patterns"])
    values["tables"] = {name: TableFacts(**facts) for name, facts in values["tables"].items()}
    return StoreHeader(**values)
