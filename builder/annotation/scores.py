"""Aggregate judgements to scores: of each sentence the mean over annotators, of each compound their mean (Eq. 1).

    Comp(a) = mean over sentences b of ( mean over annotators j of Comp(a, b, j) )

The interval is over annotators, who may have judged several of the sentences: with x_bj the judgement, m_b the mean and
n_b the number of judgements of sentence b (B sentences), annotator j moves the score by z_j = sum over b of
(x_bj - m_b) / (B n_b), so that its variance is J / (J - 1) times the sum of z_j^2 over the J annotators (linearisation,
as for a ratio of clusters), and the interval is that of Student's t with J - 1 degrees of freedom. A few annotators who
agree do not prove that everybody would: the variance is drawn towards the one pooled over all compounds as if that had
come from `PRIOR` further annotators.

Classes from scores stand beside the experts' class and never replace it.

Synonyms are grouped over spellings and inflections. The published rule (NCTTI): a synonym is one of the compound (type)
when it is given for all three sentences, or for two with at least three annotators in all; it is one of a sentence
(token) when it is given for that one only, by at least two. Where one answer is for all sentences, two annotators make
it a synonym of the compound; this rule is ours.
"""

import math
import statistics
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.stats import t as student

from ncimp.builder.annotation.answers.annotators import QUESTIONS, first_answers
from ncimp.builder.annotation.answers.returned import clean_text
from ncimp.builder.annotation.task.batch import SCALE
from ncimp.builder.ports import Morphology
from ncimp.builder.records import Judgement, LanguagePack, Score, class_of

# sentences, sentences, annotators over two sentences, annotators of one sentence
ALL_SENTENCES, TWO_SENTENCES, TOGETHER, ONE_SENTENCE = 3, 2, 3, 2
LEMMA_OF = ("noun", "adj", "verb")  # parts of speech whose lemma stands for a word of a synonym, in this order
# characters at the edges of a synonym that are not part of it; some of them begin a formula in a spreadsheet
EDGES = " =+@|-.,;:!?\"'“”‘’«»()[]"
JOINED = str.maketrans({"-": " ", "‐": " ", "‑": " ", "–": " ", "_": " ", "/": " ", "’": "'"})


@dataclass(frozen=True, slots=True)
class Paraphrases:
    """Synonyms of one compound, most frequent first: of the compound, and of each sentence alone."""

    of_type: tuple[str, ...]
    of_token: Mapping[str | None, tuple[str, ...]]


@dataclass(slots=True)
class Normaliser:
    """Maps spellings of the same synonym to one key; forms come from the port, spellings from a table."""

    morphology: Morphology | None = None
    articles: Collection[str] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    _lemmas: dict[str, str] = field(default_factory=dict, init=False)

    def key(self, text: str) -> str:
        """Return the key of *text*: *Parking-lots* and *a parking lot* have the same."""
        words = clean_text(text).casefold().translate(JOINED).strip(EDGES).split()
        words = [self.spellings.get(word, word) for word in (part.strip(EDGES) for part in words) if word]
        while len(words) > 1 and words[0] in self.articles:
            del words[0]
        for word in words:
            if self.morphology is not None and word not in self._lemmas:
                lemmas = {form.pos: form.lemma for form in reversed(self.morphology.readings(word))}
                self._lemmas[word] = next((lemmas[pos] for pos in LEMMA_OF if pos in lemmas), word)
        return "".join(self._lemmas.get(word, word) for word in words)  # joined: parkinglot is a spelling, too


def articles_of(pack: LanguagePack) -> frozenset[str]:
    """Return the articles and determiners of *pack*, which mean nothing at the beginning of a synonym."""
    articles = {word for row in pack.language.paradigms if row.kind == "article" for word in row.words}
    return frozenset(articles | {form.form for form in pack.forms if form.pos == "det"})


def paraphrases(judgements: Iterable[Judgement], normaliser: Normaliser) -> Paraphrases:
    """Return the synonyms in *judgements*, which are of one compound; each annotator counts once per sentence."""
    people: dict[str, dict[str | None, set[str]]] = defaultdict(lambda: defaultdict(set))  # by key and sentence
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for row in judgements:
        for text in row.synonyms:
            if key := normaliser.key(text):
                people[key][row.item_id].add(row.annotator)
                spellings[key][clean_text(text).strip(EDGES).replace(";", ",").casefold()] += 1
    accented: dict[str, list[str]] = defaultdict(list)
    for key in (one for one in sorted(people) if bare(one) != one):
        accented[bare(key)].append(key)
    for plain, marked in accented.items():
        if plain in people and len(marked) == 1:  # *agua* is *água* where no other key can be meant
            for sentence, annotators in people.pop(plain).items():
                people[marked[0]][sentence] |= annotators
    synonyms = {min(spellings[key], key=lambda text: (-spellings[key][text], text)): row for key, row in people.items()}
    of_type: list[str] = []
    of_token: dict[str | None, list[str]] = defaultdict(list)
    for text in sorted(synonyms, key=lambda text: (-sum(map(len, synonyms[text].values())), text)):
        by_sentence = [(item, len(names)) for item, names in synonyms[text].items() if item is not None]
        if len(by_sentence) == 1 and by_sentence[0][1] >= ONE_SENTENCE:
            of_token[by_sentence[0][0]].append(text)
        if is_type(synonyms[text]):
            of_type.append(text)
    return Paraphrases(tuple(of_type), {item: tuple(parts) for item, parts in of_token.items()})


