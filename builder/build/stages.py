"""The order of the stages of a build.

pack-<lang>     pack                         -> incidents; any that is not waived ends the build
select-<lang>   pack, lexicon, frequencies   -> replacements; Zipf values of the components
fill-<lang>     pack, replacements           -> items
tables-<lang>   pack, items, replacements    -> rows of the release's tables
check-<lang>    pack, rows                   -> incidents
validate        packs, all rows, incidents   -> all incidents; any that is not waived ends the build
release         all rows                     -> the release folder, and its logical hash

From select to check no language needs another one, so languages can be built in parallel, each in a process.

A stage is a folder of outputs that is reused while inputs, options and code stay the same. Its record, `stage.json` in
its folder, is written last (`ncimp.schemas.journal`), so that a killed stage runs again.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib.metadata import version
from importlib.resources import files
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any

import ncimp
from ncimp.builder import records
from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.config import BuildOptions
from ncimp.builder.filling.fill import Filler
from ncimp.builder.release import tables
from ncimp.builder.release.card import project_links
from ncimp.builder.release.withholding import places_of
from ncimp.builder.release.write import ReleaseContent, write_release
from ncimp.builder.selection.replacements import select
from ncimp.builder.selection.words import zipf_of
from ncimp.builder.sources import compounds
from ncimp.builder.sources.published.ncimp import published_places
from ncimp.builder.validation.card import check_card
from ncimp.builder.validation.folder import check_files, check_versions
from ncimp.builder.validation.scope import Tables
from ncimp.builder.validation.validate import refuse, validate_language, validate_pack, validate_together
from ncimp.schemas import NcimpError, ReleaseError, file_hash, read_json, recover, value_hash, write_json
from ncimp.schemas.journal import Hashes, file_lock, read_step, write_step
from ncimp.schemas.records import compound_key, read_rows, write_rows
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import CompositionItem, ConsistencyPair, ReleasedSense, SenseExample, SuiteTables

Report = Callable[[str, bool], None]  # called with the name of each stage and whether it is reused
STAGE_FORMAT = 2  # version of the layout of stage folders; a change makes every stage run again
RECORD = "stage.json"
SHARED = ("ports.py", "config.py", "records", "grammar.py", "build")
"""Files and folders of the builder that every stage depends on."""
BESIDE = ("corpus_stats",)  # rooms beside the builder that a stage may name
STAGES = ("pack", "select", "fill", "tables", "check", "validate", "release")  # the kinds of stages, in order
TABLES: tuple[tuple[str, type[Any]], ...] = (  # the rows of a language that the stage `tables` writes
    *(("sentences", records.Item), ("pairs", records.Pair), ("compounds", records.ReleasedCompound)),
    *(("literal", records.Item), ("attested", records.AttestedItem), ("senses", ReleasedSense)),
    *(("examples", SenseExample), ("consistency", ConsistencyPair), ("composition", CompositionItem)),
)
IDENTITY = "identity.json"  # the hashes of the release that the release stage has written
INCIDENTS = "incidents.jsonl"  # the output of a stage that checks
LOCK = "lock"  # the file in the work folder that a build locks, so that another one waits
POLL_SECONDS = 0.1  # time between two looks at the progress of the workers
_progress: SimpleQueue[tuple[str, bool]]  # in a worker process: the queue of its reports


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a build: its inputs, the files it writes into its folder, and the function that writes them."""

    name: str
    rooms: Sequence[str]  # rooms of the builder, or of `BESIDE`, whose code the stage runs
    inputs: Mapping[str, str]  # sha256 of every input, by name
    outputs: Sequence[str]
    make: Callable[[Path], None]

    @property
    def key(self) -> str:
        """The hash of everything that the outputs depend on."""
        return value_hash([STAGE_FORMAT, dict(self.inputs), list(self.outputs), code_hash(self.rooms)])

    def recorded(self, work: Path) -> Hashes | None:
        """Return the hashes of the outputs under *work* by `<stage>/<file>`, or None when the stage has to run."""
        record = read_step(work / self.name / RECORD, self.key)
        return None if record is None else self._named(record.outputs)

    def run(self, work: Path, report: Report, *, force: bool = False) -> Hashes:
        """Run the stage in its folder under *work*, unless it is up to date; return the hashes of its outputs."""
        hashes = None if force else self.recorded(work)
        report(self.name, hashes is not None)
        if hashes is not None:
            return hashes
        folder = work / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RECORD).unlink(missing_ok=True)
        for name in (*self.outputs, RECORD):
            for unfinished in folder.glob(f".{name}.*"):  # from a killed run
                unfinished.unlink()
        self.make(folder)
        return self._named(write_step(folder / RECORD, self.key, self.outputs).outputs)

    def _named(self, outputs: Hashes) -> Hashes:
        return {f"{self.name}/{name}": digest for name, digest in outputs.items()}


