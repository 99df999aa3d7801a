"""Write the judging task as an HTML page, and open it in the browser.

Shows the task as annotators see it, in the wording of the language's annotation.toml, with the sentences of a
compound of the pack, or with a task of a batch. Its button shows the answers that would be sent; nothing is sent.

Examples:
    ncimp annotate preview --lang en
    ncimp annotate preview --lang pt --mode type --compound "pavio curto" --no-open
    ncimp annotate preview --batch batch-en --out task.html
"""

import argparse
import sys
import webbrowser
from pathlib import Path

from ncimp.builder.annotation.task.batch import MODES, Mode, Sheet, read_batch, task_id
from ncimp.builder.annotation.task.cells import plain, read_csv
from ncimp.builder.annotation.task.page import SENTENCES, preview_page, task_page
from ncimp.builder.annotation.task.wording import read_wording
from ncimp.builder.commands.options import add_out, add_packs
from ncimp.builder.records import NATURALISTIC, LanguagePack
from ncimp.builder.sources.packs.packs import pack_names, packs_folder, read_pack
from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.files import read_text, write_text


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument("--lang", default="en", metavar="CODE", help="language of the pack (default: en)")
    parser.add_argument("--mode", choices=MODES, default="token", help="one sentence, or three (default: token)")
    parser.add_argument("--compound", metavar="TEXT", help="compound to show (default: the first of the pack)")
    parser.add_argument("--batch", type=Path, metavar="DIR", help="show a task of this batch instead")
    parser.add_argument("--task", metavar="ID", help="the task of the batch (default: the first)")
    parser.add_argument("--contact", metavar="TEXT", help="who asks, in the text on consent")
    add_packs(parser)
    add_out(parser, "page to write", default=Path("annotation-preview.html"), metavar="FILE")
    parser.add_argument("--no-open", dest="open", action="store_false", help="only write the file")


def run(args: argparse.Namespace) -> int:
    """Write the page, open it unless --no-open is given, and return 0."""
    packs = args.packs or packs_folder()
    page = _of_batch(args, packs) if args.batch else _of_pack(args, packs)
    write_text(args.out, page)
    sys.stdout.write(f"{args.out}\n")
    if args.open and not webbrowser.open(args.out.resolve().as_uri()):
        sys.stderr.write(f"no browser was found; open {args.out} yourself\n")
    return 0


def _of_pack(args: argparse.Namespace, packs: Path) -> str:
    if args.lang not in pack_names(packs):
        raise UsageError(f"no language pack {args.lang!r}", fix=f"the languages are {', '.join(pack_names(packs))}")
    wording = read_wording(packs / args.lang)
    sheet = sheet_of_pack(read_pack(packs / args.lang), args.mode, args.compound)
    return preview_page(task_page(wording, args.mode, contact=args.contact), sheet.fields(), wording)


def sheet_of_pack(pack: LanguagePack, mode: Mode, text: str | None) -> Sheet:
    """Return the sheet of the compound *text* of *pack*, or of its first compound."""
    compounds = {compound.text: compound for compound in pack.compounds}
    compound = compounds.get(text or next(iter(compounds)))
    if compound is None:
        raise UsageError(f"no compound {text!r} in the pack", fix="give one as compounds.tsv has it")
    marked = [pack.marked[compound.text, name] for name in NATURALISTIC[: SENTENCES[mode]]]
    parts = [(one.text[: one.span[0]], one.text[slice(*one.span)], one.text[one.span[1] :]) for one in marked]
    return Sheet(task_id("preview", compound.text), compound.modifier, compound.head, compound.text, tuple(parts))


def _of_batch(args: argparse.Namespace, packs: Path) -> str:
    batch = read_batch(args.batch)
    wording = read_wording(packs / batch.info.lang)
    return preview_page(*_template_and_fields(batch.folder, args.task), wording)


def _template_and_fields(folder: Path, task: str | None) -> tuple[str, dict[str, str]]:
    """Return the template of the batch in *folder*, and the values of *task*, or of its first."""
    path = folder / "tasks.csv"
    if not path.is_file():
        what = "the batch has no template: its service makes pages of its own"
        raise SourceError(what, fix="preview a batch for mturk or turkle, or a pack", place=Place(str(folder)))
    rows = [row for _, row in read_csv(path)[1]]
    row = next((row for row in rows if row["task_id"] == (task or row["task_id"])), None)
    if row is None:
        raise UsageError(
            f"no task {task!r} in the batch", fix=f"tasks.csv lists them; the first is {rows[0]['task_id']}"
        )
    return read_text(folder / "template.html"), {name: plain(value) for name, value in row.items()}
