"""The release folder: written whole beside its place, hashed, then exchanged for the old one in one step."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

import ncimp
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import (
    LITERAL,
    MANIFEST,
    Item,
    Manifest,
    Origin,
    Pair,
    ReleasedAnnotation,
    ReleasedCompound,
    ReleaseFile,
    Source,
    Standoff,
)
from ncimp.builder.release.card import CardFigures, DataFile, render_card
from ncimp.builder.release.croissant import CROISSANT, croissant
from ncimp.builder.release.describe.counts import count_cells, count_judgements, measure_matching
from ncimp.builder.release.layout import ANNOTATIONS, KINDS, SPLITS, Config, columns_of, configs, data_file, file_entry
from ncimp.builder.release.licences import OTHER_LICENCES, data_licence, other_licences, unlisted
from ncimp.builder.release.withholding import standoff_of
from ncimp.schemas.arrow import card_features, write_parquet
from ncimp.schemas.files import Row, value_hash, write_json, write_text
from ncimp.schemas.records import to_row
from ncimp.schemas.swap import folder_aside, replace_folder
from ncimp.schemas.tables import STANDOFF, without_text

NAME_LINE = b'"name": "ncimp"'
"""A line near the beginning of every manifest of ours."""
LAYOUT_LINE = "LAYOUT: Dict[str, Any] = {}"
"""The line of the loading script that the release step fills in."""


Check: TypeAlias = Callable[[Path, Manifest], None]
"""Raises for a release folder that may not be published."""


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
    origins: Mapping[tuple[str, str], Origin] = field(default_factory=dict)
    """Places of the sentences of withheld contexts, by compound id and context."""

    annotations: Sequence[ReleasedAnnotation] = ()
    """Human judgements, one by one."""

    @property
    def withheld(self) -> list[Standoff]:
        """The items that are released without their text."""
        return [
            standoff_of(item, self.origins[item.compound_id, item.context])
            for item in (*self.items, *self.literal)
            if (item.compound_id, item.context) in self.origins
        ]


def write_release(target: Path, content: ReleaseContent, check: Check | None = None) -> Manifest:
    """Write the release folder *target* and return its manifest; the old folder stays until the new one is whole.

    *check* gets the new folder and its manifest before it takes the place of the old one; when it raises, that stays.
    """
    with folder_aside(target) as aside:
        manifest = _write(aside, content)
        if check is not None:
            check(aside, manifest)
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
    withheld = content.withheld
    files = list(_write_tables(folder, content, withheld))
    tables = [entry for entry, _ in files]
    counts = {
        **count_cells(content.items, content.pairs, content.compounds),
        "literal": len(content.literal),
        "waived": content.waived,
    }
    counts |= count_judgements(content.compounds, content.annotations)
    if withheld:
        counts["withheld"] = len(withheld)
    matching = measure_matching(content.items)
    figures = CardFigures(
        release=content.options.release,
        edition=content.edition,
        languages=content.languages,
        counts=counts,
        matching=matching,
        files={entry.path: DataFile(entry.rows or 0, entry.bytes, size) for entry, size in files},
        zipf_source=" and ".join(dict.fromkeys(compound.zipf_source for compound in content.compounds)),
        options=content.options,
        licences=_licences(content),
        benchmarks=[source.name.split("/", 1)[1] for source in content.inputs if source.kind == "benchmark"],
        withheld=tuple(row.licence for row in withheld),
        counted=any(compound.count_source is not None for compound in content.compounds),
    )
    write_text(folder / "README.md", render_card(_resource("dataset_card.md"), figures))
    changelog = data_changes(_resource("CHANGELOG.md"))
    write_text(folder / "CHANGELOG.md", changelog)
    metadata = croissant(
        json.loads(_resource(CROISSANT)),
        release=figures.release,
        edition=figures.edition,
        languages=tuple(figures.languages),
        licences=figures.licences,
        files=tables,
        changelog=changelog,
    )
    write_json(folder / CROISSANT, metadata)
    write_text(folder / "LICENSE-DATA", _data_licence(content, figures.licences))
    write_text(folder / "legacy" / "ncimp.py", loading_script(content, figures.files))
    others = ["CHANGELOG.md", "LICENSE-DATA", "README.md", CROISSANT, "legacy/ncimp.py"]
    if unlisted(figures.licences):
        write_text(folder / OTHER_LICENCES, other_licences(figures.licences))
        others.append(OTHER_LICENCES)
    manifest = Manifest(
        format=1,
        name="ncimp",
        release=content.options.release,
        code_version=ncimp.__version__,
        edition=content.edition,
        languages=tuple(content.languages),
        options=content.options.as_row(),
        inputs=tuple(content.inputs),
        files=(*tables, *(file_entry(folder, path) for path in others)),
        logical_sha256=value_hash({entry.path: entry.logical_sha256 for entry in tables}),
        counts=counts,
        matching=matching,
    )
    write_json(folder / MANIFEST, to_row(manifest))
    return manifest


def _data_licence(content: ReleaseContent, licences: Sequence[str]) -> str:
    return data_licence(
        _resource("LICENSE-DATA"),
        release=content.options.release,
        edition=content.edition,
        licences=licences,
        inputs=content.inputs,
        corpus=any(item.context_source == "corpus" for item in (*content.items, *content.literal)),
    )


def _licences(content: ReleaseContent) -> tuple[str, ...]:
    """Return the licences of the rows, each once."""
    items = (row.licence for row in (*content.items, *content.literal))
    return tuple(dict.fromkeys((*items, *(row.licence for row in content.compounds))))


def _write_tables(
    folder: Path, content: ReleaseContent, withheld: Sequence[Standoff]
) -> Iterator[tuple[ReleaseFile, int]]:
    """Write the data files; yield each file's entry in the manifest with its bytes in memory."""
    parts: dict[str, tuple[str, list[Row]]] = {}
    bare = {row.id for row in withheld}

    def released(table: str, record: Item | Pair) -> Row:
        return without_text(table, to_row(record)) if record.id in bare else to_row(record)

    for item in content.items:
        parts.setdefault(data_file("sentences", item.split), ("item", []))[1].append(released("item", item))
    for item in content.literal:
        parts.setdefault(data_file(LITERAL, item.split), ("item", []))[1].append(released("item", item))
    for row in withheld:
        parts.setdefault(data_file(STANDOFF, row.split), (STANDOFF, []))[1].append(to_row(row))
    for compound in content.compounds:
        parts.setdefault(data_file("compounds", compound.split), ("compound", []))[1].append(to_row(compound))
    for judgement in content.annotations:
        path = data_file(ANNOTATIONS, judgement.split)
        parts.setdefault(path, ("released_annotation", []))[1].append(to_row(judgement))
    short = {name: kind for kind, name in KINDS.items()}
    for pair in content.pairs:
        path = data_file(f"{pair.lang}_{short[pair.context_kind]}", pair.split)
        parts.setdefault(path, ("pair", []))[1].append(released("pair", pair))
    for path in _table_order(content.languages):
        if path in parts:
            table, rows = parts[path]
            size = write_parquet(folder / path, rows, table)
            yield file_entry(folder, path, rows=rows, table=table), size


def _table_order(langs: Mapping[str, str]) -> list[str]:
    folders = ("sentences", LITERAL, "compounds", *columns_of(list(langs)), ANNOTATIONS, STANDOFF)
    return [data_file(folder, split) for folder in folders for split in SPLITS]


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


def _held_splits(config: Config, files: Mapping[str, DataFile]) -> dict[str, list[str]]:
    """Return the files of each split of *config* that has rows."""
    listed = {split: [data_file(folder, split) for folder in config.folders] for split in SPLITS}
    paths_by_split = {split: [path for path in paths if path in files] for split, paths in listed.items()}
    return {split: paths for split, paths in paths_by_split.items() if paths}


def data_changes(changelog: str) -> str:
    """Return the data part of *changelog*, from its heading `# Data` to the next heading of that level."""
    part = changelog.split("\n# Data\n", 1)[-1].split("\n# ", 1)[0]
    return f"# Changes of the data\n\n{part.strip()}\n"


def _resource(name: str) -> str:
    return (files("ncimp.builder.release") / "resources" / name).read_text(encoding="utf-8")
