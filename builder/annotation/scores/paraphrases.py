"""Synonyms that annotators wrote: the same one however it is spelt or inflected, and which belong to the compound.

The published rule (NCTTI): f_s(p) annotators gave the synonym p for sentence s. It is one of the compound
(type) when it is given for all three sentences, or for two with at least three annotators in all; it is one of a
sentence (token) when it is given for that one only, by at least two. Where one answer is for all sentences, two
annotators make it one of the compound; that is ours.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from ncimp.builder.annotation.answers.returned import clean_text
from ncimp.builder.ports import Morphology
from ncimp.builder.records import Judgement, LanguagePack

ALL_SENTENCES, TWO_SENTENCES, TOGETHER, ONE_SENTENCE = 3, 2, 3, 2
"""Numbers of the rule: sentences, sentences, annotators over two sentences, annotators of one sentence."""

LEMMA_OF = ("noun", "adj", "verb")
"""Parts of speech whose lemma a word of a synonym is taken for, in this order."""

EDGES = " =+@|-.,;:!?\"'“”‘’«»()[]"
"""What stands at the edges of a synonym and is no part of it; a spreadsheet would take some of it for a formula."""

JOINED = str.maketrans({"-": " ", "‐": " ", "‑": " ", "–": " ", "_": " ", "/": " ", "’": "'"})

Key = str
"""What spellings of one synonym have in common."""


@dataclass(frozen=True, slots=True)
class Paraphrases:
    """The synonyms of one compound, most frequent first: of the compound, and of each sentence alone."""

    of_type: tuple[str, ...]
    of_token: Mapping[str | None, tuple[str, ...]]


class Normaliser:
    """Tells which spellings are the same synonym; forms are looked up through the port, spellings in a table."""

    def __init__(
        self,
        morphology: Morphology | None = None,
        articles: Collection[str] = (),
        spellings: Mapping[str, str] | None = None,
    ) -> None:
        self._morphology = morphology
        self._articles = frozenset(articles)
        self._spellings = dict(spellings or {})
        self._lemmas: dict[str, str] = {}

    def key(self, text: str) -> Key:
        """Return what all spellings of *text* have in common: *Parking-lots* and *a parking lot* are the same."""
        words = clean_text(text).casefold().translate(JOINED).strip(EDGES).split()
        words = [word.strip(EDGES) for word in words]
        kept = [self._spellings.get(word, word) for word in words if word]
        while len(kept) > 1 and kept[0] in self._articles:
            del kept[0]
        return "".join(self._lemma(word) for word in kept)  # joined: parkinglot is a spelling, too

    def _lemma(self, word: str) -> str:
        if self._morphology is not None and word not in self._lemmas:
            lemmas = {form.pos: form.lemma for form in reversed(self._morphology.readings(word))}
            self._lemmas[word] = next((lemmas[pos] for pos in LEMMA_OF if pos in lemmas), word)
        return self._lemmas.get(word, word)


def articles_of(pack: LanguagePack) -> frozenset[str]:
    """Return the articles and determiners of *pack*, which say nothing at the beginning of a synonym."""
    cells = {cell for row in pack.language.paradigms if row.kind == "article" for cell in row.cells.values()}
    turned = {word for row in pack.language.alternations for word in (row.consonant, row.vowel)}
    return frozenset(cells | turned | {form.form for form in pack.forms if form.pos == "det"})


def paraphrases(judgements: Iterable[Judgement], normaliser: Normaliser) -> Paraphrases:
    """Return the synonyms in *judgements*, which are of one compound; each annotator counts once per sentence."""
    given: dict[Key, dict[str | None, set[str]]] = defaultdict(lambda: defaultdict(set))
    written: dict[Key, Counter[str]] = defaultdict(Counter)
    for row in judgements:
        for text in row.synonyms:
            key = normaliser.key(text)
            if key:
                given[key][row.item_id].add(row.annotator)
                written[key][clean_text(text).strip(EDGES).replace(";", ",").casefold()] += 1
    for plain, marked in _without_marks(given):
        for sentence, people in given.pop(plain).items():
            given[marked][sentence] |= people
    shown = {key: _most_frequent(written[key]) for key in given}
    return _classified({shown[key]: sentences for key, sentences in given.items()})


def _most_frequent(texts: Counter[str]) -> str:
    return min(texts, key=lambda text: (-texts[text], text))


def _without_marks(given: Mapping[Key, object]) -> list[tuple[Key, Key]]:
    """Return (typed without accents, the only synonym it can be) among *given*: *agua* for *água*."""
    marked: dict[Key, list[Key]] = defaultdict(list)
    for key in sorted(given):
        if bare(key) != key:
            marked[bare(key)].append(key)
    return [(plain, keys[0]) for plain, keys in marked.items() if plain in given and len(keys) == 1]


def bare(text: str) -> str:
    """Return *text* without accents."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def _classified(given: Mapping[str, Mapping[str | None, set[str]]]) -> Paraphrases:
    totals = {text: sum(map(len, sentences.values())) for text, sentences in given.items()}
    ordered = sorted(given, key=lambda text: (-totals[text], text))
    of_type = tuple(text for text in ordered if is_type(given[text]))
    of_token: dict[str | None, list[str]] = defaultdict(list)
    for text in ordered:
        if (sentence := _only_sentence(given[text])) is not None:
            of_token[sentence].append(text)
    return Paraphrases(of_type, {sentence: tuple(texts) for sentence, texts in of_token.items()})


def is_type(sentences: Mapping[str | None, set[str]]) -> bool:
    """Tell whether a synonym with these annotators per sentence is one of the compound."""
    if len(sentences.get(None, ())) >= ONE_SENTENCE:
        return True
    own = [len(people) for sentence, people in sentences.items() if sentence is not None]
    return len(own) >= ALL_SENTENCES or (len(own) == TWO_SENTENCES and sum(own) >= TOGETHER)


def _only_sentence(sentences: Mapping[str | None, set[str]]) -> str | None:
    own = {sentence: people for sentence, people in sentences.items() if sentence is not None}
    return next((name for name, people in own.items() if len(own) == 1 and len(people) >= ONE_SENTENCE), None)


NormaliserOf = Callable[[str], Normaliser]
"""The normaliser of a language, by its code."""
