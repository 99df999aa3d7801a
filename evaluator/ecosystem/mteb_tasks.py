"""Tasks of mteb over a release folder: graded similarity, synonym against word-by-word synonyms, and senses.

mteb.evaluate(model, [NcimpSTS("ncimp"), NcimpPairClassification("ncimp")], cache=None)
"""

from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import datasets
from mteb.abstasks.classification import AbsTaskClassification
from mteb.abstasks.pair_classification import AbsTaskPairClassification
from mteb.abstasks.sts import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata

from ncimp.evaluator.ecosystem import pair_rows, sense_rows, sts_rows
from ncimp.evaluator.release import Release, read_release
from ncimp.schemas import Row, UsageError

LANGUAGES = {"de": ["deu-Latn"], "en": ["eng-Latn"], "fr": ["fra-Latn"], "it": ["ita-Latn"], "pt": ["por-Latn"]}
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


def _known(languages: Sequence[str], known: Container[str]) -> list[str]:
    """Return those of *languages* that are *known*; `UsageError` where none is."""
    kept = [lang for lang in languages if lang in known]
    if not kept:
        fix = "choose others: mteb.filter_tasks or `hf_subsets`"
        raise UsageError(f"the release has no {', '.join(languages)}", fix=fix)
    return kept


class _OfRelease:
    """Rows out of a release folder, by language, for both tasks."""

    rows: "ClassVar[staticmethod[[Release], Iterator[Row]]]"
    hf_subsets: list[str]  # of mteb: the languages to run

    def __init__(self, release: Path | str = "ncimp", **options: Any) -> None:
        """Take the pairs of the folder *release*; *options* are mteb's."""
        super().__init__(**options)
        self._release = Path(release)

    def load_data(self, *_given: Any, **_named: Any) -> None:
        """Read and check the release, and keep its pairs by language."""
        if getattr(self, "data_loaded", False):
            return
        release = read_release(self._release)
        rows = list(type(self).rows(release))
        languages = self.hf_subsets = _known(self.hf_subsets, release.languages)
        of_lang = {lang: [row for row in rows if row["lang"] == lang] for lang in languages}
        self.dataset = {lang: {SPLIT: datasets.Dataset.from_list(part)} for lang, part in of_lang.items()}
        self.data_loaded = True


class NcimpSTS(_OfRelease, AbsTaskSTS):  # type: ignore[misc]
    """Similarity of a sentence and its variant: Spearman with what is expected of the variant (see `sts_rows`)."""

    rows = staticmethod(sts_rows)
    min_score, max_score = 0, 5
    metadata = _metadata(
        "NcimpSTS",
        "STS",
        "cosine_spearman",
        "Sentences with a noun compound, and with its synonym, synonyms of its words, or a random compound instead.",
    )


class NcimpPairClassification(_OfRelease, AbsTaskPairClassification):  # type: ignore[misc]
    """Of idiomatic compounds: does the synonym keep the meaning rather than synonyms of the words (see `pair_rows`)."""

    rows = staticmethod(pair_rows)
    metadata = _metadata(
        "NcimpPairClassification",
        "PairClassification",
        "max_ap",
        "Sentences with an idiomatic noun compound, with its synonym (1) or synonyms of its words (0) instead.",
    )


class NcimpSenses(AbsTaskClassification):  # type: ignore[misc]
    """Is a compound meant literally (1) or not (0)? Trained on some of the few-shot sentences."""

    metadata = _metadata(
        "NcimpSenses",
        "Classification",
        "f1",
        "Sentences with a noun compound that is meant literally or as part of a name (1), or as an idiom (0).",
    )
    samples_per_label = 32
    hf_subsets: list[str]  # of mteb: the languages to run

    def __init__(self, release: Path | str = "ncimp", **options: Any) -> None:
        """Take the sentences of the suite `astitch` in the folder *release*; *options* are mteb's."""
        super().__init__(**options)
        self._release = Path(release)

    def load_data(self, *_given: Any, **_named: Any) -> None:
        """Read the folder, and keep its sentences by language: all that are judged are one split."""
        rows = list(sense_rows(self._release))
        self.hf_subsets = _known(self.hf_subsets, {row["lang"] for row in rows})
        self.dataset = {}
        for lang in self.hf_subsets:
            parts = {"train": [row for row in rows if (row["lang"], row["split"]) == (lang, "train")]}
            parts[SPLIT] = [row for row in rows if row["lang"] == lang and row["split"] != "train"]
            self.dataset[lang] = datasets.DatasetDict(
                {name: datasets.Dataset.from_list(part) for name, part in parts.items()}
            )
        self.data_loaded = True
