"""Putting withheld text back into a release, from the corpus of whoever has it.

The folder is exchanged for the restored one when every sentence is there with its sha256, or not at all. A restored
release keeps its version, and says in its manifest and its card that it is not to be passed on.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from ncimp.builder.records import MANIFEST, Manifest, ReleaseFile, Standoff
from ncimp.builder.release.croissant import CROISSANT, resized
from ncimp.builder.release.withholding import apply_edits, text_hash
from ncimp.builder.release.write import file_entry
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import Row, read_json, read_text, write_json, write_text
from ncimp.schemas.hashing import value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.swap import folder_aside, replace_folder
from ncimp.schemas.withheld import STANDOFF, WITHHELD, is_withheld

CARD = "README.md"
SHOWN = 3
"""Sentences that an error quotes by id."""

RESTORED_NOTE = """
> **Restored copy.** The text of {} sentences was put back from a corpus. It may not be passed on.
"""


@dataclass(frozen=True, slots=True)
class Restored:
    """The text of an item, and its tokens."""

    sentence: str
    tokens: list[str]


def restore(folder: Path, documents: Iterable[tuple[str, str]]) -> int:
    """Put the text of *documents* (id and text) back into the release *folder*; return how many sentences that is.

    Nothing is changed, and a `ReleaseError` raised, when a document is missing or a sentence has another sha256.
    """
    release = ReleaseFolder.open(folder)
    if not release.manifest.count("withheld"):
        return 0
    texts = find_texts(release.records(STANDOFF, Standoff), documents, Place(str(folder)))
    with folder_aside(folder) as aside:
        shutil.copytree(folder, aside, dirs_exist_ok=True)
        _fill(aside, release.manifest, texts)
        aside.chmod(0o755)
        replace_folder(aside, folder)
    return len(texts)


def find_texts(rows: Iterable[Standoff], documents: Iterable[tuple[str, str]], place: Place) -> dict[str, Restored]:
    """Return the text of every one of *rows* by id, or raise `ReleaseError` naming the first that are not to be had."""
    wanted: dict[str, list[Standoff]] = {}
    for row in rows:
        wanted.setdefault(row.document, []).append(row)
    texts: dict[str, Restored] = {}
    wrong: list[str] = []
    for name, text in documents:
        for row in wanted.pop(name, ()):  # the first document of a name counts
            found = restore_row(row, text)
            if found is None:
                wrong.append(row.id)
            else:
                texts[row.id] = found
        if not wanted:
            break
    missing = sorted(wanted)
    if missing:
        what = f"{len(missing)} documents are not in the corpus: {', '.join(missing[:SHOWN])}"
        raise ReleaseError(what, fix="name the whole corpus with --corpus, and its format", place=place)
    if wrong:
        what = f"{len(wrong)} sentences are not the released ones: {', '.join(wrong[:SHOWN])}"
        raise ReleaseError(what, fix="is it the same version of the corpus, in the right encoding?", place=place)
    return texts


def restore_row(row: Standoff, document: str) -> Restored | None:
    """Return the text of *row* made of its *document*, or None where its sha256 is another."""
    sentence = apply_edits(document[row.start : row.start + row.length], row.edits)
    if text_hash(sentence) != row.sha256:
        return None
    return Restored(sentence, [sentence[token.start : token.end] for token in row.tokens])


def _filled(table: str, row: Row, texts: Mapping[str, Restored]) -> Row:
    """Return *row* of *table* with its text; a pair has that of two items."""
    if not is_withheld(table, row):
        return row
    if table == "item":
        return {**row, "sentence": texts[row["id"]].sentence, "tokens": texts[row["id"]].tokens}
    original = f"{row['compound_id']}/{row['context']}/orig"
    return {**row, "sentence1": texts[original].sentence, "sentence2": texts[row["id"]].sentence}


def restored_card(card: str, restored: int, sizes: Mapping[str, tuple[int, int]]) -> str:
    """Return *card* with a note on its first line, and the bytes on disk and in memory of the files in *sizes*."""
    _, header, prose = card.split("---\n", 2)
    loaded = yaml.safe_load(header)
    for config, info in zip(loaded["configs"], loaded["dataset_info"], strict=True):
        paths = {part["split"]: part["path"] for part in config["data_files"]}
        if not all(path in sizes for held in paths.values() for path in held):
            continue  # a table without text
        for split in info["splits"]:
            split["num_bytes"] = sum(sizes[path][1] for path in paths[split["name"]])
        info["download_size"] = sum(sizes[path][0] for held in paths.values() for path in held)
        info["dataset_size"] = sum(split["num_bytes"] for split in info["splits"])
    header = yaml.safe_dump(loaded, sort_keys=False, allow_unicode=True, width=120)
    return f"---\n{header}---\n{RESTORED_NOTE.format(f'{restored:,}')}{prose}"


def _fill(folder: Path, manifest: Manifest, texts: Mapping[str, Restored]) -> None:
    """Rewrite the data files of *folder* that lack text, then card, Croissant file and manifest, which state sizes."""
    sizes: dict[str, tuple[int, int]] = {}
    entries = {entry.path: entry for entry in manifest.files}
    filled_files: list[ReleaseFile] = []
    for entry in manifest.data_files():
        table = str(entry.table)
        if table in WITHHELD:
            rows = [_filled(table, row, texts) for row in read_parquet(folder / entry.path, table)]
            in_memory = write_parquet(folder / entry.path, rows, table)
            filled_files.append(file_entry(folder, entry.path, rows=rows, table=table))
            sizes[entry.path] = (filled_files[-1].bytes, in_memory)
    card = folder / CARD
    write_text(card, restored_card(read_text(card), len(texts), sizes))
    write_json(folder / CROISSANT, resized(read_json(folder / CROISSANT), filled_files))
    entries |= {entry.path: entry for entry in filled_files}
    entries |= {path: file_entry(folder, path) for path in (CARD, CROISSANT)}
    counts = {name: count for name, count in manifest.counts.items() if name != "withheld"}
    restored = replace(
        manifest,
        files=tuple(entries.values()),
        logical_sha256=value_hash({path: entry.logical_sha256 for path, entry in entries.items() if entry.table}),
        counts=counts | {"restored": len(texts)},
    )
    write_json(folder / MANIFEST, to_row(restored))
