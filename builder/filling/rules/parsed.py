"""Words that agree with the NC by the dependencies of its sentence, however far away they stand.

A parser says what depends on what; whether a word can agree, and its new form, the lexicons say, as for every rule.
*[condições financeiras] que, em todo o caso, garantam*: the verb of a relative clause; *a [guerra civil] no país, que
fez mortos, começou*: that of its own clause, with its predicate and what is coordinated with them; its adjectives and
participles behind other words.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ncimp.builder.filling.rules.beside import phrase_start
from ncimp.builder.filling.scene import Finding, Scene
from ncimp.builder.grammar import fits
from ncimp.builder.ports import Arc, DependencyParser

DEPENDENCY = "dependency"  # the name of the rule
LIKELY = 0.5  # least share of adjectives among the uses of a participle that stands alone


def dependents(scene: Scene, parser: DependencyParser) -> Iterator[Finding]:
    """Yield the changes of the words that agree with the NC by the arcs of *parser*."""
    text, spans = scene.sentence.text, scene.spans
    starts = [*(start for start, _ in spans[1:]), len(text)]
    spaces = tuple(next_word > end for (_, end), next_word in zip(spans, starts, strict=True))
    yield from _Tree(scene, tuple(parser.arcs(tuple(text[slice(*span)] for span in spans), spaces))).findings()


@dataclass(frozen=True)
class _Tree:
    """A sentence and its arcs."""

    scene: Scene
    arcs: tuple[Arc, ...]

    def findings(self) -> Iterator[Finding]:
        """Yield the changes that the head of the NC asks for."""
        inside = range(self.scene.first, self.scene.last + 1)
        noun = next((index for index in inside if self.arcs[index].head not in inside), None)
        noun = next((index for index in inside if self.arcs[index].head == index), noun)
        if noun is None:
            return
        for index in self._kids(noun, "amod"):
            if not self._is_contested(index):
                yield from self._adjectives(index)
        for index in self._kids(noun, "acl"):
            subjects = self._kids(index, "nsubj")
            if any(self.scene.is_kind(subject, "relative") for subject in subjects):
                yield from self._clause(index)
            elif not subjects and self._is_participle(index) and not self._is_contested(index):
                yield from self._adjectives(index)
        if self.arcs[noun].relation == "nsubj" and not self._is_coordinated(noun):
            head = self.arcs[noun].head
            # what stands behind a verb is its object or predicate, and no subject of the next verb
            if head < self.scene.first or not self.scene.is_verb(phrase_start(self.scene) - 1):
                yield from self._clause(head)

    def _kids(self, head: int, *relations: str) -> list[int]:
        """Return what depends on *head* in one of *relations*, but for the words of the NC."""
        inside = range(self.scene.first, self.scene.last + 1)
        arcs = ((index, arc) for index, arc in enumerate(self.arcs) if index not in inside and index != head)
        return [index for index, arc in arcs if arc.head == head and arc.relation in relations]

    def _is_participle(self, index: int) -> bool:
        return self.scene.reader.likelihood(self.scene.word(index), "adj") >= LIKELY

    def _is_contested(self, index: int) -> bool:
        """Tell whether the adjective at *index* could belong to another noun, between it and the NC."""
        between = range(self.scene.last + 1, index)
        nouns = (form for place in between for form in self.scene.reader.readings(self.scene.word(place)))
        return any(form.pos == "noun" and fits(form, self.scene.old) for form in nouns)

    def _is_coordinated(self, noun: int) -> bool:
        beside = self.scene.is_kind(phrase_start(self.scene) - 1, "coordinator")
        return beside or self.arcs[noun].relation == "conj" or bool(self._kids(noun, "conj"))

    def _adjectives(self, index: int) -> Iterator[Finding]:
        """Yield the change of the adjective at *index* and of those coordinated with it."""
        for place in (index, *self._kids(index, "conj")):
            if self.scene.agrees(place) and not self.scene.reader.paradigms(self.scene.word(place)):
                yield from self.scene.adjective(place, DEPENDENCY)

    def _clause(self, head: int) -> Iterator[Finding]:
        """Yield the changes of the clause with the predicate *head*, whose subject is the NC, and of further verbs."""
        scene, number = self.scene, self.scene.old.number
        auxiliaries = self._kids(head, "aux", "cop")
        verbs = [index for index in (auxiliaries or [head]) if scene.is_verb(index, number)]
        for index in verbs:
            yield from scene.verb(index, DEPENDENCY)
        outside = not scene.first <= head <= scene.last
        if outside and any(scene.is_kind(index, "copula") for index in auxiliaries):
            yield from self._adjectives(head)
        for index in self._kids(head, "conj"):
            first = min([index, *self._kids(index, "aux", "cop")])
            joined = scene.is_kind(scene.skip(first - 1, -1, "adverb", "clitic"), "coordinator", "comma")
            if joined and (verbs or auxiliaries) and not self._kids(index, "nsubj", "csubj"):
                yield from self._clause(index)
