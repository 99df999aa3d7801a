"""The corridor: the order of the stages of a build, and what one hands to the next.

pack-<lang>     pack                         -> incidents; any that is not waived ends the build
select-<lang>   pack, lexicon, frequencies   -> replacements; Zipf values of the components
fill-<lang>     pack, replacements           -> items
tables-<lang>   pack, items, replacements    -> rows of the release's tables
validate        packs, all rows              -> incidents; any that is not waived ends the build
release         all rows                     -> the release folder, and its logical hash
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import ncimp
from ncimp.builder.filling.fill import Filler
from ncimp.builder.records import (
    LITERAL,
    MANIFEST,
    FilledItem,
    Incident,
    Item,
    Manifest,
    Pair,
    ReleasedCompound,
    Replacement,
)
from ncimp.builder.release.tables import release_compounds, release_items, release_pairs
from ncimp.builder.release.write import ReleaseContent, write_release
from ncimp.builder.selection.select import select
from ncimp.builder.selection.words import zipf_of
from ncimp.builder.sources.benchmarks import compound_key
from ncimp.builder.sources.counted import CountedTable
from ncimp.builder.staging import Hashes, Stage, forget, run_stage
from ncimp.builder.validation.card import check_card
from ncimp.builder.validation.validate import Tables, validate, validate_pack
from ncimp.builder.workshop import Build, Workshop
from ncimp.schemas.errors import NcimpError, ReleaseError
from ncimp.schemas.files import read_json, write_json, write_jsonl
from ncimp.schemas.hashing import file_hash, value_hash
from ncimp.schemas.records import read_records, to_row
from ncimp.schemas.release_folder import held_files
from ncimp.schemas.swap import recover

Record = TypeVar("Record")

Report = Callable[[str, bool], None]
"""Called with the name of each stage and whether it was passed over."""

STAGES = ("pack", "select", "fill", "tables", "validate", "release")
"""The kinds of stages, in order."""

IDENTITY = "identity.json"
"""What the release stage keeps of the release it wrote."""

INCIDENTS = "incidents.jsonl"
"""What a stage that checks writes."""

TABLE_FILES = ("sentences.jsonl", "literal.jsonl", "pairs.jsonl", "compounds.jsonl")
SHOWN = 5
"""Incidents that the message of a failed build quotes; the rest are in the stage's folder."""


def build_release(build: Build, report: Report) -> Path:
    """Run every stage of *build* that is not up to date and return the release folder.

    Raises `ReleaseError` when validation finds incidents that are not waived.
    """
    recover(build.out)
    with ExitStack() as stack:
        shops = [stack.enter_context(closing(Workshop(lang, build))) for lang in build.langs]
        return _run_stages(shops, build, report)


def _run_stages(shops: Sequence[Workshop], build: Build, report: Report) -> Path:
    for shop in shops:
        run_stage(_pack_stage(shop), build.work, report)
    tables: Hashes = {}
    for shop in shops:
        tables |= _language_stages(shop, report)
    packs = {name: digest for shop in shops for name, digest in shop.hashes.items()}
    frequencies = {name: digest for shop in shops for name, digest in shop.frequency_hashes.items()}
    read = cache(lambda: _read_tables(build))  # once for the two stages that need all rows, never when none runs
    checked = run_stage(_validate_stage(shops, read, {**packs, **tables}), build.work, report)
    stage = _release_stage(shops, build, read, {**packs, **frequencies, **tables, **checked})
    if not _is_whole(build.out, build.work / stage.name / IDENTITY):
        forget(stage, build.work)
    run_stage(stage, build.work, report)
    return build.out


def _pack_stage(shop: Workshop) -> Stage:
    def make(folder: Path) -> None:
        incidents = validate_pack(shop.pack)
        write_jsonl(folder / INCIDENTS, map(to_row, incidents))
        refuse(incidents, folder / INCIDENTS)

    return Stage(f"pack-{shop.lang}", ("sources", "validation"), shop.hashes, (INCIDENTS,), make)


