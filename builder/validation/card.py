"""D1xx: the dataset card against its manifest: the YAML header that `datasets` and the Hub read, and the text.

`datasets` and the client of the Hub check almost nothing of a card (docs/reference/incidents.md). Tables are compared
cell by cell. A figure in running text must be some figure of the manifest, so a wrong one is found unless it happens to
be another figure of the release.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

import yaml

from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL_VARIANTS, VARIANTS, Incident, Manifest, ReleaseFile, Split
from ncimp.builder.records.words import OTHER, hub_licences
from ncimp.builder.validation.scope import reports
from ncimp.schemas import NcimpError, read_text
from ncimp.schemas.arrow import card_features
from ncimp.schemas.manifest import SENSE_SENTENCES

CARD = "README.md"
SECTIONS = ("motivation", "composition", "collection", "uses", "limits", "maintenance")  # each a word of a heading
Findings = Iterator[tuple[str, str]]  # code and message
Header = Mapping[str, Any]

LONG_CODE = re.compile(r"[a-z]{3}")  # of a language, in ISO 639-2 or ISO 639-3
LICENCE_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")  # of a licence that the Hub does not list
HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)


@reports(
    """Figures are compared with the manifest, not with the tables, so that damage of a table is reported once.

    A key that stands twice is an error (`D101`), because other readers take the last one silently. A licence that the
    Hub does not list is `other`, with a `license_name` (one id in small letters) and a `license_link` (an address, or
    `LICENSE.md` of the release) (`D102`). Sizes are rows of each split, bytes to download, and the sum of the bytes in
    memory; those of one split depend on the library and are not recomputed (`D106`). Tables are compared cell by cell;
    a figure in running text has to be one of the manifest's, so another figure of the release is not found (`D108`).
    """,
    D101="the card cannot be read",
    D102="the header of the card has a key or a value that the Hub does not know, or that is not the release's",
    D103="the configs of the card are not one default and others of its version",
    D104="the files of the card's configs are not those of the release",
    D105="the features in the card are not the columns of the table",
    D106="a size in the header of the card is not the manifest's",
    D107="the card lacks a section",
    D108="a figure in the text of the card is not the manifest's",
)
def check_card(folder: Path, manifest: Manifest) -> Iterator[Incident]:
    """Yield every D1xx incident of the card in *folder*; a card that is missing is for M901 to tell."""
    if not (folder / CARD).is_file():
        return
    try:
        header, body = _parts(read_text(folder / CARD))
    except (NcimpError, yaml.YAMLError) as error:
        told = error.what if isinstance(error, NcimpError) else " ".join(str(error).split())
        yield Incident("D101", CARD, f"{told}; build the release again")
        return
    for code, message in (*_check_header(header, manifest), *_sections(body), *_check_text(body, header, manifest)):
        yield Incident(code, CARD, message)


def _parts(text: str) -> tuple[dict[str, Any], str]:
    match = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if match is None:
        raise yaml.YAMLError("it does not begin with a header between two lines `---`")
    header = _Strict(match[1]).get_single_data()
    if not isinstance(header, dict):
        raise yaml.YAMLError("its header is no mapping")
    return header, text[match.end() :]


class _Strict(yaml.SafeLoader):
    """A safe loader that takes no key twice; the others take the last one silently."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> dict[Any, Any]:
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    for key in keys:
        if keys.count(key) > 1:
            raise yaml.YAMLError(f"the key {key!r} stands twice in one mapping{node.start_mark}")
    return loader.construct_mapping(node, deep=True)


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def _sections(body: str) -> Findings:
    headings = " ".join(HEADING.findall(body)).lower()
    for section in SECTIONS:
        if re.search(rf"\b{section}\b", headings) is None:
            yield "D107", f"no section on {section}; add a heading with this word to dataset_card.md, and say it"


NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)*(?![\w])")  # a word of its own: not the number in nat1
NO_FIGURES = (  # text whose numbers are no figures of the release
    re.compile(r"```.*?```", re.DOTALL),
    re.compile(r"`[^`]*`"),
    re.compile(r"^- .*$", re.MULTILINE),  # the description of a column, from its schema
    re.compile(r"\]\([^)]*\)"),
    re.compile(r"\b51\(2\)"),  # the issue of the journal
    re.compile(r"\bCC BY(?:-[A-Z]+)* \d\.\d\b"),
)
MATCHED = ("modifier", "head", "worse", "mean")  # columns of the table of matched frequencies
TOTALS = ("compounds", "sentences", "pairs")


