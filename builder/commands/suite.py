"""Take published data of an evaluation suite over from a copy of yours.

Examples:
    ncimp suite import astitch AStitchInLanguageModels --out suites/astitch
    ncimp evaluate --suite astitch --release suites/astitch --model ./minilm
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ncimp.builder.commands.options import command, option, out, path
from ncimp.builder.records import Source
from ncimp.builder.release.suites import write_suite
from ncimp.builder.sources.published import astitch, lexcomp
from ncimp.builder.sources.published.audit import open_tree
from ncimp.schemas import UsageError, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.suites import SuiteTables


class PublishedSuite(NamedTuple):
    """Published files that a suite evaluates on: the folder they are known by, their reader, and whom to cite."""

    mark: str
    read: Callable[..., SuiteTables]
    version: str
    licence: str
    citation: str


SUITES = {
    "astitch": PublishedSuite(
        "Dataset", astitch.read_astitch, astitch.VERSION, astitch.LICENCE,
        "Tayyar Madabushi et al. (2021). AStitchInLanguageModels. Findings of EMNLP.",
    ),
    "lexcomp": PublishedSuite(
        "diagnostic_classifiers", lexcomp.read_lexcomp, lexcomp.VERSION, lexcomp.LICENCE,
        "Shwartz and Dagan (2019). Still a Pain in the Neck: Evaluating Text Representations on Lexical Composition."
        " TACL 7.",
    ),
}  # fmt: skip


@command(
    option("suite", "the suite whose files they are", choices=tuple(SUITES)),
    option("folder", "your copy of the published repository, or a zip of it", type=Path, metavar="DIR"),
    path("--bnc", "DIR", "with lexcomp: your copy of the BNC, XML edition, which two of its tasks need"),
    out("folder to write"),
)
def run_import(args: argparse.Namespace) -> int:
    """Write the tables of a suite from published files, as `ncimp evaluate --suite` reads them.

    Files that your copy lacks are printed, and what needs them is left out; a file that is there, and not as expected,
    is refused. The texts are not ours to pass on: what is written is for you.

    Examples:
        ncimp suite import astitch AStitchInLanguageModels --out suites/astitch
        ncimp suite import astitch astitch.zip --out suites/astitch
        ncimp suite import lexcomp lexcomp --bnc BNC/Texts --out suites/lexcomp
    """
    suite = SUITES[args.suite]
    if args.bnc and args.suite != "lexcomp":
        raise UsageError("--bnc is for lexcomp", fix="leave it out")
    root = open_tree(args.folder, "give a copy of the published repository")
    if not (root / suite.mark).is_dir():  # a zip of a repository has all in one folder
        root = next((one for one in root.iterdir() if one.is_dir() and (one / suite.mark).is_dir()), root)
    tables = suite.read(root, args.bnc) if args.bnc else suite.read(root)
    digest = value_hash([to_row(row) for part in tables.folders().values() for row in part])
    source = Source(args.suite, "benchmark", "as given", suite.licence, suite.citation, None, digest)
    write_suite(args.out, tables, source, version=suite.version)
    sys.stdout.writelines(f"not in this copy: {name}\n" for name in tables.gaps)
    counts = ", ".join(f"{len(rows):,} {name}" for name, rows in tables.folders().items() if rows)
    sys.stderr.write(f"wrote {args.out}: {counts}; {len(tables.gaps)} gaps\n")
    return 0
