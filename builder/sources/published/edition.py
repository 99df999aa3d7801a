"""Packs of the edition `paper`: the published sentences as they stand, with their scores, and what the files lack."""

import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import get_args

from ncimp.builder import records
from ncimp.builder.records import (
    Compound,
    CompoundClass,
    Hole,
    Language,
    PublishedItem,
    PublishedScore,
    ScoreLayer,
    TrueSynonym,
)
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.packs.packs import BENCHMARKS, PUBLISHED, SOURCES
from ncimp.builder.sources.packs.packs import SCORES as SCORES_TABLE
from ncimp.builder.sources.packs.start import TABLES
from ncimp.builder.sources.published import ncimp, nctti
from ncimp.builder.sources.published.ncimp import COPY, SCORES, NcimpFiles, PublishedTable, ScoreRow
from ncimp.builder.sources.published.nctti import CLASSES, CorpusPlace, NcttiRow
from ncimp.schemas import Place, SourceError, UsageError, read_text, write_text, write_tsv
from ncimp.schemas.files import write_jsonl
from ncimp.schemas.records import columns, compound_key, load_schema, to_row

PACK_KEYS = {
    "edition": "paper",
    "version": "1.0.0",
    "licence": "LicenseRef-NCIMP-not-stated",
    "author": "He, Vieira, Garcia, Scarton, Idiart and Villavicencio (2025)",
}
"""What pack.toml says of the published files; everything else in it is of the language."""
DAY = "2025-01-14"  # of the published files
LAYERS: Mapping[ScoreLayer, str] = {
    "class_by_type": "ClassType",
    "class_by_token": "ClassToken",
    "comp_type": "CompositionalityType",
    "comp_token_pooled": "CompositionalityTokenSents",
}
"""The column of the spreadsheet for each layer of a compound as a whole."""
OF_SENTENCE: Mapping[ScoreLayer, str] = {"comp_token": "CompositionalityToken"}
"""The same, of one sentence."""
NCTTI = "NCTTI"
MOST = 5  # the highest score
NO_FILE, NO_COLUMN = "no file has this context", "the file has no such column"
NO_ROW, NO_CELL = "the file has no such row", "the cell is empty, or its tags are not one run of its words"


@dataclass(frozen=True, slots=True)
class PaperPack:
    """The tables of one language."""

    compounds: tuple[Compound, ...]
    synonyms: tuple[TrueSynonym, ...]
    items: tuple[PublishedItem, ...]
    scores: tuple[PublishedScore, ...]
    holes: tuple[Hole, ...]
    memberships: tuple[records.Membership, ...]
    left_out: tuple[str, ...] = ()  # compounds that not all files have, with the reason
    sources: tuple[records.Source, ...] = ()  # lexicons of the words of sentences that were made


