"""One phrase put in the place of another in any sentence: its kind, its features, and the repair it asks for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ncimp.builder.filling.edits import Edit, apply_edits, same_case
from ncimp.builder.filling.frames import frame_features
from ncimp.builder.filling.nominal import Nominals
from ncimp.builder.filling.reader import Features
from ncimp.builder.filling.repair import NOUN_PHRASE, RULES, Repair, Repairer
from ncimp.builder.filling.sandhi import repair_onset
from ncimp.builder.filling.scene import Phrase
from ncimp.builder.ports import Analyser
from ncimp.builder.records import CarrierEdit, Language, MarkedSentence


@dataclass(frozen=True, slots=True)
class Substituted:
    """A sentence with its new phrase: what was changed around it, and the rules that could not decide."""

    sentence: MarkedSentence
    edits: tuple[CarrierEdit, ...]
    uncertain: tuple[str, ...]


class Substitution:
    """Puts phrases into sentences of one language that nobody has marked."""

    def __init__(self, language: Language, analyser: Analyser, rules: Collection[str] = tuple(RULES)) -> None:
        self._language, self._analyser = language, analyser
        self._repairer = Repairer(language, analyser, rules)
        self._nominals = Nominals(self._repairer.reader)

    def put(self, sentence: MarkedSentence, phrase: str, *, component: bool = False) -> Substituted:
        """Return *sentence* with *phrase* in the place of its NC.

        A *component* standing alone for the NC leaves its carrier as it was, but for a neutral frame and for
        what the sound of its first letter asks.
        """
        frame = frame_features(sentence, self._repairer.reader)
        left_alone = component and frame is None
        repair = Repair((), ()) if left_alone else self._repair(sentence, phrase, frame, component=component)
        surface = same_case(phrase, sentence.text) if sentence.span[0] == 0 else phrase
        edits = [Edit(sentence.span, surface, "replacement"), *repair.edits]
        edits += repair_onset(sentence, surface, language=self._language, morphology=self._analyser)
        made, records = apply_edits(sentence, edits)
        return Substituted(made, records, tuple(dict.fromkeys(doubt.rule for doubt in repair.doubts)))

    def features(self, phrase: str, known: Features | None = None) -> Features:
        """Return the most likely gender and number of *phrase*; see `Nominals.features`."""
        return self._nominals.features(phrase, known)

    def _repair(self, sentence: MarkedSentence, phrase: str, frame: Features | None, *, component: bool) -> Repair:
        old = self._observed(sentence)
        kind = "noun" if component else self._nominals.kind(phrase)
        if frame is None:
            return self._repairer.repair(sentence, old, self._nominals.features(phrase, old), Phrase(phrase, kind))
        old = Features(frame.gender or old.gender, frame.number)
        known = old if component else Features("m", old.number)  # an adjective that stands for a noun is masculine
        alone = self._nominals.adjective(phrase, known) if component or kind == "adjective" else None
        new = alone or self._nominals.features(phrase, old)
        number = "pl" if frame.number == "pl" else new.number
        return self._repairer.repair(
            sentence, old, Features(new.gender, number), NOUN_PHRASE if alone else Phrase(phrase, kind)
        )

    def _observed(self, sentence: MarkedSentence) -> Features:
        """Return the features of the NC as it stands, with the word before it as evidence."""
        before = sentence.text[: sentence.span[0]].split()
        return self._nominals.observed(sentence.text[slice(*sentence.span)], before[-1].lower() if before else "")
