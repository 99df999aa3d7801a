"""Reader of the trees of Floresta (`Floresta_7.4.ptb`): brackets with a function, a category and a word.

    #1 CP1-1 Um bom livro.
    (UTT+np (>N+art Um)
            (>N+adj bom)
            (H+n livro)
            (.))

A line that begins with `#` names a sentence and begins it; only the words at the leaves are read. A leaf without a
word is a mark of punctuation, and the last bracket of a tree may be missing. The part of speech is what follows `+`.
Joined parts (`7_e_Meio`) stay one token, as in NLTK. There are no lemmas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import Token

_LEAF = re.compile(r"\((?P<tag>[^\s()]+)(?:\s+(?P<word>[^\s()]+)\s*(?:\)|\Z)|\s*\))")

_BRACKET = re.compile(r"(?<=\()[()](?=\))")
_NO_TREE = "-"
"""What stands for a bracket that is itself a word of the text: like it, a separator."""


def read_floresta(
    lines: Iterable[Line],
    *,
    file: str,  # noqa: ARG001 - nothing can be wrong
    problems: Problems = STOP,  # noqa: ARG001
) -> Iterator[CorpusSentence]:
    """Yield the words of each tree."""
    position, tree, start = Position(), list[str](), 1
    for number, line in lines:
        if line.startswith("#") or not line.strip():
            yield from _words("\n".join(tree), start, position)
            tree, start = [], number + 1
        else:
            tree.append(line)
    yield from _words("\n".join(tree), start, position)


def _words(tree: str, start: int, position: Position) -> Iterator[CorpusSentence]:
    if not tree:
        return
    number = position.next()  # a sentence that is left out keeps its number
    if UNREADABLE in tree:
        return
    leaves = _LEAF.finditer(_BRACKET.sub(_NO_TREE, tree.strip()))
    tokens = [_token(leaf["tag"], leaf["word"]) for leaf in leaves]
    if tokens:
        yield CorpusSentence(tokens, number=number, line=start)


def _token(tag: str, word: str | None) -> Token:
    return Token(tag, None) if word is None else Token(word, None, tag.rpartition("+")[2])
