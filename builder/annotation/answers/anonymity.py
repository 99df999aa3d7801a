"""Names of annotators are hashed with a secret that never leaves the machine of who collects their answers.

The secret stands in a file of its own, mode 600, made at its first use. It may not lie inside a release, where it would
be published. The same secret gives the same person the same id again, so that a second import adds nothing; without it
nobody can try out names until a hash fits.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
from pathlib import Path

from ncimp.builder.records import MANIFEST
from ncimp.schemas.errors import Place, SourceError, UsageError

SALT_BYTES = 32
ID_LENGTH = 16
"""Hexadecimal digits of an id: 64 bits, so that two of a million annotators are not taken for one."""

SALT = re.compile(rb"[0-9a-f]{64}\n?")


class Anonymiser:
    """Gives ids that only the holder of *salt* can trace back."""

    def __init__(self, salt: bytes) -> None:
        self._salt = salt

    def annotator(self, platform: str, name: str) -> str:
        """Return the id of the annotator whom *platform* calls *name*: the same in every batch."""
        return self._hash("annotator", platform, name)

    def assignment(self, platform: str, name: str) -> str:
        """Return the id of the assignment that *platform* calls *name*."""
        return self._hash("assignment", platform, name)

    def _hash(self, *parts: str) -> str:
        text = b"".join(part.encode("utf-8", "surrogatepass") + b"\x00" for part in parts)
        return hmac.new(self._salt, text, hashlib.sha256).hexdigest()[:ID_LENGTH]


def read_salt(path: Path) -> bytes:
    """Return the secret in *path*, which is made when it is not there.

    Raises `UsageError` for a place inside a release, `SourceError` for a file that others may read or is no secret.
    """
    inside = next((folder for folder in path.resolve().parents if (folder / MANIFEST).exists()), None)
    if inside is not None:
        what = f"the salt {path} is inside {inside}, which is a release: whoever gets it could trace annotators"
        raise UsageError(what, fix="name a file outside with --salt")
    if not path.exists():
        _make(path)
    place = Place(str(path))
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise SourceError(f"others may read the salt (mode {mode:o})", fix=f"chmod 600 {path}", place=place)
    text = path.read_bytes()
    if not SALT.fullmatch(text):
        raise SourceError("not a salt: 64 hexadecimal digits", fix="name another file: one is made there", place=place)
    return bytes.fromhex(text.decode("ascii").strip())


def _make(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise SourceError(f"cannot be made ({error.strerror})", fix="name another", place=Place(str(path))) from None
    with os.fdopen(handle, "wb") as stream:
        stream.write(secrets.token_hex(SALT_BYTES).encode("ascii") + b"\n")
