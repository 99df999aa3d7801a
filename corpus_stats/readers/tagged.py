"""Reader of `tagged`: one sentence a line, each token `word/TAG`, as in the Brown corpus.

    The/at Fulton/np-tl jury/nn said/vbd so/rb ./.

The tag is what follows the last `/`, as it is written. Blank lines are skipped. There are no lemmas. Two relatives
are read from the archives of NLTK (`nltk_zips.py`): `word_TAG` (MASC), and one `word_TAG` a line with a sentence
ending at the tag of a full stop (mac_morpho), where `|+` marks the first half of a contraction. A few tokens of these
have no tag (kept as words) or no word (read as separators), which is no problem there:

    Saiu_V
    de_PREP|+
    a_ART
    toca_N
    ._.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import NO_WORD, Token
from ncimp.schemas.errors import Place, SourceError


def read_tagged(
    lines: Iterable[Line], *, file: str, problems: Problems = STOP, separator: str = "/", strict: bool = True
) -> Iterator[CorpusSentence]:
    """Yield the tokens of each line; if *strict*, a token without word or tag is a problem with its place in *file*."""
    position = Position()
    for number, line in lines:
        words = [(word, Place(file, number)) for word in line.split()]
        try:
            sentence = _sentence(words, separator, position, strict=strict)
        except SourceError as problem:
            problems.report(problem)
            continue
        if sentence:
            yield sentence


def read_tagged_words(
    lines: Iterable[Line],
    *,
    file: str,
    problems: Problems = STOP,  # noqa: ARG001 - nothing can be wrong
) -> Iterator[CorpusSentence]:
    """Yield the sentences of one `word_TAG` a line; a line with `_.` ends one."""
    position, words = Position(), list[tuple[str, Place]]()
    for number, line in lines:
        words += [(word, Place(file, number)) for word in line.split()]
        if "_." in line:
            sentence, words = _sentence(words, "_", position, strict=False), []
            if sentence:
                yield sentence
    sentence = _sentence(words, "_", position, strict=False)
    if sentence:
        yield sentence


def _sentence(
    words: list[tuple[str, Place]], separator: str, position: Position, *, strict: bool
) -> CorpusSentence | None:
    """Return the sentence of *words*, or None where there is none or a line of it could not be read."""
    if not words:
        return None
    number = position.next()  # a sentence that is left out keeps its number
    if any(word == UNREADABLE for word, _ in words):
        return None
    tokens = [_token(word, separator, place, strict=strict) for word, place in words]
    return CorpusSentence(tokens, number=number, line=words[0][1].line or 1)


def _token(word: str, separator: str, place: Place, *, strict: bool) -> Token:
    form, mark, tag = word.rpartition(separator)
    if form and tag:
        return Token(form, None, tag)
    if strict:
        fix = f"write word{separator}TAG"
        raise SourceError(f"{word!r} is not a word with a tag", fix=fix, place=place)
    return Token(form or NO_WORD, None, tag or None) if mark else Token(word, None)
