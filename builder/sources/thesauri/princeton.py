"""Princeton WordNet in its own format, through NLTK's reader, from a folder of the user's (a `SynonymSource`).

The folder holds `data.noun`, `index.noun` and their like: NLTK's `corpora/wordnet`, unpacked, or
`/usr/share/wordnet` of Debian's wordnet-base. Nothing is downloaded. Senses stand in the order of their counts.
"""

import io
import warnings
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, TypeAlias

import nltk.data
from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetError

from ncimp.builder.records import SynonymCandidate
from ncimp.builder.sources.thesauri.wn_lmf import neighbours
from ncimp.schemas import Place, SourceError

Synset: TypeAlias = Any  # NLTK has no types
POS = {"noun": "n", "adj": "a", "verb": "v"}  # NLTK's tags; to ask for `a` is to ask for satellites, too
NEEDED = tuple(f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv"))
LEXNAMES = 45  # lexicographer files of WordNet 3; Debian leaves out the table of their names, and nothing needs it
LINKS = {
    "similar": ("similar_tos",),
    "kinds": ("hypernyms", "instance_hypernyms"),
    "members": ("hyponyms", "instance_hyponyms"),
}
"""NLTK's methods that return related synsets."""

BUILT_IN = (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, StopIteration, RuntimeError)
DAMAGE = (WordNetError, *BUILT_IN)  # errors of the reader for damaged files: it takes lines apart without a check

FIX = "give a folder with the files of Princeton WordNet (data.noun, index.noun, …)"


class _Reader(WordNetCorpusReader):  # type: ignore[misc]
    """NLTK's reader, for this folder alone."""

    def __init__(self, folder: Path, streams: ExitStack) -> None:
        """Read *folder*; *streams* closes every file that is opened, for the reader closes none."""
        self._streams = streams
        super().__init__(str(folder), None)

    def open(self, file: str) -> IO[str]:
        """Open *file* of the folder; the table of names, which few copies have, is made up."""
        if file == "lexnames":
            return io.StringIO("".join(f"{number:02d}\tfile{number}\t0\n" for number in range(LEXNAMES)))
        stream: IO[str] = self._streams.enter_context(super().open(file))
        return stream

    def map_wn(self, version: str = "wordnet") -> None:
        """Map to no other version: that would ask for NLTK's own copy."""


class NltkSource:
    """Synonyms out of one folder of Princeton WordNet (a `SynonymSource`)."""

    def __init__(self, folder: Path, *, far: bool = False) -> None:
        """Open the WordNet in *folder*; with *far*, hyponyms and siblings are offered too."""
        missing = [name for name in NEEDED if not (folder / name).is_file()]
        if missing:
            raise SourceError(f"no {missing[0]} in this folder", fix=FIX, place=Place(str(folder)))
        self._place, self._far = Place(str(folder)), far
        streams = ExitStack()
        self.close = streams.close  # close the files; the source cannot be asked afterwards
        weakref.finalize(self, self.close)
        folder = folder.resolve()
        if str(folder) not in nltk.data.path:
            nltk.data.path.append(str(folder))  # NLTK opens files below its data folders only
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it says that it has no other languages
                self._net = _Reader(folder, streams)
        except DAMAGE as error:
            self.close()
            raise self._damaged(error) from None
        self.language = "en"

    @property
    def name(self) -> str:
        """Return `wordnet:` and the version that the files state."""
        return f"wordnet:{self._net.get_version()}"

    def candidates(self, lemma: str, pos: str) -> Sequence[SynonymCandidate]:
        """Return synonyms of *lemma* sense by sense: its synset, then similar words, then hypernyms, then far ones."""
        try:
            return tuple(self._candidates(lemma, pos))
        except DAMAGE as error:
            raise self._damaged(error) from None

    def words(self, pos: str) -> Sequence[str]:
        """Return every single-word lemma of part of speech *pos*, sorted."""
        try:
            names = {name for synset in self._net.all_synsets(POS[pos]) for name in synset.lemma_names()}
        except DAMAGE as error:
            raise self._damaged(error) from None
        return sorted(name for name in names if "_" not in name)

    def _candidates(self, lemma: str, pos: str) -> Iterator[SynonymCandidate]:
        wordnet_name = lemma.replace(" ", "_")
        synsets = self._net.synsets(wordnet_name, POS[pos])  # with other cases and base forms, which are left out
        senses = (synset for synset in synsets if wordnet_name in synset.lemma_names())
        for sense, start in enumerate(senses, start=1):
            for relation, synset in neighbours(start, _related, _related(start, "kinds"), far=self._far):
                for position, name in enumerate(synset.lemma_names(), start=1):
                    if name != wordnet_name:
                        word = name.replace("_", " ")
                        yield SynonymCandidate(word, pos, synset.name(), relation, sense, position, start.name())

    def _damaged(self, error: Exception) -> SourceError:
        what = f"no WordNet that NLTK can read ({str(error) or type(error).__name__})"
        return SourceError(what, fix=FIX, place=self._place)


def _related(synset: Synset, link: str) -> list[Synset]:
    """Return related synsets by their place in the file: the reader holds them in sets, whose order is anybody's."""
    synsets = [other for method in LINKS[link] for other in getattr(synset, method)()]
    return sorted(synsets, key=lambda synset: int(synset.offset()))
