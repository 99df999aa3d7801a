"""The store of a lexicon: made once, all or nothing, and it gives back what was put in."""

from __future__ import annotations

import gzip
import lzma
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.sources.lexicons import files as lexicon_lines
from ncimp.builder.sources.lexicons import store as lexicon_store
from ncimp.builder.sources.lexicons.readers import MORPHOBR_POS, Entry
from ncimp.builder.sources.lexicons.store import FormStore, form_key, open_lexicon
from ncimp.builder.sources.registry import data_folder
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import file_hash
from tests.sources.lexicon_samples import MORPHOBR, WORDS, conllu, write

LETTERS = st.text(st.sampled_from("abcçéãIÁß-'"), min_size=1, max_size=4)
TAGS = st.sampled_from(["N+F+SG", "N+M+SG", "N+SG", "N+PL", "A+F+PL", "V+PTPST+M+SG", "V+PRS+3+PL", "ADV"])
LINES = st.lists(st.tuples(LETTERS, LETTERS, TAGS), min_size=1, max_size=30)
UPOS = st.sampled_from(["NOUN", "ADJ", "DET", "ADP", "PROPN"])
FEATS = st.sampled_from(["_", "Gender=Fem|Number=Sing", "Gender=Masc|Number=Plur", "Number=Plur"])
TOKENS = st.lists(st.tuples(LETTERS, LETTERS, UPOS, FEATS), min_size=1, max_size=30)


def morphobr(lines: list[tuple[str, str, str]]) -> str:
    return "".join(f"{form}\t{lemma}+{tags}\n" for form, lemma, tags in lines)


def stored(text: str) -> list[Entry]:
    with TemporaryDirectory() as folder:
        store = open_lexicon(write(Path(folder), "lexicon", text), data=Path(folder))
        entries = list(store.entries())
        store.close()
    return entries


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_every_line_comes_back_once_by_form_and_by_lemma(lines: list[tuple[str, str, str]]) -> None:
    with TemporaryDirectory() as folder:
        store = open_lexicon(write(Path(folder), "lexicon", morphobr(lines)), data=Path(folder))
        expected = {(form, lemma, MORPHOBR_POS[tags.split("+")[0]]) for form, lemma, tags in lines}
        assert len(list(store.entries())) == len({(form, lemma, tags) for form, lemma, tags in lines}) == store.forms
        for form, lemma, tags in lines:
            agreeing = "adj" if "PTPST" in tags else MORPHOBR_POS[tags.split("+")[0]]
            found = store.readings(form.upper() if form.upper().lower() == form.lower() else form)
            assert all(form_key(entry.form) == form_key(form) for entry in found)
            assert (form, lemma, agreeing) in {entry[:3] for entry in found}
            assert form in {entry.form for entry in store.inflected(lemma, agreeing)}
        assert {entry[:2] for entry in store.entries()} == {row[:2] for row in expected}
        store.close()


@settings(max_examples=40, deadline=None)
@given(LINES, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_does_not_matter(lines: list[tuple[str, str, str]], random: object) -> None:
    mixed = list(lines)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert Counter(stored(morphobr(mixed))) == Counter(stored(morphobr(lines)))


@settings(max_examples=40, deadline=None)
@given(TOKENS)
def test_the_words_of_a_treebank_are_counted(words: list[tuple[str, str, str, str]]) -> None:
    once, twice = stored(conllu(tuple(words))), stored(conllu(tuple(words), tuple(words)))
    assert sum(entry.times for entry in once) == len(words)
    doubled = [entry._replace(times=2 * entry.times) for entry in once]
    assert Counter(doubled) == Counter(twice)


def test_a_lexicon_is_added_once_and_found_again_under_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "lexicon", MORPHOBR)
    before = open_lexicon(path, data=tmp_path / "data")
    assert [file.name for file in (tmp_path / "data" / "morphology").iterdir()] == [f"{file_hash(path)[:16]}-1.sqlite"]
    monkeypatch.setattr(lexicon_store, "_make", None)
    again = open_lexicon(path.rename(tmp_path / "other"), data=tmp_path / "data")
    assert list(again.entries()) == list(before.entries())


def test_a_changed_lexicon_is_never_taken_for_the_old_one(tmp_path: Path) -> None:
    path = write(tmp_path, "lexicon", MORPHOBR)
    old = open_lexicon(path, data=tmp_path / "data")
    new = open_lexicon(write(tmp_path, "lexicon", "barco\tbarco+N+M+SG\n"), data=tmp_path / "data")
    assert (len(old.readings("barco")), len(new.readings("barco"))) == (0, 1)


def packed(pack: Callable[[bytes], bytes], damage: Callable[[bytearray], bytes]) -> bytes:
    return damage(bytearray(pack((MORPHOBR * 40).encode())))


def zeroed(data: bytearray) -> bytes:
    data[60:90] = bytes(30)
    return bytes(data)


