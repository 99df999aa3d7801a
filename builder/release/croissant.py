"""`croissant.json`: the release in the words of MLCommons Croissant 1.0, with fields of its RAI vocabulary.

Fixed text is in `resources/croissant.json`; files, columns and versions are the release's own. What the
RAI fields say is true of the open edition alone, so that no other edition gets them. There is no date
but the one that the changelog gives a version: the same inputs give the same bytes on any day.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ncimp.builder.records import ReleaseFile
from ncimp.builder.release.layout import SPLITS, Config, configs, data_file
from ncimp.builder.release.licences import OPEN
from ncimp.schemas.tables import Schema, kind_of, load_schema

CROISSANT = "croissant.json"
"""Name of the file in a release."""

PARQUET = "application/x-parquet"

TYPES = {"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}
"""Croissant's name of each scalar JSON type."""

DATED = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$", re.MULTILINE)
"""The heading of a version that has been published."""


def croissant(
    fixed: Mapping[str, Any],
    *,
    release: str,
    edition: str,
    languages: Sequence[str],
    licences: Sequence[str],
    files: Sequence[ReleaseFile],
    changelog: str,
) -> dict[str, Any]:
    """Return the metadata of a release: *fixed* text, its data *files* and the columns of each config.

    *changelog* is the data part, which knows the day of a published version.
    """
    entries = {entry.path: entry for entry in files}
    used = [(config, paths) for config in configs(languages) if (paths := _paths(config, entries))]
    text = {key: value for key, value in fixed.items() if edition == OPEN or not key.startswith("rai:")}
    dates = dict(DATED.findall(changelog))
    return {
        **text,
        "version": release,
        **({"datePublished": dates[release]} if release in dates else {}),
        "license": list(map(_licence, licences)),
        "inLanguage": list(languages),
        "citeAs": f"The ncimp authors. NCIMP {edition} edition, version {release}.",
        "distribution": [*map(_file_object, files), *(_file_set(config, paths) for config, paths in used)],
        "recordSet": [_record_set(config) for config, _ in used],
    }


def _licence(name: str) -> str:
    """Return the page of a licence that SPDX lists, and the *name* itself of one that it does not."""
    return name if name.startswith("LicenseRef-") else f"https://spdx.org/licenses/{name}.html"


def resized(metadata: Mapping[str, Any], files: Sequence[ReleaseFile]) -> dict[str, Any]:
    """Return *metadata* with the sizes and hashes of *files*, which were rewritten."""
    objects = {entry.path: _file_object(entry) for entry in files}
    return {**metadata, "distribution": [objects.get(part["@id"], part) for part in metadata["distribution"]]}


def _paths(config: Config, entries: Mapping[str, ReleaseFile]) -> list[str]:
    paths = (data_file(folder, split) for split in SPLITS for folder in config.folders)
    return [path for path in paths if path in entries]


def _file_object(entry: ReleaseFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": entry.path,
        "name": entry.path,
        "contentUrl": entry.path,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": entry.sha256,
    }


def _file_set(config: Config, paths: Sequence[str]) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"files-{config.name}",
        "name": f"files-{config.name}",
        "encodingFormat": PARQUET,
        "includes": list(paths),
    }


def _record_set(config: Config) -> dict[str, Any]:
    schema = load_schema(config.table)
    return {
        "@type": "cr:RecordSet",
        "@id": config.name,
        "name": config.name,
        "description": schema["description"],
        "key": {"@id": f"{config.name}/id"},
        "field": [_field(config, name, column) for name, column in schema["properties"].items()],
    }


def _field(config: Config, name: str, column: Schema) -> dict[str, Any]:
    field = {
        "@type": "cr:Field",
        "@id": f"{config.name}/{name}",
        "name": name,
        "description": column["description"],
    }
    if kind_of(column) != "array":
        return field | {"dataType": TYPES[kind_of(column)], "source": _source(config, name)}
    items = column["items"]
    if kind_of(items) != "object":
        return field | {"dataType": TYPES[kind_of(items)], "repeated": True, "source": _source(config, name)}
    return field | {"repeated": True, "subField": list(_parts(config, name, items))}


def _parts(config: Config, name: str, items: Schema) -> Iterator[dict[str, Any]]:
    """Yield a field for each part of the objects in the column *name*."""
    for part, column in items["properties"].items():
        yield {
            "@type": "cr:Field",
            "@id": f"{config.name}/{name}/{part}",
            "name": part,
            "description": column["description"],
            "dataType": TYPES[kind_of(column)],
            "repeated": True,
            "source": _source(config, name) | {"transform": {"jsonPath": part}},
        }


def _source(config: Config, column: str) -> dict[str, Any]:
    return {"fileSet": {"@id": f"files-{config.name}"}, "extract": {"column": column}}
