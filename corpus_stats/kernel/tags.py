"""From tags to the classes of parts of speech that patterns are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Words, compiled
from ncimp.corpus_stats.kernel.vocabulary import Vocabulary, add, find, hash_word, load

_BITS = 12
_SHIFT, _ONE, _SHORT = np.uint64(64 - _BITS), np.uint64(1), 8
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class ShortTags(NamedTuple):
    """Classes of tags of at most eight bytes, by those bytes: the tags of most tokens, without a search.

    Of two tags that fall on one place, the one seen last stands there.
    """

    tags: Words
    classes: Bytes


def no_tags() -> ShortTags:
    """Return an empty table."""
    return ShortTags(np.zeros(1 << _BITS, np.uint64), np.zeros(1 << _BITS, np.uint8))


@compiled
def tag_classes(
    short: ShortTags,
    known: Vocabulary,
    classes: Bytes,
    data: Bytes,
    eights: Words,
    at: Ints,
    sizes: Ints,
    found: Bytes,
) -> None:
    """Write the class of each unit's tag to *found*, 0 where it has none; *classes* are those of the tags *known*.

    A new tag is added to those known and its class is not right yet: its unit has to be asked for again.
    """
    for unit in range(np.uint64(len(found))):
        size = sizes[unit]
        tag, _ = load(eights, at[unit], size)
        place = (tag * _SPREAD) >> _SHIFT
        found[unit] = short.classes[place] if size else np.uint8(0)
        if size and (short.tags[place] != tag or size > _SHORT):
            hashed = hash_word(eights, at[unit], size)
            number, slot = find(known.slots, known.starts, known.eights, eights, at[unit], size, hashed, _ONE)
            if number < 0:
                add(known, slot, data, eights, at[unit], size, _ONE)
            elif number < len(classes):
                found[unit] = classes[number]
                if size <= _SHORT:
                    short.tags[place], short.classes[place] = tag, classes[number]
