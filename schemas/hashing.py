"""Hashes that give order and identity: of files, of rows, of named parts. No hidden randomness anywhere."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

CHUNK = 1 << 20
"""Bytes read at a time, so that a large file never sits in memory."""


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
