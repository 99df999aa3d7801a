"""A lexicon of synonyms from a file or folder of any kind, told apart by what it is.

A folder is Princeton WordNet, a `.dat` file a MyThes thesaurus, anything else WN-LMF.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ncimp.builder.ports import SynonymSource
from ncimp.builder.sources.collection.collection import Collection
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import pack_names
from ncimp.builder.sources.thesauri.mythes import MythesSource
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.schemas.errors import UsageError

MYTHES_NAME = re.compile(r"th_([a-z]{2,3})(?:_|$)")
"""What thesauri are called: `th_pt_BR.dat`."""


@dataclass(frozen=True, slots=True)
class Named:
    """A lexicon that a user asks for: where it is, and the language, if it was said."""

    path: Path
    lang: str | None


def find_lexicon(text: str, packs: Path, collection: Collection) -> Named:
    """Return what *text* names: `[LANG=]`, then the id of the lexicon of a pack in *packs*, a source or a path."""
    lang, equals, rest = text.partition("=")
    said, name = (lang, rest) if equals and lang.isalpha() else (None, text)
    for code in pack_names(packs):
        if read_language(packs / code / "pack.toml").lexicon == name:
            return Named(packs / code / "lexicon.xml", said)
    return Named(collection.path(name), said)


class Lexicons:
    """The lexicons that a user has named, opened when a language asks for them."""

    def __init__(self, named: Sequence[Named], *, data: Path) -> None:
        self._named = named
        self._data = data

    def of(self, lang: str) -> list[SynonymSource]:
        """Return the lexicons of *lang*, each once, in the order in which they were named."""
        found = {source.name: source for source, its in self._opened if its == lang}
        return list(found.values())

    @property
    def languages(self) -> frozenset[str]:
        """The languages of which there is a lexicon; to ask opens them all."""
        return frozenset(lang for _, lang in self._opened)

    @cached_property
    def _opened(self) -> list[tuple[SynonymSource, str]]:
        return [self._open(named) for named in self._named]

    def _open(self, named: Named) -> tuple[SynonymSource, str]:
        if named.path.is_dir():
            from ncimp.builder.sources.thesauri.princeton import NltkSource  # it takes a second to import NLTK

            net = NltkSource(named.path, far=True)
            return net, named.lang or net.language
        if named.path.suffix == ".dat":
            return MythesSource(named.path), named.lang or _language_of(named.path)
        lexicon = self._wordnet(named.path)
        return lexicon, named.lang or lexicon.language

    def _wordnet(self, path: Path) -> WnSource:
        source = WnSource(path, work=self._data, far=True)
        for required in source.requires:
            base = self._holding(required, (one.path for one in self._named if one.path != path))
            source = WnSource(path, source.name, work=self._data, base=base, far=True)
        return source

    def _holding(self, required: str, paths: Iterable[Path]) -> Path:
        for path in paths:
            if path.is_file() and path.suffix != ".dat" and WnSource(path, work=self._data).name == required:
                return path
        raise UsageError(f"a lexicon takes its relations from {required}", fix="name that one, too")


def _language_of(path: Path) -> str:
    match = MYTHES_NAME.match(path.stem)
    if match is None:
        raise UsageError(f"{path} does not say its language", fix=f"write it before the file: pt={path}")
    return match[1]
