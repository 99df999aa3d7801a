"""Values as they stand in `tasks.csv`: safe in HTML, in a template, and in a spreadsheet; and back again.

Services put a value into the template as it is, one placeholder after the other, and people open the file in
spreadsheets. So a cell holds HTML text, in which these are written as character references:

    & < > " '        HTML would read them
    $ {              a value must not bring a placeholder of its own
    line ends, tabs, and marks that turn the direction of writing
    the first character of what a spreadsheet takes for a formula, a number, a date, or a missing or logical value

`=cmd()` is `&#61;cmd()` in the file, `=cmd()` on the page, and `=cmd()` again after `plain`. Quoting a cell does not
stop a spreadsheet; an apostrophe in front of it would be seen by annotators.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

MARKUP = re.compile(r"[&<>\"'${\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Characters that are never written as they are: of markup and placeholders, controls, and marks of direction."""

FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]")
"""How a formula begins, full-width signs included, which some spreadsheets read as the narrow ones."""

NUMBER = re.compile(r"\s*[.,]?\d")
"""How a number or a date begins."""

NAMED = {"amp": "&", "lt": "<", "gt": ">"}
REFERENCE = re.compile(r"&(amp|lt|gt|#\d{1,7});")
"""The references that `cell` writes, and no other: `html.unescape` would also read those of a page."""

WORDS = frozenset(
    {"na", "n/a", "nan", "null", "none", "true", "false", "verdadeiro", "falso", "inf", "infinity", "nil"}
)
"""Cells that spreadsheets and data frames take for missing, logical or infinite, in small letters."""


def cell(text: str) -> str:
    """Return *text* as a cell of `tasks.csv`.

    >>> cell("=cmd()"), cell("night owl"), cell("3 < 4")
    ('&#61;cmd()', 'night owl', '&#51; &lt; 4')
    """
    written = "".join(_reference(mark) if MARKUP.match(mark) else mark for mark in text)
    if FORMULA.match(text) or NUMBER.match(text) or text.strip().lower() in WORDS:
        first = len(written) - len(written.lstrip())
        if written[first : first + 1] not in ("&", ""):
            return f"{written[:first]}&#{ord(written[first])};{written[first + 1 :]}"
    return written


def _reference(mark: str) -> str:
    return next((f"&{name};" for name, named in NAMED.items() if named == mark), f"&#{ord(mark)};")


def plain(text: str) -> str:
    """Return what *text*, a cell of `tasks.csv`, stands for: `plain(cell(x)) == x`.

    >>> plain("&#61;cmd()")
    '=cmd()'
    """
    return REFERENCE.sub(lambda match: NAMED.get(match[1]) or chr(int(match[1][1:])), text)


def csv_text(rows: Iterable[Mapping[str, str]], columns: Sequence[str]) -> str:
    """Return *rows* as CSV with every field quoted, as the services write and read it."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(row[name]) for name in columns} for row in rows)
    return stream.getvalue()
