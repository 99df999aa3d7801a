"""Files of a release, and the configs that they make up.

Pairs are stored once, by paper column (language and kind of context); the configs `pairs`, one per
language and one per column are lists of those files. No row is stored twice.

    sentences/<split>-00000-of-00001.parquet
    literal/<split>-00000-of-00001.parquet      where a pack has literal contexts
    compounds/<split>-00000-of-00001.parquet
    annotations/<split>-00000-of-00001.parquet  where there are human judgements
    standoff/<split>-00000-of-00001.parquet     where sentences are released without their text
    pt_nat/<split>-00000-of-00001.parquet       ... and en_nat, en_neut, pt_neut
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.records import ReleaseFile
from ncimp.schemas.files import Row, file_hash, logical_hash
from ncimp.schemas.tables import STANDOFF, columns

SPLITS = ("train", "validation", "test", "bridge")
"""Splits in the order of the card."""

KINDS: Mapping[str, str] = {"nat": "naturalistic", "neut": "neutral"}
"""Short and full name of each kind of context; the short one is in the names of the paper columns."""

DEFAULT_CONFIG = "pairs"
ANNOTATIONS = "annotations"
"""Folder and config of human judgements."""


@dataclass(frozen=True, slots=True)
class Config:
    """A config of the release: its table, and the stored folders it is made of."""

    name: str
    table: str
    folders: tuple[str, ...]


def data_file(folder: str, split: str) -> str:
    """Return the path of a data file inside the release."""
    return f"{folder}/{split}-00000-of-00001.parquet"


def columns_of(langs: Sequence[str]) -> list[str]:
    """Return the paper columns, such as `en_nat`, in order."""
    return [f"{lang}_{kind}" for lang in langs for kind in KINDS]


def configs(langs: Sequence[str]) -> Iterator[Config]:
    """Yield every config that a release in *langs* may have, the default first."""
    yield Config(DEFAULT_CONFIG, "pair", tuple(columns_of(langs)))
    yield Config("sentences", "item", ("sentences",))
    yield Config("compounds", "compound", ("compounds",))
    yield Config("literal", "item", ("literal",))
    yield Config(ANNOTATIONS, "released_annotation", (ANNOTATIONS,))
    yield Config(STANDOFF, STANDOFF, (STANDOFF,))
    for lang in langs:
        yield Config(lang, "pair", tuple(columns_of([lang])))
    for column in columns_of(langs):
        yield Config(column, "pair", (column,))


def file_entry(folder: Path, path: str, *, rows: list[Row] | None = None, table: str = "") -> ReleaseFile:
    """Return the entry of the file *path* of *folder* in the manifest; a data file has *rows* of *table*."""
    return ReleaseFile(
        path=path,
        bytes=(folder / path).stat().st_size,
        sha256=file_hash(folder / path),
        rows=None if rows is None else len(rows),
        logical_sha256=None
        if rows is None
        else logical_hash({name: row[name] for name in columns(table)} for row in rows),
    )
