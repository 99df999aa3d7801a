"""The statistics of a release: figures of a tiny one worked out by hand, and of the mini one counted in another way."""

from __future__ import annotations

import json
import math
import statistics as stdlib
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.release.contents import summarise
from ncimp.builder.release.measure import (
    PageBlock,
    blocks,
    count_words,
    frame_of_items,
    heading,
    measure,
    part_of_sentence,
    print_page,
)
from ncimp.builder.release.tables import read_release
from tests.release.tiny_tables import FORM, IDIOM, item, placed, tiny


@pytest.fixture(scope="module")
def told() -> Any:
    """The statistics of the tiny release, rows as objects."""
    return objects(measure(tiny()))


def objects(value: Any) -> Any:
    return json.loads(json.dumps(value), object_hook=lambda row: SimpleNamespace(**row))


def row(rows: tuple[Any, ...], **wanted: Any) -> Any:
    """The one row with these values."""
    (found,) = [one for one in rows if all(getattr(one, name) == value for name, value in wanted.items())]
    return found


def test_a_summary_interpolates_quantiles_linearly_and_divides_by_n_minus_1() -> None:
    quantiles = {"minimum": 4.0, "p10": 4.4, "p25": 5.0, "median": 6.0, "p75": 7.0, "p90": 7.6, "maximum": 8.0}
    assert summarise([8, 4]) == {"n": 2, "mean": 6.0, "sd": 2.8284, **quantiles}
    one = objects(summarise([3]))
    assert (one.n, one.sd, one.p10, one.p90) == (1, None, 3.0, 3.0)
    assert summarise([]) is None


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=40))
def test_a_summary_is_that_of_the_standard_library_and_does_not_depend_on_order(values: list[float]) -> None:
    summary = objects(summarise(values))
    tenths, quarters = (stdlib.quantiles(values, n=parts, method="inclusive") for parts in (10, 4))
    expected = [stdlib.fmean(values), stdlib.stdev(values), min(values), tenths[0], *quarters, tenths[8], max(values)]
    figures = [summary.mean, summary.sd, summary.minimum, summary.p10, summary.p25, summary.median, summary.p75]
    assert [*figures, summary.p90, summary.maximum] == pytest.approx(expected, abs=1e-4)
    assert objects(summarise(values[::-1])) == summary


@pytest.mark.parametrize(
    ("tokens", "words"),
    [("It ended .", 2), ("Don't ! 9 o'clock ?", 3), ("um pé-frio — e só", 4), ("“ ” … -", 0), ("ª é 3.5", 3)],
)
def test_a_word_is_a_token_with_a_letter_or_a_digit(tokens: str, words: int) -> None:
    assert count_words(tokens.split()) == words


@pytest.mark.parametrize(
    ("before", "after", "relative", "third"),
    [
        (0, 6, 0.0, 0),
        (1, 5, 1 / 6, 0),
        (2, 4, 1 / 3, 1),
        (3, 3, 0.5, 1),
        (4, 2, 2 / 3, 2),
        (6, 0, 1.0, 2),
        (1, 0, 1.0, 2),
    ],
)
def test_the_position_is_the_share_of_the_other_words_before_the_compound(
    before: int, after: int, relative: float, third: int
) -> None:
    frame = frame_of_items(["en"], [item(IDIOM, "nat1", **placed(before, after))])
    assert (frame["before"].tolist(), frame["after"].tolist()) == ([before], [after])
    assert before / (before + after) == pytest.approx(relative)
    assert part_of_sentence(before, after, 3) == third


def test_a_sentence_of_nothing_but_the_compound_has_no_position() -> None:
    bare = replace(tiny(), items=(item(IDIOM, "nat1", **placed(0, 0)),), literal=())
    assert measure(bare)["positions"] == []


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 12))
def test_the_part_of_a_sentence_is_that_of_its_relative_position(before: int, after: int, parts: int) -> None:
    if before + after:
        relative, part = before / (before + after), part_of_sentence(before, after, parts)
        assert 0 <= part < parts
        assert part / parts <= relative + 1e-9
        assert relative < (part + 1) / parts + 1e-9


def test_compounds_are_counted_by_class_split_and_pattern(told: Any) -> None:
    assert [vars(one) for one in told.compounds] == [
        {"lang": "en", "compound_class": "idiomatic", "split": "train", "pattern": "N_N", "compounds": 1},
        {"lang": "en", "compound_class": "compositional", "split": "test", "pattern": "A_N", "compounds": 1},
    ]


