"""Reader of `hf`: a dataset of the Hugging Face hub, or a folder of data files, in streaming mode.

    hf:NAME            the split train of the only configuration
    hf:NAME:CONFIG     the split train of CONFIG
    hf:NAME::SPLIT     the split SPLIT
    hf:NAME:CONFIG:SPLIT

    hf:wikimedia/wikipedia:20231101.gl

NAME is `owner/name` on the hub, or the path of a folder. Rows are read as those of `parquet` are (`columns.py`). Only
what is read comes over the network, and only because the dataset was named. No program of a dataset is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.columns import ID_COLUMN, RUNNING_TEXT, TEXT_COLUMN, Row, sentences_of_rows
from ncimp.corpus_stats.readers.text import TextRules
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.schemas.errors import Place, SourceError, UsageError

PREFIX = "hf:"
"""How the name of a dataset begins."""


def read_hub(
    name: str,
    *,
    problems: Problems = STOP,
    rules: TextRules = RUNNING_TEXT,
    text_column: str = TEXT_COLUMN,
    id_column: str = ID_COLUMN,
) -> Iterator[CorpusSentence]:
    """Yield the sentences of the text in each row of the dataset *name* (`hf:…`)."""
    rows = enumerate(_rows(name, problems), start=1)
    return sentences_of_rows(
        rows, file=name, problems=problems, rules=rules, text_column=text_column, id_column=id_column
    )


def parts_of(name: str) -> tuple[str, str | None, str]:
    """Return dataset, configuration and split of *name*.

    >>> parts_of("hf:owner/name::test")
    ('owner/name', None, 'test')
    """
    dataset, *rest = name.removeprefix(PREFIX).split(":")
    if not dataset or len(rest) > 2:
        raise UsageError(f"{name!r} names no dataset", fix="write hf:NAME, hf:NAME:CONFIG or hf:NAME:CONFIG:SPLIT")
    config, split = (*rest, "", "")[:2]
    return dataset, config or None, split or "train"


def _rows(name: str, problems: Problems) -> Iterator[Row]:
    dataset, config, split = parts_of(name)
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
