"""D101, D107, D108: the text of the dataset card, against its manifest.

`datasets` and the client of the Hub check almost nothing of a card (docs/reference/incidents.md). Tables are compared
cell by cell. A figure in running text must be some figure of the manifest, so a wrong one is found unless it happens to
be another figure of the release.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, get_args

import yaml

from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL_VARIANTS, VARIANTS, Incident, Manifest, Split
from ncimp.builder.validation.folder.header import check_header, config_files, entries
from ncimp.builder.validation.registry import reports
from ncimp.schemas.errors import NcimpError
from ncimp.schemas.files import read_text

CARD = "README.md"
"""Name of the card in a release."""

SECTIONS = ("motivation", "composition", "collection", "uses", "limits", "maintenance")
"""Sections that a datasheet needs; each is a word of a heading."""

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
    for code, message in (*check_header(header, manifest), *_sections(body), *check_text(body, header, manifest)):
        yield Incident(code, CARD, message)


def _parts(text: str) -> tuple[dict[str, Any], str]:
    """Return the header and the body of a card, or raise a YAML error."""
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


def _sections(body: str) -> Iterator[tuple[str, str]]:
    headings = " ".join(HEADING.findall(body)).lower()
    for section in SECTIONS:
        if re.search(rf"\b{section}\b", headings) is None:
            yield "D107", f"no section on {section}; add a heading with this word to dataset_card.md, and say it"


NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)*(?![\w])")
"""A number that is a word of its own: not the one in `nat1`."""

NO_FIGURES = (
    re.compile(r"```.*?```", re.DOTALL),
    re.compile(r"`[^`]*`"),
    re.compile(r"^- .*$", re.MULTILINE),  # the description of a column, from its schema
    re.compile(r"\]\([^)]*\)"),
    re.compile(r"\b51\(2\)"),  # the issue of the journal
    re.compile(r"\bCC BY(?:-[A-Z]+)* \d\.\d\b"),
)
"""Text whose numbers are no figures of the release."""

MATCHED = ("modifier", "head", "worse", "mean")
"""Columns of the table of matched frequencies."""


SPLITS = get_args(Split)
"""Splits in the order of the card."""

TOTALS = ("compounds", "sentences", "pairs")

Cells: TypeAlias = list[str]
"""One row of a table."""


def check_text(body: str, header: Mapping[str, Any], manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield D108 for every figure in *body*, the card without its header, that is not the manifest's."""
    expected = _wanted(header, manifest)
    lines = body.split("\n")
    for head, *rows in _tables(lines):
        if head[0] in expected:
            yield from _check_table(head[0], rows, expected[head[0]])
    figures = known_figures(manifest)
    for figure in figures_in("\n".join(line for line in lines if not line.startswith("|"))):
        if figure.replace(",", "") not in figures:
            yield "D108", f"the figure {figure} in the text is none of the manifest's"


def _check_table(name: str, rows: Sequence[Cells], expected_rows: Sequence[Cells]) -> Iterator[tuple[str, str]]:
    """D108 for the table whose head begins with *name*: the last cells of its rows have to be those *expected_rows*."""
    if len(rows) != len(expected_rows):
        yield "D108", f"the table of {name!r} has {len(rows)} rows where it should have {len(expected_rows)}"
    for row, expected in zip(rows, expected_rows, strict=False):
        for cell, value in zip(row[-len(expected) :], expected, strict=False):
            if cell.replace(",", "") != value:
                yield "D108", f"{cell!r} in the table of {name!r}, row {row[0]!r}, where it is {value}"


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
    literal = int(str(manifest.counts.get("literal", 0))) // len(LITERAL_VARIANTS)
    variants = [sum(variant.startswith(kind) for variant in VARIANTS) for kind in ("ws", "rand")]
    sizes = [len(CONTEXTS), len(VARIANTS), len(VARIANTS) - 1, sum(name.startswith("nat") for name in CONTEXTS)]
    return frozenset((*re.findall(r"\d+(?:\.\d+)*", facts), *map(str, (literal, *variants, *sizes))))


def _tables(lines: Sequence[str]) -> Iterator[list[Cells]]:
    """Yield the Markdown tables in *lines* as rows of cells, the line below the head left out."""
    table: list[Cells] = []
    for line in (*lines, ""):
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            if not all(set(cell) <= set("-:") for cell in cells):
                table.append(cells)
        elif table:
            yield table
            table = []


def _wanted(header: Mapping[str, Any], manifest: Manifest) -> dict[str, list[Cells]]:
    """Return what the last cells of each row of each table should be, by the first cell of its head."""
    languages: Any = manifest.counts.get("languages", {})
    matching: Any = manifest.matching
    parted = [split for split in SPLITS if any(split in counts["splits"] for counts in languages.values())]
    return {
        "language": [_composition(counts) for counts in languages.values()],
        "config": [[str(_rows(config, manifest))] for config in entries(header, "configs")],
        "compounds": [[str(counts["splits"].get(split, 0)) for split in parted] for counts in languages.values()],
        "median / 90th percentile": [
            [f"{counts[f'{part}_median']:.3f} / {counts[f'{part}_p90']:.3f}" for part in MATCHED]
            for counts in matching.values()
        ],
    }


def _composition(counts: Mapping[str, Any]) -> Cells:
    return [*(str(counts["classes"][name]) for name in CLASSES), *(str(counts[name]) for name in TOTALS)]


def _rows(config: Mapping[str, Any], manifest: Manifest) -> int:
    return sum(entry.rows or 0 for entries in config_files(config, manifest).values() for entry in entries)