def _language_stages(shop: Workshop, report: Report) -> Hashes:
    """Run the stages of one language; return the hashes of its tables."""
    options = {"options": value_hash(shop.build.options.as_row())}
    select_inputs = {**shop.hashes, **options, **shop.frequency_hashes, "wn": version("wn")}
    select_stage = Stage(
        f"select-{shop.lang}",
        ("sources", "selection") if shop.measured is None else ("sources", "selection", "corpus_stats"),
        select_inputs,
        ("replacements.jsonl", "zipf.json"),
        lambda folder: _select(shop, folder),
    )
    selected = run_stage(select_stage, shop.build.work, report)
    fill_stage = Stage(
        f"fill-{shop.lang}",
        ("sources", "filling"),
        {**shop.hashes, **selected},
        ("items.jsonl",),
        lambda folder: _fill(shop, folder),
    )
    filled = run_stage(fill_stage, shop.build.work, report)
    tables_stage = Stage(
        f"tables-{shop.lang}",
        ("sources", "release"),
        {**shop.hashes, **options, **selected, **filled, **shop.build.benchmark_hashes},
        TABLE_FILES,
        lambda folder: _tables(shop, folder),
    )
    return run_stage(tables_stage, shop.build.work, report)


def _select(shop: Workshop, folder: Path) -> None:
    if shop.measured is not None:
        shop.measured.verify()  # its hash goes into the manifest, so it has to be true
    write_jsonl(folder / "replacements.jsonl", map(to_row, select(shop.resources, shop.build.options)))
    words = sorted({word for compound in shop.pack.compounds for word in (compound.modifier, compound.head)})
    values = {word: zipf_of(shop.frequencies, word) for word in words}
    found: dict[str, object] = {"source": shop.frequencies.name, "values": values}
    if shop.measured is not None:
        found["counts"] = _counts(shop.measured, shop)
    write_json(folder / "zipf.json", found)


def _counts(counted: CountedTable, shop: Workshop) -> dict[str, object]:
    """Return the figures of each compound that the store can hold, by compound."""
    words = {row.text: shop.counted_words(row) for row in shop.pack.compounds}
    return {compound: counted.figures(parts) for compound, parts in words.items() if parts}


def _fill(shop: Workshop, folder: Path) -> None:
    write_jsonl(folder / "items.jsonl", map(to_row, Filler(shop.pack, shop.morphology).fill(_replacements(shop))))


def _tables(shop: Workshop, folder: Path) -> None:
    release = shop.build.options.release
    filled = _rows(shop.build.work / f"fill-{shop.lang}" / "items.jsonl", FilledItem, "filled")
    items = release_items(filled, _replacements(shop), shop.pack, release=release)
    zipf = read_json(shop.build.work / f"select-{shop.lang}" / "zipf.json")
    counts = zipf.get("counts", {})
    compounds = release_compounds(shop.pack, zipf["values"], zipf["source"], release=release, counts=counts)
    compounds = [replace(row, benchmarks=_benchmarks(row.compound, shop)) for row in compounds]
    scores = {compound.id: compound.comp for compound in compounds if compound.comp is not None}
    grid = [item for item in items if item.context != LITERAL]
    literal = [item for item in items if item.context == LITERAL]
    tables: tuple[Sequence[object], ...] = (grid, literal, release_pairs(items, scores), compounds)
    for name, rows in zip(TABLE_FILES, tables, strict=True):
        write_jsonl(folder / name, map(to_row, rows))


def _benchmarks(compound: str, shop: Workshop) -> tuple[str, ...]:
    """Return the names of the benchmarks that hold *compound*."""
    key = compound_key(compound)
    return tuple(name for name, held in shop.build.memberships.items() if key in held)


def _replacements(shop: Workshop) -> list[Replacement]:
    path = shop.build.work / f"select-{shop.lang}" / "replacements.jsonl"
    return _rows(path, Replacement, "replacement")


def _rows(path: Path, kind: type[Record], table: str) -> list[Record]:
    return [row for _, row in read_records(path, kind, table)]


