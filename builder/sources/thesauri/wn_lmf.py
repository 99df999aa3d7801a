"""WordNets in WN-LMF, through the `wn` package, in a database folder of the project's own.

A lexicon is added once and found again by the hash of its file, so that the user's own `wn` data are never touched and
a changed lexicon is never confused with the old one:

    <work>/wn/<sha256 of the file>-wn-<version of wn>/wn.db

The hash of the database is recorded beside it; a damaged one is made again.

A lexicon whose synsets are only linked to those of another one (OpenWordNet-PT has no relations of its own) is added
to a copy of that database, and uses the relations there:

    <work>/wn/<sha256 of the file>+<sha256 of the other>-wn-<version of wn>/wn.db

The senses of such a lexicon and the words of its synsets are unranked, because they are ordered by number.

A file may be plain, compressed, or in a tar. `wn` reads it whole into memory, so a file that unpacks to more than any
lexicon is refused before; so is a document that declares entities, which WN-LMF never needs and "billion laughs" does.
"""

import shutil
import sqlite3
import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TypeVar, get_args
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ExpatError

import wn
from defusedxml import EntitiesForbidden
from defusedxml.ElementTree import iterparse

from ncimp.builder.records import NounClass, Relation, SynonymCandidate
from ncimp.builder.sources.lexicons import files
from ncimp.schemas import CHUNK, Place, SourceError, file_hash, folder_aside, is_disk_error, replace_folder
from ncimp.schemas.journal import read_step, write_step

WN_POS = {"noun": ("n",), "adj": ("a", "s"), "verb": ("v",)}  # tags of WN-LMF; `s` is an adjective satellite

FAILED_CHECKS = (AssertionError, LookupError, TypeError, ValueError)  # `wn` checks by `assert` and by conversion
DAMAGE = (*files.DAMAGE, wn.Error, ExpatError, ParseError, tarfile.TarError, sqlite3.Error, *FAILED_CHECKS)
"""Errors of `wn` for a file that is damaged or not a lexicon."""

LINKS = {
    "similar": ("similar",),
    "kinds": ("hypernym", "instance_hypernym"),  # *guppy*: fish
    "members": ("hyponym", "instance_hyponym"),
}
"""Relations of `wn` from a synset to others."""

Synset = TypeVar("Synset")

MAJORITY = 0.6
"""Share of the unranked senses of a noun that tells its class: of 700 nouns of the Portuguese pool, OpenWordNet-PT then
tells that of 68 %, and of these 81 % are as the pack has them."""

RECORD = "record.json"  # the file beside a database that holds its hash
MAX_BYTES = 1 << 30  # most bytes of a lexicon once unpacked (1 GiB); the Open English WordNet has a tenth of it


