"""Component synonyms: five independent pairs per compound, ranked and explained.

Candidates come from every lexicon (`votes.py`), in the component's most common sense first, after a person's choice in
the pack's overrides.tsv. No word is used twice, and no pair is half of another.

One engine, `SynonymFinder`, serves a build and `ncimp task synonyms`. Of a compound in a pack the lemma and the part
of speech are known, and its synonyms need all their forms; of any other word both are looked up, and a synonym
comes in the form of its place (*orais* for *vocais*).
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import Literal, NamedTuple

from ncimp.builder import records
from ncimp.builder.grammar import NUMBERS, Features, inflect_phrase, number_of_modifier
from ncimp.builder.ports import FrequencyTable, Lexicon, Morphology, PairFrequencies, SynonymSource
from ncimp.builder.records import WORDS_SYN, Compound, Gender, LanguagePack, Replacement, SynonymCandidate
from ncimp.builder.selection.votes import Ranked, SynonymOffer, SynonymQuestion, reach, reason
from ncimp.builder.selection.words import are_kin, bare, forms_of, own_words, zipf_of
from ncimp.schemas import SelectionError

SEVERAL_WORDS = re.compile(r"[\s-]")  # separators inside a lemma of more than one word

Role = Literal["head", "mod"]
Excluded = Callable[[str, str], bool]  # tell whether a person has ruled a modifier and a head out

READINGS: Mapping[Role, tuple[str, ...]] = {"head": ("noun", "adj", "verb"), "mod": ("adj", "noun", "verb")}
"""Parts of speech of a word without a pattern, the usual one first: a modifier that may be an adjective is one."""

PARTS: Mapping[Role, str] = {"head": "head", "mod": "modifier"}  # names of the roles in a pack
LIMIT = 30  # default number of candidates for any word
ENOUGH = 2 * len(WORDS_SYN)  # candidates of any word: some of them are kin or offered for both components
CACHED = 4096  # answers of a lexicon in memory: the words that lead on come in many compounds


@dataclass(frozen=True)
class Resources:
    """The resources of selection for one language: its pack and the sources behind the ports."""

    pack: LanguagePack
    lexicon: Lexicon
    morphology: Morphology
    frequencies: FrequencyTable
    pairs: PairFrequencies | None = None  # the counts behind `frequencies`, where a corpus was counted
    counts: PairFrequencies | None = None  # the same, or the store that only fills counts of compounds

    @cached_property
    def finder(self) -> "SynonymFinder":
        """The synonyms of the pack's lexicon."""
        return SynonymFinder([self.lexicon], frequencies=self.frequencies, morphology=self.morphology, pack=self.pack)

    @cached_property
    def components(self) -> frozenset[str]:
        """The components of every compound of the pack, as lemmas."""
        return frozenset(word for row in self.pack.compounds for word in (row.modifier, row.head))

    @cached_property
    def _classes(self) -> Mapping[str, records.NounClass | None]:
        return {row.lemma: row.semantic_class for row in self.pack.pool if row.pos == "noun"}

    def semantic_class(self, noun: str) -> records.NounClass | None:
        """Return what *noun* denotes by the pool of the pack, else by its lexicon; None where neither says."""
        return self._classes[noun] if noun in self._classes else self.lexicon.semantic_class(noun)

    def part_of_speech(self, compound: Compound, part: str) -> str:
        """Return the part of speech that the compound's pattern gives to its `head` or `modifier`."""
        pattern = self.pack.language.patterns[compound.pattern]
        return pattern.parts[pattern.head if part == "head" else 1 - pattern.head]

    def replacement_pattern(self, compound: Compound) -> records.Pattern:
        """Return the pattern that two-word replacements of *compound* follow."""
        patterns = self.pack.language.patterns
        return patterns[patterns[compound.pattern].replacement]

    def citation(
        self, pattern: records.Pattern, modifier: str, head: str, gender: Gender | None, of: Compound | None = None
    ) -> str | None:
        """Return the singular of the phrase of *modifier* and *head*, or None when a form is not known.

        A modifier that does not agree has the number of that of the compound *of*.
        """
        language, number = self.pack.language, None
        if of is not None:
            shape = language.patterns[of.pattern]
            number = number_of_modifier(language, of.text, shape, of.modifier, self.morphology)
        return inflect_phrase(
            language, pattern, modifier=modifier, head=head, features=Features(gender, "sg", language.citation),
            morphology=self.morphology, modifier_number=number,
        )  # fmt: skip

    def replacement(
        self, compound: Compound, variant: str, rank: int, words: tuple[str, str], gender: Gender | None
    ) -> Replacement:
        """Return the replacement of *compound* by *words*, a modifier and a head, without its provenance."""
        pattern = self.replacement_pattern(compound)
        text = str(self.citation(pattern, *words, gender, compound))
        return Replacement(
            self.pack.compound_id(compound.text), variant, text, *words, pattern.id, gender, source="", rank=rank
        )


