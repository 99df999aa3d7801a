"""`pack.toml`: identity, patterns, neutral frames, agreement, sandhi, content and inflection of one language.

Its section `[inflection]` has rules by suffix, and the words that follow none:

    [inflection.plural]
    rules = [{ suffix = "m", to = ["ns"] }, { suffix = "", to = ["s"] }]
    words = ["mal: males"]

A rule may require something before the suffix (`when`), and may be limited to some parts of speech (`pos`).
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ncimp.builder.records import (
    Alternation,
    Content,
    Gender,
    GenderRule,
    Inflection,
    InflectionRules,
    Language,
    Number,
    Paradigm,
    PartRule,
    Pattern,
    PhraseRules,
    SuffixRule,
)
from ncimp.builder.records.pack_file import PackFile
from ncimp.schemas.errors import Place, SchemaError, SourceError
from ncimp.schemas.files import NOT_APPLICABLE, Row, read_text
from ncimp.schemas.records import from_row

CELLS: tuple[tuple[Gender, Number], ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))
"""Features of the four cells of a paradigm, in the order of `pack.toml`."""

SEPARATOR = ": "
"""The separator of a word and its form in a list of words."""


def read_language(path: Path) -> Language:
    """Return the language that the `pack.toml` at *path* describes."""
    place = Place(str(path))
    try:
        row: Row = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="mend the line it names", place=place) from None
    from_row(PackFile, row, table="pack", place=place)
    names = [entry["id"] for entry in row["patterns"]]
    for name in names:
        if names.count(name) > 1:
            raise SourceError(f"two patterns are called {name!r}", fix="rename one", place=place)
    agreement = row["agreement"]
    identity = {key: value for key, value in row["pack"].items() if key != "format"}
    language = Language(
        **identity,
        patterns={entry["id"]: msgspec.convert(entry, Pattern) for entry in row["patterns"]},
        frames=row["frames"],
        features=tuple(agreement["features"]),
        paradigms=tuple(_paradigm(entry) for entry in agreement["paradigms"]),
        pronouns=tuple(_paradigm(entry) for entry in agreement.get("pronouns", ())),
        words={kind: tuple(words) for kind, words in agreement.get("words", {}).items()},
        verb_forms=tuple((singular, plural) for singular, plural in agreement.get("verb_forms", ())),
        verb_endings=tuple((singular, plural) for singular, plural in agreement.get("verb_endings", ())),
        endings=tuple(tuple(ending) for ending in agreement.get("endings", ())),
        alternations=tuple(Alternation(**entry) for entry in row["onset"]["alternations"]),
        onset_patterns=tuple((entry["match"], entry["onset"]) for entry in row["onset"]["patterns"]),
        content=msgspec.convert(row["content"], Content),
        tag_classes=row.get("corpus", {}).get("classes", {}),
        inflection=_inflection(row["inflection"], place) if "inflection" in row else Inflection(),
        withheld=tuple(row.get("withheld", {}).get("licences", ())),
    )
    _check(language, path)
    return language


def _paradigm(entry: Row) -> Paradigm:
    cells = {features: cell for features, cell in zip(CELLS, entry["cells"], strict=True) if cell != NOT_APPLICABLE}
    return Paradigm(entry["id"], entry["kind"], cells)


def _inflection(section: Row, place: Place) -> Inflection:
    """Return the section `[inflection]` as a record, or raise `SourceError` for a word that is listed twice."""
    gender = section["default_gender"]
    genders = {kind: section["gender"][kind] for kind in ("m", "f", "c")}
    parts = {part: section["parts"][part] for part in ("noun", "adj")}
    return Inflection(
        engines=tuple(section["engines"]),
        default_gender=None if gender == NOT_APPLICABLE else gender,
        uninflected=frozenset(section["uninflected"]),
        invariable={pos: frozenset(words) for pos, words in section["invariable"].items()},
        plural=_rules(section["plural"], place),
        singular=_rules(section["singular"], place),
        feminine=_rules(section["feminine"], place),
        masculine=_rules(section["masculine"], place),
        gender=tuple(msgspec.convert(rule, GenderRule) for rule in section["gender"]["rules"]),
        genders=_mapping(((word, kind) for kind, words in genders.items() for word in words), place),
        parts=tuple(msgspec.convert(rule, PartRule) for rule in section["parts"]["rules"]),
        part_words=_mapping(((word, (part,)) for part, words in parts.items() for word in words), place),
        phrases=msgspec.convert(section["phrases"], PhraseRules),
    )


def _rules(section: Row, place: Place) -> InflectionRules:
    pairs = (entry.split(SEPARATOR, 1) for entry in section["words"])
    words = _mapping(((word, form) for word, form in pairs), place)
    return InflectionRules(tuple(msgspec.convert(rule, SuffixRule) for rule in section["rules"]), words)


def _mapping(pairs: Iterable[tuple[str, Any]], place: Place) -> Mapping[str, Any]:
    mapping: dict[str, Any] = {}
    for word, value in pairs:
        if word in mapping:
            what = f"[inflection] has two entries for {word!r}: {mapping[word]!r} and {value!r}"
            raise SourceError(what, fix="keep one", place=place)
        mapping[word] = value
    return mapping


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
    inflection = language.inflection
    suffix_rules = (inflection.plural, inflection.singular, inflection.feminine, inflection.masculine)
    conditions = [rule.when for rules in suffix_rules for rule in rules.rules]
    conditions += [rule.when for rule in inflection.gender] + [rule.when for rule in inflection.parts]
    onsets = (match for match, _ in language.onset_patterns)
    for expression in (language.token, *onsets, *conditions):
        try:
            re.compile(expression)
        except re.error as error:
            what = f"{expression!r} is not a regular expression ({error})"
            raise SourceError(what, fix="mend it", place=place) from None
