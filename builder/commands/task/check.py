"""Check that everything around a phrase agrees with it: adds `incidents`.

A row names its language (`lang`), the `sentence`, and the words of the phrase (`span`: first and last + 1, counted
from 0 at the white space). `gender` (m, f) and `number` (sg, pl) are the phrase's; without them its words decide.

    {"lang": "pt", "sentence": "Ele viu uma disco voador .", "span": [3, 5]}

`incidents` lists the words that cannot agree, as far as the lexicons know them: code, index of the word,
the word, and what to do. Nothing is listed where a reading of the word agrees, or the structure is not certain.
The checks share no rule with `ncimp task repair`; `ncimp validate --codes` explains the codes.

Examples:
    ncimp task check --input rows.jsonl --out checked.jsonl
    ncimp task check --morphology pt=morphobr.dict.xz --morphology pt=bosque.conllu --input - --out -
"""

import argparse
from typing import TypeVar, get_args

from ncimp.builder.commands.task.batch import by_language, optional_text, register_batch, run_batch, text_of, word_span
from ncimp.builder.records import Gender, Number
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import Row

GENDERS: tuple[Gender, ...] = get_args(Gender)
NUMBERS: tuple[Number, ...] = get_args(Number)

Feature = TypeVar("Feature", Gender, Number)


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Check the rows and return the exit code."""
    checker_of = by_language(args, lambda language: AgreementChecker(language.pack.language, language.analyser))

    def answer(row: Row) -> Row:
        checker = checker_of(row)
        words = text_of(row, "sentence").split(" ")
        start, end = word_span(row, "span", words)
        gender, number = _feature(row, "gender", GENDERS), _feature(row, "number", NUMBERS)
        incidents = [
            {"code": one.code, "index": one.index, "word": words[one.index], "message": one.message}
            for one in checker.findings(words, start, end, gender=gender, number=number)
        ]
        return {**row, "incidents": incidents}

    return run_batch(args, answer)


def _feature(row: Row, key: str, values: tuple[Feature, ...]) -> Feature | None:
    """Return the feature of *row* under *key*, or None; any other word than one of *values* is an error."""
    text = optional_text(row, key)
    value = next((value for value in values if value == text), None)
    if text is not None and value is None:
        raise SchemaError(f"the {key} {text!r} is not known", fix=f"write one of {', '.join(values)}, or leave it out")
    return value