class Component(NamedTuple):
    """One word of a compound, as it stands there."""

    compound: str
    role: Role
    word: str

    @property
    def others(self) -> tuple[str, ...]:
        """The other words of the compound."""
        words = SEVERAL_WORDS.split(self.compound)
        return tuple(word for word in words if word.lower() != self.word.lower())


class Synonym(NamedTuple):
    """A synonym in the form that the place of the component asks for, and its ranking."""

    form: str
    row: Ranked


class LenientSource:
    """A source that tries other spellings of a word that it lacks, and caches its answers."""

    def __init__(self, source: SynonymSource) -> None:
        self._source = source
        self.name, self.words = source.name, source.words
        self.candidates = lru_cache(CACHED)(self._candidates)
        """Return the candidates for a lemma, else for it with a capital letter, else without diacritics."""

    def _candidates(self, lemma: str, pos: str) -> Sequence[SynonymCandidate]:
        spellings = dict.fromkeys((lemma, lemma.capitalize(), bare(lemma)))
        return next(filter(None, (self._source.candidates(spelling, pos) for spelling in spellings)), ())


class SynonymFinder:
    """Finds synonyms of components in lexicons of one language.

    With a pack, its overrides come first, and words of its true synonyms are left out. Left out always: phrases,
    words of the compound, kin and forms of the component, and names unless the component is one.
    """

    def __init__(
        self,
        sources: Sequence[SynonymSource],
        *,
        frequencies: FrequencyTable,
        morphology: Morphology,
        pack: LanguagePack | None = None,
    ) -> None:
        self._sources = [LenientSource(source) for source in sources]
        self._frequencies = frequencies
        self._morphology = morphology
        self._pack = pack
        self._of_compounds: dict[tuple[str, str], list[Ranked]] = {}

    def of_compound(self, compound: Compound, part: str, pos: str) -> list[Ranked]:
        """Return the synonyms of a component (*part* is `head` or `modifier`) whose singular and plural are known.

        They are kept, because random compounds avoid the words that the synonyms use. Raises `SelectionError` where the
        pack chooses a word without forms.
        """
        closed = self._pack is not None and not self._pack.language.patterns[compound.pattern].join
        numbers = ("sg",) if closed and part == "modifier" else NUMBERS  # the first part of one word has no plural

        def inflects(row: SynonymCandidate) -> bool:
            return all(self._morphology.inflect(row.lemma, row.pos, gender=None, number=number) for number in numbers)

        key = (compound.text, part)
        if key not in self._of_compounds:
            lemma = compound.head if part == "head" else compound.modifier
            words = own_words(compound, self._pack.synonyms if self._pack else ())
            words |= forms_of(lemma, pos, self._morphology)
            ranked = self._search(key, lemma, {pos: (lemma,)}, words, keep=inflects, enough=len(WORDS_SYN))
            for row in ranked:
                if row.offers[0].note and not inflects(row.best):
                    what = f"{row.lemma!r}, which overrides.tsv names for the {part} of {compound.text!r}, has no forms"
                    raise SelectionError(what, fix=f"add it to forms.tsv as {pos}, singular and plural")
            self._of_compounds[key] = ranked
        return self._of_compounds[key]

    def of_word(self, component: Component, limit: int = LIMIT) -> list[Synonym]:
        """Return up to *limit* synonyms of any word of any compound, best first, each form once."""

        def may_be_lemma(candidate: SynonymCandidate) -> bool:
            readings = self._morphology.readings(candidate.lemma)
            fitting = (row for row in readings if (row.pos, row.lemma) == (candidate.pos, candidate.lemma))
            return not readings or any(fitting)

        known = {reading.pos for reading in self._morphology.readings(component.word)}
        parts = [pos for pos in READINGS[component.role] if pos in known] or READINGS[component.role]
        readings = {pos: self._lemmas(component.word, pos) for pos in parts}
        looked_up = [(lemma, pos) for pos, lemmas in readings.items() for lemma in lemmas]
        words = {form for lemma, pos in looked_up for form in forms_of(lemma, pos, self._morphology)}
        words |= {lemma for other in component.others for lemma in (other, *self._lemmas(other, "noun"))}
        for compound in self._pack.compounds if self._pack else ():
            if compound.text == component.compound and self._pack:
                words |= own_words(compound, self._pack.synonyms)
        key = (component.compound, PARTS[component.role])
        synonyms: dict[str, Synonym] = {}
        for row in self._search(key, component.word, readings, words, keep=may_be_lemma, enough=ENOUGH):
            if len(synonyms) == limit:
                break
            form = self._in_place(row.best, component)
            synonyms.setdefault(form, Synonym(form, row))
        return list(synonyms.values())

    def _search(
        self,
        key: tuple[str, str],
        word: str,
        readings: Mapping[str, tuple[str, ...]],
        words: Collection[str],
        *,
        keep: Callable[[SynonymCandidate], bool],
        enough: int,
    ) -> list[Ranked]:
        """Return the overrides for *key* (compound and part), then candidates that *keep* lets pass and not *words*."""
        overrides = [row for row in self._pack.overrides if (row.compound, row.part) == key] if self._pack else []
        overrides.sort(key=lambda row: row.rank)
        kin = {word, *(lemma for lemmas in readings.values() for lemma in lemmas)}
        taboo = {other.lower() for other in (*words, *kin)}

        def usable(candidate: SynonymCandidate) -> bool:
            lemma = candidate.lemma
            if SEVERAL_WORDS.search(lemma) or lemma.lower() in taboo:
                return False
            if lemma != lemma.lower() and word == word.lower():  # a name stands for a name only
                return False
            return not any(are_kin(lemma, other) for other in kin) and keep(candidate)

        question = SynonymQuestion(readings, next((row.sense for row in overrides if row.sense), None))
        ranked = reach(question, self._sources, frequencies=self._frequencies, keep=usable, enough=enough)
        choices = list(self._choices(overrides, next(iter(readings))))
        lemmas = {row.lemma for row in choices}
        return [*choices, *(row for row in ranked if row.lemma not in lemmas)]

    def _choices(self, overrides: Sequence[records.Override], pos: str) -> Iterator[Ranked]:
        for row in overrides:
            if row.word and row.relation and self._pack:
                source = f"{self._pack.language.code} pack {self._pack.language.version}"
                candidate = SynonymCandidate(row.word, pos, "", row.relation, 0, row.rank)
                yield Ranked((SynonymOffer(source, candidate, row.reason),), zipf_of(self._frequencies, row.word))

    def _lemmas(self, word: str, pos: str) -> tuple[str, ...]:
        lemmas = [reading.lemma for reading in self._readings(word, pos)]
        if not lemmas or word.lower() in [lemma.lower() for lemma in lemmas]:  # *china* need not mean *China*
            lemmas.append(word)
        return tuple(dict.fromkeys(lemmas))

    def _readings(self, word: str, pos: str) -> list[records.Form]:
        return [reading for reading in self._morphology.readings(word) if reading.pos == pos]

    def _in_place(self, candidate: SynonymCandidate, component: Component) -> str:
        """Return *candidate* in the number of the component, and an adjective in its gender or the head's."""
        lemma, pos = candidate.lemma, candidate.pos
        number, gender = self._features(component, pos)
        if pos == "verb" or (number == "sg" and gender is None):
            return lemma
        if pos == "adj" and gender is None:  # no gender is known: that of the lemma
            gender = next((reading.gender for reading in self._readings(lemma, pos) if reading.form == lemma), None)
        return self._morphology.inflect(lemma, pos, gender=gender, number=number) or lemma

    def _features(self, component: Component, pos: str) -> tuple[records.Number, Gender | None]:
        readings = self._readings(component.word, pos) or list(self._morphology.readings(component.word))
        plural = {reading.number for reading in readings} == {"pl"}  # *ônibus* may be one
        number: records.Number = "pl" if plural else "sg"
        if pos != "adj":
            return number, None
        nouns = (reading for other in component.others for reading in self._readings(other, "noun"))
        genders = (reading.gender for row in (readings, nouns) for reading in row)
        return number, next(filter(None, genders), None)


