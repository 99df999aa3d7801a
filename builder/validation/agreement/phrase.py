"""Sentences with a span: their words, looked up in a pack and a source of forms, and the features of the span.

A word may be several things at once; the checks ask what it *may* be, and complain only when nothing fits.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from ncimp.builder.ports import CountedForms
from ncimp.builder.records import Form, Gender, Language, Number, Paradigm

Cell = tuple[Gender | None, Number]
Cells = frozenset[Cell]  # that a word may have in some part of speech; none when it cannot be one
NOTHING: Cells = frozenset()

POSSIBLE = 0.1  # share of a word's counted uses from which on a part of speech is considered
PRIOR = 0.5  # counts of a listed reading before any corpus is counted, so that a handful of counts rules nothing out
RARE = 0.2  # share of the uses of a noun's usual gender below which another is taken for a slip of the lexicon
SURE = 0.8  # least certainty of an ending that decides where a lexicon leaves the gender open and nothing was counted
KNOWN = 1 << 15  # words in memory


@dataclass(frozen=True, slots=True)
class Word:
    """One word and what it may be."""

    text: str  # in lower case
    kinds: frozenset[str] = frozenset()  # of the paradigms it stands in: article, contraction, possessive ...
    closed: Cells = NOTHING  # in those paradigms
    noun: Cells = NOTHING  # as a noun, in the genders that are usual for it
    any_noun: Cells = NOTHING  # as a noun, in every gender that any lexicon gives it
    adjective: Cells = NOTHING  # as an adjective or participle
    participle: bool = False  # an adjective that is a form of a verb
    numbers: frozenset[Number] = frozenset()  # as a finite verb
    shares: Mapping[str, float] = field(
        default_factory=dict
    )  # of each part of speech it may have, of 1; equal where no corpus was counted
    classes: frozenset[str] = frozenset()  # of `pack.toml` that list it
    adverb: bool = False  # by class, ending or use
    capital: bool = False

    def share(self, pos: str) -> float:
        """Return how likely the word is a *pos*, 0 to 1."""
        return self.shares.get(pos, 0.0)

    def may_be(self, pos: str) -> bool:
        """Tell whether *pos* is worth considering."""
        return self.share(pos) >= POSSIBLE

    def is_mostly(self, pos: str) -> bool:
        """Tell whether no other part of speech is likelier than *pos*."""
        return self.share(pos) > 0 and self.share(pos) >= max(self.shares.values())

    @property
    def is_attribute(self) -> bool:
        """Tell whether the word is an adjective or a participle as often as all else."""
        noun = self.share("noun")  # treebanks call participles verbs as well
        attributive = self.share("adj") + (self.share("verb") if self.participle and not self.numbers else 0.0)
        return attributive > 0 and attributive >= max(noun, 1 - attributive - noun)

    @property
    def nominal(self) -> bool:
        """Tell whether the word is part of a noun phrase, and does not begin one with a preposition."""
        return bool(self.kinds - {"contraction"}) or any(map(self.is_mostly, ("noun", "adj", "num")))


OUTSIDE = Word("")


class PackVocabulary:
    """The words of a language, looked up once each."""

    def __init__(self, language: Language, forms: CountedForms) -> None:
        self.language = language
        self._forms = forms
        self.cells: Cells = frozenset(language.cells())
        self._classes = {name: frozenset(words) for name, words in language.words.items()}
        self._adverb_endings = tuple(self.of_class("adverb ending"))
        self._pairs = dict(language.verb_forms) | {plural: singular for singular, plural in language.verb_forms}
        self._stated: defaultdict[str, frozenset[Number]] = defaultdict(frozenset)
        for singular, plural in language.verb_forms:
            self._stated[singular] |= {"sg"}
            self._stated[plural] |= {"pl"}
        sounding = {word for paradigm in language.paradigms if paradigm.kind == "sound" for word in paradigm.words}
        self._closed = _closed_classes(language, (row for row in language.paradigms if row.kind != "adj"))
        for word in sounding & self._closed.keys():  # a preposition (*de, d'*), whatever else it is
            del self._closed[word]
        self._tabled = _closed_classes(language, (row for row in language.paradigms if row.kind == "adj"))
        interrogatives = [paradigm for paradigm in language.pronouns if paradigm.kind == "interrogative"]
        self.interrogatives = {word: cells for word, (_, cells) in _closed_classes(language, interrogatives).items()}
        self.word = lru_cache(KNOWN)(self._look_up)

    def of_class(self, name: str) -> frozenset[str]:
        """Return the words that the pack lists under *name*."""
        return self._classes.get(name, frozenset())

    def expand(self, gender: Gender | None, number: Number | None) -> Cells:
        """Return every cell that these features leave open; common gender is every gender."""
        return frozenset(cell for cell in self.cells if gender in (None, "c", cell[0]) and number in (None, cell[1]))

    def counterpart(self, word: Word, pos: str, cells: Cells) -> str | None:
        """Return the form of *word* in one of *cells*, the nearest to its own, or None where it is not known.

        *pos* tells which word of an open class is meant.
        """
        if not cells:
            return None
        own = word.closed or word.adjective
        changes = {cell: min(((cell[0] != one[0]) + (cell[1] != one[1]) for one in own), default=0) for cell in cells}
        gender, number = min(sorted(cells), key=changes.__getitem__)
        if pos == "verb":
            form = self._forms.counterpart(word.text, "verb", gender=None, number=number)
            finite = form if form and number in self.word(form).numbers else None  # an infinitive has no number
            return self._pairs.get(word.text) or finite
        for paradigm in (*self.language.paradigms, *self.language.pronouns):
            if word.text in paradigm.words:
                return paradigm.form({"gender": gender, "number": number})
        return self._forms.counterpart(word.text, pos, gender=gender, number=number)

    def _look_up(self, token: str) -> Word:
        text = token.lower()
        readings = self._listed(token)
        kinds, closed = self._closed.get(text.replace("’", "'"), (frozenset(), NOTHING))
        nouns = [form for form in readings if form.pos == "noun"]
        adjectives = [form for form in readings if form.pos == "adj"]
        guess = None if readings or token[:1].isupper() else self._guess(token)  # that of a name betrays nothing
        word = Word(
            text=text,
            kinds=kinds,
            closed=closed,
            noun=self.expand(*guess) if guess else self._union(self._usual(text, nouns)),
            any_noun=self._union(nouns),
            adjective=self._union(adjectives) | self._tabled.get(text, (frozenset(), NOTHING))[1],
            participle=bool(adjectives) and self._is_participle(text, readings),
            numbers=self._numbers(text, readings),
            shares=self._shares(token, readings),
            classes=frozenset(name for name, words in self._classes.items() if text in words),
            adverb=False,
            capital=token[:1].isupper(),
        )
        is_adverb = word.classes & {"adverb", "degree"} or text.endswith(self._adverb_endings) or word.is_mostly("adv")
        return replace(word, adverb=bool(is_adverb) and not (kinds or word.classes & {"wh", "subordinator"}))

    def _listed(self, token: str) -> Sequence[Form]:
        """Return the readings of *token* that a lexicon lists: a guess is no evidence of a fault."""
        return self._forms.readings(token) if self._forms.knows(token) else ()

    def _union(self, forms: Iterable[Form]) -> Cells:
        return frozenset(cell for form in forms for cell in self.expand(form.gender, form.number))

    def _usual(self, text: str, readings: Sequence[Form]) -> Sequence[Form]:
        """Return the *readings* of the noun *text* in the genders in use: lexicons list too many of them."""
        counts: dict[Gender | None, int] = {}
        for form in readings:
            counts[form.gender] = max(counts.get(form.gender, 0), self._forms.count(form))
        is_open = counts.pop(None, None) is not None
        common_endings = tuple(self.language.words.get("common gender ending", ()))
        if is_open and (text in self.of_class("common gender") or text.endswith(common_endings)):
            return [replace(form, gender=None) for form in readings]
        most = max(counts.values(), default=0)
        if most or (len(counts) == 1 and not is_open):
            return [form for form in readings if form.gender and counts[form.gender] >= RARE * most]
        guess = self._guess(text)
        if guess is None or "-" in text:  # the last part of a compound betrays nothing: o longa-metragem
            return readings
        return [replace(form, gender=guess[0]) for form in readings]

    def _guess(self, text: str) -> tuple[Gender, Number] | None:
        """Return the gender and number that the ending of a noun betrays, or None where it is not sure."""
        endings = (row for row in self.language.endings if text.endswith(row[0]))
        _, gender, number, certainty = next(endings, ("", None, None, 0.0))
        return (gender, number) if gender and number and certainty >= SURE else None

    def _is_participle(self, text: str, readings: Sequence[Form]) -> bool:
        """Tell whether an adjective is a form of a verb as well: of that in its lemma, or by a reading of its own."""
        verbs = [form for form in readings if form.pos == "verb"]
        if verbs:
            return all(form.number is None and form.lemma != text for form in verbs)
        adjectives = (form for form in readings if form.pos == "adj")
        return any(all(one.pos != "adj" for one in self._listed(form.lemma)) for form in adjectives)

    def _shares(self, token: str, readings: Sequence[Form]) -> Mapping[str, float]:
        weights = {form.pos: PRIOR for form in readings}
        for pos, count in self._forms.tally(token).items():
            weights[pos] = weights.get(pos, 0.0) + count
        total = sum(weights.values())
        return {pos: weight / total for pos, weight in weights.items()}

    def _numbers(self, text: str, readings: Sequence[Form]) -> frozenset[Number]:
        """Return the numbers that *text* has as a finite verb; none where it may be an infinitive (*viajar*).

        The ending decides for a verb whose number no lexicon gives, and for a word that no lexicon has.
        """
        verbs = [form for form in readings if form.pos == "verb"]
        stated = self._stated.get(text, frozenset())
        if not stated and any(form.lemma == text for form in verbs):
            return frozenset()
        numbers = stated | {form.number for form in verbs if form.number}
        if numbers or (readings and (not verbs or any(form.pos == "adj" for form in readings))):
            return numbers
        for singular, plural in self.language.verb_endings:
            if text.endswith(plural):
                return frozenset({"pl"})
            if text.endswith(singular):
                return frozenset({"sg"})
        return frozenset()


def _closed_classes(language: Language, paradigms: Iterable[Paradigm]) -> dict[str, tuple[frozenset[str], Cells]]:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    cells: defaultdict[str, set[Cell]] = defaultdict(set)
    for paradigm in paradigms:
        for cell in paradigm.cells:
            for word in cell.forms:
                kinds[word].add(paradigm.kind)
                cells[word].update(language.cells(cell))
    return {word: (frozenset(kinds[word]), frozenset(cells[word])) for word in kinds}


Placed = tuple[int, Word]  # a word and the index of its token in the span


@dataclass(frozen=True, slots=True)
class Finding:
    """A word that does not agree, by the index of its token."""

    code: str
    index: int
    message: str


@dataclass(frozen=True, slots=True)
class PhraseFeatures:
    """Gender and number of a span."""

    cells: Cells  # that the phrase may have; none when its words do not tell
    inner: Cells = NOTHING  # of nouns after a preposition inside it: words right of the span may belong to them
    clash: int | None = None  # index in the span of a word that agrees with no head of it


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a sentence, and the place and the features of its span."""

    words: Sequence[Word]
    start: int
    end: int  # of the first token after the span
    features: PhraseFeatures
    vocabulary: PackVocabulary

    @property
    def cells(self) -> Cells:
        """Genders and numbers that the span may have."""
        return self.features.cells

    def word(self, index: int) -> Word:
        """Return the word at *index*, or `OUTSIDE`."""
        return self.words[index] if 0 <= index < len(self.words) else OUTSIDE

    def is_of(self, index: int, *classes: str) -> bool:
        """Tell whether the word at *index* is in one of the pack's *classes*."""
        return not self.word(index).classes.isdisjoint(classes)

    def is_boundary(self, index: int, *classes: str) -> bool:
        """Tell whether *index* is outside the sentence, at a mark that ends a clause, or at a word of *classes*."""
        return self.word(index) is OUTSIDE or self.is_of(index, "stop", *classes)

    def begins_as(self, index: int, name: str) -> bool:
        """Tell whether the word at *index* begins with one of the stems of the pack's class *name*."""
        return self.words[index].text.startswith(tuple(self.vocabulary.of_class(name)))

    def skip(self, index: int, step: int, *classes: str) -> int:
        """Return the first index from *index* on, in steps of *step*, whose word is in none of *classes*."""
        while self.is_of(index, *classes):
            index += step
        return index

    def skip_adverbs(self, index: int, step: int, *classes: str) -> int:
        """Return the same as `skip`, passing over adverbs, too."""
        while self.word(index).adverb or self.is_of(index, *classes):
            index += step
        return index

    def begins_clause(self, index: int) -> bool:
        """Tell whether a clause begins after *index*; not in a comparison (*teses como o controle civil*)."""
        opens = self.is_boundary(index) or self.is_of(index, "subordinator", "wh", "relative")
        return opens and not self.is_of(index, "role")

    def opens_clause(self, verb: int) -> bool:
        """Tell whether the verb at *verb* is the first of its clause, so that no subject stands before it."""
        before = self.skip_adverbs(self.skip(verb - 1, -1, "clitic"), -1)
        return self.begins_clause(before) and not self.is_of(before, "relative")

    def findings(
        self, code: str, index: int, relation: str, *, varies: bool = False, cells: Cells | None = None
    ) -> Iterator[Finding]:
        """Yield a finding: the word at *index*, its relation to the span, and its form in one of *cells* (the span's).

        Unless the word is known to vary, one that nobody can inflect may be invariable.
        """
        word, phrase = self.words[index], " ".join(word.text for word in self.words[self.start : self.end])
        pos = "verb" if code == "A110" else "adj"
        form = self.vocabulary.counterpart(word, pos, self.cells if cells is None else cells)
        if form is not None or varies:
            advice = f"write {form!r}" if form else "make it agree"
            yield Finding(code, index, f"{word.text!r} {relation} {phrase!r}; {advice}")


