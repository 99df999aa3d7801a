"""Choose where a launch goes: the service, its address, whether money may move there, and the folder of its records."""

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ncimp.schemas.errors import UsageError

MANIFEST = "manifest.jsonl"
COLLECTED = "collected.csv"


@dataclass(frozen=True, slots=True)
class LaunchPlace:
    """A service at an address."""

    platform: str
    endpoint: str
    live: bool
    """Whether money may move there."""

    @property
    def name(self) -> str:
        """Name of its folder of records, such as `mturk-127.0.0.1-8000` or `turkle-example.org`."""
        parts = urlsplit(self.endpoint)
        host = re.sub(r"[^\w.-]", "_", f"{parts.netloc}{parts.path}".strip("/").replace(":", "-"), flags=re.ASCII)
        return f"{self.platform}-{host}" + ("-live" if self.live else "")


def check_endpoint(endpoint: str, *, allow_http: bool) -> str:
    """Return *endpoint* without a slash at its end; raise `UsageError` where a token or password could be lost."""
    parts = urlsplit(endpoint)
    try:
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        has_host = False
    if parts.scheme not in ("https", "http") or not has_host:
        raise UsageError("--endpoint must be an address such as https://example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        # not quoted: it may hold a password
        raise UsageError("--endpoint must be an address alone", fix="leave user, password, ? and # out of it")
    if parts.scheme == "http" and not is_this_machine(endpoint) and not allow_http:
        what = "--endpoint is http: others can read tokens and answers on the way"
        raise UsageError(what, fix="use https, or --allow-http in a network that you trust")
    return endpoint.rstrip("/")


def is_this_machine(endpoint: str) -> bool:
    """Return whether *endpoint* is an address of this machine."""
    host = str(urlsplit(endpoint).hostname)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def records_folder(batch: Path, records: Path | None) -> Path:
    """Return the folder of a batch's records: *records*, else `BATCH.launch` beside it, because they name workers."""
    resolved = batch.resolve()
    return records or resolved.with_name(f"{resolved.name}.launch")


def find_launch(batch: Path, records: Path | None, at: str | None) -> Path:
    """Return the folder of the one launch of *batch*, or of the one named *at*."""
    folder = records_folder(batch, records)
    launches = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    matches = [path for path in launches if at is None or path.name == at]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(path.name for path in launches)
    if not launches:
        raise UsageError(f"the batch has not been launched: nothing in {folder}", fix="`ncimp launch start`")
    if at is None:
        raise UsageError(f"the batch was launched at several places: {names}", fix="choose one with --at")
    raise UsageError(f"the batch was not launched at {at!r}", fix=f"--at takes one of: {names}")
