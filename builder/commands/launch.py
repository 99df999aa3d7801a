"""Run a campaign on a service. No task is launched or paid twice.

Without --send nothing is sent. After a failure or a crash, run the same command again: it looks up the finished tasks
and creates the missing ones. The records are in BATCH.launch, beside the batch.

Examples:
    ncimp launch start pilot --to turkle --endpoint https://turkle.example.org --send
    ncimp launch status pilot
    ncimp launch collect pilot
    ncimp launch approve pilot --send
    ncimp launch stop pilot --send
"""

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from ncimp.builder.annotation import launch as records
from ncimp.builder.annotation.campaign import SERVICES
from ncimp.builder.annotation.services.service import Campaign, Offer
from ncimp.builder.annotation.task.cost import dollars
from ncimp.builder.commands.options import command, flag, group, number, option, path, print_document, timeout
from ncimp.schemas import Place, Row, SchemaError, UsageError, read_text

DEFAULTS = {  # texts for workers where neither the options nor the batch have them
    "title": "How literal are these expressions?",
    "description": "Read short sentences and say how literally an expression is meant.",
    "keywords": "language, words, meaning, expressions, judgement",
}
LIMITS = {"minutes": 1440, "days": 365, "approve_after_days": 30}  # the most that a service takes; for minutes, a day

LAUNCHING = [name for name, service in SERVICES.items() if service.campaign]
BATCH = path("batch", "BATCH", "batch folder, from `ncimp annotate export`")
RECORDS = path("--records", "DIR", "folder of the records (default: BATCH.launch)")
TIMEOUT = timeout(60)
LAUNCH = (BATCH, RECORDS, TIMEOUT, option("--at", "one of several launches of the batch", metavar="PLACE"))


class Launched(NamedTuple):
    """A campaign that was launched: batch, place, records, and the way to its service."""

    batch: records.LaunchBatch
    place: records.LaunchPlace
    folder: Path
    manifest: records.LaunchManifest
    campaign: Campaign


@contextmanager
def open_launch(args: argparse.Namespace, *, read_only: bool = False) -> Iterator[Launched]:
    """Yield the launch that the options name, its manifest open for writing unless *read_only*."""
    batch = records.read_launch_batch(args.batch)
    folder = records.find_launch(args.batch, args.records, args.at)
    file = folder / records.MANIFEST
    with nullcontext(records.read_manifest(file)) if read_only else records.open_manifest(file) as manifest:
        if not manifest.events:
            raise UsageError("the launch was never begun: its manifest is empty", fix="`ncimp launch start`")
        facts = manifest.events[0].facts
        if facts.get("batch") != batch.info.batch:
            raise UsageError(f"{folder} holds the launch of another batch", fix="give the folder of its own batch")
        service = SERVICES.get(str(facts.get("platform")))
        endpoint, live = facts.get("endpoint"), facts.get("live")
        if service is None or not service.campaign or not isinstance(endpoint, str) or not isinstance(live, bool):
            what = "the first line does not name the place of the launch"
            raise SchemaError(what, fix="repair the line", place=Place(str(file), 1))
        place = records.LaunchPlace(service.name, endpoint, live)
        yield Launched(batch, place, folder, manifest, service.campaign(batch, place, args.timeout))


