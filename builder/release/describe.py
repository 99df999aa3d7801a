"""Figures of a release: counts per cell, and how well the random compounds match in frequency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ncimp.builder.records import CLASSES, CONTEXTS, VARIANTS, Item, Pair, ReleasedCompound
from ncimp.builder.release.statistics.values import matches, summarise


def count_cells(
    items: Sequence[Item], pairs: Sequence[Pair], compounds: Sequence[ReleasedCompound]
) -> dict[str, object]:
    """Return totals, and per language the compounds per class and split the sentences per context, variant and cell."""
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
    cells = Counter(f"{item.context_kind}/{item.probe}" for item in rows)
    return {
        "compounds": len(own),
        "sentences": len(rows),
        "pairs": sum(pair.lang == lang for pair in pairs),
        "classes": {name: classes[name] for name in CLASSES},
        "splits": dict(sorted(splits.items())),
        "contexts": {name: contexts[name] for name in CONTEXTS},
        "variants": {name: variants[name] for name in VARIANTS},
        "cells": dict(sorted(cells.items())),
    }


def measure_matching(items: Sequence[Item]) -> dict[str, dict[str, float]]:
    """Return per language the median and 90th percentile of |difference of log10 frequency| of the randoms.

    Measured over the random compounds, once each, for the modifier, the head, the worse of both and
    the mean frequency.
    """
    drawn = matches(items)
    report: dict[str, dict[str, float]] = {}
    for lang in sorted({match.lang for match in drawn}):
        report[lang] = {}
        for part in ("modifier", "head", "worse", "mean"):
            summary = summarise([getattr(match, part) for match in drawn if match.lang == lang])
            if summary:
                report[lang] |= {f"{part}_median": summary.median, f"{part}_p90": summary.p90}
    return report
