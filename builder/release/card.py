"""The dataset card of a release.

The prose of the card is from `dataset_card.md`, every figure and the YAML header from the release itself.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import metadata
from typing import Any

import msgspec
import yaml

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL_VARIANTS, SENSE_SENTENCES, VARIANTS, Manifest
from ncimp.builder.release import contents
from ncimp.builder.release.contents import ANNOTATIONS, DEFAULT_CONFIG, KINDS, SPLITS, Config, configs
from ncimp.builder.release.licences import licence_keys
from ncimp.schemas import ReleaseError
from ncimp.schemas.arrow import card_features
from ncimp.schemas.records import STANDOFF, load_schema

CARD = "README.md"  # its path in a release
REPO = "repo"  # among the options of a manifest: the repository whose card loads from there, where it was published
NO_LINKS = "The project's metadata (`[project.urls]`) give no address of its code and no contact yet."
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")

SIZES = {"n<1K": 10**3, "1K<n<10K": 10**4, "10K<n<100K": 10**5, "100K<n<1M": 10**6, "1M<n<10M": 10**7}
"""Upper bound of each size category of the Hub, far beyond what this dataset can grow to."""

NOTES = {
    DEFAULT_CONFIG: "pair (default)",
    "sentences": "sentence",
    "attested": "sentence around a compound found in a corpus",
    "compounds": "compound",
    **contents.SUITE_NOTES,
    ANNOTATIONS: "human judgement",
    STANDOFF: "withheld sentence",
}
"""One row of each config that is of no language."""
LITERAL_NOTE = """

For {} of the compounds there is a further sentence, outside the grid, in which the same words
are meant literally, with its variants `orig`, `syn` and `ws1` (config `sense_sentences`): of a model that tells
the two senses apart one expects `ws1` near the original there, and `syn` far from it."""
ATTESTED_NOTE = """

Beside these there are {:,} sentences around compounds as they stand in openly licensed corpora (config `attested`):
each carrier was read, with its sense, its document, its licence and whom to credit: so that authored carriers can be
compared with found ones. Rows with the licence CC-BY-SA-4.0 are share-alike."""
WITHHELD_NOTE = """

The text of {withheld:,} of the sentences comes from {source} and may not be passed on ({licences}).
Their `sentence` and `tokens`, and the sentences of their pairs, are empty here; the config `standoff` says in which
document of {its}, and where in it, the text stands, how long it is, what to change in it, and which sha256 the
sentence then has. Who has {its} puts it back: `ncimp restore DIR {path}`.

"""
WITHHELD_FROM = (  # a corpus, or the published files
    {"source": "a corpus", "its": "the corpus", "path": "--corpus FILE"},
    {"source": "the published files", "its": "those files", "path": "--published FOLDER"},
)
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
> **Restored copy.** It holds the text of {:,} sentences that may not be passed on.
"""
READINGS_NOTE = """Readers who had not written them read blind samples of the items. They are {}.
An item is at fault where a reader would have it mended before a release (severity two or three); of several verdicts
on the same text the last decides. The rate is that of the last three samples as they were read, faults mended since
included; what the samples before them found was mended, and stands in `readings.tsv` of the packs.
`standing` counts the items whose text this edition still has. Items were drawn by keyed hash of a seed over all
items, never chosen; a phrase recurs in the sentences of its compound, so that the intervals (Wilson, at ninety-five
percent) are rather too narrow.

{}"""
NO_READINGS_NOTE = "No blind sample of this edition has been read yet."
READERS = ("language models, not a panel of people", "language models and people, not a panel")
COUNT_NOTES = {  # by whether a corpus was counted
    False: "are empty because\nno corpus was counted",
    True: "are those\nof the store named in `count_source`, and empty where there is none",
}
OPEN_COUNT_NOTE = """are from open corpora, which `count_source` names and `manifest.json` describes, and thin:
{}. PMI and PPMI are empty where the two words stand side by side fewer than 5 times"""
EMPTY_NOTE = "Columns that are empty in every row of this edition: {}."


