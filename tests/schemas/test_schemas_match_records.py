"""Records and schemas say the same of every column: name, order, type, closed set."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from ncimp.builder.annotation.launch.journal import LaunchEvent
from ncimp.builder.annotation.task.batch import Batch, Expected, Task, TaskSentence
from ncimp.builder.annotation.task.cost import RateCard
from ncimp.builder.annotation.task.wording import (
    About,
    Consent,
    Example,
    Messages,
    Qualification,
    Question,
    Questions,
    ScaleWording,
    StatusWording,
    SynonymWording,
    TaskWording,
    TestQuestion,
    Wording,
)
from ncimp.builder.records import (
    CLASSES,
    COMPONENTS,
    CONTEXTS,
    LITERAL,
    NATURALISTIC,
    NEUTRAL,
    PROBES,
    RANDOMS,
    VARIANTS,
    WORDS_SYN,
    AddedSource,
    Alternation,
    CarrierEdit,
    Compound,
    Content,
    Context,
    CorpusContext,
    Exclusion,
    FilledItem,
    Form,
    GenderRule,
    Incident,
    Inflection,
    Item,
    Judgement,
    KnownFile,
    KnownSource,
    Language,
    Manifest,
    Origin,
    Override,
    Pair,
    PartRule,
    Pattern,
    PhraseRules,
    ReleasedAnnotation,
    ReleasedCompound,
    ReleasedSynonym,
    ReleaseFile,
    Replacement,
    Score,
    Source,
    SplitAssignment,
    Standoff,
    SuffixRule,
    TextEdit,
    TextSpan,
    TrueSynonym,
    Waiver,
)
from ncimp.corpus_stats.store.association import PairCount
from ncimp.corpus_stats.store.ranking import Candidate
from ncimp.evaluator.records import (
    Comparison,
    CorrelogramCell,
    Difference,
    Distribution,
    Document,
    EvaluatedCompound,
    EvaluatedItem,
    EvaluatedSentence,
    Experiment,
    LeaderboardLine,
    Missing,
    Model,
    Partial,
    Result,
    ScorecardLine,
    Signature,
    Standardised,
)
from ncimp.schemas.tables import Schema, columns, load_schema, schema_names

RECORDS: dict[str, type] = {
    "added_source": AddedSource,
    "annotation_batch": Batch,
    "annotation_task": Task,
    "annotation_wording": Wording,
    "annotation": Judgement,
    "candidate": Candidate,
    "comparison": Comparison,
    "compound": ReleasedCompound,
    "context": Context,
    "corpus_context": CorpusContext,
    "correlogram_cell": CorrelogramCell,
    "count": PairCount,
    "difference": Difference,
    "distribution": Distribution,
    "evaluated_compound": EvaluatedCompound,
    "evaluated_item": EvaluatedItem,
    "evaluated_sentence": EvaluatedSentence,
    "evaluation": Document,
    "exclusion": Exclusion,
    "experiment": Experiment,
    "filled": FilledItem,
    "form": Form,
    "incident": Incident,
    "item": Item,
    "known_source": KnownSource,
    "launch_event": LaunchEvent,
    "leaderboard_line": LeaderboardLine,
    "manifest": Manifest,
    "missing": Missing,
    "model": Model,
    "origin": Origin,
    "override": Override,
    "pack_compound": Compound,
    "pack_synonym": TrueSynonym,
    "pair": Pair,
    "rate_card": RateCard,
    "released_annotation": ReleasedAnnotation,
    "replacement": Replacement,
    "result": Result,
    "score": Score,
    "partial": Partial,
    "scorecard_line": ScorecardLine,
    "signature": Signature,
    "source": Source,
    "split": SplitAssignment,
    "standardised": Standardised,
    "standoff": Standoff,
    "waiver": Waiver,
}
PARTS: dict[str, type] = {
    "annotation_task/sentences": TaskSentence,
    "annotation_task/expected": Expected,
    "annotation_wording/about": About,
    "annotation_wording/task": TaskWording,
    "annotation_wording/status": StatusWording,
    "annotation_wording/scale": ScaleWording,
    "annotation_wording/questions": Questions,
    "annotation_wording/questions/head": Question,
    "annotation_wording/questions/modifier": Question,
    "annotation_wording/questions/comp": Question,
    "annotation_wording/synonyms": SynonymWording,
    "annotation_wording/messages": Messages,
    "annotation_wording/examples": Example,
    "annotation_wording/consent": Consent,
    "annotation_wording/qualification": Qualification,
    "annotation_wording/qualification/questions": TestQuestion,
    "comparison/correlogram": CorrelogramCell,
    "comparison/differences": Difference,
    "comparison/leaderboard": LeaderboardLine,
    "comparison/signatures": Signature,
    "compound/synonyms": ReleasedSynonym,
    "evaluation/baseline_scorecard": ScorecardLine,
    "evaluation/baselines": Result,
    "evaluation/distributions": Distribution,
    "evaluation/experiments": Experiment,
    "evaluation/missing": Missing,
    "evaluation/overlap_free": Result,
    "evaluation/partial": Partial,
    "evaluation/results": Result,
    "evaluation/scorecard": ScorecardLine,
    "evaluation/standardised": Standardised,
    "filled/carrier_edits": CarrierEdit,
    "item/carrier_edits": CarrierEdit,
    "known_source/files": KnownFile,
    "manifest/files": ReleaseFile,
    "manifest/inputs": Source,
    "pack/content": Content,
    "pack/onset/alternations": Alternation,
    "pack/patterns": Pattern,
    "standoff/edits": TextEdit,
    "standoff/tokens": TextSpan,
}
"""Records inside a table. The rest of pack.toml is gathered into one `Language`, see below."""

JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}

WORDS_OF_THE_SCHEMA_ALONE = {
    "form/pos",
    "item/context",
    "item/probe",
    "item/variant",
    "filled/context",
    "filled/probe",
    "filled/variant",
    "pair/context",
    "pair/probe",
    "pair/variant",
    "replacement/variant",
    "manifest/inputs/kind",
    "source/kind",
    "compound/head_index",
    "pack_compound/head_index",
    "pack/patterns/head",
    "pack/patterns/parts",
}
"""Closed sets that a record holds as plain `str` or `int`; the list may only shrink."""


def resolve(schema: Schema) -> Schema:
    """Return *schema*, or the table it refers to."""
    return load_schema(str(schema["$ref"]).rsplit(":", 1)[1]) if "$ref" in schema else schema


def part(path: str) -> Schema:
    """Return the schema at *path*, such as `pack/onset/alternations`, of a table; of a list, that of its elements."""
    table, *steps = path.split("/")
    schema = load_schema(table)
    for step in steps:
        schema = schema["properties"][step]
        schema = resolve(schema.get("items", schema))
    return schema


PAIRS = [(name, kind, load_schema(name)) for name, kind in RECORDS.items()] + [
    (path, kind, part(path)) for path, kind in PARTS.items()
]


def every_column() -> Iterator[tuple[str, Any, Schema]]:
    """Yield (path, type of the field, schema of the column) for each column of each record."""
    for name, kind, schema in PAIRS:
        hints = get_type_hints(kind)
        for column, described in schema["properties"].items():
            yield f"{name}/{column}", hints[column], described


def json_types(hint: Any) -> set[str]:
    """Return the JSON types of the values that *hint* allows."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return set().union(*(json_types(one) for one in get_args(hint)))
    if origin is Literal:
        return {JSON_TYPES[type(value)] for value in get_args(hint)}
    if origin is tuple:
        return {"array"}
    if origin is Mapping or dataclasses.is_dataclass(hint):
        return {"object"}
    return {JSON_TYPES[hint]}