def _check_text(body: str, header: Header, manifest: Manifest) -> Findings:
    expected = _wanted(header, manifest)
    lines = body.split("\n")
    for head, *rows in _tables(lines):
        name, wanted = head[0], expected.get(head[0])
        if wanted is None:
            continue
        if len(rows) != len(wanted):
            yield "D108", f"the table of {name!r} has {len(rows)} rows where it should have {len(wanted)}"
        for row, values in zip(rows, wanted, strict=False):
            for cell, value in zip(row[-len(values) :], values, strict=False):
                if cell.replace(",", "") != value:
                    yield "D108", f"{cell!r} in the table of {name!r}, row {row[0]!r}, where it is {value}"
    figures = known_figures(manifest)
    for figure in figures_in("\n".join(line for line in lines if not line.startswith("|"))):
        if figure.replace(",", "") not in figures:
            yield "D108", f"the figure {figure} in the text is none of the manifest's"


def figures_in(text: str) -> list[str]:
    """Return the numbers of *text* that are figures: not those in code, in lists of columns or in names.

    >>> figures_in("1,250 sentences (`nat1`), volume 51(2), 3 pairs.")
    ['1,250', '3']
    """
    for pattern in NO_FIGURES:
        text = pattern.sub(" ", text)
    return [match.rstrip(",") for match in NUMBER.findall(text)]


def known_figures(manifest: Manifest) -> frozenset[str]:
    """Return every number that the text of a card of the release of *manifest* may name, without commas."""
    inputs = [[source.name, source.version, source.citation] for source in manifest.inputs]
    facts = json.dumps([manifest.release, manifest.counts, dict(manifest.options), inputs])
    literal = int(str(manifest.counts.get(SENSE_SENTENCES, 0))) // len(LITERAL_VARIANTS)
    variants = [sum(variant.startswith(kind) for variant in VARIANTS) for kind in ("ws", "rand")]
    sizes = [len(CONTEXTS), len(VARIANTS), len(VARIANTS) - 1, sum(name.startswith("nat") for name in CONTEXTS)]
    return frozenset((*re.findall(r"\d+(?:\.\d+)*", facts), *map(str, (literal, *variants, *sizes))))


def _tables(lines: Sequence[str]) -> Iterator[list[list[str]]]:
    """Yield the Markdown tables in *lines* as rows of cells, the line below the head left out."""
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in group if is_table]
        table = [row for row in cells if not all(set(cell) <= set("-:") for cell in row)]
        if table:
            yield table


def _wanted(header: Header, manifest: Manifest) -> dict[str, list[list[str]]]:
    """Return what the last cells of each row of each table should be, by the first cell of its head."""
    languages: Any = manifest.counts.get("languages", {})
    matching: Any = manifest.matching
    readings: Any = manifest.counts.get("readings", [])
    parted = [split for split in get_args(Split) if any(split in counts["splits"] for counts in languages.values())]
    return {
        "language": [
            [*(str(counts["classes"][name]) for name in CLASSES), *(str(counts[name]) for name in TOTALS)]
            for counts in languages.values()
        ],
        "family": [[str(row[name]) for name in ("items", "faults", "standing")] for row in readings],
        "shared words": [
            [str(counts.get("overlap", {}).get(name)) for name in CLASSES] for counts in languages.values()
        ],
        "config": [[str(sum(_row_counts(config, manifest).values()))] for config in _entries(header, "configs")],
        "compounds": [[str(counts["splits"].get(split, 0)) for split in parted] for counts in languages.values()],
        "median / 90th percentile": [
            [f"{counts[f'{part}_median']:.3f} / {counts[f'{part}_p90']:.3f}" for part in MATCHED]
            for counts in matching.values()
        ],
    }


def _check_header(header: Header, manifest: Manifest) -> Findings:
    configs, infos = _entries(header, "configs"), _entries(header, "dataset_info")
    yield from (*_keys(header), *_values(header, manifest), *_licence(header, manifest))
    yield from (*_configs(configs, infos, manifest), *_files(configs, manifest))
    by_name = {info.get("config_name"): info for info in infos}
    for config in configs:
        info = by_name.get(config.get("config_name"))
        if info is not None:  # D103 reports one that is missing
            yield from _features(config, info, manifest)
            yield from _sizes(config, info, manifest)


def _entries(header: Header, key: str) -> list[dict[str, Any]]:
    value = header.get(key)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _listed(value: object) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def _keys(header: Header) -> Findings:
    known = {part: set(keys.split()) for part, keys in _hub()["keys"].items()}
    inner = [(part, entry) for part in ("configs", "dataset_info") for entry in _entries(header, part)]
    for part, keys in (("header", header), *inner):
        for key in sorted(set(keys) - known[part]):
            yield "D102", f"the key {key!r} is not one of {part}; every client would pass over it"
    for key in sorted(known["required"] - {key for key, value in header.items() if value}):
        yield "D102", f"the key {key!r} is missing from the header"


