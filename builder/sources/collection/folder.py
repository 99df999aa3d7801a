"""Where lexicons are kept once they were added: one folder for all projects of a user, safe to delete."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "NCIMP_DATA"
"""Environment variable that names another folder."""


def data_folder(given: Path | None = None) -> Path:
    """Return the folder *given*, else the one in `NCIMP_DATA`, else `ncimp` in the user's cache folder.

    It is made when something is added, not here.
    """
    if given is not None:
        return given
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else _user_cache() / "ncimp"


def _user_cache() -> Path:
    """Return where this system keeps what can be made again."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
