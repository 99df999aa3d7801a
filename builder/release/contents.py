"""Contents of a release: its files, the configs that they make up, and the counts and figures of its manifest.

Pairs are stored once, by paper column (language and kind of context); the configs `pairs`, one per
language and one per column are lists of those files. No row is stored twice.

    sentences/<split>-00000-of-00001.parquet
    attested/<split>-00000-of-00001.parquet     where a pack has sentences of open corpora
    compounds/<split>-00000-of-00001.parquet
    senses/ sense_sentences/                    where a pack has senses or literal contexts (`ncimp.schemas.suites`)
    detection*/ consistency/                    where it has sentences of these senses
    composition/                                where it has questions about the words of compounds
    annotations/<split>-00000-of-00001.parquet  where there are human judgements
    standoff/<split>-00000-of-00001.parquet     where sentences are released without their text
    pt_nat/<split>-00000-of-00001.parquet       ... and en_nat, en_neut, pt_neut
"""

import math
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist

import numpy as np

from ncimp.builder import records
from ncimp.builder.records import Item, ReleaseFile
from ncimp.schemas import Row, file_hash, logical_hash
from ncimp.schemas.manifest import CONFIG_TABLES, SENSE_SENTENCES
from ncimp.schemas.records import STANDOFF, columns
from ncimp.schemas.suites import COMPOSITION, CONSISTENCY, DETECTION_CONFIGS, SuiteTables

SPLITS = ("train", "validation", "test", "bridge")  # in the order of the card
KINDS: Mapping[str, str] = {"nat": "naturalistic", "neut": "neutral"}
"""Short and full name of each kind of context; the short one is in the names of the paper columns."""
OFTEN = 5  # occurrences of a compound from which on it is counted as frequent
LATEST = 3  # blind samples of a family that the card sums up
SUITE_NOTES = {
    "senses": "sense of a compound",
    SENSE_SENTENCES: "sentence in the literal sense",
    "detection_zero_shot": "sentence with its sense; trained on other compounds",
    "detection_one_shot": "sentence with its sense; trained on one of each sense",
    "detection_few_shot": "sentence with its sense; trained on some of each sense",
    CONSISTENCY: "sentence, and the same with a paraphrase of a sense",
    COMPOSITION: "question about a word of a compound, or a paraphrase of it, in a sentence",
}
"""One row of each config of a suite."""
DEFAULT_CONFIG, ANNOTATIONS = "pairs", "annotations"
QUANTILES = {"minimum": 0.0, "p10": 0.10, "p25": 0.25, "median": 0.50, "p75": 0.75, "p90": 0.90, "maximum": 1.0}
DECIMALS = 4  # of a summary: few enough to be the same on every machine
Summary = dict[str, float | int | None]
"""Number of values `n`, their mean, sample standard deviation `sd` (n - 1; None for one value) and quantiles."""


@dataclass(frozen=True, slots=True)
class Config:
    """A config of a release: its table, and its data files by split."""

    name: str
    table: str
    files: Mapping[str, Sequence[str]]


def data_file(folder: str, split: str) -> str:
    """Return the path of a data file inside the release."""
    return f"{folder}/{split}-00000-of-00001.parquet"


def configs(langs: Sequence[str], files: Container[str]) -> list[Config]:
    """Return the configs that the data *files* of a release in *langs* make up, the default first."""
    pairs = {lang: [f"{lang}_{kind}" for kind in KINDS] for lang in langs}
    every = [name for names in pairs.values() for name in names]
    folders = {
        DEFAULT_CONFIG: every,
        **{name: [name] for name in ("sentences", "compounds", "attested", "senses", SENSE_SENTENCES, CONSISTENCY)},
        **DETECTION_CONFIGS,
        COMPOSITION: [COMPOSITION],
        **{name: [name] for name in (ANNOTATIONS, STANDOFF)},
        **pairs,
        **{name: [name] for name in every},
    }
    result = []
    for name, parts in folders.items():
        paths = {split: [data_file(part, split) for part in parts] for split in SPLITS}
        present = {split: [path for path in group if path in files] for split, group in paths.items()}
        if any(present.values()):
            splits = {split: group for split, group in present.items() if group}
            result.append(Config(name, CONFIG_TABLES.get(name, "pair"), splits))
    return result