TREEBANK = conllu(WORDS)
HEADER = "form\tlemma\tpos\tgender\tnumber\tonset\n"
BROKEN: dict[str, tuple[bytes, int | None, str]] = {
    "an empty file": (b"", None, "the file holds no entries"),
    "blank lines only": (b"\n\n", None, "the file holds no entries"),
    "a header only": (HEADER.encode(), None, "the file holds no entries"),
    "punctuation only": (conllu((WORDS[-1],)).encode(), None, "the file holds no entries"),
    "a page": (b"<!DOCTYPE html>\n<html>404</html>\n", 1, "not a lexicon in a format that is read"),
    "a text": (b"aberta e aberto\n", 1, "not a lexicon in a format that is read"),
    "another encoding": ("carta\tcarta+N+F+SG\nlápis\tlápis+N+M\n".encode("latin-1"), 2, "byte 0xe1 is not UTF-8"),
    "another encoding of two bytes": ("lápis\tlápis+N+M\n".encode("utf-16"), 1, "byte 0xff is not UTF-8"),
    "a cut gzip file": (packed(gzip.compress, lambda data: bytes(data[:-20])), None, "cannot be read to its end"),
    "a damaged gzip file": (packed(gzip.compress, zeroed), None, "cannot be read to its end"),
    "a cut xz file": (packed(lzma.compress, lambda data: bytes(data[:-20])), None, "cannot be read to its end"),
    "a damaged xz file": (packed(lzma.compress, zeroed), None, "cannot be read to its end"),
    "an entry cut in its word": (b"carta\tcarta+N+F+SG\ncarta\tcar\n", 2, "not `form<TAB>lemma+CLASS+FEATURE"),
    "an entry cut in its tags": (b"carta\tcarta+N+F+SG\ncarta\tcarta+N+F+S\n", 2, "the tags 'N+F+S' are not of"),
    "an unknown class": (b"carta\tcarta+X+F+SG\n", 1, "the tags 'X+F+SG' are not of MorphoBr"),
    "a word without lemma": (b"carta\tcarta+N+F+SG\ncarta\t+N+F+SG\n", 2, "not `form<TAB>lemma+CLASS+FEATURE"),
    "a cut UniMorph file": (b"walk\twalks\tV;PRS;3;SG\nwalk\twal\n", 2, "not `lemma<TAB>form<TAB>POS;FEATURE"),
    "an unknown UniMorph class": (b"walk\twalks\tV;PRS;3;SG\nwalk\twalks\tVB;PRS\n", 2, "not `lemma<TAB>form<TAB>"),
    "a cut treebank": (TREEBANK.encode()[:120], 2, "the last line has no end"),
    "a treebank with a column too few": (TREEBANK.replace("\t0\t_", "\t0").encode(), 1, "not a lexicon in a format"),
    "an id that is none": (TREEBANK.replace("2\tcaixa", "b\tcaixa").encode(), 2, "'b' is not a word id"),
    "an unknown part of speech": (TREEBANK.replace("NOUN", "NN").encode(), 2, "'NN' is not a part of speech of UD"),
    "features of another kind": (
        TREEBANK.replace("\tGender=Fem|Number=Sing\t", "\tF|S\t", 1).encode(), 2, "the features 'F|S'",
    ),
    "a table with a cell too few": (f"{HEADER}mar\tmar\tnoun\tm\tsg\n".encode(), 2, "5 cells where the header has 6"),
    "a line without end": (b"carta\tcarta+N+F+SG\n" + b"a" * 70_000, 2, "a line of more than 65536 bytes"),
    "a program": (b"\x7fELF\x00\x00\n", 1, "a control character"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_gives_one_error_with_its_line_and_leaves_the_folder_as_it_was(tmp_path: Path, case: str) -> None:
    content, line, what = BROKEN[case]
    data = tmp_path / "data"
    open_lexicon(write(tmp_path, "right", MORPHOBR), data=data)
    before = {path: file_hash(path) for path in data.rglob("*") if path.is_file()}
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        open_lexicon(path, data=data)
    assert caught.value.what.startswith(what)
    assert caught.value.fix
    assert caught.value.place is not None
    assert caught.value.place.file == str(path)
    if line is not None:
        assert caught.value.place.line == line
    assert {path: file_hash(path) for path in data.rglob("*") if path.is_file()} == before


def test_a_cell_of_a_table_that_no_column_allows_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "forms", f"{HEADER}mar\tmar\tnoun\tx\tsg\t_\n")
    with pytest.raises(Exception, match=r"forms:2:gender: 'x'"):
        open_lexicon(path, data=tmp_path / "data")


def test_a_file_that_unpacks_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon_lines, "MAX_BYTES", 10_000)
    path = write(tmp_path, "bomb.xz", "carta\tcarta+N+F+SG\n" * 100_000)
    with pytest.raises(SourceError, match="too large for a lexicon"):
        open_lexicon(path, data=tmp_path / "data")
    assert list((tmp_path / "data").rglob("*.sqlite*")) == []


def test_an_interruption_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lexicon_store, "_fill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_lexicon(write(tmp_path, "lexicon", MORPHOBR), data=tmp_path / "data")
    assert list((tmp_path / "data" / "morphology").iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00", b"carta\tcarta+N+F+SG\n"])
def test_a_damaged_store_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "damaged.sqlite"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"damaged\.sqlite: is a damaged store .*; remove the file; it is made again"):
        FormStore(path)


def test_a_store_that_is_damaged_inside_says_so_when_it_is_asked(tmp_path: Path) -> None:
    open_lexicon(write(tmp_path, "lexicon", MORPHOBR), data=tmp_path).close()
    (path,) = (tmp_path / "morphology").iterdir()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE forms")
    connection.close()
    store = FormStore(path)
    with pytest.raises(SourceError, match="is a damaged store"):
        store.readings("carta")


def test_the_folder_is_the_one_given_or_named_or_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("NCIMP_DATA", raising=False)
    assert data_folder() == tmp_path / "cache" / "ncimp"
    monkeypatch.setenv("NCIMP_DATA", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    assert data_folder(tmp_path / "given") == tmp_path / "given"
    assert list(tmp_path.iterdir()) == []
