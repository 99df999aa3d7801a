"""Turkle's REST API: a token in the header, JSON in and out, errors in our words and without the token.

Turkle (https://github.com/hltcoe/turkle) is run by its user. It has no request tokens, so that what was
made is found again by its name. Redirects are not followed: they would carry the token to another address.
"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import IO, Any
from urllib.parse import urlsplit

from ncimp.builder.annotation.launch.errors import RefusedError, UnansweredError
from ncimp.builder.annotation.services.mturk_client import clipped
from ncimp.schemas.errors import UsageError

TOKEN = "TURKLE_TOKEN"  # noqa: S105 (a name, not a token)
"""Environment variable with the token of a Turkle user who may make projects."""

MAX_BYTES = 1 << 30
"""Most bytes of an answer (1 GiB)."""

MAX_PAGES = 100_000
"""Most pages of a list; a server with more is not well."""


class Turkle:
    """One Turkle, as one user; every call raises `RefusedError` or `UnansweredError`."""

    def __init__(self, endpoint: str, *, timeout: float) -> None:
        self.endpoint, self._timeout = endpoint, timeout
        self._token = _token()
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if str(urlsplit(endpoint).hostname) in ("localhost", "127.0.0.1", "::1"):
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def get(self, path: str) -> Any:
        """Return the JSON at *path* of the API, such as `projects/3/`."""
        return self._json(self._call("GET", path, None))

    def text(self, path: str) -> str:
        """Return the text at *path*; Turkle writes UTF-8 without saying so, and counts characters for bytes."""
        try:
            return self._call("GET", path, None, to_end=True).decode("utf-8")
        except UnicodeDecodeError:
            raise UnansweredError(f"{path}: the answer is not UTF-8") from None

    def post(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        """Make what *body* describes, and return it as Turkle does."""
        return self._object(path, self._call("POST", path, body))

    def patch(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        """Change what *body* names, and return the whole."""
        return self._object(path, self._call("PATCH", path, body))

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield every entry of the list at *path*, page by page.

        The address of the next page is not taken from the answer: behind a proxy it may name another host.
        """
        for number in range(1, MAX_PAGES):
            page = self.get(f"{path}?page={number}")
            entries = page if isinstance(page, list) else page.get("results") if isinstance(page, dict) else None
            if not isinstance(entries, list):
                raise UnansweredError(f"{path}: the answer is not a list")
            yield from entries
            if isinstance(page, list) or not page.get("next"):
                return
        raise UnansweredError(f"{path}: the list does not end")

    def _call(self, method: str, path: str, body: dict[str, object] | None, *, to_end: bool = False) -> bytes:
        data = None if body is None else json.dumps(body).encode("utf-8")
        headers = {
            "Authorization": f"TOKEN {self._token}",
            "Accept": "application/json, text/csv",
            "User-Agent": "ncimp",
        }
        if data is not None:
            headers["Content-Type"] = "application/json"
        # the scheme was checked when the place was chosen
        request = urllib.request.Request(  # noqa: S310
            f"{self.endpoint}/api/{path}", data=data, headers=headers, method=method
        )
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                stated = answer.length
                if to_end:  # Turkle 3.1 states the length of its CSV in characters, so that accents would cut it short
                    answer.length = None
                content: bytes = answer.read(MAX_BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(f"{method} {path}", error.code, error) from None
        except (OSError, HTTPException) as error:  # urllib's own errors are an OSError
            reason = type(getattr(error, "reason", None) or error).__name__
            raise UnansweredError(f"{method} {path}: no answer from {self.endpoint} ({reason})") from None
        if stated is not None and len(content) < stated:  # reading a broken connection does not raise
            raise UnansweredError(f"{method} {path}: {len(content)} bytes came of {stated}")
        if len(content) > MAX_BYTES:
            raise UnansweredError(f"{method} {path}: more than {MAX_BYTES} bytes")
        return content

    def _refusal(self, what: str, status: int, answer: IO[bytes]) -> RefusedError | UnansweredError:
        try:
            told = answer.read(2000).decode("utf-8", "replace")
        except (OSError, HTTPException):
            told = ""
        reason = clipped(told.replace(self._token, "…")) if told.lstrip()[:1] in ("{", "[") else ""
        if status in (401, 403):
            fix = f"check {TOKEN}: it has to be the token of a user who may make projects"
            return RefusedError(f"{what}: refused (status {status})", code=str(status), fix=fix)
        if 300 <= status < 400:
            fix = "give the address to which it leads with --endpoint"
            return RefusedError(f"{what}: the address leads elsewhere (status {status})", code=str(status), fix=fix)
        if 400 <= status < 500:
            return RefusedError(f"{what}: refused (status {status}) {reason}".rstrip(), code=str(status))
        return UnansweredError(f"{what}: status {status} {reason}".rstrip())

    def _json(self, content: bytes) -> Any:
        try:
            return json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError):
            raise UnansweredError(f"{self.endpoint} answers something else than JSON; is it a Turkle?") from None

    def _object(self, path: str, content: bytes) -> dict[str, Any]:
        found = self._json(content)
        if not isinstance(found, dict):
            raise UnansweredError(f"{path}: the answer is not an object")
        return found


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Leave a redirect to be told as what it is."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow nothing."""


def _token() -> str:
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        fix = "an administrator makes one in Turkle: Admin, Auth Token, Tokens"
        raise UsageError(f"{TOKEN} is not set", fix=fix)
    if not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(f"{TOKEN} is not a token: it holds a space or a strange character", fix="copy it again")
    return token
