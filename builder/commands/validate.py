"""Check a release: its files against its manifest and card, and every sentence by rules that filling does not share.

Prints one line per incident (code, place, what to do), then a table of sentences by language and probe,
and a summary; the exit code is 1 when an incident is not waived by its language pack. With `--folder-only`, a copy of
a release is checked by itself: files, rows, figures and card; no language packs are needed. Where this version of ncimp
wrote the release, card, licences, metadata and loading script are made again from tables and manifest and compared.

Examples:
    ncimp validate ncimp
    ncimp validate ncimp --select K,T8 --json
    ncimp validate path/to/ncimp --folder-only
    ncimp validate --codes
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import ncimp
from ncimp.builder.commands.options import JSON_ROWS, PACKS, RELEASE_FOLDER, command, flag, option, print_json
from ncimp.builder.config import Matching, Pool
from ncimp.builder.records import MANIFEST, PROBES, Incident
from ncimp.builder.release.write import render_again
from ncimp.builder.sources.packs.packs import languages, read_pack
from ncimp.builder.validation.folder import FolderContent, check_texts, verify
from ncimp.builder.validation.validate import CODES, validate
from ncimp.schemas import UsageError, file_hash
from ncimp.schemas.records import to_row


def _codes(text: str) -> tuple[str, ...]:
    prefixes = tuple(text.split(","))
    unknown = [prefix for prefix in prefixes if not prefix or not any(code.startswith(prefix) for code in CODES)]
    if unknown:
        raise argparse.ArgumentTypeError(f"knows no code that begins with {unknown[0]!r} (see --codes)")
    return prefixes


@command(
    RELEASE_FOLDER,
    PACKS,
    flag("--folder-only", "check the folder by itself, without language packs"),
    option(
        "--select", "report only these codes, such as K,T8 (default: all)", type=_codes, default=("",), metavar="CODES"
    ),
    JSON_ROWS,
    flag("--codes", "list every code with its meaning and stop"),
)
def run(args: argparse.Namespace) -> int:
    """Check, print the incidents, and return 1 when one is open, else 0."""
    if args.codes:
        sys.stdout.writelines(f"{code}  {meaning}\n" for code, meaning in CODES.items())
        return 0
    if not (args.release / MANIFEST).is_file():
        raise UsageError(f"{args.release} is not a release", fix="give a folder that `ncimp build` made")
    incidents, verified = check(args.release, None if args.folder_only else args.packs, args.select)
    waived, others = print_incidents(incidents, as_json=args.json)
    counts_by_code = sorted(Counter(row.code for row in incidents).items())
    kinds = ": " * bool(incidents) + ", ".join(f"{count} {code}" for code, count in counts_by_code)
    if args.folder_only:
        manifest = verified.manifest
        rows = sum(entry.rows or 0 for entry in manifest.files)
        sys.stderr.write(f"release {manifest.release}, {len(manifest.files)} files, {rows} rows: ")
        sys.stderr.write(f"{len(incidents)} incidents{kinds}\nlogical sha256 {manifest.logical_sha256} (of the rows ")
        sys.stderr.write("alone: not of card, licences, metadata, loading script, inputs and options)\n")
        sys.stderr.write(f"sha256 of {MANIFEST} {file_hash(args.release / MANIFEST)} (of every file of the release)\n")
    else:
        counts = Counter((item.lang, item.probe) for item in verified.tables.items)
        sys.stderr.write(f"{composition(counts)}{counts.total()} sentences, ")
        sys.stderr.write(f"{others} incidents, {waived} waived{kinds}\n")
    return int(others > 0)


def print_incidents(incidents: Sequence[Incident], *, as_json: bool) -> tuple[int, int]:
    """Print one line, or one JSON object, per incident; return how many are waived, and how many are not."""
    if as_json:
        print_json(map(to_row, incidents))
    else:
        for row in incidents:
            mark = " (waived)" if row.waived else ""
            sys.stdout.write(f"{row.code} {row.place}: {CODES[row.code]}: {row.message}{mark}\n")
    waived = sum(row.waived for row in incidents)
    return waived, len(incidents) - waived


def composition(counts: Counter[tuple[str, str]]) -> str:
    """Return a table of sentences by language and probe, from their numbers by (language, probe)."""
    probes = list(dict.fromkeys(PROBES.values()))
    rows = [["", *probes, "all"]]
    for lang in sorted({lang for lang, _ in counts}):
        row = [counts[lang, probe] for probe in probes]
        rows.append([lang, *map(str, row), str(sum(row))])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join("  ".join(map(str.rjust, row, widths)).rstrip() + "\n" for row in rows)


def check(release: Path, packs: Path | None, select: tuple[str, ...] = ("",)) -> tuple[list[Incident], FolderContent]:
    """Return the incidents of *release* whose code begins with one of *select*; without *packs*, of its files."""
    verified = verify(release)
    manifest = verified.manifest
    if manifest.code_version != ncimp.__version__:
        note = f"written by ncimp {manifest.code_version}: card, licences and loading script are not compared with what"
        sys.stderr.write(f"{release}: {note} ncimp {ncimp.__version__} would write\n")
    elif not verified.incidents:  # nothing can be made of what is damaged
        texts = render_again(release, manifest, verified.rows)
        verified.incidents += check_texts(release, manifest, texts)
    incidents = [incident for incident in verified.incidents if incident.code.startswith(select)]
    if packs is None:
        return incidents, verified
    withheld = manifest.count("withheld")
    if withheld:
        note = "sentences are withheld, so that only files are checked; `ncimp restore` puts their text back"
        sys.stderr.write(f"{release}: {withheld} {note}\n")
        return incidents, verified
    language_packs = {lang: read_pack(packs / lang) for lang in languages(list(manifest.languages), packs)}
    match: Matching = "mean" if manifest.options.get("match") == "mean" else "components"
    pool: Pool = "attested" if manifest.options.get("pool") == "attested" else "composed"
    return [*incidents, *validate(verified.tables, language_packs, match, pool=pool, select=select)], verified
