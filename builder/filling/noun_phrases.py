"""Gender and number of noun phrases that are only text, and neutral frames recognised in a sentence.

Every way to read the words of a phrase (noun and adjective, adjective and noun, two nouns of which the first
decides) votes for the features it allows, weighted by the counts of the readings. The word beside the phrase (its
determiner), or the features of the phrase it replaces, are evidence as well.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ncimp.builder.filling.scene import PhraseKind, Reader
from ncimp.builder.grammar import Cell, Features, fits
from ncimp.builder.records import Gender, Language, MarkedSentence

PRIOR = 0.3  # weight of a reading that is listed and never counted, in occurrences
FIRST = 0.1  # extra weight of the first reading, in occurrences: the most trusted comes first
FLOOR, SLIP = 1e-3, 1e-2  # likelihood of a cell that no reading has: lexicons have gaps, writers of adjectives slip
NOUN_ADJECTIVE, ADJECTIVE_NOUN, APPOSED = 0.6, 0.3, 0.1  # prior likelihoods of the three ways to read two words
UNDETERMINED = 1e-4  # factor by which the determiner beside a phrase lowers the likelihood of other cells than its own
KEEP = 0.5  # least likelihood, relative to the best cell, at which *old* features stay
KEEP_COMMON = 0.02  # the same for a noun that names men and women
CLEAR = 0.6  # least share of a part of speech among the uses of a word that alone decides the kind of a phrase
FOLLOWS = 0.9  # share of nouns in apposition that have the number of the first noun

NC = "[NC]"
PIECE = re.compile(r"\[NC\]|\{(?P<agrees>[^}]+)\}")

Likelihoods = dict[Cell, float]


class NounPhrases:
    """The features of noun phrases of one language that are only text."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._cells = reader.language.cells()
        self._even: Likelihoods = dict.fromkeys(self._cells, 1 / max(1, len(self._cells)))

    def features(self, phrase: str, old: Features | None = None) -> Features:
        """Return the most likely features of *phrase*; *old* ones stay where it can have them too."""
        if "gender" not in self._reader.language.features:
            return old or Features(None, "sg")
        likely = self.likelihoods(phrase)
        best = max(self._cells, key=lambda cell: likely[cell])
        if old is None:
            return Features(*best)
        least = (KEEP_COMMON if self._is_common(phrase) else KEEP) * likely[best]
        gender, number = old.cell
        cells: tuple[Cell, ...] = (old.cell, (gender, best[1]), (best[0], number), best)
        return Features(*next(cell for cell in cells if likely[cell] >= least))

    def kind(self, phrase: str) -> PhraseKind:
        """Return the kind of *phrase*: a noun phrase, unless its words show clearly that it is another."""
        words = phrase.lower().split()
        if len(words) > 1 and self._is_linking(words[0]):
            return "prepositional"
        if len(words) > 1 or "-" in phrase:
            return "noun"
        if not self._reader.readings(words[0]):
            return "verb" if self._reader.is_regular_verb(words[0]) else "noun"
        # an adjective that does not serve both genders may name somebody (*um azarado*)
        serves_all = all(form.gender is None for form in self._reader.readings(words[0]) if form.pos == "adj")
        if self._reader.likelihood(words[0], "adj") >= CLEAR and serves_all:
            return "adjective"
        return "verb" if self._reader.likelihood(words[0], "verb") >= CLEAR else "noun"

    def adjective(self, word: str, old: Features) -> Features | None:
        """Return the features of a single adjective, the *old* ones where it can have them, or None for a noun."""
        cells = (
            Features(*cell) for cell in (old.cell, *((gender, old.number) for gender, _ in self._cells), *self._cells)
        )
        return next((features for features in cells if self._reader.is_adjective(word.lower(), features)), None)

    def component(self, word: str, old: Features) -> Features:
        """Return the features of a component that stands alone for the NC: of an adjective if it can be one."""
        return self.adjective(word, old) or self.features(word, old)

    def _is_common(self, phrase: str) -> bool:
        """Tell whether a noun of *phrase* serves both genders: *artista*."""

        def has_both(word: str) -> bool:
            genders = {form.gender for form in self._reader.readings(word) if form.pos == "noun"}
            return None in genders or {"m", "f"} <= genders

        endings = tuple(self._reader.kind("common gender ending"))
        common = self._reader.kind("common gender")
        nouns = [word for word in self._core(phrase) if self._reader.likelihood(word, "noun") > 0.5]
        return any(word in common or (word.endswith(endings) and has_both(word)) for word in nouns)

    def in_sentence(self, sentence: MarkedSentence) -> Features:
        """Return the features of the NC of *sentence*, where the word before it may be its determiner."""
        words = sentence.text[: sentence.span[0]].lower().split()
        phrase, before = sentence.text[slice(*sentence.span)], words[-1] if words else ""
        if "gender" not in self._reader.language.features:
            return Features(None, "sg")
        likely = self.likelihoods(phrase)
        cells = self._reader.cells(before)
        if cells and before not in self._reader.kind("preposition"):
            likely = {cell: value * (1 if cell in cells else UNDETERMINED) for cell, value in likely.items()}
        return Features(*max(self._cells, key=lambda cell: likely[cell]))

    def likelihoods(self, phrase: str) -> Likelihoods:
        """Return the likelihood of each gender and number of *phrase*; they sum to 1."""
        whole = bool(self._reader.readings(phrase))
        words = [self._votes(word) for word in ([phrase.lower()] if whole else self._core(phrase))]
        likely = {cell: _joint(words, cell, len(self._cells)) for cell in self._cells}
        total = sum(likely.values())
        return {cell: value / total for cell, value in likely.items()}

    def _core(self, phrase: str) -> list[str]:
        """Return the one or two words that decide: none after a preposition, no prefix written apart."""
        words = re.split(r"[\s-]+", phrase.lower().strip(" -"))
        while len(words) > 1 and words[0] in self._reader.kind("prefix"):
            words = words[1:]
        ends = [i for i, word in enumerate(words) if i and self._is_linking(word)]
        return words[: min([2, *ends])]

    def _is_linking(self, word: str) -> bool:
        return word in self._reader.kind("preposition") or any(
            paradigm.kind == "contraction" for paradigm in self._reader.paradigms(word)
        )

    def _votes(self, word: str) -> "_Votes":
        readings = [form for form in self._reader.readings(word) if form.pos in ("noun", "adj", "det")]
        readings = [form for form in readings if form.lemma[:1].islower()] or readings  # a name, only if all else fails
        if not readings:
            return self._unknown(word)
        # a noun of open gender weighs no more than that it is listed
        counts = [
            0 if form.pos == "noun" and form.gender is None else self._reader.analyser.count(form) for form in readings
        ]
        weights = [PRIOR + count + FIRST / (place + 1) for place, count in enumerate(counts)]
        nouns = [(form, weight) for form, weight in zip(readings, weights, strict=True) if form.pos == "noun"]
        adjectives = [form for form in readings if form.pos != "noun"]
        total = sum(weight for _, weight in nouns)
        invariable = {form.lemma for form, _ in nouns if form.number is None}
        noun: Likelihoods = dict.fromkeys(self._cells, 0.0)
        for form, weight in nouns:
            gender = None if word in self._reader.kind("common gender") else form.gender
            number = None if form.lemma in invariable else form.number
            cells = [cell for cell in self._cells if gender in (None, cell[0]) and number in (None, cell[1])]
            for cell in cells:
                noun[cell] += weight / total / len(cells)
        adjective = {cell: float(any(fits(form, Features(*cell)) for form in adjectives)) for cell in self._cells}
        if not nouns:  # an adjective may stand for a noun: *o recente*
            return _Votes(adjective, adjective, 1 - FLOOR)
        return _Votes(noun, adjective, 1 - total / sum(weights))

    def _unknown(self, word: str) -> "_Votes":
        for ending, gender, number, sure in self._reader.language.endings:
            if word.endswith(ending):
                other: Gender = "f" if gender == "m" else "m"
                cells: Likelihoods = {(gender, number): sure, (other, number): 1 - sure}
                return _Votes(cells, cells, 0.5)
        return _Votes(self._even, self._even, 0.5)


