"""Readers of tables with a column of texts, one document a row: `jsonl`, `parquet` and `hf`.

The column is `text` unless `--text-column` names another; `id` (or `--id-column`) names the document, and without it
the number of the row does. A text is cut into sentences by line and by a simple rule (`text.cut_sentences`). An empty
text (null) is skipped.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import HUB_PREFIX, UNREADABLE, Line
from ncimp.corpus_stats.readers.text import PlainRules, TextRules
from ncimp.corpus_stats.words import CorpusSentence, Position
from ncimp.schemas.errors import Place, SourceError, UsageError

Row = dict[str, Any]
"""A row of a table, by column."""

TEXT_COLUMN = "text"
ID_COLUMN = "id"

PARQUET_ROWS = 256
"""Rows of a Parquet file in memory at a time; a document may be long."""

RUNNING_TEXT = PlainRules(cut=True)
"""The default rules for a column of texts."""


def read_jsonl(
    lines: Iterable[Line],
    *,
    file: str,
    problems: Problems = STOP,
    position: Position | None = None,  # noqa: ARG001 - each line is a document
    rules: TextRules = RUNNING_TEXT,
    text_column: str = TEXT_COLUMN,
    id_column: str = ID_COLUMN,
) -> Iterator[CorpusSentence]:
    """Read `jsonl`: one JSON object a line with a text in it, one document each.

        {"id": "letters-7", "text": "She is an eager beaver. He is not."}

    A line without an object or without a text is a problem.
    """
    for number, line in lines:
        if line != UNREADABLE and line.strip():
            try:
                row = _json_row(line, Place(file, number))
            except SourceError as problem:
                problems.report(problem)
                continue
            yield from _row_sentences(number, row, file, problems, rules, text_column, id_column)


def _json_row(line: str, place: Place) -> Row:
    try:
        row = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise SourceError(f"not JSON ({reason})", fix="write one JSON object a line", place=place) from None
    if not isinstance(row, dict):
        raise SourceError("not a JSON object", fix="write one JSON object a line", place=place)
    return row


def read_parquet(
    path: str,
    *,
    problems: Problems = STOP,
    rules: TextRules = RUNNING_TEXT,
    text_column: str = TEXT_COLUMN,
    id_column: str = ID_COLUMN,
) -> Iterator[CorpusSentence]:
    """Read `parquet`: a table (https://parquet.apache.org) with a column of texts, one document a row.

        id          text
        letters-7   She is an eager beaver. He is not.

    A row without a text is a problem; other columns are not read.
    """
    for number, row in enumerate(_parquet_rows(path, (text_column, id_column), problems), start=1):
        yield from _row_sentences(number, row, path, problems, rules, text_column, id_column)


def _parquet_rows(path: str, columns: tuple[str, str], problems: Problems) -> Iterator[Row]:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(path)
        names = table.schema_arrow.names
        if columns[0] not in names:
            fix = f"name one of its columns with --text-column: {', '.join(names)}"
            raise SourceError(f"no column {columns[0]!r}", fix=fix, place=Place(path))
        for batch in table.iter_batches(PARQUET_ROWS, columns=[name for name in columns if name in names]):
            yield from batch.to_pylist()
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        fix = "is it a parquet file? copy or download it again"
        problems.report(SourceError(f"cannot be read to its end ({reason})", fix=fix, place=Place(path)))


def read_hub(
    name: str,
    *,
    problems: Problems = STOP,
    rules: TextRules = RUNNING_TEXT,
    text_column: str = TEXT_COLUMN,
    id_column: str = ID_COLUMN,
) -> Iterator[CorpusSentence]:
    """Read `hf`: a dataset of the Hugging Face hub, or a folder of data files, in streaming mode.

        hf:NAME            the split train of the only configuration
        hf:NAME:CONFIG     the split train of CONFIG
        hf:NAME::SPLIT     the split SPLIT
        hf:NAME:CONFIG:SPLIT

        hf:wikimedia/wikipedia:20231101.gl

    NAME is `owner/name` on the hub, or the path of a folder. Rows are read like those of `parquet`. Only the rows that
    are read come over the network, and only because the dataset was named. No program of a dataset is run.
    """
    for number, row in enumerate(_hub_rows(name, problems), start=1):
        yield from _row_sentences(number, row, name, problems, rules, text_column, id_column)


def dataset_parts(name: str) -> tuple[str, str | None, str]:
    """Return dataset, configuration and split of *name*.

    >>> dataset_parts("hf:owner/name::test")
    ('owner/name', None, 'test')
    """
    dataset, *rest = name.removeprefix(HUB_PREFIX).split(":")
    if not dataset or len(rest) > 2:
        raise UsageError(f"{name!r} names no dataset", fix="write hf:NAME, hf:NAME:CONFIG or hf:NAME:CONFIG:SPLIT")
    config, split = (*rest, "", "")[:2]
    return dataset, config or None, split or "train"


def _hub_rows(name: str, problems: Problems) -> Iterator[Row]:
    dataset, config, split = dataset_parts(name)
    import datasets

    try:
        rows = datasets.load_dataset(dataset, config, split=split, streaming=True)
    except (OSError, ValueError, datasets.exceptions.DatasetsError) as error:
        reason = str(error).partition("\n")[0]
        fix = "check the name, the configuration and the split"
        raise SourceError(f"cannot be opened ({reason})", fix=fix, place=Place(name)) from None
    try:
        yield from rows
    except (OSError, ValueError, datasets.exceptions.DatasetsError) as error:
        reason = str(error).partition("\n")[0]
        fix = "is the connection, or a file of it, broken? run it again"
        problems.report(SourceError(f"cannot be read to its end ({reason})", fix=fix, place=Place(name)))


def _row_sentences(
    number: int, row: Row, file: str, problems: Problems, rules: TextRules, text_column: str, id_column: str
) -> Iterator[CorpusSentence]:
    """Yield the sentences of the text in a row; a row without one is a problem with its place in *file*."""
    try:
        document_text = _text_of(row, text_column, Place(file, number))
    except SourceError as problem:
        problems.report(problem)
        return
    value = row.get(id_column)
    document = str(number) if value is None else str(value)
    for place, (text, tokens) in enumerate(rules.sentences(document_text), start=1):
        yield CorpusSentence(tokens, document=document, number=place, line=number, written=text)


def _text_of(row: Row, column: str, place: Place) -> str:
    """Return the text in *column* of *row*, empty where it is null, or raise `SourceError`."""
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
