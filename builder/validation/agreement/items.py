"""A1xx: do the words of every item agree with each other, and suit the next sound?

The checker of any sentence looks at agreement around and inside the span, and of an item more is known: its lemmas, the
gender and number that it claims, the words that its context marks, and which words filling has changed. A word beside a
span has to be in the pack's tables.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from ncimp.builder.records import (
    ATTESTED,
    COMPONENTS,
    NEUTRAL,
    RANDOMS,
    WITH_NEXT,
    WORDS_SYN,
    Incident,
    Item,
    MarkedSentence,
    Pattern,
    Span,
)
from ncimp.builder.validation.agreement.bundles import Box, SpanWord
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.builder.validation.scope import LANGUAGE, Cell, Found, Lookup, Scope, cells_of, fits, span_text

Faults = Iterator[tuple[str, str]]  # code and message

BESIDE = ("A102", "A104")  # codes of words beside a span
NOMINAL = ("noun", "adj")  # parts of speech of a component
SOUND = "sound"  # kind of the words in which only the next sound shows: they agree with nothing
CHAIN = ("adj", "num", "det")  # parts of speech that may stand between a determiner and its noun
# kinds of determiners that begin a noun phrase: left of them only quantifiers and partitives agree (*todas as*)
BEGINNING = frozenset({"article", "contraction", "demonstrative", "relative"})


@LANGUAGE.check("A109", "the rules of agreement could not decide on a word of the carrier")
def _undecided(scope: Scope) -> Found:
    for item, _ in scope.cells:
        if item.uncertain:
            yield item.id, f"undecided: {', '.join(item.uncertain)}; look at it, and mark what agrees"


@LANGUAGE.check("A114", "an adjective stands on the other side of its noun than the language has it")
def _misplaced(scope: Scope) -> Found:
    """The lists are those of `[agreement.adjectives]`; of a pair, its first sentence is reported."""
    reported = set()
    for item in scope.sentences:
        pattern = scope.pack.language.patterns.get(item.pattern or "")
        where = scope.lookup.misplaced(pattern, item.modifier) if item.variant in (*WORDS_SYN, *RANDOMS) else None
        if where and (item.compound_id, item.variant) not in reported:
            reported.add((item.compound_id, item.variant))
            yield item.id, f"{item.modifier!r} {where} in {item.replacement!r}; take another word"


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
    A113="a word of the span has not the case, or another such form, that its sentence or its determiner asks for",
    A115="two words stand side by side that never do",
)
def _agreement(scope: Scope) -> Iterator[Incident]:
    for item in scope.sentences:
        alone = item.variant in COMPONENTS and item.context in NEUTRAL  # a frame takes the number of what fills it
        if not alone and item.number != scope.pack.numbers.get((item.compound, item.context), item.number):
            yield Incident("A108", item.id, f"{item.number!r} is not the number of its context; inflect the span")
    checker = AgreementChecker(scope.lookup.language, scope.lookup)
    for item, original in scope.cells:
        for code, message in _ItemCheck(item, original, scope.lookup).faults(checker):
            yield Incident(code, item.id, message)


class _ItemCheck:
    def __init__(self, item: Item, original: Item, lookup: Lookup) -> None:
        self.item, self.original, self.lookup = item, original, lookup
        self.text = span_text(item)
        sentence = lookup.pack.marked.get((item.compound, item.context), MarkedSentence("", (0, 0)))
        self.agreeing, self.fixed = self._words(sentence, sentence.agreeing), self._words(sentence, sentence.fixed)

    def _words(self, sentence: MarkedSentence, marks: Iterable[Span]) -> dict[int, str]:
        """Return the words of the pack's *sentence* at *marks*, by index of their token in the item."""
        words = {}
        for start, end in marks:
            # words left of the span keep their distance from the start, words right of it from the end
            index = len(self.lookup.tokens(sentence.text[:start]))
            if end > sentence.span[0]:
                index = len(self.item.tokens) - len(self.lookup.tokens(sentence.text[start:]))
            if self._resized and self.original.sentence == sentence.text:
                index = len(self.lookup.tokens(self.item.sentence[: self._moved(start)]))
            words[index] = sentence.text[start:end]
        return words

    @property
    def _resized(self) -> bool:
        """Whether a word has become several, or several one (*du, de la*)."""
        edits = ((self.lookup.tokens(edit.before), self.lookup.tokens(edit.after)) for edit in self.item.carrier_edits)
        return any(after and len(before) != len(after) for before, after in edits)

    def _moved(self, position: int) -> int:
        """Return the place in the sentence of the item of what stands at *position* in the original."""
        (start, end), (begin, stop) = self.original.span, self.item.span
        grown, shift = (stop - begin) - (end - start), 0
        for edit in sorted(self.item.carrier_edits, key=lambda edit: edit.start):
            if edit.start - shift - (grown if edit.start >= stop else 0) < position:
                shift += len(edit.after) - len(edit.before)
        return position + shift + (grown if position >= end else 0)

    def faults(self, checker: AgreementChecker) -> Faults:
        """Yield the faults of the item; a component alone in a written sentence leaves it as it was, by policy."""
        item, alone = self.item, self.item.variant in COMPONENTS
        agreeing, fixed = ({index % len(item.tokens) for index in marks} for marks in (self.agreeing, self.fixed))
        sounds = (*checker.sounds.findings(item.tokens, *item.token_span), *checker.sounds.spacing(item.sentence))
        faults = [(finding.code, finding.message) for finding in sounds if finding.index not in fixed]
        faults += [*self._first_sound(), *self._meetings(checker), *(() if alone else self._inside())]
        if not self.lookup.language.agrees or (alone and item.context not in NEUTRAL):
            yield from faults
            return
        readings = self.lookup.readings(self.text, *NOMINAL) if alone else ()
        if readings and not self._fits(cells_of(readings)):
            faults.append(("A107", f"{self.text!r} is not {item.gender} {item.number}; mend forms.tsv"))
        faults += [*self._changed(), *self._unknown(), *self._marked()]
        reported = {code for code, _ in faults}
        inside = () if alone else tuple(self._span_words())
        further = checker.in_every_feature(item.tokens, *item.token_span, self._demands(), inside, fixed)
        faults += [(row.code, row.message) for row in further if row.code not in reported]
        yield from faults
        reported = {code for code, _ in faults}
        for finding in checker.findings(item.tokens, *item.token_span, gender=item.gender, number=item.number):
            is_marked = finding.index in fixed or (finding.index in agreeing and finding.code not in BESIDE)
            if not is_marked and finding.code not in reported:  # A105 is for marked words further away
                yield finding.code, finding.message

    def _fits(self, cells: Iterable[Cell]) -> bool:
        return fits(cells, self.item.gender, self.item.number)

    def _cells(self, word: str) -> list[Cell]:
        return [*self.lookup.determiners.get(word.lower(), ()), *cells_of(self.lookup.readings(word, *CHAIN))]

    def _first_sound(self) -> Faults:
        """A106 for the first word of the span when forms.tsv lists no first sound, and the word before it needs one.

        Where it lists few, letters tell.
        """
        if not self.lookup.states_sounds:
            return
        start = self.item.token_span[0]
        name = (self.lookup.language.sound or ("",))[0]
        cells = (cell for row in self.lookup.language.paradigms for cell in row.cells if name in cell.values)
        varying = {word for cell in cells for word in cell.forms}
        for before, first in pairwise(self.item.tokens[max(0, start - 1) : start + 1]):
            if before.lower() in varying and not any(form.onset for form in self.lookup.readings(first)):
                yield "A106", f"{first!r} has no first sound; add it to forms.tsv"

    def _meetings(self, checker: AgreementChecker) -> Faults:
        """A115 for words that never stand side by side; elsewhere the writer's own may (*de le faire*)."""
        tokens, (start, end) = self.item.tokens, self.item.token_span
        met = list(checker.sounds.meetings(tokens))
        standing = {text for _, text in checker.sounds.meetings(self.original.tokens)} if met else set()
        for index, text in met:
            if text not in standing or checker.begin(tokens, start, end) <= index <= end:
                yield "A115", f"{text!r}; write what the language has for both"

    def _demands(self) -> Box:
        """Return the values that the sentence asks of the span, by feature; of a found one nobody has said the case."""
        item, features = self.item, self.lookup.language.features
        certain = {"gender": None if item.gender == "c" else item.gender, "number": item.number}
        demands: dict[str, frozenset[str]] = {}
        demands |= {name: frozenset({value}) for name, value in certain.items() if name in features and value}
        slot = self.lookup.slots.get((item.compound, item.context), "").split()
        for name, feature in features.items():
            stated = frozenset(slot) & frozenset(feature.values)
            if feature.source == "slot" and name != "number" and item.context not in ATTESTED:
                demands[name] = stated or frozenset({feature.usual})
        return demands

    def _span_words(self) -> Iterator[SpanWord]:
        """Yield the head of the span, of whatever gender, and the modifier that agrees with it."""
        item, pattern = self.item, self.lookup.language.patterns.get(self.item.pattern or "")
        parts, position = self.lookup.split_item(item) or [], 0
        if pattern is None:
            return
        for place, part in enumerate(parts):
            position = self.text.replace("’", "'").find(part, position) + len(part)
            index = item.token_span[0] + len(self.lookup.tokens(self.text[:position])) - 1
            pos = pattern.parts[place]
            if place == pattern.head:
                any_gender = {"gender": frozenset(self.lookup.language.features["gender"].values)}
                yield SpanWord(index, part, pos, item.head, any_gender)
            elif pattern.modifier == "agrees":
                genders = {item.gender, self.lookup.genders.get(str(item.head)) if item.variant == "orig" else None}
                certain = frozenset(filter(None, genders - {"c"}))
                yield SpanWord(index, part, pos, item.modifier, {"gender": certain} if certain else {})

    def _inside(self) -> Faults:
        """A103, A106, A107 and A108: the head's number and gender, and whether the modifier follows them."""
        item, pattern = self.item, self.lookup.language.patterns.get(self.item.pattern or "")
        parts = self.lookup.split_item(item)
        if pattern is None or parts is None:
            return  # S201 says so
        head = parts[pattern.head]
        heads = [form for form in self.lookup.readings(head, "noun") if form.lemma == item.head]
        if not heads:
            yield "A106", f"no noun {head!r} of lemma {item.head!r}; add it to forms.tsv"
        elif all(form.number not in (None, item.number) for form in heads):
            yield "A108", f"{head!r} is not {item.number}; inflect it"
        genders = {self.lookup.genders.get(str(item.head))}
        if item.variant == "orig":
            genders = {row.gender for row in self.lookup.pack.compounds if row.text == item.compound}
        # of a language with genders, a noun without one has either
        if item.gender not in genders and not (self.lookup.language.agrees and not genders.isdisjoint({None, "c"})):
            shown = " or ".join(map(repr, genders)) or "no entry"
            yield "A107", f"{item.gender!r} where {item.head!r} has {shown}; mend the pack"
        if WITH_NEXT in pattern.join and len(parts) > 1:
            between = self.text[len(parts[0]) : len(self.text) - len(parts[1])].strip()
            cells = self.lookup.determiners.get(self.lookup.key(between), set())
            nouns = cells_of(self.lookup.readings(parts[1], "noun"))
            if nouns and not any(fits(nouns, gender, number) for gender, number in cells if number):
                yield "A103", f"{between!r} does not agree with {parts[1]!r}; mend the join"
        if len(parts) > 1:
            yield from self._modifier(parts[1 - pattern.head], pattern)

    def _modifier(self, word: str, pattern: Pattern) -> Faults:
        item, pos = self.item, pattern.parts[1 - pattern.head]
        if pattern.modifier != "agrees" and item.variant != "syn":
            yield from self._kept_number(word, pos)
            return
        if pattern.modifier == "fixed":
            return
        readings = [form for form in self.lookup.readings(word, pos) if form.lemma == item.modifier]
        cells = cells_of(readings) if pattern.modifier == "agrees" else [(None, form.number) for form in readings]
        genders = {item.gender}
        if item.variant == "orig":  # exocentric: o longa-metragem and metragem, o caixa eletrônico and caixa
            genders.add(self.lookup.genders.get(str(item.head)))
        if not readings:
            yield "A106", f"no {pos} {word!r} of lemma {item.modifier!r}; add it to forms.tsv"
        elif not any(fits(cells, gender, item.number) for gender in genders):
            yield "A103", f"{word!r} does not agree with {item.head!r}; inflect it"

    def _kept_number(self, word: str, pos: str) -> Faults:
        """A103 for a noun that modifies in another number than that of the original, in which usage varies.

        *Sequestros relâmpago* beside *rádios piratas*, and *balaio de gatos*.
        """
        first = self.lookup.split_item(self.original)
        if self.item.variant == "orig" or first is None or len(first) == 1:
            return
        pattern = self.lookup.language.patterns[str(self.original.pattern)]
        if not pattern.join:
            return  # the first part of one word has a form of its own (*Hunde|hütte*, *Esels|brücke*)
        pairs = (word, self.item.modifier), (first[1 - pattern.head], self.original.modifier)
        numbers = [
            {row.number for row in self.lookup.readings(form, pos) if row.lemma == lemma} for form, lemma in pairs
        ]
        if all(row and None not in row for row in numbers) and numbers[0].isdisjoint(numbers[1]):
            yield "A103", f"{word!r} has another number than {first[1 - pattern.head]!r}; inflect it"

    def _changed(self) -> Faults:
        """A102 and A104 for words left of the span that are not those of the original, so that they have to agree.

        A word before a determiner that looks like an article is a preposition (*a um [NC]*): it stays as it was.
        """
        lookup, words = self.lookup, self.item.tokens[: self.item.token_span[0]]
        partitives = lookup.language.words.get("partitive", ())
        for index in self._edited(words):
            word, size = lookup.form_at(words, index)
            cells, following = self._cells(word), lookup.form_at((*words, ""), index + size)[0]
            if index in self.agreeing or not cells or SOUND in lookup.kinds[word]:
                continue
            of_several = word in partitives or "quantifier" in lookup.kinds[word]
            if not of_several and lookup.kinds[following] & BEGINNING:
                yield "A102", f"{word!r} before a determiner is no part of it; leave it as it was"
            elif not self._fits(cells):
                code = "A102" if word in lookup.determiners else "A104"
                yield code, f"{word!r} before {self.text!r}; make it agree, or mark it {{={word}}}"

    def _edited(self, words: Sequence[str]) -> Iterator[int]:
        """Yield the places of the *words* left of the span that the original has not, of a form the first one."""
        before = self.original.tokens[: self.original.token_span[0]]
        if len(before) == len(words):
            yield from (index for index, pair in enumerate(zip(words, before, strict=True)) if pair[0] != pair[1])
            return
        for _, (start, end) in replacements(before, words):
            while start < end:
                # of *de la* for *du*, only *la* may be new
                begin = next(
                    (at for at in range(max(0, start - 2), start) if at + self.lookup.form_at(words, at)[1] > start),
                    start,
                )
                yield begin
                start = begin + self.lookup.form_at(words, begin)[1]

    def _unknown(self) -> Faults:
        """A106 for a word beside an original that is in no table: the pack does not say whether it agrees."""
        for index in (self.item.token_span[0] - 1, self.item.token_span[1]):
            if self.item.variant != "orig" or index in self.fixed or not 0 <= index < len(self.item.tokens):
                continue
            word = self.item.tokens[index]
            if word[:1].isalpha() and not self.lookup.is_closed(word) and not self.lookup.readings(word):
                yield "A106", f"{word!r} beside the span is in no table; add it to forms.tsv with its part of speech"

    def _marked(self) -> Faults:
        deleted = [edit.before.strip() for edit in self.item.carrier_edits if not edit.after]
        for index, before in self.agreeing.items():
            removed = any(self.lookup.same_word(word, before) for word in deleted)
            if removed or not -len(self.item.tokens) <= index < len(self.item.tokens):
                continue  # S204 says whether a word may go, and that the carrier is another
            form, size = self.lookup.form_at(self.item.tokens, index % len(self.item.tokens))
            word = form if size > 1 else self.item.tokens[index]
            cells = self._cells(word)
            if not cells:
                yield "A106", f"the marked word {word!r} is not in forms.tsv; add its forms"
            elif not self._fits(cells):
                yield "A105", f"{word!r} ({before!r} in {self.original.id}) does not agree with {self.text!r}"


def replacements(old: Sequence[str], new: Sequence[str]) -> list[tuple[Span, Span]]:
    """Return the stretches of *old* that others take the places of in *new*, and those."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [((start, end), (begin, stop)) for tag, start, end, begin, stop in blocks if tag != "equal"]
