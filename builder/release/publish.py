"""Publishing a release: decide what the hub lacks, send it as one commit, look at it, tag it.

Every run starts from what the hub holds, so that a run after a failure completes what is missing:

    tag there, with this release    nothing to do
    tag there, with anything else   an error: a published version never changes
    main holds this release         only the tag is missing
    anything else                   one commit on top of main, then the tag

A commit is whole or not there at all, and the tag is made only when the files of the commit, as the hub lists
them, are those of the release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ncimp.builder.records import MANIFEST
from ncimp.builder.release.hub import Hub, Refs, RemoteFile
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.hashing import CHUNK, file_hash
from ncimp.schemas.release_folder import checked_manifest

KEPT = frozenset({".gitattributes"})
"""Files that the hub puts into a repository by itself: not part of a release, and not deleted."""

Kind = Literal["add", "change", "delete"]


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


@dataclass(frozen=True, slots=True)
class Change:
    """One file that the commit adds, changes or deletes, with its bytes before and after."""

    kind: Kind
    path: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done on the hub."""

    tag: str
    refs: Refs
    changes: tuple[Change, ...]
    unchanged: int
    complete: bool
    """Whether the tag is there already, with this release."""

    @property
    def sent(self) -> int:
        """Bytes of the files to be sent."""
        return sum(change.after for change in self.changes)


def read_local(folder: Path) -> LocalRelease:
    """Return the release in *folder*; `ReleaseError` for one that is damaged, restored, or holds more."""
    manifest = checked_manifest(folder)
    if manifest["counts"].get("restored"):
        what = "this copy holds restored text, which may not be passed on"
        raise ReleaseError(what, fix="publish the release as `ncimp build` made it", place=Place(str(folder)))
    hashes = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    hashes[MANIFEST] = file_hash(folder / MANIFEST)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in hashes and "__pycache__" not in path.parts:
            fix = "take it out, or build the release again"
            raise ReleaseError("the manifest does not list this file", fix=fix, place=Place(str(path)))
    files = {name: LocalFile(folder / name, (folder / name).stat().st_size, hashes[name]) for name in sorted(hashes)}
    return LocalRelease(manifest["release"], manifest["logical_sha256"], files)


def make_plan(release: LocalRelease, hub: Hub, tag: str) -> Plan:
    """Return what is to be done so that *hub* has *release* under *tag*; raise `ReleaseError` when the tag is taken."""
    refs = hub.refs()
    if tag in refs.tags:
        changes = find_changes(release.files, hub.files(tag))
        if changes:
            what = f"the tag {tag} is there already, with other files ({changes[0].path} and {len(changes) - 1} more)"
            fix = "a published version never changes: give the release a new version"
            raise ReleaseError(what, fix=fix, place=hub.place)
        return Plan(tag, refs, (), len(release.files), complete=True)
    changes = find_changes(release.files, hub.files(refs.head) if refs.head else {})
    touched = sum(change.kind != "delete" for change in changes)
    return Plan(tag, refs, changes, len(release.files) - touched, complete=False)


def find_changes(local: Mapping[str, LocalFile], remote: Mapping[str, RemoteFile]) -> tuple[Change, ...]:
    """Return what makes *local* of *remote*, ordered by path."""
    changes = []
    for path in sorted(local.keys() | remote.keys() - KEPT):
        here, there = local.get(path), remote.get(path)
        if here is None or there is None or not is_same(here, there):
            kind: Kind = "delete" if here is None else "add" if there is None else "change"
            changes.append(Change(kind, path, there.bytes if there else 0, here.bytes if here else 0))
    return tuple(changes)


def is_same(here: LocalFile, there: RemoteFile) -> bool:
    """Tell whether the hub's file has the bytes of ours."""
    if there.sha256 is not None:
        return there.sha256 == here.sha256
    return there.bytes == here.bytes and there.blob == git_blob(here.path)


def git_blob(path: Path) -> str:
    """Return the id that git gives the content of *path*: the sha1 of a header with its length, and the bytes."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def send(release: LocalRelease, hub: Hub, plan: Plan, *, private: bool = False) -> str:
    """Do what *plan* says and return the commit that now has the tag."""
    if plan.complete:
        return plan.refs.tags[plan.tag]
    if not plan.refs.exists:
        hub.create(private=private)
        plan = make_plan(release, hub, plan.tag)  # a new repository may hold a first commit of the hub's own
    commit = plan.refs.head
    if plan.changes or commit is None:
        files = {change.path: release.files[change.path].path for change in plan.changes if change.kind != "delete"}
        deleted = [change.path for change in plan.changes if change.kind == "delete"]
        commit = hub.commit(files, deleted, message=f"Release {release.version}", parent=plan.refs.head)
        _check_sent(release, hub, commit)
    hub.tag(plan.tag, commit, message=f"Release {release.version}, logical sha256 {release.logical_sha256}")
    return commit


def _check_sent(release: LocalRelease, hub: Hub, commit: str) -> None:
    """Raise `ReleaseError` unless the files of *commit* are those of *release*."""
    wrong = find_changes(release.files, hub.files(commit))
    if wrong:
        what = f"the hub made the commit {commit}, but holds other bytes of {wrong[0].path} and {len(wrong) - 1} more"
        raise ReleaseError(what, fix="it has no tag; validate the release and run the command again", place=hub.place)
