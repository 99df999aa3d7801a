"""K0xx: has the pack what every compound of a release needs, and is it what it says?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ncimp.builder.records import NATURALISTIC, Compound, Context, Incident, TrueSynonym
from ncimp.builder.validation.content.carriers import FIRST_LINE, lemmas_of
from ncimp.builder.validation.lookup import Lookup

MIN_SYNONYMS, MAX_SYNONYMS = 2, 4
"""True synonyms of a compound (docs/adr/0008)."""

EDGE = 4
"""Letters of a component that are heard at the edge of a longer word: *nighthawk* for *night owl*, not *bigwig*."""

STEM = 3
"""Letters that words of one stem share at least: *cruzadinha* for *palavra cruzada*."""

Rows = Mapping[str, Sequence[tuple[int, TrueSynonym]]]


def check_pack(lookup: Lookup) -> Iterator[Incident]:
    """Yield K001 to K006 for every compound of the pack."""
    pack = lookup.pack
    contexts: defaultdict[str, list[Context]] = defaultdict(list)
    for context in pack.contexts:
        contexts[context.compound].append(context)
    synonyms: defaultdict[str, list[tuple[int, TrueSynonym]]] = defaultdict(list)
    for line, row in enumerate(pack.synonyms, start=FIRST_LINE):
        synonyms[row.compound].append((line, row))
    splits = {row.compound for row in pack.splits}
    for compound in pack.compounds:
        place = pack.compound_id(compound.text)
        found = [*_contexts(compound, contexts[compound.text]), *_synonyms(synonyms[compound.text])]
        found += _flags(compound, synonyms[compound.text], lookup)
        if compound.text not in splits:
            code = pack.language.code
            found.append(("K005", f"{place!r} has no split in the pack {code!r}; run `ncimp splits {code}`"))
        yield from (Incident(code, place, message) for code, message in found)


def _contexts(compound: Compound, rows: Sequence[Context]) -> Iterator[tuple[str, str]]:
    written = [row for row in rows if row.context in NATURALISTIC]
    missing = [name for name in NATURALISTIC if name not in {row.context for row in written}]
    if missing:
        yield "K001", f"no {', '.join(missing)}; write it in contexts.tsv"
    if written and compound.countability == "count" and all(row.number == "sg" for row in written):
        yield "K006", "every sentence has the singular; write one of the three in the plural"


def _synonyms(rows: Sequence[tuple[int, TrueSynonym]]) -> Iterator[tuple[str, str]]:
    if not MIN_SYNONYMS <= len(rows) <= MAX_SYNONYMS:
        yield "K002", f"{len(rows)}, where {MIN_SYNONYMS} to {MAX_SYNONYMS} belong into synonyms.tsv"
    if rows and not any(row.overlap_free for _, row in rows):
        yield "K003", "add one to synonyms.tsv that shares no lemma with it"


def _flags(compound: Compound, rows: Sequence[tuple[int, TrueSynonym]], lookup: Lookup) -> Iterator[tuple[str, str]]:
    """K004, in both directions; an author may hear a kinship that spelling shows only in part."""
    components = (compound.modifier, compound.head)
    for line, row in rows:
        words = {*lookup.tokens(row.text), row.head, row.modifier or row.head}
        shared = [part for part in components if _is_shared(part, words, lookup)]
        what = None
        if row.overlap_free and shared:
            what = f"is marked as free of overlap and holds {shared[0]!r}"
        elif not row.overlap_free and not shared and not any(_are_kin(part, words) for part in components):
            what = "is not marked as free of overlap and shares nothing"
        if what is not None:
            yield "K004", f"synonyms.tsv:{line}: {row.text!r} {what}"


def _is_shared(part: str, words: set[str], lookup: Lookup) -> bool:
    lemmas = set().union(*(lemmas_of(word, lookup) for word in words))
    edge = len(part) >= EDGE and any(word.startswith(part) or word.endswith(part) for word in lemmas)
    return edge or bool(lemmas & lemmas_of(part, lookup))


def _are_kin(part: str, words: set[str]) -> bool:
    small = part.lower()
    return any(word.lower()[:STEM] == small[:STEM] or small in word.lower() for word in words)
