"""Group the synonyms of annotators over spellings and inflections, and assign them to the compound or a sentence.

The published rule (NCTTI): f_s(p) annotators gave the synonym p for sentence s. It is a synonym of the compound (type)
when it is given for all three sentences, or for two with at least three annotators in all; it is a synonym of a
sentence (token) when it is given for that one only, by at least two. Where one answer is for all sentences, two
annotators make it a synonym of the compound; this rule is ours.
"""

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
"""Parts of speech whose lemma stands for a word of a synonym, in this order."""

EDGES = " =+@|-.,;:!?\"'“”‘’«»()[]"
"""Characters at the edges of a synonym that are not part of it; some of them begin a formula in a spreadsheet."""

JOINED = str.maketrans({"-": " ", "‐": " ", "‑": " ", "–": " ", "_": " ", "/": " ", "’": "'"})

Key = str
"""Key that all spellings of one synonym share."""


@dataclass(frozen=True, slots=True)
class Paraphrases:
    """Synonyms of one compound, most frequent first: of the compound, and of each sentence alone."""

    of_type: tuple[str, ...]
    of_token: Mapping[str | None, tuple[str, ...]]


class Normaliser:
    """Maps spellings of the same synonym to one key; forms come from the port, spellings from a table."""

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
        """Return the key of *text*: *Parking-lots* and *a parking lot* have the same."""
        words = clean_text(text).casefold().translate(JOINED).strip(EDGES).split()
        words = [word.strip(EDGES) for word in words]
        words = [self._spellings.get(word, word) for word in words if word]
        while len(words) > 1 and words[0] in self._articles:
            del words[0]
        return "".join(self._lemma(word) for word in words)  # joined: parkinglot is a spelling, too

    def _lemma(self, word: str) -> str:
        if self._morphology is not None and word not in self._lemmas:
            lemmas = {form.pos: form.lemma for form in reversed(self._morphology.readings(word))}
            self._lemmas[word] = next((lemmas[pos] for pos in LEMMA_OF if pos in lemmas), word)
        return self._lemmas.get(word, word)


def articles_of(pack: LanguagePack) -> frozenset[str]:
    """Return the articles and determiners of *pack*, which mean nothing at the beginning of a synonym."""
    cells = {cell for row in pack.language.paradigms if row.kind == "article" for cell in row.cells.values()}
    turned = {word for row in pack.language.alternations for word in (row.consonant, row.vowel)}
    return frozenset(cells | turned | {form.form for form in pack.forms if form.pos == "det"})


def paraphrases(judgements: Iterable[Judgement], normaliser: Normaliser) -> Paraphrases:
    """Return the synonyms in *judgements*, which are of one compound; each annotator counts once per sentence."""
    people: dict[Key, dict[str | None, set[str]]] = defaultdict(lambda: defaultdict(set))
    spellings: dict[Key, Counter[str]] = defaultdict(Counter)
    for row in judgements:
        for text in row.synonyms:
            key = normaliser.key(text)
            if key:
                people[key][row.item_id].add(row.annotator)
                spellings[key][clean_text(text).strip(EDGES).replace(";", ",").casefold()] += 1
    for plain, marked in _without_marks(people):
        for sentence, annotators in people.pop(plain).items():
            people[marked][sentence] |= annotators
    texts = {key: min(counts, key=lambda text: (-counts[text], text)) for key, counts in spellings.items()}
    return _classified({texts[key]: sentences for key, sentences in people.items()})


def _without_marks(keys: Mapping[Key, object]) -> list[tuple[Key, Key]]:
    """Return (key typed without accents, the only accented key that it can be): *agua* for *água*."""
    accented: dict[Key, list[Key]] = defaultdict(list)
    for key in sorted(keys):
        if bare(key) != key:
            accented[bare(key)].append(key)
    return [(plain, marked[0]) for plain, marked in accented.items() if plain in keys and len(marked) == 1]


def bare(text: str) -> str:
    """Return *text* without accents."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def _classified(synonyms: Mapping[str, Mapping[str | None, set[str]]]) -> Paraphrases:
    totals = {text: sum(map(len, sentences.values())) for text, sentences in synonyms.items()}
    ordered = sorted(synonyms, key=lambda text: (-totals[text], text))
    of_type = tuple(text for text in ordered if is_type(synonyms[text]))
    of_token: dict[str | None, list[str]] = defaultdict(list)
    for text in ordered:
        by_sentence = {sentence: people for sentence, people in synonyms[text].items() if sentence is not None}
        if len(by_sentence) == 1:
            ((sentence, people),) = by_sentence.items()
            if len(people) >= ONE_SENTENCE:
                of_token[sentence].append(text)
    return Paraphrases(of_type, {sentence: tuple(texts) for sentence, texts in of_token.items()})


def is_type(sentences: Mapping[str | None, set[str]]) -> bool:
    """Return whether a synonym with these annotators per sentence is one of the compound."""
    if len(sentences.get(None, ())) >= ONE_SENTENCE:
        return True
    counts = [len(people) for sentence, people in sentences.items() if sentence is not None]
    return len(counts) >= ALL_SENTENCES or (len(counts) == TWO_SENTENCES and sum(counts) >= TOGETHER)


NormaliserOf = Callable[[str], Normaliser]
"""The normaliser of a language, by its code."""
