"""Calls to a server of the test: errors in one line, no redirects, no secrets, waits that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ncimp.schemas.http import LONGEST_WAIT, HttpClient, HttpError, retry
from tests.conftest import serving

SECRET = "sk-secret"  # noqa: S105


class Server(ThreadingHTTPServer):
    """Answers with a status, content and headers; notes the paths and secrets that arrive."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: tuple[int, bytes, dict[str, str]] = (200, b"{}", {})
        self.requests: list[tuple[str, str | None]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.path, self.headers["Authorization"]))
        status, content, headers = self.server.answer
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(content))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


def client(server: Server, largest: int = 1000) -> HttpClient:
    return HttpClient(
        server.url, timeout=2, largest=largest, secret=SECRET, headers={"Authorization": f"Bearer {SECRET}"}
    )


def error_of(server: Server, **options: int) -> HttpError:
    with pytest.raises(HttpError) as caught:
        client(server, **options).request("POST", f"{server.url}/x", {"a": 1})
    assert SECRET not in caught.value.text
    assert caught.value.text.isprintable()
    return caught.value


def test_request_returns_content(server: Server) -> None:
    server.answer = (200, "ação".encode(), {})
    assert client(server).request("POST", f"{server.url}/x", {}).decode() == "ação"
    assert server.requests == [("/x", f"Bearer {SECRET}")]


def test_redirect_is_refused(server: Server) -> None:
    server.answer = (302, b"", {"Location": f"{server.url}/elsewhere"})
    error = error_of(server)
    assert (error.status, error.temporary, len(server.requests)) == (302, False, 1)


def test_error_is_one_line_without_the_secret(server: Server) -> None:
    server.answer = (400, f"bad \x1b[31m\nkey {SECRET}".encode(), {})
    assert error_of(server).text == "bad [31m key ***"


@pytest.mark.parametrize(("header", "wait"), [("7", 7.0), ("soon", None), ("inf", None), ("-5", 0.0)])
def test_retry_after_is_read(server: Server, header: str, wait: float | None) -> None:
    server.answer = (429, b"busy", {"Retry-After": header})
    error = error_of(server)
    assert (error.wait, error.temporary) == (wait, True)


def test_broken_and_oversized_answers_are_errors(server: Server) -> None:
    server.answer = (200, b"x" * 50, {"Content-Length": "90"})
    assert error_of(server).status is None
    server.answer = (200, b"x" * 50, {})
    assert error_of(server, largest=20).text == "more than 20 bytes"
    server.url = "http://127.0.0.1:1"
    assert "refused" in error_of(server).text


def test_local_servers_are_reached_without_a_proxy(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert client(server).request("POST", f"{server.url}/x") == b"{}"


def test_retry_waits_longer_each_time() -> None:
    waits: list[float] = []
    errors = [HttpError("a", status=503), HttpError("b"), HttpError("c", status=429, wait=9000.0)]

    def call() -> str:
        if errors:
            raise errors.pop(0)
        return "done"

    assert retry(call, attempts=4, sleep=waits.append) == "done"
    assert waits == [1.0, 2.0, LONGEST_WAIT]


@pytest.mark.parametrize(("error", "calls"), [(HttpError("no", status=404), 1), (HttpError("busy", status=503), 3)])
def test_retry_gives_up(error: HttpError, calls: int) -> None:
    waits: list[float] = []

    def call() -> str:
        raise error

    with pytest.raises(HttpError):
        retry(call, attempts=3, sleep=waits.append)
    assert len(waits) == calls - 1
