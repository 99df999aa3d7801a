"""Readings: what readers said of sentences, and whether the sentences are still those that they read."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records.release import Item
from ncimp.builder.records.words import ATTESTED, LITERAL, RANDOMS, WORDS_SYN
from ncimp.schemas.records import Day, matching, one_of

FAMILIES = ("orig", "syn", "ws", "rand", "head", "mod", "literal")
OPEN_SEVERITY = 2  # from which on a fault has to be mended before a release
BLIND = "blind"  # what the name of a reading of a blind sample begins with


@dataclass(frozen=True, slots=True)
class ReaderVerdict:
    """What one reader said of one sentence, or of one family of a compound (`reading`)."""

    reading: Annotated[str, "Name of the reading; that of a blind sample begins with `blind`."]
    item: Annotated[str, "Id of the item, or of the compound whose family was judged as a whole."]
    family: Annotated[str, one_of(FAMILIES), "Family of variants; `literal` for every item in a literal context."]
    reader: Annotated[Literal["language model", "person"], "Who read it."]
    verdict: Annotated[Literal["ok", "fault"], "Whether it is what it has to be."]
    severity: Annotated[int, Meta(ge=0, le=3)]
    """0 for ok, 1 for a blemish, 2 for what must be mended before a release, 3 for what breaks the purpose."""
    reason: Literal["CONTEXT", "GRAMMAR", "SYN", "WS", "RAND", "PROBE", "AGREEMENT"] | None
    """Kind of fault; empty for ok."""
    text: Annotated[str, matching("[0-9a-f]{12}")] | None
    """First 12 hex digits of the sha256 of what was read; empty only until `ncimp pack readings` fills it in."""
    note: Annotated[str | None, "What is wrong, in a few words."]
    date: Annotated[Day, "When it was read."]


def family_of(item: Item) -> str:
    """Return the family of variants that *item* belongs to."""
    if item.context == LITERAL:
        return LITERAL
    return "ws" if item.variant in WORDS_SYN else "rand" if item.variant in RANDOMS else item.variant


def texts_to_read(items: Iterable[Item]) -> dict[tuple[str, str], str]:
    """Return the hash of each sentence, and of all sentences of a family of a compound, by (id, family)."""
    sentences: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item in (item for item in items if item.context not in ATTESTED):
        for place in (item.id, item.compound_id):
            sentences[place, family_of(item)].append(item.sentence)
    joined = {key: "\n".join(sorted(texts)).encode() for key, texts in sentences.items()}
    return {key: hashlib.sha256(text).hexdigest()[:12] for key, text in joined.items()}


def settled(readings: Iterable[ReaderVerdict]) -> Mapping[tuple[str, str, str | None], ReaderVerdict]:
    """Return the verdict that decides on each (id, family, text): the last, so that a third reading settles two."""
    return {(row.item, row.family, row.text): row for row in readings}
