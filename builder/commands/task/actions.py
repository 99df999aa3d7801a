"""The tasks: put a phrase into a sentence or a neutral frame, check agreement, inflect, and find synonyms."""

import argparse
from collections.abc import Callable
from functools import cache
from typing import TypeVar, get_args

from ncimp.builder.build.resources import LanguageResources, SpacyParser
from ncimp.builder.commands.options import command, flag, number, option
from ncimp.builder.commands.task import (
    BATCH,
    by_language,
    optional_text,
    resources_by_language,
    run_batch,
    text_of,
    word_span,
)
from ncimp.builder.filling.fill import Substitution
from ncimp.builder.filling.noun_phrases import NC
from ncimp.builder.filling.repair import RULES
from ncimp.builder.grammar import PhraseForms
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import COMPONENTS, Gender, MarkedSentence, Number
from ncimp.builder.selection.synonyms import LIMIT, READINGS, Component, Synonym, SynonymFinder
from ncimp.builder.selection.votes import explain
from ncimp.builder.sources.collection import Collection, find_lexicon, open_lexicons
from ncimp.builder.sources.frequencies import NoFrequencies, WordfreqTable
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.builder.sources.packs.packs import pack_names
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.schemas import Place, Row, SchemaError, SourceError
from ncimp.schemas.records import to_row

ALONE = ("comp_", "generic_")  # beginnings of the experts' names of variants of a single component
PREFIX, PLURAL = "neut_", "_pl"  # around the names of the frames of a pack: `short_pl` is `neut_short` in the plural
PARSER = "a spaCy pipeline that finds far agreement: an installed one, or its folder (repeatable, one a language)"
SENSES = "a lexicon to ask (repeatable); LANG= for one that does not state its language"
Feature = TypeVar("Feature", Gender, Number)


@command(
    *BATCH,
    option(
        "--without", "switch a rule off: %(choices)s", action="append", default=[], choices=[*RULES], metavar="RULE"
    ),
    option("--parser", PARSER, action="append", default=[], metavar="NAME|FOLDER"),
)
def run_repair(args: argparse.Namespace) -> int:
    """Put a phrase in the place of another and repair the sentence: adds `sentence`, `edits` and `uncertain`.

    A row names its language (`lang`), the sentence (`source`), the words to replace (`source_span`: first and last + 1,
    counted from 0 at the white space) and the `substitute`. A row whose `variant_type` is a single component (`head`,
    `mod`, `comp_...`, `generic_...`) leaves its carrier as it was, but for neutral frames.

        {"lang": "pt", "source": "Ele viu um disco voador .", "source_span": [3, 5], "substitute": "nave espacial"}

    `edits` lists the changes outside the phrase: where the word now starts, before, after, and the rule. `uncertain`
    names the rules that could not decide on a word: a person should look. A parser finds words that agree from farther
    away than the rules look; scripts/train_parser.py trains a small one from a treebank.

    Examples:
        ncimp task repair --input rows.jsonl --out repaired.jsonl
        ncimp task repair --parser pt-parser --input rows.jsonl --out repaired.jsonl
        ncimp task repair --morphology pt=bosque.conllu --input - --out -
        ncimp task repair --without "main clause" --input rows.jsonl --out repaired.jsonl
    """
    rules = [name for name in RULES if name not in args.without]
    parsers = {parser.lang: parser for parser in map(SpacyParser, args.parser)}
    substitution_of = by_language(
        args, lambda part: Substitution(part.pack.language, part.analyser, rules, parsers.get(part.lang))
    )

    def answer(row: Row) -> Row:
        variant = row.get("variant_type")
        component = isinstance(variant, str) and (variant in COMPONENTS or variant.startswith(ALONE))
        text = text_of(row, "source")
        words = text.split(" ")
        first, end = word_span(row, "source_span", words)
        start = sum(len(word) + 1 for word in words[:first])
        sentence = MarkedSentence(text, (start, start + len(" ".join(words[first:end]))))
        phrase = text_of(row, "substitute")
        repaired = substitution_of(row).put(sentence, phrase, component=component)
        edits = [to_row(edit) for edit in repaired.edits]
        return {**row, "sentence": repaired.sentence.text, "edits": edits, "uncertain": list(repaired.uncertain)}

    return run_batch(args, answer)


