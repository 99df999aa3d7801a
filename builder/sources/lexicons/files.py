"""Files of full-form lexicons: their lines, their format, and folders of several files.

A file may be plain or packed with gzip, bzip2 or xz; its first bytes decide, not its name. A file from elsewhere is
not trusted: one that is cut, damaged, not UTF-8 or too large raises one `SourceError` with the line. A folder is one
lexicon: MorphoBr has a file per letter, a treebank has train, dev and test.
"""

import bz2
import gzip
import lzma
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ncimp.builder.sources.lexicons.apertium import COMPILED, read_compiled, read_dix
from ncimp.builder.sources.lexicons.readers import (
    COUNTED_COLUMNS,
    Entry,
    Line,
    read_conllu,
    read_counts,
    read_forms,
    read_morphobr,
    read_unimorph,
)
from ncimp.schemas import Place, SourceError, file_hash, keyed_hash
from ncimp.schemas.records import is_header

PACKED: tuple[tuple[bytes, Callable[..., Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\x00", lzma.open),
)
"""First bytes of a compressed file, and the function that opens it."""

MAX_LINE = 1 << 16  # longest line in bytes, far more than an entry or the comment of a sentence needs
MAX_BYTES = 1 << 30  # most bytes of one file once unpacked (1 GiB): a decompression bomb cannot fill the disk
DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)  # errors of a compressed file that is cut or damaged
SUFFIXES = frozenset({".conllu", ".dict", ".dix", ".tsv", ".txt"})  # in a folder, before `.gz`, `.bz2` or `.xz`


class LexiconFormat(NamedTuple):
    """A notation of lexicons: its name, its reader, and whether it counts how often a form occurs."""

    name: str
    read: Callable[[Iterable[Line], str], Iterator[Entry]]
    counted: bool = False


MORPHOBR = LexiconFormat("MorphoBr", read_morphobr)
UNIMORPH = LexiconFormat("UniMorph", read_unimorph)
CONLLU = LexiconFormat("CoNLL-U", read_conllu, counted=True)
FORMS = LexiconFormat("forms.tsv", read_forms)
COUNTS = LexiconFormat("counts", read_counts, counted=True)
APERTIUM = LexiconFormat("Apertium", read_dix)


def opener(path: Path) -> Callable[..., Any]:
    """Return the function that opens *path*, by its first bytes: `open` or that of a compressed format."""
    with path.open("rb") as stream:
        start = stream.read(6)
    return next((unpack for magic, unpack in PACKED if start.startswith(magic)), Path.open)


def read_lines(path: Path) -> Iterator[Line]:
    """Yield (number from 1, text in Unicode form NFC) for each line of *path*."""
    number = size = 0
    try:
        with opener(path)(path, "rb") as stream:
            while raw := stream.readline(MAX_LINE + 1):
                number += 1
                size += len(raw)
                place = Place(str(path), number)
                if size > MAX_BYTES:
                    fix = f"the limit is {MAX_BYTES} bytes, unpacked"
                    raise SourceError("too large for a lexicon", fix=fix, place=place)
                yield number, _text(raw, place)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(str(path))) from None
    except DAMAGE as error:
        what = f"cannot be read to its end ({error})"
        raise SourceError(what, fix="copy or download it again", place=Place(str(path), number + 1)) from None


def _text(raw: bytes, place: Place) -> str:
    if len(raw) > MAX_LINE:
        raise SourceError(f"a line of more than {MAX_LINE} bytes", fix="give a text file", place=place)
    if not raw.endswith(b"\n"):
        fix = "copy it again, or end the line where nothing is missing"
        raise SourceError("the last line has no end: the file may have been cut", fix=fix, place=place)
    try:
        text = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        what = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise SourceError(what, fix="save the file as UTF-8", place=place) from None
    if place.line == 1:
        text = text.removeprefix("\ufeff")
    if any(mark < " " and mark != "\t" for mark in text):
        raise SourceError("a control character", fix="give a text file", place=place)
    return unicodedata.normalize("NFC", text)


def lexicon_files(path: Path) -> list[Path]:
    """Return the files of the lexicon *path*: itself, or those of a folder by name."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise SourceError("no such file", fix="check the path", place=Place(str(path)))
    inside = sorted(filter(is_lexicon, path.rglob("*")))
    if not inside:
        fix = f"their names end in {', '.join(sorted(SUFFIXES))}, perhaps compressed"
        raise SourceError("the folder holds no lexicon files", fix=fix, place=Place(str(path)))
    return inside


def is_lexicon(path: Path) -> bool:
    """Tell whether *path* is a file whose name ends as one of a lexicon does, perhaps compressed."""
    return bool(SUFFIXES & set(path.suffixes)) and path.is_file()


def content_hash(path: Path, files: Iterable[Path]) -> str:
    """Return the sha256 of the file *path*, or for a folder one of the hashes of its *files*, whatever their names."""
    try:
        hashes = sorted(map(file_hash, files))
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    return hashes[0] if path.is_file() else keyed_hash(*hashes)


def read_lexicon(path: Path) -> tuple[LexiconFormat, Iterator[Entry]]:
    """Return the format of the lexicon *path* and its entries; its files must be of one format."""
    parts = [(file, *_read_file(file)) for file in lexicon_files(path)]
    first, kind, _ = parts[0]
    for file, other, _ in parts:
        if other != kind:
            what = f"is in the format {other.name} and {first.name} in {kind.name}"
            raise SourceError(what, fix="keep lexicons of different formats apart", place=Place(str(file)))
    return kind, chain.from_iterable(entries for *_, entries in parts)


def _read_file(path: Path) -> tuple[LexiconFormat, Iterator[Entry]]:
    with path.open("rb") as stream:
        if stream.read(len(COMPILED)) == COMPILED:
            return APERTIUM, read_compiled(path)
    lines = read_lines(path)
    start: list[Line] = []
    for number, line in lines:
        start.append((number, line))
        if line.strip() and not line.startswith("#"):
            cells = line.split("\t")
            if line.startswith(("<?xml", "<dictionary")):
                kind = APERTIUM
            elif is_header(cells, "form"):
                kind = FORMS
            elif tuple(cells) == COUNTED_COLUMNS:
                kind = COUNTS
            elif len(cells) == 10 and cells[0][:1].isdigit():
                kind = CONLLU
            elif len(cells) == 2 and "+" in cells[1]:
                kind = MORPHOBR
            elif len(cells) in (3, 4) and cells[2].split(";")[0].split("|")[0].isupper():
                kind = UNIMORPH
            else:
                fix = "give MorphoBr, UniMorph, Apertium, CoNLL-U or a table like forms.tsv"
                place = Place(str(path), number)
                raise SourceError("not a lexicon in a format that is read", fix=fix, place=place)
            return kind, kind.read(chain(start, lines), str(path))
    raise SourceError("the file holds no entries", fix="give a lexicon", place=Place(str(path)))
