"""What the tests of the judging task share: hostile values, the wording, and the material of the mini release."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.task.batch import Design, Material, Sheet, gather
from ncimp.builder.annotation.task.page import Wording, read_wording
from ncimp.builder.release.tables import read_release
from ncimp.builder.sources.packs.packs import packs_folder

LANGS = ("en", "pt")
HOSTILE = (
    "=cmd()|' /C calc'!A0",
    "<script>document.title='pwned'</script>",
    "<img src=x onerror=\"document.title='pwned'\">",
    "\u202eright to left\u202c",
    "]]>",
    "a \"b\" 'c' &amp; ${task_id}",
    "two\nlines",
    "+1 -2 @SUM(A1)",
)
"""Values that somebody reads as something else: a spreadsheet, a browser, an XML parser, a template."""


def hostile_sheet(value: str, sentences: int = 1) -> Sheet:
    """Return a sheet in which everything but the id is *value*."""
    return Sheet("a" * 16, value, value, value, ((value, value, value),) * sentences)


def wording_of(lang: str) -> Wording:
    """Return the project's wording in *lang*."""
    return read_wording(packs_folder() / lang)


def material_of(release: Path, lang: str) -> Material:
    """Return what the release in *release* has in *lang*."""
    tables = read_release(release)
    return gather(
        tables.logical_sha256,
        (item for item in tables.items if item.lang == lang),
        (item for item in tables.literal if item.lang == lang),
        (compound for compound in tables.compounds if compound.lang == lang),
    )


def design(mode: str = "token", gold: str = "1/9", attention: str = "1/6", seed: str = "s", **more: Any) -> Design:
    """Return a design with the rates in words, without a least number of checks."""
    rates = Fraction(gold), Fraction(attention)
    return Design("type" if mode == "type" else "token", *rates, seed=seed, **{"min_checks": 0, **more})
