"""Launch a batch on Turkle, or on a server with Mechanical Turk's API, so that nothing is ever paid twice.

Without --send it only looks, and prints what would be launched and what it can cost. Amazon Mechanical Turk
itself closed on 2026-09-30: give the address of a compatible server with --endpoint, or use Turkle.
Only with --live may money move; the amount has to be typed, or agreed to with --confirm-amount. After a
failure or a crash, run the same command again: it looks up what was done and makes what is missing.

Keys are taken from where boto3 takes them (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), Turkle's
token from TURKLE_TOKEN. Records are kept beside the batch, in BATCH.launch.

Examples:
    ncimp annotate launch pilot --to turkle --endpoint https://turkle.example.org --send
    ncimp annotate launch pilot --to mturk --reward 0.15
    ncimp annotate launch pilot --to mturk --endpoint http://127.0.0.1:8080 --reward 0.15 --send
    ncimp annotate launch pilot --to mturk --endpoint https://turk.example.org --reward 0.15 --live --send
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.builder.commands.annotate.places import add_agreement, add_common, agree, say
from ncimp.schemas.errors import UsageError

if TYPE_CHECKING:
    from ncimp.builder.annotation.launch.batch import LaunchBatch
    from ncimp.builder.annotation.launch.place import LaunchPlace
    from ncimp.builder.annotation.services.mturk_plan import LaunchPlan, Offer

TITLE = "How literal are these expressions?"
DESCRIPTION = "Read short sentences and say how literally an expression is meant."
KEYWORDS = "language, words, meaning, expressions, judgement"
"""What workers see in the list of HITs, where neither the batch nor the user says otherwise."""


MOST = {"minutes": 1440, "days": 365, "approve_after_days": 30}
"""The most that the service takes, and for minutes a day."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_common(parser)
    parser.add_argument("--to", choices=("mturk", "turkle"), help="service (default: the one the batch is for)")
    parser.add_argument("--endpoint", metavar="URL", help="its address (default for mturk: Amazon's sandbox)")
    parser.add_argument("--allow-http", action="store_true", help="allow an address without encryption")
    parser.add_argument("--live", action="store_true", help="money may move")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("--dry-run", action="store_true", help="look, and print what would be launched (default)")
    doing.add_argument("--send", action="store_true", help="launch it")
    add_agreement(parser)
    parser.add_argument(
        "--ignore-balance", action="store_true", help="launch even if the account seems to hold too little"
    )
    _add_offer(parser.add_argument_group("what workers see and get (mturk; Turkle takes the title alone)"))


def _add_offer(offer: argparse._ArgumentGroup) -> None:
    offer.add_argument("--title", help=f"title (default: the batch's, else {TITLE!r})")
    offer.add_argument("--description", help="one sentence about the work")
    offer.add_argument("--keywords", help="words to find it by, separated by commas")
    offer.add_argument("--reward", metavar="USD", help="reward for one assignment (default: the batch's)")
    offer.add_argument("--minutes", type=int, default=30, help="longest time for one assignment (default: 30)")
    offer.add_argument("--days", type=int, default=7, help="how long the HITs stay (default: 7)")
    offer.add_argument(
        "--approve-after-days", type=int, default=7, help="days after which work is approved and paid (default: 7)"
    )
    offer.add_argument("--locale", nargs="+", default=[], metavar="CC", help="countries of workers, as US or US-CA")
    offer.add_argument("--approved-percent", type=int, metavar="N", help="least percentage of work approved before")
    offer.add_argument("--approved-count", type=int, metavar="N", help="least number of assignments approved before")
    offer.add_argument("--test-score", type=int, metavar="N", help="ask for the batch's test, with at least N percent")
    offer.add_argument(
        "--surcharge", action="store_true", help="one HIT for ten judgements or more, at the higher fee, not rounds"
    )


def run(args: argparse.Namespace) -> int:
    """Print the plan, and with --send carry it out; return 0."""
    from ncimp.builder.annotation.launch.batch import read_launch_batch
    from ncimp.builder.annotation.launch.place import choose_place

    batch = read_launch_batch(args.batch)
    platform = args.to or batch.info.to
    if platform not in ("mturk", "turkle"):
        raise UsageError(f"a batch for {platform!r} is uploaded by hand", fix="see docs/how-to/launch.md")
    place = choose_place(platform, endpoint=args.endpoint, live=args.live, allow_http=args.allow_http)
    return _run_mturk(args, batch, place) if platform == "mturk" else _run_turkle(args, batch, place)


