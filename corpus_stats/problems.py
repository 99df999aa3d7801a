"""Problems of a corpus: the first one stops the reading, or problems are counted and skipped.

With `skip`, **a broken line takes its sentence with it**, in every format: a sentence with a hole would make
neighbours of words that are not. Skipped problems are counted by file, and the first ones are kept word for word.
"""

from collections import Counter
from collections.abc import Callable
from typing import Literal, get_args

from ncimp.schemas import SourceError

OnError = Literal["stop", "skip"]  # reaction of a reader to a broken line

ON_ERROR: tuple[OnError, ...] = get_args(OnError)

KEPT = 20  # problems that are kept word for word; a file of another format has as many as it has lines


class Problems:
    """The problems so far; `report` raises at once unless problems are to be skipped."""

    def __init__(self, on_error: OnError = "stop", *, tell: Callable[[str], object] | None = None) -> None:
        self.on_error = on_error
        self.by_file: Counter[str] = Counter()  # skipped problems of each file
        self.first: list[SourceError] = []  # the first `KEPT` of them
        self._tell = tell

    def report(self, problem: SourceError) -> None:
        """Raise *problem*, or count it and print it (the first `KEPT`)."""
        if self.on_error == "stop":
            raise problem
        self.by_file[problem.place.file if problem.place else ""] += 1
        if len(self.first) < KEPT:
            self.first.append(problem)
            if self._tell is not None:
                self._tell(str(problem))

    def merge(self, other: "Problems") -> None:
        """Add the counts of *other*, and print its first problems."""
        before = self.by_file + other.by_file
        for problem in other.first:
            self.report(problem)
        self.by_file = before

    @property
    def count(self) -> int:
        """Return how many problems were skipped."""
        return self.by_file.total()

    def summary(self) -> list[str]:
        """Return one line per file with problems, by name."""
        return [f"{file}: {count} problem(s) passed over" for file, count in sorted(self.by_file.items())]


STOP = Problems("stop")  # problems that stop the reading; shared, because it has no state
