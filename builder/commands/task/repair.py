"""Put a phrase in the place of another and repair the sentence: adds `sentence`, `edits` and `uncertain`.

A row names its language (`lang`), the sentence (`source`), the words to replace (`source_span`: first and
last + 1, counted from 0 at the white space) and the `substitute`. A row whose `variant_type` is a single
component (`head`, `mod`, `comp_...`, `generic_...`) leaves its carrier as it was, but for neutral frames.

    {"lang": "pt", "source": "Ele viu um disco voador .", "source_span": [3, 5], "substitute": "nave espacial"}

`edits` lists the changes outside the phrase: where the word now starts, before, after, and the rule.
`uncertain` names the rules that could not decide on a word: a person should look.

Examples:
    ncimp task repair --input rows.jsonl --out repaired.jsonl
    ncimp task repair --morphology pt=morphobr.dict.xz --morphology pt=bosque.conllu --input - --out -
    ncimp task repair --without "main clause" --input rows.jsonl --out repaired.jsonl
"""

import argparse

from ncimp.builder.commands.task.batch import by_language, register_batch, run_batch, text_of, word_span
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
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=list(RULES),
        metavar="RULE",
        help="switch a rule off: %(choices)s",
    )


def run(args: argparse.Namespace) -> int:
    """Repair the rows and return the exit code."""
    rules = [name for name in RULES if name not in args.without]
    substitution_of = by_language(args, lambda language: Substitution(language.pack.language, language.analyser, rules))

    def answer(row: Row) -> Row:
        variant = row.get("variant_type")
        component = isinstance(variant, str) and (variant in COMPONENTS or variant.startswith(ALONE))
        sentence, phrase = _marked(row), text_of(row, "substitute")
        repaired = substitution_of(row).put(sentence, phrase, component=component)
        edits = [to_row(edit) for edit in repaired.edits]
        return {**row, "sentence": repaired.sentence.text, "edits": edits, "uncertain": list(repaired.uncertain)}

    return run_batch(args, answer)


def _marked(row: Row) -> MarkedSentence:
    """Return the sentence of *row* with the characters that its `source_span` covers."""
    text = text_of(row, "source")
    words = text.split(" ")
    first, end = word_span(row, "source_span", words)
    start = sum(len(word) + 1 for word in words[:first])
    return MarkedSentence(text, (start, start + len(" ".join(words[first:end]))))
