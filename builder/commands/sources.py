"""List what a build reads, and keep WordNets, thesauri, lexicons and treebanks with their hashes.

Without an action, lists the inputs of a build: packs and word lists, with version, licence and citation.
With one, deals with the sources that other commands take by name or path (`--lexicon`, `--morphology`).
They are kept in the folder `--data`, else in $NCIMP_DATA, else in the user's cache folder. Nothing is
fetched without `--download`.

Examples:
    ncimp sources
    ncimp sources list
    ncimp sources show oewn:2025
    ncimp sources add english-wordnet-2025.xml.gz --as oewn:2025
    ncimp sources add unimorph-eng --download
    ncimp sources remove unimorph-eng
    ncimp sources verify
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ncimp.builder.commands.build import default_packs, languages
from ncimp.schemas.errors import Place, SourceError, UsageError

if TYPE_CHECKING:
    from ncimp.builder.records import KnownSource
    from ncimp.builder.sources.collection.collection import Collection

COLUMNS = ("name", "kind", "version", "licence", "citation", "address")
"""What is said of a source besides whether it is here, with which hash, and which files the registry knows."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options and the actions of the command to *parser*."""
    parser.add_argument("--lang", nargs="+", metavar="CODE", help="languages (default: every pack)")
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, (do, text) in ACTIONS.items():
        action = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        action.add_argument("--data", type=Path, metavar="DIR", help="folder of the sources (default: $NCIMP_DATA)")
        action.set_defaults(do=do)
        _register_action(name, action)


def _register_action(name: str, action: argparse.ArgumentParser) -> None:
    if name in ("list", "show"):
        # not False by default: that would hide the option before the action
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    if name in ("show", "remove"):
        action.add_argument("name", metavar="NAME", help="its name, with or without the version")
    if name == "add":
        action.add_argument("source", metavar="PATH|NAME", help="a file or folder; or a known name, with --download")
        action.add_argument("--as", dest="name", metavar="NAME", help="the name of the file's source")
        action.add_argument("--licence", metavar="TEXT", help="its licence, where the registry does not know it")
        action.add_argument("--sha256", metavar="HEX", help="the hash that the file must have")
        action.add_argument("--download", action="store_true", help="fetch the file from the registry's address")


def run(args: argparse.Namespace) -> int:
    """Do the action, or print the inputs of a build; return 0, or 1 when `verify` finds a problem."""
    if args.action is None:
        return _print_inputs(args)
    from ncimp.builder.sources.collection.collection import Collection
    from ncimp.builder.sources.collection.registry import data_folder

    done: int = args.do(args, Collection(data_folder(args.data)))
    return done


