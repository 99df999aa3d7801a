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

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ncimp.builder.records import LITERAL, ReleaseFile
from ncimp.schemas import Row, file_hash, logical_hash
from ncimp.schemas.manifest import CONFIG_TABLES
from ncimp.schemas.records import STANDOFF, columns

SPLITS = ("train", "validation", "test", "bridge")  # in the order of the card
KINDS: Mapping[str, str] = {"nat": "naturalistic", "neut": "neutral"}
"""Short and full name of each kind of context; the short one is in the names of the paper columns."""
DEFAULT_CONFIG, ANNOTATIONS = "pairs", "annotations"


@dataclass(frozen=True, slots=True)
class Config:
    """A config of a release: its table, and its data files by split."""

    name: str
    table: str
    files: Mapping[str, Sequence[str]]


def data_file(folder: str, split: str) -> str:
    """Return the path of a data file inside the release."""
    return f"{folder}/{split}-00000-of-00001.parquet"


def configs(langs: Sequence[str], files: Container[str]) -> list[Config]:
    """Return the configs that the data *files* of a release in *langs* make up, the default first."""
    pairs = {lang: [f"{lang}_{kind}" for kind in KINDS] for lang in langs}
    every = [name for names in pairs.values() for name in names]
    folders = {
        DEFAULT_CONFIG: every,
        **{name: [name] for name in ("sentences", "compounds", LITERAL, ANNOTATIONS, STANDOFF)},
        **pairs,
        **{name: [name] for name in every},
    }
    result = []
    for name, parts in folders.items():
        paths = {split: [data_file(part, split) for part in parts] for split in SPLITS}
        present = {split: [path for path in group if path in files] for split, group in paths.items()}
        if any(present.values()):
            splits = {split: group for split, group in present.items() if group}
            result.append(Config(name, CONFIG_TABLES.get(name, "pair"), splits))
    return result


def file_entry(folder: Path, path: str, rows: Sequence[Row] | None = None) -> ReleaseFile:
    """Return the entry of the file *path* of *folder* in the manifest; *rows* are those of a data file."""
    size, sha256 = (folder / path).stat().st_size, file_hash(folder / path)
    if rows is None:
        return ReleaseFile(path, size, sha256, rows=None, logical_sha256=None)
    entry = ReleaseFile(path, size, sha256, rows=len(rows), logical_sha256=None)
    names = columns(str(entry.table))
    return replace(entry, logical_sha256=logical_hash({name: row[name] for name in names} for row in rows))
