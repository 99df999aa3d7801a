"""Turkle's API when it answers badly: one line of error, nothing half-believed, the token stays where it belongs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ncimp.builder.annotation.launch import LaunchError, RefusedError, UnansweredError
from ncimp.builder.annotation.services.turkle import Turkle, progress, result_rows
from ncimp.builder.cli import main
from ncimp.schemas.errors import UsageError
from tests.annotation.launch_world import make_batch

TOKEN = "0123456789abcdef-secret"  # noqa: S105
PROGRESS = (
    b'{"total_tasks": 2, "total_task_assignments": 4, "total_finished_tasks": 0, "total_finished_task_assignments": 2}'
)
HEADER = '"HITId","AssignmentId","WorkerId","Input.task_id","Answer.synonym1_1"\n'


class Script:
    """What the server answers next by path: status, bytes, stated length (None: the true one), other headers."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, bytes, int | None, dict[str, str]]] = {}
        self.tokens: list[str] = []
        self.url = ""

    def says(
        self, path: str, content: bytes, *, status: int = 200, stated: int | None = None, location: str = ""
    ) -> None:
        """Answer requests to *path* of the API so from now on."""
        self.answers[f"/api/{path}"] = (status, content, stated, {"Location": location} if location else {})


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    made = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.tokens.append(self.headers.get("Authorization", ""))
            status, content, stated, headers = made.answers.get(self.path, (404, b'{"detail": "Not found."}', None, {}))
            self.send_response(status)
            self.send_header("Content-Length", str(len(content) if stated is None else stated))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    monkeypatch.setenv("TURKLE_TOKEN", TOKEN)
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def turkle(script: Script) -> Turkle:
    return Turkle(script.url, timeout=2)


def rows(*cells: str) -> bytes:
    return (HEADER + "".join(f'"1","{number}","7","t","{cell}"\n' for number, cell in enumerate(cells))).encode()


def test_results_whose_length_is_stated_in_characters_come_whole(script: Script, turkle: Turkle) -> None:
    content = rows("ação", "coração partido à noite")
    script.says("batches/1/progress/", PROGRESS)
    script.says("batches/1/results/", content, stated=len(content.decode()))
    assert [row["Answer.synonym1_1"] for row in result_rows(turkle, 1)] == ["ação", "coração partido à noite"]


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (rows("a"), None),  # two are finished
        (rows("a", "b"), 10_000),  # the connection breaks
        (rows("a", "b")[:-8], None),  # somebody on the way has cut it
        (b"", None),
        (b"<html>busy</html>", None),
        (b'"AssignmentId"\n"1"\n"2"\n', None),
        (b"\xff\xfe", None),
    ],
)
def test_results_that_are_not_whole_are_not_believed(
    script: Script, turkle: Turkle, content: bytes, stated: int | None
) -> None:
    script.says("batches/1/progress/", PROGRESS)
    script.says("batches/1/results/", content, stated=stated)
    with pytest.raises(Exception) as error:  # noqa: PT011
        list(result_rows(turkle, 1))
    assert isinstance(error.value, LaunchError) or error.type.__name__ == "SchemaError"


@pytest.mark.parametrize("content", [b"", b"nonsense", b"[]", b"7", b'{"total_tasks": "2"}', b"[" * 100_000])
def test_progress_of_another_shape_is_not_believed(script: Script, turkle: Turkle, content: bytes) -> None:
    script.says("batches/1/progress/", content)
    with pytest.raises(UnansweredError):
        progress(turkle, 1)


@pytest.mark.parametrize(
    ("status", "kind", "what"),
    [
        (400, RefusedError, "refused \\(status 400\\) .*bad"),
        (401, RefusedError, "check TURKLE_TOKEN"),
        (403, RefusedError, "check TURKLE_TOKEN"),
        (404, RefusedError, "status 404"),
        (500, UnansweredError, "status 500"),
        (302, RefusedError, "the address leads elsewhere"),
    ],
)
def test_a_status_is_told_without_the_token(
    script: Script, turkle: Turkle, status: int, kind: type[LaunchError], what: str
) -> None:
    elsewhere = f"{script.url}/api/stolen/" if status == 302 else ""
    script.says("projects/", f'{{"detail": "bad \x1b[31m {TOKEN}"}}'.encode(), status=status, location=elsewhere)
    with pytest.raises(kind, match=what) as error:
        turkle.send("POST", "projects/", {})
    assert TOKEN not in str(error.value)
    assert "\x1b" not in str(error.value)
    assert len(script.tokens) == 1  # a redirect was not followed: it would carry the token along


def test_all_pages_of_a_list_come_from_the_same_server(script: Script, turkle: Turkle) -> None:
    script.says(
        "projects/?page=1", b'{"results": [{"id": 1}], "next": "https://elsewhere.example.org/api/projects/?page=2"}'
    )
    script.says("projects/?page=2", b'{"results": [{"id": 2}], "next": null}')
    assert [one["id"] for one in turkle.pages("projects/")] == [1, 2]
    assert set(script.tokens) == {f"TOKEN {TOKEN}"}


@pytest.mark.parametrize("token", ["", "  ", "two words", "ação", "line\nend"])
def test_a_token_that_is_none_is_refused(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURKLE_TOKEN", token)
    with pytest.raises(UsageError) as error:
        Turkle("http://127.0.0.1:1", timeout=1)
    assert not token.strip() or token not in str(error.value)


def test_a_server_that_is_no_turkle_is_told_in_one_line(
    script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = make_batch(tmp_path / "pilot", to="turkle")
    arguments = ["launch", "start", str(batch), "--endpoint", script.url, "--send", "--timeout", "2"]
    script.says("projects/?page=1", b"<html>Welcome</html>")
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"ncimp launch start: {script.url} answers something else than JSON; is it a Turkle?")
    assert said.count("\n") == 1
    arguments[4] = "http://127.0.0.1:1"
    assert main(arguments) == 1
    assert "no answer from http://127.0.0.1:1 ([Errno 111] Connection refused)" in capsys.readouterr().err
