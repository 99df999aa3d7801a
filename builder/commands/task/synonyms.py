"""Find synonyms of the components of compounds: adds `candidates` to each row, best first.

A row names its language (`lang`), the compound, the component (`role`: head or mod) and the word as it
stands there (`word`). Candidates come in the form of that word: *orais* for *vocais*. With --explain, each has
its reasons in `explanations`: the offer of every lexicon, the votes, and its frequency.

    {"lang": "pt", "compound": "cordas vocais", "role": "mod", "word": "vocais"}

A lexicon is WN-LMF (plain or packed), a MyThes thesaurus (.dat), a folder of Princeton WordNet, or the id of a
pack's own (ncimp-en). Several vote. A wordnet that takes its relations from another needs that one, too.

Examples:
    ncimp task synonyms --lexicon oewn-2025.xml.xz --input rows.jsonl --out synonyms.jsonl
    ncimp task synonyms --lang pt --lexicon th_pt_PT_v2.dat --lexicon th_pt_BR.dat --explain --input - --out -
    ncimp task synonyms --lang pt --lexicon omw-pt.xml.xz --lexicon oewn-2025.xml.xz --input - --out -
"""

import argparse
from functools import cache

from ncimp.builder.commands.options import positive_int
from ncimp.builder.commands.task.batch import register_batch, resources_by_language, run_batch, text_of
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.selection.synonyms import LIMIT, READINGS, Component, Synonym, SynonymFinder
from ncimp.builder.selection.votes import explain
from ncimp.builder.sources.collection import Collection, find_lexicon, open_lexicons
from ncimp.builder.sources.frequencies import NoFrequencies, NoMorphology, WordfreqTable
from ncimp.builder.sources.packs.packs import pack_names, packs_folder
from ncimp.builder.sources.registry import data_folder
from ncimp.schemas.errors import SchemaError, SourceError
from ncimp.schemas.files import Row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)
    parser.add_argument(
        "--lexicon",
        action="append",
        required=True,
        metavar="[LANG=]NAME|PATH",
        help="a lexicon to ask (repeatable); LANG= for one that does not state its language",
    )
    parser.add_argument(
        "--limit", type=positive_int, default=LIMIT, metavar="N", help="most candidates (default: %(default)s)"
    )
    parser.add_argument("--explain", action="store_true", help="add the reasons of each candidate")


def run(args: argparse.Namespace) -> int:
    """Find the synonyms of the rows and return the exit code."""
    finders = make_finders(args)

    @cache
    def synonyms_of(lang: str, component: Component) -> list[Synonym]:
        if lang not in finders:
            fix = f"name one with --lexicon (those named are of {', '.join(finders)})"
            raise SchemaError(f"no lexicon of {lang!r}", fix=fix)
        return finders[lang].of_word(component, args.limit)

    def answer(row: Row) -> Row:
        role = next((role for role in READINGS if role == text_of(row, "role")), None)
        if role is None:
            raise SchemaError(f"the role {row['role']!r} is not known", fix=f"use {' or '.join(READINGS)}")
        component = Component(text_of(row, "compound"), role, text_of(row, "word"))
        synonyms = synonyms_of(text_of(row, "lang"), component)
        row = {**row, "candidates": [one.form for one in synonyms]}
        if args.explain:
            row["explanations"] = [list(explain(one.row, component.word)) for one in synonyms]
        return row

    return run_batch(args, answer)


def make_finders(args: argparse.Namespace) -> dict[str, SynonymFinder]:
    """Return a finder for each language of the lexicons, so that a file that cannot be read ends the command."""
    packs, data = args.packs or packs_folder(), data_folder(args.data)
    lexicons = open_lexicons([find_lexicon(text, packs, Collection(data)) for text in args.lexicon], data=data)
    langs = sorted(lexicons)
    with_pack = [lang for lang in langs if lang in pack_names(packs)]
    resources = resources_by_language(argparse.Namespace(**{**vars(args), "lang": with_pack}))
    finders = {}
    for lang in langs:
        try:
            frequencies: FrequencyTable = WordfreqTable(lang)
        except SourceError:  # frequencies only decide between candidates that are alike
            frequencies = NoFrequencies()
        language = resources.get(lang)
        finders[lang] = SynonymFinder(
            lexicons[lang],
            frequencies=frequencies,
            morphology=language.inflector if language else NoMorphology(),
            pack=language.pack if language else None,
        )
    return finders
