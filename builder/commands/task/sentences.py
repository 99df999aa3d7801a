"""The tasks on sentences: put a phrase into one, put a phrase into a neutral frame, check agreement."""

import argparse
from typing import TypeVar, get_args

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.commands.options import command, option
from ncimp.builder.commands.task import BATCH, by_language, optional_text, run_batch, text_of, word_span
from ncimp.builder.filling.fill import Substitution
from ncimp.builder.filling.noun_phrases import NC
from ncimp.builder.filling.repair import RULES
from ncimp.builder.grammar.phrases import PhraseForms
from ncimp.builder.records import COMPONENTS, Gender, MarkedSentence, Number
from ncimp.builder.sources.packs.packs import read_marked
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.schemas import Place, Row, SchemaError
from ncimp.schemas.records import to_row

ALONE = ("comp_", "generic_")
"""Beginnings of the names that the experts' files give to variants of a single component."""

PREFIX, PLURAL = "neut_", "_pl"
"""Beginning of the names of the frames in a pack, and end of the names of contexts in the plural."""

Feature = TypeVar("Feature", Gender, Number)


@command(
    *BATCH,
    option(
        "--without",
        action="append",
        default=[],
        choices=list(RULES),
        metavar="RULE",
        help="switch a rule off: %(choices)s",
    ),
)
def run_repair(args: argparse.Namespace) -> int:
    """Put a phrase in the place of another and repair the sentence: adds `sentence`, `edits` and `uncertain`.

    A row names its language (`lang`), the sentence (`source`), the words to replace (`source_span`: first and last + 1,
    counted from 0 at the white space) and the `substitute`. A row whose `variant_type` is a single component (`head`,
    `mod`, `comp_...`, `generic_...`) leaves its carrier as it was, but for neutral frames.

        {"lang": "pt", "source": "Ele viu um disco voador .", "source_span": [3, 5], "substitute": "nave espacial"}

    `edits` lists the changes outside the phrase: where the word now starts, before, after, and the rule. `uncertain`
    names the rules that could not decide on a word: a person should look.

    Examples:
        ncimp task repair --input rows.jsonl --out repaired.jsonl
        ncimp task repair --morphology pt=morphobr.dict.xz --morphology pt=bosque.conllu --input - --out -
        ncimp task repair --without "main clause" --input rows.jsonl --out repaired.jsonl
    """
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


@command(*BATCH)
def run_neutral(args: argparse.Namespace) -> int:
    """Put phrases into the neutral frames of their language: adds `sentence` to each row.

    A row names its language (`lang`), a `phrase` and a `context`: `short` (*This is an eager beaver.*), `long` (*This
    is what an eager beaver is supposed to be.*), or either in the plural (`short_pl`, `long_pl`), for which the phrase
    is put into the plural.

        {"lang": "en", "context": "short_pl", "phrase": "acid test"}

    Examples:
        ncimp task neutral --input rows.jsonl --out sentences.jsonl
        ncimp task neutral --lang pt --morphology morphobr --input rows.jsonl --out sentences.jsonl
    """
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


@command(*BATCH)
def run_check(args: argparse.Namespace) -> int:
    """Check that everything around a phrase agrees with it: adds `incidents`.

    A row names its language (`lang`), the `sentence`, and the words of the phrase (`span`: first and last + 1, counted
    from 0 at the white space). `gender` (m, f) and `number` (sg, pl) are the phrase's; without them its words decide.

        {"lang": "pt", "sentence": "Ele viu uma disco voador .", "span": [3, 5]}

    `incidents` lists the words that cannot agree, as far as the lexicons know them: code, index of the word, the word,
    and what to do. Nothing is listed where a reading of the word agrees, or the structure is not certain. The checks
    share no rule with `ncimp task repair`; `ncimp validate --codes` explains the codes.

    Examples:
        ncimp task check --input rows.jsonl --out checked.jsonl
        ncimp task check --morphology pt=morphobr.dict.xz --morphology pt=bosque.conllu --input - --out -
    """
    checker_of = by_language(args, lambda language: AgreementChecker(language.pack.language, language.analyser))

    def answer(row: Row) -> Row:
        checker = checker_of(row)
        words = text_of(row, "sentence").split(" ")
        start, end = word_span(row, "span", words)
        gender, number = _feature(row, "gender", get_args(Gender)), _feature(row, "number", get_args(Number))
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
