"""Validation of a release's tables and of packs: a loop over the registered checks, and the waivers of the packs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ncimp.builder.config import BuildOptions, Matching, Pool
from ncimp.builder.records import Incident, LanguagePack, Waiver
from ncimp.builder.validation import card, folder, items, pack, repetition, senses, tables
from ncimp.builder.validation.agreement import items as agreement
from ncimp.builder.validation.scope import LANGUAGE, MEANINGS, NOTES, PACK, RELEASE, Release, Scope, Tables, reports
from ncimp.schemas import ReleaseError

CHECKS = (
    pack,
    senses,
    repetition,
    tables,
    items,
    agreement,
    folder,
    card,
)  # the modules whose import registers checks

SERIES = {
    "A": "Agreement",
    "B": "Balance and splits",
    "C": "Cells of the grid",
    "D": "Dataset card",
    "K": "Language packs",
    "M": "Manifest and files",
    "P": "Pairs",
    "R": "Random compounds",
    "S": "Sentences and spans",
    "T": "Written sentences",
    "U": "Unicode",
    "V": "Verdicts of readers",
    "W": "Waivers",
}
"""Title of each series of codes, by its letter."""

PREFACE = """\
# Incident codes

`ncimp validate` reports problems of a release by these codes. A code never changes its meaning. A release has no
incident unless its language pack waives it, with a reason, in `waivers.tsv`. `ncimp validate --codes` prints this
list, and `--select K,T8` looks for some of it. [Agreement](agreement.md) explains the `A` series.

The place of a `K` incident is the id of a compound (`en/rat-race`). That of a `T` incident is the id of a context
(`en/rat-race/nat1`), which stays when rows are added; the message names the line. Only sentences marked `authored` are
looked at. This page is generated from the registry of checks (`builder/validation/scope.py`).
"""

ALL = ("",)  # the prefix of every code
PUBLISHED = (
    *("A101", "B502", "B503", "C301", "C302", "C303", "C305", "C306", "K005"),
    *("P601", "P602", "R707", "U401", "U402"),
)  # fmt: skip
"""Codes of what can be told of published sentences, whose words nobody has analysed."""
QUOTED_INCIDENTS = 5  # incidents that the message about a release quotes


def validate(
    rows_of_release: Tables,
    packs: Mapping[str, LanguagePack],
    match: Matching = "components",
    *,
    pool: Pool = "composed",
    select: tuple[str, ...] = ALL,
) -> list[Incident]:
    """Return the incidents of a release, waived ones marked, in a fixed order.

    *match* and *pool* are the release's options. Only codes that begin with one of *select* (`K`, `T8`, `A101`) are
    looked for.
    """
    of_languages: list[Incident] = []
    for lang, language_pack in packs.items():
        scope, codes = Scope(language_pack, rows_of_release.of(lang), match, pool), _codes([language_pack], select)
        of_languages += [*PACK.incidents(scope, codes), *LANGUAGE.incidents(scope, codes)]
    return validate_together(rows_of_release, packs, of_languages, select=select)


def validate_pack(language_pack: LanguagePack) -> list[Incident]:
    """Return every incident that a pack has by itself, waived ones marked; its other waivers may be of an item."""
    return _sorted(PACK.incidents(Scope(language_pack), _codes([language_pack])), language_pack.waivers)


def _codes(packs: Iterable[LanguagePack], select: tuple[str, ...] = ALL) -> tuple[str, ...]:
    """Return the beginnings of the codes to look for: those of *select* that say something of *packs*."""
    published = any(pack.published for pack in packs)
    return tuple(code for code in PUBLISHED if code.startswith(select)) if published else select


def validate_language(rows: Tables, language_pack: LanguagePack, options: BuildOptions) -> list[Incident]:
    """Return every incident of the rows of one language, none of them marked as waived yet."""
    return list(LANGUAGE.incidents(Scope(language_pack, rows, options.match, options.pool), _codes([language_pack])))


def validate_together(
    rows_of_release: Tables,
    packs: Mapping[str, LanguagePack],
    of_languages: Iterable[Incident],
    *,
    select: tuple[str, ...] = ALL,
) -> list[Incident]:
    """Return the incidents *of_languages* and of their packs, those of the release as a whole, and stale waivers."""
    release, codes = Release(rows_of_release, list(packs.values())), _codes(packs.values(), select)
    incidents = [*of_languages, *RELEASE.incidents(release, codes)]
    waivers = [row for pack in packs.values() for row in pack.waivers if row.code.startswith(select)]
    return _sorted([*incidents, *_stale(incidents, waivers)], waivers)


def _sorted(incidents: Iterable[Incident], waivers: Sequence[Waiver]) -> list[Incident]:
    """Return *incidents* in their order, those of *waivers* marked."""
    accepted = {(waiver.code, waiver.place) for waiver in waivers if waiver.code != "W801"}  # which nothing waives
    marked = (replace(incident, waived=(incident.code, incident.place) in accepted) for incident in incidents)
    return sorted(marked, key=lambda row: (row.code, row.place, row.message))


@reports(W801="a waiver matches no incident")
def _stale(incidents: Iterable[Incident], waivers: Sequence[Waiver]) -> Iterator[Incident]:
    used = {(incident.code, incident.place) for incident in incidents}
    for code, place in sorted({(waiver.code, waiver.place) for waiver in waivers} - used):
        yield Incident("W801", place, f"nothing of code {code} there any more; take the waiver out")


def refuse(incidents: Iterable[Incident], fix: str) -> None:
    """Raise `ReleaseError` when one of *incidents* is not waived; its message quotes the first ones."""
    unwaived = [incident for incident in incidents if not incident.waived]
    if unwaived:
        quotes = "; ".join(f"{row.code} {row.place}: {row.message}" for row in unwaived[:QUOTED_INCIDENTS])
        raise ReleaseError(f"{len(unwaived)} incidents keep the release back: {quotes}", fix=fix)


def incidents_page() -> str:
    """Return the text of `docs/reference/incidents.md`."""
    parts = [PREFACE]
    for letter, title in SERIES.items():
        rows = [f"| `{code}` | {meaning} |\n" for code, meaning in CODES.items() if code[0] == letter]
        parts.append(f"\n## {title}\n\n| code | what is wrong |\n| --- | --- |\n{''.join(rows)}")
        notes = sorted((codes, note) for codes, note in NOTES.items() if codes[0][0] == letter)
        if notes:
            shown = ((", ".join(f"`{code}`" for code in codes), note) for codes, note in notes)
            parts.append("\n" + "".join(f"- {codes}: {note}\n" for codes, note in shown))
    return "".join(parts)


CODES = dict(sorted(MEANINGS.items()))  # meaning of every code, in their order
