"""Check that everything around a phrase agrees with it: adds `incidents`.

A row names its language (`lang`), the `sentence`, and the words of the phrase (`span`: first and last + 1, counted
from 0 at the white space). `gender` (m, f) and `number` (sg, pl) are the phrase's; without them its words tell.

    {"lang": "pt", "sentence": "Ele viu uma disco voador .", "span": [3, 5]}

`incidents` lists the words that cannot agree, as far as the lexicons know them: code, index of the word,
the word, and what to do. Nothing is listed where a reading of the word agrees, or the structure is not certain.
The checks share no rule with `ncimp task repair`; `ncimp validate --codes` says what the codes mean.

Examples:
    ncimp task check --input rows.jsonl --output checked.jsonl
    ncimp task check --morphology pt=morphobr.dict.xz --morphology pt=bosque.conllu --input - --output -
"""

from __future__ import annotations

import argparse
from functools import cache
from typing import Literal, get_args

from ncimp.builder.commands.options.batch import optional_text, register_batch, run_batch, text_of
from ncimp.builder.commands.task.resources import register_morphology, toolbox_of, toolboxes, word_span
from ncimp.builder.records import Gender, Number
from ncimp.builder.validation.agreement.passage import Finding
from ncimp.builder.validation.agreement.second_opinion import SecondOpinion
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import Row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)
    register_morphology(parser)


def run(args: argparse.Namespace) -> int:
    """Check the rows and return the exit code."""
    boxes = toolboxes(args)

    @cache
    def opinion_on(lang: str) -> SecondOpinion:
        box = toolbox_of(lang, boxes)
        return SecondOpinion(box.pack.language, box.analyser)

    def answer(row: Row) -> Row:
        opinion = opinion_on(text_of(row, "lang"))
        words = text_of(row, "sentence").split(" ")
        start, end = word_span(row, "span", words)
        found = opinion.findings(words, start, end, gender=_gender(row), number=_number(row))
        return {**row, "incidents": [_shown(finding, words) for finding in found]}

    return run_batch(args, answer)


def _shown(finding: Finding, words: list[str]) -> Row:
    return {
        "code": finding.code,
        "index": finding.index,
        "word": words[finding.index],
        "message": finding.message,
    }


def _gender(row: Row) -> Gender | None:
    value = _choice(row, "gender", get_args(Gender))
    return next((gender for gender in get_args(Gender) if gender == value), None)


def _number(row: Row) -> Number | None:
    value = _choice(row, "number", get_args(Number))
    return next((number for number in get_args(Number) if number == value), None)


def _choice(row: Row, key: Literal["gender", "number"], allowed: tuple[str, ...]) -> str | None:
    """Return what *row* says under *key*, or None; any other word than those *allowed* is an error."""
    value = optional_text(row, key)
    if value is not None and value not in allowed:
        raise SchemaError(
            f"the {key} {value!r} is not known", fix=f"write one of {', '.join(allowed)}, or leave it out"
        )
    return value
