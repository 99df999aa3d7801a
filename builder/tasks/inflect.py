"""Inflect words and phrases: adds `output` to each row.

A row names its language (`lang`), what is asked (`kind`) and the word or phrase (`input`):

    {"lang": "en", "kind": "plural:nc", "input": "acid test"}

Examples:
    ncimp task inflect --input rows.jsonl --output inflected.jsonl
    ncimp task inflect --lang pt --input - --output -
"""

from __future__ import annotations

import argparse

from ncimp.builder.batch import register_batch, run_batch, text_of
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import Row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Inflect the rows and return the exit code."""
    from ncimp.builder.commands.build import default_packs, languages
    from ncimp.builder.sources.morphology import PackMorphology
    from ncimp.builder.sources.packs import read_pack

    packs = args.packs or default_packs()
    shops = {}
    for lang in languages(args.lang, packs):
        pack = read_pack(packs / lang)
        shops[lang] = PackMorphology(pack.forms, pack.language)

    def answer(row: Row) -> Row:
        kind, text = text_of(row, "kind"), text_of(row, "input")
        if not kind.startswith("plural:"):
            raise SchemaError(f"the kind {kind!r} is not known", fix="ask for a plural")
        form = shops[text_of(row, "lang")].inflect(text, "noun", gender=None, number="pl")
        if form is None:
            raise SchemaError(f"no plural of {text!r} is known", fix="add it to forms.tsv")
        return {**row, "output": form}

    return run_batch(args, answer)
