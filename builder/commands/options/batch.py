"""Rows of JSON in, the same rows with something added out: what every `ncimp task` does with its files.

One object a line, in UTF-8; blank lines are passed over. A row that cannot be read or answered is
told on standard error with its line number, is left out of the output, and the rest is still done:

    rows.jsonl:17: the row has no 'input'; give it one

Rows are read, answered and written one by one, so a batch may be larger than memory. A file is
written aside and renamed at the end; `-` is standard input or output.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn, TextIO

from ncimp.schemas.errors import NcimpError, Place, SchemaError, SourceError, UsageError
from ncimp.schemas.files import Row, atomic_path

STANDARD = "-"
"""The file name that stands for standard input or output."""

MAX_ROW = 1 << 24
"""Longest row in bytes (16 MiB); a longer one is no row of a table, and would fill the memory."""

PROGRESS_STEP = 500
"""Rows between two signs of progress on a terminal."""

Answer = Callable[[Row], Row]
"""Return the row to write, or raise `NcimpError` for one that cannot be answered."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the rows of a batch."""

    done: int
    bad: int
    passed_over: int = 0
    """Rows in a language that was not asked for."""

    @property
    def exit_code(self) -> int:
        """1 when a row was bad, else 0."""
        return int(self.bad > 0)


def register_batch(parser: argparse.ArgumentParser) -> None:
    """Add the options that every task has to *parser*."""
    parser.add_argument("--input", required=True, metavar="FILE", help="rows, one JSON object a line; - is stdin")
    parser.add_argument("--output", required=True, metavar="FILE", help="file to write; - is stdout")
    parser.add_argument("--lang", nargs="+", metavar="CODE", help="do only rows in these languages (default: all)")
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")


def run_batch(args: argparse.Namespace, answer: Answer) -> int:
    """Answer the rows of `--input` into `--output`, tell the figures on stderr, and return the exit code."""
    tally = answer_rows(args.input, args.output, answer, langs=args.lang)
    others = f", {tally.passed_over} in other languages" if tally.passed_over else ""
    sys.stderr.write(f"{tally.done} rows done, {tally.bad} bad{others}\n")
    return tally.exit_code


def answer_rows(source: str, target: str, answer: Answer, *, langs: list[str] | None = None) -> Tally:
    """Write to *target* what *answer* makes of each row of *source*; bad rows are told on stderr.

    With *langs*, rows in other languages are passed over, and a row that names none is in the only one of *langs*.
    """
    only = langs[0] if langs and len(langs) == 1 else None
    done = bad = passed_over = 0
    # the input is opened first: a missing one must not leave an empty output behind
    with _reading(source) as incoming, _writing(target) as outgoing:
        for number, line in _lines(incoming):
            try:
                row = _parse(line)
                if only is not None:
                    row.setdefault("lang", only)
                if langs and row.get("lang") not in langs:
                    passed_over += 1
                    continue
                outgoing.write(_written(answer(row)))
                done += 1
            except NcimpError as error:
                _tell(error, Place("stdin" if source == STANDARD else source, number))
                bad += 1
            _show_progress(done + bad)
    _end_progress(done + bad)
    return Tally(done, bad, passed_over)


def text_of(row: Row, key: str) -> str:
    """Return the text that *row* has under *key*, in NFC with single spaces, or raise `SchemaError`."""
    text = optional_text(row, key)
    if text is None:
        raise SchemaError(f"the row has no {key!r}", fix="give it one")
    return text


def optional_text(row: Row, key: str) -> str | None:
    """Return the text that *row* has under *key* as `text_of` does, or None when it has none."""
    value = row.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise SchemaError(f"{key!r} is {value!r}, not a text", fix="write it as a string with a word in it")
    return " ".join(unicodedata.normalize("NFC", value).split())


def _parse(line: bytes) -> Row:
    if len(line) > MAX_ROW:
        raise SchemaError(f"a row of more than {MAX_ROW} bytes", fix="write one JSON object a line")
    fix = "write one JSON object a line"
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise SchemaError(f"byte {error.start + 1} is not UTF-8", fix="save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise SchemaError(f"not JSON ({error.msg} at column {error.colno})", fix=fix) from None
    except (RecursionError, ValueError) as error:  # nested too deep, NaN, or a number too long to read
        raise SchemaError(f"cannot be read as JSON ({error})", fix=fix) from None
    if not isinstance(row, dict):
        raise SchemaError("not an object", fix=fix)
    return row


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _written(row: Row) -> str:
    line = json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        raise SchemaError("half of a surrogate pair stands alone", fix="write the whole character") from None
    return line


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (number from 1, line) for every line that is not blank; of one that is too long only its beginning."""
    number = 0
    while line := stream.readline(MAX_ROW + 1):
        number += 1
        rest = line
        while len(rest) > MAX_ROW and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_ROW + 1)
        if line.strip():
            yield number, line


def _reading(source: str) -> AbstractContextManager[IO[bytes]]:
    if source == STANDARD:
        return nullcontext(sys.stdin.buffer)  # ours to read, not to close
    try:
        return Path(source).open("rb")
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(source)) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise SourceError(what, fix="check the path", place=Place(source)) from None


@contextmanager
def _writing(target: str) -> Iterator[TextIO]:
    path = Path(target)
    if target == STANDARD:
        stream = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield stream
        finally:
            stream.detach()  # or it would close what is not ours
    elif path.is_dir():
        raise UsageError(f"{target} is a folder", fix="name a file in it")
    elif path.exists() and not path.is_file():  # a pipe or a device must not be replaced
        with path.open("w", encoding="utf-8", newline="\n") as device:
            yield device
    else:
        with _atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as file:
            yield file


@contextmanager
def _atomic(path: Path) -> Iterator[Path]:
    try:
        with atomic_path(path) as aside:
            yield aside
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise UsageError(what, fix="name another file", place=Place(str(path))) from None


def _tell(error: NcimpError, place: Place) -> None:
    clear = "\r" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{clear}{place}: {error}\n")


def _show_progress(rows: int) -> None:
    if rows % PROGRESS_STEP == 0 and sys.stderr.isatty():
        sys.stderr.write(f"\r{rows} rows")
        sys.stderr.flush()


def _end_progress(rows: int) -> None:
    if rows >= PROGRESS_STEP and sys.stderr.isatty():
        sys.stderr.write("\r")
