"""Blocks: the form in which text of any format reaches the counting kernel.

A *block* is a run of whole lines that ends where a sentence ends, so that blocks can be counted in any order by
any number of workers. A *layout* assigns meanings to the columns of a line. Every reader yields blocks of one layout;
those of vertical formats pass the bytes of the file through, all others write `CANONICAL`:

    <text id="letters-7">
    Eager	JJ	eager
    beavers	NNS	beaver
    .	SENT	.

    I	PP	I

* One unit a line: surface, tag, lemma, separated by tabs, in UTF-8. LF ends a line.
* A **blank line** ends a sentence; `<text>` on a line of its own (it may have attributes) begins a document and ends
  a sentence. No other line may be without tabs.
* An **empty cell** means that this layer has no unit here; its neighbours stay adjacent. So *da = de + o* is three
  lines: `da<TAB><TAB>`, `<TAB>ADP<TAB>de`, `<TAB>DET<TAB>o`; plain text leaves tag and lemma empty.
* A unit without letter or digit (`,` or `_`) is a **separator**: not counted, and its neighbours are not adjacent.
* Case, typographic hyphens and Unicode forms stay as they are: they are normalised once per type, after counting.
"""

import html  # not `xml.sax.saxutils`, which loads the network library
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ncimp.corpus_stats.words import NO_WORD, CorpusSentence, Token

PADDING = 64  # readable bytes after a block: the kernel loads sixty-four at a time and ignores them
BLOCK_BYTES = 1 << 20
"""Approximate bytes of a block: it ends with the last sentence that fits, and fits into a core's cache."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Meaning of the lines of a vertical format; columns are numbered from 0."""

    columns: int  # columns of the line of a unit. Other lines are markup, comments, or broken
    surface: int
    tag: int
    lemma: int
    ends: Literal["blank", "markup"] = "blank"
    """A sentence ends at a blank line (and `<text>`), or stands between `<s>` and `</s>`."""
    comments: bool = False  # lines that begin with `#` are comments; `# newdoc` begins a document (CoNLL-U)
    ranges: bool = False
    """Column 0 is the word id of CoNLL-U: `2-3` has a surface only, words 2 and 3 have none; `8.1` is skipped."""
    gaps: bool = False
    """An empty surface or lemma means that the layer has no unit here; otherwise an empty surface breaks the line."""
    entities: bool = False
    """`&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` stand for the characters, and `<unknown>` for no lemma."""
    encoding: str = "utf-8"
    """Encoding of cells, decoded once per type; lines and tabs are found before that, so it must extend ASCII."""

    @property
    def is_utf8(self) -> bool:
        """Return True if the encoding is UTF-8, by any of its names."""
        return self.encoding.lower().replace("-", "").replace("_", "") == "utf8"


CANONICAL = Layout(columns=3, surface=0, tag=1, lemma=2, gaps=True)
"""The layout written for readers of other formats; see above."""

WAC = Layout(columns=3, surface=0, tag=1, lemma=2, ends="markup", entities=True)
"""The vertical format of the WaCky corpora: form, part of speech, lemma."""

CONLLU = Layout(columns=10, surface=1, tag=3, lemma=2, comments=True, ranges=True)
"""The tables of Universal Dependencies; the tag is UPOS."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, ending where a sentence ends."""

    data: bytearray  # the bytes, and `PADDING` more of any value
    size: int  # number of bytes without the padding
    last: bool = False  # whether its file ends with it
    spare: list[bytearray] | None = None
    """List that gets its memory back for reuse: fresh memory for each block would cost as much as reading it."""

    def give_back(self) -> None:
        """Release the memory for reuse; the block must not be used after that."""
        if self.spare is not None:
            self.spare.append(self.data)

    @classmethod
    def of(cls, data: bytes | bytearray) -> "Block":
        """Return a block of a copy of *data*."""
        return cls(bytearray(data) + bytearray(PADDING), len(data))


_BREAKS = re.compile(r"[\t\n\r\0]")


def packed(sentences: Iterable[bytes], *, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield blocks of about *block_bytes* of the lines of *sentences*, as `canonical` yields them."""
    pending = bytearray()
    for sentence in sentences:
        pending += sentence
        if len(pending) >= block_bytes:
            yield Block.of(pending)
            pending = bytearray()
    if pending:
        yield Block.of(pending)


def canonical(sentences: Iterable[CorpusSentence]) -> Iterator[bytes]:
    """Yield the `CANONICAL` lines of each sentence with its blank line, and `<text>` before the first of a document."""
    document: str | None = None
    number = 0
    for sentence in sentences:
        # numbers restart with a document, so two documents of one name in a row are two
        begins = sentence.document != document or sentence.number <= number or number == 0
        document, number = sentence.document, sentence.number
        name = html.escape(_BREAKS.sub(" ", document or ""))
        head = f'<text id="{name}">\n'.encode("utf-8", "surrogatepass") if begins and document is not None else b""
        yield head + b"".join(map(_line, sentence)) + b"\n"


def _line(token: Token) -> bytes:
    # an empty cell would mean that there is no unit, so a unit without text is written as a separator
    surface, lemma = ("" if unit is None else unit or NO_WORD for unit in (token.surface, token.lemma))
    cells = (_BREAKS.sub(" ", cell) for cell in (surface, token.pos or "", lemma))
    return ("\t".join(cells) + "\n").encode("utf-8", "replace")
