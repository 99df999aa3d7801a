"""Component synonyms: five independent pairs per compound, ranked and explained.

Candidates come from the component by itself, in its most common sense first; synonyms before similar
words before hypernyms; then in the lexicon's own order. Pair k takes the k-th usable synonym of the
modifier and the k-th of the head, so that no word is used twice and no pair is half of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ncimp.builder.phrases import inflect_phrase
from ncimp.builder.ports import FrequencyTable, Morphology, PairTable, SynonymSource
from ncimp.builder.records import WORDS_SYN, Candidate, Compound, LanguagePack, Pattern, Relation, Replacement
from ncimp.builder.selection.words import are_kin, own_words, zipf_of
from ncimp.schemas.errors import SelectionError

RELATION_ORDER: dict[Relation, int] = {"synonym": 0, "similar": 1, "hypernym": 2}
"""Nearest relation first: of two senses or words equally common, a synonym says more of the component than its kind."""

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


def usable_candidates(compound: Compound, part: str, resources: Resources) -> list[Candidate]:
    """Return the usable synonyms of one component (*part* is `head` or `modifier`), best first, each once.

    Left out: phrases; kin of the component; words of the compound or of its true synonyms; words whose
    forms the pack does not know.
    """
    lemma = compound.head if part == "head" else compound.modifier
    own = own_words(compound, [row for row in resources.pack.synonyms if row.compound == compound.text])
    ranked = sorted(resources.lexicon.candidates(lemma, part_of_speech(compound, part, resources)), key=_rank)
    usable = [candidate for candidate in ranked if _usable(candidate, lemma, own, resources.morphology)]
    best: dict[str, Candidate] = {}
    for candidate in usable:
        best.setdefault(candidate.lemma, candidate)
    return list(best.values())


def part_of_speech(compound: Compound, part: str, resources: Resources) -> str:
    """Return the part of speech that the compound's pattern gives to its `head` or `modifier`."""
    pattern = resources.pack.language.patterns[compound.pattern]
    return pattern.parts[pattern.head if part == "head" else 1 - pattern.head]


def _rank(candidate: Candidate) -> tuple[int, int, int]:
    return candidate.sense, RELATION_ORDER[candidate.relation], candidate.position


def _usable(candidate: Candidate, lemma: str, own: frozenset[str], morphology: Morphology) -> bool:
    if SEVERAL_WORDS.search(candidate.lemma) or are_kin(candidate.lemma, lemma):
        return False
    known = all(morphology.inflect(candidate.lemma, candidate.pos, gender=None, number=n) for n in ("sg", "pl"))
    return known and candidate.lemma not in own


def component_synonyms(compound: Compound, resources: Resources) -> list[Replacement]:
    """Return the variants `ws1` to `ws5` of *compound*, or raise `SelectionError` when the lexicon offers too few."""
    heads = usable_candidates(compound, "head", resources)
    modifiers = usable_candidates(compound, "modifier", resources)
    for part, found in (("head", heads), ("modifier", modifiers)):
        if len(found) < len(WORDS_SYN):
            lemma = compound.head if part == "head" else compound.modifier
            what = f"{compound.text!r} has {len(found)} usable synonyms of its {part} {lemma!r}, not {len(WORDS_SYN)}"
            raise SelectionError(what, fix=f"add some to {resources.lexicon.name}, with their forms in forms.tsv")
    pairs = list(islice(_independent_pairs(modifiers, heads, resources.pack), len(WORDS_SYN)))
    if len(pairs) < len(WORDS_SYN):
        what = f"{compound.text!r} has {len(pairs)} independent pairs of synonyms, not {len(WORDS_SYN)}"
        raise SelectionError(what, fix=f"add synonyms to {resources.lexicon.name}")
    return [
        _replacement(compound, variant, pair, rank, resources)
        for rank, (variant, pair) in enumerate(zip(WORDS_SYN, pairs, strict=True), start=1)
    ]


def _independent_pairs(
    modifiers: Sequence[Candidate], heads: Sequence[Candidate], pack: LanguagePack
) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield (modifier, head) in rank order: no word used twice, no kin words together, no excluded pair."""
    left, used = list(heads), set[str]()
    for modifier in modifiers:
        fits = (word for word in left if word.lemma not in used and not are_kin(modifier.lemma, word.lemma))
        head = next((word for word in fits if (modifier.lemma, word.lemma) not in pack.excluded), None)
        if head is not None and modifier.lemma not in used:
            left.remove(head)
            used |= {modifier.lemma, head.lemma}
            yield modifier, head


def replacement_pattern(compound: Compound, resources: Resources) -> Pattern:
    """Return the pattern that two-word replacements of *compound* follow."""
    patterns = resources.pack.language.patterns
    return patterns[patterns[compound.pattern].replacement]


def _replacement(
    compound: Compound, variant: str, pair: tuple[Candidate, Candidate], rank: int, resources: Resources
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
        source=resources.lexicon.name,
        modifier_synset=modifier.synset,
        head_synset=head.synset,
        modifier_relation=modifier.relation,
        head_relation=head.relation,
        rank=rank,
        modifier_zipf=zipf_of(resources.frequencies, modifier.lemma),
        head_zipf=zipf_of(resources.frequencies, head.lemma),
        explanation=f"{_reason(modifier, compound.modifier)}; {_reason(head, compound.head)}",
    )


def _reason(candidate: Candidate, lemma: str) -> str:
    relation = {"synonym": "synonym", "similar": "near-synonym", "hypernym": "hypernym"}[candidate.relation]
    place = f"sense {candidate.sense}, place {candidate.position} of {candidate.synset}"
    return f"{candidate.lemma!r} is a {relation} of {lemma!r} ({place})"
