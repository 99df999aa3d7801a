"""The documents of the tasks, which lm-evaluation-harness loads by `!function documents.NAME`.

It hands over the task's metadata, what the user gave with `--metadata`, and facts about the model.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import datasets

from ncimp.evaluator.ecosystem import choice_rows, likelihood_rows, sense_choice_rows
from ncimp.evaluator.release import Release, read_release
from ncimp.schemas import Row, UsageError


def pairs(**metadata: Any) -> Any:
    """Return original and random compound in one sentence."""
    return _documents(likelihood_rows, metadata)


def choices(**metadata: Any) -> Any:
    """Return the original and three sentences, of which the first means the same."""
    return _documents(choice_rows, metadata)


def senses(**metadata: Any) -> Any:
    """Return sentences of the suite `astitch` with the paraphrases of their compounds."""
    return _of_language(sense_choice_rows(Path(str(metadata.get("release", "ncimp")))), metadata)


def _documents(rows: Callable[[Release], Iterator[Row]], metadata: Row) -> Any:
    release = read_release(Path(str(metadata.get("release", "ncimp"))))
    return _of_language(rows(release), metadata)


def _of_language(rows: Iterator[Row], metadata: Row) -> Any:
    lang, by_lang = metadata.get("lang"), list(rows)
    documents = [row for row in by_lang if lang in (None, row["lang"])]
    if not documents:
        fix = f"choose among {', '.join(sorted({row['lang'] for row in by_lang}))}"
        raise UsageError(f"the release has no sentences for this task in {lang!r}", fix=fix)
    return {"test": datasets.Dataset.from_list(documents)}
