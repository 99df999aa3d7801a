"""Faults in published files of other projects: the kinds, what an audit finds, and figures beside those in print.

The audits themselves are in the modules beside this one; each returns an `Audit`. `kinds.toml` describes each kind.
"""

import csv
import io
import tomllib
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup
from scipy.stats import spearmanr

from ncimp.builder.records import Number
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.inflection import RuleMorphology, inflect_forms, lemminflect_forms
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.builder.sources.published.ncimp import NcimpFiles, PublishedTable
from ncimp.builder.sources.published.nctti import NcttiRow
from ncimp.schemas import Place, Row, SourceError
from ncimp.schemas.pages.kit import Content, Section, join, page, table

FIRST = 5  # places of each kind that the page shows
SEVERITIES = {3: "breaks an analysis", 2: "misleads", 1: "blemish"}
Key = tuple[str, str]
"""Language, and compound without case and hyphens."""
Compounds = Mapping[Key, str]
"""Compounds as they are written."""
Tree = Path | zipfile.Path
"""A folder or file, unpacked or in a zip."""


class Kind(NamedTuple):
    """A kind of fault."""

    code: str
    title: str
    severity: int  # one of SEVERITIES
    why: str


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by its code."""
    text = (files("ncimp.builder.sources.published") / "kinds.toml").read_text(encoding="utf-8")
    return {code: Kind(code, **row) for code, row in tomllib.loads(text).items()}


class Fault(NamedTuple):
    """One fault and its place; row 1 of a table is its header."""

    kind: str
    file: str
    message: str
    row: int | None = None
    column: str | None = None
    compound: str | None = None

    @property
    def place(self) -> str:
        """File, row and column, as far as there are any."""
        return ":".join(str(part) for part in (self.file, self.row, self.column) if part is not None)


class Measurement(NamedTuple):
    """A figure of the files, beside the one in print where there is one."""

    file: str
    name: str
    value: float
    printed: str | None = None

    @property
    def shown(self) -> str:
        """The value with as many decimals as the printed one has, else three, or none for a whole number."""
        if self.printed is None:
            return f"{self.value:,.3f}" if isinstance(self.value, float) else f"{self.value:,}"
        return f"{self.value:,.{len(self.printed.partition('.')[2])}f}"

    @property
    def differs(self) -> bool:
        """True for another printed figure; a difference of 1 in the last decimal may come from rounded input."""
        if self.printed is None:
            return False
        decimals = len(self.printed.partition(".")[2])
        distance = abs(self.value - float(self.printed.replace(",", "")))
        return round(distance, 9) > (10**-decimals if decimals else 0)


@dataclass(frozen=True)
class Audit:
    """All that was found in one copy of published files."""

    name: str  # of the release
    found_faults: tuple[Fault, ...]
    measurements: tuple[Measurement, ...]
    compounds: Mapping[str, Compounds]
    """Its compounds by part: language, and split where there are splits."""
    trains: bool = False  # its parts are splits that models are trained and tested on
    # the files as their reader returns them, for comparisons: each of one release
    ncimp: NcimpFiles | None = None
    nctti: Sequence[NcttiRow] = ()
    ncs: Sequence[PublishedTable] = ()

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault, the severest kinds first, and each kind by place."""
        differing = (
            Fault("printed-differs", row.file, f"{row.name}: {row.shown}, in print {row.printed}")
            for row in self.measurements
            if row.differs
        )
        order = {code: (-kind.severity, place) for place, (code, kind) in enumerate(kinds().items())}

        def by_place(row: Fault) -> tuple[object, ...]:
            return order[row.kind], row.file, row.row or 0, row.column or "", row.compound or "", row.message

        return tuple(sorted((*self.found_faults, *differing), key=by_place))

    @property
    def all_compounds(self) -> Compounds:
        """The compounds of all parts."""
        return {key: name for names in self.compounds.values() for key, name in names.items()}

    def lines(self) -> Iterator[str]:
        """Yield the audit as text: each kind with the number of its faults, then the figures."""
        counts = Counter(fault.kind for fault in self.faults)
        yield f"{self.name}: {len(self.faults):,} faults of {len(counts)} kinds"
        for code, count in counts.items():
            yield f"  {kinds()[code].severity}  {count:>6,}  {code:<22}{kinds()[code].title}"
        yield f"{self.name}: {len(self.measurements)} figures"
        for row in self.measurements:
            printed = "" if row.printed is None else f"  (in print {row.printed})"
            yield f"  {row.shown:>9}  {row.file}: {row.name}{printed}"

    def document(self) -> Row:
        """Return the audit as JSON: kinds with their numbers, every fault, every figure."""
        counts = Counter(fault.kind for fault in self.faults)
        return {
            "release": self.name,
            "kinds": [{**kinds()[code]._asdict(), "count": count} for code, count in counts.items()],
            "faults": [{"severity": kinds()[fault.kind].severity, **fault._asdict()} for fault in self.faults],
            "figures": [{**row._asdict(), "differs": row.differs} for row in self.measurements],
        }


