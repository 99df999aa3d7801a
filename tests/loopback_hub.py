"""A small model of the Hugging Face Hub on this computer: for tests of publishing, of loading that, and of models.

It keeps one promise of the real one that matters here: a commit is a whole tree, made in one step. Repositories are in
memory; files are in large file storage where their name says so, as the Hub's `.gitattributes` does; objects uploaded
there are checked against their sha256, and a commit that names an object it never got is refused. What it answers,
and to which address, follows the measured calls of huggingface_hub 0.26 to 2.4 and datasets 2.21 to 5.2.

A `Fault` makes one kind of request go wrong: an error, a connection cut before, while or after the thing is done, a
slow answer, or somebody else who is faster.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

WRITER, READER = "hf_writer_secret", "hf_reader_secret"
"""The tokens that this hub knows: of one who may write, and of one who may not."""

ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
"""What a new repository holds."""

SLOW = 1.2
"""Seconds that a slow server takes."""

DATE = "2026-01-01T00:00:00.000Z"
"""The day of every commit."""

RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: close at once, without waiting for the other side."""


@dataclass(frozen=True)
class Blob:
    """The content of a file, and whether it is in large file storage."""

    data: bytes
    lfs: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def oid(self) -> str:
        """What git calls the content: of the pointer, where the content is elsewhere."""
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(self.data)}\n"
        data = pointer.encode() if self.lfs else self.data
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


Tree = dict[str, Blob]


@dataclass
class Repo:
    """A repository: the tree of every commit, and what its branches and tags stand for."""

    commits: dict[str, Tree] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    private: bool = False

    def commit(self, tree: Tree, summary: str, branch: str = "main") -> str:
        """Put *tree* on top of *branch* in one step; return the id of the commit."""
        named = json.dumps([self.branches.get(branch), summary, {path: blob.oid for path, blob in tree.items()}])
        oid = hashlib.sha1(named.encode(), usedforsecurity=False).hexdigest()
        self.commits[oid] = tree
        self.branches[branch] = oid
        return oid

    def resolve(self, revision: str) -> str:
        """Return the commit that *revision* stands for, or raise `RefusalError`."""
        oid = self.branches.get(revision) or self.tags.get(revision) or revision
        if oid not in self.commits:
            raise RefusalError(404, f"no revision {revision}", "RevisionNotFound")
        return oid

    def tree(self, revision: str) -> Tree:
        """Return the files of *revision*."""
        return self.commits[self.resolve(revision)]


class RefusalError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


@dataclass
class Fault:
    """What goes wrong with requests *at* a route, the first *times* times."""

    at: str
    kind: str
    """A status; or `cut` (in mid-request), `lost` (done, not answered), `slow`, `race` (somebody else is first)."""
    times: int = 1_000_000
    skip: int = 0
    """How many requests go well before."""


