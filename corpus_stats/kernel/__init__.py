"""The counting kernel: code that numba compiles, and the blocks that it counts (`docs/adr/0016-counting-kernel.md`)."""

from importlib.util import find_spec

from ncimp.schemas import UsageError

PACKAGES = ("numba", "isal", "zstandard")  # the packages of `pip install "ncimp[corpus]"`


def require_corpus_extra() -> None:
    """Raise `UsageError` with the way to install them when packages of the extra `corpus` are missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        what = f"counting a corpus needs packages that are not installed: {', '.join(missing)}"
        raise UsageError(what, fix='pip install "ncimp[corpus]"')
