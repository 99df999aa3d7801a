"""Files of recorded answers, as items and what a model said to each.

`TASK_N-shot_MODEL.json` of LexBench and SemanticQA: an object a line (or one list), the columns of the item and then
`prediction`, which is a text, or of a task in two steps an object of two:

    {"context": "...", "idiom": "spill the beans", "prediction": "spill the beans"}
    {"collocation": "heavy rain", "label": "Magn", "context": "...",
     "prediction": {"extracted_collocation": "heavy rain", "category": "Magn"}}

`MODEL/samples_TASK_DATE.jsonl` of lm-evaluation-harness: an object a line, the columns of the item in `doc` and the
answer in `filtered_resps`; log-likelihoods choose the option that has the highest. Where each option also has one by
itself, without the question, there is a second setting: the option that the question makes likelier by most.

An item that was not answered is not in the file.
"""

import json
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ncimp.evaluator.suites.lexbench.parsers import LETTERS, plain
from ncimp.schemas import EvaluationError, Place, Row, keyed_hash
from ncimp.schemas.records import from_row
from ncimp.schemas.suites import VMWE_TYPES, PhraseItem, PhraseKind

AnswerFile = Path | zipfile.Path
VERSION, LICENCE, SOURCE = "1.0.0", "MIT", "SemanticQA"
NAME = re.compile(r"(?P<task>.+?)[-_](?P<shots>\d+)[-_]shots?[-_](?P<model>.+)")
SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?")
OPTIONS = re.compile(r"\n(?:Options:\s*)?A: .*", re.DOTALL)  # the options, again, after the sentence
MUTUAL = "_mutual_info"  # behind the name of the setting, where the likelihood of an option by itself is taken off
FIX = "give answers as SemanticQA records them, or samples of lm-evaluation-harness"


class TaskColumns(NamedTuple):
    """The columns of one task: that of the phrase, of the right answers (if another), and of the sentence."""

    task: str
    kind: PhraseKind
    phrase: str
    gold: str
    sentence: str | None = "context"

    @property
    def needed(self) -> set[str]:
        """The columns by which the task is known."""
        return {self.phrase, self.gold, *filter(None, (self.sentence,))}


TASKS = (  # the first that fits is meant
    TaskColumns("idiom_detection", "choice", "idiom", "target"),
    TaskColumns("noun_compound_compositionality", "choice", "noun_compound", "target"),
    TaskColumns("noun_compound_interpretation", "interpretation", "noun_compound", "references", None),
    TaskColumns("idiom_paraphrase", "interpretation", "idiom", "paraphrase", "context_idiomatic"),
    TaskColumns("collocation_interpretation", "interpretation", "collocation", "paraphrases"),
    TaskColumns("vmwe_extraction", "extraction", "vmwe", "vmwe"),
    TaskColumns("collocation_categorization", "category", "collocation", "label"),
    TaskColumns("idiom_extraction", "extraction", "idiom", "idiom"),
    TaskColumns("noun_compound_extraction", "extraction", "noun_compound", "noun_compound"),
)
COLLOCATION = TaskColumns("collocation_extraction", "extraction", "collocation", "collocation")  # has a label, too


@dataclass(frozen=True, slots=True)
class RecordedAnswers:
    """The answers of a model to a task in one setting: a text for each item, by its id."""

    file: str
    task: str
    setting: str
    model: str
    items: Mapping[str, PhraseItem] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def lang(self) -> str:
        """The language of its items."""
        return next(iter(self.items.values())).lang

    @property
    def key(self) -> tuple[str, str, str]:
        """File, setting and model: files of different models may have one name."""
        return self.file, self.setting, self.model


def read_recorded(path: AnswerFile) -> list[RecordedAnswers]:
    """Return the answers in *path*: of a task in two steps those to each step."""
    name, samples = NAME.fullmatch(path.stem), SAMPLES.fullmatch(path.stem)
    task = re.sub(r"\W", "_", name["task"] if name else samples["task"] if samples else path.stem)
    setting = f"{name['shots']}_shot" if name else samples["task"] if samples else ""
    model = name["model"] if name else str(path.parent).rpartition("/")[2] if samples else path.stem
    parts: dict[tuple[str, str, str], list[tuple[PhraseItem, str]]] = {}  # by task, language and setting
    for place, row in file_rows(path):
        of_row = str(row["doc"].get("setting", setting)) if isinstance(row.get("doc"), dict) else setting
        for part, suffix, item, answer in _answers(row, task, place):
            parts.setdefault((part, item.lang, of_row + suffix), []).append((item, answer))
    if not parts:
        raise EvaluationError("no answer is in this file", fix=FIX, place=Place(str(path)))
    for rows in parts.values():
        if len(kinds := sorted({item.kind for item, _ in rows})) > 1:
            what = f"the rows are of several kinds: {', '.join(kinds)}"
            raise EvaluationError(what, fix="give a file for each task", place=Place(str(path)))
    return [
        _recorded(RecordedAnswers(path.name, part, setting, model), rows) for (part, _, setting), rows in parts.items()
    ]