def render(audits: Sequence[Audit]) -> str:
    """Return the page of *audits*."""
    title = f"Audit of {' and '.join(audit.name for audit in audits[:2])}"
    head = Markup('<p class="eyebrow">Published files, as they are</p><h1>{}</h1>').format(title)
    sections = []
    for number, audit in enumerate(audits, start=1):
        groups = {code: list(rows) for code, rows in groupby(audit.faults, key=attrgetter("kind"))}
        faults: list[list[Content]] = [
            [kinds()[code].title, code, f"{kinds()[code].severity}, {SEVERITIES[kinds()[code].severity]}", len(rows)]
            for code, rows in groups.items()
        ]
        caption, heads = f"Kinds of faults in {audit.name}", ["kind", "code", "severity", "faults"]
        overview = table(caption, heads, faults, left=range(3))
        parts = [overview, *(_kind(kinds()[code], rows) for code, rows in groups.items())]
        sections.append(Section(f"faults-{number}", f"{audit.name}: what is wrong", join(parts)))
        figures = [
            [row.name, row.file, row.shown, row.printed or "–", "differs" if row.differs else ""]
            for row in audit.measurements
        ]
        caption, heads = f"Figures of {audit.name}", ["figure", "file", "here", "in print", "compared"]
        content = table(caption, heads, figures, left=(0, 1, 4), tall=len(figures) > 24)
        sections.append(Section(f"figures-{number}", f"{audit.name}: figures", content))
    return page(title, head, sections)


def _kind(kind: Kind, faults: Sequence[Fault]) -> Markup:
    """Return one kind on the page: why it matters, and its first places."""
    text = Markup("<h3>{}</h3><p>{}</p>").format(kind.title, kind.why)
    rows = [[fault.place, fault.compound or "–", fault.message] for fault in faults[:FIRST]]
    shown = f"the first {FIRST} of {len(faults):,}" if len(faults) > FIRST else f"all {len(faults)}"
    return join([text, table(f"{kind.code}: {shown}", ("place", "compound", "what is there"), rows, left=range(3))])


def missing_compounds(by_file: Mapping[str, Compounds]) -> Iterator[Fault]:
    """Find the compounds of each language that a file with compounds of the language lacks, and another has."""
    everywhere = {key: name for names in by_file.values() for key, name in names.items()}
    for file, names in by_file.items():
        langs = {lang for lang, _ in names}
        for key in sorted(everywhere.keys() - names.keys()):
            if key[0] in langs:
                others = ", ".join(other for other, keys in by_file.items() if key in keys)
                yield Fault("compound-missing", file, f"not here, but in {others}", compound=everywhere[key])


def missing_licence(folder: Tree) -> Iterator[Fault]:
    """Find that *folder* has no licence."""
    if not any(path.name.upper().startswith(("LICEN", "COPYING")) for path in folder.iterdir()):
        yield Fault("licence-missing", ".", "no file LICENSE or LICENCE")


def twins(file: str, rows: Iterable[tuple[object, str | None]], start: int = 2) -> Iterator[Fault]:
    """Find each of *rows* (content and compound, the first in row *start*) that stands in the file before."""
    first: dict[object, int] = {}
    for number, (row, compound) in enumerate(rows, start=start):
        if first.setdefault(row, number) != number:
            yield Fault("row-twin", file, f"as row {first[row]}", number, compound=compound)


