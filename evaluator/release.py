"""Read a checked release: items and compounds in the order of their ids, and the means of human judgements.

    ncimp/manifest.json                               release, languages, files with sha256 and rows
    ncimp/sentences/<split>-00000-of-00001.parquet    one row per item, columns of item.schema.json
    ncimp/sense_sentences/<split>-00000-of-00001.parquet  the same for literal contexts, where there are any
    ncimp/compounds/<split>-00000-of-00001.parquet    one row per compound, columns of compound.schema.json
    ncimp/annotations/<...>.parquet                   one row per judgement, where there are any

`load_release` loads the same folder, or a dataset of a hub, with `datasets`, and refuses rows of another version.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, get_args

from ncimp.evaluator.records import ClassName, Context, Variant
from ncimp.evaluator.runtime import hand_back
from ncimp.schemas import Place, ReleaseError, Row
from ncimp.schemas.manifest import MANIFEST, SENSE_SENTENCES
from ncimp.schemas.release_folder import REBUILD, ReleaseFolder
from ncimp.schemas.suites import ReleasedSense

ATTESTED, SAME = "attested", "same"  # the config of sentences of corpora, and the sense in which they are compared
LITERAL = "literal"  # the context of sentences that mean a compound literally


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """Means over the annotators of one sentence, each 0 to 5; None where nobody judged."""

    comp: float | None
    head: float | None
    modifier: float | None


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
class Facts:
    """One noun compound with its class and, where there is one, its human score (0 to 5)."""

    id: str
    lang: str
    compound: str
    compound_class: ClassName
    comp: float | None


@dataclass(frozen=True, slots=True)
class Compound(Facts):
    """One noun compound as the release describes it."""

    head: str
    modifier: str
    zipf: float | None  # mean of the Zipf values of head and modifier; None where the release lacks one
    overlap_free: bool  # whether it shares no lemma with its true synonym, the first that the release lists
    split: str
    comp_type: float | None = None  # published score of the compound by itself
    benchmarks: tuple[str, ...] = ()  # other benchmarks that hold it, such as `AStitch.train`
    comp_head: float | None = None  # human score of what the head contributes
    comp_modifier: float | None = None
    synonyms: tuple[str, ...] = ()  # in the order of the release

    def stands_in(self, benchmark: str) -> bool:
        """Tell whether *benchmark*, or a part of it, holds the compound."""
        return any(name == benchmark or name.startswith(f"{benchmark}.") for name in self.benchmarks)


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
    literal: tuple[Item, ...] = ()
    """Items in literal contexts, outside the grid, where the release has any."""
    attested: tuple[Item, ...] = ()
    """Items in sentences of corpora that have the compound in its own sense, outside it, too."""
    senses: tuple[ReleasedSense, ...] = ()


def read_release(folder: Path, *, version: str | None = None) -> Release:
    """Return the release in *folder*, or raise an error naming the file that breaks the manifest's promise.

    When *version* is given, a release of another version is refused.
    """
    opened = ReleaseFolder.open(folder, version=version)
    manifest = opened.manifest
    compounds = tuple(sorted(map(_compound, opened.rows("compounds")), key=lambda row: row.id))
    names = ["sentences", *(name for name in (SENSE_SENTENCES, ATTESTED) if manifest.data_files(name))]
    # of attested sentences only those in the sense of the compound are compared
    rows = (row for name in names for row in opened.rows(name) if row.get("sense", SAME) == SAME)
    items = tuple(sorted(map(_item, rows), key=lambda row: row.id))
    _check_references(folder, items, compounds)
    literal = tuple(item for item in items if item.context == LITERAL)
    attested = tuple(item for item in items if item.context.startswith(ATTESTED))
    items = tuple(item for item in items if item.context in get_args(Context))
    languages = manifest.languages
    for language in sorted(set(languages) - {item.lang for item in items}):
        raise ReleaseError(f"no sentence is in {language!r}", fix=REBUILD, place=Place(str(folder / MANIFEST)))
    judged = _published_scores(opened.rows("compounds"))
    judged |= sentence_scores(row for file in manifest.data_files("annotations") for row in opened.read(file))
    hand_back()
    senses = tuple(opened.records("senses", ReleasedSense))
    return Release(
        manifest.release, manifest.logical_sha256, languages, items, compounds, judged, literal, attested, senses
    )


def _published_scores(rows: Iterable[Row]) -> dict[str, SentenceScore]:
    """Return the published scores of sentences in *rows* of `compound`, by id of the original item."""
    return {
        f"{row['id']}/{one['context']}/orig": SentenceScore(one["comp"], None, None)
        for row in rows
        for one in row.get("comp_sentences") or ()
    }


def sentence_scores(rows: Iterable[Row]) -> dict[str, SentenceScore]:
    """Return the means over the annotators of each item in *rows* of `released_annotation`: the inner mean of (1).

    As in the scores of the release, rows of excluded annotators do not count, and of an annotator's several answers
    about an item only the first (by day). Answers about all sentences of a compound at once name no item.
    """
    judged: dict[str, dict[str, Row]] = {}
    for row in sorted(rows, key=lambda row: (row["day"] or "", row["campaign"], row["id"])):
        if row["item_id"] is not None and row["excluded"] is None:
            judged.setdefault(row["item_id"], {}).setdefault(row["annotator"], row)

    means = {}
    for item, answers in sorted(judged.items()):
        values = [
            [row[name] for row in answers.values() if row[name] is not None] for name in ("comp", "head", "modifier")
        ]
        means[item] = SentenceScore(*(sum(row) / len(row) if row else None for row in values))
    return means


def _compound(row: Row) -> Compound:
    names = ("id", "lang", "compound", "compound_class", "comp", "head", "modifier", "split")
    facts = {name: row[name] for name in names}
    zipf = [row["modifier_zipf"], row["head_zipf"]]
    overlap_free = bool(row["synonyms"]) and row["synonyms"][0]["overlap_free"]
    return Compound(
        **facts,
        zipf=None if None in zipf else sum(zipf) / len(zipf),
        overlap_free=overlap_free,
        comp_type=row.get("comp_type"),
        benchmarks=tuple(row.get("benchmarks") or ()),
        comp_head=row.get("comp_head"),
        comp_modifier=row.get("comp_modifier"),
        synonyms=tuple(one["text"] for one in row["synonyms"] or () if one["text"]),
    )


def _item(row: Row) -> Item:
    # the same few words stand in tens of thousands of rows: kept once, a release takes half the memory
    words: dict[str, Any] = {name: sys.intern(row[name]) for name in ("lang", "compound_id", "context", "variant")}
    tokens = tuple(map(sys.intern, row["tokens"]))
    spans: dict[str, Any] = {name: (row[name][0], row[name][1]) for name in ("token_span", "span")}
    return Item(row["id"], **words, tokens=tokens, sentence=row["sentence"], **spans)


def _check_references(folder: Path, items: Sequence[Item], compounds: Sequence[Compound]) -> None:
    place = Place(str(folder))
    for kind, names in (
        ("compound", [compound.id for compound in compounds]),
        ("item", [item.id for item in items]),
        ("cell", ["/".join((item.compound_id, item.context, item.variant)) for item in items]),
    ):
        duplicate = next((name for name, count in Counter(names).items() if count > 1), None)
        if duplicate is not None:
            raise ReleaseError(f"the {kind} {duplicate!r} is there twice", fix=REBUILD, place=place)
    languages = {compound.id: compound.lang for compound in compounds}
    for item in items:
        if problem := _problem(item, languages):
            raise ReleaseError(f"item {item.id!r}: {problem}", fix=REBUILD, place=place)


def _problem(item: Item, languages: Mapping[str, str]) -> str | None:
    first, end = item.token_span
    if languages.get(item.compound_id) != item.lang:
        return f"its compound {item.compound_id!r} is not among the compounds of {item.lang!r}"
    outside = item.context == LITERAL or item.context.startswith(ATTESTED)
    if not (outside or item.context in get_args(Context)) or item.variant not in get_args(Variant):
        return f"unknown context {item.context!r} or variant {item.variant!r}"
    if not 0 <= first < end <= len(item.tokens):
        return f"its token span [{first}, {end}) is not inside its {len(item.tokens)} tokens"
    if not 0 <= item.span[0] < item.span[1] <= len(item.sentence):
        return f"its span {list(item.span)} is not inside its {len(item.sentence)} characters"
    return None


def load_release(
    path: str = "ncimp", config: str | None = None, *, version: str | None = None, **options: Any
) -> dict[str, Any]:
    """Return the splits of *config* (the default one when None), every row of which is of one version.

    *path* is the folder of a release, whose files are checked against its manifest first, or the id of a
    dataset on a hub; there *version*, such as `1.0.0`, names the tag `v1.0.0` unless *options* hold a
    `revision`. *options* go to `datasets.load_dataset`. When streaming, rows are checked as they come.

    `load_dataset` alone does not check: it ignores `revision` for a folder, and may serve from its cache what an
    earlier load of another revision left there. Raises `ReleaseError` where manifest, card or a row is of another
    version than *version*; without one, they have to agree with each other.
    """
    from datasets import load_dataset  # half a second, which nothing else here needs

    if Path(path).is_dir():
        version = ReleaseFolder.open(Path(path), version=version).manifest.release
    elif version is not None:
        options.setdefault("revision", f"v{version}")
    loaded = load_dataset(path, config, **options)
    splits: dict[str, Any] = type(loaded)(
        {split: _checked_split(part, version, f"{path}: {split}") for split, part in loaded.items()}
    )
    return splits


def _checked_split(part: Any, version: str | None, place: str) -> Any:
    """Return *part* when card and rows are of *version*, that of the card when None; a stream checks as it is read."""
    card = str(part.info.version)
    check = partial(_is_of_version, expected=card if version is None else version)
    check(card, place=f"{place}: card")
    if not hasattr(part, "num_rows"):
        return part.filter(partial(check, place=place), input_columns=["release"])
    check(*part.unique("release"), place=place)
    return part


def _is_of_version(*releases: str, expected: str, place: str) -> bool:
    """Return True, or raise `ReleaseError` for *releases* other than the *expected* one."""
    others = sorted(set(releases) - {expected})
    if others:
        what = f"of release {', '.join(map(repr, others))}, where {expected!r} is expected"
        fix = "ask for the version that is there, or download it again with `download_mode='force_redownload'`"
        raise ReleaseError(what, fix=fix, place=Place(place))
    return True
