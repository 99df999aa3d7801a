"""Component synonyms: five independent pairs per compound, ranked and explained.

Candidates come from the component by itself, in its most common sense first, from every lexicon there is
(`votes.py`). What a person chose in the pack's overrides.tsv comes before them. Pair k takes the k-th usable
synonym of the modifier and the k-th of the head, so that no word is used twice and no pair is half of another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ncimp.builder.grammar.phrases import inflect_phrase
from ncimp.builder.ports import FrequencyTable, Morphology, PairTable, SynonymSource
from ncimp.builder.records import WORDS_SYN, Candidate, Compound, LanguagePack, Override, Pattern, Replacement
from ncimp.builder.selection.votes import Offer, Question, Ranked, reach, reason
from ncimp.builder.selection.words import NUMBERS, are_kin, forms_of, own_words, zipf_of
from ncimp.schemas.errors import SelectionError

SEVERAL_WORDS = re.compile(r"[\s-]")
"""What a lemma of more than one word holds."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What selection asks of a language: its pack and the sources behind the ports."""

    pack: LanguagePack
    lexicon: SynonymSource
    morphology: Morphology
    frequencies: FrequencyTable
    pairs: PairTable | None = None
    """The counts behind `frequencies`, where a corpus was counted."""
    found: dict[tuple[str, str], list[Ranked]] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Candidates by (compound, part): they are asked for twice, by the synonyms and by the random compounds."""


def usable_candidates(compound: Compound, part: str, resources: Resources) -> list[Candidate]:
    """Return the usable synonyms of one component as `ranked_candidates` does, of each its best offer."""
    return [row.best for row in ranked_candidates(compound, part, resources)]


def ranked_candidates(compound: Compound, part: str, resources: Resources) -> list[Ranked]:
    """Return the usable synonyms of one component (*part* is `head` or `modifier`), best first, each once.

    First the pack's own choices; left out of the rest: phrases; kin of the component; words of the compound or
    of its true synonyms; words whose forms the pack does not know.
    """
    key = (compound.text, part)
    if key not in resources.found:
        resources.found[key] = _rank_component(compound, part, resources)
    return resources.found[key]


def _rank_component(compound: Compound, part: str, resources: Resources) -> list[Ranked]:
    lemma = compound.head if part == "head" else compound.modifier
    pos = part_of_speech(compound, part, resources)
    own = own_words(compound, [row for row in resources.pack.synonyms if row.compound == compound.text])
    own |= forms_of(lemma, pos, resources.morphology)
    overrides = overrides_of(compound.text, part, resources.pack)
    question = Question({pos: (lemma,)}, named_sense(overrides))

    def keep(candidate: Candidate) -> bool:
        return _usable(candidate, lemma, own, resources.morphology)

    chosen = chosen_words(overrides, pos, resources.pack, resources.frequencies)
    for row in chosen:
        if not _has_forms(row.lemma, pos, resources.morphology):
            what = f"{row.lemma!r}, which overrides.tsv names for the {part} of {compound.text!r}, has no forms"
            raise SelectionError(what, fix=f"add it to forms.tsv as {pos}, singular and plural")
    ranked = reach(question, [resources.lexicon], frequencies=resources.frequencies, keep=keep, enough=len(WORDS_SYN))
    return put_first(chosen, ranked)


def overrides_of(compound: str, part: str, pack: LanguagePack) -> list[Override]:
    """Return what the pack decides about one component, in the order of its ranks."""
    return sorted(
        (row for row in pack.overrides if (row.compound, row.part) == (compound, part)), key=lambda row: row.rank
    )


def named_sense(overrides: Iterable[Override]) -> str | None:
    """Return the synset that *overrides* name as the sense that is meant, if they do."""
    return next((row.sense for row in overrides if row.sense), None)


def chosen_words(
    overrides: Iterable[Override], pos: str, pack: LanguagePack, frequencies: FrequencyTable
) -> list[Ranked]:
    """Return the words of *overrides* as candidates, which say who chose them and why."""
    source = f"{pack.language.code} pack {pack.language.version}"
    chosen = []
    for row in overrides:
        if row.word is not None:
            offer = Offer(source, Candidate(row.word, pos, "", "chosen", 0, row.rank), row.reason)
            chosen.append(Ranked((offer,), zipf_of(frequencies, row.word)))
    return chosen


def put_first(chosen: Sequence[Ranked], ranked: Iterable[Ranked]) -> list[Ranked]:
    """Return *chosen*, then *ranked* without the words that are there already."""
    named = {row.lemma for row in chosen}
    return [*chosen, *(row for row in ranked if row.lemma not in named)]


def part_of_speech(compound: Compound, part: str, resources: Resources) -> str:
    """Return the part of speech that the compound's pattern gives to its `head` or `modifier`."""
    pattern = resources.pack.language.patterns[compound.pattern]
    return pattern.parts[pattern.head if part == "head" else 1 - pattern.head]