@dataclass(frozen=True)
class PaperReader:
    """Makes the pack of one language of the published files."""

    files: NcimpFiles
    language: Language
    forms: LayeredMorphology
    also: Mapping[str, CompoundClass | None]
    """Compounds to keep that not all files have, by key; with the class of one that has no score."""

    def read(self) -> PaperPack:
        """Return the pack of all compounds that have a class and a row in every file, and of those of `also`."""
        labels: dict[str, CompoundClass | None] = {
            key: CLASSES.get(row.values["ClassToken"].strip()) for key, row in self._scored.items()
        }
        for key, label in self.also.items():
            if label is not None and labels.get(key) is not None:
                what = f"{key!r} has a published class, {labels[key]}"
                raise UsageError(what, fix="leave the class of --also out")
            labels[key] = label or labels.get(key)
        texts: dict[str, str] = {}
        for row in (row for table in self._tables for row in table.rows):
            texts.setdefault(compound_key(row[0]), row[0].strip())  # the first file names a compound
        whole = {key for key in texts if all(key in table.numbers for table in self._tables)} | self.also.keys()
        classes = {key: label for key in texts if key in whole and (label := labels.get(key)) is not None}
        out = [
            f"{texts[key]}: {'not in every file' if labels.get(key) else 'no score'}"
            for key in texts
            if key not in classes
        ]
        out += [
            f"{row.values['compound']}: a score and no sentence"
            for key, row in self._scored.items()
            if key not in texts
        ]
        items = {key: tuple(self._items(key, texts[key])) for key in classes}
        compounds = {key: self._compound(key, texts[key], label) for key, label in classes.items()}
        return PaperPack(
            tuple(compounds.values()),
            tuple(row for key, compound in compounds.items() for row in synonyms_of(compound, items[key])),
            tuple(row for own in items.values() for row in own),
            tuple(row for key in classes for row in self._scores(key, texts[key])),
            tuple(row for key in classes for row in self._holes(key, texts[key], items[key])),
            tuple(records.Membership(texts[key], "NCIMP") for key in classes),
            left_out=tuple(sorted(out)),
        )

    @cached_property
    def _tables(self) -> list[PublishedTable]:
        return self.files.of(self.language.code)

    @cached_property
    def _scored(self) -> dict[str, ScoreRow]:
        return {row.key[1]: row for row in self.files.scores if row.key[0] == self.language.code}

    @cached_property
    def _plural_words(self) -> frozenset[str]:
        """The words of the neutral frame that only a plural has."""
        words = {name: set(re.findall(r"\w+", text)) for name, text in self.language.frames["neut_short"].items()}
        return frozenset(words["pl"] - words["sg"])

    def _items(self, key: str, text: str) -> Iterator[PublishedItem]:
        for table in self._tables:
            number = table.numbers.get(key)
            if number is None or table.cell(number, table.original) is None:
                continue  # without the original there is no pair
            for variant, column in table.variants.items():
                cell = table.cell(number, column)
                if cell is not None:
                    yield PublishedItem(
                        text, table.context, variant, self._number(key, table, cell.text), cell.text, *cell.span,
                        "published", None, None, cell.document, cell.start, cell.row, cell.column,
                    )  # fmt: skip

    def _number(self, key: str, table: PublishedTable, sentence: str) -> records.Number:
        """Return the number of a neutral sentence, or of the compound in another one."""
        if table.kind == "neutral":
            return "pl" if self._plural_words & set(sentence.split()) else "sg"
        neutral = self._tables[0]
        row = neutral.numbers.get(key)
        own = "sg" if row is None else self._number(key, neutral, neutral.text(row, neutral.original))
        is_citation = compound_key(table.text(table.numbers[key], "compound noun")) == key
        return own if is_citation else "pl" if own == "sg" else "sg"

    def _compound(self, key: str, text: str, label: CompoundClass) -> Compound:
        """Return the row of a compound; pattern and lemmas as far as the forms of the language are known."""
        table, number = self._tables[0], self._tables[0].numbers.get(key)
        original = "" if number is None else table.text(number, table.original)
        words = re.split("[ -]", text)
        parts = {"modifier": words[0], "head": words[-1]}
        if number is not None:
            parts = {name: table.text(number, f"compound noun {name}") for name in parts}
        head_index = int(words[0].lower() != parts["head"].lower())
        pos = next((row.pos for row in self.forms.readings(parts["modifier"]) if row.pos in ("adj", "noun")), "noun")
        join, patterns = "-" if "-" in text else " ", self.language.patterns.values()
        fitting = [row for row in patterns if len(row.parts) > 1 and row.head == head_index] or [*patterns]
        pattern = min(fitting, key=lambda row: (row.join != join, row.parts[1 - head_index] != pos))
        return Compound(
            text=text,
            modifier=self._lemma(parts["modifier"], pattern.parts[1 - head_index]),
            head=self._lemma(parts["head"], "noun"),
            head_index=head_index,
            pattern=pattern.id,
            gender=gender_of_frame(self.language, original),
            number=self._number(key, table, original),
            countability="count",
            compound_class=label,
            semantic_class=None,
            fitting_classes=None,
            sense_note=text,  # the files do not say what it means
            author=PACK_KEYS["author"],
            date=DAY,
        )

    def _lemma(self, word: str, pos: str) -> str:
        return next((row.lemma for row in self.forms.readings(word) if row.pos == pos), word.lower())

    def _scores(self, key: str, text: str) -> Iterator[PublishedScore]:
        for row in self.files.scores_by_compound.get((self.language.code, key), ()):
            of_sentence = row.context in records.NATURALISTIC
            for layer, column in (OF_SENTENCE if of_sentence else LAYERS).items():
                value = row.values[column].strip()
                if layer.startswith("comp") and not 0 <= (row.score(column) or 0) <= MOST:
                    place = Place(SCORES, row.number, column)
                    raise SourceError(
                        f"{value!r} is no score", fix=f"0 to {MOST} is expected; give {COPY}", place=place
                    )
                if value:
                    yield PublishedScore(text, "NCIMP", layer, row.context if of_sentence else None, value)

    def _holes(self, key: str, text: str, items: Iterable[PublishedItem]) -> Iterator[Hole]:
        present = {(item.context, item.variant) for item in items}
        tables = {table.context: table for table in self._tables}
        for context in records.CONTEXTS:
            table, groups = tables.get(context), defaultdict[str, list[str]](list)
            for variant in records.VARIANTS:
                if (context, variant) not in present:
                    reason = NO_FILE if table is None else NO_ROW if key not in table.numbers else NO_COLUMN
                    there = table is not None and key in table.numbers and variant in table.variants
                    groups[NO_CELL if there else reason].append(variant)
            yield from (Hole(text, context, " ".join(names), reason) for reason, names in groups.items())


def gender_of_frame(language: Language, sentence: str) -> records.Gender | None:
    """Return the gender that the first word of a neutral sentence shows (*Esta é uma ...*), or None."""
    word = sentence.partition(" ")[0].lower()
    cells = (cell for paradigm in language.paradigms for cell in paradigm.cells if word in cell.forms)
    shown = {value for cell in cells for value in cell.values.get("gender", ())}
    return next((value for value in get_args(records.Gender) if shown == {value}), None)


