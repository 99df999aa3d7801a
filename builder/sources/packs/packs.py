"""Language packs: one folder of tables per language, read and checked into one record.

builder/languages/en/
    pack.toml      identity, patterns, frames, agreement (language.py)
    compounds.tsv  synonyms.tsv  contexts.tsv  forms.tsv  splits.tsv  waivers.tsv  exclusions.tsv
    lexicon.xml    WN-LMF: synonyms of the components (wordnets.py)
    overrides.tsv  a person's decisions about those synonyms; may be left out
    origins.tsv    only where sentences may not be passed on: where they stand in their corpus (origins.py)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from ncimp.builder.records import (
    NEUTRAL,
    Compound,
    Context,
    Exclusion,
    Form,
    Language,
    LanguagePack,
    MarkedSentence,
    Number,
    Override,
    SplitAssignment,
    TrueSynonym,
    Waiver,
)
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.markup import read_marked
from ncimp.builder.sources.packs.origins import ORIGINS, read_origins
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.hashing import file_hash
from ncimp.schemas.records import read_records

Record = TypeVar("Record")
Rows: TypeAlias = list[tuple[int, Record]]
"""Records with the number of the line they stand in."""


class OfCompound(Protocol):
    """A row that names a compound."""

    @property
    def compound(self) -> str:
        """Text of the compound."""
        ...


class OfPattern(Protocol):
    """A row that names a pattern."""

    @property
    def pattern(self) -> str:
        """Id of the pattern."""
        ...


FILES = (
    "pack.toml",
    "compounds.tsv",
    "synonyms.tsv",
    "contexts.tsv",
    "forms.tsv",
    "splits.tsv",
    "waivers.tsv",
    "exclusions.tsv",
    "lexicon.xml",
)
"""Every file that a pack must have."""

OVERRIDES = "overrides.tsv"
"""One that it may have; `origins.tsv` is another."""

FRAME_SLOT = "[NC]"
"""What stands for the compound in a neutral frame."""


def packs_folder() -> Path:
    """Return the folder of the packs that come with the project."""
    return Path(str(files("ncimp.builder"))) / "languages"


def pack_names(folder: Path) -> list[str]:
    """Return the language codes of the packs in *folder*, sorted."""
    return sorted(path.parent.name for path in folder.glob("*/pack.toml"))


def hash_pack(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file of the pack in *folder*, by `<lang>/<file>`, or raise for one that is missing."""
    _check_whole(folder)
    held = [*FILES, *(name for name in (OVERRIDES, ORIGINS) if (folder / name).is_file())]
    return {f"{folder.name}/{name}": file_hash(folder / name) for name in held}


def _check_whole(folder: Path) -> None:
    for name in FILES:
        if not (folder / name).is_file():
            fix = "see docs/how-to/new-language.md"
            raise SourceError(f"the pack has no {name}", fix=fix, place=Place(str(folder)))


def read_pack(folder: Path) -> LanguagePack:
    """Return the pack in *folder*, or raise `SourceError` or `SchemaError` at the offending cell."""
    _check_whole(folder)
    language = read_language(folder / "pack.toml")
    compounds = _compounds(folder / "compounds.tsv", language)
    contexts = _unique(folder / "contexts.tsv", Context, "context", lambda row: (row.compound, row.context))
    synonyms = _unique(folder / "synonyms.tsv", TrueSynonym, "pack_synonym", lambda row: (row.compound, row.rank))
    splits = _unique(folder / "splits.tsv", SplitAssignment, "split", lambda row: (row.compound,))
    _refer(folder / "contexts.tsv", contexts, compounds)
    _refer(folder / "synonyms.tsv", synonyms, compounds)
    _refer(folder / "splits.tsv", splits, compounds)
    _known_patterns(folder / "synonyms.tsv", synonyms, language)
    authored = _authored(folder / "contexts.tsv", contexts)
    return LanguagePack(
        language=language,
        compounds=tuple(compounds.values()),
        synonyms=_records(synonyms),
        contexts=_records(contexts),
        forms=_plain(folder / "forms.tsv", Form, "form"),
        splits=_records(splits),
        waivers=_plain(folder / "waivers.tsv", Waiver, "waiver"),
        exclusions=_plain(folder / "exclusions.tsv", Exclusion, "exclusion"),
        marked={**authored, **_frames(folder / "pack.toml", language, compounds)},
        numbers=_numbers(compounds, contexts),
        overrides=_overrides(folder / OVERRIDES, compounds),
        origins=read_origins(folder, _records(contexts), authored, language.withheld),
    )


