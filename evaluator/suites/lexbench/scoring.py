"""Scores of an answer: what each rule holds it worth, from 0 to 1, beside the answer as it was understood.

* strict: as it was understood, it is the right one, letter by letter
* caseless: the same, ignoring case
* lenient: the published code says so, of the text as it was recorded
* articles, spacing, order, inflection: caseless, and without articles and possessives; without spaces and signs; in
  another order; in another form

A meaning in words is worth its largest ROUGE-L with a reference, its BLEU, its METEOR by equal words and equal stems,
or by a model its largest BERTScore; a rating how near it is. The same meaning is right by content words, those that
are no function words:

* exact: it has those of a reference, in their order; a continuation begins with all words of the right one
* head: it has the head of a reference
* literal: it has one of a text that takes the idiom literally, and that neither a reference nor the idiom has
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.runtime import require
from ncimp.evaluator.suites.lexbench.parsers import LETTERS, Parse, parse
from ncimp.evaluator.suites.texts import MOST, WORD, content_words, head_word
from ncimp.evaluator.vectors import WordSource
from ncimp.schemas.suites import PhraseItem, Rule

ARTICLES = re.compile("an?|the|my|your|his|her|its|our|their|(?:one|someone|somebody)'s")
SNOWBALL = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}
NO_SYNONYMS = SimpleNamespace(synsets=lambda _word: ())  # stands for WordNet, which nltk would download
MOST_TEXTS = 2000  # that a model is given at a time: it keeps all layers of them
CUES = (" this ", " the ", " it ", " in ", " explanation", " is a noun compound", " refers to")  # after a phrase


class ScoredAnswer(NamedTuple):
    """An answer as it was understood, and its worth by each rule."""

    parse: Parse
    worth: Mapping[Rule, float]


@cache
def score(item: PhraseItem, answer: str, *, is_step: bool = False) -> ScoredAnswer:
    """Return the worth of *answer* to *item*; the published rule for a step of a task only ignores case."""
    understood = parse(item.kind, answer, item.options)
    if item.kind in ("interpretation", "continuation"):
        text = understood.text or ""
        return ScoredAnswer(understood, {**_overlap(text, item), **_counted(text, item)})
    (gold,) = item.gold
    if item.kind == "rating":
        far = MOST if understood.text is None else abs(float(understood.text) - float(gold))
        return ScoredAnswer(understood, {"nearness": 1 - far / MOST})
    by_words = item.kind == "extraction"
    ignoring = (understood if by_words else parse(item.kind, answer, item.options, ignore_case=True)).text or ""
    rules: dict[Rule, bool] = {
        "strict": understood.text == gold,
        "caseless": ignoring.casefold() == gold.casefold(),
        "lenient": answer.lower() == gold.lower() if is_step else LENIENT[item.kind](answer, gold, item),
    }
    if by_words:
        rules |= {name: rules["caseless"] or (ignoring != "" and same(ignoring, gold)) for name, same in NEAR.items()}
    if item.kind == "choice":
        rules["first_option"] = ignoring == LETTERS[0]
    return ScoredAnswer(understood, {name: float(right) for name, right in rules.items()})


def lenient_choice(answer: str, gold: str, item: PhraseItem) -> bool:
    """Tell whether *answer* is the letter, has it before its first colon, or is the option's text ignoring case."""
    right = item.options[LETTERS.index(gold)]
    return gold in (answer, answer.partition(":")[0]) or answer.lower() == right.lower()


def lenient_extraction(answer: str, gold: str, _item: PhraseItem) -> bool:
    """Tell whether *answer* is the phrase ignoring case, or holds it before or after certain words.

    >>> lenient_extraction("one might spill the beans in it", "spill the beans", None)
    True
    """
    text, phrase = answer.lower(), gold.lower()
    return text == phrase or f" is {phrase}" in text or any(phrase + cue in text for cue in CUES)


def lenient_category(answer: str, gold: str, _item: PhraseItem) -> bool:
    """Tell whether *answer* is the label."""
    return answer == gold


LENIENT: Mapping[str, Callable[[str, str, PhraseItem], bool]] = {
    "choice": lenient_choice,
    "extraction": lenient_extraction,
    "category": lenient_category,
}


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’-]+", text.casefold().replace("’", "'"))


def _same_articles(one: str, other: str) -> bool:
    return _bare(one) == _bare(other)


def _bare(text: str) -> list[str]:
    return [word for word in _words(text) if not ARTICLES.fullmatch(word)]


def _same_spacing(one: str, other: str) -> bool:
    return re.sub(r"[\W_]", "", one.casefold()) == re.sub(r"[\W_]", "", other.casefold())


def _same_order(one: str, other: str) -> bool:
    return sorted(_words(one)) == sorted(_words(other))


def _same_inflection(one: str, other: str) -> bool:
    pairs = (_words(one), _words(other))
    return len(pairs[0]) == len(pairs[1]) and all(_lemmas(a) & _lemmas(b) for a, b in zip(*pairs, strict=True))


