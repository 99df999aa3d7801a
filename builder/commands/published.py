"""Published files of other projects, from a copy of the user's."""

import argparse
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ncimp.builder.commands.options import command, option, path
from ncimp.builder.sources.published.audit import Audit, Tree, render
from ncimp.builder.sources.published.audit_ncimp import audit_ncimp
from ncimp.builder.sources.published.audit_nctti import audit_ncs, audit_nctti, compare
from ncimp.builder.sources.published.audit_suites import audit_astitch, audit_lexcomp
from ncimp.schemas import Place, SourceError, write_json, write_text


class AuditedRelease(NamedTuple):
    """A release that can be audited: files that only it has, and its audit."""

    name: str
    marks: tuple[str, ...]
    audit: Callable[..., Audit]
    zipped: bool = False  # whether it may be in a zip


RELEASES = (
    AuditedRelease("NCIMP", ("EN/neutral.csv", "PT/neutral.csv", "dataset/EN/neutral.csv"), audit_ncimp),
    AuditedRelease("NCTTI", ("data_en.tsv", "data/data_en.tsv"), audit_nctti),
    AuditedRelease("NCS", ("en/neutral/P1_sents.csv", "dataset/en/neutral/P1_sents.csv"), audit_ncs),
    AuditedRelease("AStitch", ("Task1/SubTaskA", "Dataset/Task1/SubTaskA"), audit_astitch, zipped=True),
    AuditedRelease("lexcomp", ("nc_literality", "diagnostic_classifiers/data"), audit_lexcomp, zipped=True),
)


@command(
    option("folder", "copy of a published release; AStitch and lexcomp may be in a zip", type=Path, metavar="DIR"),
    path("--with", "DIR", "a second release, to be audited, too, and compared with the first", dest="other"),
    path("--json", "FILE", "write every fault and figure as JSON"),
    path("--html", "FILE", "write a page with the first places of each kind"),
)
def run_audit(args: argparse.Namespace) -> int:
    """List what is wrong in published files of NCIMP, NCTTI, NCS, AStitch or lexcomp.

    Prints the kinds of faults, the worst first, with their numbers, then figures of the files beside those in print.
    Kinds of severity 3 break an analysis, 2 misleads, 1 is a blemish. Files are recognised by their layout.

    Examples:
        ncimp pack audit Finding-Idiomaticity-in-Word-Representations --html audit.html
        ncimp pack audit Finding-Idiomaticity-in-Word-Representations --with nctti --json audit.json
        ncimp pack audit astitch.zip
    """
    audits = [audit(folder) for folder in (args.folder, args.other) if folder is not None]
    if len(audits) > 1:
        audits.append(compare(audits))
    for one in audits:
        sys.stdout.writelines(f"{line}\n" for line in one.lines())
    if args.json:
        write_json(args.json, {"audits": [one.document() for one in audits]})
    if args.html:
        write_text(args.html, render(audits))
    return 0


def audit(source: Path) -> Audit:
    """Return the audit of the release at *source*, or raise `SourceError` where it is none that is known."""
    fix = f"give a copy of {', '.join(release.name for release in RELEASES)}"
    place = Place(str(source))
    if source.is_dir():
        root: Tree = source
    else:
        try:
            root = zipfile.Path(source)
        except (OSError, zipfile.BadZipFile) as error:
            what = "no such folder" if isinstance(error, FileNotFoundError) else f"no folder and no zip ({error})"
            raise SourceError(what, fix=fix, place=place) from None
    inner = sorted((one for one in root.iterdir() if one.is_dir()), key=lambda one: one.name)
    for folders in ([root], inner):  # a zip of a repository has all in one folder
        fitting = [(release, one) for one in folders for release in RELEASES if _has(one, release.marks)]
        if len(fitting) > 1:
            names = ", ".join(release.name for release, _ in fitting)
            raise SourceError(f"it holds {names}", fix="give the folder of one of them", place=place)
        for release, one in fitting:
            if isinstance(one, zipfile.Path) and not release.zipped:
                raise SourceError(f"{release.name} in a zip", fix="unpack it, and give the folder", place=place)
            return release.audit(one)
    raise SourceError("no files of a known layout", fix=fix, place=place)


def _has(folder: Tree, marks: Iterable[str]) -> bool:
    return any((folder / mark).exists() for mark in marks)
