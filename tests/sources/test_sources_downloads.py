"""Fetching, from a server on this computer: hashed, whole, and only when nothing forbids it."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ncimp.builder.sources import registry
from ncimp.builder.sources.registry import fetch
from ncimp.schemas.errors import SourceError

CONTENT = b"carta\tcarta+N+F+SG\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Serves one file, whole or cut, and an error."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        if self.path == "/gone":
            self.send_error(404)
            return
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", "file:///etc/hostname")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT) + (self.path == "/cut")))
        self.end_headers()
        self.wfile.write(CONTENT)

    def log_message(self, *_arguments: object) -> None:
        """Keep quiet."""


@pytest.fixture(autouse=True)
def no_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "RETRIES", 0)


@pytest.fixture
def server() -> Iterator[str]:
    Handler.asked = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_failed_download_is_tried_again(tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "RETRIES", 1)
    with pytest.raises(SourceError):
        fetch(f"{server}/gone", tmp_path / "file", sha256=None)
    assert Handler.asked == 2


def test_a_file_is_fetched_once_and_hashed(tmp_path: Path, server: str) -> None:
    target = tmp_path / "new" / "file"
    assert fetch(f"{server}/file", target, sha256=None) == SHA256
    assert fetch(f"{server}/file", target, sha256=SHA256) == SHA256
    assert (target.read_bytes(), Handler.asked) == (CONTENT, 1)


def test_a_file_with_another_hash_is_removed(tmp_path: Path, server: str) -> None:
    with pytest.raises(SourceError, match=f"expected {'0' * 64} but got {SHA256}"):
        fetch(f"{server}/file", tmp_path / "file", sha256="0" * 64)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # pooch closes no refused redirect
@pytest.mark.parametrize("path", ["/gone", "/cut", "/elsewhere"])
def test_failed_download_leaves_nothing(tmp_path: Path, server: str, path: str) -> None:
    with pytest.raises(SourceError, match="cannot be fetched") as caught:
        fetch(server + path, tmp_path / "file", sha256=None)
    assert str(caught.value).startswith(server + path)
    assert list(tmp_path.iterdir()) == []


def test_too_large_a_file_is_not_kept(tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MAX_BYTES", 10)
    with pytest.raises(SourceError, match="more than 10 bytes"):
        fetch(f"{server}/file", tmp_path / "file", sha256=None)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_fetched_when_it_is_forbidden(tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NCIMP_OFFLINE", "1")
    with pytest.raises(SourceError, match=f"not fetched, because NCIMP_OFFLINE is set; put the file at {tmp_path}"):
        fetch(f"{server}/file", tmp_path / "file", sha256=None)
    assert Handler.asked == 0


def test_only_the_web_is_asked(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not an address of the web"):
        fetch(f"file://{Path(__file__)}", tmp_path / "file", sha256=None)


def test_a_server_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot be fetched .*; check the network"):
        fetch("http://127.0.0.1:1/file", tmp_path / "file", sha256=None)
