"""Libraries of the extra `eval`, which the rest of `ncimp` does without."""

from __future__ import annotations

import importlib
from types import ModuleType

from ncimp.schemas.errors import EvaluationError

INSTALL = 'pip install "ncimp[eval]"'
"""The command that installs what the evaluator needs."""


def require(module: str) -> ModuleType:
    """Return the imported *module*, or raise `EvaluationError` with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        raise EvaluationError(f"the library {missing!r} is not installed", fix=f"run {INSTALL}") from None
