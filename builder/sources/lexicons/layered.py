"""Several lexicons as one `Analyser`, in an order of trust.

1. the pack's `forms.tsv`: what a person has checked is right, and comes before every other reading of the
   same part of speech;
2. full-form lexicons (MorphoBr, UniMorph, tables), in the order given;
3. treebanks: their counts put the readings of 2 in order, for a lexicon that lists every gender a word could
   have (*caixa*, m and f) does not say which is usual; what only a treebank knows comes after 2;
4. the rules of the pack, for a form that nobody knows, and between readings that nothing else tells apart; with
   *widely*, for other parts of speech of a form that only the pack knows, too.

Between parts of speech, counts decide where there are any, and the order of trust otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from ncimp.builder.ports import Morphology
from ncimp.builder.records import Form, Gender, Number, Onset
from ncimp.builder.sources.lexicons.counts import CACHED, PROPER, Counts
from ncimp.builder.sources.lexicons.entries import PARTICIPLE, Entry
from ncimp.builder.sources.lexicons.merging import (
    LEXICON,
    PACK,
    TREEBANK,
    Known,
    compatible,
    fits,
    merge,
    says_something,
    to_entry,
    unlikeness,
)
from ncimp.builder.sources.lexicons.pack_forms import PackMorphology
from ncimp.builder.sources.lexicons.store import FormStore, open_lexicon

CITED_VERB = "Mood=Ind|Person=3|Tense=Pres"
"""The form of a verb that `inflect` gives: the one that a noun phrase as subject asks for."""


class LayeredMorphology:
    """Forms out of a pack, lexicons, treebanks and rules (an `Analyser`)."""

    def __init__(
        self,
        pack: PackMorphology,
        lexicons: Sequence[FormStore] = (),
        *,
        rules: Morphology | None = None,
        widely: bool = False,
    ) -> None:
        self._pack = pack
        self._lexicons = [store for store in lexicons if not store.counted]
        self._counts = Counts(lexicons)
        self._rules, self._widely = rules, widely
        # words come back; a method that is wrapped here forgets with its object what it has found
        self._analyse = lru_cache(CACHED)(self._analysed)
        self._read = lru_cache(CACHED)(self._as_forms)
        self.knows = lru_cache(CACHED)(self._is_known)
        """Tell whether the pack, a lexicon or a treebank has a form (any case)."""
        self._turn = lru_cache(CACHED)(self._turned)

    def readings(self, form: str) -> Sequence[Form]:
        """Return every known reading of *form* (any case), the most trusted and most counted first."""
        return self._read(form)

    def analyses(self, form: str) -> Sequence[Entry]:
        """Return what `readings` returns as entries, which tell tense, person, degree and participles."""
        return self._analyse(form)

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of the same word with these features and everything else the same, or None."""
        return self._turn(form, pos, gender, number)

    def inflect(self, lemma: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of *lemma* with these features, or None when it is not known.

        Without *gender*, a noun keeps that of its lemma. Of a verb, the form of the third person of the present.
        """
        stated = self._pack.inflect(lemma, pos, gender=gender, number=number)
        if stated is not None:
            return stated
        forms = self._inflected(lemma, pos)
        feats = CITED_VERB if pos == "verb" else min((entry.feats for _, entry in forms), key=_plainness, default="")
        own = gender or next((entry.gender for _, entry in forms if entry.form == lemma), None)
        fitting = [known for known in forms if known[1].feats == feats]
        guess = self._rules.inflect(lemma, pos, gender=gender, number=number) if self._rules else None
        return self._best(fitting, gender=own, number=number, like=guess) or guess

    def gender(self, noun: str) -> Gender | None:
        """Return the usual gender of the noun lemma *noun*, or None where it serves all, has none or is not known."""
        found = [entry for entry in self.analyses(noun) if entry.pos == "noun"]
        if found:
            return next((entry for entry in found if entry.lemma == noun), found[0]).gender
        return self._rules.gender(noun) if self._rules else None

    def onset(self, word: str) -> Onset:
        """Return what the first sound of *word* counts as, by the patterns of the pack."""
        return self._pack.onset(word)

    def _is_known(self, form: str) -> bool:
        listed = any(store.readings(form) for store in self._lexicons)
        return listed or self._pack.knows(form) or bool(self._counts.of_form(form))

    def tally(self, form: str) -> dict[str, int]:
        """Return how often *form* is each part of speech in the treebanks."""
        return self._counts.tally(form, participle=self.is_participle(form))

    def count(self, reading: Form) -> int:
        """Return how often the treebanks have the form so read, and a noun's lemma in that gender."""
        times, _, gender = self._counts.weight(to_entry(reading))
        return times + gender

    def is_participle(self, form: str) -> bool:
        """Tell whether *form* may be a participle that agrees."""
        return any(entry.pos == "adj" and PARTICIPLE in entry.feats for entry in self.analyses(form))

    def _as_forms(self, form: str) -> tuple[Form, ...]:
        stated = {to_entry(reading): reading for reading in self._pack.readings(form)}
        found = (stated.get(entry) or Form(*entry[:5], onset=None) for entry in self.analyses(form))
        return tuple(dict.fromkeys(found))

    def _analysed(self, form: str) -> tuple[Entry, ...]:
        trusted = [(PACK, to_entry(reading)) for reading in self._pack.readings(form)]
        trusted += [(LEXICON, entry) for store in self._lexicons for entry in store.readings(form)]
        guesses = [to_entry(reading) for reading in self._rules.readings(form)] if self._rules else []
        known = merge(trusted, self._counts.of_form(form), genders=self._counts.genders, guesses=guesses)
        if form == form.lower():  # a name is written with a capital
            known = [one for one in known if PROPER not in one[1].feats] or known
        ordered = [entry for _, entry in self._ordered(form, known, guesses)]
        if not any(says_something(one) for one in known):
            return (*guesses, *ordered)
        # a pack lists what its own sentences need: it does not say that *sweet*, an adjective there, is never a noun
        open_to_more = self._widely and all(level == PACK for level, _ in known)
        stated = {entry.pos for _, entry in known}
        return (*ordered, *(guess for guess in guesses if open_to_more and guess.pos not in stated))

    def _ordered(self, form: str, known: list[Known], guesses: list[Entry]) -> list[Known]:
        """Return *known* by part of speech, then by trust, counts, likeness to what the rules guess, and person."""
        first = {entry.pos: place for place, (_, entry) in reversed(list(enumerate(known)))}
        totals = {pos: self._counts.total(form, pos) for pos in first}

        def order(one: Known) -> tuple[object, ...]:
            level, entry = one
            vague = entry.pos == "noun" and entry.gender is None
            weight = [] if level == PACK else [-count for count in self._counts.weight(entry)]
            unlike = not any(compatible(guess, entry) for guess in guesses)
            return -totals[entry.pos], first[entry.pos], level, vague, *weight, unlike, "Person=3" not in entry.feats

        return sorted(known, key=order)

    def _turned(self, form: str, pos: str, gender: Gender | None, number: Number) -> str | None:
        for entry in self.analyses(form):
            if entry.pos == pos:
                found = entry.form if fits(entry, gender, number) else self._other_form(entry, gender, number)
                if found is not None:
                    return found
        return None

    def _other_form(self, entry: Entry, gender: Gender | None, number: Number) -> str | None:
        asked = gender or entry.gender
        alike = [known for known in self._inflected(entry.lemma, entry.pos) if known[1].feats == entry.feats]
        stem = entry.form if PARTICIPLE in entry.feats else None
        found = self._best(alike, gender=asked, number=number, stem=stem)
        if found is None and self._rules is not None and entry.pos != "verb":
            return self._rules.inflect(entry.lemma, entry.pos, gender=asked, number=number)
        return found

    def _inflected(self, lemma: str, pos: str) -> list[Known]:
        found = [(PACK, to_entry(form)) for form in self._pack.inflected(lemma, pos)]
        found += [(LEXICON, entry) for store in self._lexicons for entry in store.inflected(lemma, pos)]
        found += [(TREEBANK, entry) for entry in self._counts.inflected(lemma, pos)]
        return [known for known in found if says_something(known)]

    def _best(
        self,
        forms: Iterable[Known],
        *,
        gender: Gender | None,
        number: Number,
        like: str | None = None,
        stem: str | None = None,
    ) -> str | None:
        """Return the form with these features; of several, the one of *stem*, the most counted, or the one *like* this.

        A verb with two participles keeps the one it had: *aceita* gives *aceitos* and not *aceitados*.
        """

        def order(known: Known) -> tuple[object, ...]:
            level, entry = known
            unlike = unlikeness(entry.form, stem) if stem else (0, 0)
            return entry.gender is None, level, unlike, -self._counts.total(entry.form, entry.pos), entry.form != like

        fitting = (known for known in forms if fits(known[1], gender, number))
        return next((entry.form for _, entry in sorted(fitting, key=order)), None)


def open_morphology(
    pack: PackMorphology, paths: Iterable[Path], *, data: Path, rules: Morphology | None = None
) -> LayeredMorphology:
    """Return *pack*, the lexicon files *paths* and *rules* as one; each file is added to the folder *data* once."""
    return LayeredMorphology(pack, [open_lexicon(path, data=data) for path in paths], rules=rules)


def _plainness(feats: str) -> tuple[int, str]:
    """Order sets of features: none before some, so that a comparative never stands for the word."""
    return feats.count("=") + feats.count("|"), feats
