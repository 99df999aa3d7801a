"""An evaluator of `sentence-transformers`: the measures at sentence level, while a model is being trained or after.

evaluator = NcimpEvaluator("ncimp")
evaluator(model)["ncimp_en_affinity_idiomatic"]
"""

from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from ncimp.evaluator.ecosystem import expected_score
from ncimp.evaluator.figures import language_part, level_of
from ncimp.evaluator.measures import VARIANTS, mean_of_present
from ncimp.evaluator.release import Release, read_release

try:
    from sentence_transformers.sentence_transformer.evaluation import SentenceEvaluator
except ModuleNotFoundError:  # before version 6
    from sentence_transformers.evaluation import SentenceEvaluator


class NcimpEvaluator(SentenceEvaluator):  # type: ignore[misc]
    """Means of Sim and Affinity by language, and rho of `ws1` with the compounds' scores; more is better in the first.

    The primary metric is the affinity to the synonym rather than to synonyms of the words, of idiomatic compounds.
    """

    def __init__(self, release: Path | str = "ncimp", *, name: str = "ncimp", batch_size: int = 64) -> None:
        """Take the sentences of the folder *release*; metrics begin with *name*."""
        super().__init__()
        self._release: Release = read_release(Path(release))
        self.name = name
        self.batch_size = batch_size
        self.greater_is_better = True
        self.primary_metric = "affinity_idiomatic"

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the metrics of *model* and note them in its card; nothing is written to *output_path*."""
        del output_path
        parts = {lang: self._measured(model, lang) for lang in self._release.languages}
        metrics = {f"{lang}_{name}": value for lang, part in parts.items() for name, value in part.items()}
        metrics["affinity_idiomatic"] = float(np.mean([part["affinity_idiomatic"] for part in parts.values()]))
        metrics_by_name: dict[str, float] = self.prefix_name_to_metrics(metrics, self.name)
        self.store_metrics_in_model_card_data(model, metrics_by_name, epoch, steps)
        return metrics_by_name

    def _measured(self, model: Any, lang: str) -> dict[str, float]:
        part = language_part(self._release, lang)
        places = {text: place for place, text in enumerate(sorted({item.sentence for item in part.items}))}
        rows = model.encode(list(places), batch_size=self.batch_size, convert_to_numpy=True, show_progress_bar=False)
        level = level_of("sentence", np.asarray(rows)[[places[item.sentence] for item in part.items]], part.grid)
        sims = mean_of_present(np.moveaxis(level.similarity, 1, 2))
        syn, words, random = (sims[:, VARIANTS.index(name)] for name in ("syn", "ws1", "rand1"))
        idiomatic = np.array([compound.compound_class == "idiomatic" for compound in part.compounds])
        return {
            "sim_syn": float(np.nanmean(syn)),
            "sim_words": float(np.nanmean(words)),
            "sim_random": float(np.nanmean(random)),
            "affinity_idiomatic": float(np.nanmean((syn - words)[idiomatic])),
            "rho_words": float(spearmanr(words, [expected_score(compound) for compound in part.compounds]).statistic),
        }
