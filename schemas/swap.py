"""Replace one folder by another in a single step of the file system, so that no reader ever sees half of either.

POSIX `rename` replaces files but not folders that hold something. Linux and macOS can exchange two folders atomically.
Elsewhere the old folder is moved to a name that `recover` knows, so that a process killed between the two renames loses
nothing.
"""

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

AT_FDCWD = -100  # Linux, <fcntl.h>: paths are relative to the current folder
RENAME_EXCHANGE = 2  # Linux, <linux/fs.h>
RENAME_SWAP = 2  # macOS, <sys/stdio.h>


def replace_folder(new: Path, target: Path) -> None:
    """Put the folder *new* at *target*, whose old content, if any, is then removed; a link is followed."""
    target = target.resolve()
    if not target.exists():
        new.rename(target)
        return
    if exchange(new, target):
        shutil.rmtree(new)
        return
    previous = previous_name(target)
    shutil.rmtree(previous, ignore_errors=True)
    target.rename(previous)
    new.rename(target)
    shutil.rmtree(previous)


def recover(target: Path) -> bool:
    """Put back the folder a killed process had moved aside; return whether there was one to put back."""
    target = target.resolve()
    previous = previous_name(target)
    if previous.is_dir() and not target.exists():
        previous.rename(target)
        return True
    return False


@contextmanager
def folder_aside(target: Path) -> Iterator[Path]:
    """Yield a new folder beside *target*, to be renamed to it or exchanged for it; what is left of it is removed.

    The name holds the number of the process, so that what a killed process left can be removed first.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for leftover in target.parent.glob(f".{target.name}.new-*"):
        if not _is_running(leftover.name.rsplit("-", 2)[1]):
            shutil.rmtree(leftover, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.new-{os.getpid()}-", dir=target.parent))
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True  # somebody else's
    return True


def previous_name(target: Path) -> Path:
    """Return where the old folder of *target* waits while it is being replaced without an exchange."""
    return target.with_name(f".{target.name}.previous")


def exchange(one: Path, other: Path) -> bool:
    """Exchange two folders atomically; return False where the system or the file system cannot."""
    first, second = os.fsencode(one), os.fsencode(other)
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and hasattr(libc, "renameat2"):
        return bool(libc.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0)
    if sys.platform == "darwin" and hasattr(libc, "renamex_np"):
        return bool(libc.renamex_np(first, second, RENAME_SWAP) == 0)
    return False
