"""A release on a loopback hub, put there by `ncimp publish` itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.loopback_hub import WRITER, LoopbackHub, serving


def published(release: Path, repo: str, python: Path | None = None) -> LoopbackHub:
    """Return a hub to which *release* was published as the dataset *repo*; it no longer listens.

    With *python*, the `ncimp` that is installed there publishes it. Raises `RuntimeError` with what it says.
    """
    hub = LoopbackHub()
    with serving(hub):
        left_out = ("HF_", "PYTHON") if python else ("HF_",)
        own = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        publish = ["publish", str(release.resolve()), "--repo", repo, "--send"]
        command = [str(python or sys.executable), "-m", "ncimp.builder.cli", *publish]
        done = subprocess.run(
            command,
            env=own | {"HF_ENDPOINT": hub.url, "HF_TOKEN": WRITER, "HF_HUB_DISABLE_TELEMETRY": "1"},
            capture_output=True,
            text=True,
            check=False,
            cwd=release.parent,
        )
    if done.returncode != 0 or sorted(hub.repos[repo].branches) != ["main", "script"]:
        raise RuntimeError(f"publishing failed: {done.stdout[-1000:]}{done.stderr[-3000:]}")
    return hub
