"""One phrase put in the place of another: in a sentence whose features are known, or in any sentence.

A build knows the features of its compounds and replacements (`replace`); `ncimp task` reads them off the words
(`put`). From there on both make the sentence in the same way.
"""

from collections.abc import Collection
from dataclasses import dataclass

from ncimp.builder.filling.noun_phrases import NounPhrases, frame_features
from ncimp.builder.filling.repair import (
    NOUN_PHRASE,
    RULES,
    Edit,
    Repair,
    Repairer,
    apply_edits,
    repair_onset,
    same_case,
)
from ncimp.builder.filling.scene import NewPhrase
from ncimp.builder.grammar.features import Features
from ncimp.builder.ports import Analyser
from ncimp.builder.records import CarrierEdit, Language, MarkedSentence


@dataclass(frozen=True, slots=True)
class Substituted:
    """A sentence with its new phrase: the changes around it, and the rules that could not decide."""

    sentence: MarkedSentence
    edits: tuple[CarrierEdit, ...] = ()
    uncertain: tuple[str, ...] = ()


class Substitution:
    """Puts phrases into sentences of one language."""

    def __init__(self, language: Language, analyser: Analyser, rules: Collection[str] = tuple(RULES)) -> None:
        self._language, self._analyser = language, analyser
        self._repairer = Repairer(language, analyser, rules)
        self.noun_phrases = NounPhrases(self._repairer.reader)

    def replace(
        self,
        sentence: MarkedSentence,
        surface: str,
        agreement: tuple[Features, Features] | None,
        phrase: NewPhrase = NOUN_PHRASE,
    ) -> Substituted:
        """Return *sentence* with *surface*, which is a *phrase*, in the place of its NC.

        *agreement* holds the old and the new features of the NC; without it, words change only for the sound of
        the next (a / an). Raises `AgreementError` where a marked word has no such form.
        """
        repair = self._repairer.repair(sentence, *agreement, phrase) if agreement else Repair((), ())
        edits = [Edit(sentence.span, surface, "replacement"), *repair.edits]
        edits += repair_onset(sentence, surface, language=self._language, morphology=self._analyser)
        uncertain = tuple(dict.fromkeys(doubt.rule for doubt in repair.doubts))
        return Substituted(*apply_edits(sentence, edits), uncertain)

    def put(self, sentence: MarkedSentence, phrase: str, *, component: bool = False) -> Substituted:
        """Return *sentence*, which nobody has marked, with *phrase* in the place of its NC.

        A *component* standing alone for the NC leaves its carrier as it was, but for a neutral frame and for
        the sound of its first letter.
        """
        surface = same_case(phrase, sentence.text) if sentence.span[0] == 0 else phrase
        frame = frame_features(sentence, self._repairer.reader)
        if component and frame is None:
            return self.replace(sentence, surface, None)
        old = self.noun_phrases.in_sentence(sentence)
        kind = "noun" if component else self.noun_phrases.kind(phrase)
        if frame is None:
            agreement = old, self.noun_phrases.features(phrase, old)
            return self.replace(sentence, surface, agreement, NewPhrase(phrase, kind))
        old = Features(frame.gender or old.gender, frame.number)
        if component:
            new = self.noun_phrases.component(phrase, old)
        else:  # an adjective that stands for a noun is masculine
            masculine = Features("m", old.number)
            alone = self.noun_phrases.adjective(phrase, masculine) if kind == "adjective" else None
            new, kind = (alone, "noun") if alone else (self.noun_phrases.features(phrase, old), kind)
        new = Features(new.gender, "pl" if frame.number == "pl" else new.number)
        return self.replace(sentence, surface, (old, new), NewPhrase(phrase, kind))
