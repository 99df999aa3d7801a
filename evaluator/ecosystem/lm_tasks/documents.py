"""The documents of the tasks, which lm-evaluation-harness loads by `!function documents.NAME`.

It hands over the task's metadata, what the user gave with `--metadata`, and facts about the model.
"""

import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import datasets
from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask

from ncimp.evaluator.ecosystem import (
    CHOICES,
    LETTERS,
    choice_rows,
    likelihood_rows,
    plausibility_rows,
    question_rows,
    sense_choice_rows,
)
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.suites.lexbench.scoring import score
from ncimp.evaluator.suites.plausibility import surprisals
from ncimp.schemas import Place, Row, UsageError, keyed_hash
from ncimp.schemas.records import from_row, to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import PHRASES, PhraseItem, PlausibilityItem

ASKED = {  # the question, by the kind of the item
    "choice": "Which rewriting of the sentence means the same? Answer with the letter only.",
    "category": "Which of these labels has the collocation “{phrase}”: {labels}? Answer with the label only.",
    "extraction": "Which words of the sentence are the idiom, compound, collocation or verbal expression in it? "
    "Answer with these words only, as they stand there.",
    "continuation": "How does this sentence go on? Answer with the words that follow, up to its end, and nothing else.",
    "interpretation": "What does “{phrase}” mean here? Answer in one to six words, without explanation.",
}
JUDGED = {"rating": "comp", "rating_head": "head", "rating_modifier": "modifier"}  # parts of the wording, by task


def pairs(**metadata: Any) -> Any:
    """Return original and random compound in one sentence."""
    return _documents(likelihood_rows, metadata)


def sentences(**metadata: Any) -> Any:
    """Return sentences with the compound and with its variants."""
    return _documents(plausibility_rows, metadata)


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
    return _documents(choice_rows, metadata)


def senses(**metadata: Any) -> Any:
    """Return sentences of the suite `astitch` with the paraphrases of their compounds."""
    return _of_language(sense_choice_rows(Path(str(metadata.get("release", "ncimp")))), metadata)


def questions(**metadata: Any) -> Any:
    """Return the questions whose task begins with `asked` of the metadata, of the `split` there if it names one.

    Examples are of the training split, in keyed-hash order.
    """
    rows = _documents(question_rows, metadata)["test"].filter(lambda row: row["task"].startswith(metadata["asked"]))
    order = sorted(range(len(rows)), key=lambda number: keyed_hash(rows[number]["id"]))
    trained = rows.select(order).filter(lambda row: row["split"] == "train")
    return {"train": trained, "test": rows.filter(lambda row: metadata.get("split") in (None, row["split"]))}


def phrases(**metadata: Any) -> Any:
    """Return the items in the folder that `ncimp suite import lexbench` wrote, of the task in the metadata if any."""
    folder = ReleaseFolder.open(Path(str(metadata.get("release", "suites/lexbench"))))
    rows = [to_row(row) for row in folder.records(PHRASES, PhraseItem)]
    rows = [row for row in rows if metadata.get("task_name") in (None, row["task"])]
    if not rows:
        raise UsageError("the folder has no items of this task", fix="import them: ncimp suite import lexbench")
    return {"test": datasets.Dataset.from_list(rows)}


def prompt(doc: Row) -> str:
    """Return the question in *doc*, a row of `phrase_item`, in words."""
    phrase, options = doc["phrase"], doc["options"] or ()
    question = rating_question(doc["lang"], doc["task"]) if doc["kind"] == "rating" else ASKED[doc["kind"]]
    names = dict.fromkeys(("phrase", "nc", "head", "modifier"), phrase)
    ask = question.format(**names, labels=", ".join(options))
    shown = "".join(f"{letter}: {option}\n" for letter, option in zip("ABCDEFGH", options, strict=False))
    listed = shown if doc["kind"] == "choice" else ""
    if listed and doc["sentence"] and doc["task"] not in CHOICES:
        ask = f"Which option fits “{phrase}” in the sentence? Answer with the letter only."
    sentence = f"Sentence: {doc['sentence']}\n" if doc["sentence"] else ""
    return f"{sentence}{ask}\n{listed}Answer:"


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
    return f" {doc['gold'][0]}"


def place(doc: Row) -> int:
    """Return the place of the right option of *doc*."""
    return LETTERS.index(doc["gold"][0])


def worth(doc: Row, results: list[str]) -> dict[str, float]:
    """Return what the answer of a model to *doc* is worth by the leading rule of its kind, and whether it parsed."""
    item = from_row(PhraseItem, dict(doc), table="phrase_item", place=Place(doc["id"]))
    scored = score(item, str(results[0]))
    return {"worth": next(iter(scored.worth.values())), "parsed": float(scored.parse.status == "answered")}


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
