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
    frequencies.tsv  counts of its words in one of these, for a language that `wordfreq` lacks (optional)
    attested.tsv   sentences of these corpora with a compound, read (optional)
    published.jsonl  scores.tsv  holes.tsv  published sentences, scores, and cells that they lack (optional)
    benchmarks.tsv other benchmarks that hold its compounds (optional)
    sources.tsv    lexicons and the like that some of its words are from, with licence and citation (optional)
    senses.tsv  examples.tsv  senses of its compounds, and sentences with them in each (optional)
    composition.tsv  words of compounds that are meant literally, paraphrases of their relation (optional)

`pack.toml` names the licences of contexts that may not be passed on; each of these needs a row in `origins.tsv`:

    compound	context	document	start	text
    eager beaver	nat1	http://example.org/1	137	the eager beaver on my left had finished .

`start` counts characters from the beginning of the document (see `corpus_stats.contexts.search.find_documents`). The
text may differ from the context in spaces, case and punctuation only, so that the context can be restored.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from ncimp.builder import records
from ncimp.builder.records import (
    Compound,
    Context,
    Language,
    MarkedSentence,
    Origin,
)
from ncimp.builder.sources.packs.language import read_language, with_adjectives
from ncimp.builder.sources.packs.marks import marked_frames, read_marked
from ncimp.schemas import Place, SchemaError, SourceError, UsageError, file_hash
from ncimp.schemas.records import read_records

Record = TypeVar("Record")
Value = TypeVar("Value")
Rows: TypeAlias = list[tuple[int, Record]]  # with the number of the line they stand in
Key = tuple[str, str]  # compound and context

TABLES = ("compounds", "synonyms", "contexts", "forms", "splits", "waivers", "exclusions")
FILES = ("pack.toml", *(f"{table}.tsv" for table in TABLES), "lexicon.xml")  # of every pack
OVERRIDES, ORIGINS, CHANGES, READINGS, POOL = (
    f"{name}.tsv" for name in ["overrides", "origins", "changes", "readings", "pool"]
)
ACCEPTED, CORPORA, COUNTS, ATTESTED = (f"{name}.tsv" for name in ["accepted", "corpora", "counts", "attested"])
FREQUENCIES = "frequencies.tsv"
PUBLISHED, SCORES, HOLES, BENCHMARKS = ("published.jsonl", "scores.tsv", "holes.tsv", "benchmarks.tsv")
SOURCES, SENSES, EXAMPLES, COMPOSITION = (f"{name}.tsv" for name in ["sources", "senses", "examples", "composition"])
OPTIONAL = (
    *(OVERRIDES, ORIGINS, CHANGES, READINGS, POOL, ACCEPTED, CORPORA, COUNTS, ATTESTED),
    *(PUBLISHED, SCORES, HOLES, BENCHMARKS, SOURCES, SENSES, EXAMPLES, COMPOSITION, FREQUENCIES),
)  # fmt: skip
"""Further files of a pack, in the order in which they came."""

HOLE, MEMBER = ("compound", "context", "reason"), ("compound", "benchmark")  # the keys of their rows


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
    senses = _unique(folder / SENSES, records.PackSense, "pack_sense", attrgetter("compound", "sense"), compounds)
    _check_patterns(folder / SENSES, [(line, row) for line, row in senses if row.pattern is not None], language)
    corpora = _plain(_unique(folder / CORPORA, records.CountedCorpus, "counted_corpus", lambda row: (row.corpus,)))
    frequencies = _unique(folder / FREQUENCIES, records.WordCount, "word_count", attrgetter("word", "corpus"))
    for line, count in frequencies:
        if not any(row.corpus == count.corpus and row.tokens for row in corpora):
            place, fix = Place(str(folder / FREQUENCIES), line, "corpus"), f"add its row, with its words, to {CORPORA}"
            raise SourceError(f"no size of {count.corpus!r} is known", fix=fix, place=place)
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
        frequencies=_plain(frequencies),
        attested=attested,
        counts=_plain(
            _unique(folder / COUNTS, records.CompoundCount, "compound_count", lambda row: (row.compound, row.corpus))
        ),
        published=_plain(
            _unique(
                folder / PUBLISHED, records.PublishedItem, "published_item",
                attrgetter("compound", "context", "variant"), compounds,
            )
        ),
        scores=_plain(
            _unique(
                folder / SCORES, records.PublishedScore, "published_score",
                attrgetter("compound", "source", "layer", "context"), compounds,
            )
        ),
        holes=_plain(_unique(folder / HOLES, records.Hole, "hole", attrgetter(*HOLE), compounds)),
        memberships=_plain(
            _unique(folder / BENCHMARKS, records.Membership, "membership", attrgetter(*MEMBER), compounds)
        ),
        sources=_plain(_unique(folder / SOURCES, records.Source, "source", lambda row: (row.name,))),
        senses=_plain(senses),
        examples=_examples(folder / EXAMPLES, {(row.compound, row.sense) for _, row in senses}, authored, numbers),
        composition=_composition(folder / COMPOSITION, compounds),
    )  # fmt: skip


def _composition(path: Path, compounds: Collection[str]) -> tuple[records.PackComposition, ...]:
    """Return the rows of composition.tsv, or raise for a paraphrase that is there twice or a word that is neither."""

    def key(row: records.PackComposition) -> tuple[str, ...]:
        return row.compound, row.task, row.text.casefold()

    rows = _unique(path, records.PackComposition, "pack_composition", key, compounds)
    for line, row in rows:
        if row.task == "nc_literality" and row.text not in records.COMPONENT_NAMES:
            place, fix = Place(str(path), line, "text"), f"write {' or '.join(records.COMPONENT_NAMES)}"
            raise SourceError(f"{row.text!r} is no word of {row.compound!r}", fix=fix, place=place)
    return _plain(rows)


def _examples(
    path: Path, senses: Collection[Key], authored: Mapping[Key, MarkedSentence], numbers: Mapping[Key, records.Number]
) -> tuple[records.MarkedExample, ...]:
    """Return the rows of examples.tsv with their sentences, or raise `SourceError` for one that is of no sense.

    Each has a sentence of its own, with a number, or that of a context.
    """
    rows = []
    for line, row in _unique(path, records.PackExample, "pack_example", attrgetter("compound", "context", "sentence")):
        place, key = Place(str(path), line), (row.compound, row.context or "")
        if (row.compound, row.sense) not in senses:
            what = f"{row.compound!r} has no sense {row.sense!r} in {SENSES}"
            raise SourceError(what, fix="add it there or mend the row", place=place)
        if (row.sentence is None) == (row.context is None) or (row.context and key not in authored):
            what = f"the row of {row.compound!r} has neither a sentence nor a context of contexts.tsv, or it has both"
            raise SourceError(what, fix="give one of the two, and _ for the other", place=place)
        marked = read_marked(row.sentence, Place(str(path), line, "sentence")) if row.sentence else authored[key]
        number = numbers.get(key, row.number)
        if number is None:
            raise SourceError(f"the row of {row.compound!r} has no number", fix="write sg or pl", place=place)
        rows.append(records.MarkedExample(row, marked, number))
    return tuple(rows)


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


def _check_patterns(path: Path, rows: Iterable[tuple[int, Any]], language: Language) -> None:
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
