"""Read the published files of AStitchInLanguageModels into the tables of a suite.

Sentences are from `TaskIndependentData` where the copy has that file of a language, else from the tables of task 1,
which have them by row: task 1A with and without their neighbours, task 1B with every paraphrase of the compound. Both
agree. Paraphrases that are put in are those of task 2, as published, with the similarities of the reference model:

    Task2/CreateEvaluationData/EN/NoResults/evalData/dev_rawSimData.csv       a sentence, another one, 1 or None
    Task2/CreateEvaluationData/EN/WithResults/evalData/dev_similatiries.csv   no header; a number each
    Task2/CreateEvaluationData/EvalSTSData/en_dev_Eval_STS_Data.csv           no header; score, and two sentences

A file that the copy lacks is a gap, which is named; a file that is there has to be as expected.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ncimp.builder.sources.published import audit_suites as files
from ncimp.builder.sources.published.audit import Tree, read_lines, read_rows
from ncimp.schemas import Place, SourceError, keyed_hash, suites
from ncimp.schemas.records import Span, compound_key, compound_pattern

VERSION = "1.0.0"  # of the tables; the published files have none
LICENCE = "GPL-3.0-only"  # of the repository; the sentences are from the web
PROPER = "Proper Noun"
LITERAL = "Literal Meaning"  # the column of the senses that no other table names
SIMILARITIES = "Task2/CreateEvaluationData/{}/WithResults/evalData/{}_similatiries.csv"
JUDGED_PAIRS = "Task2/CreateEvaluationData/EvalSTSData/{}_{}_Eval_STS_Data.csv"
REFERENCE = "SentTransTokenizedNoPreTrain"  # the model whose similarities were published
ONE_SHOT, FEW_SHOT = "train_one_shot", "train_few_shot"
PARTS: Mapping[str, tuple[suites.Shot, suites.SuiteSplit]] = {
    ONE_SHOT: ("one", "train"),  # before few-shot, which has its sentences again
    FEW_SHOT: ("further", "train"),
    "train_zero_shot": ("zero", "train"),
    "dev": ("none", "validation"),
    "test": ("none", "test"),
}
OF_COMPOUND: Mapping[str, suites.SuiteSplit] = {"train": "train", "dev": "validation", "test": "test"}
SENSE_IDS: tuple[tuple[str, suites.SenseKind], ...] = (
    ("literal", "literal"),
    *((f"idiomatic{number}", "idiomatic") for number in ("", 2, 3)),
    ("name", "proper_noun"),
    ("meta", "meta"),
)
"""Name and kind of each meaning, in the order in which the files list them."""

Meanings = Mapping[str, tuple[str, ...]]
"""The six meanings of each compound, by its key."""


class PublishedExample(NamedTuple):
    """An example as the files have it; a meaning that no file tells is empty."""

    compound: str
    label: str
    meaning: str
    previous: str
    sentence: str
    next: str
    source: str | None


def read_astitch(root: Tree) -> suites.SuiteTables:
    """Return the tables of the AStitch files in *root*, or raise `SourceError` at the file that is not as expected."""
    base = root / "Dataset" if (root / "Dataset").is_dir() else root
    expected = dict(files.astitch_tables())
    there = {name: of for name, of in expected.items() if (base / name).is_file()}
    tables: files.Tables = {name: read_rows(base / name, of, files.ASTITCH_COPY) for name, of in there.items()}
    languages = [AstitchLanguage(base, lang, tables) for lang in files.PRINTED]
    if not any(one.splits for one in languages):
        what = "no examples of AStitch in it"
        raise SourceError(what, fix=f"give {files.ASTITCH_COPY}, or its folder Dataset", place=Place(str(root)))
    pairs = tuple(row for one in languages for row in one.pairs())  # before the gaps, which it may add to
    gaps = [*(name for name in expected if name not in tables), *(name for one in languages for name in one.gaps)]
    return suites.SuiteTables(
        senses=tuple(row for one in languages for row in one.senses()),
        examples=tuple(row for one in languages for row in one.examples()),
        pairs=pairs,
        gaps=tuple(sorted(gaps)),
    )


@dataclass
class AstitchLanguage:
    """The files of one language, which the files name in capitals."""

    base: Tree
    name: str
    tables: files.Tables
    gaps: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lang = self.name.lower()
        independent = files.independent_examples(self.base, self.name)
        if not independent:
            self.gaps.append(files.INDEPENDENT.format(self.lang))
        self.meanings = dict(self._meanings(row for rows in independent.values() for row in rows))
        self.splits = {split: self._published(split, independent.get(split)) for split in PARTS}
        self.splits = {split: rows for split, rows in self.splits.items() if rows}
        self.compounds = {compound_key(row.compound): row.compound for rows in self.splits.values() for row in rows}

    def _meanings(self, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[str, tuple[str, ...]]]:
        columns = (LITERAL, *files.SENSE_COLUMNS[1:-1])
        for row in self.tables.get(files.SENSES.format(self.name), ()):
            texts = (row.get(name, files.NONE).strip() for name in columns)
            yield compound_key(row[files.SENSE_COLUMNS[0]]), (*texts, PROPER, files.META)
        for cells in rows:
            yield compound_key(str(cells[1])), tuple(str(cell).strip() for cell in cells[2:8])

    def _published(self, split: str, rows: Sequence[Sequence[Any]] | None) -> list[PublishedExample]:
        if rows is not None:
            return [self._checked(split, number, row) for number, row in enumerate(rows, start=1)]
        file = f"Task1/SubTaskA/{self.name}/Context{{}}_IdiomIncluded/{split}.csv"
        targets, contexts = (self.tables.get(file.format(inside), []) for inside in ("Excluded", "Included"))
        if targets and contexts and len(contexts) != len(targets):
            what = f"{len(contexts)} rows where the table without context has {len(targets)}"
            raise SourceError(
                what, fix=f"give {files.ASTITCH_COPY}", place=Place(str(self.base / file.format("Included")))
            )
        texts = [row["sentence1"] for row in (contexts if targets else ()) or targets]
        for number, row in enumerate(targets, start=2):
            self._check(row["label"], ("0", "1"), file.format("Excluded"), number)
        labels = list(self._labels(split, targets))
        return [
            PublishedExample(row["sentence2"], row["label"], meaning, *neighbours(text, row["sentence1"]), None)
            for row, text, meaning in zip(targets, texts, labels, strict=True)
        ]

    def _checked(self, split: str, number: int, row: Sequence[Any]) -> PublishedExample:
        example = PublishedExample(str(row[1]), str(row[8]), *(str(cell).strip() for cell in row[9:14]))
        if example.label not in ("0", "1") or example.meaning not in self.meanings[compound_key(str(row[1]))]:
            what = f"example {number} of {split!r} has the label {row[8]!r} and the meaning {row[9]!r}"
            fix = "a label is 0 or 1, and a meaning is one of the six before it"
            raise SourceError(what, fix=fix, place=Place(str(self.base / files.INDEPENDENT.format(self.lang))))
        return example

    def _labels(self, split: str, targets: Sequence[Mapping[str, str]]) -> Iterator[str]:
        """Yield the meaning of each of *targets*: task 1B has a row for each meaning of the compound."""
        file = f"Task1/SubTaskB/{self.name}/ContextExcluded/{split}.csv"
        rows, start = self.tables.get(file, []), 0
        for target in targets:
            meanings = self.meanings.get(compound_key(target["sentence2"]), ())
            size = sum(text != files.NONE for text in meanings)
            chosen, start = rows[start : start + size], start + size
            right = [row["sentence2"].strip() for row in chosen if row["label"] == "1"]
            if chosen and (not right or any(row["sentence1"] != target["sentence1"] for row in chosen)):
                what = f"the paraphrases of {target['sentence1'][:40]!r} do not stand where task 1A has the sentence"
                place = Place(str(self.base / file), start - size + 2)
                raise SourceError(what, fix=f"give {files.ASTITCH_COPY}", place=place)
            yield right[0] if right else ""

    def senses(self) -> Iterator[suites.ReleasedSense]:
        """Yield the senses of each compound; a meaning that is there twice counts once."""
        split_of = {
            compound_key(row[files.SENSE_COLUMNS[0]]): OF_COMPOUND.get(row[files.SENSE_COLUMNS[-1]].lower(), "train")
            for row in self.tables.get(files.SENSES.format(self.name), ())
        }
        for key, texts in self.meanings.items():
            for text, (sense, kind) in self._named(texts).items():
                yield suites.ReleasedSense(
                    id=f"{self._id(key)}/{sense}",
                    lang=self.lang,
                    compound_id=self._id(key),
                    compound=self.compounds.get(key, key),
                    sense=sense,
                    kind=kind,
                    text=text,
                    modifier=None,
                    head=None,
                    gloss=None,
                    split=split_of.get(key, "train"),
                    source="AStitchInLanguageModels",
                    licence=LICENCE,
                    release=VERSION,
                )

    def _id(self, compound: str) -> str:
        return f"{self.lang}/{compound_key(compound).replace(' ', '-')}"

    @staticmethod
    def _named(texts: Sequence[str]) -> dict[str, tuple[str, suites.SenseKind]]:
        """Return name and kind of each of *texts*, the meanings of a compound."""
        senses = [(text, sense) for text, sense in zip(texts, SENSE_IDS, strict=True) if text != files.NONE]
        return dict(reversed(senses))

    def examples(self) -> Iterator[suites.SenseExample]:
        """Yield the sentences with their senses; those of few-shot that one-shot has, too, are there once."""
        first: dict[str, suites.Shot] = {}
        for split, rows in self.splits.items():
            shot, part = PARTS[split]
            for row in rows:
                compound_id = self._id(row.compound)
                name = f"{compound_id}/{keyed_hash(row.compound, row.previous, row.sentence, row.next)[:8]}"
                if first.setdefault(name, shot) == "one" and split == FEW_SHOT:
                    continue
                name = name if first[name] == shot else f"{name}-{shot}"  # a sentence of two splits
                named = self._named(self.meanings.get(compound_key(row.compound), (files.NONE,) * len(SENSE_IDS)))
                sense, kind = named.get(row.meaning, (None, None))
                yield suites.SenseExample(
                    id=name,
                    lang=self.lang,
                    compound_id=compound_id,
                    compound=row.compound,
                    sense=sense,
                    kind=kind,
                    label=int(row.label),
                    previous=row.previous or None,
                    sentence=row.sentence,
                    next=row.next or None,
                    span=span_of(row.compound, row.sentence),
                    item=None,
                    shot=shot,
                    genre=None,
                    split=part,
                    source=row.source,
                    licence=LICENCE,
                    release=VERSION,
                )

    def pairs(self) -> Iterator[suites.ConsistencyPair]:
        """Yield the pairs of task 2: those of each split, and of people's judgements, and those for training."""
        for split in OF_COMPOUND:
            raw = self.tables.get(files.REPLACED.format(self.name, split), [])
            similarities = self._numbers(SIMILARITIES.format(self.name, split), 1) if raw else []
            if similarities and len(similarities) != len(raw):
                what = (
                    f"{len(similarities)} numbers, where {files.REPLACED.format(self.name, split)} has {len(raw)} rows"
                )
                place = Place(str(self.base / SIMILARITIES.format(self.name, split)))
                raise SourceError(what, fix=f"give {files.ASTITCH_COPY}", place=place)
            for number, row in enumerate(raw):
                similarity = float(similarities[number][0]) if similarities else None
                yield self._replaced(split, number, row, similarity)
            sts = self._numbers(JUDGED_PAIRS.format(self.lang, split), 3) if raw else []
            for number, cells in enumerate(sts):
                name, score = f"{self.lang}/sts/{split}-{number}", float(cells[0])
                yield self._pair(split, name, "sts", None, cells[1:], similarity=score)
        yield from self._training()

    def _replaced(
        self, split: str, number: int, row: Mapping[str, str], similarity: float | None
    ) -> suites.ConsistencyPair:
        name, sentences = f"{self._id(row['idiom'])}/{split}-{number}", (row["sent_idiom"], row["sent_other"])
        self._check(row["sim"], ("1", files.NONE), files.REPLACED.format(self.name, split), number + 2)
        if row["sim"] != files.NONE:
            return self._pair(split, name, "correct", row["idiom"], sentences, similarity=1.0)
        wanted = {"similarity": similarity, "correct": row["correct"]}
        return self._pair(split, name, "incorrect", row["idiom"], sentences, **wanted)

    def _training(self) -> Iterator[suites.ConsistencyPair]:
        """Yield the pairs of task 2B: of each sentence, one with the right paraphrase and then one with a wrong one."""
        compound_of = {row.sentence: row.compound for row in self.splits.get("train_zero_shot", ())}
        rows = self.tables.get(files.TRAINING.format(self.name), [])
        for number, row in enumerate(rows):
            right, compound = number % 2 == 0, compound_of.get(row["sentence1"].strip())
            name = f"{self._id(compound) if compound else self.lang}/train-{number}"
            sentences, before = (row["sentence1"], row["sentence2"]), rows[number - 1]["sentence2"]
            role, correct = ("correct", None) if right else ("incorrect", before)
            similarity = self._number(
                row["similarity"], Place(str(self.base / files.TRAINING.format(self.name)), number + 2)
            )
            yield self._pair("train", name, role, compound, sentences, similarity=similarity, correct=correct)

    def _pair(
        self, split: str, name: str, role: Any, compound: str | None, sentences: Sequence[str], *,
        similarity: Any, correct: Any = None,
    ) -> suites.ConsistencyPair:  # fmt: skip
        first, second = sentences
        span = span_of(compound, first) if compound else None
        return suites.ConsistencyPair(
            id=name,
            lang=self.lang,
            compound_id=self._id(compound) if compound else None,
            compound=compound,
            role=role,
            sentence1=first,
            span1=span,
            sentence2=second,
            span2=replaced_span(first, second, span),
            correct=correct,
            similarity=similarity,
            reference=REFERENCE if role == "incorrect" and similarity is not None else None,
            split=OF_COMPOUND[split],
            source="AStitchInLanguageModels",
            licence=LICENCE,
            release=VERSION,
        )

    def _numbers(self, name: str, width: int) -> list[list[str]]:
        """Return the rows of a table without header, each of *width* cells, the first of which is a number."""
        path = self.base / name
        if not path.is_file():
            self.gaps.append(name)
            return []
        rows = list(csv.reader(io.StringIO(read_lines(path, files.ASTITCH_COPY), newline="")))
        for line, row in enumerate(rows, start=1):
            if len(row) != width:
                what = f"{len(row)} cells where there should be {width}, and no header"
                raise SourceError(what, fix=f"give {files.ASTITCH_COPY}", place=Place(str(path), line))
            self._number(row[0], Place(str(path), line))
        return rows

    def _check(self, cell: str, expected: Sequence[str], name: str, line: int) -> None:
        if cell not in expected:
            what = f"{cell!r} is neither {' nor '.join(expected)}"
            raise SourceError(what, fix=f"give {files.ASTITCH_COPY}", place=Place(str(self.base / name), line))

    @staticmethod
    def _number(cell: str, place: Place) -> float:
        try:
            return float(cell)
        except ValueError:
            raise SourceError(f"{cell!r} is no number", fix=f"give {files.ASTITCH_COPY}", place=place) from None


