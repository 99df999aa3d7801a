"""Rows to records and back, through both kinds of file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.records import CarrierEdit, Compound, FilledItem, Form, TrueSynonym
from ncimp.corpus_stats.store.store import PairCount
from ncimp.schemas.errors import NcimpError, Place, SchemaError
from ncimp.schemas.files import write_jsonl, write_tsv
from ncimp.schemas.records import columns, from_row, load_schema, read_records, to_row

FILLED = FilledItem(
    id="en/eager-beaver/nat1/ws1",
    lang="en",
    compound_id="en/eager-beaver",
    compound="eager beaver",
    compound_class="idiomatic",
    context="nat1",
    context_kind="naturalistic",
    probe="PWordsSyn",
    variant="ws1",
    sentence="A keen rodent.",
    span=(2, 13),
    tokens=("A", "keen", "rodent", "."),
    token_span=(1, 3),
    replacement="keen rodent",
    pattern="A_N",
    gender=None,
    number="sg",
    carrier_edits=(CarrierEdit(0, "An", "A", "indefinite article before a sound"),),
    uncertain=(),
    context_source="authored",
    genre="talk",
    licence="CC-BY-4.0",
    origin="generated",
    published=None,
)
WORDS = st.text("abcç-é ", min_size=1).map(str.strip).filter(bool)
SYNONYMS = st.builds(
    TrueSynonym,
    compound=WORDS,
    rank=st.integers(1, 10**6),
    text=WORDS,
    modifier=st.none() | WORDS,
    head=WORDS,
    pattern=WORDS,
    gender=st.sampled_from(("m", "f", "n", "c", None)),
    overlap_free=st.booleans(),
    relation=st.just("synonym"),
    countability=st.just("count"),
    register=st.just("neutral"),
)
RANK = load_schema("pack_synonym")["properties"]["rank"]["description"]
REST = "\tsynonym\tcount\tneutral"
HEADER = "compound\trank\ttext\tmodifier\thead\tpattern\tgender\toverlap_free\trelation\tcountability\tregister\n"


def refused(folder: Path, kind: type[object], table: str, content: str) -> str:
    """Return what is said of a `.tsv` of *table* with this *content*, without the name of the file."""
    path = folder / "a.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(NcimpError) as caught:
        list(read_records(path, kind, table))
    return str(caught.value).removeprefix(str(path))


def test_a_record_becomes_plain_values_in_the_order_of_its_schema() -> None:
    row = to_row(FILLED)
    assert tuple(row) == columns("filled")
    assert (row["span"], row["tokens"]) == ([2, 13], ["A", "keen", "rodent", "."])
    assert row["carrier_edits"] == [
        {"start": 0, "before": "An", "after": "A", "rule": "indefinite article before a sound"}
    ]


def test_a_row_becomes_the_record_it_was() -> None:
    assert from_row(FilledItem, to_row(FILLED), table="filled", place=Place("a")) == FILLED


def test_jsonl_gives_records_with_their_lines(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [to_row(FILLED), to_row(FILLED)])
    assert list(read_records(tmp_path / "a.jsonl", FilledItem, "filled")) == [(1, FILLED), (2, FILLED)]


@settings(deadline=None)
@given(st.lists(SYNONYMS, max_size=5))
def test_a_table_of_records_reads_back_as_it_was_written(records: list[TrueSynonym]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "synonyms.tsv"
        write_tsv(path, map(to_row, records), columns("pack_synonym"))
        assert list(read_records(path, TrueSynonym, "pack_synonym")) == list(enumerate(records, start=2))


@pytest.mark.parametrize(("cell", "value"), [("true", True), ("yes", True), ("false", False), ("no", False)])
def test_a_cell_of_yes_or_no_may_be_written_in_either_way(tmp_path: Path, cell: str, value: bool) -> None:
    (tmp_path / "a.tsv").write_text(f"{HEADER}rat race\t1\tgrind\t_\tgrind\tN\t_\t{cell}{REST}\n", encoding="utf-8")
    [(line, record)] = read_records(tmp_path / "a.tsv", TrueSynonym, "pack_synonym")
    assert (line, record.overlap_free) == (2, value)


def test_numbers_in_cells_get_the_type_of_their_column(tmp_path: Path) -> None:
    cells = ("en", "lemma", "rat", "race", "3", "4", "1", "5", "_", "1.5", "0", "mini", "0.5", "_", "_", "2")
    text = "\t".join(columns("count")) + "\n" + "\t".join(cells) + "\n"
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8")
    [(_, record)] = read_records(tmp_path / "a.tsv", PairCount, "count")
    assert record == PairCount("en", "lemma", "rat", "race", 3, 4, 1, 5.0, None, 1.5, 0.0, "mini", 0.5, None, None, 2.0)
    assert isinstance(record.first_zipf, float)
    assert isinstance(record.pair_count, int)


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_a_cell_reads_back_as_it_was_written(number: float) -> None:
    count = PairCount("en", "lemma", "rat", "race", 3, 4, 1, None, None, number, None, "mini")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.tsv"
        write_tsv(path, [to_row(count)], columns("count"))
        assert list(read_records(path, PairCount, "count")) == [(2, count)]


@pytest.mark.parametrize("word", ["null", "None", "none", "true", "1", "nan"])
def test_a_word_that_names_a_value_stays_a_word(word: str) -> None:
    form = Form(word, word, "noun", None, None, None)
    synonym = TrueSynonym(word, 1, word, word, word, "N", None, True, "synonym", "count", "neutral")
    assert from_row(Form, to_row(form), table="form", place=Place("a")) == form
    assert from_row(TrueSynonym, to_row(synonym), table="pack_synonym", place=Place("a")) == synonym


def test_a_word_that_looks_like_a_number_stays_a_word(tmp_path: Path) -> None:
    header = "\t".join(columns("form"))
    (tmp_path / "a.tsv").write_text(f"{header}\n1\ttrue\tnoun\t_\t_\t_\t_\n", encoding="utf-8")
    [(_, form)] = read_records(tmp_path / "a.tsv", Form, "form")
    assert form == Form("1", "true", "noun", None, None, None)


def test_a_file_may_leave_the_optional_columns_at_its_end_out(tmp_path: Path) -> None:
    path, whole = tmp_path / "a.tsv", "\t".join(columns("form"))
    short = whole.removesuffix("\tfurther")
    row = "roten\trot\tadj\t_\t_\t_"
    for content, further in ((f"{whole}\n{row}\tdat\n", "dat"), (f"{short}\n{row}\n", None)):
        path.write_text(content, encoding="utf-8")
        assert list(read_records(path, Form, "form")) == [(2, Form("roten", "rot", "adj", None, None, None, further))]
    for header in (short.removesuffix("\tonset"), f"{short}\tcase", short.replace("gender\tnumber", "number\tgender")):
        assert refused(tmp_path, Form, "form", f"{header}\n").startswith(":1: wrong header line; it should name, ")


@pytest.mark.parametrize("rank", ["one", "1.0", "1e2", "1_0", "١"])
def test_a_rank_that_is_not_written_as_a_whole_number_is_refused_at_its_cell(tmp_path: Path, rank: str) -> None:
    content = f"{HEADER}rat race\t{rank}\tgrind\t_\tgrind\tN\t_\ttrue{REST}\n"
    assert refused(tmp_path, TrueSynonym, "pack_synonym", content) == (
        f":2:rank: {rank!r} does not fit (Expected `int`, got `str`); rank: {RANK}"
    )


@pytest.mark.parametrize("cell", ["nan", "inf", "-inf"])
def test_a_number_that_json_has_no_word_for_is_refused_at_its_cell(tmp_path: Path, cell: str) -> None:
    cells = ("en", "lemma", "rat", "race", "3", "4", "1", "5", "5", cell, "0", "mini", "_", "_", "_", "_")
    text = "\t".join(columns("count")) + "\n" + "\t".join(cells) + "\n"
    assert refused(tmp_path, PairCount, "count", text).startswith(":2:pmi: ")


@pytest.mark.parametrize("flag", ["True", "1", "maybe"])
def test_another_word_for_yes_is_refused_at_its_cell(tmp_path: Path, flag: str) -> None:
    content = f"{HEADER}rat race\t1\tgrind\t_\tgrind\tN\t_\t{flag}{REST}\n"
    assert refused(tmp_path, TrueSynonym, "pack_synonym", content).startswith(
        f":2:overlap_free: {flag!r} does not fit (Expected `bool`, got `str`); overlap_free: "
    )


def test_a_rank_below_one_is_refused_at_its_cell(tmp_path: Path) -> None:
    content = f"{HEADER}rat race\t0\tgrind\t_\tgrind\tN\t_\ttrue{REST}\n"
    assert refused(tmp_path, TrueSynonym, "pack_synonym", content).startswith(
        ":2:rank: 0 does not fit (Expected `int` >= 1); "
    )


def test_a_fault_in_jsonl_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_jsonl(path, [to_row(FILLED), to_row(FILLED) | {"number": "dual"}])
    with pytest.raises(SchemaError) as caught:
        list(read_records(path, FilledItem, "filled"))
    assert str(caught.value).startswith(f"{path}:2:number: 'dual' is not one of ['sg', 'pl']; number: ")


WHOLE: dict[str, Any] = {
    "text": "rat race",
    "modifier": "rat",
    "head": "race",
    "head_index": 1.0,
    "pattern": "N_N",
    "gender": None,
    "number": "sg",
    "countability": "count",
    "compound_class": "idiomatic",
    "semantic_class": None,
    "fitting_classes": "act event",
    "sense_note": "a struggle",
    "author": "us",
    "date": "2026-11-20",
}


def test_a_whole_number_that_json_writes_with_a_point_is_taken_or_refused_but_never_a_traceback() -> None:
    try:
        record = from_row(Compound, WHOLE, table="pack_compound", place=Place("a", 1))
    except NcimpError as error:
        assert error.place == Place("a", 1, "head_index")  # noqa: PT017
    else:
        assert (record.head_index, type(record.head_index)) == (1, int)
