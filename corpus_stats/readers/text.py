"""Readers of running text: `text`, `tagged` and the archives of `nltk`; and the rules that cut text into sentences."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import PurePath
from typing import Any, BinaryIO, cast

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import DAMAGE, UNREADABLE, Line, read_lines
from ncimp.corpus_stats.words import NO_WORD, CorpusSentence, Position, Token, respelled, tokenise
from ncimp.schemas import Place, SourceError

SPACY_PREFIX = "spacy:"  # prefix of the name of a spaCy pipeline that cuts text
BLANK_PIPELINE = "blank"  # the pipeline without a model

TextRules = Callable[[str], Iterator[tuple[str, tuple[Token, ...]]]]
"""Yields each sentence of a text that has a token: as it was written, and its tokens."""

_END = re.compile(
    r"""(?P<word>[^\W\d_]*)                 # the word before the mark, if there is one
        (?P<mark>[.!?\u2026]+)              # ends a sentence
        [\)\]"'\u201d\u2019\u00bb]*         # may be followed by closing brackets and quotes
        \s+
        (?=[\(\["'\u201c\u2018\u00ab\u00a1\u00bf\u2014-]*(?P<next>[^\W_]))  # and a sentence begins
    """,
    re.VERBOSE,
)
_SHORTENED = 3  # letters of a capitalised word that a full stop may shorten: *Dr.*, *Sra.*, *J.*

_LEAF = re.compile(r"\((?P<tag>[^\s()]+)(?:\s+(?P<word>[^\s()]+)\s*(?:\)|\Z)|\s*\))")
_BRACKET = re.compile(r"(?<=\()[()](?=\))")
_NO_TREE = "-"  # stands for a bracket that is itself a word of the text: like it, a separator


def plain_sentences(
    text: str, *, cut: bool = False, token: re.Pattern[str] | None = None, skip: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """Yield each line of *text*, or by *cut* each sentence, that has a word of `WORD` or of the expression *token*.

    A sentence that *skip* accepts is yielded without tokens, which takes less time.
    """
    for line in text.split("\n"):
        for sentence in cut_sentences(line) if cut else (line.strip(),):
            if skip is not None and skip(sentence):
                yield sentence, ()
                continue
            if token is None:
                words = tokenise(sentence)
            else:
                words = [match[0] for match in token.finditer(respelled(sentence)) if not match[0].isspace()]
            if words:
                yield sentence, tuple(Token(word, None) for word in words)


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


def spacy_sentences(text: str, *, pipeline: Any, tagged: bool) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """Yield each sentence of *text* by a spaCy pipeline; if *tagged*, with lemmas and parts of speech (UPOS)."""
    for sentence in pipeline(text).sents:
        tokens = tuple(
            Token(token.text, token.lemma_ or NO_WORD, token.pos_ or None) if tagged else Token(token.text, None)
            for token in sentence
            if not token.is_space
        )
        if tokens:
            yield str(sentence.text).strip(), tokens


def open_pipeline(name: str, lang: str, *, fix: str = "name an installed pipeline, or spacy:blank") -> Any:
    """Return the installed spaCy pipeline *name*, or raise `SourceError`; nothing downloads one.

    `blank` is the empty pipeline of the language *lang*.
    """
    try:
        spacy = import_module("spacy")
    except ModuleNotFoundError:
        raise SourceError("spaCy is not installed", fix='install it: pip install "ncimp[spacy]"') from None
    try:
        return spacy.blank(lang) if name == BLANK_PIPELINE else spacy.load(name)
    except (ImportError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise SourceError(f"spaCy cannot load {name!r} ({reason})", fix=fix) from None


def load_spacy(name: str, lang: str) -> TextRules:
    """Return the rules by which the spaCy pipeline *name* cuts text, or raise `SourceError`; `blank` needs no model."""
    pipeline = open_pipeline(name, lang)
    if name == BLANK_PIPELINE:
        pipeline.add_pipe("sentencizer")
    return partial(spacy_sentences, pipeline=pipeline, tagged=name != BLANK_PIPELINE)


def read_text(  # a line of text cannot be broken, so its file and problems are not needed
    lines: Iterable[Line], *, position: Position | None = None, rules: TextRules = plain_sentences, **_: object
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
            for sentence, tokens in rules(line):
                yield CorpusSentence(tokens, number=position.next(), line=number, written=sentence)


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
        tokens, broken = list[Token](), line == UNREADABLE  # reported by the reader of lines
        try:
            tokens = [] if broken else _tagged(line.split(), separator, Place(file, number) if strict else None)
        except SourceError as problem:
            broken = True
            problems.report(problem)
        yield from position.sentence(tokens, line=number, broken=broken)


def read_tagged_words(lines: Iterable[Line], **_: object) -> Iterator[CorpusSentence]:  # no line can be broken
    """Read the files of mac_morpho: one `word_TAG` a line; a line with `_.` ends a sentence.

        Saiu_V
        de_PREP|+
        a_ART
        toca_N
        ._.

    `|+` marks the first half of a contraction. Here, as in MASC, a few tokens have no tag (kept as words) or no word
    (read as separators).
    """
    position, words, start = Position(), list[str](), 0
    for number, line in chain(lines, [(0, "")]):  # the end of the file ends a sentence too
        start = start if words else number
        words += line.split()
        if "_." in line or not number:
            broken = UNREADABLE in words
            yield from position.sentence([] if broken else _tagged(words, "_"), line=start, broken=broken)
            words = []


def _tagged(words: Iterable[str], separator: str, place: Place | None = None) -> list[Token]:
    """Return the tokens of *words*; one without word or tag is a `SourceError` at *place*, if that is given."""
    tokens = list[Token]()
    for word in words:
        form, mark, tag = word.rpartition(separator)
        if place and not (form and tag):
            fix = f"write word{separator}TAG"
            raise SourceError(f"{word!r} is not a word with a tag", fix=fix, place=place)
        tokens.append(Token(form or NO_WORD, None, tag or None) if mark else Token(word, None))
    return tokens


def read_floresta(lines: Iterable[Line], **_: object) -> Iterator[CorpusSentence]:  # no line can be broken
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
    for number, line in chain(lines, [(0, "")]):  # the end of the file ends a tree too
        if line.strip() and not line.startswith("#"):
            tree.append(line)
            continue
        brackets = "" if UNREADABLE in tree else _BRACKET.sub(_NO_TREE, "\n".join(tree).strip())
        tokens = [
            Token(leaf["word"], None, leaf["tag"].rpartition("+")[2]) if leaf["word"] else Token(leaf["tag"], None)
            for leaf in _LEAF.finditer(brackets)
        ]
        yield from position.sentence(tokens, line=start, broken=bool(tree) and not tokens)
        tree, start = [], number + 1


_read_masc = partial(read_tagged, separator="_", strict=False)
ARCHIVES: dict[str, tuple[str, str, Callable[..., Iterator[CorpusSentence]]]] = {
    "brown": (r"brown/c[a-z]\d\d", "ascii", read_tagged),
    "masc_tagged": (r"masc_tagged/(?:spoken|written)/.*\.txt", "utf-8", _read_masc),
    "mac_morpho": (r"mac_morpho/(?!\.).*\.txt", "latin-1", read_tagged_words),
    "floresta": (r"floresta/.*\.ptb", "iso-8859-15", read_floresta),
}
"""By the stem of the archive: an expression for its files and their encoding, as in `nltk.corpus`, and their reader."""


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
    if PurePath(path).stem not in ARCHIVES:
        fix = f"give the archive its own name: {', '.join(f'{name}.zip' for name in ARCHIVES)}"
        raise SourceError("is not a corpus of NLTK that is known", fix=fix, place=Place(path))
    members, encoding, read = ARCHIVES[PurePath(path).stem]
    try:
        zipped = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise SourceError("no such file", fix="check the path", place=Place(path)) from None
    except (OSError, zipfile.BadZipFile) as error:
        fix = "copy or download it again"
        raise SourceError(f"cannot be read ({error})", fix=fix, place=Place(path)) from None
    with zipped:
        for name in sorted(name for name in zipped.namelist() if re.fullmatch(members, name)):
            file = f"{path}/{name}"
            try:
                stream = zipped.open(name)
            except (*DAMAGE, RuntimeError) as error:  # a RuntimeError where the file is encrypted
                what, fix = f"cannot be read ({error})", "copy or download it again"
                problems.report(SourceError(what, fix=fix, place=Place(file)))
                continue
            with stream:
                unpacked = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, stream)))
                lines = read_lines(unpacked, file, encoding=encoding, problems=problems)
                for sentence in read(lines, file=file, problems=problems):
                    sentence.document = PurePath(name).name
                    yield sentence
