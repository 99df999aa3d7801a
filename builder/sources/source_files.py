"""What a file that a user gives is, seen from its beginning, so that nobody has to say it."""

from __future__ import annotations

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from ncimp.builder.records import KnownSource, SourceReader
from ncimp.builder.sources.lexicon_lines import DAMAGE, opener
from ncimp.schemas.errors import Place, SourceError

SEEN = 4096
"""Bytes of the content that are looked at."""

TAR = (257, b"ustar")
"""Where a tar says that it is one."""

THESAURUS = re.compile(rb"[A-Za-z0-9_-]{3,20}\r?\n[^\n|]+\|[0-9]+\r?\n")
"""The first two lines of a MyThes thesaurus: its encoding, then a word and how many meanings follow."""


def reader_of(path: Path) -> SourceReader:
    """Return what reads the file or folder *path*; what is neither XML nor a thesaurus is taken for forms."""
    if path.is_dir():
        return "forms"
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
    if known.reader != "package":
        return False
    if known.kind == "wordnet":
        return any(found for folder in nltk_folders() for found in folder.glob("corpora/wordnet*"))
    return find_spec(known.name) is not None


def nltk_folders() -> list[Path]:
    """Return where NLTK looks for its data."""
    named = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    usual = (Path.home(), Path(sys.prefix), Path(sys.prefix, "share"), *map(Path, ("/usr/share", "/usr/local/share")))
    return [*(Path(folder) for folder in named if folder), *(folder / "nltk_data" for folder in usual)]