def features_of(tokens: Sequence[str], vocabulary: PackVocabulary) -> PhraseFeatures:
    """Return the features of the phrase *tokens*."""
    prepositions = vocabulary.of_class("preposition")
    pieces = list(_pieces(tokens, vocabulary))
    links = (at for at, (_, word) in enumerate(pieces) if word.text in prepositions or "contraction" in word.kinds)
    cut = next(links, len(pieces))  # there a phrase begins that depends on the head: tremores de terra
    inner = frozenset(cell for _, word in pieces[cut:] for cell in word.any_noun)
    # an adverb is no head, whatever else a lexicon calls it: não prioritário
    particle = {"adverb", "degree"}
    head = [(at, word) for at, word in pieces[:cut] if (word.noun or word.adjective) and not word.classes & particle]
    if len(head) > 1:
        return _agreed(head, inner)
    if not head:
        return PhraseFeatures(NOTHING, inner)
    word = head[0][1]
    as_noun = word.noun if _may_be(word, "noun") else NOTHING
    return PhraseFeatures(as_noun | word.adjective if word.is_attribute else as_noun or word.adjective, inner)


def _pieces(tokens: Sequence[str], vocabulary: PackVocabulary) -> Iterator[Placed]:
    """Yield the words of a phrase with their places; a hyphenated one that no lexicon has counts as its parts."""
    for at, token in enumerate(tokens):
        word = vocabulary.word(token)
        if "-" in token.strip("-") and not (word.noun or word.adjective):
            yield from ((at, vocabulary.word(part)) for part in token.split("-") if part)
        else:
            yield at, word