class LoopbackHub:
    """The hub's state and its server; `url` is where it listens while `serving`."""

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.stored: dict[str, bytes] = {}
        self.faults: list[Fault] = []
        self.asked: list[tuple[str, str]] = []
        """Method and route of every request, in order."""
        self.paths: list[str] = []
        """The path of every request, in order."""
        self.page = 1000
        self.url = ""
        self.closing = threading.Event()
        self.lock = threading.RLock()
        self.busy = 0
        self.done = threading.Condition()

    def repo(self, name: str) -> Repo:
        """Return the repository *name*, or raise `RefusalError`."""
        if name not in self.repos:
            raise RefusalError(404, "Repository not found", "RepoNotFound")
        return self.repos[name]

    def create(self, name: str, *, private: bool = False) -> Repo:
        """Make a repository with the hub's own first commit."""
        made = self.repos[name] = Repo(private=private)
        made.commit({".gitattributes": Blob(ATTRIBUTES, False)}, "initial commit")
        return made

    def fault(self, route: str) -> str:
        """Return the fault that happens now at *route*, or nothing."""
        with self.lock:
            for fault in self.faults:
                if fault.at == route and fault.skip > 0:
                    fault.skip -= 1
                elif fault.at == route and fault.times > 0:
                    fault.times -= 1
                    return fault.kind
        return ""

    def settle(self) -> None:
        """Wait until everything that was asked is done, whether or not the client has waited for it."""
        with self.done:
            self.done.wait_for(lambda: self.busy == 0, timeout=10)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count a request while the block runs."""
        with self.done:
            self.busy += 1
        try:
            yield
        finally:
            with self.done:
                self.busy -= 1
                self.done.notify_all()

    def writes(self) -> list[str]:
        """Return the routes of all requests that were not mere looking, in order."""
        return [route for method, route in self.asked if method not in ("GET", "HEAD")]


Answer = tuple[int, Any, Mapping[str, str]]
Route = Callable[["Request"], Answer]


@dataclass
class Request:
    """A request to a route: the parts of its address, its body, and the hub."""

    hub: LoopbackHub
    parts: Mapping[str, str]
    query: Mapping[str, list[str]]
    body: bytes
    token: str

    @property
    def repo(self) -> Repo:
        return self.hub.repo(self.parts["repo"])

    @property
    def revision(self) -> str:
        return unquote(self.parts["rev"])

    def json(self) -> Any:
        return json.loads(self.body)


def create_repo(request: Request) -> Answer:
    wanted = request.json()
    name = f"{wanted['organization']}/{wanted['name']}"
    if name in request.hub.repos:
        raise RefusalError(409, "You already created this dataset repo")
    request.hub.create(name, private=wanted.get("private") or wanted.get("visibility") == "private")
    return 200, {"url": f"{request.hub.url}/datasets/{name}", "id": name}, {}


def validate_yaml(request: Request) -> Answer:
    header = request.json()["content"].split("---\n")
    try:
        known = isinstance(yaml.safe_load(header[1]), dict) if len(header) > 2 else True
    except yaml.YAMLError:
        known = False
    if not known:
        return 400, {"errors": [{"message": "the header is not YAML"}], "warnings": []}, {}
    return 200, {"errors": [], "warnings": []}, {}


def refs(request: Request) -> Answer:
    def listed(kind: str, names: Mapping[str, str]) -> list[Any]:
        return [{"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": oid} for name, oid in names.items()]

    repo = request.repo
    return 200, {"branches": listed("heads", repo.branches), "tags": listed("tags", repo.tags), "converts": []}, {}


def tree(request: Request) -> Answer:
    files = request.repo.tree(request.revision)
    under = unquote(request.parts.get("path") or "")
    recursive = request.query.get("recursive", ["false"])[0].lower() == "true"
    last = {"id": request.repo.resolve(request.revision), "title": "A commit", "date": DATE}
    entries = [entry | {"lastCommit": last} for entry in list_tree(files, f"{under}/" if under else "", recursive)]
    if under and not entries:
        raise RefusalError(404, f"no folder {under}", "EntryNotFound")
    start = int(request.query.get("cursor", ["0"])[0])
    end = start + request.hub.page
    more = f"?recursive={recursive}&cursor={end}"
    path = f"/api/{request.parts['kind']}/{request.parts['repo']}/tree/{request.parts['rev']}"
    follow = {"Link": f'<{request.hub.url}{path}{more}>; rel="next"'} if end < len(entries) else {}
    return 200, entries[start:end], follow


def list_tree(files: Tree, under: str, recursive: bool) -> Iterator[dict[str, Any]]:
    """Yield what the hub says of each file and folder below *under*."""
    folders: set[str] = set()
    for path, blob in sorted(files.items()):
        inside = path.removeprefix(under)
        if not path.startswith(under):
            continue
        steps = inside.split("/")[:-1]
        for depth in range(1, len(steps) + 1 if recursive else min(2, len(steps) + 1)):
            folder = under + "/".join(steps[:depth])
            if folder not in folders:
                folders.add(folder)
                yield {"type": "directory", "path": folder, "oid": hashlib.sha1(folder.encode()).hexdigest(), "size": 0}  # noqa: S324
        if recursive or not steps:
            yield file_entry(path, blob)


def file_entry(path: str, blob: Blob) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "path": path, "oid": blob.oid, "size": len(blob.data)}
    if blob.lfs:
        entry["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": 130}
    return entry


def info(request: Request) -> Answer:
    oid = request.repo.resolve(request.revision if request.parts.get("rev") else "main")
    files = [{"rfilename": path} for path in request.repo.commits[oid]]
    name = request.parts["repo"]
    known = {"id": name, "sha": oid, "private": request.repo.private, "tags": [], "siblings": files}
    return 200, {**known, "gated": False, "disabled": False, "downloads": 0, "likes": 0, "lastModified": DATE}, {}


def paths_info(request: Request) -> Answer:
    files = request.repo.tree(request.revision)
    asked = request.json() if request.body.startswith(b"{") else parse_qs(request.body.decode())
    paths = [asked["paths"]] if isinstance(asked["paths"], str) else asked["paths"]
    last = {"id": request.repo.resolve(request.revision), "title": "A commit", "date": DATE}
    entries = []
    for path in (path.strip("/") for path in paths):
        entries += [file_entry(path, files[path])] if path in files else []
        if any(name.startswith(f"{path}/") for name in files):
            entries.append({"type": "directory", "path": path, "oid": "0" * 40, "size": 0})
    return 200, [entry | {"lastCommit": last} for entry in entries], {}


def preupload(request: Request) -> Answer:
    held = request.repo.tree(request.revision)
    files = []
    for wanted in request.json()["files"]:
        path = wanted["path"]
        lfs, known = path.endswith(".parquet"), held.get(path)
        oid = None if known is None else known.sha256 if known.lfs else known.oid
        files.append({"path": path, "uploadMode": "lfs" if lfs else "regular", "shouldIgnore": False, "oid": oid})
    return 200, {"files": files}, {}


def lfs_batch(request: Request) -> Answer:
    objects = []
    for wanted in request.json()["objects"]:
        answer: dict[str, Any] = {"oid": wanted["oid"], "size": wanted["size"]}
        if wanted["oid"] not in request.hub.stored:
            upload, verify = (f"{request.hub.url}/lfs/{step}/{wanted['oid']}" for step in ("put", "verify"))
            answer["actions"] = {"upload": {"href": upload}, "verify": {"href": verify}}
        objects.append(answer)
    return 200, {"transfer": "basic", "objects": objects}, {}


def lfs_put(request: Request) -> Answer:
    if hashlib.sha256(request.body).hexdigest() != request.parts["oid"]:
        raise RefusalError(400, "the bytes are not those of the object")
    request.hub.stored[request.parts["oid"]] = request.body
    return 200, {}, {}


def lfs_verify(request: Request) -> Answer:
    if request.parts["oid"] not in request.hub.stored:
        raise RefusalError(404, "no such object")
    return 200, {}, {}


def commit(request: Request) -> Answer:
    lines = [json.loads(line) for line in request.body.splitlines()]
    header, repo, branch = lines[0]["value"], request.repo, request.revision
    if branch not in repo.branches:
        raise RefusalError(404, f"no branch {branch}", "RevisionNotFound")
    if header.get("parentCommit") not in (None, repo.branches[branch]):
        raise RefusalError(412, "A commit has happened since. Please refresh and try again.")
    files = dict(repo.tree(branch))
    for line in lines[1:]:
        apply(line["key"], line["value"], files, request.hub.stored)
    oid = repo.commit(files, header["summary"], branch)
    address = f"{request.hub.url}/datasets/{request.parts['repo']}/commit/{oid}"
    return 200, {"success": True, "commitOid": oid, "commitUrl": address}, {}


def apply(kind: str, value: Mapping[str, Any], files: Tree, stored: Mapping[str, bytes]) -> None:
    """Do one line of a commit to the tree *files*."""
    path = value["path"]
    if kind == "file":
        files[path] = Blob(base64.b64decode(value["content"]), False)
    elif kind == "lfsFile":
        if value["oid"] not in stored:
            raise RefusalError(400, f"the object of {path} was never uploaded")
        files[path] = Blob(stored[value["oid"]], True)
    elif path not in files:
        raise RefusalError(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
    else:
        del files[path]


def create_branch(request: Request) -> Answer:
    wanted, repo = unquote(request.parts["branch"]), request.repo
    if wanted in repo.branches:
        raise RefusalError(409, f"the branch {wanted} exists already")
    repo.branches[wanted] = repo.resolve((request.json() if request.body else {}).get("startingPoint") or "main")
    return 200, {}, {}


def tag(request: Request) -> Answer:
    wanted, repo = request.json()["tag"], request.repo
    if wanted in repo.tags:
        raise RefusalError(409, f"the tag {wanted} exists already")
    repo.tags[wanted] = repo.resolve(request.revision)
    return 200, {}, {}


def resolve(request: Request) -> Answer:
    oid = request.repo.resolve(request.revision)
    path = unquote(request.parts["path"])
    blob = request.repo.commits[oid].get(path)
    headers = {"X-Repo-Commit": oid, "Accept-Ranges": "bytes"}
    if blob is None:
        return 404, {"error": "Entry not found"}, {**headers, "X-Error-Code": "EntryNotFound"}
    headers["ETag"] = f'"{blob.sha256 if blob.lfs else blob.oid}"'
    if blob.lfs:
        headers |= {"X-Linked-Etag": headers["ETag"], "X-Linked-Size": str(len(blob.data))}
    return 200, blob.data, headers


NAME = r"(?P<repo>[^/]+/[^/]+?)"
KIND = r"(?P<kind>datasets|models)"
ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("create", r"POST /api/repos/create", create_repo),
    ("validate-yaml", r"POST /api/validate-yaml", validate_yaml),
    ("refs", rf"GET /api/datasets/{NAME}/refs", refs),
    ("tree", rf"GET /api/{KIND}/{NAME}/tree/(?P<rev>[^/]+)(?:/(?P<path>.+))?", tree),
    ("info", rf"GET /api/{KIND}/{NAME}(?:/revision/(?P<rev>[^/]+))?", info),
    ("paths-info", rf"POST /api/datasets/{NAME}/paths-info/(?P<rev>[^/]+)", paths_info),
    ("preupload", rf"POST /api/datasets/{NAME}/preupload/(?P<rev>[^/]+)", preupload),
    ("lfs-batch", rf"POST /datasets/{NAME}\.git/info/lfs/objects/batch", lfs_batch),
    ("lfs-put", r"PUT /lfs/put/(?P<oid>\w+)", lfs_put),
    ("lfs-verify", r"POST /lfs/verify/(?P<oid>\w+)", lfs_verify),
    ("commit", rf"POST /api/datasets/{NAME}/commit/(?P<rev>[^/]+)", commit),
    ("branch", rf"POST /api/datasets/{NAME}/branch/(?P<branch>[^/]+)", create_branch),
    ("tag", rf"POST /api/datasets/{NAME}/tag/(?P<rev>[^/]+)", tag),
    ("resolve", rf"(?:GET|HEAD) (?:/datasets)?/{NAME}/resolve/(?P<rev>[^/]+)/(?P<path>.+)", resolve),
)
"""Name, shape and handler of every request that this hub understands."""

OPEN = {"lfs-put", "resolve", "validate-yaml"}
"""Routes that ask for no token: an upload's address is a secret by itself."""