def usable_candidates(compound: Compound, part: str, resources: Resources) -> list[Ranked]:
    """Return the usable synonyms of the `head` or the `modifier` of a compound of the pack, best first, each once."""
    return resources.finder.of_compound(compound, part, resources.part_of_speech(compound, part))


def component_synonyms(compound: Compound, resources: Resources) -> list[Replacement]:
    """Return the variants `ws1` to `ws5` of *compound*, or raise `SelectionError` when the lexicon offers too few."""
    ranked = {part: usable_candidates(compound, part, resources) for part in ("head", "modifier")}
    for (part, rows), lemma in zip(ranked.items(), (compound.head, compound.modifier), strict=True):
        if len(rows) < len(WORDS_SYN):
            what = f"{compound.text!r} has {len(rows)} usable synonyms of its {part} {lemma!r}, not {len(WORDS_SYN)}"
            raise SelectionError(what, fix=f"add some to {resources.lexicon.name}, with their forms in forms.tsv")
    excluded = partial(resources.pack.excludes_pair, compound.text)
    first = chosen_pairs(compound, ranked["modifier"], ranked["head"], excluded)
    used = {word.lemma for pair in first for word in pair}
    modifiers, heads = ([row for row in ranked[part] if row.lemma not in used] for part in ("modifier", "head"))
    pairs = [*first, *islice(independent_pairs(modifiers, heads, excluded), len(WORDS_SYN) - len(first))]
    if len(pairs) < len(WORDS_SYN):
        what = f"{compound.text!r} has {len(pairs)} independent pairs of synonyms, not {len(WORDS_SYN)}"
        raise SelectionError(what, fix=f"add synonyms to {resources.lexicon.name}")
    replacements = []
    for rank, (modifier, head) in enumerate(pairs, start=1):
        words, gender = (modifier.lemma, head.lemma), resources.morphology.gender(head.lemma)
        row = replace(
            resources.replacement(compound, WORDS_SYN[rank - 1], rank, words, gender),
            source=" + ".join(sorted({offer.source for row in (modifier, head) for offer in row.offers})),
            modifier_synset=modifier.best.synset or None,
            head_synset=head.best.synset or None,
            modifier_relation=modifier.best.relation,
            head_relation=head.best.relation,
            modifier_zipf=modifier.zipf,
            head_zipf=head.zipf,
            explanation=f"{reason(modifier.offers[0], compound.modifier)}; {reason(head.offers[0], compound.head)}",
        )
        replacements.append(row)
    return replacements


