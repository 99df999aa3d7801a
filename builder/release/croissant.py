"""`croissant.json`: the release in the words of MLCommons Croissant 1.0, with fields of its RAI vocabulary.

Fixed text is in `resources/croissant.json`; files, columns and versions are the release's own. What the
RAI fields say is true of the open edition alone, so that no other edition gets them. There is no date
but the one that the changelog gives a version: the same inputs give the same bytes on any day.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ncimp.builder.records import ReleaseFile
from ncimp.builder.release.card import CardFigures
from ncimp.builder.release.contents import Config
from ncimp.builder.release.licences import OPEN, licence_page
from ncimp.schemas.records import Schema, kind_of, load_schema

CROISSANT = "croissant.json"
PARQUET = "application/x-parquet"
TYPES = {"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}
"""Croissant's name of each scalar JSON type."""
DATED = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$", re.MULTILINE)
"""The heading of a version that has been published."""


def croissant(fixed: Mapping[str, Any], figures: CardFigures, changelog: str) -> dict[str, Any]:
    """Return the metadata of a release: *fixed* text, its data files and the columns of each config.

    *changelog* is the data part, which knows the day of a published version.
    """
    manifest, dates = figures.manifest, dict(DATED.findall(changelog))
    return {
        **{key: value for key, value in fixed.items() if manifest.edition == OPEN or not key.startswith("rai:")},
        "version": manifest.release,
        **({"datePublished": dates[manifest.release]} if manifest.release in dates else {}),
        "license": [licence_page(name) or name for name in figures.licences],
        "inLanguage": list(figures.languages),
        "citeAs": f"The ncimp authors. NCIMP {manifest.edition} edition, version {manifest.release}.",
        "distribution": [*map(_file_object, manifest.data_files()), *map(_file_set, figures.configs)],
        "recordSet": [*map(_record_set, figures.configs)],
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


def _file_set(config: Config) -> dict[str, Any]:
    name, paths = f"files-{config.name}", [path for group in config.files.values() for path in group]
    return {"@type": "cr:FileSet", "@id": name, "name": name, "encodingFormat": PARQUET, "includes": paths}


def _record_set(config: Config) -> dict[str, Any]:
    schema, source = load_schema(config.table), {"fileSet": {"@id": f"files-{config.name}"}}
    fields = [
        _field(f"{config.name}/{name}", column, source | {"extract": {"column": name}})
        for name, column in schema["properties"].items()
    ]
    record_set = {"@type": "cr:RecordSet", "@id": config.name, "name": config.name}
    return record_set | {"description": schema["description"], "key": {"@id": f"{config.name}/id"}, "field": fields}


def _field(address: str, column: Schema, source: dict[str, Any], *, repeated: bool = False) -> dict[str, Any]:
    """Return the field of a column; one of objects has a field for each of their parts."""
    name, times = address.rpartition("/")[2], {"repeated": True} if repeated else {}
    field = {"@type": "cr:Field", "@id": address, "name": name, "description": column["description"]}
    if kind_of(column) == "array":
        return _field(address, {**column["items"], "description": column["description"]}, source, repeated=True)
    if kind_of(column) != "object":
        return {**field, "dataType": TYPES[kind_of(column)], **times, "source": source}
    parts = [
        _field(f"{address}/{part}", part_column, source | {"transform": {"jsonPath": part}}, repeated=True)
        for part, part_column in column["properties"].items()
    ]
    return {**field, **times, "subField": parts}
