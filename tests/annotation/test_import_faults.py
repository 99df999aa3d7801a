"""What goes wrong in an import, on the command line: the exit code and the message.

Each case is a row of the table in docs/reference/annotation-formats.md.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

import pytest

from ncimp.builder.cli import main
from ncimp.schemas.journal import file_lock
from tests.annotation.scores_world import write_batch
from tests.annotation.test_import_results import ANSWER, COMPOUNDS, TASK, row, write_csv

DOC = Path(__file__).parents[2] / "docs" / "reference" / "annotation-formats.md"
TABLE = DOC.read_text(encoding="utf-8").split("| fault | exit code | message |")[1].split("\n\n")[0].splitlines()[2:]
ROWS = [line.strip("| ").split(" | ") for line in TABLE]
BATCH = "0123456789abcdef"


@dataclass
class World:
    """A campaign with one answer, and what the next import is given."""

    folder: Path
    options: dict[str, Path] = field(default_factory=dict)
    answers: list[dict[str, str]] = field(default_factory=lambda: [row(ANSWER, AssignmentId="S2", WorkerId="A2")])
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        self.options = {"--batch": self.batch("mturk"), "--salt": self.folder / "salt", "--out": self.folder / "c"}
        assert self.run([row(ANSWER)]) == 0

    def batch(self, to: str) -> Path:
        return write_batch(self.folder / to, COMPOUNDS, to=to, simulated=False)

    def run(self, answers: list[dict[str, str]]) -> int:
        path = write_csv(self.folder / "results.csv", answers)
        path.write_text(path.read_text(encoding="utf-8"), encoding=self.encoding)
        options = [str(word) for pair in self.options.items() for word in pair]
        return main(["annotate", "import", str(path), *options])


def another_salt(world: World) -> None:
    world.options |= {"--salt": world.folder / "other", "--out": world.folder / "c2"}
    assert world.run([row(ANSWER)]) == 0
    world.options["--out"] = world.folder / "c"


def another_service(world: World) -> None:
    world.options["--batch"] = world.batch("turkle")
    world.answers = [{**row(ANSWER), "Turkle.Username": ""}]


def latin_1(world: World) -> None:
    world.answers[0]["Answer.synonym1_1"] = "notívago"
    world.encoding = "latin-1"


def another_import(world: World) -> None:
    lock = ExitStack()
    lock.enter_context(file_lock(world.folder / "c" / ".lock", print))
    Timer(0.5, lock.close).start()


def rules(world: World) -> None:
    world.options["--rules"] = world.folder / "rules.toml"
    world.options["--rules"].write_text("[exclusion]\nmin_gold = 0.9\n", encoding="utf-8")


CASES: dict[str, Callable[[World], object]] = {
    "the same file again": lambda world: world.answers.__setitem__(0, row(ANSWER)),
    "UTF-16 with a byte order mark": lambda world: setattr(world, "encoding", "utf-16"),
    "another import into the campaign runs": another_import,
    "a score is missing": lambda world: world.answers[0].update({"Answer.comp_1": ""}),
    "a synonym with an address, a name, or more than 200 characters": lambda world: world.answers[0].update(
        {"Answer.synonym1_1": "me@example.org"}
    ),
    "an answer has changed since": lambda world: world.answers.__setitem__(0, row({**ANSWER, "comp_1": "5"})),
    "a byte that is not UTF-8": latin_1,
    "results of a batch for another service": lambda world: world.options.update({"--batch": world.batch("turkle")}),
    "results of another batch, by the name in a launch": lambda world: world.answers[0].update(
        {"RequesterAnnotation": f"ncimp {BATCH} {TASK}"}
    ),
    "answers that are in the campaign from another service": another_service,
    "another salt than that of the first import": another_salt,
    "a salt that does not exist, for a campaign that does": lambda world: world.options.update(
        {"--salt": world.folder / "typo"}
    ),
    "a salt inside the campaign": lambda world: world.options.update({"--salt": world.folder / "c" / "salt"}),
    "other rules than those of the first import": rules,
}


def test_the_table_of_faults_is_complete() -> None:
    assert [cells[0] for cells in ROWS] == list(CASES)


@pytest.mark.parametrize(("fault", "code", "message"), ROWS, ids=lambda cell: cell[:40])
def test_a_fault_ends_as_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str, code: str, message: str
) -> None:
    world = World(tmp_path)
    CASES[fault](world)
    before = (tmp_path / "c" / "judgements.jsonl").read_bytes()
    capsys.readouterr()
    assert world.run(world.answers) == int(code)
    said = capsys.readouterr()
    assert message.strip("`") in said.out + said.err
    if not said.out:  # refused: nothing is lost
        assert len(said.err.splitlines()) == 1
        assert (tmp_path / "c" / "judgements.jsonl").read_bytes() == before