def open_tree(source: Path, fix: str) -> Tree:
    """Return *source*, a folder or a zip, or raise `SourceError` with the advice *fix*."""
    if source.is_dir():
        return source
    try:
        return zipfile.Path(source)
    except (OSError, zipfile.BadZipFile) as error:
        what = "no such folder" if isinstance(error, FileNotFoundError) else f"no folder and no zip ({error})"
        raise SourceError(what, fix=fix, place=Place(str(source))) from None


def read_bytes(path: Tree, copy: str) -> bytes:
    """Return the content of *path*, or raise `SourceError`; *copy* says what folder should be given."""
    try:
        return path.read_bytes()
    except (OSError, KeyError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        what = "no such file" if isinstance(error, FileNotFoundError | KeyError) else f"cannot be read ({error})"
        raise SourceError(what, fix=f"give {copy}", place=Place(str(path))) from None


def read_lines(path: Tree, copy: str) -> str:
    """Return the text of *path*, or raise `SourceError`."""
    try:
        return unicodedata.normalize("NFC", read_bytes(path, copy).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise SourceError(what, fix=f"give {copy}", place=Place(str(path))) from None


def read_rows(path: Tree, columns: Sequence[str], copy: str) -> list[dict[str, str]]:
    """Return the rows of a table with commas, whose header must have *columns*."""
    header, *rows = list(csv.reader(io.StringIO(read_lines(path, copy), newline=""))) or [[]]
    if absent := [name for name in columns if name not in header]:
        what = f"the header has no column {absent[0]!r}"
        raise SourceError(what, fix=f"the layout is another one; give {copy}", place=Place(str(path), 1))
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            what = f"{len(row)} cells where the header has {len(header)}"
            raise SourceError(what, fix=f"give {copy}", place=Place(str(path), number))
    return [dict(zip(header, row, strict=True)) for row in rows]


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Spearman's rho of *pairs*, or None where one side has one value only."""
    if min((len(set(side)) for side in zip(*pairs, strict=True)), default=0) < 2:
        return None
    return float(spearmanr(pairs).statistic)


class English:
    """Articles and nouns of English, by the pack and the libraries that it names."""

    def __init__(self) -> None:
        pack = read_pack(packs_folder() / "en")
        self._listed = PackMorphology(pack.forms, pack.language)
        self._rules = RuleMorphology(pack.language, WordfreqTable("en"))
        self._prepositions = frozenset(pack.language.inflection.phrases.prepositions)
        self._article = next(row for row in pack.language.paradigms if row.kind == "article")
        self._feature = pack.language.sound[0] if pack.language.sound else ""
        self.articles = self._article.words

    def article(self, word: str) -> str | None:
        """Return the indefinite article that stands before *word*."""
        return self._article.form({self._feature: self._listed.onset(word)})

    def wrong_article(self, article: str, word: str) -> str | None:
        """Return the article that should stand before *word* if *article* is the other one."""
        right = self.article(word)
        return right if article.lower() in self.articles - {right} else None

    def uncounted(self, phrase: str) -> str | None:
        """Return `plural` or `mass` for a phrase whose noun takes no a/an, else None."""
        head = self._head(phrase)
        if self._numbers(self._rules, head) == {"pl"} and self._numbers(self._listed, head) <= {"pl"}:
            return "plural"
        # one library lists the word as its own plural; a word such as *sheep* is that in both
        is_mass = set(lemminflect_forms("plural", head, "noun")) == {head} != set(inflect_forms("plural", head, "noun"))
        return "mass" if is_mass else None

    def is_noun(self, phrase: str) -> bool:
        """Tell whether the noun of *phrase* may be one: a gerund, a noun of the pack, or no listed other word."""
        from lemminflect import getAllLemmas

        head = self._head(phrase)
        parts = getAllLemmas(head)
        return not parts or head.endswith("ing") or "NOUN" in parts or bool(self._numbers(self._listed, head))

    def _head(self, phrase: str) -> str:
        """Return the last word of *phrase*, or of what is before a preposition in it, in lower case."""
        words = phrase.lower().split()
        return words[next((at for at, word in enumerate(words) if at and word in self._prepositions), 0) - 1]

    def _numbers(self, forms: PackMorphology | RuleMorphology, word: str) -> set[Number | None]:
        return {row.number for row in forms.readings(word) if row.pos == "noun"}