def code_hash(rooms: Sequence[str]) -> str:
    """Return one hash over the code and data files of the schemas, of `SHARED` and of *rooms*."""
    builder = Path(str(files("ncimp.builder")))
    roots = [builder / name for name in SHARED]
    roots += [(builder.parent if room in BESIDE else builder) / room for room in rooms]
    paths = {path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()}
    paths |= {path for path in (builder.parent / "schemas").rglob("*") if path.suffix in (".py", ".json")}
    source = sorted(path for path in paths if path.suffix != ".pyc")
    return value_hash({path.relative_to(builder.parent).as_posix(): file_hash(path) for path in source})


@dataclass(frozen=True)
class Build:
    """The inputs, options and places of a build."""

    langs: tuple[str, ...]
    packs: Path
    out: Path
    work: Path
    options: BuildOptions
    stores: Mapping[str, Path] = field(default_factory=dict)
    """Statistics store by language; the frequencies of a language without one are those of `wordfreq`."""
    counts_only: bool = False
    """Whether the stores fill the counts of compounds only, and frequencies are those of `wordfreq`."""
    benchmarks: tuple[compounds.Benchmark, ...] = ()  # other benchmarks, whose compounds are marked as theirs
    withhold: bool = False  # whether published sentences are released without their text, to be put back by others
    workers: int = 1  # languages built at a time; the release does not depend on it
    human: compounds.HumanScores = field(default_factory=compounds.HumanScores)  # human scores and judgements

    @property
    def figure_hashes(self) -> Hashes:
        """The hashes of benchmarks, in their order, of scores and judgements."""
        benchmarks = {f"benchmark/{number}": one.digest for number, one in enumerate(self.benchmarks)}
        return benchmarks | self.human.hashes

    @cached_property
    def memberships(self) -> Mapping[str, frozenset[str]]:
        """The keys of the compounds of each benchmark, by its name."""
        return {benchmark.name: compounds.read_benchmark(benchmark) for benchmark in self.benchmarks}

    def resources(self, lang: str) -> LanguageResources:
        """Return the resources of the language *lang*."""
        return LanguageResources(lang, self.packs, self.work, self.stores.get(lang), self.counts_only)


def build_release(build: Build, report: Report, waiting: Callable[[str], object] = lambda _: None) -> Path:
    """Run every stage of *build* that is not up to date and return the release folder.

    While another build uses the work folder, this one waits, and calls *waiting* with the id of its process. Raises
    `ReleaseError` when validation finds incidents that are not waived.
    """
    with file_lock(build.work / LOCK, waiting), ExitStack() as stack:
        recover(build.out)
        languages = [stack.enter_context(closing(build.resources(lang))) for lang in build.langs]
        for language in languages:
            _pack_stage(language).run(build.work, report)
        if build.workers > 1 and sum(not _is_up_to_date(language, build) for language in languages) > 1:
            outputs = _run_in_processes(build, report)
        else:
            outputs = [_run_language(language, build, report) for language in languages]
        hashes = {name: digest for part in outputs for name, digest in part.items()}
        read_tables = cache(partial(_read_tables, build, build.langs))  # two stages need all rows, or none
        hashes |= _validate_stage(languages, build, read_tables, hashes).run(build.work, report)
        stage = _release_stage(languages, build, read_tables, hashes)
        stage.run(build.work, report, force=not _is_whole(build.out, build.work / stage.name / IDENTITY))
    return build.out


