"""One error at a time, planted into the tables and packs of the mini world, everything else kept as it has to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import CarrierEdit, Item, LanguagePack, MarkedSentence, Pair, Source, Span
from ncimp.builder.release.write import ReleaseContent, write_release
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.builder.validation.folder import read_content
from ncimp.builder.validation.scope import Tables
from ncimp.schemas.release_folder import ReleaseFolder

LANGS = {"en": "English", "pt": "Portuguese"}
SHARED = sorted(set(Item.__dataclass_fields__) & set(Pair.__dataclass_fields__))
"""Columns that a pair has from its second item."""


@dataclass(frozen=True)
class World:
    """The tables of a release and the packs they were made from."""

    tables: Tables
    packs: Mapping[str, LanguagePack]

    def item(self, item_id: str) -> Item:
        return next(item for item in self.tables.items if item.id == item_id)

    def cell(self, context_id: str) -> list[Item]:
        """The 14 items of a context such as `en/rat-race/nat1`."""
        return [item for item in self.tables.items if f"{item.compound_id}/{item.context}" == context_id]

    def with_items(self, changed: Iterable[Item]) -> World:
        """Put *changed* in the places of the items with their ids; pairs follow."""
        by_id = {item.id: item for item in changed}
        return self.with_table([by_id.get(item.id, item) for item in self.tables.items])

    def with_table(self, items: list[Item]) -> World:
        """Take *items* as the whole table, and the pairs that follow from them."""
        by_id = {item.id: item for item in items}
        pairs = [_follow(pair, by_id) for pair in self.tables.pairs if pair.id in by_id]
        return replace(self, tables=replace(self.tables, items=items, pairs=pairs))

    def with_pack(self, lang: str, **changes: object) -> World:
        pack: LanguagePack = replace(self.packs[lang], **changes)  # type: ignore[arg-type]
        return replace(self, packs={**self.packs, lang: pack})


@dataclass(frozen=True)
class Planted:
    """A world with one error: the places it should be reported at, and codes that cannot but come with it."""

    world: World
    places: tuple[str, ...]
    besides: frozenset[str] = frozenset()


Planter = Callable[[World], Planted]


def read_world(release: Path, packs: Path) -> World:
    tables = read_content(ReleaseFolder(release)).tables
    return World(tables, {lang: read_pack(packs / lang) for lang in LANGS})


def write_world(world: World, target: Path) -> Path:
    """Write the tables of *world* as a release whose manifest fits them."""
    rows = world.tables
    inputs = [Source(name, "frequencies", "", "", "", None, None) for name in zipf_sources(rows)]
    packs = {f"pack/{lang}": f"{name} language pack, version 1." for lang, name in LANGS.items()}
    inputs += [Source(name, "pack", "", "", citation, None, None) for name, citation in packs.items()]
    content = ReleaseContent(rows.items, rows.pairs, rows.compounds, LANGS, "open", inputs, BuildOptions(), 0)
    write_release(target, content)
    return target


def zipf_sources(tables: Tables) -> list[str]:
    return sorted({compound.zipf_source for compound in tables.compounds})


def _follow(pair: Pair, by_id: Mapping[str, Item]) -> Pair:
    item, original = by_id[pair.id], by_id.get(f"{pair.compound_id}/{pair.context}/orig")
    columns = {name: getattr(item, name) for name in SHARED}
    second = replace(pair, sentence2=item.sentence, span2=item.span, **columns)
    return replace(second, sentence1=original.sentence, span1=original.span) if original else second


def settle(world: World, item: Item, sentence: str, span: Span, original: Item | None = None) -> Item:
    """Return *item* with this sentence, and the tokens, token span and carrier edits that follow from it."""
    matches = list(re.finditer(world.packs[item.lang].language.token, sentence))
    inside = [place for place, match in enumerate(matches) if match.start() < span[1] and match.end() > span[0]]
    tokens, token_span = tuple(match[0] for match in matches), (inside[0], inside[-1] + 1)
    base = original or world.item(f"{item.compound_id}/{item.context}/orig")
    after = [*range(token_span[0]), *range(token_span[1] - len(tokens), 0)]
    edits = [
        CarrierEdit(matches[place].start(), base.tokens[place], tokens[place], "planted")
        for place in after
        if base.tokens[place] != tokens[place]
    ]
    return replace(item, sentence=sentence, span=span, tokens=tokens, token_span=token_span, carrier_edits=tuple(edits))


def reword(world: World, item_id: str, old: str, new: str) -> World:
    """Replace the carrier word *old* that is nearest to the span by *new*, and record the edit."""
    item = world.item(item_id)
    sentence, span = _substituted(item.sentence, item.span, old, new)
    return world.with_items([settle(world, item, sentence, span)])


def respan(world: World, item_id: str, text: str, **columns: object) -> World:
    """Put *text* into the span of an item, and *columns* into its columns."""
    item = world.item(item_id)
    start, end = item.span
    sentence = item.sentence[:start] + text + item.sentence[end:]
    changed: Item = replace(item, **columns)  # type: ignore[arg-type]
    return world.with_items([settle(world, changed, sentence, (start, start + len(text)))])


def everywhere(world: World, context_id: str, old: str, new: str) -> World:
    """Replace *old* by *new* in the pack's sentence of a context and in all its 14 items."""
    items = world.cell(context_id)
    original = items[0]
    pack = world.packs[original.lang]
    marked = dict(pack.marked)
    marked[original.compound, original.context] = _remark(marked[original.compound, original.context], old, new)
    changed = world.with_pack(original.lang, marked=marked)
    base = settle(world, original, *_substituted(original.sentence, original.span, old, new), original=original)
    base = replace(base, carrier_edits=())
    rest = [
        settle(changed, item, *_substituted(item.sentence, item.span, old, new), original=base) for item in items[1:]
    ]
    return changed.with_items([base, *rest])


def remarked(world: World, item: Item, sentence: str) -> World:
    """Make *sentence* the pack's sentence of the context of *item*, whose span it keeps, without marks."""
    pack = world.packs[item.lang]
    marked = {**pack.marked, (item.compound, item.context): MarkedSentence(sentence, item.span)}
    return world.with_pack(item.lang, marked=marked)


def _substituted(sentence: str, span: Span, old: str, new: str) -> tuple[str, Span]:
    start = _place(sentence, span, old)
    shift = len(new) - len(old) if start < span[0] else 0
    changed = sentence[:start] + new + sentence[start + len(old) :]
    return changed, (span[0] + shift, span[1] + shift)


def _place(sentence: str, span: Span, old: str) -> int:
    """Where *old*, as a whole word, stands outside the span, nearest to it."""
    outside = [
        match.start()
        for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", sentence)
        if match.end() <= span[0] or match.start() >= span[1]
    ]
    return min(outside, key=lambda start: min(abs(start - span[0]), abs(start - span[1])))


def _remark(marked: MarkedSentence, old: str, new: str) -> MarkedSentence:
    start = _place(marked.text, marked.span, old)

    def move(span: Span) -> Span:
        shift = len(new) - len(old)
        return (span[0] + shift * (span[0] > start), span[1] + shift * (span[1] > start))

    text = marked.text[:start] + new + marked.text[start + len(old) :]
    return MarkedSentence(text, move(marked.span), tuple(map(move, marked.agreeing)), tuple(map(move, marked.fixed)))