def _print_inputs(args: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    from ncimp.builder.build.resources import LanguageResources
    from ncimp.schemas.records import to_row

    packs = args.packs or default_packs()
    langs = languages(args.lang, packs)
    rows = [
        to_row(source) for lang in langs for source in LanguageResources(lang, packs, Path(".ncimp-work")).sources()
    ]
    if args.json:
        _print_json(rows)
        return 0
    table = Table("name", "kind", "version", "licence", "citation")
    for row in rows:
        table.add_row(*(str(row[name]) for name in ("name", "kind", "version", "licence", "citation")))
    Console().print(table)
    return 0


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _list(args: argparse.Namespace, collection: Collection) -> int:
    rows = [_row(name, collection) for name in _names(collection)]
    if args.json:
        _print_json(rows)
        return 0
    for row in rows:
        where = "here" if row["here"] else "not here"
        lines = [f"{row['name']}: {row['kind']}, version {row['version']}, {row['licence']}, {where}"]
        lines += [str(row[name]) for name in ("address", "citation") if row[name]]
        sys.stdout.write("\n    ".join([*lines, *_hash_lines(row)]) + "\n")
    return 0


def _hash_lines(row: dict[str, Any]) -> list[str]:
    own = [f"sha256 {row['sha256']}"] if row["sha256"] else []
    return own + [f"known file {file['file']}, sha256 {file['sha256']}: {file['note']}" for file in row["files"]]


def _show(args: argparse.Namespace, collection: Collection) -> int:
    from ncimp.builder.sources.collection.collection import how_to_get
    from ncimp.builder.sources.collection.registry import known_sources, pick
    from ncimp.schemas.records import to_row

    name = pick(args.name, _names(collection))
    if name is None:
        raise UsageError(f"no source {args.name!r}", fix="`ncimp sources list` names them")
    known = known_sources().get(name)
    row = (to_row(known) if known else {}) | _row(name, collection)
    if args.json:
        _print_json(row)
        return 0
    lines = [f"{key}: {value}" for key, value in row.items() if value is not None and key not in ("files", "sha256")]
    sys.stdout.write("\n".join([*lines, *_hash_lines(row)]) + "\n")
    if known and not row["here"]:
        sys.stdout.write(f"to have it: {how_to_get(known)}\n")
    return 0


def _add(args: argparse.Namespace, collection: Collection) -> int:
    from ncimp.builder.sources.collection.registry import known_sources, pick

    path = Path(args.source)
    if path.exists() and not args.download:
        return _add_path(args, collection, path, name=args.name)
    known = known_sources().get(pick(args.source, known_sources()) or "")
    if known is None:
        raise UsageError(f"no file and no known source {args.source!r}", fix="`ncimp sources list` names the sources")
    return _add_known(args, collection, known)


def _add_path(args: argparse.Namespace, collection: Collection, path: Path, *, name: str | None) -> int:
    from ncimp.builder.sources.collection.registry import known_sources, pick, source_hash

    name = pick(name, known_sources()) or name if name else None
    found = source_hash(path)
    if args.sha256 and args.sha256.lower() != found:
        what = f"the file has sha256 {found}, and {args.sha256.lower()} was expected"
        raise SourceError(what, fix="give the right file", place=Place(str(path)))
    record = collection.add(path, name=name, licence=args.licence)
    known = known_sources().get(record.name)
    if known and not args.sha256 and found not in {file.sha256 for file in known.files}:
        what = "not a file that the registry knows"
        sys.stderr.write(f"{record.name}: {what}; compare its hash with its publisher's\n")
    sys.stdout.write(f"{record.name}\t{record.kind}\t{record.sha256}\n")
    return 0


def _add_known(args: argparse.Namespace, collection: Collection, known: KnownSource) -> int:
    from ncimp.builder.sources.collection.collection import how_to_get
    from ncimp.builder.sources.collection.downloads import fetch

    if not args.download or known.download is None:
        raise UsageError(f"{known.name!r} needs a file", fix=how_to_get(known))
    target = collection.data / "downloads" / known.download.rsplit("/", 1)[-1]
    expected = args.sha256.lower() if args.sha256 else None
    found = fetch(known.download, target, sha256=expected)
    if expected is None and found not in {file.sha256 for file in known.files}:
        what = f"the registry has no hash for the file fetched, whose sha256 is {found}"
        fix = f"when its publisher states the same: ncimp sources add {known.name} --download --sha256 {found}"
        raise SourceError(what, fix=fix, place=Place(known.download))
    code = _add_path(args, collection, target, name=args.name or known.name)
    target.unlink()  # the collection has its own copy
    return code


def _remove(args: argparse.Namespace, collection: Collection) -> int:
    record = collection.remove(args.name)
    sys.stdout.write(f"{record.name}\tremoved\n")
    return 0


def _verify(_args: argparse.Namespace, collection: Collection) -> int:
    problems = list(collection.verify())
    for name, problem in problems:
        sys.stdout.write(f"{name}: {problem}\n")
    return 1 if problems else 0


def _names(collection: Collection) -> list[str]:
    from ncimp.builder.sources.collection.registry import known_sources

    return list(dict.fromkeys([*known_sources(), *collection.added()]))


def _row(name: str, collection: Collection) -> dict[str, Any]:
    """Return the row of a source: what the user has added, else what the registry says."""
    from ncimp.builder.sources.collection.registry import is_installed, known_sources
    from ncimp.schemas.records import to_row

    added, known = collection.added().get(name), known_sources().get(name)
    source = added or known
    installed = known is not None and (known.embedded is not None or is_installed(known))
    return {key: getattr(source, key) for key in COLUMNS} | {
        "sha256": added.sha256 if added else None,
        "here": added is not None or installed,
        "files": [to_row(file) for file in known.files] if known else [],
    }


Action = Callable[[argparse.Namespace, "Collection"], int]

ACTIONS: dict[str, tuple[Action, str]] = {
    "list": (_list, "list every source that is known or was added"),
    "show": (_show, "print everything about one source, and how to get it"),
    "add": (_add, "add a source from a file or folder, or fetch a known one"),
    "remove": (_remove, "remove a source and what was made of it"),
    "verify": (_verify, "hash every added source again and look at the databases made of it"),
}
"""The actions, each with what it does."""
