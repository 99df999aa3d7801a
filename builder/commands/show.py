"""Show items of a release: the sentence with its span coloured, and why it is as it is.

Synset and rank of a synonym, frequencies and distances of a random compound, and every change of the
carrier with the name of its rule. Items whose text is withheld are left out, and counted.

Examples:
    ncimp show en/eager-beaver/nat1/ws3
    ncimp show pt/ovelha-negra/nat2
    ncimp show pt/ovelha-negra --release ncimp
    ncimp show --sample 40 --seed review
    ncimp show --sample 200 --seed panel --lang pt --skip head mod
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.builder.records import VARIANTS, Item, Standoff
from ncimp.schemas.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("id", nargs="*", help="an item id, or the beginning of one: lang/compound[/context[/variant]]")
    parser.add_argument("--release", type=Path, default=Path("ncimp"), help="release folder (default: ncimp)")
    parser.add_argument("--sample", type=int, metavar="N", help="show N items in keyed-hash order instead")
    parser.add_argument("--seed", default="show", help="first part of the keyed hash of --sample (default: show)")
    parser.add_argument("--lang", nargs="+", metavar="CODE", help="sample only these languages")
    parser.add_argument("--skip", nargs="+", default=[], choices=VARIANTS, metavar="VARIANT", help="leave these out")
    parser.add_argument("--json", action="store_true", help="print one JSON object per item")


def run(args: argparse.Namespace) -> int:
    """Print the items; return 0, or raise `UsageError` when none has such an id."""
    from rich.console import Console

    from ncimp.builder.validation.folder.files import read_manifest, read_tables, read_withheld
    from ncimp.schemas.records import to_row

    if args.sample is not None and args.sample < 1:
        raise UsageError(f"--sample {args.sample} shows nothing", fix="give a number above 0")
    if args.id and (args.lang or args.skip):
        raise UsageError("--lang and --skip choose a sample, and ids were given", fix="give --sample N, or ids alone")
    if not args.id and args.sample is None:
        raise UsageError("nothing to show", fix="give an item id, or --sample N")
    manifest = read_manifest(args.release)
    tables = read_tables(args.release, manifest)
    items = [*tables.items, *tables.literal]
    withheld = read_withheld(args.release, manifest, {item.id for item in items})
    console = Console(highlight=False, soft_wrap=True)
    for item in _asked(items, args) if args.sample else find(items, args.id, [row.id for row in withheld]):
        if args.json:
            sys.stdout.write(json.dumps(to_row(item), ensure_ascii=False) + "\n")
        else:
            print_item(item, console)
    _tell_withheld([row for row in withheld if _is_asked(row, args)], args.release)
    return 0


def _asked(items: Sequence[Item], args: argparse.Namespace) -> list[Item]:
    return sample([item for item in items if _is_asked(item, args)], args.sample, args.seed)


def _is_asked(row: Item | Standoff, args: argparse.Namespace) -> bool:
    """Tell whether *row* is one of those that are asked for, or of those that a sample is drawn from."""
    if args.id:
        return any(is_below(row.id, prefix) for prefix in args.id)
    return row.id.rsplit("/", 1)[1] not in args.skip and row.lang in (args.lang or [row.lang])


def _tell_withheld(rows: Sequence[Standoff], release: Path) -> None:
    """Say on stderr that *rows* were left out, and why; nothing when there are none."""
    if rows:
        licences = ", ".join(sorted({row.licence for row in rows}))
        what = f"left out, because their text is withheld ({licences}): {len(rows)}"
        sys.stderr.write(f"ncimp show: {what}; put it back with `ncimp restore {release} --corpus ...`\n")


def is_below(item_id: str, prefix: str) -> bool:
    """Tell whether *item_id* is *prefix*, or begins with it up to a slash.

    >>> is_below("en/rat-race/nat1/ws3", "en/rat-race/nat1"), is_below("en/rat-race/nat1/ws3", "en/rat")
    (True, False)
    """
    return f"{item_id}/".startswith(f"{prefix.rstrip('/')}/")


def find(items: Sequence[Item], wanted: Sequence[str], withheld: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the items whose id is, or begins with, one of *wanted* up to a slash.

    Raises `UsageError` where there is none, not even among the ids of *withheld* items.
    """
    known = [*(item.id for item in items), *withheld]
    for prefix in wanted:
        if not any(is_below(item_id, prefix) for item_id in known):
            near = _nearest(prefix, known)
            raise UsageError(
                f"no item {prefix!r}", fix=f"did you mean {near!r}?" if near else "see `ncimp show --sample 5`"
            )
        yield from (item for item in items if is_below(item.id, prefix))


def _nearest(wanted: str, known: Sequence[str]) -> str | None:
    import difflib

    depth = wanted.rstrip("/").count("/") + 1
    beginnings = dict.fromkeys("/".join(item_id.split("/")[:depth]) for item_id in known)
    return next(iter(difflib.get_close_matches(wanted, list(beginnings), n=1)), None)


def sample(items: Sequence[Item], count: int, seed: str) -> list[Item]:
    """Return the first *count* items in the order of the keyed hash of *seed* and their ids."""
    from ncimp.schemas.hashing import keyed_hash

    return sorted(items, key=lambda item: keyed_hash(seed, item.id))[:count]


def print_item(item: Item, console: Console) -> None:
    """Print the sentence of *item* with its span coloured, then its reasons, one a line."""
    from rich.text import Text

    text = Text(item.sentence)
    text.stylize("bold green" if item.variant == "orig" else "bold magenta", *item.span)
    for edit in item.carrier_edits:
        text.stylize("underline yellow", edit.start, edit.start + len(edit.after))
    console.print(Text(item.id, style="dim"))
    console.print(text)
    for name, value in reasons(item):
        console.print(Text(f"  {name:<12}", style="dim") + Text(value))
    console.print()


def reasons(item: Item) -> Iterator[tuple[str, str]]:
    """Yield (name, value) for what there is to say of *item*."""
    features = " ".join(filter(None, (item.pattern, item.gender, item.number)))
    held = item.sentence[slice(*item.span)]
    yield "compound", f"{item.compound} ({item.compound_class.replace('_', ' ')}, {item.split})"
    yield "span", f"{held!r} at {item.span[0]}-{item.span[1]}, from {item.replacement!r} ({features})"
    yield "why", item.explanation
    yield "source", item.source
    for part, synset, relation, zipf in (
        ("modifier", item.modifier_synset, item.modifier_relation, item.modifier_zipf),
        ("head", item.head_synset, item.head_relation, item.head_zipf),
    ):
        if zipf is not None or synset is not None:
            found = f", {relation} in {synset}" if synset else ""
            yield part, f"{getattr(item, part)!r}, Zipf {'unknown' if zipf is None else f'{zipf:.2f}'}{found}"
    for edit in item.carrier_edits:
        yield "edit", f"{edit.before!r} -> {edit.after!r} at {edit.start}: {edit.rule}"
