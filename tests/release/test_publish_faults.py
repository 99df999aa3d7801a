"""Publishing while something goes wrong: the hub holds the old version or the new one, and a second run completes it.

Each fault is a row of the table in docs/reference/publishing.md, with what is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from tests.loopback_hub import READER, WRITER, Fault, LoopbackHub, serving
from tests.release.publish_world import NEW, OLD, REPO, make_release, state, use_hub

DOC = Path(__file__).parents[2] / "docs" / "reference" / "publishing.md"
PATIENCE = 0.4
"""Seconds to wait for an answer; a slow server takes three times as long."""


@dataclass(frozen=True)
class Case:
    """A fault in words, how it is made, with which token, and whether there is an old version."""

    words: str
    fault: Fault | None = None
    token: str = WRITER
    first: bool = False


CASES = (
    Case("connection cut in mid-upload, once", Fault("lfs-put", "cut", 1)),
    Case("connection cut in mid-upload, every time", Fault("lfs-put", "cut")),
    Case("connection cut after an upload, every time", Fault("lfs-put", "lost")),
    Case("500 to an upload, every time", Fault("lfs-put", "500")),
    Case("500 when asked where uploads go, every time", Fault("lfs-batch", "500")),
    Case("connection cut while the commit is sent", Fault("commit", "cut", 1)),
    Case("connection cut after the commit is made", Fault("commit", "lost", 1)),
    Case("409 to the commit", Fault("commit", "409", 1)),
    Case("412 to the commit: somebody else has committed", Fault("commit", "race", 1)),
    Case("500 to the commit", Fault("commit", "500", 1)),
    Case("slow server: the commit is made after the longest wait", Fault("commit", "slow", 1)),
    Case("slow server: no word of the repository", Fault("refs", "slow", 1)),
    Case("500 to the look at what was committed, every time", Fault("tree", "500", skip=2)),
    Case("500 to the tag", Fault("tag", "500", 1)),
    Case("connection cut after the tag is made", Fault("tag", "lost", 1)),
    Case("409 to the tag: somebody else has just made it there", Fault("tag", "race", 1)),
    Case("500 to the commit of the script", Fault("commit", "500", 1, skip=1)),
    Case("connection cut while the commit of the script is sent", Fault("commit", "cut", 1, skip=1)),
    Case("connection cut after the commit of the script is made", Fault("commit", "lost", 1, skip=1)),
    Case("412 to the commit of the script: somebody else has committed", Fault("commit", "race", 1, skip=1)),
    Case("slow server: the commit of the script is made after the longest wait", Fault("commit", "slow", 1, skip=1)),
    Case("wrong token (401)", token="hf_nobody_secret"),  # noqa: S106
    Case("token that may only read (403)", token=READER),
    Case("first release: 500 when the repository is made", Fault("create", "500", 1), first=True),
    Case("first release: connection cut after it is made", Fault("create", "lost", 1), first=True),
    Case("first release: connection cut in mid-upload, every time", Fault("lfs-put", "cut"), first=True),
    Case("first release: 500 when the branch of the script is made", Fault("branch", "500", 1), first=True),
    Case("first release: connection cut after that branch is made", Fault("branch", "lost", 1), first=True),
    Case("first release: 409 to that branch: somebody else has just made it", Fault("branch", "race", 1), first=True),
    Case("first release: 500 to the commit of the script", Fault("commit", "500", 1, skip=1), first=True),
    Case("first release: wrong token (401)", token="hf_nobody_secret", first=True),  # noqa: S106
)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The old release, which is published before the fault, and the new one."""
    folder = tmp_path_factory.mktemp("releases")
    return make_release(folder / "old", "1.0.0", OLD), make_release(folder / "new", "1.1.0", NEW)


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    with serving(LoopbackHub()) as made:
        yield made


@pytest.fixture
def run(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], int]:
    """Publish a folder with a token, and wait a while for each answer."""

    def publish(folder: Path, token: str) -> int:
        use_hub(hub, monkeypatch, token)
        return main(["publish", str(folder), "--repo", REPO, "--send", "--timeout", str(PATIENCE)])

    return publish


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_the_hub_holds_one_version_whole_and_a_second_run_completes_it(
    case: Case, hub: LoopbackHub, run: Callable[[Path, str], int], releases: tuple[Path, Path]
) -> None:
    old, new = releases
    if not case.first:
        assert run(old, WRITER) == 0
    before = state(hub)
    hub.faults[:] = [replace(case.fault)] if case.fault else []
    code = run(new, case.token)
    hub.settle()
    after = state(hub)
    hub.faults.clear()
    second = run(new, WRITER)
    completed = state(hub)
    asked = len(hub.asked)
    assert (second, run(new, WRITER)) == (0, 0)
    assert {method for method, _ in hub.asked[asked:]} == {"GET"}  # the third one has nothing to do
    earlier = "" if case.first else "v1.0.0 is 1.0.0, "
    assert completed == f"main is 1.1.0, script is 1.1.0; {earlier}v1.1.0 is 1.1.0"
    row = f"| {case.words} | {'fails' if code else 'succeeds'} | {before} | {after} |"
    assert row in DOC.read_text(encoding="utf-8").splitlines()


def test_the_table_of_faults_holds_no_other_rows() -> None:
    table = DOC.read_text(encoding="utf-8").split("| fault |")[1].split("\n\n")[0]
    assert [line.split(" | ")[0] for line in table.splitlines()[2:]] == [f"| {case.words}" for case in CASES]


def test_what_was_uploaded_before_a_failure_is_not_sent_again(
    hub: LoopbackHub, run: Callable[[Path, str], int], releases: tuple[Path, Path]
) -> None:
    hub.faults.append(Fault("commit", "500", 1))
    assert run(releases[0], WRITER) == 1
    assert hub.writes().count("lfs-put") == 2
    assert run(releases[0], WRITER) == 0
    assert hub.writes().count("lfs-put") == 2


def test_an_error_says_what_to_do(
    hub: LoopbackHub, run: Callable[[Path, str], int], releases: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    said = {}
    for kind in ("401", "403", "409", "race", "500", "cut"):
        hub.faults[:] = [Fault("commit", kind, 1)]
        assert run(releases[0], WRITER) == 1
        said[kind] = capsys.readouterr().err
        assert said[kind].startswith(f"ncimp publish: {hub.url}/datasets/{REPO}: cannot commit (")
        assert said[kind].count("\n") == 1
    assert "check HF_TOKEN" in said["401"]
    assert f"use a token that may write to {REPO}" in said["403"]
    assert "somebody has just changed the repository" in said["race"]
    assert "somebody is just changing the repository" in said["409"]
    assert "run the same command again" in said["500"]
    assert "run the same command again" in said["cut"]
