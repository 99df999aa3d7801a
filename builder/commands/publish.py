"""Publish a release to a hub: one commit, one tag, and nothing that is published ever changes.

Without --send it only looks, and prints what would be sent. The folder is checked against its manifest
first. After a failure, run the same command again: it completes what is missing, or says that nothing is.
The token is taken from HF_TOKEN, or from where `hf auth login` keeps it; HF_ENDPOINT names another hub.

Examples:
    ncimp publish ncimp --repo my-group/ncimp
    ncimp publish ncimp --repo my-group/ncimp --tag v1.0.0 --send
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.schemas.errors import UsageError

if TYPE_CHECKING:
    from ncimp.builder.release.publish import LocalRelease, Plan

REPO = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)
"""Owner and name of a repository."""

SIGNS = {"add": "+", "change": "~", "delete": "-"}

TIMEOUT = 120.0
"""Seconds to wait for an answer, unless the user says otherwise: a hub may take long over a commit."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("release", type=Path, nargs="?", default=Path("ncimp"), help="release folder (default: ncimp)")
    parser.add_argument("--repo", required=True, metavar="ORG/NAME", help="dataset repository; made if it is not there")
    parser.add_argument("--tag", metavar="vX.Y.Z", help="must be the release's version (default: that)")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("--dry-run", action="store_true", help="look, and print what would be sent (default)")
    doing.add_argument("--send", action="store_true", help="send it")
    parser.add_argument("--private", action="store_true", help="when the repository is made, make it private")
    parser.add_argument(
        "--timeout", type=float, default=TIMEOUT, metavar="SECONDS", help="longest wait for an answer (default: 120)"
    )


def run(args: argparse.Namespace) -> int:
    """Print the plan, and carry it out when asked; return 0."""
    from ncimp.builder.release.hub import Hub
    from ncimp.builder.release.publish import make_plan, read_local, send

    if not REPO.fullmatch(args.repo):
        raise UsageError(f"{args.repo!r} names no repository", fix="give owner and name, such as my-group/ncimp")
    if not args.timeout > 0:
        raise UsageError(f"a timeout of {args.timeout} s is none", fix="give a number above 0")
    release = read_local(args.release)
    tag = args.tag or f"v{release.version}"
    if tag != f"v{release.version}":
        fix = f"use --tag v{release.version}, or build the release with --release {tag.removeprefix('v')}"
        raise UsageError(f"the tag {tag!r} is not the version of the release ({release.version})", fix=fix)
    hub = Hub(args.repo, timeout=args.timeout)
    if args.send and not hub.has_token:
        raise UsageError("there is no token to send with", fix="set HF_TOKEN, or log in with `hf auth login`")
    plan = make_plan(release, hub, tag)
    sys.stdout.writelines(f"{line}\n" for line in describe(plan, release, str(hub.place)))
    if args.send and not plan.complete:
        sys.stdout.flush()
        commit = send(release, hub, plan, private=args.private)
        sys.stdout.write(f"published: {hub.place} has {tag} at {commit}\n")
    return 0


def describe(plan: Plan, release: LocalRelease, place: str) -> Iterator[str]:
    """Yield the lines that say what *plan* would do."""
    yield f"release {release.version}: {len(release.files)} files, {_bytes(release)} bytes"
    if plan.complete:
        yield f"complete: {place} has {plan.tag} with exactly these files; nothing to send"
        return
    held = f"main at {plan.refs.head or 'no commit yet'}" if plan.refs.exists else "not there yet: it would be made"
    yield f"{place}: {held}; the tag {plan.tag} is free"
    for change in plan.changes:
        sizes = f"{change.before:,} -> {change.after:,}" if change.kind == "change" else ""
        yield f"{SIGNS[change.kind]} {change.path}  {sizes or format(change.after or change.before, ',')} bytes"
    if not plan.changes:
        yield "main holds exactly these files; only the tag is missing"
    counts = {kind: sum(change.kind == kind for change in plan.changes) for kind in SIGNS}
    yield (
        f"{counts['add']} added, {counts['change']} changed, {counts['delete']} deleted, {plan.unchanged} as they are; "
        f"{plan.sent:,} bytes to send (with --send)"
    )


def _bytes(release: LocalRelease) -> str:
    return f"{sum(file.bytes for file in release.files.values()):,}"
