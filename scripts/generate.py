"""Write the files that follow from the code: JSON schemas from records, pages of commands and codes.

A record's fields are the columns of its table. The text in `Annotated` describes the column, or the string below the
field where a line would be too long.

Examples:
    python -P scripts/generate.py
    python -P scripts/generate.py --check    # only compare
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import inspect
import json
import re
import sys
import textwrap
import types
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta

from ncimp.builder.cli import make_parser
from ncimp.builder.annotation.launch import LaunchEvent
from ncimp.builder.annotation.task.batch import Batch, Task
from ncimp.builder.annotation.task.cost import RateCard
from ncimp.builder.annotation.task.page import Wording
from ncimp.builder.records import (
    AcceptedRandom,
    AttestedItem,
    AttestedSentence,
    Change,
    Compound,
    CompoundCount,
    Context,
    CorpusContext,
    CountedCorpus,
    Exclusion,
    FilledItem,
    Form,
    Hole,
    Incident,
    Item,
    Judgement,
    Manifest,
    Membership,
    Origin,
    Override,
    PackComposition,
    PackExample,
    PackSense,
    PoolEntry,
    Pair,
    PublishedItem,
    PublishedScore,
    ReaderVerdict,
    ReleasedAnnotation,
    ReleasedCompound,
    Replacement,
    Score,
    Source,
    SplitAssignment,
    Standoff,
    TrueSynonym,
    Waiver,
    WordCount,
)
from ncimp.corpus_stats.store.store import PairCount
from ncimp.builder.validation.validate import incidents_page
from ncimp.corpus_stats.store.store import Candidate
from ncimp.evaluator.answers import SuiteAnswer
from ncimp.evaluator.records import (
    AttestedUse,
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
    LiteralUse,
    Missing,
    Model,
    Partial,
    Result,
    ScorecardLine,
    Signature,
    Standardised,
    SuiteDifference,
    SuiteResult,
)
from ncimp.builder.records.pack_file import PackFile
from ncimp.builder.records.sources import AddedSource, KnownSource
from ncimp.schemas.records import LINE_END, SUFFIX, Schema
from ncimp.schemas.suites import (
    CompositionItem,
    ConsistencyPair,
    PhraseItem,
    PlausibilityItem,
    ReleasedSense,
    SenseExample,
    UnparsedAnswer,
)

ROOT = Path(__file__).resolve().parent.parent
TABLES = "schemas/tables"

RECORDS: dict[str, type] = {
    "added_source": AddedSource,
    "annotation_batch": Batch,
    "annotation_task": Task,
    "annotation_wording": Wording,
    "annotation": Judgement,
    "candidate": Candidate,
    "comparison": Comparison,
    "composition_item": CompositionItem,
    "compound": ReleasedCompound,
    "context": Context,
    "corpus_context": CorpusContext,
    "consistency_pair": ConsistencyPair,
    "correlogram_cell": CorrelogramCell,
    "change": Change,
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
    "literal_use": LiteralUse,
    "attested_use": AttestedUse,
    "manifest": Manifest,
    "missing": Missing,
    "model": Model,
    "origin": Origin,
    "override": Override,
    "phrase_item": PhraseItem,
    "plausibility_item": PlausibilityItem,
    "pool": PoolEntry,
    "accepted": AcceptedRandom,
    "pack": PackFile,
    "pack_composition": PackComposition,
    "pack_compound": Compound,
    "pack_example": PackExample,
    "pack_sense": PackSense,
    "pack_synonym": TrueSynonym,
    "pair": Pair,
    "rate_card": RateCard,
    "reading": ReaderVerdict,
    "published_item": PublishedItem,
    "published_score": PublishedScore,
    "hole": Hole,
    "membership": Membership,
    "counted_corpus": CountedCorpus,
    "compound_count": CompoundCount,
    "word_count": WordCount,
    "attested": AttestedSentence,
    "attested_item": AttestedItem,
    "released_annotation": ReleasedAnnotation,
    "released_sense": ReleasedSense,
    "replacement": Replacement,
    "result": Result,
    "score": Score,
    "partial": Partial,
    "scorecard_line": ScorecardLine,
    "sense_example": SenseExample,
    "signature": Signature,
    "source": Source,
    "split": SplitAssignment,
    "standardised": Standardised,
    "standoff": Standoff,
    "suite_answer": SuiteAnswer,
    "suite_difference": SuiteDifference,
    "suite_result": SuiteResult,
    "unparsed_answer": UnparsedAnswer,
    "waiver": Waiver,
}
"""The record of each table."""

TABLE_NAME = re.compile(r" \(`\w+`\)")
"""The name of its table in the docstring of a record."""

JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def json_schemas() -> Iterator[tuple[str, str]]:
    """Yield path and text of the JSON schema of every table."""
    for name, kind in sorted(RECORDS.items()):
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:ncimp:schema:{name}",
            **record_schema(kind),
        }
        yield f"{TABLES}/{name}{SUFFIX}", json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def record_schema(kind: type) -> Schema:
    """Return the JSON schema of the dataclass *kind*."""
    hints, texts = get_type_hints(kind, include_extras=True), long_descriptions(kind)
    properties, required = {}, []
    for field in dataclasses.fields(kind):
        schema = type_schema(hints[field.name])
        text = schema.pop("description", None)
        text = texts.get(field.name, text)
        properties[field.name] = ({} if text is None else {"description": text}) | schema
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    return {
        "description": TABLE_NAME.sub("", " ".join(str(inspect.getdoc(kind)).split("\n\n")[0].split())),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def long_descriptions(kind: type) -> dict[str, str]:
    """Return the string below each field of the dataclass *kind*, by field."""
    texts = {}
    for base in reversed([base for base in kind.__mro__ if dataclasses.is_dataclass(base)]):
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        for field, text in pairwise(body.body if isinstance(body, ast.ClassDef) else ()):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                texts[ast.unparse(field.target)] = " ".join(ast.literal_eval(text.value).split())
    return texts


def type_schema(hint: Any) -> Schema:
    """Return the JSON schema of the values of the type *hint*."""
    origin, arguments = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return record_schema(hint)
    if origin is Annotated:
        schema = type_schema(arguments[0])
        for meta in arguments[1:]:
            schema |= {"description": meta} if isinstance(meta, str) else constraints(meta, schema["type"])
        return schema
    if origin in (Union, types.UnionType):
        schema = type_schema(next(part for part in arguments if part is not type(None)))
        closed = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return schema | {"type": [schema["type"], "null"]} | closed
    if origin is Literal:
        values = {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
        return {"type": JSON_TYPES[type(arguments[0])], **values}
    if origin is tuple and arguments[1:] != (Ellipsis,):
        return tuple_schema([type_schema(part) for part in arguments])
    if origin in (tuple, frozenset):
        return {"type": "array", "items": type_schema(arguments[0])}
    if origin is Mapping:
        return {"type": "object"} | ({"additionalProperties": type_schema(arguments[1])} if typed(arguments[1]) else {})
    return {"type": JSON_TYPES[hint]}


def typed(hint: Any) -> bool:
    """Tell whether *hint* says anything of a value."""
    return hint not in (Any, object)


def tuple_schema(parts: list[Schema]) -> Schema:
    """Return the JSON schema of a list whose elements have the schemas *parts*."""
    same = all(part == parts[0] for part in parts)
    return {
        "type": "array",
        **({"items": parts[0]} if same else {"prefixItems": parts}),
        "minItems": len(parts),
        "maxItems": len(parts),
    }


def constraints(meta: Meta, kind: str) -> Schema:
    """Return *meta* in the words of JSON Schema for a value of the type *kind*."""
    if meta.extra_json_schema:
        return dict(meta.extra_json_schema)
    size = "Items" if kind == "array" else "Length"
    schema: Schema = {} if meta.pattern is None else {"pattern": meta.pattern.removesuffix(LINE_END)}
    schema |= {name: getattr(meta, bound) for bound, name in BOUNDS.items() if getattr(meta, bound) is not None}
    lengths = {"min": meta.min_length, "max": meta.max_length}
    return schema | {f"{name}{size}": length for name, length in lengths.items() if length is not None}


COMMANDS_HEAD = """# Commands

