"""Publishing a release: decide what the hub lacks, send it as one commit, look at it, tag it; then the script's branch.

Every run starts from what the hub holds, so that a run after a failure completes what is missing:

    tag there, with this release    nothing to do
    tag there, with anything else   an error: a published version never changes
    main holds this release         only the tag is missing
    anything else                   one commit on top of main, then the tag

A commit is whole or not there at all, and the tag is made only when the files of the commit, as the hub lists
them, are those of the release. The branch `script` follows main: it has the release that main has, and the loading
script at the root under the name of the repository, where `datasets` before 4 looks for it.

Everything goes through `huggingface_hub`, with its own retries (six attempts at the steps that may be repeated: asking
how files are stored, uploading them). It has no limit of time of its own for these calls, so there is one here. It is
imported late, because it reads its environment when it is imported.
"""

import hashlib
import logging
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from ncimp.builder.records import MANIFEST
from ncimp.builder.release.card import CARD, REPO, addressed_card
from ncimp.builder.release.contents import file_entry
from ncimp.schemas import Place, ReleaseError, file_hash, read_text, write_json, write_text
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder

PUBLIC = "https://huggingface.co"  # the hub where `HF_ENDPOINT` names no other
AGAIN = "run the same command again: it goes on from what the hub holds"
MAIN, SCRIPT = "main", "script"
"""Branches: of the release, and of the release with its loading script at the root, which `datasets` < 4 runs."""
KEPT = frozenset({".gitattributes"})
"""Files that the hub puts into a repository by itself: not part of a release, and not deleted."""
LEGACY = "legacy/ncimp.py"  # path of the loading script in a release
Kind = Literal["add", "change", "delete"]


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of the repository: bytes, the id of its git blob, and its sha256 where it is in large file storage."""

    bytes: int
    blob: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file of the release folder."""

    path: Path
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class LocalRelease:
    """A release folder whose files are those of its manifest, and no others."""

    version: str
    logical_sha256: str
    files: Mapping[str, LocalFile]

    def for_repository(self, repo: str, aside: Path) -> "LocalRelease":
        """Return the release with a card that loads the data from *repo*, and its manifest; *aside* gets both."""
        manifest, place = ReleaseFolder(self.files[MANIFEST].path.parent).manifest, self.files.get(CARD)
        text = read_text(place.path) if place else ""
        addressed = addressed_card(text, repo, str(manifest.options.get(REPO, manifest.name)))
        if addressed == text:
            return self
        write_text(aside / CARD, addressed)
        entries = tuple(file_entry(aside, CARD) if entry.path == CARD else entry for entry in manifest.files)
        write_json(aside / MANIFEST, to_row(replace(manifest, files=entries, options={**manifest.options, REPO: repo})))
        paths = (aside / CARD, aside / MANIFEST)
        new = {path.name: LocalFile(path, path.stat().st_size, file_hash(path)) for path in paths}
        return replace(self, files={**self.files, **new})


@dataclass(frozen=True, slots=True)
class Refs:
    """Branches and tags of a repository by name, with their commits."""

    exists: bool
    heads: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that the commit adds, changes or deletes, with its bytes before and after."""

    kind: Kind
    path: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """The files that a branch is to have, and what makes them of those at its head."""

    name: str
    head: str | None  # None where the branch has no commit yet
    files: Mapping[str, LocalFile]
    changes: tuple[FileChange, ...]

    @property
    def unchanged(self) -> int:
        """Number of files that stay as they are."""
        return len(self.files) - sum(change.kind != "delete" for change in self.changes)


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps that publish a release on the hub, without `script` where that branch is as it should be."""

    tag: str
    refs: Refs
    main: BranchPlan
    script: BranchPlan | None

    @property
    def tagged(self) -> bool:
        """True when the tag is there, with this release."""
        return self.tag in self.refs.tags

    @property
    def complete(self) -> bool:
        """True when nothing has to be done."""
        return self.tagged and self.script is None


