"""D102 to D106: the YAML header of the card, from which `datasets` loads and the Hub shows the release."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from ncimp.builder.records import Manifest, ReleaseFile
from ncimp.builder.records.words import OTHER, hub_licences
from ncimp.schemas.arrow import card_features

Findings: TypeAlias = Iterator[tuple[str, str]]
"""Code and message."""

Header: TypeAlias = Mapping[str, Any]


def check_header(header: Header, manifest: Manifest) -> Findings:
    """Yield what is wrong in the *header* of a card of the release of *manifest*."""
    yield from _keys(header)
    yield from _values(header, manifest)
    yield from _licence(header, manifest)
    configs, infos = entries(header, "configs"), entries(header, "dataset_info")
    yield from _configs(configs, infos, manifest)
    yield from _files(configs, manifest)
    by_name = {info.get("config_name"): info for info in infos}
    for config in configs:
        info = by_name.get(config.get("config_name"))
        if info is not None:  # D103 tells of one that is missing
            yield from _features(config, info, manifest)
            yield from _sizes(config, info, manifest)


def entries(header: Header, key: str) -> list[dict[str, Any]]:
    """Return the mappings in the list *key* of *header*, none where there is no list."""
    value = header.get(key)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _listed(value: object) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def _keys(header: Header) -> Findings:
    parts = [("header", header)]
    parts += [(part, entry) for part in ("configs", "dataset_info") for entry in entries(header, part)]
    for part, keys in parts:
        for key in sorted(set(keys) - known_keys(part)):
            yield "D102", f"the key {key!r} is not one of {part}; every client would pass over it"
    for key in sorted(known_keys("required") - {key for key, value in header.items() if value}):
        yield "D102", f"the key {key!r} is missing from the header"


def _values(header: Header, manifest: Manifest) -> Findings:
    for key, value in header.items():
        terms = vocabulary(key)
        for word in _listed(value) if terms is not None else ():
            if word not in terms:  # type: ignore[operator]  # known is not None here
                yield "D102", f"{word!r} is not a value of {key!r} that the Hub knows"
    languages = _listed(header.get("language", []))
    for code in languages:
        if not is_language(code):
            yield "D102", f"{code!r} is not a language code of ISO 639"
    if languages != list(manifest.languages):
        yield "D102", f"the languages are {languages} where the manifest has {list(manifest.languages)}"
    categories = _listed(header.get("task_categories", []))
    for task in set(_listed(header.get("task_ids", []))) - tasks_of(categories):
        yield "D102", f"the task id {task!r} belongs to none of the task categories {categories}"
    if size_category(int(str(manifest.counts.get("pairs", 0)))) not in _listed(header.get("size_categories")):
        yield "D102", f"{manifest.counts.get('pairs')} pairs are not in {header.get('size_categories')}"


def _licence(header: Header, manifest: Manifest) -> Findings:
    """A licence that the Hub does not list has a name of its own there, and a page or file to read."""
    name, link = header.get("license_name"), header.get("license_link")
    if OTHER not in _listed(header.get("license", [])):
        if name or link:
            yield "D102", f"license_name {name!r} and license_link {link!r} stand beside no license 'other'"
        return
    if not isinstance(name, str) or not is_licence_name(name):
        yield "D102", f"the license 'other' has the license_name {name!r}; give one id, such as 'my-licence-1.0'"
    files = {entry.path for entry in manifest.files} & known_keys("licence_files")
    if link not in files and not str(link).startswith("https://"):
        yield "D102", f"the license 'other' has the license_link {link!r}; give an address, or a file that is there"


def _configs(configs: Sequence[Header], infos: Sequence[Header], manifest: Manifest) -> Findings:
    names = [str(config.get("config_name")) for config in configs]
    for repeated in sorted({name for name in names if names.count(name) > 1}):
        yield "D103", f"{names.count(repeated)} configs are called {repeated!r}"
    defaults = [config.get("config_name") for config in configs if config.get("default") is True]
    if len(defaults) != 1:
        yield "D103", f"{len(defaults)} configs are the default; one has to be"
    for config in configs:
        name, version = config.get("config_name"), config.get("version")
        if version != manifest.release:
            yield "D103", f"the config {name!r} is of version {version!r}, the manifest of {manifest.release!r}"
    described = [str(info.get("config_name")) for info in infos]
    if sorted(described) != sorted(names):
        lacking = sorted(set(names) ^ set(described)) or sorted(name for name in described if described.count(name) > 1)
        yield "D103", f"configs and dataset_info differ in {lacking}"


def config_files(config: Header, manifest: Manifest) -> dict[str, list[ReleaseFile]]:
    """Return the data files of the manifest that each split of a *config* of the card takes in."""
    tables = [entry for entry in manifest.files if entry.rows is not None]
    return {
        str(part.get("split")): [
            entry for entry in tables if any(fnmatchcase(entry.path, glob) for glob in _globs(part))
        ]
        for part in entries(config, "data_files")
    }


def _globs(part: Header) -> list[str]:
    return _listed(part.get("path", []))


def _files(configs: Sequence[Header], manifest: Manifest) -> Findings:
    tables = {entry.path for entry in manifest.files if entry.rows is not None}
    paths: set[str] = set()
    for config in configs:
        name, matches = config.get("config_name"), []
        for part in entries(config, "data_files"):
            for glob in _globs(part):
                matched = [path for path in sorted(tables) if fnmatchcase(path, glob)]
                matches += matched
                if not matched:
                    yield "D104", f"{glob!r} of the config {name!r} matches no data file of the manifest"
        for path, times in Counter(matches).items():
            if times > 1:
                yield "D104", f"the config {name!r} takes {path} {times} times"
        paths |= set(matches)
    for path in sorted(tables - paths):
        yield "D104", f"no config takes {path}"


def _features(config: Header, info: Header, manifest: Manifest) -> Findings:
    name = config.get("config_name")
    tables = {str(entry.table) for entries in config_files(config, manifest).values() for entry in entries}
    for table in sorted(tables):
        expected, stated = card_features(table), info.get("features")
        if stated != expected:
            columns = [row for row in stated if isinstance(row, dict)] if isinstance(stated, list) else []
            differ = sorted(
                {str(row.get("name")) for row in (*expected, *columns) if not (row in expected and row in columns)}
            )
            yield "D105", f"the features of {name!r} are not those of {table}.schema.json: {differ or 'another order'}"


def _sizes(config: Header, info: Header, manifest: Manifest) -> Findings:
    name, files = config.get("config_name"), config_files(config, manifest)
    row_counts = {split: sum(entry.rows or 0 for entry in entries) for split, entries in files.items()}
    splits = entries(info, "splits")
    stated = {str(split.get("name")): split.get("num_examples") for split in splits}
    for split in sorted({*row_counts, *stated}):
        if row_counts.get(split) != stated.get(split):
            rows = row_counts.get(split)
            yield "D106", f"{stated.get(split)} examples of {name!r} in {split!r} where the manifest has {rows} rows"
    download = sum(entry.bytes for entries in files.values() for entry in entries)
    if info.get("download_size") != download:
        yield "D106", f"download_size of {name!r} is {info.get('download_size')}, the files have {download} bytes"
    size = sum(split.get("num_bytes", 0) for split in splits)
    if info.get("dataset_size") != size:
        yield "D106", f"dataset_size of {name!r} is {info.get('dataset_size')}, its splits have {size} bytes"


LONG_CODE = re.compile(r"[a-z]{3}")
"""The form of a language code of ISO 639-2 or ISO 639-3."""

LICENCE_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
"""The form of a licence's name that the Hub does not list."""


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files("ncimp.builder.validation") / "hub.toml").read_text(encoding="utf-8"))


