"""Documents of a corpus as one text each, in Unicode form NFC: positions in stand-off data count from its beginning."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.readers.streams import Line
from ncimp.corpus_stats.readers.vertical import read_wac

Document = tuple[str, str]
"""Id and text."""

_OPEN = re.compile(r"<text\b[^>]*\bid=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')[^>]*>")


def text_documents(lines: Iterable[Line], name: str, file: str) -> Iterator[Document]:  # noqa: ARG001
    """Yield the only document of a text file, *name*: its lines, separated by a line feed."""
    yield name, unicodedata.normalize("NFC", "\n".join(line for _, line in lines))


def wac_documents(lines: Iterable[Line], name: str, file: str) -> Iterator[Document]:  # noqa: ARG001
    """Yield the documents of a file in the format `wac`.

    The id of a document is the `id` of its `<text>`; its text is its tokens, separated by a space, and its sentences,
    separated by a line feed:

        <text id="http://example.org/1">
        <s>
        Eager	JJ	eager
        beavers	NNS	beaver
        </s>
        </text>

    gives `Eager beavers`.
    """
    document, inside = None, list[Line]()
    for number, line in lines:
        opening = _OPEN.fullmatch(line.strip())
        if opening or line.strip() == "</text>":
            if document is not None:
                yield document, _text(inside, file)
            document = (opening["double"] or opening["single"] or "") if opening else None
            inside = []
        elif document is not None:
            inside.append((number, line))
    if document is not None:
        yield document, _text(inside, file)


def _text(lines: list[Line], file: str) -> str:
    sentences = (" ".join(str(token.surface) for token in sentence) for sentence in read_wac(lines, file=file))
    return unicodedata.normalize("NFC", "\n".join(sentences))
