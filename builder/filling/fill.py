"""The sentences of the grid: every replacement put into every context, inflected, the carrier repaired.

`Substitution` puts one phrase in the place of another, in a sentence whose features are known or in any sentence. A
build knows the features of its compounds and replacements (`replace`); `ncimp task` reads them off the words (`put`).
From there on both make the sentence in the same way.

`Filler` does so for all replacements of a pack. Component-only variants (`head`, `mod`) take over the component's form
as it stands in the compound, and their carrier is repaired only in what the language demands of any neighbour (a / an),
not in agreement: the experts left it, because the component is not the head that the sentence was about.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from ncimp.builder import records
from ncimp.builder.filling import repair
from ncimp.builder.filling.noun_phrases import NounPhrases, frame_features
from ncimp.builder.filling.scene import NewPhrase, plain
from ncimp.builder.grammar import Features, Further, inflect_phrase, match_case, number_of_modifier
from ncimp.builder.ports import Analyser, DependencyParser
from ncimp.builder.records import Compound, FilledItem, Language, LanguagePack, MarkedSentence, Pattern, Replacement
from ncimp.schemas import AgreementError


class Substituted(NamedTuple):
    """A sentence with its new phrase: the changes around it, and the rules that could not decide."""

    sentence: MarkedSentence
    edits: tuple[records.CarrierEdit, ...] = ()
    uncertain: tuple[str, ...] = ()


class Substitution:
    """Puts phrases into sentences of one language."""

    def __init__(
        self,
        language: Language,
        analyser: Analyser,
        rules: Collection[str] = tuple(repair.RULES),
        parser: DependencyParser | None = None,
    ) -> None:
        self._language, self._analyser = language, analyser
        self._repairer = repair.Repairer(language, analyser, rules, parser)
        self.noun_phrases = NounPhrases(self._repairer.reader)

    def replace(
        self,
        sentence: MarkedSentence,
        surface: str,
        old: Features,
        new: Features | None,
        phrase: NewPhrase = repair.NOUN_PHRASE,
    ) -> Substituted:
        """Return *sentence* with *surface*, which is a *phrase*, in the place of its NC, whose features were *old*.

        Without *new* ones, words change only for the sound of the next (a / an). Raises `AgreementError` where a
        marked word has no such form.
        """
        changes = self._repairer.repair(sentence, surface, old, new, phrase)
        edits = [repair.Edit(sentence.span, surface, "replacement"), *changes.edits]
        uncertain = tuple(dict.fromkeys(doubt.rule for doubt in changes.doubts))
        return Substituted(*repair.apply_edits(sentence, edits), uncertain)

    def governed(self, sentence: MarkedSentence, features: Features) -> Features:
        """Return the *features* of the NC with what the determiner before it asks of the words behind it."""
        return self._repairer.governed(sentence, features)

    def disagreeing(self, sentence: MarkedSentence, features: Features) -> tuple[str, str | None] | None:
        """Return a word beside the NC that does not fit its *features*, and what would, or None."""
        return self._repairer.disagreeing(sentence, features)

    def put(self, sentence: MarkedSentence, phrase: str, *, component: bool = False) -> Substituted:
        """Return *sentence*, which nobody has marked, with *phrase* in the place of its NC.

        Its span may have been counted at white space: an elided word before the NC (*l'éminence*) and marks behind it
        stay where they are. A *component* standing alone for the NC leaves its carrier as it was, but for a neutral
        frame and for the sound of its first letter.
        """
        sentence = replace(sentence, span=self._words_of(sentence))
        surface = repair.same_case(phrase, sentence.text) if sentence.span[0] == 0 else phrase
        frame = frame_features(sentence, self._repairer.reader)
        old = self.noun_phrases.in_sentence(sentence)
        if component and frame is None:
            return self.replace(sentence, surface, old, None)
        kind = "noun" if component else self.noun_phrases.kind(phrase)
        if frame is None:
            return self.replace(
                sentence, surface, old, self.noun_phrases.features(phrase, old), NewPhrase(phrase, kind)
            )
        old = Features(frame.gender or old.gender, frame.number)
        if component:
            new = self.noun_phrases.component(phrase, old)
        else:  # an adjective that stands for a noun is masculine
            masculine = Features("m", old.number)
            alone = self.noun_phrases.adjective(phrase, masculine) if kind == "adjective" else None
            new, kind = (alone, "noun") if alone else (self.noun_phrases.features(phrase, old), kind)
        new = Features(new.gender, "pl" if frame.number == "pl" else new.number)
        return self.replace(sentence, surface, old, new, NewPhrase(phrase, kind))

    def _words_of(self, sentence: MarkedSentence) -> records.Span:
        """Return the span of *sentence* without elided words at its begin and marks at its end."""
        start, end = sentence.span
        tokens = [match for match in re.finditer(self._language.token, sentence.text) if start <= match.start() < end]
        cells = (cell for paradigm in self._language.paradigms for cell in paradigm.cells)
        elided = {word for cell in cells for word in cell.joined}
        while len(tokens) > 1 and plain(tokens[0][0].lower()) in elided:
            del tokens[0]
        while len(tokens) > 1 and not any(map(str.isalnum, tokens[-1][0])):
            del tokens[-1]
        return (tokens[0].start(), max(tokens[-1].end(), tokens[0].start())) if tokens else sentence.span


OPENING = " \"'([«“‘¿¡-–—"  # marks that may stand between the end of a sentence and the first word of the next
CLOSING = ".!?…"


class Filler:
    """Fills the contexts of one language pack."""

    def __init__(self, pack: LanguagePack, morphology: Analyser) -> None:
        self._pack = pack
        self._morphology = morphology
        # far agreement is marked in naturalistic contexts, so that only near rules apply there
        self._near = Substitution(pack.language, morphology, repair.NEAR)
        self._in_frames = Substitution(pack.language, morphology)
        self._compounds = {pack.compound_id(compound.text): compound for compound in pack.compounds}
        self._sources = {(row.compound, row.context): row for row in pack.contexts}
        self._licences = {"": pack.language.licence, **{row.corpus: row.licence for row in pack.corpora}}

    def fill(self, replacements: Iterable[Replacement]) -> Iterator[FilledItem]:
        """Yield an item for each replacement in each context of its compound, a few also in its literal context."""
        for replacement in replacements:
            compound = self._compounds[replacement.compound_id]
            literal = (records.LITERAL,) if replacement.variant in records.LITERAL_VARIANTS else ()
            for context in (*records.CONTEXTS, *literal, *records.ATTESTED):
                if (compound.text, context) in self._pack.marked:
                    yield self._item(compound, context, replacement)

    def rephrase(self) -> Iterator[records.Rephrased]:
        """Yield each example with the paraphrase of every sense of its compound, where it is meant in one of them.

        Raises `AgreementError` that names all paraphrases of which a form is missing.
        """
        compounds, faults = {row.text: row for row in self._pack.compounds}, list[str]()
        for place, example in enumerate(self._pack.examples):
            senses = [row for row in self._pack.senses if row.compound == example.row.compound and row.text]
            senses = [row for row in senses if row.kind in records.MEANT]
            for sense in senses if example.row.sense in {row.sense for row in senses} else ():
                try:
                    sentence = self._rephrased(compounds[sense.compound], example, sense)
                except AgreementError as error:
                    faults.append(f"{sense.compound}, {sense.sense}: {error.what}")
                    continue
                yield records.Rephrased(sense.compound, place, sense.sense, sentence.text, sentence.span)
        if faults:
            what = f"{len(faults)} paraphrases of senses.tsv cannot be put in: {'; '.join(dict.fromkeys(faults))}"
            raise AgreementError(what, fix="add the forms of their words to forms.tsv")

    def _rephrased(
        self, compound: Compound, example: records.MarkedExample, sense: records.PackSense
    ) -> MarkedSentence:
        text, base = str(sense.text), example.marked
        if sense.pattern is None or sense.head is None:
            return self._in_frames.put(base, text).sentence
        names: Any = {name: getattr(sense, name) for name in ("modifier", "head", "pattern", "gender")}
        compound_id = self._pack.compound_id(compound.text)
        replacement = Replacement(compound_id, "syn", text, **names, source="senses.tsv")
        return self._replaced(compound, base, example.number, "", replacement)[0].sentence

    def _item(self, compound: Compound, context: str, replacement: Replacement) -> FilledItem:
        substituted, features = self._substituted(compound, context, replacement)
        sentence = substituted.sentence
        tokens, token_span = tokenise(sentence.text, sentence.span, self._pack.language.token)
        row, attested = self._sources.get((compound.text, context)), self._pack.attested.get((compound.text, context))
        return FilledItem(
            id=f"{replacement.compound_id}/{context}/{replacement.variant}",
            lang=self._pack.language.code,
            compound_id=replacement.compound_id,
            compound=compound.text,
            compound_class=compound.compound_class,
            context=context,
            context_kind="neutral" if context in records.NEUTRAL else "naturalistic",
            probe=records.PROBES[replacement.variant],
            variant=replacement.variant,
            sentence=sentence.text,
            span=sentence.span,
            tokens=tokens,
            token_span=token_span,
            replacement=replacement.text,
            pattern=replacement.pattern,
            gender=features.gender,
            number=features.number,
            carrier_edits=substituted.edits,
            uncertain=substituted.uncertain,
            context_source=row.source if row else "corpus" if attested else "frame",
            genre=row.genre if row else None,
            licence=row.licence if row else self._licences[attested.corpus if attested else ""],
            origin="generated",
            published=None,
        )

    def _substituted(self, compound: Compound, context: str, replacement: Replacement) -> tuple[Substituted, Features]:
        number = self._pack.numbers[compound.text, context]
        return self._replaced(compound, self._base(compound, context), number, context, replacement)

    def _replaced(
        self, compound: Compound, base: MarkedSentence, number: records.Number, context: str, replacement: Replacement
    ) -> tuple[Substituted, Features]:
        """Return *base* with *replacement*, and its features; without a *context*, nothing more is asked of the NC."""
        old = self._near.governed(base, Features(compound.gender, number, self._slot(compound, context)))
        # a noun of both genders names the person that the compound named
        new = replace(old, gender=compound.gender if replacement.gender == "c" else replacement.gender)
        if replacement.variant == "orig":
            fault = self._near.disagreeing(base, old)
            if fault is not None:
                advice = f", which would be {fault[1]!r}" if fault[1] else ""
                what = f"{replacement.compound_id}/{context}: {fault[0]!r} does not agree with the compound{advice}"
                raise AgreementError(what, fix="mend the sentence, its gender or its slot, or mark the word {=...}")
            return Substituted(base), new
        surface = self._surface(compound, base, replacement, replace(new, number=number))
        agrees = True
        if replacement.variant in records.COMPONENTS:
            agrees = context in records.NEUTRAL
            alone = self._in_frames.noun_phrases.component(surface, old) if agrees else old
            new = replace(old, gender=alone.gender, number=alone.number)
        try:
            substitution = self._in_frames if context in records.NEUTRAL else self._near
            rows = (("orig", compound.pattern), (replacement.variant, replacement.pattern))
            first, second = (self._begins(*row) for row in rows)
            phrase = NewPhrase(begins=(first, second))
            return substitution.replace(base, surface, old, new if agrees else None, phrase), new
        except AgreementError as error:
            where = f"{replacement.compound_id}/{context}/{replacement.variant}"
            raise AgreementError(f"{where}: {error.what}", fix=error.fix) from None

    def _slot(self, compound: Compound, context: str) -> Further:
        """Return what the sentence asks of its NC besides gender and number: what the table says, else the citation."""
        language, row = self._pack.language, self._sources.get((compound.text, context))
        stated = (row.slot or "").split() if row else []
        features = {
            name: value for name, feature in language.features.items() for value in stated if value in feature.values
        }
        return tuple((dict(language.citation) | features).items())

    def _begins(self, variant: str, pattern: str | None) -> str:
        """Return the part of speech of the first word of a phrase; a component alone stands for a noun."""
        return "noun" if variant in records.COMPONENTS else self._pack.language.patterns[str(pattern)].parts[0]

    def _base(self, compound: Compound, context: str) -> MarkedSentence:
        """Return the original sentence; a neutral frame is first made to agree with its compound."""
        marked = self._pack.marked[compound.text, context]
        if context not in records.NEUTRAL:
            return marked
        features = Features(compound.gender, compound.number, self._pack.language.citation)
        return self._near.replace(marked, marked.text[slice(*marked.span)], features, features).sentence

    def _surface(self, compound: Compound, base: MarkedSentence, replacement: Replacement, features: Features) -> str:
        """Return *replacement* in the form that the slot asks for, with a capital where it begins a sentence."""
        # the NC may also begin a further sentence inside the context
        before = base.text[: base.span[0]].rstrip(OPENING)
        begins = not before or before[-1] in CLOSING
        if replacement.variant in records.COMPONENTS:
            surface = self._component(compound, base, replacement.variant, begins=begins)
        else:
            pattern = self._pack.language.patterns[str(replacement.pattern)]
            # the original's own number in this sentence (sequestros relâmpago, navios fantasmas), a synonym's own
            first: tuple[str, Pattern, str | None]
            first = (base.text[slice(*base.span)], self._pack.language.patterns[compound.pattern], compound.modifier)
            if replacement.variant == "syn":
                first = (replacement.text, pattern, replacement.modifier if pattern.modifier == "fixed" else None)
            form = inflect_phrase(
                self._pack.language,
                pattern,
                modifier=replacement.modifier,
                head=str(replacement.head),
                features=features,
                morphology=self._morphology,
                modifier_number=number_of_modifier(self._pack.language, *first, self._morphology),
            )
            if form is None:
                cell = " ".join(
                    filter(None, (features.gender, features.number, *(value for _, value in features.further)))
                )
                what = f"{replacement.compound_id} {replacement.variant} {replacement.text!r}: no form {cell}"
                raise AgreementError(what, fix="add the forms of its words to forms.tsv")
            surface = form
        return surface[:1].upper() + surface[1:] if begins else surface

    def _component(self, compound: Compound, base: MarkedSentence, variant: str, *, begins: bool) -> str:
        original = base.text[slice(*base.span)]
        pattern = self._pack.language.patterns[compound.pattern]
        parts = self._pack.language.cut(original, pattern, compound.parts)
        if parts is None:
            what = f"{original!r} is not two components joined by {pattern.join!r}"
            raise AgreementError(what, fix=f"mend the pattern of {compound.text!r} or the marked span")
        part = parts[compound.head_index if variant == "head" else 1 - compound.head_index]
        lemma = compound.head if variant == "head" else compound.modifier
        if not pattern.join and variant == "head":  # in capitals where it has them (*Markt*)
            return match_case(lemma, part)
        citation = self._pack.language.components == "citation" and pattern.modifier != "agrees"
        if variant == "mod" and (citation or not pattern.join):
            return lemma
        # the capital of a sentence is not the word's own
        lower = begins and original.startswith(part) and lemma[:1].islower()
        return part[:1].lower() + part[1:] if lower else part


def tokenise(text: str, span: records.Span, pattern: str) -> tuple[tuple[str, ...], records.Span]:
    """Return the tokens of *text*, the matches of *pattern*, and the span of tokens that covers *span*.

    >>> tokenise("An eager beaver.", (3, 15), "[a-zA-Z]+|[.]")
    (('An', 'eager', 'beaver', '.'), (1, 3))
    """
    matches = list(re.finditer(pattern, text))
    inside = [index for index, match in enumerate(matches) if match.start() < span[1] and match.end() > span[0]]
    return tuple(match[0] for match in matches), (inside[0], inside[-1] + 1)
