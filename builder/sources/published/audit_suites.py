"""Faults in the published files of AStitchInLanguageModels and of lexcomp, unpacked or in a zip.

Dataset/Task1/SubTaskA/EN/ContextExcluded_IdiomIncluded/dev.csv    label, sentence, compound
Dataset/Task1/SubTaskB/EN/ContextExcluded/dev.csv                  label, sentence, paraphrase
Dataset/Task2/CreateEvaluationData/EN/NoResults/evalData/          sentences with paraphrases put in
Dataset/TaskIndependentData/pt_TaskIndependentData.json            fourteen values an example, by split and compound
diagnostic_classifiers/data/nc_literality/train.jsonl              one object a line
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

from ncimp.builder.sources.published.audit import (
    Audit,
    Compounds,
    English,
    Fault,
    Measurement,
    Tree,
    missing_licence,
    read_lines,
    read_rows,
    twins,
)
from ncimp.schemas import Place, SourceError
from ncimp.schemas.records import compound_key

ASTITCH_COPY = (
    "a copy of the published repository, as of commit 9d1151a"  # of H-TayyarMadabushi/AStitchInLanguageModels
)
SPLITS = ("train_zero_shot", "train_one_shot", "train_few_shot", "dev", "test")
EVALUATED = ("dev", "test")
PRINTED = {  # Tayyar Madabushi et al. (2021): examples (table 10), compounds of zero-shot training (section 3)
    "EN": ("4,558", "163"),
    "PT": ("1,872", "60"),
}
INSIDE = ("Excluded", "Included")
INDEPENDENT = "TaskIndependentData/{}_TaskIndependentData.json"
COMPARED = "Task2/CreateEvaluationData/{}/NoResults/evalData/{}_dataForSimilarity.csv"
REPLACED = "Task2/CreateEvaluationData/{}/NoResults/evalData/{}_rawSimData.csv"
TRAINING = "Task2/SubtaskB-Fine_Tune/CreateFineTuneData/{}/trainDataNotTokenised/sts_train_data.csv"
SENSES = "Extended_Noun_Compound_Senses_Dataset/{}_Extended_Noun_Compound_Senses_Dataset.csv"
SENSE_COLUMNS = ("Multiword Expression", *(f"Non-Literal Meaning {number}" for number in (1, 2, 3)), "Data Split")
META, EXAMPLE_LENGTH = "Meta Usage", 14
LITERAL, IDIOMATIC = "1", "0"
NONE = "None"  # an empty cell of AStitch

LEXCOMP_COPY = "a copy of the published repository, as of commit 7f25d55"  # of vered1986/lexcomp
DATA = "diagnostic_classifiers/data"
PARTS = ("train", "val", "test")
SHOWN = 5  # shared words that a message names

Tables = dict[str, list[dict[str, str]]]
"""The rows of each table by its path."""
Independent = dict[str, list[list[Any]]]
"""The examples of each split."""
Objects = list[dict[str, Any]]
"""The rows of a file of JSON lines."""


class LexcompTask(NamedTuple):
    """A task of lexcomp: fields of its rows, its phrases and their two words, and its sizes in print."""

    fields: tuple[str, ...]
    phrase: str  # field of the phrase
    words: tuple[str, str]  # names of its first and last word
    printed: tuple[str, str, str]  # rows of train, val and test (Shwartz and Dagan 2019, table 1)

    def split(self, row: Mapping[str, Any]) -> list[str]:
        """Return the words of the phrase of a row."""
        return compound_key(row[self.phrase]).split() or [""]


SPAN = ("sentence", "start", "end", "paraphrase", "label")
TASKS = {
    "an_attribute_selection": LexcompTask(SPAN, "paraphrase", ("adjectives", "nouns"), ("837", "108", "106")),
    "lvc_classification": LexcompTask(
        ("bnc_id", "span_text", "label"), "span_text", ("verbs", "nouns"), ("1,521", "258", "383")
    ),
    "mwe_type": LexcompTask(("sentence_words", "sentence_tags"), "", ("", ""), ("3,017", "372", "376")),
    "nc_literality": LexcompTask(
        ("sentence", "nc", "target_index", "target_word", "label"),
        "nc",
        ("modifiers", "heads"),
        ("2,529", "323", "138"),
    ),
    "nc_relations": LexcompTask((*SPAN, "span"), "span", ("modifiers", "heads"), ("1,274", "162", "130")),
    "vpc_classification": LexcompTask(
        ("bnc_id", "span_text", "label"), "span_text", ("verbs", "particles"), ("919", "209", "220")
    ),
}


class AstitchExample(NamedTuple):
    """A sentence of AStitch with its label."""

    file: str
    row: int | None
    compound: str
    label: str
    sentence: str


def audit_astitch(root: Tree) -> Audit:
    """Return the faults and figures of the AStitch files in *root*."""
    base = root / "Dataset" if (root / "Dataset").is_dir() else root
    tables: Tables = {}
    faults, figures, parts = [*missing_licence(root)], list[Measurement](), dict[str, Compounds]()
    for file, columns in astitch_tables():
        if not (base / file).is_file():
            faults.append(Fault("file-missing", file, "not in this copy"))
            continue
        tables[file] = read_rows(base / file, columns, ASTITCH_COPY)
        if "Task1" in file:
            faults += twins(file, ((tuple(row.values()), None) for row in tables[file]))
        if "SubTaskA" not in file:  # whose examples are counted below
            figures.append(Measurement(file, "rows", len(tables[file])))
    faults += (*references(tables), *wrong_articles(tables))
    for lang in PRINTED:
        independent = independent_examples(base, lang)
        if not independent:
            faults.append(Fault("file-missing", INDEPENDENT.format(lang.lower()), "not in this copy"))
        examples = {split: _examples(tables, lang, split, independent) for split in SPLITS}
        senses = tables.get(SENSES.format(lang), [])
        splits = {compound_key(row[SENSE_COLUMNS[0]]): row[SENSE_COLUMNS[-1]].lower() for row in senses}
        faults += (fault for rows in examples.values() for fault in without_compound(rows))
        faults += (fault for split in EVALUATED for fault in one_class(examples[split]))
        faults += leaks(examples)
        faults += (*without_literal(examples["train_one_shot"], splits), *meta_labels(base, lang, independent))
        figures += example_figures(lang, examples)
        literal = sum(all(row[name] == NONE for name in SENSE_COLUMNS[1:-1]) for row in senses)
        figures.append(Measurement(lang, "compounds without an idiomatic sense", literal))
        for split in sorted(set(splits.values())):
            names = (row[SENSE_COLUMNS[0]] for row in senses if row[SENSE_COLUMNS[-1]].lower() == split)
            parts[f"{lang.lower()} {split}"] = {(lang.lower(), compound_key(name)): name for name in names}
    return Audit("AStitch", tuple(faults), tuple(figures), parts, trains=True)


def astitch_tables() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield path and columns of each table that the repository has and an audit reads."""
    for lang in PRINTED:
        for split, context in product(SPLITS, INSIDE):
            for idiom in INSIDE:
                columns = ("label", "sentence1", "sentence2")[: 2 + (idiom == "Included")]
                yield f"Task1/SubTaskA/{lang}/Context{context}_Idiom{idiom}/{split}.csv", columns
            yield f"Task1/SubTaskB/{lang}/Context{context}/{split}.csv", ("label", "sentence1", "sentence2")
        for split in EVALUATED:
            yield COMPARED.format(lang, split), ("sentence1", "sentence2")
            yield REPLACED.format(lang, split), ("sent_idiom", "sent_other", "sim", "idiom", "correct")
        yield TRAINING.format(lang), ("sentence1", "sentence2", "similarity")
        yield SENSES.format(lang), SENSE_COLUMNS


