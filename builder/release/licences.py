"""What a release says of licences that the Hub does not list: in the header of its card, and in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ncimp.builder.records.licences import OTHER, hub_licence

OTHER_LICENCES = "LICENSE.md"
"""File of a release with licences that the Hub does not list: the Hub shows one of this name, and of few others."""

OTHER_LICENCES_HEAD = (
    "# Licences",
    "",
    "Each row has the licence of its text in the column `licence`; `LICENSE-DATA` is the text of CC BY 4.0. They are:",
    "",
)
OWN_TERMS = "the terms of the source of these texts, which SPDX does not list; ask who gave you the source"
"""What there is to say of a licence that only its source knows."""


def licence_keys(licences: Sequence[str]) -> dict[str, Any]:
    """Return the keys of the card's header that name the licences of the rows: the Hub's name of each.

    Licences that the Hub does not list are `other` there, and `license_name` names them: one id, in small letters.
    """
    ids = list(dict.fromkeys(map(hub_licence, licences)))
    told = {"license": ids[0] if len(ids) == 1 else ids}
    others = unlisted(licences)
    return {**told, "license_name": "-and-".join(others).lower(), "license_link": OTHER_LICENCES} if others else told


def unlisted(licences: Sequence[str]) -> list[str]:
    """Return those of *licences* that the Hub does not list, each once."""
    return list(dict.fromkeys(name for name in licences if hub_licence(name) == OTHER))


def other_licences(licences: Sequence[str]) -> str:
    """Return what `OTHER_LICENCES` says: each licence of the rows, with its page or with whose terms it is."""
    lines = [f"- {name}: {_page(name)}" for name in dict.fromkeys(licences)]
    return "\n".join([*OTHER_LICENCES_HEAD, *lines, ""])


def _page(licence: str) -> str:
    return OWN_TERMS if licence.startswith("LicenseRef-") else f"<https://spdx.org/licenses/{licence}.html>"
