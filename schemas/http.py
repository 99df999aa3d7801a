"""Call HTTP servers with httpx: a secret in the headers, no redirects, errors in one line, deterministic retries.

A redirect is an error, because it could carry the secret to another server. Servers on this computer are never reached
through a proxy. Nothing of an answer is shown before control characters and the secret are taken out of it.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

T = TypeVar("T")

LOCAL = ("localhost", "127.0.0.1", "::1")  # names of this computer
TEMPORARY = frozenset(
    {408, 409, 425, 429, 500, 502, 503, 504, 529}
)  # statuses after which the same request may succeed
LONGEST_WAIT = 60.0  # seconds between two attempts at most, also where the server asks for more
LONGEST_LINE = 300  # characters of a server's message that are shown
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")  # must not reach a terminal


class HttpError(Exception):
    """A request without a good answer; *text* is one line, *status* None where no answer came."""

    def __init__(self, text: str, *, status: int | None = None, wait: float | None = None) -> None:
        super().__init__(text)
        self.text, self.status = text, status
        self.wait = wait  # seconds after which the server asks to be called again (Retry-After)

    @property
    def temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status is None or self.status in TEMPORARY


class HttpClient:
    """A client for one server; every failure is an `HttpError`."""

    def __init__(
        self, url: str, *, timeout: float, largest: int, secret: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        """Prepare calls to *url*; *timeout* is in seconds without an answer, *largest* in bytes of one."""
        self._largest, self._secret = largest, secret
        self._client = httpx.Client(
            timeout=timeout,
            headers={"User-Agent": "ncimp", **(headers or {})},
            trust_env=not is_local(url),
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    def request(self, method: str, url: str, body: object = None) -> bytes:
        """Return the content of the answer to a request with *body* as JSON."""
        content = None if body is None else json.dumps(body).encode("utf-8")
        headers = {} if body is None else {"Content-Type": "application/json"}
        received = bytearray()
        try:
            with self._client.stream(method, url, content=content, headers=headers) as answer:
                for block in answer.iter_bytes():
                    received += block
                    if len(received) > self._largest:
                        raise HttpError(f"more than {self._largest} bytes")
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise HttpError(self.one_line(str(error)) or type(error).__name__) from None
        if not answer.is_success:
            text = self.one_line(received[:2000].decode("utf-8", "replace")) or answer.reason_phrase
            wait = _seconds(answer.headers.get("Retry-After"))
            raise HttpError(text, status=answer.status_code, wait=wait)
        return bytes(received)

    def one_line(self, text: str) -> str:
        """Return *text* as one short line of printable characters, without the secret of this client."""
        return one_line(text, self._secret)


def one_line(text: str, *secrets: str) -> str:
    """Return *text* as one short line of printable characters, without the *secrets*."""
    for secret in filter(None, secrets):
        text = text.replace(secret, "***")
    line = " ".join(CONTROL.sub(" ", text).split())
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def is_local(url: str) -> bool:
    """Return whether *url* leads to this computer."""
    return urlsplit(url).hostname in LOCAL


def retry(call: Callable[[], T], *, attempts: int, sleep: Callable[[float], None]) -> T:
    """Return what *call* returns; after temporary errors, call again after 1, 2, 4, 8 … seconds or Retry-After."""
    for attempt in range(attempts):
        try:
            return call()
        except HttpError as error:
            if not error.temporary or attempt + 1 == attempts:
                raise
            sleep(min(2.0**attempt if error.wait is None else error.wait, LONGEST_WAIT))
    raise AssertionError("attempts must be positive")


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a Retry-After, None where it is a date or no finite number."""
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