def _recorded(empty: RecordedAnswers, rows: Sequence[tuple[PhraseItem, str]]) -> RecordedAnswers:
    """Return *rows* by the ids of their items; the same question once more gets an id of its own."""
    items, answers, counts = {}, {}, Counter[str]()
    for item, answer in rows:
        counts[item.id] += 1
        key = item.id if counts[item.id] == 1 else f"{item.id}-{counts[item.id]}"
        items[key] = replace(item, id=key)
        if answer:
            answers[key] = answer
    return replace(empty, items=items, answers=answers)


def read_composed(path: AnswerFile) -> str:
    """Return the text of *path* with composed characters, or raise `EvaluationError`."""
    try:
        return unicodedata.normalize("NFC", path.read_bytes().decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"cannot be read ({error})", fix="check the path", place=Place(str(path))) from None


def file_rows(path: AnswerFile) -> Iterator[tuple[Place, Row]]:
    """Yield place and object of each line of *path*, or of each entry of its one list."""
    text = read_composed(path)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if text.lstrip().startswith("["):
        rows = _decoded(text, Place(str(path)))
        yield from ((Place(str(path)), _checked(row, Place(str(path)))) for row in rows)
        return
    for number, line in lines:
        place = Place(str(path), number)
        yield place, _checked(_decoded(line, place), place)


def _decoded(text: str, place: Place) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise EvaluationError(f"not JSON ({error})", fix=FIX, place=place) from None


def _checked(row: Any, place: Place) -> Row:
    if not isinstance(row, dict):
        raise EvaluationError(f"not an object: {str(row)[:60]!r}", fix=FIX, place=place)
    return row


def _answers(row: Row, task: str, place: Place) -> Iterator[tuple[str, str, PhraseItem, str]]:
    """Yield the step, what comes behind the name of the setting, the item and the answer of *row*."""
    if isinstance(row.get("doc"), dict):
        item = _item(row["doc"], task, place)
        for suffix, text in _sampled(row, len(item.options), place):
            if row["doc"].get("steps"):
                phrase, text = two_lines(text)
                yield f"{item.task}_multi_step/extraction", suffix, extraction_item(item), phrase
                yield f"{item.task}_multi_step/{item.kind}", suffix, item, text
            else:
                yield item.task if "kind" in row["doc"] else task, suffix, item, text
        return
    if "prediction" not in row:
        raise EvaluationError("a row without `prediction`", fix=FIX, place=place)
    answer, item = row["prediction"], _item(row, task, place)
    if not isinstance(answer, dict):
        yield task, "", item, _text(answer, place)
        return
    steps = {key: _text(value, place) for key, value in answer.items()}
    first = next((key for key in steps if key.startswith("extracted")), None)
    others = [key for key in steps if key != first]
    if first is None or len(others) != 1:
        raise EvaluationError(f"a prediction of the parts {', '.join(answer)}", fix=FIX, place=place)
    yield f"{task}/extraction", "", extraction_item(item), steps[first]
    yield f"{task}/{item.kind}", "", item, steps[others[0]]


def _text(value: Any, place: Place) -> str:
    """Return an answer as a text that can be stored; nothing for an empty one."""
    if isinstance(value, list | dict):
        raise EvaluationError(f"a prediction that is no text: {str(value)[:60]!r}", fix=FIX, place=place)
    return "" if value is None else str(value).encode("utf-8", "replace").decode("utf-8").strip()


def _sampled(row: Row, size: int, place: Place) -> Iterator[tuple[str, str]]:
    """Yield the answer in a sample of lm-evaluation-harness; of log-likelihoods the best of *size* options.

    The last *size* of twice as many are those of the options by themselves.
    """
    responses = row.get("filtered_resps") or row.get("resps")
    if not isinstance(responses, list) or not responses:
        raise EvaluationError("a sample without `filtered_resps`", fix="run lm-eval with --log_samples", place=place)
    while len(responses) == 1 and isinstance(responses[0], list):
        responses = responses[0]
    if responses and isinstance(responses[0], str):
        yield "", _text(responses[0], place)
        return
    try:
        likelihoods = [float(response[0]) for response in responses]
        asked, alone = likelihoods[: size or None], likelihoods[size:]
        yield "", LETTERS[asked.index(max(asked))]
        if len(alone) == size:
            gains = [one - other for one, other in zip(asked, alone, strict=True)]
            yield MUTUAL, LETTERS[gains.index(max(gains))]
    except (TypeError, ValueError, IndexError):
        raise EvaluationError(f"not an answer: {str(responses)[:60]!r}", fix=FIX, place=place) from None


