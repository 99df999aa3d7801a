"""The lines of a lexicon file: plain, gzip, bzip2 or xz, known by its first bytes and not by its name.

A lexicon comes from somewhere else, so nothing in it is trusted: a file that is cut, damaged, not
UTF-8 or larger than any lexicon gives one `SourceError` with its line.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ncimp.schemas.errors import Place, SourceError

PACKED: tuple[tuple[bytes, Callable[..., Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\x00", lzma.open),
)
"""First bytes of a compressed file, and what opens it."""

MAX_LINE = 1 << 16
"""Longest line in bytes; no entry and no sentence comment comes near it."""

MAX_BYTES = 1 << 30
"""Most bytes of one file once unpacked (1 GiB); what unpacks to more is made to fill a disk."""

Line = tuple[int, str]
"""A line's number (from 1) and its text without line end."""

DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)
"""What is raised on a compressed file that is cut or damaged."""


def read_lines(path: Path) -> Iterator[Line]:
    """Yield (number, text) for each line of *path*, in Unicode form NFC."""
    number = size = 0
    try:
        with opener(path)(path, "rb") as stream:
            while raw := stream.readline(MAX_LINE + 1):
                number += 1
                size += len(raw)
                place = Place(str(path), number)
                _check_size(raw, size, place)
                yield number, _text(raw, place)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(str(path))) from None
    except DAMAGE as error:
        what = f"cannot be read to its end ({error})"
        raise SourceError(what, fix="copy or download it again", place=Place(str(path), number + 1)) from None


def _check_size(raw: bytes, size: int, place: Place) -> None:
    if len(raw) > MAX_LINE:
        raise SourceError(f"a line of more than {MAX_LINE} bytes", fix="give a text file", place=place)
    if size > MAX_BYTES:
        raise SourceError("too large for a lexicon", fix=f"the limit is {MAX_BYTES} bytes, unpacked", place=place)
    if not raw.endswith(b"\n"):
        fix = "copy it again, or end the line where nothing is missing"
        raise SourceError("the last line has no end: the file may have been cut", fix=fix, place=place)


def opener(path: Path) -> Callable[..., Any]:
    """Return what opens *path*, by its first bytes: `open` or that of a compressed format."""
    with path.open("rb") as stream:
        start = stream.read(6)
    return next((unpack for magic, unpack in PACKED if start.startswith(magic)), Path.open)


def _text(raw: bytes, place: Place) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise SourceError(what, fix="save the file as UTF-8", place=place) from None
    text = text.rstrip("\r\n")
    if place.line == 1:
        text = text.removeprefix("\ufeff")
    if any(mark < " " and mark != "\t" for mark in text):
        raise SourceError("a control character", fix="give a text file", place=place)
    return unicodedata.normalize("NFC", text)