def test_sentences_are_counted_by_variant_and_kind_of_context(told: Any) -> None:
    counts = {(one.probe, one.variant, one.context_kind): one.sentences for one in told.sentences}
    assert counts == {
        ("orig", "orig", "naturalistic"): 4,
        ("orig", "orig", "neutral"): 1,
        ("orig", "orig", "literal"): 1,
        ("PSyn", "syn", "naturalistic"): 2,
        ("PSyn", "syn", "literal"): 1,
        ("PWordsSyn", "ws1", "naturalistic"): 2,
        ("PWordsSyn", "ws2", "naturalistic"): 1,
        ("PRand", "rand1", "naturalistic"): 2,
        ("PRand", "rand2", "naturalistic"): 2,
        ("PRand", "rand3", "naturalistic"): 1,
    }


def test_lengths_are_those_of_the_originals_in_words(told: Any) -> None:
    """Of nat1 4 and 8 words, of nat2 10 and 5, of the frame 4, of the literal context 6."""
    assert [(one.context, one.words.n, one.words.mean) for one in told.lengths] == [
        ("nat1", 2, 6.0),
        ("nat2", 2, 7.5),
        ("neut_short", 1, 4.0),
        ("naturalistic", 4, 6.75),
        ("literal", 1, 6.0),
    ]
    pooled = row(told.lengths, context="naturalistic").words
    # of 4, 5, 8, 10: squares of the differences from 6.75 add up to 22.75
    assert pooled.sd == round(math.sqrt(22.75 / 3), 4)
    assert (pooled.p25, pooled.median, pooled.p90) == (4.75, 6.5, 9.4)


def test_positions_are_those_of_written_contexts_by_third(told: Any) -> None:
    """Of nat1 0/2 and 1/6, of nat2 6/8 and 3/3, of the literal context 4/4."""
    thirds = {one.context: (one.first, one.middle, one.last) for one in told.positions}
    assert thirds == {"nat1": (2, 0, 0), "nat2": (0, 0, 2), "naturalistic": (2, 0, 2), "literal": (0, 0, 1)}
    pooled = row(told.positions, context="naturalistic")
    assert (pooled.at_start, pooled.after_one_word) == (1, 1)
    assert pooled.relative.mean == round((0 + 1 / 6 + 6 / 8 + 1) / 4, 4)
    assert pooled.relative.median == round((1 / 6 + 6 / 8) / 2, 4)


def test_the_match_of_random_compounds_is_the_worse_of_both_components(told: Any) -> None:
    """Worse 0.10 and 0.25 of the idiom, 0.30 and 0 of the other; one that was not measured is left out."""
    assert [one.compound_class for one in told.matching] == ["idiomatic", "compositional", "all"]
    idiom = row(told.matching, compound_class="idiomatic")
    assert (idiom.worse.n, idiom.worse.median, idiom.worse.p90, idiom.worse.maximum) == (2, 0.175, 0.235, 0.25)
    assert (idiom.mean.median, idiom.mean.maximum) == (0.11, 0.2)
    together = row(told.matching, compound_class="all")
    assert (together.worse.n, together.within_median_target, together.within_p90_target) == (4, 2, 3)
    assert together.worse.median == 0.175


def test_relations_are_counted_by_component_and_variant_once_a_compound(told: Any) -> None:
    counts = {
        (one.component, one.variant): (one.synonym, one.similar, one.hypernym, one.other, one.unknown)
        for one in told.relations
    }
    assert counts == {
        ("modifier", "ws1"): (1, 0, 1, 0, 0),
        ("modifier", "ws2"): (0, 0, 0, 0, 1),
        ("head", "ws1"): (0, 2, 0, 0, 0),
        ("head", "ws2"): (1, 0, 0, 0, 0),
    }
    assert row(told.relations, component="head", variant="ws1").rank.median == 2.5
    assert row(told.relations, component="head", variant="ws2").rank is None


def test_edits_are_counted_by_rule_and_by_sentence_most_frequent_first(told: Any) -> None:
    assert [(one.rule, one.edits, one.sentences) for one in told.carrier_edits] == [("a / an", 3, 2), ("this", 1, 1)]


