"""`pack.toml`: identity, patterns, neutral frames, agreement, sandhi, content and inflection of one language."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec

from ncimp.builder.records import Alternation, Content, Gender, Inflection, Language, Number, Paradigm, Pattern
from ncimp.builder.sources.packs.inflection_table import expressions, read_inflection
from ncimp.schemas.errors import Place, SchemaError, SourceError
from ncimp.schemas.files import NOT_APPLICABLE, Row, read_text
from ncimp.schemas.tables import check_row

CELLS: tuple[tuple[Gender, Number], ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))
"""Features of the four cells of a paradigm, in the order of `pack.toml`."""


def read_language(path: Path) -> Language:
    """Return the language that the `pack.toml` at *path* describes."""
    row = _parse(path)
    check_row("pack", row, Place(str(path)))
    names = [entry["id"] for entry in row["patterns"]]
    for name in names:
        if names.count(name) > 1:
            raise SourceError(f"two patterns are called {name!r}", fix="rename one", place=Place(str(path)))
    identity = {key: value for key, value in row["pack"].items() if key != "format"}
    language = Language(
        **identity,
        patterns={entry["id"]: msgspec.convert(entry, Pattern) for entry in row["patterns"]},
        frames=row["frames"],
        features=tuple(row["agreement"]["features"]),
        paradigms=tuple(_paradigm(entry) for entry in row["agreement"]["paradigms"]),
        pronouns=tuple(_paradigm(entry) for entry in row["agreement"].get("pronouns", ())),
        words={kind: tuple(words) for kind, words in row["agreement"].get("words", {}).items()},
        verb_forms=tuple((singular, plural) for singular, plural in row["agreement"].get("verb_forms", ())),
        verb_endings=tuple((singular, plural) for singular, plural in row["agreement"].get("verb_endings", ())),
        endings=tuple(tuple(row) for row in row["agreement"].get("endings", ())),
        alternations=tuple(Alternation(**entry) for entry in row["onset"]["alternations"]),
        onset_patterns=tuple((entry["match"], entry["onset"]) for entry in row["onset"]["patterns"]),
        content=msgspec.convert(row["content"], Content),
        tag_classes=row.get("corpus", {}).get("classes", {}),
        inflection=read_inflection(row["inflection"], Place(str(path))) if "inflection" in row else Inflection(),
        withheld=tuple(row.get("withheld", {}).get("licences", ())),
    )
    _check(language, path)
    return language


def _parse(path: Path) -> Row:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="mend the line it names", place=Place(str(path))) from None


def _paradigm(entry: Row) -> Paradigm:
    cells = {features: cell for features, cell in zip(CELLS, entry["cells"], strict=True) if cell != NOT_APPLICABLE}
    return Paradigm(entry["id"], entry["kind"], cells)


def _check(language: Language, path: Path) -> None:
    place = Place(str(path))
    if path.parent.name != language.code:
        what = f"the folder is called {path.parent.name!r} and the language code is {language.code!r}"
        raise SourceError(what, fix="give both the same name", place=place)
    for pattern in language.patterns.values():
        if pattern.head >= len(pattern.parts):
            what = f"the head of pattern {pattern.id!r} is not among its parts"
            raise SourceError(what, fix="count from 0", place=place)
        target = language.patterns.get(pattern.replacement)
        if target is None or target.parts != pattern.parts:
            what = f"pattern {pattern.id!r} has replacement {pattern.replacement!r}"
            raise SourceError(what, fix="name a pattern of this file with the same parts", place=place)
    onsets = (match for match, _ in language.onset_patterns)
    for expression in (language.token, *onsets, *expressions(language.inflection)):
        try:
            re.compile(expression)
        except re.error as error:
            what = f"{expression!r} is not a regular expression ({error})"
            raise SourceError(what, fix="mend it", place=place) from None
