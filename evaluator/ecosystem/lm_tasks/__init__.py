"""Tasks of lm-evaluation-harness: the folder to name with `--include_path`, and the rows behind them."""

from __future__ import annotations

from pathlib import Path


def task_folder() -> str:
    """Return the folder with the tasks, for `lm-eval run --include_path`."""
    return str(Path(__file__).parent)
