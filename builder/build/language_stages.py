"""The stages of one language, from select to tables: they need nothing of another, so that each may have a process.

select-<lang>   pack, lexicon, frequencies   -> replacements; Zipf values of the components
fill-<lang>     pack, replacements           -> items
tables-<lang>   pack, items, replacements    -> rows of the release's tables
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from ncimp.builder.build.staging import Hashes, Stage, known_outputs, run_stage
from ncimp.builder.build.workshop import Build, Workshop
from ncimp.builder.filling.fill import Filler
from ncimp.builder.records import LITERAL, FilledItem, Replacement
from ncimp.builder.release.tables import release_compounds, release_items, release_pairs, with_scores
from ncimp.builder.selection.select import select
from ncimp.builder.selection.words import zipf_of
from ncimp.builder.sources.figures.benchmarks import compound_key
from ncimp.builder.sources.figures.counted import CountedTable
from ncimp.builder.sources.figures.scores import check_known, read_scores
from ncimp.schemas.files import read_json, write_json, write_jsonl
from ncimp.schemas.hashing import value_hash
from ncimp.schemas.records import read_records, to_row

Record = TypeVar("Record")

TABLE_FILES = ("sentences.jsonl", "literal.jsonl", "pairs.jsonl", "compounds.jsonl")


def make_tables(lang: str, build: Build, report: Callable[[str, bool], None]) -> Hashes:
    """Run the stages of *lang* with a workshop of its own, as a process has to; return the hashes of its tables."""
    with closing(Workshop(lang, build)) as shop:
        return run_language(shop, report)


def run_language(shop: Workshop, report: Callable[[str, bool], None]) -> Hashes:
    """Run every stage of the language of *shop* that is not up to date; return the hashes of its tables."""
    return _go_through(shop, lambda stage: run_stage(stage, shop.build.work, report)) or {}


def is_up_to_date(shop: Workshop) -> bool:
    """Tell whether no stage of the language of *shop* has to run."""
    return _go_through(shop, lambda stage: known_outputs(stage, shop.build.work)) is not None


def _go_through(shop: Workshop, step: Callable[[Stage], Hashes | None]) -> Hashes | None:
    """Give each stage to *step*, and what that returns to the next; None as soon as it returns None."""
    stages = _language_stages(shop)
    stage = next(stages)
    while (found := step(stage)) is not None:
        try:
            stage = stages.send(found)
        except StopIteration as end:
            tables: Hashes = end.value
            return tables
    return None


def _language_stages(shop: Workshop) -> Generator[Stage, Hashes, Hashes]:
    """Yield the stages of one language, take the hashes of what each made, and return those of the tables."""
    options = {"options": value_hash(shop.build.options.as_row())}
    select_inputs = {**shop.hashes, **options, **shop.frequency_hashes, "wn": version("wn")}
    select_stage = Stage(
        f"select-{shop.lang}",
        ("sources", "selection") if shop.measured is None else ("sources", "selection", "corpus_stats"),
        select_inputs,
        ("replacements.jsonl", "zipf.json"),
        lambda folder: _select(shop, folder),
    )
    selected = yield select_stage
    fill_stage = Stage(
        f"fill-{shop.lang}",
        ("sources", "filling"),
        {**shop.hashes, **selected},
        ("items.jsonl",),
        lambda folder: _fill(shop, folder),
    )
    filled = yield fill_stage
    tables_stage = Stage(
        f"tables-{shop.lang}",
        ("sources", "release"),
        {**shop.hashes, **options, **selected, **filled, **shop.build.benchmark_hashes, **shop.build.human.hashes},
        TABLE_FILES,
        lambda folder: _tables(shop, folder),
    )
    return (yield tables_stage)


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
    filled = rows_of(shop.build.work / f"fill-{shop.lang}" / "items.jsonl", FilledItem, "filled")
    items = release_items(filled, _replacements(shop), shop.pack, release=release)
    zipf = read_json(shop.build.work / f"select-{shop.lang}" / "zipf.json")
    counts = zipf.get("counts", {})
    compounds = release_compounds(shop.pack, zipf["values"], zipf["source"], release=release, counts=counts)
    human = read_scores(shop.build.human, [shop.lang])
    check_known(human, {row.id for row in compounds}, "a score")
    compounds = with_scores((replace(row, benchmarks=_benchmarks(row.compound, shop)) for row in compounds), human)
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
    return rows_of(path, Replacement, "replacement")


def rows_of(path: Path, kind: type[Record], table: str) -> list[Record]:
    """Return the records that a stage has written to *path*."""
    return [row for _, row in read_records(path, kind, table)]
