"""The dataset card: prose from `dataset_card.md`, every figure and the YAML header from the release itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL_VARIANTS, VARIANTS
from ncimp.builder.release.layout import ANNOTATIONS, DEFAULT_CONFIG, KINDS, SPLITS, Config, configs
from ncimp.builder.release.licences import licence_keys
from ncimp.schemas import ReleaseError
from ncimp.schemas.arrow import card_features
from ncimp.schemas.records import STANDOFF, load_schema

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
    DEFAULT_CONFIG: "pair (default)",
    "sentences": "sentence",
    "literal": "sentence in the literal sense",
    "compounds": "compound",
    ANNOTATIONS: "human judgement",
    STANDOFF: "withheld sentence",
}
"""One row of each config that is of no language."""
LITERAL_NOTE = """

For {} of the compounds there is a further sentence, outside the grid, in which the same words
are meant literally, with its variants `orig`, `syn` and `ws1` (config `literal`): of a model that tells
the two senses apart one expects `ws1` near the original there, and `syn` far from it."""
WITHHELD_NOTE = """

The text of {withheld:,} of the sentences comes from a corpus and may not be passed on ({licences}).
Their `sentence` and `tokens`, and the sentences of their pairs, are empty here; the config `standoff` says in which
document of the corpus, and where in it, the text stands, how long it is, what to change in it, and which sha256 the
sentence then has. Who has the corpus puts it back: `ncimp restore DIR --corpus FILE`.

"""
SCORE_NOTE = """not a score by annotators. Scores by annotators are in `comp`, `comp_head` and `comp_modifier` of
{scored:,} of the compounds, with their spread and number beside them, and `class_from_scores` is the class that they
mean; the two classes are never mixed.{judged}{simulated}"""
NO_SCORE_NOTE = "not a score by annotators: `comp` is empty throughout."
JUDGED_NOTE = " The {:,} judgements, without names, are in the config `annotations`."
SIMULATED_NOTE = """

