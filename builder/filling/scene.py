"""A sentence as the rules of agreement see it: its tokens, the compound among them, and the words around it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from ncimp.builder.grammar import NUMBERS, Cell, Features, fits
from ncimp.builder.ports import Analyser
from ncimp.builder.records import Form, Language, MarkedSentence, Number, Paradigm, Span

NEVER_VERBS = ("preposition", "coordinator", "subordinator", "relative", "adverb", "clitic", "comma", "stop", "quote")
"""Kinds of words that are not verbs, whatever their ending."""

OTHER_PART = ("adj", "other")  # values of a feature that asks whether the next word is an adjective
SOUND = "sound"  # the kind of the words in which only the next sound shows
UNSEEN = 2.0  # occurrences that the parts of speech of a word share before any is counted: a few counts prove little
LIKELY_VERB = 0.5  # least share of finite verbs among the uses of a word that is taken for one
ADJECTIVE = "adjective or participle"  # the rule under which adjectives beside the NC are recorded


def plain(text: str) -> str:
    """Return *text* with the apostrophe that packs write."""
    return text.replace("’", "'")


def next_part(adjective: bool) -> str:
    """Return the value of a feature of the next part before an *adjective*, or before anything else."""
    return OTHER_PART[not adjective]


class Reader:
    """Knowledge of a language pack and a morphology about single lower-cased words."""

    def __init__(self, language: Language, analyser: Analyser) -> None:
        self.language, self.analyser = language, analyser
        self._paradigms: defaultdict[str, list[Paradigm]] = defaultdict(list)
        for paradigm in language.paradigms:
            for word in sorted(paradigm.words):
                self._paradigms[word].append(paradigm)
        self.longest = max((len(self.tokens(word)) for word in self._paradigms), default=1)
        self.before = [name for name, feature in language.features.items() if feature.source == "next part"]
        self._kinds = {kind: frozenset(words) for kind, words in language.words.items()}
        self._adverbs = tuple(language.words.get("adverb ending", ()))
        self._nonfinite = tuple(language.words.get("nonfinite ending", ()))
        self._plural = dict(language.verb_forms)
        self._singular = {plural: singular for singular, plural in language.verb_forms}
        self.likelihood = cache(self._likelihood)
        self.is_finite = cache(self._is_finite)

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of *text*, their apostrophes as the packs write them."""
        return [plain(token) for token in re.findall(self.language.token, text)]

    def readings(self, word: str) -> Sequence[Form]:
        """Return the listed readings of *word*, without guesses."""
        return self.analyser.readings(word) if self.analyser.knows(word) else ()

    def kind(self, name: str) -> frozenset[str]:
        """Return the words that the pack lists as *name*."""
        return self._kinds.get(name, frozenset())

    def is_kind(self, word: str, *names: str) -> bool:
        """Tell whether *word* is one of the pack's words of the kinds *names*, or an adverb by its ending."""
        ends = "adverb" in names and word.endswith(self._adverbs)
        return ends or any(word in self.kind(name) for name in names)

    def determiner(self, word: str, features: Features) -> Paradigm | None:
        """Return the paradigm in which *word* stands for *features*, whatever sound follows.

        A word that is a preposition as well (*de*) is none, unless a mark says so.
        """
        rows = self._paradigms.get(word, ())
        fitting = () if any(row.kind == SOUND for row in rows) else rows
        return next((row for row in fitting if row.stands(word, features.values)), None)

    def pronoun(self, word: str, features: Features) -> Paradigm | None:
        """Return the paradigm of pronouns in which *word* stands for *features*."""
        return next((row for row in self.language.pronouns if row.stands(word, features.values)), None)

    def any_paradigm(self, word: str) -> Paradigm | None:
        """Return the first paradigm of determiners or pronouns in which *word* stands."""
        pronouns = (paradigm for paradigm in self.language.pronouns if word in paradigm.words)
        return next(iter((*self.paradigms(word), *pronouns)), None)

    def named(self, word: str, name: str | None) -> Paradigm | None:
        """Return the paradigm *name*, of determiners or pronouns, if *word* stands in it."""
        rows = (*self.language.paradigms, *self.language.pronouns)
        return next((row for row in rows if row.id == name and word in row.words), None)

    def paradigms(self, word: str) -> Sequence[Paradigm]:
        """Return the paradigms of the pack in which *word* stands, in any cell."""
        return self._paradigms.get(word, ())

    def cells(self, word: str) -> set[Cell]:
        """Return the genders and numbers of the determiner *word*."""
        cells = (cell for paradigm in self.paradigms(word) for cell in paradigm.cells if word in cell.forms)
        return {one for cell in cells for one in self.language.cells(cell)}

    def is_adjective(self, word: str, features: Features) -> bool:
        """Tell whether an adjective or participle *word* fits *features*."""
        return any(reading.pos == "adj" and fits(reading, features) for reading in self.readings(word))

    def is_invariable(self, word: str) -> bool:
        """Tell whether *word* may stand in a noun phrase and shows neither gender nor number of it."""
        listed = any(word in words for words in self._kinds.values()) or bool(self.paradigms(word))
        readings = self.readings(word)
        return not listed and any(form.pos in ("num", "det") and form.gender is None for form in readings)

    def is_counting(self, word: str) -> bool:
        """Tell whether *word* is a numeral of the plural without gender: *três*."""
        return self.is_invariable(word) and any(form.pos == "num" for form in self.readings(word))

    def is_numeral(self, word: str, features: Features) -> bool:
        """Tell whether *word* is a numeral that agrees in gender and fits *features*: *duzentas*."""
        numerals = (reading for reading in self.readings(word) if reading.pos == "num" and reading.gender)
        return any(fits(reading, features) for reading in numerals)

    def _likelihood(self, word: str, pos: str) -> float:
        """Return the share of *pos* among the counts of *word*, smoothed over its listed parts of speech."""
        readings = self.readings(word)
        listed = {reading.pos for reading in readings}
        counts = {other: float(times) for other, times in self.analyser.tally(word).items()}
        if pos == "adj" and all(reading.number is None for reading in readings if reading.pos == "verb"):
            counts.pop("verb", None)  # no finite verb: a participle whose features a treebank leaves out
            listed.discard("verb")
        for other in listed:
            counts[other] = counts.get(other, 0.0) + UNSEEN / len(listed)
        return counts[pos] / sum(counts.values()) if pos in counts else 0.0

    def inflected(self, word: str, features: Features) -> str | None:
        """Return the adjective or participle *word* with *features*, or None when that form is not known."""
        paradigm = next((row for row in self._paradigms.get(word, ()) if row.kind == "adj"), None)
        if paradigm is not None:
            return paradigm.form(features.values)
        return self.analyser.counterpart(word, "adj", gender=features.gender, number=features.number)

    def _is_finite(self, word: str, number: Number) -> bool:
        """Tell whether *word* is most likely a finite verb of the third person, in *number*."""
        word, _ = self._without_clitics(word)
        if word in (self._plural if number == "sg" else self._singular):
            return True
        if self.paradigms(word) or self.is_kind(word, *NEVER_VERBS):
            return False
        readings = self.readings(word)
        if readings and self.likelihood(word, "verb") < LIKELY_VERB:
            return False
        if any(reading.pos == "verb" and reading.number is not None for reading in readings):
            return any(reading.pos == "verb" and reading.number == number for reading in readings)
        return self.ends_as_verb(word, number)

    def ends_as_verb(self, word: str, number: Number) -> bool:
        """Tell whether *word* has the ending of a finite verb in *number*, and none of an infinitive or participle."""
        ends = tuple(pair[0 if number == "sg" else 1] for pair in self.language.verb_endings)
        return word.endswith(ends) and not word.endswith(self._nonfinite)

    def is_infinitive(self, word: str) -> bool:
        """Tell whether *word* ends as an infinitive does, a personal one included (*ser*, *serem*)."""
        stems = [word, *(word.removesuffix(ending) for ending in sorted(self.kind("personal infinitive")))]
        return any(stem.endswith(self._nonfinite) for stem in stems)

    def is_regular_verb(self, word: str) -> bool:
        """Tell whether the ending of the unknown *word* is one that hardly a noun has: two letters or more."""
        return word.endswith(tuple(ending for pair in self.language.verb_endings for ending in pair if len(ending) > 1))

    def verb(self, word: str, number: Number) -> str | None:
        """Return the verb form *word* in *number*, its tense and person kept, or None when it is not known."""
        word, clitics = self._without_clitics(word)
        irregular, step = (self._plural, 1) if number == "pl" else (self._singular, -1)
        form = irregular.get(word) or self.analyser.counterpart(word, "verb", gender=None, number=number)
        if form is None and number == "sg":  # *surgirem*, of the personal infinitive or the future subjunctive
            stems = (word.removesuffix(ending) for ending in sorted(self.kind("personal infinitive")))
            form = next((stem for stem in stems if stem.endswith(self._nonfinite) and self.analyser.knows(stem)), None)
        endings = (pair[::step] for pair in self.language.verb_endings)
        form = form or next((word.removesuffix(old) + new for old, new in endings if word.endswith(old)), None)
        return None if form is None else form + clitics

    def _without_clitics(self, word: str) -> tuple[str, str]:
        """Return a verb and the pronouns that a hyphen joins to it: *mostrou* and *-se*."""
        verb, *pronouns = word.split("-")
        return (verb, word[len(verb) :]) if pronouns and self.kind("clitic").issuperset(pronouns) else (word, "")


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's new form of a token: empty where it goes, None where the rule is in doubt and a person should look."""

    index: int
    form: str | None
    rule: str
    size: int = 1  # in tokens
    joined: bool | None = None  # whether a space stands behind the form; None where that stays as it is


