"""A release on a loopback hub, put there by `ncimp publish` itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from loopback_hub import WRITER, LoopbackHub, serving


def published(release: Path, repo: str) -> LoopbackHub:
    """Return a hub to which *release* was published as the dataset *repo*; it no longer listens."""
    hub = LoopbackHub()
    with serving(hub):
        own = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        command = [sys.executable, "-m", "ncimp.builder.cli", "publish", str(release), "--repo", repo, "--send"]
        done = subprocess.run(
            command,
            env=own | {"HF_ENDPOINT": hub.url, "HF_TOKEN": WRITER, "HF_HUB_DISABLE_TELEMETRY": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return hub