@command(*BATCH)
def run_neutral(args: argparse.Namespace) -> int:
    """Put phrases into the neutral frames of their language: adds `sentence` to each row.

    A row names its language (`lang`), a `phrase` and a `context`: `short` (*This is an eager beaver.*), `long` (*This
    is what an eager beaver is supposed to be.*), or either in the plural (`short_pl`, `long_pl`), for which the phrase
    is put into the plural.

        {"lang": "en", "context": "short_pl", "phrase": "acid test"}

    Examples:
        ncimp task neutral --input rows.jsonl --out sentences.jsonl
        ncimp task neutral --lang pt --input rows.jsonl --out sentences.jsonl
    """
    fill_of = by_language(args, frame_filler)

    def answer(row: Row) -> Row:
        phrase = text_of(row, "phrase")
        if set(phrase) & set("[]{}"):
            raise SchemaError(f"a bracket in the phrase {phrase!r}", fix="write the phrase alone")
        return {**row, "sentence": fill_of(row)(text_of(row, "context"), phrase)}

    return run_batch(args, answer)


def frame_filler(resources: LanguageResources) -> Callable[[str, str], str]:
    """Return a function of a context and a phrase that puts the phrase into that neutral frame of the language."""
    language = resources.pack.language
    phrases, substitution = PhraseForms(language, resources.inflector), Substitution(language, resources.analyser)

    def fill(context: str, phrase: str) -> str:
        name = context.removeprefix(PREFIX)
        frames = language.frames.get(PREFIX + name.removesuffix(PLURAL), {})
        number: Number = "pl" if name.endswith(PLURAL) else "sg"
        if number not in frames:
            names = ", ".join(frame.removeprefix(PREFIX) for frame in language.frames)
            raise SchemaError(f"there is no frame {context!r}", fix=f"ask for one of {names}, or with {PLURAL}")
        if number == "pl":
            phrase = phrases.in_number(phrase, "pl") or phrase
        frame = read_marked(frames[number].replace(NC, f"[{phrase}]"), Place("frame"))
        return substitution.put(frame, phrase).sentence.text

    return fill


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
        ncimp task check --morphology pt=bosque.conllu --input - --out -
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
    text = optional_text(row, key)
    value = next((value for value in values if value == text), None)
    if text is not None and value is None:
        raise SchemaError(f"the {key} {text!r} is not known", fix=f"write one of {', '.join(values)}, or leave it out")
    return value


@command(*BATCH)
def run_inflect(args: argparse.Namespace) -> int:
    """Inflect words and phrases: adds `output` to each row.

    A row names its language (`lang`), the inflection (`kind`; text behind a colon is a label) and the word or phrase
    (`input`):

        {"lang": "en", "kind": "plural:nc", "input": "sister-in-law"}

        plural, singular     the phrase in that number
        feminine, masculine  the phrase in that gender, as far as its head has it
        modagree             the phrase with `new_head` for its head, its modifiers agreeing with that
        nat                  the phrase in the number that the compound `nc` has in the form `nc_form`

    A row `modagree:X` without `new_head` takes the head of the last row `plural:X` of the same `compound`. A row `nat`
    without `nc_form` comes back as it is, marked `"uncertain": ["number"]`.

    Examples:
        ncimp task inflect --input rows.jsonl --out inflected.jsonl
        ncimp task inflect --lang pt --morphology forms.tsv --input rows.jsonl --out inflected.jsonl
        ncimp task inflect --lang pt --input - --out -
    """
    phrases_of = by_language(args, lambda language: PhraseForms(language.pack.language, language.inflector))
    compound: tuple[str, str | None] | None = None
    heads: dict[str, str] = {}  # by label, of the rows of one compound

    def answer(row: Row) -> Row:
        nonlocal compound
        kind, _, label = text_of(row, "kind").partition(":")
        text, phrases, earlier = text_of(row, "input"), phrases_of(row), compound
        compound = text_of(row, "lang"), optional_text(row, "compound")
        if compound != earlier:
            heads.clear()
        if kind == "plural":
            heads[label] = phrases.head_of(text)
        output = _inflect(row, kind, text, phrases, heads.get(label))
        if output is None:
            what = f"no form of {text!r} is known that the kind {kind!r} asks for"
            raise SchemaError(what, fix="see [inflection] in docs/how-to/new-language.md")
        unknown = kind == "nat" and optional_text(row, "nc_form") is None
        return {**row, "output": output, **({"uncertain": ["number"]} if unknown else {})}

    return run_batch(args, answer)


