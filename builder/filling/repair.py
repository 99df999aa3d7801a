"""The repair of a carrier: every rule that is switched on, applied to one sentence, and the sound after an article."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ncimp.builder.filling.rules import clauses
from ncimp.builder.filling.rules.beside import chain, left_chain, other_kind, right_adjectives, stranger
from ncimp.builder.filling.rules.parsed import dependents
from ncimp.builder.filling.scene import ADJECTIVE, Finding, NewPhrase, Reader, Scene, plain
from ncimp.builder.filling.sound import resounded
from ncimp.builder.grammar import Features
from ncimp.builder.ports import Analyser, DependencyParser
from ncimp.builder.records import CarrierEdit, Language, MarkedSentence, Span
from ncimp.schemas import AgreementError

RULES: Mapping[str, Callable[[Scene], Iterator[Finding]]] = {
    clauses.INVERTED: clauses.inverted_subject,
    "left chain": left_chain,
    "right adjectives": right_adjectives,
    clauses.APPOSED: clauses.apposed_participle,
    clauses.RELATIVE: clauses.relative_clause,
    clauses.MAIN: clauses.main_clause,
    clauses.ROLE: clauses.role_pronoun,
    clauses.ELIDED: clauses.elided_noun,
}
"""Every rule by name, in the order of precedence: the first finding on a word counts."""

NOUN_PHRASE = NewPhrase()
NEAR = ("left chain", "right adjectives")  # the rules for sentences whose far agreement is marked


class Edit(NamedTuple):
    """A change of one stretch of a sentence: its old span, its new text, and the rule that asked for it."""

    span: Span
    after: str
    rule: str


class Repair(NamedTuple):
    """The findings of the rules on a sentence: edits, and words that they cannot decide on."""

    edits: tuple[Edit, ...]
    doubts: tuple[Finding, ...]


class Repairer:
    """The agreement rules of one language, as its pack describes them."""

    def __init__(
        self,
        language: Language,
        analyser: Analyser,
        rules: Collection[str] = tuple(RULES),
        parser: DependencyParser | None = None,
    ) -> None:
        self.reader = Reader(language, analyser)
        self.rules = [RULES[name] for name in RULES if name in rules]
        if parser is not None:  # last: it finds what agrees from farther away than the rules look
            self.rules.append(partial(dependents, parser=parser))

    def repair(
        self,
        sentence: MarkedSentence,
        surface: str,
        old: Features,
        new: Features | None,
        phrase: NewPhrase = NOUN_PHRASE,
    ) -> Repair:
        """Return the changes of *sentence* that *surface* asks for in the place of its NC.

        Words that agree with *old* agree with *new* then; without *new* they change only for the next sound.
        """
        language, scene = self.reader.language, Scene(sentence, old, new or old, self.reader, phrase)
        findings = dict[int, Finding]()
        if new is not None and language.agrees:
            findings = self._agreement(scene)
        elif language.agrees and language.sound is not None:
            findings = {finding.index: finding for finding in left_chain(scene)}
        findings |= {finding.index: finding for finding in resounded(scene, findings, surface)}
        edits = (_edit(scene, finding) for finding in findings.values() if finding.form is not None)
        doubts = tuple(finding for finding in findings.values() if finding.form is None)
        return Repair(tuple(edit for edit in edits if edit is not None), doubts)

    def disagreeing(self, sentence: MarkedSentence, features: Features) -> tuple[str, str | None] | None:
        """Return a word beside the NC of an original sentence that does not fit it, and what would, or None.

        In a language that agrees in more than gender and number, a wrong case or sound would go on unseen.
        """
        if not self.reader.language.says_more:
            return None
        word = stranger(Scene(sentence, features, features, self.reader, NOUN_PHRASE))
        if word is not None:
            return word, None
        edits = self.repair(sentence, sentence.text[slice(*sentence.span)], features, features).edits
        return next(((sentence.text[slice(*edit.span)], edit.after) for edit in edits), None)

    def governed(self, sentence: MarkedSentence, features: Features) -> Features:
        """Return *features* with the values that the first determiner which governs gives to the words behind it.

        One that is farther away than adjectives is marked: *{der} für Köln neue* [Plan].
        """
        rows = self.reader.language.features.items()
        values = {name: feature.usual for name, feature in rows if feature.source == "determiner"}
        if not values:
            return features
        open_ones = replace(features, further=tuple(row for row in features.further if row[0] not in values))
        scene = Scene(sentence, open_ones, open_ones, self.reader, NOUN_PHRASE)
        before = (index for index in sorted(scene.agreeing) if index < scene.first)
        paradigms = (*(link.paradigm for link in chain(scene)), *map(self.reader.any_paradigm, map(scene.word, before)))
        values |= dict(next((row.governs for row in paradigms if row and row.governs), {}))
        return replace(open_ones, further=(*open_ones.further, *values.items()))

    def _agreement(self, scene: Scene) -> dict[int, Finding]:
        """Return the changes that agreement asks for, by the index of the word."""
        same = scene.old == scene.new and scene.phrase.kind == "noun"
        findings = {finding.index: finding for finding in _marked(scene)} if scene.agreeing or not same else {}
        rules = self.rules if not same else [left_chain] if self.reader.language.says_more else []
        # a phrase of another kind has no features: only what stands beside it changes
        for rule in rules if scene.phrase.kind == "noun" else [other_kind]:
            for finding in rule(scene):
                if finding.form == "":
                    findings[finding.index] = finding  # a word that goes need not agree
                elif finding.index not in scene.agreeing:
                    findings.setdefault(finding.index, finding)
        return findings


def _marked(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the words that the sentence's markup names, in any form.

    A determiner or pronoun takes the new number, but for *{uma} das* [NC], which keeps its own. Raises
    `AgreementError` when the pack does not know such a word or its form.
    """
    for index in sorted(scene.agreeing):
        word, new = scene.word(index), scene.new
        paradigm = scene.reader.named(word, scene.paradigms.get(index)) or scene.reader.any_paradigm(word)
        if paradigm is None:
            form = scene.reader.inflected(word, new)
        else:
            cells = (cell for row in paradigm.cells if word in row.forms for cell in scene.reader.language.cells(row))
            numbers = {number for _, number in cells}
            keeps = scene.old.number not in numbers and word in scene.reader.kind("partitive")
            form = paradigm.form(replace(new, number=min(numbers) if keeps else new.number).values)
        if form is None:
            what = f"{word!r} should agree with {new.gender or '-'} {new.number} and has no such form"
            raise AgreementError(what, fix="add it to forms.tsv or to the paradigms of pack.toml")
        if form != word:
            yield Finding(index, form, paradigm.id if paradigm else ADJECTIVE)


