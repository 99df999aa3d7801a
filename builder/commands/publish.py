"""Publish a release to a hub as one commit and one tag; a published version never changes.

Without --send, the command only prints what would be sent. A release with an incident of `ncimp validate --folder-only`
is refused. The card that is sent loads the data from the repository, so that card and manifest differ there from those
of the folder. The branch `script` gets the same files and the loading script at its root, for `datasets` before 4.
After a failure, run the same command again: it sends what is missing, or reports that nothing is. The token comes from
HF_TOKEN, or from where `hf auth login` stores it; HF_ENDPOINT names another hub.

Examples:
    ncimp publish ncimp --repo my-group/ncimp
    ncimp publish ncimp --repo my-group/ncimp --tag v1.0.0 --send
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ncimp.builder.commands.options import RELEASE_FOLDER, command, flag, option, timeout
from ncimp.builder.commands.validate import check
from ncimp.builder.records import MANIFEST
from ncimp.builder.release.publish import BranchPlan, Hub, LocalRelease, Plan, make_plan, read_local, script_name, send
from ncimp.builder.validation.validate import refuse
from ncimp.schemas import UsageError

REPO = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)  # owner and name
SIGNS = {"add": "+", "change": "~", "delete": "-"}


@command(
    RELEASE_FOLDER,
    option("--repo", "dataset repository; created if missing", required=True, metavar="ORG/NAME"),
    option("--tag", "must be the release's version (default: that)", metavar="vX.Y.Z"),
    flag("--send", "send the plan (default: only print it)"),
    flag("--private", "when the repository is created, make it private"),
    timeout(120),  # a hub may take long over a commit
)
def run(args: argparse.Namespace) -> int:
    """Print the plan, and carry it out with `--send`; return 0."""
    if not REPO.fullmatch(args.repo):
        raise UsageError(f"{args.repo!r} is not a repository", fix="give owner and name, such as my-group/ncimp")
    release = read_local(args.release)
    tag = args.tag or f"v{release.version}"
    if tag != f"v{release.version}":
        fix = f"use --tag v{release.version}, or build the release with --as-version {tag.removeprefix('v')}"
        raise UsageError(f"the tag {tag!r} is not the version of the release ({release.version})", fix=fix)
    hub = Hub(args.repo, timeout=args.timeout)
    if args.send and not hub.has_token:
        raise UsageError("there is no token to send with", fix="set HF_TOKEN, or log in with `hf auth login`")
    refuse(check(args.release, None)[0], f"build it again; `ncimp validate {args.release} --folder-only` lists them")
    with TemporaryDirectory() as aside:
        release = release.for_repository(args.repo, Path(aside))
        plan = make_plan(release, hub, tag)
        sys.stdout.writelines(f"{line}\n" for line in _describe(plan, release, hub))
        if args.send and not plan.complete:
            sys.stdout.flush()
            commit = send(release, hub, plan, private=args.private)
            sys.stdout.write(f"published: {hub.place} has {tag} at {commit}\n")
    return 0


def _describe(plan: Plan, release: LocalRelease, hub: Hub) -> Iterator[str]:
    size = sum(file.bytes for file in release.files.values())
    yield f"release {release.version}: {len(release.files)} files, {size:,} bytes"
    yield f"sha256 of {MANIFEST} there: {release.files[MANIFEST].sha256}"
    if plan.complete:
        yield f"complete: {hub.place} has {plan.tag} with exactly these files; nothing to send"
    elif plan.tagged:
        yield f"{hub.place} has {plan.tag} with exactly these files"
    else:
        yield from _describe_main(plan, hub)
    if plan.script is not None:
        state = f"at {plan.script.head}" if plan.script.head else "not there yet: it would be created"
        files = f"the same files and {script_name(hub.repo)}, for `datasets` before 4"
        yield f"branch script ({files}): {state}; {_counted(plan.script)}"


def _describe_main(plan: Plan, hub: Hub) -> Iterator[str]:
    main = plan.main
    state = f"main at {main.head or 'no commit yet'}" if plan.refs.exists else "not there yet: it would be created"
    yield f"{hub.place}: {state}; the tag {plan.tag} is free"
    for change in main.changes:
        sizes = f"{change.before:,} -> {change.after:,}" if change.kind == "change" else ""
        yield f"{SIGNS[change.kind]} {change.path}  {sizes or format(change.after or change.before, ',')} bytes"
    if not main.changes:
        yield "main has exactly these files; only the tag is missing"
    yield f"{_counted(main)}; {sum(change.after for change in main.changes):,} bytes to send (with --send)"


def _counted(plan: BranchPlan) -> str:
    count = Counter(change.kind for change in plan.changes)
    return f"{count['add']} added, {count['change']} changed, {count['delete']} deleted, {plan.unchanged} as they are"
