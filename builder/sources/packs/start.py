"""The beginning of a pack: a short pack.toml with comments, empty tables, and rows of compounds from a plain list."""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import product
from pathlib import Path
from string import Template

from ncimp.builder.records import Compound, Form, Language, Pattern
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.packs.forms import fits
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.lexicon_table import HEADER, write_lexicon
from ncimp.schemas import UsageError, folder_aside, read_text, replace_folder, write_text, write_tsv
from ncimp.schemas.records import columns, load_schema

TABLES: Mapping[str, str] = {
    "compounds": "pack_compound",
    "synonyms": "pack_synonym",
    "contexts": "context",
    "forms": "form",
    "splits": "split",
    "waivers": "waiver",
    "exclusions": "exclusion",
    "pool": "pool",
}
"""The record of each table of a new pack."""

TO_WRITE = "?"  # stands in a cell that only a person can fill
CODE = re.compile("[a-z]{2,3}")
PATTERNS = """\
[[patterns]]
id = "N_A"
parts = ["noun", "adj"]
head = 0
join = " "
replacement = "N_A"
modifier = "agrees"

[[patterns]]
id = "A_N"
parts = ["adj", "noun"]
head = 1
join = " "
replacement = "A_N"
modifier = "agrees"

[[patterns]]
id = "N"
parts = ["noun"]
head = 0
join = " "
replacement = "N"
modifier = "fixed"
"""
FEATURES = """\
[features.gender]
source = "head"
values = ["m", "f"]

[features.number]
source = "slot"
values = ["sg", "pl"]
"""


def start_pack(folder: Path, *, name: str, author: str, like: Path | None = None) -> None:
    """Write the pack *folder*, whose name is the code of the language; *like* another: its patterns and features."""
    if folder.exists():
        raise UsageError(f"{folder} is there already", fix="go on with it, or give another folder with --packs")
    if not CODE.fullmatch(folder.name):
        raise UsageError(f"{folder.name!r} is no code of a language", fix="use two or three letters, such as gl")
    patterns, features, words = PATTERNS, FEATURES, ""
    if like:
        text = read_text(like / "pack.toml")
        patterns = _section(text, "[[patterns]]", "[frames.")
        features = _section(text, "[features.", "[agreement]")
        parts = [part for part in read_language(like / "pack.toml").words if part not in ("quote", "comma", "stop")]
        words = "".join(f'"{part}" = []\n' for part in parts)
    values = {"code": folder.name, "name": name, "author": author, "lexicon": f"own-{folder.name}"}
    template = Template((files(__package__) / "new-pack.toml").read_text(encoding="utf-8"))
    settings = template.substitute(values, patterns=patterns, features=features, words=words)
    label = f"Component synonyms ({name})"
    facts = (values["lexicon"], label, folder.name, "name@example.org", "CC-BY-4.0", "0.1.0", f"{author}. {label}.")
    with folder_aside(folder) as aside:
        write_text(aside / "pack.toml", settings)
        for table, record in TABLES.items():
            write_tsv(aside / f"{table}.tsv", (), columns(record)[: len(load_schema(record)["required"])])
        write_lexicon(aside / "lexicon.xml", dict(zip(HEADER, facts, strict=True)), ())
        replace_folder(aside, folder)


def _section(text: str, begin: str, end: str) -> str:
    """Return the lines of *text* from the first with *begin* to the one with *end*, without comments."""
    inside = text[text.index(f"\n{begin}") + 1 : text.index(f"\n{end}") + 1]
    inside = re.sub(r"^random_modifiers = \[[^\]]*\]\n|^ *#[^\n]*\n", "", inside, flags=re.MULTILINE)
    return inside.rstrip() + "\n"


def guess_compound(line: str, language: Language, forms: LayeredMorphology, **cells: str) -> Compound | str:
    """Return the row of the compound *line* (`Schwarz|markt` for one word), or why nobody can tell what it is made of.

    The first pattern in which the modifier agrees is taken, else the one with the most usual readings. *cells* are
    those that are the same for a list: class, author and date.
    """
    text, parts = line.replace("|", ""), line if "|" in line else None
    best: tuple[tuple[bool, int], Pattern, Form, Form] | None = None
    unknown: list[str] = []
    for pattern in language.patterns.values():
        words = language.cut(text, pattern, parts) if len(pattern.parts) > 1 else None
        if words is None or len(words) != len(pattern.parts):
            continue
        readings = [list(_readings(word, pos, forms)) for word, pos in zip(words, pattern.parts, strict=True)]
        unknown += [repr(word) for word in words if not forms.readings(word)]
        for (one, head), (other, modifier) in product(readings[pattern.head], readings[1 - pattern.head]):
            agrees = pattern.modifier == "agrees" and fits(modifier, head.gender, head.number)
            if pattern.modifier == "agrees" and not agrees:
                continue
            order = (not agrees, one + other)
            if best is None or order < best[0]:
                best = (order, pattern, head, modifier)
    if best is None:
        names = ", ".join(dict.fromkeys(unknown))
        return f"nobody knows {names}" if names else "no pattern of pack.toml has its shape and parts of speech"
    _, pattern, head, modifier = best
    row = {"text": text, "modifier": _lemma(modifier, forms), "head": head.lemma, "head_index": pattern.head}
    row |= {"pattern": pattern.id, "gender": head.gender, "number": head.number or "sg", "countability": "count"}
    row |= {"semantic_class": None, "fitting_classes": None, "sense_note": TO_WRITE, "parts": parts}
    return Compound(**row, **cells)  # type: ignore[arg-type]


def _readings(word: str, pos: str, forms: LayeredMorphology) -> Iterator[tuple[int, Form]]:
    for capital in dict.fromkeys((word, word.lower(), word.capitalize())):  # the parts of Schwarzmarkt
        for place, reading in enumerate(forms.readings(capital)):
            if reading.pos == pos and reading.form == capital:
                yield place, reading


def _lemma(reading: Form, forms: LayeredMorphology) -> str:
    """Return the lemma of *reading*, of a participle its masculine singular, and not the verb."""
    if reading.pos != "adj" or not forms.is_participle(reading.form):
        return reading.lemma
    return forms.inflect(reading.lemma, "adj", gender="m", number="sg") or reading.lemma
