"""A1xx, C306, C307, S2xx and U4xx: is every item a sentence that holds its replacement, and does all agree with it?

The checker of any sentence looks at agreement around and inside the span, and of an item more is known: its lemmas, the
gender and number that it claims, the words that its context marks, and which words filling has changed. A word beside a
span has to be in the pack's tables.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from ftfy.badness import is_bad

from ncimp.builder.records import (
    ATTESTED,
    COMPONENTS,
    NEUTRAL,
    PROBES,
    RANDOMS,
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

# columns in which the items of one variant of one compound are alike
SAME_EVERYWHERE = ("replacement", "head", "modifier", "source", "modifier_delta", "head_delta")
FINAL = (".", "!", "?")
REPLACEMENT_CHARACTER = "\ufffd"

QUOTED = 30  # characters of a difference that a message quotes

Faults = Iterator[tuple[str, str]]  # code and message

BESIDE = ("A102", "A104")  # codes of words beside a span
NOMINAL = ("noun", "adj")  # parts of speech of a component
SOUND = "sound"  # kind of the words in which only the next sound shows: they agree with nothing
CHAIN = ("adj", "num", "det")  # parts of speech that may stand between a determiner and its noun
# kinds of determiners that begin a noun phrase: left of them only quantifiers and partitives agree (*todas as*)
BEGINNING = frozenset({"article", "contraction", "demonstrative", "relative"})


@LANGUAGE.check("C306", "a row contradicts its id, its variant or its compound")
def _contradictions(scope: Scope) -> Found:
    released = {compound.id: compound for compound in scope.tables.compounds}
    packed = dict(scope.by_compound())
    for item in scope.sentences:
        compound = released.get(item.compound_id)
        expected = {
            "id": f"{item.compound_id}/{item.context}/{item.variant}",
            "lang": item.compound_id.split("/", 1)[0],
            "probe": PROBES[item.variant],
            "context_kind": "neutral" if item.context in NEUTRAL else "naturalistic",
        }
        if compound is None:
            yield item.id, f"no row of the table compounds is {item.compound_id!r}; build the release again"
        else:
            expected |= {name: getattr(compound, name) for name in ("compound", "compound_class", "split")}
        record = packed.get(item.compound_id)
        texts = {"orig": record.text, "head": record.head, "mod": record.modifier} if record else {}
        expected |= {"replacement": texts[item.variant]} if item.variant in texts else {}
        for column, value in expected.items():
            if (actual := getattr(item, column)) != value:
                yield item.id, f"{column} is {actual!r} and should be {value!r}; build the release again"


@LANGUAGE.check("C307", "a variant is not the same in all contexts of its compound")
def _differences(scope: Scope) -> Found:
    first: dict[tuple[str, str], Item] = {}
    for item in scope.sentences:
        other = first.setdefault((item.compound_id, item.variant), item)
        differing = [name for name in SAME_EVERYWHERE if getattr(item, name) != getattr(other, name)]
        if differing:
            yield item.id, f"{', '.join(differing)} differ from {other.id}; build it again"


@LANGUAGE.check("U401", "the text is damaged: mojibake, replacement or control characters")
def _damaged_text(scope: Scope) -> Found:
    for item, _ in scope.cells:
        text = item.sentence
        if text.isascii() and text.isprintable():  # the usual case, without a look at each character
            continue
        hidden = any(unicodedata.category(mark).startswith("C") for mark in text)
        if hidden or REPLACEMENT_CHARACTER in text or is_bad(text):
            yield item.id, f"{text!r}; restore the text from its source"


@LANGUAGE.check("U402", "the text is not in Unicode form NFC")
def _not_normal(scope: Scope) -> Found:
    for item, _ in scope.cells:
        if not unicodedata.is_normalized("NFC", item.sentence):
            yield item.id, "normalise the text"


@LANGUAGE.check("S201", "the span does not hold the replacement")
def _replacement(scope: Scope) -> Found:
    """The span has to hold forms of the item's head and modifier, in the places of its pattern."""
    for item, original in scope.cells:
        yield from ((item.id, message) for message in _faults_of_span(item, original, scope.lookup))


def _faults_of_span(item: Item, original: Item, lookup: Lookup) -> Iterator[str]:
    text, patterns = span_text(item), lookup.language.patterns
    if item.variant in COMPONENTS:
        pattern = patterns.get(original.pattern or "")
        components = [part.lower() for part in _split(original, lookup) or ()]
        if pattern and pattern.modifier != "agrees":  # it may stand in its citation form
            components += [str(lemma).lower() for lemma in (original.modifier, original.head)]
        if text.lower() not in components:
            yield f"{text!r} is not a component of {span_text(original)!r}"
        return
    pattern = patterns.get(item.pattern or "")
    citation = _split(item, lookup, item.replacement)
    places = range(len(pattern.parts)) if pattern else ()
    lemmas = [item.head if pattern and place == pattern.head else item.modifier for place in places]
    is_form = lookup.is_form if pattern and pattern.join else lookup.is_part
    if citation is None or not all(map(is_form, citation, lemmas)):
        yield f"{item.replacement!r} is not a phrase of {item.modifier!r} and {item.head!r}"
    parts = _split(item, lookup)
    if parts is None:
        yield f"{text!r} is not a phrase of pattern {item.pattern!r}"
        return
    for part, lemma in zip(parts, lemmas, strict=True):
        if part.lower() != lemma and not is_form(part, lemma):
            yield f"{part!r} in {text!r} is no form of {lemma!r}"


