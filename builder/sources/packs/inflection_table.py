"""The section `[inflection]` of `pack.toml`: rules by suffix, and the words that follow none.

    [inflection.plural]
    rules = [{ suffix = "m", to = ["ns"] }, { suffix = "", to = ["s"] }]
    words = ["mal: males"]

A rule may ask with `when` for something before the suffix, and may be for some parts of speech (`pos`) only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ncimp.builder.records import GenderRule, Inflection, PartRule, PhraseRules, Rules, SuffixRule
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import NOT_APPLICABLE, Row

SEPARATOR = ": "
"""What stands between a word and its form in a list of words."""


def read_inflection(section: Row, place: Place) -> Inflection:
    """Return *section*, which fits its schema, as a record; raise `SourceError` for a word that is listed twice."""
    gender = section["default_gender"]
    genders = {kind: section["gender"][kind] for kind in ("m", "f", "c")}
    parts = {part: section["parts"][part] for part in ("noun", "adj")}
    return Inflection(
        engines=tuple(section["engines"]),
        default_gender=None if gender == NOT_APPLICABLE else gender,
        uninflected=frozenset(section["uninflected"]),
        invariable={pos: frozenset(words) for pos, words in section["invariable"].items()},
        plural=_rules(section["plural"], place),
        singular=_rules(section["singular"], place),
        feminine=_rules(section["feminine"], place),
        masculine=_rules(section["masculine"], place),
        gender=tuple(msgspec.convert(rule, GenderRule) for rule in section["gender"]["rules"]),
        genders=_once(((word, kind) for kind, words in genders.items() for word in words), place),
        parts=tuple(msgspec.convert(rule, PartRule) for rule in section["parts"]["rules"]),
        part_words=_once(((word, (part,)) for part, words in parts.items() for word in words), place),
        phrases=msgspec.convert(section["phrases"], PhraseRules),
    )


def expressions(inflection: Inflection) -> Iterator[str]:
    """Yield every regular expression of *inflection*."""
    inflected = (inflection.plural, inflection.singular, inflection.feminine, inflection.masculine)
    for rules in inflected:
        yield from (rule.when for rule in rules.rules)
    yield from (rule.when for rule in inflection.gender)
    yield from (rule.when for rule in inflection.parts)


def _rules(section: Row, place: Place) -> Rules:
    pairs = (entry.split(SEPARATOR, 1) for entry in section["words"])
    words = _once(((word, form) for word, form in pairs), place)
    return Rules(tuple(msgspec.convert(rule, SuffixRule) for rule in section["rules"]), words)


def _once(pairs: Iterable[tuple[str, Any]], place: Place) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for word, value in pairs:
        if word in found:
            what = f"[inflection] says two things of {word!r}: {found[word]!r} and {value!r}"
            raise SourceError(what, fix="keep one", place=place)
        found[word] = value
    return found
