"""The corridor: the order of the stages of a build, and what one hands to the next.

pack-<lang>     pack                         -> incidents; any that is not waived ends the build
select-<lang>   pack, lexicon, frequencies   -> replacements; Zipf values of the components
fill-<lang>     pack, replacements           -> items
tables-<lang>   pack, items, replacements    -> rows of the release's tables
validate        packs, all rows              -> incidents; any that is not waived ends the build
release         all rows                     -> the release folder, and its logical hash

The stages from select to tables need nothing of another language, so that each language may have a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import ncimp
from ncimp.builder.build.language_stages import is_up_to_date, make_tables, rows_of, run_language
from ncimp.builder.build.processes import side_by_side
from ncimp.builder.build.staging import Hashes, Stage, forget, run_stage
from ncimp.builder.build.workshop import Build, Workshop
from ncimp.builder.records import (
    MANIFEST,
    Incident,
    Item,
    Manifest,
    Pair,
    ReleasedAnnotation,
    ReleasedCompound,
)
from ncimp.builder.release.tables import release_annotations
from ncimp.builder.release.write import ReleaseContent, write_release
from ncimp.builder.sources.figures.scores import check_known, read_annotations
from ncimp.builder.validation.folder.card import check_card
from ncimp.builder.validation.validate import Tables, validate, validate_pack
from ncimp.schemas.errors import NcimpError, ReleaseError
from ncimp.schemas.files import read_json, write_json, write_jsonl
from ncimp.schemas.hashing import file_hash, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import held_files
from ncimp.schemas.swap import recover

Report = Callable[[str, bool], None]
"""Called with the name of each stage and whether it was passed over."""

STAGES = ("pack", "select", "fill", "tables", "validate", "release")
"""The kinds of stages, in order."""

IDENTITY = "identity.json"
"""What the release stage keeps of the release it wrote."""

INCIDENTS = "incidents.jsonl"
"""What a stage that checks writes."""

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
    tables = {name: digest for found in _all_tables(shops, build, report) for name, digest in found.items()}
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


def _all_tables(shops: Sequence[Workshop], build: Build, report: Report) -> list[Hashes]:
    """Run the stages of every language, several at a time when asked; return the hashes of the tables of each."""
    if build.workers > 1 and sum(not is_up_to_date(shop) for shop in shops) > 1:
        works = [partial(make_tables, shop.lang, build) for shop in shops]
        return side_by_side(works, workers=build.workers, report=report)
    return [run_language(shop, report) for shop in shops]


def _read_tables(build: Build) -> Tables:
    folders = [build.work / f"tables-{lang}" for lang in build.langs]
    return Tables(
        [row for folder in folders for row in rows_of(folder / "sentences.jsonl", Item, "item")],
        [row for folder in folders for row in rows_of(folder / "pairs.jsonl", Pair, "pair")],
        [row for folder in folders for row in rows_of(folder / "compounds.jsonl", ReleasedCompound, "compound")],
        [row for folder in folders for row in rows_of(folder / "literal.jsonl", Item, "item")],
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
        incidents = rows_of(build.work / "validate" / INCIDENTS, Incident, "incident")
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
                *build.human.sources(),
            ],
            options=build.options,
            annotations=_annotations(build, tables),
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
    code = {"code": ncimp.__version__, **build.benchmark_hashes, **build.human.hashes}
    return Stage("release", ("sources", "release", "validation"), {**inputs, **own, **code}, (IDENTITY,), make)


def _annotations(build: Build, tables: Tables) -> list[ReleasedAnnotation]:
    """Return the human judgements of the build, all of which have to be about compounds and items it has."""
    judgements = read_annotations(build.human, build.langs)
    check_known((row.compound_id for row in judgements), {row.id for row in tables.compounds}, "judgements")
    items = {item.id for item in (*tables.items, *tables.literal)}
    check_known((row.item_id for row in judgements), items, "judgements")
    return release_annotations(judgements, tables.compounds)


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
