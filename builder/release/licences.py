"""The licences of a release: what its card, `LICENSE-DATA` and `LICENSE.md` say of them."""

from collections.abc import Sequence
from typing import Any

from ncimp.builder.records import OTHER, Manifest, hub_licence

OPEN = "open"  # the edition that the project wrote itself
AUTHORS, LICENCE, FREQUENCIES = "The ncimp authors", "CC-BY-4.0", "wordfreq"
"""Claims of the project's own statement: authors of the packs, licence of every row, source of the frequencies."""
NAMED = ("words", "corpus")  # kinds of counts that the statement names one by one
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
    return f"# Licences\n\n{ROWS}\n\n{_listed(licences)}\n"


def data_licence(statement: str, manifest: Manifest, licences: Sequence[str], *, corpus: bool) -> str:
    """Return what `LICENSE-DATA` says: the project's *statement* where all of it is true, else what is known instead.

    That is each of the *licences* of the rows, and the inputs with theirs and whom to credit; *corpus* tells whether a
    sentence of the grid is from a corpus.
    """
    ours = {LICENCE, *(source.licence for source in manifest.inputs if source.kind == "corpus")}
    is_own = manifest.edition == OPEN and LICENCE in licences and ours.issuperset(licences) and not corpus
    for source in manifest.inputs:
        is_own = is_own and (source.kind != "pack" or source.citation.startswith(AUTHORS))
        origin, _, name = source.name.partition("/")
        is_known = origin == FREQUENCIES or (origin in NAMED and name in statement)
        is_own = is_own and (source.kind not in ("frequencies", "corpus") or is_known)
    if is_own:
        return statement
    sources = "\n".join(f"- {source.name} ({source.licence}): {source.citation}" for source in manifest.inputs)
    return f"""NCIMP {manifest.edition} edition {manifest.release}: licence of the data

{ROWS}

{_listed(licences)}

The data were made from:

{sources}

Frequencies (`modifier_zipf`, `head_zipf`, and their differences in `modifier_delta`, `head_delta`, `mean_delta` and
`explanation`) have the licence of their source, which `zipf_source` of `compounds` names.

The code that made them is licensed separately, under the Apache License 2.0.
"""


def _listed(licences: Sequence[str]) -> str:
    pages = {name: licence_page(name) for name in licences}
    return "\n".join(f"- {name}: {f'<{page}>' if page else OWN_TERMS}" for name, page in pages.items())
