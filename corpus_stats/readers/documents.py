"""Documents of a corpus as one text each: what positions in stand-off data count from.

`text`: a folder of UTF-8 files, or one file. The id of a document is its path inside the folder, with `/` (of a single
file, its name); its text is the file's, lines separated by a line feed, in Unicode form NFC.

`wac`: files in the vertical format of ukWaC and brWaC, plain or packed. The id of a document is the `id` of its
`<text>`; its text is its tokens, separated by a space, and its sentences, separated by a line feed:

    <text id="http://example.org/1">
    <s>
    Eager	JJ	eager
    beavers	NNS	beaver
    </s>
    </text>

gives `Eager beavers`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from ncimp.corpus_stats.readers.streams import CorpusFile, Line
from ncimp.corpus_stats.readers.wac import read_wac
from ncimp.schemas.errors import Place, SourceError

Document = tuple[str, str]
"""Id and text."""

FORMATS = ("text", "wac")

_OPEN = re.compile(r"<text\b[^>]*\bid=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')[^>]*>")


def read_documents(path: Path, corpus_format: str, *, encoding: str = "utf-8") -> Iterator[Document]:
    """Yield every document at *path*, a file or a folder, one at a time; what cannot be read is a `SourceError`."""
    if not path.exists():
        raise SourceError("no such file or folder", fix="check the path", place=Place(str(path)))
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    for file in files:
        corpus = CorpusFile(str(file), encoding=encoding)
        if corpus_format == "wac":
            yield from _vertical(corpus.lines(), corpus.name)
        else:
            name = file.relative_to(path).as_posix() if path.is_dir() else file.name
            yield name, unicodedata.normalize("NFC", "\n".join(line for _, line in corpus.lines()))


def _vertical(lines: Iterator[Line], file: str) -> Iterator[Document]:
    name, held = None, list[Line]()
    for number, line in lines:
        opening = _OPEN.fullmatch(line.strip())
        if opening or line.strip() == "</text>":
            if name is not None:
                yield name, _text(held, file)
            name = (opening["double"] or opening["single"] or "") if opening else None
            held = []
        elif name is not None:
            held.append((number, line))
    if name is not None:
        yield name, _text(held, file)


def _text(lines: list[Line], file: str) -> str:
    sentences = (" ".join(str(token.surface) for token in sentence) for sentence in read_wac(lines, file=file))
    return unicodedata.normalize("NFC", "\n".join(sentences))
