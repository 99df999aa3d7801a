"""Find synonyms of the components of compounds: adds `candidates` to each row, best first.

A row names its language (`lang`), the compound, the component (`role`: head or mod) and the word as it
stands there (`word`). Candidates come in the form of that word: *orais* for *vocais*. With --explain, each has
its reasons in `explanations`: what every lexicon says of it, the votes, and its frequency.

    {"lang": "pt", "compound": "cordas vocais", "role": "mod", "word": "vocais"}

A lexicon is WN-LMF (plain or packed), a MyThes thesaurus (.dat), a folder of Princeton WordNet, or the id of a
pack's own (ncimp-en). Several vote. A wordnet that takes its relations from another asks for that one, too.

Examples:
    ncimp task synonyms --lexicon oewn-2025.xml.xz --input rows.jsonl --output found.jsonl
    ncimp task synonyms --lang pt --lexicon th_pt_PT_v2.dat --lexicon th_pt_BR.dat --explain --input - --output -
    ncimp task synonyms --lang pt --lexicon omw-pt.xml.xz --lexicon oewn-2025.xml.xz --input - --output -
"""

from __future__ import annotations

import argparse
from functools import cache
from typing import TYPE_CHECKING

from ncimp.builder.commands.options.batch import register_batch, run_batch, text_of
from ncimp.builder.commands.task.resources import register_morphology, toolboxes
from ncimp.schemas.errors import SchemaError, SourceError, UsageError
from ncimp.schemas.files import Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncimp.builder.ports import FrequencyTable, Morphology
    from ncimp.builder.selection.synonyms import Component, Synonym, SynonymFinder


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    from ncimp.builder.selection.synonyms import LIMIT

    register_batch(parser)
    parser.add_argument(
        "--lexicon",
        action="append",
        required=True,
        metavar="[LANG=]NAME|PATH",
        help="a lexicon to ask (repeatable); LANG= for one that does not say its language",
    )
    parser.add_argument("--limit", type=int, default=LIMIT, metavar="N", help="most candidates (default: %(default)s)")
    parser.add_argument("--explain", action="store_true", help="add the reasons of each candidate")
    register_morphology(parser)


def run(args: argparse.Namespace) -> int:
    """Find the synonyms of the rows and return the exit code."""
    if args.limit < 1:
        raise UsageError(f"--limit {args.limit} finds nothing", fix="give a number above 0")
    finder_of = finders(args)

    @cache
    def found(lang: str, component: Component) -> list[Synonym]:
        return finder_of(lang).of_word(component, args.limit)

    def answer(row: Row) -> Row:
        from ncimp.builder.selection.votes import explain

        component = component_of(row)
        synonyms = found(text_of(row, "lang"), component)
        answered = {**row, "candidates": [one.form for one in synonyms]}
        if args.explain:
            answered["explanations"] = [list(explain(one.row, component.word)) for one in synonyms]
        return answered

    return run_batch(args, answer)


def component_of(row: Row) -> Component:
    """Return the component that *row* asks for, or raise `SchemaError`."""
    from ncimp.builder.selection.synonyms import READINGS, Component

    role = next((role for role in READINGS if role == text_of(row, "role")), None)
    if role is None:
        raise SchemaError(f"the role {row['role']!r} is not known", fix=f"use {' or '.join(READINGS)}")
    return Component(text_of(row, "compound"), role, text_of(row, "word"))


def finders(args: argparse.Namespace) -> Callable[[str], SynonymFinder]:
    """Return a function that gives the finder of a language, each made once.

    All are made at once, so that a file that cannot be read ends the command and is not told with every row.
    """
    from ncimp.builder.commands.build import default_packs
    from ncimp.builder.selection.synonyms import SynonymFinder
    from ncimp.builder.sources.collection.collection import Collection
    from ncimp.builder.sources.collection.folder import data_folder
    from ncimp.builder.sources.collection.thesauri import Lexicons, find_lexicon
    from ncimp.builder.sources.figures.unknown import NoMorphology
    from ncimp.builder.sources.packs.packs import pack_names

    packs, data = args.packs or default_packs(), data_folder(args.data)
    named = [find_lexicon(text, packs, Collection(data)) for text in args.lexicon]
    lexicons = Lexicons(named, data=data)
    spoken = sorted(lexicons.languages)
    boxes = toolboxes(
        argparse.Namespace(**{**vars(args), "lang": [lang for lang in spoken if lang in pack_names(packs)]})
    )

    @cache
    def of(lang: str) -> SynonymFinder:
        if lang not in spoken:
            fix = f"name one with --lexicon (those named are of {', '.join(spoken)})"
            raise SchemaError(f"no lexicon of {lang!r}", fix=fix)
        box = boxes.get(lang)
        morphology: Morphology = box.inflector if box else NoMorphology()
        pack = box.pack if box else None
        return SynonymFinder(lexicons.of(lang), frequencies=_frequencies(lang), morphology=morphology, pack=pack)

    for lang in spoken:
        of(lang)
    return of


def _frequencies(lang: str) -> FrequencyTable:
    from ncimp.builder.sources.figures.unknown import NoFrequencies
    from ncimp.builder.sources.figures.wordfreq import WordfreqTable

    try:
        return WordfreqTable(lang)
    except SourceError:  # frequencies only decide between candidates that are alike
        return NoFrequencies()
