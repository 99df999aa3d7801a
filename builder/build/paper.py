"""The paper edition: packs of the published files, with the cells that they lack and with its errors mended if asked.

A hole is filled by the machinery that `ncimp task` uses for any sentence, and a sentence is mended where the checker of
agreement, which shares no rule with it, finds a fault before and none after. Either is marked, and nothing is done
unasked.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import get_args

from ncimp.builder import records
from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.filling.fill import Substitution
from ncimp.builder.filling.noun_phrases import NC
from ncimp.builder.grammar import Features, PhraseForms
from ncimp.builder.records import CONTEXTS, NEUTRAL, VARIANTS, WORDS_SYN, Compound, MarkedSentence, PublishedItem
from ncimp.builder.release.tables import assign_splits, published_items, release_compounds, release_pairs
from ncimp.builder.selection.synonyms import Component, Role, SynonymFinder
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.builder.sources.published.edition import DAY, PaperPack, gender_of_frame
from ncimp.builder.sources.published.nctti import NcttiRow, SentencePlace
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.builder.validation.scope import Tables
from ncimp.builder.validation.validate import validate
from ncimp.schemas import Place, write_tsv
from ncimp.schemas.records import columns, compound_key, compound_pattern, to_row

MENDS: Mapping[str, tuple[str, ...]] = {"articles": ("A101",), "agreement": ("A102", "A103", "A104")}
"""The codes of what is mended, by its name on the command line."""
NO_WORDS = "no further component synonyms, or no sentence to put them into"
Cells = dict[tuple[str, str], PublishedItem]  # of one compound, by context and variant


@dataclass(frozen=True)
class Completer:
    """Fills holes and mends sentences of one language."""

    resources: LanguageResources
    finder: SynonymFinder | None = None  # component synonyms for Portuguese; without it, none are chosen
    chosen: str = ""  # from where the finder has them, as a sentence says of itself
    sources: tuple[records.Source, ...] = ()  # the lexicons of the finder

    @cached_property
    def _substitution(self) -> Substitution:
        return Substitution(self.resources.pack.language, self.resources.analyser)

    @cached_property
    def _phrases(self) -> PhraseForms:
        return PhraseForms(self.resources.pack.language, self.resources.inflector)

    @cached_property
    def _checker(self) -> AgreementChecker:
        return AgreementChecker(self.resources.pack.language, self.resources.analyser)

    def mend(self, pack: PaperPack, names: Iterable[str]) -> PaperPack:
        """Return *pack* with its faults of the kinds *names* (keys of `MENDS`) mended, as far as that is certain."""
        kinds = {code: name for name in names for code in MENDS[name]}
        originals = {(row.compound, row.context): row for row in pack.items if row.variant == "orig"}
        items = (self._mended(row, originals[row.compound, row.context], kinds) for row in pack.items)
        return replace(pack, items=tuple(items))

    def _mended(self, item: PublishedItem, original: PublishedItem, kinds: Mapping[str, str]) -> PublishedItem:
        faults = self._faults(item) & kinds.keys()
        if not faults:
            return item
        new = self._put(original, item.sentence[item.start : item.end], item.variant)
        row = replace(
            item, sentence=new.text, start=new.span[0], end=new.span[1], origin="mended", published=item.sentence,
            rule=" and ".join(sorted({kinds[code] for code in faults})),
        )  # fmt: skip
        return item if self._faults(row) & kinds.keys() or new.text == item.sentence else row

    def _faults(self, item: PublishedItem) -> set[str]:
        words = item.sentence.split()
        start = len(item.sentence[: item.start].split())
        end = start + len(item.sentence[item.start : item.end].split())
        return {row.code for row in self._checker.findings(words, start, end)}

    def _put(self, base: PublishedItem, phrase: str, variant: str) -> MarkedSentence:
        """Return the sentence *base* with *phrase* in the place of the compound."""
        sentence = MarkedSentence(base.sentence, (base.start, base.end))
        return self._substitution.put(sentence, phrase, component=variant in ("head", "mod")).sentence

    def add_sentences(self, pack: PaperPack, rows: Iterable[NcttiRow], texts: Mapping[str, str]) -> PaperPack:
        """Return *pack* with the sentences of *rows* where it lacks one; *texts* are files and documents by name."""
        by_key = {row.key[1]: row for row in rows}
        present = {(row.compound, row.context) for row in pack.items if row.variant == "orig"}
        items = list(pack.items)
        for compound in pack.compounds:
            row = by_key.get(compound_key(compound.text))
            for number, context in enumerate(records.NATURALISTIC, start=1):
                if row and (compound.text, context) not in present:
                    places = (self._published(compound, context, place) for place in row.places(number, texts))
                    items += [item for item in places if item is not None][:1]
        new = {(row.compound, row.context) for row in items if row.variant == "orig"} - present
        order = {row.text: number for number, row in enumerate(pack.compounds)}
        holes = (
            replace(row, variants=row.variants.replace("orig ", "")) if (row.compound, row.context) in new else row
            for row in pack.holes
        )
        return replace(pack, items=tuple(sorted(items, key=lambda row: order[row.compound])), holes=tuple(holes))

    def _published(
        self, compound: Compound, context: records.GridContext, place: SentencePlace
    ) -> PublishedItem | None:
        """Return the sentence at *place*, or None where it lacks the compound."""
        for number in sorted(get_args(records.Number), key=lambda one: one != compound.number):
            phrase = compound.text if number == compound.number else self._phrases.in_number(compound.text, number)
            words = rf"(?<!\w){compound_pattern(phrase)}(?!\w)" if phrase else "(?!)"
            match = re.search(words, place.text, re.IGNORECASE)
            if match:
                return PublishedItem(
                    compound.text, context, "orig", number, place.text, *match.span(),
                    "published", None, None, place.document, place.offset, place.number, place.column,
                )  # fmt: skip
        return None

    def complete(self, pack: PaperPack) -> PaperPack:
        """Return *pack* with a sentence for each hole, where the files give one to make it of; other holes stay."""
        items: list[PublishedItem] = []
        holes: list[records.Hole] = []
        for compound in pack.compounds:
            cells = {(row.context, row.variant): row for row in pack.items if row.compound == compound.text}
            self._fill(compound, cells)
            order = [(context, variant) for context in CONTEXTS for variant in VARIANTS]
            items += (cells[key] for key in order if key in cells)
            for context in CONTEXTS:
                missing = [variant for variant in VARIANTS if (context, variant) not in cells]
                reasons = [row.reason for row in pack.holes if (row.compound, row.context) == (compound.text, context)]
                if missing:
                    reason = NO_WORDS if (context, "orig") in cells and self.finder else reasons[0]
                    holes.append(records.Hole(compound.text, context, " ".join(missing), reason))
        names = {source.name for source in self.sources}
        kept = (source for source in pack.sources if source.name not in names)
        return replace(pack, items=tuple(items), holes=tuple(holes), sources=(*self.sources, *kept))

    def _fill(self, compound: Compound, cells: Cells) -> None:
        """Add to *cells*, those of *compound*, what can be made: first in the files' contexts, then the long frame."""
        # the short neutral frame has a phrase as it is cited; where it lacks one, the first sentence gives it
        sources = [*reversed(cells.items())]
        sources.sort(key=lambda cell: cell[0][0] == NEUTRAL[0])
        phrases = {variant: row.sentence[row.start : row.end] for (_, variant), row in sources}
        cell_of = {variant: f"{context}/{variant}" for (context, variant), _ in sources}
        further = self._further_pairs(compound, phrases)
        phrases |= further
        for context in CONTEXTS[:-1]:
            base = cells.get((context, "orig"))
            for variant in VARIANTS:
                if base is not None and (context, variant) not in cells and variant in phrases:
                    phrase = phrases[variant]
                    if base.number != compound.number:
                        phrase = self._phrases.in_number(phrase, base.number) or phrase
                    sentence = self._put(base, phrase, variant)
                    rule = self.chosen if variant in further else "put into the sentence"
                    row = _regenerated(base, context, variant, sentence, rule)
                    cells[context, variant] = row if variant in further else replace(row, phrase_of=cell_of[variant])
        for variant in VARIANTS:
            short = cells.get((NEUTRAL[0], variant))
            if short is not None and (NEUTRAL[1], variant) not in cells:
                cells[NEUTRAL[1], variant] = _regenerated(
                    short, NEUTRAL[1], variant, self._long(short), "long neutral frame"
                )

    def _long(self, short: PublishedItem) -> MarkedSentence:
        """Return the long frame with the phrase of the *short* one, in its gender, number and spacing."""
        language = self.resources.pack.language
        frames = language.frames[NEUTRAL[1]]
        phrase = short.sentence[short.start : short.end]
        marked = read_marked(frames[short.number].replace(NC, f"[{phrase}]"), Place("frame"))
        features = Features(gender_of_frame(language, short.sentence), short.number, language.citation)
        sentence = self._substitution.replace(marked, phrase, features, features).sentence
        stop = sentence.text[-1] if not sentence.text[-1].isalnum() else ""
        end = f" {stop}" if short.sentence.endswith(stop) else ""  # as the published files write it, or leave it out
        return replace(sentence, text=sentence.text.removesuffix(stop) + end)

    def _further_pairs(self, compound: Compound, phrases: Mapping[str, str]) -> dict[str, str]:
        """Return phrases of component synonyms for the variants that have none: no word twice, none of the first."""
        missing = [name for name in WORDS_SYN if name not in phrases]
        if self.finder is None or not missing:
            return {}
        words = re.split("[ -]", compound.text)
        parts: dict[Role, str] = {"head": words[compound.head_index], "mod": words[1 - compound.head_index]}
        used = {word.lower() for name in WORDS_SYN for word in phrases.get(name, "").split()}
        choices = {
            role: [
                one.form
                for one in self.finder.of_word(Component(compound.text, role, word))
                if one.form.lower() not in used
            ]
            for role, word in parts.items()
        }
        # no word twice, as long as there are enough; where a component has no synonym, that of the first pair
        first = phrases.get(WORDS_SYN[0], "").split()
        heads = choices["head"] or first[compound.head_index :][:1]
        modifiers = choices["mod"] or first[1 - compound.head_index :][:1]
        pairs = [*zip(heads, modifiers, strict=False), *product(heads, modifiers)]
        texts = (self._pair(compound, head, modifier) for head, modifier in pairs if head.lower() != modifier.lower())
        fresh = dict.fromkeys(text for text in texts if text is not None and text not in phrases.values())
        return dict(zip(missing, fresh, strict=False))

    def _pair(self, compound: Compound, head: str, modifier: str) -> str | None:
        """Return the phrase of *head* and *modifier* in the order of *compound*; the modifier agrees with the head.

        None where it cannot be made to, or a word of the compound would stay.
        """
        words = re.split("[ -]", compound.text)
        own = {word.lower() for word in words}
        words[1 - compound.head_index] = modifier
        phrase = self._phrases.with_head(" ".join(words), head) or ""
        parts = phrase.lower().split()
        is_pair = len(parts) == len(words) and parts[compound.head_index] == head.lower()
        return phrase if is_pair and own.isdisjoint(parts) else None


