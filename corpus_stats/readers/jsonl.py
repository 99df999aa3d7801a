"""Reader of `jsonl`: one JSON object a line with a text in it, one document each.

    {"id": "letters-7", "text": "She is an eager beaver. He is not."}

Which column is the text, and how it is cut, is in `columns.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.columns import ID_COLUMN, RUNNING_TEXT, TEXT_COLUMN, Row, sentences_of_rows
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.readers.text import TextRules
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import Place, SourceError


def read_jsonl(
    lines: Iterable[Line],
    *,
    file: str,
    problems: Problems = STOP,
    rules: TextRules = RUNNING_TEXT,
    text_column: str = TEXT_COLUMN,
    id_column: str = ID_COLUMN,
) -> Iterator[CorpusSentence]:
    """Yield the sentences of the text in each object of *lines*; a line that holds none is a problem."""
    rows = _rows(lines, file, problems)
    return sentences_of_rows(
        rows, file=file, problems=problems, rules=rules, text_column=text_column, id_column=id_column
    )


def _rows(lines: Iterable[Line], file: str, problems: Problems) -> Iterator[tuple[int, Row]]:
    for number, line in lines:
        if line == UNREADABLE or not line.strip():
            continue
        try:
            row = _object(line, Place(file, number))
        except SourceError as problem:
            problems.report(problem)
            continue
        yield number, row


def _object(line: str, place: Place) -> Row:
    try:
        row = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise SourceError(f"not JSON ({reason})", fix="write one JSON object a line", place=place) from None
    if not isinstance(row, dict):
        raise SourceError("not a JSON object", fix="write one JSON object a line", place=place)
    return row
