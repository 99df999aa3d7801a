"""The registry of checks: every incident code once, with its meaning and the function that looks for it.

A check is a small function over one scope; its docstring, if it has one, is the note on the page of incident codes.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from ncimp.builder.records import Incident

S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., object])

Select = Callable[[str], bool]
"""Tells whether a code is selected."""

SERIES = {
    "A": "Agreement",
    "B": "Balance and splits",
    "C": "Cells of the grid",
    "D": "Dataset card",
    "K": "Language packs",
    "M": "Manifest and files",
    "P": "Pairs",
    "R": "Random compounds",
    "S": "Sentences and spans",
    "T": "Written sentences",
    "U": "Unicode",
    "W": "Waivers",
}
"""Title of each series of codes, by its letter."""

PREFACE = """\
# Incident codes

`ncimp validate` reports problems of a release by these codes. A code never changes its meaning. A release has no
incident unless its language pack waives it, with a reason, in `waivers.tsv`. `ncimp validate --codes` prints this
list, and `--select K,T8` looks for some of it. [Agreement](agreement.md) explains the `A` series.

The place of a `K` incident is the id of a compound (`en/rat-race`). That of a `T` incident is the id of a context
(`en/rat-race/nat1`), which stays when rows are added; the message names the line. Only sentences marked `authored` are
looked at. This page is generated from the registry of checks (`builder/validation/registry.py`).
"""

_meanings: dict[str, str] = {}
_notes: dict[tuple[str, ...], str] = {}


def reports(note: str | None = None, **codes: str) -> Callable[[F], F]:
    """Record that the decorated function reports *codes*, each with its meaning, and a *note* for the page."""

    def register(function: F) -> F:
        twice = sorted(_meanings.keys() & codes.keys())
        if twice:
            raise ValueError(f"{twice} are the codes of two checks")
        _meanings.update(codes)
        if note:
            _notes[tuple(codes)] = " ".join(inspect.cleandoc(note).split())
        return function

    return register


class Registry(Generic[S]):
    """The checks of one kind of scope."""

    def __init__(self) -> None:
        self._checks: list[tuple[tuple[str, ...], Callable[[S], Iterable[Incident]]]] = []

    def check(self, code: str, meaning: str) -> Callable[[Callable[[S], Iterable[tuple[str, str]]]], object]:
        """Register a function that yields the place and the message of every incident of *code*."""

        def register(function: Callable[[S], Iterable[tuple[str, str]]]) -> object:
            reports(function.__doc__, **{code: meaning})(function)
            self._checks.append(((code,), lambda scope: (Incident(code, *finding) for finding in function(scope))))
            return function

        return register

    def checks(self, **codes: str) -> Callable[[Callable[[S], Iterable[Incident]]], object]:
        """Register a function that yields incidents of several *codes*, which one look at the data finds."""

        def register(function: Callable[[S], Iterable[Incident]]) -> object:
            self._checks.append((tuple(codes), reports(function.__doc__, **codes)(function)))
            return function

        return register

    def incidents(self, scope: S, select: Select) -> Iterator[Incident]:
        """Yield the incidents that the checks of selected codes find in *scope*."""
        for codes, run in self._checks:
            if any(map(select, codes)):
                yield from (incident for incident in run(scope) if select(incident.code))


def meanings() -> Mapping[str, str]:
    """Return the meaning of every registered code, in the order of the codes."""
    return dict(sorted(_meanings.items()))


def page() -> str:
    """Return the page of all registered codes."""
    parts = [PREFACE]
    for letter, title in SERIES.items():
        rows = [f"| `{code}` | {meaning} |\n" for code, meaning in meanings().items() if code[0] == letter]
        parts.append(f"\n## {title}\n\n| code | what is wrong |\n| --- | --- |\n{''.join(rows)}")
        notes = sorted((codes, note) for codes, note in _notes.items() if codes[0][0] == letter)
        if notes:
            shown = ((", ".join(f"`{code}`" for code in codes), note) for codes, note in notes)
            parts.append("\n" + "".join(f"- {codes}: {note}\n" for codes, note in shown))
    return "".join(parts)
