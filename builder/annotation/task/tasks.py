"""Plan the tasks of a batch: the sentences, their order, and the tasks that check annotators.

**Items.** Token mode: each naturalistic sentence of a compound is a task. Type mode: the three together are one task,
so the same people judge all three.

**Order.** By keyed hash, so that it reveals no class. In token mode the tasks are in three blocks, and the
three sentences of a compound are one in each: a person who works through the list meets them far apart, and when
each block is a list of its own, different people judge them.

**Gold tasks** are fully literal: sentences of the table `literal`, in which an expression stands in its literal
sense, and sentences of compositional compounds. Careful people give high scores.

**Attention tasks** show a random compound in a sentence that was written for another one (variants `rand1` ...
`rand5`). Careful people say that the sentence makes no sense. Now and then a random compound does fit: the report
should look at checks that most people fail before it looks at people.

Both come from compounds outside the batch first, no compound twice, at even distances.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from ncimp.builder.annotation.task.batch import Expected, Sheet, Task, TaskSentence, task_id
from ncimp.builder.records import NATURALISTIC, RANDOMS, Item, Kind, Mode, ReleasedCompound
from ncimp.schemas import SelectionError, keyed_hash

# literal sentences: every score in the upper half
GOLD = Expected(comp=(3, 5), head=(3, 5), modifier=(3, 5), answer="judged")
# random compounds: the sentence makes no sense, or gets the lowest scores
ATTENTION = Expected(comp=(0, 1), head=None, modifier=None, answer="nonsense")
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


@dataclass(frozen=True, slots=True)
class Planned:
    """A task, and the part of it that annotators see."""

    task: Task
    sheet: Sheet


def gather(
    release: str, items: Iterable[Item], literal: Iterable[Item], compounds: Iterable[ReleasedCompound]
) -> Material:
    """Return the parts of a release for its tasks; *release* is its logical hash."""
    return Material(
        release,
        {(item.compound_id, item.context, item.variant): item for item in items if item.context in NATURALISTIC},
        {item.compound_id: item for item in literal if item.variant == "orig"},
        {compound.id: compound for compound in compounds},
    )


def plan(material: Material, selection: Sequence[str], design: Design) -> list[list[Planned]]:
    """Return the lists of tasks about the compounds with the ids *selection*, each in its order.

    Too few sentences for the checks raise `SelectionError`.
    """
    blocks = _blocks(material, selection, design)
    lists = blocks if design.lists == BLOCKS else [[task for block in blocks for task in block]]
    golds = _golds(material, selection, design)
    attentions = _attentions(material, selection, design)
    lists = [_spread(tasks, golds, design.gold_rate, "gold") for tasks in lists]
    return [_spread(tasks, attentions, design.attention_rate, "attention") for tasks in lists]


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


def _spread(tasks: list[Planned], checks: Iterator[Planned], rate: Fraction, kind: Kind) -> list[Planned]:
    """Return *tasks* with the next of *checks* among them, *rate* for each item task, at even distances."""
    count = math.ceil(rate * sum(planned.task.kind == "item" for planned in tasks))
    inserted = list(islice(checks, count))
    if len(inserted) < count:
        what = f"{count} {kind} tasks are needed, and the release has sentences for {len(inserted)}"
        raise SelectionError(what, fix=f"lower --{kind}-rate, or give a larger release")
    spread = list(tasks)
    for place, check in reversed(list(enumerate(inserted))):
        spread.insert((2 * place + 1) * len(tasks) // (2 * count), check)
    return spread


def _golds(material: Material, selection: Sequence[str], design: Design) -> Iterator[Planned]:
    """Yield gold tasks, those about compounds outside the batch first, and sentences that are also items last."""
    names = _order(material.compounds, selection, design, "gold")
    if design.mode == "token":
        inside = set(selection) - set(material.literal)
        names.sort(key=lambda name: name in inside)
    for name in names:
        one = _pick(NATURALISTIC, design, "gold context", name)
        if design.mode == "token" and name in material.literal:
            yield _task(material, design, "gold", name, [material.literal[name]])
        elif material.compounds[name].compound_class == "compositional":
            contexts = NATURALISTIC if design.mode == "type" else (one,)
            items = [material.items[name, context, "orig"] for context in contexts]
            yield _task(material, design, "gold", name, items)


def _attentions(material: Material, selection: Sequence[str], design: Design) -> Iterator[Planned]:
    """Yield attention tasks, those in sentences of compounds outside the batch first."""
    for compound in _order(material.compounds, selection, design, "attention"):
        variant = _pick(RANDOMS, design, "random", compound)
        one = _pick(NATURALISTIC, design, "attention context", compound)
        contexts = NATURALISTIC if design.mode == "type" else (one,)
        items = [material.items[compound, context, variant] for context in contexts]
        yield _task(material, design, "attention", compound, items)


def _order(compounds: Iterable[str], selection: Sequence[str], design: Design, what: str) -> list[str]:
    inside = set(selection)
    return sorted(compounds, key=lambda compound: (compound in inside, keyed_hash(design.seed, what, compound)))


def _pick(names: Sequence[str], design: Design, what: str, compound: str) -> str:
    return min(names, key=lambda name: keyed_hash(design.seed, what, compound, name))


def _task(material: Material, design: Design, kind: Kind, compound: str, items: Sequence[Item]) -> Planned:
    """Return the task that shows *items*, which are about *compound* or, in a check of attention, about another."""
    about = material.compounds[compound]
    first = items[0]
    words = (about.modifier, about.head, about.compound)
    if kind == "attention":
        words = (first.modifier or "", first.head or "", first.replacement)
    name = task_id(material.release, design.seed, kind, *(item.id for item in items))
    sentences = tuple(
        TaskSentence(item.id, item.context, item.sentence, item.sentence[slice(*item.span)]) for item in items
    )
    parts = tuple(
        (item.sentence[: item.span[0]], one.nc, item.sentence[item.span[1] :])
        for item, one in zip(items, sentences, strict=True)
    )
    expected = {"item": None, "gold": GOLD, "attention": ATTENTION}[kind]
    task = Task(name, kind, design.mode, about.lang, compound, sentences, expected)
    return Planned(task, Sheet(name, *words, parts))
