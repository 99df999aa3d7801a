"""Sentences that must not be passed on: released stand-off, and put back from the corpus of the user.

A released row holds the place of the text in the corpus and the edits that make the sentence of it: only our own
words, and nothing of the corpus. `restore` exchanges the folder when every sentence has its sha256, or leaves it
as it is. A restored release keeps its version; manifest and card say that it must not be passed on.
"""

import hashlib
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from ncimp.builder.records import MANIFEST, Item, Manifest, Origin, ReleaseFile, Standoff, TextEdit, TextSpan
from ncimp.builder.release.croissant import CROISSANT, resized
from ncimp.builder.release.layout import file_entry
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import Row, read_json, read_text, value_hash, write_json, write_text
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.swap import folder_aside, replace_folder
from ncimp.schemas.tables import STANDOFF, WITHHELD, is_withheld

PART = re.compile(r"\w+|\s+|[^\w\s]")
"""A unit that is kept or changed as a whole: a word, a space, a mark."""


def standoff_of(item: Item, origin: Origin) -> Standoff:
    """Return *item* as the place of its text and the changes that make its sentence of it."""
    return Standoff(
        id=item.id,
        lang=item.lang,
        document=origin.document,
        start=origin.start,
        length=len(origin.text),
        edits=find_edits(origin.text, item.sentence),
        tokens=_token_spans(item.sentence, item.tokens),
        sha256=text_hash(item.sentence),
        licence=item.licence,
        split=item.split,
        release=item.release,
    )


def text_hash(text: str) -> str:
    """Return the sha256 (hex) of *text* in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def find_edits(before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the changes, in order, that make *after* of *before*: whole words, and as few parts as can be.

    >>> find_edits("an eager beaver .", "An eager beaver.")
    (TextEdit(start=0, end=2, text='An'), TextEdit(start=15, end=16, text=''))
    """
    old, new = PART.findall(before), PART.findall(after)
    edits: list[TextEdit] = []
    position = 0
    for same, removed, added in _steps(old, new):
        position += sum(map(len, same))
        width = sum(map(len, removed))
        if removed or added:
            edits.append(TextEdit(position, position + width, "".join(added)))
        position += width
    return tuple(edits)


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return *text* with *edits* made."""
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


Step = tuple[list[str], list[str], list[str]]
"""Parts that are kept, then parts that go, then parts that come."""


def _steps(old: list[str], new: list[str]) -> list[Step]:
    """Return how *old* becomes *new*, with the longest common sequence kept; ties go to the earlier part of *old*."""
    lengths = _common_lengths(old, new)
    steps: list[Step] = [([], [], [])]
    row = column = 0
    while row < len(old) or column < len(new):
        if row < len(old) and column < len(new) and old[row] == new[column]:
            if steps[-1][1] or steps[-1][2]:
                steps.append(([], [], []))
            steps[-1][0].append(old[row])
            row, column = row + 1, column + 1
        elif column == len(new) or (row < len(old) and lengths[row + 1][column] >= lengths[row][column + 1]):
            steps[-1][1].append(old[row])
            row += 1
        else:
            steps[-1][2].append(new[column])
            column += 1
    return steps


def _common_lengths(old: list[str], new: list[str]) -> list[list[int]]:
    """Return the length of the longest common sequence of every pair of endings of *old* and *new*."""
    lengths = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row in range(len(old) - 1, -1, -1):
        below, current = lengths[row + 1], lengths[row]
        for column in range(len(new) - 1, -1, -1):
            same = old[row] == new[column]
            current[column] = below[column + 1] + 1 if same else max(below[column], current[column + 1])
    return lengths


def _token_spans(sentence: str, tokens: Sequence[str]) -> tuple[TextSpan, ...]:
    spans, position = [], 0
    for token in tokens:
        start = sentence.index(token, position)
        position = start + len(token)
        spans.append(TextSpan(start, position))
    return tuple(spans)


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
    by_document: dict[str, list[Standoff]] = {}
    for row in rows:
        by_document.setdefault(row.document, []).append(row)
    texts: dict[str, Restored] = {}
    wrong: list[str] = []
    for name, text in documents:
        for row in by_document.pop(name, ()):  # the first document of a name counts
            restored = restore_row(row, text)
            if restored is None:
                wrong.append(row.id)
            else:
                texts[row.id] = restored
        if not by_document:
            break
    missing = sorted(by_document)
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
        if not all(path in sizes for files in paths.values() for path in files):
            continue  # a table without text
        for split in info["splits"]:
            split["num_bytes"] = sum(sizes[path][1] for path in paths[split["name"]])
        info["download_size"] = sum(sizes[path][0] for files in paths.values() for path in files)
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