def neighbours(text: str, sentence: str) -> tuple[str, str, str]:
    """Return what stands before *sentence* in *text*, the sentence, and what stands behind it.

    >>> neighbours("It rains. A rat race. Stop.", "A rat race.")
    ('It rains.', 'A rat race.', 'Stop.')
    """
    # of several places the one with the most even sides: there are always three sentences
    places = [match.start() for match in re.finditer(re.escape(sentence), text)]
    if not places:
        return "", sentence, ""
    start = min(places, key=lambda place: abs(len(text) - len(sentence) - 2 * place))
    return text[:start].strip(), sentence.strip(), text[start + len(sentence) :].strip()


def span_of(compound: str, sentence: str) -> Span | None:
    """Return the characters of *compound* in *sentence*: in any case, a hyphen counting as a space.

    >>> span_of("rat race", "The Rat-race goes on."), span_of("rat race", "Rat races are won.")
    ((4, 12), (0, 8))
    """
    match = re.search(compound_pattern(compound), sentence, re.IGNORECASE)
    return match.span() if match else None


def replaced_span(first: str, second: str, span: Span | None) -> Span | None:
    """Return the characters of *second* that stand where *first* has *span*, if nothing else differs.

    >>> replaced_span("A rat race.", "A struggle.", (2, 10))
    (2, 10)
    """
    if span is None or not (second.startswith(first[: span[0]]) and second.endswith(first[span[1] :])):
        return None
    end = len(second) - len(first) + span[1]
    return (span[0], end) if end > span[0] else None