**Simulated scores.** A program gave the answers that {:,} of the scores and {:,} of the judgements come from. This is
the rehearsal of a campaign: no person judged, and these figures say nothing of any compound. It must not be published
as data."""

ORIGIN_NOTES = {  # of random compounds, by pool
    "composed": "Composed of words of the lexicon.",
    "attested": "Seen side by side in a counted corpus (composed, where a pattern has a word in between).",
}
MATCH_NOTES = {  # by rule
    "components": "Each component is matched in frequency ({}), and so is the mean",
    "mean": "Their mean frequency ({}) is matched, as in the published data, and not that of each component",
}
PLAUSIBLE_NOTES = {  # by pool
    "composed": "are composed, not attested, so that they may be less plausible than corpus pairs",
    "attested": "are as plausible as words that stand side by side in a corpus, and nobody has read them",
}
RESTORED_NOTE = """
> **Restored copy.** The text of {:,} sentences was put back from a corpus. It may not be passed on.
"""
COUNT_NOTES = {  # by whether a corpus was counted
    False: "are empty because\nno corpus was counted",
    True: "are those\nof the store named in `count_source`, and empty where there is none",
}


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
    used = configs(list(figures.languages), figures.files)
    values = _values(figures, used)

    def fill(match: re.Match[str]) -> str:
        if match[1] not in values:
            what = f"dataset_card.md has the placeholder {match[1]!r}"
            raise ReleaseError(what, fix=f"use one of {', '.join(sorted(values))}")
        return values[match[1]]

    return f"---\n{_yaml(_header(figures, used))}---\n\n{PLACEHOLDER.sub(fill, prose)}"


def restored_card(card: str, restored: int, sizes: Mapping[str, tuple[int, int]]) -> str:
    """Return *card* with a note on its first line, and the bytes on disk and in memory of the files in *sizes*."""
    _, header, prose = card.split("---\n", 2)
    loaded = yaml.safe_load(header)
    for config, info in zip(loaded["configs"], loaded["dataset_info"], strict=True):
        paths = {part["split"]: part["path"] for part in config["data_files"]}
        if not all(path in sizes for files in paths.values() for path in files):
            continue  # a table without text
        for split in info["splits"]:
            split["num_bytes"] = sum(sizes[path][1] for path in paths[split["name"]])
        info["download_size"] = sum(sizes[path][0] for files in paths.values() for path in files)
        info["dataset_size"] = sum(split["num_bytes"] for split in info["splits"])
    return f"---\n{_yaml(loaded)}---\n{RESTORED_NOTE.format(restored)}{prose}"


def _yaml(header: Mapping[str, Any]) -> str:
    return yaml.safe_dump(header, sort_keys=False, allow_unicode=True, width=120)


def _header(figures: CardFigures, used: Sequence[Config]) -> dict[str, Any]:
    langs, counts = list(figures.languages), figures.counts
    # the expert class is by the authors, a language model; scores are by a crowd of people
    people = bool(counts.get("scored") or counts.get("annotations")) and "simulated" not in counts
    return {
        "pretty_name": "NCIMP: Noun Compound Idiomaticity Minimal Pairs",
        "language": langs,
        **licence_keys(figures.licences),
        "annotations_creators": ["machine-generated", *(["crowdsourced"] if people else [])],
        "language_creators": ["machine-generated"],
        "multilinguality": ["multilingual" if len(langs) > 1 else "monolingual"],
        "size_categories": [next(name for bound, name in SIZES if counts["pairs"] < bound)],
        "source_datasets": ["original"],
        "task_categories": ["sentence-similarity", "text-classification", "fill-mask"],
        "task_ids": ["semantic-similarity-scoring", "semantic-similarity-classification"],
        "tags": ["idiomaticity", "noun-compounds", "multiword-expressions", "minimal-pairs", "probing"],
        "configs": [
            {
                "config_name": config.name,
                **({"default": True} if config.name == DEFAULT_CONFIG else {}),
                "version": figures.release,
                "data_files": [{"split": split, "path": files} for split, files in config.files.items()],
            }
            for config in used
        ],
        "dataset_info": [_info(config, figures.files) for config in used],
    }


def _info(config: Config, files: Mapping[str, DataFile]) -> dict[str, Any]:
    parts = {split: [files[path] for path in paths] for split, paths in config.files.items()}
    splits = [
        {
            "name": split,
            "num_bytes": sum(file.in_memory for file in part),
            "num_examples": sum(file.rows for file in part),
        }
        for split, part in parts.items()
    ]
    return {
        "config_name": config.name,
        "features": card_features(config.table),
        "splits": splits,
        "download_size": sum(file.on_disk for part in parts.values() for file in part),
        "dataset_size": sum(file.in_memory for part in parts.values() for file in part),
    }


def _values(figures: CardFigures, used: Sequence[Config]) -> dict[str, str]:
    counts, options = figures.counts, figures.options
    literal = counts.get("literal", 0) // len(LITERAL_VARIANTS)
    withheld, licences = len(figures.withheld), ", ".join(sorted(set(figures.withheld)))
    benchmarks = " and ".join(f"`{name}`" for name in figures.benchmarks)
    known = f"is told in the column `benchmarks`, as far as {benchmarks}"
    return {
        "release": figures.release,
        "edition": figures.edition,
        "compounds": f"{counts['compounds']:,}",
        "sentences": f"{counts['sentences']:,}",
        "pairs": f"{counts['pairs']:,}",
        "literal_note": LITERAL_NOTE.format(literal) if literal else "",
        "licences": ", ".join(f"`{name}`" for name in figures.licences),
        "withheld_note": WITHHELD_NOTE.format(withheld=withheld, licences=licences) if withheld else "",
        "languages": " and ".join(f"{name} (`{code}`)" for code, name in figures.languages.items()),
        **_tables(figures, used),
        "origin_note": ORIGIN_NOTES[options.pool],
        "match_note": MATCH_NOTES[options.match].format(figures.zipf_source),
        "plausible_note": PLAUSIBLE_NOTES[options.pool],
        "count_note": COUNT_NOTES[figures.counted],
        "score_note": _score_note(counts),
        "benchmark_note": known if benchmarks else "is not told here: the column `benchmarks` is empty",
        "waived": str(counts["waived"]),
        "contexts": str(len(CONTEXTS)),
        "variants": str(len(VARIANTS)),
        "replacements": str(len(VARIANTS) - 1),
        "written": str(sum(name.startswith("nat") for name in CONTEXTS)),
        "combinations": str(sum(name.startswith("ws") for name in VARIANTS)),
    }


def _score_note(counts: Mapping[str, Any]) -> str:
    judged, simulated = counts.get("annotations", 0), counts.get("simulated")
    if not counts.get("scored") and not judged:
        return NO_SCORE_NOTE
    note = SIMULATED_NOTE.format(simulated["scored"], simulated["annotations"]) if simulated else ""
    judged_note = JUDGED_NOTE.format(judged) if judged else ""
    return SCORE_NOTE.format(scored=counts["scored"], judged=judged_note, simulated=note)


def _tables(figures: CardFigures, used: Sequence[Config]) -> dict[str, str]:
    """Return the tables of the card, and its lists of columns."""
    langs, counts, totals = figures.languages, figures.counts["languages"], ("compounds", "sentences", "pairs")
    rows = {config.name: [path for paths in config.files.values() for path in paths] for config in used}
    splits = [split for split in SPLITS if any(split in own["splits"] for own in counts.values())]
    parts = ("modifier", "head", "worse", "mean")
    tables = {
        "composition_table": [
            ["language", *(name.replace("_", " ") for name in CLASSES), *totals],
            *(
                [langs[code], *(own["classes"][name] for name in CLASSES), *(own[name] for name in totals)]
                for code, own in counts.items()
            ),
        ],
        "config_table": [
            ["config", "one row per", "rows"],
            *(
                [f"`{name}`", _config_note(name, langs), f"{sum(figures.files[path].rows for path in paths):,}"]
                for name, paths in rows.items()
            ),
        ],
        "split_table": [
            ["compounds", *splits],
            *([langs[code], *(own["splits"].get(split, 0) for split in splits)] for code, own in counts.items()),
        ],
        "matching_table": [
            ["median / 90th percentile", "modifier", "head", "worse of both", "mean"],
            *(
                [langs[code], *(f"{row[f'{part}_median']:.3f} / {row[f'{part}_p90']:.3f}" for part in parts)]
                for code, row in figures.matching.items()
            ),
        ],
    }
    fields = {table: load_schema(table)["properties"].items() for table in ("pair", "item", "compound")}
    return {name: markdown_table(*lines) for name, lines in tables.items()} | {
        f"fields_{table}": "\n".join(f"- `{name}`: {column['description']}" for name, column in columns)
        for table, columns in fields.items()
    }


def _config_note(name: str, langs: Mapping[str, str]) -> str:
    if name in NOTES:
        return NOTES[name]
    lang, _, kind = name.rpartition("_")
    return f"pair, {langs[lang]}, {KINDS[kind]} contexts" if lang else f"pair, {langs[name]}"


def markdown_table(head: Sequence[object], *rows: Sequence[object]) -> str:
    """Return a Markdown table.

    >>> print(markdown_table(["a", "b"], [1, 2]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
