"""The release folder: written whole beside its place, hashed, then exchanged for the old one in one step.

Its texts are made of its tables and its manifest alone, so that a copy can be compared with what they make.
"""

import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

import ncimp
from ncimp.builder import records
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import MANIFEST, SENSE_SENTENCES, Item, Manifest, ReleaseFile, Standoff
from ncimp.builder.release import card, contents, licences
from ncimp.builder.release.card import CARD, REPO, CardFigures, DataFile
from ncimp.builder.release.contents import KINDS, SPLITS, data_file, file_entry
from ncimp.builder.release.croissant import CROISSANT, croissant
from ncimp.builder.release.withholding import standoff_of
from ncimp.schemas import Place, ReleaseError, read_text, value_hash, write_json, write_text
from ncimp.schemas.arrow import card_features, write_parquet
from ncimp.schemas.files import folder_aside, replace_folder
from ncimp.schemas.manifest import CONFIG_TABLES
from ncimp.schemas.records import STANDOFF, WITHHELD, columns, to_row, without_text
from ncimp.schemas.release_folder import REBUILD
from ncimp.schemas.suites import SuiteTables

LAYOUT_LINE = "LAYOUT: Dict[str, Any] = {}"  # the line of the loading script that a release fills in
CARDS = {"paper": "paper_card.md"}  # the prose of the card of an edition that is not the project's own
Rows = Mapping[str, Sequence[Any]]  # records of a release, by table
NAME_LINE = b'"name": "ncimp"'  # near the beginning of every manifest of ours


@dataclass(frozen=True, slots=True)
class ReleaseContent:
    """Everything a release folder is made of."""

    items: Sequence[Item]
    pairs: Sequence[records.Pair]
    compounds: Sequence[records.ReleasedCompound]
    languages: Mapping[str, str]
    edition: str
    inputs: Sequence[records.Source]
    options: BuildOptions
    waived: int
    literal: Sequence[Item] = ()  # items in literal contexts, a table of their own
    attested: Sequence[records.AttestedItem] = ()  # items in sentences of open corpora, another one
    suites: SuiteTables = field(
        default_factory=SuiteTables
    )  # senses of compounds, and the sentences and pairs that ask for them
    origins: Mapping[str, tuple[records.Origin, records.Origin | None]] = field(default_factory=dict)
    """Places of the sentences that are withheld, and of their phrases where these stand elsewhere, by item id."""
    with_text: int = 0  # sentences whose text may not be passed on, and which the release holds all the same
    holes: Mapping[str, Sequence[records.Hole]] = field(default_factory=dict)  # of the packs, by language
    annotations: Sequence[records.ReleasedAnnotation] = ()  # human judgements, one by one
    readings: Mapping[str, Sequence[records.ReaderVerdict]] = field(default_factory=dict)  # of the packs, by language


def write_release(target: Path, content: ReleaseContent, check: Callable[[Path], None] | None = None) -> Manifest:
    """Write the release folder *target* and return its manifest; the old folder stays until the new one is whole.

    *check* gets the new folder before it takes the place of the old one; when it raises, that stays.
    """
    with folder_aside(target) as aside:
        manifest = _write(aside, content)
        if check is not None:
            check(aside)
        aside.chmod(0o755)  # as made, only its owner could read it
        replace_folder(aside, target)
    return manifest


