"""Language packs: one folder of tables per language, read and checked into one record.

builder/languages/en/
    pack.toml      identity, patterns, frames, agreement (language.py)
    compounds.tsv  synonyms.tsv  contexts.tsv  forms.tsv  splits.tsv  waivers.tsv  exclusions.tsv
    lexicon.xml    WN-LMF: synonyms of the components
    overrides.tsv  a person's decisions about those synonyms (optional)
    origins.tsv    places in a corpus of the contexts that may not be passed on (optional)

A context marks its compound with square brackets. Words elsewhere in the sentence that agree with it stand in braces;
a word directly beside it that looks as if it agreed, and does not, stands in braces with `=`:

    O [peixe grande] foi {visto} em Santos, {=dona} de tudo.

`pack.toml` names the licences of contexts that may not be passed on; each of these needs a row in `origins.tsv`:

    compound	context	document	start	text
    eager beaver	nat1	http://example.org/1	137	the eager beaver on my left had finished .

`start` counts characters from the beginning of the document (see ncimp.corpus_stats.readers.documents). The text may
differ from the context in spaces, case and punctuation only, so that the context can be restored.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias, TypeVar

from ncimp.builder import records
from ncimp.builder.records import Compound, Context, Language, MarkedSentence, Origin, Span
from ncimp.builder.sources.packs.language import read_language
from ncimp.schemas import Place, SourceError, UsageError, file_hash
from ncimp.schemas.records import read_records

Record = TypeVar("Record")
Rows: TypeAlias = list[tuple[int, Record]]  # with the number of the line they stand in
Key = tuple[str, str]  # compound and context

TABLES = ("compounds", "synonyms", "contexts", "forms", "splits", "waivers", "exclusions")
FILES = ("pack.toml", *(f"{table}.tsv" for table in TABLES), "lexicon.xml")  # of every pack
OVERRIDES, ORIGINS = "overrides.tsv", "origins.tsv"  # optional files
FRAME_SLOT = "[NC]"  # the slot of the compound in a neutral frame

MARK = re.compile(r"\[(?P<nc>[^\[\]{}]+)\]|\{=(?P<fixed>[^\[\]{}]+)\}|\{(?P<agrees>[^\[\]{}=]+)\}")
"""A mark in a context."""


def packs_folder() -> Path:
    """Return the folder of the packs that come with the project."""
    return Path(str(files("ncimp.builder"))) / "languages"


def pack_names(folder: Path) -> list[str]:
    """Return the language codes of the packs in *folder*, sorted."""
    return sorted(path.parent.name for path in folder.glob("*/pack.toml"))


def languages(codes: Sequence[str] | None, folder: Path) -> tuple[str, ...]:
    """Return *codes*, or all languages with a pack in *folder*; raise `UsageError` for one without a pack."""
    available = pack_names(folder)
    if not available:
        raise UsageError(f"no language pack in {folder}", fix="give a folder with --packs")
    for code in codes or ():
        if code not in available:
            fix = f"use {', '.join(available)}, or see docs/how-to/new-language.md"
            raise UsageError(f"no language pack {code!r} in {folder}", fix=fix)
    return tuple(dict.fromkeys(codes or available))


def hash_pack(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file of the pack in *folder*, by `<lang>/<file>`, or raise for one that is missing."""
    _check_whole(folder)
    names = [*FILES, *(name for name in (OVERRIDES, ORIGINS) if (folder / name).is_file())]
    return {f"{folder.name}/{name}": file_hash(folder / name) for name in names}


def _check_whole(folder: Path) -> None:
    for name in FILES:
        if not (folder / name).is_file():
            fix = "see docs/how-to/new-language.md"
            raise SourceError(f"the pack has no {name}", fix=fix, place=Place(str(folder)))


