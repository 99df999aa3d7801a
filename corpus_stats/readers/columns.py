"""What the formats with a column of texts share: one document a row, cut into sentences.

The column is `text` unless `--text-column` names another; `id` (or `--id-column`) names the document, and without it
the number of the row does. A text is cut into sentences by line and by a simple rule (`text.cut_sentences`). An empty
text (null) is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.text import PlainRules, TextRules
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import Place, SourceError

Row = dict[str, Any]
"""A row of a table, by column."""

TEXT_COLUMN = "text"
ID_COLUMN = "id"

RUNNING_TEXT = PlainRules(cut=True)
"""How a column of texts is cut unless something else is asked."""


def sentences_of_rows(
    rows: Iterable[tuple[int, Row]],
    *,
    file: str,
    problems: Problems,
    rules: TextRules,
    text_column: str,
    id_column: str,
) -> Iterator[CorpusSentence]:
    """Yield the sentences of the text in each numbered row; a row without one is a problem with its place in *file*."""
    for number, row in rows:
        try:
            text = _text_of(row, text_column, Place(file, number))
        except SourceError as problem:
            problems.report(problem)
            continue
        value = row.get(id_column)
        document = str(number) if value is None else str(value)
        for place, (written, tokens) in enumerate(rules.sentences(text), start=1):
            yield CorpusSentence(tokens, document=document, number=place, line=number, written=written)


def _text_of(row: dict[str, Any], column: str, place: Place) -> str:
    """Return the text in *column* of *row*; nothing where it is null. Raise `SourceError` where it is no text."""
    if column not in row:
        fix = f"name one of its columns with --text-column: {', '.join(map(str, row))}"
        raise SourceError(f"no column {column!r}", fix=fix, place=place)
    text = row[column]
    if text is None:
        return ""
    if not isinstance(text, str):
        what = f"the column {column!r} holds {type(text).__name__}, not text"
        raise SourceError(what, fix="name a column of texts with --text-column", place=place)
    if "\0" in text:
        raise SourceError("NUL character in the text", fix="is it text? take the character out", place=place)
    return text