def _run_mturk(args: argparse.Namespace, batch: LaunchBatch, place: LaunchPlace) -> int:
    from ncimp.builder.annotation.launch.batch import QUESTION
    from ncimp.builder.annotation.launch.journal import opened
    from ncimp.builder.annotation.launch.place import LIVE, SANDBOX
    from ncimp.builder.annotation.services.mturk_client import CLOSED, Turk
    from ncimp.builder.annotation.services.mturk_launch import MturkLaunch, begin
    from ncimp.builder.annotation.services.mturk_plan import make_plan
    from ncimp.schemas.records import to_row

    _need(batch, QUESTION)
    plan = make_plan(batch, _offer(args, batch))
    sys.stdout.write(_described(plan, place))
    if place.endpoint in (LIVE, SANDBOX):
        say(CLOSED)
    if not args.send:
        say("nothing was sent (with --send it is)")
        return 0
    if place.live and batch.info.simulated:
        raise UsageError("a simulated batch is not launched where money moves", fix="export it again")
    agree(plan.cost, place, args.confirm_amount)
    turk = Turk(place.endpoint, timeout=args.timeout)
    facts = _facts(batch, place) | {"offer": to_row(plan.offer)}
    with opened(_manifest(args, place)) as manifest:
        begin(manifest, facts, cost=str(plan.cost))
        standing = MturkLaunch(plan, manifest, turk, say, check_balance=not args.ignore_balance).run()
    say(f"{standing.launched} of {standing.planned} HITs are launched")
    if standing.waiting:
        say(
            f"round {standing.round} of {plan.rounds} has {standing.waiting} HITs that are not over; run the same "
            "command again when they are, and the next round begins"
        )
    return 0


def _run_turkle(args: argparse.Namespace, batch: LaunchBatch, place: LaunchPlace) -> int:
    from ncimp.builder.annotation.launch.batch import TEMPLATE
    from ncimp.builder.annotation.launch.journal import opened
    from ncimp.builder.annotation.services.mturk_launch import begin
    from ncimp.builder.annotation.services.turkle_client import Turkle
    from ncimp.builder.annotation.services.turkle_launch import TurkleLaunch

    _need(batch, TEMPLATE)
    sys.stdout.write(
        f"{len(batch.rows)} tasks, each for {batch.info.per_item} people, at {place.endpoint}; Turkle pays nobody\n"
    )
    if not args.send:
        say("nothing was sent (with --send it is)")
        return 0
    turkle = Turkle(place.endpoint, timeout=args.timeout)
    with opened(_manifest(args, place)) as manifest:
        begin(manifest, _facts(batch, place), cost="0.00")
        made, tasks = TurkleLaunch(batch, manifest, turkle).run(_told(args.title, batch, "title", TITLE))
    say(f"batch {made} at {place.endpoint} holds {tasks} tasks and is published")
    return 0


def _facts(batch: LaunchBatch, place: LaunchPlace) -> dict[str, object]:
    return {"batch": batch.info.batch, "platform": place.platform, "endpoint": place.endpoint, "live": place.live}


def _manifest(args: argparse.Namespace, place: LaunchPlace) -> Path:
    from ncimp.builder.annotation.launch.place import MANIFEST, records_folder

    return records_folder(args.batch, args.records) / place.name / MANIFEST


def _need(batch: LaunchBatch, name: str) -> None:
    if not batch.has(name):
        what = f"the batch has no {name}: it is for {batch.info.to!r}"
        raise UsageError(what, fix="export it for the service to which it goes")


def _offer(args: argparse.Namespace, batch: LaunchBatch) -> Offer:
    from ncimp.builder.annotation.launch.batch import TEST
    from ncimp.builder.annotation.services.mturk_money import money
    from ncimp.builder.annotation.services.mturk_plan import Offer

    reward = args.reward or batch.info.cost.get("reward")
    if reward is None:
        raise UsageError("the batch names no reward", fix="give one with --reward")
    if args.test_score is not None:
        _need(batch, TEST)
    for name, most in MOST.items():
        if not 1 <= getattr(args, name) <= most:
            fix = f"give a number from 1 to {most}"
            raise UsageError(f"--{name.replace('_', '-')} is {getattr(args, name)}", fix=fix)
    return Offer(
        title=_told(args.title, batch, "title", TITLE),
        description=_told(args.description, batch, "description", DESCRIPTION),
        keywords=_told(args.keywords, batch, "keywords", KEYWORDS),
        reward=str(money(str(reward), name="the reward")),
        minutes=args.minutes,
        days=args.days,
        approve_after_days=args.approve_after_days,
        locales=tuple(args.locale),
        approved_percent=args.approved_percent,
        approved_count=args.approved_count,
        test_score=args.test_score,
        surcharge=args.surcharge,
    )


def _told(given: str | None, batch: LaunchBatch, name: str, default: str) -> str:
    """Return what the user says, else what the batch does, else *default*."""
    own = batch.info.options.get(name)
    return given or (own if isinstance(own, str) and own else default)


def _described(plan: LaunchPlan, place: LaunchPlace) -> str:
    sizes = " + ".join(str(plan.of_round(number)[0].assignments) for number in range(1, plan.rounds + 1))
    money = "money moves" if place.live else "a test: no money moves"
    return (
        f"{len(plan.batch.rows)} tasks, each for {plan.batch.info.per_item} people ({sizes}), {len(plan.parts)} HITs "
        f"at {place.endpoint} ({money})\n"
        f"{plan.offer.title!r}, {plan.offer.reward} US dollars an assignment; "
        f"rewards and fees {plan.cost} US dollars at most\n"
    )
