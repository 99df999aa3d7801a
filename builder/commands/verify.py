"""Verify a copy of a release: every file, row and figure against its manifest, and its card; nothing else is needed.

Prints one line per incident (code, place, what to do) and a summary; the exit code is 1 when there is one.
`ncimp validate` does the same and also checks every sentence, for which it needs the language packs.

Examples:
    ncimp verify ncimp
    ncimp verify path/to/ncimp --json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from ncimp.builder.records import MANIFEST
from ncimp.schemas.errors import UsageError


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("release", type=Path, nargs="?", default=Path("ncimp"), help="release folder (default: ncimp)")
    parser.add_argument("--json", action="store_true", help="print one JSON object per incident")


def run(args: argparse.Namespace) -> int:
    """Verify, print what differs, and return 1 when something does, else 0."""
    from ncimp.builder.validation.folder.verify import verify
    from ncimp.builder.validation.validate import CODES
    from ncimp.schemas.records import to_row

    if not (args.release / MANIFEST).is_file():
        raise UsageError(f"{args.release} is not a release", fix="give a folder that `ncimp build` made")
    found = verify(args.release)
    for row in found.incidents:
        line = f"{row.code} {row.place}: {CODES[row.code]}: {row.message}"
        sys.stdout.write((json.dumps(to_row(row), ensure_ascii=False) if args.json else line) + "\n")
    kinds = ", ".join(f"{count} {code}" for code, count in sorted(Counter(row.code for row in found.incidents).items()))
    files, rows = len(found.manifest.files), sum(entry.rows or 0 for entry in found.manifest.files)
    summary = f"{len(found.incidents)} incidents{': ' + kinds if kinds else ''}"
    sys.stderr.write(f"release {found.manifest.release}, {files} files, {rows} rows: {summary}\n")
    sys.stderr.write(f"logical sha256 {found.manifest.logical_sha256}\n")
    return int(bool(found.incidents))
