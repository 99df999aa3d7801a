"""Searches that are killed at any step go on, with the result of one that was not."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.corpus_stats.contexts.run import search_files
from ncimp.corpus_stats.contexts.sample import ContextFilter, ContextSample, PhraseIndex
from ncimp.corpus_stats.contexts.search import Search, _FileSearch
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.formats import Reading
from ncimp.schemas.errors import SourceError

ANYTHING = ContextFilter(min_words=1, max_words=99, once=False, complete=False, unquoted=False)
INDEX = PhraseIndex({"race": [("rat", "race")], "king": [("king",)]})
SEARCH = Search(INDEX, "wac", Reading(), 5, conditions=ANYTHING, block_bytes=300)

KILLER = '''
"""Kill a search before each of its steps, let it go on, and compare what it writes; print how often it was killed."""

import os, signal, sys
from functools import partial
from pathlib import Path

from ncimp.builder.cli import main
from ncimp.builder.commands.corpus import find as contexts
from ncimp.corpus_stats.contexts import search as context_search

out, log, arguments = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
kill_at = steps = takes = 0

def stepped(function):
    def step(*given, **named):
        global steps, takes
        steps += 1
        takes += function is take
        if steps == kill_at:
            log.write_text(f"{takes - 1 if function is take else takes}")
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)
    return step

take = context_search._FileSearch._take
context_search._FileSearch._take = stepped(take)
Path.replace, os.fsync, os.unlink, os.rmdir = map(stepped, (Path.replace, os.fsync, os.unlink, os.rmdir))
contexts.Search = partial(contexts.Search, block_bytes=350)
contexts.search_files = partial(contexts.search_files, saved_bytes=1500)

def run(kill):
    """Run the command in a process of its own; return whether it was killed, and how many blocks it took."""
    global kill_at, steps, takes
    process = os.fork()
    if not process:
        kill_at, steps, takes = kill, 0, 0
        told = os.open(f"{log}.told", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(told, 2)
        code = main(arguments)
        sys.stderr.flush()
        log.write_text(str(takes))
        os._exit(code)
    status = os.waitpid(process, 0)[1]
    assert status in (0, signal.SIGKILL), status
    return status == signal.SIGKILL, int(log.read_text())

def outcome():
    told = Path(f"{log}.told").read_text()
    assert not Path(f"{out}.parts").exists()
    return out.read_bytes(), told

main(arguments)  # here, so that the processes find everything imported
_, whole = run(0)
wanted, kills = outcome(), 0
while True:
    out.unlink()
    killed, before = run(kills + 1)
    if not killed:
        break
    kills += 1
    assert not out.exists() or out.read_bytes() == wanted[0], "whole or not at all"
    _, after = run(0)
    assert outcome() == wanted, kills
    lost = before + after - whole
    assert lost <= 4 or out.exists(), (kills, before, after, whole)
print(kills)
'''


def write_corpus(folder: Path, *, files: int = 2, broken: bool = False) -> list[str]:
    """Write files of sentences of which most hold a phrase; return their paths."""
    for file in range(files):
        lines = list[str]()
        for number in range(60):
            words = ["The", f"w{file}x{number}", *(["rat", "race"] if number % 3 else ["king"]), "é", "."]
            begins = [f'<text id="d{number}">'] if number % 5 == 0 else []
            lines += [*begins, "<s>", *(f"{word}\tNN\t{word}" for word in words), "</s>"]
        if broken and file == 1:
            lines[40] = "broken"
        (folder / f"{file}.wac").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return [str(folder / f"{file}.wac") for file in range(files)]


def found(sample: ContextSample) -> object:
    return sample.sentences, sample.counts, [sample.of(phrase) for phrase in ("race", "king")]


@pytest.mark.slow
def test_killed_at_every_step_a_search_goes_on(tmp_path: Path, mini_packs: Path) -> None:
    paths = write_corpus(tmp_path, broken=True)
    (tmp_path / "names.txt").write_text("rat race\nking\n", encoding="utf-8")
    command = ["corpus", "find", "--lang", "en", "--packs", mini_packs, "--compounds", tmp_path / "names.txt"]
    command += ["--out", tmp_path / "out.jsonl", "--on-error", "skip", "--min-words", "2", "--corpus", *paths]
    arguments = [sys.executable, "-c", KILLER, tmp_path / "out.jsonl", tmp_path / "log", *command]
    done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def stopped_after(blocks: int, monkeypatch: pytest.MonkeyPatch, paths: Sequence[str], work: Path) -> None:
    """Search *paths* until that many blocks were taken."""
    left, take = [blocks], _FileSearch._take

    def counted(scan: _FileSearch, data: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        take(scan, data)

    with monkeypatch.context() as patch:
        patch.setattr(_FileSearch, "_take", counted)
        with pytest.raises(KeyboardInterrupt):
            search_files(SEARCH, paths, Problems("skip"), work=work, saved_bytes=900)


def test_only_what_was_left_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, work = write_corpus(tmp_path, broken=True), tmp_path / "work"
    problems, again = Problems("skip"), Problems("skip")
    whole = search_files(SEARCH, paths, problems)
    stopped_after(9, monkeypatch, paths, work)
    stopped_after(4, monkeypatch, paths, work)
    (stand,) = (json.loads(path.read_text())["facts"]["progress"] for path in work.iterdir())
    assert 9 * 250 < stand["offset"] < 13 * 350
    assert found(search_files(SEARCH, paths, again, work=work)) == found(whole)
    assert (again.by_file, list(map(str, again.first))) == (problems.by_file, list(map(str, problems.first)))
    stopped_after(0, monkeypatch, [*paths, paths[0]], work)  # a file named twice is read twice
    monkeypatch.setattr(_FileSearch, "run", None)
    assert found(search_files(SEARCH, paths, Problems("skip"), work=work)) == found(whole)


@pytest.mark.parametrize("what", ["corpus", "search", "spelling", "on_error", "seed"])
def test_what_another_search_left_is_not_used(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, work = write_corpus(tmp_path), tmp_path / "work"
    stopped_after(9, monkeypatch, paths, work)
    search, problems = SEARCH, Problems("stop" if what == "on_error" else "skip")
    if what == "corpus":
        Path(paths[0]).write_text(Path(paths[0]).read_text().replace("race", "races", 1))
    elif what == "search":
        search = replace(SEARCH, conditions=ContextFilter(min_words=2))
    elif what == "seed":
        search = replace(SEARCH, seed="1")
    elif what == "spelling":
        search = replace(SEARCH, index=PhraseIndex({"race": [("rat", "race"), ("the", "w0x1")], "king": [("king",)]}))
    taken, take = list[bytes](), _FileSearch._take

    def noted(scan: _FileSearch, data: bytes) -> None:
        taken.append(data)
        take(scan, data)

    monkeypatch.setattr(_FileSearch, "_take", noted)
    sample = search_files(search, paths, problems, work=work)
    assert b"".join(taken) == b"".join(Path(path).read_bytes() for path in paths)
    assert found(sample) == found(search_files(search, paths, problems))


def test_a_part_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "work").write_text("a file")
    with pytest.raises(SourceError, match=r"work/.*\.json: cannot be written \(.*\); check the folder and the space"):
        search_files(SEARCH, write_corpus(tmp_path), Problems(), work=tmp_path / "work")


def test_a_packed_file_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.wac.gz"
    path.write_bytes(gzip.compress(Path(write_corpus(tmp_path)[0]).read_bytes()))
    stopped_after(9, monkeypatch, [str(path)], tmp_path / "work")
    sample = search_files(SEARCH, [str(path)], Problems(), work=tmp_path / "work")
    assert found(sample) == found(search_files(SEARCH, [str(path)], Problems()))
