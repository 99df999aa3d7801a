"""Blocks: how text reaches the counting kernel, whatever format it had.

A *block* is a run of whole lines that ends where a sentence ends, so that blocks can be counted in any order by
any number of workers. A *layout* says which column of a line is what. Every reader hands on blocks of one
layout; those of vertical formats hand on the bytes of the file as they are, all others write `CANONICAL`:

    <text>
    Eager	JJ	eager
    beavers	NNS	beaver
    .	SENT	.

    I	PP	I

* One unit a line: surface, tag, lemma, separated by tabs, in UTF-8. LF ends a line.
* A **blank line** ends a sentence; `<text>` on a line of its own (it may have attributes) begins a document and ends
  a sentence. Nothing else may stand on a line without tabs.
* An **empty cell** says that this layer has no unit here; its neighbours stay adjacent. So *da = de + o* is three
  lines: `da<TAB><TAB>`, `<TAB>ADP<TAB>de`, `<TAB>DET<TAB>o`; plain text leaves tag and lemma empty.
* A unit without letter or digit (`,` or `_`) is a **separator**: not counted, and its neighbours are not adjacent.
* Case, typographic hyphens and Unicode forms are left as they are: they are settled once per type, after counting.

A reader in Python therefore needs no more than this (`lines` are those of one sentence after the other):

    def blocks(self) -> Iterator[Block]:
        yield from packed(canonical(self.sentences()))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

PADDING = 64
"""Bytes after a block that may be read (never used), because the kernel loads eight at a time."""

BLOCK_BYTES = 1 << 20
"""Bytes of a block, about: it ends with the last sentence that fits. It and its tables stay in a core's cache."""

NO_COLUMN = -1
"""The number of a column that a format does not have."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the lines of a vertical format mean; columns are numbered from 0."""

    columns: int
    """Tabs in a line of a unit, and one more. Other lines are markup, comments, or broken."""
    surface: int
    tag: int = NO_COLUMN
    lemma: int = NO_COLUMN
    ends: Literal["blank", "markup"] = "blank"
    """What ends a sentence: a blank line (and `<text>`); or it stands between `<s>` and `</s>`."""
    comments: bool = False
    """Lines that begin with `#` are comments; `# newdoc` begins a document (CoNLL-U)."""
    ranges: bool = False
    """Column 0 is the word id of CoNLL-U: `2-3` has a surface only, words 2 and 3 have none; `8.1` is skipped."""
    gaps: bool = False
    """An empty surface or lemma means that the layer has no unit here; otherwise an empty surface breaks the line."""
    entities: bool = False
    """`&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` stand for the characters, and `<unknown>` for no lemma."""
    encoding: str = "utf-8"
    """How cells are decoded, once per type; lines and tabs are found before that, so it must extend ASCII."""


CANONICAL = Layout(columns=3, surface=0, tag=1, lemma=2, gaps=True)
"""What readers of other formats write; see above."""

WAC = Layout(columns=3, surface=0, tag=1, lemma=2, ends="markup", entities=True)
"""The vertical format of the WaCky corpora: form, part of speech, lemma."""

CONLLU = Layout(columns=10, surface=1, tag=3, lemma=2, comments=True, ranges=True)
"""The tables of Universal Dependencies; the tag is UPOS."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, ending where a sentence ends."""

    data: bytearray
    """The bytes, and `PADDING` more of any value."""
    size: int
    """Bytes that count."""
    last: bool = False
    """Whether its file ends with it."""
    spare: list[bytearray] | None = None
    """Where its memory goes when it is given back: fresh memory for each block would cost as much as to read it."""

    def give_back(self) -> None:
        """Let the memory be used again: nobody may look at the block after that."""
        if self.spare is not None:
            self.spare.append(self.data)

    @classmethod
    def of(cls, data: bytes, *, last: bool = False) -> Block:
        """Return a block of a copy of *data*."""
        return cls(bytearray(data) + bytearray(PADDING), len(data), last)


class BlockSource(Protocol):
    """What a reader gives to the counter: blocks in the order of the corpus, all of one layout."""

    @property
    def layout(self) -> Layout:
        """Return what the columns of all blocks are."""
        ...

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks; an unreadable source raises `SourceError` with its place."""
        ...


def packed(sentences: Iterable[bytes], *, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield blocks of about *block_bytes* from *sentences*, each the canonical lines of one with its blank line."""
    pending, size = list[bytes](), 0
    for sentence in sentences:
        pending.append(sentence)
        size += len(sentence)
        if size >= block_bytes:
            yield Block.of(b"".join(pending))
            pending, size = [], 0
    if pending:
        yield Block.of(b"".join(pending))
