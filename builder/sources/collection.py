"""Sources that a user has added, in the data folder, and lexicons of synonyms by name or path.

    <data>/added/oewn%3A2025.json             its record (added_source.schema.json)
    <data>/files/<sha256>/oewn-2025.xml.xz    a copy of its file
    <data>/wn/…  <data>/morphology/…          databases made of it, named by the hash of the file

The record is written last, so that a source that cannot be read is never listed.
"""

import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ncimp.builder.ports import SynonymSource
from ncimp.builder.records.sources import AddedSource, KnownSource, SourceKind, SourceReader
from ncimp.builder.sources.lexicons.files import lexicon_files
from ncimp.builder.sources.lexicons.store import FOLDER, open_lexicon
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import pack_names
from ncimp.builder.sources.registry import known_by_hash, known_sources, members, pick, reader_of, source_hash
from ncimp.builder.sources.thesauri import mythes
from ncimp.builder.sources.thesauri.wn_lmf import WnSource, add_lexicon, is_whole, specifiers
from ncimp.schemas import Place, Row, SourceError, UsageError, file_hash, folder_aside, read_json, write_json
from ncimp.schemas.records import from_row, to_row

NOT_STATED = "not stated"

KINDS: dict[SourceReader, SourceKind] = {"wn-lmf": "wordnet", "wndb": "wordnet", "mythes": "thesaurus"}
"""The kind of a source that is not in the registry; of any other reader, a morphology."""


