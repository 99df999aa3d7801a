"""The features of agreement, and phrases: built from lemmas by a pattern of the language, or read and inflected.

A phrase that is only text (*alto mar*, *sister-in-law*) names no pattern. Its head is the last word before the first
preposition where heads come last, and else the word that a pattern of the pack makes the head, by the parts of
speech that a `Morphology` knows for the words and the closed classes of `[inflection.phrases]`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ncimp.builder.ports import Morphology
from ncimp.builder.records import LINK, WITH_NEXT, Form, Gender, Language, Number, Pattern

NUMBERS: tuple[Number, ...] = ("sg", "pl")
GENDERS: tuple[Gender | None, ...] = (None, "m", "f", "n")

Cell = tuple[Gender | None, Number]  # of a noun phrase
Further = tuple[tuple[str, str], ...]  # features besides gender and number with their values, such as the case

Role = Literal["head", "agrees", "number", "fixed"]  # of a word in its phrase; as in a pattern's `modifier`
SPACE, HYPHEN = " ", "-"


@dataclass(frozen=True, slots=True)
class Features:
    """Gender (None where the language has none), number, and what else the sentence asks for, such as a case."""

    gender: Gender | None
    number: Number
    further: Further = ()

    @property
    def cell(self) -> Cell:
        """Gender and number; a word without gender stands in the masculine."""
        return self.gender or "m", self.number

    @property
    def values(self) -> dict[str, str | None]:
        """The values by feature, for the cells of a paradigm."""
        return {"gender": self.cell[0], "number": self.number, **dict(self.further)}


def fits(form: Form, features: Features) -> bool:
    """Tell whether *form* can have *features*; a form without a feature has every value of it."""
    further = {value for _, value in features.further}
    if form.further and further and not all(further & set(choice.split("/")) for choice in form.further.split()):
        return False
    return form.gender in (None, features.gender) and form.number in (None, features.number)


def inflect_phrase(
    language: Language, pattern: Pattern, *, modifier: str | None, head: str, features: Features,
    morphology: Morphology, modifier_number: Number | None = None,
) -> str | None:  # fmt: skip
    """Return the phrase of *modifier* and *head* as *pattern* builds it, or None when a form is not known.

    The head takes the *features*; a modifier that agrees does, too, one in apposition takes the number only; a fixed
    one stands as it is. N_A, `podre`, `maçã`, f and pl give *maçãs podres*.
    A *modifier_number* is that of a noun that does not agree, as in the phrase it stands for (*cesta de felinos*).
    Each word is chosen by the first sound of the next one (*bel ami*), so they are from the last to the first.
    """
    agreed = features.gender if pattern.modifier == "agrees" else None
    other = modifier_number if pattern.modifier != "agrees" else None
    further = tuple(value for _, value in features.further)
    varies = any(paradigm.kind == "adj" for paradigm in language.paradigms)
    text, sound = "", language.sound if varies else None

    def form_of(index: int, pos: str) -> str | None:
        values = further
        if sound is not None:
            following = text and morphology.onset(_first_word(text, language))
            values = (*further, following or sound[1].usual)
        if index == pattern.head:
            return morphology.inflect(head, pos, gender=features.gender, number=features.number, further=values)
        if modifier is None or (pattern.join and pattern.modifier == "fixed" and other != "pl"):
            return modifier
        if not pattern.join:  # *Esels|brücke*; of an adjective, its plain form
            linking = morphology.inflect(modifier, pos, gender=None, number="sg", further=(LINK,))
            return linking or modifier
        return morphology.inflect(modifier, pos, gender=agreed, number=other or features.number, further=values)

    for index, pos in reversed(list(enumerate(pattern.parts))):
        form = form_of(index, pos)
        if form is None:
            return None
        if not pattern.join and text:
            text = match_case(text, form) + text[:1].lower() + text[1:]
        else:
            text = form + (_joined(language, pattern, text, modifier, morphology) + text if text else "")
    return text


def _first_word(text: str, language: Language) -> str:
    return next((match[0] for match in re.finditer(language.token, text) if match[0][:1].isalnum()), text)


def _joined(language: Language, pattern: Pattern, text: str, modifier: str | None, morphology: Morphology) -> str:
    """Return what stands between the parts of a phrase before *text*, its last part."""
    before, mark, rest = pattern.join.partition("<")
    if not mark:
        return pattern.join
    name, _, after = rest.partition(">")
    features: dict[str, str | None] = {}
    if language.sound is not None:
        features[language.sound[0]] = morphology.onset(_first_word(text, language))
    if name.endswith(WITH_NEXT) and modifier is not None:
        form = next((form for form in morphology.readings(text) if form.lemma == modifier), None)
        features |= {"gender": morphology.gender(modifier), "number": form.number if form else None}
    paradigms = (row for row in language.paradigms if row.id == name.removesuffix(WITH_NEXT))
    cell = next(filter(None, (paradigm.cell(features) for paradigm in paradigms)), None)
    return pattern.join if cell is None else before + cell.spaced(cell.forms[0]) + after


def number_of_modifier(
    language: Language, text: str, pattern: Pattern, modifier: str | None, morphology: Morphology
) -> Number | None:
    """Return the number of a *modifier* (lemma) that does not agree, as it stands in *text*; None for any other."""
    words = language.cut(text, pattern) or ()
    if modifier is None or pattern.modifier == "agrees" or len(words) != 2:
        return None
    place = 1 - pattern.head
    singular, plural = (morphology.inflect(modifier, pattern.parts[place], gender=None, number=n) for n in NUMBERS)
    return "pl" if words[place].lower() == (plural or "").lower() != (singular or "").lower() else "sg"


def _join(forms: Iterable[str | None], join: str) -> str | None:
    words = []
    for form in forms:
        if form is None:
            return None
        words.append(form)
    return join.join(words)


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a phrase: its role and its part of speech there."""

    text: str
    role: Role
    pos: str = "noun"


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a phrase and their separator; a phrase that begins with a preposition has no head."""

    parts: tuple[Part, ...]
    join: str = SPACE
    pattern: Pattern | None = None  # the pattern that gave the roles, where one did

    @property
    def head(self) -> Part | None:
        """The word that carries gender and number, or None in a phrase that has neither (*de raça*)."""
        return next((part for part in self.parts if part.role == "head"), None)


class PhraseReader:
    """Finds heads by the patterns and closed classes of a language and the words that a morphology knows."""

    def __init__(self, language: Language, morphology: Morphology) -> None:
        self._rules = language.inflection.phrases
        self._uninflected = language.inflection.uninflected
        self._patterns = [pattern for pattern in language.patterns.values() if len(pattern.parts) > 1]
        self._head_last = all(pattern.head == len(pattern.parts) - 1 for pattern in self._patterns)
        self._morphology = morphology

    def read(self, text: str, *, join: str = SPACE) -> Phrase:
        """Return the words of *text*, cut at *join*, with their roles."""
        words = text.split(join)
        if len(words) > 1 and join == SPACE and not self._head_last and words[0].lower() in self._rules.prepositions:
            # where heads come last, a particle may begin a compound (*down payment*)
            return Phrase(tuple(Part(word, "fixed") for word in words), join)
        begin = 1 if join == HYPHEN and words[0].lower() in self._rules.hyphen_first and len(words) > 1 else 0
        end = self._end_of_head(words, begin)
        stem = words[begin:end]
        pattern = self._pattern(stem, join) if len(stem) == 2 else None
        if pattern is None:  # one head, and round it every word that can agree
            place = len(stem) - 1 if self._head_last else self._first_noun(stem)
            parts = [self._part(word, index == place) for index, word in enumerate(stem)]
        else:
            parts = self._parts_by_pattern(stem, pattern)
        before, after = ([Part(word, "fixed") for word in rest] for rest in (words[:begin], words[end:]))
        return Phrase((*before, *parts, *after), join, pattern)

    def _end_of_head(self, words: Sequence[str], begin: int) -> int:
        """Return the end of the part with the head: before a preposition, or at the end of the phrase."""
        for index in range(begin + 1, len(words)):
            if words[index].lower() in self._rules.prepositions:
                last = index == len(words) - 1
                # a particle at the end is not a preposition: only *passer-by* inflects its first word before one
                if not last or words[index - 1].lower().endswith(self._rules.agentive or ("\0",)):
                    return index
        return len(words)

    def _pattern(self, words: Sequence[str], join: str) -> Pattern | None:
        """Return a pattern that the two *words* fit; after a prenominal adjective one with the head last.

        One with a modifier that agrees goes first: *pé direito* has an adjective, although *direito* is a noun as well.
        """
        if any(word.lower() in self._rules.unchanging for word in words):
            return None
        kinds = [self._kinds(word) for word in words]
        joined = [pattern for pattern in self._patterns if pattern.join == join]
        joined = joined or [pattern for pattern in self._patterns if pattern.join == SPACE]
        fitting = [p for p in joined if all(pos in possible for pos, possible in zip(p.parts, kinds, strict=True))]
        prenominal = self._is_prenominal(words[0])
        # of equals, the first in the pack
        return min(fitting, key=lambda p: (prenominal and p.head == 0, p.modifier != "agrees"), default=None)

    def _parts_by_pattern(self, words: Sequence[str], pattern: Pattern) -> list[Part]:
        parts = []
        for index, (word, pos) in enumerate(zip(words, pattern.parts, strict=True)):
            role: Role = "head" if index == pattern.head else pattern.modifier
            if index > pattern.head and word.lower() in self._rules.apposed:
                role = "fixed"
            parts.append(Part(word, role, pos))
        return parts

    def _part(self, word: str, is_head: bool) -> Part:
        kinds = self._kinds(word)
        if is_head:  # a noun if it can be one, or if its other parts of speech do not inflect
            adjective = "adj" in kinds and "noun" not in kinds and "adj" not in self._uninflected
            return Part(word, "head", "adj" if adjective else "noun")
        # an unknown word may change: its form is then reported as missing
        may_agree = "adj" in kinds or (not kinds and word.lower() not in self._rules.unchanging)
        agreeing = any(pattern.modifier == "agrees" for pattern in self._patterns)
        return Part(word, "agrees", "adj") if may_agree and agreeing else Part(word, "fixed")

    def _kinds(self, word: str) -> list[str]:
        """Return the possible parts of speech of *word*, the likeliest first."""
        if word.lower() in self._rules.unchanging:
            return []
        return list(dict.fromkeys(reading.pos for reading in self._morphology.readings(word)))

    def _is_prenominal(self, word: str) -> bool:
        lemmas = {reading.lemma for reading in self._morphology.readings(word) if reading.pos == "adj"}
        return not lemmas.isdisjoint(self._rules.prenominal)

    def _first_noun(self, words: Sequence[str]) -> int:
        nouns = [index for index, word in enumerate(words) if "noun" in self._kinds(word)]
        plain = [index for index in nouns if not self._is_prenominal(words[index])]
        changing = [index for index, word in enumerate(words) if word.lower() not in self._rules.unchanging]
        return next(iter((*plain, *nouns, *changing)), 0)


class PhraseForms:
    """Other forms of phrases that are only text: in another number, or with another head."""

    def __init__(self, language: Language, morphology: Morphology) -> None:
        self._language, self._morphology = language, morphology
        self._reader = PhraseReader(language, morphology)
        plurals = {single: plural for single, plural in language.inflection.plural.words.items() if SPACE in single}
        singulars = {plural: single for single, plural in plurals.items()}
        self._listed: Mapping[Number, Mapping[str, str]] = {"pl": plurals, "sg": singulars}

    def in_number(self, text: str, number: Number, *, join: str = SPACE) -> str | None:
        """Return *text* in *number*, or None when a form is not known: *alto mar* and pl give *altos mares*."""
        listed = self._listed_in_number(text, number)
        if listed is not None:
            return listed
        parts = self._reader.read(text, join=join).parts
        return _join((self._part_in_number(part, number) for part in parts), join)

    def in_gender(self, text: str, gender: Gender) -> str | None:
        """Return *text* in *gender* as far as its head has one: *gato preto* and f give *gata preta*."""
        head = self._reader.read(text).head
        reading = self._reading(head)
        if head is None or reading is None:
            return None
        form = self._morphology.inflect(reading.lemma, head.pos, gender=gender, number=reading.number or "sg")
        return None if form is None else self.with_head(text, match_case(head.text, form), gender=gender)

    def with_head(self, text: str, head: str, *, gender: Gender | None = None) -> str | None:
        """Return *text* with *head* in the place of its own and its modifiers agreeing with it, or None.

        *gender* decides where *head* may be of either (*artista*); else the modifiers keep theirs.

        *abalo sísmico* with *trepidação* is *trepidação sísmica*; *caixa-preta* with *arca* is *arca preta*:
        the replacement of a hyphenated compound is written open.
        """
        phrase = self._opened(text)
        if phrase.head is None:
            return None
        new_gender, number = self._features(head, phrase, gender)

        def form_of(part: Part) -> str | None:
            if part.role in ("head", "fixed"):
                return head if part.role == "head" else part.text
            reading = self._reading(part)
            agreed = new_gender if part.role == "agrees" else None
            return None if reading is None else self._inflected(part, reading, agreed, number)

        return _join(map(form_of, phrase.parts), phrase.join)

    def head_of(self, text: str, *, join: str = SPACE) -> str:
        """Return the word of *text* that is its head."""
        head = self._reader.read(text, join=join).head
        return text if head is None else head.text

    def number_of(self, text: str) -> Number | None:
        """Return the number of *text*, or None where its words leave it open (*lápis*)."""
        return self._number(self._reader.read(text))

    def _listed_in_number(self, text: str, number: Number) -> str | None:
        """Return *text* in *number* if the pack lists it, or its last words, as a phrase: *deputy attorney general*."""
        words = text.split(SPACE)
        for start in range(len(words) - 1):
            tail = SPACE.join(words[start:])
            listed = self._listed[number].get(tail.lower())
            if listed is not None:
                return SPACE.join((*words[:start], match_case(tail, listed)))
            if tail.lower() in self._listed[number].values():
                return text
        return None

    def _opened(self, text: str) -> Phrase:
        """Return the phrase *text*; a hyphenated compound with the separator of its replacements."""
        if SPACE in text or HYPHEN not in text:
            return self._reader.read(text)
        phrase = self._reader.read(text, join=HYPHEN)
        if phrase.pattern is None:
            return phrase
        return replace(phrase, join=self._language.patterns[phrase.pattern.replacement].join)

    def _features(self, head: str, phrase: Phrase, preferred: Gender | None) -> tuple[Gender | None, Number]:
        """Return the gender and number that *head* gives its modifiers; *phrase* decides what it leaves open."""
        new = self._reader.read(head)
        reading = self._reading(new.head)
        gender = None if reading is None else reading.gender
        if gender is None and reading is not None and reading.pos == "noun":
            gender = self._morphology.gender(reading.lemma)
        if gender in (None, "c"):
            readings = (self._reading(part) for part in phrase.parts if part.role == "agrees")
            of_modifier = next((reading.gender for reading in readings if reading and reading.gender), None)
            gender = preferred or of_modifier or self._language.inflection.default_gender
        return gender, self._number(new) or self._number(phrase) or "sg"

    def _number(self, phrase: Phrase) -> Number | None:
        # of a modifier where the head shows none
        parts = sorted((part for part in phrase.parts if part.role != "fixed"), key=lambda part: part.role != "head")
        readings = (self._reading(part) for part in parts)
        return next((reading.number for reading in readings if reading and reading.number), None)

    def _reading(self, part: Part | None) -> Form | None:
        readings = self._morphology.readings(part.text) if part else ()
        return next((reading for reading in readings if part and reading.pos == part.pos), None)

    def _part_in_number(self, part: Part, number: Number) -> str | None:
        reading = self._reading(part)
        if part.role == "fixed" or (reading is not None and reading.number in (None, number)):
            return part.text
        if reading is None:  # the word is not known as this part of speech
            reading = Form(part.text, part.text, part.pos, None, None, None)
        # a noun has its gender too: *culpada* may have the lemma *culpado*
        gender = self._language.inflection.default_gender if reading.gender in ("c", None) else reading.gender
        return self._inflected(part, reading, gender, number)

    def _inflected(self, part: Part, reading: Form, gender: Gender | None, number: Number) -> str | None:
        form = self._morphology.inflect(reading.lemma, part.pos, gender=gender, number=number)
        return None if form is None else match_case(part.text, form)


def match_case(word: str, form: str) -> str:
    """Return *form* with a capital where *word* begins with one; phrases of as many words, word by word."""
    words, forms = word.split(SPACE), form.split(SPACE)
    if len(words) == len(forms) > 1:
        return SPACE.join(match_case(*pair) for pair in zip(words, forms, strict=True))
    return form[:1].upper() + form[1:] if word[:1].isupper() else form