def _split(item: Item, lookup: Lookup, text: str | None = None) -> list[str] | None:
    """Return the components of *text*, or of the span of *item*, or None when it is no phrase of its pattern."""
    pattern = lookup.language.patterns.get(item.pattern or "")
    recorded = lookup.recorded.get(item.replacement)
    return lookup.split(text or span_text(item), pattern, item.modifier, item.head, recorded)


@LANGUAGE.check("S202", "the tokens or their span do not match the sentence")
def _tokens(scope: Scope) -> Found:
    for item, _ in scope.cells:
        start, end = item.token_span
        inside = "".join(item.tokens[start:end])
        if scope.lookup.tokens(item.sentence) != list(item.tokens):
            yield item.id, "the tokens are not those of the sentence; tokenise it again"
        elif not 0 <= start < end <= len(item.tokens) or inside != "".join(span_text(item).split()):
            yield item.id, f"the token span holds {inside!r} and the span {span_text(item)!r}"


@LANGUAGE.check("S203", "the sentence does not look like a sentence")
def _shape(scope: Scope) -> Found:
    for item, _ in scope.cells:
        text = item.sentence
        if not text[:1].isupper() and not text[:1].isdigit():
            yield item.id, f"it begins with {text[:1]!r}; begin with a capital letter"
        if not text.endswith(FINAL):
            yield item.id, f"it ends with {text[-1:]!r}; end with one of {' '.join(FINAL)}"
        if text != " ".join(text.split()) or any(f" {mark}" in text for mark in ".,;:!?"):
            yield item.id, "it has stray spaces; take them out"


@LANGUAGE.check("S204", "the carrier was changed beyond agreement, or without a record")
def _carrier(scope: Scope) -> Found:
    """Outside the span, an item differs from the original of its context in recorded forms of the same words.

    An article before a plural may go. The original is the sentence of the pack, but for a frame that was made to
    agree.
    """
    for item, original in scope.cells:
        yield from ((item.id, message) for message in _changes(item, original, scope.lookup))


def _changes(item: Item, original: Item, lookup: Lookup) -> Iterator[str]:
    for edit in item.carrier_edits:
        old, new = edit.before.strip(), edit.after.strip()
        if not new:
            if item.number != "pl" or "article" not in lookup.kinds[old.lower()]:
                yield f"{old!r} is gone; only an article before a plural may go"
        elif old == new or not lookup.same_word(old, new):
            yield f"{old!r} became {new!r}"
        if item.sentence[edit.start : edit.start + len(edit.after)] != edit.after:
            yield f"{edit.after!r} does not stand at {edit.start}"
    for mine, its in zip(_undone(item), _undone(original), strict=True):
        if mine != its:
            alike = next((at for at, pair in enumerate(zip(mine, its, strict=False)) if pair[0] != pair[1]), 0)
            place = mine.rfind(" ", 0, alike) + 1
            had = its[place:][:QUOTED]
            yield f"{mine[place:][:QUOTED]!r} where the original has {had!r}, without a record; record the change"
    yield from _difference_from_pack(item, lookup)


def _undone(item: Item) -> tuple[str, str]:
    """Return the text left and right of the span with the recorded edits undone, character by character."""
    before, right = item.sentence[: item.span[0]], item.sentence[item.span[1] :]
    for edit in sorted(item.carrier_edits, key=lambda edit: -edit.start):
        start, side = edit.start, before
        if edit.start >= item.span[1]:
            start, side = edit.start - item.span[1], right
        side = side[:start] + edit.before + side[start + len(edit.after) :]
        before, right = (before, side) if edit.start >= item.span[1] else (side, right)
    return before, right


def _difference_from_pack(item: Item, lookup: Lookup) -> Iterator[str]:
    marked = lookup.pack.marked.get((item.compound, item.context))
    if item.variant != "orig" or marked is None or item.sentence == marked.text:
        return
    packed = lookup.tokens(marked.text)
    alike = all(
        _same_words(packed[slice(*old)], item.tokens[slice(*new)], lookup)
        for old, new in _replaced(packed, item.tokens)
    )
    if item.context_source != "frame" or not alike:  # a frame may have been made to agree
        yield f"the pack has {marked.text!r}"


