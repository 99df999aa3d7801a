"""Other forms of phrases that are given only as text: in another number, or with another head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ncimp.builder.grammar.phrase_reading import HYPHEN, SPACE, Part, Phrase, PhraseReader
from ncimp.builder.ports import Morphology
from ncimp.builder.records import Form, Gender, Language, Number


class PhraseForms:
    """Other forms of phrases that are given only as text."""

    def __init__(self, language: Language, morphology: Morphology) -> None:
        self._language = language
        self._morphology = morphology
        self._reader = PhraseReader(language, morphology)
        plurals = {single: plural for single, plural in language.inflection.plural.words.items() if SPACE in single}
        singulars = {plural: single for single, plural in plurals.items()}
        self._listed: Mapping[Number, Mapping[str, str]] = {"pl": plurals, "sg": singulars}

    def in_number(self, text: str, number: Number, *, join: str = SPACE) -> str | None:
        """Return *text* in *number*, or None when a form is not known: *alto mar* and pl give *altos mares*."""
        listed = self._listed_in_number(text, number)
        if listed is not None:
            return listed
        phrase = self._reader.read(text, join=join)
        forms = [self._part_in_number(part, number) for part in phrase.parts]
        return None if None in forms else join.join(form for form in forms if form is not None)

    def in_gender(self, text: str, gender: Gender) -> str | None:
        """Return *text* in *gender* as far as its head has one: *gato preto* and f give *gata preta*."""
        head = self._reader.read(text).head
        reading = self._reading(head) if head else None
        if head is None or reading is None:
            return None
        form = self._morphology.inflect(reading.lemma, head.pos, gender=gender, number=reading.number or "sg")
        return None if form is None else self.with_head(text, match_case(head.text, form), gender=gender)

    def with_head(self, text: str, head: str, *, gender: Gender | None = None) -> str | None:
        """Return *text* with *head* in the place of its own and its modifiers agreeing with that, or None.

        *gender* decides where *head* may be of either (*artista*); else the modifiers keep theirs.

        *abalo sísmico* with *trepidação* is *trepidação sísmica*; *caixa-preta* with *arca* is *arca preta*,
        for what replaces a hyphenated compound is written open.
        """
        phrase = self._opened(text)
        if phrase.head is None:
            return None
        own, number = self._features(head, phrase, gender)
        forms: list[str] = []
        for part in phrase.parts:
            form: str | None = part.text
            if part.role == "head":
                form = head
            elif part.role in ("agrees", "number"):
                form = self._agreeing(part, own if part.role == "agrees" else None, number)
            if form is None:
                return None
            forms.append(form)
        return phrase.join.join(forms)

    def head_of(self, text: str, *, join: str = SPACE) -> str:
        """Return the word of *text* that is its head."""
        head = self._reader.read(text, join=join).head
        return text if head is None else head.text

    def number_of(self, text: str) -> Number | None:
        """Return the number of *text*, or None where its words leave it open (*lápis*)."""
        return self._numbers(self._reader.read(text))

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
        """Return *text* read; a hyphenated compound with the pattern of its replacements."""
        if SPACE in text or HYPHEN not in text:
            return self._reader.read(text)
        phrase = self._reader.read(text, join=HYPHEN)
        if phrase.pattern is None:
            return phrase
        return replace(phrase, join=self._language.patterns[phrase.pattern.replacement].join)

    def _features(self, head: str, phrase: Phrase, wished: Gender | None) -> tuple[Gender | None, Number]:
        """Return the gender and number that *head* gives to its modifiers; what it leaves open stays as in *phrase*."""
        new = self._reader.read(head)
        reading = self._reading(new.head) if new.head else None
        gender = None if reading is None else reading.gender
        if gender is None and reading is not None and reading.pos == "noun":
            gender = self._morphology.gender(reading.lemma)
        if gender in (None, "c"):
            gender = wished or self._gender_shown(phrase) or self._language.inflection.default_gender
        return gender, self._numbers(new) or self._numbers(phrase) or "sg"

    def _gender_shown(self, phrase: Phrase) -> Gender | None:
        readings = (self._reading(part) for part in phrase.parts if part.role == "agrees")
        return next((reading.gender for reading in readings if reading and reading.gender), None)

    def _numbers(self, phrase: Phrase) -> Number | None:
        """Return the number of the head, or of a modifier where the head shows none."""
        parts = sorted((part for part in phrase.parts if part.role != "fixed"), key=lambda part: part.role != "head")
        readings = (self._reading(part) for part in parts)
        return next((reading.number for reading in readings if reading and reading.number), None)

    def _reading(self, part: Part) -> Form | None:
        readings = self._morphology.readings(part.text)
        return next((reading for reading in readings if reading.pos == part.pos), None)

    def _part_in_number(self, part: Part, number: Number) -> str | None:
        reading = self._reading(part)
        if part.role == "fixed" or (reading is not None and reading.number in (None, number)):
            return part.text
        if reading is None:  # nobody knows the word as this part of speech
            reading = Form(part.text, part.text, part.pos, None, None, None)
        # a noun has its gender too: *culpada* may have the lemma *culpado*
        gender = self._language.inflection.default_gender if reading.gender in ("c", None) else reading.gender
        form = self._morphology.inflect(reading.lemma, part.pos, gender=gender, number=number)
        return None if form is None else match_case(part.text, form)

    def _agreeing(self, part: Part, gender: Gender | None, number: Number) -> str | None:
        reading = self._reading(part)
        if reading is None:
            return None
        form = self._morphology.inflect(reading.lemma, part.pos, gender=gender, number=number)
        return None if form is None else match_case(part.text, form)


def match_case(word: str, form: str) -> str:
    """Return *form* with a capital where *word* begins with one; phrases of as many words, word by word."""
    words, forms = word.split(SPACE), form.split(SPACE)
    if len(words) == len(forms) > 1:
        return SPACE.join(match_case(*pair) for pair in zip(words, forms, strict=True))
    return form[:1].upper() + form[1:] if word[:1].isupper() else form
