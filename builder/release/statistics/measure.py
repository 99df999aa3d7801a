"""The statistics of a release, from its tables: counts, and summaries in words, shares and log10 frequency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ncimp.builder.records import (
    CLASSES,
    CONTEXTS,
    LITERAL,
    NATURALISTIC,
    VARIANTS,
    WORDS_SYN,
    Item,
    ReleasedCompound,
)
from ncimp.builder.release.layout import SPLITS
from ncimp.builder.release.statistics.rows import (
    CompoundRow,
    EditRow,
    GenreRow,
    LengthRow,
    LiteralRow,
    MatchRow,
    PositionRow,
    RelationRow,
    SentenceRow,
    Statistics,
    SynonymRow,
)
from ncimp.builder.release.statistics.values import Match, count_words, matches, position_of, summarise
from ncimp.builder.release.tables import ReleaseTables

ALL = "all"
"""In a row: of every class."""

POOLED = "naturalistic"
"""In a row: of the three naturalistic contexts together."""

COMPONENTS = ("modifier", "head")
RELATIONS = ("synonym", "similar", "hypernym", "other")

TARGETS = {"median": 0.10, "p90": 0.25}
"""What the design asks of the worse difference in log10 frequency: its median and 90th percentile are at most these."""


def measure(tables: ReleaseTables) -> Statistics:
    """Return the statistics of the release *tables*, languages in the order of its manifest."""
    langs = tables.languages
    originals = original_items(tables)
    return Statistics(
        release=tables.release,
        edition=tables.edition,
        logical_sha256=tables.logical_sha256,
        languages=langs,
        compounds=tuple(_compounds(langs, tables.compounds)),
        sentences=tuple(_sentences(langs, [*tables.items, *tables.literal])),
        lengths=tuple(_lengths(langs, originals)),
        positions=tuple(_positions(langs, originals)),
        matching=tuple(_matching(langs, matches(tables.items))),
        relations=tuple(_relations(langs, tables.items)),
        carrier_edits=tuple(_edits(langs, tables.items)),
        synonyms=tuple(_synonyms(langs, tables.compounds)),
        genres=tuple(_genres(langs, originals)),
        literal=tuple(_literal(langs, tables.literal)),
    )


def original_items(tables: ReleaseTables) -> list[Item]:
    """Return the sentences with the compound itself, those of literal contexts last."""
    return [item for item in (*tables.items, *tables.literal) if item.variant == "orig"]


def in_context(items: Sequence[Item], lang: str, context: str) -> list[Item]:
    """Return the *items* of a language in *context*, which may be `naturalistic` for nat1 to nat3."""
    names = NATURALISTIC if context == POOLED else (context,)
    return [item for item in items if item.lang == lang and item.context in names]


def _compounds(langs: Sequence[str], compounds: Sequence[ReleasedCompound]) -> Iterator[CompoundRow]:
    cells = Counter((row.lang, row.compound_class, row.split, row.pattern) for row in compounds)
    places = {name: place for known in (langs, CLASSES, SPLITS) for place, name in enumerate(known)}
    for cell in sorted(cells, key=lambda cell: ([places[name] for name in cell[:3]], cell[3])):
        yield CompoundRow(*cell, compounds=cells[cell])


def _sentences(langs: Sequence[str], items: Sequence[Item]) -> Iterator[SentenceRow]:
    cells = Counter((item.lang, item.probe, item.variant, _kind(item)) for item in items)
    order = (*VARIANTS, "naturalistic", "neutral", LITERAL)
    for cell in sorted(cells, key=lambda cell: (langs.index(cell[0]), order.index(cell[2]), order.index(cell[3]))):
        yield SentenceRow(*cell, sentences=cells[cell])


def _kind(item: Item) -> str:
    return LITERAL if item.context == LITERAL else item.context_kind


def _lengths(langs: Sequence[str], originals: Sequence[Item]) -> Iterator[LengthRow]:
    for lang in langs:
        for context in (*CONTEXTS, POOLED, LITERAL):
            words = summarise([count_words(item.tokens) for item in in_context(originals, lang, context)])
            if words:
                yield LengthRow(lang, context, words)


def _positions(langs: Sequence[str], originals: Sequence[Item]) -> Iterator[PositionRow]:
    for lang in langs:
        for context in (*NATURALISTIC, POOLED, LITERAL):
            places = [place for item in in_context(originals, lang, context) if (place := position_of(item))]
            relative = summarise([place.relative for place in places])
            if relative:
                thirds = Counter(place.part(3) for place in places)
                yield PositionRow(
                    lang,
                    context,
                    relative,
                    first=thirds[0],
                    middle=thirds[1],
                    last=thirds[2],
                    at_start=sum(place.before == 0 for place in places),
                    after_one_word=sum(place.before == 1 for place in places),
                )


def _matching(langs: Sequence[str], drawn: Sequence[Match]) -> Iterator[MatchRow]:
    for lang in langs:
        for name in (*CLASSES, ALL):
            own = [match for match in drawn if match.lang == lang and name in (match.compound_class, ALL)]
            worse, mean = summarise([match.worse for match in own]), summarise([match.mean for match in own])
            if worse and mean:
                within = {figure: sum(match.worse <= target for match in own) for figure, target in TARGETS.items()}
                yield MatchRow(lang, name, worse, mean, within["median"], within["p90"])


def _relations(langs: Sequence[str], items: Sequence[Item]) -> Iterator[RelationRow]:
    """Yield the relations of each component in each variant; an item has the same in every context."""
    for lang in langs:
        first = in_context(items, lang, CONTEXTS[0])
        for component in COMPONENTS:
            for variant in WORDS_SYN:
                own = [item for item in first if item.variant == variant]
                found = Counter(getattr(item, f"{component}_relation") for item in own)
                if own:
                    near = (found["synonym"], found["similar"], found["hypernym"])
                    other = len(own) - sum(near) - found[None]
                    ranks = [item.rank for item in own if item.rank is not None]
                    yield RelationRow(lang, component, variant, *near, other, found[None], rank=summarise(ranks))


def _edits(langs: Sequence[str], items: Sequence[Item]) -> Iterator[EditRow]:
    for lang in langs:
        rules = [[edit.rule for edit in item.carrier_edits] for item in items if item.lang == lang]
        edits = Counter(rule for found in rules for rule in found)
        sentences = Counter(rule for found in rules for rule in set(found))
        for rule in sorted(edits, key=lambda rule: (-edits[rule], rule)):
            yield EditRow(lang, rule, edits[rule], sentences[rule])


def _synonyms(langs: Sequence[str], compounds: Sequence[ReleasedCompound]) -> Iterator[SynonymRow]:
    for lang in langs:
        own = [[synonym.overlap_free for synonym in row.synonyms] for row in compounds if row.lang == lang]
        per_compound = summarise([len(found) for found in own])
        if per_compound:
            yield SynonymRow(
                lang,
                per_compound,
                synonyms=sum(map(len, own)),
                overlap_free=sum(map(sum, own)),
                compounds_with_overlap_free=sum(map(any, own)),
                first_overlap_free=sum(found[:1] == [True] for found in own),
            )


def _genres(langs: Sequence[str], originals: Sequence[Item]) -> Iterator[GenreRow]:
    for lang in langs:
        counts = {
            context: Counter(item.genre for item in in_context(originals, lang, context))
            for context in (POOLED, LITERAL)
        }
        total = counts[POOLED] + counts[LITERAL]
        for genre in sorted(total, key=lambda genre: (-total[genre], genre or "")):
            yield GenreRow(lang, genre, counts[POOLED][genre], counts[LITERAL][genre])


def _literal(langs: Sequence[str], literal: Sequence[Item]) -> Iterator[LiteralRow]:
    for lang in langs:
        for name in CLASSES:
            own = [item for item in literal if (item.lang, item.compound_class) == (lang, name)]
            if own:
                yield LiteralRow(lang, name, len({item.compound_id for item in own}), len(own))
