"""Write values so that they are safe in HTML, in a template and in a spreadsheet, and read them back.

**Tasks** (`tasks.csv`). Services put a value into the template as it is, one placeholder after the other, and people
open the file in spreadsheets. So a cell holds HTML text, in which these are written as character references:

    & < > " '        markup
    $ {              a value must not bring a placeholder of its own
    line ends, tabs, and marks that turn the direction of writing
    the first character of a formula, a number, a date, or a missing or logical value

Quoting a cell does not stop a spreadsheet, and annotators would see an apostrophe in front of it.

**Results** (`collected.csv`). A cell that a spreadsheet would take for a formula gets an apostrophe before it. So does
a cell that looks as if it had one already: otherwise removing it would change what somebody has typed.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ncimp.schemas import Place, SchemaError, SourceError

# characters that are always written as references: markup, placeholders, controls, and marks of direction
MARKUP = re.compile(r"[&<>\"'${\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
# beginning of a formula, full-width signs included, which some spreadsheets read as the narrow ones
FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]")
NUMBER = re.compile(r"\s*[.,]?\d")  # beginning of a number or a date
NAMED = {"amp": "&", "lt": "<", "gt": ">"}
REFERENCE = re.compile(r"&(amp|lt|gt|#\d{1,7});")  # those that `cell` writes; `html.unescape` would also read others
# cells that spreadsheets and data frames take for missing, logical or infinite
WORDS = frozenset(
    ["na", "n/a", "nan", "null", "none", "true", "false", "verdadeiro", "falso", "inf", "infinity", "nil"]
)
LARGEST_CELL = 1 << 27  # longest cell of a CSV file, in characters; Python's own limit is 128 KiB


def cell(text: str) -> str:
    """Return *text* as a cell of `tasks.csv`.

    >>> cell("=cmd()"), cell("night owl"), cell("3 < 4")
    ('&#61;cmd()', 'night owl', '&#51; &lt; 4')
    """
    names = {char: name for name, char in NAMED.items()}
    escaped = "".join(f"&{names.get(mark, f'#{ord(mark)}')};" if MARKUP.match(mark) else mark for mark in text)
    if FORMULA.match(text) or NUMBER.match(text) or text.strip().lower() in WORDS:
        first = len(escaped) - len(escaped.lstrip())
        if escaped[first : first + 1] not in ("&", ""):
            return f"{escaped[:first]}&#{ord(escaped[first])};{escaped[first + 1 :]}"
    return escaped


def plain(text: str) -> str:
    """Return the value of *text*, a cell of `tasks.csv`: `plain(cell(x)) == x`.

    >>> plain("&#61;cmd()")
    '=cmd()'
    """
    return REFERENCE.sub(lambda match: NAMED.get(match[1]) or chr(int(match[1][1:])), text)


def safe(text: str) -> str:
    """Return *text* as a cell of a results file, with an apostrophe before what a spreadsheet would run.

    >>> safe("=cmd()"), safe("-1"), safe("weak link"), safe("'=cmd()")
    ("'=cmd()", '-1', 'weak link', "''=cmd()")
    """
    return f"'{text}" if _is_risky(text) else text


def as_typed(text: str) -> str:
    """Return the value of *text*, a cell of a results file: `as_typed(safe(x)) == x`.

    >>> as_typed("'=cmd()"), as_typed("'tis"), as_typed("=cmd()")
    ('=cmd()', "'tis", '=cmd()')
    """
    return text[1:] if text.startswith("'") and _is_risky(text[1:]) else text


def _is_risky(text: str) -> bool:
    bare = text.lstrip("'")
    runs = FORMULA.match(bare) or bare.startswith(("\t", "\r"))
    return bool(runs) and not re.fullmatch(r"[+-]?\d+(?:\.\d+)?", bare, re.ASCII)


def csv_text(rows: Iterable[Mapping[str, str]], columns: Sequence[str]) -> str:
    """Return *rows* as CSV with every field quoted."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, columns, restval="", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def read_utf8(path: Path) -> str:
    """Return the text of a file that a service or a person wrote: UTF-8 in any normal form, or UTF-16 with a BOM."""
    try:
        content = path.read_bytes()
        is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.object[error.start]:#04x} is not {error.encoding[:6].upper()}"
        fix = "take the file as it was downloaded, or save it as UTF-8"
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SourceError(what, fix=fix, place=Place(str(path), line)) from None


def read_csv(path: Path) -> tuple[tuple[str, ...], list[tuple[int, dict[str, str]]]]:
    """Return the columns of *path*, and (number of its last line, row) for each row; every row has every column."""
    return parse_csv(read_utf8(path), place=str(path))


def parse_csv(text: str, *, place: str) -> tuple[tuple[str, ...], list[tuple[int, dict[str, str]]]]:
    """Return columns and rows of *text* as `read_csv` does; *place* is its name in errors."""
    fix = "fetch or export the file again"
    rows = []
    with csv_reader(text, place, fix=fix) as reader:
        columns = tuple(next(reader, ()))
        for cells in filter(None, reader):
            if len(cells) != len(columns):
                what = f"{len(cells)} cells where the header has {len(columns)}"
                raise SchemaError(what, fix=fix, place=Place(place, reader.line_num))
            rows.append((reader.line_num, dict(zip(columns, cells, strict=True))))
    return columns, rows


@contextmanager
def csv_reader(text: str, place: str, *, fix: str, largest: int = LARGEST_CELL) -> Iterator[Any]:
    """Yield a reader of *text*, its cells at most *largest* characters; raise `SchemaError` with *fix* if not CSV."""
    limit = csv.field_size_limit(largest)
    try:
        yield csv.reader(io.StringIO(text, newline=""))
    except csv.Error as error:
        raise SchemaError(f"not CSV ({error})", fix=fix, place=Place(place)) from None
    finally:
        csv.field_size_limit(limit)
