"""The dataset card: prose from `dataset_card.md`, every figure and the YAML header from the release itself."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL_VARIANTS, VARIANTS
from ncimp.builder.release.layout import ANNOTATIONS, DEFAULT_CONFIG, KINDS, SPLITS, Config, configs, data_file
from ncimp.builder.release.licences import licence_keys
from ncimp.schemas.arrow import card_features
from ncimp.schemas.errors import ReleaseError
from ncimp.schemas.tables import STANDOFF, load_schema

PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
"""Upper bound and name of the size categories of the Hub, far beyond what this dataset can grow to."""


NOTES = {
    "sentences": "sentence",
    "literal": "sentence in the literal sense",
    "compounds": "compound",
    ANNOTATIONS: "human judgement",
    STANDOFF: "withheld sentence",
}
"""One row of each config that has no pairs."""


LITERAL_NOTE = """

For {} of the compounds there is a further sentence, outside the grid, in which the same words
are meant literally, with its variants `orig`, `syn` and `ws1` (config `literal`): of a model that tells
the two senses apart one expects `ws1` near the original there, and `syn` far from it."""
"""Paragraph on literal contexts."""


WITHHELD_NOTE = """

The text of {withheld:,} of the sentences comes from a corpus and may not be passed on ({licences}).
Their `sentence` and `tokens`, and the sentences of their pairs, are empty here; the config `standoff` says in which
document of the corpus, and where in it, the text stands, how long it is, what to change in it, and which sha256 the
sentence then has. Who has the corpus puts it back: `ncimp restore DIR --corpus FILE`.

"""
"""Paragraph on withheld sentences."""


SCORE_NOTE = """not a score by annotators. Scores by annotators are in `comp`, `comp_head` and `comp_modifier` of
{scored:,} of the compounds, with their spread and number beside them, and `class_from_scores` is the class that they
mean; the two classes are never mixed.{judged}{simulated}"""
"""Sentence on human scores."""

NO_SCORE_NOTE = "not a score by annotators: `comp` is empty throughout."

JUDGED_NOTE = " The {} judgements, without names, are in the config `annotations`."

SIMULATED_NOTE = """

**Simulated scores.** A program gave the answers that {} of the scores and {} of the judgements come from. This is
the rehearsal of a campaign: no person judged, and these figures say nothing of any compound. It must not be published
as data."""

JUDGED = ("scored", "annotations")
"""Counts of human scores: compounds that have one, and judgements."""

ORIGIN_NOTES = {
    "composed": "Composed of words of the lexicon.",
    "attested": "Seen side by side in a counted corpus (composed, where a pattern has a word in between).",
}
"""Origin of random compounds, by pool."""

MATCH_NOTES = {
    "components": "Each component is matched in frequency ({}), and so is the mean",
    "mean": "Their mean frequency ({}) is matched, as in the published data, and not that of each component",
}
"""Matching of random compounds, by rule."""

PLAUSIBLE_NOTES = {
    "composed": "are composed, not attested, so that they may be less plausible than corpus pairs",
    "attested": "are as plausible as words that stand side by side in a corpus, and nobody has read them",
}
"""Plausibility of random compounds, by pool."""

COUNT_NOTES = {
    False: "are empty because\nno corpus was counted",
    True: "are those\nof the store named in `count_source`, and empty where there is none",
}
"""Content of the columns of counts, by whether a corpus was counted."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """The size of a data file: rows, bytes on disk, bytes in memory."""

    rows: int
    on_disk: int
    in_memory: int


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Figures and names of a release for its card."""

    release: str
    edition: str
    languages: Mapping[str, str]
    """English name by language code."""
    counts: Mapping[str, Any]
    matching: Mapping[str, Mapping[str, float]]
    files: Mapping[str, DataFile]
    """Size of each data file, by path."""
    zipf_source: str
    options: BuildOptions = field(default_factory=BuildOptions)
    licences: Sequence[str] = ("CC-BY-4.0",)
    """Licences of the rows (SPDX)."""
    benchmarks: Sequence[str] = ()
    """Names of the benchmarks that were looked into."""
    counted: bool = False
    """True when a corpus was counted, so that compounds have counts."""
    withheld: tuple[str, ...] = ()
    """Licence of each sentence that is released without its text."""