def chosen_pairs(
    compound: Compound, modifiers: Sequence[Ranked], heads: Sequence[Ranked], excluded: Excluded
) -> list[tuple[Ranked, Ranked]]:
    """Return the pairs of words that a person chose for both components: the first with the first, and so on.

    Raises `SelectionError` for one that cannot be used. Kinship is no reason: its test by spelling is too strict, and
    the person has seen the words.
    """
    pairs = [row for row in zip(modifiers, heads, strict=False) if all(word.offers[0].note for word in row)]
    pairs = pairs[: len(WORDS_SYN)]
    words = Counter(word.lemma for row in pairs for word in row)
    for modifier, head in pairs:
        twice = next((word for word in (modifier.lemma, head.lemma) if words[word] > 1), None)
        is_excluded = excluded(modifier.lemma, head.lemma)
        if twice or is_excluded:
            why = "exclusions.tsv has it" if is_excluded else f"{twice!r} is chosen twice"
            what = f"overrides.tsv pairs {modifier.lemma!r} and {head.lemma!r} for {compound.text!r}, and {why}"
            raise SelectionError(what, fix="choose another word, or mend the other table")
    return pairs


def independent_pairs(
    modifiers: Sequence[Ranked], heads: Sequence[Ranked], excluded: Excluded = lambda _modifier, _head: False
) -> Iterator[tuple[Ranked, Ranked]]:
    """Yield (modifier, head) in rank order: no word used twice, no kin words together, no excluded pair."""
    free, used = list(heads), set[str]()
    for modifier in modifiers:
        fits = (word for word in free if word.lemma not in used and not are_kin(modifier.lemma, word.lemma))
        head = next((word for word in fits if not excluded(modifier.lemma, word.lemma)), None)
        if head is not None and modifier.lemma not in used:
            free.remove(head)
            used |= {modifier.lemma, head.lemma}
            yield modifier, head
