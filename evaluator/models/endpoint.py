"""Embeddings from a server that speaks the protocol of OpenAI: `POST URL/embeddings`. It knows no spans.

    {"model": "name", "input": ["a sentence", ...], "encoding_format": "float"}
    {"data": [{"index": 0, "embedding": [0.1, ...]}, ...], "usage": {"total_tokens": 7}}

The key stands in an environment variable; it is sent to that server only, never over an open line, and never printed.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ncimp.evaluator.models.store import Encoded, Passage, Vectors
from ncimp.schemas.errors import EvaluationError, Place, UsageError

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses after which the same request may succeed."""

TRIES = 6
"""Requests for one batch before it is given up: waits of 1, 2, 4, 8 and 16 seconds unless the server says when."""

LONGEST_WAIT = 60.0
"""Seconds; a server that asks for more is asked again after these."""

TIMEOUT = 120.0
"""Seconds without an answer."""

LARGEST_ANSWER = 1 << 28
"""Bytes; more is no answer to a batch."""

CHARACTERS_A_TOKEN = 4
"""What a token is taken for in the budget where the server does not say how many it counted."""

LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """Where the server is, which environment variable holds the key, and how much may be asked of it."""

    url: str
    key_env: str = "OPENAI_API_KEY"
    batch: int = 128
    max_requests: int | None = None
    max_tokens: int | None = None
    wait: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("the endpoint is no http address", fix="give one such as https://host/v1")
        if parts.username or parts.password or parts.query:
            fix = "put the key into an environment variable and name it with --key-env"
            raise UsageError("the address of the endpoint holds more than a place", fix=fix)
        if self.key and parts.scheme == "http" and parts.hostname not in LOCAL:
            raise UsageError("the key would be sent over an open line", fix="give an https address")
        if self.batch < 1:
            raise UsageError("a batch holds no sentence", fix="give 1 or more")

    @property
    def key(self) -> str | None:
        """The key, or None where the server needs none."""
        return os.environ.get(self.key_env) or None


class EndpointEncoder:
    """A model behind an endpoint. It counts requests and tokens, and stops at the budget."""

    def __init__(self, name: str, options: EndpointOptions) -> None:
        """Ask for the model *name*; nothing is sent yet."""
        self._name = name
        self._options = options
        self._address = options.url.rstrip("/") + "/embeddings"
        self._width: int | None = None
        self.requests = 0
        self.tokens = 0

    def encode(self, passages: list[Passage]) -> Encoded:
        """Return the sentence vectors of *passages*, each sentence sent once."""
        step = self._options.batch
        sentences = [passage.sentence for passage in passages]
        parts = [self._embed(sentences[first : first + step]) for first in range(0, len(sentences), step)]
        rows = np.repeat(np.concatenate(parts), [len(passage.spans) for passage in passages], axis=0)
        return Encoded(rows, None, np.ones(len(rows), dtype=bool))

    def _embed(self, sentences: list[str]) -> Vectors:
        body = json.dumps({"model": self._name, "input": sentences, "encoding_format": "float"}).encode()
        reason = ""
        for attempt in range(TRIES):
            self._check_budget()
            self.requests += 1
            answer = self._post(body)
            if isinstance(answer, bytes):
                return self._vectors(answer, sentences)
            reason = answer.reason
            if attempt + 1 < TRIES:
                self._options.wait(2.0**attempt if answer.wait is None else min(answer.wait, LONGEST_WAIT))
        raise self._fault(f"{TRIES} tries were in vain ({reason})", "try again later")

    def _check_budget(self) -> None:
        options = self._options
        requests, tokens = (self.requests, options.max_requests), (self.tokens, options.max_tokens)
        for unit, (used, most) in (("requests", requests), ("tokens", tokens)):
            if most is not None and used >= most:
                fix = f"allow more with --max-{unit}; with --cache, what was answered is not asked for again"
                raise self._fault(f"the budget of {most} {unit} is used up", fix)

    def _post(self, body: bytes) -> bytes | Refusal:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._options.key:
            headers["Authorization"] = f"Bearer {self._options.key}"
        request = urllib.request.Request(self._address, body, headers)  # noqa: S310 - http and https only
        try:
            with _OPENER.open(request, timeout=TIMEOUT) as answer:
                return bytes(answer.read(LARGEST_ANSWER))
        except urllib.error.HTTPError as error:
            with error:
                reason = f"HTTP {error.code}: {self._told(error)}"
            if error.code not in AGAIN:
                raise self._fault(reason, "check address, model name and key") from None
            return Refusal(reason, _seconds(error.headers.get("Retry-After")))
        except (OSError, http.client.HTTPException) as error:
            return Refusal(str(getattr(error, "reason", error)), None)

    def _told(self, error: urllib.error.HTTPError) -> str:
        text = re.sub(r"\s+", " ", error.read(2000).decode("utf-8", errors="replace")).strip()
        found = re.search(r'"message": ?"([^"]+)"', text)
        told = (found[1] if found else text)[:200] or str(error.reason)
        # some servers repeat the key they refuse
        return told.replace(self._options.key, "***") if self._options.key else told

    def _vectors(self, answer: bytes, sentences: list[str]) -> Vectors:
        try:
            told = json.loads(answer)
            rows = sorted(told["data"], key=lambda row: int(row["index"]))
            places = [int(row["index"]) for row in rows]
            vectors = np.array([[float(value) for value in row["embedding"]] for row in rows], dtype=np.float32)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            text = re.sub(r"\s+", " ", answer[:80].decode("utf-8", errors="replace"))
            raise self._fault(f"no answer in the protocol ({error!r:.60}): {text!r}", "check the address") from None
        if places != list(range(len(sentences))) or vectors.ndim != 2 or not vectors.size:
            raise self._fault(f"{len(places)} vectors for {len(sentences)} sentences", "check the model name")
        self._check(vectors, sentences)
        self.tokens += _used(told, sentences)
        return vectors

    def _check(self, vectors: Vectors, sentences: list[str]) -> None:
        if self._width not in (None, vectors.shape[1]):
            what = f"a vector of {vectors.shape[1]} dimensions after some of {self._width}"
            raise self._fault(what, "one model gives one width: check the endpoint")
        self._width = vectors.shape[1]
        broken = ~np.isfinite(vectors).all(axis=1)
        if broken.any():
            what = f"a vector that is not finite for {sentences[int(broken.argmax())]!r}"
            raise self._fault(what, "the model or its server is damaged")

    def _fault(self, what: str, fix: str) -> EvaluationError:
        return EvaluationError(what, fix=fix, place=Place(self._address))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request has to be sent again, and after how many seconds if the server said so."""

    reason: str
    wait: float | None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is refused: it could carry the key to another server."""

    def redirect_request(self, *_given: Any) -> None:
        """Return no request, which makes the redirect an error."""


_OPENER = urllib.request.build_opener(_NoRedirect)


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a Retry-After, None where it is a date or no finite number."""
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _used(told: dict[str, Any], sentences: list[str]) -> int:
    usage = told.get("usage")
    counted = usage.get("total_tokens") if isinstance(usage, dict) else None
    if isinstance(counted, int) and counted > 0:
        return counted
    return sum(-(-len(sentence) // CHARACTERS_A_TOKEN) for sentence in sentences)
