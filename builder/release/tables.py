"""The rows of a release's tables, put together from items, replacements and packs; and the splits by compound.

No lemma is in two splits, every class is in every split, and no compound ever moves. Compounds that share a component
lemma are one group. Groups go, largest first and then by keyed hash, to the split that lacks most of what they bring.
Splits that the pack records stay; a later compound goes where its lemmas already are, and to `bridge` where they are in
two splits.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from ncimp.builder import records
from ncimp.builder.records import Compound, Item, LanguagePack, Pair, ReleasedCompound, Split, SplitAssignment
from ncimp.builder.release.suites import suite_tables
from ncimp.schemas import ReleaseError, keyed_hash
from ncimp.schemas.records import load_schema
from ncimp.schemas.release_folder import ReleaseFolder

SHARES: Mapping[Split, float] = {"train": 0.60, "test": 0.25, "validation": 0.15}
"""Share of each split in the compounds of a class; of splits that lack as much, the first is served."""

TOKEN = re.compile(r"\S+")  # of a published sentence, whose words and marks have spaces between them
DECIMALS = 6  # of a mean of published scores


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
    attested: tuple[records.AttestedItem, ...] = ()


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
        literal=tuple(folder.records(records.SENSE_SENTENCES, Item)),
        compounds=tuple(folder.records("compounds", ReleasedCompound)),
        attested=tuple(folder.records("attested", records.AttestedItem)),
    )


def release_rows(
    pack: LanguagePack,
    filled: Iterable[records.FilledItem],
    replacements: Iterable[records.Replacement],
    rephrased: Iterable[records.Rephrased],
    compounds: Sequence[ReleasedCompound],
    *,
    release: str,
) -> dict[str, Sequence[Any]]:
    """Return the rows of one language by table, from what was filled and from *compounds* with their figures."""
    items = release_items(filled, replacements, pack, release=release)
    items += published_items(pack, release=release)
    suites = suite_tables(pack, rephrased, items, release=release)
    return {
        "sentences": [item for item in items if item.context in records.CONTEXTS],
        "pairs": release_pairs(items, {row.id: row.comp for row in compounds}),
        "compounds": compounds,
        "literal": [item for item in items if item.context == records.LITERAL],
        "attested": attested_items(items, pack),
        "senses": suites.senses,
        "examples": suites.examples,
        "consistency": suites.pairs,
        "composition": suites.composition,
    }


def release_items(
    filled: Iterable[records.FilledItem],
    replacements: Iterable[records.Replacement],
    pack: LanguagePack,
    *,
    release: str,
) -> list[Item]:
    """Return the items of one language, literal contexts included: in the order of the pack, contexts and variants."""
    by_variant = {(row.compound_id, row.variant): row for row in replacements}
    splits = recorded_splits(pack)
    order = {pack.compound_id(compound.text): index for index, compound in enumerate(pack.compounds)}
    items = [
        Item(
            **(_values(Item, by_variant[row.compound_id, row.variant]) | _values(Item, row)),
            split=splits[row.compound_id],
            release=release,
        )
        for row in filled
    ]
    names = (*records.CONTEXTS, records.LITERAL, *records.ATTESTED, *records.VARIANTS)
    key = {name: index for index, name in enumerate(names)}
    return sorted(items, key=lambda item: (order[item.compound_id], key[item.context], key[item.variant]))


def attested_items(items: Iterable[Item], pack: LanguagePack) -> list[records.AttestedItem]:
    """Return those of *items* whose carrier was found in a corpus of *pack*, with its place and whom to credit."""
    citations = {row.corpus: row.citation for row in pack.corpora}
    return [
        records.AttestedItem(
            **_values(Item, item),
            sense=row.sense,
            corpus=row.corpus,
            document=row.document,
            attribution=citations[row.corpus],
        )
        for item in items
        if (row := pack.attested.get((item.compound, item.context))) is not None
    ]


def published_items(pack: LanguagePack, *, release: str) -> list[Item]:
    """Return the sentences of *pack* that were published elsewhere as items, in the order of the table."""
    splits, compounds = recorded_splits(pack), {row.text: row for row in pack.compounds}
    return [_published_item(row, compounds[row.compound], pack, splits, release) for row in pack.published]


def _published_item(
    row: records.PublishedItem,
    compound: Compound,
    pack: LanguagePack,
    splits: Mapping[str, Split],
    release: str,
) -> Item:
    """Return the item of *row*: its tokens are the words of the file, and nobody has said what its words are."""
    compound_id, neutral = pack.compound_id(row.compound), row.context in records.NEUTRAL
    places = [match.span() for match in TOKEN.finditer(row.sentence)]
    inside = [number for number, (start, end) in enumerate(places) if start < row.end and end > row.start]
    own = {"orig": compound.text, "head": compound.head, "mod": compound.modifier}
    place = f"row {row.row}, column {row.column!r}" if row.column else f"sentence {row.row}"
    unknown = [name for name, column in load_schema("item")["properties"].items() if "null" in column["type"]]
    values = {name: getattr(row, name) for name in ("context", "variant", "number", "sentence", "span", "origin")}
    return Item(
        **{**dict.fromkeys(unknown), **values, "published": row.published if row.origin == "mended" else None},
        id=f"{compound_id}/{row.context}/{row.variant}",
        lang=pack.language.code,
        compound_id=compound_id,
        compound=compound.text,
        compound_class=compound.compound_class,
        context_kind="neutral" if neutral else "naturalistic",
        probe=records.PROBES[row.variant],
        tokens=tuple(row.sentence[start:end] for start, end in places),
        token_span=(inside[0], inside[-1] + 1),
        replacement=own.get(row.variant, ""),  # the span has it, and nobody has said what its citation form is
        carrier_edits=(),
        uncertain=(),
        context_source="frame" if neutral else "corpus",
        licence=pack.language.licence,
        source=row.document,
        explanation=f"{place}{f': {row.rule}' if row.rule else ''}",
        split=splits[compound_id],
        release=release,
    )


def _values(kind: type[Any], row: object) -> dict[str, Any]:
    """Return the values of *row* in the columns that *kind* has as well."""
    return {column.name: getattr(row, column.name) for column in fields(kind) if hasattr(row, column.name)}


def recorded_splits(pack: LanguagePack) -> dict[str, Split]:
    """Return the split of every compound by id, or raise `ReleaseError` for one that has none."""
    recorded = {row.compound: row.split for row in pack.splits}
    for compound in pack.compounds:
        if compound.text not in recorded:
            what = f"{compound.text!r} has no split in the pack {pack.language.code!r}"
            raise ReleaseError(what, fix=f"run `ncimp pack split {pack.language.code}` once and commit splits.tsv")
    return {pack.compound_id(text): split for text, split in recorded.items()}


def release_pairs(items: Sequence[Item], scores: Mapping[str, float | None]) -> list[Pair]:
    """Return the rows of `pairs`: each item but the originals, after the original of its context.

    *scores* are human compositionality scores by compound id, None where there is no score.
    """
    originals = {(item.compound_id, item.context): item for item in items if item.variant == "orig"}
    return [
        Pair(
            **_values(Pair, item),
            comp=scores[item.compound_id],
            sentence1=originals[item.compound_id, item.context].sentence,
            span1=originals[item.compound_id, item.context].span,
            sentence2=item.sentence,
            span2=item.span,
        )
        for item in items
        if item.variant != "orig" and item.context in records.CONTEXTS
    ]


def release_compounds(
    pack: LanguagePack,
    zipf: Mapping[str, float | None],
    zipf_source: str,
    *,
    release: str,
    counts: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[ReleasedCompound]:
    """Return the rows of `compounds` of one language, without scores; *zipf* is the Zipf value of every component.

    *counts* holds, of the compounds that a corpus can count, the columns that stay empty without one.
    """
    splits, language, scores = recorded_splits(pack), pack.language, published_scores(pack)
    unknown = dict.fromkeys((*SCORE_COLUMNS, "comp_type", "compound_count", "pmi", "ppmi", "count_source"))
    synonyms = sorted(pack.synonyms, key=lambda row: row.rank)
    return [
        ReleasedCompound(
            **_values(ReleasedCompound, compound),
            **{
                **unknown,
                "comp_sentences": (),
                **scores.get(compound.text, {}),
                **(counts or {}).get(compound.text, {}),
            },
            id=pack.compound_id(compound.text),
            lang=language.code,
            compound=compound.text,
            synonyms=tuple(
                # a published synonym stands in the sentences of `syn`, which may have to be withheld
                records.ReleasedSynonym(
                    **_values(records.ReleasedSynonym, row) | ({"text": ""} if pack.published else {})
                )
                for row in synonyms
                if row.compound == compound.text
            ),
            modifier_zipf=zipf[compound.modifier],
            head_zipf=zipf[compound.head],
            zipf_source=zipf_source,
            benchmarks=tuple(row.benchmark for row in pack.memberships if row.compound == compound.text),
            split=splits[pack.compound_id(compound.text)],
            source=f"pack/{language.code} {language.version}",
            licence=language.licence,
            release=release,
        )
        for compound in pack.compounds
    ]


SCORE_COLUMNS = {
    "comp": "comp",
    "comp_head": "head",
    "comp_modifier": "modifier",
    "comp_sd": "comp_sd",
    "comp_n": "comp_n",
    "class_from_scores": "class_from_scores",
    "comp_source": "source",
}
"""Columns of `compounds` that hold a human score, with the column of a scores file that each is from."""


def published_scores(pack: LanguagePack) -> dict[str, dict[str, Any]]:
    """Return the columns of `compounds` that the published scores of *pack* fill, by compound.

    `comp` is the mean of the scores of the sentences (equation 1 of He et al., of the means over annotators). Of two
    sources of a score the first in the table counts.
    """
    layers: defaultdict[str, dict[tuple[str, str | None], tuple[str, str]]] = defaultdict(dict)
    for row in pack.scores:
        layers[row.compound].setdefault((row.layer, row.context), (row.value, row.source))
    return {text: _score_columns(own) for text, own in layers.items()}


def _score_columns(layers: Mapping[tuple[str, str | None], tuple[str, str]]) -> dict[str, Any]:
    of_type = layers.get(("comp_type", None))
    tokens = {name: layers["comp_token", name] for name in records.NATURALISTIC if ("comp_token", name) in layers}
    values = [float(value) for value, _ in tokens.values()]
    comp = round(fmean(values), DECIMALS) if values else None
    return {
        "comp": comp,
        "class_from_scores": records.class_of(comp),
        "comp_source": " and ".join(sorted({source for _, source in tokens.values()})) or None,
        "comp_type": float(of_type[0]) if of_type else None,
        "comp_sentences": tuple(map(records.SentenceComp, tokens, values)),
        **{f"comp_{name}": float(layers[name, None][0]) for name in ("head", "modifier") if (name, None) in layers},
    }


def with_scores(compounds: Iterable[ReleasedCompound], scores: Mapping[str, records.Score]) -> list[ReleasedCompound]:
    """Return *compounds* with the human score of each that has one in *scores*, by id."""
    return [
        replace(row, **{name: getattr(scores[row.id], column) for name, column in SCORE_COLUMNS.items()})
        if row.id in scores
        else row
        for row in compounds
    ]


def release_annotations(
    judgements: Iterable[records.Judgement], compounds: Iterable[ReleasedCompound]
) -> list[records.ReleasedAnnotation]:
    """Return the rows of `annotations`: *judgements* with the split, licence and release of their compound, sorted."""
    by_id = {row.id: row for row in compounds}
    rows = [
        records.ReleasedAnnotation(
            **_values(records.ReleasedAnnotation, row),
            id=keyed_hash("annotation", row.campaign, row.assignment, row.task_id, row.item_id or "")[:16],
            split=by_id[row.compound_id].split,
            licence=by_id[row.compound_id].licence,
            release=by_id[row.compound_id].release,
        )
        for row in judgements
    ]
    return sorted(rows, key=lambda row: (row.compound_id, row.item_id or "", row.annotator, row.id))


def assign_splits(
    compounds: Sequence[Compound], recorded: Iterable[SplitAssignment], *, seed: str
) -> list[SplitAssignment]:
    """Return the split of every compound, those *recorded* unchanged, in the order of *compounds*."""
    splits: dict[str, Split] = {row.compound: row.split for row in recorded}
    new = [compound for compound in compounds if compound.text not in splits]
    for group in _groups(new, seed):
        splits |= dict.fromkeys((member.text for member in group), _place(group, compounds, splits))
    return [SplitAssignment(compound.text, splits[compound.text]) for compound in compounds]


def _lemmas(compounds: Iterable[Compound]) -> set[str]:
    return {lemma for compound in compounds for lemma in (compound.modifier, compound.head)}


def _groups(compounds: Iterable[Compound], seed: str) -> list[list[Compound]]:
    """Return *compounds* grouped by shared lemmas, largest group first, equals in keyed-hash order."""
    groups: list[list[Compound]] = []
    for compound in compounds:
        touching = [group for group in groups if _lemmas(group) & _lemmas([compound])]
        groups = [group for group in groups if group not in touching]
        groups.append([*(member for group in touching for member in group), compound])
    return sorted(groups, key=lambda group: (-len(group), keyed_hash(seed, min(member.text for member in group))))


def _place(group: Sequence[Compound], compounds: Sequence[Compound], splits: Mapping[str, Split]) -> Split:
    """Return the split of *group*: where its lemmas already are, `bridge` for two, else where it is needed most."""
    placed = [compound for compound in compounds if compound.text in splits]
    homes = {splits[other.text] for other in placed if _lemmas([other]) & _lemmas(group)} - {"bridge"}
    if len(homes) > 1:
        return "bridge"
    return homes.pop() if homes else max(SHARES, key=lambda split: _need(split, group, compounds, splits))


def _need(split: Split, group: Sequence[Compound], compounds: Sequence[Compound], splits: Mapping[str, Split]) -> float:
    """Return how many compounds *split* still lacks of the classes that *group* brings, summed over its members."""
    totals = Counter(compound.compound_class for compound in compounds)
    counts = Counter(compound.compound_class for compound in compounds if splits.get(compound.text) == split)
    missing = (SHARES[split] * totals[member.compound_class] - counts[member.compound_class] for member in group)
    return round(sum(missing), 9)
