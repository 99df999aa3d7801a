"""Take published data over from a copy of the user's, and list what is wrong in it."""

import argparse
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, get_args

from ncimp.builder.build.paper import MENDS, Completer, waive
from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.commands.options import DATA, ENCODING, Option, command, flag, group, option, out, path
from ncimp.builder.ports import SynonymSource
from ncimp.builder.records import CompoundClass, Source
from ncimp.builder.selection.synonyms import SynonymFinder
from ncimp.builder.sources.collection import NOT_STATED, Collection, NamedLexicon, find_lexicon, open_lexicons
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.packs.packs import FILES, OPTIONAL, pack_names, packs_folder, read_pack
from ncimp.builder.sources.packs.packs import PUBLISHED as PUBLISHED_TABLE
from ncimp.builder.sources.published import edition
from ncimp.builder.sources.published.audit import Audit, Tree, open_tree, render
from ncimp.builder.sources.published.audit_ncimp import audit_ncimp
from ncimp.builder.sources.published.audit_nctti import audit_ncs, audit_nctti, compare
from ncimp.builder.sources.published.audit_suites import audit_astitch, audit_lexcomp
from ncimp.builder.sources.published.ncimp import read_ncimp
from ncimp.builder.sources.published.nctti import CorpusPlace, read_nctti
from ncimp.builder.sources.registry import known_by_hash, source_hash
from ncimp.corpus_stats.contexts.search import DOCUMENT_FORMATS, find_documents
from ncimp.schemas import Place, SourceError, UsageError, write_json, write_text
from ncimp.schemas.files import folder_aside, replace_folder
from ncimp.schemas.records import compound_key

PUBLISHED: Option = option("folder", "your copy of the published repository", type=Path, metavar="DIR")


@command(
    option(
        "kind", "the files of NCIMP; or those of NCTTI, which are added to packs that exist", choices=("ncimp", "nctti")
    ),
    PUBLISHED,
    out("folder of the packs"),
    flag("--complete", "make the sentences that the files lack, marked `regenerated`"),
    option(
        "--lexicon",
        "where --complete finds component synonyms: names of added sources, or paths",
        nargs="+",
        default=[],
        metavar="NAME|PATH",
    ),
    group(
        "NCIMP",
        option(
            "--also",
            "keep a compound that not all files have, with a class where it has no score (repeatable)",
            action="append",
            default=[],
            metavar="COMPOUND[=CLASS]",
        ),
        option("--mend", "mend a and an, other agreement, or all, marked `mended`", choices=(*MENDS, "all")),
    ),
    group(
        "NCTTI",
        path(
            "--corpus",
            "PATH",
            "ukWaC or brWaC, for sentences of which only the place is published",
            nargs="+",
            default=[],
        ),
        option("--format", "format of the corpus", choices=DOCUMENT_FORMATS, default="wac"),
        ENCODING,
    ),
    DATA,
)
def run_import(args: argparse.Namespace) -> int:
    """Write packs of the edition `paper` from the published files; or add what NCTTI has to them.

    Sentences stand in a pack as they stand in the files. What the files lack is listed in holes.tsv, and made only with
    --complete; what is wrong stands in waivers.tsv, and is mended only with --mend. Compounds that not all files have
    are left out and printed. NCTTI has sentences, too: they fill what a copy of NCIMP lacks, those that stand in ukWaC
    or brWaC with --corpus. Nobody has licensed the text: the packs, and what is built from them, are for you.

    Examples:
        ncimp pack import ncimp Finding-Idiomaticity-in-Word-Representations --out packs-paper
        ncimp pack import nctti nctti --out packs-paper
        ncimp pack import nctti nctti --out packs-paper --corpus ukwac --encoding latin-1 --complete
        ncimp pack import ncimp copy --out packs-paper --complete --lexicon omw-pt:2.0 oewn:2025 --mend all
        ncimp pack import ncimp copy --out packs-paper --also "small fry=idiomatic"
    """
    if args.lexicon and not args.complete:
        raise UsageError("--lexicon is for --complete", fix="add --complete, or leave it out")
    if args.kind == "nctti":
        if args.also or args.mend:
            raise UsageError("--also and --mend are for the files of NCIMP")
        return _add_nctti(args)
    if args.corpus:
        raise UsageError("--corpus is for the files of NCTTI", fix="import those of NCIMP first, without it")
    old = list(args.out.iterdir()) if args.out.is_dir() else []
    if args.out.is_file() or not all(map(_is_paper_pack, old)):
        raise UsageError(f"{args.out} holds something else than packs of this command", fix="name another folder")
    files, also = read_ncimp(args.folder), _also(args.also)
    unknown = also.keys() - {compound_key(row[0]) for table in files.tables for row in table.rows}
    if unknown:
        raise UsageError(f"no file has the compound {sorted(unknown)[0]!r} of --also", fix="check its spelling")
    if any(row.source == edition.NCTTI for path in old for row in read_pack(path).scores):
        sys.stderr.write("the packs that were there had scores of NCTTI: import these again\n")
    lexicons = _opened(args)
    with folder_aside(args.out) as aside:
        for lang in dict.fromkeys(table.lang for table in files.tables):
            with closing(LanguageResources(lang, packs_folder(), args.data)) as resources:
                pack = edition.PaperReader(files, resources.pack.language, resources.analyser, also).read()
                pack = edition.with_memberships(pack, resources.pack.memberships)
                completer = _completer(resources, lexicons)
                if args.mend:
                    pack = completer.mend(pack, MENDS if args.mend == "all" else (args.mend,))
                pack = completer.complete(pack) if args.complete else pack
            edition.write_paper_pack(aside / lang, pack, packs_folder() / lang)
            waived = waive(aside / lang)
            origins = Counter(row.origin for row in pack.items)
            counts = ", ".join(f"{count:,} {name}" for name, count in origins.items())
            missing = sum(len(row.variants.split()) for row in pack.holes)
            sys.stdout.writelines(f"{lang}: left out: {text}\n" for text in pack.left_out)
            sys.stderr.write(
                f"{lang}: {len(pack.compounds)} compounds, {counts} sentences; {missing:,} cells missing; "
            )
            sys.stderr.write(f"{waived} incidents waived\n")
        aside.chmod(0o755)
        replace_folder(aside, args.out)
    return 0