def words(hint: Any) -> set[object]:
    """Return the closed set of *hint* with its null, or nothing where it is open."""
    if get_origin(hint) is Literal:
        return set(get_args(hint))
    inner = [words(one) for one in get_args(hint)] if get_origin(hint) in (Union, types.UnionType) else []
    closed = set().union(*inner)
    return closed | {None} if closed and type(None) in get_args(hint) else closed


def enum(column: Schema) -> set[object]:
    """Return the closed set of *column* or of the elements of its list."""
    if "const" in column:
        return {column["const"]}
    return set(column.get("enum") or column.get("items", {}).get("enum", ()))


def test_every_schema_has_a_record() -> None:
    assert {*RECORDS, "pack"} == set(schema_names())


def test_every_list_of_objects_inside_a_table_has_a_record() -> None:
    lists = {
        f"{name}/{column}"
        for name in RECORDS
        for column, described in load_schema(name)["properties"].items()
        if resolve(described.get("items", {})).get("type") == "object"
    }
    assert lists <= set(PARTS)


@pytest.mark.parametrize(("path", "kind", "schema"), PAIRS, ids=[path for path, _, _ in PAIRS])
def test_the_fields_of_a_record_are_the_columns_of_its_schema_in_order(path: str, kind: type, schema: Schema) -> None:
    assert [field.name for field in dataclasses.fields(kind)] == list(schema["properties"]), path


def test_a_record_cannot_be_changed() -> None:
    for path, kind, _ in PAIRS:
        assert kind.__dataclass_params__.frozen, path  # type: ignore[attr-defined]