def bare(text: str) -> str:
    """Return *text* without accents."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def is_type(sentences: Mapping[str | None, set[str]]) -> bool:
    """Test a synonym with these annotators per sentence for being one of the compound."""
    if len(sentences.get(None, ())) >= ONE_SENTENCE:
        return True
    counts = [len(people) for sentence, people in sentences.items() if sentence is not None]
    return len(counts) >= ALL_SENTENCES or (len(counts) == TWO_SENTENCES and sum(counts) >= TOGETHER)


NormaliserOf = Callable[[str], Normaliser]  # the normaliser of a language, by its code
CONFIDENCE = 0.95
PRIOR = 3.0  # annotators whose weight the pooled variance has in that of one score
DECIMALS = 6

Sentences = Mapping[Any, Sequence[tuple[str, float]]]  # (annotator, value) of each judgement, by sentence


def aggregate(judgements: Iterable[Judgement], normaliser: NormaliserOf = lambda _: Normaliser()) -> list[Score]:
    """Return one row per compound and one per sentence of it, for all judgements of items that are not excluded."""
    included = [row for row in first_answers(judgements) if row.excluded is None]
    by_compound: dict[tuple[str, str], list[Judgement]] = defaultdict(list)
    for row in included:
        by_compound[row.lang, row.compound_id].append(row)
    compounds = [_values(rows, "comp") for rows in by_compound.values()]
    sentences: list[Sentences] = [{item: values} for compound in compounds for item, values in compound.items()]
    pooled_compound, pooled_sentence = _pooled(compounds), _pooled(sentences)
    normalisers = {lang: normaliser(lang) for lang in sorted({row.lang for row in included})}
    scores: list[Score] = []
    for (lang, _), rows in sorted(by_compound.items()):
        synonyms = paraphrases(rows, normalisers[lang])
        scores.append(_score(rows, synonyms, None, pooled_compound))
        items = sorted({row.item_id for row in rows if row.item_id is not None})
        scores += [_score([row for row in rows if row.item_id == one], synonyms, one, pooled_sentence) for one in items]
    return scores


def _values(rows: Iterable[Judgement], question: str) -> dict[str | None, list[tuple[str, float]]]:
    values: dict[str | None, list[tuple[str, float]]] = defaultdict(list)
    for row in rows:
        if (value := getattr(row, question)) is not None:
            values[row.item_id].append((row.annotator, float(value)))
    return dict(values)


def mean_score(sentences: Sentences) -> float | None:
    """Return the mean over sentences of the means over annotators (Eq. 1), None without a judgement."""
    means = [statistics.fmean(value for _, value in values) for values in sentences.values() if values]
    return statistics.fmean(means) if means else None


def _spread(sentences: Sentences) -> tuple[int, float]:
    """Return the number J of annotators, and the sum of (J z_j)^2 over their pulls z_j on the score."""
    pulls: dict[str, float] = defaultdict(float)
    for values in sentences.values():
        mean = statistics.fmean(value for _, value in values)
        for name, value in values:
            pulls[name] += (value - mean) / (len(sentences) * len(values))
    return len(pulls), len(pulls) ** 2 * sum(pulls[name] ** 2 for name in sorted(pulls))


def _pooled(scores: Sequence[Sentences]) -> float:
    """Return the variance of J z_j, pooled over *scores*: J times that of the score."""
    spreads = [_spread(sentences) for sentences in scores]
    freedom = sum(count - 1 for count, _ in spreads)
    return sum(squares for _, squares in spreads) / freedom if freedom else 0.0


def interval(sentences: Sentences, pooled: float) -> tuple[float, float] | None:
    """Return the 95 % interval of a score, None with fewer than two annotators; *pooled* is `_pooled` of all scores."""
    mean, (count, squares) = mean_score(sentences), _spread(sentences)
    if mean is None or count < 2:
        return None
    variance = (squares + PRIOR * pooled) / (count - 1 + PRIOR) / count
    reach = float(student.ppf((1 + CONFIDENCE) / 2, count - 1)) * math.sqrt(variance)
    return max(0.0, mean - reach), min(float(SCALE[-1]), mean + reach)


def _score(rows: Sequence[Judgement], synonyms: Paraphrases, item: str | None, pooled: float) -> Score:
    figures: dict[str, Any] = {}
    for question in QUESTIONS:
        sentences = _values(rows, question)
        values = [value for judged in sentences.values() for _, value in judged]
        spread = statistics.stdev(values) if len(values) > 1 else None
        figures |= {question: _rounded(mean_score(sentences)), f"{question}_sd": _rounded(spread)}
        figures[f"{question}_n"] = len(values)
    low, high = interval(_values(rows, "comp"), pooled) or (None, None)
    simulated = any(row.simulated for row in rows)
    source = [*sorted({row.mode for row in rows}), *sorted({row.campaign for row in rows})]
    whole = [row.comp for row in rows]
    return Score(
        level="compound" if item is None else "sentence",
        lang=rows[0].lang,
        compound_id=rows[0].compound_id,
        item_id=item,
        comp_low=_rounded(low),
        comp_high=_rounded(high),
        soft=" ".join(str(whole.count(point)) for point in SCALE),
        class_from_scores=class_of(figures["comp"]),
        type_paraphrases="; ".join(synonyms.of_type) or None if item is None else None,
        token_paraphrases=None if item is None else "; ".join(synonyms.of_token.get(item, ())) or None,
        simulated=simulated,
        source=" ".join(["simulated", *source] if simulated else source),
        **figures,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)