def read_pack(folder: Path) -> records.LanguagePack:
    """Return the pack in *folder*, or raise `SourceError` or `SchemaError` at the offending cell."""
    _check_whole(folder)
    language = read_language(folder / "pack.toml")
    compounds = _compounds(folder / "compounds.tsv", language)
    contexts = _unique(folder / "contexts.tsv", Context, "context", lambda row: (row.compound, row.context), compounds)
    synonyms_path, splits_path = folder / "synonyms.tsv", folder / "splits.tsv"
    synonyms = _unique(
        synonyms_path, records.TrueSynonym, "pack_synonym", lambda row: (row.compound, row.rank), compounds
    )
    splits = _unique(splits_path, records.SplitAssignment, "split", lambda row: (row.compound,), compounds)
    _check_patterns(synonyms_path, synonyms, language)
    authored = {
        (row.compound, row.context): read_marked(row.sentence, Place(str(folder / "contexts.tsv"), number, "sentence"))
        for number, row in contexts
    }
    numbers = {(row.compound, row.context): row.number for _, row in contexts}
    numbers |= {(row.text, name): row.number for row in compounds.values() for name in records.NEUTRAL}
    return records.LanguagePack(
        language=language,
        compounds=tuple(compounds.values()),
        synonyms=_plain(synonyms),
        contexts=_plain(contexts),
        forms=_plain(read_records(folder / "forms.tsv", records.Form, "form")),
        splits=_plain(splits),
        waivers=_plain(read_records(folder / "waivers.tsv", records.Waiver, "waiver")),
        exclusions=_plain(read_records(folder / "exclusions.tsv", records.Exclusion, "exclusion")),
        marked={**authored, **_frames(language, compounds, Place(str(folder / "pack.toml")))},
        numbers=numbers,
        overrides=_overrides(folder / OVERRIDES, compounds),
        origins=_origins(folder, _plain(contexts), authored, language.withheld),
    )


def _compounds(path: Path, language: Language) -> dict[str, Compound]:
    rows = _unique(path, Compound, "pack_compound", lambda row: (row.text.replace(" ", "-"),))
    _check_patterns(path, rows, language)
    for number, row in rows:
        if row.head_index != language.patterns[row.pattern].head:
            what = f"the head of {row.text!r} is not where the pattern {row.pattern!r} has it"
            raise SourceError(what, fix="mend one of the two", place=Place(str(path), number, "head_index"))
    return {row.text: row for _, row in rows}


def _overrides(path: Path, compounds: Mapping[str, Compound]) -> tuple[records.Override, ...]:
    if not path.is_file():
        return ()
    rows = _unique(path, records.Override, "override", lambda row: (row.compound, row.part, row.rank), compounds)
    for number, row in rows:
        if (row.word is None) == (row.sense is None):
            what = f"the override of the {row.part} of {row.compound!r} names {'both' if row.word else 'neither'}"
            raise SourceError(what, fix="give a word or a sense, and _ for the other", place=Place(str(path), number))
    return _plain(rows)


def _unique(
    path: Path,
    kind: type[Record],
    table: str,
    key: Callable[[Record], tuple[object, ...]],
    compounds: Mapping[str, Compound] | None = None,
) -> Rows[Record]:
    """Return (line, record) for each row of *path*, or raise for one whose key is there twice or not of *compounds*."""
    rows = list(read_records(path, kind, table))
    first_lines: dict[tuple[object, ...], int] = {}
    for number, row in rows:
        cells = key(row)
        first = first_lines.setdefault(cells, number)
        if first != number:
            what = f"the same {' / '.join(map(str, cells))!r} as line {first}"
            raise SourceError(what, fix="keep one of the two rows", place=Place(str(path), number))
        if compounds is not None and cells[0] not in compounds:
            what = f"{cells[0]!r} is not in compounds.tsv"
            raise SourceError(what, fix="add it there or mend the spelling", place=Place(str(path), number, "compound"))
    return rows


def _plain(rows: Iterable[tuple[int, Record]]) -> tuple[Record, ...]:
    return tuple(row for _, row in rows)


def _check_patterns(path: Path, rows: Sequence[tuple[int, Compound | records.TrueSynonym]], language: Language) -> None:
    for number, row in rows:
        if row.pattern not in language.patterns:
            fix = f"use one of {', '.join(language.patterns)}"
            place = Place(str(path), number, "pattern")
            raise SourceError(f"pattern {row.pattern!r} is not in pack.toml", fix=fix, place=place)


