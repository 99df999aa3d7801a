"""How many planted errors of agreement validation finds, and how many of its findings are planted errors.

    PYTHONPATH=src python bench/linguistics_validator.py --shared ../shared

Sentences are the experts' own (`gold/dev_sentences.jsonl`): naturalistic ones in Portuguese, the short frame in
English. Left out are those that `gold/dev_accept.jsonl` lists, and variants that the experts did not
repair by policy (single components) or that nobody has read for errors (`rand_nc`). Into each, one error
at a time is planted: one for each category of words that occurs around the span.

Which words agree with a span is not asked of any rule: it is read off the experts' sentences. A word of a context
that differs between two of its variants, and is a form of the same word, agrees with the span. Of several, a
keyed hash picks one, and whether its gender or its number is changed. Where every lexicon gives the noun both
genders (*artista*), another gender is no error, and none is planted. In English, `a` and `an` are exchanged.

    recall           share of the planted errors that are found at their word
    precision        share of the findings, in clean and in corrupted sentences, that are planted errors
    false alarms     share of the clean sentences with a finding
    listed           sentences that `dev_accept.jsonl` calls ungrammatical or not repaired, and in how many
                     of them there is a finding: real errors, some of spelling or of a missing crase

A finding in a clean sentence counts as false, whoever is right; `--errors` shows them all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ncimp.builder.records import Language
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.store import open_lexicon
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.builder.sources.registry import data_folder
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.builder.validation.agreement.phrase import Cell, Finding
from ncimp.schemas.files import keyed_hash

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = ("original", "gold_syn", "words_syn", "head_syn", "mod_syn", "rand_freq")
"""Variants that the experts repaired and that were read for errors."""

CATEGORIES = {
    "article": "article",
    "contraction": "contraction",
    "demonstrative": "demonstrative",
    "possessive": "possessive",
    "quantifier": "quantifier",
    "identity": "quantifier",
}
"""Category of the errors in a determiner, by the kind of its paradigm."""

LEXICONS = {"pt": "morphobr-"}
"""Beginning of the names of the full-form lexicons of a language that needs any; treebanks begin with its code."""

Row = dict[str, Any]
Place = tuple[bool, int]
"""Whether a word stands left of the span, and its index from the beginning, or from the end."""


@dataclass(frozen=True)
class Planted:
    """One corrupted sentence."""

    category: str
    tokens: tuple[str, ...]
    span: tuple[int, int]
    index: int
    row: Row


@dataclass
class Figures:
    """What came of the sentences of one language."""

    clean: int = 0
    alarmed: int = 0
    false: int = 0
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    listed: int = 0
    listed_found: int = 0

    @property
    def recall(self) -> float:
        """Share of the planted errors that were found."""
        return sum(self.found.values()) / sum(self.planted.values())

    @property
    def precision(self) -> float:
        """Share of the findings that are planted errors."""
        return sum(self.found.values()) / (sum(self.found.values()) + self.false)

    @property
    def false_alarms(self) -> float:
        """Share of the clean sentences with a finding."""
        return self.alarmed / self.clean

    def see(self, found: Sequence[Finding]) -> None:
        """Count the findings in a clean sentence."""
        self.clean += 1
        self.alarmed += bool(found)
        self.false += len(found)

    def see_planted(self, category: str, index: int, found: Sequence[Finding]) -> bool:
        """Count the findings in a sentence with an error at *index*, and tell whether it was found."""
        others = sum(finding.index != index for finding in found)
        self.planted[category] += 1
        self.found[category] += others < len(found)
        self.false += others
        return others < len(found)

    def table(self, name: str) -> Iterator[str]:
        """Yield the lines of the table of a language or file."""
        yield f"{name}: {self.clean} clean sentences, {sum(self.planted.values())} corrupted"
        for category, count in sorted(self.planted.items()):
            yield f"  {category:<16} {count:>6} {self.found[category] / count:>8.1%}"
        rates = f"recall {self.recall:.1%}, precision {self.precision:.1%}"
        yield f"  {rates}, {self.false} false findings, false alarms {self.false_alarms:.2%}"
        if self.listed:
            yield f"  listed {self.listed}, found in {self.listed_found}"


class Planter:
    """Plants errors into the sentences of one language."""

    def __init__(self, language: Language, morphology: LayeredMorphology) -> None:
        self._language, self._morphology = language, morphology
        self._paradigms = language.paradigms
        self._verb_endings, self._verb_forms = language.verb_endings, language.verb_forms
        pairs = [] if language.agrees else [sorted(row.words) for row in language.paradigms if len(row.words) == 2]
        self._alternations = {word: other for pair in pairs for word, other in (pair, pair[::-1])}

    def agreeing(self, rows: Sequence[Row]) -> dict[Place, tuple[str, list[str]]]:
        """Return the words that differ between variants of one context: category and forms by place."""
        forms: defaultdict[Place, Counter[str]] = defaultdict(Counter)
        shape = Counter(frozenset(_carrier(row)) for row in rows).most_common(1)[0][0]
        for row in rows:
            carrier = _carrier(row)
            if frozenset(carrier) == shape:
                for place, word in carrier.items():
                    forms[place][word.lower()] += 1
        varying = {place: sorted(found) for place, found in forms.items() if len(found) > 1}
        kinds = {place: self._category(found) for place, found in varying.items()}
        return {place: (kind, varying[place]) for place, kind in kinds.items() if kind}

    def plant(self, row: Row, agreeing: Mapping[Place, tuple[str, list[str]]]) -> Iterator[Planted]:
        """Yield *row* with an error in one word of each category."""
        tokens, (start, end) = row["sentence"].split(" "), row["span"]
        name = (row["compound"], row["context"], row["variant_type"], str(row["variant_index"]))
        by_category: defaultdict[str, list[tuple[int, list[str]]]] = defaultdict(list)
        for (is_left, offset), (category, forms) in agreeing.items():
            index = offset if is_left else len(tokens) + offset
            outside = index < start if is_left else index >= end
            if outside and tokens[index].lower() in forms:
                by_category[category].append((index, forms))
        for category, places in sorted(by_category.items()):
            options = [
                (keyed_hash(*name, category, str(index), form), index, form)
                for index, forms in places
                for form in self.corrupted(category, tokens[index].lower(), forms, tokens[start:end])
            ]
            if options:
                _, index, form = min(options)
                yield _planted(category, tokens, (start, end), index, form, row)

    def exchange(self, row: Row) -> Iterator[Planted]:
        """Yield *row* with the other form of the word before the span, where it has one for another sound."""
        tokens, (start, end) = row["sentence"].split(" "), row["span"]
        other = self._alternations.get(tokens[start - 1].lower()) if start else None
        if other:
            yield _planted(f"{tokens[start - 1].lower()} to {other}", tokens, (start, end), start - 1, other, row)

    def _category(self, forms: Sequence[str]) -> str | None:
        for paradigm in self._paradigms:
            if paradigm.words.issuperset(forms):
                return CATEGORIES.get(paradigm.kind)
        readings = [self._morphology.readings(form) for form in forms]
        for pos, name in (("adj", "adjective"), ("verb", "verb number")):
            lemmas = [{reading.lemma for reading in found if reading.pos == pos} for found in readings]
            if set.intersection(*lemmas):
                participle = pos == "adj" and any(map(self._morphology.is_participle, forms))
                return "participle" if participle else name
        return "verb number" if self._is_pair(forms) else None

    def _is_pair(self, forms: Sequence[str]) -> bool:
        """Tell whether *forms* are the two numbers of a verb by the pack's endings."""
        return len(forms) == 2 and any(
            one.endswith(singular) and other == one.removesuffix(singular) + plural
            for singular, plural in self._verb_endings
            for one, other in (forms, reversed(forms))
        )

    def verbs(self, word: str) -> Iterator[str]:
        """Yield the other number of a finite verb of the third person, by the pack's pairs and endings."""
        pairs = [*self._verb_forms, *((plural, singular) for singular, plural in self._verb_forms)]
        listed = [other for one, other in pairs if one == word]
        endings = [(plural, singular) for singular, plural in self._verb_endings] + list(self._verb_endings)
        made = (word.removesuffix(one) + other for one, other in endings if word.endswith(one))
        yield from listed[:1] or list(made)[:1]

    def corrupted(self, category: str, word: str, forms: Sequence[str], span: Sequence[str]) -> Iterator[str]:
        """Yield the forms of *word* with another gender or another number."""
        if category == "verb number":
            yield from (form for form in forms if form != word)
            return
        known = self._cells({word, *forms}, word)
        own = [cell for cell, form in known.items() if form == word]
        fixed = not self._may_have_either_gender(span)
        for (gender, number), form in sorted(known.items(), key=str):
            turned = any(gender != one and number == other for one, other in own)
            counted = any(gender == one and number != other for one, other in own)
            if form and form != word and ((turned and fixed) or (counted and not turned)):
                yield form

    def _cells(self, forms: set[str], word: str) -> Mapping[Cell, str | None]:
        """Return the forms of *word* by gender and number: those of its paradigm, else those of the lexicons."""
        for paradigm in self._paradigms:
            if forms <= paradigm.words:
                return {one: cell.forms[0] for cell in paradigm.cells for one in self._language.cells(cell)}
        return {
            (gender, number): self._morphology.counterpart(word, "adj", gender=gender, number=number)
            for gender, number in self._language.cells()
        }

    def _may_have_either_gender(self, span: Sequence[str]) -> bool:
        """Tell whether no word of *span* fixes its gender, by every reading of every lexicon."""
        for word in span:
            readings = [form for form in self._morphology.readings(word) if form.pos in ("noun", "adj")]
            genders = {form.gender for form in readings}
            if genders and None not in genders and not genders >= {"m", "f"}:
                return False
        return True


