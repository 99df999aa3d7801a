"""Reader of `vert`: words alone, one a line, as in `brwac.vert` of brWaC.

    <doc docid="brwac-1" title="Carta" uri="http://example.org/carta">
    <p>
    <s>
    Saiu
    da
    toca
    <g/>
    .
    </s>
    </p>
    </doc>

Only the form is given, so there is no lemma layer and no part of speech. What the vertical formats share is in
`vertical.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import Line
from ncimp.corpus_stats.readers.vertical import BrokenTokenError, read_vertical, unescaped
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.corpus_stats.words import Token


def read_vert(lines: Iterable[Line], *, file: str, problems: Problems = STOP) -> Iterator[CorpusSentence]:
    """Yield the words of each `<s>` of *lines*; a damaged line is a `SourceError` with its place in *file*."""
    return read_vertical(lines, file=file, token_of=_token, problems=problems)


def _token(line: str) -> Token:
    if "\t" in line:
        what = f"{line.count(chr(9)) + 1} tab-separated columns where the format has a word alone"
        raise BrokenTokenError(what, fix="is it `wac` or `brwac`? see --format")
    return Token(unescaped(line.strip()), None)
