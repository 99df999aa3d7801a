"""Agreement in other sentences than the experts': noun phrases of treebanks, and our own sentences without marks.

    PYTHONPATH=src python bench/linguistics_agreement.py ../shared/sources/corpora/pt_porttinari-ud-test.conllu \
        --parser pt-parser

In a treebank, every noun with one adjective beside it gets the other gender and number. Which words have to change,
the tree says: determiners and adjectives, participles, the verbs whose subject it is, in relative clauses too, their
predicates, and what is coordinated with them. *recall* is the share of them that change, *precision* that of the
changes that the tree asks for, *exact* the share of phrases with all of them and no other. A predicate noun (*são uns
alimentos*) and the verb of *É a* [noun] count as wrong changes here, although people write both.

In the open edition, the marks of a sentence say what has to change when its compound gets the other gender; without
marks, the rules have to find it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path

from linguistics_validator_treebank import Node, children, phrases, read_trees

from ncimp.builder.build.resources import LanguageResources, SpacyParser
from ncimp.builder.filling.repair import NEAR, Repairer
from ncimp.builder.grammar import Features
from ncimp.builder.records import NEUTRAL, Gender, MarkedSentence, Number
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.builder.sources.registry import data_folder

LANG = "pt"
GENDERS: Mapping[str, Gender] = {"Masc": "m", "Fem": "f"}
NUMBERS: Mapping[str, Number] = {"Sing": "sg", "Plur": "pl"}
OTHER_GENDER: Mapping[Gender | None, Gender] = {"m": "f", "f": "m"}
OTHER_NUMBER: Mapping[Number, Number] = {"sg": "pl", "pl": "sg"}


@dataclass
class Tally:
    """What had to change, by relation, what did, and what changed besides, by rule."""

    phrases: int = 0
    exact: int = 0
    due: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def lines(self, name: str) -> Iterator[str]:
        """Yield the figures."""
        due, done, wrong = self.due.total(), self.done.total(), self.wrong.total()
        yield f"{name}: {self.phrases:,} phrases, exact {self.exact / self.phrases:.1%}"
        yield f"  words: recall {done / due:.1%} of {due:,}, precision {done / (done + wrong):.1%}"
        yield from (f"  {kind:12} {self.done[kind]:5} of {self.due[kind]:5}" for kind in sorted(self.due))
        yield f"  wrong: {', '.join(f'{rule} {times}' for rule, times in self.wrong.most_common()) or 'none'}"


class Agreement:
    """The words of a tree that agree with one of its nouns."""

    def __init__(self, nodes: Mapping[int, Node], noun: int) -> None:
        self.nodes, self.noun, self.kids = nodes, noun, children(nodes)
        self.words: dict[int, str] = {}  # token to relation
        self._find()

    def _find(self) -> None:
        for index in self.kids[self.noun]:
            node = self.nodes[index]
            if node.relation in ("det", "amod") and "Number" in node.feats and self._agrees(node):
                self.words[node.token] = "determiner" if node.relation == "det" else "adjective"
                for other in self._of(index, "conj"):
                    if self.nodes[other].pos == "ADJ" and self._agrees(self.nodes[other]):
                        self.words[self.nodes[other].token] = "adjective"
            elif node.relation == "acl" and node.is_participle and self._agrees(node):
                self.words[node.token] = "participle"
            elif any(self.nodes[subject].form.lower() == "que" for subject in self._of(index, "nsubj")):
                self._clause(index, "relative")
        if self.nodes[self.noun].relation == "nsubj" and not self._of(self.noun, "conj"):
            self._clause(self.nodes[self.noun].head, "verb")

    def _of(self, head: int, *relations: str) -> list[int]:
        return [index for index in self.kids[head] if self.nodes[index].relation in relations]

    def _agrees(self, node: Node) -> bool:
        return node.agrees(self.nodes[self.noun])

    def _clause(self, head: int, kind: str) -> None:
        node, auxiliaries = self.nodes[head], self._of(head, "aux", "cop")
        for verb in (node, *(self.nodes[index] for index in auxiliaries)):
            if verb.is_finite:
                self.words[verb.token] = kind
        passive = any(
            self.nodes[index].form.lower() not in ("tem", "têm", "ter", "tinha", "tinham") for index in auxiliaries
        )
        if "Gender" in node.feats and self._agrees(node) and (node.pos == "ADJ" or passive) and node.pos != "NOUN":
            self.words[node.token] = "predicate"
        for index in self._of(head, "conj"):
            if not self._of(index, "nsubj", "csubj") and (self.nodes[index].pos in ("VERB", "ADJ")):
                self._clause(index, kind)


def treebank(path: Path, repairer: Repairer) -> Tally:
    """Return the figures of the noun phrases of a treebank."""
    tally = Tally()
    for tokens, nodes in read_trees(path):
        text = " ".join(tokens)
        starts = [0, *accumulate(len(token) + 1 for token in tokens)]
        for noun, first, end in phrases(nodes):
            if nodes[noun].relation == "conj" or any(n.relation == "conj" and n.head == noun for n in nodes.values()):
                continue
            due = {starts[word]: kind for word, kind in Agreement(nodes, noun).words.items() if not first <= word < end}
            old = Features(GENDERS[nodes[noun].feats["Gender"]], NUMBERS[nodes[noun].feats["Number"]])
            new = Features(OTHER_GENDER[old.gender], OTHER_NUMBER[old.number])
            span = (starts[first], starts[end - 1] + len(tokens[end - 1]))
            edits = repairer.repair(MarkedSentence(text, span), text[slice(*span)], old, new).edits
            count(tally, due, {edit.span[0]: edit.rule for edit in edits})
    return tally


def count(tally: Tally, due: Mapping[int, str], made: Mapping[int, str]) -> None:
    """Add one phrase: what is due, by its place, and what was made."""
    tally.phrases += 1
    tally.exact += due.keys() == made.keys()
    tally.due.update(due.values())
    tally.done.update(kind for place, kind in due.items() if place in made)
    tally.wrong.update(rule for place, rule in made.items() if place not in due)


def edition(language: LanguageResources, repairer: Repairer) -> Tally:
    """Return the figures of the sentences of the open edition without their marks."""
    tally, near = Tally(), Repairer(language.pack.language, language.analyser, NEAR)
    genders = {compound.text: compound.gender for compound in language.pack.compounds}
    for (compound, context), marked in sorted(language.pack.marked.items()):
        if context in NEUTRAL:
            continue
        old = Features(genders[compound], language.pack.numbers[compound, context])
        new = replace(old, gender=OTHER_GENDER[old.gender])
        nc = marked.text[slice(*marked.span)]
        due = {edit.span[0]: edit.rule for edit in near.repair(marked, nc, old, new).edits}
        bare = MarkedSentence(marked.text, marked.span, fixed=marked.fixed)
        count(tally, due, {edit.span[0]: edit.rule for edit in repairer.repair(bare, nc, old, new).edits})
    return tally


def main(argv: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="*", type=Path, metavar="CONLLU")
    parser.add_argument("--parser", metavar="NAME|FOLDER", help="a spaCy pipeline; without one, the rules alone")
    parser.add_argument("--data", type=Path, help="where lexicons are kept (default: the user's cache)")
    args = parser.parse_args(argv)
    language = LanguageResources(LANG, packs_folder(), data_folder(args.data))
    arcs = SpacyParser(args.parser) if args.parser else None
    repairer = Repairer(language.pack.language, language.analyser, parser=arcs)
    figures = {path.stem: treebank(path, repairer) for path in args.treebanks}
    figures["the open edition without marks"] = edition(language, repairer)
    for name, tally in figures.items():
        sys.stdout.writelines(f"{line}\n" for line in tally.lines(name))


if __name__ == "__main__":
    main()