def _planted(category: str, tokens: list[str], span: tuple[int, int], index: int, form: str, row: Row) -> Planted:
    word = form.capitalize() if tokens[index][:1].isupper() else form
    return Planted(category, (*tokens[:index], word, *tokens[index + 1 :]), span, index, row)


def _carrier(row: Row) -> dict[Place, str]:
    """Return the words outside the span by place."""
    tokens, (start, end) = row["sentence"].split(" "), row["span"]
    left = {(True, index): tokens[index] for index in range(start)}
    return left | {(False, index - len(tokens)): tokens[index] for index in range(end, len(tokens))}


def clean_rows(shared: Path, lang: str) -> list[Row]:
    """Return the experts' rows of *lang* that are taken to be right."""
    doubtful = {_key(row) for row in _read(shared / "gold" / "dev_accept.jsonl")}
    return [row for row in _sentences(shared, lang) if _key(row) not in doubtful]


def listed_rows(shared: Path, lang: str) -> list[Row]:
    """Return the experts' rows of *lang* in which a reader has found an error of grammar."""
    wrong = {_key(row) for row in _read(shared / "gold" / "dev_accept.jsonl") if row["label"] == "G"}
    return [row for row in _sentences(shared, lang) if _key(row) in wrong]


def _sentences(shared: Path, lang: str) -> Iterator[Row]:
    """Yield the rows of *lang*: of English, which varies in sound only, all in the short frame."""
    for row in _read(shared / "gold" / "dev_sentences.jsonl"):
        if row["lang"] == lang == "en" and row["context"] == "short":
            yield row
        if row["lang"] == lang != "en" and row["context"].startswith("nat") and row["variant_type"] in FAMILIES:
            yield row


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("lang", "compound", "context", "variant_type", "variant_index"))


