"""The statistics of a release: counts, and summaries in words, shares and log10 frequency; and their page of tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TextIO

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table

from ncimp.builder import records
from ncimp.builder.records import CLASSES, COMPONENT_NAMES, CONTEXTS, LITERAL, NATURALISTIC, WORDS_SYN, Item
from ncimp.builder.release.contents import QUANTILES, SPLITS, matches, summarise
from ncimp.builder.release.tables import ReleaseTables

ALL = "all"  # in a row: of every class
POOLED = "naturalistic"  # in a row: of the three naturalistic contexts together
KINDS = ("naturalistic", "neutral", LITERAL)  # in the order of the page
RELATIONS = ("synonym", "similar", "hypernym", "other")
TARGETS = {"median": 0.10, "p90": 0.25}
"""Aims of the design for the worse difference in log10 frequency: its median and 90th percentile are at most these."""
COMPOUND_COLUMNS = ("lang", "compound_class", "split", "pattern")
ITEM_COLUMNS = ("id", "lang", "compound_id", "compound_class", "context", "probe", "variant", "rank")
WIDTH = 160  # columns of text when the output is not a terminal: enough for one line a row
SHOWN_RULES = 8  # rules of carrier edits on the page; the others are counted together, and `--json` has them all
NONE = "–"  # the cell of a figure that is not there

Row = dict[str, Any]
Statistics = dict[str, Any]  # the figures of `ncimp describe --json`: lists of rows, one row per language and category
Cells = Counter[tuple[str, ...]]

ORDERS: dict[str, Sequence[str]] = {
    "compound_class": (*CLASSES, ALL),
    "split": SPLITS,
    "variant": records.VARIANTS,
    "context": (*CONTEXTS, POOLED, LITERAL),
    "context_kind": KINDS,
    "component": COMPONENT_NAMES,
}
"""The order of the values of each column by which rows are grouped."""


def measure(tables: ReleaseTables) -> Statistics:
    """Return the statistics of the release *tables*, languages in the order of its manifest."""
    langs = tables.languages
    items, originals = frame_of_items(langs, tables.items), frame_of_originals(tables)
    literal = frame_of_items(langs, tables.literal)
    compounds = _frame(langs, {name: [getattr(row, name) for row in tables.compounds] for name in COMPOUND_COLUMNS})
    return {
        "release": tables.release,
        "edition": tables.edition,
        "logical_sha256": tables.logical_sha256,
        "languages": list(langs),
        "compounds": [{**row, "compounds": len(group)} for row, group in _groups(compounds, *COMPOUND_COLUMNS[1:])],
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
        "attested": sum(row.variant == "orig" for row in tables.attested),
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
    pooled = frame[frame["context"].isin(NATURALISTIC)].assign(context=POOLED).astype(frame.dtypes)
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
    long = items.melt(["lang", "variant", "rank"], list(COMPONENT_NAMES), "component", "relation")
    long["component"] = pd.Categorical(long["component"], categories=COMPONENT_NAMES, ordered=True)
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


def _synonyms(langs: Sequence[str], compounds: Sequence[records.ReleasedCompound]) -> Iterator[Row]:
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


@dataclass(frozen=True, slots=True)
class PageBlock:
    """One table of the page: the first *words* columns hold words, the others figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 2


def print_page(statistics: Statistics, stream: TextIO) -> None:
    """Print the page to *stream*: ruled tables on a terminal, Markdown tables elsewhere."""
    terminal = stream.isatty()
    console = Console(file=stream, width=None if terminal else WIDTH, highlight=False, emoji=False)
    console.print(heading(statistics), markup=False, soft_wrap=True)
    for block in blocks(statistics):
        if block.rows:
            console.print()
            console.print(block.title, style="bold", markup=False, soft_wrap=True)
            table = Table(box=box.SIMPLE_HEAD if terminal else box.MARKDOWN)
            for place, name in enumerate(block.head):
                table.add_column(name, justify="left" if place < block.words else "right", overflow="fold")
            for row in block.rows:
                table.add_row(*row)
            console.print(table)


