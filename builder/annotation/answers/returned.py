"""Turn an assignment as a service gives it back into judgements without names.

Every reader of a results format makes a `Returned` of each assignment. The fields of the form have their meaning here
alone: `status_1`, `head_1`, `modifier_1`, `comp_1`, `synonym1_1` and so on, one set per sentence of the task.

Annotators are pseudonymised with HMAC-SHA256 under a local secret, which stands in a file of its own, mode 600, made at
its first use. It may not lie inside a release, where it would be published. The same secret gives the same person the
same id again, so that a second import adds nothing; without it nobody can try out names until a hash fits.
"""

import hashlib
import hmac
import os
import re
import secrets
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ncimp.builder.annotation.task.batch import QUESTIONS, SCALE, STATUSES, SYNONYMS, ReadBatch, Task, TaskSentence
from ncimp.builder.records import MANIFEST, Judgement, Status
from ncimp.schemas import Place, SourceError, UsageError

SIMULATED = "simulated-"  # prefix of simulated annotators, whose answers stay marked in every batch
LONGEST = 200  # characters of a synonym; a longer text is not a synonym
KEPT = "the rest of the answer is kept"  # said of a synonym that is set aside alone
SCORE = re.compile(r"[0-5](?:\.0+)?")  # a score as a form or a spreadsheet writes it
ADDRESS = re.compile(r"\S@\S|https?://|www\.")  # an address, which names the writer of a synonym
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")
UNIX_DATE = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) [\d:]{5,8} (?:\S+ )?(\d{4})")
SALT = re.compile(rb"[0-9a-f]{64}\n?")
SAME_SALT = "give the salt of its first import with --salt"
ID_LENGTH = 16  # hexadecimal digits of an id: 64 bits, so that two of a million annotators do not get the same


@dataclass(frozen=True, slots=True)
class Returned:
    """One assignment in the results of a service; `problem` is the reason why it cannot be read."""

    place: Place
    worker: str = ""
    assignment: str = ""
    task_id: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)  # answers by the name of the field, all as text
    submitted: str = ""
    seconds: str = ""
    problem: str | None = None
    service: str = ""  # where the answers were given, if the file tells; else its suffix does
    batch: str = ""  # id of the batch, if the file names it


@dataclass(frozen=True, slots=True)
class Rejected:
    """An answer, or a synonym of one, that is set aside, with the reason; it names nobody."""

    file: str
    line: int | None
    task_id: str
    sentence: int | None
    assignment: str
    problem: str
    answers: Mapping[str, str]


class UnfitError(Exception):
    """An answer that is not a judgement; the message is the reason."""


class Pseudonyms:
    """Ids of annotators and assignments that only the holder of *salt* can trace back."""

    def __init__(self, salt: bytes) -> None:
        self._salt = salt
        self.fingerprint = self._hash("fingerprint")  # by it another salt is noticed; it does not give this one away

    def annotator(self, platform: str, name: str) -> str:
        """Return the id of the annotator *name* of *platform*: the same in every batch."""
        return self._hash("annotator", platform, name)

    def assignment(self, platform: str, name: str) -> str:
        """Return the id of the assignment that *platform* calls *name*."""
        return self._hash("assignment", platform, name)

    def _hash(self, *parts: str) -> str:
        text = b"".join(part.encode("utf-8", "surrogatepass") + b"\x00" for part in parts)
        return hmac.new(self._salt, text, hashlib.sha256).hexdigest()[:ID_LENGTH]


def read_salt(path: Path, campaign: Path, *, is_new: bool) -> bytes:
    """Return the secret in *path* for the folder *campaign*; a missing one is made for a new campaign alone.

    Raises `UsageError` for a place inside a release or the campaign, `SourceError` for a file that is not a secret.
    """
    home, parents = campaign.resolve(), path.resolve().parents
    inside = next((folder for folder in parents if folder == home or (folder / MANIFEST).exists()), None)
    if inside is not None:
        kind = "the campaign" if inside == home else "a release"
        what = f"the salt {path} is inside {inside}, which is {kind}: its readers could trace annotators"
        raise UsageError(what, fix="name a file outside with --salt")
    place = Place(str(path))
    if not path.exists():
        if not is_new:
            raise UsageError(f"there is no salt {path}, and {campaign} was made with one", fix=SAME_SALT)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise SourceError(f"cannot be made ({error.strerror})", fix="name another", place=place) from None
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_hex(32).encode("ascii") + b"\n")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise SourceError(f"others may read the salt (mode {mode:o})", fix=f"chmod 600 {path}", place=place)
    text = path.read_bytes()
    if not SALT.fullmatch(text):
        raise SourceError("not a salt: 64 hexadecimal digits", fix="name another file: one is made there", place=place)
    return bytes.fromhex(text.decode("ascii").strip())


