"""An embedding endpoint on this computer that is busy, breaks, lies or moves: one message each, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncimp.evaluator.models import Cache, open_endpoint
from ncimp.evaluator.models import store as source_module
from ncimp.evaluator.models.endpoint import ATTEMPTS, EndpointEncoder, EndpointOptions
from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError, UsageError
from ncimp.schemas.http import LONGEST_WAIT
from tests.conftest import serving

KEY = "sk-very-secret"  # of the server below
Answer = tuple[int, Any, dict[str, str]]


def item(sentence: str) -> Item:
    return Item("en/c/nat1/orig", "en", "en/c", "nat1", "orig", ("x",), (0, 1), sentence=sentence, span=(0, 1))


def good(asked: dict[str, Any]) -> Any:
    rows = [{"index": n, "embedding": [len(text), text.count("a")]} for n, text in enumerate(asked["input"])]
    return {"data": rows[::-1], "usage": {"total_tokens": 10 * len(rows)}}


class Server(ThreadingHTTPServer):
    """Answers with what is in `planned`, one after the other, and then well."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.planned: list[Callable[[dict[str, Any]], Answer]] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.keys.append(self.headers["Authorization"])
        plan = self.server.planned.pop(0) if self.server.planned else lambda body: (200, good(body), {})
        status, content, headers = plan(asked) if self.path == "/v1/embeddings" else (404, "not here", {})
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


def says(status: int, content: Any, **headers: str) -> Callable[[dict[str, Any]], Answer]:
    return lambda _asked: (status, content, {name.replace("_", "-"): value for name, value in headers.items()})


def sentences(server: Server, waits: list[float], texts: list[str], cache: Path | None = None, **options: Any) -> Any:
    chosen = EndpointOptions(server.url, wait=waits.append, **options)
    return open_endpoint("m", chosen, cache=Cache(cache)).source.sentence([item(text) for text in texts])


def refusal(server: Server, waits: list[float], **options: Any) -> str:
    with pytest.raises(EvaluationError) as caught:
        sentences(server, waits, ["aa", "b"], **options)
    assert str(caught.value).startswith(f"{server.url}/embeddings: ")
    assert caught.value.fix
    assert KEY not in str(caught.value)
    return str(caught.value)


