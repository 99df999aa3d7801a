"""Where a launch goes: the service, its address, whether money may move there, and the folder of its records."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from ncimp.schemas.errors import UsageError

SANDBOX = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
LIVE = "https://mturk-requester.us-east-1.amazonaws.com"
"""Amazon's own addresses; the service closed on 2026-09-30."""

Platform = Literal["mturk", "turkle"]

MANIFEST = "manifest.jsonl"
COLLECTED = "collected.csv"


@dataclass(frozen=True, slots=True)
class LaunchPlace:
    """A service at an address."""

    platform: Platform
    endpoint: str
    live: bool
    """Whether money may move there."""

    @property
    def name(self) -> str:
        """A name for its folder of records: `mturk-sandbox`, `mturk-live`, `turkle-example.org-8000`."""
        if self.endpoint in (SANDBOX, LIVE):
            return "mturk-live" if self.endpoint == LIVE else "mturk-sandbox"
        parts = urlsplit(self.endpoint)
        host = re.sub(r"[^\w.-]", "_", f"{parts.netloc}{parts.path}".strip("/").replace(":", "-"), flags=re.ASCII)
        return f"{self.platform}-{host}" + ("-live" if self.live else "")


def choose_place(platform: Platform, *, endpoint: str | None, live: bool, allow_http: bool) -> LaunchPlace:
    """Return the place that the options name, or raise `UsageError` for one where money or a token could be lost.

    An address that is neither this machine nor called a sandbox may pay real money, so that it needs *live*.
    """
    if platform == "turkle":
        if endpoint is None:
            raise UsageError("Turkle needs --endpoint", fix="give the address of your Turkle, https://…")
        if live:
            raise UsageError("Turkle pays nobody, so there is no --live", fix="leave it out")
        return LaunchPlace(platform, _checked(endpoint, allow_http=allow_http), False)
    if endpoint is None:
        return LaunchPlace(platform, LIVE if live else SANDBOX, live)
    address = _checked(endpoint, allow_http=allow_http)
    host = str(urlsplit(address).hostname)
    if not live and not _is_here(host) and "sandbox" not in host.split(".")[0]:
        what = f"{address} may pay real money"
        raise UsageError(what, fix="add --live if that is meant; a test server is on this machine or called sandbox")
    return LaunchPlace(platform, address, live)


def _checked(endpoint: str, *, allow_http: bool) -> str:
    parts = urlsplit(endpoint)
    try:
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        has_host = False
    if parts.scheme not in ("https", "http") or not has_host:
        raise UsageError("--endpoint is not an address of the web", fix="write it as https://example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        # not quoted: it may hold a password
        raise UsageError("--endpoint holds more than an address", fix="leave user, password, ? and # out of it")
    if parts.scheme == "http" and not _is_here(str(parts.hostname)) and not allow_http:
        what = "--endpoint is http: what is sent there, tokens too, can be read on the way"
        raise UsageError(what, fix="use https, or --allow-http in a network that you trust")
    return endpoint.rstrip("/")


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def records_folder(batch: Path, records: Path | None) -> Path:
    """Return the folder of a batch's records: *records*, else `BATCH.launch` beside it, as they name workers."""
    resolved = batch.resolve()
    return records or resolved.with_name(f"{resolved.name}.launch")


def find_launch(batch: Path, records: Path | None, at: str | None) -> Path:
    """Return the folder of the one launch of *batch*, or of the one named *at*."""
    folder = records_folder(batch, records)
    found = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    chosen = [path for path in found if at is None or path.name == at]
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(path.name for path in found)
    if not found:
        raise UsageError(f"the batch has not been launched: nothing in {folder}", fix="`ncimp annotate launch`")
    if at is None:
        raise UsageError(f"the batch was launched at several places: {names}", fix="choose one with --at")
    raise UsageError(f"the batch was not launched at {at!r}", fix=f"--at takes one of: {names}")
