"""The repair of a carrier: every rule that is switched on, applied to one sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from ncimp.builder.filling.edits import Edit, same_case
from ncimp.builder.filling.reader import Features, Reader
from ncimp.builder.filling.rules.clauses import inverted_subject, main_clause, relative_clause
from ncimp.builder.filling.rules.left import left_chain
from ncimp.builder.filling.rules.right import right_adjectives
from ncimp.builder.filling.scene import Change, Doubt, Finding, Scene
from ncimp.builder.ports import Analyser
from ncimp.builder.records import Language, MarkedSentence

RULES: Mapping[str, Callable[[Scene], Iterator[Finding]]] = {
    "inverted subject": inverted_subject,
    "left chain": left_chain,
    "right adjectives": right_adjectives,
    "relative clause": relative_clause,
    "main clause": main_clause,
}
"""Every rule by name, in the order in which they are asked; the first to speak of a word decides."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What the rules ask of a sentence: edits, and the words they cannot decide on."""

    edits: tuple[Edit, ...]
    doubts: tuple[Doubt, ...]


class Repairer:
    """The agreement rules of one language, as its pack describes them."""

    def __init__(self, language: Language, analyser: Analyser, rules: Collection[str] = tuple(RULES)) -> None:
        self.reader = Reader(language, analyser)
        self.rules = [(name, RULES[name]) for name in RULES if name in rules]

    def repair(self, sentence: MarkedSentence, old: Features, new: Features) -> Repair:
        """Return what must change in *sentence* for words that agree with *old* to agree with *new*."""
        if not self.reader.language.features or old == new:
            return Repair((), ())
        scene = Scene(sentence, old, new, self.reader)
        found: dict[int, Finding] = {}
        for _, rule in self.rules:
            for finding in rule(scene):
                found.setdefault(finding.index, finding)
        edits = [_edit(scene, change) for change in found.values() if not isinstance(change, Doubt)]
        return Repair(tuple(edits), tuple(doubt for doubt in found.values() if isinstance(doubt, Doubt)))


def _edit(scene: Scene, change: Change) -> Edit:
    start, end = scene.spans[change.index]
    if not change.form:  # a word that goes takes the space behind it along
        return Edit((start, end + (scene.sentence.text[end : end + 1] == " ")), "", change.rule)
    return Edit((start, end), same_case(change.form, scene.text(change.index)), change.rule)
