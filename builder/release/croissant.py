"""`croissant.json`: the release in the words of MLCommons Croissant 1.0, with fields of its RAI vocabulary.

Fixed text is in `resources/croissant.json`; files, columns and versions are the release's own. What the
RAI fields say is true of the open edition alone, so that no other edition gets them. There is no date
but the one that the changelog gives a version: the same inputs give the same bytes on any day.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ncimp.builder.records import ReleaseFile
from ncimp.builder.release.layout import configs
from ncimp.builder.release.licences import OPEN, licence_page
from ncimp.schemas.records import Schema, kind_of, load_schema

CROISSANT = "croissant.json"
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
    used = configs(languages, {entry.path for entry in files})
    dates = dict(DATED.findall(changelog))
    return {
        **{key: value for key, value in fixed.items() if edition == OPEN or not key.startswith("rai:")},
        "version": release,
        **({"datePublished": dates[release]} if release in dates else {}),
        "license": [licence_page(name) or name for name in licences],
        "inLanguage": list(languages),
        "citeAs": f"The ncimp authors. NCIMP {edition} edition, version {release}.",
        "distribution": [
            *map(_file_object, files),
            *(_file_set(config.name, [path for paths in config.files.values() for path in paths]) for config in used),
        ],
        "recordSet": [_record_set(config.name, load_schema(config.table)) for config in used],
    }


def resized(metadata: Mapping[str, Any], files: Sequence[ReleaseFile]) -> dict[str, Any]:
    """Return *metadata* with the sizes and hashes of *files*, which were rewritten."""
    objects = {entry.path: _file_object(entry) for entry in files}
    return {**metadata, "distribution": [objects.get(part["@id"], part) for part in metadata["distribution"]]}


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


def _file_set(config: str, paths: Sequence[str]) -> dict[str, Any]:
    name = f"files-{config}"
    return {"@type": "cr:FileSet", "@id": name, "name": name, "encodingFormat": PARQUET, "includes": paths}


def _record_set(config: str, schema: Schema) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": schema["description"],
        "key": {"@id": f"{config}/id"},
        "field": [_column(config, name, column) for name, column in schema["properties"].items()],
    }


def _column(config: str, name: str, column: Schema) -> dict[str, Any]:
    """Return the field of a column; one of objects has a field for each of their parts."""
    source = {"fileSet": {"@id": f"files-{config}"}, "extract": {"column": name}}
    field = _field(f"{config}/{name}", column)
    if kind_of(column) != "array":
        return field | {"dataType": TYPES[kind_of(column)], "source": source}
    items = column["items"]
    if kind_of(items) != "object":
        return field | {"dataType": TYPES[kind_of(items)], "repeated": True, "source": source}
    parts = [
        {
            **_field(f"{config}/{name}/{part}", part_column),
            "dataType": TYPES[kind_of(part_column)],
            "repeated": True,
            "source": source | {"transform": {"jsonPath": part}},
        }
        for part, part_column in items["properties"].items()
    ]
    return field | {"repeated": True, "subField": parts}


def _field(address: str, column: Schema) -> dict[str, Any]:
    name = address.rpartition("/")[2]
    return {"@type": "cr:Field", "@id": address, "name": name, "description": column["description"]}