def _pack_stage(language: LanguageResources) -> Stage:
    def make(folder: Path) -> None:
        _record(validate_pack(language.pack), folder)

    return Stage(f"pack-{language.lang}", ("sources", "validation"), language.hashes, (INCIDENTS,), make)


def _select_stage(language: LanguageResources, build: Build, inputs: Hashes) -> Stage:
    def make(folder: Path) -> None:
        counts, table = language.counts, language.frequencies
        if counts is not None:
            counts.verify()  # its hash goes into the manifest, so it has to be true
        write_rows(folder / "replacements.jsonl", select(language.selection, build.options))
        words = sorted({word for row in language.pack.compounds for word in (row.modifier, row.head)})
        values, counts_of = {word: zipf_of(table, word) for word in words}, language.count_figures()
        write_json(folder / "zipf.json", {"source": table.name, "values": values, "counts": counts_of})

    inputs = {**inputs, **language.frequency_hashes, "wn": version("wn")}
    rooms = ("sources", "selection", "corpus_stats")
    return Stage(f"select-{language.lang}", rooms, inputs, ("replacements.jsonl", "zipf.json"), make)


def _fill_stage(language: LanguageResources, build: Build, inputs: Hashes) -> Stage:
    def make(folder: Path) -> None:
        filler = Filler(language.pack, language.morphology)
        write_rows(folder / "items.jsonl", filler.fill(_replacements(language, build)))
        write_rows(folder / "rephrased.jsonl", filler.rephrase())

    outputs = ("items.jsonl", "rephrased.jsonl")
    return Stage(f"fill-{language.lang}", ("sources", "filling"), inputs, outputs, make)


def _tables_stage(language: LanguageResources, build: Build, inputs: Hashes) -> Stage:
    def make(folder: Path) -> None:
        filled = read_rows(build.work / f"fill-{language.lang}" / "items.jsonl", records.FilledItem)
        rephrased = read_rows(build.work / f"fill-{language.lang}" / "rephrased.jsonl", records.Rephrased)
        parts = (filled, _replacements(language, build), rephrased, _compounds(language, build))
        for name, rows in tables.release_rows(language.pack, *parts, release=build.options.release).items():
            write_rows(folder / f"{name}.jsonl", rows)

    outputs = tuple(f"{name}.jsonl" for name, _ in TABLES)
    inputs = {**inputs, **build.figure_hashes}
    return Stage(f"tables-{language.lang}", ("sources", "release"), inputs, outputs, make)


def _compounds(language: LanguageResources, build: Build) -> list[records.ReleasedCompound]:
    """Return the compounds of a language with their frequencies, counts, benchmarks and human scores."""
    zipf = read_json(build.work / f"select-{language.lang}" / "zipf.json")
    release, counts = build.options.release, zipf["counts"]
    rows = tables.release_compounds(language.pack, zipf["values"], zipf["source"], release=release, counts=counts)
    human = compounds.read_scores(build.human, [language.lang])
    compounds.check_known(human, {row.id for row in rows}, "a score")
    keys = {row.id: compound_key(row.compound) for row in rows}
    marked = (
        replace(
            row, benchmarks=(*row.benchmarks, *(name for name, of in build.memberships.items() if keys[row.id] in of))
        )
        for row in rows
    )
    return tables.with_scores(marked, human)


