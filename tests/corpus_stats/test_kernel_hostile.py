"""Broken, huge or odd input, a full disk, a killed process: a clear message, and no half store."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ncimp.corpus_stats.counting import run as counting_run
from ncimp.corpus_stats.counting import segment, sources
from ncimp.corpus_stats.counting.run import LOG, RunOptions
from ncimp.corpus_stats.counting.segment import SegmentCounter
from ncimp.corpus_stats.counting.sources import VerticalFile
from ncimp.corpus_stats.kernel.blocks import BLOCK_BYTES, CONLLU, WAC, Block
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.vertical import read_wac
from ncimp.corpus_stats.store import files as store_files
from ncimp.schemas.errors import SourceError
from ncimp.schemas.journal import EventLog
from tests.kernel_corpora import PLAN, Corpus, check_against_reference, count_into, files_of, wac_text


def skipping(**options: int) -> RunOptions:
    return RunOptions(**({"workers": 1} | options), problems=Problems("skip"))  # type: ignore[arg-type]


GOOD = "<s>\nred\tJJ\tred\nrats\tNNS\trat\n</s>\n"
RATS: Corpus = [[("red", "JJ", "red"), ("rats", "NNS", "rat")]]


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("data", "sentences"),
    [
        (GOOD.replace("\n", "\r\n"), 1),
        ("\ufeff" + GOOD, 1),
        (GOOD.removesuffix("\n"), 1),
        (GOOD.replace("rats\t", "<g/>\nrats\t"), 1),
        ('<text id="a>b">\n<p>\n' + GOOD + "</p>\n</text>\n\n\n", 1),
        (GOOD.replace("s>", "S>"), 1),
    ],
    ids=["CRLF", "BOM", "no line end", "glue", "attributes", "capitals"],
)
def test_odd_files_are_counted(tmp_path: Path, data: str, sentences: int) -> None:
    count_into(tmp_path / "s", [write(tmp_path / "c.vert", data)])
    check_against_reference(tmp_path / "s", RATS * sentences)


OPEN = GOOD.removesuffix("</s>\n")


@pytest.mark.parametrize(
    ("data", "line", "message", "sentences", "problems"),
    [
        (GOOD + OPEN, 7, "the file ends inside a sentence; close it with </s>", 1, 1),
        (OPEN + GOOD, 4, "<s> inside a sentence; close the sentence before with </s>", 2, 1),
        (OPEN + "<text id='2'>\n" + GOOD, 4, "<text> inside a sentence; close the sentence before with </s>", 2, 1),
        (GOOD + GOOD.removeprefix("<s>\n"), 5, "token outside a sentence; put it between <s> and </s>", 1, 3),
    ],
    ids=["file ends", "no </s>", "no </s> before <text>", "no <s>"],
)
def test_a_missing_mark_is_a_problem(
    tmp_path: Path, data: str, line: int, message: str, sentences: int, problems: int
) -> None:
    path = write(tmp_path / "c.vert", data)
    with pytest.raises(SourceError) as caught:
        count_into(tmp_path / "s", [path])
    assert str(caught.value) == f"{path}:{line}: {message}"
    assert count_into(tmp_path / "s", [path], options=skipping()).tally.broken_lines == problems
    check_against_reference(tmp_path / "s", RATS * sentences)


BROKEN = {
    "red": "1 tab-separated columns where the format has 3",
    "red\tJJ": "2 tab-separated columns where the format has 3",
    "red\tJJ\tred\tx": "4 tab-separated columns where the format has 3",
    "\tJJ\tred": "the form is blank; write the form",
    "<b": "1 tab-separated columns",
    "a < b": "1 tab-separated columns",
    "\t\t\t\t": "5 tab-separated columns",
    "<a>b>": "1 tab-separated columns",
    "nul\0\tNN\tx": "NUL byte; is it text?",
}


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_stops_with_its_place_or_takes_its_sentence_with_it(tmp_path: Path, line: str) -> None:
    broken = f"<s>\nthe\tDT\tthe\n{line}\nend\tNN\tend\n</s>\n"
    path = write(tmp_path / "c.vert", GOOD * 3 + broken + GOOD)
    with pytest.raises(SourceError) as caught:
        count_into(tmp_path / "s", [path])
    assert re.match(rf"{re.escape(str(path))}:15(:\w+)?: {re.escape(BROKEN[line])}", str(caught.value))
    assert [file.name for file in tmp_path.iterdir()] == ["c.vert"]
    header = count_into(tmp_path / "s", [path], options=skipping())
    assert header.tally.broken_lines == 1
    check_against_reference(tmp_path / "s", RATS * 4)


def test_broken_word_ids(tmp_path: Path) -> None:
    rest = "\t_" * 6
    rows = [f"1\tred\tred\tADJ{rest}", f"two\tx\tx\tX{rest}", f"2\trats\trat\tNOUN{rest}"]
    good = [rows[0], rows[2]]
    text = "\n".join([*rows, "", *good, "", ""])
    with pytest.raises(SourceError, match=r"c.conllu:2:ID: 'two' is not a word id"):
        count_into(tmp_path / "s", [write(tmp_path / "c.conllu", text)], layout=CONLLU)
    count_into(tmp_path / "s", [tmp_path / "c.conllu"], layout=CONLLU, options=skipping())
    check_against_reference(tmp_path / "s", [[("red", "ADJ", "red"), ("rats", "NOUN", "rat")]])


def test_bytes_of_another_encoding(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.vert", GOOD.encode() * 2 + "<s>\nação\tNN\tação\nrats\tNNS\trat\n</s>\n".encode("latin-1")
    )
    with pytest.raises(SourceError) as caught:
        count_into(tmp_path / "s", [path])
    assert str(caught.value).startswith(f"{path}:10:2: byte 0xe7 is not utf-8; name the file's encoding")
    header = count_into(tmp_path / "s", [path], options=skipping())
    assert header.tally.broken_lines == 1
    check_against_reference(tmp_path / "s", RATS * 2)
    count_into(tmp_path / "s", [path], layout=replace(WAC, encoding="latin-1"))
    check_against_reference(tmp_path / "s", [*RATS, *RATS, [("ação", "NN", "ação"), ("rats", "NNS", "rat")]])


def test_entities_and_unknown_lemmas(tmp_path: Path) -> None:
    text = "<s>\nAT&amp;T\tNP\t<unknown>\n&lt;\tSYM\t&lt;\n<\tSYM\t<\nrats\tNNS\trat\n</s>\n"
    count_into(tmp_path / "s", [write(tmp_path / "c.vert", text)])
    check_against_reference(
        tmp_path / "s", [[("AT&T", "NP", "_"), ("<", "SYM", "<"), ("<", "SYM", "<"), ("rats", "NNS", "rat")]]
    )


def test_a_long_line_is_a_word_and_an_endless_one_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "x" * 3_000_000
    count_into(tmp_path / "s", [write(tmp_path / "c.vert", GOOD + f"<s>\n{long}\tNN\t{long}\n</s>\n")])
    check_against_reference(tmp_path / "s", [*RATS, [(long, "NN", long)]])
    monkeypatch.setattr(sources, "MAX_SENTENCE", 1 << 21)
    path = write(tmp_path / "d.vert", GOOD + "x" * 5_000_000)
    with pytest.raises(SourceError) as caught:
        count_into(tmp_path / "s", [path])
    assert str(caught.value) == f"{path}:5: no sentence ends in 2097152 bytes; is its format another? see --format"
    check_against_reference(tmp_path / "s", [*RATS, [(long, "NN", long)]])


def test_a_file_without_a_sentence(tmp_path: Path) -> None:
    for data in (b"", b"<text>\n</text>\n"):
        path = write(tmp_path / "c.vert", data)
        with pytest.raises(SourceError, match=r"c.vert: holds no sentence; is its format 'wac'\? see --format"):
            count_into(tmp_path / "s", [path])
    assert not (tmp_path / "s").exists()


def test_the_same_bytes_twice(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, GOOD) for name in ("a.vert", "b.vert")]
    with pytest.raises(SourceError, match=r"has the same bytes as 'a.vert'"):
        count_into(tmp_path / "s", paths)


def test_an_archive_that_ends_early_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", 64)
    options = RunOptions(workers=1, segment_bytes=200)
    good, bad = write(tmp_path / "a.vert", GOOD * 40), tmp_path / "b.vert.gz"
    packed = gzip.compress(wac_text(RATS).encode())
    bad.write_bytes(packed[:-9])
    with pytest.raises(SourceError, match=r"b.vert.gz:\d+: cannot be read to its end"):
        count_into(tmp_path / "s", [good, bad], options=options)
    assert not (tmp_path / "s").exists()
    bad.write_bytes(packed)
    count_into(tmp_path / "s", [good, bad], options=options)
    check_against_reference(tmp_path / "s", RATS * 41)


def test_a_file_that_may_not_grow_is_one_message(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk; the store that was there stays."""
    count_into(tmp_path / "s", [write(tmp_path / "a.vert", GOOD)])
    before = files_of(tmp_path / "s")
    corpus: Corpus = [[(f"w{n}", "NN", f"w{n}") for n in range(3000)]]
    path = write(tmp_path / "b.vert", wac_text(corpus))
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
        with pytest.raises(SourceError, match=r"cannot be written .*; check the folder and the space on the disk"):
            count_into(tmp_path / "s", [path])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert files_of(tmp_path / "s") == before
    count_into(tmp_path / "s", [path])
    check_against_reference(tmp_path / "s", corpus)