def test_a_field_has_the_types_of_its_column() -> None:
    for path, hint, column in every_column():
        kinds = column["type"] if isinstance(column["type"], list) else [column["type"]]
        assert json_types(hint) == set(kinds), path


def test_a_list_holds_what_its_schema_says() -> None:
    for path, hint, column in every_column():
        if get_origin(hint) is tuple:
            held = [one for one in get_args(hint) if one is not Ellipsis]
            assert set().union(*map(json_types, held)) == {resolve(column["items"])["type"]}, path
            assert (Ellipsis in get_args(hint)) == ("minItems" not in column or column["minItems"] == 1), path


def test_a_closed_set_of_a_record_is_that_of_its_schema() -> None:
    closed = [(path, hint, column) for path, hint, column in every_column() if words(hint)]
    assert len(closed) > 20
    for path, hint, column in closed:
        assert words(hint) == enum(column), path


def test_a_closed_set_of_a_schema_is_that_of_its_record_but_for_those_we_know() -> None:
    open_ones = {path for path, hint, column in every_column() if enum(column) and not words(hint)}
    assert open_ones == WORDS_OF_THE_SCHEMA_ALONE


def test_the_words_of_the_grid_are_those_of_the_schemas() -> None:
    for table in ("item", "filled", "pair"):
        properties = load_schema(table)["properties"]
        assert tuple(properties["variant"]["enum"]) == VARIANTS
        outside = () if table == "pair" else (LITERAL,)
        assert tuple(properties["context"]["enum"]) == CONTEXTS + outside
        assert tuple(properties["probe"]["enum"]) == tuple(dict.fromkeys(PROBES.values()))
        assert tuple(properties["compound_class"]["enum"]) == CLASSES
    assert tuple(load_schema("replacement")["properties"]["variant"]["enum"]) == VARIANTS


def test_the_words_of_the_grid_are_those_of_the_design() -> None:
    assert " ".join(VARIANTS) == "orig syn head mod ws1 ws2 ws3 ws4 ws5 rand1 rand2 rand3 rand4 rand5"
    assert (NATURALISTIC, NEUTRAL) == (("nat1", "nat2", "nat3"), ("neut_short", "neut_long"))
    assert (CONTEXTS, COMPONENTS) == (NATURALISTIC + NEUTRAL, ("head", "mod"))
    assert [PROBES[variant] for variant in (*COMPONENTS, *WORDS_SYN, *RANDOMS)] == (
        ["PComp"] * 2 + ["PWordsSyn"] * 5 + ["PRand"] * 5
    )
    assert (PROBES["orig"], PROBES["syn"], len(PROBES)) == ("orig", "PSyn", 14)


def test_a_language_holds_all_that_its_pack_toml_says() -> None:
    pack = load_schema("pack")["properties"]
    identity = [name for name in pack["pack"]["properties"] if name != "format"]
    agreement, onset = pack["agreement"]["properties"], pack["onset"]["properties"]
    renamed = ["onset_patterns" if name == "patterns" else name for name in onset]
    assert list(pack) == [
        "pack",
        "patterns",
        "frames",
        "agreement",
        "onset",
        "content",
        "corpus",
        "inflection",
        "withheld",
    ]
    assert [field.name for field in dataclasses.fields(Language)] == [
        *identity,
        "patterns",
        "frames",
        *agreement,
        *renamed,
        "content",
        "tag_classes",
        "inflection",
        "withheld",
    ]
    assert list(pack["corpus"]["properties"]) == ["classes"]


def test_the_inflection_of_a_language_holds_all_that_its_pack_toml_says() -> None:
    section = load_schema("pack")["properties"]["inflection"]["properties"]
    added = {"genders", "part_words"}  # the words of `gender` and `parts`, apart from the rules
    assert [f.name for f in dataclasses.fields(Inflection) if f.name not in added] == list(section)
    assert [f.name for f in dataclasses.fields(PhraseRules)] == list(section["phrases"]["properties"])
    for record, name in ((SuffixRule, "plural"), (GenderRule, "gender"), (PartRule, "parts")):
        rule = section[name]["properties"]["rules"]["items"]["properties"]
        assert {f.name for f in dataclasses.fields(record)} == set(rule)


def test_items_are_filled_items_with_the_columns_of_their_replacement_and_release() -> None:
    assert [name for name in columns("filled") if name not in columns("item")] == []
    added = [name for name in columns("item") if name not in columns("filled")]
    assert added[-2:] == ["split", "release"]
    assert set(added[:-2]) <= set(columns("replacement"))