def _replacements(language: LanguageResources, build: Build) -> list[records.Replacement]:
    return read_rows(build.work / f"select-{language.lang}" / "replacements.jsonl", records.Replacement)


def _check_stage(language: LanguageResources, build: Build, inputs: Hashes) -> Stage:
    def make(folder: Path) -> None:
        rows = _read_tables(build, [language.lang])
        write_rows(folder / INCIDENTS, validate_language(rows, language.pack, build.options))

    return Stage(f"check-{language.lang}", ("sources", "validation"), inputs, (INCIDENTS,), make)


LANGUAGE_STAGES = (_select_stage, _fill_stage, _tables_stage, _check_stage)
"""The stages of one language after its pack is checked, in order; each depends on the outputs of those before it."""


def _run_language(language: LanguageResources, build: Build, report: Report) -> Hashes:
    """Run the stages of one language; return the hashes of its pack, frequencies and outputs, and of the options."""
    hashes = _inputs(language, build)
    for stage in LANGUAGE_STAGES:
        hashes |= stage(language, build, hashes).run(build.work, report)
    return hashes | language.frequency_hashes


def _inputs(language: LanguageResources, build: Build) -> Hashes:
    """Return the hashes of the pack and of the options, which every later stage of a language depends on."""
    return {**language.hashes, "options": value_hash(build.options.as_row())}


def _is_up_to_date(language: LanguageResources, build: Build) -> bool:
    hashes = _inputs(language, build)
    for stage in LANGUAGE_STAGES:
        outputs = stage(language, build, hashes).recorded(build.work)
        if outputs is None:
            return False
        hashes |= outputs
    return True


def _run_in_processes(build: Build, report: Report) -> list[Hashes]:
    """Run the stages of every language in worker processes; of several errors, raise that of the first language."""
    context = multiprocessing.get_context("spawn")  # a fork would inherit the threads of Arrow
    progress: SimpleQueue[tuple[str, bool]] = context.SimpleQueue()
    with ProcessPoolExecutor(build.workers, context, _start_worker, (progress,)) as pool:
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # workers inherit it: Ctrl-C is for this process alone
        futures = [pool.submit(_run_in_worker, lang, build) for lang in build.langs]
        signal.signal(signal.SIGINT, handler)
        try:
            pending = set(futures)
            while pending:
                pending = wait(pending, timeout=POLL_SECONDS).not_done
                while not progress.empty():
                    report(*progress.get())
            return [future.result() for future in futures]
        except BrokenProcessPool:
            fix = "build again; if it happens again, with --workers 1, which needs less memory"
            raise ReleaseError("a worker process was killed", fix=fix) from None
        except KeyboardInterrupt:
            for worker in multiprocessing.active_children():
                worker.kill()  # leaving the pool would wait for the end of their languages
            raise


def _start_worker(progress: SimpleQueue[tuple[str, bool]]) -> None:
    """Prepare a worker process, which reports to *progress* and ends when the build is killed."""
    global _progress
    _progress = progress
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(lang: str, build: Build) -> Hashes:
    with closing(build.resources(lang)) as language:
        return _run_language(language, build, lambda stage, reused: _progress.put((stage, reused)))


def _read_tables(build: Build, langs: Sequence[str]) -> Tables:
    folders = [build.work / f"tables-{lang}" for lang in langs]
    rows = ([row for folder in folders for row in read_rows(folder / f"{name}.jsonl", kind)] for name, kind in TABLES)
    return Tables(*rows)


def _validate_stage(
    languages: Sequence[LanguageResources], build: Build, read_tables: Callable[[], Tables], inputs: Hashes
) -> Stage:
    def make(folder: Path) -> None:
        paths = [build.work / f"{stage}-{lang}" / INCIDENTS for lang in build.langs for stage in ("pack", "check")]
        of_languages = [row for path in paths for row in read_rows(path, records.Incident)]
        packs = {language.lang: language.pack for language in languages}
        _record(validate_together(read_tables(), packs, of_languages), folder)

    inputs = {**inputs, "langs": " ".join(build.langs)}
    return Stage("validate", ("sources", "validation"), inputs, (INCIDENTS,), make)