def file_entry(folder: Path, path: str, rows: Sequence[Row] | None = None) -> ReleaseFile:
    """Return the entry of the file *path* of *folder* in the manifest; *rows* are those of a data file."""
    size, sha256 = (folder / path).stat().st_size, file_hash(folder / path)
    if rows is None:
        return ReleaseFile(path, size, sha256, rows=None, logical_sha256=None)
    entry = ReleaseFile(path, size, sha256, rows=len(rows), logical_sha256=None)
    names = columns(str(entry.table))
    return replace(entry, logical_sha256=logical_hash({name: row[name] for name in names} for row in rows))


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
        overlap = Counter(row.compound_class for row in own if not all(one.overlap_free for one in row.synonyms[:1]))
        contexts, variants = Counter(item.context for item in rows), Counter(item.variant for item in rows)
        languages[lang] = {
            "compounds": len(own),
            "sentences": len(rows),
            "pairs": sum(pair.lang == lang for pair in pairs),
            "classes": {name: classes[name] for name in records.CLASSES},
            "overlap": {name: overlap[name] for name in records.CLASSES},
            "splits": dict(sorted(Counter(compound.split for compound in own).items())),
            "contexts": {name: contexts[name] for name in records.CONTEXTS},
            "variants": {name: variants[name] for name in records.VARIANTS},
            **_occurring(own),
            "cells": dict(sorted(Counter(f"{item.context_kind}/{item.probe}" for item in rows).items())),
        }
    return {"compounds": len(compounds), "sentences": len(items), "pairs": len(pairs), "languages": languages}


def _occurring(compounds: Iterable[records.ReleasedCompound]) -> dict[str, object]:
    """Return how many of *compounds* occur, and how many often, where any was counted."""
    counts = [row.compound_count for row in compounds if row.compound_count is not None]
    figures = {"occur": sum(map(bool, counts)), "often": sum(count >= OFTEN for count in counts)}
    return {"counted": figures} if counts else {}


def count_readings(
    readings: Mapping[str, Sequence[records.ReaderVerdict]],
    items: Sequence[Item],
    suites: SuiteTables = SuiteTables(),  # noqa: B008 - frozen
) -> list[dict[str, object]]:
    """Return, of each language and family, how much of its last blind samples was read, at fault, and still stands.

    *readings* are those of the packs, by language; a fault is of severity 2 or 3. What earlier samples found was mended
    before these were drawn.
    """
    texts = records.texts_to_read(items, suites.examples, suites.senses)
    rows: list[dict[str, object]] = []
    for lang, all_rows in readings.items():
        verdicts = records.settled(all_rows)
        for family in records.FAMILIES:
            own = [row for row in all_rows if row.family == family and row.reading.startswith(records.BLIND)]
            samples = list(dict.fromkeys(row.reading for row in own))[-LATEST:]
            read = records.settled(row for row in own if row.reading in samples)
            if read:
                counts = {
                    "items": len(read),
                    "faults": sum(verdicts[key].severity >= records.OPEN_SEVERITY for key in read),
                    "standing": sum(texts.get(key[:2]) == key[2] for key in read),
                    "people": sum(row.reader == "person" for row in read.values()),
                }
                rows.append({"family": family, "lang": lang, "samples": samples, **counts})
    return rows


def count_provenance(items: Iterable[Item], compounds: Iterable[records.ReleasedCompound]) -> dict[str, object]:
    """Return how many *items* came about in which way, unless all were generated, and *compounds* by benchmark."""
    origins = Counter(item.origin for item in items)
    benchmarks = Counter(name for row in compounds for name in row.benchmarks)
    counts = (("origins", origins if origins.keys() - {"generated"} else {}), ("benchmarks", benchmarks))
    return {name: dict(sorted(count.items())) for name, count in counts if count}


def count_holes(holes: Mapping[str, Sequence[records.Hole]]) -> list[dict[str, object]]:
    """Return the cells that published data lack, *holes* by language: where, why, and the compounds that lack them."""
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for lang, row in ((lang, row) for lang, rows in holes.items() for row in rows):
        groups[lang, row.context, row.variants, row.reason].append(row.compound)
    names = ("lang", "context", "variants", "reason")
    return [{**dict(zip(names, key, strict=True)), "compounds": texts} for key, texts in groups.items()]


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the Wilson interval (95 %) of the share *count* / *total*.

    >>> "{:.4f} {:.4f}".format(*wilson(0, 300))
    '0.0000 0.0126'
    """
    z = NormalDist().inv_cdf(0.975)
    center, spread = count + z * z / 2, z * math.sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, (center - spread) / (total + z * z)), (center + spread) / (total + z * z)


def measure_matching(items: Sequence[Item]) -> dict[str, dict[str, float]]:
    """Return per language the median and 90th percentile of |difference of log10 frequency| of the randoms."""
    measured = matches(items)
    report: dict[str, dict[str, float]] = {}
    for lang in sorted({item.lang for item, _ in measured}):
        report[lang] = {}
        for part in ("modifier", "head", "worse", "mean"):
            if summary := summarise([deltas[part] for item, deltas in measured if item.lang == lang]):
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
    of_program = {"simulated": simulated} if any(simulated.values()) else {}
    return {"scored": len(scored), "annotations": len(annotations), **of_program}
