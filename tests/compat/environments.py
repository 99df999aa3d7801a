"""Fresh environments of pinned packages, and the interpreters to make them with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"


def interpreter(version: str) -> Path | None:
    """Return a Python of *version* ("3.11"): the one that runs, one on the path, or one of pyenv's; None without."""
    own = Path(getattr(sys, "_base_executable", sys.executable))
    candidates = [own if _is_version(own, version) else None, shutil.which(f"python{version}")]
    candidates += sorted(PYENV.glob(f"{version}.*/bin/python"))
    return next((Path(found) for found in candidates if found and _is_version(Path(found), version)), None)


def _is_version(python: Path, version: str) -> bool:
    # a shim of pyenv is on the path for versions that it then refuses to run
    told = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", told], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


def make_environment(folder: Path, python: Path, arguments: Sequence[str]) -> Path:
    """Make a virtual environment in *folder*, `pip install` *arguments* into it, and return its Python.

    The pip is that of the Python that runs, which saves unpacking one, unless the version is another: Debian's pip for
    3.11 cannot run under 3.12. Modules are compiled when they are used.
    """
    made = folder / "bin" / "python"
    if _is_version(python, f"{sys.version_info.major}.{sys.version_info.minor}"):
        subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        pip = [sys.executable, "-m", "pip", "--python", str(made)]
    else:
        subprocess.run([python, "-m", "venv", folder], check=True)
        pip = [str(made), "-m", "pip"]
    options = ["--disable-pip-version-check", "install", "--quiet", "--no-compile", *arguments]
    # a PYTHONPATH would make pip believe that what lies there is installed
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*pip, *options], env=own, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"pip install {' '.join(arguments)}: {done.stderr[-3000:]}")
    return made
