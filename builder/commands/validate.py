"""Check a release: its files against its manifest, and every sentence by rules that filling does not share.

Prints one line per incident (code, place, what to do), then a table of sentences by language and probe,
and a summary; the exit code is 1 when an incident is not waived by its language pack.

Examples:
    ncimp validate ncimp
    ncimp validate ncimp --json
    ncimp validate --codes
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from ncimp.builder.commands.build import default_packs, languages
from ncimp.builder.records import MANIFEST, PROBES, Incident
from ncimp.schemas.errors import UsageError


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("release", type=Path, nargs="?", default=Path("ncimp"), help="release folder (default: ncimp)")
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")
    parser.add_argument("--json", action="store_true", help="print one JSON object per incident")
    parser.add_argument("--codes", action="store_true", help="list every code with its meaning and stop")


def run(args: argparse.Namespace) -> int:
    """Check, print the incidents, and return 1 when one is open, else 0."""
    from ncimp.builder.validation.validate import CODES
    from ncimp.schemas.records import to_row

    if args.codes:
        sys.stdout.writelines(f"{code}  {meaning}\n" for code, meaning in CODES.items())
        return 0
    if not (args.release / MANIFEST).is_file():
        raise UsageError(f"{args.release} is not a release", fix="give a folder that `ncimp build` made")
    incidents, counts = check(args.release, args.packs or default_packs())
    for incident in incidents:
        row = to_row(incident)
        mark = " (waived)" if incident.waived else ""
        line = f"{incident.code} {incident.place}: {CODES[incident.code]}: {incident.message}{mark}"
        sys.stdout.write((json.dumps(row, ensure_ascii=False) if args.json else line) + "\n")
    waived = sum(incident.waived for incident in incidents)
    kinds = ", ".join(f"{count} {code}" for code, count in sorted(Counter(row.code for row in incidents).items()))
    summary = f"{len(incidents) - waived} incidents, {waived} waived{': ' + kinds if kinds else ''}"
    sys.stderr.write(f"{composition(counts)}{counts.total()} sentences, {summary}\n")
    return int(waived < len(incidents))


def composition(counts: Counter[tuple[str, str]]) -> str:
    """Return a table of sentences by language and probe, from their numbers by (language, probe)."""
    probes = list(dict.fromkeys(PROBES.values()))
    rows = [["", *probes, "all"]]
    for lang in sorted({lang for lang, _ in counts}):
        row = [counts[lang, probe] for probe in probes]
        rows.append([lang, *map(str, row), str(sum(row))])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join("  ".join(map(str.rjust, row, widths)).rstrip() + "\n" for row in rows)


def check(release: Path, packs: Path) -> tuple[list[Incident], Counter[tuple[str, str]]]:
    """Return every incident of the folder *release* and the number of its sentences by (language, probe)."""
    from ncimp.builder.sources.packs.packs import read_pack
    from ncimp.builder.validation.folder.verify import verify
    from ncimp.builder.validation.validate import validate

    verified = verify(release)
    manifest, tables = verified.manifest, verified.tables
    counts = Counter((item.lang, item.probe) for item in tables.items)
    if manifest.count("withheld"):
        note = "sentences are withheld, so that only files are checked; `ncimp restore` puts their text back"
        sys.stderr.write(f"{release}: {manifest.count('withheld')} {note}\n")
        return list(verified.incidents), counts
    read = {lang: read_pack(packs / lang) for lang in languages(list(manifest.languages), packs)}
    found = validate(tables, read, "mean" if manifest.options.get("match") == "mean" else "components")
    return [*verified.incidents, *found], counts