def is_release(folder: Path) -> bool:
    """Tell whether *folder* looks like a release of ours, whole or damaged, and not like something else."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return False
    # not parsed: a damaged release is still one, and may be replaced
    return NAME_LINE in manifest.read_bytes() or (folder / "legacy" / "ncimp.py").is_file()


def _write(folder: Path, content: ReleaseContent) -> Manifest:
    items = (*content.items, *content.literal)
    withheld = [standoff_of(item, *content.origins[item.id]) for item in items if item.id in content.origins]
    sizes = dict(_write_tables(folder, content, withheld))
    readings = contents.count_readings(content.readings, items, content.suites)
    manifest = Manifest(
        format=1,
        name="ncimp",
        release=content.options.release,
        code_version=ncimp.__version__,
        edition=content.edition,
        languages=tuple(content.languages),
        options=content.options.as_row(),
        inputs=tuple(content.inputs),
        files=tuple(sizes),
        logical_sha256=value_hash({entry.path: entry.logical_sha256 for entry in sizes}),
        counts={
            **contents.count_cells(content.items, content.pairs, content.compounds),
            SENSE_SENTENCES: len(content.literal),
            "attested": len(content.attested),
            **{name: len(rows) for name, rows in content.suites.folders().items() if rows},
            "waived": content.waived,
            **contents.count_judgements(content.compounds, content.annotations),
            **({"withheld": len(withheld)} if withheld else {}),
            **({"restored": content.with_text} if content.with_text else {}),
            **({"readings": readings} if readings else {}),
            **contents.count_provenance(content.items, content.compounds),
            **({"holes": contents.count_holes(content.holes)} if any(content.holes.values()) else {}),
        },
        matching=contents.measure_matching(content.items),
    )
    rows = {"item": items, "attested_item": content.attested, "compound": content.compounds, STANDOFF: withheld}
    rows = {**rows, "sense_example": content.suites.examples}
    texts = render_texts(figures_of(manifest, content.languages, rows, sizes))
    if content.with_text:
        texts[CARD] = card.restored_card(texts[CARD], content.with_text, {})
    for path, text in texts.items():
        write_text(folder / path, text)
    manifest = replace(manifest, files=(*manifest.files, *(file_entry(folder, path) for path in texts)))
    write_json(folder / MANIFEST, to_row(manifest))
    return manifest


def _write_tables(
    folder: Path, content: ReleaseContent, withheld: Sequence[Standoff]
) -> Iterator[tuple[ReleaseFile, int]]:
    """Write the data files; yield each file's entry in the manifest with its bytes in memory."""
    pairs = {
        f"{lang}_{kind}": [pair for pair in content.pairs if (pair.lang, pair.context_kind) == (lang, name)]
        for lang in content.languages
        for kind, name in KINDS.items()
    }
    tables: dict[str, Sequence[Any]] = {
        "sentences": content.items,
        SENSE_SENTENCES: content.literal,
        "attested": content.attested,
        "compounds": content.compounds,
        **content.suites.folders(),
        **pairs,
        contents.ANNOTATIONS: content.annotations,
        STANDOFF: withheld,
    }
    bare = {row.id for row in withheld}
    for name, table_rows in tables.items():
        table = CONFIG_TABLES.get(name, "pair")
        for split in SPLITS:
            rows = [to_row(row) for row in table_rows if row.split == split]
            if table in WITHHELD:
                rows = [without_text(table, row) if row["id"] in bare else row for row in rows]
            if rows:
                path = data_file(name, split)
                size = write_parquet(folder / path, rows, table)
                yield file_entry(folder, path, rows), size


def figures_of(
    manifest: Manifest, languages: Mapping[str, str], rows: Rows, in_memory: Mapping[ReleaseFile, int]
) -> CardFigures:
    """Return the figures of the release of *manifest*, with its *rows* and the bytes of its data files in memory."""
    items, compounds, withheld = (rows[table] for table in ("item", "compound", STANDOFF))
    beside = (*rows["attested_item"], *rows["sense_example"])
    return CardFigures(
        manifest,
        languages,
        {entry.path: DataFile(entry.rows or 0, entry.bytes, size) for entry, size in in_memory.items()},
        zipf_source=" and ".join(sorted({row.zipf_source for row in compounds})),
        licences=sorted({row.licence for row in (*items, *beside, *compounds, *withheld)}),
        counted=any(row.count_source is not None for row in compounds),
        corpus=any(row.context_source == "corpus" for row in items) or bool(withheld),
        withheld=tuple(row.licence for row in withheld),
        empty=tuple(
            name
            for name in columns("compound")
            if compounds and all(getattr(row, name) in (None, ()) for row in compounds)
        ),
    )


