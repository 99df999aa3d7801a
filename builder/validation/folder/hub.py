"""The Hub's vocabularies for dataset cards, from `hub.toml`, where the source of each is named."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from ncimp.builder.records.licences import hub_licences

LONG_CODE = re.compile(r"[a-z]{3}")
"""The form of a language code of ISO 639-2 or ISO 639-3."""

LICENCE_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
"""The form of a licence's name that the Hub does not list."""


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files("ncimp.builder.validation") / "hub.toml").read_text(encoding="utf-8"))


def known_keys(part: str) -> frozenset[str]:
    """Return the keys of the `header`, of an entry of `configs` or of `dataset_info`; those that are `required`.

    Or the names of files that may be `licence_files`.
    """
    return frozenset(_tables()["keys"][part].split())


def vocabulary(key: str) -> frozenset[str] | None:
    """Return the values that the header's *key* may have, or None where it may have any."""
    tables = _tables()
    closed = {
        **{name: values.split() for name, values in tables["values"].items()},
        "license": hub_licences(),
        "size_categories": list(tables["sizes"]),
        "task_categories": list(tables["tasks"]),
        "task_ids": [task for tasks in tables["tasks"].values() for task in tasks.split()],
    }
    return frozenset(closed[key]) if key in closed else None


def is_language(code: str) -> bool:
    """Tell whether *code* is of ISO 639-1, or has the form of a longer code; a region may follow it.

    >>> [is_language(code) for code in ("pt", "pt-BR", "ast", "zz")]
    [True, True, True, False]
    """
    language = code.split("-", 1)[0]
    return language in _tables()["languages"]["ids"].split() or LONG_CODE.fullmatch(language) is not None


def is_licence_name(name: str) -> bool:
    """Tell whether *name* is an id as the Hub wants it for a licence that it does not list.

    >>> is_licence_name("my-licence-1.0"), is_licence_name("My licence")
    (True, False)
    """
    return LICENCE_NAME.fullmatch(name) is not None


def tasks_of(categories: list[str]) -> frozenset[str]:
    """Return the task ids of the task *categories*."""
    known = _tables()["tasks"]
    return frozenset(task for category in categories for task in known.get(category, "").split())


def size_category(rows: int) -> str:
    """Return the size category of a dataset with so many *rows*.

    >>> size_category(999), size_category(1000)
    ('n<1K', '1K<n<10K')
    """
    return [name for name, fewest in _tables()["sizes"].items() if rows >= fewest][-1]
