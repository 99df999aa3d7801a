"""Forms of a pack: inflection out of `forms.tsv`, first sounds out of `pack.toml`, and spellings of compounds."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product

from ncimp.builder.grammar import HYPHEN
from ncimp.builder.records import LINK, Compound, Form, Gender, Language, LanguagePack, Number, Onset, Pattern
from ncimp.builder.sources.lexicons.readers import Entry

Words = tuple[str, ...]


class PackMorphology:
    """The forms that a pack lists (an `Analyser`)."""

    def __init__(self, forms: Iterable[Form] = (), language: Language | None = None) -> None:
        self._by_form: dict[str, list[Form]] = defaultdict(list)
        self._by_lemma: dict[tuple[str, str], list[Form]] = defaultdict(list)
        for form in forms:
            self._by_form[form.form.lower()].append(form)
            self._by_lemma[form.lemma, form.pos].append(form)
        sound = language.sound[1] if language and language.sound else None
        self._onsets = [(re.compile(rule.match), rule.value) for rule in sound.patterns] if sound else []
        self._default = (sound.default if sound else None) or ""

    def inflect(
        self, lemma: str, pos: str, *, gender: Gender | None, number: Number, further: Collection[str] = ()
    ) -> str | None:
        """Return the first form of *lemma* that fits, or None."""
        forms = (form for form in self._by_lemma.get((lemma, pos), ()) if fits(form, gender, number))
        return next((form.form for form in forms if is_for(form, further)), None)

    def gender(self, noun: str) -> Gender | None:
        """Return the gender of the noun lemma *noun*, or None where it has none or is not known."""
        return next((form.gender for form in self._by_lemma.get((noun, "noun"), ())), None)

    def readings(self, form: str) -> Sequence[Form]:
        """Return every reading of *form* in the table, whatever its case."""
        return tuple(self._by_form.get(form.lower(), ()))

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of the same lemma with these features, or None when the table has none."""
        if pos == "verb":  # a pack has no tenses
            return None
        lemmas = dict.fromkeys(reading.lemma for reading in self.readings(form) if reading.pos == pos)
        forms = (self.inflect(lemma, pos, gender=gender, number=number) for lemma in lemmas)
        return next((other for other in forms if other is not None), None)

    def knows(self, form: str) -> bool:
        """Tell whether the table lists *form*."""
        return form.lower() in self._by_form

    def tally(self, form: str) -> dict[str, int]:  # noqa: ARG002 (a pack counts nothing)
        """Return no counts."""
        return {}

    def count(self, reading: Form) -> int:  # noqa: ARG002
        """Return 0."""
        return 0

    def inflected(self, lemma: str, pos: str) -> Sequence[Form]:
        """Return every form of *lemma* as a *pos*, in the order of the table."""
        return tuple(self._by_lemma.get((lemma, pos), ()))

    def onset(self, word: str) -> Onset:
        """Return the class of the first sound of *word*, by its row, else by the first pattern that matches."""
        listed = (form.onset for form in self._by_form.get(word.lower(), ()) if form.onset)
        shapes = (word, word.lower())  # as it stands, for acronyms
        matches = (onset for pattern, onset in self._onsets if any(map(pattern.match, shapes)))
        return next(listed, None) or next(matches, self._default)


def fits(form: Form | Entry, gender: Gender | None, number: Number | None) -> bool:
    """Tell whether a form has these features; one without a feature fits every value of it, and None any form."""
    return (number is None or form.number in (None, number)) and (gender is None or form.gender in (None, gender))


def is_for(form: Form, further: Collection[str]) -> bool:
    """Tell whether a form that is for some values of further features only is for these; for any, without them.

    The first part of a closed compound is for nothing else.
    """
    if form.further is None or LINK in (form.further, *further):
        return (form.further == LINK) == (LINK in further)
    return not further or all(set(values.split("/")) & set(further) for values in form.further.split())


class Speller:
    """The spellings of compounds of one language in a corpus: inflected, open and hyphenated.

        spellings_of("eager beaver")  →  eager beaver, eager beavers, eager-beaver, eager-beavers, eager - beaver, …

    Head and modifier are inflected by the pattern of the compound, so *rats race* is no spelling of *rat race*. A
    compound that is hyphenated in the list has no open spelling: *dedo duro* is mostly a finger that is hard.
    """

    def __init__(self, pack: LanguagePack) -> None:
        self._language = pack.language
        self._morphology = PackMorphology(pack.forms, pack.language)
        self._compounds = {compound.text: compound for compound in pack.compounds}

    def spellings_of(self, text: str, compound: Compound | None = None) -> frozenset[Words]:
        """Return the spellings of the compound *text* as sequences of words, *text* itself among them.

        Its components are those of *compound*, else of the compound in the pack, else of every pattern of the language
        that fits the readings of its words.
        """
        spellings: set[Words] = set()
        for words in (_words(text), *self._phrases(text, compound)):
            plain = tuple(word for word in words if word != HYPHEN)
            if HYPHEN not in text:
                spellings.add(plain)
            if len(plain) > 1:
                spellings |= {(HYPHEN.join(plain),), _words(HYPHEN.join(plain))}
        return frozenset(spellings)

    def _phrases(self, text: str, compound: Compound | None) -> Iterator[Words]:
        entry = compound or self._compounds.get(text)
        patterns = self._language.patterns
        for pattern in patterns.values() if entry is None else (patterns[entry.pattern],):
            words = self._language.cut(text, pattern, entry.parts if entry else None)
            if words is None:
                continue
            if entry is not None:
                lemmas = [[entry.head if place == pattern.head else entry.modifier] for place in range(len(words))]
            else:
                readings = zip(pattern.parts, map(self._morphology.readings, words), strict=True)
                lemmas = [list(dict.fromkeys(row.lemma for row in rows if row.pos == pos)) for pos, rows in readings]
            for combination in product(*lemmas):
                yield from self._inflected(pattern, combination, words)

    def _inflected(self, pattern: Pattern, lemmas: Words, words: Words) -> Iterator[Words]:
        """Yield the words of the compound with its head in each form, and the modifier in those that fit."""
        for head in self._morphology.inflected(lemmas[pattern.head], pattern.parts[pattern.head]):
            choices: list[set[str]] = []
            for place, (lemma, pos) in enumerate(zip(lemmas, pattern.parts, strict=True)):
                if place == pattern.head:
                    choices.append({head.form})
                elif pattern.modifier == "fixed":
                    choices.append({words[place]})
                else:
                    gender = head.gender if pattern.modifier == "agrees" else None
                    forms = self._morphology.inflected(lemma, pos)
                    choices.append({form.form for form in forms if fits(form, gender, head.number)})
            for parts in product(*map(sorted, choices)):
                yield from (_words(join.join(parts)) for join in self._language.joins(pattern))


def _words(text: str) -> Words:
    return tuple(text.replace(HYPHEN, f" {HYPHEN} ").split())
