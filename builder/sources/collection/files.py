"""What a file that a user gives is, seen from its beginning, so that nobody has to say it."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from ncimp.builder.records import KnownSource, SourceReader
from ncimp.builder.sources.lexicons.formats import lexicon_files
from ncimp.builder.sources.lexicons.lines import DAMAGE, opener
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash, keyed_hash

SEEN = 4096
"""Bytes of the content that are looked at."""

TAR = (257, b"ustar")
"""Where a tar says that it is one."""

THESAURUS = re.compile(rb"[A-Za-z0-9_-]{3,20}\r?\n[^\n|]+\|[0-9]+\r?\n")
"""The first two lines of a MyThes thesaurus: its encoding, then a word and how many meanings follow."""


WNDB = re.compile(r"(?:data|index)\.[a-z]+|[a-z]+\.exc|lexnames|cntlist(?:\.rev)?|LICENSE|README|citation\.bib")
"""The files of Princeton WordNet in its own format."""


def reader_of(path: Path) -> SourceReader:
    """Return what reads the file or folder *path*; what is neither XML nor a thesaurus is taken for forms."""
    if path.is_dir():
        return "wndb" if (path / "data.noun").is_file() else "forms"
    try:
        with opener(path)(path, "rb") as stream:
            start: bytes = stream.read(SEEN)
    except DAMAGE as error:
        fix = "copy or download it again"
        raise SourceError(f"cannot be read ({error})", fix=fix, place=Place(str(path))) from None
    if start.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") or start[TAR[0] :].startswith(TAR[1]):
        return "wn-lmf"
    return "mythes" if THESAURUS.match(start) else "forms"


def is_installed(known: KnownSource) -> bool:
    """Tell whether the package that brings the source *known* is installed; nothing is imported for it."""
    return known.reader == "package" and find_spec(known.name) is not None


def members(path: Path) -> list[Path]:
    """Return the files of the source *path*: itself, or those of a folder that belong to it, by name."""
    if path.is_dir() and reader_of(path) == "wndb":
        return sorted(file for file in path.iterdir() if WNDB.fullmatch(file.name) and file.is_file())
    return lexicon_files(path)


def source_hash(path: Path) -> str:
    """Return the sha256 of the file *path*, or for a folder one of the hashes of its files, whatever their names."""
    try:
        hashes = sorted(file_hash(file) for file in members(path))
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    return hashes[0] if path.is_file() else keyed_hash(*hashes)
