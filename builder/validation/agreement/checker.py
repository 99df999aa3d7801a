"""A checker of agreement for any sentence: words around and inside a span, verbs whose subject it is, predicates.

It looks forms up and asks whether each word may stand where it stands, and shares no rule with the repair of
sentences. It reports a word only when none of its readings can agree: where words do not tell (*artista* may be a
man or a woman), or the structure is not certain, it keeps silent.

A phrase is taken for the subject of a verb when nothing governs it and one of these is the case: it begins a clause
and the verb follows; the verb begins the clause and is a passive, or one that its subject follows; a relative pronoun
follows and then a verb that can have no other subject; it is what an interrogative or a demonstrative is said to be
(*quais são os pontos fortes*, *este é um ponto forte*).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from ncimp.builder.ports import CountedForms
from ncimp.builder.records import Gender, Language, Number
from ncimp.builder.validation.agreement import bundles, noun_phrase, phrase
from ncimp.builder.validation.agreement.sound import SoundChecker

CHAIN = 4  # words after a finite verb among which its copula is looked for: têm de não ser


class AgreementChecker:
    """Checks sentences of one language."""

    def __init__(self, language: Language, forms: CountedForms) -> None:
        self._vocabulary = phrase.PackVocabulary(language, forms)
        self._bundles = bundles.Bundles(language, forms)
        self.sounds = SoundChecker(language, forms)

    def findings(
        self, tokens: Sequence[str], start: int, end: int, *, gender: Gender | None = None, number: Number | None = None
    ) -> list[phrase.Finding]:
        """Return the words that do not agree with the span [*start*, *end*) of *tokens*, in the order of the sentence.

        With *gender* or *number*, these are the span's, whatever its words say.
        """
        sounds = (row for row in self.sounds.findings(tokens[:end], start, end) if row.index >= start - 1)
        claimed = self._vocabulary.expand(gender, number)
        passage = self._passage(tokens, start, end, claimed, bool(gender and number))
        findings = [*sounds, *(self._agreement(passage) if passage else ())]
        return sorted(findings, key=lambda row: (row.index, row.code))

    def in_every_feature(
        self,
        tokens: Sequence[str],
        start: int,
        end: int,
        demands: bundles.Box,
        inside: Sequence[bundles.SpanWord],
        fixed: Collection[int] = (),
    ) -> Iterator[phrase.Finding]:
        """Yield the words of the phrase around a span that do not meet its *demands* in all features of the pack.

        Nothing where these are gender and number only. Words of the span are those *inside*; a *fixed* word does not
        belong to its phrase, nor any left of it.
        """
        cells = (
            cell
            for cell in self._vocabulary.cells
            if all(str(value) in demands.get(name, (value,)) for name, value in zip(bundles.NOMINAL, cell, strict=True))
        )
        is_certain = demands.keys() >= set(bundles.NOMINAL)
        passage = self._passage(tokens, start, end, frozenset(cells), is_certain) if self._bundles.is_needed else None
        if passage is not None:
            chain = noun_phrase.left_of(passage).members
            members = list(takewhile(lambda index: index not in fixed, chain))
            yield from self._bundles.findings(tokens, passage, members, demands, inside)

    def begin(self, tokens: Sequence[str], start: int, end: int) -> int:
        """Return the place of the first word of the phrase around a span."""
        passage = self._passage(tokens, start, end, self._vocabulary.cells, False)
        return noun_phrase.left_of(passage).begin if passage else start

    def _passage(
        self, tokens: Sequence[str], start: int, end: int, claimed: phrase.Cells, is_certain: bool
    ) -> phrase.Passage | None:
        """Return the words around a span, or None where nothing agrees or nobody can tell what the span is.

        One whose gender and number are certain is what it is *claimed* to be, whatever its words say.
        """
        vocabulary = self._vocabulary
        if not vocabulary.cells:
            return None
        features = phrase.features_of(tokens[start:end], vocabulary)
        cells = features.cells & claimed or (claimed if is_certain else phrase.NOTHING)
        if not cells:
            return None
        words = [vocabulary.word(token) for token in tokens]
        return phrase.Passage(words, start, end, replace(features, cells=cells), vocabulary)

    def _agreement(self, passage: phrase.Passage) -> Iterator[phrase.Finding]:
        left_side, right = noun_phrase.left_of(passage), noun_phrase.right_of(passage)
        yield from noun_phrase.check_inside(passage)
        yield from noun_phrase.check_left(passage, left_side)
        yield from noun_phrase.check_right(passage, left_side, right)
        yield from _clause(passage, left_side, right)


def _clause(passage: phrase.Passage, left_side: noun_phrase.Left, right: noun_phrase.Right) -> Iterator[phrase.Finding]:
    cells = passage.cells
    if passage.is_of(right.end, "coordinator") and _finite_verb(passage, right.end + 1) is None:
        cells |= passage.vocabulary.expand(None, "pl")  # with the other noun, if that is what follows
    wider = noun_phrase.together(passage, left_side) | noun_phrase.governing(passage, left_side)
    yield from _relative(passage, right, cells | wider)
    if not left_side.governed:
        if _begins_clause(passage, left_side):
            yield from _following(passage, right)
        yield from _preceding(passage, left_side, right, cells)


def _relative(passage: phrase.Passage, right: noun_phrase.Right, cells: phrase.Cells) -> Iterator[phrase.Finding]:
    """Check *os nós que têm de ser desatados*: a verb that predicates or has an object has no subject but *que*."""
    index = right.end
    while passage.word(index).capital:  # a name in apposition
        index += 1
    index = passage.skip(index, 1, "comma")
    verb = _finite_verb(passage, index + 1) if passage.is_of(index, "relative") else None
    if verb is not None:
        has_object = passage.word(verb + 1).kinds - {"contraction"}
        if has_object or _predicate(passage, verb) is not None:
            yield from _check_verb_phrase(passage, verb, cells)


def _begins_clause(passage: phrase.Passage, left_side: noun_phrase.Left) -> bool:
    index = passage.skip_adverbs(left_side.begin - 1, -1, "quote")
    determined = left_side.rank > 0 or bool(passage.words[passage.start].kinds)
    listed = passage.is_of(index, "coordinator") and passage.is_of(index - 1, "comma")
    if passage.is_of(index, "comma") or listed:
        return determined
    if passage.word(index).is_mostly("noun") and passage.is_of(index - 1, "wh", "relative"):
        return True  # em quais casos o centro pode
    return passage.begins_clause(index) or (index == 0 and passage.is_of(index, "coordinator"))


def _following(passage: phrase.Passage, right: noun_phrase.Right) -> Iterator[phrase.Finding]:
    """Check the verb after the phrase: *a roda gigante de Londres provou*."""
    complement = right.end  # prepositional phrases
    while passage.is_of(complement, "preposition") or "contraction" in passage.word(complement).kinds:
        complement += 1
        while passage.word(complement).capital or passage.word(complement).nominal:
            complement += 1
    verb = _finite_verb(passage, complement)
    if verb is None:
        return
    cells, plural = passage.cells, passage.vocabulary.expand(None, "pl")
    of_several = any(word.noun and word.noun <= plural for word in passage.words[right.end : complement])
    said = passage.word(passage.skip_adverbs(verb + 1, 1))
    said_cells = said.closed or said.noun if passage.is_of(verb, "impersonal") else phrase.NOTHING
    if of_several or (said_cells and said_cells <= plural):  # a maior parte dos casos são; a única alternativa eram as
        cells |= plural
    yield from _check_verb_phrase(passage, verb, cells)


def _preceding(
    passage: phrase.Passage, left_side: noun_phrase.Left, right: noun_phrase.Right, cells: phrase.Cells
) -> Iterator[phrase.Finding]:
    """Check a verb, and what it predicates, that stand before the phrase of the span."""
    index = passage.skip_adverbs(left_side.begin - 1, -1)
    word = passage.word(index)
    if word.is_attribute and not word.kinds:
        verb = passage.skip_adverbs(index - 1, -1)
        is_passive = passage.is_of(verb, "copula") and passage.words[verb].numbers and passage.opens_clause(verb)
        # foi criado um círculo, onde for encontrado trabalho escravo; é necessário paciência never varies
        if is_passive and (left_side.rank or not passage.is_of(index, "invariable predicate")):
            yield from _check_verb(passage, verb, cells)
            yield from _check_predicate(passage, index, cells)
    elif passage.is_of(index, "impersonal"):
        yield from _identity(passage, index, cells)
    else:
        presents = word.numbers and passage.begins_as(index, "presentational") and passage.opens_clause(index)
        if presents and _finite_verb(passage, right.end) is None:  # nasceu uma ideia
            yield from _check_verb(passage, index, cells)


def _identity(passage: phrase.Passage, verb: int, cells: phrase.Cells) -> Iterator[phrase.Finding]:
    """Check *quais são os pontos fortes*, *este é um ponto forte*, *não é um ponto forte*.

    Without a subject, *são um ponto forte* may be said of several; *é uns pontos fortes* can be said of nothing.
    """
    before = passage.skip_adverbs(verb - 1, -1)
    subject = passage.word(before)
    own = passage.vocabulary.interrogatives.get(subject.text, phrase.NOTHING)
    if before == 0 and "demonstrative" in subject.kinds:
        own = own or subject.closed
    if own:
        yield from _check_verb(passage, verb, cells)
        if not own & cells:
            yield from passage.findings("A111", before, "said to be", varies=True)
    elif "pl" not in passage.words[verb].numbers and (
        passage.opens_clause(verb) or passage.is_of(before, "coordinator")
    ):
        yield from _check_verb(passage, verb, cells)


def _finite_verb(passage: phrase.Passage, index: int) -> int | None:
    """Return the place of a finite verb at *index* or after adverbs and clitics there, or None."""
    index = passage.skip_adverbs(index, 1, "clitic")
    word = passage.word(index)
    if not word.numbers or word.capital:
        return None
    return index if word.is_mostly("verb") or not word.shares else None


def _predicate(passage: phrase.Passage, verb: int) -> int | None:
    """Return the place of the adjective or participle that a verb at *verb* predicates: *podem não ser utilizados*."""
    copula = None
    for index in range(verb, verb + CHAIN + 1):
        if passage.is_of(index, "copula"):
            copula = index
        elif not (index == verb or passage.word(index).adverb or passage.is_of(index, "linker")):
            break
    if copula is None:
        return None
    index = passage.skip_adverbs(copula + 1, 1, "degree")
    word, following = passage.word(index), passage.word(index + 1)
    before_noun = following.is_mostly("noun") or following.is_mostly("adj")
    return index if word.is_attribute and not word.kinds and not before_noun else None


def _check_verb(passage: phrase.Passage, verb: int, cells: phrase.Cells) -> Iterator[phrase.Finding]:
    numbers = passage.words[verb].numbers
    if numbers and not numbers & {number for _, number in cells}:
        yield from passage.findings("A110", verb, "with the subject", varies=True)


def _check_predicate(passage: phrase.Passage, index: int, cells: phrase.Cells) -> Iterator[phrase.Finding]:
    if not passage.words[index].adjective & cells:
        yield from passage.findings("A111", index, "said of")


def _check_verb_phrase(passage: phrase.Passage, verb: int, cells: phrase.Cells) -> Iterator[phrase.Finding]:
    """Check a verb, what it predicates, and another verb and predicate coordinated with them."""
    yield from _check_verb(passage, verb, cells)
    predicate = _predicate(passage, verb)
    if predicate is not None:
        yield from _check_predicate(passage, predicate, cells)
        second = _finite_verb(passage, predicate + 2) if passage.is_of(predicate + 1, "coordinator") else None
        if second is not None:
            yield from _check_verb_phrase(passage, second, cells)