class WnSource:
    """Synonyms out of one WN-LMF lexicon (a `Lexicon`)."""

    def __init__(
        self, path: Path, lexicon: str | None = None, *, work: Path, base: Path | None = None, far: bool = False
    ) -> None:
        """Open *lexicon*, or the only one of *path*, with relations of *base*; *far* adds hyponyms and siblings."""
        self._folder, self._far = add_lexicon(path, work=work, base=base), far
        inherited = specifiers(add_lexicon(base, work=work)) if base else []
        lexicons = [name for name in specifiers(self._folder) if name not in inherited]
        if lexicon is None and len(lexicons) != 1:
            what = f"the file holds {len(lexicons)} lexicons ({', '.join(lexicons)})"
            raise SourceError(what, fix="name one of them", place=Place(str(path)))
        wn.config.data_directory = self._folder
        try:
            self._net = wn.Wordnet(lexicon or lexicons[0], expand=" ".join(inherited))
            self._base = wn.Wordnet(" ".join(inherited), expand="") if inherited else None
        except wn.Error:
            what = f"no lexicon {lexicon!r} in this file (it holds {', '.join(lexicons) or 'none'})"
            raise SourceError(what, fix="name the right one in pack.toml", place=Place(str(path))) from None
        opened = self._net.lexicons()[0]
        self.name: str = opened.specifier()  # lexicon id and version, such as `ncimp-en:0.1.0`
        self.language: str = opened.language  # the code of the language of its words
        try:
            self.requires = tuple(opened.requires())
            """The lexicons whose relations this one shares."""
        except LookupError as error:  # `wn` names a required lexicon that is missing
            self.requires = (str(error.args[0]),)

    def candidates(self, lemma: str, pos: str) -> Sequence[SynonymCandidate]:
        """Return synonyms of *lemma* sense by sense: its synset, then similar words, then hypernyms, then far ones."""
        wn.config.data_directory = self._folder
        words = (word for tag in WN_POS[pos] for word in self._net.words(lemma, pos=tag))
        senses = (synset for word in words if word.lemma() == lemma for synset in word.synsets())
        ranked = 0 if self.requires else 1
        candidates = (
            SynonymCandidate(member, pos, synset.id, relation, ranked * sense, ranked * position, start.id)
            for sense, start in enumerate(senses, start=1)
            for relation, synset in neighbours(start, _related, _named_kinds(start, set()), far=self._far)
            for position, member in enumerate(synset.lemmas(), start=1)
        )
        return tuple(candidate for candidate in candidates if candidate.lemma != lemma)

    def words(self, pos: str) -> Sequence[str]:
        """Return every single-word lemma of part of speech *pos*, sorted."""
        wn.config.data_directory = self._folder
        lemmas = {word.lemma() for tag in WN_POS[pos] for word in self._net.words(pos=tag)}
        return sorted(lemma for lemma in lemmas if " " not in lemma)

    def semantic_class(self, noun: str) -> NounClass | None:
        """Return the lexicographer's file of the first sense of *noun*, or None where the lexicon has none.

        A lexicon without files has those of the one whose relations it shares. Its senses are unranked, so that a class
        is told only where most of them have it.
        """
        wn.config.data_directory = self._folder
        words = (word for word in self._net.words(noun, pos="n") if word.lemma() == noun)
        synsets = [synset for word in words for synset in word.synsets()]
        file = next((synset.lexfile() for synset in synsets), None)
        if file is None and self._base:
            shared = (one for each in synsets if each.ili for one in self._base.synsets(ili=each.ili))
            senses = Counter(one.lexfile() for one in shared)
            file = next((name for name, count in senses.items() if count >= MAJORITY * senses.total()), None)
        name = (file or "").removeprefix("noun.")
        return next((known for known in get_args(NounClass) if known == name), None)


def neighbours(
    start: Synset, related: Callable[[Synset, str], Sequence[Synset]], kinds: Iterable[Synset], *, far: bool
) -> Iterator[tuple[Relation, Synset]]:
    """Yield *start*, similar synsets and its *kinds*, and with *far* its members and those beside it.

    *related* returns the synsets that one of `LINKS` leads to.
    """
    yield "synonym", start
    for similar in related(start, "similar"):
        yield "similar", similar
    for kind in kinds:
        yield "hypernym", kind
    if far:
        for member in related(start, "members"):
            yield "hyponym", member
        for link, back in (("kinds", "members"), ("similar", "similar")):
            for other in (other for near in related(start, link) for other in related(near, back)):
                if other != start:
                    yield "sibling", other


def _related(synset: wn.Synset, link: str) -> Sequence[wn.Synset]:
    return synset.get_related(*LINKS[link])


def _named_kinds(synset: wn.Synset, visited: set[str]) -> Iterator[wn.Synset]:
    """Yield the nearest hypernyms with a word in this lexicon, above the gaps of a translated one."""
    for kind in _related(synset, "kinds"):
        if kind.lemmas():
            yield kind
        elif kind.ili and kind.ili not in visited:
            yield from _named_kinds(kind, visited | {kind.ili})