class Stopped(BaseException):
    """Stands for a kill: nothing catches it."""


@pytest.mark.parametrize("step", range(10))
def test_a_run_stopped_at_any_step_goes_on_and_ends_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", 64)
    options = RunOptions(workers=1, segment_bytes=300)
    paths = [write(tmp_path / "a.vert", GOOD * 20), write(tmp_path / "b.vert", (GOOD + GOOD.replace("red", "a")) * 9)]
    count_into(tmp_path / "whole", paths, options=RunOptions(workers=1))
    steps, append = [0], EventLog.append

    def append_or_stop(log: EventLog, event: Mapping[str, Any]) -> None:
        steps[0] += 1
        if steps[0] == step // 2 + 1 and step % 2 == 0:
            raise Stopped
        append(log, event)
        if steps[0] == step // 2 + 1:
            with log.path.open("a") as stream:
                stream.write('{"files": [[')  # an event cut off while it was written
            raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(EventLog, "append", append_or_stop)
        with pytest.raises(Stopped):
            count_into(tmp_path / "s", paths, options=options)
    assert not (tmp_path / "s").exists()
    count_into(tmp_path / "s", paths, options=options)
    assert files_of(tmp_path / "s") == files_of(tmp_path / "whole")
    assert not (tmp_path / "s.parts").exists()


