"""A1xx: does everything around and inside a span agree with it? One checker for any sentence, and the items' own rules.

The checker looks forms up and asks whether each word may stand where it stands; it shares no rule with the repair of
sentences. It reports a word only when none of its readings can agree: where words do not tell (*artista* may be a
man or a woman), or the structure is not certain, it keeps silent. Of an item more is known: the pack lists every word
beside a span, marks agreeing words further away, and the item claims a gender and a number. These rules come first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ncimp.builder.records import COMPONENTS, NEUTRAL, Gender, Incident, Item, Language, Number, Pattern
from ncimp.builder.validation.agreement.clause import check_clause
from ncimp.builder.validation.agreement.noun_phrase import check_inside, check_left, check_right, left_of, right_of
from ncimp.builder.validation.agreement.phrase import Finding, Passage, features_of
from ncimp.builder.validation.agreement.words import NOTHING, Forms, PackVocabulary
from ncimp.builder.validation.scope import LANGUAGE, Lookup, Scope, cells_of, fits, span_text, split_phrase

NOMINAL = ("noun", "adj")
"""Parts of speech of a component."""

CHAIN = ("adj", "num", "det")
"""Open-class parts of speech that may stand between a determiner and its noun."""

Found = Iterator[tuple[str, str]]


class AgreementChecker:
    """Checks sentences of one language."""

    def __init__(self, language: Language, forms: Forms) -> None:
        self._vocabulary = PackVocabulary(language, forms)
        self._forms = forms
        self._alternations = {row.consonant: ("consonant", row.vowel) for row in language.alternations}
        self._alternations |= {row.vowel: ("vowel", row.consonant) for row in language.alternations}

    def findings(
        self, tokens: Sequence[str], start: int, end: int, *, gender: Gender | None = None, number: Number | None = None
    ) -> list[Finding]:
        """Return the words that do not agree with the span [*start*, *end*) of *tokens*, in the order of the sentence.

        With *gender* or *number*, these are the span's, whatever its words say.
        """
        findings = [*self._sandhi(tokens, start, end), *self._agreement(tokens, start, end, gender, number)]
        return sorted(findings, key=lambda row: (row.index, row.code))

    def _sandhi(self, tokens: Sequence[str], start: int, end: int) -> Iterator[Finding]:
        """A101 for a word before the span, or in it, whose form does not suit the first sound of the next."""
        for index, (word, following) in enumerate(pairwise(tokens[:end])):
            alternation = self._alternations.get(word.lower()) if index >= start - 1 else None
            if alternation and self._forms.onset(following) != alternation[0]:
                yield Finding("A101", index, f"{word!r} before {following!r}; write {alternation[1]!r}")

    def _agreement(
        self, tokens: Sequence[str], start: int, end: int, gender: Gender | None, number: Number | None
    ) -> Iterator[Finding]:
        vocabulary = self._vocabulary
        if not vocabulary.cells:
            return  # nothing agrees in this language
        features = features_of(tokens[start:end], vocabulary)
        claimed = vocabulary.expand(gender, number)
        cells = features.cells & claimed or (claimed if gender and number else NOTHING)
        if not cells:
            return
        words = [vocabulary.word(token) for token in tokens]
        passage = Passage(words, start, end, replace(features, cells=cells), vocabulary)
        left_side, right = left_of(passage), right_of(passage)
        yield from check_inside(passage)
        yield from check_left(passage, left_side)
        yield from check_right(passage, left_side, right)
        yield from check_clause(passage, left_side, right)


@LANGUAGE.check("A109", "the rules of agreement could not decide on a word of the carrier")
def _undecided(scope: Scope) -> Found:
    for item, _ in scope.cells:
        if item.uncertain:
            yield item.id, f"undecided: {', '.join(item.uncertain)}; look at it, and mark what agrees"


@LANGUAGE.checks(
    A101="an article or other word has the wrong form for the sound that follows",
    A102="a determiner or contraction left of the span does not agree with it",
    A103="the words inside the span do not agree with each other",
    A104="an adjective or participle beside the span does not agree with it",
    A105="a word that the context marks as agreeing with the span does not",
    A106="a word of the span, or beside it, has no entry in forms.tsv, so its agreement cannot be checked",
    A107="the item claims another gender than its head has",
    A108="the span is not in the number of its context",
    A110="a verb is not in the number of the span, its subject",
    A111="what is said of the span, its subject, does not agree with it",
)
def _agreement(scope: Scope) -> Iterator[Incident]:
    for item in scope.sentences:
        alone = item.variant in COMPONENTS and item.context in NEUTRAL  # a frame takes the number of what fills it
        if not alone and item.number != scope.pack.numbers.get((item.compound, item.context), item.number):
            message = f"{item.number!r} is not the number of its context; inflect the span"
            yield Incident("A108", item.id, message)
    checker = AgreementChecker(scope.lookup.language, scope.lookup)
    for item, original in scope.cells:
        incidents = list(_ItemRules(item, original, scope.lookup).incidents())
        yield from incidents
        yield from _unmarked(item, scope.lookup, checker, {incident.code for incident in incidents})


def _unmarked(item: Item, lookup: Lookup, checker: AgreementChecker, reported: set[str]) -> Iterator[Incident]:
    """Yield the findings in words that are not marked, but for codes already *reported* of the item.

    A component that stands alone in a written sentence leaves it as it was, by policy, and is not looked at.
    """
    if not lookup.agrees or (item.variant in COMPONENTS and item.context not in NEUTRAL):
        return
    marks = (*_marks(item, lookup, agreeing=True), *_marks(item, lookup, agreeing=False))
    marked = {index % len(item.tokens) for index, _ in marks}
    for finding in checker.findings(item.tokens, *item.token_span, gender=item.gender, number=item.number):
        if finding.index not in marked and finding.code not in reported:
            yield Incident(finding.code, item.id, finding.message)


def _marks(item: Item, lookup: Lookup, *, agreeing: bool) -> Iterator[tuple[int, str]]:
    """Yield (token index, word in the pack's sentence) of the marked words of the context of *item*."""
    sentence = lookup.pack.marked.get((item.compound, item.context))
    if sentence is None:
        return
    for start, end in sentence.agreeing if agreeing else sentence.fixed:
        # words left of the span keep their distance from the start, words right of it from the end
        if end <= sentence.span[0]:
            index = len(lookup.tokens(sentence.text[:start]))
        else:
            index = len(item.tokens) - len(lookup.tokens(sentence.text[start:]))
        yield index, sentence.text[start:end]


class _ItemRules:
    """The rules for the words inside and beside the span of an item, and for those that its context marks."""

    def __init__(self, item: Item, original: Item, lookup: Lookup) -> None:
        self.item, self.original, self.lookup = item, original, lookup
        self.text = span_text(item)
        self.fixed = {index for index, _ in _marks(item, lookup, agreeing=False)}
        self.agreeing = dict(_marks(item, lookup, agreeing=True))

    def incidents(self) -> Iterator[Incident]:
        """Yield the incidents of the item; a component alone has to agree in a frame only."""
        yield from self._sandhi()
        alone = self.item.variant in COMPONENTS
        if not alone:
            yield from self._inside()
        if not self.lookup.agrees or (alone and self.item.context not in NEUTRAL):
            return
        readings = self.lookup.readings(self.text, *NOMINAL) if alone else ()
        if readings and not self._fits(cells_of(readings)):
            yield self._incident("A107", f"{self.text!r} is not {self.item.gender} {self.item.number}; mend forms.tsv")
        yield from self._left()
        if not alone:
            yield from self._right()
        yield from self._marked()

    def _incident(self, code: str, message: str) -> Incident:
        return Incident(code, self.item.id, message)

    def _fits(self, cells: Sequence[tuple[Gender | None, Number | None]]) -> bool:
        return fits(cells, self.item.gender, self.item.number)

    def _disagrees(self, code: str, word: str, side: str) -> Incident:
        return self._incident(code, f"{word!r} {side} {self.text!r}; make it agree, or mark it {{={word}}}")

    def _sandhi(self) -> Iterator[Incident]:
        """A101 anywhere in the sentence, by first sounds that forms.tsv lists; A106 where it lists none."""
        for alternation in self.lookup.language.alternations:
            sounds = {alternation.consonant: "consonant", alternation.vowel: "vowel"}
            for index, (word, following) in enumerate(pairwise(self.item.tokens)):
                sound = sounds.get(word.lower())
                if sound is None:
                    continue
                onsets = {form.onset for form in self.lookup.readings(following) if form.onset}
                if onsets and sound not in onsets:
                    yield self._incident("A101", f"{word!r} before {following!r}; write the other form")
                if not onsets and index + 1 == self.item.token_span[0]:
                    yield self._incident("A106", f"{following!r} has no first sound; add it to forms.tsv")

    def _inside(self) -> Iterator[Incident]:
        """A103, A106, A107 and A108: the head's number and gender, and whether the modifier follows them."""
        item, pattern = self.item, self.lookup.language.patterns.get(self.item.pattern or "")
        parts = split_phrase(self.text, pattern)
        if pattern is None or parts is None:
            return  # S201 says so
        head = parts[pattern.head]
        heads = [form for form in self.lookup.readings(head, "noun") if form.lemma == item.head]
        if not heads:
            yield self._incident("A106", f"no noun {head!r} of lemma {item.head!r}; add it to forms.tsv")
        elif all(form.number not in (None, item.number) for form in heads):
            yield self._incident("A108", f"{head!r} is not {item.number}; inflect it")
        genders = {self.lookup.genders.get(str(item.head))}
        if item.variant == "orig":
            genders = {row.gender for row in self.lookup.pack.compounds if row.text == item.compound}
        common = self.lookup.agrees and None in genders  # a noun without gender of a language that has it has either
        if item.gender not in genders and not common:
            shown = " or ".join(map(repr, genders)) or "no entry"
            yield self._incident("A107", f"{item.gender!r} where {item.head!r} has {shown}; mend the pack")
        if pattern.modifier != "fixed" and len(parts) > 1:
            yield from self._modifier(parts[1 - pattern.head], pattern)

    def _modifier(self, word: str, pattern: Pattern) -> Iterator[Incident]:
        item, pos = self.item, pattern.parts[1 - pattern.head]
        if pattern.modifier == "number" and item.variant == "orig":
            return  # usage varies in compounds themselves: sequestros relâmpago, rádios piratas
        readings = [form for form in self.lookup.readings(word, pos) if form.lemma == item.modifier]
        cells = cells_of(readings) if pattern.modifier == "agrees" else [(None, form.number) for form in readings]
        genders = {item.gender}
        if item.variant == "orig":  # exocentric: o longa-metragem and metragem, o caixa eletrônico and caixa
            genders.add(self.lookup.genders.get(str(item.head)))
        if not readings:
            yield self._incident("A106", f"no {pos} {word!r} of lemma {item.modifier!r}; add it to forms.tsv")
        elif not any(fits(cells, gender, item.number) for gender in genders):
            yield self._incident("A103", f"{word!r} does not agree with {item.head!r}; inflect it")

    def _left(self) -> Iterator[Incident]:
        """A102 and A104 for the unbroken chain left of the span; a determiner ends it for all but quantifiers.

        A word before a determiner that looks like an article is a preposition (*a um [NC]*): it stays as it was.
        """
        item, lookup, closed = self.item, self.lookup, False
        for index in range(item.token_span[0] - 1, -1, -1):
            word = item.tokens[index]
            cells = lookup.determiners.get(word.lower())
            readings = lookup.readings(word, *CHAIN)
            if index in self.fixed or (cells is None and (closed or not readings)):
                yield from self._unknown(index)
                return
            following = item.tokens[index + 1].lower() if index + 1 < item.token_span[0] else ""
            quantifies = word.lower() in lookup.quantifiers and word.lower() not in lookup.partitives
            if following in lookup.determining and not quantifies:
                yield from self._before_determiner(index)
                return
            closed = closed or word.lower() in lookup.closing
            if not self._fits([*(cells or ()), *cells_of(readings)]):
                yield self._disagrees("A104" if cells is None else "A102", word, "before")

    def _before_determiner(self, index: int) -> Iterator[Incident]:
        """A102 for a word left of the determiner: of *uma das [NC]* the gender agrees, of all else nothing."""
        word = self.item.tokens[index]
        if word.lower() in self.lookup.partitives and self.item.number == "pl":
            cells = self.lookup.determiners.get(word.lower(), set())
            if not any(gender in (None, self.item.gender) for gender, _ in cells):
                yield self._disagrees("A102", word, "of")
        elif word != self.original.tokens[index] and index not in self.agreeing:
            yield self._incident("A102", f"{word!r} before a determiner is no part of it; leave it as it was")

    def _unknown(self, index: int) -> Iterator[Incident]:
        """A106 for a word beside an original that is in no table: the pack does not say whether it agrees."""
        word = self.item.tokens[index]
        is_listed = index in self.fixed or word.lower() in self.lookup.determiners or self.lookup.readings(word)
        if self.item.variant == "orig" and not is_listed and word[:1].isalpha():
            what = f"{word!r} beside the span is in no table"
            yield self._incident("A106", f"{what}; add it to forms.tsv with its part of speech")

    def _right(self) -> Iterator[Incident]:
        """A104 for an adjective directly right of the span."""
        index = self.item.token_span[1]
        if index >= len(self.item.tokens) or index in self.fixed:
            return
        word = self.item.tokens[index]
        readings = self.lookup.readings(word)
        if not readings or any(form.pos != "adj" for form in readings):
            yield from self._unknown(index)
        elif not self._fits(cells_of(readings)):
            yield self._disagrees("A104", word, "after")

    def _marked(self) -> Iterator[Incident]:
        """A105 for the words that the pack's markup names."""
        deleted = [edit.before.strip() for edit in self.item.carrier_edits if not edit.after]
        for index, before in _marks(self.item, self.lookup, agreeing=True):
            removed = any(self.lookup.same_word(word, before) for word in deleted)
            if removed or not -len(self.item.tokens) <= index < len(self.item.tokens):
                continue  # S204 says whether a word may go, and that the carrier is another
            word = self.item.tokens[index]
            cells = [*self.lookup.determiners.get(word.lower(), ()), *cells_of(self.lookup.readings(word, *CHAIN))]
            if not cells:
                yield self._incident("A106", f"the marked word {word!r} is not in forms.tsv; add its forms")
            elif not self._fits(cells):
                message = f"{word!r} ({before!r} in {self.original.id}) does not agree with {self.text!r}"
                yield self._incident("A105", message)
