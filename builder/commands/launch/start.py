"""Launch a batch on Turkle, or on a server with Mechanical Turk's API, so that nothing is ever paid twice.

Without --send the plan and its highest cost are printed, and nothing is sent. Amazon Mechanical Turk itself closed on
2026-09-30: give the address of a compatible server with --endpoint, or use Turkle. Only with --live may money move; the
amount has to be typed, or confirmed with --confirm-amount.

Keys come from where boto3 takes them (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), Turkle's token from
TURKLE_TOKEN.

Examples:
    ncimp launch start pilot --to turkle --endpoint https://turkle.example.org --send
    ncimp launch start pilot --to mturk --endpoint http://127.0.0.1:8080 --reward 0.15 --send
    ncimp launch start pilot --to mturk --endpoint https://turk.example.org --reward 0.15 --live --send
"""

import argparse
import sys

from ncimp.builder.annotation.launch import MANIFEST, LaunchBatch, open_manifest, read_launch_batch, records_folder
from ncimp.builder.annotation.services import SERVICES
from ncimp.builder.annotation.services.service import Offer
from ncimp.builder.commands.launch.campaign import add_batch, agree, campaign_of, say, service_of
from ncimp.builder.commands.options import positive_int
from ncimp.schemas.errors import UsageError

DEFAULTS = {
    "title": "How literal are these expressions?",
    "description": "Read short sentences and say how literally an expression is meant.",
    "keywords": "language, words, meaning, expressions, judgement",
}
"""Texts for workers where neither the options nor the batch have them."""

MOST = {"minutes": 1440, "days": 365, "approve_after_days": 30}
"""The most that the service takes, and for minutes a day."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_batch(parser, at=False)
    names = [name for name, service in SERVICES.items() if service.campaign]
    parser.add_argument("--to", choices=names, metavar="SERVICE", help="service (default: that of the batch)")
    parser.add_argument("--endpoint", metavar="URL", help="its address (default for mturk: Amazon's sandbox)")
    parser.add_argument("--allow-http", action="store_true", help="allow an address without encryption")
    parser.add_argument("--live", action="store_true", help="money may move")
    parser.add_argument("--send", action="store_true", help="launch it (default: print the plan)")
    parser.add_argument("--confirm-amount", metavar="USD", help="agree to spend exactly this, without a terminal")
    offer = parser.add_argument_group("offer to workers (mturk; Turkle takes the title alone)")
    offer.add_argument("--title", help=f"title (default: the batch's, else {DEFAULTS['title']!r})")
    offer.add_argument("--description", help="one sentence about the work")
    offer.add_argument("--keywords", help="keywords, separated by commas")
    offer.add_argument("--reward", metavar="USD", help="reward for one assignment (default: the batch's)")
    offer.add_argument("--minutes", type=positive_int, default=30, help="longest time for an assignment (default: 30)")
    offer.add_argument("--days", type=positive_int, default=7, help="days that the HITs stay (default: 7)")
    offer.add_argument(
        "--approve-after-days", type=positive_int, default=7, help="days until work is approved and paid (default: 7)"
    )
    offer.add_argument("--locale", nargs="+", default=[], metavar="CC", help="countries of workers, as US or US-CA")
    offer.add_argument("--approved-percent", type=int, metavar="N", help="least percentage of work approved before")
    offer.add_argument("--approved-count", type=int, metavar="N", help="least number of assignments approved before")
    offer.add_argument("--test-score", type=int, metavar="N", help="require the batch's test, with at least N percent")


def run(args: argparse.Namespace) -> int:
    """Print the plan, and with --send carry it out; return 0."""
    batch = read_launch_batch(args.batch)
    service = service_of(args.to or batch.info.to)
    if service.place is None:
        raise UsageError(f"a batch for {service.name!r} is uploaded by hand", fix="see docs/how-to/launch.md")
    place = service.place(args.endpoint, args.live, args.allow_http)
    campaign = campaign_of(service, batch, place, args.timeout)
    offer = _offer(args, batch)
    plan = campaign.plan(offer)
    sys.stdout.write("".join(f"{line}\n" for line in plan.lines))
    if not args.send:
        say("nothing was sent; --send launches it")
        return 0
    if place.live and batch.info.simulated:
        raise UsageError("a simulated batch is not launched where money moves", fix="export it again")
    agree(plan.cost, place, args.confirm_amount)
    facts = {"batch": batch.info.batch, "platform": place.platform, "endpoint": place.endpoint, "live": place.live}
    campaign.connect()
    with open_manifest(records_folder(args.batch, args.records) / place.name / MANIFEST) as manifest:
        manifest.begin(facts | plan.facts, cost=str(plan.cost))
        campaign.start(offer, manifest, say)
    return 0


def _offer(args: argparse.Namespace, batch: LaunchBatch) -> Offer:
    for name, most in MOST.items():
        if getattr(args, name) > most:
            raise UsageError(f"--{name.replace('_', '-')} must be at most {most}, got {getattr(args, name)}")
    texts = {
        name: getattr(args, name) or str(batch.info.options.get(name) or default) for name, default in DEFAULTS.items()
    }
    return Offer(
        **texts,
        reward=args.reward,
        minutes=args.minutes,
        days=args.days,
        approve_after_days=args.approve_after_days,
        locales=tuple(args.locale),
        approved_percent=args.approved_percent,
        approved_count=args.approved_count,
        test_score=args.test_score,
    )
