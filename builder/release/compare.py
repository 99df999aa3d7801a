"""Compare two releases, and name the bump of the data's version that the changes require.

Rows are compared by id, in the columns that both releases have; the column `release` is left out.
Tables are read with the columns they have: an older release may lack some.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ncimp.schemas import Place, ReleaseError, Row
from ncimp.schemas.arrow import read_table, rows_of
from ncimp.schemas.manifest import CONFIG_TABLES, SENSE_SENTENCES
from ncimp.schemas.release_folder import REBUILD, ReleaseFolder

Bump = Literal["none", "patch", "minor", "major"]
BUMPS: tuple[Bump, ...] = get_args(Bump)


def least_version(old: str, due: Bump) -> str:
    """Return the smallest version that may follow *old* when *due* has changed.

    Below 1.0.0 the edition is a draft, in which a minor version may change items.

    >>> [least_version("1.2.3", due) for due in ("none", "patch", "minor", "major")]
    ['1.2.3', '1.2.4', '1.3.0', '2.0.0']
    >>> least_version("0.2.3", "major")
    '0.3.0'
    """
    major, minor, patch = numbers(old)
    if due == "none":
        return old
    if due == "patch":
        return f"{major}.{minor}.{patch + 1}"
    return f"{major + 1}.0.0" if due == "major" and major > 0 else f"{major}.{minor + 1}.0"


def numbers(version: str) -> tuple[int, int, int]:
    """Return the three numbers of *version*, which compare as versions do: 0.10.0 is after 0.9.0."""
    major, minor, patch = map(int, version.split("."))
    return major, minor, patch


def largest(bumps: list[Bump]) -> Bump:
    """Return the largest of *bumps*, `none` when there is none."""
    return max(bumps, key=BUMPS.index, default="none")


MEASURED = {
    *("sentence", "span", "replacement", "split", "compound_class"),
    *("sentence1", "span1", "sentence2", "span2", "compound", "comp", "comp_head", "comp_modifier"),
    "sha256",  # of a withheld sentence, which is its text as far as a release tells it
}
"""Columns that a score is computed from: text, split, class and human score. Another value asks for a major version."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """Columns of a row of both releases that have another value, or were empty."""

    changed: tuple[str, ...]
    filled: tuple[str, ...]

    @property
    def due(self) -> Bump:
        """Bump that the change of this row requires."""
        if MEASURED & {*self.changed}:
            return "major"
        return "minor" if self.filled else "patch"


@dataclass(frozen=True, slots=True)
class TableChange:
    """Changed rows, by id, and columns of one table."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: Mapping[str, RowChange]
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    columns_retyped: tuple[str, ...]

    @property
    def due(self) -> Bump:
        """Bump that the changes of this table require."""
        bumps = [change.due for change in self.changed.values()]
        if self.removed or self.columns_removed or self.columns_retyped:
            bumps.append("major")
        if self.added or self.columns_added:
            bumps.append("minor")
        return largest(bumps)


@dataclass(frozen=True, slots=True)
class CellChange:
    """Numbers of items of one cell that were added, removed, or got another text, split or class."""

    lang: str
    context_kind: str
    probe: str
    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True)
class SplitChange:
    """A compound that has moved."""

    compound_id: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ReleaseDifference:
    """Everything that differs between two releases."""

    old: str
    new: str
    due: Bump
    least: str  # the smallest version that NEW may have
    enough: bool
    tables: Mapping[str, TableChange]
    cells: tuple[CellChange, ...]
    splits: tuple[SplitChange, ...]
    files: tuple[str, ...]  # files other than tables that were added, removed or changed


@dataclass(frozen=True, slots=True)
class _Side:
    release: str
    rows: Mapping[str, Mapping[str, Row]]  # rows by id, by table
    columns: Mapping[str, Mapping[str, str]]
    files: Mapping[str, str]
    tables: Mapping[str, str]  # logical hash by path


