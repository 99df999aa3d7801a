"""Broken language packs, one fault each: where it is said to be, and what to do about it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ncimp.builder.sources.packs.packs import FILES, read_pack
from ncimp.schemas.errors import NcimpError, SchemaError, SourceError
from ncimp.schemas.records import load_schema
from tests.sources.sources_samples import change

TWICE = "eager beaver\teager\tbeaver\t1\tA_N\t_\tsg\tcount\tidiomatic\t_\t_\ta keen person\tus\t2026-11-20"
TABLES = {
    "compounds.tsv": "pack_compound",
    "contexts.tsv": "context",
    "synonyms.tsv": "pack_synonym",
    "splits.tsv": "split",
    "forms.tsv": "form",
    "exclusions.tsv": "exclusion",
    "waivers.tsv": "waiver",
}
ADD_TAB = "add the missing tab, or write _ for a value that does not apply"
# kind, file, what is replaced by what, message; after "column: " the description of the column follows
ERRORS: dict[str, tuple[type[NcimpError], str, str, str, str]] = {
    "a compound twice": (
        SourceError,
        "compounds.tsv",
        "rat race\t",
        f"{TWICE}\nrat race\t",
        "compounds.tsv:3: the same 'eager-beaver' as line 2; keep one of the two rows",
    ),
    "two compounds of one id": (
        SourceError,
        "compounds.tsv",
        "rat race\t",
        "eager-beaver\t",
        "compounds.tsv:3: the same 'eager-beaver' as line 2; keep one of the two rows",
    ),
    "a compound of an unknown pattern": (
        SourceError,
        "compounds.tsv",
        "rat race\trat\trace\t1\tN_N",
        "rat race\trat\trace\t1\tN_A",
        "compounds.tsv:3:pattern: pattern 'N_A' is not in pack.toml; use one of A_N, N_N, N",
    ),
    "a class that is not one of ours": (
        SchemaError,
        "compounds.tsv",
        "count\tidiomatic\t_\t_\tan exh",
        "count\topaque\t_\t_\tan exh",
        "compounds.tsv:3:compound_class: 'opaque' is not one of ['idiomatic', 'partly_compositional', "
        "'compositional']; compound_class: ",
    ),
    "a head index that is no number": (
        SchemaError,
        "compounds.tsv",
        "rat race\trat\trace\t1",
        "rat race\trat\trace\tlast",
        "compounds.tsv:3:head_index: 'last' does not fit (Expected `int`, got `str`); head_index: ",
    ),
    "a context of an unknown compound": (
        SourceError,
        "contexts.tsv",
        "rat race\tnat1",
        "rat rase\tnat1",
        "contexts.tsv:5:compound: 'rat rase' is not in compounds.tsv; add it there or mend the spelling",
    ),
    "a context twice": (
        SourceError,
        "contexts.tsv",
        "rat race\tnat2",
        "rat race\tnat1",
        "contexts.tsv:6: the same 'rat race / nat1' as line 5; keep one of the two rows",
    ),
    "a context that is not one of ours": (
        SchemaError,
        "contexts.tsv",
        "rat race\tnat1",
        "rat race\tnat4",
        "contexts.tsv:5:context: 'nat4' does not match '^(nat[1-3]|literal)$'; context: ",
    ),
    "a number that is not one of ours": (
        SchemaError,
        "contexts.tsv",
        "rat race\tnat1\tsg",
        "rat race\tnat1\tdu",
        "contexts.tsv:5:number: 'du' is not one of ['sg', 'pl']; number: ",
    ),
    "two compounds marked": (
        SourceError,
        "contexts.tsv",
        "the [rat race] for a quiet farm",
        "the [rat race] for a [quiet farm]",
        "contexts.tsv:5:sentence: 2 compounds are marked; put exactly one in [square brackets]",
    ),
    "no compound marked": (
        SourceError,
        "contexts.tsv",
        "the [rat race] for a quiet farm",
        "the rat race for a quiet farm",
        "contexts.tsv:5:sentence: 0 compounds are marked; put exactly one in [square brackets]",
    ),
    "a mark that is not closed": (
        SourceError,
        "contexts.tsv",
        "the [rat race] for a quiet farm",
        "the [rat race] for a {quiet farm",
        "contexts.tsv:5:sentence: unpaired or empty mark '{'; write [compound], {agrees} or {=does not agree}",
    ),
    "a cell too few": (
        SchemaError,
        "contexts.tsv",
        "rat race\tnat1\tsg\t",
        "rat race\tnat1\tsg ",
        f"contexts.tsv:5: 6 cells where the header has 7; {ADD_TAB}",
    ),
    "a blank cell": (
        SchemaError,
        "contexts.tsv",
        "rat race\tnat1\tsg\tletter",
        "rat race\tnat1\tsg\t",
        "contexts.tsv:5:genre: cell '' is blank or padded; write _ for a value that does not apply",
    ),
    "another header": (
        SchemaError,
        "contexts.tsv",
        "compound\tcontext\tnumber",
        "compound\tnumber\tcontext",
        "contexts.tsv:1: wrong header line; it should name, tab-separated: "
        "compound context number genre sentence source licence slot",
    ),
    "a synonym of an unknown compound": (
        SourceError,
        "synonyms.tsv",
        "rat race\t1",
        "rat rase\t1",
        "synonyms.tsv:5:compound: 'rat rase' is not in compounds.tsv; add it there or mend the spelling",
    ),
    "two synonyms of one rank": (
        SourceError,
        "synonyms.tsv",
        "rat race\t2",
        "rat race\t1",
        "synonyms.tsv:6: the same 'rat race / 1' as line 5; keep one of the two rows",
    ),
    "a synonym of an unknown pattern": (
        SourceError,
        "synonyms.tsv",
        "treadmill\tN\t",
        "treadmill\tV\t",
        "synonyms.tsv:6:pattern: pattern 'V' is not in pack.toml; use one of A_N, N_N, N",
    ),
    "a rank that is no number": (
        SchemaError,
        "synonyms.tsv",
        "rat race\t2",
        "rat race\tb",
        "synonyms.tsv:6:rank: 'b' does not fit (Expected `int`, got `str`); rank: ",
    ),
    "a flag that is neither yes nor no": (
        SchemaError,
        "synonyms.tsv",
        "treadmill\tN\t_\ttrue",
        "treadmill\tN\t_\tperhaps",
        "synonyms.tsv:6:overlap_free: 'perhaps' does not fit (Expected `bool`, got `str`); overlap_free: ",
    ),
    "a split of an unknown compound": (
        SourceError,
        "splits.tsv",
        "rat race\t",
        "rat rase\t",
        "splits.tsv:3:compound: 'rat rase' is not in compounds.tsv; add it there or mend the spelling",
    ),
    "two splits of one compound": (
        SourceError,
        "splits.tsv",
        "rat race\t",
        "eager beaver\t",
        "splits.tsv:3: the same 'eager beaver' as line 2; keep one of the two rows",
    ),
    "an unknown split": (
        SchemaError,
        "splits.tsv",
        "rat race\ttrain",
        "rat race\tdev",
        "splits.tsv:3:split: 'dev' is not one of ['train', 'validation', 'test', 'bridge']; split: ",
    ),
    "an unknown part of speech": (
        SchemaError,
        "forms.tsv",
        "abandoned\tabandoned\tadj",
        "abandoned\tabandoned\tadjective",
        "forms.tsv:2:pos: 'adjective' is not one of ['noun', 'adj', 'num', 'det', 'verb', 'adv', 'other']; pos: ",
    ),
    "a date that is none": (
        SchemaError,
        "exclusions.tsv",
        "date\n",
        "date\n*\thot\tdog\tan insult\tus\ttoday\n",
        "exclusions.tsv:2:date: 'today' does not match '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'; date: ",
    ),
    "a waiver of no code": (
        SchemaError,
        "waivers.tsv",
        "date\n",
        "date\nA1\ten/rat-race\tfine\tus\t2026-11-20\n",
        "waivers.tsv:2:code: 'A1' does not match '^[A-Z][0-9]{3}$'; code: ",
    ),
    "a frame without a place for the compound": (
        SourceError,
        "pack.toml",
        'sg = "This is a [NC]."',
        'sg = "This is a compound."',
        "pack.toml: the frame 'This is a compound.' has no place for a compound; put [NC] into it",
    ),
    "a frame with two places": (
        SourceError,
        "pack.toml",
        'sg = "This is a [NC]."',
        'sg = "This [NC] is a [NC]."',
        "pack.toml: 2 compounds are marked; put exactly one in [square brackets]",
    ),
    "a folder of another name": (
        SourceError,
        "pack.toml",
        'code = "en"',
        'code = "fr"',
        "pack.toml: the folder is called 'en' and the language code is 'fr'; give both the same name",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_a_fault_in_a_pack_is_refused_at_its_place_with_advice(packs_copy: Path, case: str) -> None:
    kind, name, old, new, message = ERRORS[case]
    change(packs_copy / "en" / name, old, new)
    with pytest.raises(NcimpError) as caught:
        read_pack(packs_copy / "en")
    assert type(caught.value) is kind
    said = str(caught.value).removeprefix(f"{packs_copy / 'en'}/")
    advice = described(name, message.split(":")[2]) if message.endswith(": ") else ""
    assert said == message + advice


def described(name: str, column: str) -> str:
    """Return what the schema of the file *name* says of *column*."""
    return str(load_schema(TABLES[name])["properties"][column]["description"])


def test_a_plural_compound_needs_a_plural_frame(packs_copy: Path) -> None:
    folder = packs_copy / "en"
    change(folder / "pack.toml", 'pl = "These are [NC]."\n', "")
    change(folder / "compounds.tsv", "\tsg\tcount", "\tpl\tcount")
    with pytest.raises(SourceError) as caught:
        read_pack(folder)
    assert str(caught.value) == (
        f"{folder}/pack.toml: no frame for 'eager beaver', which is pl; add the key 'pl' to the frames"
    )


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named_before_anything_is_read(packs_copy: Path, name: str) -> None:
    folder = packs_copy / "en"
    for path in folder.iterdir():
        path.write_text("broken", encoding="utf-8")
    (folder / name).unlink()
    with pytest.raises(SourceError) as caught:
        read_pack(folder)
    assert str(caught.value) == f"{folder}: the pack has no {name}; see docs/how-to/new-language.md"


def test_a_folder_in_the_place_of_a_file_and_no_folder_at_all_are_refused(packs_copy: Path) -> None:
    (packs_copy / "en" / "splits.tsv").unlink()
    (packs_copy / "en" / "splits.tsv").mkdir()
    shutil.rmtree(packs_copy / "pt")
    for lang, name in (("en", "splits.tsv"), ("pt", "pack.toml")):
        with pytest.raises(SourceError, match=f"the pack has no {name}"):
            read_pack(packs_copy / lang)


def test_a_table_with_windows_line_ends_is_told_so(packs_copy: Path) -> None:
    path = packs_copy / "en" / "contexts.tsv"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(SchemaError) as caught:
        read_pack(packs_copy / "en")
    assert str(caught.value) == f"{path}:1: line ends with CR LF; save the file with LF line ends"


def test_a_head_in_another_place_than_its_pattern_says_is_refused(packs_copy: Path) -> None:
    change(packs_copy / "en" / "compounds.tsv", "rat race\trat\trace\t1", "rat race\trat\trace\t0")
    with pytest.raises(SourceError) as caught:
        read_pack(packs_copy / "en")
    assert str(caught.value).startswith(f"{packs_copy / 'en'}/compounds.tsv:3:head_index: ")
