"""`origins.tsv`: where the sentences of a pack stand that its user may read and not pass on.

`pack.toml` names their licences, and each context under one of them needs a row here:

    compound	context	document	start	text
    eager beaver	nat1	http://example.org/1	137	the eager beaver on my left had finished .

`start` counts characters from the beginning of the document (see ncimp.corpus_stats.readers.documents).
The text may differ from the context in spaces, case and punctuation only, so that it can be restored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ncimp.builder.records import Context, MarkedSentence, Origin
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.records import read_records

ORIGINS = "origins.tsv"
"""The file of a pack whose sentences may not all be passed on."""

Key = tuple[str, str]
"""Compound and context."""


def read_origins(
    folder: Path, contexts: Sequence[Context], marked: Mapping[Key, MarkedSentence], withheld: Sequence[str]
) -> tuple[Origin, ...]:
    """Return the rows of `origins.tsv`; raise `SourceError` unless they are those of the contexts *withheld*."""
    path = folder / ORIGINS
    asked = {(row.compound, row.context): row for row in contexts if row.licence in withheld}
    rows = list(read_records(path, Origin, "origin")) if path.is_file() else []
    found: dict[Key, Origin] = {}
    for number, row in rows:
        key = (row.compound, row.context)
        _check(row, marked.get(key) if key in asked and key not in found else None, Place(str(path), number))
        found[key] = row
    for key, context in asked.items():
        _check_context(context, key in found, Place(str(folder / "contexts.tsv")))
    return tuple(found.values())


def _check_context(row: Context, found: bool, place: Place) -> None:
    if not found:
        what = f"the licence {row.licence!r} of {row.compound} / {row.context} is withheld, and {ORIGINS} lacks it"
        raise SourceError(what, fix="say there where the sentence stands in its corpus", place=place)
    if row.source != "corpus":
        what = f"{row.compound} / {row.context} has the withheld licence {row.licence!r}, but is {row.source}"
        raise SourceError(what, fix="a withheld sentence has the source `corpus`", place=place)


def _check(row: Origin, sentence: MarkedSentence | None, place: Place) -> None:
    if sentence is None:
        what = f"{row.compound} / {row.context} is there twice, or is no context with a withheld licence"
        raise SourceError(what, fix="take the row out, or mend its names", place=place)
    if _letters(row.text) != _letters(sentence.text):
        what = f"the text is not that of {row.compound} / {row.context}"
        fix = "only spaces, case and punctuation may differ"
        raise SourceError(what, fix=fix, place=Place(place.file, place.line, "text"))


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