def _inflect(row: Row, kind: str, text: str, phrases: PhraseForms, earlier_head: str | None) -> str | None:
    match kind:
        case "plural" | "singular":
            return phrases.in_number(text, "pl" if kind == "plural" else "sg")
        case "feminine" | "masculine":
            return phrases.in_gender(text, "f" if kind == "feminine" else "m")
        case "modagree":
            head = optional_text(row, "new_head") or earlier_head
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


@command(
    *BATCH,
    option("--lexicon", SENSES, action="append", required=True, metavar="[LANG=]NAME|PATH"),
    number("--limit", LIMIT, "most candidates"),
    flag("--explain", "add the reasons of each candidate"),
)
def run_synonyms(args: argparse.Namespace) -> int:
    """Find synonyms of the components of compounds: adds `candidates` to each row, best first.

    A row names its language (`lang`), the compound, the component (`role`: head or mod) and the word as it stands there
    (`word`). Candidates come in the form of that word: *orais* for *vocais*. With --explain, each has its reasons in
    `explanations`: the offer of every lexicon, the votes, and its frequency.

        {"lang": "pt", "compound": "cordas vocais", "role": "mod", "word": "vocais"}

    A lexicon is WN-LMF (plain or packed), a MyThes thesaurus (.dat), a folder of Princeton WordNet, or the id of a
    pack's own (ncimp-en). Several vote. A wordnet that takes its relations from another needs that one, too.

    Examples:
        ncimp task synonyms --lexicon oewn-2025.xml.xz --input rows.jsonl --out synonyms.jsonl
        ncimp task synonyms --lang pt --lexicon th_pt_PT_v2.dat --lexicon th_pt_BR.dat --explain --input - --out -
        ncimp task synonyms --lang pt --lexicon omw-pt.xml.xz --lexicon oewn-2025.xml.xz --input - --out -
    """
    finders = _finders(args)

    @cache
    def synonyms_of(lang: str, component: Component) -> list[Synonym]:
        if lang not in finders:
            fix = f"name one with --lexicon (those named are of {', '.join(finders)})"
            raise SchemaError(f"no lexicon of {lang!r}", fix=fix)
        return finders[lang].of_word(component, args.limit)

    def answer(row: Row) -> Row:
        role = next((role for role in READINGS if role == text_of(row, "role")), None)
        if role is None:
            raise SchemaError(f"the role {row['role']!r} is not known", fix=f"use {' or '.join(READINGS)}")
        component = Component(text_of(row, "compound"), role, text_of(row, "word"))
        synonyms = synonyms_of(text_of(row, "lang"), component)
        row = {**row, "candidates": [one.form for one in synonyms]}
        if args.explain:
            row["explanations"] = [list(explain(one.row, component.word)) for one in synonyms]
        return row

    return run_batch(args, answer)


def _finders(args: argparse.Namespace) -> dict[str, SynonymFinder]:
    """Return a finder for each language of the lexicons, so that a file that cannot be read ends the command."""
    collection = Collection(args.data)
    lexicons = open_lexicons([find_lexicon(text, args.packs, collection) for text in args.lexicon], data=args.data)
    with_pack = sorted(lexicons.keys() & set(pack_names(args.packs)))
    resources = resources_by_language(argparse.Namespace(**{**vars(args), "lang": with_pack}))
    finders = {}
    for lang, lexicon in sorted(lexicons.items()):
        try:
            frequencies: FrequencyTable = WordfreqTable(lang)
        except SourceError:  # frequencies only decide between candidates that are alike
            frequencies = NoFrequencies()
        language = resources.get(lang)
        finders[lang] = SynonymFinder(
            lexicon,
            frequencies=frequencies,
            morphology=language.inflector if language else PackMorphology(),
            pack=language.pack if language else None,
        )
    return finders
