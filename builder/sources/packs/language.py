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
from typing import TypeVar

from ncimp.builder.records import Gender, Inflection, InflectionRules, Language, Number, Paradigm, pack_file
from ncimp.schemas import NOT_APPLICABLE, Place, Row, SchemaError, SourceError, read_text
from ncimp.schemas.records import from_row

Value = TypeVar("Value")

CELLS: tuple[tuple[Gender, Number], ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))
"""Features of the four cells of a paradigm, in the order of `pack.toml`."""

SEPARATOR = ": "  # between a word and its form in a list of words


def read_language(path: Path) -> Language:
    """Return the language that the `pack.toml` at *path* describes."""
    place = Place(str(path))
    try:
        row: Row = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="mend the line it names", place=place) from None
    file = from_row(pack_file.PackFile, row, table="pack", place=place)
    names = [pattern.id for pattern in file.patterns]
    for name in names:
        if names.count(name) > 1:
            raise SourceError(f"two patterns are called {name!r}", fix="rename one", place=place)
    agreement = file.agreement
    language = Language(
        **{key: value for key, value in row["pack"].items() if key != "format"},
        patterns={pattern.id: pattern for pattern in file.patterns},
        frames=row["frames"],
        features=agreement.features,
        paradigms=tuple(map(_paradigm, agreement.paradigms)),
        pronouns=tuple(map(_paradigm, agreement.pronouns)),
        words=agreement.words or {},
        verb_forms=agreement.verb_forms,
        verb_endings=agreement.verb_endings,
        endings=agreement.endings,
        alternations=file.onset.alternations,
        onset_patterns=tuple((rule.match, rule.onset) for rule in file.onset.patterns),
        content=file.content,
        tag_classes=file.corpus.classes if file.corpus else {},
        inflection=_inflection(file.inflection, place) if file.inflection else Inflection(),
        withheld=file.withheld.licences if file.withheld else (),
    )
    _check(language, path)
    return language


def _paradigm(entry: pack_file.ParadigmEntry | pack_file.PronounEntry) -> Paradigm:
    cells = {features: cell for features, cell in zip(CELLS, entry.cells, strict=True) if cell != NOT_APPLICABLE}
    return Paradigm(entry.id, entry.kind, cells)


def _inflection(section: pack_file.InflectionSection, place: Place) -> Inflection:
    """Return the section `[inflection]` as a record, or raise `SourceError` for a word that is listed twice."""
    gender, parts = section.gender, section.parts
    genders: dict[Gender, tuple[str, ...]] = {"m": gender.m, "f": gender.f, "c": gender.c}
    words = {"noun": parts.noun, "adj": parts.adj}
    return Inflection(
        engines=section.engines,
        default_gender=None if section.default_gender == "_" else section.default_gender,
        uninflected=frozenset(section.uninflected),
        invariable={"noun": frozenset(section.invariable.noun), "adj": frozenset(section.invariable.adj)},
        plural=_rules(section.plural, place),
        singular=_rules(section.singular, place),
        feminine=_rules(section.feminine, place),
        masculine=_rules(section.masculine, place),
        gender=gender.rules,
        genders=_mapping(((word, kind) for kind, nouns in genders.items() for word in nouns), place),
        parts=parts.rules,
        part_words=_mapping(((word, (part,)) for part, only in words.items() for word in only), place),
        phrases=section.phrases,
    )


def _rules(section: pack_file.SuffixSection, place: Place) -> InflectionRules:
    words = (entry.partition(SEPARATOR) for entry in section.words)
    return InflectionRules(section.rules, _mapping(((word, form) for word, _, form in words), place))


def _mapping(pairs: Iterable[tuple[str, Value]], place: Place) -> Mapping[str, Value]:
    mapping: dict[str, Value] = {}
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
    rules = language.inflection
    suffix_rules = (*rules.plural.rules, *rules.singular.rules, *rules.feminine.rules, *rules.masculine.rules)
    conditions = [rule.when for rule in suffix_rules]
    conditions += [rule.when for rule in rules.gender] + [rule.when for rule in rules.parts]
    onsets = (match for match, _ in language.onset_patterns)
    for expression in (language.token, *onsets, *conditions):
        try:
            re.compile(expression)
        except re.error as error:
            what = f"{expression!r} is not a regular expression ({error})"
            raise SourceError(what, fix="mend it", place=place) from None
