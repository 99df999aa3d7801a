"""Reader of `parquet`: a table (https://parquet.apache.org) with a column of texts, one document a row.

    id          text
    letters-7   She is an eager beaver. He is not.

Which column is the text, and how it is cut, is in `columns.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.columns import ID_COLUMN, RUNNING_TEXT, TEXT_COLUMN, Row, sentences_of_rows
from ncimp.corpus_stats.readers.text import TextRules
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import Place, SourceError

ROWS = 256
"""Rows held at a time; a document may be long."""


def read_parquet(
    path: str,
    *,
    problems: Problems = STOP,
    rules: TextRules = RUNNING_TEXT,
    text_column: str = TEXT_COLUMN,
    id_column: str = ID_COLUMN,
) -> Iterator[CorpusSentence]:
    """Yield the sentences of the text in each row of the parquet file at *path*."""
    rows = enumerate(_rows(path, (text_column, id_column), problems), start=1)
    return sentences_of_rows(
        rows, file=path, problems=problems, rules=rules, text_column=text_column, id_column=id_column
    )


def _rows(path: str, columns: tuple[str, str], problems: Problems) -> Iterator[Row]:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(path)
        names = table.schema_arrow.names
        if columns[0] not in names:
            fix = f"name one of its columns with --text-column: {', '.join(names)}"
            raise SourceError(f"no column {columns[0]!r}", fix=fix, place=Place(path))
        for batch in table.iter_batches(ROWS, columns=[name for name in columns if name in names]):
            yield from batch.to_pylist()
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        fix = "is it a parquet file? copy or download it again"
        problems.report(SourceError(f"cannot be read to its end ({reason})", fix=fix, place=Place(path)))