def references(tables: Tables) -> Iterator[Fault]:
    """Find sentences that are compared with an empty cell."""
    for lang, split in product(PRINTED, EVALUATED):
        rows = tables.get(file := COMPARED.format(lang, split), [])
        if count := sum(row["sentence2"] == NONE for row in rows):
            what = f"{count} of {len(rows)} rows compare a sentence with the word {NONE}"
            yield Fault("reference-none", file, what, column="sentence2")


def wrong_articles(tables: Tables) -> Iterator[Fault]:
    """Find a/an that a paraphrase made wrong."""
    files = [file for split in EVALUATED if (file := REPLACED.format("EN", split)) in tables]
    english = English() if files else None
    for file in files if english else ():
        for number, row in enumerate(tables[file], start=2):
            words, new = row["sent_idiom"].split(), row["sent_other"].split()
            at = next((at for at, pair in enumerate(zip(words, new, strict=False)) if pair[0] != pair[1]), 0)
            if at and english and (right := english.wrong_article(new[at - 1], new[at])):
                what = f"{new[at - 1]} {new[at]}: should be {right}"
                yield Fault("article-sound", file, what, number, "sent_other", row["idiom"])


def independent_examples(base: Tree, lang: str) -> Independent:
    """Return the examples of each split, fourteen values each; none where the copy lacks the file."""
    path = base / INDEPENDENT.format(lang.lower())
    if not path.is_file():
        return {}
    try:
        splits = json.loads(read_lines(path, ASTITCH_COPY))
        rows = {split: [row for compound in compounds for row in compound] for split, compounds in splits.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise SourceError(f"not as expected ({error})", fix=f"give {ASTITCH_COPY}", place=Place(str(path))) from None
    for split, examples in rows.items():
        if not all(map(_is_example, examples)):
            what = f"an example of {split!r} is no list of {EXAMPLE_LENGTH} values"
            raise SourceError(what, fix=f"give {ASTITCH_COPY}", place=Place(str(path)))
    return rows


def _is_example(row: Any) -> bool:
    return isinstance(row, list) and len(row) == EXAMPLE_LENGTH and all(isinstance(cell, str | int) for cell in row)


def _examples(tables: Tables, lang: str, split: str, independent: Independent) -> list[AstitchExample]:
    """Return the examples of a split from its table, else from the task-independent data."""
    file = f"Task1/SubTaskA/{lang}/ContextExcluded_IdiomIncluded/{split}.csv"
    if file not in tables:
        file = INDEPENDENT.format(lang.lower())
        return [AstitchExample(file, None, row[1], str(row[8]), str(row[11])) for row in independent.get(split, ())]
    rows = enumerate(tables[file], start=2)
    return [AstitchExample(file, number, row["sentence2"], row["label"], row["sentence1"]) for number, row in rows]


def without_compound(examples: Sequence[AstitchExample]) -> Iterator[Fault]:
    """Find sentences without their compound, whatever its case."""
    for one in examples:
        if one.compound.lower() not in one.sentence.lower():
            yield Fault("sentence-form", one.file, one.sentence, one.row, "sentence1", one.compound)


def _labels(examples: Sequence[AstitchExample]) -> dict[str, Counter[str]]:
    """Return the labels of each compound with their numbers."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for one in examples:
        labels[one.compound][one.label] += 1
    return labels


def one_class(examples: Sequence[AstitchExample]) -> Iterator[Fault]:
    """Find compounds whose examples have one label."""
    for compound, counts in _labels(examples).items():
        if len(counts) == 1:
            what = f"all {counts.total()} examples have label {next(iter(counts))}"
            yield Fault("label-single", examples[0].file, what, compound=compound)


def without_literal(examples: Sequence[AstitchExample], splits: Mapping[str, str]) -> Iterator[Fault]:
    """Find compounds without a literal example, with their split."""
    for compound, counts in _labels(examples).items():
        if not counts[LITERAL]:
            what = f"{splits.get(compound_key(compound), 'unknown')}: {counts[IDIOMATIC]} idiomatic examples only"
            yield Fault("literal-missing", examples[0].file, what, compound=compound)


def leaks(examples: Mapping[str, Sequence[AstitchExample]]) -> Iterator[Fault]:
    """Find examples to be judged whose compound is one of zero-shot training, or whose sentence is trained on."""
    trained = [one for split in SPLITS if split not in EVALUATED for one in examples[split]]
    sentences = {compound_key(one.sentence): one.file for one in trained}
    compounds = {compound_key(one.compound) for one in examples[SPLITS[0]]}
    for one in (one for split in EVALUATED for one in examples[split]):
        if (key := compound_key(one.sentence)) in sentences:
            yield Fault("split-sentence", one.file, f"also in {sentences[key]}", one.row, "sentence1", one.compound)
        if compound_key(one.compound) in compounds:
            yield Fault("split-compound", one.file, "also in zero-shot training", one.row, "sentence2", one.compound)


def meta_labels(base: Tree, lang: str, independent: Independent) -> Iterator[Fault]:
    """Find that the README counts meta usage as label 1, and the data do not."""
    file = "TaskIndependentData/README.md"
    labels = Counter(str(row[8]) for rows in independent.values() for row in rows if row[9] == META)
    if labels[IDIOMATIC] and (base / file).is_file():
        text = read_lines(base / file, ASTITCH_COPY).lower()
        if any(META.lower() in line for line in text.splitlines() if "1 includes" in line):
            what = f"{META} has label 1, and in {lang} {labels[IDIOMATIC]} of {labels.total()} have label 0"
            yield Fault("label-readme", file, what)


def example_figures(lang: str, examples: Mapping[str, Sequence[AstitchExample]]) -> Iterator[Measurement]:
    """Yield the figures of the examples of a language by split."""
    figure, (total, zero_shot) = partial(Measurement, lang), PRINTED[lang]
    whole = [split for split in SPLITS if split != "train_one_shot"]  # which is a part of few-shot
    if all(examples[split] for split in whole):
        yield figure("examples", sum(len(examples[split]) for split in whole), total)
    for split, rows in examples.items():
        if rows:
            yield figure(f"{split}: examples", len(rows))
            compounds = len({one.compound for one in rows})
            yield figure(f"{split}: compounds", compounds, zero_shot if split == SPLITS[0] else None)
            yield figure(f"{split}: without the compound, cased", sum(one.compound not in one.sentence for one in rows))
            keys = [(compound_key(one.compound), compound_key(one.sentence)) for one in rows]
            without = sum(key not in text for key, text in keys)
            yield figure(f"{split}: without the compound, hyphens as spaces", without)
    few = _labels(examples["train_few_shot"])
    for split in EVALUATED:
        if rows := examples[split]:
            best = sum(max(counts.values()) for counts in _labels(rows).values()) / len(rows)
            yield figure(f"{split}: accuracy of the majority class of each compound, from the split", best)
            literal = (few[one.compound][LITERAL] > few[one.compound][IDIOMATIC] for one in rows)
            right = sum(guess == (one.label == LITERAL) for guess, one in zip(literal, rows, strict=True)) / len(rows)
            yield figure(f"{split}: accuracy of the majority class of each compound, from few-shot", right)


def audit_lexcomp(root: Tree) -> Audit:
    """Return the faults and figures of the lexcomp files in *root*."""
    base = root / DATA if (root / DATA).is_dir() else root
    faults, figures, parts = [*missing_licence(root)], list[Measurement](), dict[str, Compounds]()
    for name, task in TASKS.items():
        files: dict[str, Objects] = {}
        for part, size in zip(PARTS, task.printed, strict=True):
            file = f"{name}/{'ids_' if 'bnc_id' in task.fields else ''}{part}.jsonl"
            if not (base / file).is_file():
                faults.append(Fault("file-missing", file, "not in this copy"))
                continue
            files[file] = rows = read_objects(base / file, task.fields)
            figures.append(Measurement(file, "rows", len(rows), size))
            faults += lexcomp_faults(file, rows)
            if task.phrase:
                figures.append(
                    Measurement(file, f"different {task.words[0]}", len({task.split(row)[0] for row in rows}))
                )
            if name in ("nc_literality", "nc_relations"):
                keys = {("en", compound_key(row[task.phrase])): row[task.phrase] for row in rows}
                parts[f"{name} {part}"] = keys
                figures.append(Measurement(file, "compounds", len(keys)))
        for one, other in combinations(files, 2):
            faults += in_two_splits(task, one, other, files)
        faults += two_labels(files)
        figures += majorities(task, files)
    return Audit("lexcomp", tuple(faults), tuple(figures), parts, trains=True)


def read_objects(path: Tree, fields: Sequence[str]) -> Objects:
    """Return the *fields* of each line of *path*, or raise `SourceError` at a line that lacks one."""
    rows = []
    for number, line in enumerate(read_lines(path, LEXCOMP_COPY).removesuffix("\n").split("\n"), start=1):
        try:
            row = json.loads(line)
            rows.append({name: row[name] for name in fields})
        except (ValueError, TypeError, KeyError) as error:
            what = f"no object with {', '.join(fields)} ({error!r})"
            raise SourceError(what, fix=f"give {LEXCOMP_COPY}", place=Place(str(path), number)) from None
    return rows


def lexcomp_faults(file: str, rows: Objects) -> Iterator[Fault]:
    """Find rows given twice, rows without text, tags without their type, and spans that are not their text."""
    yield from twins(file, ((json.dumps(row), row.get("nc")) for row in rows), start=1)
    if "bnc_id" in rows[0]:
        yield Fault("text-missing", file, f"{len(rows)} rows have an id of the BNC and no sentence", column="bnc_id")
    if bare := sum(row.get("sentence_tags", ()).count("I") for row in rows):
        yield Fault("tags-inside", file, f"{bare} tags", column="sentence_tags")
    for number, row in enumerate(rows if "span" in rows[0] else (), start=1):
        text = " ".join(row["sentence"].split()[row["start"] : row["end"] + 1])
        if text.lower() != row["span"].lower():
            yield Fault("span-form", file, f"{row['span']}, and the sentence has {text}", number, "span", row["span"])


def in_two_splits(task: LexcompTask, one: str, other: str, files: Mapping[str, Objects]) -> Iterator[Fault]:
    """Find sentences, and words of phrases, that stand in two splits."""
    column = next((name for name in ("sentence", "sentence_words") if name in task.fields), "bnc_id")
    first = {json.dumps(row[column]) for row in files[one]} if column != "bnc_id" else set()
    for number, row in enumerate(files[other], start=1):
        if json.dumps(row[column]) in first:
            yield Fault("split-sentence", other, f"also in {one}", number, column, row.get("nc"))
    for name, place in zip(task.words, (0, -1), strict=True) if task.phrase else ():
        sets = ({task.split(row)[place] for row in files[file]} for file in (one, other))
        if shared := sorted(set.intersection(*sets)):
            what = f"{len(shared)} {name} also in {one}: {', '.join(shared[:SHOWN])}"
            yield Fault("split-word", other, what + " ..." * (len(shared) > SHOWN), column=task.phrase)


def two_labels(files: Mapping[str, Objects]) -> Iterator[Fault]:
    """Find rows that differ from an earlier one in nothing but the label."""
    first: dict[str, tuple[str, int, str]] = {}
    for file, rows in files.items():
        for number, row in enumerate(rows if "label" in rows[0] else (), start=1):
            content = json.dumps({name: value for name, value in row.items() if name != "label"})
            before = first.setdefault(content, (file, number, row["label"]))
            if before[2] != row["label"]:
                what = f"{row['label']}, and {before[2]} in row {before[1]} of {before[0]}"
                yield Fault("label-both", file, what, number, "label", row.get("span"))


def majorities(task: LexcompTask, files: Mapping[str, Objects]) -> Iterator[Measurement]:
    """Yield the accuracy of the most frequent label of training, and of that of each last word; ties: the first."""
    train, *others = files or [""]
    if "train" not in train or "label" not in task.fields:
        return
    all_labels, by_word = Counter(row["label"] for row in files[train]), defaultdict[str, Counter[str]](Counter)
    for row in files[train]:
        by_word[task.split(row)[-1]][row["label"]] += 1
    for file in others:
        rows = [(task.split(row)[-1], row["label"]) for row in files[file]]
        majority = all_labels.most_common(1)[0][0]
        overall = sum(label == majority for _, label in rows) / len(rows)
        yield Measurement(file, "accuracy of the most frequent label of train", overall)
        right = sum(by_word.get(word, all_labels).most_common(1)[0][0] == label for word, label in rows) / len(rows)
        yield Measurement(file, "accuracy of the most frequent label of each last word", right)