def _values(header: Header, manifest: Manifest) -> Findings:
    hub = _hub()
    vocabulary: dict[str, Container[str]] = {
        **{name: values.split() for name, values in hub["values"].items()},
        "license": hub_licences(),
        "size_categories": hub["sizes"],
        "task_categories": hub["tasks"],
        "task_ids": " ".join(hub["tasks"].values()).split(),
    }
    for key, value in header.items():
        for word in _listed(value) if key in vocabulary else ():
            if word not in vocabulary[key]:
                yield "D102", f"{word!r} is not a value of {key!r} that the Hub knows"
    languages = _listed(header.get("language", []))
    for code in languages:
        language = code.split("-", 1)[0]  # a region may follow
        if language not in hub["languages"]["ids"].split() and not LONG_CODE.fullmatch(language):
            yield "D102", f"{code!r} is not a language code of ISO 639"
    if languages != list(manifest.languages):
        yield "D102", f"the languages are {languages} where the manifest has {list(manifest.languages)}"
    categories = _listed(header.get("task_categories", []))
    tasks = {task for category in categories for task in hub["tasks"].get(category, "").split()}
    for task in set(_listed(header.get("task_ids", []))) - tasks:
        yield "D102", f"the task id {task!r} belongs to none of the task categories {categories}"
    size = [name for name, fewest in hub["sizes"].items() if manifest.count("pairs") >= fewest][-1]
    if size not in _listed(header.get("size_categories")):
        yield "D102", f"{manifest.counts.get('pairs')} pairs are not in {header.get('size_categories')}"


def _licence(header: Header, manifest: Manifest) -> Findings:
    """A licence that the Hub does not list has a name of its own there, and a page or file to read."""
    name, link = header.get("license_name"), header.get("license_link")
    if OTHER not in _listed(header.get("license", [])):
        if name or link:
            yield "D102", f"license_name {name!r} and license_link {link!r} stand beside no license 'other'"
        return
    if not isinstance(name, str) or not LICENCE_NAME.fullmatch(name):
        yield "D102", f"the license 'other' has the license_name {name!r}; give one id, such as 'my-licence-1.0'"
    paths = {entry.path for entry in manifest.files}.intersection(_hub()["keys"]["licence_files"].split())
    if link not in paths and not str(link).startswith("https://"):
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


def _config_files(config: Header, manifest: Manifest) -> dict[str, list[ReleaseFile]]:
    """Return the data files of the manifest that each split of a *config* of the card takes in."""
    return {
        str(part.get("split")): [
            entry
            for entry in manifest.data_files()
            if any(fnmatchcase(entry.path, glob) for glob in _listed(part.get("path", [])))
        ]
        for part in _entries(config, "data_files")
    }


def _row_counts(config: Header, manifest: Manifest) -> dict[str, int]:
    files = _config_files(config, manifest)
    return {split: sum(entry.rows or 0 for entry in entries) for split, entries in files.items()}


def _files(configs: Sequence[Header], manifest: Manifest) -> Findings:
    paths = sorted({entry.path for entry in manifest.data_files()})
    unused = set(paths)
    for config in configs:
        name, counts = config.get("config_name"), Counter[str]()
        for glob in (glob for part in _entries(config, "data_files") for glob in _listed(part.get("path", []))):
            matches = [path for path in paths if fnmatchcase(path, glob)]
            counts.update(matches)
            if not matches:
                yield "D104", f"{glob!r} of the config {name!r} matches no data file of the manifest"
        for path, times in counts.items():
            if times > 1:
                yield "D104", f"the config {name!r} takes {path} {times} times"
        unused -= counts.keys()
    for path in sorted(unused):
        yield "D104", f"no config takes {path}"


def _features(config: Header, info: Header, manifest: Manifest) -> Findings:
    name = config.get("config_name")
    tables = {str(entry.table) for entries in _config_files(config, manifest).values() for entry in entries}
    for table in sorted(tables):
        expected, stated = card_features(table), info.get("features")
        if stated != expected:
            columns = _entries(info, "features")
            differing = [row for row in (*expected, *columns) if not (row in expected and row in columns)]
            differ = sorted({str(row.get("name")) for row in differing})
            yield "D105", f"the features of {name!r} are not those of {table}.schema.json: {differ or 'another order'}"


def _sizes(config: Header, info: Header, manifest: Manifest) -> Findings:
    name, row_counts = config.get("config_name"), _row_counts(config, manifest)
    splits = _entries(info, "splits")
    stated = {str(split.get("name")): split.get("num_examples") for split in splits}
    for split in sorted({*row_counts, *stated}):
        rows, examples = row_counts.get(split), stated.get(split)
        if rows != examples:
            yield "D106", f"{examples} examples of {name!r} in {split!r} where the manifest has {rows} rows"
    download = sum(entry.bytes for entries in _config_files(config, manifest).values() for entry in entries)
    size = sum(split.get("num_bytes", 0) for split in splits)
    for key, total, owner in (("download_size", download, "the files have"), ("dataset_size", size, "its splits have")):
        if info.get(key) != total:
            yield "D106", f"{key} of {name!r} is {info.get(key)}, {owner} {total} bytes"


@cache
def _hub() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files("ncimp.builder.validation") / "hub.toml").read_text(encoding="utf-8"))
