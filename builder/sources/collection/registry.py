"""Known sources, from `registry.toml`, with licence, citation and address; and the kind of a file by its beginning."""

import os
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import platformdirs

from ncimp.builder.records.sources import KnownSource, SourceReader
from ncimp.builder.sources.lexicons.files import DAMAGE, content_hash, lexicon_files, opener
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import Row, read_text
from ncimp.schemas.records import from_row

EMPTY: Row = {"lang": None, "download": None, "requires": None, "embedded": None, "files": []}
"""Defaults of the keys of an entry; TOML has no null."""

DATA_VARIABLE = "NCIMP_DATA"
"""Environment variable that names another data folder."""

START_BYTES = 4096
"""Bytes at the beginning of a file that decide its kind."""

TAR_OFFSET, TAR_MAGIC = 257, b"ustar"
"""The magic bytes of a tar and their place."""

MYTHES_START = re.compile(rb"[A-Za-z0-9_-]{3,20}\r?\n[^\n|]+\|[0-9]+\r?\n")
"""The first two lines of a MyThes thesaurus: its encoding, then a word and its number of meanings."""

WNDB_FILES = re.compile(r"(?:data|index)\.[a-z]+|[a-z]+\.exc|lexnames|cntlist(?:\.rev)?|LICENSE|README|citation\.bib")
"""The files of Princeton WordNet in its own format."""


def data_folder(folder: Path | None = None) -> Path:
    """Return *folder*, else the folder in `NCIMP_DATA`, else `ncimp` in the user's cache folder.

    It is created when something is added.
    """
    folder_name = os.environ.get(DATA_VARIABLE)
    return folder or (
        Path(folder_name).expanduser() if folder_name else platformdirs.user_cache_path("ncimp", appauthor=False)
    )


@cache
def known_sources() -> dict[str, KnownSource]:
    """Return every entry of the registry by name, in its order."""
    return read_registry(Path(str(files("ncimp.builder.sources") / "registry.toml")))


def read_registry(path: Path) -> dict[str, KnownSource]:
    """Return the entries of the registry *path* by name, or raise `SourceError` or `SchemaError`."""
    place = Place(str(path))
    try:
        rows = tomllib.loads(read_text(path)).get("sources", [])
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"not TOML ({error})", fix="mend the line it names", place=place) from None
    sources: dict[str, KnownSource] = {}
    for row in rows:
        entry = {**EMPTY, **row, "files": list(row.get("files", ()))}
        source = from_row(KnownSource, entry, table="known_source", place=place)
        if source.name in sources:
            raise SourceError(f"two sources are called {source.name!r}", fix="rename one", place=place)
        sources[source.name] = source
    for source in sources.values():
        if source.requires is not None and source.requires not in sources:
            what = f"{source.name!r} requires {source.requires!r}, which is not here"
            raise SourceError(what, fix="add an entry for it", place=place)
    return sources


def pick(name: str, names: Iterable[str]) -> str | None:
    """Return the one of *names* that equals *name*, with or without its version, or None.

    >>> pick("oewn", ["oewn:2025", "omw-pt:2.0"])
    'oewn:2025'
    """
    candidates = list(names)
    if name in candidates:
        return name
    versions = [full for full in candidates if full.partition(":")[0] == name]
    return versions[0] if len(versions) == 1 else None


def known_by_hash(sha256: str) -> KnownSource | None:
    """Return the entry that names a file of this hash, if any."""
    sources = known_sources().values()
    return next((source for source in sources if sha256 in {file.sha256 for file in source.files}), None)


def reader_of(path: Path) -> SourceReader:
    """Return the reader of the file or folder *path*: `forms` unless it is a WordNet or a thesaurus."""
    if path.is_dir():
        return "wndb" if (path / "data.noun").is_file() else "forms"
    try:
        with opener(path)(path, "rb") as stream:
            start: bytes = stream.read(START_BYTES)
    except DAMAGE as error:
        fix = "copy or download it again"
        raise SourceError(f"cannot be read ({error})", fix=fix, place=Place(str(path))) from None
    if start.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") or start.startswith(TAR_MAGIC, TAR_OFFSET):
        return "wn-lmf"
    return "mythes" if MYTHES_START.match(start) else "forms"


def is_installed(source: KnownSource) -> bool:
    """Tell whether the package that brings the source *source* is installed; nothing is imported for it."""
    return source.reader == "package" and find_spec(source.name) is not None


def members(path: Path) -> list[Path]:
    """Return the files of the source *path*: itself, or those of a folder that belong to it, by name."""
    if path.is_dir() and reader_of(path) == "wndb":
        return sorted(file for file in path.iterdir() if WNDB_FILES.fullmatch(file.name) and file.is_file())
    return lexicon_files(path)


def source_hash(path: Path) -> str:
    """Return the sha256 of the file *path*, or for a folder one of the hashes of its files, whatever their names."""
    return content_hash(path, members(path))
