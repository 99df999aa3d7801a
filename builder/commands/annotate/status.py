"""Tell how a launch stands: what was launched, what is done, and what nobody knows.

Examples:
    ncimp annotate status pilot
    ncimp annotate status pilot --json
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from ncimp.builder.commands.annotate.places import add_at, add_common, launched, turk_of, turkle_of

if TYPE_CHECKING:
    from ncimp.builder.annotation.launch.journal import Manifest
    from ncimp.builder.commands.annotate.places import Launched


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_common(parser)
    add_at(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(args: argparse.Namespace) -> int:
    """Print how the launch stands; return 0, or 1 when the manifest holds calls of which nobody knows what came."""
    with launched(args, looking=True) as found:
        told = _of_turkle(found, args) if found.place.platform == "turkle" else _of_mturk(found, args)
        told["unanswered"] = _unanswered(found.manifest)
    if args.json:
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{name}: {value}\n" for name, value in told.items() if name != "hits"))
    return 1 if told["unanswered"] else 0


def _of_mturk(found: Launched, args: argparse.Namespace) -> dict[str, Any]:
    from ncimp.builder.annotation.services.mturk_status import standing
    from ncimp.schemas.records import to_row

    hits = standing(turk_of(found, args), found.manifest)
    manifest = found.manifest
    return {
        **_where(found),
        "launched": len(hits),
        "assignments": sum(hit.assignments for hit in hits),
        "submitted": sum(hit.submitted for hit in hits),
        "pending": sum(hit.pending for hit in hits),
        "available": sum(hit.available for hit in hits),
        "approved": len(manifest.all_done("approve")),
        "bonuses": len(manifest.all_done("bonus")),
        "agreed": manifest.beginning.amount if manifest.beginning else None,
        "hits": [to_row(hit) for hit in hits],
    }


def _of_turkle(found: Launched, args: argparse.Namespace) -> dict[str, Any]:
    from ncimp.builder.annotation.services.turkle_launch import progress, turkle_batch

    made = turkle_batch(found.manifest)
    return {**_where(found), "number": made, **progress(turkle_of(found, args), made)}


def _where(found: Launched) -> dict[str, Any]:
    return {"batch": found.batch.info.batch, "platform": found.place.platform, "endpoint": found.place.endpoint}


def _unanswered(manifest: Manifest) -> list[str]:
    return [f"{event.call} {event.facts.get('task_id') or event.key}" for event in manifest.unanswered()]