@dataclass(frozen=True, slots=True)
class DataFile:
    """The size of a data file: rows, bytes on disk, bytes in memory."""

    rows: int
    on_disk: int
    in_memory: int


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Figures and names of a release for its card, its metadata and its loading script."""

    manifest: Manifest  # its texts need not be listed yet
    languages: Mapping[str, str]  # English name by language code
    files: Mapping[str, DataFile]  # size of each data file, by path
    zipf_source: str
    licences: Sequence[str] = ("CC-BY-4.0",)  # licences of the rows (SPDX)
    counted: bool = False  # true when a corpus was counted, so that compounds have counts
    corpus: bool = False  # true when a sentence is from a corpus
    withheld: tuple[str, ...] = ()  # licence of each sentence that is released without its text
    empty: tuple[str, ...] = ()  # columns without a value in any row, with their table

    @property
    def configs(self) -> list[Config]:
        """The configs that the data files make up."""
        return configs(list(self.languages), self.files)


def render_card(prose: str, figures: CardFigures) -> str:
    """Return the card: YAML header, then *prose* with every `{{placeholder}}` filled in.

    Raises `ReleaseError` for a placeholder that nothing fills.
    """
    values = _values(figures)
    unknown = next((name for name in PLACEHOLDER.findall(prose) if name not in values), None)
    if unknown is not None:
        what = f"dataset_card.md has the placeholder {unknown!r}"
        raise ReleaseError(what, fix=f"use one of {', '.join(sorted(values))}")
    text = PLACEHOLDER.sub(lambda match: values[match[1]], prose)
    return f"---\n{_yaml(_header(figures))}---\n\n{text}"


def restored_card(card: str, restored: int, files: Mapping[str, DataFile]) -> str:
    """Return *card* with a note on its first line, and the sizes of the data *files* that were rewritten."""
    _, header, prose = card.split("---\n", 2)
    loaded = yaml.safe_load(header)
    for config, info in zip(loaded["configs"], loaded["dataset_info"], strict=True):
        paths = {part["split"]: part["path"] for part in config["data_files"]}
        if all(path in files for group in paths.values() for path in group):  # else a table without text
            info |= _sizes(paths, files)
    return f"---\n{_yaml(loaded)}---\n{RESTORED_NOTE.format(restored)}{prose}"


def addressed_card(card: str, repo: str, before: str = "ncimp") -> str:
    """Return *card* with lines of Python that load from the repository *repo* of a hub what they loaded *before*."""
    return card.replace(f'load_dataset("{before}"', f'load_dataset("{repo}"')


def _yaml(header: Mapping[str, Any]) -> str:
    return yaml.safe_dump(header, sort_keys=False, allow_unicode=True, width=120)


def _header(figures: CardFigures) -> dict[str, Any]:
    langs = list(figures.languages)
    counts: Any = figures.manifest.counts
    # the class is by the authors, a language model; scores are by a crowd of people
    people = bool(counts.get("scored") or counts.get("annotations")) and "simulated" not in counts
    return {
        "pretty_name": "NCIMP: Noun Compound Idiomaticity Minimal Pairs",
        "language": langs,
        **licence_keys(figures.licences),
        "annotations_creators": ["machine-generated", *(["crowdsourced"] if people else [])],
        "language_creators": ["machine-generated"],
        "multilinguality": ["multilingual" if len(langs) > 1 else "monolingual"],
        "size_categories": [next(name for name, bound in SIZES.items() if counts["pairs"] < bound)],
        "source_datasets": ["original"],
        "task_categories": ["sentence-similarity", "text-classification", "fill-mask"],
        "task_ids": ["semantic-similarity-scoring", "semantic-similarity-classification"],
        "tags": ["idiomaticity", "noun-compounds", "multiword-expressions", "minimal-pairs", "probing"],
        "configs": [
            {
                "config_name": config.name,
                **({"default": True} if config.name == DEFAULT_CONFIG else {}),
                "version": figures.manifest.release,
                "data_files": [{"split": split, "path": files} for split, files in config.files.items()],
            }
            for config in figures.configs
        ],
        "dataset_info": [
            {"config_name": config.name, "features": card_features(config.table), **_sizes(config.files, figures.files)}
            for config in figures.configs
        ],
    }


def _sizes(splits: Mapping[str, Sequence[str]], files: Mapping[str, DataFile]) -> dict[str, Any]:
    """Return the sizes of a config with the paths *splits*: of each split, to download, and in memory."""
    parts = {split: [files[path] for path in paths] for split, paths in splits.items()}
    every = [file for part in parts.values() for file in part]
    return {
        "splits": [
            {
                "name": name,
                "num_bytes": sum(one.in_memory for one in part),
                "num_examples": sum(one.rows for one in part),
            }
            for name, part in parts.items()
        ],
        "download_size": sum(file.on_disk for file in every),
        "dataset_size": sum(file.in_memory for file in every),
    }


def _values(figures: CardFigures) -> dict[str, str]:
    manifest, whence = figures.manifest, WITHHELD_FROM[figures.manifest.edition == "paper"]
    counts: Any = manifest.counts
    options = msgspec.convert(manifest.options, BuildOptions)
    literal = counts.get(SENSE_SENTENCES, 0) // len(LITERAL_VARIANTS)
    withheld, licences = len(figures.withheld), ", ".join(sorted(set(figures.withheld)))
    frequencies = sorted({f"`{source.licence}`" for source in manifest.inputs if source.kind == "frequencies"})
    given = [source.name.split("/", 1)[1] for source in manifest.inputs if source.kind == "benchmark"]
    benchmarks = ", ".join(f"`{name}` ({count})" for name, count in sorted(counts.get("benchmarks", {}).items()))
    told_of = f"is told in the column `benchmarks`, by compounds in {benchmarks or ', '.join(given)}"
    return {
        "release": manifest.release,
        "edition": manifest.edition,
        **{name: f"{counts[name]:,}" for name in ("compounds", "sentences", "pairs")},
        "literal_note": LITERAL_NOTE.format(literal) if literal else "",
        "attested_note": ATTESTED_NOTE.format(counts["attested"]) if counts.get("attested") else "",
        "licences": ", ".join(f"`{name}`" for name in figures.licences),
        "withheld_note": WITHHELD_NOTE.format(withheld=withheld, licences=licences, **whence) if withheld else "",
        "languages": ", ".join(f"{name} (`{code}`)" for code, name in figures.languages.items()),
        **_tables(figures),
        "origin_note": ORIGIN_NOTES[options.pool],
        "match_note": MATCH_NOTES[options.match].format(figures.zipf_source),
        "plausible_note": PLAUSIBLE_NOTES[options.pool],
        "count_note": _count_note(figures),
        "empty_note": EMPTY_NOTE.format(", ".join(f"`{name}`" for name in figures.empty)) if figures.empty else "",
        "readings_note": _readings_note(counts.get("readings", ()), figures.languages),
        "score_note": _score_note(counts),
        "origins": ", ".join(f"{count:,} {name}" for name, count in counts.get("origins", {}).items()),
        "holes_note": _holes_note(counts.get("holes", ()), figures.languages),
        "zipf_source": figures.zipf_source,
        "frequency_licences": " and ".join(frequencies),
        "links": ", ".join(f"[{name}]({address})" for name, address in project_links().items()) or NO_LINKS,
        "benchmark_note": told_of if benchmarks or given else "is not told here: the column `benchmarks` is empty",
        "waived": str(counts["waived"]),
        "contexts": str(len(CONTEXTS)),
        "variants": str(len(VARIANTS)),
        "replacements": str(len(VARIANTS) - 1),
        "written": str(sum(name.startswith("nat") for name in CONTEXTS)),
        "combinations": str(sum(name.startswith("ws") for name in VARIANTS)),
    }


def _readings_note(rows: Sequence[Mapping[str, Any]], langs: Mapping[str, str]) -> str:
    """Return what the card says of blind samples that were read: who read, how they were drawn, and rates of faults."""
    if not rows:
        return NO_READINGS_NOTE
    table = markdown_table(
        ["family", "language", "samples", "rate", "interval", "items", "faults", "standing"],
        *(
            [
                *(row["family"], langs[row["lang"]], ", ".join(row["samples"]), f"{row['faults'] / row['items']:.1%}"),
                "{:.1%} to {:.1%}".format(*contents.wilson(row["faults"], row["items"])),
                *(row[name] for name in ("items", "faults", "standing")),
            ]
            for row in rows
        ),
    )
    return READINGS_NOTE.format(READERS[any(row["people"] for row in rows)], table)


def _holes_note(rows: Sequence[Mapping[str, Any]], langs: Mapping[str, str]) -> str:
    """Return the table of the cells that published data lack."""
    names = ["missing in", "context", "variants", "compounds", "reason"]
    cells = (
        [langs[row["lang"]], *(row[name] for name in names[1:3]), len(row["compounds"]), row["reason"]] for row in rows
    )
    return f"Missing cells:\n\n{markdown_table(names, *cells)}" if rows else "No cell of the grid is missing."


def _count_note(figures: CardFigures) -> str:
    """Return where the counts of compounds are from, and how many there are."""
    if not any(source.kind == "corpus" for source in figures.manifest.inputs):
        return COUNT_NOTES[figures.counted]
    counts: Any = figures.manifest.counts["languages"]
    parts = (
        "of the {} {} compounds {} occur at all, {} five times or more".format(
            part["compounds"], figures.languages[code], *part["counted"].values()
        )
        for code, part in counts.items()
        if "counted" in part
    )
    return OPEN_COUNT_NOTE.format("; ".join(parts))


def project_links() -> dict[str, str]:
    """Return the addresses that the project gives of its code and of a contact, by name (`[project.urls]`)."""
    return dict(line.split(", ", 1) for line in sorted(metadata("ncimp").get_all("Project-URL") or []))


def _score_note(counts: Mapping[str, Any]) -> str:
    judged, simulated = counts.get("annotations", 0), counts.get("simulated")
    if not counts.get("scored") and not judged:
        return NO_SCORE_NOTE
    note = SIMULATED_NOTE.format(simulated["scored"], simulated["annotations"]) if simulated else ""
    judged_note = JUDGED_NOTE.format(judged) if judged else ""
    return SCORE_NOTE.format(scored=counts["scored"], judged=judged_note, simulated=note)


def _tables(figures: CardFigures) -> dict[str, str]:
    """Return the tables of the card, and its lists of columns."""
    langs, totals = figures.languages, ("compounds", "sentences", "pairs")
    counts: Any = figures.manifest.counts["languages"]
    matching: Any = figures.manifest.matching
    files = {config.name: [path for paths in config.files.values() for path in paths] for config in figures.configs}
    rows = {name: sum(figures.files[path].rows for path in paths) for name, paths in files.items()}
    splits = [split for split in SPLITS if any(split in own["splits"] for own in counts.values())]
    parts = ("modifier", "head", "worse", "mean")
    fields = {table: load_schema(table)["properties"].items() for table in ("pair", "item", "compound")}
    return {
        "composition_table": markdown_table(
            ["language", *(name.replace("_", " ") for name in CLASSES), *totals],
            *([langs[code], *map(own["classes"].get, CLASSES), *map(own.get, totals)] for code, own in counts.items()),
        ),
        "overlap_table": markdown_table(
            ["shared words", *(name.replace("_", " ") for name in CLASSES)],
            *([langs[code], *map(own["overlap"].get, CLASSES)] for code, own in counts.items()),
        ),
        "config_table": markdown_table(
            ["config", "one row per", "rows"],
            *([f"`{name}`", _config_note(name, langs), f"{count:,}"] for name, count in rows.items()),
        ),
        "split_table": markdown_table(
            ["compounds", *splits],
            *([langs[code], *(own["splits"].get(split, 0) for split in splits)] for code, own in counts.items()),
        ),
        "matching_table": markdown_table(
            ["median / 90th percentile", "modifier", "head", "worse of both", "mean"],
            *(
                [langs[code], *(f"{row[f'{part}_median']:.3f} / {row[f'{part}_p90']:.3f}" for part in parts)]
                for code, row in matching.items()
            ),
        ),
        **{
            f"fields_{table}": "\n".join(f"- `{name}`: {column['description']}" for name, column in columns)
            for table, columns in fields.items()
        },
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
