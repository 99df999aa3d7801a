"""Figures of a release for its manifest: counts per cell, and how well the random compounds match in frequency."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from ncimp.builder import records
from ncimp.builder.records import Item

QUANTILES = {"minimum": 0.0, "p10": 0.10, "p25": 0.25, "median": 0.50, "p75": 0.75, "p90": 0.90, "maximum": 1.0}
DECIMALS = 4  # of a summary: few enough to be the same on every machine
Summary = dict[str, float | int | None]
"""Number of values `n`, their mean, sample standard deviation `sd` (n - 1; None for one value) and quantiles."""


def summarise(values: Iterable[float]) -> Summary | None:
    """Return the summary of *values*, or None when there are none.

    Quantiles are interpolated linearly between the two nearest values (numpy's method `linear`).
    """
    data = np.sort(np.asarray(list(values), dtype=np.float64))  # sums of floats depend on the order of what is summed
    if not len(data):
        return None
    cuts = np.quantile(data, list(QUANTILES.values()), method="linear").tolist()
    sd = round(float(data.std(ddof=1)), DECIMALS) if len(data) > 1 else None
    quantiles = {name: round(cut, DECIMALS) for name, cut in zip(QUANTILES, cuts, strict=True)}
    return {"n": len(data), "mean": round(float(data.mean()), DECIMALS), "sd": sd, **quantiles}


def matches(items: Iterable[Item]) -> list[tuple[Item, dict[str, float]]]:
    """Return every random compound once (it is the same in every context) with its |differences of log10 frequency|.

    They are those of its `modifier`, its `head`, the `worse` of both and the `mean` frequency; a random compound whose
    difference is not known is left out.
    """
    measured = []
    for item in items:
        deltas = (item.modifier_delta, item.head_delta, item.mean_delta)
        sizes = [abs(delta) for delta in deltas if delta is not None]
        if item.variant in records.RANDOMS and item.context == records.CONTEXTS[0] and len(sizes) == len(deltas):
            modifier, head, mean = sizes
            measured.append((item, {"modifier": modifier, "head": head, "worse": max(modifier, head), "mean": mean}))
    return measured


def count_cells(
    items: Sequence[Item], pairs: Sequence[records.Pair], compounds: Sequence[records.ReleasedCompound]
) -> dict[str, object]:
    """Return totals, and per language the compounds per class and split, the sentences per context and cell."""
    languages: dict[str, object] = {}
    for lang in sorted({compound.lang for compound in compounds}):
        rows = [item for item in items if item.lang == lang]
        own = [compound for compound in compounds if compound.lang == lang]
        classes = Counter(compound.compound_class for compound in own)
        contexts, variants = Counter(item.context for item in rows), Counter(item.variant for item in rows)
        languages[lang] = {
            "compounds": len(own),
            "sentences": len(rows),
            "pairs": sum(pair.lang == lang for pair in pairs),
            "classes": {name: classes[name] for name in records.CLASSES},
            "splits": dict(sorted(Counter(compound.split for compound in own).items())),
            "contexts": {name: contexts[name] for name in records.CONTEXTS},
            "variants": {name: variants[name] for name in records.VARIANTS},
            "cells": dict(sorted(Counter(f"{item.context_kind}/{item.probe}" for item in rows).items())),
        }
    return {"compounds": len(compounds), "sentences": len(items), "pairs": len(pairs), "languages": languages}


def measure_matching(items: Sequence[Item]) -> dict[str, dict[str, float]]:
    """Return per language the median and 90th percentile of |difference of log10 frequency| of the randoms."""
    measured = matches(items)
    report: dict[str, dict[str, float]] = {}
    for lang in sorted({item.lang for item, _ in measured}):
        report[lang] = {}
        for part in ("modifier", "head", "worse", "mean"):
            summary = summarise([deltas[part] for item, deltas in measured if item.lang == lang])
            if summary:
                report[lang] |= {f"{part}_{name}": float(summary[name] or 0) for name in ("median", "p90")}
    return report


def count_judgements(
    compounds: Sequence[records.ReleasedCompound], annotations: Sequence[records.ReleasedAnnotation]
) -> dict[str, object]:
    """Return the numbers of compounds with a human score and of judgements; nothing where there are none.

    Scores and judgements of a program are counted once more under `simulated`.
    """
    scored = [row for row in compounds if row.comp_source is not None]
    if not scored and not annotations:
        return {}
    simulated = {
        "scored": sum(str(row.comp_source).startswith("simulated ") for row in scored),
        "annotations": sum(row.simulated for row in annotations),
    }
    counts: dict[str, object] = {"scored": len(scored), "annotations": len(annotations)}
    return counts | ({"simulated": simulated} if any(simulated.values()) else {})
