"""List the sources of language data, and keep WordNets, thesauri, lexicons and treebanks with their hashes.

Other commands take these sources by name or path (`--lexicon`, `--morphology`). Nothing is downloaded without
`--download`.

Examples:
    ncimp source list
    ncimp source add english-wordnet-2025.xml.gz --as oewn:2025
    ncimp source verify
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.commands.options import DATA, JSON_ROWS, PACKS, command, flag, langs, option, print_json
from ncimp.builder.sources.collection import Collection, how_to_get
from ncimp.builder.sources.packs.packs import languages
from ncimp.builder.sources.registry import fetch, is_installed, known_sources, pick, source_hash
from ncimp.schemas import Place, SourceError, UsageError
from ncimp.schemas.records import to_row

COLUMNS = ("name", "kind", "version", "licence", "citation", "address")
NAME = option("name", "its name, with or without the version", metavar="NAME")


@command(DATA, JSON_ROWS, flag("--inputs", "list the packs and word lists of a build"), langs(), PACKS)
def run_list(args: argparse.Namespace) -> int:
    """List every known and added source, or with --inputs the packs and word lists that a build reads.

    Examples:
        ncimp source list
        ncimp source list --inputs --lang pt
    """
    collection = Collection(args.data)
    if args.inputs:
        langs = languages(args.lang, args.packs)
        resources = [LanguageResources(lang, args.packs, collection.data) for lang in langs]
        rows = [to_row(source) for lang in resources for source in lang.sources()]
    else:
        rows = [_row(name, collection) for name in _names(collection)]
    if args.json:
        print_json(rows)
        return 0
    for row in rows:
        here = "" if args.inputs else ", here" if row["here"] else ", not here"
        lines = [f"{row['name']}: {row['kind']}, version {row['version']}, {row['licence']}{here}"]
        lines += [str(row[name]) for name in ("address", "citation") if row[name]]
        sys.stdout.write("\n    ".join([*lines, *_hash_lines(row)]) + "\n")
    return 0


@command(DATA, JSON_ROWS, NAME)
def run_show(args: argparse.Namespace) -> int:
    """Print everything about one source, and how to get it.

    Examples:
        ncimp source show oewn:2025
    """
    collection = Collection(args.data)
    name = pick(args.name, _names(collection))
    if name is None:
        raise UsageError(f"no source {args.name!r}", fix="`ncimp source list` names them")
    source = known_sources().get(name)
    row = (to_row(source) if source else {}) | _row(name, collection)
    if args.json:
        print_json([row])
        return 0
    lines = [f"{key}: {value}" for key, value in row.items() if value is not None and key not in ("files", "sha256")]
    sys.stdout.write("\n".join([*lines, *_hash_lines(row)]) + "\n")
    if source and not row["here"]:
        sys.stdout.write(f"to have it: {how_to_get(source)}\n")
    return 0


@command(
    DATA,
    option("source", "a file or folder; a known name with --download", metavar="PATH|NAME"),
    option("--as", "the name of the file's source", dest="name", metavar="NAME"),
    option("--licence", "its licence, where the registry does not know it", metavar="TEXT"),
    option("--sha256", "the hash that the file must have", metavar="HEX", type=str.lower),
    flag("--download", "fetch the file from the registry's address"),
)
def run_add(args: argparse.Namespace) -> int:
    """Add a source from a file or folder, or fetch a known one.

    Examples:
        ncimp source add english-wordnet-2025.xml.gz --as oewn:2025
        ncimp source add unimorph-eng --download
    """
    collection = Collection(args.data)
    path = Path(args.source)
    if path.exists() and not args.download:
        return _add_path(args, collection, path, name=args.name)
    source = known_sources().get(pick(args.source, known_sources()) or "")
    if source is None:
        raise UsageError(f"no file and no known source {args.source!r}", fix="`ncimp source list` names the sources")
    if not args.download or source.download is None:
        raise UsageError(f"{source.name!r} needs a file", fix=how_to_get(source))
    target = collection.data / "downloads" / source.download.rsplit("/", 1)[-1]
    sha256 = fetch(source.download, target, sha256=args.sha256)
    if args.sha256 is None and sha256 not in {file.sha256 for file in source.files}:
        what = f"the registry has no hash for the file fetched, whose sha256 is {sha256}"
        fix = f"when its publisher states the same: ncimp source add {source.name} --download --sha256 {sha256}"
        raise SourceError(what, fix=fix, place=Place(source.download))
    code = _add_path(args, collection, target, name=args.name or source.name)
    target.unlink()  # the collection has its own copy
    return code


def _add_path(args: argparse.Namespace, collection: Collection, path: Path, *, name: str | None) -> int:
    name = pick(name, known_sources()) or name if name else None
    sha256 = source_hash(path)
    if args.sha256 not in (None, sha256):
        what = f"the file has sha256 {sha256}, and {args.sha256} was expected"
        raise SourceError(what, fix="give the right file", place=Place(str(path)))
    record = collection.add(path, name=name, licence=args.licence)
    source = known_sources().get(record.name)
    if source and not args.sha256 and sha256 not in {file.sha256 for file in source.files}:
        what = "the registry does not know this file; compare its hash with that of its publisher"
        sys.stderr.write(f"{record.name}: {what}\n")
    sys.stdout.write(f"{record.name}\t{record.kind}\t{record.sha256}\n")
    return 0


@command(DATA, NAME)
def run_remove(args: argparse.Namespace) -> int:
    """Remove a source and the databases made of it.

    Examples:
        ncimp source remove unimorph-eng
    """
    record = Collection(args.data).remove(args.name)
    sys.stdout.write(f"{record.name}\tremoved\n")
    return 0


@command(DATA)
def run_verify(args: argparse.Namespace) -> int:
    """Hash every added source again and check its databases; the exit code is 1 when there is a problem.

    Examples:
        ncimp source verify
    """
    problems = list(Collection(args.data).verify())
    sys.stdout.writelines(f"{name}: {problem}\n" for name, problem in problems)
    return int(bool(problems))


def _names(collection: Collection) -> list[str]:
    return list(known_sources() | collection.added())


def _row(name: str, collection: Collection) -> dict[str, Any]:
    added, source = collection.added().get(name), known_sources().get(name)
    installed = source is not None and (source.embedded is not None or is_installed(source))
    return {key: getattr(added or source, key) for key in COLUMNS} | {
        "sha256": added.sha256 if added else None,
        "here": added is not None or installed,
        "files": [to_row(file) for file in source.files] if source else [],
    }


def _hash_lines(row: dict[str, Any]) -> list[str]:
    files = [f"known file {file['file']}, sha256 {file['sha256']}: {file['note']}" for file in row.get("files", ())]
    return [f"sha256 {row['sha256']}", *files] if row["sha256"] else files
