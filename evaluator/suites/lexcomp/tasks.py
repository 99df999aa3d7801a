"""Items of composition as questions with passages of words, and the answers of shortcuts that see no vector.

A label is answered from the ends of the phrase, of the word that is asked about, and of the paraphrase, which is a
passage of its own. Tags are answered for every word: 0 is O, 1 is I, and from 2 on a phrase of each type begins.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ncimp.evaluator.records import Metric
from ncimp.schemas.suites import CompositionItem, CompositionTask

Words = tuple[str, ...]
Code = int  # a label, or the number of a tag
Rule = Callable[[CompositionItem], list[Code]]  # the answers to an item: one, or one a word

OUTSIDE, INSIDE, BEGINS = 0, 1, 2
BLANK = "something"  # stands for each word of a phrase that is left out
PHRASE, CONTEXT = "-phrase", "-context"  # parts of an item that a probe is not given
IMPLICIT: tuple[CompositionTask, ...] = ("nc_relations", "an_attributes")  # the tasks that are asked without a part
TAGS: CompositionTask = "phrase_type"


class ProbeQuestion(NamedTuple):
    """An item as a probe sees it; without points it is asked about every word."""

    item: CompositionItem
    passages: tuple[Words, ...]
    points: tuple[tuple[int, int], ...]  # passage and word
    gold: tuple[Code, ...]

    @property
    def group(self) -> str:
        """What resamples draw, and what early stopping holds out: the phrase, or the sentence where there are tags."""
        return self.item.id if self.item.phrase is None else f"{self.item.lang}/{self.item.phrase.replace(' ', '-')}"

    @property
    def ids(self) -> list[str]:
        """The name of each answer."""
        if self.points:
            return [self.item.id]
        return [f"{self.item.id}/{place}" for place in range(len(self.gold))]


class TagCodes:
    """The numbers of tags."""

    def __init__(self, items: Iterable[CompositionItem]) -> None:
        begins = {tag for item in items for tag in item.tags or () if tag not in ("O", "I")}
        self.tags = ("O", "I", *sorted(begins))
        self._codes = {tag: code for code, tag in enumerate(self.tags)}

    def gold(self, item: CompositionItem) -> tuple[Code, ...]:
        """Return the right answers to *item*."""
        return (item.label or 0,) if item.tags is None else tuple(self._codes[tag] for tag in item.tags)


def question(item: CompositionItem, gold: tuple[Code, ...], without: str = "") -> ProbeQuestion:
    """Return *item* as a question, *without* its phrase, or the rest of its sentence, or both.

    Each word of a phrase that is left out becomes a blank.
    """
    words, span, target = item.words, item.span, item.target
    if span is None:
        return ProbeQuestion(item, (words,), (), gold)
    start, end = span
    if PHRASE in without:
        words = (*words[:start], *[BLANK] * (end - start), *words[end:])
    before = start if CONTEXT in without else 0
    words = words[start:end] if CONTEXT in without else words
    points = [(0, start - before), (0, end - 1 - before)]
    points += [] if target is None else [(0, target - before)]
    if item.paraphrase is None:
        return ProbeQuestion(item, (words,), tuple(points), gold)
    further = tuple(item.paraphrase.split())
    return ProbeQuestion(item, (words, further), (*points, (1, 0), (1, len(further) - 1)), gold)


def metric_of(task: CompositionTask) -> Metric:
    """Return the figure of a task."""
    return "span_f1" if task == TAGS else "accuracy"


KEYS: Mapping[str, Callable[[CompositionItem], str]] = {
    "first word": lambda item: re.split("[ -]", str(item.phrase))[0].lower(),
    "last word": lambda item: re.split("[ -]", str(item.phrase))[-1].lower(),
    "word asked about": lambda item: "" if item.target is None else item.words[item.target].lower(),
}


def shortcuts(trained: Sequence[ProbeQuestion]) -> Iterator[tuple[str, Rule]]:
    """Yield name and rule of each shortcut that has learnt its answers from *trained*.

    The most frequent label is that of all items, or of those with the same word. Of labels as frequent, it is the one
    that training has first, or else that of all items. A word that training lacks has that of all items.
    """
    if not trained[0].points:
        yield "majority of each word", tag_rule(trained)
        return
    labels = [(one.item, one.gold[0]) for one in trained]
    usual = Counter(label for _, label in labels).most_common(1)[0][0]
    yield "majority", lambda _item: [usual]
    for name, key in KEYS.items():
        of_word: defaultdict[str, Counter[Code]] = defaultdict(Counter)
        for item, label in labels:
            of_word[key(item)][label] += 1
        if "" in of_word:
            continue
        first = {word: counts.most_common(1)[0][0] for word, counts in of_word.items()}
        tied = {word for word, counts in of_word.items() if len(counts) > 1 and len(set(counts.values())) == 1}
        for ties, table in (
            ("the first in training", first),
            ("the majority", {word: label for word, label in first.items() if word not in tied}),
        ):
            yield f"majority by {name}, ties to {ties}", _by_word(key, table, usual)


def _by_word(key: Callable[[CompositionItem], str], table: Mapping[str, Code], usual: Code) -> Rule:
    return lambda item: [table.get(key(item), usual)]


def tag_rule(trained: Iterable[ProbeQuestion]) -> Rule:
    """Return the rule that gives each word its most frequent tag, the first in training of several, and O otherwise.

    An I that no phrase comes before is an O.
    """
    counts: defaultdict[str, Counter[Code]] = defaultdict(Counter)
    for one in trained:
        for word, code in zip(one.item.words, one.gold, strict=True):
            counts[word.lower()][code] += 1
    usual = {word: tags.most_common(1)[0][0] for word, tags in counts.items()}

    def rule(item: CompositionItem) -> list[Code]:
        codes: list[Code] = []
        for word in item.words:
            code = usual.get(word.lower(), OUTSIDE)
            lone = code == INSIDE and (not codes or codes[-1] == OUTSIDE)
            codes.append(OUTSIDE if lone else code)
        return codes

    return rule