def _regenerated(base: PublishedItem, context: str, variant: str, sentence: MarkedSentence, rule: str) -> PublishedItem:
    """Return the item of a sentence that was made of *base*, which stands in the files."""
    source = base.published or base.sentence
    return replace(
        base, context=context, variant=variant, sentence=sentence.text, start=sentence.span[0], end=sentence.span[1],
        origin="regenerated", published=source, rule=rule,
    )  # fmt: skip


def waive(folder: Path) -> int:
    """Write the splits of the pack in *folder*, and a waiver for each incident of its published sentences.

    Returns the number of waivers.
    """
    pack = read_pack(folder)
    splits = assign_splits(pack.compounds, (), seed="ncimp")
    write_tsv(folder / "splits.tsv", map(to_row, splits), columns("split"))
    pack = replace(pack, splits=tuple(splits))
    items = published_items(pack, release="0.0.0")
    words = {word for row in pack.compounds for word in (row.modifier, row.head)}
    rows = Tables(
        items,
        release_pairs(items, dict.fromkeys(map(pack.compound_id, (row.text for row in pack.compounds)))),
        release_compounds(pack, dict.fromkeys(words), "", release="0.0.0"),
    )
    incidents = validate(rows, {pack.language.code: pack})
    places = {(row.code, row.place): row.message for row in incidents}
    waivers = [
        records.Waiver(code, place, f"as published: {message}", "ncimp pack import", DAY)
        for (code, place), message in places.items()
    ]
    write_tsv(folder / "waivers.tsv", map(to_row, waivers), columns("waiver"))
    return len(waivers)
