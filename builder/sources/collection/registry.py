"""The sources that the project knows, out of `registry.toml`: what each is, how to cite it, where it is to be had."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from ncimp.builder.records import KnownSource
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import read_text
from ncimp.schemas.tables import check_row

EMPTY = {"lang": None, "download": None, "requires": None, "embedded": None, "files": ()}
"""What a key means that an entry leaves out; TOML has no word for nothing."""


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
    found: dict[str, KnownSource] = {}
    for row in rows:
        entry = {**EMPTY, **row, "files": list(row.get("files", ()))}
        check_row("known_source", entry, place)
        source = msgspec.convert(entry, KnownSource)
        if source.name in found:
            raise SourceError(f"two sources are called {source.name!r}", fix="rename one", place=place)
        found[source.name] = source
    _check_links(found, place)
    return found


def _check_links(found: dict[str, KnownSource], place: Place) -> None:
    for source in found.values():
        if source.requires is not None and source.requires not in found:
            what = f"{source.name!r} requires {source.requires!r}, which is not here"
            raise SourceError(what, fix="add an entry for it", place=place)


def pick(name: str, names: Iterable[str]) -> str | None:
    """Return the one of *names* that is *name*, with or without its version, or None.

    >>> pick("oewn", ["oewn:2025", "omw-pt:2.0"])
    'oewn:2025'
    """
    known = list(names)
    if name in known:
        return name
    versions = [full for full in known if full.partition(":")[0] == name]
    return versions[0] if len(versions) == 1 else None


def known_by_hash(sha256: str) -> KnownSource | None:
    """Return the entry that names a file of this hash, if any."""
    held = (source for source in known_sources().values() if sha256 in {file.sha256 for file in source.files})
    return next(held, None)
