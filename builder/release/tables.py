"""The rows of a release's tables, put together from items, replacements and packs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ncimp.builder.records import (
    CONTEXTS,
    LITERAL,
    VARIANTS,
    Compound,
    FilledItem,
    Item,
    Judgement,
    LanguagePack,
    Pair,
    ReleasedAnnotation,
    ReleasedCompound,
    ReleasedSynonym,
    Replacement,
    Score,
    Split,
)
from ncimp.schemas.errors import ReleaseError
from ncimp.schemas.files import keyed_hash
from ncimp.schemas.release_folder import ReleaseFolder


@dataclass(frozen=True, slots=True)
class ReleaseTables:
    """The tables of a release, without the pairs, which repeat its sentences."""

    release: str
    edition: str
    logical_sha256: str
    languages: tuple[str, ...]
    items: tuple[Item, ...]
    literal: tuple[Item, ...]
    compounds: tuple[ReleasedCompound, ...]


def read_release(path: Path) -> ReleaseTables:
    """Return the release in *path*; an incomplete or damaged one raises `ReleaseError` or `SchemaError`."""
    folder = ReleaseFolder.open(path)
    manifest = folder.manifest
    return ReleaseTables(
        release=manifest.release,
        edition=manifest.edition,
        logical_sha256=manifest.logical_sha256,
        languages=manifest.languages,
        items=tuple(folder.records("sentences", Item)),
        literal=tuple(folder.records(LITERAL, Item)),
        compounds=tuple(folder.records("compounds", ReleasedCompound)),
    )


ID_LENGTH = 16
"""Hexadecimal digits of the id of a judgement."""

FILLED = tuple(FilledItem.__dataclass_fields__)
"""Columns of an item that filling gives."""

FROM_REPLACEMENT = tuple(
    name for name in Item.__dataclass_fields__ if name in Replacement.__dataclass_fields__ and name not in FILLED
)
"""Columns of an item that say where its replacement comes from."""

SHARED = tuple(name for name in Pair.__dataclass_fields__ if name in Item.__dataclass_fields__)
"""Columns that a pair has from its second item."""


def release_items(
    filled: Iterable[FilledItem], replacements: Iterable[Replacement], pack: LanguagePack, *, release: str
) -> list[Item]:
    """Return the items of one language, literal contexts included: in the order of the pack, contexts and variants."""
    by_variant = {(row.compound_id, row.variant): row for row in replacements}
    splits = recorded_splits(pack)
    order = {pack.compound_id(compound.text): index for index, compound in enumerate(pack.compounds)}
    items = [
        Item(
            **{name: getattr(row, name) for name in FILLED},
            **{name: getattr(by_variant[row.compound_id, row.variant], name) for name in FROM_REPLACEMENT},
            split=splits[row.compound_id],
            release=release,
        )
        for row in filled
    ]
    key = {name: index for index, name in enumerate((*CONTEXTS, LITERAL, *VARIANTS))}
    return sorted(items, key=lambda item: (order[item.compound_id], key[item.context], key[item.variant]))


def recorded_splits(pack: LanguagePack) -> dict[str, Split]:
    """Return the split of every compound by id, or raise `ReleaseError` for one that has none."""
    recorded = {row.compound: row.split for row in pack.splits}
    for compound in pack.compounds:
        if compound.text not in recorded:
            what = f"{compound.text!r} has no split in the pack {pack.language.code!r}"
            raise ReleaseError(what, fix=f"run `ncimp pack split {pack.language.code}` once and commit splits.tsv")
    return {pack.compound_id(text): split for text, split in recorded.items()}


def release_pairs(items: Sequence[Item], scores: Mapping[str, float]) -> list[Pair]:
    """Return the rows of `pairs`: each item but the originals, after the original of its context.

    *scores* are human compositionality scores by compound id; a compound without one gets None.
    """
    originals = {(item.compound_id, item.context): item for item in items if item.variant == "orig"}
    return [
        Pair(
            **{name: getattr(item, name) for name in SHARED},
            comp=scores.get(item.compound_id),
            sentence1=originals[item.compound_id, item.context].sentence,
            span1=originals[item.compound_id, item.context].span,
            sentence2=item.sentence,
            span2=item.span,
        )
        for item in items
        if item.variant != "orig" and item.context != LITERAL
    ]


def release_compounds(
    pack: LanguagePack,
    zipf: Mapping[str, float | None],
    zipf_source: str,
    *,
    release: str,
    counts: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[ReleasedCompound]:
    """Return the rows of `compounds` of one language; *zipf* holds the Zipf value of every component.

    *counts* holds, of the compounds that a corpus can count, the columns that stay empty without one.
    """
    splits = recorded_splits(pack)
    rows = [
        _released(compound, pack, zipf, zipf_source, split=splits[pack.compound_id(compound.text)], release=release)
        for compound in pack.compounds
    ]
    return [replace(row, **(counts or {}).get(row.compound, {})) for row in rows]


def with_scores(compounds: Iterable[ReleasedCompound], scores: Mapping[str, Score]) -> list[ReleasedCompound]:
    """Return *compounds* with the human score of each that has one in *scores*, by id."""
    return [_scored(row, scores[row.id]) if row.id in scores else row for row in compounds]


def _scored(row: ReleasedCompound, score: Score) -> ReleasedCompound:
    return replace(
        row,
        comp=score.comp,
        comp_head=score.head,
        comp_modifier=score.modifier,
        comp_sd=score.comp_sd,
        comp_n=score.comp_n,
        class_from_scores=score.class_from_scores,
        comp_source=score.source,
    )


def release_annotations(
    judgements: Iterable[Judgement], compounds: Iterable[ReleasedCompound]
) -> list[ReleasedAnnotation]:
    """Return the rows of `annotations`: *judgements* with the split, licence and release of their compound, sorted."""
    by_id = {row.id: row for row in compounds}
    rows = [_annotation(row, by_id[row.compound_id]) for row in judgements]
    return sorted(rows, key=lambda row: (row.compound_id, row.item_id or "", row.annotator, row.id))


def _annotation(row: Judgement, compound: ReleasedCompound) -> ReleasedAnnotation:
    values = {name: getattr(row, name) for name in ReleasedAnnotation.__slots__ if hasattr(row, name)}
    name = keyed_hash("annotation", row.campaign, row.assignment, row.task_id, row.item_id or "")[:ID_LENGTH]
    return ReleasedAnnotation(
        **values, id=name, split=compound.split, licence=compound.licence, release=compound.release
    )


def _released(
    compound: Compound,
    pack: LanguagePack,
    zipf: Mapping[str, float | None],
    zipf_source: str,
    *,
    split: Split,
    release: str,
) -> ReleasedCompound:
    values = asdict(compound)
    compound_id = pack.compound_id(compound.text)
    synonyms = sorted((row for row in pack.synonyms if row.compound == compound.text), key=lambda row: row.rank)
    return ReleasedCompound(
        id=compound_id,
        lang=pack.language.code,
        compound=compound.text,
        **{name: values[name] for name in ("modifier", "head", "head_index", "pattern", "gender", "number")},
        **{name: values[name] for name in ("countability", "compound_class", "sense_note")},
        comp=None,
        comp_head=None,
        comp_modifier=None,
        comp_sd=None,
        comp_n=None,
        class_from_scores=None,
        comp_source=None,
        synonyms=tuple(ReleasedSynonym(row.text, row.overlap_free) for row in synonyms),
        modifier_zipf=zipf[compound.modifier],
        head_zipf=zipf[compound.head],
        zipf_source=zipf_source,
        compound_count=None,
        pmi=None,
        ppmi=None,
        count_source=None,
        benchmarks=(),
        split=split,
        source=f"pack/{pack.language.code} {pack.language.version}",
        licence=pack.language.licence,
        release=release,
    )