def render_card(prose: str, figures: CardFigures) -> str:
    """Return the card: YAML header, then *prose* with every `{{placeholder}}` filled in.

    Raises `ReleaseError` for a placeholder that nothing fills.
    """
    values = _values(figures)

    def fill(match: re.Match[str]) -> str:
        if match[1] not in values:
            what = f"dataset_card.md has the placeholder {match[1]!r}"
            raise ReleaseError(what, fix=f"use one of {', '.join(sorted(values))}")
        return values[match[1]]

    header = yaml.safe_dump(_header(figures), sort_keys=False, allow_unicode=True, width=120)
    return f"---\n{header}---\n\n{PLACEHOLDER.sub(fill, prose)}"


def _header(figures: CardFigures) -> dict[str, Any]:
    langs = list(figures.languages)
    used = _used_configs(figures)
    size = next(name for bound, name in SIZES if figures.counts["pairs"] < bound)
    return {
        "pretty_name": "NCIMP: Noun Compound Idiomaticity Minimal Pairs",
        "language": langs,
        **licence_keys(figures.licences),
        "annotations_creators": _annotators(figures.counts),
        "language_creators": ["machine-generated"],
        "multilinguality": ["multilingual" if len(langs) > 1 else "monolingual"],
        "size_categories": [size],
        "source_datasets": ["original"],
        "task_categories": ["sentence-similarity", "text-classification", "fill-mask"],
        "task_ids": ["semantic-similarity-scoring", "semantic-similarity-classification"],
        "tags": ["idiomaticity", "noun-compounds", "multiword-expressions", "minimal-pairs", "probing"],
        "configs": [_config_entry(config, figures) for config in used],
        "dataset_info": [_info_entry(config, figures) for config in used],
    }


def _annotators(counts: Mapping[str, Any]) -> list[str]:
    """Return who the labels are by: the expert class by the authors, a language model; scores by a crowd of people."""
    people = bool(counts.get("scored") or counts.get("annotations")) and "simulated" not in counts
    return ["machine-generated", *(["crowdsourced"] if people else [])]


def _used_configs(figures: CardFigures) -> list[Config]:
    """Return the configs that have rows."""
    return [config for config in configs(list(figures.languages)) if any(_splits(config, figures))]


def _splits(config: Config, figures: CardFigures) -> Iterator[tuple[str, list[str]]]:
    """Yield each split of *config* that has rows, with its files."""
    for split in SPLITS:
        files = [data_file(folder, split) for folder in config.folders]
        paths = [path for path in files if path in figures.files]
        if paths:
            yield split, paths


def _config_entry(config: Config, figures: CardFigures) -> dict[str, Any]:
    entry: dict[str, Any] = {"config_name": config.name}
    if config.name == DEFAULT_CONFIG:
        entry["default"] = True
    entry["version"] = figures.release
    entry["data_files"] = [{"split": split, "path": files} for split, files in _splits(config, figures)]
    return entry


def _info_entry(config: Config, figures: CardFigures) -> dict[str, Any]:
    parts = {split: [figures.files[path] for path in paths] for split, paths in _splits(config, figures)}
    everything = [file for files in parts.values() for file in files]
    splits = [
        {
            "name": split,
            "num_bytes": sum(file.in_memory for file in files),
            "num_examples": sum(file.rows for file in files),
        }
        for split, files in parts.items()
    ]
    return {
        "config_name": config.name,
        "features": card_features(config.table),
        "splits": splits,
        "download_size": sum(file.on_disk for file in everything),
        "dataset_size": sum(file.in_memory for file in everything),
    }