class Hub:
    """One dataset repository; every method raises `ReleaseError` when the hub refuses or does not answer."""

    def __init__(self, repo: str, *, timeout: float) -> None:
        self.repo = repo
        self._timeout = timeout
        endpoint = (os.environ.get("HF_ENDPOINT") or PUBLIC).rstrip("/")
        if endpoint != PUBLIC:
            # the client would upload through Xet without asking whether this hub has it
            os.environ.setdefault("HF_HUB_DISABLE_XET", "1")
        from huggingface_hub import HfApi, get_token
        from huggingface_hub.utils.logging import set_verbosity
        from huggingface_hub.utils.tqdm import disable_progress_bars

        disable_progress_bars()
        set_verbosity(logging.ERROR)  # it logs addresses, and those of an upload may be signed
        self._token = get_token()
        self.has_token = self._token is not None
        self._api = HfApi(endpoint=endpoint, token=self._token)
        self.place = Place(f"{_without_user(endpoint)}/datasets/{repo}")

    def refs(self) -> Refs:
        """Return branches and tags of the repository, which may not exist."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with self._reported("look at the repository"):
            try:
                refs = self._api.list_repo_refs(self.repo, repo_type="dataset")
            except RepositoryNotFoundError as error:
                if error.response.status_code != 404:  # 401: it may be there, for others
                    raise
                return Refs(exists=False)
        heads = {branch.name: branch.target_commit for branch in refs.branches}
        return Refs(True, heads, {tag.name: tag.target_commit for tag in refs.tags})

    def files(self, revision: str) -> dict[str, RemoteFile]:
        """Return every file at *revision* (a commit or tag) by path."""
        from huggingface_hub.hf_api import RepoFile

        with self._reported(f"list the files at {revision}"):
            tree = self._api.list_repo_tree(self.repo, recursive=True, revision=revision, repo_type="dataset")
            files = [entry for entry in tree if isinstance(entry, RepoFile)]  # the others are folders
        return {file.path: RemoteFile(file.size, file.blob_id, file.lfs.sha256 if file.lfs else None) for file in files}

    def create(self, *, private: bool) -> None:
        """Create the repository; nothing happens where it exists."""
        with self._reported("create the repository"):
            self._api.create_repo(self.repo, repo_type="dataset", private=private, exist_ok=True)

    def commit(self, branch: BranchPlan, *, message: str, parent: str | None) -> str:
        """Make the changes of *branch* in one commit on top of *parent*, its head; return the commit."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        paths = {change.path: change.kind == "delete" for change in branch.changes}
        operations: list[Any] = [
            CommitOperationAdd(path, branch.files[path].path) for path, deleted in paths.items() if not deleted
        ]
        operations += [CommitOperationDelete(path, is_folder=False) for path, deleted in paths.items() if deleted]
        place: Any = {"repo_type": "dataset", "revision": branch.name, "parent_commit": parent}
        with self._reported("commit" if branch.name == MAIN else f"commit to the branch {branch.name}"):
            return str(self._api.create_commit(self.repo, operations, commit_message=message, **place).oid)

    def branch(self, name: str, commit: str) -> None:
        """Make the branch *name*, which must not be there, with *commit* as its head."""
        with self._reported(f"make the branch {name}"):
            self._api.create_branch(self.repo, branch=name, revision=commit, repo_type="dataset")

    def tag(self, name: str, commit: str, *, message: str) -> None:
        """Give *commit* the tag *name*, which must be free."""
        with self._reported(f"make the tag {name}"):
            self._api.create_tag(self.repo, tag=name, tag_message=message, revision=commit, repo_type="dataset")

    @contextmanager
    def _reported(self, doing: str) -> Iterator[None]:
        """Turn what the library raises into a `ReleaseError`, and keep it from talking by itself."""
        from huggingface_hub import get_session
        from huggingface_hub.errors import HfHubHTTPError

        get_session().timeout = self._timeout  # each time: the library may renew its client
        # its error has the base class of its transport, whichever that is in this version
        trouble: tuple[Any, ...] = (*HfHubHTTPError.__bases__, OSError, RuntimeError, ValueError)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except trouble as error:
            raise self._error(doing, error) from None

    def _error(self, doing: str, error: BaseException) -> ReleaseError:
        while (status := _status(error)) is None and error.__cause__ is not None:
            error = error.__cause__
        reason = " ".join((str(error) or type(error).__name__).split())
        if self._token:
            reason = reason.replace(self._token, "***")  # a hub may send back what it got
        reason = reason.replace(str(self._api.endpoint), _without_user(str(self._api.endpoint)))
        fixes = {
            401: f"check HF_TOKEN: it must be valid, and may have to read or write {self.repo}",
            403: f"use a token that may write to {self.repo}",
            412: "somebody has just changed the repository; look at it, and " + AGAIN,
            409: "somebody is just changing the repository; look at it, and " + AGAIN,
        }
        return ReleaseError(f"cannot {doing} ({reason})", fix=fixes.get(status or 0, AGAIN), place=self.place)


def _status(error: BaseException) -> int | None:
    """Return the HTTP status that *error* is about, if it is about one."""
    return getattr(getattr(error, "response", None), "status_code", None)


def _without_user(address: str) -> str:
    """Return *address* without a user name and password."""
    host = urlsplit(address).netloc
    return address.replace(host, host.rpartition("@")[2], 1)