def _compounds(path: Path, language: Language) -> dict[str, Compound]:
    rows = _unique(path, Compound, "pack_compound", lambda row: (row.text.replace(" ", "-"),))
    _known_patterns(path, rows, language)
    for number, row in rows:
        if row.head_index != language.patterns[row.pattern].head:
            what = f"the head of {row.text!r} is not where the pattern {row.pattern!r} has it"
            raise SourceError(what, fix="mend one of the two", place=Place(str(path), number, "head_index"))
    return {row.text: row for _, row in rows}


def _overrides(path: Path, compounds: Mapping[str, Compound]) -> tuple[Override, ...]:
    if not path.is_file():
        return ()
    rows = _unique(path, Override, "override", lambda row: (row.compound, row.part, row.rank))
    _refer(path, rows, compounds)
    for number, row in rows:
        if (row.word is None) == (row.sense is None):
            what = f"the override of the {row.part} of {row.compound!r} names {'both' if row.word else 'neither'}"
            raise SourceError(what, fix="give a word or a sense, and _ for the other", place=Place(str(path), number))
    return _records(rows)


def _unique(path: Path, kind: type[Record], table: str, key: Callable[[Record], tuple[object, ...]]) -> Rows[Record]:
    """Return (line, record) for each row of *path*; two rows with one key are an error at the second."""
    rows: Rows[Record] = []
    seen: dict[tuple[object, ...], int] = {}
    for number, row in read_records(path, kind, table):
        first = seen.setdefault(key(row), number)
        if first != number:
            what = f"the same {' / '.join(map(str, key(row)))!r} as line {first}"
            raise SourceError(what, fix="keep one of the two rows", place=Place(str(path), number))
        rows.append((number, row))
    return rows


def _plain(path: Path, kind: type[Record], table: str) -> tuple[Record, ...]:
    return _records(list(read_records(path, kind, table)))


def _records(rows: Rows[Record]) -> tuple[Record, ...]:
    return tuple(row for _, row in rows)


def _refer(path: Path, rows: Sequence[tuple[int, OfCompound]], compounds: Mapping[str, Compound]) -> None:
    for number, row in rows:
        if row.compound not in compounds:
            what = f"{row.compound!r} is not in compounds.tsv"
            raise SourceError(what, fix="add it there or mend the spelling", place=Place(str(path), number, "compound"))


def _known_patterns(path: Path, rows: Sequence[tuple[int, OfPattern]], language: Language) -> None:
    for number, row in rows:
        if row.pattern not in language.patterns:
            what = f"pattern {row.pattern!r} is not in pack.toml"
            fix = f"use one of {', '.join(language.patterns)}"
            raise SourceError(what, fix=fix, place=Place(str(path), number, "pattern"))


def _authored(path: Path, contexts: Rows[Context]) -> dict[tuple[str, str], MarkedSentence]:
    return {
        (row.compound, row.context): read_marked(row.sentence, Place(str(path), number, "sentence"))
        for number, row in contexts
    }


def _frames(path: Path, language: Language, compounds: Mapping[str, Compound]) -> dict[tuple[str, str], MarkedSentence]:
    """Return the neutral frames with each compound put into them, by (compound, frame)."""
    marked: dict[tuple[str, str], MarkedSentence] = {}
    for compound in compounds.values():
        for name in NEUTRAL:
            frame = _frame(language.frames[name], compound, Place(str(path)))
            marked[compound.text, name] = read_marked(frame.replace(FRAME_SLOT, f"[{compound.text}]"), Place(str(path)))
    return marked


def _frame(frames: Mapping[str, str], compound: Compound, place: Place) -> str:
    key = compound.number if compound.number == "pl" else compound.countability
    frame = frames.get(key, frames["sg"]) if key != "pl" else frames.get("pl")
    if frame is None:
        what = f"no frame for {compound.text!r}, which is {key}"
        raise SourceError(what, fix=f"add the key {key!r} to the frames", place=place)
    if FRAME_SLOT not in frame:
        raise SourceError(
            f"the frame {frame!r} has no place for a compound", fix=f"put {FRAME_SLOT} into it", place=place
        )
    return frame


def _numbers(compounds: Mapping[str, Compound], contexts: Rows[Context]) -> dict[tuple[str, str], Number]:
    numbers: dict[tuple[str, str], Number] = {(row.compound, row.context): row.number for _, row in contexts}
    for compound in compounds.values():
        numbers |= {(compound.text, name): compound.number for name in NEUTRAL}
    return numbers