class Handler(BaseHTTPRequestHandler):
    """Finds the route of a request, lets its fault happen, and answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    hub: LoopbackHub

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def log_message(self, *_parts: object) -> None:
        """Say nothing: the tests look into `asked`."""

    def _serve(self) -> None:
        address = urlsplit(self.path)
        self.hub.paths.append(address.path)
        for name, shape, route in ROUTES:
            if match := re.fullmatch(shape, f"{self.command} {address.path}"):
                self.hub.asked.append((self.command, name))
                with self.hub.at_work():
                    self._answer(name, route, match.groupdict(), parse_qs(address.query))
                return
        self.hub.asked.append((self.command, f"unknown: {address.path}"))
        self._read()
        self._send(404, {"error": "not found"}, {"X-Error-Code": "EntryNotFound"})

    def _answer(self, name: str, route: Route, parts: Mapping[str, str], query: Mapping[str, list[str]]) -> None:
        kind = self.hub.fault(name)
        if kind == "cut":
            self.rfile.read(int(self.headers.get("Content-Length") or 0) // 2)
            self._cut()
            return
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        request = Request(self.hub, parts, query, self._read(), token)
        if kind == "slow":
            self.hub.closing.wait(SLOW)
        try:
            if kind.isdigit():  # the token comes back, as it does from a careless server
                raise RefusalError(int(kind), f"out of order, {token}")
            self._check_token(name, token)
            with self.hub.lock:
                if kind == "race":
                    be_faster(name, request)
                answer = route(request)
        except RefusalError as refusal:
            headers = {"X-Error-Message": refusal.message} | ({"X-Error-Code": refusal.code} if refusal.code else {})
            answer = (refusal.status, {"error": refusal.message}, headers)
        if kind == "lost":
            self._cut()
        else:
            self._send(*answer)

    def _check_token(self, name: str, token: str) -> None:
        if name in OPEN:
            return
        writes = self.command != "GET" and name != "paths-info"
        if token not in ("", WRITER, READER) or (writes and not token):
            raise RefusalError(401, "Invalid credentials in Authorization header")
        if writes and token != WRITER:
            raise RefusalError(403, "Forbidden: you need write permission")

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def _cut(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.connection.close()
        self.close_connection = True

    def _send(self, status: int, content: Any, headers: Mapping[str, str]) -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if asked and status == 200:
            start, end = int(asked[1]), int(asked[2] or len(body) - 1)
            headers = {**headers, "Content-Range": f"bytes {start}-{min(end, len(body) - 1)}/{len(body)}"}
            status, body = 206, body[start : end + 1]
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json" if not isinstance(content, bytes) else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
        except OSError:
            self.close_connection = True  # the client has not waited


def be_faster(name: str, request: Request) -> None:
    """Do as somebody else what *request* is about to do, a moment before it."""
    repo = request.repo
    if name == "tag":
        repo.tags[request.json()["tag"]] = repo.branches["main"]
    elif name == "branch":
        repo.branches[request.parts["branch"]] = repo.branches["main"]
    else:
        branch = request.revision
        repo.commit({**repo.tree(branch), "notes.txt": Blob(b"somebody else's\n", False)}, "somebody else's", branch)


@contextmanager
def serving(hub: LoopbackHub) -> Iterator[LoopbackHub]:
    """Serve *hub* at a free port of this computer while the block runs."""
    handler = type("HandlerOfHub", (Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