def known_keys(part: str) -> frozenset[str]:
    """Return the keys of the `header`, of an entry of `configs` or of `dataset_info`; those that are `required`.

    Or the names of files that may be `licence_files`.
    """
    return frozenset(_tables()["keys"][part].split())


def vocabulary(key: str) -> frozenset[str] | None:
    """Return the values that the header's *key* may have, or None where it may have any."""
    tables = _tables()
    closed = {
        **{name: values.split() for name, values in tables["values"].items()},
        "license": hub_licences(),
        "size_categories": list(tables["sizes"]),
        "task_categories": list(tables["tasks"]),
        "task_ids": [task for tasks in tables["tasks"].values() for task in tasks.split()],
    }
    return frozenset(closed[key]) if key in closed else None


def is_language(code: str) -> bool:
    """Tell whether *code* is of ISO 639-1, or has the form of a longer code; a region may follow it.

    >>> [is_language(code) for code in ("pt", "pt-BR", "ast", "zz")]
    [True, True, True, False]
    """
    language = code.split("-", 1)[0]
    return language in _tables()["languages"]["ids"].split() or LONG_CODE.fullmatch(language) is not None


def is_licence_name(name: str) -> bool:
    """Tell whether *name* is an id as the Hub wants it for a licence that it does not list.

    >>> is_licence_name("my-licence-1.0"), is_licence_name("My licence")
    (True, False)
    """
    return LICENCE_NAME.fullmatch(name) is not None


def tasks_of(categories: list[str]) -> frozenset[str]:
    """Return the task ids of the task *categories*."""
    tasks = _tables()["tasks"]
    return frozenset(task for category in categories for task in tasks.get(category, "").split())


def size_category(rows: int) -> str:
    """Return the size category of a dataset with so many *rows*.

    >>> size_category(999), size_category(1000)
    ('n<1K', '1K<n<10K')
    """
    return [name for name, fewest in _tables()["sizes"].items() if rows >= fewest][-1]
