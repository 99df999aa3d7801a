"""WordNets in WN-LMF, through the `wn` package, in a database folder of the project's own.

A lexicon is added once and found again by the hash of its file, so that the user's own `wn` data are
never touched and a changed lexicon is never confused with the old one:

    <work>/wn/<sha256 of the file>-wn-<version of wn>/wn.db

A lexicon whose synsets are only linked to another one's (OpenWordNet-PT has no relations of its own) is
added to a copy of that one's database, and takes its relations from there:

    <work>/wn/<sha256 of the file>+<sha256 of the other>-wn-<version of wn>/wn.db

Nothing ranks the senses of such a lexicon, nor the words of a synset, for both stand by their numbers.
"""

from __future__ import annotations

import lzma
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.parsers.expat import ExpatError
from xml.sax import SAXException

import wn

from ncimp.builder.records import Candidate, Relation
from ncimp.builder.sources.thesauri.wn_files import plain_lexicon
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash
from ncimp.schemas.swap import folder_aside

WN_POS = {"noun": ("n",), "adj": ("a", "s"), "verb": ("v",)}
"""Part-of-speech tags of WN-LMF for ours; `s` is an adjective satellite."""

DAMAGE = (
    wn.Error,
    ExpatError,
    SAXException,
    tarfile.TarError,
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

KINDS = ("hypernym", "instance_hypernym")
MEMBERS = ("hyponym", "instance_hyponym")
"""What `wn` calls the relation of a synset to its kinds (*guppy*: fish) and to what is of its kind."""

Neighbour = tuple[Relation, wn.Synset]


class WnSource:
    """Synonyms out of one WN-LMF lexicon (a `SynonymSource`)."""

    def __init__(
        self, path: Path, lexicon: str | None = None, *, work: Path, base: Path | None = None, far: bool = False
    ) -> None:
        """Open the lexicon *lexicon*, or the only one of the file *path*; its relations may come from *base*.

        With *far*, hyponyms and siblings are offered too.
        """
        self._folder = add_lexicon(path, work=work, base=base)
        inherited = specifiers(add_lexicon(base, work=work)) if base else []
        own = [name for name in specifiers(self._folder) if name not in inherited]
        if lexicon is None and len(own) != 1:
            what = f"the file holds {len(own)} lexicons ({', '.join(own)})"
            raise SourceError(what, fix="name one of them", place=Place(str(path)))
        wn.config.data_directory = self._folder
        try:
            self._net = wn.Wordnet(lexicon or own[0], expand=" ".join(inherited))
        except wn.Error:
            held = ", ".join(own) or "none"
            what = f"no lexicon {lexicon!r} in this file (it holds {held})"
            raise SourceError(what, fix="name the right one in pack.toml", place=Place(str(path))) from None
        opened = self._net.lexicons()[0]
        self._name = opened.specifier()
        self._language = opened.language
        self._requires = _required(opened)
        self._far = far

    @property
    def name(self) -> str:
        """Return lexicon id and version, such as `ncimp-en:0.1.0`."""
        return self._name

    @property
    def language(self) -> str:
        """Return the code of the language of its words."""
        return self._language

    @property
    def requires(self) -> Sequence[str]:
        """Return the lexicons whose relations this one shares."""
        return self._requires

    def candidates(self, lemma: str, pos: str) -> Sequence[Candidate]:
        """Return synonyms of *lemma* sense by sense: its synset, then similar words, then hypernyms, then far ones."""
        wn.config.data_directory = self._folder
        found = (
            Candidate(member, pos, synset.id, relation, sense, 0 if self._requires else position, start.id)
            for sense, start in self._senses(lemma, pos)
            for relation, synset in self._neighbours(start)
            for position, member in enumerate(synset.lemmas(), start=1)
        )
        return tuple(candidate for candidate in found if candidate.lemma != lemma)

    def words(self, pos: str) -> Sequence[str]:
        """Return every single-word lemma of part of speech *pos*, sorted."""
        wn.config.data_directory = self._folder
        lemmas = {word.lemma() for tag in WN_POS[pos] for word in self._net.words(pos=tag)}
        return sorted(lemma for lemma in lemmas if " " not in lemma)

    def _senses(self, lemma: str, pos: str) -> Iterator[tuple[int, wn.Synset]]:
        """Yield (rank, synset) for each sense of *lemma*; the rank is 0 where nothing ranks them."""
        words = (word for tag in WN_POS[pos] for word in self._net.words(lemma, pos=tag))
        synsets = (synset for word in words if word.lemma() == lemma for synset in word.synsets())
        for rank, synset in enumerate(synsets, start=1):
            yield (0 if self._requires else rank), synset

    def _neighbours(self, synset: wn.Synset) -> Iterator[Neighbour]:
        yield "synonym", synset
        for similar in synset.get_related("similar"):
            yield "similar", similar
        for kind in _named_kinds(synset, set()):
            yield "hypernym", kind
        if self._far:
            yield from _far_neighbours(synset)


def _required(lexicon: wn.Lexicon) -> tuple[str, ...]:
    try:
        return tuple(lexicon.requires())
    except LookupError as error:  # `wn` looks the other one up, and names it when it is not there
        return (str(error.args[0]),)


def _named_kinds(synset: wn.Synset, seen: set[str]) -> Iterator[wn.Synset]:
    """Yield the nearest hypernyms that have a word in this lexicon; the gaps of a translated one are climbed over."""
    for kind in synset.get_related(*KINDS):
        if kind.lemmas():
            yield kind
        elif kind.ili and kind.ili not in seen:
            yield from _named_kinds(kind, seen | {kind.ili})


def _far_neighbours(synset: wn.Synset) -> Iterator[Neighbour]:
    for member in synset.get_related(*MEMBERS):
        yield "hyponym", member
    beside = [other for kind in synset.get_related(*KINDS) for other in kind.get_related(*MEMBERS)]
    beside += [other for near in synset.get_related("similar") for other in near.get_related("similar")]
    for other in beside:
        if other.id != synset.id:
            yield "sibling", other


def add_lexicon(path: Path, *, work: Path, base: Path | None = None) -> Path:
    """Return the `wn` data folder that holds the lexicon file *path*, adding the file when it is new.

    With *base*, the folder holds that lexicon too. The database is made aside and renamed, so that a
    damaged file leaves nothing behind.
    """
    for file in (path, base) if base else (path,):
        if not file.is_file():
            raise SourceError("no such file", fix="check the path", place=Place(str(file)))
    hashes = "+".join(file_hash(file)[:16] for file in ((path, base) if base else (path,)))
    folder = work / "wn" / f"{hashes}-wn-{version('wn')}"
    if folder.is_dir():
        return folder
    known = add_lexicon(base, work=work) if base else None
    with folder_aside(folder) as aside:
        if known:
            shutil.copytree(known, aside, dirs_exist_ok=True)
        with TemporaryDirectory(dir=aside) as unpacked:
            wn.config.data_directory = aside
            _add(path, Path(unpacked))
        if not folder.is_dir():  # another build may have added it meanwhile
            aside.rename(folder)
    return folder


def specifiers(folder: Path) -> list[str]:
    """Return id and version of every lexicon in a `wn` data folder."""
    wn.config.data_directory = folder
    try:
        # not `wn.lexicons()`, which looks for the lexicons that these ones require and warns
        return [lexicon.specifier() for lexicon in wn.Wordnet("*", expand="").lexicons()]
    except wn.Error:
        return []


def _add(path: Path, unpacked: Path) -> None:
    """Add the file *path*, unpacked in *unpacked* when need be, to the current database."""
    before = specifiers(wn.config.data_directory)
    try:
        wn.add(plain_lexicon(path, unpacked), progress_handler=None)
    except DAMAGE as error:
        what = f"not a lexicon that `wn` can read ({str(error) or type(error).__name__})"
        raise SourceError(what, fix="give a WN-LMF file", place=Place(str(path))) from None
    if specifiers(wn.config.data_directory) == before:
        raise SourceError("the file holds no lexicon", fix="give a WN-LMF file", place=Place(str(path)))