PhraseKind = Literal["noun", "prepositional", "adjective", "verb"]  # kind of a replacement


@dataclass(frozen=True, slots=True)
class NewPhrase:
    """The phrase in the place of the NC, where it may not be a noun phrase."""

    text: str = ""
    kind: PhraseKind = "noun"
    begins: tuple[str, str] = ("noun", "noun")  # part of speech of the first word of the NC, and of this phrase


class Scene:
    """The tokens of a sentence, the NC among them, and the features it had and gets."""

    def __init__(
        self, sentence: MarkedSentence, old: Features, new: Features, reader: Reader, phrase: NewPhrase
    ) -> None:
        self.sentence, self.old, self.new, self.reader, self.phrase = sentence, old, new, reader, phrase
        matches = list(re.finditer(reader.language.token, sentence.text))
        self.spans: list[Span] = [match.span() for match in matches]
        self.words = [plain(match[0].lower()) for match in matches]
        inside = [i for i, (start, end) in enumerate(self.spans) if start < sentence.span[1] and end > sentence.span[0]]
        self.first, self.last = inside[0], inside[-1]
        self.fixed = {i for i, span in enumerate(self.spans) if span in sentence.fixed}
        self.agreeing = {i for i, span in enumerate(self.spans) if span in sentence.agreeing}
        marks = sentence.paradigms
        self.paradigms = {i: marks[span] for i, span in enumerate(self.spans) if span in marks}

    def read_before(self, adjective: bool) -> Features:
        """Return the old features of a word before an *adjective*, or before anything else."""
        parts = ((name, next_part(adjective)) for name in self.reader.before)
        return replace(self.old, further=(*self.old.further, *parts))

    def word(self, index: int) -> str:
        """Return the token at *index* in lower case; the empty string outside the sentence and for fixed words."""
        return self.words[index] if 0 <= index < len(self.words) and index not in self.fixed else ""

    def text(self, index: int) -> str:
        """Return the token at *index* as it stands."""
        return self.sentence.text[slice(*self.spans[index])]

    def is_kind(self, index: int, *kinds: str) -> bool:
        """Tell whether the token at *index* is one of the pack's words of *kinds*."""
        return self.reader.is_kind(self.word(index), *kinds)

    def agrees(self, index: int, features: Features | None = None) -> bool:
        """Tell whether the token at *index* can be read as an adjective or participle with the old *features*."""
        if self.is_kind(index, "invariable", "quote", "comma", "stop"):
            return False
        return bool(self.word(index)) and self.reader.is_adjective(self.word(index), features or self.old)

    def skip(self, index: int, step: int, *kinds: str) -> int:
        """Return the first index from *index* on, in steps of *step*, whose word is not of *kinds*."""
        while self.is_kind(index, *kinds):
            index += step
        return index

    def is_verb(self, index: int, *numbers: Number) -> bool:
        """Tell whether the token at *index* is most likely a finite verb, in one of *numbers* (none: in either)."""
        if not self.word(index) or self._is_name(index):
            return False
        return any(self.reader.is_finite(self.word(index), number) for number in numbers or NUMBERS)

    def may_be_verb(self, index: int) -> bool:
        """Tell whether the token at *index* ends as a verb of the NC would, and was never counted as something else.

        *espalha*, which a lexicon without finite verbs lists as a noun.
        """
        word, reader = self.word(index), self.reader
        listed = not word or reader.paradigms(word) or self.is_kind(index, *NEVER_VERBS) or self._is_name(index)
        return not listed and not reader.analyser.tally(word) and reader.ends_as_verb(word, self.old.number)

    def _is_name(self, index: int) -> bool:
        """Tell whether the token at *index* has a capital that does not begin a sentence."""
        begins = index == 0 or self.is_kind(index - 1, "stop", "quote")
        return not begins and self.text(index)[:1].isupper() and not self.sentence.text.isupper()

    def adjective(self, index: int, rule: str) -> Iterable[Finding]:
        """Return the change that makes the adjective at *index* agree, or a doubt when its form is not known."""
        return (
            () if self.new == self.old else self.change(index, self.reader.inflected(self.word(index), self.new), rule)
        )

    def verb(self, index: int, rule: str) -> Iterable[Finding]:
        """Return the change of number of the verb at *index*, or a doubt when its form is not known."""
        same = self.new.number == self.old.number
        return () if same else self.change(index, self.reader.verb(self.word(index), self.new.number), rule)

    def change(self, index: int, form: str | None, rule: str, size: int = 1) -> Iterable[Finding]:
        """Return the change of *size* tokens from *index* on to *form*, nothing where they have it, or a doubt."""
        return [Finding(index, form, rule, size)] if form != self.several(index, size) else []

    def determiner(self, index: int, size: int, features: Features) -> Paradigm | None:
        """Return the paradigm in which *size* tokens from *index* on stand for *features*, that of their mark first."""
        word = self.several(index, size)
        return self.reader.named(word, self.paradigms.get(index)) or self.reader.determiner(word, features)

    def several(self, index: int, size: int) -> str:
        """Return *size* tokens from *index* on as one form: *de la*, *de l'*; the empty string where one is fixed."""
        words = [self.word(place) for place in range(index, index + size)]
        return " ".join(words) if all(words) else ""
