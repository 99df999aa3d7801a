"""Draft tables of a language pack; whatever a person wrote stays."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from ncimp.builder.commands.options import DATA, PACKS, command, flag, number, option, path
from ncimp.builder.ports import FrequencyTable, SynonymSource
from ncimp.builder.records import CLASSES, Form, LanguagePack, Relation
from ncimp.builder.selection.synonyms import Component, Role, SynonymFinder
from ncimp.builder.sources.collection import Collection, find_lexicon, open_lexicons
from ncimp.builder.sources.frequencies import CountedTable, NoFrequencies, open_frequencies
from ncimp.builder.sources.inflection import RuleMorphology
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.store import FormStore, open_lexicon
from ncimp.builder.sources.packs.draft import FormDrafter, components, draft_pool, merge_forms
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.lexicon_table import (
    MARKS,
    TAGS,
    LexiconRow,
    component_words,
    read_lexicon,
    read_table,
    write_table,
)
from ncimp.builder.sources.packs.packs import POOL, languages, packs_folder, read_pack
from ncimp.builder.sources.packs.start import TO_WRITE, guess_compound, start_pack
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.schemas import SourceError, UsageError, read_text, write_tsv
from ncimp.schemas.records import columns, load_schema, read_records, to_row

RARE = 2.0  # Zipf value below which a candidate for a synonym is left out
REVIEW = "forms.review.tsv"  # guesses that nobody has read yet; no file of a pack
LANG = option("lang", "language code of the pack")
MORPHOLOGY = option(
    "--morphology",
    "full-form lexicons and treebanks, the most trusted first: names of added sources, or paths",
    nargs="+",
    default=[],
    metavar="NAME|PATH",
)

FREQUENCIES = path(
    "--frequencies", "STORE", "frequencies of a store of `ncimp corpus count`, for a language that wordfreq lacks"
)
WORDNET = option(
    "--wordnet",
    "WordNets and thesauri of the language, and the WordNet that they take their relations from: names of added "
    "sources, or paths",
    nargs="+",
    default=[],
    metavar="NAME|PATH",
)


@command(
    LANG,
    option("--like", "a pack whose patterns, features and parts of words it begins with, none of its words"),
    option("--name", "English name of the language (default: its code)"),
    option("--author", "who writes it", default="name the author here"),
    PACKS,
)
def run_new(args: argparse.Namespace) -> int:
    """Write a new pack: a folder with a short pack.toml, empty tables and an empty lexicon.

    pack.toml says in comments what to write; `ncimp pack check` lists what is left to do, in order.

    Examples:
        ncimp pack new fr --name French --packs my-packs
        ncimp pack new gl --name Galician --like pt --packs my-packs
    """
    like = (args.packs if (args.packs / (args.like or "")).is_dir() else packs_folder()) / (args.like or "")
    if args.like:
        languages([args.like], like.parent)
    start_pack(args.packs / args.lang, name=args.name or args.lang, author=args.author, like=args.like and like)
    sys.stderr.write(f"{args.packs / args.lang}: write pack.toml, then see `ncimp pack check {args.lang}`\n")
    return 0


@command(
    LANG,
    MORPHOLOGY,
    flag("--reviewed", f"take the rows of {REVIEW}, which you have read and mended, into forms.tsv first"),
    PACKS,
    DATA,
)
def run_forms(args: argparse.Namespace) -> int:
    """Append every form that the tables and sentences of a pack ask for to its forms.tsv; print what nobody knows.

    All forms of the components of compounds, synonyms, overrides and the pool, of the words of lexicon.xml and of the
    adjectives of sentences; of other words of sentences the forms that occur. Each form is taken from the first lexicon
    that has one. What only the rules of `[inflection]` give is a guess, and of a noun that lexicons have in two genders
    (Spanish *coma*, which is also printed) only one may be meant: these go to forms.review.tsv beside it. Read and mend
    that, then run the command with --reviewed. Run it again after each sentence; rows that are there stay.

    Examples:
        ncimp pack forms fr --packs my-packs --morphology fra-cat.automorf.bin fr_gsd-ud-train.conllu
        ncimp pack forms fr --packs my-packs --morphology fra-cat.automorf.bin --reviewed
    """
    (lang,) = languages([args.lang], args.packs)
    folder = args.packs / lang
    stores, pack = _stores(args), read_pack(folder)
    table, review = folder / "forms.tsv", folder / REVIEW
    waiting = _read_forms(review) if review.is_file() else []
    if args.reviewed:
        _write(table, "form", merge_forms(_read_forms(table), waiting))
        waiting, pack = [], read_pack(folder)
    words = {*component_words(folder / "lexicon.xml")}
    patterns = {row.text: pack.language.patterns[row.pattern] for row in pack.compounds}
    for row in pack.overrides:
        pattern = patterns[row.compound]
        if row.word:
            words.add((row.word, pattern.parts[pattern.head if row.part == "head" else 1 - pattern.head]))
    frequencies = _frequencies(pack)
    rules = RuleMorphology(pack.language, frequencies)
    draft = FormDrafter(pack, stores, rules, frequencies).draft(words, waiting)
    _write(table, "form", merge_forms(_read_forms(table), draft.forms))
    guesses = merge_forms(waiting, draft.guesses)
    if guesses:
        _write(review, "form", guesses)
    else:
        review.unlink(missing_ok=True)
    sys.stdout.writelines(f"{line}\n" for line in draft.unknown)
    sys.stdout.writelines(f"{line}: keep the one that is meant in {REVIEW}\n" for line in draft.two_genders)
    sys.stderr.write(f"{lang}: {len(draft.forms)} forms added, {len(guesses)} guesses to be read in {review}, ")
    sys.stderr.write(f"{len(draft.unknown)} words that nobody knows\n")
    return 0


@command(
    LANG,
    option("list", "compounds, one a line; a bar cuts one of one word (Schwarz|markt)", type=Path),
    option("--class", "class of those of the list", dest="compound_class", choices=CLASSES, required=True),
    MORPHOLOGY,
    PACKS,
    DATA,
)
def run_compounds(args: argparse.Namespace) -> int:
    """Append the compounds of a plain list to compounds.tsv, with pattern, lemmas and gender as the lexicons have them.

    What no lexicon knows is printed, with the reason, and left out. Read each new row, write its sense note, where a
    question mark stands, and its semantic classes, and mend the number and countability of one that is not counted.

    Examples:
        ncimp pack compounds fr idioms.txt --class idiomatic --packs my-packs --morphology fra-cat.automorf.bin
    """
    (lang,) = languages([args.lang], args.packs)
    folder, stores = args.packs / lang, _stores(args)
    pack = read_pack(folder)
    forms = _analyser(pack, stores)
    rows, unknown = {row.text: row for row in pack.compounds}, 0
    for line in dict.fromkeys(read_text(args.list).split("\n")):
        text = line.strip().replace("|", "")
        if not text or text in rows:
            continue
        cells = {"compound_class": args.compound_class, "author": pack.language.author, "date": str(date.today())}
        row = guess_compound(line.strip(), pack.language, forms, **cells)
        if isinstance(row, str):
            sys.stdout.write(f"{text}\t{row}\n")
            unknown += 1
        else:
            rows[text] = row
    new = len(rows) - len(pack.compounds)
    _write(folder / "compounds.tsv", "pack_compound", rows.values())
    sys.stderr.write(f"{lang}: {new} compounds added, {unknown} that nobody knows\n")
    return 0


@command(
    LANG,
    option("table", "table to prune, as of `ncimp pack lexicon dump`; its rows stay", type=Path),
    WORDNET,
    MORPHOLOGY,
    number("--limit", 20, "candidates of a component"),
    FREQUENCIES,
    PACKS,
    DATA,
)
def run_synonyms(args: argparse.Namespace) -> int:
    """Write candidates for each component without a row into a table to prune, the nearest first.

    They are words of WordNets and of thesauri in the format of MyThes. A table that is not there begins with the rows
    of lexicon.xml. Rare words are left out and, where full-form lexicons
    are given, those that these do not know as the part of speech. Take out what is no synonym in the usual sense of the
    component by itself, add what is missing (nine are needed), write the gloss where a question mark stands, and run
    `ncimp pack lexicon make`. Components without any candidate are printed.

    Examples:
        ncimp pack synonyms fr fr-lexicon.tsv --packs my-packs --wordnet omw-fr oewn:2025 --morphology fra.dix
        ncimp pack lexicon make fr-lexicon.tsv my-packs/fr/lexicon.xml
    """
    (lang,) = languages([args.lang], args.packs)
    pack, stores = read_pack(args.packs / lang), _stores(args)
    table = args.table
    rows = read_table(table) if table.is_file() else read_lexicon(args.packs / lang / "lexicon.xml")[1]
    listed = {(row.lemma, row.pos) for row in rows if row.gloss}
    frequencies = CountedTable(args.frequencies) if args.frequencies else _frequencies(pack) or NoFrequencies()
    forms = _analyser(pack, stores)
    finder = SynonymFinder(_thesauri(args), frequencies=frequencies, morphology=forms, pack=pack)
    alone: list[str] = []
    for compound in pack.compounds:
        for lemma, pos, gender in components(compound, pack.language):
            if (lemma, pos) in listed or pos not in TAGS:
                continue
            listed.add((lemma, pos))
            role: Role = "head" if gender or lemma == compound.head else "mod"
            ranked = [one.row for one in finder.of_word(Component(compound.text, role, lemma), limit=10 * args.limit)]
            usual = [one for one in ranked if (one.zipf or 0) >= RARE or isinstance(frequencies, NoFrequencies)]
            words = [one.best for one in usual if one.best.pos == pos and (not stores or forms.knows(one.lemma))]
            if not words:
                alone.append(f"{lemma}\t{pos}\tno candidates\n")
                continue
            rows = [row for row in rows if (row.lemma, row.pos) != (lemma, pos)]  # a pool word becomes a component
            groups: dict[Relation, list[str]] = {relation: [] for relation in MARKS}
            for one in words[: args.limit]:
                groups[one.relation if one.relation in MARKS else "similar"].append(one.lemma)
            rows.append(LexiconRow(lemma, pos, TO_WRITE, {name: tuple(some) for name, some in groups.items()}))
    write_table(table, sorted(rows, key=lambda row: (row.lemma, row.pos)))
    sys.stdout.writelines(alone)
    unwritten = sum(row.gloss == TO_WRITE for row in rows)
    sys.stderr.write(f"{lang}: {unwritten} components to prune in {table}, {len(alone)} without candidates\n")
    return 0


@command(
    LANG,
    MORPHOLOGY,
    number("--size", 2000, "words to add at most"),
    FREQUENCIES,
    WORDNET,
    PACKS,
    DATA,
)
def run_pool(args: argparse.Namespace) -> int:
    """Append the most frequent nouns and adjectives to pool.tsv, the words of random compounds.

    They are those of the full-form lexicons; treebanks among them tell which are hardly ever anything else. Components
    of compounds are left out, and so are nouns of two genders, names, words of `profanity` in pack.toml, and nouns
    that are mostly forms of a verb. With --wordnet, a noun gets the class of its senses; without, write the classes.
    Take out what modifies or holds almost anything (main, part) and what could offend, mend the classes, and run
    `ncimp pack forms` for the forms.

    Examples:
        ncimp pack pool fr --packs my-packs --morphology fra-cat.automorf.bin fr_gsd.conllu --wordnet omw-fr oewn:2025
        ncimp pack pool gl --packs my-packs --morphology gl-es.automorf.bin --frequencies gl.store --size 800
    """
    (lang,) = languages([args.lang], args.packs)
    path, pack = args.packs / lang / POOL, read_pack(args.packs / lang)
    table = CountedTable(args.frequencies) if args.frequencies else open_frequencies(pack)
    nets = [source for source in _thesauri(args) if isinstance(source, WnSource)]
    new = [
        replace(row, semantic_class=next(filter(None, (net.semantic_class(row.lemma) for net in nets)), None))
        if row.pos == "noun"
        else row
        for row in draft_pool(pack, _stores(args), table, args.size)
    ]
    write_tsv(
        path, map(to_row, sorted((*pack.pool, *new), key=lambda row: (row.pos == "adj", row.lemma))), columns("pool")
    )
    with_class = sum(row.semantic_class is not None for row in new)
    without = "" if nets else " (no WordNet of the language was given: write the classes of nouns yourself)"
    sys.stderr.write(f"{lang}: {len(new)} words added, {with_class} with a class{without}; ")
    sys.stderr.write(f"run `ncimp pack forms {lang}` for them\n")
    return 0


def _thesauri(args: argparse.Namespace) -> list[SynonymSource]:
    """Return the WordNets and thesauri of `--wordnet` in the language of the pack."""
    collection = Collection(args.data)
    lexicons = [find_lexicon(text, args.packs, collection) for text in args.wordnet]
    sources = open_lexicons(lexicons, data=args.data)
    if lexicons and args.lang not in sources:
        what = f"none of these is in {args.lang!r}, but in {', '.join(sources)}"
        raise UsageError(what, fix=f"name its language: {args.lang}={args.wordnet[0]}")
    return sources.get(args.lang, [])


def _read_forms(path: Path) -> list[Form]:
    return [row for _, row in read_records(path, Form, "form")]


def _write(path: Path, table: str, rows: Iterable[object]) -> None:
    """Write *rows* of *table*; without its optional columns where no row has anything in them."""
    cells, names = list(map(to_row, rows)), columns(table)
    required = len(load_schema(table)["required"])
    write_tsv(path, cells, names if any(row[name] for row in cells for name in names[required:]) else names[:required])


def _analyser(pack: LanguagePack, stores: Sequence[FormStore]) -> LayeredMorphology:
    """Return the forms of the pack, then those of *stores*, then the rules of the pack."""
    rules = RuleMorphology(pack.language, _frequencies(pack))
    return LayeredMorphology(PackMorphology(pack.forms, pack.language), stores, rules=rules)


def _stores(args: argparse.Namespace) -> list[FormStore]:
    """Return the lexicons of `--morphology`; a large one takes a while the first time."""
    collection, stores = Collection(args.data), []
    for name in args.morphology:
        stores.append(open_lexicon(collection.path(name), data=args.data))
        sys.stderr.write(f"{name}: {stores[-1].format}, {stores[-1].forms} forms\n")
    return stores


def _frequencies(pack: LanguagePack) -> FrequencyTable | None:
    try:
        return open_frequencies(pack)
    except SourceError:  # nobody has a list for this language
        return None
