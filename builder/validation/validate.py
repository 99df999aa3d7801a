"""All checks over the tables of a release and over packs, and the waivers of the packs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ncimp.builder.config import Matching
from ncimp.builder.records import Incident, Item, LanguagePack, Pair, ReleasedCompound, Waiver
from ncimp.builder.validation.agreement.agreement import check_agreement
from ncimp.builder.validation.agreement.unmarked import Unmarked
from ncimp.builder.validation.content.carriers import carriers_of
from ncimp.builder.validation.content.contexts import check_contexts
from ncimp.builder.validation.content.decency import check_decency
from ncimp.builder.validation.content.likeness import check_likeness
from ncimp.builder.validation.content.pack import check_pack
from ncimp.builder.validation.lookup import Lookup
from ncimp.builder.validation.table.balance import check_balance
from ncimp.builder.validation.table.consistency import check_consistency
from ncimp.builder.validation.table.grid import check_grid, check_literal, check_pairs, check_randoms
from ncimp.builder.validation.table.sentences import check_sentence

STALE = "W801"
"""Code of a waiver that matches nothing."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a release, or of one language of it."""

    items: Sequence[Item]
    pairs: Sequence[Pair]
    compounds: Sequence[ReleasedCompound]
    literal: Sequence[Item] = ()
    """Items in literal contexts: sentences as the others, outside the grid."""

    def of(self, lang: str) -> Tables:
        """Return the rows of the language *lang*."""
        return Tables(
            [row for row in self.items if row.lang == lang],
            [row for row in self.pairs if row.lang == lang],
            [row for row in self.compounds if row.lang == lang],
            [row for row in self.literal if row.lang == lang],
        )


def validate(tables: Tables, packs: Mapping[str, LanguagePack], match: Matching = "components") -> list[Incident]:
    """Return every incident of *tables*, waived ones marked, in a fixed order; *match* is the release's option."""
    found = [*check_grid(tables.items, tables.compounds), *check_pairs(tables.pairs, tables.items)]
    for lang, pack in packs.items():
        lookup = Lookup.of(pack)
        rows = tables.of(lang)
        found += _check_pack(lookup)
        found += check_balance(rows.compounds, lookup)
        sentences = [*rows.items, *rows.literal]
        found += check_consistency(sentences, rows.compounds, lookup)
        found += check_literal(rows.literal, lookup)
        found += check_randoms(rows.items, lookup, match)
        found += _check_items(sentences, lookup)
        found += check_decency(sentences, lookup)
    waivers = [waiver for pack in packs.values() for waiver in pack.waivers]
    return _sorted(_waive(found, waivers))


def validate_pack(pack: LanguagePack) -> list[Incident]:
    """Return every incident that *pack* has by itself, before anything is made of it; waived ones are marked."""
    found = _waive(_check_pack(Lookup.of(pack)), pack.waivers)
    return _sorted(incident for incident in found if incident.code != STALE)  # what it matches may be in an item


def _check_pack(lookup: Lookup) -> list[Incident]:
    written = carriers_of(lookup)
    return [*check_pack(lookup), *check_likeness(written, lookup), *check_contexts(written, lookup)]


def _sorted(found: Iterable[Incident]) -> list[Incident]:
    return sorted(found, key=lambda row: (row.code, row.place, row.message))


def _check_items(items: Sequence[Item], lookup: Lookup) -> Iterator[Incident]:
    originals = {(item.compound_id, item.context): item for item in items if item.variant == "orig"}
    unmarked = Unmarked(lookup)
    for item in items:
        original = originals.get((item.compound_id, item.context))
        if original is not None:  # C301 reports a missing original
            yield from check_sentence(item, original, lookup)
            told = list(check_agreement(item, original, lookup))
            yield from told
            yield from unmarked.check(item, frozenset(incident.code for incident in told))


def _waive(found: Iterable[Incident], waivers: Sequence[Waiver]) -> Iterator[Incident]:
    accepted = {(waiver.code, waiver.place) for waiver in waivers}
    used = set()
    for incident in found:
        key = (incident.code, incident.place)
        used.add(key)
        yield replace(incident, waived=key in accepted)
    for code, place in sorted(accepted - used):
        yield Incident(STALE, place, f"nothing of code {code} there any more; take the waiver out")
