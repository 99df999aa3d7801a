"""What tasks on language ask for: the pack of a row's language, and the lexicons that the user has named."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ncimp.builder.records import LanguagePack
from ncimp.builder.sources.layered import LayeredMorphology
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import Row


def register_morphology(parser: argparse.ArgumentParser) -> None:
    """Add the options that name morphological lexicons to *parser*."""
    parser.add_argument(
        "--morphology",
        action="append",
        default=[],
        metavar="[LANG=]PATH",
        help="a full-form lexicon or treebank, most trusted first (repeatable); LANG= for one language only",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where lexicons are kept (default: the user's cache)")


class Toolbox:
    """The pack and the morphology of one language, opened when they are first needed."""

    def __init__(self, lang: str, args: argparse.Namespace, packs: Path) -> None:
        self.lang, self._args, self._packs = lang, args, packs

    @cached_property
    def pack(self) -> LanguagePack:
        """The language pack."""
        from ncimp.builder.sources.packs import read_pack

        return read_pack(self._packs / self.lang)

    @cached_property
    def analyser(self) -> LayeredMorphology:
        """The forms of the pack, then of the lexicons that serve this language, in the order given."""
        from ncimp.builder.sources.data_folder import data_folder
        from ncimp.builder.sources.layered import open_morphology
        from ncimp.builder.sources.morphology import PackMorphology

        paths = [Path(path) for lang, path in map(_split, self._args.morphology) if lang in (None, self.lang)]
        pack = PackMorphology(self.pack.forms, self.pack.language)
        return open_morphology(pack, paths, data=data_folder(self._args.data))


def _split(named: str) -> tuple[str | None, str]:
    """Return the language, if one is given, and the path of a `--morphology` option."""
    lang, equals, path = named.partition("=")
    return (lang, path) if equals and lang.isalpha() else (None, named)


def toolboxes(args: argparse.Namespace) -> dict[str, Toolbox]:
    """Return a toolbox for each language asked for, or for each pack."""
    from ncimp.builder.commands.build import default_packs, languages

    packs = args.packs or default_packs()
    return {lang: Toolbox(lang, args, packs) for lang in languages(args.lang, packs)}


def toolbox_of(lang: str, boxes: dict[str, Toolbox]) -> Toolbox:
    """Return the toolbox of *lang*, or raise `SchemaError` for a language without a pack."""
    if lang not in boxes:
        raise SchemaError(f"no language pack {lang!r}", fix=f"the languages are {', '.join(sorted(boxes))}")
    return boxes[lang]


def word_span(row: Row, key: str, words: Sequence[str]) -> tuple[int, int]:
    """Return the places of the first word, and after the last, that *row* names under *key*, or raise `SchemaError`."""
    span = row.get(key)
    match span:
        case [int(first), int(end)] if 0 <= first < end <= len(words):
            return first, end
    what = f"the {key} {span!r} is not two places in a sentence of {len(words)} words"
    raise SchemaError(what, fix="count words at the white space from 0; the second is one after the last")
