"""Scores of an answer: what each rule holds it worth, from 0 to 1, beside the answer as it was understood.

* strict: as it was understood, it is the right one, letter by letter
* caseless: the same, ignoring case
* lenient: the published code says so, of the text as it was recorded
* articles, spacing, order, inflection: caseless, and without articles and possessives; without spaces and signs; in
  another order; in another form

A meaning in words is worth its largest ROUGE-L, or its BLEU, with the references; a rating how near it is. The same
meaning is right by content words, those that are no function words:

* exact: it has those of a reference, in their order; a continuation begins with all words of the right one
* head: it has the head of a reference
* literal: it has one of a text that takes the idiom literally, and that neither a reference nor the idiom has
"""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from ncimp.evaluator.runtime import require
from ncimp.evaluator.suites.lexbench.parsers import LETTERS, Parse, parse
from ncimp.evaluator.suites.texts import MOST
from ncimp.schemas.suites import PhraseItem, Rule

ARTICLES = re.compile("an?|the|my|your|his|her|its|our|their|(?:one|someone|somebody)'s")
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
        return ScoredAnswer(understood, {**_overlap(text, item.gold), **_counted(text, item)})
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


def _overlap(answer: str, references: tuple[str, ...]) -> Mapping[Rule, float]:
    """Return ROUGE-L (F) and BLEU of *answer* with *references*."""
    if not answer:
        return {"rouge_l": 0.0, "bleu": 0.0}
    rouge = _rouge().score_multi(references, answer)["rougeL"].fmeasure
    bleu = require("sacrebleu", extra="suites").sentence_bleu(answer, list(references)).score / 100
    return {"rouge_l": float(rouge), "bleu": float(bleu)}


@cache
def _rouge() -> Any:
    return require("rouge_score.rouge_scorer", extra="suites").RougeScorer(["rougeL"])


FUNCTION_WORDS: Mapping[str, re.Pattern[str]] = {
    lang: re.compile(words)
    for lang, words in {
        "de": "d(?:er|ie|as|en|em|es)|eine?[rnms]?|vo[nm]|zu[rm]?|i[nm]|auf|mit|für|und|oder|als|ist|nicht|sehr|sich",
        "en": "an?|the|of|to|in|on|at|for|from|by|with|and|or|as|that|which|who|is|are|be|it|its|his|her|their|your|not"
        "|very|one|someone|something|somebody",
        "fr": "l[ae]?|les|une?|d[eu]?|des|en|à|aux?|pour|par|avec|sur|dans|et|ou|qu[ie]?|est|pas|très|se|s",
        "it": "il?|l[oae]?|gli|un[oa]?|d[ai]|de[il]|dell[aeo]?|degli|in|con|su|per|e|o|che|a|al|alla|non|è|molto|si",
        "pt": "[oa]s?|uma?s?|uns|d[eoa]s?|n[oa]s?|em|por|para|com|que|e|ou|se|aos?|à|não|é|muito|alg[ou]\\w*",
    }.items()
}
HEAD_LAST = ("de", "en")  # languages whose compounds end in their head; in the others it comes first


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


def content_words(text: str, lang: str) -> list[str]:
    """Return the words of *text* that are no function words, in lower case.

    >>> content_words("a waste of the money", "en")
    ['waste', 'money']
    """
    function = FUNCTION_WORDS.get(lang, FUNCTION_WORDS["en"])
    return [word for word in re.findall(r"\w+(?:-\w+)*", text.casefold()) if not function.fullmatch(word)]


def head_word(text: str, lang: str) -> str | None:
    """Return the head of the phrase *text*: its first or last content word before a function word inside it.

    >>> head_word("a waste of money", "en"), head_word("uma perda de tempo", "pt")
    ('waste', 'perda')
    """
    words = re.findall(r"\w+(?:-\w+)*", text.casefold())
    content = content_words(text, lang)
    begins = next((place for place, word in enumerate(words) if word in content), 0)
    phrase = list(itertools.takewhile(lambda word: word in content, words[begins:]))
    return phrase[-1 if lang in HEAD_LAST else 0] if phrase else None


def _share_form(words: Iterable[str], others: Iterable[str], lang: str) -> bool:
    """Tell whether any of *words* is one of *others*, in English in any form."""
    forms = _lemmas if lang == "en" else lambda word: frozenset({word})
    of_others = {form for word in others for form in forms(word)}
    return any(not of_others.isdisjoint(forms(word)) for word in words)
