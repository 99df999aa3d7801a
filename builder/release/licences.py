"""Licences of a release: in `LICENSE-DATA`, in the header of its card, and in a file for the Hub."""

from collections.abc import Sequence
from typing import Any

from ncimp.builder.records import OTHER, Source, hub_licence

OPEN = "open"  # the edition that the project wrote itself
AUTHORS, LICENCE, FREQUENCIES = "The ncimp authors", "CC-BY-4.0", "wordfreq/"
"""Claims of the project's own statement: authors of the packs, licence of every row, source of the frequencies."""
OTHER_LICENCES = "LICENSE.md"
"""File of a release with licences that the Hub does not list: the Hub shows one of this name, and of few others."""
ROWS = "Each row has the licence of its text in the column `licence`. They are:"
OWN_TERMS = "the terms of the source of these texts, which SPDX does not list; ask who gave you the source"


def licence_page(name: str) -> str | None:
    """Return the address of the licence *name*, None where SPDX does not list it."""
    return None if name.startswith("LicenseRef-") else f"https://spdx.org/licenses/{name}.html"


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
    is_own = edition == OPEN and set(licences) == {LICENCE} and not corpus
    for source in inputs:
        is_own = is_own and (source.kind != "pack" or source.citation.startswith(AUTHORS))
        is_own = is_own and (source.kind != "frequencies" or source.name.startswith(FREQUENCIES))
    if is_own:
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


def _listed(licences: Sequence[str]) -> list[str]:
    pages = {name: licence_page(name) for name in licences}
    return [f"- {name}: {f'<{page}>' if page else OWN_TERMS}" for name, page in pages.items()]
