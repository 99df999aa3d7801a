"""Do one task on many rows: JSON lines in, the same rows with the answer added out.

One object a line, in UTF-8; blank lines are skipped. A row that cannot be read or answered is reported on standard
error with its line number and left out of the output. The others are still answered; the exit code is 1 then. Rows are
read, answered and written one by one, so a batch may be larger than memory. Each task has help with examples of its
own: `ncimp task inflect --help`.

Examples:
    ncimp task inflect --input rows.jsonl --out inflected.jsonl
    ncimp task inflect --lang pt --input - --out -
"""

import argparse
import io
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple, NoReturn, TextIO, TypeVar

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.commands.options import DATA, PACKS, langs, option
from ncimp.builder.sources.collection import Collection
from ncimp.builder.sources.packs.packs import languages
from ncimp.schemas import NcimpError, Place, Row, SchemaError, SourceError, UsageError, atomic_path, is_disk_error

STANDARD = "-"  # stands for standard input or output
MAX_ROW = 1 << 24  # bytes: a longer line is not a row of a table, and would fill the memory
PROGRESS_STEP = 500  # rows between two signs of progress on a terminal
LEXICON = re.compile(r"(?:(?P<lang>[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)=)?(?P<name>.+)")  # `pt=forms.tsv`, `morphobr`
ONE_ROW_A_LINE = "write one JSON object a line"

Answer = Callable[[Row], Row]  # returns the row to write, or raises `NcimpError` for one that cannot be answered
Engine = TypeVar("Engine")

FORMS = "a further full-form lexicon or treebank, trusted before the pack's (repeatable); LANG= if it does not say"
MORPHOLOGY = option("--morphology", FORMS, action="append", default=[], metavar="[LANG=]NAME|PATH")
BATCH = (  # the options of every task
    option("--input", "rows, one JSON object a line; - is stdin", required=True, metavar="FILE"),
    option("--out", "file to write; - is stdout", required=True, metavar="FILE"),
    langs("answer only rows in these languages (default: all)"),
    PACKS,
    MORPHOLOGY,
    DATA,
)


class RowTally(NamedTuple):
    """The number of rows of a batch by outcome."""

    answered: int
    bad: int
    skipped: int = 0  # rows in a language that was not asked for


def run_batch(args: argparse.Namespace, answer: Answer) -> int:
    """Answer the rows of `--input` into `--out`, print the figures on stderr, and return 1 when a row was bad."""
    tally = answer_rows(args.input, args.out, answer, langs=args.lang)
    others = f", {tally.skipped} in other languages" if tally.skipped else ""
    sys.stderr.write(f"{tally.answered} rows done, {tally.bad} bad{others}\n")
    return int(tally.bad > 0)


def resources_by_language(args: argparse.Namespace) -> dict[str, LanguageResources]:
    """Return the resources of each language asked for, or of each pack, with the lexicons of its language."""
    langs, collection = languages(args.lang, args.packs), Collection(args.data)
    lexicons: dict[str, list[Path]] = {lang: [] for lang in langs}
    for text in args.morphology:
        match = LEXICON.fullmatch(text)
        if match is None:
            raise UsageError("--morphology names nothing", fix="give the name or the path of a lexicon")
        name = match["name"]
        lang = match["lang"] or collection.language(name) or (langs[0] if len(langs) == 1 else None)
        if lang is None:
            fix = f"write --morphology {langs[0]}={name}, or pick one language with --lang"
            raise UsageError(f"the language of {name!r} is not known", fix=fix)
        if lang in lexicons:
            lexicons[lang].append(collection.path(name))
    return {lang: LanguageResources(lang, args.packs, args.data, lexicons=lexicons[lang]) for lang in langs}


def by_language(args: argparse.Namespace, make: Callable[[LanguageResources], Engine]) -> Callable[[Row], Engine]:
    """Return a function that gives the engine for the language of a row; *make* makes each once."""
    resources, engines = resources_by_language(args), dict[str, Engine]()

    def engine_of(row: Row) -> Engine:
        lang = text_of(row, "lang")
        if lang not in resources:
            raise SchemaError(f"no language pack {lang!r}", fix=f"the languages are {', '.join(sorted(resources))}")
        if lang not in engines:
            engines[lang] = make(resources[lang])
        return engines[lang]

    return engine_of


def text_of(row: Row, key: str) -> str:
    """Return the text that *row* has under *key*, in NFC with single spaces, or raise `SchemaError`."""
    text = optional_text(row, key)
    if text is None:
        raise SchemaError(f"the row has no {key!r}", fix="give it one")
    return text


