"""Validation of a release's tables and of packs: a loop over the registered checks, and the waivers of the packs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ncimp.builder.config import Matching
from ncimp.builder.records import Incident, LanguagePack, Waiver
from ncimp.builder.validation import card, folder, pack, registry, rows, tables, writing
from ncimp.builder.validation.agreement import items
from ncimp.builder.validation.registry import Select, reports
from ncimp.builder.validation.scope import LANGUAGE, PACK, RELEASE, Lookup, Release, Scope, Tables

CHECKS = (pack, writing, tables, rows, items, folder, card)
"""The modules whose import registers checks."""

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
    incidents = list(RELEASE.incidents(Release(rows_of_release, list(packs.values())), select))
    for lang, language_pack in packs.items():
        scope = Scope(Lookup(language_pack), rows_of_release.of(lang), match)
        incidents += PACK.incidents(scope, select)
        incidents += LANGUAGE.incidents(scope, select)
    waivers = [waiver for language_pack in packs.values() for waiver in language_pack.waivers if select(waiver.code)]
    return _sorted([*_waive(incidents, waivers), *_stale(incidents, waivers, select)])


def validate_pack(language_pack: LanguagePack) -> list[Incident]:
    """Return every incident that a pack has by itself, waived ones marked; its other waivers may be of an item."""
    return _sorted(_waive(PACK.incidents(Scope(Lookup(language_pack)), _every), language_pack.waivers))


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
    return registry.page()


CODES = registry.meanings()
"""Meaning of every code, by code."""
