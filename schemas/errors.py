"""The errors a user can do something about: what is wrong, where, and what to do next."""

import errno
from dataclasses import dataclass

DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM}
# SQLITE_FULL, _IOERR, _READONLY and _CANTOPEN as numbers: importing sqlite3 for them would delay every start
SQLITE_DISK_ERRORS = {13, 10, 8, 14}


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file, printed as `file:line:column` as far as it is known (both counted from 1)."""

    file: str
    line: int | None = None
    column: int | str | None = None

    def __str__(self) -> str:
        parts = [self.file, self.line, self.column if self.line is not None else None]
        return ":".join(str(part) for part in parts if part is not None)


class NcimpError(Exception):
    """A problem the user can solve. Its text reads `place: what; what to do`."""

    exit_code = 1

    def __init__(self, what: str, *, fix: str | None = None, place: Place | None = None) -> None:
        self.what, self.fix, self.place = what, fix, place
        super().__init__(what)

    def __str__(self) -> str:
        head = f"{self.place}: " if self.place else ""
        tail = f"; {self.fix}" if self.fix else ""
        return f"{head}{self.what}{tail}"


class UsageError(NcimpError):
    """The command was called in a way it does not understand."""

    exit_code = 2


class SchemaError(NcimpError):
    """A file does not have the shape its schema asks for."""


class SourceError(NcimpError):
    """A language pack, lexicon, corpus or word list is missing, damaged or contradicts itself."""


class SelectionError(NcimpError):
    """Too few replacements meet the design, so the build would leave a cell empty."""


class AgreementError(NcimpError):
    """A form that a slot asks for is not known, so filling would have to guess."""


class ReleaseError(NcimpError):
    """A release folder is incomplete, damaged, or cannot be written."""


class EvaluationError(NcimpError):
    """Vectors and release do not fit together."""


def is_disk_error(error: Exception) -> bool:
    """Tell whether *error* says that a disk is full or cannot be used, and nothing about the content of a file."""
    if isinstance(error, OSError):
        return error.errno in DISK_ERRORS
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in SQLITE_DISK_ERRORS  # the lower byte is the kind
