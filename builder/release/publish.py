"""Publishing a release: decide what the hub lacks, send it as one commit, look at it, tag it; then the script's branch.

Every run starts from what the hub holds, so that a run after a failure completes what is missing:

    tag there, with this release    nothing to do
    tag there, with anything else   an error: a published version never changes
    main holds this release         only the tag is missing
    anything else                   one commit on top of main, then the tag

A commit is whole or not there at all, and the tag is made only when the files of the commit, as the hub lists
them, are those of the release. The branch `script` follows main: it has the release that main has, and the loading
script at the root under the name of the repository, where `datasets` before 4 looks for it.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ncimp.builder.records import MANIFEST
from ncimp.builder.release.hub import MAIN, SCRIPT, Hub, Refs, RemoteFile
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import CHUNK, file_hash
from ncimp.schemas.release_folder import ReleaseFolder

KEPT = frozenset({".gitattributes"})
"""Files that the hub puts into a repository by itself: not part of a release, and not deleted."""

LEGACY = "legacy/ncimp.py"
"""Path of the loading script in a release."""

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
class FileChange:
    """One file that the commit adds, changes or deletes, with its bytes before and after."""

    kind: Kind
    path: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """Steps that bring the branch of the script up to date."""

    head: str | None
    """Its commit; None where it is to be made from the commit of the release."""
    script: str
    """Name of the script at its root."""
    changes: tuple[FileChange, ...]
    unchanged: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps that publish a release on the hub."""

    tag: str
    refs: Refs
    changes: tuple[FileChange, ...]
    unchanged: int
    tagged: bool
    """True when the tag exists, with this release."""
    branch: BranchPlan | None
    """None where the branch of the script is as it should be."""

    @property
    def complete(self) -> bool:
        """True when nothing has to be done."""
        return self.tagged and self.branch is None

    @property
    def sent(self) -> int:
        """Bytes of the files to be sent."""
        return sum(change.after for change in self.changes)


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
    for name in sorted(release.paths() - set(hashes)):
        fix = "take it out, or build the release again"
        raise ReleaseError("the manifest does not list this file", fix=fix, place=Place(str(folder / name)))
    hashes[MANIFEST] = file_hash(folder / MANIFEST)
    files = {name: LocalFile(folder / name, (folder / name).stat().st_size, hashes[name]) for name in sorted(hashes)}
    return LocalRelease(manifest.release, manifest.logical_sha256, files)


def make_plan(release: LocalRelease, hub: Hub, tag: str) -> Plan:
    """Return what is to be done so that *hub* has *release* under *tag*; raise `ReleaseError` when the tag is taken."""
    refs = hub.refs()
    if tag in refs.tags:
        changes = find_changes(release.files, hub.files(tag))
        if changes:
            what = f"the tag {tag} is there already, with other files ({changes[0].path} and {len(changes) - 1} more)"
            fix = "a published version never changes: give the release a new version"
            raise ReleaseError(what, fix=fix, place=hub.place)
        # when main has gone on, so has the branch of the script: it is not taken back to an older release
        branch = _plan_branch(release, hub, refs) if refs.tags[tag] == refs.head else None
        return Plan(tag, refs, (), len(release.files), tagged=True, branch=branch)
    changes = find_changes(release.files, hub.files(refs.head) if refs.head else {})
    branch = _plan_branch(release, hub, refs)
    return Plan(tag, refs, changes, _unchanged(release.files, changes), tagged=False, branch=branch)


def _plan_branch(release: LocalRelease, hub: Hub, refs: Refs) -> BranchPlan | None:
    """Return what the branch of the script lacks; None when that is nothing, or *release* has no script."""
    if LEGACY not in release.files:
        return None
    head, expected = refs.heads.get(SCRIPT), with_script(release, hub.repo)
    script = script_name(hub.repo)
    made = (FileChange("add", script, 0, release.files[LEGACY].bytes),)  # the branch begins as the release
    changes = find_changes(expected, hub.files(head)) if head else made
    return BranchPlan(head, script, changes, _unchanged(expected, changes)) if changes else None


def script_name(repo: str) -> str:
    """Return the name under which `datasets` before 4 looks for the script of *repo*.

    >>> script_name("my-group/ncimp")
    'ncimp.py'
    """
    return f"{repo.rpartition('/')[2]}.py"


def with_script(release: LocalRelease, repo: str) -> dict[str, LocalFile]:
    """Return the files of the branch of the script: those of *release*, and the script at the root."""
    return {**release.files, script_name(repo): release.files[LEGACY]}


def _unchanged(files: Mapping[str, LocalFile], changes: tuple[FileChange, ...]) -> int:
    return len(files) - sum(change.kind != "delete" for change in changes)


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
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def send(release: LocalRelease, hub: Hub, plan: Plan, *, private: bool = False) -> str:
    """Do what *plan* says and return the commit that has the tag."""
    if not plan.refs.exists:
        hub.create(private=private)
        plan = make_plan(release, hub, plan.tag)  # a new repository may hold a first commit of the hub's own
    commit = plan.refs.tags[plan.tag] if plan.tagged else _send_release(release, hub, plan)
    if plan.branch is not None:
        _send_script(release, hub, plan.branch, commit)
    return commit


def _send_release(release: LocalRelease, hub: Hub, plan: Plan) -> str:
    """Commit what main lacks, look at it, give it the tag, and return the commit."""
    commit = plan.refs.head
    if plan.changes or commit is None:
        commit = _commit(release, hub, plan.changes, release.files, branch=MAIN, parent=commit)
    hub.tag(plan.tag, commit, message=f"Release {release.version}, logical sha256 {release.logical_sha256}")
    return commit


def _send_script(release: LocalRelease, hub: Hub, branch: BranchPlan, commit: str) -> None:
    """Commit what the branch of the script lacks, after making it from the release's *commit* where there is none."""
    if branch.head is None:
        hub.branch(SCRIPT, commit)
    expected = with_script(release, hub.repo)
    _commit(release, hub, branch.changes, expected, branch=SCRIPT, parent=branch.head or commit)


def _commit(
    release: LocalRelease,
    hub: Hub,
    changes: tuple[FileChange, ...],
    expected: Mapping[str, LocalFile],
    *,
    branch: str,
    parent: str | None,
) -> str:
    """Send *changes* as one commit to *branch*, look whether the hub then holds *expected*, and return the commit."""
    files = {change.path: expected[change.path].path for change in changes if change.kind != "delete"}
    deleted = [change.path for change in changes if change.kind == "delete"]
    commit = hub.commit(files, deleted, message=f"Release {release.version}", parent=parent, branch=branch)
    wrong = find_changes(expected, hub.files(commit))
    if wrong:
        what = f"the hub made the commit {commit}, but holds other bytes of {wrong[0].path} and {len(wrong) - 1} more"
        raise ReleaseError(what, fix="validate the release and run the command again", place=hub.place)
    return commit