def _read(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def planted_rows(rows: Sequence[Row], planter: Planter, lang: str) -> Iterator[Planted]:
    """Yield every corrupted sentence."""
    if lang == "en":
        for row in rows:
            yield from planter.exchange(row)
        return
    contexts: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        contexts[row["compound"], row["context"]].append(row)
    for group in contexts.values():
        agreeing = planter.agreeing(group)
        for row in group:
            yield from planter.plant(row, agreeing)


def tools(shared: Path, lang: str, *, data: Path) -> tuple[AgreementChecker, Planter]:
    """Return the second opinion and the planter of *lang*, with every lexicon of the development data."""
    pack, sources = read_pack(packs_folder() / lang), shared / "sources"
    counted = sorted((sources / "corpora").glob(f"{lang}_*.conllu"))
    full = sorted((sources / "morphology").glob(f"{LEXICONS.get(lang, '')}*.xz"))
    paths = [*full, *counted] if lang in LEXICONS else []
    stores = [open_lexicon(path, data=data) for path in paths]
    morphology = LayeredMorphology(PackMorphology(pack.forms, pack.language), stores)
    return AgreementChecker(pack.language, morphology), Planter(pack.language, morphology)


def measure(shared: Path, lang: str, *, data: Path, told: list[str] | None = None) -> Figures:
    """Return the figures of *lang*; to *told*, add a line for every error that was missed and every false finding."""
    opinion, planter = tools(shared, lang, data=data)
    figures, rows = Figures(), clean_rows(shared, lang)
    lines = [] if told is None else told
    for row in rows:
        tokens, span = row["sentence"].split(" "), row["span"]
        found = opinion.findings(tokens, *span)
        figures.see(found)
        lines.extend(f"FALSE {finding.code} {shown(tokens, span, finding)}" for finding in found)
    for planted in planted_rows(rows, planter, lang):
        tokens, span, index = planted.tokens, planted.span, planted.index
        found = opinion.findings(tokens, *span)
        if not figures.see_planted(planted.category, index, found):
            lines.append(f"MISSED {planted.category}: {_marked(tokens, span, index)}")
        lines.extend(f"FALSE {row.code} {shown(tokens, span, row)}" for row in found if row.index != index)
    for row in listed_rows(shared, lang):
        figures.listed += 1
        figures.listed_found += bool(opinion.findings(row["sentence"].split(" "), *row["span"]))
    return figures


def shown(tokens: Sequence[str], span: Sequence[int], finding: Finding) -> str:
    """Return a finding with its sentence, the phrase in brackets and the word in stars."""
    return f"{finding.message} | {_marked(tokens, span, finding.index)}"


def _marked(tokens: Sequence[str], span: Sequence[int], index: int) -> str:
    marked = [f"*{word}*" if at == index else word for at, word in enumerate(tokens)]
    return " ".join([*marked[: span[0]], "[", *marked[span[0] : span[1]], "]", *marked[span[1] :]])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the development data")
    parser.add_argument("--data", type=Path, help="where lexicons are kept (default: the user's cache)")
    parser.add_argument("--lang", nargs="+", default=["pt", "en"])
    parser.add_argument("--errors", action="store_true", help="print what was missed and what was wrongly found")
    args = parser.parse_args()
    for lang in args.lang:
        told: list[str] | None = [] if args.errors else None
        figures = measure(args.shared, lang, data=data_folder(args.data), told=told)
        sys.stdout.writelines(f"{line}\n" for line in (*(told or ()), *figures.table(lang)))


if __name__ == "__main__":
    main()