def add_lexicon(path: Path, *, work: Path, base: Path | None = None) -> Path:
    """Return the `wn` data folder that holds the lexicon file *path*, adding the file when it is new.

    With *base*, the folder holds that lexicon too. The database is made aside and renamed, so that a damaged file
    leaves nothing behind.
    """
    lexicons = (path, base) if base else (path,)
    for file in lexicons:
        if not file.is_file():
            raise SourceError("no such file", fix="check the path", place=Place(str(file)))
    hashes = "+".join(file_hash(file)[:16] for file in lexicons)
    folder = work / "wn" / f"{hashes}-wn-{version('wn')}"
    if is_whole(folder):
        return folder
    base_folder = add_lexicon(base, work=work) if base else None
    with folder_aside(folder) as aside:
        if base_folder:
            shutil.copytree(base_folder, aside, dirs_exist_ok=True)
        with TemporaryDirectory(dir=aside) as unpacked:
            wn.config.data_directory = aside
            _add(path, Path(unpacked))
        write_step(aside / RECORD, folder.name, [wn.config.database_path.name])
        if not is_whole(folder):  # another process may have added it meanwhile
            replace_folder(aside, folder)
    return folder


def is_whole(folder: Path) -> bool:
    """Tell whether the database in the `wn` data folder *folder* is as it was made."""
    return read_step(folder / RECORD, folder.name) is not None


def specifiers(folder: Path) -> list[str]:
    """Return id and version of every lexicon in a `wn` data folder."""
    wn.config.data_directory = folder
    try:
        # not `wn.lexicons()`, which looks for the lexicons that these ones require and warns
        return [lexicon.specifier() for lexicon in wn.Wordnet("*", expand="").lexicons()]
    except wn.Error:
        return []


def _add(path: Path, unpacked: Path) -> None:
    before = specifiers(wn.config.data_directory)
    try:
        wn.add(_plain_lexicon(path, unpacked), progress_handler=None)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        what = f"not a lexicon that `wn` can read ({str(error) or type(error).__name__})"
        raise SourceError(what, fix="give a WN-LMF file", place=Place(str(path))) from None
    if specifiers(wn.config.data_directory) == before:
        raise SourceError("the file holds no lexicon", fix="give a WN-LMF file", place=Place(str(path)))


def _plain_lexicon(path: Path, aside: Path) -> Path:
    """Return *path*, or for a compressed file or a tar a copy of its XML file in *aside*, checked for entities."""
    place, plain = Place(str(path)), path
    unpack = files.opener(path)
    if unpack != Path.open:
        with unpack(path) as packed:
            plain = _copy(packed, aside / "lexicon.xml", place)
    if tarfile.is_tarfile(plain):
        with tarfile.open(plain) as archive:
            members = [member for member in archive if member.isfile() and member.name.endswith(".xml")]
            content = archive.extractfile(members[0]) if len(members) == 1 else None
            if content is None:
                what = f"the archive holds {len(members)} XML files"
                raise SourceError(what, fix="unpack it and give one of them", place=place)
            plain = _copy(content, aside / "member.xml", place)
    try:
        with plain.open("rb") as stream:  # to its first element; the DTD, which WN-LMF names by a URL, is not fetched
            next(iterparse(stream, events=("start",), forbid_external=False), None)
    except EntitiesForbidden as error:
        what = f"the file declares an entity ({error.name!r}), as no lexicon does"
        raise SourceError(what, fix="do not use this file", place=place) from None
    return plain


def _copy(source: IO[bytes], target: Path, place: Place) -> Path:
    with target.open("wb") as copy:
        while chunk := source.read(CHUNK):
            copy.write(chunk)
            if copy.tell() > MAX_BYTES:
                fix = f"the limit is {MAX_BYTES} bytes, unpacked"
                raise SourceError("too large for a lexicon", fix=fix, place=place)
    return target