def item_of(row: Row, place: Place) -> PhraseItem:
    """Return the item in *row*, which may have further columns."""
    cells = {name: row[name] for name in PhraseItem.__dataclass_fields__ if name in row}
    return from_row(PhraseItem, cells, table="phrase_item", place=place)


def _item(row: Row, task: str, place: Place) -> PhraseItem:
    """Return the item in *row*: as our tables have it, or as SemanticQA has it."""
    if "kind" in row and "gold" in row:
        return item_of(row, place)
    columns = next((one for one in TASKS if one.needed <= row.keys()), None)
    if columns is None:
        raise EvaluationError(f"no task has the columns {', '.join(row)}", fix=FIX, place=place)
    in_steps = isinstance(row.get("prediction"), dict)
    if columns.kind == "category" and not in_steps and ("keyword" in row or "extraction" in task):
        columns = COLLOCATION
    gold = row[columns.gold]
    references = tuple(str(text).strip() for text in (gold if isinstance(gold, list) else [gold]) if str(text).strip())
    options = tuple(str(row[letter]).strip() for letter in LETTERS if letter in row) if columns.kind == "choice" else ()
    if not references or (options and references[0] not in LETTERS[: len(options)]):
        raise EvaluationError(f"{columns.gold} is {gold!r}, which is no right answer", fix=FIX, place=place)
    label = str(row.get("label") or "").strip()
    return phrase_item(
        task=columns.task,
        kind=columns.kind,
        category=(label[:3] if label[:3] in VMWE_TYPES else label) or None,
        phrase=str(row[columns.phrase]).strip(),
        sentence=None if columns.sentence is None else OPTIONS.sub("", str(row[columns.sentence])).strip(),
        options=options,
        gold=references,
    )


def extraction_item(item: PhraseItem) -> PhraseItem:
    """Return the item that asks for the phrase of *item*."""
    words: Row = {"phrase": item.phrase, "sentence": item.sentence, "gold": (item.phrase,), "options": ()}
    return phrase_item(task=item.task, kind="extraction", category=item.category, **words)


def two_lines(answer: str) -> tuple[str, str]:
    """Return the first line of *answer* and the rest, after its thinking; all of it twice where that does not end."""
    text = plain(answer)
    first, _, second = (text, "", text) if "<think>" in text else text.partition("\n")
    return first.strip(), second.strip()


def idiom_sentences(tree: AnswerFile) -> Iterator[PhraseItem]:
    """Yield the sentences of ID10M in *tree* with one idiom, as items of the training split.

    A token is a line, with a tab and `B-IDIOM`, `I-IDIOM` or `O`; a sentence ends with an empty line.
    """
    folder = tree / "resources" / "ID10M" / "resources" / "bio_format" / "english"
    files: list[AnswerFile] = sorted(folder.iterdir(), key=str) if folder.is_dir() else []
    for path in files:
        for block in read_composed(path).replace(" \t", "\t").split("\n\n"):
            tokens = [line.partition("\t")[::2] for line in block.splitlines()]
            if sum(tag == "B-IDIOM" for _, tag in tokens) == 1:
                phrase = " ".join(word for word, tag in tokens if tag != "O")
                sentence = " ".join(word for word, _ in tokens)
                words: Row = {"phrase": phrase, "sentence": sentence, "options": (), "gold": (phrase,)}
                item = phrase_item(task="idiom_extraction", kind="extraction", **words)
                yield replace(item, split="train", source="ID10M", licence="as ID10M")


def phrase_item(**columns: Any) -> PhraseItem:
    """Return an item of published files, with an id that its question alone decides."""
    kind, gold = columns["kind"], columns["gold"]
    question = (kind, columns["phrase"], columns["sentence"] or "", *columns["options"])
    digest = keyed_hash(*question, *(() if kind == "interpretation" else gold))[:12]
    unknown: Row = {"lang": "en", "split": "test", "source": SOURCE, "licence": LICENCE, "release": VERSION}
    return PhraseItem(id=f"en/{columns['task']}/{digest}", **columns, **unknown)