def _replaced(old: Sequence[str], new: Sequence[str]) -> list[tuple[Span, Span]]:
    """Return the stretches of *old* that others take the places of in *new*, and those."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [((start, end), (begin, stop)) for tag, start, end, begin, stop in blocks if tag != "equal"]


def _same_words(old: Sequence[str], new: Sequence[str], lookup: Lookup) -> bool:
    if len(old) == len(new):
        return all(map(lookup.same_word, old, new))
    return lookup.same_word(" ".join(old), " ".join(new))


@LANGUAGE.check("A109", "the rules of agreement could not decide on a word of the carrier")
def _undecided(scope: Scope) -> Found:
    for item, _ in scope.cells:
        if item.uncertain:
            yield item.id, f"undecided: {', '.join(item.uncertain)}; look at it, and mark what agrees"


@LANGUAGE.check("A114", "an adjective stands on the other side of its noun than the language has it")
def _misplaced(scope: Scope) -> Found:
    """The lists are those of `[agreement.adjectives]`; of a pair, its first sentence is reported."""
    seen = set()
    for item in scope.sentences:
        pattern = scope.pack.language.patterns.get(item.pattern or "")
        where = scope.lookup.misplaced(pattern, item.modifier) if item.variant in (*WORDS_SYN, *RANDOMS) else None
        if where and (item.compound_id, item.variant) not in seen:
            seen.add((item.compound_id, item.variant))
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
            words[index] = sentence.text[start:end]
        return words

    def faults(self, checker: AgreementChecker) -> Faults:
        """Yield the faults of the item; a component alone in a written sentence leaves it as it was, by policy."""
        item, alone = self.item, self.item.variant in COMPONENTS
        agreeing, fixed = ({index % len(item.tokens) for index in marks} for marks in (self.agreeing, self.fixed))
        sounds = (*checker.sounds.findings(item.tokens, *item.token_span), *checker.sounds.spacing(item.sentence))
        known = [(finding.code, finding.message) for finding in sounds if finding.index not in fixed]
        known += [*self._first_sound(), *self._meetings(checker), *(() if alone else self._inside())]
        if not self.lookup.language.agrees or (alone and item.context not in NEUTRAL):
            yield from known
            return
        readings = self.lookup.readings(self.text, *NOMINAL) if alone else ()
        if readings and not self._fits(cells_of(readings)):
            known.append(("A107", f"{self.text!r} is not {item.gender} {item.number}; mend forms.tsv"))
        known += [*self._changed(), *self._unknown(), *self._marked()]
        reported = {code for code, _ in known}
        inside = () if alone else tuple(self._span_words())
        further = checker.in_every_feature(item.tokens, *item.token_span, self._asked(), inside, fixed)
        known += [(row.code, row.message) for row in further if row.code not in reported]
        yield from known
        reported = {code for code, _ in known}
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

    def _asked(self) -> Box:
        """Return what the sentence asks of the span in every feature; of a found one nobody has said the case."""
        item, features = self.item, self.lookup.language.features
        known = {"gender": None if item.gender == "c" else item.gender, "number": item.number}
        asked: dict[str, frozenset[str]] = {}
        asked |= {name: frozenset({value}) for name, value in known.items() if name in features and value}
        slot = self.lookup.slots.get((item.compound, item.context), "").split()
        for name, feature in features.items():
            stated = frozenset(slot) & frozenset(feature.values)
            if feature.source == "slot" and name != "number" and item.context not in ATTESTED:
                asked[name] = stated or frozenset({feature.default or feature.values[0]})
        return asked

    def _span_words(self) -> Iterator[SpanWord]:
        """Yield the head of the span, of whatever gender, and the modifier that agrees with it."""
        item, pattern = self.item, self.lookup.language.patterns.get(self.item.pattern or "")
        parts, position = _split(item, self.lookup) or [], 0
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
                known = frozenset(filter(None, genders - {"c"}))
                yield SpanWord(index, part, pos, item.modifier, {"gender": known} if known else {})

    def _inside(self) -> Faults:
        """A103, A106, A107 and A108: the head's number and gender, and whether the modifier follows them."""
        item, pattern = self.item, self.lookup.language.patterns.get(self.item.pattern or "")
        parts = _split(item, self.lookup)
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
        first = _split(self.original, self.lookup)
        if self.item.variant == "orig" or first is None or len(first) == 1:
            return
        pattern = self.lookup.language.patterns[str(self.original.pattern)]
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
        for _, (start, end) in _replaced(before, words):
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
            word = self.item.tokens[index]
            cells = self._cells(word)
            if not cells:
                yield "A106", f"the marked word {word!r} is not in forms.tsv; add its forms"
            elif not self._fits(cells):
                yield "A105", f"{word!r} ({before!r} in {self.original.id}) does not agree with {self.text!r}"
