"""A copy of AStitchInLanguageModels in miniature: its layout, with invented compounds and sentences."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tests.sources.published_world import Row, write_csv

SPLITS = {  # split: compounds, and sentences of each sense that is told
    "train_zero_shot": (("oak ladder", "tin whistle", "mud castle", "salt mine"), 4),
    "train_one_shot": (("wet blanket", "loose cannon", "hot potato", "big wheel"), 1),
    "train_few_shot": (("wet blanket", "loose cannon", "hot potato", "big wheel"), 3),
    "dev": (("wet blanket", "loose cannon", "hot potato"), 3),
    "test": (("big wheel",), 3),
}
OF_COMPOUND = dict.fromkeys(SPLITS["dev"][0], "Dev") | {"big wheel": "Test"}
NONE = "None"
CONSTANT = ("Proper Noun", "Meta Usage")


class Example(NamedTuple):
    """An example as a table and the task-independent data have it."""

    compound: str
    label: str
    meaning: str
    previous: str
    sentence: str
    next: str
    source: str

    @property
    def context(self) -> str:
        return f"{self.previous} {self.sentence} {self.next}"


def meanings(compound: str) -> tuple[str, ...]:
    """Literal, three idiomatic, and the two that every compound has; one compound has two idiomatic ones."""
    first, second = compound.split()
    more = "a second matter" if compound == "hot potato" else NONE
    return f"{first} object", f"a matter of {second}s", more, NONE, *CONSTANT


def examples(split: str) -> list[Example]:
    """The sentences of a split; those of one-shot are the first of few-shot."""
    shown = "train_few_shot" if split == "train_one_shot" else split
    compounds, count = SPLITS[split]
    rows = []
    for compound, (kind, meaning) in product(compounds, enumerate(meanings(compounds[0])[:2])):
        meaning = meanings(compound)[kind]
        for number in range(count):
            verb, place = ("stood", "garden") if kind == 0 else ("voted", "senate")
            sentence = f"The {compound} {verb} in the {place} of {shown} {number}."
            before, after = f"It was day {number}.", f"Nobody {verb}."
            label = "1" if kind == 0 else "0"
            rows.append(Example(compound, label, meaning, before, sentence, after, f"https://host.example/{number}"))
    return rows


def write_copy(folder: Path, *, independent: tuple[str, ...] = ("pt",)) -> Path:
    """Write a copy; only the languages *independent* have task-independent data."""
    base = folder / "Dataset"
    for lang in ("EN", "PT"):
        for split in SPLITS:
            _task1(base, lang, split)
        for split in ("dev", "test"):
            _task2(base, lang, split)
        names = (
            "Multiword Expression",
            "Literal Meaning",
            *(f"Non-Literal Meaning {n}" for n in (1, 2, 3)),
            "Data Split",
        )
        compounds = dict.fromkeys(name for some, _ in SPLITS.values() for name in some)
        rows = [(name, *meanings(name)[:4], OF_COMPOUND.get(name, "Train")) for name in compounds]
        file = f"Extended_Noun_Compound_Senses_Dataset/{lang}_Extended_Noun_Compound_Senses_Dataset.csv"
        write_csv(base / file, [dict(zip(names, row, strict=True)) for row in rows])
        _training(base, lang)
    for lang in independent:
        path = base / "TaskIndependentData" / f"{lang}_TaskIndependentData.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({split: _independent(split) for split in SPLITS}), encoding="utf-8")
    (folder / "LICENSE").write_text("Made up.\n", encoding="utf-8")
    return folder


def _task1(base: Path, lang: str, split: str) -> None:
    for context, idiom in product(("Excluded", "Included"), ("Excluded", "Included")):
        rows: list[Row] = []
        for one in examples(split):
            text = one.context if context == "Included" else one.sentence
            rows.append(
                {"label": one.label, "sentence1": text} | ({"sentence2": one.compound} if idiom == "Included" else {})
            )
        write_csv(base / f"Task1/SubTaskA/{lang}/Context{context}_Idiom{idiom}/{split}.csv", rows)
    for context in ("Excluded", "Included"):
        rows = [
            {
                "label": str(int(meaning == one.meaning)),
                "sentence1": one.context if context == "Included" else one.sentence,
                "sentence2": meaning,
            }
            for one in examples(split)
            for meaning in meanings(one.compound)
            if meaning != NONE
        ]
        write_csv(base / f"Task1/SubTaskB/{lang}/Context{context}/{split}.csv", rows)


def replacements(split: str) -> list[Row]:
    """The pairs of task 2: the right meaning, then each wrong one."""
    rows = []
    for one in examples(split):
        right = one.sentence.replace(one.compound, one.meaning)
        wrong = [text for text in meanings(one.compound)[:4] if text not in (NONE, one.meaning)]
        facts = {
            "sent_idiom": one.sentence,
            "sent_idiom_tokenised": one.sentence,
            "idiom": one.compound,
            "correct": right,
        }
        rows.append(facts | {"sent_other": right, "sim": "1", "incorrect": NONE})
        for text in wrong:
            other = one.sentence.replace(one.compound, text)
            rows.append(facts | {"sent_other": other, "sim": NONE, "incorrect": other})
    return rows


def _task2(base: Path, lang: str, split: str) -> None:
    folder, rows = base / f"Task2/CreateEvaluationData/{lang}", replacements(split)
    write_csv(folder / f"NoResults/evalData/{split}_rawSimData.csv", rows)
    similar = [{"sentence1": row["correct"], "sentence2": row["incorrect"]} for row in rows]
    write_csv(folder / f"NoResults/evalData/{split}_dataForSimilarity.csv", similar)
    numbers = folder / f"WithResults/evalData/{split}_similatiries.csv"
    numbers.parent.mkdir(parents=True, exist_ok=True)
    numbers.write_text("".join(f"{number % 7 / 10}\n" for number in range(len(rows))), encoding="utf-8")
    judged = base / f"Task2/CreateEvaluationData/EvalSTSData/{lang.lower()}_{split}_Eval_STS_Data.csv"
    judged.parent.mkdir(exist_ok=True)
    pairs = [
        ("1.0", "A man sings.", "A man sings aloud."),
        ("0.2", "A dog barks.", "The senate voted."),
        ("0.6", "It rains.", "It rained."),
    ]
    judged.write_text("".join(f"{','.join(pair)}\n" for pair in pairs), encoding="utf-8")


def _training(base: Path, lang: str) -> None:
    rows = []
    for one in examples("train_zero_shot"):
        for number, text in enumerate((one.meaning, next(m for m in meanings(one.compound) if m != one.meaning))):
            other = one.sentence.replace(one.compound, text)
            rows.append({"sentence1": one.sentence, "sentence2": other, "similarity": str(1 - number / 2)})
    write_csv(
        base / f"Task2/SubtaskB-Fine_Tune/CreateFineTuneData/{lang}/trainDataNotTokenised/sts_train_data.csv", rows
    )


def _independent(split: str) -> list[list[list[object]]]:
    compounds, _ = SPLITS[split]
    return [
        [
            [7, one.compound, *meanings(one.compound), int(one.label), *one[2:]]
            for one in examples(split)
            if one.compound == compound
        ]
        for compound in compounds
    ]
