"""Show items of a release: the sentence with its span coloured, and the reasons for its words.

The reasons are synset and rank of a synonym, frequencies and distances of a random compound, and every change of the
carrier with the name of its rule. Items with withheld text are left out and counted.

Examples:
    ncimp show en/eager-beaver/nat1/ws3
    ncimp show pt/ovelha-negra/nat2
    ncimp show pt/ovelha-negra --release ncimp
    ncimp show --sample 40 --seed review
    ncimp show --sample 200 --seed panel --lang pt --skip head mod
    ncimp show --sample 300 --seed blind-1 --lang en --form
"""

import argparse
import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ncimp.builder.commands.options import (
    JSON_ROWS,
    RELEASE,
    RELEASE_FOLDER,
    command,
    flag,
    langs,
    number,
    option,
    path,
    print_document,
    print_json,
    seed,
)
from ncimp.builder.records import VARIANTS, Item, Standoff, family_of
from ncimp.builder.release.figures import require_matplotlib, write_figures
from ncimp.builder.release.measure import measure, print_page
from ncimp.builder.release.tables import read_release
from ncimp.builder.validation.folder import read_content
from ncimp.schemas import Place, UsageError, keyed_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder


@command(
    option("id", "an item id, or the beginning of one: lang/compound[/context[/variant]]", nargs="*"),
    RELEASE,
    number("--sample", None, "show N items in keyed-hash order instead"),
    seed("another seed gives another sample"),
    langs("sample only these languages"),
    option("--skip", "leave these out", nargs="+", default=[], choices=VARIANTS, metavar="VARIANT"),
    JSON_ROWS,
    flag("--form", "print what a reader may know, as JSON lines: id, family, compound, sense, sentence, span"),
)
def run(args: argparse.Namespace) -> int:
    """Print the items; return 0, or raise `UsageError` when no item has such an id."""
    if args.id and (args.lang or args.skip):
        raise UsageError("--lang and --skip choose a sample, but ids were given", fix="give --sample N, or ids alone")
    if not args.id and args.sample is None:
        raise UsageError("nothing to show", fix="give an item id, or --sample N")
    content = read_content(ReleaseFolder(args.release))
    items = [*content.tables.items, *content.tables.literal]
    if args.sample:
        items = sample([item for item in items if _matches(item, args)], args.sample, args.seed)
    else:  # found sentences are read in `attested.tsv`, and no part of a sample
        items = list(find([*items, *content.tables.attested], args.id, [row.id for row in content.standoff]))
    if args.form:
        notes = {row.id: row.sense_note for row in content.tables.compounds}
        print_json(form_line(item, notes[item.compound_id]) for item in items)
    elif args.json:
        print_json(map(to_row, items))
    else:
        console = Console(highlight=False, soft_wrap=True)
        benchmarks = {row.id: row.benchmarks for row in content.tables.compounds}
        for item in items:
            print_item(item, console, benchmarks.get(item.compound_id, ()))
    missing = [row for row in content.standoff if _matches(row, args)]
    if missing:
        licences = ", ".join(sorted({row.licence for row in missing}))
        message = f"left out, because their text is withheld ({licences}): {len(missing)}"
        sys.stderr.write(f"ncimp show: {message}; put it back with `ncimp restore {args.release} --corpus ...`\n")
    return 0


def _matches(row: Item | Standoff, args: argparse.Namespace) -> bool:
    if args.id:
        return any(is_below(row.id, prefix) for prefix in args.id)
    return row.id.rsplit("/", 1)[1] not in args.skip and row.lang in (args.lang or [row.lang])


def is_below(item_id: str, prefix: str) -> bool:
    """Test whether *item_id* is *prefix*, or begins with it up to a slash.

    >>> is_below("en/rat-race/nat1/ws3", "en/rat-race/nat1"), is_below("en/rat-race/nat1/ws3", "en/rat")
    (True, False)
    """
    return f"{item_id}/".startswith(f"{prefix.rstrip('/')}/")


