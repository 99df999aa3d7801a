"""The sentences of the grid: every replacement put into every context, inflected, the carrier repaired.

Component-only variants (`head`, `mod`) take over the component's form as it stands in the compound,
and their carrier is repaired only in what the language demands of any neighbour (a / an), not in
agreement: the experts left it, because the component is not the head that the sentence was about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from ncimp.builder.filling.edits import Edit, apply_edits
from ncimp.builder.filling.nominal import Nominals
from ncimp.builder.filling.reader import Features
from ncimp.builder.filling.repair import NEAR, Repair, Repairer
from ncimp.builder.filling.sandhi import repair_onset
from ncimp.builder.grammar.phrases import inflect_phrase
from ncimp.builder.ports import Analyser
from ncimp.builder.records import (
    COMPONENTS,
    CONTEXTS,
    LITERAL,
    LITERAL_VARIANTS,
    NEUTRAL,
    PROBES,
    CarrierEdit,
    Compound,
    ContextSource,
    FilledItem,
    LanguagePack,
    MarkedSentence,
    Number,
    Replacement,
    Span,
)
from ncimp.schemas.errors import AgreementError

OPENING = " \"'([«“‘¿¡-–—"
"""Marks that may stand between the end of a sentence and the first word of the next."""

CLOSING = ".!?…"


class Filler:
    """Fills the contexts of one language pack."""

    def __init__(self, pack: LanguagePack, morphology: Analyser) -> None:
        self._pack = pack
        self._morphology = morphology
        self._repairer = Repairer(pack.language, morphology, NEAR)
        self._frames = Repairer(pack.language, morphology)
        self._nominals = Nominals(self._repairer.reader)
        self._compounds = {pack.compound_id(compound.text): compound for compound in pack.compounds}
        self._sources = {(row.compound, row.context): row for row in pack.contexts}

    def fill(self, replacements: Iterable[Replacement]) -> Iterator[FilledItem]:
        """Yield an item for each replacement in each context of its compound, a few also in its literal context."""
        for replacement in replacements:
            compound = self._compounds[replacement.compound_id]
            for context in (*CONTEXTS, LITERAL) if replacement.variant in LITERAL_VARIANTS else CONTEXTS:
                if (compound.text, context) in self._pack.marked:
                    yield self._item(compound, context, replacement)

    def _item(self, compound: Compound, context: str, replacement: Replacement) -> FilledItem:
        base = self._base(compound, context)
        number = self._pack.numbers[compound.text, context]
        surface = self._surface(compound, base, replacement, number)
        old = Features(compound.gender, number)
        new = self._features(replacement, surface, old, context)
        try:
            repair = self._repair(base, replacement, old, new, context)
        except AgreementError as error:
            where = f"{replacement.compound_id}/{context}/{replacement.variant}"
            raise AgreementError(f"{where}: {error.what}", fix=error.fix) from None
        edits = [Edit(base.span, surface, "replacement"), *repair.edits]
        if replacement.variant != "orig":
            edits += repair_onset(base, surface, language=self._pack.language, morphology=self._morphology)
        sentence, carrier_edits = apply_edits(base, edits)
        uncertain = tuple(dict.fromkeys(doubt.rule for doubt in repair.doubts))
        return self._record(compound, context, replacement, new, sentence, carrier_edits, uncertain)

    def _features(self, replacement: Replacement, surface: str, old: Features, context: str) -> Features:
        """Return what the words around *surface* agree with.

        A component alone is looked at only in a neutral frame; elsewhere its carrier stays as it was.
        """
        if replacement.variant not in COMPONENTS:
            return Features(replacement.gender, old.number)
        if context not in NEUTRAL:
            return old
        return self._nominals.adjective(surface, old) or self._nominals.features(surface, old)

    def _repair(
        self, base: MarkedSentence, replacement: Replacement, old: Features, new: Features, context: str
    ) -> Repair:
        if replacement.variant == "orig" or (replacement.variant in COMPONENTS and context not in NEUTRAL):
            return Repair((), ())
        return (self._frames if context in NEUTRAL else self._repairer).repair(base, old, new)

    def _base(self, compound: Compound, context: str) -> MarkedSentence:
        """Return the original sentence; a neutral frame is first made to agree with its compound."""
        marked = self._pack.marked[compound.text, context]
        if context not in NEUTRAL:
            return marked
        features = Features(compound.gender, compound.number)
        edits = self._repairer.repair(marked, features, features).edits
        onset = repair_onset(marked, compound.text, language=self._pack.language, morphology=self._morphology)
        return apply_edits(marked, [*edits, *onset])[0]

    def _surface(self, compound: Compound, base: MarkedSentence, replacement: Replacement, number: Number) -> str:
        """Return *replacement* in the form that the slot asks for."""
        original = base.text[slice(*base.span)]
        if replacement.variant == "orig":
            return original
        if replacement.variant in COMPONENTS:
            return _in_place(base, self._component(compound, base, replacement.variant))
        pattern = self._pack.language.patterns[str(replacement.pattern)]
        surface = inflect_phrase(
            pattern,
            modifier=replacement.modifier,
            head=str(replacement.head),
            gender=replacement.gender,
            number=number,
            morphology=self._morphology,
        )
        if surface is None:
            what = f"{replacement.text!r} has no {number} form for {replacement.compound_id}"
            raise AgreementError(what, fix="add the forms of its words to forms.tsv")
        return _in_place(base, surface)

    def _component(self, compound: Compound, base: MarkedSentence, variant: str) -> str:
        """Return the head or modifier as it stands in the compound's form in the sentence *base*."""
        original = base.text[slice(*base.span)]
        pattern = self._pack.language.patterns[compound.pattern]
        parts = re.split(re.escape(pattern.join), original)
        if len(parts) != len(pattern.parts):
            what = f"{original!r} is not two components joined by {pattern.join!r}"
            raise AgreementError(what, fix=f"mend the pattern of {compound.text!r} or the marked span")
        part = parts[compound.head_index if variant == "head" else 1 - compound.head_index]
        lemma = compound.head if variant == "head" else compound.modifier
        begins = original.startswith(part) and _begins(base)
        # the capital of a sentence is not the word's own
        return part[:1].lower() + part[1:] if begins and lemma[:1].islower() else part

    def _record(
        self,
        compound: Compound,
        context: str,
        replacement: Replacement,
        features: Features,
        sentence: MarkedSentence,
        edits: tuple[CarrierEdit, ...],
        uncertain: tuple[str, ...],
    ) -> FilledItem:
        tokens, token_span = tokenise(sentence.text, sentence.span, self._pack.language.token)
        kind: Literal["naturalistic", "neutral"] = "neutral" if context in NEUTRAL else "naturalistic"
        row = self._sources.get((compound.text, context))
        source: ContextSource = row.source if row else "frame"
        return FilledItem(
            id=f"{replacement.compound_id}/{context}/{replacement.variant}",
            lang=self._pack.language.code,
            compound_id=replacement.compound_id,
            compound=compound.text,
            compound_class=compound.compound_class,
            context=context,
            context_kind=kind,
            probe=PROBES[replacement.variant],
            variant=replacement.variant,
            sentence=sentence.text,
            span=sentence.span,
            tokens=tokens,
            token_span=token_span,
            replacement=replacement.text,
            pattern=replacement.pattern,
            gender=features.gender if replacement.variant in COMPONENTS else replacement.gender,
            number=features.number,
            carrier_edits=edits,
            uncertain=uncertain,
            context_source=source,
            genre=row.genre if row else None,
            licence=row.licence if row else self._pack.language.licence,
        )


def _in_place(sentence: MarkedSentence, surface: str) -> str:
    """Return *surface* with a capital where the NC begins the sentence, and as it is elsewhere."""
    return surface[:1].upper() + surface[1:] if _begins(sentence) else surface


def _begins(sentence: MarkedSentence) -> bool:
    """Tell whether the NC begins its sentence, or a further sentence inside the context."""
    before = sentence.text[: sentence.span[0]].rstrip(OPENING)
    return not before or before[-1] in CLOSING


def tokenise(text: str, span: Span, pattern: str) -> tuple[tuple[str, ...], Span]:
    """Return the tokens of *text*, the matches of *pattern*, and the span of tokens that covers *span*.

    >>> tokenise("An eager beaver.", (3, 15), "[a-zA-Z]+|[.]")
    (('An', 'eager', 'beaver', '.'), (1, 3))
    """
    matches = list(re.finditer(pattern, text))
    inside = [index for index, match in enumerate(matches) if match.start() < span[1] and match.end() > span[0]]
    return tuple(match[0] for match in matches), (inside[0], inside[-1] + 1)
