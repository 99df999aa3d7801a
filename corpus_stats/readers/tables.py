"""Readers of tables with a column of texts, one document a row: `jsonl`, `parquet` and `hf`.

The column is `text` unless `--text-column` names another; `id` (or `--id-column`) names the document, and without it
the number of the row does. A text is cut into sentences by line and by a simple rule (`text.cut_sentences`). An empty
text (null) is skipped.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from typing import Any

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import HUB_PREFIX, UNREADABLE, Line
from ncimp.corpus_stats.readers.text import TextRules, plain_sentences
from ncimp.corpus_stats.words import CorpusSentence, Position
from ncimp.schemas import Place, Row, SourceError, UsageError

Rows = Callable[[Any, str, Problems, tuple[str, str]], Iterator[tuple[int, Row]]]
"""Yields the rows of a source and their numbers: `source, file, problems, (text column, id column)`."""

TEXT_COLUMN = "text"
ID_COLUMN = "id"

PARQUET_ROWS = 256  # rows of a Parquet file in memory at a time; a document may be long
RUNNING_TEXT = partial(plain_sentences, cut=True)  # the default rules for a column of texts


def _reader(rows: Rows) -> Callable[..., Iterator[CorpusSentence]]:
    """Make a reader of texts of the *rows* of a source, each with its number."""

    @wraps(rows)
    def read(
        source: Any,
        *,
        file: str | None = None,
        problems: Problems = STOP,
        position: Position | None = None,  # noqa: ARG001 - each row is a document
        rules: TextRules = RUNNING_TEXT,
        text_column: str = TEXT_COLUMN,
        id_column: str = ID_COLUMN,
    ) -> Iterator[CorpusSentence]:
        file = source if file is None else file
        for number, row in rows(source, file, problems, (text_column, id_column)):
            try:
                text = _text_of(row, text_column, Place(file, number))
            except SourceError as problem:
                problems.report(problem)
                continue
            value = row.get(id_column)
            document = str(number if value is None else value)
            for place, (written, tokens) in enumerate(rules(text), start=1):
                yield CorpusSentence(tokens, document=document, number=place, line=number, written=written)

    return read


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


@_reader
def read_jsonl(
    lines: Iterable[Line],
    file: str,
    problems: Problems,
    columns: tuple[str, str],  # noqa: ARG001 - all are read
) -> Iterator[tuple[int, Row]]:
    """Read `jsonl`: one JSON object a line with a text in it, one document each.

        {"id": "letters-7", "text": "She is an eager beaver. He is not."}

    A line without an object or without a text is a problem.
    """
    for number, line in lines:
        if line == UNREADABLE or not line.strip():
            continue
        what = "not a JSON object"
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            row = None
            what = f"not JSON ({error.msg if isinstance(error, json.JSONDecodeError) else 'nested too deeply'})"
        if isinstance(row, dict):
            yield number, row
        else:
            fix = "write one JSON object a line"
            problems.report(SourceError(what, fix=fix, place=Place(file, number)))


@_reader
def read_parquet(path: str, file: str, problems: Problems, columns: tuple[str, str]) -> Iterator[tuple[int, Row]]:
    """Read `parquet`: a table (https://parquet.apache.org) with a column of texts, one document a row.

        id          text
        letters-7   She is an eager beaver. He is not.

    A row without a text is a problem; other columns are not read.
    """
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(path)
        names = table.schema_arrow.names
        if columns[0] not in names:
            fix = f"name one of its columns with --text-column: {', '.join(names)}"
            raise SourceError(f"no column {columns[0]!r}", fix=fix, place=Place(file))
        batches = table.iter_batches(PARQUET_ROWS, columns=[name for name in columns if name in names])
        yield from enumerate((row for batch in batches for row in batch.to_pylist()), start=1)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(file)) from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        fix = "is it a parquet file? copy or download it again"
        problems.report(SourceError(f"cannot be read to its end ({reason})", fix=fix, place=Place(file)))


@_reader
def read_hub(name: str, file: str, problems: Problems, columns: tuple[str, str]) -> Iterator[tuple[int, Row]]:  # noqa: ARG001
    """Read `hf`: a dataset of the Hugging Face hub, or a folder of data files, in streaming mode.

        hf:NAME            the split train of the only configuration
        hf:NAME:CONFIG     the split train of CONFIG
        hf:NAME::SPLIT     the split SPLIT
        hf:NAME:CONFIG:SPLIT

        hf:wikimedia/wikipedia:20231101.gl

    NAME is `owner/name` on the hub, or the path of a folder. Rows are read like those of `parquet`. Only the rows that
    are read come over the network, and only because the dataset was named. No program of a dataset is run.
    """
    dataset, config, split = dataset_parts(name)
    import datasets

    errors, place = (OSError, ValueError, datasets.exceptions.DatasetsError), Place(file)
    try:
        rows = datasets.load_dataset(dataset, config, split=split, streaming=True)
    except errors as error:
        reason = str(error).partition("\n")[0]
        fix = "check the name, the configuration and the split"
        raise SourceError(f"cannot be opened ({reason})", fix=fix, place=place) from None
    try:
        yield from enumerate(rows, start=1)
    except errors as error:
        reason = str(error).partition("\n")[0]
        fix = "is the connection, or a file of it, broken? run it again"
        problems.report(SourceError(f"cannot be read to its end ({reason})", fix=fix, place=place))


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
