"""Sentences that must not be passed on: released stand-off, and put back from the corpus of the user.

A released row holds the place of the text in the corpus and the edits that make the sentence of it: only our own
words, and nothing of the corpus. `restore` exchanges the folder when every sentence has its sha256, or leaves it
as it is. A restored release keeps its version; manifest and card say that it must not be passed on.
"""

import hashlib
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os.path import commonprefix
from pathlib import Path

from ncimp.builder import records
from ncimp.builder.release.card import CARD, DataFile, restored_card
from ncimp.builder.release.contents import file_entry
from ncimp.builder.release.croissant import CROISSANT, resized
from ncimp.schemas import Place, ReleaseError, Row, read_json, read_text, value_hash, write_json, write_text
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.files import folder_aside, replace_folder
from ncimp.schemas.records import STANDOFF, WITHHELD, is_withheld, to_row
from ncimp.schemas.release_folder import ReleaseFolder

PART = re.compile(r"\w+|\s+|[^\w\s]")  # a unit that is kept or changed as a whole: a word, a space, a mark
WORD_PLACE = "\ufffc"  # in a changed text, for the beginning of a word that stands elsewhere in the corpus
SHOWN = 3  # sentences that an error quotes by id

Find = Callable[[Collection[str]], Mapping[str, str]]  # returns the text of those documents that the user has, by id


def places_of(
    packs: Iterable[records.LanguagePack], items: Iterable[records.Item]
) -> dict[str, tuple[records.Origin, None]]:
    """Return the places of the sentences of withheld contexts, by item id; their phrases stand nowhere else."""
    places = {(pack.compound_id(row.compound), row.context): row for pack in packs for row in pack.origins}
    pairs = ((item.id, places.get((item.compound_id, item.context))) for item in items)
    return {name: (place, None) for name, place in pairs if place is not None}


def standoff_of(item: records.Item, origin: records.Origin, phrase: records.Origin | None = None) -> records.Standoff:
    """Return *item* as the place of its text and the changes that make its sentence of it.

    *phrase* is where the words of its span stand, if that is elsewhere.
    """
    text, elsewhere = (item.sentence, ()) if phrase is None else _without_words(item, phrase)
    tokens, position = [], 0
    for token in item.tokens:
        start = item.sentence.index(token, position)
        position = start + len(token)
        tokens.append(records.TextSpan(start, position))
    return records.Standoff(
        **{name: getattr(item, name) for name in ("id", "lang", "licence", "split", "release")},
        document=origin.document,
        start=origin.start,
        length=len(origin.text),
        edits=find_edits(origin.text, text),
        elsewhere=elsewhere,
        tokens=tuple(tokens),
        sha256=_sha256(item.sentence),
    )


def _without_words(item: records.Item, phrase: records.Origin) -> tuple[str, tuple[records.TextPlace, ...]]:
    """Return the sentence of *item* with a mark for each beginning of a word that *phrase* has, and their places."""
    start, end = item.span
    words, others = (list(re.finditer(r"\S+", text)) for text in (item.sentence[start:end], phrase.text))
    if len(words) != len(others) or WORD_PLACE in item.sentence:
        return item.sentence, ()
    text, places = item.sentence, list[records.TextPlace]()
    for word, other in reversed([*zip(words, others, strict=True)]):
        length = len(commonprefix([word[0], other[0]]))  # noqa: RUF071 - of characters
        if length:
            at = start + word.start()
            text = text[:at] + WORD_PLACE + text[at + length :]
            places.insert(0, records.TextPlace(phrase.document, phrase.start + other.start(), length))
    return text, tuple(places)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def find_edits(before: str, after: str) -> tuple[records.TextEdit, ...]:
    """Return the changes, in order, that make *after* of *before*: whole words, and as few parts as can be.

    >>> find_edits("an eager beaver .", "An eager beaver.")
    (TextEdit(start=0, end=2, text='An'), TextEdit(start=15, end=16, text=''))
    """
    old, new = PART.findall(before), PART.findall(after)
    lengths = _common_lengths(old, new)
    edits: list[records.TextEdit] = []
    row = column = start = end = 0
    added = ""
    while row < len(old) or column < len(new):
        if row < len(old) and column < len(new) and old[row] == new[column]:
            edits.append(records.TextEdit(start, end, added))
            start = end = end + len(old[row])
            added = ""
            row, column = row + 1, column + 1
        elif column == len(new) or (row < len(old) and lengths[row + 1][column] >= lengths[row][column + 1]):
            end += len(old[row])  # a tie goes to the earlier part of the old text
            row += 1
        else:
            added += new[column]
            column += 1
    edits.append(records.TextEdit(start, end, added))
    return tuple(edit for edit in edits if edit.start < edit.end or edit.text)


