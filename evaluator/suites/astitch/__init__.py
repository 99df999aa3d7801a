"""Senses of compounds: which one is meant, and do vectors follow (Tayyar Madabushi et al., Findings of EMNLP 2021)?

`detection` tells senses with a classifier over frozen vectors; `consistency` compares a sentence with the same where a
paraphrase of the right or of another sense stands in the compound's place.
"""

from collections.abc import Iterator

from ncimp.evaluator.answers import Answers
from ncimp.evaluator.suites.astitch.consistency import consistency
from ncimp.evaluator.suites.astitch.detection import detection
from ncimp.evaluator.suites.texts import SuiteInput
from ncimp.schemas.suites import CONSISTENCY, SHOTS

NAME = "astitch"


class Astitch:
    """Detection and consistency of senses."""

    folders = (*SHOTS.values(), CONSISTENCY)
    options = ("languages", "resamples", "split")

    def answers(self, data: SuiteInput) -> Iterator[Answers]:
        """Yield the answers of the model and of each baseline, by language and split."""
        for lang in data.languages:
            if not data.select:
                yield from detection(data, lang)
            for split in data.splits:
                yield from consistency(data, lang, split)

    def notes(self, data: SuiteInput) -> Iterator[str]:
        """Yield what the figures leave out."""
        gaps = data.folder.manifest.counts.get("gaps")
        if isinstance(gaps, list) and gaps:
            yield f"The copy that was imported lacks {len(gaps)} published files, such as {gaps[0]}."
        if data.select:
            yield "Detection is left out: its own answers say which compounds are tokens (--idiom-tokens)."
        trained = {row.sentence for row in data.examples if row.shot != "none"}
        zero = {row.compound_id for row in data.examples if row.shot == "zero"}
        judged = [row for row in data.examples if row.shot == "none" and row.split in data.splits]
        for what, leaks in (
            ("stand in training, too", sum(row.sentence in trained for row in judged)),
            ("are of compounds of zero-shot training", sum(row.compound_id in zero for row in judged)),
        ):
            if leaks:
                yield f"Warning: {leaks} of {len(judged)} judged sentences {what}, so that figures are too high."
        for lang in data.languages:
            rows = [row for row in data.pairs if row.lang == lang and row.split in data.splits]
            if rows and not any(row.role == "sts" for row in rows):
                yield f"{lang}: consistency is over pairs with a paraphrase only: no pairs judged by people (--sts)."
            if data.reference is None and any(row.role == "incorrect" and row.similarity is None for row in rows):
                yield f"{lang}: consistency is with the model's own similarities: no reference model (--reference)."