def _may_be(word: Word, pos: Literal["noun", "adj"]) -> bool:
    """Tell whether *word* may be a *pos* where only a noun or an adjective can stand (*era colonial*)."""
    cells = word.noun if pos == "noun" else word.adjective
    return bool(cells) and word.share(pos) >= POSSIBLE * (word.share("noun") + word.share("adj"))


def _agreed(head: Sequence[Placed], inner: Cells) -> PhraseFeatures:
    """Return the cells in which the words agree, each taken for the head in turn; else those of the likeliest head.

    The usual genders of nouns come before those that only a lexicon lists, likely adjectives before rare ones.
    """
    nouns = [word for _, word in head if _may_be(word, "noun")]
    for usual, likely in ((True, True), (False, True), (True, False)):
        shared: Cells = NOTHING
        for noun in nouns:
            cells = noun.noun if usual else noun.any_noun
            for _, other in head:
                if other is not noun:
                    cells &= other.adjective if _may_be(other, "adj") or not likely else NOTHING
            shared |= cells
        if shared:
            return PhraseFeatures(shared, inner)
    if not nouns:
        return PhraseFeatures(head[0][1].adjective, inner)
    noun = next((word for word in nouns if word.share("noun") >= word.share("adj")), nouns[0])
    rest = ((at, word) for at, word in head if word is not noun and not _may_be(word, "noun"))
    clash = next((at for at, word in rest if not word.adjective & noun.any_noun), None)
    return PhraseFeatures(noun.noun, inner, clash)
