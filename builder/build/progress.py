"""Steps that are left to do for a pack, in order, and a sheet of phrases to read before sentences.

Nothing here refuses a pack: `ncimp.builder.validation` does, for a release.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ncimp.builder.filling.fill import Filler, Substitution
from ncimp.builder.filling.repair import NEAR
from ncimp.builder.filling.scene import NewPhrase
from ncimp.builder.grammar import NUMBERS, Features, inflect_phrase
from ncimp.builder.records import (
    CLASSES,
    NATURALISTIC,
    WORDS_SYN,
    Gender,
    Incident,
    LanguagePack,
    MarkedSentence,
    Paradigm,
    Pattern,
)
from ncimp.builder.selection.replacements import from_pack
from ncimp.builder.selection.synonyms import Resources, component_synonyms, usable_candidates
from ncimp.builder.sources.packs.draft import Word, components, missing_forms, with_two_genders
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.start import TO_WRITE
from ncimp.schemas import NcimpError

FROM_FORMS = ("K007", "K008", "T809", "T810")  # incidents that a compound without forms has, whatever is written
SHOWN = 4  # examples of a line
DETERMINERS = frozenset({"article", "demonstrative", "possessive", "quantifier", "contraction", "identity"})
SHEET = ("determiner", "pattern", "gender", "number", "sound", "slot", "sentence")  # columns


def follows_from_missing_forms(incident: Incident, without: Collection[str]) -> bool:
    """Tell whether *incident* is of one of the compounds *without* forms, and goes away with these."""
    return incident.code in FROM_FORMS and "/".join(incident.place.split("/")[:2]) in without


def without_forms(pack: LanguagePack) -> set[str]:
    """Return the ids of the compounds of which a component, or one of a true synonym, lacks forms in forms.tsv."""
    lemmas = {line.split(" ")[0] for line in missing_forms(pack, ()) if " no form " in line}
    rows = [(row.text, row) for row in pack.compounds] + [(row.compound, row) for row in pack.synonyms]
    return {pack.compound_id(text) for text, row in rows if lemmas & {row.head, row.modifier}}


def left_to_do(resources: Resources, words: Iterable[Word]) -> Iterator[str]:
    """Yield a line for each step that is not done, but for the `unfilled`; *words* are those of the lexicon."""
    pack = resources.pack
    words = list(words)
    counts = Counter(row.compound_class for row in pack.compounds)
    begun = not without_forms(pack)  # else candidates and sentences are not to be judged yet
    forms = ("words without all forms: `ncimp pack forms`", missing_forms(pack, words))
    yield f"{len(pack.compounds)} compounds: " + ", ".join(f"{counts[name]} {name}" for name in CLASSES)
    if any(text == "[NC]." for text in (frame["sg"] for frame in pack.language.frames.values())):
        yield "write the neutral frames in pack.toml"
    if pack.language.agrees and not pack.language.paradigms:
        yield "write the paradigms of determiners in pack.toml"
    texts = [row.text for row in pack.compounds]
    sentences = {(row.compound, row.context) for row in pack.contexts}
    steps: list[tuple[str, Sequence[str]]] = [
        *([] if begun else [forms]),
        ("sense notes to write in compounds.tsv", [r.text for r in pack.compounds if r.sense_note == TO_WRITE]),
        ("without a semantic class in compounds.tsv", [r.text for r in pack.compounds if not r.semantic_class]),
        ("without a true synonym in synonyms.tsv", sorted({*texts} - {row.compound for row in pack.synonyms})),
        ("components with few candidates: `ncimp pack synonyms`", list(_few_candidates(resources)) if begun else []),
        *([forms] if begun else []),
        (
            "nouns in two genders in forms.tsv (the first is taken; take out what is not meant)",
            with_two_genders(pack, words),
        ),
        (
            "sentences to write in contexts.tsv",
            [f"{text} {name}" for text in texts for name in NATURALISTIC if (text, name) not in sentences],
        ),
        ("without a split: `ncimp pack split`", sorted({*texts} - {row.compound for row in pack.splits})),
    ]
    for what, places in steps:
        if places:
            more = f", and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
            yield f"{len(places)} {what}: {'; '.join(places[:SHOWN])}{more}"


def _few_candidates(resources: Resources) -> Iterator[str]:
    for compound in resources.pack.compounds:
        for lemma, part in ((compound.head, "head"), (compound.modifier, "modifier")):
            try:
                count = len(usable_candidates(compound, part, resources))
            except NcimpError as error:
                yield str(error)
                continue
            if count < len(WORDS_SYN):
                yield f"{lemma} of {compound.text} {count}"


def unfilled(resources: Resources) -> Iterator[str]:
    """Yield the reason for each compound whose sentences cannot be made; random compounds are not drawn.

    None, as long as compounds lack forms.
    """
    filler = Filler(resources.pack, resources.morphology)  # type: ignore[arg-type]
    for compound in resources.pack.compounds if not without_forms(resources.pack) else ():
        try:
            rows = [*from_pack(compound, resources.pack), *component_synonyms(compound, resources)]
            for row in rows:
                list(filler.fill([row]))
        except NcimpError as error:
            yield str(error)


@dataclass(frozen=True)
class _Phrase:
    """Words of a phrase of one pattern, and what its first sound counts as."""

    pattern: Pattern
    modifier: str | None
    head: str
    gender: Gender | None


def sheet(pack: LanguagePack) -> Iterator[dict[str, str | None]]:
    """Yield a row of `SHEET` for each determiner, pattern, gender, number, slot and first sound.

    The determiner is sentences before one phrase, which is replaced by each of the others, as in a release.
    """
    language, morphology = pack.language, PackMorphology(pack.forms, pack.language)
    substitution = Substitution(language, morphology, NEAR)
    phrases = list(_phrases(pack, morphology))
    adjectives = {paradigm.id for paradigm in language.paradigms if paradigm.kind == "adj"}  # *beau, bel*
    slots = [
        [(name, value) for value in feature.values]
        for name, feature in language.features.items()
        if feature.source == "slot" and name != "number"
    ]
    for paradigm, number, slot in product(language.paradigms, NUMBERS, product(*slots)):
        base = next(_bases(pack, paradigm, phrases, Features(None, number, slot), morphology), None)
        if paradigm.kind not in DETERMINERS or base is None:
            continue
        sentence, old = base
        old = substitution.governed(sentence, old)
        keys: set[tuple[str | None, ...]] = set()
        for phrase in phrases:
            new = replace(old, gender=phrase.gender)
            text = _inflected(pack, phrase, new, morphology)
            sound = morphology.onset(text.split()[0]) if text and language.sound else None
            second = phrase.modifier if phrase.pattern.head == 0 else phrase.head
            varies = phrase.modifier if phrase.modifier in adjectives else None
            key = (phrase.pattern.id, phrase.gender, sound, morphology.onset(second or phrase.head), varies)
            if text is None or key in keys:
                continue
            keys.add(key)
            begins = NewPhrase(begins=(phrases[0].pattern.parts[0], phrase.pattern.parts[0]))
            try:
                shown = substitution.replace(sentence, text, old, new, begins).sentence.text
            except NcimpError as error:
                shown = f"! {error.what}"
            shown_slot = " ".join(value for _, value in slot) or None
            cells = (paradigm.id, phrase.pattern.id, phrase.gender, number, sound, shown_slot, shown)
            yield dict(zip(SHEET, cells, strict=True))


def _bases(
    pack: LanguagePack, paradigm: Paradigm, phrases: Sequence[_Phrase], features: Features, morphology: PackMorphology
) -> Iterator[tuple[MarkedSentence, Features]]:
    """Yield sentences of a determiner and a phrase that it has a form for."""
    for phrase in phrases:
        old = replace(features, gender=phrase.gender)
        text = _inflected(pack, phrase, old, morphology)
        sound = pack.language.sound
        values = old.values | ({sound[0]: morphology.onset(text.split()[0])} if text and sound else {})
        cell = paradigm.cell(values)
        if text and cell:
            before = cell.spaced(cell.forms[0])
            yield MarkedSentence(f"{before}{text}.", (len(before), len(before) + len(text))), old


def _inflected(pack: LanguagePack, phrase: _Phrase, features: Features, morphology: PackMorphology) -> str | None:
    return inflect_phrase(
        pack.language, phrase.pattern, modifier=phrase.modifier, head=phrase.head, features=features,
        morphology=morphology,
    )  # fmt: skip


def _phrases(pack: LanguagePack, morphology: PackMorphology) -> Iterator[_Phrase]:
    """Yield the compounds of the pack, then phrases of words of each gender and first sound."""
    language = pack.language
    words: dict[tuple[str, Gender | None, str], str] = {}
    listed: list[tuple[str, str, Gender | None]]
    listed = [(paradigm.id, "adj", None) for paradigm in language.paradigms if paradigm.kind == "adj"]
    listed += [word for row in pack.compounds for word in components(row, language)]
    listed += [(row.lemma, row.pos, row.gender) for row in pack.pool]
    for lemma, pos, gender in listed:
        if morphology.inflected(lemma, pos):
            gender = (gender or morphology.gender(lemma)) if pos == "noun" else None
            words.setdefault((pos, gender, morphology.onset(lemma)), lemma)
    for row in pack.compounds:
        yield _Phrase(language.patterns[row.pattern], row.modifier, row.head, row.gender)
    for pattern in language.patterns.values():
        choices = [
            [(word, gender) for (pos, gender, _), word in words.items() if pos == part] for part in pattern.parts
        ]
        for several in product(*choices):
            head, gender = several[pattern.head]
            modifier = several[1 - pattern.head][0] if len(several) > 1 else None
            if modifier != head:
                yield _Phrase(pattern, modifier, head, gender)
