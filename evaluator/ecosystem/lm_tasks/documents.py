"""The documents of the tasks, which lm-evaluation-harness loads by `!function documents.NAME`.

It hands over the task's metadata, what the user gave with `--metadata`, and facts about the model.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import datasets
from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask

from ncimp.evaluator import ecosystem
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.suites.astitch.detection import SETTINGS
from ncimp.evaluator.suites.lexbench import answer_files
from ncimp.evaluator.suites.lexbench.parsers import LETTERS, parse
from ncimp.evaluator.suites.lexbench.recorded import extraction_item, item_of, read_recorded, two_lines
from ncimp.evaluator.suites.lexbench.scoring import score
from ncimp.evaluator.suites.plausibility import surprisals
from ncimp.schemas import Place, Row, UsageError
from ncimp.schemas.records import from_row, to_row
from ncimp.schemas.suites import PlausibilityItem

ASKED = {  # the question, by the kind of the item
    "choice": "Which rewriting of the sentence means the same? Answer with the letter only.",
    "category": "Which of these labels has the collocation “{phrase}”: {labels}? Answer with the label only.",
    "extraction": "Which words of the sentence are the idiom, compound, collocation or verbal expression in it? "
    "Answer with these words only, as they stand there.",
    "continuation": "How does this sentence go on? Answer with the words that follow, up to its end, and nothing else.",
    "interpretation": "What does “{phrase}” mean here? Answer in one to six words, without explanation.",
}
JUDGED = {"rating": "comp", "rating_head": "head", "rating_modifier": "modifier"}  # parts of the wording, by task

FRAME = "The meaning of phrase {} in context is {}"
DEFINITIONS = {  # of the types of verbal expressions, for the oracle of that name
    "LVC": "The expression is a verb that adds little to the noun with it, which tells the event, as in “take a walk”.",
    "VID": "The expression is a verb with other words, and its meaning is not that of them, as in “face the music”.",
    "VPC": "The expression is a verb with a particle that completes or changes its meaning, as in “give up”.",
}


def pairs(**metadata: Any) -> Any:
    """Return original and random compound in one sentence."""
    return _documents(ecosystem.likelihood_rows, metadata)


def sentences(**metadata: Any) -> Any:
    """Return sentences with the compound and with its variants."""
    return _documents(ecosystem.plausibility_rows, metadata)


class Plausibility(ConfigurableTask):  # type: ignore[misc]
    """The task of a sentence with a variant: log-likelihoods of its three parts."""

    def __init__(self, config: Row) -> None:
        """Read *config*, the file of the task, which names this class."""
        super().__init__(config={name: value for name, value in config.items() if name != "class"})

    def construct_requests(self, doc: Row, ctx: str, **kwargs: Any) -> list[Instance]:  # noqa: ARG002 (as they call it)
        """Return a request for each part of the sentence in *doc*."""
        place = {"doc": doc, "metadata": kwargs["metadata"]}
        pairs = enumerate(_sentence(doc).parts)
        return [Instance(request_type="loglikelihood", arguments=pair, idx=idx, **place) for idx, pair in pairs]

    def process_results(self, doc: Row, results: list[Any]) -> dict[str, float]:
        """Return the surprisal of the sentence, of the span, and of what follows it, in bits."""
        return dict(zip(("bits", "span_bits", "rest_bits"), surprisals(_sentence(doc), results), strict=True))


def _sentence(doc: Row) -> PlausibilityItem:
    return from_row(PlausibilityItem, dict(doc), table="plausibility_item", place=Place(doc["id"]))


def choices(**metadata: Any) -> Any:
    """Return the original and three sentences, of which the first means the same."""
    return _documents(ecosystem.choice_rows, metadata)


def senses(**metadata: Any) -> Any:
    """Return sentences of the suite `astitch` with the paraphrases of their compounds.

    Examples are of the training set of the `setting` in the metadata; of zero-shot, where it names none.
    """
    folder, setting = Path(str(metadata.get("release", "ncimp"))), metadata.get("setting", "zero_shot")
    if setting not in SETTINGS:
        raise UsageError(f"there is no setting {setting!r}", fix=f"choose {', '.join(SETTINGS)}")
    trained = _of_language(ecosystem.sense_choice_rows(folder, SETTINGS[setting]), metadata)["test"]
    return {"train": trained, **_of_language(ecosystem.sense_choice_rows(folder), metadata)}


def questions(**metadata: Any) -> Any:
    """Return the questions whose task begins with `asked` of the metadata, of the `split` there if it names one.

    With `shots` there, so many examples of the same task and language stand before each. They are of the training
    split, in keyed-hash order, and no question of that split is asked, also with none.
    """
    shots, split = metadata.get("shots"), metadata.get("split")

    def rows(release: Release) -> Iterator[Row]:
        items = (item for item in ecosystem.questions(release) if item.task.startswith(metadata["asked"]))
        for item, shown in ((item, []) for item in items) if shots is None else ecosystem.with_examples(items, shots):
            facts = {} if shots is None else {"setting": f"{shots}_shot", "examples": _answered(map(to_row, shown))}
            if split in (None, item.split):
                yield from (to_row(order) | facts for order in ecosystem.orders(item))

    return _documents(rows, metadata)


def likelihoods(**metadata: Any) -> Any:
    """Return the same questions without examples."""
    return questions(**metadata | {"shots": None})


def phrases(**metadata: Any) -> Any:
    """Return the items of a release, or of what `ncimp suite import lexbench` wrote, but for those of training.

    Metadata: `of` and `lang` for these only; `shots`, the number of examples before each question, from the
    training split of the same task and language, in keyed-hash order; `oracle`, which tells the type of the phrase by
    its `definition`, or by examples of the same `category`: an upper bound; `steps`, to have the phrase found first.
    """
    shots, oracle, steps = metadata.get("shots") or 0, metadata.get("oracle"), bool(metadata.get("steps"))
    if oracle not in (None, *ecosystem.ORACLES):
        raise UsageError(f"oracle {oracle!r}", fix=f"give {' or '.join(ecosystem.ORACLES)}")
    setting = f"{shots}_shot" + (f"_oracle_{oracle}" if oracle else "")
    items, rows, defined = [], [], DEFINITIONS if oracle == "definition" else {}
    for item in ecosystem.phrase_items(Path(str(metadata.get("release", "suites/lexbench")))):
        fits = metadata.get("of") in (None, item.task) and metadata.get("lang") in (None, item.lang)
        in_steps = not steps or (item.sentence is not None and item.kind != "extraction")
        if fits and in_steps and (oracle != "definition" or item.category in DEFINITIONS):
            items.append(item)
    for item, shown in ecosystem.with_examples(items, shots, same_category=oracle == "category"):
        facts: Row = {"setting": setting, "definition": defined.get(str(item.category)), "steps": steps}
        told = (facts | {"definition": defined.get(str(row.category))} | to_row(row) for row in shown)
        facts["examples"] = _answered(told)
        rows += [to_row(question) | facts for question in ecosystem.orders(item)]
    if not rows:
        fix = "import them: ncimp suite import lexbench; the oracle `definition` is for verbal expressions"
        raise UsageError("the folder has no such items", fix=fix)
    return {"test": datasets.Dataset.from_list(rows)}


def meanings(**metadata: Any) -> Any:
    """Return the meanings in words that the recorded `answers` of the metadata give, in the frame of LexBench."""
    rows = [
        {"id": key, "task": part.task, "setting": part.setting, "model": part.model, "text": FRAME.format(phrase, text)}
        for path in answer_files([Path(str(metadata["answers"]))])
        for part in read_recorded(path)
        for key, recorded in part.answers.items()
        for kind, phrase in [(part.items[key].kind, part.items[key].phrase)]
        if kind == "interpretation" and (text := parse(kind, recorded).text)
    ]
    if not rows:
        raise UsageError("no answer in these files is a meaning in words", fix="give other files: answers")
    return {"test": datasets.Dataset.from_list(rows)}


def prompt(doc: Row) -> str:
    """Return the question in *doc*, a row of `phrase_item`, in words, after its examples."""
    phrase, options = doc["phrase"], doc["options"] or ()
    question = rating_question(doc["lang"], doc["task"]) if doc["kind"] == "rating" else ASKED[doc["kind"]]
    ask = question.format(phrase=phrase, nc=phrase, head=phrase, modifier=phrase, labels=", ".join(options))
    shown = "".join(f"{letter}: {option}\n" for letter, option in zip(LETTERS, options, strict=False))
    listed = shown if doc["kind"] == "choice" else ""
    if listed and doc["sentence"] and doc["task"] not in ecosystem.CHOICES:
        about = "How compositional is" if doc["task"].endswith("compositionality") else "Which option fits"
        ask = f"{about} “{phrase}” in the sentence? Answer with the letter only."
    if doc.get("steps"):
        second = ask.replace(f"the collocation “{phrase}”", "it").replace(f"“{phrase}”", "it")
        ask = f"{ASKED['extraction']} Then, in a second line: {second}"
    definition = f"{doc['definition']}\n" if doc.get("definition") else ""
    sentence = f"Sentence: {doc['sentence']}\n" if doc["sentence"] else ""
    return "\n\n".join([*doc.get("examples", ()), f"{definition}{sentence}{ask}\n{listed}Answer:"])


@cache
def rating_question(lang: str, task: str) -> str:
    """Return the question that annotators of *lang* are asked, with what the ends of the scale mean.

    It is that of the pack of ours; English for other languages.
    """
    packs = files("ncimp") / "builder" / "languages"
    folder = next(path for path in (packs / lang, packs / "en") if (path / "annotation.toml").is_file())
    wording = tomllib.loads((folder / "annotation.toml").read_text("utf-8"))
    part = wording["questions"][JUDGED.get(task, "comp")]
    scale = f"{wording['scale']['note']} 0: {part['low']} 5: {part['high']}"
    return f"{part['ask']} {scale} Answer with the number only."


def answer(doc: Row) -> str:
    """Return the right answer to *doc*, as examples show it."""
    return (f" {doc['phrase']}\n" if doc.get("steps") else " ") + str(doc["gold"][0])


def place(doc: Row) -> int:
    """Return the place of the right option of *doc*."""
    return LETTERS.index(doc["gold"][0])


def worth(doc: Row, results: list[str]) -> dict[str, float]:
    """Return what the answer of a model to *doc* is worth by the leading rule of its kind, and whether it parsed."""
    item, text, first = item_of(doc, Place(doc["id"])), str(results[0]), 1.0
    if doc.get("steps"):
        phrase, text = two_lines(text)
        first = score(extraction_item(item), phrase).worth["strict"]
    scored = score(item, text)
    return {"worth": first * next(iter(scored.worth.values())), "parsed": float(scored.parse.status == "answered")}


def _answered(docs: Iterable[Row]) -> list[str]:
    return [prompt(doc) + answer(doc) for doc in docs]


def _documents(rows: Callable[[Release], Iterator[Row]], metadata: Row) -> Any:
    release = read_release(Path(str(metadata.get("release", "ncimp"))))
    return _of_language(rows(release), metadata)


def _of_language(rows: Iterator[Row], metadata: Row) -> Any:
    lang, by_lang = metadata.get("lang"), list(rows)
    documents = [row for row in by_lang if lang in (None, row["lang"])]
    if not documents:
        fix = f"choose among {', '.join(sorted({row['lang'] for row in by_lang}))}"
        raise UsageError(f"the release has no sentences for this task in {lang!r}", fix=fix)
    return {"test": datasets.Dataset.from_list(documents)}