@command(
    BATCH,
    RECORDS,
    TIMEOUT,
    option("--to", "service (default: that of the batch)", choices=LAUNCHING, metavar="SERVICE"),
    option("--endpoint", "its address (default for mturk: Amazon's sandbox)", metavar="URL"),
    flag("--allow-http", "allow an address without encryption"),
    flag("--live", "money may move"),
    flag("--send", "launch it (default: print the plan)"),
    option("--confirm-amount", "agree to spend exactly this, without a terminal", metavar="USD"),
    group(
        "offer to workers (mturk; Turkle takes the title alone)",
        option("--title", f"title (default: the batch's, else {DEFAULTS['title']!r})"),
        option("--description", "one sentence about the work"),
        option("--keywords", "keywords, separated by commas"),
        option("--reward", "reward for one assignment (default: the batch's)", metavar="USD"),
        number("--minutes", 30, "longest time for an assignment", metavar="MINUTES"),
        number("--days", 7, "days that the HITs stay", metavar="DAYS"),
        number("--approve-after-days", 7, "days until work is approved and paid", metavar="DAYS"),
        option("--locale", "countries of workers, as US or US-CA", nargs="+", default=(), metavar="CC"),
        option("--approved-percent", "least percentage of work approved before", type=int, metavar="N"),
        option("--approved-count", "least number of assignments approved before", type=int, metavar="N"),
        option("--test-score", "require the batch's test, with at least N percent", type=int, metavar="N"),
    ),
)
def run_start(args: argparse.Namespace) -> int:
    """Launch a batch on Turkle, or on a server with Mechanical Turk's API.

    Without --send the plan and its highest cost are printed, with a warning of a low hourly wage, and nothing is sent.
    Amazon Mechanical Turk itself closed on 2026-09-30: give the address of a compatible server with --endpoint, or use
    Turkle. Money can be spent only with --live; type the amount when asked, or give it with --confirm-amount.

    Keys come from where boto3 takes them (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), Turkle's token from
    TURKLE_TOKEN.

    Examples:
        ncimp launch start pilot --to turkle --endpoint https://turkle.example.org --send
        ncimp launch start pilot --to mturk --endpoint http://127.0.0.1:8080 --reward 0.15 --send
        ncimp launch start pilot --to mturk --endpoint https://turk.example.org --reward 0.15 --live --send
    """
    batch = records.read_launch_batch(args.batch)
    name = args.to or batch.info.to
    service = SERVICES.get(name)
    if service is None or service.place is None or service.campaign is None:
        raise UsageError(f"a batch for {name!r} is uploaded by hand", fix="see docs/how-to/launch.md")
    place = service.place(args.endpoint, args.live, args.allow_http)
    campaign = service.campaign(batch, place, args.timeout)
    offer = _offer(args, batch)
    plan = campaign.plan(offer)
    sys.stdout.writelines(f"{line}\n" for line in plan.lines)
    if not args.send:
        say("nothing was sent; --send launches it")
        return 0
    if place.live and batch.info.simulated:
        raise UsageError("a simulated batch is not launched where money moves", fix="export it again")
    if place.live:
        _agree(plan.cost, place, args.confirm_amount)
    facts = {"batch": batch.info.batch, "platform": place.platform, "endpoint": place.endpoint, "live": place.live}
    campaign.connect()
    folder = records.records_folder(args.batch, args.records) / place.name
    with records.open_manifest(folder / records.MANIFEST) as manifest:
        manifest.begin(facts | plan.facts, cost=str(plan.cost))
        campaign.start(offer, manifest, say)
    return 0


def _offer(args: argparse.Namespace, batch: records.LaunchBatch) -> Offer:
    for name, most in LIMITS.items():
        if getattr(args, name) > most:
            raise UsageError(f"--{name.replace('_', '-')} must be at most {most}, got {getattr(args, name)}")
    names = ("reward", *LIMITS, "approved_percent", "approved_count", "test_score")
    values: dict[str, Any] = {name: getattr(args, name) for name in names}
    for name, default in DEFAULTS.items():
        values[name] = getattr(args, name) or str(batch.info.options.get(name) or default)
    return Offer(**values, locales=tuple(args.locale))


def _agree(amount: Decimal, place: records.LaunchPlace, confirmed: str | None) -> None:
    if confirmed is None:
        if not sys.stdin.isatty():
            fix = f"add --confirm-amount {amount}"
            raise UsageError(f"up to {amount} US dollars would be spent, and nobody is here to agree", fix=fix)
        sys.stderr.write(f"Up to {amount} US dollars will be spent at {place.endpoint}. Type the amount to continue: ")
        sys.stderr.flush()
        confirmed = sys.stdin.readline()
    if dollars(confirmed, name="the amount") != amount:
        raise UsageError(f"the amount is {amount} US dollars, not {confirmed.strip()}", fix="nothing was sent")


