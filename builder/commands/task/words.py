"""The tasks on words and phrases: inflect them, find synonyms of a component."""

import argparse
from collections.abc import Callable
from functools import cache

from ncimp.builder.commands.options import command, flag, number, option
from ncimp.builder.commands.task import BATCH, by_language, optional_text, resources_by_language, run_batch, text_of
from ncimp.builder.grammar.phrases import PhraseForms
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.selection.synonyms import LIMIT, READINGS, Component, Synonym, SynonymFinder
from ncimp.builder.selection.votes import explain
from ncimp.builder.sources.collection import Collection, find_lexicon, open_lexicons
from ncimp.builder.sources.frequencies import NoFrequencies, WordfreqTable
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import pack_names, packs_folder
from ncimp.builder.sources.registry import data_folder
from ncimp.schemas import Row, SchemaError, SourceError


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
        ncimp task inflect --lang pt --morphology morphobr --input rows.jsonl --out inflected.jsonl
        ncimp task inflect --lang pt --input - --out -
    """
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


@command(
    *BATCH,
    option(
        "--lexicon",
        action="append",
        required=True,
        metavar="[LANG=]NAME|PATH",
        help="a lexicon to ask (repeatable); LANG= for one that does not state its language",
    ),
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
    packs, data = args.packs or packs_folder(), data_folder(args.data)
    lexicons = open_lexicons([find_lexicon(text, packs, Collection(data)) for text in args.lexicon], data=data)
    langs = sorted(lexicons)
    with_pack = [lang for lang in langs if lang in pack_names(packs)]
    resources = resources_by_language(argparse.Namespace(**{**vars(args), "lang": with_pack}))
    finders = {}
    for lang in langs:
        try:
            frequencies: FrequencyTable = WordfreqTable(lang)
        except SourceError:  # frequencies only decide between candidates that are alike
            frequencies = NoFrequencies()
        language = resources.get(lang)
        finders[lang] = SynonymFinder(
            lexicons[lang],
            frequencies=frequencies,
            morphology=language.inflector if language else PackMorphology(),
            pack=language.pack if language else None,
        )
    return finders
