"""The frozen naive references of `tests/reference`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def load_reference(name: str) -> ModuleType:
    """Return the reference *name*, loaded by place, so that nothing of the package can stand in for it."""
    path = Path(__file__).parent / "reference" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
