"""What tasks on language ask for: the pack of a row's language, and the lexicons that the user has named."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import LanguagePack
from ncimp.schemas.errors import SchemaError, SourceError, UsageError
from ncimp.schemas.files import Row

if TYPE_CHECKING:
    from ncimp.builder.sources.collection.collection import Collection
    from ncimp.builder.sources.lexicons.layered import LayeredMorphology

NAMED = re.compile(r"(?:(?P<lang>[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)=)?(?P<name>.+)")
"""A lexicon as it is named on the command line: `pt=forms.tsv`, `forms.tsv`, `morphobr`."""


def register_morphology(parser: argparse.ArgumentParser) -> None:
    """Add the options that name morphological lexicons to *parser*."""
    parser.add_argument(
        "--morphology",
        action="append",
        default=[],
        metavar="[LANG=]NAME|PATH",
        help="a full-form lexicon or treebank, most trusted first (repeatable); LANG= if nobody knows its language",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where lexicons are kept (default: the user's cache)")


class Toolbox:
    """The pack, the frequencies and the morphology of one language, opened when they are first needed."""

    def __init__(self, lang: str, packs: Path, lexicons: Sequence[str], collection: Collection) -> None:
        self.lang, self._packs, self._lexicons, self._collection = lang, packs, lexicons, collection

    @cached_property
    def pack(self) -> LanguagePack:
        """The language pack."""
        from ncimp.builder.sources.packs.packs import read_pack

        return read_pack(self._packs / self.lang)

    @cached_property
    def frequencies(self) -> FrequencyTable | None:
        """The word frequencies of the language, or None where the project has none."""
        from ncimp.builder.sources.figures.wordfreq import WordfreqTable

        try:
            return WordfreqTable(self.lang)
        except SourceError:
            return None

    @cached_property
    def analyser(self) -> LayeredMorphology:
        """The forms of the pack, then of the lexicons of this language in the order given, then the pack's rules."""
        return self._morphology(widely=False)

    @cached_property
    def inflector(self) -> LayeredMorphology:
        """The same for phrases without a sentence: a word that only the pack knows may be more than it says."""
        return self._morphology(widely=True)

    def _morphology(self, *, widely: bool) -> LayeredMorphology:
        from ncimp.builder.sources.inflection.rules import RuleMorphology
        from ncimp.builder.sources.lexicons.layered import LayeredMorphology
        from ncimp.builder.sources.lexicons.pack_forms import PackMorphology

        pack = PackMorphology(self.pack.forms, self.pack.language)
        stores = [self._collection.forms(name) for name in self._lexicons]
        rules = RuleMorphology(self.pack.language, self.frequencies)
        return LayeredMorphology(pack, stores, rules=rules, widely=widely)


def toolboxes(args: argparse.Namespace) -> dict[str, Toolbox]:
    """Return a toolbox for each language asked for, or for each pack; each lexicon is in that of its language."""
    from ncimp.builder.commands.build import default_packs, languages
    from ncimp.builder.sources.collection.collection import Collection
    from ncimp.builder.sources.collection.folder import data_folder

    packs = args.packs or default_packs()
    collection = Collection(data_folder(args.data))
    langs = languages(args.lang, packs)
    named = [_language(text, langs, collection) for text in args.morphology]
    return {lang: Toolbox(lang, packs, [name for own, name in named if own == lang], collection) for lang in langs}


def toolbox_of(lang: str, boxes: Mapping[str, Toolbox]) -> Toolbox:
    """Return the toolbox of *lang*, or raise `SchemaError` for a language without a pack."""
    if lang not in boxes:
        raise SchemaError(f"no language pack {lang!r}", fix=f"the languages are {', '.join(sorted(boxes))}")
    return boxes[lang]


def _language(text: str, langs: Sequence[str], collection: Collection) -> tuple[str, str]:
    """Return (language, name) of the lexicon that *text* names, or raise `UsageError` where nobody knows that."""
    match = NAMED.fullmatch(text)
    if match is None:
        raise UsageError("--morphology names nothing", fix="give the name or the path of a lexicon")
    lang, name = match["lang"], match["name"]
    if lang is None:
        lang = collection.language(name) or (langs[0] if len(langs) == 1 else None)
    if lang is None:
        what = f"nobody knows which language {name!r} is of"
        raise UsageError(what, fix=f"say so: --morphology {langs[0]}={name}, or pick one language with --lang")
    return lang, name


def word_span(row: Row, key: str, words: Sequence[str]) -> tuple[int, int]:
    """Return the places of the first word, and after the last, that *row* names under *key*, or raise `SchemaError`."""
    span = row.get(key)
    match span:
        case [int(first), int(end)] if bool not in (type(first), type(end)) and 0 <= first < end <= len(words):
            return first, end
    what = f"the {key} {span!r} is not two places in a sentence of {len(words)} words"
    raise SchemaError(what, fix="count words at the white space from 0; the second is one after the last")
