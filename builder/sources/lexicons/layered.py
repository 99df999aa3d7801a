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

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from ncimp.builder.ports import Morphology
from ncimp.builder.records import Form, Gender, Number
from ncimp.builder.sources.lexicons.readers import PARTICIPLE, PROPER, Entry
from ncimp.builder.sources.lexicons.store import CACHED, FormCounts, FormStore, is_less_precise, may_agree
from ncimp.builder.sources.packs.forms import PackMorphology, fits

PACK, LEXICON, TREEBANK = range(3)  # levels of trust, the first most
CITED_VERB = "Mood=Ind|Person=3|Tense=Pres"  # the form of a verb that a noun phrase as subject asks for
GENDERS: tuple[Gender, ...] = ("m", "f", "n", "c")

Evidence = tuple[int, Entry]  # a reading and its level of trust
GenderCounts = Mapping[Gender | None, int]


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
        self._counts = FormCounts(lexicons)
        self._rules, self._widely = rules, widely
        self.onset = pack.onset  # of the first sound of a word, by the patterns of the pack
        # caches that live as long as the object: the words of a large corpus repeat
        self.analyses = lru_cache(CACHED)(self._analyses)
        """Return `readings` of a form as entries, which have tense, person, degree and participles."""
        self.readings = lru_cache(CACHED)(self._readings)
        """Return every known reading of a form (any case), the most trusted and most counted first."""
        self.counterpart = lru_cache(CACHED)(self._counterpart)
        """Return the form of the same word with these features and everything else the same, or None."""
        self.knows = lru_cache(CACHED)(self._knows)
        """Tell whether the pack, a lexicon or a treebank has a form (any case)."""

    def inflect(
        self, lemma: str, pos: str, *, gender: Gender | None, number: Number, further: Collection[str] = ()
    ) -> str | None:
        """Return the form of *lemma* with these features, or None when it is not known.

        Without *gender*, a noun keeps that of its lemma. Of a verb, the form of the third person of the present.
        """
        form = self._pack.inflect(lemma, pos, gender=gender, number=number, further=further)
        if form is not None:
            return form
        forms = self._inflected(lemma, pos)
        feats = CITED_VERB
        if pos != "verb":  # those with the fewest features, so that a comparative never stands for the word
            sizes = {entry.feats: entry.feats.count("=") + entry.feats.count("|") for _, entry in forms}
            feats = min(sizes, key=lambda one: (sizes[one], one), default="")
        best_gender = gender or next((entry.gender for _, entry in forms if entry.form == lemma), None)
        fitting = [evidence for evidence in forms if evidence[1].feats == feats]
        guess = self._rules.inflect(lemma, pos, gender=gender, number=number) if self._rules else None
        return self._best(fitting, best_gender, number, like=guess) or guess

    def gender(self, noun: str) -> Gender | None:
        """Return the usual gender of the noun lemma *noun*, or None where it serves all, has none or is not known."""
        nouns = [entry for entry in self.analyses(noun) if entry.pos == "noun"]
        if nouns:
            return next((entry for entry in nouns if entry.lemma == noun), nouns[0]).gender
        return self._rules.gender(noun) if self._rules else None

    def _knows(self, form: str) -> bool:
        of_lexicons = any(store.readings(form) for store in self._lexicons)
        return of_lexicons or self._pack.knows(form) or bool(self._counts.of_form(form))

    def tally(self, form: str) -> dict[str, int]:
        """Return the counts of *form* in the treebanks by part of speech."""
        participle = self.is_participle(form)  # one whose gender nobody has annotated is an adjective all the same
        counts: Counter[str] = Counter()
        for row in self._counts.of_form(form):
            counts["adj" if participle and may_agree(row) else row.pos] += row.times
        return dict(counts)

    def count(self, reading: Form) -> int:
        """Return the count of *reading* in the treebanks, plus that of the noun's lemma in its gender."""
        times, _, gender = self._counts.weight(to_entry(reading))
        return times + gender

    def is_participle(self, form: str) -> bool:
        """Tell whether *form* may be a participle that agrees."""
        return any(entry.pos == "adj" and PARTICIPLE in entry.feats for entry in self.analyses(form))

    def _readings(self, form: str) -> tuple[Form, ...]:
        of_pack = {to_entry(reading): reading for reading in self._pack.readings(form)}
        forms = (of_pack.get(entry) or Form(*entry[:5], onset=None) for entry in self.analyses(form))
        return tuple(dict.fromkeys(forms))

    def _analyses(self, form: str) -> tuple[Entry, ...]:
        trusted = [(PACK, to_entry(reading)) for reading in self._pack.readings(form)]
        trusted += [(LEXICON, entry) for store in self._lexicons for entry in store.readings(form)]
        guesses = [to_entry(reading) for reading in self._rules.readings(form)] if self._rules else []
        evidence = merge(trusted, self._counts.of_form(form), self._counts.genders, guesses)
        if form == form.lower():  # a name is written with a capital
            evidence = [one for one in evidence if PROPER not in one[1].feats] or evidence
        ordered = [entry for _, entry in self._ordered(form, evidence, guesses)]
        parts = {entry.pos for _, entry in evidence}
        if not any(is_informative(one) for one in evidence):  # *alcançaram* is counted as a verb: it is no adjective
            return (*(guess for guess in guesses if guess.pos in parts or not parts), *ordered)
        # a pack lists the readings of its own sentences: *sweet*, an adjective there, may be a noun elsewhere
        only_pack = self._widely and all(level == PACK for level, _ in evidence)
        return (*ordered, *(guess for guess in guesses if only_pack and guess.pos not in parts))

    def _ordered(self, form: str, evidence: list[Evidence], guesses: list[Entry]) -> list[Evidence]:
        """Sort *evidence* by part of speech, trust, counts, likeness to the guesses of the rules, and person."""
        first = {entry.pos: place for place, (_, entry) in reversed(list(enumerate(evidence)))}
        totals = {pos: self._counts.total(form, pos) for pos in first}

        def order(one: Evidence) -> tuple[object, ...]:
            level, entry = one
            vague = entry.pos == "noun" and entry.gender is None
            weight = [] if level == PACK else [-count for count in self._counts.weight(entry)]
            unlike = not any(guess.pos == entry.pos and fits(entry, guess.gender, guess.number) for guess in guesses)
            return -totals[entry.pos], first[entry.pos], level, vague, *weight, unlike, "Person=3" not in entry.feats

        return sorted(evidence, key=order)

    def _counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        for entry in self.analyses(form):
            if entry.pos != pos or (pos == "verb" and not (entry.number and entry.feats)):
                continue  # of a verb whose tense nobody has stated, no form is the same in everything else
            if fits(entry, gender, number):
                return entry.form
            alike = [evidence for evidence in self._inflected(entry.lemma, pos) if evidence[1].feats == entry.feats]
            stem = entry.form if PARTICIPLE in entry.feats else ""
            best = self._best(alike, gender or entry.gender, number, stem=stem)
            if best is None and self._rules is not None and pos != "verb":
                best = self._rules.inflect(entry.lemma, pos, gender=gender or entry.gender, number=number)
            if best is not None:
                return best
        return None

    def _inflected(self, lemma: str, pos: str) -> list[Evidence]:
        forms = [(PACK, to_entry(form)) for form in self._pack.inflected(lemma, pos)]
        forms += [(LEXICON, entry) for store in self._lexicons for entry in store.inflected(lemma, pos)]
        forms += [(TREEBANK, entry) for entry in self._counts.inflected(lemma, pos)]
        return [evidence for evidence in forms if is_informative(evidence)]

    def _best(
        self, forms: Iterable[Evidence], gender: Gender | None, number: Number, like: str | None = None, stem: str = ""
    ) -> str | None:
        """Return the form with these features; of several, the one of *stem*, the most counted, or *like*."""

        def order(evidence: Evidence) -> tuple[object, ...]:
            level, entry = evidence
            # a verb with two participles keeps the one it had: *aceita* gives *aceitos* and not *aceitados*
            unlike = unlikeness(entry.form, stem or entry.form)
            return entry.gender is None, level, unlike, -self._counts.total(entry.form, entry.pos), entry.form != like

        fitting = (evidence for evidence in forms if fits(evidence[1], gender, number))
        return next((entry.form for _, entry in sorted(fitting, key=order)), None)


