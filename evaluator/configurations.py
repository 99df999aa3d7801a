"""The figures of an evaluation as NCIMP (He et al., CL 51(2)) counts them: by language, and naturalistic or neutral.

The neutral configuration is the short frame alone, and human scores are those of compounds.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from ncimp.evaluator.correlation import plain_rho
from ncimp.evaluator.figures import scores
from ncimp.evaluator.records import Document
from ncimp.evaluator.release import Facts
from ncimp.evaluator.results import ITEMS, SENTENCES, read_results, read_rows

KINDS = {"naturalistic": "Nat", "neutral": "Neut"}  # the paper's name of a kind of contexts
LEFT_OUT = "neut_long"  # the context that the paper reports nothing of


class ConfigurationFigure(NamedTuple):
    """One figure of one measure."""

    value: float | None
    sd: float | None  # of a mean: the standard deviation of the sample of compounds
    n: int  # compounds it is over
    why: str  # there is no value


@dataclass(frozen=True, slots=True)
class Configurations:
    """The values of an evaluation by configuration, such as `EN-Nat`."""

    document: Document
    facts: Mapping[str, Facts]  # by id of the compound
    values: Mapping[tuple[str, str, str], Mapping[str, float]]
    """By configuration, level and measure: the mean over the sentences of each compound, equations (3), (4), (5)."""
    overlapping: frozenset[tuple[str, str]]
    """Configuration and compound where compound and synonym share a word in some sentence (Appendix B)."""

    def figure(self, configuration: str, level: str, measure: str, kind: str) -> ConfigurationFigure:
        """Return a `mean`, a `rho` with Comp, a `rho without overlap`, or the `rho of z-scores` with the plain values.

        Rho is Spearman's over compounds; where a language has no human score, it is with the class of the pack.
        """
        if kind == "rho of z-scores":
            return self.standardised(configuration, level, measure)
        overlap = self.overlapping if kind == "rho without overlap" else ()
        by_compound = self.values.get((configuration, level, measure), {})
        values = {name: value for name, value in by_compound.items() if (configuration, name) not in overlap}
        if not values:
            return ConfigurationFigure(None, None, 0, f"no value in {configuration} at {level} level")
        if kind == "mean":
            sample = np.array(list(values.values()))
            sd = float(sample.std(ddof=1)) if len(sample) > 1 else None
            return ConfigurationFigure(float(sample.mean()), sd, len(sample), "")
        facts = [row for row in self.facts.values() if row.lang == configuration[:2].lower()]
        pairs = [(values.get(row.id, np.nan), score) for row, score in zip(facts, scores(facts)[1], strict=True)]
        pairs = [pair for pair in pairs if not np.isnan(pair).any()]
        rho = plain_rho(*np.array(pairs).reshape(-1, 2).T)
        why = "fewer than three compounds, or no variation" if rho is None else ""
        return ConfigurationFigure(rho, None, len(pairs), why)

    def standardised(self, configuration: str, level: str, measure: str) -> ConfigurationFigure:
        """Return Spearman's rho, over compounds, of *measure* and the same after z-scores (Appendix C)."""
        place = (configuration, level, measure, "z-score")
        for row in self.document.standardised:
            if (configuration_of(row.lang, row.context_kind), row.level, row.measure, row.method) == place:
                why = "no variation, or an evaluation by older code" if row.rho_between is None else ""
                return ConfigurationFigure(row.rho_between, None, row.n, why)
        return ConfigurationFigure(None, None, 0, "evaluate with --standardise z-score")


def read_configurations(folder: Path) -> Configurations:
    """Return the values in *folder*, which `ncimp evaluate --out` wrote, or raise `EvaluationError`."""
    results = read_results(folder)
    sentences: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in read_rows(folder / SENTENCES, "evaluated_sentence"):
        if row["context"] != LEFT_OUT and row["value"] is not None:
            place = configuration_of(row["lang"], row["context_kind"]), row["level"], row["measure"]
            sentences[place][row["compound_id"]].append(row["value"])
    overlapping = {
        (configuration_of(row["lang"], row["context_kind"]), row["compound_id"])
        for row in read_rows(folder / ITEMS, "evaluated_item")
        if row["variant"] == "syn" and row["level"] == "nc" and row["overlap"] and row["context"] != LEFT_OUT
    }
    values = {
        place: {name: fmean(numbers) for name, numbers in compounds.items()} for place, compounds in sentences.items()
    }
    return Configurations(results.document, results.facts, values, frozenset(overlapping))


def configuration_of(lang: str, kind: str) -> str:
    """Return the configuration of a language and a kind of contexts.

    >>> configuration_of("pt", "neutral")
    'PT-Neut'
    """
    return f"{lang.upper()}-{KINDS.get(kind, kind)}"
