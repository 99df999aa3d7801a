"""Writing counts as a statistics store: a folder aside, in a fixed order, then put in place in one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import ncimp
from ncimp.corpus_stats.store.arrays import Tables
from ncimp.corpus_stats.store.format import (
    CANDIDATE_COLUMNS,
    CANDIDATES,
    HEADER,
    PAIR_COLUMNS,
    PAIRS,
    WORDS,
    write_part_rows,
    write_words,
)
from ncimp.corpus_stats.store.header import LayerTotals, StoreHeader, write_header
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.swap import folder_aside, replace_folder


def check_target(path: Path) -> None:
    """Raise `SourceError` when *path* holds what is not a statistics store, which is not to be overwritten."""
    if path.exists() and not (path / HEADER).is_file() and (not path.is_dir() or any(path.iterdir())):
        what = "is there already and is not a statistics store"
        raise SourceError(what, fix="name another folder, or take it away", place=Place(str(path)))


@contextmanager
def store_aside(path: Path) -> Iterator[Path]:
    """Yield a folder to write a store into, which is put at *path* when the block ends well; else *path* stays."""
    check_target(path)
    with disk_errors(path), folder_aside(path) as folder:
        yield folder
        folder.chmod(0o755)
        replace_folder(folder, path)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the disk refuses inside the block into a `SourceError` about the store at *path*."""
    try:
        yield
    except OSError as error:
        fix = "check the folder and the space on the disk"
        raise SourceError(f"cannot be written ({error.strerror or error})", fix=fix, place=Place(str(path))) from None


def write_part(folder: Path, tables: Tables, header: StoreHeader) -> None:
    """Write *tables* into *folder* as a part of a store, and *header* with their totals."""
    facts, totals = {}, {}
    for name, layer in tables.layers.items():
        facts[name + WORDS] = write_words(folder / (name + WORDS), layer.words, part=True)
        if header.adjacent:
            facts[name + PAIRS] = write_part_rows(folder / (name + PAIRS), layer.pairs, PAIR_COLUMNS)
        if header.patterns:
            facts[name + CANDIDATES] = write_part_rows(
                folder / (name + CANDIDATES), layer.candidates, CANDIDATE_COLUMNS
            )
        totals[name] = LayerTotals(int(layer.words.counts.sum()), int(layer.pairs.counts.sum()))
    write_header(folder, replace(header, tally=tables.tally, layers=totals, tables=facts, tool=ncimp.__version__))
