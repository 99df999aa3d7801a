"""Corpus files as blocks of bytes that end where a sentence ends, and what a format needs to be read block by block.

A block is read by the format's own reader as if it stood alone: `opening` lines before it put the reader into the
document in which the block begins, and `closing` lines after it, a sentence of one word, tell the document and the
number of sentences at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, BinaryIO

from ncimp.corpus_stats.kernel.blocks import BLOCK_BYTES
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.readers import READERS
from ncimp.corpus_stats.readers.streams import COMPRESSED_SUFFIXES, Line, decompressed
from ncimp.corpus_stats.sentences import CorpusSentence

MAX_BLOCK = 1 << 22
"""Bytes (4 MiB) in which a sentence must end; a file in which none does is read line by line from there."""

_HERE = "\0"
"""The id of the document in which a block begins; no line that can be read holds this character."""

_MARKUP_ENDS = (b"\n</s>\n", b"\n</s>\r\n")
_TABLE_LINE = "\t".join(["1", "x", *"_" * 8])


class NoSentenceEndError(Exception):
    """No sentence ends in as many bytes as a block may have."""


@dataclass(slots=True)
class Stand:
    """How far a file was read, between two of its sentences."""

    offset: int = 0
    """Bytes, unpacked."""
    line: int = 0
    """Lines before this place."""
    document: str | None = None
    number: int = 0
    """Sentences of the document before this place."""


@dataclass(frozen=True, slots=True)
class BlockFormat:
    """How blocks of a format are cut and read."""

    name: str
    ends: tuple[bytes, ...]
    """Bytes at which a block is cut, the usual ones first: after them, or before the line that they end with."""
    opening: tuple[str, ...]
    closing: tuple[str, ...]
    before: bool = False

    def cut(self, data: bytes, encoding: str) -> int:
        """Return where the last sentence of *data* ends; 0 where none does."""
        for end in self.ends:
            found = data.rfind(end)
            while self.before and found >= 0 and not _is_readable(data, found + 1, encoding):
                found = data.rfind(end, 0, found)
            if found >= 0:
                return found + 1 if self.before else found + len(end)
        return 0

    def read(
        self, lines: Iterable[Line], stand: Stand, file: str, problems: Problems, *, closed: bool
    ) -> Iterator[CorpusSentence]:
        """Yield the sentences of *lines*, which begin at *stand*.

        With *closed* lines, the last sentence is of the `closing` ones: its document and number tell where they end.
        """
        number = stand.line
        opening, closing = (((number, text) for text in texts) for texts in (self.opening, self.closing))
        reader: Callable[..., Iterator[CorpusSentence]] = READERS[self.name]
        here = _HERE if self.opening else None
        for sentence in reader(chain(opening, lines, closing if closed else ()), file=file, problems=problems):
            if sentence.document == here:
                sentence.document = stand.document
                sentence.number += stand.number
            yield sentence


def _is_readable(data: bytes, begin: int, encoding: str) -> bool:
    """Return whether the line at *begin* is whole and can be read: one that cannot does not begin a sentence."""
    end = data.find(b"\n", begin)
    try:
        return end >= 0 and "\0" not in data[begin:end].decode(encoding)
    except UnicodeDecodeError:
        return False


def _markup(name: str, token: str) -> BlockFormat:
    return BlockFormat(name, _MARKUP_ENDS, (f'<text id="{_HERE}">',), ("<s>", token, "</s>"))


FORMATS = MappingProxyType(
    {
        "wac": _markup("wac", "x\tx\tx"),
        "vert": _markup("vert", "x"),
        "conllu": BlockFormat("conllu", (b"\n\n", b"\n\r\n"), (f"# newdoc id = {_HERE}",), ("", _TABLE_LINE, "")),
        "brwac": BlockFormat("brwac", (b"\n1\t",), (f'# meta.doc.id="{_HERE}"',), (_TABLE_LINE,), before=True),
        "text": BlockFormat("text", (b"\n",), (), ("x",)),
    }
)
"""The formats that can be read block by block."""


@contextmanager
def unpacked(path: str, offset: int = 0) -> Iterator[BinaryIO]:
    """Yield the file at *path* unpacked, from the byte *offset* on."""
    with Path(path).open("rb", buffering=0) as source:
        if not path.endswith(COMPRESSED_SUFFIXES):
            offset -= source.seek(offset)
        with decompressed(path, source) as stream:
            while offset:
                got = len(stream.read(min(offset, BLOCK_BYTES)))
                offset = offset - got if got else 0
            yield stream


def blocks(
    stream: IO[Any], block_format: BlockFormat, encoding: str, *, block_bytes: int = BLOCK_BYTES
) -> Iterator[tuple[bytes, bool]]:
    """Yield what *stream* holds as blocks, each with whether it ends where a sentence does; only the last may not.

    Raise `NoSentenceEndError` where a block would be longer than `MAX_BLOCK`.
    """
    rest = b""
    while got := stream.read(block_bytes):
        data = rest + got
        end = block_format.cut(data, encoding)
        if end:
            yield data[:end], True
        elif len(data) > MAX_BLOCK:
            raise NoSentenceEndError
        rest = data[end:]
    if rest:
        yield rest, False