def heading(statistics: Statistics) -> str:
    """Return the first line of the page: the release and its size."""
    sizes = _cells(statistics["sentences"], ["context_kind"], "sentences")
    compounds = sum(row["compounds"] for row in statistics["compounds"])
    literal, attested, grid = sizes[LITERAL,], statistics["attested"], sizes.total() - sizes[LITERAL,]
    return (
        f"ncimp {statistics['release']}, {statistics['edition']} edition (data {statistics['logical_sha256'][:12]}): "
        f"{compounds:,} compounds, {grid:,} sentences, {literal:,} more literal ones, {attested:,} found"
    )


def blocks(statistics: Statistics) -> Iterator[PageBlock]:
    """Yield the tables of the page in their order."""
    yield from _composition(statistics)
    yield from _sentences(statistics)
    yield _matching(statistics)
    yield from _synonym_blocks(statistics)
    yield _edit_block(statistics)
    yield from _genre_blocks(statistics)


def _cells(rows: Sequence[Row], names: Sequence[str], value: str, summed: Sequence[str] = ()) -> Cells:
    """Return the sums of *value* by the columns *names*; those that are *summed* also have the key `all`."""
    cells: Cells = Counter()
    for row in rows:
        for key in product(*((row[name], ALL) if name in summed else (row[name],) for name in names)):
            cells[key] += row[value]
    return cells


def _composition(statistics: Statistics) -> Iterator[PageBlock]:
    compounds, langs = statistics["compounds"], statistics["languages"]
    splits = [*(split for split in SPLITS if any(row["split"] == split for row in compounds)), ALL]
    summed = ["compound_class", "split"]
    cells = _cells(compounds, ["lang", *summed], "compounds", summed)
    rows = [
        [lang, _words(name), *(_share(cells[lang, name, split], cells[lang, ALL, split]) for split in splits)]
        for lang in langs
        for name in (*CLASSES, ALL)
    ]
    yield PageBlock("Compounds by class and split (number; share of the split)", ["lang", "class", *splits], rows)
    cells = _cells(compounds, ["lang", "pattern", "compound_class"], "compounds", summed)
    keys = {(row["lang"], row["pattern"]) for row in compounds}
    order = sorted(keys, key=lambda key: (langs.index(key[0]), -cells[*key, ALL], key[1]))
    rows = [[*key, *(f"{cells[*key, name]:,}" for name in (*CLASSES, ALL))] for key in order]
    yield PageBlock("Compounds by pattern (number)", ["lang", "pattern", *map(_words, CLASSES), ALL], rows)
    columns = list(product(langs, KINDS))
    cells = _cells(statistics["sentences"], ["probe", "lang", "context_kind"], "sentences", ["probe"])
    rows = []
    for probe in (*dict.fromkeys(records.PROBES.values()), ALL):
        names = [name for name in records.PROBES if records.PROBES[name] == probe]
        variants = f"{names[0]} to {names[-1]}" if len(names) > 2 else " ".join(names)
        rows.append([probe, variants, *(f"{cells[probe, *column]:,}" for column in columns)])
    head = ["probe", "variants", *(" ".join(column) for column in columns)]
    yield PageBlock("Sentences by kind of variant and of context (number)", head, rows)


def _sentences(statistics: Statistics) -> Iterator[PageBlock]:
    rows = []
    for row in statistics["lengths"]:
        figures = [_decimal(row["words"][name], 1) for name in ("mean", "sd", *QUANTILES)]
        rows.append([row["lang"], row["context"], f"{row['words']['n']:,}", *figures])
    head = ["lang", "context", "n", "mean", "sd", "min", "p10", "p25", "median", "p75", "p90", "max"]
    yield PageBlock("Length of the original sentences (words)", head, rows)
    rows = []
    for row in statistics["positions"]:
        where = row["relative"]
        counts = [row[name] for name in ("first", "middle", "last", "at_start", "after_one_word")]
        figures = [f"{where['n']:,}", *(_decimal(where[name], 2) for name in ("mean", "sd", "median"))]
        rows.append([row["lang"], row["context"], *figures, *(_share(count, where["n"]) for count in counts)])
    title = "Position of the compound (share of the sentence's other words before it; sentences by third)"
    thirds = ["first third", "middle third", "last third", "no word before", "one word before"]
    yield PageBlock(title, ["lang", "context", "n", "mean", "sd", "median", *thirds], rows)