@command(*LAUNCH, flag("--json", "print a JSON object"))
def run_status(args: argparse.Namespace) -> int:
    """Show how far a launch is: tasks, assignments, and calls without an answer.

    The exit code is 1 when the result of a call is not known. HITs that the service has forgotten are named.

    Examples:
        ncimp launch status pilot
        ncimp launch status pilot --json
    """
    with open_launch(args, read_only=True) as launch:
        place = launch.place
        status: Row = {"batch": launch.batch.info.batch, "platform": place.platform, "endpoint": place.endpoint}
        status |= launch.campaign.status(launch.manifest)
        calls = launch.manifest.unanswered()
        status["unanswered"] = [f"{event.call} {event.facts.get('task_id') or event.key}" for event in calls]
    if args.json:
        print_document(status)
    else:
        sys.stdout.writelines(f"{name}: {value}\n" for name, value in status.items() if name != "hits")
    return int(bool(status["unanswered"]))


@command(*LAUNCH, path("--out", "FILE", "results file (default: collected.csv of the records)"))
def run_collect(args: argparse.Namespace) -> int:
    """Collect the answers of a launch into one results file; repeat it as answers come in.

    The file has the columns of Mechanical Turk's results CSV, whatever the service. Answers that were collected once
    stay in it. It names workers, so only you can read it, and it is stored with the other records beside the batch;
    `ncimp annotate import` pseudonymises it. The exit code is 1 when the answers of an assignment cannot be read.

    Examples:
        ncimp launch collect pilot
        ncimp launch collect pilot --out answers.csv
    """
    with open_launch(args, read_only=True) as launch:
        file = args.out or launch.folder / records.COLLECTED
        rows = list(launch.campaign.collect(launch.manifest, say))
        merged = records.merge_results(file, rows, launch.batch)
        records.write_results(file, merged, launch.batch)
    say(f"{file}: {len(merged)} assignments, {len(merged) - len(rows)} of them no longer on the service")
    unreadable = [row["AssignmentId"] for row in merged if row.get(records.UNREADABLE)]
    for identity in unreadable:
        say(f"assignment {identity}: the answers cannot be read; they stand in {records.UNREADABLE}")
    return int(bool(unreadable))


@command(
    *LAUNCH,
    path("--only", "FILE", "approve these assignments only, one id a line"),
    path("--hold-back", "FILE", "leave these assignments, one id a line"),
    flag("--send", "approve them"),
)
def run_approve(args: argparse.Namespace) -> int:
    """Approve submitted work, so that it is paid; no work is ever rejected.

    Without --send nothing is approved. Work that fails a check is paid too, and left out of the scores. To look at it
    first, leave it out with --hold-back; the service approves it by itself after the number of days set at the launch.

    Examples:
        ncimp launch approve pilot
        ncimp launch approve pilot --send
        ncimp launch approve pilot --hold-back doubtful.txt --send
    """
    only = _read_ids(args.only) if args.only else None
    hold_back = _read_ids(args.hold_back) if args.hold_back else set()
    with open_launch(args) as launch:
        waiting = launch.campaign.submitted(launch.manifest)
        selection = [one for one in waiting if (only is None or one in only) and one not in hold_back]
        sys.stdout.write(f"{len(waiting)} assignments wait for approval, {len(selection)} of them are selected\n")
        approved = f"{launch.campaign.approve(launch.manifest, selection)} approved" if args.send else ""
        say(approved or "nothing was approved; --send approves them")
    return 0


def _read_ids(file: Path) -> set[str]:
    ids: set[str] = set()
    for line_number, line in enumerate(read_text(file).split("\n"), 1):
        if line.strip() and not re.fullmatch(r"[A-Z0-9]{1,64}", line.strip(), re.ASCII):
            what = f"{line.strip()!r} is not the id of an assignment"
            raise SchemaError(what, fix="write one id a line", place=Place(str(file), line_number))
        ids.add(line.strip())
    return ids - {""}


@command(*LAUNCH, flag("--send", "end it"))
def run_stop(args: argparse.Namespace) -> int:
    """End a launch: no worker gets a new task, and open tasks can still be handed in.

    Without --send nothing is ended. HITs that the service has forgotten are named, and the others ended.

    Examples:
        ncimp launch stop pilot
        ncimp launch stop pilot --send
    """
    with open_launch(args) as launch:
        dry = f"the launch at {launch.place.endpoint} was not ended; --send ends it"
        say(launch.campaign.stop(launch.manifest) if args.send else dry)
    return 0


def say(text: str) -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(f"{text}\n")
