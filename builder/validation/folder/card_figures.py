"""D108: the figures in the text of the card, each of which has to be one of the manifest's.

Tables are compared cell by cell. A figure in running text is looked for among all figures of the
manifest, so that a wrong one is found unless it happens to be another figure of the release.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL_VARIANTS, VARIANTS, Manifest, Split
from ncimp.builder.validation.folder.card_header import config_files, entries

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
"""What may hold numbers that are no figures of the release."""

MATCHED = ("modifier", "head", "worse", "mean")
"""What the table of matched frequencies has a column for."""


SPLITS = get_args(Split)
"""Splits in the order of the card."""

TOTALS = ("compounds", "sentences", "pairs")

Cells: TypeAlias = list[str]
"""One row of a table."""


def check_text(body: str, header: Mapping[str, Any], manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield D108 for every figure in *body*, the card without its header, that is not the manifest's."""
    wanted = _wanted(header, manifest)
    lines = body.split("\n")
    for head, *rows in _tables(lines):
        if head[0] in wanted:
            yield from _check_table(head[0], rows, wanted[head[0]])
    known = known_figures(manifest)
    for figure in figures_in("\n".join(line for line in lines if not line.startswith("|"))):
        if figure.replace(",", "") not in known:
            yield "D108", f"the figure {figure} in the text is none of the manifest's"


def _check_table(name: str, rows: Sequence[Cells], wanted: Sequence[Cells]) -> Iterator[tuple[str, str]]:
    """D108 for the table whose head begins with *name*: the last cells of its rows have to be those *wanted*."""
    if len(rows) != len(wanted):
        yield "D108", f"the table of {name!r} has {len(rows)} rows where it should have {len(wanted)}"
    for row, expected in zip(rows, wanted, strict=False):
        for told, value in zip(row[-len(expected) :], expected, strict=False):
            if told.replace(",", "") != value:
                yield "D108", f"{told!r} in the table of {name!r}, row {row[0]!r}, where it is {value}"


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
    named = json.dumps([manifest.release, manifest.counts, dict(manifest.options), inputs])
    literal = int(str(manifest.counts.get("literal", 0))) // len(LITERAL_VARIANTS)
    drawn = [sum(variant.startswith(kind) for variant in VARIANTS) for kind in ("ws", "rand")]
    sizes = [len(CONTEXTS), len(VARIANTS), len(VARIANTS) - 1, sum(name.startswith("nat") for name in CONTEXTS)]
    return frozenset((*re.findall(r"\d+(?:\.\d+)*", named), *map(str, (literal, *drawn, *sizes))))


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
    parted = [split for split in SPLITS if any(split in own["splits"] for own in languages.values())]
    return {
        "language": [_composition(own) for own in languages.values()],
        "config": [[str(_rows(config, manifest))] for config in entries(header, "configs")],
        "compounds": [[str(own["splits"].get(split, 0)) for split in parted] for own in languages.values()],
        "median / 90th percentile": [
            [f"{own[f'{part}_median']:.3f} / {own[f'{part}_p90']:.3f}" for part in MATCHED] for own in matching.values()
        ],
    }


def _composition(own: Mapping[str, Any]) -> Cells:
    return [*(str(own["classes"][name]) for name in CLASSES), *(str(own[name]) for name in TOTALS)]


def _rows(config: Mapping[str, Any], manifest: Manifest) -> int:
    return sum(entry.rows or 0 for held in config_files(config, manifest).values() for entry in held)
