"""Libraries of the extras, which the rest of `ncimp` does without."""

from __future__ import annotations

import importlib
from types import ModuleType

from ncimp.schemas.errors import EvaluationError

INSTALL = 'pip install "ncimp[eval]"'
"""The command that installs what word vectors need."""


def require(module: str, *, extra: str = "eval") -> ModuleType:
    """Return the imported *module*, or raise `EvaluationError` with the command that installs the *extra* it is in."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        fix = f'run pip install "ncimp[{extra}]"'
        raise EvaluationError(f"the library {missing!r} is not installed", fix=fix) from None
