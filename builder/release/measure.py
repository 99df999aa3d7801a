"""The statistics of a release as tables of pandas: counts, and summaries in words, shares and log10 frequency."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ncimp.builder.records import CLASSES, CONTEXTS, LITERAL, NATURALISTIC, VARIANTS, WORDS_SYN, Item, ReleasedCompound
from ncimp.builder.release.counts import matches, summarise
from ncimp.builder.release.layout import SPLITS
from ncimp.builder.release.tables import ReleaseTables

ALL = "all"  # in a row: of every class
POOLED = "naturalistic"  # in a row: of the three naturalistic contexts together
KINDS = ("naturalistic", "neutral", LITERAL)  # in the order of the page
COMPONENTS = ("modifier", "head")
RELATIONS = ("synonym", "similar", "hypernym", "other")
TARGETS = {"median": 0.10, "p90": 0.25}
"""Aims of the design for the worse difference in log10 frequency: its median and 90th percentile are at most these."""

COMPOUND_COLUMNS = ("compound_class", "split", "pattern")
ITEM_COLUMNS = ("id", "lang", "compound_id", "compound_class", "context", "probe", "variant", "rank")

Row = dict[str, Any]
Statistics = dict[str, Any]
"""The figures of `ncimp describe --json`: lists of rows, one row per language and category."""

ORDERS: dict[str, Sequence[str]] = {
    "compound_class": (*CLASSES, ALL),
    "split": SPLITS,
    "variant": VARIANTS,
    "context": (*CONTEXTS, POOLED, LITERAL),
    "context_kind": KINDS,
    "component": COMPONENTS,
}
"""The order of the values of each column by which rows are grouped."""


def measure(tables: ReleaseTables) -> Statistics:
    """Return the statistics of the release *tables*, languages in the order of its manifest."""
    langs = tables.languages
    items, originals = frame_of_items(langs, tables.items), frame_of_originals(tables)
    literal = frame_of_items(langs, tables.literal)
    names = ("lang", *COMPOUND_COLUMNS)
    compounds = _frame(langs, {name: [getattr(row, name) for row in tables.compounds] for name in names})
    return {
        "release": tables.release,
        "edition": tables.edition,
        "logical_sha256": tables.logical_sha256,
        "languages": list(langs),
        "compounds": [{**row, "compounds": len(group)} for row, group in _groups(compounds, *COMPOUND_COLUMNS)],
        "sentences": [
            {"lang": row["lang"], "probe": row["probe"], **row, "sentences": len(group)}
            for row, group in _groups(pd.concat([items, literal]), "variant", "context_kind", "probe")
        ],
        "lengths": [{**row, "words": summarise(group["words"])} for row, group in _groups(originals, "context")],
        "positions": list(_positions(originals[originals["context"].isin([*NATURALISTIC, POOLED, LITERAL])])),
        "matching": [
            {
                **row,
                "worse": summarise(group["worse"]),
                "mean": summarise(group["mean"]),
                **{f"within_{name}_target": int((group["worse"] <= target).sum()) for name, target in TARGETS.items()},
            }
            for row, group in _groups(frame_of_matches(tables), "compound_class")
        ],
        "relations": list(_relations(items[(items["context"] == CONTEXTS[0]) & items["variant"].isin(WORDS_SYN)])),
        "carrier_edits": _edits(items),
        "synonyms": list(_synonyms(langs, tables.compounds)),
        "genres": list(_genres(originals[originals["context"].isin([POOLED, LITERAL])])),
        "literal": [
            {**row, "compounds": int(group["compound_id"].nunique()), "sentences": len(group)}
            for row, group in _groups(literal, "compound_class")
        ],
    }


def count_words(tokens: Iterable[str]) -> int:
    """Return the number of words: tokens with a letter or a digit.

    >>> count_words(["Don't", "judge", "a", "pé-frio", "by", "1", "game", "."])
    7
    """
    return sum(any(mark.isalnum() for mark in token) for token in tokens)


def part_of_sentence(before: int, after: int, parts: int) -> int:
    """Return the part of the sentence, of so many equal ones, in which a compound begins, from 0.

    >>> [part_of_sentence(before, 6 - before, 3) for before in range(7)]
    [0, 0, 1, 1, 2, 2, 2]
    """
    return min(parts - 1, parts * before // (before + after))  # whole numbers: no 0.333


def frame_of_items(langs: Sequence[str], items: Sequence[Item]) -> pd.DataFrame:
    """Return a row per item; `before` and `after` are the words on either side of its span."""
    columns: dict[str, list[Any]] = {name: [getattr(item, name) for item in items] for name in ITEM_COLUMNS}
    columns |= {
        "context_kind": [LITERAL if item.context == LITERAL else item.context_kind for item in items],
        "words": [count_words(item.tokens) for item in items],
        "before": [count_words(item.tokens[: item.token_span[0]]) for item in items],
        "after": [count_words(item.tokens[item.token_span[1] :]) for item in items],
        "modifier": [item.modifier_relation for item in items],
        "head": [item.head_relation for item in items],
        "genre": [item.genre or "" for item in items],
        "rule": [[edit.rule for edit in item.carrier_edits] for item in items],
    }
    return _frame(langs, columns)


def _frame(langs: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Return *columns* as a table, with those of `ORDERS` and `lang` as ordered categories."""
    frame = pd.DataFrame(columns)
    for name, order in {"lang": langs, **ORDERS}.items():
        if name in frame:
            frame[name] = pd.Categorical(frame[name], categories=list(order), ordered=True)
    return frame


