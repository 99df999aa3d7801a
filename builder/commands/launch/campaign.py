"""Open the campaign that the options of `ncimp launch` name."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from ncimp.builder.annotation.launch import (
    MANIFEST,
    LaunchBatch,
    LaunchManifest,
    LaunchPlace,
    find_launch,
    open_manifest,
    read_launch_batch,
    read_manifest,
)
from ncimp.builder.annotation.services import SERVICES
from ncimp.builder.annotation.services.service import Campaign, Service
from ncimp.builder.annotation.task.cost import dollars
from ncimp.builder.commands.options import add_timeout
from ncimp.schemas.errors import Place, SchemaError, UsageError


@dataclass(frozen=True, slots=True)
class Launched:
    """A campaign that was launched: batch, place, records, and the way to its service."""

    batch: LaunchBatch
    place: LaunchPlace
    folder: Path
    manifest: LaunchManifest
    campaign: Campaign


def add_batch(parser: argparse.ArgumentParser, *, at: bool = True) -> None:
    """Add the batch, the folder of its records, the timeout and, with *at*, the choice between several launches."""
    parser.add_argument("batch", type=Path, metavar="BATCH", help="batch folder, from `ncimp annotate export`")
    parser.add_argument("--records", type=Path, metavar="DIR", help="folder of the records (default: BATCH.launch)")
    add_timeout(parser, 60)
    if at:
        parser.add_argument("--at", metavar="PLACE", help="one of several launches of the batch")


def service_of(name: str) -> Service:
    """Return the service *name*, on which campaigns can be launched."""
    service = SERVICES.get(name)
    if service is None or service.campaign is None:
        raise UsageError(f"a batch for {name!r} is uploaded by hand", fix="see docs/how-to/launch.md")
    return service


def campaign_of(service: Service, batch: LaunchBatch, place: LaunchPlace, timeout: float) -> Campaign:
    """Return the campaign of *batch* at *place*."""
    if service.campaign is None:
        raise UsageError(f"a batch for {service.name!r} is uploaded by hand", fix="see docs/how-to/launch.md")
    return service.campaign(batch, place, timeout)


@contextmanager
def open_launch(args: argparse.Namespace, *, read_only: bool = False) -> Iterator[Launched]:
    """Yield the launch that the options name, its manifest open for writing unless *read_only*."""
    batch = read_launch_batch(args.batch)
    folder = find_launch(args.batch, args.records, args.at)
    path = folder / MANIFEST
    with nullcontext(read_manifest(path)) if read_only else open_manifest(path) as manifest:
        if not manifest.events:
            raise UsageError("the launch was never begun: its manifest is empty", fix="`ncimp launch start`")
        facts = manifest.events[0].facts
        if facts.get("batch") != batch.info.batch:
            raise UsageError(f"{folder} holds the launch of another batch", fix="give the folder of its own batch")
        service = SERVICES.get(str(facts.get("platform")))
        if service is None or not isinstance(facts.get("endpoint"), str) or not isinstance(facts.get("live"), bool):
            what = "the first line does not name the place of the launch"
            raise SchemaError(what, fix="repair the line", place=Place(str(path), 1))
        place = LaunchPlace(service.name, facts["endpoint"], facts["live"])
        yield Launched(batch, place, folder, manifest, campaign_of(service, batch, place, args.timeout))


def agree(amount: Decimal, place: LaunchPlace, confirmed: str | None) -> None:
    """Return when the user agrees to spend *amount*: at a live place it has to be typed, or given as an option."""
    if not place.live:
        return
    if confirmed is None:
        if not sys.stdin.isatty():
            fix = f"add --confirm-amount {amount}"
            raise UsageError(f"up to {amount} US dollars would be spent, and nobody is here to agree", fix=fix)
        sys.stderr.write(f"Up to {amount} US dollars will be spent at {place.endpoint}. Type the amount to continue: ")
        sys.stderr.flush()
        confirmed = sys.stdin.readline()
    if dollars(confirmed, name="the amount") != amount:
        raise UsageError(f"the amount is {amount} US dollars, not {confirmed.strip()}", fix="nothing was sent")


def say(text: str) -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(f"{text}\n")
