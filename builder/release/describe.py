"""Figures of a release: counts per cell, and how well the random compounds match in frequency."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from ncimp.builder.records import CLASSES, CONTEXTS, RANDOMS, VARIANTS, Item, Pair, ReleasedCompound


def count_cells(
    items: Sequence[Item], pairs: Sequence[Pair], compounds: Sequence[ReleasedCompound]
) -> dict[str, object]:
    """Return totals, and per language the compounds per class and split and the sentences per context and variant."""
    langs = sorted({compound.lang for compound in compounds})
    return {
        "compounds": len(compounds),
        "sentences": len(items),
        "pairs": len(pairs),
        "languages": {lang: _language_counts(lang, items, pairs, compounds) for lang in langs},
    }


def _language_counts(
    lang: str, items: Sequence[Item], pairs: Sequence[Pair], compounds: Sequence[ReleasedCompound]
) -> dict[str, object]:
    rows = [item for item in items if item.lang == lang]
    own = [compound for compound in compounds if compound.lang == lang]
    classes = Counter(compound.compound_class for compound in own)
    splits = Counter(compound.split for compound in own)
    contexts = Counter(item.context for item in rows)
    variants = Counter(item.variant for item in rows)
    return {
        "compounds": len(own),
        "sentences": len(rows),
        "pairs": sum(pair.lang == lang for pair in pairs),
        "classes": {name: classes[name] for name in CLASSES},
        "splits": dict(sorted(splits.items())),
        "contexts": {name: contexts[name] for name in CONTEXTS},
        "variants": {name: variants[name] for name in VARIANTS},
    }


def measure_matching(items: Sequence[Item]) -> dict[str, dict[str, float]]:
    """Return per language the median and 90th percentile of |difference of log10 frequency| of the randoms.

    Measured over the random compounds, once each, for the modifier, the head, the worse of both and
    the mean frequency.
    """
    report: dict[str, dict[str, float]] = {}
    for lang in sorted({item.lang for item in items}):
        drawn = [item for item in items if item.lang == lang and item.variant in RANDOMS and item.context == "nat1"]
        modifier = [abs(item.modifier_delta or 0.0) for item in drawn]
        head = [abs(item.head_delta or 0.0) for item in drawn]
        mean = [abs(item.mean_delta or 0.0) for item in drawn]
        worse = [max(pair) for pair in zip(modifier, head, strict=True)]
        report[lang] = {
            f"{name}_{figure}": value
            for name, deltas in (("modifier", modifier), ("head", head), ("worse", worse), ("mean", mean))
            for figure, value in _figures(deltas).items()
        }
    return report


def _figures(deltas: Sequence[float]) -> dict[str, float]:
    tenths = statistics.quantiles(deltas, n=10, method="inclusive")
    return {"median": round(statistics.median(deltas), 4), "p90": round(tenths[8], 4)}