def _common_lengths(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """Return the length of the longest common sequence of every pair of endings of *old* and *new*."""
    lengths = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row in range(len(old) - 1, -1, -1):
        below, current = lengths[row + 1], lengths[row]
        for column in range(len(new) - 1, -1, -1):
            same = old[row] == new[column]
            current[column] = below[column + 1] + 1 if same else max(below[column], current[column + 1])
    return lengths


def apply_edits(text: str, edits: Sequence[records.TextEdit]) -> str:
    """Return *text* with *edits* made."""
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def restore(folder: Path, find: Find) -> int:
    """Put the text of the documents that *find* returns back into the release *folder*; return how many sentences.

    Nothing is changed, and a `ReleaseError` raised, when a document is missing or a sentence has another sha256.
    """
    release = ReleaseFolder.open(folder)
    if not release.manifest.count("withheld"):
        return 0
    texts = _find_texts(list(release.records(STANDOFF, records.Standoff)), find, Place(str(folder)))
    with folder_aside(folder) as aside:
        shutil.copytree(folder, aside, dirs_exist_ok=True)
        _fill(aside, release.manifest, texts)
        aside.chmod(0o755)
        replace_folder(aside, folder)
    return len(texts)


def _places(row: records.Standoff) -> Iterator[records.Standoff | records.TextPlace]:
    yield row
    yield from row.elsewhere


def _find_texts(rows: Sequence[records.Standoff], find: Find, place: Place) -> dict[str, Row]:
    """Return sentence and tokens of each of *rows* by id; `ReleaseError` names the first that are not to be had."""
    names = {one.document for row in rows for one in _places(row)}
    documents = find(names)
    if missing := sorted(names - documents.keys()):
        what = f"{len(missing)} documents are not in the corpus, or empty: {', '.join(missing[:SHOWN])}"
        raise ReleaseError(what, fix="name the whole corpus with --corpus, and its format", place=place)

    def text_of(one: records.Standoff | records.TextPlace) -> str:
        return documents[one.document][one.start : one.start + one.length]

    texts: dict[str, Row] = {}
    wrong: list[str] = []
    for row in rows:
        sentence = apply_edits(text_of(row), row.edits)
        for word in row.elsewhere:
            sentence = sentence.replace(WORD_PLACE, text_of(word), 1)
        if _sha256(sentence) != row.sha256:
            wrong.append(row.id)
        tokens = [sentence[token.start : token.end] for token in row.tokens]
        texts[row.id] = {"sentence": sentence, "tokens": tokens, "published": text_of(row)}
    if wrong:
        what = f"{len(wrong)} sentences are not the released ones: {', '.join(wrong[:SHOWN])}"
        raise ReleaseError(what, fix="is it the same version of the corpus, in the right encoding?", place=place)
    return texts


def _fill(folder: Path, manifest: records.Manifest, texts: Mapping[str, Row]) -> None:
    """Rewrite the data files of *folder* that lack text, then card, Croissant file and manifest, which state sizes."""
    sizes: dict[str, DataFile] = {}
    entries = {entry.path: entry for entry in manifest.files}
    for path, entry in entries.items():
        table = str(entry.table)
        if table in WITHHELD:
            rows = [_filled(table, row, texts) for row in read_parquet(folder / path, table)]
            in_memory = write_parquet(folder / path, rows, table)
            entries[path] = file_entry(folder, path, rows)
            sizes[path] = DataFile(len(rows), entries[path].bytes, in_memory)
    write_text(folder / CARD, restored_card(read_text(folder / CARD), len(texts), sizes))
    write_json(folder / CROISSANT, resized(read_json(folder / CROISSANT), [entries[path] for path in sizes]))
    entries |= {path: file_entry(folder, path) for path in (CARD, CROISSANT)}
    counts = {name: count for name, count in manifest.counts.items() if name != "withheld"}
    restored = replace(
        manifest,
        files=tuple(entries.values()),
        logical_sha256=value_hash({path: entry.logical_sha256 for path, entry in entries.items() if entry.table}),
        counts=counts | {"restored": len(texts)},
    )
    write_json(folder / records.MANIFEST, to_row(restored))


def _filled(table: str, row: Row, texts: Mapping[str, Row]) -> Row:
    """Return *row* of *table* with its text; a pair has that of two items."""
    if not is_withheld(table, row):
        return row
    if table == "item":
        mended = row["origin"] == "mended"
        base = texts[row["id"]]["published"].replace('""', '"')  # a table doubles its quotes
        return {**row, **texts[row["id"]], "published": base if mended else None}
    original = f"{row['compound_id']}/{row['context']}/orig"
    return {**row, "sentence1": texts[original]["sentence"], "sentence2": texts[row["id"]]["sentence"]}