def _is_paper_pack(folder: Path) -> bool:
    """Tell whether *folder* is a pack of published sentences, and holds nothing else."""
    return (folder / PUBLISHED_TABLE).is_file() and {path.name for path in folder.iterdir()} <= {*FILES, *OPTIONAL}


OpenedLexicons = tuple[Mapping[str, Sequence[SynonymSource]], tuple[Source, ...]]
"""The lexicons that the user has named, by language, and what is to be credited for them."""


def _opened(args: argparse.Namespace) -> OpenedLexicons:
    lexicons = [find_lexicon(text, packs_folder(), Collection(args.data)) for text in args.lexicon]
    return open_lexicons(lexicons, data=args.data), tuple(_credits(lexicons, args.data))


def _completer(resources: LanguageResources, lexicons: OpenedLexicons) -> Completer:
    sources = lexicons[0].get(resources.lang)
    if not sources:
        return Completer(resources)
    finder = SynonymFinder(sources, frequencies=WordfreqTable(resources.lang), morphology=resources.inflector)
    names = ", ".join(source.name for source in sources)
    return Completer(resources, finder, f"component synonyms of {names}", lexicons[1])


def _credits(lexicons: Iterable[NamedLexicon], data: Path) -> Iterator[Source]:
    """Yield each of *lexicons* as a source, with its licence and citation as far as they are known."""
    records = {row.sha256: row for row in Collection(data).added().values()}
    for lexicon in lexicons:
        sha256 = source_hash(lexicon.path)
        record = records.get(sha256) or known_by_hash(sha256)
        if record is None:
            name = f"wordnet/{lexicon.path.name}"
            yield Source(name, "wordnet", NOT_STATED, NOT_STATED, NOT_STATED, None, sha256)
        else:
            name = f"wordnet/{record.name}"
            yield Source(name, "wordnet", record.version, record.licence, record.citation, record.address, sha256)


def _also(texts: list[str]) -> Mapping[str, CompoundClass | None]:
    """Return the class, None where none is given, of each compound that is to be kept, by its key."""
    also: dict[str, CompoundClass | None] = {}
    for text in texts:
        name, mark, label = text.partition("=")
        kind = next((one for one in get_args(CompoundClass) if one == label), None)
        if mark and kind is None:
            raise UsageError(f"{label!r} is no class", fix=f"write one of {', '.join(get_args(CompoundClass))}")
        also[compound_key(name)] = kind
    return also


def _add_nctti(args: argparse.Namespace) -> int:
    rows = read_nctti(args.folder)
    langs = [lang for lang in pack_names(args.out) if _is_paper_pack(args.out / lang)]
    if not langs:
        fix = "make them first: ncimp pack import ncimp DIR --out DIR"
        raise UsageError(f"no pack of published files in {args.out}", fix=fix)
    places = {place.document for row in rows for place in row.sentences if isinstance(place, CorpusPlace)}
    texts = dict(edition.documents(args.folder)) | find_documents(
        args.corpus, args.format, places, encoding=args.encoding
    )
    lexicons = _opened(args)
    with folder_aside(args.out) as aside:
        shutil.copytree(args.out, aside, dirs_exist_ok=True)
        for lang in langs:
            pack = read_pack(args.out / lang)
            of_lang = [row for row in rows if row.lang == lang]
            tables = (pack.compounds, pack.synonyms, pack.published, pack.scores, pack.holes, pack.memberships)
            with closing(LanguageResources(lang, packs_folder(), args.data)) as resources:
                completer = _completer(resources, lexicons)
                paper = completer.add_sentences(
                    edition.with_nctti(edition.PaperPack(*tables, sources=pack.sources), of_lang), of_lang, texts
                )
                new = len(paper.items) - len(pack.published)
                paper = completer.complete(paper) if args.complete else paper
            edition.write_changes(aside / lang, paper)
            waive(aside / lang)  # splits balance the classes
            number = len({row.compound for row in paper.scores if row.layer == "expert_class"})
            sys.stderr.write(f"{lang}: {number} of {len(pack.compounds)} compounds have a class by experts; ")
            sys.stderr.write(f"{new:,} sentences added\n")
        aside.chmod(0o755)
        replace_folder(aside, args.out)
    return 0


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
    if args.json:
        write_json(args.json, {"audits": [one.document() for one in audits]})
    if args.html:
        write_text(args.html, render(audits))
    for one in audits:
        sys.stdout.writelines(f"{line}\n" for line in one.lines())
    return 0


def audit(source: Path) -> Audit:
    """Return the audit of the release at *source*, or raise `SourceError` where it is none that is known."""
    fix = f"give a copy of {', '.join(release.name for release in RELEASES)}"
    place, root = Place(str(source)), open_tree(source, fix)
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
