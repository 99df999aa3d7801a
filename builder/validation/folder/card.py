"""D1xx: the dataset card of a release, against its manifest and against what the Hub accepts.

The card is text and the manifest a list; no data file is opened. `datasets` and the Hub's client check
almost nothing of a card, and what they do check fails at the user's (docs/reference/incidents.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ncimp.builder.records import Incident, Manifest
from ncimp.builder.validation.folder.card_figures import check_text
from ncimp.builder.validation.folder.card_header import check_header
from ncimp.builder.validation.registry import reports
from ncimp.schemas.errors import NcimpError
from ncimp.schemas.files import read_text

CARD = "README.md"
"""Name of the card in a release."""

SECTIONS = ("motivation", "composition", "collection", "uses", "limits", "maintenance")
"""What a datasheet has to say; each is a word of a heading."""

HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)


@reports(
    """Figures are compared with the manifest, not with the tables, so that damage of a table is reported once.

    A key that stands twice is an error (`D101`), because other readers take the last one silently. A licence that the
    Hub does not list is `other`, with a `license_name` (one id in small letters) and a `license_link` (an address, or
    `LICENSE.md` of the release) (`D102`). Sizes are rows of each split, bytes to download, and the sum of the bytes in
    memory; those of one split depend on the library and are not recomputed (`D106`). Tables are compared cell by cell;
    a figure in running text has to be one of the manifest's, so another figure of the release is not found (`D108`).
    """,
    D101="the card cannot be read",
    D102="the header of the card has a key or a value that the Hub does not know, or that is not the release's",
    D103="the configs of the card are not one default and others of its version",
    D104="the files of the card's configs are not those of the release",
    D105="the features in the card are not the columns of the table",
    D106="a size in the header of the card is not the manifest's",
    D107="the card lacks a section",
    D108="a figure in the text of the card is not the manifest's",
)
def check_card(folder: Path, manifest: Manifest) -> Iterator[Incident]:
    """Yield every D1xx incident of the card in *folder*; a card that is missing is for M901 to tell."""
    if not (folder / CARD).is_file():
        return
    try:
        header, body = _parts(read_text(folder / CARD))
    except (NcimpError, yaml.YAMLError) as error:
        told = error.what if isinstance(error, NcimpError) else " ".join(str(error).split())
        yield Incident("D101", CARD, f"{told}; build the release again")
        return
    for code, message in (*check_header(header, manifest), *_sections(body), *check_text(body, header, manifest)):
        yield Incident(code, CARD, message)


def _parts(text: str) -> tuple[dict[str, Any], str]:
    """Return the header and the body of a card, or raise a YAML error."""
    match = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if match is None:
        raise yaml.YAMLError("it does not begin with a header between two lines `---`")
    header = _Strict(match[1]).get_single_data()
    if not isinstance(header, dict):
        raise yaml.YAMLError("its header is no mapping")
    return header, text[match.end() :]


class _Strict(yaml.SafeLoader):
    """A safe loader that takes no key twice; the others take the last one silently."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> dict[Any, Any]:
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    for key in keys:
        if keys.count(key) > 1:
            raise yaml.YAMLError(f"the key {key!r} stands twice in one mapping{node.start_mark}")
    return loader.construct_mapping(node, deep=True)


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def _sections(body: str) -> Iterator[tuple[str, str]]:
    headings = " ".join(HEADING.findall(body)).lower()
    for section in SECTIONS:
        if re.search(rf"\b{section}\b", headings) is None:
            yield "D107", f"no section on {section}; add a heading with this word to dataset_card.md, and say it"
