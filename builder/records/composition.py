"""Records of the composition of compounds in a pack, and splits of its items in which no word stands twice."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ncimp.schemas import keyed_hash
from ncimp.schemas.records import Day
from ncimp.schemas.suites import CompositionItem, Label, SuiteSplit

COMPONENT_NAMES = ("modifier", "head")  # the words of a compound


@dataclass(frozen=True, slots=True)
class PackComposition:
    """One question about the composition of a compound, with its answer (`pack_composition`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    task: Literal["nc_literality", "nc_relations"]
    """Whether a word of the NC is meant literally, or whether a paraphrase tells how its words are related."""
    text: Annotated[str, "The word, modifier or head; or the paraphrase."]
    label: Annotated[Label, "1 for a word that is meant literally, and for a true paraphrase."]
    author: Annotated[str, "Who wrote the row."]
    date: Annotated[Day, "When it was written or last changed."]


SHARE = 0.1  # of the items, in test and in validation
MOST: Mapping[SuiteSplit, int] = {"test": 2, "validation": 2, "train": 4}  # items of a label for one of the other


def lexical_splits(items: Sequence[CompositionItem]) -> dict[str, SuiteSplit]:
    """Return the split of the *items* of a task, by id: no word and no sentence stands in two splits.

    The rarest words come first, for test and then for validation, until each has a tenth of the items; the others
    are for training. A word whose labels a split has enough of is left to the next one. Where one label still has more
    items than `MOST` allows, the last of them by keyed hash are left out; so are repeated items, and those with both
    labels. There are no splits of fewer than three words.
    """
    labels, first = defaultdict(set), dict[Any, CompositionItem]()
    for item in sorted(items, key=lambda item: item.id):
        content = (item.words, item.span, item.target, item.paraphrase)
        labels[content].add(item.label)
        first.setdefault(content, item)
    of_word: defaultdict[str, list[CompositionItem]] = defaultdict(list)
    for content, item in first.items():
        if item.word is not None and len(labels[content]) == 1:
            of_word[item.word].append(item)
    words = sorted(of_word, key=lambda word: (len(of_word[word]), keyed_hash("lexical split", word)))
    size, splits, texts = SHARE * sum(map(len, of_word.values())), dict[str, SuiteSplit](), set[tuple[str, ...]]()
    for others, (split, most) in zip((2, 1, 0), MOST.items(), strict=True):
        if len(words) <= others:
            return {}
        enough = size * most / (most + 1)  # items of a label
        part = list[CompositionItem]()
        for word in words[: len(words) - others]:
            counts = Counter(item.label for item in part)
            whole, useful = len(balanced(part, most)) >= size, any(counts[row.label] < enough for row in of_word[word])
            if split == "train" or (useful and not whole):
                words.remove(word)
                part += (item for item in of_word[word] if item.words not in texts)
        splits |= {item.id: split for item in balanced(part, most)}
        texts |= {item.words for item in part}
    return splits


def balanced(items: Iterable[CompositionItem], most: int) -> list[CompositionItem]:
    """Return *items* with at most *most* of a label for each one of the other: the first by keyed hash."""
    rows = sorted(items, key=lambda item: keyed_hash("balance", item.id))
    counts = Counter(item.label for item in rows)
    limit = most * min(counts[label] for label in (0, 1))
    return [item for label in (0, 1) for item in [row for row in rows if row.label == label][:limit]]
