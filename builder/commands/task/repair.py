"""Put a phrase in the place of another and repair the sentence: adds `sentence`, `edits` and `uncertain`.

A row names its language (`lang`), the sentence (`source`), the words to replace (`source_span`: first and
last + 1, counted from 0 at the white space) and the `substitute`. A row whose `variant_type` is a single
component (`head`, `mod`, `comp_...`, `generic_...`) leaves its carrier as it was, but for neutral frames.

    {"lang": "pt", "source": "Ele viu um disco voador .", "source_span": [3, 5], "substitute": "nave espacial"}

`edits` lists what changed outside the phrase: where the word now starts, before, after, and the rule.
`uncertain` names the rules that could not decide on a word: a person should look.

Examples:
    ncimp task repair --input rows.jsonl --output repaired.jsonl
    ncimp task repair --morphology pt=morphobr.dict.xz --morphology pt=bosque.conllu --input - --output -
    ncimp task repair --without "main clause" --input rows.jsonl --output repaired.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache

from ncimp.builder.commands.options.batch import register_batch, run_batch, text_of
from ncimp.builder.commands.task.resources import register_morphology, toolbox_of, toolboxes, word_span
from ncimp.builder.filling.repair import RULES
from ncimp.builder.filling.substitution import Substitution
from ncimp.builder.records import COMPONENTS, MarkedSentence
from ncimp.schemas.files import Row
from ncimp.schemas.records import to_row

ALONE = ("comp_", "generic_")
"""Beginnings of the names that the experts' files give to variants of a single component."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)
    register_morphology(parser)
    register_rules(parser)


def register_rules(parser: argparse.ArgumentParser) -> None:
    """Add the option that switches rules off to *parser*."""
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=list(RULES),
        metavar="RULE",
        help="switch a rule off: %(choices)s",
    )


def substitutions(args: argparse.Namespace) -> Callable[[str], Substitution]:
    """Return a function that gives the substitution of a language, each made once."""
    boxes = toolboxes(args)
    rules = [name for name in RULES if name not in args.without]

    @cache
    def of(lang: str) -> Substitution:
        box = toolbox_of(lang, boxes)
        return Substitution(box.pack.language, box.analyser, rules)

    return of


def run(args: argparse.Namespace) -> int:
    """Repair the rows and return the exit code."""
    of = substitutions(args)

    def answer(row: Row) -> Row:
        sentence = marked(row)
        made = of(text_of(row, "lang")).put(sentence, text_of(row, "substitute"), component=is_component(row))
        edits = [to_row(edit) for edit in made.edits]
        return {**row, "sentence": made.sentence.text, "edits": edits, "uncertain": list(made.uncertain)}

    return run_batch(args, answer)


def is_component(row: Row) -> bool:
    """Tell whether the substitute of *row* is a single component of the compound."""
    kind = row.get("variant_type")
    return isinstance(kind, str) and (kind in COMPONENTS or kind.startswith(ALONE))


def marked(row: Row) -> MarkedSentence:
    """Return the sentence of *row* with the characters that its `source_span` covers."""
    text = text_of(row, "source")
    words = text.split(" ")
    first, end = word_span(row, "source_span", words)
    start = sum(len(word) + 1 for word in words[:first])
    return MarkedSentence(text, (start, start + len(" ".join(words[first:end]))))
