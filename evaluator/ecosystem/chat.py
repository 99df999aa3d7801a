"""A chat endpoint as a model of lm-evaluation-harness, with a budget, a journal, and faults in one line.

The server has the protocol of OpenAI: `POST URL/chat/completions`. Each answer is written to the journal before the
next question is sent, so that a run that was killed asks nothing twice; so are those of a masked model. The key is in
an environment variable; it is sent to that server only, and is in no file and no message.
"""

import json
import sys
from collections import UserDict
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from ncimp.evaluator.ecosystem import task_folder
from ncimp.evaluator.ecosystem.masked import MaskedModel
from ncimp.evaluator.models.endpoint import ATTEMPTS, CHARACTERS_A_TOKEN, TIMEOUT, EndpointOptions
from ncimp.schemas import EvaluationError, Place, Row, UsageError, keyed_hash, write_text
from ncimp.schemas.http import HttpClient, HttpError, retry
from ncimp.schemas.journal import EventLog, open_log

LARGEST = 1 << 26  # bytes of an answer
MOST_TOKENS = 512  # of an answer, unless the task says otherwise
LONGEST = 20_000  # characters of an answer that are kept
JOURNAL = "journal.jsonl"


class KeptAnswers(UserDict[str, str]):
    """The answers in a journal by their keys; a new one is on the disk before the caller goes on."""

    def __init__(self, journal: EventLog) -> None:
        """Read what *journal* holds, or raise `UsageError` where that is something else."""
        self._journal = journal
        try:
            self.data = {row["key"]: row["answer"] for row in journal.events}
            if not all(isinstance(text, str) for pair in self.data.items() for text in pair):
                raise TypeError
        except (KeyError, TypeError):
            place = Place(str(journal.path))
            raise UsageError("not a journal of answers", fix="name another folder", place=place) from None

    def __setitem__(self, key: str, answer: str) -> None:
        """Keep *answer*."""
        self._journal.append({"key": key, "answer": answer})
        self.data[key] = answer


