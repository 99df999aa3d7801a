"""Fetching a file that a user has asked for: to a file aside, hashed, and only then in its place."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path

from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import atomic_path
from ncimp.schemas.hashing import CHUNK, file_hash

OFFLINE = "NCIMP_OFFLINE"
"""Environment variable that, when it is set to anything, forbids every download."""

MAX_BYTES = 1 << 30
"""Most bytes of a download (1 GiB)."""

TIMEOUT = 60
"""Seconds to wait for an answer."""

AGENT = {"User-Agent": "ncimp"}


def fetch(address: str, target: Path, *, sha256: str | None) -> str:
    """Fetch *address* to *target*, unless it is there already, and return its sha256.

    A file whose hash is not *sha256*, when that is given, is removed: it is a `SourceError`.
    """
    if not target.is_file():
        _download(address, target)
    found = file_hash(target)
    if sha256 is not None and found != sha256:
        target.unlink()
        what = f"the file fetched has sha256 {found}, and {sha256} was expected"
        raise SourceError(what, fix="try again later, or ask its publisher", place=Place(address))
    return found


def _download(address: str, target: Path) -> None:
    place = Place(address)
    if os.environ.get(OFFLINE):
        raise SourceError(f"not fetched, because {OFFLINE} is set", fix=f"put the file at {target}", place=place)
    if not address.startswith(("https://", "http://")):
        raise SourceError("not an address of the web", fix="mend the registry", place=place)
    request = urllib.request.Request(address, headers=AGENT)  # noqa: S310 (the scheme is checked above)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer, atomic_path(target) as aside:  # noqa: S310
            with aside.open("wb") as stream:
                while chunk := answer.read(CHUNK):
                    stream.write(chunk)
                    _check_size(stream.tell(), place)
            _check_length(stream_size=aside.stat().st_size, stated=answer.headers.get("Content-Length"), place=place)
    except (OSError, HTTPException) as error:  # urllib's own errors are an OSError
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it holds the answer
        reason = getattr(error, "reason", None) or error
        fix = "check the network, or fetch the file yourself and add it from its path"
        raise SourceError(f"cannot be fetched ({reason})", fix=fix, place=place) from None


def _check_size(size: int, place: Place) -> None:
    if size > MAX_BYTES:
        raise SourceError(f"more than {MAX_BYTES} bytes", fix="fetch the file yourself", place=place)


def _check_length(*, stream_size: int, stated: str | None, place: Place) -> None:
    """Refuse a file that a broken connection has cut: reading it does not raise."""
    if stated is not None and stated.isdigit() and int(stated) != stream_size:
        what = f"{stream_size} bytes came of {stated}"
        raise SourceError(what, fix="run it again", place=place)
