"""Put phrases into the neutral frames of their language: adds `sentence` to each row.

A row names its language (`lang`), a `phrase` and a `context`: `short` (*This is an eager beaver.*), `long` (*This is
what an eager beaver is supposed to be.*), or either in the plural (`short_pl`, `long_pl`), for which the phrase is
put into the plural.

    {"lang": "en", "context": "short_pl", "phrase": "acid test"}

Examples:
    ncimp task neutral --input rows.jsonl --out sentences.jsonl
    ncimp task neutral --lang pt --morphology morphobr --input rows.jsonl --out sentences.jsonl
"""

import argparse

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.commands.task.batch import by_language, register_batch, run_batch, text_of
from ncimp.builder.filling.noun_phrases import NC
from ncimp.builder.filling.substitution import Substitution
from ncimp.builder.grammar.phrases import PhraseForms
from ncimp.builder.sources.packs.packs import read_marked
from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.files import Row

PLURAL = "_pl"
PREFIX = "neut_"
"""Beginning of the names of the frames in a pack."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the task to *parser*."""
    register_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Fill the frames and return the exit code."""
    frames_of = by_language(args, Frames)

    def answer(row: Row) -> Row:
        phrase = text_of(row, "phrase")
        if set(phrase) & set("[]{}"):
            raise SchemaError(f"a bracket in the phrase {phrase!r}", fix="write the phrase alone")
        return {**row, "sentence": frames_of(row).fill(text_of(row, "context"), phrase)}

    return run_batch(args, answer)


class Frames:
    """The neutral frames of one language."""

    def __init__(self, resources: LanguageResources) -> None:
        self._language = resources.pack.language
        self._phrases = PhraseForms(self._language, resources.inflector)
        self._substitution = Substitution(self._language, resources.analyser)

    def fill(self, context: str, phrase: str) -> str:
        """Return the frame *context* with *phrase* in it, or raise `SchemaError` where there is no such frame."""
        name = context.removeprefix(PREFIX)
        frames = self._language.frames.get(PREFIX + name.removesuffix(PLURAL))
        plural = name.endswith(PLURAL)
        if frames is None or (plural and "pl" not in frames):
            names = ", ".join(frame.removeprefix(PREFIX) for frame in self._language.frames)
            raise SchemaError(f"there is no frame {context!r}", fix=f"ask for one of {names}, or with {PLURAL}")
        if plural:
            phrase = self._phrases.in_number(phrase, "pl") or phrase
        frame = read_marked(frames["pl" if plural else "sg"].replace(NC, f"[{phrase}]"), Place("frame"))
        return self._substitution.put(frame, phrase).sentence.text