def frame_of_originals(tables: ReleaseTables) -> pd.DataFrame:
    """Return the sentences with the compound itself; those of nat1 to nat3 once more in the context `naturalistic`."""
    frame = frame_of_items(tables.languages, [row for row in (*tables.items, *tables.literal) if row.variant == "orig"])
    pooled = frame[frame["context"].isin(NATURALISTIC)].assign(context=POOLED)
    pooled = pooled.astype({"context": frame["context"].dtype})
    return pd.concat([frame, pooled], ignore_index=True)


def frame_of_matches(tables: ReleaseTables) -> pd.DataFrame:
    """Return the differences of the random compounds by class, and once more in the class `all`."""
    rows = [{"lang": row.lang, "compound_class": row.compound_class, **deltas} for row, deltas in matches(tables.items)]
    rows += [{**row, "compound_class": ALL} for row in rows]
    names = ("lang", "compound_class", "worse", "mean")
    return _frame(tables.languages, {name: [row[name] for row in rows] for name in names})


def _groups(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Row, pd.DataFrame]]:
    """Yield the language and the values of *columns* of each group in their order, and its rows."""
    names = ["lang", *columns]
    for values, group in frame.groupby(names, observed=True):
        yield dict(zip(names, values, strict=True)), group


def _positions(originals: pd.DataFrame) -> Iterator[Row]:
    others = originals["before"] + originals["after"]
    for row, group in _groups(originals[others > 0], "context"):
        before, after = group["before"].astype(int), group["after"].astype(int)
        thirds = [part_of_sentence(*place, 3) for place in zip(before, after, strict=True)]
        yield {
            **row,
            "relative": summarise(before / (before + after)),
            **{name: thirds.count(third) for third, name in enumerate(("first", "middle", "last"))},
            "at_start": int((before == 0).sum()),
            "after_one_word": int((before == 1).sum()),
        }


def _relations(items: pd.DataFrame) -> Iterator[Row]:
    """Yield the relations of each component in each variant; an item has the same in every context."""
    long = items.melt(["lang", "variant", "rank"], list(COMPONENTS), "component", "relation")
    long["component"] = pd.Categorical(long["component"], categories=COMPONENTS, ordered=True)
    for row, group in _groups(long, "component", "variant"):
        counts = group["relation"].value_counts()
        near = {name: int(counts.get(name, 0)) for name in RELATIONS[:-1]}
        unknown = int(group["relation"].isna().sum())
        other = len(group) - sum(near.values()) - unknown
        yield {**row, **near, "other": other, "unknown": unknown, "rank": summarise(group["rank"].dropna())}


def _edits(items: pd.DataFrame) -> list[Row]:
    """Return the edits of each rule and the sentences that have one, the most frequent rule of a language first."""
    edits = items[["id", "lang", "rule"]].explode("rule").dropna(subset=["rule"])
    rows = [{**row, "edits": len(group), "sentences": group["id"].nunique()} for row, group in _groups(edits, "rule")]
    langs = list(items["lang"].cat.categories)
    return sorted(rows, key=lambda row: (langs.index(row["lang"]), -row["edits"], row["rule"]))


def _synonyms(langs: Sequence[str], compounds: Sequence[ReleasedCompound]) -> Iterator[Row]:
    for lang in langs:
        flags = [[synonym.overlap_free for synonym in row.synonyms] for row in compounds if row.lang == lang]
        if flags:
            yield {
                "lang": lang,
                "per_compound": summarise([len(group) for group in flags]),
                "synonyms": sum(map(len, flags)),
                "overlap_free": sum(map(sum, flags)),
                "compounds_with_overlap_free": sum(map(any, flags)),
                "first_overlap_free": sum(group[:1] == [True] for group in flags),
            }


def _genres(originals: pd.DataFrame) -> Iterator[Row]:
    """Yield the sentences of each genre, the most frequent genre of a language first."""
    rows = [
        {**row, **{name: int((group["context"] == name).sum()) for name in (POOLED, LITERAL)}}
        for row, group in _groups(originals, "genre")
    ]
    langs = list(originals["lang"].cat.categories)
    for row in sorted(rows, key=lambda row: (langs.index(row["lang"]), -row[POOLED] - row[LITERAL], row["genre"])):
        yield {**row, "genre": row["genre"] or None}
