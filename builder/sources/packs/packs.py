"""Language packs: one folder of tables per language, read and checked into one record.

builder/languages/en/
    pack.toml      identity, patterns, neutral frames, features, agreement, content and inflection
    compounds.tsv  synonyms.tsv  contexts.tsv  forms.tsv  splits.tsv  waivers.tsv  exclusions.tsv
    lexicon.xml    WN-LMF: synonyms of the components
    overrides.tsv  a person's decisions about those synonyms (optional)
    changes.tsv    changes of carrier words that somebody has read (optional)
    readings.tsv   what readers said of its sentences (optional)
    pool.tsv       the words of random compounds (optional; else those of the lexicon)
    origins.tsv    places in a corpus of the contexts that may not be passed on (optional)
    corpora.tsv  counts.tsv  corpora in which the compounds were counted, and their counts (optional)
    attested.tsv   sentences of these corpora with a compound, read (optional)

`pack.toml` names the licences of contexts that may not be passed on; each of these needs a row in `origins.tsv`:

    compound	context	document	start	text
    eager beaver	nat1	http://example.org/1	137	the eager beaver on my left had finished .

`start` counts characters from the beginning of the document (see `corpus_stats.readers.formats.read_documents`). The
text may differ from the context in spaces, case and punctuation only, so that the context can be restored.

The section `[inflection]` of `pack.toml` has rules by suffix, and the words that follow none. A rule may require
something before the suffix (`when`), and may be limited to some parts of speech (`pos`):

    [inflection.plural]
    rules = [{ suffix = "m", to = ["ns"] }, { suffix = "", to = ["s"] }]
    words = ["mal: males"]
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from itertools import chain, combinations
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias, TypeVar, get_args

from ncimp.builder import records
from ncimp.builder.records import (
    Compound,
    Context,
    Gender,
    Inflection,
    Language,
    MarkedSentence,
    Origin,
    pack_file,
)
from ncimp.builder.sources.packs.marks import marked_frames, read_marked
from ncimp.schemas import NOT_APPLICABLE, Place, Row, SchemaError, SourceError, UsageError, file_hash, read_text
from ncimp.schemas.records import from_row, read_records

Record = TypeVar("Record")
Value = TypeVar("Value")
Rows: TypeAlias = list[tuple[int, Record]]  # with the number of the line they stand in
Key = tuple[str, str]  # compound and context

TABLES = ("compounds", "synonyms", "contexts", "forms", "splits", "waivers", "exclusions")
FILES = ("pack.toml", *(f"{table}.tsv" for table in TABLES), "lexicon.xml")  # of every pack
OPTIONAL = tuple(
    f"{name}.tsv"
    for name in ["overrides", "origins", "changes", "readings", "pool", "accepted", "corpora", "counts", "attested"]
)
OVERRIDES, ORIGINS, CHANGES, READINGS, POOL, ACCEPTED, CORPORA, COUNTS, ATTESTED = OPTIONAL
FOUR_CELLS = ("m sg", "f sg", "m pl", "f pl")  # of a paradigm that is written as a list
STEM, STEM_MARK = "stem", "~"  # what a form of forms.tsv is for, and what stands for it in a paradigm
JOINED = "+"  # at the end of a form that has no space behind it
NAMED = re.compile("<([^<>]+)>")  # a paradigm in the join of a pattern
SEPARATOR = ": "  # between a word and its form in a list of words


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
    names = [*FILES, *(name for name in OPTIONAL if (folder / name).is_file())]
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
    forms = _plain(read_records(folder / "forms.tsv", records.Form, "form"))
    language, forms = with_adjectives(language, forms)
    compounds = _compounds(folder / "compounds.tsv", language)
    contexts = _unique(folder / "contexts.tsv", Context, "context", lambda row: (row.compound, row.context), compounds)
    synonyms_path, splits_path = folder / "synonyms.tsv", folder / "splits.tsv"
    synonyms = _unique(synonyms_path, records.TrueSynonym, "pack_synonym", attrgetter("compound", "rank"), compounds)
    splits = _unique(splits_path, records.SplitAssignment, "split", lambda row: (row.compound,), compounds)
    path, pair = folder / "exclusions.tsv", attrgetter("compound", "modifier", "head")
    exclusions = _unique(path, records.Exclusion, "exclusion", pair, {records.ANY, *compounds})
    _check_patterns(synonyms_path, synonyms, language)
    authored = {
        (row.compound, row.context): read_marked(row.sentence, Place(str(folder / "contexts.tsv"), number, "sentence"))
        for number, row in contexts
    }
    numbers = {(row.compound, row.context): row.number for _, row in contexts}
    numbers |= {(row.text, name): row.number for row in compounds.values() for name in records.NEUTRAL}
    corpora = _plain(_unique(folder / CORPORA, records.CountedCorpus, "counted_corpus", lambda row: (row.corpus,)))
    attested, marks = _attested(folder / ATTESTED, compounds, {row.corpus for row in corpora})
    numbers |= {key: row.number for key, row in attested.items()}
    return records.LanguagePack(
        language=language,
        compounds=tuple(compounds.values()),
        synonyms=_plain(synonyms),
        contexts=_plain(contexts),
        forms=forms,
        splits=_plain(splits),
        waivers=_plain(read_records(folder / "waivers.tsv", records.Waiver, "waiver")),
        exclusions=_plain(exclusions),
        marked={
            **authored,
            **marks,
            **marked_frames(language, compounds, Place(str(folder / "pack.toml"))),
        },
        numbers=numbers,
        overrides=_overrides(folder / OVERRIDES, compounds),
        origins=_origins(folder, _plain(contexts), authored, language.withheld),
        changes=_changes(folder / CHANGES),
        readings=read_readings(folder / READINGS) if (folder / READINGS).is_file() else (),
        pool=_plain(_unique(folder / POOL, records.PoolEntry, "pool", lambda row: (row.lemma, row.pos))),
        accepted=_plain(_unique(folder / ACCEPTED, records.AcceptedRandom, "accepted", pair, compounds)),
        corpora=corpora,
        attested=attested,
        counts=_plain(
            _unique(folder / COUNTS, records.CompoundCount, "compound_count", lambda row: (row.compound, row.corpus))
        ),
    )


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
    made = [
        records.Form(cell.forms[0], lemma, "adj", gender, number, None, _further(cell))
        for lemma, paradigm in adjectives.items()
        for cell in paradigm.cells
        for gender, number in language.cells(cell)
    ]
    words = {(lemma, word) for lemma, paradigm in adjectives.items() for word in paradigm.words}
    kept = (
        form for form in forms if form.further != STEM and (form.pos != "adj" or (form.lemma, form.form) not in words)
    )
    return replace(language, paradigms=tuple(paradigms)), (*made, *kept)


def _with_stem(paradigm: records.Paradigm, stem: str, lemma: str) -> records.Paradigm:
    cells = (replace(row, forms=tuple(form.replace(STEM_MARK, stem) for form in row.forms)) for row in paradigm.cells)
    return replace(paradigm, id=lemma, cells=tuple(cells))


def _further(cell: records.ParadigmCell) -> str | None:
    named = ("/".join(sorted(values)) for name, values in cell.values.items() if name not in ("gender", "number"))
    return " ".join(named) or None


def _attested(
    path: Path, compounds: Collection[str], corpora: Collection[str]
) -> tuple[dict[Key, records.AttestedSentence], dict[Key, MarkedSentence]]:
    """Return the sentences of *corpora* by compound and context, in their order, and what is marked in each."""
    rows: dict[Key, records.AttestedSentence] = {}
    marks: dict[Key, MarkedSentence] = {}
    table = _unique(path, records.AttestedSentence, "attested", lambda row: (row.compound, row.sentence), compounds)
    for number, row in table:
        free = [name for name in records.ATTESTED if (row.compound, name) not in rows]
        if row.corpus not in corpora or not free:
            what = f"{row.corpus!r} is not in corpora.tsv, or {row.compound!r} has more than {len(records.ATTESTED)}"
            raise SourceError(what, fix="mend the name, or take a sentence out", place=Place(str(path), number))
        key = (row.compound, free[0])
        rows[key], marks[key] = row, read_marked(row.sentence, Place(str(path), number, "sentence"))
    return rows, marks


def _compounds(path: Path, language: Language) -> dict[str, Compound]:
    rows = _unique(path, Compound, "pack_compound", lambda row: (row.text.replace(" ", "-"),))
    _check_patterns(path, rows, language)
    for number, row in rows:
        if row.head_index != language.patterns[row.pattern].head:
            what = f"the head of {row.text!r} is not where the pattern {row.pattern!r} has it"
            raise SourceError(what, fix="mend one of the two", place=Place(str(path), number, "head_index"))
    return {row.text: row for _, row in rows}


def _overrides(path: Path, compounds: Mapping[str, Compound]) -> tuple[records.Override, ...]:
    rows = _unique(path, records.Override, "override", lambda row: (row.compound, row.part, row.rank), compounds)
    for number, row in rows:
        if (row.word is None) == (row.sense is None) or (row.word is None) != (row.relation is None):
            what = f"the override of the {row.part} of {row.compound!r} is neither a word with its relation nor a sense"
            raise SourceError(what, fix="give one of the two, and _ for the other", place=Place(str(path), number))
    return _plain(rows)


def _changes(path: Path) -> tuple[records.Change, ...] | None:
    rows = _unique(path, records.Change, "change", attrgetter("form", "changed"))
    return _plain(rows) if path.is_file() else None


def read_readings(path: Path, *, filled: bool = True) -> tuple[records.ReaderVerdict, ...]:
    """Return the rows of a table of readings; unless *filled*, the hash of what was read may be missing.

    Raises `SchemaError` for a row that contradicts itself: an ok with a severity, a fault without a reason.
    """
    rows = list(read_records(path, records.ReaderVerdict, "reading"))
    for number, row in rows:
        what = None
        if len({row.verdict == "ok", row.severity == 0, row.reason is None}) > 1:
            what, fix = f"{row.verdict!r} of {row.item} does not go with severity and reason", "mend the row"
        elif filled and row.text is None:
            what, fix = f"{row.item} has no hash of what was read", "append rows by `ncimp pack readings`"
        if what:
            raise SchemaError(what, fix=fix, place=Place(str(path), number))
    return _plain(rows)


def _unique(
    path: Path,
    kind: type[Record],
    table: str,
    key: Callable[[Record], tuple[object, ...]],
    compounds: Collection[str] | None = None,
) -> Rows[Record]:
    """Return (line, record) for each row of *path*, if it is there.

    Raises for one whose key is there twice or not of *compounds*.
    """
    rows = list(read_records(path, kind, table)) if path.is_file() else []
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
        known = {"gender": get_args(Gender), "number": get_args(records.Number)}.get(name, feature.values)
        given = [feature.default or feature.values[0], *(rule.value for rule in feature.patterns)]
        for value in feature.values:
            if value in names or value not in known:
                what = f"the value {value!r} of {name!r} is also one of {names.get(value)!r}, or is not one of {known}"
                raise SourceError(what, fix=fix, place=place)
            names[value] = name
        if stray := next((value for value in given if value not in feature.values), None):
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
        made = []
        for values, text in cells:
            forms = [form.strip().replace(STEM_MARK, first).replace("=", second or first) for form in text.split("|")]
            joined = frozenset(form.removesuffix(JOINED) for form in forms if form.endswith(JOINED))
            made.append(records.ParadigmCell(values, tuple(form.removesuffix(JOINED) for form in forms), joined))
        yield records.Paradigm(entry.id.replace(STEM_MARK, first), entry.kind, tuple(made), entry.governs)


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
        if target is None or target.parts != pattern.parts:
            what = f"pattern {pattern.id!r} has replacement {pattern.replacement!r}"
            raise SourceError(what, fix="name a pattern of this file with the same parts", place=place)
    rules = language.inflection
    suffix_rules = (*rules.plural.rules, *rules.singular.rules, *rules.feminine.rules, *rules.masculine.rules)
    conditions = [rule.when for rule in suffix_rules]
    conditions += [rule.when for rule in rules.gender] + [rule.when for rule in rules.parts]
    onsets = (rule.match for feature in language.features.values() for rule in feature.patterns)
    paradigms = {paradigm.id for paradigm in language.paradigms}
    named = ((pattern.id, name) for pattern in language.patterns.values() for name in NAMED.findall(pattern.join))
    for shape, name in named:
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
