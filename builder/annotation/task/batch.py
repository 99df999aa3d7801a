"""Plan the tasks of a batch, and write and read its folder.

    batch.json     description of the batch and its sources, with the hash of every other file
    key.jsonl      one task a line, with its purpose and the expected answer: never shown, never uploaded
    ...            the files of the service: tasks.csv and template.html, tasks.json, dataset.jsonl ...

The part of a task that annotators see (`Sheet`) reveals neither its purpose nor the class of its compound.

**Items.** Token mode: each naturalistic sentence of a compound is a task. Type mode: the three together are one task,
so the same people judge all three.

**Order.** By keyed hash, so that it reveals no class. In token mode the tasks are in three blocks, and the three
sentences of a compound are one in each: a person who works through the list meets them far apart, and when each block
is a list of its own, different people judge them.

**Gold tasks** are literal: of the config `sense_sentences`, or of compositional compounds. Careful people give high
scores. **Attention tasks** show a random compound in a sentence that was written for another one (variants `rand1` ...
`rand5`). Careful people say that it makes no sense; now and then it does fit, so a report should look at checks that
most people fail before it looks at people. Both come from compounds outside the batch first, and a compound gets a
second check when there is no other.

**Places.** A list, or a group that one participant answers, is cut into as many stretches as it has checks. A stretch
has one, before an item that a keyed hash of seed and task draws: never two in a row, at places that nobody can compute
without the seed. Rates are rounded up, to `min_checks` of each kind at least, so that the rules of exclusion can be
applied to whoever answers all.
"""

import hashlib
import json
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records import NATURALISTIC, RANDOMS, Item, Kind, Mode, ReleasedCompound, Status
from ncimp.schemas import Place, SelectionError, SourceError, file_hash, keyed_hash, read_json, write_json, write_text
from ncimp.schemas.records import Lang, Ordinal, Rating, Sha256, ShortHash, from_row, read_records, to_row

Platform = Literal["mturk", "turkle", "label-studio", "prolific"]
Scores = tuple[Rating, Rating]  # lowest and highest score, both included
CHECKS: tuple[Kind, ...] = ("gold", "attention")
KINDS: tuple[Kind, ...] = ("item", *CHECKS)
STATUSES: tuple[Status, ...] = ("judged", "unknown", "nonsense")
QuestionName = Literal["head", "modifier", "comp"]
QUESTIONS: tuple[QuestionName, ...] = ("head", "modifier", "comp")  # the three scores of a sentence
SCALE = range(6)  # the points of a score: 0 not at all, 5 completely; never reversed
SYNONYMS = 3  # synonyms that an annotator may give for one sentence
INFO, KEY = "batch.json", "key.jsonl"  # the two files that every batch has
TASKS_EACH = 50  # tasks of a list that an annotator should do, so that the rules find nine cheaters in ten
ID_LENGTH = 16  # hexadecimal digits of an id: 64 bits


@dataclass(frozen=True, slots=True)
class TaskSentence:
    """One sentence of a task."""

    item_id: Annotated[str, "The item of the release."]
    context: Annotated[str, "Its context."]
    sentence: Annotated[str, "The sentence as it is shown."]
    nc: Annotated[str, "The expression that is marked in it."]


@dataclass(frozen=True, slots=True)
class Expected:
    """Answer of a careful annotator to a check; None where any score is right."""

    comp: Annotated[Scores | None, "Lowest and highest score of the whole of a careful answer; null where any will do."]
    head: Annotated[Scores | None, "Lowest and highest score of the head of a careful answer; null where any will do."]
    modifier: Scores | None
    """Lowest and highest score of the modifier of a careful answer; null where any will do."""
    answer: Annotated[Status, "Status that a careful annotator gives each sentence."]


