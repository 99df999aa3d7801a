"""The two ways into the kernel, as bytes and through a reader: the same counts, and the same about what is wrong."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.counting import sources
from ncimp.corpus_stats.counting.run import RunOptions, count_sources
from ncimp.corpus_stats.counting.sources import FileSource, Job, SentenceFile
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.readers.formats import Corpus, Reading
from ncimp.corpus_stats.store.header import StoreHeader
from ncimp.schemas.errors import SourceError
from tests.kernel_corpora import PLAN, files_of

TOKENS = (
    b"red\tJJ\tred",
    b"rats\tNNS\trat",
    b"Guarda-Chuva\tNN\tguarda-chuva",
    b"a&amp;b\tNN\t<unknown>",
    b"x\tNN\t",
    b",\t,\t,",
    b"<\tNN\t&lt;",
    "ação\tNN\tação".encode(),
    b"x\tJJ\ty\r",
)
MARKS = (
    b"<s>",
    b"</s>",
    b"<text id='a'>",
    b"</text>",
    b"<doc>",
    b"<g/>",
    b"<p class='x'>",
    b"",
    b"  ",
    b" <s> ",
    b"<S>\r",
)
ODD = (
    b"a\xe7\xe3o\tNN\tx",
    b"\tNN\tx",
    b"one",
    b"nul\0\tNN\tx",
    b"<a>b>",
    b"<b",
    b"x\ty",
    b"<text id='\xe7'>",
    b"\t\t",
    b"\t\t\t",
    b"\xed\xa0\x80\tNN\tx",
    b"\xf4\x90\x80\x80\tNN\tx",
    b"<1>",
    b"#\tNN\t#",
    b"</s>x",
)
WHOLE = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=3).map(lambda lines: [b"<s>", *lines, b"</s>"])
LOOSE = st.lists(st.sampled_from((*TOKENS, *MARKS, *ODD)), max_size=2)
WAC_FILES = st.lists(st.one_of(WHOLE, WHOLE, LOOSE), max_size=8).map(
    lambda parts: [line for part in parts for line in part]
)

REST = b"\t_\t_\t_\t_\t_"
WORDS = (
    b"red\tred\tADJ\t_",
    b"rats\trat\tNOUN\tNNS",
    b"x\t\t_\tNN",
    b"x\t_\t_\t_",
    b",\t,\tPUNCT\t_",
    "ação\tação\tNOUN\t_".encode(),
)
IDS = (b"1", b"2", b"2-3", b"3", b"4", b"3.1", b"3-2", b"0", b"x", b"1-1", b"1-9")
CONLLU_LINES = st.one_of(
    st.builds(lambda number, word: number + b"\t" + word + REST, st.sampled_from(IDS), st.sampled_from(WORDS)),
    st.sampled_from(
        (
            b"",
            b"",
            b" ",
            b"# text = x",
            b"# newdoc id = d",
            b"#",
            b"#\t" * 10,
            b"one",
            b"1\t\t_\t_\t_" + REST,
            b"# \xe7",
        )
    ),
)
GOOD = [
    b"1\tred\tred\tADJ\t_" + REST,
    b"2-3\tda\t_\t_\t_" + REST,
    b"2\tde\tde\tADP\t_" + REST,
    b"3\ta\to\tDET\t_" + REST,
    b"",
]
CONLLU_FILES = st.lists(st.one_of(st.just(GOOD), st.lists(CONLLU_LINES, max_size=4)), max_size=6).map(
    lambda parts: [line for part in parts for line in part]
)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", 48)


def count(path: Path, out: Path, corpus_format: str, on_error: OnError, *, as_bytes: bool) -> StoreHeader | str:
    """Return the header of the store, or what was said instead."""
    problems = Problems(on_error)
    job = Job("en", corpus_format, Reading(encoding="utf-8"), PLAN)
    source: FileSource = job.source(str(path), problems)
    if not as_bytes:
        source = SentenceFile(Corpus(str(path), corpus_format, job.reading, problems), problems)
    try:
        return count_sources([source], out, job, RunOptions(workers=1, problems=problems))
    except SourceError as error:
        return str(error)


def check_paths(corpus_format: str, lines: list[bytes], *, problems_alike: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "c"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        for on_error in ("stop", "skip"):
            found = [
                count(path, folder / f"{on_error}-{as_bytes}", corpus_format, on_error, as_bytes=as_bytes)
                for as_bytes in (True, False)
            ]
            if isinstance(found[0], str) or isinstance(found[1], str):
                assert found[0] == found[1]
                continue
            assert found[0].content_sha256 == found[1].content_sha256
            assert files_of(folder / f"{on_error}-True") == files_of(folder / f"{on_error}-False")
            assert found[0].tally.sentences == found[1].tally.sentences
            if problems_alike:
                assert found[0].tally.broken_lines == found[1].tally.broken_lines


@settings(max_examples=25, deadline=None)
@example([b"<s>", b"red\tJJ\tred", b"<text id='a'>", b"x\tJJ\ty", b"<s>", b"rats\tNNS\trat", b"</s>", b"</s>"])
@example([b"<s>", b"red\tJJ\tred", b"</s>", b"<s>"])
@example([b"<s>", b"red\tJJ\tred", b"</s>", b"<s>", b"\tNN\tx"])
@example([b"<s>", b"red\tJJ\tred", b"</s>", b"<s>", b"red\tJJ\tred", b"<b", b"\tNN\tx"])
@example([b"<s>", *[b"red\tJJ\tred"] * 9, b"<s>", b"red\tJJ\tred", b"</s>"])
@given(WAC_FILES)
def test_wac_as_bytes_and_through_the_reader(lines: list[bytes]) -> None:
    check_paths("wac", lines, problems_alike=True)


@settings(max_examples=25, deadline=None)
@example([*GOOD, *GOOD, b"1-9\tred\tred\tADJ\t_" + REST, b"1\tred\tred\tADJ\t_" + REST])
@given(CONLLU_FILES)
def test_conllu_as_bytes_and_through_the_reader(lines: list[bytes]) -> None:
    check_paths("conllu", lines, problems_alike=False)
