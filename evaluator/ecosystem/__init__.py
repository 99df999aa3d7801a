"""The release as tasks of other tools: mteb, lm-evaluation-harness, evaluators of sentence-transformers.

Here are the rows of their tasks, out of a checked release; the other modules need the extra `ecosystem`.

No row holds a human judgement of a pair of sentences: the release has none. The expected answer to a pair follows from
its variant, and for word-by-word synonyms from the compound's human score, or its class without one.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from heapq import nsmallest
from pathlib import Path
from typing import Any

from ncimp.evaluator.release import Compound, Item, Release, SentenceScore, read_release
from ncimp.evaluator.suites import SPLITS
from ncimp.evaluator.suites.astitch.consistency import Similarity, referred
from ncimp.evaluator.suites.astitch.detection import paraphrase
from ncimp.evaluator.suites.lexbench.parsers import LETTERS
from ncimp.schemas import Row, UsageError, keyed_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import (
    CONSISTENCY,
    PHRASES,
    SHOTS,
    ConsistencyPair,
    PhraseItem,
    PlausibilityItem,
    ReleasedSense,
    SenseExample,
    Shot,
)

SAME, OTHER = 5.0, 0.0  # similarity where the meaning stays (a true synonym), and where it goes (a random compound)
# expected similarity where each word was replaced by a synonym, by class; a human score has the same range
CLASS_SCORES = {"idiomatic": 0.0, "partly_compositional": 2.5, "compositional": 5.0}
WRONG = ("ws1", "rand1")  # the variants that are wrong answers about an idiomatic compound
CHOICES: Mapping[str, tuple[str, ...]] = {  # the variants beside which the synonym is put
    "choice_words": ("ws1",),
    "choice_random": ("rand1",),
    "choice_four": ("ws1", "rand1", "rand2"),
}
ORACLES = ("category", "definition")
FEWEST_WORDS = 3  # of the other half of a sentence that is asked for


def task_folder() -> str:
    """Return the folder with the tasks of lm-evaluation-harness, for `lm-eval run --include_path`."""
    return str(Path(__file__).parent / "lm_tasks")


def expected_score(compound: Compound) -> float:
    """Return the expected similarity where each word of *compound* was replaced by a synonym: its score, 0 to 5."""
    return CLASS_SCORES[compound.compound_class] if compound.comp is None else compound.comp


def sts_rows(release: Release) -> Iterator[Row]:
    """Yield original and `syn` (5), `ws1` (the compound's score) and `rand1` (0), a row each, where they are there."""
    for compound, originals, variants in _sentences(release):
        for variant, expected in (("syn", SAME), ("ws1", expected_score(compound)), ("rand1", OTHER)):
            if variant in variants:
                yield _pair(originals, variants[variant]) | {"score": expected}


def pair_rows(release: Release) -> Iterator[Row]:
    """Yield for idiomatic compounds the original with `syn` (1) and with `ws1` (0): as many of one as of the other."""
    for _, original, variants in _idiomatic(release):
        if {"syn", "ws1"} <= set(variants):
            yield _pair(original, variants["syn"]) | {"labels": 1}
            yield _pair(original, variants["ws1"]) | {"labels": 0}


def likelihood_rows(release: Release) -> Iterator[Row]:
    """Yield the original (good) with each random compound (bad) in sentences that were written for the compound.

    Neutral frames say nothing of the compound, so that there is no reason why it should be the likelier one.
    """
    for compound, original, variants in _sentences(release):
        for name in sorted(name for name in variants if name.startswith("rand")):
            if original.context.startswith("nat"):
                facts = {"id": variants[name].id, "lang": original.lang, "compound_class": compound.compound_class}
                yield facts | {"good": original.sentence, "bad": variants[name].sentence}


def plausibility_rows(release: Release) -> Iterator[Row]:
    """Yield each written sentence with the compound, its synonym, synonyms of its words, and random compounds.

    One component alone is left out: one word in the place of two is shorter, and likelier for that alone.
    """
    for compound, original, variants in _sentences(release):
        for item in (original, *variants.values()):
            if original.context.startswith("nat") and item.variant not in ("head", "mod"):
                facts = (item.id, item.lang, compound.id, compound.compound_class)
                yield to_row(PlausibilityItem(*facts, item.sentence, item.span, compound.benchmarks))


def choice_rows(release: Release) -> Iterator[Row]:
    """Yield for idiomatic compounds the original and three sentences: with `syn` (right), `ws1` and `rand1` (wrong).

    Of compositional compounds the words' synonyms mean the same, so that there would be two right answers.
    """
    for _, original, variants in _idiomatic(release):
        if original.context.startswith("nat") and {"syn", *WRONG} <= set(variants):
            choices = [variants[name].sentence for name in ("syn", *WRONG)]
            yield {"id": original.id, "lang": original.lang, "sentence": original.sentence, "choices": choices}


def sense_rows(folder: Path) -> Iterator[Row]:
    """Yield the sentences of the suite `astitch` with their labels: those trained on, and those to be judged."""
    for row in _examples(ReleaseFolder.open(folder)):
        facts = {"id": row.id, "lang": row.lang, "compound": row.compound, "split": row.split}
        yield facts | {"text": row.context, "label": row.label}


def sense_choice_rows(folder: Path, shots: Container[Shot] = ("none",)) -> Iterator[Row]:
    """Yield the sentences of *shots* with the paraphrases of their compounds, and the place of the right one.

    Sentences are in keyed-hash order, and so are the wrong paraphrases. The right one stands at each place as often as
    at the others, among the sentences of a language, a split and a number of paraphrases: so that whoever always names
    one place is right as often as chance. Compounds of one paraphrase are left out.
    """
    opened = ReleaseFolder.open(folder)
    senses = _senses(opened)
    counts = Counter[tuple[str, str, int]]()
    for row in sorted(_examples(opened), key=lambda row: (keyed_hash("choice", row.id), row.id)):
        ordered = sorted(senses.get(row.compound_id, ()), key=lambda sense: keyed_hash(row.id, sense.sense))
        right = [paraphrase(sense) for sense in ordered if sense.sense == row.sense]
        choices = list(dict.fromkeys(text for text in map(paraphrase, ordered) if text not in right))
        if row.shot in shots and right and choices:
            group = row.lang, row.split, len(choices) + 1
            place = counts[group] % group[-1]
            counts[group] += 1
            facts = {"id": row.id, "lang": row.lang, "compound": row.compound, "text": row.context}
            yield facts | {"choices": [*choices[:place], *right, *choices[place:]], "answer": place}


def consistency_rows(folder: Path, similarity: Similarity | None = None) -> Iterator[Row]:
    """Yield the pairs of the suite `astitch` that are judged, with the similarity that is wanted, 0 to 1.

    That is 1 for a paraphrase of the right sense; for another one what the reference model of the published files says,
    or *similarity* by one of yours where they do not; for pairs that people have judged, what these say. Raises
    `UsageError` where all that is left are right paraphrases, whose similarities are all the same.
    """
    rows = [row for row in ReleaseFolder.open(folder).records(CONSISTENCY, ConsistencyPair) if row.split in SPLITS]
    rows = [row for row in (rows if similarity is None else referred(rows, similarity)) if row.similarity is not None]
    languages = {row.lang for row in rows if row.role == "incorrect"}
    if not languages:
        fix = "give a model that says it, or the folder of `ncimp suite import astitch`"
        raise UsageError(f"{folder} does not say how near a wrong paraphrase is to the right one", fix=fix)
    for row in rows:
        if row.lang in languages:
            texts = {"sentence1": row.sentence1, "sentence2": row.sentence2}
            yield {"id": row.id, "lang": row.lang, **texts, "score": row.similarity}


def _senses(folder: ReleaseFolder) -> dict[str, list[ReleasedSense]]:
    senses: dict[str, list[ReleasedSense]] = {}
    for row in folder.records("senses", ReleasedSense):
        senses.setdefault(row.compound_id, []).append(row)
    return senses


def _examples(folder: ReleaseFolder) -> Iterator[SenseExample]:
    return (row for name in SHOTS.values() for row in folder.records(name, SenseExample))


def questions(release: Release) -> Iterator[PhraseItem]:
    """Yield questions about each compound in its written sentences.

    `choice_...`: which rewriting of the sentence means the same: with the synonym, with synonyms of the words (of
    idiomatic compounds only, since else both do), or with a random compound?
    `meaning_CLASS`: the compound in other words; of an idiom the answers that take it literally are known, too.
    `completion`: the other half of the sentence; `completion_random`: of the same with a random compound, as a control.
    `rating`: how literal it is, 0 to 5, and its head and its modifier are; the
    right answer is that of people, about the sentence or else the compound, or follows from its class where none have
    judged.
    """
    for compound, original, variants in _sentences(release):
        if not original.context.startswith("nat"):
            continue
        if "syn" in variants:
            for task, names in CHOICES.items():
                if set(names) <= set(variants) and ("ws1" not in names or compound.compound_class == "idiomatic"):
                    options = tuple(variants[name].sentence for name in ("syn", *names))
                    yield _question(release, task, compound, original, options=options, gold=("A",))
            yield _meaning(release, compound, original, variants)
        if "rand1" in variants:
            yield from _completions(release, compound, original, variants["rand1"])
        judged = release.judged.get(original.id, SentenceScore(None, None, None))
        for task, phrase, scores in (
            ("rating", compound.compound, (judged.comp,)),
            ("rating_head", compound.head, (judged.head, compound.comp_head)),
            ("rating_modifier", compound.modifier, (judged.modifier, compound.comp_modifier)),
        ):
            gold = next((score for score in scores if score is not None), expected_score(compound))
            about: Any = {"kind": "rating", "phrase": phrase, "gold": (f"{gold:g}",)}
            yield _question(release, task, compound, original, **about)


def _meaning(release: Release, compound: Compound, original: Item, variants: Mapping[str, Item]) -> PhraseItem:
    """Return the question for the meaning of *compound*: answers are its synonyms, and the paraphrase of its idiom."""
    senses = [one for one in release.senses if one.compound_id == compound.id and one.text]
    idioms, literal = ([one.text for one in senses if one.kind == kind] for kind in ("idiomatic", "literal"))
    words = [of_span(item) for name, item in variants.items() if name.startswith("ws")]
    about: Any = {"kind": "interpretation", "gold": (of_span(variants["syn"]), *compound.synonyms, *idioms)}
    if compound.compound_class == "idiomatic":
        about["literal"] = (*literal, *words)
    columns = {name: tuple(dict.fromkeys(value)) if name != "kind" else value for name, value in about.items()}
    return _question(release, f"meaning_{compound.compound_class}", compound, original, **columns)


def _completions(release: Release, compound: Compound, original: Item, random: Item) -> Iterator[PhraseItem]:
    """Yield the questions for the other half of the sentence, where it has some words that are the same in both."""
    rest = original.sentence[original.span[1] :]
    half = len(" ".join(original.sentence.split()[: len(original.sentence.split()) // 2]))
    head = rest[: max(0, half - original.span[1])]
    if rest == random.sentence[random.span[1] :] and len(rest[len(head) :].split()) >= FEWEST_WORDS:
        for task, item in (("completion", original), ("completion_random", random)):
            about: Any = {"kind": "continuation", "phrase": of_span(item), "gold": (rest[len(head) :].strip(),)}
            yield _question(release, task, compound, original, sentence=item.sentence[: item.span[1]] + head, **about)


def of_span(item: Item) -> str:
    """Return the words of *item* in the compound's place."""
    return item.sentence[slice(*item.span)]


def orders(question: PhraseItem) -> Iterator[PhraseItem]:
    """Yield *question* once for each place that its right option can have, the others in keyed-hash order.

    So whoever always takes the same place is right as often as chance. A question without options, and one with labels,
    is yielded as it is.
    """
    if question.kind != "choice":
        yield question
        return
    size, gold = len(question.options), LETTERS.index(question.gold[0])
    others = [text for place, text in enumerate(question.options) if place != gold]
    others.sort(key=lambda text: keyed_hash(question.id, text))
    first = int(keyed_hash(question.id), 16)
    for turn in range(size):
        place = (first + turn) % size
        options = (*others[:place], question.options[gold], *others[place:])
        yield replace(question, id=f"{question.id}/{turn}", options=options, gold=(LETTERS[place],))


def phrase_items(path: Path) -> list[PhraseItem]:
    """Return the items of published tasks in the folder *path*, or such items of the release or senses in it."""
    folder = ReleaseFolder.open(path)
    if items := list(folder.records(PHRASES, PhraseItem)):
        return items
    of_compounds = compound_items(folder) if folder.manifest.data_files("compounds") else ()
    return [*of_compounds, *sense_items(folder)]


def compound_items(folder: ReleaseFolder) -> Iterator[PhraseItem]:
    """Yield the class of each compound of a release as a choice, and its meaning, with synonyms and gloss to compare.

    Each is asked in the first sentence that was written for the compound.
    """
    release, classes = read_release(folder.path), [name.replace("_", " ") for name in CLASS_SCORES]
    glosses = {row["id"]: row["sense_note"] for row in folder.rows("compounds")}
    for compound, original, _ in _sentences(release):
        if original.context == "nat1":
            gold = LETTERS[list(CLASS_SCORES).index(compound.compound_class)]
            yield _question(release, "compositionality", compound, original, options=tuple(classes), gold=(gold,))
            texts = (*compound.synonyms, *filter(None, [glosses[compound.id]]))
            meaning: Any = {"kind": "interpretation", "gold": texts, "category": compound.compound_class}
            if texts:
                yield _question(release, "interpretation", compound, original, **meaning)


def sense_items(folder: ReleaseFolder) -> Iterator[PhraseItem]:
    """Yield the texts with a compound in one of its senses, to choose the paraphrase of the sense.

    The training split are the texts of the training set of zero-shot, whose compounds are not judged.
    """
    senses = _senses(folder)
    for row in _examples(folder):
        texts = {sense.sense: paraphrase(sense) for sense in senses.get(row.compound_id, ())}
        if row.sense in texts and row.shot in ("none", "zero") and len(set(texts.values())) == len(texts) > 1:
            yield PhraseItem(
                id=f"{row.lang}/detection/{row.id}", lang=row.lang, task="detection", kind="choice",
                phrase=row.compound, sentence=row.context, options=tuple(texts.values()),
                gold=(LETTERS[list(texts).index(row.sense)],), split=row.split, source=row.source,
                licence=row.licence, release=row.release,
            )  # fmt: skip


def with_examples(
    items: Iterable[PhraseItem], shots: int, *, same_category: bool = False
) -> Iterator[tuple[PhraseItem, list[PhraseItem]]]:
    """Yield those of *items* that are not of the training split, each with *shots* examples that are.

    These are of its task and language, and of its category if *same_category*, in keyed-hash order.
    """
    if type(shots) is not int or shots < 0:
        raise UsageError(f"shots {shots!r}", fix="give a number of examples")
    rest: list[PhraseItem] = []
    trained: dict[tuple[str | None, ...], list[PhraseItem]] = {}

    def group(item: PhraseItem) -> tuple[str | None, ...]:
        return item.lang, item.task, item.category if same_category else None

    for item in items:
        if item.split != "train":
            rest.append(item)
        elif not same_category or item.category is not None:
            trained.setdefault(group(item), []).append(item)
    for item in rest:
        fitting = trained.get(group(item), [])
        if len(fitting) < shots:
            what = f"{item.task} has {len(fitting)} items of training" + f" like {item.id}" * same_category
            raise UsageError(what, fix="ask for fewer shots, or for a task that has more: name it (of)")
        yield (
            item,
            [next(orders(row)) for row in nsmallest(shots, fitting, key=lambda row: keyed_hash(item.id, row.id))],
        )


def _question(release: Release, task: str, compound: Compound, original: Item, **columns: Any) -> PhraseItem:
    split: Any = compound.split
    values = {"kind": "choice", "phrase": compound.compound, "options": (), "gold": (), **columns}
    values.setdefault("sentence", original.sentence)
    context = original.id.rpartition("/")[0]
    return PhraseItem(
        id=f"{original.lang}/{task}/{context}", lang=original.lang, task=task,
        split=split, source="ncimp", licence="as the release",
        release=release.version, benchmarks=compound.benchmarks, **values,
    )  # fmt: skip


def _pair(original: Item, variant: Item) -> Row:
    return {"id": variant.id, "lang": original.lang, "sentence1": original.sentence, "sentence2": variant.sentence}


def _idiomatic(release: Release) -> Iterator[tuple[Compound, Item, dict[str, Item]]]:
    return (cell for cell in _sentences(release) if cell[0].compound_class == "idiomatic")


def _sentences(release: Release) -> Iterator[tuple[Compound, Item, dict[str, Item]]]:
    """Yield compound, original and variants by name for each sentence of the grid that has its original."""
    compounds = {compound.id: compound for compound in release.compounds}
    cells: dict[tuple[str, str], dict[str, Item]] = {}
    for item in release.items:
        cells.setdefault((item.compound_id, item.context), {})[item.variant] = item
    for (compound, _), variants in cells.items():
        if "orig" in variants:
            yield compounds[compound], variants.pop("orig"), variants