@cache
def _lemmas(word: str) -> frozenset[str]:
    return frozenset({word}.union(*require("lemminflect").getAllLemmas(word).values()))


NEAR: Mapping[Rule, Callable[[str, str], bool]] = {
    "articles": _same_articles,
    "spacing": _same_spacing,
    "order": _same_order,
    "inflection": _same_inflection,
}
"""Rules that forgive one thing each."""


def _overlap(answer: str, item: PhraseItem) -> Mapping[Rule, float]:
    """Return ROUGE-L (F), BLEU, and METEOR without synonyms of *answer* with the references of *item*."""
    if not answer:
        return {"rouge_l": 0.0, "bleu": 0.0, "meteor_stems": 0.0}
    rouge = _rouge().score_multi(item.gold, answer)["rougeL"].fmeasure
    bleu = _bleu(item.gold).corpus_score([answer], None).score / 100
    words = [_words(text) for text in (*item.gold, answer)]
    meteor = require("nltk.translate.meteor_score").meteor_score(
        words[:-1], words[-1], stemmer=stemmer(item.lang), wordnet=NO_SYNONYMS
    )
    return {"rouge_l": float(rouge), "bleu": float(bleu), "meteor_stems": float(meteor)}


@cache
def stemmer(lang: str) -> SimpleNamespace:
    """Return the stemmer of *lang* by Snowball, or one that leaves words as they are where Snowball has none."""
    stem = require("nltk.stem.snowball").SnowballStemmer(SNOWBALL[lang]).stem if lang in SNOWBALL else str
    return SimpleNamespace(stem=cache(stem))


def word_vectors(source: WordSource, texts: Sequence[str]) -> dict[str, FloatArray]:
    """Return the vectors of the words of each of *texts*, a row each, in the last layer of *source*.

    A text without a word has none, and *source* is not asked for it.
    """
    vectors = {text: np.empty((0, 1)) for text in texts}
    worded = [text for text in texts if WORD.search(text)]
    for first in range(0, len(worded), MOST_TEXTS):
        part = worded[first : first + MOST_TEXTS]
        words = [WORD.findall(text) for text in part]
        rows = np.asarray(source.words(words), dtype=np.float64)[:, -1]
        vectors |= zip(part, np.split(rows, np.cumsum([len(row) for row in words])[:-1]), strict=True)
    return vectors


def greedy_f1(answer: FloatArray, reference: FloatArray) -> float:
    """Return the F1 of BERTScore (Zhang et al. 2020) of two texts, whose words have a vector a row.

    Each word is worth its largest cosine with a word of the other text; words without a vector are left out. Nothing is
    weighted by frequency, and nothing rescaled.

    >>> round(greedy_f1(np.array([[1.0, 0], [0, 2]]), np.array([[3.0, 0]])), 3)
    0.667
    """
    one, other = (rows[np.linalg.norm(rows, axis=1) > 0] for rows in (answer, reference))
    if not (len(one) and len(other)):
        return 0.0
    cosines = one @ other.T / np.outer(np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1))
    precision, recall = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
    return float(2 * precision * recall / (precision + recall)) if precision + recall > 0 else 0.0


@cache
def _bleu(references: tuple[str, ...]) -> Any:
    """Return BLEU of one sentence with *references*, whose n-grams are counted once for all answers."""
    return require("sacrebleu", extra="suites").BLEU(effective_order=True, references=[[text] for text in references])


@cache
def _rouge() -> Any:
    return require("rouge_score.rouge_scorer", extra="suites").RougeScorer(["rougeL"])


def _counted(answer: str, item: PhraseItem) -> dict[Rule, float]:
    """Return whether *answer* is a reference, has the head of one, and takes the phrase literally."""
    if item.kind == "continuation":
        right = _words(item.gold[0])
        return {"exact": float(_words(answer)[: len(right)] == right)}
    lang, words = item.lang, content_words(answer, item.lang)
    references = [content_words(text, lang) for text in item.gold]
    heads = {head for text in item.gold if (head := head_word(text, lang))}
    worth: dict[Rule, float] = {
        "exact": float(bool(words) and words in references),
        "head": float(_share_form(words, heads, lang)),
    }
    if item.literal:
        meant = {word for row in (*references, content_words(item.phrase, lang)) for word in row}
        wrong = {word for text in item.literal for word in content_words(text, lang)}
        others = [word for word in words if not _share_form([word], meant, lang)]
        worth["literal"] = float(_share_form(others, wrong, lang))
    return worth


def _share_form(words: Iterable[str], others: Iterable[str], lang: str) -> bool:
    """Tell whether any of *words* is one of *others*, in English in any form."""
    forms = _lemmas if lang == "en" else lambda word: frozenset({word})
    of_others = {form for word in others for form in forms(word)}
    return any(not of_others.isdisjoint(forms(word)) for word in words)
