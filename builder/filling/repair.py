"""The repair of a carrier: every rule that is switched on, applied to one sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from ncimp.builder.filling.edits import Edit, same_case
from ncimp.builder.filling.reader import Features, Reader
from ncimp.builder.filling.rules.apposed import apposed_participle
from ncimp.builder.filling.rules.inversion import inverted_subject
from ncimp.builder.filling.rules.kinds import other_kind
from ncimp.builder.filling.rules.left import left_chain
from ncimp.builder.filling.rules.reference import elided_noun, role_pronoun
from ncimp.builder.filling.rules.right import right_adjectives
from ncimp.builder.filling.rules.subjects import main_clause, relative_clause
from ncimp.builder.filling.scene import ADJECTIVE, Change, Doubt, Finding, Phrase, Scene
from ncimp.builder.ports import Analyser
from ncimp.builder.records import Language, MarkedSentence, Paradigm
from ncimp.schemas.errors import AgreementError

RULES: Mapping[str, Callable[[Scene], Iterator[Finding]]] = {
    "inverted subject": inverted_subject,
    "left chain": left_chain,
    "right adjectives": right_adjectives,
    "participle after a comma": apposed_participle,
    "relative clause": relative_clause,
    "main clause": main_clause,
    "role pronoun": role_pronoun,
    "elided noun": elided_noun,
}
"""Every rule by name, in the order in which they are asked; the first to speak of a word decides."""


NOUN_PHRASE = Phrase()

NEAR = ("left chain", "right adjectives")
"""The rules for sentences whose far agreement is marked: what stands directly beside the NC."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What the rules ask of a sentence: edits, and the words they cannot decide on."""

    edits: tuple[Edit, ...]
    doubts: tuple[Doubt, ...]


class Repairer:
    """The agreement rules of one language, as its pack describes them."""

    def __init__(self, language: Language, analyser: Analyser, rules: Collection[str] = tuple(RULES)) -> None:
        self.reader = Reader(language, analyser)
        self.rules = [RULES[name] for name in RULES if name in rules]

    def repair(self, sentence: MarkedSentence, old: Features, new: Features, phrase: Phrase = NOUN_PHRASE) -> Repair:
        """Return what must change in *sentence* for words that agree with *old* to agree with *new*.

        A *phrase* of another kind than a noun phrase has no features; only what stands beside it changes.
        """
        unchanged = old == new and phrase.kind == "noun" and not sentence.agreeing
        if unchanged or not self.reader.language.features:
            return Repair((), ())
        scene = Scene(sentence, old, new, self.reader, phrase)
        found = {finding.index: finding for finding in _marked(scene)}
        for rule in self.rules if phrase.kind == "noun" else [other_kind]:
            for finding in rule(scene):
                if isinstance(finding, Change) and not finding.form:
                    found[finding.index] = finding  # a word that goes need not agree
                elif finding.index not in scene.agreeing:
                    found.setdefault(finding.index, finding)
        changes = [finding for finding in found.values() if isinstance(finding, Change)]
        doubts = [finding for finding in found.values() if isinstance(finding, Doubt)]
        return Repair(tuple(_edit(scene, change) for change in changes), tuple(doubts))


def _marked(scene: Scene) -> Iterator[Finding]:
    """Yield the changes of the words that the sentence's markup names, whatever form they stand in.

    Raises `AgreementError` when the pack does not know such a word or its form.
    """
    for index in sorted(scene.agreeing):
        word = scene.word(index)
        paradigm = scene.reader.any_paradigm(word)
        form = _turned(scene, paradigm, word) if paradigm else scene.reader.inflected(word, scene.new)
        if form is None:
            what = f"{word!r} should agree with {scene.new.gender or '-'} {scene.new.number} and has no such form"
            raise AgreementError(what, fix="add it to forms.tsv or to the paradigms of pack.toml")
        if form != word:
            yield Change(index, form, paradigm.id if paradigm else ADJECTIVE)


def _turned(scene: Scene, paradigm: Paradigm, word: str) -> str | None:
    """Return the form of a marked determiner or pronoun; of *{uma} das* [NC], in its own number."""
    own = {number for (_, number), form in paradigm.cells.items() if form == word}
    keeps = scene.old.number not in own and word in scene.reader.kind("partitive")
    number = min(own) if keeps else scene.new.number
    return paradigm.cells.get(Features(scene.new.gender, number).cell)


def _edit(scene: Scene, change: Change) -> Edit:
    start, end = scene.spans[change.index]
    if not change.form:  # a word that goes takes the space behind it along
        return Edit((start, end + (scene.sentence.text[end : end + 1] == " ")), "", change.rule)
    return Edit((start, end), same_case(change.form, scene.text(change.index)), change.rule)