class BudgetedChat(LM):  # type: ignore[misc]
    """A chat model behind an endpoint, which is asked what is not known, up to the budget."""

    def __init__(self, name: str, options: EndpointOptions, answers: MutableMapping[str, str]) -> None:
        """Prepare requests for the model *name*; nothing is sent yet. *answers* holds what is known, and takes more."""
        super().__init__()
        self._name, self._options, self._answers = name, options, answers
        self._address = options.url.rstrip("/") + "/chat/completions"
        headers = {"Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {options.key}"} if options.key else {}
        self._client = HttpClient(
            options.url, timeout=TIMEOUT, largest=LARGEST, secret=options.key or "", headers=headers
        )
        self.requests = 0
        self.spent = 0.0  # at most: a request whose tokens the server does not count costs as much as it can

    def generate_until(self, requests: list[Any], **_further: Any) -> list[str]:
        """Return the answers to *requests*, after saying how many there are and about how long."""
        payloads = [self._payload(*request.args) for request in requests]
        unknown = {key: row for row in payloads if (key := self._key(row)) not in self._answers}
        tokens = sum(len(row["messages"][0]["content"]) for row in unknown.values()) // CHARACTERS_A_TOKEN
        answers = sum(row["max_tokens"] for row in unknown.values())
        costs = [self._options.cost(tokens, most) for most in (0, answers)]
        money = f"; about {costs[0]:,.2f} for questions, up to {costs[1]:,.2f} with answers" if costs[1] else ""
        sys.stderr.write(
            f"{len(requests):,} questions, {len(unknown):,} of them to be asked: about {tokens:,} tokens, and up to "
            f"{answers:,} of answers{money}; at most {self._options.max_requests:,} requests\n"
        )
        for key, payload in unknown.items():
            self._answers[key] = self._asked(payload)
        return [self._answers[self._key(row)] for row in payloads]

    def loglikelihood(self, _requests: list[Any], **_further: Any) -> list[tuple[float, bool]]:
        """Raise `UsageError`: a chat endpoint tells no likelihoods."""
        raise UsageError("a chat endpoint has no likelihoods", fix="leave the tasks by likelihood out")

    loglikelihood_rolling = loglikelihood

    def _payload(self, question: str, settings: Row) -> Row:
        body = {"model": self._name, "messages": [{"role": "user", "content": question}], "temperature": 0}
        return body | {"max_tokens": settings.get("max_gen_toks", MOST_TOKENS)}

    def _key(self, payload: Row) -> str:
        return keyed_hash(self._address, json.dumps(payload, sort_keys=True))

    def _asked(self, payload: Row) -> str:
        """Return the text that the server answers; nothing where it calls a tool, or says nothing."""
        options = self._options
        # a token has at least a byte, and those that the server puts around a question are few beside that
        most = options.cost(len(payload["messages"][0]["content"].encode()), payload["max_tokens"])

        def call() -> bytes:
            fix = "allow more with --{}; answers that were given are not asked for again"
            if self.requests >= (options.max_requests or 0):
                what = f"the budget of {options.max_requests} requests is used up"
                raise self._fault(what, fix.format("budget"))
            if options.max_cost is not None and self.spent + most > options.max_cost:
                what = f"the next request could cost more than is left of {options.max_cost:,.2f}"
                raise self._fault(what, fix.format("max-cost"))
            self.requests += 1
            self.spent += most
            return self._client.request("POST", self._address, payload)

        try:
            answer = json.loads(retry(call, attempts=ATTEMPTS, sleep=options.wait))
            content = answer["choices"][0]["message"].get("content")
            usage = answer["usage"] if isinstance(answer.get("usage"), dict) else {}
            of_question, of_answer = usage.get("prompt_tokens"), usage.get("completion_tokens")
            if isinstance(of_question, int) and isinstance(of_answer, int) and min(of_question, of_answer) >= 0:
                self.spent += options.cost(of_question, of_answer) - most
        except HttpError as error:
            reason = error.text if error.status is None else f"HTTP {error.status}: {error.text[:200]}"
            what = f"gave up after {ATTEMPTS} attempts ({reason})" if error.temporary else reason
            raise self._fault(what, "check address, model name and key, or try again later") from None
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise self._fault(f"no answer in the protocol ({error!r:.60})", "check the address") from None
        # half a character, which JSON can hold and no file
        return content[:LONGEST].encode("utf-8", "replace").decode("utf-8") if isinstance(content, str) else ""

    def _fault(self, what: str, fix: str) -> EvaluationError:
        return EvaluationError(what, fix=fix, place=Place(self._address))


def ask(
    name: str,
    options: EndpointOptions | None,
    *,
    tasks: Sequence[str],
    metadata: Row,
    out: Path,
    limit: int | None = None,
) -> list[Path]:
    """Ask the model *name* the questions of *tasks*, and return the files of its answers in *out*.

    Without *options* for an endpoint it is the folder of a masked model.
    """
    if options is None and out.resolve().is_relative_to(Path(name).resolve()):
        raise UsageError("the answers would be among the files of the model", fix="name another folder: --out")
    out.mkdir(parents=True, exist_ok=True)
    manager = TaskManager(include_path=task_folder(), include_defaults=False, metadata=metadata)
    if unknown := [task for task in tasks if task not in manager.all_tasks]:
        raise UsageError(f"there is no task {unknown[0]!r}", fix=f"choose among {', '.join(manager.all_tasks)}")
    with open_log(out / JOURNAL) as journal:
        answers = KeptAnswers(journal)
        model = MaskedModel(Path(name), answers) if options is None else BudgetedChat(name, options, answers)
        found = lm_eval.simple_evaluate(
            model=model, tasks=list(tasks), task_manager=manager, limit=limit, log_samples=True, bootstrap_iters=0
        )
    files = []
    for task, samples in sorted(found["samples"].items()):
        rows = [{"doc": row["doc"], "filtered_resps": row["filtered_resps"]} for row in samples]
        path = out / (Path(name).name if options is None else name.replace("/", "__")) / f"samples_{task}.jsonl"
        path.parent.mkdir(exist_ok=True)
        write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        files.append(path)
    return files
