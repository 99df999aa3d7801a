"""What people typed, as it stands in a results file: no spreadsheet runs it, and the import gets it back as it was.

A cell that a spreadsheet would take for a formula gets an apostrophe before it. So does one that looks as if it had
got one already: otherwise taking one away would change what somebody has typed.
"""

from __future__ import annotations

import re

FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]|[\t\r]")
"""How a cell begins that a spreadsheet may run."""

NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)

MARK = "'"


def safe(cell: str) -> str:
    """Return *cell*, with an apostrophe before what a spreadsheet would run.

    >>> safe("=cmd()"), safe("-1"), safe("weak link"), safe("'=cmd()")
    ("'=cmd()", '-1', 'weak link', "''=cmd()")
    """
    return f"{MARK}{cell}" if _is_marked(cell) else cell


def as_typed(cell: str) -> str:
    """Return what *cell* of a results file stands for: `as_typed(safe(x)) == x`.

    >>> as_typed("'=cmd()"), as_typed("'tis"), as_typed("=cmd()")
    ('=cmd()', "'tis", '=cmd()')
    """
    return cell[1:] if cell.startswith(MARK) and _is_marked(cell[1:]) else cell


def _is_marked(typed: str) -> bool:
    """Tell whether *typed* gets an apostrophe, apostrophes of its own aside."""
    bare = typed.lstrip(MARK)
    return bool(FORMULA.match(bare)) and not NUMBER.fullmatch(bare)
