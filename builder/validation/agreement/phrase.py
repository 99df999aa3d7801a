"""A sentence with a span, as validation sees it: its words looked up, and the features of the span."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ncimp.builder.validation.agreement.words import NOTHING, POSSIBLE, Cells, PackVocabulary, Word

Placed = tuple[int, Word]
"""A word and the index of its token in the span."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A word that does not agree."""

    code: str
    index: int
    """Index of its token."""
    message: str


@dataclass(frozen=True, slots=True)
class PhraseFeatures:
    """Gender and number of a span."""

    cells: Cells
    """Genders and numbers that the phrase may have; none when its words do not tell."""
    inner: Cells = NOTHING
    """Those of the nouns after a preposition inside it: words right of the span may belong to them."""
    clash: int | None = None
    """Index in the span of a word that agrees with no head of it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a sentence, and the place and the features of its span."""

    words: Sequence[Word]
    start: int
    end: int
    """Index of the first token after the span."""
    features: PhraseFeatures
    vocabulary: PackVocabulary

    @property
    def cells(self) -> Cells:
        """Genders and numbers that the span may have."""
        return self.features.cells

    def word(self, index: int) -> Word | None:
        """Return the word at *index*, or None outside the sentence."""
        return self.words[index] if 0 <= index < len(self.words) else None

    def is_of(self, index: int, *classes: str) -> bool:
        """Tell whether the word at *index* is in one of the pack's *classes*; outside the sentence there is none."""
        word = self.word(index)
        return word is not None and not word.classes.isdisjoint(classes)

    def has_kind(self, index: int, kind: str) -> bool:
        """Tell whether the word at *index* stands in a paradigm of this *kind*."""
        word = self.word(index)
        return word is not None and kind in word.kinds

    def is_adverb(self, index: int) -> bool:
        """Tell whether the word at *index* is an adverb, by class, ending or use."""
        word = self.word(index)
        return word is not None and word.adverb

    def is_boundary(self, index: int) -> bool:
        """Tell whether *index* is outside the sentence or at a mark that ends a clause."""
        return self.word(index) is None or self.is_of(index, "stop")

    def skip(self, index: int, step: int, *classes: str) -> int:
        """Return the first index from *index* on, in steps of *step*, whose word is in none of *classes*."""
        while self.is_of(index, *classes):
            index += step
        return index

    def skip_adverbs(self, index: int, step: int, *classes: str) -> int:
        """Return the same as `skip`, passing over adverbs, too."""
        while self.is_adverb(index) or self.is_of(index, *classes):
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

    def agreeing_form(self, index: int, pos: str = "adj", cells: Cells | None = None) -> str | None:
        """Return the form of the word at *index* in one of *cells* (the span's), or None where it is not known."""
        return self.vocabulary.counterpart(self.words[index], pos, self.cells if cells is None else cells)

    def finding(self, code: str, index: int, relation: str, form: str | None) -> Finding:
        """Return a finding: the word at *index*, its relation to the span, and the *form* that would agree."""
        phrase = " ".join(word.text for word in self.words[self.start : self.end])
        advice = f"write {form!r}" if form else "make it agree"
        return Finding(code, index, f"{self.words[index].text!r} {relation} {phrase!r}; {advice}")


def features_of(tokens: Sequence[str], vocabulary: PackVocabulary) -> PhraseFeatures:
    """Return the features of the phrase *tokens*."""
    prepositions = vocabulary.of_class("preposition")
    pieces = list(_pieces(tokens, vocabulary))
    links = (at for at, (_, word) in enumerate(pieces) if word.text in prepositions or "contraction" in word.kinds)
    cut = next(links, len(pieces))  # there a phrase begins that depends on the head: tremores de terra
    inner = frozenset(cell for _, word in pieces[cut:] for cell in word.any_noun)
    # an adverb is no head, whatever else a lexicon calls it: não prioritário
    head = [(at, word) for at, word in pieces[:cut] if (word.noun or word.adjective) and not _is_particle(word)]
    if len(head) > 1:
        return _agreed(head, inner)
    if not head:
        return PhraseFeatures(NOTHING, inner)
    word = head[0][1]
    as_noun = word.noun if _as_noun(word) else NOTHING
    return PhraseFeatures(as_noun | word.adjective if word.is_attribute else as_noun or word.adjective, inner)


def _pieces(tokens: Sequence[str], vocabulary: PackVocabulary) -> Iterator[Placed]:
    """Yield the words of a phrase with their places; a hyphenated one that no lexicon has counts as its parts."""
    for at, token in enumerate(tokens):
        word = vocabulary.word(token)
        if "-" in token.strip("-") and not (word.noun or word.adjective):
            yield from ((at, vocabulary.word(part)) for part in token.split("-") if part)
        else:
            yield at, word


def _is_particle(word: Word) -> bool:
    return bool(word.classes & {"adverb", "degree"})


def _as_noun(word: Word) -> bool:
    """Tell whether *word* may be a noun where only a noun or an adjective can stand (*era colonial*)."""
    return bool(word.noun) and word.share("noun") >= POSSIBLE * (word.share("noun") + word.share("adj"))


def _as_adjective(word: Word) -> bool:
    return bool(word.adjective) and word.share("adj") >= POSSIBLE * (word.share("noun") + word.share("adj"))


def _agreed(head: Sequence[Placed], inner: Cells) -> PhraseFeatures:
    """Return the cells in which the words agree, each taken for the head in turn; else those of the likeliest head.

    The usual genders of nouns come before those that only a lexicon lists, likely adjectives before rare ones.
    """
    nouns = [(at, word) for at, word in head if _as_noun(word)]
    for usual, likely in ((True, True), (False, True), (True, False)):
        shared: Cells = NOTHING
        for _, noun in nouns:
            cells = noun.noun if usual else noun.any_noun
            for _, other in head:
                if other is not noun:
                    cells &= other.adjective if _as_adjective(other) or not likely else NOTHING
            shared |= cells
        if shared:
            return PhraseFeatures(shared, inner)
    if not nouns:
        return PhraseFeatures(head[0][1].adjective, inner)
    _, noun = next(((at, word) for at, word in nouns if word.share("noun") >= word.share("adj")), nouns[0])
    rest = ((place, word) for place, word in head if word is not noun)
    clash = next((place for place, word in rest if not _as_noun(word) and not word.adjective & noun.any_noun), None)
    return PhraseFeatures(noun.noun, inner, clash)
