"""The registry of checks: every incident code once, with its meaning and the function that looks for it.

A check is a small function over one scope; its docstring, if it has one, is the note on the page of incident codes.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from ncimp.builder.records import Incident

S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., object])

Select = Callable[[str], bool]
"""Tells whether a code is selected."""

MEANINGS: dict[str, str] = {}  # by code
NOTES: dict[tuple[str, ...], str] = {}  # for the page, by the codes of a check


def reports(note: str | None = None, **codes: str) -> Callable[[F], F]:
    """Record that the decorated function reports *codes*, each with its meaning, and a *note* for the page."""

    def register(function: F) -> F:
        twice = sorted(MEANINGS.keys() & codes.keys())
        if twice:
            raise ValueError(f"{twice} are the codes of two checks")
        MEANINGS.update(codes)
        if note:
            NOTES[tuple(codes)] = " ".join(inspect.cleandoc(note).split())
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