def test_synonyms_genres_and_literal_contexts_are_counted(told: Any) -> None:
    (synonyms,) = told.synonyms
    assert (synonyms.synonyms, synonyms.per_compound.mean, synonyms.overlap_free) == (5, 2.5, 3)
    assert (synonyms.compounds_with_overlap_free, synonyms.first_overlap_free) == (2, 1)
    assert [(one.genre, one.naturalistic, one.literal) for one in told.genres] == [
        ("news", 3, 0),
        ("fiction", 0, 1),
        ("talk", 1, 0),
    ]
    assert [(one.compound_class, one.compounds, one.sentences) for one in told.literal] == [("idiomatic", 1, 2)]


def test_the_statistics_do_not_depend_on_the_order_of_the_rows() -> None:
    tables = tiny()
    turned = type(tables)(
        **{name: getattr(tables, name) for name in ("release", "edition", "logical_sha256", "languages")},
        items=tables.items[::-1],
        literal=tables.literal[::-1],
        compounds=tables.compounds[::-1],
    )
    assert measure(turned) == measure(tables)


def test_the_figures_of_a_release_are_those_of_its_manifest(mini_release: Path) -> None:
    """What the manifest and the card say of a release, and what is said here, has one origin."""
    manifest = json.loads((mini_release / "manifest.json").read_text("utf-8"))
    told = objects(measure(read_release(mini_release)))
    for lang, own in manifest["counts"]["languages"].items():
        compounds = [one for one in told.compounds if one.lang == lang]
        for column, known in (("compound_class", own["classes"]), ("split", own["splits"])):
            for name, count in known.items():
                assert sum(one.compounds for one in compounds if getattr(one, column) == name) == count
        for name, count in own["variants"].items():
            found = [one for one in told.sentences if (one.lang, one.variant) == (lang, name)]
            assert sum(one.sentences for one in found if one.context_kind != "literal") == count
        match = row(told.matching, lang=lang, compound_class="all")
        for part in ("worse", "mean"):
            summary = getattr(match, part)
            known = manifest["matching"][lang]
            assert (summary.median, summary.p90) == (known[f"{part}_median"], known[f"{part}_p90"])


def cells(block: PageBlock) -> list[list[str]]:
    return [list(line) for line in block.rows]


def test_the_page_says_what_was_measured_with_its_unit() -> None:
    told = measure(tiny())
    assert heading(told) == (
        "ncimp 1.0.0, open edition (data abababababab): 2 compounds, 15 sentences, 2 more literal ones, 0 found"
    )
    found = {block.title.split(" (")[0]: block for block in blocks(told)}
    assert all("(" in block.title for block in found.values())
    assert all(len(line) == len(block.head) for block in found.values() for line in block.rows)
    assert cells(found["Compounds by class and split"])[0] == [
        "en",
        "idiomatic",
        "1 (100.0 %)",
        "0 (0.0 %)",
        "1 (50.0 %)",
    ]
    lengths = cells(found["Length of the original sentences"])[0]
    assert lengths == ["en", "nat1", "2", "6.0", "2.8", "4.0", "4.4", "5.0", "6.0", "7.0", "7.6", "8.0"]
    assert cells(found["Carrier edits by rule"])[0] == ["en", "a / an", "3", "2 (13.3 %)"]
    assert cells(found["Component synonyms by relation to their component"])[0] == [
        *("en", "modifier", "1 (33.3 %)", "0 (0.0 %)", "1 (33.3 %)", "0 (0.0 %)", "1 (33.3 %)", "4")
    ]


def test_rules_that_are_not_shown_are_counted_together() -> None:
    rows = [{"lang": "en", "rule": f"rule {number}", "edits": 20 - number, "sentences": 1} for number in range(11)]
    many = measure(tiny()) | {"carrier_edits": rows}
    shown = next(cells(block) for block in blocks(many) if block.title.startswith("Carrier edits"))
    assert len(shown) == 9
    assert shown[-1] == ["en", "3 other rules", str(12 + 11 + 10), "–"]


def test_the_page_is_markdown_without_colours_where_there_is_no_terminal() -> None:
    stream = StringIO()
    print_page(measure(tiny()), stream)
    text = stream.getvalue()
    assert "\x1b" not in text
    assert "| en   | a / an |     3 | 2 (13.3 %) |" in text.splitlines()
    assert FORM not in text
