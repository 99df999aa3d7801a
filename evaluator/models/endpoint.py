"""Embeddings from a server with the protocol of OpenAI: `POST URL/embeddings`. It knows no spans.

    {"model": "name", "input": ["a sentence", ...], "encoding_format": "float"}
    {"data": [{"index": 0, "embedding": [0.1, ...]}, ...], "usage": {"total_tokens": 7}}

The key is in an environment variable; it is sent to that server only, never unencrypted over a network, and never
printed.
"""

import json
import os
import re
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ncimp.evaluator.models.store import Encoded, EncodedPassage, Vectors
from ncimp.schemas import EvaluationError, Place, UsageError
from ncimp.schemas.http import LOCAL, HttpClient, HttpError, retry

ATTEMPTS = 6  # requests for one batch: waits of 1, 2, 4, 8 and 16 seconds between them unless the server names others
TIMEOUT = 120.0  # seconds without an answer
LARGEST_ANSWER = 1 << 28  # bytes of an answer to a batch
CHARACTERS_A_TOKEN = 4  # assumed length of a token in the budget, where the server does not count tokens


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """The address of the server, the environment variable with the key, and the budget.

    Prices are for a million tokens of questions and of answers; `max_cost` is in the same money.
    """

    url: str
    key_env: str = "OPENAI_API_KEY"
    batch: int = 128
    max_requests: int | None = None
    max_tokens: int | None = None
    wait: Callable[[float], None] = time.sleep
    prices: tuple[float, float] | None = None
    max_cost: float | None = None

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("the endpoint is not an http address", fix="give one such as https://host/v1")
        if parts.username or parts.password or parts.query:
            fix = "put the key into an environment variable and name it with --key-env"
            raise UsageError("the address of the endpoint holds more than a place", fix=fix)
        if self.key and parts.scheme == "http" and parts.hostname not in LOCAL:
            raise UsageError("the key would be sent unencrypted", fix="give an https address")
        if self.batch < 1:
            raise UsageError("a batch must hold a sentence", fix="give 1 or more")

    def cost(self, tokens: float, answer: float) -> float:
        """Return the price of *tokens* of questions and of *answer* tokens; 0 where no prices are given."""
        of_questions, of_answers = self.prices or (0.0, 0.0)
        return (tokens * of_questions + answer * of_answers) / 1e6

    @property
    def key(self) -> str | None:
        """The key, or None where the server needs none."""
        return os.environ.get(self.key_env) or None


class EndpointEncoder:
    """A model behind an endpoint. It counts requests and tokens, and stops at the budget."""

    def __init__(self, name: str, options: EndpointOptions) -> None:
        """Prepare requests for the model *name*; nothing is sent yet."""
        self._name = name
        self._options = options
        self._address = options.url.rstrip("/") + "/embeddings"
        headers = {"Accept": "application/json"}
        if options.key:
            headers["Authorization"] = f"Bearer {options.key}"
        self._client = HttpClient(
            options.url, timeout=TIMEOUT, largest=LARGEST_ANSWER, secret=options.key or "", headers=headers
        )
        self._width: int | None = None
        self.requests = 0
        self.tokens = 0

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        """Return the sentence vectors of *passages*, each sentence sent once."""
        step = self._options.batch
        sentences = [passage.sentence for passage in passages]
        parts = [self._embed(sentences[first : first + step]) for first in range(0, len(sentences), step)]
        rows = np.repeat(np.concatenate(parts), [len(passage.spans) for passage in passages], axis=0)
        return Encoded(rows, None, np.ones(len(rows), dtype=bool))

    def _embed(self, sentences: list[str]) -> Vectors:
        body = {"model": self._name, "input": sentences, "encoding_format": "float"}
        options = self._options
        budget = (("requests", options.max_requests), ("tokens", options.max_tokens))

        def call() -> bytes:
            for unit, most in budget:
                if most is not None and getattr(self, unit) >= most:
                    fix = f"allow more with --max-{unit}; with --cache, answered sentences are not sent again"
                    raise self._fault(f"the budget of {most} {unit} is used up", fix)
            self.requests += 1
            return self._client.request("POST", self._address, body)

        try:
            answer = retry(call, attempts=ATTEMPTS, sleep=options.wait)
        except HttpError as error:
            match = re.search(r'"message": ?"([^"]+)"', error.text)
            message = (match[1] if match else error.text)[:200]
            reason = error.text if error.status is None else f"HTTP {error.status}: {message}"
            if error.temporary:
                raise self._fault(f"gave up after {ATTEMPTS} attempts ({reason})", "try again later") from None
            raise self._fault(reason, "check address, model name and key") from None
        return self._vectors(answer, sentences)

    def _vectors(self, answer: bytes, sentences: list[str]) -> Vectors:
        try:
            document = json.loads(answer)
            rows = sorted(document["data"], key=lambda row: int(row["index"]))
            places = [int(row["index"]) for row in rows]
            vectors = np.array([[float(value) for value in row["embedding"]] for row in rows], dtype=np.float32)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            text = self._client.one_line(answer[:80].decode("utf-8", errors="replace"))
            raise self._fault(f"no answer in the protocol ({error!r:.60}): {text!r}", "check the address") from None
        if places != list(range(len(sentences))) or vectors.ndim != 2 or not vectors.size:
            raise self._fault(f"{len(places)} vectors for {len(sentences)} sentences", "check the model name")
        if self._width not in (None, vectors.shape[1]):
            what = f"a vector of {vectors.shape[1]} dimensions after some of {self._width}"
            raise self._fault(what, "one model gives one width: check the endpoint")
        self._width = vectors.shape[1]
        broken = ~np.isfinite(vectors).all(axis=1)
        if broken.any():
            what = f"a vector that is not finite for {sentences[int(broken.argmax())]!r}"
            raise self._fault(what, "the model or its server is damaged")
        usage = document.get("usage")
        counted = usage.get("total_tokens") if isinstance(usage, dict) else None
        estimate = sum(-(-len(sentence) // CHARACTERS_A_TOKEN) for sentence in sentences)
        self.tokens += counted if isinstance(counted, int) and counted > 0 else estimate
        return vectors

    def _fault(self, what: str, fix: str) -> EvaluationError:
        return EvaluationError(what, fix=fix, place=Place(self._address))
