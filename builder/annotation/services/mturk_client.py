"""Mechanical Turk's API through boto3: one client, paging, and its errors in our words, without secrets.

Amazon's service closed on 2026-09-30. Its API (JSON 1.1, version 2017-01-17) lives on in compatible servers, and
botocore still carries its description; the day it does not, one message says what to do. The client
repeats a call by itself when a connection breaks, when the server fails, and when it asks for patience. Calls that
pay are not repeated blindly: between two attempts the service is asked what came of the first (`patiently`),
because a compatible server may not know request tokens.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ncimp.builder.annotation.launch.errors import LaunchError, RefusedError, UnansweredError
from ncimp.builder.annotation.launch.place import LIVE, SANDBOX
from ncimp.schemas.errors import UsageError

REGION = "us-east-1"
"""The only region that the service had; it is part of the signature."""

ATTEMPTS = 4
"""How often a call is made before giving up, when the network or the server fails."""

PAUSES = (1.0, 2.0, 4.0)
"""Seconds between two attempts at a call that pays."""

PAYING = ("create_hit_with_hit_type", "send_bonus")
"""Calls that the client does not repeat by itself."""

PAGE = 100
"""Entries of one page of a list, the most that the service gives."""

CLOSED = (
    "Amazon Mechanical Turk closed on 2026-09-30; a compatible server is named by --endpoint, and Turkle takes the "
    "same files with --to turkle"
)

NO_SERVICE = "this botocore no longer has the client `mturk`: Amazon Mechanical Turk closed on 2026-09-30"
NO_SERVICE_FIX = (
    "use Turkle (--to turkle), which takes the same files; for a compatible server install an older botocore, or put "
    "its service description in a folder named by AWS_DATA_PATH"
)

GIVE_KEYS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"

LONGEST_REASON = 300
"""Characters of a service's message that are shown."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")
"""What must not reach a terminal from somebody else's message."""

KEY_REFUSED = ("UnrecognizedClientException", "InvalidClientTokenId", "SignatureDoesNotMatch", "AccessDenied")

Answer = dict[str, Any]


class Turk:
    """A requester's account on one service; every call raises `RefusedError` or `UnansweredError`."""

    def __init__(self, endpoint: str, *, timeout: float) -> None:
        self.endpoint = endpoint
        self._client, self._paying, self._secrets = _connect(endpoint, timeout)

    def ask(self, operation: str, **parameters: object) -> Answer:
        """Return the answer to *operation*, a method of the client such as `create_hit_type`."""
        client = self._paying if operation in PAYING else self._client
        with _Told(self, operation):
            answer: Answer = getattr(client, operation)(**parameters)
        return answer

    def pages(self, operation: str, entries: str, **parameters: object) -> Iterator[Answer]:
        """Yield every one of the *entries* of a list, over all its pages."""
        pages = self._client.get_paginator(operation).paginate(**parameters, PaginationConfig={"PageSize": PAGE})
        pages = iter(pages)
        while True:
            with _Told(self, operation):
                page = next(pages, None)
            if page is None:
                return
            yield from part(page, entries, list)

    def clean(self, text: str) -> str:
        """Return *text* short, on one line, and without anything that is secret."""
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return clipped(text)


def patiently(make: Callable[[], str], find: Callable[[], str | None]) -> str:
    """Return the id that *make* gives; while it is left unanswered, what *find* gives, or another attempt's."""
    for pause in PAUSES:
        try:
            return make()
        except UnansweredError:
            time.sleep(pause)
            found = find()
            if found is not None:
                return found
    return make()


def clipped(text: str) -> str:
    """Return *text* on one line, without control characters, and not too long to be shown."""
    line = " ".join(CONTROL.sub(" ", text).split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def part(answer: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return the part *name* of an answer, or raise `UnansweredError` when it is not there or not of *kind*."""
    found = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(found, kind):
        raise UnansweredError(f"the service answered something else than {name}")
    return found


class _Told:
    """Turn what boto3 raises in the block into our errors."""

    def __init__(self, turk: Turk, operation: str) -> None:
        self.turk, self.operation = turk, operation

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

        if isinstance(error, ClientError):
            raise self._of_answer(error) from None
        if isinstance(error, ParamValidationError):
            raise RefusedError(f"{self.operation}: {self.turk.clean(str(error))}", code="ParamValidation") from None
        if isinstance(error, BotoCoreError):
            raise self._of_network(error) from None
        if isinstance(error, Exception):  # the parsers of boto3 let some of their own through
            what = f"{self.operation}: the answer cannot be understood ({type(error).__name__})"
            raise UnansweredError(what) from None

    def _of_answer(self, error: Any) -> LaunchError:
        told = error.response.get("Error", {})
        code = str(error.response.get("TurkErrorCode") or told.get("Code") or "")
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        message = self.turk.clean(str(error.response.get("Message") or told.get("Message") or "no reason given"))
        if told.get("Code") in KEY_REFUSED:
            fix = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            return RefusedError(f"{self.operation}: the keys are refused ({told['Code']})", code=code, fix=fix)
        if not 400 <= status < 500 or "Throttling" in code or told.get("Code") == "ServiceFault":
            return UnansweredError(f"{self.operation}: {clipped(code)} (status {status}): {message}")
        return RefusedError(f"{self.operation}: {clipped(code)}: {message}", code=code)

    def _of_network(self, error: Any) -> LaunchError:
        from botocore.exceptions import NoCredentialsError, PartialCredentialsError, ProfileNotFound

        if isinstance(error, NoCredentialsError | PartialCredentialsError | ProfileNotFound):
            return RefusedError("there are no keys for the account", code="NoCredentials", fix=GIVE_KEYS)
        what = f"{self.operation}: no answer from {self.turk.endpoint} ({type(error).__name__})"
        if self.turk.endpoint in (SANDBOX, LIVE):
            what += f". {CLOSED}"
        return UnansweredError(what)


def _connect(endpoint: str, timeout: float) -> tuple[Any, Any, tuple[str, ...]]:
    """Return a client, another that makes every call once, and what must never be shown."""
    try:
        import boto3
        from botocore.exceptions import BotoCoreError, UnknownServiceError
    except ImportError:
        raise UsageError("boto3 is not installed", fix='pip install "ncimp[crowd]"') from None
    try:
        session = boto3.session.Session()
        patient, single = (_client(session, endpoint, timeout, attempts) for attempts in (ATTEMPTS, 1))
        keys = session.get_credentials()
        frozen = keys.get_frozen_credentials() if keys else None
    except UnknownServiceError:
        raise UsageError(NO_SERVICE, fix=NO_SERVICE_FIX) from None
    except BotoCoreError as error:
        raise UsageError(f"boto3 cannot begin ({type(error).__name__})", fix=GIVE_KEYS) from None
    if frozen is None:
        raise UsageError("there are no keys for the account", fix=GIVE_KEYS)
    return patient, single, tuple(secret for secret in (frozen.secret_key, frozen.token, frozen.access_key) if secret)


def _client(session: Any, endpoint: str, timeout: float, attempts: int) -> Any:
    from botocore.config import Config

    config = Config(
        region_name=REGION,
        connect_timeout=timeout,
        read_timeout=timeout,
        retries={"mode": "standard", "total_max_attempts": attempts},
    )
    # the address is always given, so that AWS_ENDPOINT_URL cannot send a launch somewhere else
    return session.client("mturk", endpoint_url=endpoint, config=config)