def read_local(folder: Path) -> LocalRelease:
    """Return the release in *folder*; `ReleaseError` for one that is damaged, restored, simulated, or holds more."""
    release, place = ReleaseFolder.open(folder), Place(str(folder))
    manifest = release.manifest
    if manifest.counts.get("restored"):
        what = "this copy holds restored text, which may not be passed on"
        raise ReleaseError(what, fix="publish the release as `ncimp build` made it", place=place)
    if manifest.counts.get("simulated"):
        what = "its human scores are simulated: it is the rehearsal of a campaign"
        raise ReleaseError(what, fix="publish a release with scores by people, or without any", place=place)
    hashes = {entry.path: entry.sha256 for entry in manifest.files}
    for name in sorted(release.paths() - hashes.keys()):
        fix = "take it out, or build the release again"
        raise ReleaseError("the manifest does not list this file", fix=fix, place=Place(str(folder / name)))
    hashes[MANIFEST] = file_hash(folder / MANIFEST)
    files = {name: LocalFile(folder / name, (folder / name).stat().st_size, hashes[name]) for name in sorted(hashes)}
    return LocalRelease(manifest.release, manifest.logical_sha256, files)


def make_plan(release: LocalRelease, hub: Hub, tag: str) -> Plan:
    """Return what is to be done so that *hub* has *release* under *tag*; raise `ReleaseError` when the tag is taken."""
    refs = hub.refs()
    head = refs.heads.get(MAIN)
    tagged = refs.tags.get(tag)
    revision = tag if tagged else head
    changes = find_changes(release.files, hub.files(revision) if revision else {})
    if tagged and changes:
        what = f"the tag {tag} is there already, with other files ({changes[0].path} and {len(changes) - 1} more)"
        fix = "a published version never changes: give the release a new version"
        raise ReleaseError(what, fix=fix, place=hub.place)
    # when main has gone on, so has the branch of the script: it is not taken back to an older release
    script = _plan_script(release, hub, refs.heads.get(SCRIPT)) if tagged in (None, head) else None
    return Plan(tag, refs, BranchPlan(MAIN, head, release.files, changes), script)


def _plan_script(release: LocalRelease, hub: Hub, head: str | None) -> BranchPlan | None:
    """Return what the branch of the script lacks; None when that is nothing, or *release* has no script."""
    if LEGACY not in release.files:
        return None
    name, script = script_name(hub.repo), release.files[LEGACY]
    files = {**release.files, name: script}
    start = (FileChange("add", name, 0, script.bytes),)  # the branch begins as the release
    changes = find_changes(files, hub.files(head)) if head else start
    return BranchPlan(SCRIPT, head, files, changes) if changes else None


def script_name(repo: str) -> str:
    """Return the name under which `datasets` before 4 looks for the script of *repo*: `ncimp.py` of `me/ncimp`."""
    return f"{repo.rpartition('/')[2]}.py"


def find_changes(local: Mapping[str, LocalFile], remote: Mapping[str, RemoteFile]) -> tuple[FileChange, ...]:
    """Return what makes *local* of *remote*, ordered by path."""
    changes = []
    for path in sorted(local.keys() | remote.keys() - KEPT):
        here, there = local.get(path), remote.get(path)
        if here is None or there is None or not is_same(here, there):
            kind: Kind = "delete" if here is None else "add" if there is None else "change"
            changes.append(FileChange(kind, path, there.bytes if there else 0, here.bytes if here else 0))
    return tuple(changes)


def is_same(here: LocalFile, there: RemoteFile) -> bool:
    """Tell whether the hub's file has the bytes of ours."""
    if there.sha256 is not None:
        return there.sha256 == here.sha256
    return there.bytes == here.bytes and there.blob == git_blob(here.path)


def git_blob(path: Path) -> str:
    """Return the id that git gives the content of *path*: the sha1 of a header with its length, and the bytes."""
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def send(release: LocalRelease, hub: Hub, plan: Plan, *, private: bool = False) -> str:
    """Do what *plan* says and return the commit that has the tag."""
    if not plan.refs.exists:
        hub.create(private=private)
        plan = make_plan(release, hub, plan.tag)  # a new repository may hold a first commit of the hub's own
    commit = plan.refs.tags.get(plan.tag, plan.main.head)
    if plan.main.changes or commit is None:
        commit = _commit(release, hub, plan.main, parent=commit)
    if not plan.tagged:
        hub.tag(plan.tag, commit, message=f"Release {release.version}, logical sha256 {release.logical_sha256}")
    if plan.script is not None:
        if plan.script.head is None:
            hub.branch(SCRIPT, commit)
        _commit(release, hub, plan.script, parent=plan.script.head or commit)
    return commit


def _commit(release: LocalRelease, hub: Hub, branch: BranchPlan, *, parent: str | None) -> str:
    """Send the changes of *branch* as one commit, look whether the hub then holds its files, and return the commit."""
    commit = hub.commit(branch, message=f"Release {release.version}", parent=parent)
    wrong = find_changes(branch.files, hub.files(commit))
    if wrong:
        what = f"the hub made the commit {commit}, but holds other bytes of {wrong[0].path} and {len(wrong) - 1} more"
        raise ReleaseError(what, fix="validate the release and run the command again", place=hub.place)
    return commit
