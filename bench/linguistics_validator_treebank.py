"""The second opinion on open text: the noun phrases of a treebank, as they stand and with planted errors.

    PYTHONPATH=src python bench/linguistics_validator_treebank.py ../shared/sources/corpora/pt_*.conllu

Every noun with one adjective beside it is a span. Which words agree with it, the dependencies say: its determiners,
its other adjectives and participles, and the finite verb whose subject it is, however far away. Sentences are
those of newspapers, longer and harder than the experts'; a finding in a sentence as it stands counts as false, though
a part of them are real slips of the writers (`--errors` shows them). Counts of the lexicons include the treebank.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linguistics_validator import ROOT, Figures, Planter, shown, tools

from ncimp.builder.sources.registry import data_folder
from ncimp.schemas.files import keyed_hash

KINDS = {"det": "determiner", "amod": "adjective", "acl": "participle", "nsubj": "verb number"}


@dataclass(frozen=True)
class Node:
    """One syntactic word: the index of its token, and what the treebank says of it."""

    token: int
    form: str
    pos: str
    feats: Mapping[str, str]
    head: int
    relation: str

    @property
    def is_finite(self) -> bool:
        """Whether it is a finite verb of the third person."""
        return (self.feats.get("VerbForm"), self.feats.get("Person")) == ("Fin", "3")

    @property
    def is_participle(self) -> bool:
        """Whether it is a participle."""
        return self.feats.get("VerbForm") == "Part"

    def agrees(self, noun: Node) -> bool:
        """Tell whether it has no other gender or number than *noun*."""
        return all(self.feats.get(name, noun.feats[name]) == noun.feats[name] for name in ("Gender", "Number"))


def read_trees(path: Path) -> Iterator[tuple[list[str], dict[int, Node]]]:
    """Yield the tokens of each sentence as they are written, and its nodes by id; contractions are one token."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        tokens: list[str] = []
        nodes: dict[int, Node] = {}
        covered = 0
        for cells in (line.split("\t") for line in block.splitlines() if line and line[0] != "#"):
            if "-" in cells[0]:
                covered = int(cells[0].split("-")[1])
                tokens.append(cells[1])
            elif cells[0].isdigit():
                if int(cells[0]) > covered:
                    tokens.append(cells[1])
                feats = dict(feat.split("=", 1) for feat in cells[5].split("|") if "=" in feat)
                relation = cells[7].split(":")[0]
                nodes[int(cells[0])] = Node(len(tokens) - 1, cells[1], cells[3], feats, int(cells[6]), relation)
        yield tokens, nodes


def phrases(nodes: Mapping[int, Node]) -> Iterator[tuple[int, int, int]]:
    """Yield (id of the noun, first token, end) for every noun with gender and number beside one of its adjectives."""
    for noun, node in nodes.items():
        if node.pos != "NOUN" or not {"Gender", "Number"} <= node.feats.keys():
            continue
        for beside in (noun - 1, noun + 1):
            other = nodes.get(beside)
            if other and (other.pos, other.head, other.relation) == ("ADJ", noun, "amod"):
                start, end = sorted((node.token, other.token))
                if end == start + 1:
                    yield noun, start, end + 1
                    break


def children(nodes: Mapping[int, Node]) -> Mapping[int, list[int]]:
    """Return the ids of what depends on each node."""
    kids: defaultdict[int, list[int]] = defaultdict(list)
    for index, node in nodes.items():
        kids[node.head].append(index)
    return kids


def agreeing(nodes: Mapping[int, Node], noun: int) -> Iterator[tuple[str, int]]:
    """Yield (category, token) for the words that agree with *noun*, by the dependencies."""
    kids = children(nodes)
    for node in (nodes[index] for index in kids[noun]):
        bound = node.relation in ("det", "amod") or (node.relation == "acl" and node.is_participle)
        if bound and node.agrees(nodes[noun]):
            yield KINDS[node.relation], node.token
    head = nodes[noun].head
    if nodes[noun].relation == "nsubj":
        auxiliaries = (nodes[index] for index in kids[head] if nodes[index].relation in ("aux", "cop"))
        yield from ((KINDS["nsubj"], node.token) for node in (nodes[head], *auxiliaries) if node.is_finite)


def corrupted(planter: Planter, category: str, word: str, span: Sequence[str]) -> str | None:
    """Return *word* in another gender or number, or None where nobody knows such a form."""
    forms = planter.verbs(word) if category == KINDS["nsubj"] else planter.corrupted(category, word, (), span)
    return min(forms, key=lambda form: keyed_hash(*span, word, form), default=None)


def planted(
    planter: Planter, tokens: list[str], nodes: Mapping[int, Node], noun: int, span: tuple[int, int]
) -> Iterator[tuple[str, int, list[str]]]:
    """Yield (category, index, tokens) with an error in one word that agrees with *noun*."""
    for category, index in agreeing(nodes, noun):
        if not span[0] <= index < span[1]:
            form = corrupted(planter, category, tokens[index].lower(), tokens[slice(*span)])
            if form is not None:
                word = form.capitalize() if tokens[index][:1].isupper() else form
                yield category, index, [*tokens[:index], word, *tokens[index + 1 :]]


def measure(path: Path, shared: Path, *, data: Path, told: list[str]) -> Figures:
    """Return the figures of the treebank at *path*; lines on errors are added to *told*."""
    opinion, planter = tools(shared, path.name.split("_")[0], data=data)
    figures = Figures()
    for tokens, nodes in read_trees(path):
        for noun, start, end in phrases(nodes):
            span = (start, end)
            found = opinion.findings(tokens, *span)
            figures.see(found)
            told.extend(f"FALSE {row.code} {shown(tokens, span, row)}" for row in found)
            if not found:
                for category, index, broken in planted(planter, tokens, nodes, noun, span):
                    figures.see_planted(category, index, opinion.findings(broken, *span))
    return figures


def main(argv: Iterable[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path, metavar="CONLLU")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the development data")
    parser.add_argument("--data", type=Path, help="where lexicons are kept (default: the user's cache)")
    parser.add_argument("--errors", action="store_true", help="print what was found in sentences as they stand")
    args = parser.parse_args(None if argv is None else list(argv))
    for path in args.treebanks:
        told: list[str] = []
        figures = measure(path, args.shared, data=data_folder(args.data), told=told)
        sys.stdout.writelines(f"{line}\n" for line in told if args.errors)
        sys.stdout.writelines(f"{line}\n" for line in figures.table(path.stem))


if __name__ == "__main__":
    main()
