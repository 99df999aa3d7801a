"""What counting needs beyond the core: the packages of the extra `corpus`, imported only when asked for."""

from __future__ import annotations

from importlib.util import find_spec

from ncimp.schemas.errors import UsageError

PACKAGES = ("numba", "isal", "zstandard")
"""The packages of `pip install "ncimp[corpus]"`."""


def require_corpus_extra() -> None:
    """Raise `UsageError` saying how to install what is missing; return when everything is there."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        what = f"counting a corpus needs packages that are not installed: {', '.join(missing)}"
        raise UsageError(what, fix='pip install "ncimp[corpus]"')
