"""Licences as the Hub names them in the header of a dataset card; its list is in `licences.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

OTHER = "other"
"""The Hub's name of every licence that it does not list; the card then has to name it."""


@cache
def hub_licences() -> frozenset[str]:
    """Return the ids of the licences that the Hub lists."""
    read = tomllib.loads((files("ncimp.builder.records") / "licences.toml").read_text(encoding="utf-8"))
    return frozenset(str(read["ids"]).split())


def hub_licence(name: str) -> str:
    """Return the Hub's name of the licence *name* (SPDX), which is that in small letters, or `other`.

    >>> hub_licence("CC-BY-4.0"), hub_licence("CC-BY-SA-2.0"), hub_licence("LicenseRef-brWaC")
    ('cc-by-4.0', 'other', 'other')
    """
    return name.lower() if name.lower() in hub_licences() else OTHER
