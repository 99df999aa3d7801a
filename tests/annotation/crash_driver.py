"""Run `ncimp` and kill it, with the signal that nothing can catch, at one line of the launch manifest.

    python crash_driver.py before|middle|after LINE annotate launch …

Lines are counted from 0. `middle`: half of the line is on the disk.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from ncimp.builder.annotation.launch.journal import LaunchEvent, Manifest
from ncimp.builder.cli import main
from ncimp.schemas.records import to_row

honest = Manifest.add


def dying(manifest: Manifest, event: LaunchEvent) -> None:
    """Add *event*, unless it is the line at which the process dies."""
    when, line = sys.argv[1], int(sys.argv[2])
    if len(manifest.events) != line:
        return honest(manifest, event)
    stream = manifest._stream
    assert stream is not None
    if when == "middle":
        whole = json.dumps(to_row(event)).encode()
        stream.write(whole[: len(whole) // 2])
        stream.flush()
    if when == "after":
        honest(manifest, event)
    os.kill(os.getpid(), signal.SIGKILL)
    return None


if __name__ == "__main__":
    Manifest.add = dying  # type: ignore[method-assign, assignment]
    sys.exit(main(sys.argv[3:]))
