"""Licences of a release: in `LICENSE-DATA`, in the header of its card, and in a file for the Hub."""

from collections.abc import Sequence
from typing import Any

from ncimp.builder.records import Source
from ncimp.builder.records.words import OTHER, hub_licence

OPEN = "open"
"""The edition that the project wrote itself."""

AUTHORS, LICENCE, FREQUENCIES = "The ncimp authors", "CC-BY-4.0", "wordfreq/"
"""Claims of the project's own statement: authors of the packs, licence of every row, source of the frequencies."""

OTHER_LICENCES = "LICENSE.md"
"""File of a release with licences that the Hub does not list: the Hub shows one of this name, and of few others."""

ROWS = "Each row has the licence of its text in the column `licence`. They are:"
"""Introduction to a list of licences."""

OWN_TERMS = "the terms of the source of these texts, which SPDX does not list; ask who gave you the source"
"""Text for a licence that only its source knows."""


def licence_keys(licences: Sequence[str]) -> dict[str, Any]:
    """Return the keys of the card's header that name the licences of the rows: the Hub's name of each.

    Licences that the Hub does not list are `other` there, and `license_name` names them: one id, in small letters.
    """
    ids = list(dict.fromkeys(map(hub_licence, licences)))
    keys = {"license": ids[0] if len(ids) == 1 else ids}
    others = unlisted(licences)
    return {**keys, "license_name": "-and-".join(others).lower(), "license_link": OTHER_LICENCES} if others else keys


def unlisted(licences: Sequence[str]) -> list[str]:
    """Return those of *licences* that the Hub does not list, each once."""
    return list(dict.fromkeys(name for name in licences if hub_licence(name) == OTHER))


def other_licences(licences: Sequence[str]) -> str:
    """Return what `OTHER_LICENCES` says: each licence of the rows, with its page or with whose terms it is."""
    return "\n".join(["# Licences", "", ROWS, "", *_listed(licences), ""])


def data_licence(
    statement: str, *, release: str, edition: str, licences: Sequence[str], inputs: Sequence[Source], corpus: bool
) -> str:
    """Return what `LICENSE-DATA` says: the project's *statement* where all of it is true, else what is known instead.

    That is each licence of the rows, and the inputs with theirs and whom to credit. *corpus* tells whether any
    sentence is from a corpus.
    """
    if not corpus and _is_own(edition, licences, inputs):
        return statement
    return "\n".join(
        [
            f"NCIMP {edition} edition {release}: licence of the data",
            "",
            ROWS,
            "",
            *_listed(licences),
            "",
            "The data were made from:",
            "",
            *(f"- {source.name} ({source.licence}): {source.citation}" for source in inputs),
            "",
            "The code that made them is licensed separately, under the Apache License 2.0.",
            "",
        ]
    )


def _is_own(edition: str, licences: Sequence[str], inputs: Sequence[Source]) -> bool:
    """Tell whether all that the project's statement says is true of an edition without sentences of a corpus."""
    packs = [source for source in inputs if source.kind == "pack"]
    tables = [source for source in inputs if source.kind == "frequencies"]
    return (
        edition == OPEN
        and set(licences) == {LICENCE}
        and all(source.citation.startswith(AUTHORS) for source in packs)
        and all(source.name.startswith(FREQUENCIES) for source in tables)
    )


def _listed(licences: Sequence[str]) -> list[str]:
    return [f"- {name}: {_page(name)}" for name in dict.fromkeys(licences)]


def _page(licence: str) -> str:
    return OWN_TERMS if licence.startswith("LicenseRef-") else f"<https://spdx.org/licenses/{licence}.html>"
