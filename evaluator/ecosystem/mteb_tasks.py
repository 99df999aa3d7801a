"""Tasks of mteb over a release folder: similarity, synonyms of wholes and of words, senses and their paraphrases.

mteb.evaluate(model, [NcimpSTS("ncimp"), NcimpPairClassification("ncimp")], cache=None)
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import datasets
import numpy as np
from mteb.abstasks.classification import AbsTaskClassification
from mteb.abstasks.pair_classification import AbsTaskPairClassification
from mteb.abstasks.sts import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata

from ncimp.evaluator.ecosystem import consistency_rows, pair_rows, sense_rows, sts_rows
from ncimp.evaluator.measures import FloatArray, cosine
from ncimp.evaluator.release import read_release
from ncimp.evaluator.suites.texts import SuiteText
from ncimp.schemas import Row, UsageError

LANGUAGES = {
    "de": ["deu-Latn"],
    "en": ["eng-Latn"],
    "fr": ["fra-Latn"],
    "gl": ["glg-Latn"],
    "it": ["ita-Latn"],
    "pt": ["por-Latn"],
}
"""The subsets, and how mteb calls their languages."""
SPLIT = "test"  # nothing is trained on these pairs, so all splits of the release are one


def _metadata(name: str, kind: Any, score: str, description: str) -> Any:
    return TaskMetadata(
        name=name,
        description=description,
        dataset={"path": "ncimp", "revision": "local"},
        type=kind,
        category="t2t",
        modalities=["text"],
        eval_splits=[SPLIT],
        eval_langs=LANGUAGES,
        main_score=score,
        domains=["Written"],
        annotations_creators="derived",
        sample_creation="created",
    )


class _OfFolder:
    """Rows out of a release folder, by language, for every task."""

    rows_of: "ClassVar[staticmethod[[Path], Iterator[Row]]]"
    hf_subsets: list[str]  # of mteb: the languages to run

    def __init__(self, release: Path | str = "ncimp", **options: Any) -> None:
        """Take the rows of the folder *release*; *options* are mteb's."""
        super().__init__(**options)
        self._release = Path(release)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the task, out of the checked folder."""
        return type(self).rows_of(self._release)

    def load_data(self, *_given: Any, **_named: Any) -> None:
        """Keep the rows by language: of each those of the split `train`, and all others, which are judged."""
        if getattr(self, "data_loaded", False):
            return
        rows = list(self.rows())
        languages = {row["lang"] for row in rows}
        parts: dict[str, dict[str, list[Row]]] = {lang: {} for lang in self.hf_subsets if lang in languages}
        if not parts:
            fix = "choose others: mteb.filter_tasks or `hf_subsets`"
            raise UsageError(f"the release has no {', '.join(self.hf_subsets)}", fix=fix)
        for row in rows:
            if row["lang"] in parts:
                name = "train" if row.get("split") == "train" else SPLIT
                parts[row["lang"]].setdefault(name, []).append(row)
        self.dataset = {
            lang: datasets.DatasetDict({name: datasets.Dataset.from_list(part) for name, part in sets.items()})
            for lang, sets in parts.items()
        }
        self.hf_subsets = list(parts)
        self.data_loaded = True


class NcimpSTS(_OfFolder, AbsTaskSTS):  # type: ignore[misc]
    """Similarity of a sentence and its variant: Spearman with what is expected of the variant (see `sts_rows`)."""

    rows_of = staticmethod(lambda folder: sts_rows(read_release(folder)))
    min_score, max_score = 0, 5
    metadata = _metadata(
        "NcimpSTS",
        "STS",
        "cosine_spearman",
        "Sentences with a noun compound, and with its synonym, synonyms of its words, or a random compound instead.",
    )


class NcimpPairClassification(_OfFolder, AbsTaskPairClassification):  # type: ignore[misc]
    """Of idiomatic compounds: does the synonym keep the meaning rather than synonyms of the words (see `pair_rows`)."""

    rows_of = staticmethod(lambda folder: pair_rows(read_release(folder)))
    metadata = _metadata(
        "NcimpPairClassification",
        "PairClassification",
        "max_ap",
        "Sentences with an idiomatic noun compound, with its synonym (1) or synonyms of its words (0) instead.",
    )


class NcimpSenses(_OfFolder, AbsTaskClassification):  # type: ignore[misc]
    """Is a compound meant literally (1) or not (0)? Trained on some of the few-shot sentences."""

    rows_of = staticmethod(sense_rows)
    metadata = _metadata(
        "NcimpSenses",
        "Classification",
        "f1",
        "Sentences with a noun compound that is meant literally or as part of a name (1), or as an idiom (0).",
    )
    samples_per_label = 32


class NcimpConsistency(_OfFolder, AbsTaskSTS):  # type: ignore[misc]
    """Similarity of a sentence and the same with a paraphrase of a sense (see `consistency_rows`)."""

    min_score, max_score = 0, 1
    metadata = _metadata(
        "NcimpConsistency",
        "STS",
        "cosine_spearman",
        "Sentences with a noun compound, and with a paraphrase of the sense it has there, or of another one, instead.",
    )

    def __init__(self, release: Path | str = "ncimp", *, reference: Any = None, **options: Any) -> None:
        """Take the pairs of *release*; *reference*, with `encode`, says what is wanted where the folder does not."""
        super().__init__(release, **options)
        self._reference = reference

    def rows(self) -> Iterator[Row]:
        """Yield the pairs of the suite `astitch`."""
        return consistency_rows(self._release, None if self._reference is None else self._similarity)

    def _similarity(self, *sides: Sequence[SuiteText]) -> FloatArray:
        return cosine(*(np.asarray(self._reference.encode([one.text for one in side])) for side in sides))