def _usable(candidate: Candidate, lemma: str, own: frozenset[str], morphology: Morphology) -> bool:
    word, pos = candidate.lemma, candidate.pos
    if SEVERAL_WORDS.search(word) or are_kin(word, lemma) or word in own:
        return False
    return _has_forms(word, pos, morphology)


def _has_forms(word: str, pos: str, morphology: Morphology) -> bool:
    return all(morphology.inflect(word, pos, gender=None, number=number) for number in NUMBERS)


def component_synonyms(compound: Compound, resources: Resources) -> list[Replacement]:
    """Return the variants `ws1` to `ws5` of *compound*, or raise `SelectionError` when the lexicon offers too few."""
    heads = ranked_candidates(compound, "head", resources)
    modifiers = ranked_candidates(compound, "modifier", resources)
    for part, found in (("head", heads), ("modifier", modifiers)):
        if len(found) < len(WORDS_SYN):
            lemma = compound.head if part == "head" else compound.modifier
            what = f"{compound.text!r} has {len(found)} usable synonyms of its {part} {lemma!r}, not {len(WORDS_SYN)}"
            raise SelectionError(what, fix=f"add some to {resources.lexicon.name}, with their forms in forms.tsv")
    pairs = list(islice(independent_pairs(modifiers, heads, resources.pack.excluded), len(WORDS_SYN)))
    if len(pairs) < len(WORDS_SYN):
        what = f"{compound.text!r} has {len(pairs)} independent pairs of synonyms, not {len(WORDS_SYN)}"
        raise SelectionError(what, fix=f"add synonyms to {resources.lexicon.name}")
    return [
        _replacement(compound, variant, pair, rank, resources)
        for rank, (variant, pair) in enumerate(zip(WORDS_SYN, pairs, strict=True), start=1)
    ]


def independent_pairs(
    modifiers: Sequence[Ranked], heads: Sequence[Ranked], excluded: Collection[tuple[str, str]] = ()
) -> Iterator[tuple[Ranked, Ranked]]:
    """Yield (modifier, head) in rank order: no word used twice, no kin words together, no excluded pair."""
    left, used = list(heads), set[str]()
    for modifier in modifiers:
        fits = (word for word in left if word.lemma not in used and not are_kin(modifier.lemma, word.lemma))
        head = next((word for word in fits if (modifier.lemma, word.lemma) not in excluded), None)
        if head is not None and modifier.lemma not in used:
            left.remove(head)
            used |= {modifier.lemma, head.lemma}
            yield modifier, head


def replacement_pattern(compound: Compound, resources: Resources) -> Pattern:
    """Return the pattern that two-word replacements of *compound* follow."""
    patterns = resources.pack.language.patterns
    return patterns[patterns[compound.pattern].replacement]


def _replacement(
    compound: Compound, variant: str, pair: tuple[Ranked, Ranked], place: int, resources: Resources
) -> Replacement:
    modifier, head = pair
    pattern = replacement_pattern(compound, resources)
    gender = resources.morphology.gender(head.lemma)
    text = inflect_phrase(
        pattern, modifier=modifier.lemma, head=head.lemma, gender=gender, number="sg", morphology=resources.morphology
    )
    return Replacement(
        compound_id=resources.pack.compound_id(compound.text),
        variant=variant,
        text=str(text),
        modifier=modifier.lemma,
        head=head.lemma,
        pattern=pattern.id,
        gender=gender,
        source=" + ".join(sorted({offer.source for row in pair for offer in row.offers})),
        modifier_synset=modifier.best.synset or None,
        head_synset=head.best.synset or None,
        modifier_relation=modifier.best.relation,
        head_relation=head.best.relation,
        rank=place,
        modifier_zipf=modifier.zipf,
        head_zipf=head.zipf,
        explanation=f"{reason(modifier.offers[0], compound.modifier)}; {reason(head.offers[0], compound.head)}",
    )
