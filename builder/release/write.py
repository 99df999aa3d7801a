"""The release folder: written whole beside its place, hashed, then exchanged for the old one in one step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import ncimp
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import LITERAL, MANIFEST, Item, Manifest, Pair, ReleasedCompound, ReleaseFile, Source
from ncimp.builder.release.card import CardFigures, DataFile, render_card
from ncimp.builder.release.describe import count_cells, measure_matching
from ncimp.builder.release.layout import KINDS, SPLITS, Config, columns_of, configs, data_file
from ncimp.schemas.arrow import card_features, write_parquet
from ncimp.schemas.files import Row, write_json, write_text
from ncimp.schemas.hashing import file_hash, logical_hash, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.swap import folder_aside, replace_folder
from ncimp.schemas.tables import columns

NAME_LINE = b'"name": "ncimp"'
"""What every manifest of ours has near its beginning."""
LAYOUT_LINE = "LAYOUT: Dict[str, Any] = {}"
"""The line of the loading script that the release step fills in."""


@dataclass(frozen=True, slots=True)
class ReleaseContent:
    """Everything a release folder is made of."""

    items: Sequence[Item]
    pairs: Sequence[Pair]
    compounds: Sequence[ReleasedCompound]
    languages: Mapping[str, str]
    edition: str
    inputs: Sequence[Source]
    options: BuildOptions
    waived: int
    literal: Sequence[Item] = ()
    """Items in literal contexts, a table of their own."""


def write_release(target: Path, content: ReleaseContent) -> Manifest:
    """Write the release folder *target* and return its manifest; the old folder stays until the new one is whole."""
    with folder_aside(target) as aside:
        manifest = _write(aside, content)
        aside.chmod(0o755)  # as made, only its owner could read it
        replace_folder(aside, target)
    return manifest


def is_release(folder: Path) -> bool:
    """Tell whether *folder* looks like a release of ours, whole or damaged, and not like something else."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return False
    # not parsed: a damaged release is still one, and may be replaced
    return NAME_LINE in manifest.read_bytes() or (folder / "legacy" / "ncimp.py").is_file()


def _write(folder: Path, content: ReleaseContent) -> Manifest:
    written = list(_write_tables(folder, content))
    tables = [entry for entry, _ in written]
    counts = {**count_cells(content.items, content.pairs, content.compounds), "literal": len(content.literal)}
    matching = measure_matching(content.items)
    figures = CardFigures(
        release=content.options.release,
        edition=content.edition,
        languages=content.languages,
        counts=counts,
        matching=matching,
        files={entry.path: DataFile(entry.rows or 0, entry.bytes, size) for entry, size in written},
        zipf_source=" and ".join(dict.fromkeys(compound.zipf_source for compound in content.compounds)),
        waived=content.waived,
        options=content.options,
        counted=any(compound.count_source is not None for compound in content.compounds),
    )
    write_text(folder / "README.md", render_card(_resource("dataset_card.md"), figures))
    write_text(folder / "CHANGELOG.md", data_changes(_resource("CHANGELOG.md")))
    write_text(folder / "LICENSE-DATA", _resource("LICENSE-DATA"))
    write_text(folder / "legacy" / "ncimp.py", loading_script(content, figures.files))
    others = ("CHANGELOG.md", "LICENSE-DATA", "README.md", "legacy/ncimp.py")
    manifest = Manifest(
        format=1,
        name="ncimp",
        release=content.options.release,
        code_version=ncimp.__version__,
        edition=content.edition,
        languages=tuple(content.languages),
        options=content.options.as_row(),
        inputs=tuple(content.inputs),
        files=(*tables, *(_file_entry(folder, path) for path in others)),
        logical_sha256=value_hash({entry.path: entry.logical_sha256 for entry in tables}),
        counts=counts,
        matching=matching,
    )
    write_json(folder / MANIFEST, to_row(manifest))
    return manifest


def _write_tables(folder: Path, content: ReleaseContent) -> Iterator[tuple[ReleaseFile, int]]:
    """Write the data files; yield each file's entry in the manifest with its bytes in memory."""
    parts: dict[str, tuple[str, list[Row]]] = {}
    for item in content.items:
        parts.setdefault(data_file("sentences", item.split), ("item", []))[1].append(to_row(item))
    for item in content.literal:
        parts.setdefault(data_file(LITERAL, item.split), ("item", []))[1].append(to_row(item))
    for compound in content.compounds:
        parts.setdefault(data_file("compounds", compound.split), ("compound", []))[1].append(to_row(compound))
    short = {name: kind for kind, name in KINDS.items()}
    for pair in content.pairs:
        path = data_file(f"{pair.lang}_{short[pair.context_kind]}", pair.split)
        parts.setdefault(path, ("pair", []))[1].append(to_row(pair))
    for path in _table_order(content.languages):
        if path in parts:
            table, rows = parts[path]
            size = write_parquet(folder / path, rows, table)
            yield _file_entry(folder, path, rows=rows, table=table), size


def _table_order(langs: Mapping[str, str]) -> list[str]:
    folders = ("sentences", LITERAL, "compounds", *columns_of(list(langs)))
    return [data_file(folder, split) for folder in folders for split in SPLITS]


def _file_entry(folder: Path, path: str, *, rows: list[Row] | None = None, table: str = "") -> ReleaseFile:
    return ReleaseFile(
        path=path,
        bytes=(folder / path).stat().st_size,
        sha256=file_hash(folder / path),
        rows=None if rows is None else len(rows),
        logical_sha256=None
        if rows is None
        else logical_hash({name: row[name] for name in columns(table)} for row in rows),
    )


def loading_script(content: ReleaseContent, held: Mapping[str, DataFile]) -> str:
    """Return the loading script for `datasets` < 4 with this release's configs, features and files filled in."""
    splits = {config: _held_splits(config, held) for config in configs(list(content.languages))}
    made = {config: files for config, files in splits.items() if files}
    layout = {
        "version": content.options.release,
        "configs": {config.name: {"table": config.table, "splits": files} for config, files in made.items()},
        "features": {table: card_features(table) for table in dict.fromkeys(config.table for config in made)},
    }
    return _resource("ncimp.py").replace(LAYOUT_LINE, f"{LAYOUT_LINE.removesuffix('{}')}{json.dumps(layout, indent=4)}")


def _held_splits(config: Config, held: Mapping[str, DataFile]) -> dict[str, list[str]]:
    """Return the files of each split of *config* that has rows."""
    listed = {split: [data_file(folder, split) for folder in config.folders] for split in SPLITS}
    found = {split: [path for path in paths if path in held] for split, paths in listed.items()}
    return {split: paths for split, paths in found.items() if paths}


def data_changes(changelog: str) -> str:
    """Return the data part of *changelog*, from its heading `# Data` to the next heading of that level."""
    part = changelog.split("\n# Data\n", 1)[-1].split("\n# ", 1)[0]
    return f"# Changes of the data\n\n{part.strip()}\n"


def _resource(name: str) -> str:
    return (files("ncimp.builder.release") / "resources" / name).read_text(encoding="utf-8")
