"""Reader of `text`, and the rules that cut plain text into sentences and words."""

import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import PurePath
from typing import Any, BinaryIO, Protocol, cast

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import DAMAGE, UNREADABLE, Document, Line, LineReader
from ncimp.corpus_stats.words import NO_WORD, CorpusSentence, Position, Token, respelled, tokenise
from ncimp.schemas.errors import Place, SourceError

SPACY_PREFIX = "spacy:"
"""Prefix of the name of a spaCy pipeline that cuts text."""

BLANK_PIPELINE = "blank"
"""The pipeline without a model."""

_END = re.compile(
    r"""(?P<word>[^\W\d_]*)                 # the word before the mark, if there is one
        (?P<mark>[.!?\u2026]+)              # ends a sentence
        [\)\]"'\u201d\u2019\u00bb]*         # may be followed by closing brackets and quotes
        \s+
        (?=[\(\["'\u201c\u2018\u00ab\u00a1\u00bf\u2014-]*(?P<next>[^\W_]))  # and a sentence begins
    """,
    re.VERBOSE,
)
_SHORTENED = 3
"""Letters of a capitalised word up to which a full stop after it may be an abbreviation's: *Dr.*, *Sra.*, *J.*"""


class TextRules(Protocol):
    """Rules that cut plain text into sentences of tokens."""

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text* that holds a token: as written, and its tokens."""
        ...


class PlainRules:
    """Sentences by line, or by a simple rule as well; words by `WORD` or by an expression."""

    def __init__(self, *, cut: bool = False, token: str | None = None) -> None:
        self._cut = cut
        self._token = re.compile(token) if token is not None else None

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each line, or each sentence of each line, that holds a token."""
        for sentence in self.cut(text):
            tokens = self.tokens(sentence)
            if tokens:
                yield sentence, tokens

    def cut(self, text: str) -> Iterator[str]:
        """Yield each line, or each sentence of each line, without the space around it."""
        for line in text.split("\n"):
            yield from cut_sentences(line) if self._cut else (line.strip(),)

    def tokens(self, sentence: str) -> tuple[Token, ...]:
        """Return the tokens of *sentence*."""
        if self._token is None:
            words = tokenise(sentence)
        else:
            words = [match[0] for match in self._token.finditer(respelled(sentence)) if not match[0].isspace()]
        return tuple(Token(word, None) for word in words)


def cut_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text* by a simple rule, without the space around them.

    A sentence ends at `.`, `!`, `?` or `…` before a space and a capital letter, a digit or an opening mark. A full
    stop after a capitalised word of at most three letters does not end one (*Dr. Reis*, *J. Silva*): a sentence that
    is too long does less harm than one cut wrongly, because the full stop separates its neighbours anyway.

    >>> list(cut_sentences("Ask Dr. Reis. She knows!  He does not."))
    ['Ask Dr. Reis.', 'She knows!', 'He does not.']
    """
    start = 0
    for match in _END.finditer(text):
        word, following = match["word"], match["next"]
        abbreviation = match["mark"] == "." and word[:1].isupper() and len(word) <= _SHORTENED
        if not abbreviation and (following.isupper() or following.isdecimal()):
            yield text[start : match.end()].strip()
            start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


class SpacyRules:
    """Rules of a spaCy pipeline; one with a model also gives lemmas and parts of speech (UPOS)."""

    def __init__(self, pipeline: Any, *, tagged: bool) -> None:
        self._pipeline = pipeline
        self._tagged = tagged

    def sentences(self, text: str) -> Iterator[tuple[str, tuple[Token, ...]]]:
        """Yield each sentence of *text*: as written, and its tokens."""
        for sentence in self._pipeline(text).sents:
            tokens = tuple(self._token(token) for token in sentence if not token.is_space)
            if tokens:
                yield str(sentence.text).strip(), tokens

    def _token(self, token: Any) -> Token:
        return Token(token.text, token.lemma_ or "_", token.pos_ or None) if self._tagged else Token(token.text, None)


def load_spacy(name: str, lang: str) -> SpacyRules:
    """Load the installed spaCy pipeline *name* (`blank`: the rules of the language *lang*), or raise `SourceError`.

    Nothing downloads a pipeline, and nothing else here imports spaCy.
    """
    try:
        spacy = import_module("spacy")
    except ModuleNotFoundError:
        raise SourceError("spaCy is not installed", fix='install it: pip install "ncimp[spacy]"') from None
    try:
        pipeline = spacy.blank(lang) if name == BLANK_PIPELINE else spacy.load(name)
    except (ImportError, OSError) as error:
        reason = str(error).partition("\n")[0]
        fix = "name an installed pipeline, or spacy:blank"
        raise SourceError(f"spaCy cannot load {name!r} ({reason})", fix=fix) from None
    if name == BLANK_PIPELINE:
        pipeline.add_pipe("sentencizer")
    return SpacyRules(pipeline, tagged=name != BLANK_PIPELINE)


ONE_A_LINE = PlainRules()
"""One sentence a line, words by `WORD`."""


def read_text(
    lines: Iterable[Line],
    *,
    file: str,  # noqa: ARG001 - a line of text cannot be broken
    problems: Problems = STOP,  # noqa: ARG001
    position: Position | None = None,
    rules: TextRules = ONE_A_LINE,
) -> Iterator[CorpusSentence]:
    """Read `text`: plain text, one sentence a line, or running text that *rules* cut into sentences.

        She is an eager beaver.
        The early bird, they say, catches the worm.

    Words are found by `ncimp.corpus_stats.words.WORD`. Here the first line gives the words *she is an eager beaver*;
    in the second, the commas keep *bird* and *they*, *say* and *catches* from being bigrams. Blank lines are skipped.
    Plain text has no lemmas, so its lemma layer stays empty: surface words are never passed off as lemmas.
    """
    position = position or Position()
    for number, line in lines:
        if line != UNREADABLE:  # reported by the reader of lines
            for sentence, tokens in rules.sentences(line):
                yield CorpusSentence(tokens, number=position.next(), line=number, written=sentence)


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


def text_documents(lines: Iterable[Line], name: str, file: str) -> Iterator[Document]:  # noqa: ARG001
    """Yield the only document of a text file, *name*: its lines, separated by a line feed."""
    yield name, unicodedata.normalize("NFC", "\n".join(line for _, line in lines))