def judgements_of(
    returned: Returned, batch: ReadBatch, platform: str, names: Pseudonyms
) -> Iterator[Judgement | Rejected]:
    """Yield a judgement, or the reason why there is none, for each sentence of the assignment *returned*."""
    assignment = names.assignment(platform, returned.assignment)
    try:
        task = _task(returned, batch)
        day, seconds = _day_and_seconds(returned.submitted.strip(), returned.seconds.strip())
    except UnfitError as error:
        yield _rejected(returned, None, assignment, str(error))
        return
    # None where one answer is for all sentences
    is_one = len(task.sentences) > 1 and not any(re.fullmatch(r"[a-z]+_[2-9]", name) for name in returned.fields)
    sentences: tuple[TaskSentence | None, ...] = (None,) if is_one else task.sentences
    for number, sentence in enumerate(sentences, start=1):
        try:
            status, scores = _answer(returned, number)
        except UnfitError as error:
            yield _rejected(returned, number, assignment, str(error))
            continue
        synonyms, problems = _synonyms(returned, number)
        for problem in problems:
            yield _rejected(returned, number, assignment, f"{problem}; {KEPT}")
        yield Judgement(
            campaign=batch.info.batch,
            platform=platform,
            annotator=names.annotator(platform, returned.worker),
            assignment=assignment,
            task_id=task.task_id,
            kind=task.kind,
            mode=task.mode,
            lang=task.lang,
            compound_id=task.compound_id,
            item_id=sentence.item_id if sentence else None,
            context=sentence.context if sentence else None,
            status=status,
            **scores,
            synonyms=tuple(synonyms),
            day=day,
            seconds=seconds,
            passed=_passed(task, status, scores),
            excluded=None,
            simulated=batch.info.simulated or returned.worker.startswith(SIMULATED),
        )


def _task(returned: Returned, batch: ReadBatch) -> Task:
    if returned.problem is not None:
        raise UnfitError(returned.problem)
    for name in ("worker", "assignment", "task_id"):
        if not getattr(returned, name):
            raise UnfitError(f"no {name}")
    answered = returned.fields.get("task_id", returned.task_id)
    if answered != returned.task_id:
        raise UnfitError(f"the answer names the task {answered!r}, its input {returned.task_id!r}")
    task = batch.by_id.get(returned.task_id)
    if task is None:
        raise UnfitError(f"the task {answered!r} is not one of batch {batch.info.batch}: another project's answer?")
    return task


def _day_and_seconds(submitted: str, seconds: str) -> tuple[str | None, int | None]:
    day = None  # nothing finer than the day is kept
    if iso := ISO_DAY.match(submitted):
        day = iso[0]
    elif (unix := UNIX_DATE.fullmatch(submitted)) and unix[1] in MONTHS:
        day = f"{unix[3]}-{MONTHS.index(unix[1]) + 1:02}-{int(unix[2]):02}"
    elif submitted:
        raise UnfitError(f"{_short(submitted)!r} is not a date in a known form")
    if seconds and not re.fullmatch(r"\d{1,7}(?:\.\d+)?", seconds):
        raise UnfitError(f"the time {_short(seconds)!r} is not a number of seconds")
    return day, round(float(seconds)) if seconds else None


def _answer(returned: Returned, number: int) -> tuple[Status, dict[str, int | None]]:
    end = f"_{number}"
    fields = {name.removesuffix(end): text for name, text in returned.fields.items() if name.endswith(end)}
    value = fields.get("status", "").strip()
    if value == "" and fields.get("comp", "").strip():
        value = "judged"  # forms without the question
    status = next((status for status in STATUSES if status == value), None)
    if status is None:
        raise UnfitError(f"status_{number} is {_short(value)!r}, not one of {', '.join(STATUSES)}")
    scores: dict[str, int | None] = {}
    for name in sorted(QUESTIONS):
        text = fields.get(name, "").strip()
        if status == "judged" and not SCORE.fullmatch(text):
            raise UnfitError(f"{name}_{number} is {_short(text)!r}, not a score from 0 to 5")
        scores[name] = int(text[0]) if status == "judged" else None  # chosen before "I don't know" was
    return status, scores


def _synonyms(returned: Returned, number: int) -> tuple[list[str], list[str]]:
    """Return the synonyms of sentence *number*, and the problems of those that are none or may not be kept."""
    synonyms, problems = [], []
    for name in (f"synonym{place}_{number}" for place in range(1, SYNONYMS + 1)):
        text = clean_text(returned.fields.get(name, ""))
        if len(text) > LONGEST:
            problems.append(f"{name} has {len(text):,} characters, more than {LONGEST}")
        elif _names_somebody(text, returned):
            problems.append(f"{name} holds an address or a name, which may not be kept")
        elif text:
            synonyms.append(text)
    return synonyms, problems


def clean_text(text: str) -> str:
    """Return *text* in Unicode form NFC on one line, without characters that turn its direction or cannot be seen."""
    spaced = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    visible = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def _passed(task: Task, status: Status, scores: Mapping[str, int | None]) -> bool | None:
    expected = task.expected
    if task.kind == "item" or expected is None:
        return None
    pairs = [(scores[name], getattr(expected, name) or (SCALE[0], SCALE[-1])) for name in QUESTIONS]
    return status == expected.answer and all(score is None or low <= score <= high for score, (low, high) in pairs)


def _rejected(returned: Returned, number: int | None, assignment: str, problem: str) -> Rejected:
    texts = {name: _short(clean_text(value), 80) for name, value in sorted(returned.fields.items())}
    answers = {name: "(hidden)" if _names_somebody(text, returned) else text for name, text in texts.items()}
    file, line = returned.place.file, returned.place.line
    return Rejected(file, line, _short(returned.task_id), number, assignment, problem, answers)


def _names_somebody(text: str, returned: Returned) -> bool:
    return bool(ADDRESS.search(text)) or bool(returned.worker and returned.worker in text)


def _short(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
