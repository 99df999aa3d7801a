"""Inflect words and phrases: adds `output` to each row.

A row names its language (`lang`), the inflection (`kind`; text behind a colon is a label) and the word or phrase
(`input`):

    {"lang": "en", "kind": "plural:nc", "input": "sister-in-law"}

    plural, singular     the phrase in that number
    feminine, masculine  the phrase in that gender, as far as its head has it
    modagree             the phrase with `new_head` for its head, its modifiers agreeing with that
    nat                  the phrase in the number that the compound `nc` has in the form `nc_form`

A row `modagree:X` without `new_head` takes the head of the last row `plural:X` of the same `compound`. A row
`nat` without `nc_form` comes back as it is, marked `"uncertain": ["number"]`.

Examples:
    ncimp task inflect --input rows.jsonl --out inflected.jsonl
    ncimp task inflect --lang pt --morphology morphobr --input rows.jsonl --out inflected.jsonl
    ncimp task inflect --lang pt --input - --out -
"""

import argparse
from collections.abc import Callable

from ncimp.builder.commands.task.batch import by_language, optional_text, register_batch, run_batch, text_of
from ncimp.builder.grammar.phrases import PhraseForms
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import Row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Inflect the rows and return the exit code."""
    phrases_of = by_language(args, lambda language: PhraseForms(language.pack.language, language.inflector))
    return run_batch(args, Inflector(phrases_of).answer)


class Inflector:
    """Answers rows in their order; it remembers the heads of the rows of one compound."""

    def __init__(self, phrases_of: Callable[[Row], PhraseForms]) -> None:
        self._phrases_of = phrases_of
        self._compound: tuple[str, str | None] | None = None
        self._heads: dict[str, str] = {}

    def answer(self, row: Row) -> Row:
        """Return *row* with its `output`, or raise `SchemaError`."""
        kind, _, label = text_of(row, "kind").partition(":")
        text, phrases = text_of(row, "input"), self._phrases_of(row)
        compound = text_of(row, "lang"), optional_text(row, "compound")
        if compound != self._compound:
            self._compound, self._heads = compound, {}
        if kind == "plural":
            self._heads[label] = phrases.head_of(text)
        output = self._output(row, kind, label, phrases)
        if output is None:
            what = f"no form of {text!r} is known that the kind {kind!r} asks for"
            raise SchemaError(what, fix="see [inflection] in docs/how-to/new-language.md")
        unknown = kind == "nat" and optional_text(row, "nc_form") is None
        return {**row, "output": output, **({"uncertain": ["number"]} if unknown else {})}

    def _output(self, row: Row, kind: str, label: str, phrases: PhraseForms) -> str | None:
        text = text_of(row, "input")
        match kind:
            case "plural" | "singular":
                return phrases.in_number(text, "pl" if kind == "plural" else "sg")
            case "feminine" | "masculine":
                return phrases.in_gender(text, "f" if kind == "feminine" else "m")
            case "modagree":
                head = optional_text(row, "new_head") or self._heads.get(label)
                if head is None:
                    raise SchemaError("the row names no new head", fix="give it one as 'new_head'")
                return phrases.with_head(text, head)
            case "nat":
                form = optional_text(row, "nc_form")
                if form is None or form.lower() == (optional_text(row, "nc") or "").lower():
                    return text
                number = phrases.number_of(form)
                return text if number is None else phrases.in_number(text, number)
        fix = "ask for plural, singular, feminine, masculine, modagree or nat"
        raise SchemaError(f"the kind {kind!r} is not known", fix=fix)