Every command has `--help` with examples.
Data go to standard output or files, messages go to standard error.
Exit codes: 0 fine, 1 invalid input or result, 2 wrong use.
Errors read `file:line:column: problem; what to do`.
"""


def commands_page() -> Iterator[tuple[str, str]]:
    """Yield path and text of the reference of all commands: their docstrings, examples and options."""
    text = "\n".join([COMMANDS_HEAD, *_command_sections(make_parser())])
    yield "docs/reference/commands.md", f"{text.rstrip()}\n"


def _command_sections(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for own in action.choices.values():
                yield from _command_section(own)
                yield from _command_sections(own)


def _command_section(parser: argparse.ArgumentParser) -> Iterator[str]:
    text, _, examples = str(parser.description).partition("Examples:\n")
    level = "##" if parser.prog.count(" ") == 1 else "###"
    yield f"{level} `{parser.prog}`\n\n{text.strip()}\n"
    if examples:
        yield f"```sh\n{textwrap.dedent(examples).strip()}\n```\n"
    rows = [row for action in parser._actions if (row := _option_row(parser, action))]
    if rows:
        yield "\n".join(["| option | meaning |", "| --- | --- |", *rows]) + "\n"


def _option_row(parser: argparse.ArgumentParser, action: argparse.Action) -> str | None:
    if isinstance(action, argparse._SubParsersAction | argparse._HelpAction | argparse._VersionAction):
        return None
    formatter = argparse.HelpFormatter(parser.prog)
    if action.option_strings:
        metavar = formatter._get_default_metavar_for_optional(action)
        values = "" if action.nargs == 0 else f" {formatter._format_args(action, metavar)}"
        name = f"{', '.join(action.option_strings)}{values}"
    else:
        name = str(action.metavar or action.dest)
    meaning = formatter._expand_help(action) if action.help else ""
    return f"| `{_cell(name)}` | {_cell(meaning)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def incident_codes() -> Iterator[tuple[str, str]]:
    """Yield path and text of the page of incident codes."""
    yield "docs/reference/incidents.md", incidents_page()


GENERATORS = (json_schemas, commands_page, incident_codes)
"""Functions that yield the path, from the root of the project, and the text of generated files."""


def stale_files(root: Path) -> dict[str, str]:
    """Return the text of every generated file under *root* that is missing or differs, by path."""
    texts = {path: text for generator in GENERATORS for path, text in generator()}
    return {
        path: text
        for path, text in texts.items()
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text
    }


def main() -> int:
    """Write the stale files, or name them with `--check`; return 1 when a check finds some."""
    check = sys.argv[1:] == ["--check"]
    for path, text in stale_files(ROOT).items():
        print(path)
        if not check:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(text, encoding="utf-8")
    return int(check and bool(stale_files(ROOT)))


if __name__ == "__main__":
    sys.exit(main())
