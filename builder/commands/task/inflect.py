"""Inflect words and phrases: adds `output` to each row.

A row names its language (`lang`), what is asked (`kind`, of which only what stands before a colon counts) and the word
or phrase (`input`):

    {"lang": "en", "kind": "plural:nc", "input": "sister-in-law"}

    plural, singular     the phrase in that number
    feminine, masculine  the phrase in that gender, as far as its head has it
    modagree             the phrase with `new_head` for its head, its modifiers agreeing with that
    nat                  the phrase in the number that the compound `nc` has in the form `nc_form`

A row `modagree:X` without `new_head` takes the head of the last row `plural:X` of the same `compound`. A row
`nat` without `nc_form` comes back as it is, marked `"uncertain": ["number"]`.

Examples:
    ncimp task inflect --input rows.jsonl --output inflected.jsonl
    ncimp task inflect --lang pt --morphology morphobr --input rows.jsonl --output inflected.jsonl
    ncimp task inflect --lang pt --input - --output -
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache

from ncimp.builder.commands.options.batch import optional_text, register_batch, run_batch, text_of
from ncimp.builder.commands.task.resources import register_morphology, toolbox_of, toolboxes
from ncimp.builder.grammar.phrases import PhraseForms
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import Row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)
    register_morphology(parser)
    help_text = "taken as every task takes it; inflection asks no synonyms"
    parser.add_argument("--lexicon", action="append", default=[], metavar="NAME|PATH", help=help_text)


def run(args: argparse.Namespace) -> int:
    """Inflect the rows and return the exit code."""
    boxes = toolboxes(args)

    @cache
    def phrases_of(lang: str) -> PhraseForms:
        box = toolbox_of(lang, boxes)
        return PhraseForms(box.pack.language, box.inflector)

    return run_batch(args, Inflector(phrases_of).answer)


class Inflector:
    """Answers rows in their order; it remembers the heads of the rows of one compound."""

    def __init__(self, phrases_of: Callable[[str], PhraseForms]) -> None:
        self._phrases_of = phrases_of
        self._compound: tuple[str, str | None] | None = None
        self._heads: dict[str, str] = {}

    def answer(self, row: Row) -> Row:
        """Return *row* with the `output` that it asks for, or raise `SchemaError`."""
        kind, _, variant = text_of(row, "kind").partition(":")
        text, phrases = text_of(row, "input"), self._phrases_of(text_of(row, "lang"))
        self._remember(row, kind, variant, phrases)
        output = self._asked(row, kind, variant)(phrases, text)
        if output is None:
            what = f"no form of {text!r} is known that the kind {kind!r} asks for"
            raise SchemaError(what, fix="see [inflection] in docs/how-to/new-language.md")
        unknown = kind == "nat" and optional_text(row, "nc_form") is None
        return {**row, "output": output, **({"uncertain": ["number"]} if unknown else {})}

    def _asked(self, row: Row, kind: str, variant: str) -> Callable[[PhraseForms, str], str | None]:
        match kind:
            case "plural":
                return lambda phrases, text: phrases.in_number(text, "pl")
            case "singular":
                return lambda phrases, text: phrases.in_number(text, "sg")
            case "feminine":
                return lambda phrases, text: phrases.in_gender(text, "f")
            case "masculine":
                return lambda phrases, text: phrases.in_gender(text, "m")
            case "modagree":
                head = self._new_head(row, variant)
                return lambda phrases, text: phrases.with_head(text, head)
            case "nat":
                return lambda phrases, text: _like_the_compound(row, phrases, text)
        fix = "ask for plural, singular, feminine, masculine, modagree or nat"
        raise SchemaError(f"the kind {kind!r} is not known", fix=fix)

    def _remember(self, row: Row, kind: str, variant: str, phrases: PhraseForms) -> None:
        compound = text_of(row, "lang"), optional_text(row, "compound")
        if compound != self._compound:
            self._compound, self._heads = compound, {}
        if kind == "plural":
            self._heads[variant] = phrases.head_of(text_of(row, "input"))

    def _new_head(self, row: Row, variant: str) -> str:
        given = optional_text(row, "new_head") or self._heads.get(variant)
        if given is None:
            raise SchemaError("the row names no new head", fix="give it one as 'new_head'")
        return given


def _like_the_compound(row: Row, phrases: PhraseForms, text: str) -> str | None:
    """Return *text* in the number of the form that the compound has; as it is where that is the compound as it is."""
    form = optional_text(row, "nc_form")
    if form is None or form.lower() == (optional_text(row, "nc") or "").lower():
        return text
    number = phrases.number_of(form)
    return text if number is None else phrases.in_number(text, number)
