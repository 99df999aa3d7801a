"""What a lexicon file is, seen from its first line of content, and its entries.

A folder is read as one lexicon: MorphoBr comes as a file per letter, a treebank as train, dev and test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ncimp.builder.sources.lexicons.conllu import read_conllu
from ncimp.builder.sources.lexicons.entries import Entry, Reader, read_forms, read_morphobr, read_unimorph
from ncimp.builder.sources.lexicons.lines import Line, read_lines
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash, keyed_hash
from ncimp.schemas.tables import columns

SUFFIXES = frozenset({".conllu", ".dict", ".tsv", ".txt"})
"""Names by which the files of a lexicon are known in a folder, before `.gz`, `.bz2` or `.xz`."""


@dataclass(frozen=True, slots=True)
class Format:
    """A notation that is read: its name, its reader, and whether it counts how often a form occurs."""

    name: str
    read: Reader
    counted: bool = False


MORPHOBR = Format("MorphoBr", read_morphobr)
UNIMORPH = Format("UniMorph", read_unimorph)
CONLLU = Format("CoNLL-U", read_conllu, counted=True)
FORMS = Format("forms.tsv", read_forms)


def lexicon_files(path: Path) -> list[Path]:
    """Return the files of the lexicon *path*: itself, or those of a folder by name."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise SourceError("no such file", fix="check the path", place=Place(str(path)))
    inside = sorted(file for file in path.rglob("*") if SUFFIXES & set(file.suffixes) and file.is_file())
    if not inside:
        fix = f"their names end in {', '.join(sorted(SUFFIXES))}, perhaps compressed"
        raise SourceError("the folder holds no lexicon files", fix=fix, place=Place(str(path)))
    return inside


def lexicon_hash(path: Path) -> str:
    """Return the sha256 of the file *path*, or for a folder one of the hashes of its files, whatever their names."""
    try:
        hashes = sorted(file_hash(file) for file in lexicon_files(path))
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    return hashes[0] if path.is_file() else keyed_hash(*hashes)


def read_lexicon(path: Path) -> tuple[Format, Iterator[Entry]]:
    """Return the format of the lexicon *path* and its entries; its files must be of one format."""
    found = [(file, *_read_file(file)) for file in lexicon_files(path)]
    made = found[0][1]
    for file, other, _ in found:
        if other != made:
            what = f"is in the format {other.name} and {found[0][0].name} in {made.name}"
            raise SourceError(what, fix="keep lexicons of different formats apart", place=Place(str(file)))
    return made, chain.from_iterable(entries for *_, entries in found)


def _read_file(path: Path) -> tuple[Format, Iterator[Entry]]:
    lines = read_lines(path)
    seen: list[Line] = []
    for number, line in lines:
        seen.append((number, line))
        if line.strip() and not line.startswith("#"):
            made = _format(line, Place(str(path), number))
            return made, made.read(chain(seen, lines), str(path))
    raise SourceError("the file holds no entries", fix="give a lexicon", place=Place(str(path)))


def _format(line: str, place: Place) -> Format:
    """Return the format whose first line of content looks like *line*."""
    cells = line.split("\t")
    if tuple(cells) == tuple(columns("form")):
        return FORMS
    if len(cells) == 10 and cells[0][:1].isdigit():
        return CONLLU
    if len(cells) == 2 and "+" in cells[1]:
        return MORPHOBR
    if len(cells) in (3, 4) and cells[2].split(";")[0].split("|")[0].isupper():
        return UNIMORPH
    fix = "give MorphoBr, UniMorph, CoNLL-U or a table like forms.tsv"
    raise SourceError("not a lexicon in a format that is read", fix=fix, place=place)
