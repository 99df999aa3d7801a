"""What the actions that talk to a service share: their options, the launch they are about, and the agreed amount."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.schemas.errors import Place, SchemaError, UsageError

if TYPE_CHECKING:
    from ncimp.builder.annotation.launch.batch import LaunchBatch
    from ncimp.builder.annotation.launch.journal import LaunchEvent, Manifest
    from ncimp.builder.annotation.launch.place import LaunchPlace
    from ncimp.builder.annotation.services.mturk_client import Turk
    from ncimp.builder.annotation.services.turkle_client import Turkle

TIMEOUT = 60.0
"""Seconds to wait for an answer, unless the user says otherwise."""


@dataclass(frozen=True, slots=True)
class Launched:
    """A batch that was launched: where, and the records of it."""

    batch: LaunchBatch
    place: LaunchPlace
    folder: Path
    manifest: Manifest


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options that every action has which talks to a service."""
    parser.add_argument("batch", type=Path, metavar="BATCH", help="batch folder, from `ncimp annotate export`")
    parser.add_argument("--records", type=Path, metavar="DIR", help="folder of the records (default: BATCH.launch)")
    parser.add_argument(
        "--timeout", type=_seconds, default=TIMEOUT, metavar="SECONDS", help="longest wait for an answer (default: 60)"
    )


def add_at(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses between several launches of one batch."""
    parser.add_argument("--at", metavar="PLACE", help="which launch, when the batch was launched at several places")


def add_agreement(parser: argparse.ArgumentParser) -> None:
    """Add the option that agrees to an amount without a terminal."""
    parser.add_argument("--confirm-amount", metavar="USD", help="agree to spend exactly this, where nobody can type it")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError("give seconds from 1 to 3600")
    return value


@contextmanager
def launched(args: argparse.Namespace, *, looking: bool = False) -> Iterator[Launched]:
    """Yield the launch that the options name, its manifest open to be added to, or *looking* only."""
    from ncimp.builder.annotation.launch.batch import read_launch_batch
    from ncimp.builder.annotation.launch.journal import opened, read_manifest
    from ncimp.builder.annotation.launch.place import MANIFEST, find_launch

    batch = read_launch_batch(args.batch)
    folder = find_launch(args.batch, args.records, args.at)
    path = folder / MANIFEST
    with nullcontext(read_manifest(path)) if looking else opened(path) as manifest:
        begun = manifest.beginning
        if begun is None:
            raise UsageError("the launch was never begun: its manifest is empty", fix="`ncimp annotate launch`")
        if begun.facts.get("batch") != batch.info.batch:
            raise UsageError(f"{folder} holds the launch of another batch", fix="give the folder of its own batch")
        place = _place(begun, path)
        yield Launched(batch, place, folder, manifest)


def _place(begun: LaunchEvent, path: Path) -> LaunchPlace:
    from ncimp.builder.annotation.launch.place import LaunchPlace

    facts = begun.facts
    known = facts.get("platform") in ("mturk", "turkle") and isinstance(facts.get("endpoint"), str)
    if not known or not isinstance(facts.get("live"), bool):
        what = "the first line does not say where the batch was launched"
        raise SchemaError(what, fix="mend the line", place=Place(str(path), 1))
    return LaunchPlace(facts["platform"], facts["endpoint"], facts["live"])


def turk_of(found: Launched, args: argparse.Namespace) -> Turk:
    """Return the account of a launch on Mechanical Turk's API; on Turkle nothing is paid, which is wrong use here."""
    from ncimp.builder.annotation.services.mturk_client import Turk

    if found.place.platform != "mturk":
        raise UsageError(f"Turkle pays nobody, so there is nothing to {args.action}", fix="leave it out")
    return Turk(found.place.endpoint, timeout=args.timeout)


def turkle_of(found: Launched, args: argparse.Namespace) -> Turkle:
    """Return the Turkle of a launch."""
    from ncimp.builder.annotation.services.turkle_client import Turkle

    return Turkle(found.place.endpoint, timeout=args.timeout)


def agree(amount: Decimal, place: LaunchPlace, confirmed: str | None) -> None:
    """Return when the user agrees to spend *amount*: at a live place it has to be typed, or given as an option."""
    from ncimp.builder.annotation.services.mturk_money import money

    if not place.live:
        return
    if confirmed is None:
        if not sys.stdin.isatty():
            fix = f"add --confirm-amount {amount}"
            raise UsageError(f"up to {amount} US dollars would be spent, and nobody is here to agree", fix=fix)
        sys.stderr.write(f"Up to {amount} US dollars will be spent at {place.endpoint}. Type the amount to go on: ")
        sys.stderr.flush()
        confirmed = sys.stdin.readline()
    if money(confirmed, name="the amount") != amount:
        raise UsageError(f"the amount is {amount} US dollars, not {confirmed.strip()}", fix="nothing was sent")


def say(text: str) -> None:
    """Write a line of talk to standard error."""
    sys.stderr.write(f"{text}\n")