class Collection:
    """The sources in one data folder, by name."""

    def __init__(self, data: Path) -> None:
        self.data = data  # created when the first source is added

    def added(self) -> dict[str, AddedSource]:
        """Return every source that was added, by name."""
        sources: dict[str, AddedSource] = {}
        for path in sorted((self.data / "added").glob("*.json")):
            record = from_row(AddedSource, read_json(path), table="added_source", place=Place(str(path)))
            sources[record.name] = record
        return sources

    def path(self, name: str) -> Path:
        """Return the file or folder of the source *name*: one that was added, one of the project's own, or a path."""
        added = self.added()
        if (full := pick(name, added)) is not None:
            return self._place(added[full])
        registered = known_sources().get(pick(name, known_sources()) or "")
        if registered and registered.embedded:
            return Path(str(files("ncimp.builder"))) / registered.embedded
        if Path(name).exists():
            return Path(name)
        if registered:
            raise SourceError(f"{registered.name!r} has not been added", fix=how_to_get(registered))
        raise SourceError("no such file or source", fix="`ncimp source list` names them", place=Place(name))

    def language(self, name: str) -> str | None:
        """Return the language of the lexicon *name* if the registry knows its name or its files, or None."""
        registered = known_sources().get(pick(name, known_sources()) or "")
        if registered is not None:
            return registered.lang
        entries = [known_by_hash(file_hash(file)) for file in lexicon_files(self.path(name))]
        langs = {entry.lang if entry else None for entry in entries}
        return langs.pop() if len(langs) == 1 else None

    def add(self, path: Path, *, name: str | None = None, licence: str | None = None) -> AddedSource:
        """Add the file or folder *path*, or raise an error and leave everything as it was."""
        inside = members(path)
        path = inside[0] if len(inside) == 1 else path
        sha256, reader = source_hash(path), reader_of(path)
        registered = known_sources().get(name) if name else known_by_hash(sha256)
        if registered and registered.reader != reader:
            what = f"{registered.name!r} is read as {registered.reader}, and this file looks like {reader}"
            raise SourceError(what, fix="give another file, or another name", place=Place(str(path)))
        before = self._databases(sha256)
        try:
            names = self._make(path, reader, registered)
            record = _record(path, sha256, names, registered=registered, name=name, licence=licence)
            current = self.added().get(record.name)
            if current and current.sha256 != sha256:
                what = f"{record.name!r} is here already, from a file of sha256 {current.sha256}"
                raise UsageError(what, fix="remove it first, or give another name with --as")
            self._copy(path, self._folder(sha256))
        except BaseException:
            _remove_databases(set(self._databases(sha256)) - set(before))
            raise
        write_json(self._record_path(record.name), to_row(record))
        return record

    def remove(self, name: str) -> AddedSource:
        """Remove the source *name*, its files, and what was made of them."""
        added = self.added()
        full = pick(name, added)
        if full is None:
            here = ", ".join(added) or "none"
            raise UsageError(f"{name!r} has not been added", fix=f"sources that are here: {here}")
        record = added.pop(full)
        self._record_path(full).unlink()
        if record.sha256 not in {other.sha256 for other in added.values()}:
            shutil.rmtree(self._folder(record.sha256), ignore_errors=True)
            _remove_databases(self._databases(record.sha256))
        return record

    def verify(self) -> Iterator[tuple[str, str]]:
        """Yield (name, problem) for each file that has changed, and each damaged database."""
        for record in self.added().values():
            try:
                sha256 = source_hash(self._place(record))
            except SourceError as error:
                yield record.name, str(error)
                continue
            if sha256 != record.sha256:
                yield record.name, f"its file has sha256 {sha256}, and {record.sha256} was added"
            for database in self._databases(record.sha256):
                if not _is_whole(database):
                    yield record.name, f"{database} is damaged; remove it: it is made again"

    def _make(self, path: Path, reader: SourceReader, registered: KnownSource | None) -> list[str]:
        """Make the database of *path*, which reads the whole file; return the names of its lexicons."""
        if reader == "forms":
            store = open_lexicon(path, data=self.data)
            return ["counted"] if store.counted else []
        if reader == "mythes":
            mythes.read_thesaurus(path)
        if reader == "wndb":
            from ncimp.builder.sources.thesauri.princeton import NltkSource  # NLTK takes a second to import

            NltkSource(path).close()
        if reader != "wn-lmf":
            return []
        base = self.added().get(registered.requires) if registered and registered.requires else None
        other = self._place(base) if base else None
        inherited = specifiers(add_lexicon(other, work=self.data)) if other else []
        return [name for name in specifiers(add_lexicon(path, work=self.data, base=other)) if name not in inherited]

    @staticmethod
    def _copy(path: Path, target: Path) -> None:
        if target.is_dir():
            return
        with folder_aside(target) as aside:
            for file in members(path):
                copy = aside / (file.relative_to(path) if path.is_dir() else file.name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
            aside.rename(target)

    def _folder(self, sha256: str) -> Path:
        return self.data / "files" / sha256[:16]

    def _place(self, record: AddedSource) -> Path:
        folder = self._folder(record.sha256)
        return folder / record.files[0] if record.files[1:] == () else folder

    def _record_path(self, name: str) -> Path:
        return self.data / "added" / f"{quote(name, safe='')}.json"

    def _databases(self, sha256: str) -> list[Path]:
        stores = (self.data / FOLDER).glob(f"{sha256[:16]}-*.sqlite")
        return sorted([*stores, *(self.data / "wn").glob(f"*{sha256[:16]}*/wn.db")])


def how_to_get(source: KnownSource) -> str:
    """Return the instructions to get the source *source*."""
    if source.reader == "package":
        return f"{source.instructions} (see {source.address})"
    fetch = f", or `ncimp source add {source.name} --download`" if source.download else ""
    return f"{source.instructions} ({source.address}), then `ncimp source add PATH --as {source.name}`{fetch}"


def _record(
    path: Path, sha256: str, names: list[str], *, registered: KnownSource | None, name: str | None, licence: str | None
) -> AddedSource:
    reader = reader_of(path)
    if not name and registered and len(registered.files) == 1:
        name = registered.name
    elif not name:
        name = names[0] if reader == "wn-lmf" and len(names) == 1 else path.name.partition(".")[0]
    row: Row = {
        "name": name,
        "kind": "treebank" if names == ["counted"] else KINDS.get(reader, "morphology"),
        "version": names[0].partition(":")[2] if reader == "wn-lmf" else NOT_STATED,
        "licence": NOT_STATED,
        "citation": NOT_STATED,
        "address": None,
        "requires": None,
    }
    if registered:
        row |= {column: getattr(registered, column) for column in row if column != "name"}
    row |= {"licence": licence} if licence else {}
    inside = [str(file.relative_to(path)) if path.is_dir() else file.name for file in members(path)]
    row |= {"reader": reader, "sha256": sha256, "files": inside}
    return from_row(AddedSource, row, table="added_source", place=Place(str(path)))


def _remove_databases(databases: Iterable[Path]) -> None:
    for database in databases:
        if database.name == "wn.db":
            shutil.rmtree(database.parent)
        else:
            database.unlink()


def _is_whole(database: Path) -> bool:
    if database.name == "wn.db":
        return is_whole(database.parent)
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    except sqlite3.DatabaseError:
        return False


class NamedLexicon(NamedTuple):
    """A lexicon that the user has named: its path, and its language if the user gave one."""

    path: Path
    lang: str | None


def find_lexicon(text: str, packs: Path, collection: Collection) -> NamedLexicon:
    """Return the lexicon *text*: `[LANG=]`, then the id of the lexicon of a pack in *packs*, a source or a path."""
    lang, equals, rest = text.partition("=")
    language, name = (lang, rest) if equals and lang.isalpha() else (None, text)
    for code in pack_names(packs):
        if read_language(packs / code / "pack.toml").lexicon == name:
            return NamedLexicon(packs / code / "lexicon.xml", language)
    return NamedLexicon(collection.path(name), language)


def open_lexicons(lexicons: Sequence[NamedLexicon], *, data: Path) -> dict[str, list[SynonymSource]]:
    """Return the lexicons of each language, each once, in the order in which they were named."""
    sources: dict[str, dict[str, SynonymSource]] = defaultdict(dict)
    for entry in lexicons:
        source, lang = _open(entry, lexicons, data)
        sources[lang][source.name] = source
    return {lang: list(by_name.values()) for lang, by_name in sources.items()}


def _open(entry: NamedLexicon, lexicons: Sequence[NamedLexicon], data: Path) -> tuple[SynonymSource, str]:
    path = entry.path
    if path.is_dir():
        from ncimp.builder.sources.thesauri.princeton import NltkSource  # NLTK takes a second to import

        net = NltkSource(path, far=True)
        return net, entry.lang or net.language
    if path.suffix == ".dat":
        match = mythes.NAME.match(path.stem)
        lang = entry.lang or (match[1] if match else None)
        if lang is None:
            raise UsageError(f"{path} does not say its language", fix=f"write it before the file: pt={path}")
        return mythes.MythesSource(path), lang
    source = WnSource(path, work=data, far=True)
    for required in source.requires:
        others = (one.path for one in lexicons if one.path != path and one.path.is_file() and one.path.suffix != ".dat")
        base = next((other for other in others if WnSource(other, work=data).name == required), None)
        if base is None:
            raise UsageError(f"a lexicon takes its relations from {required}", fix="name that one, too")
        source = WnSource(path, source.name, work=data, base=base, far=True)
    return source, entry.lang or source.language
