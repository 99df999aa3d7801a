"""Reader of `wac`: the vertical format of the WaCky corpora (ukWaC and its sisters).

One token a line, `form<TAB>part of speech<TAB>lemma`; sentences between `<s>` and `</s>`; other tags
(`<text id="...">`, `<p>`, `<g/>`) stand on lines of their own:

    <text id="http://example.org/1">
    <s>
    Eager	JJ	eager
    beavers	NNS	beaver
    build	VVP	build
    .	SENT	.
    </s>
    </text>

What the vertical formats share is in `vertical.py`. The lemma `<unknown>`, which TreeTagger gives to a word it does
not know, is a separator in the lemma layer; its placeholders `@card@` and `@ord@` are counted like lemmas. Parts of
these corpora are latin-1: name it with `--encoding`, or the first byte that does not fit is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import Line
from ncimp.corpus_stats.readers.vertical import BrokenTokenError, read_vertical, unescaped
from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.corpus_stats.words import NO_WORD, Token

COLUMNS = ("form", "part of speech", "lemma")
"""The columns of a token line."""

UNKNOWN_LEMMA = "<unknown>"
"""What TreeTagger writes for the lemma of a word that is not in its lexicon."""


def read_wac(lines: Iterable[Line], *, file: str, problems: Problems = STOP) -> Iterator[CorpusSentence]:
    """Yield the tokens of each `<s>` of *lines*; a damaged line is a `SourceError` with its place in *file*."""
    return read_vertical(lines, file=file, token_of=_token, problems=problems)


def _token(line: str) -> Token:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where the format has {len(COLUMNS)} ({', '.join(COLUMNS)})"
        raise BrokenTokenError(what, fix="is it the vertical format of ukWaC? see --format")
    form, pos, lemma = map(unescaped, cells) if "&" in line else cells
    if not form:
        raise BrokenTokenError("the form is blank", fix="write the form", column=COLUMNS[0])
    # before the entities are read, so that a word written `&lt;unknown&gt;` stays one
    return Token(form, NO_WORD if cells[2] == UNKNOWN_LEMMA else lemma, pos or None)
