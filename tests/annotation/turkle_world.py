"""A real Turkle in an environment of its own, and workers who answer by HTTP as a browser does."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).parent
PINS = HERE / "turkle.txt"


@dataclass(frozen=True)
class RunningTurkle:
    """Where a Turkle listens, and the token of its requester."""

    url: str
    token: str


@contextmanager
def running(python: Path, folder: Path, workers: list[str]) -> Iterator[RunningTurkle]:
    """Serve a new Turkle with the interpreter of its environment while the block runs."""
    env = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "turkle_settings",
        "PYTHONPATH": str(HERE),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TURKLE_FOLDER": str(folder),
    }
    start = [str(python), str(HERE / "turkle_serve.py"), *workers]
    log = (folder / "turkle.log").open("w")
    with log, subprocess.Popen(start, env=env, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, (folder / "turkle.log").read_text()[-3000:]
            told = json.loads(line)
            yield RunningTurkle(f"http://127.0.0.1:{told['port']}", told["token"])
        finally:
            process.kill()


class Form(HTMLParser):
    """The fields of the form `mturk_form` of a page, and where it goes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.action = ""
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form or a field."""
        named = dict(attrs)
        if tag == "form":
            self.action = named.get("action") or ""
        if tag == "input" and named.get("name"):
            self.fields[str(named["name"])] = named.get("value") or ""

    def handle_data(self, data: str) -> None:
        """Note the text that a worker reads."""
        self.text += data


class Worker:
    """Somebody with a browser."""

    def __init__(self, turkle: RunningTurkle, name: str) -> None:
        self.turkle, self.name = turkle, name
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
        login = Form(self.page("/login/")[1])
        self.page("/login/", login.fields | {"username": name, "password": name})

    def page(self, path: str, fields: dict[str, str] | None = None) -> tuple[str, str]:
        """Return the path at which a request ends, and the page there."""
        data = urllib.parse.urlencode(fields).encode() if fields is not None else None
        with self.opener.open(self.turkle.url + path, data=data, timeout=20) as answer:
            return urllib.parse.urlsplit(answer.url).path, answer.read().decode("utf-8")

    def next_task(self, batch: int) -> tuple[str, Form] | None:
        """Accept the next task of *batch*; return where its answers go and its form, None when there is none left."""
        path, _ = self.page(f"/batch/{batch}/accept_next_task/")
        found = re.fullmatch(r"/task/(\d+)/assignment/(\d+)/", path)
        if found is None:
            return None
        _, page = self.page(f"/task/{found[1]}/assignment/iframe/{found[2]}/")
        return path, Form(page)

    def hand_in(self, path: str, form: Form, answers: dict[str, str]) -> None:
        """Send *answers* with the hidden fields of the form, its token against forgery among them."""
        assert form.action == path
        self.page(path, form.fields | answers)
