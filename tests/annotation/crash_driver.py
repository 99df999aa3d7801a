"""Run `ncimp` and kill it, with the signal that nothing can catch, at one line of the launch manifest.

    python crash_driver.py before|middle|after LINE launch start …

Lines are counted from 0. `middle`: half of the line is on the disk.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from ncimp.builder.cli import main
from ncimp.schemas.journal import EventLog

append = EventLog.append


def append_and_die(log: EventLog, event: Mapping[str, Any]) -> None:
    """Append *event*, unless it is the line at which the process dies."""
    when, line = sys.argv[1], int(sys.argv[2])
    if len(log.events) != line:
        return append(log, event)
    if when == "middle":
        content = json.dumps(event).encode()
        log._stream.write(content[: len(content) // 2])
        log._stream.flush()
    if when == "after":
        append(log, event)
    os.kill(os.getpid(), signal.SIGKILL)
    return None


if __name__ == "__main__":
    EventLog.append = append_and_die  # type: ignore[method-assign, assignment]
    sys.exit(main(sys.argv[3:]))
