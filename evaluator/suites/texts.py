"""Input of a suite: the tables of a folder, vectors of texts, each made once whatever asks for it, and their words."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.release import Item
from ncimp.evaluator.vectors import VectorSource, WordSource
from ncimp.schemas import EvaluationError, Place, UsageError, keyed_hash, read_text, suites
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import ConsistencyPair, ReleasedSense, SenseExample

WORD = re.compile(r"\w+(?:[-'’]\w+)*")
Record = TypeVar("Record", ReleasedSense, SenseExample, ConsistencyPair, suites.CompositionItem)


class SuiteText(NamedTuple):
    """A text, and the characters of the compound in it: a model that loses these has no vector of the text."""

    text: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True)
class SuiteInput:
    """A folder with the items of a suite, the model that is asked, and the languages and the split to judge."""

    folder: ReleaseFolder
    source: VectorSource
    model: str  # its name
    languages: tuple[str, ...]
    splits: tuple[str, ...]
    judged: tuple[ConsistencyPair, ...] = ()  # further pairs of sentences that people have judged
    reference: VectorSource | None = None  # a model whose similarities are wanted where the folder has none
    limit: int | None = None  # items of a task that a probe is trained on at most
    progress: Callable[[int, int], None] = lambda _done, _total: None  # probes or epochs trained, of all of a task
    select: bool = False  # whether the vectors depend on answers to detection
    tuner: Any = None  # fine-tunes the model (a `Tuner`), where that is asked for

    @cached_property
    def senses(self) -> list[ReleasedSense]:
        """The senses of the compounds."""
        return self._records("senses", ReleasedSense)

    @cached_property
    def examples(self) -> list[SenseExample]:
        """The sentences with a compound in one of its senses."""
        return [row for name in suites.SHOTS.values() for row in self._records(name, SenseExample)]

    @cached_property
    def pairs(self) -> list[ConsistencyPair]:
        """The pairs of sentences with a similarity that is wanted."""
        return [*self._records(suites.CONSISTENCY, ConsistencyPair), *self.judged]

    @cached_property
    def composition(self) -> list[suites.CompositionItem]:
        """The sentences with a phrase to be judged, or with tags."""
        return self._records(suites.COMPOSITION, suites.CompositionItem)

    def _records(self, config: str, kind: type[Record]) -> list[Record]:
        return [row for row in self.folder.records(config, kind) if row.lang in self.languages]

    def vectors(self, passages: Iterable[SuiteText]) -> FloatArray:
        """Return one vector a passage; NaN where the model has none."""
        return text_vectors(self.source, passages)

    def words(self, sentences: Sequence[Sequence[str]]) -> NDArray[Any]:
        """Return the vectors of all words of *sentences*, one after the other, by layer."""
        return word_source(self.source, self.model).words(sentences)


def word_source(source: VectorSource, model: str) -> WordSource:
    """Return *source* where it has vectors of single words, or raise `EvaluationError` that names the *model*."""
    if not isinstance(source, WordSource):
        raise EvaluationError(f"{model} has no vectors of words", fix="give a model, or word vectors")
    return source


def text_vectors(source: VectorSource, passages: Iterable[SuiteText]) -> FloatArray:
    """Return the vector of each of *passages* by *source*; NaN where it has none."""
    return np.asarray(source.sentence([text_item(passage) for passage in passages]), dtype=np.float64)


def text_item(passage: SuiteText) -> Item:
    """Return *passage* as an item of no release."""
    text, span = passage.text, passage.span or (0, len(passage.text))
    tokens = list(WORD.finditer(text))
    inside = [place for place, match in enumerate(tokens) if match.start() < span[1] and match.end() > span[0]]
    token_span = (inside[0], inside[-1] + 1) if inside else (0, len(tokens))
    words = tuple(match[0] for match in tokens)
    return Item("", "", "", "", "", words, token_span, text, span)


ASIDE = 0.1  # of the items of training, to say when it is to end


def held_out(groups: Sequence[str]) -> set[str]:
    """Return the groups of a tenth of items, of which *groups* are the groups; the last group stays for training.

    They are the first by keyed hash, whatever the order of the items.
    """
    sizes = Counter(groups)
    *others, _ = sorted(sizes, key=lambda group: keyed_hash("early stopping", group))
    aside: set[str] = set()
    for group in others:
        if sum(sizes[name] for name in aside) >= ASIDE * len(groups):
            break
        aside.add(group)
    return aside


FUNCTION_WORDS: Mapping[str, re.Pattern[str]] = {
    lang: re.compile(words)
    for lang, words in {
        "de": "d(?:er|ie|as|en|em|es)|eine?[rnms]?|vo[nm]|zu[rm]?|i[nm]|auf|mit|für|und|oder|als|ist|nicht|sehr|sich",
        "en": "an?|the|of|to|in|on|at|for|from|by|with|and|or|as|that|which|who|is|are|be|it|its|his|her|their|your|not"
        "|very|one|someone|something|somebody",
        "fr": "l[ae]?|les|une?|d[eu]?|des|en|à|aux?|pour|par|avec|sur|dans|et|ou|qu[ie]?|est|pas|très|se|s",
        "gl": "[oa]s?|[cdn]?un(?:ha|s|has)?|d[eoa]s?|n[oa]s?|pol[oa]s?|co[as]s?|en|por|para|con|que|e|ou|se|aos?|ó"
        "|ás?|non|é|moi|alg[uo]\\w*",
        "it": "il?|l[oae]?|gli|un[oa]?|di|in|con|su|(?:d[ae]|ne|su|a)(?:i|l|ll[aeo]?|gli)|da|col|per|e|o|che|a|non"
        "|è|molto|si",
        "pt": "[oa]s?|[dn]?uma?s?|[dn]?uns|d[eoa]s?|n[oa]s?|pel[oa]s?|em|por|para|com|que|e|ou|se|aos?"
        "|à|não|é|muito|alg[ou]\\w*",
    }.items()
}
PLAIN_WORD = re.compile(r"\w+(?:-\w+)*")  # what an apostrophe parts is two
HEAD_LAST = ("de", "en")  # languages whose compounds end in their head; in the others it comes first


def content_words(text: str, lang: str) -> list[str]:
    """Return the words of *text* that are no function words, in lower case.

    >>> content_words("a waste of the money", "en")
    ['waste', 'money']
    """
    function = FUNCTION_WORDS.get(lang, FUNCTION_WORDS["en"])
    return [word for word in PLAIN_WORD.findall(text.casefold()) if not function.fullmatch(word)]


def head_word(text: str, lang: str) -> str | None:
    """Return the head of the phrase *text*: its first or last content word before a function word inside it.

    >>> head_word("a waste of money", "en"), head_word("uma perda de tempo", "pt")
    ('waste', 'perda')
    """
    words = PLAIN_WORD.findall(text.casefold())
    content = content_words(text, lang)
    begins = next((place for place, word in enumerate(words) if word in content), 0)
    phrase = list(itertools.takewhile(lambda word: word in content, words[begins:]))
    return phrase[-1 if lang in HEAD_LAST else 0] if phrase else None


MOST = 5.0  # score of two sentences that mean the same


def judged_pairs(texts: Sequence[str], release: str) -> list[ConsistencyPair]:
    """Return the pairs in the files of *texts*, each `LANG=FILE`, as rows of *release*, for every split.

    A row of a file is a score, 0 to 5, and two sentences, without header:

        4.2,"A man plays.","A man is playing."
    """
    return [pair for text in texts for pair in _judged(*text.partition("=")[::2], release)]


def _judged(lang: str, name: str, release: str) -> Iterator[ConsistencyPair]:
    if not lang or not name:
        raise UsageError(f"{lang!r} names no language and file", fix="write --sts en=pairs.csv")
    unknown = dict.fromkeys(("compound_id", "compound", "span1", "span2", "correct", "reference"))
    for line, row in enumerate(csv.reader(read_text(Path(name)).splitlines()), start=1):
        try:
            score, first, second = float(row[0]), *row[1:]
            if not 0 <= score <= MOST:
                raise ValueError
        except (ValueError, IndexError):
            fix = "write a score of 0 to 5 and two sentences, without header"
            what = f"not a judged pair: {','.join(row)[:60]!r}"
            raise EvaluationError(what, fix=fix, place=Place(name, line)) from None
        for split in get_args(suites.SuiteSplit):
            yield ConsistencyPair(
                id=f"{lang}/sts/{split}-{line}", lang=lang, role="sts", sentence1=first, sentence2=second,
                similarity=score / MOST, split=split, source=name, licence="unknown", release=release, **unknown,
            )  # fmt: skip