def _values(figures: CardFigures) -> dict[str, str]:
    langs = figures.languages
    return {
        "release": figures.release,
        "edition": figures.edition,
        "compounds": f"{figures.counts['compounds']:,}",
        "sentences": f"{figures.counts['sentences']:,}",
        "pairs": f"{figures.counts['pairs']:,}",
        "literal_note": _literal_note(figures),
        "licences": ", ".join(f"`{name}`" for name in figures.licences),
        "withheld_note": _withheld_note(figures),
        "languages": " and ".join(f"{name} (`{code}`)" for code, name in langs.items()),
        "composition_table": _composition(figures),
        "config_table": _config_table(figures),
        "split_table": _split_table(figures),
        "matching_table": _matching_table(figures),
        "origin_note": ORIGIN_NOTES[figures.options.pool],
        "match_note": MATCH_NOTES[figures.options.match].format(figures.zipf_source),
        "plausible_note": PLAUSIBLE_NOTES[figures.options.pool],
        "count_note": COUNT_NOTES[figures.counted],
        "score_note": _score_note(figures.counts),
        "benchmark_note": _benchmark_note(figures.benchmarks),
        "waived": str(figures.counts["waived"]),
        "contexts": str(len(CONTEXTS)),
        "variants": str(len(VARIANTS)),
        "replacements": str(len(VARIANTS) - 1),
        "written": str(sum(name.startswith("nat") for name in CONTEXTS)),
        "combinations": str(sum(name.startswith("ws") for name in VARIANTS)),
        **{f"fields_{table}": _fields(table) for table in ("pair", "item", "compound")},
    }


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table.

    >>> print(markdown_table(["a", "b"], [[1, 2]]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _literal_note(figures: CardFigures) -> str:
    compounds = figures.counts.get("literal", 0) // len(LITERAL_VARIANTS)
    return LITERAL_NOTE.format(compounds) if compounds else ""


def _withheld_note(figures: CardFigures) -> str:
    licences = ", ".join(sorted(set(figures.withheld)))
    return WITHHELD_NOTE.format(withheld=len(figures.withheld), licences=licences) if figures.withheld else ""


def _score_note(counts: Mapping[str, Any]) -> str:
    judged, simulated = counts.get("annotations", 0), counts.get("simulated")
    if not counts.get("scored") and not judged:
        return NO_SCORE_NOTE
    note = "" if simulated is None else SIMULATED_NOTE.format(*(f"{simulated[name]:,}" for name in JUDGED))
    return SCORE_NOTE.format(
        scored=counts["scored"], judged=JUDGED_NOTE.format(f"{judged:,}") if judged else "", simulated=note
    )


def _benchmark_note(names: Sequence[str]) -> str:
    if not names:
        return "is not told here: the column `benchmarks` is empty"
    return f"is told in the column `benchmarks`, as far as {' and '.join(f'`{name}`' for name in names)}"


def _composition(figures: CardFigures) -> str:
    head = ["language", *(name.replace("_", " ") for name in CLASSES), "compounds", "sentences", "pairs"]
    rows = []
    for code, counts in figures.counts["languages"].items():
        classes = [counts["classes"][name] for name in CLASSES]
        rows.append([figures.languages[code], *classes, counts["compounds"], counts["sentences"], counts["pairs"]])
    return markdown_table(head, rows)


def _config_table(figures: CardFigures) -> str:
    rows = []
    for config in _used_configs(figures):
        total = sum(figures.files[path].rows for _, paths in _splits(config, figures) for path in paths)
        rows.append([f"`{config.name}`", _config_note(config, figures), f"{total:,}"])
    return markdown_table(["config", "one row per", "rows"], rows)


def _config_note(config: Config, figures: CardFigures) -> str:
    if config.table != "pair":
        return NOTES[config.name]
    if config.name == DEFAULT_CONFIG:
        return "pair (default)"
    lang, _, kind = config.name.rpartition("_") if config.name.rpartition("_")[0] else (config.name, "", "")
    return f"pair, {figures.languages[lang]}" + (f", {KINDS[kind]} contexts" if kind else "")


def _split_table(figures: CardFigures) -> str:
    used = [
        split for split in SPLITS if any(split in counts["splits"] for counts in figures.counts["languages"].values())
    ]
    rows = [
        [figures.languages[code], *(counts["splits"].get(split, 0) for split in used)]
        for code, counts in figures.counts["languages"].items()
    ]
    return markdown_table(["compounds", *used], rows)


def _matching_table(figures: CardFigures) -> str:
    parts = ("modifier", "head", "worse", "mean")
    rows = [
        [figures.languages[code], *(f"{row[f'{part}_median']:.3f} / {row[f'{part}_p90']:.3f}" for part in parts)]
        for code, row in figures.matching.items()
    ]
    return markdown_table(["median / 90th percentile", "modifier", "head", "worse of both", "mean"], rows)


def _fields(table: str) -> str:
    properties = load_schema(table)["properties"].items()
    return "\n".join(f"- `{name}`: {column['description']}" for name, column in properties)
