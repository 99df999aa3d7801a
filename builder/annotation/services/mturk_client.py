"""Call Mechanical Turk's API through boto3, with errors in one line and without secrets.

Amazon's service closed on 2026-09-30; its API (JSON 1.1, version 2017-01-17) lives on in compatible servers. The client
repeats a call by itself when a connection breaks, when the server fails, and when it is throttled. A call that makes a
HIT is not repeated blindly: between two attempts the service is asked for the result of the first (`patiently`),
because a compatible server may not know request tokens.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ncimp.builder.annotation.launch import LaunchError, RefusedError, UnansweredError
from ncimp.schemas import Row, UsageError
from ncimp.schemas.http import one_line

SANDBOX = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
LIVE = "https://mturk-requester.us-east-1.amazonaws.com"  # Amazon's own addresses
REGION = "us-east-1"  # the only region that the service had; it is part of the signature
ATTEMPTS = 4  # attempts at a call when the network or the server fails
PAUSES = (1.0, 2.0, 4.0)  # seconds between two attempts at a call that makes a HIT
MAKES_HIT = "create_hit_with_hit_type"  # the call that the client does not repeat by itself
PAGE = 100  # entries of one page of a list, the most that the service gives
CLOSED = (
    "Amazon Mechanical Turk closed on 2026-09-30; name a compatible server with --endpoint, or use Turkle, which takes "
    "the same files, with --to turkle"
)
NO_SERVICE = "this botocore no longer has the client `mturk`: Amazon Mechanical Turk closed on 2026-09-30"
NO_SERVICE_FIX = (
    "use Turkle (--to turkle), which takes the same files; for a compatible server install an older botocore, or put "
    "its service description in a folder named by AWS_DATA_PATH"
)
GIVE_KEYS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
KEY_REFUSED = ("UnrecognizedClientException", "InvalidClientTokenId", "SignatureDoesNotMatch", "AccessDenied")


class Turk:
    """A requester's account on one service; every call raises `RefusedError` or `UnansweredError`."""

    def __init__(self, endpoint: str, *, timeout: float) -> None:
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError, UnknownServiceError
        except ImportError:
            raise UsageError("boto3 is not installed", fix='pip install "ncimp[crowd]"') from None
        self.endpoint = endpoint
        try:
            session = boto3.session.Session()
            clients = []
            for attempts in (ATTEMPTS, 1):
                retries = {"mode": "standard", "total_max_attempts": attempts}
                config = Config(region_name=REGION, connect_timeout=timeout, read_timeout=timeout, retries=retries)
                # the address is always given, so that AWS_ENDPOINT_URL cannot send a launch somewhere else
                clients.append(session.client("mturk", endpoint_url=endpoint, config=config))
            credentials = session.get_credentials()
            keys = credentials.get_frozen_credentials() if credentials else None
        except UnknownServiceError:
            raise UsageError(NO_SERVICE, fix=NO_SERVICE_FIX) from None
        except BotoCoreError as error:
            raise UsageError(f"boto3 cannot begin ({type(error).__name__})", fix=GIVE_KEYS) from None
        if keys is None:
            raise UsageError("there are no keys for the account", fix=GIVE_KEYS)
        self._patient, self._single = clients
        self._secrets = tuple(filter(None, (keys.secret_key, keys.token, keys.access_key)))

    def call(self, operation: str, **parameters: object) -> Row:
        """Return the answer to *operation*, a method of the client such as `create_hit_type`."""
        client = self._single if operation == MAKES_HIT else self._patient
        with self._errors(operation):
            answer: Row = getattr(client, operation)(**parameters)
        return answer

    def hit(self, identity: str) -> Row:
        """Return the HIT *identity* as the service describes it."""
        hit: Row = entry(self.call("get_hit", HITId=identity), "HIT", dict)
        return hit

    def pages(self, operation: str, entries: str, **parameters: object) -> Iterator[Row]:
        """Yield every one of the *entries* of a list, over all its pages."""
        paginator = self._patient.get_paginator(operation)
        pages = iter(paginator.paginate(**parameters, PaginationConfig={"PageSize": PAGE}))
        while True:
            with self._errors(operation):
                page = next(pages, None)
            if page is None:
                return
            yield from entry(page, entries, list)

    @contextmanager
    def _errors(self, operation: str) -> Iterator[None]:
        from botocore import exceptions

        try:
            yield
        except exceptions.ClientError as error:
            raise self._refusal(operation, error) from None
        except exceptions.ParamValidationError as error:
            raise RefusedError(f"{operation}: {self._clean(str(error))}", code="ParamValidation") from None
        except (exceptions.NoCredentialsError, exceptions.PartialCredentialsError, exceptions.ProfileNotFound):
            raise RefusedError("there are no keys for the account", code="NoCredentials", fix=GIVE_KEYS) from None
        except exceptions.BotoCoreError as error:
            what = f"{operation}: no answer from {self.endpoint} ({type(error).__name__})"
            raise UnansweredError(f"{what}. {CLOSED}" if self.endpoint in (SANDBOX, LIVE) else what) from None
        except Exception as error:  # noqa: BLE001 (the parsers of boto3 let some of their own through)
            what = f"{operation}: the answer cannot be understood ({type(error).__name__})"
            raise UnansweredError(what) from None

    def _refusal(self, operation: str, error: Any) -> LaunchError:
        details = error.response.get("Error", {})
        code = str(error.response.get("TurkErrorCode") or details.get("Code") or "")
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        message = self._clean(str(error.response.get("Message") or details.get("Message") or "no reason given"))
        if details.get("Code") in KEY_REFUSED:
            fix = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            return RefusedError(f"{operation}: the keys are refused ({details['Code']})", code=code, fix=fix)
        if not 400 <= status < 500 or "Throttling" in code or details.get("Code") == "ServiceFault":
            return UnansweredError(f"{operation}: {one_line(code)} (status {status}): {message}")
        return RefusedError(f"{operation}: {one_line(code)}: {message}", code=code)

    def _clean(self, text: str) -> str:
        return one_line(text, *self._secrets)


def patiently(make: Callable[[], str], find: Callable[[], str | None]) -> str:
    """Return the id from *make*; after a call without an answer, the id from *find*, or from another attempt."""
    for pause in PAUSES:
        try:
            return make()
        except UnansweredError:
            time.sleep(pause)
            if (identity := find()) is not None:
                return identity
    return make()


def entry(answer: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return the entry *name* of an answer; raise `UnansweredError` when it is missing or not of *kind*."""
    value = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(value, kind):
        raise UnansweredError(f"the answer of the service has no {name}")
    return value