def optional_text(row: Row, key: str) -> str | None:
    """Return the text that *row* has under *key* as `text_of` does, or None when it has none."""
    value = row.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise SchemaError(f"{key!r} is {value!r}, not a text", fix="write it as a string with a word in it")
    return " ".join(unicodedata.normalize("NFC", value).split())


def word_span(row: Row, key: str, words: Sequence[str]) -> tuple[int, int]:
    """Return the first word and the end of the span that *row* names under *key*, or raise `SchemaError`."""
    span = row.get(key)
    match span:
        case [int(first), int(end)] if bool not in (type(first), type(end)) and 0 <= first < end <= len(words):
            return first, end
    what = f"the {key} {span!r} is not two places in a sentence of {len(words)} words"
    raise SchemaError(what, fix="count words at the white space from 0; the second is one after the last")


def answer_rows(source: str, target: str, answer: Answer, *, langs: list[str] | None = None) -> RowTally:
    """Write the *answer* to each row of *source* to *target*; bad rows are reported on stderr.

    With *langs*, rows in other languages are skipped, and a row that names none is in the only one of *langs*.
    """
    only = langs[0] if langs and len(langs) == 1 else None
    terminal = sys.stderr.isatty()
    answered = bad = skipped = 0
    # the input is opened first: a missing one must not leave an empty output behind
    with _open_input(source) as incoming, _open_output(target) as outgoing:
        for number, line in enumerate(_lines(incoming), 1):
            if not line.strip():
                continue
            try:
                row = _parse(line)
                if only is not None:
                    row.setdefault("lang", only)
                if langs and row.get("lang") not in langs:
                    skipped += 1
                    continue
                outgoing.write(_to_line(answer(row)))
                answered += 1
            except NcimpError as error:
                place = Place("stdin" if source == STANDARD else source, number)
                sys.stderr.write("\r" * terminal + f"{place}: {error}\n")
                bad += 1
            if terminal and (answered + bad) % PROGRESS_STEP == 0:
                sys.stderr.write(f"\r{answered + bad} rows")
                sys.stderr.flush()
    if terminal and answered + bad >= PROGRESS_STEP:
        sys.stderr.write("\r")
    return RowTally(answered, bad, skipped)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield every line; of one that is too long only its beginning."""
    while line := stream.readline(MAX_ROW + 1):
        yield line
        while len(line) > MAX_ROW and not line.endswith(b"\n"):
            line = stream.readline(MAX_ROW + 1)


def _parse(line: bytes) -> Row:
    def refuse_constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON")

    if len(line) > MAX_ROW:
        raise SchemaError(f"a row of more than {MAX_ROW} bytes", fix=ONE_ROW_A_LINE)
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    except UnicodeDecodeError as error:
        raise SchemaError(f"byte {error.start + 1} is not UTF-8", fix="save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise SchemaError(f"not JSON ({error.msg} at column {error.colno})", fix=ONE_ROW_A_LINE) from None
    except (RecursionError, ValueError) as error:  # nested too deep, NaN, or a number too long to read
        raise SchemaError(f"cannot be read as JSON ({error})", fix=ONE_ROW_A_LINE) from None
    if not isinstance(row, dict):
        raise SchemaError("not an object", fix=ONE_ROW_A_LINE)
    return row


def _to_line(row: Row) -> str:
    line = json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        raise SchemaError("half of a surrogate pair stands alone", fix="write the whole character") from None
    return line


def _open_input(source: str) -> AbstractContextManager[IO[bytes]]:
    if source == STANDARD:
        return nullcontext(sys.stdin.buffer)  # ours to read, not to close
    try:
        return Path(source).open("rb")
    except OSError as error:
        what = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror})"
        raise SourceError(what, fix="check the path", place=Place(source)) from None


@contextmanager
def _open_output(target: str) -> Iterator[TextIO]:
    path = Path(target)
    if target == STANDARD:
        stream = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield stream
        finally:
            stream.detach()  # or it would close standard output
    elif path.is_dir():
        raise UsageError(f"{target} is a folder", fix="name a file in it")
    elif path.exists() and not path.is_file():  # a pipe or a device must not be replaced
        with path.open("w", encoding="utf-8", newline="\n") as device:
            yield device
    else:
        try:
            with atomic_path(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as file:
                yield file
        except OSError as error:
            if is_disk_error(error):
                raise
            what = f"cannot be written ({error.strerror})"
            raise UsageError(what, fix="name another file", place=Place(target)) from None
