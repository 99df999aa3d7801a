"""A1xx: does everything around and inside the span of an item agree with it?

The checker of any sentence looks at it, and of an item more is known: its lemmas, the gender and number that it claims,
the words that its context marks, and which words filling has changed. A word beside a span has to be in the pack's
tables.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from ncimp.builder.records import COMPONENTS, NEUTRAL, Incident, Item, MarkedSentence, Pattern, Span
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.builder.validation.scope import LANGUAGE, Cell, Lookup, Scope, cells_of, fits, span_text, split_phrase

BESIDE = ("A102", "A104")
"""Codes of words beside a span."""

NOMINAL = ("noun", "adj")
"""Parts of speech of a component."""

BEGINNING = frozenset({"article", "contraction", "demonstrative", "relative"})
"""Kinds of determiners that begin a noun phrase: left of them only quantifiers and partitives agree (*todas as*)."""

CHAIN = ("adj", "num", "det")
"""Open-class parts of speech that may stand between a determiner and its noun."""


@LANGUAGE.check("A109", "the rules of agreement could not decide on a word of the carrier")
def _undecided(scope: Scope) -> Iterator[tuple[str, str]]:
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
            yield Incident("A108", item.id, f"{item.number!r} is not the number of its context; inflect the span")
    checker = AgreementChecker(scope.lookup.language, scope.lookup)
    for item, original in scope.cells:
        yield from _ItemCheck(item, original, scope.lookup).incidents(checker)


class _ItemCheck:
    """The check of one item."""

    def __init__(self, item: Item, original: Item, lookup: Lookup) -> None:
        self.item, self.original, self.lookup = item, original, lookup
        self.text = span_text(item)
        sentence = lookup.pack.marked.get((item.compound, item.context), MarkedSentence("", (0, 0)))
        self.agreeing, self.fixed = self._words(sentence, sentence.agreeing), self._words(sentence, sentence.fixed)
        """Words in the pack's sentence that the context marks, by index of their token in the item."""

    def _words(self, sentence: MarkedSentence, marks: Iterable[Span]) -> dict[int, str]:
        words = {}
        for start, end in marks:
            # words left of the span keep their distance from the start, words right of it from the end
            index = len(self.lookup.tokens(sentence.text[:start]))
            if end > sentence.span[0]:
                index = len(self.item.tokens) - len(self.lookup.tokens(sentence.text[start:]))
            words[index] = sentence.text[start:end]
        return words

    def incidents(self, checker: AgreementChecker) -> Iterator[Incident]:
        """Yield the incidents of the item; a component alone in a written sentence leaves it as it was, by policy."""
        item, alone = self.item, self.item.variant in COMPONENTS
        known = [Incident(finding.code, item.id, finding.message) for finding in checker.sandhi(item.tokens)]
        known += self._first_sound()
        if not alone:
            known += self._inside()
        if not self.lookup.agrees or (alone and item.context not in NEUTRAL):
            yield from known
            return
        readings = self.lookup.readings(self.text, *NOMINAL) if alone else ()
        if readings and not self._fits(cells_of(readings)):
            known.append(self._incident("A107", f"{self.text!r} is not {item.gender} {item.number}; mend forms.tsv"))
        known += [*self._changed(), *self._unknown(), *self._marked()]
        yield from known
        reported = {incident.code for incident in known}
        agreeing, fixed = ({index % len(item.tokens) for index in marks} for marks in (self.agreeing, self.fixed))
        for finding in checker.findings(item.tokens, *item.token_span, gender=item.gender, number=item.number):
            is_marked = finding.index in fixed or (finding.index in agreeing and finding.code not in BESIDE)
            if not is_marked and finding.code not in reported:  # A105 is for marked words further away
                yield self._incident(finding.code, finding.message)

    def _incident(self, code: str, message: str) -> Incident:
        return Incident(code, self.item.id, message)

    def _fits(self, cells: Iterable[Cell]) -> bool:
        return fits(cells, self.item.gender, self.item.number)

    def _cells(self, word: str) -> list[Cell]:
        return [*self.lookup.determiners.get(word.lower(), ()), *cells_of(self.lookup.readings(word, *CHAIN))]

    def _first_sound(self) -> Iterator[Incident]:
        """A106 for the first word of the span when forms.tsv lists no first sound, and the word before it needs one."""
        start = self.item.token_span[0]
        varying = {word for row in self.lookup.language.alternations for word in (row.consonant, row.vowel)}
        for before, first in pairwise(self.item.tokens[max(0, start - 1) : start + 1]):
            if before.lower() in varying and not any(form.onset for form in self.lookup.readings(first)):
                yield self._incident("A106", f"{first!r} has no first sound; add it to forms.tsv")

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

    def _changed(self) -> Iterator[Incident]:
        """A102 and A104 for words left of the span that are not those of the original, so that they have to agree.

        A word before a determiner that looks like an article is a preposition (*a um [NC]*): it stays as it was.
        """
        lookup, words = self.lookup, self.item.tokens[: self.item.token_span[0]]
        partitives = lookup.language.words.get("partitive", ())
        for index, (word, before) in enumerate(zip(words, self.original.tokens, strict=False)):
            cells = self._cells(word)
            if word == before or index in self.agreeing or not cells:
                continue
            of_several = word.lower() in partitives or "quantifier" in lookup.kinds[word.lower()]
            if not of_several and lookup.kinds[(*words, "")[index + 1].lower()] & BEGINNING:
                yield self._incident("A102", f"{word!r} before a determiner is no part of it; leave it as it was")
            elif not self._fits(cells):
                code = "A102" if word.lower() in lookup.determiners else "A104"
                yield self._incident(code, f"{word!r} before {self.text!r}; make it agree, or mark it {{={word}}}")

    def _unknown(self) -> Iterator[Incident]:
        """A106 for a word beside an original that is in no table: the pack does not say whether it agrees."""
        for index in (self.item.token_span[0] - 1, self.item.token_span[1]):
            if self.item.variant != "orig" or index in self.fixed or not 0 <= index < len(self.item.tokens):
                continue
            word = self.item.tokens[index]
            if word[:1].isalpha() and word.lower() not in self.lookup.determiners and not self.lookup.readings(word):
                what = f"{word!r} beside the span is in no table"
                yield self._incident("A106", f"{what}; add it to forms.tsv with its part of speech")

    def _marked(self) -> Iterator[Incident]:
        """A105 for the words that the pack's markup names."""
        deleted = [edit.before.strip() for edit in self.item.carrier_edits if not edit.after]
        for index, before in self.agreeing.items():
            removed = any(self.lookup.same_word(word, before) for word in deleted)
            if removed or not -len(self.item.tokens) <= index < len(self.item.tokens):
                continue  # S204 says whether a word may go, and that the carrier is another
            word = self.item.tokens[index]
            cells = self._cells(word)
            if not cells:
                yield self._incident("A106", f"the marked word {word!r} is not in forms.tsv; add its forms")
            elif not self._fits(cells):
                message = f"{word!r} ({before!r} in {self.original.id}) does not agree with {self.text!r}"
                yield self._incident("A105", message)
