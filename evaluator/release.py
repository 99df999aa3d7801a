"""What people said of the compounds of a release, sentence by sentence, where it holds their judgements.

Read a release folder: what the manifest promises is checked before a row is believed.

    ncimp/manifest.json                               release, languages, files with sha256 and rows
    ncimp/sentences/<split>-00000-of-00001.parquet    one row per item, columns of item.schema.json
    ncimp/compounds/<split>-00000-of-00001.parquet    one row per compound, columns of compound.schema.json

    ncimp/annotations/<...>.parquet                   one row per judgement, where there are any

Every file that the manifest lists must be there with its hash; only the tables above are read.

Load a release with `datasets` and refuse rows of another version than the one that was asked for.

`load_dataset` alone does not: it ignores `revision` for a folder, and when a hub cannot be reached, or a revision
is not there, it may serve what an earlier load of another revision left in its cache. Every row says
which release it belongs to, so that it can be checked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ncimp.evaluator.records import ClassName
from ncimp.evaluator.runtime import hand_back
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import Row
from ncimp.schemas.manifest import MANIFEST
from ncimp.schemas.release_folder import REBUILD, ReleaseFolder
from ncimp.schemas.tables import load_schema

CONFIG = "annotations"
"""The folder of a release that holds judgements, one row each."""


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """Means over the annotators of one sentence, each 0 to 5; None where nobody judged."""

    comp: float | None
    head: float | None
    modifier: float | None


def read_judgements(folder: ReleaseFolder) -> dict[str, SentenceScore]:
    """Return the scores of each item that was judged; nothing where the release has no judgements."""
    return sentence_scores(row for entry in folder.manifest.data_files(CONFIG) for row in folder.read(entry))


def sentence_scores(rows: Iterable[Row]) -> dict[str, SentenceScore]:
    """Return the means over the annotators of each item in *rows* of `released_annotation`: the inner mean of (1).

    As in the scores of the release, rows of excluded annotators do not count, and of an annotator's several answers
    about an item only the first (by day). Answers about all sentences of a compound at once name no item.
    """
    judged: dict[str, dict[str, Row]] = {}
    for row in sorted(rows, key=lambda row: (row["day"] or "", row["campaign"], row["id"])):
        if row["item_id"] is not None and row["excluded"] is None:
            judged.setdefault(row["item_id"], {}).setdefault(row["annotator"], row)
    return {
        item: SentenceScore(*(_mean([row[scale] for row in found.values()]) for scale in ("comp", "head", "modifier")))
        for item, found in sorted(judged.items())
    }


def _mean(values: Iterable[int | None]) -> float | None:
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of the release: compound x context x variant; *span* is in characters, [start, end)."""

    id: str
    lang: str
    compound_id: str
    context: str
    variant: str
    tokens: tuple[str, ...]
    token_span: tuple[int, int]
    sentence: str = ""
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Compound:
    """One noun compound with its expert class and, where there is one, its human score (0 to 5)."""

    id: str
    lang: str
    compound: str
    head: str
    modifier: str
    compound_class: ClassName
    comp: float | None
    zipf: float | None
    """Mean of the Zipf values of head and modifier; None where the release lacks one."""
    overlap_free: bool
    """Whether it shares no lemma with its true synonym, the first that the release lists."""


@dataclass(frozen=True, slots=True)
class Release:
    """A checked release: items and compounds in the order of their ids."""

    version: str
    logical_sha256: str
    languages: tuple[str, ...]
    items: tuple[Item, ...]
    compounds: tuple[Compound, ...]
    judged: Mapping[str, SentenceScore] = field(default_factory=dict)
    """Human scores by id of the original item, where the release has judgements."""


def read_release(folder: Path, *, version: str | None = None) -> Release:
    """Return the release in *folder*, or raise an error naming the file that breaks the manifest's promise.

    When *version* is given, a release of another version is refused.
    """
    opened = ReleaseFolder.open(folder, version=version)
    manifest = opened.manifest
    compounds = tuple(sorted(map(_compound, opened.rows("compounds")), key=lambda row: row.id))
    items = tuple(sorted(map(_item, opened.rows("sentences")), key=lambda row: row.id))
    _check_references(folder, items, compounds)
    languages = manifest.languages
    for language in sorted(set(languages) - {item.lang for item in items}):
        raise ReleaseError(f"no sentence is in {language!r}", fix=REBUILD, place=Place(str(folder / MANIFEST)))
    judged = read_judgements(opened)
    hand_back()
    return Release(manifest.release, manifest.logical_sha256, languages, items, compounds, judged)


