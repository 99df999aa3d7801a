"""WordNets in WN-LMF, through the `wn` package, in a database folder of the project's own.

A lexicon is added once and found again by the hash of its file, so that the user's own `wn` data are
never touched and a changed lexicon is never confused with the old one:

    <work>/wn/<sha256 of the file>-wn-<version of wn>/wn.db
"""

from __future__ import annotations

import gzip
import lzma
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

import wn

from ncimp.builder.records import Candidate, Relation
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash
from ncimp.schemas.swap import folder_aside

WN_POS = {"noun": ("n",), "adj": ("a", "s")}
"""Part-of-speech tags of WN-LMF for ours; `s` is an adjective satellite."""

PACKED: tuple[tuple[bytes, Callable[..., Any]], ...] = ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\x00", lzma.open))
"""First bytes of a compressed file, and what opens it."""

DAMAGE = (
    wn.Error,
    ExpatError,
    sqlite3.Error,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    AssertionError,
    LookupError,
    TypeError,
    ValueError,
)
"""What `wn` raises on a file that is damaged or no lexicon: it checks attributes by `assert` and by conversion."""

RELATIONS: tuple[tuple[Relation, str], ...] = (("similar", "similar"), ("hypernym", "hypernym"))
"""Our name and `wn`'s name of each relation that is followed, nearest first; synonyms come before both."""


class WnSource:
    """Synonyms out of one WN-LMF lexicon (a `SynonymSource`)."""

    def __init__(self, path: Path, lexicon: str, *, work: Path) -> None:
        self._folder = add_lexicon(path, work=work)
        wn.config.data_directory = self._folder
        try:
            self._net = wn.Wordnet(lexicon, expand="")
        except wn.Error:
            held = ", ".join(lex.specifier() for lex in wn.lexicons()) or "none"
            what = f"no lexicon {lexicon!r} in this file (it holds {held})"
            raise SourceError(what, fix="name the right one in pack.toml", place=Place(str(path))) from None
        self._name = self._net.lexicons()[0].specifier()

    @property
    def name(self) -> str:
        """Return lexicon id and version, such as `ncimp-en:0.1.0`."""
        return self._name

    def candidates(self, lemma: str, pos: str) -> Sequence[Candidate]:
        """Return synonyms of *lemma* sense by sense: members of the synset, then similar, then hypernyms."""
        wn.config.data_directory = self._folder
        found = (
            Candidate(member, pos, synset.id, relation, sense, position)
            for sense, start in enumerate(self._senses(lemma, pos), start=1)
            for relation, synset in _neighbours(start)
            for position, member in enumerate(synset.lemmas(), start=1)
        )
        return tuple(candidate for candidate in found if candidate.lemma != lemma)

    def words(self, pos: str) -> Sequence[str]:
        """Return every single-word lemma of part of speech *pos*, sorted."""
        wn.config.data_directory = self._folder
        lemmas = {word.lemma() for tag in WN_POS[pos] for word in self._net.words(pos=tag)}
        return sorted(lemma for lemma in lemmas if " " not in lemma)

    def _senses(self, lemma: str, pos: str) -> Iterator[wn.Synset]:
        for tag in WN_POS[pos]:
            for word in self._net.words(lemma, pos=tag):
                if word.lemma() == lemma:
                    yield from word.synsets()


def _neighbours(synset: wn.Synset) -> Iterator[tuple[Relation, wn.Synset]]:
    yield "synonym", synset
    for relation, name in RELATIONS:
        for related in synset.get_related(name):
            yield relation, related


def add_lexicon(path: Path, *, work: Path) -> Path:
    """Return the `wn` data folder that holds the lexicon file *path*, adding the file when it is new.

    The database is made aside and renamed, so that a damaged file leaves nothing behind.
    """
    if not path.is_file():
        raise SourceError("no such file", fix="check the path", place=Place(str(path)))
    folder = work / "wn" / f"{file_hash(path)[:16]}-wn-{version('wn')}"
    if folder.is_dir():
        return folder
    with folder_aside(folder) as aside:
        wn.config.data_directory = aside
        _add(path, aside)
        if not folder.is_dir():  # another build may have added it meanwhile
            aside.rename(folder)
    return folder


def _plain(path: Path, aside: Path) -> Path:
    """Return *path*, or for a compressed file its content in *aside*: on damage `wn` would leave a copy behind."""
    with path.open("rb") as stream:
        unpack = next((opener for magic, opener in PACKED if stream.peek(8).startswith(magic)), None)
    if unpack is None:
        return path
    plain = aside / "lexicon.xml"
    with unpack(path) as packed, plain.open("wb") as target:
        shutil.copyfileobj(packed, target)
    return plain


def _add(path: Path, aside: Path) -> None:
    """Add the file *path*, unpacked in *aside* when need be, to the current database."""
    try:
        wn.add(_plain(path, aside), progress_handler=None)
    except DAMAGE as error:
        what = f"not a lexicon that `wn` can read ({str(error) or type(error).__name__})"
        raise SourceError(what, fix="give a WN-LMF file", place=Place(str(path))) from None
    if not wn.lexicons():
        raise SourceError("the file holds no lexicon", fix="give a WN-LMF file", place=Place(str(path)))
