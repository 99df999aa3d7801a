"""A build with a process per language: the same bytes, the same errors, and nothing left of one that is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from ncimp.builder.build.processes import Report, side_by_side
from ncimp.builder.cli import main
from ncimp.schemas.errors import ReleaseError, SelectionError, UsageError
from tests.release.small_world import Place, small_packs
from tests.release.worker_pieces import die, refuse, square

STAGES = {"pack", "select", "fill", "tables"}


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_the_order_of_the_works(workers: int) -> None:
    told: list[tuple[str, bool]] = []
    works = [partial(square, number) for number in (3, 1, 2)]
    found = side_by_side(works, workers=workers, report=lambda stage, reused: told.append((stage, reused)))
    assert found == [9, 1, 4]
    assert told == [("square of 3", False), ("square of 1", False), ("square of 2", False)]


def test_the_error_is_that_of_the_first_work_that_has_one_however_late_it_comes() -> None:
    works: list[Callable[[Report], int]] = [partial(square, 2), partial(refuse, 1, 0.5), partial(refuse, 2, 0.0)]
    told: list[str] = []
    with pytest.raises(SelectionError) as caught:
        side_by_side(works, workers=3, report=lambda stage, _: told.append(stage))
    assert str(caught.value) == "no 1; give another"
    assert told == ["square of 2", "refused 1", "refused 2"]


def test_a_process_that_is_killed_is_told() -> None:
    with pytest.raises(ReleaseError, match="ended with -9; build again; with --workers 1"):
        side_by_side([die, die], workers=2, report=lambda *_: None)


def test_nothing_goes_on_working_for_a_process_that_is_gone(tmp_path: Path) -> None:
    code = (
        "from functools import partial; from pathlib import Path; import sys\n"
        "from worker_pieces import work_for_ever\n"
        "from ncimp.builder.build.processes import side_by_side\n"
        "works = [partial(work_for_ever, Path(sys.argv[1]) / name) for name in 'ab']\n"
        "side_by_side(works, workers=2, report=print)\n"
    )
    places = os.pathsep.join((str(Path(__file__).parent), *sys.path))
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=os.environ | {"PYTHONPATH": places})
    written = [tmp_path / "a", tmp_path / "b"]
    until(lambda: all(path.is_file() for path in written))
    process.kill()
    process.wait()
    until(lambda: not any(is_alive(int(path.read_text("utf-8"))) for path in written))


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until *holds* is true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    """Tell whether *process* runs; one that has ended and waits to be collected does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def alone(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A small release that one process built."""
    place = Place(tmp_path_factory.mktemp("alone"))
    small_packs(mini_packs, place.packs)
    place.build()
    return place


@pytest.fixture
def place(alone: Place, tmp_path: Path) -> Place:
    """The same packs in another place, to be built by several."""
    made = Place(tmp_path / "place")
    shutil.copytree(alone.packs, made.packs)
    return made


@pytest.mark.slow
def test_two_workers_write_what_one_writes(alone: Place, place: Place) -> None:
    assert place.build(workers=2) == {f"{name}-{lang}" for name in STAGES for lang in ("en", "pt")} | {
        "validate",
        "release",
    }
    assert place.content() == alone.content()
    assert stage_files(place) == stage_files(alone)
    assert place.build(workers=2) == set()
    assert place.build() == set()


def stage_files(place: Place) -> dict[str, bytes]:
    """The files of the stages but what `wn` keeps, and what names the place."""
    files = (path for path in place.work.rglob("*") if path.is_file() and "wn" not in path.parts)
    return {
        path.relative_to(place.work).as_posix(): path.read_bytes() for path in files if path.parent.name != "release"
    }


@pytest.mark.slow
def test_what_one_language_lacks_is_told_as_one_process_tells_it(place: Place) -> None:
    place.edit("en/contexts.tsv", "[rat race]", "[rat ride]")
    said = []
    for workers in (1, 2):
        with pytest.raises(Exception, match="rat ride") as caught:
            place.build(work=f"work-{workers}", workers=workers)
        said.append((type(caught.value), str(caught.value).replace(f"work-{workers}", "work")))
    assert said[0] == said[1]


@pytest.mark.parametrize("number", ["0", "-1"])
def test_no_worker_at_all_is_wrong_use(number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--out", str(tmp_path / "ncimp"), "--workers", number]) == UsageError.exit_code
    assert f"--workers {number} can do nothing" in capsys.readouterr().err


@pytest.fixture
def command(place: Place) -> list[str]:
    return [
        *(sys.executable, "-m", "ncimp.builder.cli", "build", "--workers", "2"),
        *("--packs", str(place.packs), "--out", str(place.out), "--work", str(place.work)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["select-en", "fill-pt", "tables-en", "validate"])
def test_a_build_of_several_that_is_killed_is_finished_by_the_next(
    stage: str, alone: Place, place: Place, command: list[str]
) -> None:
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    for line in process.stderr:
        if line.startswith(f"{stage}: "):
            process.kill()
            break
    process.wait()
    process.stderr.close()
    assert process.returncode == -signal.SIGKILL
    assert not place.out.exists()
    place.build(workers=2)
    assert place.content() == alone.content()
    assert stage_files(place) == stage_files(alone)
    assert [path for path in place.folder.rglob(".*") if ".new-" in path.name] == []
