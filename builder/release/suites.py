"""The tables of the evaluation suites: those of a pack, and as a folder of their own those of published files.

Sentences of the compounds of `train` are the training set of zero-shot. Of the other compounds, the first sentence of
each sense, in keyed-hash order, is that of one-shot. Of the rest, as many idiomatic as literal ones are judged, so that
the compound does not tell the label; at least half of each side, rounded down, are further ones of few-shot. Compounds
of `bridge`, which share a lemma with two splits, have senses only.

Whether a word of a compound is meant literally is asked in each of its naturalistic sentences. Its paraphrases stand
beside one of these, the first by keyed hash: as many are true as false, so that the sentence tells no label.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import ncimp
from ncimp.builder import records
from ncimp.builder.records import LITERAL, NATURALISTIC
from ncimp.builder.release.contents import SPLITS, data_file, file_entry
from ncimp.schemas import UsageError, keyed_hash, read_json, value_hash, write_json
from ncimp.schemas.arrow import write_parquet
from ncimp.schemas.files import folder_aside, replace_folder
from ncimp.schemas.records import to_row
from ncimp.schemas.suites import (
    LITERALLY,
    SUITE_TABLES,
    CompositionItem,
    ConsistencyPair,
    ReleasedSense,
    SenseExample,
    Shot,
    SuiteSplit,
    SuiteTables,
)  # fmt: skip

EDITION = "published"
COPIED = ("compound", "sense", "previous", "next", "genre", "source", "licence")  # columns of examples.tsv


def suite_tables(
    pack: records.LanguagePack, rephrased: Iterable[records.Rephrased], items: Iterable[records.Item], *, release: str
) -> SuiteTables:
    """Return the rows of *pack*: its senses, its sentences with the training set of each, and the *rephrased* ones.

    Questions about the words of its compounds are asked in *items*.
    """
    splits: dict[str, Any] = {row.compound: row.split for row in pack.splits}
    examples = {place: _example(pack, example, release) for place, example in enumerate(pack.examples)}
    kept = {place: row for place, row in examples.items() if splits[row.compound] != "bridge"}
    shots = _shots(kept, splits)
    placed = (_placed(row, shots[place], splits[row.compound]) for place, row in kept.items())
    return SuiteTables(
        senses=tuple(released_senses(pack, release=release)),
        examples=tuple(placed),
        pairs=tuple(_pairs(rephrased, examples, splits)),
        composition=tuple(composition_items(pack, items)),
    )


def released_senses(pack: records.LanguagePack, *, release: str) -> Iterator[ReleasedSense]:
    """Yield the senses of *pack*, and two for each compound that has a literal context but no senses.

    The idiomatic one then has the true synonym and the sense note of the compound; of the literal one no more is there.
    """
    splits: dict[str, Any] = {row.compound: row.split for row in pack.splits}
    names = ("compound", "sense", "kind", "text", "modifier", "head", "gloss")
    cells: list[dict[str, Any]] = [{name: getattr(row, name) for name in names} for row in pack.senses]
    others = {row.compound for row in pack.contexts if row.context == LITERAL} - {row.compound for row in pack.senses}
    notes = {row.text: row.sense_note for row in pack.compounds}
    for row in (row for row in pack.synonyms if row.compound in others and row.rank == 1):
        own = {"text": row.text, "modifier": row.modifier, "head": row.head, "gloss": notes[row.compound]}
        cells.append({"compound": row.compound, "sense": "idiomatic", "kind": "idiomatic", **own})
        cells.append(dict.fromkeys(names) | {"compound": row.compound, "sense": LITERAL, "kind": LITERAL})
    for cell in cells:
        compound_id = pack.compound_id(cell["compound"])
        yield ReleasedSense(
            id=f"{compound_id}/{cell['sense']}",
            lang=pack.language.code,
            compound_id=compound_id,
            **cell,
            split=splits[cell["compound"]],
            source=f"pack/{pack.language.code} {pack.language.version}",
            licence=pack.language.licence,
            release=release,
        )


def _example(pack: records.LanguagePack, example: records.senses.MarkedExample, release: str) -> SenseExample:
    """Return *example* as a sentence that is judged in the split `test`, until it has a place."""
    row, sentence = example.row, example.marked
    kind = next(one.kind for one in pack.senses if (one.compound, one.sense) == (row.compound, row.sense))
    compound_id = pack.compound_id(row.compound)
    return SenseExample(
        id=f"{compound_id}/{keyed_hash(row.previous or '', sentence.text, row.next or '')[:8]}",
        lang=pack.language.code,
        compound_id=compound_id,
        **{name: getattr(row, name) for name in COPIED},
        kind=kind,
        label=int(kind in LITERALLY),
        sentence=sentence.text,
        span=sentence.span,
        item=f"{compound_id}/{row.context}/orig" if row.context else None,
        shot="none",
        split="test",
        release=release,
    )


def _shots(examples: Mapping[int, SenseExample], splits: Mapping[str, str]) -> dict[int, Shot]:
    """Return the training set of each of *examples*."""
    shots: dict[int, Shot] = {}
    compounds: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in examples.items():
        shots[place] = "zero" if splits[row.compound] == "train" else "further"
        if shots[place] != "zero":
            compounds[row.compound_id].append(place)
    for places in compounds.values():
        senses, sides = set[str | None](), dict[int, list[int]]({0: [], 1: []})
        for place in sorted(places, key=lambda place: keyed_hash("shots", examples[place].id)):
            if examples[place].sense not in senses:
                senses.add(examples[place].sense)
                shots[place] = "one"
            else:
                sides[examples[place].label].append(place)
        judged = min(len(side) - len(side) // 2 for side in sides.values())
        shots |= dict.fromkeys((place for side in sides.values() for place in side[:judged]), "none")
    return shots


def _placed(example: SenseExample, shot: Shot, split: SuiteSplit) -> SenseExample:
    return replace(example, shot=shot, split=split if shot == "none" else "train")


def _pairs(
    rephrased: Iterable[records.Rephrased], examples: Mapping[int, SenseExample], splits: Mapping[str, SuiteSplit]
) -> Iterator[ConsistencyPair]:
    """Yield the sentences with the paraphrase of the sense that is meant, and then of each other one."""
    groups: defaultdict[int, list[records.Rephrased]] = defaultdict(list)
    for row in rephrased:
        groups[row.example].append(row)
    for place, rows in groups.items():
        example = examples[place]
        right = next(row for row in rows if row.sense == example.sense)
        for row in (right, *(other for other in rows if other is not right)):
            yield ConsistencyPair(
                id=f"{example.id}/{row.sense}",
                **{name: getattr(example, name) for name in ("lang", "compound_id", "compound", "source", "licence")},
                role="correct" if row is right else "incorrect",
                sentence1=example.sentence,
                span1=example.span,
                sentence2=row.sentence,
                span2=row.span,
                correct=None if row is right else right.sentence,
                similarity=1.0 if row is right else None,
                reference=None,
                split=splits[example.compound],
                release=example.release,
            )


def composition_items(pack: records.LanguagePack, items: Iterable[records.Item]) -> Iterator[CompositionItem]:
    """Yield the questions of *pack* about the words of compounds, each in sentences of *items*, with both splits.

    A compound that is one word has no word to be asked about, and a sentence that is withheld asks nothing.
    """
    sentences: defaultdict[str, list[records.Item]] = defaultdict(list)
    for item in items:
        if item.variant == "orig" and item.context in NATURALISTIC and item.licence not in pack.language.withheld:
            sentences[item.compound].append(item)
    compounds, rows = {row.text: row for row in pack.compounds}, defaultdict[str, list[CompositionItem]](list)
    for row in pack.composition:
        is_word, compound = row.task == "nc_literality", compounds[row.compound]
        own = sorted(sentences[row.compound], key=lambda item: keyed_hash("relation", item.id))
        for item in sentences[row.compound] if is_word else own[:1]:
            start, end = item.token_span
            inside = [part for token in item.tokens[start:end] for part in re.findall("[^-]+|-", token)]
            first = (row.text == "head") == (compound.head_index == 0)
            if is_word and len(inside) == 1:
                continue
            rows[row.task].append(
                CompositionItem(
                    id=f"{pack.language.code}/{row.task}/{item.compound_id.partition('/')[2]}/{item.context}/"
                    + (row.text if is_word else keyed_hash(row.text)[:8]),
                    lang=item.lang,
                    task=row.task,
                    words=(*item.tokens[:start], *inside, *item.tokens[end:]),
                    span=(start, start + len(inside)),
                    phrase=row.compound,
                    target=(start if first else start + len(inside) - 1) if is_word else None,
                    paraphrase=None if is_word else row.text,
                    label=row.label,
                    tags=None,
                    word=compound.head,
                    split=item.split,
                    lexical=None,
                    source=f"pack/{pack.language.code} {pack.language.version}",
                    licence=item.licence,
                    release=item.release,
                )
            )
    for group in rows.values():
        lexical = records.lexical_splits(group)
        yield from (replace(row, lexical=lexical.get(row.id)) for row in group)


def write_suite(target: Path, tables: SuiteTables, source: records.Source, *, version: str) -> records.Manifest:
    """Write the folder *target* of *tables*, made from *source*, and return its manifest, which names their gaps.

    Raises `UsageError` where something else than such a folder is in its place.
    """
    if target.exists() and not _is_suite(target):
        raise UsageError(f"{target} holds something else than an imported suite", fix="name another folder")
    with folder_aside(target) as aside:
        rows = tables.folders()
        files = tuple(entry for name in rows for entry in write_rows_of(aside, name, rows[name]))
        manifest = records.Manifest(
            format=1,
            name="ncimp",
            release=version,
            code_version=ncimp.__version__,
            edition=EDITION,
            languages=tuple(sorted({row.lang for part in rows.values() for row in part})),
            options={"suite": source.name},
            inputs=(source,),
            files=files,
            logical_sha256=value_hash({entry.path: entry.logical_sha256 for entry in files}),
            counts={**{name: len(part) for name, part in rows.items()}, "gaps": list(tables.gaps)},
        )
        write_json(aside / records.MANIFEST, to_row(manifest))
        aside.chmod(0o755)
        replace_folder(aside, target)
    return manifest


def write_rows_of(folder: Path, name: str, rows: Sequence[Any]) -> Iterator[records.ReleaseFile]:
    """Write the *rows* of the table *name* by split, and yield the entry of each file."""
    for split in SPLITS:
        if part := [to_row(row) for row in rows if row.split == split]:
            write_parquet(folder / data_file(name, split), part, SUITE_TABLES[name])
            yield file_entry(folder, data_file(name, split), part)


def _is_suite(folder: Path) -> bool:
    if not folder.is_dir() or not (folder / records.MANIFEST).is_file():
        return folder.is_dir() and not any(folder.iterdir())
    manifest = read_json(folder / records.MANIFEST)
    return isinstance(manifest, dict) and manifest.get("edition") == EDITION