def _read_tables(build: Build) -> Tables:
    folders = [build.work / f"tables-{lang}" for lang in build.langs]
    return Tables(
        [row for folder in folders for row in _rows(folder / "sentences.jsonl", Item, "item")],
        [row for folder in folders for row in _rows(folder / "pairs.jsonl", Pair, "pair")],
        [row for folder in folders for row in _rows(folder / "compounds.jsonl", ReleasedCompound, "compound")],
        [row for folder in folders for row in _rows(folder / "literal.jsonl", Item, "item")],
    )


def _validate_stage(shops: Sequence[Workshop], read: Callable[[], Tables], inputs: Hashes) -> Stage:
    match = shops[0].build.options.match

    def make(folder: Path) -> None:
        incidents = validate(read(), {shop.lang: shop.pack for shop in shops}, match)
        write_jsonl(folder / INCIDENTS, map(to_row, incidents))
        refuse(incidents, folder / INCIDENTS)

    return Stage("validate", ("sources", "validation"), {**inputs, "match": match}, (INCIDENTS,), make)


def refuse(incidents: Sequence[Incident], report: Path) -> None:
    """Raise `ReleaseError` when one of *incidents* is not waived; the message quotes the first few."""
    open_ones = [incident for incident in incidents if not incident.waived]
    if open_ones:
        shown = "; ".join(f"{row.code} {row.place}: {row.message}" for row in open_ones[:SHOWN])
        what = f"{len(open_ones)} incidents keep the release back: {shown}"
        raise ReleaseError(what, fix=f"mend the pack or the code, or waive them with a reason; all are in {report}")


def _release_stage(shops: Sequence[Workshop], build: Build, read: Callable[[], Tables], inputs: Hashes) -> Stage:
    def make(folder: Path) -> None:
        tables = read()
        incidents = _rows(build.work / "validate" / INCIDENTS, Incident, "incident")
        content = ReleaseContent(
            items=tables.items,
            literal=tables.literal,
            pairs=tables.pairs,
            compounds=tables.compounds,
            languages={shop.lang: shop.pack.language.name for shop in shops},
            edition=shops[0].pack.language.edition,
            inputs=[
                *(source for shop in shops for source in shop.sources()),
                *(benchmark.source() for benchmark in build.benchmarks),
            ],
            options=build.options,
            waived=sum(incident.waived for incident in incidents),
            origins={
                (shop.pack.compound_id(origin.compound), origin.context): origin
                for shop in shops
                for origin in shop.pack.origins
            },
        )
        manifest = write_release(build.out, content, check=partial(_check_card, report=folder / INCIDENTS))
        write_json(
            folder / IDENTITY,
            {"logical_sha256": manifest.logical_sha256, "manifest_sha256": file_hash(build.out / MANIFEST)},
        )

    own = {"out": str(build.out), "options": value_hash(build.options.as_row()), "pyarrow": version("pyarrow")}
    code = {"code": ncimp.__version__, **build.benchmark_hashes}
    return Stage("release", ("sources", "release", "validation"), {**inputs, **own, **code}, (IDENTITY,), make)


def _check_card(folder: Path, manifest: Manifest, report: Path) -> None:
    """Refuse the release that was just written to *folder* when its card is not what the Hub and the manifest ask."""
    incidents = list(check_card(folder, manifest))
    write_jsonl(report, map(to_row, incidents))
    refuse(incidents, report)


def _is_whole(out: Path, identity: Path) -> bool:
    """Tell whether the release *out* is the one of *identity*: its manifest, what that lists, and nothing else."""
    try:
        if read_json(identity)["manifest_sha256"] != file_hash(out / MANIFEST):
            return False
        listed = {entry["path"]: entry["sha256"] for entry in read_json(out / MANIFEST)["files"]}
    except (NcimpError, OSError, KeyError, TypeError):
        return False  # missing or damaged: not whole
    return held_files(out) == set(listed) and all(file_hash(out / path) == digest for path, digest in listed.items())
