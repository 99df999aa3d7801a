"""The repair of a carrier: every rule that is switched on, applied to one sentence, and the sound after an article."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ncimp.builder.filling.rules import clauses
from ncimp.builder.filling.rules.beside import left_chain, other_kind, right_adjectives
from ncimp.builder.filling.rules.parsed import dependents
from ncimp.builder.filling.scene import ADJECTIVE, Finding, NewPhrase, Reader, Scene
from ncimp.builder.grammar import Features
from ncimp.builder.ports import Analyser, DependencyParser, Morphology
from ncimp.builder.records import CarrierEdit, Language, MarkedSentence, Span
from ncimp.schemas import AgreementError

WORD = re.compile(r"\w+(?:[-']\w+)*")

BESIDE = re.compile(r" [\"'“‘«(]*")  # text between two words that are said without a pause

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

    def repair(self, sentence: MarkedSentence, old: Features, new: Features, phrase: NewPhrase = NOUN_PHRASE) -> Repair:
        """Return the changes of *sentence* that make words that agree with *old* agree with *new*."""
        unchanged = old == new and phrase.kind == "noun" and not sentence.agreeing
        if unchanged or not self.reader.language.features:
            return Repair((), ())
        scene = Scene(sentence, old, new, self.reader, phrase)
        findings = {finding.index: finding for finding in _marked(scene)}
        # a phrase of another kind has no features: only what stands beside it changes
        for rule in self.rules if phrase.kind == "noun" else [other_kind]:
            for finding in rule(scene):
                if finding.form == "":
                    findings[finding.index] = finding  # a word that goes need not agree
                elif finding.index not in scene.agreeing:
                    findings.setdefault(finding.index, finding)
        rows = findings.values()
        edits = tuple(_edit(scene, row.index, row.form, row.rule) for row in rows if row.form is not None)
        return Repair(edits, tuple(row for row in rows if row.form is None))


def _marked(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the words that the sentence's markup names, in any form.

    A determiner or pronoun takes the new number, but for *{uma} das* [NC], which keeps its own. Raises
    `AgreementError` when the pack does not know such a word or its form.
    """
    for index in sorted(scene.agreeing):
        word, new = scene.word(index), scene.new
        paradigm = scene.reader.any_paradigm(word)
        if paradigm is None:
            form = scene.reader.inflected(word, new)
        else:
            numbers = {number for (_, number), cell in paradigm.cells.items() if cell == word}
            keeps = scene.old.number not in numbers and word in scene.reader.kind("partitive")
            form = paradigm.cells.get(Features(new.gender, min(numbers) if keeps else new.number).cell)
        if form is None:
            what = f"{word!r} should agree with {new.gender or '-'} {new.number} and has no such form"
            raise AgreementError(what, fix="add it to forms.tsv or to the paradigms of pack.toml")
        if form != word:
            yield Finding(index, form, paradigm.id if paradigm else ADJECTIVE)


def _edit(scene: Scene, index: int, form: str, rule: str) -> Edit:
    start, end = scene.spans[index]
    end += not form and scene.sentence.text[end : end + 1] == " "  # a word that goes takes the space behind it along
    return Edit((start, end), same_case(form, scene.text(index)), rule)


def repair_onset(
    sentence: MarkedSentence, replacement: str, *, language: Language, morphology: Morphology
) -> Iterator[Edit]:
    """Yield the edit of the word directly left of the NC when *replacement* asks for its other form (a / an)."""
    words = [match.span() for match in WORD.finditer(sentence.text, 0, sentence.span[0])]
    if not words or words[-1] in sentence.fixed or not BESIDE.fullmatch(sentence.text, words[-1][1], sentence.span[0]):
        return
    word = sentence.text[slice(*words[-1])]
    first = WORD.search(replacement)
    for alternation in language.alternations:
        if word.lower() in (alternation.consonant, alternation.vowel) and first is not None:
            vowel = morphology.onset(first[0]) == "vowel"
            form = same_case(alternation.vowel if vowel else alternation.consonant, word)
            if form != word:
                yield Edit(words[-1], form, alternation.rule)


def apply_edits(sentence: MarkedSentence, edits: Iterable[Edit]) -> tuple[MarkedSentence, tuple[CarrierEdit, ...]]:
    """Return the sentence with *edits* made, its spans moved along, and the changes outside the NC as records."""
    ordered = sorted(edits, key=lambda edit: edit.span)

    def move(span: Span) -> Span:
        start = span[0] + sum(len(edit.after) - (edit.span[1] - edit.span[0]) for edit in ordered if edit.span < span)
        return start, start + next((len(edit.after) for edit in ordered if edit.span == span), span[1] - span[0])

    text = sentence.text
    for edit in reversed(ordered):
        text = text[: edit.span[0]] + edit.after + text[edit.span[1] :]
    records = tuple(
        CarrierEdit(move(edit.span)[0], sentence.text[slice(*edit.span)], edit.after, edit.rule)
        for edit in ordered
        if edit.span != sentence.span and sentence.text[slice(*edit.span)] != edit.after
    )
    agreeing, fixed = (tuple(map(move, spans)) for spans in (sentence.agreeing, sentence.fixed))
    return MarkedSentence(text, move(sentence.span), agreeing, fixed), records


def same_case(word: str, model: str) -> str:
    """Return *word* with a capital first letter where *model* has one, in capitals where *model* is in capitals.

    >>> same_case("an", "A"), same_case("uma", "um"), same_case("estas", "ESTE")
    ('An', 'uma', 'ESTAS')
    """
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
