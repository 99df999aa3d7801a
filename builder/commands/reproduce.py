"""Print the tables of NCTTI and NCIMP from your copy of their files, cell by cell beside the printed figures.

A cell is `equal` (after rounding to the printed decimals), it `differs`, is `not computable` from the files, or `wrong
in print`: it does not follow from what else is printed or listed. A few are `not printed`.

Examples:
    ncimp reproduce nctti ../nctti
    ncimp reproduce ncimp ../ncimp-upstream --nctti ../nctti --results results/minilm --html tables.html
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from markupsafe import Markup
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ncimp.builder.commands.options import command, path
from ncimp.builder.sources.published.ncimp import read_ncimp
from ncimp.builder.sources.published.nctti import read_nctti
from ncimp.builder.sources.published.printed import ModelTable, PaperCell, PaperTable, Status, model_tables
from ncimp.builder.sources.published.reproduce import ncimp_tables, nctti_tables
from ncimp.evaluator.pages import render
from ncimp.evaluator.results import Configurations, read_configurations
from ncimp.schemas import Place, Row, UsageError, write_json, write_text
from ncimp.schemas.pages.kit import Cell, Content, Section, join, number, page, table

# class of style and sign of each status on the page
STATUSES: Mapping[Status, tuple[str, str]] = {
    "equal": ("yes", "✓"),
    "differs": ("no", "≠"),
    "wrong in print": ("no", "!"),
    "not computable": ("open", "?"),
    "not printed": ("open", "–"),
}
HEADS = ("row", "column", "printed", "ours", "status", "difference", "why")
WIDTH = 200  # columns of text when the output is not a terminal
HTML = path("--html", "FILE", "also write a page")
JSON = path("--json", "FILE", "also write the cells as JSON")


@command(path("folder", "DIR", "your copy of the repository of NCTTI, or its folder `data`"), HTML, JSON)
def run_nctti(args: argparse.Namespace) -> int:
    """Print classes, Tables 1 to 4, paraphrases and experiment 3 of NCTTI (Garcia et al., ACL 2021) from its files.

    Tables 5 and 6 need vectors: `ncimp evaluate --experiments` runs the experiments on a release with scores.

    Examples:
        ncimp reproduce nctti ../nctti
        ncimp reproduce nctti ../nctti --html nctti.html --json nctti.json
    """
    return show("NCTTI", nctti_tables(read_nctti(args.folder)), (), args)


@command(
    path("folder", "DIR", "your copy of the repository of NCIMP"),
    path("--results", "FOLDER", "results of `ncimp evaluate --out`, to stand beside the paper's models", nargs="+"),
    path("--nctti", "DIR", "your copy of NCTTI, whose files have the classes of the experts"),
    HTML,
    JSON,
)
def run_ncimp(args: argparse.Namespace) -> int:
    """Print sentences, classes, lengths and overlap of NCIMP (He et al., CL 51(2)) from its files, and what is wrong.

    With --results, Tables 2, 3, 5, 6, 10, 11 and 13 to 16 follow: your evaluations beside the models of the paper, by
    probe and configuration. Neutral is the short frame alone. Table 16 needs `ncimp evaluate --standardise z-score`.

    Examples:
        ncimp reproduce ncimp ../ncimp-upstream --nctti ../nctti
        ncimp reproduce ncimp ../ncimp-upstream --results results/minilm results/fasttext --html tables.html
    """
    nctti = read_nctti(args.nctti) if args.nctti else ()
    tables: list[PaperTable | ModelTable] = [*ncimp_tables(read_ncimp(args.folder), nctti)]
    evaluations: dict[str, Configurations] = {}
    for folder in args.results or ():
        one = read_configurations(folder)
        name = one.document.signature.model.name
        evaluations[f"{name} ({folder})" if name in evaluations else name] = one
    if evaluations:
        tables += model_tables({name: one.figure for name, one in evaluations.items()})
    remarks = [f"{name}: {note}" for name, one in evaluations.items() for note in one.document.notes]
    return show("NCIMP", tables, remarks, args)


def show(
    paper: str, tables: Sequence[PaperTable | ModelTable], remarks: Sequence[str], args: argparse.Namespace
) -> int:
    """Print *tables* and *remarks*, write the files that *args* ask for, and return 0."""
    for file in (args.html, args.json):
        if file and file.is_dir():
            raise UsageError("it is a folder", fix="name a file", place=Place(str(file)))
    counts = Counter(cell.status for one in tables if isinstance(one, PaperTable) for cell in one.cells)
    summary = ", ".join(f"{counts[status]:,} {status}" for status in STATUSES if counts[status])
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, markup=False, emoji=False)
    for one in tables:
        heads, rows = heads_and_rows(one)
        title = f"{paper}, {one.name}: {one.title}"
        shown = Table(box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
        for head in heads:
            shown.add_column(head, overflow="fold")
        for row in rows:
            shown.add_row(*row)
        console.print(shown, *notes(one), sep="\n")
    console.print(*remarks, f"{paper}: {summary}", sep="\n", soft_wrap=True)
    if args.json:
        document = {"paper": paper, "cells": dict(counts), "remarks": remarks, "tables": [*map(as_json, tables)]}
        write_json(args.json, document)
    if args.html:
        write_text(args.html, html(paper, summary, tables, remarks))
    return 0


def heads_and_rows(one: PaperTable | ModelTable) -> tuple[Sequence[str], list[list[str]]]:
    """Return a table as text: of a cell a row, or of a probe in a configuration."""
    if isinstance(one, PaperTable):
        return HEADS, [cell_row(cell) for cell in one.cells]
    rows = []
    for row in one.rows:
        cells = [row.probe, row.configuration]
        for cell in row.ours.values():
            spread = "" if cell.sd is None else f" ± {cell.sd:.3f}"
            cells.append("–" if cell.value is None else f"{number(cell.value, 3)}{spread} ({cell.compounds})")
        rows.append([*cells, *map(as_printed, row.printed.values())])
    return ("probe", "configuration", *one.rows[0].ours, *one.rows[0].printed), rows


def cell_row(cell: PaperCell) -> list[str]:
    """Return a cell as text: our figure has one decimal more than the printed one."""
    decimals, ours, difference = 1 + len((cell.printed or "").partition(".")[2]), "–", ""
    if cell.value is not None:
        form = "," if isinstance(cell.value, int) else f".{decimals}f"
        ours = format(cell.value, form).replace("-", "−")
        if cell.difference is not None and cell.status != "equal":
            difference = format(cell.difference, f"+{form}").replace("-", "−").removesuffix(".0")
    return [cell.row, cell.column, as_printed(cell.printed or "-"), ours, cell.status, difference, cell.why]


def as_printed(figure: str) -> str:
    """Return a printed figure for a reader.

    >>> as_printed("-"), as_printed("-0.12"), as_printed("32200"), as_printed("0.985/0.012")
    ('–', '−0.12', '32,200', '0.985 ± 0.012')
    """
    if figure == "-":
        return "–"
    return f"{int(figure):,}" if figure.isdecimal() else figure.replace("-", "−").replace("/", " ± ")


def notes(one: PaperTable | ModelTable) -> list[str]:
    """Return the notes of a table, and why evaluations lack figures."""
    rows = one.rows if isinstance(one, ModelTable) else ()
    whys = {f"{name}: {cell.why}." for row in rows for name, cell in row.ours.items() if cell.why}
    return [*one.notes, *sorted(whys)]


def as_json(one: PaperTable | ModelTable) -> Row:
    """Return a table as JSON: printed figures as text, ours as numbers that are not rounded."""
    document = asdict(one) | {"notes": notes(one)}
    if isinstance(one, PaperTable):
        document["cells"] = [asdict(cell) | {"difference": cell.difference} for cell in one.cells]
    return document


def html(paper: str, summary: str, tables: Sequence[PaperTable | ModelTable], remarks: Sequence[str]) -> str:
    """Return the page of *tables*; every value in it is escaped."""
    paragraphs = join(render("text", remark, "note") for remark in remarks)
    head = Markup('<p class="eyebrow">{}</p><h1>Tables of the paper beside your files</h1><p class="lead">{}</p>{}')
    sections = []
    for place, one in enumerate(tables):
        heads, rows = heads_and_rows(one)
        shown: list[list[Content | Cell]] = [[*row] for row in rows]
        if isinstance(one, PaperTable):
            for row, cell in zip(shown, one.cells, strict=True):
                row[4], row[6] = render("badge", *STATUSES[cell.status], cell.status), Cell(cell.why, css="text")
        words = (0, 1, 4, 6) if isinstance(one, PaperTable) else (0, 1)
        content = [table(one.title, heads, shown, left=words, tall=len(rows) > 24)]
        content += [render("text", note, "") for note in notes(one)]
        sections.append(Section(f"table-{place}", one.name, join(content)))
    return page(f"Tables of {paper}", head.format(paper, summary, paragraphs), sections)
