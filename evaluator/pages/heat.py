"""A table of correlations whose cells are coloured: its numbers can be read, copied and heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ncimp.evaluator.pages.layout import cell, row_head, table
from ncimp.evaluator.pages.markup import Html, el
from ncimp.evaluator.pages.words import number
from ncimp.schemas.pages.palette import STEPS


def heat_table(
    caption: str, names: Sequence[str], value: Callable[[int, int], float | None], *, corner: str = "Measure"
) -> Html:
    """Return the correlation of each two of *names*, both ways round; the diagonal is empty."""
    rows = [
        [row_head(name), *(_cell(value(row, column)) if row != column else cell("") for column in range(len(names)))]
        for row, name in enumerate(names)
    ]
    return table(caption, [el("span", corner, class_="hidden"), *map(breakable, names)], rows, class_="heat")


def breakable(name: str) -> Html:
    """Return *name* with places where a line may end, after `_` and `|`."""
    pieces = name.replace("|", "|\0").replace("_", "_\0").split("\0")
    return el("span", *(part for piece in pieces for part in (piece, Html("<wbr>"))))


def _cell(rho: float | None) -> Html:
    if rho is None:
        return cell("–")
    return cell(number(rho), class_=f"h{round(rho * STEPS) + STEPS}")