def render_texts(figures: CardFigures) -> dict[str, str]:
    """Return every file of a release that is no table, by path."""
    changelog = data_changes(_resource("CHANGELOG.md"))
    metadata = croissant(json.loads(_resource(CROISSANT)), figures, changelog)
    texts = {
        "CHANGELOG.md": changelog,
        "LICENSE-DATA": licences.data_licence(
            _resource("LICENSE-DATA"), figures.manifest, figures.licences, corpus=figures.corpus
        ),
        CARD: card.render_card(_resource(CARDS.get(figures.manifest.edition, "dataset_card.md")), figures),
        CROISSANT: json.dumps(metadata, ensure_ascii=False, indent=2) + "\n",
        "legacy/ncimp.py": loading_script(figures),
    }
    if licences.unlisted(figures.licences):
        texts[licences.OTHER_LICENCES] = licences.other_licences(figures.licences)
    return {path: unicodedata.normalize("NFC", text) for path, text in texts.items()}


def render_again(folder: Path, manifest: Manifest, rows: Rows) -> dict[str, str]:
    """Return the texts that the release in *folder* should have; `ReleaseError` where its manifest lacks what they say.

    A language has the name that the citation of its pack gives it; sizes in memory, which depend on the library that
    wrote them, are those of the card.
    """
    packs = {source.name: source.citation.partition(" language pack,")[0] for source in manifest.inputs}
    names = {lang: packs.get(f"pack/{lang}", lang).rpartition(". ")[2] for lang in manifest.languages}
    try:
        in_memory = _sizes_in_memory(yaml.safe_load(read_text(folder / CARD).split("---\n", 2)[1]))
        sizes = {entry: in_memory[entry.path] for entry in manifest.data_files()}
        texts = render_texts(figures_of(manifest, names, rows, sizes))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        what = f"the texts of the release cannot be made from it ({type(error).__name__}: {error})"
        raise ReleaseError(what, fix=REBUILD, place=Place(str(folder / MANIFEST))) from None
    if repo := manifest.options.get(REPO):
        texts[CARD] = card.addressed_card(texts[CARD], str(repo))
    if restored := manifest.count("restored"):
        texts[CARD] = card.restored_card(texts[CARD], restored, {})
    return texts


def _sizes_in_memory(header: Mapping[str, Any]) -> dict[str, int]:
    """Return the size in memory of each data file, which *header* of a card gives by config and split."""
    totals = {
        (info["config_name"], one["name"]): one["num_bytes"]
        for info in header["dataset_info"]
        for one in info["splits"]
    }
    parts = [(config["config_name"], part) for config in header["configs"] for part in config["data_files"]]
    files = [
        (totals[name, part["split"]], [part["path"]] if isinstance(part["path"], str) else part["path"])
        for name, part in parts
    ]
    sizes: dict[str, int] = {}
    for total, paths in sorted(
        files, key=lambda row: len(row[1])
    ):  # a split of several files has at most one of its own
        unknown = [path for path in paths if path not in sizes]
        sizes |= {path: total - sum(sizes.get(other, 0) for other in paths) for path in unknown[:1]}
    return sizes


def loading_script(figures: CardFigures) -> str:
    """Return the loading script for `datasets` < 4 with this release's configs, features and files filled in."""
    tables = dict.fromkeys(config.table for config in figures.configs)
    layout = {
        "version": figures.manifest.release,
        "configs": {config.name: {"table": config.table, "splits": config.files} for config in figures.configs},
        "features": {table: card_features(table) for table in tables},
    }
    return _resource("ncimp.py").replace(LAYOUT_LINE, f"{LAYOUT_LINE.removesuffix('{}')}{json.dumps(layout, indent=4)}")


def data_changes(changelog: str) -> str:
    """Return the data part of *changelog*, from its heading `# Data` to the next heading of that level."""
    part = changelog.split("\n# Data\n", 1)[-1].split("\n# ", 1)[0]
    return f"# Changes of the data\n\n{part.strip()}\n"


def _resource(name: str) -> str:
    return (files("ncimp.builder.release") / "resources" / name).read_text(encoding="utf-8")