def _compound(row: Row) -> Compound:
    zipf = [row["modifier_zipf"], row["head_zipf"]]
    return Compound(
        id=row["id"],
        lang=row["lang"],
        compound=row["compound"],
        head=row["head"],
        modifier=row["modifier"],
        compound_class=row["compound_class"],
        comp=row["comp"],
        zipf=None if None in zipf else sum(zipf) / len(zipf),
        overlap_free=bool(row["synonyms"]) and row["synonyms"][0]["overlap_free"],
    )


def _item(row: Row) -> Item:
    # the same few words stand in tens of thousands of rows: kept once, a release takes half the memory
    lang, compound_id, context, variant = (
        sys.intern(row[name]) for name in ("lang", "compound_id", "context", "variant")
    )
    (first, last), (start, end) = row["token_span"], row["span"]
    tokens = tuple(map(sys.intern, row["tokens"]))
    return Item(
        id=row["id"],
        lang=lang,
        compound_id=compound_id,
        context=context,
        variant=variant,
        tokens=tokens,
        token_span=(first, last),
        sentence=row["sentence"],
        span=(start, end),
    )


def _check_references(folder: Path, items: tuple[Item, ...], compounds: tuple[Compound, ...]) -> None:
    _check_distinct(folder, [compound.id for compound in compounds], "compound")
    _check_distinct(folder, [item.id for item in items], "item")
    _check_distinct(folder, ["/".join((i.compound_id, i.context, i.variant)) for i in items], "cell")
    known = {compound.id: compound.lang for compound in compounds}
    enums = {name: load_schema("item")["properties"][name]["enum"] for name in ("context", "variant")}
    for item in items:
        problem = _problem(item, known, enums)
        if problem:
            raise ReleaseError(f"item {item.id!r}: {problem}", fix=REBUILD, place=Place(str(folder)))


def _check_distinct(folder: Path, ids: list[str], kind: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise ReleaseError(f"the {kind} {name!r} is there twice", fix=REBUILD, place=Place(str(folder)))
        seen.add(name)


def _problem(item: Item, known: dict[str, str], enums: dict[str, list[str]]) -> str | None:
    first, end = item.token_span
    if known.get(item.compound_id) != item.lang:
        return f"its compound {item.compound_id!r} is not among the compounds of {item.lang!r}"
    if item.context not in enums["context"] or item.variant not in enums["variant"]:
        return f"unknown context {item.context!r} or variant {item.variant!r}"
    if not 0 <= first < end <= len(item.tokens):
        return f"its token span [{first}, {end}) is not inside its {len(item.tokens)} tokens"
    if not 0 <= item.span[0] < item.span[1] <= len(item.sentence):
        return f"its span {list(item.span)} is not inside its {len(item.sentence)} characters"
    return None


FIX = "ask for the version that is there, or download it again with `download_mode='force_redownload'`"


def load_release(
    path: str = "ncimp", config: str | None = None, *, version: str | None = None, **options: Any
) -> dict[str, Any]:
    """Return the splits of *config* (the default one when None), every row of which is of one version.

    *path* is the folder of a release, whose files are checked against its manifest first, or the id of a
    dataset on a hub; there *version*, such as `1.0.0`, names the tag `v1.0.0` unless *options* hold a
    `revision`. *options* go to `datasets.load_dataset`. When streaming, rows are checked as they come.

    Raises `ReleaseError` where manifest, card or a row is of another version than *version*; without one,
    they have to agree with each other.
    """
    from datasets import load_dataset  # half a second, which nothing else here needs

    if Path(path).is_dir():
        version = ReleaseFolder.open(Path(path), version=version).manifest.release
    elif version is not None:
        options.setdefault("revision", f"v{version}")
    loaded = load_dataset(path, config, **options)
    checked = {split: _checked(part, version, f"{path}: {split}") for split, part in loaded.items()}
    splits: dict[str, Any] = type(loaded)(checked)
    return splits


def _checked(part: Any, version: str | None, place: str) -> Any:
    """Return *part* when card and rows are of *version*, that of the card when None; a stream checks as it is read."""
    card = str(part.info.version)
    wanted = card if version is None else version
    _refuse_others([card], wanted, f"{place}: card")
    if hasattr(part, "num_rows"):
        _refuse_others(part.unique("release"), wanted, place)
        return part
    return part.filter(partial(_is_of, wanted=wanted, place=place), input_columns=["release"])


def _is_of(release: str, wanted: str, place: str) -> bool:
    _refuse_others([release], wanted, place)
    return True


def _refuse_others(releases: Iterable[str], wanted: str, place: str) -> None:
    others = sorted(set(releases) - {wanted})
    if others:
        what = f"of release {', '.join(map(repr, others))}, where {wanted!r} is wanted"
        raise ReleaseError(what, fix=FIX, place=Place(place))
