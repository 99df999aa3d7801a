"""Semantic versions of data: what a change asks for, and the least version that gives it."""

from __future__ import annotations

from typing import Literal, get_args

Bump = Literal["none", "patch", "minor", "major"]
"""What is due between two releases, least first."""

BUMPS: tuple[Bump, ...] = get_args(Bump)


def least_version(old: str, due: Bump) -> str:
    """Return the smallest version that may follow *old* when *due* has changed.

    Below 1.0.0 the edition is a draft, in which a minor version may change items.

    >>> [least_version("1.2.3", due) for due in ("none", "patch", "minor", "major")]
    ['1.2.3', '1.2.4', '1.3.0', '2.0.0']
    >>> least_version("0.2.3", "major")
    '0.3.0'
    """
    major, minor, patch = numbers(old)
    if due == "none":
        return old
    if due == "patch":
        return f"{major}.{minor}.{patch + 1}"
    return f"{major + 1}.0.0" if due == "major" and major > 0 else f"{major}.{minor + 1}.0"


def numbers(version: str) -> tuple[int, int, int]:
    """Return the three numbers of *version*, which compare as versions do: 0.10.0 is after 0.9.0."""
    major, minor, patch = map(int, version.split("."))
    return major, minor, patch


def largest(bumps: list[Bump]) -> Bump:
    """Return the largest of *bumps*, `none` when there is none."""
    return max(bumps, key=BUMPS.index, default="none")