def test_vectors_come_back_in_order_and_each_sentence_is_sent_once(
    server: Server, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    found = sentences(server, waits, ["aa", "b", "aab", "aa"], batch=2, key_env="MY_KEY")
    np.testing.assert_array_equal(found, [[2, 2], [1, 0], [3, 2], [2, 2]])
    assert [asked["input"] for asked in server.asked] == [["aab", "aa"], ["b"]]
    assert {(asked["model"], asked["encoding_format"]) for asked in server.asked} == {("m", "float")}
    assert server.keys == [f"Bearer {KEY}"] * 2


def test_an_endpoint_knows_no_spans_and_may_need_no_key(server: Server) -> None:
    opened = open_endpoint("m", EndpointOptions(server.url))
    assert opened.source.span([item("aa")]) is None
    assert server.keys == [None]
    assert (opened.model.kind, opened.model.sha256, opened.model.options) == (
        "endpoint",
        None,
        {"endpoint": server.url},
    )


def test_the_budget_is_one_also_where_the_model_was_unload(server: Server) -> None:
    source: Any = open_endpoint("m", EndpointOptions(server.url, max_requests=1)).source
    source.sentence([item("aa")])
    source.unload()
    with pytest.raises(EvaluationError, match="the budget of 1 requests is used up"):
        source.sentence([item("ab")])


def test_a_busy_server_is_asked_again_after_longer_and_longer_waits(server: Server, waits: list[float]) -> None:
    server.planned = [
        says(429, {}),
        says(500, b"<html>"),
        says(503, {}, Retry_After="7"),
        says(429, {}, Retry_After="soon"),
    ]
    assert sentences(server, waits, ["aa"]).tolist() == [[2, 2]]
    assert waits == [1, 2, 7, 8]


def test_no_wait_is_endless(server: Server, waits: list[float]) -> None:
    server.planned = [
        says(429, {}, Retry_After="86400"),
        says(429, {}, Retry_After="inf"),
        says(429, {}, Retry_After="-5"),
    ]
    sentences(server, waits, ["aa"])
    assert waits == [LONGEST_WAIT, 2, 0]


def test_a_server_that_never_answers_well_is_given_up(server: Server, waits: list[float]) -> None:
    server.planned = [says(500, {"error": {"message": "down for\nrepairs"}})] * 99
    assert "gave up after 6 attempts (HTTP 500: down for" in refusal(server, waits)
    assert len(server.asked) == ATTEMPTS
    assert len(waits) == ATTEMPTS - 1


def test_a_server_that_is_not_there(waits: list[float]) -> None:
    gone = Server()
    gone.server_close()
    assert "attempts (" in refusal(gone, waits)


@pytest.mark.parametrize(
    ("status", "content", "fault"),
    [
        (401, {"error": {"message": f"wrong key {KEY}"}}, "HTTP 401: wrong key ***; check address, model name and key"),
        (404, {"error": {"message": "no such model"}}, "HTTP 404: no such model"),
        (400, b"", "HTTP 400: Bad Request"),
        (307, b"", "HTTP 307"),
        (200, b"<html>garbage</html>", "no answer in the protocol (JSONDecodeError"),
        (200, b"", "no answer in the protocol"),
        (200, b"\xff\xfe", "no answer in the protocol"),
        (200, [], "no answer in the protocol"),
        (200, {"data": None}, "no answer in the protocol"),
        (200, {"data": [{"index": 0, "embedding": [1]}]}, "1 vectors for 2 sentences"),
        (200, {"data": [{"index": n, "embedding": []} for n in (0, 1)]}, "2 vectors for 2 sentences"),
        (200, {"data": [{"index": 0, "embedding": [1]}] * 2}, "2 vectors for 2 sentences"),
        (200, {"data": [{"index": n, "embedding": [1] * (n + 1)} for n in (0, 1)]}, "no answer in the protocol"),
        (200, {"data": [{"index": n, "embedding": ["x"]} for n in (0, 1)]}, "no answer in the protocol"),
        (200, {"data": [{"index": n, "embedding": [None]} for n in (0, 1)]}, "no answer in the protocol"),
        (200, {"data": [{"index": n, "embedding": [float("nan")]} for n in (0, 1)]}, "not finite for 'aa'"),
        (200, {"data": [{"index": n, "embedding": [1e300]} for n in (0, 1)]}, "not finite for 'aa'"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_answers_that_are_no_use(
    server: Server, waits: list[float], monkeypatch: pytest.MonkeyPatch, status: int, content: Any, fault: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.planned = [says(status, content, Location="http://127.0.0.1:9/v1/embeddings")]
    assert fault in refusal(server, waits)
    assert (len(server.asked), waits) == (1, [])


def test_another_width_than_before(server: Server, waits: list[float]) -> None:
    server.planned = [says(200, {"data": [{"index": 0, "embedding": [1, 2, 3]}]})]
    assert "a vector of 2 dimensions after some of 3" in refusal(server, waits, batch=1)


@pytest.mark.parametrize(("limit", "unit"), [({"max_requests": 2}, "requests"), ({"max_tokens": 11}, "tokens")])
def test_the_budget_ends_a_run_and_the_next_one_goes_on(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: dict[str, int], unit: str
) -> None:
    monkeypatch.setattr(source_module, "WINDOW", 1)
    texts = ["a", "aa", "aaa", "aaaa"]
    with pytest.raises(EvaluationError, match=f"the budget of {limit[f'max_{unit}']} {unit} is used up; allow more"):
        sentences(server, [], texts, tmp_path, **limit)
    assert [asked["input"] for asked in server.asked] == [["aaaa"], ["aaa"]]
    assert sentences(server, [], texts, tmp_path, **limit)[:, 0].tolist() == [1, 2, 3, 4]
    assert [asked["input"] for asked in server.asked[2:]] == [["aa"], ["a"]]


def test_tokens_that_a_server_does_not_count_are_estimated(server: Server) -> None:
    server.planned = [says(200, {"data": [{"index": 0, "embedding": [1, 2]}]})]
    encoder = EndpointEncoder("m", EndpointOptions(server.url))
    encoder._embed(["abcde"])
    assert encoder.tokens == 2


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("ftp://host/v1", "the endpoint is not an http address"),
        ("host/v1", "the endpoint is not an http address"),
        ("https://user:pass@host/v1", "the address of the endpoint holds more than a place"),
        ("https://host/v1?key=abc", "the address of the endpoint holds more than a place"),
        ("http://example.org/v1", "the key would be sent unencrypted"),
    ],
)
def test_addresses_that_are_refused(monkeypatch: pytest.MonkeyPatch, url: str, fault: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(UsageError, match=fault):
        EndpointOptions(url)