def compare(old: Path, new: Path) -> ReleaseDifference:
    """Return what differs between the releases in the folders *old* and *new*; one that is damaged raises an error."""
    before, after = _read(old), _read(new)
    changes = {name: _table(name, before, after) for name in dict.fromkeys((*before.rows, *after.rows))}
    tables = {name: change for name, change in changes.items() if change.due != "none"}
    files = sorted({path for path, _ in before.files.items() ^ after.files.items()})
    bumps = [change.due for change in tables.values()]
    due = largest([*bumps, "patch"] if files or before.tables != after.tables else bumps)
    least = least_version(before.release, due)
    compounds = after.rows.get("compounds", {})
    splits = (
        SplitChange(row_id, row["split"], compounds.get(row_id, row)["split"])
        for row_id, row in before.rows.get("compounds", {}).items()
    )
    return ReleaseDifference(
        old=before.release,
        new=after.release,
        due=due,
        least=least,
        enough=numbers(after.release) >= numbers(least),
        tables=tables,
        cells=tuple(_cells(tables, before, after)),
        splits=tuple(change for change in splits if change.old != change.new),
        files=tuple(files),
    )


def _read(path: Path) -> _Side:
    manifest = ReleaseFolder.open(path).manifest
    rows: dict[str, dict[str, Row]] = {}
    columns: dict[str, Mapping[str, str]] = {}
    for entry in manifest.data_files():
        name = entry.config if entry.config in CONFIG_TABLES else "pairs"
        data = read_table(path / entry.path)
        types = {field.name: str(field.type) for field in data.schema}
        if columns.setdefault(name, types) != types:
            what = f"its columns are not those of the other files of {name!r}"
            raise ReleaseError(what, fix=REBUILD, place=Place(str(path / entry.path)))
        # a judgement has no id without its item, annotator and campaign
        key = ("id",) if "id" in types else ("item_id", "annotator", "campaign")
        table = rows.setdefault(name, {})
        table.update({"/".join(str(row[column]) for column in key): row for row in rows_of(data, path / entry.path)})
    return _Side(
        release=manifest.release,
        rows=rows,
        columns=columns,
        files={entry.path: entry.sha256 for entry in manifest.files if entry.rows is None},
        tables={entry.path: str(entry.logical_sha256) for entry in manifest.data_files()},
    )


def _table(name: str, before: _Side, after: _Side) -> TableChange:
    old, new = before.rows.get(name, {}), after.rows.get(name, {})
    old_columns, new_columns = before.columns.get(name, {}), after.columns.get(name, {})
    both = [column for column in old_columns if column in new_columns]
    changed: dict[str, RowChange] = {}
    for row_id, row in old.items():
        other = new.get(row_id, row)
        differ = [column for column in both if column != "release" and row[column] != other[column]]
        filled = tuple(column for column in differ if row[column] in (None, "", []))
        if differ:
            changed[row_id] = RowChange(tuple(column for column in differ if column not in filled), filled)
    return TableChange(
        added=tuple(row_id for row_id in new if row_id not in old),
        removed=tuple(row_id for row_id in old if row_id not in new),
        changed=changed,
        columns_added=tuple(column for column in new_columns if column not in old_columns) if old else (),
        columns_removed=tuple(column for column in old_columns if column not in new_columns) if new else (),
        columns_retyped=tuple(column for column in both if old_columns[column] != new_columns[column]),
    )


def _cells(tables: Mapping[str, TableChange], before: _Side, after: _Side) -> Iterator[CellChange]:
    counts: Counter[tuple[tuple[str, str, str], str]] = Counter()
    for name in {"sentences", SENSE_SENTENCES, "attested"} & tables.keys():
        table = tables[name]
        moved = [row_id for row_id, change in table.changed.items() if change.due == "major"]
        groups = (("added", table.added, after), ("removed", table.removed, before), ("changed", moved, after))
        for kind, row_ids, side in groups:
            for row in (side.rows[name][row_id] for row_id in row_ids):
                context_kind = row["context_kind"] if name == "sentences" else name
                counts[(row["lang"], context_kind, row["probe"]), kind] += 1
    for cell in sorted({cell for cell, _ in counts}):
        yield CellChange(*cell, *(counts[cell, kind] for kind in ("added", "removed", "changed")))
