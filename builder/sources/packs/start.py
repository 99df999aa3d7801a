"""The folder of a new pack: a short pack.toml with comments, empty tables, and a lexicon without words."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

from ncimp.builder.sources.packs.lexicon_table import HEADER, write_lexicon
from ncimp.builder.sources.packs.language import read_language
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
    """Return what stands in *text* from the first line with *begin* to the one with *end*, without comments."""
    inside = text[text.index(f"\n{begin}") + 1 : text.index(f"\n{end}") + 1]
    inside = re.sub(r"^random_modifiers = \[[^\]]*\]\n|^ *#[^\n]*\n", "", inside, flags=re.MULTILINE)
    return inside.rstrip() + "\n"
