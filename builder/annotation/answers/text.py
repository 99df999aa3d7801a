"""The text of a file that a service or a person made: UTF-8 in any normal form, with or without a byte order mark."""

from __future__ import annotations

from pathlib import Path

from ncimp.schemas.errors import Place, SourceError


def read_results(path: Path) -> str:
    """Return the text of *path*, or raise `SourceError` naming the byte that is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise SourceError(what, fix="take the file as it was downloaded", place=Place(str(path))) from None