class _Votes(NamedTuple):
    """Evidence of one word: the likelihood of each cell as a noun and as an adjective, and the share of adjectives."""

    noun: Likelihoods
    adjective: Likelihoods
    share: float


def _joint(words: Sequence[_Votes], cell: Cell, count: int) -> float:
    """Return the likelihood of *cell*, of *count*, summed over the ways to read the words: noun + adjective, ..."""
    first = words[0]
    noun = (1 - first.share) * (first.noun.get(cell, 0.0) + FLOOR)
    adjective = first.share * (first.adjective.get(cell, 0.0) + SLIP)
    if len(words) == 1:
        return noun + adjective
    second = words[1]
    second_noun = (1 - second.share) * (second.noun.get(cell, 0.0) + FLOOR)
    second_adjective = second.share * (second.adjective.get(cell, 0.0) + SLIP)
    alike = any(
        second.noun.get((gender, cell[1])) for gender, _ in second.noun
    )  # a noun in apposition follows the number
    apposed = noun * (1 - second.share + FLOOR) / count * (FOLLOWS if alike else 1 - FOLLOWS)
    return NOUN_ADJECTIVE * noun * second_adjective + ADJECTIVE_NOUN * adjective * second_noun + APPOSED * apposed


def frame_features(sentence: MarkedSentence, reader: Reader) -> Features | None:
    """Return the features in which *sentence* is one of the language's neutral frames, or None when it is not a frame.

    Everything in a frame follows from the NC. The number of a frame in the plural is its own and not its filler's.
    """
    tokens = re.findall(reader.language.token, sentence.text.lower())
    before = len(re.findall(reader.language.token, sentence.text[: sentence.span[0]]))
    inside = len(re.findall(reader.language.token, sentence.text[slice(*sentence.span)]))
    around = _without_stop([*tokens[:before], NC, *tokens[before + inside :]])
    frames = ((key, frame) for by_number in reader.language.frames.values() for key, frame in by_number.items())
    for key, frame in frames:
        cells = _match(around, _without_stop(_pieces(frame, reader.language)), reader)
        if cells is not None:
            genders = {gender for gender, _ in cells}
            return Features(genders.pop() if len(genders) == 1 else None, "pl" if key == "pl" else "sg")
    return None


def _pieces(frame: str, language: Language) -> list[str]:
    pieces, end = list[str](), 0
    for match in PIECE.finditer(frame):
        pieces += re.findall(language.token, frame[end : match.start()].lower())
        pieces.append(match[0].lower() if match["agrees"] else NC)
        end = match.end()
    return pieces + re.findall(language.token, frame[end:].lower())


def _match(tokens: Sequence[str], pieces: Sequence[str], reader: Reader) -> set[Cell] | None:
    """Return the cells that all agreeing words of a frame share, or None when *tokens* are not the frame."""
    if len(tokens) != len(pieces):
        return None
    cells: set[Cell] | None = None
    for token, piece in zip(tokens, pieces, strict=True):
        if not piece.startswith("{"):
            if token != piece:
                return None
            continue
        families = {paradigm.id for paradigm in reader.paradigms(piece.strip("{}"))}
        if not families & {paradigm.id for paradigm in reader.paradigms(token)}:
            return None
        cells = reader.cells(token) if cells is None else cells & reader.cells(token)
    return cells or set()


def _without_stop(tokens: list[str]) -> list[str]:
    return tokens[:-1] if tokens and tokens[-1] == "." else tokens