def test_a_resumed_run_reads_on_and_counts_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", 64)
    options = RunOptions(workers=1, segment_bytes=300)
    path = write(tmp_path / "a.vert", GOOD * 60)
    with monkeypatch.context() as patch:
        patch.setattr(counting_run, "merge_parts", lambda *_, **__: (_ for _ in ()).throw(Stopped))
        with pytest.raises(Stopped):
            count_into(tmp_path / "s", [path], options=options)
    assert len((tmp_path / "s.parts" / LOG).read_text().splitlines()) > 3
    seen = list[int]()

    def add(_: object, block: Block) -> tuple[int, int | None]:
        seen.append(block.size)
        return 0, None

    monkeypatch.setattr(SegmentCounter, "add", add)
    count_into(tmp_path / "s", [path], options=options)
    assert seen == []


def test_a_run_killed_while_it_removes_its_parts_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.vert", GOOD)
    count_into(tmp_path / "whole", [path])
    remove = shutil.rmtree

    def killed_half_way(folder: Path, ignore_errors: bool = False) -> None:
        for header in Path(folder).glob("*/*.json"):
            header.unlink()
            raise Stopped
        remove(folder, ignore_errors=ignore_errors)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed_half_way)
        with pytest.raises(Stopped):
            count_into(tmp_path / "s", [path])
    assert any((tmp_path / "s.parts").iterdir())
    count_into(tmp_path / "s", [path])
    assert files_of(tmp_path / "s") == files_of(tmp_path / "whole")


def test_a_line_of_the_manifest_that_was_being_written_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", 64)
    options = RunOptions(workers=1, segment_bytes=300)
    path = write(tmp_path / "a.vert", GOOD * 60)
    count_into(tmp_path / "whole", [path], options=options)
    append = EventLog.append

    def torn(log: EventLog, event: Mapping[str, Any]) -> None:
        if len(log.events) < 3:
            append(log, event)
            return
        with log.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(event)[:7])
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(EventLog, "append", torn)
        with pytest.raises(Stopped):
            count_into(tmp_path / "s", [path], options=options)
    count_into(tmp_path / "s", [path], options=options)
    assert files_of(tmp_path / "s") == files_of(tmp_path / "whole")


COUNT = """
    import sys
    sys.path.insert(0, {tests!r})
    from dataclasses import replace
    from pathlib import Path
    from tests.kernel_corpora import count_into
    from ncimp.corpus_stats.counting import sources
    from ncimp.corpus_stats.counting.run import RunOptions
    sources.BLOCK_BYTES = 4096
    count_into(Path({out!r}), [Path({path!r})], options=RunOptions(workers=2, segment_bytes=20_000))
"""


