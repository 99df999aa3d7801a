"""Validation of a release's tables and of packs: a loop over the registered checks, and the waivers of the packs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ncimp.builder.config import Matching
from ncimp.builder.records import Incident, LanguagePack, Waiver
from ncimp.builder.validation import card, folder, pack, rows, tables, writing
from ncimp.builder.validation.agreement import items
from ncimp.builder.validation.registry import MEANINGS, NOTES, Select, reports
from ncimp.builder.validation.scope import LANGUAGE, PACK, RELEASE, Lookup, Release, Scope, Tables

CHECKS = (pack, writing, tables, rows, items, folder, card)
"""The modules whose import registers checks."""

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
looked at. This page is generated from the registry of checks (`builder/validation/registry.py`).
"""

STALE = "W801"


def _every(code: str) -> bool:  # noqa: ARG001 (the selection of all codes)
    return True


def validate(
    rows_of_release: Tables,
    packs: Mapping[str, LanguagePack],
    match: Matching = "components",
    *,
    select: Select = _every,
) -> list[Incident]:
    """Return every incident of a release, waived ones marked, in a fixed order; *match* is the release's option."""
    of_languages: list[Incident] = []
    for lang, language_pack in packs.items():
        scope = Scope(Lookup(language_pack), rows_of_release.of(lang), match)
        of_languages += [*PACK.incidents(scope, select), *LANGUAGE.incidents(scope, select)]
    return validate_together(rows_of_release, packs, of_languages, select=select)


def validate_pack(language_pack: LanguagePack) -> list[Incident]:
    """Return every incident that a pack has by itself, waived ones marked; its other waivers may be of an item."""
    return _sorted(_waive(PACK.incidents(Scope(Lookup(language_pack)), _every), language_pack.waivers))


def validate_language(rows: Tables, language_pack: LanguagePack, match: Matching) -> list[Incident]:
    """Return every incident of the rows of one language, none of them marked as waived yet."""
    return list(LANGUAGE.incidents(Scope(Lookup(language_pack), rows, match), _every))


def validate_together(
    rows_of_release: Tables,
    packs: Mapping[str, LanguagePack],
    of_languages: Iterable[Incident],
    *,
    select: Select = _every,
) -> list[Incident]:
    """Return the incidents *of_languages* and of their packs, those of the release as a whole, and stale waivers."""
    incidents = [*of_languages, *RELEASE.incidents(Release(rows_of_release, list(packs.values())), select)]
    waivers = [waiver for language_pack in packs.values() for waiver in language_pack.waivers if select(waiver.code)]
    return _sorted([*_waive(incidents, waivers), *_stale(incidents, waivers, select)])


def selection(prefixes: Iterable[str]) -> Select:
    """Return the selection of the codes that begin with one of *prefixes* (`K`, `T8`, `A101`)."""
    starts = tuple(prefixes)
    return lambda code: code.startswith(starts)


def _sorted(incidents: Iterable[Incident]) -> list[Incident]:
    return sorted(incidents, key=lambda row: (row.code, row.place, row.message))


def _waive(incidents: Iterable[Incident], waivers: Sequence[Waiver]) -> Iterator[Incident]:
    accepted = {(waiver.code, waiver.place) for waiver in waivers}
    return (replace(incident, waived=(incident.code, incident.place) in accepted) for incident in incidents)


@reports(W801="a waiver matches no incident")
def _stale(incidents: Iterable[Incident], waivers: Sequence[Waiver], select: Select) -> Iterator[Incident]:
    used = {(incident.code, incident.place) for incident in incidents}
    for code, place in sorted({(waiver.code, waiver.place) for waiver in waivers} - used):
        if select(STALE) or select(code):
            yield Incident(STALE, place, f"nothing of code {code} there any more; take the waiver out")


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


CODES = dict(sorted(MEANINGS.items()))
"""Meaning of every code, in their order."""
