"""Put phrases into the neutral frames of their language: adds `sentence` to each row.

A row names its language (`lang`), a `phrase` and a `context`: `short` (*This is an eager beaver.*), `long` (*This is
what an eager beaver is supposed to be.*), or either in the plural (`short_pl`, `long_pl`), for which the phrase is
put into the plural.

    {"lang": "en", "context": "short_pl", "phrase": "acid test"}

Examples:
    ncimp task neutral --input rows.jsonl --output sentences.jsonl
    ncimp task neutral --lang pt --morphology morphobr --input rows.jsonl --output sentences.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache

from ncimp.builder.commands.options.batch import register_batch, run_batch, text_of
from ncimp.builder.commands.task.resources import Toolbox, register_morphology, toolbox_of, toolboxes
from ncimp.builder.filling.noun_phrases import NC
from ncimp.builder.filling.substitution import Substitution
from ncimp.builder.grammar.phrases import PhraseForms
from ncimp.builder.records import Language
from ncimp.builder.sources.packs.markup import read_marked
from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.files import Row

PLURAL = "_pl"
PREFIX = "neut_"
"""What the names of the frames in a pack begin with."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)
    register_morphology(parser)
    help_text = "taken as every task takes it; frames ask no synonyms"
    parser.add_argument("--lexicon", action="append", default=[], metavar="NAME|PATH", help=help_text)


def run(args: argparse.Namespace) -> int:
    """Fill the frames and return the exit code."""
    boxes = toolboxes(args)

    @cache
    def frames_of(lang: str) -> Frames:
        return Frames(toolbox_of(lang, boxes))

    return run_batch(args, lambda row: _answer(row, frames_of))


class Frames:
    """The neutral frames of one language, filled."""

    def __init__(self, box: Toolbox) -> None:
        self._language: Language = box.pack.language
        self._phrases = PhraseForms(box.pack.language, box.inflector)
        self._substitution = Substitution(box.pack.language, box.analyser)

    def filled(self, context: str, phrase: str) -> str:
        """Return the frame *context* with *phrase* in it, or raise `SchemaError` where there is no such frame."""
        name = context.removeprefix(PREFIX)
        frames = self._language.frames.get(PREFIX + name.removesuffix(PLURAL))
        plural = name.endswith(PLURAL)
        if frames is None or (plural and "pl" not in frames):
            known = ", ".join(frame.removeprefix(PREFIX) for frame in self._language.frames)
            raise SchemaError(f"there is no frame {context!r}", fix=f"ask for one of {known}, or with {PLURAL}")
        if plural:
            phrase = self._phrases.in_number(phrase, "pl") or phrase
        frame = read_marked(frames["pl" if plural else "sg"].replace(NC, f"[{phrase}]"), Place("frame"))
        return self._substitution.put(frame, phrase).sentence.text


def _answer(row: Row, frames_of: Callable[[str], Frames]) -> Row:
    phrase = text_of(row, "phrase")
    if set(phrase) & set("[]{}"):
        raise SchemaError(f"a bracket in the phrase {phrase!r}", fix="write the phrase alone")
    return {**row, "sentence": frames_of(text_of(row, "lang")).filled(text_of(row, "context"), phrase)}