@dataclass(frozen=True, slots=True)
class Task:
    """One task in the key of its batch (`annotation_task`)."""

    task_id: ShortHash
    """Opaque id of the task: a keyed hash that begins with a letter, so that no spreadsheet reads a number."""
    kind: Annotated[Kind, "What the task is for: a judgement to keep, or a check of the annotator."]
    mode: Annotated[Mode, "One sentence, or the three naturalistic ones together."]
    lang: Annotated[Lang, "Language."]
    compound_id: Annotated[str, "The compound whose sentences are shown."]
    sentences: Annotated[tuple[TaskSentence, ...], Meta(min_length=1)]
    """The sentences of the task, in the order in which they are shown."""
    expected: Annotated[Expected | None, "What a careful annotator answers; null for an item, of which nobody knows."]
    group: str | None = None
    """Tasks with the same group are all answered by the same people; null where people take single tasks."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Description of a batch and its sources (`annotation_batch`)."""

    batch: Annotated[ShortHash, "Id of the batch: a keyed hash over everything else in this file."]
    to: Annotated[Platform, "Service that takes the batch."]
    mode: Annotated[Mode, "One sentence a task, or the three naturalistic ones of a compound together."]
    lang: Annotated[Lang, "Language."]
    per_item: Annotated[Ordinal, "Judgements asked for each task."]
    release: Annotated[str, "Version of the release."]
    release_logical_sha256: Annotated[Sha256, "Logical hash of the release."]
    pack_sha256: Annotated[Sha256, "Hash of the pack's annotation.toml, all that a batch takes from it."]
    options: Mapping[str, object]
    """Options that change what is in the batch; title, description and keywords (separated by commas) of its tasks in
    a service's list, in the words of the pack."""
    code_version: Annotated[str, "Version of the code that made it."]
    tasks: Annotated[Ordinal, "Number of tasks."]
    counts: Annotated[Mapping[str, int], "Number of tasks of each kind."]
    files: Annotated[Mapping[str, str], "Hash of every other file of the folder, by name."]
    cost: Annotated[Mapping[str, object], "Estimate of the cost by the rate card; amounts are decimal text."]
    simulated: Annotated[bool, "Whether the answers are made by a program; left out where people give them."] = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """The part of a task that annotators see: the two words, the expression, and each sentence in three parts."""

    task_id: str
    modifier: str
    head: str
    nc: str
    parts: tuple[tuple[str, str, str], ...]
    """For each sentence the text before the expression, the expression as it stands there, the text after it."""

    def fields(self) -> dict[str, str]:
        """Return the values by the names of their placeholders, in the order of the columns."""
        cells = {"task_id": self.task_id, "modifier": self.modifier, "head": self.head, "nc": self.nc}
        for number, (before, span, after) in enumerate(self.parts, start=1):
            cells |= {f"before_{number}": before, f"span_{number}": span, f"after_{number}": after}
        return cells


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch folder in memory: its description and its key."""

    folder: Path
    info: Batch
    tasks: tuple[Task, ...]
    by_id: Mapping[str, Task] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {task.task_id: task for task in self.tasks})  # derived, of a frozen record


def task_id(*parts: str) -> str:
    """Return the id of the task that *parts* name; it begins with a letter: spreadsheets read `12e9` as a number."""
    hashes = (keyed_hash("task", *parts, str(n)) for n in range(1 << 20))
    return next(digest for digest in hashes if digest[0] in "abcdef")[:ID_LENGTH]


def batch_id(row: Mapping[str, object]) -> str:
    """Return the id of the batch that *row* describes: a keyed hash over all but the id and `simulated`."""
    facts = {name: value for name, value in row.items() if name not in ("batch", "simulated")}
    return keyed_hash("batch", json.dumps(facts, ensure_ascii=False, sort_keys=True))[:ID_LENGTH]


def count_kinds(tasks: Sequence[Task]) -> dict[str, int]:
    """Return the number of *tasks* of each kind."""
    counts = Counter(task.kind for task in tasks)
    return {kind: counts[kind] for kind in KINDS}


def write_batch(folder: Path, about: Mapping[str, object], tasks: Sequence[Task], files: Mapping[str, str]) -> Batch:
    """Write *tasks* and the service's *files* (text by name) to *folder*, and return the description of the batch.

    *about* has the fields of `batch.json` besides id, counts and hashes. A folder that holds anything but the same
    batch raises `SourceError`, because the key of answers that are on their way must not be lost.
    """
    key = "".join(json.dumps(to_row(task), ensure_ascii=False) + "\n" for task in tasks)
    texts = {name: unicodedata.normalize("NFC", text) for name, text in {**files, KEY: key}.items()}
    hashes = {name: hashlib.sha256(texts[name].encode("utf-8")).hexdigest() for name in sorted(texts)}
    facts = {**about, "tasks": len(tasks), "counts": count_kinds(tasks), "files": hashes}
    row = {name: facts[name] for name in Batch.__slots__ if name in facts}
    row = {"batch": batch_id(row), **row}
    info = from_row(Batch, row, table="annotation_batch", place=Place(str(folder / INFO)))
    # free: empty, or this batch, or a part of it after an interrupted write
    if (folder / INFO).is_file():
        other = read_json(folder / INFO)
        is_free = isinstance(other, dict) and other.get("batch") == info.batch
    else:
        entries = folder.iterdir() if folder.is_dir() else ()
        is_free = all(path.is_file() and file_hash(path) == info.files.get(path.name) for path in entries)
    if not is_free:
        what = "the folder is not empty, and is not this batch"
        raise SourceError(what, fix="give another folder with --out", place=Place(str(folder)))
    for name, text in texts.items():
        write_text(folder / name, text)
    write_json(folder / INFO, row)  # last: it vouches for the rest
    return info


def read_batch(folder: Path) -> ReadBatch:
    """Return the batch in *folder* after checking every file that it lists, or raise `SourceError` or `SchemaError`."""
    info = read_info(folder)
    if batch_id(to_row(info)) != info.batch:
        what = f"the id {info.batch} does not fit the other fields"
        raise SourceError(what, fix="export it again", place=Place(str(folder / INFO)))
    batch = read_key(folder)
    if len(batch.tasks) != info.tasks:
        what = f"{len(batch.tasks)} tasks where batch.json has {info.tasks}"
        raise SourceError(what, fix="export the batch again", place=Place(str(folder / KEY)))
    return batch


def read_key(folder: Path) -> ReadBatch:
    """Return the batch in *folder* with its key, without a look at its other files, which may be elsewhere."""
    info, path = read_info(folder, checked=False), _existing(folder, KEY)
    lines: dict[str, int] = {}
    tasks = []
    for number, task in read_records(path, Task, "annotation_task"):
        first = lines.setdefault(task.task_id, number)
        if first != number:
            what = f"the same task {task.task_id!r} as line {first}"
            raise SourceError(what, fix="export the batch again", place=Place(str(path), number, "task_id"))
        tasks.append(task)
    return ReadBatch(folder, info, tuple(tasks))


def read_info(folder: Path, *, checked: bool = True) -> Batch:
    """Return the description of the batch in *folder*, *checked*: after comparing the hash of every file it lists."""
    file = _existing(folder, INFO)
    info = from_row(Batch, read_json(file), table="annotation_batch", place=Place(str(file)))
    for name, sha256 in info.files.items() if checked else ():
        path = folder / name
        if path.is_file() and file_hash(path) == sha256:
            continue
        what = "batch.json lists this file, but it is missing"
        if path.is_file():
            what = "its sha256 is not the one in batch.json: the file is not the one that was exported"
        raise SourceError(what, fix="export the batch again, or take the folder as it was", place=Place(str(path)))
    return info


def _existing(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        fix = "give the folder that `ncimp annotate export --write` made"
        raise SourceError(f"not a batch: it has no {name}", fix=fix, place=Place(str(folder)))
    return folder / name


GOLD = Expected(comp=(3, 5), head=(3, 5), modifier=(3, 5), answer="judged")
ATTENTION = Expected(comp=(0, 1), head=None, modifier=None, answer="nonsense")
EXPECTED: Mapping[Kind, Expected | None] = {"item": None, "gold": GOLD, "attention": ATTENTION}
BLOCKS = len(NATURALISTIC)


@dataclass(frozen=True, slots=True)
class Material:
    """Items and compounds of a release in one language."""

    release: str
    items: Mapping[tuple[str, str, str], Item]  # items by compound, context and variant
    literal: Mapping[str, Item]  # the literal sentence of a compound, where there is one
    compounds: Mapping[str, ReleasedCompound]


@dataclass(frozen=True, slots=True)
class Design:
    """Parameters of the plan: the same design and material give the same tasks."""

    mode: Mode
    gold_rate: Fraction
    attention_rate: Fraction  # checks per item task; 1/20 is one check to twenty tasks
    lists: int = 1  # 1: all tasks in one list. 3: in token mode, a list for each block
    seed: str = "annotate"
    min_checks: int = 3  # of each kind whose rate is not 0, in a list or group
    group_size: int | None = None  # most tasks of a group, all of which one person answers; None: no groups

    def count(self, kind: Kind, items: int) -> int:
        """Return the number of checks of *kind* in a list or group with *items* item tasks."""
        rate = self.gold_rate if kind == "gold" else self.attention_rate
        return max(self.min_checks, math.ceil(rate * items)) if rate else 0


@dataclass(frozen=True, slots=True)
class Planned:
    """A task, and the part of it that annotators see."""

    task: Task
    sheet: Sheet


def gather(
    release: str, items: Iterable[Item], literal: Iterable[Item], compounds: Iterable[ReleasedCompound]
) -> Material:
    """Return the parts of a release for its tasks; *release* is its logical hash."""
    grid = {(item.compound_id, item.context, item.variant): item for item in items if item.context in NATURALISTIC}
    originals = {item.compound_id: item for item in literal if item.variant == "orig"}
    return Material(release, grid, originals, {compound.id: compound for compound in compounds})


def plan(material: Material, selection: Sequence[str], design: Design) -> list[list[Planned]]:
    """Return the lists of tasks about the compounds *selection*; too few sentences for checks: `SelectionError`."""
    blocks = _blocks(material, selection, design)
    lists = [[block] for block in blocks] if design.lists == BLOCKS else [blocks]
    parts = [_parts(own, design) for own in lists]
    golds, attentions = _golds(material, selection, design), _attentions(material, selection, design)
    supplies: dict[Kind, list[Planned]] = {"gold": golds, "attention": attentions}
    for kind, supply in supplies.items():
        count = sum(design.count(kind, len(part)) for own in parts for part in own)
        if count > len(supply):
            what = f"{count} {kind} tasks are needed, and the release has sentences for {len(supply)}"
            fix = f"lower --min-checks or --{kind}-rate (0: none), or give a larger release"
            raise SelectionError(what, fix=fix)
    return [[one for n, part in enumerate(own, 1) for one in _with_checks(part, supplies, design, n)] for own in parts]


def _parts(blocks: Sequence[list[Planned]], design: Design) -> list[list[Planned]]:
    """Return *blocks* as one list, or as groups that have room for their checks; no group is of two blocks."""
    if design.group_size is None:
        return [[one for block in blocks for one in block]]
    sizes = {n: n + sum(design.count(kind, n) for kind in CHECKS) for n in range(1, design.group_size + 1)}
    most = max((n for n, size in sizes.items() if size <= design.group_size), default=0)
    if not most:
        raise SelectionError(f"{design.group_size} tasks of a group are too few for checks", fix="lower --min-checks")
    cuts = [(block, -(-len(block) // most)) for block in blocks]
    return [block[n * len(block) // cut : (n + 1) * len(block) // cut] for block, cut in cuts for n in range(cut)]


def _with_checks(items: list[Planned], supplies: dict[Kind, list[Planned]], design: Design, n: int) -> list[Planned]:
    """Return *items*, the list's group *n*, with checks out of *supplies*, about other compounds if possible."""
    about = {one.task.compound_id for one in items}
    checks = []
    for kind, supply in supplies.items():
        count = design.count(kind, len(items))
        for turn in range(count):
            places = (place for place, one in enumerate(supply) if one.task.compound_id not in about)
            check = supply.pop(next(places, 0))
            about.add(check.task.compound_id)
            checks.append(((turn + _draw(design, "turn", check)) / count, check))
    if len(checks) > len(items):
        what = f"{len(checks)} checks would stand side by side among {len(items)} item tasks"
        raise SelectionError(what, fix="lower --min-checks or the rates of checks, or ask about more compounds")
    tasks = list(items)
    for turn, (_, check) in reversed([*enumerate(sorted(checks, key=lambda one: one[0]))]):
        start, end = (place * len(items) // len(checks) for place in (turn, turn + 1))
        tasks.insert(start + int((end - start) * _draw(design, "place", check)), check)
    group = None if design.group_size is None else f"g{n:03d}"
    return [replace(one, task=replace(one.task, group=group)) for one in tasks]


def _draw(design: Design, what: str, check: Planned) -> float:
    return int(keyed_hash(design.seed, what, check.task.task_id)[:12], 16) / 16**12  # from 0 to below 1


def _blocks(material: Material, selection: Sequence[str], design: Design) -> list[list[Planned]]:
    blocks: list[list[Planned]] = [[] for _ in range(1 if design.mode == "type" else BLOCKS)]
    for compound in selection:
        originals = [material.items[compound, context, "orig"] for context in NATURALISTIC]
        if design.mode == "type":
            blocks[0].append(_task(material, design, "item", compound, originals))
        else:
            first = int(keyed_hash(design.seed, "block", compound), 16)
            for number, item in enumerate(originals, start=first):
                blocks[number % BLOCKS].append(_task(material, design, "item", compound, [item]))
    return [sorted(block, key=lambda one: keyed_hash(design.seed, "order", one.task.task_id)) for block in blocks]


def _golds(material: Material, selection: Sequence[str], design: Design) -> list[Planned]:
    names = _order(material.compounds, selection, design, "gold")
    if design.mode == "token":  # sentences that are also items last
        inside = set(selection) - set(material.literal)
        names.sort(key=lambda name: name in inside)
    checks = []
    for name in names:
        if design.mode == "token" and name in material.literal:
            checks.append([_task(material, design, "gold", name, [material.literal[name]])])
        elif material.compounds[name].compound_class == "compositional":
            checks.append(_checks(material, design, "gold", name, "orig"))
    return _in_turns(checks)


def _attentions(material: Material, selection: Sequence[str], design: Design) -> list[Planned]:
    names = _order(material.compounds, selection, design, "attention")
    variants = {name: min(RANDOMS, key=lambda one: keyed_hash(design.seed, "random", name, one)) for name in names}
    return _in_turns([_checks(material, design, "attention", name, variants[name]) for name in names])


def _checks(material: Material, design: Design, kind: Kind, name: str, variant: str) -> list[Planned]:
    """Return the tasks of *kind* on the compound *name*: one, or in token mode one for each context."""
    order = sorted(NATURALISTIC, key=lambda one: keyed_hash(design.seed, f"{kind} context", name, one))
    groups: list[Sequence[str]] = [NATURALISTIC] if design.mode == "type" else [[context] for context in order]
    items = ([material.items[name, context, variant] for context in contexts] for contexts in groups)
    return [_task(material, design, kind, name, shown) for shown in items]


def _in_turns(checks: Iterable[list[Planned]]) -> list[Planned]:
    """Return the first check of each compound, then the second, and so on."""
    return [one for turn in zip_longest(*checks) for one in turn if one]


def _order(compounds: Iterable[str], selection: Sequence[str], design: Design, what: str) -> list[str]:
    """Return *compounds*, those outside the batch first."""
    inside = set(selection)
    return sorted(compounds, key=lambda compound: (compound in inside, keyed_hash(design.seed, what, compound)))


def _task(material: Material, design: Design, kind: Kind, compound: str, items: Sequence[Item]) -> Planned:
    """Return the task that shows *items*, which are about *compound* or, in a check of attention, about another."""
    about, first = material.compounds[compound], items[0]
    words = (about.modifier, about.head, about.compound)
    if kind == "attention":
        words = (first.modifier or "", first.head or "", first.replacement)
    name = task_id(material.release, design.seed, kind, *(item.id for item in items))
    parts = tuple(
        (one.sentence[: one.span[0]], one.sentence[slice(*one.span)], one.sentence[one.span[1] :]) for one in items
    )
    sentences = tuple(
        TaskSentence(item.id, item.context, item.sentence, nc) for item, (_, nc, _) in zip(items, parts, strict=True)
    )
    task = Task(name, kind, design.mode, about.lang, compound, sentences, EXPECTED[kind])
    return Planned(task, Sheet(name, *words, parts))