@pytest.mark.slow
def test_killed_at_random_moments_and_called_again(tmp_path: Path) -> None:
    """Fifty kills of a real process; each further run goes on, and the last result is the whole one."""
    moments = random.Random(50)  # noqa: S311
    corpus: Corpus = [[(f"w{n % 997}", "NN", f"w{n % 991}"), (f"v{n % 97}", "JJ", f"v{n}")] for n in range(20_000)]
    path = write(tmp_path / "a.vert", wac_text(corpus))
    count_into(tmp_path / "whole", [path])
    code = textwrap.dedent(COUNT.format(tests=str(Path(__file__).parents[1]), out=str(tmp_path / "s"), path=str(path)))
    started = time.monotonic()
    subprocess.run((sys.executable, "-c", code), check=True)
    length = time.monotonic() - started
    kills = 0
    while kills < 50:
        process = subprocess.Popen((sys.executable, "-c", code))
        try:
            process.wait(moments.uniform(0.2 * length, 1.0 * length))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
        assert files_of(tmp_path / "s") == files_of(tmp_path / "whole"), "the old store or the new, never half of one"
        if process.returncode == 0:
            (tmp_path / "a.vert").touch()  # a new run, not a resumed one
    subprocess.run((sys.executable, "-c", code), check=True)
    assert files_of(tmp_path / "s") == files_of(tmp_path / "whole")


@pytest.mark.slow
def test_a_line_of_200_megabytes_and_a_vocabulary_of_millions(tmp_path: Path) -> None:
    path = tmp_path / "a.vert"
    with path.open("wb") as stream:
        stream.write(GOOD.encode())
        for _ in range(200):
            stream.write(b"x" * 1_000_000)
    with pytest.raises(SourceError, match=r"a.vert:5: no sentence ends in 16777216 bytes"):
        count_into(tmp_path / "s", [path])
    lines = (f"{n:x}q\tNN\t{n % 1000}\n" for n in range(10_000_000))
    with path.open("w", encoding="ascii") as stream:
        stream.write("<s>\n")
        for number, line in enumerate(lines):
            stream.write(f"</s>\n<s>\n{line}" if number % 20 == 0 and number else line)
        stream.write("</s>\n")
    header = count_into(tmp_path / "s", [path], plan=PLAN, layout=WAC, options=RunOptions(workers=2))
    assert header.tables["surface-words.arrow"].rows == 10_000_000
    assert header.layers["surface"].tokens == 10_000_000


def test_memory_of_blocks_goes_with_their_file(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}.vert", GOOD * (number + 1)) for number in range(60)]
    sources = [VerticalFile(str(path), WAC, read_wac, Problems("skip")) for path in paths]
    tracemalloc.start()
    for source in sources:
        for block in source.blocks():
            block.give_back()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 4 * BLOCK_BYTES


def test_memory_that_is_too_small_is_not_used_again() -> None:
    spare = [bytearray(100)]
    assert len(sources._memory(spare, 1000)) >= 1000
    assert spare == []
    kept = bytearray(2000)
    assert sources._memory([kept], 1000) is kept


def test_an_interrupt_waits_for_what_is_being_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_part, join, interrupted = store_files.write_part, threading.Thread.join, list[bool]()

    def slow(*arguments: Any) -> None:
        time.sleep(0.3)
        write_part(*arguments)

    def interrupt(thread: threading.Thread, timeout: float | None = None) -> None:
        if thread.name.endswith("(_guarded)") and any(tmp_path.glob("*.parts/.0*")) and not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(segment, "write_part", slow)
    monkeypatch.setattr(threading.Thread, "join", interrupt)
    path = write(tmp_path / "a.vert", GOOD * 60)
    while not interrupted:  # the threads have to have begun to write before
        try:
            count_into(tmp_path / "s", [path], options=RunOptions(workers=2))
        except KeyboardInterrupt:
            break
        shutil.rmtree(tmp_path / "s")
    assert interrupted
    assert not [thread for thread in threading.enumerate() if thread.name.endswith("(_guarded)")]


def test_ctrl_c_while_standard_input_is_waited_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ncimp.builder.cli", "corpus", "count", "-", "--lang", "en", "--format", "wac"]
    command += ["--out", str(tmp_path / "s")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "s.parts").exists():
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 1
        assert process.stderr is not None
        assert ": interrupted; run it again" in process.stderr.read()
