"""Check a release: its files against its manifest and card, and every sentence by rules that filling does not share.

Prints one line per incident (code, place, what to do), then a table of sentences by language and probe,
and a summary; the exit code is 1 when an incident is not waived by its language pack. With `--folder-only`, a copy of
a release is checked by itself: files, rows, figures and card; no language packs are needed.

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

from ncimp.builder.commands.options import PACKS, RELEASE_FOLDER, command, flag, json_flag, option, print_json
from ncimp.builder.config import Matching
from ncimp.builder.records import MANIFEST, PROBES, Incident
from ncimp.builder.sources.packs.packs import languages, packs_folder, read_pack
from ncimp.builder.validation.folder import Verified, verify
from ncimp.builder.validation.validate import CODES, selection, validate
from ncimp.schemas import UsageError
from ncimp.schemas.records import to_row


def _codes(text: str) -> list[str]:
    prefixes = text.split(",")
    unknown = [prefix for prefix in prefixes if not prefix or not any(code.startswith(prefix) for code in CODES)]
    if unknown:
        raise argparse.ArgumentTypeError(f"knows no code that begins with {unknown[0]!r} (see --codes)")
    return prefixes


@command(
    RELEASE_FOLDER,
    PACKS,
    flag("--folder-only", "check the folder by itself, without language packs"),
    option(
        "--select",
        type=_codes,
        default=[""],
        metavar="CODES",
        help="report only these codes, such as K,T8 (default: all)",
    ),
    json_flag(),
    flag("--codes", "list every code with its meaning and stop"),
)
def run(args: argparse.Namespace) -> int:
    """Check, print the incidents, and return 1 when one is open, else 0."""
    if args.codes:
        sys.stdout.writelines(f"{code}  {meaning}\n" for code, meaning in CODES.items())
        return 0
    if not (args.release / MANIFEST).is_file():
        raise UsageError(f"{args.release} is not a release", fix="give a folder that `ncimp build` made")
    if args.folder_only:
        verified = verify(args.release)
        incidents = [incident for incident in verified.incidents if selection(args.select)(incident.code)]
    else:
        incidents, verified = check(args.release, args.packs or packs_folder(), args.select)
    print_incidents(incidents, as_json=args.json)
    waived = sum(incident.waived for incident in incidents)
    kinds = ", ".join(f"{count} {code}" for code, count in sorted(Counter(row.code for row in incidents).items()))
    kinds = f": {kinds}" if kinds else ""
    if args.folder_only:
        manifest = verified.manifest
        rows = sum(entry.rows or 0 for entry in manifest.files)
        sys.stderr.write(f"release {manifest.release}, {len(manifest.files)} files, {rows} rows: ")
        sys.stderr.write(f"{len(incidents)} incidents{kinds}\nlogical sha256 {manifest.logical_sha256}\n")
    else:
        counts = Counter((item.lang, item.probe) for item in verified.tables.items)
        sys.stderr.write(f"{composition(counts)}{counts.total()} sentences, ")
        sys.stderr.write(f"{len(incidents) - waived} incidents, {waived} waived{kinds}\n")
    return int(waived < len(incidents))


def print_incidents(incidents: Sequence[Incident], *, as_json: bool) -> None:
    """Print one line, or one JSON object, per incident."""
    if as_json:
        print_json(map(to_row, incidents))
        return
    for row in incidents:
        mark = " (waived)" if row.waived else ""
        sys.stdout.write(f"{row.code} {row.place}: {CODES[row.code]}: {row.message}{mark}\n")


def composition(counts: Counter[tuple[str, str]]) -> str:
    """Return a table of sentences by language and probe, from their numbers by (language, probe)."""
    probes = list(dict.fromkeys(PROBES.values()))
    rows = [["", *probes, "all"]]
    for lang in sorted({lang for lang, _ in counts}):
        row = [counts[lang, probe] for probe in probes]
        rows.append([lang, *map(str, row), str(sum(row))])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join("  ".join(map(str.rjust, row, widths)).rstrip() + "\n" for row in rows)


def check(release: Path, packs: Path, prefixes: Sequence[str] = ("",)) -> tuple[list[Incident], Verified]:
    """Return every incident of the folder *release* whose code begins with one of *prefixes*, and its content."""
    select = selection(prefixes)
    verified = verify(release)
    manifest = verified.manifest
    incidents = [incident for incident in verified.incidents if select(incident.code)]
    withheld = manifest.count("withheld")
    if withheld:
        note = "sentences are withheld, so that only files are checked; `ncimp restore` puts their text back"
        sys.stderr.write(f"{release}: {withheld} {note}\n")
        return incidents, verified
    language_packs = {lang: read_pack(packs / lang) for lang in languages(list(manifest.languages), packs)}
    match: Matching = "mean" if manifest.options.get("match") == "mean" else "components"
    return [*incidents, *validate(verified.tables, language_packs, match, select=select)], verified
