"""Canonical files (UTF-8, NFC, LF, fixed column order, written aside and then renamed), and hashes of files and rows.

TSV is the format of everything a person edits. One header line, cells without tabs or line ends,
no quoting, `_` for "does not apply" (as in CoNLL-U), so that every line of the file is one row:

    form	lemma	pos	gender	number
    ovelhas	ovelha	noun	f	pl

JSONL is the format between stages: one object a line, keys in the order of the schema.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ncimp.schemas.errors import Place, SchemaError, SourceError

NOT_APPLICABLE = "_"  # the TSV cell for a missing value
CHUNK = 1 << 20  # bytes read at a time, so that a large file never sits in memory
AT_FDCWD = -100  # Linux, <fcntl.h>: paths are relative to the current folder
RENAME_EXCHANGE = 2  # Linux, <linux/fs.h>
RENAME_SWAP = 2  # macOS, <sys/stdio.h>
Row = dict[str, Any]  # one row of a table, by column name


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside *path* that replaces it when the block ends well.

    A block that raises leaves *path* as it was, and nothing beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    aside = Path(name)
    try:
        yield aside
        # mkstemp makes files private; a released file is as readable as the user's others
        os.umask(umask := os.umask(0))
        aside.chmod(0o666 & ~umask)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def replace_folder(new: Path, target: Path) -> None:
    """Put the folder *new* at *target*, whose old content, if any, is then removed; a link is followed.

    POSIX `rename` replaces no folder that holds something; Linux and macOS can exchange two folders. Elsewhere the old
    folder is moved to a name that `recover` knows, so that a process killed between the two renames loses nothing.
    """
    target = target.resolve()
    if not target.exists():
        new.rename(target)
        return
    if exchange(new, target):
        shutil.rmtree(new)
        return
    previous = previous_name(target)
    shutil.rmtree(previous, ignore_errors=True)
    target.rename(previous)
    new.rename(target)
    shutil.rmtree(previous)


def recover(target: Path) -> bool:
    """Put back the folder a killed process had moved aside; return whether there was one to put back."""
    target = target.resolve()
    previous = previous_name(target)
    if previous.is_dir() and not target.exists():
        previous.rename(target)
        return True
    return False


@contextmanager
def folder_aside(target: Path) -> Iterator[Path]:
    """Yield a new folder beside *target*, to be renamed to it or exchanged for it; what is left of it is removed.

    The name holds the number of the process, so that what a killed process left can be removed first.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for leftover in target.parent.glob(f".{target.name}.new-*"):
        if not _is_running(leftover.name.rsplit("-", 2)[1]):
            shutil.rmtree(leftover, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.new-{os.getpid()}-", dir=target.parent))
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _is_running(process: str) -> bool:
    """Tell whether *process* runs; one that was killed and that nobody has collected yet does not."""
    try:
        os.kill(int(process), 0)
        return "\nState:\tZ" not in Path("/proc", process, "status").read_text("utf-8")
    except (ValueError, ProcessLookupError):
        return False
    except OSError:  # somebody else's, or a system without /proc
        return True


def previous_name(target: Path) -> Path:
    """Return where the old folder of *target* waits while it is being replaced without an exchange."""
    return target.with_name(f".{target.name}.previous")


def exchange(one: Path, other: Path) -> bool:
    """Exchange two folders atomically; return False where the system or the file system cannot."""
    import ctypes

    first, second = os.fsencode(one), os.fsencode(other)
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and hasattr(libc, "renameat2"):
        return bool(libc.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0)
    if sys.platform == "darwin" and hasattr(libc, "renamex_np"):
        return bool(libc.renamex_np(first, second, RENAME_SWAP) == 0)
    return False


def write_text(path: Path, text: str) -> None:
    """Write *text* to *path* as UTF-8, NFC, LF, atomically."""
    with atomic_path(path) as aside:
        aside.write_bytes(unicodedata.normalize("NFC", text).encode("utf-8"))


def write_json(path: Path, value: object) -> None:
    """Write *value* as indented JSON with its keys in the order given."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line, keys in the order given."""
    lines = (json.dumps(dict(row), ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    write_text(path, "".join(lines))


def write_tsv(path: Path, rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Write *rows* as TSV with exactly *columns*, in that order."""
    lines = ["\t".join(columns)]
    lines += ["\t".join(_cell(row[column], path, column) for column in columns) for row in rows]
    write_text(path, "\n".join(lines) + "\n")


def _cell(value: object, path: Path, column: str) -> str:
    if value is None:
        return NOT_APPLICABLE
    text = str(value).lower() if isinstance(value, bool) else str(value)
    place = Place(str(path), None, column)
    if any(mark in text for mark in "\t\n\r"):
        raise SchemaError(f"the cell {text!r} holds a tab or a line end", fix="take it out", place=place)
    if text != text.strip() or text in ("", NOT_APPLICABLE):
        what = f"the cell {text!r} of {column!r} would not read back"
        raise SchemaError(what, fix="a cell has text, and no spaces around it", place=place)
    return text


def read_text(path: Path) -> str:
    """Return the text of *path*, or raise `SourceError` naming the byte, or the line that is not NFC."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(str(path))) from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise SourceError(what, fix="save the file as UTF-8", place=Place(str(path))) from None
    if text.startswith("\ufeff"):
        what = "the file begins with a byte order mark"
        raise SourceError(what, fix="save it as UTF-8 without one", place=Place(str(path), 1))
    if not unicodedata.is_normalized("NFC", text):
        lines = text.split("\n")
        number = next(n for n, line in enumerate(lines, 1) if not unicodedata.is_normalized("NFC", line))
        raise SourceError("text is not in Unicode form NFC", fix="normalise it", place=Place(str(path), number))
    return text


def read_tsv(path: Path, columns: Sequence[str], optional: int = 0) -> Iterator[tuple[int, Row]]:
    """Yield (line number, row) for each row of *path*; cells are strings, or None for `_`.

    The header must name exactly *columns* in that order, of which the last ones may be missing as far as they are
    *optional*. Blank lines and missing cells are errors.
    """
    named = columns
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), start=1):
        cells, place = line.split("\t"), Place(str(path), number)
        if "\r" in line:
            raise SchemaError("line ends with CR LF", fix="save the file with LF line ends", place=place)
        if number > 1:
            yield number, _row(cells, named, place)
        elif len(columns) - optional <= len(cells) and cells == list(columns[: len(cells)]):
            named = cells
        else:
            fix = f"it should name, tab-separated: {' '.join(columns)}"
            raise SchemaError("wrong header line", fix=fix, place=place)


def _row(cells: Sequence[str], columns: Sequence[str], place: Place) -> Row:
    if len(cells) != len(columns):
        what = f"{len(cells)} cells where the header has {len(columns)}"
        raise SchemaError(what, fix="add the missing tab, or write _ for a value that does not apply", place=place)
    for column, cell in zip(columns, cells, strict=True):
        if cell != cell.strip() or cell == "":
            fix = "take out the spaces" if cell.strip() else "write _ for a value that does not apply"
            raise SchemaError(f"cell {cell!r} is blank or padded", fix=fix, place=Place(place.file, place.line, column))
    return {column: None if cell == NOT_APPLICABLE else cell for column, cell in zip(columns, cells, strict=True)}


def read_jsonl(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield (line number, object) for each line of *path*."""
    # not splitlines: it also cuts at separators that may stand inside a JSON string
    text = read_text(path).removesuffix("\n")
    for number, line in enumerate(text.split("\n") if text else (), start=1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            place = Place(str(path), number, error.colno)
            raise SchemaError(f"not JSON ({error.msg})", fix="write one JSON object a line", place=place) from None
        if not isinstance(row, dict):
            raise SchemaError("not an object", fix="write one JSON object a line", place=Place(str(path), number))
        yield number, row


def read_json(path: Path) -> Any:
    """Return the JSON value in *path*."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        place = Place(str(path), error.lineno, error.colno)
        raise SchemaError(f"not JSON ({error.msg})", fix="mend or remove the file", place=place) from None


def keyed_hash(*parts: str) -> str:
    """Return the sha256 (hex) of *parts*, each terminated so that ("ab", "c") and ("a", "bc") differ.

    Sorting by it is the project's "random" order: the same on every machine, with nothing to seed.

    >>> keyed_hash("a", "b") == keyed_hash("ab")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8") + b"\x00")
    return digest.hexdigest()


def file_hash(path: Path) -> str:
    """Return the sha256 (hex) of the bytes of *path*."""
    with path.open("rb", buffering=0) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()  # into one buffer; new memory each time costs as much


def value_hash(value: object) -> str:
    """Return the sha256 (hex) of *value* as JSON with sorted keys."""
    return hashlib.sha256(_canonical(value)).hexdigest()


def logical_hash(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the sha256 (hex) over *rows* as sorted-key JSON lines.

    Unlike the hash of a parquet file it does not change with the version of the library that wrote it.
    """
    digest = hashlib.sha256()
    for row in rows:
        digest.update(_canonical(row) + b"\n")
    return digest.hexdigest()


def _canonical(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")
