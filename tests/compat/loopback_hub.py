"""A read-only hub on the loopback interface: as much of the protocol as `load_dataset` of any version asks for.

    GET, HEAD  /datasets/{id}/resolve/{revision}/{path}             a file, whole or a range of it
    GET        /api/datasets/{id}[/revision/{revision}]             the commit and the names of its files
    GET        /api/datasets/{id}/tree/{revision}[/{folder}]        what lies in a folder
    POST       /api/datasets/{id}/paths-info/{revision}             what is known of some paths

A revision is a branch or tag that was given a folder, or the commit id made of that folder's bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RESOLVE = re.compile(r"/datasets/(?P<id>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<path>.+)")
API = re.compile(r"/api/datasets/(?P<id>[^/]+/[^/]+)(?:/(?P<verb>[a-z-]+)/(?P<revision>[^/]+)(?:/(?P<path>.+))?)?")
RANGE = re.compile(r"bytes=(\d+)-(\d*)")
DATE = "2026-01-01T00:00:00.000Z"

Listing = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Commit:
    """The files of one revision."""

    oid: str
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, folder: Path) -> Commit:
        """Return everything in *folder* as a commit, its id made of the paths and bytes."""
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        told = json.dumps({path: hashlib.sha1(data).hexdigest() for path, data in files.items()})  # noqa: S324 (git's)
        return cls(hashlib.sha1(told.encode()).hexdigest(), files)  # noqa: S324

    def tree(self, folder: str, *, recursive: bool) -> Listing | None:
        """Return what lies in *folder* (the root when empty), or None when there is no such folder."""
        start = f"{folder}/" if folder else ""
        inside = [path for path in self.files if path.startswith(start)]
        if not inside:
            return None
        folders = {parent for path in inside for parent in _parents(path) if parent.startswith(start)}
        entries = [self.info(path) for path in sorted({*inside, *folders})]
        return [entry for entry in entries if entry and (recursive or "/" not in entry["path"][len(start) :])]

    def info(self, path: str) -> dict[str, Any] | None:
        """Return what is known of the file or folder *path*."""
        last = {"id": self.oid, "title": "Release", "date": DATE}
        if path in self.files:
            data = self.files[path]
            return {"type": "file", "path": path, "size": len(data), "oid": _blob(data), "lastCommit": last}
        if any(held.startswith(f"{path}/") for held in self.files):
            return {"type": "directory", "path": path, "size": 0, "oid": _blob(path.encode()), "lastCommit": last}
        return None


def _parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()  # noqa: S324 (as git does)


class Handler(BaseHTTPRequestHandler):
    """Answers from the revisions of its server."""

    protocol_version = "HTTP/1.1"
    server: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        address = urllib.parse.urlsplit(self.path)
        path, asked = urllib.parse.unquote(address.path), urllib.parse.parse_qs(address.query)
        if found := RESOLVE.fullmatch(path):
            self._resolve(found)
        elif found := API.fullmatch(path):
            self._api(found, recursive=asked.get("recursive", [""])[0].lower() == "true")
        else:
            self._refuse("EntryNotFound")

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        found = API.fullmatch(urllib.parse.unquote(urllib.parse.urlsplit(self.path).path))
        commit = self._commit(found) if found and found["verb"] == "paths-info" else None
        if commit is None:
            return self._refuse("RevisionNotFound")
        told = json.loads(sent)["paths"] if sent.startswith("{") else urllib.parse.parse_qs(sent)["paths"]
        paths = [told] if isinstance(told, str) else told
        return self._json([entry for path in paths if (entry := commit.info(path.strip("/")))])

    def _commit(self, found: re.Match[str]) -> Commit | None:
        return self.server.find(found["id"], found["revision"] or "main")

    def _api(self, found: re.Match[str], *, recursive: bool) -> None:
        commit = self._commit(found)
        if commit is None:
            return self._refuse("RevisionNotFound" if found["id"] == self.server.repo else "RepoNotFound")
        if found["verb"] == "tree":
            entries = commit.tree((found["path"] or "").strip("/"), recursive=recursive)
            return self._refuse("EntryNotFound") if entries is None else self._json(entries)
        if found["verb"] not in (None, "revision"):
            return self._refuse("EntryNotFound")
        facts = {"id": found["id"], "sha": commit.oid, "private": False, "gated": False, "disabled": False}
        files = [{"rfilename": path} for path in commit.files]
        return self._json({**facts, "tags": [], "downloads": 0, "likes": 0, "lastModified": DATE, "siblings": files})

    def _resolve(self, found: re.Match[str]) -> None:
        commit = self._commit(found)
        if commit is None:
            return self._refuse("RevisionNotFound" if found["id"] == self.server.repo else "RepoNotFound")
        data = commit.files.get(found["path"])
        if data is None:
            return self._refuse("EntryNotFound", commit)
        asked = RANGE.fullmatch(self.headers.get("Range", ""))
        first, end = (int(asked[1]), int(asked[2] or len(data) - 1) + 1) if asked else (0, len(data))
        headers = {"ETag": f'"{_blob(data)}"', "X-Repo-Commit": commit.oid, "Accept-Ranges": "bytes"}
        if asked:
            headers["Content-Range"] = f"bytes {first}-{min(end, len(data)) - 1}/{len(data)}"
        return self._answer(206 if asked else 200, data[first:end], "application/octet-stream", headers)

    def _refuse(self, code: str, commit: Commit | None = None) -> None:
        commit_header = {"X-Repo-Commit": commit.oid} if commit else {}
        self._answer(404, b"{}", "application/json", {"X-Error-Code": code, "X-Error-Message": code, **commit_header})

    def _json(self, value: object) -> None:
        self._answer(200, json.dumps(value).encode(), "application/json", {})

    def _answer(self, status: int, body: bytes, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, ARG002 (the names of the base class)
        self.server.asked.append(f"{self.command} {self.path}")


class Hub(ThreadingHTTPServer):
    """The server: one dataset, its branches and tags, and what was asked of it."""

    daemon_threads = True

    def __init__(self, repo: str, revisions: Mapping[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repo = repo
        self.revisions = {name: Commit.of(folder) for name, folder in revisions.items()}
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        """What `HF_ENDPOINT` has to be."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def find(self, repo: str, revision: str) -> Commit | None:
        """Return the commit that *revision*, a name or an id, stands for in *repo*."""
        if repo != self.repo:
            return None
        by_oid = {commit.oid: commit for commit in self.revisions.values()}
        return self.revisions.get(urllib.parse.unquote(revision)) or by_oid.get(revision)


@contextmanager
def serve(repo: str, revisions: Mapping[str, Path]) -> Iterator[Hub]:
    """Serve the folders of *revisions* as the dataset *repo* until the block ends."""
    hub = Hub(repo, revisions)
    thread = threading.Thread(target=hub.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()