def _matching(statistics: Statistics) -> PageBlock:
    rows = []
    for row in statistics["matching"]:
        total = row["worse"]["n"]
        within = [_share(row[f"within_{name}_target"], total) for name in TARGETS]
        worse, mean = (
            [_decimal(row[part][name], 3) for name in ("median", "p90", "maximum")] for part in ("worse", "mean")
        )
        rows.append([row["lang"], _words(row["compound_class"]), f"{total:,}", *worse, *within, *mean])
    title = "Frequency match of the random compounds (|difference of log10 frequency|: worse component, mean of both)"
    limits = [f"<= {target:.2f}" for target in TARGETS.values()]
    head = ["lang", "class", "n", "worse: median", "p90", "max", *limits, "mean: median", "p90", "max"]
    return PageBlock(title, head, rows)


def _synonym_blocks(statistics: Statistics) -> Iterator[PageBlock]:
    rows = []
    names = (*RELATIONS, "unknown")
    for lang, component in product(statistics["languages"], COMPONENT_NAMES):
        group = [row for row in statistics["relations"] if (row["lang"], row["component"]) == (lang, component)]
        counts = [sum(row[name] for row in group) for name in names]
        highest = max((f"{row['rank']['maximum']:g}" for row in group if row["rank"]), key=float, default=NONE)
        if group:
            rows.append([lang, component, *(_share(count, sum(counts)) for count in counts), highest])
    title = "Component synonyms by relation to their component (number; share), ws1 to ws5"
    yield PageBlock(title, ["lang", "component", *names, "highest rank"], rows)
    rows = []
    for row in statistics["synonyms"]:
        each, total = row["per_compound"], row["synonyms"]
        spread = [_decimal(each["mean"], 2), f"{each['minimum']:g}", f"{each['maximum']:g}"]
        counts = [_share(row[name], each["n"]) for name in ("compounds_with_overlap_free", "first_overlap_free")]
        rows.append([row["lang"], f"{total:,}", *spread, _share(row["overlap_free"], total), *counts])
    title = "True synonyms (number); overlap-free: no lemma of the compound in it"
    overlap = ["overlap-free", "compounds with one", "whose first is one"]
    yield PageBlock(title, ["lang", "synonyms", "per compound", "min", "max", *overlap], rows, words=1)


def _edit_block(statistics: Statistics) -> PageBlock:
    sentences = _cells(
        [row for row in statistics["sentences"] if row["context_kind"] != LITERAL], ["lang"], "sentences"
    )
    rows = []
    for lang in statistics["languages"]:
        group = [row for row in statistics["carrier_edits"] if row["lang"] == lang]
        shown, rest = group[:SHOWN_RULES], group[SHOWN_RULES:]
        rows += [[lang, row["rule"], f"{row['edits']:,}", _share(row["sentences"], sentences[lang,])] for row in shown]
        if rest:
            rows.append([lang, f"{len(rest)} other rules", f"{sum(row['edits'] for row in rest):,}", NONE])
    title = "Carrier edits by rule (edits; sentences of the grid that have one)"
    return PageBlock(title, ["lang", "rule", "edits", "sentences"], rows)


def _genre_blocks(statistics: Statistics) -> Iterator[PageBlock]:
    columns = list(product(statistics["languages"], ("naturalistic", LITERAL)))
    cells = {kind: _cells(statistics["genres"], ["genre", "lang"], kind) for _, kind in columns}
    totals = {kind: _cells(statistics["genres"], ["lang"], kind) for kind in cells}
    rows = [
        [genre or NONE, *(_share(cells[kind][genre, lang], totals[kind][lang,]) for lang, kind in columns)]
        for genre in dict.fromkeys(row["genre"] for row in statistics["genres"])
    ]
    head = ["genre", *(" ".join(column) for column in columns)]
    yield PageBlock("Genres of the written contexts (number; share)", head, rows, words=1)
    names = ("lang", "compound_class", "compounds", "sentences")
    rows = [[_words(row[name]) for name in names] for row in statistics["literal"]]
    yield PageBlock("Literal contexts (number)", ["lang", "class", "compounds", "sentences"], rows)


def _decimal(value: float | None, decimals: int) -> str:
    return NONE if value is None else f"{value:.{decimals}f}"


def _share(count: int, total: int) -> str:
    """Return *count* with its share of *total* in percent, such as `1 (33.3 %)`."""
    return f"{count:,} ({100 * count / total:.1f} %)" if total else NONE


def _words(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value.replace("_", " ")
