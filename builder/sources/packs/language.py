"""What `pack.toml` says of a language, read and checked, and the adjectives that its paradigms inflect.

The section `[inflection]` of `pack.toml` has rules by suffix, and the words that follow none. A rule may require
something before the suffix (`when`), and may be limited to some parts of speech (`pos`):

    [inflection.plural]
    rules = [{ suffix = "m", to = ["ns"] }, { suffix = "", to = ["s"] }]
    words = ["mal: males"]
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import chain, combinations
from pathlib import Path
from typing import TypeVar, get_args

from ncimp.builder import records
from ncimp.builder.records import Gender, Inflection, Language, Pattern, pack_file
from ncimp.schemas import NOT_APPLICABLE, Place, Row, SchemaError, SourceError, read_text
from ncimp.schemas.records import from_row

Value = TypeVar("Value")

FOUR_CELLS = ("m sg", "f sg", "m pl", "f pl")  # of a paradigm that is written as a list
STEM, STEM_MARK = "stem", "~"  # what a form of forms.tsv is for, and what stands for it in a paradigm
JOINED = "+"  # at the end of a form that has no space behind it
NAMED = re.compile("<([^<>]+)>")  # a paradigm in the join of a pattern
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
    agreement, values = file.agreement, _values(file.features, place)
    language = Language(
        **{name: value for name, value in asdict(file.pack).items() if name != "format"},
        patterns={pattern.id: pattern for pattern in file.patterns},
        frames=row["frames"],
        features=file.features,
        paradigms=tuple(chain.from_iterable(_paradigms(row, values, place) for row in agreement.paradigms)),
        pronouns=tuple(chain.from_iterable(_paradigms(row, values, place) for row in agreement.pronouns)),
        words=agreement.words or {},
        verb_forms=agreement.verb_forms,
        verb_endings=agreement.verb_endings,
        endings=agreement.endings,
        content=file.content,
        tag_classes=file.corpus.classes if file.corpus else {},
        inflection=_inflection(file.inflection, place) if file.inflection else Inflection(),
        withheld=file.withheld.licences if file.withheld else (),
        never=agreement.never,
        adjectives=agreement.adjectives,
    )
    _check_language(language, path)
    return language


def _values(features: Mapping[str, pack_file.Feature], place: Place) -> dict[str, str]:
    """Return the feature of each value, or raise `SourceError` for one that is not told by its value alone."""
    fix = "see the section on features in docs/how-to/new-language.md"
    names: dict[str, str] = {}
    for name, feature in features.items():
        possible = {"gender": get_args(Gender), "number": get_args(records.Number)}.get(name, feature.values)
        mentions = [feature.usual, *(rule.value for rule in feature.patterns)]
        for value in feature.values:
            if value in names or value not in possible:
                what = (
                    f"the value {value!r} of {name!r} is also one of {names.get(value)!r}, or is not one of {possible}"
                )
                raise SourceError(what, fix=fix, place=place)
            names[value] = name
        if stray := next((value for value in mentions if value not in feature.values), None):
            raise SourceError(f"{stray!r} is no value of the feature {name!r}", fix=fix, place=place)
    return names


def _paradigms(entry: pack_file.ParadigmEntry, names: Mapping[str, str], place: Place) -> Iterator[records.Paradigm]:
    """Yield the paradigms of *entry*, one for each of its stems; *names* has the feature of each value."""
    rows = entry.cells.items() if isinstance(entry.cells, dict) else zip(FOUR_CELLS, entry.cells, strict=True)
    cells = [(_cell_values(entry.id, key, names, place), form) for key, form in rows if form != NOT_APPLICABLE]
    for (one, first), (other, second) in combinations(cells, 2):
        if all(one[name] & other[name] for name in one.keys() & other.keys()):
            what = f"the cells {first!r} and {second!r} of the paradigm {entry.id!r} overlap"
            raise SourceError(what, fix="name a feature in which they differ", place=place)
    for stem in entry.stems or (STEM_MARK,):
        first, _, second = stem.partition("=")
        inflected: list[records.ParadigmCell] = []
        for values, text in cells:
            forms = [form.strip().replace(STEM_MARK, first).replace("=", second or first) for form in text.split("|")]
            joined = frozenset(form.removesuffix(JOINED) for form in forms if form.endswith(JOINED))
            inflected.append(records.ParadigmCell(values, tuple(form.removesuffix(JOINED) for form in forms), joined))
        yield records.Paradigm(entry.id.replace(STEM_MARK, first), entry.kind, tuple(inflected), entry.governs)


def _cell_values(paradigm: str, key: str, names: Mapping[str, str], place: Place) -> dict[str, frozenset[str]]:
    values: dict[str, frozenset[str]] = {}
    for choice in key.split():
        several = choice.split("/")
        features = {names.get(value) for value in several}
        if len(features) > 1 or None in features:
            what = f"the cell {key!r} of the paradigm {paradigm!r} has {choice!r}, which are no values of one feature"
            raise SourceError(what, fix=f"use {', '.join(names)}", place=place)
        values[str(features.pop())] = frozenset(several)
    return values


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
        plural=_suffix_rules(section.plural, place),
        singular=_suffix_rules(section.singular, place),
        feminine=_suffix_rules(section.feminine, place),
        masculine=_suffix_rules(section.masculine, place),
        gender=gender.rules,
        genders=_mapping(((word, kind) for kind, nouns in genders.items() for word in nouns), place),
        parts=parts.rules,
        part_words=_mapping(((word, (part,)) for part, only in words.items() for word in only), place),
        phrases=section.phrases,
    )


def _suffix_rules(section: pack_file.SuffixSection, place: Place) -> records.InflectionRules:
    words = (entry.partition(SEPARATOR) for entry in section.words)
    return records.InflectionRules(section.rules, _mapping(((word, form) for word, _, form in words), place))


def _mapping(pairs: Iterable[tuple[str, Value]], place: Place) -> Mapping[str, Value]:
    mapping: dict[str, Value] = {}
    for word, value in pairs:
        if word in mapping:
            what = f"[inflection] has two entries for {word!r}: {mapping[word]!r} and {value!r}"
            raise SourceError(what, fix="keep one", place=place)
        mapping[word] = value
    return mapping


def _roles(pattern: Pattern) -> tuple[str, list[str]]:
    """Return the part of speech of the head, and those of all parts in no order: *chauve-souris* gives *loir pelé*."""
    return pattern.parts[pattern.head], sorted(pattern.parts)


def _check_language(language: Language, path: Path) -> None:
    place = Place(str(path))
    if path.parent.name != language.code:
        what = f"the folder is called {path.parent.name!r} and the language code is {language.code!r}"
        raise SourceError(what, fix="give both the same name", place=place)
    for pattern in language.patterns.values():
        if pattern.head >= len(pattern.parts):
            what = f"the head of pattern {pattern.id!r} is not among its parts"
            raise SourceError(what, fix="count from 0", place=place)
        target = language.patterns.get(pattern.replacement)
        if target is None or _roles(target) != _roles(pattern):
            what = f"pattern {pattern.id!r} has replacement {pattern.replacement!r}"
            raise SourceError(what, fix="name a pattern of this file with the same parts", place=place)
    rules = language.inflection
    suffix_rules = (*rules.plural.rules, *rules.singular.rules, *rules.feminine.rules, *rules.masculine.rules)
    conditions = [rule.when for rule in suffix_rules]
    conditions += [rule.when for rule in rules.gender] + [rule.when for rule in rules.parts]
    onsets = (rule.match for feature in language.features.values() for rule in feature.patterns)
    paradigms = {paradigm.id for paradigm in language.paradigms}
    uses = ((pattern.id, name) for pattern in language.patterns.values() for name in NAMED.findall(pattern.join))
    for shape, name in uses:
        if name.removesuffix(records.WITH_NEXT) not in paradigms:
            what = f"the join of pattern {shape!r} names the paradigm {name!r}, which is not there"
            raise SourceError(what, fix="add it to [agreement] paradigms", place=place)
    places = language.adjectives
    if places is not None and (twice := sorted(places.before & places.both)):
        what = f"{twice} stand in both lists of [agreement.adjectives]"
        raise SourceError(what, fix="keep them in one", place=place)
    for expression in (language.token, *language.never, *onsets, *conditions):
        try:
            re.compile(expression)
        except re.error as error:
            what = f"{expression!r} is not a regular expression ({error})"
            raise SourceError(what, fix="mend it", place=place) from None


def with_adjectives(language: Language, forms: tuple[records.Form, ...]) -> tuple[Language, tuple[records.Form, ...]]:
    """Return the language and the forms, with the adjectives that paradigms of `pack.toml` inflect among both.

    A paradigm without stems (`~`) inflects every adjective of which `forms.tsv` has the stem.
    """
    stems = {form.form: form.lemma for form in forms if form.further == STEM}
    paradigms = list[records.Paradigm]()
    for paradigm in language.paradigms:
        is_pattern = paradigm.kind == "adj" and STEM_MARK in paradigm.id
        paradigms += [_with_stem(paradigm, stem, lemma) for stem, lemma in stems.items()] if is_pattern else [paradigm]
    adjectives = {paradigm.id: paradigm for paradigm in paradigms if paradigm.kind == "adj"}
    if not adjectives:
        return language, forms
    inflected = [
        records.Form(form, lemma, "adj", gender, number, None, _further(cell))
        for lemma, paradigm in adjectives.items()
        for cell in paradigm.cells
        for gender, number in language.cells(cell)
        for form in cell.forms
    ]
    words = {(lemma, word) for lemma, paradigm in adjectives.items() for word in paradigm.words}
    rest = (
        form for form in forms if form.further != STEM and (form.pos != "adj" or (form.lemma, form.form) not in words)
    )
    return replace(language, paradigms=tuple(paradigms)), (*inflected, *rest)


def _with_stem(paradigm: records.Paradigm, stem: str, lemma: str) -> records.Paradigm:
    cells = (replace(row, forms=tuple(form.replace(STEM_MARK, stem) for form in row.forms)) for row in paradigm.cells)
    return replace(paradigm, id=lemma, cells=tuple(cells))


def _further(cell: records.ParadigmCell) -> str | None:
    values = ("/".join(sorted(values)) for name, values in cell.values.items() if name not in ("gender", "number"))
    return " ".join(values) or None
