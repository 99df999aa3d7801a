"""Audit of the items of tasks: what can be had without reading a sentence, and which right answers are in doubt."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ncimp.evaluator.suites.lexbench.parsers import LETTERS, parse
from ncimp.evaluator.suites.lexbench.recorded import MUTUAL, RecordedAnswers
from ncimp.evaluator.verdict import ANY_SETTING
from ncimp.schemas.suites import PhraseItem

if TYPE_CHECKING:
    from ncimp.evaluator.suites.lexbench import PhraseTask


CONSTANT = 0.9  # share of the items from which on an option stands at a fixed place
DOUBT = 0.9  # share of all answers that contradict a right answer from which on it is in doubt
ENOUGH = 8  # answers to an item
STOP = re.compile(
    "an?|the|of|to|in|on|at|for|and|or|but|is|are|was|were|be|its?|this|that|s?he|they|we|i|you", re.IGNORECASE
)

Items = Mapping[str, PhraseItem]


def shortcuts(items: Items) -> list[RecordedAnswers]:
    """Return the answers of rules that know nothing of language, to *items* of one task."""
    first = next(iter(items.values()))
    usual = Counter(item.gold[0] for item in items.values()).most_common(1)[0][0]
    rules: dict[str, dict[str, Callable[[PhraseItem], str | None]]] = {
        "choice": {
            **{f"always {letter}": _always(letter) for letter in LETTERS[: len(first.options)]},
            "longest option": lambda item: LETTERS[item.options.index(max(item.options, key=len))],
        },
        "category": {"most frequent label": _always(usual)},
        "extraction": {"first two content words": _first_words},
        "interpretation": {"the phrase itself": lambda item: item.phrase},
        "continuation": {"the phrase itself": lambda item: item.phrase},
        "rating": {"always 3": _always("3")},
    }
    answers = {
        name: {key: text for key, item in items.items() if (text := rule(item))}
        for name, rule in rules[first.kind].items()
    }
    return [RecordedAnswers(name, "", ANY_SETTING, name, items, texts) for name, texts in answers.items()]


def _always(answer: str) -> Callable[[PhraseItem], str | None]:
    return lambda _item: answer


def _first_words(item: PhraseItem) -> str | None:
    """Return the first two words of the sentence that stand together, neither of them a function word."""
    tokens = re.findall(r"[\w'’-]+|[^\w\s]", item.sentence or "")
    pairs = itertools.pairwise(tokens)
    words = (pair for pair in pairs if all(word[0].isalpha() and not STOP.fullmatch(word) for word in pair))
    return next((" ".join(pair) for pair in words), None)


def notes(tasks: Sequence["PhraseTask"], trained: Iterable[str]) -> Iterator[str]:
    """Yield the warnings about the items, in sentences."""
    texts = {_plain(sentence) for sentence in trained}
    for task in tasks:
        items = list(task.items.values())
        helped = {task.name: "oracle" in task.name} | {part.setting: "oracle" in part.setting for part in task.files}
        for name in sorted(name for name, tells in helped.items() if tells):
            yield f"{name}: the question tells the type of the phrase, or shows others of it: an upper bound."
        if "/" not in task.name and items[0].kind == "choice":
            yield from _options(task.name, items)
        if "/" not in task.name and items[0].kind == "extraction":
            yield from _unreachable(task.name, items)
        count = sum(_plain(item.sentence) in texts for item in items if item.sentence) if texts else 0
        if count and "/" not in task.name:
            yield f"{task.name}: {count} of {len(items)} sentences are among those given as training sentences."
        if "/" not in task.name and items[0].kind in ("choice", "category"):
            yield from _doubtful(task)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _options(task: str, items: Sequence[PhraseItem]) -> Iterator[str]:
    """Yield the places of the right option, the options that stand at a fixed place, and those that are never right."""
    size = len(items)
    places = Counter(item.gold[0] for item in items)
    yield f"{task}: " + ", ".join(f"{name} is right in {places[name] / size:.0%}" for name in sorted(places)) + "."
    for place, letter in enumerate(LETTERS[: len(items[0].options)]):
        text, count = Counter(item.options[place] for item in items if len(item.options) > place).most_common(1)[0]
        if count >= CONSTANT * size:
            yield f"{task}: option {letter} reads {text!r} in {count} of {size} items: the order is fixed."
    common = {text for text, count in Counter(text for item in items for text in item.options).items() if count == size}
    right = {item.options[LETTERS.index(item.gold[0])] for item in items}
    if never := sorted(common - right):
        yield f"{task}: {', '.join(map(repr, never))} is an option of every item and never right."


def _unreachable(task: str, items: Sequence[PhraseItem]) -> Iterator[str]:
    """Yield the number of phrases that do not stand in their sentence, and of those with a stop."""
    absent = sum(item.phrase.casefold() not in str(item.sentence).casefold() for item in items)
    if absent:
        yield f"{task}: {absent} of {len(items)} right answers are not a part of their sentence, letter by letter."
    if stops := sum("." in item.phrase for item in items):
        yield f"{task}: {stops} right answers hold a full stop, which the published code deletes from answers."


def _doubtful(task: "PhraseTask") -> Iterator[str]:
    """Yield the items whose right answer nearly all answers contradict with another one."""
    replies: defaultdict[str, Counter[str | None]] = defaultdict(Counter)
    for part in (part for part in task.files if not part.setting.endswith(MUTUAL)):  # an answer counts once
        for key, answer in part.answers.items():
            item = task.items[key]
            replies[key][parse(item.kind, answer, item.options).text] += 1
    doubtful = []
    for key, counts in sorted(replies.items()):
        item = task.items[key]
        if counts.total() >= ENOUGH and counts.total() - counts[item.gold[0]] >= DOUBT * counts.total():
            doubtful.append(f"{item.phrase} ({item.gold[0]}, said {counts.most_common(1)[0][0]})")
    if doubtful:
        yield f"{task.name}: nearly all answers contradict {len(doubtful)} right answers: {', '.join(doubtful)}."