def to_entry(form: Form) -> Entry:
    """Return a form of a pack as an entry."""
    return Entry(form.form, form.lemma, form.pos, form.gender, form.number)


def merge(
    trusted: Iterable[Evidence], counted: Iterable[Entry], genders: Callable[[str], GenderCounts], guesses: list[Entry]
) -> list[Evidence]:
    """Return the readings of one form, each once at its highest level of trust, without the less precise ones.

    Where a lexicon leaves the gender of a noun open, the counted genders, else the guessed ones, come first.
    """
    guessed: GenderCounts = {guess.gender: 1 for guess in guesses if guess.pos == "noun"}
    first: dict[Entry, Evidence] = {}
    for level, entry in (reading for evidence in trusted for reading in _by_gender(evidence, genders, guessed)):
        first.setdefault(entry._replace(times=0), (level, entry))
    readings = list(first.values())
    for row in counted:
        alike = (entry for _, entry in first.values() if entry.pos != "verb" or entry.feats == row.feats)
        if not any(is_less_precise(entry, row, PARTICIPLE) for entry in alike):
            readings.append((TREEBANK, row))

    def is_kept(level: int, entry: Entry) -> bool:
        return level < TREEBANK or not any(_is_more_precise(other, entry) for _, other in readings)

    return [evidence for evidence in readings if is_kept(*evidence)]


def _by_gender(evidence: Evidence, genders: Callable[[str], GenderCounts], guessed: GenderCounts) -> list[Evidence]:
    """Return *evidence*, and before it the genders in use of a noun without one: *artista* has two, *carne* one."""
    level, entry = evidence
    if level != LEXICON or entry.pos != "noun" or entry.gender is not None:
        return [evidence]
    counted = genders(entry.lemma)
    used = counted if any(counted.get(gender) for gender in GENDERS) else guessed
    return [*((level, entry._replace(gender=gender)) for gender in GENDERS if used.get(gender)), evidence]


def _is_more_precise(other: Entry, entry: Entry) -> bool:
    """Tell whether *other* has the features of *entry* and more: a treebank often leaves features out."""
    participle = other.pos == "adj" and PARTICIPLE in other.feats and may_agree(entry)
    return (participle or other.pos == entry.pos) and features_of(entry) < features_of(other)


def features_of(entry: Entry) -> set[tuple[str, str | None]]:
    """Return the inflectional features of a reading."""
    features = {("gender", entry.gender), ("number", entry.number), *(("", feat) for feat in entry.feats.split("|"))}
    return {value for value in features if value[1] and value[1] != PROPER}


def is_informative(evidence: Evidence) -> bool:
    """Tell whether a reading shows how a word inflects: a treebank's noun without features does not."""
    level, entry = evidence
    return level < TREEBANK or entry.pos not in ("noun", "adj", "verb") or bool(features_of(entry))


def unlikeness(one: str, other: str) -> tuple[int, int]:
    """Return the difference in length of two words, and the letters of the shorter after their common beginning."""
    same = [first == second for first, second in zip(one, other, strict=False)]
    return abs(len(one) - len(other)), len(same) - [*same, False].index(False)