def _edit(scene: Scene, finding: Finding) -> Edit | None:
    """Return the change of a finding, the space behind the word where that comes or goes, or None without one."""
    text, (start, end) = scene.sentence.text, scene.spans[finding.index]
    end = scene.spans[finding.index + finding.size - 1][1]
    form = same_case(str(finding.form), text[start:end]).replace("'", "’" if "’" in text else "'")
    if not form:  # a word that goes takes the space behind it along
        return Edit((start, end + (text[end : end + 1] == " ")), "", finding.rule)
    if finding.joined is not None:
        follows = next((span[0] for span in scene.spans if span[0] >= end), end)
        if finding.joined == (follows > end):
            form, end = form if finding.joined else form + " ", follows
    return Edit((start, end), form, finding.rule) if plain(form) != plain(text[start:end]) else None


def apply_edits(sentence: MarkedSentence, edits: Iterable[Edit]) -> tuple[MarkedSentence, tuple[CarrierEdit, ...]]:
    """Return the sentence with *edits* made, its spans moved along, and the changes outside the NC as records."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    for edit, following in pairwise(ordered):
        if edit.span[1] > following.span[0]:
            raise AssertionError(f"two changes of one stretch: {edit} and {following}")

    def move(span: Span) -> Span:
        start = span[0] + sum(len(edit.after) - (edit.span[1] - edit.span[0]) for edit in ordered if edit.span < span)
        same = (len(edit.after.rstrip()) for edit in ordered if edit.span[0] == span[0] and edit.span >= span)
        return start, start + next(same, span[1] - span[0])

    text = sentence.text
    for edit in reversed(ordered):
        text = text[: edit.span[0]] + edit.after + text[edit.span[1] :]
    records = tuple(
        CarrierEdit(move(edit.span)[0], sentence.text[slice(*edit.span)], edit.after, edit.rule)
        for edit in ordered
        if edit.span != sentence.span and sentence.text[slice(*edit.span)] != edit.after
    )
    agreeing, fixed = (tuple(map(move, spans)) for spans in (sentence.agreeing, sentence.fixed))
    paradigms = {move(span): name for span, name in sentence.paradigms.items()}
    return MarkedSentence(text, move(sentence.span), agreeing, fixed, paradigms), records


def same_case(word: str, model: str) -> str:
    """Return *word* with a capital first letter where *model* has one, in capitals where *model* is in capitals.

    >>> same_case("an", "A"), same_case("uma", "um"), same_case("estas", "ESTE")
    ('An', 'uma', 'ESTAS')
    """
    if sum(map(str.isalpha, model)) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