def _frames(language: Language, compounds: Mapping[str, Compound], place: Place) -> dict[Key, MarkedSentence]:
    """Return the neutral frames with each compound put into them, by (compound, frame)."""
    marked: dict[Key, MarkedSentence] = {}
    for text, compound in compounds.items():
        key = compound.number if compound.number == "pl" else compound.countability
        for name in records.NEUTRAL:
            frames = language.frames[name]
            frame = frames.get(key, frames["sg"]) if key != "pl" else frames.get("pl")
            if frame is None:
                fix = f"add the key {key!r} to the frames"
                raise SourceError(f"no frame for {text!r}, which is {key}", fix=fix, place=place)
            if FRAME_SLOT not in frame:
                what = f"the frame {frame!r} has no place for a compound"
                raise SourceError(what, fix=f"put {FRAME_SLOT} into it", place=place)
            marked[text, name] = read_marked(frame.replace(FRAME_SLOT, f"[{text}]"), place)
    return marked


def _origins(
    folder: Path, contexts: Sequence[Context], marked: Mapping[Key, MarkedSentence], withheld: Sequence[str]
) -> tuple[Origin, ...]:
    """Return the rows of `origins.tsv`, or raise `SourceError` unless they are those of the *withheld* licences."""
    path = folder / ORIGINS
    needed = {(row.compound, row.context): row for row in contexts if row.licence in withheld}
    origins: dict[Key, Origin] = {}
    for number, row in read_records(path, Origin, "origin") if path.is_file() else ():
        key = (row.compound, row.context)
        if key not in needed or key in origins:
            what = f"{' / '.join(key)} is there twice, or is not a context with a withheld licence"
            fix = "take the row out, or mend its names"
            raise SourceError(what, fix=fix, place=Place(str(path), number))
        if _letters(row.text) != _letters(marked[key].text):
            what, fix = f"the text is not that of {' / '.join(key)}", "only spaces, case and punctuation may differ"
            raise SourceError(what, fix=fix, place=Place(str(path), number, "text"))
        origins[key] = row
    place = Place(str(folder / "contexts.tsv"))
    for key, context in needed.items():
        name, licence = " / ".join(key), context.licence
        if key not in origins:
            what = f"the licence {licence!r} of {name} is withheld, and {ORIGINS} lacks it"
            raise SourceError(what, fix="add its place in the corpus there", place=place)
        if context.source != "corpus":
            what = f"{name} has the withheld licence {licence!r}, but is {context.source}"
            raise SourceError(what, fix="a withheld sentence has the source `corpus`", place=place)
    return tuple(origins.values())


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def read_marked(text: str, place: Place) -> MarkedSentence:
    """Return the sentence *text* without its markup, and the marked spans.

    Raises `SourceError` at *place* unless exactly one compound is marked and every mark is closed.

    >>> read_marked("A [saia justa] ficou {famosa}.", Place("contexts.tsv", 2))
    MarkedSentence(text='A saia justa ficou famosa.', span=(2, 12), agreeing=((19, 25),), fixed=())
    """
    plain: list[str] = []
    spans: dict[str, list[Span]] = {"nc": [], "agrees": [], "fixed": []}
    position = length = 0
    for match in MARK.finditer(text):
        plain.append(text[position : match.start()])
        length += len(plain[-1])
        kind = str(match.lastgroup)
        spans[kind].append((length, length + len(match[kind])))
        plain.append(match[kind])
        length += len(match[kind])
        position = match.end()
    plain.append(text[position:])
    sentence = "".join(plain)
    stray = next((mark for mark in sentence if mark in "[]{}"), None)
    if stray is not None:
        fix = "write [compound], {agrees} or {=does not agree}"
        raise SourceError(f"unpaired or empty mark {stray!r}", fix=fix, place=place)
    if len(spans["nc"]) != 1:
        what = f"{len(spans['nc'])} compounds are marked"
        raise SourceError(what, fix="put exactly one in [square brackets]", place=place)
    return MarkedSentence(sentence, spans["nc"][0], tuple(spans["agrees"]), tuple(spans["fixed"]))