def find(items: Sequence[Item], prefixes: Sequence[str], withheld: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the items below *prefixes*; raise `UsageError` for one below which is no item and no *withheld* id."""
    ids = [*(item.id for item in items), *withheld]
    for prefix in prefixes:
        if not any(is_below(item_id, prefix) for item_id in ids):
            depth = prefix.rstrip("/").count("/") + 1
            beginnings = dict.fromkeys("/".join(item_id.split("/")[:depth]) for item_id in ids)
            near = difflib.get_close_matches(prefix, list(beginnings), n=1)
            fix = f"did you mean {near[0]!r}?" if near else "see `ncimp show --sample 5`"
            raise UsageError(f"no item {prefix!r}", fix=fix)
        yield from (item for item in items if is_below(item.id, prefix))


def sample(items: Sequence[Item], count: int, seed: str) -> list[Item]:
    """Return the first *count* items in the order of the keyed hash of *seed* and their ids."""
    return sorted(items, key=lambda item: keyed_hash(seed, item.id))[:count]


def form_line(item: Item, sense_note: str) -> dict[str, str]:
    """Return what a reader of a blind sample may know of *item*, and not why its words were chosen."""
    span = item.sentence[slice(*item.span)]
    known = {"compound": item.compound, "sense_note": sense_note, "sentence": item.sentence, "span": span}
    return {"item": item.id, "family": family_of(item), **known}


def print_item(item: Item, console: Console, benchmarks: Sequence[str] = ()) -> None:
    """Print the sentence of *item* with its span coloured, then its reasons, one a line, and who else has its NC."""
    text = Text(item.sentence)
    text.stylize("bold green" if item.variant == "orig" else "bold magenta", *item.span)
    for edit in item.carrier_edits:
        text.stylize("underline yellow", edit.start, edit.start + len(edit.after))
    console.print(Text(item.id, style="dim"))
    console.print(text)
    also = [("also in", ", ".join(benchmarks))] if benchmarks else []
    for name, value in (*reasons(item), *also):
        console.print(Text(f"  {name:<12}", style="dim") + Text(value))
    console.print()


def reasons(item: Item) -> Iterator[tuple[str, str]]:
    """Yield (name, value) for each reason of *item*."""
    features = " ".join(filter(None, (item.pattern, item.gender, item.number)))
    words = item.sentence[slice(*item.span)]
    yield "compound", f"{item.compound} ({item.compound_class.replace('_', ' ')}, {item.split})"
    yield "span", f"{words!r} at {item.span[0]}-{item.span[1]}, from {item.replacement!r} ({features})"
    yield "why", item.explanation
    yield "source", item.source
    for part, synset, relation, zipf in (
        ("modifier", item.modifier_synset, item.modifier_relation, item.modifier_zipf),
        ("head", item.head_synset, item.head_relation, item.head_zipf),
    ):
        if zipf is not None or synset is not None:
            sense = f", {relation} in {synset}" if synset else ""
            yield part, f"{getattr(item, part)!r}, Zipf {'unknown' if zipf is None else f'{zipf:.2f}'}{sense}"
    for edit in item.carrier_edits:
        yield "edit", f"{edit.before!r} -> {edit.after!r} at {edit.start}: {edit.rule}"


@command(
    RELEASE_FOLDER,
    path("--figures", "DIR", "folder for the figures (default: draw none)"),
    flag("--json", "print one JSON object with all figures"),
)
def run_describe(args: argparse.Namespace) -> int:
    """Describe a release in figures: composition, lengths, places of the compounds, frequency match, relations, edits.

    Reads the release folder only, after checking every file against its manifest, and prints one page of
    tables; each says its unit. Quantiles are interpolated linearly between neighbouring values, standard
    deviations are those of a sample (n - 1). `--figures` also draws five figures (PNG) into a folder; it
    needs matplotlib: pip install "ncimp[plots]".

    Examples:
        ncimp describe
        ncimp describe my-release/ncimp --json > statistics.json
        ncimp describe ncimp --figures docs/figures
    """
    folder: Path | None = args.figures
    if folder is not None:  # refused before any work
        require_matplotlib()
        if folder.resolve().is_relative_to(args.release.resolve()):
            fix = "name a folder outside: a release holds what its manifest lists, and nothing else"
            raise UsageError(f"--figures {str(folder)!r} is inside the release", fix=fix)
    tables = read_release(args.release)
    statistics = measure(tables)
    if folder is not None:
        try:
            paths = list(write_figures(folder, tables, statistics))
        except OSError as error:
            what = f"no figure can be written there ({error.strerror})"
            raise UsageError(what, fix="give another --figures", place=Place(str(folder))) from None
        sys.stderr.writelines(f"wrote {path}\n" for path in paths)
    if args.json:
        print_document(statistics)
    else:
        print_page(statistics, sys.stdout)
    return 0
