"""The errors of launching and collecting: what the service refused, and what it left unsaid."""

from __future__ import annotations

from ncimp.schemas.errors import NcimpError

AGAIN = "run the same command again: it looks up what was done, and nothing is paid twice"
"""What to do after a failure that may pass."""


class LaunchError(NcimpError):
    """A launch, payment or collection cannot go on."""


class RefusedError(LaunchError):
    """The service said no, so that nothing came of the call; `code` is its own word for why."""

    def __init__(self, what: str, *, code: str = "", fix: str | None = None) -> None:
        super().__init__(what, fix=fix)
        self.code = code


class UnansweredError(LaunchError):
    """No answer that can be understood: the call may have been done or not."""

    def __init__(self, what: str) -> None:
        super().__init__(what, fix=AGAIN)