def synonyms_of(compound: Compound, items: Iterable[PublishedItem]) -> Iterator[TrueSynonym]:
    """Yield the true synonym of *compound*, as the neutral sentence has it; nobody has analysed its words."""
    for item in items:
        if (item.context, item.variant) == ("neut_short", "syn"):
            text = item.sentence[item.start : item.end]
            shared = {*compound_key(text).split()} & {*compound_key(compound.text).split()}
            yield TrueSynonym(compound.text, 1, text, None, text, "N", None, not shared, "synonym", "count", "neutral")


def with_nctti(pack: PaperPack, rows: Iterable[NcttiRow]) -> PaperPack:
    """Return *pack* with the classes by experts, the scores, paraphrases and places of NCTTI before its own scores."""
    by_key = {row.key[1]: row for row in rows}
    rows_of = {one.text: row for one in pack.compounds if (row := by_key.get(compound_key(one.text))) is not None}
    scores = [score for text, row in rows_of.items() for score in _nctti_scores(text, row)]
    others = [score for score in pack.scores if score.source != NCTTI]
    compounds = (
        replace(one, compound_class=CLASSES[rows_of[one.text].short_class]) if one.text in rows_of else one
        for one in pack.compounds
    )
    pack = with_memberships(pack, [records.Membership(text, NCTTI) for text in rows_of])
    return replace(pack, compounds=tuple(compounds), scores=(*scores, *others))


def with_memberships(pack: PaperPack, rows: Iterable[records.Membership]) -> PaperPack:
    """Return *pack* with those of *rows* that are of its compounds, however they are written there."""
    texts = {compound_key(row.text): row.text for row in pack.compounds}
    pairs = ((texts.get(compound_key(row.compound)), row.benchmark) for row in rows)
    memberships = {*pack.memberships, *(records.Membership(text, name) for text, name in pairs if text is not None)}
    order = {row.text: number for number, row in enumerate(pack.compounds)}
    return replace(pack, memberships=tuple(sorted(memberships, key=lambda row: (order[row.compound], row.benchmark))))


def _nctti_scores(text: str, row: NcttiRow) -> Iterator[PublishedScore]:
    values: list[tuple[ScoreLayer, str | None, str]] = [("expert_class", None, row.short_class)]
    if row.type_score is not None:
        values.append(("comp_type", None, str(row.type_score)))
    of_sentence = zip(records.NATURALISTIC, row.sentence_scores, row.sentence_paraphrases, strict=True)
    values += [("comp_token", name, str(score)) for name, score, _ in of_sentence if score is not None]
    lists = zip((None, *records.NATURALISTIC), (row.paraphrases, *row.sentence_paraphrases), strict=True)
    values += [("paraphrases", name, "; ".join(texts)) for name, texts in lists if texts]
    places = zip(records.NATURALISTIC, row.sentences, strict=False)
    values += [
        ("corpus_place", name, f"{place.document}#{place.number}")
        for name, place in places
        if isinstance(place, CorpusPlace)
    ]
    return (PublishedScore(text, NCTTI, layer, context, value) for layer, context, value in values)


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file with sentences in *folder*, a copy of the files of NCIMP or of NCTTI."""
    place = nctti.nctti_folder(folder)
    return ncimp.documents(folder) if place is None else nctti.sentence_files(place)


def write_paper_pack(folder: Path, pack: PaperPack, base: Path) -> None:
    """Write *pack* into *folder*, with the grammar, the forms and the lexicon of the pack in *base*."""
    folder.mkdir(parents=True, exist_ok=True)
    text = read_text(base / "pack.toml")
    for key, value in PACK_KEYS.items():
        text = re.sub(rf'^{key} = ".*"$', f'{key} = "{value}"', text, count=1, flags=re.MULTILINE)
    write_text(folder / "pack.toml", text)
    for name in ("lexicon.xml", "forms.tsv"):
        shutil.copyfile(base / name, folder / name)
    empty: Sequence[object] = ()
    tables: Mapping[str, tuple[str, Sequence[object]]] = {
        **{name: (record, empty) for name, record in TABLES.items() if name not in ("forms", "pool")},
        "synonyms": ("pack_synonym", pack.synonyms),
    }
    for name, (record, rows) in tables.items():
        least = columns(record) if rows else columns(record)[: len(load_schema(record)["required"])]
        write_tsv(folder / f"{name}.tsv", map(to_row, rows), least)
    write_changes(folder, pack)


def write_changes(folder: Path, pack: PaperPack) -> None:
    """Write what NCTTI changes of *pack* into *folder*: all but its grammar, lexicon and synonyms."""
    write_jsonl(folder / PUBLISHED, map(to_row, pack.items))
    write_tsv(folder / "holes.tsv", map(to_row, pack.holes), columns("hole"))
    write_tsv(folder / "compounds.tsv", map(to_row, pack.compounds), columns("pack_compound"))
    write_tsv(folder / SCORES_TABLE, map(to_row, pack.scores), columns("published_score"))
    write_tsv(folder / BENCHMARKS, map(to_row, pack.memberships), columns("membership"))
    write_tsv(folder / SOURCES, map(to_row, pack.sources), columns("source"))