def _record(incidents: Sequence[records.Incident], folder: Path) -> None:
    """Write *incidents* into the *folder* of a stage, and raise `ReleaseError` for those that are not waived."""
    write_rows(folder / INCIDENTS, incidents)
    refuse(incidents, f"mend the pack or the code, or waive them with a reason; all are in {folder / INCIDENTS}")


def _release_stage(
    languages: Sequence[LanguageResources], build: Build, read_tables: Callable[[], Tables], inputs: Hashes
) -> Stage:
    def make(folder: Path) -> None:
        rows = read_tables()
        packs = [language.pack for language in languages]
        published = {name: row for pack in packs for name, row in published_places(pack).items()}
        content = ReleaseContent(
            items=rows.items,
            literal=rows.literal,
            attested=rows.attested,
            suites=SuiteTables(rows.senses, rows.examples, rows.consistency, rows.composition),
            pairs=rows.pairs,
            compounds=rows.compounds,
            languages={pack.language.code: pack.language.name for pack in packs},
            edition=packs[0].language.edition,
            inputs=[
                *(source for language in languages for source in language.sources()),
                *(benchmark.source() for benchmark in build.benchmarks),
                *build.human.sources(),
            ],
            options=build.options,
            annotations=_annotations(build, rows),
            readings={pack.language.code: pack.readings for pack in packs},
            waived=sum(row.waived for row in read_rows(build.work / "validate" / INCIDENTS, records.Incident)),
            origins={**places_of(packs, (*rows.items, *rows.literal)), **(published if build.withhold else {})},
            with_text=0 if build.withhold else len(published),
            holes={pack.language.code: pack.holes for pack in packs},
        )
        write_release(build.out, content, partial(_check_release, folder))

    inputs = {**inputs, **build.figure_hashes, "langs": " ".join(build.langs), "out": str(build.out)}
    inputs |= {"withhold": str(build.withhold)}
    inputs |= {"pyarrow": version("pyarrow"), "code": ncimp.__version__, "links": value_hash(project_links())}
    return Stage("release", ("sources", "release", "validation"), inputs, (IDENTITY,), make)


def _check_release(folder: Path, new: Path) -> None:
    """Record the identity of the release in the folder *new*, or raise `ReleaseError` when it is not sound."""
    release = ReleaseFolder(new)
    manifest = release.manifest
    # what the tables say was validated before they were written
    incidents = [*check_files(release), *check_versions(release), *check_card(new, manifest)]
    _record(incidents, folder)
    digest = file_hash(new / records.MANIFEST)
    write_json(folder / IDENTITY, {"logical_sha256": manifest.logical_sha256, "manifest_sha256": digest})


def _annotations(build: Build, rows: Tables) -> list[records.ReleasedAnnotation]:
    """Return the human judgements, or raise `SchemaError` for one of a compound or item that the build lacks."""
    judgements = compounds.read_annotations(build.human, build.langs)
    compounds.check_known((row.compound_id for row in judgements), {row.id for row in rows.compounds}, "judgements")
    items = {item.id for item in (*rows.items, *rows.literal)}
    compounds.check_known((row.item_id for row in judgements), items, "judgements")
    return tables.release_annotations(judgements, rows.compounds)


def _is_whole(out: Path, identity: Path) -> bool:
    """Tell whether *out* is the release of *identity*: its manifest, the files that it lists, and nothing else."""
    try:
        if read_json(identity)["manifest_sha256"] != file_hash(out / records.MANIFEST):
            return False
        return not any(ReleaseFolder(out).faults())
    except (NcimpError, OSError, KeyError, TypeError):
        return False  # missing or damaged
