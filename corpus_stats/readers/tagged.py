"""Readers of tagged corpora: `tagged`, and the archives of `nltk`, three of which are relatives of it."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import BinaryIO, cast

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import DAMAGE, UNREADABLE, Line, LineReader
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import NO_WORD, Token
from ncimp.schemas.errors import Place, SourceError

_LEAF = re.compile(r"\((?P<tag>[^\s()]+)(?:\s+(?P<word>[^\s()]+)\s*(?:\)|\Z)|\s*\))")
_BRACKET = re.compile(r"(?<=\()[()](?=\))")
_NO_TREE = "-"
"""Stands for a bracket that is itself a word of the text: like it, a separator."""


def read_tagged(
    lines: Iterable[Line],
    *,
    file: str,
    problems: Problems = STOP,
    position: Position | None = None,
    separator: str = "/",
    strict: bool = True,
) -> Iterator[CorpusSentence]:
    """Read `tagged`: one sentence a line, each token `word/TAG`, as in the Brown corpus.

        The/at Fulton/np-tl jury/nn said/vbd so/rb ./.

    The tag follows the last `/`, as it is written. Blank lines are skipped. There are no lemmas. If *strict*, a token
    without word or tag is a problem with its place in *file*.
    """
    position = position or Position()
    for number, line in lines:
        words = [(word, Place(file, number)) for word in line.split()]
        try:
            yield from _sentence(words, separator, position, strict=strict)
        except SourceError as problem:
            problems.report(problem)


def read_tagged_words(
    lines: Iterable[Line],
    *,
    file: str,
    problems: Problems = STOP,  # noqa: ARG001 - a line cannot be broken
) -> Iterator[CorpusSentence]:
    """Read the files of mac_morpho: one `word_TAG` a line; a line with `_.` ends a sentence.

        Saiu_V
        de_PREP|+
        a_ART
        toca_N
        ._.

    `|+` marks the first half of a contraction. Here, as in MASC, a few tokens have no tag (kept as words) or no word
    (read as separators).
    """
    position, words = Position(), list[tuple[str, Place]]()
    for number, line in lines:
        words += [(word, Place(file, number)) for word in line.split()]
        if "_." in line:
            yield from _sentence(words, "_", position, strict=False)
            words = []
    yield from _sentence(words, "_", position, strict=False)


def _sentence(
    words: list[tuple[str, Place]], separator: str, position: Position, *, strict: bool
) -> Iterator[CorpusSentence]:
    """Yield the sentence of *words*, if there are any and all of their lines could be read."""
    if words:
        number = position.next()  # a sentence that is left out keeps its number
        if all(word != UNREADABLE for word, _ in words):
            tokens = [_token(word, separator, place, strict=strict) for word, place in words]
            yield CorpusSentence(tokens, number=number, line=words[0][1].line or 1)


def _token(word: str, separator: str, place: Place, *, strict: bool) -> Token:
    form, mark, tag = word.rpartition(separator)
    if form and tag:
        return Token(form, None, tag)
    if strict:
        fix = f"write word{separator}TAG"
        raise SourceError(f"{word!r} is not a word with a tag", fix=fix, place=place)
    return Token(form or NO_WORD, None, tag or None) if mark else Token(word, None)


def read_floresta(
    lines: Iterable[Line],
    *,
    file: str,  # noqa: ARG001 - a line cannot be broken
    problems: Problems = STOP,  # noqa: ARG001
) -> Iterator[CorpusSentence]:
    """Read the trees of Floresta (`Floresta_7.4.ptb`): brackets with a function, a category and a word.

        #1 CP1-1 Um bom livro.
        (UTT+np (>N+art Um)
                (>N+adj bom)
                (H+n livro)
                (.))

    A line that begins with `#` names a sentence and begins it; the words are the leaves. A leaf without a word is a
    punctuation mark, and the last bracket of a tree may be missing. The part of speech follows `+`. Joined parts
    (`7_e_Meio`) stay one token, as in NLTK. There are no lemmas.
    """
    position, tree, start = Position(), list[str](), 1
    for number, line in lines:
        if line.startswith("#") or not line.strip():
            yield from _tree_sentence("\n".join(tree), start, position)
            tree, start = [], number + 1
        else:
            tree.append(line)
    yield from _tree_sentence("\n".join(tree), start, position)


def _tree_sentence(tree: str, start: int, position: Position) -> Iterator[CorpusSentence]:
    if not tree:
        return
    number = position.next()  # a sentence that is left out keeps its number
    if UNREADABLE not in tree:
        leaves = _LEAF.finditer(_BRACKET.sub(_NO_TREE, tree.strip()))
        tokens = [
            Token(leaf["tag"], None) if leaf["word"] is None else Token(leaf["word"], None, _category(leaf["tag"]))
            for leaf in leaves
        ]
        if tokens:
            yield CorpusSentence(tokens, number=number, line=start)


def _category(tag: str) -> str:
    return tag.rpartition("+")[2]


@dataclass(frozen=True, slots=True)
class Archive:
    """A corpus of NLTK."""

    members: str
    """Expression that the names of its files match."""
    encoding: str
    read: Callable[..., Iterator[CorpusSentence]]


ARCHIVES = {
    "brown": Archive(r"brown/c[a-z]\d\d", "ascii", read_tagged),
    "masc_tagged": Archive(
        r"masc_tagged/(?:spoken|written)/.*\.txt", "utf-8", partial(read_tagged, separator="_", strict=False)
    ),
    "mac_morpho": Archive(r"mac_morpho/(?!\.).*\.txt", "latin-1", read_tagged_words),
    "floresta": Archive(r"floresta/.*\.ptb", "iso-8859-15", read_floresta),
}
"""The corpora by the stem of their archive; names and encodings are those of `nltk.corpus`."""


def read_nltk(path: str, *, problems: Problems = STOP) -> Iterator[CorpusSentence]:
    """Read `nltk`: a tagged corpus of nltk_data in the zip in which it is distributed, file by file in name order.

        brown.zip         The/at Fulton/np-tl jury/nn            one sentence a line
        masc_tagged.zip   You_PRP guess_VBP ?_.                  one sentence a line
        mac_morpho.zip    Saiu_V                                 one word a line
        floresta.zip      (UTT+np (>N+art Um) (H+n livro))       trees

    The name of the archive tells the corpus. Each file in it is a document. Nothing downloads. Words and adjacent pairs
    are those of NLTK's own readers, except leaves of Floresta that NLTK drops (`(»)` with a quotation mark). Those
    readers are not used here because they refuse files outside the folders of nltk_data, name no line of an error, and
    take many times as long.
    """
    archive = ARCHIVES.get(PurePath(path).stem)
    if archive is None:
        fix = f"give the archive its own name: {', '.join(f'{name}.zip' for name in ARCHIVES)}"
        raise SourceError("is not a corpus of NLTK that is known", fix=fix, place=Place(path))
    try:
        zipped = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except (OSError, zipfile.BadZipFile) as error:
        fix = "copy or download it again"
        raise SourceError(f"cannot be read ({error})", fix=fix, place=Place(path)) from None
    with zipped:
        for name in sorted(name for name in zipped.namelist() if re.fullmatch(archive.members, name)):
            yield from _read_member(zipped, name, archive, path, problems)


def _read_member(
    zipped: zipfile.ZipFile, name: str, archive: Archive, path: str, problems: Problems
) -> Iterator[CorpusSentence]:
    file = f"{path}/{name}"
    try:
        stream = zipped.open(name)
    except (*DAMAGE, RuntimeError) as error:  # a RuntimeError where the file is encrypted
        what = f"cannot be read ({error})"
        problems.report(SourceError(what, fix="copy or download it again", place=Place(file)))
        return
    with stream:
        lines = LineReader(file, encoding=archive.encoding, problems=problems)
        unpacked = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, stream)))
        for sentence in archive.read(lines.read(unpacked), file=file, problems=problems):
            sentence.document = PurePath(name).name
            yield sentence
